/* deflate.h - compression of output: one gzip member at a time. */
#ifndef LANNER_WARC_DEFLATE_H
#define LANNER_WARC_DEFLATE_H

#include "buffer.h"

typedef struct warc_deflater warc_deflater;

/* This program was built with a library for it. */
bool warc_deflate_built_in(void);

/* NULL when memory is short. */
warc_deflater *warc_deflater_new(void);
void warc_deflater_free(warc_deflater *deflater);

/* OUTPUT gets INPUT as a gzip member. False when memory is short. */
bool warc_deflate_member(warc_deflater *deflater, const void *input, size_t length,
                         warc_buffer *output);

/* Whether libdeflate was there when this was built. */
bool warc_deflate_is_fast(void);

#endif
