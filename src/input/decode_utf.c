/* decode_utf.c - the decoders of UTF-8, UTF-16, replacement and x-user-defined.
 *
 * All decoders obey one contract: they read from run->in and write to run->out, want ENC_UNIT bytes
 * of room before they look at a non-ASCII sequence, and stop (ENC_DONE) at run->end or at the start
 * of a sequence that ends too early; with run->last such a sequence is malformed. */
#include "input/bytes.h"

/* Flag of a decoder besides the public ones: see INPUT_SURROGATES. */
#define ENC_SURROGATES INPUT_SURROGATES

/* Bytes that are checked, then copied: they come from the first-level cache the second time. */
#define ENC_UTF8_BLOCK 8192

static enum enc_result enc_decode_utf8(lanner_decoder *d, struct enc_run *run) {
  const byte *in = run->in, *const end = run->end;
  byte *out = run->out, *const limit = run->limit;
  const bool surrogates = d->flags & ENC_SURROGATES;
  enum enc_result result = ENC_DONE;
  while (in < end) {
    size_t n = enc_smaller((size_t)(end - in), (size_t)(limit - out));
    if (n == 0) {
      result = ENC_FULL;
      break;
    }
    n = enc_smaller(n, ENC_UTF8_BLOCK);
    size_t whole = n - input_unfinished(in, n);
    if (whole >= 16 && (input_check(in, whole) & INPUT_VALID)) {
      memcpy(out, in, whole);
      in += whole;
      out += whole;
      continue;
    }
    /* One by one, up to the end of the block. */
    const byte *stop = in + n;
    while (in < stop) {
      n = enc_ascii_copy(out, in, enc_smaller((size_t)(stop - in), (size_t)(limit - out)));
      in += n;
      out += n;
      if (in == stop) break;
      if (limit - out < 4) {
        result = ENC_FULL;
        goto leave;
      }
      int length = enc_utf8_look(in, end, surrogates);
      if (length > 0) {
        for (int i = 0; i < length; i++) *out++ = *in++;
      } else if (length < 0) {
        ENC_BAD(-length)
      } else {
        if (!run->last) goto leave;
        ENC_BAD(end - in)
      }
    }
  }
leave:
  run->in = in;
  run->out = out;
  return result;
}

INLINE u32 enc_utf16_unit(const byte *p, unsigned big) {
  return (u32)p[big] | (u32)p[1 - big] << 8;
}

static enum enc_result enc_decode_utf16(lanner_decoder *d, struct enc_run *run) {
  const byte *in = run->in, *const end = run->end;
  byte *out = run->out, *const limit = run->limit;
  /* Where in a unit its low byte lies. */
  const unsigned big = d->encoding == LANNER_ENCODING_UTF_16BE;
  enum enc_result result = ENC_DONE;
  while (end - in >= 2) {
#if defined(INPUT_SSE2)
    while (end - in >= 16 && limit - out >= 8) {
      __m128i v = _mm_loadu_si128((const __m128i *)(const void *)in);
      if (big) v = _mm_or_si128(_mm_slli_epi16(v, 8), _mm_srli_epi16(v, 8));
      __m128i high = _mm_and_si128(v, _mm_set1_epi16((short)0xFF80));
      if (_mm_movemask_epi8(_mm_cmpeq_epi8(high, _mm_setzero_si128())) != 0xFFFF) break;
      _mm_storel_epi64((__m128i *)(void *)out, _mm_packus_epi16(v, v));
      in += 16;
      out += 8;
    }
    if (end - in < 2) break;
#endif
    if (limit - out < ENC_UNIT) {
      result = ENC_FULL;
      break;
    }
    u32 unit = enc_utf16_unit(in, big);
    if (unit < 0x80) {
      *out++ = (byte)unit;
      in += 2;
    } else if (unit < 0xD800 || unit > 0xDFFF) {
      out = enc_put_bmp(out, unit);
      in += 2;
    } else if (unit > 0xDBFF) {
      ENC_BAD(2)
    } else if (end - in < 4) {
      if (!run->last) goto leave;
      ENC_BAD(end - in)
    } else {
      u32 second = enc_utf16_unit(in + 2, big);
      if (second < 0xDC00 || second > 0xDFFF) ENC_BAD(2)
      out = enc_put_astral(out, 0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00));
      in += 4;
    }
  }
  if (result == ENC_DONE && in < end && run->last) {
    if (limit - out < ENC_UNIT) {
      result = ENC_FULL;
    } else {
      /* An odd byte: the loop makes ENC_BAD's "continue" good. */
      do ENC_BAD(end - in)
      while (false);
    }
  }
leave:
  run->in = in;
  run->out = out;
  return result;
}

/* Everything together is one error. */
static enum enc_result enc_decode_replacement(lanner_decoder *d, struct enc_run *run) {
  if (run->in == run->end) return ENC_DONE;
  if (!d->state) {
    if (run->limit - run->out < ENC_UNIT) return ENC_FULL;
    d->state = 1;
    d->malformed = 1;
    if (d->flags & LANNER_DECODE_FATAL) {
      run->in = run->end;
      return ENC_MALFORMED;
    }
    run->out = enc_put_bmp(run->out, 0xFFFD);
  }
  run->in = run->end;
  return ENC_DONE;
}

static enum enc_result enc_decode_user_defined(lanner_decoder *d, struct enc_run *run) {
  (void)d;
  const byte *in = run->in, *const end = run->end;
  byte *out = run->out, *const limit = run->limit;
  enum enc_result result = ENC_DONE;
  while (in < end) {
    size_t n = enc_ascii_copy(out, in, enc_smaller((size_t)(end - in), (size_t)(limit - out)));
    in += n;
    out += n;
    if (in == end) break;
    if (limit - out < ENC_UNIT) {
      result = ENC_FULL;
      break;
    }
    out = enc_put_bmp(out, 0xF700u + *in++);
  }
  run->in = in;
  run->out = out;
  return result;
}
