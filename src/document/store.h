/* store.h - the memory of a document: nodes, attributes, strings, names.
 *
 * Nodes lie in one growable array and are addressed by 32-bit ids (0 = none, 1 = the Document), so
 * the array may move and no link is a pointer. Strings are slices (offset, length) of one of two
 * areas: the text (the input, the caller's buffer or the document's copy of it) or the string area
 * (decoded and concatenated text). Names are numbers: those of grammar/elements.txt and
 * grammar/attributes.txt are the same in every document, others are interned here.
 */
#ifndef LANNER_STORE_H
#define LANNER_STORE_H

#include "base/heap.h"
#include "names.h" /* generated: TAG_*, ATTR_*, KNOWN_NAMES */

struct node {
  u32 parent, first, last, prev, next;
  u32 word; /* name id, kind, namespace, flags: below */
  u32 a, b; /* element, DOCTYPE, PI: first attribute, number of them; text, comment: offset, length;
               fragment: host element, 0 */
};

/* node.word */
#define WORD_NAME 0x00FFFFFFu /* name id (elements, PI target) */
#define WORD_NAMESPACE 0x03000000u
#define WORD_NAMESPACE_SHIFT 24
#define WORD_KIND 0x1C000000u
#define WORD_KIND_SHIFT 26
#define WORD_STRING 0x20000000u /* text, comment: the slice lies in the string area */
#define WORD_SHARED                                                                                \
  0x20000000u /* element: the attribute block belongs to others too: copy on write */
#define WORD_GROWN 0x40000000u /* text: room up to the next power of two (32 or more) is its own */
#define WORD_SIDE 0x40000000u  /* element: has template contents or a shadow root (side table) */
#define WORD_OPEN_ROOT 0x80000000u /* fragment: shadow root with mode open */
#define WORD_SHADOW 0x20000000u    /* fragment: is a shadow root */

#define NAME_MAX_ID WORD_NAME

INLINE u32 word_name(u32 word) { return word & WORD_NAME; }
INLINE u32 word_kind(u32 word) { return (word & WORD_KIND) >> WORD_KIND_SHIFT; }
INLINE u32 word_namespace(u32 word) { return (word & WORD_NAMESPACE) >> WORD_NAMESPACE_SHIFT; }
INLINE u32 make_word(u32 kind, u32 name_space, u32 name) {
  return kind << WORD_KIND_SHIFT | name_space << WORD_NAMESPACE_SHIFT | name;
}
/* What the tree builder keeps beside a node on its stack: name and namespace of an element. */
#define WORD_IDENTITY (WORD_NAME | WORD_NAMESPACE)

typedef struct attribute {
  u32 name;   /* name id, namespace, flags: below */
  u32 source; /* offset of the name in the text, NO_SOURCE: not from there */
  u32 value, length;
} attribute;

#define ATTRIBUTE_NAMESPACE 0x03000000u
#define ATTRIBUTE_NAMESPACE_SHIFT 24
#define ATTRIBUTE_STRING 0x04000000u  /* the value lies in the string area */
#define ATTRIBUTE_MISSING 0x08000000u /* DOCTYPE blocks: this part is missing */
#define NO_SOURCE 0xFFFFFFFFu

INLINE u32 attribute_name(const attribute *a) { return a->name & WORD_NAME; }

/* A run of text of one of the two areas. */
typedef struct slice {
  u32 offset, length;
  u32 string; /* of the string area; a word, so that passing it costs no partial load */
} slice;

/* An interned name of this document. */
typedef struct name_entry {
  u32 offset, length; /* in the string area */
  u32 hash;
  u32 seen;    /* number of the last tag that had this attribute: duplicates */
  u32 last[2]; /* tree builder: last stack position in HTML / foreign content */
} name_entry;

/* Template contents and shadow roots: a hash table by element id, free slots are 0. */
typedef struct side_entry {
  u32 element, fragment;
} side_entry;

struct parser;
struct table;

struct lanner_document {
  struct node *nodes;
  /* Node 0 is none, all zero. Count includes it; capacity is what may be used, below the limit on nodes. */
  u32 node_count, node_capacity, node_allocated;
  u32 attribute_count, attribute_capacity;
  attribute *attributes;
  const byte *text; /* address of text offset 0 */
  /* The document's copy of the input, decoded in place (decode.h); NULL: the caller's is used. */
  byte *own_text;
  u32 text_length, own_text_capacity;
  byte *strings;
  u32 strings_length, strings_capacity;
  name_entry *names; /* index: name id - KNOWN_NAMES */
  u32 name_count, name_capacity;
  byte *name_slots; /* the table of names, by groups of slots: see store.c */
  u32 name_slot_count;
  u64 name_seed;
  side_entry *sides;
  u32 side_count, side_capacity;
  lanner_mode mode;
  lanner_status status; /* sticky until reset */
  u32 fragment_root;
  bool settled; /* see document_settle */
  bool edited;  /* by the functions of change.c: the tree builder then checks for cycles */
  u32 limits_struck;
  u64 limit_offset[6];
  struct heap heap;
  u32 node_limit;         /* 0: none */
  u64 fed;                /* pieces: input bytes so far */
  int phase;              /* of a parse (parse.c) */
  lanner_options options; /* of a parse in pieces */
  struct parser *parser;  /* kept for the next page */
  struct table *table;    /* the parse builds a foreign tree (tree/table.h); NULL: these nodes */
  lanner_error *errors;
  u32 error_count, error_capacity;
  u64 error_total;
  lanner_span *spans; /* by node id: start tag or whole; NULL unless asked for */
  lanner_span *end_spans;
  u32 span_capacity, span_allocated[2];
};

