/* patching.h - <template for=...> (13.2.6.4.4 as of 2026): finding the markers that a template
 * patches, without searching the tree. Compiled once; the operations headers call it, look.h asks the
 * tree, whosever it is, stack.h tells when an element that holds markers closes.
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

#include "tree/look.h"

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
/* A hash table from a number that is not 0 to another one. */
struct mark_slot {
  u32 key, value;
};
struct mark_slots {
  struct mark_slot *slots;
  u32 count, used;
};
struct patching {
  struct mark *marks; /* from 1 */
  u32 count, capacity;
  struct level *levels;
  u32 level_count, level_capacity;
  struct mark_slots names; /* the last mark of a name */
  struct mark_slots ids;   /* a foreign tree's: the mark of a node */
  bool unreliable;         /* levels are not what they seem */
  bool reordered;          /* a patch brought markers: tree order is not the order of numbers */
  u64 searched;            /* nodes looked at in searches of the tree, long data more than once */
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
static bool string_is(lanner_string s, const char *word) {
  return s.length == strlen(word) && memcmp(s.data, word, s.length) == 0;
}
static bool target_is(const lanner_document *d, u32 id, const char *name) {
  lanner_string target, data;
  return look_pi(d, id, &target, &data) && string_is(target, name);
}
static bool names_marker(lanner_string target) {
  return string_is(target, "marker") || string_is(target, "start");
}

/* The value of the pseudo-attribute "name" in the data of a processing instruction; empty: none. */
static lanner_string marker_name(lanner_string pi) {
  const lanner_string none = {"", 0};
  const byte *data = (const byte *)pi.data;
  size_t i = 0, end = pi.length;
  for (;;) {
    while (i < end && is_tree_space(data[i])) i++;
    size_t name = i;
    while (i < end && data[i] != '=' && !is_tree_space(data[i])) i++;
    size_t length = i - name;
    while (i < end && is_tree_space(data[i])) i++;
    if (i == end || data[i] != '=') return none;
    i++;
    while (i < end && is_tree_space(data[i])) i++;
    if (i == end || (data[i] != '"' && data[i] != '\'')) return none;
    byte quote = data[i++];
    size_t value = i;
    while (i < end && data[i] != quote) i++;
    if (i == end) return none;
    if (length == 4 && memcmp(data + name, "name", 4) == 0)
      return (lanner_string){pi.data + value, i - value};
    i++;
  }
}

/* --- hash tables --- */
static struct mark_slot *slot_at(const struct mark_slots *s, u32 key) {
  u32 mask = s->count - 1, i = key * 2654435761u >> 9 & mask;
  while (s->slots[i].key && s->slots[i].key != key) i = (i + 1) & mask;
  return &s->slots[i];
}
/* The value of KEY, 0 at first; there is room for one more. */
static u32 *slot_of(struct mark_slots *s, u32 key) {
  struct mark_slot *slot = slot_at(s, key);
  if (!slot->key) {
    *slot = (struct mark_slot){key, 0};
    s->used++;
  }
  return &slot->value;
}
static u32 slot_value(const struct mark_slots *s, u32 key) {
  return s->count ? slot_at(s, key)->value : 0;
}
static bool slots_ready(struct heap *heap, struct mark_slots *s) {
  struct mark_slot *old = s->slots;
  u32 count = s->count;
  if (2 * s->used < count) return true;
  size_t size = (count ? 2 * (size_t)count : 32) * sizeof *old;
  struct mark_slot *slots = heap_resize(heap, NULL, 0, size);
  if (!slots) return false;
  memset(slots, 0, size);
  s->slots = slots;
  s->count = (u32)(size / sizeof *old);
  s->used = 0;
  for (u32 i = 0; i < count; i++)
    if (old[i].key) *slot_of(s, old[i].key) = old[i].value;
  heap_release(heap, old, count * sizeof *old);
  return true;
}
static void slots_clear(struct heap *heap, struct mark_slots *s) {
  if (store_is_sparse(s->used, s->count)) {
    heap_release(heap, s->slots, s->count * sizeof *s->slots);
    s->slots = NULL;
    s->count = 0;
  } else if (s->count) {
    memset(s->slots, 0, s->count * sizeof *s->slots);
  }
  s->used = 0;
}

/* --- memory --- */
static void patching_reset(struct heap *heap, struct patching *p) {
  p->count = p->level_count = 0;
  p->unreliable = p->reordered = false;
  p->searched = 0;
  slots_clear(heap, &p->names);
  slots_clear(heap, &p->ids);
}
static COLD void patching_release(struct heap *heap, struct patching *p) {
  if (!p) return;
  heap_release(heap, p->marks, p->capacity * sizeof *p->marks);
  heap_release(heap, p->levels, p->level_capacity * sizeof *p->levels);
  heap_release(heap, p->names.slots, p->names.count * sizeof *p->names.slots);
  heap_release(heap, p->ids.slots, p->ids.count * sizeof *p->ids.slots);
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
  if (!T->marked) patching_reset(heap, p);
  T->marked = true;
  void *marks = p->marks, *levels = p->levels;
  bool fine =
      p->count + 1 < p->capacity || patching_grow(heap, &marks, sizeof *p->marks, &p->capacity);
  p->marks = marks;
  fine = fine && (p->level_count < p->level_capacity ||
                  patching_grow(heap, &levels, sizeof *p->levels, &p->level_capacity));
  p->levels = levels;
  return fine && slots_ready(heap, &p->names) && (!d->table || slots_ready(heap, &p->ids));
}

/* The processing instruction in hand, node ID, was inserted into the current node, or not quite: then
 * USUAL is false. */
static COLD void note_marker(struct parser *P, u32 id, bool usual) {
  struct tree *T = P->tree;
  lanner_document *d = P->document;
  slice data = P->token.data;
  if (!names_marker(store_name(d, P->token.name))) return;
  lanner_string s = marker_name(
      (lanner_string){(const char *)slice_bytes(d, data.offset, data.string), data.length});
  if (s.length == 0) return;
  u32 name = store_intern(d, (const byte *)s.data, s.length);
  if (!name || !patching_ready(T, d)) { /* memory: what is noted is not all */
    if (T->marked) T->patching->unreliable = true;
    return;
  }
  struct patching *p = T->patching;
  u32 index = ++p->count, *last = slot_of(&p->names, name);
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
  if (d->table) *slot_of(&p->ids, id) = index;
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
      *slot_of(&p->names, m->name) = m->prev;
      if (m->prev) p->marks[m->prev].next = 0;
    }
    p->level_count--;
  } else {
    if (!(e->word & ENTRY_PATCH) && look_parent(d, e->node) != T->stack[T->top].node)
      p->unreliable = true;
    level->position = T->top;
    if (p->level_count > 1 && level[-1].position == T->top) p->level_count--;
  }
  T->watch = p->level_count ? p->levels[p->level_count - 1].position : 0;
}
/* An element that may hold markers left the stack from the middle. */
static COLD void levels_moved(struct tree *T) { T->patching->unreliable = true; }

