/* parse.c - parsing into a document: whole pages, fragments, pieces; limits on the input; a late
 * meta element that changes the encoding (13.2.3.4). Neighbours: source.h makes text of the bytes,
 * the instances of the machine (lanner.c) make a tree of the text.
 */
#include "tokenizer/source.h"
#include "tokenizer/words.h"

static enum run_result tokenizer_run_document(struct parser *P);
static enum run_result tokenizer_run_document_checked(struct parser *P);
static enum run_result tokenizer_run_table(struct parser *P);
static void tree_begin_document(struct parser *P, const lanner_context *context);
static void tree_begin_document_checked(struct parser *P, const lanner_context *context);
static void tree_begin_table(struct parser *P, const lanner_context *context);
static void tree_eof_document(struct parser *P);
static void tree_eof_document_checked(struct parser *P);
static void tree_eof_table(struct parser *P);
static int document_error(struct parser *P, const lanner_error *error);

/* --- which instance of the machine and the tree builder it is --- */
static void instance_begin(struct parser *P, const lanner_context *context) {
  if (P->document->table)
    tree_begin_table(P, context);
  else if (P->flags & LANNER_ERRORS)
    tree_begin_document_checked(P, context);
  else
    tree_begin_document(P, context);
}
static void instance_eof(struct parser *P) {
  if (P->document->table) {
    tree_eof_table(P);
    table_tell_errors(P->document, UINT64_MAX);
  } else if (P->flags & LANNER_ERRORS) {
    tree_eof_document_checked(P);
  } else {
    tree_eof_document(P);
  }
}
static enum run_result instance_run(struct parser *P) {
  if (P->document->table) {
    P->pause = 0;
    return tokenizer_run_table(P);
  }
  if (P->flags & LANNER_ERRORS) return tokenizer_run_document_checked(P);
  return tokenizer_run_document(P);
}

static void parser_init(struct parser *P, lanner_document *d) {
  clear(P, offsetof(struct parser, seen));
  clear(P->seen, sizeof P->seen);
  P->document = d;
  P->on_error = document_error;
  d->parser = P;
}

/* Gives back what the parser holds besides itself; it gets it again when it needs it. */
static void parser_release(struct parser *P) {
  struct heap *h = &P->document->heap;
  struct source *s = &P->source;
  tree_release(P);
  heap_release(h, s->raw, s->raw_capacity);
  heap_release(h, s->kept, s->kept_capacity);
  heap_release(h, s->marks.data, s->marks.capacity);
  s->raw = s->kept = s->marks.data = NULL;
  s->raw_capacity = s->kept_capacity = s->marks.capacity = s->marks.length = 0;
  for (u32 i = 0; i < KEPT_PIECES; i++) {
    struct kept_piece *kept = s->kept_pieces[i];
    if (kept) heap_release(h, kept, sizeof *kept + kept->capacity);
    s->kept_pieces[i] = NULL;
  }
}

static bool error_is_before(const lanner_error *a, const lanner_error *b) {
  if (a->offset != b->offset) return a->offset < b->offset;
  return a->code <= LAST_STANDARD_ERROR && b->code > LAST_STANDARD_ERROR;
}

static int document_error(struct parser *P, const lanner_error *error) {
  lanner_document *d = P->document;
  /* Errors of tree construction about characters come when the run is handed on, after the
   * tokenizer's inside of it: at their place, so that it does not matter how the input was cut. Only
   * errors of this run are passed by. */
  bool placed = P->tree && P->tree->run_end;
  d->error_total++;
  if (P->limits.errors && d->error_total > P->limits.errors) {
    lanner_error *last = d->error_count ? &d->errors[d->error_count - 1] : NULL;
    bool passes = placed && last && error_is_before(error, last);
    u32 dropped = passes ? last->offset : error->offset;
    if (!(d->limits_struck & LANNER_LIMIT_ERRORS) || dropped < d->limit_offset[3])
      d->limit_offset[3] = dropped;
    d->limits_struck |= LANNER_LIMIT_ERRORS;
    if (!passes) return 0;
    d->error_count--;
  }
  if (d->error_count == d->error_capacity) {
    void *rows = d->errors;
    if (!store_grow(d, &rows, sizeof *d->errors, d->error_count, &d->error_capacity, 1, 32)) {
      P->stop = (uint8_t)d->status;
      return 0;
    }
    d->errors = rows;
  }
  u32 i = d->error_count++;
  while (placed && i && error_is_before(error, &d->errors[i - 1])) {
    d->errors[i] = d->errors[i - 1];
    i--;
  }
  d->errors[i] = *error;
  return 0;
}

