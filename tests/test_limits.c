/* test_limits.c - each limit: when it strikes, what it keeps, its flag and offset (more of these in
 * test_limit_offsets.c); and that a limit of 0, or one that is not reached, changes nothing. */
#include "dat.h"
#include "pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static lanner_options defaults(void) {
  lanner_options options;
  lanner_options_init(&options);
  options.encoding = "UTF-8";
  return options;
}

static void body_is(const lanner_document *document, const char *expected, const char *what) {
  struct bytes text = {0}, want = {0};
  tree_text(document, &text);
  bytes_add_text(&want, "| <html>\n|   <head>\n|   <body>\n");
  bytes_add_text(&want, expected);
  TEST_CHECK_MSG(bytes_equal(&text, &want), "%s: %s", what, difference(&text, &want));
  tree_sound(document, what);
  bytes_free(&text);
  bytes_free(&want);
}

/* --- depth --- */

/* The stack of open elements is counted. When it holds more than the limit, elements go into the
 * parent of the current node; what does not stay on the stack (void elements, comments) does so one
 * element later, as in Chromium. Text stays in the current node. */
void test_limits_depth(void) {
  static const struct {
    const char *input, *body;
    uint32_t limit;
    bool struck;
  } cases[] = {
      /* html, body, div are three; p is the fourth and may still be nested. */
      {"<div><p>x", "|     <div>\n|       <p>\n|         \"x\"\n", 3, false},
      {"<div><p>x<b>y</b>z",
       "|     <div>\n|       <p>\n|         \"xz\"\n|       <b>\n|         \"y\"\n", 3, true},
      {"<div><p>x<b>y<i>z</i></b>w",
       "|     <div>\n|       <p>\n|         \"xw\"\n|       <b>\n|         \"y\"\n|       <i>\n|   "
       "      \"z\"\n",
       3, true},
      {"<div><p>x<!--c-->y",
       "|     <div>\n|       <p>\n|         \"x\"\n|         <!-- c -->\n|         \"y\"\n", 3,
       false},
      {"<div><p><i>x<!--c-->y",
       "|     <div>\n|       <p>\n|       <i>\n|         \"xy\"\n|       <!-- c -->\n", 3, true},
      {"<div><p><i>x<?a b?>y",
       "|     <div>\n|       <p>\n|       <i>\n|         \"xy\"\n|       <?a b?>\n", 3, true},
      {"<div><p>x<br>y",
       "|     <div>\n|       <p>\n|         \"x\"\n|         <br>\n|         \"y\"\n", 3, false},
      {"<div><p><i>x<br>y<img>z",
       "|     <div>\n|       <p>\n|       <i>\n|         \"xyz\"\n|       <br>\n|       <img>\n", 3,
       true},
      /* What is closed makes room again. */
      {"<div><p><b></b></p><i><u>x",
       "|     <div>\n|       <p>\n|       <b>\n|       <i>\n|       <u>\n|         \"x\"\n", 3,
       true},
      {"<div><span></span><span></span><span>x",
       "|     <div>\n|       <span>\n|       <span>\n|       <span>\n|         \"x\"\n", 3, false},
      {"<div><div><div>x", "|     <div>\n|       <div>\n|         <div>\n|           \"x\"\n", 0,
       false},
  };
  lanner_document *document = lanner_document_new(NULL);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    lanner_options options = defaults();
    options.limits.depth = cases[i].limit;
    TEST_CHECK(lanner_parse(document, cases[i].input, strlen(cases[i].input), &options) ==
               LANNER_OK);
    body_is(document, cases[i].body, cases[i].input);
    TEST_CHECK_MSG((lanner_document_limits(document) == LANNER_LIMIT_DEPTH) == cases[i].struck,
                   "%s: flag", cases[i].input);
  }
  lanner_document_free(document);
}

