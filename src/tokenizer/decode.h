/* decode.h - references inside of text and of attribute values, and the copy of the piece that they
 * stand in, in one pass. Compiled once; the instances of the machine call it where text is not split.
 */
#ifndef LANNER_DECODE_H
#define LANNER_DECODE_H

#include "tokenizer/parser.h"
#include "tokenizer/references.h"
#include "tokenizer/skip.h"

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
      while (from = copy_to_stop(&to, from, full, other), UNLIKELY(to >= full)) {
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

static NOINLINE HOT const byte *decode_text(struct parser *P, const byte *mark, const byte *amp) {
  return decode_run(P, mark, amp, '<');
}
static NOINLINE HOT const byte *decode_value(struct parser *P, const byte *mark, const byte *amp) {
  return decode_run(P, mark, amp, '"');
}

#endif
