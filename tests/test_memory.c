/* test_memory.c - every allocation fails once; every byte is counted, given back, and sizes told
 * to the allocator are exact. */
#include "dat.h"
#include "own_tree.h"
#include "pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An allocator that counts, checks the sizes it is told, and fails from its n-th call on. */
struct strict {
  size_t calls, fail_at; /* 0: never */
  size_t held, peak, blocks;
  bool wrong;
};

/* The size stands in front of each block; 16 bytes keep the alignment. */
enum { HEADER = 16 };

static void *strict_reallocate(void *context, void *pointer, size_t old_size, size_t new_size) {
  struct strict *strict = context;
  unsigned char *base = pointer ? (unsigned char *)pointer - HEADER : NULL;
  size_t old = 0;
  if (base) memcpy(&old, base, sizeof old);
  if (old != old_size || new_size == 0) strict->wrong = true;
  strict->calls++;
  if (strict->fail_at && strict->calls >= strict->fail_at) {
    note_failing_call();
    return NULL;
  }
  /* A new block each time, so that stale pointers show. */
  unsigned char *fresh = malloc(new_size + HEADER);
  if (!fresh) return NULL;
  memcpy(fresh, &new_size, sizeof new_size);
  if (base) {
    memcpy(fresh + HEADER, pointer, old < new_size ? old : new_size);
    memset(pointer, 0xDD, old);
    free(base);
  } else {
    strict->blocks++;
  }
  if (new_size > old) memset(fresh + HEADER + old, 0xCC, new_size - old);
  strict->held += new_size - old;
  if (strict->held > strict->peak) strict->peak = strict->held;
  return fresh + HEADER;
}

static void strict_release(void *context, void *pointer, size_t size) {
  struct strict *strict = context;
  if (!pointer) return;
  unsigned char *base = (unsigned char *)pointer - HEADER;
  size_t old = 0;
  memcpy(&old, base, sizeof old);
  if (old != size) strict->wrong = true;
  memset(pointer, 0xDD, old);
  strict->held -= old;
  strict->blocks--;
  free(base);
}

static lanner_allocator strict_allocator(struct strict *strict) {
  memset(strict, 0, sizeof *strict);
  return (lanner_allocator){strict_reallocate, strict_release, strict};
}

static lanner_status parse_page(lanner_document *document, const struct page *page,
                                const struct bytes *input, size_t step) {
  struct tree_run run;
  lanner_context context;
  tree_run_init(&run, page->flags);
  run.options.encoding = NULL;
  if (page->context) {
    context = context_named((lanner_string){page->context, strlen(page->context)});
    run.context = &context;
  }
  if (!step) {
    return run.context ? lanner_parse_fragment(document, run.context, input->data, input->length,
                                               &run.options)
                       : lanner_parse(document, input->data, input->length, &run.options);
  }
  lanner_status status = lanner_parse_begin(document, run.context, &run.options);
  for (size_t at = 0; at < input->length && status == LANNER_OK; at += step) {
    size_t length = input->length - at < step ? input->length - at : step;
    status = lanner_parse_feed(document, input->data + at, length);
  }
  return status == LANNER_OK ? lanner_parse_end(document) : status;
}

static bool all_returned(const struct strict *strict, const char *what) {
  return TEST_CHECK_MSG(strict->held == 0 && strict->blocks == 0 && !strict->wrong,
                        "%s: %zu bytes in %zu blocks not given back%s", what, strict->held,
                        strict->blocks, strict->wrong ? ", sizes told wrong" : "");
}

/* Under a sanitizer not every n is tried, but every n of the first ones and each growth. */
static size_t after(size_t n) { return test_full_effort() || n < 40 ? n + 1 : n + n / 16; }

