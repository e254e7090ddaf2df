#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Writes plugin/engines/ist/plans_data.cpp: make_plans.py SEARCH_PLAN FOLDER

Runs search_plan (see CMakeLists.txt here) for every recipe below, one at a time; FOLDER keeps what
was found, so that a second run goes on where the first one ended. The SAT recipes take seconds to
minutes on an idle core, the greedy ones up to some minutes.
"""
import pathlib
import subprocess
import sys

RECIPES = """
4x4 2 2 sat 60 20
5x5 3 3 sat 60
6x6 3 4 sat 300 24
7x7 3 5 sat 900 24
8x8 4 6 sat 600
9x9 4 8 sat 1800
10x10 4 8 sat 1800
11x11 8 16 greedy 4
12x12 8 16 greedy 4
13x13 8 16 greedy 4
14x14 8 16 greedy 4
15x15 8 16 greedy 10
16x16 7 16 greedy 30
4x4x4 8 16 greedy 4
5x5x5 8 16 greedy 4
6x6x6 8 16 greedy 4
7x7x7 8 16 greedy 10
8x8x8 8 16 greedy 60
""".strip().splitlines()

HEAD = """// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Written by tools/ist/make_plans.py. The form of the text: ist/plans.hpp.
#include <array>

#include "plugin/engines/ist/plans.hpp"

namespace selvedge::ist {
namespace {

// clang-format off
const std::array kPlans = {
"""
TAIL = """};
// clang-format on

}  // namespace

std::span<const StoredPlan> stored_plans() { return kPlans; }

}  // namespace selvedge::ist
"""


def main(program, folder):
    target = pathlib.Path(__file__).parents[2] / "plugin/engines/ist/plans_data.cpp"
    entries = []
    for recipe in RECIPES:
        kept = pathlib.Path(folder) / f"{recipe.replace(' ', '_')}.txt"
        if not kept.exists():
            print(recipe, flush=True)
            found = subprocess.run([program, *recipe.split()], capture_output=True, text=True)
            if found.returncode != 0:
                sys.exit(f"{recipe}: {found.stderr.strip()}")
            kept.write_text(found.stdout, encoding="ascii")
        entries.append(kept.read_text(encoding="ascii").replace("    {", "    StoredPlan{", 1))
    target.write_text(HEAD + "".join(entries) + TAIL, encoding="ascii")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
