/* source.c - see source.h. The window grows to what is asked for and moves to the front of its
 * buffer when it reaches the end. */
#define _POSIX_C_SOURCE 200809L
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* What one read asks for: large enough to make the call cheap, small enough to stay in the cache. */
enum { WARC_SOURCE_PIECE = 1 << 18 };

int warc_source_open(warc_source *source, const char *name) {
  warc_buffer kept = source->buffer;
  memset(source, 0, sizeof *source);
  source->buffer = kept;
  source->buffer.length = 0;
  source->borrowed = strcmp(name, "-") == 0;
  source->descriptor =
      source->borrowed ? STDIN_FILENO : open(name, O_RDONLY | O_NOCTTY | O_CLOEXEC);
  if (source->descriptor < 0) return errno;
  struct stat state;
  int problem = fstat(source->descriptor, &state) != 0 ? errno : 0;
  if (problem == 0 && S_ISDIR(state.st_mode)) problem = EISDIR;
  if (problem != 0) {
    warc_source_close(source);
    return problem;
  }
  /* Standard input may be a file that someone else has read from: it is taken as a pipe. */
  source->seekable = S_ISREG(state.st_mode) && !source->borrowed;
  if (source->seekable && state.st_size > 0) source->size = (uint64_t)state.st_size;
  if (!warc_buffer_reserve(&source->buffer, 2 * WARC_SOURCE_PIECE)) {
    warc_source_close(source);
    return ENOMEM;
  }
  return 0;
}

void warc_source_close(warc_source *source) {
  if (source->descriptor >= 0 && !source->borrowed) close(source->descriptor);
  source->descriptor = -1;
}

void warc_source_free(warc_source *source) {
  warc_source_close(source);
  warc_buffer_free(&source->buffer);
}

/* Moves the window to the front and makes the buffer hold WANTED bytes and a piece more. */
static bool make_room(warc_source *source, size_t wanted) {
  warc_buffer *buffer = &source->buffer;
  if (buffer->capacity >= source->begin + wanted + WARC_SOURCE_PIECE) return true;
  size_t length = warc_source_length(source);
  if (source->begin > 0 && length > 0)
    memmove(buffer->bytes, buffer->bytes + source->begin, length);
  source->begin = 0;
  buffer->length = length;
  if (wanted > SIZE_MAX / 2) return false;
  return warc_buffer_reserve(buffer, wanted + WARC_SOURCE_PIECE);
}

size_t warc_source_need(warc_source *source, size_t wanted) {
  while (warc_source_length(source) < wanted && !source->ended && source->error == 0) {
    if (!make_room(source, wanted)) {
      source->error = ENOMEM;
      break;
    }
    warc_buffer *buffer = &source->buffer;
    size_t missing = wanted - warc_source_length(source);
    size_t ask = missing > WARC_SOURCE_PIECE ? missing : WARC_SOURCE_PIECE;
    ssize_t got = read(source->descriptor, buffer->bytes + buffer->length, ask);
    if (got > 0) {
      buffer->length += (size_t)got;
    } else if (got == 0) {
      source->ended = true;
    } else if (errno != EINTR) {
      source->error = errno;
    }
  }
  return warc_source_length(source);
}

void warc_source_consume(warc_source *source, size_t count) {
  source->begin += count;
  source->offset += count;
  if (source->begin == source->buffer.length) source->begin = source->buffer.length = 0;
}

uint64_t warc_source_skip(warc_source *source, uint64_t count) {
  size_t here = warc_source_length(source);
  if (count <= here) {
    warc_source_consume(source, (size_t)count);
    return count;
  }
  if (source->seekable && count - here > WARC_SOURCE_PIECE) {
    if (warc_source_seek(source, source->offset + count)) return count;
  }
  uint64_t left = count;
  while (left > 0) {
    size_t available = warc_source_need(source, 1);
    if (available == 0) break;
    size_t step = left < available ? (size_t)left : available;
    warc_source_consume(source, step);
    left -= step;
  }
  return count - left;
}

bool warc_source_has(warc_source *source, uint64_t count) {
  if (!source->seekable || count <= warc_source_length(source)) return true;
  if (source->offset <= source->size && count <= source->size - source->offset) return true;
  struct stat state; /* it may have grown */
  if (fstat(source->descriptor, &state) == 0 && state.st_size > 0)
    source->size = (uint64_t)state.st_size;
  return source->offset <= source->size && count <= source->size - source->offset;
}

bool warc_source_seek(warc_source *source, uint64_t offset) {
  uint64_t here = source->offset;
  if (offset >= here && offset - here <= warc_source_length(source)) {
    warc_source_consume(source, (size_t)(offset - here));
    return true;
  }
  /* What has been consumed is still in front of the window until it moves. */
  if (offset < here && here - offset <= source->begin) {
    source->begin -= (size_t)(here - offset);
    source->offset = offset;
    return true;
  }
  if (!source->seekable) {
    return offset > here && warc_source_skip(source, offset - here) == offset - here;
  }
  if (lseek(source->descriptor, (off_t)offset, SEEK_SET) < 0) {
    source->error = errno;
    return false;
  }
  source->begin = source->buffer.length = 0;
  source->offset = offset;
  source->ended = false;
  return true;
}
