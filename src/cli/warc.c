/* warc.c - `lanner warc`: archives in, one JSON line a page out. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "page.h"
#include "warc_job.h"

static const uint64_t usual_record = UINT64_C(1) << 25;

/* --- values of options --- */

/* Takes the next word of a list divided by commas. */
static bool next_word(const char **list, char *word, size_t size) {
  if (**list == '\0') return false;
  size_t length = strcspn(*list, ",");
  snprintf(word, size, "%.*s", (int)(length < size ? length : size - 1), *list);
  *list += length;
  if (**list == ',') (*list)++;
  return true;
}

static bool set_fields(void *context, const char *value) {
#define FIELD_NAME(name) #name,
  static const char *const names[] = {WARC_FIELDS(FIELD_NAME) NULL};
#undef FIELD_NAME
  warc_settings *settings = context;
  char word[64];
  settings->fields = 0;
  if (*value == '\0') cli_message("--fields: the list is empty; see 'lanner warc --help'");
  while (next_word(&value, word, sizeof word)) {
    int field = cli_choose("fields", word, names);
    if (field < 0) return false;
    settings->fields |= 1u << field;
  }
  return settings->fields != 0;
}

/* "200", "2xx" or "200-299". */
static bool parse_range(const char *word, warc_status_range *range) {
  unsigned from, to;
  int end = 0;
  if (sscanf(word, "%3u-%3u%n", &from, &to, &end) == 2 && word[end] == '\0' && from <= to) {
    range->from = from;
    range->to = to;
    return true;
  }
  if (word[0] >= '1' && word[0] <= '9' && strcmp(word + 1, "xx") == 0) {
    range->from = (unsigned)(word[0] - '0') * 100;
    range->to = range->from + 99;
    return true;
  }
  if (sscanf(word, "%3u%n", &from, &end) != 1 || word[end] != '\0') return false;
  range->from = range->to = from;
  return true;
}

static bool set_status(void *context, const char *value) {
  warc_settings *settings = context;
  const size_t most = sizeof settings->status / sizeof settings->status[0];
  char word[64];
  if (*value == '\0') {
    cli_message("--status: the list is empty; 200, 3xx or 200-299, divided by commas");
    return false;
  }
  while (next_word(&value, word, sizeof word)) {
    if (settings->status_count == most) {
      cli_message("--status: more than %zu are given", most);
      return false;
    }
    if (!parse_range(word, &settings->status[settings->status_count])) {
      cli_message("--status: '%s' is no status; 200, 3xx or 200-299, divided by commas", word);
      return false;
    }
    settings->status_count++;
  }
  return true;
}

/* Reads "FILE:OFFSET[+INNER]". */
static bool parse_since(const warc_settings *settings, warc_position *start) {
  const char *colon = strrchr(settings->since, ':');
  char number[64];
  if (colon != NULL && colon > settings->since && strlen(colon + 1) < sizeof number) {
    strcpy(number, colon + 1);
    char *plus = strchr(number, '+');
    if (plus != NULL) *plus++ = '\0';
    bool good = cli_parse_size(number, UINT64_MAX, &start->place.offset);
    start->place.inner = 0;
    if (plus != NULL) good = good && cli_parse_size(plus, UINT64_MAX, &start->place.inner);
    size_t length = (size_t)(colon - settings->since);
    for (size_t i = 0; good && i < settings->file_count; i++) {
      if (strlen(settings->files[i]) != length ||
          memcmp(settings->files[i], settings->since, length) != 0)
        continue;
      start->file = i;
      return true;
    }
    if (good) {
      cli_message("--since: '%.*s' is none of the files given", (int)length, settings->since);
      return false;
    }
  }
  cli_message("--since: '%s' is not FILE:OFFSET or FILE:OFFSET+INNER", settings->since);
  return false;
}

static uint32_t processors(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count < 1 ? 1 : count > 1024 ? 1024 : (uint32_t)count;
}

/* --- the command --- */

typedef struct switches {
  bool no_text, no_links, links_only, link_text, content;
} switches;

