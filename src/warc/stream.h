/* stream.h - the decompressed bytes of an archive, and where in the file they come from.
 *
 * Plain files pass through. Of gzip and zstd files, members and frames follow one another; each
 * beginning of one is remembered, so that every byte has a place: the file offset of its member and
 * its offset in the member's content.
 */
#ifndef LANNER_WARC_STREAM_H
#define LANNER_WARC_STREAM_H

#include "inflate.h"
#include "source.h"

typedef struct warc_place {
  uint64_t offset; /* in the file: of the byte itself, or of the member that it is in */
  uint64_t inner;  /* in the content of that member; 0 in plain files */
} warc_place;

typedef enum warc_failure {
  WARC_STREAM_FINE = 0,
  WARC_STREAM_CUT,     /* the file ends inside a member */
  WARC_STREAM_CORRUPT, /* a member cannot be decoded */
  WARC_STREAM_GARBAGE, /* something else stands where a member should begin */
  WARC_STREAM_UNREADABLE
} warc_failure;

typedef struct warc_mark {
  uint64_t position; /* of the first byte of a member's content */
  uint64_t offset;   /* of the member in the file */
} warc_mark;

typedef struct warc_stream {
  warc_source *source;
  warc_inflater *inflater;
  warc_coding coding; /* WARC_PLAIN, WARC_GZIP or WARC_ZSTD */
  bool in_member;
  bool ended;
  warc_failure failure;
  uint64_t failure_offset; /* of the member, or of the garbage */
  uint64_t position;       /* in decoded bytes since the start: of the window's first byte */
  size_t begin;            /* the window: window.bytes[begin .. window.length) */
  warc_buffer window;
  warc_mark *marks; /* of the window, and old ones in front of them */
  size_t mark_count, mark_capacity;
} warc_stream;

/* Starts at the current offset of SOURCE. */
void warc_stream_start(warc_stream *stream, warc_source *source, warc_inflater *inflater,
                       warc_coding coding);
void warc_stream_free(warc_stream *stream);

/* As warc_source_need, and so on, for the decoded bytes. What is in front of a failure is given. */
size_t warc_stream_need(warc_stream *stream, size_t wanted);
const uint8_t *warc_stream_bytes(const warc_stream *stream);
size_t warc_stream_length(const warc_stream *stream);
void warc_stream_consume(warc_stream *stream, size_t count);

/* The place of the byte AHEAD of the window's first one. */
warc_place warc_stream_place(const warc_stream *stream, size_t ahead);
/* How far ahead the first member begins that lies behind AFTER bytes of the window and in it; 0:
 * none. */
size_t warc_stream_next_mark(const warc_stream *stream, size_t after);

/* After a failure: goes on at the next member behind it. False when there is none. */
bool warc_stream_resync(warc_stream *stream);

/* The offset in BYTES of the first thing that looks like the header of a gzip member, or LENGTH.
 * Stricter than the format: only values that compressors write. */
size_t warc_find_member(const uint8_t *bytes, size_t length);

#endif
