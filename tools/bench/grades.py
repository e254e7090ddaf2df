#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""VLs and SLs that the grades of responses on the request's SL take, on square tori with one host a switch:
the table of docs/engines.md. Every entry is proved by `selvedge-route verify`."""
import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SELVEDGE_BUILD_DIR", ROOT / "build"))
GRADES = ("own-sl", "base", "same-sl")
SIZES = (4, 6, 8, 10, 12, 16, 20)
ROWS = (("updn", 0, "same-sl"),
        *((engine, lmc, grade) for engine, lmc in (("tftr", 4), ("spftr", 4), ("aspftr", 4), ("ist", 3))
          for grade in GRADES))


def cell(engine, lmc, grade, size):
    """'VLs, SLs'; behind them in brackets the disjoint paths of the pair with fewest, if it has less than four in spite
    of its LIDs; 'refused'; 'FAILS' if the tables are not what they should be."""
    command = [str(BUILD / "bin" / "selvedge-route"), "verify", "--fabric", f"torus:{size}x{size}", "--engine", engine,
               "--lmc", str(lmc), "--replies", grade, "--disjoint", "4", "--json"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode == 2:
        return "refused"
    v = json.loads(run.stdout)
    sound = v["connected"] and v["loop_free"] and v["deadlock_free"] and v["replies"] is not None
    if not sound or GRADES.index(v["replies"]) < GRADES.index(grade):
        return "FAILS"
    fewer = f" ({v['disjoint_min']})" if lmc and v["disjoint_min"] < 4 else ""
    return f"{v['vls_used']}, {v['sls_used']}{fewer}"


def rows(sizes):
    """The lines of the table, one after another as they are found."""
    yield "| engine, LMC | grade | " + " | ".join(f"{k}×{k}" for k in sizes) + " |"
    yield "|---|---|" + "---|" * len(sizes)
    before = None
    for engine, lmc, grade in ROWS:
        name = "" if engine == before else f"{engine}, {lmc}"
        before = engine
        cells = [cell(engine, lmc, grade, k) for k in sizes]
        yield f"| {name} | `{grade}` | " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES, help="of the tori: 8 is 8×8 (default: all)")
    options = parser.parse_args()
    for line in rows(options.sizes):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
