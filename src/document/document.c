/* document.c - the life of a document: new, reset, trim, free, and what it says about its memory. */
#include "document/store.h"
#include "tokenizer/parser.h"

static void parser_init(struct parser *P, lanner_document *d);
static void parser_release(struct parser *P);

/* lanner_document.phase */
enum { PARSE_IDLE, PARSE_FEEDING, PARSE_DONE };

/* A seed for the hash of names: differs by document, process and time of creation. It needs not be
 * secret from the program, only from the pages it reads. */
static u64 fresh_seed(const void *where) {
  static const char anchor = 0;
  u64 h = (u64)(uintptr_t)where * UINT64_C(0x9E3779B97F4A7C15);
  h ^= (u64)(uintptr_t)&anchor;
#if defined(__GNUC__)
  h ^= (u64)(uintptr_t)__builtin_frame_address(0) << 17;
#endif
  h *= UINT64_C(0xD6E8FEB86659FD93);
  return h ^ h >> 32;
}

static void document_init(lanner_document *d, const lanner_allocator *allocator) {
  clear(d, sizeof *d);
  heap_init(&d->heap, allocator);
  d->name_seed = fresh_seed(d);
}

/* Room for the Document node and one attribute row, so that a parse can begin. */
static bool document_ready(lanner_document *d) {
  if (!store_reserve_nodes(d, 2) || !store_reserve_attributes(d, 1)) return false;
  memset(&d->nodes[0], 0, sizeof d->nodes[0]);
  d->node_count = 1;
  store_new_node(d, make_word(LANNER_DOCUMENT, 0, 0), 0, 0);
  return true;
}

static void document_clear(lanner_document *d) {
  if (d->span_capacity) { /* the rest was never written */
    u32 rows = d->node_count < d->span_capacity ? d->node_count : d->span_capacity;
    memset(d->spans, 0, rows * sizeof *d->spans);
    memset(d->end_spans, 0, rows * sizeof *d->end_spans);
  }
  d->node_count = 0;
  d->node_limit = 0;
  d->heap.limit = 0;
  store_set_node_capacity(d);
  d->attribute_count = 0;
  d->text = NULL;
  d->text_length = 0;
  d->strings_length = 0;
  if (d->name_count) store_clear_names(d);
  if (d->side_capacity > 1024) { /* clearing it would cost every page */
    heap_release(&d->heap, d->sides, d->side_capacity * sizeof *d->sides);
    d->sides = NULL;
    d->side_capacity = 0;
  } else if (d->side_count) {
    memset(d->sides, 0, d->side_capacity * sizeof *d->sides);
  }
  d->side_count = 0;
  d->mode = LANNER_NO_QUIRKS;
  d->status = LANNER_OK;
  d->fragment_root = 0;
  d->edited = false;
  d->limits_struck = 0;
  d->error_count = 0;
  d->error_total = 0;
  d->fed = 0;
  d->phase = 0;
}

static void document_release(lanner_document *d) {
  struct heap *h = &d->heap;
  if (d->parser) {
    parser_release(d->parser);
    heap_release(h, d->parser, sizeof *d->parser);
  }
  heap_release(h, d->nodes, d->node_allocated * sizeof *d->nodes);
  heap_release(h, d->attributes, d->attribute_capacity * sizeof *d->attributes);
  heap_release(h, d->own_text, d->own_text_capacity);
  heap_release(h, d->strings, d->strings_capacity);
  heap_release(h, d->names, d->name_capacity * sizeof *d->names);
  heap_release(h, d->name_slots, d->name_slot_count * NAME_SLOT_SIZE);
  heap_release(h, d->sides, d->side_capacity * sizeof *d->sides);
  heap_release(h, d->errors, d->error_capacity * sizeof *d->errors);
  store_release_spans(d);
}

/* A new document is one block: document, parser and tree builder with their first arrays, laid out by
 * the compiler, so that nothing is asked for one by one. The nodes come last: they, or whatever is wanted
 * first, get the rest. It is what most pages of 1 KB need. */
#define DOCUMENT_SLAB 22528
struct slab {
  lanner_document document;
  struct parser parser;
  struct tree tree;
  slice pending[16];
  byte template_modes[16];
  struct formatting formats[104]; /* as far as the stack: see reserve_more */
  struct open_element stack[128];
  attribute attributes[48];
  struct node nodes[128];
};
_Static_assert(sizeof(struct slab) <= DOCUMENT_SLAB, "the first arrays are too large");
#define ROWS(array) ((u32)(sizeof(array) / sizeof *(array)))

/* The tree builder with its first arrays. */
static void slab_tree(struct slab *s) {
  struct tree *T = &s->tree;
  tree_init(T);
  T->pending = s->pending;
  T->pending_capacity = ROWS(s->pending);
  T->template_modes = s->template_modes;
  T->template_mode_capacity = ROWS(s->template_modes);
  T->formats = s->formats;
  T->format_capacity = ROWS(s->formats);
  T->stack = s->stack;
  T->capacity = ROWS(s->stack);
  stack_init(T);
  s->parser.tree = T;
}

