/* test_corpus.c - real pages, as bytes: tokens and trees are the same whole and in pushes of 1, 7
 * and 4096 bytes, fast and checked; and the trees that two other parsers agree on. */
#include "own_tree.h"
#include "tree_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Under sanitizers the large pages take too long; the note says what was left out. */
enum { QUICK_SIZE = 60000 };

typedef void (*page_visitor)(const char *name, const struct bytes *page);

static void each_page(page_visitor visit) {
  static const char *const folders[] = {"corpus/pages", "corpus/encodings"};
  static const size_t counts[] = {383, 117};
  struct bytes page = {0};
  size_t pages = 0, left_out = 0, total = 0;
  for (size_t i = 0; i < 2; i++) {
    char *folder = test_shared_path(folders[i]);
    if (!folder) break;
    struct names names = list_folder(folder, ".html");
    TEST_CHECK_MSG(names.count == counts[i], "%s: %zu pages instead of %zu", folders[i],
                   names.count, counts[i]);
    for (size_t f = 0; f < names.count; f++) {
      char *path = join_path(folder, names.items[f]);
      if (read_file(path, &page)) {
        if (!test_full_effort() && page.length > QUICK_SIZE) {
          left_out++;
        } else {
          pages++;
          total += page.length;
          visit(names.items[f], &page);
        }
      }
      free(path);
    }
    names_free(&names);
    free(folder);
  }
  bytes_free(&page);
  if (left_out)
    test_note("%zu pages, %zu bytes; %zu larger pages left out by LANNER_TEST_EFFORT=quick", pages,
              total, left_out);
  else
    test_note("%zu pages, %zu bytes", pages, total);
}

static const size_t steps[] = {4096, 7, 1};

static lanner_tokenizer *tokenizer;
static struct recorder whole, pieces;

static void page_tokens(const char *name, const struct bytes *page) {
  struct token_run run;
  token_run_init(&run, 0, LANNER_FEEDBACK_SIMULATED);
  run.options.encoding = NULL;
  if (!run_tokens(tokenizer, &run, page->data, page->length, &whole, name)) return;
  TEST_CHECK_MSG(!whole.spans_disorder, "%s: spans out of order", name);
  for (size_t i = 0; i < 3; i++) {
    run.plan.kind = STEPS;
    run.plan.at = steps[i];
    if (!run_tokens(tokenizer, &run, page->data, page->length, &pieces, name)) continue;
    TEST_CHECK_MSG(bytes_equal(&pieces.tokens, &whole.tokens), "%s, steps of %zu: tokens: %s", name,
                   steps[i], difference(&pieces.tokens, &whole.tokens));
    TEST_CHECK_MSG(bytes_equal(&pieces.spans, &whole.spans), "%s, steps of %zu: spans: %s", name,
                   steps[i], difference(&pieces.spans, &whole.spans));
  }
  run.options.flags = LANNER_ERRORS;
  run.plan.kind = WHOLE;
  struct bytes errors = {0};
  if (run_tokens(tokenizer, &run, page->data, page->length, &pieces, name)) {
    TEST_CHECK_MSG(bytes_equal(&pieces.tokens, &whole.tokens), "%s, checked: tokens: %s", name,
                   difference(&pieces.tokens, &whole.tokens));
    bytes_add(&errors, pieces.errors.data, pieces.errors.length);
    run.way = PULL;
    run.plan.kind = STEPS;
    run.plan.at = 1;
    if (run_tokens(tokenizer, &run, page->data, page->length, &pieces, name)) {
      TEST_CHECK_MSG(bytes_equal(&pieces.tokens, &whole.tokens), "%s, checked, pulled: tokens: %s",
                     name, difference(&pieces.tokens, &whole.tokens));
      TEST_CHECK_MSG(bytes_equal(&pieces.errors, &errors), "%s, checked, pulled: errors: %s", name,
                     difference(&pieces.errors, &errors));
    }
  }
  bytes_free(&errors);
}

void test_corpus_tokens(void) {
  tokenizer = lanner_tokenizer_new(NULL);
  each_page(page_tokens);
  lanner_tokenizer_free(tokenizer);
  recorder_free(&whole);
  recorder_free(&pieces);
}

