/* ops_document.h - operations of the tree builder on Lanner's own document, inlined. Other
 * operations headers (ops_table.h: somebody else's tree, ops_null.h: no tree at all) give the same
 * functions. The tree builder asks
 * nothing else of a tree. Nodes are numbers, 0 is none; room for new nodes was reserved
 * (op_reserve). Included once an instance; document/store.h does the work.
 */

/* 1: text and attributes of tokens stay where they are as long as the document lives. */
#undef OPS_KEEP_TEXT
#define OPS_KEEP_TEXT 1

INLINE bool FN(op_reserve)(struct parser *P, u32 nodes) {
  return store_reserve_nodes(P->document, nodes);
}
/* How many nodes were made so far, and how many more can be without asking. */
INLINE u32 FN(op_made)(const struct parser *P) { return P->document->node_count; }
INLINE u32 FN(op_room)(const struct parser *P) {
  return P->document->node_capacity - P->document->node_count;
}
/* There are so many that the next token strikes the limit. */
INLINE bool FN(op_at_limit)(const struct parser *P) {
  const lanner_document *d = P->document;
  return d->node_limit && d->node_count - 2 >= d->node_limit;
}
/* The Document, in whole pages. */
INLINE u32 FN(op_document)(struct parser *P) {
  (void)P;
  return LANNER_DOCUMENT_NODE;
}

/* --- source spans, as offsets into the text --- */
#if CHECKED
static COLD void FN(note_span)(lanner_span *spans, u32 count, u32 id, u32 start, u32 end) {
  if (spans && id < count) spans[id] = (lanner_span){start, end};
}
#endif
/* A node made from the token, a tag or a comment. */
INLINE void FN(op_note_source)(struct parser *P, u32 id) {
#if CHECKED
  lanner_document *d = P->document;
  FN(note_span)(d->spans, d->span_capacity, id, P->token.start, (u32)(P->cursor - P->base));
#else
  (void)P;
  (void)id;
#endif
}
/* The end tag in hand closes this element. */
INLINE void FN(op_note_end)(struct parser *P, u32 id) {
#if CHECKED
  lanner_document *d = P->document;
  if (word_kind(d->nodes[id].word) == LANNER_FRAGMENT) id = d->nodes[id].a; /* template */
  FN(note_span)(d->end_spans, d->span_capacity, id, P->token.start, (u32)(P->cursor - P->base));
#else
  (void)P;
  (void)id;
#endif
}
/* A text node begins with this run. */
INLINE void FN(note_text)(struct parser *P, u32 id, slice s) {
#if CHECKED
  lanner_document *d = P->document;
  u32 start = s.string ? P->token.start : s.offset;
  u32 end = s.string ? P->tree->source_end : s.offset + s.length;
  FN(note_span)(d->spans, d->span_capacity, id, start, end);
#else
  (void)P;
  (void)id;
  (void)s;
#endif
}

INLINE u32 FN(op_create_element)(struct parser *P, u32 space, u32 name, u32 first, u32 count,
                                 bool shared) {
  u32 word = make_word(LANNER_ELEMENT, space, name);
  if (shared) word |= WORD_SHARED;
  return store_new_node(P->document, word, first, count);
}

/* The fragment of a template's contents, or of a shadow root (WORD_SHADOW, WORD_OPEN_ROOT). */
static COLD u32 FN(op_create_contents)(struct parser *P, u32 element, u32 flags) {
  lanner_document *d = P->document;
  u32 fragment = store_new_node(d, make_word(LANNER_FRAGMENT, 0, 0) | flags, element, 0);
  if (!store_add_side(d, element, fragment)) P->stop = (uint8_t)d->status;
  return fragment;
}
static NOINLINE u32 FN(op_create_fragment)(struct parser *P) {
  return store_new_node(P->document, make_word(LANNER_FRAGMENT, 0, 0), 0, 0);
}

