/* actions.h - actions and conditions of the rule tables that several modes share, and those of
 * "in body" but for formatting (adoption.h) and foreign elements (foreign.h). Named by the
 * Standard's phrases; the rules are grammar/tree, section 13.2.6.4. Included once an instance,
 * after insert.h.
 */

static void FN(start_rules)(struct parser *P, u32 mode);
static void FN(end_rules)(struct parser *P, u32 mode);
static void FN(other_rules)(struct parser *P, u32 mode, u32 kind);

/* --- conditions --- */
INLINE bool FN(scripting_is_enabled)(struct parser *P) { return P->tree->scripting; }
INLINE bool FN(fragment_case)(struct parser *P) { return P->tree->fragment; }
INLINE bool FN(frameset_is_ok)(struct parser *P) { return P->tree->frameset_ok; }
INLINE bool FN(context_is_select)(struct parser *P) {
  return (P->tree->context & ENTRY_IDENTITY) == TAG_SELECT;
}
INLINE bool FN(template_modes_are_in_use)(struct parser *P) {
  return P->tree->template_mode_count != 0;
}
INLINE bool FN(document_is_in_quirks_mode)(struct parser *P) {
  return FN(op_mode)(P) == LANNER_QUIRKS;
}
/* Or plain text: "parser cannot change the mode". */
INLINE bool FN(document_is_an_iframe_srcdoc_document)(struct parser *P) {
  return (P->flags & (LANNER_SRCDOC | LANNER_PLAINTEXT)) != 0;
}
/* The body element never moves on the stack. */
INLINE bool FN(body_is_the_second_element)(struct parser *P) {
  return P->tree->last[0][TAG_BODY] == 2;
}
/* "Parsing template contents" (section 13.2.4.4 as of 2026). */
INLINE bool FN(parsing_template_contents)(struct parser *P) {
  return is_open(P->tree, TAG_TEMPLATE) || (P->tree->context & ENTRY_IDENTITY) == TAG_TEMPLATE;
}
INLINE bool FN(a_form_is_open_already)(struct parser *P) {
  return P->tree->form && !FN(parsing_template_contents)(P);
}

static bool FN(the_input_is_hidden)(struct parser *P) {
  return value_is(P, token_attribute(P, ATTR_TYPE), "hidden");
}

/* --- shared actions --- */
INLINE void FN(ignore_attributes)(struct parser *P) { FN(op_drop_attributes)(P); }
INLINE void FN(skip_the_next_line_feed)(struct parser *P) { P->skip_line_feed = true; }
static NOINLINE void FN(enter_quirks_mode)(struct parser *P) { FN(op_set_mode)(P, LANNER_QUIRKS); }
INLINE void FN(return_to_the_original_mode)(struct parser *P) {
  P->tree->mode = P->tree->original_mode;
}
INLINE void FN(acknowledge)(struct parser *P) { P->tree->self_closing_done = true; }
static COLD void FN(tokenize_plaintext)(struct parser *P) { P->next_state = STATE_plaintext; }

/* "Close a p element". */
static NOINLINE void FN(close_a_p_element)(struct parser *P) {
  FN(imply_end_tags_except)(P, TAG_P);
  if (!current_is(P->tree, TAG_P)) TREE_ERROR(P, ERROR_tree_unclosed_element);
  FN(pop_until)(P, TAG_P);
}
INLINE void FN(close_a_p_element_in_button_scope)(struct parser *P) {
  if (in_button_scope(P->tree, TAG_P)) FN(close_a_p_element)(P);
}

/* "Generate implied end tags" and pop down to the element that the end tag names. */
static NOINLINE void FN(close_the_element)(struct parser *P) {
  FN(generate_implied_end_tags)(P);
  if (!current_is(P->tree, P->token.name)) TREE_ERROR(P, ERROR_tree_unclosed_element);
  FN(pop_until)(P, P->token.name);
}
/* The same for li, dd and dt, which have implied end tags themselves. */
static void FN(close_the_item)(struct parser *P) {
  FN(imply_end_tags_except)(P, P->token.name);
  if (!current_is(P->tree, P->token.name)) TREE_ERROR(P, ERROR_tree_unclosed_element);
  FN(pop_until)(P, P->token.name);
}

