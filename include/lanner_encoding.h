/* lanner_encoding.h - the encodings of the web: labels, decoders, encoders, sniffing.
 *
 * This header is the manual of Lanner's encoding library. It can be used alone: it needs no
 * lanner.h, allocates nothing, keeps no globals that change, and knows the 40 encodings and 228
 * labels of the Encoding Standard (encoding.spec.whatwg.org) and the HTML Standard's way to find a
 * page's encoding.
 *
 *   lanner_sniff_result found;
 *   lanner_sniff(bytes, length, NULL, &found);
 *   size_t needed = lanner_decode_length(found.encoding, LANNER_BOM_SNIFF, bytes, length);
 *   char *text = malloc(needed + 1);
 *   size_t n = lanner_decode_whole(found.encoding, LANNER_BOM_SNIFF, bytes, length, text, needed);
 *
 * Bytes come as const void * and a length. Text is UTF-8 with an explicit length; it may hold
 * U+0000 and no function ends it with NUL.
 */
#ifndef LANNER_ENCODING_H
#define LANNER_ENCODING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef LANNER_API
#define LANNER_API
#endif

/* ---------------------------------------------------------------------------------------------
 * Encodings and their labels
 */

typedef enum lanner_encoding {
  LANNER_ENCODING_NONE = 0, /* no encoding: unknown, not given */
  LANNER_ENCODING_UTF_8,
  LANNER_ENCODING_IBM866,
  LANNER_ENCODING_ISO_8859_2,
  LANNER_ENCODING_ISO_8859_3,
  LANNER_ENCODING_ISO_8859_4,
  LANNER_ENCODING_ISO_8859_5,
  LANNER_ENCODING_ISO_8859_6,
  LANNER_ENCODING_ISO_8859_7,
  LANNER_ENCODING_ISO_8859_8,
  LANNER_ENCODING_ISO_8859_8_I,
  LANNER_ENCODING_ISO_8859_10,
  LANNER_ENCODING_ISO_8859_13,
  LANNER_ENCODING_ISO_8859_14,
  LANNER_ENCODING_ISO_8859_15,
  LANNER_ENCODING_ISO_8859_16,
  LANNER_ENCODING_KOI8_R,
  LANNER_ENCODING_KOI8_U,
  LANNER_ENCODING_MACINTOSH,
  LANNER_ENCODING_WINDOWS_874,
  LANNER_ENCODING_WINDOWS_1250,
  LANNER_ENCODING_WINDOWS_1251,
  LANNER_ENCODING_WINDOWS_1252, /* also what "iso-8859-1" and "ascii" mean on the web */
  LANNER_ENCODING_WINDOWS_1253,
  LANNER_ENCODING_WINDOWS_1254,
  LANNER_ENCODING_WINDOWS_1255,
  LANNER_ENCODING_WINDOWS_1256,
  LANNER_ENCODING_WINDOWS_1257,
  LANNER_ENCODING_WINDOWS_1258,
  LANNER_ENCODING_X_MAC_CYRILLIC,
  LANNER_ENCODING_GBK, /* also what "gb2312" means */
  LANNER_ENCODING_GB18030,
  LANNER_ENCODING_BIG5,
  LANNER_ENCODING_EUC_JP,
  LANNER_ENCODING_ISO_2022_JP,
  LANNER_ENCODING_SHIFT_JIS,
  LANNER_ENCODING_EUC_KR,
  LANNER_ENCODING_REPLACEMENT, /* encodings that are a danger: decodes to one U+FFFD */
  LANNER_ENCODING_UTF_16BE,
  LANNER_ENCODING_UTF_16LE,
  LANNER_ENCODING_X_USER_DEFINED
} lanner_encoding;

/* One more than the last encoding. */
#define LANNER_ENCODING_END (LANNER_ENCODING_X_USER_DEFINED + 1)

/* "Get an encoding": the encoding that LABEL names, or LANNER_ENCODING_NONE. ASCII whitespace
 * around it and ASCII case do not matter. */
