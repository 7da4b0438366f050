/* inflate.h - decompression: whole gzip members fast, everything else as a stream.
 *
 * Members of a usual size go through libdeflate (0.6 to 0.9 GB/s of output where zlib does 0.25 to
 * 0.4 on the same archives; ISA-L came out even with libdeflate, and is at hand on fewer systems).
 * Large members, other codings and streams cut anywhere go through zlib, brotli and zstd.
 */
#ifndef LANNER_WARC_INFLATE_H
#define LANNER_WARC_INFLATE_H

#include "buffer.h"

typedef enum warc_coding {
  WARC_PLAIN = 0,
  WARC_GZIP,
  WARC_ZLIB,    /* deflate with zlib's frame: what HTTP calls deflate */
  WARC_DEFLATE, /* bare deflate: what some servers call deflate */
  WARC_BROTLI,
  WARC_ZSTD
} warc_coding;

/* This program was built with a library for CODING. */
bool warc_coding_known(warc_coding coding);
/* "gzip", ... */
const char *warc_coding_name(warc_coding coding);

/* What BYTES are compressed with, by the mark at their front: GZIP, ZSTD, else PLAIN. */
warc_coding warc_guess_coding(const uint8_t *bytes, size_t length);

typedef enum warc_inflated {
  WARC_INFLATE_DONE = 0, /* the member, frame or stream is complete */
  WARC_INFLATE_MORE,     /* input ends before it does, or room in the output is needed */
  WARC_INFLATE_BAD,      /* the data are no such stream */
  WARC_INFLATE_LARGE,    /* the output would exceed the limit */
  WARC_INFLATE_MEMORY    /* memory is short */
} warc_inflated;

typedef struct warc_inflater warc_inflater;

warc_inflater *warc_inflater_new(void);
void warc_inflater_free(warc_inflater *inflater);

/* One gzip member that lies whole in INPUT, behind which other bytes may follow: OUTPUT gets its
 * content (at most MOST bytes), *USED its length in INPUT. MORE: the member goes on behind INPUT. */
warc_inflated warc_inflate_member(warc_inflater *inflater, const uint8_t *input, size_t length,
                                  warc_buffer *output, size_t most, size_t *used);

/* A stream of CODING; gzip members and zstd frames that follow one another are one stream. OUTPUT
 * gets what can be decoded, at most MOST bytes, whatever the answer is. */
warc_inflated warc_inflate_all(warc_inflater *inflater, warc_coding coding, const uint8_t *input,
                               size_t length, warc_buffer *output, size_t most);

/* The same in steps: begin a member or frame, then step until it answers with DONE. */
bool warc_inflate_begin(warc_inflater *inflater, warc_coding coding);
warc_inflated warc_inflate_step(warc_inflater *inflater, const uint8_t **input, size_t *length,
                                uint8_t **output, size_t *room);
/* Dictionary for the zstd frames to come (archives may begin with one). False: not taken. */
bool warc_inflate_dictionary(warc_inflater *inflater, const uint8_t *bytes, size_t length);

#endif
