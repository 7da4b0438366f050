/* api.c - tokens without a tree: the lanner_tokenizer of lanner.h over the tokenizer's token
 * instances. A document serves as the store of attributes, names and decoded text; its text is a
 * window that slides. document.write is a stack of segments in front of the window.
 */
#include "tokenizer/feedback.h"
#include "tokenizer/source.h"

/* Inserted text, or what was being read when text was inserted in front of it. */
struct segment {
  byte *text; /* own memory, NULL: the window */
  size_t capacity;
  const byte *base, *cursor, *limit;
  bool foreign;
  bool cr; /* see lanner_tokenizer.inserted_cr */
};

enum { PHASE_IDLE, PHASE_FEEDING, PHASE_ENDED, PHASE_DONE };
enum { OUTSIDE, IN_TOKEN_HANDLER, IN_ERROR_HANDLER };

struct lanner_tokenizer {
  lanner_document store;
  struct parser parser;
  lanner_tokenizer_options options;
  struct feedback feedback;
  const lanner_token *token; /* the last one handed over: */
  lanner_token tag, text, other;
  lanner_attribute *attributes; /* the token's, as the public struct has them */
  u32 attribute_capacity;
  bool attributes_moved;    /* the last tag's: they have to be filled in again */
  bool plain;               /* there is a handler, and nobody wants to know places */
  struct segment *segments; /* below the current one, the window first */
  u32 segment_count, segment_capacity;
  byte *inserted; /* the current segment's memory, NULL: the window */
  size_t inserted_capacity;
  bool inserted_cr; /* the current segment ended in CR: a LF that follows belongs to it */
  byte *waiting;    /* inserted by a token handler: it is put in place when the machine has left */
  size_t waiting_length;
  bool window_final;
  bool has_token; /* pull: token waits to be taken */
  int inside;     /* OUTSIDE, IN_TOKEN_HANDLER (while the machine runs, too), IN_ERROR_HANDLER */
  int phase;
  u64 error_total;
  lanner_status status;
#if defined(SIMD_AHEAD)
  struct ahead ahead; /* the machine leaves after each token that is pulled: what it found stays */
#endif
};

/* The tokenizer that the parser is a part of. */
INLINE lanner_tokenizer *tokenizer_of(struct parser *P) {
  return (lanner_tokenizer *)(void *)((byte *)P - offsetof(lanner_tokenizer, parser));
}

static lanner_string token_string(const lanner_document *d, slice s) {
  return (lanner_string){(const char *)slice_bytes(d, s.offset, s.string), s.length};
}

static COLD bool token_grow_attributes(lanner_tokenizer *t, u32 count) {
  lanner_document *d = &t->store;
  u32 capacity = count + count / 2 + 8;
  void *rows = heap_resize(&d->heap, t->attributes, t->attribute_capacity * sizeof *t->attributes,
                           capacity * sizeof *t->attributes);
  if (!rows) {
    store_failed(d);
    t->parser.stop = (uint8_t)d->status;
    return false;
  }
  t->attributes = rows;
  t->attribute_capacity = capacity;
  return true;
}

/* Fills the public token's attributes. */
INLINE bool token_attributes(lanner_tokenizer *t) {
  const lanner_document *d = &t->store;
  const struct parser *P = &t->parser;
  u32 count = P->token.attribute_count;
  if (UNLIKELY(count > t->attribute_capacity) && !token_grow_attributes(t, count)) return false;
  const attribute *a = d->attributes + P->token.attribute_first;
  lanner_attribute *to = t->attributes;
  for (u32 i = 0; i < count; i++, a++, to++) {
    u32 name = attribute_name(a);
    to->name = LIKELY(name < KNOWN_NAMES) ? store_known_name(name) : store_name(d, name);
    to->value = (lanner_string){
        a->length ? (const char *)slice_bytes(d, a->value, (a->name & ATTRIBUTE_STRING) != 0) : "",
        a->length};
    to->name_space = LANNER_NO_NAMESPACE;
    to->name_id = name;
  }
  t->tag.attributes = t->attributes;
  return true;
}

