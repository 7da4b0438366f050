#!/usr/bin/env python3
"""Prints tests/tools/warc_expected.inc: what warcio, an independent reader, finds in the archives.

    python3 make_warc_expected.py ARCHIVE... > warc_expected.inc

A row an HTML response: archive, offset of the record, HTTP status, length and CRC-32 of the payload
with its transfer and content codings undone, CRC-32 of the URL.
"""
import os
import sys
import zlib

from warcio.archiveiterator import ArchiveIterator

TYPES = ("text/html", "application/xhtml+xml")


def main():
    print("/* Made by make_warc_expected.py with warcio: archive, offset, status, payload length, CRC-32\n"
          " * of the payload, CRC-32 of the URL. */")
    for path in sys.argv[1:]:
        with open(path, "rb") as file:
            records = ArchiveIterator(file)
            for record in records:
                if record.rec_type == "response" and record.http_headers:
                    media = record.http_headers.get_header("Content-Type") or ""
                    status = int(record.http_headers.get_statuscode())
                elif record.rec_type == "resource":
                    media, status = record.rec_headers.get_header("Content-Type") or "", 0
                else:
                    continue
                if media.split(";")[0].strip().lower() not in TYPES:
                    continue
                body = record.content_stream().read()
                url = record.rec_headers.get_header("WARC-Target-URI").encode()
                print(f'{{"{os.path.basename(path)}", {records.get_record_offset()}, {status}, '
                      f'{len(body)}, 0x{zlib.crc32(body):08x}, 0x{zlib.crc32(url):08x}}},')


if __name__ == "__main__":
    main()
