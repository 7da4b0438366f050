/* report.h - parse errors of the tokenizer and the input stream, with their positions. Used by the
 * checked instances only.
 *
 * Input stream errors (13.2.3.5) are not looked for by the tokenizer: whenever it reports an error,
 * the text up to that place is scanned for lines and for bad characters, once, so that both kinds
 * come out in the order of their positions.
 */
#ifndef LANNER_REPORT_H
#define LANNER_REPORT_H

#include "tokenizer/offsets.h"
#include "tokenizer/parser.h"
#include "tokenizer/references.h"

/* Hands on one error at the current line and column. */
static void report_at(struct parser *P, u32 code, const byte *at) {
  lanner_error e;
  e.code = (uint16_t)code;
  e.offset = (u32)offset_of(P, at);
  e.line = P->line;
  e.column = P->column;
  if (P->on_error(P, &e)) P->stop = LANNER_STOPPED;
}

/* Bytes of the character that begins with C. */
static u32 utf8_length(byte c) { return c < 0xC0 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4; }

/* The input stream error of the character at P, ERROR_NONE: none. */
static u32 stream_error(const byte *p, u32 length) {
  u32 code;
  switch (length) {
  case 1:
    return (*p < 0x20 && *p != 0 && !is_html_space(*p) && *p != '\r') || *p == 0x7F
               ? ERROR_control_character_in_input_stream
               : ERROR_NONE;
  case 2: return p[0] == 0xC2 && p[1] < 0xA0 ? ERROR_control_character_in_input_stream : ERROR_NONE;
  case 3:
    code = (p[0] & 15u) << 12 | (p[1] & 63u) << 6 | (p[2] & 63u);
    if (code >= 0xD800 && code <= 0xDFFF) return ERROR_surrogate_in_input_stream;
    break;
  default: code = (p[0] & 7u) << 18 | (p[1] & 63u) << 12 | (p[2] & 63u) << 6 | (p[3] & 63u);
  }
  return is_noncharacter(code) ? ERROR_noncharacter_in_input_stream : ERROR_NONE;
}

/* Scans up to TO, which is the start of a character or the end of what is here. */
static void report_stream_errors(struct parser *P, const byte *to) {
  const byte *p = P->scanned;
  if (!P->records_errors) return; /* the checked instance runs for another reason */
  while (p < to) {
    byte c = *p;
    if (LIKELY(c >= 0x20 && c < 0x7F)) {
      P->column++;
      p++;
      continue;
    }
    u32 length = utf8_length(c), code;
    if ((size_t)(P->limit - p) < length) break; /* the rest of it is still to come */
    code = stream_error(p, length);
    if (code) {
      P->scanned = p + length;
      report_at(P, code, p);
    }
    if (c == '\n') {
      P->line++;
      P->column = 1;
    } else {
      P->column += length == 4 ? 2 : 1;
    }
    p += length;
  }
  P->scanned = p;
}

/* The column of AT, on P->line, which is before that of scanned. A line with a token that ends on
 * another one is the last such line; so each is counted once, for all errors of that token. */
static void report_column(struct parser *P, const byte *at) {
  u64 offset = P->window + (u64)(at - P->base);
  if (P->back.line != P->line || P->back.offset != offset) {
    P->back.offset = offset;
    P->back.line = P->line;
    P->back.column = 1;
    for (const byte *p = at; p > P->base && p[-1] != '\n'; p--)
      if ((p[-1] & 0xC0) != 0x80) P->back.column += utf8_length(p[-1]) == 4 ? 2 : 1;
  }
  P->column = P->back.column;
}

/* An error of the tokenizer at the character AT (the end of the text for errors at its end). */
static COLD void report_error(struct parser *P, u32 code, const byte *at) {
  if (!P->records_errors) return;
  if (at >= P->scanned) {
    report_stream_errors(P, at);
    if (at < P->limit) {
      u32 bad = stream_error(at, utf8_length(*at));
      if (bad) {
        /* The character's own error comes first, and only once. */
        u32 line = P->line, column = P->column;
        report_stream_errors(P, at + utf8_length(*at));
        u32 next_line = P->line, next_column = P->column;
        P->line = line;
        P->column = column;
        report_at(P, code, at);
        P->line = next_line;
        P->column = next_column;
        return;
      }
    }
    report_at(P, code, at);
    return;
  }
  /* An error some characters back, at a token's start: lines and columns are counted backwards. */
  u32 line = P->line, column = P->column, units = 0;
  for (const byte *p = P->scanned; p > at;) {
    byte c = *--p;
    if (c == '\n') {
      P->line--;
      units = 0;
    } else if ((c & 0xC0) != 0x80) {
      units += utf8_length(c) == 4 ? 2 : 1;
    }
  }
  if (P->line == line)
    P->column -= units;
  else
    report_column(P, at);
  report_at(P, code, at);
  P->line = line;
  P->column = column;
}

#endif
