#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The trees of every shape, for spftr or aspftr (plugin/engines/ENGINE/trees.txt).

  make_trees.py ENGINE FOLDER            searches the trees of all shapes and writes the file
  make_trees.py ENGINE --check SHAPE...  searches these again (0313: rows 0 and 3, columns 1 and 3):
                                         what is found, and what the file has, must be so many
                                         trees in which every switch has four disjoint paths

Runs search_trees for each shape, and keeps the results in FOLDER, a file for each shape. Several runs
may work at once, and a stopped run resumes (to try a shape again that was begun and has no file, remove
its .begun file). Most shapes take seconds, the largest some minutes. A shape is tried first with few
trees and the shortest paths, then with more trees, then with longer paths. The trees of the file were
found by an older version of search_trees: a new search gives other trees that are as good. search_trees
is built first (CMakeLists.txt here; it needs libcadical-dev), or given: --tool SEARCH_TREES.
"""
import argparse
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

# Numbers of zones on either side of a destination, for dimensions of 4 and more.
LINES = [(4, 4), (0, 4), (4, 0), (1, 4), (4, 1), (2, 4), (4, 2), (3, 4), (4, 3), (3, 3), (2, 3),
         (3, 2), (2, 2), (1, 3), (3, 1), (0, 3), (3, 0), (1, 2), (2, 1)]
# What is tried in turn: (number of trees, extra hops, seconds). With column 0, 15 trees fill LMC 4.
TRIES = [(10, 0, 8), (11, 0, 8), (12, 0, 15), (13, 0, 20), (14, 0, 60), (15, 0, 120), (12, 2, 60),
         (14, 2, 120), (15, 4, 120), (15, 8, 300), (15, 16, 300)]


def shapes_of(engine):
    for rows, columns in itertools.product(LINES, LINES):
        if engine == "spftr" and rows > columns:
            continue  # its table is the same with rows and columns exchanged
        if engine == "aspftr" and (sum(rows) == 3 or sum(columns) == 3):
            continue  # dimensions of 4: not every pair there has four paths that stretch
        yield (*rows, *columns)


def found(program, engine, shape):
    """The trees as search_trees prints them; None, and why, if there are none."""
    for trees, extra, seconds in TRIES:
        done = subprocess.run([program, engine, *map(str, (*shape, trees, extra, seconds))],
                              capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout.split()[-1], f"{trees} {extra}"
        if "no four" in done.stderr:
            return None, done.stderr.strip()
    return None, "not found"


def search(program, folder, engine):
    for shape in shapes_of(engine):
        kept = folder / f"{engine}_{''.join(map(str, shape))}.txt"
        try:
            os.close(os.open(str(kept) + ".begun", os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            continue
        trees, remark = found(program, engine, shape)
        if trees:
            kept.write_text(trees + "\n")
        print(kept.name, remark, flush=True)


HEAD = """# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# The trees of ENGINE that stretch with the torus (plugin/engines/spftr/zones.hpp says what zones and
# shapes are), under TABLE of Montañana 2008. The trees are Selvedge's own: in each set every switch
# has four disjoint paths that the table admits; found by SAT (CaDiCaL 1.5.3) with tools/spftr. Written
# by tools/spftr/make_trees.py, embedded in the program, read by plugin/engines/spftr/trees.cpp.
#
#   shape ROWS-LEFT ROWS-RIGHT COLUMNS-LEFT COLUMNS-RIGHT
#         begins the trees of a shape: the zones on either side of the destination
#   a line for each tree: the direction in which the switches of each zone send, row by row;
#         ^ and v: to the row before, after; < and >: to the column before, after; o: the destination.
#         TURNS
"""
TABLE = {"spftr": "Table 4.2", "aspftr": "Table 4.3"}
TURNS = {
    "spftr": "After the colon the odd switches of the wide zones in the destination's own lines:\n"
             "#         its row, left and right; its column, before and after; a dot where there is none.",
    "aspftr": "The odd switches of a wide zone are rows and columns by themselves, and come last.",
}


WIDE = 4  # switches of a wide zone in the sample torus below


def line_of(left, right):
    """(the zone of each coordinate, the destination's coordinate)."""
    side = [left, right]
    zones = [list(range(n)) if n < 4 else [0] + [1] * WIDE + [2, 3] for n in side]  # from it outwards
    before = [left - 1 - z for z in reversed(zones[0])]
    return before + [left] + [left + 1 + z for z in zones[1]], len(before)


def paths_of(engine, shape, tree):
    """For each switch of a sample torus: the switches that its path in this tree passes, the first of
    them, and whether it ends at the destination."""
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
        found[start] = (frozenset(passed[1:]), passed[1] if len(passed) > 1 else at,
                        at == (row, column))
    return found


def most_disjoint(paths):
    best = 0

    def go(i, passed, first, taken):
        nonlocal best
        best = max(best, taken)
        for j in range(i, len(paths)):
            switches, to = paths[j][:2]
            if to not in first and not switches & passed:
                go(j + 1, passed | switches, first | {to}, taken + 1)

    go(0, frozenset(), frozenset(), 0)
    return best


def most_useful_first(engine, shape, trees):
    """The trees in another order: with fewer LIDs than trees only the first trees are used, so these
    should give as many disjoint paths as possible."""
    paths = [paths_of(engine, shape, tree) for tree in trees]
    order = []
    while len(order) < len(trees):
        def gain(t):
            return sum(most_disjoint([paths[o][s] for o in order] + [paths[t][s]])
                       for s in paths[t])
        rest = [t for t in range(len(trees)) if t not in order]
        # With column 0, three trees fill LMC 2 and seven LMC 3; the order of the others does not
        # matter.
        order.append(max(rest, key=gain) if len(order) < 7 else rest[0])
    return [trees[t] for t in order]


def line_of_tree(engine, shape, tree):
    across, rows = shape[2] + 1 + shape[3], shape[0] + 1 + shape[1]
    if engine == "aspftr":
        across, rows = across + shape[2:].count(4), rows + shape[:2].count(4)
    arrows = ["^v<>"[int(d)] for d in tree]
    arrows[shape[0] * across + shape[2]] = "o"
    line = " ".join("".join(arrows[y * across:(y + 1) * across]) for y in range(rows))
    if engine == "aspftr":
        return line
    odd = zip(arrows[rows * across:], (*shape[2:], *shape[:2]))
    return f"{line} : {''.join(arrow if zones == 4 else '.' for arrow, zones in odd)}"


def record(engine, shape, trees):
    """The file's text for the trees of a shape. `trees`: as search_trees prints them."""
    trees = most_useful_first(engine, shape, trees.split("/"))
    lines = [line_of_tree(engine, shape, tree) for tree in trees]
    return "\n".join([f"shape {' '.join(map(str, shape))}", *lines]) + "\n"


def target(engine):
    return HERE.parents[1] / f"plugin/engines/{engine}/trees.txt"


def head(engine):
    return (HEAD.replace("ENGINE", engine).replace("TABLE", TABLE[engine])
            .replace("TURNS", TURNS[engine]))


def write(folder, engine):
    text = head(engine)
    for kept in sorted(folder.glob(f"{engine}_*.txt")):
        shape = tuple(map(int, kept.stem.split("_")[1]))
        text += record(engine, shape, kept.read_text().strip())
    target(engine).write_text(text, encoding="utf-8")


def digits_of(engine, shape, line):
    """The direction in each cell, from a tree's line: the inverse of line_of_tree()."""
    cells = line.replace(" ", "").replace(":", "")
    return "".join(str(max(0, "^v<>".find(cell))) for cell in cells)


def faults_of(engine, shape, trees, wanted):
    """What is wrong with these trees on a sample torus of their shape; "" if nothing is."""
    if len(trees) != wanted:
        return f"{len(trees)} trees, {wanted} expected"
    paths = [paths_of(engine, shape, tree) for tree in trees]
    for switch in paths[0]:
        if switch == (line_of(*shape[:2])[1], line_of(*shape[2:])[1]):
            continue
        if not all(reaches for *_, reaches in (tree[switch] for tree in paths)):
            return f"switch {switch} does not reach the destination in every tree"
        if most_disjoint([tree[switch][:2] for tree in paths]) < 4:
            return f"switch {switch} has fewer than four disjoint paths"
    if most_useful_first(engine, shape, trees) != trees:
        return "the trees that are of most use are not the first"
    return ""


def check(tool, engine, shapes):
    text = target(engine).read_text(encoding="utf-8")
    faults = 0 if text.startswith(head(engine)) else 1
    if faults:
        print(f"{engine}/trees.txt: another head than make_trees.py has")
    for name in shapes:
        shape = tuple(map(int, name))
        stored = text.split(f"shape {' '.join(name)}\n")[1].split("\nshape")[0].splitlines()
        trees, remark = found(tool, engine, shape)
        again = record(engine, shape, trees).splitlines()[1:] if trees else []
        for kind, lines in (("stored", stored), ("found", again)):
            fault = faults_of(engine, shape, [digits_of(engine, shape, line) for line in lines],
                              len(stored)) or "every switch has four disjoint paths"
            faults += not fault.startswith("every")
            print(f"{engine} {name}, {len(lines)} trees {kind} ({remark}): {fault}", flush=True)
    return 1 if faults else 0


def build(folder):
    subprocess.run(["cmake", "-S", HERE, "-B", folder], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder, "--target", "search_trees"], check=True,
                   stdout=subprocess.DEVNULL)
    return folder / "search_trees"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", choices=["spftr", "aspftr"])
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--check", nargs="+", metavar="SHAPE")
    parser.add_argument("--tool", type=pathlib.Path, metavar="SEARCH_TREES")
    given = parser.parse_args()
    if (given.folder is None) == (given.check is None):
        parser.error("either a folder or --check")
    with tempfile.TemporaryDirectory() as scratch:
        if given.folder:
            given.folder.mkdir(parents=True, exist_ok=True)
        tool = given.tool or build((given.folder or pathlib.Path(scratch)) / "build")
        if given.check:
            return check(tool.resolve(), given.engine, given.check)
        search(tool.resolve(), given.folder, given.engine)
        write(given.folder, given.engine)
    return 0


if __name__ == "__main__":
    sys.exit(main())
