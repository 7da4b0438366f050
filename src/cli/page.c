/* page.c - parsing one file as the shared options say, and saying which limits struck.
 *
 * Files lie in memory with padding, so the document uses them in place. With --chunk the parser
 * gets them in pieces instead and keeps what it needs.
 */
#include "page.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "labels.h"
#include "message.h"
#include "output.h"

int cli_worse(int a, int b) { return a > b ? a : b; }

bool cli_fragment_context(const char *text, lanner_context *context) {
  memset(context, 0, sizeof *context);
  context->name_space = LANNER_HTML;
  context->name = text;
  if (strncmp(text, "svg ", 4) == 0) {
    context->name_space = LANNER_SVG;
    context->name = text + 4;
  } else if (strncmp(text, "math ", 5) == 0) {
    context->name_space = LANNER_MATHML;
    context->name = text + 5;
  }
  context->name_length = strlen(context->name);
  context->in_form = context->name_space == LANNER_HTML && strcmp(context->name, "form") == 0;
  return context->name_length > 0 && strcspn(context->name, " \t\n\f\r/>") == context->name_length;
}

lanner_node cli_page_root(const lanner_document *document) {
  lanner_node root = lanner_fragment_root(document);
  return root != 0 ? root : LANNER_DOCUMENT_NODE;
}

/* One line for each limit that struck. */
static void report_limits(const lanner_document *document, const lanner_limits *limits,
                          const char *name) {
  const struct {
    uint32_t bit;
    uint64_t value;
    const char *option, *effect;
  } table[] = {
      {LANNER_LIMIT_DEPTH, limits->depth, "max-depth", "deeper elements became siblings"},
      {LANNER_LIMIT_ATTRIBUTES, limits->attributes, "max-attributes",
       "further attributes were dropped"},
      {LANNER_LIMIT_ERRORS, limits->errors, "max-errors", NULL},
      {LANNER_LIMIT_NODES, limits->nodes, "max-nodes", "the rest was not parsed"},
      {LANNER_LIMIT_MEMORY, limits->memory, "max-memory", "the rest was not parsed"},
      {LANNER_LIMIT_INPUT, limits->input, "max-input", "the rest was not parsed"},
  };
  char errors[64];
  snprintf(errors, sizeof errors, "%" PRIu64 " errors in all",
           lanner_document_error_total(document));
  uint32_t struck = lanner_document_limits(document);
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    if (!(struck & table[i].bit)) continue;
    cli_message("%s: --%s %" PRIu64 " struck at byte %" PRIu64 "; %s", name, table[i].option,
                table[i].value, lanner_document_limit_offset(document, table[i].bit),
                table[i].effect != NULL ? table[i].effect : errors);
  }
}

static lanner_status parse_in_chunks(lanner_document *document, const lanner_context *context,
                                     const cli_file *file, size_t chunk,
                                     const lanner_options *options) {
  lanner_status status = lanner_parse_begin(document, context, options);
  for (size_t at = 0; at < file->length && status == LANNER_OK;) {
    size_t length = file->length - at < chunk ? file->length - at : chunk;
    status = lanner_parse_feed(document, file->bytes + at, length);
    at += length;
  }
  if (status != LANNER_OK) return status;
  return lanner_parse_end(document);
}

static lanner_status parse_whole(lanner_document *document, const lanner_context *context,
                                 const cli_file *file, const lanner_options *options) {
  if (context == NULL) return lanner_parse(document, file->bytes, file->length, options);
  return lanner_parse_fragment(document, context, file->bytes, file->length, options);
}

bool cli_parse_page(lanner_document *document, const cli_settings *settings, const cli_file *file,
                    uint32_t flags, int *status) {
  lanner_options options = settings->parse;
  options.flags |= flags;
  lanner_context context;
  bool fragment = settings->fragment != NULL;
  if (fragment) cli_fragment_context(settings->fragment, &context); /* checked with the options */
  if (file->guess != NULL) options.fallback = file->guess;
  lanner_status result;
  if (settings->chunk > 0) {
    result = parse_in_chunks(document, fragment ? &context : NULL, file, settings->chunk, &options);
  } else {
    options.flags |= LANNER_INPUT_PADDED;
    result = parse_whole(document, fragment ? &context : NULL, file, &options);
  }
  *status = result == LANNER_OK ? CLI_OK : CLI_FAILED;
  if (result == LANNER_OK || result == LANNER_ERROR_LIMIT) {
    report_limits(document, &options.limits, file->title);
    return true;
  }
  cli_message("%s: %s", file->title, lanner_status_text(result));
  return result == LANNER_ERROR_MEMORY; /* what was built so far can be read */
}

/* What is read of a file: one byte more than the parser takes, so that it notices. */
static uint64_t read_limit(const lanner_limits *limits) {
  if (limits->input > 0 && limits->input < LANNER_MAX_INPUT) return limits->input + 1;
  return (uint64_t)LANNER_MAX_INPUT + 1;
}

int cli_each_file(const cli_settings *settings, cli_file_handler handler, void *context) {
  cli_file file;
  memset(&file, 0, sizeof file);
  int worst = CLI_OK;
  for (int i = 0; i < settings->file_count && !cli_stdout.failed; i++) {
    int status = CLI_FAILED;
    if (cli_file_read(&file, settings->files[i], read_limit(&settings->parse.limits))) {
      if (settings->guess) file.guess = cli_guess_encoding(settings, file.bytes, file.length);
      status = handler(context, settings, &file);
    }
    worst = cli_worse(worst, status);
  }
  cli_file_free(&file);
  return worst;
}

typedef struct page_loop {
  cli_page_handler handler;
  void *context;
  lanner_document *document;
} page_loop;

static int handle_page(void *context, const cli_settings *settings, const cli_file *file) {
  page_loop *loop = context;
  int status = loop->handler(loop->context, settings, file, loop->document);
  /* The document may point into the file's buffer, which the next file reuses. */
  lanner_document_reset(loop->document);
  return status;
}

int cli_each_page(const cli_settings *settings, cli_page_handler handler, void *context) {
  page_loop loop = {handler, context, lanner_document_new(NULL)};
  if (loop.document == NULL) {
    cli_message("%s", lanner_status_text(LANNER_ERROR_MEMORY));
    return CLI_FAILED;
  }
  int status = cli_each_file(settings, handle_page, &loop);
  lanner_document_free(loop.document);
  return status;
}
