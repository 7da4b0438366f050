/* record.c - see support.h: tokens, errors and trees as text, so that one comparison of strings
 * compares everything. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- tokens --- */

void recorder_clear(struct recorder *recorder) {
  bytes_clear(&recorder->tokens);
  bytes_clear(&recorder->errors);
  bytes_clear(&recorder->spans);
  bytes_clear(&recorder->offsets);
  bytes_clear(&recorder->run);
  recorder->in_run = recorder->spans_disorder = false;
  recorder->ends = 0;
  recorder->last_end = 0;
}

void recorder_free(struct recorder *recorder) {
  bytes_free(&recorder->tokens);
  bytes_free(&recorder->errors);
  bytes_free(&recorder->spans);
  bytes_free(&recorder->offsets);
  bytes_free(&recorder->run);
}

static void add_span(struct recorder *recorder, lanner_token_type type, uint64_t start,
                     uint64_t end) {
  bytes_add_format(&recorder->spans, SPAN_FORMAT, (int)type, (unsigned long long)start,
                   (unsigned long long)end);
}

bool has_span(const struct recorder *recorder, lanner_token_type type, uint64_t start,
              uint64_t end) {
  size_t low = 0, high = recorder->spans.length / SPAN_LENGTH;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const char *line = recorder->spans.data + middle * SPAN_LENGTH;
    uint64_t at = strtoull(line + 2, NULL, 10);
    if (at == start) {
      char want[SPAN_LENGTH + 1];
      snprintf(want, sizeof want, SPAN_FORMAT, (int)type, (unsigned long long)start,
               (unsigned long long)end);
      return memcmp(line, want, SPAN_LENGTH) == 0;
    }
    if (at < start)
      low = middle + 1;
    else
      high = middle;
  }
  return false;
}

void record_finish(struct recorder *recorder) {
  if (!recorder->in_run) return;
  recorder->in_run = false;
  bytes_add_text(&recorder->tokens, "Character ");
  bytes_add_quoted(&recorder->tokens, recorder->run.data, recorder->run.length);
  bytes_add_text(&recorder->tokens, "\n");
  add_span(recorder, LANNER_TOKEN_CHARACTERS, recorder->run_start, recorder->run_end);
  bytes_clear(&recorder->run);
}

static void add_optional(struct bytes *into, bool there, lanner_string text) {
  bytes_add_text(into, " ");
  if (there)
    bytes_add_quoted(into, text.data, text.length);
  else
    bytes_add_text(into, "null");
}

void record_token(struct recorder *recorder, const lanner_token *token) {
  if (token->start < recorder->last_end || token->end < token->start)
    recorder->spans_disorder = true;
  recorder->last_end = token->end;
  if (token->type == LANNER_TOKEN_CHARACTERS) {
    if (token->data.length == 0) return;
    if (!recorder->in_run) recorder->run_start = token->start;
    recorder->run_end = token->end;
    recorder->in_run = true;
    bytes_add(&recorder->run, token->data.data, token->data.length);
    return;
  }
  record_finish(recorder);
  struct bytes *out = &recorder->tokens;
  switch (token->type) {
  case LANNER_TOKEN_DOCTYPE:
    bytes_add_text(out, "DOCTYPE");
    add_optional(out, token->has_name, token->name);
    add_optional(out, token->public_id.data != NULL, token->public_id);
    add_optional(out, token->system_id.data != NULL, token->system_id);
    bytes_add_text(out, token->force_quirks ? " quirks" : " correct");
    break;
  case LANNER_TOKEN_START_TAG:
  case LANNER_TOKEN_END_TAG:
    bytes_add_text(out, token->type == LANNER_TOKEN_START_TAG ? "StartTag" : "EndTag");
    add_optional(out, true, token->name);
    if (token->type == LANNER_TOKEN_END_TAG) break; /* the Standard gives them no meaning */
    for (uint32_t i = 0; i < token->attribute_count; i++) {
      add_optional(out, true, token->attributes[i].name);
      bytes_add_text(out, token->attributes[i].value.data != NULL ? "=" : "=NULL ");
      bytes_add_quoted(out, token->attributes[i].value.data, token->attributes[i].value.length);
    }
    if (token->self_closing) bytes_add_text(out, " /");
    break;
  case LANNER_TOKEN_COMMENT:
    bytes_add_text(out, "Comment");
    add_optional(out, true, token->data);
    break;
  case LANNER_TOKEN_PROCESSING_INSTRUCTION:
    bytes_add_text(out, "ProcessingInstruction");
    add_optional(out, true, token->name);
    add_optional(out, true, token->data);
    break;
  case LANNER_TOKEN_EOF:
    bytes_add_text(out, "EOF");
    recorder->ends++;
    break;
  default: bytes_add_format(out, "token of unknown type %d", (int)token->type);
  }
  bytes_add_text(out, "\n");
  add_span(recorder, token->type, token->start, token->end);
}

