/* decode.h - references inside of text and of attribute values, in one pass with the run they stand in:
 * into a copy of the piece, or in place where the text is the document's own copy of the input. Compiled
 * once; the instances of the machine call it where text is not split.
 */
#ifndef LANNER_DECODE_H
#define LANNER_DECODE_H

#include "tokenizer/parser.h"
#include "tokenizer/references.h"
#include "tokenizer/skip.h"

/* Whether a reference in the piece at hand may be decoded in place: not when a part of it is in the string
 * area. */
INLINE bool decodes_here(const struct parser *P) {
  return P->in_place && P->accumulating == P->accumulating_here;
}

/* The input from START to END moves up to the part of the piece that was decoded in place. Returns the
 * piece's end. */
INLINE byte *piece_moved_up(struct parser *P, const byte *start, const byte *end) {
  byte *to = P->document->own_text + P->accumulated + P->accumulated_length;
  size_t length = (size_t)(end - start);
  if (length) memmove(to, start, length);
  P->accumulated_length += (u32)length;
  return to + length;
}

/* The part of the piece that was decoded in place goes to the string area, where there is room for what is
 * longer than in the input. */
static COLD bool piece_to_strings(struct parser *P) {
  lanner_document *d = P->document;
  u32 from = P->accumulated;
  if (!store_reserve_strings(d, P->accumulated_length)) {
    P->stop = (uint8_t)d->status;
    return false;
  }
  P->accumulated = store_put(d, d->own_text + from, P->accumulated_length);
  P->accumulating_here = false;
  return true;
}

/* At AMP, in a piece that began at MARK, a complete reference should stand: it and all up to the next
 * '&' that begins none, the next OTHER or U+0000 go to the piece's copy, in one pass. Returns where
 * that is; AMP: there is no complete reference, and nothing was done. */
INLINE const byte *decode_run(struct parser *P, const byte *mark, const byte *amp, byte other) {
  lanner_document *d = P->document;
  struct reference_match m = reference_fast(amp);
  if (m.end == NULL) return amp;
  size_t raw = (size_t)(amp - mark);
  if (!P->accumulating) {
    P->accumulating = P->slow = true;
    P->accumulated = d->strings_length;
    P->accumulated_from = (u32)(mark - P->base);
  }
  if (!store_reserve_strings(d, (u32)raw + COPY_ROOM)) {
    P->stop = (uint8_t)d->status;
    return m.end;
  }
  byte *to = d->strings + d->strings_length;
  const byte *full = d->strings + d->strings_capacity - COPY_ROOM, *from;
  for (size_t i = 0; i < raw; i += 32) memcpy(to + i, mark + i, 32); /* both have room to spare */
  to += raw;
  do {
    store64_little(to, m.text.bytes);
    to += m.text.length;
    from = m.end;
    if (*from != '&' || UNLIKELY(to >= full)) { /* one behind the other need no search */
      while (from = copy_to_stop(&to, from, full, other, false), UNLIKELY(to >= full)) {
        d->strings_length = (u32)(to - d->strings);
        if (!store_reserve_strings(d, 2 * COPY_ROOM)) {
          P->stop = (uint8_t)d->status;
          return from;
        }
        to = d->strings + d->strings_length;
        full = d->strings + d->strings_capacity - COPY_ROOM;
      }
      if (*from != '&') break;
    }
    m = reference_fast(from);
  } while (m.end != NULL);
  d->strings_length = (u32)(to - d->strings);
  return from;
}

/* The same in place: what follows a reference moves up to what it stands for, which is never longer
 * than the reference, but for a few that are left to the rules. No copy, no other memory. */
INLINE const byte *decode_run_here(struct parser *P, const byte *mark, const byte *amp,
                                   byte other) {
  struct reference_match m = reference_fast(amp);
  if (m.end == NULL || UNLIKELY(m.text.length > 4)) return amp;
  byte *base = P->document->own_text, *to = base + (amp - P->base);
  const byte *from;
  if (P->accumulating) {
    to = piece_moved_up(P, mark, amp);
  } else {
    P->accumulating = P->accumulating_here = P->slow = true;
    P->accumulated = P->accumulated_from = (u32)(mark - P->base);
  }
  do {
    /* Four bytes at least, as long as the shortest reference. */
    store32_little(to, (u32)m.text.bytes);
    to += m.text.length;
    from = m.end;
    if (*from != '&') from = copy_to_stop(&to, from, NULL, other, true);
    if (*from != '&') break;
    m = reference_fast(from);
  } while (m.end != NULL && LIKELY(m.text.length <= 4));
  P->accumulated_length = (u32)(to - (base + P->accumulated));
  return from;
}

static NOINLINE HOT const byte *decode_text(struct parser *P, const byte *mark, const byte *amp) {
  if (decodes_here(P)) return decode_run_here(P, mark, amp, '<');
  return decode_run(P, mark, amp, '<');
}
static NOINLINE HOT const byte *decode_value(struct parser *P, const byte *mark, const byte *amp) {
  if (decodes_here(P)) return decode_run_here(P, mark, amp, '"');
  return decode_run(P, mark, amp, '"');
}

#endif
