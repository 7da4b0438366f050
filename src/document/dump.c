/* dump.c - a tree in the format of the html5lib and WPT tree construction tests: a line a node,
 * two spaces a level, attributes sorted, template contents and shadow roots below a line of their
 * own. After serialize.c, whose output it uses.
 */
#include "document/store.h"

static void put_level(struct output *o, u32 level) {
  static const char spaces[] = "                                                                ";
  PUT(o, "| ");
  for (size_t left = 2 * (size_t)level; left;) {
    size_t some = left < sizeof spaces - 1 ? left : sizeof spaces - 1;
    put(o, spaces, some);
    left -= some;
  }
}

/* --- attributes --- */

static const char *prefix_of(const attribute *a) {
  static const char *const prefixes[] = {"", "xlink ", "xml ", "xmlns "};
  return prefixes[(a->name & ATTRIBUTE_NAMESPACE) >> ATTRIBUTE_NAMESPACE_SHIFT];
}
static lanner_string local_name(const lanner_document *d, const attribute *a) {
  lanner_string s = store_name(d, attribute_name(a));
  if (!(a->name & ATTRIBUTE_NAMESPACE)) return s;
  const char *colon = memchr(s.data, ':', s.length);
  if (colon) {
    s.length -= (size_t)(colon + 1 - s.data);
    s.data = colon + 1;
  }
  return s;
}
/* Byte I of a name as the format shows it, "xlink href"; 0 behind the end. In the order of UTF-16
 * code units characters beyond U+FFFF come before those from U+E000 on. */
static u32 shown_byte(const char *prefix, size_t length, lanner_string local, size_t i) {
  if (i < length) return (byte)prefix[i];
  if (i - length >= local.length) return 0;
  byte b = (byte)local.data[i - length];
  return b >= 0xF0 ? b : b >= 0xEE ? b + 0x10u : b;
}
static bool comes_before(const lanner_document *d, const attribute *a, const attribute *b) {
  const char *p = prefix_of(a), *q = prefix_of(b);
  size_t m = strlen(p), n = strlen(q);
  lanner_string s = local_name(d, a), t = local_name(d, b);
  for (size_t i = 0;; i++) {
    u32 x = shown_byte(p, m, s, i), y = shown_byte(q, n, t, i);
    if (x != y) return x < y;
    if (x == 0 && i >= m + s.length) return false;
  }
}
static void sift(const lanner_document *d, const struct node *n, u32 *order, u32 root, u32 end) {
  const attribute *a = d->attributes + n->a;
  for (u32 child; (child = 2 * root + 1) < end; root = child) {
    if (child + 1 < end && comes_before(d, &a[order[child]], &a[order[child + 1]])) child++;
    if (!comes_before(d, &a[order[root]], &a[order[child]])) return;
    u32 t = order[root];
    order[root] = order[child];
    order[child] = t;
  }
}
static void put_attributes(struct output *o, const lanner_document *d, const struct node *n,
                           u32 level, u32 *order) {
  u32 count = n->b;
  for (u32 i = 0; i < count; i++) order[i] = i;
  for (u32 root = count / 2; root-- > 0;) sift(d, n, order, root, count);
  for (u32 end = count; end-- > 1;) {
    u32 t = order[0];
    order[0] = order[end];
    order[end] = t;
    sift(d, n, order, 0, end);
  }
  for (u32 i = 0; i < count; i++) {
    const attribute *a = &d->attributes[n->a + order[i]];
    put_level(o, level);
    put(o, prefix_of(a), strlen(prefix_of(a)));
    put_string(o, local_name(d, a));
    PUT(o, "=\"");
    put_string(o, attribute_value(d, a));
    PUT(o, "\"\n");
  }
}

