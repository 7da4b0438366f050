/* store.c - the rare half of store.h: growth, links that are not at the end, text that has to be
 * joined, names that are not in the tables. */
#include "document/store.h"
#include "tokenizer/parser.h"

#include "names.inc"

/* --- growth --- */

static bool store_failed(lanner_document *d) {
  if (d->status == LANNER_OK) {
    d->status = d->heap.limited ? LANNER_ERROR_LIMIT : LANNER_ERROR_MEMORY;
    if (d->heap.limited) d->limits_struck |= LANNER_LIMIT_MEMORY;
  }
  return false;
}

/* COUNT rows at this place of a page that is here as a whole: so many at its end, and a quarter
 * more. 0: nobody knows. */
static u64 store_foreseen(const lanner_document *d, u32 count) {
  const struct parser *P = d->parser;
  if (!P || !P->final || !P->base) return 0;
  u64 all = (u64)(P->limit - P->base), done = (u64)(P->cursor - P->base);
  return done > all / 16 ? count * all / done + count / 4 : 0;
}

/* Raises *CAPACITY until MORE fit behind COUNT: to what the rest of the page will want, but at least by
 * a quarter and at most to four times the size; when nobody knows, to twice the size at first, then by
 * half. The largest capacity is 2^32 - 1 rows. */
static bool store_grow(lanner_document *d, void **rows, size_t row, u32 count, u32 *capacity,
                       u64 more, u32 least) {
  u64 wanted = (u64)count + more, size = *capacity;
  void *p;
  if (wanted > UINT32_MAX) {
    d->heap.limited = true;
    return store_failed(d);
  }
  if (size < 256) {
    size = size ? 2 * size : least;
  } else {
    u64 foreseen = store_foreseen(d, count);
    u64 most = foreseen ? 4 * size : size < 4096 ? 2 * size : size + size / 2;
    size += size / 4;
    if (!foreseen || foreseen > most) foreseen = most;
    if (size < foreseen) size = foreseen;
  }
  if (size < wanted) size = wanted;
  if (size > UINT32_MAX) size = UINT32_MAX;
  p = heap_resize(&d->heap, *rows, *capacity * row, (size_t)size * row);
  if (!p && size > wanted + wanted / 8) {
    /* Memory is getting short: ask for less before giving up. */
    size = wanted + wanted / 8;
    p = heap_resize(&d->heap, *rows, *capacity * row, (size_t)size * row);
  }
  if (!p) return store_failed(d);
  *rows = p;
  *capacity = (u32)size;
  return true;
}

/* The tree builder reserves 64 nodes a token, so the limit strikes at the first token that begins
 * with more nodes than it (node 0 is counted but is none). */
#define NODE_LIMIT_SPARE 65

/* What may be used of the allocated nodes. */
static void store_set_node_capacity(lanner_document *d) {
  u64 most = d->node_limit ? (u64)d->node_limit + NODE_LIMIT_SPARE : UINT32_MAX;
  d->node_capacity = d->node_allocated < most ? d->node_allocated : (u32)most;
}

/* The side arrays of source spans, as long as the nodes; span_capacity is what both have. */
static COLD bool store_grow_spans(lanner_document *d, u32 capacity) {
  lanner_span **both[2] = {&d->spans, &d->end_spans};
  for (u32 i = 0; i < 2; i++) {
    u32 old = d->span_allocated[i];
    if (old >= capacity) continue;
    lanner_span *rows =
        heap_resize(&d->heap, *both[i], old * sizeof *rows, capacity * sizeof *rows);
    if (!rows) return store_failed(d);
    memset(rows + old, 0, (capacity - old) * sizeof *rows);
    *both[i] = rows;
    d->span_allocated[i] = capacity;
  }
  d->span_capacity = capacity;
  return true;
}

static void store_release_spans(lanner_document *d) {
  heap_release(&d->heap, d->spans, d->span_allocated[0] * sizeof *d->spans);
  heap_release(&d->heap, d->end_spans, d->span_allocated[1] * sizeof *d->end_spans);
  d->spans = d->end_spans = NULL;
  d->span_capacity = d->span_allocated[0] = d->span_allocated[1] = 0;
}

