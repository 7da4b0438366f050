"""What Document, Node, Parser and the functions do, one property after the other."""
import ast
import collections.abc
import unittest

import lanner
from support import TOP

PAGE = ('<!DOCTYPE html PUBLIC "p" "s"><html lang=en><head><title> A \n <b> </title><base href="/b/"></head>'
        '<body class="c d" id=x><!--note--><p>one <a href="1" rel=nofollow>two</a> three<svg viewBox="0"><a xlink:href=2>'
        '</a><foreignObject/></svg><?pi data?><template id=t><i>in</i></template><a>no</a><img src=i.png alt=i>')


class Documents(unittest.TestCase):
    def setUp(self):
        self.document = lanner.parse(PAGE)

    def test_parts(self):
        d = self.document
        self.assertEqual((d.root.type, d.html.tag, d.head.tag, d.body.tag), ("document", "html", "head", "body"))
        self.assertEqual(d.title, "A <b>")
        self.assertEqual((d.mode, lanner.parse("").mode), ("no-quirks", "quirks"))
        self.assertEqual(lanner.parse('<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//">').mode, "limited-quirks")
        self.assertEqual(d.node_count, len(list(d.iter())) + 4)  # the Document, a fragment, two nodes in it
        self.assertGreater(d.memory, 1000)
        self.assertGreater(d.__sizeof__(), d.memory)
        self.assertEqual(repr(d), f"<lanner.Document, {d.node_count} nodes>")

    def test_missing_parts(self):
        self.assertEqual(lanner.parse("<frameset>").body.tag, "frameset")
        self.assertIsNone(lanner.parse("").title)
        self.assertEqual(lanner.parse("<title></title>").title, "")
        fragment = lanner.parse_fragment("<p>a")
        self.assertEqual((fragment.root.type, fragment.html, fragment.head, fragment.body), ("fragment", None, None, None))

    def test_encoding(self):
        d = lanner.parse("é".encode("koi8-r", "replace") + b"<meta charset=koi8-r>")
        self.assertEqual((d.encoding, d.encoding_source, d.encoding_confidence), ("KOI8-R", "meta", "certain"))
        d = lanner.parse(b"x", encoding="latin1")
        self.assertEqual((d.encoding, d.encoding_source, d.encoding_confidence), ("windows-1252", "user", "certain"))
        self.assertEqual(lanner.parse(b"x", transport="utf-8").encoding_source, "transport")
        self.assertEqual(lanner.parse(b"\xd0\xaf", fallback="utf-8").body.text, "Я")
        d = lanner.parse(b"x")
        self.assertEqual((d.encoding, d.encoding_source, d.encoding_confidence), ("windows-1252", "default", "tentative"))
        d = lanner.parse("<meta charset=koi8-r>я")
        self.assertEqual((d.encoding, d.encoding_source, d.encoding_confidence, d.body.text), (None, None, None, "я"))

    def test_errors(self):
        d = lanner.parse(b"<!DOCTYPE html>\n<p a a></b>", errors=True)
        self.assertEqual([tuple(error) for error in d.errors if error.is_standard],
                         [("duplicate-attribute", 22, 2, 7, True)])
        self.assertEqual(d.error_total, len(d.errors))
        self.assertEqual(lanner.parse("<p a a>").errors, [])

    def test_limits(self):
        d = lanner.parse("<i>" * 20, max_depth=10)
        self.assertEqual(list(d.limits), ["max_depth"])
        for option in ("max_nodes", "max_input"):
            with self.assertRaises(lanner.LimitError) as caught:
                lanner.parse("<p>x" * 50, **{option: 20})
            built = caught.exception.document
            self.assertIn(option, built.limits)
            self.assertEqual(built.body.first_child.tag, "p")
            self.assertIn(option, str(caught.exception))
        with self.assertRaises(lanner.LimitError) as caught:
            lanner.parse("<p>x" * 50000, max_memory=100000)
        self.assertIn("max_memory", caught.exception.document.limits)
        self.assertEqual(lanner.parse("<p>x" * 5, max_input=20, max_nodes=None).limits, {})
        d = lanner.parse("<p a b c>", max_attributes=2)
        self.assertEqual(d.body.first_child.attributes, {"a": "", "b": ""})
        # A cut in the middle of a character.
        with self.assertRaises(lanner.LimitError) as caught:
            lanner.parse("€" * 50, max_input=4)
        self.assertEqual(caught.exception.document.body.text, "€\ufffd")

    def test_serialize(self):
        html = '<!DOCTYPE html><html><head></head><body><p class="a&amp;b">é &lt;</p></body></html>'
        d = lanner.parse(html)
        self.assertEqual(d.serialize(), html)
        self.assertEqual(bytes(d), html.encode())
        self.assertEqual(d.body.serialize(), html[html.index("<body"):html.index("</html")])
        self.assertEqual(d.body.serialize(inner=True), '<p class="a&amp;b">é &lt;</p>')
        self.assertEqual(d.root.serialize(), html)
        noscript = lanner.parse("<body><noscript>a&lt;</noscript>")
        self.assertEqual(noscript.body.serialize(inner=True), "<noscript>a&lt;</noscript>")
        self.assertEqual(noscript.body.serialize(inner=True, scripting=True), "<noscript>a<</noscript>")
        self.assertEqual(lanner.parse_fragment("").serialize(), "")

    def test_extraction(self):
        d = self.document
        links = d.links(text=True)
        self.assertEqual([tuple(link)[1:] for link in links], [("a", "href", "1", "nofollow", "two"), ("a", "xlink:href", "2", None, ""),
                                                              ("img", "src", "i.png", None, None)])
        self.assertEqual(links[0].node, next(d.iter("a")))
        self.assertIsNone(d.links()[0].text)
        meta = lanner.parse('<html lang=en><title>t</title><meta name=robots content="none"><meta property=og:x content=y>'
                            '<meta http-equiv=refresh content="3;url=u"><link rel=icon href=i sizes=1x1>'
                            '<script type=application/ld+json>{}</script><p itemscope typeof=x>').meta()
        self.assertEqual(meta["title"], "t")
        self.assertEqual(meta["lang"], "en")
        self.assertEqual(meta["robots"], [{"bot": "robots", "value": "none", "directives": ["noindex", "nofollow"]}])
        self.assertEqual(meta["open_graph"], [("og:x", "y")])
        self.assertEqual(meta["refresh"], {"seconds": 3, "url": "u"})
        self.assertEqual(meta["icons"][0]["url"], "i")
        self.assertEqual(meta["json_ld"], ["{}"])
        self.assertIs(meta["microdata"], True)
        self.assertIs(meta["rdfa"], True)
        page = lanner.parse("<body><nav>menu</nav><main><p>" + "text " * 50 + "<p><a href=u>l</a><img alt=pic>")
        self.assertTrue(page.text().startswith("menu"))
        self.assertTrue(page.text(main=True).startswith("text"))
        self.assertIn("pic", page.text(alt=True))
        self.assertIn("l (u)", page.text(links=True))

    def test_by_id(self):
        self.assertEqual(self.document.get_element_by_id("x").tag, "body")
        for absent in ("X", "", "y", "\ud800"):
            self.assertIsNone(self.document.get_element_by_id(absent))


