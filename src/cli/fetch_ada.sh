#!/bin/sh
# fetch_ada.sh DIRECTORY - lays ada's single-file C++ source into DIRECTORY, from the source
# distribution of the Python package ada-url, and writes ada_here.h, which says whether it is there.
# A copy of ada.h and ada.cpp that somebody put there is used as it is.
set -u
version=4.0.0
sum=9f399ec867349800a4c2d3aa8df8c533c340494b04d34b1f082b97d9a8b76a07
directory=$1
mkdir -p "$directory"
fetch() {
  work=$(mktemp -d "$directory/fetch.XXXXXX") || return 1
  trap 'rm -rf "$work"' EXIT
  python3 -m pip --disable-pip-version-check download --quiet --no-deps --no-binary :all: \
    --dest "$work" "ada-url==$version" >"$work/log" 2>&1 || return 1
  archive=$work/ada_url-$version.tar.gz
  [ "$(sha256sum "$archive" | cut -d ' ' -f 1)" = "$sum" ] || return 1
  tar -xzf "$archive" -C "$work" || return 1
  mv "$work/ada_url-$version/ada_url/ada.h" "$work/ada_url-$version/ada_url/ada.cpp" "$directory/"
}
if [ -f "$directory/ada.cpp" ] && [ -f "$directory/ada.h" ]; then
  here=1
elif ! command -v "${CXX:-c++}" >/dev/null; then
  here=0
elif fetch; then
  here=1
else
  here=0
fi
if [ $here = 1 ]; then
  echo '#define LANNER_HAVE_ADA 1' >"$directory/ada_here.h"
  echo '-lstdc++' >"$directory/libraries"
else
  echo 'ada (URL resolution) could not be fetched: building without it' >&2
  echo '/* not there when this was built */' >"$directory/ada_here.h"
  : >"$directory/libraries"
fi
