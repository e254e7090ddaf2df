# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The time from the cut of a cable until the last repaired LFT block is acknowledged, on ibsim: by our
fast path, and by OpenSM's minhop in the same run. The plugin's timeline measures both. And the time of a
status query beside idle clients."""
import contextlib
import random
import socket
import statistics
import time

from tools.bench.bring_up_rows import bring_up_rows
from tools.bench.rows import note, row
from tools.lab.errors import LabError
from tools.lab.lab import PLUGIN_STATUS, Lab, torus_net

IBSIM_LIMITS = ("-S", "1100", "-N", "4000", "-P", "20000")
CUTS = 20
NEAR = 12  # hops from the SM; ibsim drops LID-routed packets, traps among them, beyond 16
PATIENCE_S = 60.0
SEED = 1
IDLE = 64
STATUS_MS = 50.0  # how long a status query may take among IDLE idle clients
WANTED = {16: 1 / 10, 32: 1 / 20}
CUTS_LAYERED = 8
WANTED_LAYERED = {8: 1 / 2, 16: 1 / 4}
LMC_LAYERED = {"ist": 3, "spftr": 4}  # with which they are of the grade `base`, where that is possible
NO_INTERIM = "[engine]\ndeadline_ms = 3600000\n"  # the engine's own tables, however long they take
EVERY_LID_MS = {8: None, 16: 2000.0}
READDRESS = "[repair]\nmode = \"readdress\"\nkeep_fresh_s = 1\n"
READDRESSED = (("updn", 2), ("spftr", 4))  # engine, LMC: on an 8x8 torus


def cables_near(side, draw):
    """The cables, as (switch name, port), whose two ends are within NEAR hops of S-0-0."""
    def far(y, x):
        return min(y, side - y) + min(x, side - x)
    found = [(f"S-{y}-{x}", port) for y in range(side) for x in range(side)
             for port, (v, u) in ((2, ((y + 1) % side, x)), (4, (y, (x + 1) % side)))
             if far(y, x) <= NEAR and far(v, u) <= NEAR]
    draw.shuffle(found)
    return found


class Subject:
    """One opensm on one subnet. Each cut appends a time to `times_ms`."""

    def __init__(self, lab, engine, done, host="H-0-0", toml="", **options):
        ours = engine.startswith("selvedge-")
        self.lab, self.engine, self.done, self.ours = lab, engine, done, ours
        self.sm = lab.opensm(options={"routing_engine": f"{engine},no_fallback", **options},
                             plugin_toml=PLUGIN_STATUS + toml, host=host)
        self.sm.wait_up(timeout_s=120)
        self.links = self.sm.ask("status")["last_sweep"]["links"] if ours else None
        self.times_ms = []
        self.base_times_ms = []  # until base LIDs were repaired; the same time if all LIDs were at once
        self.in_place_times_ms = []  # until the in-place repair was read back
        self.readdresses = toml == READDRESS

    def _settled(self, mark):
        self.sm.wait_settled(after=mark, timeout_s=PATIENCE_S)
        if self.ours:
            self.sm.wait_status(lambda s: s["fast_path"]["ready"], timeout_s=PATIENCE_S)

    def cut(self, cable):
        self._wait_ready()
        mark, seen = self.sm.mark(), self.sm.ask("events")["total"]
        begin_us = self.lab.cut(*cable) / 1000
        self._settled(mark)
        if self.readdresses:
            self.sm.wait_status(lambda s: s["fresh_lids"]["in_use"], timeout_s=PATIENCE_S)
        answer = self.sm.ask("events")
        new = answer["events"][-(answer["total"] - seen):]
        ends = [e["monotonic_us"] for e in new if e["event"] == self.done]
        # A cut whose traps are both lost does not count: no report of it reached the subnet manager.
        if ends and any(e["event"] == "trap" for e in new):
            last = max(ends) if self.ours else max(
                [t for t in ends if t < first_end(new, ends)] or ends)
            self.times_ms.append((last - begin_us) / 1000)
            base = [e["monotonic_us"] for e in new if e["event"] == "base_confirmed"]
            first = max(t for t in ends if t <= base[0]) if base else last
            self.base_times_ms.append((first - begin_us) / 1000)
            confirmed = [e["monotonic_us"] for e in new if e["event"] == "repair_confirmed"]
            self.in_place_times_ms += [(t - begin_us) / 1000 for t in confirmed[:1]]
        mark = self.sm.mark()
        self.lab.relink(*cable)
        self._settled(mark)
        if self.ours:  # the fast path uses the cable again once the sweep has set it up
            self.sm.wait_status(lambda s: s["last_sweep"]["links"] == self.links,
                                timeout_s=PATIENCE_S)
        if self.readdresses:  # the next cut finds all fresh LIDs without paths again
            self.sm.wait_status(lambda s: not s["fresh_lids"]["in_use"], timeout_s=PATIENCE_S)

    def _wait_ready(self):
        if self.ours:
            self.sm.wait_status(lambda s: s["fast_path"]["ready"], timeout_s=PATIENCE_S)


def first_end(events, ends):
    """The end of the first sweep's writes, if there are several sweeps (event `routing_done`)."""
    done = [e["monotonic_us"] for e in events if e["event"] == "routing_done"]
    return min(done) if done else max(ends) + 1


