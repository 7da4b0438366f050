/* exact.h - the sink of the exact token mode: each token goes to the user, then to the tree builder,
 * which decides on the tokenizer's state and builds nothing. Included once, by lanner.c. */

#define SINK_NULLS(P, count)                                                                       \
  do {                                                                                             \
    token_nulls(P, count);                                                                         \
    FN(tree_nulls)(P, count);                                                                      \
  } while (0)
#define SINK_CHARACTERS(P, s, start, end)                                                          \
  do {                                                                                             \
    token_characters(P, (s).offset, (s).length, (s).string, start, end);                           \
    FN(tree_characters)(P, (s).offset, (s).length, (s).string);                                    \
  } while (0)
#define SINK_START_TAG(P)                                                                          \
  do {                                                                                             \
    token_tag(P, LANNER_TOKEN_START_TAG);                                                          \
    FN(tree_start_tag)(P, P->token.name);                                                          \
    D->attribute_count = P->token.attribute_first; /* lists compare hashes */                      \
  } while (0)
#define SINK_END_TAG(P)                                                                            \
  do {                                                                                             \
    token_tag(P, LANNER_TOKEN_END_TAG);                                                            \
    FN(tree_end_tag)(P);                                                                           \
  } while (0)
#define SINK_COMMENT(P)                                                                            \
  do {                                                                                             \
    token_comment(P);                                                                              \
    FN(tree_comment)(P);                                                                           \
  } while (0)
#define SINK_PI(P)                                                                                 \
  do {                                                                                             \
    token_pi(P);                                                                                   \
    FN(tree_pi)(P);                                                                                \
  } while (0)
#define SINK_DOCTYPE(P)                                                                            \
  do {                                                                                             \
    token_doctype(P);                                                                              \
    FN(tree_doctype)(P);                                                                           \
  } while (0)
#define SINK_EOF(P)                                                                                \
  do {                                                                                             \
    FN(tree_eof)(P);                                                                               \
    token_eof(P);                                                                                  \
  } while (0)
#define SINK_CDATA_ALLOWED(P) FN(tree_cdata_allowed)(P)
#define SINK_ATTRIBUTE(P, id, value, length) token_tell_attribute(P, id, value, length)
#define SINK_ATTRIBUTE_VALUE(P, s) token_tell_value(P, s)
