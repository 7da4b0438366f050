#!/usr/bin/env python3
"""Writes an archive of HTML files, a gzip member a record, as crawlers keep pages.

    find FOLDER -name '*.html' | python3 make_warc.py ARCHIVE.warc.gz [MOST_BYTES]

The files' names come from standard input, one a line; those that cannot be read are left out.
"""
import gzip
import pathlib
import sys
import time


def main():
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 1 << 62
    date = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    pages = size = 0
    with open(sys.argv[1], "wb") as archive:
        for line in sys.stdin:
            path = pathlib.Path(line.rstrip("\n")).absolute()
            try:
                body = path.read_bytes()
            except OSError:
                continue
            block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
            head = (f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {path.as_uri()}\r\n"
                    f"WARC-Date: {date}\r\nContent-Type: application/http; msgtype=response\r\n"
                    f"Content-Length: {len(block)}\r\n\r\n").encode()
            archive.write(gzip.compress(head + block + b"\r\n\r\n", 6, mtime=0))
            pages += 1
            size += len(body)
            if size >= most:
                break
    print(f"{pages} pages, {size} bytes")


if __name__ == "__main__":
    main()
