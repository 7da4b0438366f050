#!/usr/bin/env python3
"""Runs the benchmark and prints its tables: see bench/README.md.

Four kinds of runs, each in a process of its own: the runner with the C library's heap as it is, the
same with a heap that keeps freed memory, the runner under a counter of heap bytes (row j), and the
Python and Node contestants. A whole run writes bench/results/DATE-COMMIT.md and bench/speed.svg.
"""
import argparse
import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
from pathlib import Path

import chart

HERE = Path(__file__).resolve().parent
DEVNULL = subprocess.DEVNULL


def shell(*command, cwd=HERE):
    try:
        return subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=DEVNULL, text=True,
                              check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def machine():
    """What a figure depends on beside the code."""
    model, memory = "", ""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
        kib = int(Path("/proc/meminfo").read_text().split()[1])
        memory = f", {round(kib / 1048576)} GiB"
    except (OSError, ValueError, IndexError):
        pass
    return f"{model or platform.machine()}, {os.cpu_count()} cores{memory}, {platform.system()} {platform.machine()}"


# --- tables ------------------------------------------------------------------------------------

def table(head, rows):
    """A Markdown table that also reads well as plain text; columns but the first to the right."""
    cells = [head, *rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    line = lambda row: "| " + " | ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                                         for i, (cell, width) in enumerate(zip(row, widths))) + " |"
    rule = "|" + "|".join("-" * (width + 2) if i == 0 else "-" * (width + 1) + ":"
                          for i, width in enumerate(widths)) + "|"
    return "\n".join([line(head), rule, *map(line, rows)])


def number(value, digits=None):
    if value is None:
        return "-"
    if digits is None:
        digits = 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:,.{digits}f}"


def is_ours(name):
    return name.startswith("lanner")


# Rows that say what was seen, so that a reader can check that all did the same work: the names of
# items, attributes and string bytes in that row.
SEEN = {"a": ("tokens", "attributes", "string bytes"), "d": ("nodes", "attributes", "string bytes"),
        "e": ("", "", "bytes written"), "i": ("links", "", "string bytes"), "l": ("", "errors", "")}


class Run:
    """The rows of one run of the runner."""

    def __init__(self, data):
        self.data = data
        self.heap = data["heap"]
        self.rows = {row["row"]: row for row in data["rows"] if row["row"]}

    def results(self, key):
        row = self.rows.get(key)
        return {result["name"]: result for result in row["results"]} if row else {}

    def rate(self, key, name):
        result = self.results(key).get(name)
        return self.rows[key]["bytes"] / result["seconds"] / 1e6 if result and result.get("seconds") else None

    def page_ratios(self, key, name, other="lexbor"):
        """How many times faster than OTHER, page by page."""
        results = self.results(key)
        if name not in results or other not in results or "pages" not in results[name]:
            return []
        return [theirs / ours for ours, theirs in zip(results[name]["pages"], results[other]["pages"])]

    def tokens(self):
        """Tokens of the page set, by lexbor's count (for ns a token), else by the first's."""
        results = self.results("a")
        first = results.get("lexbor") or next(iter(results.values()), None)
        return first["items"] if first else None

    def row_table(self, key):
        row, results = self.rows[key], self.results(key)
        tokens = self.tokens() if row["pages"] == self.data["pages"] else None
        rivals = [name for name in results if not is_ours(name)]
        best = max(rivals, key=lambda name: self.rate(key, name), default=None)
        lines = []
        for contestant, result in sorted(results.items(), key=lambda item: item[1]["seconds"]):
            rate = self.rate(key, contestant)
            ratio = lambda other: number(rate / self.rate(key, other)) if other in results else "-"
            ratios = sorted(self.page_ratios(key, contestant)) if contestant != "lexbor" else []
            lines.append([contestant + (f" ({result['failures']} failed)" if result.get("failures") else ""), number(rate),
                          number(result["seconds"] * 1e9 / tokens) if tokens else "-",
                          ratio("lexbor"), ratio(best) if best else "-",
                          number(statistics.median(ratios)) if ratios else "-",
                          number(ratios[0]) if ratios else "-",
                          *(f"{result[field]:,}" if name else "-" for field, name in
                            zip(("items", "attributes", "string_bytes"), SEEN.get(key, ("", "", ""))))])
        head = ["", "MB/s", "ns a token", "x lexbor", "x best rival", "median page x", "worst page x",
                *SEEN.get(key, ("", "", ""))]
        # Columns that nobody has anything in are left out.
        used = [i for i in range(len(head)) if i == 0 or any(line[i] not in ("-", "0") for line in lines)]
        return table([head[i] for i in used], [[line[i] for i in used] for line in lines])

    def group_table(self, key):
        """By size class and kind: MB/s, and Lanner's ratio to lexbor."""
        results = self.results(key)
        names = sorted(results, key=lambda name: results[name]["seconds"])
        raw = "raw_bytes" if key == "f" else "bytes"
        lines = []
        for index, group in enumerate(self.data["groups"]):
            if not group["pages"]:
                continue
            rate = {name: group[raw] / results[name]["groups"][index] / 1e6 for name in names}
            ratio = number(rate["lanner"] / rate["lexbor"]) if {"lanner", "lexbor"} <= set(names) else "-"
            lines.append([group["name"], str(group["pages"]), number(group["bytes"] / 1e6), ratio,
                          *(number(rate[name]) for name in names)])
        return table(["pages", "count", "MB", "lanner x lexbor", *names], lines)

    def slowest(self, key, count=5):
        ratios = self.page_ratios(key, "lanner")
        order = sorted(range(len(ratios)), key=ratios.__getitem__)[:count]
        return [(self.data["page_names"][i], self.data["page_bytes"][i], ratios[i]) for i in order]


