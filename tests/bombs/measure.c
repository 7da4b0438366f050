/* measure.c - costs of parsing files, for run.py.
 *
 * usage: measure [-r ROUNDS] [-w WAYS] [-e LABEL] [-l] [[-n NODES] FILE]...
 *
 * Prints a line a file: "STATUS NODES PEAK" and the best nanoseconds of each way: the tree (fast),
 * walking, printing and freeing it, the tree in small pushes with errors and spans, tokens, tokens
 * in small pushes with errors. It is the processor's time, so that what else runs is not counted. No
 * limits but NODES, with -l those of lanner_options_init; the encoding is LABEL (UTF-8). WAYS is a sum of bits, the first way 1; others are
 * left out and printed as 0. The files are expected to grow fourfold: after a round of the first one,
 * which does not count, that much memory is taken from the system and kept, since new pages cost
 * more than some ways do. With -r 0 each way runs once, and under callgrind each file gets a dump of
 * its own.
 */
#define _POSIX_C_SOURCE 200809L
#include "lanner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif
#if defined(__has_include)
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif
#endif
#ifndef CALLGRIND_ZERO_STATS
#define CALLGRIND_ZERO_STATS ((void)0)
#define CALLGRIND_DUMP_STATS ((void)0)
#endif

enum { PUSH = 61, WAYS = 5 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Clones that share attributes in memory do not on paper: printing stops at 64 times the input. */
struct paper {
  size_t written, most;
};

static int ignore_text(void *context, const char *data, size_t length) {
  struct paper *paper = context;
  (void)data;
  paper->written += length;
  return paper->written > paper->most;
}

static int ignore_token(void *context, lanner_tokenizer *tokenizer, const lanner_token *token) {
  (void)context;
  (void)tokenizer;
  (void)token;
  return LANNER_CONTINUE;
}

static lanner_status tokens(const char *page, size_t length, const char *encoding, uint32_t flags,
                            size_t step) {
  lanner_tokenizer_options options;
  lanner_tokenizer_options_init(&options);
  options.flags = flags;
  options.encoding = encoding;
  options.on_token = ignore_token;
  lanner_tokenizer *tokenizer = lanner_tokenizer_new(NULL);
  lanner_status status = lanner_tokenizer_begin(tokenizer, &options);
  for (size_t at = 0; at < length && status == LANNER_OK; at += step)
    status = lanner_tokenizer_feed(tokenizer, page + at, length - at < step ? length - at : step);
  if (status == LANNER_OK) status = lanner_tokenizer_end(tokenizer);
  lanner_tokenizer_free(tokenizer);
  return status;
}

static lanner_status push(const char *page, size_t length, lanner_options *options, size_t *peak) {
  lanner_document *document = lanner_document_new(NULL);
  options->flags = LANNER_ERRORS | LANNER_SPANS;
  lanner_status status = lanner_parse_begin(document, NULL, options);
  for (size_t at = 0; at < length && status == LANNER_OK; at += PUSH)
    status = lanner_parse_feed(document, page + at, length - at < PUSH ? length - at : PUSH);
  if (status == LANNER_OK) status = lanner_parse_end(document);
  *peak = lanner_document_memory(document).peak;
  lanner_document_free(document);
  return status;
}

/* One file. 0, or an exit status. *MOST: the most memory that a document of it held. */
static int measure(const char *path, const char *encoding, bool limits, uint32_t limit,
                   unsigned ways, int rounds, bool quiet, size_t *most) {
  double best[WAYS];
  lanner_options options;
  lanner_options_init(&options);
  if (!limits) memset(&options.limits, 0, sizeof options.limits);
  if (limit) options.limits.nodes = limit;
  options.encoding = encoding;
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) return 2;
  size_t length = (size_t)ftell(file);
  char *page = malloc(length + 1);
  rewind(file);
  if (!page || fread(page, 1, length, file) != length) return 2;
  fclose(file);

