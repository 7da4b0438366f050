// 13.2.5.41 to 52: comments. mark is the start of the data.

<bogus_comment> run_bogus+ { TO(bogus_comment); }
<bogus_comment> ">" { COMMENT(cur - 1); }
<bogus_comment> [\x00] {
  if (cur > lim) { MORE(bogus_comment); COMMENT(lim); }
  REPLACE_NUL();
  TO(bogus_comment);
}

<markup_declaration_open> "--"      { mark = cur; TO(comment_start); }
<markup_declaration_open> 'doctype' { TO(doctype); }
<markup_declaration_open> "[CDATA[" {
  if (SINK_CDATA_ALLOWED(P)) { mark = cur; TO(cdata_section); }
  ERROR(cdata_in_html_content, cur - 1);
  TO(bogus_comment);
}
<markup_declaration_open> [\x00] {
  cur--;
  goto incorrectly_opened;
}
<markup_declaration_open> * {
  cur--;
incorrectly_opened:
  // A literal that is cut may still come: wait for the rest of it at its start.
  if (!P->final && declaration_prefix(cur, lim)) { state = STATE_markup_declaration_open; goto suspend; }
  ERROR(incorrectly_opened_comment, cur);
  mark = cur;
  TO(bogus_comment);
}

<comment_start> "-" { TO(comment_start_dash); }
<comment_start> ">" { ERROR(abrupt_closing_of_empty_comment, cur - 1); COMMENT(mark); }
<comment_start> [\x00] {
  if (cur > lim) MORE(comment_start);
  else cur--;
  TO(comment);
}
<comment_start> * { RECONSUME(comment); }

<comment_start_dash> "-" { TO(comment_end); }
<comment_start_dash> ">" { ERROR(abrupt_closing_of_empty_comment, cur - 1); COMMENT(mark); }
<comment_start_dash> [\x00] {
  if (cur > lim) { MORE(comment_start_dash); ERROR(eof_in_comment, lim); COMMENT(mark); }
  RECONSUME(comment);
}
<comment_start_dash> * { RECONSUME(comment); }

// The states of the less-than sign only find "<!--" inside a comment, an error.
<comment> run_comment+ { TO(comment); }
<comment> "<" { TO(comment_less_than_sign); }
<comment> "-" { TO(comment_end_dash); }
<comment> [\x00] {
  if (cur > lim) { MORE(comment); ERROR(eof_in_comment, lim); COMMENT(lim); }
  REPLACE_NUL();
  TO(comment);
}

<comment_less_than_sign> "!"  { TO(comment_less_than_sign_bang); }
<comment_less_than_sign> "<"+ { TO(comment_less_than_sign); }
<comment_less_than_sign> [\x00] {
  if (cur > lim) MORE(comment_less_than_sign);
  else cur--;
  TO(comment);
}
<comment_less_than_sign> * { RECONSUME(comment); }

<comment_less_than_sign_bang> "-" { TO(comment_less_than_sign_bang_dash); }
<comment_less_than_sign_bang> [\x00] {
  if (cur > lim) MORE(comment_less_than_sign_bang);
  else cur--;
  TO(comment);
}
<comment_less_than_sign_bang> * { RECONSUME(comment); }

<comment_less_than_sign_bang_dash> "-" { TO(comment_less_than_sign_bang_dash_dash); }
<comment_less_than_sign_bang_dash> [\x00] {
  if (cur > lim) MORE(comment_less_than_sign_bang_dash);
  else cur--;
  TO(comment_end_dash);
}
<comment_less_than_sign_bang_dash> * { RECONSUME(comment_end_dash); }

<comment_less_than_sign_bang_dash_dash> ">" { RECONSUME(comment_end); }
<comment_less_than_sign_bang_dash_dash> [\x00] {
  if (cur > lim) { MORE(comment_less_than_sign_bang_dash_dash); TO(comment_end); }
  ERROR(nested_comment, cur - 1);
  RECONSUME(comment_end);
}
<comment_less_than_sign_bang_dash_dash> * {
  ERROR(nested_comment, cur - 1);
  RECONSUME(comment_end);
}

<comment_end_dash> "-" { TO(comment_end); }
<comment_end_dash> [\x00] {
  if (cur > lim) { MORE(comment_end_dash); ERROR(eof_in_comment, lim); COMMENT(lim - 1); }
  RECONSUME(comment);
}
<comment_end_dash> * { RECONSUME(comment); }

<comment_end> ">"  { COMMENT(cur - 3); }
<comment_end> "!"  { TO(comment_end_bang); }
<comment_end> "-"+ { TO(comment_end); }
<comment_end> [\x00] {
  if (cur > lim) { MORE(comment_end); ERROR(eof_in_comment, lim); COMMENT(lim - 2); }
  RECONSUME(comment);
}
<comment_end> * { RECONSUME(comment); }

<comment_end_bang> "-" { TO(comment_end_dash); }
<comment_end_bang> ">" { ERROR(incorrectly_closed_comment, cur - 1); COMMENT(cur - 4); }
<comment_end_bang> [\x00] {
  if (cur > lim) { MORE(comment_end_bang); ERROR(eof_in_comment, lim); COMMENT(lim - 3); }
  RECONSUME(comment);
}
<comment_end_bang> * { RECONSUME(comment); }
