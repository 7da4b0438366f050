/* own_tree.h - a tree that is not Lanner's: nodes in blocks of their own, joined by pointers, as
 * simple as it can be. The tests build it by lanner_tree.h, and it checks what it is asked to do.
 */
#ifndef LANNER_TEST_OWN_TREE_H
#define LANNER_TEST_OWN_TREE_H

#include "lanner_tree.h"
#include "support.h"

struct own_attribute {
  struct bytes name, value;
  lanner_attribute_namespace name_space;
};

struct own_node {
  lanner_node id;
  lanner_kind kind;
  lanner_namespace name_space;
  struct bytes name, data, public_id, system_id;
  struct own_attribute *attributes;
  uint32_t attribute_count;
  struct own_node *parent, *first, *last, *previous, *next;
  struct own_node *fragment; /* template contents or shadow root of an element */
  struct own_node *host;     /* of a fragment */
  bool shadow, open;         /* fragment */
  struct own_node *form;     /* the form owner that the parser gave */
  lanner_span source, end_tag;
};

struct own_tree {
  struct own_node **nodes; /* by number; those of removed nodes stay */
  lanner_node count, capacity;
  struct own_node *root;
  lanner_mode mode;
  struct bytes errors; /* "line:column code" a line */
  size_t calls;        /* of functions that can fail, since own_tree_clear */
  size_t fail_at;      /* this one of them fails; 0: none */
  bool failed;
  size_t scripts;    /* how many scripts have ended */
  int script_answer; /* what script_ended answers */
  void (*on_script)(struct own_tree *tree, struct own_node *script);
  void *context;     /* for on_script */
  size_t starts;     /* how often the parse started over */
  size_t start_call; /* which call the last time was */
  size_t options;    /* calls of option_popped */
  bool cycles;       /* somebody moves nodes: insertions may be refused */
};

/* Every function but option_popped. */
extern const lanner_tree_operations own_operations;

/* Empties TREE and makes its root: a Document, or with FRAGMENT a fragment. */
void own_tree_clear(struct own_tree *tree, bool fragment);
void own_tree_free(struct own_tree *tree);
/* The tree in the format of the tree construction tests; JOINED: adjacent text nodes are one. */
void own_tree_dump(const struct own_tree *tree, bool joined, struct bytes *into);
/* Whether it is DOCUMENT's tree, with the places in the source; a failed check names WHAT. */
bool own_tree_is(const struct own_tree *tree, const lanner_document *document, const char *what);
struct own_node *own_tree_find(const struct own_tree *tree,
                               const char *name); /* first made; NULL */

/* Clears TREE and parses into it as RUN says. OPERATIONS may be NULL: own_operations. */
lanner_status own_tree_parse(lanner_tree_builder *builder, struct own_tree *tree,
                             const lanner_tree_operations *operations, const struct tree_run *run,
                             const char *data, size_t length);

#endif
