/* ops_table.h - operations of the tree builder on a foreign tree, by the user's functions
 * (lanner_tree.h). The same functions as ops_document.h, where they are explained. The document
 * behind it holds the text, the names and the attributes of tokens, no nodes. Included once.
 */

#undef OPS_KEEP_TEXT
#define OPS_KEEP_TEXT 1

INLINE struct table *FN(table)(struct parser *P) { return P->document->table; }

INLINE bool FN(op_reserve)(struct parser *P, u32 nodes) {
  return table_reserve(P->document, nodes);
}
INLINE u32 FN(op_made)(const struct parser *P) { return P->document->table->nodes; }
INLINE u32 FN(op_room)(const struct parser *P) {
  const lanner_document *d = P->document;
  u64 made = (u64)d->table->nodes + 1, most = (u64)d->node_limit + NODE_LIMIT_SPARE;
  if (!d->node_limit || most > made + 4096) return 4096;
  return most > made ? (u32)(most - made) : 0;
}
INLINE bool FN(op_at_limit)(const struct parser *P) {
  const lanner_document *d = P->document;
  return d->node_limit && d->table->nodes > d->node_limit;
}
INLINE u32 FN(op_document)(struct parser *P) { return FN(table)(P)->root; }
INLINE bool FN(op_is_document)(struct parser *P, u32 id) {
  return id == FN(table)(P)->root && !P->tree->fragment;
}

/* --- source spans --- */
static lanner_span FN(span)(struct parser *P, u32 start, u32 end) {
  return (lanner_span){(u32)offset_of(P, P->base + start), (u32)offset_of(P, P->base + end)};
}
static void FN(note_token)(struct parser *P, u32 id, bool end_tag) {
  struct table *t = FN(table)(P);
  if (!(P->flags & LANNER_SPANS) || !t->ops.note_source || t->failed) return;
  lanner_span span = FN(span)(P, P->token.start, (u32)(P->cursor - P->base));
  table_check(P->document, t->ops.note_source(t->tree, id, span, end_tag));
}
INLINE void FN(op_note_source)(struct parser *P, u32 id) { FN(note_token)(P, id, false); }
INLINE void FN(op_note_end)(struct parser *P, u32 id) { FN(note_token)(P, id, true); }

/* --- making nodes --- */

/* Attributes as functions get them; NULL, and the parse stops: memory. */
static const lanner_attribute *FN(rows)(struct parser *P, u32 first, u32 *count) {
  lanner_document *d = P->document;
  struct table *t = d->table;
  if (*count > t->row_capacity) {
    u32 capacity = *count + *count / 2 + 8;
    void *rows = heap_resize(&d->heap, t->rows, t->row_capacity * sizeof *t->rows,
                             capacity * sizeof *t->rows);
    if (!rows) {
      stop_for_memory(P);
      *count = 0;
      return NULL;
    }
    t->rows = rows;
    t->row_capacity = capacity;
  }
  for (u32 i = 0; i < *count; i++) {
    const attribute *a = &d->attributes[first + i];
    u32 space = (a->name & ATTRIBUTE_NAMESPACE) >> ATTRIBUTE_NAMESPACE_SHIFT;
    t->rows[i] = (lanner_attribute){store_name(d, attribute_name(a)), attribute_value(d, a),
                                    (lanner_attribute_namespace)space, attribute_name(a)};
  }
  return t->rows;
}

/* The form owner that the parser gives to a new element of the token ("create an element for the
 * token", the last steps). */
static u32 FN(form_owner)(struct parser *P, u32 name, u32 first, u32 count) {
  const struct tree *T = P->tree;
  switch (name) {
  case TAG_BUTTON:
  case TAG_FIELDSET:
  case TAG_INPUT:
  case TAG_OBJECT:
  case TAG_OUTPUT:
  case TAG_SELECT:
  case TAG_TEXTAREA: break;
  case TAG_IMG: count = 0; break; /* is not "listed": its form attribute means nothing */
  default:
    if (!is_custom_name(P->document, name)) return 0;
  }
  if (T->form == FORM_OUTSIDE || is_open(T, TAG_TEMPLATE)) return 0;
  for (u32 i = first; i < first + count; i++)
    if (attribute_name(&P->document->attributes[i]) == ATTR_FORM) return 0;
  return T->form;
}

static u32 FN(op_create_element)(struct parser *P, u32 space, u32 name, u32 first, u32 count,
                                 bool shared) {
  lanner_document *d = P->document;
  struct table *t = d->table;
  lanner_element_init init = {(lanner_namespace)space, {NULL, 0}, name, count, NULL, 0};
  (void)shared;
  if (t->failed) return TABLE_NO_NODE;
  if (count) init.attributes = FN(rows)(P, first, &init.attribute_count);
  if (UNLIKELY(P->tree->form != 0) && space == LANNER_HTML)
    init.form = FN(form_owner)(P, name, first, count);
  init.name = store_name(d, name);
  u32 id = table_made(d, t->ops.create_element(t->tree, &init));
  if (space == LANNER_SVG && name == TAG_SCRIPT && P->token.self_closing) t->script = id;
  return id;
}

