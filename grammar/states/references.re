// 13.2.5.77 to 84: character references. `amp` is the ampersand; mark stays at the start of the
// piece around it, so that a reference that turns out to be none costs nothing.

<character_reference> [a-zA-Z0-9] { RECONSUME(named_character_reference); }
<character_reference> "#" { P->code_point = 0; TO(numeric_character_reference); }
<character_reference> [\x00] {
  if (cur > lim) MORE_REFERENCE(character_reference, lim);
  else cur--;
  goto return_state;
}
<character_reference> * { cur--; goto return_state; }

// The automaton starts at the ampersand each time; no name is longer than 32 bytes.
<named_character_reference> [^] {
  struct reference_match m = reference_match(amp + 1, lim);
  if (m.cut && !P->final) MORE_REFERENCE(named_character_reference, amp + 1);
  if (!m.end) {
    cur = amp + 1;
    TO(ambiguous_ampersand);
  }
  if (m.end[-1] != ';') {
    if (RETURNS_TO_ATTRIBUTE() && (*m.end == '=' || byte_is_alphanumeric(*m.end))) {
      cur = m.end;
      goto return_state; // "for historical reasons"
    }
    ERROR(missing_semicolon_after_character_reference, m.end);
  }
  DECODED(amp, m.text, m.end);
}

<ambiguous_ampersand> [a-zA-Z0-9]+ { TO(ambiguous_ampersand); }
<ambiguous_ampersand> ";" {
  ERROR(unknown_named_character_reference, cur - 1);
  cur--;
  goto return_state;
}
<ambiguous_ampersand> [\x00] {
  if (cur > lim) MORE_REFERENCE(ambiguous_ampersand, lim);
  else cur--;
  goto return_state;
}
<ambiguous_ampersand> * { cur--; goto return_state; }

<numeric_character_reference> [xX] { TO(hexadecimal_character_reference_start); }
<numeric_character_reference> [0-9] { RECONSUME(decimal_character_reference); }
%for x=numeric_character_reference | x=hexadecimal_character_reference_start
<$x> [\x00] {
  if (cur > lim) MORE_REFERENCE($x, lim);
  else cur--;
  ERROR(absence_of_digits_in_numeric_character_reference, cur);
  goto return_state;
}
<$x> * {
  cur--;
  ERROR(absence_of_digits_in_numeric_character_reference, cur);
  goto return_state;
}
%end
<hexadecimal_character_reference_start> [0-9a-fA-F] { RECONSUME(hexadecimal_character_reference); }

%for x=hexadecimal_character_reference, digit=[0-9a-fA-F], base=16 | x=decimal_character_reference, digit=[0-9], base=10
<$x> $digit { P->code_point = add_digit(P->code_point, cur[-1], $base); TO($x); }
<$x> ";" { TO(numeric_character_reference_end); }
<$x> [\x00] {
  if (cur > lim) MORE_REFERENCE($x, lim);
  else cur--;
  ERROR(missing_semicolon_after_character_reference, cur);
  TO(numeric_character_reference_end);
}
<$x> * {
  cur--;
  ERROR(missing_semicolon_after_character_reference, cur);
  TO(numeric_character_reference_end);
}
%end

// Consumes nothing: the byte that the rule needs is put back.
<numeric_character_reference_end> [^] {
  u32 code;
#if CHECKED
  // The next character's own error comes before the reference's, so it has to be there.
  if (cur > lim && !P->final) MORE_REFERENCE(numeric_character_reference_end, lim);
#endif
  cur--;
  code = numeric_reference_error(P->code_point);
  if (code) ERROR_CODE(code, cur);
  struct short_text text = encode_utf8(numeric_reference_value(P->code_point));
  DECODED(amp, text, cur);
}
