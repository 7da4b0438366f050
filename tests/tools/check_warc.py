#!/usr/bin/env python3
"""Checks `lanner warc` (and links on the shared cases) as users meet it.

    python3 check_warc.py LANNER [SAMPLES [warc_expected.inc]]

Archives are made here; SAMPLES is a folder with real ones. Prints a line a failed check; the exit
status is 1 when there is one. Needs nothing but Python.
"""
import gzip
import json
import os
import random
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import zlib

LANNER = os.path.abspath(sys.argv[1])
SAMPLES = sys.argv[2] if len(sys.argv) > 2 else None
EXPECTED = sys.argv[3] if len(sys.argv) > 3 else None
failures = checks = 0


def check(ok, *what):
    global failures, checks
    checks += 1
    if not ok:
        failures += 1
        print("FAILED:", *what)


def warc(*arguments, stdin=None, **more):
    return subprocess.run([LANNER, "warc", *map(str, arguments)], input=stdin,
                          capture_output=True, timeout=300, **more)


def lines_of(output):
    return [json.loads(line) for line in output.splitlines()]


def without_place(rows):
    return [{k: v for k, v in row.items() if k != "warc"} for row in rows]


def messages(result):
    return [m for m in result.stderr.decode().splitlines() if not re.search(r" lines? of ", m)]


# --- archives ---

def record(url, body, kind="response", status="200 OK", media="text/html", extra="", http=""):
    if kind == "response":
        head = f"HTTP/1.1 {status}\r\nContent-Type: {media}\r\n{http}\r\n".encode()
        block, block_type = head + body, "application/http; msgtype=response"
    else:
        block, block_type = body, media
    return (f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\n"
            f"WARC-Date: 2020-01-02T03:04:05Z\r\nContent-Type: {block_type}\r\n{extra}"
            f"Content-Length: {len(block)}\r\n\r\n").encode() + block + b"\r\n\r\n"


def page(number):
    text = " ".join(str(number * i % 9973) for i in range(200 + number % 300))
    return (f"<html lang=en><title>Page {number}</title><body><a href=/{number + 1}>next</a>"
            f"<p>{text}</p></body></html>").encode()


def write(name, data):
    with open(name, "wb") as file:
        file.write(data)
    return name


def many(count, first=0):
    return [record(f"http://host.example/{i}", page(i)) if i % 5 else
            record(f"http://host.example/{i}", bytes(3000), media="image/png")
            for i in range(first, first + count)]


def members(records):
    return b"".join(gzip.compress(r, 6, mtime=0) for r in records)


# --- checks ---

