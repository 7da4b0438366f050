/* change.c - the public functions of lanner.h that change a tree. Everything is checked before
 * anything is changed: kinds, ids, cycles (through template contents and shadow roots too).
 * Attribute blocks that several elements share, or that the parser still compares with others, are
 * copied on the first write. Neighbours: read.c, store.h.
 */
#include "document/store.h"
#include "tokenizer/names.h"

/* Between two pieces of a parse the tokenizer may be inside a tag or a text: the tag's attributes
 * are the last of the array, the decoded part of the piece is the last of the string area. What is
 * appended here goes in front of them: they are moved behind it. */
struct ends {
  u32 strings, attributes;
};
static struct ends ends_of(const lanner_document *d) {
  return (struct ends){d->strings_length, d->attribute_count};
}
static bool inside_tag(const struct parser *P) {
  return P->state == STATE_tag_name ||
         (P->state >= STATE_before_attribute_name && P->state <= STATE_self_closing_start_tag) ||
         (P->state >= STATE_character_reference &&
          P->return_state >= STATE_attribute_value_double_quoted);
}
static bool keep_unfinished(lanner_document *d, struct ends before) {
  struct parser *P = d->parser;
  if (!P || d->phase != PARSE_FEEDING) return true;
  if (P->accumulating && d->strings_length > before.strings) {
    u32 length = before.strings - P->accumulated;
    if (!store_reserve_strings(d, length)) return false;
    P->accumulated = store_put(d, d->strings + P->accumulated, length);
  }
  if (inside_tag(P) && d->attribute_count > before.attributes) {
    /* One row more: that of a duplicate, which is not counted. */
    u32 first = P->token.attribute_first, count = before.attributes - first;
    if (!store_reserve_attributes(d, count + 1)) return false;
    memcpy(d->attributes + d->attribute_count, d->attributes + first,
           (count + 1) * sizeof(attribute));
    P->attribute += d->attribute_count - first;
    P->token.attribute_first = d->attribute_count;
    d->attribute_count += count;
  }
  return true;
}

static lanner_status failed(lanner_document *d) {
  if (d->status != LANNER_OK) return d->status;
  return d->heap.limited ? LANNER_ERROR_LIMIT : LANNER_ERROR_MEMORY;
}

/* Copies LENGTH bytes, which may be the document's own, into the string area. */
static bool keep_bytes(lanner_document *d, const char *data, size_t length, u32 *offset) {
  const byte *bytes = (const byte *)data;
  bool own = d->strings && bytes >= d->strings && bytes < d->strings + d->strings_capacity;
  size_t at = own ? (size_t)(bytes - d->strings) : 0;
  if (length > UINT32_MAX - 64 || !store_reserve_strings(d, (u32)length)) return false;
  *offset = d->strings_length;
  if (length) store_put(d, own ? d->strings + at : bytes, (u32)length);
  return true;
}

/* The number of a name as it is spelled: a known one, or interned. 0: memory. */
static u32 name_number(lanner_document *d, const char *name, size_t length, bool of_attribute) {
  byte low[64] = {0};
  if (length <= 40) {
    for (size_t i = 0; i < length; i++) {
      byte c = (byte)name[i];
      low[i] = c >= 'A' && c <= 'Z' ? (byte)(c | 0x20) : c;
    }
    struct name_words w = name_words(low, length);
    u32 id = of_attribute ? known_attribute_as_is(w, low, length) : known_tag_as_is(w, low, length);
    u32 adjusted = !id                        ? 0
                   : !of_attribute            ? svg_tag_adjusted[id]
                   : id == ATTR_DEFINITIONURL ? (u32)ATTR_ADJUSTED_DEFINITIONURL
                                              : svg_attribute_adjusted[id - ELEMENT_NAMES];
    if (id && memcmp(KNOWN_NAME_AT(id), name, length) == 0) return id;
    if (adjusted && memcmp(KNOWN_NAME_AT(adjusted), name, length) == 0) return adjusted;
  }
  return store_intern(d, (const byte *)name, length);
}

