/* decode_single.c - the single-byte encodings: one table look-up a byte. */
#include "input/bytes.h"

#define ENC_SINGLE_BAD UINT32_C(0x80000000)
#define ENC_SINGLE_LENGTH(v) ((v) >> 24 & 7)

/* From here on a table for all 256 bytes pays: dense text then needs no branch a byte. */
#define ENC_SINGLE_DENSE 256

/* Decodes 16 bytes of dense text at a time, each byte by one look-up and one store, until fewer
 * than 16 bytes or 64 bytes of room are left. */
static void enc_single_dense(lanner_decoder *d, struct enc_run *run, const u32 *high) {
  u32 table[256];
  for (u32 i = 0; i < 128; i++) table[i] = i | UINT32_C(1) << 24;
  memcpy(table + 128, high, 128 * sizeof *high);
  const byte *in = run->in, *const end = run->end;
  byte *out = run->out, *const limit = run->limit;
  u32 seen = 0;
  for (;;) {
    size_t n = enc_smaller((size_t)(end - in), (size_t)(limit - out));
    n = enc_ascii_copy(out, in, n);
    in += n;
    out += n;
    if (end - in < 16 || limit - out < 64) break;
    for (int i = 0; i < 16; i++) {
      u32 v = table[*in++];
      seen |= v;
      enc_put_word(out, v);
      out += ENC_SINGLE_LENGTH(v);
    }
  }
  if (seen & ENC_SINGLE_BAD) d->malformed = 1;
  run->in = in;
  run->out = out;
}

static enum enc_result enc_decode_single(lanner_decoder *d, struct enc_run *run) {
  const u32 *high = enc_single_byte[enc_single_byte_row[d->encoding]];
  if (run->end - run->in >= ENC_SINGLE_DENSE && !(d->flags & LANNER_DECODE_FATAL)) {
    enc_single_dense(d, run, high);
  }
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
    u32 v = high[*in & 0x7F];
    if (v & ENC_SINGLE_BAD) ENC_BAD(1)
    enc_put_word(out, v);
    out += ENC_SINGLE_LENGTH(v);
    in++;
  }
leave:
  run->in = in;
  run->out = out;
  return result;
}
