"""What can be handed over: buffers of all sorts, str of every kind, and what becomes of odd ones."""
import array
import io
import mmap
import tempfile
import unittest

import lanner


class Buffers(unittest.TestCase):
    def test_bytes_like(self):
        data = b"<p>gr\xc3\xbc\xc3\x9f dich" * 500
        want = lanner.parse(data, encoding="utf-8").serialize()

        class Bytes(bytes):
            pass
        for given in (bytearray(data), memoryview(data), memoryview(b"xx" + data + b"yy")[2:-2], memoryview(bytearray(data)),
                      array.array("B", data), Bytes(data), io.BytesIO(data).getbuffer(), memoryview(data).toreadonly()):
            self.assertEqual(lanner.parse(given, encoding="utf-8").serialize(), want)
            parser = lanner.Parser(encoding="utf-8")
            parser.feed(given)
            self.assertEqual(parser.close().serialize(), want)
        with tempfile.TemporaryFile() as file:
            file.write(data)
            file.flush()
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
                self.assertEqual(lanner.parse(mapped, encoding="utf-8").serialize(), want)

    def test_writable_is_copied(self):
        data = bytearray(b"<p>" + b"a" * 10000)
        document = lanner.parse(data)
        data[:] = b"z" * len(data)
        data.extend(b"no export is left")
        self.assertEqual(document.body.text, "a" * 10000)

    def test_refused(self):
        released = memoryview(b"x")
        released.release()
        for given, error in ((memoryview(b"abcdef")[::2], BufferError), (memoryview(b"abcdef")[::-1], BufferError),
                             (released, ValueError), (["x"], TypeError), (io.StringIO("x"), TypeError), (7, TypeError)):
            with self.assertRaises(error):
                lanner.parse(given)
            with self.assertRaises(error):
                lanner.Parser().feed(given)

    def test_multidimensional(self):
        view = memoryview(b"<p>abc").cast("B", (2, 3))
        self.assertEqual(lanner.parse(view).body.text, "abc")

    def test_empty(self):
        for given in ("", b"", bytearray(), memoryview(b"")):
            self.assertEqual(lanner.parse(given).serialize(), "<html><head></head><body></body></html>")


class Strings(unittest.TestCase):
    def text_of(self, text, **options):
        """TEXT as the text of a page, whole and in pieces."""
        found = lanner.parse_fragment(text, **options).root.text
        for step in (1, 5, 1000):
            parser = lanner.Parser(context="div", **options)
            for at in range(0, len(text), step):
                parser.feed(text[at:at + step])
            self.assertEqual(parser.close().root.text, found)
        return found

    def test_kinds_and_lengths(self):
        """Every length around the encoder's sixteen, with the odd character everywhere."""
        for odd in ("\x7f", "\x80", "\xff", "\u0100", "\u07ff", "\u0800", "\u7fff", "\u8000", "\ud7ff", "\ue000", "\uffff",
                    "\U00010000", "\U0010ffff"):
            for length in range(1, 36):
                for at in range(length):
                    text = "a" * at + odd + "b" * (length - at - 1)
                    self.assertEqual(lanner.parse_fragment(text).root.text, text)
            for text in (odd * 40, (odd + "a") * 40, (odd * 3 + " word ") * 20, "a" * 33 + odd * 17 + "\U0001f600"):
                self.assertEqual(self.text_of(text), text)

    def test_every_character(self):
        for start in range(0, 0x110000, 0x1000):
            text = "".join(chr(c) for c in range(start, start + 0x1000) if c not in (0, 13, 0x26, 0x3c))
            want = "".join("\ufffd" if 0xd800 <= ord(c) < 0xe000 else c for c in text)
            self.assertEqual(lanner.parse_fragment(text).root.text, want)

    def test_long(self):
        """Longer than what is encoded without counting first."""
        for odd in ("\xe9", "\u20ac", "\U0001f600"):
            text = odd + "ab" * (2 << 20) + odd
            self.assertEqual(lanner.parse_fragment(text).root.text, text)

    def test_surrogates(self):
        self.assertEqual(self.text_of("a\ud800b\udfff\udbff\udc00"), "a\ufffdb\ufffd\ufffd\ufffd")
        self.assertEqual(lanner.parse("<p \ud800=\udc00>").body.first_child.attributes, {"\ufffd": "\ufffd"})

    def test_byte_order_mark(self):
        """It is a character of a str (nothing is decoded), and a mark of bytes."""
        self.assertEqual(self.text_of("\ufeff"), "\ufeff")
        self.assertEqual(self.text_of("\ufeffa\ufeff"), "\ufeffa\ufeff")
        self.assertEqual(self.text_of("\ufeff\U0001f600"), "\ufeff\U0001f600")
        self.assertEqual(lanner.parse("\ufeffa").body.text, "\ufeffa")
        self.assertEqual(lanner.parse("\ufeffa".encode()).body.text, "a")
        self.assertEqual(lanner.parse("a".encode("utf-16")).encoding_source, "bom")

    def test_newlines(self):
        for text, want in (("a\rb\r\nc\n\rd", "a\nb\nc\n\nd"), ("é\r\r\n", "é\n\n"), ("€\r", "€\n")):
            self.assertEqual(self.text_of(text), want)

    def test_null(self):
        self.assertEqual(lanner.parse("a\0b").body.text, "ab")
        self.assertEqual(lanner.parse("é<textarea>a\0b").body.last_child.text, "a\ufffdb")

    def test_subclass(self):
        class Page(str):
            def encode(self, *arguments):
                raise AssertionError("nobody asks it")

            def __len__(self):
                return 3
        self.assertEqual(lanner.parse(Page("<p>é" * 3)).body.text, "ééé")
        parser = lanner.Parser()
        parser.feed(Page("<p>abc"))
        self.assertEqual(parser.close().body.text, "abc")

    def test_errors_are_those_of_bytes(self):
        for text in ("<p>é<a b=1 b=2>\x01", "€\r\n<!-->", "\ufdd0<p \U0001f600 <>", "<!DOCTYPE html>abc&#0;"):
            ours = lanner.parse(text, errors=True, spans=True)
            theirs = lanner.parse(text.encode(), encoding="utf-8", errors=True, spans=True)
            self.assertEqual(ours.errors, theirs.errors)
            self.assertEqual([node.span for node in ours.iter()], [node.span for node in theirs.iter()])
