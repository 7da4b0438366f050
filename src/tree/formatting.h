/* formatting.h - the list of active formatting elements (13.2.4.3). Compiled once.
 *
 * The list is doubly linked, through a pool; entries of one name are linked as well, so that "the
 * last element of this name after the last marker" is one comparison. Noah's Ark looks at the
 * entries of the name one by one; when they are many, at those of one bucket of an index by a
 * seeded hash of name and attributes.
 *
 * After the last marker, open elements stand in the list in the order in which they stand on the
 * stack; the adoption agency keeps that.
 */
#ifndef LANNER_TREE_FORMATTING_H
#define LANNER_TREE_FORMATTING_H

#include "tree/stack.h"

static u32 leading_space(const lanner_document *d, slice s) {
  return (u32)space_run(slice_bytes(d, s.offset, s.string), s.length);
}
static u32 leading_text(const lanner_document *d, slice s) {
  const byte *bytes = slice_bytes(d, s.offset, s.string);
  u32 i = 0;
  while (i < s.length && !is_tree_space(bytes[i])) i++;
  return i;
}

enum { ARK_STEPS = 16 }; /* entries looked at without an index */

INLINE u32 format_index(u32 name) { return formatting_index[name]; }

/* The last entry named NAME after the last marker; 0: none. */
INLINE u32 last_formatting(const struct tree *T, u32 name) {
  u32 entry = T->last_format[format_index(name)];
  return entry && T->formats[entry].depth == T->markers ? entry : 0;
}

static COLD bool formats_grow(struct tree *T, lanner_document *d) {
  u32 capacity = T->format_capacity ? T->format_capacity * 2 : 64;
  void *formats = heap_resize(&d->heap, T->formats, T->format_capacity * sizeof *T->formats,
                              capacity * sizeof *T->formats);
  if (!formats) return false;
  T->formats = formats;
  T->format_capacity = capacity;
  return true;
}
/* Memory is short in the middle of a token: the next one that may make a node stops the parse. */
static COLD void formats_failed(struct tree *T, lanner_document *d) {
  store_failed(d);
  T->out_of_memory = true;
  T->room = 0;
}
/* Room for 8 entries. */
INLINE bool formats_reserve(struct tree *T, lanner_document *d) {
  return LIKELY(T->format_used + 8 < T->format_capacity) || formats_grow(T, d);
}

static void formats_clear(struct tree *T) {
  T->format_used = 1;
  T->format_free = T->format_last = T->format_count = T->markers = 0;
  T->indexed = false;
  memset(T->last_format, 0, sizeof T->last_format);
}

/* --- comparing --- */

INLINE u64 mix(u64 a, u64 b) {
  u64 x = (a ^ b) * UINT64_C(0x9E3779B97F4A7C15);
  return x ^ x >> 29;
}
static u64 hash_value(u64 seed, const byte *bytes, u32 length) {
  u64 h = mix(seed, length);
  for (; length >= 8; bytes += 8, length -= 8) h = mix(h, load64(bytes));
  u64 tail = 0;
  for (u32 i = 0; i < length; i++) tail = tail << 8 | bytes[i];
  h = mix(h, tail);
  return mix(h, h >> 32);
}

static const byte *value_bytes(const lanner_document *d, const attribute *a) {
  return slice_bytes(d, a->value, (a->name & ATTRIBUTE_STRING) != 0);
}

/* The same for any order of the attributes. */
static u64 hash_attributes(const lanner_document *d, u32 word, u32 first, u32 count, u32 depth) {
  u64 sum = 0;
  for (u32 i = 0; i < count; i++) {
    const attribute *a = &d->attributes[first + i];
    sum += hash_value(d->name_seed + attribute_name(a), value_bytes(d, a), a->length);
  }
  return mix(mix(sum, word), mix(depth, d->name_seed));
}

static bool same_attribute(const lanner_document *d, const attribute *a, const attribute *b) {
  return attribute_name(a) == attribute_name(b) && a->length == b->length &&
         memcmp(value_bytes(d, a), value_bytes(d, b), a->length) == 0;
}

static void sift_down(const attribute *attributes, u32 *index, u32 root, u32 end) {
  for (u32 child; (child = 2 * root + 1) < end; root = child) {
    if (child + 1 < end &&
        attribute_name(&attributes[index[child]]) < attribute_name(&attributes[index[child + 1]]))
      child++;
    if (attribute_name(&attributes[index[root]]) >= attribute_name(&attributes[index[child]]))
      return;
    u32 t = index[root];
    index[root] = index[child];
    index[child] = t;
  }
}
/* Indices of the attributes from FIRST on in the order of their name ids (a heap sort). */
static void sort_by_name(const attribute *attributes, u32 first, u32 *index, u32 count) {
  for (u32 i = 0; i < count; i++) index[i] = first + i;
  for (u32 root = count / 2; root-- > 0;) sift_down(attributes, index, root, count);
  for (u32 end = count; end-- > 1;) {
    u32 t = index[0];
    index[0] = index[end];
    index[end] = t;
    sift_down(attributes, index, 0, end);
  }
}

