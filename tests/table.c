/* table.c - the list of table.h as an array, for main_plain.c. */
#include "test.h"

#ifndef TEST_TABLE
#define TEST_TABLE "table.h"
#endif
#include TEST_TABLE

#define LANNER_DECLARE(group, name) void test_##group##_##name(void);
LANNER_TESTS(LANNER_DECLARE)

#define LANNER_ENTRY(group, name) {#group, #name, test_##group##_##name},
const struct test test_table[] = {LANNER_TESTS(LANNER_ENTRY)};
const size_t test_table_count = sizeof test_table / sizeof test_table[0];
