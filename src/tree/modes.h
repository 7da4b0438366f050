/* modes.h - actions of the modes outside "in body": document and head, tables, templates,
 * framesets, and "reset the insertion mode appropriately" (13.2.4.1). Included once an instance,
 * after actions.h; the rules are grammar/tree.
 */

/* --- document and head --- */
static NOINLINE void FN(insert_the_doctype)(struct parser *P) {
  const struct token *t = &P->token;
  u32 id = FN(op_create_doctype)(P);
  if (id) {
    FN(op_note_source)(P, id);
    FN(op_append)(P, FN(op_document)(P), id);
  }
  if (!doctype_is_conforming(P->document, t)) TREE_ERROR(P, ERROR_tree_obsolete_doctype);
  if (!FN(document_is_an_iframe_srcdoc_document)(P))
    FN(op_set_mode)(P, doctype_mode(P->document, t));
}
static NOINLINE void FN(insert_html)(struct parser *P, u32 first, u32 count) {
  u32 id = FN(op_create_element)(P, LANNER_HTML, TAG_HTML, first, count, false);
  FN(op_append)(P, FN(op_document)(P), id);
  stack_push(P->tree, P->document, id, TAG_HTML, category_of(TAG_HTML));
}
static NOINLINE void FN(insert_the_html_element)(struct parser *P) {
  FN(insert_html)(P, P->token.attribute_first, P->token.attribute_count);
  FN(op_note_source)(P, current_node(P->tree));
}
static NOINLINE void FN(insert_the_html_element_without_attributes)(struct parser *P) {
  FN(insert_html)(P, 0, 0);
}
static NOINLINE void FN(set_the_head_pointer)(struct parser *P) {
  P->tree->head = current_node(P->tree);
}
static void FN(insert_a_meta_element)(struct parser *P) {
  FN(insert_a_void_element)(P);
  TREE_META(P);
}
/* "After head": back into the head for one start tag. */
static COLD void FN(process_in_the_head)(struct parser *P) {
  struct tree *T = P->tree;
  stack_push(T, P->document, T->head, TAG_HEAD, category_of(TAG_HEAD));
  u32 position = T->top;
  FN(start_rules)(P, MODE_IN_HEAD);
  T->room = 0; /* pushed without a new node */
  if (position <= T->top && T->stack[position].word == TAG_HEAD)
    stack_remove(T, P->document, position);
}
static COLD void FN(leave_the_framesets)(struct parser *P) {
  struct tree *T = P->tree;
  if (!T->fragment && !current_is(T, TAG_FRAMESET)) T->mode = MODE_AFTER_FRAMESET;
}

/* --- "reset the insertion mode appropriately" --- */
static u32 FN(mode_inside)(struct parser *P, u32 name, bool is_context) {
  const struct tree *T = P->tree;
  switch (name) {
  case TAG_TD:
  case TAG_TH: return is_context ? MODE_IN_BODY : MODE_IN_CELL;
  case TAG_TR: return MODE_IN_ROW;
  case TAG_TBODY:
  case TAG_THEAD:
  case TAG_TFOOT: return MODE_IN_TABLE_BODY;
  case TAG_CAPTION: return MODE_IN_CAPTION;
  case TAG_COLGROUP: return MODE_IN_COLUMN_GROUP;
  case TAG_TABLE: return MODE_IN_TABLE;
  case TAG_TEMPLATE: return T->template_modes[T->template_mode_count - 1];
  case TAG_HEAD: return is_context ? MODE_IN_BODY : MODE_IN_HEAD;
  case TAG_FRAMESET: return MODE_IN_FRAMESET;
  case TAG_HTML: return T->head ? MODE_AFTER_HEAD : MODE_BEFORE_HEAD;
  default: return MODE_IN_BODY;
  }
}
static NOINLINE void FN(reset_the_insertion_mode)(struct parser *P) {
  static const uint16_t deciding[] = {TAG_TD,       TAG_TH,    TAG_TR,       TAG_TBODY,   TAG_THEAD,
                                      TAG_TFOOT,    TAG_TABLE, TAG_CAPTION,  TAG_HEAD,    TAG_BODY,
                                      TAG_COLGROUP, TAG_HTML,  TAG_TEMPLATE, TAG_FRAMESET};
  struct tree *T = P->tree;
  u32 position = 1, name = TAG_HTML;
  for (size_t i = 0; i < sizeof deciding / sizeof *deciding; i++) {
    u32 last = T->last[0][deciding[i]];
    if (last > position) position = last, name = deciding[i];
  }
  bool is_context = T->fragment && position == 1;
  if (is_context) name = T->context & ENTRY_IDENTITY;
  T->mode = (byte)FN(mode_inside)(P, name, is_context);
}