def measure(build, side):
    """(time of ours, time of minhop), each the median in ms."""
    cables = cables_near(side, random.Random(SEED))
    net = torus_net(side, side)
    with Lab(net, build_dir=build, ibsim_options=IBSIM_LIMITS) as one, \
            Lab(net, build_dir=build, ibsim_options=IBSIM_LIMITS) as other:
        ours = Subject(one, "selvedge-updn", "repair_block")
        peer = Subject(other, "minhop", "lft_block")
        return cut_in_turns(ours, peer, cables, f"{side}x{side} torus")


def measure_layered(build, engine, side):
    """(time of an engine of several VLs until base LIDs are repaired, until every LID is, time of minhop),
    each the median in ms. Both route the same number of LIDs a host."""
    cables = cables_near(side, random.Random(SEED))
    net = torus_net(side, side)
    lmc = LMC_LAYERED[engine]
    with Lab(net, build_dir=build, ibsim_options=IBSIM_LIMITS) as one, \
            Lab(net, build_dir=build, ibsim_options=IBSIM_LIMITS) as other:
        ours = Subject(one, f"selvedge-{engine}", "repair_block", lmc=lmc, qos=True, toml=NO_INTERIM)
        peer = Subject(other, "minhop", "lft_block", lmc=lmc)
        every, minhop = cut_in_turns(ours, peer, cables, f"{engine}, {side}x{side} torus, LMC {lmc}", CUTS_LAYERED)
        return statistics.median(ours.base_times_ms), every, minhop


def measure_readdressing(build, engine, lmc):
    """(time until fresh LIDs have their paths, until the in-place repair beside it was read back, the latter
    in mode in-place), each the median in ms, on an 8x8 torus."""
    cables = cables_near(8, random.Random(SEED))
    net = torus_net(8, 8)
    with Lab(net, build_dir=build, ibsim_options=IBSIM_LIMITS) as one, \
            Lab(net, build_dir=build, ibsim_options=IBSIM_LIMITS) as other:
        fresh, plain = (Subject(lab, f"selvedge-{engine}", "repair_block", lmc=lmc, qos=True, toml=toml)
                        for lab, toml in ((one, READDRESS), (other, NO_INTERIM)))
        every, _ = cut_in_turns(fresh, plain, cables, f"{engine}, readdressing beside in-place", CUTS_LAYERED)
        return (every, statistics.median(fresh.in_place_times_ms), statistics.median(plain.in_place_times_ms))


def cut_in_turns(ours, peer, cables, where, cuts=CUTS):
    """(time of ours, time of the peer), each the median in ms of `cuts` cuts. The cuts alternate between
    the two."""
    for i, cable in enumerate(cables):
        if min(len(ours.times_ms), len(peer.times_ms)) >= cuts:
            break
        note(f"{where}, cut {i + 1}: {cable[0]}:{cable[1]}")
        for subject in (ours, peer):
            subject.cut(cable)
            time.sleep(0.1)
    if min(len(ours.times_ms), len(peer.times_ms)) < cuts:
        raise LabError(f"too few of the cuts were seen on {where}", "ibsim", "are traps lost?")
    return statistics.median(ours.times_ms), statistics.median(peer.times_ms)


def status_among_idle_clients(build):
    """The median time in ms of a status query, from the connection to the whole answer, while IDLE other
    clients are connected to the plugin's socket and say nothing."""
    with Lab(torus_net(8, 8), build_dir=build, ibsim_options=IBSIM_LIMITS) as lab, \
            contextlib.ExitStack() as idle:
        sm = Subject(lab, "selvedge-updn", "repair_block").sm
        sm.ask("status")  # the first one computes the load of the channels
        times_ms = []
        for _ in range(CUTS):
            # Connected anew each time, since the plugin closes connections that say nothing for a second.
            idle.close()
            for _ in range(IDLE):
                client = idle.enter_context(socket.socket(socket.AF_UNIX))
                client.connect(str(sm.socket))
            begin = time.monotonic()
            sm.ask("status")
            times_ms.append((time.monotonic() - begin) * 1000)
    return statistics.median(times_ms)


def fast_path_rows(build, _runs):
    rows = [row(f"status among {IDLE} idle clients, 8x8 torus, {CUTS} queries",
                status_among_idle_clients(build), "ms", STATUS_MS, "limit", 1)]
    for side, at_most in WANTED.items():
        ours, peer = measure(build, side)
        rows.append(row(f"cable cut to last repaired LFT block, {side}x{side} torus, {CUTS} cuts",
                        ours, "ms", peer, "minhop, cut to routed", at_most))
    for engine, lmc in LMC_LAYERED.items():
        for side, at_most in WANTED_LAYERED.items():
            base, every, peer = measure_layered(build, engine, side)
            where = f"{engine}, LMC {lmc}, {side}x{side} torus, {CUTS_LAYERED} cuts"
            rows.append(row(f"cable cut to last repaired block of base LIDs, {where}", base, "ms", peer,
                            f"minhop, LMC {lmc}, cut to routed", at_most))
            limit = EVERY_LID_MS[side]
            if limit is not None:
                rows.append(row(f"cable cut to last repaired LFT block, {where}", every, "ms", limit, "limit", 1))
    for engine, lmc in READDRESSED:
        where = f"mode readdress, {engine}, LMC {lmc}, 8x8 torus, {CUTS_LAYERED} cuts"
        every, beside, plain = measure_readdressing(build, engine, lmc)
        rows.append(row(f"cable cut to the in-place repair read back, {where}", beside, "ms", plain, "mode in-place", None))
        rows.append(row(f"cable cut to fresh LIDs routed, {where}", every, "ms", plain, "in-place repair, mode in-place", None))
    return rows + bring_up_rows(build)
