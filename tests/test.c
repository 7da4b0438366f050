/* test.c - counts checks and failures of the running test; reads exceptions.txt; finds the shared
 * test data, or the suites that a package carries. See test.h. */
#define _POSIX_C_SOURCE 200809L
#include "test.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Where `make suites` puts them; the self-test's runners have none. */
#ifndef LANNER_TEST_SUITES
#define LANNER_TEST_SUITES ""
#endif

enum { PRINTED_FAILURES = 12, MAX_EXCEPTIONS = 256 };

static struct {
  char name[128];
  unsigned long checks, failures;
  bool skipped;
  char reason[512];
} now;

/* A line of exceptions.txt: GROUP.NAME|CASE|REASON; a GROUP.NAME that ends in * stands for all
 * tests that begin so, a CASE for its run with scripting, too. */
static struct exception {
  char line[512];
  const char *test, *name, *reason;
  bool failed, passed;
} exceptions[MAX_EXCEPTIONS];
static size_t exception_count;
static int exceptions_read; /* 0: not yet, 1: yes, -1: bad file */

bool test_passed(void) {
  now.checks++;
  return true;
}

static bool failed(const char *file, int line, const char *format, va_list arguments) {
  now.checks++;
  if (now.failures++ < PRINTED_FAILURES) {
    fprintf(stderr, "%s:%d: %s: ", file, line, now.name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
  } else if (now.failures == PRINTED_FAILURES + 1) {
    fprintf(stderr, "%s: further failures of this test are counted, not printed\n", now.name);
  }
  return false;
}

bool test_failed(const char *file, int line, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  failed(file, line, format, arguments);
  va_end(arguments);
  return false;
}

void test_note(const char *format, ...) {
  va_list arguments;
  char text[1024];
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  printf("%s: %s\n", now.name, text);
  fflush(stdout);
}

void test_skip(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(now.reason, sizeof now.reason, format, arguments);
  va_end(arguments);
  now.skipped = true;
}

const char *test_skip_reason(void) { return now.reason; }

static const char *shared_base(void) {
  const char *base = getenv("LANNER_SHARED");
  return base && *base ? base : NULL;
}

static bool exists(const char *path) {
  struct stat status;
  return stat(path, &status) == 0;
}

bool test_suites_of_package(void) {
  return !shared_base() && !exists("../shared") && exists(LANNER_TEST_SUITES "/conformance");
}

char *test_shared_path(const char *rel) {
  const char *base = shared_base();
  if (!base) base = test_suites_of_package() ? LANNER_TEST_SUITES : "../shared";
  size_t size = strlen(base) + strlen(rel) + 2;
  char *path = malloc(size);
  if (!path) abort();
  snprintf(path, size, "%s/%s", base, rel);
  if (exists(path)) return path;
  free(path);
  if (test_suites_of_package())
    test_skip("missing %s, which the package of `make suites` lacks (set LANNER_SHARED)", rel);
  else
    test_skip("missing %s (set LANNER_SHARED to the folder that holds it, or `make suites` for the "
              "suites of a package)",
              rel);
  return NULL;
}

bool test_full_effort(void) {
  const char *effort = getenv("LANNER_TEST_EFFORT");
  return !effort || strcmp(effort, "quick") != 0;
}

static bool read_exceptions_of(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    fprintf(stderr, "%s: cannot be read (tests run in the top folder)\n", path);
    return false;
  }
  bool good = true;
  char line[512];
  while (fgets(line, sizeof line, file)) {
    line[strcspn(line, "\r\n")] = 0;
    if (!line[0] || line[0] == '#') continue;
    if (exception_count == MAX_EXCEPTIONS) {
      good = false;
      break;
    }
    struct exception *entry = &exceptions[exception_count];
    memcpy(entry->line, line, sizeof line);
    entry->test = entry->line;
    char *bar = strchr(entry->line, '|');
    char *second = bar ? strchr(bar + 1, '|') : NULL;
    if (!second || !second[1]) {
      fprintf(stderr, "%s: not TEST|CASE|REASON: %s\n", path, line);
      good = false;
      continue;
    }
    *bar = *second = 0;
    entry->name = bar + 1;
    entry->reason = second + 1;
    exception_count++;
  }
  fclose(file);
  return good;
}

static void read_exceptions(void) {
  if (exceptions_read) return;
  bool good = read_exceptions_of("tests/exceptions.txt");
  if (test_suites_of_package()) good &= read_exceptions_of("tests/exceptions_package.txt");
  exceptions_read = good ? 1 : -1;
}

bool test_print_exceptions(void) {
  read_exceptions();
  printf("exceptions (tests/exceptions.txt%s): %zu\n",
         test_suites_of_package() ? ", tests/exceptions_package.txt" : "", exception_count);
  for (size_t i = 0; i < exception_count; i++)
    printf("  %s %s: %s\n", exceptions[i].test, exceptions[i].name, exceptions[i].reason);
  fflush(stdout);
  return exceptions_read == 1;
}

static bool excepted(const struct exception *entry, const char *name) {
  size_t length = strlen(entry->test);
  bool test = length && entry->test[length - 1] == '*'
                  ? strncmp(entry->test, now.name, length - 1) == 0
                  : strcmp(entry->test, now.name) == 0;
  size_t named = strlen(entry->name);
  return test && strncmp(entry->name, name, named) == 0 &&
         (name[named] == 0 || strcmp(name + named, " (scripting)") == 0);
}

bool test_case(const char *name, bool ok) {
  for (size_t i = 0; i < exception_count; i++) {
    struct exception *entry = &exceptions[i];
    if (!excepted(entry, name)) continue;
    if (ok)
      entry->passed = true;
    else
      entry->failed = true;
    return true;
  }
  return ok;
}

enum test_outcome test_run(const struct test *test) {
  memset(&now, 0, sizeof now);
  snprintf(now.name, sizeof now.name, "%s.%s", test->group, test->name);
  read_exceptions();
  for (size_t i = 0; i < exception_count; i++) exceptions[i].passed = exceptions[i].failed = false;
  test->body();
  for (size_t i = 0; i < exception_count; i++)
    if (exceptions[i].passed && !exceptions[i].failed)
      test_failed("tests/exceptions.txt", 0, "%s passes: take it off the list", exceptions[i].name);
  if (exceptions_read != 1) test_failed("tests/exceptions.txt", 0, "unusable");
  if (now.checks == 0 && !now.skipped) test_failed(__FILE__, __LINE__, "the test checked nothing");
  if (now.failures) {
    fprintf(stderr, "%s: %lu of %lu checks failed\n", now.name, now.failures, now.checks);
    return TEST_FAIL;
  }
  return now.skipped ? TEST_SKIPPED : TEST_OK;
}
