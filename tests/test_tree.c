/* test_tree.c - the tree construction suites: every case whole, byte by byte, and cut in two at
 * every position, in the fast and the checked instance, and over a foreign tree. */
#include "tree_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void report(const struct tree_totals *totals) {
  test_note("%zu cases, %zu runs with their scripting modes, %zu bytes%s", totals->cases,
            totals->runs, totals->data_bytes, test_full_effort() ? "" : " (cuts are sampled)");
  tree_case_finish();
}

/* --- own cases --- */

static void own(tree_visitor visit) {
  struct tree_totals totals = {0, 0, 0};
  visit_dat_folder("tests/regress", ".dat", visit, &totals);
  report(&totals);
}

void test_regress_tree_whole(void) { own(tree_case_whole); }
void test_regress_tree_bytes(void) { own(tree_case_bytes); }
void test_regress_tree_cuts(void) { own(tree_case_cuts); }
void test_regress_tree_tokens(void) { own(tree_case_tokens); }
void test_regress_tree_foreign(void) { own(tree_case_foreign); }

/* --- the WPT and html5lib suites --- */

/* The counts are those of the suites, so that none goes missing unnoticed. */
static void standard_suites(tree_visitor visit) {
  static const struct {
    const char *folder, *suffix;
  } folders[] = {{"conformance/wpt-tree-construction", ".dat"},
                 /* scripted/ below it holds 4 tests that need a script engine */
                 {"conformance/html5lib-tests/tree-construction", ".dat"}};
  struct tree_totals totals = {0, 0, 0};
  bool package =
      test_suites_of_package(); /* one folder; see exceptions_package.txt for what it lacks */
  size_t count = package ? 1764 : 1940;
  for (size_t i = package ? 1 : 0; i < 2; i++) {
    char *folder = test_shared_path(folders[i].folder);
    if (!folder) return;
    visit_dat_folder(folder, folders[i].suffix, visit, &totals);
    free(folder);
  }
  TEST_CHECK_MSG(totals.cases == count, "%zu cases instead of %zu", totals.cases, count);
  if (package)
    test_note("the suites of a package: %zu cases of 1940, the other ones are newer", count);
  report(&totals);
}

void test_tree_suites_whole(void) { standard_suites(tree_case_whole); }
void test_tree_suites_bytes(void) { standard_suites(tree_case_bytes); }
void test_tree_suites_cuts(void) { standard_suites(tree_case_cuts); }
void test_tree_suites_tokens(void) { standard_suites(tree_case_tokens); }
void test_tree_suites_foreign(void) { standard_suites(tree_case_foreign); }

static void derived(tree_visitor visit) {
  struct tree_totals totals = {0, 0, 0};
  char *folder = test_shared_path("conformance/extra");
  if (!folder) return;
  visit_dat_folder(folder, ".dat", visit, &totals);
  free(folder);
  TEST_CHECK_MSG(totals.cases == 36, "%zu cases instead of 36", totals.cases);
  report(&totals);
}

void test_tree_derived(void) {
  derived(tree_case_whole);
  derived(tree_case_bytes);
  derived(tree_case_cuts);
  derived(tree_case_tokens);
  derived(tree_case_foreign);
}

/* How many errors the suites list and how many there are, a file a line. The suites count some
 * twice and list none in some files, so this is a trend, not a check of the numbers. */
static struct { size_t listed, found, equal, cases; } trend;

static void count_errors(const struct tree_case *test) {
  lanner_document *document = lanner_document_new(NULL);
  struct tree_run run;
  tree_run_init(&run, test->flags | LANNER_ERRORS);
  run.context = test->context;
  if (run_tree(document, &run, test->data.data, test->data.length, LANNER_OK, test->name)) {
    uint64_t found = lanner_document_error_total(document);
    trend.listed += test->dat->error_lines;
    trend.found += (size_t)found;
    trend.cases++;
    trend.equal += found == test->dat->error_lines;
    /* A conforming page has none; the suites are sure of that much. */
    if (test->dat->error_lines == 0) test_passed();
  }
  lanner_document_free(document);
}

void test_tree_error_counts(void) {
  memset(&trend, 0, sizeof trend);
  standard_suites(count_errors);
  if (trend.cases)
    test_note("trend: errors listed %zu, reported %zu; equal in %zu of %zu runs", trend.listed,
              trend.found, trend.equal, trend.cases);
}

