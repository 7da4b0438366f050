"""What the tests share: where data are, the html5lib format, notes for the last line."""
import os
import unittest
from pathlib import Path

import lanner

TOP = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("LANNER_TEST_BUILD", TOP / "build"))
PACKAGE = str(Path(lanner.__file__).resolve().parents[1])  # where lanner was imported from
QUICK = os.environ.get("LANNER_TEST_EFFORT") == "quick"
notes = []  # said in the last line of the run


def shared_base():
    """The test data, and whether it is the package of `make suites`, as tests/test.c finds them."""
    if os.environ.get("LANNER_SHARED"):
        return Path(os.environ["LANNER_SHARED"]), False
    if (TOP.parent / "shared").exists():
        return TOP.parent / "shared", False
    return Path(os.environ.get("LANNER_TEST_SUITES", BUILD / "suites")), True


def missing(what):
    """Ends the test: skipped, or failed where nothing may be skipped."""
    if os.environ.get("LANNER_REQUIRE_ALL") == "1":
        raise AssertionError(f"missing {what}, and LANNER_REQUIRE_ALL=1")
    raise unittest.SkipTest(what)


def shared(relative):
    path = shared_base()[0] / relative
    if not path.exists():
        missing(f"{relative} in {shared_base()[0]} (LANNER_SHARED)")
    return path


def command():
    path = BUILD / "lanner"
    if not path.exists():
        missing(f"{path} (make cli)")
    return str(path)


# --- the format of the tree construction tests --------------------------------------------------

FOREIGN = {"xlink:actuate", "xlink:arcrole", "xlink:href", "xlink:role", "xlink:show", "xlink:title", "xlink:type",
           "xml:lang", "xml:space", "xmlns:xlink"}


def attribute_lines(node, level):
    rows = []
    for name, value in node.attributes.items():
        if node.namespace != "html" and name in FOREIGN:
            name = name.replace(":", " ")
        elif node.namespace != "html" and name == "xmlns":
            name = "xmlns xmlns"
        rows.append((name, value))
    rows.sort(key=lambda row: row[0].encode("utf-16-be"))
    return [f'| {"  " * level}{name}="{value}"' for name, value in rows]


def line_of(node):
    if node.type == "element":
        prefix = {"html": "", "svg": "svg ", "mathml": "math "}[node.namespace]
        return f"<{prefix}{node.tag}>"
    if node.type == "text":
        return f'"{node.data}"'
    if node.type == "comment":
        return f"<!-- {node.data} -->"
    if node.type == "processing-instruction":
        return f"<?{node.name} {node.data}?>"
    if node.type == "doctype":
        ids = f' "{node.public_id}" "{node.system_id}"' if node.public_id or node.system_id else ""
        return f"<!DOCTYPE {node.name}{ids}>"
    raise AssertionError(f"a {node.type} stands in a tree")


def dump(root):
    """The children of ROOT in the format, by the properties of Node alone; without recursion."""
    lines, waiting = [], [(child, 0) for child in reversed(root.children)]
    while waiting:
        node, level = waiting.pop()
        if isinstance(node, str):
            lines.append(node)
            continue
        lines.append(f'| {"  " * level}{line_of(node)}')
        below = []
        if node.type == "element":
            lines += attribute_lines(node, level + 1)
            side, title = node.template_contents, "content"
            if side is None and node.shadow_root is not None:
                side, title = node.shadow_root, f"#shadow-root {node.shadow_mode}"
            if side is not None:
                assert side.type == "fragment" and side.host == node and side.parent is None
                below = [(f'| {"  " * (level + 1)}{title}', 0)]
                below += [(child, level + 2) for child in side.children]
        below += [(child, level + 1) for child in node.children]
        waiting += reversed(below)
    return "".join(line + "\n" for line in lines)


def read_dat(path):
    """Dicts of the tests of a .dat file; data and document are str."""
    text, at, cases = path.read_bytes().decode("utf-8", "surrogatepass"), 0, []
    lines = text.split("\n")
    while at < len(lines):
        if lines[at] != "#data":
            at += 1
            continue
        case = {"line": at + 1, "context": None, "script": None}
        start = at = at + 1
        while lines[at] != "#errors":
            at += 1
        case["data"] = "\n".join(lines[start:at])
        while lines[at] != "#document":
            if lines[at] == "#document-fragment":
                at += 1
                case["context"] = lines[at]
            elif lines[at] in ("#script-on", "#script-off"):
                case["script"] = lines[at] == "#script-on"
            at += 1
        start = at = at + 1
        while at < len(lines) and not (lines[at] == "" and (
                at + 1 >= len(lines) or lines[at + 1] in ("#data", "#description"))):
            at += 1
        document = "\n".join(lines[start:at])
        # The last tree of a file may be followed by an empty line.
        case["document"] = document.rstrip("\n") + "\n" if at + 1 >= len(lines) and document else document + "\n"
        if not document:
            case["document"] = ""
        cases.append(case)
    return cases
