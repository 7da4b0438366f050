/* memory.h - the tree builder's own memory, kept from page to page, and small helpers that need
 * no instance. Compiled once, after stack.h and formatting.h. Setting up for a page clears a few
 * words: popping the whole stack at the end left the arrays by name empty.
 */
#ifndef LANNER_TREE_MEMORY_H
#define LANNER_TREE_MEMORY_H

#include "tokenizer/names.h"
#include "tree/choice.h"
#include "tree/patching.h"

#define FORM_OUTSIDE 0xFFFFFFFEu /* the form element pointer is an ancestor of the context */

/* Without its arrays; those by name are cleared by tree_reset. */
static void tree_init(struct tree *T) { clear(T, offsetof(struct tree, last)); }

static NOINLINE struct tree *tree_new(struct parser *P) {
  struct heap *heap = &P->document->heap;
  struct tree *T = heap_resize(heap, NULL, 0, sizeof *T);
  if (!T) return NULL;
  tree_init(T);
  T->template_modes = heap_resize(heap, NULL, 0, 16);
  T->pending = heap_resize(heap, NULL, 0, 16 * sizeof *T->pending);
  if (!T->template_modes || !T->pending) {
    if (T->template_modes) heap_release(heap, T->template_modes, 16);
    if (T->pending) heap_release(heap, T->pending, 16 * sizeof *T->pending);
    heap_release(heap, T, sizeof *T);
    return NULL;
  }
  T->template_mode_capacity = T->pending_capacity = 16;
  P->tree = T;
  return T;
}

/* Frees everything. */
static NOINLINE void tree_release(struct parser *P) {
  struct heap *heap = &P->document->heap;
  struct tree *T = P->tree;
  if (!T) return;
  heap_release(heap, T->stack, T->capacity * sizeof *T->stack);
  heap_release(heap, T->formats, T->format_capacity * sizeof *T->formats);
  heap_release(heap, T->buckets, T->bucket_capacity * sizeof *T->buckets);
  heap_release(heap, T->template_modes, T->template_mode_capacity);
  heap_release(heap, T->pending, T->pending_capacity * sizeof *T->pending);
  patching_release(heap, T->patching);
  heap_release(heap, T->choices, T->choice_capacity * sizeof *T->choices);
  heap_release(heap, T->patches, T->patch_capacity * sizeof *T->patches);
  for (u32 i = 0; i < 2; i++)
    heap_release(heap, T->roots[i].slots, T->roots[i].slot_capacity * sizeof *T->roots[i].slots);
  heap_release(heap, T->scratch, T->scratch_capacity * sizeof *T->scratch);
  heap_release(heap, T, sizeof *T);
  P->tree = NULL;
}

/* The state of 13.2.4 at the beginning. */
static void tree_reset(struct tree *T, struct heap *heap) {
  T->top = T->holes = 0;
  T->mode = MODE_INITIAL;
  T->foster = T->fragment = T->body_end_checked = T->stopped = T->out_of_memory = false;
  T->frameset_ok = true;
  T->closing = T->head = T->form = T->form_position = T->context = 0;
  T->template_mode_count = T->pending_count = T->patch_count = T->behind_pending = 0;
  if (T->choice_count) choices_clear(T, heap);
  T->climbed = 0;
  T->watch = 0;
  T->marked = false;
  for (u32 i = 0; i < 2; i++) {
    T->roots[i].first = UINT32_MAX;
    T->roots[i].filled = false;
  }
  formats_clear(T);
  if (UNLIKELY(!T->clean)) {
    clear(T->last[0], sizeof T->last[0]);
    clear(T->last[1], sizeof T->last[1]);
  }
  T->clean = false;
}

static COLD bool template_modes_grow(struct tree *T, lanner_document *d) {
  u32 capacity = T->template_mode_capacity * 2;
  byte *modes = heap_resize(&d->heap, T->template_modes, T->template_mode_capacity, capacity);
  if (!modes) return false;
  T->template_modes = modes;
  T->template_mode_capacity = capacity;
  return true;
}
static COLD bool pending_grow(struct tree *T, lanner_document *d) {
  u32 capacity = T->pending_capacity * 2;
  slice *pending = heap_resize(&d->heap, T->pending, T->pending_capacity * sizeof *pending,
                               capacity * sizeof *pending);
  if (!pending) return false;
  T->pending = pending;
  T->pending_capacity = capacity;
  return true;
}
INLINE void set_template_mode(struct tree *T, u32 mode) {
  T->template_modes[T->template_mode_count - 1] = (byte)mode;
}

/* --- declarative shadow roots --- */

/* Names with "-" that are no names of custom elements. */
static COLD bool reserved_custom_name(lanner_string s) {
  static const char *const reserved[] = {"annotation-xml", "color-profile", "font-face",
                                         "font-face-src",  "font-face-uri", "font-face-format",
                                         "font-face-name", "missing-glyph"};
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
    if (s.length == strlen(reserved[i]) && memcmp(s.data, reserved[i], s.length) == 0) return true;
  return false;
}

/* A name that a custom element may have; names of tags are in lower case. */
static bool is_custom_name(const lanner_document *d, u32 name) {
  lanner_string s = store_name(d, name);
  return name >= KNOWN_NAMES && memchr(s.data, '-', s.length) != NULL && !reserved_custom_name(s);
}
/* Whether the template tag in hand asks for a shadow root of the current node, and that may have one
 * by its name. */
static COLD bool wants_shadow(struct parser *P, bool *open) {
  struct tree *T = P->tree;
  const attribute *mode = token_attribute(P, ATTR_SHADOWROOTMODE);
  u32 word = current_entry(T)->word;
  *open = value_is(P, mode, "open");
  if (P->flags & LANNER_NO_SHADOW || T->top < 2 || (!*open && !value_is(P, mode, "closed")))
    return false;
  return !is_foreign(word) &&
         ((category_of(word) & CATEGORY_HOST) || is_custom_name(P->document, word));
}

/* --- context elements --- */

/* The name id (in lower case) of a context element; TAG_NONE for names that mean nothing to the
 * parser. Only SVG names that are spelled as the parser would spell them count. */
static NOINLINE u32 context_name(const lanner_context *context) {
  byte name[64] = {0};
  if (context->name_length == 0 || context->name_length > 32) return TAG_NONE;
  for (size_t i = 0; i < context->name_length; i++) {
    byte c = (byte)context->name[i];
    if (c == 0) return TAG_NONE; /* words are filled up with zeros */
    if (c >= 'A' && c <= 'Z' && context->name_space == LANNER_SVG) c = (byte)(c | 0x20);
    name[i] = c;
  }
  u32 id = known_tag_as_is(name_words(name, context->name_length), name, context->name_length);
  if (context->name_space == LANNER_SVG && id &&
      memcmp(KNOWN_NAME_AT(svg_tag_adjusted[id]), context->name, context->name_length) != 0)
    return TAG_NONE;
  return id;
}

#endif
