/* dispatch.h - the tree construction dispatcher (13.2.6): from the tokenizer's calls to the rules
 * of the current insertion mode or of foreign content; beginning and end of a parse. Included once
 * an instance, last; tree_rules.inc is printed from grammar/tree.
 */

#include "tree_rules.inc"

/* Room for whatever one token can make; what is not bounded reserves by itself. Tokens push no more
 * entries on the stack and on the list of active formatting elements than they make nodes, holes
 * counted, so the number of nodes tells when to look again at all three arrays; the few that push
 * without a node clear T->room, and so does who ran out of memory. */
static NOINLINE bool FN(reserve_more)(struct parser *P) {
  struct tree *T = P->tree;
  u32 room;
  if (T->out_of_memory || !FN(op_reserve)(P, 64) || !stack_reserve(T, P->document, 32) ||
      !formats_reserve(T, P->document)) {
    T->out_of_memory = false;
    stop_for_memory(P);
    return false;
  }
  room = FN(op_room)(P) - 64;
  if (room > T->capacity - T->top - 33) room = T->capacity - T->top - 33;
  if (room > T->format_capacity - T->format_used - 8)
    room = T->format_capacity - T->format_used - 8;
  T->room = FN(op_made)(P) + room + 1;
  return true;
}
INLINE bool FN(reserve)(struct parser *P) {
  return LIKELY(FN(op_made)(P) < P->tree->room) || FN(reserve_more)(P);
}

/* --- characters --- */

/* The same for characters from token.start on. Those that follow others never strike the limit on
 * nodes: so it does not matter how the input was cut, and a run is not torn. One run makes a few
 * nodes, for which there is room beyond the limit. */
INLINE bool FN(reserve_for_text)(struct parser *P) {
  return LIKELY(FN(op_made)(P) < P->tree->room) ||
         (P->token.start == P->text_end && !P->stop && FN(op_at_limit)(P)) || FN(reserve_more)(P);
}

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
      if (run.length)
        kind = KIND_WHITESPACE;
      else
        run.length = leading_text(d, s);
    }
    T->characters = run;
    if (!run.string && !P->moved) {
      P->token.start = run.offset;
#if CHECKED
      T->run_end = run.offset + run.length;
#endif
    }
    if (rules[KIND_TEXT] == RULE_BODY_TEXT)
      FN(body_characters)(P, run);
    else
      FN(other_rules)(P, T->mode, kind);
    s.offset += run.length;
    s.length -= run.length;
    if (s.length == 0 || P->stop || !(FN(op_at_limit)(P) || FN(reserve)(P))) return;
  }
}

#if !CHECKED
/* White space in a table, a tag behind it: the pending table character tokens would be these alone, so
 * they need not wait. False: it is something else, or the tag might strike the limit on nodes. */
static bool FN(waits_for_no_more)(struct parser *P, slice s) {
  struct tree *T = P->tree;
  const byte *behind = slice_bytes(P->document, s.offset, s.string) + s.length;
  return other_rule[T->mode][KIND_WHITESPACE] == RULE_TABLE_TEXT && !s.string &&
         (category_of(current_entry(T)->word) & CATEGORY_FOSTER) && FN(op_made)(P) + 4 < T->room &&
         behind[0] == '<' && byte_is_letter(behind[1 + (behind[1] == '/')]);
}

/* Text of "text" and white space of most modes: it goes into the current node, or nowhere. False: it
 * takes the rules. */
INLINE bool FN(characters_at_once)(struct parser *P, u32 offset, u32 length, u32 string) {
  struct tree *T = P->tree;
  lanner_document *d = P->document;
  const struct open_element *e = current_entry(T);
  slice s = {offset, length, string};
  u32 mode = 1u << T->mode;
  if (UNLIKELY(e->word & (WORD_NAMESPACE | ENTRY_CONTEXT | ENTRY_PATCH)) ||
      UNLIKELY(P->skip_line_feed) || UNLIKELY(T->top > T->usual_top) ||
      UNLIKELY(FN(op_made)(P) >= T->room))
    return false;
  if (!(mode & MODES_INSERT_TEXT)) {
    if (!is_space_run(slice_bytes(d, offset, string), length)) return false;
    if (mode & MODES_IGNORE_SPACE) return true;
    if (mode & MODES_OF_BODY_SPACE) {
      if (UNLIKELY(FN(must_reconstruct)(T))) return false;
    } else if (!(mode & MODES_INSERT_SPACE) && !FN(waits_for_no_more)(P, s)) {
      return false;
    }
  }
  FN(op_insert_text)(P, e->node, 0, s);
  return true;
}
#endif

