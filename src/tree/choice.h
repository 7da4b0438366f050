/* choice.h - selectedcontent: a select shows its selected option's content in it, cloned whenever
 * an option is popped off the stack (13.2.4.2 and 4.10 of the Standard as of 2026). Compiled once;
 * the operations headers call it, look.h asks the tree, whosever it is. Which select an option
 * belongs to is read off the stack of open elements; only where tree and stack may differ (patches,
 * the limit on depth, changes by the user) the tree is walked upwards.
 */
#ifndef LANNER_TREE_CHOICE_H
#define LANNER_TREE_CHOICE_H

#include "tree/look.h"

static bool stack_may_differ(const struct tree *T, const lanner_document *d) {
  return T->patch_count || d->edited || T->top > T->depth_top;
}

/* The parent of ID. Below browsers' limit on depth all walks to the root are done; without one they are
 * in proportion to the tree, and none is left when they were not. */
static u32 climb(struct tree *T, const lanner_document *d, u32 id) {
  if (T->climbed > 1024 * ((u64)look_count(d) + 4096)) return 0;
  T->climbed++;
  return look_parent(d, id);
}

/* --- "nearest ancestor select" --- */
static u32 select_above(struct tree *T, const lanner_document *d, u32 option) {
  u32 groups = 0;
  for (u32 id = climb(T, d, option); id; id = climb(T, d, id)) {
    u32 name = html_name(d, id);
    if (name == TAG_SELECT) return id;
    if (name == TAG_DATALIST || name == TAG_HR || name == TAG_OPTION) return 0;
    if (name == TAG_OPTGROUP && groups++) return 0;
  }
  return 0;
}
/* The same for an option that was just popped. */
static u32 option_select(struct tree *T, const lanner_document *d, u32 option) {
  const u32 *last = T->last[0];
  u32 select = last[TAG_SELECT], group = last[TAG_OPTGROUP];
  if (stack_may_differ(T, d)) return select_above(T, d, option);
  if (!select || last[TAG_DATALIST] > select || last[TAG_OPTION] > select) return 0;
  if (group > select && T->stack[group].prev_same > select) return 0;
  return T->stack[select].node;
}

/* --- selects that have an enabled selectedcontent: a hash table by select, free slots are 0 --- */
static struct choice *choice_slot(struct choice *choices, u32 capacity, u32 select) {
  u32 i = select * 2654435761u >> 7 & (capacity - 1);
  while (choices[i].select && choices[i].select != select) i = (i + 1) & (capacity - 1);
  return &choices[i];
}
static struct choice *find_choice(struct tree *T, u32 select) {
  struct choice *c = T->choice_count ? choice_slot(T->choices, T->choice_capacity, select) : NULL;
  return c && c->select ? c : NULL;
}
/* The slot of a select that has none yet. NULL: memory. */
static struct choice *add_choice(struct tree *T, lanner_document *d, u32 select) {
  if (2 * T->choice_count >= T->choice_capacity) {
    u32 capacity = T->choice_capacity ? T->choice_capacity * 2 : 8;
    struct choice *choices = heap_resize(&d->heap, NULL, 0, capacity * sizeof *choices);
    if (!choices) return NULL;
    memset(choices, 0, capacity * sizeof *choices);
    for (u32 i = 0; i < T->choice_capacity; i++)
      if (T->choices[i].select)
        *choice_slot(choices, capacity, T->choices[i].select) = T->choices[i];
    heap_release(&d->heap, T->choices, T->choice_capacity * sizeof *choices);
    T->choices = choices;
    T->choice_capacity = capacity;
  }
  T->choice_count++;
  return choice_slot(T->choices, T->choice_capacity, select);
}
static COLD void choices_clear(struct tree *T, struct heap *heap) {
  if (store_is_sparse(T->choice_count, T->choice_capacity)) {
    heap_release(heap, T->choices, T->choice_capacity * sizeof *T->choices);
    T->choices = NULL;
    T->choice_capacity = 0;
  } else {
    memset(T->choices, 0, T->choice_capacity * sizeof *T->choices);
  }
  T->choice_count = 0;
}

