#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Searches for the trees of every shape: make_trees.py SEARCH_TREES FOLDER [spftr|aspftr]

Runs search_trees (see CMakeLists.txt here) for each shape, and keeps what was found in FOLDER, a
file a shape, so that a second run goes on where the first one ended; several may run at once.
Without an engine's name, writes plugin/engines/spftr_trees_data.cpp from what is there.
Most shapes take seconds, the largest some minutes. A shape is tried with few trees and the shortest
paths first; then with more trees, then with longer paths.
"""
import itertools
import os
import pathlib
import subprocess
import sys

# Zones on either side of a destination, for dimensions of 4 and more.
LINES = [(4, 4), (0, 4), (4, 0), (1, 4), (4, 1), (2, 4), (4, 2), (3, 4), (4, 3), (3, 3), (2, 3),
         (3, 2), (2, 2), (1, 3), (3, 1), (0, 3), (3, 0), (1, 2), (2, 1)]
# Trees (column 0 and 15 of these make LMC 4), extra hops, seconds.
TRIES = [(10, 0, 8), (11, 0, 8), (12, 0, 15), (13, 0, 20), (14, 0, 60), (15, 0, 120), (12, 2, 60),
         (14, 2, 120), (15, 4, 120), (15, 8, 300), (15, 16, 300)]


def search(program, folder, engine):
    for rows, columns in itertools.product(LINES, LINES):
        if engine == "spftr" and rows > columns:
            continue  # its table is the same with rows and columns exchanged
        kept = folder / f"{engine}_{rows[0]}{rows[1]}{columns[0]}{columns[1]}.txt"
        try:
            os.close(os.open(str(kept) + ".begun", os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            continue
        for trees, extra, seconds in TRIES:
            shape = [str(n) for n in (*rows, *columns)]
            done = subprocess.run([program, engine, *shape, str(trees), str(extra), str(seconds)],
                                  capture_output=True, text=True)
            if done.returncode == 0:
                kept.write_text(f"{done.stdout.strip()} {trees} {extra}\n")
                print(kept.name, trees, extra, flush=True)
                break
            if "no four" in done.stderr:
                print(kept.name, done.stderr.strip(), flush=True)
                break
        else:
            print(kept.name, "not found", flush=True)


HEAD = """// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Written by tools/spftr/make_trees.py. The form of the text: spftr_trees.hpp.
#include <array>

#include "plugin/engines/spftr_trees.hpp"

namespace selvedge::spftr {
namespace {

// clang-format off
"""
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def text_of(tree):
    tree += "0" * (-len(tree) % 3)
    return "".join(DIGITS[int(tree[i:i + 3], 4)] for i in range(0, len(tree), 3))


def write(folder):
    target = pathlib.Path(__file__).parents[2] / "plugin/engines/spftr_trees_data.cpp"
    text = HEAD
    for engine, name in (("spftr", "kSpftr"), ("aspftr", "kAspftr")):
        text += f"constexpr std::array {name} = {{\n"
        for kept in sorted(folder.glob(f"{engine}_*.txt")):
            *shape, trees, _, _ = kept.read_text().split()
            text += f"    StoredTrees{{{', '.join(shape)},\n"
            digits = "".join(text_of(tree) for tree in trees.split("/"))
            lines = [f'     "{digits[i:i + 90]}"' for i in range(0, len(digits), 90)]
            text += "\n".join(lines) + "},\n"
        text += "};\n"
    text += "// clang-format on\n\n}  // namespace\n\n"
    for engine, name in (("spftr", "kSpftr"), ("aspftr", "kAspftr")):
        text += f"std::span<const StoredTrees> {engine}_trees() {{ return {name}; }}\n"
    target.write_text(text + "\n}  // namespace selvedge::spftr\n")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        write(pathlib.Path(sys.argv[2]))
    else:
        search(sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3])