lanner_document *lanner_document_new(const lanner_allocator *allocator) {
  struct heap heap;
  struct slab *s;
  heap_init(&heap, allocator);
  s = heap.allocator.reallocate(heap.allocator.context, NULL, 0, DOCUMENT_SLAB);
  if (!s) return NULL;
  lanner_document *d = &s->document;
  document_init(d, allocator);
  d->heap.held = d->heap.peak = d->heap.slab_size = DOCUMENT_SLAB;
  d->heap.slab = (byte *)s;
  d->heap.slab_used = sizeof *s;
  d->heap.slab_fixed = offsetof(struct slab, attributes);
  d->nodes = s->nodes;
  d->node_allocated = ROWS(s->nodes);
  store_set_node_capacity(d);
  d->attributes = s->attributes;
  d->attribute_capacity = ROWS(s->attributes);
  document_ready(d);
  parser_init(&s->parser, d);
  slab_tree(s);
  return d;
}

void lanner_document_free(lanner_document *document) {
  if (!document) return;
  struct heap heap = document->heap;
  if (heap.held > heap.slab_size) document_release(document); /* else all lies in the slab */
  heap.allocator.release(heap.allocator.context, document, DOCUMENT_SLAB);
}

void lanner_document_reset(lanner_document *document) {
  if (!document) return;
  document_clear(document);
  store_release_spans(document);
  document_ready(document); /* the room is there: it was there when the document was made */
}

lanner_memory lanner_document_memory(const lanner_document *document) {
  const lanner_document *d = document;
  lanner_memory m = {0, 0, 0, 0};
  if (!d) return m;
  m.held = d->heap.held;
  m.peak = d->heap.peak;
  m.text = d->own_text_capacity;
  m.used = sizeof *d + d->node_count * sizeof *d->nodes +
           d->attribute_count * sizeof *d->attributes + d->strings_length +
           d->name_count * sizeof *d->names + d->name_slot_count * NAME_SLOT_SIZE +
           d->side_count * sizeof *d->sides + d->error_count * sizeof *d->errors +
           (d->own_text && d->text == d->own_text ? d->text_length : 0);
  return m;
}

/* Shrinks one array; when the allocator will not, it stays as it is. */
static void trim(lanner_document *d, void *rows_pointer, size_t row, u32 count, u32 *capacity) {
  void *rows, *p;
  memcpy(&rows, rows_pointer, sizeof rows);
  if (!rows || count >= *capacity) return;
  p = heap_resize(&d->heap, rows, *capacity * row, count * row);
  if (!p) return;
  memcpy(rows_pointer, &p, sizeof p);
  *capacity = count;
}

/* What the first page of a document foresaw in vain is given back where it is much: most documents live
 * for one page. From the second page on room is kept for the next. */
static void document_settle(lanner_document *d) {
  const size_t much = 32768;
  if (d->settled) return;
  d->settled = true;
  if ((d->node_allocated - d->node_count) * sizeof *d->nodes > much) {
    trim(d, &d->nodes, sizeof *d->nodes, d->node_count + 64, &d->node_allocated);
    store_set_node_capacity(d);
  }
  if ((d->attribute_capacity - d->attribute_count) * sizeof *d->attributes > much)
    trim(d, &d->attributes, sizeof *d->attributes, d->attribute_count + 64, &d->attribute_capacity);
  if (d->strings_capacity - d->strings_length > much)
    trim(d, &d->strings, 1, d->strings_length + 512, &d->strings_capacity);
}

void lanner_document_trim(lanner_document *document) {
  lanner_document *d = document;
  struct heap *h;
  if (!d || d->phase == PARSE_FEEDING) return; /* a parse in pieces needs what it has */
  h = &d->heap;
  trim(d, &d->nodes, sizeof *d->nodes, d->node_count < 2 ? 2 : d->node_count, &d->node_allocated);
  store_set_node_capacity(d);
  /* What document_ready needs stays, so that a reset cannot fail. */
  trim(d, &d->attributes, sizeof *d->attributes, d->attribute_count ? d->attribute_count + 1 : 2,
       &d->attribute_capacity);
  trim(d, &d->strings, 1, d->strings_length + 32, &d->strings_capacity);
  trim(d, &d->errors, sizeof *d->errors, d->error_count + 1, &d->error_capacity);
  if (d->own_text && (!d->text_length || d->text != d->own_text)) {
    heap_release(h, d->own_text, d->own_text_capacity);
    if (d->text == d->own_text) d->text = NULL;
    d->own_text = NULL;
    d->own_text_capacity = 0;
  }
  if (d->node_count <= 2) {
    /* An empty document: nothing refers to names, template contents, spans. */
    heap_release(h, d->names, d->name_capacity * sizeof *d->names);
    heap_release(h, d->name_slots, d->name_slot_count * NAME_SLOT_SIZE);
    heap_release(h, d->sides, d->side_capacity * sizeof *d->sides);
    d->names = NULL;
    d->name_slots = NULL;
    d->sides = NULL;
    d->name_count = d->name_capacity = d->name_slot_count = d->side_count = d->side_capacity = 0;
    store_release_spans(d);
    if (d->parser) parser_release(d->parser);
  } else if (d->parser) {
    tree_release(d->parser); /* the rest of the parser maps offsets of this page */
  }
  if (h->slab) slab_tree((struct slab *)(void *)h->slab); /* what lies there cannot be given back */
}
