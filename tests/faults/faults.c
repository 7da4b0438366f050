/* faults.c - the planted faults: a leak, a read outside of a block, an undefined shift, a check
 * that fails, a test that checks nothing, a suite that is missing. */
#include "../test.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void test_fault_none(void) { TEST_CHECK(test_table_count == 7); }

static void *volatile lost;

void test_fault_leak(void) {
  lost = malloc(100);
  TEST_CHECK(lost != NULL);
  lost = NULL;
}

void test_fault_read(void) {
  volatile size_t index = 8;
  volatile char *block = malloc(8);
  memset((char *)(uintptr_t)block, 1, 8);
  TEST_CHECK(block[index - 1] == 1);
  volatile char value = block[index];
  (void)value;
  free((char *)(uintptr_t)block);
}

void test_fault_shift(void) {
  volatile int distance = 32;
  volatile int value = 1 << distance;
  (void)value;
  TEST_CHECK(true);
}

void test_fault_check(void) {
  volatile int zero = 0;
  TEST_CHECK_MSG(zero == 1, "planted");
}

void test_fault_nothing(void) {}

void test_fault_missing(void) {
  char *path = test_shared_path("no/such/suite");
  TEST_CHECK(path == NULL);
  free(path);
}
