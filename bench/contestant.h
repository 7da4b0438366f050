/* contestant.h - what the benchmark asks of every parser.
 *
 * One adapter file a parser (adapters/NAME.c, or a small Rust crate) fills this struct; each is
 * built into a shared object of its own, which the runner loads. So no parser sees another's
 * symbols, all are called through the same kind of pointer, and a parser that cannot be had is
 * simply not there.
 *
 * Rules for adapters, so that all do the same work:
 * - PAGE is valid UTF-8 without a byte order mark, except in "sniffed", where it is the page's own
 *   bytes. CONTESTANT_PADDING zero bytes follow it. It stays in place while a call runs and while
 *   a document made by "hold" lives.
 * - The fastest documented way that gives the asked result; no private functions, no patches.
 * - A "new" operation leaves nothing behind that makes the next page cheaper but what the C library
 *   keeps by itself; a "reused" one may keep in SELF whatever the parser's interface lets one keep.
 * - *WORK is added to, never reset. It makes the result visible (the compiler cannot drop work) and
 *   comparable (the report prints it).
 * - An operation that a parser has not got is NULL.
 */
#ifndef LANNER_BENCH_CONTESTANT_H
#define LANNER_BENCH_CONTESTANT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONTESTANT_ABI 1u
#define CONTESTANT_PADDING 256

typedef struct tally {
  uint64_t items;      /* tokens, nodes or links */
  uint64_t attributes; /* attributes seen */
  uint64_t bytes;      /* lengths of all strings seen or written, in bytes */
  uint64_t mix;        /* first byte of each string, so that strings are looked at */
} tally;

/* One page. False: the parser failed on it. */
typedef bool (*contestant_operation)(void *self, const char *page, size_t length, tally *work);

typedef struct contestant {
  uint32_t abi; /* CONTESTANT_ABI */
  const char *name;
  const char *version;
  const char *note; /* one line for the report: how the parser is used here */

  /* What is kept from page to page; not timed. */
  void *(*open)(void);
  void (*close)(void *self);

  contestant_operation tokens;   /* (a) every tag with names and decoded values, text, comments */
  contestant_operation tree_new; /* (b) (g) a document made, filled and freed */
  contestant_operation tree_reused;  /* (c) (g) the same document, or as much of it as can stay */
  contestant_operation visit;        /* (d) tree_reused, then each node, attribute name and value */
  contestant_operation serialize;    /* (e) tree_reused, then the whole page as HTML */
  contestant_operation sniffed;      /* (f) bytes in: find the encoding, decode, tree; reused */
  contestant_operation fragment_new; /* (h) in the context of a div, all made new */
  contestant_operation fragment_reused; /* (h) */
  contestant_operation links;   /* (i) href of a, area, link; src of img, script, iframe, source */
  contestant_operation checked; /* (l) tree_reused with parse errors and source positions */

  /* (j) A document of the page that lives until "drop". The heap is counted from outside. */
  void *(*hold)(void *self, const char *page, size_t length);
  void (*drop)(void *self, void *held);
} contestant;

/* The one symbol of an adapter: its contestants by index, NULL beyond the last. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const contestant *
contestant_at(uint32_t index);

/* For adapters. */
static inline void work_string(tally *work, const void *data, size_t length) {
  work->bytes += length;
  if (length != 0) work->mix += *(const unsigned char *)data;
}

/* Where there are many strings adapters count into a tally of their own, which stays in registers, and
 * add it up at the end: a chain of additions to memory would cost each parser as much, and so most the
 * one that takes least time. */
static inline void work_add(tally *work, const tally *more) {
  work->items += more->items;
  work->attributes += more->attributes;
  work->bytes += more->bytes;
  work->mix += more->mix;
}

#endif
