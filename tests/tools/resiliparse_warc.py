#!/usr/bin/env python3
"""What `lanner warc` writes, as near as FastWARC and resiliparse come to it: the yardstick for speed.

    python3 resiliparse_warc.py FILE... > lines.jsonl

One JSON line an HTML response: url, date, status, content type, charset, title, lang, metadata, links
with resolved URLs, text. One process, one thread. Needs the packages 'fastwarc<1' and 'resiliparse<2';
uses ada-url and orjson where they are there. Version 2.0.1 takes 20 times as long to walk a tree, runs a query again for
each element of its result, and stops at bodies that archives have decoded and kept the header of.
"""
import json
import sys

from fastwarc.warc import ArchiveIterator, WarcRecordType
from fastwarc.stream_io import FileStream
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import bytes_to_str, detect_encoding
from resiliparse.parse.html import HTMLTree, NodeType

try:
    from ada_url import join_url
except ImportError:
    from urllib.parse import urljoin as join_url
try:
    import orjson
    write_line = orjson.dumps
except ImportError:
    def write_line(line):
        return json.dumps(line, ensure_ascii=False).encode()

LINKS = {"a": ("href",), "area": ("href",), "link": ("href",), "form": ("action",),
         "iframe": ("src",), "frame": ("src",), "script": ("src",), "embed": ("src",),
         "audio": ("src",), "track": ("src",), "img": ("src", "srcset"),
         "source": ("src", "srcset"), "video": ("src", "poster"), "object": ("data",),
         "blockquote": ("cite",), "q": ("cite",), "del": ("cite",), "ins": ("cite",)}
OTHERS = ("meta", "base", "html")
TYPES = ("text/html", "application/xhtml+xml")


def elements_of(tree):
    """Elements that matter, by name, from one walk, which is faster than a look-up a name; selectors with
    many branches take seconds on some pages."""
    found = {name: [] for name in (*LINKS, *OTHERS)}
    for node in tree.document:
        elements = found.get(node.tag)
        if elements is not None:
            elements.append(node)
    return found


def resolve(base, value):
    try:
        return join_url(base, value.strip())
    except ValueError:
        return None

def links_of(elements, base):
    links = []
    for tag, attributes in LINKS.items():
        for e in elements[tag]:
            for name in attributes:
                value = e.getattr(name)
                if value is None:
                    continue
                parts = [value]
                if name == "srcset":
                    parts = [p.split()[0] for p in value.split(",") if p.strip()]
                rel = e.getattr("rel")
                for part in parts:
                    row = {"element": tag, "attribute": name, "value": part,
                           "url": resolve(base, part)}
                    if rel is not None:
                        row["rel"] = rel
                    links.append(row)
    return links


def meta_of(elements):
    out = {}
    for e in elements["meta"]:
        name = e.getattr("name") or e.getattr("property") or e.getattr("http-equiv")
        if name:
            out.setdefault(name, e.getattr("content"))
    for e in elements["link"]:
        out.setdefault("link " + (e.getattr("rel") or ""), []).append(e.getattr("href"))
    blocks = [e.text for e in elements["script"] if e.getattr("type") == "application/ld+json"]
    if blocks:
        out["json_ld"] = blocks
    return out


def main():
    pages = 0
    write = sys.stdout.buffer.write
    for name in sys.argv[1:]:
        # Not through GZipStream by hand: the iterator finds out about compression itself.
        for record in ArchiveIterator(FileStream(name), parse_http=True, auto_decode="all",
                                      record_types=WarcRecordType.response | WarcRecordType.resource):
            content_type = record.http_content_type
            if content_type not in TYPES:
                continue
            body = record.reader.read()
            charset = record.http_charset or detect_encoding(body)
            url = record.headers.get("WARC-Target-URI", "")
            tree = HTMLTree.parse(bytes_to_str(body, charset))
            elements = elements_of(tree)
            bases = [e.getattr("href") for e in elements["base"] if e.getattr("href") is not None]
            base_url = resolve(url, bases[0]) if bases else url
            roots = [e for e in elements["html"] if e.type == NodeType.ELEMENT]  # not the doctype
            line = {
                "url": url,
                "date": record.headers.get("WARC-Date"),
                "status": record.http_headers.status_code if record.http_headers else None,
                "content_type": content_type,
                "charset": charset,
                "title": tree.title,
                "lang": roots[0].getattr("lang") if roots else None,
                "meta": meta_of(elements),
                "links": links_of(elements, base_url or url),
                "text": extract_plain_text(tree, main_content=False, alt_texts=False, links=False,
                                           form_fields=False, noscript=False),
                "bytes": len(body),
                "warc": {"file": name, "offset": record.stream_pos},
            }
            write(write_line(line))
            write(b"\n")
            pages += 1
    print(f"{pages} pages", file=sys.stderr)

if __name__ == "__main__":
    main()
