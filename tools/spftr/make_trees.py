#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Searches for the trees of every shape: make_trees.py SEARCH_TREES FOLDER spftr|aspftr
and writes what was found: make_trees.py FOLDER spftr|aspftr

Runs search_trees (see CMakeLists.txt here) for each shape, and keeps what was found in FOLDER, a
file a shape; several may run at once, and a second run goes on where the first one ended (a shape
that was begun and has no file: remove its .begun to have it tried again). What is there is then
written to plugin/engines/spftr/trees_data.cpp (aspftr/trees_data.cpp).
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
        if engine == "aspftr" and (sum(rows) == 3 or sum(columns) == 3):
            continue  # dimensions of 4: not every pair there has four paths that stretch
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
// Written by tools/spftr/make_trees.py for ENGINE. The form of the text: spftr/trees.hpp.
#include <array>

#include "plugin/engines/spftr/trees.hpp"

namespace selvedge::spftr {
namespace {

// clang-format off
"""
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


WIDE = 4  # of the sample torus below


def line_of(left, right):
    """Zones by coordinate, and the destination's coordinate."""
    side = [left, right]
    zones = [list(range(n)) if n < 4 else [0] + [1] * WIDE + [2, 3] for n in side]  # from it outwards
    before = [left - 1 - z for z in reversed(zones[0])]
    return before + [left] + [left + 1 + z for z in zones[1]], len(before)


def paths_of(engine, shape, tree):
    """For each switch of a sample torus the switches that its path in this tree passes."""
    rows, row = line_of(*shape[:2])
    columns, column = line_of(*shape[2:])
    across = max(columns) + 1
    plain = (max(rows) + 1) * across

    def odd(at, own, last):  # in a wide zone, after its first, third ... switch
        return last == 4 and 1 < abs(at - own) <= 1 + WIDE and abs(at - own) % 2 == 1

    def part(at, own, numbers, sides):  # where switches take turns everywhere
        right = at > own
        if not odd(at, own, sides[right]):
            return numbers[at]
        return max(numbers) + 1 + (1 if right and sides[0] == 4 else 0)

    def direction(y, x):
        if engine == "aspftr":
            parts = across + shape[2:].count(4)
            return int(tree[part(y, row, rows, shape[:2]) * parts + part(x, column, columns, shape[2:])])
        if y == row and odd(x, column, shape[2 + (x > column)]):
            return int(tree[plain + (x > column)])
        if x == column and odd(y, row, shape[y > row]):
            return int(tree[plain + 2 + (y > row)])
        return int(tree[rows[y] * across + columns[x]])

    found = {}
    for start in itertools.product(range(len(rows)), range(len(columns))):
        at, passed = start, []
        while at != (row, column) and len(passed) < len(rows) * len(columns):
            passed.append(at)
            step = ((-1, 0), (1, 0), (0, -1), (0, 1))[direction(*at)]
            at = ((at[0] + step[0]) % len(rows), (at[1] + step[1]) % len(columns))
        found[start] = (frozenset(passed[1:]), passed[1] if len(passed) > 1 else at)
    return found


def most_disjoint(paths):
    best = 0

    def go(i, passed, first, taken):
        nonlocal best
        best = max(best, taken)
        for j in range(i, len(paths)):
            switches, to = paths[j]
            if to not in first and not switches & passed:
                go(j + 1, passed | switches, first | {to}, taken + 1)

    go(0, frozenset(), frozenset(), 0)
    return best


def most_useful_first(engine, shape, trees):
    """With fewer LIDs than trees the first ones are taken: they should serve by themselves."""
    paths = [paths_of(engine, shape, tree) for tree in trees]
    order = []
    while len(order) < len(trees):
        def gain(t):
            return sum(most_disjoint([paths[o][s] for o in order] + [paths[t][s]])
                       for s in paths[t])
        rest = [t for t in range(len(trees)) if t not in order]
        # With column 0, three trees fill LMC 2 and seven LMC 3; the order of the others is of no use.
        order.append(max(rest, key=gain) if len(order) < 7 else rest[0])
    return [trees[t] for t in order]


def text_of(tree):
    tree += "0" * (-len(tree) % 3)
    return "".join(DIGITS[int(tree[i:i + 3], 4)] for i in range(0, len(tree), 3))


def write(folder, engine):
    target = pathlib.Path(__file__).parents[2] / f"plugin/engines/{engine}_trees_data.cpp"
    text = HEAD.replace("ENGINE", engine)
    text += f"constexpr std::array k{engine.capitalize()}Trees = {{\n"
    for kept in sorted(folder.glob(f"{engine}_*.txt")):
        *shape, trees, _, _ = kept.read_text().split()
        text += f"    StoredTrees{{{', '.join(shape)},\n"
        trees = most_useful_first(engine, [int(n) for n in shape], trees.split("/"))
        digits = "".join(text_of(tree) for tree in trees)
        lines = [f'     "{digits[i:i + 90]}"' for i in range(0, len(digits), 90)]
        text += "\n".join(lines) + "},\n"
    text += "};\n"
    text += "// clang-format on\n\n}  // namespace\n\n"
    facts = {"spftr": "TakingTurns::kInOwnLines, true", "aspftr": "TakingTurns::kEverywhere, false"}
    text += f"TreeStore {engine}_trees() {{ return {{k{engine.capitalize()}Trees, {facts[engine]}}}; }}\n"
    target.write_text(text + "\n}  // namespace selvedge::spftr\n")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        write(pathlib.Path(sys.argv[1]), sys.argv[2])
    else:
        search(sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3])
