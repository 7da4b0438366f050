/* skip.h - skips over ordinary runs: with ahead.h the only vector code of the tokenizer.
 *
 * Every skip_NAME(p) returns the first byte at or after p that is in the stop set NAME of
 * grammar/stops.txt. U+0000 is in each set and stands behind the input, so nothing else ends them;
 * LANNER_PADDING covers the bytes a vector reads beyond.
 *
 * Runs in real pages are short (median under 16 bytes): the first byte is looked up in the class
 * table before a vector is touched, then 16, 32 or 64 bytes at a time are compared; without SIMD 8, in
 * a word. SSE2 and NEON are baseline on their platforms, AVX2 and AVX-512 are used when the build is
 * promised them, so nothing is dispatched at run time. find_NAME is the same without the look at the
 * table. With AVX-512 most stops are found ahead of the tokenizer, see ahead.h. LANNER_SIMD_SCALAR
 * and LANNER_SIMD_SSE2 force a variant (tests run all).
 */
#ifndef LANNER_SKIP_H
#define LANNER_SKIP_H

#include "base/base.h"

#if defined(LANNER_SIMD_SCALAR)
#define SIMD_NAME "scalar"
#elif defined(__AVX2__) && !defined(LANNER_SIMD_SSE2)
#include <immintrin.h>
#if defined(__AVX512BW__) && defined(__BMI__)
#define SIMD_NAME "avx512"
#define SIMD_AVX512 1
#else
#define SIMD_NAME "avx2"
#endif
#define SIMD_AVX2 1
#elif defined(__SSE2__)
#include <emmintrin.h>
#define SIMD_NAME "sse2"
#define SIMD_SSE2 1
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#define SIMD_NAME "neon"
#define SIMD_NEON 1
#else
#define SIMD_NAME "scalar"
#endif

/* The first of three bytes at or after p, one of which is U+0000. */
#if defined(SIMD_AVX2)
/* A stop set as one vector: each of its bytes in the place that its lower four bits name, zero
 * elsewhere. The shuffle by the text gives the only stop byte that each byte could be, so one
 * comparison does for all three. The lower bits of the bytes of a set differ (gen/states.py looks);
 * zero matches no byte but U+0000, and bytes from 0x80 on look up zero. */
#define SET_BYTE(i, a, b) (((a)&15) == (i) ? (a) : ((b)&15) == (i) ? (b) : 0)
#define SET_16(a, b)                                                                               \
  _mm_setr_epi8(SET_BYTE(0, a, b), SET_BYTE(1, a, b), SET_BYTE(2, a, b), SET_BYTE(3, a, b),        \
                SET_BYTE(4, a, b), SET_BYTE(5, a, b), SET_BYTE(6, a, b), SET_BYTE(7, a, b),        \
                SET_BYTE(8, a, b), SET_BYTE(9, a, b), SET_BYTE(10, a, b), SET_BYTE(11, a, b),      \
                SET_BYTE(12, a, b), SET_BYTE(13, a, b), SET_BYTE(14, a, b), SET_BYTE(15, a, b))
#define STOP_SET(a, b) _mm256_broadcastsi128_si256(SET_16(a, b))
INLINE unsigned stops_in(__m256i v, __m256i set) {
  return (unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_shuffle_epi8(set, v), v));
}
#if defined(SIMD_AVX512)
/* Loaded once: what is used twice from memory would be two loads, of two lines each. */
INLINE __m512i load_text(const byte *p) {
  __m512i v = _mm512_loadu_si512((const void *)p);
  __asm__("" : "+v"(v));
  return v;
}
/* Where the build is promised AVX-512: 64 bytes at a time, out of line: the usual runs are found ahead
 * (ahead.h), and what has vectors would cost the machine a register. */
