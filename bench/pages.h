/* pages.h - the page sets: real pages in memory, and small pages and fragments cut from them. */
#ifndef LANNER_BENCH_PAGES_H
#define LANNER_BENCH_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Groups that a page can belong to; a page is in one size class and in any number of kinds. */
typedef enum page_group {
  GROUP_UNDER_2K,
  GROUP_2K_8K,
  GROUP_8K_32K,
  GROUP_32K_128K,
  GROUP_128K_512K,
  GROUP_512K_UP,
  GROUP_TEXT,
  GROUP_MARKUP,
  GROUP_SCRIPT,
  GROUP_ATTRIBUTE,
  GROUP_NON_LATIN,
  GROUP_COUNT
} page_group;
extern const char *const group_names[GROUP_COUNT];
extern const char *const group_rules[GROUP_COUNT]; /* how a page gets in, for the report */

typedef struct bench_page {
  const char *name; /* the file's */
  const char *data; /* UTF-8, without a byte order mark, CONTESTANT_PADDING zero bytes behind it */
  size_t length;
  const char *raw; /* the file's own bytes, padded as well; the same memory when they are UTF-8 */
  size_t raw_length;
  uint32_t groups; /* bit set by page_group */
} bench_page;

typedef struct page_set {
  bench_page *pages;
  size_t count;
  uint64_t bytes, raw_bytes;
  size_t longest;
  size_t converted; /* pages that were not UTF-8 */
} page_set;

/* Before all others: sets aside SIZE bytes of address space for the pages, which forked processes share.
 * So one process can load them, with what iconv and stdio do to its heap, and leave that of the others
 * alone. */
bool pages_reserve(size_t size);

/* All regular files of DIRECTORY in the order of their names, STEP by STEP (1: all). False with a
 * message on stderr when nothing could be read. Memory is never given back. */
bool pages_load(page_set *set, const char *directory, size_t step);

/* COUNT documents of about 1,000 bytes: a head, then a piece of one of FROM's pages. */
bool pages_cut_small(page_set *set, const page_set *from, size_t count);

/* COUNT pieces of 50 to 500 bytes of FROM's pages, beginning with a start tag. */
bool pages_cut_fragments(page_set *set, const page_set *from, size_t count);

#endif
