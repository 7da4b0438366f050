/* foreign.h - the rules for parsing tokens in foreign content (13.2.6.5): when they apply, and
 * SVG and MathML elements with their adjusted names. Included once an instance, after actions.h.
 * Entries of foreign elements on the stack have the name in lower case, as tags have it; the
 * element itself has the adjusted one.
 */

/* "The adjusted current node": identity and ENTRY_* bits. */
INLINE u32 FN(adjusted_current)(struct parser *P) {
  const struct tree *T = P->tree;
  if (UNLIKELY(T->stack[T->top].word & ENTRY_CONTEXT)) return T->context;
  return T->stack[T->top].word;
}
/* Nothing foreign is near: the common case, one test. */
INLINE bool FN(in_html)(const struct tree *T) {
  return LIKELY(!(T->stack[T->top].word & (WORD_NAMESPACE | ENTRY_CONTEXT)));
}

#define FOREIGN(space, name) ((u32)(space) << WORD_NAMESPACE_SHIFT | (name))

/* Integration point bits of a foreign element; ENCODING is the attribute of annotation-xml. */
static u32 FN(points)(struct parser *P, u32 word, const attribute *encoding) {
  switch (word) {
  case FOREIGN(LANNER_SVG, TAG_FOREIGNOBJECT):
  case FOREIGN(LANNER_SVG, TAG_DESC):
  case FOREIGN(LANNER_SVG, TAG_TITLE): return ENTRY_HTML_POINT;
  case FOREIGN(LANNER_MATHML, TAG_MI):
  case FOREIGN(LANNER_MATHML, TAG_MO):
  case FOREIGN(LANNER_MATHML, TAG_MN):
  case FOREIGN(LANNER_MATHML, TAG_MS):
  case FOREIGN(LANNER_MATHML, TAG_MTEXT): return ENTRY_TEXT_POINT;
  case FOREIGN(LANNER_MATHML, TAG_ANNOTATION_XML):
    return value_is(P, encoding, "text/html") || value_is(P, encoding, "application/xhtml+xml")
               ? ENTRY_HTML_POINT
               : 0;
  default: return 0;
  }
}
static bool FN(foreign_is_special)(u32 word, u32 points) {
  return points || word == FOREIGN(LANNER_MATHML, TAG_ANNOTATION_XML);
}

/* --- adjusting --- */
static void FN(adjust_attributes)(struct parser *P, u32 space) {
  attribute *a = P->document->attributes + P->token.attribute_first;
  for (u32 i = 0; i < P->token.attribute_count; i++) {
    u32 known = attribute_name(&a[i]) - ELEMENT_NAMES;
    if (known >= KNOWN_ATTRIBUTES) continue;
    u32 name = known + ELEMENT_NAMES;
    if (space == LANNER_SVG)
      name = svg_attribute_adjusted[known];
    else if (name == ATTR_DEFINITIONURL)
      name = ATTR_ADJUSTED_DEFINITIONURL;
    u32 attribute_space = foreign_attribute_namespace[known];
    a[i].name = (a[i].name & ~(WORD_NAME | ATTRIBUTE_NAMESPACE)) | name |
                attribute_space << ATTRIBUTE_NAMESPACE_SHIFT;
  }
}

/* "Insert a foreign element" for the token; pops it again when the tag closes itself. */
static NOINLINE void FN(insert_a_foreign_element)(struct parser *P, u32 space) {
  struct token *t = &P->token;
  u32 name = t->name, word = identity(space, name);
  u32 points = FN(points)(P, word, token_attribute(P, ATTR_ENCODING));
  if (t->attribute_count) FN(adjust_attributes)(P, space);
  u32 adjusted = space == LANNER_SVG && name < ELEMENT_NAMES ? svg_tag_adjusted[name] : name;
  u32 id = FN(op_create_element)(P, space, adjusted, t->attribute_first, t->attribute_count, false);
  FN(op_note_source)(P, id);
  if (t->self_closing) {
    FN(insert_leaf)(P, id);
#if CHECKED
    P->tree->self_closing_done = true;
#endif
    return;
  }
  FN(insert_node)(P, id);
  stack_push(P->tree, P->document, id, word | points,
             FN(foreign_is_special)(word, points) ? CATEGORY_SPECIAL | CATEGORY_SCOPE : 0);
}
static void FN(insert_a_math_element)(struct parser *P) {
  FN(insert_a_foreign_element)(P, LANNER_MATHML);
}
static void FN(insert_an_svg_element)(struct parser *P) {
  FN(insert_a_foreign_element)(P, LANNER_SVG);
}

