/* report.h - parse errors of tree construction, at the start of the token. Checked instances only.
 *
 * The Standard speaks of single characters; here a run of them is one error, however the input cut
 * it: an error of characters that goes on from where the same one ended before is not told again.
 */
#ifndef LANNER_TREE_REPORT_H
#define LANNER_TREE_REPORT_H

#include "tokenizer/report.h"
#include "tree/builder.h"

static COLD void report_tree_error(struct parser *P, u32 code) {
  struct tree *T = P->tree;
  if (!P->records_errors) return;
  if (T->run_end) {
    bool goes_on = T->text_errors[code] == P->token.start + 1;
    T->text_errors[code] = T->run_end + 1;
    if (goes_on) return;
  }
  report_error(P, code, P->base + P->token.start);
}

#endif
