/* stream.c - see stream.h. */
#include "stream.h"

#include "record.h"

enum { WARC_STREAM_PIECE = 1 << 17, GZIP_HEADER = 10 /* shorter than WARC_RECORD_LOOK */ };

void warc_stream_start(warc_stream *stream, warc_source *source, warc_inflater *inflater,
                       warc_coding coding) {
  stream->source = source;
  stream->inflater = inflater;
  stream->coding = coding;
  stream->in_member = stream->ended = false;
  stream->failure = WARC_STREAM_FINE;
  stream->failure_offset = 0;
  stream->position = 0;
  stream->begin = stream->window.length = 0;
  stream->mark_count = 0;
}

void warc_stream_free(warc_stream *stream) {
  warc_buffer_free(&stream->window);
  free(stream->marks);
  stream->marks = NULL;
  stream->mark_count = stream->mark_capacity = 0;
}

size_t warc_find_member(const uint8_t *bytes, size_t length) {
  size_t at = 0;
  while (at + GZIP_HEADER <= length) {
    const uint8_t *hit = memchr(bytes + at, 0x1F, length - at - GZIP_HEADER + 1);
    if (hit == NULL) return length;
    if (hit[1] == 0x8B && hit[2] == 8 && (hit[3] & 0xE0) == 0 &&
        (hit[8] == 0 || hit[8] == 2 || hit[8] == 4) && (hit[9] <= 13 || hit[9] == 255))
      return (size_t)(hit - bytes);
    at = (size_t)(hit - bytes) + 1;
  }
  return length;
}

/* As warc_find_member, for zstd. */
static size_t find_frame(const uint8_t *bytes, size_t length) {
  size_t at = 0;
  while (at + 4 <= length) {
    const uint8_t *hit = memchr(bytes + at, 0x28, length - at - 3);
    if (hit == NULL) return length;
    if (memcmp(hit, "\x28\xB5\x2F\xFD", 4) == 0) return (size_t)(hit - bytes);
    at = (size_t)(hit - bytes) + 1;
  }
  return length;
}

static void fail(warc_stream *stream, warc_failure failure, uint64_t offset) {
  stream->failure = failure;
  stream->failure_offset = offset;
}

/* --- members --- */

