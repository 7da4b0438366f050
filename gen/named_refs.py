"""The named character references (13.5) as a minimised automaton.

The names come from Python's own html.entities.html5, which is the Standard's table. Equal suffixes
are merged; each edge carries how many names precede it among its siblings, so that the sum along a
path is the number of the name, and a table of values needs no names (a minimal perfect hash).

The names of HTML 4, which pages mostly use, can be looked up by hash as well: they have at most 8 bytes,
see gen/names.py.

Row of reference_edges: byte (7 bits) | ends a name (1) | names before it (12) | next node (12).
Row of reference_values: offset in reference_bytes (13 bits) | length - 1 (3 bits).
"""

import html.entities
import os

import emit
from names import two_slot_hash, words

# Found in their first slot; the most frequent ones are compared before (tokenizer/references.h).
HOT = """mdash ndash rsquo lsquo rdquo ldquo copy laquo raquo middot bull hellip eacute agrave egrave aacute
         iacute oacute uuml ouml auml szlig times reg trade apos rarr larr euro deg""".split()
HASH_BITS = 10


class Node:
    def __init__(self):
        self.edges = {}
        self.end = False


def generate(grammar, out):
    names = {n: v for n, v in html.entities.html5.items()}
    root = Node()
    for name in sorted(names):
        node = root
        for ch in name:
            node = node.edges.setdefault(ch, Node())
        node.end = True

    unique, order, counts = {}, [], {}

    def minimise(node):
        """Children first; equal nodes become one. Names are short, so the recursion is shallow."""
        key = []
        for ch in sorted(node.edges):
            child = minimise(node.edges[ch])
            key.append((ch, node.edges[ch].end, id(child)))
            node.edges[ch] = (node.edges[ch].end, child)
        key = tuple(key)
        if key not in unique:
            unique[key] = node
            order.append(node)
            counts[id(node)] = sum(e + counts[id(c)] for e, c in node.edges.values())
        return unique[key]

    root = minimise(root)
    order.reverse()  # the root first
    index = {id(n): i for i, n in enumerate(order)}
    first, edges = [], []
    for node in order:
        first.append(len(edges))
        before = 0
        for ch, (end, child) in sorted(node.edges.items()):
            if ord(ch) > 127 or before > 4095 or index[id(child)] > 4095:
                raise ValueError("an edge does not fit its row")
            edges.append(ord(ch) | end << 7 | before << 8 | index[id(child)] << 20)
            before += end + counts[id(child)]
    first.append(len(edges))

    # The root's edges are the 52 letters, in order: the first byte needs no search.
    letters = [chr(c) for c in (*range(65, 91), *range(97, 123))]
    if sorted(order[0].edges) != letters:
        raise ValueError("the first letters of the names are not all letters")

    def number(name):
        node, total = 0, 0
        for i, ch in enumerate(name):
            for e in edges[first[node]:first[node + 1]]:
                if e & 127 == ord(ch):
                    total += (e >> 8) & 4095
                    if i == len(name) - 1:
                        return total
                    total += (e >> 7) & 1
                    node = e >> 20
                    break
            else:
                raise KeyError(name)

    blob, where, values = b"", {}, [0] * len(names)
    for value in sorted(set(names.values()), key=lambda v: (-len(v.encode()), v)):
        raw = value.encode()
        at = blob.find(raw)
        if at < 0:
            at = len(blob)
            blob += raw
        where[value] = at
    for name, value in names.items():
        raw = value.encode()
        if where[value] >= 8192 or len(raw) > 8:
            raise ValueError("a value does not fit its row")
        values[number(name)] = where[value] | (len(raw) - 1) << 13

    c = [emit.banner(__file__, ["Python's html.entities.html5"]),
         f"/* {len(names)} names, {len(order)} nodes, {len(edges)} edges, {len(blob)} bytes of text */",
         emit.table("uint32_t", "reference_edges", edges, 10, "{:#010x}"),
         emit.table("uint16_t", "reference_first_edge", first, 16),
         emit.table("uint16_t", "reference_values", values, 16),
         emit.table("uint8_t", "reference_bytes", list(blob) + [0] * 8, 20)]
    short = sorted(html.entities.name2codepoint) + ["apos"]
    multiplier, slots = two_slot_hash(short, HOT, HASH_BITS, "references")
    rows = [short.index(slots[slot]) if slot in slots else 0 for slot in range(1 << HASH_BITS)]
    c += [f"#define REFERENCE_HASH_MULTIPLIER UINT64_C({multiplier:#x})",
          f"#define REFERENCE_HASH_BITS {HASH_BITS}",
          "/* Slot -> row of short_references. */",
          emit.table("uint8_t", "reference_hash_slots", rows, 24),
          "/* Name without ';', as one word; row of reference_values. */",
          "static const struct { uint64_t word; uint32_t value; } short_references"
          f"[{len(short)}] = {{"]
    c += ["    {{UINT64_C({:#x}), {}}}, /* {} */".format(words(n)[0], values[number(n + ";")], n)
          for n in short]
    c.append("};\n")
    emit.write(os.path.join(out, "references.inc"), "\n".join(c))
