/* tree_case.c - see tree_case.h. */
#include "own_tree.h"
#include "tree_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Kept between cases, so that every case but the first also tests the reuse of a document. */
static struct {
  lanner_document *document;
  lanner_tokenizer *tokenizer;
  lanner_tree_builder *builder;
  struct own_tree tree;
  struct bytes text, dump, errors, padded;
  struct recorder exact, simulated;
} kept;

static lanner_document *document(void) {
  if (!kept.document) kept.document = lanner_document_new(NULL);
  if (!kept.document) abort();
  return kept.document;
}

void tree_case_finish(void) {
  lanner_document_free(kept.document);
  lanner_tokenizer_free(kept.tokenizer);
  lanner_tree_builder_free(kept.builder);
  own_tree_free(&kept.tree);
  bytes_free(&kept.text);
  bytes_free(&kept.dump);
  bytes_free(&kept.errors);
  bytes_free(&kept.padded);
  recorder_free(&kept.exact);
  recorder_free(&kept.simulated);
  memset(&kept, 0, sizeof kept);
}

/* Compares the tree in kept.text with the expected one. */
static bool same_text(const struct tree_case *test, const char *how) {
  const struct bytes expected = {(char *)(uintptr_t)test->expected.data, test->expected.length, 0};
  bool ok = bytes_equal(&kept.text, &expected);
  bool fine = test_case(test->name, ok);
  return TEST_CHECK_MSG(fine, "%s, %s: %s\n  input    %s", test->name, how,
                        difference(&kept.text, &expected),
                        shown(test->data.data, test->data.length));
}

/* The document's tree. */
static bool same_tree(const struct tree_case *test, const char *how) {
  if (test->joined)
    tree_dump(document(), &kept.text);
  else
    tree_text(document(), &kept.text);
  return same_text(test, how);
}

static bool parse(const struct tree_case *test, const struct tree_run *run, const char *how) {
  char what[320];
  snprintf(what, sizeof what, "%s, %s", test->name, how);
  return run_tree(document(), run, test->data.data, test->data.length, LANNER_OK, what);
}

/* The #new-errors lines are the errors with a code of the Standard, in their order. */
static void same_errors(const struct tree_case *test) {
  if (!test->dat || !test->dat->has_new_errors) return;
  size_t count = 0, at = 0;
  bool ok = true;
  const lanner_error *errors = lanner_document_errors(document(), &count);
  for (size_t i = 0; i < count; i++) {
    if (!lanner_error_is_standard(errors[i].code)) continue;
    if (at == test->dat->new_error_count) {
      ok = false;
      break;
    }
    const struct dat_error *want = &test->dat->new_errors[at++];
    bool after = errors[i].line > want->line ||
                 (errors[i].line == want->line && errors[i].column >= want->column);
    bool before = errors[i].line < want->end_line ||
                  (errors[i].line == want->end_line && errors[i].column <= want->end_column);
    ok &= after && before && strcmp(lanner_error_name(errors[i].code), want->code) == 0;
  }
  ok &= at == test->dat->new_error_count;
  if (test_case(test->name, ok)) {
    test_passed();
    return;
  }
  struct bytes want = {0};
  for (size_t i = 0; i < test->dat->new_error_count; i++)
    bytes_add_format(&want, "%u:%u %s; ", test->dat->new_errors[i].line,
                     test->dat->new_errors[i].column, test->dat->new_errors[i].code);
  tree_errors(document(), false, &kept.errors);
  TEST_CHECK_MSG(false, "%s: errors %s\n  expected %s\n  input    %s", test->name,
                 shown(kept.errors.data, kept.errors.length), shown(want.data, want.length),
                 shown(test->data.data, test->data.length));
  bytes_free(&want);
}

/* Lines and columns of the errors follow from their offsets. */
static void sound_positions(const struct tree_case *test) {
  size_t count = 0;
  const lanner_error *errors = lanner_document_errors(document(), &count);
  TEST_CHECK_MSG(lanner_document_error_total(document()) == count, "%s: total", test->name);
  struct position at;
  position_start(&at, test->data.data, test->data.length);
  for (size_t i = 0; i < count; i++) {
    position_seek(&at, errors[i].offset);
    TEST_CHECK_MSG(errors[i].offset <= test->data.length && at.line == errors[i].line &&
                       at.column == errors[i].column,
                   "%s: %s at offset %u says %u:%u, the offset is %u:%u\n  input    %s", test->name,
                   lanner_error_name(errors[i].code), (unsigned)errors[i].offset,
                   (unsigned)errors[i].line, (unsigned)errors[i].column, (unsigned)at.line,
                   (unsigned)at.column, shown(test->data.data, test->data.length));
  }
}

