#!/usr/bin/env python3
"""Turns grammar/encodings/ into build/gen/encodings.inc: labels, decoder and encoder tables.

  encodings.py OUTDIR             write OUTDIR/encodings.inc
  encodings.py --import DATADIR   rewrite grammar/encodings/ from the Encoding Standard's data files
"""

import json
import os
import sys

GRAMMAR_DIR = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "grammar", "encodings")

# Multi-byte indexes: cells a row, and how many rows the decoders may ask for. jis0208 is stored
# whole, because Shift_JIS has rows of two.
INDEXES = {
    "big5": (157, 126),
    "euc-kr": (190, 126),
    "gb18030": (190, 126),
    "jis0208": (94, 120),
    "jis0212": (94, 94),
}
WHOLE = ("jis0208",)

# The reasons for which two neighbouring bytes cannot be UTF-8, one bit each. A reason is a set of
# first bytes times a set of second bytes, and each set is a product of nibbles: so three 16-byte
# tables (high and low nibble of the first byte, high nibble of the second) find them all at once.
# Bit 7 alone means "two continuation bytes in a row": right or wrong by what stands before them.
UTF8_REASONS = [
    ("lead byte, then no continuation byte", "C-F", "0-F", "0-7 C-F"),
    ("ASCII, then a continuation byte", "0-7", "0-F", "8-B"),
    ("three bytes for less than U+0800", "E", "0", "8-9"),
    ("above U+10FFFF: F4 90 or more", "F", "4-F", "9-B"),
    ("surrogate", "E", "D", "A-B"),
    ("two bytes for less than U+0080", "C", "0-1", "8-B"),
    ("above U+10FFFF: F5 80 or more", "F", "5-F", "8"),
    ("two continuation bytes", "8-B", "0-F", "8-B"),
]
# Shares bit 6: both need the second byte 8x, and the low nibbles of the first are disjoint.
UTF8_OVERLONG_4 = (6, "F", "0", "8")


# ---------------------------------------------------------------------------------------------
# The grammar files


def lines_of(path):
    """Lines without comments and blank ones."""
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.split("#", 1)[0].strip()
            if line:
                yield number, line


def read_encodings(path):
    """[(name, kind, [label])] in the order of the public enumeration."""
    result = []
    for number, line in lines_of(path):
        head, labels = line.split(":", 1)
        name, kind = head.split()
        if labels.split() != sorted(set(labels.split())):
            raise SystemExit(f"{path}:{number}: labels are not sorted or not unique")
        result.append((name, kind, labels.split()))
    return result


def expand(tokens, where):
    """Code points of a row: HEX, HEX+N (N more consecutive ones), -N (N cells without one)."""
    cells = []
    for token in tokens:
        if token.startswith("-"):
            cells += [None] * int(token[1:])
        else:
            first, _, more = token.partition("+")
            start = int(first, 16)
            if start > 0x10FFFF or 0xD800 <= start <= 0xDFFF:
                raise SystemExit(f"{where}: {token} is no scalar value")
            cells += range(start, start + 1 + int(more or "0"))
    return cells


def read_index(path, width=None):
    """One index as a list of code points or None. A line is `POINTER: TOKEN...`."""
    cells = []
    for number, line in lines_of(path):
        where = f"{path}:{number}"
        pointer, tokens = line.split(":", 1)
        pointer = int(pointer)
        if pointer < len(cells) or (width and pointer % width):
            raise SystemExit(f"{where}: pointer {pointer} is out of order or no start of a row")
        cells += [None] * (pointer - len(cells)) + expand(tokens.split(), where)
    return cells


def read_sections(path):
    """{section: index} of a file with several small indexes, each under its `[name]`."""
    result, cells = {}, None
    for number, line in lines_of(path):
        if line.startswith("["):
            cells = result.setdefault(line.strip("[]"), [])
        else:
            pointer, tokens = line.split(":", 1)
            if int(pointer) != len(cells):
                raise SystemExit(f"{path}:{number}: pointer {pointer} is not the next one")
            cells += expand(tokens.split(), f"{path}:{number}")
    return result


