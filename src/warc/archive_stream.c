/* archive_stream.c - taking records from a stream: plain and zstd files, files that are one gzip
 * member, pipes, and the odd parts of other archives.
 *
 * A record's end is checked: newlines, then the beginning of the next record, of a member, or the
 * end of the file. When it is not there, the record's length is wrong, and reading goes on at the
 * next thing that looks like a record behind the record's header; behind large records of compressed
 * files, which are not kept, from where the end should have been (or at the next member).
 */
#include "archive_private.h"

#include <errno.h>

/* Passes over COUNT bytes of a block, unless a member begins in it with a record of its own: then
 * *CUT, and the stream stands there. False: the stream ends or fails first. */
static bool skip_block(warc_archive *archive, uint64_t count, bool *cut) {
  warc_stream *stream = &archive->stream;
  *cut = false;
  if (stream->coding == WARC_PLAIN) {
    return warc_source_has(&archive->source, count) &&
           warc_source_skip(&archive->source, count) == count;
  }
  while (count > 0) {
    size_t length = warc_stream_need(stream, 1);
    if (length == 0) return false;
    size_t step = count < length ? (size_t)count : length;
    size_t mark = warc_stream_next_mark(stream, 0);
    if (mark > 0 && mark <= step) step = mark;
    warc_stream_consume(stream, step);
    count -= step;
    if (step == mark && count > 0 && warc_record_at_mark(stream, 0)) {
      *cut = true;
      return true;
    }
  }
  return true;
}

/* The stream stands at the end of a record (or AHEAD of it): newlines, then something that may
 * follow a record, an ARC one or not. *NEWLINES: how many. */
static bool ends_well(warc_stream *stream, bool arc, size_t ahead, size_t *newlines) {
  size_t length = warc_stream_need(stream, ahead + WARC_MOST_NEWLINES + 8);
  const char *bytes = (const char *)warc_stream_bytes(stream) + ahead;
  *newlines = warc_count_newlines(bytes, length - ahead, WARC_MOST_NEWLINES);
  if (length - ahead == *newlines) return true; /* the end, or a failure that is told next */
  if (stream->coding != WARC_PLAIN && warc_stream_place(stream, ahead + *newlines).inner == 0)
    return true; /* a member begins */
  const char *next = bytes + *newlines;
  size_t rest = length - ahead - *newlines;
  if (stream->coding == WARC_PLAIN && warc_guess_coding((const uint8_t *)next, rest) != WARC_PLAIN)
    return true; /* compressed parts follow */
  return warc_may_follow(next, rest, arc);
}

/* Says what ended the stream inside a record or between two. */
static void note_failure(const warc_archive *archive, warc_notes *notes) {
  const warc_stream *stream = &archive->stream;
  warc_place place = {stream->failure_offset, 0};
  switch (stream->failure) {
  case WARC_STREAM_CUT: warc_note(notes, place, "the file ends inside this member"); break;
  case WARC_STREAM_CORRUPT: warc_note(notes, place, "this member cannot be decompressed"); break;
  case WARC_STREAM_GARBAGE: warc_note(notes, place, "no member begins here"); break;
  case WARC_STREAM_UNREADABLE:
  case WARC_STREAM_FINE: break;
  }
}

/* A record's length is wrong: goes on at the next record, in a plain file from BEHIND its header.
 * False when there is none. */
static bool recover(warc_archive *archive, uint64_t behind) {
  bool found;
  if (archive->stream.coding == WARC_PLAIN && archive->source.seekable) {
    archive->stream.ended = false;
    if (!warc_source_seek(&archive->source, behind)) return false;
  }
  warc_find_record_ahead(archive, &found);
  return found;
}

/* The place behind a record, which the stream stands at: that of the next member if one begins. */
static warc_place place_behind(warc_stream *stream) {
  warc_stream_need(stream, 1);
  return warc_stream_place(stream, 0);
}

static void finish_record(warc_unit *unit, uint64_t content_length) {
  unit->record_shared = unit->begin.inner > 0 || unit->end.inner > 0;
  unit->record_length =
      unit->record_shared ? content_length : unit->end.offset - unit->begin.offset;
}

/* Reads WHOLE bytes, the block behind the HEADER bytes, but no further than the first member in the
 * block that begins with a record of its own: answers with where that is, 0: none. Records that say
 * much more than they hold would else have the same members read ahead and looked at each time. */
