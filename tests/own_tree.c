/* own_tree.c - see own_tree.h. */
#include "own_tree.h"

#include <stdlib.h>
#include <string.h>

static struct own_node *node_of(struct own_tree *tree, lanner_node id) {
  TEST_CHECK_MSG(!tree->failed, "a function is called after one failed");
  if (!TEST_CHECK_MSG(id >= 1 && id <= tree->count, "%u is no node", (unsigned)id)) abort();
  return tree->nodes[id - 1];
}

static void set(struct bytes *bytes, lanner_string text) {
  bytes_clear(bytes);
  bytes_add(bytes, text.data ? text.data : "", text.length);
}
static lanner_string text_of(const struct bytes *bytes) {
  return (lanner_string){bytes->data ? bytes->data : "", bytes->length};
}
static bool is(const struct bytes *bytes, const char *text) {
  return bytes_are(bytes, text, strlen(text));
}

/* A function that can fail is called: whether it is its turn. */
static bool fails(struct own_tree *tree) {
  TEST_CHECK_MSG(!tree->failed, "a function is called after one failed");
  if (++tree->calls == tree->fail_at) tree->failed = true;
  return tree->failed;
}

/* --- making --- */
static struct own_node *make(struct own_tree *tree, lanner_kind kind) {
  struct own_node *node = calloc(1, sizeof *node);
  if (!node) abort();
  if (tree->count == tree->capacity) {
    tree->capacity = tree->capacity * 2 + 64;
    tree->nodes = realloc(tree->nodes, tree->capacity * sizeof(struct own_node *));
    if (!tree->nodes) abort();
  }
  tree->nodes[tree->count++] = node;
  node->id = tree->count;
  node->kind = kind;
  return node;
}
static struct own_node *make_fragment(struct own_tree *tree, struct own_node *host) {
  struct own_node *fragment = make(tree, LANNER_FRAGMENT);
  fragment->host = host;
  host->fragment = fragment;
  return fragment;
}
static bool is_template(const struct own_node *node) {
  return node->kind == LANNER_ELEMENT && node->name_space == LANNER_HTML &&
         is(&node->name, "template");
}
static bool has_name(const struct own_node *node, lanner_string name) {
  for (uint32_t i = 0; i < node->attribute_count; i++)
    if (bytes_are(&node->attributes[i].name, name.data, name.length)) return true;
  return false;
}
static void add_attributes(struct own_node *node, const lanner_attribute *attributes,
                           uint32_t count) {
  node->attributes = realloc(node->attributes, ((size_t)node->attribute_count + count + 1) *
                                                   sizeof *node->attributes);
  if (!node->attributes) abort();
  for (uint32_t i = 0; i < count; i++) {
    struct own_attribute *to = &node->attributes[node->attribute_count++];
    memset(to, 0, sizeof *to);
    set(&to->name, attributes[i].name);
    set(&to->value, attributes[i].value);
    to->name_space = attributes[i].name_space;
  }
}

static lanner_node create_element(void *context, const lanner_element_init *init) {
  struct own_tree *tree = context;
  if (fails(tree)) return 0;
  struct own_node *node = make(tree, LANNER_ELEMENT);
  node->name_space = init->name_space;
  set(&node->name, init->name);
  TEST_CHECK_MSG(init->name.length > 0, "an element without a name");
  add_attributes(node, init->attributes, init->attribute_count);
  if (init->form) node->form = node_of(tree, init->form);
  if (is_template(node)) make_fragment(tree, node);
  return node->id;
}
static lanner_node create_comment(void *context, lanner_string data) {
  struct own_tree *tree = context;
  if (fails(tree)) return 0;
  struct own_node *node = make(tree, LANNER_COMMENT);
  set(&node->data, data);
  return node->id;
}
static lanner_node create_processing_instruction(void *context, lanner_string target,
                                                 lanner_string data) {
  struct own_tree *tree = context;
  if (fails(tree)) return 0;
  struct own_node *node = make(tree, LANNER_PROCESSING_INSTRUCTION);
  set(&node->name, target);
  set(&node->data, data);
  return node->id;
}
static lanner_node create_doctype(void *context, lanner_string name, lanner_string public_id,
                                  lanner_string system_id) {
  struct own_tree *tree = context;
  if (fails(tree)) return 0;
  struct own_node *node = make(tree, LANNER_DOCTYPE);
  TEST_CHECK((name.data || !name.length) && (public_id.data || !public_id.length) &&
             (system_id.data || !system_id.length));
  set(&node->name, name);
  set(&node->public_id, public_id);
  set(&node->system_id, system_id);
  return node->id;
}