/* False after a message: the options leave nothing or say two things. */
static bool choose_fields(warc_settings *settings, const switches *given) {
  if (given->links_only && settings->fields != 0) {
    cli_message("--links-only is --fields url,links: only one of the two can be given");
    return false;
  }
  if (given->links_only) settings->fields = warc_field_url | warc_field_links;
  if (settings->fields == 0) settings->fields = warc_all_fields;
  if (given->no_text) settings->fields &= ~(uint32_t)warc_field_text;
  if (given->no_links) settings->fields &= ~(uint32_t)warc_field_links;
  if (settings->fields == 0 || (given->links_only && given->no_links)) {
    cli_message("the options leave no field to write; see 'lanner warc --help'");
    return false;
  }
  if (settings->fields & warc_field_links) settings->extract |= LANNER_EXTRACT_LINKS;
  if (settings->fields & warc_field_text) settings->extract |= LANNER_EXTRACT_TEXT;
  if (settings->fields & (warc_field_meta | warc_field_title | warc_field_lang))
    settings->extract |= LANNER_EXTRACT_META;
  if (given->link_text) settings->extract |= LANNER_EXTRACT_LINK_TEXT | LANNER_EXTRACT_ALT;
  if (given->content) settings->extract |= LANNER_EXTRACT_MAIN;
  return true;
}

/* Checks what depends on several options, and fills in the defaults. */
static bool complete_settings(warc_settings *settings, const cli_settings *shared, uint64_t most) {
  settings->shared = shared;
  settings->parse = shared->parse;
  settings->files = (const char *const *)shared->files;
  settings->file_count = (size_t)shared->file_count;
  settings->most = most == 0 || most > LANNER_MAX_INPUT ? (size_t)LANNER_MAX_INPUT : (size_t)most;
  if (settings->workers == 0) settings->workers = processors();
  if (settings->workers > 1024) settings->workers = 1024;
  if (settings->output != NULL && strcmp(settings->output, "-") == 0) settings->output = NULL;
  if (settings->summary != NULL && strcmp(settings->summary, "-") == 0) {
    cli_message("--summary wants the name of a file: the lines may go to standard output");
    return false;
  }
  if (settings->append && settings->output == NULL) {
    cli_message("--append goes on with the file of --output; see 'lanner warc --help'");
    return false;
  }
  return true;
}

/* --append and --since name files; a name that is given twice says nothing. */
static bool names_differ(const warc_settings *settings) {
  for (size_t i = 0; i < settings->file_count; i++)
    for (size_t k = 0; k < i; k++)
      if (strcmp(settings->files[i], settings->files[k]) == 0) {
        cli_message("%s: is given twice, so --append and --since cannot tell where to go on",
                    settings->files[i]);
        return false;
      }
  return true;
}

/* A and B name one regular file. */
static bool same_file(const char *a, const char *b) {
  struct stat first, second;
  if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0) return false;
  if (stat(a, &first) != 0 || stat(b, &second) != 0) return strcmp(a, b) == 0;
  return S_ISREG(first.st_mode) && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/* Nothing is written over what is read, nor twice to one file. */
static bool writes_apart(const warc_settings *settings) {
  const char *const written[] = {settings->output, settings->summary};
  for (size_t k = 0; k < 2; k++)
    for (size_t i = 0; written[k] != NULL && i < settings->file_count; i++)
      if (same_file(written[k], settings->files[i])) {
        cli_message("%s: is read; --%s would write over it", written[k],
                    k == 0 ? "output" : "summary");
        return false;
      }
  if (settings->output != NULL && settings->summary != NULL &&
      same_file(settings->output, settings->summary)) {
    cli_message("%s: is given for both --output and --summary", settings->output);
    return false;
  }
  return true;
}

