"""Input that nobody would write: any bytes, endless nesting, enormous pages."""
import gc
import random
import sys
import unittest

import lanner
from support import QUICK, dump

PIECES = ["<", ">", "</", "<!", "<!--", "-->", "<?", "&", "&#", ";", "=", '"', "'", "/", " ", "\n", "\r", "\t", "\0", "\ufeff", "\ud800",
          "é", "€", "\U0001f600", "<![CDATA[", "]]>", "<!DOCTYPE", "table", "<table>", "<tr>", "<td>", "<select>", "<option>", "<svg>", "<math>",
          "<mi>", "<foreignObject>", "<template>", "</template>", "<template shadowrootmode=open>", "<script>", "</script>", "<title>",
          "<a href=x>", "</a>", "<b>", "<i>", "</b>", "<p>", "</p>", "<frameset>", "<plaintext>", "<meta charset=koi8-r>",
          "<meta charset=utf-8>", "<html a>", "<body b>", "<form>", "<button>", "<li>", "x", "id=y", "&amp", "&notit;"]


def use(document):
    """Everything that can be asked of a document."""
    for node in document.iter():
        for name in dir(lanner.Node):
            if not name.startswith("__"):
                getattr(node, name)
    for tag in ("a", "p", "x"):
        list(document.iter(tag))
    document.links(text=True)
    document.meta()
    for main in (False, True):
        document.text(main=main, alt=True, links=True)
    str(document.title)
    dump(document.root)
    return document.serialize()


class Hostile(unittest.TestCase):
    def test_random(self):
        source = random.Random(7)
        for turn in range(100 if QUICK else 1500):
            text = "".join(source.choice(PIECES) for _ in range(source.randrange(60)))
            page = use(lanner.parse(text, errors=True, spans=True))
            parser = lanner.Parser()
            at = 0
            while at < len(text):
                step = source.randrange(1, 9)
                parser.feed(text[at:at + step])
                at += step
            self.assertEqual(parser.close().serialize(), page, repr(text))
            use(lanner.parse_fragment(text, source.choice(["div", "table", "select", "template", "html", "x"])))
            raw = bytes(source.randrange(256) for _ in range(source.randrange(200)))
            use(lanner.parse(raw, errors=bool(turn % 2)))
            use(lanner.parse(raw + text.encode("utf-8", "surrogatepass") + raw))

    def test_deep(self):
        count = 20000 if QUICK else 300000
        limit = sys.getrecursionlimit()
        for opening, closing in (("<div>", "</div>"), ("<b>", ""), ("<template>", "")):
            depth = count if opening != "<template>" else 2000
            document = lanner.parse(opening * depth + "x", max_depth=None, max_nodes=None)
            node, levels = document.body.first_child or document.head.first_child, 0
            while node is not None:
                node, levels = node.template_contents or node.first_child, levels + 1
            self.assertGreaterEqual(levels, depth)
            self.assertGreater(len(document.serialize()), depth * len(opening))
            self.assertEqual(document.text().strip(), "" if opening == "<template>" else "x")
            if opening != "<template>":
                self.assertEqual(document.body.text, "x")
                last = None
                for last in document.iter():
                    pass
                self.assertEqual(last.data, "x")
            del document
        self.assertEqual(sys.getrecursionlimit(), limit)

    def test_default_depth(self):
        document = lanner.parse("<div>" * 100000)
        self.assertEqual(list(document.limits), ["max_depth"])
        self.assertLess(document.memory, 100 << 20)

    def test_wide(self):
        document = lanner.parse("<p>x" * 100000)
        self.assertEqual(len(document.body.children), 100000)
        self.assertEqual(document.body.text, "x" * 100000)

    def test_many_attributes(self):
        document = lanner.parse("<p " + " ".join(f"a{i}={i}" for i in range(5000)) + ">")
        p = next(document.iter("p"))
        self.assertEqual((len(p.attributes), p.get("a3999"), p.get("a4000")), (4000, "3999", None))
        self.assertEqual(list(document.limits), ["max_attributes"])

    def test_arguments_taken_away(self):
        """A truth that clears the dict with the arguments: those not yet read must live on."""
        gone, cleared = [], []

        class Label(str):
            def __del__(self):
                gone.append(1)

        class Truth:
            def __bool__(self):
                for holder in gc.get_referrers(self):
                    if type(holder) is dict and "encoding" in holder:
                        holder.clear()
                        cleared.append(len(gone))
                return True

        lanner.Parser.__new__(lanner.Parser, **{"errors": Truth(), "encoding": Label("utf" + "-8")}).feed(b"<p>")
        self.assertEqual((cleared, len(gone)), ([0], 1))
