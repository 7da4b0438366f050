/* ahead.h - the places of the next stops, found out ahead of the tokenizer: all '<', '>', '"', '&' and
 * U+0000 of the next KBs, as offsets in a row.
 *
 * The tokenizer goes from one to the next. Where a run ends it need not wait for the vector that looks
 * for it, nor that one for the end of the run before: which row comes next hangs on nothing but the
 * branches taken, so the processor reads on while it still guesses. Bits instead of rows were no gain:
 * the place of a bit hangs on the place before. With AVX2 rows cost more to make than they save
 * (bench/README.md).
 *
 * Rows are of one run of the machine; where it leaves after each token, since these are pulled, they are
 * kept from run to run while the text stays as it is (ahead_kept). Behind the last one lies the
 * limit's offset. There stands U+0000, so a tokenizer that meets it asks whether there are more rows to be
 * had (ahead_is_short), then has them made (ahead_fill).
 */
#ifndef LANNER_AHEAD_H
#define LANNER_AHEAD_H

#include "tokenizer/skip.h"

#if defined(SIMD_AVX512)
#define SIMD_AHEAD 1

/* Bytes that are looked at in one go: few at first where the machine may leave soon, since tokens are pulled or
 * it was left before. A variant for tests looks at very few. */
#if !defined(AHEAD_MOST)
#define AHEAD_FIRST 64
#define AHEAD_MOST 4096
#endif
/* Length of a run, in bytes, from which on stops that do not end it are no longer gone through one by one. */
#define AHEAD_PATIENCE 256

struct ahead {
  const byte *base, *limit;
  const u32 *stop; /* the row at which the machine goes on */
  u32 built;       /* the text before this offset was looked at */
  u32 size;        /* of the next go */
  u32 rows[AHEAD_MOST + 64];
};

INLINE void ahead_begin(struct ahead *a, const byte *base, const byte *cursor, const byte *limit,
                        u32 size) {
  a->base = base;
  a->limit = limit;
  a->built = (u32)(cursor - base);
  a->size = size;
  a->stop = a->rows;
  a->rows[0] = (u32)(limit - base);
}

/* Whether the row AT is no stop, but where nobody has looked yet. */
INLINE bool ahead_is_short(const struct ahead *a, u32 at) {
  u32 limit = (u32)(a->limit - a->base);
  return at == limit && a->built < limit;
}

/* The row of the first stop at or after the offset FROM, which is ROW or behind it. */
INLINE const u32 *ahead_from(const u32 *row, u32 from) {
  while (*row < from) row++;
  return row;
}

/* The end of the tag name whose letter is at P, when it has 15 bytes at most; else some other byte. */
INLINE const byte *short_tag_name_end(const byte *p) {
  const __m128i set = _mm_setr_epi8(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0, '\f', 0, '>', '/');
  __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
  __m128i stops = _mm_or_si128(_mm_cmpeq_epi8(_mm_shuffle_epi8(set, v), v),
                               _mm_cmpeq_epi8(v, _mm_setzero_si128()));
  return p + __builtin_ctz((unsigned)_mm_movemask_epi8(stops) | 0x8000);
}

/* The end of the attribute name that goes on at P. */
INLINE const byte *attribute_name_end(const byte *p) {
  const __m128i set =
      _mm_setr_epi8(' ', 0, '"', 0, 0, 0, 0, '\'', 0, '\t', '\n', 0, '<', '=', '>', '/');
  __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
  __m128i stops = _mm_or_si128(
      _mm_cmpeq_epi8(_mm_shuffle_epi8(set, v), v),
      _mm_or_si128(_mm_cmpeq_epi8(v, _mm_setzero_si128()), _mm_cmpeq_epi8(v, _mm_set1_epi8('\f'))));
  unsigned bits = (unsigned)_mm_movemask_epi8(stops);
  return LIKELY(bits != 0) ? p + __builtin_ctz(bits) : skip_attribute_name(p + 16);
}

/* In an attribute value: '&' at P is no reference, since a name and '=' follow, as in the query of a URL.
 * False: it is something else, or nobody knows. */
INLINE bool is_literal_ampersand(const byte *p) {
  if (*p != '&') return false;
  __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + 1));
  __m128i letter = _mm_sub_epi8(_mm_or_si128(v, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
  __m128i digit = _mm_sub_epi8(v, _mm_set1_epi8('0'));
  __m128i name = _mm_or_si128(_mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(25)), letter),
                              _mm_cmpeq_epi8(_mm_min_epu8(digit, _mm_set1_epi8(9)), digit));
  u32 length = (u32)__builtin_ctz(~(u32)_mm_movemask_epi8(name));
  return length && p[1 + length] == '=';
}

/* Writes the numbers of the bits of STOPS, each plus FROM; and up to 64 rows in all. */
INLINE void ahead_write(u32 *rows, u64 stops, u32 count, u32 from) {
#if defined(__AVX512VBMI2__)
  const __m512i lanes = _mm512_set_epi8(
      63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41,
      40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18,
      17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  const __m512i first = _mm512_set1_epi32((int)from);
  __m512i found = _mm512_maskz_compress_epi8(stops, lanes);
  for (u32 i = 0;; i += 16) {
    __m512i wide = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(found));
    _mm512_storeu_si512((void *)(rows + i), _mm512_add_epi32(first, wide));
    if (LIKELY(count <= i + 16)) break;
    found = _mm512_alignr_epi64(found, found, 2);
  }
#else
  __m512i lanes =
      _mm512_add_epi32(_mm512_set1_epi32((int)from),
                       _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
  (void)count;
  for (int i = 0; i < 4; i++, stops >>= 16) {
    _mm512_storeu_si512((void *)rows, _mm512_maskz_compress_epi32((__mmask16)stops, lanes));
    rows += __builtin_popcount((unsigned)stops & 0xFFFF);
    lanes = _mm512_add_epi32(lanes, _mm512_set1_epi32(16));
  }
#endif
}

/* All rows are used up: those from the offset FROM on, or from where nobody has looked. */
static NOINLINE HOT const u32 *ahead_fill(struct ahead *a, u32 from) {
  const __m512i set =
      _mm512_broadcast_i32x4(_mm_setr_epi8(0, 0, '"', 0, 0, 0, '&', 0, 0, 0, 0, 0, '<', 0, '>', 0));
  u32 limit = (u32)(a->limit - a->base);
  if (from < a->built) from = a->built;
  u32 to = limit - from > a->size ? from + a->size : limit;
  a->size = a->size * 8 < AHEAD_MOST ? a->size * 8 : AHEAD_MOST;
  u32 *rows = a->rows;
  for (; from < to; from += 64) {
    __m512i v = load_text(a->base + from);
    u64 stops = _mm512_cmpeq_epi8_mask(_mm512_shuffle_epi8(set, v), v);
    if (UNLIKELY(to - from < 64)) stops &= (UINT64_C(1) << (to - from)) - 1;
    u32 count = (u32)__builtin_popcountll(stops);
    ahead_write(rows, stops, count, from);
    rows += count;
  }
  a->built = to;
  *rows = limit;
  return a->rows;
}

/* ROW is no stop of text (OTHER is '<') or of a value ('"'). Returns the row of the one that ends it, which
 * a vector looks for. */
static NOINLINE HOT const u32 *ahead_on(struct ahead *a, const u32 *row, byte other) {
  const byte *p = a->base + *row;
  p = other == '<' ? find_data(p) : find_double_quoted(p);
  u32 at = (u32)(p - a->base);
  if (at >= a->built) return ahead_fill(a, at);
  return ahead_from(row, at);
}

#endif
#endif