void test_memory_failing_documents(void) {
  size_t failures = 0, sites = 0;
  for (size_t i = 0; i < test_page_count; i++) {
    const struct page *page = &test_pages[i];
    struct bytes input = {0}, expected = {0}, got = {0};
    page->make(&input);
    lanner_document *plain = lanner_document_new(NULL);
    TEST_CHECK(parse_page(plain, page, &input, 0) == LANNER_OK);
    tree_text(plain, &expected);
    lanner_document_free(plain);
    for (size_t step = 0; step <= 1000; step += 1000) {
      for (size_t n = 1;; n = after(n)) {
        char what[128];
        struct strict strict;
        lanner_allocator allocator = strict_allocator(&strict);
        snprintf(what, sizeof what, "%s, steps of %zu, allocation %zu fails", page->name, step, n);
        strict.fail_at = n;
        lanner_document *document = lanner_document_new(&allocator);
        if (!document) {
          TEST_CHECK_MSG(strict.calls >= n, "%s: no document", what);
          all_returned(&strict, what);
          failures++;
          continue;
        }
        lanner_status status = parse_page(document, page, &input, step);
        bool failed = strict.calls >= n;
        tree_sound(document, what); /* what was built can be read */
        strict.fail_at = 0;         /* printing needs memory of its own */
        tree_text(document, &got);
        /* Estimates and growth ask for less when they do not get all: then nothing may be missing. */
        bool absorbed = failed && status == LANNER_OK && bytes_equal(&got, &expected);
        TEST_CHECK_MSG(absorbed || status == (failed ? LANNER_ERROR_MEMORY : LANNER_OK), "%s: %s",
                       what, lanner_status_text(status));
        /* With memory at hand again the document serves as if nothing had been. */
        if (n % 2) lanner_document_reset(document);
        status = parse_page(document, page, &input, step);
        TEST_CHECK_MSG(status == LANNER_OK, "%s: then: %s", what, lanner_status_text(status));
        tree_text(document, &got);
        TEST_CHECK_MSG(bytes_equal(&got, &expected), "%s: then: %s", what,
                       difference(&got, &expected));
        lanner_document_free(document);
        all_returned(&strict, what);
        if (!failed) {
          sites += n - 1;
          break;
        }
        failures++;
      }
    }
    bytes_free(&input);
    bytes_free(&expected);
    bytes_free(&got);
  }
  test_note("%zu failures over %zu allocations of %zu pages", failures, sites, test_page_count);
}

static int ignore_token(void *context, lanner_tokenizer *tokenizer, const lanner_token *token) {
  (void)context;
  (void)tokenizer;
  (void)token;
  return LANNER_CONTINUE;
}

void test_memory_failing_tokenizers(void) {
  size_t failures = 0;
  static const lanner_feedback feedbacks[] = {LANNER_FEEDBACK_SIMULATED, LANNER_FEEDBACK_NONE,
                                              LANNER_FEEDBACK_EXACT};
  for (size_t i = 0; i < test_page_count; i++) {
    struct bytes input = {0};
    test_pages[i].make(&input);
    for (size_t f = 0; f < 3; f++) {
      for (size_t n = 1;; n = after(n)) {
        struct strict strict;
        lanner_allocator allocator = strict_allocator(&strict);
        lanner_tokenizer_options options;
        char what[128];
        snprintf(what, sizeof what, "%s, feedback %zu, allocation %zu fails", test_pages[i].name, f,
                 n);
        lanner_tokenizer_options_init(&options);
        options.flags = test_pages[i].flags & (LANNER_ERRORS | LANNER_SCRIPTING);
        options.feedback = feedbacks[f];
        options.on_token = ignore_token;
        strict.fail_at = n;
        lanner_tokenizer *tokenizer = lanner_tokenizer_new(&allocator);
        bool failed;
        if (tokenizer) {
          lanner_status status = lanner_tokenizer_begin(tokenizer, &options);
          for (size_t at = 0; at < input.length && status == LANNER_OK; at += 700)
            status = lanner_tokenizer_feed(tokenizer, input.data + at,
                                           input.length - at < 700 ? input.length - at : 700);
          if (status == LANNER_OK) status = lanner_tokenizer_insert(tokenizer, "<b>&am", 6);
          if (status == LANNER_OK) status = lanner_tokenizer_end(tokenizer);
          failed = strict.calls >= n;
          TEST_CHECK_MSG(status == (failed ? LANNER_ERROR_MEMORY : LANNER_OK), "%s: %s", what,
                         lanner_status_text(status));
          strict.fail_at = 0;
          TEST_CHECK_MSG(lanner_tokenize(tokenizer, input.data, input.length, &options) ==
                             LANNER_OK,
                         "%s: then it is not usable", what);
        } else {
          failed = true;
        }
        lanner_tokenizer_free(tokenizer);
        all_returned(&strict, what);
        if (!failed) break;
        failures++;
      }
    }
    bytes_free(&input);
  }
  test_note("%zu failures", failures);
}

