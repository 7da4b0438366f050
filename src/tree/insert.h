/* insert.h - the insertion primitives of 13.2.6.1: the appropriate place for inserting a node,
 * foster parenting, inserting elements, comments and characters; and popping. Included once an
 * instance. Above it: actions.h and the other actions of the rule tables; below: stack.h,
 * formatting.h and an operations header.
 */

struct FN(place) {
  u32 parent;
  u32 reference; /* the node goes before this one; 0: at the end */
};

/* Inside the element at POSITION of the stack ("adjusted insertion location"). */
static COLD struct FN(place) FN(place_inside)(struct parser *P, u32 position) {
  struct open_element *e = &P->tree->stack[position];
  struct FN(place) place = {e->node, 0};
  if (e->word & ENTRY_PATCH) FN(op_place_in_patch)(P, position, &place.parent, &place.reference);
  return place;
}

static COLD struct FN(place) FN(foster_parent)(struct parser *P) {
  struct tree *T = P->tree;
  u32 template = T->last[0][TAG_TEMPLATE], table = T->last[0][TAG_TABLE];
  if (template > table) return FN(place_inside)(P, template);
  if (!table) return FN(place_inside)(P, 1);
  u32 id = T->stack[table].node;
  u32 parent = FN(op_parent)(P, id);
  if (!parent) return FN(place_inside)(P, element_below(T, table));
  u32 contents = FN(op_contents)(P, parent);
  return (struct FN(place)){contents, contents == parent ? id : 0};
}

/* "The appropriate place for inserting a node", with the element at POSITION as target. */
static COLD struct FN(place) FN(appropriate_place)(struct parser *P, u32 position) {
  struct tree *T = P->tree;
  u32 word = T->stack[position].word & ENTRY_IDENTITY;
  if (T->foster && word < ELEMENT_NAMES && (element_category[word] & CATEGORY_FOSTER))
    return FN(foster_parent)(P);
  return FN(place_inside)(P, position);
}

static COLD void FN(limit_struck)(struct parser *P) {
  lanner_document *d = P->document;
  if (d->limits_struck & LANNER_LIMIT_DEPTH) return;
  d->limits_struck |= LANNER_LIMIT_DEPTH;
  d->limit_offset[0] = P->tree->behind_pending ? P->tree->behind_pending : P->token.start;
}

/* Elements and comments above the limit on depth, in patches and under foster parenting. LEAF: 1 for
 * nodes that do not go on the stack. Browsers look at the stack when the element is on it, so these
 * may stand one level deeper. */
static COLD void FN(insert_elsewhere)(struct parser *P, u32 id, u32 leaf) {
  struct tree *T = P->tree;
  struct FN(place) place = FN(appropriate_place)(P, T->top);
  if (T->top > T->depth_top + leaf && place.parent == current_node(T)) {
    place.parent = FN(op_level_above)(P, place.parent);
    place.reference = 0;
    FN(limit_struck)(P);
  }
  FN(op_insert)(P, place.parent, id, place.reference);
}

/* Nothing but the current node decides where the next node goes. */
INLINE bool FN(usual_place)(const struct tree *T) {
  return LIKELY(T->top <= T->usual_top && !(T->stack[T->top].word & ENTRY_PATCH));
}
INLINE void FN(insert_node)(struct parser *P, u32 id) {
  struct tree *T = P->tree;
  if (FN(usual_place)(T)) {
    FN(op_append)(P, current_node(T), id);
  } else {
    FN(insert_elsewhere)(P, id, 0);
  }
}
INLINE void FN(insert_leaf)(struct parser *P, u32 id) {
  struct tree *T = P->tree;
  if (FN(usual_place)(T)) {
    FN(op_append)(P, current_node(T), id);
  } else {
    FN(insert_elsewhere)(P, id, 1);
  }
}

/* "Insert a character", for a run of them. The limit on depth does not matter. */
static COLD void FN(insert_text_elsewhere)(struct parser *P, slice text) {
  struct FN(place) place = FN(appropriate_place)(P, P->tree->top);
  if (FN(op_is_document)(P, place.parent)) return;
  FN(op_insert_text)(P, place.parent, place.reference, text);
}
INLINE void FN(insert_text)(struct parser *P, slice text) {
  struct tree *T = P->tree;
  if (FN(usual_place)(T))
    FN(op_insert_text)(P, current_node(T), 0, text);
  else
    FN(insert_text_elsewhere)(P, text);
}
INLINE void FN(insert_the_characters)(struct parser *P) { FN(insert_text)(P, P->tree->characters); }

/* --- elements --- */

/* "Insert an HTML element" for the token. */
INLINE u32 FN(insert_token)(struct parser *P, u32 category, bool shared) {
  struct token *t = &P->token;
  u32 id = FN(op_create_element)(P, LANNER_HTML, t->name, t->attribute_first, t->attribute_count,
                                 shared);
  FN(op_note_source)(P, id);
  FN(insert_node)(P, id);
  stack_push(P->tree, P->document, id, t->name, category);
  return id;
}
INLINE void FN(insert_an_element_inline)(struct parser *P) {
  FN(insert_token)(P, category_of(P->token.name), false);
}
static NOINLINE void FN(insert_an_element)(struct parser *P) { FN(insert_an_element_inline)(P); }