/* Comment of the token's data. */
INLINE u32 FN(op_create_comment)(struct parser *P) {
  slice s = P->token.data;
  u32 word = make_word(LANNER_COMMENT, 0, 0) | (s.string ? WORD_STRING : 0);
  return store_new_node(P->document, word, s.offset, s.length);
}

INLINE u32 FN(data_attribute)(lanner_document *d, slice s, bool missing) {
  u32 index = d->attribute_count++;
  d->attributes[index] =
      (attribute){(s.string ? ATTRIBUTE_STRING : 0) | (missing ? ATTRIBUTE_MISSING : 0), NO_SOURCE,
                  s.offset, s.length};
  return index;
}

/* Processing instructions: the target is the name, the data the value of the one attribute. */
static COLD u32 FN(op_create_pi)(struct parser *P) {
  lanner_document *d = P->document;
  if (!store_reserve_attributes(d, 1)) {
    P->stop = (uint8_t)d->status;
    return 0;
  }
  u32 first = FN(data_attribute)(d, P->token.data, false);
  return store_new_node(d, make_word(LANNER_PROCESSING_INSTRUCTION, 0, P->token.name), first, 1);
}

/* DOCTYPE: three attributes, name, public and system identifier. */
static NOINLINE u32 FN(op_create_doctype)(struct parser *P) {
  lanner_document *d = P->document;
  const struct token *t = &P->token;
  if (!store_reserve_attributes(d, 3)) {
    P->stop = (uint8_t)d->status;
    return 0;
  }
  u32 first = FN(data_attribute)(d, t->doctype_name, !t->has_name);
  FN(data_attribute)(d, t->public_id, !t->has_public);
  FN(data_attribute)(d, t->system_id, !t->has_system);
  return store_new_node(d, make_word(LANNER_DOCTYPE, 0, 0), first, 3);
}

INLINE void FN(op_append)(struct parser *P, u32 parent, u32 child) {
  store_append(P->document, parent, child);
}
INLINE void FN(op_insert)(struct parser *P, u32 parent, u32 child, u32 reference) {
  store_insert_before(P->document, parent, child, reference);
}
INLINE void FN(op_remove)(struct parser *P, u32 child) { store_remove(P->document, child); }
INLINE u32 FN(op_parent)(struct parser *P, u32 id) { return P->document->nodes[id].parent; }
INLINE void FN(op_move_children)(struct parser *P, u32 from, u32 to) {
  store_move_children(P->document, from, to);
}

/* Where children of NODE go: a template's contents. */
static COLD u32 FN(op_contents)(struct parser *P, u32 id) {
  lanner_document *d = P->document;
  u32 word = d->nodes[id].word;
  if (word_kind(word) != LANNER_ELEMENT || (word & WORD_IDENTITY) != TAG_TEMPLATE) return id;
  u32 fragment = store_side(d, id);
  return fragment ? fragment : id;
}

/* One level up from where the current node's children go, as far as there is one: templates count
 * as their contents' parents, shadow roots have none. */
static COLD u32 FN(op_level_above)(struct parser *P, u32 place) {
  lanner_document *d = P->document;
  u32 id = place;
  if (word_kind(d->nodes[id].word) == LANNER_FRAGMENT) {
    if (d->nodes[id].word & WORD_SHADOW) return place;
    id = d->nodes[id].a;
  }
  u32 parent = id ? d->nodes[id].parent : 0;
  return parent ? parent : place;
}

/* Whether NODE is ANCESTOR or inside of it, templates and shadow hosts counting as parents. Only
 * needed when somebody else changed the tree. */
static COLD bool FN(op_is_inside)(struct parser *P, u32 id, u32 ancestor) {
  const lanner_document *d = P->document;
  while (id) {
    if (id == ancestor) return true;
    const struct node *n = &d->nodes[id];
    id = word_kind(n->word) == LANNER_FRAGMENT ? n->a : n->parent;
  }
  return false;
}

