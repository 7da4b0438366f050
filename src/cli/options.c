/* options.c - option tables: parsing with getopt_long, help texts, near matches.
 *
 * The tables of a command and the shared ones are joined into one list; an option's place in it is
 * what getopt_long gives back. getopt's own messages are off, ours name what was meant.
 */
#define _POSIX_C_SOURCE 200809L
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "labels.h"
#include "message.h"
#include "output.h"
#include "page.h"

enum { MOST_OPTIONS = 64, FIRST_VALUE = 1000 };

typedef struct option_list {
  cli_option items[MOST_OPTIONS];
  size_t count;
  size_t shared; /* the first of the shared options, for the help text */
} option_list;

static void add(option_list *list, const cli_option *options, size_t count) {
  for (size_t i = 0; i < count && list->count < MOST_OPTIONS; i++)
    list->items[list->count++] = options[i];
}

/* The shared options, joined behind the own ones. */
static void add_shared(option_list *list, unsigned groups, cli_settings *settings, bool *scripting,
                       bool *no_shadow, bool *help) {
  lanner_options *parse = &settings->parse;
  lanner_limits *limits = &parse->limits;
  const cli_option parsing[] = {
      {"fragment", 0, "CONTEXT",
       "parse as a fragment inside CONTEXT: NAME, 'svg NAME' or\n"
       "'math NAME'",
       CLI_TEXT, &settings->fragment},
      {"scripting", 0, NULL, "parse as with scripting: noscript holds raw text", CLI_FLAG,
       scripting},
      {"no-shadow", 0, NULL, "leave declarative shadow roots as templates", CLI_FLAG, no_shadow},
      {"chunk", 0, "N", "feed the parser in pieces of N bytes", CLI_COUNT, &settings->chunk},
  };
  const cli_option everywhere[] = {
      {"encoding", 0, "LABEL", "the page's encoding, whatever it declares", CLI_TEXT,
       &parse->encoding},
      {"transport", 0, "LABEL", "the encoding named by the Content-Type header", CLI_TEXT,
       &parse->transport},
      {"guess", 0, NULL, "guess the encoding of pages that declare none", CLI_FLAG,
       &settings->guess},
      {"max-depth", 0, "N", "open elements; deeper ones become siblings", CLI_NUMBER,
       &limits->depth},
      {"max-nodes", 0, "N", "nodes of a document; stops the parse", CLI_NUMBER, &limits->nodes},
      {"max-attributes", 0, "N", "attributes of a tag; further ones are dropped", CLI_NUMBER,
       &limits->attributes},
      {"max-memory", 0, "SIZE", "bytes held by a document; stops the parse", CLI_SIZE,
       &limits->memory},
      {"max-input", 0, "SIZE", "bytes of a page; stops the parse", CLI_SIZE, &limits->input},
      {"max-errors", 0, "N", "parse errors recorded; further ones are counted only", CLI_NUMBER,
       &limits->errors},
      {"help", 'h', NULL, "print this text", CLI_FLAG, help},
  };
  if (groups & CLI_PARSE_GROUP) add(list, parsing, sizeof parsing / sizeof parsing[0]);
  list->shared = list->count;
  add(list, everywhere, sizeof everywhere / sizeof everywhere[0]);
}

/* --- help --- */

static bool is_number(const cli_option *option) {
  return option->kind == CLI_NUMBER || option->kind == CLI_SIZE;
}

static uint64_t number_of(const cli_option *option) {
  if (option->kind == CLI_SIZE) return *(const uint64_t *)option->target;
  return *(const uint32_t *)option->target;
}

/* DEFAULTS: the targets hold the defaults; they are told. */
static void print_options(const option_list *list, size_t from, size_t to, bool defaults) {
  enum { COLUMN = 26 };
  for (size_t i = from; i < to; i++) {
    const cli_option *option = &list->items[i];
    char left[80];
    char letter[8] = "";
    if (option->letter != 0) snprintf(letter, sizeof letter, "-%c, ", option->letter);
    int width = snprintf(left, sizeof left, "  %s--%s%s%s", letter, option->name,
                         option->argument != NULL ? " " : "",
                         option->argument != NULL ? option->argument : "");
    cli_output_text(&cli_stdout, left);
    for (const char *line = option->help; line != NULL;) {
      if (width >= COLUMN) {
        cli_output_text(&cli_stdout, "\n");
        width = 0;
      }
      for (; width < COLUMN; width++) cli_output_text(&cli_stdout, " ");
      const char *end = strchr(line, '\n');
      cli_output_write(&cli_stdout, line, end != NULL ? (size_t)(end - line) : strlen(line));
      line = end != NULL ? end + 1 : NULL;
      width = COLUMN;
    }
    if (defaults && is_number(option) && number_of(option) != 0) {
      snprintf(left, sizeof left, " (default %" PRIu64 ")", number_of(option));
      cli_output_text(&cli_stdout, left);
    }
    cli_output_text(&cli_stdout, "\n");
  }
}

