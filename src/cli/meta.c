/* meta.c - `lanner meta`: what a page says about itself. */
#include <inttypes.h>
#include <stdio.h>

#include "commands.h"
#include "extract_json.h"
#include "extract_page.h"
#include "output.h"

static void put(const char *text) { cli_output_text(&cli_stdout, text); }

/* "name: value" on a line. */
static void print_value(const char *name, lanner_string value) {
  if (value.data == NULL) return;
  put(name);
  put(": ");
  cli_print_line(value);
  put("\n");
}

static void print_named(const char *group, lanner_string name, lanner_string value) {
  put(group);
  put(": ");
  cli_print_line(name);
  put(" = ");
  cli_print_line(value);
  put("\n");
}

static void print_alternates(const char *name, const lanner_alternate *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    put(name);
    put(": ");
    cli_print_line(rows[i].url);
    const lanner_string details[] = {rows[i].hreflang, rows[i].type, rows[i].sizes, rows[i].media,
                                     rows[i].title};
    for (size_t k = 0; k < sizeof details / sizeof details[0]; k++) {
      if (details[k].data == NULL || details[k].length == 0) continue;
      put(" ");
      cli_print_line(details[k]);
    }
    put("\n");
  }
}

static void print_properties(const char *name, const lanner_property *rows, size_t count) {
  for (size_t i = 0; i < count; i++) print_named(name, rows[i].name, rows[i].value);
}

static void print_readable(const lanner_meta *meta) {
  print_value("title", meta->title);
  print_value("lang", meta->language);
  print_value("charset", meta->charset);
  print_value("description", meta->description);
  print_value("keywords", meta->keywords);
  print_value("author", meta->author);
  print_value("generator", meta->generator);
  print_value("base", meta->base);
  print_value("canonical", meta->canonical);
  print_value("amphtml", meta->amp);
  print_value("prev", meta->previous);
  print_value("next", meta->next);
  if (meta->refresh_seconds >= 0) {
    char seconds[48];
    snprintf(seconds, sizeof seconds, "refresh: %" PRId64 " s ", meta->refresh_seconds);
    put(seconds);
    if (meta->refresh_url.data != NULL) cli_print_line(meta->refresh_url);
    put("\n");
  }
  for (size_t i = 0; i < meta->robots_count; i++)
    print_named("robots", meta->robots[i].bot, meta->robots[i].value);
  print_alternates("alternate", meta->alternates, meta->alternate_count);
  print_alternates("feed", meta->feeds, meta->feed_count);
  print_alternates("icon", meta->icons, meta->icon_count);
  print_properties("open graph", meta->open_graph, meta->open_graph_count);
  print_properties("twitter", meta->twitter, meta->twitter_count);
  print_properties("date", meta->dates, meta->date_count);
  for (size_t i = 0; i < meta->json_ld_count; i++) print_value("json-ld", meta->json_ld[i]);
  if (meta->microdata) put("microdata: yes\n");
  if (meta->rdfa) put("rdfa: yes\n");
}

static void print_meta(const cli_extraction *extraction, const cli_file *file,
                       lanner_document *document) {
  (void)file, (void)document;
  const lanner_meta *meta = lanner_extract_meta(extraction->extract);
  if (!extraction->json) {
    print_readable(meta);
    return;
  }
  cli_json json;
  cli_json_begin(&json, cli_output_write, &cli_stdout);
  cli_json_meta(&json, meta);
  cli_json_end_line(&json);
}

static int run(const cli_command *command, int argc, char **argv) {
  cli_settings settings;
  cli_extraction extraction = {.flags = LANNER_EXTRACT_META, .print = print_meta};
  const cli_option own[] = {
      {"url", 0, "URL", "the document's URL, which relative ones are resolved against", CLI_TEXT,
       &extraction.url},
      {"json", 0, NULL, "one JSON object a page", CLI_FLAG, &extraction.json},
  };
  int status;
  if (!cli_parse_options(command, argc, argv, own, sizeof own / sizeof own[0], CLI_PARSE_GROUP,
                         &settings, &status))
    return status;
  return cli_extract_files(&extraction, &settings);
}

const cli_command cli_command_meta = {
    .name = "meta",
    .arguments = "FILE...",
    .summary = "Print what a page says about itself: title, description, robots, icons and more",
    .details = "What the page does not say is left out. Values are given as they stand in the\n"
               "page, URLs resolved where --url or a base element allows it.",
    .run = run,
};