/* --- which tokens the rules are for; the adjusted current node is foreign --- */
static bool FN(foreign_takes_start_tag)(struct parser *P) {
  u32 word = FN(adjusted_current)(P), name = P->token.name;
  if (!is_foreign(word) || (word & ENTRY_HTML_POINT)) return false;
  if (word & ENTRY_TEXT_POINT) return name == TAG_MGLYPH || name == TAG_MALIGNMARK;
  return (word & ENTRY_IDENTITY) != FOREIGN(LANNER_MATHML, TAG_ANNOTATION_XML) || name != TAG_SVG;
}
static bool FN(foreign_takes_characters)(struct parser *P) {
  u32 word = FN(adjusted_current)(P);
  return is_foreign(word) && !(word & (ENTRY_HTML_POINT | ENTRY_TEXT_POINT));
}

/* --- the rules --- */

/* Tags that cannot be inside foreign content leave it. */
static COLD void FN(break_out)(struct parser *P) {
  struct tree *T = P->tree;
  TREE_ERROR(P, ERROR_tree_misplaced_in_foreign_content);
  while (is_foreign(current_entry(T)->word) &&
         !(current_entry(T)->word & (ENTRY_HTML_POINT | ENTRY_TEXT_POINT)))
    FN(pop)(P);
}
static bool FN(breaks_out)(struct parser *P) {
  u32 name = P->token.name;
  if (category_of(name) & CATEGORY_BREAKOUT) return true;
  return name == TAG_FONT && (token_attribute(P, ATTR_COLOR) || token_attribute(P, ATTR_FACE) ||
                              token_attribute(P, ATTR_SIZE));
}
static NOINLINE void FN(foreign_start_tag)(struct parser *P) {
  if (UNLIKELY(FN(breaks_out)(P))) {
    FN(break_out)(P);
    FN(start_rules)(P, P->tree->mode);
    return;
  }
  FN(insert_a_foreign_element)(P, word_namespace(FN(adjusted_current)(P)));
}
static NOINLINE void FN(foreign_end_tag)(struct parser *P) {
  struct tree *T = P->tree;
  u32 name = P->token.name;
  if (name == TAG_BR || name == TAG_P) {
    FN(break_out)(P);
    FN(end_rules)(P, T->mode);
    return;
  }
  u32 position = *last_position(T, P->document, identity(LANNER_SVG, name));
  if (position != T->top) TREE_ERROR(P, ERROR_tree_unclosed_element);
  if (T->top == 1) return;
  if (position > last_html(T, T->top))
    FN(pop_to)(P, position);
  else
    FN(end_rules)(P, T->mode);
}
static NOINLINE void FN(foreign_characters)(struct parser *P) {
  struct tree *T = P->tree;
  if (T->frameset_ok && leading_space(P->document, T->characters) < T->characters.length)
    T->frameset_ok = false;
  FN(insert_the_characters)(P);
}
/* U+0000, COUNT times, becomes U+FFFD. */
static COLD void FN(foreign_nulls)(struct parser *P, u32 count) {
  lanner_document *d = P->document;
  TREE_ERROR(P, ERROR_tree_misplaced_null_character);
  while (count) {
    u32 some = count < 4096 ? count : 4096;
    u32 at = d->strings_length;
    if (OPS_KEEP_TEXT) {
      if (!store_reserve_strings(d, 3 * some)) {
        P->stop = (uint8_t)d->status;
        return;
      }
      for (u32 i = 0; i < some; i++) store_put(d, (const byte *)"\xEF\xBF\xBD", 3);
    }
    P->tree->characters = (slice){at, 3 * some, true};
    FN(insert_the_characters)(P);
    count -= some;
  }
}
