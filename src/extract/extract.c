/* extract.c - links, metadata and text in one walk over the tree. Part of the library's unit file;
 * includes the other files of its room. */
#include "extract/extract.h"

#include "extract/links.c"
#include "extract/meta.c"
#include "extract/text.c"
#include "extract/content.c"

/* --- memory --- */

static bool ex_reserve(lanner_extract *x, ex_buffer *buffer, size_t more) {
  if (LIKELY(buffer->data && buffer->capacity - buffer->length >= more)) return true;
  if (more > SIZE_MAX / 4 || buffer->length > SIZE_MAX / 4) {
    x->failed = true;
    return false;
  }
  size_t capacity = buffer->capacity + buffer->capacity / 2;
  if (capacity < buffer->length + more) capacity = buffer->length + more;
  if (capacity < 1024) capacity = 1024;
  void *data = heap_resize(&x->heap, buffer->data, buffer->capacity, capacity);
  if (!data) {
    x->failed = true;
    return false;
  }
  buffer->data = data;
  buffer->capacity = capacity;
  return true;
}

/* A new row at the end of BUFFER, not initialized. NULL: memory. */
static void *ex_add(lanner_extract *x, ex_buffer *buffer, size_t size) {
  if (!ex_reserve(x, buffer, size)) return NULL;
  void *row = buffer->data + buffer->length;
  buffer->length += size;
  return row;
}

static void ex_release(lanner_extract *x, ex_buffer *buffer) {
  heap_release(&x->heap, buffer->data, buffer->capacity);
  memset(buffer, 0, sizeof *buffer);
}

/* LENGTH bytes that stay where they are until the next run. NULL: memory. */
static char *ex_keep(lanner_extract *x, size_t length) {
  enum { USUAL = 1 << 14 };
  ex_block *block = x->blocks;
  if (!block || block->size - block->used < length) {
    if (x->spare && x->spare->size >= length) {
      block = x->spare;
      x->spare = block->next;
    } else {
      size_t size = length > USUAL ? length : USUAL;
      block = size > SIZE_MAX / 2 ? NULL : heap_resize(&x->heap, NULL, 0, sizeof *block + size);
      if (!block) {
        x->failed = true;
        return NULL;
      }
      block->size = size;
    }
    block->used = 0;
    block->next = x->blocks;
    x->blocks = block;
  }
  char *bytes = (char *)(block + 1) + block->used;
  block->used += length;
  return bytes;
}

static void ex_release_blocks(lanner_extract *x, ex_block **list) {
  while (*list) {
    ex_block *block = *list;
    *list = block->next;
    heap_release(&x->heap, block, sizeof *block + block->size);
  }
}

/* All buffers, for what is done to each. */
#define EX_BUFFERS(x)                                                                              \
  {                                                                                                \
    &(x)->links, &(x)->ranges, &(x)->link_text, &(x)->open_links, &(x)->robots, &(x)->alternates,  \
        &(x)->feeds, &(x)->icons, &(x)->open_graph, &(x)->twitter, &(x)->dates, &(x)->json_ld,     \
        &(x)->text, &(x)->pieces, &(x)->amounts                                                    \
  }

/* --- strings --- */

static bool ex_begins(lanner_string s, const char *lower) {
  for (size_t i = 0; lower[i]; i++)
    if (i == s.length || ex_lower((byte)s.data[i]) != (byte)lower[i]) return false;
  return true;
}

static bool ex_same(lanner_string s, const char *lower) {
  return s.length == strlen(lower) && ex_begins(s, lower);
}

static lanner_string ex_strip(lanner_string s) {
  while (s.length > 0 && ex_space((byte)s.data[0])) {
    s.data++;
    s.length--;
  }
  while (s.length > 0 && ex_space((byte)s.data[s.length - 1])) s.length--;
  return s;
}

static bool ex_word(lanner_string *rest, lanner_string *word) {
  size_t at = 0;
  while (at < rest->length && ex_space((byte)rest->data[at])) at++;
  word->data = rest->data + at;
  size_t end = at;
  while (end < rest->length && !ex_space((byte)rest->data[end])) end++;
  word->length = end - at;
  rest->data += end;
  rest->length -= end;
  return word->length > 0;
}

static lanner_string ex_url(lanner_extract *x, lanner_string value) {
  lanner_string url;
  if (x->resolve && ex_spend(x, value.length) && x->resolve(x->resolve_context, value, &url) &&
      ex_spend(x, url.length))
    return url;
  return ex_strip(value);
}

/* --- the budget ---
 *
 * One long URL can be the link of a million elements (clones of a formatting element, a long base
 * under short links), so links can take the square of the page's size. No real page comes near 16
 * times its size; where one does, its further links are left out and lanner_extract_cut says so. */

