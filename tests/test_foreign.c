/* test_foreign.c - the tree builder over a tree that is not Lanner's (lanner_tree.h): the
 * document's tree on every page, each failing function, limits, pauses, late encodings, functions
 * left out. The suites run over it in test_tree.c. */
#include "own_tree.h"

#include "dat.h"
#include "pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
  lanner_tree_builder *builder;
  lanner_document *document;
  struct own_tree tree;
  struct bytes got, want, errors;
} kept;

static void begin(void) {
  memset(&kept, 0, sizeof kept);
  kept.builder = lanner_tree_builder_new(NULL);
  kept.document = lanner_document_new(NULL);
  if (!kept.builder || !kept.document) abort();
}
static void finish(void) {
  lanner_tree_builder_free(kept.builder);
  lanner_document_free(kept.document);
  own_tree_free(&kept.tree);
  bytes_free(&kept.got);
  bytes_free(&kept.want);
  bytes_free(&kept.errors);
}

static void page_run(const struct page *page, struct tree_run *run, lanner_context *context) {
  tree_run_init(run, page->flags);
  run->options.encoding = NULL;
  if (!page->context) return;
  *context = context_named((lanner_string){page->context, strlen(page->context)});
  run->context = context;
}

/* The document and the tree, made in the same way, are the same. */
static void same(const struct tree_run *run, const char *data, size_t length, lanner_status status,
                 const char *what) {
  const lanner_document *facts = lanner_tree_builder_document(kept.builder);
  if (!run_tree(kept.document, run, data, length, status, what)) return;
  lanner_status got = own_tree_parse(kept.builder, &kept.tree, NULL, run, data, length);
  TEST_CHECK_MSG(got == status, "%s: %s, expected %s", what, lanner_status_text(got),
                 lanner_status_text(status));
  tree_text(kept.document, &kept.want);
  own_tree_dump(&kept.tree, false, &kept.got);
  if (!TEST_CHECK_MSG(bytes_equal(&kept.got, &kept.want), "%s: %s", what,
                      difference(&kept.got, &kept.want)))
    return;
  tree_errors(kept.document, true, &kept.errors);
  TEST_CHECK_MSG(kept.tree.starts || bytes_equal(&kept.tree.errors, &kept.errors), "%s: errors: %s",
                 what, difference(&kept.tree.errors, &kept.errors));
  TEST_CHECK_MSG(lanner_document_error_total(facts) == lanner_document_error_total(kept.document),
                 "%s: total of errors", what);
  if (run->options.flags & LANNER_SPANS) own_tree_is(&kept.tree, kept.document, what);
  TEST_CHECK_MSG(kept.tree.mode == lanner_document_mode(kept.document) &&
                     lanner_document_mode(facts) == kept.tree.mode,
                 "%s: mode", what);
  TEST_CHECK_MSG(strcmp(lanner_document_encoding(facts), lanner_document_encoding(kept.document)) ==
                         0 &&
                     strcmp(lanner_document_encoding_source(facts),
                            lanner_document_encoding_source(kept.document)) == 0 &&
                     strcmp(lanner_document_encoding_confidence(facts),
                            lanner_document_encoding_confidence(kept.document)) == 0,
                 "%s: encoding %s", what, lanner_document_encoding(facts));
  uint32_t limits = lanner_document_limits(kept.document);
  TEST_CHECK_MSG(lanner_document_limits(facts) == limits, "%s: limits", what);
  for (uint32_t limit = 1; limit <= LANNER_LIMIT_INPUT; limit <<= 1)
    TEST_CHECK_MSG(lanner_document_limit_offset(facts, limit) ==
                       lanner_document_limit_offset(kept.document, limit),
                   "%s: offset of limit %u: %llu, expected %llu", what, (unsigned)limit,
                   (unsigned long long)lanner_document_limit_offset(facts, limit),
                   (unsigned long long)lanner_document_limit_offset(kept.document, limit));
}

void test_foreign_pages(void) {
  static const uint32_t flags[] = {0, LANNER_ERRORS, LANNER_SPANS, LANNER_ERRORS | LANNER_SPANS};
  static const size_t steps[] = {0, 1, 7, 1000};
  begin();
  for (size_t i = 0; i < test_page_count; i++) {
    struct bytes input = {0};
    test_pages[i].make(&input);
    for (size_t k = 0; k < 16; k++) {
      struct tree_run run;
      lanner_context context;
      char what[128];
      page_run(&test_pages[i], &run, &context);
      run.options.flags |= flags[k % 4];
      run.plan.kind = steps[k / 4] ? STEPS : WHOLE;
      run.plan.at = steps[k / 4];
      snprintf(what, sizeof what, "%s, flags %u, steps of %zu", test_pages[i].name,
               (unsigned)run.options.flags, steps[k / 4]);
      same(&run, input.data, input.length, LANNER_OK, what);
    }
    bytes_free(&input);
  }
  finish();
}

