/* offsets.h - offsets of the text as offsets of the input, which is what users get to see.
 *
 * Text that is the input byte for byte, but for a byte order mark in front, needs an addition. Else
 * the input stream's map answers (input/map.c); it is kept where positions were asked for. For the
 * others, which report nothing but where a limit struck, the piece at hand is decoded once more.
 */
#ifndef LANNER_OFFSETS_H
#define LANNER_OFFSETS_H

#include "tokenizer/parser.h"

/* For marks and for text that is only counted. */
static bool marks_grow(struct input_buffer *buffer, size_t need) {
  lanner_document *d = buffer->context;
  size_t capacity = need + need / 2;
  byte *data = heap_resize(&d->heap, buffer->data, buffer->capacity, capacity);
  if (!data) return false;
  buffer->data = data;
  buffer->capacity = capacity;
  return true;
}

/* The input offset of the text offset AT, which counts from the start of all text. */
static NOINLINE u64 offset_of_text(struct parser *P, u64 at) {
  struct source *s = &P->source;
  return s->mapped ? input_offset(&s->stream, P->document->text, P->window, at, &s->hint)
                   : at + s->shift;
}

/* The input offset of an address in the current segment. Inserted text stands in front of an input
 * byte, and that is where all of it is. */
INLINE u64 offset_of(struct parser *P, const byte *at) {
  u64 offset = P->window + (u64)(at - P->base);
  if (UNLIKELY(P->source.mapped | P->foreign_segment))
    return P->foreign_segment ? P->inserted_at : offset_of_text(P, offset);
  return offset + P->source.shift;
}

/* Where a limit struck: the input offset of the text offset AT. */
static COLD u64 offset_of_limit(struct parser *P, u64 at) {
  struct source *s = &P->source;
  lanner_document *d = P->document;
  if (s->marks.context || !s->mapped || !s->piece) return offset_of_text(P, at);
  /* An offset in an earlier piece becomes the start of this one. */
  if (at <= s->before.given) return s->before.taken - s->before.decoder.pending_count;
  size_t limit = d->heap.limit;
  struct input_stream again = s->before;
  struct input_buffer marks = {.grow = marks_grow, .context = d};
  struct input_buffer text = {.grow = marks_grow, .context = d};
  struct input_place hint = {0, 0, 0};
  u64 offset = s->before.taken;
  d->heap.limit = 0;
  again.map.marks = &marks;
  if (input_feed(&again, s->piece, s->piece_length, s->piece_last, &text))
    offset = input_offset(&again, text.data, s->before.given, at, &hint);
  heap_release(&d->heap, marks.data, marks.capacity);
  heap_release(&d->heap, text.data, text.capacity);
  d->heap.limit = limit;
  return offset;
}

#endif
