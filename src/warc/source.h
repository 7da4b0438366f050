/* source.h - the bytes of an archive file: a window that moves over a file or a pipe.
 *
 * Knows nothing of compression or records. Plain files can be read again from any offset.
 */
#ifndef LANNER_WARC_SOURCE_H
#define LANNER_WARC_SOURCE_H

#include "buffer.h"

typedef struct warc_source {
  int descriptor;  /* -1: closed */
  bool seekable;   /* a plain file */
  bool borrowed;   /* the descriptor is not closed with the source */
  bool ended;      /* the end was met behind the window */
  int error;       /* errno of the read that failed, 0: none */
  uint64_t size;   /* as stated when it was opened; 0 for pipes */
  uint64_t offset; /* in the file, of the first byte of the window */
  size_t begin;    /* the window: buffer.bytes[begin .. buffer.length) */
  warc_buffer buffer;
} warc_source;

/* Opens the file NAME ("-": standard input). Answers with 0 or errno; EISDIR for directories. */
int warc_source_open(warc_source *source, const char *name);
/* Closes it; the buffer is kept for the next file. */
void warc_source_close(warc_source *source);
void warc_source_free(warc_source *source);

/* Tries to have WANTED bytes in the window, and answers with how many there are. */
size_t warc_source_need(warc_source *source, size_t wanted);
/* The window's bytes. */
static inline const uint8_t *warc_source_bytes(const warc_source *source) {
  return source->buffer.bytes + source->begin;
}
static inline size_t warc_source_length(const warc_source *source) {
  return source->buffer.length - source->begin;
}
/* Drops COUNT bytes of the window. */
void warc_source_consume(warc_source *source, size_t count);
/* Passes over COUNT bytes, in the window or not; answers with how many there were. Whether a plain
 * file really has bytes there shows only at the next read. */
uint64_t warc_source_skip(warc_source *source, uint64_t count);
/* COUNT bytes follow, as far as can be known without reading them. */
bool warc_source_has(warc_source *source, uint64_t count);
/* Goes on at OFFSET; false for pipes that are past it. */
bool warc_source_seek(warc_source *source, uint64_t offset);

#endif