/* Documents that begin in another mode, labels, promises about the input. */
void test_foreign_options(void) {
  static const struct {
    const char *name, *data;
    uint32_t flags;
    const char *encoding, *context;
  } cases[] = {
      {"quirks", "<p><table>x", LANNER_IN_QUIRKS, NULL, "div"},
      {"limited quirks", "<p><table>x", LANNER_IN_LIMITED_QUIRKS, NULL, "div"},
      {"srcdoc", "<!doctype a><p><table>", LANNER_SRCDOC, NULL, NULL},
      {"plain text", "\n<p>&amp;", LANNER_PLAINTEXT, NULL, NULL},
      {"run scripts", "<noscript><p>x", LANNER_RUN_SCRIPTS, NULL, "body"},
      {"clean", "<p>\xC3\xA4", LANNER_INPUT_CLEAN, NULL, NULL},
      {"label", "<p>\xEF\xF0", 0, "koi8-r", NULL},
      {"surrogates", "<p a=\xED\xA0\x80>\xED\xA0\x80", LANNER_SURROGATES | LANNER_ERRORS, "utf-8",
       NULL},
      {"form", "<form><input><p>", 0, NULL, "form"},
      {"svg", "<p><title><p>", 0, NULL, "svg desc"},
      {"select", "<option>a<select>b<input>c", 0, NULL, "select"},
      {"frameset", "<frame><p>", 0, NULL, "frameset"},
      {"unknown", "<td>x<p>", 0, NULL, "x-y"},
  };
  begin();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tree_run run;
    lanner_context context;
    tree_run_init(&run, cases[i].flags);
    run.options.encoding = cases[i].encoding;
    if (cases[i].context) {
      context = context_named((lanner_string){cases[i].context, strlen(cases[i].context)});
      run.context = &context;
    }
    same(&run, cases[i].data, strlen(cases[i].data), LANNER_OK, cases[i].name);
    run.plan.kind = STEPS;
    run.plan.at = 1;
    same(&run, cases[i].data, strlen(cases[i].data), LANNER_OK, cases[i].name);
  }
  /* In the caller's memory. */
  char padded[LANNER_PADDING + 16] = "<p a=b>x&amp;y";
  struct tree_run run;
  tree_run_init(&run, LANNER_INPUT_PADDED);
  same(&run, padded, strlen(padded), LANNER_OK, "padded");
  finish();
}

/* --- failing functions --- */

static bool sound(const struct own_tree *tree) {
  for (lanner_node i = 0; i < tree->count; i++) {
    const struct own_node *node = tree->nodes[i];
    for (const struct own_node *child = node->first; child; child = child->next)
      if (child->parent != node ||
          (child->next ? child->next->previous != child : node->last != child))
        return false;
  }
  return true;
}

/* Every call of a function fails once: the parse stops there, asks nothing more, and the builder
 * serves on. */
void test_foreign_failing(void) {
  size_t failures = 0;
  begin();
  for (size_t i = 0; i < test_page_count; i++) {
    struct bytes input = {0};
    struct tree_run run;
    lanner_context context;
    test_pages[i].make(&input);
    page_run(&test_pages[i], &run, &context);
    own_tree_parse(kept.builder, &kept.tree, NULL, &run, input.data, input.length);
    own_tree_dump(&kept.tree, false, &kept.want);
    size_t calls = kept.tree.calls;
    for (size_t n = 1; n <= calls; n += n < 60 ? 1 : test_full_effort() ? 1 + n / 400 : 1 + n / 8) {
      run.plan.kind = n % 2 ? WHOLE : STEPS;
      run.plan.at = 100;
      kept.tree.fail_at = n;
      lanner_status status =
          own_tree_parse(kept.builder, &kept.tree, NULL, &run, input.data, input.length);
      kept.tree.fail_at = 0;
      TEST_CHECK_MSG(status == LANNER_STOPPED && kept.tree.failed && kept.tree.calls == n,
                     "%s, call %zu fails: %s", test_pages[i].name, n, lanner_status_text(status));
      TEST_CHECK_MSG(sound(&kept.tree), "%s, call %zu fails: links disagree", test_pages[i].name,
                     n);
      if (run.plan.kind == STEPS)
        TEST_CHECK(lanner_tree_feed(kept.builder, "x", 1) == LANNER_STOPPED &&
                   lanner_tree_end(kept.builder) == LANNER_STOPPED);
      failures++;
      if (n % 16) continue;
      status = own_tree_parse(kept.builder, &kept.tree, NULL, &run, input.data, input.length);
      own_tree_dump(&kept.tree, false, &kept.got);
      TEST_CHECK_MSG(status == LANNER_OK && bytes_equal(&kept.got, &kept.want), "%s, then: %s",
                     test_pages[i].name, difference(&kept.got, &kept.want));
    }
    bytes_free(&input);
  }
  test_note("%zu failing calls of %zu pages", failures, test_page_count);
  finish();
}

