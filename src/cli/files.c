/* files.c - reading input files whole, with padding behind them.
 *
 * The size that the system states is a hint only: pipes state none, files grow while they are
 * read. Reading goes on until the end of the file, whatever was stated.
 */
#define _POSIX_C_SOURCE 200809L
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lanner.h"
#include "message.h"

/* Makes room for CAPACITY bytes and the padding. */
static bool reserve(cli_file *file, size_t capacity) {
  if (capacity <= file->capacity && file->bytes != NULL) return true;
  if (capacity > SIZE_MAX - LANNER_PADDING) return false;
  char *bytes = realloc(file->bytes, capacity + LANNER_PADDING);
  if (bytes == NULL) return false;
  file->bytes = bytes;
  file->capacity = capacity;
  return true;
}

/* What is wrong with reading from DESCRIPTOR, as a text; NULL when all went well. */
static const char *read_all(cli_file *file, int descriptor, uint64_t limit) {
  enum { PIECE = 1 << 16 };
  struct stat state;
  if (fstat(descriptor, &state) != 0) return strerror(errno);
  if (S_ISDIR(state.st_mode)) return "is a directory, not a file";
  /* No use in reading what would be refused, unless only its beginning is wanted. */
  if (S_ISREG(state.st_mode) && (uint64_t)state.st_size > LANNER_MAX_INPUT &&
      (limit == 0 || limit > LANNER_MAX_INPUT))
    return lanner_status_text(LANNER_ERROR_TOO_LARGE);
  size_t expected = PIECE;
  if (S_ISREG(state.st_mode) && state.st_size > 0 && (uint64_t)state.st_size < SIZE_MAX / 2)
    expected = (size_t)state.st_size + 1; /* one more: the read that finds the end fits too */
  if (limit > 0 && expected > limit) expected = (size_t)limit + 1;
  if (!reserve(file, expected)) return "does not fit into memory";
  for (;;) {
    if (file->length == file->capacity && !reserve(file, file->capacity + file->capacity / 2))
      return "does not fit into memory";
    size_t room = file->capacity - file->length;
    /* One byte more than allowed tells a file that ends there from one that goes on. */
    if (limit > 0 && room > limit - file->length + 1) room = (size_t)(limit - file->length) + 1;
    ssize_t got = read(descriptor, file->bytes + file->length, room);
    if (got == 0) return NULL;
    if (got < 0) {
      if (errno == EINTR) continue;
      return strerror(errno);
    }
    file->length += (size_t)got;
    if (limit > 0 && file->length > limit) {
      file->length = (size_t)limit;
      file->cut = true;
      return NULL;
    }
  }
}

bool cli_file_read(cli_file *file, const char *name, uint64_t limit) {
  bool standard_input = strcmp(name, "-") == 0;
  file->name = name;
  file->title = standard_input ? "standard input" : name;
  file->length = 0;
  file->cut = false;
  file->guess = NULL;
  int descriptor = standard_input ? STDIN_FILENO : open(name, O_RDONLY | O_NOCTTY | O_CLOEXEC);
  const char *problem = descriptor < 0 ? strerror(errno) : read_all(file, descriptor, limit);
  if (descriptor >= 0 && !standard_input) close(descriptor);
  if (problem != NULL) {
    cli_message("%s: %s", file->title, problem);
    return false;
  }
  memset(file->bytes + file->length, 0, LANNER_PADDING);
  return true;
}

void cli_file_free(cli_file *file) {
  free(file->bytes);
  memset(file, 0, sizeof *file);
}
