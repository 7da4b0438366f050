/* extract_page.h - what the commands links, meta and text have in common: one page, its URL, the
 * extractor. */
#ifndef LANNER_CLI_EXTRACT_PAGE_H
#define LANNER_CLI_EXTRACT_PAGE_H

#include "lanner_extract.h"
#include "page.h"
#include "url.h"

typedef struct cli_extraction {
  uint32_t flags;  /* LANNER_EXTRACT_... */
  const char *url; /* --url: of the document; NULL: unknown */
  bool json;
  uint32_t parse_flags; /* LANNER_SPANS */
  lanner_extract *extract;
  cli_urls *urls; /* NULL: nothing resolves */
  void (*print)(const struct cli_extraction *extraction, const cli_file *file,
                lanner_document *document);
} cli_extraction;

/* Runs over the files of SETTINGS; the command's exit status. */
int cli_extract_files(cli_extraction *extraction, const cli_settings *settings);

/* Prints TEXT with its control characters as spaces: for lines that people read. */
void cli_print_line(lanner_string text);

#endif