static lanner_document *document;
static struct bytes whole_tree, tree, whole_errors, errors;

static void page_tree(const char *name, const struct bytes *page) {
  struct tree_run run;
  tree_run_init(&run, 0);
  run.options.encoding = NULL;
  if (!run_tree(document, &run, page->data, page->length, LANNER_OK, name)) return;
  tree_text(document, &whole_tree);
  tree_sound(document, name);
  const char *encoding = lanner_document_encoding(document);
  for (size_t i = 0; i < 3; i++) {
    run.plan.kind = STEPS;
    run.plan.at = steps[i];
    if (!run_tree(document, &run, page->data, page->length, LANNER_OK, name)) continue;
    tree_text(document, &tree);
    TEST_CHECK_MSG(bytes_equal(&tree, &whole_tree), "%s, steps of %zu: %s", name, steps[i],
                   difference(&tree, &whole_tree));
    TEST_CHECK_MSG(strcmp(lanner_document_encoding(document), encoding) == 0,
                   "%s, steps of %zu: %s, %s", name, steps[i], lanner_document_encoding(document),
                   encoding);
  }
  run.options.flags = LANNER_ERRORS | LANNER_SPANS;
  run.plan.kind = WHOLE;
  if (!run_tree(document, &run, page->data, page->length, LANNER_OK, name)) return;
  tree_text(document, &tree);
  tree_errors(document, true, &whole_errors);
  TEST_CHECK_MSG(bytes_equal(&tree, &whole_tree), "%s, checked: %s", name,
                 difference(&tree, &whole_tree));
  run.plan.kind = STEPS;
  run.plan.at = 1;
  if (!run_tree(document, &run, page->data, page->length, LANNER_OK, name)) return;
  tree_errors(document, true, &errors);
  TEST_CHECK_MSG(bytes_equal(&errors, &whole_errors), "%s, checked, single bytes: errors: %s", name,
                 difference(&errors, &whole_errors));
}

void test_corpus_trees(void) {
  document = lanner_document_new(NULL);
  each_page(page_tree);
  lanner_document_free(document);
  bytes_free(&whole_tree);
  bytes_free(&tree);
  bytes_free(&whole_errors);
  bytes_free(&errors);
}

/* The same tree over functions, whole and in pieces, and fit to be read on the way. */
static lanner_tree_builder *builder;
static struct own_tree foreign;

static void page_foreign(const char *name, const struct bytes *page) {
  struct tree_run run;
  tree_run_init(&run, 0);
  run.options.encoding = NULL;
  if (!run_tree(document, &run, page->data, page->length, LANNER_OK, name)) return;
  tree_text(document, &whole_tree);
  for (size_t i = 0; i < 3; i++) {
    run.plan.kind = i ? STEPS : WHOLE;
    run.plan.at = i == 1 ? 4096 : 7;
    run.options.flags = i == 1 ? LANNER_ERRORS | LANNER_SPANS : 0;
    lanner_status status = own_tree_parse(builder, &foreign, NULL, &run, page->data, page->length);
    own_tree_dump(&foreign, false, &tree);
    TEST_CHECK_MSG(status == LANNER_OK && bytes_equal(&tree, &whole_tree),
                   "%s, foreign, way %zu: %s, %s", name, i, lanner_status_text(status),
                   difference(&tree, &whole_tree));
    if (i != 1 || !run_tree(document, &run, page->data, page->length, LANNER_OK, name)) continue;
    own_tree_is(&foreign, document, name);
    tree_errors(document, true, &errors);
    TEST_CHECK_MSG(foreign.starts || bytes_equal(&foreign.errors, &errors),
                   "%s, foreign: errors: %s", name, difference(&foreign.errors, &errors));
  }
}

void test_corpus_foreign_trees(void) {
  document = lanner_document_new(NULL);
  builder = lanner_tree_builder_new(NULL);
  each_page(page_foreign);
  lanner_document_free(document);
  lanner_tree_builder_free(builder);
  own_tree_free(&foreign);
  bytes_free(&whole_tree);
  bytes_free(&tree);
  bytes_free(&errors);
}

