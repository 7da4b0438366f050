"""The insertion modes: from the rule tables of grammar/tree to C.

Writes tree_modes.h (enumerations), tree_tables.inc (which rule for which mode and token; compiled
once) and tree_rules.inc (the rules as functions; compiled once an instance of the tree builder).
grammar/tree/README.md describes the tables.

How the tables become fast: tag names that no mode tells apart share a class, so a rule is found by
two loads, element name -> class and (mode, class) -> rule. A row that only says "as MODE" leaves
no trace: its cell holds the rule of that mode. The rules of "in body" stand in functions of their
own, in which frequent last actions are shared (tails); all others are out of line. What the frequent
start tags and characters of a mode mostly come to is told in bits (start_at_once, MODES_*), which
tree/dispatch.h asks before it goes by the rules.
"""

import os
import re

import emit

MODES = ["initial", "before html", "before head", "in head", "in head noscript", "after head",
         "in body", "text", "in table", "in table text", "in caption", "in column group",
         "in table body", "in row", "in cell", "in template", "after body", "in frameset",
         "after frameset", "after after body", "after after frameset"]
OTHER = ["text", "whitespace", "null", "comment", "pi", "doctype", "eof"]
HOT_MODE = "in body"
# Last actions of hot rules that are printed once, inline, and jumped to.
TAILS = {"insert an element", "insert a void element", "insert a formatting element"}
SCOPES = {"in scope": "in_scope", "in button scope": "in_button_scope",
          "in list item scope": "in_list_item_scope", "in table scope": "in_table_scope",
          "is open": "is_open"}


class Row:
    """One row: tokens, the place where it stands, alternatives of (condition, actions)."""

    def __init__(self, where, tokens):
        self.where, self.tokens, self.alternatives = where, tokens, []

    def alias(self):
        """The mode that an unconditional "as MODE" names, or None."""
        if len(self.alternatives) == 1:
            condition, actions = self.alternatives[0]
            if not condition and len(actions) == 1 and actions[0].startswith("as "):
                return actions[0][3:]
        return None


def identifier(text):
    return re.sub(r"[^a-z0-9]+", "_", text)


def constant(text):
    return identifier(text).upper()


def read_mode(path, elements):
    """The name of the mode and its rows."""
    mode, rows, pending = None, [], ""
    file = os.path.basename(path)

    def bad(number, what):
        raise ValueError(f"tree/{file}:{number}: {what}")

    for number, line in emit.lines_of(path):
        if line.startswith("mode "):
            mode = line[5:].strip()
            if mode not in MODES:
                bad(number, f"unknown mode {mode}")
            continue
        if line.startswith(";"):
            rows[-1].alternatives[-1][1].extend(actions_of(line[1:]))
            continue
        if "|" not in line:
            pending += " " + line
            continue
        head, *rest = [part.strip() for part in line.split("|")]
        head = (pending + " " + head).strip()
        pending = ""
        if len(rest) == 1 and head:  # tokens, condition; the actions stand on the next line
            rest.append("")
        if len(rest) == 1:  # the actions of the condition above
            rows[-1].alternatives[-1][1].extend(actions_of(rest[0]))
            continue
        if len(rest) != 2:
            bad(number, "a row has three columns")
        if head:
            rows.append(Row(f"{file}:{number}", tokens_of(head, elements, lambda w: bad(number, w))))
        elif not rows:
            bad(number, "no row above")
        rows[-1].alternatives.append((rest[0], actions_of(rest[1])))
    if mode is None:
        raise ValueError(f"tree/{file}: no mode")
    return mode, rows


def actions_of(text):
    return [a.strip() for a in text.split(";") if a.strip()]


def tokens_of(text, elements, bad):
    """Tokens as (kind, name): ("start", "p"), ("end", ""), ("comment", ""), ("else", "")."""
    tokens = []
    for part in text.split(","):
        kind, *names = part.split()
        if kind in ("start", "end"):
            for name in names:
                if name not in elements:
                    bad(f"unknown element {name}")
            tokens += [(kind, n) for n in names] or [(kind, "")]
        elif part.strip() == "anything else":
            tokens.append(("else", ""))
        elif kind in OTHER and not names:
            tokens.append((kind, ""))
        else:
            bad(f"unknown token {part.strip()}")
    return tokens