/* A tag that is cut while memory moves: its attributes are where they should be when it is told. */
void test_memory_tokens_in_pieces(void) {
  static const lanner_feedback feedbacks[] = {LANNER_FEEDBACK_SIMULATED, LANNER_FEEDBACK_NONE,
                                              LANNER_FEEDBACK_EXACT};
  struct bytes page = {0};
  struct recorder want = {0}, got = {0};
  bytes_add_text(&page, "<p id=1><a href=\"value\" class=\"x\" ");
  for (int i = 0; i < 4000; i++) bytes_add_text(&page, " ");
  bytes_add_text(&page, "lang=\"e\"><b unknown data-x=\"a&amp;z\" checked title='t' "
                        "lang=\"e&amp;\"></a><p id=2>");
  for (size_t f = 0; f < 6; f++) {
    struct token_run run;
    token_run_init(&run, f < 3 ? 0 : LANNER_ERRORS, feedbacks[f % 3]);
    for (size_t cut = 0; cut < page.length; cut += cut < 60 || cut > page.length - 80 ? 1 : 97) {
      struct strict strict;
      lanner_allocator allocator = strict_allocator(&strict);
      lanner_tokenizer *tokenizer = lanner_tokenizer_new(&allocator);
      char what[64];
      snprintf(what, sizeof what, "way %zu, cut at %zu", f, cut);
      run.plan.kind = cut ? CUT : WHOLE;
      run.plan.at = cut;
      run_tokens(tokenizer, &run, page.data, page.length, cut ? &got : &want, what);
      if (cut)
        TEST_CHECK_MSG(bytes_equal(&got.tokens, &want.tokens), "%s: %s", what, got.tokens.data);
      lanner_tokenizer_free(tokenizer);
      all_returned(&strict, what);
    }
  }
  bytes_free(&page);
  recorder_free(&want);
  recorder_free(&got);
}

static int look_at_values(void *context, lanner_tokenizer *tokenizer, const lanner_token *token) {
  (void)tokenizer;
  for (uint32_t i = 0; i < token->attribute_count; i++, ++*(size_t *)context)
    TEST_CHECK(token->attributes[i].value.data != NULL);
  return LANNER_CONTINUE;
}

/* Values that are empty are no NULL, nor where nothing was fed yet. */
void test_memory_tokens_before_text(void) {
  size_t seen = 0;
  lanner_tokenizer *tokenizer = lanner_tokenizer_new(NULL);
  lanner_tokenizer_options options;
  lanner_tokenizer_options_init(&options);
  options.on_token = look_at_values;
  options.context = &seen;
  TEST_CHECK(lanner_tokenizer_begin(tokenizer, &options) == LANNER_OK);
  TEST_CHECK(lanner_tokenizer_insert(tokenizer, "<b class id=1 zork>", 19) == LANNER_OK);
  TEST_CHECK(lanner_tokenizer_feed(tokenizer, "x", 1) == LANNER_OK);
  TEST_CHECK(lanner_tokenizer_end(tokenizer) == LANNER_OK);
  TEST_CHECK(seen == 3);
  lanner_tokenizer_free(tokenizer);
}