/* An attribute is told to the public token when the tokenizer has it, so that a tag's attributes are
 * not gone through once more; what may lie elsewhere by the end of the tag is left to token_attributes. */
INLINE void token_tell_attribute(struct parser *P, u32 id, const byte *value, u32 length) {
  lanner_tokenizer *t = tokenizer_of(P);
  u32 index = t->store.attribute_count - P->token.attribute_first;
  if (UNLIKELY(index >= t->attribute_capacity) || UNLIKELY(id >= KNOWN_NAMES)) {
    t->attributes_moved = true;
    return;
  }
  lanner_attribute *to = &t->attributes[index];
  to->name = store_known_name(id);
  to->value = (lanner_string){(const char *)value, length};
  to->name_space = LANNER_NO_NAMESPACE;
  to->name_id = id;
}
INLINE void token_tell_value(struct parser *P, slice s) {
  lanner_tokenizer *t = tokenizer_of(P);
  u32 index = P->attribute - P->token.attribute_first;
  t->attributes_moved |= s.string;
  if (LIKELY(index < t->attribute_capacity))
    t->attributes[index].value =
        (lanner_string){(const char *)slice_bytes(&t->store, s.offset, s.string), s.length};
}

/* The token's place, when it is wanted: input that had to be changed needs a map for it. */
static COLD void token_place(lanner_tokenizer *t, lanner_token *token, const byte *start,
                             const byte *end) {
  struct parser *P = &t->parser;
  if (!(P->flags & LANNER_SPANS)) return;
  token->start = offset_of(P, start);
  token->end = offset_of(P, end);
}

/* Hands the token to the user: by callback, or by pausing for lanner_tokenizer_next. */
INLINE void token_deliver(lanner_tokenizer *t, lanner_token *token, const byte *start,
                          const byte *end) {
  struct parser *P = &t->parser;
  if (UNLIKELY(P->stop)) return; /* an error handler said so before the token was complete */
  t->token = token;
  if (UNLIKELY(!t->plain)) {
    token_place(t, token, start, end);
    if (!t->options.on_token) {
      t->has_token = true;
      P->pause = 1;
      return;
    }
  }
  if (UNLIKELY(t->options.on_token(t->options.context, t, token))) P->stop = LANNER_STOPPED;
}

/* For all tokens but tags and characters, which have structs of their own: what no token of a kind
 * fills in stays empty there. */
static lanner_token *token_begin(lanner_tokenizer *t, lanner_token_type type) {
  t->other = (lanner_token){.type = type};
  return &t->other;
}
static void token_end(lanner_tokenizer *t) {
  struct parser *P = &t->parser;
  token_deliver(t, &t->other, P->base + P->token.start, P->cursor);
}

INLINE void token_tag(struct parser *P, lanner_token_type type) {
  lanner_tokenizer *t = tokenizer_of(P);
  u32 name = P->token.name;
  t->tag.type = type;
  t->tag.name = LIKELY(name < KNOWN_NAMES) ? store_known_name(name) : store_name(&t->store, name);
  t->tag.name_id = name;
  t->tag.self_closing = P->token.self_closing;
  t->tag.attribute_count = P->token.attribute_count;
  t->tag.attributes = NULL;
  if (P->token.attribute_count) {
    if (UNLIKELY(t->attributes_moved)) {
      t->attributes_moved = false;
      if (!token_attributes(t)) return;
    } else {
      t->tag.attributes = t->attributes;
    }
  }
  token_deliver(t, &t->tag, P->base + P->token.start, P->cursor);
}

INLINE void token_start_tag(struct parser *P) {
  lanner_tokenizer *t = tokenizer_of(P);
  u32 name = P->token.name;
  if (name <= UINT8_MAX && !(element_category[name] & CATEGORY_VOID))
    P->awaited[P->awaited_count++ % sizeof P->awaited] = (byte)name;
  if (UNLIKELY(feedback_minds(&t->feedback, name)) &&
      t->options.feedback == LANNER_FEEDBACK_SIMULATED)
    feedback_start_tag(&t->feedback, P);
  token_tag(P, LANNER_TOKEN_START_TAG);
  t->store.attribute_count = P->token.attribute_first;
}