/* --- nodes --- */
static bool put_element(struct output *o, const lanner_document *d, const struct node *n,
                        u32 level) {
  enum { FEW = 32 };
  u32 few[FEW], *order = few;
  const struct lanner_allocator *allocator = &d->heap.allocator;
  size_t size = n->b * sizeof *order;
  PUT(o, "<");
  if (word_namespace(n->word) == LANNER_SVG) PUT(o, "svg ");
  if (word_namespace(n->word) == LANNER_MATHML) PUT(o, "math ");
  put_string(o, store_name(d, word_name(n->word)));
  PUT(o, ">\n");
  if (n->b > FEW) order = allocator->reallocate(allocator->context, NULL, 0, size);
  if (!order) return false;
  put_attributes(o, d, n, level + 1, order);
  if (order != few) allocator->release(allocator->context, order, size);
  return true;
}
static bool put_line(struct output *o, const lanner_document *d, u32 id, u32 level) {
  const struct node *n = &d->nodes[id];
  put_level(o, level);
  switch (word_kind(n->word)) {
  case LANNER_ELEMENT: return put_element(o, d, n, level);
  case LANNER_TEXT:
    PUT(o, "\"");
    put_string(o, lanner_data(d, id));
    PUT(o, "\"\n");
    break;
  case LANNER_COMMENT:
    PUT(o, "<!-- ");
    put_string(o, lanner_data(d, id));
    PUT(o, " -->\n");
    break;
  case LANNER_PROCESSING_INSTRUCTION:
    PUT(o, "<?");
    put_string(o, lanner_name(d, id));
    PUT(o, " ");
    put_string(o, lanner_data(d, id));
    PUT(o, "?>\n");
    break;
  case LANNER_DOCTYPE:
    PUT(o, "<!DOCTYPE ");
    put_string(o, lanner_name(d, id));
    if (lanner_public_id(d, id).length || lanner_system_id(d, id).length) {
      PUT(o, " \"");
      put_string(o, lanner_public_id(d, id));
      PUT(o, "\" \"");
      put_string(o, lanner_system_id(d, id));
      PUT(o, "\"");
    }
    PUT(o, ">\n");
    break;
  default: break;
  }
  return true;
}

/* The line above the nodes of a template's contents or a shadow root. */
static void put_fragment(struct output *o, const lanner_document *d, u32 fragment, u32 level) {
  u32 word = d->nodes[fragment].word;
  put_level(o, level);
  if (!(word & WORD_SHADOW))
    PUT(o, "content\n");
  else if (word & WORD_OPEN_ROOT)
    PUT(o, "#shadow-root open\n");
  else
    PUT(o, "#shadow-root closed\n");
}

lanner_status lanner_serialize_test(const lanner_document *document, lanner_node root,
                                    lanner_write write, void *context) {
  const lanner_document *d = document;
  struct output o;
  u32 id = root, level = 0;
  bool fine = true, down = true;
  if (!node_at(d, root) || !write) return LANNER_ERROR_ARGUMENT;
  o.write = write;
  o.context = context;
  o.stopped = false;
  o.length = 0;
  /* LEVEL is that of ID's children. A fragment's nodes come before its host's. */
  while (!o.stopped && fine) {
    const struct node *n = &d->nodes[id];
    if (down) {
      u32 side = id == root ? lanner_template_contents(d, id)
                 : (n->word & WORD_SIDE) && word_kind(n->word) == LANNER_ELEMENT ? store_side(d, id)
                                                                                 : 0;
      if (side && id != root) {
        put_fragment(&o, d, side, level);
        level++;
      }
      if (side) {
        id = side;
        n = &d->nodes[id];
      }
      if (n->first) {
        id = n->first;
        fine = put_line(&o, d, id, level++);
        continue;
      }
      down = false;
    }
    /* ID and what is below it is done. */
    if (id == root) break;
    if (word_kind(n->word) == LANNER_FRAGMENT) { /* on with the host's own children */
      id = n->a;
      if (id == root) break;
      level--;
      if (d->nodes[id].first) {
        id = d->nodes[id].first;
        fine = put_line(&o, d, id, level++);
        down = true;
      }
      continue;
    }
    level--;
    if (n->next) {
      id = n->next;
      fine = put_line(&o, d, id, level++);
      down = true;
    } else {
      id = n->parent;
    }
  }
  output_flush(&o);
  if (!fine) return LANNER_ERROR_MEMORY;
  return o.stopped ? LANNER_STOPPED : LANNER_OK;
}
