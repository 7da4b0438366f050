/* choice.h - selectedcontent: a select shows its selected option's content in it, cloned whenever
 * an option is popped off the stack (13.2.4.2 and 4.10 of the Standard as of 2026). Compiled once;
 * ops_document.h calls it. Which select an option belongs to is read off the stack of open
 * elements; only where tree and stack may differ (patches, the limit on depth, changes by the
 * user) the tree is walked upwards.
 */
#ifndef LANNER_TREE_CHOICE_H
#define LANNER_TREE_CHOICE_H

#include "tree/formatting.h"

static u32 html_name(const lanner_document *d, u32 id) {
  u32 word = d->nodes[id].word;
  if (word_kind(word) != LANNER_ELEMENT || word_namespace(word) != LANNER_HTML) return TAG_NONE;
  return word_name(word);
}
static const attribute *element_attribute(const lanner_document *d, u32 id, u32 name) {
  const struct node *n = &d->nodes[id];
  for (u32 i = 0; i < n->b; i++)
    if (attribute_name(&d->attributes[n->a + i]) == name) return &d->attributes[n->a + i];
  return NULL;
}

static bool stack_may_differ(const struct tree *T, const lanner_document *d) {
  return T->patch_count || d->edited || T->top > T->depth_top;
}

/* --- "nearest ancestor select" --- */
static u32 select_above(const lanner_document *d, u32 option) {
  u32 groups = 0;
  for (u32 id = d->nodes[option].parent; id; id = d->nodes[id].parent) {
    u32 name = html_name(d, id);
    if (name == TAG_SELECT) return id;
    if (name == TAG_DATALIST || name == TAG_HR || name == TAG_OPTION) return 0;
    if (name == TAG_OPTGROUP && groups++) return 0;
  }
  return 0;
}
/* The same for an option that was just popped. */
static u32 option_select(const struct tree *T, const lanner_document *d, u32 option) {
  const u32 *last = T->last[0];
  u32 select = last[TAG_SELECT], group = last[TAG_OPTGROUP];
  if (stack_may_differ(T, d)) return select_above(d, option);
  if (!select || last[TAG_DATALIST] > select || last[TAG_OPTION] > select) return 0;
  if (group > select && T->stack[group].prev_same > select) return 0;
  return T->stack[select].node;
}

/* --- selects that have an enabled selectedcontent, by select id --- */
static struct choice *find_choice(struct tree *T, u32 select, u32 *at) {
  u32 low = 0, high = T->choice_count;
  while (low < high) {
    u32 middle = low + (high - low) / 2;
    if (T->choices[middle].select < select) low = middle + 1;
    else high = middle;
  }
  if (at) *at = low;
  return low < T->choice_count && T->choices[low].select == select ? &T->choices[low] : NULL;
}
static struct choice *add_choice(struct tree *T, lanner_document *d, u32 at) {
  if (T->choice_count == T->choice_capacity) {
    u32 capacity = T->choice_capacity ? T->choice_capacity * 2 : 8;
    struct choice *choices =
        heap_resize(&d->heap, T->choices, T->choice_capacity * sizeof *choices,
                    capacity * sizeof *choices);
    if (!choices) return NULL;
    T->choices = choices;
    T->choice_capacity = capacity;
  }
  memmove(T->choices + at + 1, T->choices + at, (T->choice_count - at) * sizeof *T->choices);
  T->choice_count++;
  return &T->choices[at];
}

/* --- "selectedness", as far as the parser can tell --- */
static bool is_drop_down(const lanner_document *d, u32 select) {
  const attribute *size = element_attribute(d, select, ATTR_SIZE);
  if (!size) return true;
  const byte *s = slice_bytes(d, size->value, (size->name & ATTRIBUTE_STRING) != 0);
  u32 i = 0, value = 0;
  while (i < size->length && is_tree_space(s[i])) i++;
  if (i < size->length && s[i] == '+') i++;
  for (; i < size->length && s[i] >= '0' && s[i] <= '9'; i++)
    value = value > 1 ? 2 : value * 10 + (s[i] - (u32)'0');
  return value < 2; /* 0 and what is no number mean 1 */
}
static bool is_disabled(const lanner_document *d, u32 option) {
  u32 parent = d->nodes[option].parent;
  if (element_attribute(d, option, ATTR_DISABLED)) return true;
  return parent && html_name(d, parent) == TAG_OPTGROUP &&
         element_attribute(d, parent, ATTR_DISABLED);
}
/* OPTION was added behind the others: whether it is the selected one now. */
static bool choose(const lanner_document *d, struct choice *c, u32 option) {
  if (element_attribute(d, option, ATTR_SELECTED) ||
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
    if (inside && d->nodes[id].first) {
      id = d->nodes[id].first;
      continue;
    }
    for (;; id = d->nodes[id].parent) {
      if (html_name(d, id) == TAG_OPTGROUP) groups--;
      if (id == c->select) return;
      if (d->nodes[id].next) break;
    }
    id = d->nodes[id].next;
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
static bool show_option(lanner_document *d, const struct choice *c) {
  if (d->edited) /* the parser never puts it into an option that counts */
    for (u32 id = c->content; id; id = d->nodes[id].parent)
      if (id == c->option) return true;
  for (u32 id; (id = d->nodes[c->content].first) != 0;) store_remove(d, id);
  return clone_children(d, c->option, c->content);
}

/* --- the two events --- */

/* "Maybe clone an option into selectedcontent". False: memory. */
static COLD bool option_popped(struct tree *T, lanner_document *d, u32 option) {
  u32 select = option_select(T, d, option);
  struct choice *c = select ? find_choice(T, select, NULL) : NULL;
  return !c || !choose(d, c, option) || !c->content || show_option(d, c);
}

/* The current node is a new selectedcontent element. */
static COLD bool selectedcontent_inserted(struct tree *T, lanner_document *d) {
  u32 id = current_node(T), select = 0, at;
  bool disabled = false;
  if (stack_may_differ(T, d)) {
    for (u32 up = d->nodes[id].parent; up; up = d->nodes[up].parent) {
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
  if (!select || element_attribute(d, select, ATTR_MULTIPLE)) return true;
  if (find_choice(T, select, &at)) return true; /* only the first one counts */
  struct choice *c = add_choice(T, d, at);
  if (!c) return false;
  *c = (struct choice){select, disabled ? 0 : id, 0};
  if (disabled) return true;
  choose_among_all(d, c);
  return !c->option || show_option(d, c);
}

#endif
