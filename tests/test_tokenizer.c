/* test_tokenizer.c - the tokenizer suites. Every case, in each of its initial states: whole, byte
 * by byte, cut in two everywhere, as two segments, pushed and pulled; tokens and errors (code,
 * line, column, order) in the checked instance, tokens in the fast one. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct token_case {
  char name[200];
  struct bytes input; /* as fed */
  lanner_tokenizer_state state;
  const char *last_start_tag;
  bool cdata, surrogates;
  struct recorder expected; /* tokens and errors */
};

typedef void (*token_visitor)(const struct token_case *test);

static lanner_tokenizer *tokenizer;
static struct recorder got, whole;
static size_t surrogate_cases;

static bool same(const struct token_case *test, const struct bytes *have, const struct bytes *want,
                 const char *how, const char *which) {
  bool fine = test_case(test->name, bytes_equal(have, want));
  return TEST_CHECK_MSG(fine, "%s, %s: %s: %s\n  input    %s", test->name, how, which,
                        difference(have, want), shown(test->input.data, test->input.length));
}

static bool run(const struct token_case *test, const struct token_run *plan, const char *how) {
  char what[400];
  snprintf(what, sizeof what, "%s, %s", test->name, how);
  return run_tokens(tokenizer, plan, test->input.data, test->input.length, &got, what);
}

static bool start(const struct token_case *test, struct token_run *plan, bool checked) {
  if (!checked && test->surrogates) return false; /* only the checked instance takes them */
  token_run_init(plan, checked ? LANNER_ERRORS : 0, LANNER_FEEDBACK_NONE);
  /* Lone surrogates are no UTF-8: the promise of clean input keeps the decoder off. */
  if (test->surrogates) plan->options.flags |= LANNER_INPUT_CLEAN;
  plan->options.state = test->state;
  plan->options.last_start_tag = test->last_start_tag;
  plan->options.cdata_allowed = test->cdata;
  return true;
}

static void one(const struct token_case *test, struct token_run *plan, const char *how) {
  if (!run(test, plan, how)) return;
  same(test, &got.tokens, &test->expected.tokens, how, "tokens");
  if (plan->options.flags & LANNER_ERRORS)
    same(test, &got.errors, &test->expected.errors, how, "errors");
}

/* The offsets of the errors agree with their lines and columns. */
static void sound_offsets(const struct token_case *test) {
  struct bytes positions = {0};
  struct position place;
  position_start(&place, test->input.data, test->input.length);
  const char *at = got.offsets.data, *error = got.errors.data;
  while (at && *at && *error) {
    position_seek(&place, (size_t)strtoul(at, NULL, 10));
    const char *code = strchr(error, ' ');
    bytes_clear(&positions);
    bytes_add_format(&positions, "%u:%u", (unsigned)place.line, (unsigned)place.column);
    TEST_CHECK_MSG(bytes_are(&positions, error, (size_t)(code - error)),
                   "%s: offset %.*s is %s, reported as %.*s\n  input    %s", test->name,
                   (int)strcspn(at, "\n"), at, positions.data, (int)strcspn(error, "\n"), error,
                   shown(test->input.data, test->input.length));
    at = strchr(at, '\n') + 1;
    error = strchr(error, '\n') + 1;
  }
  bytes_free(&positions);
}

static void check_whole(const struct token_case *test) {
  struct token_run plan;
  for (int checked = 1; checked >= 0; checked--) {
    if (!start(test, &plan, checked)) continue;
    one(test, &plan, checked ? "checked" : "fast");
    if (checked) sound_offsets(test);
    TEST_CHECK_MSG(!got.spans_disorder, "%s: spans out of order: %s", test->name,
                   shown(got.spans.data, got.spans.length));
    /* The last token is the end of file, behind the last byte. */
    char last[64];
    snprintf(last, sizeof last, SPAN_FORMAT, (int)LANNER_TOKEN_EOF,
             (unsigned long long)test->input.length, (unsigned long long)test->input.length);
    size_t tail = strlen(last);
    TEST_CHECK_MSG(got.spans.length >= tail &&
                       strcmp(got.spans.data + got.spans.length - tail, last) == 0,
                   "%s: end-of-file span: %s", test->name, shown(got.spans.data, got.spans.length));
    plan.way = PULL;
    one(test, &plan, checked ? "checked, pulled" : "fast, pulled");
  }
}