/* "In head", meta: an encoding that it declares while the confidence is tentative. */
static lanner_encoding declared_encoding(const struct parser *P) {
  const lanner_document *d = P->document;
  lanner_encoding from_content = LANNER_ENCODING_NONE;
  bool content_type = false;
  for (u32 i = 0; i < P->token.attribute_count; i++) {
    const attribute *a = &d->attributes[P->token.attribute_first + i];
    const byte *value = slice_bytes(d, a->value, (a->name & ATTRIBUTE_STRING) != 0);
    switch (attribute_name(a)) {
    case ATTR_CHARSET: {
      lanner_encoding e = lanner_encoding_for_label((const char *)value, a->length);
      if (e != LANNER_ENCODING_NONE) return e;
      break;
    }
    case ATTR_HTTP_EQUIV:
      content_type = a->length == 12 && same_letters(value, "content-type", 12);
      break;
    case ATTR_CONTENT:
      from_content = lanner_encoding_for_meta_content((const char *)value, a->length);
      break;
    default: break;
    }
  }
  return content_type ? from_content : LANNER_ENCODING_NONE;
}

static NOINLINE void meta_inserted(struct parser *P) {
  struct source *s = &P->source;
  lanner_encoding declared, result = LANNER_ENCODING_NONE;
  if (s->found.confidence != LANNER_CONFIDENCE_TENTATIVE || !table_may_start_over(P->document))
    return;
  declared = declared_encoding(P);
  if (declared == LANNER_ENCODING_NONE) return;
  if (lanner_change_encoding(s->found.encoding, declared, &result) == LANNER_CHANGE_KEEP) {
    s->found.confidence = LANNER_CONFIDENCE_CERTAIN;
    if (s->found.source == LANNER_SOURCE_DEFAULT || s->found.source == LANNER_SOURCE_GUESS)
      s->found.source = LANNER_SOURCE_LATE_META; /* it says what was assumed */
    return;
  }
  s->changed = result;
  P->stop = LANNER_STOPPED; /* seen by document_run */
}

/* A parse in pieces is inside of a tag: its attributes are being collected. */
static bool document_in_tag(const lanner_document *d) {
  const struct parser *P = d->parser;
  if (!P || d->phase != PARSE_FEEDING) return false;
  return P->state == STATE_tag_name ||
         (P->state >= STATE_before_attribute_name && P->state <= STATE_self_closing_start_tag) ||
         (P->state >= STATE_character_reference &&
          P->return_state >= STATE_attribute_value_double_quoted);
}

/* --- options --- */

void lanner_options_init(lanner_options *options) {
  memset(options, 0, sizeof *options);
  options->size = sizeof *options;
  options->limits.depth = LANNER_DEFAULT_DEPTH;
  options->limits.nodes = LANNER_DEFAULT_NODES;
  options->limits.attributes = LANNER_DEFAULT_ATTRIBUTES;
  options->limits.errors = LANNER_DEFAULT_ERRORS;
  options->limits.input = LANNER_DEFAULT_INPUT;
  options->limits.memory = LANNER_DEFAULT_MEMORY;
}

/* First sizes: what pages of this length need, so that arrays grow rarely; what a document's first page
 * does not need of it is given back (document_settle). Only an estimate: when memory or a limit does not
 * allow it, the parse begins with less. */
