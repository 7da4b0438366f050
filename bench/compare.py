#!/usr/bin/env python3
"""This tree's library against another build of it, interleaved in one run: make bench-compare BASE=COMMIT.

The base is laid into BUILD/base/COMMIT and built there with today's flags. Its own adapter is
used where it has one for the same contestant.h, else today's.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=True).stdout.strip()


def build_base(arguments):
    """The base's plugin, made when it is not there yet."""
    try:
        commit = git("rev-parse", "--short=10", f"{arguments.base}^{{commit}}")
    except subprocess.CalledProcessError:
        sys.exit(f"bench-compare: there is no commit {arguments.base!r}; say BASE=COMMIT")
    tree = Path(arguments.build, "base", commit).resolve()
    flags = arguments.flags.split()
    stamp = tree / "build" / "plugin-flags"
    plugin = tree / "build" / "base.so"
    if plugin.exists() and stamp.exists() and stamp.read_text() == arguments.flags:
        return plugin, commit
    if not tree.exists():
        # A plain copy: a work tree of git's would have to be taken back from its list later.
        tree.mkdir(parents=True)
        archive = subprocess.run(["git", "archive", commit], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
        subprocess.run(["tar", "-x", "-C", str(tree)], input=archive, check=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    subprocess.run(["make", "-s", "gen"], cwd=tree, env=environment, check=True)
    adapter = tree / "bench" / "adapters" / "lanner.c"
    same = adapter.exists() and \
        (tree / "bench" / "contestant.h").read_text() == (HERE / "contestant.h").read_text()
    adapter = adapter if same else HERE / "adapters" / "lanner.c"
    includes = [f"-I{HERE}", f"-I{tree}/include", f"-I{tree}/src", f"-I{tree}/build/gen"]
    subprocess.run([arguments.cc, "-std=c11", "-w", *flags, "-fPIC", "-fvisibility=hidden", "-shared", "-Wl,-Bsymbolic",
                    *includes, "-o", str(plugin), str(adapter), str(tree / "src" / "lanner.c")], check=True)
    stamp.write_text(arguments.flags)
    return plugin, commit


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--pages", required=True)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--flags", default="-O3 -march=native")
    parser.add_argument("--base", help="a commit")
    parser.add_argument("--plugin", help="a built plugin instead of a commit")
    parser.add_argument("--label", default="base")
    parser.add_argument("--rows", default="abcdefgh")
    parser.add_argument("--rounds", default="20")
    parser.add_argument("--small", default="30000")
    parser.add_argument("--step", default="1")
    arguments = parser.parse_args()
    if arguments.plugin:
        plugin, label = Path(arguments.plugin).resolve(), arguments.label
    else:
        plugin, commit = build_base(arguments)
        label = f"base {commit}"
    bench = Path(arguments.build, "bench").resolve()
    run = subprocess.run([str(bench / "runner"), "--kept-heap", "--pages", arguments.pages, "--rows", arguments.rows,
                          "--rounds", arguments.rounds, "--small", arguments.small, "--step", arguments.step,
                          "--budget", "1000", f"{label}={plugin}", f"this tree={bench / 'lanner.so'}"],
                         stdout=subprocess.PIPE, text=True)
    if run.returncode:
        sys.exit(f"bench-compare: the runner failed ({run.returncode}) on {arguments.pages}; "
                 "BENCH_PAGES or LANNER_SHARED says where pages are")
    data = json.loads(run.stdout)
    print(f"{'':<52}{label:>20}{'this tree':>12}{'ratio':>8}{'median page':>13}   (MB/s, kept heap)")
    for row in data["rows"]:
        if row["row"] in ("", "memcpy") or len(row["results"]) != 2:
            continue
        base, ours = row["results"]
        rates = [row["bytes"] / result["seconds"] / 1e6 for result in (base, ours)]
        pages = [theirs / mine for theirs, mine in zip(base.get("pages", []), ours.get("pages", []))]
        median = f"{statistics.median(pages):13.3f}" if pages else ""
        print(f"({row['row']}) {row['title'][:50 - len(row['row'])]:<{50 - len(row['row'])}}{rates[0]:>19,.0f}{rates[1]:>12,.0f}{rates[1] / rates[0]:8.3f}{median}")
        if pages:
            groups = [(group["name"], base["groups"][i] / ours["groups"][i])
                      for i, group in enumerate(data["groups"]) if group["pages"]]
            print("    " + ", ".join(f"{name} {ratio:.3f}" for name, ratio in groups))
    print("Between two launches of the same code 3% are usual, in groups of small pages more: launch it several times. A change that wins on one kind may lose on another.")


if __name__ == "__main__":
    main()
