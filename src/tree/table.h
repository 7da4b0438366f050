/* table.h - a tree that is not Lanner's, behind a table of functions (lanner_tree.h). The parse is
 * that of a document without nodes, lanner_document.table; what has to be known of such a tree
 * without an instance of the tree builder stands here. Neighbours: look.h asks both kinds of trees,
 * ops_table.h edits, api.c is the public face.
 */
#ifndef LANNER_TREE_TABLE_H
#define LANNER_TREE_TABLE_H

#include "lanner_tree.h"
#include "tree/builder.h"

/* An open template: what takes its children, and itself. */
struct table_template {
  u32 contents, element;
};

struct table {
  lanner_tree_operations ops;
  void *tree;
  u32 root;
  bool reads;     /* all of the questions can be asked */
  bool failed;    /* a function failed or asked to stop: none is called any more */
  bool running;   /* a call of the API is under way */
  bool may_pause; /* the parse is one in pieces */
  bool paused;
  u32 nodes;                        /* how many were made, the root included; text by runs */
  u32 text_parent, text_before;     /* where text was put last, and nothing since; 0: nowhere */
  u32 script;                       /* an SVG script element that its start tag closed */
  struct table_template *templates; /* by number of template insertion modes */
  u32 template_capacity;
  lanner_attribute *rows; /* attributes as functions get them */
  u32 row_capacity;
};

/* Stands for a node that could not be made. No function sees it: failed is set. */
#define TABLE_NO_NODE UINT32_MAX

/* A function failed, or asked to stop. */
static COLD void table_fail(lanner_document *d) {
  d->table->failed = true;
  d->parser->stop = LANNER_STOPPED;
}
INLINE void table_check(lanner_document *d, bool fine) {
  if (UNLIKELY(!fine)) table_fail(d);
}
INLINE u32 table_made(lanner_document *d, u32 id) {
  struct table *t = d->table;
  t->nodes++;
  t->text_parent = 0;
  if (LIKELY(id != 0)) return id;
  table_fail(d);
  return TABLE_NO_NODE;
}

/* Room for MORE nodes below the limit; the same numbers as in store_set_node_capacity. */
static bool table_reserve(lanner_document *d, u32 more) {
  if (LIKELY(!d->node_limit ||
             (u64)d->table->nodes + 1 + more <= (u64)d->node_limit + NODE_LIMIT_SPARE))
    return true;
  d->limits_struck |= LANNER_LIMIT_NODES;
  if (d->status == LANNER_OK) d->status = LANNER_ERROR_LIMIT;
  return false;
}

/* --- edits --- */
static void table_insert(lanner_document *d, u32 parent, u32 child, u32 before) {
  struct table *t = d->table;
  t->text_parent = 0;
  if (LIKELY(!t->failed)) table_check(d, t->ops.insert(t->tree, parent, child, before));
}
static void table_remove(lanner_document *d, u32 id) {
  struct table *t = d->table;
  t->text_parent = 0;
  if (LIKELY(!t->failed)) table_check(d, t->ops.remove(t->tree, id));
}
static u32 table_clone(lanner_document *d, u32 id) {
  struct table *t = d->table;
  return table_made(d, t->failed ? TABLE_NO_NODE : t->ops.clone_node(t->tree, id));
}

/* --- questions; after a failure there is nothing anywhere --- */
static u32 table_parent(const struct table *t, u32 id) {
  return t->failed || id == t->root ? 0 : t->ops.parent(t->tree, id);
}
static u32 table_first(const struct table *t, u32 id) {
  return t->failed ? 0 : t->ops.first_child(t->tree, id);
}
static u32 table_next(const struct table *t, u32 id) {
  return t->failed ? 0 : t->ops.next_sibling(t->tree, id);
}
static u32 table_contents(const struct table *t, u32 id) {
  return t->failed || !t->ops.template_contents ? 0 : t->ops.template_contents(t->tree, id);
}
static lanner_node_facts table_facts(const struct table *t, u32 id) {
  lanner_node_facts facts = {LANNER_NONE, LANNER_HTML, {"", 0}, {"", 0}};
  if (t->failed || !t->ops.describe(t->tree, id, &facts)) facts.kind = LANNER_NONE;
  return facts;
}

/* --- what the parse in pieces has to know (document/parse.c) --- */
static bool table_pauses(const lanner_document *d) { return d->table && d->table->paused; }
static bool table_failed(const lanner_document *d) { return d->table && d->table->failed; }

/* Everything once more, in another encoding: whether that is possible. */
static bool table_may_start_over(const lanner_document *d) {
  return !d->table || (d->table->ops.start_over && !d->table->failed);
}
static COLD bool table_start_over(lanner_document *d) {
  struct table *t = d->table;
  if (!t || (!t->failed && t->ops.start_over(t->tree))) return true;
  t->failed = true;
  d->status = LANNER_STOPPED;
  return false;
}
static void table_reset(struct table *t) {
  t->failed = t->paused = false;
  t->nodes = 1;
  t->text_parent = t->script = 0;
}

/* Tells the errors up to the input offset LAST: those behind a run of characters wait for the ones
 * of the run that comes next (document_error puts them in order). */
static COLD void table_tell_errors(lanner_document *d, u64 last) {
  struct table *t = d->table;
  u32 told = 0;
  while (told < d->error_count && d->errors[told].offset <= last) {
    const lanner_error *error = &d->errors[told++];
    if (!t->failed && t->ops.error && t->ops.error(t->tree, error) != LANNER_CONTINUE)
      table_fail(d);
  }
  d->error_count -= told;
  if (d->error_count) memmove(d->errors, d->errors + told, d->error_count * sizeof *d->errors);
}

static COLD void table_release(lanner_document *d) {
  struct table *t = d->table;
  heap_release(&d->heap, t->templates, t->template_capacity * sizeof *t->templates);
  heap_release(&d->heap, t->rows, t->row_capacity * sizeof *t->rows);
}

#endif