/* --- creating --- */
lanner_status lanner_create_element(lanner_document *document, lanner_namespace name_space,
                                    const char *name, size_t length, lanner_node *created) {
  lanner_document *d = document;
  if (created) *created = 0;
  if (!d || !created || !name || !length || length > UINT32_MAX / 2 || name_space > LANNER_MATHML)
    return LANNER_ERROR_ARGUMENT;
  struct ends ends = ends_of(d);
  u32 id = name_number(d, name, length, false);
  if (!id || !keep_unfinished(d, ends) || !store_reserve_nodes(d, 2)) return failed(d);
  u32 element = store_new_node(d, make_word(LANNER_ELEMENT, name_space, id), 0, 0);
  if (id == TAG_TEMPLATE && name_space == LANNER_HTML) {
    u32 contents = store_new_node(d, make_word(LANNER_FRAGMENT, 0, 0), element, 0);
    if (!store_add_side(d, element, contents)) return failed(d);
  }
  *created = element;
  return LANNER_OK;
}
static lanner_status create_data(lanner_document *d, u32 kind, const char *data, size_t length,
                                 lanner_node *created) {
  u32 offset;
  if (created) *created = 0;
  if (!d || !created || (!data && length)) return LANNER_ERROR_ARGUMENT;
  struct ends ends = ends_of(d);
  if (!store_reserve_nodes(d, 1) || !keep_bytes(d, data, length, &offset) ||
      !keep_unfinished(d, ends))
    return failed(d);
  *created = store_new_node(d, make_word(kind, 0, 0) | WORD_STRING, offset, (u32)length);
  return LANNER_OK;
}
lanner_status lanner_create_text(lanner_document *document, const char *data, size_t length,
                                 lanner_node *created) {
  return create_data(document, LANNER_TEXT, data, length, created);
}
lanner_status lanner_create_comment(lanner_document *document, const char *data, size_t length,
                                    lanner_node *created) {
  return create_data(document, LANNER_COMMENT, data, length, created);
}

/* --- placing --- */
static bool may_have_children(const struct node *n) {
  u32 kind = kind_of(n);
  return kind == LANNER_ELEMENT || kind == LANNER_DOCUMENT || kind == LANNER_FRAGMENT;
}
static bool may_be_child(const struct node *parent, const struct node *child) {
  switch (kind_of(child)) {
  case LANNER_TEXT: return kind_of(parent) != LANNER_DOCUMENT;
  case LANNER_DOCTYPE: return kind_of(parent) == LANNER_DOCUMENT;
  case LANNER_ELEMENT:
  case LANNER_COMMENT:
  case LANNER_PROCESSING_INSTRUCTION: return true;
  default: return false;
  }
}
/* "Host-including inclusive ancestor". */
static bool is_inside(const lanner_document *d, u32 id, u32 ancestor) {
  while (id) {
    if (id == ancestor) return true;
    const struct node *n = &d->nodes[id];
    id = word_kind(n->word) == LANNER_FRAGMENT ? n->a : n->parent;
  }
  return false;
}

lanner_status lanner_insert_before(lanner_document *document, lanner_node parent, lanner_node child,
                                   lanner_node reference) {
  lanner_document *d = document;
  const struct node *p = node_at(d, parent), *c = node_at(d, child);
  if (!may_have_children(p) || !may_be_child(p, c)) return LANNER_ERROR_ARGUMENT;
  if (reference && (!node_at(d, reference) || d->nodes[reference].parent != parent))
    return LANNER_ERROR_ARGUMENT;
  if ((c->first || (c->word & WORD_SIDE) || parent == child) && kind_of(c) == LANNER_ELEMENT &&
      is_inside(d, parent, child))
    return LANNER_ERROR_ARGUMENT;
  if (reference == child) reference = c->next;
  d->edited = true;
  store_remove(d, child);
  store_insert_before(d, parent, child, reference);
  return LANNER_OK;
}
lanner_status lanner_append(lanner_document *document, lanner_node parent, lanner_node child) {
  return lanner_insert_before(document, parent, child, 0);
}
lanner_status lanner_remove(lanner_document *document, lanner_node id) {
  u32 kind = kind_of(node_at(document, id));
  if (kind == LANNER_NONE || kind == LANNER_DOCUMENT || kind == LANNER_FRAGMENT)
    return LANNER_ERROR_ARGUMENT;
  document->edited = true;
  store_remove(document, id);
  return LANNER_OK;
}
lanner_status lanner_move_children(lanner_document *document, lanner_node from, lanner_node to) {
  lanner_document *d = document;
  const struct node *f = node_at(d, from), *t = node_at(d, to);
  if (!may_have_children(f) || !may_have_children(t)) return LANNER_ERROR_ARGUMENT;
  if (from == to || !f->first) return LANNER_OK;
  if (is_inside(d, to, from)) return LANNER_ERROR_ARGUMENT;
  if (kind_of(f) == LANNER_DOCUMENT || kind_of(t) == LANNER_DOCUMENT)
    for (u32 c = f->first; c; c = d->nodes[c].next)
      if (!may_be_child(t, &d->nodes[c])) return LANNER_ERROR_ARGUMENT;
  d->edited = true;
  store_move_children(d, from, to);
  return LANNER_OK;
}