/* --- trees that two other parsers agree on --- */

static void browser(tree_visitor visit) {
  char *folder = test_shared_path("conformance/browser");
  if (!folder) return;
  struct names names = list_folder(folder, ".jsonl");
  struct tree_totals totals = {0, 0, 0};
  struct bytes text = {0}, input = {0};
  for (size_t f = 0; f < names.count; f++) {
    char *path = join_path(folder, names.items[f]);
    read_file(path, &text);
    unsigned line = 0;
    for (const char *at = text.data, *end = at + text.length; at < end;) {
      const char *stop = memchr(at, '\n', (size_t)(end - at));
      if (!stop) stop = end;
      line++;
      json_error_t error;
      json_t *json = load_json(at, (size_t)(stop - at), &error);
      at = stop + 1;
      if (!TEST_CHECK_MSG(json != NULL, "%s:%u: %s", path, line, error.text)) continue;
      lanner_string data = json_text(json, "data"), tree = json_text(json, "tree");
      lanner_string name = json_text(json, "context");
      TEST_CHECK_MSG(data.data && tree.data, "%s:%u: no data or tree", path, line);
      if (tree.length == 1) tree.length = 0; /* an empty tree stands there as an empty line */
      bytes_clear(&input);
      bytes_add(&input, "", 0);
      add_decoded_input(&input, data.data, data.length);
      struct tree_case test;
      memset(&test, 0, sizeof test);
      snprintf(test.name, sizeof test.name, "%s:%u", names.items[f], line);
      lanner_context context;
      if (name.data) {
        context = context_named(name);
        test.context = &context;
      }
      test.data.data = input.data;
      test.data.length = input.length;
      test.flags = LANNER_NO_SHADOW; /* neither DOMParser nor innerHTML attaches shadow roots */
      test.expected = tree;
      totals.cases++;
      totals.runs++;
      totals.data_bytes += input.length;
      visit(&test);
      json_decref(json);
    }
    free(path);
  }
  bytes_free(&text);
  bytes_free(&input);
  names_free(&names);
  free(folder);
  TEST_CHECK_MSG(totals.cases == 6153, "%zu cases instead of 6153", totals.cases);
  report(&totals);
}

void test_tree_browser_whole(void) { browser(tree_case_whole); }
void test_tree_browser_bytes(void) { browser(tree_case_bytes); }
void test_tree_browser_cuts(void) { browser(tree_case_cuts); }
void test_tree_browser_tokens(void) { browser(tree_case_tokens); }
void test_tree_browser_foreign(void) { browser(tree_case_foreign); }

/* --- the newest rules: lists of lines in JSON --- */

static void json_documents(const char *rel, size_t count) {
  char *path = test_shared_path(rel);
  if (!path) return;
  json_t *json = read_json(path), *entry;
  size_t index, seen = 0;
  struct bytes expected = {0};
  json_array_foreach(json_object_get(json, "tests"), index, entry) {
    struct tree_case test;
    size_t row;
    json_t *line;
    memset(&test, 0, sizeof test);
    snprintf(test.name, sizeof test.name, "%s #%zu", strrchr(rel, '/') + 1, index + 1);
    bytes_clear(&expected);
    bytes_add(&expected, "", 0);
    json_array_foreach(json_object_get(entry, "document"), row, line) {
      bytes_add(&expected, json_string_value(line), json_string_length(line));
      bytes_add_text(&expected, "\n");
    }
    test.data = json_text(entry, "input");
    test.expected.data = expected.data;
    test.expected.length = expected.length;
    test.joined = true;
    if (!json_flag(entry, "allow_declarative_shadow_roots", true)) test.flags |= LANNER_NO_SHADOW;
    tree_case_whole(&test);
    tree_case_bytes(&test);
    tree_case_cuts(&test);
    tree_case_tokens(&test);
    tree_case_foreign(&test);
    seen++;
  }
  TEST_CHECK_MSG(seen == count, "%zu cases instead of %zu", seen, count);
  bytes_free(&expected);
  json_decref(json);
  free(path);
  tree_case_finish();
}

void test_tree_template_for(void) { json_documents("conformance/extra/template-for.json", 19); }

void test_tree_declarative_shadow(void) {
  json_documents("conformance/extra/declarative-shadow.json", 12);
}