static void ex_set_budget(lanner_extract *x) {
  const u64 least = 1 << 20, most = 1 << 28;
  u64 size = (u64)x->document->text_length + x->document->strings_length;
  x->budget = least + 16 * size;
  if (x->budget > most) x->budget = most;
}

static bool ex_spend(lanner_extract *x, size_t size) {
  if (x->cut || x->budget < size) {
    x->cut = true;
    return false;
  }
  x->budget -= size;
  return true;
}

bool lanner_extract_cut(const lanner_extract *extract) { return extract && extract->cut; }

/* --- the extractor --- */

lanner_extract *lanner_extract_new(const lanner_allocator *allocator) {
  struct heap heap;
  heap_init(&heap, allocator);
  lanner_extract *x = heap_resize(&heap, NULL, 0, sizeof *x);
  if (!x) return NULL;
  memset(x, 0, sizeof *x);
  x->heap = heap;
  x->meta.refresh_seconds = -1;
  return x;
}

void lanner_extract_free(lanner_extract *extract) {
  if (!extract) return;
  ex_buffer *buffers[] = EX_BUFFERS(extract);
  for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) ex_release(extract, buffers[i]);
  ex_release_blocks(extract, &extract->blocks);
  ex_release_blocks(extract, &extract->spare);
  struct heap heap = extract->heap;
  heap_release(&heap, extract, sizeof *extract);
}

void lanner_extract_trim(lanner_extract *extract) {
  if (!extract) return;
  ex_buffer *buffers[] = EX_BUFFERS(extract);
  ex_release_blocks(extract, &extract->spare);
  for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
    if (buffers[i]->length == 0) ex_release(extract, buffers[i]);
}

size_t lanner_extract_memory(const lanner_extract *extract) {
  return extract ? extract->heap.held : 0;
}

void lanner_extract_options_init(lanner_extract_options *options) {
  if (!options) return;
  memset(options, 0, sizeof *options);
  options->size = sizeof *options;
  options->flags = LANNER_EXTRACT_LINKS | LANNER_EXTRACT_META | LANNER_EXTRACT_TEXT;
}

const lanner_link *lanner_extract_links(const lanner_extract *extract, size_t *count) {
  if (count) *count = extract ? extract->links.length / sizeof(lanner_link) : 0;
  return extract ? (const lanner_link *)(const void *)extract->links.data : NULL;
}

const lanner_meta *lanner_extract_meta(const lanner_extract *extract) {
  static const lanner_meta nothing = {.refresh_seconds = -1};
  return extract ? &extract->meta : &nothing;
}

lanner_string lanner_extract_text(const lanner_extract *extract) {
  lanner_string text = {"", 0};
  if (extract && extract->text.data) {
    text.data = (const char *)extract->text.data;
    text.length = extract->text.length;
  }
  return text;
}

const lanner_text_piece *lanner_extract_pieces(const lanner_extract *extract, size_t *count) {
  if (count) *count = extract ? extract->pieces.length / sizeof(lanner_text_piece) : 0;
  return extract ? (const lanner_text_piece *)(const void *)extract->pieces.data : NULL;
}

/* --- the base element --- */

/* ID hangs below the Document itself, shadow roots included: not in a template. */
static bool ex_in_document(const lanner_document *d, u32 id) {
  while (id > LANNER_DOCUMENT_NODE) {
    const struct node *n = &d->nodes[id];
    if (word_kind(n->word) == LANNER_FRAGMENT) return false;
    id = n->parent;
  }
  return id == LANNER_DOCUMENT_NODE;
}

bool lanner_extract_base(const lanner_document *document, lanner_string *href) {
  const lanner_document *d = document;
  u32 found = 0, word = make_word(LANNER_ELEMENT, LANNER_HTML, TAG_BASE);
  lanner_string value = {"", 0}, first = {"", 0};
  if (!d) return false;
  for (u32 id = 1; id < d->node_count; id++) {
    if ((d->nodes[id].word & (WORD_NAME | WORD_NAMESPACE | WORD_KIND)) != word) continue;
    if (!lanner_get_attribute(d, id, "href", 4, &value) || !ex_in_document(d, id)) continue;
    if (found) { /* more than one: the tree's order decides, not the ids' */
      for (id = LANNER_DOCUMENT_NODE; id; id = lanner_next(d, id, LANNER_DOCUMENT_NODE))
        if ((d->nodes[id].word & (WORD_NAME | WORD_NAMESPACE | WORD_KIND)) == word &&
            lanner_get_attribute(d, id, "href", 4, &first))
          break;
      break;
    }
    found = id;
    first = value;
  }
  if (found && href) *href = first;
  return found != 0;
}