static size_t read_to_cut(warc_stream *stream, size_t header, size_t whole) {
  if (stream->coding == WARC_PLAIN) {
    warc_stream_need(stream, whole);
    return 0;
  }
  for (size_t looked = header;;) {
    size_t mark = warc_stream_next_mark(stream, looked);
    size_t length = warc_stream_length(stream);
    if (mark == 0) {
      if (length >= whole || warc_stream_need(stream, length + 1) == length) return 0;
      continue;
    }
    if (mark >= whole) return 0;
    if (warc_record_at_mark(stream, mark)) return mark;
    looked = mark;
  }
}

/* Where a block that is shorter than it says ends: up to two line ends in front of the next record
 * are not its own. */
static size_t trim_block(const uint8_t *bytes, size_t header, size_t end) {
  for (int i = 0; i < 2 && end > header && bytes[end - 1] == '\n'; i++)
    end -= end - 1 > header && bytes[end - 2] == '\r' ? 2 : 1;
  return end;
}

/* A record whose block is read whole. */
static taken take_record(warc_archive *archive, warc_unit *unit, const warc_header *header) {
  warc_stream *stream = &archive->stream;
  size_t whole = header->length + (size_t)header->content_length;
  uint64_t behind = archive->source.offset + whole;
  size_t newlines = 0;
  size_t end = read_to_cut(stream, header->length, whole);
  bool good = end == 0 && warc_stream_length(stream) >= whole &&
              ends_well(stream, header->arc, whole, &newlines);
  /* A check sum that is wrong shows only behind the data. */
  if (end == 0 && stream->failure == WARC_STREAM_CORRUPT && warc_stream_length(stream) >= whole &&
      warc_stream_place(stream, whole - 1).offset == stream->failure_offset)
    return TAKEN_PART;
  size_t length = warc_stream_length(stream);
  const uint8_t *bytes = warc_stream_bytes(stream);
  if (end == 0) end = whole;
  if (end == whole && !good) {
    /* The next record may begin just in front of the stated end. */
    size_t search = whole + WARC_RECORD_LOOK - 1;
    if (search > length) search = length;
    const uint8_t *block = bytes + header->length;
    end = warc_find_record((const char *)block, search - header->length);
    if (stream->coding == WARC_PLAIN)
      end = warc_find_packed_record(archive, block, end, length - header->length);
    end += header->length;
    bool part_ends = stream->failure == WARC_STREAM_GARBAGE; /* something in another form follows */
    if (end == search && length < whole && !part_ends) return TAKEN_PART;
    if (end == search && length >= whole) end = whole;
  }
  size_t block_end = end;
  unit->record_cut = end < whole;
  if (unit->record_cut) {
    warc_note(&unit->notes, unit->begin, "the record is %zu bytes shorter than it says",
              whole - end);
    block_end = trim_block(bytes, header->length, end);
    newlines = 0;
  }
  if (!warc_buffer_append(&unit->bytes, bytes, block_end)) {
    archive->source.error = ENOMEM;
    return TAKEN_PART;
  }
  warc_stream_consume(stream, end + (good ? newlines : 0));
  if (!good && end == whole) {
    warc_note(&unit->notes, unit->begin, "something that is no record follows this record");
    recover(archive, behind);
  }
  unit->end = place_behind(stream);
  unit->kind = WARC_UNIT_RECORD;
  finish_record(unit, end + newlines);
  return TAKEN_UNIT;
}

/* A record that is passed over. With PAGE, its beginning stays in UNIT: it is too large. */
static taken pass_record(warc_archive *archive, warc_unit *unit, const warc_header *header,
                         bool page) {
  warc_stream *stream = &archive->stream;
  uint64_t whole = header->length + header->content_length;
  uint64_t behind = archive->source.offset + header->length;
  if (page) {
    size_t some = header->length + PEEK;
    size_t length = warc_stream_need(stream, some);
    if (!warc_buffer_append(&unit->bytes, warc_stream_bytes(stream),
                            length < some ? length : some)) {
      archive->source.error = ENOMEM;
      return TAKEN_PART;
    }
  }
  size_t newlines = 0;
  bool complete = skip_block(archive, whole, &unit->record_cut);
  if (!complete && (stream->coding != WARC_PLAIN || !archive->source.seekable)) return TAKEN_PART;
  if (unit->record_cut) {
    warc_note(&unit->notes, unit->begin, "the record is shorter than it says");
  } else if (complete && ends_well(stream, header->arc, 0, &newlines)) {
    warc_stream_consume(stream, newlines);
  } else {
    if (!recover(archive, behind) && !complete) return TAKEN_PART;
    warc_note(&unit->notes, unit->begin, "the record's length is wrong");
    unit->record_cut = true;
  }
  unit->end = place_behind(stream);
  unit->kind = page ? WARC_UNIT_RECORD : WARC_UNIT_NOTES;
  unit->record_large = page;
  finish_record(unit, whole + newlines);
  return page ? TAKEN_UNIT : TAKEN_NOTHING;
}

