# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The simulator's speed, compared with BookSim2's if its binary is given.

A packet-hop is a packet that passes through one switch. BookSim2 runs its 16-flit packets at 0.1 flits
a node and cycle; we run packets of 16 blocks at the same load, with all statistics. Both are measured
by their own CPU time, in turns. BookSim2 models each flit and a switch's inner pipeline, which we do not:
so the figure compares the cost of simulating packets, not the quality of the programs.
"""
import json
import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

from tools.bench.rows import note, row
from tools.lab.errors import LabError

# BookSim2's speed, for runs without its binary: measured once on a machine with 2 virtual CPUs (AMD
# EPYC).
PUBLISHED_HOPS_PER_S = {"torus": 85e3, "tree": 57e3}
SETTINGS = {
    "torus": (("torus:8x8", "spftr", "0.1"), "topology=torus; k=8; n=2; "
              "routing_function=dim_order; num_vcs=2;"),
    "tree": (("tree:k=4,n=4", "dmodk", "0.1"), "topology=fattree; k=4; n=4; "
             "routing_function=nca; num_vcs=1;"),
}
# Negative thresholds make BookSim2 run exactly 4 sample periods.
BOOKSIM = """{} vc_buf_size=32; packet_size=16; injection_rate=0.1; vct=1; hold_switch_for_packet=1;
warmup_periods=1; sample_period=25000; warmup_thres=-1.0; acc_warmup_thres=-1.0; stopping_thres=-1.0;
acc_stopping_thres=-1.0; sim_count=1; sim_type=latency; deadlock_warn_timeout=100000;
injection_rate_uses_flits=1; traffic=uniform; priority=none; vc_allocator=separable_input_first;
sw_allocator=separable_input_first; alloc_iters=1; credit_delay=2; routing_delay=0; vc_alloc_delay=1;
sw_alloc_delay=1; st_final_delay=1; input_speedup=1; output_speedup=1; internal_speedup=1.0;
wait_for_tail_credit=0;
"""
LARGE = ("tree:k=22,n=3", "dmodk", "0.5")  # 10,648 hosts
# Buffers, in packets: first as BookSim2's, with which the fabric carries a load of 0.465; then large
# enough to carry the whole load.
LARGE_BUFFERS = ("2", "8")
LARGE_BYTES = 4e9
HUNDREDTH = 0.01
COUNTED_HOPS, COUNTED_LIMIT = 200_000, 1_000  # instructions per hop; our own limit
# The points are alike, so that their distribution to the cores does not influence the time.
SWEEP = """[fabric]
spec = "torus:8x8"
[routing]
engine = "spftr"
[traffic]
load = 0.1
[measure]
duration_us = 20000.0
[run]
seed = [1, 2, 3, 4, 5, 6, 7, 8]
"""
BOTH_CORES = 1 / 0.9  # limit: two cores take at most this multiple of half of one core's time


def ours(build, setting, hops, buffers="2"):
    program = str(pathlib.Path(build) / "bin" / "sim_speed")
    out = subprocess.run([program, *setting, str(hops), buffers], check=True, capture_output=True,
                         text=True)
    return json.loads(out.stdout)


def booksim_hops_per_s(binary, config):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "config"
        path.write_text(BOOKSIM.format(config))
        before = os.times()
        done = subprocess.run([binary, str(path)], capture_output=True, text=True, check=False)
        after = os.times()
    def last(pattern):
        found = re.findall(pattern, done.stdout)
        if not found:
            raise LabError("BookSim2 printed no result", binary, "give the path of its binary")
        return float(found[-1])
    cycles = last(r"Time taken is (\d+) cycles")
    rate = last(r"Injected packet rate average = ([0-9.e-]+)")
    nodes = 64 if "torus" in config else 256
    hops = cycles * nodes * rate * last(r"Hops average = ([0-9.]+)")
    return hops / (after.children_user - before.children_user)


def instructions_per_hop(build, setting):
    """Instructions per packet-hop of the simulation alone, counted by callgrind: other load of the
    machine does not change this figure."""
    program = str(pathlib.Path(build) / "bin" / "sim_speed")
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
         "--toggle-collect=selvedge::sim::Network::run(long)", program, *setting,
         str(COUNTED_HOPS)], capture_output=True, text=True, check=False)
    counted = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not counted:
        raise LabError("callgrind counted nothing", program, done.stderr[-400:].strip())
    return int(counted[1]) / json.loads(done.stdout)["all_hops"]


def sweep_seconds(build, jobs):
    """(wall time, CPU time of all cores) of a sweep over several points."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "sweep.toml"
        path.write_text(SWEEP)
        before, begin = os.times(), time.monotonic()
        subprocess.run([str(pathlib.Path(build) / "bin" / "selvedge-sim"), "run", str(path),
                        "--out", str(pathlib.Path(folder) / "results"), "--jobs", str(jobs)],
                       check=True, capture_output=True)
        seconds, after = time.monotonic() - begin, os.times()
    return seconds, (after.children_user + after.children_system
                     - before.children_user - before.children_system)


def sweep_rows(build, runs):
    note("simulator, a sweep on one core and on two")
    pairs = [(sweep_seconds(build, 1), sweep_seconds(build, 2)) for _ in range(runs)]
    # The pair with the median ratio is taken. Two separate medians might be from times with different
    # load of the machine.
    pairs.sort(key=lambda pair: pair[1][0] / pair[0][0])
    (wall_1, cpu_1), (wall_2, cpu_2) = pairs[len(pairs) // 2]
    return [
        row("simulator, 8 points on two cores", wall_2, "s", wall_1 / 2, "half of one core's time",
            BOTH_CORES),
        row("the same, CPU time", cpu_2, "s", cpu_1, "on one core", None),
    ]


def sim_rows(build, runs, booksim=None):
    rows = []
    for name, (setting, config) in SETTINGS.items():
        note(f"simulator, {setting[0]}" + (", and BookSim2" if booksim else ""))
        mine, peer = [], []
        for _ in range(runs):
            mine.append(1e9 / ours(build, setting, 5_000_000)["hops_per_s"])
            if booksim:
                peer.append(1e9 / booksim_hops_per_s(booksim, config))
        peer = statistics.median(peer) if booksim else 1e9 / PUBLISHED_HOPS_PER_S[name]
        rows.append(row(f"simulator, {setting[0]}, load 0.1, a packet-hop", statistics.median(mine),
                        "ns", peer, "BookSim2" if booksim else "BookSim2, published",
                        HUNDREDTH if booksim else None))
    for buffers in LARGE_BUFFERS:
        note(f"simulator, {LARGE[0]}, buffers of {buffers} packets")
        large = [ours(build, LARGE, 10_000_000, buffers) for _ in range(runs)]
        rows.append(row(f"simulator, {LARGE[0]} (10,648 hosts), load 0.5, buffers of {buffers} "
                        "packets, a packet-hop",
                        statistics.median(1e9 / one["hops_per_s"] for one in large), "ns", 250,
                        "limit", 1))
    rows.append(row(f"simulator, {LARGE[0]}, memory", max(one["peak_bytes"] for one in large) / 1e9,
                    "GB", LARGE_BYTES / 1e9, "limit", 1))
    for setting, _ in SETTINGS.values():
        note(f"simulator, {setting[0]}, counted")
        rows.append(row(f"simulator, {setting[0]}, load 0.1, a packet-hop",
                        instructions_per_hop(build, setting), "instructions",
                        COUNTED_LIMIT, "limit", 1))
    return rows + sweep_rows(build, runs)
