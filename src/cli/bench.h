/* bench.h - the stages that `lanner bench` measures.
 *
 * A stage does its work on one page; bench.c owns the loop, which is the same for all of them:
 * every page of the set, in order, one after another.
 */
#ifndef LANNER_CLI_BENCH_H
#define LANNER_CLI_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "files.h"
#include "lanner.h"
#include "lanner_encoding.h"

/* Pages that a stage goes through: the check of the input does not cost the same for all. */
enum bench_kind {
  BENCH_ALL,
  BENCH_ASCII,     /* nothing but ASCII */
  BENCH_MULTIBYTE, /* valid UTF-8 with more than ASCII */
  BENCH_KINDS
};

typedef struct bench_part {
  size_t *pages; /* indexes */
  size_t count;
  size_t bytes;
} bench_part;

typedef struct bench_set {
  cli_file *pages;
  size_t count;
  size_t largest; /* bytes of the largest page */
  bench_part parts[BENCH_KINDS];
  lanner_options parse;
  lanner_tokenizer_options tokens;
} bench_set;

/* What a stage works with. */
typedef struct bench_work {
  const bench_set *set;
  char *buffer; /* memcpy: the target; input: decoded text */
  size_t buffer_size;
  lanner_sniff_options sniff;
  lanner_tokenizer *tokenizer;
  lanner_document *document;   /* tree_reuse */
  lanner_document **documents; /* visit, serialize: one a page */
  uint64_t sum;                /* what was seen, so that no work can be left out */
  lanner_status status;        /* the first one that was not LANNER_OK */
} bench_work;

typedef struct bench_memory {
  uint64_t held; /* bytes held by the stage's objects beside the input, summed over the pages */
  uint64_t text; /* bytes of decoded or copied input beside them */
} bench_memory;

typedef struct bench_stage {
  const char *name;
  const char *option; /* the --stage that runs it */
  enum bench_kind kind;
  bool yardstick;       /* memcpy */
  bool keeps_documents; /* needs all documents at hand */
  bool (*prepare)(bench_work *work);
  void (*page)(bench_work *work, size_t index);
  bench_memory (*memory)(bench_work *work);
} bench_stage;

enum { BENCH_STAGES = 11 };
extern const bench_stage bench_stages[BENCH_STAGES];

void bench_work_free(bench_work *work);

#endif
