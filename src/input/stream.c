/* stream.c - bytes in any pieces in, normalized UTF-8 out; and the way back from its offsets. */
#include "input/bytes.h"

/* Input is worked on in blocks that stay in the first-level cache. */
#define INPUT_BLOCK 8192

/* The state before a block. LINEAR: up to the next mark the output is the input byte for byte. */
struct input_mark {
  u64 in, out;
  lanner_decoder decoder;
  bool after_cr, linear;
};

static void input_begin(struct input_stream *stream, const lanner_sniff_result *sniffed,
                        unsigned flags, struct input_buffer *marks) {
  memset(stream, 0, sizeof *stream);
  /* lanner_sniff let a byte order mark win; when only its beginning was there to be sniffed, the
   * decoder does. */
  lanner_decoder_init(&stream->decoder, sniffed->encoding, LANNER_BOM_SNIFF,
                      flags & INPUT_SURROGATES);
  stream->confidence = sniffed->confidence;
  stream->source = sniffed->source;
  stream->marks = marks;
}

static void input_switch(struct input_stream *stream, lanner_encoding encoding) {
  stream->decoder.encoding = (uint8_t)encoding;
  stream->decoder.state = 0;
}

static bool input_room(struct input_buffer *buffer, size_t room) {
  if (buffer->capacity - buffer->length >= room) return true;
  if (room > SIZE_MAX - buffer->length) return false;
  return buffer->grow(buffer, buffer->length + room);
}

/* Notes the state before a block. */
static bool input_add_mark(struct input_stream *stream, bool linear) {
  struct input_buffer *marks = stream->marks;
  if (!marks) return true;
  struct input_mark mark = {.in = stream->taken,
                            .out = stream->given,
                            .decoder = stream->decoder,
                            .after_cr = stream->after_cr,
                            .linear = linear};
  if (marks->length) {
    struct input_mark last;
    memcpy(&last, marks->data + marks->length - sizeof last, sizeof last);
    if (linear && last.linear) return true;
  }
  if (!input_room(marks, sizeof mark)) return false;
  memcpy(marks->data + marks->length, &mark, sizeof mark);
  marks->length += sizeof mark;
  return true;
}

/* Valid UTF-8 at the start of BYTES is taken over as it is. Returns how much; 0: the decoder has to
 * do it. */
static size_t input_copy_valid(struct input_stream *stream, const byte *bytes, size_t length,
                               struct input_buffer *out, bool *failed) {
  const lanner_decoder *d = &stream->decoder;
  if (d->encoding != LANNER_ENCODING_UTF_8 || d->bom || d->pending_count) return 0;
  length -= input_unfinished(bytes, length);
  if (length == 0) return 0;
  unsigned flags = input_check(bytes, length);
  stream->seen |= flags & (INPUT_CR | INPUT_NUL);
  if (!(flags & INPUT_VALID)) return 0;
  bool plain = !(flags & INPUT_CR) && !(stream->after_cr && bytes[0] == '\n');
  if (!input_add_mark(stream, plain) || !input_room(out, length)) {
    *failed = true;
    return 0;
  }
  byte *to = out->data + out->length;
  size_t n = length;
  if (plain) {
    memcpy(to, bytes, length);
    stream->after_cr = false;
  } else {
    n = input_newlines(to, bytes, length, &stream->after_cr);
  }
  out->length += n;
  stream->given += n;
  stream->taken += length;
  return length;
}

