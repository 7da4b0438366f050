/* quirks.h - from a DOCTYPE to the document's mode (13.2.6.4.1). Compiled once, called once a
 * page by tree/modes.h. All comparisons are with text in lower case; the list of prefixes is
 * grammar/quirks.txt.
 */
#ifndef LANNER_TREE_QUIRKS_H
#define LANNER_TREE_QUIRKS_H

#include "tree/builder.h"

/* The beginning of an identifier in lower case. */
struct identifier {
  u32 length;
  byte text[QUIRKS_LONGEST];
};
static struct identifier identifier_lower(const lanner_document *d, slice s) {
  struct identifier id = {.length = s.length};
  if (s.length) /* there may be no string area yet */
    memcpy(id.text, slice_bytes(d, s.offset, s.string),
           s.length < sizeof id.text ? s.length : sizeof id.text);
  for (size_t i = 0; i < sizeof id.text; i++) id.text[i] = byte_lower(id.text[i]);
  return id;
}
/* TEXT is in lower case. */
#define STARTS(id, with)                                                                           \
  ((id).length >= sizeof(with) - 1 && !memcmp((id).text, with, sizeof(with) - 1))
#define EQUALS(id, with) ((id).length == sizeof(with) - 1 && STARTS(id, with))

/* The name is "html"; it is in lower case already. */
INLINE bool doctype_is_html(const lanner_document *d, const struct token *t) {
  slice s = t->doctype_name;
  return t->has_name && s.length == 4 && memcmp(slice_bytes(d, s.offset, s.string), "html", 4) == 0;
}

/* "<!DOCTYPE html>", or with SYSTEM "about:legacy-compat" (in lower case). */
static COLD bool doctype_is_conforming(const lanner_document *d, const struct token *t) {
  static const char compat[] = "about:legacy-compat";
  if (!doctype_is_html(d, t) || t->has_public) return false;
  if (!t->has_system) return true;
  return t->system_id.length == sizeof compat - 1 &&
         memcmp(slice_bytes(d, t->system_id.offset, t->system_id.string), compat,
                sizeof compat - 1) == 0;
}

static NOINLINE lanner_mode doctype_mode(const lanner_document *d, const struct token *t) {
  if (t->force_quirks || !doctype_is_html(d, t)) return LANNER_QUIRKS;
  bool has_system = t->has_system && t->system_id.length != 0;
  static const char ibm[] = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd";
  if (has_system && t->system_id.length == sizeof ibm - 1) {
    struct identifier system = identifier_lower(d, t->system_id);
    if (EQUALS(system, ibm)) return LANNER_QUIRKS;
  }
  if (!t->has_public) return LANNER_NO_QUIRKS;
  struct identifier id = identifier_lower(d, t->public_id);
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
    if (load64_little(id.text + 3) == load64_little((const byte *)quirks_prefixes[i].text + 3) &&
        id.length >= quirks_prefixes[i].length &&
        !memcmp(id.text, quirks_prefixes[i].text, quirks_prefixes[i].length))
      return LANNER_QUIRKS;
  return LANNER_NO_QUIRKS;
}

#undef STARTS
#undef EQUALS

#endif
