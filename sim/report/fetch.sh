#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# fetch.sh FOLDER: the report's libraries into FOLDER/node_modules, exactly as package-lock.json names
# them (npm checks their hashes); from npm's cache where it has them. Nothing is fetched that is there:
# several builds may share the folder.
set -eu
here=$(dirname "$0")
if [ -e "$1/fetched" ] && cmp -s "$here/package-lock.json" "$1/package-lock.json" &&
  cmp -s "$here/package.json" "$1/package.json"; then
  exit 0
fi
if ! command -v npm >/dev/null; then
  echo "error: npm is missing: the report's libraries cannot be fetched: ./run deps (Debian: npm)" >&2
  exit 3
fi
mkdir -p "$1"
rm -f "$1/fetched"
cp "$here/package.json" "$here/package-lock.json" "$1/"
cd "$1"
if ! npm ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error >npm.log 2>&1; then
  cat npm.log >&2
  echo "error: npm ci failed: the libraries of the simulator's report ($(pwd)): the first build needs" \
    "a way to an npm registry; later ones use npm's cache" >&2
  exit 3
fi
touch fetched