def check_kinds():
    records = [
        record("http://a/1", b"<p>one <a href=x>link</a>"),
        record("http://a/2", b"", status="301 Moved"),
        record("http://a/3", b"%PDF", media="application/pdf"),
        record("http://a/4", b"<x/>", media="application/xhtml+xml; charset=utf-8"),
        record("http://a/5", b"<p>resource", kind="resource"),
        record("http://a/6", b"text", kind="resource", media="text/plain"),
        record("dns:a", b"20200102 a A 1.2.3.4", kind="response2", media="text/dns"),
        record("http://a/7", b"x", kind="request", media="application/http"),
        record("http://a/8", b"", kind="revisit", media="application/http"),
        record("http://a/9", b"<p>cut", extra="WARC-Truncated: length\r\n"),
        record("http://a/10", gzip.compress(b"<p>packed"), http="Content-Encoding: gzip\r\n"),
        record("http://a/11", b"4\r\n<p>c\r\n0\r\n\r\n", http="Transfer-Encoding: chunked\r\n"),
        record("http://a/12", b"<p>\xd0\xd2\xc9\xd7\xc5\xd4", media="text/html; charset=koi8-r"),
        record("http://a/13", b"<p>\xff\xfe\0 \"\\\x01", status="404 No"),
        record("http://a/\xff", b"<p>odd"),
    ]
    sniffed = record("http://a/14", b"<!doctype html><p>s").replace(
        b"Content-Type: text/html\r\n", b"")
    head = f"WARC/1.0\r\n".encode()
    sniffed = re.sub(rb"Content-Length: (\d+)",
                     lambda m: b"Content-Length: %d" % (int(m[1]) - 25), sniffed)
    records.append(sniffed)
    check(sniffed.startswith(head), "the test's own record")
    result = warc("-q", write("kinds.warc", b"".join(records)))
    rows = lines_of(result.stdout)
    check(result.returncode == 0, "kinds: status", result.returncode, result.stderr)
    urls = [row["url"] for row in rows]
    check(urls == ["http://a/1", "http://a/2", "http://a/4", "http://a/5", "http://a/9",
                   "http://a/10", "http://a/11", "http://a/12", "http://a/13", "http://a/\xff",
                   "http://a/14"], "kinds:", urls)
    by = {row["url"][9:]: row for row in rows}
    check(by["1"]["text"] == "one link" and by["1"]["bytes"] == 25, "kinds: text")
    check(by["1"]["date"] == "2020-01-02T03:04:05Z" and by["1"]["status"] == 200, "kinds: header")
    check(by["2"]["bytes"] == 0 and by["2"]["status"] == 301 and by["2"]["text"] == "", "empty")
    check(by["5"]["status"] is None and by["5"]["text"] == "resource", "resource")
    check(by["9"]["truncated"] == "length", "truncated")
    check(by["10"]["text"] == "packed" and by["10"]["bytes"] == 9, "content coding")
    check(by["11"]["text"] == "c" and by["11"]["bytes"] == 4, "chunks")
    check(by["12"]["charset"] == "KOI8-R" and by["12"]["charset_source"] == "transport" and
          by["12"]["text"] == "\u043f\u0440\u0438\u0432\u0435\u0442", "charset")
    link = by["1"]["links"][0]
    check(link.get("url", "http://a/x") == "http://a/x" and link["value"] == "x", "link", link)
    check(lines_of(warc("-q", "--status", "3xx,404", "kinds.warc").stdout) ==
          [by["2"], by["13"]], "--status")
    check(warc("-q", "-o", "-", "--fields", "url", "--limit", 1, "kinds.warc").stdout ==
          b'{"url":"http://a/1"}\n', "-o - is standard output")
    check(warc("-q", "--fields", "url,bytes", "--limit", 2, "kinds.warc").stdout ==
          b'{"url":"http://a/1","bytes":25}\n{"url":"http://a/2","bytes":0}\n', "--fields, --limit")
    check(all(set(r) == {"url", "links"} for r in
              lines_of(warc("-q", "--links-only", "kinds.warc").stdout)), "--links-only")
    check(all("text" not in r for r in
              lines_of(warc("-q", "--no-text", "kinds.warc").stdout)), "--no-text")
    warc("-q", "--summary", "sum.json", "kinds.warc")
    with open("sum.json", "rb") as file:
        total = json.load(file)
    check(total["lines"] == 11 and total["records"]["request"] == 1 and total["complete"] and
          total["records"]["revisit"] == 1 and total["broken"] == 0, "--summary", total)


def stored_brotli(data):
    """A brotli stream of one uncompressed block (at most 65536 bytes) and an empty last one."""
    return (((len(data) - 1) << 4) | 1 << 20).to_bytes(3, "little") + data + b"\x03"


def stored_zstd(data):
    """A zstd frame of one raw block, its size in two bytes (256 to 65791)."""
    return (b"\x28\xb5\x2f\xfd\x60" + (len(data) - 256).to_bytes(2, "little") +
            (len(data) << 3 | 1).to_bytes(3, "little") + data)


def packed_by(command):
    """What the compressor COMMAND makes of data; None where it is not installed."""
    if not shutil.which(command):
        print(f"skipped: {command} is not installed, its coding is checked on stored blocks only")
        return None
    return lambda data: subprocess.run([command, "-c"], input=data, capture_output=True,
                                       check=True).stdout


