/* text.h - small questions about header text: ASCII case, trimming, numbers. No locale. */
#ifndef LANNER_WARC_TEXT_H
#define LANNER_WARC_TEXT_H

#include <string.h>

#include "lanner.h"

static inline char warc_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

static inline bool warc_is_blank(char c) { return c == ' ' || c == '\t'; }

static inline lanner_string warc_text(const char *data, size_t length) {
  lanner_string text = {data, length};
  return text;
}

/* TEXT is LOWER (in lower case), whatever its case. */
static inline bool warc_same(lanner_string text, const char *lower) {
  size_t length = strlen(lower);
  if (text.length != length) return false;
  for (size_t i = 0; i < length; i++)
    if (warc_lower(text.data[i]) != lower[i]) return false;
  return true;
}

static inline bool warc_begins(lanner_string text, const char *lower) {
  size_t length = strlen(lower);
  return text.length >= length && warc_same(warc_text(text.data, length), lower);
}

/* Without the spaces, tabs, CRs and newlines at both ends. */
static inline lanner_string warc_trim(lanner_string text) {
  while (text.length > 0 &&
         (warc_is_blank(text.data[0]) || text.data[0] == '\r' || text.data[0] == '\n')) {
    text.data++;
    text.length--;
  }
  while (text.length > 0) {
    char last = text.data[text.length - 1];
    if (!warc_is_blank(last) && last != '\r' && last != '\n') break;
    text.length--;
  }
  return text;
}

/* Reads a decimal number that is all of TEXT. */
static inline bool warc_number(lanner_string text, uint64_t *number) {
  uint64_t value = 0;
  if (text.length == 0 || text.length > 19) return false;
  for (size_t i = 0; i < text.length; i++) {
    if (text.data[i] < '0' || text.data[i] > '9') return false;
    value = value * 10 + (uint64_t)(text.data[i] - '0');
  }
  *number = value;
  return true;
}

/* Takes the next line of *REST, without its line end (CR LF or LF), off its front. */
static inline lanner_string warc_line(lanner_string *rest) {
  const char *end = rest->length > 0 ? memchr(rest->data, '\n', rest->length) : NULL;
  size_t length = end != NULL ? (size_t)(end - rest->data) : rest->length;
  lanner_string line = {rest->data, length};
  size_t step = end != NULL ? length + 1 : length;
  rest->data += step;
  rest->length -= step;
  if (line.length > 0 && line.data[line.length - 1] == '\r') line.length--;
  return line;
}

/* Splits "Name: value"; both trimmed. False when there is no colon. */
static inline bool warc_field(lanner_string line, lanner_string *name, lanner_string *value) {
  const char *colon = line.length > 0 ? memchr(line.data, ':', line.length) : NULL;
  if (colon == NULL) return false;
  *name = warc_trim(warc_text(line.data, (size_t)(colon - line.data)));
  *value = warc_trim(warc_text(colon + 1, (size_t)(line.data + line.length - colon - 1)));
  return true;
}

#endif
