#!/usr/bin/env python3
"""Shows that the tests reach what they must: `make coverage`.

usage: coverage.py BUILD GEN      BUILD holds the instrumented runner

1. The own tokenizer cases (regress.tokenizer) reach each of the Standard's states.
2. The tests of failing allocators (memory.failing, extract.memory) reach each allocation of the library
   and see it fail: where failing calls came from is asked of the test allocator.
"""
import glob
import gzip
import json
import os
import re
import subprocess
import sys

build, gen = sys.argv[1], sys.argv[2]


def lines_run(*tests):
    """File -> line -> count, after running only TESTS."""
    for data in glob.glob(os.path.join(build, "**", "*.gcda"), recursive=True):
        os.remove(data)
    environment = dict(os.environ, LANNER_TEST_EFFORT="quick")
    subprocess.run([os.path.join(build, "tests", "plain"), *tests], env=environment, stdout=subprocess.DEVNULL)
    objects = os.path.join(build, "obj")
    subprocess.run(["gcov", "--json-format", "-o", objects, os.path.join(objects, "lanner.gcda")],
                   cwd=".", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    counts = {}
    for name in glob.glob("*.gcov.json.gz"):
        with gzip.open(name) as file:
            for source in json.load(file)["files"]:
                lines = counts.setdefault(os.path.normpath(source["file"]), {})
                for line in source["lines"]:
                    lines[line["line_number"]] = lines.get(line["line_number"], 0) + line["count"]
        os.remove(name)
    return counts


def missing_states():
    counts = lines_run("regress.tokenizer")
    machine = os.path.normpath(os.path.join(gen, "tokenizer.inc"))
    run = counts.get(machine)
    if not run:
        sys.exit(f"no counts for {machine}")
    states = [line.split()[1] for line in open("grammar/states.txt") if line.strip() and not line.startswith("#")]
    starts = {}
    with open(machine, encoding="utf-8", errors="replace") as file:
        text = file.read().splitlines()
    for number, line in enumerate(text, 1):
        label = re.match(r"yyc_(\w+):", line)
        if label:
            starts[label.group(1)] = number
    missing = []
    for state in states:
        first = starts.get(state)
        if first is None:
            missing.append(state + " (no label)")
            continue
        following = [n for n in range(first, min(first + 12, len(text) + 1)) if n in run]
        if not any(run[n] for n in following):
            missing.append(state)
    return len(states), missing


def allocation_sites():
    """(path, line) of each call that asks for memory."""
    sites = []
    for path in sorted(glob.glob("src/**/*.[ch]", recursive=True)):
        if path.split(os.sep)[1] in ("cli", "warc"):
            continue  # the command has its own memory
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if not re.search(r"(heap_resize|allocator\.reallocate)\(", line):
                    continue
                if re.match(r"(static )?void \*heap_resize\(", line) or path == os.path.join("src", "base", "heap.c"):
                    continue
                sites.append((path, number))
    return sites


def missing_allocations():
    record = os.path.join(build, "failing")
    if os.path.exists(record):
        os.remove(record)
    os.environ["LANNER_TEST_SITES"] = record
    counts = lines_run("memory.failing", "extract.memory")
    del os.environ["LANNER_TEST_SITES"]
    with open(record, encoding="ascii") as file:
        # The address behind a call may belong to the next line.
        addresses = sorted({hex(int(line, 16) - 1) for line in file})
    done = subprocess.run(["addr2line", "-e", os.path.join(build, "tests", "plain"), *addresses],
                          capture_output=True, text=True, check=True)
    failed = set()
    for row in done.stdout.splitlines():
        path, _, number = row.split(" ")[0].rpartition(":")
        if number.isdigit():
            failed.add((os.path.relpath(path), int(number)))
    sites, missing = allocation_sites(), []
    for path, number in sites:
        run = counts.get(os.path.normpath(path), {})
        times = max(run.get(n, 0) for n in range(number, number + 3))
        fails = any((path, n) in failed for n in range(number, number + 3))
        print(f"  {path}:{number}: {times} times, {'fails' if fails else 'NEVER FAILS'}")
        if not times or not fails:
            missing.append(f"{path}:{number}")
    return len(sites), missing


bad = 0
for what, (count, missing) in (("states reached by the own cases", missing_states()),
                               ("allocations reached and seen to fail by the tests of failing allocators", missing_allocations())):
    print(f"{what}: {count - len(missing)} of {count}")
    for item in missing:
        print(f"  MISSING: {item}")
        bad = 1
sys.exit(bad)
