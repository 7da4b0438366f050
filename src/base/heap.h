/* heap.h - counted memory: every byte of a document or tokenizer passes through one of these. */
#ifndef LANNER_HEAP_H
#define LANNER_HEAP_H

#include "base/base.h"

/* A heap that counts. All memory of a document or tokenizer passes through one of these.
 *
 * A document begins with a slab, one block that holds it and the first sizes of its arrays: a small
 * page then needs one allocation (malloc and free were an eighth of the instructions of a 1 KB page in
 * a new document). What outgrows the slab moves out of it. */
struct heap {
  lanner_allocator allocator;
  size_t held, peak;
  size_t limit; /* 0: none */
  bool limited; /* the last failure was the limit, not the allocator */
  byte *slab;   /* counted in held as a whole; NULL: none */
  size_t slab_size, slab_used;
  size_t slab_fixed; /* so much of it is given to nobody else when it is given back */
};

static void *heap_resize(struct heap *heap, void *old, size_t old_size, size_t new_size);
static void heap_release(struct heap *heap, void *old, size_t size);

#endif
