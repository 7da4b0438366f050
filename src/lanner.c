/* lanner.c - the library as one translation unit.
 *
 * The rooms are separate files, but tokenizer and tree builder must be compiled together (separate
 * units cost 6%): this file includes them all, and the generated machine once an instance.
 */
#if defined(__GNUC__) && !defined(__clang__)
/* gcc would pack the two numbers of a slice through vector registers (4% slower), or read two numbers
 * that were just written one by one as one. */
#pragma GCC optimize("no-tree-slp-vectorize,no-store-merging")
#endif
#include "base/base.h"

#include "base/heap.c"
#include "input/input.c"

#include "document/store.c"
#include "tokenizer/ahead.h"
#include "tokenizer/decode.h"
#include "tokenizer/names.h"
#include "tokenizer/parser.h"
#include "tokenizer/references.h"
#include "tokenizer/report.h"
#include "tokenizer/source.h"
#include "tokenizer/words.h"

#include "errors.inc"
#include "document/errors.c"

#include "tree/memory.h"
#include "tree/report.h"

#include "document/document.c"
#include "document/parse.c"
#include "document/read.c"
#include "document/change.c"
#include "document/serialize.c"
#include "document/dump.c"
#include "tokenizer/api.c"

/* --- instances of the machine and of the tree builder --- */
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-label"
#pragma GCC diagnostic ignored "-Wunused-function"
#endif

/* Tokens without a tree. */
#define SINK_CHARACTERS(P, s, start, end)                                                          \
  token_characters(P, (s).offset, (s).length, (s).string, start, end)
#define SINK_NULLS(P, count) token_nulls(P, count)
#define SINK_START_TAG(P) token_start_tag(P)
#define SINK_END_TAG(P) token_end_tag(P)
#define SINK_COMMENT(P) token_comment(P)
#define SINK_PI(P) token_pi(P)
#define SINK_DOCTYPE(P) token_doctype(P)
#define SINK_EOF(P) token_eof(P)
#define SINK_CDATA_ALLOWED(P) token_cdata_allowed(P)

#define SINK_USUAL_END_TAG(P, tag) token_awaited_end_tag(P, tag)
#define SINK_ATTRIBUTE(P, id, value, length) token_tell_attribute(P, id, value, length)
#define SINK_ATTRIBUTE_VALUE(P, s) token_tell_value(P, s)
#define FN(name) name##_tokens
#define CHECKED 0
#define SPLIT_TEXT 0
#include "tokenizer/instance.h"
#include "tokenizer.inc"
#include "tokenizer/instance_end.h"

#if defined(SIMD_AHEAD)
/* The same for tokens that are pulled one by one. */
#define SINK_AHEAD(P) (&tokenizer_of(P)->ahead)
#define FN(name) name##_pulled
#define CHECKED 0
#define SPLIT_TEXT 0
#include "tokenizer/instance.h"
#include "tokenizer.inc"
#include "tokenizer/instance_end.h"
#undef SINK_AHEAD
#endif

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("O1") /* rarely run: the compiler's time is worth more */
#endif
#define FN(name) name##_tokens_checked
#define CHECKED 1
#define SPLIT_TEXT 0
#include "tokenizer/instance.h"
#include "tokenizer.inc"
#include "tokenizer/instance_end.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
#include "tokenizer/sink_end.h"

/* A document's tree. */
#define SINK_NULLS(P, count) FN(tree_nulls)(P, count)
#define SINK_START_TAG(P) FN(tree_start_tag)(P, P->token.name)
#define SINK_END_TAG(P) FN(tree_end_tag)(P)
#define SINK_COMMENT(P) FN(tree_comment)(P)
#define SINK_PI(P) FN(tree_pi)(P)
#define SINK_DOCTYPE(P) FN(tree_doctype)(P)
#define SINK_EOF(P) FN(tree_eof)(P)
#define SINK_CDATA_ALLOWED(P) FN(tree_cdata_allowed)(P)
#define SINK_CHARACTERS(P, s, start, end)                                                          \
  ((void)(start), (void)(end), FN(tree_characters)(P, (s).offset, (s).length, (s).string))
#define SINK_USUAL_END_TAG(P, tag) FN(end_tag_of_current)(P, tag)
#define TREE_OPS "tree/ops_document.h"
#define TREE_META(P) meta_inserted(P)

#define FN(name) name##_document
#define CHECKED 0
#define SPLIT_TEXT 0
#define TREE_ERROR(P, code) ((void)0)
#include "tree/tree.h"
#include "tokenizer/instance.h"
#include "tokenizer.inc"
#include "tokenizer/instance_end.h"
#undef TREE_ERROR
#undef SINK_CHARACTERS
#undef SINK_USUAL_END_TAG

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("O1") /* rarely run: the compiler's time is worth more */
#endif

/* The same with errors, positions and spans; the tree builder reports at the token's start. */
#define FN(name) name##_document_checked
#define CHECKED 1
#define SPLIT_TEXT 1
#define TREE_ERROR(P, code) report_tree_error(P, code)
#define SINK_CHARACTERS(P, s, start, end) FN(tree_characters_at)(P, s, start, end)
#include "tree/tree.h"
#include "tokenizer/instance.h"
#include "tokenizer.inc"
#include "tokenizer/instance_end.h"
#undef TREE_OPS
#undef SINK_CHARACTERS
#undef SINK_START_TAG
#undef SINK_END_TAG
#undef TREE_ERROR

/* A foreign tree: one instance, which tells errors and places when they are asked for. */
#define FN(name) name##_table
#define CHECKED 1
#define SPLIT_TEXT (P->flags & (LANNER_ERRORS | LANNER_SPANS))
#define TREE_ERROR(P, code) report_tree_error(P, code)
#define TREE_OPS "tree/ops_table.h"
#include "tree/tree.h"
#include "tree/table_sink.h"
#include "tokenizer/instance.h"
#include "tokenizer.inc"
#include "tokenizer/instance_end.h"
#undef TREE_OPS
#undef TREE_META
#include "tokenizer/sink_end.h"

/* Tokens by full tree construction over no tree. */
#undef TREE_ERROR
#define TREE_ERROR(P, code) ((void)(P)) /* errors of tree construction are a document's */
#define FN(name) name##_exact
#define CHECKED 1
#define SPLIT_TEXT 0
#define TREE_OPS "tree/ops_null.h"
#define TREE_META(P) ((void)(P))
#include "tree/tree.h"
#include "tokenizer/exact.h"
#include "tokenizer/instance.h"
#include "tokenizer.inc"
#include "tokenizer/instance_end.h"
#undef TREE_OPS
#undef TREE_META
#undef TREE_ERROR
#include "tokenizer/sink_end.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#include "tree/api.c"

/* Links, metadata, text: a reader of documents. */
#include "extract/extract.c"