/* Whether two blocks of COUNT attributes are equal in any order. Blocks of one source are mostly
 * in the same order; others are compared each with each, long ones after sorting. */
static bool same_attributes(struct tree *T, lanner_document *d, u32 first, u32 other, u32 count) {
  const attribute *a = d->attributes + first, *b = d->attributes + other;
  u32 i = 0;
  if (first == other) return true;
  while (i < count && same_attribute(d, &a[i], &b[i])) i++;
  if (i == count) return true;
  if (count - i <= 16) {
    for (u32 j = i; j < count; j++) {
      u32 k = i;
      while (k < count && !same_attribute(d, &a[j], &b[k])) k++;
      if (k == count) return false;
    }
    return true;
  }
  if (T->scratch_capacity < 2 * count) {
    u32 *scratch = heap_resize(&d->heap, T->scratch, T->scratch_capacity * sizeof *scratch,
                               2 * (size_t)count * sizeof *scratch);
    if (!scratch) {
      formats_failed(T, d);
      return false;
    }
    T->scratch = scratch;
    T->scratch_capacity = 2 * count;
  }
  sort_by_name(d->attributes, first, T->scratch, count);
  sort_by_name(d->attributes, other, T->scratch + count, count);
  for (i = 0; i < count; i++)
    if (!same_attribute(d, &d->attributes[T->scratch[i]], &d->attributes[T->scratch[count + i]]))
      return false;
  return true;
}

static bool same_element(struct tree *T, lanner_document *d, u32 x, u32 y) {
  const struct formatting *a = &T->formats[x], *b = &T->formats[y];
  if (a->word != b->word || a->depth != b->depth || a->attribute_count != b->attribute_count)
    return false;
  if (T->by_hash) return a->hash == b->hash;
  return same_attributes(T, d, a->attribute_first, b->attribute_first, a->attribute_count);
}

/* --- the index: buckets of entries with the same hash, newest first. Most are empty, so that an
 * insertion touches no other entry: with a million entries each would be a cache miss. --- */

static void bucket_insert(struct tree *T, u32 entry) {
  struct formatting *e = &T->formats[entry];
  u32 *bucket = &T->buckets[e->hash & (T->bucket_count - 1)];
  e->bucket_next = *bucket;
  *bucket = entry;
}
static void bucket_remove(struct tree *T, u32 entry) {
  const struct formatting *e = &T->formats[entry];
  u32 *link = &T->buckets[e->hash & (T->bucket_count - 1)];
  while (*link != entry) link = &T->formats[*link].bucket_next;
  *link = e->bucket_next;
}
static u64 hash_entry(const lanner_document *d, const struct formatting *e) {
  return hash_attributes(d, e->word, e->attribute_first, e->attribute_count, e->depth);
}

/* Builds the index, with four buckets an entry or more. False: no memory, and the parse stops: without
 * an index each tag would walk the list. */
static COLD bool index_formats(struct tree *T, lanner_document *d) {
  u64 count = 64;
  while (count < 4 * (u64)T->format_count) count *= 2;
  if (count > T->bucket_capacity) {
    u32 *buckets = heap_resize(&d->heap, T->buckets, T->bucket_capacity * sizeof *buckets,
                               count * sizeof *buckets);
    if (!buckets) {
      T->indexed = false;
      formats_failed(T, d);
      return false;
    }
    T->buckets = buckets;
    T->bucket_capacity = (u32)count;
  }
  T->bucket_count = (u32)count;
  memset(T->buckets, 0, T->bucket_count * sizeof *T->buckets);
  /* From the oldest to the newest, so that a bucket has the newest first. */
  u32 entry = T->format_last;
  while (entry && T->formats[entry].prev) entry = T->formats[entry].prev;
  for (; entry; entry = T->formats[entry].next) {
    struct formatting *e = &T->formats[entry];
    if (!e->word) continue;
    if (!T->indexed && !T->by_hash) e->hash = hash_entry(d, e);
    bucket_insert(T, entry);
  }
  T->indexed = true;
  return true;
}

/* --- the list --- */

