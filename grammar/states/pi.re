// 13.2.5.72 to 76: processing instructions. In 72 to 74 mark is at the "?" of "<?" (in front
// of the temporary buffer), in 75 and 76 at the start of the data.

<processing_instruction_open> letter | "_" { RECONSUME(processing_instruction_target); }
<processing_instruction_open> [\x00] {
  if (cur > lim) { MORE(processing_instruction_open); goto eof_in_pi; }
  ERROR(invalid_first_character_of_processing_instruction_target, cur - 1);
  RECONSUME(bogus_comment);
}
<processing_instruction_open> * {
  ERROR(invalid_first_character_of_processing_instruction_target, cur - 1);
  RECONSUME(bogus_comment);
}

<processing_instruction_target> [a-zA-Z0-9_\-]+ { TO(processing_instruction_target); }
<processing_instruction_target> ws | "?" | ">" {
  if (is_xml_target(mark + 1, cur - 1)) {
    ERROR(disallowed_processing_instruction_target, cur - 1);
    RECONSUME(bogus_comment);
  }
  FN(processing_instruction_target)(P, mark + 1, cur - 1);
  RECONSUME(after_processing_instruction_target);
}
<processing_instruction_target> [\x00] {
  if (cur > lim) { MORE(processing_instruction_target); goto eof_in_pi; }
  ERROR(invalid_processing_instruction_target, cur - 1);
  RECONSUME(bogus_comment);
}
<processing_instruction_target> * {
  ERROR(invalid_processing_instruction_target, cur - 1);
  RECONSUME(bogus_comment);
}

<after_processing_instruction_target> ws+ { TO(after_processing_instruction_target); }
<after_processing_instruction_target> [\x00] {
  if (cur > lim) { MORE(after_processing_instruction_target); goto eof_in_pi; }
  mark = cur - 1;
  RECONSUME(processing_instruction_data);
}
<after_processing_instruction_target> * { mark = cur - 1; RECONSUME(processing_instruction_data); }

<processing_instruction_data> [^?>\x00]+ { TO(processing_instruction_data); }
<processing_instruction_data> "?" { TO(processing_instruction_questionable); }
<processing_instruction_data> ">" { P->token.data = FN(piece)(P, mark, cur - 1); goto emit_processing_instruction; }
<processing_instruction_data> [\x00] {
  if (cur > lim) { MORE(processing_instruction_data); goto eof_in_pi; }
  TO(processing_instruction_data);
}

<processing_instruction_questionable> ">" { P->token.data = FN(piece)(P, mark, cur - 2); goto emit_processing_instruction; }
<processing_instruction_questionable> [\x00] {
  if (cur > lim) { MORE(processing_instruction_questionable); goto eof_in_pi; }
  RECONSUME(processing_instruction_data);
}
<processing_instruction_questionable> * { RECONSUME(processing_instruction_data); }
