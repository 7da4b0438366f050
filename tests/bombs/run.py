#!/usr/bin/env python3
"""Runs inputs that break naive parsers at N, 2N and 4N and fits how the cost grows.

usage: run.py --measure PROGRAM [--count] [--size BYTES] [NAME...]

The processor's time (best of some rounds) and memory a byte are printed, with the fitted exponent; more than 1.15
where the Standard's tree is linear fails. --count counts instructions with valgrind instead of time,
on smaller inputs: the same figures on a busy machine. Inputs whose tree is square by the Standard
run with limits of L, 2L and 4L nodes: they must stop at the limit, in time that grows with it.

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

HERE = os.path.dirname(os.path.abspath(__file__))
WAYS = ["tree", "read", "pushed", "tokens", "tokens pushed"]
LIMIT = 1.15
AGAIN = 4
# Growth is fitted on what is large enough to be more than noise.
LEAST_NS = 200_000
LEAST_PEAK = 16 << 20


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
    probe = 200
    per = max(1e-9, (len(make(2 * probe)) - len(make(probe))) / probe)
    return max(4, int(size / per))


def run_measure(program, arguments, count, folder, name):
    """A list of (status, nodes, peak, costs), one a file of ARGUMENTS."""
    command = [program, *arguments]
    dump = os.path.join(folder, name + ".callgrind")
    if count:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={dump}", program, "-r", "0", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
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


def exponent(values):
    """From the cost at N, 2N, 4N; a constant part (start of the process) is taken out."""
    low, high = values[1] - values[0], values[2] - values[1]
    if low <= 0 or high <= 0:
        return 0.0
    return math.log2(high / low)


def plain_exponent(values):
    return math.log2(values[2] / values[0]) / 2 if values[0] > 0 and values[2] > 0 else 0.0


def worst_growth(results, count):
    """The largest exponent, and of which way to parse it is."""
    names = ["instructions"] if count else WAYS
    worst, worst_way = 0.0, names[0]
    for i, way in enumerate(names):
        costs = [r[3][i] for r in results]
        if count:
            fitted = exponent(costs)
        else:
            fitted = plain_exponent(costs) if costs[2] > LEAST_NS else 0.0
        if fitted > worst:
            worst, worst_way = fitted, way
    return worst, worst_way


def run(name, bomb, options, folder):
    growth, _, make, *encoding = bomb
    square = growth == "square"
    arguments, sizes, paths = [], [], []
    if square:
        # One input, large enough for each of the limits.
        top = options.size // (2 if options.count else 16)
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            file.write(make(2 * int(math.sqrt(top)) + 100))
        paths, sizes = [path], [os.path.getsize(path)] * 3
        for limit in (top // 4, top // 2, top):
            arguments += ["-n", str(limit), path]
    else:
        n = scale(make, options.size / 4)
        for factor in (1, 2, 4):
            path = os.path.join(folder, f"{name}-{factor}")
            with open(path, "wb") as file:
                file.write(make(n * factor))
            paths.append(path)
            sizes.append(os.path.getsize(path))
        arguments = paths
    arguments = [part for label in encoding for part in ("-e", label)] + arguments
    results = run_measure(options.measure, arguments, options.count, folder, name)
    # Other work on the machine only adds: what grew too much is measured again, and the best counts.
    for _ in range(0 if options.count else AGAIN):
        if worst_growth(results, False)[0] <= LIMIT:
            break
        more = run_measure(options.measure, arguments, False, folder, name)
        results = [(*old[:3], [min(pair) for pair in zip(old[3], new[3])]) for old, new in zip(results, more)]
    for path in paths:
        os.remove(path)
    wrong = []
    wanted = "limit" if square else "ok"
    if any(r[0] != wanted for r in results):
        wrong.append(f"status {results[-1][0]}, expected {wanted}")
    worst, worst_way = worst_growth(results, options.count)
    if worst > LIMIT:
        wrong.append(f"cost grows with exponent {worst:.2f} ({worst_way})")
    memory = plain_exponent([r[2] for r in results])
    if memory > LIMIT and results[2][2] > LEAST_PEAK:
        wrong.append(f"memory grows with exponent {memory:.2f}")
    cost = sum(results[2][3]) if options.count else results[2][3][0]
    unit = "ins" if options.count else "ns"
    line = (f"{name:30} {growth:6} {sizes[2]:>11,} B {cost / sizes[2]:10.2f} {unit}/B "
            f"{results[2][2] / sizes[2]:8.2f} B/B {worst:6.2f} {worst_way if worst > LIMIT else ''}")
    return line.rstrip(), wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", required=True)
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--size", type=int, default=0, help="bytes of the largest input")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    options.size = options.size or (48_000 if options.count else 64 << 20)
    bombs = collect()
    unknown = [name for name in options.names if name not in bombs]
    if unknown:
        sys.exit(f"no such bombs: {', '.join(unknown)}")
    chosen = {name: bomb for name, bomb in bombs.items() if not options.names or name in options.names}
    failed = 0
    print(f"{'':30} {'growth':6} {'largest':>13} {'cost':>14} {'peak':>12} {'exponent':>7}")
    workers = (os.cpu_count() or 1) if options.count else 1
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for name, (line, wrong) in zip(chosen, pool.map(lambda item: run(*item, options, folder), chosen.items())):
            print(line, flush=True)
            for text in wrong:
                print(f"  FAILED {name}: {text}", flush=True)
            failed += bool(wrong)
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