def read_pairs(path):
    """Lines of two words."""
    return [tuple(line.split()) for _, line in lines_of(path)]


# ---------------------------------------------------------------------------------------------
# C text


def c_array(out, ctype, name, values, fmt, per_line):
    out.append(f"static const {ctype} {name}[{len(values)}] = {{")
    for i in range(0, len(values), per_line):
        out.append("  " + ", ".join(fmt % v for v in values[i : i + per_line]) + ",")
    out.append("};")
    out.append("")


def c_name(name):
    return name.upper().replace("-", "_")


def hex_set(text):
    result = set()
    for part in text.split():
        first, _, last = part.partition("-")
        result |= set(range(int(first, 16), int(last or first, 16) + 1))
    return result


def put_utf8_check(out):
    """The three nibble tables of the vector UTF-8 check."""
    tables = [[0] * 16 for _ in range(3)]
    reasons = [(bit, *sets) for bit, (_, *sets) in enumerate(UTF8_REASONS)] + [UTF8_OVERLONG_4]
    for bit, *sets in reasons:
        for table, text in zip(tables, sets):
            for nibble in hex_set(text):
                table[nibble] |= 1 << bit
    out.append("/* Reasons for which two neighbouring bytes cannot be UTF-8:")
    out += [f" * bit {bit}: {reason[0]}" for bit, reason in enumerate(UTF8_REASONS)]
    out.append(" * bit 6 too: four bytes for less than U+10000. */")
    for name, table in zip(("first_high", "first_low", "second_high"), tables):
        c_array(out, "unsigned char", "enc_utf8_" + name, table, "0x%02x", 16)


def put_labels(out, encodings):
    """Labels sorted by length, then bytes; their text in one string each length group."""
    labels = sorted((len(l), l, i + 1) for i, (_, _, ls) in enumerate(encodings) for l in ls)
    longest = labels[-1][0]
    out.append(f"#define ENC_LABEL_COUNT {len(labels)}")
    out.append(f"#define ENC_LABEL_LONGEST {longest}")
    out.append("")
    out.append("/* All labels, shortest first, each ended by NUL. */")
    out.append(f"static const char enc_label_text[{sum(n + 1 for n, _, _ in labels)}] =")
    for i, (_, label, _) in enumerate(labels):
        end = ";" if i == len(labels) - 1 else ""
        # The last NUL is the string literal's own.
        out.append(f'  "{label}' + ('"' if end else '\\0"') + end)
    out.append("")
    out.append("/* By length: number of the first such label, and where its text starts. */")
    first, start = [], []
    for length in range(longest + 2):
        shorter = [n for n, _, _ in labels if n < length]
        first.append(len(shorter))
        start.append(sum(n + 1 for n in shorter))
    c_array(out, "unsigned char", "enc_label_first", first, "%d", 16)
    c_array(out, "unsigned short", "enc_label_start", start, "%d", 16)
    c_array(out, "unsigned char", "enc_label_encoding", [e for _, _, e in labels], "%d", 16)


def put_names(out, encodings):
    out.append("/* Name and kind by encoding. */")
    out.append(f"static const char *const enc_names[{len(encodings) + 1}] = {{")
    out.append("  0,")
    out += [f'  "{name}",' for name, _, _ in encodings]
    out.append("};")
    out.append("")
    kinds = [f"ENC_KIND_{c_name(kind)}" for _, kind, _ in encodings]
    c_array(out, "unsigned char", "enc_kinds", ["0"] + kinds, "%s", 4)
    for i, (name, _, _) in enumerate(encodings):
        out.append(f"_Static_assert(LANNER_ENCODING_{c_name(name)} == {i + 1}, \"enumeration\");")
    out.append("")


def packed_utf8(code):
    """UTF-8 bytes of a BMP character in the low bits, their number in the top byte."""
    data = chr(code).encode()
    return int.from_bytes(data, "little") | len(data) << 24