/* --- placing --- */
static bool takes_children(const struct own_node *node) {
  return node->kind == LANNER_ELEMENT || node->kind == LANNER_DOCUMENT ||
         node->kind == LANNER_FRAGMENT;
}
static bool is_inside(const struct own_node *node, const struct own_node *of) {
  for (; node; node = node->parent ? node->parent : node->host)
    if (node == of) return true;
  return false;
}
static void link_node(struct own_node *parent, struct own_node *node, struct own_node *before) {
  node->parent = parent;
  node->next = before;
  node->previous = before ? before->previous : parent->last;
  if (node->previous)
    node->previous->next = node;
  else
    parent->first = node;
  if (before)
    before->previous = node;
  else
    parent->last = node;
}
static void unlink_node(struct own_node *node) {
  if (!node->parent) return;
  if (node->previous)
    node->previous->next = node->next;
  else
    node->parent->first = node->next;
  if (node->next)
    node->next->previous = node->previous;
  else
    node->parent->last = node->previous;
  node->parent = node->previous = node->next = NULL;
}
static bool insert(void *context, lanner_node parent, lanner_node child, lanner_node before) {
  struct own_tree *tree = context;
  if (fails(tree)) return false;
  struct own_node *p = node_of(tree, parent), *c = node_of(tree, child);
  struct own_node *b = before ? node_of(tree, before) : NULL;
  bool fine =
      takes_children(p) && !c->parent && (!b || b->parent == p) && c->kind != LANNER_FRAGMENT;
  if (!TEST_CHECK_MSG(fine, "node %u into %u before %u", (unsigned)child, (unsigned)parent,
                      (unsigned)before))
    return true;
  if (c->first && is_inside(p, c)) {
    TEST_CHECK_MSG(tree->cycles, "node %u into its own %u", (unsigned)child, (unsigned)parent);
    return true;
  }
  link_node(p, c, b);
  return true;
}
static bool insert_text(void *context, lanner_node parent, lanner_node before, lanner_string text,
                        lanner_span source) {
  struct own_tree *tree = context;
  if (fails(tree)) return false;
  struct own_node *p = node_of(tree, parent), *b = before ? node_of(tree, before) : NULL;
  struct own_node *last = b ? b->previous : p->last;
  bool fine =
      takes_children(p) && p->kind != LANNER_DOCUMENT && (!b || b->parent == p) && text.length;
  if (!TEST_CHECK_MSG(fine, "text into %u before %u", (unsigned)parent, (unsigned)before))
    return true;
  if (!last || last->kind != LANNER_TEXT) {
    last = make(tree, LANNER_TEXT);
    last->source = source;
    link_node(p, last, b);
  }
  bytes_add(&last->data, text.data, text.length);
  return true;
}
static bool remove_node(void *context, lanner_node id) {
  struct own_tree *tree = context;
  if (fails(tree)) return false;
  unlink_node(node_of(tree, id));
  return true;
}
static bool move_children(void *context, lanner_node from, lanner_node to) {
  struct own_tree *tree = context;
  if (fails(tree)) return false;
  struct own_node *f = node_of(tree, from), *t = node_of(tree, to);
  while (f->first) {
    struct own_node *node = f->first;
    unlink_node(node);
    link_node(t, node, NULL);
  }
  return true;
}

