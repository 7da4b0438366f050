#!/usr/bin/env python3
"""usage: generate.py OUTPUT_FOLDER

Reads grammar/ and writes all generated sources into OUTPUT_FOLDER. Files that would not change are
left alone. Standard library only; the output depends on nothing but the grammar.
"""

import importlib.util
import os
import sys

PARTS = ["names", "states", "named_refs", "tree_modes", "encodings"]


def main(argv):
    if len(argv) != 2:
        sys.stderr.write(__doc__)
        return 2
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path.insert(0, here)
    sys.dont_write_bytecode = True
    grammar = os.path.join(os.path.dirname(here), "grammar")
    out = argv[1]
    os.makedirs(out, exist_ok=True)
    for part in PARTS:
        try:
            # By path: a module of this name may exist elsewhere ("encodings" does).
            spec = importlib.util.spec_from_file_location("gen_" + part,
                                                          os.path.join(here, part + ".py"))
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            module.generate(grammar, out)
        except ValueError as error:
            sys.stderr.write(f"gen/{part}.py: {error}\n")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
