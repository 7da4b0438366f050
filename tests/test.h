/* test.h - what a test body may use. A body is a plain function without arguments; table.h lists
 * all of them; main_criterion.c and main_plain.c run the list. A body that checks nothing fails,
 * so a test cannot pass by doing nothing. Bodies run in one thread at a time.
 */
#ifndef LANNER_TEST_H
#define LANNER_TEST_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__GNUC__)
#define TEST_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#else
#define TEST_PRINTF(text, first)
#endif

/* Counts a check; when COND is false, counts and prints a failure and goes on. Values: COND. */
#define TEST_CHECK(cond) TEST_CHECK_MSG(cond, "%s", #cond)
#define TEST_CHECK_MSG(cond, ...)                                                                  \
  test_checked((cond) ? test_passed() : test_failed(__FILE__, __LINE__, __VA_ARGS__))

bool test_passed(void); /* true */
/* false */
bool test_failed(const char *file, int line, const char *format, ...) TEST_PRINTF(3, 4);
static inline bool test_checked(bool ok) { return ok; }

/* Prints a line that belongs to the running test: counts, sampling, trends. */
void test_note(const char *format, ...) TEST_PRINTF(1, 2);

/* The path of REL below the folder with the shared test data: $LANNER_SHARED, else ../shared, else
 * what `make suites` fetched. NULL, and the test counts as "missing REL", when there is nothing at
 * that path. Free it. */
char *test_shared_path(const char *rel);

/* True: what test_shared_path finds are the suites of a package, older than the test data. They have
 * fewer cases, and those of exceptions_package.txt fail. */
bool test_suites_of_package(void);

/* The running test cannot be run here; REASON is printed and the test counts as skipped. */
void test_skip(const char *format, ...) TEST_PRINTF(1, 2);

/* The result of a named case of a suite. A failing case that exceptions.txt lists for the running
 * test is no failure; a listed case that does not fail is one. True: the case is as it should be. */
bool test_case(const char *name, bool ok);

/* True: all cuts of all cases. False (LANNER_TEST_EFFORT=quick, for sanitizers and valgrind): a
 * sample, which the suites report. */
bool test_full_effort(void);

/* --- for the runners --- */
struct test {
  const char *group, *name;
  void (*body)(void);
};
extern const struct test test_table[];
extern const size_t test_table_count;

enum test_outcome { TEST_OK, TEST_FAIL, TEST_SKIPPED };
enum test_outcome test_run(const struct test *test);
/* Prints the exceptions list; false when it cannot be read or an entry has no reason. */
bool test_print_exceptions(void);
/* Why the last test was skipped. */
const char *test_skip_reason(void);

#endif