class Nodes(unittest.TestCase):
    def setUp(self):
        self.document = lanner.parse(PAGE, spans=True)
        self.p = next(self.document.iter("p"))

    def test_kinds(self):
        types = {node.type: node for node in self.document.iter()}
        self.assertEqual(set(types), {"doctype", "element", "comment", "text", "processing-instruction"})
        doctype = types["doctype"]
        self.assertEqual((doctype.name, doctype.public_id, doctype.system_id, doctype.tag, doctype.data),
                         ("html", "p", "s", None, None))
        self.assertEqual((types["comment"].data, types["comment"].text, types["comment"].name), ("note", "note", None))
        instruction = types["processing-instruction"]
        self.assertEqual((instruction.name, instruction.data, instruction.tag), ("pi", "data", None))
        self.assertEqual((self.p.tag, self.p.name, self.p.namespace, self.p.data, self.p.public_id), ("p", "p", "html", None, None))
        self.assertIsNone(types["text"].namespace)
        svg = next(self.document.iter("svg"))
        self.assertEqual([(n.tag, n.namespace) for n in svg.children], [("a", "svg"), ("foreignObject", "svg")])
        self.assertEqual(repr(self.p), "<lanner.Node element 'p'>")
        self.assertEqual(repr(self.document.root), "<lanner.Node document>")

    def test_steps(self):
        p, body = self.p, self.document.body
        self.assertEqual((p.parent, body.children, p.prev.type), (body, [body.first_child, p], "comment"))
        self.assertEqual((p.first_child.data, p.last_child.tag, p.next, p.first_child.prev), ("one ", "img", None, None))
        self.assertEqual((self.document.root.parent, p.first_child.next.tag), (None, "a"))
        self.assertIs(p.document, self.document)
        self.assertEqual(p.text, "one two threeno")
        self.assertEqual(self.document.root.text, " A \n <b> one two threeno")

    def test_identity(self):
        again = next(self.document.iter("p"))
        self.assertIsNot(again, self.p)
        self.assertTrue(again == self.p and not again != self.p and hash(again) == hash(self.p))
        self.assertNotEqual(self.p, self.document.body)
        self.assertNotEqual(self.p, next(lanner.parse(PAGE).iter("p")))
        self.assertEqual(len({node for node in self.document.iter()} | set(self.document.iter())),
                         len(list(self.document.iter())))
        self.assertEqual((again.id, self.p == 3, self.p != 3), (self.p.id, False, True))
        with self.assertRaises(TypeError):
            self.p < again  # pylint: disable=pointless-statement

    def test_attributes(self):
        a = next(self.document.iter("a"))
        self.assertEqual(a.attributes, {"href": "1", "rel": "nofollow"})
        self.assertEqual(list(self.document.body.attributes), ["class", "id"])
        self.assertIsInstance(a.attributes, collections.abc.MutableMapping)
        self.assertEqual((a.get("href"), a.get("HREF"), a.get("x", 7), a.get("\ud800")), ("1", None, 7, None))
        self.assertEqual((a.first_child.attributes, a.first_child.get("href")), ({}, None))
        self.assertEqual(self.document.attribute_values("a", "href"), ["1"])
        self.assertEqual(self.document.attribute_values(None, "id"), ["x", "t"])
        self.assertEqual(self.p.attribute_values("a", "xlink:href"), ["2"])
        self.assertEqual(self.document.body.attribute_values("body", "id"), [])  # below it
        self.assertEqual(self.document.attribute_values("\ud800", "id"), [])

    def test_iter(self):
        tags = [node.tag for node in self.document.iter()]
        self.assertEqual(tags[:4], [None, "html", "head", "title"])
        self.assertEqual([node.tag for node in self.p.iter()][:3], ["p", None, "a"])
        self.assertEqual([node.tag for node in self.document.iter("img", "a", "nothing")], ["a", "a", "a", "img"])
        self.assertEqual([node.tag for node in self.p.iter("p")], ["p"])
        self.assertEqual(list(self.document.iter("pi", "A", "\ud800")), [])  # no element is called so
        walk = self.document.iter("p")
        self.assertIs(iter(walk), walk)
        self.assertEqual((len(list(walk)), list(walk)), (1, []))
        own = lanner.parse("<x-y><a></a><x-y id=1>")
        self.assertEqual([node.get("id") for node in own.iter("x-y")], [None, "1"])
        named_alike = lanner.parse("<!DOCTYPE a><?a x?><a id=1><?x-y?><x-y id=2>")
        self.assertEqual([node.get("id") for node in named_alike.iter("a", "x-y")], ["1", "2"])
        self.assertEqual(named_alike.attribute_values("a", "id") + named_alike.attribute_values("x-y", "id"), ["1", "2"])

    def test_template_and_shadow(self):
        template = next(self.document.iter("template"))
        contents = template.template_contents
        self.assertEqual((contents.type, contents.host, template.children, contents.first_child.tag), ("fragment", template, [], "i"))
        self.assertEqual(contents.serialize(), "<i>in</i>")
        page = "<p><template shadowrootmode=open>s</template></p>"
        host = next(lanner.parse(page).iter("p"))
        self.assertEqual((host.shadow_root.text, host.shadow_mode, host.shadow_root.host, host.text), ("s", "open", host, ""))
        host = next(lanner.parse(page, shadow_roots=False).iter("p"))
        self.assertEqual((host.shadow_root, host.shadow_mode, host.first_child.tag), (None, None, "template"))

    def test_spans(self):
        source = PAGE.encode()
        a = next(self.document.iter("a"))
        self.assertEqual(source[slice(*a.span)], b'<a href="1" rel=nofollow>')
        self.assertEqual(source[slice(*a.end_tag_span)], b"</a>")
        self.assertIsNone(self.p.end_tag_span)
        self.assertIsNone(lanner.parse(PAGE).body.span)

    def test_outlives_its_page(self):
        node = lanner.parse("<p>" + "x" * 100000).body.first_child
        walk = lanner.parse("<p>é" + "y" * 100000).iter("p")
        for _ in range(5):
            lanner.parse("<b>" + "z" * 100000)
        self.assertEqual(node.text, "x" * 100000)
        self.assertEqual(next(walk).text, "é" + "y" * 100000)

    def test_readonly(self):
        for thing, name in ((self.p, "tag"), (self.p, "new"), (self.document, "title")):
            with self.assertRaises(AttributeError):
                setattr(thing, name, "x")
        for kind in (lanner.Node, lanner.Document, lanner.NodeIterator):
            with self.assertRaises(TypeError):
                kind()
            with self.assertRaises(TypeError):
                type("Sub", (kind,), {})


