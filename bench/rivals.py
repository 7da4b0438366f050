#!/usr/bin/env python3
"""Gets the rivals from their package registries and builds one plugin each for the runner.

Nothing of theirs is kept in the repository: all goes to BUILD/rivals, and is fetched and built once.
A rival that cannot be had is named in BUILD/rivals/rivals.json with the reason, and the benchmark
goes on without it.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).resolve().parent

# What is asked of the registries. lexbor comes inside selectolax's source distribution.
SELECTOLAX = "1.0.2"
PYTHON = {"resiliparse": "resiliparse", "selectolax": f"selectolax=={SELECTOLAX}", "turbohtml": "turbohtml",
          "justhtml": "justhtml"}
NODE = {"parse5": "parse5@8", "htmlparser2": "htmlparser2@12"}
LEXBOR_PARTS = ("core", "dom", "html", "tag", "ns", "css", "selectors", "style", "encoding", "unicode", "punycode",
                "url", "ports/posix")

WARNINGS = "-std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror".split()
SHARED = ["-fPIC", "-fvisibility=hidden", "-shared", "-Wl,-Bsymbolic"]


class Missing(Exception):
    """A rival that cannot be had, with the reason."""


def run(command, **options):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                            **options)
    if result.returncode != 0:
        lines = [line for line in result.stdout.splitlines() if line.strip()]
        raise Missing(f"{command[0]} failed: {' / '.join(lines[-2:])[:300]}")
    return result.stdout


class Builder:
    def __init__(self, arguments):
        self.rivals = Path(arguments.build, "rivals").resolve()
        self.plugins = Path(arguments.build, "bench", "rivals").resolve()
        self.cc = arguments.cc
        self.flags = arguments.flags.split()
        self.rivals.mkdir(parents=True, exist_ok=True)
        self.plugins.mkdir(parents=True, exist_ok=True)
        self.report = {}

    def say(self, text):
        print(f"{'RIVAL':<6} {text}", flush=True)

    def fresh(self, name, key, *results):
        """True when RESULTS were made with the same KEY before."""
        stamp = self.rivals / f"{name}.stamp"
        return stamp.exists() and stamp.read_text() == key and all(Path(result).exists() for result in results)

    def done(self, name, key):
        (self.rivals / f"{name}.stamp").write_text(key)

    def adapter(self, name, extra):
        """Compiles adapters/NAME.c with the flags of the others into a plugin."""
        source, plugin = HERE / "adapters" / f"{name}.c", self.plugins / f"{name}.so"
        run([self.cc, *WARNINGS, *self.flags, *SHARED, f"-I{HERE}", "-o", str(plugin), str(source), *extra])
        return plugin

    def key(self, *sources):
        """What a plugin depends on, for its stamp."""
        version = run([self.cc, "--version"]).splitlines()[0]
        texts = [Path(source).read_text() for source in (HERE / "contestant.h", *sources)] if sources else []
        return "\n".join([version, " ".join(self.flags), *texts])

    # --- C ---------------------------------------------------------------------------------------

    def lexbor(self):
        root = self.rivals / "lexbor"
        source = root / "source"
        if not source.exists():
            download = root / "download"
            run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", "selectolax", "-d",
                 str(download), f"selectolax=={SELECTOLAX}"])
            archive = next(download.glob("selectolax-*.tar.gz"))
            with tarfile.open(archive) as package:
                prefix = f"selectolax-{SELECTOLAX}/lexbor/source/"
                for member in package.getmembers():
                    if member.isfile() and member.name.startswith(prefix):
                        member.name = member.name[len(prefix):]
                        package.extract(member, source)
        library = root / "liblexbor.a"
        self.lexbor_library(root, source, library)
        key = self.key(HERE / "adapters" / "lexbor.c")
        if not self.fresh("lexbor", key, self.plugins / "lexbor.so"):
            self.adapter("lexbor", ["-DLEXBOR_STATIC", "-isystem", str(source), str(library), "-lm"])
            self.done("lexbor", key)

    def lexbor_library(self, root, source, library):
        key = self.key()
        if self.fresh("liblexbor", key, library):
            return
        self.say("compiling lexbor with Lanner's flags (a minute)")
        objects = root / "objects"
        objects.mkdir(exist_ok=True)
        made = []
        for part in LEXBOR_PARTS:
            for file in sorted((source / "lexbor" / part).rglob("*.c")):
                target = objects / (str(file.relative_to(source)).replace("/", "_") + ".o")
                run([self.cc, "-std=c99", "-w", *self.flags, "-fPIC", "-fvisibility=hidden", "-DLEXBOR_STATIC",
                     f"-I{source}", "-c", "-o", str(target), str(file)])
                made.append(str(target))
        library.unlink(missing_ok=True)
        run(["ar", "rcs", str(library), *made])
        self.done("liblexbor", key)
        (self.rivals / "lexbor.stamp").unlink(missing_ok=True)

    def distribution(self, name, package, module):
        """A library of the distribution, with its own compiler flags."""
        key = self.key(HERE / "adapters" / f"{name}.c")
        if self.fresh(name, key, self.plugins / f"{name}.so"):
            return
        if subprocess.run(["pkg-config", "--exists", module], check=False).returncode != 0:
            if not shutil.which("apt-get") or os.geteuid() != 0:
                raise Missing(f"{package} is not installed")
            run(["apt-get", "install", "-y", "-qq", package])
        version = run(["pkg-config", "--modversion", module]).strip()
        where = run(["pkg-config", "--cflags", "--libs", module]).replace("-I", "-isystem ").split()
        self.adapter(name, [f'-D{name.upper()}_VERSION="{version}"', *where])
        self.done(name, key)

    # --- Rust ------------------------------------------------------------------------------------

    def crate(self, name):
        """The crate is built from a copy: cargo writes beside its sources."""
        plugin = self.plugins / f"{name}.so"
        sources = [HERE / "adapters" / "contestant.rs", HERE / "adapters" / name / "Cargo.toml",
                   HERE / "adapters" / name / "src" / "lib.rs"]
        native = "-march=native" in self.flags
        key = "\n".join([str(native), *(source.read_text() for source in sources)])
        if self.fresh(name, key, plugin):
            return
        if not shutil.which("cargo"):
            raise Missing("there is no cargo")
        self.say(f"compiling {name} (a few minutes)")
        root = self.rivals / name
        for source in sources:
            target = root / source.relative_to(HERE / "adapters")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
        environment = dict(os.environ, RUSTFLAGS="-C target-cpu=native" if native else "")
        run(["cargo", "build", "-q", "-j", "1", "--release", "--target-dir", str(root / "target")], cwd=root / name,
            env=environment)
        plugin.unlink(missing_ok=True)  # never write into a file that a running benchmark has mapped
        shutil.copyfile(root / "target" / "release" / f"libcontestant_{name}.so", plugin)
        self.done(name, key)

    # --- Python and Node -------------------------------------------------------------------------

    def python(self, name, requirement):
        root = self.rivals / "python"
        interpreter = root / "bin" / "python"
        if not interpreter.exists():
            run([sys.executable, "-m", "venv", str(root)])
        key = f"{sys.version}\n{requirement}"
        if not self.fresh(f"python-{name}", key):
            run([str(interpreter), "-m", "pip", "install", "-q", "--only-binary", ":all:", requirement])
            self.done(f"python-{name}", key)

    def node(self, name, requirement):
        root = self.rivals / "node"
        if not shutil.which("npm"):
            raise Missing("there is no npm")
        root.mkdir(exist_ok=True)
        if not (root / "package.json").exists():
            (root / "package.json").write_text('{"private": true, "type": "module"}\n')
        if not self.fresh(f"node-{name}", requirement, root / "node_modules" / name):
            run(["npm", "install", "--silent", "--no-audit", "--no-fund", requirement], cwd=root)
            self.done(f"node-{name}", requirement)

    # ---------------------------------------------------------------------------------------------

    def attempt(self, name, action, *arguments):
        try:
            action(*arguments)
            self.report[name] = None
        except (Missing, OSError, StopIteration, tarfile.TarError, subprocess.SubprocessError) as error:
            self.report[name] = str(error) or type(error).__name__
            (self.plugins / f"{name}.so").unlink(missing_ok=True)
            self.say(f"missing: {name}: {self.report[name]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--flags", default="-O3 -march=native")
    parser.add_argument("--only", help="names, separated by commas")
    arguments = parser.parse_args()
    builder = Builder(arguments)
    wanted = arguments.only.split(",") if arguments.only else None
    steps = [("lexbor", builder.lexbor), ("gumbo", builder.distribution, "gumbo", "libgumbo-dev", "gumbo"),
             ("libxml2", builder.distribution, "libxml2", "libxml2-dev", "libxml-2.0"),
             ("html5ever", builder.crate, "html5ever"), ("lol_html", builder.crate, "lol_html")]
    steps += [(name, builder.python, name, requirement) for name, requirement in PYTHON.items()]
    steps += [(name, builder.node, name, requirement) for name, requirement in NODE.items()]
    for name, action, *rest in steps:
        if wanted is None or name in wanted:
            builder.attempt(name, action, *rest)
    if wanted is None:
        (builder.rivals / "rivals.json").write_text(json.dumps(builder.report, indent=1) + "\n")


if __name__ == "__main__":
    main()