/* --- limits --- */
void test_foreign_limits(void) {
  begin();
  for (size_t i = 0; i < test_page_count; i++) {
    struct bytes input = {0};
    test_pages[i].make(&input);
    for (uint32_t n = 1; n <= 64; n *= 4) {
      struct tree_run run;
      lanner_context context;
      char what[128];
      snprintf(what, sizeof what, "%s, limits of %u", test_pages[i].name, (unsigned)n);
      page_run(&test_pages[i], &run, &context);
      run.options.limits.depth = n + 1;
      same(&run, input.data, input.length, LANNER_OK, what);
      run.options.limits.attributes = n;
      run.options.limits.errors = n;
      run.options.flags |= LANNER_ERRORS;
      run.plan.kind = STEPS;
      run.plan.at = 50;
      same(&run, input.data, input.length, LANNER_OK, what);
      page_run(&test_pages[i], &run, &context);
      run.options.limits.input = 10 * n;
      lanner_status status = input.length > 10 * n ? LANNER_ERROR_LIMIT : LANNER_OK;
      same(&run, input.data, input.length, status, what);
      run.plan.kind = STEPS;
      run.plan.at = 3;
      same(&run, input.data, input.length, status, what);
    }
    bytes_free(&input);
  }
  /* Nodes, where every run of text is a node; clones of options are counted, too. */
  for (uint32_t n = 3; n < 400; n++) {
    struct bytes input = {0};
    struct tree_run run;
    bytes_add_text(&input, "<select><button><selectedcontent></button>");
    for (int i = 0; i < 60; i++) bytes_add_text(&input, "<option selected>x<b>y</b></option>");
    tree_run_init(&run, 0);
    run.options.limits.nodes = n;
    char what[64];
    snprintf(what, sizeof what, "%u nodes", (unsigned)n);
    same(&run, input.data, input.length, LANNER_ERROR_LIMIT, what);
    bytes_free(&input);
  }
  /* Above the contents of a template is its parent, also for a patch in it and what is in that. */
  for (uint32_t depth = 1; depth < 9; depth++) {
    static const char page[] = "<template><?start name='n'?><template for=n><template>x<p></p>"
                               "</template></template><div><template shadowrootmode=open><b><i>";
    struct tree_run run;
    tree_run_init(&run, 0);
    run.options.limits.depth = depth;
    same(&run, page, strlen(page), LANNER_OK, page);
  }
  /* Memory is the builder's; the page is complete all the same. */
  size_t struck = 0;
  for (size_t i = 0; i < test_page_count; i++) {
    struct bytes input = {0};
    struct tree_run run;
    lanner_context context;
    test_pages[i].make(&input);
    page_run(&test_pages[i], &run, &context);
    for (uint64_t limit = 12000; limit < 60000; limit += 6000) {
      run.options.limits.memory = limit;
      lanner_status status =
          own_tree_parse(kept.builder, &kept.tree, NULL, &run, input.data, input.length);
      const lanner_document *facts = lanner_tree_builder_document(kept.builder);
      bool limited =
          status == LANNER_ERROR_LIMIT && lanner_document_limits(facts) & LANNER_LIMIT_MEMORY;
      TEST_CHECK_MSG(limited || status == LANNER_OK, "%s, %u bytes: %s", test_pages[i].name,
                     (unsigned)limit, lanner_status_text(status));
      struck += limited;
      if (limited && !run.context && kept.tree.count > 1)
        TEST_CHECK_MSG(own_tree_find(&kept.tree, "html") && own_tree_find(&kept.tree, "head"),
                       "%s, %u bytes: not complete", test_pages[i].name, (unsigned)limit);
      TEST_CHECK(sound(&kept.tree));
    }
    bytes_free(&input);
  }
  TEST_CHECK_MSG(struck > 50, "only %zu limits on memory struck", struck);
  finish();
}

/* --- scripts --- */
static const char script_page[] =
    "<!DOCTYPE html><script>1</script><p>a<svg><script>2</script><script/></svg>b"
    "<script>3</script>c<script>4";

static lanner_tree into(const lanner_tree_operations *operations) {
  return (lanner_tree){operations, &kept.tree, kept.tree.root->id};
}

static void seen_children(struct own_tree *tree, struct own_node *script) {
  bytes_add_format(tree->context, "%s%.*s;", script->parent ? "" : "lost ",
                   script->first ? (int)script->first->data.length : 0,
                   script->first ? script->first->data.data : "");
}

