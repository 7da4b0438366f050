/* patching.h - <template for=...> (13.2.6.4.4 as of 2026): finding the markers that a template
 * patches, without searching the tree. Compiled once; ops_document.h has the steps of the start
 * and the end tag, stack.h tells when an element that holds markers closes.
 *
 * Markers are noted in the order in which they come, and grouped by level: the position on the
 * stack of the innermost open element that they are in. Levels only sink when elements close, so
 * they rise with the markers' numbers, and the descendants of the current node are the markers
 * from some number on. The first of a name among them is found by jump pointers.
 *
 * Where that reasoning does not hold (elements moved by the adoption agency or by the user, foster
 * parents) the tree is searched instead, for as long as the search is in proportion to the tree.
 */
#ifndef LANNER_TREE_PATCHING_H
#define LANNER_TREE_PATCHING_H

#include "tree/formatting.h"

struct mark {
  u32 id;         /* the processing instruction */
  bool gone;      /* it is not in the tree any more */
  u32 name;       /* interned value of its name="..." */
  u32 prev, next; /* marks of this name; 0: none. next may skip marks that are gone */
  u32 jump, rank; /* a mark of this name further back; number of marks of it before */
};
struct level {
  u32 position, first; /* marks from FIRST on are in the element at POSITION, or above */
};
struct mark_slot {
  u32 name, last;
};
struct patching {
  struct mark *marks; /* from 1 */
  u32 count, capacity;
  struct level *levels;
  u32 level_count, level_capacity;
  struct mark_slot *slots;
  u32 slot_count, names;
  bool unreliable; /* levels are not what they seem */
  bool reordered;  /* a patch brought markers: tree order is not the order of numbers */
  u64 searched;    /* nodes looked at in searches of the tree */
};

static bool patching_grow(struct heap *heap, void **rows, size_t row, u32 *capacity) {
  u32 size = *capacity ? *capacity * 2 : 16;
  void *p = heap_resize(heap, *rows, *capacity * row, size * row);
  if (!p) return false;
  *rows = p;
  *capacity = size;
  return true;
}

/* --- markers --- */
static bool target_is(const lanner_document *d, u32 id, const char *name) {
  lanner_string s = store_name(d, word_name(d->nodes[id].word));
  return s.length == strlen(name) && memcmp(s.data, name, s.length) == 0;
}
static bool is_pi(const lanner_document *d, u32 id) {
  return word_kind(d->nodes[id].word) == LANNER_PROCESSING_INSTRUCTION;
}
static bool is_marker(const lanner_document *d, u32 id) {
  return is_pi(d, id) && (target_is(d, id, "marker") || target_is(d, id, "start"));
}

/* The value of the pseudo-attribute "name" of a processing instruction; empty: none. */
static slice marker_name(const lanner_document *d, u32 id) {
  const attribute *a = &d->attributes[d->nodes[id].a];
  const byte *data = value_bytes(d, a);
  slice none = {0, 0, false};
  u32 i = 0, end = a->length;
  for (;;) {
    while (i < end && is_tree_space(data[i])) i++;
    u32 name = i;
    while (i < end && data[i] != '=' && !is_tree_space(data[i])) i++;
    u32 length = i - name;
    while (i < end && is_tree_space(data[i])) i++;
    if (i == end || data[i] != '=') return none;
    i++;
    while (i < end && is_tree_space(data[i])) i++;
    if (i == end || (data[i] != '"' && data[i] != '\'')) return none;
    byte quote = data[i++];
    u32 value = i;
    while (i < end && data[i] != quote) i++;
    if (i == end) return none;
    if (length == 4 && memcmp(data + name, "name", 4) == 0)
      return (slice){a->value + value, i - value, (a->name & ATTRIBUTE_STRING) != 0};
    i++;
  }
}

/* --- the last mark of a name --- */
static u32 *last_mark(struct patching *p, u32 name) {
  u32 mask = p->slot_count - 1, i = name * 2654435761u >> 9 & mask;
  while (p->slots[i].name && p->slots[i].name != name) i = (i + 1) & mask;
  if (!p->slots[i].name) {
    p->slots[i] = (struct mark_slot){name, 0};
    p->names++;
  }
  return &p->slots[i].last;
}
static bool grow_mark_slots(struct heap *heap, struct patching *p) {
  struct mark_slot *old = p->slots;
  u32 count = p->slot_count;
  size_t size = (count ? 2 * (size_t)count : 32) * sizeof *old;
  struct mark_slot *slots = heap_resize(heap, NULL, 0, size);
  if (!slots) return false;
  memset(slots, 0, size);
  p->slots = slots;
  p->slot_count = (u32)(size / sizeof *old);
  p->names = 0;
  for (u32 i = 0; i < count; i++)
    if (old[i].name) *last_mark(p, old[i].name) = old[i].last;
  heap_release(heap, old, count * sizeof *old);
  return true;
}

