"""Element and attribute names: their numbers, perfect hashes, categories and adjustments.

Reads grammar/elements.txt and grammar/attributes.txt, writes names.h (enumerations) and names.inc
(tables). A name of up to 8 bytes is one word: its bytes moved to the upper end of a 64-bit load.
A multiplication picks a slot of a table of small numbers, a comparison of the word decides; names
that are not frequent may stand in a second slot.
Longer names add a second word of the next 8 bytes and compare the rest.
"""

import os
import random

import emit

CATEGORIES = ["special", "formatting", "scope", "implied", "thoroughly", "end-ok", "void", "raw",
              "reset", "hook", "foster", "breakout", "passed", "host", "feedback"]

# What most tags and attributes of real pages are called.
HOT = {
    "tag": """a div li span p code td i img ul meta br tr link dt option path input b dd svg h3 h2 em
        strong section button pre dl ol var th use table h1 h4 label noscript source g form title
        article time font h5 nav html body sup head picture header aside hr iframe footer script
        style select figure figcaption textarea h6 tbody small main""",
    "attribute": """class href id title style rel src target name alt value width content type height d
        property onclick fill viewbox role itemprop aria-label align border srcset media
        aria-hidden sizes loading valign tabindex lang xlink:href for action colspan data-src
        crossorigin method datetime placeholder color size data-id""",
}


def read_sections(path):
    section = None
    for number, line in emit.lines_of(path):
        if line.startswith("["):
            section = line.strip("[]")
        else:
            yield number, section, line


def identifier(name):
    return "".join(c.upper() if c.isalnum() else "_" for c in name)


def words(name):
    """The two words of a name as names.h's name_words computes them."""
    raw = name.encode()
    n = len(raw)
    first = int.from_bytes(raw[:8], "little")
    if n <= 8:
        return (first << (64 - 8 * n)) & (2**64 - 1), 0
    rest = raw[8:16]
    m = len(rest)
    return first, (int.from_bytes(rest, "little") << (64 - 8 * m)) & (2**64 - 1)


def two_slot_hash(names, hot, bits, seed):
    """A multiplier for which each name has its first slot, or else its second, to itself; the HOT
    names all have their first, so that the names of real pages take one probe."""
    mask, size = 2**64 - 1, 1 << bits
    keys = {}
    for n in names:
        w, v = words(n)
        keys[n] = (w ^ (v >> 7)) & mask
    if len(set(keys.values())) != len(keys):
        raise ValueError("two names have the same key")
    order = [n for n in hot if n in keys] + [n for n in names if n not in hot]
    hot_count = sum(n in keys for n in hot)
    rng = random.Random(seed)
    for _ in range(200000):
        m = rng.getrandbits(64) | 1
        slots = {}
        for i, n in enumerate(order):
            h = (keys[n] * m) & mask
            first, second = h >> (64 - bits), (h >> (64 - 2 * bits)) & (size - 1)
            if first not in slots:
                slots[first] = n
            elif i >= hot_count and second not in slots:
                slots[second] = n
            else:
                break
        else:
            return m, slots
    raise ValueError("no multiplier found: enlarge the table")


def write_public(tags, svg_tags, attributes, adjusted, known, sources, out):
    """lanner_names.h: the numbers that lanner_name_id and lanner_attribute.name_id give."""
    h = [emit.banner(__file__, sources),
         "/* Numbers of the names that the library knows, the same in every document of one version. */",
         "#ifndef LANNER_NAMES_H\n#define LANNER_NAMES_H\n", "enum {"]
    for prefix, ids in (("TAG", tags), ("TAG_SVG", svg_tags), ("ATTRIBUTE", attributes),
                        ("ATTRIBUTE_ADJUSTED", adjusted)):
        h += [f"  LANNER_{prefix}_{identifier(n)} = {i}, /* {n} */" for n, i in ids.items()]
    h.append(f"  LANNER_KNOWN_NAMES = {known} /* names of one document have numbers from here on */")
    h.append("};\n\n#endif\n")
    emit.write(os.path.join(out, "lanner_names.h"), "\n".join(h))


