/* adoption.h - formatting elements: inserting them, reconstructing them, and the adoption agency
 * algorithm (13.2.4.3, 13.2.6.4.7). Included once an instance, after actions.h. formatting.h has
 * the list, stack.h the stack; both are changed here without walking either, but for elements that
 * leave the stack.
 */

/* --- "reconstruct the active formatting elements" --- */
static NOINLINE void FN(reopen)(struct parser *P) {
  struct tree *T = P->tree;
  lanner_document *d = P->document;
  u32 entry = T->format_last, count = 1;
  for (u32 before; (before = T->formats[entry].prev) != 0 && T->formats[before].word != 0 &&
                   T->formats[before].position == 0;
       entry = before)
    count++;
  if (!FN(op_reserve)(P, count + 64) || !stack_reserve(T, d, count + 64)) {
    stop_for_memory(P);
    return;
  }
  for (; entry; entry = T->formats[entry].next) {
    struct formatting *e = &T->formats[entry];
    u32 id = FN(op_create_element)(P, LANNER_HTML, e->word, e->attribute_first, e->attribute_count,
                                   true);
    FN(insert_node)(P, id);
    stack_push(T, d, id, e->word, CATEGORY_FORMATTING);
    T->stack[T->top].format = entry;
    e->node = id;
    e->position = T->top;
  }
}
INLINE bool FN(must_reconstruct)(const struct tree *T) {
  if (LIKELY(T->format_last == 0)) return false;
  const struct formatting *e = &T->formats[T->format_last];
  return UNLIKELY(e->position == 0 && e->word != 0);
}
INLINE void FN(reconstruct_the_formatting_elements)(struct parser *P) {
  if (UNLIKELY(FN(must_reconstruct)(P->tree))) FN(reopen)(P);
}

/* The rule of "in body" for characters. */
INLINE void FN(body_characters)(struct parser *P, slice s) {
  struct tree *T = P->tree;
  FN(reconstruct_the_formatting_elements)(P);
  if (UNLIKELY(T->frameset_ok) && leading_space(P->document, s) < s.length) T->frameset_ok = false;
  FN(insert_text)(P, s);
}

/* Inserts and pushes onto the list. The list needs the attributes as they are now. */
INLINE void FN(insert_a_formatting_element_inline)(struct parser *P) {
  struct token *t = &P->token;
  FN(insert_token)(P, CATEGORY_FORMATTING, t->attribute_count != 0);
  formats_push(P->tree, P->document, P->tree->top, t->attribute_first, t->attribute_count);
}

/* --- the adoption agency --- */

/* The stack after one round: the furthest block, at BLOCK, moves one down, after clones that stand
 * in its way (KEPT, from the highest down, COUNT of them); the new element for the formatting
 * element at POSITION goes right above it. Nothing else moves. */
static void FN(rearrange)(struct parser *P, u32 position, u32 block, u32 *kept, u32 count,
                          u32 entry) {
  struct tree *T = P->tree;
  lanner_document *d = P->document;
  struct open_element *stack = T->stack;
  u32 word = stack[position].word;
  u32 next_special = stack[block].format;
  u32 moving = 0; /* clones right below the block, to make room */
  while (moving < count && kept[moving] == block - 1 - moving) moving++;
  /* The new element's place in the chain of its name. */
  u32 before = position, *last = last_position(T, d, word);
  while (*last != before && stack[before].next_same < block) before = stack[before].next_same;
  u32 after = *last == before ? 0 : stack[before].next_same;
  unlink_same(T, d, position);
  if (before == position) before = stack[position].prev_same;
  make_hole(T, position);
  u32 target = block - 1 - moving; /* a hole */
  count_holes(T, -1);
  for (u32 i = moving + 1; i-- > 0; target++) { /* from the lowest up, the block last */
    u32 from = target + 1;
    struct open_element *e = &stack[target];
    u32 *same;
    *e = stack[from];
    same = last_position(T, d, e->word);
    stack[e->prev_same].next_same = target;
    if (*same == from)
      *same = target;
    else
      stack[e->next_same].prev_same = target;
    if (before == from) before = target;
    if (from != block) {
      if (e->format) T->formats[e->format].position = target;
      accumulate(T, target, CATEGORY_FORMATTING);
    }
  }
  /* The block, now at block - 1. */
  struct open_element *e = &stack[block - 1];
  u32 below = last_special(T, block - 2);
  stack[below].format = block - 1;
  e->special = block - 1;
  e->format = next_special;
  e->link = category_of(e->word) & CATEGORY_PASSED ? last_stop(T, block - 2) : block - 1;
  if (T->form && T->form_position == block) T->form_position = block - 1;
  /* The new element. */
  e = &stack[block];
  e->node = T->formats[entry].node;
  e->word = word;
  e->prev_same = before;
  stack[before].next_same = block;
  if (after) {
    e->next_same = after;
    stack[after].prev_same = block;
  } else {
    *last = block;
  }
  e->special = block - 1;
  e->scope = e[-1].scope;
  e->link = 0;
  e->format = entry;
  T->formats[entry].position = block;
}