/* --- the walk --- */

static const uint16_t ex_attribute_bits[KNOWN_NAMES] = {
    [ATTR_HREF] = EX_HREF,     [ATTR_SRC] = EX_SRC,         [ATTR_SRCSET] = EX_SRCSET,
    [ATTR_POSTER] = EX_POSTER, [ATTR_DATA] = EX_DATA,       [ATTR_ACTION] = EX_ACTION,
    [ATTR_CITE] = EX_CITE,     [ATTR_HIDDEN] = EX_HIDDEN,   [ATTR_ITEMSCOPE] = EX_MICRODATA,
    [ATTR_TYPEOF] = EX_RDFA,   [ATTR_VOCAB] = EX_RDFA,      [ATTR_OPEN] = EX_OPEN,
    [ATTR_REL] = EX_REL,       [ATTR_XLINK_HREF] = EX_HREF, [ATTR_ROLE] = EX_ROLE,
    [ATTR_CLASS] = EX_CLASS,   [ATTR_ID] = EX_ID,
};

/* Which of the interesting attributes N has. */
INLINE u32 ex_attributes(const lanner_document *d, const struct node *n) {
  const attribute *a = &d->attributes[n->a], *end = a + n->b;
  u32 bits = 0;
  for (; a < end; a++) {
    u32 name = attribute_name(a);
    if (name < KNOWN_NAMES) bits |= ex_attribute_bits[name];
  }
  return bits;
}

/* The same for long lists: clones share them, so each is looked at once. */
static NOINLINE u32 ex_long_attributes(lanner_extract *x, const struct node *n) {
  size_t slot = (n->a * UINT32_C(2654435761)) >> 24;
  if (x->seen[slot].block != n->a + 1) {
    x->seen[slot].bits = ex_attributes(x->document, n);
    x->seen[slot].block = n->a + 1;
  }
  return x->seen[slot].bits;
}

INLINE u32 ex_bits(lanner_extract *x, const struct node *n) {
  enum { EX_LONG = 16 };
  if (UNLIKELY(n->b > EX_LONG)) return ex_long_attributes(x, n);
  return n->b ? ex_attributes(x->document, n) : 0;
}

/* The border of such an element divides words. */
INLINE bool ex_divides(enum ex_display display) {
  return display != EX_INLINE && display != EX_NONE && display != EX_IMAGE;
}

static enum ex_display ex_display_of(u32 word) {
  u32 name = word_name(word);
  if (word_namespace(word) != LANNER_HTML) return ex_foreign_display(name);
  return name < ELEMENT_NAMES ? (enum ex_display)ex_displays[name] : EX_INLINE;
}

/* hidden, unless it only waits for being found; dialog, unless open. */
static bool ex_is_hidden(const lanner_extract *x, u32 id, u32 name, u32 bits) {
  if (name == TAG_DIALOG && !(bits & EX_OPEN)) return true;
  if (!(bits & EX_HIDDEN)) return false;
  return !ex_same(ex_strip(ex_attribute(x, id, ATTR_HIDDEN)), "until-found");
}

/* An SVG element whose href is a link: any but those that have their names, and so perhaps an href,
 * from HTML, where they mean something else (base, link, area). math is the last of HTML's names. */
INLINE bool ex_is_svg_link(u32 word) {
  u32 name = word_name(word);
  return word_namespace(word) == LANNER_SVG &&
         (name > TAG_MATH || name == TAG_A || name == TAG_IMAGE || name == TAG_SCRIPT);
}

/* Links and link text of an element. */
static void ex_links_at(lanner_extract *x, u32 id, u32 word, u32 bits) {
  u32 name = word_name(word);
  size_t link = 0;
  bool html = word_namespace(word) == LANNER_HTML;
  u32 wanted = html ? (name < ELEMENT_NAMES ? ex_link_elements[name] & bits : 0)
                    : (ex_is_svg_link(word) ? bits & EX_HREF : 0);
  if (html && name == TAG_INPUT && wanted && !ex_same(ex_attribute(x, id, ATTR_TYPE), "image"))
    wanted = 0;
  if (!wanted) return;
  if (x->cut) return;
  lanner_string rel = bits & EX_REL ? ex_attribute(x, id, ATTR_REL) : ex_none();
  if (x->flags & LANNER_EXTRACT_LINKS)
    link = html ? ex_element_links(x, id, wanted, rel) : ex_svg_links(x, id);
  if (name == TAG_AREA && link && (x->flags & LANNER_EXTRACT_LINK_TEXT)) {
    lanner_string alt = ex_attribute(x, id, ATTR_ALT);
    ex_open_link_text(x, id, link, ex_none());
    if (alt.data) ex_link_text(x, alt);
    ex_close_link_text(x);
  }
  if (name != TAG_A || !(wanted & EX_HREF)) return;
  lanner_string url = ex_none();
  if (x->flags & LANNER_EXTRACT_INLINE_LINKS) {
    lanner_string value = ex_attribute(x, id, ATTR_HREF);
    if (value.data && value.length > 0 && value.data[0] != '#' && !ex_begins(value, "javascript:"))
      url = ex_url(x, value);
  }
  if ((x->flags & LANNER_EXTRACT_LINK_TEXT) || url.data) ex_open_link_text(x, id, link, url);
}

