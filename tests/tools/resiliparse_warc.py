#!/usr/bin/env python3
"""What `lanner warc` writes, as near as FastWARC and resiliparse come to it: the yardstick for speed.

    python3 resiliparse_warc.py FILE... > lines.jsonl

One JSON line an HTML response: url, date, status, content type, charset, title, lang, metadata, links
with resolved URLs, text. One process, one thread. Needs the packages fastwarc and resiliparse, of
which versions before 2 are much the faster ones at walking a tree.
"""
import json
import sys
from urllib.parse import urljoin

from fastwarc.warc import ArchiveIterator, WarcRecordType
try:
    from fastwarc.stream_io import FileStream as open_archive  # versions before 2
except ImportError:
    open_archive = str
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import bytes_to_str, detect_encoding
from resiliparse.parse.html import HTMLTree

# One look-up a name: selector lists with many branches take seconds on some pages.
LINKS = {"a": ("href",), "area": ("href",), "link": ("href",), "form": ("action",),
         "iframe": ("src",), "frame": ("src",), "script": ("src",), "embed": ("src",),
         "audio": ("src",), "track": ("src",), "img": ("src", "srcset"),
         "source": ("src", "srcset"), "video": ("src", "poster"), "object": ("data",),
         "blockquote": ("cite",), "q": ("cite",), "del": ("cite",), "ins": ("cite",)}
TYPES = ("text/html", "application/xhtml+xml")

def resolve(base, value):
    try:
        return urljoin(base, value.strip())
    except ValueError:
        return None

def links_of(tree, base):
    find = tree.document.get_elements_by_tag_name
    for tag, attributes in LINKS.items():
        for e in find(tag):
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
                    yield row


def meta_of(tree):
    find = tree.document.get_elements_by_tag_name
    out = {}
    for e in find("meta"):
        name = e.getattr("name") or e.getattr("property") or e.getattr("http-equiv")
        if name:
            out.setdefault(name, e.getattr("content"))
    for e in find("link"):
        out.setdefault("link " + (e.getattr("rel") or ""), []).append(e.getattr("href"))
    blocks = [e.text for e in find("script") if e.getattr("type") == "application/ld+json"]
    if blocks:
        out["json_ld"] = blocks
    return out


def main():
    pages = 0
    write = sys.stdout.write
    for name in sys.argv[1:]:
        # Not through GZipStream by hand: the iterator finds out about compression itself.
        for record in ArchiveIterator(open_archive(name), parse_http=True, auto_decode="all",
                                      record_types=WarcRecordType.response | WarcRecordType.resource):
            content_type = record.http_content_type
            if content_type not in TYPES:
                continue
            body = record.reader.read()
            charset = record.http_charset or detect_encoding(body)
            url = record.headers.get("WARC-Target-URI", "")
            tree = HTMLTree.parse(bytes_to_str(body, charset))
            find = tree.document.get_elements_by_tag_name
            bases = [e.getattr("href") for e in find("base") if e.getattr("href") is not None]
            base_url = resolve(url, bases[0]) if bases else url
            roots = find("html")
            line = {
                "url": url,
                "date": record.headers.get("WARC-Date"),
                "status": record.http_headers.status_code if record.http_headers else None,
                "content_type": content_type,
                "charset": charset,
                "title": tree.title,
                "lang": roots[0].getattr("lang") if len(roots) else None,
                "meta": meta_of(tree),
                "links": list(links_of(tree, base_url or url)),
                "text": extract_plain_text(tree, main_content=False, alt_texts=False, links=False,
                                           form_fields=False, noscript=False),
                "bytes": len(body),
                "warc": {"file": name, "offset": record.stream_pos},
            }
            write(json.dumps(line, ensure_ascii=False))
            write("\n")
            pages += 1
    print(f"{pages} pages", file=sys.stderr)

if __name__ == "__main__":
    main()
