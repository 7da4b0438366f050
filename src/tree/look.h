/* look.h - what the rare parts of the tree builder (choice.h, patching.h) ask: about the token,
 * and about nodes of the tree, whosever it is. Compiled once. A foreign tree is known by
 * lanner_document.table alone, so that these parts need no instance of their own.
 */
#ifndef LANNER_TREE_LOOK_H
#define LANNER_TREE_LOOK_H

#include "tokenizer/names.h"
#include "tree/formatting.h"
#include "tree/table.h"

/* Memory is short: the parse stops. */
static COLD void stop_for_memory(struct parser *P) {
  lanner_document *d = P->document;
  if (d->status == LANNER_OK) {
    d->status = d->heap.limited ? LANNER_ERROR_LIMIT : LANNER_ERROR_MEMORY;
    if (d->heap.limited) d->limits_struck |= LANNER_LIMIT_MEMORY;
  }
  if (!P->stop)
    P->stopped_at = P->tree && P->tree->behind_pending ? P->tree->behind_pending : P->token.start;
  P->stop = (uint8_t)d->status;
}

/* --- the token --- */

/* The attribute NAME of the token; NULL: there is none. */
static const attribute *token_attribute(const struct parser *P, u32 name) {
  const attribute *a = P->document->attributes + P->token.attribute_first;
  for (u32 i = 0; i < P->token.attribute_count; i++)
    if (attribute_name(&a[i]) == name) return &a[i];
  return NULL;
}
/* ASCII case-insensitive comparison with WORD, which is in lower case. */
static bool value_is(const struct parser *P, const attribute *a, const char *word) {
  size_t length = strlen(word);
  if (!a || a->length != length) return false;
  const byte *value = value_bytes(P->document, a);
  for (size_t i = 0; i < length; i++)
    if (byte_lower(value[i]) != (byte)word[i]) return false;
  return true;
}

/* --- nodes --- */
INLINE u32 look_parent(const lanner_document *d, u32 id) {
  return LIKELY(!d->table) ? d->nodes[id].parent : table_parent(d->table, id);
}
INLINE u32 look_first(const lanner_document *d, u32 id) {
  return LIKELY(!d->table) ? d->nodes[id].first : table_first(d->table, id);
}
INLINE u32 look_next(const lanner_document *d, u32 id) {
  return LIKELY(!d->table) ? d->nodes[id].next : table_next(d->table, id);
}
static u32 look_count(const lanner_document *d) {
  return d->table ? d->table->nodes : d->node_count;
}
static void look_remove(lanner_document *d, u32 id) {
  if (d->table)
    table_remove(d, id);
  else
    store_remove(d, id);
}

/* The name of an HTML element, if it is one of the known; else TAG_NONE. */
static COLD u32 table_html_name(const struct table *t, u32 id) {
  byte name[48] = {0};
  lanner_node_facts facts = table_facts(t, id);
  size_t length = facts.name.length;
  if (facts.kind != LANNER_ELEMENT || facts.name_space != LANNER_HTML || !length || length > 32)
    return TAG_NONE;
  memcpy(name, facts.name.data, length);
  return known_tag_as_is(name_words(name, length), name, length);
}
static u32 html_name(const lanner_document *d, u32 id) {
  if (d->table) return table_html_name(d->table, id);
  u32 word = d->nodes[id].word;
  if (word_kind(word) != LANNER_ELEMENT || word_namespace(word) != LANNER_HTML) return TAG_NONE;
  return word_name(word);
}

/* Whether ELEMENT has the attribute NAME, and its value. */
static bool element_attribute(const lanner_document *d, u32 id, u32 name, lanner_string *value) {
  const struct table *t = d->table;
  if (t) {
    lanner_string s = store_name(d, name);
    return !t->failed && t->ops.get_attribute(t->tree, id, s.data, s.length, value);
  }
  const struct node *n = &d->nodes[id];
  for (u32 i = 0; i < n->b; i++) {
    const attribute *a = &d->attributes[n->a + i];
    if (attribute_name(a) != name) continue;
    *value = (lanner_string){(const char *)value_bytes(d, a), a->length};
    return true;
  }
  return false;
}
static bool has_attribute(const lanner_document *d, u32 id, u32 name) {
  lanner_string value;
  return element_attribute(d, id, name, &value);
}

/* Target and data of a processing instruction; false: it is another node. */
static bool look_pi(const lanner_document *d, u32 id, lanner_string *target, lanner_string *data) {
  if (d->table) {
    lanner_node_facts facts = table_facts(d->table, id);
    *target = facts.name;
    *data = facts.data;
    return facts.kind == LANNER_PROCESSING_INSTRUCTION;
  }
  const struct node *n = &d->nodes[id];
  if (word_kind(n->word) != LANNER_PROCESSING_INSTRUCTION) return false;
  const attribute *a = &d->attributes[n->a];
  *target = store_name(d, word_name(n->word));
  *data = (lanner_string){(const char *)value_bytes(d, a), a->length};
  return true;
}

#endif
