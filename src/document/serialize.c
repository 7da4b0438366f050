/* serialize.c - the "HTML fragment serialization algorithm" (13.3) as of 2026: markup from a tree,
 * handed to a callback in pieces, without recursion. dump.c writes the test format.
 */
#include "document/store.h"
#include "tokenizer/skip.h"

/* Output, gathered into pieces. */
struct output {
  lanner_write write;
  void *context;
  bool stopped;
  size_t length;
  char buffer[8192];
};

static NOINLINE void output_flush(struct output *o) {
  if (o->length && !o->stopped && o->write(o->context, o->buffer, o->length)) o->stopped = true;
  o->length = 0;
}
/* Room for LENGTH bytes, and 32 more that copies by blocks may write beyond. */
INLINE char *output_room(struct output *o, size_t length) {
  if (UNLIKELY(length + 32 > sizeof o->buffer - o->length)) output_flush(o);
  return o->buffer + o->length;
}
static void put(struct output *o, const char *data, size_t length) {
  if (UNLIKELY(length > sizeof o->buffer / 2)) {
    output_flush(o);
    if (!o->stopped && o->write(o->context, data, length)) o->stopped = true;
    return;
  }
  memcpy(output_room(o, length), data, length);
  o->length += length;
}
/* Names and strings of the document, behind which 32 bytes may be read. */
INLINE void put_string(struct output *o, lanner_string s) {
  if (LIKELY(s.length - 1 < 32)) {
    memcpy(output_room(o, 32), s.data, 32);
    o->length += s.length;
  } else {
    put(o, s.data, s.length);
  }
}
INLINE void put_byte(struct output *o, char c) {
  *output_room(o, 1) = c;
  o->length++;
}
#define PUT(o, literal)                                                                            \
  do {                                                                                             \
    memcpy(output_room(o, sizeof literal - 1), literal, sizeof literal - 1);                       \
    (o)->length += sizeof literal - 1;                                                             \
  } while (0)

/* Copies one block of ESCAPE_BLOCK bytes; returns how many stand before the first that may have to be
 * escaped, ESCAPE_BLOCK: all. */
#if defined(SIMD_AVX2)
#define ESCAPE_BLOCK 32
INLINE size_t escape_block(char *to, const char *from, bool of_attribute) {
  __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)from);
  _mm256_storeu_si256((__m256i *)(void *)to, v);
  __m256i m = _mm256_or_si256(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('&')),
                              _mm256_cmpeq_epi8(v, _mm256_set1_epi8('\xC2')));
  /* '<' and '>' differ in one bit. */
  m = _mm256_or_si256(
      m, _mm256_cmpeq_epi8(_mm256_or_si256(v, _mm256_set1_epi8(2)), _mm256_set1_epi8('>')));
  if (of_attribute) m = _mm256_or_si256(m, _mm256_cmpeq_epi8(v, _mm256_set1_epi8('"')));
  unsigned bits = (unsigned)_mm256_movemask_epi8(m);
  return bits ? (size_t)__builtin_ctz(bits) : ESCAPE_BLOCK;
}
#elif defined(SIMD_SSE2)
#define ESCAPE_BLOCK 16
INLINE size_t escape_block(char *to, const char *from, bool of_attribute) {
  __m128i v = _mm_loadu_si128((const __m128i *)(const void *)from);
  _mm_storeu_si128((__m128i *)(void *)to, v);
  __m128i m =
      _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('&')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\xC2')));
  m = _mm_or_si128(m, _mm_cmpeq_epi8(_mm_or_si128(v, _mm_set1_epi8(2)), _mm_set1_epi8('>')));
  if (of_attribute) m = _mm_or_si128(m, _mm_cmpeq_epi8(v, _mm_set1_epi8('"')));
  unsigned bits = (unsigned)_mm_movemask_epi8(m);
  return bits ? (size_t)__builtin_ctz(bits) : ESCAPE_BLOCK;
}
#else
#define ESCAPE_BLOCK 8
INLINE size_t escape_block(char *to, const char *from, bool of_attribute) {
  size_t i = 0;
  for (; i < ESCAPE_BLOCK; i++) {
    char c = from[i];
    if (c == '&' || c == '<' || c == '>' || c == '\xC2' || (of_attribute && c == '"')) break;
    to[i] = c;
  }
  return i;
}
#endif

/* "Escaping a string". */
INLINE void put_escaped(struct output *o, lanner_string s, bool of_attribute) {
  const char *from = s.data, *end = s.data + s.length;
  while (from < end) {
    char *to = output_room(o, ESCAPE_BLOCK);
    size_t left = (size_t)(end - from), n = escape_block(to, from, of_attribute);
    if (n >= left) {
      o->length += left;
      return;
    }
    o->length += n;
    from += n;
    if (n == ESCAPE_BLOCK) continue;
    switch (*from++) {
    case '&': PUT(o, "&amp;"); break;
    case '<': PUT(o, "&lt;"); break;
    case '>': PUT(o, "&gt;"); break;
    case '"': PUT(o, "&quot;"); break;
    default: /* U+00A0, or another character that begins like it */
      if (from < end && *from == '\xA0') {
        PUT(o, "&nbsp;");
        from++;
      } else {
        put_byte(o, '\xC2');
      }
    }
  }
}