/* Around the default limit: the trees that Chromium builds. */
void test_limits_depth_chromium(void) {
  enum { TOP = 507 };
  json_t *json = read_json("tests/regress/depth.json"), *entry, *line;
  size_t index, row, seen = 0;
  lanner_document *document = lanner_document_new(NULL);
  struct bytes input = {0}, expected = {0}, got = {0};
  json_array_foreach(json_object_get(json, "tests"), index, entry) {
    long long open = json_integer_value(json_object_get(entry, "open"));
    lanner_string tail = json_text(entry, "input");
    char what[128];
    snprintf(what, sizeof what, "%lld div, then %.90s", open, tail.data);
    bytes_clear(&input);
    for (long long i = 0; i < open; i++) bytes_add_text(&input, "<div>");
    bytes_add(&input, tail.data, tail.length);
    bytes_clear(&expected);
    json_array_foreach(json_object_get(entry, "inside"), row, line) {
      bytes_add(&expected, json_string_value(line), json_string_length(line));
      bytes_add_text(&expected, "\n");
    }
    for (size_t step = 0; step <= 1; step++) {
      struct tree_run run;
      tree_run_init(&run, LANNER_NO_SHADOW);
      run.plan.kind = step ? STEPS : WHOLE;
      run.plan.at = step;
      if (!run_tree(document, &run, input.data, input.length, LANNER_OK, what)) continue;
      tree_sound(document, what);
      /* The body: a comment may stand behind it or behind html. */
      lanner_node node = LANNER_DOCUMENT_NODE;
      for (int level = 0; level < 2; level++) {
        node = lanner_last_child(document, node);
        while (node && lanner_node_kind(document, node) != LANNER_ELEMENT)
          node = lanner_previous_sibling(document, node);
      }
      for (int i = 0; i < TOP; i++) node = lanner_first_child(document, node);
      bytes_clear(&got);
      TEST_CHECK(lanner_serialize_test(document, node, write_bytes, &got) == LANNER_OK);
      TEST_CHECK_MSG(test_case(what, bytes_equal(&got, &expected)), "%s: got\n%sexpected\n%s", what,
                     got.data ? got.data : "", expected.data);
    }
    seen++;
  }
  TEST_CHECK_MSG(seen == 129, "%zu cases instead of 129", seen);
  bytes_free(&input);
  bytes_free(&expected);
  bytes_free(&got);
  json_decref(json);
  lanner_document_free(document);
}

/* The number of levels below the Document. */
static size_t depth_of(const lanner_document *document, lanner_node node) {
  size_t depth = 0;
  while ((node = lanner_parent(document, node)) != 0) depth++;
  return depth;
}

/* With the default, the deepest element is level 513, html being 1; no text is lost. */
void test_limits_depth_default(void) {
  static const char *const tags[] = {
      "<div>",           "<b>",        "<svg>",    "<math><mi>", "<ul><li>", "<font size=1>",
      "<table><tr><td>", "<template>", "<select>", "<button>",   "<x-y>"};
  lanner_document *document = lanner_document_new(NULL);
  for (size_t t = 0; t < sizeof tags / sizeof *tags; t++) {
    for (size_t count = 300; count <= 1200; count += 300) {
      struct bytes input = {0};
      for (size_t i = 0; i < count; i++) {
        bytes_add_text(&input, tags[t]);
        bytes_add_text(&input, "t");
      }
      lanner_options options = defaults();
      TEST_CHECK(lanner_parse(document, input.data, input.length, &options) == LANNER_OK);
      tree_sound(document, tags[t]);
      size_t deepest = 0, letters = 0;
      for (lanner_node node = 1; node <= lanner_document_node_count(document); node++) {
        if (lanner_node_kind(document, node) == LANNER_ELEMENT && lanner_parent(document, node)) {
          size_t depth = depth_of(document, node);
          if (depth > deepest) deepest = depth;
        }
        if (lanner_node_kind(document, node) == LANNER_TEXT && lanner_parent(document, node))
          letters += lanner_data(document, node).length;
      }
      bool struck = (lanner_document_limits(document) & LANNER_LIMIT_DEPTH) != 0;
      TEST_CHECK_MSG(letters == count, "%s x %zu: %zu of %zu letters", tags[t], count, letters,
                     count);
      TEST_CHECK_MSG(deepest <= 513, "%s x %zu: level %zu", tags[t], count, deepest);
      if (struck) {
        TEST_CHECK(lanner_document_limit_offset(document, LANNER_LIMIT_DEPTH) > 0);
        TEST_CHECK(lanner_document_limit_offset(document, LANNER_LIMIT_DEPTH) < input.length);
      }
      if (strcmp(tags[t], "<div>") == 0) {
        TEST_CHECK(struck == (count > 511));
        TEST_CHECK_MSG(deepest == (count + 2 > 513 ? 513 : count + 2), "%zu", deepest);
        /* html, body and 511 times div fit; the 512th is the first at the limit. */
        if (struck)
          TEST_CHECK_MSG(
              lanner_document_limit_offset(document, LANNER_LIMIT_DEPTH) == 511 * 6, "%llu",
              (unsigned long long)lanner_document_limit_offset(document, LANNER_LIMIT_DEPTH));
      }
      bytes_free(&input);
    }
  }
  lanner_document_free(document);
}

