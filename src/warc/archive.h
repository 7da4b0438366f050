/* archive.h - archives as a sequence of units of work that any number of threads can share.
 *
 * One thread at a time takes the next unit; what it takes is its own. Where each record is a gzip
 * member of its own (the usual archive), a unit is a run of members, still compressed: the
 * boundaries are guessed from the compressed bytes and proved by whoever inflates them. Everything
 * else (plain and zstd files, files that are one member, pipes, and whatever is odd) is read as a
 * stream, and a unit is one record.
 *
 * When a run of members turns out not to be what it seemed, its worker answers with the place where
 * reading must start over (warc_archive_restart): units taken from behind it are void.
 */
#ifndef LANNER_WARC_ARCHIVE_H
#define LANNER_WARC_ARCHIVE_H

#include "http.h"
#include "record.h"
#include "stream.h"

/* --- what was noticed on the way --- */

typedef struct warc_problem {
  warc_place place;
  char text[160];
} warc_problem;

typedef struct warc_notes {
  uint64_t records[WARC_TYPES]; /* by type, those that were read whole */
  uint64_t dns;                 /* of them: responses to DNS queries */
  uint64_t pages;               /* of them: HTML pages */
  uint64_t large;               /* pages above the size limit */
  uint64_t broken;              /* places where something was wrong */
  uint64_t inflated;            /* bytes of records */
  unsigned strange_version; /* a WARC version that is not known: major * 1000 + minor; 0: none */
  warc_problem *problems;
  size_t problem_count, problem_capacity;
} warc_notes;

#if defined(__GNUC__)
#define WARC_PRINTF(at, first) __attribute__((format(printf, at, first)))
#else
#define WARC_PRINTF(at, first)
#endif
void warc_note(warc_notes *notes, warc_place place, const char *format, ...) WARC_PRINTF(3, 4);
void warc_notes_clear(warc_notes *notes);
void warc_notes_free(warc_notes *notes);

/* --- records --- */

typedef enum warc_page { WARC_NO_PAGE = 0, WARC_PAGE, WARC_MAYBE_PAGE } warc_page;

/* A record that is a page or may be one (its media type is not stated). Slices of its unit. */
typedef struct warc_record {
  warc_header header;
  warc_response response; /* empty for resource records */
  warc_page page;
  uint8_t *body; /* what follows the HTTP header, codings not undone; writable, and so are
                    WARC_BUFFER_PADDING bytes behind it */
  size_t body_length;
  warc_place place;
  uint64_t length; /* in the file, or in the content of its member when SHARED */
  bool shared;     /* the member holds other records too */
  bool cut;        /* the record is shorter than it says */
  bool large;      /* above the size limit: BODY is only its beginning */
} warc_record;

/* Whether the record with HEADER and BLOCK (its beginning will do) is a page; RESPONSE gets its
 * HTTP header. */
warc_page warc_classify(const warc_header *header, const uint8_t *block, size_t length,
                        warc_response *response);
/* Counts a record. */
void warc_count(warc_notes *notes, const warc_header *header, warc_page page);

/* --- units --- */

typedef enum warc_unit_kind {
  WARC_UNIT_MEMBERS, /* a run of gzip members */
  WARC_UNIT_RECORD,  /* one record, decompressed */
  WARC_UNIT_NOTES,   /* no pages, but much was passed over */
  WARC_UNIT_FILE_END /* no pages; the next unit is of the next file. END is where reading would go on
                        if the file grew */
} warc_unit_kind;

typedef struct warc_unit {
  warc_unit_kind kind;
  size_t file; /* its number */
  warc_place begin;
  warc_place end; /* where the next unit begins; for MEMBERS, as guessed */
  bool last;      /* MEMBERS: the file ends behind it */
  bool record_cut, record_large, record_shared; /* RECORD */
  uint64_t record_length;
  warc_buffer bytes;
  warc_notes notes;
  const char *failure; /* FILE_END: why the file cannot be read (any further), or NULL */
} warc_unit;

void warc_unit_free(warc_unit *unit);

/* --- taking units --- */

typedef struct warc_archive warc_archive;

typedef struct warc_archive_options {
  const char *const *files;
  size_t file_count;
  size_t most; /* bytes of a record's block that are read; longer pages are LARGE */
} warc_archive_options;

/* NULL when memory is short. */
warc_archive *warc_archive_new(const warc_archive_options *options);
void warc_archive_free(warc_archive *archive);
/* Starts with FILE at PLACE. */
void warc_archive_begin(warc_archive *archive, size_t file, warc_place place);
/* Fills UNIT with the next one; false when all files are done. */
bool warc_archive_next(warc_archive *archive, warc_unit *unit);
/* Starts over at PLACE of FILE, reading as a stream for a while; what was taken from behind it is
 * void. Only units of MEMBERS, thus plain files, ask for it. */
void warc_archive_restart(warc_archive *archive, size_t file, warc_place place);

/* --- reading a unit's records --- */

typedef enum warc_step {
  WARC_STEP_RECORD,
  WARC_STEP_END,
  WARC_STEP_RESTART /* see warc_archive_restart; the place is cursor->place */
} warc_step;

typedef struct warc_cursor {
  warc_unit *unit;
  warc_inflater *inflater;
  warc_buffer *content; /* of one member */
  size_t most;
  size_t at;            /* MEMBERS: offset in the unit's bytes of the next member */
  size_t inner;         /* offset in the member's content of the next record */
  size_t member_length; /* 0: none is open */
  uint8_t kept;         /* the byte that a page's padding overwrote */
  uint8_t *hole;
  bool first;       /* the next record is the first of its member */
  warc_place place; /* of the next record */
} warc_cursor;

/* CONTENT is the worker's own and is reused; MOST as in warc_archive_options. */
void warc_cursor_begin(warc_cursor *cursor, warc_unit *unit, warc_inflater *inflater,
                       warc_buffer *content, size_t most);
/* The next record that is or may be a page; the others are counted in the unit's notes. RECORD is
 * valid until the next call. */
warc_step warc_cursor_next(warc_cursor *cursor, warc_record *record);

#endif