void record_error(struct recorder *recorder, const lanner_error *error) {
  bytes_add_format(&recorder->errors, "%u:%u %s\n", (unsigned)error->line, (unsigned)error->column,
                   lanner_error_name(error->code));
  bytes_add_format(&recorder->offsets, "%u\n", (unsigned)error->offset);
}

static int on_token(void *context, lanner_tokenizer *tokenizer, const lanner_token *token) {
  (void)tokenizer;
  record_token(context, token);
  return LANNER_CONTINUE;
}

static int on_error(void *context, lanner_tokenizer *tokenizer, const lanner_error *error) {
  (void)tokenizer;
  record_error(context, error);
  return LANNER_CONTINUE;
}

void token_run_init(struct token_run *run, uint32_t flags, lanner_feedback feedback) {
  memset(run, 0, sizeof *run);
  lanner_tokenizer_options_init(&run->options);
  run->options.flags = flags | LANNER_SPANS;
  run->options.feedback = feedback;
  run->options.encoding = "UTF-8";
}

/* What stands behind the first segment: nothing of it may be read as input. */
static const char junk[65] = "<!--&amp;\"'>--!><x y=z>]]>&#0;</script></title> 123 abcdefghijkl<";

/* A block of its own for each piece, so that sanitizers see reads outside of it; overwritten and
 * freed afterwards, so that nothing of it can be used later. Large inputs are fed where they lie:
 * a million blocks would take longer than the parse. */
enum { LARGE_INPUT = 100000 };

char *take_piece(const char *data, size_t length, size_t whole) {
  if (whole > LARGE_INPUT) return (char *)(uintptr_t)data;
  char *piece = malloc(length);
  if (!piece) abort();
  memcpy(piece, data, length);
  return piece;
}

void drop_piece(char *piece, size_t length, size_t whole) {
  if (whole > LARGE_INPUT) return;
  memset(piece, '<', length);
  free(piece);
}

static void pull(lanner_tokenizer *tokenizer, struct recorder *recorder) {
  const lanner_token *token;
  while (recorder->ends == 0 && (token = lanner_tokenizer_next(tokenizer)) != NULL)
    record_token(recorder, token);
}

bool run_tokens(lanner_tokenizer *tokenizer, const struct token_run *run, const char *data,
                size_t length, struct recorder *recorder, const char *what) {
  lanner_tokenizer_options options = run->options;
  lanner_status status;
  recorder_clear(recorder);
  options.on_token = run->way == PUSH ? on_token : NULL;
  options.on_error = options.flags & LANNER_ERRORS ? on_error : NULL;
  options.context = recorder;
  if (run->way == PUSH && run->plan.kind == WHOLE) {
    status = lanner_tokenize(tokenizer, data, length, &options);
    if (!TEST_CHECK_MSG(status == LANNER_OK, "%s: %s", what, lanner_status_text(status)))
      return false;
  } else if (run->way == SEGMENTS) {
    /* The second part is fed, the first is put in front of it, out of a buffer where foreign
     * bytes follow. Decoding takes a byte order mark off what is fed only. */
    size_t cut = run->plan.at;
    struct bytes second = {0};
    char *first = malloc(cut + 64);
    if (!first) abort();
    memcpy(first, data, cut);
    memcpy(first + cut, junk, 64);
    add_decoded_input(&second, data + cut, length - cut);
    status = lanner_tokenizer_begin(tokenizer, &options);
    if (status == LANNER_OK) status = lanner_tokenizer_feed(tokenizer, second.data, second.length);
    if (status == LANNER_OK) status = lanner_tokenizer_insert(tokenizer, first, cut);
    memset(first, '<', cut + 64);
    free(first);
    bytes_free(&second);
    if (status == LANNER_OK) status = lanner_tokenizer_end(tokenizer);
    if (!TEST_CHECK_MSG(status == LANNER_OK, "%s: %s", what, lanner_status_text(status)))
      return false;
    pull(tokenizer, recorder);
  } else {
    status = lanner_tokenizer_begin(tokenizer, &options);
    for (size_t done = 0, end; done < length && status == LANNER_OK; done = end) {
      end = plan_next(&run->plan, done, length);
      char *piece = take_piece(data + done, end - done, length);
      status = lanner_tokenizer_feed(tokenizer, piece, end - done);
      drop_piece(piece, end - done, length);
      if (run->way == PULL) pull(tokenizer, recorder);
    }
    if (status == LANNER_OK) status = lanner_tokenizer_end(tokenizer);
    if (!TEST_CHECK_MSG(status == LANNER_OK, "%s: %s", what, lanner_status_text(status)))
      return false;
    if (run->way == PULL) pull(tokenizer, recorder);
  }
  record_finish(recorder);
  return TEST_CHECK_MSG(recorder->ends == 1, "%s: %zu end-of-file tokens", what, recorder->ends);
}