class Table:
    """All modes; each kind of token has its cells (mode, name) and its numbered rules."""

    def __init__(self, modes, elements):
        self.modes, self.elements = modes, elements
        self.cells = {}
        for mode, rows in modes.items():
            self.fill(mode, rows)
        self.rules = {"start": [], "end": [], "other": []}
        self.numbers = {}
        for hot in (True, False):
            for mode in MODES:
                if (mode == HOT_MODE) == hot:
                    self.number(mode)

    def fill(self, mode, rows):
        given, other = {}, None
        for row in rows:
            for token in row.tokens:
                if token[0] == "else":
                    other = row
                if token in given:
                    raise ValueError(f"tree/{row.where}: {token} stands twice")
                given[token] = row
        explicit_else = {t for row in rows if row is other for t in row.tokens}
        for kind in ("start", "end"):
            for name in [""] + self.elements:
                row = given.get((kind, name)) or given.get((kind, "")) or other
                if (kind, name) in explicit_else:
                    row = other
                self.cells[mode, kind, name] = row
        for kind in OTHER:
            self.cells[mode, kind, ""] = given.get((kind, ""), other)

    def resolve(self, mode, kind, name):
        """The row for a token, through rows that only name another mode."""
        for _ in range(len(MODES)):
            row = self.cells[mode, kind, name]
            if row is None or row.alias() is None:
                return row, mode
            mode = row.alias()
        raise ValueError(f"modes refer to each other: {mode}, {kind} {name}")

    def number(self, mode):
        for kind in ["start", "end"] + OTHER:
            names = [""] + self.elements if kind in ("start", "end") else [""]
            group = kind if kind in ("start", "end") else "other"
            for name in names:
                row, owner = self.resolve(mode, kind, name)
                if row is None or (group, id(row)) in self.numbers:
                    continue
                self.rules[group].append((row, owner))
                self.numbers[group, id(row)] = len(self.rules[group])

    def rule(self, mode, kind, name=""):
        row, _ = self.resolve(mode, kind, name)
        group = kind if kind in ("start", "end") else "other"
        return self.numbers[group, id(row)] if row else 0


# --- C ------------------------------------------------------------------------------------------

def tag(name):
    return "P->token.name" if name == "the token" else "TAG_" + constant(name)


def condition_code(text, elements):
    """A condition as a C expression."""
    ors = []
    for either in text.split(" or "):
        ands = []
        for atom in either.split(" and "):
            atom = atom.strip()
            negated = atom.startswith("not ")
            code = atom_code(atom[4:] if negated else atom, elements)
            ands.append(("!" if negated else "") + code)
        ors.append(" && ".join(ands))
    return ors[0] if len(ors) == 1 else " || ".join(f"({o})" if "&&" in o else o for o in ors)


def atom_code(atom, elements):
    m = re.fullmatch(r"current node is (.+)", atom)
    if m and all(n in elements for n in m.group(1).split()):
        tests = [f"current_is(T, TAG_{constant(n)})" for n in m.group(1).split()]
        return tests[0] if len(tests) == 1 else "(" + " || ".join(tests) + ")"
    for suffix, function in SCOPES.items():
        if atom.endswith(" " + suffix):
            names = atom[:-len(suffix) - 1]
            names = [names] if names == "the token" else names.split()
            if all(n == "the token" or n in elements for n in names):
                tests = [f"{function}(T, {tag(n)})" for n in names]
                return tests[0] if len(tests) == 1 else "(" + " || ".join(tests) + ")"
    return f"FN({identifier(atom)})(P)"


def action_code(action, kind, elements):
    """One action as C; None for those that end a rule."""
    for prefix, form in (("error ", "TREE_ERROR(P, ERROR_{});"),
                         ("switch to ", "T->mode = MODE_{};"),
                         ("set the template mode to ", "set_template_mode(T, MODE_{});"),
                         ("insert ", "FN(insert_implied)(P, TAG_{});"),
                         ("pop until ", "FN(pop_until)(P, TAG_{});")):
        if action.startswith(prefix):
            argument = action[len(prefix):]
            if prefix in ("insert ", "pop until ") and argument not in elements:
                continue
            if prefix.endswith("to ") and argument not in MODES:
                raise ValueError(f"tree: unknown mode {argument}")
            return form.format((identifier if prefix == "error " else constant)(argument))
    if action == "frameset ok":
        return "T->frameset_ok = true;"
    if action == "frameset not ok":
        return "T->frameset_ok = false;"
    if action == "ignore":
        return "FN(ignore_attributes)(P);" if kind == "start" else ""
    return f"FN({identifier(action)})(P);"