static NOINLINE void FN(characters_by_rules)(struct parser *P, u32 offset, u32 length, u32 string) {
  struct tree *T = P->tree;
  slice s = {offset, length, string};
#if !CHECKED
  P->token.start = s.string ? P->accumulated_from : s.offset; /* where a limit may strike */
#endif
  if (!FN(reserve_for_text)(P)) return;
  if (P->skip_line_feed) {
    P->skip_line_feed = false;
    if (*slice_bytes(P->document, s.offset, s.string) == '\n') {
      s.offset++;
#if CHECKED
      P->token.start++;
#endif
      if (--s.length == 0) return;
    }
  }
  T->characters = s;
  if (!FN(in_html)(T) && FN(foreign_takes_characters)(P))
    FN(foreign_characters)(P);
  else if (other_rule[T->mode][KIND_TEXT] == RULE_BODY_TEXT)
    FN(body_characters)(P, s);
  else
    FN(characters_by_mode)(P, s);
}
/* Characters without U+0000, where more than their number of bytes has to be looked at. */
static NOINLINE HOT void FN(characters_elsewhere)(struct parser *P, u32 offset, u32 length,
                                                  u32 string) {
#if !CHECKED
  if (FN(characters_at_once)(P, offset, length, string)) return;
#endif
  FN(characters_by_rules)(P, offset, length, string);
}
/* In three numbers: gcc would build the slice in memory and read it back too soon. */
INLINE void FN(tree_characters)(struct parser *P, u32 offset, u32 length, u32 string) {
  struct tree *T = P->tree;
  slice s = {offset, length, string};
  const struct open_element *e = current_entry(T);
  if (LIKELY(!P->skip_line_feed) && LIKELY(FN(op_made)(P) < T->room) &&
      LIKELY(T->top <= T->usual_top) &&
      LIKELY(!(e->word & (WORD_NAMESPACE | ENTRY_CONTEXT | ENTRY_PATCH))) &&
      LIKELY(MODES_OF_BODY_TEXT >> T->mode & 1) && LIKELY(!T->frameset_ok) &&
      LIKELY(!FN(must_reconstruct)(T)) && FN(op_append_text)(P, e->node, s))
    return;
  FN(characters_elsewhere)(P, offset, length, string);
}

#if CHECKED
/* The same with the run's place in the source, from START to END. */
static void FN(tree_characters_at)(struct parser *P, slice s, const byte *start, const byte *end) {
  P->token.start = (u32)(start - P->base);
  P->tree->source_end = P->tree->run_end = (u32)(end - P->base);
  FN(tree_characters)(P, s.offset, s.length, s.string);
  P->tree->run_end = 0;
}
#endif

/* COUNT times U+0000. */
static COLD void FN(tree_nulls)(struct parser *P, u32 count) {
  struct tree *T = P->tree;
  P->skip_line_feed = false;
  P->token.start = (u32)(P->cursor - P->base) - count;
#if CHECKED
  T->source_end = T->run_end = P->token.start + count;
#endif
  if (!FN(reserve_for_text)(P)) return;
  if (FN(foreign_takes_characters)(P))
    FN(foreign_nulls)(P, count);
  else
    FN(other_rules)(P, T->mode, KIND_NULL);
  P->text_end = P->token.start + count;
  T->run_end = 0;
}

/* --- tags --- */
static NOINLINE void FN(start_tag_by_mode)(struct parser *P) {
  struct tree *T = P->tree;
  if (UNLIKELY(!FN(reserve)(P))) return;
#if CHECKED
  T->self_closing_done = false;
#endif
  if (UNLIKELY(!FN(in_html)(T)) && FN(foreign_takes_start_tag)(P))
    FN(foreign_start_tag)(P);
  else
    FN(start_rules)(P, T->mode);
#if CHECKED
  if (P->token.self_closing && !T->self_closing_done)
    TREE_ERROR(P, ERROR_non_void_html_element_start_tag_with_trailing_solidus);
#endif
}

