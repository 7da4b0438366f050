/* serialize.c - the "HTML fragment serialization algorithm" (13.3) as of 2026: markup from a tree,
 * handed to a callback in pieces, without recursion. dump.c writes the test format.
 */
#include "document/store.h"

/* Output, gathered into pieces. */
struct output {
  lanner_write write;
  void *context;
  bool stopped;
  size_t length;
  char buffer[4096];
};

static void output_flush(struct output *o) {
  if (o->length && !o->stopped && o->write(o->context, o->buffer, o->length)) o->stopped = true;
  o->length = 0;
}
static void put(struct output *o, const char *data, size_t length) {
  if (length > sizeof o->buffer - o->length) {
    output_flush(o);
    if (length > sizeof o->buffer / 2) {
      if (!o->stopped && o->write(o->context, data, length)) o->stopped = true;
      return;
    }
  }
  memcpy(o->buffer + o->length, data, length);
  o->length += length;
}
static void put_string(struct output *o, lanner_string s) { put(o, s.data, s.length); }
#define PUT(o, literal) put(o, literal, sizeof literal - 1)

/* "Escaping a string". */
static void put_escaped(struct output *o, lanner_string s, bool of_attribute) {
  size_t done = 0;
  for (size_t i = 0; i < s.length; i++) {
    const char *replacement;
    size_t width = 1;
    switch (s.data[i]) {
      case '&': replacement = "&amp;"; break;
      case '<': replacement = "&lt;"; break;
      case '>': replacement = "&gt;"; break;
      case '"':
        if (!of_attribute) continue;
        replacement = "&quot;";
        break;
      case '\xC2':
        if (i + 1 == s.length || s.data[i + 1] != '\xA0') continue;
        replacement = "&nbsp;";
        width = 2;
        break;
      default: continue;
    }
    put(o, s.data + done, i - done);
    put(o, replacement, strlen(replacement));
    i += width - 1;
    done = i + 1;
  }
  put(o, s.data + done, s.length - done);
}

static u32 html_category(const struct node *n) {
  u32 name = word_name(n->word);
  if (word_kind(n->word) != LANNER_ELEMENT || word_namespace(n->word) != LANNER_HTML) return 0;
  return name < ELEMENT_NAMES ? element_category[name] : 0;
}

static void put_start_tag(struct output *o, const lanner_document *d, const struct node *n) {
  PUT(o, "<");
  put_string(o, store_name(d, word_name(n->word)));
  for (u32 i = 0; i < n->b; i++) {
    const attribute *a = &d->attributes[n->a + i];
    PUT(o, " ");
    put_string(o, store_name(d, attribute_name(a)));
    PUT(o, "=\"");
    put_escaped(o, attribute_value(d, a), true);
    PUT(o, "\"");
  }
  PUT(o, ">");
}
static void put_end_tag(struct output *o, const lanner_document *d, const struct node *n) {
  PUT(o, "</");
  put_string(o, store_name(d, word_name(n->word)));
  PUT(o, ">");
}

static void put_text(struct output *o, const lanner_document *d, u32 id, bool scripting) {
  const struct node *n = &d->nodes[id];
  lanner_string s = slice_string(d, n->a, n->b, (n->word & WORD_STRING) != 0);
  const struct node *p = &d->nodes[n->parent];
  u32 category = html_category(p);
  if ((category & CATEGORY_RAW) ||
      (scripting && category && (p->word & WORD_IDENTITY) == TAG_NOSCRIPT))
    put_string(o, s);
  else put_escaped(o, s, false);
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

static lanner_status serialize(const lanner_document *d, lanner_node id, bool scripting,
                               bool outer, lanner_write write, void *context) {
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
