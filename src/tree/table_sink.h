/* table_sink.h - the sink of a foreign tree: the tree builder, and what is done after each of its
 * tokens. Included once, by lanner.c. */

/* The list of formatting elements keeps the token's attributes; nothing else does. */
static void FN(forget_attributes)(struct parser *P) {
  const struct tree *T = P->tree;
  const struct formatting *last = &T->formats[T->format_last];
  if (T->format_last && last->word && last->attribute_count &&
      last->attribute_first == P->token.attribute_first)
    return;
  P->document->attribute_count = P->token.attribute_first;
}

/* A script element is complete, and may be run. */
static COLD void FN(end_script)(struct parser *P, u32 id) {
  struct table *t = P->document->table;
  if (!t->ops.script_ended || t->failed) return;
  int answer = t->ops.script_ended(t->tree, id);
  if (answer == LANNER_PAUSE && t->may_pause) {
    P->pause = 1;
    t->paused = true;
  } else if (answer != LANNER_CONTINUE && answer != LANNER_PAUSE) {
    table_fail(P->document);
  }
}

static void FN(table_start_tag)(struct parser *P) {
  struct table *t = P->document->table;
  FN(tree_start_tag)(P, P->token.name);
  FN(forget_attributes)(P);
  if (UNLIKELY(P->document->error_count != 0)) table_tell_errors(P->document, UINT64_MAX);
  if (UNLIKELY(t->script != 0)) {
    FN(end_script)(P, t->script);
    t->script = 0;
  }
}
static void FN(table_end_tag)(struct parser *P) {
  u32 script = 0;
  if (UNLIKELY(P->token.name == TAG_SCRIPT)) {
    u32 word = current_entry(P->tree)->word & ENTRY_IDENTITY;
    if (word == TAG_SCRIPT || word == FOREIGN(LANNER_SVG, TAG_SCRIPT))
      script = current_node(P->tree);
  }
  FN(tree_end_tag)(P);
  if (UNLIKELY(P->document->error_count != 0)) table_tell_errors(P->document, UINT64_MAX);
  if (script) FN(end_script)(P, script);
}

static void FN(table_characters)(struct parser *P, slice s, const byte *start, const byte *end) {
  FN(tree_characters_at)(P, s, start, end);
  if (UNLIKELY(P->document->error_count != 0)) table_tell_errors(P->document, offset_of(P, end));
}

#define SINK_CHARACTERS(P, s, start, end) FN(table_characters)(P, s, start, end)
#define SINK_START_TAG(P) FN(table_start_tag)(P)
#define SINK_END_TAG(P) FN(table_end_tag)(P)
