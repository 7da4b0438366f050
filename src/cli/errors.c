/* errors.c - `lanner errors`: the parse errors of a page, one a line.
 *
 * The form FILE:LINE:COLUMN: code is the one that editors and compilers share. Errors of the page
 * are what was asked for, so they do not change the exit status.
 */
#include <inttypes.h>
#include <stdio.h>

#include "commands.h"
#include "json.h"
#include "output.h"
#include "page.h"

typedef struct error_printer {
  bool as_json;
  bool standard_only;
} error_printer;

static void print_json(const cli_file *file, const lanner_error *error) {
  cli_json json;
  cli_json_begin(&json, cli_output_write, &cli_stdout);
  cli_json_open_object(&json);
  cli_json_key(&json, "file");
  cli_json_text(&json, file->name);
  cli_json_key(&json, "line");
  cli_json_unsigned(&json, error->line);
  cli_json_key(&json, "column");
  cli_json_unsigned(&json, error->column);
  cli_json_key(&json, "offset");
  cli_json_unsigned(&json, error->offset);
  cli_json_key(&json, "code");
  cli_json_text(&json, lanner_error_name(error->code));
  cli_json_key(&json, "standard");
  cli_json_bool(&json, lanner_error_is_standard(error->code));
  cli_json_close_object(&json);
  cli_json_end_line(&json);
}

static void print_line(const cli_file *file, const lanner_error *error) {
  char position[64];
  cli_output_text(&cli_stdout, file->name);
  snprintf(position, sizeof position, ":%" PRIu32 ":%" PRIu32 ": ", error->line, error->column);
  cli_output_text(&cli_stdout, position);
  cli_output_text(&cli_stdout, lanner_error_name(error->code));
  cli_output_text(&cli_stdout, "\n");
}

static int print_errors(void *context, const cli_settings *settings, const cli_file *file,
                        lanner_document *document) {
  const error_printer *printer = context;
  int status;
  if (!cli_parse_page(document, settings, file, LANNER_ERRORS, &status)) return status;
  size_t count;
  const lanner_error *errors = lanner_document_errors(document, &count);
  for (size_t i = 0; i < count && !cli_stdout.failed; i++) {
    if (printer->standard_only && !lanner_error_is_standard(errors[i].code)) continue;
    if (printer->as_json) {
      print_json(file, &errors[i]);
    } else {
      print_line(file, &errors[i]);
    }
  }
  return status;
}

static int run(const cli_command *command, int argc, char **argv) {
  error_printer printer = {false, false};
  const cli_option own[] = {
      {"json", 0, NULL, "print each error as a JSON object", CLI_FLAG, &printer.as_json},
      {"standard", 0, NULL, "only errors that the Standard names", CLI_FLAG,
       &printer.standard_only},
  };
  cli_settings settings;
  int status;
  if (!cli_parse_options(command, argc, argv, own, sizeof own / sizeof own[0], CLI_PARSE_GROUP,
                         &settings, &status))
    return status;
  return cli_each_page(&settings, print_errors, &printer);
}

const cli_command cli_command_errors = {
    .name = "errors",
    .arguments = "FILE...",
    .summary = "List the parse errors of a page: FILE:LINE:COLUMN: code",
    .details = "Lines and columns count from 1, columns in UTF-16 code units. Codes of tree\n"
               "construction, which the Standard leaves without names, are Lanner's own.",
    .run = run,
};
