/* output.c - buffered writing with every error looked at.
 *
 * stdio is not used for output because it hides which write failed and when. A reader that closed
 * the pipe (EPIPE; SIGPIPE is ignored by main) is no error worth a message; a full disk is.
 */
#define _POSIX_C_SOURCE 200809L
#include "output.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"

cli_output cli_stdout = {.descriptor = STDOUT_FILENO, .name = "standard output"};

void cli_output_begin(cli_output *output, int descriptor, const char *name) {
  output->descriptor = descriptor;
  output->name = name;
  output->failed = false;
  output->used = 0;
}

static void fail(cli_output *output) {
  if (!output->failed && errno != EPIPE) cli_message("%s: %s", output->name, strerror(errno));
  output->failed = true;
  output->used = 0;
}

static void write_out(cli_output *output, const char *data, size_t length) {
  while (length > 0 && !output->failed) {
    ssize_t written = write(output->descriptor, data, length);
    if (written < 0) {
      if (errno != EINTR) fail(output);
      continue;
    }
    data += written;
    length -= (size_t)written;
  }
}

int cli_output_write(void *context, const char *data, size_t length) {
  cli_output *output = context;
  if (output->failed) return 1;
  if (length > sizeof output->buffer - output->used) {
    write_out(output, output->buffer, output->used);
    output->used = 0;
    if (length >= sizeof output->buffer) {
      write_out(output, data, length);
      return output->failed;
    }
  }
  if (length > 0) memcpy(output->buffer + output->used, data, length);
  output->used += length;
  return output->failed;
}

int cli_output_text(cli_output *output, const char *text) {
  return cli_output_write(output, text, strlen(text));
}

bool cli_output_flush(cli_output *output) {
  write_out(output, output->buffer, output->used);
  output->used = 0;
  return !output->failed;
}

bool cli_output_close(cli_output *output) {
  cli_output_flush(output);
  /* A descriptor that was closed before the program started has nothing to lose. */
  if (close(output->descriptor) != 0 && errno != EINTR && errno != EBADF) fail(output);
  return !output->failed;
}

int cli_buffer_write(void *context, const char *data, size_t length) {
  cli_buffer *buffer = context;
  if (buffer->failed) return 1;
  if (length > buffer->capacity - buffer->length) {
    size_t capacity = buffer->capacity < 256 ? 256 : buffer->capacity;
    while (capacity - buffer->length < length && capacity <= SIZE_MAX / 2) capacity *= 2;
    char *grown = capacity - buffer->length < length ? NULL : realloc(buffer->data, capacity);
    if (grown == NULL) {
      buffer->failed = true;
      return 1;
    }
    buffer->data = grown;
    buffer->capacity = capacity;
  }
  if (length > 0) memcpy(buffer->data + buffer->length, data, length);
  buffer->length += length;
  return 0;
}

void cli_buffer_free(cli_buffer *buffer) {
  free(buffer->data);
  memset(buffer, 0, sizeof *buffer);
}