/* --- tables --- */
static u32 FN(higher)(u32 a, u32 b) { return a > b ? a : b; }

/* Pops down to what may hold the next part of a table: POSITION, a template or html. */
static void FN(clear_the_stack_back_to)(struct parser *P, u32 position) {
  position = FN(higher)(position, P->tree->last[0][TAG_TEMPLATE]);
  FN(pop_to)(P, FN(higher)(position, 1) + 1);
}
static void FN(clear_the_stack_back_to_a_table_context)(struct parser *P) {
  FN(clear_the_stack_back_to)(P, P->tree->last[0][TAG_TABLE]);
}
static void FN(clear_the_stack_back_to_a_table_body_context)(struct parser *P) {
  const u32 *last = P->tree->last[0];
  FN(clear_the_stack_back_to)
  (P, FN(higher)(last[TAG_TBODY], FN(higher)(last[TAG_TFOOT], last[TAG_THEAD])));
}
static void FN(clear_the_stack_back_to_a_table_row_context)(struct parser *P) {
  FN(clear_the_stack_back_to)(P, P->tree->last[0][TAG_TR]);
}
static void FN(close_the_caption)(struct parser *P) {
  struct tree *T = P->tree;
  FN(generate_implied_end_tags)(P);
  if (!current_is(T, TAG_CAPTION)) TREE_ERROR(P, ERROR_tree_unclosed_element);
  FN(pop_until)(P, TAG_CAPTION);
  formats_clear_to_marker(T);
  T->mode = MODE_IN_TABLE;
}
static void FN(close_the_cell)(struct parser *P) {
  struct tree *T = P->tree;
  FN(generate_implied_end_tags)(P);
  if (!current_is(T, TAG_TD) && !current_is(T, TAG_TH)) TREE_ERROR(P, ERROR_tree_unclosed_element);
  FN(pop_to)(P, FN(higher)(T->last[0][TAG_TD], T->last[0][TAG_TH]));
  formats_clear_to_marker(T);
  T->mode = MODE_IN_ROW;
}

/* "Anything else" of "in table": by the rules of "in body", with foster parenting. */
static NOINLINE void FN(foster_parent_the_start_tag)(struct parser *P) {
  TREE_ERROR(P, ERROR_tree_misplaced_in_table);
  set_foster_parenting(P->tree, true);
  FN(start_rules)(P, MODE_IN_BODY);
  set_foster_parenting(P->tree, false);
}
static NOINLINE void FN(foster_parent_the_end_tag)(struct parser *P) {
  TREE_ERROR(P, ERROR_tree_misplaced_in_table);
  set_foster_parenting(P->tree, true);
  FN(end_rules)(P, MODE_IN_BODY);
  set_foster_parenting(P->tree, false);
}
static NOINLINE void FN(foster_parent_the_characters)(struct parser *P) {
  TREE_ERROR(P, ERROR_tree_misplaced_in_table);
  set_foster_parenting(P->tree, true);
  FN(body_characters)(P, P->tree->characters);
  set_foster_parenting(P->tree, false);
}

