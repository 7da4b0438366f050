/* main_plain.c - runs the table in one process: the runner for sanitizers, valgrind, emulators and
 * forced SIMD variants. Its exit status counts.
 *
 *   plain [-l] [-x NAME]... [NAME...]   all tests, or those whose "group.name" begins with NAME;
 *                                       -x leaves tests out, -l lists them
 *
 * With LANNER_REQUIRE_ALL=1 a skipped test is a failure.
 */
#define _POSIX_C_SOURCE 200809L
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool begins(const char *full, const char *filter) {
  return strncmp(full, filter, strlen(filter)) == 0;
}

/* Whether each NAME, with -x too, is the beginning of a test's; says which is not. */
static bool names_match(int count, char **arguments) {
  bool all = true;
  for (int i = 1; i < count; i++) {
    bool found = arguments[i][0] == '-';
    for (size_t t = 0; t < test_table_count && !found; t++) {
      char full[128];
      snprintf(full, sizeof full, "%s.%s", test_table[t].group, test_table[t].name);
      found = begins(full, arguments[i]);
    }
    if (!found)
      fprintf(stderr, "no test matches %s; %s -l lists them\n", arguments[i], arguments[0]);
    all &= found;
  }
  return all;
}

int main(int count, char **arguments) {
  size_t passed = 0, failed = 0, skipped = 0;
  bool list = false;
  int filters = 0;
  for (int i = 1; i < count; i++) {
    if (strcmp(arguments[i], "-l") == 0) {
      list = true;
    } else if (strcmp(arguments[i], "-x") == 0 && i + 1 < count) {
      i++;
    } else if (arguments[i][0] == '-') {
      fprintf(stderr, "usage: %s [-l] [-x NAME]... [NAME...]\n", arguments[0]);
      return 2;
    } else {
      filters++;
    }
  }
  if (!names_match(count, arguments)) return 2;
  if (!list && !test_print_exceptions()) failed++;
  for (size_t t = 0; t < test_table_count; t++) {
    const struct test *test = &test_table[t];
    char full[128];
    snprintf(full, sizeof full, "%s.%s", test->group, test->name);
    bool wanted = filters == 0, excluded = false;
    for (int i = 1; i < count; i++) {
      if (strcmp(arguments[i], "-x") == 0 && i + 1 < count)
        excluded |= begins(full, arguments[++i]);
      else if (arguments[i][0] != '-')
        wanted |= begins(full, arguments[i]);
    }
    if (!wanted || excluded) continue;
    if (list) {
      puts(full);
      continue;
    }
    double start = seconds();
    enum test_outcome outcome = test_run(test);
    printf("%-7s %s (%.2f s)",
           outcome == TEST_OK     ? "ok"
           : outcome == TEST_FAIL ? "FAILED"
                                  : "skipped",
           full, seconds() - start);
    if (outcome == TEST_SKIPPED) printf(": %s", test_skip_reason());
    putchar('\n');
    fflush(stdout);
    passed += outcome == TEST_OK;
    failed += outcome == TEST_FAIL;
    skipped += outcome == TEST_SKIPPED;
  }
  if (list) return 0;
  printf("%zu passed, %zu failed, %zu skipped\n", passed, failed, skipped);
  const char *all = getenv("LANNER_REQUIRE_ALL");
  if (all && strcmp(all, "1") == 0 && skipped) return 1;
  return failed ? 1 : 0;
}
