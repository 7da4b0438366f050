/* inflate.c - see inflate.h. */
#include "inflate.h"

#include <limits.h>

#ifdef LANNER_HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef LANNER_HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif
#ifdef LANNER_HAVE_BROTLI
#include <brotli/decode.h>
#endif
#ifdef LANNER_HAVE_ZSTD
#include <zstd.h>
#endif

struct warc_inflater {
  warc_coding coding; /* of the steps under way */
#ifdef LANNER_HAVE_ZLIB
  z_stream zlib;
  bool zlib_ready;
#endif
#ifdef LANNER_HAVE_LIBDEFLATE
  struct libdeflate_decompressor *whole;
#endif
#ifdef LANNER_HAVE_BROTLI
  BrotliDecoderState *brotli;
#endif
#ifdef LANNER_HAVE_ZSTD
  ZSTD_DCtx *zstd;
#endif
};

bool warc_coding_known(warc_coding coding) {
  switch (coding) {
  case WARC_PLAIN: return true;
  case WARC_GZIP:
  case WARC_ZLIB:
  case WARC_DEFLATE:
#ifdef LANNER_HAVE_ZLIB
    return true;
#else
    return false;
#endif
  case WARC_BROTLI:
#ifdef LANNER_HAVE_BROTLI
    return true;
#else
    return false;
#endif
  case WARC_ZSTD:
#ifdef LANNER_HAVE_ZSTD
    return true;
#else
    return false;
#endif
  }
  return false;
}

const char *warc_coding_name(warc_coding coding) {
  static const char *const names[] = {"plain", "gzip", "deflate", "deflate", "br", "zstd"};
  return names[coding];
}

warc_coding warc_guess_coding(const uint8_t *bytes, size_t length) {
  if (length >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B) return WARC_GZIP;
  if (length >= 4 && (memcmp(bytes, "\x28\xB5\x2F\xFD", 4) == 0 ||
                      ((bytes[0] & 0xF0) == 0x50 && memcmp(bytes + 1, "\x2A\x4D\x18", 3) == 0)))
    return WARC_ZSTD;
  return WARC_PLAIN;
}

warc_inflater *warc_inflater_new(void) {
  warc_inflater *inflater = calloc(1, sizeof *inflater);
  if (inflater == NULL) return NULL;
#ifdef LANNER_HAVE_LIBDEFLATE
  inflater->whole = libdeflate_alloc_decompressor();
  if (inflater->whole == NULL) {
    free(inflater);
    return NULL;
  }
#endif
  return inflater;
}

void warc_inflater_free(warc_inflater *inflater) {
  if (inflater == NULL) return;
#ifdef LANNER_HAVE_ZLIB
  if (inflater->zlib_ready) inflateEnd(&inflater->zlib);
#endif
#ifdef LANNER_HAVE_LIBDEFLATE
  libdeflate_free_decompressor(inflater->whole);
#endif
#ifdef LANNER_HAVE_BROTLI
  if (inflater->brotli != NULL) BrotliDecoderDestroyInstance(inflater->brotli);
#endif
#ifdef LANNER_HAVE_ZSTD
  ZSTD_freeDCtx(inflater->zstd);
#endif
  free(inflater);
}

/* --- steps --- */

#ifdef LANNER_HAVE_ZLIB
static bool begin_zlib(warc_inflater *inflater, warc_coding coding) {
  int bits = coding == WARC_GZIP ? MAX_WBITS + 16 : coding == WARC_ZLIB ? MAX_WBITS : -MAX_WBITS;
  if (inflater->zlib_ready) return inflateReset2(&inflater->zlib, bits) == Z_OK;
  inflater->zlib_ready = inflateInit2(&inflater->zlib, bits) == Z_OK;
  return inflater->zlib_ready;
}

static uInt clamp(size_t length) { return length > UINT_MAX ? UINT_MAX : (uInt)length; }

static warc_inflated step_zlib(warc_inflater *inflater, const uint8_t **input, size_t *length,
                               uint8_t **output, size_t *room) {
  z_stream *zlib = &inflater->zlib;
  uInt given = clamp(*length), space = clamp(*room);
  zlib->next_in = (Bytef *)(uintptr_t)*input; /* zlib does not write there */
  zlib->avail_in = given;
  zlib->next_out = *output;
  zlib->avail_out = space;
  int result = inflate(zlib, Z_NO_FLUSH);
  *input += given - zlib->avail_in;
  *length -= given - zlib->avail_in;
  *output += space - zlib->avail_out;
  *room -= space - zlib->avail_out;
  if (result == Z_STREAM_END) return WARC_INFLATE_DONE;
  if (result == Z_OK || result == Z_BUF_ERROR) return WARC_INFLATE_MORE;
  return result == Z_MEM_ERROR ? WARC_INFLATE_MEMORY : WARC_INFLATE_BAD;
}
#endif