/* In pieces; spans and offsets are those of the whole input, too. */
static void pieces(const struct token_case *test, struct token_run *plan, const char *how) {
  char what[80];
  snprintf(what, sizeof what, "%s, %s%s %zu", how, plan->way == PULL ? "pulled, " : "",
           plan->plan.kind == CUT ? "cut at" : "steps of", plan->plan.at);
  one(test, plan, what);
  same(test, &got.spans, &whole.spans, what, "spans");
  if (plan->options.flags & LANNER_ERRORS)
    same(test, &got.offsets, &whole.offsets, what, "offsets");
}

static bool whole_run(const struct token_case *test, struct token_run *plan, bool checked) {
  if (!start(test, plan, checked) || !run(test, plan, "whole")) return false;
  struct recorder keep = whole;
  whole = got;
  got = keep;
  return true;
}

static void check_bytes(const struct token_case *test) {
  static const size_t steps[] = {1, 2, 3};
  struct token_run plan;
  for (int checked = 1; checked >= 0; checked--) {
    if (!whole_run(test, &plan, checked)) continue;
    plan.plan.kind = STEPS;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
      plan.plan.at = steps[i];
      plan.way = PUSH;
      pieces(test, &plan, checked ? "checked" : "fast");
      plan.way = PULL;
      pieces(test, &plan, checked ? "checked" : "fast");
    }
  }
}

static void check_cuts(const struct token_case *test) {
  struct token_run plan;
  uint32_t seed = (uint32_t)hash_bytes(test->input.data, test->input.length);
  for (int checked = 1; checked >= 0; checked--) {
    if (!whole_run(test, &plan, checked)) continue;
    size_t state = 0;
    plan.plan.kind = CUT;
    while (next_cut(test->input.length, seed, &state, &plan.plan.at))
      pieces(test, &plan, checked ? "checked" : "fast");
  }
}

static void check_segments(const struct token_case *test) {
  struct token_run plan;
  uint32_t seed = (uint32_t)hash_bytes(test->input.data, test->input.length);
  /* The inserted part is not decoded: it has no byte order mark of its own. */
  struct token_case bare = *test;
  if (test->input.length >= 3 && memcmp(test->input.data, "\xEF\xBB\xBF", 3) == 0) {
    bare.input.data += 3;
    bare.input.length -= 3;
  }
  for (int checked = 1; checked >= 0; checked--) {
    if (!start(test, &plan, checked)) continue;
    size_t state = 0;
    plan.way = SEGMENTS;
    plan.plan.kind = CUT;
    while (next_cut(bare.input.length + 1, seed, &state, &plan.plan.at)) {
      if (plan.plan.at < bare.input.length && (bare.input.data[plan.plan.at] & 0xC0) == 0x80)
        continue; /* text is inserted in whole characters */
      char how[64];
      snprintf(how, sizeof how, "%s, segments cut at %zu", checked ? "checked" : "fast",
               plan.plan.at);
      one(&bare, &plan, how);
    }
  }
}

/* --- reading the cases --- */

/* TEXT, with \uXXXX resolved when DOUBLED; surrogate pairs are joined. */
static void unescape(struct bytes *into, lanner_string text, bool doubled) {
  bytes_clear(into);
  bytes_add(into, "", 0);
  for (size_t i = 0; i < text.length;) {
    uint32_t code[2] = {0, 0};
    int found = 0;
    while (doubled && found < 2 && i + 6 * (size_t)found + 6 <= text.length &&
           memcmp(text.data + i + 6 * found, "\\u", 2) == 0) {
      char hex[5] = {0};
      memcpy(hex, text.data + i + 6 * found + 2, 4);
      code[found++] = (uint32_t)strtoul(hex, NULL, 16);
    }
    if (found == 0) {
      bytes_add(into, text.data + i++, 1);
    } else if (found == 2 && code[0] >= 0xD800 && code[0] < 0xDC00 && code[1] >= 0xDC00 &&
               code[1] < 0xE000) {
      bytes_add_code_point(into, 0x10000 + ((code[0] - 0xD800) << 10) + (code[1] - 0xDC00));
      i += 12;
    } else {
      bytes_add_code_point(into, code[0]);
      i += 6;
    }
  }
}

static bool has_surrogate(const struct bytes *text) {
  for (size_t i = 0; i + 2 < text->length; i++)
    if ((unsigned char)text->data[i] == 0xED && (unsigned char)text->data[i + 1] >= 0xA0)
      return true;
  return false;
}

static lanner_string slice(const struct bytes *bytes) {
  return (lanner_string){bytes->data, bytes->length};
}

