/* newlines.c - CR and CR LF become LF (13.2.3.5), over any chunk borders: a CR gives its LF at
 * once, and a LF that follows it gives nothing. */
#include "input/bytes.h"

#if defined(INPUT_SSE2) && defined(__AVX2__) && !defined(LANNER_SIMD_SSE2)
#include <immintrin.h>
#define NEWLINE_AVX2 1
#endif

#define NEWLINE_BLOCK 64

/* Which of NEWLINE_BLOCK bytes are CR. */
#if defined(NEWLINE_AVX2)
INLINE u64 input_cr_mask(const byte *p) {
  const __m256i cr = _mm256_set1_epi8('\r');
  __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)p);
  __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));
  return (unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, cr)) |
         (u64)(unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, cr)) << 32;
}
#elif defined(INPUT_SSE2)
INLINE u64 input_cr_mask(const byte *p) {
  const __m128i cr = _mm_set1_epi8('\r');
  u64 mask = 0;
  for (int i = 0; i < NEWLINE_BLOCK / 16; i++) {
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
    mask |= (u64)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, cr)) << 16 * i;
  }
  return mask;
}
#else
INLINE u64 input_cr_mask(const byte *p) {
  u64 mask = 0;
  for (unsigned i = 0; i < NEWLINE_BLOCK; i += 8) {
    const u64 low = 0x7F * ENC_ONES;
    u64 other = load64_little(p + i) ^ '\r' * ENC_ONES;
    u64 here =
        ~(((other & low) + low) | other | low); /* the highest bit of the bytes that are CR */
    mask |= (here >> 7) * UINT64_C(0x0102040810204080) >> 56 << i;
  }
  return mask;
}
#endif

/* TO may be FROM or before it; APART: they do not overlap, so that whole blocks may be written, of
 * which what belongs behind a CR is written again. */
INLINE size_t input_newlines_by(byte *to, const byte *from, size_t length, bool *after_cr,
                                bool apart) {
  const byte *end = from + length;
  byte *out = to;
  if (*after_cr && length && *from == '\n') from++;
  if (length) *after_cr = false;
  while (end - from > NEWLINE_BLOCK) { /* so that the byte behind a CR is there */
    u64 mask = input_cr_mask(from);
    unsigned run = mask ? lowest_bit(mask) : NEWLINE_BLOCK;
    if (apart)
      memcpy(out, from, NEWLINE_BLOCK);
    else
      memmove(out, from, run);
    out += run;
    from += run;
    if (mask) {
      *out++ = '\n';
      from += 1 + (from[1] == '\n');
    }
  }
  while (from < end) {
    byte c = *from++;
    if (c == '\r') {
      c = '\n';
      if (from == end)
        *after_cr = true;
      else if (*from == '\n')
        from++;
    }
    *out++ = c;
  }
  return (size_t)(out - to);
}

#if defined(INPUT_DISPATCH)
/* A block at a time whatever it holds: no branch that the lines' lengths make unpredictable. A block is
 * read before its place is written, so TO may lie before FROM by any distance. */
__attribute__((target(INPUT_AVX512_TARGET))) static size_t
input_newlines_avx512(byte *to, const byte *from, size_t length, bool *after_cr) {
  const __m512i cr = _mm512_set1_epi8('\r'), lf = _mm512_set1_epi8('\n');
  byte *out = to;
  u64 before = *after_cr; /* 1: the byte before the block is a CR */
  for (; length >= 64; from += 64, length -= 64) {
    __m512i v = _mm512_loadu_si512((const void *)from);
    u64 returns = _mm512_cmpeq_epi8_mask(v, cr);
    u64 keep = ~(_mm512_cmpeq_epi8_mask(v, lf) & (returns << 1 | before));
    before = returns >> 63;
    v = _mm512_mask_mov_epi8(v, returns, lf);
    _mm512_storeu_si512((void *)out, _mm512_maskz_compress_epi8(keep, v));
    out += __builtin_popcountll(keep);
  }
  if (length) {
    u64 here = ~UINT64_C(0) >> (64 - length);
    __m512i v = _mm512_maskz_loadu_epi8(here, (const void *)from);
    u64 returns = _mm512_cmpeq_epi8_mask(v, cr);
    u64 keep = here & ~(_mm512_cmpeq_epi8_mask(v, lf) & (returns << 1 | before));
    unsigned kept = (unsigned)__builtin_popcountll(keep);
    before = returns >> (length - 1) & 1;
    v = _mm512_maskz_compress_epi8(keep, _mm512_mask_mov_epi8(v, returns, lf));
    if (kept) _mm512_mask_storeu_epi8((void *)out, ~UINT64_C(0) >> (64 - kept), v);
    out += kept;
  }
  *after_cr = before;
  return (size_t)(out - to);
}
#endif

static size_t input_newlines(byte *to, const byte *from, size_t length, bool *after_cr) {
#if defined(INPUT_DISPATCH)
  if (input_may_use_avx512()) return input_newlines_avx512(to, from, length, after_cr);
#endif
  if (to + length <= from || from + length <= to)
    return input_newlines_by(to, from, length, after_cr, true);
  return input_newlines_by(to, from, length, after_cr, false);
}
