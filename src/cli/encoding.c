/* encoding.c - `lanner encoding`: which encoding a page has, and how that is known.
 *
 * The page is parsed to its end, since a meta element far down may still change the encoding.
 */
#include <string.h>

#include "commands.h"
#include "json.h"
#include "output.h"
#include "page.h"

static void print_json(const cli_file *file, const char *name, const char *source,
                       const char *confidence) {
  cli_json json;
  cli_json_begin(&json, cli_output_write, &cli_stdout);
  cli_json_open_object(&json);
  cli_json_key(&json, "file");
  cli_json_text(&json, file->name);
  cli_json_key(&json, "encoding");
  cli_json_text(&json, name);
  cli_json_key(&json, "source");
  cli_json_text(&json, source);
  cli_json_key(&json, "confidence");
  cli_json_text(&json, confidence);
  cli_json_close_object(&json);
  cli_json_end_line(&json);
}

static int print_encoding(void *context, const cli_settings *settings, const cli_file *file,
                          lanner_document *document) {
  const bool *as_json = context;
  int status;
  if (!cli_parse_page(document, settings, file, 0, &status)) return status;
  const char *name = lanner_document_encoding(document);
  const char *source = lanner_document_encoding_source(document);
  const char *confidence = lanner_document_encoding_confidence(document);
  /* The parser takes the detector's answer as its default. */
  if (file->guess != NULL && strcmp(source, "default") == 0) source = "guess";
  if (*as_json) {
    print_json(file, name, source, confidence);
    return status;
  }
  if (settings->file_count > 1) {
    cli_output_text(&cli_stdout, file->name);
    cli_output_text(&cli_stdout, ": ");
  }
  cli_output_text(&cli_stdout, name);
  cli_output_text(&cli_stdout, " ");
  cli_output_text(&cli_stdout, source);
  cli_output_text(&cli_stdout, " ");
  cli_output_text(&cli_stdout, confidence);
  cli_output_text(&cli_stdout, "\n");
  return status;
}

static int run(const cli_command *command, int argc, char **argv) {
  bool as_json = false;
  const cli_option own[] = {
      {"json", 0, NULL, "print a JSON object for each file", CLI_FLAG, &as_json},
  };
  cli_settings settings;
  int status;
  if (!cli_parse_options(command, argc, argv, own, sizeof own / sizeof own[0], CLI_PARSE_GROUP,
                         &settings, &status))
    return status;
  return cli_each_page(&settings, print_encoding, &as_json);
}

const cli_command cli_command_encoding = {
    .name = "encoding",
    .arguments = "FILE...",
    .summary = "Tell the encoding of a page: its name, where it is from, how certain that is",
    .details =
        "Where from: bom, user (--encoding), transport, utf-16-pattern, meta, xml, late-meta,\n"
        "parent, guess (--guess) or default. How certain: certain, tentative, irrelevant. With\n"
        "several files each line begins with 'FILE: '.",
    .run = run,
};