#if CHECKED
static void FN(tree_start_tag)(struct parser *P, u32 name) {
  (void)name;
  P->skip_line_feed = false;
  FN(start_tag_by_mode)(P);
}
#else
/* The same for what a page has once or twice, for elements of text, and for the parts of a table, when the
 * current node E is what they belong into. False: it takes the rules. */
static NOINLINE HOT bool FN(start_part)(struct parser *P, u32 part, const struct open_element *e) {
  struct tree *T = P->tree;
  const struct token *t = &P->token;
  u32 parent = e->node, word = e->word, mode = MODE_TEXT, name = t->name;
  switch (part) {
  case PART_HTML:
    parent = FN(op_document)(P);
    mode = MODE_BEFORE_HEAD;
    break;
  case PART_HEAD: mode = MODE_IN_HEAD; break;
  case PART_BODY: mode = MODE_IN_BODY; break;
  case PART_RCDATA: P->next_state = STATE_rcdata; break;
  case PART_RAWTEXT: P->next_state = STATE_rawtext; break;
  case PART_SCRIPT: P->next_state = STATE_script_data; break;
  case PART_CELL:
    if (word != TAG_TR) return false;
    mode = MODE_IN_CELL;
    break;
  case PART_ROW:
    if (word != TAG_TBODY && word != TAG_THEAD && word != TAG_TFOOT) return false;
    mode = MODE_IN_ROW;
    break;
  case PART_ROWS:
    if (word != TAG_TABLE) return false;
    mode = MODE_IN_TABLE_BODY;
    break;
  default: break;
  }
  u32 id =
      FN(op_create_element)(P, LANNER_HTML, name, t->attribute_first, t->attribute_count, false);
  FN(op_append)(P, parent, id);
  if (part == PART_META) {
    TREE_META(P);
    return true;
  }
  stack_push_html(T, P->document, id, name);
  if (mode == MODE_TEXT) T->original_mode = T->mode;
  if (part == PART_HEAD) T->head = id;
  if (part == PART_BODY) T->frameset_ok = false;
  if (part == PART_CELL) formats_marker(T);
  T->mode = (byte)mode;
  return true;
}

/* The short way for the start tags that have no special cases (generated from the rules), when the
 * elements that the rule might close are not there. The token's NAME comes in a register: all hangs
 * on it. */
INLINE void FN(tree_start_tag)(struct parser *P, u32 name) {
  struct tree *T = P->tree;
  const struct token *t = &P->token;
  const struct open_element *e = current_entry(T);
  u32 how = start_at_once[T->mode][name < ELEMENT_NAMES ? name : 0];
  P->skip_line_feed = false;
  if (UNLIKELY(!how || FN(op_made)(P) >= T->room || T->top > T->usual_top ||
               (e->word & (WORD_NAMESPACE | ENTRY_CONTEXT | ENTRY_PATCH))))
    goto by_mode;
  if (how & AT_ONCE_RECONSTRUCT) {
    if (UNLIKELY(FN(must_reconstruct)(T))) goto by_mode;
    if ((how & AT_ONCE_NO_A) && UNLIKELY(last_formatting(T, TAG_A))) goto by_mode;
  } else if (how & AT_ONCE_NO_P) {
    if (UNLIKELY(in_button_scope(T, TAG_P))) goto by_mode;
    if (how & (AT_ONCE_NO_ITEM | AT_ONCE_NO_HEADING)) {
      u32 category = category_of(e->word);
      if (how & AT_ONCE_NO_ITEM
              ? (category & (CATEGORY_SPECIAL | CATEGORY_PASSED)) != CATEGORY_SPECIAL ||
                    e->word == TAG_LI
              : e->word >= TAG_H1 && e->word <= TAG_H6)
        goto by_mode;
    }
  } else if (how & AT_ONCE_PART) {
    if (LIKELY(FN(start_part)(P, how & AT_ONCE_PARTS, e))) return;
    goto by_mode;
  }
  if (how & AT_ONCE_NOT_OK) T->frameset_ok = false;
  u32 id = FN(op_create_element)(P, LANNER_HTML, name, t->attribute_first, t->attribute_count,
                                 (how & AT_ONCE_FORMATTING) && t->attribute_count);
  FN(op_append)(P, e->node, id);
  if (how & AT_ONCE_VOID) return;
  stack_push_html(T, P->document, id, name);
  if (how & AT_ONCE_FORMATTING)
    formats_push(T, P->document, T->top, t->attribute_first, t->attribute_count);
  return;
by_mode:
  FN(start_tag_by_mode)(P);
}
#endif

