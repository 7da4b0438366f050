#!/bin/sh
# fetch_suites.sh DIRECTORY - lays the html5lib suites (tokenizer, tree construction, encoding) into
# DIRECTORY/conformance/html5lib-tests, from the source distribution of a Python package that carries
# them. What cannot be had is named, and how to get it.
set -u
package=html5rdf version=1.2.1
sum=ace9b420ce52995bb4f05e7425eedf19e433c981dfe7a831ab391e2fa2e1a195
directory=$1 target=$1/conformance/html5lib-tests
[ -d "$target" ] && exit 0
mkdir -p "$directory" || exit 1
work=$(mktemp -d "$directory/fetch.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
fetch() {
  python3 -m pip --version >/dev/null 2>&1 || .ci/install pip3=python3-pip || return 1
  # pip runs the package's setup to read its metadata, after it compared the sum; that setup needs
  # a setuptools which still has pkg_resources.
  echo "$package==$version --hash=sha256:$sum" >"$work/requirements"
  echo 'setuptools<80' >"$work/constraint"
  PIP_CONSTRAINT=$work/constraint PIP_BUILD_CONSTRAINT=$work/constraint \
    python3 -m pip --disable-pip-version-check download --quiet --retries 1 --no-deps --no-binary "$package" \
    --require-hashes --dest "$work" -r "$work/requirements" >"$work/log" 2>&1 || return 1
  archive=$work/$package-$version.tar.gz
  [ "$(sha256sum "$archive" | cut -d ' ' -f 1)" = "$sum" ] || return 1
  tar -xzf "$archive" -C "$work" || return 1
  mkdir -p "${target%/*}" && mv "$work/$package-$version/$package/tests/testdata" "$target"
}
if fetch; then
  echo "suites: html5lib's, as the package $package $version carries them, in $target (older than the Standard;" \
    'what differs: tests/exceptions_package.txt)'
else
  [ ! -s "$work/log" ] || tail -n 3 "$work/log" >&2
  echo "suites: html5lib's (tokenizer, tree construction, encoding) could not be fetched with pip ($package $version)." \
    'Their tests are skipped by name, the cases of tests/regress run. By hand: set LANNER_SHARED to a folder' \
    'with conformance/html5lib-tests in it, or run `make suites` where pip reaches its index.' >&2
  exit 1
fi