/* The builder of foreign trees: its own memory; the tree's is the user's. */
void test_memory_failing_builders(void) {
  size_t failures = 0;
  struct own_tree tree;
  memset(&tree, 0, sizeof tree);
  for (size_t i = 0; i < test_page_count; i++) {
    struct bytes input = {0}, expected = {0}, got = {0};
    struct tree_run run;
    lanner_context context;
    test_pages[i].make(&input);
    tree_run_init(&run, test_pages[i].flags);
    run.options.encoding = NULL;
    if (test_pages[i].context) {
      context =
          context_named((lanner_string){test_pages[i].context, strlen(test_pages[i].context)});
      run.context = &context;
    }
    lanner_tree_builder *plain = lanner_tree_builder_new(NULL);
    TEST_CHECK(own_tree_parse(plain, &tree, NULL, &run, input.data, input.length) == LANNER_OK);
    own_tree_dump(&tree, false, &expected);
    lanner_tree_builder_free(plain);
    for (size_t step = 0; step <= 1000; step += 1000) {
      run.plan.kind = step ? STEPS : WHOLE;
      run.plan.at = step;
      for (size_t n = 1;; n = after(n)) {
        char what[128];
        struct strict strict;
        lanner_allocator allocator = strict_allocator(&strict);
        snprintf(what, sizeof what, "%s, foreign, steps of %zu, allocation %zu fails",
                 test_pages[i].name, step, n);
        strict.fail_at = n;
        lanner_tree_builder *builder = lanner_tree_builder_new(&allocator);
        if (!builder) {
          TEST_CHECK_MSG(strict.calls >= n, "%s: no builder", what);
          all_returned(&strict, what);
          failures++;
          continue;
        }
        lanner_status status = own_tree_parse(builder, &tree, NULL, &run, input.data, input.length);
        bool failed = strict.calls >= n;
        own_tree_dump(&tree, false, &got);
        bool absorbed = failed && status == LANNER_OK && bytes_equal(&got, &expected);
        TEST_CHECK_MSG(absorbed || status == (failed ? LANNER_ERROR_MEMORY : LANNER_OK), "%s: %s",
                       what, lanner_status_text(status));
        strict.fail_at = 0;
        status = own_tree_parse(builder, &tree, NULL, &run, input.data, input.length);
        own_tree_dump(&tree, false, &got);
        TEST_CHECK_MSG(status == LANNER_OK && bytes_equal(&got, &expected), "%s: then: %s, %s",
                       what, lanner_status_text(status), difference(&got, &expected));
        TEST_CHECK_MSG(lanner_document_memory(lanner_tree_builder_document(builder)).held ==
                           strict.held,
                       "%s: held", what);
        lanner_tree_builder_free(builder);
        all_returned(&strict, what);
        if (!failed) break;
        failures++;
      }
    }
    bytes_free(&input);
    bytes_free(&expected);
    bytes_free(&got);
  }
  own_tree_free(&tree);
  test_note("%zu failures", failures);
}

/* Changing the tree fails cleanly, too. */
void test_memory_failing_changes(void) {
  for (size_t n = 1;; n++) {
    struct strict strict;
    lanner_allocator allocator = strict_allocator(&strict);
    lanner_document *document = lanner_document_new(&allocator);
    TEST_CHECK(lanner_parse(document, "<p>x", 4, NULL) == LANNER_OK);
    size_t before = strict.calls;
    strict.fail_at = before + n;
    lanner_status status = LANNER_OK;
    lanner_node body = 0, node = LANNER_DOCUMENT_NODE;
    while ((node = lanner_next(document, node, LANNER_DOCUMENT_NODE)) != 0)
      if (lanner_name(document, node).length == 4 && lanner_next_sibling(document, node) == 0)
        body = node;
    for (int i = 0; i < 500 && status == LANNER_OK; i++) {
      char name[32];
      lanner_node element = 0, text = 0;
      snprintf(name, sizeof name, "x-%d", i);
      status = lanner_create_element(document, LANNER_HTML, name, strlen(name), &element);
      if (status == LANNER_OK) status = lanner_append(document, body, element);
      if (status == LANNER_OK)
        status = lanner_set_attribute(document, element, name, strlen(name), "a value", 7);
      if (status == LANNER_OK) status = lanner_create_text(document, "some text", 9, &text);
      if (status == LANNER_OK) status = lanner_append(document, element, text);
      if (status == LANNER_OK)
        status = lanner_set_data(document, text, "other text, and longer", 22);
    }
    bool failed = strict.calls >= before + n;
    TEST_CHECK_MSG(status == (failed ? LANNER_ERROR_MEMORY : LANNER_OK), "change %zu: %s", n,
                   lanner_status_text(status));
    tree_sound(document, "changes");
    lanner_document_free(document);
    all_returned(&strict, "changes");
    if (!failed) break;
  }
}