INLINE void token_end_tag(struct parser *P) {
  lanner_tokenizer *t = tokenizer_of(P);
  u32 name = P->token.name;
  if (P->awaited[(P->awaited_count - 1) % sizeof P->awaited] == name)
    P->awaited_count--;
  else if (P->awaited[(P->awaited_count - 2) % sizeof P->awaited] == name)
    P->awaited_count -= 2;
  if (UNLIKELY(t->feedback.depth != 0) && t->options.feedback == LANNER_FEEDBACK_SIMULATED)
    feedback_end_tag(&t->feedback, P);
  token_tag(P, LANNER_TOKEN_END_TAG);
}

/* The end tag at TAG, if it is the one that is likely to come next: its name need not be looked up.
 * Returns the place behind; NULL: another one. */
INLINE const byte *token_awaited_end_tag(struct parser *P, const byte *tag) {
  lanner_tokenizer *t = tokenizer_of(P);
  u32 name = P->awaited[(P->awaited_count - 1) % sizeof P->awaited];
  const byte *behind = end_tag_named(tag, name);
  if (UNLIKELY(!behind) || UNLIKELY(t->feedback.depth != 0)) return NULL;
  P->awaited_count--;
  P->token.start = (u32)(tag - P->base);
  P->cursor = behind;
  t->tag.type = LANNER_TOKEN_END_TAG;
  t->tag.name = store_known_name(name);
  t->tag.name_id = name;
  t->tag.self_closing = false;
  t->tag.attribute_count = 0;
  t->tag.attributes = NULL;
  token_deliver(t, &t->tag, tag, behind);
  return behind;
}

/* The slice in three numbers, see tree_characters. */
INLINE void token_characters(struct parser *P, u32 offset, u32 length, u32 string,
                             const byte *start, const byte *end) {
  lanner_tokenizer *t = tokenizer_of(P);
  /* What was not changed lies where it came from. */
  t->text.data = (lanner_string){
      (const char *)(string ? slice_bytes(&t->store, offset, string) : start), length};
  token_deliver(t, &t->text, start, end);
}

static void token_nulls(struct parser *P, u32 count) {
  lanner_tokenizer *t = tokenizer_of(P);
  const byte *end = P->cursor;
  t->text.data = (lanner_string){(const char *)(end - count), count};
  token_deliver(t, &t->text, end - count, end);
}

static void token_comment(struct parser *P) {
  lanner_tokenizer *t = tokenizer_of(P);
  lanner_token *token = token_begin(t, LANNER_TOKEN_COMMENT);
  token->data = token_string(&t->store, P->token.data);
  token_end(t);
}

static void token_pi(struct parser *P) {
  lanner_tokenizer *t = tokenizer_of(P);
  lanner_token *token = token_begin(t, LANNER_TOKEN_PROCESSING_INSTRUCTION);
  token->name = store_name(&t->store, P->token.name);
  token->name_id = P->token.name;
  token->data = token_string(&t->store, P->token.data);
  token_end(t);
}

static void token_doctype(struct parser *P) {
  lanner_tokenizer *t = tokenizer_of(P);
  lanner_token *token = token_begin(t, LANNER_TOKEN_DOCTYPE);
  token->has_name = P->token.has_name;
  token->force_quirks = P->token.force_quirks;
  if (P->token.has_name) token->name = token_string(&t->store, P->token.doctype_name);
  if (P->token.has_public) token->public_id = token_string(&t->store, P->token.public_id);
  if (P->token.has_system) token->system_id = token_string(&t->store, P->token.system_id);
  token_end(t);
}

static void token_eof(struct parser *P) {
  lanner_tokenizer *t = tokenizer_of(P);
  P->token.start = (u32)(P->cursor - P->base);
  token_begin(t, LANNER_TOKEN_EOF);
  token_end(t);
}

static bool token_cdata_allowed(struct parser *P) {
  lanner_tokenizer *t = tokenizer_of(P);
  return t->options.feedback == LANNER_FEEDBACK_SIMULATED ? feedback_cdata(&t->feedback)
                                                          : t->options.cdata_allowed;
}

