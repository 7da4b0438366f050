/* references.h - character references (13.2.5.72 ff., 13.5): the automaton over the named ones,
 * numeric values, and the short cut for complete references. Stateless; works on bytes.
 */
#ifndef LANNER_REFERENCES_H
#define LANNER_REFERENCES_H

#include "errors.h"
#include "tokenizer/names.h"

#include "references.inc"

struct reference_match {
  const byte *end; /* behind the reference, NULL: none */
  const byte *bytes;
  u32 length;
  bool cut; /* the input ended where a longer name could have gone on */
};

/* UTF-8 of CODE; surrogates come as their three bytes are asked for by nobody. */
static u32 encode_utf8(u32 code, byte out[4]) {
  if (code < 0x80) {
    out[0] = (byte)code;
    return 1;
  }
  if (code < 0x800) {
    out[0] = (byte)(0xC0 | code >> 6);
    out[1] = (byte)(0x80 | (code & 63));
    return 2;
  }
  if (code < 0x10000) {
    out[0] = (byte)(0xE0 | code >> 12);
    out[1] = (byte)(0x80 | (code >> 6 & 63));
    out[2] = (byte)(0x80 | (code & 63));
    return 3;
  }
  out[0] = (byte)(0xF0 | code >> 18);
  out[1] = (byte)(0x80 | (code >> 12 & 63));
  out[2] = (byte)(0x80 | (code >> 6 & 63));
  out[3] = (byte)(0x80 | (code & 63));
  return 4;
}

/* CODE with one more digit; stays above U+10FFFF once it is there. */
static u32 add_digit(u32 code, byte digit, u32 base) {
  u32 value = byte_is_digit(digit) ? (u32)(digit - '0') : (u32)((digit | 32) - 'a' + 10);
  if (code > 0x10FFFF) return code;
  return code * base + value;
}

static bool is_noncharacter(u32 code) {
  return (code >= 0xFDD0 && code <= 0xFDEF) || ((code & 0xFFFE) == 0xFFFE && code <= 0x10FFFF);
}

/* 13.2.5.84: the error of a code, ERROR_NONE: none. */
UNUSED static u32 numeric_reference_error(u32 code) {
  if (code == 0) return ERROR_null_character_reference;
  if (code > 0x10FFFF) return ERROR_character_reference_outside_unicode_range;
  if (code >= 0xD800 && code <= 0xDFFF) return ERROR_surrogate_character_reference;
  if (is_noncharacter(code)) return ERROR_noncharacter_character_reference;
  if ((code < 0x20 && code != '\t' && code != '\n' && code != '\f') ||
      (code >= 0x7F && code <= 0x9F))
    return ERROR_control_character_reference;
  return ERROR_NONE;
}

/* 13.2.5.84: the code point that a number stands for. */
static u32 numeric_reference_value(u32 code) {
  /* U+0080 to U+009F mean what windows-1252 has there; 0: stays as it is. */
  static const uint16_t c1[32] = {0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                  0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
                                  0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                  0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};
  if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return 0xFFFD;
  if (code >= 0x80 && code <= 0x9F && c1[code - 0x80]) return c1[code - 0x80];
  return code;
}

/* The reference whose row of reference_values is VALUE, up to END. */
INLINE struct reference_match reference_of(u32 value, const byte *end) {
  return (struct reference_match){end, reference_bytes + (value & 8191), (value >> 13) + 1, false};
}

/* 13.2.5.78: the longest name at p. Names end before LIMIT, where NUL stands. */
static HOT struct reference_match reference_match(const byte *p, const byte *limit) {
  struct reference_match m = {NULL, NULL, 0, false};
  u32 state = 0, number = 0;
  for (;; p++) {
    u32 c = *p, e = reference_first_edge[state], last = reference_first_edge[state + 1], row = 0;
    if (p == limit) {
      m.cut = e < last;
      return m;
    }
    if (state == 0) {
      /* The root has an edge for each letter. */
      if (!byte_is_letter((byte)c)) return m;
      e = c - (c < 'a' ? 'A' : 'a' - 26);
    }
    while (e < last && ((row = reference_edges[e]) & 127) < c) e++;
    if (e == last || (row & 127) != c) return m;
    number += row >> 8 & 4095;
    if (row & 128) {
      m = reference_of(reference_values[number++], p + 1);
    }
    state = row >> 20;
  }
}

