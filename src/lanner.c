/* lanner.c - the library as one translation unit.
 *
 * The rooms are separate files, but tokenizer and tree builder must be compiled together (separate
 * units cost 6%): this file includes them all, and the generated machine once an instance.
 */
#include "base/base.h"

#include "base/heap.c"
#include "input/input.c"

#include "document/store.c"
#include "tokenizer/names.h"
#include "tokenizer/parser.h"
#include "tokenizer/references.h"
#include "tokenizer/report.h"
#include "tokenizer/source.h"
#include "tokenizer/words.h"

#include "errors.inc"
#include "document/errors.c"

#include "document/document.c"

#include "document/parse.c"
#include "tokenizer/api.c"

/* --- instances of the machine --- */
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-label"
#endif

/* Tokens without a tree. */
#define SINK_CHARACTERS(P, s, start, end) token_characters(P, s, start, end)
#define SINK_NULLS(P, count) token_nulls(P, count)
#define SINK_START_TAG(P) token_start_tag(P)
#define SINK_END_TAG(P) token_end_tag(P)
#define SINK_COMMENT(P) token_comment(P)
#define SINK_PI(P) token_pi(P)
#define SINK_DOCTYPE(P) token_doctype(P)
#define SINK_EOF(P) token_eof(P)
#define SINK_CDATA_ALLOWED(P) token_cdata_allowed(P)

#define FN(name) name##_tokens
#define CHECKED 0
#include "tokenizer/instance.h"
#include "tokenizer.inc"
#include "tokenizer/instance_end.h"

#define FN(name) name##_tokens_checked
#define CHECKED 1
#include "tokenizer/instance.h"
#include "tokenizer.inc"
#include "tokenizer/instance_end.h"

#include "tokenizer/sink_end.h"

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
