/* main.c - the `lanner` command: finds the sub-command and runs it.
 *
 * Machine output goes to standard output, everything said to people to standard error. Whatever a
 * command answers, output that could not be written makes the status 1 at least.
 */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "labels.h"
#include "lanner.h"
#include "message.h"
#include "output.h"
#include "page.h"
#include "url.h"
#include "warc/deflate.h"
#include "warc/inflate.h"

#define COMMAND_POINTER(name) &cli_command_##name,
static const cli_command *const commands[] = {CLI_COMMANDS(COMMAND_POINTER)};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const cli_command *find_command(const char *name) {
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    if (strcmp(commands[i]->name, name) == 0) return commands[i];
  return NULL;
}

static int print_help(void) {
  char line[256];
  cli_output *out = &cli_stdout;
  cli_output_text(out, "lanner COMMAND [OPTION...] FILE...\n\nAn HTML parser. Commands:\n");
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    snprintf(line, sizeof line, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    cli_output_text(out, line);
  }
  cli_output_text(
      out, "\n'lanner COMMAND --help' lists the options of a command, 'lanner --version' "
           "tells the version\nand the libraries in use. FILE may be '-', the standard input.\n");
  return CLI_OK;
}

/* What the command can do depends on the libraries that were there when it was built. */
static void print_libraries(bool wanted, const char *title) {
  const struct {
    const char *name;
    bool here;
  } libraries[] = {{"zlib (gzip, deflate)", warc_coding_known(WARC_GZIP)},
                   {"libdeflate (faster gzip)", warc_deflate_is_fast()},
                   {"brotli (br)", warc_coding_known(WARC_BROTLI)},
                   {"zstd", warc_coding_known(WARC_ZSTD)},
                   {"uchardet (--guess)", cli_guess_built_in()},
                   {"ada (URLs)", cli_urls_built_in()}};
  bool any = false;
  for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
    if (libraries[i].here != wanted) continue;
    cli_output_text(&cli_stdout, any ? ", " : title);
    cli_output_text(&cli_stdout, libraries[i].name);
    any = true;
  }
  if (any) cli_output_text(&cli_stdout, "\n");
}

static int print_version(void) {
  char line[128];
  snprintf(line, sizeof line, "lanner %d.%d.%d (%s)\n", LANNER_VERSION_MAJOR, LANNER_VERSION_MINOR,
           LANNER_VERSION_PATCH, lanner_simd());
  cli_output_text(&cli_stdout, line);
  print_libraries(true, "built with ");
  print_libraries(false, "built without ");
  return CLI_OK;
}

static int unknown_command(const char *name) {
  cli_near near;
  char text[256];
  cli_near_begin(&near, name);
  for (size_t i = 0; i < COMMAND_COUNT; i++) cli_near_try(&near, commands[i]->name);
  cli_near_try(&near, "--help");
  cli_near_try(&near, "--version");
  cli_message("unknown %s '%s'%s; see 'lanner --help'", name[0] == '-' ? "option" : "command", name,
              cli_near_text(&near, "", text, sizeof text));
  return CLI_USAGE;
}

static int run_command(const char *name, int argc, char **argv) {
  const cli_command *command = find_command(name);
  return command != NULL ? command->run(command, argc, argv) : unknown_command(name);
}

static int dispatch(int argc, char **argv) {
  if (argc < 2) {
    cli_message("a command is needed; see 'lanner --help'");
    return CLI_USAGE;
  }
  const char *name = argv[1];
  if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) return print_version();
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) return print_help();
  if (strcmp(name, "help") == 0) {
    if (argc < 3) return print_help();
    /* `lanner help COMMAND` is `lanner COMMAND --help`. */
    char help[] = "--help";
    char *arguments[] = {argv[2], help, NULL};
    return run_command(argv[2], 2, arguments);
  }
  return run_command(name, argc - 1, argv + 1);
}

/* Where a standard stream was closed by the caller, a file would get its number, and messages would be
 * written into it. What is opened here fails as a closed one does. */
static void keep_standard_streams(void) {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
    if (fcntl(stream, F_GETFD) < 0 &&
        open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
      return;
}

int main(int argc, char **argv) {
  keep_standard_streams();
  /* A reader that goes away is seen as EPIPE by the write that finds out. */
  signal(SIGPIPE, SIG_IGN);
  int status = dispatch(argc, argv);
  if (!cli_output_close(&cli_stdout)) status = cli_worse(status, CLI_FAILED);
  return status;
}
