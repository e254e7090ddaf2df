# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Accepted traffic of conf/experiments/against-booksim beside BookSim2's, load by load:

    python3 -m tools.bench.against_booksim --booksim PATH [--build build] [PATTERN...]

The same routing, VLs, input buffers, packets and delays. In BookSim2 hosts send to themselves too (one packet
of 64 if traffic is uniform, all of the 8 hosts on the diagonal of transpose); such packets meet no other one, so
they are left out of its figures. Saturation is the most that is accepted at any load.
"""
import argparse
import csv
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).parents[2] / "conf/experiments/against-booksim"
NODES = 64
SELF = {"uniform": 1 / NODES, "transpose": 8 / NODES, "tornado": 0}
PATTERNS = list(SELF)
FLITS = 16
CONFIG = """topology = torus; k = 8; n = 2; routing_function = dim_order; num_vcs = 2; vc_buf_size = 32;
packet_size = 16; injection_rate_uses_flits = 1; injection_rate = {load}; traffic = {pattern}; vct = 1;
hold_switch_for_packet = 1; sim_type = throughput; sample_period = {period}; warmup_periods = 2; max_samples = 8;
warmup_thres = -1.0; acc_warmup_thres = -1.0; stopping_thres = -1.0; acc_stopping_thres = -1.0; sim_count = 1;
deadlock_warn_timeout = 100000; priority = none; vc_allocator = separable_input_first;
sw_allocator = separable_input_first; alloc_iters = 1; credit_delay = 2; routing_delay = 0; vc_alloc_delay = 1;
sw_alloc_delay = 1; st_final_delay = 1; input_speedup = 1; output_speedup = 1; internal_speedup = 1.0;
wait_for_tail_credit = 0; seed = {seed};
"""


def booksim_accepted(binary, pattern, load, period, seed):
    """Flits a node and cycle, without those that hosts send to themselves."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "config"
        path.write_text(CONFIG.format(pattern=pattern, load=load, period=period, seed=seed))
        out = subprocess.run([binary, str(path)], capture_output=True, text=True, check=False).stdout
    rates = re.findall(r"Accepted packet rate average = ([0-9.e-]+)", out)
    if not rates:
        sys.exit(f"error: BookSim2 printed no accepted rate: {binary}: give the path of its binary")
    accepted = float(rates[-1]) * FLITS
    # A host that sends to itself alone is never held up; else a share of what each host sends is its own.
    return accepted - SELF[pattern] * (load if pattern == "transpose" else accepted)


def ours(build, pattern, duration_us):
    """(offered, accepted) of each point, as shares of a host's link: flits a node and cycle."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([str(pathlib.Path(build) / "bin/selvedge-sim"), "run", str(FOLDER / f"{pattern}.toml"), "--out",
                        folder, "--set", f"measure.duration_us={duration_us}"], check=True, capture_output=True)
        with open(pathlib.Path(folder) / "results.csv", encoding="utf-8") as text:
            return [(float(row["traffic.load"]), float(row["accepted_load"])) for row in csv.DictReader(text)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--booksim", required=True)
    parser.add_argument("--build", default="build")
    parser.add_argument("--period", type=int, default=10_000, help="cycles of BookSim2's sample period")
    parser.add_argument("--duration-us", type=float, default=80.0, help="what we measure")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("patterns", nargs="*", metavar="PATTERN", help="of " + ", ".join(PATTERNS))
    options = parser.parse_args()
    wrong = [p for p in options.patterns if p not in SELF]
    if wrong:
        parser.error(f"no such pattern: {wrong[0]}: choose from {', '.join(PATTERNS)}")
    for pattern in options.patterns or PATTERNS:
        print(f"{pattern}: load, accepted here, BookSim2's")
        most = [0, 0]
        for load, accepted in ours(options.build, pattern, options.duration_us):
            # All but the hosts on the diagonal send; here these send nothing.
            theirs = booksim_accepted(options.booksim, pattern, load, options.period, options.seed)
            most = [max(most[0], accepted), max(most[1], theirs)]
            print(f"  {load:.2f}  {accepted:.4f}  {theirs:.4f}", flush=True)
        print(f"  saturation {most[0]:.4f}  {most[1]:.4f}  ratio {most[0] / most[1]:.3f}", flush=True)


if __name__ == "__main__":
    main()