def put_single_byte(out, encodings, sections):
    """128 packed characters an index; bit 31 marks bytes that stand for nothing."""
    names = list(sections)
    out.append("/* Bytes 0x80 to 0xFF of the single-byte encodings: UTF-8 in the low three bytes,")
    out.append(" * its length above, bit 31 set where the byte stands for nothing (U+FFFD). */")
    out.append(f"static const uint32_t enc_single_byte[{len(names)}][128] = {{")
    for name in names:
        cells = sections[name] + [None] * (128 - len(sections[name]))
        values = [packed_utf8(c) if c else packed_utf8(0xFFFD) | 1 << 31 for c in cells]
        out.append(f"  {{ /* {name} */")
        for i in range(0, 128, 8):
            out.append("    " + ", ".join("0x%08x" % v for v in values[i : i + 8]) + ",")
        out.append("  },")
    out.append("};")
    out.append("")
    rows = [0]
    for name, kind, _ in encodings:
        wanted = "iso-8859-8" if name == "ISO-8859-8-I" else name.lower()
        rows.append(names.index(wanted) if kind == "single-byte" else 0)
    c_array(out, "unsigned char", "enc_single_byte_row", rows, "%d", 20)
    return 512 * len(names) + len(rows)


def put_decoder(out, name, cells, width, count):
    """Rows with their empty ends cut off. Astral characters go into the gap of the surrogates."""
    ident = name.replace("-", "_")
    if name in WHOLE:
        cells = [c or 0 for c in cells] + [0] * (width * count - len(cells))
        out.append(f"/* Index {name} by pointer. */")
        c_array(out, "uint16_t", f"enc_{ident}_cells", cells, "0x%04x", 14)
        return 2 * len(cells)
    flat, rows, astral = [], [], []
    for start in range(0, len(cells), width):
        row = cells[start : start + width]
        used = [i for i, c in enumerate(row) if c is not None]
        if not used:
            rows.append((0, 0, 0))
            continue
        first, last = used[0], used[-1]
        rows.append((len(flat), first, last - first + 1))
        for code in row[first : last + 1]:
            if code is not None and code > 0xFFFF:
                if code >> 16 != 2:
                    raise SystemExit(f"{name}: U+{code:X} is not in plane 2")
                astral.append(code & 0xFFFF)
                code = 0xD800 + len(astral) - 1
            flat.append(code or 0)
    rows += [(0, 0, 0)] * (count - len(rows))
    if len(astral) > 2048 or len(flat) > 65535 or len(rows) != count:
        raise SystemExit(f"{name}: too large")
    out.append(f"/* Index {name}: by row where its cells start, the first cell and how many. */")
    out.append(f"static const struct enc_row enc_{ident}_rows[{len(rows)}] = {{")
    for i in range(0, len(rows), 6):
        out.append("  " + ", ".join("{%d, %d, %d}" % r for r in rows[i : i + 6]) + ",")
    out.append("};")
    out.append("")
    c_array(out, "uint16_t", f"enc_{ident}_cells", flat, "0x%04x", 14)
    size = 4 * len(rows) + 2 * len(flat)
    if astral:
        out.append("/* Low halves of the plane 2 characters that 0xD800 + i stands for. */")
        c_array(out, "uint16_t", f"enc_{ident}_astral", astral, "0x%04x", 14)
        size += 2 * len(astral)
    return size


def put_encoder(out, name, pointers):
    """Code point to pointer: pages of 256, four bit sets a page, pointers by code point."""
    ident = name.replace("-", "_")
    pages = sorted({code >> 8 for code in pointers})
    numbers = [0] * (pages[-1] + 1)
    bits, base, flat = [0] * 4, [0] * 4, []
    for number, page in enumerate(pages, 1):
        numbers[page] = number
        for block in range(4):
            low = page << 8 | block << 6
            used = [c for c in range(low, low + 64) if c in pointers]
            bits.append(sum(1 << (c - low) for c in used))
            base.append(len(flat))
            flat += [pointers[c] for c in used]
    if len(pages) > 255 or len(flat) > 65535:
        raise SystemExit(f"{name}: too large")
    out.append(f"/* Index {name} backwards. */")
    c_array(out, "unsigned char", f"enc_{ident}_pages", numbers, "%d", 24)
    c_array(out, "uint64_t", f"enc_{ident}_bits", bits, "0x%016xu", 5)
    c_array(out, "uint16_t", f"enc_{ident}_base", base, "%d", 16)
    c_array(out, "uint16_t", f"enc_{ident}_pointers", flat, "%d", 16)
    return len(numbers) + 10 * len(bits) + 2 * len(flat)


