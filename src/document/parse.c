/* parse.c - parser state's end of life. */
#include "tokenizer/parser.h"

static void parser_release(struct parser *P) {
  struct heap *h = &P->document->heap;
  heap_release(h, P->source.raw, LANNER_SNIFF_BYTES);
}
