#!/bin/sh
# Every test body in tests/*.c stands in table.h: a body that no runner knows is never run.
set -eu
cd "$(dirname "$0")/.."
bodies=$(sed -n 's/^void test_\([a-z]*\)_\([a-z0-9_]*\)(void) {.*$/\1, \2/p' test_*.c | sort)
entries=$(sed -n 's/.*X(\([a-z]*, [a-z0-9_]*\)).*/\1/p' table.h | grep -v '^group, name$' | sort)
if [ "$bodies" != "$entries" ]; then
  echo "tests/table.h and the bodies in tests/test_*.c differ:" >&2
  printf '%s\n' "$bodies" "$entries" | sort | uniq -u >&2
  exit 1
fi
echo "table: $(printf '%s\n' "$entries" | wc -l) tests, all registered"
