# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""One run of the demonstration: a fresh subnet comes up, loses a cable, and recovers.

Everything that the report says about the subnet is read back from its switches. The times come from
our plugin, which in a run with an engine of OpenSM only records events. Both clocks, the plugin's and
the one read just before the cut, are CLOCK_MONOTONIC. The subnet carries no data packets here:
traffic.py measures the packets that a cut loses.
"""
import dataclasses
import json
import pathlib
import statistics
import subprocess

from tools.lab import PLUGIN_STATUS, Lab, LabError, MissingError, replay, walk_all_pairs
from tools.lab.subnet import NO_PORT
from tools.lab.walk import cable_load

# (key, text for the reader), in the order in which they happen.
MILESTONES = (
    ("trap", "trap 128 received"),
    ("sweep_start", "heavy sweep starts"),
    ("located", "dead cable found"),
    ("tables_computed", "new tables computed"),
    ("proved", "new tables proved"),
    ("first_block", "first LFT block acknowledged"),
    ("all_reachable", "all pairs reachable again"),
    ("last_block", "last LFT block acknowledged"),
    ("confirmed", "read back from the switches"),
    ("discovery_done", "OpenSM's discovery done"),
    ("tables_begin", "OpenSM asks for tables"),
    ("subnet_up", "SUBNET UP"),
)


@dataclasses.dataclass(frozen=True)
class Setting:
    """One side of the comparison: its routing engine."""
    key: str
    title: str
    routing_engine: str  # the line of opensm.conf
    engine: str | None   # what the plugin's status must name; None: OpenSM's own engine routes


SELVEDGE = Setting("selvedge", "Selvedge updn", "selvedge-updn,no_fallback", "updn")
MINHOP = Setting("minhop", "OpenSM minhop", "minhop", None)


@dataclasses.dataclass(frozen=True)
class Cut:
    """The switch–switch cable that is cut, with its ends in ascending order."""
    end: tuple    # (switch GUID, port)
    other: tuple
    name: str     # S-0-0:2 – S-1-0:1

    @property
    def link(self):
        """The cable as the emulator's commands name it: by GUID, since names may occur twice."""
        return f"0x{self.end[0]:016x}:{self.end[1]}"


@dataclasses.dataclass
class Run:
    """The result of one run. `complaints` is empty if everything that the demonstration demands
    held."""
    setting: Setting
    cut: Cut
    before: object          # Subnet
    after: object
    survey_before: object   # Survey
    survey_after: object
    proof_before: dict
    proof_after: dict
    status: dict            # the plugin's, after the repair
    milestones: dict        # key → ms after the cut, or None where nothing can see it
    steps: list             # [(ms after the cut, pairs without a path from then on)]
    crossing: int           # walks that crossed the cable
    blocks: int             # LFT blocks acknowledged after the cut
    entries: int            # LFT entries that differ
    moved: int              # pairs whose path changed
    complaints: list

    @property
    def whole_ms(self):
        return self.milestones["all_reachable"]

    @property
    def pair_ms(self):
        """The sum over all pairs of the time without a path, in ms."""
        return sum(broken * (until - since) for (since, broken), (until, _)
                   in zip(self.steps, self.steps[1:]))


def prove(selvedge_route, subnet):
    """The verdict of `selvedge-route verify` on the output of infiniband-diags."""
    argv = [str(selvedge_route), "verify", "--fabric", f"file:{subnet.topology_path}", "--tables",
            str(subnet.tables_path), "--json"]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False,
                          stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 1):
        raise LabError(f"selvedge-route verify failed with status {done.returncode}",
                       " ".join(argv), done.stderr.strip()[-600:])
    try:
        return json.loads(done.stdout)
    except ValueError as error:
        raise LabError(f"selvedge-route verify printed no JSON ({error})", " ".join(argv),
                       f"it begins with {done.stdout[:120]!r}") from error


def choose_cut(subnet, survey):
    """The switch–switch cable that most paths cross, among those whose loss leaves the fabric
    connected; among equals the first by name."""
    def name(end):
        return f"{subnet.switches[end[0]].name}:{end[1]}"
    load = cable_load(subnet, survey)
    for cable, _ in sorted(load.items(), key=lambda item: (-item[1], name(item[0][0]))):
        if _connected_without(subnet, cable) and load[cable]:
            return Cut(cable[0], cable[1], f"{name(cable[0])} – {name(cable[1])}")
    raise LabError("no cable can be cut without taking the fabric apart", "the fabric",
                   "take one with a second path between its switches")


