// 13.2.5.15, 18 to 23, 26 to 31: "<!--" inside a script. Text is raw all the way: these states
// only decide which "</script" ends it.

<script_data_less_than_sign> "/" { TO(script_data_end_tag_open); }
<script_data_less_than_sign> "!" { TO(script_data_escape_start); }
<script_data_less_than_sign> [\x00] {
  if (cur > lim) { MORE_TEXT(script_data_less_than_sign, lim - 1, script_data); TO(script_data); }
  RECONSUME(script_data);
}
<script_data_less_than_sign> * { RECONSUME(script_data); }

%for x=script_data_escape_start, next=script_data_escape_start_dash | x=script_data_escape_start_dash, next=script_data_escaped_dash_dash
<$x> "-" { TO($next); }
<$x> [\x00] {
  if (cur > lim) { MORE_TEXT($x, lim, script_data); TO(script_data); }
  RECONSUME(script_data);
}
<$x> * { RECONSUME(script_data); }
%end

%for x=script_data_escaped, lt=script_data_escaped_less_than_sign | x=script_data_double_escaped, lt=script_data_double_escaped_less_than_sign
<$x> run_escaped+ { TO($x); }
<$x> "-" { TO($x_dash); }
<$x> "<" { TO($lt); }
<$x> [\x00] {
  if (cur > lim) { MORE_TEXT($x, lim, $x); goto eof_in_script_comment; }
  REPLACE_NUL_IN_TEXT($x);
  TO($x);
}

<$x_dash> "-" { TO($x_dash_dash); }
<$x_dash> "<" { TO($lt); }
<$x_dash> [\x00] {
  if (cur > lim) { MORE_TEXT($x_dash, lim, $x); goto eof_in_script_comment; }
  REPLACE_NUL_IN_TEXT($x);
  TO($x);
}
<$x_dash> * { RECONSUME($x); }

<$x_dash_dash> "-"+ { TO($x_dash_dash); }
<$x_dash_dash> "<"  { TO($lt); }
<$x_dash_dash> ">"  { TO(script_data); }
<$x_dash_dash> [\x00] {
  if (cur > lim) { MORE_TEXT($x_dash_dash, lim, $x); goto eof_in_script_comment; }
  REPLACE_NUL_IN_TEXT($x);
  TO($x);
}
<$x_dash_dash> * { RECONSUME($x); }
%end

<script_data_escaped_less_than_sign> "/" { TO(script_data_escaped_end_tag_open); }
<script_data_escaped_less_than_sign> letter {
  // The word is compared when it is complete; mark goes to its "<".
  FLUSH_TEXT(cur - 2, script_data_escaped);
  mark = cur - 2;
  TO(script_data_double_escape_start);
}
<script_data_escaped_less_than_sign> [\x00] {
  if (cur > lim) {
    MORE_TEXT(script_data_escaped_less_than_sign, lim - 1, script_data_escaped);
    TO(script_data_escaped);
  }
  RECONSUME(script_data_escaped);
}
<script_data_escaped_less_than_sign> * { RECONSUME(script_data_escaped); }

%for x=script_data_double_escape_start, skip=1, yes=script_data_double_escaped, no=script_data_escaped | x=script_data_double_escape_end, skip=2, yes=script_data_escaped, no=script_data_double_escaped
<$x> letter+ { TO($x); }
<$x> ws | "/" | ">" {
  if (is_script(mark + $skip, cur - 1)) TO($yes);
  TO($no);
}
<$x> [\x00] {
  if (cur > lim) MORE($x);
  else cur--;
  TO($no);
}
<$x> * { RECONSUME($no); }
%end

<script_data_double_escaped_less_than_sign> "/" {
  FLUSH_TEXT(cur - 2, script_data_double_escaped);
  mark = cur - 2;
  TO(script_data_double_escape_end);
}
<script_data_double_escaped_less_than_sign> [\x00] {
  if (cur > lim) {
    MORE_TEXT(script_data_double_escaped_less_than_sign, lim - 1, script_data_double_escaped);
    TO(script_data_double_escaped);
  }
  RECONSUME(script_data_double_escaped);
}
<script_data_double_escaped_less_than_sign> * { RECONSUME(script_data_double_escaped); }
