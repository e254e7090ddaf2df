# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Follows LFTs cable by cable. The code is simple enough to be checked by reading; it shares nothing
with the engines and does not depend on how tables are made.

replay() finds when, after a fault, every pair had a path again. It starts with the tables that were
read before the fault and the cables that are left, and puts each written block in force at the time at
which its switch acknowledged it.
"""
import dataclasses

from tools.lab.errors import LabError
from tools.lab.subnet import LFT_BLOCK_LIDS, NO_PORT


@dataclasses.dataclass(frozen=True)
class Walk:
    """The walk of one packet. hops = [(switch GUID, output port)]; the last is where the walk ended.
    fault is None if the packet arrived at the host, else the reason in words."""
    hops: tuple
    fault: str | None

    @property
    def switches(self):
        return tuple(guid for guid, _ in self.hops)


def walk_pair(subnet, source, target, dlid, lfts=None):
    """The walk of one packet from a HostPort to one of another's LIDs."""
    lfts = subnet.lfts if lfts is None else lfts
    hosts, hops, seen, at = subnet.host_at(), [], set(), source.switch
    while True:
        port = lfts[at].get(dlid, NO_PORT)
        hops.append((at, port))
        name = subnet.switches[at].name
        if at in seen:
            return Walk(tuple(hops), f"loops through {name}")
        seen.add(at)
        if port == NO_PORT:
            return Walk(tuple(hops), f"{name} has no entry for LID {dlid}")
        if (host := hosts.get((at, port))) is not None:
            if host == target:
                return Walk(tuple(hops), None)
            return Walk(tuple(hops), f"{name} delivers LID {dlid} to {host.name}")
        if (end := subnet.cables.get((at, port))) is None:
            return Walk(tuple(hops), f"{name} port {port} has no cable")
        at = end[0]


@dataclasses.dataclass(frozen=True)
class Survey:
    """The walks of all pairs. `pairs`: number of ordered pairs of host ports. A pair is broken if the
    walk to one of the target's LIDs fails."""
    pairs: int
    walks: dict   # (source LID, DLID) → Walk
    broken: list  # (source HostPort, target HostPort, DLID, fault)

    @property
    def broken_pairs(self):
        return len({(source.lid, target.lid) for source, target, _, _ in self.broken})

    def first_fault(self):
        if not self.broken:
            return None
        source, target, dlid, fault = self.broken[0]
        return f"{source.name} to {target.name} (LID {dlid}): {fault}"


def walk_all_pairs(subnet, lfts=None):
    """Follows the paths from every host port to every LID of every other host port."""
    walks, broken, pairs = {}, [], 0
    for source in subnet.hosts:
        for target in subnet.hosts:
            if source == target:
                continue
            pairs += 1
            for dlid in target.lids:
                walk = walk_pair(subnet, source, target, dlid, lfts)
                walks[source.lid, dlid] = walk
                if walk.fault:
                    broken.append((source, target, dlid, walk.fault))
    return Survey(pairs, walks, broken)


def dropped_by_rows(subnet, survey, rows, data_vls, sls=range(16)):
    """The walks that SL2VL rows end: a row that maps the packet's SL to a VL that is not there drops it.
    rows = {switch GUID: {(in port, out port): [VL of SL 0 … 15]}}; data_vls: of all ports. Returns
    {(source LID, DLID, SL): "switch, port in, port out, VL"}."""
    at = {host.lid: host for host in subnet.hosts}
    dropped = {}
    for (source, dlid), walk in survey.walks.items():
        port_in = at[source].switch_port
        for guid, port_out in walk.hops:
            row = rows[guid][port_in, port_out]
            for sl in sls:
                if row[sl] >= data_vls:
                    dropped.setdefault((source, dlid, sl), (f"{subnet.switches[guid].name} from port {port_in} "
                                                            f"to {port_out} on VL {row[sl]}"))
            if (end := subnet.cables.get((guid, port_out))) is not None:
                port_in = end[1]
    return dropped


