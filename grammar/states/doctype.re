// 13.2.5.53 to 68: DOCTYPE. Identifiers are pieces like any other.

<doctype> ws { DOCTYPE_BEGIN(); TO(before_doctype_name); }
<doctype> ">" { DOCTYPE_BEGIN(); RECONSUME(before_doctype_name); }
<doctype> [\x00] {
  if (cur > lim) { MORE(doctype); DOCTYPE_BEGIN(); DOCTYPE_EOF(); }
  ERROR(missing_whitespace_before_doctype_name, cur - 1);
  DOCTYPE_BEGIN();
  RECONSUME(before_doctype_name);
}
<doctype> * {
  ERROR(missing_whitespace_before_doctype_name, cur - 1);
  DOCTYPE_BEGIN();
  RECONSUME(before_doctype_name);
}

<before_doctype_name> ws+ { TO(before_doctype_name); }
<before_doctype_name> ">" { ERROR(missing_doctype_name, cur - 1); DOCTYPE_QUIRKS(); }
<before_doctype_name> [\x00] {
  if (cur > lim) { MORE(before_doctype_name); DOCTYPE_EOF(); }
  mark = cur - 1;
  RECONSUME(doctype_name);
}
<before_doctype_name> * { mark = cur - 1; RECONSUME(doctype_name); }

<doctype_name> [^\t\n\f >\x00]+ { TO(doctype_name); }
<doctype_name> ws  { FN(doctype_name)(P, mark, cur - 1); TO(after_doctype_name); }
<doctype_name> ">" { FN(doctype_name)(P, mark, cur - 1); goto emit_doctype; }
<doctype_name> [\x00] {
  if (cur > lim) { MORE(doctype_name); FN(doctype_name)(P, mark, lim); DOCTYPE_EOF(); }
  REPLACE_NUL();
  TO(doctype_name);
}

<after_doctype_name> ws+ { TO(after_doctype_name); }
<after_doctype_name> ">" { goto emit_doctype; }
<after_doctype_name> 'public' { TO(after_doctype_public_keyword); }
<after_doctype_name> 'system' { TO(after_doctype_system_keyword); }
<after_doctype_name> [\x00] {
  if (cur > lim) { MORE(after_doctype_name); DOCTYPE_EOF(); }
  ERROR(invalid_character_sequence_after_doctype_name, cur - 1);
  P->token.force_quirks = true;
  RECONSUME(bogus_doctype);
}
<after_doctype_name> * {
  cur--;
  // A keyword that is cut may still come: wait for the rest of it at its start.
  if (!P->final && keyword_prefix(cur, lim)) { state = STATE_after_doctype_name; goto suspend; }
  ERROR(invalid_character_sequence_after_doctype_name, cur);
  P->token.force_quirks = true;
  TO(bogus_doctype);
}

%for x=public, before=before_doctype_public_identifier | x=system, before=before_doctype_system_identifier
<after_doctype_$x_keyword> ws { TO($before); }
<after_doctype_$x_keyword> ["'] {
  ERROR(missing_whitespace_after_doctype_$x_keyword, cur - 1);
  RECONSUME($before);
}
<after_doctype_$x_keyword> ">" { ERROR(missing_doctype_$x_identifier, cur - 1); DOCTYPE_QUIRKS(); }
<after_doctype_$x_keyword> [\x00] {
  if (cur > lim) { MORE(after_doctype_$x_keyword); DOCTYPE_EOF(); }
  ERROR(missing_quote_before_doctype_$x_identifier, cur - 1);
  P->token.force_quirks = true;
  RECONSUME(bogus_doctype);
}
<after_doctype_$x_keyword> * {
  ERROR(missing_quote_before_doctype_$x_identifier, cur - 1);
  P->token.force_quirks = true;
  RECONSUME(bogus_doctype);
}

