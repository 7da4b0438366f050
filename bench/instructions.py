#!/usr/bin/env python3
"""Counts instructions under callgrind for a fixed small set of pages and compares them with the file
of this compiler, bench/instructions/COMPILER.txt. More than 5% above it fails; --accept writes it.

Counts do not depend on what else the machine does, and hardly on the machine: the library is built
without -march=native. They say nothing about mispredicted branches, so they guard, and the
benchmark decides.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOLERANCE = 1.05
STAGES = ("tokens", "tree", "new", "checked", "serialize")
# A small page, lists, tables, non-Latin, numeric references, text, attributes, scripts; by the number in front of their names.
PAGES = ("008", "038", "058", "079", "094", "161", "201", "204")


def compiler(command):
    """"gcc-12", "clang-14"; the file's name."""
    text = subprocess.run([command, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    version = re.search(r"(\d+)\.\d+\.\d+", text)
    return ("clang-" if "clang" in text else "gcc-") + (version.group(1) if version else "unknown")


def count(program, stage, page):
    with tempfile.NamedTemporaryFile() as output:
        result = subprocess.run(["valgrind", "--tool=callgrind", "--toggle-collect=count_this",
                                 f"--callgrind-out-file={output.name}", str(program), stage, str(page)],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        if result.returncode != 0:
            sys.exit(f"{stage} {page.name}: exit {result.returncode}\n{result.stderr[-500:]}")
        totals = re.search(r"^(?:summary|totals): (\d+)", Path(output.name).read_text(), re.M)
        return int(totals.group(1))


def read(file):
    counts = {}
    for line in file.read_text().splitlines() if file.exists() else []:
        if line and not line.startswith("#"):
            page, stage, number = line.split()
            counts[page, stage] = int(number)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--pages", required=True)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--accept", action="store_true")
    arguments = parser.parse_args()
    for missing, there in (("valgrind", shutil.which("valgrind")),
                           (f"page set ({arguments.pages}; LANNER_SHARED says where the test data is)",
                            Path(arguments.pages).is_dir())):
        if not there:
            print(f"instructions: skipped, there is no {missing}")
            return 1 if arguments.accept or os.environ.get("LANNER_REQUIRE_ALL") else 0
    name = compiler(arguments.cc)
    file = HERE / "instructions" / f"{name}.txt"
    wanted = read(file)
    if not wanted and not arguments.accept:
        print(f"instructions: no counts for {name} yet; make bench-instructions-accept writes bench/instructions/{name}.txt")
        return 0
    pages = [path for path in sorted(Path(arguments.pages).iterdir()) if path.name.split("-")[0] in PAGES]
    program = Path(arguments.build, "bench", "count").resolve()
    found, worse, total = {}, [], [0, 0]
    for page in pages:
        for stage in STAGES:
            number = found[page.name, stage] = count(program, stage, page)
            before = wanted.get((page.name, stage))
            if before:
                total[0] += before
                total[1] += number
                if number > before * TOLERANCE:
                    worse.append(f"{page.name} {stage}: {before:,} before, {number:,} now ({number / before - 1:+.1%})")
    if arguments.accept:
        file.parent.mkdir(exist_ok=True)
        lines = [f"# Instructions of one stage over one page ({name}, -O3, no -march): page, stage, count.",
                 "# Written by: make bench-instructions-accept"]
        lines += [f"{page} {stage} {number}" for (page, stage), number in found.items()]
        file.write_text("\n".join(lines) + "\n")
        print(f"instructions: wrote bench/instructions/{name}.txt")
        return 0
    if not pages or not total[0]:
        print("instructions: none of the pages is there")
        return 1
    print(f"instructions: {total[1] / total[0] - 1:+.2%} against bench/instructions/{name}.txt over {len(pages)} pages")
    if worse:
        print("\n".join(worse))
        print("More than 5% up. If the reason is a good one, make bench-instructions-accept writes the new counts;\n"
              "say the reason in the commit.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
