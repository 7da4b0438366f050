#!/bin/sh
# foreign_libraries.sh ARCHITECTURE DIRECTORY - lays the headers and static libraries that the tests
# need (jansson, zlib), as Debian builds them for ARCHITECTURE, into DIRECTORY/usr. The machine's own
# packages stay as they are.
set -eu
[ -d "$2/usr" ] && exit 0
mkdir -p "$2/apt/lists/partial" "$2/apt/archives/partial"
cd "$2/apt"
apt() {
  apt-get -qq -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" -o Debug::NoLocking=1 \
    -o Dir::State::lists="$PWD/lists" -o Dir::State::status=/dev/null -o Dir::Cache="$PWD" \
    -o APT::Sandbox::User=root "$@"
}
architecture=$1
if ! { apt update && apt download libjansson-dev zlib1g-dev; } >log 2>&1; then
  tail -n 5 log >&2
  echo "jansson and zlib for $1 could not be fetched with apt-get" >&2
  exit 1
fi
for package in ./*.deb; do dpkg-deb -x "$package" unpacked; done
mv unpacked/usr ../usr
