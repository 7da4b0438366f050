/* buffer.h - growing bytes, with room for the parser's padding behind them.
 *
 * A buffer keeps its memory from one record to the next; warc_buffer_relax gives memory back that
 * only an unusually large record needed.
 */
#ifndef LANNER_WARC_BUFFER_H
#define LANNER_WARC_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that lie behind CAPACITY and belong to the buffer: enough for LANNER_PADDING. */
#define WARC_BUFFER_PADDING 64

typedef struct warc_buffer {
  uint8_t *bytes;
  size_t length, capacity; /* capacity without the padding */
} warc_buffer;

/* Makes CAPACITY at least WANTED; what is there stays. False when memory is short. */
static inline bool warc_buffer_reserve(warc_buffer *buffer, size_t wanted) {
  if (wanted <= buffer->capacity && buffer->bytes != NULL) return true;
  size_t grown = buffer->capacity + buffer->capacity / 2;
  if (grown < wanted) grown = wanted;
  if (grown < 4096) grown = 4096;
  if (grown > SIZE_MAX - WARC_BUFFER_PADDING) return false;
  uint8_t *bytes = realloc(buffer->bytes, grown + WARC_BUFFER_PADDING);
  if (bytes == NULL) return false;
  buffer->bytes = bytes;
  buffer->capacity = grown;
  return true;
}

static inline bool warc_buffer_append(warc_buffer *buffer, const void *data, size_t length) {
  if (length > SIZE_MAX - buffer->length) return false;
  if (!warc_buffer_reserve(buffer, buffer->length + length)) return false;
  if (length > 0) memcpy(buffer->bytes + buffer->length, data, length);
  buffer->length += length;
  return true;
}

static inline void warc_buffer_free(warc_buffer *buffer) {
  free(buffer->bytes);
  buffer->bytes = NULL;
  buffer->length = buffer->capacity = 0;
}

/* Frees a buffer of more than LARGE bytes whose content does not need a quarter of them. */
static inline void warc_buffer_relax(warc_buffer *buffer, size_t large) {
  if (buffer->capacity > large && buffer->length < buffer->capacity / 4) warc_buffer_free(buffer);
}

#endif