INLINE const byte *slice_bytes(const lanner_document *d, u32 offset, bool string) {
  return (string ? (const byte *)d->strings : d->text) + offset;
}

/* --- growth: false and status set when memory is short or a limit struck. Not COLD: gcc would take what
 * comes behind a call for rare too, and put it elsewhere, made small instead of fast --- */
static bool store_grow_nodes(lanner_document *d, u32 more);
static bool store_grow_attributes(lanner_document *d, u32 more);
static bool store_grow_strings(lanner_document *d, u32 more);

/* Makes sure that MORE nodes can be created without asking again. */
INLINE bool store_reserve_nodes(lanner_document *d, u32 more) {
  return LIKELY(d->node_capacity - d->node_count >= more) || store_grow_nodes(d, more);
}
INLINE bool store_reserve_attributes(lanner_document *d, u32 more) {
  /* One row more than is asked for: the tokenizer writes behind the last one. */
  return LIKELY(d->attribute_capacity - d->attribute_count > more) ||
         store_grow_attributes(d, more + 1);
}
/* 32 bytes beyond MORE may be overwritten by wide copies. */
INLINE bool store_reserve_strings(lanner_document *d, u32 more) {
  return LIKELY((u64)d->strings_capacity - d->strings_length >= (u64)more + 32) ||
         store_grow_strings(d, more);
}

/* A node without links; room was reserved. */
INLINE u32 store_new_node(lanner_document *d, u32 word, u32 a, u32 b) {
  u32 id = d->node_count++;
  HAS_ROOM(id, d->node_allocated);
  struct node *n = &d->nodes[id];
  memset(n, 0, 5 * sizeof(u32)); /* the links */
  n->word = word;
  n->a = a;
  n->b = b;
  return id;
}

/* CHILD (in no parent) becomes the last child of PARENT. */
INLINE void store_append(lanner_document *d, u32 parent, u32 child) {
  struct node *p = &d->nodes[parent];
  struct node *c = &d->nodes[child];
  u32 last = p->last;
  c->parent = parent;
  c->prev = last;
  p->last = child;
  if (last)
    d->nodes[last].next = child;
  else
    p->first = child;
}
static void store_insert_before(lanner_document *d, u32 parent, u32 child, u32 reference);
static void store_remove(lanner_document *d, u32 child);
static void store_move_children(lanner_document *d, u32 from, u32 to);

/* Appends text at (PARENT, before REFERENCE; 0: at the end), joining the text node just before.
 * Needs one reserved node. False: memory. */
static bool store_insert_text(lanner_document *d, u32 parent, u32 reference, slice text);

/* The fragment that belongs to a template or host, 0: none. */
static u32 store_side(const lanner_document *d, u32 element);
static bool store_add_side(lanner_document *d, u32 element, u32 fragment);

/* --- names --- */
/* Ids of a name as it is (case kept); 0: memory. */
static u32 store_intern(lanner_document *d, const byte *name, size_t length);
static lanner_string store_name(const lanner_document *d, u32 id);
INLINE lanner_string store_known_name(u32 id);

/* Memory of the table of names: a tag and an index a slot. */
#define NAME_SLOT_SIZE (1 + sizeof(u32))
/* A table of CAPACITY slots of which COUNT are used is given back rather than cleared: it came from a
 * larger page, and clearing it would cost every page that comes. */
INLINE bool store_is_sparse(u32 count, u32 capacity) {
  return capacity > 1024 && capacity / 32 > count;
}
/* No name has a slot any more. */
INLINE void store_clear_names(lanner_document *d) {
  if (store_is_sparse(d->name_count, d->name_slot_count)) {
    heap_release(&d->heap, d->name_slots, d->name_slot_count * NAME_SLOT_SIZE);
    d->name_slots = NULL;
    d->name_slot_count = 0;
  } else if (d->name_slots) {
    memset(d->name_slots, 0, d->name_slot_count * NAME_SLOT_SIZE);
  }
  d->name_count = 0;
}

/* Appends bytes to the string area and gives their offset; room was reserved. */
INLINE u32 store_put(lanner_document *d, const byte *bytes, u32 length) {
  u32 at = d->strings_length;
  memcpy(d->strings + at, bytes, length);
  d->strings_length = at + length;
  return at;
}

#endif
