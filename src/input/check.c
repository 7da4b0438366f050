/* check.c - one pass over the input: all ASCII? valid UTF-8? any CR? any NUL?
 *
 * The vector variants find bad UTF-8 by three table lookups a byte (see the generated tables); they
 * are one template, check_vector.h, printed for each instruction set. The scalar twin is the
 * reference that tests compare them with. */
#include "input/bytes.h"

static unsigned input_check_scalar(const byte *bytes, size_t length) {
  const byte *p = bytes, *end = bytes + length;
  unsigned flags = INPUT_ASCII | INPUT_VALID;
  while (p < end) {
    if (end - p >= 8) {
      u64 w = enc_load_word(p), cr = w ^ 0x0D * ENC_ONES;
      if (!(w & ENC_HIGH_BITS)) {
        /* Without high bits, subtracting one borrows into bit 7 for zero bytes only. */
        if ((w - ENC_ONES) & ~w & ENC_HIGH_BITS) flags |= INPUT_NUL;
        if ((cr - ENC_ONES) & ~cr & ENC_HIGH_BITS) flags |= INPUT_CR;
        p += 8;
        continue;
      }
    }
    if (*p < 0x80) {
      if (*p == 0) flags |= INPUT_NUL;
      if (*p == '\r') flags |= INPUT_CR;
      p++;
      continue;
    }
    flags &= ~INPUT_ASCII;
    int n = enc_utf8_look(p, end, false);
    if (n <= 0) flags &= ~INPUT_VALID;
    p += n > 0 ? n : 1;
  }
  return flags;
}

/* Largest bytes that may stand at the end of a vector without wanting more behind them. */
#define CHECK_255X8 255, 255, 255, 255, 255, 255, 255, 255
UNUSED static const byte check_complete[64] = {
    CHECK_255X8, CHECK_255X8, CHECK_255X8, CHECK_255X8, CHECK_255X8, CHECK_255X8, CHECK_255X8, 255,
    255,         255,         255,         255,         0xEF,        0xDF,        0xBF};

#if defined(__GNUC__)
#define CHECK_PREFETCH(p) __builtin_prefetch(p, 0, 2)
#else
#define CHECK_PREFETCH(p) ((void)0)
#endif

#if defined(INPUT_DISPATCH)
#include <immintrin.h>

#define CHECK_NAME input_check_ssse3
#define CHECK_TARGET __attribute__((target("ssse3")))
#define V __m128i
#define V_BYTES 16
#define V_LOAD(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define V_TABLE(p) V_LOAD(p)
#define V_ALL(b) _mm_set1_epi8((char)(b))
#define V_OR(a, b) _mm_or_si128(a, b)
#define V_AND(a, b) _mm_and_si128(a, b)
#define V_XOR(a, b) _mm_xor_si128(a, b)
#define V_MIN(a, b) _mm_min_epu8(a, b)
#define V_LESS(a, b) _mm_subs_epu8(a, b)
#define V_LOOKUP(table, v) _mm_shuffle_epi8(table, v)
#define V_HIGH_NIBBLE(v) _mm_and_si128(_mm_srli_epi16(v, 4), _mm_set1_epi8(15))
#define V_BEFORE(v, previous, n) _mm_alignr_epi8(v, previous, 16 - (n))
#define V_ANY_HIGH(v) (_mm_movemask_epi8(v) != 0)
#define V_ANY_ZERO(v) (_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_setzero_si128())) != 0)
#define V_ANY(v) (_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_setzero_si128())) != 0xFFFF)
#include "input/check_vector.h"

#define CHECK_NAME input_check_avx2
#define CHECK_TARGET __attribute__((target("avx2")))
#define V __m256i
#define V_BYTES 32
#define V_LOAD(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define V_TABLE(p) _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)(p)))
#define V_ALL(b) _mm256_set1_epi8((char)(b))
#define V_OR(a, b) _mm256_or_si256(a, b)
#define V_AND(a, b) _mm256_and_si256(a, b)
#define V_XOR(a, b) _mm256_xor_si256(a, b)
#define V_MIN(a, b) _mm256_min_epu8(a, b)
#define V_LESS(a, b) _mm256_subs_epu8(a, b)
#define V_LOOKUP(table, v) _mm256_shuffle_epi8(table, v)
#define V_HIGH_NIBBLE(v) _mm256_and_si256(_mm256_srli_epi16(v, 4), _mm256_set1_epi8(15))
#define V_BEFORE(v, previous, n)                                                                   \
  _mm256_alignr_epi8(v, _mm256_permute2x128_si256(previous, v, 0x21), 16 - (n))
#define V_ANY_HIGH(v) (_mm256_movemask_epi8(v) != 0)
#define V_ANY_ZERO(v) (_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, _mm256_setzero_si256())) != 0)
#define V_ANY(v) (!_mm256_testz_si256(v, v))
#include "input/check_vector.h"

