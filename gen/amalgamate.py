#!/usr/bin/env python3
"""Writes the library as one C file and one header, for embedders who want neither re2c nor Python.

usage: amalgamate.py --gen GEN --output FOLDER

lanner-amalgamated.c is src/lanner.c with every quoted #include replaced by the file itself, the
generated ones included; lanner-amalgamated.h is all public headers. Nothing is changed otherwise.
"""
import argparse
import os
import re
import sys

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"')
# The tree builder is included once an instance, over the operations that a macro names.
DEFINE = re.compile(r'^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+"([^"]+)"[ \t]*$')
INCLUDE_NAME = re.compile(r"^[ \t]*#[ \t]*include[ \t]+(\w+)\b")
BANNER = ("/* {name} - Lanner, an HTML parser, as one file.\n"
          " * Made by gen/amalgamate.py from {source}; do not edit. License: MIT, see LICENSE.\n"
          "{notice} */\n")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Amalgamation:
    def __init__(self, folders, public):
        self.folders = folders
        self.public = public  # names of the public headers
        self.done = set()     # guarded files already put in, outside of any condition
        self.defined = {}     # macros that name a file

    def find(self, name, beside):
        for folder in [beside] + self.folders:
            path = os.path.normpath(os.path.join(folder, name))
            if os.path.exists(path):
                return path
        sys.exit(f'amalgamate.py: "{name}" is nowhere')

    def expand(self, path, out, conditional=False):
        text = read(path)
        guard = re.search(r"^\s*#\s*ifndef\s+(\w+)\s*\n\s*#\s*define\s+\1\b", text, re.M)
        if guard and path in self.done:
            return
        if guard and not conditional:
            self.done.add(path)
        shown = os.path.join("(generated)", os.path.basename(path)) if path.startswith(self.folders[-1] + os.sep) else path
        out.append(f"\n/* ==== {shown} ==== */\n")
        depth = -1 if guard else 0
        for line in text.splitlines(keepends=True):
            directive = re.match(r"\s*#\s*(if|ifdef|ifndef|endif)\b", line)
            if directive:
                depth += -1 if directive.group(1) == "endif" else 1
            define = DEFINE.match(line.rstrip("\n"))
            if define:
                self.defined[define.group(1)] = define.group(2)
            match, by_name = INCLUDE.match(line), INCLUDE_NAME.match(line)
            if by_name and by_name.group(1) not in self.defined:
                sys.exit(f"{path}: {by_name.group(1)} names no file")
            name = match.group(1) if match else self.defined[by_name.group(1)] if by_name else None
            if not name:
                out.append(line)
            elif os.path.basename(name) in self.public:
                out.append("\n")  # part of lanner-amalgamated.h, included at the top
            else:
                self.expand(self.find(name, os.path.dirname(path)), out, conditional or depth > 0)
        if not text.endswith("\n"):
            out.append("\n")


def write(path, text):
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".new", path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gen", required=True)
    parser.add_argument("--output", required=True)
    options = parser.parse_args()
    gen = os.path.normpath(options.gen)
    headers = sorted(os.path.join("include", n) for n in os.listdir("include") if n.endswith(".h"))
    headers += sorted(os.path.join(gen, n) for n in os.listdir(gen) if re.fullmatch(r"lanner_\w+\.h", n))
    public = {os.path.basename(h) for h in headers}
    # lanner.h first, the others need it.
    headers.sort(key=lambda h: (os.path.basename(h) != "lanner.h", h))
    # The notice of the data that the decoders' tables come from goes where the tables go.
    license_text = read("LICENSE")
    notice = "".join(f" * {line}".rstrip() + "\n" for line in license_text.replace("*/", "* /").splitlines())

    top = []
    for header in headers:
        for line in read(header).splitlines(keepends=True):
            match = INCLUDE.match(line)
            if match and os.path.basename(match.group(1)) in public:
                continue
            top.append(line)
    write(os.path.join(options.output, "lanner-amalgamated.h"),
          BANNER.format(name="lanner-amalgamated.h", source="include/", notice="") + "".join(top))

    body = []
    work = Amalgamation(["src", "include", gen], public)
    work.expand("src/lanner.c", body)
    text = "".join(body)
    left = [line for line in text.splitlines() if INCLUDE.match(line)]
    if left:
        sys.exit(f"amalgamate.py: left over: {left}")
    write(os.path.join(options.output, "lanner-amalgamated.c"),
          BANNER.format(name="lanner-amalgamated.c", source="src/, grammar/ and gen/", notice=" *\n" + notice)
          + '#include "lanner-amalgamated.h"\n' + text)


if __name__ == "__main__":
    main()