static NOINLINE void FN(end_tag_by_mode)(struct parser *P) {
  struct tree *T = P->tree;
  if (UNLIKELY(!FN(reserve)(P))) return;
#if CHECKED
  T->closing = P->token.name;
#endif
  if (is_foreign(FN(adjusted_current)(P)))
    FN(foreign_end_tag)(P);
  else
    FN(end_rules)(P, T->mode);
#if CHECKED
  T->closing = 0;
#endif
}

/* The end tag of the current node E, in the mode that belongs to it. */
static NOINLINE HOT bool FN(end_part)(struct parser *P, const struct open_element *e) {
  struct tree *T = P->tree;
  u32 word = e->word, mode;
  if (T->mode == MODE_TEXT) {
    mode = T->original_mode;
  } else if (T->mode == MODE_IN_HEAD && word == TAG_HEAD) {
    mode = MODE_AFTER_HEAD;
#if !CHECKED
  } else if (T->mode == MODE_IN_BODY && word == TAG_BODY) {
    if (FN(op_made)(P) >= T->room) return false; /* the limit on nodes may strike here */
    T->mode = MODE_AFTER_BODY;                   /* body stays */
    return true;
#endif
  } else if (T->mode == MODE_IN_CELL && (word == TAG_TD || word == TAG_TH)) {
    mode = MODE_IN_ROW;
    formats_clear_to_marker(T);
  } else if (T->mode == MODE_IN_ROW && word == TAG_TR) {
    mode = MODE_IN_TABLE_BODY;
  } else if (T->mode == MODE_IN_TABLE_BODY &&
             (word == TAG_TBODY || word == TAG_THEAD || word == TAG_TFOOT)) {
    mode = MODE_IN_TABLE;
  } else {
    return false;
  }
#if CHECKED
  FN(op_note_end)(P, e->node);
#endif
  stack_pop(T, P->document);
  T->mode = (byte)mode;
  return true;
}

/* The short way for the end tag of the current node, which then has no implied end tags above and is
 * in every scope, in a mode that uses the rules of "in body". False: it takes the rules. */
INLINE bool FN(pop_at_once)(struct parser *P, struct open_element *e) {
  struct tree *T = P->tree;
  if (UNLIKELY(!(MODES_OF_BODY_END >> T->mode & 1))) return FN(end_part)(P, e);
  u32 category = category_of(e->word), format = e->format;
  if (UNLIKELY(category &
               (CATEGORY_FORMATTING | CATEGORY_HOOK | CATEGORY_SCOPE | CATEGORY_RESET))) {
    if (UNLIKELY(!(category & CATEGORY_FORMATTING))) return FN(end_part)(P, e);
    if (UNLIKELY(format != 0 && format != last_formatting(T, e->word))) return false;
    if (format) {
#if CHECKED
      FN(op_note_end)(P, e->node);
#endif
      stack_pop(T, P->document);
      formats_remove(T, format);
      return true;
    }
  }
#if CHECKED
  FN(op_note_end)(P, e->node);
#endif
  stack_pop(T, P->document);
  return true;
}

static HOT void FN(tree_end_tag)(struct parser *P) {
  struct tree *T = P->tree;
  struct open_element *e = current_entry(T);
  P->skip_line_feed = false;
  if (LIKELY(e->word == P->token.name) && LIKELY(FN(pop_at_once)(P, e))) return;
  FN(end_tag_by_mode)(P);
}