/* A new text node at the end of PARENT; false: a text node is there already. */
INLINE bool FN(op_append_text)(struct parser *P, u32 parent, slice text) {
  lanner_document *d = P->document;
  u32 before = d->nodes[parent].last;
  if (UNLIKELY(word_kind(d->nodes[before].word) == LANNER_TEXT)) return false;
  u32 id = store_new_node(d, make_word(LANNER_TEXT, 0, 0) | (text.string ? WORD_STRING : 0),
                          text.offset, text.length);
  FN(note_text)(P, id, text);
  store_append(d, parent, id);
  return true;
}
/* Joins the text node before REFERENCE (0: the last child of PARENT), or makes a new one. */
INLINE void FN(op_insert_text)(struct parser *P, u32 parent, u32 reference, slice text) {
  lanner_document *d = P->document;
  if (LIKELY(!reference && FN(op_append_text)(P, parent, text))) return;
#if CHECKED
  u32 count = d->node_count;
#endif
  if (UNLIKELY(!store_insert_text(d, parent, reference, text))) P->stop = (uint8_t)d->status;
#if CHECKED
  if (d->node_count > count) FN(note_text)(P, count, text);
#endif
}
INLINE bool FN(op_is_document)(struct parser *P, u32 id) {
  (void)P;
  return id == LANNER_DOCUMENT_NODE;
}

INLINE void FN(op_set_mode)(struct parser *P, lanner_mode mode) { P->document->mode = mode; }
INLINE lanner_mode FN(op_mode)(struct parser *P) { return P->document->mode; }

/* The token's attributes are of no use. */
INLINE void FN(op_drop_attributes)(struct parser *P) {
  lanner_document *d = P->document;
  if (d->attribute_count == P->token.attribute_first + P->token.attribute_count)
    d->attribute_count = P->token.attribute_first;
}

/* The fragment that a fragment is parsed into. */
static NOINLINE void FN(op_set_root)(struct parser *P, u32 root) {
  P->document->fragment_root = root;
}

/* Somebody else may have changed the tree since the parse began. */
INLINE bool FN(op_was_changed)(struct parser *P) { return P->document->edited; }

#include "tree/attributes.h"

/* --- selectedcontent --- */
static NOINLINE void FN(op_option_popped)(struct parser *P, u32 id) {
  struct tree *T = P->tree;
  if (T->choice_count && !option_popped(T, P->document, id)) stop_for_memory(P);
}
static COLD void FN(op_selectedcontent)(struct parser *P) {
  if (!selectedcontent_inserted(P->tree, P->document)) stop_for_memory(P);
}

/* "Attach a shadow root" for the template tag in hand; false: it is an ordinary one. */
static COLD bool FN(op_attach_shadow)(struct parser *P) {
  struct tree *T = P->tree;
  lanner_document *d = P->document;
  bool open;
  u32 host = current_node(T);
  if (!wants_shadow(P, &open) || (d->nodes[host].word & WORD_SIDE)) return false;
  u32 root = FN(op_create_contents)(P, host, WORD_SHADOW | (open ? WORD_OPEN_ROOT : 0));
  stack_push(T, d, root, TAG_TEMPLATE, category_of(TAG_TEMPLATE));
  FN(op_drop_attributes)(P);
  return true;
}

/* --- patches --- */
INLINE void FN(op_note_marker)(struct parser *P, u32 id, bool usual) { note_marker(P, id, usual); }
INLINE void FN(op_place_in_patch)(struct parser *P, u32 position, u32 *parent, u32 *reference) {
  place_in_patch(P, position, parent, reference);
}
static COLD bool FN(op_begin_patch)(struct parser *P, u32 scope, bool in_body) {
  if (!begin_patch(P, scope, in_body)) return false;
  FN(op_drop_attributes)(P);
  return true;
}
INLINE void FN(op_end_patch)(struct parser *P) { end_patch(P); }
