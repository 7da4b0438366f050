"""Nothing leaks, and every allocation may fail."""
import gc
import os
import subprocess
import sys
import tracemalloc
import unittest
from pathlib import Path

import lanner
from support import BUILD, PACKAGE, QUICK, missing
PAGE = ('<!DOCTYPE html><title>T</title><meta name=robots content=none><meta property=og:a content=b><link rel=icon href=i>'
        '<script type=application/ld+json>{}</script><body id=x><p é=1 x-own=2>a&amp;€<a href=1 rel=r>b</a><!--c--><?d e?>'
        '<svg><title>s</title></svg><template><i>f</i></template><p><template shadowrootmode=open>s</template></p>')


def everything():
    """Calls what there is to call."""
    for data in (PAGE, PAGE.encode(), bytearray(PAGE.encode()), PAGE.replace("é", "e").replace("€", "E"), "\ufeff" + PAGE, PAGE + "\r"):
        document = lanner.parse(data, errors=True, spans=True)
        for node in document.iter():
            for name in ("document", "type", "tag", "name", "namespace", "data", "public_id", "text", "attributes", "parent", "children", "span",
                         "template_contents", "shadow_root", "shadow_mode", "host", "end_tag_span"):
                getattr(node, name)
            node.get("href", None)
            repr(node)
        for name in ("root", "html", "head", "body", "title", "mode", "encoding", "errors", "limits", "memory", "error_total"):
            getattr(document, name)
        document.links(text=True)
        document.meta()
        document.text(main=True, alt=True, links=True)
        document.serialize()
        bytes(document)
        document.body.serialize(inner=True)
        document.attribute_values("a", "href")
        document.get_element_by_id("x")
        list(document.iter("a", "x-own"))
        repr(document)
    parser = lanner.Parser(context="div", encoding=None)
    for at in range(0, len(PAGE), 50):
        parser.feed(PAGE[at:at + 50])
    parser.close()
    lanner.Parser(encoding="utf-8").feed(b"<p>")
    lanner.parse_fragment(PAGE, "td", namespace="html", in_form=True)


RAISING = (lambda: lanner.parse("<p>" * 99, max_nodes=9), lambda: lanner.parse(3), lambda: lanner.parse("", what=1),
           lambda: lanner.parse(b"", encoding="foo"), lambda: lanner.parse("", encoding="utf-8"), lambda: lanner.Parser(encoding="foo"),
           lambda: lanner.Parser(max_input=1).feed("abc"), lambda: lanner.parse_fragment("", 3), lambda: lanner.parse("").iter(1),
           lambda: lanner.parse(memoryview(b"abcd")[::2]), lambda: lanner.parse("").html.serialize(x=1))
RAISED = (lanner.LannerError, TypeError, ValueError, BufferError)


def failures():
    for call in RAISING:
        try:
            call()
        except RAISED:
            pass


class Leaks(unittest.TestCase):
    def grows(self, function, rounds):
        for _ in range(10):
            function()
        gc.collect()
        tracemalloc.start()
        try:
            function()
            gc.collect()
            before = tracemalloc.get_traced_memory()[0]
            for _ in range(rounds):
                function()
            gc.collect()
            return tracemalloc.get_traced_memory()[0] - before
        finally:
            tracemalloc.stop()

    def test_no_growth(self):
        """tracemalloc sees the library's memory too."""
        for function in (everything, failures):
            self.assertLess(self.grows(function, 200), 2000, function.__name__)

    def test_it_would_be_seen(self):
        kept = []
        self.assertGreater(self.grows(lambda: kept.append(lanner.parse("<p>")), 10), 100000)

    def test_references(self):
        things = (lanner.Node, lanner.Document, lanner.NodeIterator, lanner.Parser, lanner.Link, lanner.PageError, None, True, "element", "html")
        everything()
        failures()
        before = [sys.getrefcount(thing) for thing in things]
        for _ in range(300):
            everything()
            failures()
        for thing, count in zip(things, before):
            self.assertLess(abs(sys.getrefcount(thing) - count), 200, thing)

    def test_memory_counts_what_a_str_becomes(self):
        text = "€" * 1000000
        self.assertGreater(lanner.parse(text).memory, 3000000)


    def test_small_pages_do_not_hold_what_large_ones_needed(self):
        kept = []
        for _ in range(5):
            lanner.parse("<p>x" * 200000)
            kept += [lanner.parse("<p>"), lanner.Parser().close()]
        self.assertLess(max(document.memory for document in kept), 300 << 10)


class Failures(unittest.TestCase):
    def test_every_allocation(self):
        """In a process of its own, as the memory of all of Python fails."""
        modules = list((BUILD / "python/tests").glob("_nomemory*"))
        if not modules:
            missing("the module _nomemory (make check-python)")
        code = ("import sys; sys.path[:0] = [%r, %r, %r]\nimport test_memory\ntest_memory.fail_each()" %
                (str(BUILD / "python/tests"), PACKAGE, str(Path(__file__).parent)))
        result = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr[-3000:])
        self.assertGreater(int(result.stdout.split()[-1]), 200, result.stdout)

    def test_system_memory(self):
        """Where the system gives no more: MemoryError, and the next page is parsed."""
        if "libasan" in os.environ.get("LD_PRELOAD", ""):
            missing("memory that may be short: AddressSanitizer cannot do with less")
        code = ("import resource, sys; sys.path.insert(0, %r); import lanner\n"
                "page = '<p>\u20ac' * 3000000\n"
                "hard = resource.getrlimit(resource.RLIMIT_AS)[1]\n"
                "used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
                "failed = 0\n"
                "for room in range(0, 400, 40):\n"
                "  resource.setrlimit(resource.RLIMIT_AS, (used + (room << 20), hard))\n"
                "  try: lanner.parse(page, max_nodes=None)\n"
                "  except MemoryError: failed += 1\n"
                "  assert lanner.parse('<p>a').body.text == 'a'\n"
                "print(failed)\n" % PACKAGE)
        result = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr[-3000:])
        self.assertGreater(int(result.stdout), 0)


def fail_each():
    import _nomemory  # pylint: disable=import-outside-toplevel

    everything()
    failures()
    reached, step = 0, 7 if QUICK else 1
    # Calls that raise are made without try around them: CPython itself can lose an exception there.
    for function in (everything, *RAISING):
        for once in (True, False):
            number = 0
            while True:
                failed, error = _nomemory.call(function, number, once)
                if not failed:
                    break
                assert error is None or isinstance(error, MemoryError) or (
                    function in RAISING and isinstance(error, RAISED)), (function, number, once, error)
                reached += 1
                number += step
    everything()
    print(reached)