/* Text goes where it can be seen. */
INLINE bool ex_shows(const lanner_extract *x) {
  if (!(x->flags & LANNER_EXTRACT_TEXT) || x->hidden || x->dropped) return false;
  return !(x->flags & LANNER_EXTRACT_MAIN) || x->inside;
}

/* The text state at the start of an element. */
static void ex_text_at(lanner_extract *x, u32 id, u32 word, u32 bits, enum ex_display display) {
  if (x->dropped) return;
  if (x->flags & LANNER_EXTRACT_MAIN && word_namespace(word) == LANNER_HTML) {
    if (!x->inside && ex_opens_gate(x, id, bits)) x->inside = id;
    if (x->inside && ex_is_boilerplate(x, id, word_name(word), bits)) {
      x->dropped = id;
      ex_border(x, 1);
      return;
    }
  }
  if (display != EX_INLINE) ex_enter_text(x, id, display);
}

static void ex_enter(lanner_extract *x, u32 id) {
  const lanner_document *d = x->document;
  const struct node *n = &d->nodes[id];
  u32 word = n->word, name = word_name(word);
  u32 bits = ex_bits(x, n);
  enum ex_display display = ex_display_of(word);
  if (bits & EX_MICRODATA) x->meta.microdata = true;
  if (bits & EX_RDFA) x->meta.rdfa = true;
  if ((bits & EX_LINKS) && (x->flags & (LANNER_EXTRACT_LINKS | LANNER_EXTRACT_INLINE_LINKS)))
    ex_links_at(x, id, word, bits);
  if (word_namespace(word) == LANNER_HTML) {
    if (name == TAG_META)
      ex_meta_element(x, id);
    else if (x->flags & LANNER_EXTRACT_META)
      ex_meta_at(x, id, name);
  }
  if (x->open_links.length && ex_divides(display)) x->link_space = true;
  if (x->hidden) return;
  if (display == EX_NONE ||
      (word_namespace(word) == LANNER_HTML && ((bits & EX_HIDDEN) || name == TAG_DIALOG) &&
       ex_is_hidden(x, id, name, bits))) {
    x->hidden = id;
    return;
  }
  if (x->open_links.length && display == EX_IMAGE && (x->flags & LANNER_EXTRACT_ALT)) {
    lanner_string alt = ex_attribute(x, id, ATTR_ALT);
    if (alt.data) ex_link_text(x, alt);
  }
  if (x->flags & LANNER_EXTRACT_TEXT) ex_text_at(x, id, word, bits, display);
}

/* The URL behind an inline link. */
static void ex_show_url(lanner_extract *x, lanner_string url) {
  static const lanner_string open = {"(", 1}, close = {")", 1};
  x->flow.space = true;
  ex_show(x, 0, open);
  ex_show(x, 0, url);
  ex_show(x, 0, close);
}

static void ex_leave(lanner_extract *x, u32 id) {
  u32 word = x->document->nodes[id].word;
  enum ex_display display = ex_display_of(word);
  if (x->open_links.length) {
    const ex_open_link *top = ex_innermost(x);
    if (ex_divides(display)) x->link_space = true;
    if (top->node == id) {
      lanner_string url = top->url;
      ex_close_link_text(x);
      if (url.data && ex_shows(x)) ex_show_url(x, url);
    }
  }
  if (x->hidden) {
    if (x->hidden == id) x->hidden = 0;
    return;
  }
  if (!(x->flags & LANNER_EXTRACT_TEXT)) return;
  if (x->dropped) {
    if (x->dropped == id) x->dropped = 0;
    return;
  }
  if (display != EX_INLINE) ex_leave_text(x, display);
  if (x->inside == id) x->inside = 0;
}

static void ex_text_node(lanner_extract *x, u32 id) {
  if (x->open_links.length && !x->hidden) ex_link_text(x, ex_data(x, id));
  if (ex_shows(x)) ex_show_text(x, id);
}