LANNER_API lanner_encoding lanner_encoding_for_label(const char *label, size_t length);

/* The name ("windows-1252"), NUL-terminated, static; NULL for NONE and for no encoding at all. */
LANNER_API const char *lanner_encoding_name(lanner_encoding encoding);

/* Label number I (from 0, below LANNER_LABEL_COUNT) of all labels, NUL-terminated, static, and in
 * *ENCODING (unless NULL) what it names. NULL when there is no such label. */
#define LANNER_LABEL_COUNT 228
LANNER_API const char *lanner_encoding_label(size_t i, lanner_encoding *encoding);

/* The labels that are most like an unknown LABEL, best first, at most one an encoding; for error
 * messages. Writes up to MAX static, NUL-terminated strings and returns how many. */
LANNER_API size_t lanner_encoding_suggest(const char *label, size_t length,
                                          const char *suggestions[], size_t max);

/* The encoding of the charset parameter of a Content-Type value ("text/html; charset=koi8-r"), or
 * NONE. */
LANNER_API lanner_encoding lanner_encoding_for_content_type(const char *value, size_t length);

/* "Get an output encoding": what forms and URLs use for a page in ENCODING. UTF-8 for UTF-16 and
 * replacement, else ENCODING itself. */
LANNER_API lanner_encoding lanner_encoding_for_output(lanner_encoding encoding);

/* The encoding that a byte order mark at the start of BYTES names, or NONE; *MARK (unless NULL)
 * becomes the length of the mark (0, 2 or 3). */
LANNER_API lanner_encoding lanner_encoding_for_bom(const void *bytes, size_t length, size_t *mark);

/* The likely encoding of pages that declare none, for a language tag ("ja", "zh-TW") or, with a
 * dot in front, a top-level domain (".ru"). windows-1252 where nothing else is known. */
LANNER_API lanner_encoding lanner_encoding_for_hint(const char *hint, size_t length);

/* ---------------------------------------------------------------------------------------------
 * Decoding: bytes to UTF-8
 *
 * Malformed input becomes U+FFFD exactly as the Encoding Standard says: which bytes are covered,
 * and which are read again. UTF-8 gives one U+FFFD a maximal subpart.
 */

/* What to do about a byte order mark. */
typedef enum lanner_bom {
  LANNER_BOM_SNIFF,  /* "decode": a mark of UTF-8 or UTF-16 beats the encoding and is removed */
  LANNER_BOM_REMOVE, /* the encoding's own mark is removed */
  LANNER_BOM_KEEP    /* no mark is looked for: it decodes to U+FEFF */
} lanner_bom;

/* A decoder: plain memory without pointers. It may lie on the stack, be copied (a copy is a place
 * to go back to) and be dropped at any time. The fields are private. */
typedef struct lanner_decoder {
  uint8_t encoding;
  uint8_t bom; /* what is still to be done about a mark */
  uint8_t flags;
  uint8_t state, output_flag; /* of ISO-2022-JP and replacement */
  uint8_t malformed;          /* there was malformed input */
  uint8_t pending_count;
  uint8_t pending[4]; /* the start of a sequence whose end has not come yet */
} lanner_decoder;

/* Decoder flags. */
#define LANNER_DECODE_FATAL 1u /* stop at malformed input instead of writing U+FFFD */

typedef enum lanner_decode_status {
  LANNER_DECODE_DONE,     /* all input was taken */
  LANNER_DECODE_FULL,     /* the next character does not fit: call again with more room */
  LANNER_DECODE_MALFORMED /* only with FATAL: the input consumed so far ends in a malformed part */
} lanner_decode_status;

/* Starts DECODER. The replacement encoding and all others but NONE are allowed (NONE: UTF-8). */
LANNER_API void lanner_decoder_init(lanner_decoder *decoder, lanner_encoding encoding,
                                    lanner_bom bom, unsigned flags);