#if !CHECKED
/* "After body", a current node that is not foreign: </html>, where it stands as most do. */
static NOINLINE const byte *FN(end_html)(struct parser *P, const byte *tag) {
  struct tree *T = P->tree;
  const byte *behind = end_tag_named(tag, TAG_HTML);
  if (!behind || T->fragment || FN(op_made)(P) >= T->room) return NULL;
  P->skip_line_feed = false;
  T->mode = MODE_AFTER_AFTER_BODY;
  return behind;
}

/* The same from the bytes at TAG, "</" and a letter, without a token: the name is compared, not looked
 * up. Returns what is behind the tag; NULL: nothing was done. */
INLINE const byte *FN(end_tag_of_current)(struct parser *P, const byte *tag) {
  struct open_element *e = current_entry(P->tree);
  u32 name = e->word;
  if (UNLIKELY(name >= ELEMENT_NAMES)) return NULL;
  const byte *behind = end_tag_named(tag, name);
  if (UNLIKELY(!behind)) return P->tree->mode == MODE_AFTER_BODY ? FN(end_html)(P, tag) : NULL;
  P->skip_line_feed = false;
  return LIKELY(FN(pop_at_once)(P, e)) ? behind : NULL;
}
#endif

/* --- other tokens --- */
static void FN(tree_comment)(struct parser *P) {
  P->skip_line_feed = false;
  if (!FN(reserve)(P)) return;
  if (is_foreign(FN(adjusted_current)(P)))
    FN(insert_a_comment)(P);
  else
    FN(other_rules)(P, P->tree->mode, KIND_COMMENT);
}
static COLD void FN(tree_pi)(struct parser *P) {
  P->skip_line_feed = false;
  if (!FN(reserve)(P)) return;
  if (is_foreign(FN(adjusted_current)(P)))
    FN(insert_a_processing_instruction)(P);
  else
    FN(other_rules)(P, P->tree->mode, KIND_PI);
}
static NOINLINE void FN(tree_doctype)(struct parser *P) {
  P->skip_line_feed = false;
  if (!FN(reserve)(P)) return;
  if (is_foreign(FN(adjusted_current)(P)))
    TREE_ERROR(P, ERROR_tree_misplaced_doctype);
  else
    FN(other_rules)(P, P->tree->mode, KIND_DOCTYPE);
}
static NOINLINE void FN(tree_eof)(struct parser *P) {
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
static NOINLINE void FN(begin_fragment)(struct parser *P, const lanner_context *context) {
  struct tree *T = P->tree;
  u32 name = context_name(context);
  T->fragment = true;
  T->context = identity(context->name_space, name);
  if (context->name_space == LANNER_HTML) {
    u32 state = text_state(name, T->scripting);
    P->state = state ? state : STATE_data;
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
  tree_reset(T, &d->heap);
  T->depth_top =
      P->limits.depth && P->limits.depth < NO_DEPTH_LIMIT ? P->limits.depth : NO_DEPTH_LIMIT;
  T->usual_top = T->depth_top;
  T->room = 0;
  T->scripting = (P->flags & (LANNER_SCRIPTING | LANNER_RUN_SCRIPTS)) != 0;
  T->by_hash = !OPS_KEEP_TEXT;
  T->run_end = 0;
#if CHECKED
  memset(T->text_errors, 0, sizeof T->text_errors);
#endif
  if (!FN(reserve)(P)) return;
  FN(op_set_mode)
  (P, P->flags & LANNER_IN_QUIRKS           ? LANNER_QUIRKS
      : P->flags & LANNER_IN_LIMITED_QUIRKS ? LANNER_LIMITED_QUIRKS
                                            : LANNER_NO_QUIRKS);
  if (context) {
    FN(begin_fragment)(P, context);
  } else if (UNLIKELY(P->flags & LANNER_PLAINTEXT)) {
    /* As if a pre start tag and a line feed had come. */
    P->token = (struct token){.name = TAG_PRE, .attribute_first = d->attribute_count};
    FN(tree_start_tag)(P, TAG_PRE);
    P->skip_line_feed = false;
    P->state = STATE_plaintext;
  }
}