def rule_code(row, kind, hot, elements, tails):
    """The body of one case."""
    lines = []
    for condition, actions in row.alternatives:
        body, ending = [], "return MODE_NONE;"
        for i, action in enumerate(actions):
            last = i + 1 == len(actions)
            if action == "reprocess":
                ending = "return T->mode;"
            elif action.startswith("as "):
                if action[3:] not in MODES:
                    raise ValueError(f"tree/{row.where}: unknown mode in '{action}'")
                ending = f"return MODE_{constant(action[3:])};"
            elif hot and last and action in TAILS and kind == "start":
                tails.add(action)
                ending = f"goto {identifier(action)};"
            else:
                body.append(action_code(action, kind, elements))
            if ending != "return MODE_NONE;" and not last:
                raise ValueError(f"tree/{row.where}: '{action}' is not the last action")
        body = [b for b in body if b] + [ending]
        if hot:  # these functions loop by themselves
            body = [re.sub(r"^return (MODE_[A-Z_]+|T->mode);$",
                           lambda m: "return;" if m.group(1) == "MODE_NONE"
                           else f"mode = {m.group(1)}; goto again;", b) for b in body]
        if condition:
            test = condition_code(condition, elements)
            test = test[1:-1] if test.startswith("(") and matching(test) else test
            lines.append(f"      if ({test}) {{")
            lines += ["        " + b for b in body]
            lines.append("      }")
        else:
            lines += ["      " + b for b in body]
    if row.alternatives[-1][0]:
        lines.append("      return;" if hot else "      return MODE_NONE;")
    return lines


def matching(text):
    """Whether the first parenthesis closes at the very end."""
    depth = 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0:
            return i + 1 == len(text)
    return False


# What a start tag's rule may consist of to be taken at once: nothing else happens when what the
# action looks for is not there. The first three are how such a rule ends.
AT_ONCE = {"insert an element": "ELEMENT", "insert a void element": "VOID",
           "insert a formatting element": "FORMATTING", "frameset not ok": "NOT_OK",
           "reconstruct the formatting elements": "RECONSTRUCT",
           "close a p element in button scope": "NO_P", "leave a heading": "NO_HEADING",
           "end an open a element": "NO_A", "close list items": "NO_ITEM"}

# Rules that are taken at once as a whole; those of tables when the current node is the context.
CLEAR = "clear the stack back to a table %scontext"
AT_ONCE_PARTS = {("insert the html element", "switch to before head"): "HTML",
                 ("insert an element", "set the head pointer", "switch to in head"): "HEAD",
                 ("insert an element", "frameset not ok", "switch to in body"): "BODY",
                 ("insert a meta element",): "META",
                 ("parse rcdata",): "RCDATA",
                 ("parse raw text",): "RAWTEXT",
                 ("insert a script",): "SCRIPT",
                 (CLEAR % "row ", "insert an element", "switch to in cell", "insert a marker"): "CELL",
                 (CLEAR % "body ", "insert an element", "switch to in row"): "ROW",
                 (CLEAR % "", "insert an element", "switch to in table body"): "ROWS"}
AT_ONCE_BITS = {name: 1 << i for i, name in enumerate([*AT_ONCE.values(), "PART"])}
PARTS = {name: i for i, name in enumerate(AT_ONCE_PARTS.values())}  # beside PART

QUIRKS_LONGEST = 80  # so many bytes of an identifier are looked at by src/tree/quirks.h


def at_once(row):
    """The AT_ONCE_ bits of a start tag's rule, and PART_; 0 for most."""
    if row is None or len(row.alternatives) != 1 or row.alternatives[0][0]:
        return 0
    actions = row.alternatives[0][1]
    if tuple(actions) in AT_ONCE_PARTS:
        return AT_ONCE_BITS["PART"] | PARTS[AT_ONCE_PARTS[tuple(actions)]]
    names = list(AT_ONCE)
    if any(a not in AT_ONCE for a in actions) or actions[-1] not in names[:3]:
        return 0
    return sum(AT_ONCE_BITS[AT_ONCE[a]] for a in actions)


def describe(row, kind):
    names = [n for k, n in row.tokens if k == kind and n]
    text = " ".join([kind] + names[:4] + (["..."] if len(names) > 4 else []))
    return f"{row.where} {text if kind in ('start', 'end') else ''}".strip()