/* A template's contents; what its children go into is kept with it for op_level_above. */
static COLD u32 FN(op_create_contents)(struct parser *P, u32 element, u32 flags) {
  struct tree *T = P->tree;
  lanner_document *d = P->document;
  struct table *t = d->table;
  u32 contents = table_contents(t, element), index = T->template_mode_count - 1;
  (void)flags;
  if (!contents)
    contents = element;
  else
    t->nodes++;
  if (index >= t->template_capacity) {
    u32 capacity = 2 * index + 16;
    void *rows = heap_resize(&d->heap, t->templates, t->template_capacity * sizeof *t->templates,
                             capacity * sizeof *t->templates);
    if (!rows) {
      stop_for_memory(P);
      return contents;
    }
    t->templates = rows;
    memset(t->templates + t->template_capacity, 0,
           (capacity - t->template_capacity) * sizeof *t->templates);
    t->template_capacity = capacity;
  }
  t->templates[index] = (struct table_template){contents, element};
  return contents;
}
INLINE u32 FN(op_create_fragment)(struct parser *P) { return FN(table)(P)->root; }
/* A template as context has a template insertion mode and is not in the tree. */
static NOINLINE void FN(op_set_root)(struct parser *P, u32 root) {
  struct table *t = FN(table)(P);
  (void)root;
  if (t->template_capacity) t->templates[0] = (struct table_template){0, 0};
}

static lanner_string FN(string)(struct parser *P, slice s) {
  return slice_string(P->document, s.offset, s.length, s.string);
}
static u32 FN(op_create_comment)(struct parser *P) {
  struct table *t = FN(table)(P);
  if (t->failed) return TABLE_NO_NODE;
  return table_made(P->document, t->ops.create_comment(t->tree, FN(string)(P, P->token.data)));
}
/* 0: the tree has no such nodes. */
static COLD u32 FN(op_create_pi)(struct parser *P) {
  struct table *t = FN(table)(P);
  if (!t->ops.create_processing_instruction || t->failed) return 0;
  lanner_string target = store_name(P->document, P->token.name);
  return table_made(P->document, t->ops.create_processing_instruction(
                                     t->tree, target, FN(string)(P, P->token.data)));
}
static NOINLINE u32 FN(op_create_doctype)(struct parser *P) {
  struct table *t = FN(table)(P);
  const struct token *token = &P->token;
  lanner_string missing = {NULL, 0}, name = missing, public_id = missing, system_id = missing;
  if (!t->ops.create_doctype || t->failed) return 0;
  if (token->has_name) name = FN(string)(P, token->doctype_name);
  if (token->has_public) public_id = FN(string)(P, token->public_id);
  if (token->has_system) system_id = FN(string)(P, token->system_id);
  return table_made(P->document, t->ops.create_doctype(t->tree, name, public_id, system_id));
}

/* --- placing --- */
INLINE void FN(op_insert)(struct parser *P, u32 parent, u32 child, u32 reference) {
  table_insert(P->document, parent, child, reference);
}
INLINE void FN(op_append)(struct parser *P, u32 parent, u32 child) {
  table_insert(P->document, parent, child, 0);
}
INLINE void FN(op_remove)(struct parser *P, u32 child) { table_remove(P->document, child); }
static void FN(op_move_children)(struct parser *P, u32 from, u32 to) {
  struct table *t = FN(table)(P);
  t->text_parent = 0;
  if (!t->failed) table_check(P->document, t->ops.move_children(t->tree, from, to));
}
static void FN(op_insert_text)(struct parser *P, u32 parent, u32 reference, slice text) {
  struct table *t = FN(table)(P);
  lanner_span span = {0, 0};
  if (t->failed) return;
  if (parent != t->text_parent || reference != t->text_before) t->nodes++;
  t->text_parent = parent;
  t->text_before = reference;
  if (P->flags & LANNER_SPANS) {
    u32 start = text.string ? P->token.start : text.offset;
    u32 end = text.string ? P->tree->source_end : text.offset + text.length;
    if (end) span = FN(span)(P, start, end);
  }
  table_check(P->document,
              t->ops.insert_text(t->tree, parent, reference, FN(string)(P, text), span));
}
INLINE bool FN(op_append_text)(struct parser *P, u32 parent, slice text) {
  FN(op_insert_text)(P, parent, 0, text);
  return true;
}