static void print_help(const cli_command *command, const option_list *list, unsigned groups) {
  cli_output *out = &cli_stdout;
  char line[256];
  snprintf(line, sizeof line, "lanner %s [OPTION...] %s\n\n%s.\n", command->name,
           command->arguments, command->summary);
  cli_output_text(out, line);
  if (command->details != NULL) {
    cli_output_text(out, "\n");
    cli_output_text(out, command->details);
    cli_output_text(out, "\n");
  }
  if (list->shared > 0) cli_output_text(out, "\nOptions of this command:\n");
  print_options(list, 0, list->shared, false);
  cli_output_text(out, "\nOptions of all commands:\n");
  print_options(list, list->shared, list->count, true);
  cli_output_text(out, "\nA limit of 0 is no limit; SIZE may end in K, M or G. FILE may be '-', "
                       "the standard input.\n");
  if (!(groups & CLI_NO_FILES)) {
    cli_output_text(out,
                    "With several files the outputs follow one another and the worst exit\n"
                    "status counts: 0 done, 1 something could not be read or written or a limit\n"
                    "stopped a parse, 2 usage.\n");
  }
}

/* --- values --- */

bool cli_parse_size(const char *text, uint64_t maximum, uint64_t *number) {
  if (text[0] < '0' || text[0] > '9') return false;
  char *end = NULL;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  if (errno != 0) return false;
  unsigned shift = 0;
  if (*end == 'k' || *end == 'K') shift = 10;
  if (*end == 'm' || *end == 'M') shift = 20;
  if (*end == 'g' || *end == 'G') shift = 30;
  if (shift != 0) end++;
  if (*end != '\0' || value > UINT64_MAX >> shift || value << shift > maximum) return false;
  *number = (uint64_t)value << shift;
  return true;
}

int cli_choose(const char *option, const char *value, const char *const *names) {
  cli_near near;
  cli_near_begin(&near, value);
  for (int i = 0; names[i] != NULL; i++) {
    if (strcmp(names[i], value) == 0) return i;
    cli_near_try(&near, names[i]);
  }
  char text[256];
  if (near.count > 0) {
    cli_message("--%s: unknown value '%s'%s", option, value,
                cli_near_text(&near, "", text, sizeof text));
    return -1;
  }
  size_t used = 0;
  text[0] = '\0';
  for (int i = 0; names[i] != NULL && used < sizeof text; i++) {
    int printed = snprintf(text + used, sizeof text - used, "%s%s", i > 0 ? ", " : "", names[i]);
    used += printed < 0 ? sizeof text : (size_t)printed;
  }
  cli_message("--%s: unknown value '%s'; known are %s", option, value, text);
  return -1;
}

static bool set_option(const cli_option *option, const char *value) {
  uint64_t number = 0;
  switch (option->kind) {
  case CLI_FLAG: *(bool *)option->target = true; return true;
  case CLI_TEXT: *(const char **)option->target = value; return true;
  case CLI_NUMBER:
  case CLI_COUNT:
    if (!cli_parse_size(value, UINT32_MAX, &number)) break;
    if (number == 0 && option->kind == CLI_COUNT) break;
    *(uint32_t *)option->target = (uint32_t)number;
    return true;
  case CLI_SIZE:
    if (!cli_parse_size(value, UINT64_MAX, &number)) break;
    *(uint64_t *)option->target = number;
    return true;
  case CLI_CALLBACK: {
    const cli_option_callback *callback = option->target;
    return callback->set(callback->context, value);
  }
  }
  cli_message("--%s: '%s' is not a number from %s", option->name, value,
              option->kind == CLI_COUNT    ? "1 to 4294967295"
              : option->kind == CLI_NUMBER ? "0 to 4294967295"
                                           : "0 to 18446744073709551615; it may end in K, M or G");
  return false;
}