def generate(grammar, out):
    elements, adjust_element, category = [], {}, {}
    sources = ["grammar/elements.txt", "grammar/attributes.txt"]
    for number, section, line in read_sections(os.path.join(grammar, "elements.txt")):
        name, *cats = line.split()
        name, _, adjusted = name.partition("=")
        if name in elements:
            raise ValueError(f"elements.txt:{number}: {name} stands twice")
        for c in cats:
            if c not in CATEGORIES:
                raise ValueError(f"elements.txt:{number}: unknown category {c}")
        elements.append(name)
        category[name] = cats
        if adjusted:
            adjust_element[name] = adjusted
    camel = [adjust_element[n] for n in elements if n in adjust_element]

    attributes, svg, mathml, foreign = [], {}, {}, {}
    for number, section, line in read_sections(os.path.join(grammar, "attributes.txt")):
        if section == "common":
            new = line.split()
        elif section in ("svg", "mathml"):
            low, high = line.split("=")
            (svg if section == "svg" else mathml)[low] = high
            new = [low]
        else:
            low, space = line.split()
            foreign[low] = space
            new = [low]
        for n in new:
            if n in attributes and section == "common":
                raise ValueError(f"attributes.txt:{number}: {n} stands twice")
            if n not in attributes:
                attributes.append(n)
    camel_attributes = [svg[n] for n in attributes if n in svg]
    camel_attributes += [mathml[n] for n in attributes if n in mathml]

    everything = [""] + elements + camel + attributes + camel_attributes
    tag_id = {n: i + 1 for i, n in enumerate(elements)}
    camel_id = {n: 1 + len(elements) + i for i, n in enumerate(camel)}
    first_attribute = 1 + len(elements) + len(camel)
    attr_id = {n: first_attribute + i for i, n in enumerate(attributes)}
    camel_attr_id = {n: first_attribute + len(attributes) + i
                     for i, n in enumerate(camel_attributes)}

    h = [emit.banner(__file__, sources), "#ifndef LANNER_GEN_NAMES_H\n#define LANNER_GEN_NAMES_H\n",
         "#include <stdint.h>\n\nenum {\n  TAG_NONE = 0,"]
    h += [f"  TAG_{identifier(n)} = {i}, /* {n} */" for n, i in tag_id.items()]
    h += [f"  TAG_SVG_{identifier(n)} = {i}, /* {n} */" for n, i in camel_id.items()]
    h.append(f"  ELEMENT_NAMES = {first_attribute},")
    h += [f"  ATTR_{identifier(n)} = {i}, /* {n} */" for n, i in attr_id.items()]
    h += [f"  ATTR_ADJUSTED_{identifier(n)} = {i}, /* {n} */" for n, i in camel_attr_id.items()]
    h.append(f"  KNOWN_NAMES = {len(everything)}\n}};\n")
    for i, c in enumerate(CATEGORIES):
        h.append(f"#define CATEGORY_{identifier(c)} (UINT32_C(1) << {i})")
    h.append("\n#endif\n")
    emit.write(os.path.join(out, "names.h"), "\n".join(h))
    write_public(tag_id, camel_id, attr_id, camel_attr_id, len(everything), sources, out)

    c = [emit.banner(__file__, sources)]
    blob = "".join(everything)
    places, at = [], 0
    for n in everything:
        places.append(at << 8 | len(n))
        at += len(n)
    c.append("/* All known names one after the other; name id -> offset of its first byte, and its length. */")
    c.append("static const char known_name_bytes[] = {")
    for i in range(0, len(blob), 20):
        c.append("    " + ", ".join(f"'{ch}'" for ch in blob[i:i + 20]) + ",")
    c.append("    " + "0, " * 32 + "/* blocks may be read */")
    c.append("};")
    c.append(emit.table("uint32_t", "known_name_place", places))
    c.append("#define KNOWN_NAME_AT(id) (known_name_bytes + (known_name_place[id] >> 8))")
    c.append("#define KNOWN_NAME_LENGTH(id) (known_name_place[id] & 0xFF)")
    for label, names, ids, bits in (("tag", elements, tag_id, 10),
                                    ("attribute", attributes, attr_id, 11)):
        multiplier, slots = two_slot_hash(names, HOT[label].split(), bits, label)
        row = [0] * (1 << bits)
        for slot, n in slots.items():
            row[slot] = ids[n]
        kind = "uint8_t" if max(row) < 256 else "uint16_t"
        c.append(f"#define {label.upper()}_HASH_MULTIPLIER UINT64_C({multiplier:#x})")
        c.append(f"#define {label.upper()}_HASH_SHIFT {64 - bits}")
        c.append(f"#define {label.upper()}_HASH_BITS {bits}")
        c.append(f"/* Slot -> name id, 0: no such {label}. */")
        c.append(emit.table(kind, f"{label}_hash_slots", row, 24))
    c.append("/* Name id -> its words, see gen/names.py. */")
    c.append("static const struct { uint64_t first, second; } known_name_words"
             f"[{len(everything)}] = {{\n    {{0, 0}},")
    c += ["    {{UINT64_C({:#x}), UINT64_C({:#x})}}, /* {} */".format(*words(n), n)
          for n in everything[1:]]
    c.append("};\n")
    c.append("/* Name id -> its one word; 0: it has more. */")
    c.append(f"static const uint64_t known_short_words[{len(everything)}] = {{\n    0,")
    c += ["    UINT64_C({:#x}), /* {} */".format(words(n)[0] if len(n) <= 8 else 0, n)
          for n in everything[1:]]
    c.append("};\n")
    c.append("/* Name id -> what to compare an end tag's name with; longer names match nothing. */")
    c.append("static const struct { uint64_t word; uint8_t shift, length; } end_tag_words"
             f"[{first_attribute}] = {{\n    {{0, 0, 0}},")
    for n in elements + camel:
        short = len(n) <= 8 and n in tag_id
        c.append("    {{UINT64_C({:#x}), {}, {}}}, /* {} */".format(
            words(n)[0] if short else 0, 64 - 8 * len(n) if short else 0, len(n), n))
    c.append("};\n")
    bit = {name: 1 << i for i, name in enumerate(CATEGORIES)}
    c.append("/* CATEGORY_* bits of HTML elements by name id. */")
    c.append(emit.table("uint32_t", "element_category",
                        [0] + [sum(bit[x] for x in category[n]) for n in elements]
                        + [0] * len(camel), 12, "{:#x}"))
    c.append("/* \"Adjust SVG tag name\": name id -> name id. */")
    c.append(emit.table("uint16_t", "svg_tag_adjusted",
                        [0] + [camel_id.get(adjust_element.get(n), tag_id[n]) for n in elements]
                        + [camel_id[n] for n in camel], 16))
    c.append("/* \"Adjust SVG attributes\": name id - ELEMENT_NAMES -> name id. */")
    c.append(emit.table("uint16_t", "svg_attribute_adjusted",
                        [camel_attr_id.get(svg.get(n), attr_id[n]) for n in attributes], 16))
    c.append("/* \"Adjust foreign attributes\": name id - ELEMENT_NAMES -> namespace, 0: none. */")
    spaces = {"xlink": 1, "xml": 2, "xmlns": 3}
    c.append(emit.table("uint8_t", "foreign_attribute_namespace",
                        [spaces.get(foreign.get(n), 0) for n in attributes], 32))
    c.append("#define KNOWN_ATTRIBUTES (sizeof foreign_attribute_namespace)")
    emit.write(os.path.join(out, "names.inc"), "\n".join(c) + "\n")