static void inner_html(const lanner_document *document, lanner_node node, bool scripting,
                       struct bytes *into) {
  bytes_clear(into);
  bytes_add(into, "", 0);
  TEST_CHECK(lanner_serialize_inner(document, node, scripting, write_bytes, into) == LANNER_OK);
}

static lanner_node find_element(const lanner_document *document, const char *name) {
  lanner_node node = LANNER_DOCUMENT_NODE;
  while ((node = lanner_next(document, node, LANNER_DOCUMENT_NODE)) != 0) {
    lanner_string found = lanner_name(document, node);
    if (lanner_node_kind(document, node) == LANNER_ELEMENT && found.length == strlen(name) &&
        memcmp(found.data, name, found.length) == 0)
      return node;
  }
  return 0;
}

/* <div>placeholder</div>patch, as fragment in div and in template and as a page, whole, in single
 * bytes and in every cut. */
void test_tree_template_for_fragments(void) {
  char *path = test_shared_path("conformance/extra/template-for.json");
  if (!path) return;
  json_t *json = read_json(path), *entry;
  size_t index, seen = 0;
  struct bytes input = {0}, expected = {0}, got = {0};
  lanner_document *document = lanner_document_new(NULL);
  json_array_foreach(json_object_get(json, "fragment_tests"), index, entry) {
    lanner_string placeholder = json_text(entry, "placeholder"), patch = json_text(entry, "patch");
    lanner_string want = json_text(entry, "expected");
    bytes_clear(&input);
    bytes_add_text(&input, "<div>");
    bytes_add(&input, placeholder.data, placeholder.length);
    bytes_add_text(&input, "</div>");
    bytes_add(&input, patch.data, patch.length);
    bytes_clear(&expected);
    bytes_add_text(&expected, "<div>");
    bytes_add(&expected, want.data, want.length);
    bytes_add_text(&expected, "</div>");
    if (json_flag(entry, "patch_stays", false)) bytes_add(&expected, patch.data, patch.length);
    seen++;
    for (int way = 0; way < 3; way++) {
      static const char *const names[] = {"div", "template", NULL};
      lanner_context context;
      struct tree_run run;
      tree_run_init(&run, 0);
      if (names[way]) {
        context = context_named((lanner_string){names[way], strlen(names[way])});
        run.context = &context;
      }
      for (size_t cut = 0; cut <= input.length; cut++) {
        char what[128];
        snprintf(what, sizeof what, "fragment test %zu in %s, cut %zu", index + 1,
                 names[way] ? names[way] : "a page", cut);
        run.plan.kind = cut == 0 ? WHOLE : cut == input.length ? STEPS : CUT;
        run.plan.at = run.plan.kind == STEPS ? 1 : cut;
        if (!run_tree(document, &run, input.data, input.length, LANNER_OK, what)) continue;
        lanner_node root =
            names[way] ? lanner_fragment_root(document) : find_element(document, "body");
        inner_html(document, root, false, &got);
        TEST_CHECK_MSG(bytes_equal(&got, &expected), "%s: %s\n  input    %s", what,
                       difference(&got, &expected), shown(input.data, input.length));
      }
    }
  }
  TEST_CHECK_MSG(seen == 18, "%zu cases instead of 18", seen);
  test_note("%zu cases", seen);
  lanner_document_free(document);
  bytes_free(&input);
  bytes_free(&expected);
  bytes_free(&got);
  json_decref(json);
  free(path);
}