class Arguments(unittest.TestCase):
    def test_types(self):
        for call in (lambda: lanner.parse(), lambda: lanner.parse(3), lambda: lanner.parse(None), lambda: lanner.parse("", ""),
                     lambda: lanner.parse("", what=1), lambda: lanner.parse(b"", encoding=3), lambda: lanner.parse("", max_depth="3"),
                     lambda: lanner.parse("", max_depth=1.5), lambda: lanner.parse("", context="p"), lambda: lanner.parse("", namespace="svg"),
                     lambda: lanner.parse_fragment("", 3), lambda: lanner.parse_fragment("", "p", context="p"),
                     lambda: lanner.parse_fragment(), lambda: lanner.Parser("p"), lambda: lanner.Parser(in_form=True),
                     lambda: lanner.Parser(what=1), lambda: lanner.Parser().feed(1), lambda: lanner.parse("").iter(1),
                     lambda: lanner.parse("").html.get(1), lambda: lanner.parse("").html.get(), lambda: lanner.parse("").serialize(True),
                     lambda: lanner.parse("").serialize(inner=True), lambda: lanner.parse("").attribute_values("a"),
                     lambda: lanner.parse("").attribute_values(1, "a"), lambda: lanner.parse("").get_element_by_id(1),
                     lambda: lanner.parse("").text(True), lambda: lanner.parse("", mode=3), lambda: lanner.parse("").html.serialize(x=1)):
            with self.assertRaises(TypeError):
                call()

    def test_values(self):
        for options in ({"max_depth": 0}, {"max_depth": -1}, {"max_depth": 1 << 32}, {"max_memory": 1 << 64}, {"mode": "odd"},
                        {"encoding": "utf-8\0"}, {"encoding": "utf-8", "data": "a str"}):
            data = options.pop("data", b"")
            with self.assertRaises(ValueError, msg=options):
                lanner.parse(data, **options)
        for call in (lambda: lanner.parse_fragment("", ""), lambda: lanner.parse_fragment("", namespace="x")):
            with self.assertRaises(ValueError):
                call()

        class Truth:
            def __bool__(self):
                raise ZeroDivisionError
        with self.assertRaises(ZeroDivisionError):
            lanner.parse("", errors=Truth())

    def test_encodings(self):
        for options in ({"encoding": "foo"}, {"fallback": "foo"}, {"encoding": "utf-8", "fallback": "foo"}):
            for call in (lambda: lanner.parse(b"", **options), lambda: lanner.Parser(**options)):
                with self.assertRaises(lanner.EncodingError) as caught:
                    call()
                self.assertEqual(str(caught.exception), "unknown encoding: 'foo'")
                self.assertIsInstance(caught.exception, (LookupError, lanner.LannerError))
        self.assertEqual(lanner.parse(b"", transport="foo").encoding, "windows-1252")

    def test_options(self):
        self.assertEqual(lanner.parse("<body><noscript><p>", scripting=True).body.first_child.first_child.type, "text")
        self.assertEqual(lanner.parse("<b>", plaintext=True).body.text, "<b>")
        self.assertEqual(lanner.parse("", srcdoc=True).mode, "no-quirks")
        table = "<p><table>"
        self.assertEqual(len(lanner.parse_fragment(table, mode="quirks").root.children), 1)
        self.assertEqual(len(lanner.parse_fragment(table).root.children), 2)
        self.assertEqual(lanner.parse_fragment("<td>x", "tr").root.first_child.tag, "td")
        self.assertEqual(lanner.parse_fragment("<td>x").root.first_child.type, "text")
        self.assertEqual(lanner.parse_fragment("<a/>", "svg", namespace="svg").root.first_child.namespace, "svg")
        self.assertEqual(lanner.parse_fragment("<form>", in_form=True).root.children, [])
        self.assertEqual(lanner.parse_fragment("<td>", context="tr").root.first_child.tag, "td")