/* --- attributes --- */

void test_limits_attributes(void) {
  static const char page[] = "<p a=1 b=2 c=3 d=4 e=5>x<i f=1 g=2>y";
  lanner_document *document = lanner_document_new(NULL);
  lanner_options options = defaults();
  TEST_CHECK(options.limits.attributes == 0 || options.limits.attributes >= 1000);
  options.limits.attributes = 3;
  for (size_t step = 0; step <= 1; step++) {
    struct tree_run run;
    tree_run_init(&run, 0);
    run.options = options;
    run.plan.kind = step ? STEPS : WHOLE;
    run.plan.at = step;
    run_tree(document, &run, page, sizeof page - 1, LANNER_OK, "attributes");
    body_is(
        document,
        "|     <p>\n|       a=\"1\"\n|       b=\"2\"\n|       c=\"3\"\n|       \"x\"\n|       <i>\n"
        "|         f=\"1\"\n|         g=\"2\"\n|         \"y\"\n",
        "attributes");
    TEST_CHECK(lanner_document_limits(document) == LANNER_LIMIT_ATTRIBUTES);
    uint64_t offset = lanner_document_limit_offset(document, LANNER_LIMIT_ATTRIBUTES);
    TEST_CHECK_MSG(offset >= 15 && offset <= 23, "%llu", (unsigned long long)offset);
  }
  options.limits.attributes = 5; /* just enough */
  TEST_CHECK(lanner_parse(document, page, sizeof page - 1, &options) == LANNER_OK);
  TEST_CHECK(lanner_document_limits(document) == 0);
  lanner_document_free(document);
}

/* --- errors --- */

void test_limits_errors(void) {
  lanner_document *document = lanner_document_new(NULL);
  struct bytes input = {0};
  for (int i = 0; i < 100; i++) bytes_add_text(&input, "<p a a>&#0;</p/>");
  lanner_options options = defaults();
  options.flags = LANNER_ERRORS;
  TEST_CHECK(lanner_parse(document, input.data, input.length, &options) == LANNER_OK);
  uint64_t total = lanner_document_error_total(document);
  size_t count = 0;
  lanner_document_errors(document, &count);
  TEST_CHECK(count == total && total >= 300 && lanner_document_limits(document) == 0);
  options.limits.errors = 7;
  TEST_CHECK(lanner_parse(document, input.data, input.length, &options) == LANNER_OK);
  const lanner_error *errors = lanner_document_errors(document, &count);
  TEST_CHECK(count == 7 && lanner_document_error_total(document) == total);
  TEST_CHECK(lanner_document_limits(document) == LANNER_LIMIT_ERRORS);
  if (count == 7)
    TEST_CHECK(lanner_document_limit_offset(document, LANNER_LIMIT_ERRORS) >= errors[6].offset);
  options.limits.errors = 0;
  TEST_CHECK(lanner_parse(document, input.data, input.length, &options) == LANNER_OK);
  lanner_document_errors(document, &count);
  TEST_CHECK(count == total);
  lanner_document_free(document);
  bytes_free(&input);
}

