/* stack.h - the stack of open elements (13.2.4.2): push, pop, removal from the middle, and the
 * questions about it, none of which walks it. Compiled once. What the fields of an entry mean
 * stands in builder.h; formatting.h comes next, tree/insert.h calls all of this.
 *
 * Values that went stale (the entry they point to is a hole by now, or another kind of element)
 * are followed with path halving, so that any sequence of operations costs little more than its
 * length.
 */
#ifndef LANNER_TREE_STACK_H
#define LANNER_TREE_STACK_H

#include "tree/builder.h"
#include "tree_tables.inc" /* generated: tag_class, the tables of rules */

#define NO_DEPTH_LIMIT 0xF0000000u

INLINE u32 tag_class_of(u32 name) { return name < ELEMENT_NAMES ? tag_class[name] : 0; }
INLINE u32 category_of(u32 name) { return name < ELEMENT_NAMES ? element_category[name] : 0; }

INLINE bool is_foreign(u32 word) { return (word & WORD_NAMESPACE) != 0; }
INLINE u32 identity(u32 space, u32 name) { return space << WORD_NAMESPACE_SHIFT | name; }

INLINE struct open_element *current_entry(struct tree *T) { return &T->stack[T->top]; }
INLINE u32 current_node(const struct tree *T) { return T->stack[T->top].node; }
INLINE bool current_is(const struct tree *T, u32 name) {
  return (T->stack[T->top].word & ENTRY_IDENTITY) == name;
}
/* Categories of the current node; none for foreign elements. */
INLINE u32 current_category(const struct tree *T) {
  u32 word = T->stack[T->top].word & ENTRY_IDENTITY;
  return word < ELEMENT_NAMES ? element_category[word] : 0;
}

/* The last position of the elements named as WORD says. */
INLINE u32 *last_position(struct tree *T, lanner_document *d, u32 word) {
  u32 name = word & WORD_NAME;
  bool foreign = is_foreign(word);
  if (LIKELY(name < ELEMENT_NAMES)) return &T->last[foreign][name];
  return &d->names[name - KNOWN_NAMES].last[foreign];
}

/* "Has an element in the specific scope" for HTML elements of known names; 0 is no position. The
 * element may be a boundary itself; html at the latest is one, so that scope is not 0. */
INLINE bool is_open(const struct tree *T, u32 name) { return T->last[0][name] != 0; }
INLINE bool in_scope(const struct tree *T, u32 name) {
  return T->last[0][name] >= T->stack[T->top].scope;
}
INLINE bool in_button_scope(const struct tree *T, u32 name) {
  return in_scope(T, name) && T->last[0][name] > T->last[0][TAG_BUTTON];
}
INLINE bool in_list_item_scope(const struct tree *T, u32 name) {
  return in_scope(T, name) && T->last[0][name] > T->last[0][TAG_OL] &&
         T->last[0][name] > T->last[0][TAG_UL];
}
INLINE bool in_table_scope(const struct tree *T, u32 name) {
  return T->last[0][name] != 0 && T->last[0][name] >= T->last[0][TAG_TABLE] &&
         T->last[0][name] >= T->last[0][TAG_TEMPLATE];
}

/* Position of the last special element at or below POSITION. */
INLINE u32 last_special(struct tree *T, u32 position) {
  struct open_element *stack = T->stack;
  for (;;) {
    u32 s = stack[position].special;
    u32 t = stack[s].special;
    if (LIKELY(s == t)) return s;
    stack[position].special = t;
    position = s;
  }
}

/* Position of the last special element at or below POSITION that is not address, div or p. Those on
 * the way will know it. */
static u32 last_stop(struct tree *T, u32 position) {
  struct open_element *stack = T->stack;
  u32 first = last_special(T, position), stop = first;
  while (!is_foreign(stack[stop].word) && stack[stop].link != stop)
    stop = last_special(T, stack[stop].link);
  for (u32 next; first != stop; first = next) {
    next = last_special(T, stack[first].link);
    stack[first].link = stop;
  }
  return stop;
}

/* Position of the last HTML element at or below POSITION. */
static u32 last_html(struct tree *T, u32 position) {
  struct open_element *stack = T->stack;
  while (is_foreign(stack[position].word)) {
    u32 s = stack[position].link;
    if (is_foreign(stack[s].word)) stack[position].link = stack[s].link;
    position = stack[position].link;
  }
  return position;
}

/* Position of the element right below POSITION. */
INLINE u32 element_below(struct tree *T, u32 position) {
  struct open_element *stack = T->stack;
  u32 p = position - 1;
  while (UNLIKELY(stack[p].node == 0)) {
    u32 q = stack[p].prev_same;
    if (stack[q].node == 0) stack[p].prev_same = stack[q].prev_same;
    p = stack[p].prev_same;
  }
  return p;
}

/* Computes special, scope and link of the entry at POSITION from the entry below. */
INLINE void accumulate(struct tree *T, u32 position, u32 category) {
  struct open_element *e = &T->stack[position];
  const struct open_element *below = e - 1;
  u32 special = below->special;
  u32 scope = below->scope;
  if (category & CATEGORY_SPECIAL) {
    u32 s = last_special(T, position - 1);
    T->stack[s].format = position;
    special = position;
    e->link = position;
    if (category & CATEGORY_PASSED) e->link = s;
    if (category & CATEGORY_SCOPE) scope = position;
  }
  if (is_foreign(e->word)) e->link = is_foreign(below->word) ? below->link : position - 1;
  e->special = special;
  e->scope = scope;
}

