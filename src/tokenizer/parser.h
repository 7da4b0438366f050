/* parser.h - the state of one parse: what the tokenizer and the tree builder keep between tokens,
 * and the token that is handed from one to the other. A token's parts are slices; nothing is
 * copied or queued.
 *
 * The tokenizer calls, for each token (13.2.6 "tree construction dispatcher"):
 *   SINK_CHARACTERS, SINK_NULLS, SINK_START_TAG, SINK_END_TAG, SINK_COMMENT, SINK_PI,
 *   SINK_DOCTYPE, SINK_EOF
 * before a tag its attributes and their values, if the sink wants them one by one:
 *   SINK_ATTRIBUTE, SINK_ATTRIBUTE_VALUE
 * and where "</" and a letter stand, if the sink can tell the usual end tag without a token:
 *   SINK_USUAL_END_TAG
 * and asks SINK_CDATA_ALLOWED. SINK_AHEAD, if there is one, keeps the stops found ahead (ahead.h) while
 * the machine is left. The way back: next_state after a start tag, stop, pause.
 */
#ifndef LANNER_PARSER_H
#define LANNER_PARSER_H

#include "document/store.h"
#include "input/input.h"
#include "states.h" /* generated: STATE_* */
#include "errors.h" /* generated: ERROR_* */

struct token {
  u32 name;            /* tags: name id; PI: interned target */
  u32 attribute_first; /* index of the block in the document's attributes */
  u32 attribute_count;
  u32 start; /* text offset of the first byte, '<' */
  bool self_closing;
  bool duplicates; /* a duplicate attribute was dropped */
  /* DOCTYPE */
  bool has_name, has_public, has_system, force_quirks;
  slice doctype_name, public_id, system_id;
  /* comment, PI data */
  slice data;
};

/* Tree builder's part, defined in tree/builder.h. */
struct tree;

/* A piece of the input, and the stream as it was before it: offsets of its text can be found out. */
struct source_piece {
  struct input_stream before;
  const byte *bytes; /* NULL: no piece */
  size_t length;
  bool last;
};
/* One block of memory: pieces that are still asked for when their bytes are gone. */
struct kept_piece {
  struct source_piece piece;
  size_t capacity; /* bytes behind this */
};
enum { KEPT_TOKEN, KEPT_ATTRIBUTE, KEPT_HELD, KEPT_PIECES };

/* How the bytes of this page become the document's text. */
struct source {
  /* --- memory that is kept from page to page --- */
  byte *raw;  /* the first bytes, while there are too few to sniff */
  byte *kept; /* pieces: all bytes, while a meta element may change the encoding */
  size_t raw_capacity, kept_capacity;
  struct input_buffer marks; /* context: NULL when no map is kept */
  /* Without a map: pieces in which the unfinished token, its unfinished attribute and the held
   * character begin (offsets.h). */
  struct kept_piece *kept_pieces[KEPT_PIECES];
  /* --- of this page; all zero at its beginning --- */
  struct input_stream stream;
  lanner_sniff_options sniff;
  lanner_sniff_result found;
  lanner_encoding user; /* a certain encoding, NONE: sniff */
  bool sniffed;         /* stream was begun */
  bool clean;           /* LANNER_INPUT_CLEAN: nothing to do */
  size_t raw_length, kept_length;
  lanner_encoding changed; /* what a meta element asked for; NONE: nothing */
  bool late;               /* sniff.user comes from there */
  u64 taken;               /* input bytes so far */
  /* Offsets of the input (offsets.h): those of the text plus SHIFT, or MAPPED. */
  u64 shift;
  bool mapped;
  byte held[4]; /* the last character, while it may be longer than it looks */
  u32 held_length;
  struct input_place hint;
  struct source_piece piece; /* without a map: the one at hand */
};

/* The flags that options may have. */
#define KNOWN_FLAGS (2 * (u32)LANNER_SURROGATES - 1)

struct parser {
  lanner_document *document;
  struct source source;
  /* --- input: the current segment --- */
  const byte *base;   /* address of offset 0: slices of this segment are address - base */
  const byte *cursor; /* next byte to read */
  const byte *limit;  /* the NUL behind the last byte that is here */
  const byte *mark;   /* start of the unfinished piece of a token, or of text not yet handed on */
  bool final;         /* nothing follows behind limit: end of file */
  bool ahead_kept;    /* the rows found ahead (ahead.h) are of this text; who changes it says so */
  bool foreign_segment; /* slices of this segment are copied into the string area */
  bool slow;            /* foreign_segment or accumulating: a piece is not a plain slice */
  /* --- machine --- */
  u32 state;        /* STATE_*, as stored at a suspension */
  u32 return_state; /* of a character reference */
  /* What the sink wants at the next token boundary; one test asks for all three. */
  union {
    struct {
      uint16_t next_state; /* STATE_* to go on in; 0: none */
      uint8_t stop;        /* lanner_status; not OK: leave for good */
      uint8_t pause;       /* leave, to be resumed */
    };
    u32 signal;
  };
  /* Tokens without a tree: start tags whose end tag is still to come, as far as anybody knows. Only a
   * guess at the next end tag's name, which saves looking it up. */
  u32 awaited_count;
  byte awaited[64];
  u32 last_start_tag; /* name id, for "appropriate end tag token" */
  bool is_end_tag;
  /* Where the text is the document's own and nobody asks later what stood there, references are decoded
   * in place (decode.h). */
  bool in_place;
  bool accumulating;      /* part of the piece was decoded already, into the string area: */
  bool accumulating_here; /* or in place: so long it is there */
  u32 accumulated_length;
  u32 accumulated;      /* from this offset on, of the area or of the text */
  u32 accumulated_from; /* where the piece began in the text */
  bool moved;     /* the characters at hand were decoded in place: they tell no place of theirs */
  u32 tag_serial; /* number of the tag, for duplicate attributes */
  u32 reference;  /* distance of '&' from mark */
  u32 code_point; /* numeric character reference */
  u32 attribute;  /* index of the attribute whose value comes next */
  u32 attribute_limit;
  u32 text_end;   /* where the last run of characters ended, unless a tag came behind it */
  u32 stopped_at; /* start of the token for which there was no room */
  struct token token;
  bool skip_line_feed; /* 13.2.6.4.7: ignore the next LF (pre, listing, textarea) */
  u32 flags;           /* LANNER_* of the options */
  bool records_errors; /* LANNER_ERRORS was asked for, not only spans */
  lanner_limits limits;
  struct tree *tree;
  /* --- errors (checked instance): position of the last one, and where they go --- */
  const byte *scanned; /* everything before was looked at for input stream errors */
  u32 line, column;    /* of scanned */
  struct {
    u64 offset;       /* of the text: the last error on a line before that of scanned, */
    u32 line, column; /* line 0: there was none */
  } back;
  u64 window;      /* text bytes that were dropped before base (tokens without a tree) */
  u64 inserted_at; /* the input offset in front of which the current, inserted segment stands */
  int (*on_error)(struct parser *P, const lanner_error *error);
  /* Attribute name id - ELEMENT_NAMES -> the last tag that had it. Lives as long as the parser,
     since tag_serial goes on from page to page. */
  u32 seen[KNOWN_NAMES - ELEMENT_NAMES];
};

enum run_result { RUN_MORE, RUN_PAUSED, RUN_STOPPED, RUN_DONE };

#endif
