#!/bin/sh
# Self-test of the test runners: planted faults must turn the run red, a clean test must not.
#
#   run.sh PLAIN CRITERION     runners built with sanitizers over faults/table.h
set -u
unset LANNER_REQUIRE_ALL # skipping is one of the things looked at
plain=$1 criterion=$2
out=$(mktemp)
trap 'rm -f "$out"' EXIT
bad=0

# expect red|green PATTERN COMMAND...: the exit status, and PATTERN in the output.
expect() {
  color=$1 pattern=$2
  shift 2
  if "$@" >"$out" 2>&1; then got=green; else got=red; fi
  if [ "$got" != "$color" ] || ! grep -q -e "$pattern" "$out"; then
    echo "self-test: $* is $got, expected $color with '$pattern':" >&2
    cat "$out" >&2
    bad=1
  fi
}

export UBSAN_OPTIONS=print_stacktrace=0
expect green '1 passed, 0 failed' "$plain" fault.none
expect red 'detected memory leaks' "$plain" fault.leak
expect red 'heap-buffer-overflow\|insufficient space' "$plain" fault.read
expect red 'shift exponent 32' "$plain" fault.shift
expect red 'planted' "$plain" fault.check
expect red '1 passed, 1 failed' "$plain" fault.none fault.check
expect red 'checked nothing' "$plain" fault.nothing
expect green '1 skipped' "$plain" fault.missing
expect red 'no test matches' "$plain" fault.typo
expect red 'usage' "$plain" --typo
if [ -n "$criterion" ]; then
  expect green 'Passing: .*1' "$criterion" --filter fault/none
  expect red 'planted' "$criterion" --filter fault/check
  expect red 'checked nothing' "$criterion" --filter fault/nothing
  expect red 'shift exponent 32' "$criterion" --filter fault/shift
  expect green 'missing no/such/suite' "$criterion" --filter fault/missing
fi
export LANNER_REQUIRE_ALL=1
expect red 'missing no/such/suite' "$plain" fault.missing
[ -z "$criterion" ] || expect red 'missing no/such/suite' "$criterion" --filter fault/missing
[ "$bad" = 0 ] && echo "self-test: the runners see planted faults"
exit "$bad"