static u32 html_category(const struct node *n) {
  u32 name = word_name(n->word);
  if (word_kind(n->word) != LANNER_ELEMENT || word_namespace(n->word) != LANNER_HTML) return 0;
  return name < ELEMENT_NAMES ? element_category[name] : 0;
}

INLINE lanner_string name_of(const lanner_document *d, u32 name) {
  return LIKELY(name < KNOWN_NAMES) ? store_known_name(name) : store_name(d, name);
}
static void put_start_tag(struct output *o, const lanner_document *d, const struct node *n) {
  put_byte(o, '<');
  put_string(o, name_of(d, word_name(n->word)));
  for (u32 i = 0; i < n->b; i++) {
    const attribute *a = &d->attributes[n->a + i];
    put_byte(o, ' ');
    put_string(o, name_of(d, attribute_name(a)));
    PUT(o, "=\"");
    put_escaped(o, attribute_value(d, a), true);
    put_byte(o, '"');
  }
  put_byte(o, '>');
}
static void put_end_tag(struct output *o, const lanner_document *d, const struct node *n) {
  PUT(o, "</");
  put_string(o, name_of(d, word_name(n->word)));
  put_byte(o, '>');
}

static void put_text(struct output *o, const lanner_document *d, u32 id, bool scripting) {
  const struct node *n = &d->nodes[id];
  lanner_string s = slice_string(d, n->a, n->b, (n->word & WORD_STRING) != 0);
  const struct node *p = &d->nodes[n->parent];
  u32 category = html_category(p);
  if ((category & CATEGORY_RAW) ||
      (scripting && category && (p->word & WORD_IDENTITY) == TAG_NOSCRIPT))
    put_string(o, s);
  else
    put_escaped(o, s, false);
}

/* What comes before the children of node ID; text and comments are written whole. */
static void put_node(struct output *o, const lanner_document *d, u32 id, bool scripting) {
  const struct node *n = &d->nodes[id];
  switch (word_kind(n->word)) {
  case LANNER_ELEMENT: put_start_tag(o, d, n); break;
  case LANNER_TEXT: put_text(o, d, id, scripting); break;
  case LANNER_COMMENT:
    PUT(o, "<!--");
    put_string(o, lanner_data(d, id));
    PUT(o, "-->");
    break;
  case LANNER_PROCESSING_INSTRUCTION:
    PUT(o, "<?");
    put_string(o, lanner_name(d, id));
    PUT(o, " ");
    put_string(o, lanner_data(d, id));
    PUT(o, "?>");
    break;
  case LANNER_DOCTYPE:
    PUT(o, "<!DOCTYPE ");
    put_string(o, lanner_name(d, id));
    PUT(o, ">");
    break;
  default: break;
  }
}

/* The node whose children are written for ID: the contents of a template. */
static u32 content_of(const lanner_document *d, u32 id) {
  if (LIKELY(!(d->nodes[id].word & WORD_SIDE))) return id;
  u32 contents = lanner_template_contents(d, id);
  return contents ? contents : id;
}

/* The children of ROOT, in tree order: down to the first child, else on to the next sibling, else
 * up, closing elements; from a template's contents up is the template. */
static void put_children(struct output *o, const lanner_document *d, u32 root, bool scripting) {
  u32 top = content_of(d, root), id = top;
  if (html_category(&d->nodes[root]) & CATEGORY_VOID) return;
  for (bool down = true; !o->stopped;) {
    const struct node *n = &d->nodes[id];
    if (down) {
      u32 content = id == top ? id : content_of(d, id);
      u32 first = html_category(n) & CATEGORY_VOID && id != top ? 0 : d->nodes[content].first;
      if (first) {
        id = first;
        put_node(o, d, id, scripting);
        continue;
      }
      down = false;
    }
    if (id == top) return;
    if (word_kind(n->word) == LANNER_ELEMENT && !(html_category(n) & CATEGORY_VOID))
      put_end_tag(o, d, n);
    if (n->next) {
      id = n->next;
      put_node(o, d, id, scripting);
      down = true;
      continue;
    }
    id = n->parent;
    if (id != top && word_kind(d->nodes[id].word) == LANNER_FRAGMENT) id = d->nodes[id].a;
  }
}

static lanner_status serialize(const lanner_document *d, lanner_node id, bool scripting, bool outer,
                               lanner_write write, void *context) {
  struct output o;
  if (!node_at(d, id) || !write) return LANNER_ERROR_ARGUMENT;
  o.write = write;
  o.context = context;
  o.stopped = false;
  o.length = 0;
  const struct node *n = &d->nodes[id];
  if (outer) put_node(&o, d, id, scripting);
  put_children(&o, d, id, scripting);
  if (outer && word_kind(n->word) == LANNER_ELEMENT && !(html_category(n) & CATEGORY_VOID))
    put_end_tag(&o, d, n);
  output_flush(&o);
  return o.stopped ? LANNER_STOPPED : LANNER_OK;
}
lanner_status lanner_serialize_inner(const lanner_document *document, lanner_node id,
                                     bool scripting, lanner_write write, void *context) {
  return serialize(document, id, scripting, false, write, context);
}
lanner_status lanner_serialize_outer(const lanner_document *document, lanner_node id,
                                     bool scripting, lanner_write write, void *context) {
  return serialize(document, id, scripting, true, write, context);
}