/* --- trees --- */

void tree_run_init(struct tree_run *run, uint32_t flags) {
  memset(run, 0, sizeof *run);
  lanner_options_init(&run->options);
  run->options.flags = flags;
  run->options.encoding = "UTF-8";
}

bool run_tree(lanner_document *document, const struct tree_run *run, const char *data,
              size_t length, lanner_status expected, const char *what) {
  lanner_status status;
  if (run->plan.kind == WHOLE) {
    if (run->context)
      status = lanner_parse_fragment(document, run->context, data, length, &run->options);
    else
      status = lanner_parse(document, data, length, &run->options);
  } else {
    status = lanner_parse_begin(document, run->context, &run->options);
    for (size_t done = 0, end; done < length && status == LANNER_OK; done = end) {
      end = plan_next(&run->plan, done, length);
      char *piece = take_piece(data + done, end - done, length);
      status = lanner_parse_feed(document, piece, end - done);
      drop_piece(piece, end - done, length);
    }
    if (status == LANNER_OK) status = lanner_parse_end(document);
  }
  return TEST_CHECK_MSG(status == expected, "%s: %s, expected %s", what, lanner_status_text(status),
                        lanner_status_text(expected));
}

static lanner_node tree_root(const lanner_document *document) {
  lanner_node root = lanner_fragment_root(document);
  return root ? root : LANNER_DOCUMENT_NODE;
}

void tree_text(const lanner_document *document, struct bytes *into) {
  bytes_clear(into);
  lanner_status status = lanner_serialize_test(document, tree_root(document), write_bytes, into);
  TEST_CHECK_MSG(status == LANNER_OK, "serialize: %s", lanner_status_text(status));
}

void add_indent(struct bytes *into, size_t depth) {
  bytes_add_text(into, "| ");
  for (size_t i = 0; i < depth; i++) bytes_add_text(into, "  ");
}

static void add_string(struct bytes *into, lanner_string text) {
  bytes_add(into, text.data, text.length);
}

static const char *const attribute_prefixes[] = {"", "xlink ", "xml ", "xmlns "};
static const char *const element_prefixes[] = {"", "svg ", "math "};

/* "xlink href", from the qualified name. */
static void attribute_label(lanner_attribute attribute, struct bytes *into) {
  bytes_clear(into);
  lanner_string name = attribute.name;
  bytes_add_text(into, attribute_prefixes[attribute.name_space]);
  if (attribute.name_space != LANNER_NO_NAMESPACE) {
    const char *colon = memchr(name.data, ':', name.length);
    if (colon) {
      name.length -= (size_t)(colon + 1 - name.data);
      name.data = colon + 1;
    }
  }
  bytes_add(into, name.data, name.length);
}

/* By UTF-16 code unit: as by bytes, but that supplementary characters (F0...) come before
 * U+E000 to U+FFFF (EE, EF). */
static int compare_utf16(const struct bytes *a, const struct bytes *b) {
  size_t shorter = a->length < b->length ? a->length : b->length, i = 0;
  while (i < shorter && a->data[i] == b->data[i]) i++;
  if (i == shorter) return a->length < b->length ? -1 : a->length > b->length;
  unsigned char x = (unsigned char)a->data[i], y = (unsigned char)b->data[i];
  bool x_high = x >= 0xF0, y_high = y >= 0xF0;
  if (x_high && !y_high && y >= 0xEE) return -1;
  if (y_high && !x_high && x >= 0xEE) return 1;
  return x < y ? -1 : 1;
}

struct line {
  struct bytes label, value;
};

static int by_label(const void *a, const void *b) {
  return compare_utf16(&((const struct line *)a)->label, &((const struct line *)b)->label);
}

