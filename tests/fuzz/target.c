/* target.c - one fuzz input: the first bytes choose options and cuts, the rest is the page. Whole
 * and cut must give the same tree, tokens and errors; fast and checked the same tree. A difference
 * ends the program, which both fuzzers report with the input.
 *
 * Entry point of libFuzzer; mutate.c calls it, too.
 */
#include "lanner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct text {
  char *data;
  size_t length, capacity;
};

static int add(void *context, const char *data, size_t length) {
  struct text *text = context;
  if (text->length + length > text->capacity) {
    text->capacity = (text->length + length) * 2;
    text->data = realloc(text->data, text->capacity);
    if (!text->data) abort();
  }
  if (length) memcpy(text->data + text->length, data, length);
  text->length += length;
  return 0;
}

static void same(const struct text *a, const struct text *b, const char *what) {
  if (a->length == b->length && (a->length == 0 || memcmp(a->data, b->data, a->length) == 0))
    return;
  fprintf(stderr, "fuzz: %s differ:\n--- one\n%.*s\n--- other\n%.*s\n", what, (int)a->length,
          a->data, (int)b->length, b->data);
  abort();
}

static void add_errors(const lanner_document *document, struct text *into) {
  size_t count;
  const lanner_error *errors = lanner_document_errors(document, &count);
  for (size_t i = 0; i < count; i++) {
    char line[160];
    snprintf(line, sizeof line, "%u %u:%u %s\n", (unsigned)errors[i].offset,
             (unsigned)errors[i].line, (unsigned)errors[i].column,
             lanner_error_name(errors[i].code));
    add(into, line, strlen(line));
  }
}

/* Parses in pieces of STEP bytes (0: whole) and writes down all that came of it. */
static void tree(lanner_document *document, const lanner_context *context,
                 const lanner_options *options, const uint8_t *page, size_t size, size_t step,
                 struct text *nodes, struct text *errors) {
  lanner_status status;
  nodes->length = errors->length = 0;
  if (step == 0) {
    status = context ? lanner_parse_fragment(document, context, page, size, options)
                     : lanner_parse(document, page, size, options);
  } else {
    status = lanner_parse_begin(document, context, options);
    for (size_t at = 0; at < size && status == LANNER_OK; at += step) {
      size_t length = size - at < step ? size - at : step;
      void *piece = malloc(length);
      if (!piece) abort();
      memcpy(piece, page + at, length);
      status = lanner_parse_feed(document, piece, length);
      free(piece);
    }
    if (status == LANNER_OK) status = lanner_parse_end(document);
  }
  if (status != LANNER_OK && status != LANNER_ERROR_LIMIT) {
    fprintf(stderr, "fuzz: %s\n", lanner_status_text(status));
    abort();
  }
  lanner_node root = lanner_fragment_root(document);
  lanner_serialize_test(document, root ? root : LANNER_DOCUMENT_NODE, add, nodes);
  add_errors(document, errors);
  char line[80];
  snprintf(line, sizeof line, "mode %d limits %u encoding %s\n",
           (int)lanner_document_mode(document), (unsigned)lanner_document_limits(document),
           lanner_document_encoding(document));
  add(nodes, line, strlen(line));
}

static int on_token(void *context, lanner_tokenizer *tokenizer, const lanner_token *token) {
  struct text *text = context;
  char line[80];
  (void)tokenizer;
  if (token->type == LANNER_TOKEN_CHARACTERS) { /* runs may be cut differently */
    add(text, token->data.data, token->data.length);
    return LANNER_CONTINUE;
  }
  snprintf(line, sizeof line, "\n%d %llu %llu %d%d%d ", (int)token->type,
           (unsigned long long)token->start, (unsigned long long)token->end, token->has_name,
           token->force_quirks, token->self_closing);
  add(text, line, strlen(line));
  add(text, token->name.data, token->name.length);
  add(text, " ", 1);
  add(text, token->data.data, token->data.length);
  add(text, token->public_id.data, token->public_id.length);
  add(text, " ", 1);
  add(text, token->system_id.data, token->system_id.length);
  for (uint32_t i = 0; i < token->attribute_count; i++) {
    add(text, " ", 1);
    add(text, token->attributes[i].name.data, token->attributes[i].name.length);
    add(text, "=", 1);
    add(text, token->attributes[i].value.data, token->attributes[i].value.length);
  }
  add(text, "\n", 1);
  return LANNER_CONTINUE;
}

