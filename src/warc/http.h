/* http.h - the HTTP response inside a record: status, media type, and the body decoded. */
#ifndef LANNER_WARC_HTTP_H
#define LANNER_WARC_HTTP_H

#include "inflate.h"
#include "lanner.h"

/* The values of a field that lists codings, a line of the header each; they count as one list. More
 * lines than there is room for are nobody's page. */
enum { WARC_CODING_LINES = 8 };

typedef struct warc_codings {
  lanner_string lines[WARC_CODING_LINES];
  unsigned count; /* also of those that there was no room for */
} warc_codings;

typedef struct warc_response {
  unsigned status;            /* 0: no status line */
  size_t length;              /* of the header, the empty line included */
  bool complete;              /* the empty line was there */
  lanner_string content_type; /* the field as it is; empty: none */
  lanner_string media_type;   /* "text/html": what stands before the parameters */
  lanner_string charset;      /* its charset parameter; empty: none */
  warc_codings content_encoding;
  warc_codings transfer_encoding;
  lanner_string robots; /* X-Robots-Tag */
} warc_response;

/* Reads the header at the front of BYTES; never fails: without one, LENGTH is 0. */
void warc_parse_response(const char *bytes, size_t length, warc_response *response);

/* Splits the value of a Content-Type field. */
void warc_split_media_type(lanner_string value, lanner_string *media_type, lanner_string *charset);

/* text/html or application/xhtml+xml. */
bool warc_is_html_type(lanner_string media_type);
/* BYTES begin as the MIME Sniffing Standard wants it of text/html. */
bool warc_sniffs_as_html(const uint8_t *bytes, size_t length);

typedef enum warc_body {
  WARC_BODY_OK = 0,
  WARC_BODY_CUT, /* the coding ends too early or breaks: what could be decoded is there, if anything */
  WARC_BODY_LARGE,   /* more than MOST bytes */
  WARC_BODY_UNKNOWN, /* a coding that this program has no library for: the bytes are not decoded */
  WARC_BODY_MEMORY
} warc_body;

/* Undoes the transfer and content codings of BODY, in place or by way of SPARE[0..1]. The result,
 * *DECODED of *LENGTH bytes, has WARC_BUFFER_PADDING bytes behind it that may be overwritten, given
 * that BODY has them. Text that is not in the coding that its header names is left as it is:
 * archives often keep the header of a body that they have decoded. */
warc_body warc_decode_body(warc_inflater *inflater, const warc_response *response, uint8_t *body,
                           size_t body_length, size_t most, warc_buffer spare[2], uint8_t **decoded,
                           size_t *length);

#endif