/* Pushes; room was reserved. */
INLINE void stack_push(struct tree *T, lanner_document *d, u32 id, u32 word, u32 category) {
  u32 position = ++T->top;
  HAS_ROOM(position, T->capacity);
  struct open_element *e = &T->stack[position];
  u32 *last = last_position(T, d, word & ENTRY_IDENTITY);
  e->node = id;
  e->word = word;
  e->prev_same = *last;
  T->stack[*last].next_same = position;
  e->format = 0;
  *last = position;
  accumulate(T, position, category);
}

/* The same for an HTML element above another HTML element. */
INLINE void stack_push_html(struct tree *T, lanner_document *d, u32 id, u32 name) {
  u32 position = ++T->top, category = category_of(name);
  HAS_ROOM(position, T->capacity);
  struct open_element *stack = T->stack, *e = &stack[position];
  u32 *last =
      LIKELY(name < ELEMENT_NAMES) ? &T->last[0][name] : &d->names[name - KNOWN_NAMES].last[0];
  e->node = id;
  e->word = name;
  e->prev_same = *last;
  e->format = 0;
  stack[*last].next_same = position;
  *last = position;
  e->scope = e[-1].scope;
  e->special = e[-1].special;
  if (category & CATEGORY_SPECIAL) {
    u32 s = last_special(T, position - 1);
    stack[s].format = position;
    e->special = position;
    e->link = category & CATEGORY_PASSED ? s : position;
    if (UNLIKELY(category & CATEGORY_SCOPE)) e->scope = position;
  }
}

/* Elements with markers for template patching in them close or move; see patching.h. */
static void level_closed(struct tree *T, const lanner_document *d, u32 position);
static void levels_moved(struct tree *T);

static void count_holes(struct tree *T, int more) {
  T->holes += (u32)more;
  T->depth_top += (u32)more;
  if (!T->foster) T->usual_top = T->depth_top;
}
INLINE void set_foster_parenting(struct tree *T, bool enabled) {
  T->foster = enabled;
  T->usual_top = enabled ? 0 : T->depth_top;
}

static COLD void trim_holes(struct tree *T) {
  while (T->stack[T->top].node == 0) {
    T->top--;
    count_holes(T, -1);
  }
}

/* Pops the current node. */
INLINE void stack_pop(struct tree *T, lanner_document *d) {
  u32 position = T->top;
  struct open_element *e = &T->stack[position];
  *last_position(T, d, e->word) = e->prev_same;
  if (e->format && e->special != position) T->formats[e->format].position = 0;
  T->top = position - 1;
  if (UNLIKELY(e[-1].node == 0)) trim_holes(T);
  if (UNLIKELY(position == T->watch)) level_closed(T, d, position);
}

/* Takes the entry at POSITION out of the chain of its name. */
static void unlink_same(struct tree *T, lanner_document *d, u32 position) {
  struct open_element *e = &T->stack[position];
  u32 *last = last_position(T, d, e->word);
  if (*last == position) {
    *last = e->prev_same;
  } else {
    T->stack[e->next_same].prev_same = e->prev_same;
    T->stack[e->prev_same].next_same = e->next_same;
  }
}

/* Turns the entry at POSITION, which is out of its chain, into a hole. */
static void make_hole(struct tree *T, u32 position) {
  struct open_element *e = &T->stack[position];
  if (T->watch) levels_moved(T);
  if (e->special == position) {
    u32 s = last_special(T, position - 1);
    if (last_special(T, T->top) != position) T->stack[s].format = e->format;
    e->special = s;
  }
  e->node = 0;
  e->word = WORD_NAMESPACE;
  e->link = is_foreign(e[-1].word) ? e[-1].link : position - 1;
  e->prev_same = position - 1;
  count_holes(T, 1);
}

/* "Remove the node from the stack of open elements", wherever it is. */
static void stack_remove(struct tree *T, lanner_document *d, u32 position) {
  struct open_element *e = &T->stack[position];
  if (position == T->top) {
    stack_pop(T, d);
    return;
  }
  if (e->format && e->special != position) T->formats[e->format].position = 0;
  unlink_same(T, d, position);
  make_hole(T, position);
}

/* Position 0 is never a hole. */
INLINE void stack_init(struct tree *T) {
  memset(T->stack, 0, sizeof *T->stack);
  T->stack[0].node = UINT32_MAX;
}
static COLD bool stack_grow(struct tree *T, lanner_document *d, u32 more) {
  u32 capacity = T->capacity ? T->capacity : 128;
  while (capacity - T->top < more) capacity *= 2;
  void *stack =
      heap_resize(&d->heap, T->stack, T->capacity * sizeof *T->stack, capacity * sizeof *T->stack);
  if (!stack) return false;
  T->stack = stack;
  if (T->capacity == 0) stack_init(T);
  T->capacity = capacity;
  return true;
}
/* Room for MORE entries beyond the top. */
INLINE bool stack_reserve(struct tree *T, lanner_document *d, u32 more) {
  return LIKELY(T->capacity - T->top > more) || stack_grow(T, d, more + 1);
}

#endif
