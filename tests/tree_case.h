/* tree_case.h - one case of a tree suite and the ways to run it; the sources of cases. */
#ifndef LANNER_TEST_TREE_CASE_H
#define LANNER_TEST_TREE_CASE_H

#include "dat.h"

struct tree_case {
  char name[160];     /* "tests1.dat:12", plus " (scripting)" */
  lanner_string data; /* as fed */
  const lanner_context *context;
  uint32_t flags; /* LANNER_SCRIPTING, LANNER_NO_SHADOW */
  lanner_string expected;
  bool joined; /* adjacent text nodes are joined in EXPECTED */
  bool sniff;  /* tree_case_tokens: bytes whose encoding is to be found out, not UTF-8 */
  const struct dat_case *dat; /* for the errors; may be NULL */
};

typedef void (*tree_visitor)(const struct tree_case *test);

/* Whole: fast, checked, padded, with spans; soundness, errors, positions, spans. */
void tree_case_whole(const struct tree_case *test);
/* Byte by byte, fast and checked. */
void tree_case_bytes(const struct tree_case *test);
/* Cut in two everywhere (or a sample), fast and checked. */
void tree_case_cuts(const struct tree_case *test);
/* Over a foreign tree: whole, with errors and places in the source, and cut in two everywhere (or a
 * sample), against the expected tree and the document. */
void tree_case_foreign(const struct tree_case *test);
/* Tokens of the exact mode against the tree, and against the simulator. */
void tree_case_tokens(const struct tree_case *test);
/* Frees what the visitors keep between cases. */
void tree_case_finish(void);

struct tree_totals {
  size_t cases, runs, data_bytes;
};
/* All cases of the .dat files of FOLDER, in each of their scripting modes. */
void visit_dat_folder(const char *folder, const char *suffix, tree_visitor visit,
                      struct tree_totals *totals);

#endif