/* Decodes a chunk: reads up to LENGTH bytes, writes up to ROOM bytes of UTF-8 to OUT. *CONSUMED
 * and *WRITTEN become what was read and written. LAST says that the input ends with this chunk:
 * an unfinished sequence is then malformed; without it, it is kept for the next call. Only whole
 * characters are written, so each chunk of output is valid UTF-8 by itself, and the same input
 * gives the same output however it is cut. ROOM of at least 8 always makes progress. After a call
 * with LAST that returned DONE, the decoder must be started again. */
LANNER_API lanner_decode_status lanner_decode(lanner_decoder *decoder, const void *bytes,
                                              size_t length, size_t *consumed, char *out,
                                              size_t room, size_t *written, bool last);

/* The encoding that DECODER uses: what it was started with, or what a byte order mark said. */
LANNER_API lanner_encoding lanner_decoder_encoding(const lanner_decoder *decoder);

/* True once DECODER met malformed input. */
LANNER_API bool lanner_decoder_malformed(const lanner_decoder *decoder);

/* An upper bound for the bytes of UTF-8 that LENGTH bytes in any encoding can become. 0: too
 * large for size_t. */
LANNER_API size_t lanner_decode_bound(size_t length);

/* The bytes of UTF-8 that BYTES become, by decoding them once. */
LANNER_API size_t lanner_decode_length(lanner_encoding encoding, lanner_bom bom, const void *bytes,
                                       size_t length);

/* Decodes all of BYTES into OUT and returns the bytes written. When ROOM is too small the text is
 * cut at a character. */
LANNER_API size_t lanner_decode_whole(lanner_encoding encoding, lanner_bom bom, const void *bytes,
                                      size_t length, char *out, size_t room);

/* What lanner_check finds out about bytes. */
#define LANNER_CHECK_ASCII 1u /* every byte is below 0x80 */
#define LANNER_CHECK_VALID 2u /* valid UTF-8: decoding changes nothing (but for a mark) */
#define LANNER_CHECK_CR 4u    /* there is a carriage return, which a parser makes a newline */
#define LANNER_CHECK_NUL 8u   /* there is a U+0000 */

/* All four answers in one pass over BYTES; nothing is written. No bytes at all are ASCII and
 * valid. */
LANNER_API unsigned lanner_check(const void *bytes, size_t length);

/* ---------------------------------------------------------------------------------------------
 * Encoding: UTF-8 to bytes, as form submission and the queries of URLs need it
 */

typedef struct lanner_encoder {
  uint8_t encoding;
  uint8_t flags;
  uint8_t state; /* of ISO-2022-JP */
  uint8_t pending_count;
  uint8_t pending[4];
  uint32_t unmappable; /* the code point for which the last call stopped; may be read */
} lanner_encoder;

/* Encoder flags: what becomes of characters that the encoding does not have. */
#define LANNER_ENCODE_FATAL 0u /* stop; the caller writes something else and goes on */
#define LANNER_ENCODE_HTML 1u  /* write &#N; with the code point in decimal */

typedef enum lanner_encode_status {
  LANNER_ENCODE_DONE,
  LANNER_ENCODE_FULL,
  LANNER_ENCODE_UNMAPPABLE /* only with FATAL: encoder->unmappable is the code point; consumed */
} lanner_encode_status;

/* Starts ENCODER for the output encoding of ENCODING (see lanner_encoding_for_output). */
LANNER_API void lanner_encoder_init(lanner_encoder *encoder, lanner_encoding encoding,
                                    unsigned flags);

/* Encodes a chunk, like lanner_decode. Malformed UTF-8 is read as U+FFFD. With LAST, ISO-2022-JP
 * returns to ASCII at the end. ROOM of at least 16 always makes progress. */
LANNER_API lanner_encode_status lanner_encode(lanner_encoder *encoder, const char *text,
                                              size_t length, size_t *consumed, void *out,
                                              size_t room, size_t *written, bool last);

/* An upper bound for the bytes that LENGTH bytes of UTF-8 can become. 0: too large for size_t. */
LANNER_API size_t lanner_encode_bound(size_t length);

/* ---------------------------------------------------------------------------------------------
 * Sniffing: which encoding a page has (HTML Standard, 13.2.3)
 */