static lanner_string element_text(const json_t *array, size_t index) {
  const json_t *value = json_array_get(array, index);
  if (!json_is_string(value)) return (lanner_string){NULL, 0};
  return (lanner_string){json_string_value(value), json_string_length(value)};
}

/* The tokens of a test, through the same recorder as the parser's. */
static void expect_tokens(struct recorder *into, const json_t *output, bool doubled) {
  const json_t *entry;
  size_t index;
  recorder_clear(into);
  json_array_foreach(output, index, entry) {
    struct bytes texts[3] = {{0}, {0}, {0}};
    lanner_attribute *attributes = NULL;
    struct bytes *names = NULL;
    lanner_token token;
    memset(&token, 0, sizeof token);
    const char *type = json_string_value(json_array_get(entry, 0));
    for (size_t i = 0; i < 3; i++)
      if (element_text(entry, i + 1).data) unescape(&texts[i], element_text(entry, i + 1), doubled);
    if (!type) {
      TEST_CHECK_MSG(false, "a token without type");
    } else if (strcmp(type, "DOCTYPE") == 0) {
      token.type = LANNER_TOKEN_DOCTYPE;
      token.has_name = texts[0].data != NULL;
      token.name = slice(&texts[0]);
      token.public_id = slice(&texts[1]);
      token.system_id = slice(&texts[2]);
      token.force_quirks = json_is_false(json_array_get(entry, 4));
    } else if (strcmp(type, "StartTag") == 0) {
      const json_t *list = json_array_get(entry, 2), *value;
      const char *key;
      size_t count = json_object_size(list), i = 0;
      token.type = LANNER_TOKEN_START_TAG;
      token.name = slice(&texts[0]);
      attributes = calloc(count + 1, sizeof *attributes);
      names = calloc(2 * count + 1, sizeof *names);
      if (!attributes || !names) abort();
      json_object_foreach((json_t *)(uintptr_t)list, key, value) {
        unescape(&names[2 * i], (lanner_string){key, strlen(key)}, doubled);
        unescape(&names[2 * i + 1],
                 (lanner_string){json_string_value(value), json_string_length(value)}, doubled);
        attributes[i].name = slice(&names[2 * i]);
        attributes[i].value = slice(&names[2 * i + 1]);
        i++;
      }
      token.attributes = attributes;
      token.attribute_count = (uint32_t)count;
      token.self_closing = json_is_true(json_array_get(entry, 3));
    } else if (strcmp(type, "EndTag") == 0) {
      token.type = LANNER_TOKEN_END_TAG;
      token.name = slice(&texts[0]);
    } else if (strcmp(type, "Comment") == 0) {
      token.type = LANNER_TOKEN_COMMENT;
      token.data = slice(&texts[0]);
    } else if (strcmp(type, "Character") == 0) {
      token.type = LANNER_TOKEN_CHARACTERS;
      token.data = slice(&texts[0]);
    } else if (strcmp(type, "ProcessingInstruction") == 0) {
      token.type = LANNER_TOKEN_PROCESSING_INSTRUCTION;
      token.name = slice(&texts[0]);
      token.data = slice(&texts[1]);
    } else {
      TEST_CHECK_MSG(false, "unknown token %s", type);
    }
    record_token(into, &token);
    for (size_t i = 0; names && i < 2 * (size_t)token.attribute_count; i++) bytes_free(&names[i]);
    for (size_t i = 0; i < 3; i++) bytes_free(&texts[i]);
    free(names);
    free(attributes);
  }
  const lanner_token end = {.type = LANNER_TOKEN_EOF};
  record_token(into, &end);
}

static lanner_tokenizer_state state_named(const char *name) {
  static const struct {
    const char *name;
    lanner_tokenizer_state state;
  } states[] = {{"Data state", LANNER_STATE_DATA},
                {"PLAINTEXT state", LANNER_STATE_PLAINTEXT},
                {"RCDATA state", LANNER_STATE_RCDATA},
                {"RAWTEXT state", LANNER_STATE_RAWTEXT},
                {"Script data state", LANNER_STATE_SCRIPT_DATA},
                {"CDATA section state", LANNER_STATE_CDATA_SECTION}};
  for (size_t i = 0; i < sizeof states / sizeof *states; i++)
    if (name && strcmp(name, states[i].name) == 0) return states[i].state;
  TEST_CHECK_MSG(false, "unknown state %s", name ? name : "(none)");
  return LANNER_STATE_DATA;
}

