/* record.h - the header of one archive record: WARC 0.17 to 1.1, and ARC.
 *
 * Works on bytes in memory and keeps no state; all strings of a header are slices of them.
 */
#ifndef LANNER_WARC_RECORD_H
#define LANNER_WARC_RECORD_H

#include "lanner.h"

typedef enum warc_type {
  WARC_TYPE_RESPONSE = 0,
  WARC_TYPE_RESOURCE,
  WARC_TYPE_REQUEST,
  WARC_TYPE_METADATA,
  WARC_TYPE_REVISIT,
  WARC_TYPE_CONVERSION,
  WARC_TYPE_CONTINUATION,
  WARC_TYPE_WARCINFO,
  WARC_TYPE_OTHER,
  WARC_TYPES
} warc_type;

/* "response", ... */
const char *warc_type_name(warc_type type);

typedef struct warc_header {
  bool arc;              /* an ARC record: its fields are the words of one line */
  unsigned major, minor; /* of the WARC version; 0.17 is 0 and 17 */
  warc_type type;
  size_t length; /* of the header, the empty line included */
  uint64_t content_length;
  lanner_string url; /* without angle brackets; empty: none */
  lanner_string date;
  lanner_string content_type; /* of the block: application/http, ... */
  lanner_string truncated;    /* WARC-Truncated */
  lanner_string record_id;
} warc_header;

typedef enum warc_header_status {
  WARC_HEADER_OK = 0,
  WARC_HEADER_MORE,  /* the bytes end inside the header */
  WARC_HEADER_NONE,  /* no record begins here */
  WARC_HEADER_BROKEN /* one begins here, but has no valid length */
} warc_header_status;

/* Headers longer than this are taken as broken. */
#define WARC_HEADER_LIMIT ((size_t)1 << 20)

warc_header_status warc_parse_header(const char *bytes, size_t length, warc_header *header);

/* A record may begin here: "WARC/" and a digit, or what an ARC line looks like. MORE: too short to
 * tell. */
warc_header_status warc_looks_like_record(const char *bytes, size_t length);

/* What may stand behind a record, an ARC one or not: stricter, since the tail of a field's name looks
 * like the beginning of an ARC record. */
bool warc_may_follow(const char *bytes, size_t length, bool arc);

/* How many bytes warc_find_record looks at behind the beginning of a record. */
#define WARC_RECORD_LOOK 24

/* The first place in BYTES where a WARC record seems to begin, whether or not a line does: a version
 * line, and behind it one with a field of a record. Its offset, or LENGTH. */
size_t warc_find_record(const char *bytes, size_t length);

/* The version is one that this reader was written for. */
bool warc_version_known(const warc_header *header);

/* Two line ends stand between records; some writers are more generous. */
#define WARC_MOST_NEWLINES 64

/* How many CR and LF (at most MOST) stand at the front of BYTES. */
size_t warc_count_newlines(const char *bytes, size_t length, size_t most);

#endif
