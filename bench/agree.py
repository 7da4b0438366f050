#!/usr/bin/env python3
"""Names the pages on which two contestants saw different work: agree.py OPERATION PLUGIN PLUGIN PAGES.

    python3 bench/agree.py visit build/bench/lanner.so build/bench/rivals/lexbor.so ../shared/corpus/pages

OPERATION is a member of contestant.h (visit, links, tokens, ...). Compared are what the tally counts:
items, attributes, string bytes (and not "mix", since strings may come in other pieces). A page more
than the other has is a bug of one of the two, or a rule that one does not have yet.
"""
import ctypes
import sys
from pathlib import Path

OPERATIONS = ("tokens", "tree_new", "tree_reused", "visit", "serialize", "sniffed", "fragment_new", "fragment_reused",
              "links", "checked")
PADDING = 256


class Tally(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("items", "attributes", "bytes", "mix")]


OPERATION = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.POINTER(Tally))


class Contestant(ctypes.Structure):
    _fields_ = [("abi", ctypes.c_uint32), *((name, ctypes.c_char_p) for name in ("name", "version", "note")),
                ("open", ctypes.CFUNCTYPE(ctypes.c_void_p)), ("close", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
                *((name, OPERATION) for name in OPERATIONS)]


def load(path):
    library = ctypes.CDLL(str(Path(path).resolve()))
    library.contestant_at.restype = ctypes.POINTER(Contestant)
    contestant = library.contestant_at(0).contents
    return contestant, contestant.open()


def main():
    if len(sys.argv) != 5 or sys.argv[1] not in OPERATIONS:
        sys.exit(__doc__)
    operation, pair = sys.argv[1], [load(path) for path in sys.argv[2:4]]
    pages = different = 0
    for path in sorted(Path(sys.argv[4]).iterdir()):
        data = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            continue
        pages += 1
        seen = []
        for contestant, state in pair:
            tally = Tally()
            getattr(contestant, operation)(state, data + bytes(PADDING), len(data), ctypes.byref(tally))
            seen.append((tally.items, tally.attributes, tally.bytes))
        if seen[0] != seen[1]:
            different += 1
            print(path.name, len(data), *(f"{contestant.name.decode()} {tally}" for (contestant, _), tally in zip(pair, seen)))
    print(f"{different} of {pages} pages differ (items, attributes, string bytes)")
    return different != 0


if __name__ == "__main__":
    sys.exit(main())