/* Reads the header at the stream's front, however long it is. One that goes on and on is broken when
 * another record begins in it: reading on would read the same lines again for each such record. */
static warc_header_status read_header(warc_stream *stream, warc_header *header) {
  for (size_t wanted = 4096;; wanted *= 4) {
    size_t length = warc_stream_need(stream, wanted);
    size_t given = length < wanted ? length : wanted;
    const char *bytes = (const char *)warc_stream_bytes(stream);
    warc_header_status status = warc_parse_header(bytes, given, header);
    if (status != WARC_HEADER_MORE || given < wanted) return status;
    if (bytes[0] == 'W' && warc_find_record(bytes + 1, given - 1) < given - 1)
      return WARC_HEADER_BROKEN;
  }
}

/* The file ends inside what begins at PLACE. */
static void set_tail(warc_archive *archive, warc_place place) {
  archive->has_tail = true;
  archive->tail = place;
}

/* Files may be joined of parts in several forms. Starts the stream anew if at the source's front one
 * in another form begins. */
static bool other_form(warc_archive *archive) {
  warc_source *source = &archive->source;
  warc_header header;
  size_t length = warc_source_need(source, 4096);
  const uint8_t *bytes = warc_source_bytes(source);
  warc_coding coding = warc_guess_coding(bytes, length);
  if (coding == archive->stream.coding || !warc_coding_known(coding)) return false;
  if (coding == WARC_PLAIN) {
    warc_header_status status = warc_parse_header((const char *)bytes, length, &header);
    if (status == WARC_HEADER_NONE || (status == WARC_HEADER_MORE && bytes[0] != 'W')) return false;
  }
  warc_stream_start(&archive->stream, source, archive->inflater, coding);
  return true;
}

/* The stream has come to its end or to a failure. NOTHING: it goes on behind it. */
static taken next_part(warc_archive *archive, warc_unit *unit, const char **failure) {
  warc_stream *stream = &archive->stream;
  if (archive->source.error != 0) {
    *failure = warc_open_problem(archive->source.error);
    return TAKEN_ALL;
  }
  if (stream->failure == WARC_STREAM_FINE) return TAKEN_ALL;
  if (stream->failure == WARC_STREAM_GARBAGE && other_form(archive)) return TAKEN_NOTHING;
  note_failure(archive, &unit->notes);
  warc_place place = {stream->failure_offset, 0};
  if (stream->failure == WARC_STREAM_CUT) {
    if (!archive->has_tail) set_tail(archive, place);
    return TAKEN_ALL;
  }
  return warc_stream_resync(stream) ? TAKEN_NOTHING : TAKEN_ALL;
}

/* The stream ends or fails inside the record at unit->begin. */
static taken lose_part(warc_archive *archive, warc_unit *unit, const char **failure) {
  warc_stream *stream = &archive->stream;
  if (stream->failure == WARC_STREAM_FINE && archive->source.error == 0)
    warc_note(&unit->notes, unit->begin, "the file ends inside this record");
  if (stream->failure == WARC_STREAM_GARBAGE)
    warc_note(&unit->notes, unit->begin, "the record is shorter than it says");
  if (stream->failure == WARC_STREAM_FINE || stream->failure == WARC_STREAM_CUT)
    set_tail(archive, unit->begin);
  unit->bytes.length = 0;
  warc_stream_consume(stream, warc_stream_length(stream));
  return next_part(archive, unit, failure);
}

/* What stands at the stream's front is no record. */
static taken pass_garbage(warc_archive *archive, warc_unit *unit, const char *what,
                          const char **failure) {
  bool found;
  warc_place place = warc_stream_place(&archive->stream, 0);
  bool first = !archive->any;
  warc_stream_consume(&archive->stream, 1);
  uint64_t passed = 1 + warc_find_record_ahead(archive, &found);
  if (!found && first && archive->stream.failure != WARC_STREAM_CORRUPT) {
    *failure = "is not a WARC or ARC archive";
    return TAKEN_ALL;
  }
  warc_note(&unit->notes, place, "%s; passed over %llu bytes", what, (unsigned long long)passed);
  return TAKEN_NOTHING;
}