/* --- questions --- */
INLINE u32 FN(op_parent)(struct parser *P, u32 id) { return table_parent(FN(table)(P), id); }
static COLD u32 FN(op_contents)(struct parser *P, u32 id) {
  u32 contents = table_contents(FN(table)(P), id);
  return contents ? contents : id;
}
/* The contents of an open template know their template, which is the last one, but for a patch of
 * it and a template that is just being inserted. Nothing is above the root. */
static COLD u32 FN(op_level_above)(struct parser *P, u32 place) {
  struct table *t = FN(table)(P);
  u32 count = P->tree->template_mode_count, id = place, parent;
  for (u32 i = count; i > 0 && i + 3 > count; i--)
    if (i <= t->template_capacity && t->templates[i - 1].contents == place)
      id = t->templates[i - 1].element;
  parent = table_parent(t, id);
  return parent ? parent : place;
}
/* An insertion that would make a cycle is left out by the tree itself. */
INLINE bool FN(op_was_changed)(struct parser *P) {
  (void)P;
  return false;
}
INLINE bool FN(op_is_inside)(struct parser *P, u32 id, u32 ancestor) {
  (void)P;
  (void)id;
  (void)ancestor;
  return false;
}

/* --- the document --- */
static COLD void FN(op_set_mode)(struct parser *P, lanner_mode mode) {
  lanner_document *d = P->document;
  struct table *t = d->table;
  if (mode != d->mode && t->ops.set_mode && !t->failed)
    table_check(d, t->ops.set_mode(t->tree, mode));
  d->mode = mode;
}
INLINE lanner_mode FN(op_mode)(struct parser *P) { return P->document->mode; }

/* The token's attributes are of no use. */
INLINE void FN(op_drop_attributes)(struct parser *P) {
  lanner_document *d = P->document;
  if (d->attribute_count == P->token.attribute_first + P->token.attribute_count)
    d->attribute_count = P->token.attribute_first;
}
static COLD void FN(op_add_attributes)(struct parser *P, u32 element, u32 which) {
  struct table *t = FN(table)(P);
  u32 count = P->token.attribute_count;
  (void)which;
  if (count && t->ops.add_attributes && !t->failed) {
    const lanner_attribute *rows = FN(rows)(P, P->token.attribute_first, &count);
    if (rows) table_check(P->document, t->ops.add_attributes(t->tree, element, rows, count));
  }
  FN(op_drop_attributes)(P);
}

/* --- selectedcontent --- */
static NOINLINE void FN(op_option_popped)(struct parser *P, u32 id) {
  struct tree *T = P->tree;
  struct table *t = FN(table)(P);
  if (t->failed) return;
  if (t->ops.option_popped)
    table_check(P->document, t->ops.option_popped(t->tree, id));
  else if (T->choice_count && !option_popped(T, P->document, id))
    stop_for_memory(P);
}
static COLD void FN(op_selectedcontent)(struct parser *P) {
  struct table *t = FN(table)(P);
  if (!t->reads || t->ops.option_popped || t->failed) return;
  if (!selectedcontent_inserted(P->tree, P->document)) stop_for_memory(P);
}

/* --- shadow roots --- */
static COLD bool FN(op_attach_shadow)(struct parser *P) {
  struct tree *T = P->tree;
  lanner_document *d = P->document;
  struct table *t = d->table;
  u32 count = P->token.attribute_count, root = 0, index = T->template_mode_count - 1;
  bool open;
  if (!t->ops.attach_shadow || t->failed || !wants_shadow(P, &open)) return false;
  const lanner_attribute *rows = FN(rows)(P, P->token.attribute_first, &count);
  if (!rows) return false;
  if (!t->ops.attach_shadow(t->tree, current_node(T), open, rows, count, &root)) table_fail(d);
  if (t->failed || !root) return false;
  t->nodes++;
  if (index < t->template_capacity) t->templates[index] = (struct table_template){0, 0};
  stack_push(T, d, root, TAG_TEMPLATE, category_of(TAG_TEMPLATE));
  FN(op_drop_attributes)(P);
  return true;
}

/* --- patches --- */
static COLD void FN(op_note_marker)(struct parser *P, u32 id, bool usual) {
  if (FN(table)(P)->reads) note_marker(P, id, usual);
}
INLINE void FN(op_place_in_patch)(struct parser *P, u32 position, u32 *parent, u32 *reference) {
  place_in_patch(P, position, parent, reference);
}
static COLD bool FN(op_begin_patch)(struct parser *P, u32 scope, bool in_body) {
  struct table *t = FN(table)(P);
  u32 index = P->tree->template_mode_count - 1;
  if (!t->reads || t->failed || !begin_patch(P, scope, in_body)) return false;
  if (index < t->template_capacity) t->templates[index] = (struct table_template){0, 0};
  FN(op_drop_attributes)(P);
  return true;
}
INLINE void FN(op_end_patch)(struct parser *P) { end_patch(P); }
