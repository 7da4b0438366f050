/* Counts the bytes that are allocated in the process, for row (j): preloaded into the runner in a
 * run of its own, so that the timed runs use the plain heap. Sizes are those of the blocks that the
 * C library hands out (malloc_usable_size), without its own bookkeeping. */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <errno.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static _Atomic int64_t live, peak;

/* Bytes allocated now, and the most there were since the last call of heapcount_mark. */
int64_t heapcount_live(void) { return live; }
int64_t heapcount_peak(void) { return peak; }
void heapcount_mark(void) { peak = (int64_t)live; }

static void *took(void *block) {
  if (block != NULL) {
    int64_t now = atomic_fetch_add(&live, (int64_t)malloc_usable_size(block)) +
                  (int64_t)malloc_usable_size(block);
    if (now > peak) peak = now;
  }
  return block;
}

static void gave(void *block) {
  if (block != NULL) live -= (int64_t)malloc_usable_size(block);
}

void *malloc(size_t size) { return took(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return took(__libc_calloc(count, size)); }

void free(void *block) {
  gave(block);
  __libc_free(block);
}

void *realloc(void *block, size_t size) {
  size_t before = block == NULL ? 0 : malloc_usable_size(block);
  void *grown = __libc_realloc(block, size);
  if (grown != NULL || size == 0) live -= (int64_t)before;
  return took(grown);
}

void *memalign(size_t alignment, size_t size) { return took(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) {
  return took(__libc_memalign(alignment, size));
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  *block = took(__libc_memalign(alignment, size));
  return *block == NULL ? ENOMEM : 0;
}