# --- the wanted figures of the issue -------------------------------------------------------------

WORST_PAGE = 2.5


def goals(default, kept, memory):
    """(row, what, reached, wanted) for all that were measured; a ratio of None was not."""
    def times(run, key, rival, name="lanner"):
        ours, theirs = run.rate(key, name), run.rate(key, rival)
        return ours / theirs if ours and theirs else None

    found = []
    add = lambda row, what, value, wanted, least=True: value is not None and found.append(
        (row, what, value, wanted, value >= wanted if least else value <= wanted))
    for run in filter(None, (default, kept)):
        heap = f"{run.heap} heap"
        add("a", f"x lexbor's tokenizer, {heap}", times(run, "a", "lexbor"), 4.5)
        add("a", f"x lol_html with all handlers, {heap}", times(run, "a", "lol_html, all handlers"), 3)
        add("a", f"x lol_html with no handler, {heap}", times(run, "a", "lol_html, no handler"), 1)
        for key in ("b", "c"):
            add(key, f"x lexbor, {heap}", times(run, key, "lexbor"), 6.5 if run is default else 5)
            ratios = run.page_ratios(key, "lanner")
            if ratios:
                add(key, f"median page x lexbor, {heap}", statistics.median(ratios), 8)
                add(key, f"worst page x lexbor, {heap}", min(ratios), WORST_PAGE)
        add("d", f"x lexbor, {heap}", times(run, "d", "lexbor"), 5)
        add("e", f"x lexbor, {heap}", times(run, "e", "lexbor"), 4.5)
        add("g", f"new, x lexbor, {heap}", times(run, "g-new", "lexbor"), 10)
        add("g", f"reused, x lexbor, {heap}", times(run, "g-reused", "lexbor"), 5)
        add("h", f"new, x lexbor, {heap}", times(run, "h-new", "lexbor"), 10)
        add("h", f"reused, x lexbor, {heap}", times(run, "h-reused", "lexbor"), 3)
        threads = run.results("k")
        if "lanner" in threads:
            # One copying process leaves the memory's clock low on some machines: two do more than twice as much.
            add("k", f"of memcpy's scaling (2 at most), {heap}",
                threads["lanner"]["scaling"] / min(threads["memcpy"]["scaling"], 2), 0.95)
        add("m", f"scalar, x lexbor, {heap}", times(run, "m", "lexbor", "lanner-scalar"), 2)
    held = memory.results("j") if memory else {}
    for name in ("lanner, trimmed", "lanner"):
        if name not in held:
            continue
        add("j", f"bytes held a byte of input, {name}", held[name]["held"] / memory.rows["j"]["bytes"], 1.5, False)
        if "lexbor" in held:
            add("j", f"lexbor's held bytes in ours, {name}", held["lexbor"]["held"] / held[name]["held"], 6)
    return found


# --- running -------------------------------------------------------------------------------------

def run_runner(arguments, plugins, variants, *more, counted=False):
    command = [str(Path(arguments.build, "bench", "runner")), *more, "--pages", arguments.pages,
               "--rounds", str(arguments.rounds), "--budget", str(arguments.budget), "--small", str(arguments.small),
               "--step", str(arguments.step)]
    for variant in variants:
        command += ["--variant", f"{variant.stem}={variant}"]
    command += [str(plugin) for plugin in plugins]
    environment = dict(os.environ)
    if counted:
        environment["LD_PRELOAD"] = str(Path(arguments.build, "bench", "heapcount.so").resolve())
    # Only messages of ours belong on the terminal: some parsers print theirs.
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=environment)
    if run.returncode:
        sys.exit(f"bench: the runner failed ({run.returncode}) on {arguments.pages}; BENCH_PAGES or LANNER_SHARED says where pages are")
    return Run(json.loads(run.stdout))