/* --- memory --- */
static void patching_reset(struct patching *p) {
  p->count = p->level_count = p->names = 0;
  p->unreliable = p->reordered = false;
  p->searched = 0;
  if (p->slot_count) memset(p->slots, 0, p->slot_count * sizeof *p->slots);
}
static COLD void patching_release(struct heap *heap, struct patching *p) {
  if (!p) return;
  heap_release(heap, p->marks, p->capacity * sizeof *p->marks);
  heap_release(heap, p->levels, p->level_capacity * sizeof *p->levels);
  heap_release(heap, p->slots, p->slot_count * sizeof *p->slots);
  heap_release(heap, p, sizeof *p);
}
static bool patching_ready(struct tree *T, lanner_document *d) {
  struct heap *heap = &d->heap;
  struct patching *p = T->patching;
  if (!p) {
    p = heap_resize(heap, NULL, 0, sizeof *p);
    if (!p) return false;
    memset(p, 0, sizeof *p);
    T->patching = p;
    T->marked = false;
  }
  if (!T->marked) patching_reset(p);
  T->marked = true;
  void *marks = p->marks, *levels = p->levels;
  bool fine = p->count + 1 < p->capacity || patching_grow(heap, &marks, sizeof *p->marks, &p->capacity);
  p->marks = marks;
  fine = fine && (p->level_count < p->level_capacity ||
                  patching_grow(heap, &levels, sizeof *p->levels, &p->level_capacity));
  p->levels = levels;
  return fine && (2 * p->names < p->slot_count || grow_mark_slots(heap, p));
}

/* A processing instruction was inserted into the current node, or not quite: then USUAL is false. */
static COLD void note_marker(struct tree *T, lanner_document *d, u32 id, bool usual) {
  if (!is_marker(d, id)) return;
  slice s = marker_name(d, id);
  if (s.length == 0) return;
  u32 name = store_intern(d, slice_bytes(d, s.offset, s.string), s.length);
  if (!name || !patching_ready(T, d)) { /* memory: what is noted is not all */
    if (T->marked) T->patching->unreliable = true;
    return;
  }
  struct patching *p = T->patching;
  u32 index = ++p->count, *last = last_mark(p, name);
  struct mark *m = &p->marks[index];
  *m = (struct mark){.id = id, .name = name, .prev = *last};
  if (*last) {
    const struct mark *before = &p->marks[*last], *jump = &p->marks[before->jump];
    m->rank = before->rank + 1;
    m->jump = before->jump && before->rank - jump->rank == jump->rank - p->marks[jump->jump].rank
                  ? jump->jump
                  : *last;
    p->marks[*last].next = index;
  }
  *last = index;
  if (!p->level_count || p->levels[p->level_count - 1].position < T->top)
    p->levels[p->level_count++] = (struct level){T->top, index};
  T->watch = T->top;
  if (!usual || T->top > T->depth_top) p->unreliable = true;
  if (T->patch_count) p->reordered = true;
}

/* The element at POSITION, which holds markers, was popped. Those in a template's contents are out
 * of reach, others are in the element below now. */
static COLD void level_closed(struct tree *T, const lanner_document *d, u32 position) {
  struct patching *p = T->patching;
  struct level *level = &p->levels[p->level_count - 1];
  const struct open_element *e = &T->stack[position];
  if ((e->word & (ENTRY_IDENTITY | ENTRY_PATCH)) == TAG_TEMPLATE) {
    for (; p->count >= level->first; p->count--) {
      struct mark *m = &p->marks[p->count];
      *last_mark(p, m->name) = m->prev;
      if (m->prev) p->marks[m->prev].next = 0;
    }
    p->level_count--;
  } else {
    if (!(e->word & ENTRY_PATCH) && d->nodes[e->node].parent != T->stack[T->top].node)
      p->unreliable = true;
    level->position = T->top;
    if (p->level_count > 1 && level[-1].position == T->top) p->level_count--;
  }
  T->watch = p->level_count ? p->levels[p->level_count - 1].position : 0;
}
/* An element that may hold markers left the stack from the middle. */
static COLD void levels_moved(struct tree *T) { T->patching->unreliable = true; }