/* --- parsing --- */

static void explain_unknown(const cli_command *command, const option_list *list, const char *given,
                            int letter) {
  char text[256] = "";
  char name[64];
  if (letter > 0 && letter < FIRST_VALUE) {
    snprintf(name, sizeof name, "-%c", letter);
  } else {
    cli_near near;
    const char *begin = given;
    while (*begin == '-') begin++;
    size_t length = strcspn(begin, "=");
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1),
             begin);
    cli_near_begin(&near, name);
    for (size_t i = 0; i < list->count; i++) cli_near_try(&near, list->items[i].name);
    cli_near_text(&near, "--", text, sizeof text);
    snprintf(name, sizeof name, "--%.*s", (int)(length < 60 ? length : 60), begin);
  }
  cli_message("unknown option '%s'%s; see 'lanner %s --help'", name, text, command->name);
}

/* Sets what the options say. Answers false after a message. */
static bool run_getopt(const cli_command *command, const option_list *list, int argc, char **argv) {
  struct option longs[MOST_OPTIONS + 1];
  char shorts[2 * MOST_OPTIONS + 2];
  size_t used = 0;
  shorts[used++] = ':'; /* a missing argument is told apart from an unknown option */
  memset(longs, 0, sizeof longs);
  for (size_t i = 0; i < list->count; i++) {
    const cli_option *option = &list->items[i];
    longs[i].name = option->name;
    longs[i].has_arg = option->argument != NULL ? required_argument : no_argument;
    longs[i].val = FIRST_VALUE + (int)i;
    if (option->letter == 0) continue;
    shorts[used++] = option->letter;
    if (option->argument != NULL) shorts[used++] = ':';
  }
  shorts[used] = '\0';
  opterr = 0;
  for (;;) {
    int found = getopt_long(argc, argv, shorts, longs, NULL);
    if (found == -1) return true;
    const char *given = optind > 0 && optind <= argc ? argv[optind - 1] : "";
    if (found == ':' || (found == '?' && optopt >= FIRST_VALUE)) {
      const char *problem = found == ':' ? "needs a value" : "takes no value";
      size_t i = 0;
      while (i + 1 < list->count && longs[i].val != optopt && list->items[i].letter != optopt) i++;
      cli_message("option '--%s' %s; see 'lanner %s --help'", list->items[i].name, problem,
                  command->name);
      return false;
    }
    if (found == '?') {
      explain_unknown(command, list, given, optopt);
      return false;
    }
    size_t at = 0;
    while (at < list->count && longs[at].val != found && list->items[at].letter != found) at++;
    if (!set_option(&list->items[at], optarg)) return false;
  }
}

static void usual_limits(cli_settings *settings, unsigned groups) {
  lanner_options_init(&settings->parse);
  if (groups & CLI_MANY_DOCUMENTS) settings->parse.limits.memory = UINT64_C(1) << 29;
}

bool cli_parse_options(const cli_command *command, int argc, char **argv, const cli_option *own,
                       size_t own_count, unsigned groups, cli_settings *settings, int *status) {
  memset(settings, 0, sizeof *settings);
  usual_limits(settings, groups);
  bool scripting = false, no_shadow = false, help = false;
  option_list list = {.count = 0};
  add(&list, own, own_count);
  add_shared(&list, groups, settings, &scripting, &no_shadow, &help);
  *status = CLI_USAGE;
  if (!run_getopt(command, &list, argc, argv)) return false;
  if (help) {
    usual_limits(settings, groups);
    print_help(command, &list, groups);
    *status = CLI_OK;
    return false;
  }
  if (scripting) settings->parse.flags |= LANNER_SCRIPTING;
  if (no_shadow) settings->parse.flags |= LANNER_NO_SHADOW;
  if (!cli_check_labels(settings)) return false;
  lanner_context context;
  if (settings->fragment != NULL && !cli_fragment_context(settings->fragment, &context)) {
    cli_message("--fragment: '%s' is not an element; NAME, 'svg NAME' or 'math NAME'",
                settings->fragment);
    return false;
  }
  settings->files = argv + optind;
  settings->file_count = argc - optind;
  if (settings->file_count == 0 && !(groups & CLI_NO_FILES)) {
    cli_message("%s needs a FILE ('-' is the standard input); see 'lanner %s --help'",
                command->name, command->name);
    return false;
  }
  *status = CLI_OK;
  return true;
}