def check_codings():
    """Content-Encoding: every coding, lists of them, what is broken, and what is said but not so."""
    version = subprocess.run([LANNER, "--version"], capture_output=True, check=True).stdout.decode()
    built_in = version.split("built without")[0]
    raw = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = page(7)
    deflated = raw.compress(body) + raw.flush()
    rows = [("gzip", gzip.compress(body)), ("x-gzip", gzip.compress(body)),
            ("gzip", gzip.compress(body[:100]) + gzip.compress(body[100:])),
            ("deflate", zlib.compress(body)), ("deflate", deflated),
            ("gzip, identity, gzip", gzip.compress(gzip.compress(body))),
            ("deflate, gzip", gzip.compress(deflated)),
            # Only said: archives hold such pages as they are.
            ("gzip", body), ("deflate", body)]
    for name, library, stored, command in (("br", "brotli", stored_brotli, "brotli"),
                                           ("zstd", "zstd", stored_zstd, "zstd")):
        if library not in built_in:
            print(f"skipped: {LANNER} was built without {library}")
            result = warc("-q", write("c.warc", record("http://a/1", stored(body), http=f"Content-Encoding: {name}\r\n")))
            check([r["truncated"] for r in lines_of(result.stdout)] == ["unknown-coding"], name, "unknown")
            continue
        packed = packed_by(command)
        rows += [(name, stored(body)), (f"{name}, gzip", gzip.compress(stored(body))), (name, body)]
        if packed:
            rows += [(name, packed(body)), (f"gzip, {name}", packed(gzip.compress(body)))]
        check_cut_coding(name, (packed or stored)(body), body)
        # zstd: a reserved type of block; brotli: the beginning that its format reserves.
        broken = stored(body)[:7] + b"\xff" * 40 if name == "zstd" else b"\x11" + body
        check_lost_coding(name, broken)
    check_cut_coding("gzip", gzip.compress(body), body)
    check_lost_coding("gzip", b"\x1f\x8b\x08" + b"\xff" * 40)
    check_lost_coding("gzip", b"\x00\x01\x02" + deflated)
    check_lost_coding("deflate", b"\x78\x9c\xff\xff" + deflated)
    # Two lines of one field, and a transfer coding that is more than chunks.
    chunks = b"%x\r\n%s\r\n0\r\n\r\n"
    packed_twice = gzip.compress(zlib.compress(body))
    for data, http in ((packed_twice, "Content-Encoding: deflate\r\nContent-Encoding: gzip\r\n"),
                       (gzip.compress(body), "Transfer-Encoding: gzip\r\n"),
                       (chunks % (len(packed_twice), packed_twice),
                        "Content-Encoding: deflate\r\nTransfer-Encoding: gzip, chunked\r\n")):
        result = warc("-q", write("c.warc", record("http://a/1", data, http=http)))
        check([(r["bytes"], r["truncated"]) for r in lines_of(result.stdout)] == [(len(body), None)],
              http, result.stdout[:100])
    write("codings.warc", b"".join(record(f"http://a/{i}", data, http=f"Content-Encoding: {name}\r\n")
                                   for i, (name, data) in enumerate(rows)))
    found = lines_of(warc("-q", "codings.warc").stdout)
    check(len(found) == len(rows), "codings: lines", len(found))
    wanted = lines_of(warc("-q", write("c.warc", record("http://a/", body))).stdout)[0]
    for row, (name, data) in zip(found, rows):
        check(row["bytes"] == len(body) and row["truncated"] is None and row["text"] == wanted["text"],
              "coding", name, row["url"], row["bytes"], row["truncated"])
    if "brotli" in built_in:
        # Text whose first byte is an empty brotli stream.
        result = warc("-q", write("c.warc", record("http://a/1", b"3" + body, http="Content-Encoding: br\r\n")))
        check([r["bytes"] for r in lines_of(result.stdout)] == [len(body) + 1], "text that begins like brotli")
    result = warc("-q", write("c.warc", record("http://a/1", body, http="Content-Encoding: rot13\r\n")))
    check([r["truncated"] for r in lines_of(result.stdout)] == ["unknown-coding"], "an unknown coding")
    nested = body
    for layers in range(1, 6):
        nested = gzip.compress(nested, 1)
        empties = "gzip, , ,, ,, " * layers
        result = warc("-q", write("c.warc", record("http://a/1", nested, http=f"Content-Encoding: {empties}\r\n")))
        check([(r["bytes"], r["truncated"]) for r in lines_of(result.stdout)] ==
              [(len(body), None) if layers < 5 else (None, "unknown-coding")], "layers of codings", layers)