void test_foreign_scripts(void) {
  struct tree_run run;
  struct bytes log = {0};
  begin();
  kept.tree.on_script = seen_children;
  kept.tree.context = &log;
  tree_run_init(&run, 0);
  same(&run, script_page, strlen(script_page), LANNER_OK, "scripts");
  TEST_CHECK_MSG(bytes_are(&log, "1;2;;3;", 7), "scripts %s", log.data);
  own_tree_dump(&kept.tree, false, &kept.want);

  /* A pause means nothing for whole input. */
  kept.tree.script_answer = LANNER_PAUSE;
  same(&run, script_page, strlen(script_page), LANNER_OK, "pauses of whole input");
  TEST_CHECK(!lanner_tree_paused(kept.builder));
  TEST_CHECK(lanner_tree_resume(kept.builder) == LANNER_ERROR_STATE);

  /* In pieces: what is fed during a pause waits. */
  for (size_t step = 1; step <= sizeof script_page; step++) {
    bool early = step % 2; /* resume as soon as possible, or only when all is fed */
    size_t pauses = 0, length = strlen(script_page);
    own_tree_clear(&kept.tree, false);
    lanner_tree tree = into(&own_operations);
    run.options.encoding = step % 3 ? "utf-8" : NULL;
    TEST_CHECK(lanner_tree_begin(kept.builder, &tree, NULL, &run.options) == LANNER_OK);
    for (size_t at = 0; at < length; at += step) {
      size_t some = length - at < step ? length - at : step;
      TEST_CHECK(lanner_tree_feed(kept.builder, script_page + at, some) == LANNER_OK);
      size_t nodes = kept.tree.calls;
      while (early && lanner_tree_paused(kept.builder)) {
        TEST_CHECK(kept.tree.calls == nodes);
        TEST_CHECK(kept.tree.scripts == ++pauses);
        TEST_CHECK(lanner_tree_resume(kept.builder) == LANNER_OK);
        nodes = kept.tree.calls;
      }
    }
    TEST_CHECK(lanner_tree_end(kept.builder) == LANNER_OK);
    while (lanner_tree_paused(kept.builder)) {
      TEST_CHECK(lanner_tree_end(kept.builder) == LANNER_ERROR_STATE);
      TEST_CHECK(lanner_tree_feed(kept.builder, "x", 1) == LANNER_ERROR_STATE);
      TEST_CHECK(kept.tree.scripts == ++pauses);
      TEST_CHECK(lanner_tree_resume(kept.builder) == LANNER_OK);
    }
    TEST_CHECK_MSG(pauses == 4, "steps of %zu: %zu pauses", step, pauses);
    TEST_CHECK(lanner_tree_end(kept.builder) == LANNER_ERROR_STATE);
    own_tree_dump(&kept.tree, false, &kept.got);
    TEST_CHECK_MSG(bytes_equal(&kept.got, &kept.want), "steps of %zu: %s", step,
                   difference(&kept.got, &kept.want));
  }
  /* A limit on the input during a pause is told when the rest was parsed. */
  own_tree_clear(&kept.tree, false);
  lanner_tree tree = into(&own_operations);
  run.options.limits.input = 60;
  TEST_CHECK(lanner_tree_begin(kept.builder, &tree, NULL, &run.options) == LANNER_OK);
  TEST_CHECK(lanner_tree_feed(kept.builder, script_page, sizeof script_page - 1) == LANNER_OK);
  TEST_CHECK(lanner_tree_paused(kept.builder));
  lanner_status status = LANNER_OK;
  while (lanner_tree_paused(kept.builder)) status = lanner_tree_resume(kept.builder);
  TEST_CHECK_MSG(status == LANNER_ERROR_LIMIT, "%s", lanner_status_text(status));
  TEST_CHECK(own_tree_find(&kept.tree, "svg") != NULL);

  kept.tree.script_answer = LANNER_STOP;
  run.options.limits.input = 0;
  TEST_CHECK(own_tree_parse(kept.builder, &kept.tree, NULL, &run, script_page,
                            strlen(script_page)) == LANNER_STOPPED);
  TEST_CHECK(kept.tree.scripts == 1 && !own_tree_find(&kept.tree, "p"));
  bytes_free(&log);
  finish();
}

/* A script moves what the parser works on; each kind of question is asked of the changed tree. */
static void move_nodes(struct own_tree *tree, struct own_node *script) {
  const lanner_tree_operations *ops = &own_operations;
  struct own_node *table = own_tree_find(tree, "table"), *section = own_tree_find(tree, "section");
  struct own_node *div = own_tree_find(tree, "div"), *template = own_tree_find(tree, "template");
  (void)script;
  tree->cycles = true;
  lanner_tree_changed(kept.builder);
  if (table && template) { /* into the template element itself: text goes into its contents */
    ops->remove(tree, table->id);
    ops->insert(tree, template->id, table->id, 0);
  } else if (table) { /* nowhere: text goes into the element below on the stack */
    ops->remove(tree, table->id);
  }
  if (section && div) { /* the common ancestor goes below the furthest block */
    ops->remove(tree, div->id);
    ops->remove(tree, section->id);
    ops->insert(tree, div->id, section->id, 0);
  }
}

void test_foreign_changes(void) {
  static const struct {
    const char *data, *tree;
  } cases[] = {
      {"<table><script></script>x</table>y", "| <html>\n|   <head>\n|   <body>\n|     \"xy\"\n"},
      {"<template></template><table><script></script>x</table>y",
       "| <html>\n|   <head>\n|     <template>\n|       content\n|         \"x\"\n|       <table>\n"
       "|         <script>\n|   <body>\n|     \"y\"\n"},
      /* The adoption agency may not make a cycle: what the script took away stays away. */
      {"<section><i><div><script></script>x</i>y", "| <html>\n|   <head>\n|   <body>\n"},
  };
  begin();
  kept.tree.on_script = move_nodes;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tree_run run;
    tree_run_init(&run, 0);
    lanner_status status =
        own_tree_parse(kept.builder, &kept.tree, NULL, &run, cases[i].data, strlen(cases[i].data));
    own_tree_dump(&kept.tree, false, &kept.got);
    TEST_CHECK_MSG(status == LANNER_OK &&
                       bytes_are(&kept.got, cases[i].tree, strlen(cases[i].tree)),
                   "%s: %s", cases[i].data, kept.got.data);
    TEST_CHECK(sound(&kept.tree));
  }
  finish();
}

