/* map.c - from offsets of the text back to those of the input.
 *
 * The map is a list of marks. From a mark on every character of the text stands for as many input
 * bytes as the mark's step says, until the next mark; so the text itself, which is at hand anyway,
 * is all that is needed to count. A whole page in valid UTF-8 is one mark, so is one in a single-byte
 * encoding or in UTF-16, whatever its newlines, as long as they are all of one kind. Marks are added
 * where a character is different (damage, escape sequences, characters of three or four bytes), and
 * after some text, so that no query counts far. Each character is checked as it passes, singly or in
 * runs whose sum proves them regular: the map is exact by construction, and at most one mark a
 * character.
 */
#include "input/bytes.h"

/* Input bytes of a character: as many as in UTF-8, or a fixed number and 1 for ASCII, or UTF-16. */
enum { STEP_SAME, STEP_ONE, STEP_TWO, STEP_THREE, STEP_FOUR, STEP_UTF_16, STEP_MASK = 7 };
/* What line feeds of the text were: LF, CR LF (a step more) or CR. */
enum { NEWLINE_LF = 0, NEWLINE_CRLF = 8, NEWLINE_CR = 16, NEWLINE_MASK = 24 };

/* So much text at most is counted over for a query, and a block more. */
#define INPUT_MARK_DISTANCE 512

struct input_mark {
  u64 out;
  u64 in_step; /* input offset << 8 | step */
};

INLINE u64 mark_in(struct input_mark m) { return m.in_step >> 8; }
INLINE unsigned mark_step(struct input_mark m) { return (unsigned)(m.in_step & 0xFF); }

