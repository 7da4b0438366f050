/* api.c - the public face of the tree builder over a foreign tree (lanner_tree.h): a document
 * without nodes that is parsed as any other (document/parse.c), with a table of functions.
 */
#include "tree/table.h"

struct lanner_tree_builder {
  lanner_document store;
  struct table table;
};

lanner_tree_builder *lanner_tree_builder_new(const lanner_allocator *allocator) {
  struct heap heap;
  lanner_tree_builder *b;
  heap_init(&heap, allocator);
  b = heap.allocator.reallocate(heap.allocator.context, NULL, 0, sizeof *b);
  if (!b) return NULL;
  memset(b, 0, sizeof *b);
  document_init(&b->store, allocator);
  b->store.heap.held = b->store.heap.peak = sizeof *b;
  b->store.table = &b->table;
  if (!document_ready(&b->store)) {
    lanner_tree_builder_free(b);
    return NULL;
  }
  return b;
}

void lanner_tree_builder_free(lanner_tree_builder *builder) {
  if (!builder) return;
  table_release(&builder->store);
  struct heap heap = builder->store.heap;
  document_release(&builder->store);
  heap.allocator.release(heap.allocator.context, builder, sizeof *builder);
}

/* Takes over the tree. */
static lanner_status builder_use(lanner_tree_builder *b, const lanner_tree *tree, bool pieces) {
  struct table *t;
  const lanner_tree_operations *ops;
  if (!b || !tree || !tree->operations || !tree->root || tree->root == TABLE_NO_NODE)
    return LANNER_ERROR_ARGUMENT;
  ops = tree->operations;
  if (ops->size != sizeof *ops || !ops->create_element || !ops->create_comment || !ops->insert ||
      !ops->insert_text || !ops->remove || !ops->move_children || !ops->parent)
    return LANNER_ERROR_ARGUMENT;
  t = &b->table;
  if (t->running) return LANNER_ERROR_STATE;
  t->ops = *ops;
  t->tree = tree->context;
  t->root = tree->root;
  t->reads = ops->first_child && ops->next_sibling && ops->describe && ops->get_attribute &&
             ops->clone_node;
  t->may_pause = pieces;
  table_reset(t);
  return LANNER_OK;
}

lanner_status lanner_tree_parse(lanner_tree_builder *builder, const lanner_tree *tree,
                                const lanner_context *context, const void *bytes, size_t length,
                                const lanner_options *options) {
  lanner_status status = builder_use(builder, tree, false);
  if (status) return status;
  builder->table.running = true;
  status = parse_whole(&builder->store, context, bytes, length, options);
  builder->table.running = false;
  return status;
}

lanner_status lanner_tree_begin(lanner_tree_builder *builder, const lanner_tree *tree,
                                const lanner_context *context, const lanner_options *options) {
  lanner_status status = builder_use(builder, tree, true);
  if (status) return status;
  builder->table.running = true;
  status = lanner_parse_begin(&builder->store, context, options);
  builder->table.running = false;
  return status;
}

/* All of the input is here; during a pause it waits. */
static bool builder_ended(const lanner_tree_builder *b) {
  return b->table.paused && b->store.parser->final;
}

lanner_status lanner_tree_feed(lanner_tree_builder *builder, const void *bytes, size_t length) {
  lanner_status status;
  if (!builder) return LANNER_ERROR_ARGUMENT;
  if (builder->table.running || builder_ended(builder)) return LANNER_ERROR_STATE;
  builder->table.running = true;
  status = lanner_parse_feed(&builder->store, bytes, length);
  builder->table.running = false;
  return status;
}

lanner_status lanner_tree_end(lanner_tree_builder *builder) {
  lanner_status status;
  if (!builder) return LANNER_ERROR_ARGUMENT;
  if (builder->table.running || builder_ended(builder)) return LANNER_ERROR_STATE;
  builder->table.running = true;
  status = lanner_parse_end(&builder->store);
  builder->table.running = false;
  return status;
}

bool lanner_tree_paused(const lanner_tree_builder *builder) {
  return builder && builder->table.paused;
}

lanner_status lanner_tree_resume(lanner_tree_builder *builder) {
  lanner_document *d;
  if (!builder) return LANNER_ERROR_ARGUMENT;
  d = &builder->store;
  if (builder->table.running || !builder->table.paused) return LANNER_ERROR_STATE;
  builder->table.paused = false;
  builder->table.running = true;
  lanner_status status = run_pieces(d, d->parser->final);
  builder->table.running = false;
  if (status == LANNER_OK && d->phase == PARSE_DONE && d->limits_struck & LANNER_LIMIT_INPUT)
    status = d->status = LANNER_ERROR_LIMIT;
  return status;
}

void lanner_tree_changed(lanner_tree_builder *builder) {
  if (builder) builder->store.edited = true;
}

const lanner_document *lanner_tree_builder_document(const lanner_tree_builder *builder) {
  return builder ? &builder->store : NULL;
}