NOINLINE bool store_grow_nodes(lanner_document *d, u32 more) {
  void *rows = d->nodes;
  if (d->node_capacity < d->node_allocated) {
    d->limits_struck |= LANNER_LIMIT_NODES;
    if (d->status == LANNER_OK) d->status = LANNER_ERROR_LIMIT;
    return false;
  }
  if (!store_grow(d, &rows, sizeof *d->nodes, d->node_count, &d->node_allocated, more, 128))
    return false;
  d->nodes = rows;
  if (d->span_capacity && !store_grow_spans(d, d->node_allocated)) return false;
  store_set_node_capacity(d);
  return d->node_capacity - d->node_count >= more || store_grow_nodes(d, more);
}

NOINLINE bool store_grow_attributes(lanner_document *d, u32 more) {
  void *rows = d->attributes;
  bool grown = store_grow(d, &rows, sizeof *d->attributes, d->attribute_count,
                          &d->attribute_capacity, more, 64);
  d->attributes = rows;
  return grown;
}

NOINLINE bool store_grow_strings(lanner_document *d, u32 more) {
  void *rows = d->strings;
  bool grown =
      store_grow(d, &rows, 1, d->strings_length, &d->strings_capacity, (u64)more + 32, 512);
  d->strings = rows;
  return grown;
}

/* --- links --- */

void store_insert_before(lanner_document *d, u32 parent, u32 child, u32 reference) {
  struct node *n = d->nodes;
  u32 prev;
  if (!reference) {
    store_append(d, parent, child);
    return;
  }
  prev = n[reference].prev;
  n[child].parent = parent;
  n[child].prev = prev;
  n[child].next = reference;
  n[reference].prev = child;
  if (prev)
    n[prev].next = child;
  else
    n[parent].first = child;
}

void store_remove(lanner_document *d, u32 child) {
  struct node *n = d->nodes;
  struct node *c = &n[child];
  if (!c->parent) return;
  if (c->prev)
    n[c->prev].next = c->next;
  else
    n[c->parent].first = c->next;
  if (c->next)
    n[c->next].prev = c->prev;
  else
    n[c->parent].last = c->prev;
  c->parent = c->prev = c->next = 0;
}

void store_move_children(lanner_document *d, u32 from, u32 to) {
  struct node *n = d->nodes;
  u32 first = n[from].first, last = n[from].last;
  if (!first) return;
  for (u32 c = first; c; c = n[c].next) n[c].parent = to;
  n[first].prev = n[to].last;
  if (n[to].last)
    n[n[to].last].next = first;
  else
    n[to].first = first;
  n[to].last = last;
  n[from].first = n[from].last = 0;
}

/* --- text --- */

/* Room of a WORD_GROWN text of this length. */
static u64 grown_room(u32 length) {
  u64 room = 32;
  while (room < length) room *= 2;
  return room;
}

/* Appends TEXT to the text node N. Neighbours in the same area are joined by making the slice
 * longer. Otherwise the text moves to the end of the string area, where it can be appended to; when
 * it has to move again it gets room to double in, so that any order of appends stays linear. */
static NOINLINE bool store_join_text(lanner_document *d, u32 id, slice text) {
  struct node *n = &d->nodes[id];
  bool string = (n->word & WORD_STRING) != 0;
  u64 length = (u64)n->b + text.length;
  if (length > UINT32_MAX) {
    d->heap.limited = true;
    return store_failed(d);
  }
  if (string == text.string && n->a + n->b == text.offset && !(n->word & WORD_GROWN)) {
    n->b = (u32)length;
    return true;
  }
  if (string && (n->word & WORD_GROWN) && length <= grown_room(n->b)) {
    memmove(d->strings + n->a + n->b, slice_bytes(d, text.offset, text.string), text.length);
    n->b = (u32)length;
    return true;
  }
  if (string && !(n->word & WORD_GROWN) && n->a + n->b == d->strings_length) {
    if (!store_reserve_strings(d, text.length)) return false;
    memcpy(d->strings + d->strings_length, slice_bytes(d, text.offset, text.string), text.length);
    d->strings_length += text.length;
    n->b = (u32)length;
    return true;
  }
  /* A text that was moved before, or that lies in the middle of the string area, gets room. */
  u64 room = string ? grown_room((u32)length) : length;
  if (room > UINT32_MAX || !store_reserve_strings(d, (u32)room)) return store_failed(d);
  u32 at = d->strings_length;
  memcpy(d->strings + at, slice_bytes(d, n->a, string), n->b);
  memcpy(d->strings + at + n->b, slice_bytes(d, text.offset, text.string), text.length);
  d->strings_length += (u32)room;
  n->a = at;
  n->b = (u32)length;
  n->word |= WORD_STRING | (string ? WORD_GROWN : 0);
  return true;
}

