# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The simulator's speed, compared with BookSim2's if its binary is given.

A packet-hop is a packet that passes through one switch. BookSim2 (built by its Makefile, with -O3) runs
packets of 16 flits, and of one, at 0.1 flits a node and cycle; we run packets of as many blocks at the same
load, with all statistics. Both are measured by their own CPU time after the warm-up, in turns. BookSim2 models
each flit and a switch's inner pipeline, which we do not: so the figure compares the cost of simulating packets,
not the quality of the programs, and most of all where packets have many flits.
"""
import csv
import itertools
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

SETTINGS = {
    "torus": (("torus:8x8", "spftr", "0.1"), "topology=torus; k=8; n=2; "
              "routing_function=dim_order; num_vcs=2;"),
    "tree": (("tree:k=4,n=4", "dmodk", "0.1"), "topology=fattree; k=4; n=4; "
             "routing_function=nca; num_vcs=1;"),
}
FLITS = (16, 1)  # of a packet; ours has as many blocks
# Negative thresholds make BookSim2 run exactly 4 sample periods. What a run of long periods takes more than one of
# short ones is all after the warm-up, and without what it does once. Buffers hold two packets, as ours.
PERIODS = (10_000, 20_000)  # cycles
BOOKSIM = """{} vc_buf_size={}; packet_size={}; sample_period={}; injection_rate=0.1; vct=1; hold_switch_for_packet=1;
warmup_periods=1; warmup_thres=-1.0; acc_warmup_thres=-1.0; stopping_thres=-1.0;
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
SELF_ROUTING = pathlib.Path(__file__).parents[2] / "conf/experiments/clos-self-routing.toml"  # 1,152 hosts
SELF_ROUTING_SECONDS = 60  # limit for 300 µs
SELF_ROUTING_COST = 1 / 0.7  # limit: self-routing keeps 70 % of the packet-hop rate
# Mixed traffic and multicast beside one class on one VL, on the same graph at the same load.
KIM = SELF_ROUTING.parent
KIM_KEYS = ("fabric.spec=irregular:switches=15,degree=4,links=23,seed=1", "routing.engine=updn", "routing.paper=false",
            "traffic.load=0.3", "measure.warmup_us=50000", "measure.duration_us=200000")
KIM_POINTS = {"one class": ("kim-15.toml", ()), "classes": ("kim-15-classes.toml", ()),
              "multicast": ("kim-15-multicast.toml", ("model.replication=central",))}
KIM_COST = 1 / 0.7  # limit: they keep 70 % of the packet-hop rate
# The daemon's protocol at every host, beside packets without a protocol.
WITH_PROTOCOL = """[hca]
protocol = "credits"
window_packets = 64
"""
PROTOCOL = """[fabric]
spec = "torus:8x8,hosts=1"
[routing]
engine = "dor"
[model]
preset = "ndr"
[traffic]
pattern = "uniform"
load = 0.5
payload_bytes = 1024
[measure]
warmup_us = 50
duration_us = 2000
"""
PROTOCOL_COST = 1 / 0.5  # limit: with the protocol half of the packet-hop rate is kept
# 65,280 ends of connections.
ALL_TO_ALL = WITH_PROTOCOL + PROTOCOL.replace('pattern = "uniform"\nload = 0.5', 'pattern = "all-to-all"')
ALL_TO_ALL_KEYS = ("fabric.spec=torus:8x8,hosts=4", "routing.engine=updn", "measure.warmup_us=5",
                   "measure.duration_us=20")
ALL_TO_ALL_BYTES = 200e6
BOTH_CORES = 1 / 0.9  # limit: two cores take at most this multiple of half of one core's time


def ours(build, setting, hops, buffers="2", blocks=16):
    program = str(pathlib.Path(build) / "bin" / "sim_speed")
    out = subprocess.run([program, *setting, str(hops), buffers, str(blocks)], check=True,
                         capture_output=True, text=True)
    return json.loads(out.stdout)


def booksim(binary, config, flits, period):
    """The packet-hops and the CPU seconds of a run."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "config"
        path.write_text(BOOKSIM.format(config, 2 * flits, flits, period))
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
    return hops, after.children_user - before.children_user


def booksim_ns_per_hop(binary, config, flits):
    (few, soon), (many, late) = (booksim(binary, config, flits, period) for period in PERIODS)
    return 1e9 * (late - soon) / (many - few)


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


def run_of(build, experiment, keys, folder):
    """The command that simulates the only point of an experiment with these keys."""
    changed = [part for key in keys for part in ("--set", key)]
    return [str(pathlib.Path(build) / "bin" / "selvedge-sim"), "run", str(experiment), "--jobs", "1", *changed, "--out", folder]


def point_of(build, experiment, keys):
    """(CPU seconds, packet-hops) of the point."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(run_of(build, experiment, keys, folder), check=True, capture_output=True)
        with open(pathlib.Path(folder) / "results.csv", encoding="utf-8") as file:
            (point,) = csv.DictReader(file)
    return float(point["cpu_s"]), int(point["packet_hops"])


