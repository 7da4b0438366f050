"""The contestants that are Python packages: python contestants.py PAGES STEP ROUNDS, JSON on stdout.

Each is handed the same `str` (its usual input), page after page, and makes a new document; "links" adds
the values of a[href]. All take turns within a round; the best round counts.
"""
import importlib.metadata
import json
import platform
import sys
import time
from pathlib import Path


def resiliparse():
    from resiliparse.parse.html import HTMLTree

    # Walking is several times faster than going through what its selectors find.
    return HTMLTree.parse, lambda tree: [href for node in tree.document
                                         if node.tag == "a" and (href := node.getattr("href")) is not None]


def selectolax():
    from selectolax.lexbor import LexborHTMLParser

    return LexborHTMLParser, lambda tree: [a.attributes["href"] for a in tree.css("a[href]")]


def turbohtml():
    import turbohtml as package

    # Without source positions, which the others do not record either.
    return (lambda page: package.parse(page, positions=False),
            lambda tree: [a.attr("href") for a in tree.select("a[href]")])


def justhtml():
    from justhtml import JustHTML

    return (lambda page: JustHTML(page, sanitize=False),
            lambda tree: [a.attrs["href"] for a in tree.query("a[href]")])


def lanner():
    import lanner as package

    return package.parse, lambda tree: tree.attribute_values("a", "href")


def load(directory, step):
    pages = []
    for path in sorted(Path(directory).iterdir())[::step]:
        try:
            pages.append(path.read_bytes().decode("utf-8"))
        except UnicodeDecodeError:
            continue
    return pages


def timed(task, pages):
    start = time.process_time()
    found = sum(task(page) for page in pages)
    return time.process_time() - start, found


def main():
    directory, step, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    pages = load(directory, step)
    entrants, missing = [], {}
    for make in (lanner, resiliparse, selectolax, turbohtml, justhtml):
        name = make.__name__
        try:
            parse, links = make()
            links(parse("<a href=x>y</a>"))
        except Exception as error:  # a package of any kind of brokenness is a missing one
            missing[name] = f"{type(error).__name__}: {error}"[:200]
            continue
        try:
            version = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            version = getattr(sys.modules.get(name), "__version__", "")
        tasks = {"tree": lambda page, parse=parse: parse(page) is not None,
                 "links": lambda page, parse=parse, links=links: len(links(parse(page)))}
        entrants.append(({"name": name, "version": version}, tasks))
    for turn in range(rounds):
        for result, tasks in entrants:
            for task, call in tasks.items():
                # The slow ones, of which nobody asks for precision, go once.
                if turn > 0 and result[task] > 10:
                    continue
                if sys.stderr.isatty():
                    print(f"\r\033[KPython: round {turn + 1} of {rounds}, {result['name']}", end="", file=sys.stderr)
                seconds, found = timed(call, pages)
                result[task] = min(seconds, result.get(task, seconds))
                if task == "links":
                    result["found"] = found
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    print(json.dumps({"language": f"{platform.python_implementation()} {platform.python_version()}",
                      "pages": len(pages), "bytes": sum(len(page.encode()) for page in pages),
                      "results": [result for result, _ in entrants], "missing": missing}))


main()