static enum run_result tokenizer_run_tokens(struct parser *P);
#if defined(SIMD_AHEAD)
static enum run_result tokenizer_run_pulled(struct parser *P);
#else
#define tokenizer_run_pulled tokenizer_run_tokens
#endif
static enum run_result tokenizer_run_tokens_checked(struct parser *P);
static enum run_result tokenizer_run_exact(struct parser *P);
static void tree_begin_exact(struct parser *P, const lanner_context *context);

static int token_error(struct parser *P, const lanner_error *error) {
  lanner_tokenizer *t = tokenizer_of(P);
  t->error_total++;
  if (!t->options.on_error) return 0;
  /* The machine is in the middle of a token: nothing of it may change. */
  int outer = t->inside;
  t->inside = IN_ERROR_HANDLER;
  int answer = t->options.on_error(t->options.context, t, error);
  t->inside = outer;
  return answer;
}

/* --- segments (document.write) --- */

static void segment_leave(lanner_tokenizer *t) {
  heap_release(&t->store.heap, t->inserted, t->inserted_capacity);
  t->inserted = NULL;
  t->inserted_capacity = 0;
}

static void segment_use(lanner_tokenizer *t, byte *text, size_t capacity, size_t length) {
  struct parser *P = &t->parser;
  t->inserted = text;
  t->inserted_capacity = capacity;
  P->base = text;
  P->limit = text + length;
  P->ahead_kept = false;
  memset(text + length, 0, LANNER_PADDING);
}

/* Before the text from mark on is left for another place: what lies before is scanned for input
 * stream errors. Returns how far beyond mark it was scanned already. */
static size_t segment_scanned(struct parser *P) {
  if (!(P->flags & LANNER_ERRORS) || !P->base) return 0;
  if (P->scanned < P->mark) report_stream_errors(P, P->mark);
  return P->scanned < P->mark ? 0 : (size_t)(P->scanned - P->mark);
}

/* The segment before ended in CR: a LF of the input that comes next belongs to it. */
static void segment_join_newline(lanner_tokenizer *t, struct segment *s, bool window) {
  struct parser *P = &t->parser;
  if (!t->inserted_cr || s->cursor == s->limit) return;
  t->inserted_cr = false;
  if (*s->cursor != '\n') return;
  if (window && input_was_cr(&P->source.stream, P->window + (u64)(s->cursor - s->base))) return;
  s->cursor++;
}

/* The current segment is at its end. A piece that it leaves unfinished takes the next segment's
 * bytes to it, a few at a time; else the next segment is read where it lies. False: nothing left. */
static bool segment_next(lanner_tokenizer *t) {
  struct parser *P = &t->parser;
  struct segment *below;
  /* What follows mark is read again or gone on with; cursor may have been put back. */
  size_t unfinished = (size_t)(P->limit - P->mark), read = (size_t)(P->cursor - P->mark);
  if (!t->segment_count) return false;
  below = &t->segments[t->segment_count - 1];
  bool window = t->segment_count == 1;
  segment_join_newline(t, below, window);
  if (window) P->inserted_at = offset_of_text(P, P->window + (u64)(below->cursor - below->base));
  if (unfinished && below->cursor < below->limit) {
    size_t ahead = (size_t)(below->limit - below->cursor);
    size_t take = unfinished < 64 ? 64 : unfinished;
    if (take > ahead) take = ahead;
    size_t need = unfinished + take + LANNER_PADDING, mark = (size_t)(P->mark - P->base);
    size_t scanned = segment_scanned(P);
    byte *text = t->inserted;
    memmove(text, text + mark, unfinished);
    if (need > t->inserted_capacity) {
      text = heap_resize(&t->store.heap, text, t->inserted_capacity, need * 2);
      if (!text) {
        store_failed(&t->store);
        P->stop = (uint8_t)t->store.status;
        return false;
      }
      t->inserted_capacity = need * 2;
    }
    memcpy(text + unfinished, below->cursor, take);
    below->cursor += take;
    if (window) P->inserted_at = offset_of_text(P, P->window + (u64)(below->cursor - below->base));
    segment_use(t, text, t->inserted_capacity, unfinished + take);
    P->mark = text;
    P->scanned = text + scanned;
    P->cursor = text + read;
    return true;
  }
  if (unfinished && t->segment_count == 1 && !t->window_final) return false; /* wait for more */
  if (unfinished && t->segment_count > 1) {
    /* An empty segment between: drop it and look further down. */
    heap_release(&t->store.heap, below->text, below->capacity);
    t->inserted_cr |= below->cr;
    t->segment_count--;
    return segment_next(t);
  }
  if (unfinished) {
    P->final = true; /* the piece ends with the input */
    return true;
  }
  segment_scanned(P);
  segment_leave(t);
  t->inserted = below->text;
  t->inserted_capacity = below->capacity;
  P->base = below->base;
  P->cursor = P->mark = P->scanned = below->cursor;
  P->limit = below->limit;
  P->ahead_kept = false;
  P->foreign_segment = below->foreign;
  P->slow = P->foreign_segment || P->accumulating;
  t->inserted_cr |= below->cr;
  t->segment_count--;
  if (!t->segment_count) P->final = t->window_final;
  return true;
}