def check_cut_coding(name, data, body):
    """A body that ends too early gives the text up to there, and the line says so."""
    result = warc("-q", write("c.warc", record("http://a/1", data[:-len(data) // 3],
                                               http=f"Content-Encoding: {name}\r\n")))
    row = lines_of(result.stdout)[0]
    check(row["truncated"] == "coding" and row["bytes"] < len(body), "cut", name, row["bytes"], row["truncated"])


def check_lost_coding(name, data):
    """A body of which nothing can be decoded is no text; it is flagged and counted."""
    write("c.warc", record("http://a/1", data, http=f"Content-Encoding: {name}\r\n"))
    result = warc("--summary", "sum.json", "c.warc")
    row = lines_of(result.stdout)[0]
    with open("sum.json", "rb") as file:
        total = json.load(file)
    check((row["truncated"], row["bytes"], row["text"]) == ("coding", 0, "") and
          total["broken_coding"] == 1 and b"1 with a broken coding" in result.stderr,
          "broken at its beginning", name, row, result.stderr)


def check_forms():
    """The same records in every form of archive."""
    records = many(300)
    plain = b"".join(records)
    rows = lines_of(warc("-q", write("f.warc", plain)).stdout)
    check(len(rows) == 240 and rows[0]["title"] == "Page 1", "plain", len(rows))
    for name, data in (("f.warc.gz", members(records)), ("whole.gz", gzip.compress(plain, 1)),
                       ("blocks.gz", b"".join(gzip.compress(plain[i:i + 5000], 1)
                                              for i in range(0, len(plain), 5000)))):
        write(name, data)
        for jobs in (1, 2, 5):
            result = warc("-q", "-j", jobs, name)
            check(result.returncode == 0 and
                  without_place(lines_of(result.stdout)) == without_place(rows), name, jobs)
        check(without_place(lines_of(warc("-q", "-", stdin=data).stdout)) == without_place(rows),
              name, "from standard input")
    version = subprocess.run([LANNER, "--version"], capture_output=True, check=True).stdout.decode()
    if not shutil.which("zstd") or "zstd" not in version.split("built without")[0]:
        print("skipped: archives packed by zstd (no zstd command, or built without the library)")
    else:
        subprocess.run(["zstd", "-q", "-f", "f.warc", "-o", "f.warc.zst"], check=True)
        check(without_place(lines_of(warc("-q", "f.warc.zst").stdout)) == without_place(rows),
              "zstd")
        frames = [subprocess.run(["zstd", "-q", "-c"], input=record(f"http://a/{i}", b"<p>x"),
                                 capture_output=True, check=True).stdout for i in range(3)]
        half = len(frames[1]) // 2
        for name, damaged in (("garbage", b"garbage" + frames[1]), ("cut", frames[1][:half])):
            write("frames.zst", frames[0] + damaged + frames[2])
            result = warc("-q", "frames.zst")
            found = [row["url"] for row in lines_of(result.stdout)]
            check(result.returncode == 1 and found[0] == "http://a/0" and found[-1] == "http://a/2",
                  "behind a bad frame:", name, found, result.stderr)
    # Parts in several forms in one file.
    mixed = b"".join(gzip.compress(r, 1) if i // 7 % 2 else r for i, r in enumerate(records))
    mixed += gzip.compress(plain, 1) + b"".join(records)
    write("mixed", mixed)
    wanted = [r["url"] for r in rows] * 3
    for jobs in (1, 2, 5):
        result = warc("-q", "-j", jobs, "mixed")
        check(result.returncode == 0 and [r["url"] for r in lines_of(result.stdout)] == wanted,
              "mixed forms", jobs, result.returncode, result.stderr)
    check([r["url"] for r in lines_of(warc("-q", "-", stdin=mixed).stdout)] == wanted,
          "mixed forms from standard input")
    whole = warc("-q", "mixed").stdout.splitlines(True)
    for at in range(1, len(whole), 50):
        place = json.loads(whole[at])["warc"]
        since = f"mixed:{place['offset']}+{place.get('inner', 0)}"
        check(warc("-q", "--since", since, "mixed").stdout == b"".join(whole[at:]), "--since", since)
    # Where a line says that its record is, it is.
    for name in ("f.warc", "f.warc.gz"):
        with open(name, "rb") as file:
            data = file.read()
        for row in lines_of(warc("-q", name).stdout)[::17]:
            place = row["warc"]
            piece = data[place["offset"]:place["offset"] + place["length"]]
            piece = gzip.decompress(piece) if name.endswith(".gz") else piece
            check(piece.startswith(b"WARC/1.0") and row["url"].encode() in piece and
                  piece.endswith(b"\r\n\r\n"), "place of", row["url"])
    # From the middle of a file that is one member, or of members that cut through records.
    for name in ("whole.gz", "blocks.gz", "f.warc", "f.warc.gz"):
        whole = warc("-q", name).stdout.splitlines(True)
        place = json.loads(whole[100])["warc"]
        since = f"{name}:{place['offset']}+{place.get('inner', 0)}"
        check(warc("-q", "-j", 3, "--since", since, name).stdout == b"".join(whole[100:]),
              "--since", since)
        write("part.part", b"".join(whole[:100]))
        warc("-q", "-o", "part", "--append", name)
        with open("part", "rb") as file:
            check(file.read() == b"".join(whole), "--append", name)
    check(warc("-o", "x", "--append", "f.warc", "f.warc").returncode == 2, "a file given twice")
    # A complete file that cannot be gone on with stays as it is.
    with open("complete", "wb") as file:
        file.write(b'{"url":"http://elsewhere/"}\n')
    check(warc("-q", "-o", "complete", "--append", "f.warc").returncode == 2 and
          os.path.exists("complete") and not os.path.exists("complete.part"),
          "--append leaves a complete file of other archives alone")
    arc = b"filedesc://x 0.0.0.0 20200102030405 text/plain 0\n\n"
    body = b"HTTP/1.0 200 OK\nContent-Type: text/html\n\n<p>arc"
    arc += b"http://a/arc 1.2.3.4 20200102030405 text/html %d\n%s\n" % (len(body), body)
    rows = lines_of(warc("-q", write("x.arc", arc)).stdout)
    check([(r["url"], r["text"], r["date"]) for r in rows] ==
          [("http://a/arc", "arc", "2020-01-02T03:04:05Z")], "arc", rows)


def check_broken():
    records = many(40)
    good = without_place(lines_of(warc("-q", write("g.warc.gz", members(records))).stdout))
    check(len(good) == 32, "good")
    data = bytearray(members(records))
    data[len(data) // 2 + 100] ^= 0xFF
    result = warc("-q", "-j", 2, write("b.warc.gz", bytes(data)))
    rows = without_place(lines_of(result.stdout))
    check(result.returncode == 1 and len(rows) >= 30 and all(r in good for r in rows) and
          re.search(r"b\.warc\.gz:\d+: ", result.stderr.decode()), "corrupt member", len(rows))
    result = warc("-q", write("t.warc.gz", members(records)[:-100]))
    check(result.returncode == 1 and without_place(lines_of(result.stdout)) == good[:-1] and
          len(messages(result)) == 1, "truncated", result.stderr)
    result = warc("-q", write("j.warc.gz", members(records[:20]) + b"junk" * 50 +
                              members(records[20:])))
    check(result.returncode == 1 and without_place(lines_of(result.stdout)) == good, "junk between")
    newer = b"".join(records).replace(b"WARC/1.0", b"WARC/2.3")
    result = warc("-q", write("n.warc", newer))
    check(result.returncode == 0 and len(lines_of(result.stdout)) == 32 and
          len(messages(result)) == 1, "newer version", result.stderr)


def check_bombs():
    bomb = gzip.compress(bytes(100 << 20), 9)
    records = [record("http://a/1", b"<p>one"),
               record("http://a/2", bomb, http="Content-Encoding: gzip\r\n"),
               record("http://a/3", b"<p>" + bytes(100 << 20)),
               record("http://a/4", b"<p>four")]
    for name, data in (("bomb.warc.gz", members(records)), ("bomb.warc", b"".join(records))):
        result = warc("-q", "-j", 1, "--max-record", "4M", write(name, data),
                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (600 << 20,) * 2))
        rows = lines_of(result.stdout)
        check([r["truncated"] for r in rows] == [None, "max-record", "max-record", None] and
              rows[1]["bytes"] is None and rows[3]["text"] == "four", name,
              [(r["url"], r["truncated"]) for r in rows], result.stderr)


def check_large():
    """A page above the limit that does not state its type is one if it looks like it, in every form."""
    def untyped(url, body):
        block = b"HTTP/1.1 200 OK\r\n\r\n" + body
        return (f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n"
                f"Content-Length: {len(block)}\r\n\r\n").encode() + block + b"\r\n\r\n"
    records = [untyped("http://a/1", b"<p>" + bytes(5000)), untyped("http://a/2", b"PK" + bytes(5000)),
               untyped("http://a/3", b"<p>three")]
    plain = b"".join(records)
    for name, data in (("large.warc", plain), ("large.warc.gz", members(records)),
                       ("large.gz", gzip.compress(plain))):
        for result in (warc("-q", "--max-record", 1000, write(name, data)),
                       warc("-q", "--max-record", 1000, "-", stdin=data)):
            rows = [(row["url"], row["truncated"]) for row in lines_of(result.stdout)]
            check(rows == [("http://a/1", "max-record"), ("http://a/3", None)], name, rows)


def check_url_memory():
    """Where memory is short for a URL, the lines before its page are there and the run says so."""
    data = record("http://a/1", b"<p>one") + record("http://a/2", b"<a href='/" + b"\xc3\xa9" * 6000000
                                                     + b"'>x") + record("http://a/3", b"<p>three")
    write("url.warc", data)
    short = 0
    for limit in range(60, 260, 20):
        result = warc("-q", "-j", 1, "--fields", "url,links", "url.warc",
                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit << 20,) * 2))
        lines = result.stdout.splitlines()
        short += result.returncode == 1
        check((result.returncode == 0 and len(lines) == 3) or
              (result.returncode == 1 and len(lines) in (0, 1, 2) and b"emory" in result.stderr and
               b"terminate" not in result.stderr), "memory for a URL:", limit, result.stderr)
    check(short > 0, "memory was never short for a URL")


