#!/usr/bin/env python3
"""Shows that the tests reach what they must: `make coverage`.

usage: coverage.py BUILD GEN      BUILD holds the instrumented runner

1. The own tokenizer cases (regress.tokenizer) reach each of the Standard's states.
2. The tests of failing allocators (memory.failing) reach each allocation of the parser.
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


def missing_allocations():
    counts = lines_run("memory.failing")
    sites, missing = 0, []
    for path in sorted(glob.glob("src/tree/*") + glob.glob("src/tokenizer/*") + glob.glob("src/document/*")):
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if "heap_resize(" not in line:
                    continue
                sites += 1
                run = counts.get(os.path.normpath(path), {})
                if not any(run.get(n, 0) for n in range(number, number + 3)):
                    missing.append(f"{path}:{number}: {line.strip()}")
    return sites, missing


bad = 0
for what, (count, missing) in (("states reached by the own cases", missing_states()),
                               ("allocations reached by the tests of failing allocators", missing_allocations())):
    print(f"{what}: {count - len(missing)} of {count}")
    for item in missing:
        print(f"  not reached: {item}")
        bad = 1
sys.exit(bad)