/* --- the document --- */
static bool more_attributes(void *context, lanner_node element, const lanner_attribute *attributes,
                            uint32_t count) {
  struct own_tree *tree = context;
  if (fails(tree)) return false;
  struct own_node *node = node_of(tree, element);
  TEST_CHECK(count > 0 && (is(&node->name, "html") || is(&node->name, "body")));
  for (uint32_t i = 0; i < count; i++)
    if (!has_name(node, attributes[i].name)) add_attributes(node, &attributes[i], 1);
  return true;
}
static bool set_mode(void *context, lanner_mode mode) {
  struct own_tree *tree = context;
  if (fails(tree)) return false;
  tree->mode = mode;
  return true;
}
static bool note_source(void *context, lanner_node id, lanner_span source, bool end_tag) {
  struct own_tree *tree = context;
  if (fails(tree)) return false;
  struct own_node *node = node_of(tree, id);
  if (end_tag && node->kind == LANNER_FRAGMENT && node->host) node = node->host;
  if (end_tag)
    node->end_tag = source;
  else
    node->source = source;
  return true;
}
static int tell_error(void *context, const lanner_error *error) {
  struct own_tree *tree = context;
  if (fails(tree)) return LANNER_STOP;
  bytes_add_format(&tree->errors, "%u:%u %s\n", (unsigned)error->line, (unsigned)error->column,
                   lanner_error_name(error->code));
  return LANNER_CONTINUE;
}
static lanner_node template_contents(void *context, lanner_node id) {
  struct own_node *node = node_of(context, id);
  return is_template(node) ? node->fragment->id : 0;
}
static bool attach_shadow(void *context, lanner_node host, bool open,
                          const lanner_attribute *attributes, uint32_t count, lanner_node *root) {
  struct own_tree *tree = context;
  if (fails(tree)) return false;
  struct own_node *node = node_of(tree, host);
  bool asked = false;
  for (uint32_t i = 0; i < count; i++)
    asked |= attributes[i].name.length == 14 &&
             memcmp(attributes[i].name.data, "shadowrootmode", 14) == 0;
  TEST_CHECK_MSG(asked && *root == 0, "a shadow root that no attribute asks for");
  if (node->fragment) return true; /* declined: it has one */
  struct own_node *fragment = make_fragment(tree, node);
  fragment->shadow = true;
  fragment->open = open;
  *root = fragment->id;
  return true;
}
static int script_ended(void *context, lanner_node script) {
  struct own_tree *tree = context;
  if (fails(tree)) return LANNER_STOP;
  struct own_node *node = node_of(tree, script);
  TEST_CHECK(is(&node->name, "script") && node->name_space != LANNER_MATHML);
  tree->scripts++;
  if (tree->on_script) tree->on_script(tree, node);
  return tree->script_answer;
}

/* --- questions --- */
static lanner_node id_of(const struct own_node *node) { return node ? node->id : 0; }
static lanner_node parent(void *context, lanner_node id) {
  struct own_tree *tree = context;
  struct own_node *node = node_of(tree, id);
  TEST_CHECK_MSG(node != tree->root, "asked for what is above the root");
  return id_of(node->parent);
}
static lanner_node first_child(void *context, lanner_node id) {
  return id_of(node_of(context, id)->first);
}
static lanner_node next_sibling(void *context, lanner_node id) {
  return id_of(node_of(context, id)->next);
}
static bool describe(void *context, lanner_node id, lanner_node_facts *facts) {
  struct own_node *node = node_of(context, id);
  facts->kind = node->kind;
  facts->name_space = node->name_space;
  facts->name = text_of(&node->name);
  facts->data = text_of(&node->data);
  return true;
}
static bool get_attribute(void *context, lanner_node id, const char *name, size_t length,
                          lanner_string *value) {
  struct own_node *node = node_of(context, id);
  for (uint32_t i = 0; i < node->attribute_count; i++) {
    if (node->attributes[i].name_space || !bytes_are(&node->attributes[i].name, name, length))
      continue;
    *value = text_of(&node->attributes[i].value);
    return true;
  }
  return false;
}
static lanner_node clone_node(void *context, lanner_node id) {
  struct own_tree *tree = context;
  if (fails(tree)) return 0;
  struct own_node *from = node_of(tree, id), *node = make(tree, from->kind);
  node->name_space = from->name_space;
  set(&node->name, text_of(&from->name));
  set(&node->data, text_of(&from->data));
  for (uint32_t i = 0; i < from->attribute_count; i++) {
    const struct own_attribute *a = &from->attributes[i];
    const lanner_attribute copy = {text_of(&a->name), text_of(&a->value), a->name_space, 0};
    add_attributes(node, &copy, 1);
  }
  if (is_template(node)) make_fragment(tree, node);
  return node->id;
}

/* --- the whole --- */
void own_tree_clear(struct own_tree *tree, bool fragment) {
  for (lanner_node i = 0; i < tree->count; i++) {
    struct own_node *node = tree->nodes[i];
    for (uint32_t a = 0; a < node->attribute_count; a++) {
      bytes_free(&node->attributes[a].name);
      bytes_free(&node->attributes[a].value);
    }
    free(node->attributes);
    bytes_free(&node->name);
    bytes_free(&node->data);
    bytes_free(&node->public_id);
    bytes_free(&node->system_id);
    free(node);
  }
  tree->count = 0;
  tree->mode = LANNER_NO_QUIRKS;
  tree->calls = tree->scripts = tree->starts = tree->options = 0;
  tree->failed = false;
  bytes_clear(&tree->errors);
  tree->root = make(tree, fragment ? LANNER_FRAGMENT : LANNER_DOCUMENT);
}
static bool start_over(void *context) {
  struct own_tree *tree = context;
  if (fails(tree)) return false;
  size_t calls = tree->calls, starts = tree->starts;
  own_tree_clear(tree, tree->root->kind == LANNER_FRAGMENT);
  tree->calls = calls;
  tree->starts = starts + 1;
  tree->start_call = calls;
  return true;
}
void own_tree_free(struct own_tree *tree) {
  own_tree_clear(tree, false);
  free(tree->nodes[0]);
  free(tree->nodes);
  bytes_free(&tree->errors);
  memset(tree, 0, sizeof *tree);
}

