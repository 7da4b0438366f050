"""The extension module of an sdist, which holds the amalgamated library: `make python-wheel` lays it out."""
from glob import glob

from setuptools import Extension, setup

setup(ext_modules=[
    Extension("lanner._lanner", sorted(glob("src/*.c")), include_dirs=["src"], depends=sorted(glob("src/*.h")),
              define_macros=[("LANNER_AMALGAMATED", "1"), ("NDEBUG", "1")],
              extra_compile_args=["-std=c11", "-O3", "-g0", "-fvisibility=hidden"])
])