typedef enum lanner_confidence {
  LANNER_CONFIDENCE_TENTATIVE, /* a meta element may still change it */
  LANNER_CONFIDENCE_CERTAIN,
  LANNER_CONFIDENCE_IRRELEVANT /* the input was characters, not bytes */
} lanner_confidence;

typedef enum lanner_source {
  LANNER_SOURCE_DEFAULT, /* nothing said anything */
  LANNER_SOURCE_BOM,
  LANNER_SOURCE_USER,
  LANNER_SOURCE_TRANSPORT,
  LANNER_SOURCE_UTF_16_PATTERN, /* "<?x" in UTF-16 */
  LANNER_SOURCE_META,
  LANNER_SOURCE_XML,       /* an XML declaration */
  LANNER_SOURCE_LATE_META, /* a meta element behind the bytes that are sniffed */
  LANNER_SOURCE_PARENT,
  LANNER_SOURCE_GUESS
} lanner_source;

/* "bom", "user", "transport", "utf-16-pattern", "meta", "xml", "late-meta", "parent", "default",
 * "guess"; "tentative", "certain", "irrelevant". Static. */
LANNER_API const char *lanner_source_name(lanner_source source);
LANNER_API const char *lanner_confidence_name(lanner_confidence confidence);

/* How many bytes are worth waiting for before sniffing, and how many the prescan looks at. */
#define LANNER_SNIFF_BYTES 1024

/* What is known about a page from outside; all zero: nothing. Labels are turned into encodings
 * with lanner_encoding_for_label: unknown ones give NONE and so are ignored, as the Standard
 * says. */
typedef struct lanner_sniff_options {
  lanner_encoding user;      /* what the user insists on */
  lanner_encoding transport; /* from Content-Type */
  lanner_encoding parent;    /* of the container document of the same origin */
  lanner_encoding fallback;  /* NONE: windows-1252; see lanner_encoding_for_hint */
  /* Asked before FALLBACK is taken, when not NULL: a detector. Gets all bytes at hand; NONE for
   * "no idea". */
  lanner_encoding (*guess)(void *context, const void *bytes, size_t length);
  void *guess_context;
} lanner_sniff_options;

typedef struct lanner_sniff_result {
  lanner_encoding encoding;
  lanner_confidence confidence;
  lanner_source source;
  unsigned mark; /* length of the byte order mark at the start */
} lanner_sniff_result;

/* The encoding sniffing algorithm over the first LENGTH bytes of a page (more than
 * LANNER_SNIFF_BYTES are of use to GUESS only). OPTIONS may be NULL. */
LANNER_API void lanner_sniff(const void *bytes, size_t length, const lanner_sniff_options *options,
                             lanner_sniff_result *result);

/* The prescan of the bytes alone, all LENGTH of them: the UTF-16 patterns, meta elements, the XML
 * declaration. NONE when they say nothing; *SOURCE (unless NULL) says which it was. */
LANNER_API lanner_encoding lanner_prescan(const void *bytes, size_t length, lanner_source *source);

/* "Extracting a character encoding from a meta element": from the value of a content attribute. */
LANNER_API lanner_encoding lanner_encoding_for_meta_content(const char *value, size_t length);

typedef enum lanner_change {
  LANNER_CHANGE_KEEP,  /* go on; the confidence is certain now */
  LANNER_CHANGE_SWITCH /* decode with *RESULT, from the start or from here on; certain */
} lanner_change;

/* "Change the encoding": a meta element declares DECLARED while the confidence is tentative.
 * *RESULT becomes the encoding to use. */
LANNER_API lanner_change lanner_change_encoding(lanner_encoding current, lanner_encoding declared,
                                                lanner_encoding *result);

/* Whether BYTES, from the start of the page, mean the same in both encodings, so that the decoder
 * can be exchanged in mid-page. */
LANNER_API bool lanner_encodings_agree(lanner_encoding a, lanner_encoding b, const void *bytes,
                                       size_t length);

#ifdef __cplusplus
}
#endif

#endif