void add_attribute_lines(const lanner_attribute *attributes, uint32_t count, size_t depth,
                         struct bytes *into) {
  if (!count) return;
  struct line *lines = calloc(count, sizeof *lines);
  if (!lines) abort();
  for (uint32_t i = 0; i < count; i++) {
    attribute_label(attributes[i], &lines[i].label);
    bytes_add(&lines[i].value, attributes[i].value.data, attributes[i].value.length);
  }
  qsort(lines, count, sizeof *lines, by_label);
  for (uint32_t i = 0; i < count; i++) {
    add_indent(into, depth);
    bytes_add(into, lines[i].label.data, lines[i].label.length);
    bytes_add_text(into, "=\"");
    bytes_add(into, lines[i].value.data, lines[i].value.length);
    bytes_add_text(into, "\"\n");
    bytes_free(&lines[i].label);
    bytes_free(&lines[i].value);
  }
  free(lines);
}

static void dump_attributes(const lanner_document *document, lanner_node node, size_t depth,
                            struct bytes *into) {
  uint32_t count = lanner_attribute_count(document, node);
  lanner_attribute *attributes = calloc((size_t)count + 1, sizeof *attributes);
  if (!attributes) abort();
  for (uint32_t i = 0; i < count; i++) attributes[i] = lanner_attribute_at(document, node, i);
  add_attribute_lines(attributes, count, depth, into);
  free(attributes);
}

/* Iterative: a frame is a node whose children are being written. */
struct frame {
  lanner_node next; /* the next child to write */
  size_t depth;
};

void tree_dump(const lanner_document *document, struct bytes *into) {
  struct bytes stack = {0};
  bytes_clear(into);
  struct frame frame = {lanner_first_child(document, tree_root(document)), 0};
  for (;;) {
    lanner_node node = frame.next;
    if (!node) {
      if (!stack.length) break;
      stack.length -= sizeof frame;
      memcpy(&frame, stack.data + stack.length, sizeof frame);
      continue;
    }
    frame.next = lanner_next_sibling(document, node);
    size_t depth = frame.depth;
    lanner_kind kind = lanner_node_kind(document, node);
    lanner_node down[2] = {0, 0}; /* what is written below: contents or shadow root, children */
    if (kind == LANNER_TEXT) {
      add_indent(into, depth);
      bytes_add_text(into, "\"");
      add_string(into, lanner_data(document, node));
      while (frame.next && lanner_node_kind(document, frame.next) == LANNER_TEXT) {
        add_string(into, lanner_data(document, frame.next));
        frame.next = lanner_next_sibling(document, frame.next);
      }
      bytes_add_text(into, "\"\n");
      continue;
    }
    add_indent(into, depth);
    if (kind == LANNER_ELEMENT) {
      bytes_add_text(into, "<");
      bytes_add_text(into, element_prefixes[lanner_node_namespace(document, node)]);
      add_string(into, lanner_name(document, node));
      bytes_add_text(into, ">\n");
      dump_attributes(document, node, depth + 1, into);
      down[1] = lanner_first_child(document, node);
      bool open = false;
      lanner_node contents = lanner_template_contents(document, node);
      lanner_node shadow = lanner_shadow_root(document, node, &open);
      if (contents) {
        add_indent(into, depth + 1);
        bytes_add_text(into, "content\n");
        down[0] = lanner_first_child(document, contents);
      } else if (shadow) {
        add_indent(into, depth + 1);
        /* The shadow root's line stands where "| " of other lines stands, see extra/. */
        bytes_add_text(into, open ? "#shadow-root open\n" : "#shadow-root closed\n");
        down[0] = lanner_first_child(document, shadow);
      }
    } else if (kind == LANNER_COMMENT) {
      bytes_add_text(into, "<!-- ");
      add_string(into, lanner_data(document, node));
      bytes_add_text(into, " -->\n");
    } else if (kind == LANNER_PROCESSING_INSTRUCTION) {
      bytes_add_text(into, "<?");
      add_string(into, lanner_name(document, node));
      bytes_add_text(into, " ");
      add_string(into, lanner_data(document, node));
      bytes_add_text(into, "?>\n");
    } else if (kind == LANNER_DOCTYPE) {
      lanner_string public_id = lanner_public_id(document, node);
      lanner_string system_id = lanner_system_id(document, node);
      bytes_add_text(into, "<!DOCTYPE ");
      add_string(into, lanner_name(document, node));
      if (public_id.length || system_id.length) {
        bytes_add_text(into, " \"");
        add_string(into, public_id);
        bytes_add_text(into, "\" \"");
        add_string(into, system_id);
        bytes_add_text(into, "\"");
      }
      bytes_add_text(into, ">\n");
    } else {
      bytes_add_format(into, "a node of kind %d\n", (int)kind);
    }
    if (down[1]) {
      bytes_add(&stack, &frame, sizeof frame);
      frame = (struct frame){down[1], depth + 1};
    }
    if (down[0]) {
      bytes_add(&stack, &frame, sizeof frame);
      frame = (struct frame){down[0], depth + 2};
    }
  }
  bytes_free(&stack);
}

