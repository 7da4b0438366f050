/* tree.c - `lanner tree`: the tree of a page in the html5lib/WPT test format.
 *
 * Byte for byte what the suites print under "#document", without that line: each line ends in a
 * newline, an empty tree prints nothing.
 */
#include "commands.h"
#include "output.h"
#include "page.h"

static int print_tree(void *context, const cli_settings *settings, const cli_file *file,
                      lanner_document *document) {
  (void)context;
  int status;
  if (cli_parse_page(document, settings, file, 0, &status))
    lanner_serialize_test(document, cli_page_root(document), cli_output_write, &cli_stdout);
  return status;
}

static int run(const cli_command *command, int argc, char **argv) {
  cli_settings settings;
  int status;
  if (!cli_parse_options(command, argc, argv, NULL, 0, CLI_PARSE_GROUP, &settings, &status))
    return status;
  return cli_each_page(&settings, print_tree, NULL);
}

const cli_command cli_command_tree = {
    .name = "tree",
    .arguments = "FILE...",
    .summary = "Print the tree of a page in the html5lib test format",
    .details = "Template contents appear below 'content', shadow roots below '#shadow-root MODE'.",
    .run = run,
};
