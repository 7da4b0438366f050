/* words.h - the literals of the grammar that are compared at a cut or without case, and the limit
 * on attributes. */
#ifndef LANNER_WORDS_H
#define LANNER_WORDS_H

#include "tokenizer/parser.h"
#include "tokenizer/skip.h"

/* The state that a start tag of an HTML element switches to, also as the context of a
 * fragment (13.4 step 4); 0: none. */
static u32 text_state(u32 name, bool scripting) {
  switch (name) {
  case TAG_TITLE:
  case TAG_TEXTAREA: return STATE_rcdata;
  case TAG_STYLE:
  case TAG_XMP:
  case TAG_IFRAME:
  case TAG_NOEMBED:
  case TAG_NOFRAMES: return STATE_rawtext;
  case TAG_SCRIPT: return STATE_script_data;
  case TAG_PLAINTEXT: return STATE_plaintext;
  case TAG_NOSCRIPT: return scripting ? STATE_rawtext : 0;
  default: return 0;
  }
}

/* LENGTH bytes at P against WORD in lower case. */
static bool same_letters(const byte *p, const char *word, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (byte_lower(p[i]) != (byte)word[i]) return false;
  return true;
}

/* The four bytes at P are "html", in any case. */
INLINE bool is_html(const byte *p) {
  return (load64_little(p) | 0x20202020) << 32 == UINT64_C(0x6c6d7468) << 32;
}
/* "<!DOCTYPE html" stands at P, where "<!" does, in any case. */
INLINE bool is_html_doctype(const byte *p) {
  const u64 doctype = UINT64_C(0x2065707974636f64); /* and a space */
  return (load64_little(p + 2) | UINT64_C(0x2020202020202020)) == doctype && p[9] == ' ' &&
         is_html(p + 10);
}
/* " PUBLIC \"" stands at P, in any case. */
INLINE bool is_public_keyword(const byte *p) {
  const u64 keyword = UINT64_C(0x2063696c62757020);
  return (load64_little(p) | UINT64_C(0x2020202020202020)) == keyword && p[0] == ' ' &&
         p[7] == ' ' && p[8] == '"';
}

/* "script", any case. */
static bool is_script(const byte *start, const byte *end) {
  return end - start == 6 && same_letters(start, "script", 6);
}

/* A target that only XML may use (13.2.5.73). */
static bool is_xml_target(const byte *start, const byte *end) {
  size_t length = (size_t)(end - start);
  return (length == 3 && same_letters(start, "xml", 3)) ||
         (length == 14 && same_letters(start, "xml-stylesheet", 14));
}

/* What is left at the end of the input could be the beginning of "--", "doctype" or "[CDATA[". */
static bool declaration_prefix(const byte *p, const byte *limit) {
  size_t left = (size_t)(limit - p);
  return (left < 2 && memcmp(p, "--", left) == 0) ||
         (left < 7 && (same_letters(p, "doctype", left) || memcmp(p, "[CDATA[", left) == 0));
}

/* The same for "public" and "system". */
static bool keyword_prefix(const byte *p, const byte *limit) {
  size_t left = (size_t)(limit - p);
  return left < 6 && (same_letters(p, "public", left) || same_letters(p, "system", left));
}

/* The attribute row at INDEX becomes part of the tag. A row behind the last one always exists. */
static COLD void count_attribute_slow(struct parser *P, u32 index) {
  lanner_document *d = P->document;
  if (index - P->token.attribute_first >= P->attribute_limit) {
    if (!(d->limits_struck & LANNER_LIMIT_ATTRIBUTES)) {
      d->limits_struck |= LANNER_LIMIT_ATTRIBUTES;
      d->limit_offset[2] = d->attributes[index].source; /* in the text, see document_run */
    }
    return;
  }
  if (index + 1 == d->attribute_capacity && !store_grow_attributes(d, 2)) {
    P->stop = (uint8_t)d->status;
    return;
  }
  d->attribute_count = index + 1;
}

INLINE void count_attribute(struct parser *P, lanner_document *d, u32 index) {
  if (UNLIKELY(index + 1 == d->attribute_capacity ||
               index - P->token.attribute_first >= P->attribute_limit)) {
    count_attribute_slow(P, index);
    return;
  }
  d->attribute_count = index + 1;
}

#endif