def backwards(name, cells):
    """The Standard's index pointer: the first one, with Big5's exceptions."""
    result = {}
    for pointer, code in enumerate(cells):
        if code is None or (name == "big5" and pointer < (0xA1 - 0x81) * 157):
            continue
        if name == "big5" and code in (0x2550, 0x255E, 0x2561, 0x256A, 0x5341, 0x5345):
            result[code] = pointer
        else:
            result.setdefault(code, pointer)
    return result


def put_gb18030_extras(out, directory):
    pairs = read_pairs(os.path.join(directory, "gb18030-ranges.txt"))
    ranges = [(int(pointer), int(code, 16)) for pointer, code in pairs]
    out.append("/* Four-byte gb18030: pointer and code point where ranges below U+10000 start. */")
    c_array(out, "uint16_t", "enc_gb18030_range_pointer", [p for p, _ in ranges[:-1]], "%d", 14)
    c_array(out, "uint16_t", "enc_gb18030_range_code", [c for _, c in ranges[:-1]], "0x%04x", 14)
    if ranges[-1] != (189000, 0x10000):
        raise SystemExit("gb18030-ranges.txt: the last range is not that of U+10000")
    pairs = read_pairs(os.path.join(directory, "gb18030-private-use.txt"))
    private = [(int(code, 16), int(data, 16)) for code, data in pairs]
    out.append("/* Private use characters that are still encoded as the bytes they came from. */")
    out.append(f"static const struct enc_pair enc_gb18030_private[{len(private)}] = {{")
    out += ["  {0x%04x, 0x%04x}," % p for p in private]
    out.append("};")
    out.append("")
    return 4 * (len(ranges) - 1) + 4 * len(private)


def put_hints(out, directory, encodings):
    names = {name: i + 1 for i, (name, _, _) in enumerate(encodings)}
    hints = sorted(read_pairs(os.path.join(directory, "hints.txt")))
    out.append("/* Likely legacy encoding by language, or by top-level domain (with its dot). */")
    out.append(f"static const struct enc_hint enc_hints[{len(hints)}] = {{")
    out += ['  {"%s", %d},' % (hint, names[name]) for hint, name in hints]
    out.append("};")
    out.append("")


def generate(grammar_dir, out_dir):
    """Writes out_dir/encodings.inc; returns {table: bytes}. grammar_dir holds encodings/."""
    directory = os.path.join(grammar_dir, "encodings")
    encodings = read_encodings(os.path.join(directory, "encodings.txt"))
    sections = read_sections(os.path.join(directory, "single-byte.txt"))
    katakana = sections.pop("iso-2022-jp-katakana")
    sizes = {}
    out = [
        "/* Made by gen/encodings.py from grammar/encodings/. Do not edit.",
        " * The index tables are facts of the Encoding Standard; see LICENSE. */",
        "",
    ]
    put_utf8_check(out)
    put_labels(out, encodings)
    put_names(out, encodings)
    sizes["single-byte"] = put_single_byte(out, encodings, sections)
    for name, (width, rows) in INDEXES.items():
        cells = read_index(os.path.join(directory, name + ".txt"), width)
        sizes[name + " decoder"] = put_decoder(out, name, cells, width, rows)
        if name != "jis0212":
            sizes[name + " encoder"] = put_encoder(out, name, backwards(name, cells))
    sizes["gb18030 extras"] = put_gb18030_extras(out, directory)
    out.append("/* Half-width katakana U+FF61 on, as ISO-2022-JP encodes it: full-width. */")
    c_array(out, "uint16_t", "enc_katakana", katakana, "0x%04x", 12)
    put_hints(out, directory, encodings)
    os.makedirs(out_dir, exist_ok=True)
    with open(os.path.join(out_dir, "encodings.inc"), "w", encoding="ascii", newline="\n") as file:
        file.write("\n".join(out).rstrip("\n") + "\n")
    return sizes