static void segment_forget_waiting(lanner_tokenizer *t) {
  heap_release(&t->store.heap, t->waiting, t->waiting_length);
  t->waiting = NULL;
  t->waiting_length = 0;
}

/* From inside a token handler: in front of what waits already. */
static lanner_status segment_wait(lanner_tokenizer *t, const byte *bytes, size_t length) {
  struct parser *P = &t->parser;
  size_t before = t->waiting_length;
  if (length > SIZE_MAX - before) return LANNER_ERROR_MEMORY;
  byte *text = heap_resize(&t->store.heap, t->waiting, before, before + length);
  if (!text) return LANNER_ERROR_MEMORY;
  memmove(text + length, text, before);
  memcpy(text, bytes, length);
  t->waiting = text;
  t->waiting_length = before + length;
  P->pause = 1;
  return LANNER_OK;
}

static lanner_status segment_insert(lanner_tokenizer *t, const byte *bytes, size_t length) {
  struct parser *P = &t->parser;
  struct heap *h = &t->store.heap;
  size_t unfinished = P->mark ? (size_t)(P->cursor - P->mark) : 0;
  size_t need = unfinished + length + LANNER_PADDING;
  if (t->segment_count == t->segment_capacity) {
    u32 capacity = t->segment_capacity * 2 + 4;
    void *rows = heap_resize(h, t->segments, t->segment_capacity * sizeof *t->segments,
                             capacity * sizeof *t->segments);
    if (!rows) return LANNER_ERROR_MEMORY;
    t->segments = rows;
    t->segment_capacity = capacity;
  }
  byte *text = heap_resize(h, NULL, 0, need);
  if (!text) return LANNER_ERROR_MEMORY;
  if (unfinished) memcpy(text, P->mark, unfinished);
  bool after_cr = false;
  size_t written = input_newlines(text + unfinished, bytes, length, &after_cr);
  struct segment *below = &t->segments[t->segment_count++];
  *below = (struct segment){t->inserted, t->inserted_capacity, P->base,       P->cursor,
                            P->limit,    P->foreign_segment,   t->inserted_cr};
  if (!P->foreign_segment) P->inserted_at = P->base ? offset_of(P, P->cursor) : 0;
  size_t scanned = segment_scanned(P);
  segment_use(t, text, need, unfinished + written);
  P->mark = text;
  P->scanned = text + scanned;
  P->cursor = text + unfinished;
  P->final = false;
  t->inserted_cr = after_cr;
  P->foreign_segment = P->slow = true;
  return LANNER_OK;
}

lanner_status lanner_tokenizer_insert(lanner_tokenizer *t, const void *bytes, size_t length) {
  if (!t || (length && !bytes)) return LANNER_ERROR_ARGUMENT;
  if (t->phase == PHASE_IDLE || t->phase == PHASE_DONE || t->inside == IN_ERROR_HANDLER ||
      (t->inside && t->token->type == LANNER_TOKEN_EOF))
    return LANNER_ERROR_STATE;
  if (!length) return LANNER_OK;
  return t->inside ? segment_wait(t, bytes, length) : segment_insert(t, bytes, length);
}

