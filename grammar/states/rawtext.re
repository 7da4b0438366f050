// 13.2.5.2 to 5, 9 to 14, 16, 17, 24, 25: text that only its own end tag ends.

%for x=rcdata, run=run_data | x=rawtext, run=run_raw | x=script_data, run=run_raw | x=plaintext, run=run_plain
<$x> $run+ { TO($x); }
<$x> [\x00] {
  if (cur > lim) {
    cur = lim;
    FLUSH_TEXT(lim, $x);
    mark = lim;
    MORE($x);
    goto emit_eof;
  }
  REPLACE_NUL_IN_TEXT($x);
  TO($x);
}
%end
<rcdata> "&" { REFERENCE(rcdata); }
%for x=rcdata | x=rawtext | x=script_data
<$x> "<" { TO($x_less_than_sign); }
%end

%for x=rcdata | x=rawtext
<$x_less_than_sign> "/" { TO($x_end_tag_open); }
<$x_less_than_sign> [\x00] {
  if (cur > lim) { MORE_TEXT($x_less_than_sign, lim - 1, $x); TO($x); }
  RECONSUME($x);
}
<$x_less_than_sign> * { RECONSUME($x); }
%end

// At a letter behind "</" the text so far is handed on, so that mark is at "<" until the name has
// turned out to be the appropriate one, or text.
%for x=rcdata | x=rawtext | x=script_data | x=script_data_escaped
<$x_end_tag_open> letter {
  FLUSH_TEXT(cur - 3, $x);
  mark = cur - 3;
  TO($x_end_tag_name);
}
<$x_end_tag_open> [\x00] {
  if (cur > lim) { MORE_TEXT($x_end_tag_open, lim - 2, $x); TO($x); }
  RECONSUME($x);
}
<$x_end_tag_open> * { RECONSUME($x); }

<$x_end_tag_name> letter+ { TO($x_end_tag_name); }
<$x_end_tag_name> ws {
  if (FN(appropriate_end_tag)(P, mark, cur - 1)) TO(before_attribute_name);
  RECONSUME($x);
}
<$x_end_tag_name> "/" {
  if (FN(appropriate_end_tag)(P, mark, cur - 1)) TO(self_closing_start_tag);
  RECONSUME($x);
}
<$x_end_tag_name> ">" {
  if (FN(appropriate_end_tag)(P, mark, cur - 1)) goto emit_tag;
  RECONSUME($x);
}
<$x_end_tag_name> [\x00] {
  if (cur > lim) MORE($x_end_tag_name);
  else cur--;
  TO($x);
}
<$x_end_tag_name> * { RECONSUME($x); }
%end
