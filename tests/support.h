/* support.h - helpers of the test bodies: growing byte buffers, files, JSON with U+0000, chunk
 * plans, positions, and recorders that turn tokens, errors and trees into text to compare.
 * Allocation failures in here abort: the tests of failing allocators use their own allocator.
 */
#ifndef LANNER_TEST_SUPPORT_H
#define LANNER_TEST_SUPPORT_H

#include "lanner.h"
#include "test.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* For allocators that fail on purpose: appends where the call came from to the file that LANNER_TEST_SITES
 * names, for coverage.py. Does nothing without it, or where the C library has no backtraces. */
void note_failing_call(void);

/* --- bytes --- */
struct bytes {
  char *data; /* always NUL-terminated behind LENGTH once something was added */
  size_t length, capacity;
};
void bytes_clear(struct bytes *bytes); /* keeps the memory */
void bytes_free(struct bytes *bytes);
void bytes_add(struct bytes *bytes, const void *data, size_t length);
void bytes_add_text(struct bytes *bytes, const char *text);
void bytes_add_format(struct bytes *bytes, const char *format, ...) TEST_PRINTF(2, 3);
/* DATA in double quotes, with escapes for quotes, backslashes and controls. */
void bytes_add_quoted(struct bytes *bytes, const char *data, size_t length);
void bytes_add_code_point(struct bytes *bytes, uint32_t code); /* generalized UTF-8 */
bool bytes_equal(const struct bytes *a, const struct bytes *b);
bool bytes_are(const struct bytes *bytes, const char *data, size_t length);
bool string_is(lanner_string string, const char *text);
/* Up to some hundred characters of DATA, escaped, for messages. One of four static buffers. */
const char *shown(const char *data, size_t length);
/* Where A and B differ first, with the surroundings. Static buffer. */
const char *difference(const struct bytes *a, const struct bytes *b);

/* --- files --- */
bool read_file(const char *path, struct bytes *into); /* false, and a failed check, when it can't */
struct names {
  char **items;
  size_t count;
};
/* The names in FOLDER that end in SUFFIX, sorted, without the folder. */
struct names list_folder(const char *folder, const char *suffix);
void names_free(struct names *names);
char *join_path(const char *folder, const char *name); /* free it */

/* --- JSON --- */
json_t *read_json(const char *path);
/* jansson's json_loadb: U+0000 inside strings is kept, a key twice is an error. */
json_t *load_json(const char *data, size_t length,
                  json_error_t *error); /* NULL and a failed check when it is not JSON */
/* A string member as bytes; NULL data when absent or null. */
lanner_string json_text(const json_t *object, const char *key);
bool json_flag(const json_t *object, const char *key, bool otherwise);

/* --- input --- */
/* DATA, with a byte order mark in front when it begins with one: decoding takes one away. */
void add_decoded_input(struct bytes *into, const char *data, size_t length);
/* 1-based line and column (UTF-16 units, newlines normalized) of an offset. Offsets that rise cost
 * the way between them only. */
struct position {
  const char *data;
  size_t length, offset;
  uint32_t line, column;
};
void position_start(struct position *position, const char *data, size_t length);
void position_seek(struct position *position, size_t offset);

/* How input is handed over. */
struct plan {
  enum { WHOLE, STEPS, CUT } kind;
  size_t at; /* STEPS: bytes a piece; CUT: length of the first piece */
};
/* Where the next piece that begins at DONE ends. */
size_t plan_next(const struct plan *plan, size_t done, size_t length);

/* The cuts of an input of LENGTH bytes to try: all of them, or a sample that depends on SEED.
 * Start with *STATE 0; false at the end. */
bool next_cut(size_t length, uint32_t seed, size_t *state, size_t *cut);

uint64_t hash_bytes(const void *data, size_t length);
/* A small, seeded, portable generator. */
uint64_t random_next(uint64_t *state);

/* --- tokens as text --- */
struct recorder {
  struct bytes tokens;  /* a line a token, adjacent characters joined */
  struct bytes errors;  /* "line:column code" a line */
  struct bytes spans;   /* a line of SPAN_FORMAT a token */
  struct bytes offsets; /* byte offsets of the errors */
  struct bytes run;     /* characters not yet written */
  uint64_t run_start, run_end;
  bool in_run;
  size_t ends;         /* how often end-of-file came */
  bool spans_disorder; /* a token began before the one before ended, or ended before its start */
  uint64_t last_end;
};
void recorder_clear(struct recorder *recorder);
void recorder_free(struct recorder *recorder);
void record_token(struct recorder *recorder, const lanner_token *token);
void record_error(struct recorder *recorder, const lanner_error *error);
void record_finish(struct recorder *recorder); /* writes characters still waiting */

#define SPAN_FORMAT "%d %10llu %10llu\n" /* type, start, end; all lines have the same length */
enum { SPAN_LENGTH = 24 };
/* A token of TYPE was recorded from START to END. Spans must be in order. */
bool has_span(const struct recorder *recorder, lanner_token_type type, uint64_t start,
              uint64_t end);

/* How a token run is made. */
struct token_run {
  lanner_tokenizer_options options; /* on_token and on_error are set by run_tokens */
  enum { PUSH, PULL, SEGMENTS } way;
  struct plan plan; /* SEGMENTS: CUT */
};
void token_run_init(struct token_run *run, uint32_t flags, lanner_feedback feedback);
/* Clears RECORDER, runs DATA through TOKENIZER; false (and a failed check naming WHAT) when a call
 * fails. */
bool run_tokens(lanner_tokenizer *tokenizer, const struct token_run *run, const char *data,
                size_t length, struct recorder *recorder, const char *what);

/* --- trees as text --- */
struct tree_run {
  lanner_options options;
  const lanner_context *context; /* NULL: a page */
  struct plan plan;
  bool padded; /* WHOLE: from a buffer with LANNER_INPUT_PADDED */
};
void tree_run_init(struct tree_run *run, uint32_t flags);
/* Parses; false and a failed check when a call does not give STATUS. */
bool run_tree(lanner_document *document, const struct tree_run *run, const char *data,
              size_t length, lanner_status status, const char *what);
/* The tree by lanner_serialize_test, of the fragment or the document. */
void tree_text(const lanner_document *document, struct bytes *into);
/* The tree in the same format by the public accessors, adjacent text nodes joined. */
void tree_dump(const lanner_document *document, struct bytes *into);
/* Recorded errors, "line:column code" a line; with ALL also those that have no standard code. */
void tree_errors(const lanner_document *document, bool all, struct bytes *into);
/* Parts of that format: "| " and the level, the lines of attributes in their order. */
void add_indent(struct bytes *into, size_t depth);
void add_attribute_lines(const lanner_attribute *attributes, uint32_t count, size_t depth,
                         struct bytes *into);
/* How input in pieces is handed over: a block of its own, so that sanitizers see reads outside of
 * it, overwritten and freed afterwards; WHOLE is the input's length: of large ones where they lie. */
char *take_piece(const char *data, size_t length, size_t whole);
void drop_piece(char *piece, size_t length, size_t whole);
/* Links, kinds and ids of all nodes agree with each other. */
bool tree_sound(const lanner_document *document, const char *what);

/* lanner_write into a struct bytes. */
int write_bytes(void *context, const char *data, size_t length);

#endif