INLINE unsigned input_lead_length(byte lead) {
  return lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

/* The input bytes of a character that begins with LEAD. */
static unsigned input_step(unsigned step, byte lead) {
  unsigned base = step & STEP_MASK, n;
  if (base == STEP_SAME)
    n = input_lead_length(lead);
  else if (base == STEP_UTF_16)
    n = lead < 0xF0 ? 2 : 4;
  else
    n = lead < 0x80 ? 1 : base;
  return lead == '\n' && (step & NEWLINE_MASK) == NEWLINE_CRLF ? 2 * n : n;
}

/* The input bytes of TEXT, whole characters. */
static u64 input_steps(unsigned step, const byte *text, size_t length) {
  unsigned base = step & STEP_MASK;
  bool crlf = (step & NEWLINE_MASK) == NEWLINE_CRLF;
  if (base == STEP_SAME && !crlf) return length;
  u64 total = 0;
  while (length) {
    /* Sums of a block fit 32 bits: loops that compilers make vectors of. */
    size_t n = enc_smaller(length, 4096);
    u32 newlines = 0, leads = 0, ascii = 0, astral = 0;
    if (crlf)
      for (size_t i = 0; i < n; i++) newlines += text[i] == '\n';
    if (base != STEP_SAME)
      for (size_t i = 0; i < n; i++) {
        leads += (text[i] & 0xC0) != 0x80;
        ascii += text[i] < 0x80;
        astral += text[i] >= 0xF0;
      }
    if (base == STEP_SAME)
      total += n + newlines;
    else if (base == STEP_UTF_16)
      total += 2 * ((u64)leads + astral + newlines);
    else
      total += (u64)(leads - ascii) * base + ascii + newlines;
    text += n;
    length -= n;
  }
  return total;
}

/* How characters of this encoding mostly are. */
static unsigned input_usual_step(unsigned encoding) {
  switch (enc_kinds[encoding]) {
  case ENC_KIND_UTF_8: return STEP_SAME;
  case ENC_KIND_SINGLE_BYTE:
  case ENC_KIND_X_USER_DEFINED:
  case ENC_KIND_REPLACEMENT: return STEP_ONE;
  case ENC_KIND_UTF_16: return STEP_UTF_16;
  default: return STEP_TWO;
  }
}

static bool input_room(struct input_buffer *buffer, size_t room) {
  if (buffer->capacity - buffer->length >= room) return true;
  if (room > SIZE_MAX - buffer->length) return false;
  return buffer->grow(buffer, buffer->length + room);
}

INLINE struct input_mark input_mark_at(const struct input_buffer *marks, size_t index) {
  struct input_mark mark;
  memcpy(&mark, marks->data + index * sizeof mark, sizeof mark);
  return mark;
}

/* From OUT on, the last character so far or behind it, steps are like this. */
static bool map_mark(struct input_map *m, u64 out, u64 in, unsigned step) {
  struct input_mark mark = {out, in << 8 | step};
  struct input_buffer *marks = m->marks;
  if (marks->length && m->mark_out == out) {
    marks->length -= sizeof mark; /* nothing was between */
  } else if (!input_room(marks, sizeof mark)) {
    return false;
  }
  memcpy(marks->data + marks->length, &mark, sizeof mark);
  marks->length += sizeof mark;
  m->mark_out = out;
  m->step = (uint8_t)step;
  return true;
}

/* The last character turned out to have LENGTH input bytes, which its mark does not say. */
static COLD bool map_exception(struct input_map *m, u64 length, u64 out, u64 in) {
  static const uint8_t bases[] = {STEP_ONE, STEP_TWO, STEP_THREE, STEP_FOUR, STEP_SAME};
  unsigned step = m->step, newline = step & NEWLINE_MASK;
  if (m->lead == '\n') {
    newline = !m->cr                                        ? NEWLINE_LF
              : length == input_step(step & STEP_MASK, ' ') ? NEWLINE_CR
                                                            : NEWLINE_CRLF;
    step = (step & STEP_MASK) | newline;
  }
  if (input_step(step, m->lead) != length) {
    unsigned best = input_usual_step(m->encoding) | newline;
    for (size_t i = 0; i < sizeof bases && input_step(best, m->lead) != length; i++)
      best = bases[i] | newline;
    if (input_step(best, m->lead) == length) step = best;
  }
  if (!map_mark(m, m->out, m->in, step)) return false;
  return input_step(step, m->lead) == length || map_mark(m, out, in, step);
}

/* A character begins here; so the one before it is known in full. CR: it is the LF of a CR. */
INLINE bool map_character(struct input_map *m, u64 out, u64 in, byte lead, bool cr) {
  if (LIKELY(m->open)) {
    u64 length = in - m->in;
    bool fits = input_step(m->step, m->lead) == length &&
                (m->lead != '\n' || m->cr == ((m->step & NEWLINE_MASK) != NEWLINE_LF));
    if (UNLIKELY(!fits) && !map_exception(m, length, out, in)) return false;
    if (UNLIKELY(m->step != STEP_SAME && out - m->mark_out > INPUT_MARK_DISTANCE) &&
        !map_mark(m, out, in, m->step))
      return false;
  } else {
    if (!map_mark(m, out, in, input_usual_step(m->encoding))) return false;
    m->open = true;
  }
  m->out = out;
  m->in = in;
  m->lead = lead;
  m->cr = cr;
  return true;
}

/* A run of characters that all have BASE for their step; line feeds in it were LF. INPUT: the bytes
 * that it stands for. */
static bool map_run(struct input_map *m, u64 out, u64 in, unsigned base, const byte *text,
                    size_t length, u64 input, bool newlines) {
  size_t last = length - 1;
  if (!map_character(m, out, in, text[0], false)) return false;
  unsigned step = base | (newlines ? NEWLINE_LF : m->step & NEWLINE_MASK);
  if (step != m->step && !map_mark(m, out, in, step)) return false;
  while (last > 0 && (text[last] & 0xC0) == 0x80) last--;
  m->out = out + last;
  m->in = in + input - input_step(base, text[last]);
  m->lead = text[last];
  return true;
}

/* Decoded text, not yet normalized, all characters of which have BASE for their step. */
static bool map_text(struct input_map *m, u64 out, u64 in, unsigned base, const byte *text,
                     size_t length, bool after_cr) {
  const byte *end = text + length;
  if (!memchr(text, '\r', length) && !(after_cr && text[0] == '\n')) {
    bool newlines = memchr(text, '\n', length) != NULL;
    /* Sums of short pieces, so that each can have its mark. */
    while (text < end) {
      size_t n = (size_t)(end - text);
      if (base != STEP_SAME && n > INPUT_MARK_DISTANCE) {
        n = INPUT_MARK_DISTANCE;
        while ((text[n] & 0xC0) == 0x80) n--;
      }
      u64 input = input_steps(base, text, n);
      if (!map_run(m, out, in, base, text, n, input, newlines)) return false;
      out += n;
      in += input;
      text += n;
    }
    return true;
  }
  const unsigned unit = input_step(base, ' ');
  while (text < end) {
    const byte *stop = text;
    while (stop < end && *stop != '\r' && *stop != '\n') stop++;
    if (stop > text) {
      size_t n = (size_t)(stop - text);
      u64 input = input_steps(base, text, n);
      if (!map_run(m, out, in, base, text, n, input, false)) return false;
      out += n;
      in += input;
      after_cr = false;
    }
    if (stop < end) {
      bool cr = *stop++ == '\r';
      if (cr || !after_cr) {
        if (!map_character(m, out, in, '\n', cr)) return false;
        out++;
      }
      in += unit;
      after_cr = cr;
    }
    text = stop;
  }
  return true;
}

/* Character by character, by decoding again: input from RUN->in to STOP. */
static bool map_walk(struct input_map *m, u64 out, u64 in, lanner_decoder *d, struct enc_run *run,
                     const byte *stop, bool after_cr) {
  const unsigned kind = enc_kinds[d->encoding];
  const bool ascii =
      kind != ENC_KIND_UTF_16 && kind != ENC_KIND_ISO_2022_JP && kind != ENC_KIND_REPLACEMENT;
  byte scratch[4 * ENC_UNIT];
  while (run->in < stop) {
    const byte *before = run->in;
    run->out = scratch;
    run->limit = scratch + sizeof scratch;
    if (ascii && *before < 0x80) {
      *run->out++ = *run->in++;
    } else {
      enc_decode_one(d, run);
      if (run->in == before) break;
    }
    for (const byte *p = scratch; p < run->out; p += input_lead_length(*p)) {
      bool cr = *p == '\r';
      if (!(after_cr && *p == '\n')) {
        if (!map_character(m, out, in, cr ? '\n' : *p, cr)) return false;
        out += input_lead_length(*p);
      }
      after_cr = cr;
    }
    in += (u64)(run->in - before);
  }
  return true;
}

/* Whether these output bytes can be of characters with the usual step only: what else there may be
 * changes the sum in one direction. */
static bool map_regular(unsigned kind, const byte *bytes, size_t consumed, const byte *text,
                        size_t length, u64 input, u64 sum) {
  if (input != sum) return false;
  switch (kind) {
  case ENC_KIND_SINGLE_BYTE:
  case ENC_KIND_X_USER_DEFINED:
  case ENC_KIND_UTF_16:
  case ENC_KIND_BIG5:
  case ENC_KIND_SHIFT_JIS:
  case ENC_KIND_EUC_KR: return true;
  case ENC_KIND_EUC_JP: return !memchr(bytes, 0x8F, consumed); /* the lead of three bytes */
  case ENC_KIND_GBK:
  case ENC_KIND_GB18030:
    /* U+FFFD and the euro sign may stand for one byte, others for two or four. */
    for (const byte *p = text, *end = text + length; p + 2 < end; p++) {
      if (*p != 0xE2 && *p != 0xEF) continue;
      if ((p[0] == 0xE2 && p[1] == 0x82 && p[2] == 0xAC) ||
          (p[0] == 0xEF && p[1] == 0xBF && p[2] == 0xBD))
        return false;
    }
    return true;
  default: return false;
  }
}

/* What a call of the decoder did: BEFORE was its state, it took CONSUMED of AVAILABLE bytes and
 * gave TEXT. The stream's counts are those before the call. */
static bool map_decoded(struct input_stream *s, const lanner_decoder *before, const byte *bytes,
                        size_t consumed, size_t available, bool last, const byte *text,
                        size_t length) {
  struct input_map *m = &s->map;
  lanner_decoder d = *before;
  byte joined[2 * sizeof d.pending + 8];
  size_t pending = d.pending_count, skipped = 0;
  u64 in = s->taken - pending;
  if (!length) return true;
  m->encoding = s->decoder.encoding;
  if (pending || d.bom) {
    /* Short pieces, see input_feed. */
    size_t more = enc_smaller(available, sizeof joined - pending);
    memcpy(joined, d.pending, pending);
    if (more) memcpy(joined + pending, bytes, more);
    if (d.bom && lanner_encoding_for_bom(joined, pending + more, &skipped) == LANNER_ENCODING_NONE)
      skipped = 0;
    bytes = joined;
    consumed += pending;
    available = pending + more;
  }
  d.pending_count = 0;
  d.bom = 0;
  d.encoding = s->decoder.encoding;
  bytes += skipped;
  available -= skipped;
  consumed -= skipped + s->decoder.pending_count;
  in += skipped;
  unsigned base = input_usual_step(d.encoding);
  if (map_regular(enc_kinds[d.encoding], bytes, consumed, text, length, consumed,
                  input_steps(base, text, length)))
    return map_text(m, s->given, in, base, text, length, s->after_cr);
  struct enc_run run = {.in = bytes, .end = bytes + available, .last = last};
  return map_walk(m, s->given, in, &d, &run, bytes + consumed, s->after_cr);
}

/* The index of the last mark at or before OUT; there is one. */
static size_t map_find(const struct input_buffer *marks, u64 out) {
  size_t low = 0, high = marks->length / sizeof(struct input_mark);
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (input_mark_at(marks, middle).out <= out)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static u64 input_offset(const struct input_stream *s, const byte *text, u64 first, u64 offset,
                        struct input_place *hint) {
  const struct input_buffer *marks = s->map.marks;
  if (!marks) return offset;
  if (offset >= s->given || !marks->length) return s->taken - s->decoder.pending_count;
  size_t count = marks->length / sizeof(struct input_mark), at = hint->mark;
  struct input_mark mark = {0, 0};
  bool found = false;
  for (int i = 0; i < 2 && at < count && !found; i++, at += !found) {
    mark = input_mark_at(marks, at);
    if (mark.out > offset) break;
    found = at + 1 == count || input_mark_at(marks, at + 1).out > offset;
  }
  if (!found) {
    at = map_find(marks, offset);
    mark = input_mark_at(marks, at);
  }
  if (mark.out > offset) return mark_in(mark);
  while (offset > mark.out && (text[offset - first] & 0xC0) == 0x80) offset--;
  u64 from = mark.out, in = mark_in(mark);
  if (hint->out > from && hint->out <= offset && hint->mark == at) {
    from = hint->out;
    in = hint->in;
  }
  if (mark_step(mark) == STEP_SAME)
    in += offset - from; /* the text may be gone already */
  else
    in += input_steps(mark_step(mark), text + (from - first), (size_t)(offset - from));
  *hint = (struct input_place){.in = in, .out = offset, .mark = at};
  return in;
}

static bool input_was_cr(const struct input_stream *s, u64 offset) {
  const struct input_map *m = &s->map;
  if (!m->marks || !m->marks->length || offset >= s->given) return false;
  if (offset == m->out) return m->cr;
  return (mark_step(input_mark_at(m->marks, map_find(m->marks, offset))) & NEWLINE_MASK) !=
         NEWLINE_LF;
}

static bool input_same(const struct input_stream *s, u64 *shift) {
  const struct input_buffer *marks = s->map.marks;
  *shift = 0;
  if (!marks || !marks->length) return s->taken == 0;
  struct input_mark mark = input_mark_at(marks, 0);
  *shift = mark_in(mark) - mark.out;
  /* The last character may be the first of another kind. */
  return marks->length == sizeof mark && mark_step(mark) == STEP_SAME && !s->map.cr &&
         !s->after_cr && s->taken == s->given + *shift;
}

static void input_forget(struct input_stream *s, const byte *text, u64 first, u64 offset) {
  struct input_buffer *marks = s->map.marks;
  struct input_place hint = {0};
  if (!marks || !marks->length || offset >= s->given) return;
  size_t at = map_find(marks, offset);
  struct input_mark mark = input_mark_at(marks, at);
  if (mark.out > offset) return;
  u64 in = input_offset(s, text, first, offset, &hint);
  mark = (struct input_mark){offset, in << 8 | mark_step(mark)};
  memmove(marks->data, marks->data + at * sizeof mark, marks->length - at * sizeof mark);
  memcpy(marks->data, &mark, sizeof mark);
  marks->length -= at * sizeof mark;
  if (marks->length == sizeof mark) s->map.mark_out = offset;
}