/* --- "selectedness", as far as the parser can tell --- */
static bool is_drop_down(const lanner_document *d, u32 select) {
  lanner_string size;
  if (!element_attribute(d, select, ATTR_SIZE, &size)) return true;
  const byte *s = (const byte *)size.data;
  size_t i = 0;
  u32 value = 0;
  while (i < size.length && is_tree_space(s[i])) i++;
  if (i < size.length && s[i] == '+') i++;
  for (; i < size.length && s[i] >= '0' && s[i] <= '9'; i++)
    value = value > 1 ? 2 : value * 10 + (s[i] - (u32)'0');
  return value < 2; /* 0 and what is no number mean 1 */
}
static bool is_disabled(const lanner_document *d, u32 option) {
  u32 parent = look_parent(d, option);
  if (has_attribute(d, option, ATTR_DISABLED)) return true;
  return parent && html_name(d, parent) == TAG_OPTGROUP && has_attribute(d, parent, ATTR_DISABLED);
}
/* OPTION was added behind the others: whether it is the selected one now. */
static bool choose(const lanner_document *d, struct choice *c, u32 option) {
  if (has_attribute(d, option, ATTR_SELECTED) ||
      (!c->option && is_drop_down(d, c->select) && !is_disabled(d, option)))
    c->option = option;
  return c->option == option;
}
/* All options that are there already. */
static void choose_among_all(const lanner_document *d, struct choice *c) {
  u32 id = c->select, groups = 0;
  for (;;) {
    u32 name = html_name(d, id);
    bool inside = id == c->select || (name != TAG_SELECT && name != TAG_DATALIST &&
                                      name != TAG_HR && name != TAG_OPTION);
    if (name == TAG_OPTGROUP && ++groups > 1) inside = false;
    if (name == TAG_OPTION) choose(d, c, id);
    u32 next = inside ? look_first(d, id) : 0;
    while (!next) {
      if (html_name(d, id) == TAG_OPTGROUP) groups--;
      if (id == c->select || id == 0) return;
      next = look_next(d, id);
      if (!next) id = look_parent(d, id);
    }
    id = next;
  }
}

/* --- cloning --- */
static u32 clone_node(lanner_document *d, u32 id) {
  struct node *n = &d->nodes[id];
  u32 word = n->word;
  if (word_kind(word) == LANNER_TEXT) {
    word &= ~WORD_GROWN;
  } else if (word_kind(word) == LANNER_ELEMENT) {
    if (n->b) n->word = word |= WORD_SHARED;
    word &= ~WORD_SIDE;
  }
  return store_new_node(d, word, n->a, n->b);
}
static u32 template_contents(const lanner_document *d, u32 id) {
  return (d->nodes[id].word & WORD_SIDE) && html_name(d, id) == TAG_TEMPLATE ? store_side(d, id)
                                                                             : 0;
}
/* Appends deep clones of FROM's children to TO. False: memory. */
static bool clone_children(lanner_document *d, u32 from, u32 to) {
  u32 id = d->nodes[from].first, parent = to;
  while (id) {
    /* What the token in hand has reserved must stay. */
    if (!store_reserve_nodes(d, 66)) return false;
    u32 clone = clone_node(d, id), contents = template_contents(d, id), copy = 0;
    store_append(d, parent, clone);
    if (contents) {
      copy = store_new_node(d, d->nodes[contents].word, clone, 0);
      if (!store_add_side(d, clone, copy)) return false;
    }
    if (contents && d->nodes[contents].first) {
      id = d->nodes[contents].first;
      parent = copy;
      continue;
    }
    if (d->nodes[id].first) {
      id = d->nodes[id].first;
      parent = clone;
      continue;
    }
    while (!d->nodes[id].next) {
      id = d->nodes[id].parent;
      if (id == from) return true;
      if (word_kind(d->nodes[id].word) == LANNER_FRAGMENT) { /* on with the template's children */
        u32 host = d->nodes[id].a;
        parent = d->nodes[parent].a;
        if (d->nodes[host].first) {
          id = d->nodes[host].first;
          goto next;
        }
        id = host;
      }
      parent = d->nodes[parent].parent;
    }
    id = d->nodes[id].next;
  next:;
  }
  return true;
}
/* The same in a foreign tree, whose fragments do not tell their hosts: OPEN keeps the templates
 * that the walk is in, their clones and contents. */