static bool names_removed_code(const json_t *test) {
  const json_t *error;
  size_t index;
  json_array_foreach(json_object_get(test, "errors"), index, error) {
    const char *code = json_string_value(json_object_get(error, "code"));
    if (code && strcmp(code, "unexpected-question-mark-instead-of-tag-name") == 0) return true;
  }
  return false;
}

struct counts {
  size_t files, tests, removed, runs;
};

static void visit_file(const char *path, const char *name, token_visitor visit,
                       struct counts *counts) {
  json_t *json = read_json(path), *entry, *error;
  json_t *tests = json_object_get(json, "tests");
  size_t index, row;
  struct bytes input = {0};
  if (!TEST_CHECK_MSG(json_is_array(tests), "%s: no tests", path)) {
    json_decref(json);
    return;
  }
  counts->files++;
  json_array_foreach(tests, index, entry) {
    counts->tests++;
    if (names_removed_code(entry)) {
      counts->removed++;
      continue;
    }
    struct token_case test;
    memset(&test, 0, sizeof test);
    bool doubled = json_flag(entry, "doubleEscaped", false);
    unescape(&input, json_text(entry, "input"), doubled);
    bytes_add(&test.input, "", 0);
    add_decoded_input(&test.input, input.data, input.length);
    test.surrogates = has_surrogate(&input);
    surrogate_cases += test.surrogates;
    test.last_start_tag = json_string_value(json_object_get(entry, "lastStartTag"));
    test.cdata = json_flag(entry, "cdataAllowed", false); /* own cases */
    expect_tokens(&test.expected, json_object_get(entry, "output"), doubled);
    json_array_foreach(json_object_get(entry, "errors"), row, error) {
      bytes_add_format(&test.expected.errors, "%d:%d %s\n",
                       (int)json_integer_value(json_object_get(error, "line")),
                       (int)json_integer_value(json_object_get(error, "col")),
                       json_string_value(json_object_get(error, "code")));
    }
    json_t *states = json_object_get(entry, "initialStates");
    size_t state_count = json_is_array(states) ? json_array_size(states) : 1;
    for (size_t i = 0; i < state_count; i++) {
      const char *state =
          json_is_array(states) ? json_string_value(json_array_get(states, i)) : "Data state";
      test.state = state_named(state);
      snprintf(test.name, sizeof test.name, "%s #%zu %.80s (%.20s)", name, index + 1,
               json_text(entry, "description").data ? json_text(entry, "description").data : "",
               state);
      visit(&test);
      counts->runs++;
    }
    bytes_free(&test.input);
    recorder_free(&test.expected);
  }
  bytes_free(&input);
  json_decref(json);
}

static void begin(void) {
  tokenizer = lanner_tokenizer_new(NULL);
  surrogate_cases = 0;
  TEST_CHECK(tokenizer != NULL);
}

static void finish(const struct counts *counts) {
  test_note("%zu tests in %zu files: %zu runs; %zu that name a code which the Standard no longer "
            "has left out%s",
            counts->tests, counts->files, counts->runs, counts->removed,
            test_full_effort() ? "" : " (cuts are sampled)");
  if (surrogate_cases)
    test_note("%zu with lone surrogates run in the checked instance only", surrogate_cases);
  lanner_tokenizer_free(tokenizer);
  tokenizer = NULL;
  recorder_free(&got);
  recorder_free(&whole);
  memset(&got, 0, sizeof got);
  memset(&whole, 0, sizeof whole);
}

/* --- html5lib's suite --- */

static void suite(token_visitor visit) {
  char *folder = test_shared_path("conformance/html5lib-tests/tokenizer");
  if (!folder) return;
  struct counts counts = {0, 0, 0, 0};
  struct names names = list_folder(folder, ".test");
  begin();
  for (size_t f = 0; f < names.count; f++) {
    /* It is about coercion to an XML infoset, not about the Standard. */
    if (strcmp(names.items[f], "xmlViolation.test") == 0) continue;
    char *path = join_path(folder, names.items[f]);
    visit_file(path, names.items[f], visit, &counts);
    free(path);
  }
  TEST_CHECK_MSG(counts.tests == 6806, "%zu tests instead of 6806", counts.tests);
  TEST_CHECK_MSG(counts.removed == 38, "%zu tests left out instead of 38", counts.removed);
  TEST_CHECK_MSG(surrogate_cases == 4, "%zu tests with surrogates instead of 4", surrogate_cases);
  finish(&counts);
  names_free(&names);
  free(folder);
}