static void document_estimate(lanner_document *d, size_t length) {
  u32 n = length > UINT32_MAX ? UINT32_MAX : (u32)length;
  /* As many as most pages of 64 KB have, fewer for what is behind: larger ones are largely scripts. */
  u32 dense = n < 65536 ? n : 65536, usual = dense / 32 + (n - dense) / 64;
  u32 rows = usual + 64, attributes = usual / 8 * 5 + 16; /* a token wants 64 nodes */
  u32 struck = d->limits_struck;
  if (d->node_limit && rows > d->node_limit) rows = d->node_limit;
  if (d->heap.limit) {
    /* The text comes first, and half of what is left behind it is enough of an estimate. */
    u64 text = (u64)length + LANNER_PADDING, held = d->heap.held + text;
    u64 room = d->heap.limit > held ? (d->heap.limit - held) / 2 : 0;
    u64 wanted = rows * sizeof *d->nodes + attributes * sizeof *d->attributes;
    if (wanted > room) {
      rows = (u32)(rows * room / wanted);
      attributes = (u32)(attributes * room / wanted);
    }
  }
  if (d->node_capacity < rows && !d->table) store_reserve_nodes(d, rows - d->node_count);
  if (d->attribute_capacity < attributes) store_reserve_attributes(d, attributes);
  d->limits_struck = struck;
  d->status = LANNER_OK;
}

static lanner_status parser_begin(lanner_document *d, const lanner_context *context,
                                  const lanner_options *options, size_t length) {
  struct parser *P = d->parser;
  lanner_status status;
  if (!P) {
    P = heap_resize(&d->heap, NULL, 0, sizeof *P);
    if (!P) {
      store_failed(d);
      return d->status;
    }
    parser_init(P, d);
  }
  d->phase = PARSE_IDLE;
  P->flags = options->flags;
  P->records_errors = (options->flags & LANNER_ERRORS) != 0;
  P->limits = options->limits;
  P->state = STATE_data;
  P->signal = 0;
  P->last_start_tag = 0;
  P->skip_line_feed = false;
  P->attribute_limit = P->limits.attributes ? P->limits.attributes : UINT32_MAX;
  d->node_limit = P->limits.nodes;
  store_set_node_capacity(d);
  d->heap.limit = (size_t)P->limits.memory;
  status = source_begin(P, options->encoding, options->transport, options->fallback);
  if (status) return status;
  if (context)
    P->source.sniff.user = P->source.sniff.user ? P->source.sniff.user : LANNER_ENCODING_UTF_8;
  /* Room kept from a larger page must not strike this page's limit at once. */
  if (d->heap.limit && d->heap.held > d->heap.limit) lanner_document_trim(d);
  document_estimate(d, length);
  if (d->table) {
    table_reset(d->table);
  } else if (P->flags & LANNER_SPANS) {
    P->flags |= LANNER_ERRORS; /* spans are noted by the checked instance */
    if (!store_grow_spans(d, d->node_allocated)) return d->status;
  } else if (d->spans) {
    store_release_spans(d);
  }
  instance_begin(P, context);
  if (table_failed(d)) d->status = LANNER_STOPPED;
  return (lanner_status)P->stop;
}

/* Limits that struck in this run noted offsets of the text. */
static COLD void document_limits_of_input(lanner_document *d, u32 struck) {
  for (u32 i = 0; i < 5; i++)
    if (struck >> i & 1 && i != 3)
      d->limit_offset[i] = offset_of_limit(d->parser, d->limit_offset[i]);
}

/* The parse stopped at the text offset STOP: errors of what was read behind it, which is more or less
 * as the input was cut, are none of the document's. */
static COLD void document_forget_errors(lanner_document *d, u64 stop) {
  struct parser *P = d->parser;
  if (!P->records_errors || !P->base) return;
  const byte *at = P->base + stop;
  report_stream_errors(P, at < P->limit ? at + utf8_length(*at) : at);
  u64 place = offset_of_text(P, stop);
  u32 kept = 0;
  for (u32 i = 0; i < d->error_count; i++)
    if (d->errors[i].offset < place) d->errors[kept++] = d->errors[i];
  d->error_total -= d->error_count - kept;
  d->error_count = kept;
  if (d->limits_struck & LANNER_LIMIT_ERRORS && d->limit_offset[3] >= place) {
    d->limits_struck &= ~(u32)LANNER_LIMIT_ERRORS;
    d->error_total = kept;
  }
  P->cursor = at; /* that is where the input ends, for errors about its end */
}