static void tokens(lanner_tokenizer *tokenizer, const lanner_tokenizer_options *given,
                   const uint8_t *page, size_t size, size_t step, struct text *out) {
  lanner_tokenizer_options options = *given;
  options.on_token = on_token;
  options.context = out;
  out->length = 0;
  lanner_status status = lanner_tokenizer_begin(tokenizer, &options);
  for (size_t at = 0; at < size && status == LANNER_OK; at += step) {
    size_t length = size - at < step ? size - at : step;
    status = lanner_tokenizer_feed(tokenizer, page + at, length);
  }
  if (status == LANNER_OK) status = lanner_tokenizer_end(tokenizer);
  if (status != LANNER_OK) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const struct {
    lanner_namespace name_space;
    const char *name;
  } contexts[] = {{LANNER_HTML, "div"},      {LANNER_HTML, "template"}, {LANNER_HTML, "select"},
                  {LANNER_HTML, "tr"},       {LANNER_HTML, "td"},       {LANNER_HTML, "colgroup"},
                  {LANNER_HTML, "title"},    {LANNER_HTML, "script"},   {LANNER_HTML, "html"},
                  {LANNER_HTML, "frameset"}, {LANNER_HTML, "head"},     {LANNER_HTML, "plaintext"},
                  {LANNER_SVG, "desc"},      {LANNER_SVG, "path"},      {LANNER_MATHML, "mi"},
                  {LANNER_MATHML, "math"}};
  static const lanner_tokenizer_state states[] = {
      LANNER_STATE_DATA,        LANNER_STATE_RCDATA,    LANNER_STATE_RAWTEXT,
      LANNER_STATE_SCRIPT_DATA, LANNER_STATE_PLAINTEXT, LANNER_STATE_CDATA_SECTION};
  enum { HEAD = 4 };
  if (size < HEAD) return 0;
  uint8_t flags = data[0], choice = data[1], cut = data[2], limits = data[3];
  const uint8_t *page = data + HEAD;
  size -= HEAD;

  lanner_document *document = lanner_document_new(NULL);
  lanner_tokenizer *tokenizer = lanner_tokenizer_new(NULL);
  if (!document || !tokenizer) abort();
  struct text one = {0}, one_errors = {0}, other = {0}, other_errors = {0};

  lanner_options options;
  lanner_options_init(&options);
  if (flags & 1) options.flags |= LANNER_SCRIPTING;
  if (flags & 2) options.flags |= LANNER_NO_SHADOW;
  if (flags & 4) options.flags |= LANNER_SPANS;
  if (flags & 8) options.flags |= LANNER_IN_QUIRKS;
  options.encoding = flags & 16 ? NULL : "UTF-8";
  if (limits & 1) options.limits.depth = 1 + (limits >> 2) % 16;
  if (limits & 2) options.limits.attributes = 1 + (limits >> 4);
  lanner_context context = {contexts[choice % 16].name_space,
                            contexts[choice % 16].name,
                            strlen(contexts[choice % 16].name),
                            NULL,
                            0,
                            (choice & 64) != 0};
  const lanner_context *in = choice & 16 ? &context : NULL;
  size_t step = 1 + cut % 32;

  tree(document, in, &options, page, size, 0, &one, &one_errors);
  tree(document, in, &options, page, size, step, &other, &other_errors);
  same(&one, &other, "trees, whole and in pieces");
  options.flags |= LANNER_ERRORS;
  tree(document, in, &options, page, size, 0, &other, &one_errors);
  same(&one, &other, "trees, fast and checked");
  tree(document, in, &options, page, size, step, &other, &other_errors);
  same(&one, &other, "trees, fast and checked in pieces");
  same(&one_errors, &other_errors, "errors, whole and in pieces");

  lanner_tokenizer_options token_options;
  lanner_tokenizer_options_init(&token_options);
  token_options.encoding = options.encoding;
  token_options.feedback = (lanner_feedback)(choice % 3);
  token_options.flags = flags & 1 ? LANNER_SCRIPTING : 0;
  if (token_options.feedback == LANNER_FEEDBACK_NONE) {
    token_options.state = states[cut % 6];
    token_options.last_start_tag = flags & 32 ? "title" : NULL;
    token_options.cdata_allowed = (flags & 64) != 0;
  }
  tokens(tokenizer, &token_options, page, size, size + 1, &one);
  tokens(tokenizer, &token_options, page, size, step, &other);
  same(&one, &other, "tokens, whole and in pieces");
  bool approximate = lanner_tokenizer_approximate(tokenizer);
  token_options.flags |= LANNER_ERRORS;
  tokens(tokenizer, &token_options, page, size, step, &other);
  same(&one, &other, "tokens, fast and checked");
  if (token_options.feedback == LANNER_FEEDBACK_SIMULATED && !approximate) {
    token_options.feedback = LANNER_FEEDBACK_EXACT;
    tokens(tokenizer, &token_options, page, size, size + 1, &other);
    same(&one, &other, "tokens, simulated and exact");
  }

  free(one.data);
  free(one_errors.data);
  free(other.data);
  free(other_errors.data);
  lanner_tokenizer_free(tokenizer);
  lanner_document_free(document);
  return 0;
}