/* --- limits that stop the parse --- */

static bool has_element(const lanner_document *document, const char *name) {
  for (lanner_node node = LANNER_DOCUMENT_NODE; node;
       node = lanner_next(document, node, LANNER_DOCUMENT_NODE)) {
    lanner_string found = lanner_name(document, node);
    if (lanner_node_kind(document, node) == LANNER_ELEMENT && found.length == strlen(name) &&
        memcmp(found.data, name, found.length) == 0)
      return true;
  }
  return false;
}

/* After a stop: complete with html, head and body (unless a tiny memory limit left no room for
 * them), sound, printable, usable again. */
static void stopped_well(lanner_document *document, bool tiny, const char *what) {
  struct bytes text = {0};
  bool frames = has_element(document, "frameset");
  TEST_CHECK_MSG(tiny || (has_element(document, "html") && has_element(document, "head") &&
                          (frames || has_element(document, "body"))),
                 "%s: incomplete", what);
  tree_sound(document, what);
  TEST_CHECK(lanner_serialize_inner(document, LANNER_DOCUMENT_NODE, false, write_bytes, &text) ==
             LANNER_OK);
  TEST_CHECK(tiny || text.length > 0);
  TEST_CHECK(lanner_parse_feed(document, "x", 1) != LANNER_OK);
  TEST_CHECK(lanner_parse(document, "<p>again", 8, NULL) == LANNER_OK);
  body_is(document, "|     <p>\n|       \"again\"\n", what);
  TEST_CHECK(lanner_document_limits(document) == 0);
  bytes_free(&text);
}

void test_limits_nodes(void) {
  lanner_document *document = lanner_document_new(NULL);
  struct bytes input = {0};
  for (int i = 0; i < 1000; i++) bytes_add_text(&input, "<p>x");
  for (uint32_t limit = 1; limit <= 3000; limit += limit < 20 ? 1 : 331) {
    for (size_t step = 0; step <= 5; step += 5) {
      char what[64];
      snprintf(what, sizeof what, "%u nodes, steps of %zu", (unsigned)limit, step);
      struct tree_run run;
      tree_run_init(&run, 0);
      run.options.limits.nodes = limit;
      run.plan.kind = step ? STEPS : WHOLE;
      run.plan.at = step;
      bool strikes = limit < 2004; /* Document, html, head, body, 1000 p, 1000 texts */
      run_tree(document, &run, input.data, input.length, strikes ? LANNER_ERROR_LIMIT : LANNER_OK,
               what);
      uint32_t count = lanner_document_node_count(document);
      /* The token that passes the limit is completed (its node, one of text, an implied body), and the
       * document with html, head and body when the limit is smaller than that. */
      TEST_CHECK_MSG(count <= (limit < 4 ? 4 : limit) + 3, "%s: %u nodes", what, (unsigned)count);
      TEST_CHECK_MSG(lanner_document_limits(document) == (strikes ? LANNER_LIMIT_NODES : 0),
                     "%s: flag", what);
      if (strikes) {
        uint64_t offset = lanner_document_limit_offset(document, LANNER_LIMIT_NODES);
        TEST_CHECK_MSG(offset <= input.length, "%s: at %llu", what, (unsigned long long)offset);
        TEST_CHECK_MSG(limit < 10 || count >= limit - 2, "%s: only %u", what, (unsigned)count);
        if (limit >= 10)
          TEST_CHECK_MSG(offset >= (limit - 8) * 2, "%s: at %llu", what,
                         (unsigned long long)offset);
        stopped_well(document, false, what);
      }
    }
  }
  lanner_document_free(document);
  bytes_free(&input);
}