# ---------------------------------------------------------------------------------------------
# Import


def tokens_of(cells):
    """The opposite of expand()."""
    cells = list(cells)
    while cells and cells[-1] is None:
        cells.pop()
    result, i = [], 0
    while i < len(cells):
        n = 1
        if cells[i] is None:
            while cells[i + n] is None:
                n += 1
            result.append(f"-{n}")
        else:
            while i + n < len(cells) and cells[i + n] == cells[i] + n:
                n += 1
            result.append("%04X" % cells[i] + (f"+{n - 1}" if n > 1 else ""))
        i += n
    return " ".join(result)


def index_lines(cells, width):
    for start in range(0, len(cells), width):
        row = tokens_of(cells[start : start + width])
        if row:
            yield f"{start}: {row}"


def kind_of(name, heading):
    if "single-byte" in heading:
        return "single-byte"
    return {"UTF-16BE": "utf-16", "UTF-16LE": "utf-16"}.get(name, name.lower())


NOTE = "# HEX: a code point; HEX+N: it and the N code points after it; -N: N pointers without.\n"


def import_data(source):
    """Writes the compact files; gb18030-private-use.txt and hints.txt are kept by hand."""

    def write(name, head, lines):
        with open(os.path.join(GRAMMAR_DIR, name), "w", encoding="ascii", newline="\n") as file:
            file.write(head + "\n" + "\n".join(lines) + "\n")

    with open(os.path.join(source, "encodings.json"), encoding="utf-8") as file:
        groups = json.load(file)
    with open(os.path.join(source, "indexes.json"), encoding="utf-8") as file:
        indexes = json.load(file)
    write(
        "encodings.txt",
        "# The encodings of the Encoding Standard in the order of enum lanner_encoding.\n"
        "# NAME KIND: LABEL...  (KIND says which decoder and encoder)\n",
        [
            f"{e['name']} {kind_of(e['name'], g['heading'])}: " + " ".join(sorted(e["labels"]))
            for g in groups
            for e in g["encodings"]
        ],
    )
    for name, (width, _) in INDEXES.items():
        write(
            name + ".txt",
            f"# Index {name} of the Encoding Standard, one line a row of {width} pointers: "
            "POINTER: CELL...\n" + NOTE,
            index_lines(indexes[name], width),
        )
    lines = []
    for name, cells in indexes.items():
        if len(cells) <= 128:
            lines += [f"[{name}]"]
            # Every row is written, so that a lost line is noticed.
            for start in range(0, len(cells), 16):
                row = cells[start : start + 16]
                text = tokens_of(row)
                empty = len(row) - len(expand(text.split(), name))
                lines.append(f"{start}: {text}" + (f" -{empty}" if empty else ""))
            lines.append("")
    write(
        "single-byte.txt",
        "# The single-byte indexes of the Encoding Standard: pointer 0 is byte 0x80. The section\n"
        "# iso-2022-jp-katakana maps half-width katakana from U+FF61 on to what is encoded.\n"
        + NOTE,
        lines[:-1],
    )
    write(
        "gb18030-ranges.txt",
        "# Four-byte gb18030 of the Encoding Standard: where ranges start, POINTER CODE.\n",
        ["%d %04X" % tuple(pair) for pair in indexes["gb18030-ranges"]],
    )


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--import":
        import_data(arguments[1])
    elif len(arguments) == 1 and not arguments[0].startswith("-"):
        sizes = generate(os.path.join(GRAMMAR_DIR, ".."), arguments[0])
        for name, size in sizes.items():
            print(f"{size:8d} {name}")
        print(f"{sum(sizes.values()):8d} bytes in all")
    else:
        sys.stderr.write(__doc__)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