const lanner_tree_operations own_operations = {
    .size = sizeof own_operations,
    .create_element = create_element,
    .create_comment = create_comment,
    .insert = insert,
    .insert_text = insert_text,
    .remove = remove_node,
    .move_children = move_children,
    .parent = parent,
    .create_processing_instruction = create_processing_instruction,
    .create_doctype = create_doctype,
    .template_contents = template_contents,
    .attach_shadow = attach_shadow,
    .add_attributes = more_attributes,
    .set_mode = set_mode,
    .note_source = note_source,
    .error = tell_error,
    .script_ended = script_ended,
    .start_over = start_over,
    .first_child = first_child,
    .next_sibling = next_sibling,
    .describe = describe,
    .get_attribute = get_attribute,
    .clone_node = clone_node,
};

struct own_node *own_tree_find(const struct own_tree *tree, const char *name) {
  for (lanner_node i = 0; i < tree->count; i++)
    if (tree->nodes[i]->kind == LANNER_ELEMENT && is(&tree->nodes[i]->name, name))
      return tree->nodes[i];
  return NULL;
}

lanner_status own_tree_parse(lanner_tree_builder *builder, struct own_tree *tree,
                             const lanner_tree_operations *operations, const struct tree_run *run,
                             const char *data, size_t length) {
  own_tree_clear(tree, run->context != NULL);
  lanner_tree into = {operations ? operations : &own_operations, tree, tree->root->id};
  lanner_status status;
  if (run->plan.kind == WHOLE)
    return lanner_tree_parse(builder, &into, run->context, data, length, &run->options);
  status = lanner_tree_begin(builder, &into, run->context, &run->options);
  for (size_t done = 0, end; done < length && status == LANNER_OK; done = end) {
    end = plan_next(&run->plan, done, length);
    char *piece = take_piece(data + done, end - done, length);
    status = lanner_tree_feed(builder, piece, end - done);
    drop_piece(piece, end - done, length);
  }
  return status == LANNER_OK ? lanner_tree_end(builder) : status;
}

/* --- as text --- */
static void dump_line(const struct own_node *node, size_t depth, struct bytes *into) {
  static const char *const prefixes[] = {"", "svg ", "math "};
  add_indent(into, depth);
  if (node->kind == LANNER_ELEMENT) {
    bytes_add_format(into, "<%s", prefixes[node->name_space]);
    bytes_add(into, node->name.data, node->name.length);
    bytes_add_text(into, ">\n");
    lanner_attribute *rows = calloc((size_t)node->attribute_count + 1, sizeof *rows);
    if (!rows) abort();
    for (uint32_t i = 0; i < node->attribute_count; i++) {
      const struct own_attribute *a = &node->attributes[i];
      rows[i] = (lanner_attribute){text_of(&a->name), text_of(&a->value), a->name_space, 0};
    }
    add_attribute_lines(rows, node->attribute_count, depth + 1, into);
    free(rows);
  } else if (node->kind == LANNER_COMMENT) {
    bytes_add_text(into, "<!-- ");
    bytes_add(into, node->data.data, node->data.length);
    bytes_add_text(into, " -->\n");
  } else if (node->kind == LANNER_PROCESSING_INSTRUCTION) {
    bytes_add_text(into, "<?");
    bytes_add(into, node->name.data, node->name.length);
    bytes_add_text(into, " ");
    bytes_add(into, node->data.data, node->data.length);
    bytes_add_text(into, "?>\n");
  } else {
    bytes_add_text(into, "<!DOCTYPE ");
    bytes_add(into, node->name.data, node->name.length);
    if (node->public_id.length || node->system_id.length) {
      bytes_add_text(into, " \"");
      bytes_add(into, node->public_id.data, node->public_id.length);
      bytes_add_text(into, "\" \"");
      bytes_add(into, node->system_id.data, node->system_id.length);
      bytes_add_text(into, "\"");
    }
    bytes_add_text(into, ">\n");
  }
}
void own_tree_dump(const struct own_tree *tree, bool joined, struct bytes *into) {
  const struct own_node *node = tree->root->first;
  size_t depth = 0;
  bytes_clear(into);
  bytes_add(into, "", 0);
  while (node) {
    const struct own_node *down = node->first;
    if (node->kind == LANNER_TEXT) {
      add_indent(into, depth);
      bytes_add_text(into, "\"");
      bytes_add(into, node->data.data, node->data.length);
      while (joined && node->next && node->next->kind == LANNER_TEXT) {
        node = node->next;
        bytes_add(into, node->data.data, node->data.length);
      }
      bytes_add_text(into, "\"\n");
    } else {
      dump_line(node, depth, into);
    }
    if (node->fragment) {
      add_indent(into, depth + 1);
      bytes_add_text(into, !node->fragment->shadow ? "content\n"
                           : node->fragment->open  ? "#shadow-root open\n"
                                                   : "#shadow-root closed\n");
      if (node->fragment->first) {
        node = node->fragment->first;
        depth += 2;
        continue;
      }
    }
    if (down) depth++;
    while (!down && node) {
      down = node->next;
      if (down) break;
      const struct own_node *up = node->parent;
      if (up == tree->root) {
        node = NULL;
      } else if (up->host) { /* a fragment's nodes come before its host's */
        node = up->host;
        down = node->first;
        depth -= down ? 1 : 2;
      } else {
        node = up;
        depth--;
      }
    }
    node = down;
  }
}