def run_script(arguments, name, command):
    """A table of its own: contestants in another language. None when there are none."""
    rounds, step = ("3", "8") if not arguments.quick else ("2", "24")
    try:
        # Lanner's binding for Python lies beside the rivals' packages.
        environment = {**os.environ, "PYTHONPATH": str(Path(arguments.build, "python").resolve())}
        output = subprocess.run([*command, arguments.pages, step, rounds], stdout=subprocess.PIPE, text=True,
                                check=True, env=environment).stdout
        return json.loads(output)
    except (OSError, subprocess.CalledProcessError, json.JSONDecodeError) as error:
        print(f"{name} contestants: {error}", file=sys.stderr)
        return None


def script_table(data):
    lines = []
    for row in data["results"]:
        rates = [data["bytes"] / row[task] / 1e6 if row.get(task) else None for task in ("tree", "links")]
        lines.append([f"{row['name']} {row['version']}", *map(number, rates), str(row.get("found", "-"))])
    lines.sort(key=lambda line: -float(line[1].replace(",", "") if line[1] != "-" else 0))
    return table(["", "tree, MB/s", "tree and links, MB/s", "links"], lines)


def memory_table(run):
    row, lines = run.rows["j"], []
    for result in sorted(row["results"], key=lambda result: result["held"]):
        lines.append([result["name"], number(result["held"] / row["bytes"]), number(result["peak"] / row["bytes"]),
                      number(result["worst"])])
    return table(["", "held a byte of input", "peak", "most held by a page (8 KB up)"], lines)