/* --- running --- */

/* Between two tokens: names and decoded text of earlier ones are not needed any more. */
static void token_store_slide(lanner_tokenizer *t) {
  lanner_document *d = &t->store;
  struct parser *P = &t->parser;
  /* Clearing the slots must not cost more than filling the strings did. */
  if (LIKELY(d->strings_length < 4096 + 4 * (u64)d->name_slot_count) ||
      t->options.feedback == LANNER_FEEDBACK_EXACT || P->accumulating ||
      P->state > STATE_plaintext || P->mark != P->cursor || P->last_start_tag >= KNOWN_NAMES)
    return;
  d->strings_length = 0;
  store_clear_names(d);
}

static lanner_status tokenizer_go(lanner_tokenizer *t) {
  struct parser *P = &t->parser;
  if (t->status) return t->status;
  while (t->phase != PHASE_DONE) {
    enum run_result result;
    if (!P->base) return LANNER_OK; /* nothing was fed yet */
    token_store_slide(t);
    t->attributes_moved = true; /* the text may have, since an unfinished tag's were told */
    P->pause = 0;
    t->inside = IN_TOKEN_HANDLER;
    if (t->options.feedback == LANNER_FEEDBACK_EXACT)
      result = tokenizer_run_exact(P);
    else if (P->flags & LANNER_ERRORS)
      result = tokenizer_run_tokens_checked(P);
    else
      result = t->options.on_token ? tokenizer_run_tokens(P) : tokenizer_run_pulled(P);
    t->inside = OUTSIDE;
    if (result == RUN_STOPPED) {
      t->status = (lanner_status)P->stop;
      return t->status;
    }
    if (t->waiting) {
      lanner_status status = segment_insert(t, t->waiting, t->waiting_length);
      segment_forget_waiting(t);
      if (status) return t->status = status;
      if (result == RUN_PAUSED) continue;
    }
    if (result == RUN_DONE) t->phase = PHASE_DONE;
    if (t->has_token) return LANNER_OK;
    if (result == RUN_MORE && !segment_next(t)) {
      if (P->stop) t->status = (lanner_status)P->stop;
      return t->status;
    }
  }
  return LANNER_OK;
}

/* States that a caller may ask for. */
static bool can_begin_in(lanner_tokenizer_state state) {
  switch (state) {
  case LANNER_STATE_DATA:
  case LANNER_STATE_RCDATA:
  case LANNER_STATE_RAWTEXT:
  case LANNER_STATE_SCRIPT_DATA:
  case LANNER_STATE_PLAINTEXT:
  case LANNER_STATE_CDATA_SECTION: return true;
  default: return false;
  }
}

void lanner_tokenizer_options_init(lanner_tokenizer_options *options) {
  memset(options, 0, sizeof *options);
  options->size = sizeof *options;
  options->state = LANNER_STATE_DATA;
}

lanner_tokenizer *lanner_tokenizer_new(const lanner_allocator *allocator) {
  struct heap heap;
  lanner_tokenizer *t;
  heap_init(&heap, allocator);
  t = heap.allocator.reallocate(heap.allocator.context, NULL, 0, sizeof *t);
  if (!t) return NULL;
  memset(t, 0, offsetof(lanner_tokenizer, status) + sizeof t->status); /* not the rows behind it */
  document_init(&t->store, allocator);
  t->store.heap.held = t->store.heap.peak = sizeof *t;
  t->parser.document = &t->store;
  t->parser.on_error = token_error;
  if (!document_ready(&t->store)) {
    lanner_tokenizer_free(t);
    return NULL;
  }
  return t;
}

void lanner_tokenizer_free(lanner_tokenizer *t) {
  if (!t) return;
  struct heap *h = &t->store.heap;
  while (t->segment_count) {
    struct segment *s = &t->segments[--t->segment_count];
    heap_release(h, s->text, s->capacity);
  }
  segment_leave(t);
  segment_forget_waiting(t);
  heap_release(h, t->segments, t->segment_capacity * sizeof *t->segments);
  heap_release(h, t->attributes, t->attribute_capacity * sizeof *t->attributes);
  parser_release(&t->parser);
  document_release(&t->store);
  struct heap heap = *h;
  heap.allocator.release(heap.allocator.context, t, sizeof *t);
}

