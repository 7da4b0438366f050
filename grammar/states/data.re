// 13.2.5.1 data, 13.2.5.6 tag open, 7 end tag open, 8 tag name.

<data> run_data+ { TO(data); }
<data> "<"       { TO(tag_open); }
<data> "&"       { REFERENCE(data); }
<data> [\x00] {
  if (cur > lim) {
    cur = lim;
    FLUSH_TEXT(lim, data);
    mark = lim;
    MORE(data);
    goto emit_eof;
  }
  // A flood of U+0000 is one token, so that it costs one call.
  FLUSH_TEXT(cur - 1, data);
  mark = cur - 1;
  while (cur < lim && *cur == 0) cur++;
  EACH_ERROR(unexpected_null_character, mark, cur);
  P->cursor = cur;
  SINK_NULLS(P, (u32)(cur - mark));
  AFTER_TOKEN(data);
}

<tag_open> letter { FLUSH_TEXT(cur - 2, data); cur--; goto start_tag; }
<tag_open> "/"    { TO(end_tag_open); }
<tag_open> "!"    { FLUSH_TEXT(cur - 2, data); TAG_START(cur - 2); mark = cur; TO(markup_declaration_open); }
<tag_open> "?"    { FLUSH_TEXT(cur - 2, data); TAG_START(cur - 2); mark = cur - 1; TO(processing_instruction_open); }
<tag_open> [\x00] {
  if (cur > lim) {
    MORE_TEXT(tag_open, lim - 1, data);
    ERROR(eof_before_tag_name, lim);
    TO(data);
  }
  ERROR(invalid_first_character_of_tag_name, cur - 1);
  RECONSUME(data);
}
<tag_open> * { ERROR(invalid_first_character_of_tag_name, cur - 1); RECONSUME(data); }

<end_tag_open> letter { FLUSH_TEXT(cur - 3, data); cur--; goto end_tag; }
<end_tag_open> ">" {
  FLUSH_TEXT(cur - 3, data);
  ERROR(missing_end_tag_name, cur - 1);
  mark = cur;
  TO(data);
}
<end_tag_open> [\x00] {
  if (cur > lim) {
    MORE_TEXT(end_tag_open, lim - 2, data);
    ERROR(eof_before_tag_name, lim);
    TO(data);
  }
  FLUSH_TEXT(cur - 3, data);
  TAG_START(cur - 3);
  ERROR(invalid_first_character_of_tag_name, cur - 1);
  mark = --cur;
  TO(bogus_comment);
}
<end_tag_open> * {
  FLUSH_TEXT(cur - 3, data);
  TAG_START(cur - 3);
  ERROR(invalid_first_character_of_tag_name, cur - 1);
  mark = --cur;
  TO(bogus_comment);
}

<tag_name> run_tag_name+ { TO(tag_name); }
<tag_name> ws  { FN(end_tag_name)(P, mark, cur - 1); TO(before_attribute_name); }
<tag_name> "/" { FN(end_tag_name)(P, mark, cur - 1); TO(self_closing_start_tag); }
<tag_name> ">" { FN(end_tag_name)(P, mark, cur - 1); goto emit_tag; }
<tag_name> [\x00] {
  if (cur > lim) { MORE(tag_name); goto eof_in_tag; }
  REPLACE_NUL();
  TO(tag_name);
}
