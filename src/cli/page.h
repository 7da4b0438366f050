/* page.h - parsing one file as the shared options say.
 *
 * All commands that need a tree go through here, so that fragments, chunks, limits, guessing and
 * what is said about them are the same everywhere.
 */
#ifndef LANNER_CLI_PAGE_H
#define LANNER_CLI_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "files.h"
#include "lanner.h"
#include "options.h"

/* Parses FILE into DOCUMENT with the settings and more FLAGS (LANNER_ERRORS, LANNER_SPANS). True:
 * the document can be read, *STATUS is CLI_OK or, when a limit stopped the parse, CLI_FAILED.
 * False: there is nothing to read. Limits that struck are said on standard error. */
bool cli_parse_page(lanner_document *document, const cli_settings *settings, const cli_file *file,
                    uint32_t flags, int *status);

/* The node whose children are the page: the document or, with --fragment, the fragment's root. */
lanner_node cli_page_root(const lanner_document *document);

/* "svg path", "math mi", "div": false when TEXT is none of these. CONTEXT points into TEXT. */
bool cli_fragment_context(const char *text, lanner_context *context);

/* Reads the files of SETTINGS one after another and calls HANDLER for each. Answers with the worst
 * status; stops early only when standard output has failed. */
typedef int (*cli_file_handler)(void *context, const cli_settings *settings, const cli_file *file);
int cli_each_file(const cli_settings *settings, cli_file_handler handler, void *context);

/* The same with a document for the handler to parse into. */
typedef int (*cli_page_handler)(void *context, const cli_settings *settings, const cli_file *file,
                                lanner_document *document);
int cli_each_page(const cli_settings *settings, cli_page_handler handler, void *context);

/* The worse of two exit statuses. */
int cli_worse(int a, int b);

#endif