void test_tokenizer_suite_whole(void) { suite(check_whole); }
void test_tokenizer_suite_bytes(void) { suite(check_bytes); }
void test_tokenizer_suite_cuts(void) { suite(check_cuts); }
void test_tokenizer_suite_segments(void) { suite(check_segments); }

/* --- processing instructions; own cases --- */

static void everything(const struct token_case *test) {
  check_whole(test);
  check_bytes(test);
  check_cuts(test);
  check_segments(test);
}

void test_tokenizer_processing_instructions(void) {
  char *path = test_shared_path("conformance/extra/processing-instruction-tokens.json");
  if (!path) return;
  struct counts counts = {0, 0, 0, 0};
  begin();
  visit_file(path, "processing-instruction-tokens.json", everything, &counts);
  TEST_CHECK_MSG(counts.tests == 31, "%zu tests instead of 31", counts.tests);
  finish(&counts);
  free(path);
}

void test_regress_tokenizer(void) {
  struct counts counts = {0, 0, 0, 0};
  struct names names = list_folder("tests/regress", ".test");
  begin();
  for (size_t f = 0; f < names.count; f++) {
    char *path = join_path("tests/regress", names.items[f]);
    visit_file(path, names.items[f], everything, &counts);
    free(path);
  }
  finish(&counts);
  names_free(&names);
}

/* The own cases hold every error that the tokenizer and the input stream raise. */
void test_regress_every_error(void) {
  struct names names = list_folder("tests/regress", ".test");
  struct bytes all = {0}, text = {0};
  for (size_t f = 0; f < names.count; f++) {
    char *path = join_path("tests/regress", names.items[f]);
    if (read_file(path, &text)) bytes_add(&all, text.data, text.length);
    free(path);
  }
  size_t codes = 0;
  for (uint32_t code = 0; code < 1000; code++) {
    const char *name = lanner_error_name((uint16_t)code);
    if (!lanner_error_is_standard((uint16_t)code)) continue;
    if (strcmp(name, "non-void-html-element-start-tag-with-trailing-solidus") == 0) continue;
    char quoted[128];
    snprintf(quoted, sizeof quoted, "\"code\": \"%s\"", name);
    TEST_CHECK_MSG(all.data && strstr(all.data, quoted), "no case with %s", name);
    codes++;
  }
  TEST_CHECK_MSG(codes == 51, "%zu codes", codes);
  bytes_free(&all);
  bytes_free(&text);
  names_free(&names);
}

/* --- a sample of every error --- */

void test_tokenizer_error_samples(void) {
  char *path = test_shared_path("conformance/extra/parse-error-codes.json");
  if (!path) return;
  json_t *json = read_json(path), *entry;
  size_t index, seen = 0;
  struct bytes input = {0};
  begin();
  json_array_foreach(json_object_get(json, "tests"), index, entry) {
    lanner_string text = json_text(entry, "input"), code = json_text(entry, "code");
    lanner_string position = json_text(entry, "position");
    if (strcmp(position.data, "raised by tree construction") == 0) continue; /* test_errors.c */
    struct token_run plan;
    token_run_init(&plan, LANNER_ERRORS, LANNER_FEEDBACK_NONE);
    if (strncmp(text.data, "(foreign)", 9) == 0) {
      plan.options.cdata_allowed = true;
      text.data += 9;
      text.length -= 9;
    } else if (strncmp(text.data, "(script data)", 13) == 0) {
      plan.options.state = LANNER_STATE_SCRIPT_DATA;
      text.data += 13;
      text.length -= 13;
    }
    unescape(&input, text, true);
    if (has_surrogate(&input)) plan.options.flags |= LANNER_INPUT_CLEAN;
    seen++;
    for (size_t step = 0; step <= 2; step++) {
      plan.plan.kind = step ? STEPS : WHOLE;
      plan.plan.at = step;
      if (!run_tokens(tokenizer, &plan, input.data, input.length, &got, code.data)) continue;
      char want[128];
      snprintf(want, sizeof want, "%s %s\n", position.data, code.data);
      bool found = got.errors.data && strstr(got.errors.data, want);
      TEST_CHECK_MSG(found, "%s: got %s, expected %s in it", shown(input.data, input.length),
                     shown(got.errors.data, got.errors.length), want);
    }
  }
  TEST_CHECK_MSG(seen == 51, "%zu codes instead of 51", seen);
  const struct counts counts = {1, seen, 0, seen * 3};
  finish(&counts);
  bytes_free(&input);
  json_decref(json);
  free(path);
}