static int insert_at_start_tags(void *context, lanner_tokenizer *tokenizer,
                                const lanner_token *token) {
  lanner_status *status = context;
  if (token->type != LANNER_TOKEN_START_TAG || *status != LANNER_OK) return LANNER_CONTINUE;
  for (int i = 0; i < 2 && *status == LANNER_OK; i++)
    *status = lanner_tokenizer_insert(tokenizer, "x&amp;</p>", 10);
  return LANNER_CONTINUE;
}

/* Text inserted by a handler: the handler learns that there is no room, or the call of the user. */
void test_memory_failing_insertions(void) {
  static const char page[] = "a<p>b<p id=x>c<title>d</title>";
  size_t failures = 0;
  for (size_t n = 1;; n++) {
    struct strict strict;
    lanner_allocator allocator = strict_allocator(&strict);
    lanner_tokenizer_options options;
    lanner_status inserted = LANNER_OK, status = LANNER_ERROR_MEMORY;
    strict.fail_at = n;
    lanner_tokenizer *tokenizer = lanner_tokenizer_new(&allocator);
    lanner_tokenizer_options_init(&options);
    options.on_token = insert_at_start_tags;
    options.context = &inserted;
    if (tokenizer) status = lanner_tokenize(tokenizer, page, sizeof page - 1, &options);
    bool failed = strict.calls >= n;
    TEST_CHECK_MSG((status == LANNER_ERROR_MEMORY || inserted == LANNER_ERROR_MEMORY) == failed,
                   "insertion %zu: %s, the handler got: %s", n, lanner_status_text(status),
                   lanner_status_text(inserted));
    lanner_tokenizer_free(tokenizer);
    all_returned(&strict, "insertions");
    if (!failed) break;
    failures++;
  }
  TEST_CHECK(failures > 3);
}

/* Trimming that gets no memory leaves what there is. */
void test_memory_failing_trim(void) {
  struct strict strict;
  lanner_allocator allocator = strict_allocator(&strict);
  lanner_document *document = lanner_document_new(&allocator);
  struct bytes input = {0}, expected = {0}, got = {0};
  for (int i = 0; i < 2000; i++) bytes_add_format(&input, "<p a%d=x>&lt;text</p/>", i);
  lanner_options options;
  lanner_options_init(&options);
  options.flags = LANNER_ERRORS;
  TEST_CHECK(lanner_parse(document, input.data, input.length, &options) == LANNER_OK);
  tree_text(document, &expected);
  size_t held = strict.held;
  strict.fail_at = 1;
  lanner_document_trim(document);
  strict.fail_at = 0;
  tree_text(document, &got);
  TEST_CHECK(bytes_equal(&got, &expected) && strict.held <= held && !strict.wrong);
  lanner_document_trim(document);
  tree_text(document, &got);
  TEST_CHECK(bytes_equal(&got, &expected) && strict.held < held);
  TEST_CHECK(lanner_document_memory(document).held == strict.held);
  lanner_document_free(document);
  all_returned(&strict, "trim");
  bytes_free(&input);
  bytes_free(&expected);
  bytes_free(&got);
}