/* --- finding --- */

/* The node after ID in tree order inside ROOT's subtree, 0 at the end; DOWN: children come next. */
static u32 node_behind(const lanner_document *d, u32 id, u32 root, bool down) {
  u32 next = down ? look_first(d, id) : 0;
  while (!next && id && id != root) {
    next = look_next(d, id);
    if (!next) id = look_parent(d, id);
  }
  return next;
}

/* The first marker in tree order, by looking at all nodes; 0: none, or the search would be out of
 * proportion. */
static u32 search_marker(struct patching *p, const lanner_document *d, u32 scope, u32 name,
                         bool *given_up) {
  u64 most = 64 * ((u64)look_count(d) + 4096);
  lanner_string wanted = store_name(d, name);
  u32 id = scope;
  while (p->searched < most) {
    lanner_string target, data;
    p->searched++;
    if (id != scope && look_pi(d, id, &target, &data) && names_marker(target)) {
      lanner_string s = marker_name(data);
      p->searched += data.length / 16;
      if (s.length == wanted.length && memcmp(s.data, wanted.data, s.length) == 0) return id;
    }
    id = node_behind(d, id, scope, true);
    if (!id) return 0;
  }
  *given_up = true;
  return 0;
}

/* The first mark of a name from number FIRST on; 0: none. */
static u32 first_mark(struct patching *p, u32 name, u32 first) {
  struct mark *marks = p->marks;
  u32 i = *slot_of(&p->names, name);
  if (i < first) return 0;
  for (;;) {
    if (marks[i].jump >= first)
      i = marks[i].jump;
    else if (marks[i].prev >= first)
      i = marks[i].prev;
    else
      break;
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
  if (!slots_ready(&d->heap, &p->names)) return 0;
  u32 first = p->count + 1;
  if (whole)
    first = 1;
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

/* A node leaves the tree: if it is a marker, it is none any more. */
static void forget_marker(struct tree *T, const lanner_document *d, u32 id) {
  struct patching *p = T->patching;
  u32 low = 1, high = p->count + 1;
  if (d->table) {
    low = slot_value(&p->ids, id);
  } else {
    while (low < high) { /* numbers rise with node ids */
      u32 middle = low + (high - low) / 2;
      if (p->marks[middle].id < id)
        low = middle + 1;
      else
        high = middle;
    }
  }
  if (low && low <= p->count && p->marks[low].id == id) p->marks[low].gone = true;
}

/* Removes a node of a patched range, and forgets the markers in it. */
static void remove_patched(struct tree *T, lanner_document *d, u32 root) {
  lanner_string target, data;
  for (u32 id = root; id; id = node_behind(d, id, root, true))
    if (look_pi(d, id, &target, &data) && names_marker(target)) forget_marker(T, d, id);
  look_remove(d, root);
}

/* The end of the range that START begins; 0: it reaches to the end of its parent. */
static u32 range_end(const lanner_document *d, u32 start) {
  u32 depth = 0;
  for (u32 id = look_next(d, start); id; id = look_next(d, id)) {
    lanner_string target, data;
    if (!look_pi(d, id, &target, &data)) continue;
    if (string_is(target, "start"))
      depth++;
    else if (string_is(target, "end") && depth-- == 0)
      return id;
  }
  return 0;
}

/* --- the template --- */

/* Where children of the patching template at POSITION go. */
static COLD void place_in_patch(struct parser *P, u32 position, u32 *parent, u32 *reference) {
  const struct tree *T = P->tree;
  const struct patch *patch = &T->patches[T->patch_count - 1];
  while (patch->position != position) patch--;
  *parent = T->stack[position].node;
  if (patch->end && look_parent(P->document, patch->end) == *parent) *reference = patch->end;
}

/* "Prepare content patching" for the template tag in hand, whose place is inside SCOPE (IN_BODY:
 * which is the body element); false: it is an ordinary one. */
static COLD bool begin_patch(struct parser *P, u32 scope, bool in_body) {
  struct tree *T = P->tree;
  lanner_document *d = P->document;
  const attribute *a = token_attribute(P, ATTR_FOR);
  if (!a || a->length == 0 || !T->marked || (current_entry(T)->word & ENTRY_PATCH)) return false;
  u32 name = store_intern(d, value_bytes(d, a), a->length);
  if (in_body) scope = look_parent(d, scope);
  u32 start = scope ? find_marker(T, d, scope, in_body || T->top == 1, name) : 0, end = start;
  if (!start) return false;
  if (T->patch_count == T->patch_capacity) {
    void *patches = T->patches;
    bool grown = patching_grow(&d->heap, &patches, sizeof *T->patches, &T->patch_capacity);
    T->patches = patches;
    if (!grown) {
      stop_for_memory(P);
      return false;
    }
  }
  if (target_is(d, start, "start")) {
    end = range_end(d, start);
    for (u32 id; (id = look_next(d, start)) != 0 && id != end;) remove_patched(T, d, id);
  }
  u32 parent = look_parent(d, start);
  if (!parent) return false; /* a foreign tree failed, or does not agree with itself */
  stack_push(T, d, parent, TAG_TEMPLATE | ENTRY_PATCH, category_of(TAG_TEMPLATE));
  T->patches[T->patch_count++] = (struct patch){T->top, start, end};
  T->room = 0; /* pushed without a new node */
  return true;
}

/* The last template on the stack closes. */
static COLD void end_patch(struct parser *P) {
  struct tree *T = P->tree;
  lanner_document *d = P->document;
  if (!(T->stack[T->last[0][TAG_TEMPLATE]].word & ENTRY_PATCH)) return;
  struct patch patch = T->patches[--T->patch_count];
  forget_marker(T, d, patch.start);
  look_remove(d, patch.start);
  if (patch.end && patch.end != patch.start) look_remove(d, patch.end);
}

#endif