bool store_insert_text(lanner_document *d, u32 parent, u32 reference, slice text) {
  u32 before = reference ? d->nodes[reference].prev : d->nodes[parent].last;
  if (before && word_kind(d->nodes[before].word) == LANNER_TEXT)
    return store_join_text(d, before, text);
  u32 id = store_new_node(d, make_word(LANNER_TEXT, 0, 0) | (text.string ? WORD_STRING : 0),
                          text.offset, text.length);
  if (reference)
    store_insert_before(d, parent, id, reference);
  else
    store_append(d, parent, id);
  return true;
}

/* --- template contents, shadow roots --- */

static u32 side_slot(const side_entry *sides, u32 capacity, u32 element) {
  u32 i = element * 2654435761u & (capacity - 1);
  while (sides[i].element && sides[i].element != element) i = (i + 1) & (capacity - 1);
  return i;
}

u32 store_side(const lanner_document *d, u32 element) {
  if (!d->side_count) return 0;
  return d->sides[side_slot(d->sides, d->side_capacity, element)].fragment;
}

bool store_add_side(lanner_document *d, u32 element, u32 fragment) {
  if (2 * d->side_count >= d->side_capacity) {
    u32 capacity = d->side_capacity ? d->side_capacity * 2 : 16;
    side_entry *sides = heap_resize(&d->heap, NULL, 0, capacity * sizeof *sides);
    if (!sides) return store_failed(d);
    memset(sides, 0, capacity * sizeof *sides);
    for (u32 i = 0; i < d->side_capacity; i++)
      if (d->sides[i].element) sides[side_slot(sides, capacity, d->sides[i].element)] = d->sides[i];
    heap_release(&d->heap, d->sides, d->side_capacity * sizeof *sides);
    d->sides = sides;
    d->side_capacity = capacity;
  }
  d->sides[side_slot(d->sides, d->side_capacity, element)] = (side_entry){element, fragment};
  d->side_count++;
  d->nodes[element].word |= WORD_SIDE;
  return true;
}

/* --- names --- */

/* A hash that whoever writes the page cannot aim at: multiply-mix with a seed of this document. */
static u32 name_hash(const lanner_document *d, const byte *name, size_t length) {
  u64 h = d->name_seed ^ length;
  while (length >= 8) {
    h = (h ^ load64_little(name)) * UINT64_C(0x9E3779B97F4A7C15);
    h ^= h >> 29;
    name += 8;
    length -= 8;
  }
  u64 tail = 0;
  for (size_t i = 0; i < length; i++) tail |= (u64)name[i] << (8 * i);
  h = (h ^ tail) * UINT64_C(0xBF58476D1CE4E5B9);
  h ^= h >> 32;
  h *= d->name_seed | 1;
  return (u32)(h >> 32);
}

/* The table of names has groups of eight slots: eight bytes that tell seven bits of the hash of each
 * (0: free), then eight indices. The bytes are one word to look at, no name is touched but the one
 * that is looked for, and a new one is written where was read: with a million names each place is
 * a cache miss. */
enum { NAME_GROUP = 8, NAME_GROUP_SIZE = NAME_GROUP * NAME_SLOT_SIZE };
#define NAME_TAG_BITS UINT64_C(0x8080808080808080)
#define NAME_TAG_ONES UINT64_C(0x0101010101010101)

