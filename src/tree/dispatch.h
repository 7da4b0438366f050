/* dispatch.h - the tree construction dispatcher (13.2.6): from the tokenizer's calls to the rules
 * of the current insertion mode or of foreign content; beginning and end of a parse. Included once
 * an instance, last; tree_rules.inc is printed from grammar/tree.
 */

#include "tree_rules.inc"

/* Room for whatever one token can make; what is not bounded reserves by itself. One test for all
 * three, so that the compiler sees one unlikely branch. */
static COLD bool FN(reserve_more)(struct parser *P) {
  lanner_document *d = P->document;
  if (FN(op_reserve)(P, 64) && stack_reserve(P->tree, d, 16) && formats_reserve(P->tree, d))
    return true;
  stop_for_memory(P);
  return false;
}
INLINE bool FN(reserve)(struct parser *P) {
  const struct tree *T = P->tree;
  bool room = (T->top + 16 < T->capacity) & (T->format_used + 8 < T->format_capacity);
  room &= FN(op_has_room)(P);
  /* Written like this, gcc keeps what follows out of the cold section. */
  if (UNLIKELY(!room)) return FN(reserve_more)(P);
  return true;
}

/* --- characters --- */

/* A run of characters outside "in body": white space and other text may have different rules. */
static NOINLINE void FN(characters_by_mode)(struct parser *P, slice s) {
  struct tree *T = P->tree;
  lanner_document *d = P->document;
  for (;;) {
    const uint8_t *rules = other_rule[T->mode];
    slice run = s;
    u32 kind = KIND_TEXT;
    if (rules[KIND_TEXT] != rules[KIND_WHITESPACE] && rules[KIND_TEXT] != RULE_BODY_TEXT) {
      run.length = leading_space(d, s);
      if (run.length) kind = KIND_WHITESPACE;
      else run.length = leading_text(d, s);
    }
    T->characters = run;
#if CHECKED
    if (!run.string) {
      P->token.start = run.offset;
      T->run_end = run.offset + run.length;
    }
#endif
    if (rules[KIND_TEXT] == RULE_BODY_TEXT) FN(body_characters)(P);
    else FN(other_rules)(P, T->mode, kind);
    s.offset += run.length;
    s.length -= run.length;
    if (s.length == 0 || P->stop || !FN(reserve)(P)) return;
  }
}

/* Characters without U+0000. */
static HOT void FN(tree_characters)(struct parser *P, slice s) {
  struct tree *T = P->tree;
  if (UNLIKELY(P->skip_line_feed)) {
    P->skip_line_feed = false;
    if (*slice_bytes(P->document, s.offset, s.string) == '\n') {
      s.offset++;
#if CHECKED
      P->token.start++;
#endif
      if (--s.length == 0) return;
    }
  }
  if (UNLIKELY(!FN(reserve)(P))) return;
  T->characters = s;
  if (UNLIKELY(!FN(in_html)(T)) && FN(foreign_takes_characters)(P)) {
    FN(foreign_characters)(P);
    return;
  }
  if (LIKELY(other_rule[T->mode][KIND_TEXT] == RULE_BODY_TEXT)) FN(body_characters)(P);
  else FN(characters_by_mode)(P, s);
}

#if CHECKED
/* The same with the run's place in the source, from START to END. */
static void FN(tree_characters_at)(struct parser *P, slice s, const byte *start,
                                   const byte *end) {
  P->token.start = (u32)(start - P->base);
  P->tree->source_end = P->tree->run_end = (u32)(end - P->base);
  FN(tree_characters)(P, s);
  P->tree->run_end = 0;
}
#endif

/* COUNT times U+0000. */
static COLD void FN(tree_nulls)(struct parser *P, u32 count) {
  struct tree *T = P->tree;
  P->skip_line_feed = false;
#if CHECKED
  T->source_end = (u32)(P->cursor - P->base);
  P->token.start = T->source_end - count;
  T->run_end = T->source_end;
#endif
  if (!FN(reserve)(P)) return;
  if (FN(foreign_takes_characters)(P)) FN(foreign_nulls)(P, count);
  else FN(other_rules)(P, T->mode, KIND_NULL);
  T->run_end = 0;
}

/* --- tags --- */
static HOT void FN(tree_start_tag)(struct parser *P) {
  struct tree *T = P->tree;
  P->skip_line_feed = false;
  if (UNLIKELY(!FN(reserve)(P))) return;
#if CHECKED
  T->self_closing_done = false;
#endif
  if (UNLIKELY(!FN(in_html)(T)) && FN(foreign_takes_start_tag)(P)) FN(foreign_start_tag)(P);
  else FN(start_rules)(P, T->mode);
#if CHECKED
  if (P->token.self_closing && !T->self_closing_done)
    TREE_ERROR(P, ERROR_non_void_html_element_start_tag_with_trailing_solidus);
#endif
}

static NOINLINE void FN(end_tag_by_mode)(struct parser *P) {
  struct tree *T = P->tree;
  if (UNLIKELY(!FN(reserve)(P))) return;
#if CHECKED
  T->closing = P->token.name;
#endif
  if (is_foreign(FN(adjusted_current)(P))) FN(foreign_end_tag)(P);
  else FN(end_rules)(P, T->mode);
#if CHECKED
  T->closing = 0;
#endif
}

/* The short way: the end tag names the current node, which then has no implied end tags above and
 * is in every scope, in a mode that uses the rules of "in body". */
