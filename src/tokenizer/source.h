/* source.h - how bytes become the text that the tokenizer reads.
 *
 * A whole page lies where the caller has it (padding promised, valid UTF-8, no CR) or is copied
 * once; pieces are appended to the document's own text. Either way the text is contiguous, so an
 * unfinished piece needs no copy of its own: the tokenizer's pointers are moved with the text.
 * Text offsets are addresses minus P->base.
 */
#ifndef LANNER_SOURCE_H
#define LANNER_SOURCE_H

#include "tokenizer/offsets.h"
#include "tokenizer/parser.h"

/* The own text gets room for LENGTH bytes and the padding; pointers into it follow. */
static bool source_reserve(struct parser *P, u64 length) {
  lanner_document *d = P->document;
  u64 need = length + LANNER_PADDING, size = d->own_text_capacity;
  byte *text;
  if (need <= size) return true;
  if (length > LANNER_MAX_INPUT) {
    d->status = LANNER_ERROR_TOO_LARGE;
    return false;
  }
  /* The first piece gets what it needs, later ones room to double in. */
  size = size ? size + size / 2 > need ? size + size / 2 : need : need;
  if (size > UINT32_MAX) size = UINT32_MAX;
  size_t cursor = (size_t)(P->cursor - P->base), mark = (size_t)(P->mark - P->base);
  size_t scanned = (size_t)(P->scanned - P->base);
  bool moves = P->base == d->own_text;
  text = heap_resize(&d->heap, d->own_text, d->own_text_capacity, (size_t)size);
  if (!text) {
    store_failed(d);
    return false;
  }
  d->own_text = text;
  d->own_text_capacity = (u32)size;
  if (moves) {
    P->base = text;
    P->cursor = text + cursor;
    P->mark = text + mark;
    P->scanned = text + scanned;
  }
  d->text = text;
  return true;
}

/* The text ends here for now: the sentinel. */
static void source_end_text(struct parser *P) {
  lanner_document *d = P->document;
  memset(d->own_text + d->text_length, 0, LANNER_PADDING);
  P->limit = d->own_text + d->text_length;
  P->ahead_kept = false;
}

/* The input room appends to the document's own text through this. */
static bool source_grow(struct input_buffer *buffer, size_t need) {
  struct parser *P = buffer->context;
  lanner_document *d = P->document;
  d->text_length = (u32)buffer->length;
  if (!source_reserve(P, need)) return false;
  buffer->data = d->own_text;
  buffer->capacity = d->own_text_capacity - LANNER_PADDING;
  return true;
}

/* A LF may follow the CR at a piece's end, an escape sequence any character of ISO-2022-JP: where
 * it ends is known when the next bytes are, so it waits for them. */
static void source_hold(struct source *s, struct input_buffer *text) {
  size_t start = text->length;
  if (!start || !(s->stream.after_cr || s->stream.decoder.encoding == LANNER_ENCODING_ISO_2022_JP))
    return;
  do start--;
  while (start && (text->data[start] & 0xC0) == 0x80);
  s->held_length = (u32)(text->length - start);
  memcpy(s->held, text->data + start, s->held_length);
  text->length = start;
}

static bool source_append(struct parser *P, const byte *bytes, size_t length, bool last) {
  lanner_document *d = P->document;
  struct input_buffer buffer = {
      d->own_text, d->text_length,
      d->own_text_capacity < LANNER_PADDING ? 0 : d->own_text_capacity - LANNER_PADDING,
      source_grow, P};
  struct source *s = &P->source;
  bool fed;
  if (s->clean) {
    fed = source_reserve(P, (u64)d->text_length + s->held_length + length);
    if (fed) {
      byte *to = d->own_text + d->text_length;
      if (s->held_length) memcpy(to, s->held, s->held_length);
      if (length) memcpy(to + s->held_length, bytes, length);
      size_t all = s->held_length + length;
      /* A character that is not complete waits, and is left out where a limit cuts it. */
      s->held_length = (u32)input_unfinished(to, all);
      if (s->held_length) memcpy(s->held, to + all - s->held_length, s->held_length);
      d->text_length += (u32)all - s->held_length;
    }
  } else {
    if (!s->marks.context) s->piece = (struct source_piece){s->stream, bytes, length, last};
    fed = !s->held_length || source_grow(&buffer, buffer.length + s->held_length);
    if (fed && s->held_length) {
      memcpy(buffer.data + buffer.length, s->held, s->held_length);
      buffer.length += s->held_length;
      s->held_length = 0;
    }
    fed = fed && input_feed(&s->stream, bytes, length, last, &buffer);
    if (fed) {
      if (!last) source_hold(s, &buffer);
      d->text_length = (u32)buffer.length;
      s->mapped = s->marks.context ? !input_same(&s->stream, &s->shift) : s->stream.changed;
    }
  }
  if (!fed) {
    if (d->status == LANNER_OK) store_failed(d);
    P->stop = (uint8_t)d->status;
    return false;
  }
  s->taken += length;
  return source_reserve(P, d->text_length);
}

