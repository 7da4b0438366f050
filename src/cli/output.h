/* output.h - checked, buffered output to a file descriptor, and a growing buffer in memory.
 *
 * Both take text through a function of the type lanner_write, so serializers and the JSON writer
 * do not care where it goes. A failed write is remembered: the caller looks once, at the end.
 */
#ifndef LANNER_CLI_OUTPUT_H
#define LANNER_CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cli_output {
  int descriptor;
  const char *name; /* for messages */
  bool failed;      /* a write failed (and was reported); all that follows is dropped */
  size_t used;
  char buffer[1 << 16];
} cli_output;

/* Standard output. Lines reach a terminal when the command ends or the buffer is full. */
extern cli_output cli_stdout;

void cli_output_begin(cli_output *output, int descriptor, const char *name);
/* A lanner_write: CONTEXT is a cli_output. 0, or 1 when the output has failed. */
int cli_output_write(void *context, const char *data, size_t length);
int cli_output_text(cli_output *output, const char *text);
/* Writes out what is buffered. False when any write so far has failed. */
bool cli_output_flush(cli_output *output);
/* Flushes and closes: some file systems report a full disk only then. */
bool cli_output_close(cli_output *output);

typedef struct cli_buffer {
  char *data;
  size_t length, capacity;
  bool failed; /* memory ran out; the content is incomplete */
} cli_buffer;

/* A lanner_write: CONTEXT is a cli_buffer, all zero to begin with. */
int cli_buffer_write(void *context, const char *data, size_t length);
void cli_buffer_free(cli_buffer *buffer);

#endif