def check_queries():
    """Queries are in the page's encoding (URL Standard), but for schemes that are not special."""
    page_text = ("<meta charset=windows-1251><a href='?\u044f \u4e2d#\u044f'><a href='/\u044f?a\t\u044f '>"
                 "<a href='ws://h/?\u044f'><a href='data:,?\u044f'><a href='?#?\u044f'>"
                 "<a href=?%D0&eacute;>")
    encoded = page_text.encode("cp1251", "xmlcharrefreplace")
    wanted = ["http://a/q?%FF%20%26%2320013%3B#%D1%8F", "http://a/%D1%8F?a%FF", "ws://h/?%D1%8F",
              "data:,?%D1%8F", "http://a/q?#?%D1%8F", "http://a/q?%D0%26%23233%3B"]
    for body, urls in ((encoded, wanted),
                       (page_text.replace("windows-1251", "utf-8").encode(),
                        ["http://a/q?%D1%8F%20%E4%B8%AD#%D1%8F"])):
        rows = lines_of(warc("-q", write("q.warc", record("http://a/q", body))).stdout)[0]["links"]
        if "url" not in rows[0]:
            print("built without URL resolution: not compared")
            return
        check([row["url"] for row in rows][:len(urls)] == urls, "queries", rows)


def check_long_base():
    """Links times the length of the base is no way to make a page take forever."""
    body = b"<base href='http://a/" + b"x" * (1 << 20) + b"'>" + b"<a href=y>" * 5000
    data = record("http://a/1", body) + record("http://a/2", b"<a href=y>")
    first, second = lines_of(warc("-q", "--fields", "links,truncated",
                                  write("base.warc", data)).stdout)
    if "url" not in first["links"][0]:
        print("built without URL resolution: not compared")
        return
    urls = [row["url"] for row in first["links"]]
    check(len(urls) == 5000 and urls[0] == "http://a/y" and urls[-1] is None and
          first["truncated"] == "links", "long base", len(urls), first["truncated"])
    check(second["links"][0]["url"] == "http://a/y" and second["truncated"] is None,
          "behind a long base")