<$before> ws+ { TO($before); }
<$before> ["] { P->token.has_$x = true; mark = cur; TO(doctype_$x_identifier_double_quoted); }
<$before> ['] { P->token.has_$x = true; mark = cur; TO(doctype_$x_identifier_single_quoted); }
<$before> ">" { ERROR(missing_doctype_$x_identifier, cur - 1); DOCTYPE_QUIRKS(); }
<$before> [\x00] {
  if (cur > lim) { MORE($before); DOCTYPE_EOF(); }
  ERROR(missing_quote_before_doctype_$x_identifier, cur - 1);
  P->token.force_quirks = true;
  RECONSUME(bogus_doctype);
}
<$before> * {
  ERROR(missing_quote_before_doctype_$x_identifier, cur - 1);
  P->token.force_quirks = true;
  RECONSUME(bogus_doctype);
}
%end

%for x=public, q=double, quote=["] | x=public, q=single, quote=['] | x=system, q=double, quote=["] | x=system, q=single, quote=[']
<doctype_$x_identifier_$q_quoted> run_$q_id+ { TO(doctype_$x_identifier_$q_quoted); }
<doctype_$x_identifier_$q_quoted> $quote {
  P->token.$x_id = FN(piece)(P, mark, cur - 1);
  TO(after_doctype_$x_identifier);
}
<doctype_$x_identifier_$q_quoted> ">" {
  ERROR(abrupt_doctype_$x_identifier, cur - 1);
  P->token.$x_id = FN(piece)(P, mark, cur - 1);
  DOCTYPE_QUIRKS();
}
<doctype_$x_identifier_$q_quoted> [\x00] {
  if (cur > lim) {
    MORE(doctype_$x_identifier_$q_quoted);
    P->token.$x_id = FN(piece)(P, mark, lim);
    DOCTYPE_EOF();
  }
  REPLACE_NUL();
  TO(doctype_$x_identifier_$q_quoted);
}
%end

<after_doctype_public_identifier> ws { TO(between_doctype_public_and_system_identifiers); }
<after_doctype_public_identifier> ["'] {
  ERROR(missing_whitespace_between_doctype_public_and_system_identifiers, cur - 1);
  RECONSUME(between_doctype_public_and_system_identifiers);
}
<between_doctype_public_and_system_identifiers> ws+ {
  TO(between_doctype_public_and_system_identifiers);
}
%for x=double, quote=["] | x=single, quote=[']
<between_doctype_public_and_system_identifiers> $quote {
  P->token.has_system = true;
  mark = cur;
  TO(doctype_system_identifier_$x_quoted);
}
%end
%for x=after_doctype_public_identifier | x=between_doctype_public_and_system_identifiers
<$x> ">" { goto emit_doctype; }
<$x> [\x00] {
  if (cur > lim) { MORE($x); DOCTYPE_EOF(); }
  ERROR(missing_quote_before_doctype_system_identifier, cur - 1);
  P->token.force_quirks = true;
  RECONSUME(bogus_doctype);
}
<$x> * {
  ERROR(missing_quote_before_doctype_system_identifier, cur - 1);
  P->token.force_quirks = true;
  RECONSUME(bogus_doctype);
}
%end

<after_doctype_system_identifier> ws+ { TO(after_doctype_system_identifier); }
<after_doctype_system_identifier> ">" { goto emit_doctype; }
<after_doctype_system_identifier> [\x00] {
  if (cur > lim) { MORE(after_doctype_system_identifier); DOCTYPE_EOF(); }
  ERROR(unexpected_character_after_doctype_system_identifier, cur - 1);
  RECONSUME(bogus_doctype);
}
<after_doctype_system_identifier> * {
  ERROR(unexpected_character_after_doctype_system_identifier, cur - 1);
  RECONSUME(bogus_doctype);
}

<bogus_doctype> [^>\x00]+ { TO(bogus_doctype); }
<bogus_doctype> ">" { goto emit_doctype; }
<bogus_doctype> [\x00] {
  if (cur > lim) {
    MORE(bogus_doctype);
    goto emit_doctype;
  }
  ERROR(unexpected_null_character, cur - 1);
  TO(bogus_doctype);
}
