#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The plans of ist (plugin/engines/ist/plans.txt).

  make_plans.py FOLDER            searches every plan below and writes the file; FOLDER keeps what
                                  was found, so that a second run goes on where the first one ended
  make_plans.py --check SIZES...  searches these again and compares them with the file

The SAT recipes take seconds to minutes on an idle core, the greedy ones up to some minutes. What
searches is built first (CMakeLists.txt here; it needs libcadical-dev), or given: --tool SEARCH_PLAN.
"""
import argparse
import difflib
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TARGET = HERE.parents[1] / "plugin/engines/ist/plans.txt"
# The arguments of search_plan. Of a size, plans of fewer VLs come first. Those of at most 7 VLs and 15 SLs leave a VL
# and an SL to base LIDs.
RECIPES = """
4x4 2 2 sat 60 20
5x5 3 3 sat 60
6x6 3 4 sat 300 24
7x7 3 5 sat 900 24
8x8 4 6 sat 600
9x9 4 8 sat 1800
10x10 4 8 sat 1800
11x11 7 15 greedy 4
12x12 8 16 greedy 4
12x12 7 15 greedy 4
13x13 7 15 greedy 8
14x14 8 16 greedy 4
14x14 7 15 greedy 30
15x15 8 16 greedy 10
15x15 7 15 greedy 60
16x16 7 15 greedy 200
4x4x4 8 16 greedy 4
5x5x5 8 16 greedy 4
6x6x6 8 16 greedy 4
6x6x6 7 15 greedy 20
7x7x7 7 15 greedy 40
8x8x8 8 16 greedy 60
""".strip().splitlines()

HEAD = """# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# The plans of ist: on which VL a packet goes on at each turn, by its SL (plugin/engines/ist/layers.hpp
# says what a plan is). They are Selvedge's own: found by SAT (CaDiCaL 1.5.3) or by the engine's own
# greedy search. Written by tools/ist/make_plans.py, embedded in the program, read by
# plugin/engines/ist/plans.cpp.
#
#   plan SIZES VLS SLS : HOW    begins the plan of a torus; HOW: the arguments of tools/ist/search_plan
#   rank VL OUT RANK...         the rank on VL of the channels that leave by port OUT, place by place:
#                               a turn may be taken on a VL where the rank grows. Without these lines
#                               the turns are those by rows, on every VL
#   SL IN OUT RUNS              the VLs, in SL, of a turn from port IN to port OUT, place by place:
#                               runs of a count (none: 1) and a letter, a for VL 0. Where no path of
#                               the SL takes the turn, the VL is that of the place before
#
# Ports: 0- towards − of dimension 0, 0+ towards +, and so on. Places: coordinate 0 slowest.
"""


def build(folder):
    subprocess.run(["cmake", "-S", HERE, "-B", folder], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder, "-j2"], check=True, stdout=subprocess.DEVNULL)
    return folder / "search_plan"


def search(tool, recipe):
    found = subprocess.run([tool, *recipe.split()], capture_output=True, text=True)
    if found.returncode != 0:
        sys.exit(f"{recipe}: {found.stderr.strip()}")
    return found.stdout


def write(tool, folder):
    plans = []
    for recipe in RECIPES:
        kept = folder / f"{recipe.replace(' ', '_')}.txt"
        if not kept.exists():
            print(recipe, flush=True)
            kept.write_text(search(tool, recipe), encoding="ascii")
        plans.append(kept.read_text(encoding="ascii"))
    TARGET.write_text(HEAD + "".join(plans), encoding="utf-8")


def check(tool, sizes):
    text = TARGET.read_text(encoding="utf-8")
    faults = 0 if text.startswith(HEAD) else 1
    if faults:
        print(f"{TARGET.name}: another head than make_plans.py has")
    stored = {plan.split("\n", 1)[0].split(" : ")[1]: "plan " + plan for plan in text.split("\nplan ")[1:]}
    for recipe in RECIPES:
        if recipe.split()[0] not in sizes:
            continue
        # In all but the last plan the split has taken the line's end.
        old = stored[recipe].rstrip("\n").splitlines()
        new = search(tool, recipe).splitlines()
        faults += old != new
        print(recipe, "as stored" if old == new else "differs:", flush=True)
        print("\n".join(list(difflib.unified_diff(old, new, "stored", "found", lineterm="", n=0))[:20]))
    return 1 if faults else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--check", nargs="+", metavar="SIZES", choices=sorted({r.split()[0] for r in RECIPES}))
    parser.add_argument("--tool", type=pathlib.Path, metavar="SEARCH_PLAN")
    given = parser.parse_args()
    if (given.folder is None) == (given.check is None):
        parser.error("either a folder or --check")
    with tempfile.TemporaryDirectory() as scratch:
        if given.folder:
            given.folder.mkdir(parents=True, exist_ok=True)
        tool = given.tool or build((given.folder or pathlib.Path(scratch)) / "build")
        if given.check:
            return check(tool.resolve(), given.check)
        write(tool.resolve(), given.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