static void source_sniff(struct parser *P, const byte *bytes, size_t length) {
  struct source *s = &P->source;
  lanner_sniff(bytes, length, &s->sniff, &s->found);
  if (s->late) s->found.source = LANNER_SOURCE_LATE_META;
  s->sniffed = true;
  input_begin(&s->stream, &s->found, P->flags & LANNER_SURROGATES ? INPUT_SURROGATES : 0,
              s->marks.context ? &s->marks : NULL);
}

/* A label from the options: unknown ones of the transport layer are ignored, the user's are not. */
static lanner_status source_begin(struct parser *P, const char *encoding, const char *transport,
                                  const char *fallback) {
  struct source *s = &P->source;
  lanner_document *d = P->document;
  clear(&s->stream, sizeof *s - offsetof(struct source, stream));
  for (u32 i = 0; i < KEPT_PIECES; i++)
    if (s->kept_pieces[i]) s->kept_pieces[i]->piece.bytes = NULL;
  s->marks.grow = marks_grow;
  s->marks.length = 0;
  /* Where a parse pauses, pieces come before those ahead of them were read. */
  s->marks.context = P->flags & (LANNER_ERRORS | LANNER_SPANS | LANNER_RUN_SCRIPTS) ? d : NULL;
  s->clean = (P->flags & LANNER_INPUT_CLEAN) != 0;
  if (encoding) {
    s->sniff.user = lanner_encoding_for_label(encoding, strlen(encoding));
    if (s->sniff.user == LANNER_ENCODING_NONE) return LANNER_ERROR_ENCODING;
  }
  if (transport) s->sniff.transport = lanner_encoding_for_label(transport, strlen(transport));
  if (fallback) {
    s->sniff.fallback = lanner_encoding_for_label(fallback, strlen(fallback));
    if (s->sniff.fallback == LANNER_ENCODING_NONE) return LANNER_ERROR_ENCODING;
  }
  if (s->clean) {
    s->found.encoding = LANNER_ENCODING_UTF_8;
    s->found.confidence = LANNER_CONFIDENCE_CERTAIN;
    s->found.source = LANNER_SOURCE_USER;
  }
  d->text = d->own_text;
  d->text_length = 0;
  P->base = P->cursor = P->mark = P->limit = P->scanned = NULL; /* there is no text yet */
  P->ahead_kept = false;
  P->window = 0;
  P->text_end = P->stopped_at = UINT32_MAX;
  P->line = P->column = 1;
  P->back.line = 0;
  P->final = false;
  P->foreign_segment = P->slow = P->accumulating = P->accumulating_here = false;
  P->in_place = P->moved = false;
  P->reference = 0;
  return LANNER_OK;
}

/* Whether bytes below 0x80 are ASCII in ENCODING, wherever they stand. */
static bool source_keeps_ascii(lanner_encoding encoding) {
  return encoding != LANNER_ENCODING_UTF_16BE && encoding != LANNER_ENCODING_UTF_16LE &&
         encoding != LANNER_ENCODING_ISO_2022_JP && encoding != LANNER_ENCODING_REPLACEMENT;
}

