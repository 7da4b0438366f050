/* count.c - one stage over one page, for counting instructions: count STAGE FILE.
 *
 * The stage runs twice: the first time grows what a document keeps, the second is the one whose
 * instructions count (callgrind collects inside count_this only). */
#include <lanner.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bench {
  lanner_document *document;
  lanner_tokenizer *tokenizer;
  lanner_options options;
  lanner_tokenizer_options token_options;
  char *page;
  size_t length;
  size_t seen;
} bench;

static int on_token(void *context, lanner_tokenizer *tokenizer, const lanner_token *token) {
  (void)tokenizer;
  ((bench *)context)->seen += token->type + token->attribute_count;
  return LANNER_CONTINUE;
}

static int on_write(void *context, const char *data, size_t length) {
  (void)data;
  ((bench *)context)->seen += length;
  return 0;
}

/* Not inlined and not static: callgrind finds them by name. */
void count_this(bench *run, void (*stage)(bench *));
__attribute__((noinline)) void count_this(bench *run, void (*stage)(bench *)) { stage(run); }

static void tokens(bench *run) {
  lanner_tokenize(run->tokenizer, run->page, run->length, &run->token_options);
}

static void tree(bench *run) { lanner_parse(run->document, run->page, run->length, &run->options); }

static void fresh(bench *run) {
  lanner_document *document = lanner_document_new(NULL);
  if (document == NULL) return;
  lanner_parse(document, run->page, run->length, &run->options);
  lanner_document_free(document);
}

static void checked(bench *run) {
  lanner_options options = run->options;
  options.flags |= LANNER_ERRORS | LANNER_SPANS;
  lanner_parse(run->document, run->page, run->length, &options);
}

static void serialize(bench *run) {
  lanner_serialize_inner(run->document, LANNER_DOCUMENT_NODE, false, on_write, run);
}

int main(int count, char **arguments) {
  static const struct {
    const char *name;
    void (*run)(bench *);
  } stages[] = {{"tokens", tokens},
                {"tree", tree},
                {"new", fresh},
                {"checked", checked},
                {"serialize", serialize}};
  FILE *file = count == 3 ? fopen(arguments[2], "rb") : NULL;
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
    fputs("usage: count STAGE FILE\n", stderr);
    return 2;
  }
  bench run = {.document = lanner_document_new(NULL), .tokenizer = lanner_tokenizer_new(NULL)};
  long size = ftell(file);
  rewind(file);
  run.length = (size_t)size;
  run.page = calloc(1, run.length + LANNER_PADDING);
  if (size < 0 || run.page == NULL || run.document == NULL || run.tokenizer == NULL ||
      fread(run.page, 1, run.length, file) != run.length)
    return 1;
  fclose(file);
  lanner_options_init(&run.options);
  run.options.flags |= LANNER_INPUT_PADDED;
  run.options.encoding = "utf-8";
  lanner_tokenizer_options_init(&run.token_options);
  run.token_options.flags |= LANNER_INPUT_PADDED;
  run.token_options.encoding = "utf-8";
  run.token_options.on_token = on_token;
  run.token_options.context = &run;
  for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
    if (strcmp(arguments[1], stages[i].name) != 0) continue;
    tree(&run); /* what serialize reads */
    stages[i].run(&run);
    count_this(&run, stages[i].run);
    printf("%zu\n", run.seen + lanner_document_node_count(run.document));
    lanner_tokenizer_free(run.tokenizer);
    lanner_document_free(run.document);
    free(run.page);
    return 0;
  }
  return 2;
}