void test_tree_quirks(void) {
  static const char *const modes[] = {"no-quirks", "limited-quirks", "quirks"};
  char *path = test_shared_path("conformance/extra/doctype-quirks.json");
  if (!path) return;
  json_t *json = read_json(path), *entry;
  size_t index, seen = 0;
  lanner_document *document = lanner_document_new(NULL);
  json_array_foreach(json_object_get(json, "tests"), index, entry) {
    lanner_string input = json_text(entry, "input"), mode = json_text(entry, "mode");
    seen++;
    for (int srcdoc = 0; srcdoc <= 1; srcdoc++) {
      struct tree_run run;
      tree_run_init(&run, LANNER_ERRORS | (srcdoc ? LANNER_SRCDOC : 0));
      if (!run_tree(document, &run, input.data, input.length, LANNER_OK, "doctype")) continue;
      const char *want = srcdoc ? modes[0] : mode.data;
      TEST_CHECK_MSG(strcmp(modes[lanner_document_mode(document)], want) == 0,
                     "%s: %s, expected %s%s", input.data, modes[lanner_document_mode(document)],
                     want, srcdoc ? " (srcdoc)" : "");
      size_t count = 0, ours = 0;
      const lanner_error *errors = lanner_document_errors(document, &count);
      for (size_t i = 0; i < count; i++) ours += !lanner_error_is_standard(errors[i].code);
      bool expected = json_flag(entry, "parse_error", false);
      /* A missing DOCTYPE is no error in a srcdoc document. */
      bool missing = input.length == 0 || !strstr(input.data, "<!");
      if (srcdoc && missing) expected = false;
      TEST_CHECK_MSG((ours > 0) == expected, "%s: %zu errors of tree construction, expected %s",
                     input.data, ours, expected ? "some" : "none");
    }
  }
  TEST_CHECK_MSG(seen == 34, "%zu cases instead of 34", seen);
  lanner_document_free(document);
  json_decref(json);
  free(path);
}

void test_tree_serialization(void) {
  char *path = test_shared_path("conformance/extra/serialization.json");
  if (!path) return;
  json_t *json = read_json(path), *entry;
  size_t index, seen = 0;
  struct bytes got = {0};
  lanner_document *document = lanner_document_new(NULL);
  json_array_foreach(json_object_get(json, "tests"), index, entry) {
    lanner_string html = json_text(entry, "html"), want = json_text(entry, "expected_inner_html");
    lanner_context context = context_named(json_text(entry, "context"));
    bool scripting = json_flag(entry, "scripting", false);
    struct tree_run run;
    tree_run_init(&run, scripting ? LANNER_SCRIPTING : 0);
    run.context = &context;
    seen++;
    if (!run_tree(document, &run, html.data, html.length, LANNER_OK, "serialization")) continue;
    inner_html(document, lanner_fragment_root(document), scripting, &got);
    TEST_CHECK_MSG(bytes_are(&got, want.data, want.length), "%zu: %s: got %s, expected %s",
                   index + 1, html.data, got.data, want.data);
  }
  TEST_CHECK_MSG(seen == 33, "%zu cases instead of 33", seen);
  lanner_document_free(document);
  bytes_free(&got);
  json_decref(json);
  free(path);
}

/* What is serialized and parsed again gives the same tree, where the Standard's own text round
 * trips: no raw text in other places, no nested forms, tables or formatting that moves. */
void test_tree_round_trip(void) {
  static const char *const pages[] = {
      "<!DOCTYPE html><html lang=\"en\"><head><title>a &amp; "
      "b</title></head><body><p>x</p></body></html>",
      "<!DOCTYPE html><html><head></head><body><template><p>t</p></template><svg viewBox=\"0 0 1 "
      "1\">"
      "<foreignObject><p>f</p></foreignObject></svg><math><mi>x</mi></math></body></html>",
      "<!DOCTYPE html><html><head><script>a<b&&c</script></head><body><!-- c --><?pi data?>"
      "<table><tbody><tr><td>1</td></tr></tbody></table></body></html>",
      "<!DOCTYPE html><html><head></head><body><input "
      "value=\"&quot;&lt;&gt;&amp;&nbsp;\">\xE2\x82\xAC</body></html>",
  };
  lanner_document *document = lanner_document_new(NULL);
  struct bytes out = {0};
  for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
    struct tree_run run;
    tree_run_init(&run, 0);
    run_tree(document, &run, pages[i], strlen(pages[i]), LANNER_OK, "round trip");
    inner_html(document, LANNER_DOCUMENT_NODE, false, &out);
    TEST_CHECK_MSG(bytes_are(&out, pages[i], strlen(pages[i])), "got      %s\n  expected %s",
                   out.data, pages[i]);
    /* Outer of the root element is the same, less the DOCTYPE. */
    bytes_clear(&out);
    lanner_serialize_outer(document, find_element(document, "html"), false, write_bytes, &out);
    TEST_CHECK_MSG(bytes_are(&out, pages[i] + 15, strlen(pages[i]) - 15), "got %s", out.data);
  }
  bytes_free(&out);
  lanner_document_free(document);
}

