// The tokenizer, 13.2.5: one function, one re2c condition a state.
//
// This file is the frame: what the rules may use, then the rules themselves, included by family.
// gen/states.py copies it beside the expanded states; re2c turns it into tokenizer.inc, which
// src/lanner.c includes once an instance (see src/tokenizer/instance.h for FN, CHECKED, SINK_*).
//
// How a state reads its input: `cur` is the next byte, `lim` the NUL behind the last byte that is
// here. A rule that meets NUL asks whether it is that one (cur > lim). Then, unless the input is
// final, the function leaves with the state's number; it is called again when there is more.
// `mark` is the start of the piece (text, name, value, data) that the state is in the middle of.
// Pieces are contiguous in the input, so a piece is never copied unless a character of it changes.
//
//   TO(s)          switch to state s             RECONSUME(s)   the same, with the byte just read
//   MORE(s)        at the end of what is here: leave unless the input is final
//   FLUSH_TEXT     hand on the text from mark    ERROR(c, at)   a parse error (checked instance)
//
// In front of some states stands a skip over the ordinary run (labels at_*, below); the rules of
// the run stay, so the skips could be removed without changing what is parsed. Where the next stops
// are known ahead (AHEAD, see src/tokenizer/ahead.h), `stop` is the row of the first one at or behind
// `cur` all along the frame; who comes from the rules finds it again (ahead_from).

