"""Documents in several threads at once; one parser in two is refused."""
import subprocess
import sys
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor

import lanner
from support import PACKAGE

# In a process of its own. Before 3.12 the interpreters share the GIL.
INTERPRETERS = """
import sys, threading
sys.path.insert(0, PACKAGE)
try:
  import _interpreters as interpreters
except ImportError:
  import _xxsubinterpreters as interpreters
import lanner
code = "PACKAGE = " + repr(PACKAGE) + '''
import sys
sys.path.insert(0, PACKAGE)
import lanner
document = lanner.parse("<p>\\u00e9<a href=x></a>" * 1000)
assert document.attribute_values("a", "href") == ["x"] * 1000
lanner.kept = document.body.first_child
'''
def work():
  for _ in range(5):
    own = interpreters.create()
    failed = interpreters.run_string(own, code)
    assert failed is None, failed
    interpreters.destroy(own)
threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
sys.kept = lanner.parse("<p>a").body, lanner.parse("").iter(), lanner.Parser()
print(sys.kept[0].text)
"""


class Threads(unittest.TestCase):
    def test_parallel(self):
        pages = [f"<title>{i}</title>" + f"<p class=c{i}>text {i} é{chr(0x400 + i)}<a href={i}>x</a>" * (200 + i * 7) for i in range(40)]
        want = [lanner.parse(page).serialize() for page in pages]

        def work(i):
            document = lanner.parse(pages[i % 40] if i % 2 else pages[i % 40].encode(), **({} if i % 2 else {"encoding": "utf-8"}))
            assert document.attribute_values("a", "href") == [str(i % 40)] * (200 + i % 40 * 7)
            return document.serialize()
        with ThreadPoolExecutor(8) as pool:
            for i, page in enumerate(pool.map(work, range(400))):
                self.assertEqual(page, want[i % 40])

    def test_one_document_read_by_many(self):
        document = lanner.parse("<p>é<a href=x>y</a>" * 5000)
        want = document.serialize(), document.text(), document.attribute_values("a", "href")

        def work(_):
            return document.serialize(), document.text(), [a.get("href") for a in document.iter("a")]
        with ThreadPoolExecutor(8) as pool:
            for found in pool.map(work, range(24)):
                self.assertEqual(found, want)

    def test_interpreters(self):
        code = f"PACKAGE = {PACKAGE!r}\n{INTERPRETERS}"
        result = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, check=False)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "a\n", ""))

    def test_parser_in_use(self):
        """A piece is long in the making; whoever comes meanwhile gets an error, not a race."""
        piece, refused, parser = b"<p>x" * (8 << 20), 0, lanner.Parser(max_nodes=None)
        thread = threading.Thread(target=parser.feed, args=(piece,))
        thread.start()
        while thread.is_alive():
            try:
                parser.feed(b"")
            except RuntimeError:
                refused += 1
            if refused == 1:
                with self.assertRaises(RuntimeError):
                    parser.close()
                refused += 1
        thread.join()
        self.assertGreater(refused, 1)
        self.assertEqual(parser.close().node_count, 3 + 2 * (8 << 20) + 1)
