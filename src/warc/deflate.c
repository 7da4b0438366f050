/* deflate.c - see deflate.h. libdeflate is the faster one; zlib where it is not there. */
#include "deflate.h"

#if defined(LANNER_HAVE_LIBDEFLATE)
#include <libdeflate.h>
#elif defined(LANNER_HAVE_ZLIB)
#include <limits.h>
#include <zlib.h>
#endif

enum { LEVEL = 4 };

struct warc_deflater {
#if defined(LANNER_HAVE_LIBDEFLATE)
  struct libdeflate_compressor *libdeflate;
#elif defined(LANNER_HAVE_ZLIB)
  z_stream zlib;
#endif
  bool ready;
};

bool warc_deflate_built_in(void) {
#if defined(LANNER_HAVE_LIBDEFLATE) || defined(LANNER_HAVE_ZLIB)
  return true;
#else
  return false;
#endif
}

warc_deflater *warc_deflater_new(void) {
  warc_deflater *deflater = calloc(1, sizeof *deflater);
  if (deflater == NULL) return NULL;
#if defined(LANNER_HAVE_LIBDEFLATE)
  deflater->libdeflate = libdeflate_alloc_compressor(LEVEL);
  deflater->ready = deflater->libdeflate != NULL;
#elif defined(LANNER_HAVE_ZLIB)
  deflater->ready = deflateInit2(&deflater->zlib, LEVEL, Z_DEFLATED, MAX_WBITS + 16, 8,
                                 Z_DEFAULT_STRATEGY) == Z_OK;
#endif
  if (deflater->ready) return deflater;
  free(deflater);
  return NULL;
}

void warc_deflater_free(warc_deflater *deflater) {
  if (deflater == NULL) return;
#if defined(LANNER_HAVE_LIBDEFLATE)
  libdeflate_free_compressor(deflater->libdeflate);
#elif defined(LANNER_HAVE_ZLIB)
  deflateEnd(&deflater->zlib);
#endif
  free(deflater);
}

bool warc_deflate_member(warc_deflater *deflater, const void *input, size_t length,
                         warc_buffer *output) {
  output->length = 0;
#if defined(LANNER_HAVE_LIBDEFLATE)
  size_t bound = libdeflate_gzip_compress_bound(deflater->libdeflate, length);
  if (!warc_buffer_reserve(output, bound)) return false;
  output->length =
      libdeflate_gzip_compress(deflater->libdeflate, input, length, output->bytes, bound);
  return output->length > 0;
#elif defined(LANNER_HAVE_ZLIB)
  z_stream *zlib = &deflater->zlib;
  if (deflateReset(zlib) != Z_OK) return false;
  zlib->next_in = (Bytef *)(uintptr_t)input; /* zlib does not write there */
  zlib->avail_in = 0;
  int result = Z_OK;
  while (result != Z_STREAM_END) {
    if (zlib->avail_in == 0) {
      zlib->avail_in = length > UINT_MAX ? UINT_MAX : (uInt)length;
      length -= zlib->avail_in;
    }
    if (!warc_buffer_reserve(output, output->length + 65536)) return false;
    size_t room = output->capacity - output->length;
    uInt given = room > UINT_MAX ? UINT_MAX : (uInt)room;
    zlib->next_out = output->bytes + output->length;
    zlib->avail_out = given;
    result = deflate(zlib, length == 0 ? Z_FINISH : Z_NO_FLUSH);
    output->length += given - zlib->avail_out;
    if (result == Z_STREAM_ERROR) return false;
  }
  return true;
#else
  (void)deflater, (void)input, (void)length;
  return false;
#endif
}

bool warc_deflate_is_fast(void) {
#if defined(LANNER_HAVE_LIBDEFLATE)
  return true;
#else
  return false;
#endif
}