/* --- another encoding --- */
void test_foreign_late_encoding(void) {
  struct bytes input = {0};
  struct tree_run run;
  lanner_tree_operations operations = own_operations;
  begin();
  bytes_add_text(&input, "<title>\xEF\xF0</title><!--");
  for (int i = 0; i < 1100; i++) bytes_add_text(&input, "-");
  bytes_add_text(&input, "--><meta charset=koi8-r><p>\xEF\xF0");
  for (size_t step = 0; step < 1400; step += 100) {
    tree_run_init(&run, step % 200 ? LANNER_ERRORS : 0);
    run.options.encoding = NULL;
    run.plan.kind = step ? STEPS : WHOLE;
    run.plan.at = step;
    same(&run, input.data, input.length, LANNER_OK, "late encoding");
    TEST_CHECK_MSG(kept.tree.starts == 1, "started over %zu times", kept.tree.starts);
  }
  for (int pieces = 0; pieces < 2; pieces++) {
    run.plan.kind = pieces ? STEPS : WHOLE;
    kept.tree.fail_at = 0;
    own_tree_parse(kept.builder, &kept.tree, NULL, &run, input.data, input.length);
    kept.tree.fail_at = kept.tree.start_call;
    lanner_status status =
        own_tree_parse(kept.builder, &kept.tree, NULL, &run, input.data, input.length);
    TEST_CHECK_MSG(status == LANNER_STOPPED && kept.tree.failed && !kept.tree.starts, "%s",
                   lanner_status_text(status));
  }
  kept.tree.fail_at = 0;
  operations.start_over = NULL;
  tree_run_init(&run, 0);
  run.options.encoding = NULL;
  for (int pieces = 0; pieces < 2; pieces++) {
    run.plan.kind = pieces ? STEPS : WHOLE;
    run.plan.at = 50;
    TEST_CHECK(own_tree_parse(kept.builder, &kept.tree, &operations, &run, input.data,
                              input.length) == LANNER_OK);
    const lanner_document *facts = lanner_tree_builder_document(kept.builder);
    TEST_CHECK(strcmp(lanner_document_encoding(facts), "windows-1252") == 0);
    TEST_CHECK(own_tree_find(&kept.tree, "p") &&
               bytes_are(&own_tree_find(&kept.tree, "p")->first->data, "\xC3\xAF\xC3\xB0", 4));
  }
  bytes_free(&input);
  finish();
}

/* --- functions that are left out --- */
static bool option_popped(void *context, lanner_node option) {
  struct own_tree *tree = context;
  tree->options += strcmp(tree->nodes[option - 1]->name.data, "option") == 0;
  return true;
}

static void left_out(const lanner_tree_operations *operations, const char *data,
                     const char *context, const char *want) {
  struct tree_run run;
  lanner_context around;
  tree_run_init(&run, LANNER_ERRORS | LANNER_SPANS);
  if (context) {
    around = context_named((lanner_string){context, strlen(context)});
    run.context = &around;
  }
  lanner_status status =
      own_tree_parse(kept.builder, &kept.tree, operations, &run, data, strlen(data));
  own_tree_dump(&kept.tree, false, &kept.got);
  TEST_CHECK_MSG(status == LANNER_OK && bytes_are(&kept.got, want, strlen(want)), "%s: %s, %s",
                 data, lanner_status_text(status), kept.got.data);
}

void test_foreign_left_out(void) {
  static const char patch[] = "<?marker name='m'><template for=m>x</template>";
  static const char choice[] = "<select><button><selectedcontent></button><option>a</select>";
  lanner_tree_operations ops = own_operations;
  begin();
  ops.create_processing_instruction = NULL;
  left_out(&ops, patch, "div", "| <template>\n|   for=\"m\"\n|   content\n|     \"x\"\n");
  ops = own_operations;
  ops.create_doctype = NULL;
  left_out(&ops, "<!DOCTYPE x>", NULL, "| <html>\n|   <head>\n|   <body>\n");
  TEST_CHECK(kept.tree.mode == LANNER_QUIRKS);
  ops = own_operations;
  ops.set_mode = NULL;
  left_out(&ops, "<p><table>", NULL,
           "| <html>\n|   <head>\n|   <body>\n|     <p>\n|       <table>\n");
  TEST_CHECK(lanner_document_mode(lanner_tree_builder_document(kept.builder)) == LANNER_QUIRKS);
  ops = own_operations;
  ops.template_contents = NULL;
  left_out(&ops, "<template>x<template>y</template></template>z", "div",
           "| <template>\n|   content\n|   \"x\"\n|   <template>\n|     content\n|     \"y\"\n| "
           "\"z\"\n");
  ops = own_operations;
  ops.attach_shadow = NULL;
  left_out(
      &ops, "<div><template shadowrootmode=open>x", "div",
      "| <div>\n|   <template>\n|     shadowrootmode=\"open\"\n|     content\n|       \"x\"\n");
  ops = own_operations;
  ops.add_attributes = NULL;
  left_out(&ops, "<html a><html b><body><body c>", NULL,
           "| <html>\n|   a=\"\"\n|   <head>\n|   <body>\n");
  ops = own_operations;
  ops.note_source = NULL;
  ops.error = NULL;
  ops.script_ended = NULL;
  left_out(&ops, "<script></script></p>", "div", "| <script>\n| <p>\n");
  for (int i = 0; i < 5; i++) { /* one question less is all less */
    ops = own_operations;
    if (i == 0) ops.first_child = NULL;
    if (i == 1) ops.next_sibling = NULL;
    if (i == 2) ops.describe = NULL;
    if (i == 3) ops.get_attribute = NULL;
    if (i == 4) ops.clone_node = NULL;
    left_out(&ops, patch, "div",
             "| <?marker name='m'?>\n| <template>\n|   for=\"m\"\n|   content\n|     \"x\"\n");
    left_out(&ops, choice, "div",
             "| <select>\n|   <button>\n|     <selectedcontent>\n|   <option>\n|     \"a\"\n");
  }
  left_out(NULL, patch, "div", "| \"x\"\n");
  left_out(NULL, choice, "div",
           "| <select>\n|   <button>\n|     <selectedcontent>\n|       \"a\"\n|   <option>\n|     "
           "\"a\"\n");
  ops = own_operations;
  ops.option_popped = option_popped;
  left_out(&ops, choice, "div",
           "| <select>\n|   <button>\n|     <selectedcontent>\n|   <option>\n|     \"a\"\n");
  TEST_CHECK_MSG(kept.tree.options == 1, "%zu options", kept.tree.options);
  finish();
}

