#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""`./run bench`: the project's figures as ratios to a peer or to a limit, measured in one run.

Runs of ours and of the peer alternate, and medians are compared, so that a noisy machine disturbs
both alike. Exit status 1 if a figure misses what was asked of it.
"""
import argparse
import functools
import json
import pathlib
import re
import statistics
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tools.bench.balanced_rows import balanced_rows  # noqa: E402
from tools.bench.bring_up_rows import bring_up_rows  # noqa: E402
from tools.bench.daemon_rows import daemon_rows  # noqa: E402
from tools.bench.emulate_rows import emulate_rows  # noqa: E402
from tools.bench.engine_rows import engine_rows  # noqa: E402
from tools.bench.fast_path_rows import fast_path_rows  # noqa: E402
from tools.bench.in_place_rows import in_place_rows  # noqa: E402
from tools.bench.quality import quality_rows  # noqa: E402
from tools.bench.rows import benchmark_ms, note, print_table, row  # noqa: E402
from tools.bench.side_by_side import print_side_by_side, side_by_side_rows  # noqa: E402
from tools.bench.sim_rows import sim_rows  # noqa: E402
from tools.lab.errors import LabError, MissingError  # noqa: E402
from tools.lab.lab import PLUGIN_STATUS, Lab, torus_net  # noqa: E402

SIDE = 32
IBSIM_LIMITS = ("-S", "1100", "-N", "4000", "-P", "20000")
VERBOSE = "0x07"  # OpenSM's log flags: errors, info, verbose
STAMP = re.compile(r"^(\w+ +\d+ \d\d):(\d\d):(\d\d) (\d{6}) .*?-> (.*)$")


def log_seconds(path, pattern):
    """The time of day in seconds of the first log line that matches."""
    for line in pathlib.Path(path).read_text(errors="replace").splitlines():
        match = STAMP.match(line)
        if match and re.search(pattern, match[5]):
            hour = int(match[1].split()[-1])
            return hour * 3600 + int(match[2]) * 60 + int(match[3]) + int(match[4]) / 1e6
    raise LabError(f"no line like {pattern!r}", str(path), "is log_flags 0x07 in force?")


def bring_up(build, engine, topology=None):
    """Starts opensm on the torus and ends it after the bring-up. Returns the time of routing in ms,
    and for our engine the times of the plugin's steps. `topology`: a file in which ibnetdiscover's
    output is kept."""
    with Lab(torus_net(SIDE, SIDE), build_dir=build, ibsim_options=IBSIM_LIMITS) as lab:
        ours = engine.startswith("selvedge-")
        sm = lab.opensm(options={"routing_engine": f"{engine},no_fallback", "log_flags": VERBOSE},
                        plugin_toml=PLUGIN_STATUS if ours else None)
        sm.wait_up(timeout_s=120)
        path = sm.folder / "opensm.log"
        begin = log_seconds(path, f"building routing with '{engine}'")
        end = log_seconds(path, f"{engine} tables configured on all switches")
        result = {"routing_ms": (end - begin) % 86400 * 1000}
        if ours:
            status = sm.ask("status")
            result["steps_ms"] = status["last_sweep"]["steps_ms"]
            if status["last_sweep"]["outcome"] != "routed":
                raise LabError("the plugin did not route", engine, json.dumps(status))
        if topology:
            pathlib.Path(topology).write_text(lab.tool("ibnetdiscover", timeout_s=120))
        return result


def opensm_rows(build, runs):
    """Compute and proof of our updn against OpenSM's minhop; reading the fabric back from a file."""
    topology = pathlib.Path(build) / "bench-topology.txt"
    minhop, ours = [], []
    for run in range(runs):
        note(f"{SIDE}x{SIDE} torus, run {run + 1} of {runs}: minhop, then selvedge-updn")
        minhop.append(bring_up(build, "minhop", topology if run == 0 else None)["routing_ms"])
        ours.append(bring_up(build, "selvedge-updn"))
    peer = statistics.median(minhop)
    prepared = statistics.median(o["steps_ms"]["compute"] + o["steps_ms"]["prove"] for o in ours)
    routing = statistics.median(o["routing_ms"] for o in ours)
    reading = read_file_ms(build, topology, runs)
    where = f"{SIDE}x{SIDE} torus, LMC 0"
    return [
        row(f"updn compute + proof, {where}", prepared, "ms", peer, "minhop routing", 1.0),
        row(f"updn, whole routing step in opensm, {where}", routing, "ms", peer,
            "minhop routing", None),
        row(f"reading ibnetdiscover's output, {SIDE * SIDE} switches", reading, "ms", peer,
            "minhop routing", 0.05),
    ]


def read_file_ms(build, topology, runs):
    """The time of reading the file that ibnetdiscover wrote, measured by the benchmark program."""
    found = benchmark_ms(build, "bench_files", "read_fabric", runs,
                         {"SELVEDGE_BENCH_FABRIC": str(topology)}, timer="real_time")
    return next(iter(found.values()))


PARTS = {"side-by-side": side_by_side_rows, "opensm": opensm_rows, "engines": engine_rows, "repair": in_place_rows,
         "fast-path": fast_path_rows, "quality": quality_rows,
         "daemon": daemon_rows, "simulator": sim_rows, "emulate": emulate_rows}
# What another part includes.
ALONE = {"bring-up": bring_up_rows, "balanced": balanced_rows}


def main():
    parser = argparse.ArgumentParser(prog="./run bench", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build-dir", default="build", help="build folder (default build)")
    parser.add_argument("--runs", type=int, default=5, help="runs of each side (default 5)")
    parser.add_argument("--only", choices=PARTS | ALONE, help="this part of the figures alone")
    parser.add_argument("--booksim", metavar="PATH", help="BookSim2's binary, to run beside us")
    parser.add_argument("--before", metavar="BUILD_DIR", type=pathlib.Path,
                        help="with --only daemon: an earlier build to compare with, in turn")
    parser.add_argument("--full", action="store_true",
                        help="every fabric of `quality` damaged and shuffled in every way, ten seeds; else a sample")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    options = parser.parse_args()
    if options.runs < 1:
        parser.error("--runs must be 1 or more")
    if options.before:
        if options.only != "daemon":
            parser.error("--before compares daemons: add --only daemon")
        options.before = options.before.resolve()
        if missing := [name for name in ("selvedged", "selvedge-perf") if not (options.before / "bin" / name).exists()]:
            parser.error(f"--before {options.before}: bin/{missing[0]} is missing there: name the folder of a build")
        if options.before == pathlib.Path(options.build_dir).resolve():
            parser.error(f"--before {options.before}: it is this build: name another one's folder")
    started = time.monotonic()
    balanced = functools.partial(balanced_rows, full=options.full)
    parts = PARTS | {"simulator": functools.partial(sim_rows, booksim=options.booksim),
                     "daemon": functools.partial(daemon_rows, before=options.before),
                     "quality": lambda build, runs: quality_rows(build, runs) + balanced(build, runs)}
    alone = ALONE | {"balanced": balanced}
    try:
        rows = []
        for part, make in (parts | alone).items():
            if options.only == part or (options.only is None and part in parts):
                rows += make(pathlib.Path(options.build_dir).resolve(), options.runs)
    except MissingError as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    except LabError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if options.json:
        print(json.dumps({"rows": rows, "runs": options.runs}, indent=1))
    else:
        beside = [r for r in rows if "engine" in r]
        figures = [r for r in rows if "engine" not in r]
        if beside:
            print_side_by_side(beside)
        if figures:
            print_table(figures)
    note(f"{time.monotonic() - started:.0f} s")
    return 0 if all(r["ok"] for r in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
