/* main_criterion.c - registers every entry of the table with Criterion and runs them; the default
 * runner, whose summary counts. A missing suite is a skipped test with its reason, and a failure
 * with LANNER_REQUIRE_ALL=1. Filter: criterion --filter 'group/name'.
 */
#include "test.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef TEST_TABLE
#define TEST_TABLE "table.h"
#endif
#include TEST_TABLE

static void run(const char *group, const char *name, void (*body)(void)) {
  const struct test test = {group, name, body};
  enum test_outcome outcome = test_run(&test);
  const char *all = getenv("LANNER_REQUIRE_ALL");
  if (outcome == TEST_SKIPPED) {
    if (all && strcmp(all, "1") == 0) cr_assert_fail("%s", test_skip_reason());
    printf("skipped: %s.%s: %s\n", group, name, test_skip_reason());
    fflush(stdout);
    cr_skip("%s", test_skip_reason());
  }
  cr_assert(outcome == TEST_OK, "%s.%s failed, see above", group, name);
}

#define LANNER_TEST(group, name)                                                                   \
  void test_##group##_##name(void);                                                                \
  Test(group, name) { run(#group, #name, test_##group##_##name); }
LANNER_TESTS(LANNER_TEST)

int main(int count, char **arguments) {
  struct criterion_test_set *tests = criterion_initialize();
  int result = 0;
  if (criterion_handle_args(count, arguments, true)) {
    bool good = test_print_exceptions();
    result = criterion_run_all_tests(tests) && good ? 0 : 1;
  }
  criterion_finalize(tests);
  return result;
}