/* --- clones and patches that the suites have little of --- */
void test_foreign_clones(void) {
  static const char *const pages[] = {
      "<select><button><selectedcontent></button><option><b>x</b><template>t<i>u<template>v</"
      "template>w</i></template>y",
      "<select><option>a<template><p>q</p></template><option "
      "selected>b<button><selectedcontent></button></select>",
      "<select><option>a<optgroup><option selected>b</optgroup><button><selectedcontent>old",
      "<select size=2><button><selectedcontent></button><option>a<option>b",
      "<select multiple><button><selectedcontent></button><option>a",
      "<select><button><selectedcontent></button><optgroup disabled><option>a</optgroup><option>b",
      "<div><?start name='a'>x<p>y<?marker name='b'></p><?end>z</div><template for=a>1<?marker "
      "name=c>2</template>"
      "<template for=b>3</template><template for=c>4</template>",
      "<div><?marker name='a'><?marker name='a'></div><template for=a>1</template><template "
      "for=a>2</template>"
      "<template for=a>3</template>",
      "<table><tr><td><?marker name='a'></table><template for=a><table>x",
      "<b><p><?marker name='a'></b>x<template for=a>y</template>",
      "<head><?marker name='a'></head><body><template for=a><title>t</title></template>",
      "<select><selectedcontent><option>a</select><select><selectedcontent><option>b</select>"
      "<select><selectedcontent><option>c</select><select><selectedcontent><option>d</select>"
      "<select><selectedcontent><option>e</select><select><selectedcontent><option>f</select>",
      "<template><?marker name='a'><template for=a>x</template></template><template for=a>y",
  };
  begin();
  for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
    struct tree_run run;
    size_t length = strlen(pages[i]);
    tree_run_init(&run, 0);
    same(&run, pages[i], length, LANNER_OK, pages[i]);
    run.plan.kind = STEPS;
    run.plan.at = 1;
    run.options.flags = LANNER_SPANS;
    same(&run, pages[i], length, LANNER_OK, pages[i]);
    /* As if somebody had changed something: the tree is asked for everything. */
    own_tree_clear(&kept.tree, false);
    lanner_tree tree = into(&own_operations);
    TEST_CHECK(lanner_tree_begin(kept.builder, &tree, NULL, &run.options) == LANNER_OK);
    lanner_tree_changed(kept.builder);
    TEST_CHECK(lanner_tree_feed(kept.builder, pages[i], length) == LANNER_OK &&
               lanner_tree_end(kept.builder) == LANNER_OK);
    own_tree_dump(&kept.tree, false, &kept.got);
    TEST_CHECK_MSG(bytes_equal(&kept.got, &kept.want), "changed, %s: %s", pages[i],
                   difference(&kept.got, &kept.want));
  }
  finish();
}

void test_foreign_form_owners(void) {
  static const char page[] =
      "<form id=f><input><img form=g><button "
      "form=g></button><p><x-y></x-y><annotation-xml></annotation-xml>"
      "<svg><input></svg><table></form><select></select><template><textarea></textarea></template>";
  static const struct {
    const char *name;
    bool owned;
  } wanted[] = {{"input", true},   {"img", true},      {"button", false},
                {"p", false},      {"x-y", true},      {"annotation-xml", false},
                {"select", false}, {"textarea", false}};
  struct tree_run run;
  begin();
  tree_run_init(&run, 0);
  same(&run, page, strlen(page), LANNER_OK, "forms");
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    struct own_node *node = own_tree_find(&kept.tree, wanted[i].name);
    TEST_CHECK_MSG(node && (node->form != NULL) == wanted[i].owned, "%s", wanted[i].name);
    if (node && node->form) TEST_CHECK(node->form == own_tree_find(&kept.tree, "form"));
  }
  /* The form is outside of the fragment: nothing in it can be in its tree. */
  lanner_context context = context_named((lanner_string){"form", 4});
  run.context = &context;
  same(&run, "<input>", 7, LANNER_OK, "form outside");
  TEST_CHECK(!own_tree_find(&kept.tree, "input")->form);
  finish();
}