/* How many of the marks stand at POSITION or before it. */
static size_t marks_before(const warc_stream *stream, uint64_t position) {
  size_t low = 0, high = stream->mark_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (stream->marks[middle].position <= position)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The member that begins here. One without content gives its mark up to the next: nothing stands in
 * it, and there may be any number of them. */
static bool add_mark(warc_stream *stream) {
  uint64_t position = stream->position + warc_stream_length(stream);
  if (stream->mark_count > 0 && stream->marks[stream->mark_count - 1].position == position)
    stream->mark_count--;
  if (stream->mark_count == stream->mark_capacity) {
    size_t capacity = stream->mark_capacity > 0 ? 2 * stream->mark_capacity : 64;
    warc_mark *marks = realloc(stream->marks, capacity * sizeof *marks);
    if (marks == NULL) return false;
    stream->marks = marks;
    stream->mark_capacity = capacity;
  }
  warc_mark *mark = &stream->marks[stream->mark_count++];
  mark->position = position;
  mark->offset = stream->source->offset;
  return true;
}

/* zstd archives may begin with a frame that holds the dictionary of the others. */
static bool read_dictionary(warc_stream *stream) {
  enum { LARGEST = 1 << 24 };
  const uint8_t *bytes = warc_source_bytes(stream->source);
  if (warc_source_need(stream->source, 8) < 8) return false;
  bytes = warc_source_bytes(stream->source);
  uint32_t size = (uint32_t)bytes[4] | (uint32_t)bytes[5] << 8 | (uint32_t)bytes[6] << 16 |
                  (uint32_t)bytes[7] << 24;
  if (size > LARGEST || warc_source_need(stream->source, 8 + (size_t)size) < 8 + (size_t)size)
    return false;
  bytes = warc_source_bytes(stream->source) + 8;
  bool good = true;
  if (stream->source->offset == 0 && warc_source_bytes(stream->source)[0] == 0x5D) {
    if (warc_guess_coding(bytes, size) == WARC_ZSTD) {
      warc_buffer content = {NULL, 0, 0};
      good = warc_inflate_all(stream->inflater, WARC_ZSTD, bytes, size, &content, LARGEST) ==
                 WARC_INFLATE_DONE &&
             warc_inflate_dictionary(stream->inflater, content.bytes, content.length);
      warc_buffer_free(&content);
    } else {
      good = warc_inflate_dictionary(stream->inflater, bytes, size);
    }
  }
  warc_source_consume(stream->source, 8 + (size_t)size);
  return good;
}

/* Begins the next member; false at the end of the file and when none begins here. */
static bool begin_member(warc_stream *stream) {
  warc_source *source = stream->source;
  size_t length = warc_source_need(source, 4);
  uint64_t start = source->offset;
  /* Zero bytes at the end of a file are padding. */
  while (length > 0 && warc_source_bytes(source)[0] == 0) {
    warc_source_consume(source, 1);
    length = warc_source_need(source, 4);
  }
  if (length == 0) {
    stream->ended = true;
    return false;
  }
  const uint8_t *bytes = warc_source_bytes(source);
  if (warc_guess_coding(bytes, length) != stream->coding) {
    bool cut = length < 4 && stream->coding == WARC_GZIP && bytes[0] == 0x1F;
    fail(stream, cut ? WARC_STREAM_CUT : WARC_STREAM_GARBAGE, start);
    return false;
  }
  if (stream->coding == WARC_ZSTD && (bytes[0] & 0xF0) == 0x50) {
    if (!read_dictionary(stream)) fail(stream, WARC_STREAM_CORRUPT, start);
    return false;
  }
  if (!add_mark(stream) || !warc_inflate_begin(stream->inflater, stream->coding)) {
    fail(stream, WARC_STREAM_UNREADABLE, start);
    return false;
  }
  stream->in_member = true;
  return true;
}

/* Decodes some bytes of the member under way. */
static void fill(warc_stream *stream) {
  warc_source *source = stream->source;
  uint64_t member = stream->marks[stream->mark_count - 1].offset;
  size_t length = warc_source_need(source, 1);
  if (length == 0) {
    fail(stream, source->error != 0 ? WARC_STREAM_UNREADABLE : WARC_STREAM_CUT, member);
    return;
  }
  warc_buffer *window = &stream->window;
  if (window->capacity - window->length < WARC_STREAM_PIECE / 2 && stream->begin > 0) {
    size_t left = warc_stream_length(stream);
    if (left > 0) memmove(window->bytes, window->bytes + stream->begin, left);
    stream->begin = 0;
    window->length = left;
  }
  if (!warc_buffer_reserve(window, window->length + WARC_STREAM_PIECE)) {
    fail(stream, WARC_STREAM_UNREADABLE, member);
    return;
  }
  const uint8_t *input = warc_source_bytes(source);
  uint8_t *output = window->bytes + window->length;
  size_t room = window->capacity - window->length, left = length;
  warc_inflated result = warc_inflate_step(stream->inflater, &input, &left, &output, &room);
  window->length = window->capacity - room;
  warc_source_consume(source, length - left);
  if (result == WARC_INFLATE_DONE) {
    stream->in_member = false;
  } else if (result != WARC_INFLATE_MORE) {
    fail(stream, result == WARC_INFLATE_BAD ? WARC_STREAM_CORRUPT : WARC_STREAM_UNREADABLE, member);
  }
}

size_t warc_stream_need(warc_stream *stream, size_t wanted) {
  if (stream->coding == WARC_PLAIN) {
    size_t length = warc_source_need(stream->source, wanted);
    if (length < wanted) {
      stream->ended = true;
      if (stream->source->error != 0)
        fail(stream, WARC_STREAM_UNREADABLE, stream->source->offset + length);
    }
    return length;
  }
  while (warc_stream_length(stream) < wanted && !stream->ended &&
         stream->failure == WARC_STREAM_FINE) {
    if (stream->in_member || begin_member(stream)) fill(stream);
  }
  return warc_stream_length(stream);
}

const uint8_t *warc_stream_bytes(const warc_stream *stream) {
  static const uint8_t nothing[1] = {0};
  if (stream->coding == WARC_PLAIN) return warc_source_bytes(stream->source);
  return stream->window.bytes != NULL ? stream->window.bytes + stream->begin : nothing;
}

size_t warc_stream_length(const warc_stream *stream) {
  if (stream->coding == WARC_PLAIN) return warc_source_length(stream->source);
  return stream->window.length - stream->begin;
}

void warc_stream_consume(warc_stream *stream, size_t count) {
  if (stream->coding == WARC_PLAIN) {
    warc_source_consume(stream->source, count);
    return;
  }
  stream->begin += count;
  stream->position += count;
  if (stream->begin == stream->window.length) stream->begin = stream->window.length = 0;
  /* Old marks go when they are the most, so that small steps do not move all of them each time. */
  size_t old = marks_before(stream, stream->position);
  if (old > 1 && old >= stream->mark_count / 2) {
    stream->mark_count -= old - 1;
    memmove(stream->marks, stream->marks + old - 1, stream->mark_count * sizeof *stream->marks);
  }
}

warc_place warc_stream_place(const warc_stream *stream, size_t ahead) {
  warc_place place = {0, 0};
  if (stream->coding == WARC_PLAIN) {
    place.offset = stream->source->offset + ahead;
    return place;
  }
  uint64_t position = stream->position + ahead;
  if (ahead == warc_stream_length(stream) && !stream->in_member) {
    place.offset = stream->source->offset; /* behind the last member that was decoded */
    return place;
  }
  size_t at = marks_before(stream, position);
  if (at == 0) return place;
  place.offset = stream->marks[at - 1].offset;
  place.inner = position - stream->marks[at - 1].position;
  return place;
}

size_t warc_stream_next_mark(const warc_stream *stream, size_t after) {
  if (stream->coding == WARC_PLAIN) return 0;
  size_t at = marks_before(stream, stream->position + after);
  if (at == stream->mark_count) return 0;
  uint64_t ahead = stream->marks[at].position - stream->position;
  return ahead < warc_stream_length(stream) ? (size_t)ahead : 0;
}

bool warc_stream_resync(warc_stream *stream) {
  warc_source *source = stream->source;
  uint64_t from = stream->failure_offset + 1;
  uint64_t here = source->offset;
  if (source->error != 0) return false;
  if (from > here || source->seekable) {
    if (!warc_source_seek(source, from)) return false;
  }
  warc_coding coding = stream->coding;
  warc_stream_start(stream, source, stream->inflater, coding);
  if (coding == WARC_PLAIN) return false;
  for (;;) {
    size_t length = warc_source_need(source, WARC_STREAM_PIECE);
    const uint8_t *bytes = warc_source_bytes(source);
    size_t at = coding == WARC_ZSTD ? find_frame(bytes, length) : warc_find_member(bytes, length);
    size_t record = warc_find_record((const char *)bytes, at);
    if (record < at) stream->coding = WARC_PLAIN; /* a part in another form */
    if (record < length) {
      warc_source_consume(source, record);
      return true;
    }
    if (length < WARC_STREAM_PIECE) return false;
    warc_source_consume(source, length - WARC_RECORD_LOOK);
  }
}