static bool same_letters(const char *source, size_t length, lanner_string name) {
  if (name.length != length) return false;
  for (size_t i = 0; i < length; i++) {
    unsigned char a = (unsigned char)source[i], b = (unsigned char)name.data[i];
    if (a >= 'A' && a <= 'Z') a = (unsigned char)(a + 32);
    if (b >= 'A' && b <= 'Z') b = (unsigned char)(b + 32);
    if (a != b) return false;
  }
  return true;
}

/* Spans lie in the input and hold what they should. */
static void sound_spans(const struct tree_case *test) {
  const char *data = test->data.data;
  size_t length = test->data.length;
  const lanner_document *doc = document();
  uint32_t count = lanner_document_node_count(doc);
  for (lanner_node node = 1; node <= count; node++) {
    lanner_span span = lanner_node_span(doc, node);
    lanner_kind kind = lanner_node_kind(doc, node);
    if (span.start == 0 && span.end == 0) continue;
    bool ok = span.start < span.end && span.end <= length;
    if (ok && kind != LANNER_TEXT) ok = data[span.start] == '<';
    if (ok && kind == LANNER_TEXT && !memchr(data + span.start, 0, span.end - span.start) &&
        !memchr(data + span.start, '&', span.end - span.start) &&
        !memchr(data + span.start, '\r', span.end - span.start)) {
      lanner_string text = lanner_data(doc, node);
      ok = text.length >= span.end - span.start &&
           memcmp(text.data, data + span.start, span.end - span.start) == 0;
    }
    lanner_string name = lanner_name(doc, node);
    bool plain = memchr(name.data, (char)0xEF, name.length) == NULL; /* may have held a NUL */
    if (ok && kind == LANNER_ELEMENT && plain &&
        !same_letters("image", 5, (lanner_string){data + span.start + 1, 5}))
      ok = span.start + 1 + name.length < span.end &&
           same_letters(data + span.start + 1, name.length, name) && data[span.end - 1] == '>';
    lanner_span close = lanner_end_tag_span(doc, node);
    if (ok && (close.start || close.end))
      ok = kind == LANNER_ELEMENT && close.start < close.end && close.end <= length &&
           close.start >= span.end && data[close.start] == '<' && data[close.start + 1] == '/' &&
           data[close.end - 1] == '>';
    for (uint32_t i = 0; ok && i < lanner_attribute_count(doc, node); i++) {
      lanner_span at = lanner_attribute_name_span(doc, node, i);
      lanner_span value = lanner_attribute_value_span(doc, node, i);
      lanner_attribute attribute = lanner_attribute_at(doc, node, i);
      if (!at.start && !at.end) continue;
      ok = at.start < at.end && at.end <= length && value.start <= value.end && value.end <= length;
      if (ok && !memchr(data + at.start, 0, at.end - at.start))
        ok = same_letters(data + at.start, at.end - at.start, attribute.name);
      if (ok && !memchr(data + value.start, 0, value.end - value.start) &&
          !memchr(data + value.start, '&', value.end - value.start) &&
          !memchr(data + value.start, '\r', value.end - value.start))
        ok = attribute.value.length == value.end - value.start &&
             (attribute.value.length == 0 ||
              memcmp(attribute.value.data, data + value.start, attribute.value.length) == 0);
    }
    if (!TEST_CHECK_MSG(ok, "%s: spans of node %u <%.*s>\n  input    %s", test->name,
                        (unsigned)node, (int)name.length, name.data, shown(data, length)))
      return;
  }
}