/* A limit struck: what was built stays and gets its missing html, head and body. */
static COLD lanner_status document_limited(lanner_document *d) {
  struct parser *P = d->parser;
  /* A token begins when there are too many nodes; memory may run out anywhere. */
  if (d->limits_struck & LANNER_LIMIT_NODES)
    d->limit_offset[1] = !P->base                      ? 0
                         : P->stopped_at != UINT32_MAX ? P->stopped_at
                                                       : P->token.start;
  if (d->limits_struck & LANNER_LIMIT_MEMORY)
    d->limit_offset[4] = P->base ? (u64)(P->cursor - P->base) : 0;
  if (d->limits_struck & LANNER_LIMIT_NODES) document_forget_errors(d, d->limit_offset[1]);
  d->node_limit = 0;
  /* A limit on memory stays, but for what the smallest documents need. */
  if (d->heap.limit && d->heap.limit < 65536) d->heap.limit = 65536;
  store_set_node_capacity(d);
  P->signal = 0;
  d->status = LANNER_OK;
  instance_eof(P);
  return d->status = table_failed(d) ? LANNER_STOPPED : LANNER_ERROR_LIMIT;
}

/* The text could not be taken: the same. */
static lanner_status document_unread(lanner_document *d) {
  return d->status == LANNER_ERROR_LIMIT ? document_limited(d) : d->status;
}

/* Runs over what is here. */
static lanner_status document_run(lanner_document *d) {
  struct parser *P = d->parser;
  u32 struck = d->limits_struck;
  enum run_result result = instance_run(P);
  if (table_failed(d)) P->stop = LANNER_STOPPED;
  if (P->stop) result = RUN_STOPPED; /* also when it was the end of the file that was too much */
  lanner_status status =
      result == RUN_STOPPED && P->stop == LANNER_ERROR_LIMIT ? document_limited(d) : LANNER_OK;
  if (d->limits_struck != struck) document_limits_of_input(d, d->limits_struck & ~struck);
  if (d->table) table_tell_errors(d, UINT64_MAX);
  if (table_failed(d)) return d->status = LANNER_STOPPED;
  if (!status && result == RUN_MORE && !keep_piece_of_token(P)) {
    P->stop = (uint8_t)d->status;
    return document_unread(d);
  }
  if (status || result != RUN_STOPPED) return status;
  return d->status ? d->status : (lanner_status)P->stop;
}

/* A whole page in the document's own memory may be changed where it was read, unless places in it are
 * wanted. */
static void document_in_place(lanner_document *d) {
  struct parser *P = d->parser;
  P->in_place = P->base == d->own_text && P->base && !d->table &&
                !(P->flags & (LANNER_ERRORS | LANNER_SPANS | LANNER_RUN_SCRIPTS));
}

/* The bytes once more, from the first one, in the encoding that a meta element declared. */
static lanner_status document_restart(lanner_document *d, const lanner_context *context,
                                      const lanner_options *options, const byte *bytes,
                                      size_t length, bool whole) {
  struct parser *P = d->parser;
  lanner_encoding encoding = P->source.changed;
  lanner_status status;
  if (!table_start_over(d)) return d->status;
  document_clear(d);
  document_ready(d);
  status = parser_begin(d, context, options, length);
  if (status) return status;
  P->source.sniff.user = encoding;
  P->source.late = true;
  if (whole ? !source_whole(P, bytes, length) : !source_feed(P, bytes, length, false))
    return document_unread(d);
  if (whole) document_in_place(d);
  return document_run(d);
}

/* Whether the arguments make sense; asked before anything is changed. */
static bool parse_fits(const lanner_document *d, const lanner_context *context,
                       const lanner_options *options) {
  if (!d) return false;
  if (options && (options->size != sizeof *options || options->flags & ~KNOWN_FLAGS)) return false;
  return !context ||
         (context->name && context->name_length && (unsigned)context->name_space <= LANNER_MATHML);
}

