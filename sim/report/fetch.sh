#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# fetch.sh FOLDER: the report's libraries into FOLDER/node_modules, exactly as package-lock.json names
# them (npm checks their hashes); from npm's cache where it has them.
set -eu
here=$(dirname "$0")
if ! command -v npm >/dev/null; then
  echo "error: npm is missing: the report's libraries cannot be fetched: ./run deps (Debian: npm)" >&2
  exit 3
fi
mkdir -p "$1"
cp "$here/package.json" "$here/package-lock.json" "$1/"
cd "$1"
if ! npm ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error >npm.log 2>&1; then
  cat npm.log >&2
  echo "error: npm ci failed: the libraries of the simulator's report ($(pwd)): the first build needs" \
    "a way to an npm registry; later ones use npm's cache" >&2
  exit 3
fi