class Parsers(unittest.TestCase):
    def test_pieces(self):
        for data in (PAGE, PAGE.encode()):
            parser = lanner.Parser(spans=True)
            for at in range(0, len(data), 7):
                self.assertIsNone(parser.feed(data[at:at + 7]))
            self.assertEqual(parser.close().serialize(), lanner.parse(PAGE).serialize())

    def test_closed(self):
        parser = lanner.Parser()
        self.assertEqual(parser.close().serialize(), "<html><head></head><body></body></html>")
        for call in (parser.close, lambda: parser.feed("x")):
            with self.assertRaises(ValueError):
                call()

    def test_kinds_do_not_mix(self):
        parser = lanner.Parser()
        parser.feed("<p>é")
        with self.assertRaises(TypeError):
            parser.feed(b"x")
        parser.feed("x")
        self.assertEqual(parser.close().body.text, "éx")
        parser = lanner.Parser(encoding="utf-8")
        with self.assertRaises(ValueError):
            parser.feed("x")
        parser.feed(b"\xd0")
        parser.feed(b"\xaf")
        self.assertEqual(parser.close().body.text, "Я")

    def test_limit(self):
        parser = lanner.Parser(max_input=10)
        with self.assertRaises(lanner.LimitError) as caught:
            parser.feed("<p>" * 10)
        self.assertEqual(caught.exception.document.limits, {"max_input": 10})
        with self.assertRaises(ValueError):
            parser.close()

    def test_late_meta(self):
        page = b"<p>" + b"x" * 2000 + b"\xd0<meta charset=koi8-r>"
        parser = lanner.Parser()
        for at in range(0, len(page), 100):
            parser.feed(page[at:at + 100])
        document = parser.close()
        self.assertEqual((document.encoding, document.encoding_source, document.body.text[-1]), ("KOI8-R", "late-meta", "п"))


