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

/* The piece in which the text offset AT lies, as far as it is known: the last one that does not begin
 * behind it; those before it may have given no text. NULL: none is left. */
static COLD const struct source_piece *piece_at(const struct source *s, u64 at) {
  const struct source_piece *found =
      s->piece.bytes && s->piece.before.given <= at ? &s->piece : NULL;
  for (u32 i = 0; i < KEPT_PIECES && (!found || found != &s->piece); i++) {
    const struct source_piece *piece = s->kept_pieces[i] ? &s->kept_pieces[i]->piece : NULL;
    if (piece && piece->bytes && piece->before.given <= at &&
        (!found || piece->before.taken > found->before.taken))
      found = piece;
  }
  return found;
}

/* Where a limit struck: the input offset of the text offset AT. */
static COLD u64 offset_of_limit(struct parser *P, u64 at) {
  struct source *s = &P->source;
  lanner_document *d = P->document;
  if (s->marks.context || !s->mapped) return offset_of_text(P, at);
  const struct source_piece *piece = piece_at(s, at);
  if (!piece) return s->taken < at ? s->taken : at;
  size_t limit = d->heap.limit;
  struct input_stream again = piece->before;
  struct input_buffer marks = {.grow = marks_grow, .context = d};
  struct input_buffer text = {.grow = marks_grow, .context = d};
  struct input_place hint = {0, 0, 0};
  u64 offset = piece->before.taken;
  d->heap.limit = 0;
  again.map.marks = &marks;
  if (input_feed(&again, piece->bytes, piece->length, piece->last, &text))
    offset = input_offset(&again, text.data, piece->before.given, at, &hint);
  heap_release(&d->heap, marks.data, marks.capacity);
  heap_release(&d->heap, text.data, text.capacity);
  d->heap.limit = limit;
  return offset;
}

/* PIECE (at hand, or kept as another kind) stays as the one of this KIND. */
static COLD bool keep_piece(struct parser *P, const struct source_piece *piece, u32 kind) {
  struct source *s = &P->source;
  struct kept_piece *kept = s->kept_pieces[kind];
  size_t capacity = kept ? kept->capacity : 0;
  if (!kept || capacity < piece->length) {
    size_t size = piece->length < 64 ? 64 : piece->length;
    kept = heap_resize(&P->document->heap, kept, kept ? sizeof *kept + capacity : 0,
                       sizeof *kept + size);
    if (!kept) return store_failed(P->document);
    s->kept_pieces[kind] = kept;
    kept->capacity = size;
  }
  kept->piece = *piece;
  memcpy(kept + 1, piece->bytes, piece->length);
  kept->piece.bytes = (const byte *)(kept + 1);
  return true;
}

/* The token that is being read has its start in token.start. */
static bool token_has_start(const struct parser *P) {
  u32 state = P->state;
  if (state >= STATE_character_reference)
    return P->return_state >= STATE_attribute_value_double_quoted;
  return state == STATE_tag_name ||
         (state >= STATE_before_attribute_name && state <= STATE_bogus_doctype) ||
         (state >= STATE_processing_instruction_open &&
          state <= STATE_processing_instruction_questionable);
}

/* Something begins at the text offset AT. When that is in the piece at hand, or in the one with the
 * character that was held, this piece stays as the one of KIND. The held character's stays in its own
 * place too: pieces that give no text may follow. */
static bool keep_start(struct parser *P, u64 at, u32 kind) {
  const struct source *s = &P->source;
  const struct kept_piece *held = s->kept_pieces[KEPT_HELD], *kept = s->kept_pieces[kind];
  if (at >= s->piece.before.given) return keep_piece(P, &s->piece, kind);
  if (!held || !held->piece.bytes || held->piece.before.given > at) return true;
  if (kept && kept->piece.bytes && kept->piece.before.taken == held->piece.before.taken)
    return true;
  return keep_piece(P, &held->piece, kind);
}

/* The piece at hand was read and goes away: it stays when it has the beginning of something that is
 * not finished, where a limit might strike when it is. */
static bool keep_piece_of_token(struct parser *P) {
  struct source *s = &P->source;
  if (LIKELY(!s->mapped) || s->marks.context || !s->piece.bytes || P->final) return true;
  u64 end = (u64)(P->limit - P->base), first = s->piece.before.given;
  u64 part = P->accumulating ? P->accumulated_from : (u64)(P->mark - P->base);
  u64 token = token_has_start(P) ? P->token.start : part;
  if (token < end && !keep_start(P, token, KEPT_TOKEN)) return false;
  if (token < first && part < end && !keep_start(P, part, KEPT_ATTRIBUTE)) return false;
  if (s->held_length)
    return end < first || keep_piece(P, &s->piece, KEPT_HELD); /* or it was held before */
  if (s->kept_pieces[KEPT_HELD]) s->kept_pieces[KEPT_HELD]->piece.bytes = NULL;
  return true;
}

#endif
