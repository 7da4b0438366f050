"""The tree construction suites, compared with a walk through the binding's nodes: as str, as bytes, in pieces."""
import unittest

import lanner
from support import TOP, dump, notes, read_dat, shared, shared_base


def exceptions():
    """Cases of the package's older suites that may fail: FILE:LINE."""
    found = set()
    for line in (TOP / "tests" / "exceptions_package.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            found.add(line.split("|")[1])
    return found


def options_of(case, scripting):
    options = {"scripting": scripting}
    if case["context"] is None:
        return options
    prefix, _, name = case["context"].rpartition(" ")
    namespace = {"": "html", "svg": "svg", "math": "mathml"}[prefix]
    return {**options, "context": name, "namespace": namespace,
            "in_form": name == "form" and namespace == "html"}


def whole(data, options):
    return lanner.parse_fragment(data, **options) if "context" in options else lanner.parse(data, **options)


def pieces(data, options, step):
    parser = lanner.Parser(**options)
    for at in range(0, len(data), step):
        parser.feed(data[at:at + step])
    return parser.close()


class Suites(unittest.TestCase):
    def run_folder(self, folder, excepted=()):
        count = 0
        for path in sorted(folder.glob("*.dat")):
            for case in read_dat(path):
                count += 1
                name = f"{path.name}:{case['line']}"
                for scripting in (False, True):
                    if case["script"] not in (None, scripting):
                        continue
                    with self.subTest(case=name, scripting=scripting):
                        self.check(case, options_of(case, scripting), name in excepted)
        return count

    def check(self, case, options, excepted):
        data = case["data"]
        tree = dump(whole(data, options).root)
        if not excepted:
            self.assertEqual(tree, case["document"])
        # Bytes lose one byte order mark, a str none.
        raw = ("\ufeff" + data if data.startswith("\ufeff") else data).encode("utf-8", "replace")
        as_bytes = {**options, "encoding": "utf-8"}
        self.assertEqual(dump(whole(raw, as_bytes).root), tree)
        self.assertEqual(dump(pieces(data, options, 1).root), tree)
        self.assertEqual(dump(pieces(raw, as_bytes, 3).root), tree)

    def test_own(self):
        self.assertGreater(self.run_folder(TOP / "tests" / "regress"), 100)

    def test_standard(self):
        package = shared_base()[1]
        folders = ["conformance/html5lib-tests/tree-construction"]
        if not package:
            folders.append("conformance/wpt-tree-construction")
        count = sum(self.run_folder(shared(folder), exceptions() if package else ()) for folder in folders)
        self.assertEqual(count, 1764 if package else 1940)
        notes.append(f"{count} cases of the suites")

    def test_derived(self):
        self.assertEqual(self.run_folder(shared("conformance/extra")), 36)
