#!/usr/bin/env python3
"""Runs inputs that break naive parsers at N, 2N and 4N and fits how the cost grows.

usage: run.py --measure PROGRAM [--count | --check] [--counted PROGRAM] [--size BYTES] [NAME...]

The processor's time and memory a byte are printed, with the fitted exponent; more than 1.15 where the
Standard's tree is linear fails. --count counts instructions with valgrind instead of time, on
smaller inputs: the same figures on a busy machine.

Other work on the machine only adds to the time, so a way to parse that grew too much is measured again,
and the best counts. A table of names larger than the caches makes each look at it dearer, which is
the machine's growth and not the parser's: with --counted, a build that valgrind can run, what still grew
more than 1.15 in time, but less than 1.5, is decided by its instructions.

Inputs whose tree is square by the Standard run with limits of L, 2L and 4L nodes: they must stop at
the limit, in time that grows with it.

--check measures nothing: each input once with the default limits and once without, for a program
that checks itself (sanitizers).

The inputs are those of bombs.py here and of cases/bombs.py in the shared test data, where present.
"""
import argparse
import concurrent.futures
import importlib.util
import math
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
WAYS = ["tree", "read", "pushed", "tokens", "tokens pushed"]
LIMIT = 1.15
TIME_LIMIT = 1.5
# Arrays grow by half, so the peak is up to 1.5 times what a smooth growth would have.
MEMORY_LIMIT = LIMIT + math.log(1.5, 4)
AGAIN = 3
SIZE, COUNT_SIZE, COUNTED_SIZE, CHECK_SIZE = 64 << 20, 48_000, 1 << 20, 250_000
# Growth is fitted on what is large enough to be more than noise.
LEAST_NS = 1_000_000
LEAST_PEAK = 16 << 20
# Large pages of memory where the C library knows how: walks through page tables are not measured.
ENVIRONMENT = {**os.environ, "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}


def load(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.BOMBS


def collect():
    bombs = {}
    shared = os.path.join(os.environ.get("LANNER_SHARED") or "../shared", "cases", "bombs.py")
    if os.path.exists(shared):
        for name, (growth, what, pieces) in load(shared, "shared_bombs").items():
            bombs[name] = (growth, what, lambda n, pieces=pieces: b"".join(joined(pieces(n))))
    else:
        print("missing: cases/bombs.py of the shared test data (set LANNER_SHARED); the project's own run")
    for name, entry in load(os.path.join(HERE, "bombs.py"), "own_bombs").items():
        if name in bombs:
            sys.exit(f"two bombs are called {name}")
        bombs[name] = entry
    return bombs


def joined(pieces):
    if isinstance(pieces, (bytes, str)):
        pieces = [pieces]
    for piece in pieces:
        yield piece if isinstance(piece, bytes) else piece.encode()


def scale(make, size):
    """The n for which the input has about SIZE bytes."""
    n = 200
    per = max(1e-9, (len(make(2 * n)) - len(make(n))) / n)
    n = max(4, int(size / per))
    # Once more: numbers in it have more digits than those of the probe.
    return max(4, int(n * size / len(make(n))))


def run_measure(program, arguments, count, folder, name):
    """A list of (status, nodes, peak, costs), one a file of ARGUMENTS."""
    dump = os.path.join(folder, name + ".callgrind")
    command = [program, *arguments]
    if count:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={dump}", program, "-r", "0", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=None if count else ENVIRONMENT)
    lines = done.stdout.splitlines()
    if done.returncode != 0 or not lines:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr[-2000:]}")
    results = []
    for number, line in enumerate(lines, 1):
        fields = line.split()
        costs = [float(f) for f in fields[3:]]
        if count:
            with open(f"{dump}.{number}", encoding="utf-8") as file:
                totals = [row.split()[1] for row in file if row.startswith("totals:")]
            os.remove(f"{dump}.{number}")
            costs = [float(totals[0])]
        results.append((fields[0], int(fields[1]), float(fields[2]), costs))
    return results


def exponent(sizes, costs):
    """Of the growth from the first to the last."""
    return math.log(costs[2] / costs[0]) / math.log(sizes[2] / sizes[0]) if costs[0] > 0 and costs[2] > 0 else 0.0


def exponent_of_counts(sizes, costs):
    """The same; a constant part (start of the process) is taken out."""
    low, high = costs[1] - costs[0], costs[2] - costs[1]
    return math.log2(high / low) / math.log2(sizes[2] / sizes[1]) if low > 0 and high > 0 else 0.0


def growths(sizes, results):
    """The exponent of each way's time."""
    costs = [[r[3][i] for r in results] for i in range(len(WAYS))]
    return [exponent(sizes, c) if c[2] > LEAST_NS else 0.0 for c in costs]


def write(folder, name, make, square, size, count):
    """The files of a bomb: their paths, what its cost is fitted to, arguments for measure."""
    if square:
        # One input, large enough for each of the limits.
        top = size // (2 if count else 16)
        inputs, limits = [make(2 * int(math.sqrt(top)) + 100)], [top // 4, top // 2, top]
    else:
        n = scale(make, size / 4)
        inputs = [lambda factor=factor: make(n * factor) for factor in (1, 2, 4)]
    paths, sizes = [], []
    for number, data in enumerate(inputs):
        path = os.path.join(folder, f"{name}-{number}")
        data = data if isinstance(data, bytes) else data()
        with open(path, "wb") as file:
            file.write(data)
        paths.append(path)
        sizes.append(len(data))
    if square:
        return paths, limits, sizes[0], [part for limit in limits for part in ("-n", str(limit), paths[0])]
    return paths, sizes, sizes[2], paths


def run(name, bomb, options, folder, program, count, size):
    """A line to print, what is wrong, and whether the instructions should decide."""
    growth, _, make, *encoding = bomb
    square = growth == "square"
    paths, sizes, length, arguments = write(folder, name, make, square, size, count)
    arguments = [part for label in encoding for part in ("-e", label)] + arguments
    wrong, way = [], ""
    if count:
        results = run_measure(program, arguments, True, folder, name)
        worst = exponent_of_counts(sizes, [r[3][0] for r in results])
    else:
        results = run_measure(program, ["-r", "1", *arguments], False, folder, name)
        for again in range(AGAIN + 1):
            fitted = growths(sizes, results)
            ways = sum(1 << i for i, e in enumerate(fitted) if e > LIMIT)
            if not ways or again == AGAIN:
                break
            more = run_measure(program, ["-r", "1", "-w", str(ways), *arguments], False, folder, name)
            results = [(*old[:3], [min(a, b) if b else a for a, b in zip(old[3], new[3])])
                       for old, new in zip(results, more)]
        worst = max(fitted)
        way = WAYS[fitted.index(worst)]
    for path in paths:
        os.remove(path)
    wanted = "limit" if square else "ok"
    if any(r[0] != wanted for r in results):
        wrong.append(f"status {results[-1][0]}, expected {wanted}")
    memory = exponent(sizes, [r[2] for r in results])
    if memory > MEMORY_LIMIT and results[2][2] > LEAST_PEAK:
        wrong.append(f"memory grows with exponent {memory:.2f}")
    unsure = not count and LIMIT < worst < TIME_LIMIT and bool(options.counted)
    if worst > LIMIT and not unsure:
        wrong.append(f"cost grows with exponent {worst:.2f} {way}")
    line = (f"{name:30} {growth:6} {length:>11,} B {results[2][3][0] / length:10.2f} {'ins' if count else 'ns'}/B "
            f"{results[2][2] / length:8.2f} B/B {worst:6.2f} {way if worst > LIMIT else ''}")
    return line.rstrip(), wrong, unsure


def check(name, bomb, options, folder):
    """A line to print, and what is wrong."""
    growth, _, make, *encoding = bomb
    size = options.size or CHECK_SIZE
    square = growth == "square"
    data = make(int(math.sqrt(size)) if square else scale(make, size))
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(data)
    wrong = []
    for limits in ["-n", str(size)] if square else [], ["-l"]:
        command = [options.measure, "-r", "0", *(part for label in encoding for part in ("-e", label)), *limits, path]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            wrong.append(f"{' '.join(command[1:])}: exit status {done.returncode}\n{done.stderr[-4000:]}")
    os.remove(path)
    return f"{name:30} {len(data):>11,} B", wrong


def run_decided(name, bomb, options, folder):
    """A line to print, and what is wrong."""
    if options.check:
        return check(name, bomb, options, folder)
    if options.count:
        return run(name, bomb, options, folder, options.measure, True, options.size or COUNT_SIZE)[:2]
    line, wrong, unsure = run(name, bomb, options, folder, options.measure, False, options.size or SIZE)
    if unsure:
        counted, more, _ = run(name, bomb, options, folder, options.counted, True, COUNTED_SIZE)
        line += ", by instructions:\n" + counted
        wrong += more
    return line, wrong


class Progress:
    """A line on a terminal that the next output overwrites."""

    def __init__(self, total):
        self.total, self.start, self.there = total, time.monotonic(), sys.stderr.isatty()

    def show(self, done, name):
        if self.there:
            passed = time.monotonic() - self.start
            left = f", about {passed / done * (self.total - done) / 60:.0f} min left" if done else ""
            sys.stderr.write(f"\r\x1b[K{done} of {self.total} done{left}: {name}")
            sys.stderr.flush()

    def clear(self):
        if self.there:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", required=True)
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--counted", help="the program for valgrind, where time does not decide")
    parser.add_argument("--size", type=int, default=0, help="bytes of the largest input")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    bombs = collect()
    unknown = [name for name in options.names if name not in bombs]
    if unknown:
        sys.exit(f"no such bombs: {', '.join(unknown)}")
    chosen = {name: bomb for name, bomb in bombs.items() if not options.names or name in options.names}
    failed = 0
    if not options.check:
        print(f"{'':30} {'growth':6} {'largest':>13} {'cost':>16} {'peak':>12} {'exponent':>8}")
    workers = (os.cpu_count() or 1) if options.count or options.check else 1
    progress = Progress(len(chosen))
    names = list(chosen)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(workers) as pool:
        results = pool.map(lambda item: run_decided(*item, options, folder), chosen.items())
        for done, name in enumerate(names):
            progress.show(done, name)
            line, wrong = next(results)
            progress.clear()
            print(line, flush=True)
            for text in wrong:
                print(f"  FAILED {name}: {text}", flush=True)
            failed += bool(wrong)
    passed = time.monotonic() - progress.start
    print(f"{len(chosen)} bombs in {passed / 60:.1f} min: {len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