/* The position of the last open heading. */
static u32 FN(last_heading)(const struct tree *T) {
  u32 position = 0;
  for (u32 name = TAG_H1; name <= TAG_H6; name++)
    if (T->last[0][name] > position) position = T->last[0][name];
  return position;
}
static void FN(close_the_heading)(struct parser *P) {
  FN(generate_implied_end_tags)(P);
  if (!current_is(P->tree, P->token.name)) TREE_ERROR(P, ERROR_tree_unclosed_element);
  FN(pop_to)(P, FN(last_heading)(P->tree));
}
INLINE void FN(leave_a_heading)(struct parser *P) {
  u32 word = current_entry(P->tree)->word;
  if (word >= TAG_H1 && word <= TAG_H6) {
    TREE_ERROR(P, ERROR_tree_nested_element);
    FN(pop)(P);
  }
}

/* --- list items: what an li, dd or dt start tag closes --- */
static void FN(close_items)(struct parser *P, u32 name, u32 other) {
  struct tree *T = P->tree;
  u32 position = last_stop(T, T->top);
  u32 word = T->stack[position].word;
  if (word != name && word != other) return;
  FN(imply_end_tags_except)(P, word);
  if (T->top != position) TREE_ERROR(P, ERROR_tree_unclosed_element);
  FN(pop_to)(P, position);
}
static void FN(close_list_items)(struct parser *P) { FN(close_items)(P, TAG_LI, TAG_LI); }
static void FN(close_description_items)(struct parser *P) { FN(close_items)(P, TAG_DD, TAG_DT); }

/* --- "any other end tag" --- */
static NOINLINE void FN(close_any_other_element)(struct parser *P) {
  struct tree *T = P->tree;
  u32 name = P->token.name;
  u32 position = *last_position(T, P->document, name);
  if (position == 0 || position < last_special(T, T->top)) {
    TREE_ERROR(P, ERROR_tree_unmatched_end_tag);
    return;
  }
  FN(imply_end_tags_except)(P, name);
  if (T->top != position) TREE_ERROR(P, ERROR_tree_unclosed_element);
  FN(pop_to)(P, position);
}

/* --- html and body --- */
static COLD void FN(add_the_attributes_to_the_html_element)(struct parser *P) {
  if (!P->tree->fragment)
    FN(op_add_attributes)(P, P->tree->stack[1].node, 0);
  else
    FN(op_drop_attributes)(P);
}
static COLD void FN(add_the_attributes_to_the_body_element)(struct parser *P) {
  FN(op_add_attributes)(P, P->tree->stack[2].node, 1);
}
static NOINLINE void FN(end_the_body)(struct parser *P) {
#if CHECKED
  FN(op_note_end)(P, P->tree->stack[2].node);
#else
  (void)P;
#endif
}
static NOINLINE void FN(end_the_html_element)(struct parser *P) {
#if CHECKED
  FN(op_note_end)(P, P->tree->stack[1].node);
#else
  (void)P;
#endif
}
static COLD void FN(replace_the_body_by_a_frameset)(struct parser *P) {
  FN(op_remove)(P, P->tree->stack[2].node);
  FN(pop_to)(P, 2);
  FN(insert_an_element)(P);
}
/* At the end of body, html or the input: open elements that need an end tag are an error. Once
 * is enough, since a second end tag of body is an error anyway. */
static void FN(check_that_all_may_stay_open)(struct parser *P) {
#if CHECKED
  struct tree *T = P->tree;
  if (T->body_end_checked) return;
  T->body_end_checked = true;
  for (u32 i = T->top; i > 0; i--) {
    u32 word = T->stack[i].word & ENTRY_IDENTITY;
    if (T->stack[i].node && !(word < ELEMENT_NAMES && (element_category[word] & CATEGORY_END_OK))) {
      TREE_ERROR(P, ERROR_tree_open_at_end);
      return;
    }
  }
#else
  (void)P;
#endif
}
/* "Stop parsing": all nodes leave the stack. */
static NOINLINE void FN(stop_parsing)(struct parser *P) {
  struct tree *T = P->tree;
  FN(pop_to)(P, 1);
  T->clean = T->stopped = true;
}