/* --- against a document --- */
static bool same_span(lanner_span a, lanner_span b) { return a.start == b.start && a.end == b.end; }
static bool same_string(const struct bytes *a, lanner_string b) {
  return bytes_are(a, b.data, b.length);
}
static bool same_node(const struct own_node *a, const lanner_document *document, lanner_node b) {
  if (a->kind != lanner_node_kind(document, b) ||
      a->name_space != lanner_node_namespace(document, b) ||
      !same_string(&a->name, lanner_name(document, b)) ||
      !same_string(&a->data, lanner_data(document, b)) ||
      a->attribute_count != lanner_attribute_count(document, b))
    return false;
  for (uint32_t i = 0; i < a->attribute_count; i++) {
    lanner_attribute attribute = lanner_attribute_at(document, b, i);
    if (!same_string(&a->attributes[i].name, attribute.name) ||
        !same_string(&a->attributes[i].value, attribute.value) ||
        a->attributes[i].name_space != attribute.name_space)
      return false;
  }
  return same_span(a->source, lanner_node_span(document, b)) &&
         same_span(a->end_tag, lanner_end_tag_span(document, b));
}
bool own_tree_is(const struct own_tree *tree, const lanner_document *document, const char *what) {
  lanner_node root = lanner_fragment_root(document), b = root ? root : LANNER_DOCUMENT_NODE;
  const struct own_node *a = tree->root;
  bool down = true;
  root = b;
  for (;;) {
    const struct own_node *to = NULL;
    lanner_node other = 0;
    if (down) {
      bool open = false;
      lanner_node shadow = lanner_shadow_root(document, b, &open);
      other = shadow ? shadow : lanner_template_contents(document, b);
      to = a->fragment;
      bool fine = (a == tree->root || same_node(a, document, b)) && !to == !other &&
                  (!to || (to->shadow == (shadow != 0) && to->open == open));
      if (!TEST_CHECK_MSG(fine, "%s: node %u <%.*s> is not the document's %u", what,
                          (unsigned)a->id, (int)a->name.length, a->name.data ? a->name.data : "",
                          (unsigned)b))
        return false;
      if (to) { /* the fragment, then the children */
        a = to;
        b = other;
        to = a->first;
        other = lanner_first_child(document, b);
      } else {
        to = a->first;
        other = lanner_first_child(document, b);
      }
    } else if (a == tree->root) {
      return true;
    } else if (a->host) { /* a fragment is done */
      a = a->host;
      b = lanner_host(document, b);
      to = a->first;
      other = lanner_first_child(document, b);
    } else {
      to = a->next;
      other = lanner_next_sibling(document, b);
      if (!to && !other) {
        a = a->parent;
        b = lanner_parent(document, b);
        if (a->host) continue;
        if (a == tree->root) return b == root;
        continue;
      }
    }
    if (!TEST_CHECK_MSG(!to == !other, "%s: below or behind node %u: %s", what, (unsigned)a->id,
                        to ? "more than in the document" : "less than in the document"))
      return false;
    down = to != NULL;
    if (to) {
      a = to;
      b = other;
    }
  }
}
