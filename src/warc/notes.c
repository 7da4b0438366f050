/* notes.c - counts and problems of units, and what kind a record is. */
#include <stdarg.h>
#include <stdio.h>

#include "archive.h"
#include "text.h"

/* Of a file in which everything is broken, this many problems a unit are kept; all are counted. */
enum { WARC_MOST_PROBLEMS = 1000 };

void warc_note(warc_notes *notes, warc_place place, const char *format, ...) {
  notes->broken++;
  if (notes->problem_count == notes->problem_capacity) {
    size_t capacity = notes->problem_capacity > 0 ? 2 * notes->problem_capacity : 4;
    if (capacity > WARC_MOST_PROBLEMS) return;
    warc_problem *problems = realloc(notes->problems, capacity * sizeof *problems);
    if (problems == NULL) return;
    notes->problems = problems;
    notes->problem_capacity = capacity;
  }
  warc_problem *problem = &notes->problems[notes->problem_count++];
  problem->place = place;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(problem->text, sizeof problem->text, format, arguments);
  va_end(arguments);
}

void warc_notes_clear(warc_notes *notes) {
  warc_problem *problems = notes->problems;
  size_t capacity = notes->problem_capacity;
  memset(notes, 0, sizeof *notes);
  notes->problems = problems;
  notes->problem_capacity = capacity;
}

void warc_notes_free(warc_notes *notes) {
  free(notes->problems);
  memset(notes, 0, sizeof *notes);
}

void warc_unit_free(warc_unit *unit) {
  warc_buffer_free(&unit->bytes);
  warc_notes_free(&unit->notes);
}

warc_page warc_classify(const warc_header *header, const uint8_t *block, size_t length,
                        warc_response *response) {
  memset(response, 0, sizeof *response);
  warc_parse_response("", 0, response);
  lanner_string media_type, charset;
  warc_split_media_type(header->content_type, &media_type, &charset);
  if (header->type == WARC_TYPE_RESPONSE && !warc_same(media_type, "text/dns")) {
    warc_parse_response((const char *)block, length, response);
    if (response->length > 0) {
      if (response->media_type.length == 0) return WARC_MAYBE_PAGE;
      return warc_is_html_type(response->media_type) ? WARC_PAGE : WARC_NO_PAGE;
    }
    if (warc_same(media_type, "application/http") || media_type.length == 0)
      return WARC_MAYBE_PAGE; /* a body without an HTTP header */
  } else if (header->type != WARC_TYPE_RESOURCE) {
    return WARC_NO_PAGE;
  }
  /* The block is the page itself. */
  if (!warc_is_html_type(media_type)) return WARC_NO_PAGE;
  response->content_type = header->content_type;
  response->media_type = media_type;
  response->charset = charset;
  return WARC_PAGE;
}

void warc_count(warc_notes *notes, const warc_header *header, warc_page page) {
  notes->records[header->type]++;
  lanner_string media_type, charset;
  if (page == WARC_NO_PAGE && header->type == WARC_TYPE_RESPONSE) {
    warc_split_media_type(header->content_type, &media_type, &charset);
    if (warc_same(media_type, "text/dns")) notes->dns++;
  }
  if (page == WARC_PAGE) notes->pages++;
  if (!warc_version_known(header)) notes->strange_version = header->major * 1000 + header->minor;
}
