# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""A real tree live on ibsim. Measured are the time in which opensm brings it up, with our plugin and
with minhop alone, and the time from the cut of a cable to the last LFT block that leads around it, when
all pairs have paths again."""
import random
import statistics
import time

from tools.bench.fast_path_rows import Subject, cut_in_turns
from tools.bench.rows import note, row
from tools.bench.tree_fabrics import identity
from tools.lab.lab import PLUGIN_STATUS, Lab

SEED = 1
STARTS = 9  # at least: on a busy machine single starts differ by a factor of two


def up_s(build, net, engine):
    """The time in s from the start of opensm to SUBNET UP, on switches with empty tables."""
    ours = engine.startswith("selvedge-")
    with Lab(net.text(), build_dir=build) as lab:
        begin = time.monotonic()
        sm = lab.opensm(options={"routing_engine": f"{engine},no_fallback"},
                        plugin_toml=PLUGIN_STATUS if ours else None)
        sm.wait_up(timeout_s=60)
        return time.monotonic() - begin


def live_rows(build, net, runs):
    ours, peer, runs = [], [], max(runs, STARTS)
    for run in range(runs):
        note(f"quality: A live, run {run + 1} of {runs}: minhop, then selvedge-updn")
        peer.append(up_s(build, net, "minhop"))
        ours.append(up_s(build, net, "selvedge-updn"))
    rows = [row("A live: start of opensm to SUBNET UP, updn", statistics.median(ours), "s",
                statistics.median(peer), "minhop", 1.1)]
    cables = [(identity(net.switches[a]), port) for a, port, _, _ in net.cables]
    random.Random(SEED).shuffle(cables)
    with Lab(net.text(), build_dir=build) as one, Lab(net.text(), build_dir=build) as other:
        # host=None: the first host of the file.
        ours = Subject(one, "selvedge-updn", "repair_block", host=None)
        peer = Subject(other, "minhop", "lft_block", host=None)
        taken, peer_taken = cut_in_turns(ours, peer, cables, "A live")
    return rows + [row("A live: cable cut to all pairs walk again, updn", taken, "ms", peer_taken,
                       "minhop, cut to routed", 0.2)]