def _connected_without(subnet, cable):
    start = next(iter(subnet.switches))
    seen, waiting = {start}, [start]
    neighbours = {}
    for end, other in subnet.cables.items():
        if end not in cable:
            neighbours.setdefault(end[0], []).append(other[0])
    while waiting:
        for guid in neighbours.get(waiting.pop(), ()):
            if guid not in seen:
                seen.add(guid)
                waiting.append(guid)
    return len(seen) == len(subnet.switches)


def _milestones(events, cut_us, answer):
    """The times of the milestones. If there were several sweeps after the cut, those of the sweep that
    wrote the final tables."""
    def times(kind, since):
        return [e["monotonic_us"] for e in events
                if e["event"] == kind and e["monotonic_us"] >= since]

    def first(kind, since):
        return next(iter(times(kind, since)), None) if since is not None else None
    acks = [when // 1000 for when, _ in answer.steps[1:]]
    last = acks[-1] if acks else None
    starts = [t for t in times("heavy_sweep_start", cut_us) if last is None or t <= last]
    sweep = starts[-1] if starts else None
    done = first("heavy_sweep_done", sweep)
    # The fast path computes before the sweep's discovery, a sweep after it.
    confirmed = first("repair_confirmed", cut_us)
    begun = done if confirmed is None else cut_us
    found = {
        "trap": first("trap", cut_us),
        "sweep_start": sweep,
        "discovery_done": done,
        "tables_begin": first("tables_begin", done),
        "located": first("fault_located", cut_us),
        "tables_computed": first("tables_computed", begun),
        "proved": first("proved", begun),
        "confirmed": confirmed,
        "first_block": acks[0] if acks else None,
        "all_reachable": answer.whole_ns / 1000 if answer.whole_ns is not None else None,
        "last_block": last,
        "subnet_up": first("subnet_up", last),
    }
    return {key: None if at is None else (at - cut_us) / 1000 for key, at in found.items()}


def _replay(before, after, cut_ns, events):
    """The replay (tools/lab/walk.py) of as few repairs and sweeps as explain the tables that were read
    at the end: a later sweep may write the same contents again, which must not count."""
    cut_us = cut_ns // 1000
    acks = [(e["monotonic_us"] * 1000, int(e["guid"], 16), e["block"]) for e in events
            if e["event"] in ("lft_block", "repair_block") and e["monotonic_us"] >= cut_us]
    ends = [e["monotonic_us"] * 1000 for e in events if e["monotonic_us"] >= cut_us and
            e["event"] in ("repair_confirmed", "subnet_up")]
    for end in ends:
        answer = replay(before, after, cut_ns, [ack for ack in acks if ack[0] <= end])
        if not answer.unacknowledged:
            return answer
    return replay(before, after, cut_ns, acks)


def _first_host(net_path):
    for line in pathlib.Path(net_path).read_text(encoding="utf-8", errors="replace").splitlines():
        words = line.split('"')
        if len(words) >= 3 and words[0].split()[:1] in (["Hca"], ["Ca"]):
            return words[1]
    raise LabError("the fabric has no host", str(net_path), "opensm needs one to sit at")


def run(setting, net, build_dir, *, cut=None, lmc=0, keep=False, say=lambda text: None):
    """One run on a fresh emulated subnet and opensm. Without `cut`, the busiest cable is chosen."""
    selvedge_route = pathlib.Path(build_dir, "bin", "selvedge-route")
    if not selvedge_route.is_file():
        raise MissingError("selvedge-route is not built", str(selvedge_route),
                           "./run build, or name the build folder with --build-dir")
    with Lab(net, build_dir=build_dir, keep=keep, subnet="emulate") as lab:
        say("bringing the subnet up")
        sm = lab.opensm(host=_first_host(lab.net_path), plugin_toml=PLUGIN_STATUS,
                        options={"routing_engine": setting.routing_engine, "lmc": lmc,
                                 "sweep_interval": 10})
        sm.wait_up()
        sm.wait_settled(after=0, quiet_s=0.2)
        # With our engine, wait until the fast path is ready. With another engine there is none;
        # _complaints() reports a wrong engine at the end.
        sm.wait_status(lambda s: s["engine"] is None or s["fast_path"]["ready"])
        say("reading every LFT back")
        before = lab.read_subnet(label="before")
        survey_before = walk_all_pairs(before)
        proof_before = prove(selvedge_route, before)
        cut = cut or choose_cut(before, survey_before)

        say(f"cutting {cut.name}")
        mark = sm.mark()
        cut_ns = lab.console(f"cut {cut.link}")
        sm.wait_settled(after=mark)
        events, status = sm.events(), sm.ask("status")
        ours = setting.engine is not None and status.get("engine") == setting.engine
        proved = sm.ask("tables") if ours else None
        say("reading every LFT back")
        after = lab.read_subnet(label="after")
        survey_after = walk_all_pairs(after)
        proof_after = prove(selvedge_route, after)

        answer = _replay(before, after, cut_ns, events)
        milestones = _milestones(events, cut_ns // 1000, answer)
        end = milestones["subnet_up"] or milestones["last_block"] or 0
        steps = [((when - cut_ns) / 1e6, broken) for when, broken in answer.steps]
        steps.append((max(end, steps[-1][0]), steps[-1][1]))
        walks_before, walks_after = survey_before.walks, survey_after.walks
        result = Run(
            setting=setting, cut=cut, before=before, after=after, survey_before=survey_before,
            survey_after=survey_after, proof_before=proof_before, proof_after=proof_after,
            status=status, milestones=milestones, steps=steps,
            crossing=sum(cut.end in walk.hops or cut.other in walk.hops
                         for walk in walks_before.values()),
            blocks=answer.blocks, entries=len(before.lft_difference(after)),
            moved=sum(walk.hops != walks_after[pair].hops for pair, walk in walks_before.items()
                      if pair in walks_after),
            complaints=[])
        result.complaints = _complaints(result, answer, proved)
        return result


def _differing_switches(proved, subnet):
    """The names of the switches whose LFT, as read back, differs from the one that the plugin
    proved."""
    names = []
    for switch in proved["fabric"]["switches"]:
        guid = int(switch["guid"], 16)
        lft = {lid: port for lid, port in enumerate(proved["lft"][switch["id"]]) if port != NO_PORT}
        if guid in subnet.lfts and lft != subnet.lfts[guid]:
            names.append(switch["name"])
    return names


def _complaints(run_, answer, proved):
    setting, found = run_.setting, []
    for when, survey in (("before the cut", run_.survey_before),
                         ("after the repair", run_.survey_after)):
        if survey.broken:
            found.append(f"{survey.broken_pairs} of {survey.pairs} pairs have no path {when}: "
                         f"{survey.first_fault()}")
    if run_.cut.end in run_.after.cables:
        found.append(f"the cable {run_.cut.name} is still there after the cut")
    if not run_.crossing:
        found.append(f"no path crossed {run_.cut.name}")
    if answer.unacknowledged:
        found.append(f"{len(answer.unacknowledged)} LFT blocks changed without an acknowledgement that "
                     "the plugin saw")
    if run_.status.get("engine") != setting.engine:
        found.append(f"the engine that routed was {run_.status.get('engine')}, not {setting.engine}")
    if setting.engine is not None:
        for when, proof in (("before the cut", run_.proof_before),
                            ("after the repair", run_.proof_after)):
            found += [f"not {key.replace('_', ' ')} {when}: {_witness(proof)}"
                      for key in ("connected", "loop_free", "deadlock_free") if not proof.get(key)]
        if proved and (differing := _differing_switches(proved, run_.after)):
            found.append("the LFTs in the switches are not those that the plugin proved: "
                         f"{', '.join(differing)}")
        proof = (run_.status.get("last_sweep") or {}).get("proof") or {}
        found += [f"the plugin did not prove its tables {key.replace('_', ' ')}"
                  for key in ("connected", "loop_free", "deadlock_free") if not proof.get(key)]
    return found


def _witness(proof):
    witness = proof.get("witness")
    return witness.get("text", witness) if isinstance(witness, dict) else witness


def median_run(runs):
    """The run whose recovery took the median time (the upper one of an even number)."""
    timed = sorted((r for r in runs if r.whole_ms is not None), key=lambda r: r.whole_ms)
    return timed[len(timed) // 2] if timed else runs[0]


def spread(runs, key):
    """(median, least, most) of a milestone over the runs that saw it, or None."""
    seen = [r.milestones[key] for r in runs if r.milestones[key] is not None]
    return (statistics.median(seen), min(seen), max(seen)) if seen else None
