/* decoder.c - the public decoder: byte order marks, chunk borders, exact filling of the output. */
#include "input/bytes.h"

/* Values of decoder.bom: what is still looked for. */
enum enc_mark { ENC_MARK_NONE, ENC_MARK_OWN, ENC_MARK_ANY };

void lanner_decoder_init(lanner_decoder *d, lanner_encoding encoding, lanner_bom bom,
                         unsigned flags) {
  memset(d, 0, sizeof *d);
  bool known = encoding > LANNER_ENCODING_NONE && encoding < LANNER_ENCODING_END;
  d->encoding = (uint8_t)(known ? encoding : LANNER_ENCODING_UTF_8);
  d->flags = (uint8_t)flags;
  d->bom = bom == LANNER_BOM_SNIFF    ? ENC_MARK_ANY
           : bom == LANNER_BOM_REMOVE ? ENC_MARK_OWN
                                      : ENC_MARK_NONE;
}

lanner_encoding lanner_decoder_encoding(const lanner_decoder *d) {
  return (lanner_encoding)d->encoding;
}

bool lanner_decoder_malformed(const lanner_decoder *d) { return d->malformed; }

static enum enc_result enc_decode_run(lanner_decoder *d, struct enc_run *run) {
  switch (enc_kinds[d->encoding]) {
  case ENC_KIND_UTF_8: return enc_decode_utf8(d, run);
  case ENC_KIND_SINGLE_BYTE: return enc_decode_single(d, run);
  case ENC_KIND_GBK:
  case ENC_KIND_GB18030: return enc_decode_gb18030(d, run);
  case ENC_KIND_BIG5: return enc_decode_big5(d, run);
  case ENC_KIND_EUC_JP: return enc_decode_euc_jp(d, run);
  case ENC_KIND_ISO_2022_JP: return enc_decode_2022(d, run);
  case ENC_KIND_SHIFT_JIS: return enc_decode_shift_jis(d, run);
  case ENC_KIND_EUC_KR: return enc_decode_euc_kr(d, run);
  case ENC_KIND_REPLACEMENT: return enc_decode_replacement(d, run);
  case ENC_KIND_UTF_16: return enc_decode_utf16(d, run);
  default: return enc_decode_user_defined(d, run);
  }
}

/* Decodes one character, one malformed part or one escape sequence: the shortest piece of input of
 * which something is consumed. Nothing consumed and ENC_DONE: all that is left is unfinished. */
static enum enc_result enc_decode_one(lanner_decoder *d, struct enc_run *run) {
  byte scratch[2 * ENC_UNIT];
  size_t rest = (size_t)(run->end - run->in);
  for (size_t n = 1; n <= rest; n++) {
    lanner_decoder saved = *d;
    struct enc_run one = {.in = run->in,
                          .end = run->in + n,
                          .out = scratch,
                          .limit = scratch + sizeof scratch,
                          .last = run->last && n == rest,
                          .step = true};
    enum enc_result result = enc_decode_run(d, &one);
    if (one.in == run->in && result == ENC_DONE) continue;
    size_t written = (size_t)(one.out - scratch);
    if (written > (size_t)(run->limit - run->out)) {
      *d = saved;
      return ENC_FULL;
    }
    memcpy(run->out, scratch, written);
    run->out += written;
    run->in = one.in;
    return result;
  }
  return ENC_DONE;
}

/* Decodes until the input ends or the next character does not fit. */
static enum enc_result enc_decode_all(lanner_decoder *d, struct enc_run *run) {
  for (;;) {
    enum enc_result result = enc_decode_run(d, run);
    if (result != ENC_FULL) return result;
    const byte *before = run->in;
    result = enc_decode_one(d, run);
    if (result != ENC_DONE || run->in == before) return result;
  }
}

/* Decodes what is pending together with bytes from *IN, until nothing is pending. */
static enum enc_result enc_decode_pending(lanner_decoder *d, struct enc_run *run) {
  while (d->pending_count) {
    byte joined[sizeof d->pending + 4];
    size_t count = d->pending_count, more = enc_smaller((size_t)(run->end - run->in), 4);
    memcpy(joined, d->pending, count);
    memcpy(joined + count, run->in, more);
    struct enc_run part = {.in = joined,
                           .end = joined + count + more,
                           .out = run->out,
                           .limit = run->limit,
                           .last = run->last && more == (size_t)(run->end - run->in)};
    enum enc_result result = enc_decode_one(d, &part);
    size_t used = (size_t)(part.in - joined);
    run->out = part.out;
    if (used == 0) {
      if (result == ENC_DONE) {
        /* Still unfinished; so there were few bytes, and there are no more. */
        memcpy(d->pending, joined, count + more);
        d->pending_count = (uint8_t)(count + more);
        run->in += more;
      }
      return result;
    }
    if (used < count) {
      memmove(d->pending, d->pending + used, count - used);
      d->pending_count = (uint8_t)(count - used);
    } else {
      d->pending_count = 0;
      run->in += used - count;
    }
    if (result != ENC_DONE) return result;
  }
  return ENC_DONE;
}

