/* options.h - command line options, declared as tables.
 *
 * One table of a command gives the parsing (getopt_long), the help text and the near matches of a
 * mistyped option. The options that all commands share are declared once, here.
 */
#ifndef LANNER_CLI_OPTIONS_H
#define LANNER_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "commands.h"
#include "lanner.h"

typedef enum cli_option_kind {
  CLI_FLAG,     /* target: bool */
  CLI_TEXT,     /* target: const char * */
  CLI_NUMBER,   /* target: uint32_t */
  CLI_COUNT,    /* target: uint32_t; from 1 */
  CLI_SIZE,     /* target: uint64_t; K, M and G may follow the number (powers of 1024) */
  CLI_CALLBACK, /* target: cli_option_callback; for options that come more than once */
} cli_option_kind;

typedef struct cli_option_callback {
  /* False after a message when VALUE (NULL for options without one) makes no sense. */
  bool (*set)(void *context, const char *value);
  void *context;
} cli_option_callback;

typedef struct cli_option {
  const char *name;     /* without the dashes */
  char letter;          /* its one-letter form, or 0 */
  const char *argument; /* "N"; NULL: takes none */
  const char *help;     /* one or two lines, separated by a newline */
  cli_option_kind kind;
  void *target;
} cli_option;

/* What the shared options say. */
typedef struct cli_settings {
  lanner_options parse; /* encoding, transport, limits; flags of the parse group */
  bool guess;           /* ask a detector about pages that declare no encoding */
  const char *fragment; /* the context of fragment parsing, as given; NULL: whole pages */
  uint32_t chunk;       /* feed in pieces of so many bytes; 0: whole */
  char **files;         /* at least one, unless CLI_NO_FILES */
  int file_count;
} cli_settings;

enum {
  CLI_PARSE_GROUP = 1 << 0,   /* --fragment --scripting --no-shadow --chunk */
  CLI_NO_FILES = 1 << 1,      /* the command may run without a FILE */
  CLI_MANY_DOCUMENTS = 1 << 2 /* one a worker: each gets less memory */
};

/* Parses the arguments of COMMAND: its OWN options and the shared ones. True: run. False: the
 * command is over (--help, or a message was printed), *STATUS is its exit status. */
bool cli_parse_options(const cli_command *command, int argc, char **argv, const cli_option *own,
                       size_t own_count, unsigned groups, cli_settings *settings, int *status);

/* One choice out of a NULL-terminated list of names, for options whose values are words: its
 * index, or -1 after a message with near matches. */
int cli_choose(const char *option, const char *value, const char *const *names);

/* Reads a number with an optional K, M or G; false when it is none or above MAXIMUM. */
bool cli_parse_size(const char *text, uint64_t maximum, uint64_t *number);

#endif
