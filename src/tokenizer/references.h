/* references.h - character references (13.2.5.72 ff., 13.5): the automaton over the named ones,
 * numeric values, and the short cut for complete references. Stateless; works on bytes.
 */
#ifndef LANNER_REFERENCES_H
#define LANNER_REFERENCES_H

#include "errors.h"
#include "tokenizer/names.h"

#include "references.inc"

/* Text in a register, the first byte lowest: bytes written one by one and then read as a word would wait
 * for each other. */
struct short_text {
  u64 bytes;
  u32 length;
};

struct reference_match {
  const byte *end;        /* behind the reference, NULL: none */
  struct short_text text; /* what it stands for */
  bool cut;               /* the input ended where a longer name could have gone on */
};

/* UTF-8 of CODE; surrogates come as their three bytes are asked for by nobody. */
INLINE struct short_text encode_utf8(u32 code) {
  if (code < 0x80) return (struct short_text){code, 1};
  u32 last = 0x80 | (code & 63), third = 0x80 | (code >> 6 & 63);
  if (code < 0x800) return (struct short_text){0xC0 | code >> 6 | last << 8, 2};
  if (code < 0x10000) return (struct short_text){0xE0 | code >> 12 | third << 8 | last << 16, 3};
  u32 second = 0x80 | (code >> 12 & 63);
  return (struct short_text){0xF0 | code >> 18 | second << 8 | third << 16 | last << 24, 4};
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
  struct short_text text = {load64_little(reference_bytes + (value & 8191)), (value >> 13) + 1};
  return (struct reference_match){end, text, false};
}

/* 13.2.5.78: the longest name at p. Names end before LIMIT, where NUL stands. */
static HOT struct reference_match reference_match(const byte *p, const byte *limit) {
  struct reference_match m = {NULL, {0, 0}, false};
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

/* How many bits of WORD stand before its first ';'; 64: it has none. */
INLINE u32 before_semicolon(u64 word) {
  const u64 ones = UINT64_C(0x0101010101010101);
  u64 other = word ^ ';' * ones, semicolons = (other - ones) & ~other & 0x80 * ones;
  return LIKELY(semicolons != 0) ? lowest_bit(semicolons) - 7 : 64;
}

/* The name at P with ';' behind it; no end if there is none. Most pages need the names of HTML 4 only. */
static HOT struct reference_match reference_complete(const byte *p) {
  u64 word = load64_little(p);
  u32 bits = before_semicolon(word);
  if (UNLIKELY(bits == 64) && p[8] != ';') {
    const byte *end = p;
    while (byte_is_alphanumeric(*end)) end++;
    if (*end != ';') return (struct reference_match){NULL, {0, 0}, false};
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

/* The number whose digits, one to seven, are the first BITS of WORD, all digits at once; UINT32_MAX: there
 * is a byte among them that is no digit. */
INLINE u32 decimal_number(u64 word, u32 bits) {
  const u64 ones = UINT64_C(0x0101010101010101);
  u64 digits = (word << (64 - bits)) - ('0' * ones << (64 - bits)); /* as if zeros stood in front */
  if (UNLIKELY((digits | (digits + (0x7F - 9) * ones)) & 0x80 * ones)) return UINT32_MAX;
  digits = digits * 10 + (digits >> 8); /* pairs */
  digits = (digits & UINT64_C(0x000000FF000000FF)) * (100 + (UINT64_C(1000000) << 32)) +
           (digits >> 16 & UINT64_C(0x000000FF000000FF)) * (1 + (UINT64_C(10000) << 32));
  return (u32)(digits >> 32);
}
INLINE u32 hexadecimal_number(u64 word, u32 bits) {
  const u64 ones = UINT64_C(0x0101010101010101), high = 0x80 * ones;
  u64 here = ~UINT64_C(0) << (64 - bits), all = word << (64 - bits);
  u64 small = all | (0x20 * ones & here);
  u64 digit = (all + (0x80 - '0') * ones) & ~(all + (0x7F - '9') * ones);
  u64 letter = (small + (0x80 - 'a') * ones) & ~(small + (0x7F - 'f') * ones);
  if (UNLIKELY(all & high) || UNLIKELY(((digit | letter) & high & here) != (high & here)))
    return UINT32_MAX;
  u64 value = (small & 15 * ones) + (letter >> 7 & ones & here) * 9;
  value = (value * 16 + (value >> 8)) & UINT64_C(0x00FF00FF00FF00FF);
  value = (value * 256 + (value >> 16)) & UINT64_C(0x0000FFFF0000FFFF);
  return (u32)(value * 65536 + (value >> 32));
}

/* A complete reference without any error at AMP; end is NULL for all others. Reads 8 bytes beyond the
 * sentinel at most; no reference holds U+0000. */
INLINE struct reference_match reference_fast(const byte *amp) {
  struct reference_match m = {NULL, {0, 0}, false};
  const byte *p = amp + 1;
  byte c = *p;
  if (c == '#') {
    bool hexadecimal = (p[1] | 32) == 'x';
    const byte *semicolon;
    u32 code = UINT32_MAX;
    /* The lengths that text in other scripts has: where they end is not computed but foretold, so that
     * the next one need not wait for it. */
    if (p[6] == ';') {
      code = hexadecimal ? hexadecimal_number(load64_little(p + 2), 32)
                         : decimal_number(load64_little(p + 1), 40);
      semicolon = p + 6;
    } else if (p[5] == ';' && !hexadecimal) {
      code = decimal_number(load64_little(p + 1), 32);
      semicolon = p + 5;
    }
    if (code == UINT32_MAX) {
      p += 1 + hexadecimal;
      u64 word = load64_little(p);
      u32 bits = before_semicolon(word);
      if (UNLIKELY(bits - 8 > 48)) return m;
      code = hexadecimal ? hexadecimal_number(word, bits) : decimal_number(word, bits);
      semicolon = p + bits / 8;
    }
    /* Most are never an error. */
    if (UNLIKELY(code - 0xA0 >= 0xD800 - 0xA0) &&
        (code == UINT32_MAX || numeric_reference_error(code)))
      return m;
    m.text = encode_utf8(code);
    m.end = semicolon + 1;
    return m;
  }
  if (!byte_is_letter(c)) return m;
  u32 w = WORD4(p[0], p[1], p[2], p[3]);
  if (w == WORD4('n', 'b', 's', 'p') && p[4] == ';') {
    m.text = (struct short_text){0xA0C2, 2};
    m.end = p + 5;
  } else if (w == WORD4('a', 'm', 'p', ';')) {
    m.text = (struct short_text){'&', 1};
    m.end = p + 4;
  } else if (w == WORD4('q', 'u', 'o', 't') && p[4] == ';') {
    m.text = (struct short_text){'"', 1};
    m.end = p + 5;
  } else if ((w & 0xFFFFFF) == WORD4('g', 't', ';', 0)) {
    m.text = (struct short_text){'>', 1};
    m.end = p + 3;
  } else if ((w & 0xFFFFFF) == WORD4('l', 't', ';', 0)) {
    m.text = (struct short_text){'<', 1};
    m.end = p + 3;
  } else {
    m = reference_complete(p);
  }
  return m;
}

#endif
