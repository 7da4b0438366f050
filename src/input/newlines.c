/* newlines.c - CR and CR LF become LF (13.2.3.5), over any chunk borders: a CR gives its LF at
 * once, and a LF that follows it gives nothing. */
#include "input/bytes.h"

/* Copies up to the first CR or to the end; returns how many. TO may be FROM or before it. */
INLINE size_t input_copy_to_cr(byte *to, const byte *from, size_t length) {
  size_t i = 0;
#if defined(INPUT_SSE2)
  const __m128i cr = _mm_set1_epi8('\r');
  for (; i + 16 <= length; i += 16) {
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(from + i));
    unsigned found = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, cr));
    if (found) {
      unsigned n = enc_lowest_bit(found);
      /* Not the whole vector: that could overwrite what is still to be read. */
      memmove(to + i, from + i, n);
      return i + n;
    }
    _mm_storeu_si128((__m128i *)(void *)(to + i), v);
  }
#elif defined(INPUT_NEON)
  for (; i + 16 <= length; i += 16) {
    uint8x16_t v = vld1q_u8(from + i);
    if (vmaxvq_u8(vceqq_u8(v, vdupq_n_u8('\r')))) break;
    vst1q_u8(to + i, v);
  }
#endif
  for (; i < length && from[i] != '\r'; i++) to[i] = from[i];
  return i;
}

static size_t input_newlines(byte *to, const byte *from, size_t length, bool *after_cr) {
  const byte *end = from + length;
  byte *out = to;
  bool skip = *after_cr;
  while (from < end) {
    if (skip && *from == '\n') {
      skip = false;
      from++;
      continue;
    }
    skip = false;
    size_t n = input_copy_to_cr(out, from, (size_t)(end - from));
    from += n;
    out += n;
    if (from < end) {
      *out++ = '\n';
      from++;
      skip = true;
    }
  }
  *after_cr = skip;
  return (size_t)(out - to);
}