lanner_status lanner_tokenizer_begin(lanner_tokenizer *t, const lanner_tokenizer_options *options) {
  struct parser *P;
  lanner_status status;
  lanner_tokenizer_options defaults;
  if (!options) {
    lanner_tokenizer_options_init(&defaults);
    options = &defaults;
  }
  if (!t || options->size != sizeof *options || options->flags & ~KNOWN_FLAGS ||
      (unsigned)options->feedback > LANNER_FEEDBACK_EXACT)
    return LANNER_ERROR_ARGUMENT;
  if (!can_begin_in(options->state)) return LANNER_ERROR_ARGUMENT;
  if (t->inside) return LANNER_ERROR_STATE;
  P = &t->parser;
  t->options = *options;
  while (t->segment_count) {
    struct segment *s = &t->segments[--t->segment_count];
    heap_release(&t->store.heap, s->text, s->capacity);
  }
  segment_leave(t);
  segment_forget_waiting(t);
  document_clear(&t->store);
  document_ready(&t->store);
  feedback_reset(&t->feedback);
  P->flags = t->options.flags;
  P->records_errors = (P->flags & LANNER_ERRORS) != 0;
  P->state = (u32)t->options.state;
  P->signal = 0;
  P->attribute_limit = UINT32_MAX;
  P->last_start_tag = 0;
  P->awaited_count = 0;
  memset(P->awaited, 0, sizeof P->awaited);
  t->error_total = 0;
  t->has_token = false;
  t->plain = t->options.on_token && !(P->flags & LANNER_SPANS);
  t->tag = t->other = (lanner_token){.type = LANNER_TOKEN_EOF};
  t->text = (lanner_token){.type = LANNER_TOKEN_CHARACTERS};
  t->token = &t->other;
  t->window_final = t->inserted_cr = false;
  t->status = LANNER_OK;
  t->phase = PHASE_IDLE;
  status = source_begin(P, t->options.encoding, t->options.transport, NULL);
  if (status) return status;
  if (t->options.last_start_tag && *t->options.last_start_tag) {
    const byte *name = (const byte *)t->options.last_start_tag;
    size_t length = strlen((const char *)name);
    byte padded[64] = {0}; /* name_words reads 16 bytes */
    memcpy(padded, name, length < 40 ? length : 40);
    u32 id = length < 40 ? known_tag_as_is(name_words(padded, length), padded, length) : 0;
    if (!id) id = name_slow(&t->store, length < 40 ? padded : name, length, false);
    if (!id) return t->store.status;
    P->last_start_tag = id;
  }
  t->phase = PHASE_FEEDING;
  if (t->options.feedback == LANNER_FEEDBACK_EXACT) {
    tree_begin_exact(P, NULL);
    t->status = (lanner_status)P->stop;
  }
  return t->status;
}

/* More bytes for the window, which may lie below inserted text. */
static lanner_status tokenizer_window(lanner_tokenizer *t, const void *bytes, size_t length,
                                      bool last) {
  struct parser *P = &t->parser;
  struct segment current = {0};
  const byte *mark = P->mark, *scanned = P->scanned;
  bool fed, below = t->segment_count != 0;
  if (below) {
    /* The window's pointers are in the lowest segment; change places for the moment. */
    struct segment *w = &t->segments[0];
    current = (struct segment){NULL, 0, P->base, P->cursor, P->limit, P->foreign_segment, false};
    P->base = w->base;
    P->cursor = P->mark = P->scanned = w->cursor;
    P->limit = w->limit;
  } else if (t->options.feedback != LANNER_FEEDBACK_EXACT && P->base) {
    segment_scanned(P);
    source_slide(P);
  }
  fed = source_feed(P, bytes, length, last);
  t->window_final = last;
  if (below) {
    struct segment *w = &t->segments[0];
    w->base = P->base;
    w->cursor = P->cursor;
    w->limit = P->limit;
    P->base = current.base;
    P->cursor = current.cursor;
    P->limit = current.limit;
    P->mark = mark;
    P->scanned = scanned;
    P->final = false;
  } else if (UNLIKELY(t->inserted_cr) && P->cursor == P->mark) {
    struct segment w = {NULL, 0, P->base, P->cursor, P->limit, false, false};
    segment_join_newline(t, &w, true);
    P->cursor = P->mark = w.cursor;
    if (P->scanned < P->mark) P->scanned = P->mark;
  }
  if (!fed) return t->status = t->store.status;
  return LANNER_OK;
}