#define CHECK_NAME input_check_avx512
#define CHECK_TARGET __attribute__((target(INPUT_AVX512_TARGET)))
#define V __m512i
#define V_BYTES 64
#define V_LOAD(p) _mm512_loadu_si512((const void *)(p))
#define V_LOAD_PART(p, from, length)                                                               \
  _mm512_mask_loadu_epi8(                                                                          \
      _mm512_set1_epi8(' '),                                                                       \
      (length) <= (from) ? 0 : _bzhi_u64(~UINT64_C(0), (unsigned)((length) - (from))),             \
      (const void *)((p) + (from)))
#define V_TABLE(p) _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)(p)))
#define V_ALL(b) _mm512_set1_epi8((char)(b))
#define V_OR(a, b) _mm512_or_si512(a, b)
#define V_AND(a, b) _mm512_and_si512(a, b)
#define V_XOR(a, b) _mm512_xor_si512(a, b)
#define V_MIN(a, b) _mm512_min_epu8(a, b)
#define V_LESS(a, b) _mm512_subs_epu8(a, b)
#define V_LOOKUP(table, v) _mm512_shuffle_epi8(table, v)
#define V_HIGH_NIBBLE(v) _mm512_and_si512(_mm512_srli_epi16(v, 4), _mm512_set1_epi8(15))
#define V_BEFORE(v, previous, n)                                                                   \
  _mm512_alignr_epi8(v, _mm512_alignr_epi32(v, previous, 12), 16 - (n))
#define V_ANY_HIGH(v) (_mm512_movepi8_mask(v) != 0)
#define V_ANY_ZERO(v) (_mm512_testn_epi8_mask(v, v) != 0)
#define V_ANY(v) (_mm512_test_epi8_mask(v, v) != 0)
#include "input/check_vector.h"

#elif defined(INPUT_NEON)

#define CHECK_NAME input_check_neon
#define CHECK_TARGET
#define V uint8x16_t
#define V_BYTES 16
#define V_LOAD(p) vld1q_u8(p)
#define V_TABLE(p) vld1q_u8(p)
#define V_ALL(b) vdupq_n_u8((byte)(b))
#define V_OR(a, b) vorrq_u8(a, b)
#define V_AND(a, b) vandq_u8(a, b)
#define V_XOR(a, b) veorq_u8(a, b)
#define V_MIN(a, b) vminq_u8(a, b)
#define V_LESS(a, b) vqsubq_u8(a, b)
#define V_LOOKUP(table, v) vqtbl1q_u8(table, v)
#define V_HIGH_NIBBLE(v) vshrq_n_u8(v, 4)
#define V_BEFORE(v, previous, n) vextq_u8(previous, v, 16 - (n))
#define V_ANY_HIGH(v) (vmaxvq_u8(v) >= 0x80)
#define V_ANY_ZERO(v) (vminvq_u8(v) == 0)
#define V_ANY(v) (vmaxvq_u8(v) != 0)
#include "input/check_vector.h"

#endif

/* Changed by tests only. */
static enum input_variant input_forced = INPUT_AUTO;

static bool input_force_variant(enum input_variant variant) {
  bool have = variant == INPUT_AUTO || variant == INPUT_SCALAR;
#if defined(INPUT_DISPATCH)
  have |= variant == INPUT_SSSE3 && __builtin_cpu_supports("ssse3");
  have |= variant == INPUT_AVX2 && __builtin_cpu_supports("avx2");
  have |= variant == INPUT_AVX512 && __builtin_cpu_supports("avx512vbmi2");
#elif defined(INPUT_NEON)
  have |= variant == INPUT_ARM;
#endif
  if (have) input_forced = variant;
  return have;
}

#if defined(INPUT_DISPATCH)
INLINE bool input_may_use_avx512(void) {
  return LIKELY(input_forced == INPUT_AUTO) ? __builtin_cpu_supports("avx512vbmi2") != 0
                                            : input_forced == INPUT_AVX512;
}
#endif

static unsigned input_check(const byte *bytes, size_t length) {
#if defined(INPUT_DISPATCH)
  /* The compiler's runtime has asked the processor before main: these are a load and a test. */
  if (input_may_use_avx512()) return input_check_avx512(bytes, length);
  if (LIKELY(input_forced == INPUT_AUTO)) {
    if (__builtin_cpu_supports("avx2")) return input_check_avx2(bytes, length);
    if (__builtin_cpu_supports("ssse3")) return input_check_ssse3(bytes, length);
  }
  if (input_forced == INPUT_AVX2) return input_check_avx2(bytes, length);
  if (input_forced == INPUT_SSSE3) return input_check_ssse3(bytes, length);
#elif defined(INPUT_NEON)
  if (LIKELY(input_forced != INPUT_SCALAR)) return input_check_neon(bytes, length);
#endif
  return input_check_scalar(bytes, length);
}

unsigned lanner_check(const void *bytes, size_t length) {
  static const byte nothing[1] = {0};
  return input_check(length ? bytes : nothing, length);
}

static size_t input_unfinished(const byte *text, size_t length) {
  size_t most = enc_smaller(length, 3);
  for (size_t n = 1; n <= most; n++) {
    const byte *p = text + length - n;
    if ((*p & 0xC0) == 0x80) continue;
    return enc_utf8_look(p, text + length, false) == 0 ? n : 0;
  }
  return 0;
}