/* Text and value of TEXT in a paragraph and its attribute; PIECE bytes at a time, 0: all at once. */
static void reference_text(lanner_document *document, const char *text, size_t length, size_t piece,
                           struct bytes *out) {
  char page[128];
  int size =
      snprintf(page, sizeof page, "<p a=\"%.*s\">%.*s", (int)length, text, (int)length, text);
  lanner_options options;
  lanner_options_init(&options);
  options.encoding = "utf-8"; /* else the first bytes are kept to be sniffed */
  lanner_status status = lanner_parse_begin(document, NULL, &options);
  if (!piece) status = lanner_parse(document, page, (size_t)size, &options);
  for (size_t at = 0; piece && at < (size_t)size; at += piece)
    status |= lanner_parse_feed(document, page + at,
                                (size_t)size - at < piece ? (size_t)size - at : piece);
  if (piece) status |= lanner_parse_end(document);
  TEST_CHECK(status == LANNER_OK);
  bytes_clear(out);
  inner_html(document, LANNER_DOCUMENT_NODE, false, out);
}

/* Complete references are decoded at once, those that a piece's end cuts by the states of the
 * Standard, one byte after the other. */
void test_tree_references(void) {
  static const char letters[] = "0123456789abcdefABCDEF089xX;;#&gz \x10\x16\x19";
  lanner_document *document = lanner_document_new(NULL);
  struct bytes whole = {0}, pieces = {0};
  uint64_t state = 11;
  unsigned rounds = test_full_effort() ? 200000 : 5000;
  for (unsigned round = 0; round < rounds; round++) {
    char text[32] = "&#";
    size_t length = 2, more = random_next(&state) % 9;
    if (round % 2) text[length++] = round % 4 == 1 ? 'x' : 'X';
    if (round % 3) { /* a number that is one, of any size */
      length +=
          (size_t)snprintf(text + length, 16, round % 2 ? "%x" : "%u",
                           (unsigned)(random_next(&state) >> (34 + random_next(&state) % 28)));
    } else {
      while (more--) text[length++] = letters[random_next(&state) % (sizeof letters - 1)];
    }
    if (round % 5) text[length++] = ';';
    text[length++] = letters[random_next(&state) % (sizeof letters - 1)];
    reference_text(document, text, length, 0, &whole);
    reference_text(document, text, length, 1, &pieces);
    TEST_CHECK_MSG(bytes_are(&pieces, whole.data, whole.length), "%.*s: %s, in pieces %s",
                   (int)length, text, whole.data, pieces.data);
  }
  bytes_free(&whole);
  bytes_free(&pieces);
  lanner_document_free(document);
}

/* Rows of references, which are decoded without looking for the next one, of all lengths and sometimes
 * longer than the room for them, against the tree with errors, which goes by the states. */
void test_tree_reference_rows(void) {
  static const char *const others[] = {"&amp;",   "&nbsp;", "&lt;", "&Eacute;",     "&#x;",
                                       "&notit;", "&#;",    "x",    "\xE3\x81\x82", "&#xD800;",
                                       "&",       "&#128;", ";"};
  lanner_document *document = lanner_document_new(NULL);
  struct bytes page = {0}, row = {0}, want = {0}, got = {0};
  lanner_options options;
  uint64_t state = 5;
  unsigned rounds = test_full_effort() ? 20000 : 500;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned count = 1 + (unsigned)random_next(&state) % (round % 50 ? 12 : 1500);
    bytes_clear(&row);
    while (count--) {
      char text[32];
      unsigned kind = (unsigned)random_next(&state) % 16;
      unsigned number = (unsigned)(random_next(&state) >> (36 + random_next(&state) % 26));
      snprintf(text, sizeof text, kind < 6 ? "&#x%X;" : kind < 8 ? "&#X%04x;" : "&#%u;", number);
      bytes_add_text(
          &row, kind < 14 ? text : others[random_next(&state) % (sizeof others / sizeof *others)]);
    }
    bytes_clear(&page);
    bytes_add_text(&page, "<p a=\"");
    bytes_add(&page, row.data, row.length);
    bytes_add_text(&page, "\">");
    bytes_add(&page, row.data, row.length);
    lanner_options_init(&options);
    options.encoding = "utf-8";
    options.flags = LANNER_ERRORS;
    TEST_CHECK(lanner_parse(document, page.data, page.length, &options) == LANNER_OK);
    bytes_clear(&want);
    inner_html(document, LANNER_DOCUMENT_NODE, false, &want);
    options.flags = 0;
    TEST_CHECK(lanner_parse(document, page.data, page.length, &options) == LANNER_OK);
    bytes_clear(&got);
    inner_html(document, LANNER_DOCUMENT_NODE, false, &got);
    TEST_CHECK_MSG(bytes_are(&got, want.data, want.length), "%.200s: differs", page.data);
    lanner_document_trim(document); /* so that the room for strings grows again */
  }
  bytes_free(&page);
  bytes_free(&row);
  bytes_free(&want);
  bytes_free(&got);
  lanner_document_free(document);
}

