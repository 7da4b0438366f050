/* stream.c - bytes in any pieces in, normalized UTF-8 out. */
#include "input/bytes.h"

/* Input is worked on in blocks that stay in the first-level cache. */
#define INPUT_BLOCK 8192

static void input_begin(struct input_stream *stream, const lanner_sniff_result *sniffed,
                        unsigned flags, struct input_buffer *marks) {
  clear(stream, sizeof *stream);
  /* lanner_sniff let a byte order mark win; when only its beginning was there to be sniffed, the
   * decoder does. */
  lanner_decoder_init(&stream->decoder, sniffed->encoding, LANNER_BOM_SNIFF,
                      flags & INPUT_SURROGATES);
  stream->confidence = sniffed->confidence;
  stream->source = sniffed->source;
  stream->map.marks = marks;
}

static void input_switch(struct input_stream *stream, lanner_encoding encoding) {
  stream->decoder.encoding = (uint8_t)encoding;
  stream->decoder.state = 0;
}

/* Valid UTF-8 at the start of BYTES is taken over as it is. Returns how much; 0: the decoder has to
 * do it. */
static size_t input_copy_valid(struct input_stream *stream, const byte *bytes, size_t length,
                               struct input_buffer *out, bool *failed) {
  const lanner_decoder *d = &stream->decoder;
  if (d->encoding != LANNER_ENCODING_UTF_8 || d->bom || d->pending_count) return 0;
  if (!stream->checked) length -= input_unfinished(bytes, length);
  if (length == 0) return 0;
  unsigned flags = stream->checked ? INPUT_VALID | INPUT_CR : input_check(bytes, length);
  stream->seen |= flags & (INPUT_CR | INPUT_NUL);
  if (!(flags & INPUT_VALID)) return 0;
  bool plain = !(flags & INPUT_CR) && !(stream->after_cr && bytes[0] == '\n');
  if (!input_room(out, length)) {
    *failed = true;
    return 0;
  }
  if (stream->map.marks) {
    stream->map.encoding = LANNER_ENCODING_UTF_8;
    *failed = !map_text(&stream->map, stream->given, stream->taken, STEP_SAME, bytes, length,
                        stream->after_cr);
  }
  byte *to = out->data + out->length;
  size_t n = length;
  if (plain) {
    memcpy(to, bytes, length);
    stream->after_cr = false;
  } else {
    n = input_newlines(to, bytes, length, &stream->after_cr);
    stream->changed = true;
  }
  out->length += n;
  stream->given += n;
  stream->taken += length;
  return length;
}

/* What the decoder did may have moved characters: its output has another length, or an encoding
 * whose characters get shorter as well as longer made it. */
static bool input_lengths_differ(const lanner_decoder *before, const lanner_decoder *after,
                                 size_t consumed, size_t written) {
  const unsigned kind = enc_kinds[after->encoding];
  return (kind != ENC_KIND_UTF_8 && kind != ENC_KIND_SINGLE_BYTE) ||
         before->pending_count + consumed != written + after->pending_count;
}

static bool input_feed(struct input_stream *stream, const byte *bytes, size_t length, bool last,
                       struct input_buffer *out) {
  bool failed = false;
  while (length > 0 || (last && !stream->finished)) {
    size_t n = stream->checked ? length : enc_smaller(length, INPUT_BLOCK);
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
    lanner_decode_status status = LANNER_DECODE_FULL;
    do {
      /* Most pages grow little; the rest come back for more. */
      if (!input_room(out, n + n / 2 + 16)) return false;
      byte *to = out->data + out->length;
      size_t consumed, written;
      const lanner_decoder before = *d;
      status = lanner_decode(d, bytes, n, &consumed, (char *)to, out->capacity - out->length,
                             &written, last && n == length);
      if (stream->map.marks)
        failed =
            !map_decoded(stream, &before, bytes, consumed, n, last && n == length, to, written);
      bool cr = memchr(to, '\r', written) != NULL;
      if (cr) stream->seen |= INPUT_CR;
      stream->changed = stream->changed || cr || stream->after_cr ||
                        input_lengths_differ(&before, d, consumed, written);
      if (cr || stream->after_cr) written = input_newlines(to, to, written, &stream->after_cr);
      out->length += written;
      stream->given += written;
      stream->taken += consumed;
      if (consumed) bytes += consumed;
      length -= consumed;
      n -= consumed;
      if (failed) return false;
    } while (status == LANNER_DECODE_FULL);
    if (d->encoding != encoding) {
      stream->source = LANNER_SOURCE_BOM;
      stream->confidence = LANNER_CONFIDENCE_CERTAIN;
    }
    if (last && length == 0) stream->finished = true;
  }
  return true;
}