/* Looks for a byte order mark. False: there are too few bytes to know, and all are pending. */
static bool enc_take_mark(lanner_decoder *d, struct enc_run *run) {
  static const byte marks[3][4] = {{0xEF, 0xBB, 0xBF, LANNER_ENCODING_UTF_8},
                                   {0xFE, 0xFF, 0, LANNER_ENCODING_UTF_16BE},
                                   {0xFF, 0xFE, 0, LANNER_ENCODING_UTF_16LE}};
  byte start[3];
  size_t count = d->pending_count;
  size_t more = enc_smaller((size_t)(run->end - run->in), sizeof start - count);
  memcpy(start, d->pending, count);
  memcpy(start + count, run->in, more);
  for (int i = 0; i < 3; i++) {
    if (d->bom == ENC_MARK_OWN && marks[i][3] != d->encoding) continue;
    size_t length = i == 0 ? 3 : 2, have = count + more;
    if (memcmp(start, marks[i], enc_smaller(length, have)) != 0) continue;
    if (have >= length) {
      d->encoding = marks[i][3];
      run->in += length - count;
      d->pending_count = 0;
      break;
    }
    if (!run->last) {
      memcpy(d->pending, start, have);
      d->pending_count = (uint8_t)have;
      run->in += more;
      return false;
    }
  }
  d->bom = ENC_MARK_NONE;
  return true;
}

lanner_decode_status lanner_decode(lanner_decoder *d, const void *bytes, size_t length,
                                   size_t *consumed, char *out, size_t room, size_t *written,
                                   bool last) {
  static const byte nothing[1] = {0};
  byte none[1];
  const byte *in = length ? bytes : nothing;
  byte *to = room ? (byte *)out : none;
  struct enc_run run = {.in = in, .end = in + length, .out = to, .limit = to + room, .last = last};
  enum enc_result result = ENC_DONE;
  if (d->bom == ENC_MARK_NONE || enc_take_mark(d, &run)) {
    result = enc_decode_pending(d, &run);
    if (result == ENC_DONE && d->pending_count == 0) {
      result = enc_decode_all(d, &run);
      if (result == ENC_DONE && run.in < run.end) {
        size_t rest = (size_t)(run.end - run.in);
        memcpy(d->pending, run.in, rest);
        d->pending_count = (uint8_t)rest;
        run.in = run.end;
      }
    }
  }
  *consumed = (size_t)(run.in - in);
  *written = (size_t)(run.out - to);
  return result == ENC_DONE   ? LANNER_DECODE_DONE
         : result == ENC_FULL ? LANNER_DECODE_FULL
                              : LANNER_DECODE_MALFORMED;
}

size_t lanner_decode_bound(size_t length) {
  /* Three bytes a byte at most, and what may be pending. */
  return length > (SIZE_MAX - 16) / 3 ? 0 : 3 * length + 16;
}

size_t lanner_decode_length(lanner_encoding encoding, lanner_bom bom, const void *bytes,
                            size_t length) {
  lanner_decoder d;
  lanner_decoder_init(&d, encoding, bom, 0);
  const byte *in = bytes;
  char scratch[4096];
  size_t total = 0, consumed, written;
  lanner_decode_status status;
  do {
    status = lanner_decode(&d, in, length, &consumed, scratch, sizeof scratch, &written, true);
    if (consumed) in += consumed;
    length -= consumed;
    total += written;
  } while (status == LANNER_DECODE_FULL);
  return total;
}

size_t lanner_decode_whole(lanner_encoding encoding, lanner_bom bom, const void *bytes,
                           size_t length, char *out, size_t room) {
  lanner_decoder d;
  lanner_decoder_init(&d, encoding, bom, 0);
  size_t consumed, written;
  lanner_decode(&d, bytes, length, &consumed, out, room, &written, true);
  return written;
}