/* True: nothing is left of the stream's window or of the blank lines between two records. */
static bool at_record(warc_stream *stream) {
  for (;;) {
    size_t length = warc_stream_need(stream, 1);
    size_t newlines = warc_count_newlines((const char *)warc_stream_bytes(stream), length, length);
    warc_stream_consume(stream, newlines);
    if (newlines < length) return true;
    if (length == 0) return false;
  }
}

/* What kind of record the stream stands at, from the beginning of its block: as much as the HTTP header
 * takes, since a field that is cut says something else. */
static warc_page look_at_record(warc_stream *stream, warc_header *header) {
  for (uint64_t peek = PEEK;; peek *= 4) {
    size_t most = (size_t)(header->content_length < peek ? header->content_length : peek);
    size_t length = warc_stream_need(stream, header->length + most);
    read_header(stream, header); /* the window may have moved, and the header's strings with it */
    size_t block = length - header->length < most ? length - header->length : most;
    warc_response response;
    warc_page page =
        warc_classify(header, warc_stream_bytes(stream) + header->length, block, &response);
    bool cut = response.length > 0 && !response.complete;
    if (!cut || block < peek || peek >= WARC_HEADER_LIMIT) return page;
  }
}

/* The record that HEADER describes, which the stream stands at. */
static taken take_or_pass(warc_archive *archive, warc_unit *unit, warc_header *header,
                          const char **failure) {
  warc_stream *stream = &archive->stream;
  warc_page page = look_at_record(stream, header);
  warc_notes counted = {.pages = 0};
  warc_count(&counted, header, page);
  bool large = header->content_length > archive->options.most;
  /* What cannot be read again is looked at before it is passed over, for a length that is wrong. */
  bool once = stream->coding != WARC_PLAIN || !archive->source.seekable;
  bool small = page != WARC_NO_PAGE ? !large : once && header->content_length <= KEPT;
  taken result = small ? take_record(archive, unit, header)
                       : pass_record(archive, unit, header, page != WARC_NO_PAGE);
  if (result == TAKEN_UNIT && page == WARC_NO_PAGE) {
    unit->kind = WARC_UNIT_NOTES;
    unit->bytes.length = 0;
    result = TAKEN_NOTHING;
  }
  if (result == TAKEN_PART) return lose_part(archive, unit, failure);
  for (int i = 0; i < WARC_TYPES; i++) unit->notes.records[i] += counted.records[i];
  unit->notes.dns += counted.dns;
  unit->notes.pages += counted.pages;
  unit->notes.inflated += header->length + (unit->record_cut ? 0 : header->content_length);
  if (counted.strange_version != 0) unit->notes.strange_version = counted.strange_version;
  return result;
}

static bool begins_with_version(const warc_stream *stream) {
  const uint8_t *bytes = warc_stream_bytes(stream);
  return warc_stream_length(stream) > 5 && memcmp(bytes, "WARC/", 5) == 0 && bytes[5] >= '0' &&
         bytes[5] <= '9';
}

taken warc_take_from_stream(warc_archive *archive, warc_unit *unit, const char **failure) {
  warc_stream *stream = &archive->stream;
  if (!at_record(stream)) return next_part(archive, unit, failure);
  unit->begin = warc_stream_place(stream, 0);
  if (!archive->stay && archive->past_first && stream->coding == WARC_GZIP &&
      unit->begin.inner == 0 && warc_source_seek(&archive->source, unit->begin.offset)) {
    archive->members = true; /* the odd part is over: back to runs */
    return TAKEN_NOTHING;
  }
  archive->past_first = true;
  if (unit->notes.inflated > PASSED) {
    unit->kind = WARC_UNIT_NOTES;
    unit->end = unit->begin;
    return TAKEN_UNIT;
  }
  warc_header header;
  switch (read_header(stream, &header)) {
  case WARC_HEADER_OK: archive->any = true; return take_or_pass(archive, unit, &header, failure);
  case WARC_HEADER_MORE:
    if (archive->any || begins_with_version(stream)) return lose_part(archive, unit, failure);
    return pass_garbage(archive, unit, "no record begins here", failure);
  case WARC_HEADER_NONE:
    if (stream->coding == WARC_PLAIN && other_form(archive)) return TAKEN_NOTHING;
    return pass_garbage(archive, unit, "no record begins here", failure);
  case WARC_HEADER_BROKEN: break;
  }
  archive->any = true;
  return pass_garbage(archive, unit, "this record has no valid length", failure);
}
