/* message.h - what the command says on standard error.
 *
 * Every message is one line that begins with "lanner: ". Near matches for mistyped words are found
 * here too, since all of them end up in a message.
 */
#ifndef LANNER_CLI_MESSAGE_H
#define LANNER_CLI_MESSAGE_H

#include <stddef.h>

#if defined(__GNUC__)
#define CLI_PRINTF(at, first) __attribute__((format(printf, at, first)))
#else
#define CLI_PRINTF(at, first)
#endif

/* Prints one line; control characters (of file names) become '?'. */
void cli_message(const char *format, ...) CLI_PRINTF(1, 2);

/* Names that WORD may have meant, nearest first. */
typedef struct cli_near {
  const char *word;
  size_t count;
  struct {
    const char *name;
    size_t distance;
  } best[4];
} cli_near;
void cli_near_begin(cli_near *near, const char *word);
void cli_near_try(cli_near *near, const char *name);
/* " (did you mean 'a', 'b' or 'c'?)", or "" when nothing comes near. PREFIX stands before each
 * name ("--" for options). Returns BUFFER. */
const char *cli_near_text(const cli_near *near, const char *prefix, char *buffer, size_t size);

#endif
