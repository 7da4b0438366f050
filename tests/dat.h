/* dat.h - reads files in the tree-construction test format (.dat), as bytes. */
#ifndef LANNER_TEST_DAT_H
#define LANNER_TEST_DAT_H

#include "support.h"

struct dat_error {
  uint32_t line, column, end_line, end_column; /* a range "(1:2-1:9)", else both ends alike */
  char code[96];
};

struct dat_case {
  unsigned line; /* of "#data" */
  lanner_string data;
  lanner_string document; /* without the empty line behind it, each line ended by a newline */
  bool fragment;
  lanner_context context;
  int script;         /* 1: #script-on, -1: #script-off, 0: both */
  size_t error_lines; /* in #errors and #new-errors */
  struct dat_error *new_errors;
  size_t new_error_count;
  bool has_new_errors;
};

struct dat_file {
  struct bytes text;
  struct dat_case *cases;
  size_t count;
};

/* False, and a failed check that names the line, when the file is not in the format. */
bool dat_read(const char *path, struct dat_file *file);
void dat_free(struct dat_file *file);

/* "td", "svg desc", "math mi" to a context; the name stays where it is. */
lanner_context context_named(lanner_string text);

#endif