/* --- attributes --- */

/* Makes the block of ELEMENT its own, with MORE rows of room behind it when it lies at the end. */
static bool own_attributes(lanner_document *d, u32 element, u32 more) {
  struct node *n = &d->nodes[element];
  bool at_end = n->b && n->a + n->b == d->attribute_count;
  if (!(n->word & WORD_SHARED) && (!more || at_end)) return store_reserve_attributes(d, more);
  if (!store_reserve_attributes(d, n->b + more)) return false;
  if (n->b)
    memcpy(d->attributes + d->attribute_count, d->attributes + n->a, n->b * sizeof(attribute));
  n->a = d->attribute_count;
  d->attribute_count += n->b;
  n->word &= ~WORD_SHARED;
  return true;
}
lanner_status lanner_set_attribute(lanner_document *document, lanner_node element, const char *name,
                                   size_t name_length, const char *value, size_t value_length) {
  lanner_document *d = document;
  const struct node *n = node_at(d, element);
  u32 offset;
  if (kind_of(n) != LANNER_ELEMENT || !name || !name_length || name_length > UINT32_MAX / 2 ||
      (!value && value_length))
    return LANNER_ERROR_ARGUMENT;
  if (document_in_tag(d)) return LANNER_ERROR_STATE; /* new rows would be taken for the tag's */
  const attribute *old = find_attribute(d, n, name, name_length);
  u32 index = old ? (u32)(old - d->attributes) - n->a : n->b;
  u32 id = old ? old->name & (WORD_NAME | ATTRIBUTE_NAMESPACE) : 0;
  struct ends ends = ends_of(d);
  /* The value first: NAME or VALUE may point into the string area, which moves. */
  bool own = d->strings && (const byte *)name >= d->strings &&
             (const byte *)name < d->strings + d->strings_capacity;
  size_t name_at = own ? (size_t)((const byte *)name - d->strings) : 0;
  if (!keep_bytes(d, value, value_length, &offset)) return failed(d);
  if (own) name = (const char *)d->strings + name_at;
  if (!id && !(id = name_number(d, name, name_length, true))) return failed(d);
  if (!own_attributes(d, element, old ? 0 : 1)) return failed(d);
  struct node *e = &d->nodes[element];
  attribute *a = &d->attributes[e->a + index];
  if (!old) {
    d->attribute_count++;
    e->b++;
  }
  *a = (attribute){id | ATTRIBUTE_STRING, NO_SOURCE, offset, (u32)value_length};
  d->edited = true;
  return keep_unfinished(d, ends) ? LANNER_OK : failed(d);
}
lanner_status lanner_remove_attribute(lanner_document *document, lanner_node element,
                                      const char *name, size_t name_length) {
  lanner_document *d = document;
  const struct node *n = node_at(d, element);
  if (kind_of(n) != LANNER_ELEMENT || !name) return LANNER_ERROR_ARGUMENT;
  if (document_in_tag(d)) return LANNER_ERROR_STATE;
  const attribute *old = find_attribute(d, n, name, name_length);
  if (!old) return LANNER_OK;
  struct ends ends = ends_of(d);
  u32 index = (u32)(old - d->attributes) - n->a;
  if (!own_attributes(d, element, 0)) return failed(d);
  struct node *e = &d->nodes[element];
  attribute *a = &d->attributes[e->a + index];
  memmove(a, a + 1, (e->b - index - 1) * sizeof *a);
  e->b--;
  d->edited = true;
  return keep_unfinished(d, ends) ? LANNER_OK : failed(d);
}

lanner_status lanner_set_data(lanner_document *document, lanner_node id, const char *data,
                              size_t length) {
  lanner_document *d = document;
  u32 kind = kind_of(node_at(d, id)), offset;
  if ((kind != LANNER_TEXT && kind != LANNER_COMMENT) || (!data && length))
    return LANNER_ERROR_ARGUMENT;
  struct ends ends = ends_of(d);
  if (!keep_bytes(d, data, length, &offset) || !keep_unfinished(d, ends)) return failed(d);
  struct node *n = &d->nodes[id];
  n->a = offset;
  n->b = (u32)length;
  n->word = (n->word | WORD_STRING) & ~WORD_GROWN;
  return LANNER_OK;
}
