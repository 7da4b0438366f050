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

static size_t slab_round(size_t size) { return (size + 15) & ~(size_t)15; }

static bool slab_has(const struct heap *heap, const void *p) {
  return p && heap->slab && (const byte *)p >= heap->slab &&
         (const byte *)p < heap->slab + heap->slab_size;
}

/* NULL: the slab has no room. */
static void *slab_resize(struct heap *heap, void *old, size_t old_size, size_t new_size) {
  byte *p = old;
  size_t need = slab_round(new_size);
  if (new_size > heap->slab_size) return NULL;
  if (old && p + slab_round(old_size) == heap->slab + heap->slab_used) { /* the last one */
    if (need > (size_t)(heap->slab + heap->slab_size - p)) return NULL;
    heap->slab_used = (size_t)(p - heap->slab) + need;
    return p;
  }
  if (old && new_size <= old_size) return old;
  if (need > heap->slab_size - heap->slab_used) return NULL;
  p = heap->slab + heap->slab_used;
  heap->slab_used += need;
  if (old) memcpy(p, old, old_size);
  return p;
}

void *heap_resize(struct heap *heap, void *old, size_t old_size, size_t new_size) {
  void *p, *from = old;
  heap->limited = false;
  if (heap->slab && (!old || slab_has(heap, old))) {
    p = slab_resize(heap, old, old_size, new_size);
    if (p) return p;
    from = NULL; /* moves out */
  }
  size_t counted = from ? old_size : 0;
  if (heap->limit && new_size > counted && heap->held + (new_size - counted) > heap->limit) {
    heap->limited = true;
    return NULL;
  }
  p = heap->allocator.reallocate(heap->allocator.context, from, counted, new_size);
  if (!p) return NULL;
  if (old && !from) {
    memcpy(p, old, old_size < new_size ? old_size : new_size);
    heap_release(heap, old, old_size);
  }
  heap->held = heap->held - counted + new_size;
  if (heap->held > heap->peak) heap->peak = heap->held;
  return p;
}

void heap_release(struct heap *heap, void *old, size_t size) {
  if (!old) return;
  if (slab_has(heap, old)) {
    size_t at = (size_t)((byte *)old - heap->slab);
    if (at + slab_round(size) == heap->slab_used)
      heap->slab_used = at > heap->slab_fixed ? at : heap->slab_fixed;
    return;
  }
  heap->held -= size;
  heap->allocator.release(heap->allocator.context, old, size);
}