static HOT void FN(tree_end_tag)(struct parser *P) {
  struct tree *T = P->tree;
  u32 name = P->token.name;
  struct open_element *e = current_entry(T);
  P->skip_line_feed = false;
  if (LIKELY(e->word == name)) {
    if (LIKELY(end_rule[T->mode][0] == RULE_BODY_END)) {
      u32 category = category_of(name);
      u32 format = e->format;
      if (LIKELY(!(category & (CATEGORY_FORMATTING | CATEGORY_HOOK | CATEGORY_SCOPE |
                               CATEGORY_RESET)))) {
#if CHECKED
        FN(op_note_end)(P, e->node);
#endif
        stack_pop(T, P->document);
        return;
      }
      if (LIKELY((category & CATEGORY_FORMATTING) &&
                 (format == 0 || format == last_formatting(T, name)))) {
#if CHECKED
        FN(op_note_end)(P, e->node);
#endif
        stack_pop(T, P->document);
        if (format) formats_remove(T, format);
        return;
      }
    } else if (T->mode == MODE_TEXT) {
#if CHECKED
      FN(op_note_end)(P, e->node);
#endif
      stack_pop(T, P->document);
      T->mode = T->original_mode;
      return;
    }
  }
  FN(end_tag_by_mode)(P);
}

/* --- other tokens --- */
static void FN(tree_comment)(struct parser *P) {
  P->skip_line_feed = false;
  if (!FN(reserve)(P)) return;
  if (is_foreign(FN(adjusted_current)(P))) FN(insert_a_comment)(P);
  else FN(other_rules)(P, P->tree->mode, KIND_COMMENT);
}
static COLD void FN(tree_pi)(struct parser *P) {
  P->skip_line_feed = false;
  if (!FN(reserve)(P)) return;
  if (is_foreign(FN(adjusted_current)(P))) FN(insert_a_processing_instruction)(P);
  else FN(other_rules)(P, P->tree->mode, KIND_PI);
}
static COLD void FN(tree_doctype)(struct parser *P) {
  P->skip_line_feed = false;
  if (!FN(reserve)(P)) return;
  if (is_foreign(FN(adjusted_current)(P))) TREE_ERROR(P, ERROR_tree_misplaced_doctype);
  else FN(other_rules)(P, P->tree->mode, KIND_DOCTYPE);
}
static COLD void FN(tree_eof)(struct parser *P) {
  P->token.start = (u32)(P->cursor - P->base);
  if (!FN(reserve)(P)) return;
  P->token.attribute_count = 0;
  FN(other_rules)(P, P->tree->mode, KIND_EOF);
}
/* "The adjusted current node exists and is not an element in the HTML namespace." */
static COLD bool FN(tree_cdata_allowed)(struct parser *P) {
  return is_foreign(FN(adjusted_current)(P));
}

/* --- the beginning --- */

/* 13.4, steps 4 to 10; the element that is parsed into is a fragment. */
static COLD void FN(begin_fragment)(struct parser *P, const lanner_context *context) {
  struct tree *T = P->tree;
  u32 name = context_name(context);
  T->fragment = true;
  T->context = identity(context->name_space, name);
  if (context->name_space == LANNER_HTML) {
    P->state = context_state(name, T->scripting);
  } else {
    attribute encoding = {0, NO_SOURCE, 0, 0};
    bool has_encoding = false;
    for (u32 i = 0; i < context->attribute_count; i++) {
      const lanner_attribute *a = &context->attributes[i];
      lanner_string s = a->value;
      if (a->name.length != 8 || memcmp(a->name.data, "encoding", 8) != 0 || s.length > 64 ||
          !store_reserve_strings(P->document, (u32)s.length))
        continue;
      encoding.name = ATTRIBUTE_STRING;
      encoding.length = (u32)s.length;
      encoding.value = store_put(P->document, (const byte *)s.data, encoding.length);
      has_encoding = true;
    }
    T->context |= FN(points)(P, T->context, has_encoding ? &encoding : NULL);
  }
  u32 root = FN(op_create_fragment)(P);
  FN(op_set_root)(P, root);
  stack_push(T, P->document, root, TAG_HTML | (is_foreign(T->context) ? ENTRY_CONTEXT : 0),
             category_of(TAG_HTML));
  if (T->context == TAG_TEMPLATE) T->template_modes[T->template_mode_count++] = MODE_IN_TEMPLATE;
  FN(reset_the_insertion_mode)(P);
  if (context->in_form || T->context == TAG_FORM) T->form = FORM_OUTSIDE;
}

/* Makes the tree builder ready for a document, or with CONTEXT for a fragment. */
static void FN(tree_begin)(struct parser *P, const lanner_context *context) {
  struct tree *T = P->tree;
  lanner_document *d = P->document;
  if (!T && !(T = tree_new(P))) {
    stop_for_memory(P);
    return;
  }
  tree_reset(T);
  T->depth_top = P->limits.depth && P->limits.depth < NO_DEPTH_LIMIT ? P->limits.depth
                                                                     : NO_DEPTH_LIMIT;
  T->scripting = (P->flags & (LANNER_SCRIPTING | LANNER_RUN_SCRIPTS)) != 0;
  T->by_hash = !OPS_KEEP_TEXT;
  T->run_end = 0;
#if CHECKED
  memset(T->text_errors, 0, sizeof T->text_errors);
#endif
  if (!FN(reserve)(P)) return;
  FN(op_set_mode)(P, P->flags & LANNER_IN_QUIRKS           ? LANNER_QUIRKS
                     : P->flags & LANNER_IN_LIMITED_QUIRKS ? LANNER_LIMITED_QUIRKS
                                                           : LANNER_NO_QUIRKS);
  if (context) {
    FN(begin_fragment)(P, context);
  } else if (UNLIKELY(P->flags & LANNER_PLAINTEXT)) {
    /* As if a pre start tag and a line feed had come. */
    P->token = (struct token){.name = TAG_PRE, .attribute_first = d->attribute_count};
    FN(tree_start_tag)(P);
    P->skip_line_feed = false;
    P->state = STATE_plaintext;
  }
}