/* A reset needs no memory, also when trim gave back all that an empty document does not need. */
void test_memory_failing_reset(void) {
  struct strict strict;
  lanner_allocator allocator = strict_allocator(&strict);
  lanner_document *document = lanner_document_new(&allocator);
  struct bytes page = {0};
  bytes_add_text(&page, "<p");
  for (int i = 0; i < 7000; i++) bytes_add_format(&page, " a%d", i); /* more than the first block */
  bytes_add_text(&page, ">");
  TEST_CHECK(lanner_parse(document, page.data, page.length, NULL) == LANNER_OK);
  lanner_document_reset(document);
  lanner_document_trim(document);
  strict.fail_at = strict.calls + 1;
  lanner_document_reset(document);
  TEST_CHECK(lanner_document_node_count(document) == 1);
  TEST_CHECK(lanner_node_kind(document, LANNER_DOCUMENT_NODE) == LANNER_DOCUMENT);
  lanner_node text = 0;
  lanner_status status = lanner_create_text(document, "x", 1, &text);
  TEST_CHECK(status == LANNER_OK ? text == 2 : status == LANNER_ERROR_MEMORY && text == 0);
  strict.fail_at = 0;
  TEST_CHECK(lanner_parse(document, page.data, page.length, NULL) == LANNER_OK);
  TEST_CHECK(!strict.wrong);
  lanner_document_free(document);
  TEST_CHECK(strict.held == 0);
  bytes_free(&page);
}

/* A trimmed document, new or used, needs little more for a small page than an untrimmed one. */
void test_memory_trimmed(void) {
  struct bytes page = {0};
  for (int i = 0; i < 300; i++) bytes_add_text(&page, "<b><table><td a=b>z<svg><a>");
  for (int round = 0; round < 8; round++) {
    lanner_document *document = lanner_document_new(NULL);
    lanner_options options;
    lanner_options_init(&options);
    if (round & 1) lanner_document_trim(document);
    if (round & 2) TEST_CHECK(lanner_parse(document, page.data, page.length, NULL) == LANNER_OK);
    if (round & 4) lanner_document_trim(document);
    lanner_document_reset(document);
    lanner_document_trim(document);
    options.limits.memory = 30000;
    TEST_CHECK(lanner_parse(document, "<p>x", 4, &options) == LANNER_OK);
    TEST_CHECK_MSG(lanner_document_memory(document).held < 27648, "round %d: %zu bytes held", round,
                   lanner_document_memory(document).held);
    lanner_document_free(document);
  }
  bytes_free(&page);
}

/* A document's first page gives back what it reserved in vain, whole and in pieces; later ones keep it. */
void test_memory_settled(void) {
  struct bytes page = {0};
  bytes_add_text(&page, "<p>");
  for (int i = 0; i < 100000; i++) bytes_add_text(&page, "text and ");
  lanner_options utf8; /* else the bytes are kept for another encoding */
  lanner_options_init(&utf8);
  utf8.encoding = "utf-8";
  for (int pieces = 0; pieces < 2; pieces++) {
    lanner_document *document = lanner_document_new(NULL);
    size_t held[3];
    for (int round = 0; round < 3; round++) {
      /* Pieces reserve as they come: many nodes, then what is left of them. */
      if (pieces) {
        TEST_CHECK(lanner_parse_begin(document, NULL, &utf8) == LANNER_OK);
        for (int i = 0; i < 7000; i++)
          TEST_CHECK(lanner_parse_feed(document, "<br>", 4) == LANNER_OK);
        TEST_CHECK(lanner_parse_end(document) == LANNER_OK);
      } else {
        TEST_CHECK(lanner_parse(document, page.data, page.length, NULL) == LANNER_OK);
      }
      lanner_memory memory = lanner_document_memory(document);
      held[round] = memory.held - memory.text;
    }
    TEST_CHECK_MSG(held[0] < (pieces ? 260000 : 40000), "%zu bytes held", held[0]);
    TEST_CHECK_MSG((pieces || held[1] > held[0] + 400000) && held[2] == held[1],
                   "%zu, then %zu, then %zu bytes", held[0], held[1], held[2]);
    lanner_document_free(document);
  }
  bytes_free(&page);
}

