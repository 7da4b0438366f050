/* pages.h - inputs that between them reach every allocation and every corner of the parser, for
 * the tests of failing allocators and limits. */
#ifndef LANNER_TEST_PAGES_H
#define LANNER_TEST_PAGES_H

#include "support.h"

struct page {
  const char *name;
  const char *context; /* NULL: a page */
  uint32_t flags;
  void (*make)(struct bytes *into);
};
extern const struct page test_pages[];
extern const size_t test_page_count;

#endif
