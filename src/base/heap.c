/* heap.c - counting and limiting on top of the allocator; the C library's by default. */
#include "base/heap.h"

static void *libc_reallocate(void *context, void *pointer, size_t old_size, size_t new_size) {
  (void)context;
  (void)old_size;
  return realloc(pointer, new_size);
}

static void libc_release(void *context, void *pointer, size_t size) {
  (void)context;
  (void)size;
  free(pointer);
}

static void heap_init(struct heap *heap, const lanner_allocator *allocator) {
  memset(heap, 0, sizeof *heap);
  if (allocator) {
    heap->allocator = *allocator;
  } else {
    heap->allocator.reallocate = libc_reallocate;
    heap->allocator.release = libc_release;
  }
}

void *heap_resize(struct heap *heap, void *old, size_t old_size, size_t new_size) {
  void *p;
  heap->limited = false;
  if (heap->limit && new_size > old_size && heap->held + (new_size - old_size) > heap->limit) {
    heap->limited = true;
    return NULL;
  }
  p = heap->allocator.reallocate(heap->allocator.context, old, old_size, new_size);
  if (!p) return NULL;
  heap->held = heap->held - old_size + new_size;
  if (heap->held > heap->peak) heap->peak = heap->held;
  return p;
}

void heap_release(struct heap *heap, void *old, size_t size) {
  if (!old) return;
  heap->held -= size;
  heap->allocator.release(heap->allocator.context, old, size);
}
