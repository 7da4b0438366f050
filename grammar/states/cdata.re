// 13.2.5.69 to 71: CDATA sections; their text is raw, U+0000 is left to tree construction.

<cdata_section> run_cdata+ { TO(cdata_section); }
<cdata_section> "]" { TO(cdata_section_bracket); }
<cdata_section> [\x00] {
  if (cur > lim) {
    MORE_TEXT(cdata_section, lim, cdata_section);
    ERROR(eof_in_cdata, lim);
    TO(data);
  }
  FLUSH_TEXT(cur - 1, cdata_section);
  mark = cur - 1;
  while (cur < lim && *cur == 0) cur++;
  P->cursor = cur;
  SINK_NULLS(P, (u32)(cur - mark));
  AFTER_TOKEN(cdata_section);
}

<cdata_section_bracket> "]" { TO(cdata_section_end); }
<cdata_section_bracket> [\x00] {
  if (cur > lim) MORE_TEXT(cdata_section_bracket, lim - 1, cdata_section);
  else cur--;
  TO(cdata_section);
}
<cdata_section_bracket> * { RECONSUME(cdata_section); }

<cdata_section_end> "]" { TO(cdata_section_end); }
<cdata_section_end> ">" { FLUSH_TEXT(cur - 3, cdata_section); mark = cur; TO(data); }
<cdata_section_end> [\x00] {
  if (cur > lim) MORE_TEXT(cdata_section_end, lim - 2, cdata_section);
  else cur--;
  TO(cdata_section);
}
<cdata_section_end> * { RECONSUME(cdata_section); }