/* The whole page at once. */
static bool source_whole(struct parser *P, const byte *bytes, size_t length) {
  struct source *s = &P->source;
  lanner_document *d = P->document;
  const byte *text = bytes;
  size_t text_length = length;
  bool plain = s->clean;
  P->final = true;
  if (!s->clean) {
    source_sniff(P, bytes, length);
    if (source_keeps_ascii(s->found.encoding)) {
      unsigned seen,
          wanted = s->found.encoding == LANNER_ENCODING_UTF_8 ? INPUT_VALID : INPUT_ASCII;
      text += s->found.mark;
      text_length -= s->found.mark;
      s->shift = s->found.mark;
      seen = input_check(text, text_length);
      plain = (seen & wanted) && !(seen & INPUT_CR);
      s->stream.checked = !plain && !s->marks.context && (seen & INPUT_VALID) &&
                          s->found.encoding == LANNER_ENCODING_UTF_8;
    }
  }
  if (!plain) {
    if (s->stream.checked && !source_reserve(P, length)) {
      P->stop = (uint8_t)d->status;
      return false;
    }
    if (!source_append(P, bytes, length, true)) return false;
    P->base = P->cursor = P->mark = P->scanned = d->own_text;
    source_end_text(P);
    return true;
  }
  s->taken = length;
  if (P->flags & LANNER_INPUT_PADDED) {
    d->text = text;
    d->text_length = (u32)text_length;
    P->base = P->cursor = P->mark = P->scanned = text;
    P->limit = text + text_length;
    P->ahead_kept = false;
    return true;
  }
  if (!source_reserve(P, text_length)) {
    P->stop = (uint8_t)d->status;
    return false;
  }
  P->base = P->cursor = P->mark = P->scanned = d->own_text;
  if (text_length) memcpy(d->own_text, text, text_length);
  d->text_length = (u32)text_length;
  source_end_text(P);
  return true;
}

/* A piece. Until the encoding is known the first bytes are kept. */
static bool source_feed(struct parser *P, const byte *bytes, size_t length, bool last) {
  struct source *s = &P->source;
  lanner_document *d = P->document;
  bool first = P->base == NULL;
  bool fed = true, done = false;
  if (!s->clean && !s->sniffed) {
    /* A byte order mark, three bytes at most, beats the user's encoding too. */
    size_t wanted = s->sniff.user != LANNER_ENCODING_NONE ? 3 : LANNER_SNIFF_BYTES;
    bool enough = last || s->raw_length + length >= wanted;
    if (!enough || s->raw_length) {
      if (!s->raw) {
        s->raw = heap_resize(&d->heap, NULL, 0, LANNER_SNIFF_BYTES);
        if (!s->raw) {
          store_failed(d);
          P->stop = (uint8_t)d->status;
          return false;
        }
        s->raw_capacity = LANNER_SNIFF_BYTES;
      }
      size_t take = LANNER_SNIFF_BYTES - s->raw_length;
      if (take > length) take = length;
      if (take) { /* BYTES may be NULL */
        memcpy(s->raw + s->raw_length, bytes, take);
        s->raw_length += take;
        bytes += take;
        length -= take;
      }
      if (!enough) return true;
      source_sniff(P, s->raw, s->raw_length);
      done = last && !length;
      fed = source_append(P, s->raw, s->raw_length, done);
      if (fed && s->mapped && !s->marks.context && !done)
        fed = keep_piece(P, &s->piece, KEPT_TOKEN);
    } else {
      source_sniff(P, bytes, length);
    }
  }
  if (fed && !done && (length || last)) fed = source_append(P, bytes, length, last);
  if (!fed || !source_reserve(P, d->text_length)) {
    P->stop = (uint8_t)d->status;
    return false;
  }
  if (first) P->base = P->cursor = P->mark = P->scanned = d->own_text;
  source_end_text(P);
  P->final = last;
  return true;
}

/* Tokens without a tree: drops text that nobody needs any more, when it is worth the move. */
static void source_slide(struct parser *P) {
  lanner_document *d = P->document;
  const byte *keep = P->mark < P->scanned || !(P->flags & LANNER_ERRORS) ? P->mark : P->scanned;
  /* Inside a tag or DOCTYPE its finished parts are slices of the text. */
  if (P->state > STATE_plaintext && P->state != STATE_cdata_section) return;
  if (keep > P->cursor) keep = P->cursor;
  if (P->source.marks.length) {
    /* The map goes on from its last character. */
    const byte *last = P->base + (P->source.stream.map.out - P->window);
    if (keep > last) keep = last;
  }
  size_t gone = (size_t)(keep - P->base), rest = d->text_length - gone;
  if (P->base != d->own_text || gone < rest || gone < 4096) return;
  if (P->source.mapped) {
    input_forget(&P->source.stream, P->base, P->window, P->window + gone);
    P->source.hint = (struct input_place){0, 0, 0};
  }
  memmove(d->own_text, keep, rest);
  d->text_length = (u32)rest;
  P->window += gone;
  P->cursor -= gone;
  P->mark -= gone;
  P->limit -= gone;
  P->scanned = P->flags & LANNER_ERRORS ? P->scanned - gone : P->base;
  source_end_text(P);
}

#endif