/* One round of the outer loop with the formatting element of ENTRY and the furthest block BLOCK. */
static void FN(adopt)(struct parser *P, u32 entry, u32 block) {
  struct tree *T = P->tree;
  lanner_document *d = P->document;
  struct open_element *stack = T->stack;
  u32 position = T->formats[entry].position;
  u32 block_node = stack[block].node, last_node = block_node;
  u32 common_ancestor = element_below(T, position);
  u32 kept[3], count = 0, bookmark = 0, counter = 0;
  for (u32 at = block; (at = element_below(T, at)) != position;) {
    u32 format = stack[at].format;
    if (++counter > 3 && format) {
      formats_remove(T, format);
      format = 0;
    }
    if (!format) {
      unlink_same(T, d, at);
      make_hole(T, at);
      continue;
    }
    struct formatting *f = &T->formats[format];
    u32 clone = FN(op_create_element)(P, LANNER_HTML, f->word, f->attribute_first,
                                      f->attribute_count, true);
    f->node = stack[at].node = clone;
    if (last_node == block_node) bookmark = format;
    FN(op_remove)(P, last_node);
    FN(op_append)(P, clone, last_node);
    last_node = clone;
    kept[count++] = at;
  }
  struct FN(place) place = FN(appropriate_place)(P, common_ancestor);
  FN(op_remove)(P, last_node);
  if (LIKELY(!FN(op_was_changed)(P)) || !FN(op_is_inside)(P, place.parent, last_node))
    FN(op_insert)(P, place.parent, last_node, place.reference);
  struct formatting *f = &T->formats[entry];
  u32 clone =
      FN(op_create_element)(P, LANNER_HTML, f->word, f->attribute_first, f->attribute_count, true);
  FN(op_move_children)(P, block_node, clone);
  FN(op_append)(P, block_node, clone);
  f->node = clone;
  if (bookmark) formats_move_behind(T, entry, bookmark);
  FN(rearrange)(P, position, block, kept, count, entry);
}

/* "Run the adoption agency algorithm" for the token. */
static NOINLINE void FN(run_the_adoption_agency)(struct parser *P) {
  struct tree *T = P->tree;
  u32 name = P->token.name;
  if (current_entry(T)->word == name && current_entry(T)->format == 0) {
    FN(pop)(P);
    return;
  }
  for (int round = 0; round < 8; round++) {
    u32 entry = last_formatting(T, name);
    if (!entry) {
      FN(close_any_other_element)(P);
      return;
    }
    u32 position = T->formats[entry].position;
    if (!position) {
      TREE_ERROR(P, ERROR_tree_misnested_formatting);
      formats_remove(T, entry);
      return;
    }
    if (position <= T->stack[T->top].scope) {
      TREE_ERROR(P, ERROR_tree_unmatched_end_tag);
      return;
    }
    if (position != T->top) TREE_ERROR(P, ERROR_tree_misnested_formatting);
    if (last_special(T, T->top) < position) {
      FN(pop_to)(P, position);
      formats_remove(T, entry);
      return;
    }
    /* The next special element above the last one below. */
    FN(adopt)(P, entry, T->stack[last_special(T, position)].format);
  }
}

/* "End an open a element": the list has an a after the last marker when another one starts. */
static NOINLINE void FN(end_a)(struct parser *P, u32 entry) {
  struct tree *T = P->tree;
  u32 id = T->formats[entry].node;
  TREE_ERROR(P, ERROR_tree_nested_element);
  FN(run_the_adoption_agency)(P);
  if (T->formats[entry].node != id) return;
  u32 position = T->formats[entry].position;
  formats_remove(T, entry);
  if (position) stack_remove(T, P->document, position);
}
INLINE void FN(end_an_open_a_element)(struct parser *P) {
  u32 entry = last_formatting(P->tree, TAG_A);
  if (UNLIKELY(entry != 0)) FN(end_a)(P, entry);
}
static void FN(end_an_open_nobr_element)(struct parser *P) {
  if (!in_scope(P->tree, TAG_NOBR)) return;
  TREE_ERROR(P, ERROR_tree_nested_element);
  FN(run_the_adoption_agency)(P);
  FN(reconstruct_the_formatting_elements)(P);
}
