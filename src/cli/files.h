/* files.h - reading input files.
 *
 * A file is read whole into memory, with LANNER_PADDING zero bytes behind it, so that the parser
 * can use it where it lies. "-" is standard input.
 */
#ifndef LANNER_CLI_FILES_H
#define LANNER_CLI_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cli_file {
  const char *name;  /* as given; "-" for standard input */
  const char *title; /* the same for messages: "standard input" */
  char *bytes;       /* LENGTH bytes and the padding; freed or reused by the caller */
  size_t length;
  size_t capacity;   /* of BYTES, without the padding */
  bool cut;          /* the file goes on behind the limit */
  const char *guess; /* the encoding that a detector found (--guess), NULL: not asked, no idea */
} cli_file;

/* Reads NAME into FILE, whose buffer is reused (all zero at first). Reads at most LIMIT bytes (0:
 * no limit). False after a message when it cannot be read. */
bool cli_file_read(cli_file *file, const char *name, uint64_t limit);
void cli_file_free(cli_file *file);

#endif