#ifdef LANNER_HAVE_BROTLI
static warc_inflated step_brotli(warc_inflater *inflater, const uint8_t **input, size_t *length,
                                 uint8_t **output, size_t *room) {
  BrotliDecoderResult result =
      BrotliDecoderDecompressStream(inflater->brotli, length, input, room, output, NULL);
  if (result == BROTLI_DECODER_RESULT_SUCCESS) return WARC_INFLATE_DONE;
  return result == BROTLI_DECODER_RESULT_ERROR ? WARC_INFLATE_BAD : WARC_INFLATE_MORE;
}
#endif

#ifdef LANNER_HAVE_ZSTD
static warc_inflated step_zstd(warc_inflater *inflater, const uint8_t **input, size_t *length,
                               uint8_t **output, size_t *room) {
  ZSTD_inBuffer in = {*input, *length, 0};
  ZSTD_outBuffer out = {*output, *room, 0};
  size_t result = ZSTD_decompressStream(inflater->zstd, &out, &in);
  *input += in.pos;
  *length -= in.pos;
  *output += out.pos;
  *room -= out.pos;
  if (ZSTD_isError(result)) return WARC_INFLATE_BAD;
  return result == 0 ? WARC_INFLATE_DONE : WARC_INFLATE_MORE;
}
#endif

bool warc_inflate_begin(warc_inflater *inflater, warc_coding coding) {
  inflater->coding = coding;
  switch (coding) {
  case WARC_GZIP:
  case WARC_ZLIB:
  case WARC_DEFLATE:
#ifdef LANNER_HAVE_ZLIB
    return begin_zlib(inflater, coding);
#else
    return false;
#endif
  case WARC_BROTLI:
#ifdef LANNER_HAVE_BROTLI
    if (inflater->brotli != NULL) BrotliDecoderDestroyInstance(inflater->brotli);
    inflater->brotli = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    return inflater->brotli != NULL;
#else
    return false;
#endif
  case WARC_ZSTD:
#ifdef LANNER_HAVE_ZSTD
    if (inflater->zstd == NULL) inflater->zstd = ZSTD_createDCtx();
    return inflater->zstd != NULL &&
           !ZSTD_isError(ZSTD_DCtx_reset(inflater->zstd, ZSTD_reset_session_only));
#else
    return false;
#endif
  case WARC_PLAIN: break;
  }
  return true;
}

warc_inflated warc_inflate_step(warc_inflater *inflater, const uint8_t **input, size_t *length,
                                uint8_t **output, size_t *room) {
  switch (inflater->coding) {
#ifdef LANNER_HAVE_ZLIB
  case WARC_GZIP:
  case WARC_ZLIB:
  case WARC_DEFLATE: return step_zlib(inflater, input, length, output, room);
#endif
#ifdef LANNER_HAVE_BROTLI
  case WARC_BROTLI: return step_brotli(inflater, input, length, output, room);
#endif
#ifdef LANNER_HAVE_ZSTD
  case WARC_ZSTD: return step_zstd(inflater, input, length, output, room);
#endif
  default: (void)input, (void)length, (void)output, (void)room; return WARC_INFLATE_BAD;
  }
}

bool warc_inflate_dictionary(warc_inflater *inflater, const uint8_t *bytes, size_t length) {
#ifdef LANNER_HAVE_ZSTD
  if (inflater->zstd == NULL) inflater->zstd = ZSTD_createDCtx();
  return inflater->zstd != NULL &&
         !ZSTD_isError(ZSTD_DCtx_loadDictionary(inflater->zstd, bytes, length));
#else
  (void)inflater, (void)bytes, (void)length;
  return false;
#endif
}

/* --- whole streams --- */

/* The output is full: a stream that is complete all the same answers so into one spare byte. */
static warc_inflated finish_full(warc_inflater *inflater, const uint8_t **input, size_t *length) {
  uint8_t spare, *at = &spare;
  size_t room = 1;
  warc_inflated result = warc_inflate_step(inflater, input, length, &at, &room);
  return room == 0 ? WARC_INFLATE_LARGE : result;
}