/* --- arguments and states --- */
static void call_back(struct own_tree *tree, struct own_node *script) {
  lanner_tree other = {&own_operations, tree, 1};
  (void)script;
  TEST_CHECK(lanner_tree_feed(kept.builder, "x", 1) == LANNER_ERROR_STATE);
  TEST_CHECK(lanner_tree_end(kept.builder) == LANNER_ERROR_STATE);
  TEST_CHECK(lanner_tree_resume(kept.builder) == LANNER_ERROR_STATE);
  TEST_CHECK(lanner_tree_begin(kept.builder, &other, NULL, NULL) == LANNER_ERROR_STATE);
  TEST_CHECK(lanner_tree_parse(kept.builder, &other, NULL, "x", 1, NULL) == LANNER_ERROR_STATE);
}

void test_foreign_states(void) {
  begin();
  own_tree_clear(&kept.tree, false);
  lanner_tree tree = into(&own_operations), bad = tree;
  lanner_options options;
  lanner_options_init(&options);
  TEST_CHECK(lanner_tree_feed(kept.builder, "x", 1) == LANNER_ERROR_STATE);
  TEST_CHECK(lanner_tree_end(kept.builder) == LANNER_ERROR_STATE);
  TEST_CHECK(lanner_tree_resume(kept.builder) == LANNER_ERROR_STATE);
  TEST_CHECK(lanner_tree_parse(NULL, &tree, NULL, "x", 1, NULL) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_tree_parse(kept.builder, NULL, NULL, "x", 1, NULL) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_tree_parse(kept.builder, &tree, NULL, NULL, 1, NULL) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_tree_begin(NULL, &tree, NULL, NULL) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_tree_feed(NULL, "x", 1) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_tree_end(NULL) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(lanner_tree_resume(NULL) == LANNER_ERROR_ARGUMENT);
  TEST_CHECK(!lanner_tree_paused(NULL) && !lanner_tree_builder_document(NULL));
  lanner_tree_changed(NULL);
  lanner_tree_builder_free(NULL);
  options.size = 1;
  TEST_CHECK(lanner_tree_parse(kept.builder, &tree, NULL, "x", 1, &options) ==
             LANNER_ERROR_ARGUMENT);
  lanner_options_init(&options);
  options.encoding = "no such";
  TEST_CHECK(lanner_tree_parse(kept.builder, &tree, NULL, "x", 1, &options) ==
             LANNER_ERROR_ENCODING);
  TEST_CHECK(lanner_tree_begin(kept.builder, &tree, NULL, &options) == LANNER_ERROR_ENCODING);
  bad.root = 0;
  TEST_CHECK(lanner_tree_parse(kept.builder, &bad, NULL, "x", 1, NULL) == LANNER_ERROR_ARGUMENT);
  bad.root = UINT32_MAX;
  TEST_CHECK(lanner_tree_parse(kept.builder, &bad, NULL, "x", 1, NULL) == LANNER_ERROR_ARGUMENT);
  bad.root = 1;
  for (int i = 0; i < 8; i++) {
    lanner_tree_operations ops = own_operations;
    if (i == 0) ops.size--;
    if (i == 1) ops.create_element = NULL;
    if (i == 2) ops.create_comment = NULL;
    if (i == 3) ops.insert = NULL;
    if (i == 4) ops.insert_text = NULL;
    if (i == 5) ops.remove = NULL;
    if (i == 6) ops.move_children = NULL;
    if (i == 7) ops.parent = NULL;
    bad.operations = &ops;
    TEST_CHECK_MSG(lanner_tree_parse(kept.builder, &bad, NULL, "x", 1, NULL) ==
                       LANNER_ERROR_ARGUMENT,
                   "%d", i);
  }
  TEST_CHECK_MSG(kept.tree.calls == 0, "%zu calls", kept.tree.calls);
  kept.tree.on_script = call_back;
  TEST_CHECK(lanner_tree_parse(kept.builder, &tree, NULL, "<script></script>x", 18, NULL) ==
             LANNER_OK);
  TEST_CHECK(kept.tree.scripts == 1);
  own_tree_dump(&kept.tree, false, &kept.got);
  const char want[] = "| <html>\n|   <head>\n|     <script>\n|   <body>\n|     \"x\"\n";
  TEST_CHECK_MSG(bytes_are(&kept.got, want, strlen(want)), "%s", kept.got.data);
  finish();
}

/* A tree that is deep or has been adopted a lot costs no more than the document does. */
void test_foreign_deep(void) {
  enum { DEPTH = 100000 };
  struct bytes input = {0};
  struct tree_run run;
  begin();
  for (int i = 0; i < DEPTH; i++) bytes_add_text(&input, "<div>");
  tree_run_init(&run, 0);
  run.options.limits.depth = 0;
  lanner_status status =
      own_tree_parse(kept.builder, &kept.tree, NULL, &run, input.data, input.length);
  TEST_CHECK(status == LANNER_OK && kept.tree.count == DEPTH + 4);
  size_t depth = 0;
  for (const struct own_node *node = kept.tree.root; node->last; node = node->last) depth++;
  TEST_CHECK_MSG(depth == DEPTH + 2, "%zu levels", depth);
  bytes_free(&input);
  finish();
}

/* Mixtures that nobody thought of: the same tree as the document's, with small limits too. */
void test_foreign_mixtures(void) {
  static const char *const parts[] = {"<p>",
                                      "</p>",
                                      "<b>",
                                      "</b>",
                                      "<b a=1>",
                                      "<i>",
                                      "</i>",
                                      "<a>",
                                      "</a>",
                                      "<nobr>",
                                      "<div>",
                                      "</div>",
                                      "<span>",
                                      "</span>",
                                      "<table>",
                                      "</table>",
                                      "<tr>",
                                      "<td>",
                                      "</td>",
                                      "<caption>",
                                      "<colgroup>",
                                      "<col>",
                                      "<tbody>",
                                      "x",
                                      " ",
                                      "&amp;",
                                      "\n",
                                      "<!--c-->",
                                      "<?pi d?>",
                                      "<template>",
                                      "</template>",
                                      "<template for=m>",
                                      "<template for=n>",
                                      "<?marker name='m'?>",
                                      "<?start name='n'?>",
                                      "<?end?>",
                                      "<template shadowrootmode=open>",
                                      "<svg>",
                                      "</svg>",
                                      "<math>",
                                      "<mi>",
                                      "<desc>",
                                      "<foreignObject>",
                                      "<title>",
                                      "</title>",
                                      "<script>",
                                      "</script>",
                                      "<style>",
                                      "</style>",
                                      "<select>",
                                      "</select>",
                                      "<select size=3>",
                                      "<option>",
                                      "<option selected>",
                                      "</option>",
                                      "<optgroup>",
                                      "<button>",
                                      "</button>",
                                      "<selectedcontent>",
                                      "</selectedcontent>",
                                      "<hr>",
                                      "<input>",
                                      "<form>",
                                      "</form>",
                                      "<li>",
                                      "<ul>",
                                      "</ul>",
                                      "<h1>",
                                      "</h1>",
                                      "<html l=1>",
                                      "<body c=2>",
                                      "</body>",
                                      "</html>",
                                      "<head>",
                                      "</head>",
                                      "<frameset>",
                                      "<frame>",
                                      "<br/>",
                                      "</br>",
                                      "<!DOCTYPE html>",
                                      "<object>",
                                      "</object>",
                                      "<ruby>",
                                      "<rt>",
                                      "<x-y>",
                                      "</x-y>",
                                      "<svg/>",
                                      "<![CDATA[z]]>"};
  static const char *const contexts[] = {NULL,       NULL,     "div",      "table",
                                         "template", "select", "svg desc", "body"};
  enum { KINDS = sizeof parts / sizeof *parts };
  uint64_t state = 20261130;
  size_t count = test_full_effort() ? 30000 : 1500;
  struct bytes input = {0};
  begin();
  for (size_t i = 0; i < count; i++) {
    struct tree_run run;
    lanner_context context;
    size_t length = random_next(&state) % 40, few = 2 + random_next(&state) % (KINDS - 1);
    uint64_t from = random_next(&state); /* some pages are made of few parts, and so repeat them */
    bytes_clear(&input);
    bytes_add(&input, "", 0);
    for (size_t k = 0; k <= length; k++)
      bytes_add_text(&input, parts[(from + random_next(&state) % few) % KINDS]);
    tree_run_init(&run, i % 3 ? LANNER_ERRORS | LANNER_SPANS : 0);
    const char *name = contexts[random_next(&state) % 8];
    if (name) {
      context = context_named((lanner_string){name, strlen(name)});
      run.context = &context;
    }
    if (i % 4 == 0) run.options.limits.depth = 2 + (uint32_t)(random_next(&state) % 8);
    run.plan.kind = i % 2 ? STEPS : WHOLE;
    run.plan.at = 1 + i % 9;
    same(&run, input.data, input.length, LANNER_OK, shown(input.data, input.length));
    TEST_CHECK(sound(&kept.tree));
  }
  bytes_free(&input);
  finish();
}

/* --- how often the tree is asked --- */
static size_t parents_asked;
static lanner_node counted_parent(void *tree, lanner_node node) {
  parents_asked++;
  return own_operations.parent(tree, node);
}

/* Options in a deep patch, without a limit on depth: the way to their select is looked for in the tree,
 * in proportion to it. */
void test_foreign_deep_options(void) {
  enum { N = 8000 };
  struct bytes input = {0};
  struct tree_run run;
  lanner_tree_operations operations = own_operations;
  operations.parent = counted_parent;
  begin();
  bytes_add_text(&input, "<select><selectedcontent></selectedcontent></select>"
                         "<div><?marker name='a'></div><template for=a>");
  for (int i = 0; i < N; i++) bytes_add_text(&input, "<div>");
  for (int i = 0; i < N; i++) bytes_add_text(&input, "<option></option>");
  tree_run_init(&run, 0);
  run.options.limits.depth = 0;
  parents_asked = 0;
  TEST_CHECK(own_tree_parse(kept.builder, &kept.tree, &operations, &run, input.data,
                            input.length) == LANNER_OK);
  TEST_CHECK(kept.tree.count > 2 * N);
  TEST_CHECK_MSG(parents_asked > N && parents_asked < (size_t)N * N / 2, "%zu", parents_asked);
  bytes_free(&input);
  finish();
}