/* What a page is expected to need does not take the limit from what it needs. */
void test_limits_memory_estimate(void) {
  struct bytes page = {0};
  for (int i = 0; i < 100000; i++) bytes_add_text(&page, "ten bytes ");
  lanner_document *document = lanner_document_new(NULL);
  lanner_options options;
  lanner_options_init(&options);
  options.limits.memory = 1100000;
  TEST_CHECK(lanner_parse(document, page.data, page.length, &options) == LANNER_OK);
  lanner_memory memory = lanner_document_memory(document);
  TEST_CHECK_MSG(memory.peak <= 1100000 && memory.used <= memory.held, "%zu used, %zu held, %zu",
                 memory.used, memory.held, memory.peak);
  /* The caller's text is none of the document's memory, though room for another is kept. */
  bytes_add(&page, "", 1);
  for (int i = 0; i < LANNER_PADDING; i++) bytes_add(&page, "", 1);
  options.flags |= LANNER_INPUT_PADDED;
  TEST_CHECK(lanner_parse(document, page.data, 1000000, &options) == LANNER_OK);
  TEST_CHECK(lanner_document_memory(document).used < 10000);
  lanner_document_free(document);
  bytes_free(&page);
}

void test_limits_memory(void) {
  for (size_t i = 0; i < test_page_count; i++) {
    if (test_pages[i].context || (test_pages[i].flags & LANNER_PLAINTEXT)) continue;
    struct bytes input = {0};
    test_pages[i].make(&input);
    lanner_document *document = lanner_document_new(NULL);
    struct tree_run run;
    tree_run_init(&run, test_pages[i].flags);
    run.options.encoding = NULL;
    run_tree(document, &run, input.data, input.length, LANNER_OK, test_pages[i].name);
    size_t peak = lanner_document_memory(document).peak;
    lanner_document_free(document);
    for (int part = 1; part <= 9; part += 2) {
      char what[128];
      snprintf(what, sizeof what, "%s, %d tenths of its memory", test_pages[i].name, part);
      document = lanner_document_new(NULL);
      run.options.limits.memory = peak / 10 * (size_t)part;
      lanner_status status = lanner_parse(document, input.data, input.length, &run.options);
      lanner_memory memory = lanner_document_memory(document);
      TEST_CHECK_MSG(status == LANNER_ERROR_LIMIT || status == LANNER_OK, "%s: %s", what,
                     lanner_status_text(status));
      /* Completing the document and what an empty one holds may go beyond a tiny limit. */
      TEST_CHECK_MSG(memory.peak <= run.options.limits.memory || memory.peak <= 65536,
                     "%s: peak %zu, allowed %llu", what, memory.peak,
                     (unsigned long long)run.options.limits.memory);
      if (status == LANNER_ERROR_LIMIT) {
        TEST_CHECK(lanner_document_limits(document) & LANNER_LIMIT_MEMORY);
        TEST_CHECK(lanner_document_limit_offset(document, LANNER_LIMIT_MEMORY) <= input.length);
        stopped_well(document, run.options.limits.memory < 34816, what);
      } else {
        TEST_CHECK(!(lanner_document_limits(document) & LANNER_LIMIT_MEMORY));
      }
      lanner_document_free(document);
    }
    bytes_free(&input);
  }
}

