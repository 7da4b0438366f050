/* links.c - `lanner links`: what a page links to, one link a line. */
#include "commands.h"
#include "extract_json.h"
#include "extract_page.h"
#include "output.h"

static const lanner_string tab = {"\t", 1};

static void print_field(lanner_string value) {
  cli_print_line(value);
  cli_output_write(&cli_stdout, tab.data, tab.length);
}

static void print_links(const cli_extraction *extraction, const cli_file *file,
                        lanner_document *document) {
  (void)file, (void)document;
  size_t count;
  const lanner_link *links = lanner_extract_links(extraction->extract, &count);
  cli_json json;
  cli_json_begin(&json, cli_output_write, &cli_stdout);
  for (size_t i = 0; i < count; i++) {
    const lanner_link *link = &links[i];
    if (extraction->json) {
      cli_json_link(&json, link, extraction->urls != NULL);
      cli_json_end_line(&json);
      continue;
    }
    print_field(link->element);
    print_field(link->attribute);
    cli_print_line(link->url.data != NULL ? link->url : link->value);
    if (link->rel.data != NULL || link->text.data != NULL) {
      cli_output_text(&cli_stdout, "\t");
      if (link->rel.data != NULL) cli_print_line(link->rel);
      if (link->text.data != NULL) {
        cli_output_text(&cli_stdout, "\t");
        cli_print_line(link->text);
      }
    }
    cli_output_text(&cli_stdout, "\n");
  }
}

static int run(const cli_command *command, int argc, char **argv) {
  cli_settings settings;
  cli_extraction extraction = {.flags = LANNER_EXTRACT_LINKS, .print = print_links};
  bool text = false;
  const cli_option own[] = {
      {"url", 0, "URL", "the document's URL, which relative links are resolved against", CLI_TEXT,
       &extraction.url},
      {"text", 0, NULL, "the text of each link too", CLI_FLAG, &text},
      {"json", 0, NULL, "JSON lines", CLI_FLAG, &extraction.json},
  };
  int status;
  if (!cli_parse_options(command, argc, argv, own, sizeof own / sizeof own[0], CLI_PARSE_GROUP,
                         &settings, &status))
    return status;
  if (text || extraction.json) extraction.flags |= LANNER_EXTRACT_LINK_TEXT | LANNER_EXTRACT_ALT;
  return cli_extract_files(&extraction, &settings);
}

const cli_command cli_command_links = {
    .name = "links",
    .arguments = "FILE...",
    .summary = "List what a page links to, with resolved URLs",
    .details =
        "A line a link, in the order of the tree: element, attribute, URL, rel, text, divided by\n"
        "tabs. The URL is the resolved one; where it does not resolve (a relative link without\n"
        "--url, a malformed one), the attribute's value. With --json, \"value\" and \"url\" are\n"
        "told apart, and \"url\" is null for values that are no URL.",
    .run = run,
};
