/* instance.h - what the rules of grammar/ call: pieces, names, attributes, errors, and the macros
 * that the rules are written in. Included by src/lanner.c once an instance, before tokenizer.inc.
 * No include guard: every function gets the instance's suffix.
 *
 *   FN(name)   name with the instance's suffix
 *   CHECKED    1: errors and positions are reported; 0: none of that code exists
 *   SINK_*     where tokens go (see parser.h)
 *   SPLIT_TEXT 1: decoded characters are tokens of their own
 */

/* --- errors --- */
#if CHECKED
#define ERROR(code, at) report_error(P, ERROR_##code, (at))
#define ERROR_CODE(code, at) report_error(P, (code), (at))
#define EACH_ERROR(code, from, to)                                                                 \
  do {                                                                                             \
    for (const byte *each = (from); each < (to); each++) report_error(P, ERROR_##code, each);      \
  } while (0)
#define STREAM_ERRORS(P, to) report_stream_errors((P), (to))
#else
#define ERROR(code, at) ((void)0)
#define ERROR_CODE(code, at) ((void)(code))
#define EACH_ERROR(code, from, to) ((void)0)
#define STREAM_ERRORS(P, to) ((void)0)
#endif

/* --- transitions --- */
#define TO(s) goto at_##s
#define RECONSUME(s)                                                                               \
  do {                                                                                             \
    cur--;                                                                                         \
    goto at_##s;                                                                                   \
  } while (0)
#define MORE(s)                                                                                    \
  do {                                                                                             \
    cur = lim;                                                                                     \
    if (!P->final) {                                                                               \
      state = STATE_##s;                                                                           \
      goto suspend;                                                                                \
    }                                                                                              \
  } while (0)
/* The text from mark to END is handed on. The sink may want to leave: then at END, in state T. */
#define FLUSH_TEXT(end, t) FLUSH_TEXT_BY(flush_text, end, t)
#define FLUSH_TEXT_FAST(end, t) FLUSH_TEXT_BY(flush_text_fast, end, t)
#define FLUSH_TEXT_BY(how, end, t)                                                                 \
  do {                                                                                             \
    const byte *flush_end = (end);                                                                 \
    if (flush_end != mark || P->slow) {                                                            \
      FN(how)(P, mark, flush_end);                                                                 \
      if (UNLIKELY(P->signal)) {                                                                   \
        cur = flush_end;                                                                           \
        state = STATE_##t;                                                                         \
        goto signalled;                                                                            \
      }                                                                                            \
    }                                                                                              \
  } while (0)
/* MORE(s), but the text up to END belongs to no unfinished piece and is handed on. */
#define MORE_TEXT(s, end, t)                                                                       \
  do {                                                                                             \
    cur = lim;                                                                                     \
    if (!P->final) {                                                                               \
      const byte *flush_end = (end);                                                               \
      if (flush_end != mark || P->slow) {                                                          \
        FN(flush_text)(P, mark, flush_end);                                                        \
        if (UNLIKELY(P->next_state)) {                                                             \
          cur = flush_end;                                                                         \
          state = STATE_##t;                                                                       \
          goto signalled;                                                                          \
        }                                                                                          \
      }                                                                                            \
      mark = flush_end;                                                                            \
      state = STATE_##s;                                                                           \
      goto suspend;                                                                                \
    }                                                                                              \
  } while (0)
#define AFTER_TOKEN(s)                                                                             \
  do {                                                                                             \
    mark = cur;                                                                                    \
    if (UNLIKELY(P->signal)) {                                                                     \
      state = STATE_##s;                                                                           \
      goto signalled;                                                                              \
    }                                                                                              \
    goto at_##s;                                                                                   \
  } while (0)

/* --- character references --- */
#define REFERENCE(s)                                                                               \
  do {                                                                                             \
    amp = cur - 1;                                                                                 \
    P->return_state = STATE_##s;                                                                   \
    goto reference;                                                                                \
  } while (0)
#define RETURNS_TO_ATTRIBUTE() (P->return_state >= STATE_attribute_value_double_quoted)
/* MORE inside a reference, to go on at FROM; the text before "&" is handed on. */
#define MORE_REFERENCE(s, from)                                                                    \
  do {                                                                                             \
    cur = lim;                                                                                     \
    if (!P->final) {                                                                               \
      if (!RETURNS_TO_ATTRIBUTE()) {                                                               \
        if (amp != mark || P->slow) {                                                              \
          FN(flush_text)(P, mark, amp);                                                            \
          if (UNLIKELY(P->signal)) {                                                               \
            cur = amp;                                                                             \
            state = P->return_state;                                                               \
            goto signalled;                                                                        \
          }                                                                                        \
        }                                                                                          \
        mark = amp;                                                                                \
      }                                                                                            \
      cur = (from);                                                                                \
      state = STATE_##s;                                                                           \
      goto suspend;                                                                                \
    }                                                                                              \
  } while (0)

/* The input from AT to NEXT stands for TEXT; on to the state of the reference. Where text is split
 * (SPLIT_TEXT: the document's checked instance), decoded characters are handed on by themselves, so
 * that every run of text has one place in the source however the input was cut. */
#define DECODED(at, text, next)                                                                    \
  do {                                                                                             \
    const byte *decoded_next = (next);                                                             \
    u32 decoded_length = (text).length;                                                            \
    byte decoded[8];                                                                               \
    store64_little(decoded, (text).bytes);                                                         \
    if (SPLIT_TEXT && !RETURNS_TO_ATTRIBUTE()) {                                                   \
      HAND_ON_DECODED(at, decoded, decoded_length, decoded_next, P->return_state);                 \
    } else {                                                                                       \
      FN(append_decoded)(P, mark, (at), decoded, decoded_length);                                  \
    }                                                                                              \
    cur = mark = decoded_next;                                                                     \
    goto return_state;                                                                             \
  } while (0)
#define HAND_ON_DECODED(at, decoded, length, next, s)                                              \
  do {                                                                                             \
    if ((at) != mark) FN(flush_text)(P, mark, (at));                                               \
    FN(append_decoded)(P, (at), (at), (decoded), (length));                                        \
    FN(flush_text)(P, (next), (next));                                                             \
    if (UNLIKELY(P->signal)) {                                                                     \
      cur = (next);                                                                                \
      state = (s);                                                                                 \
      goto signalled;                                                                              \
    }                                                                                              \
  } while (0)

/* U+0000 just read: the piece goes on with U+FFFD instead; in text, in state S. */
#define REPLACE_NUL()                                                                              \
  do {                                                                                             \
    ERROR(unexpected_null_character, cur - 1);                                                     \
    FN(append_decoded)(P, mark, cur - 1, (const byte *)"\xEF\xBF\xBD", 3);                         \
    mark = cur;                                                                                    \
  } while (0)
#define REPLACE_NUL_IN_TEXT(s)                                                                     \
  do {                                                                                             \
    if (SPLIT_TEXT) {                                                                              \
      const byte *nul = cur - 1;                                                                   \
      ERROR(unexpected_null_character, nul);                                                       \
      HAND_ON_DECODED(nul, (const byte *)"\xEF\xBF\xBD", 3, cur, STATE_##s);                       \
      mark = cur;                                                                                  \
    } else {                                                                                       \
      REPLACE_NUL();                                                                               \
    }                                                                                              \
  } while (0)

/* Stops found ahead (ahead.h): the rows of this run, or those kept; and at its end, whether they are good
 * for the next one. AFTER_STOP: the stop at AT was read already and is passed; where nobody has looked so far,
 * on to OUT_OF_STEP. */
#if defined(SIMD_AHEAD) && !CHECKED
#define AHEAD 1
#if defined(SINK_AHEAD)
#define AHEAD_BEGIN()                                                                              \
  struct ahead *const ahead = SINK_AHEAD(P);                                                       \
  if (!P->ahead_kept) ahead_begin(ahead, base, cur, lim, AHEAD_FIRST)
#define AHEAD_KEEP(kept) (P->ahead_kept = (kept), ahead->stop = stop)
#else
#define AHEAD_BEGIN()                                                                              \
  struct ahead rows, *const ahead = &rows;                                                         \
  ahead_begin(ahead, base, cur, lim, cur == base ? AHEAD_MOST : AHEAD_FIRST)
#define AHEAD_KEEP(kept) ((void)0)
#endif
#define AFTER_STOP(at, out_of_step)                                                                \
  do {                                                                                             \
    if (UNLIKELY(base + *stop != (at))) goto out_of_step;                                          \
    stop++;                                                                                        \
  } while (0)
#else
#define AHEAD 0
#define AFTER_STOP(at, out_of_step) ((void)0)
#endif

/* The end tag of the text of title, script and the like, when there is nothing else in it: no states
 * needed. */
#define RAW_TEXT_END(t)                                                                            \
  do {                                                                                             \
    const byte *behind = FN(raw_text_end)(P, cur);                                                 \
    if (UNLIKELY(!behind)) break;                                                                  \
    FLUSH_TEXT(cur, t);                                                                            \
    FN(begin_tag)(P, cur, true);                                                                   \
    P->token.name = P->last_start_tag;                                                             \
    cur = behind;                                                                                  \
    goto emit_tag;                                                                                 \
  } while (0)

#define TAG_START(at) (P->token.start = (u32)((at)-P->base))
#define COMMENT(end)                                                                               \
  do {                                                                                             \
    P->token.data = FN(piece)(P, mark, (end));                                                     \
    goto emit_comment;                                                                             \
  } while (0)
#define DOCTYPE_BEGIN()                                                                            \
  do {                                                                                             \
    P->token.has_name = P->token.has_public = P->token.has_system = false;                         \
    P->token.force_quirks = false;                                                                 \
    P->token.doctype_name = P->token.public_id = P->token.system_id = (slice){0, 0, true};         \
  } while (0)
#define DOCTYPE_QUIRKS()                                                                           \
  do {                                                                                             \
    P->token.force_quirks = true;                                                                  \
    goto emit_doctype;                                                                             \
  } while (0)
#define DOCTYPE_EOF()                                                                              \
  do {                                                                                             \
    ERROR(eof_in_doctype, lim);                                                                    \
    DOCTYPE_QUIRKS();                                                                              \
  } while (0)

/* --- pieces ---
 * What the frame of the tokenizer uses on the usual path is inlined there (*_fast); the rules call
 * the same code out of line, which keeps the machine small and its compilation short. */

/* Appends the input from MARK to END, then DECODED, to the piece's copy in the string area, which
 * begins with the first character that has to change. */
static NOINLINE void FN(append_decoded)(struct parser *P, const byte *mark, const byte *end,
                                        const byte *decoded, u32 length) {
  lanner_document *d = P->document;
  size_t raw = (size_t)(end - mark);
  if (!P->accumulating) {
    P->accumulating = P->slow = true;
    P->accumulated = d->strings_length;
    P->accumulated_from = (u32)(mark - P->base);
  } else if (UNLIKELY(P->accumulating_here) && !piece_to_strings(P)) {
    return;
  }
  if (UNLIKELY(!store_reserve_strings(d, (u32)raw + length))) {
    P->stop = (uint8_t)d->status;
    return;
  }
  byte *to = d->strings + d->strings_length;
  if (LIKELY(raw <= 16)) {
    /* Both sides have room to spare. */
    memcpy(to, mark, 16);
  } else {
    memcpy(to, mark, raw);
  }
  memcpy(to + raw, decoded, length);
  d->strings_length += (u32)raw + length;
}

/* The end of a piece that is not a plain slice of the document's text. */
static NOINLINE HOT slice FN(piece_slow)(struct parser *P, const byte *start, const byte *end) {
  lanner_document *d = P->document;
  slice s;
  if (P->accumulating_here) {
    piece_moved_up(P, start, end);
    P->accumulating = P->accumulating_here = P->slow = false;
    return (slice){P->accumulated, P->accumulated_length, false};
  }
  if (!P->accumulating) P->accumulated = d->strings_length;
  if (store_reserve_strings(d, (u32)(end - start))) {
    store_put(d, start, (u32)(end - start));
  } else {
    P->stop = (uint8_t)d->status;
  }
  s.offset = P->accumulated;
  s.length = d->strings_length - s.offset;
  s.string = true;
  P->accumulating = false;
  P->slow = P->foreign_segment;
  return s;
}

INLINE slice FN(piece)(struct parser *P, const byte *start, const byte *end) {
  if (UNLIKELY(P->slow)) return FN(piece_slow)(P, start, end);
  return (slice){(u32)(start - P->base), (u32)(end - start), false};
}

/* A piece of which nothing is wanted. */
static void FN(drop_accumulated)(struct parser *P) {
  if (!P->accumulating) return;
  if (!P->accumulating_here) P->document->strings_length = P->accumulated;
  P->accumulating = P->accumulating_here = false;
  P->slow = P->foreign_segment;
}

static NOINLINE HOT void FN(flush_text)(struct parser *P, const byte *mark, const byte *end) {
  const byte *start = mark;
  if (P->accumulating) start = P->base + P->accumulated_from;
  P->moved = P->accumulating_here;
  slice s = FN(piece)(P, mark, end);
  if (s.length != 0) SINK_CHARACTERS(P, s, start, end);
  P->moved = false;
  P->text_end = (u32)(end - P->base);
}
/* Not empty, unless a part was decoded. */
INLINE void FN(flush_text_fast)(struct parser *P, const byte *mark, const byte *end) {
  if (UNLIKELY(P->slow)) {
    FN(flush_text)(P, mark, end);
  } else {
    slice s = {(u32)(mark - P->base), (u32)(end - mark), false};
    SINK_CHARACTERS(P, s, mark, end);
  }
}

/* --- tags --- */
INLINE void FN(begin_tag)(struct parser *P, const byte *start, bool is_end_tag) {
  P->token.start = (u32)(start - P->base);
  P->token.attribute_first = P->document->attribute_count;
  P->token.self_closing = false;
  P->token.duplicates = false;
  P->is_end_tag = is_end_tag;
  P->tag_serial++;
}

/* A name with U+0000 in it, capitals, or unknown. */
static NOINLINE u32 FN(name_slow)(struct parser *P, const byte *start, const byte *end,
                                  bool is_attribute) {
  u32 id;
  if (P->accumulating) {
    slice s = FN(piece_slow)(P, start, end);
    /* The copy is read from where it lies while the lowercased one is made behind it. */
    lanner_document *d = P->document;
    u32 before = d->strings_length;
    id = store_reserve_strings(d, s.length + 32)
             ? name_slow(d, d->strings + s.offset, s.length, is_attribute)
             : 0;
    if (d->strings_length == before) d->strings_length = s.offset;
  } else {
    id = name_slow(P->document, start, (size_t)(end - start), is_attribute);
  }
  if (!id) {
    P->stop = (uint8_t)P->document->status;
    id = is_attribute ? ATTR_CLASS : TAG_SPAN; /* the parse ends behind this token */
  }
  return id;
}

/* The number of the name from START to END, in which nothing was decoded. */
INLINE u32 FN(usual_name)(struct parser *P, const byte *start, const byte *end, bool is_attribute) {
  size_t length = (size_t)(end - start);
  u32 id = is_attribute ? known_attribute(start, length) : known_tag(start, length);
  return LIKELY(id) ? id : FN(name_slow)(P, start, end, is_attribute);
}

/* The name of a tag whose letter is at START; U+0000 was in it if a part of it was copied. */
INLINE void FN(plain_tag_name)(struct parser *P, const byte *start, const byte *end) {
  P->token.name = FN(usual_name)(P, start, end, false);
}
static NOINLINE void FN(end_tag_name)(struct parser *P, const byte *start, const byte *end) {
  if (LIKELY(!P->accumulating))
    FN(plain_tag_name)(P, start, end);
  else
    P->token.name = FN(name_slow)(P, start, end, false);
}

/* The place behind the appropriate end tag at P, when it is as most are; NULL: the rules find out. The
 * states of such a name take letters only, so that h1 to h6 have none. */
INLINE const byte *FN(raw_text_end)(const struct parser *P, const byte *p) {
  u32 name = P->last_start_tag;
  if (p[0] != '<' || p[1] != '/' || !byte_is_letter(p[2]) || name >= ELEMENT_NAMES) return NULL;
  if (UNLIKELY(name >= TAG_H1 && name <= TAG_H6)) return NULL;
  return end_tag_named(p, name);
}

/* "Appropriate end tag token": mark at "<", the name complete at END. Begins the tag if it is one. */
static bool FN(appropriate_end_tag)(struct parser *P, const byte *mark, const byte *end) {
  lanner_string last = store_name(P->document, P->last_start_tag);
  const byte *name = mark + 2;
  if (!P->last_start_tag || last.length != (size_t)(end - name)) return false;
  for (size_t i = 0; i < last.length; i++)
    if (byte_lower(name[i]) != (byte)last.data[i]) return false;
  FN(begin_tag)(P, mark, true);
  P->token.name = P->last_start_tag;
  return true;
}

/* --- attributes --- */

/* The place of the number of the last tag that had the attribute ID. */
INLINE u32 *FN(last_seen)(struct parser *P, u32 id) {
  return LIKELY(id < KNOWN_NAMES) ? &P->seen[id - ELEMENT_NAMES]
                                  : &P->document->names[id - KNOWN_NAMES].seen;
}
/* The row behind the last one was filled for the attribute ID, whose name ends at END: it counts
 * unless the tag has the attribute already. */
INLINE void FN(count_new_attribute)(struct parser *P, u32 id, const byte *end) {
  u32 *seen = FN(last_seen)(P, id);
  (void)end;
  if (UNLIKELY(*seen == P->tag_serial)) {
    P->token.duplicates = true;
    ERROR(duplicate_attribute, end);
    return;
  }
  *seen = P->tag_serial;
  count_attribute(P, P->document, P->document->attribute_count);
}

#if !defined(SINK_ATTRIBUTE)
#define SINK_ATTRIBUTE(P, id, value, length) ((void)0)
#define SINK_ATTRIBUTE_VALUE(P, s) ((void)0)
#endif

/* The usual attribute as a whole, in the text at BASE: nothing in it was decoded. */
INLINE void FN(add_attribute)(struct parser *P, const byte *base, u32 id, const byte *name,
                              const byte *name_end, const byte *value, const byte *end) {
  lanner_document *d = P->document;
  attribute *a = &d->attributes[d->attribute_count];
  a->name = id;
  a->source = (u32)(name - base);
  a->value = (u32)(value - base);
  a->length = (u32)(end - value);
  SINK_ATTRIBUTE(P, id, value, a->length);
  FN(count_new_attribute)(P, id, name_end);
}

/* The attribute's row is begun with an empty value. A duplicate's row is written behind the last one
 * and not counted. */
static NOINLINE void FN(begin_attribute)(struct parser *P, u32 id, u32 source,
                                         const byte *name_end) {
  lanner_document *d = P->document;
  P->attribute = d->attribute_count;
  d->attributes[P->attribute] = (attribute){id, P->foreign_segment ? NO_SOURCE : source, 0, 0};
  SINK_ATTRIBUTE(P, id, P->base, 0);
  FN(count_new_attribute)(P, id, name_end);
}

/* The name is complete. */
static NOINLINE void FN(end_attribute_name)(struct parser *P, const byte *start, const byte *end) {
  /* In this order: what was copied is forgotten with the name. */
  u32 source = P->accumulating ? P->accumulated_from : (u32)(start - P->base);
  u32 id = LIKELY(!P->accumulating) ? FN(usual_name)(P, start, end, true)
                                    : FN(name_slow)(P, start, end, true);
  FN(begin_attribute)(P, id, source, end);
}

static NOINLINE void FN(end_attribute_value)(struct parser *P, const byte *start, const byte *end) {
  attribute *a = &P->document->attributes[P->attribute];
  slice s = FN(piece)(P, start, end);
  a->value = s.offset;
  a->length = s.length;
  if (s.string) a->name |= ATTRIBUTE_STRING;
  SINK_ATTRIBUTE_VALUE(P, s);
}

/* --- the rest --- */
static NOINLINE void FN(doctype_name)(struct parser *P, const byte *start, const byte *end) {
  slice s = FN(piece)(P, start, end);
  lanner_document *d = P->document;
  const byte *name = slice_bytes(d, s.offset, s.string);
  bool html = s.length == 4 && is_html(name), capitals = false;
  if (LIKELY(html))
    capitals = memcmp(name, "html", 4) != 0;
  else
    for (u32 i = 0; i < s.length; i++) capitals |= name[i] != byte_lower(name[i]);
  if (capitals) {
    if (!store_reserve_strings(d, s.length)) {
      P->stop = (uint8_t)d->status;
    } else {
      byte *lower = d->strings + d->strings_length;
      name = slice_bytes(d, s.offset, s.string);
      if (LIKELY(html))
        memcpy(lower, "html", 4);
      else
        for (u32 i = 0; i < s.length; i++) lower[i] = byte_lower(name[i]);
      s.offset = d->strings_length;
      s.string = true;
      d->strings_length += s.length;
    }
  }
  P->token.doctype_name = s;
  P->token.has_name = true;
}

/* The DOCTYPE at AT, with is_html_doctype, if nothing follows the name, or a public identifier, or two identifiers,
 * in double quotes: what is behind it. Else AT: the rules find out. */
static NOINLINE const byte *FN(usual_doctype)(struct parser *P, const byte *at) {
  struct token *t = &P->token;
  const byte *name = at + 10, *name_end = name + 4, *end = name_end;
  const byte *id = NULL, *id_end = NULL, *system = NULL, *system_end = NULL;
  if (*end != '>') {
    if (!is_public_keyword(end)) return at;
    id = end + 9;
    id_end = skip_double_id(id);
    if (*id_end != '"') return at;
    end = id_end + 1;
    if (is_html_space(*end)) {
      do end++;
      while (is_html_space(*end));
      if (*end == '"') {
        system = end + 1;
        system_end = skip_double_id(system);
        if (*system_end != '"') return at;
        end = system_end + 1;
      }
    }
    if (*end != '>') return at;
  }
  TAG_START(at);
  DOCTYPE_BEGIN();
  FN(doctype_name)(P, name, name_end);
  if (id) {
    t->public_id = FN(piece)(P, id, id_end);
    t->has_public = true;
  }
  if (system) {
    t->system_id = FN(piece)(P, system, system_end);
    t->has_system = true;
  }
  return end + 1;
}

static COLD void FN(processing_instruction_target)(struct parser *P, const byte *start,
                                                   const byte *end) {
  P->token.name = store_intern(P->document, start, (size_t)(end - start));
  if (!P->token.name) {
    P->stop = (uint8_t)P->document->status;
    P->token.name = TAG_SPAN;
  }
}

#include "labels.inc"
