/* read.c - the public reading functions of lanner.h: nodes, names, attributes, walking, spans.
 * They take any id and answer with 0 or the empty string where there is nothing. Neighbours:
 * store.h has the layout, change.c the functions that change the tree.
 */
#include "document/store.h"

static const lanner_string no_string = {"", 0};

/* The node, NULL when ID is not one. */
static const struct node *node_at(const lanner_document *d, lanner_node id) {
  return d && id && id < d->node_count ? &d->nodes[id] : NULL;
}
static u32 kind_of(const struct node *n) { return n ? word_kind(n->word) : LANNER_NONE; }

static lanner_string slice_string(const lanner_document *d, u32 offset, u32 length, bool string) {
  if (length == 0) return no_string;
  return (lanner_string){(const char *)slice_bytes(d, offset, string), length};
}
static lanner_string attribute_value(const lanner_document *d, const attribute *a) {
  return slice_string(d, a->value, a->length, (a->name & ATTRIBUTE_STRING) != 0);
}

uint32_t lanner_document_node_count(const lanner_document *document) {
  return document ? document->node_count - 1 : 0;
}
lanner_mode lanner_document_mode(const lanner_document *document) {
  return document ? document->mode : LANNER_NO_QUIRKS;
}
lanner_node lanner_fragment_root(const lanner_document *document) {
  return document ? document->fragment_root : 0;
}

/* --- links --- */
lanner_kind lanner_node_kind(const lanner_document *document, lanner_node id) {
  return (lanner_kind)kind_of(node_at(document, id));
}
lanner_node lanner_parent(const lanner_document *document, lanner_node id) {
  const struct node *n = node_at(document, id);
  return n ? n->parent : 0;
}
lanner_node lanner_first_child(const lanner_document *document, lanner_node id) {
  const struct node *n = node_at(document, id);
  return n ? n->first : 0;
}
lanner_node lanner_last_child(const lanner_document *document, lanner_node id) {
  const struct node *n = node_at(document, id);
  return n ? n->last : 0;
}
lanner_node lanner_next_sibling(const lanner_document *document, lanner_node id) {
  const struct node *n = node_at(document, id);
  return n ? n->next : 0;
}
lanner_node lanner_previous_sibling(const lanner_document *document, lanner_node id) {
  const struct node *n = node_at(document, id);
  return n ? n->prev : 0;
}

lanner_node lanner_next_skip(const lanner_document *document, lanner_node id, lanner_node root) {
  const struct node *n;
  while (id != root && (n = node_at(document, id)) != NULL) {
    if (n->next) return n->next;
    id = n->parent;
  }
  return 0;
}
lanner_node lanner_next(const lanner_document *document, lanner_node id, lanner_node root) {
  const struct node *n = node_at(document, id);
  if (n && n->first) return n->first;
  return lanner_next_skip(document, id, root);
}

/* --- fragments --- */
static u32 side_of(const lanner_document *d, lanner_node id, bool shadow) {
  const struct node *n = node_at(d, id);
  if (kind_of(n) != LANNER_ELEMENT || !(n->word & WORD_SIDE)) return 0;
  u32 fragment = store_side(d, id);
  return fragment && ((d->nodes[fragment].word & WORD_SHADOW) != 0) == shadow ? fragment : 0;
}
lanner_node lanner_template_contents(const lanner_document *document, lanner_node id) {
  return side_of(document, id, false);
}
lanner_node lanner_shadow_root(const lanner_document *document, lanner_node id, bool *open) {
  u32 fragment = side_of(document, id, true);
  if (open) *open = fragment && (document->nodes[fragment].word & WORD_OPEN_ROOT) != 0;
  return fragment;
}
lanner_node lanner_host(const lanner_document *document, lanner_node fragment) {
  const struct node *n = node_at(document, fragment);
  return kind_of(n) == LANNER_FRAGMENT ? n->a : 0;
}

/* --- names and data --- */
/* Part INDEX of a DOCTYPE: name, public, system identifier. */
static lanner_string doctype_part(const lanner_document *d, const struct node *n, u32 index) {
  return kind_of(n) == LANNER_DOCTYPE ? attribute_value(d, &d->attributes[n->a + index])
                                      : no_string;
}
lanner_string lanner_name(const lanner_document *document, lanner_node id) {
  const struct node *n = node_at(document, id);
  u32 kind = kind_of(n);
  if (kind == LANNER_DOCTYPE) return doctype_part(document, n, 0);
  if (kind != LANNER_ELEMENT && kind != LANNER_PROCESSING_INSTRUCTION) return no_string;
  return store_name(document, word_name(n->word));
}
lanner_string lanner_public_id(const lanner_document *document, lanner_node id) {
  return doctype_part(document, node_at(document, id), 1);
}
lanner_string lanner_system_id(const lanner_document *document, lanner_node id) {
  return doctype_part(document, node_at(document, id), 2);
}
lanner_namespace lanner_node_namespace(const lanner_document *document, lanner_node id) {
  const struct node *n = node_at(document, id);
  return kind_of(n) == LANNER_ELEMENT ? (lanner_namespace)word_namespace(n->word) : LANNER_HTML;
}
uint32_t lanner_name_id(const lanner_document *document, lanner_node id) {
  const struct node *n = node_at(document, id);
  u32 kind = kind_of(n);
  if (kind != LANNER_ELEMENT && kind != LANNER_PROCESSING_INSTRUCTION) return 0;
  return word_name(n->word);
}
lanner_string lanner_data(const lanner_document *document, lanner_node id) {
  const struct node *n = node_at(document, id);
  switch (kind_of(n)) {
  case LANNER_TEXT:
  case LANNER_COMMENT: return slice_string(document, n->a, n->b, (n->word & WORD_STRING) != 0);
  case LANNER_PROCESSING_INSTRUCTION: return attribute_value(document, &document->attributes[n->a]);
  default: return no_string;
  }
}

