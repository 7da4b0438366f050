/* cursor.c - the records of one unit, on the thread that works on it.
 *
 * Runs of members are believed only as long as everything fits: a member that goes on behind the
 * run, bytes between members, a record that is longer than its member. At the first thing that does
 * not, the place is handed back, and the stream reader has a closer look (archive.c).
 */
#include "archive.h"

void warc_cursor_begin(warc_cursor *cursor, warc_unit *unit, warc_inflater *inflater,
                       warc_buffer *content, size_t most) {
  memset(cursor, 0, sizeof *cursor);
  cursor->unit = unit;
  cursor->inflater = inflater;
  cursor->content = content;
  cursor->most = most;
  cursor->place = unit->begin;
}

static void set_hole(warc_cursor *cursor, uint8_t *byte) {
  cursor->hole = byte;
  cursor->kept = *byte;
  *byte = 0;
}

static void fill_hole(warc_cursor *cursor) {
  if (cursor->hole != NULL) *cursor->hole = cursor->kept;
  cursor->hole = NULL;
}

/* Cuts the record's block out of BYTES, behind its header. */
static void set_body(warc_cursor *cursor, warc_record *record, uint8_t *block, size_t length) {
  record->body = block + record->response.length;
  record->body_length = length - record->response.length;
  set_hole(cursor, block + length);
}

/* A unit that is one record. */
static warc_step single_record(warc_cursor *cursor, warc_record *record) {
  warc_unit *unit = cursor->unit;
  if (unit->kind != WARC_UNIT_RECORD || cursor->at > 0) return WARC_STEP_END;
  cursor->at = 1;
  uint8_t *bytes = unit->bytes.bytes;
  size_t length = unit->bytes.length;
  if (warc_parse_header((const char *)bytes, length, &record->header) != WARC_HEADER_OK)
    return WARC_STEP_END; /* cannot be: the reader has parsed it */
  uint8_t *block = bytes + record->header.length;
  size_t block_length = length - record->header.length;
  record->page = warc_classify(&record->header, block, block_length, &record->response);
  record->place = unit->begin;
  record->length = unit->record_length;
  record->shared = unit->record_shared;
  record->cut = unit->record_cut;
  record->large = unit->record_large;
  set_body(cursor, record, block, block_length);
  return WARC_STEP_RECORD;
}

/* Inflates the next member of the run. */
static warc_step open_member(warc_cursor *cursor) {
  warc_unit *unit = cursor->unit;
  const uint8_t *bytes = unit->bytes.bytes + cursor->at;
  size_t left = unit->bytes.length - cursor->at;
  if (left == 0) return WARC_STEP_END;
  size_t used;
  warc_inflated result = left < 2 || warc_guess_coding(bytes, left) != WARC_GZIP
                             ? WARC_INFLATE_BAD
                             : warc_inflate_member(cursor->inflater, bytes, left, cursor->content,
                                                   cursor->most + (1 << 16), &used);
  if (result != WARC_INFLATE_DONE) return WARC_STEP_RESTART;
  cursor->member_length = used;
  cursor->inner = 0;
  cursor->first = true;
  return WARC_STEP_RECORD;
}

static void close_member(warc_cursor *cursor) {
  cursor->unit->notes.inflated += cursor->content->length;
  cursor->at += cursor->member_length;
  cursor->member_length = 0;
  cursor->place.offset = cursor->unit->begin.offset + cursor->at;
  cursor->place.inner = 0;
}

warc_step warc_cursor_next(warc_cursor *cursor, warc_record *record) {
  fill_hole(cursor);
  if (cursor->unit->kind != WARC_UNIT_MEMBERS) return single_record(cursor, record);
  for (;;) {
    if (cursor->member_length == 0) {
      warc_step step = open_member(cursor);
      if (step != WARC_STEP_RECORD) return step;
    }
    uint8_t *bytes = cursor->content->bytes + cursor->inner;
    size_t left = cursor->content->length - cursor->inner;
    if (left == 0) {
      close_member(cursor);
      continue;
    }
    warc_header *header = &record->header;
    if (warc_parse_header((const char *)bytes, left, header) != WARC_HEADER_OK ||
        header->content_length > left - header->length)
      return WARC_STEP_RESTART;
    size_t block_length = (size_t)header->content_length;
    size_t end = header->length + block_length;
    end += warc_count_newlines((const char *)bytes + end, left - end, WARC_MOST_NEWLINES);
    /* Something that is no record behind it: the length is wrong. */
    if (end < left && !warc_may_follow((const char *)bytes + end, left - end, header->arc))
      return WARC_STEP_RESTART;
    uint8_t *block = bytes + header->length;
    record->page = warc_classify(header, block, block_length, &record->response);
    record->place = cursor->place;
    record->shared = !cursor->first || end < left;
    record->length = record->shared ? end : cursor->member_length;
    record->cut = false;
    record->large = block_length > cursor->most;
    cursor->first = false;
    cursor->inner += end;
    cursor->place.inner = cursor->inner;
    if (end == left) {
      /* The next record, wherever it is, is not in this member. */
      cursor->place.offset = cursor->unit->begin.offset + cursor->at + cursor->member_length;
      cursor->place.inner = 0;
    }
    warc_count(&cursor->unit->notes, header, record->page);
    if (record->page == WARC_NO_PAGE) continue;
    set_body(cursor, record, block, block_length);
    return WARC_STEP_RECORD;
  }
}