/* What a trim gives back to the tree builder was given to nobody else meanwhile: a stack that outgrows the
 * document's first block, then names that are the first. */
void test_memory_trimmed_after_depth(void) {
  static const char small[] =
      "<x1 name1=a><p><i><u><x2 name2=b>&amp;<table><td><x3 name3=c>&lt;<x1 name1=d>";
  struct bytes page = {0}, want = {0}, got = {0};
  for (int i = 0; i < 400; i++) bytes_add_text(&page, "<b class=x>");
  bytes_add_text(&page, "<x1 name1=a>&lt;");
  for (int i = 0; i < 5000; i++) bytes_add_text(&page, " text "); /* much is expected of it */
  for (int trimmed = 0; trimmed < 2; trimmed++) {
    lanner_document *document = lanner_document_new(NULL);
    struct bytes *out = trimmed ? &got : &want;
    for (int round = 0; round < 4; round++) {
      bool large = round % 2 == 0;
      TEST_CHECK(lanner_parse(document, large ? page.data : small,
                              large ? page.length : sizeof small - 1, NULL) == LANNER_OK);
      if (trimmed) lanner_document_trim(document);
      TEST_CHECK(lanner_serialize_inner(document, LANNER_DOCUMENT_NODE, false, write_bytes, out) ==
                 LANNER_OK);
    }
    lanner_document_free(document);
  }
  TEST_CHECK(want.length > 60000 && bytes_are(&got, want.data, want.length));
  bytes_free(&page);
  bytes_free(&want);
  bytes_free(&got);
}

/* The figures of lanner_memory are those of the allocator. */
void test_memory_accounting(void) {
  struct strict strict;
  lanner_allocator allocator = strict_allocator(&strict);
  lanner_document *document = lanner_document_new(&allocator);
  for (int round = 0; round < 2; round++) {
    for (size_t i = 0; i < test_page_count; i++) {
      struct bytes input = {0};
      test_pages[i].make(&input);
      TEST_CHECK(parse_page(document, &test_pages[i], &input, round ? 512 : 0) == LANNER_OK);
      lanner_memory memory = lanner_document_memory(document);
      TEST_CHECK_MSG(memory.held == strict.held, "%s: held %zu, the allocator says %zu",
                     test_pages[i].name, memory.held, strict.held);
      TEST_CHECK_MSG(memory.peak == strict.peak, "%s: peak %zu, the allocator says %zu",
                     test_pages[i].name, memory.peak, strict.peak);
      TEST_CHECK_MSG(memory.used <= memory.held, "%s: used %zu of %zu", test_pages[i].name,
                     memory.used, memory.held);
      bytes_free(&input);
    }
    size_t before = strict.held;
    lanner_document_reset(document);
    TEST_CHECK(strict.held == before); /* reset keeps the memory, trim gives it back */
    lanner_document_trim(document);
    /* What a new document has in one block stays. */
    TEST_CHECK_MSG(strict.held < 24576, "%zu bytes after trim", strict.held);
    TEST_CHECK(lanner_document_memory(document).held == strict.held);
  }
  lanner_document_free(document);
  all_returned(&strict, "accounting");
}

/* Once warm, a document parses pages of the same size without asking for memory. */
void test_memory_warm(void) {
  struct strict strict;
  lanner_allocator allocator = strict_allocator(&strict);
  lanner_document *document = lanner_document_new(&allocator);
  for (size_t i = 0; i < test_page_count; i++) {
    struct bytes input = {0};
    test_pages[i].make(&input);
    for (int round = 0; round < 2; round++) {
      size_t before = strict.calls;
      TEST_CHECK(parse_page(document, &test_pages[i], &input, 0) == LANNER_OK);
      if (round == 1)
        TEST_CHECK_MSG(strict.calls == before, "%s: %zu allocations on a warm document",
                       test_pages[i].name, strict.calls - before);
    }
    bytes_free(&input);
  }
  lanner_document_free(document);
  all_returned(&strict, "warm");
}