/* Names of context elements are those of the parser only as they stand, with all their bytes. */
void test_tree_context_names(void) {
  static const struct {
    lanner_namespace name_space;
    const char *name;
    size_t length;
    bool known;
  } names[] = {{LANNER_HTML, "title", 5, true},
               {LANNER_HTML, "TITLE", 5, false},
               {LANNER_HTML, "\0title", 6, false},
               {LANNER_HTML, "title\0", 6, false},
               {LANNER_HTML, "textarea", 8, true},
               {LANNER_HTML, "textarea\0", 9, false},
               {LANNER_HTML, "textarea\0\0\0\0\0\0\0\0", 16, false},
               {LANNER_HTML, "titles", 6, false},
               {LANNER_MATHML, "title", 5, false},
               {LANNER_SVG, "title", 5, false}};
  lanner_document *document = lanner_document_new(NULL);
  struct bytes got = {0};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    lanner_context context = {names[i].name_space, names[i].name, names[i].length, NULL, 0, false};
    TEST_CHECK(lanner_parse_fragment(document, &context, "<b>x</b>", 8, NULL) == LANNER_OK);
    bytes_clear(&got);
    inner_html(document, lanner_fragment_root(document), false, &got);
    const char *want = names[i].known ? "&lt;b&gt;x&lt;/b&gt;" : "<b>x</b>";
    TEST_CHECK_MSG(bytes_are(&got, want, strlen(want)), "%zu, %s: %s", i, names[i].name, got.data);
  }
  bytes_free(&got);
  lanner_document_free(document);
}

/* References are decoded in the document's own copy of a page, into other memory where the page lies with
 * the caller, one by one where errors are told: all the same, limits and their places too. */
void test_tree_decoded_in_place(void) {
  static const struct {
    const char *text;
    size_t length;
  } parts[] = {
#define PART(text) {text, sizeof text - 1}
      PART("&amp;"),
      PART("&lt;"),
      PART("&gt;"),
      PART("&quot;"),
      PART("&nGt;"),
      PART("&nLt;"),
      PART("&acE;"),
      PART("&NotEqualTilde;"),
      PART("&hellip;"),
      PART("&nbsp;"),
      PART("&nbsp"),
      PART("&notit;"),
      PART("&noend"),
      PART("&"),
      PART("&#x41;"),
      PART("&#9;"),
      PART("&#0;"),
      PART("&#128;"),
      PART("&#x1F600;"),
      PART("&#1114112;"),
      PART("&#32;"),
      PART("&#10;"),
      PART("&CounterClockwiseContourIntegral;"),
      PART("a"),
      PART(" "),
      PART("\n"),
      PART("\r\n"),
      PART("\0"),
      PART("\xC3\xA9"),
      PART("thirty two bytes and a bit more "),
      PART("<b>"),
      PART("</b>"),
      PART("<i x=\""),
      PART("\""),
      PART("\">"),
      PART("'"),
      PART("<a b='"),
      PART("<table>"),
      PART("<td>"),
      PART("<pre>"),
      PART("<svg>"),
      PART("<title>"),
      PART("</title>"),
      PART("<p>"),
      PART("<!--"),
      PART("-->"),
      PART("sixty-four bytes of text, which is as much as the widest vectors take ")
#undef PART
  };
  static const uint32_t flags[] = {0, LANNER_INPUT_PADDED, LANNER_ERRORS};
  lanner_document *document = lanner_document_new(NULL);
  struct bytes page = {0}, trees[3] = {{0}, {0}, {0}};
  uint64_t random = 1;
  int runs = test_full_effort() ? 30000 : 3000;
  for (int run = 0; run < runs; run++) {
    bytes_clear(&page);
    for (int i = 0, count = 2 + run % 40; i < count; i++) {
      size_t part = (size_t)(random_next(&random) % (sizeof parts / sizeof *parts));
      bytes_add(&page, parts[part].text, parts[part].length);
    }
    size_t length = page.length;
    for (int i = 0; i < LANNER_PADDING; i++) bytes_add(&page, "", 1);
    uint64_t places[3];
    for (int way = 0; way < 3; way++) {
      lanner_options options;
      lanner_options_init(&options);
      options.encoding = "utf-8";
      options.flags = flags[way];
      options.limits.nodes = run % 3 ? 0 : (uint32_t)(run / 3 % 16);
      lanner_parse(document, page.data, length, &options);
      places[way] = lanner_document_limit_offset(document, LANNER_LIMIT_NODES);
      bytes_clear(&trees[way]);
      inner_html(document, LANNER_DOCUMENT_NODE, false, &trees[way]);
    }
    /* Where errors are told, text comes in more runs, and a limit may strike between them. */
    for (int way = 1; way < (run % 3 ? 3 : 2); way++) {
      TEST_CHECK_MSG(bytes_are(&trees[0], trees[way].data, trees[way].length),
                     "run %d, %.*s: %s, flags %x: %s", run, (int)length, page.data, trees[0].data,
                     flags[way], trees[way].data);
      TEST_CHECK_MSG(places[0] == places[way], "run %d, %.*s: limit at %llu, flags %x: %llu", run,
                     (int)length, page.data, (unsigned long long)places[0], flags[way],
                     (unsigned long long)places[way]);
    }
  }
  bytes_free(&page);
  for (int way = 0; way < 3; way++) bytes_free(&trees[way]);
  lanner_document_free(document);
}

