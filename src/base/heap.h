/* heap.h - counted memory: every byte of a document or tokenizer passes through one of these. */
#ifndef LANNER_HEAP_H
#define LANNER_HEAP_H

#include "base/base.h"

/* A heap that counts. All memory of a document or tokenizer passes through one of these. */
struct heap {
  lanner_allocator allocator;
  size_t held, peak;
  size_t limit; /* 0: none */
  bool limited; /* the last failure was the limit, not the allocator */
};

static void *heap_resize(struct heap *heap, void *old, size_t old_size, size_t new_size);
static void heap_release(struct heap *heap, void *old, size_t size);

#endif