static NOINLINE enum run_result FN(tokenizer_run)(struct parser *P) {
  lanner_document *const D = P->document;
  const byte *cur = P->cursor;
  const byte *const lim = P->limit;
  const byte *mark = P->mark;
  const byte *marker = cur;
  const byte *amp = mark + P->reference;
  u32 state = P->state;
  const byte *name_end, *value_end;
  (void)D;
  (void)marker;
#if AHEAD
  const byte *const base = P->base;
  AHEAD_BEGIN();
  const u32 *stop = ahead->stop; /* the first stop at or after cur */
#endif
  goto dispatch;

  /* --- skips: the ordinary run, then the rules --- */
#if AHEAD
at_data:
  stop = ahead_from(stop, (u32)(cur - base));
  if (UNLIKELY(ahead_is_short(ahead, *stop))) stop = ahead_fill(ahead, (u32)(cur - base));
after_tag: /* at mark */
data_stop: {
  u32 at = *stop;
  cur = base + at;
  if (LIKELY(*cur == '<')) {
    byte c = cur[1];
    if (LIKELY(byte_is_letter(c))) {
      FLUSH_TEXT_FAST(cur, data);
      stop++;
      cur++;
      goto start_tag;
    }
    if (LIKELY(c == '/') && LIKELY(byte_is_letter(cur[2]))) {
      FLUSH_TEXT_FAST(cur, data);
      stop++;
      goto end_tag_open;
    }
    if (c == '!') goto markup_declaration;
    goto yyc_data;
  }
  if (*cur == '&') {
    const byte *next = decode_text(P, mark, cur);
    if (UNLIKELY(next == cur)) goto yyc_data;
    mark = cur = next;
    goto at_data;
  }
  if (LIKELY(*cur != 0)) {
    if (LIKELY(cur - mark < AHEAD_PATIENCE))
      stop++;
    else
      stop = ahead_on(ahead, stop, '<');
    goto data_stop;
  }
  if (ahead_is_short(ahead, at)) {
    stop = ahead_fill(ahead, (u32)(mark - base));
    goto data_stop;
  }
  goto yyc_data;
}
#else
after_tag: /* at mark */
  if (*cur == '<') {
    byte c = cur[1];
    if (LIKELY(byte_is_letter(c))) {
      cur++;
      goto start_tag;
    }
    if (LIKELY(c == '/') && LIKELY(byte_is_letter(cur[2]))) goto end_tag_open;
    if (c == '!') goto markup_declaration;
    goto yyc_data;
  }
  cur = find_data(cur);
  goto data_stop;
at_data:
  cur = skip_data(cur);
data_stop:
  if (LIKELY(*cur == '<')) {
    byte c = cur[1];
    if (LIKELY(byte_is_letter(c))) {
      FLUSH_TEXT_FAST(cur, data);
      cur++;
      goto start_tag;
    }
    if (LIKELY(c == '/') && LIKELY(byte_is_letter(cur[2]))) {
      FLUSH_TEXT_FAST(cur, data);
      goto end_tag_open;
    }
    if (c == '!') goto markup_declaration;
  }
  if (!SPLIT_TEXT && *cur == '&') {
    const byte *next = decode_text(P, mark, cur);
    if (LIKELY(next != cur)) {
      mark = cur = next;
      goto data_stop;
    }
  }
  goto yyc_data;
#endif

  /* The DOCTYPE of most pages as a whole; that of nearly all without a call. */
markup_declaration:
  if (UNLIKELY(P->slow) || !is_html_doctype(cur)) goto yyc_data;
  FLUSH_TEXT_FAST(cur, data);
  mark = cur;
  if (LIKELY(cur[14] == '>') && LIKELY(memcmp(cur + 10, "html", 4) == 0)) {
    TAG_START(cur);
    DOCTYPE_BEGIN();
    P->token.doctype_name = FN(piece)(P, cur + 10, cur + 14);
    P->token.has_name = true;
    cur += 15;
    goto emit_doctype;
  }
  cur = FN(usual_doctype)(P, mark);
  if (LIKELY(cur != mark)) goto emit_doctype;
  goto yyc_data;

at_rcdata:
  cur = skip_data(cur);
  RAW_TEXT_END(rcdata);
  goto yyc_rcdata;
at_rawtext:
  cur = skip_raw(cur);
  RAW_TEXT_END(rawtext);
  goto yyc_rawtext;
at_script_data:
  cur = skip_raw(cur);
  RAW_TEXT_END(script_data);
  goto yyc_script_data;
at_plaintext:
  cur = skip_plain(cur);
  goto yyc_plaintext;
at_script_data_escaped:
  cur = skip_escaped(cur);
  goto yyc_script_data_escaped;
at_script_data_double_escaped:
  cur = skip_escaped(cur);
  goto yyc_script_data_double_escaped;
at_cdata_section:
  cur = skip_cdata(cur);
  goto yyc_cdata_section;
at_bogus_comment:
  cur = skip_bogus(cur);
  goto yyc_bogus_comment;
at_comment:
  cur = skip_comment(cur);
  goto yyc_comment;
at_doctype_public_identifier_double_quoted:
  cur = skip_double_id(cur);
  goto yyc_doctype_public_identifier_double_quoted;
at_doctype_public_identifier_single_quoted:
  cur = skip_single_id(cur);
  goto yyc_doctype_public_identifier_single_quoted;
at_doctype_system_identifier_double_quoted:
  cur = skip_double_id(cur);
  goto yyc_doctype_system_identifier_double_quoted;
at_doctype_system_identifier_single_quoted:
  cur = skip_single_id(cur);
  goto yyc_doctype_system_identifier_single_quoted;

  /* A start tag whose first letter is at cur. */
start_tag:
  FN(begin_tag)(P, cur - 1, false);
  mark = cur;
#if AHEAD
  if (base[*stop] == '>') {
    u32 name = known_short_tag(cur, base + *stop);
    if (LIKELY(name)) {
      P->token.name = name;
      cur = base + *stop++ + 1;
      goto emit_start_tag;
    }
  }
  cur = short_tag_name_end(cur);
  if (LIKELY(*cur == ' ') && LIKELY(!P->slow)) {
    FN(plain_tag_name)(P, mark, cur++);
    goto attribute;
  }
  cur = skip_tag_name(mark + 1);
#else
  cur = skip_tag_name(cur + 1);
#endif
  if (LIKELY(*cur == '>')) {
    FN(plain_tag_name)(P, mark, cur++);
    goto emit_tag;
  }
  if (LIKELY(*cur == ' ')) {
    FN(plain_tag_name)(P, mark, cur++);
    goto at_before_attribute_name;
  }
  goto yyc_tag_name;

  /* An end tag whose "</" and letter are at cur. Most are of the current node: no name to look up, no
   * rule to choose. */
end_tag_open:
#if defined(SINK_USUAL_END_TAG)
  {
    const byte *behind = SINK_USUAL_END_TAG(P, cur);
    if (LIKELY(behind != NULL)) {
      mark = cur = behind;
      if (UNLIKELY(P->signal)) {
        state = STATE_data;
        goto signalled;
      }
      AFTER_STOP(cur - 1, at_data);
      goto after_tag;
    }
  }
#endif
  cur += 2;
#if AHEAD
  if (LIKELY(base[*stop] == '>')) {
    u32 name = known_short_tag(cur, base + *stop);
    if (LIKELY(name)) {
      FN(begin_tag)(P, cur - 2, true);
      P->token.name = name;
      cur = base + *stop++ + 1;
      goto emit_end_tag;
    }
  }
#endif
end_tag:
  FN(begin_tag)(P, cur - 2, true);
  mark = cur;
  cur = skip_tag_name(cur + 1);
  if (LIKELY(*cur == '>')) {
    FN(plain_tag_name)(P, mark, cur++);
    goto emit_tag;
  }
  goto yyc_tag_name;

at_tag_name:
  cur = skip_tag_name(cur);
  goto yyc_tag_name;

  /* The usual attribute, name="value", as one piece of code; anything else takes the rules. */
#if AHEAD
at_before_attribute_name:
  if (UNLIKELY(P->slow) || UNLIKELY(P->is_end_tag)) goto yyc_before_attribute_name;
  stop = ahead_from(stop, (u32)(cur - base));
attribute: {
  const byte *open = base + *stop;
  if (LIKELY(*open == '"') && LIKELY(cur < open - 1) && LIKELY(open[-1] == '=')) {
    u32 id = known_attribute(cur, (size_t)(open - 1 - cur));
    name_end = open - 1;
    if (UNLIKELY(!id)) {
      if (!byte_is_letter(*cur) || attribute_name_end(cur + 1) != name_end) goto attribute_by_rules;
      id = FN(name_slow)(P, cur, name_end, true);
    }
    stop++;
    mark = open + 1;
  value_stop:
    value_end = base + *stop;
    if (LIKELY(*value_end == '"')) {
      stop++;
      FN(add_attribute)(P, base, id, cur, name_end, mark, value_end);
      cur = value_end + 1;
      if (LIKELY(*cur == ' ')) {
        cur++;
        goto attribute;
      }
      if (LIKELY(*cur == '>')) {
        cur++;
        AFTER_STOP(cur - 1, emit_tag);
        goto emit_start_tag;
      }
      goto yyc_after_attribute_value_quoted;
    }
    if (is_literal_ampersand(value_end)) {
      stop++;
      goto value_stop;
    }
    if (*value_end == '<' || *value_end == '>') {
      if (LIKELY(value_end - mark < AHEAD_PATIENCE))
        stop++;
      else
        stop = ahead_on(ahead, stop, '"');
      goto value_stop;
    }
    if (ahead_is_short(ahead, *stop)) {
      stop = ahead_fill(ahead, (u32)(mark - base));
      goto value_stop;
    }
    FN(begin_attribute)(P, id, (u32)(cur - base), name_end);
    cur = value_end;
    goto double_quoted_stop;
  }
  if (UNLIKELY(ahead_is_short(ahead, *stop))) {
    stop = ahead_fill(ahead, (u32)(cur - base));
    goto attribute;
  }
attribute_by_rules:
  if (LIKELY(byte_is_letter(*cur))) {
    mark = cur;
    cur = attribute_name_end(cur + 1);
    goto yyc_attribute_name;
  }
  goto yyc_before_attribute_name;
}
#else
at_before_attribute_name:
  if (LIKELY(!P->slow)) {
    if (LIKELY(usual_attribute(cur, &name_end, &value_end))) {
      u32 id = FN(usual_name)(P, cur, name_end, true);
      mark = name_end + 2;
      if (LIKELY(*value_end == '"')) {
        FN(add_attribute)(P, P->base, id, cur, name_end, mark, value_end);
        cur = value_end + 1;
        if (LIKELY(*cur == ' ')) {
          cur++;
          goto at_before_attribute_name;
        }
        if (LIKELY(*cur == '>')) {
          cur++;
          goto emit_tag;
        }
        goto yyc_after_attribute_value_quoted;
      }
      FN(begin_attribute)(P, id, (u32)(cur - P->base), name_end);
      cur = value_end;
      goto double_quoted_stop;
    }
    if (LIKELY(byte_is_letter(*cur))) {
      mark = cur;
      cur = skip_attribute_name(cur + 1);
      goto yyc_attribute_name;
    }
  }
  goto yyc_before_attribute_name;
#endif
at_attribute_name:
  cur = skip_attribute_name(cur);
  goto yyc_attribute_name;
at_attribute_value_double_quoted:
  cur = skip_double_quoted(cur);
double_quoted_stop:
  if (!SPLIT_TEXT && *cur == '&') {
    const byte *next = decode_value(P, mark, cur);
    if (LIKELY(next != cur)) {
      mark = cur = next;
      goto double_quoted_stop;
    }
  }
  goto yyc_attribute_value_double_quoted;
at_attribute_value_single_quoted:
  cur = skip_single_quoted(cur);
  goto yyc_attribute_value_single_quoted;
at_attribute_value_unquoted:
  cur = skip_unquoted(cur);
  goto yyc_attribute_value_unquoted;

  /* --- emitting --- */
emit_tag:
#if AHEAD
  stop = ahead_from(stop, (u32)(cur - base));
#endif
  if (P->is_end_tag) goto emit_end_tag;
emit_start_tag:
  mark = P->cursor = cur;
  P->token.attribute_count = D->attribute_count - P->token.attribute_first;
  P->last_start_tag = P->token.name;
  SINK_START_TAG(P);
  if (UNLIKELY(P->signal)) {
    state = STATE_data;
    goto signalled;
  }
  goto after_tag;
emit_end_tag:
  mark = P->cursor = cur;
#if CHECKED
  if (D->attribute_count != P->token.attribute_first) ERROR(end_tag_with_attributes, cur - 1);
  if (P->token.self_closing) ERROR(end_tag_with_trailing_solidus, cur - 1);
#endif
  D->attribute_count = P->token.attribute_first;
  P->token.attribute_count = 0;
  SINK_END_TAG(P);
  if (UNLIKELY(P->signal)) {
    state = STATE_data;
    goto signalled;
  }
  goto after_tag;
emit_doctype:
  mark = P->cursor = cur;
  SINK_DOCTYPE(P);
  state = STATE_data;
  if (UNLIKELY(P->signal)) goto signalled;
  goto at_data;
emit_processing_instruction:
  mark = P->cursor = cur;
  SINK_PI(P);
  state = STATE_data;
  if (UNLIKELY(P->signal)) goto signalled;
  goto at_data;
emit_comment: /* its data was taken by COMMENT */
  mark = P->cursor = cur;
  SINK_COMMENT(P);
  state = STATE_data;
  if (UNLIKELY(P->signal)) goto signalled;
  goto at_data;
emit_eof: /* all text was handed on */
  P->cursor = cur = mark = lim;
#if AHEAD
  AHEAD_KEEP(false);
#endif
  STREAM_ERRORS(P, lim);
  SINK_EOF(P);
  P->state = STATE_data;
  P->mark = mark;
  return RUN_DONE;

  /* --- endings shared by several states --- */
eof_in_tag: /* the tag is dropped */
  ERROR(eof_in_tag, lim);
  D->attribute_count = P->token.attribute_first;
  FN(drop_accumulated)(P);
  goto emit_eof;
eof_in_pi:
  ERROR(eof_in_processing_instruction, lim);
  goto emit_eof;
eof_in_script_comment:
  ERROR(eof_in_script_html_comment_like_text, lim);
  goto at_script_data;

  /* "&" at amp. Most references are complete and right: no states needed. */
reference: {
  struct reference_match m = reference_fast(amp);
  if (LIKELY(m.end != NULL)) DECODED(amp, m.text, m.end);
  goto yyc_character_reference;
}
return_state:
  switch (P->return_state) {
    case STATE_data: goto at_data;
    case STATE_rcdata: goto at_rcdata;
    case STATE_attribute_value_double_quoted: goto at_attribute_value_double_quoted;
    case STATE_attribute_value_single_quoted: goto at_attribute_value_single_quoted;
    default: goto at_attribute_value_unquoted;
  }

  /* At a token boundary, at cur, with `state` to go on in unless the sink asked for another. */
signalled:
  mark = cur;
  if (P->next_state) {
    state = P->next_state;
    P->next_state = 0;
  }
  if (P->stop || P->pause) goto leave;
  goto dispatch;

suspend: /* all that is here was read; mark may lie before cur */
leave:
#if AHEAD
  AHEAD_KEEP(true);
#endif
  P->state = state;
  P->cursor = cur;
  P->mark = mark;
  P->reference = (u32)(amp - mark);
  return P->stop ? RUN_STOPPED : P->pause ? RUN_PAUSED : RUN_MORE;

dispatch: /* long runs begin with their skip, here too */
  switch (state) {
    case STATE_data: goto at_data;
    case STATE_rcdata: goto at_rcdata;
    case STATE_rawtext: goto at_rawtext;
    case STATE_script_data: goto at_script_data;
    case STATE_plaintext: goto at_plaintext;
    case STATE_script_data_escaped: goto at_script_data_escaped;
    case STATE_script_data_double_escaped: goto at_script_data_double_escaped;
    case STATE_cdata_section: goto at_cdata_section;
    case STATE_bogus_comment: goto at_bogus_comment;
    case STATE_comment: goto at_comment;
    default: break;
  }
/*!re2c
  re2c:define:YYCTYPE = "unsigned char";
  re2c:define:YYCURSOR = "cur";
  re2c:define:YYMARKER = "marker";
  re2c:define:YYGETCONDITION = "state";
  re2c:define:YYGETCONDITION:naked = 1;
  re2c:cond:enumprefix = "STATE_";
  re2c:yyfill:enable = 0;
  re2c:sentinel = 0;

  ws = [\t\n\f ];
  letter = [a-zA-Z];

  !include "states/classes.re";
  !include "states/data.re";
  !include "states/attributes.re";
  !include "states/rawtext.re";
  !include "states/script.re";
  !include "states/comments.re";
  !include "states/doctype.re";
  !include "states/cdata.re";
  !include "states/pi.re";
  !include "states/references.re";
*/
}