class Stubs(unittest.TestCase):
    """The .pyi file names what there is, and nothing else."""

    def test_names(self):
        tree = ast.parse((TOP / "bindings/python/lanner/__init__.pyi").read_text())
        stubs = {}
        for node in tree.body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                stubs[node.name] = node
            elif isinstance(node, ast.AnnAssign):
                stubs[node.target.id] = node
        self.assertEqual({name for name in stubs if not name.startswith("_") or name == "__version__"}, set(lanner.__all__))
        for name in ("Document", "Node", "Parser"):
            written = {part.name for part in stubs[name].body if not part.name.startswith("__")}
            there = {part for part in dir(getattr(lanner, name)) if not part.startswith("__")}
            self.assertEqual(written, there, name)
        for name in ("Link", "PageError"):
            written = [part.name for part in stubs[name].body]
            kind = getattr(lanner, name)
            self.assertEqual(len(written), kind.n_fields)
            self.assertTrue(all(hasattr(kind, field) for field in written), name)
        values = {"encoding": "utf-8", "transport": "utf-8", "fallback": "utf-8", "mode": "quirks"}
        for option in (part.target.id for part in stubs["_Options"].body):
            value = values.get(option, 1 << 30 if option.startswith("max") else True)
            lanner.parse(b"", **{option: value})
            lanner.parse_fragment(b"", **{option: value})
            lanner.Parser(**{option: value})

    def test_version(self):
        header = (TOP / "include/lanner.h").read_text()
        parts = [header.split(f"LANNER_VERSION_{part} ")[1].split()[0] for part in ("MAJOR", "MINOR", "PATCH")]
        self.assertEqual(lanner.__version__, ".".join(parts))
