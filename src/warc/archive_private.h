/* archive_private.h - what archive.c (files, runs of members), archive_stream.c (records of a
 * stream) and archive_search.c (the next record) share. */
#ifndef LANNER_WARC_ARCHIVE_PRIVATE_H
#define LANNER_WARC_ARCHIVE_PRIVATE_H

#include "archive.h"

enum {
  RUN = 1 << 15,         /* bytes of a run of members: enough to make taking a unit cheap */
  RUN_LIMIT = 1 << 24,   /* members longer than this go through the stream */
  RESTARTS = 64,         /* a file that asks for more stays a stream */
  PEEK = 1 << 15,        /* of a block, to find out what it is */
  SEARCH = 1 << 17,      /* step of a search */
  PACKED_LOOK = 1 << 10, /* bytes of a member that show its first ones decoded */
  KEPT = 1 << 20,        /* a record of a stream up to this size is passed over whole */
  HOPELESS = 1 << 20,    /* a file without a record in so many bytes is no archive */
  PASSED = 1 << 24       /* after so many bytes passed over, a unit of notes */
};

struct warc_archive {
  warc_archive_options options;
  warc_source source;
  warc_inflater *inflater;
  warc_stream stream;
  size_t file;
  warc_place start; /* where to start in FILE; then { 0, 0 } for the files behind it */
  bool open;
  bool members;    /* reading runs of members */
  bool stay;       /* no runs (any more) in this file */
  bool past_first; /* the stream has given something since it was started */
  unsigned restarts;
  bool any;      /* the file has had a record */
  bool has_tail; /* the file ends inside the record or member at TAIL */
  warc_place tail;
};

typedef enum taken {
  TAKEN_UNIT,    /* the unit is complete */
  TAKEN_NOTHING, /* go on */
  TAKEN_ALL,     /* the file ends here */
  TAKEN_PART     /* the stream ends or fails inside the record */
} taken;

/* The next record of the stream. *FAILURE: why the file cannot be read (any further). */
taken warc_take_from_stream(warc_archive *archive, warc_unit *unit, const char **failure);

/* The member that begins AHEAD in the window begins with a WARC record. */
bool warc_record_at_mark(warc_stream *stream, size_t ahead);
/* The first gzip member before LIMIT of LENGTH bytes that begins with a WARC record, or LIMIT. */
size_t warc_find_packed_record(warc_archive *archive, const uint8_t *bytes, size_t limit,
                               size_t length);
/* Goes to the next record; answers with how many bytes were passed over. False in *FOUND: the
 * stream ends or fails first. */
uint64_t warc_find_record_ahead(warc_archive *archive, bool *found);

/* A sentence for an errno. */
const char *warc_open_problem(int error);

#endif