/* --- attributes --- */
uint32_t lanner_attribute_count(const lanner_document *document, lanner_node element) {
  const struct node *n = node_at(document, element);
  return kind_of(n) == LANNER_ELEMENT ? n->b : 0;
}
lanner_attribute lanner_attribute_at(const lanner_document *document, lanner_node element,
                                     uint32_t index) {
  const struct node *n = node_at(document, element);
  if (kind_of(n) != LANNER_ELEMENT || index >= n->b)
    return (lanner_attribute){no_string, no_string, LANNER_NO_NAMESPACE, 0};
  const attribute *a = &document->attributes[n->a + index];
  u32 space = (a->name & ATTRIBUTE_NAMESPACE) >> ATTRIBUTE_NAMESPACE_SHIFT;
  return (lanner_attribute){store_name(document, attribute_name(a)), attribute_value(document, a),
                            (lanner_attribute_namespace)space, attribute_name(a)};
}
/* The attribute of this name, NULL: none. */
static attribute *find_attribute(const lanner_document *d, const struct node *n, const char *name,
                                 size_t length) {
  for (u32 i = 0; i < n->b; i++) {
    lanner_string s = store_name(d, attribute_name(&d->attributes[n->a + i]));
    if (s.length == length && memcmp(s.data, name, length) == 0) return &d->attributes[n->a + i];
  }
  return NULL;
}
bool lanner_get_attribute(const lanner_document *document, lanner_node element, const char *name,
                          size_t length, lanner_string *value) {
  const struct node *n = node_at(document, element);
  if (value) *value = no_string;
  if (kind_of(n) != LANNER_ELEMENT || !name) return false;
  const attribute *a = find_attribute(document, n, name, length);
  if (a && value) *value = attribute_value(document, a);
  return a != NULL;
}

/* --- spans --- */
static lanner_span input_span(const lanner_document *d, u32 start, u32 end) {
  return (lanner_span){document_input_offset(d, start), document_input_offset(d, end)};
}
static lanner_span kept_span(const lanner_document *d, const lanner_span *spans, lanner_node id) {
  if (!node_at(d, id) || !spans || id >= d->span_capacity || spans[id].end == 0)
    return (lanner_span){0, 0};
  return input_span(d, spans[id].start, spans[id].end);
}
lanner_span lanner_node_span(const lanner_document *document, lanner_node id) {
  return kept_span(document, document ? document->spans : NULL, id);
}
lanner_span lanner_end_tag_span(const lanner_document *document, lanner_node id) {
  return kept_span(document, document ? document->end_spans : NULL, id);
}

static bool ends_name(byte c, bool first) {
  return is_html_space(c) || c == '/' || c == '>' || (c == '=' && !first);
}
/* Where an attribute's name and value stand in the text, read again from the name on: a value that
 * was decoded does not say where it came from. */
static bool attribute_source(const lanner_document *d, lanner_node element, u32 index,
                             lanner_span *name, lanner_span *value) {
  const struct node *n = node_at(d, element);
  if (kind_of(n) != LANNER_ELEMENT || index >= n->b || !d->spans) return false;
  u32 at = d->attributes[n->a + index].source, start = at, end = d->text_length;
  const byte *text = d->text;
  if (at == NO_SOURCE) return false;
  while (at < end && !ends_name(text[at], at == start)) at++;
  *name = input_span(d, start, at);
  *value = (lanner_span){0, 0};
  while (at < end && is_html_space(text[at])) at++;
  if (at >= end || text[at] != '=') return true;
  at++;
  while (at < end && is_html_space(text[at])) at++;
  if (at >= end || text[at] == '>') return true;
  byte quote = text[at];
  if (quote == '"' || quote == '\'') {
    start = ++at;
    while (at < end && text[at] != quote) at++;
  } else {
    start = at;
    while (at < end && !is_html_space(text[at]) && text[at] != '>') at++;
  }
  *value = input_span(d, start, at);
  return true;
}
lanner_span lanner_attribute_name_span(const lanner_document *document, lanner_node element,
                                       uint32_t index) {
  lanner_span name = {0, 0}, value;
  attribute_source(document, element, index, &name, &value);
  return name;
}
lanner_span lanner_attribute_value_span(const lanner_document *document, lanner_node element,
                                        uint32_t index) {
  lanner_span name, value = {0, 0};
  attribute_source(document, element, index, &name, &value);
  return value;
}