/* The name at P with ';' behind it; no end if there is none. Most pages need the names of HTML 4 only. */
static HOT struct reference_match reference_complete(const byte *p) {
  const u64 ones = UINT64_C(0x0101010101010101);
  u64 word = load64_little(p), other = word ^ ';' * ones;
  u64 semicolons = (other - ones) & ~other & 0x80 * ones;
  u32 bits = semicolons ? lowest_bit(semicolons) - 7 : 64; /* before the first */
  if (UNLIKELY(bits == 64) && p[8] != ';') {
    const byte *end = p;
    while (byte_is_alphanumeric(*end)) end++;
    if (*end != ';') return (struct reference_match){NULL, NULL, 0, false};
  } else if (LIKELY(bits != 0)) {
    word <<= 64 - bits;
    u64 hash = word * REFERENCE_HASH_MULTIPLIER;
    u32 row = reference_hash_slots[hash >> (64 - REFERENCE_HASH_BITS)];
    if (short_references[row].word != word)
      row = reference_hash_slots[hash >> (64 - 2 * REFERENCE_HASH_BITS) &
                                 ((1u << REFERENCE_HASH_BITS) - 1)];
    if (LIKELY(short_references[row].word == word))
      return reference_of(short_references[row].value, p + bits / 8 + 1);
  }
  struct reference_match m = reference_match(p, NULL);
  if (m.end && m.end[-1] != ';') m.end = NULL;
  return m;
}

#define WORD4(a, b, c, d) ((u32)(a) | (u32)(b) << 8 | (u32)(c) << 16 | (u32)(d) << 24)

/* A complete reference without any error at AMP; end is NULL for all others. The text of numeric
 * and of the most frequent ones is written to OWN; of all, 8 bytes can be read. Reads no further than the sentinel, since no
 * reference holds U+0000. */
INLINE struct reference_match reference_fast(const byte *amp, byte own[8]) {
  struct reference_match m = {NULL, own, 1, false};
  const byte *p = amp + 1;
  byte c = *p;
  if (c == '#') {
    u32 code = 0, digits = 0;
    p++;
    if ((*p | 32) == 'x') {
      for (p++; digits < 7; p++, digits++) {
        byte d = *p;
        if (byte_is_digit(d))
          code = code * 16 + (u32)(d - '0');
        else if ((byte)((d | 32) - 'a') < 6)
          code = code * 16 + (u32)((d | 32) - 'a' + 10);
        else
          break;
      }
    } else {
      for (; digits < 8 && byte_is_digit(*p); p++, digits++) code = code * 10 + (u32)(*p - '0');
    }
    if (*p != ';' || digits == 0) return m;
    if (LIKELY(code - 0xA0 < 0xD800 - 0xA0)) { /* never an error, two bytes or three */
      u32 more = code >= 0x800;
      own[0] = (byte)(more ? 0xE0 | code >> 12 : 0xC0 | code >> 6);
      own[1] = (byte)(0x80 | (more ? code >> 6 & 63 : code & 63));
      own[2] = (byte)(0x80 | (code & 63));
      m.length = 2 + more;
    } else {
      if (numeric_reference_error(code)) return m;
      m.length = encode_utf8(code, own);
    }
    m.end = p + 1;
    return m;
  }
  if (!byte_is_letter(c)) return m;
  u32 w = WORD4(p[0], p[1], p[2], p[3]);
  if (w == WORD4('n', 'b', 's', 'p') && p[4] == ';') {
    own[0] = 0xC2;
    own[1] = 0xA0;
    m.length = 2;
    m.end = p + 5;
  } else if (w == WORD4('a', 'm', 'p', ';')) {
    own[0] = '&';
    m.end = p + 4;
  } else if (w == WORD4('q', 'u', 'o', 't') && p[4] == ';') {
    own[0] = '"';
    m.end = p + 5;
  } else if ((w & 0xFFFFFF) == WORD4('g', 't', ';', 0)) {
    own[0] = '>';
    m.end = p + 3;
  } else if ((w & 0xFFFFFF) == WORD4('l', 't', ';', 0)) {
    own[0] = '<';
    m.end = p + 3;
  } else {
    m = reference_complete(p);
  }
  return m;
}

#endif
