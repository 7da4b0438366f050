"""Real pages: the binding and the command `lanner` say the same of each, and a str is what its bytes are."""
import json
import subprocess
import unittest

import lanner
from support import QUICK, command, dump, notes, shared


def run(*arguments):
    return subprocess.run([command(), *map(str, arguments)], stdout=subprocess.PIPE, check=True).stdout


class Pages(unittest.TestCase):
    def pages(self):
        paths = sorted(shared("corpus/pages").iterdir())
        self.assertGreater(len(paths), 300)
        return paths[::20] if QUICK else paths

    def test_as_the_command(self):
        for path in self.pages():
            with self.subTest(page=path.name):
                data = path.read_bytes()
                document = lanner.parse(data)
                self.assertEqual(dump(document.root).encode(), run("tree", path))
                self.assertEqual(bytes(document), run("html", path))
                self.assertEqual(document.text().encode().rstrip(b"\n"), run("text", path).rstrip(b"\n"))
                facts = run("encoding", path).decode()
                self.assertIn(document.encoding, facts)
                self.same_links(document, path)
                self.same_meta(document, path)
        notes.append(f"{len(self.pages())} pages")

    def same_links(self, document, path):
        wanted = [json.loads(line) for line in run("links", "--json", "--text", path).decode().split("\n") if line]
        links = document.links(text=True)
        self.assertEqual(len(links), len(wanted))
        for link, want in zip(links, wanted):
            for field in ("element", "attribute", "value", "rel", "text"):
                self.assertEqual(getattr(link, field), want.get(field))
            if ":" not in link.attribute and link.attribute not in ("srcset", "content"):
                self.assertEqual(link.node.get(link.attribute), link.value)

    def same_meta(self, document, path):
        wanted = json.loads(run("meta", "--json", path))
        meta = document.meta()
        self.assertEqual(set(meta), set(wanted) - {"file", "url"})
        for key in ("title", "lang", "charset", "description", "keywords", "author", "generator", "robots", "twitter",
                    "dates", "json_ld"):
            ours, theirs = meta.get(key), wanted.get(key)
            self.assertEqual(json.loads(json.dumps(ours)), theirs, key)
        if not any(node.shadow_root for node in document.iter()):
            self.assertEqual(document.title, meta.get("title", document.title))

    def test_str_is_its_bytes(self):
        count = 0
        for path in self.pages():
            data = path.read_bytes()
            try:
                text = data.decode()
            except UnicodeDecodeError:
                continue
            if text.startswith("\ufeff"):
                text = text[1:]
            count += 1
            with self.subTest(page=path.name):
                want = lanner.parse(data, encoding="utf-8")
                given = lanner.parse(text)
                self.assertEqual(given.serialize(), want.serialize())
                self.assertEqual(given.node_count, want.node_count)
                parser = lanner.Parser()
                for at in range(0, len(text), 1009):
                    parser.feed(text[at:at + 1009])
                self.assertEqual(parser.close().serialize(), want.serialize())
                hrefs = [node.get("href") for node in given.iter("a") if "href" in node.attributes]
                self.assertEqual(given.attribute_values("a", "href"), hrefs)
        self.assertGreater(count, len(self.pages()) // 2)
