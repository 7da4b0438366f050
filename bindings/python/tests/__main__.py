"""Runs the tests and says in the last line what ran: python3 bindings/python/tests [-v] [NAME...]."""
import sys
import unittest
from pathlib import Path

import support

here = Path(__file__).resolve().parent


def main():
    names = [argument for argument in sys.argv[1:] if argument != "-v"]
    loader = unittest.TestLoader()
    tests = loader.loadTestsFromNames(names) if names else loader.discover(str(here), top_level_dir=str(here))
    result = unittest.TextTestRunner(verbosity=2 if "-v" in sys.argv else 1).run(tests)
    if not result.wasSuccessful() or not result.testsRun:
        sys.exit("the tests of the Python binding FAILED")
    sys.stderr.flush()
    passed = result.testsRun - len(result.skipped)
    parts = [f"{passed} tests passed", *support.notes]
    if result.skipped:
        parts.append(f"{len(result.skipped)} skipped for want of " + ", ".join(sorted({reason for _, reason in result.skipped})))
    print("; ".join(parts))


main()