/* An allocator without memory for the third growth of the index of formatting elements. */
static void *refusing_reallocate(void *context, void *pointer, size_t old_size, size_t new_size) {
  size_t *refused = context;
  if (old_size == 8192 && new_size == 32768) {
    ++*refused;
    return NULL;
  }
  return realloc(pointer, new_size);
}
static void refusing_release(void *context, void *pointer, size_t size) {
  (void)context;
  (void)size;
  free(pointer);
}

/* Without the index each tag would walk the list of active formatting elements: the parse stops. */
void test_memory_format_index(void) {
  size_t refused = 0;
  lanner_allocator allocator = {refusing_reallocate, refusing_release, &refused};
  struct bytes input = {0};
  for (int i = 0; i < 5000; i++) bytes_add_format(&input, "<b a=%d>", i);
  lanner_document *document = lanner_document_new(&allocator);
  lanner_options options;
  lanner_options_init(&options);
  TEST_CHECK(lanner_parse(document, input.data, input.length, &options) == LANNER_ERROR_MEMORY);
  TEST_CHECK(refused == 1);
  /* It was told once, and the document can be used again. */
  TEST_CHECK(lanner_parse(document, "<b>x", 4, &options) == LANNER_OK);
  lanner_document_free(document);
  bytes_free(&input);
}

/* A table that a large page left is not cleared for each small page that comes: the first one that
 * needs little of it gives it back. */
void test_memory_after_a_large_page(void) {
  static const struct {
    const char *large, *small;
    size_t least; /* of the large page's table */
  } cases[] = {
      {"<a%d>", "<x-y>", 5000 * 5},
      {"<select id=i%d><selectedcontent></select>", "<select><selectedcontent></select>",
       5000 * 24},
      {"<p><?marker name='m%d'>", "<p><?marker name='m'>", 5000 * 16},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct bytes input = {0};
    for (int n = 0; n < 5000; n++) bytes_add_format(&input, cases[i].large, n);
    lanner_document *document = lanner_document_new(NULL);
    TEST_CHECK(lanner_parse(document, input.data, input.length, NULL) == LANNER_OK);
    size_t large = lanner_document_memory(document).held;
    for (int again = 0; again < 3; again++)
      TEST_CHECK(lanner_parse(document, cases[i].small, strlen(cases[i].small), NULL) == LANNER_OK);
    size_t small = lanner_document_memory(document).held;
    TEST_CHECK_MSG(small + cases[i].least <= large, "%s: %zu, then %zu", cases[i].large, large,
                   small);
    lanner_document_free(document);
    bytes_free(&input);
  }
}

/* Spans of a page before do not show, though only what it wrote is cleared. */
void test_memory_spans_of_the_page_before(void) {
  struct bytes input = {0};
  for (int n = 0; n < 2000; n++) bytes_add_text(&input, "<i>x</i>");
  lanner_document *document = lanner_document_new(NULL);
  lanner_options options;
  lanner_options_init(&options);
  options.flags = LANNER_SPANS;
  TEST_CHECK(lanner_parse(document, input.data, input.length, &options) == LANNER_OK);
  for (int again = 0; again < 2; again++) {
    TEST_CHECK(lanner_parse(document, "<b><b><b><b>", 12, &options) == LANNER_OK);
    size_t seen = 0;
    for (lanner_node node = LANNER_DOCUMENT_NODE; node;
         node = lanner_next(document, node, LANNER_DOCUMENT_NODE), seen++) {
      lanner_span span = lanner_node_span(document, node),
                  end = lanner_end_tag_span(document, node);
      TEST_CHECK(span.end <= 12 && end.start == 0 && end.end == 0);
    }
    TEST_CHECK(seen == 8);
  }
  lanner_document_free(document);
  bytes_free(&input);
}