static lanner_status parse_whole(lanner_document *d, const lanner_context *context,
                                 const void *bytes, size_t length, const lanner_options *given) {
  lanner_options options;
  lanner_status status;
  bool cut = false;
  if ((length && !bytes) || !parse_fits(d, context, given)) return LANNER_ERROR_ARGUMENT;
  input_expect(bytes, length);
  if (given)
    options = *given;
  else
    lanner_options_init(&options);
  if (!bytes) bytes = "";
  if (options.flags & LANNER_INPUT_PADDED && ((const byte *)bytes)[length])
    return LANNER_ERROR_ARGUMENT;
  document_clear(d);
  document_ready(d);
  if (length > LANNER_MAX_INPUT) return LANNER_ERROR_TOO_LARGE;
  if (options.limits.input && length > options.limits.input) {
    length = (size_t)options.limits.input;
    if (options.flags & LANNER_INPUT_CLEAN) length -= input_unfinished(bytes, length);
    options.flags &= ~(u32)LANNER_INPUT_PADDED; /* no sentinel stands there */
    cut = true;
  }
  status = parser_begin(d, context, &options, length);
  if (status) return status;
  if (!source_whole(d->parser, bytes, length)) return document_unread(d);
  document_in_place(d);
  status = document_run(d);
  if (status == LANNER_STOPPED && d->parser->source.changed)
    status = document_restart(d, context, &options, bytes, length, true);
  d->phase = PARSE_DONE;
  document_settle(d);
  d->parser->source.piece.bytes = NULL;
  if (cut && status == LANNER_OK) {
    d->limits_struck |= LANNER_LIMIT_INPUT;
    d->limit_offset[5] = options.limits.input;
    status = d->status = LANNER_ERROR_LIMIT;
  }
  return status;
}

lanner_status lanner_parse(lanner_document *document, const void *bytes, size_t length,
                           const lanner_options *options) {
  return parse_whole(document, NULL, bytes, length, options);
}

lanner_status lanner_parse_fragment(lanner_document *document, const lanner_context *context,
                                    const void *bytes, size_t length,
                                    const lanner_options *options) {
  if (!context) return LANNER_ERROR_ARGUMENT;
  return parse_whole(document, context, bytes, length, options);
}

/* --- pieces --- */

lanner_status lanner_parse_begin(lanner_document *d, const lanner_context *context,
                                 const lanner_options *given) {
  lanner_options options;
  lanner_status status;
  if (!parse_fits(d, context, given)) return LANNER_ERROR_ARGUMENT;
  if (given)
    options = *given;
  else
    lanner_options_init(&options);
  options.flags &= ~(u32)LANNER_INPUT_PADDED;
  document_clear(d);
  document_ready(d);
  status = parser_begin(d, context, &options, 0);
  if (status) return status;
  /* Labels were looked up; a restart needs no text of theirs. */
  d->options = options;
  d->options.encoding = d->options.transport = d->options.fallback = NULL;
  d->phase = PARSE_FEEDING;
  return LANNER_OK;
}

/* Keeps the bytes as they came as long as a meta element may still change the encoding. */
static bool keep_raw(lanner_document *d, const byte *bytes, size_t length) {
  struct source *s = &d->parser->source;
  if (s->clean || (s->sniffed && s->found.confidence != LANNER_CONFIDENCE_TENTATIVE)) return true;
  if (!table_may_start_over(d)) return true;
  size_t need = s->kept_length + length;
  if (need > s->kept_capacity) {
    size_t capacity = need + need / 2;
    byte *kept = heap_resize(&d->heap, s->kept, s->kept_capacity, capacity);
    if (!kept) {
      store_failed(d);
      return false;
    }
    s->kept = kept;
    s->kept_capacity = capacity;
  }
  if (length) memcpy(s->kept + s->kept_length, bytes, length);
  s->kept_length = need;
  return true;
}

/* Runs over what was fed; LAST: that is all. */
static lanner_status run_pieces(lanner_document *d, bool last) {
  struct parser *P = d->parser;
  struct source *s = &P->source;
  lanner_status status = document_run(d);
  if (status == LANNER_STOPPED && s->changed && table_start_over(d)) {
    /* All that came so far, once more; the kept bytes change hands for the while. */
    byte *kept = s->kept;
    size_t kept_length = s->kept_length, kept_capacity = s->kept_capacity;
    s->kept = NULL;
    s->kept_capacity = s->kept_length = 0;
    lanner_encoding changed = s->changed;
    u64 fed_bytes = d->fed;
    document_clear(d);
    document_ready(d);
    status = parser_begin(d, NULL, &d->options, kept_length);
    d->fed = fed_bytes;
    d->phase = PARSE_FEEDING;
    if (!status) {
      s->sniff.user = changed;
      s->late = true;
      status = source_feed(P, kept, kept_length, last) ? document_run(d) : document_unread(d);
    }
    heap_release(&d->heap, kept, kept_capacity);
  }
  s->piece.bytes = NULL;
  if (status || (last && !table_pauses(d))) d->phase = PARSE_DONE;
  return status;
}
static lanner_status parse_piece(lanner_document *d, const byte *bytes, size_t length, bool last) {
  struct parser *P = d->parser;
  if (!keep_raw(d, bytes, length) || !source_feed(P, bytes, length, last)) {
    d->phase = PARSE_DONE;
    return document_unread(d);
  }
  if (P->base && !table_pauses(d)) return run_pieces(d, last);
  P->source.piece.bytes = NULL;
  return LANNER_OK;
}

