/* text.c - `lanner text`: the readable text of a page. */
#include "commands.h"
#include "extract_json.h"
#include "extract_page.h"
#include "output.h"

static bool pieces; /* --offsets */

static void print_pieces(cli_json *json, const cli_extraction *extraction) {
  size_t count;
  const lanner_text_piece *piece = lanner_extract_pieces(extraction->extract, &count);
  cli_json_key(json, "pieces");
  cli_json_open_array(json);
  for (size_t i = 0; i < count; i++, piece++) {
    cli_json_open_array(json);
    cli_json_unsigned(json, piece->begin);
    cli_json_unsigned(json, piece->end);
    cli_json_unsigned(json, piece->span.start);
    cli_json_unsigned(json, piece->span.end);
    cli_json_bool(json, piece->exact);
    cli_json_close_array(json);
  }
  cli_json_close_array(json);
}

static void print_text(const cli_extraction *extraction, const cli_file *file,
                       lanner_document *document) {
  (void)document;
  lanner_string text = lanner_extract_text(extraction->extract);
  if (!extraction->json && !pieces) {
    cli_output_write(&cli_stdout, text.data, text.length);
    if (text.length > 0) cli_output_text(&cli_stdout, "\n");
    return;
  }
  cli_json json;
  cli_json_begin(&json, cli_output_write, &cli_stdout);
  cli_json_open_object(&json);
  cli_json_key(&json, "file");
  cli_json_text(&json, file->name);
  cli_json_key(&json, "text");
  cli_json_string(&json, text.data, text.length);
  if (pieces) print_pieces(&json, extraction);
  cli_json_close_object(&json);
  cli_json_end_line(&json);
}

static int run(const cli_command *command, int argc, char **argv) {
  cli_settings settings;
  cli_extraction extraction = {.flags = LANNER_EXTRACT_TEXT, .print = print_text};
  bool links = false, alt = false, content = false;
  pieces = false;
  const cli_option own[] = {
      {"url", 0, "URL", "the document's URL, for --links", CLI_TEXT, &extraction.url},
      {"main", 0, NULL,
       "the main content only: without navigation, headers, footers,\n"
       "asides, lists of links",
       CLI_FLAG, &content},
      {"links", 0, NULL, "the URL of each link behind its text", CLI_FLAG, &links},
      {"alt", 0, NULL, "the alt text of images in their place", CLI_FLAG, &alt},
      {"offsets", 0, NULL, "where each piece of the text comes from (JSON)", CLI_FLAG, &pieces},
      {"json", 0, NULL, "one JSON object a page", CLI_FLAG, &extraction.json},
  };
  int status;
  if (!cli_parse_options(command, argc, argv, own, sizeof own / sizeof own[0], CLI_PARSE_GROUP,
                         &settings, &status))
    return status;
  if (content) extraction.flags |= LANNER_EXTRACT_MAIN;
  if (links) extraction.flags |= LANNER_EXTRACT_INLINE_LINKS;
  if (alt) extraction.flags |= LANNER_EXTRACT_ALT;
  if (pieces) {
    extraction.flags |= LANNER_EXTRACT_PIECES;
    extraction.parse_flags |= LANNER_SPANS;
  }
  return cli_extract_files(&extraction, &settings);
}

const cli_command cli_command_text = {
    .name = "text",
    .arguments = "FILE...",
    .summary = "Print the readable text of a page",
    .details =
        "Like innerText without style sheets: blocks begin lines, paragraphs stand apart, cells\n"
        "are divided by tabs, pre keeps its whitespace. Scripts, styles, templates, noscript and\n"
        "hidden elements are left out.\n"
        "With --offsets each piece is [BEGIN, END, FROM, TO, EXACT]: bytes of the text, bytes of\n"
        "the page, and whether these are the piece itself or the first run of its text node.",
    .run = run,
};