/* --- forms --- */
static NOINLINE void FN(insert_a_form)(struct parser *P) {
  struct tree *T = P->tree;
  u32 id = FN(insert_token)(P, category_of(TAG_FORM), false);
  if (FN(parsing_template_contents)(P)) return;
  T->form = id;
  T->form_position = T->top;
}
static NOINLINE void FN(end_a_form)(struct parser *P) {
  struct tree *T = P->tree;
  u32 position;
  if (FN(parsing_template_contents)(P)) {
    if (in_scope(T, TAG_FORM))
      FN(close_the_element)(P);
    else
      TREE_ERROR(P, ERROR_tree_unmatched_end_tag);
    return;
  }
  position = T->form_position;
  bool open = T->form && position && position <= T->top && T->stack[position].node == T->form;
  T->form = 0;
  if (!open || position <= T->stack[T->top].scope) {
    TREE_ERROR(P, ERROR_tree_unmatched_end_tag);
    return;
  }
  FN(generate_implied_end_tags)(P);
  if (T->top == position) {
    FN(pop)(P);
    return;
  }
  TREE_ERROR(P, ERROR_tree_unclosed_element);
  stack_remove(T, P->document, position);
}

/* --- select, option, optgroup, hr, input --- */
static void FN(close_options)(struct parser *P, u32 except) {
  struct tree *T = P->tree;
  if (in_scope(T, TAG_SELECT)) {
    FN(imply_end_tags_except)(P, except);
    if (in_scope(T, TAG_OPTION) || (!except && in_scope(T, TAG_OPTGROUP)))
      TREE_ERROR(P, ERROR_tree_unclosed_element);
  } else if (current_is(T, TAG_OPTION)) {
    FN(pop)(P);
  }
}
static void FN(close_options_for_option)(struct parser *P) { FN(close_options)(P, TAG_OPTGROUP); }
static void FN(close_options_for_optgroup)(struct parser *P) { FN(close_options)(P, TAG_NONE); }
static void FN(close_options_for_hr)(struct parser *P) {
  if (in_scope(P->tree, TAG_SELECT)) FN(close_options)(P, TAG_NONE);
}
INLINE void FN(leave_a_select)(struct parser *P) {
  if (!in_scope(P->tree, TAG_SELECT)) return;
  TREE_ERROR(P, ERROR_tree_nested_element);
  FN(pop_until)(P, TAG_SELECT);
}
static void FN(insert_an_input)(struct parser *P) {
  if (!FN(the_input_is_hidden)(P)) P->tree->frameset_ok = false;
  FN(insert_a_void_element)(P);
}

static COLD void FN(fill_the_selectedcontent_element)(struct parser *P) {
  FN(op_selectedcontent)(P);
}

/* --- ruby --- */
static void FN(close_ruby)(struct parser *P, u32 except) {
  struct tree *T = P->tree;
  if (!in_scope(T, TAG_RUBY)) return;
  FN(imply_end_tags_except)(P, except);
  if (!current_is(T, TAG_RUBY) && !(except && current_is(T, except)))
    TREE_ERROR(P, ERROR_tree_unclosed_element);
}
static void FN(close_ruby_for_rb)(struct parser *P) { FN(close_ruby)(P, TAG_NONE); }
static void FN(close_ruby_for_rt)(struct parser *P) { FN(close_ruby)(P, TAG_RTC); }

static COLD void FN(rename_the_token_to_img)(struct parser *P) { P->token.name = TAG_IMG; }

/* --- text only elements --- */
static void FN(parse_text)(struct parser *P, u32 state) {
  struct tree *T = P->tree;
  FN(insert_an_element_inline)(P);
  P->next_state = (uint16_t)state;
  T->original_mode = T->mode;
  T->mode = MODE_TEXT;
}
static NOINLINE void FN(parse_raw_text)(struct parser *P) { FN(parse_text)(P, STATE_rawtext); }
static NOINLINE void FN(parse_rcdata)(struct parser *P) { FN(parse_text)(P, STATE_rcdata); }
static NOINLINE void FN(insert_a_script)(struct parser *P) { FN(parse_text)(P, STATE_script_data); }
static void FN(insert_a_textarea)(struct parser *P) {
  P->skip_line_feed = true;
  P->tree->frameset_ok = false;
  FN(parse_text)(P, STATE_rcdata);
}