/* --- finding --- */

/* The first marker in tree order, by looking at all nodes; 0: none, or the search would be out of
 * proportion. */
static u32 search_marker(struct patching *p, const lanner_document *d, u32 scope, u32 name,
                         bool *given_up) {
  u64 most = 64 * ((u64)d->node_count + 4096);
  lanner_string wanted = store_name(d, name);
  u32 id = scope;
  while (p->searched < most) {
    const struct node *n = &d->nodes[id];
    p->searched++;
    if (id != scope && is_marker(d, id)) {
      slice s = marker_name(d, id);
      if (s.length == wanted.length &&
          memcmp(slice_bytes(d, s.offset, s.string), wanted.data, s.length) == 0)
        return id;
    }
    if (n->first) {
      id = n->first;
      continue;
    }
    while (id != scope && !d->nodes[id].next) id = d->nodes[id].parent;
    if (id == scope) return 0;
    id = d->nodes[id].next;
  }
  *given_up = true;
  return 0;
}

/* The first mark of a name from number FIRST on; 0: none. */
static u32 first_mark(struct patching *p, u32 name, u32 first) {
  struct mark *marks = p->marks;
  u32 i = *last_mark(p, name);
  if (i < first) return 0;
  for (;;) {
    if (marks[i].jump >= first) i = marks[i].jump;
    else if (marks[i].prev >= first) i = marks[i].prev;
    else break;
  }
  while (i && marks[i].gone) {
    u32 next = marks[i].next;
    if (next && marks[next].gone && marks[next].next) marks[i].next = marks[next].next;
    i = marks[i].next;
  }
  return i;
}

/* "Find markers": the first one named NAME inside SCOPE, which is the current node, or with WHOLE
 * the root of all. */
static COLD u32 find_marker(struct tree *T, lanner_document *d, u32 scope, bool whole, u32 name) {
  struct patching *p = T->patching;
  bool given_up = false;
  if (!T->marked || !name) return 0;
  if (2 * p->names >= p->slot_count && !grow_mark_slots(&d->heap, p)) return 0;
  u32 first = p->count + 1;
  if (whole) first = 1;
  else if (p->level_count && p->levels[p->level_count - 1].position == T->top)
    first = p->levels[p->level_count - 1].first;
  u32 index = first_mark(p, name, first);
  bool search = p->unreliable || d->edited || T->stack[T->top].word == TAG_HEAD;
  if (index && p->reordered && p->marks[index].next) search = true;
  if (search) {
    u32 id = search_marker(p, d, scope, name, &given_up);
    if (!given_up) return id;
  }
  return index ? p->marks[index].id : 0;
}

/* A marker leaves the tree. */
static void forget_marker(struct tree *T, const lanner_document *d, u32 id) {
  struct patching *p = T->patching;
  u32 low = 1, high = p->count + 1;
  if (!is_marker(d, id)) return;
  while (low < high) { /* numbers rise with node ids */
    u32 middle = low + (high - low) / 2;
    if (p->marks[middle].id < id) low = middle + 1;
    else high = middle;
  }
  if (low <= p->count && p->marks[low].id == id) p->marks[low].gone = true;
}

/* Removes a node of a patched range, and forgets the markers in it. */
static void remove_patched(struct tree *T, lanner_document *d, u32 root) {
  u32 id = root;
  for (;;) {
    if (is_pi(d, id)) forget_marker(T, d, id);
    if (d->nodes[id].first) {
      id = d->nodes[id].first;
      continue;
    }
    while (id != root && !d->nodes[id].next) id = d->nodes[id].parent;
    if (id == root) break;
    id = d->nodes[id].next;
  }
  store_remove(d, root);
}

/* The end of the range that START begins; 0: it reaches to the end of its parent. */
static u32 range_end(const lanner_document *d, u32 start) {
  u32 depth = 0;
  for (u32 id = d->nodes[start].next; id; id = d->nodes[id].next) {
    if (!is_pi(d, id)) continue;
    if (target_is(d, id, "start")) depth++;
    else if (target_is(d, id, "end") && depth-- == 0) return id;
  }
  return 0;
}

#endif