def check_messages():
    os.makedirs("folder", exist_ok=True)
    write("empty.warc", b"")
    write("page.html", b"<!DOCTYPE html><title>x</title>")
    write("page.gz", gzip.compress(b"<!DOCTYPE html><title>x</title>"))
    for name, text in (("empty.warc", "is empty"), ("folder", "is a directory"),
                       ("page.html", "is not a WARC"), ("page.gz", "is not a WARC"),
                       ("missing.warc", "No such file")):
        result = warc("-q", name)
        check(result.returncode == 1 and result.stdout == b"" and len(messages(result)) == 1 and
              name in messages(result)[0] and text in messages(result)[0], name, result.stderr)
        loud = warc("--no-links", name)
        check((loud.returncode, loud.stdout, loud.stderr) ==
              (result.returncode, b"", result.stderr), name, "with a summary", loud.stderr)
    result = warc("-q", "missing.warc", "kinds.warc")
    check(result.returncode == 1 and len(lines_of(result.stdout)) == 11, "goes on behind a bad file")
    for arguments in (("--fields", "nosuch", "f.warc"), ("--status", "abc", "f.warc"),
                      ("--since", "x", "f.warc"), ("--append", "f.warc"), (), ("--fields", "", "f.warc"),
                      ("--status", "", "f.warc"), ("--summary", "-", "f.warc"), ("--links-only", "--fields", "url", "f.warc"),
                      ("--fields", "text", "--no-text", "f.warc"),
                      ("--links-only", "--no-links", "f.warc")):
        result = warc(*arguments)
        check(result.returncode == 2 and result.stdout == b"" and
              (not arguments or len(result.stderr.splitlines()) == 1), "usage:", arguments, result.stderr)
    with open("/dev/full", "wb") as full:
        result = subprocess.run([LANNER, "warc", "-q", "f.warc.gz"], stdout=full,
                                stderr=subprocess.PIPE, check=False)
        check(result.returncode == 1 and b"No space" in result.stderr and
              b"not written is f.warc.gz:0" in result.stderr, "full disk", result.stderr)
    reader = subprocess.Popen([LANNER, "warc", "-q", "big.warc.gz"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
    reader.stdout.read(10)
    reader.stdout.close()
    check(reader.wait() == 1 and re.fullmatch(
        rb"lanner: standard output: closed by its reader; --since big.warc.gz:\d+ goes on "
        rb"\(some of what was read may come again\)\n", reader.stderr.read()), "closed pipe")
    reader.stderr.close()


def check_output():
    once = warc("-q", "big.warc.gz").stdout
    check(warc("-q", "-o", "out", "big.warc.gz").returncode == 0 and not os.path.exists("out.part"),
          "-o")
    with open("out", "rb") as file:
        check(file.read() == once, "-o: content")
    write("kept", b"of an earlier run\n")
    write("no-archive", b"<!doctype html><p>none")
    for name in ("missing.warc.gz", "no-archive"):
        result = warc("-q", "-o", "kept", name)
        with open("kept", "rb") as file:
            check(result.returncode == 1 and file.read() == b"of an earlier run\n" and
                  not os.path.exists("kept.part"), "nothing read: FILE is left alone", name)
    write("out.part", b"x")
    check(warc("-q", "-o", "out", "big.warc.gz").returncode == 2, "a rest is not overwritten")
    os.remove("out.part")
    warc("-q", "--gzip", "-o", "out.gz", "big.warc.gz")
    with gzip.open("out.gz") as file:
        check(file.read() == once, "--gzip")
    # What is no file stays what it is, and so does a link.
    os.mkfifo("fifo")
    reader = subprocess.Popen(["sh", "-c", "cat fifo >from_fifo"])
    result = warc("-q", "-o", "fifo", "f.warc.gz")
    check(stat.S_ISFIFO(os.stat("fifo").st_mode), "-o: a pipe was replaced")
    if not stat.S_ISFIFO(os.stat("fifo").st_mode):
        reader.kill()
    reader.wait()
    with open("from_fifo", "rb") as file:
        check(result.returncode == 0 and file.read() == warc("-q", "f.warc.gz").stdout,
              "-o: a pipe's content")
    os.makedirs("elsewhere", exist_ok=True)
    write("elsewhere/out", b"old")
    os.symlink("elsewhere/out", "link")
    check(warc("-q", "-o", "link", "big.warc.gz").returncode == 0 and os.path.islink("link"),
          "-o: a link was replaced")
    with open("elsewhere/out", "rb") as file:
        check(file.read() == once, "-o: what a link names")
    return once


def check_kills(once):
    """However often it is killed, going on gives the lines of one run."""
    random.seed(7)
    for packed in (False, True):
        out = "kill.gz" if packed else "kill"
        arguments = [LANNER, "warc", "-q", "-o", out] + (["--gzip"] if packed else []) + ["big.warc.gz"]
        kills = 0
        for attempt in range(40):
            process = subprocess.Popen(arguments + (["--append"] if attempt else []),
                                       stderr=subprocess.DEVNULL)
            time.sleep(random.random() * 0.4 + 0.02 * attempt)
            process.kill()
            if process.wait() == 0:
                break
            kills += 1
            if not packed and kills == 1 and os.path.exists("kill.part"):
                with open("kill.part", "ab") as file:
                    file.write(b'{"url": "half a li')
        else:
            subprocess.run(arguments + ["--append"], check=False)
        with (gzip.open if packed else open)(out, "rb") as file:
            check(file.read() == once, "killed", kills, "times", "gzip" if packed else "plain")
        os.remove(out)


def check_interrupt(once):
    process = subprocess.Popen([LANNER, "warc", "-q", "-o", "int", "big.warc.gz"],
                               stderr=subprocess.PIPE)
    while process.poll() is None and not (os.path.exists("int.part") and
                                          os.path.getsize("int.part") > 0):
        time.sleep(0.002)
    process.send_signal(signal.SIGINT)
    text = process.communicate()[1].decode()
    if process.returncode != 0:
        found = re.search(r"int\.part.*--since (\S+) --append", text)
        check(process.returncode == 1 and found, "interrupted:", text)
        if found:
            warc("-q", "-o", "int", "--since", found[1], "--append", "big.warc.gz")
    with open("int", "rb") as file:
        check(file.read() == once, "interrupted and gone on with")
    # From any record on, also one that is written already.
    rows = lines_of(once)
    row = rows[len(rows) // 2]["warc"]
    place = f"{row['file']}:{row['offset']}"
    check(warc("-q", "--since", place, "big.warc.gz").stdout ==
          b"".join(once.splitlines(True)[len(rows) // 2:]), "--since")
    warc("-q", "-o", "int", "--since", place, "--append", "big.warc.gz")
    with open("int", "rb") as file:
        check(file.read() == once, "--since a record that is there")


def check_full_file(once):
    """The disk fills up: what is there are whole lines, and going on works."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    result = warc("-q", "-o", "full", "big.warc.gz", preexec_fn=limit)
    check(result.returncode == 1 and len(messages(result)) == 2, "full:", result.stderr)
    with open("full.part", "rb") as file:
        part = file.read()
    check(once.startswith(part) and part.endswith(b"\n"), "full: whole lines")
    warc("-q", "-o", "full", "--append", "big.warc.gz")
    with open("full", "rb") as file:
        check(file.read() == once, "full: gone on with")


def check_growing(once):
    with open("big.warc.gz", "rb") as file:
        data = file.read()
    os.makedirs("grow", exist_ok=True)
    os.chdir("grow")
    write("big.warc.gz", data[:len(data) // 2])
    first = warc("-q", "-o", "out", "big.warc.gz")
    check(first.returncode in (0, 1) and os.path.exists("out"), "growing: first half")
    write("big.warc.gz", data)
    second = warc("-q", "-o", "out", "--append", "big.warc.gz")
    with open("out", "rb") as file:
        check(second.returncode == 0 and file.read() == once, "growing: the rest", second.stderr)
    os.chdir("..")


def check_samples():
    files = sorted(os.path.join(SAMPLES, n) for n in os.listdir(SAMPLES) if n.endswith(".gz"))
    result = warc("-q", "-j", 2, *files)
    rows = lines_of(result.stdout)
    check(result.returncode == 0 and warc("-q", "-j", 1, *files).stdout == result.stdout,
          "samples: the same with one worker")
    if EXPECTED is None:
        return
    with open(EXPECTED, encoding="ascii") as file:
        wanted = re.findall(r'\{"([^"]+)", (\d+), (\d+), (\d+), 0x\w+, 0x(\w+)\}', file.read())
    found = [(os.path.basename(r["warc"]["file"]), str(r["warc"]["offset"]),
              str(r["status"] or 0), str(r["bytes"]), f"{zlib.crc32(r['url'].encode()):08x}")
             for r in rows]
    check(found == wanted, "samples: as warcio reads them:", len(found), len(wanted))


def check_cases(folder):
    """Links of the shared cases, each with its document URL."""
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".expected"):
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text = file.read()
        expect = json.loads(text)["expect"] if text.startswith("{") else {}
        if "links" not in expect:
            continue
        result = subprocess.run([LANNER, "links", "--json", "--url", expect["document_url"],
                                 os.path.join(folder, name.replace(".expected", ".html"))],
                                capture_output=True, check=True)
        rows = lines_of(result.stdout)
        check(len(rows) == len(expect["links"]), name, "links:", len(rows))
        for row, wanted in zip(rows, expect["links"]):
            check(all(row.get(key) == value for key, value in wanted.items()
                      if key != "url" or "url" in row), name, row, wanted)
            if "url" not in row:
                print("built without URL resolution: not compared")


def main():
    with tempfile.TemporaryDirectory() as folder:
        home = os.getcwd()
        os.chdir(folder)
        try:
            check_kinds()
            check_codings()
            check_forms()
            check_broken()
            check_bombs()
            check_large()
            check_url_memory()
            check_queries()
            check_long_base()
            write("big.warc.gz", members(many(8000)))
            check_messages()
            once = check_output()
            check_kills(once)
            check_interrupt(once)
            check_full_file(once)
            check_growing(once)
        finally:
            os.chdir(home)
        if SAMPLES:
            check_samples()
            cases = os.path.join(SAMPLES, "..", "..", "cases")
            if os.path.isdir(cases):
                check_cases(cases)
    print(f"{checks} checks, {failures} failed")
    return 1 if failures or not checks else 0


if __name__ == "__main__":
    sys.exit(main())