void test_limits_input(void) {
  static const char page[] = "<!DOCTYPE html><p>one</p><p>two</p><p>three</p>";
  lanner_document *document = lanner_document_new(NULL);
  lanner_document *prefix = lanner_document_new(NULL);
  struct bytes text = {0}, want = {0};
  for (uint64_t limit = 1; limit <= sizeof page; limit++) {
    for (size_t step = 0; step <= 1; step++) {
      char what[64];
      snprintf(what, sizeof what, "%u bytes, steps of %zu", (unsigned)limit, step);
      struct tree_run run;
      tree_run_init(&run, 0);
      run.options.limits.input = limit;
      run.plan.kind = step ? STEPS : WHOLE;
      run.plan.at = step;
      bool strikes = limit < sizeof page - 1;
      run_tree(document, &run, page, sizeof page - 1, strikes ? LANNER_ERROR_LIMIT : LANNER_OK,
               what);
      TEST_CHECK_MSG(lanner_document_limits(document) == (strikes ? LANNER_LIMIT_INPUT : 0),
                     "%s: flag", what);
      if (!strikes) continue;
      TEST_CHECK_MSG(
          lanner_document_limit_offset(document, LANNER_LIMIT_INPUT) == limit, "%s: offset %llu",
          what, (unsigned long long)lanner_document_limit_offset(document, LANNER_LIMIT_INPUT));
      /* What was read before it is there: the tree is that of a prefix, up to an unfinished token. */
      bool found = false;
      tree_text(document, &text);
      for (size_t length = (size_t)limit; length + 1 > 0 && !found; length--) {
        run.options.limits.input = 0;
        run.plan.kind = WHOLE;
        run_tree(prefix, &run, page, length, LANNER_OK, what);
        tree_text(prefix, &want);
        found = bytes_equal(&text, &want);
        if (length == 0 || (size_t)limit - length > 15) break;
      }
      TEST_CHECK_MSG(found, "%s: not the tree of a prefix: %s", what, text.data);
      stopped_well(document, false, what);
    }
  }
  bytes_free(&text);
  bytes_free(&want);
  lanner_document_free(document);
  lanner_document_free(prefix);
}

/* Input that is promised to be valid UTF-8 stays so where the limit cuts a character. */
void test_limits_input_clean(void) {
  static const char page[] = "<p>\xE2\x82\xAC\xF0\x9F\x98\x80x";
  static const size_t whole[] = {0, 1, 2, 3, 3, 3, 6, 6, 6, 6, 10, 11};
  lanner_document *document = lanner_document_new(NULL);
  struct bytes got = {0};
  for (size_t limit = 4; limit < sizeof page - 1; limit++) {
    for (size_t piece = 0; piece < 4; piece++) {
      lanner_options options;
      lanner_options_init(&options);
      options.flags = LANNER_INPUT_CLEAN;
      options.limits.input = limit;
      lanner_status status = LANNER_OK;
      if (!piece) status = lanner_parse(document, page, sizeof page - 1, &options);
      if (piece) TEST_CHECK(lanner_parse_begin(document, NULL, &options) == LANNER_OK);
      for (size_t at = 0; piece && !status && at < sizeof page - 1; at += piece)
        status = lanner_parse_feed(document, page + at,
                                   piece < sizeof page - 1 - at ? piece : sizeof page - 1 - at);
      TEST_CHECK(status == LANNER_ERROR_LIMIT);
      TEST_CHECK(lanner_document_limit_offset(document, LANNER_LIMIT_INPUT) == limit);
      bytes_clear(&got);
      lanner_serialize_inner(document, LANNER_DOCUMENT_NODE, false, write_bytes, &got);
      TEST_CHECK_MSG(got.length == strlen("<html><head></head><body><p></p></body></html>") +
                                       whole[limit] - 3,
                     "%zu: %s", limit, got.data);
    }
  }
  bytes_free(&got);
  lanner_document_free(document);
}