static bool clone_table_children(struct tree *T, lanner_document *d, u32 from, u32 to) {
  struct table *t = d->table;
  u32 id = look_first(d, from), parent = to, open = 0;
  while (id) {
    u32 next, down = parent;
    if (!table_reserve(d, 66)) return false;
    u32 clone = table_clone(d, id), contents = table_contents(t, id);
    table_insert(d, parent, clone, 0);
    next = contents ? look_first(d, contents) : 0;
    u32 copy = next ? table_contents(t, clone) : 0;
    if (copy) {
      if (T->scratch_capacity < open + 3) {
        u32 capacity = 2 * (open + 3);
        u32 *scratch = heap_resize(&d->heap, T->scratch, T->scratch_capacity * sizeof *scratch,
                                   capacity * sizeof *scratch);
        if (!scratch) return false;
        T->scratch = scratch;
        T->scratch_capacity = capacity;
      }
      T->scratch[open++] = id;
      T->scratch[open++] = clone;
      T->scratch[open++] = contents;
      down = copy;
    } else if ((next = look_first(d, id)) != 0) {
      down = clone;
    }
    while (!next && (next = look_next(d, id)) == 0) {
      u32 up = look_parent(d, id);
      if (up == from || t->failed) return true;
      if (open && up == T->scratch[open - 1]) { /* on with the template's children */
        open -= 3;
        id = T->scratch[open];
        next = look_first(d, id);
        down = next ? T->scratch[open + 1] : look_parent(d, T->scratch[open + 1]);
      } else {
        if (!up) return true;
        id = up;
        down = look_parent(d, down);
      }
    }
    id = next;
    parent = down;
  }
  return true;
}
static bool show_option(struct tree *T, lanner_document *d, const struct choice *c) {
  if (d->edited) /* the parser never puts it into an option that counts */
    for (u32 id = c->content; id; id = climb(T, d, id))
      if (id == c->option) return true;
  for (u32 id; (id = look_first(d, c->content)) != 0;) look_remove(d, id);
  if (d->table) return clone_table_children(T, d, c->option, c->content);
  return clone_children(d, c->option, c->content);
}

/* --- the two events --- */

/* "Maybe clone an option into selectedcontent". False: memory. */
static COLD bool option_popped(struct tree *T, lanner_document *d, u32 option) {
  u32 select = option_select(T, d, option);
  struct choice *c = select ? find_choice(T, select) : NULL;
  return !c || !choose(d, c, option) || !c->content || show_option(T, d, c);
}

/* The current node is a new selectedcontent element. */
static COLD bool selectedcontent_inserted(struct tree *T, lanner_document *d) {
  u32 id = current_node(T), select = 0;
  bool disabled = false;
  if (stack_may_differ(T, d)) {
    for (u32 up = climb(T, d, id); up; up = climb(T, d, up)) {
      u32 name = html_name(d, up);
      if (name == TAG_OPTION || name == TAG_SELECTEDCONTENT || (name == TAG_SELECT && select))
        disabled = true;
      if (name == TAG_SELECT && !select) select = up;
    }
  } else {
    const u32 *last = T->last[0];
    u32 position = last[TAG_SELECT];
    if (position) select = T->stack[position].node;
    disabled = T->stack[position].prev_same || last[TAG_OPTION] ||
               T->stack[last[TAG_SELECTEDCONTENT]].prev_same;
  }
  if (!select || has_attribute(d, select, ATTR_MULTIPLE)) return true;
  if (find_choice(T, select)) return true; /* only the first one counts */
  struct choice *c = add_choice(T, d, select);
  if (!c) return false;
  *c = (struct choice){select, disabled ? 0 : id, 0};
  if (disabled) return true;
  choose_among_all(d, c);
  return !c->option || show_option(T, d, c);
}

#endif