/* --- pending table character tokens --- */
static NOINLINE void FN(begin_the_pending_characters)(struct parser *P) {
  struct tree *T = P->tree;
  T->pending_count = 0;
  T->pending_text = false;
  T->original_mode = T->mode;
}
static NOINLINE void FN(add_to_the_pending_characters)(struct parser *P) {
  struct tree *T = P->tree;
  slice s = T->characters;
  T->pending_text = T->pending_text || leading_space(P->document, s) < s.length;
  if (!OPS_KEEP_TEXT) {
    T->pending_count = 1;
    T->pending[0] = (slice){0, 0, false};
    return;
  }
  if (T->pending_count) {
    slice *before = &T->pending[T->pending_count - 1];
    if (before->string == s.string && before->offset + before->length == s.offset) {
      before->length += s.length;
      return;
    }
  }
  if (T->pending_count == T->pending_capacity && !pending_grow(T, P->document)) {
    stop_for_memory(P);
    return;
  }
  T->pending[T->pending_count++] = s;
}
static NOINLINE void FN(insert_the_pending_characters)(struct parser *P) {
  struct tree *T = P->tree;
  if (T->pending_text) TREE_ERROR(P, ERROR_tree_misplaced_in_table);
#if CHECKED
  /* Where decoded runs came from is not kept. */
  T->behind_pending = P->token.start;
  P->token.start = T->source_end = 0;
#endif
  u32 done = 0;
  while (done < T->pending_count) {
    if (!FN(op_reserve)(P, 1)) {
      stop_for_memory(P);
      break;
    }
    T->characters = T->pending[done++];
    if (!T->pending_text) {
      FN(insert_the_characters)(P);
      continue;
    }
    set_foster_parenting(T, true);
    FN(body_characters)(P, T->characters);
    set_foster_parenting(T, false);
  }
  /* What is left goes in when the document is completed. */
  T->pending_count -= done;
  memmove(T->pending, T->pending + done, T->pending_count * sizeof *T->pending);
#if CHECKED
  P->token.start = T->behind_pending;
  T->behind_pending = 0;
#endif
}

/* --- templates --- */
INLINE void FN(insert_a_marker)(struct parser *P) { formats_marker(P->tree); }
INLINE void FN(clear_the_formatting_list_to_the_last_marker)(struct parser *P) {
  formats_clear_to_marker(P->tree);
}
static COLD void FN(insert_a_template)(struct parser *P) {
  const struct token *t = &P->token;
  u32 id = FN(op_create_element)(P, LANNER_HTML, TAG_TEMPLATE, t->attribute_first,
                                 t->attribute_count, false);
  u32 contents = FN(op_create_contents)(P, id, 0);
  FN(op_note_source)(P, id);
  FN(insert_node)(P, id);
  stack_push(P->tree, P->document, contents, TAG_TEMPLATE, category_of(TAG_TEMPLATE));
}
static COLD bool FN(begin_a_patch)(struct parser *P) {
  struct tree *T = P->tree;
  u32 scope = FN(appropriate_place)(P, T->top).parent;
  bool in_body = !T->fragment && FN(body_is_the_second_element)(P) && scope == T->stack[2].node;
  return FN(op_begin_patch)(P, scope, in_body);
}
static COLD void FN(start_a_template)(struct parser *P) {
  struct tree *T = P->tree;
  /* Without room for its mode there is no template: each on the stack has one. */
  if (T->template_mode_count == T->template_mode_capacity && !template_modes_grow(T, P->document)) {
    stop_for_memory(P);
    return;
  }
  formats_marker(T);
  T->frameset_ok = false;
  T->mode = MODE_IN_TEMPLATE;
  T->template_modes[T->template_mode_count++] = MODE_IN_TEMPLATE;
  if (FN(op_attach_shadow)(P)) return;
  if (token_attribute(P, ATTR_FOR) && FN(begin_a_patch)(P)) return;
  FN(insert_a_template)(P);
}
static COLD void FN(leave_the_template)(struct parser *P) {
  struct tree *T = P->tree;
  FN(pop_until)(P, TAG_TEMPLATE);
  formats_clear_to_marker(T);
  T->template_mode_count--;
  FN(reset_the_insertion_mode)(P);
}
static COLD void FN(end_a_template)(struct parser *P) {
  struct tree *T = P->tree;
  FN(op_end_patch)(P);
  FN(imply_end_tags_thoroughly)(P);
  if (!current_is(T, TAG_TEMPLATE)) TREE_ERROR(P, ERROR_tree_unclosed_element);
  FN(leave_the_template)(P);
}
static COLD void FN(leave_the_template_at_the_end)(struct parser *P) {
  FN(op_end_patch)(P);
  FN(leave_the_template)(P);
}
