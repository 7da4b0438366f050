/* html.c - `lanner html`: a page parsed and written again.
 *
 * The output is the Standard's serialization (13.3) of the document, or of the fragment's nodes,
 * as UTF-8 and byte for byte: no newline is added at the end.
 */
#include "commands.h"
#include "output.h"
#include "page.h"

static int print_html(void *context, const cli_settings *settings, const cli_file *file,
                      lanner_document *document) {
  (void)context;
  int status;
  if (!cli_parse_page(document, settings, file, 0, &status)) return status;
  bool scripting = (settings->parse.flags & LANNER_SCRIPTING) != 0;
  lanner_serialize_inner(document, cli_page_root(document), scripting, cli_output_write,
                         &cli_stdout);
  return status;
}

static int run(const cli_command *command, int argc, char **argv) {
  cli_settings settings;
  int status;
  if (!cli_parse_options(command, argc, argv, NULL, 0, CLI_PARSE_GROUP, &settings, &status))
    return status;
  return cli_each_page(&settings, print_html, NULL);
}

const cli_command cli_command_html = {
    .name = "html",
    .arguments = "FILE...",
    .summary = "Parse a page and write it again as the Standard serializes it",
    .details = "The output is UTF-8, whatever the page's encoding was and still declares.",
    .run = run,
};