void tree_case_whole(const struct tree_case *test) {
  struct tree_run run;
  tree_run_init(&run, test->flags);
  run.context = test->context;
  if (!parse(test, &run, "fast")) return;
  if (same_tree(test, "fast") && !test->joined) {
    /* The printer of the library and the one over the accessors agree. */
    tree_dump(document(), &kept.dump);
    TEST_CHECK_MSG(bytes_equal(&kept.dump, &kept.text), "%s: accessors and serializer: %s",
                   test->name, difference(&kept.dump, &kept.text));
  }
  tree_sound(document(), test->name);

  run.options.flags = test->flags | LANNER_ERRORS;
  if (!parse(test, &run, "checked")) return;
  same_tree(test, "checked");
  same_errors(test);
  sound_positions(test);

  run.options.flags = test->flags | LANNER_ERRORS | LANNER_SPANS;
  if (!parse(test, &run, "spans")) return;
  same_tree(test, "spans");
  sound_spans(test);

  /* In the caller's own memory, with the poorest padding that the header allows. */
  bytes_clear(&kept.padded);
  bytes_add(&kept.padded, test->data.data, test->data.length);
  bytes_add(&kept.padded, "\0", 1);
  for (int i = 1; i < LANNER_PADDING; i++) bytes_add(&kept.padded, &"<&-]>\"'x"[i % 8], 1);
  struct tree_case padded = *test;
  padded.data.data = kept.padded.data;
  run.options.flags = test->flags | LANNER_INPUT_PADDED;
  if (!parse(&padded, &run, "padded")) return;
  same_tree(test, "padded");
  TEST_CHECK_MSG(memcmp(kept.padded.data, test->data.data, test->data.length) == 0,
                 "%s: the caller's input was changed", test->name);
  bool mark = test->data.length >= 3 && memcmp(test->data.data, "\xEF\xBB\xBF", 3) == 0;
  if (!mark && !memchr(test->data.data, '\r', test->data.length)) {
    run.options.flags |= LANNER_INPUT_CLEAN;
    if (!parse(&padded, &run, "padded, clean")) return;
    same_tree(test, "padded, clean");
  }
}

static void in_pieces(const struct tree_case *test, struct tree_run *run, uint32_t flags,
                      const struct bytes *errors) {
  char how[64];
  snprintf(how, sizeof how, "%s, %s %zu", flags & LANNER_ERRORS ? "checked" : "fast",
           run->plan.kind == CUT ? "cut at" : "in steps of", run->plan.at);
  run->options.flags = test->flags | flags;
  if (!parse(test, run, how)) return;
  same_tree(test, how);
  if (!(flags & LANNER_ERRORS)) return;
  tree_errors(document(), true, &kept.errors);
  TEST_CHECK_MSG(bytes_equal(&kept.errors, errors), "%s, %s: errors: %s\n  input    %s", test->name,
                 how, difference(&kept.errors, errors), shown(test->data.data, test->data.length));
}

/* The errors of the whole input, to compare those in pieces with. */
static bool whole_errors(const struct tree_case *test, struct tree_run *run, struct bytes *errors) {
  tree_run_init(run, test->flags | LANNER_ERRORS);
  run->context = test->context;
  if (!parse(test, run, "checked")) return false;
  tree_errors(document(), true, errors);
  return true;
}

void tree_case_bytes(const struct tree_case *test) {
  static const size_t steps[] = {1, 2, 7};
  struct tree_run run;
  struct bytes errors = {0};
  if (whole_errors(test, &run, &errors)) {
    run.plan.kind = STEPS;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
      run.plan.at = steps[i];
      in_pieces(test, &run, 0, &errors);
      in_pieces(test, &run, LANNER_ERRORS, &errors);
    }
  }
  bytes_free(&errors);
}

void tree_case_cuts(const struct tree_case *test) {
  struct tree_run run;
  struct bytes errors = {0};
  if (whole_errors(test, &run, &errors)) {
    uint32_t seed = (uint32_t)hash_bytes(test->data.data, test->data.length);
    size_t state = 0;
    run.plan.kind = CUT;
    while (next_cut(test->data.length, seed, &state, &run.plan.at)) {
      in_pieces(test, &run, 0, &errors);
      in_pieces(test, &run, LANNER_ERRORS, &errors);
    }
    test_passed(); /* inputs under two bytes have no cut */
  }
  bytes_free(&errors);
}