static void page_exact(const char *name, const struct bytes *page) {
  struct tree_case test;
  memset(&test, 0, sizeof test);
  snprintf(test.name, sizeof test.name, "%s", name);
  test.data.data = page->data;
  test.data.length = page->length;
  test.sniff = true;
  tree_case_tokens(&test);
}

void test_corpus_exact_tokens(void) {
  each_page(page_exact);
  tree_case_finish();
}

/* What a page's tree holds beside the input, of all pages together: at most 1.5 bytes a byte. */
static struct {
  double input, held, worst;
  char worst_name[128];
} weight;

static void page_memory(const char *name, const struct bytes *page) {
  lanner_document *fresh = lanner_document_new(NULL);
  struct tree_run run;
  tree_run_init(&run, 0);
  run.options.encoding = NULL;
  run_tree(fresh, &run, page->data, page->length, LANNER_OK, name);
  lanner_memory memory = lanner_document_memory(fresh);
  TEST_CHECK_MSG(memory.held >= memory.used && memory.peak >= memory.held &&
                     memory.held >= memory.text,
                 "%s: held %zu, used %zu, peak %zu, text %zu", name, memory.held, memory.used,
                 memory.peak, memory.text);
  double beside = (double)(memory.held - memory.text);
  weight.input += (double)page->length;
  weight.held += beside;
  if (page->length > 4096 && beside / (double)page->length > weight.worst) {
    weight.worst = beside / (double)page->length;
    snprintf(weight.worst_name, sizeof weight.worst_name, "%s", name);
  }
  lanner_document_free(fresh);
}

void test_corpus_memory(void) {
  memset(&weight, 0, sizeof weight);
  each_page(page_memory);
  if (weight.input <= 0) return;
  test_note("held beside the input: %.2f bytes a byte; most %.2f (%s)", weight.held / weight.input,
            weight.worst, weight.worst_name);
  if (test_full_effort())
    TEST_CHECK_MSG(weight.held / weight.input <= 1.5, "%.2f bytes a byte, allowed 1.5",
                   weight.held / weight.input);
}

/* --- trees of two other parsers --- */

static bool read_gzip(const char *path, struct bytes *into) {
  bytes_clear(into);
  bytes_add(into, "", 0);
  gzFile file = gzopen(path, "rb");
  if (!file) return TEST_CHECK_MSG(false, "%s: cannot be opened", path);
  char block[65536];
  int got;
  while ((got = gzread(file, block, sizeof block)) > 0) bytes_add(into, block, (size_t)got);
  return TEST_CHECK_MSG(gzclose(file) == Z_OK && got == 0, "%s: cannot be read", path);
}

void test_corpus_browser_trees(void) {
  char *trees = test_shared_path("conformance/browser-pages");
  char *pages = trees ? test_shared_path("corpus/pages") : NULL;
  if (!pages) {
    free(trees);
    return;
  }
  struct names names = list_folder(trees, ".tree.gz");
  TEST_CHECK_MSG(names.count == 331, "%zu trees instead of 331", names.count);
  struct bytes page = {0}, expected = {0};
  size_t left_out = 0;
  for (size_t i = 0; i < names.count; i++) {
    char *tree_path = join_path(trees, names.items[i]);
    names.items[i][strlen(names.items[i]) - strlen(".tree.gz")] = 0;
    char *page_path = join_path(pages, names.items[i]);
    if (read_file(page_path, &page) && read_gzip(tree_path, &expected)) {
      if (!test_full_effort() && page.length > QUICK_SIZE) {
        left_out++;
      } else {
        struct tree_case test;
        memset(&test, 0, sizeof test);
        snprintf(test.name, sizeof test.name, "%s", names.items[i]);
        test.data.data = page.data;
        test.data.length = page.length;
        test.flags = LANNER_NO_SHADOW; /* DOMParser attaches no shadow roots */
        test.expected.data = expected.data;
        test.expected.length = expected.length;
        tree_case_whole(&test);
      }
    }
    free(tree_path);
    free(page_path);
  }
  if (left_out)
    test_note("%zu pages; %zu larger ones left out by LANNER_TEST_EFFORT=quick",
              names.count - left_out, left_out);
  else
    test_note("%zu pages", names.count);
  tree_case_finish();
  bytes_free(&page);
  bytes_free(&expected);
  names_free(&names);
  free(trees);
  free(pages);
}