def functions(table, group):
    """The two functions of a group of tokens: rules of "in body", and all others."""
    select = {"start": "start_rule[mode][tag_class_of(P->token.name)]",
              "end": "end_rule[mode][tag_class_of(P->token.name)]",
              "other": "other_rule[mode][kind]"}[group]
    parameter = ", u32 kind" if group == "other" else ""
    hot = [(r, m) for r, m in table.rules[group] if m == HOT_MODE]
    rare = [(r, m) for r, m in table.rules[group] if m != HOT_MODE]
    out, tails = [], set()
    out.append(f"/* Rules of the other modes; the answer is the mode to go on in. */")
    out.append(f"static NOINLINE u32 FN({group}_rule_elsewhere)(struct parser *P, u32 rule) {{")
    out.append("  struct tree *T = P->tree;")
    out.append("  switch (rule) {")
    for row, _ in rare:
        out.append(f"    case {table.numbers[group, id(row)]}: /* {describe(row, group)} */")
        out += rule_code(row, group, False, table.elements, tails)
    out.append("    default:\n      return MODE_NONE;\n  }\n}\n")
    out.append(f"static void FN({group}_rules)(struct parser *P, u32 mode{parameter}) {{")
    out.append("  struct tree *T = P->tree;\n  u32 rule;\nagain:")
    out.append(f"  rule = {select};")
    out.append("  switch (rule) {")
    for row, _ in hot:
        out.append(f"    case {table.numbers[group, id(row)]}: /* {describe(row, group)} */")
        out += rule_code(row, group, True, table.elements, tails)
    out.append(f"    default:\n      mode = FN({group}_rule_elsewhere)(P, rule);")
    out.append("      if (mode == MODE_NONE) return;\n      goto again;\n  }")
    for t in sorted(tails):
        out.append(f"{identifier(t)}:\n  FN({identifier(t)}_inline)(P);\n  return;")
    out.append("}\n")
    return out


