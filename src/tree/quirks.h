/* quirks.h - from a DOCTYPE to the document's mode (13.2.6.4.1). Compiled once, called once a
 * page by tree/modes.h. All comparisons are with text in lower case; the list of prefixes is
 * grammar/quirks.txt.
 */
#ifndef LANNER_TREE_QUIRKS_H
#define LANNER_TREE_QUIRKS_H

#include "tree/builder.h"

/* TEXT is in lower case; S may be longer. */
static bool identifier_starts(const lanner_document *d, slice s, const char *text, size_t length) {
  const byte *bytes = slice_bytes(d, s.offset, s.string);
  if (s.length < length) return false;
  for (size_t i = 0; i < length; i++) {
    byte c = bytes[i];
    if (c >= 'A' && c <= 'Z') c = (byte)(c | 0x20);
    if (c != (byte)text[i]) return false;
  }
  return true;
}
#define STARTS(s, text) identifier_starts(d, (s), text, sizeof text - 1)
#define EQUALS(s, text) ((s).length == sizeof text - 1 && STARTS(s, text))

/* "<!DOCTYPE html>", or with SYSTEM "about:legacy-compat" (in lower case). */
static COLD bool doctype_is_conforming(const lanner_document *d, const struct token *t) {
  static const char compat[] = "about:legacy-compat";
  if (!t->has_name || !EQUALS(t->doctype_name, "html") || t->has_public) return false;
  if (!t->has_system) return true;
  return t->system_id.length == sizeof compat - 1 &&
         memcmp(slice_bytes(d, t->system_id.offset, t->system_id.string), compat,
                sizeof compat - 1) == 0;
}

static NOINLINE lanner_mode doctype_mode(const lanner_document *d, const struct token *t) {
  if (t->force_quirks || !t->has_name || !EQUALS(t->doctype_name, "html")) return LANNER_QUIRKS;
  bool has_system = t->has_system && t->system_id.length != 0;
  if (has_system &&
      EQUALS(t->system_id, "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"))
    return LANNER_QUIRKS;
  if (!t->has_public) return LANNER_NO_QUIRKS;
  slice id = t->public_id;
  /* What nearly all pages with a public identifier have. */
  if (STARTS(id, "-//w3c//dtd xhtml "))
    return STARTS(id, "-//w3c//dtd xhtml 1.0 transitional//") ||
                   STARTS(id, "-//w3c//dtd xhtml 1.0 frameset//")
               ? LANNER_LIMITED_QUIRKS
               : LANNER_NO_QUIRKS;
  if (STARTS(id, "-//w3c//dtd html 4.01")) {
    if (!STARTS(id, "-//w3c//dtd html 4.01 transitional//") &&
        !STARTS(id, "-//w3c//dtd html 4.01 frameset//"))
      return LANNER_NO_QUIRKS;
    return has_system ? LANNER_LIMITED_QUIRKS : LANNER_QUIRKS;
  }
  if (EQUALS(id, "html") || EQUALS(id, "-//w3o//dtd w3 html strict 3.0//en//") ||
      EQUALS(id, "-/w3c/dtd html 4.0 transitional/en"))
    return LANNER_QUIRKS;
  for (size_t i = 0; i < sizeof quirks_prefixes / sizeof *quirks_prefixes; i++)
    if (identifier_starts(d, id, quirks_prefixes[i].text, quirks_prefixes[i].length))
      return LANNER_QUIRKS;
  return LANNER_NO_QUIRKS;
}

#undef STARTS
#undef EQUALS

#endif