static NOINLINE HOT const byte *find_set(const byte *p, __m128i stops) {
  const __m512i set = _mm512_broadcast_i32x4(stops);
  for (;; p += 64) {
    __m512i v = load_text(p);
    u64 bits = _mm512_cmpeq_epi8_mask(_mm512_shuffle_epi8(set, v), v);
    if (LIKELY(bits != 0)) return p + __builtin_ctzll(bits);
  }
}
INLINE const byte *find3(const byte *p, char a, char b, char c) {
  (void)c;
  return find_set(p, SET_16(a, b));
}
#else
INLINE const byte *find3(const byte *p, char a, char b, char c) {
  const __m256i set = STOP_SET(a, b);
  (void)c;
  for (;; p += 32) {
    unsigned bits = stops_in(_mm256_loadu_si256((const __m256i *)(const void *)p), set);
    if (LIKELY(bits != 0)) return p + __builtin_ctz(bits);
  }
}
#endif
#elif defined(SIMD_SSE2)
INLINE const byte *find3(const byte *p, char a, char b, char c) {
  const __m128i va = _mm_set1_epi8(a), vb = _mm_set1_epi8(b), vc = _mm_set1_epi8(c);
  for (;; p += 16) {
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
    __m128i m = _mm_cmpeq_epi8(v, va);
    if (b != a) m = _mm_or_si128(m, _mm_cmpeq_epi8(v, vb));
    if (c != b) m = _mm_or_si128(m, _mm_cmpeq_epi8(v, vc));
    unsigned bits = (unsigned)_mm_movemask_epi8(m);
    if (LIKELY(bits != 0)) return p + __builtin_ctz(bits);
  }
}
#elif defined(SIMD_NEON)
INLINE const byte *find3(const byte *p, char a, char b, char c) {
  const uint8x16_t va = vdupq_n_u8((byte)a), vb = vdupq_n_u8((byte)b), vc = vdupq_n_u8((byte)c);
  for (;; p += 16) {
    uint8x16_t v = vld1q_u8(p);
    uint8x16_t m = vceqq_u8(v, va);
    if (b != a) m = vorrq_u8(m, vceqq_u8(v, vb));
    if (c != b) m = vorrq_u8(m, vceqq_u8(v, vc));
    /* Four bits a byte: the narrowing shift is NEON's movemask. */
    u64 bits = vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(m), 4)), 0);
    if (LIKELY(bits != 0)) return p + (__builtin_ctzll(bits) >> 2);
  }
}
#endif

#if !defined(SIMD_AVX2) && !defined(SIMD_SSE2) && !defined(SIMD_NEON)
/* The bytes of W that are B get their highest bit, and perhaps others above the first of them. */
INLINE u64 bytes_like(u64 w, char b) {
  const u64 ones = UINT64_C(0x0101010101010101);
  u64 other = w ^ ones * (byte)b;
  return (other - ones) & ~other & 0x80 * ones;
}
INLINE const byte *find3(const byte *p, char a, char b, char c) {
  (void)c;
  for (;; p += 8) {
    u64 w = load64_little(p), found = bytes_like(w, a) | bytes_like(w, 0);
    if (b != a && b != 0) found |= bytes_like(w, b);
    if (LIKELY(found != 0)) return p + (lowest_bit(found) >> 3);
  }
}
#endif

#define SKIP_WIDE(name, a, b, c)                                                                   \
  INLINE const byte *find_##name(const byte *p) {                                                  \
    return find3(p, (char)(a), (char)(b), (char)(c));                                              \
  }                                                                                                \
  INLINE const byte *skip_##name(const byte *p) {                                                  \
    if (byte_stops[*p] & STOPS_##name) return p;                                                   \
    return find_##name(p + 1);                                                                     \
  }

