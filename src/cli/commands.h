/* commands.h - the table of sub-commands.
 *
 * A command lives in a file of its own, which defines one constant `cli_command_NAME`. It joins
 * the program by one line in CLI_COMMANDS; help, near matches and dispatch follow from the table.
 */
#ifndef LANNER_CLI_COMMANDS_H
#define LANNER_CLI_COMMANDS_H

typedef struct cli_command cli_command;
struct cli_command {
  const char *name;
  const char *arguments; /* what follows the options in the usage line: "FILE..." */
  const char *summary;   /* one line of `lanner --help` */
  const char *details;   /* paragraphs of `lanner COMMAND --help`, wrapped; may be NULL */
  /* Gets the arguments with the command's name as argv[0]; answers with the exit status. */
  int (*run)(const cli_command *command, int argc, char **argv);
};

/* In the order of `lanner --help`. */
#define CLI_COMMANDS(COMMAND)                                                                      \
  COMMAND(tree)                                                                                    \
  COMMAND(html)                                                                                    \
  COMMAND(tokens)                                                                                  \
  COMMAND(errors)                                                                                  \
  COMMAND(encoding)                                                                                \
  COMMAND(decode)                                                                                  \
  COMMAND(links)                                                                                   \
  COMMAND(text)                                                                                    \
  COMMAND(meta)                                                                                    \
  COMMAND(warc)                                                                                    \
  COMMAND(bench)

#define CLI_DECLARE_COMMAND(name) extern const cli_command cli_command_##name;
CLI_COMMANDS(CLI_DECLARE_COMMAND)
#undef CLI_DECLARE_COMMAND

/* Exit statuses. The worst one of several files is the program's: the larger number. */
enum {
  CLI_OK = 0,     /* done, also when a soft limit struck */
  CLI_FAILED = 1, /* something could not be read or written, or a limit stopped a parse */
  CLI_USAGE = 2   /* the command line makes no sense */
};

#endif
