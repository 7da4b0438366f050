// 13.2.5.32 to 40: attributes, self-closing.

<before_attribute_name> ws+   { TO(before_attribute_name); }
<before_attribute_name> "/"   { TO(self_closing_start_tag); }
<before_attribute_name> ">"   { goto emit_tag; }
<before_attribute_name> "="   {
  ERROR(unexpected_equals_sign_before_attribute_name, cur - 1);
  mark = cur - 1;
  TO(attribute_name);
}
<before_attribute_name> [\x00] {
  if (cur > lim) { MORE(before_attribute_name); goto eof_in_tag; }
  mark = cur - 1;
  RECONSUME(attribute_name);
}
<before_attribute_name> * { mark = cur - 1; RECONSUME(attribute_name); }

<attribute_name> run_attribute_name+ { TO(attribute_name); }
<attribute_name> ws  { FN(end_attribute_name)(P, mark, cur - 1); TO(after_attribute_name); }
<attribute_name> "/" { FN(end_attribute_name)(P, mark, cur - 1); TO(self_closing_start_tag); }
<attribute_name> ">" { FN(end_attribute_name)(P, mark, cur - 1); goto emit_tag; }
<attribute_name> "=" { FN(end_attribute_name)(P, mark, cur - 1); TO(before_attribute_value); }
<attribute_name> ["'<] {
  ERROR(unexpected_character_in_attribute_name, cur - 1);
  TO(attribute_name);
}
<attribute_name> [\x00] {
  if (cur > lim) {
    MORE(attribute_name);
    // The name is complete here as well: a duplicate is still reported.
    FN(end_attribute_name)(P, mark, lim);
    goto eof_in_tag;
  }
  REPLACE_NUL();
  TO(attribute_name);
}

<after_attribute_name> ws+ { TO(after_attribute_name); }
<after_attribute_name> "/" { TO(self_closing_start_tag); }
<after_attribute_name> "=" { TO(before_attribute_value); }
<after_attribute_name> ">" { goto emit_tag; }
<after_attribute_name> [\x00] {
  if (cur > lim) { MORE(after_attribute_name); goto eof_in_tag; }
  mark = cur - 1;
  RECONSUME(attribute_name);
}
<after_attribute_name> * { mark = cur - 1; RECONSUME(attribute_name); }

<before_attribute_value> ws+ { TO(before_attribute_value); }
<before_attribute_value> ["] { mark = cur; TO(attribute_value_double_quoted); }
<before_attribute_value> ['] { mark = cur; TO(attribute_value_single_quoted); }
<before_attribute_value> ">" { ERROR(missing_attribute_value, cur - 1); goto emit_tag; }
<before_attribute_value> [\x00] {
  if (cur > lim) { MORE(before_attribute_value); goto eof_in_tag; }
  mark = cur - 1;
  RECONSUME(attribute_value_unquoted);
}
<before_attribute_value> * { mark = cur - 1; RECONSUME(attribute_value_unquoted); }

%for x=double_quoted, quote=["] | x=single_quoted, quote=[']
<attribute_value_$x> run_$x+ { TO(attribute_value_$x); }
<attribute_value_$x> $quote  {
  FN(end_attribute_value)(P, mark, cur - 1);
  TO(after_attribute_value_quoted);
}
<attribute_value_$x> "&" { REFERENCE(attribute_value_$x); }
<attribute_value_$x> [\x00] {
  if (cur > lim) { MORE(attribute_value_$x); goto eof_in_tag; }
  REPLACE_NUL();
  TO(attribute_value_$x);
}
%end

<attribute_value_unquoted> run_unquoted+ { TO(attribute_value_unquoted); }
<attribute_value_unquoted> ws  {
  FN(end_attribute_value)(P, mark, cur - 1);
  TO(before_attribute_name);
}
<attribute_value_unquoted> "&" { REFERENCE(attribute_value_unquoted); }
<attribute_value_unquoted> ">" { FN(end_attribute_value)(P, mark, cur - 1); goto emit_tag; }
<attribute_value_unquoted> ["'<=`] {
  ERROR(unexpected_character_in_unquoted_attribute_value, cur - 1);
  TO(attribute_value_unquoted);
}
<attribute_value_unquoted> [\x00] {
  if (cur > lim) { MORE(attribute_value_unquoted); goto eof_in_tag; }
  REPLACE_NUL();
  TO(attribute_value_unquoted);
}

<after_attribute_value_quoted> ws  { TO(before_attribute_name); }
<after_attribute_value_quoted> "/" { TO(self_closing_start_tag); }
<after_attribute_value_quoted> ">" { goto emit_tag; }
<after_attribute_value_quoted> [\x00] {
  if (cur > lim) { MORE(after_attribute_value_quoted); goto eof_in_tag; }
  ERROR(missing_whitespace_between_attributes, cur - 1);
  RECONSUME(before_attribute_name);
}
<after_attribute_value_quoted> * {
  ERROR(missing_whitespace_between_attributes, cur - 1);
  RECONSUME(before_attribute_name);
}

<self_closing_start_tag> ">" { P->token.self_closing = true; goto emit_tag; }
<self_closing_start_tag> [\x00] {
  if (cur > lim) { MORE(self_closing_start_tag); goto eof_in_tag; }
  ERROR(unexpected_solidus_in_tag, cur - 1);
  RECONSUME(before_attribute_name);
}
<self_closing_start_tag> * {
  ERROR(unexpected_solidus_in_tag, cur - 1);
  RECONSUME(before_attribute_name);
}