static bool foreign(const struct tree_case *test, const struct tree_run *run, const char *how) {
  if (!kept.builder) kept.builder = lanner_tree_builder_new(NULL);
  if (!kept.builder) abort();
  lanner_status status =
      own_tree_parse(kept.builder, &kept.tree, NULL, run, test->data.data, test->data.length);
  if (!TEST_CHECK_MSG(status == LANNER_OK, "%s, %s: %s", test->name, how,
                      lanner_status_text(status)))
    return false;
  own_tree_dump(&kept.tree, test->joined, &kept.text);
  return same_text(test, how);
}

void tree_case_foreign(const struct tree_case *test) {
  static const uint32_t flags[] = {0, LANNER_ERRORS, LANNER_ERRORS | LANNER_SPANS};
  struct tree_run run;
  struct bytes errors = {0};
  size_t state = 0, round = 0;
  uint32_t seed = (uint32_t)hash_bytes(test->data.data, test->data.length);
  tree_run_init(&run, test->flags);
  run.context = test->context;
  foreign(test, &run, "foreign");
  run.options.flags = test->flags | LANNER_ERRORS | LANNER_SPANS;
  if (!parse(test, &run, "spans")) return;
  tree_errors(document(), true, &errors);
  if (foreign(test, &run, "foreign, checked")) own_tree_is(&kept.tree, document(), test->name);
  TEST_CHECK_MSG(bytes_equal(&kept.tree.errors, &errors), "%s, foreign: errors: %s", test->name,
                 difference(&kept.tree.errors, &errors));
  TEST_CHECK_MSG(kept.tree.mode == lanner_document_mode(document()), "%s, foreign: mode",
                 test->name);
  run.plan.kind = CUT;
  while (next_cut(test->data.length, seed, &state, &run.plan.at)) {
    char how[64];
    snprintf(how, sizeof how, "foreign, cut at %zu", run.plan.at);
    run.options.flags = test->flags | flags[round++ % 3];
    bool fine = foreign(test, &run, how);
    if (run.options.flags & LANNER_ERRORS)
      TEST_CHECK_MSG(bytes_equal(&kept.tree.errors, &errors), "%s, %s: errors: %s", test->name, how,
                     difference(&kept.tree.errors, &errors));
    /* Where a text begins is told by its first run, which the cut shortens. */
    if (fine && run.options.flags & LANNER_SPANS && parse(test, &run, how))
      own_tree_is(&kept.tree, document(), test->name);
  }
  bytes_free(&errors);
}

static size_t count_lines(const struct recorder *recorder, const char *head) {
  size_t count = 0, length = strlen(head);
  const char *at = recorder->tokens.data;
  while (at && *at) {
    count += strncmp(at, head, length) == 0;
    at = strchr(at, '\n');
    if (at) at++;
  }
  return count;
}

static bool holds_text(lanner_string data, const char *text) {
  size_t length = strlen(text);
  for (size_t i = 0; i + length <= data.length; i++)
    if (memcmp(data.data + i, text, length) == 0) return true;
  return false;
}

/* What the tree holds from the source is a token of the exact mode, at the same place; comments,
 * processing instructions and the kinds of tokens that always leave a node are as many. */