def peak_bytes_of(build, experiment, keys):
    """The most memory that a process with this experiment's only point takes."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(run_of(build, experiment, keys, folder), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise LabError(f"selvedge-sim run ended with status {process.returncode}")
    return 1024 * usage.ru_maxrss


def tree_point(build, selection):
    """300 µs of the self-routing tree, at half the rate."""
    return point_of(build, SELF_ROUTING, (f"model.selection={selection}", "model.flow_rate_gbps=19.2",
                                          "measure.duration_us=300"))


def per_hop(point):
    seconds, hops = point
    return 1e9 * seconds / hops


def class_rows(build, runs):
    rows = []
    for name in ("classes", "multicast"):
        note(f"simulator, {name} beside one class")
        pairs = []
        for _ in range(runs):
            mine, plain = (point_of(build, KIM / file, KIM_KEYS + keys)
                           for file, keys in (KIM_POINTS[name], KIM_POINTS["one class"]))
            pairs.append((per_hop(mine), per_hop(plain)))
        pairs.sort(key=lambda pair: pair[0] / pair[1])
        mine, plain = pairs[len(pairs) // 2]
        rows.append(row(f"simulator, {name}, 15 switches, load 0.3, a packet-hop", mine, "ns", plain, "one class", KIM_COST))
    return rows


def protocol_rows(build, runs):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        with_protocol, without, experiment = (pathlib.Path(folder, name) for name in ("with", "without", "all"))
        with_protocol.write_text(WITH_PROTOCOL + PROTOCOL, encoding="utf-8")
        without.write_text(PROTOCOL, encoding="utf-8")
        for engine in ("dor", "ist"):
            note(f"simulator, the daemon's protocol beside none, {engine}")
            pairs = [tuple(per_hop(point_of(build, file, (f"routing.engine={engine}",)))
                           for file in (with_protocol, without)) for _ in range(runs)]
            pairs.sort(key=lambda pair: pair[0] / pair[1])
            mine, plain = pairs[len(pairs) // 2]
            rows.append(row(f"simulator, the daemon's protocol, torus 8x8, {engine}, load 0.5, a packet-hop", mine, "ns",
                            plain, "no protocol", PROTOCOL_COST))
        note("simulator, 256 hosts all to all")
        experiment.write_text(ALL_TO_ALL, encoding="utf-8")
        rows.append(row("simulator, the daemon's protocol, 256 hosts all to all, memory",
                        peak_bytes_of(build, experiment, ALL_TO_ALL_KEYS) / 1e6, "MB", ALL_TO_ALL_BYTES / 1e6, "limit", 1))
    return rows


LUMPED = """id = "Z1"
claim = "the lumped Last-Step model of 1,000 output switches"
source = "Zahavi 2012 §3.2"
[[figure]]
name = "iterations"
check = "clos-last-step"
n = 6
r = 1000
m = 6
[[row]]
what = "iterations"
value = "iterations"
least = 0
"""


def seconds_of_claim(build, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        subprocess.run([build / "bin" / "selvedge-sim", "reproduce", "Z1", "--out", folder, *arguments],
                       check=True, stdout=subprocess.DEVNULL)
        return time.monotonic() - began


def convergence_rows(build):
    """The models and the abstract system of self-routing trees, on all cores."""
    note("simulator, models and the abstract system of self-routing trees")
    with tempfile.TemporaryDirectory() as claims:
        pathlib.Path(claims, "Z1.toml").write_text(LUMPED, encoding="utf-8")
        lumped = seconds_of_claim(build, "--claims", claims)
    return [row("Last-Step model of 1,000 output switches", lumped, "s", 10, "limit", 1),
            row("claim Z1 --quick: the abstract system to n = m = r = 6, each to 1 %",
                seconds_of_claim(build, "--quick"), "s", 120, "limit", 1)]


def self_routing_rows(build, runs):
    note("simulator, a self-routing tree of 1,152 hosts")
    pairs = [(tree_point(build, "ear"), tree_point(build, "deterministic")) for _ in range(runs)]
    pairs.sort(key=lambda pair: per_hop(pair[0]) / per_hop(pair[1]))
    ear, plain = pairs[len(pairs) // 2]
    return [
        row("simulator, selection ear, 1,152 hosts, 300 µs", ear[0], "s", SELF_ROUTING_SECONDS, "limit", 1),
        row("the same, a packet-hop", per_hop(ear), "ns", per_hop(plain), "deterministic", SELF_ROUTING_COST),
        *convergence_rows(build),
    ]


def beside_booksim(build, runs, binary):
    rows = []
    for (setting, config), flits in itertools.product(SETTINGS.values(), FLITS):
        note(f"simulator, {setting[0]}, packets of {flits} flits, and BookSim2")
        mine, peer = [], []
        for _ in range(runs):
            mine.append(1e9 / ours(build, setting, 5_000_000, blocks=flits)["hops_per_s"])
            peer.append(booksim_ns_per_hop(binary, config, flits))
        rows.append(row(f"simulator, {setting[0]}, load 0.1, packets of {flits} flits or blocks, a packet-hop",
                        statistics.median(mine), "ns", statistics.median(peer), "BookSim2",
                        HUNDREDTH if flits == FLITS[0] else None))
    return rows


def sim_rows(build, runs, booksim=None):
    rows = beside_booksim(build, runs, booksim) if booksim else []
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
    return rows + protocol_rows(build, runs) + class_rows(build, runs) + self_routing_rows(build, runs) + sweep_rows(build, runs)