/* "Insert an HTML element for a start tag token with no attributes". */
static NOINLINE void FN(insert_implied)(struct parser *P, u32 name) {
  u32 id = FN(op_create_element)(P, LANNER_HTML, name, 0, 0, false);
  FN(insert_node)(P, id);
  stack_push(P->tree, P->document, id, name, category_of(name));
}

/* An element that is popped at once need not be pushed. */
INLINE void FN(insert_a_void_element_inline)(struct parser *P) {
  struct token *t = &P->token;
  u32 id =
      FN(op_create_element)(P, LANNER_HTML, t->name, t->attribute_first, t->attribute_count, false);
  FN(op_note_source)(P, id);
  FN(insert_leaf)(P, id);
#if CHECKED
  P->tree->self_closing_done = true;
#endif
}
static NOINLINE void FN(insert_a_void_element)(struct parser *P) {
  FN(insert_a_void_element_inline)(P);
}

/* --- comments and processing instructions --- */
static NOINLINE void FN(insert_a_comment)(struct parser *P) {
  u32 id = FN(op_create_comment)(P);
  FN(op_note_source)(P, id);
  FN(insert_leaf)(P, id);
}
static COLD void FN(insert_a_comment_into_the_document)(struct parser *P) {
  u32 id = FN(op_create_comment)(P);
  FN(op_note_source)(P, id);
  FN(op_append)(P, FN(op_document)(P), id);
}
/* The limit on depth looks at the stack here too. */
static COLD void FN(append_to_html)(struct parser *P, u32 id) {
  struct tree *T = P->tree;
  u32 parent = T->stack[1].node;
  if (T->top > T->depth_top + 1) {
    parent = FN(op_level_above)(P, parent);
    FN(limit_struck)(P);
  }
  FN(op_append)(P, parent, id);
}
static COLD void FN(insert_a_comment_into_the_html_element)(struct parser *P) {
  u32 id = FN(op_create_comment)(P);
  FN(op_note_source)(P, id);
  FN(append_to_html)(P, id);
}
static COLD void FN(insert_a_processing_instruction)(struct parser *P) {
  u32 id = FN(op_create_pi)(P);
  if (!id) return;
  FN(op_note_source)(P, id);
  FN(insert_leaf)(P, id);
  FN(op_note_marker)(P, id, true);
}
static COLD void FN(insert_a_processing_instruction_into_the_document)(struct parser *P) {
  u32 id = FN(op_create_pi)(P);
  if (!id) return;
  FN(op_note_source)(P, id);
  FN(op_append)(P, FN(op_document)(P), id);
}
static COLD void FN(insert_a_processing_instruction_into_the_html_element)(struct parser *P) {
  u32 id = FN(op_create_pi)(P);
  if (!id) return;
  FN(op_note_source)(P, id);
  FN(append_to_html)(P, id);
  FN(op_note_marker)(P, id, P->tree->top <= 2);
}

/* --- popping --- */
#if CHECKED
/* The end tag that is handled closes the current node: its place is the element's end. */
static COLD void FN(note_end)(struct parser *P) {
  struct tree *T = P->tree;
  if ((current_entry(T)->word & WORD_NAME) != T->closing) return;
  T->closing = 0;
  FN(op_note_end)(P, current_node(T));
}
#endif

INLINE void FN(pop)(struct parser *P) {
  struct tree *T = P->tree;
  u32 word = current_entry(T)->word & ENTRY_IDENTITY;
#if CHECKED
  if (UNLIKELY(T->closing != 0)) FN(note_end)(P);
#endif
  if (UNLIKELY(word == TAG_OPTION)) {
    u32 id = current_node(T);
    stack_pop(T, P->document);
    FN(op_option_popped)(P, id);
    return;
  }
  stack_pop(T, P->document);
}

/* Pops everything down to POSITION, the element there too. */
INLINE void FN(pop_to)(struct parser *P, u32 position) {
  while (P->tree->top >= position) FN(pop)(P);
}
/* "Pop until a NAME element has been popped"; there is one. */
static NOINLINE void FN(pop_until)(struct parser *P, u32 name) {
  FN(pop_to)(P, *last_position(P->tree, P->document, name));
}

/* "Generate implied end tags, except for EXCEPT elements". */
INLINE void FN(imply_end_tags_except)(struct parser *P, u32 except) {
  struct tree *T = P->tree;
  while ((current_category(T) & CATEGORY_IMPLIED) && !current_is(T, except)) FN(pop)(P);
}
INLINE void FN(generate_implied_end_tags)(struct parser *P) {
  FN(imply_end_tags_except)(P, TAG_NONE);
}
static COLD void FN(imply_end_tags_thoroughly)(struct parser *P) {
  while (current_category(P->tree) & (CATEGORY_IMPLIED | CATEGORY_THOROUGHLY)) FN(pop)(P);
}
