/* extract.h - the state of one extraction, shared by the files of this room.
 *
 * extract.c walks the tree and asks the others: links.c and meta.c at each element, text.c at text and
 * at the borders of elements, content.c whether an element belongs to the main content.
 */
#ifndef LANNER_EXTRACT_ROOM_H
#define LANNER_EXTRACT_ROOM_H

#include "base/base.h"
#include "document/store.h"
#include "lanner_extract.h"

/* A growing array of bytes or rows. */
typedef struct ex_buffer {
  byte *data;
  size_t length, capacity; /* bytes */
} ex_buffer;

/* Bytes of which pointers may be kept: blocks that do not move, used from the front. */
typedef struct ex_block {
  struct ex_block *next;
  size_t used, size;
} ex_block;

/* Text on its way out: what stands between the last visible byte and the next one. */
typedef struct ex_flow {
  u32 breaks;   /* line ends that the borders of blocks ask for: 1, or 2 for paragraphs */
  u32 newlines; /* br, newlines in pre */
  u32 tabs;     /* cells */
  bool space;   /* collapsed whitespace */
  bool fresh;   /* nothing is visible on this line yet: whitespace vanishes */
  bool cell;    /* nothing is visible in this cell yet: its blocks break no line */
} ex_flow;

/* The text of a link: bytes of link_text. */
typedef struct ex_range {
  size_t begin, end;
} ex_range;

typedef struct ex_open_link {
  u32 node;
  bool listed;       /* its text is wanted for LINK */
  bool ended;        /* by a link inside it */
  size_t link;       /* index in links */
  size_t begin;      /* in link_text */
  lanner_string url; /* for the text; data NULL: not wanted */
} ex_open_link;

/* Amounts in a subtree, for the main content. */
typedef struct ex_amount {
  u32 text, link_text, links;
} ex_amount;

struct lanner_extract {
  struct heap heap;
  const lanner_document *document;
  u32 flags;
  bool failed; /* memory */
  lanner_resolve resolve;
  void *resolve_context;
  ex_block *blocks; /* in use; the front one has room */
  ex_block *spare;

  u64 budget; /* bytes that links may still take; extract.c says why */
  bool cut;   /* and did not suffice */
  struct {
    u32 block, bits; /* the block's first attribute + 1 */
  } seen[256];       /* of long attribute lists, which clones share: what ex_attributes found */

  ex_buffer links;  /* lanner_link */
  ex_buffer ranges; /* ex_range, one a link */
  ex_buffer link_text;
  ex_buffer open_links; /* ex_open_link */
  bool link_space;      /* as in ex_flow, for link_text */

  lanner_meta meta;
  u32 title_node;
  ex_buffer robots, alternates, feeds, icons, open_graph, twitter, dates, json_ld;

  ex_buffer text;
  ex_buffer pieces;
  ex_flow flow;
  u32 hidden;     /* the element whose contents are not shown, 0: none */
  u32 dropped;    /* the element that is not part of the main content, 0: none */
  u32 pre;        /* open elements that keep whitespace */
  u32 exact_node; /* of the last piece: whether its bytes stand in the input, in EXACT */
  bool exact;

  ex_buffer amounts; /* ex_amount, by node id */
  ex_amount total;
  u32 gate;   /* main content: TAG_MAIN, TAG_ARTICLE or 0: whatever is in body */
  u32 inside; /* the element that opened the gate, 0: closed */
};

/* What an element means to text, by name. */
enum ex_display {
  EX_INLINE = 0,
  EX_BLOCK,
  EX_PARAGRAPH,
  EX_BREAK,
  EX_ROW,
  EX_CELL,
  EX_PRE,
  EX_IMAGE,
  EX_NONE,
};

/* Attributes that make an element a link, and those that are looked for on every element. */
enum {
  EX_HREF = 1 << 0,
  EX_SRC = 1 << 1,
  EX_SRCSET = 1 << 2,
  EX_POSTER = 1 << 3,
  EX_DATA = 1 << 4,
  EX_ACTION = 1 << 5,
  EX_CITE = 1 << 6,
  EX_LINKS = (1 << 7) - 1,
  EX_HIDDEN = 1 << 7,
  EX_MICRODATA = 1 << 8,
  EX_RDFA = 1 << 9,
  EX_ROLE = 1 << 10,
  EX_OPEN = 1 << 11,
  EX_REL = 1 << 12,
  EX_CLASS = 1 << 13,
  EX_ID = 1 << 14,
};

static bool ex_reserve(lanner_extract *x, ex_buffer *buffer, size_t more);
static void *ex_add(lanner_extract *x, ex_buffer *buffer, size_t size);
static char *ex_keep(lanner_extract *x, size_t length);
/* Takes SIZE off the budget for links. False: there is not so much left. */
static bool ex_spend(lanner_extract *x, size_t size);

/* --- reading the document --- */

INLINE lanner_string ex_value(const lanner_extract *x, const attribute *a) {
  lanner_string s = {
      (const char *)slice_bytes(x->document, a->value, (a->name & ATTRIBUTE_STRING) != 0),
      a->length};
  return s;
}

INLINE lanner_string ex_data(const lanner_extract *x, u32 id) {
  const struct node *n = &x->document->nodes[id];
  lanner_string s = {(const char *)slice_bytes(x->document, n->a, (n->word & WORD_STRING) != 0),
                     n->b};
  return s;
}

INLINE lanner_string ex_none(void) {
  lanner_string s = {NULL, 0};
  return s;
}

INLINE byte ex_lower(byte c) { return c >= 'A' && c <= 'Z' ? (byte)(c + 32) : c; }

INLINE bool ex_space(byte c) { return is_html_space(c) || c == '\r'; }

INLINE bool ex_shows(const lanner_extract *x);
/* Which of the attributes above the element N has. */
INLINE u32 ex_bits(lanner_extract *x, const struct node *n);
static bool ex_same(lanner_string s, const char *lower);
static bool ex_begins(lanner_string s, const char *lower);
static lanner_string ex_strip(lanner_string s);
/* Takes the next word, divided by whitespace, off REST. False when there is none. */
static bool ex_word(lanner_string *rest, lanner_string *word);
/* The URL of VALUE where it resolves, else VALUE stripped. */
static lanner_string ex_url(lanner_extract *x, lanner_string value);

#endif
