/* archive_search.c - where the next record is, when a stream stands at something else. */
#include "archive_private.h"

bool warc_record_at_mark(warc_stream *stream, size_t ahead) {
  const size_t look = WARC_RECORD_LOOK;
  size_t length = warc_stream_need(stream, ahead + look);
  return length >= ahead + look &&
         warc_find_record((const char *)warc_stream_bytes(stream) + ahead, look) == 0;
}

size_t warc_find_packed_record(warc_archive *archive, const uint8_t *bytes, size_t limit,
                               size_t length) {
  if (!warc_coding_known(WARC_GZIP)) return limit;
  /* Not far beyond LIMIT: where there is much to pass over, all would be searched again and again. */
  size_t end = length - limit > WARC_RECORD_LOOK ? limit + WARC_RECORD_LOOK : length;
  for (size_t at = 0;; at++) {
    at += warc_find_member(bytes + at, end - at);
    if (at >= limit || !warc_inflate_begin(archive->inflater, WARC_GZIP)) return limit;
    uint8_t start[WARC_RECORD_LOOK], *output = start;
    const uint8_t *input = bytes + at;
    size_t left = length - at < PACKED_LOOK ? length - at : PACKED_LOOK, room = sizeof start;
    warc_inflate_step(archive->inflater, &input, &left, &output, &room);
    if (room == 0 && warc_find_record((const char *)start, sizeof start) == 0) return at;
  }
}

uint64_t warc_find_record_ahead(warc_archive *archive, bool *found) {
  warc_stream *stream = &archive->stream;
  uint64_t passed = 0;
  *found = false;
  for (;;) {
    size_t length = warc_stream_need(stream, SEARCH);
    const char *bytes = (const char *)warc_stream_bytes(stream);
    size_t at = warc_find_record(bytes, length);
    bool plain = stream->coding == WARC_PLAIN;
    if (plain) at = warc_find_packed_record(archive, warc_stream_bytes(stream), at, length);
    size_t mark = warc_stream_next_mark(stream, 0);
    while (mark > 0 && mark < at) {
      if (warc_record_at_mark(stream, mark))
        at = mark;
      else
        mark = warc_stream_next_mark(stream, mark);
    }
    if (at < length) {
      warc_stream_consume(stream, at);
      *found = true;
      return passed + at;
    }
    if (length < SEARCH || (!archive->any && passed > HOPELESS)) {
      warc_stream_consume(stream, length);
      return passed + length;
    }
    size_t step = length - (plain ? (size_t)PACKED_LOOK : WARC_RECORD_LOOK);
    warc_stream_consume(stream, step);
    passed += step;
  }
}
