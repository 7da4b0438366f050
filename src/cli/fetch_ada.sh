#!/bin/sh
# fetch_ada.sh DIRECTORY - lays ada's single-file C++ source into DIRECTORY, from the source
# distribution of the Python package ada-url, and writes ada_here.h, which says whether it is there.
# A copy of ada.h and ada.cpp that somebody put there is used as it is.
set -u
version=4.0.0
sum=9f399ec867349800a4c2d3aa8df8c533c340494b04d34b1f082b97d9a8b76a07
directory=$1
mkdir -p "$directory"
why=
fetch() {
  work=$(mktemp -d "$directory/fetch.XXXXXX") || return 1
  trap 'rm -rf "$work"' EXIT
  if ! python3 -m pip --version >/dev/null 2>&1; then
    why='there is no python3 -m pip to fetch it'
    return 1
  fi
  if ! python3 -m pip --disable-pip-version-check download --quiet --no-deps --no-binary :all: \
    --dest "$work" "ada-url==$version" >"$work/log" 2>&1; then
    why="pip could not fetch ada-url $version: $(tail -n 1 "$work/log")"
    return 1
  fi
  archive=$work/ada_url-$version.tar.gz
  if [ "$(sha256sum "$archive" | cut -d ' ' -f 1)" != "$sum" ]; then
    why="what pip fetched is not ada-url $version as it is known here"
    return 1
  fi
  tar -xzf "$archive" -C "$work" &&
    mv "$work/ada_url-$version/ada_url/ada.h" "$work/ada_url-$version/ada_url/ada.cpp" "$directory/" ||
    why="cannot unpack ada-url $version"
  [ -z "$why" ]
}
here=1
if ! command -v "${CXX:-c++}" >/dev/null; then
  why="there is no C++ compiler (${CXX:-c++})"
  here=0
elif [ ! -f "$directory/ada.cpp" ] || [ ! -f "$directory/ada.h" ]; then
  fetch || here=0
fi
if [ $here = 1 ]; then
  echo '#define LANNER_HAVE_ADA 1' >"$directory/ada_here.h"
  echo '-lstdc++' >"$directory/libraries"
else
  echo "Missing: ada, which resolves URLs ($why); the command is built without it, its links have no" \
    "'url'. To add it: ada.h and ada.cpp into $directory (or nothing, to fetch again)," \
    "rm $directory/ada_here.h, make." >&2
  echo '/* not there when this was built */' >"$directory/ada_here.h"
  : >"$directory/libraries"
fi