/* Visits the subtree of ROOT in tree order; a shadow root comes before its host's children. */
static void ex_walk(lanner_extract *x, u32 root) {
  const lanner_document *d = x->document;
  const struct node *nodes = d->nodes;
  u32 id = root;
  for (;;) {
    const struct node *n = &nodes[id];
    u32 kind = word_kind(n->word), down = n->first;
    if (kind == LANNER_TEXT) {
      ex_text_node(x, id);
    } else if (kind == LANNER_ELEMENT) {
      ex_enter(x, id);
      if (UNLIKELY(n->word & WORD_SIDE)) {
        u32 fragment = store_side(d, id);
        if (fragment && (nodes[fragment].word & WORD_SHADOW) && nodes[fragment].first)
          down = nodes[fragment].first;
      }
    }
    if (x->failed) return;
    if (down) {
      id = down;
      continue;
    }
    for (;;) {
      n = &nodes[id];
      kind = word_kind(n->word);
      if (kind == LANNER_FRAGMENT && id != root) { /* a shadow root: its host's children */
        id = n->a;
        if (nodes[id].first) {
          id = nodes[id].first;
          break;
        }
        n = &nodes[id];
        kind = LANNER_ELEMENT;
      }
      if (kind == LANNER_ELEMENT) ex_leave(x, id);
      if (id == root) return;
      if (n->next) {
        id = n->next;
        break;
      }
      id = n->parent;
    }
  }
}

/* --- a run --- */

static void ex_clear(lanner_extract *x) {
  ex_buffer *buffers[] = EX_BUFFERS(x);
  for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) buffers[i]->length = 0;
  while (x->blocks) {
    ex_block *block = x->blocks;
    x->blocks = block->next;
    block->next = x->spare;
    x->spare = block;
  }
  clear(&x->meta, sizeof x->meta);
  x->meta.refresh_seconds = -1;
  clear(&x->flow, sizeof x->flow);
  x->flow.fresh = true;
  x->failed = x->link_space = x->cut = false;
  clear(x->seen, sizeof x->seen);
  x->title_node = x->exact_node = x->hidden = x->dropped = x->pre = x->gate = x->inside = 0;
}

/* Now that the lists do not move any more. */
static void ex_set_lists(lanner_extract *x) {
  lanner_meta *m = &x->meta;
#define EX_SET_LIST(field, count, buffer)                                                          \
  m->field = (const void *)x->buffer.data;                                                         \
  m->count = x->buffer.length / sizeof *m->field
  EX_SET_LIST(robots, robots_count, robots);
  EX_SET_LIST(alternates, alternate_count, alternates);
  EX_SET_LIST(feeds, feed_count, feeds);
  EX_SET_LIST(icons, icon_count, icons);
  EX_SET_LIST(open_graph, open_graph_count, open_graph);
  EX_SET_LIST(twitter, twitter_count, twitter);
  EX_SET_LIST(dates, date_count, dates);
  EX_SET_LIST(json_ld, json_ld_count, json_ld);
#undef EX_SET_LIST
}

lanner_status lanner_extract_run(lanner_extract *extract, const lanner_document *document,
                                 const lanner_extract_options *options) {
  lanner_extract *x = extract;
  lanner_extract_options defaults;
  if (!x || !document) return LANNER_ERROR_ARGUMENT;
  if (!options) {
    lanner_extract_options_init(&defaults);
    options = &defaults;
  }
  const u32 known = 2 * (u32)LANNER_EXTRACT_INLINE_LINKS - 1;
  if (options->size != sizeof *options || options->flags & ~known) return LANNER_ERROR_ARGUMENT;
  ex_clear(x);
  x->document = document;
  x->flags = options->flags;
  x->resolve = options->resolve;
  x->resolve_context = options->resolve_context;
  ex_set_budget(x);
  u32 root = document->fragment_root ? document->fragment_root : LANNER_DOCUMENT_NODE;
  if ((x->flags & LANNER_EXTRACT_MAIN) && (x->flags & LANNER_EXTRACT_TEXT)) {
    if (!ex_measure(x, root)) return LANNER_ERROR_MEMORY;
    ex_choose_gate(x);
    if (document->fragment_root && !x->gate) x->inside = root;
  }
  ex_walk(x, root);
  if ((x->flags & LANNER_EXTRACT_META) && lanner_extract_base(document, &x->meta.base))
    x->meta.base = ex_strip(x->meta.base);
  ex_set_lists(x);
  ex_set_link_texts(x);
  x->document = NULL;
  return x->failed ? LANNER_ERROR_MEMORY : LANNER_OK;
}