static int run(const cli_command *command, int argc, char **argv) {
  warc_settings settings = {.fields = 0};
  cli_settings shared;
  switches given = {.no_text = false};
  uint64_t most = usual_record;
  cli_option_callback fields = {set_fields, &settings}, status_list = {set_status, &settings};
  const cli_option own[] = {
      {"output", 'o', "FILE",
       "write to FILE, which gets its name when it is complete; -: standard output", CLI_TEXT,
       &settings.output},
      {"jobs", 'j', "N", "workers (default: one a processor)", CLI_COUNT, &settings.workers},
      {"fields", 0, "LIST", "fields of a line, divided by commas (default: all)", CLI_CALLBACK,
       &fields},
      {"no-text", 0, NULL, "leave out the text", CLI_FLAG, &given.no_text},
      {"no-links", 0, NULL, "leave out the links", CLI_FLAG, &given.no_links},
      {"links-only", 0, NULL, "url and links only", CLI_FLAG, &given.links_only},
      {"link-text", 0, NULL, "the text of each link too", CLI_FLAG, &given.link_text},
      {"main", 0, NULL, "the main content instead of all text", CLI_FLAG, &given.content},
      {"status", 0, "LIST", "only pages with these HTTP statuses: 200, 3xx, 200-299", CLI_CALLBACK,
       &status_list},
      {"limit", 0, "N", "stop after N lines", CLI_SIZE, &settings.limit},
      {"max-record", 0, "SIZE",
       "bytes of a record, unpacked; larger pages are flagged\n"
       "and not read (default 32M)",
       CLI_SIZE, &most},
      {"gzip", 0, NULL, "compress the output", CLI_FLAG, &settings.gzip},
      {"append", 0, NULL,
       "go on with the unfinished file of --output, behind its last\n"
       "record or where --since says",
       CLI_FLAG, &settings.append},
      {"since", 0, "PLACE", "start at a record: FILE:OFFSET or FILE:OFFSET+INNER", CLI_TEXT,
       &settings.since},
      {"summary", 0, "FILE", "what was read, as JSON", CLI_TEXT, &settings.summary},
      {"quiet", 'q', NULL, "neither progress nor summary on standard error", CLI_FLAG,
       &settings.quiet},
  };
  int status;
  if (!cli_parse_options(command, argc, argv, own, sizeof own / sizeof own[0], CLI_MANY_DOCUMENTS,
                         &shared, &status))
    return status;
  warc_position start = {0, {0, 0}};
  if (!complete_settings(&settings, &shared, most)) return CLI_USAGE;
  if ((settings.append || settings.since != NULL) && !names_differ(&settings)) return CLI_USAGE;
  if (settings.since != NULL && !parse_since(&settings, &start)) return CLI_USAGE;
  if (!choose_fields(&settings, &given) || !writes_apart(&settings)) return CLI_USAGE;
  if (!settings.quiet && !cli_urls_built_in() && (settings.fields & warc_field_links))
    cli_message("this program was built without URL resolution: links have no 'url', and relative "
                "ones are to be resolved against 'url' and meta's 'base'");
  warc_output *output = warc_output_open(&settings, settings.since != NULL, &start, &status);
  if (output == NULL) return status;
  status = warc_run(&settings, start, output);
  warc_output_free(output);
  return status;
}

const cli_command cli_command_warc = {
    .name = "warc",
    .arguments = "FILE...",
    .summary = "Read web archives: one JSON line for each HTML response",
    .details =
        "WARC 0.17 to 1.1 and ARC, plain or compressed with gzip (a member a record, or whole)\n"
        "or zstd, also mixed in one file. A line for each response whose Content-Type is\n"
        "text/html or application/xhtml+xml (when it has none, for those that look like HTML),\n"
        "and for each resource record of these types. Its fields:\n"
        "  url, date, status, content_type, charset, charset_source, title, lang, meta, links,\n"
        "  text, bytes, truncated, parse, warc\n"
        "\"bytes\" is the length of the body, its transfer and content codings undone (gzip,\n"
        "deflate, br, zstd). \"truncated\" is null where the page is whole, else a reason:\n"
        "  record          the record is shorter than it says\n"
        "  coding          a coding breaks or ends too early: the page is read up to there\n"
        "  unknown-coding  a coding that is not known here: the page is not read\n"
        "  max-record      more bytes than --max-record, packed or not: the page is not read\n"
        "  links           more links than are taken, see lanner_extract_cut in lanner_extract.h,\n"
        "                  or than are resolved against so long a base URL\n"
        "  memory          memory was short: the page is not read\n"
        "  or what the record itself says: length, time, disconnect, ...\n"
        "\"parse\" has the number of nodes and the limits that struck.\n"
        "\"warc\" says where the record is: file, offset, length; and, when\n"
        "its gzip member holds other records too, \"inner\", the offset in the member's content\n"
        "(length is then of that content).\n"
        "Lines come in the order of the archive, whatever --jobs is. Broken records are reported\n"
        "and passed over; the exit status is 1 then. A run that is interrupted leaves FILE.part\n"
        "and says how to go on. FILE stays as it was when no record could be read.",
    .run = run,
};