static bool input_feed(struct input_stream *stream, const byte *bytes, size_t length, bool last,
                       struct input_buffer *out) {
  bool failed = false;
  while (length > 0 || (last && !stream->finished)) {
    size_t n = enc_smaller(length, INPUT_BLOCK);
    size_t valid = n ? input_copy_valid(stream, bytes, n, out, &failed) : 0;
    if (failed) return false;
    if (valid) {
      bytes += valid;
      length -= valid;
      continue;
    }
    /* Short work of a mark or of what a border cut, so that the rest can be taken over. */
    lanner_decoder *d = &stream->decoder;
    if (d->bom || d->pending_count) n = enc_smaller(n, sizeof d->pending);
    const unsigned encoding = d->encoding;
    if (n > 0 && !input_add_mark(stream, false)) return false;
    lanner_decode_status status = LANNER_DECODE_FULL;
    do {
      /* Most pages grow little; the rest come back for more. */
      if (!input_room(out, n + n / 2 + 16)) return false;
      byte *to = out->data + out->length;
      size_t consumed, written;
      status = lanner_decode(d, bytes, n, &consumed, (char *)to, out->capacity - out->length,
                             &written, last && n == length);
      bool cr = memchr(to, '\r', written) != NULL;
      if (cr) stream->seen |= INPUT_CR;
      if (cr || stream->after_cr) written = input_newlines(to, to, written, &stream->after_cr);
      out->length += written;
      stream->given += written;
      stream->taken += consumed;
      if (consumed) bytes += consumed;
      length -= consumed;
      n -= consumed;
    } while (status == LANNER_DECODE_FULL);
    if (d->encoding != encoding) {
      stream->source = LANNER_SOURCE_BOM;
      stream->confidence = LANNER_CONFIDENCE_CERTAIN;
    }
    if (last && length == 0) stream->finished = true;
  }
  return true;
}

/* Counts TEXT as it comes out after newline normalization, without writing it. */
static size_t input_counted(const byte *text, size_t length, bool *after_cr) {
  size_t n = 0;
  for (size_t i = 0; i < length; i++) {
    n += !(*after_cr && text[i] == '\n');
    *after_cr = text[i] == '\r';
  }
  return n;
}

/* Decodes on from PLACE until the next step would pass OFFSET. PIECE: how many input bytes a step
 * takes; 0: one character a step. */
static void input_walk(struct input_place *place, const byte *bytes, u64 end, bool last, u64 offset,
                       size_t piece) {
  byte scratch[512];
  while (place->in < end) {
    struct input_place next = *place;
    u64 stop = piece && end - place->in > piece ? place->in + piece : end;
    struct enc_run run = {.in = bytes + place->in,
                          .end = bytes + stop,
                          .out = scratch,
                          .limit = scratch + sizeof scratch,
                          .last = last && stop == end};
    enum enc_result result =
        piece ? enc_decode_all(&next.decoder, &run) : enc_decode_one(&next.decoder, &run);
    next.in = (u64)(run.in - bytes);
    next.out += input_counted(scratch, (size_t)(run.out - scratch), &next.after_cr);
    if (result != ENC_DONE || next.in == place->in || next.out > offset) return;
    *place = next;
  }
}

static u64 input_offset(const struct input_stream *stream, const byte *bytes, u64 offset,
                        struct input_place *hint) {
  if (!stream->marks || stream->marks->length == 0) return offset;
  /* The last mark at or before OFFSET. */
  struct input_mark mark;
  size_t low = 0, high = stream->marks->length / sizeof mark;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    memcpy(&mark, stream->marks->data + middle * sizeof mark, sizeof mark);
    if (mark.out <= offset) {
      low = middle;
    } else {
      high = middle;
    }
  }
  memcpy(&mark, stream->marks->data + low * sizeof mark, sizeof mark);
  if (mark.linear) {
    u64 in = mark.in + (offset - mark.out);
    while (in > mark.in && in < stream->taken && (bytes[in] & 0xC0) == 0x80) in--;
    return in;
  }
  if (!hint->valid || hint->out > offset || hint->in < mark.in) {
    *hint = (struct input_place){.in = mark.in,
                                 .out = mark.out,
                                 .decoder = mark.decoder,
                                 .after_cr = mark.after_cr,
                                 .valid = true};
    /* The bytes at hand are read again instead. */
    hint->in -= hint->decoder.pending_count;
    hint->decoder.pending_count = 0;
    if (hint->decoder.bom) {
      size_t length;
      lanner_encoding encoding =
          lanner_encoding_for_bom(bytes + hint->in, (size_t)(stream->taken - hint->in), &length);
      if (encoding != LANNER_ENCODING_NONE) hint->decoder.encoding = (uint8_t)encoding;
      hint->in += length;
      hint->decoder.bom = 0;
    }
  }
  input_walk(hint, bytes, stream->taken, stream->finished, offset, 128);
  input_walk(hint, bytes, stream->taken, stream->finished, offset, 0);
  return hint->in;
}