/* PAGE as it stands, with BEHIND at its end, against the tree with errors, which reads byte by byte. */
static void check_in_place(lanner_document *document, const char *page, size_t length,
                           const char *behind) {
  static char place[256];
  struct bytes want = {0}, got = {0};
  lanner_options options;
  lanner_options_init(&options);
  options.encoding = "utf-8";
  options.flags = LANNER_ERRORS;
  TEST_CHECK(lanner_parse(document, page, length, &options) == LANNER_OK);
  inner_html(document, LANNER_DOCUMENT_NODE, false, &want);
  memset(place, 0, sizeof place);
  memcpy(place, page, length);
  memcpy(place + length + 1, behind, strlen(behind));
  options.flags = LANNER_INPUT_PADDED;
  TEST_CHECK(lanner_parse(document, place, length, &options) == LANNER_OK);
  inner_html(document, LANNER_DOCUMENT_NODE, false, &got);
  TEST_CHECK_MSG(bytes_are(&got, want.data, want.length), "%.*s, then %s: %s, expected %s",
                 (int)length, page, behind, got.data, want.data);
  bytes_free(&want);
  bytes_free(&got);
}

/* A page that ends anywhere, with markup behind its end that must not be read as such; and U+0000 in
 * front of each byte, most of all in names, where what is looked up as words must not miss it. */
void test_tree_in_place(void) {
  static const char page[] = "<p id=\"a&#x41;\" maxlength=\"b\" x=''>c&amp;d<xmp y=z>e</xmp>"
                             "<blockquote cite=\"f\"><plaintext class=\"g\">h";
  static const char *const behind[] = {"",
                                       "id=\"x\"><b>",
                                       "=\"x\"><b>",
                                       "\"><b>",
                                       "\" id=\"x\"><b>",
                                       " id=\"x\"><b>",
                                       "h=\"x\" y><b>",
                                       "t x=\"y\"><b>",
                                       "e cite=\"x\"><b>",
                                       "41;\"><b>",
                                       "amp;<b>",
                                       ";<b>"};
  lanner_document *document = lanner_document_new(NULL);
  for (size_t length = 0; length < sizeof page; length++)
    for (size_t i = 0; i < sizeof behind / sizeof *behind; i++)
      check_in_place(document, page, length, behind[i]);
  for (size_t at = 0; at < sizeof page; at++) {
    char with[sizeof page + 1] = {0};
    memcpy(with, page, at);
    memcpy(with + at + 1, page + at, sizeof page - 1 - at);
    check_in_place(document, with, sizeof page, "");
  }
  lanner_document_free(document);
}