def cable_load(subnet, survey):
    """How many walks cross each cable, both directions together: {(end, end): walks}, ends in
    ascending order."""
    load = {cable: 0 for cable in subnet.each_cable()}
    for walk in survey.walks.values():
        for end in walk.hops:
            if (other := subnet.cables.get(end)) is not None:
                load[min(end, other), max(end, other)] += 1
    return load


def _sources_that_arrive(subnet, lfts, hosts, target, dlid):
    """The GUIDs of the switches from which a packet for the LID arrives. Every switch is decided once,
    at the end of the first walk that meets it."""
    verdict = {}
    for start in subnet.switches:
        trail, at = [], start
        while at not in verdict:
            verdict[at] = False  # a walk that meets an undecided switch again is a loop
            trail.append(at)
            port = lfts[at].get(dlid, NO_PORT)
            if (host := hosts.get((at, port))) is not None:
                verdict[at] = host == target
                break
            if (end := subnet.cables.get((at, port))) is None:
                break
            at = end[0]
        for guid in trail:
            verdict[guid] = verdict[at]
    return {guid for guid, arrives in verdict.items() if arrives}


@dataclasses.dataclass(frozen=True)
class Replay:
    """steps = [(time in ns, number of pairs broken from then on)], from the fault on. whole_ns: since
    when every pair had a path until the end, or None."""
    steps: list
    whole_ns: int | None
    blocks: int          # acknowledged blocks that were put into place
    unacknowledged: list    # (switch GUID, block) that differ in the end without any acknowledgement


def replay(before, after, fault_ns, acknowledged):
    """acknowledged = [(time in ns, switch GUID, block number)]. If a block was acknowledged more than
    once, only its final content is known. So its last acknowledgement counts, and the result is never
    too early."""
    if {h.lid: h for h in before.hosts} != {h.lid: h for h in after.hosts}:
        raise LabError("hosts or their LIDs changed with the fault", "replay",
                       "it can only compare the same hosts")
    hosts = after.host_at()
    lfts = {guid: dict(before.lfts.get(guid, {})) for guid in after.switches}
    last = {(guid, block): when for when, guid, block in sorted(acknowledged)
            if guid in after.switches}

    pair_broken = {}  # (source LID, target LID) → number of the target's LIDs that fail

    def classify(target, dlid, failing):
        arrive = _sources_that_arrive(after, lfts, hosts, target, dlid)
        fails = {s.lid for s in after.hosts if s != target and s.switch not in arrive}
        for lid in fails ^ failing.get(dlid, set()):
            pair = (lid, target.lid)
            pair_broken[pair] = pair_broken.get(pair, 0) + (1 if lid in fails else -1)
            if not pair_broken[pair]:
                del pair_broken[pair]
        failing[dlid] = fails

    failing, owner = {}, {dlid: host for host in after.hosts for dlid in host.lids}
    for dlid, target in owner.items():
        classify(target, dlid, failing)
    steps = [(fault_ns, len(pair_broken))]
    for (guid, block), when in sorted(last.items(), key=lambda item: (item[1], item[0])):
        for dlid in range(block * LFT_BLOCK_LIDS, (block + 1) * LFT_BLOCK_LIDS):
            old, new = lfts[guid].get(dlid, NO_PORT), after.lfts[guid].get(dlid, NO_PORT)
            if old == new:
                continue
            lfts[guid][dlid] = new
            if dlid in owner:
                classify(owner[dlid], dlid, failing)
        steps.append((when, len(pair_broken)))
    unacknowledged = sorted({(guid, lid // LFT_BLOCK_LIDS) for guid in after.switches
                          for lid in lfts[guid].keys() | after.lfts[guid].keys()
                          if lfts[guid].get(lid, NO_PORT) != after.lfts[guid].get(lid, NO_PORT)})
    whole = None
    for when, broken in steps:
        whole = None if broken else (when if whole is None else whole)
    return Replay(steps, None if unacknowledged else whole, len(last), unacknowledged)
