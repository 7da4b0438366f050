#!/usr/bin/env python3
"""Speed of `lanner warc`: against FastWARC with resiliparse, and with two workers against one.

    python3 speed_warc.py LANNER SAMPLES PAGES [PYTHON [ROUNDS]]

SAMPLES is a folder of compressed archives, PAGES one of pages (for the memcpy yardstick), PYTHON an
interpreter that has fastwarc and resiliparse. Everything runs alternately, ROUNDS times (5); of each
the best round counts. Times against resiliparse are CPU seconds of one process with one worker; the
scaling is in elapsed seconds, so it wants a machine that does nothing else.
"""
import ctypes
import gzip
import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import time


def run(command):
    """CPU seconds, elapsed seconds, output bytes of COMMAND."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    with tempfile.TemporaryFile() as out:
        subprocess.run(command, stdout=out, stderr=subprocess.DEVNULL, check=True)
        size = os.fstat(out.fileno()).st_size
    elapsed = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, elapsed, size


def copy_pages(pages, seconds, result):
    """Copies all pages, one after the other, into one buffer; rounds a second."""
    target = ctypes.create_string_buffer(max(map(len, pages)))
    own = [bytes(bytearray(page)) for page in pages]  # of this process, not shared with the other
    rounds, start = 0, time.perf_counter()
    while (now := time.perf_counter()) - start < seconds:
        for page in own:
            ctypes.memmove(target, page, len(page))
        rounds += 1
    result.put(rounds / (now - start))


def memcpy_rate(pages, processes):
    result = multiprocessing.Queue()
    workers = [multiprocessing.Process(target=copy_pages, args=(pages, 1.0, result))
               for _ in range(processes)]
    for worker in workers:
        worker.start()
    rates = [result.get() for _ in workers]
    for worker in workers:
        worker.join()
    return sum(rates)


def compare(name, lanner, script, python, files, rounds):
    mine = theirs = float("inf")
    for _ in range(rounds):
        mine = min(mine, run([lanner, "warc", "-q", "-j", "1", "--link-text", *files])[0])
        if python:
            theirs = min(theirs, run([python, "-W", "ignore", script, *files])[0])
    size = sum(map(os.path.getsize, files))
    print(f"{name}: lanner {mine:.3f} s ({size / mine / 1e6:.0f} MB/s of archive)", end="")
    print(f", resiliparse {theirs:.3f} s: {theirs / mine:.1f} times" if python else "")


def main():
    lanner, samples, pages_folder = sys.argv[1:4]
    python = sys.argv[4] if len(sys.argv) > 4 else None
    rounds = int(sys.argv[5]) if len(sys.argv) > 5 else 5
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "resiliparse_warc.py")
    packed = sorted(os.path.join(samples, n) for n in os.listdir(samples) if n.endswith(".gz"))
    with tempfile.TemporaryDirectory() as folder:
        plain = []
        for path in packed:
            plain.append(os.path.join(folder, os.path.basename(path)[:-3]))
            with gzip.open(path) as source, open(plain[-1], "wb") as target:
                target.write(source.read())
        compare("compressed", lanner, script, python, packed, rounds)
        compare("plain", lanner, script, python, plain, rounds)
    pages = []
    for name in sorted(os.listdir(pages_folder)):
        if name.endswith(".html"):
            with open(os.path.join(pages_folder, name), "rb") as file:
                pages.append(file.read())
    one = two = float("inf")
    copy_one = copy_two = 0.0
    for _ in range(rounds):
        one = min(one, run([lanner, "warc", "-q", "-j", "1", *packed * 4])[1])
        two = min(two, run([lanner, "warc", "-q", "-j", "2", *packed * 4])[1])
        copy_one = max(copy_one, memcpy_rate(pages, 1))
        copy_two = max(copy_two, memcpy_rate(pages, 2))
    print(f"two workers: {one / two:.2f} times one ({one:.2f} s, {two:.2f} s); two memcpy processes: "
          f"{copy_two / copy_one:.2f} times one; share {one / two / (copy_two / copy_one):.2f}")


if __name__ == "__main__":
    main()