/* Steps through one member or frame; OUTPUT grows up to MOST. */
static warc_inflated inflate_one(warc_inflater *inflater, const uint8_t **input, size_t *length,
                                 warc_buffer *output, size_t most) {
  for (;;) {
    size_t limit = output->capacity < most ? output->capacity : most;
    if (output->length >= most) return finish_full(inflater, input, length);
    if (output->length == limit) {
      size_t wanted = output->length + output->length / 2 + 65536;
      if (!warc_buffer_reserve(output, wanted < most ? wanted : most)) return WARC_INFLATE_MEMORY;
      continue;
    }
    uint8_t *at = output->bytes + output->length;
    size_t room = limit - output->length, before = *length, had = room;
    warc_inflated result = warc_inflate_step(inflater, input, length, &at, &room);
    output->length = limit - room;
    if (result != WARC_INFLATE_MORE) return result;
    if (room == 0) continue;
    if (*length == 0) return WARC_INFLATE_MORE;
    if (*length == before && room == had) return WARC_INFLATE_BAD; /* no progress */
  }
}

/* What follows a complete member or frame belongs to the same stream. */
static bool goes_on(warc_coding coding, const uint8_t *input, size_t length) {
  if (coding == WARC_GZIP) return length >= 3 && input[0] == 0x1F && input[1] == 0x8B;
  if (coding == WARC_ZSTD)
    return length >= 4 && ((input[0] == 0x28 && input[1] == 0xB5 && input[2] == 0x2F) ||
                           ((input[0] & 0xF0) == 0x50 && input[1] == 0x2A && input[2] == 0x4D));
  return false;
}

warc_inflated warc_inflate_all(warc_inflater *inflater, warc_coding coding, const uint8_t *input,
                               size_t length, warc_buffer *output, size_t most) {
  output->length = 0;
#ifdef LANNER_HAVE_LIBDEFLATE
  if (coding == WARC_GZIP) {
    size_t used = 0;
    warc_inflated whole = warc_inflate_member(inflater, input, length, output, most, &used);
    if (whole == WARC_INFLATE_LARGE || whole == WARC_INFLATE_MEMORY) return whole;
    if (whole == WARC_INFLATE_DONE && !goes_on(coding, input + used, length - used)) return whole;
    output->length = 0;
  }
#endif
  warc_inflated result;
  do {
    if (!warc_inflate_begin(inflater, coding)) return WARC_INFLATE_MEMORY;
    result = inflate_one(inflater, &input, &length, output, most);
  } while (result == WARC_INFLATE_DONE && goes_on(coding, input, length));
  return result;
}

#ifdef LANNER_HAVE_LIBDEFLATE
/* libdeflate tells neither a cut member from a broken one nor how much it wrote: zlib does. */
static warc_inflated find_out(warc_inflater *inflater, const uint8_t *input, size_t length,
                              warc_buffer *output, size_t most, size_t *used) {
  output->length = 0;
  *used = 0;
  if (!warc_inflate_begin(inflater, WARC_GZIP)) return WARC_INFLATE_BAD;
  const uint8_t *at = input;
  warc_inflated result = inflate_one(inflater, &at, &length, output, most);
  *used = (size_t)(at - input);
  return result;
}

warc_inflated warc_inflate_member(warc_inflater *inflater, const uint8_t *input, size_t length,
                                  warc_buffer *output, size_t most, size_t *used) {
  size_t room = output->capacity > 1 << 18 ? output->capacity : 1 << 18;
  for (;;) {
    if (room > most) room = most;
    output->length = 0;
    if (!warc_buffer_reserve(output, room)) return WARC_INFLATE_MEMORY;
    enum libdeflate_result result = libdeflate_gzip_decompress_ex(
        inflater->whole, input, length, output->bytes, room, used, &output->length);
    if (result == LIBDEFLATE_SUCCESS) return WARC_INFLATE_DONE;
    output->length = 0;
    if (result != LIBDEFLATE_INSUFFICIENT_SPACE)
      return find_out(inflater, input, length, output, most, used);
    if (room == most) return WARC_INFLATE_LARGE;
    room *= 4;
  }
}
#else
warc_inflated warc_inflate_member(warc_inflater *inflater, const uint8_t *input, size_t length,
                                  warc_buffer *output, size_t most, size_t *used) {
  output->length = 0;
  *used = 0;
  if (!warc_inflate_begin(inflater, WARC_GZIP)) return WARC_INFLATE_BAD;
  const uint8_t *at = input;
  warc_inflated result = inflate_one(inflater, &at, &length, output, most);
  *used = (size_t)(at - input);
  return result;
}
#endif
