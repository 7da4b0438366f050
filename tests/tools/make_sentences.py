#!/usr/bin/env python3
"""Prints tests/tools/sentences.inc: parts of saved pages that their text must hold or must not.

    python3 make_sentences.py FOLDER > sentences.inc

Found with Python's own HTML tokenizer, not with the library under test. Shown: runs of at least 40
characters inside p, li, td, h1 to h3 and the like, without markup or references in them, outside of
everything that does not show. Not shown: parts of scripts, styles, comments, templates and noscript,
when they do not also stand somewhere in visible text. Rows: page, byte offset, length, shown. Only
pages in UTF-8, so that the bytes can be compared as they are.
"""
import html.parser
import os
import re
import sys

PAGES = 30
SHOWN = {"p", "li", "td", "h1", "h2", "h3", "blockquote", "dd", "figcaption"}
SILENT = {"script", "style", "template", "noscript", "textarea", "iframe", "title", "head", "select",
          "svg", "object", "video", "audio", "canvas", "dialog", "noframes", "math"}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param",
        "source", "track", "wbr"}


class Finder(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=False)
        self.text = text
        self.lines = [0] + [m.end() for m in re.finditer("\n", text)]
        self.open = []
        self.shown, self.silent, self.visible = [], [], []
        self.feed(text)
        self.close()

    def at(self):
        line, column = self.getpos()
        return self.lines[line - 1] + column

    def handle_starttag(self, tag, attributes):
        names = dict(attributes)
        hidden = "hidden" in names or "display:none" in (names.get("style") or "").replace(" ", "")
        if tag not in VOID:
            self.open.append((tag, hidden))

    def handle_endtag(self, tag):
        for i in range(len(self.open) - 1, -1, -1):
            if self.open[i][0] == tag:
                del self.open[i:]
                break

    def handle_data(self, data):
        names = {tag for tag, _ in self.open}
        quiet = names & SILENT
        if not quiet and "body" in names:
            self.visible.append(data)
            if self.open[-1][0] in SHOWN and not any(hidden for _, hidden in self.open):
                self.add(self.shown, data)
        elif quiet & {"script", "style", "template", "noscript"}:
            self.visible.append(" ")
            if self.open[-1][0] in ("script", "style"):
                self.add(self.silent, data)

    def handle_comment(self, data):
        self.add(self.silent, data, 4)

    def handle_entityref(self, name):
        self.visible.append("&")

    def handle_charref(self, name):
        self.visible.append("&")

    def add(self, rows, data, skip=0):
        found = re.search(r"\S[^<>&\n\r\t]{38,90}\S", data)
        if found and "  " not in found.group():
            rows.append((self.at() + skip + found.start(), found.group()))


def rows_of(page):
    with open(page, "rb") as file:
        raw = file.read()
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return None
    if b"\r" in raw or b"\0" in raw or "charset" not in text[:1024].lower() \
            or "utf-8" not in text[:1024].lower():
        return None
    finder = Finder(text)
    visible = " ".join("".join(finder.visible).split())
    rows = []
    for shown, found in ((True, finder.shown), (False, finder.silent)):
        step = max(1, len(found) // 6)
        for at, part in found[::step][:6]:
            if text[at:at + len(part)] != part or (not shown and part in visible):
                continue
            rows.append((len(text[:at].encode()), len(part.encode()), shown))
    return rows if sum(r[2] for r in rows) >= 4 and sum(not r[2] for r in rows) >= 3 else None


def main():
    folder = sys.argv[1]
    pages = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".html") and os.path.getsize(os.path.join(folder, name)) < 400000:
            rows = rows_of(os.path.join(folder, name))
            if rows:
                pages.append((name, rows))
    print("/* Made by make_sentences.py: page, byte offset, length, shown. */")
    step = max(1, len(pages) // PAGES)
    for name, rows in pages[::step][:PAGES]:
        for offset, length, shown in rows:
            print(f'{{"{name}", {offset}, {length}, {"true" if shown else "false"}}},')


if __name__ == "__main__":
    main()