lanner_status lanner_tokenizer_feed(lanner_tokenizer *t, const void *bytes, size_t length) {
  lanner_status status;
  if (!t || (length && !bytes)) return LANNER_ERROR_ARGUMENT;
  if (t->status) return t->status;
  if (t->phase != PHASE_FEEDING || t->inside) return LANNER_ERROR_STATE;
  if (length > LANNER_MAX_INPUT) return t->status = LANNER_ERROR_TOO_LARGE;
  status = tokenizer_window(t, bytes, length, false);
  if (status || !t->options.on_token) return status;
  return tokenizer_go(t);
}

lanner_status lanner_tokenizer_end(lanner_tokenizer *t) {
  lanner_status status;
  if (!t) return LANNER_ERROR_ARGUMENT;
  if (t->status) return t->status;
  if (t->phase != PHASE_FEEDING || t->inside) return LANNER_ERROR_STATE;
  t->phase = PHASE_ENDED;
  status = tokenizer_window(t, NULL, 0, true);
  if (status || !t->options.on_token) return status;
  return tokenizer_go(t);
}

lanner_status lanner_tokenize(lanner_tokenizer *t, const void *bytes, size_t length,
                              const lanner_tokenizer_options *options) {
  lanner_status status;
  if (!t || (length && !bytes)) return LANNER_ERROR_ARGUMENT;
  if (length > LANNER_MAX_INPUT) return LANNER_ERROR_TOO_LARGE;
  input_expect(bytes, length);
  if (options && options->flags & LANNER_INPUT_PADDED && bytes && ((const byte *)bytes)[length])
    return LANNER_ERROR_ARGUMENT;
  status = lanner_tokenizer_begin(t, options);
  if (status) return status;
  t->phase = PHASE_ENDED;
  t->window_final = true;
  if (!source_whole(&t->parser, bytes ? bytes : "", length)) return t->status = t->store.status;
  return t->options.on_token ? tokenizer_go(t) : LANNER_OK;
}

const lanner_token *lanner_tokenizer_next(lanner_tokenizer *t) {
  if (!t || t->options.on_token || t->phase == PHASE_IDLE || t->inside) return NULL;
  t->has_token = false;
  if (t->phase == PHASE_DONE || tokenizer_go(t) || !t->has_token) return NULL;
  return t->token;
}

lanner_status lanner_tokenizer_set_state(lanner_tokenizer *t, lanner_tokenizer_state state) {
  if (!t) return LANNER_ERROR_ARGUMENT;
  if (!can_begin_in(state)) return LANNER_ERROR_ARGUMENT;
  if (t->inside == IN_ERROR_HANDLER) return LANNER_ERROR_STATE;
  if (t->inside)
    t->parser.next_state = (uint16_t)state;
  else
    t->parser.state = (u32)state;
  return LANNER_OK;
}

void lanner_tokenizer_allow_cdata(lanner_tokenizer *t, bool allowed) {
  if (t) t->options.cdata_allowed = allowed;
}

lanner_status lanner_tokenizer_status(const lanner_tokenizer *t) {
  return t ? t->status : LANNER_ERROR_ARGUMENT;
}

bool lanner_tokenizer_approximate(const lanner_tokenizer *t) {
  return t && t->feedback.approximate;
}

u64 lanner_tokenizer_error_total(const lanner_tokenizer *t) { return t ? t->error_total : 0; }

lanner_memory lanner_tokenizer_memory(const lanner_tokenizer *t) {
  lanner_memory m = {0, 0, 0, 0};
  return t ? lanner_document_memory(&t->store) : m;
}