#define SKIP_LOOP(name)                                                                            \
  INLINE const byte *skip_##name(const byte *p) {                                                  \
    while (!(byte_stops[*p] & STOPS_##name)) p++;                                                  \
    return p;                                                                                      \
  }

#include "stops.inc"

INLINE bool byte_is_letter(byte c) { return (byte)((c | 32) - 'a') < 26; }
INLINE bool byte_is_digit(byte c) { return (byte)(c - '0') < 10; }
INLINE bool byte_is_alphanumeric(byte c) { return byte_is_letter(c) || byte_is_digit(c); }
INLINE byte byte_lower(byte c) { return (byte)(c - 'A') < 26 ? (byte)(c | 32) : c; }

/* The usual attribute, NAME="VALUE, at P: the name's end and the first stop of the value; false: it is
 * something else. */
INLINE bool usual_attribute(const byte *p, const byte **name_end, const byte **end) {
  if (UNLIKELY(!byte_is_letter(*p))) return false;
  *name_end = p = skip_attribute_name(p + 1);
  if (UNLIKELY(p[0] != '=') || UNLIKELY(p[1] != '"')) return false;
  *end = skip_double_quoted(p + 2);
  return true;
}

/* Room that copy_to_stop wants behind the place where it stops for lack of it, less than a block of
 * which was written beyond; see decode_run. */
#define COPY_ROOM 96

/* Copies from FROM to *TO, which follows, up to the first '&', OTHER or U+0000, and returns its
 * place; or earlier, once *TO has reached FULL. Up to 32 bytes more than counted are written; but none
 * IN_PLACE, where *TO lies before FROM in one text and needs no end. */
INLINE const byte *copy_to_stop(byte **to, const byte *from, const byte *full, byte other,
                                bool in_place) {
  byte *out = *to;
#if defined(SIMD_AVX2)
  static const byte lanes[64] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
                                 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
                                 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
  const __m256i set = other == '"' ? STOP_SET('&', '"') : STOP_SET('&', '<');
  do {
    __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)from);
    unsigned bits = stops_in(v, set);
    if (in_place && LIKELY(bits != 0)) {
      const byte *copied = lanes + 32 - __builtin_ctz(bits);
      v = _mm256_blendv_epi8(_mm256_loadu_si256((const __m256i *)(const void *)out), v,
                             _mm256_loadu_si256((const __m256i *)(const void *)copied));
    }
    _mm256_storeu_si256((__m256i *)(void *)out, v);
    if (LIKELY(bits != 0)) {
      *to = out + __builtin_ctz(bits);
      return from + __builtin_ctz(bits);
    }
    out += 32;
    from += 32;
  } while (in_place || LIKELY(out < full));
#elif defined(SIMD_SSE2)
  static const byte lanes[32] = {255, 255, 255, 255, 255, 255, 255, 255,
                                 255, 255, 255, 255, 255, 255, 255, 255};
  const __m128i amp = _mm_set1_epi8('&'), end = _mm_set1_epi8((char)other);
  do {
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)from);
    unsigned bits = (unsigned)_mm_movemask_epi8(
        _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, amp), _mm_cmpeq_epi8(v, end)),
                     _mm_cmpeq_epi8(v, _mm_setzero_si128())));
    if (in_place && LIKELY(bits != 0)) {
      const byte *copied = lanes + 16 - __builtin_ctz(bits);
      __m128i mask = _mm_loadu_si128((const __m128i *)(const void *)copied);
      __m128i old = _mm_loadu_si128((const __m128i *)(const void *)out);
      v = _mm_or_si128(_mm_and_si128(mask, v), _mm_andnot_si128(mask, old));
    }
    _mm_storeu_si128((__m128i *)(void *)out, v);
    if (LIKELY(bits != 0)) {
      *to = out + __builtin_ctz(bits);
      return from + __builtin_ctz(bits);
    }
    out += 16;
    from += 16;
  } while (in_place || LIKELY(out < full));
#else
  do {
    byte c = *from;
    if (c == '&' || c == other || c == 0) break;
    *out++ = c;
    from++;
  } while (in_place || out < full);
#endif
  *to = out;
  return from;
}

/* White space of tree construction has U+000D too (from a reference). */
INLINE bool is_tree_space(byte c) { return is_html_space(c) || c == '\r'; }

/* How many of LENGTH bytes at P are white space, up to the first that is none; 31 more are read. */
INLINE size_t space_run(const byte *p, size_t length) {
#if defined(SIMD_AVX2)
  const __m256i spaces = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0, '\f', '\r', 0, 0));
  for (size_t i = 0; i < length; i += 32) {
    unsigned others = ~stops_in(_mm256_loadu_si256((const __m256i *)(const void *)(p + i)), spaces);
    if (others) {
      i += (size_t)__builtin_ctz(others);
      return i < length ? i : length;
    }
  }
  return length;
#else
  size_t i = 0;
  while (i < length && is_tree_space(p[i])) i++;
  return i;
#endif
}

static NOINLINE size_t space_run_slow(const byte *p, size_t length) { return space_run(p, length); }
/* Whether all LENGTH bytes at P are white space; most runs are short, a line break and the indentation
 * behind it. 31 more are read. */
INLINE bool is_space_run(const byte *p, size_t length) {
#if defined(SIMD_AVX2)
  if (LIKELY(length <= 16)) {
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
    __m128i set = _mm_setr_epi8(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0, '\f', '\r', 0, 0);
    __m128i spaces = _mm_cmpeq_epi8(_mm_shuffle_epi8(set, v), v);
    return (unsigned)__builtin_ctz(~(unsigned)_mm_movemask_epi8(spaces)) >= length;
  }
#endif
  return space_run_slow(p, length) == length;
}

#endif