def generate(grammar, out):
    folder = os.path.join(grammar, "tree")
    files = sorted(f for f in os.listdir(folder) if f.endswith(".txt"))
    elements, categories = [], {}
    for _, line in emit.lines_of(os.path.join(grammar, "elements.txt")):
        if not line.startswith("["):
            name, *words = line.split()
            elements.append(name.partition("=")[0])
            categories[elements[-1]] = words
    modes = {}
    for file in files:
        mode, rows = read_mode(os.path.join(folder, file), elements)
        modes[mode] = rows
    missing = [m for m in MODES if m not in modes]
    if missing:
        raise ValueError(f"tree: no file for {missing}")
    table = Table(modes, elements)
    sources = ["grammar/tree/ (all modes)", "grammar/elements.txt", "grammar/quirks.txt"]

    h = [emit.banner(__file__, sources),
         "#ifndef LANNER_GEN_TREE_MODES_H\n#define LANNER_GEN_TREE_MODES_H\n",
         "/* Insertion modes, 13.2.4.1. */\nenum {\n  MODE_NONE = 0,"]
    h += [f"  MODE_{constant(m)} = {i}," for i, m in enumerate(MODES, 1)]
    h.append("  MODES\n};\n\n/* Tokens that are not tags. */\nenum {")
    h += [f"  KIND_{constant(k)} = {i}," for i, k in enumerate(OTHER)]
    h.append("  KINDS\n};\n")
    formatting = [n for n in elements if "formatting" in categories[n]]
    h.append("/* Names of formatting elements are numbered from 1. */")
    h.append(f"#define FORMATTING_NAMES {len(formatting) + 1}")
    h.append("/* The rule for text of \"in body\", whose modes take the short way. */")
    h.append("#define RULE_BODY_TEXT %d" % table.rule(HOT_MODE, "text"))
    for name, kind, what in (("TEXT", "text", "text"), ("SPACE", "whitespace", "white space"),
                             ("END", "end", "any other end tag")):
        bits = sum(1 << i for i, m in enumerate(MODES, 1) if table.rule(m, kind) == table.rule(HOT_MODE, kind))
        h.append(f"/* The modes with the rule of \"in body\" for {what}. */\n"
                 f"#define MODES_OF_BODY_{name} {bits:#x}u")
    for name, kind, action in (("INSERT_TEXT", "text", "insert the characters"),
                               ("INSERT_SPACE", "whitespace", "insert the characters"),
                               ("IGNORE_SPACE", "whitespace", "ignore")):
        only = [("", [action])]
        bits = sum(1 << i for i, m in enumerate(MODES, 1) if table.resolve(m, kind, "")[0].alternatives == only)
        h.append(f"/* The modes whose rule for {kind} is: {action}. */\n#define MODES_{name} {bits:#x}u")
    h.append("/* The rule for characters of \"in table\". */")
    h.append("#define RULE_TABLE_TEXT %d" % table.rule("in table", "text"))
    h.append("/* Start tags without special cases, see start_at_once. */")
    h += [f"#define AT_ONCE_{name} {bit}u" for name, bit in AT_ONCE_BITS.items()]
    h.append("/* With AT_ONCE_PART, in the bits of AT_ONCE_PARTS. */")
    if len(PARTS) > AT_ONCE_BITS["RECONSTRUCT"]:
        raise ValueError("the number of a part would look like other bits")
    h.append("#define AT_ONCE_PARTS %du" % (AT_ONCE_BITS["RECONSTRUCT"] - 1))
    h.append("enum { %s };" % ", ".join(f"PART_{n}" for n in PARTS))
    h.append("\n#endif\n")
    emit.write(os.path.join(out, "tree_modes.h"), "\n".join(h))

    classes, class_of = {}, {}
    for name in [""] + elements:
        key = tuple(table.rule(m, k, name) for m in MODES for k in ("start", "end"))
        class_of[name] = classes.setdefault(key, len(classes))
    first = {}
    for name, number in class_of.items():
        first.setdefault(number, name)
    c = [emit.banner(__file__, sources)]
    c.append("/* Element name id -> class of tag; names of one class have the same rules. */")
    c.append("static const uint8_t tag_class[ELEMENT_NAMES] = {")
    c += [f"    [TAG_{constant(n)}] = {class_of[n]}," for n in elements if class_of[n]]
    c.append("};\n")
    for kind in ("start", "end"):
        c.append(f"/* Mode, class of tag -> rule for {kind} tags; 0: nothing to do. */")
        c.append(f"static const uint8_t {kind}_rule[MODES][{len(classes)}] = {{")
        for m in MODES:
            row = [table.rule(m, kind, first[i]) for i in range(len(classes))]
            if max(row) > 255:
                raise ValueError("too many rules for a byte")
            c.append(f"    [MODE_{constant(m)}] = {{" + ", ".join(map(str, row)) + "},")
        c.append("};\n")
    c.append("/* Mode, element name id (0: all unknown ones) -> AT_ONCE_*, the start tag's rule in short; 0: see")
    c.append(" * there. By name, not by class: one load less between a tag and what is done with it. */")
    c.append("static const uint16_t start_at_once[MODES][ELEMENT_NAMES] = {")
    for m in MODES:
        row = {n: at_once(table.resolve(m, "start", n)[0]) for n in [""] + elements}
        cells = [f"[{'TAG_' + constant(n) if n else 0}] = {bits}" for n, bits in row.items() if bits]
        c.append(f"    [MODE_{constant(m)}] = {{" + ", ".join(cells or ["0"]) + "},")
    c.append("};\n")
    c.append("/* Mode, kind of token -> rule. */")
    c.append("static const uint8_t other_rule[MODES][KINDS] = {")
    for m in MODES:
        row = [table.rule(m, k) for k in OTHER]
        c.append(f"    [MODE_{constant(m)}] = {{" + ", ".join(map(str, row)) + "},")
    c.append("};\n")
    with open(os.path.join(grammar, "quirks.txt"), encoding="utf-8") as f:
        prefixes = [line.strip().lower() for line in f if line.strip() and line[0] != "#"]
    if min(map(len, prefixes)) < 11 or max(map(len, prefixes)) > QUIRKS_LONGEST:
        raise ValueError(f"quirks.txt: src/tree/quirks.h wants 11 to {QUIRKS_LONGEST} bytes")
    c.append("/* Public identifiers that begin like this mean quirks mode; in lower case. */")
    c.append(f"#define QUIRKS_LONGEST {QUIRKS_LONGEST}")
    c.append("static const struct { const char *text; uint32_t length; } quirks_prefixes[] = {")
    c += [f'    {{"{p}", {len(p)}}},' for p in prefixes]
    c.append("};\n")
    c.append("/* Element name id -> number of the formatting element, else 0. */")
    c.append("static const uint8_t formatting_index[ELEMENT_NAMES] = {")
    c += [f"    [TAG_{constant(n)}] = {i}," for i, n in enumerate(formatting, 1)]
    c.append("};\n")
    emit.write(os.path.join(out, "tree_tables.inc"), "\n".join(c))

    r = [emit.banner(__file__, sources)]
    for group in ("start", "end", "other"):
        r += functions(table, group)
    emit.write(os.path.join(out, "tree_rules.inc"), "\n".join(r))
