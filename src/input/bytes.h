/* bytes.h - copying ASCII runs, looking at one UTF-8 sequence, writing characters. */
#ifndef LANNER_INPUT_BYTES_H
#define LANNER_INPUT_BYTES_H

#include "input/input.h"

#define ENC_HIGH_BITS UINT64_C(0x8080808080808080)
#define ENC_ONES UINT64_C(0x0101010101010101)

INLINE size_t enc_smaller(size_t a, size_t b) { return a < b ? a : b; }

/* Eight bytes as they lie. */
INLINE u64 enc_load_word(const byte *p) {
  u64 w;
  memcpy(&w, p, sizeof w);
  return w;
}

/* Copies bytes below 0x80 until another one comes or LENGTH are copied; returns how many. May
 * write up to LENGTH bytes of garbage behind them. TO and FROM do not overlap. */
INLINE size_t enc_ascii_copy(byte *to, const byte *from, size_t length) {
  size_t i = 0;
#if defined(INPUT_SSE2)
  for (; i + 16 <= length; i += 16) {
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(from + i));
    _mm_storeu_si128((__m128i *)(void *)(to + i), v);
    unsigned high = (unsigned)_mm_movemask_epi8(v);
    if (high) return i + lowest_bit(high);
  }
#elif defined(INPUT_NEON)
  for (; i + 16 <= length; i += 16) {
    uint8x16_t v = vld1q_u8(from + i);
    vst1q_u8(to + i, v);
    if (vmaxvq_u8(v) >= 0x80) break;
  }
#else
  for (; i + 8 <= length; i += 8) {
    u64 w = enc_load_word(from + i);
    if (w & ENC_HIGH_BITS) break;
    memcpy(to + i, &w, 8);
  }
#endif
  for (; i < length && from[i] < 0x80; i++) to[i] = from[i];
  return i;
}

/* The same, but stops also at SO, SI and ESC, which mean something in ISO-2022-JP. */
INLINE size_t enc_plain_copy(byte *to, const byte *from, size_t length) {
  size_t i = 0;
#if defined(INPUT_SSE2)
  const __m128i escape = _mm_set1_epi8(ENC_ESCAPE), shift = _mm_set1_epi8(0x0F);
  const __m128i one = _mm_set1_epi8(1);
  for (; i + 16 <= length; i += 16) {
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(from + i));
    _mm_storeu_si128((__m128i *)(void *)(to + i), v);
    __m128i stop =
        _mm_or_si128(_mm_cmpeq_epi8(v, escape), _mm_cmpeq_epi8(_mm_or_si128(v, one), shift));
    unsigned bits = (unsigned)_mm_movemask_epi8(_mm_or_si128(v, stop));
    if (bits) return i + lowest_bit(bits);
  }
#endif
  for (; i < length && from[i] < 0x80; i++) {
    byte b = from[i];
    if (b == ENC_ESCAPE || (b | 1) == 0x0F) break;
    to[i] = b;
  }
  return i;
}

/* Looks at the sequence that starts at P. Positive: the length of a well-formed one. Negative: the
 * length of its maximal subpart, malformed. 0: it ends too early, everything up to END belongs to
 * it. SURROGATES: U+D800 to U+DFFF count as characters. */
INLINE int enc_utf8_look(const byte *p, const byte *end, bool surrogates) {
  byte lead = p[0];
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return -1;
  if (end - p < 2) return 0;
  byte low = 0x80, high = 0xBF;
  if (lead < 0xE0) return p[1] < low || p[1] > high ? -1 : 2;
  if (lead == 0xE0) low = 0xA0;
  if (lead == 0xED && !surrogates) high = 0x9F;
  if (lead == 0xF0) low = 0x90;
  if (lead == 0xF4) high = 0x8F;
  if (p[1] < low || p[1] > high) return -1;
  if (end - p < 3) return 0;
  if ((p[2] & 0xC0) != 0x80) return -2;
  if (lead < 0xF0) return 3;
  if (end - p < 4) return 0;
  return (p[3] & 0xC0) != 0x80 ? -3 : 4;
}

/* The code point of a well-formed sequence. */
INLINE u32 enc_utf8_code(const byte *p, int length) {
  switch (length) {
  case 1: return p[0];
  case 2: return (u32)(p[0] & 0x1F) << 6 | (u32)(p[1] & 0x3F);
  case 3: return (u32)(p[0] & 0x0F) << 12 | (u32)(p[1] & 0x3F) << 6 | (u32)(p[2] & 0x3F);
  default:
    return (u32)(p[0] & 0x07) << 18 | (u32)(p[1] & 0x3F) << 12 | (u32)(p[2] & 0x3F) << 6 |
           (u32)(p[3] & 0x3F);
  }
}

/* Writes the four bytes of V, lowest first. */
INLINE void enc_put_word(byte *out, u32 v) {
#if defined(INPUT_LITTLE_ENDIAN)
  memcpy(out, &v, 4);
#else
  out[0] = (byte)v, out[1] = (byte)(v >> 8), out[2] = (byte)(v >> 16), out[3] = (byte)(v >> 24);
#endif
}

/* Writes a character of U+0080 to U+FFFF; up to four bytes are touched. */
INLINE byte *enc_put_bmp(byte *out, u32 code) {
  if (code < 0x800) {
    enc_put_word(out, (0xC0 | code >> 6) | (0x80 | (code & 0x3F)) << 8);
    return out + 2;
  }
  enc_put_word(out, (0xE0 | code >> 12) | (0x80 | (code >> 6 & 0x3F)) << 8 |
                        (0x80 | (code & 0x3F)) << 16);
  return out + 3;
}

INLINE byte *enc_put_astral(byte *out, u32 code) {
  enc_put_word(out, (0xF0 | code >> 18) | (0x80 | (code >> 12 & 0x3F)) << 8 |
                        (0x80 | (code >> 6 & 0x3F)) << 16 | (0x80 | (code & 0x3F)) << 24);
  return out + 4;
}

/* Any scalar value. */
INLINE byte *enc_put(byte *out, u32 code) {
  if (code < 0x80) {
    *out = (byte)code;
    return out + 1;
  }
  return code < 0x10000 ? enc_put_bmp(out, code) : enc_put_astral(out, code);
}

/* A decoder's end of a malformed part of N bytes: U+FFFD, or a stop. For loops that have in, out,
 * result and a label "leave". Goes on with the next character. */
#define ENC_BAD(n)                                                                                 \
  {                                                                                                \
    in += (n);                                                                                     \
    d->malformed = 1;                                                                              \
    if (d->flags & LANNER_DECODE_FATAL) {                                                          \
      result = ENC_MALFORMED;                                                                      \
      goto leave;                                                                                  \
    }                                                                                              \
    out = enc_put_bmp(out, 0xFFFD);                                                                \
    if (run->step) goto leave;                                                                     \
    continue;                                                                                      \
  }

#endif
