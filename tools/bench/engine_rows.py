# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The figures of the engines that give disjoint paths, and of counting the faults that tables survive.

ist and dmodk are compared with writing their tables once, which any engine must do; the others
with a limit. The thesis (Montañana 2008, §8.1.7 and Fig. 8.9) took 1 h for TFTR on 10×10 and under
10 s for SPFTR on 20×20: the limits are a thousandth and a hundredth of that.
"""
from tools.bench.rows import benchmark_ms, median_of, note, route, row
from tools.lab.errors import LabError

TREES = ("tree:k=16,n=3", "xgft:m=18x18x36,w=1x18x18")  # as in tests/bench/bench_dmodk.cpp
ALONE_S = 10  # limit of the time of a whole run of selvedge-route


def engine_rows(build, runs):
    rows = []
    # The quick ones come first.
    for make in (
            ist_rows,
            dmodk_rows,
            whole_run_rows,
            fault_rows,
            repair_rows,
            tftr_rows,
            spftr_rows,
    ):
        note(f"{make.__name__.removesuffix('_rows')}: {make.__doc__}")
        rows += make(build, runs)
    return rows


def ist_rows(build, runs):
    """computing beside writing once"""
    ms = benchmark_ms(build, "bench_ist", "ist_(compute|write_once)/side:(10|16)$", runs)
    return [row(f"ist compute, torus {side}x{side}, LMC 2", ms[f"ist_compute/side:{side}"], "ms",
                ms[f"ist_write_once/side:{side}"], "writing its tables once", 10) for side in (10, 16)]


def dmodk_rows(build, runs):
    """computing beside writing once"""
    ms = benchmark_ms(build, "bench_dmodk", "^(dmodk|write_tables_once)/tree:[01]/lmc:[01]$", runs)
    return [row(f"dmodk compute, {name}, LMC {lmc}", ms[f"dmodk/tree:{i}/lmc:{lmc}"], "ms",
                ms[f"write_tables_once/tree:{i}/lmc:{lmc}"], "writing its LFTs once", 10)
            for i, name in enumerate(TREES) for lmc in (0, 1)]


def whole_run_rows(build, runs):
    """dmodk from the fabric to the proof, and its memory"""
    # The memory of the program without tables: of a run that computes next to nothing.
    program = route(build, "faults", "--fabric", "torus:3x3", "--engine", "updn", "--faults", "9",
                    "--all", "--of", "links", "--json", may_fail=True)["peak_bytes"]
    rows = []
    for tree in TREES:
        arguments = ("--fabric", tree, "--engine", "dmodk", "--json")
        seconds = median_of(runs, lambda: route(build, "verify", "--replies", "same-sl", "--any-sl",
                                                *arguments)["seconds"])
        done = route(build, "compute", *arguments)
        lft = done["json"]["switches"] * done["json"]["lids"] / 1e6
        peak = max(route(build, "verify", *arguments)["peak_bytes"] for _ in range(runs))
        rows += [row(f"dmodk compute + proof, {tree}, whole run", seconds, "s", ALONE_S, "limit", 1),
                 row("  the same: memory over the program's own", (peak - program) / 1e6, "MB",
                     lft, "its LFTs", 3)]
    return rows


def fault_rows(build, runs):
    """all combinations of up to five cables of a 4x4 torus"""
    def seconds():
        taken, looked_at = 0, 0
        for count in range(1, 6):
            # With four faults or more, some combinations are singular, so exit status 1 is no error.
            done = route(build, "faults", "--fabric", "torus:4x4", "--engine", "tftr", "--faults",
                         str(count), "--all", "--json", may_fail=True)
            taken += done["seconds"]
            looked_at += done["json"]["evaluated"]
        if looked_at != 242824:
            raise LabError(f"{looked_at} combinations", "faults --all", "there are 242,824")
        return taken
    return [row("faults: the 242,824 combinations of <= 5 of 32 cables, tftr 4x4",
                median_of(runs, seconds), "s", 10, "limit", 1)]


def repair_rows(build, runs):
    """all combinations of up to four cables of a 4x4 torus, each fault repaired"""
    def microseconds(mode):
        taken, looked_at = 0, 0
        for count in range(1, 5):
            done = route(build, "faults", "--fabric", "torus:4x4", "--engine", "updn", "--faults",
                         str(count), "--all", "--repair", "rftr", "--repair-mode", mode,
                         "--max-vls", "4", "--jobs", "1", "--json")["json"]
            taken += done["seconds"]
            looked_at += done["evaluated"]
        if looked_at != 41448:
            raise LabError(f"{looked_at} combinations", "faults --repair", "there are 41,448")
        return taken / looked_at * 1e6
    # 15,033,172 combinations in 15 minutes on two cores.
    return [row(f"faults: a combination of <= 4 of 32 cables repaired {mode} and proved, one core",
                median_of(runs, lambda m=mode: microseconds(m)), "us", 120, "limit", 1)
            for mode in ("readdress", "in-place")]


def compute_ms(build, fabric, engine, paths):
    """The time of computing the tables, in ms. The run must have found `paths` disjoint paths for
    every pair."""
    done = route(build, "compute", "--fabric", fabric, "--engine", engine, "--json")["json"]
    if done["disjoint"] != {str(paths): 1.0}:
        raise LabError(f"not every pair has {paths} disjoint paths", f"{engine}, {fabric}",
                       str(done["disjoint"]))
    return done["compute_ms"]


def tftr_rows(build, runs):
    """10x10, some seconds a run"""
    return [row("tftr compute, torus 10x10, LMC 4",
                median_of(runs, lambda: compute_ms(build, "torus:10x10", "tftr", 4)) / 1e3, "s", 3.6,
                "limit (thesis 1 h / 1000)", 1)]


def spftr_rows(build, runs):
    """20x20"""
    return [row("spftr compute, torus 20x20",
                median_of(runs, lambda: compute_ms(build, "torus:20x20", "spftr", 4)), "ms", 100,
                "limit (thesis 10 s / 100)", 1)]