void tree_case_tokens(const struct tree_case *test) {
  if (test->context) return;
  struct tree_run run;
  struct token_run tokens;
  tree_run_init(&run, test->flags | LANNER_SPANS);
  if (test->sniff) run.options.encoding = NULL;
  if (!parse(test, &run, "spans")) return;
  const char *encoding = lanner_document_encoding(document());
  if (!kept.tokenizer) kept.tokenizer = lanner_tokenizer_new(NULL);
  uint32_t token_flags = test->flags & LANNER_SCRIPTING;
  token_run_init(&tokens, token_flags, LANNER_FEEDBACK_EXACT);
  tokens.options.encoding = encoding;
  if (!run_tokens(kept.tokenizer, &tokens, test->data.data, test->data.length, &kept.exact,
                  test->name))
    return;
  TEST_CHECK_MSG(!lanner_tokenizer_approximate(kept.tokenizer), "%s: exact is approximate",
                 test->name);
  TEST_CHECK_MSG(!kept.exact.spans_disorder, "%s: spans out of order: %s", test->name,
                 shown(kept.exact.spans.data, kept.exact.spans.length));
  const lanner_document *doc = document();
  size_t comments = 0, instructions = 0;
  for (lanner_node node = 1; node <= lanner_document_node_count(doc); node++) {
    lanner_span span = lanner_node_span(doc, node);
    lanner_kind kind = lanner_node_kind(doc, node);
    comments += kind == LANNER_COMMENT;
    instructions += kind == LANNER_PROCESSING_INSTRUCTION;
    if (!span.start && !span.end) continue;
    lanner_token_type type = LANNER_TOKEN_EOF;
    if (kind == LANNER_ELEMENT) type = LANNER_TOKEN_START_TAG;
    if (kind == LANNER_COMMENT) type = LANNER_TOKEN_COMMENT;
    if (kind == LANNER_PROCESSING_INSTRUCTION) type = LANNER_TOKEN_PROCESSING_INSTRUCTION;
    if (kind == LANNER_DOCTYPE) type = LANNER_TOKEN_DOCTYPE;
    if (type == LANNER_TOKEN_EOF) continue;
    TEST_CHECK_MSG(has_span(&kept.exact, type, span.start, span.end),
                   "%s: node %u at %u is no token: %s", test->name, (unsigned)node,
                   (unsigned)span.start, shown(kept.exact.tokens.data, kept.exact.tokens.length));
    lanner_span close = lanner_end_tag_span(doc, node);
    if (close.end)
      TEST_CHECK_MSG(has_span(&kept.exact, LANNER_TOKEN_END_TAG, close.start, close.end),
                     "%s: end tag at %u is no token", test->name, (unsigned)close.start);
  }
  /* selectedcontent copies comments and a <template for> takes nodes away. */
  if (!holds_text(test->data, "selectedcontent") && !holds_text(test->data, " for"))
    TEST_CHECK_MSG(comments == count_lines(&kept.exact, "Comment ") &&
                       instructions == count_lines(&kept.exact, "ProcessingInstruction "),
                   "%s: %zu comments, %zu processing instructions in the tree, tokens: %s",
                   test->name, comments, instructions,
                   shown(kept.exact.tokens.data, kept.exact.tokens.length));
  token_run_init(&tokens, token_flags, LANNER_FEEDBACK_SIMULATED);
  tokens.options.encoding = encoding;
  if (!run_tokens(kept.tokenizer, &tokens, test->data.data, test->data.length, &kept.simulated,
                  test->name))
    return;
  if (!lanner_tokenizer_approximate(kept.tokenizer))
    TEST_CHECK_MSG(bytes_equal(&kept.simulated.tokens, &kept.exact.tokens),
                   "%s: the simulator differs and says nothing: %s\n  input    %s", test->name,
                   difference(&kept.simulated.tokens, &kept.exact.tokens),
                   shown(test->data.data, test->data.length));
}

void visit_dat_folder(const char *folder, const char *suffix, tree_visitor visit,
                      struct tree_totals *totals) {
  struct names names = list_folder(folder, suffix);
  struct bytes input = {0};
  for (size_t f = 0; f < names.count; f++) {
    char *path = join_path(folder, names.items[f]);
    struct dat_file file;
    if (dat_read(path, &file)) {
      for (size_t i = 0; i < file.count; i++) {
        const struct dat_case *dat = &file.cases[i];
        bytes_clear(&input);
        bytes_add(&input, "", 0);
        add_decoded_input(&input, dat->data.data, dat->data.length);
        totals->cases++;
        totals->data_bytes += input.length;
        for (int scripting = 0; scripting <= 1; scripting++) {
          if (dat->script == (scripting ? -1 : 1)) continue;
          struct tree_case test;
          memset(&test, 0, sizeof test);
          snprintf(test.name, sizeof test.name, "%s:%u%s", names.items[f], dat->line,
                   scripting ? " (scripting)" : "");
          test.data.data = input.data;
          test.data.length = input.length;
          test.context = dat->fragment ? &dat->context : NULL;
          test.flags = scripting ? LANNER_SCRIPTING : 0;
          test.expected = dat->document;
          test.dat = dat;
          totals->runs++;
          visit(&test);
        }
      }
    }
    dat_free(&file);
    free(path);
  }
  bytes_free(&input);
  names_free(&names);
}