/* A new last entry; room was reserved. */
static u32 formats_append(struct tree *T) {
  u32 entry = T->format_free;
  if (entry)
    T->format_free = T->formats[entry].next;
  else
    entry = T->format_used++;
  HAS_ROOM(entry, T->format_capacity);
  struct formatting *e = &T->formats[entry];
  e->prev = T->format_last;
  e->next = 0;
  if (T->format_last) T->formats[T->format_last].next = entry;
  T->format_last = entry;
  T->format_count++;
  e->depth = T->markers;
  return entry;
}

static void formats_remove(struct tree *T, u32 entry) {
  struct formatting *e = &T->formats[entry];
  if (e->next)
    T->formats[e->next].prev = e->prev;
  else
    T->format_last = e->prev;
  if (e->prev) T->formats[e->prev].next = e->next;
  if (e->word) {
    if (e->next_same)
      T->formats[e->next_same].prev_same = e->prev_same;
    else
      T->last_format[format_index(e->word)] = e->prev_same;
    if (e->prev_same) T->formats[e->prev_same].next_same = e->next_same;
    if (e->position) T->stack[e->position].format = 0;
    if (T->indexed) bucket_remove(T, entry);
  }
  e->node = 0;
  e->next = T->format_free;
  T->format_free = entry;
  if (--T->format_count == 0) T->indexed = false;
}

/* Moves an entry right behind PLACE. */
static void formats_move_behind(struct tree *T, u32 entry, u32 place) {
  struct formatting *e = &T->formats[entry];
  if (e->prev == place) return;
  if (e->next)
    T->formats[e->next].prev = e->prev;
  else
    T->format_last = e->prev;
  if (e->prev) T->formats[e->prev].next = e->next;
  struct formatting *p = &T->formats[place];
  e->prev = place;
  e->next = p->next;
  if (p->next)
    T->formats[p->next].prev = entry;
  else
    T->format_last = entry;
  p->next = entry;
}

/* The third entry like ENTRY after the last marker, counted from the end; 0: there are fewer. */
static u32 third_like(struct tree *T, lanner_document *d, u32 entry) {
  u32 found = 0, steps = 0;
  if (T->indexed) {
    struct formatting *e = &T->formats[entry];
    for (u32 i = e->bucket_next; i; i = T->formats[i].bucket_next)
      if (T->formats[i].hash == e->hash && same_element(T, d, entry, i) && ++found == 3) return i;
    return 0;
  }
  for (u32 i = T->formats[entry].prev_same; i && T->formats[i].depth == T->markers;
       i = T->formats[i].prev_same) {
    if (same_element(T, d, entry, i) && ++found == 3) return i;
    if (++steps == ARK_STEPS) return index_formats(T, d) ? third_like(T, d, entry) : 0;
  }
  return 0;
}

/* The rare part of a push: the index, and Noah's Ark. */
static NOINLINE void formats_pushed(struct tree *T, lanner_document *d, u32 entry) {
  struct formatting *e = &T->formats[entry];
  if (T->indexed || T->by_hash) e->hash = hash_entry(d, e);
  if (T->indexed) {
    bucket_insert(T, entry);
    if (2 * (u64)T->format_count > T->bucket_count && !index_formats(T, d)) return;
  }
  if (e->prev_same != 0) {
    u32 third = third_like(T, d, entry);
    if (third) formats_remove(T, third);
  }
}

/* "Push onto the list of active formatting elements": the element at stack POSITION. */
static void formats_push(struct tree *T, lanner_document *d, u32 position, u32 attribute_first,
                         u32 attribute_count) {
  u32 entry = formats_append(T);
  struct formatting *e = &T->formats[entry];
  struct open_element *open = &T->stack[position];
  u32 *last = &T->last_format[format_index(open->word)];
  e->node = open->node;
  e->word = open->word;
  e->attribute_first = attribute_first;
  e->attribute_count = attribute_count;
  e->position = position;
  e->prev_same = *last;
  e->next_same = 0;
  if (*last) T->formats[*last].next_same = entry;
  *last = entry;
  open->format = entry;
  if (UNLIKELY(T->indexed || T->by_hash || e->prev_same != 0)) formats_pushed(T, d, entry);
}

static void formats_marker(struct tree *T) {
  u32 entry = formats_append(T);
  T->formats[entry].word = T->formats[entry].node = T->formats[entry].position = 0;
  T->markers++;
}

/* "Clear the list of active formatting elements up to the last marker". */
static void formats_clear_to_marker(struct tree *T) {
  while (T->format_last) {
    bool marker = T->formats[T->format_last].word == 0;
    formats_remove(T, T->format_last);
    if (marker) {
      T->markers--;
      return;
    }
  }
}

#endif