static byte name_tag(u32 hash) { return (byte)(hash >> 24 | 0x80); }
static u32 name_group(const lanner_document *d, u32 hash) {
  return hash & (d->name_slot_count / NAME_GROUP - 1);
}
static u32 next_group(const lanner_document *d, u32 group) { return name_group(d, group + 1); }
static byte *group_tags(const lanner_document *d, u32 group) {
  return d->name_slots + (size_t)group * NAME_GROUP_SIZE;
}
static u32 *group_indices(byte *tags) { return (u32 *)(void *)(tags + NAME_GROUP); }
/* The first free slot of a group has the name INDEX now; WORD are its tags. */
static void take_slot(byte *tags, u64 word, u32 hash, u32 index) {
  u32 slot = lowest_bit(~word & NAME_TAG_BITS) / 8;
  tags[slot] = name_tag(hash);
  group_indices(tags)[slot] = index;
}

static bool store_grow_slots(lanner_document *d) {
  u32 old = d->name_slot_count, count = old ? old * 2 : 64;
  byte *slots = heap_resize(&d->heap, NULL, 0, count * NAME_SLOT_SIZE);
  if (!slots) return store_failed(d);
  memset(slots, 0, count * NAME_SLOT_SIZE);
  heap_release(&d->heap, d->name_slots, old * NAME_SLOT_SIZE);
  d->name_slots = slots;
  d->name_slot_count = count;
  for (u32 i = 0; i < d->name_count; i++) {
    u32 group = name_group(d, d->names[i].hash);
    byte *tags = group_tags(d, group);
    while (!(~load64_little(tags) & NAME_TAG_BITS))
      tags = group_tags(d, group = next_group(d, group));
    take_slot(tags, load64_little(tags), d->names[i].hash, i);
  }
  return true;
}

u32 store_intern(lanner_document *d, const byte *name, size_t length) {
  u32 hash = name_hash(d, name, length);
  if ((u64)d->name_count * 4 >= (u64)d->name_slot_count * 3) {
    if (d->name_count >= NAME_MAX_ID - KNOWN_NAMES) {
      d->heap.limited = true;
      store_failed(d);
      return 0;
    }
    if (!store_grow_slots(d)) return 0;
  }
  u64 tag = name_tag(hash) * NAME_TAG_ONES, word;
  u32 group = name_group(d, hash);
  byte *tags;
  for (;; group = next_group(d, group)) {
    tags = group_tags(d, group);
    word = load64_little(tags);
    /* Bytes of WORD that are the tag, and perhaps one above such a byte. */
    u64 other = word ^ tag, found = (other - NAME_TAG_ONES) & ~other & NAME_TAG_BITS;
    for (; found; found &= found - 1) {
      u32 index = group_indices(tags)[lowest_bit(found) / 8];
      const name_entry *e = &d->names[index];
      if (e->hash == hash && e->length == length &&
          memcmp(d->strings + e->offset, name, length) == 0)
        return index + KNOWN_NAMES;
    }
    if (LIKELY(~word & NAME_TAG_BITS)) break;
  }
  if (d->name_count == d->name_capacity) {
    void *rows = d->names;
    if (!store_grow(d, &rows, sizeof *d->names, d->name_count, &d->name_capacity, 1, 16)) return 0;
    d->names = rows;
  }
  /* The name may lie in the string area already, which may move. */
  bool inside = d->strings && name >= d->strings && name < d->strings + d->strings_capacity;
  size_t at = inside ? (size_t)(name - d->strings) : 0;
  if (!store_reserve_strings(d, (u32)length)) return 0;
  memmove(d->strings + d->strings_length, inside ? d->strings + at : name, length);
  d->names[d->name_count] =
      (name_entry){.offset = d->strings_length, .length = (u32)length, .hash = hash};
  d->strings_length += (u32)length;
  take_slot(tags, word, hash, d->name_count);
  return d->name_count++ + KNOWN_NAMES;
}

INLINE lanner_string store_known_name(u32 id) {
  return (lanner_string){KNOWN_NAME_AT(id), KNOWN_NAME_LENGTH(id)};
}

lanner_string store_name(const lanner_document *d, u32 id) {
  if (id < KNOWN_NAMES) return store_known_name(id);
  id -= KNOWN_NAMES;
  if (id >= d->name_count) return (lanner_string){"", 0};
  return (lanner_string){(const char *)d->strings + d->names[id].offset, d->names[id].length};
}