def thread_table(run):
    row = run.rows["k"]
    lines = []
    for result in row["results"]:
        two = row["bytes"] * (2 if result["name"] == "memcpy" else 1) / result["two"] / 1e6
        lines.append([result["name"], number(row["bytes"] / result["one"] / 1e6), number(two),
                      number(result["scaling"])])
    return table(["", "one, MB/s", "two, MB/s", "scaling"], lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--pages", required=True)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--flags", default="")
    parser.add_argument("--rows", default="abcdefghijklm")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--budget", type=float, default=6)
    parser.add_argument("--small", type=int, default=100000)
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--heaps", default="default,kept")
    parser.add_argument("--only", help="plugins, separated by commas: lanner,lexbor")
    parser.add_argument("--quick", action="store_true", help="every eighth page, few rounds, nothing written")
    parser.add_argument("--no-scripts", action="store_true", help="without Python and Node")
    parser.add_argument("--write", action="store_true", help="write the report even for a part of a run")
    arguments = parser.parse_args()
    # What the caller added to what the Makefile says, for the report.
    given = sys.argv[1:]
    for option in ("--build", "--pages", "--cc", "--flags"):
        if option in given:
            del given[given.index(option):given.index(option) + 2]
    extra = [option for option in given if option != "--quick"]
    whole = arguments.rows == "abcdefghijklm" and not arguments.only and arguments.step == 1 and not arguments.quick
    if arguments.quick:
        arguments.rounds, arguments.step, arguments.small, arguments.budget = min(arguments.rounds, 5), 8, 5000, 1

    bench = Path(arguments.build, "bench")
    plugins = [bench / "lanner.so", *sorted((bench / "rivals").glob("*.so"))]
    variants = [path for path in (bench / "lanner-avx2.so", bench / "lanner-sse2.so", bench / "lanner-scalar.so", bench / "lanner-pgo.so")
                if path.exists()] if "m" in arguments.rows else []
    if arguments.only:
        plugins = [plugin for plugin in plugins if plugin.stem in arguments.only.split(",")]
    plugins = [plugin.resolve() for plugin in plugins if plugin.exists()]
    if not plugins:
        parser.error(f"no such contestant: {arguments.only}; names are those of bench/adapters")
    unknown = set(arguments.rows) - set("abcdefghijklm")
    if unknown:
        parser.error(f"there is no row {', '.join(sorted(unknown))}: rows are a to m")
    variants = [variant.resolve() for variant in variants]

    report_file = Path(arguments.build, "rivals", "rivals.json")
    missing = {name: why for name, why in json.loads(report_file.read_text()).items() if why} \
        if report_file.exists() else {}
    load = os.getloadavg()[0]
    timed = arguments.rows.replace("j", "")
    runs = []
    if timed:
        if "default" in arguments.heaps:
            runs.append(run_runner(arguments, plugins, variants, "--rows", timed))
        if "kept" in arguments.heaps:
            runs.append(run_runner(arguments, plugins, variants, "--kept-heap", "--rows", timed))
    memory = run_runner(arguments, plugins, [], "--rows", "j", counted=True) if "j" in arguments.rows else None
    scripts = {}
    if not arguments.no_scripts and not arguments.only:
        python = Path(arguments.build, "rivals", "python", "bin", "python")
        if python.exists():
            scripts["Python"] = run_script(arguments, "Python", [str(python), "-B", str(HERE / "contestants.py")])
        node = Path(arguments.build, "rivals", "node")
        if node.exists():
            scripts["Node"] = run_script(arguments, "Node", ["node", str(HERE / "contestants.mjs"), str(node.resolve())])

    after = os.getloadavg()[0]

    # --- the report ---
    any_run = (runs + [memory])[0] if runs or memory else None
    if any_run is None:
        parser.error("no rows")
    commit = shell("git", "rev-parse", "--short=10", "HEAD") or "unknown"
    if shell("git", "status", "--porcelain", "--", "src", "include", "grammar", "gen"):
        commit += " with changes"
    today = datetime.date.today().isoformat()
    rounds = f"{arguments.rounds} rounds"
    text = [f"# Benchmark of {today}, commit {commit}", "",
            f"- Machine: {machine()}; load average {load:.2f} before the run, {after:.2f} after it.",
            f"- Compiler: {shell(arguments.cc, '--version').splitlines()[0] if shell(arguments.cc, '--version') else arguments.cc}; "
            f"flags of Lanner and lexbor: `{arguments.flags} -fPIC -fvisibility=hidden`.",
            f"- Command: `make bench{'-quick' if arguments.quick else ''}"
            + (f" BENCH_ARGUMENTS='{' '.join(extra)}'" if extra else "") + "`.",
            f"- Pages: {any_run.data['pages']} real pages, {any_run.data['bytes']:,} bytes as UTF-8 "
            f"({any_run.data['converted']} converted for all rows but f), in a row, {rounds} at most, best round by the "
            "processor time of the thread (k: wall time). Group and page figures: best time of each page.", ""]
    text += ["| contestant | version | how it is used |", "| --- | --- | --- |"]
    text += [f"| {entrant['name']} | {entrant['version']} | {entrant['note']} |"
             for entrant in any_run.data["contestants"] if not entrant["variant"]]
    text += [""]
    text += [f"Missing: {name} ({why})." for name, why in missing.items()]
    by_heap = {run.heap: run for run in runs}
    found = goals(by_heap.get("default"), by_heap.get("kept"), memory)
    if found:
        text += ["", "## What is wanted and what was reached", "",
                 table(["row", "figure", "reached", "wanted", ""],
                       [[row, what, number(value), ("at most " if row == "j" and what.startswith("bytes") else "") + number(wanted), "yes" if good else "NO"]
                        for row, what, value, wanted, good in found])]
    for run in runs:
        text += ["", f"## {'The heap as the C library has it' if run.heap == 'default' else 'A heap that keeps freed memory'}",
                 "", f"memcpy: {number(run.rate('memcpy', 'memcpy'))} MB/s"]
        for key, row in run.rows.items():
            if key in ("memcpy", "j"):
                continue
            text += ["", f"### ({key}) {row['title']}", ""]
            if key == "k":
                text.append(thread_table(run))
                continue
            text.append(run.row_table(key))
            if key in ("a", "b", "c") and run is runs[0]:
                text += ["", run.group_table(key)]
            worst = run.slowest(key, 3) if key in ("b", "c") else []
            if worst:
                under = sum(ratio < WORST_PAGE for ratio in run.page_ratios(key, "lanner"))
                text += ["", "Least ahead of lexbor: " + ", ".join(
                    f"{name} ({size:,} bytes) {number(ratio)}" for name, size, ratio in worst)
                    + f". Under {WORST_PAGE}: {under} of {row['pages']} pages."]
    if memory and "j" in memory.rows:
        text += ["", "## (j) Heap bytes of a document, beside its input", "", memory_table(memory)]
    for language, data in scripts.items():
        if data:
            text += ["", f"## {language}", "",
                     f"{data['language']}; {data['pages']} pages, {data['bytes']:,} bytes, a new document each.", "",
                     script_table(data)]
            text += [f"\nMissing: {name} ({why})." for name, why in data.get("missing", {}).items()]
    text += ["", "Kinds: " + "; ".join(f"{group['name']}: {group['rule']}" for group in any_run.data["groups"]
                                        if group["rule"]) + "."]
    if load > 0.7:
        text += ["", f"Other programs were running (load average {load:.2f}): figures are lower and noisier than on a "
                 "quiet machine, (k) above all."]
    text = "\n".join(text) + "\n"
    print(text)
    if whole or arguments.write:
        results = HERE / "results"
        results.mkdir(exist_ok=True)
        name = f"{today}-{commit.split()[0]}"
        (results / f"{name}.md").write_text(text)
        if runs:
            svg = chart.draw(runs[0], f"{machine().split(',')[0]}, {today}, commit {commit}")
            (results / f"{name}.svg").write_text(svg)
            (HERE / "speed.svg").write_text(svg)
        print(f"written: bench/results/{name}.md, bench/speed.svg", file=sys.stderr)


if __name__ == "__main__":
    main()