void tree_errors(const lanner_document *document, bool all, struct bytes *into) {
  size_t count = 0;
  const lanner_error *errors = lanner_document_errors(document, &count);
  bytes_clear(into);
  for (size_t i = 0; i < count; i++)
    if (all || lanner_error_is_standard(errors[i].code))
      bytes_add_format(into, "%u:%u %s\n", (unsigned)errors[i].line, (unsigned)errors[i].column,
                       lanner_error_name(errors[i].code));
}

bool tree_sound(const lanner_document *document, const char *what) {
  uint32_t count = lanner_document_node_count(document);
  bool good = TEST_CHECK_MSG(count >= 1, "%s: no nodes", what);
  good &= TEST_CHECK_MSG(lanner_node_kind(document, LANNER_DOCUMENT_NODE) == LANNER_DOCUMENT,
                         "%s: node 1 is not the Document", what);
  for (lanner_node node = 1; node <= count && good; node++) {
    lanner_kind kind = lanner_node_kind(document, node);
    lanner_node parent = lanner_parent(document, node);
    lanner_node first = lanner_first_child(document, node);
    lanner_node last = lanner_last_child(document, node);
    lanner_node next = lanner_next_sibling(document, node);
    lanner_node previous = lanner_previous_sibling(document, node);
    bool holds = kind == LANNER_ELEMENT || kind == LANNER_DOCUMENT || kind == LANNER_FRAGMENT;
    good &= kind >= LANNER_ELEMENT && kind <= LANNER_FRAGMENT;
    good &=
        parent <= count && first <= count && last <= count && next <= count && previous <= count;
    good &= holds || (!first && !last);
    good &= !first == !last;
    if (!good) break;
    if (first)
      good &= lanner_parent(document, first) == node && !lanner_previous_sibling(document, first);
    if (last) good &= lanner_parent(document, last) == node && !lanner_next_sibling(document, last);
    if (next)
      good &= lanner_previous_sibling(document, next) == node &&
              lanner_parent(document, next) == parent;
    else if (parent)
      good &= lanner_last_child(document, parent) == node;
    if (previous)
      good &= lanner_next_sibling(document, previous) == node;
    else if (parent)
      good &= lanner_first_child(document, parent) == node;
    if (!parent) good &= !next && !previous;
    if (parent) {
      lanner_kind above = lanner_node_kind(document, parent);
      good &= above == LANNER_ELEMENT || above == LANNER_DOCUMENT || above == LANNER_FRAGMENT;
    }
    lanner_node contents = lanner_template_contents(document, node);
    if (contents)
      good &= lanner_node_kind(document, contents) == LANNER_FRAGMENT &&
              lanner_host(document, contents) == node && !lanner_parent(document, contents);
    lanner_node shadow = lanner_shadow_root(document, node, NULL);
    if (shadow)
      good &= lanner_node_kind(document, shadow) == LANNER_FRAGMENT &&
              lanner_host(document, shadow) == node && !lanner_parent(document, shadow);
    if (kind == LANNER_TEXT) good &= lanner_data(document, node).length > 0;
    if (kind == LANNER_ELEMENT) good &= lanner_name(document, node).length > 0;
    TEST_CHECK_MSG(good, "%s: node %u of %u: links disagree", what, (unsigned)node,
                   (unsigned)count);
  }
  /* A walk visits every node below the root once: parents before children, siblings in order. */
  lanner_node root = tree_root(document);
  uint32_t visited = 0;
  lanner_node before = 0;
  for (lanner_node node = root; node && good; node = lanner_next(document, node, root)) {
    good &= TEST_CHECK_MSG(++visited <= count, "%s: the walk does not end", what);
    if (!before) {
      before = node;
      continue;
    }
    bool follows = lanner_parent(document, node) == before
                       ? lanner_first_child(document, before) == node
                       : lanner_first_child(document, before) == 0;
    good &= TEST_CHECK_MSG(follows, "%s: the walk goes from %u to %u", what, (unsigned)before,
                           (unsigned)node);
    before = node;
  }
  return good;
}
