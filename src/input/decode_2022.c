/* decode_2022.c - ISO-2022-JP: escape sequences choose what the bytes after them mean. */
#include "input/bytes.h"

enum enc_2022_state { ENC_2022_ASCII, ENC_2022_ROMAN, ENC_2022_KATAKANA, ENC_2022_DOUBLE };

/* The state that the escape sequence ESC A B chooses, or -1. */
static int enc_2022_escape(byte a, byte b) {
  if (a == '(' && b == 'B') return ENC_2022_ASCII;
  if (a == '(' && b == 'J') return ENC_2022_ROMAN;
  if (a == '(' && b == 'I') return ENC_2022_KATAKANA;
  if (a == '$' && (b == '@' || b == 'B')) return ENC_2022_DOUBLE;
  return -1;
}

/* d->state is the Standard's "ISO-2022-JP decoder output state": unfinished sequences stay outside.
 * d->output_flag is its flag: set by an escape sequence, unset by whatever comes out. */
static enum enc_result enc_decode_2022(lanner_decoder *d, struct enc_run *run) {
  const byte *in = run->in, *const end = run->end;
  byte *out = run->out, *const limit = run->limit;
  enum enc_result result = ENC_DONE;
  while (in < end) {
    if (d->state == ENC_2022_ASCII) {
      size_t n = enc_plain_copy(out, in, enc_smaller((size_t)(end - in), (size_t)(limit - out)));
      if (n) d->output_flag = 0;
      in += n;
      out += n;
      if (in == end) break;
    }
    if (limit - out < ENC_UNIT) {
      result = ENC_FULL;
      break;
    }
    byte b = in[0];
    if (b == ENC_ESCAPE) {
      bool start = end - in >= 2 && (in[1] == '$' || in[1] == '(');
      if ((end - in < 2 || (start && end - in < 3)) && !run->last) goto leave;
      int state = start && end - in >= 3 ? enc_2022_escape(in[1], in[2]) : -1;
      if (state < 0) {
        d->output_flag = 0;
        ENC_BAD(1)
      }
      d->state = (uint8_t)state;
      bool again = d->output_flag;
      d->output_flag = 1;
      if (again) ENC_BAD(3)
      in += 3;
      continue;
    }
    d->output_flag = 0;
    if (d->state == ENC_2022_DOUBLE) {
      /* A run of good pairs; what ends it is looked at below. */
      while (end - in >= 2 && limit - out >= ENC_UNIT) {
        unsigned row = in[0] - 0x21u, cell = in[1] - 0x21u;
        if (row >= 94 || cell >= 94) break;
        u32 code = enc_jis0208(row, cell);
        if (!code) break;
        out = enc_put_bmp(out, code);
        in += 2;
      }
      if (in == end) break;
      if (limit - out < ENC_UNIT) continue;
      b = in[0];
      if (b == ENC_ESCAPE) continue;
      if (b < 0x21 || b > 0x7E) ENC_BAD(1)
      if (end - in < 2) {
        if (!run->last) goto leave;
        ENC_BAD(1)
      }
      /* ESC is read again. */
      if (in[1] == ENC_ESCAPE) ENC_BAD(1)
      /* A good pair was taken above. */
      ENC_BAD(2)
    } else if (d->state == ENC_2022_KATAKANA) {
      if (b < 0x21 || b > 0x5F) ENC_BAD(1)
      out = enc_put_bmp(out, 0xFF61u - 0x21 + b);
      in++;
    } else {
      if (b >= 0x80 || (b | 1) == 0x0F) ENC_BAD(1)
      /* Only Roman comes here with a byte that is not bad. */
      u32 code = b == 0x5C ? 0xA5 : b == 0x7E ? 0x203E : b;
      out = enc_put(out, code);
      in++;
    }
  }
leave:
  run->in = in;
  run->out = out;
  return result;
}