  lanner_status status = LANNER_OK;
  uint32_t nodes = 0;
  size_t peak = 0;
  struct paper paper = {0, 0};
  CALLGRIND_ZERO_STATS;
  for (int i = 0; i < WAYS; i++) best[i] = ways & 1u << i ? 1e300 : 0;
  for (int round = 0; round < (rounds ? rounds : 1); round++) {
    double times[WAYS + 1];
    times[0] = times[1] = times[2] = now();
    options.flags = 0;
    if (ways & 3) {
      lanner_document *document = lanner_document_new(NULL);
      status = lanner_parse(document, page, length, &options);
      times[1] = now();
      nodes = lanner_document_node_count(document);
      peak = lanner_document_memory(document).peak;
      for (lanner_node node = LANNER_DOCUMENT_NODE; node;
           node = lanner_next(document, node, LANNER_DOCUMENT_NODE))
        paper.written += lanner_attribute_count(document, node) > 0;
      paper = (struct paper){0, 64 * length};
      lanner_serialize_inner(document, LANNER_DOCUMENT_NODE, false, ignore_text, &paper);
      lanner_document_free(document);
      times[2] = now();
    }
    if (ways & 4) {
      size_t pushed_peak;
      lanner_status pushed = push(page, length, &options, &pushed_peak);
      if ((ways & 3) && pushed != status) return 3;
      if (pushed_peak > *most) *most = pushed_peak;
    }
    times[3] = now();
    if (ways & 8 && tokens(page, length, encoding, 0, length + 1) != LANNER_OK) return 3;
    times[4] = now();
    if (ways & 16 && tokens(page, length, encoding, LANNER_ERRORS, PUSH) != LANNER_OK) return 3;
    times[5] = now();
    for (int i = 0; i < WAYS; i++)
      if (times[i + 1] - times[i] < best[i]) best[i] = times[i + 1] - times[i];
  }
  CALLGRIND_DUMP_STATS;
  free(page);
  if (peak > *most) *most = peak;
  if (quiet) return 0;
  printf("%s %u %zu",
         status == LANNER_OK            ? "ok"
         : status == LANNER_ERROR_LIMIT ? "limit"
                                        : "failed",
         (unsigned)nodes, peak);
  for (int i = 0; i < WAYS; i++) printf(" %.0f", best[i]);
  printf("\n");
  return paper.written == (size_t)-1;
}

/* Takes SIZE bytes from the system; the heap keeps them. */
static void touch(size_t size) {
  volatile char *memory = malloc(size);
  for (size_t i = 0; memory && i < size; i += 4096) memory[i] = 1;
  free((void *)memory);
}

int main(int count, char **arguments) {
  int rounds = 3, files = 0;
#if defined(__GLIBC__)
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
#endif
  uint32_t limit = 0;
  bool limits = false;
  unsigned ways = (1u << WAYS) - 1;
  const char *encoding = "UTF-8";
  for (int i = 1; i < count; i++) {
    if (strcmp(arguments[i], "-n") == 0 && i + 1 < count) {
      limit = (uint32_t)strtoul(arguments[++i], NULL, 10);
    } else if (strcmp(arguments[i], "-e") == 0 && i + 1 < count) {
      encoding = arguments[++i];
    } else if (strcmp(arguments[i], "-w") == 0 && i + 1 < count) {
      ways = (unsigned)strtoul(arguments[++i], NULL, 10);
    } else if (strcmp(arguments[i], "-l") == 0) {
      limits = true;
    } else if (strcmp(arguments[i], "-r") == 0 && i + 1 < count) {
      rounds = atoi(arguments[++i]);
    } else {
      size_t most = 0;
      int status = 0;
      if (rounds && !files) {
        status = measure(arguments[i], encoding, limits, limit, ways, 1, true, &most);
        touch(6 * most);
      }
      if (!status)
        status = measure(arguments[i], encoding, limits, limit, ways, rounds, false, &most);
      if (status) {
        fprintf(stderr, "%s: %s\n", arguments[i],
                status == 2 ? "cannot be read" : "the ways to parse it end differently");
        return status;
      }
      files++;
    }
  }
  if (!files)
    fprintf(stderr, "usage: measure [-r ROUNDS] [-w WAYS] [-e LABEL] [-l] [[-n NODES] FILE]...\n");
  return files ? 0 : 2;
}
