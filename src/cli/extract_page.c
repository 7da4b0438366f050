/* extract_page.c - see extract_page.h. */
#include "extract_page.h"

#include <string.h>

#include "message.h"
#include "output.h"

void cli_print_line(lanner_string text) {
  size_t run = 0;
  for (size_t i = 0; i < text.length; i++) {
    unsigned char c = (unsigned char)text.data[i];
    if (c >= 0x20 && c != 0x7F) continue;
    cli_output_write(&cli_stdout, text.data + run, i - run);
    cli_output_write(&cli_stdout, " ", 1);
    run = i + 1;
  }
  cli_output_write(&cli_stdout, text.data + run, text.length - run);
}

static int extract_page(void *context, const cli_settings *settings, const cli_file *file,
                        lanner_document *document) {
  cli_extraction *extraction = context;
  int status;
  if (!cli_parse_page(document, settings, file, extraction->parse_flags, &status)) return status;
  lanner_extract_options options;
  lanner_extract_options_init(&options);
  options.flags = extraction->flags;
  if (extraction->urls != NULL) {
    lanner_string base, own = {extraction->url, 0};
    if (extraction->url != NULL)
      own.length = strlen(extraction->url);
    else
      own.data = "";
    bool has_base = lanner_extract_base(document, &base);
    cli_urls_begin(extraction->urls, own, has_base ? &base : NULL,
                   lanner_document_encoding(document));
    if (extraction->url != NULL && cli_urls_base(extraction->urls).length == 0) {
      cli_message("--url: '%s' is not an absolute URL", extraction->url);
      return CLI_USAGE;
    }
    options.resolve = cli_urls_resolve;
    options.resolve_context = extraction->urls;
  }
  lanner_status result = lanner_extract_run(extraction->extract, document, &options);
  if (extraction->urls != NULL && cli_urls_failed(extraction->urls)) result = LANNER_ERROR_MEMORY;
  if (result != LANNER_OK) {
    cli_message("%s: %s", file->name, lanner_status_text(result));
    status = cli_worse(status, CLI_FAILED);
  }
  if (lanner_extract_cut(extraction->extract))
    cli_message("%s: more links than a page of its size can need; the rest is left out",
                file->name);
  if (extraction->urls != NULL && cli_urls_cut(extraction->urls))
    cli_message("%s: too many links for so long a base URL; the rest is not resolved", file->name);
  extraction->print(extraction, file, document);
  return status;
}

int cli_extract_files(cli_extraction *extraction, const cli_settings *settings) {
  extraction->extract = lanner_extract_new(NULL);
  extraction->urls = cli_urls_new();
  int status = CLI_FAILED;
  if (extraction->extract == NULL || (extraction->urls == NULL && cli_urls_built_in())) {
    cli_message("%s", lanner_status_text(LANNER_ERROR_MEMORY));
  } else {
    if (extraction->urls == NULL && extraction->url != NULL)
      cli_message("--url: this program was built without URL resolution; values are given as they "
                  "stand in the page");
    status = cli_each_page(settings, extract_page, extraction);
  }
  cli_urls_free(extraction->urls);
  lanner_extract_free(extraction->extract);
  return status;
}
