"""The programs in the READMEs run, and print what stands there."""
import contextlib
import io
import re
import unittest

from support import TOP


def output_of(code):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "README.md", "exec"), {})  # pylint: disable=exec-used
    return out.getvalue()


class Readmes(unittest.TestCase):
    def test_binding(self):
        text = (TOP / "bindings/python/README.md").read_text()
        code, wanted = re.search(r"```python\n(.*?)```\n\n```\n(.*?)```", text, re.S).groups()
        self.assertEqual(output_of(code), wanted)

    def test_top(self):
        code = re.search(r"```python\n(.*?)```", (TOP / "README.md").read_text(), re.S).group(1)
        self.assertEqual(output_of(code), "Links ['/one', '/two']\nFirst /one\nSecond /two\n")