/* Limits that are off, or not reached, leave the result as it is. */
void test_limits_off(void) {
  struct bytes want = {0}, got = {0};
  lanner_document *document = lanner_document_new(NULL);
  for (size_t i = 0; i < test_page_count; i++) {
    struct bytes input = {0};
    lanner_context context;
    struct tree_run run;
    test_pages[i].make(&input);
    tree_run_init(&run, test_pages[i].flags);
    if (test_pages[i].context) {
      context =
          context_named((lanner_string){test_pages[i].context, strlen(test_pages[i].context)});
      run.context = &context;
    }
    run.options.limits.depth = 0;
    run_tree(document, &run, input.data, input.length, LANNER_OK, test_pages[i].name);
    tree_text(document, &want);
    TEST_CHECK(lanner_document_limits(document) == 0);
    memset(&run.options.limits, 0, sizeof run.options.limits);
    run_tree(document, &run, input.data, input.length, LANNER_OK, test_pages[i].name);
    tree_text(document, &got);
    TEST_CHECK_MSG(bytes_equal(&want, &got), "%s, all off: %s", test_pages[i].name,
                   difference(&got, &want));
    run.options.limits =
        (lanner_limits){100000, 1000000, 100000, 1000000, UINT64_C(1) << 30, 1000000};
    run_tree(document, &run, input.data, input.length, LANNER_OK, test_pages[i].name);
    tree_text(document, &got);
    TEST_CHECK_MSG(bytes_equal(&want, &got), "%s, far away: %s", test_pages[i].name,
                   difference(&got, &want));
    TEST_CHECK(lanner_document_limits(document) == 0);
    bytes_free(&input);
  }
  lanner_document_free(document);
  bytes_free(&want);
  bytes_free(&got);
}

/* Trees that are quadratic by the Standard stop at the node or memory limit. */
void test_limits_square(void) {
  enum { N = 1500 };
  struct bytes input = {0};
  for (int i = 0; i < N; i++) bytes_add_format(&input, "<b a%d>", i);
  for (int i = 0; i < N; i++) bytes_add_format(&input, "<i a%d>", i);
  for (int i = 0; i < N; i++) bytes_add_text(&input, "x</b>");
  lanner_document *document = lanner_document_new(NULL);
  lanner_options options = defaults();
  options.limits.depth = 0;
  options.limits.nodes = 100000;
  TEST_CHECK(lanner_parse(document, input.data, input.length, &options) == LANNER_ERROR_LIMIT);
  TEST_CHECK(lanner_document_limits(document) == LANNER_LIMIT_NODES);
  TEST_CHECK(lanner_document_node_count(document) <= 100000);
  stopped_well(document, false, "square, nodes");
  lanner_document_free(document);
  document = lanner_document_new(NULL);
  options.limits.nodes = 0;
  options.limits.memory = 8 << 20;
  TEST_CHECK(lanner_parse(document, input.data, input.length, &options) == LANNER_ERROR_LIMIT);
  TEST_CHECK(lanner_document_limits(document) == LANNER_LIMIT_MEMORY);
  TEST_CHECK(lanner_document_memory(document).peak <= 8 << 20);
  stopped_well(document, false, "square, memory");
  lanner_document_free(document);
  bytes_free(&input);
}

/* The insertion modes of templates stand on a stack of their own: when memory for it ends, each open
 * template still has one. */
void test_limits_memory_templates(void) {
  struct bytes input = {0};
  lanner_document *document = NULL;
  lanner_options options = defaults();
  options.limits.depth = 0;
  size_t struck = 0;
  for (int count = 1; count <= 70; count++) {
    bytes_add_text(&input, "<template>");
    if (count % 5) continue;
    for (options.limits.memory = 20480;; options.limits.memory += 32) {
      lanner_document_free(document);
      document = lanner_document_new(NULL);
      lanner_status status = lanner_parse(document, input.data, input.length, &options);
      if (status == LANNER_OK) break;
      TEST_CHECK(status == LANNER_ERROR_LIMIT);
      TEST_CHECK(lanner_document_limits(document) == LANNER_LIMIT_MEMORY);
      tree_sound(document, "templates");
      struck++;
    }
  }
  TEST_CHECK(struck > 100);
  lanner_document_free(document);
  bytes_free(&input);
}