lanner_status lanner_parse_feed(lanner_document *d, const void *bytes, size_t length) {
  bool cut = false;
  lanner_status status;
  u64 limit;
  if (!d || (length && !bytes)) return LANNER_ERROR_ARGUMENT;
  if (d->phase != PARSE_FEEDING) return d->status ? d->status : LANNER_ERROR_STATE;
  if (!length) return LANNER_OK;
  limit = d->parser->limits.input;
  if (limit && d->fed + length > limit) {
    length = (size_t)(limit - d->fed);
    cut = true;
  }
  if (d->fed + length > LANNER_MAX_INPUT) {
    d->phase = PARSE_DONE;
    return d->status = LANNER_ERROR_TOO_LARGE;
  }
  d->fed += length;
  status = parse_piece(d, bytes, length, cut);
  if (cut && status == LANNER_OK) {
    d->limits_struck |= LANNER_LIMIT_INPUT;
    d->limit_offset[5] = limit;
    if (table_pauses(d)) return LANNER_OK; /* it is told when the rest was parsed */
    d->phase = PARSE_DONE;
    status = d->status = LANNER_ERROR_LIMIT;
  }
  return status;
}

lanner_status lanner_parse_end(lanner_document *d) {
  lanner_status status;
  if (!d) return LANNER_ERROR_ARGUMENT;
  if (d->phase != PARSE_FEEDING) return d->status ? d->status : LANNER_ERROR_STATE;
  status = parse_piece(d, (const byte *)"", 0, true);
  if (!table_pauses(d)) {
    d->phase = PARSE_DONE;
    document_settle(d);
  }
  return status;
}

/* --- what the parse found out --- */

/* The input offset of a text offset. */
static u32 document_input_offset(const lanner_document *d, u32 offset) {
  const struct source *s = d->parser ? &d->parser->source : NULL;
  struct input_place hint = {0, 0, 0};
  if (!s) return offset;
  return s->mapped ? (u32)input_offset(&s->stream, d->text, 0, offset, &hint)
                   : offset + (u32)s->shift;
}

u32 lanner_document_limits(const lanner_document *document) {
  return document ? document->limits_struck : 0;
}

u64 lanner_document_limit_offset(const lanner_document *document, u32 limit) {
  u32 i = 0;
  if (!document || !limit || !(document->limits_struck & limit)) return 0;
  while (!(limit >> i & 1)) i++;
  return document->limit_offset[i];
}

static const lanner_sniff_result *document_sniffed(const lanner_document *d) {
  return d && d->parser && d->phase != PARSE_IDLE ? &d->parser->source.found : NULL;
}

const char *lanner_document_encoding(const lanner_document *document) {
  const lanner_sniff_result *found = document_sniffed(document);
  const char *name = found ? lanner_encoding_name(found->encoding) : NULL;
  return name ? name : "";
}

const char *lanner_document_encoding_source(const lanner_document *document) {
  static const char *const names[] = {"default", "bom", "user",      "transport", "utf-16-pattern",
                                      "meta",    "xml", "late-meta", "parent",    "guess"};
  const lanner_sniff_result *found = document_sniffed(document);
  return found ? names[found->source] : "";
}

const char *lanner_document_encoding_confidence(const lanner_document *document) {
  static const char *const names[] = {"tentative", "certain", "irrelevant"};
  const lanner_sniff_result *found = document_sniffed(document);
  return found ? names[found->confidence] : "";
}

const lanner_error *lanner_document_errors(const lanner_document *document, size_t *count) {
  if (count) *count = document ? document->error_count : 0;
  return document ? document->errors : NULL;
}

u64 lanner_document_error_total(const lanner_document *document) {
  return document ? document->error_total : 0;
}
