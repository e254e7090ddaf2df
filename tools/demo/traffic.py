# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The packets that a cut loses or delays: runs of `selvedge-sim compare-sm`, and their figures.

compare-sm emulates the fabric with data packets, by the clock of the managers' CPU time
(docs/emulator.md). A run has one engine, so that runs of the two sides alternate like those of the lab.
All times here are the fabric's, in ms since the cut.
"""
import json
import pathlib
import statistics
import subprocess

from tools.lab import InputError, LabError, MissingError
from tools.lab.lab import find_emulator
from tools.lab.process import spawn

PRESET, PATTERN, LOAD = "thesis", "uniform", 0.2
_PATIENCE_S = 120  # of this machine's time, for one run

# Why packets are lost (`lost_by_cause` of compare-sm), with a text for the reader.
CAUSES = {
    "cut": "on the cable that was cut",
    "dead_port": "queued for a port whose link is down",
    "no_route": "no route",
    "wrong_host": "at a host without that LID",
    "vl15": "SL2VL maps it to VL 15",
    "vl15_full": "no buffer space on VL 15",
    "head_of_queue": "head-of-queue lifetime",
    "switch_life": "switch lifetime",
    "recovery": "discarded by the manager",
}
# (key in a run's result, text for the reader, units per ms, decimals)
_TIMES = (
    ("routed_after_ms", "all pairs routed again, ms after the cut", 1, 2),
    ("last_loss_ms", "last packet lost, ms after the cut", 1, 2),
    ("slowest_packet_ms", "slowest packet after the cut, µs", 1000, 1),
    ("slowest_packet_before_ms", "slowest packet before the cut, µs", 1000, 1),
)


def run(setting, net, build_dir, *, link, seed, load=LOAD, lmc=0):
    """One run with the routing engine of a Setting; returns compare-sm's result. `link` is one end of
    the cable that is cut, as GUID:PORT. With the same seed both sides have the same messages."""
    # "no_fallback" is left out: compare-sm separates engines by commas.
    argv = [str(find_emulator(build_dir)), "compare-sm",
            "--fabric", f"file:{pathlib.Path(net).resolve()}", "--fault", link,
            "--engine", setting.routing_engine.split(",")[0], "--preset", PRESET, "--pattern", PATTERN,
            "--load", str(load), "--seed", str(seed), "--timeout-s", str(_PATIENCE_S),
            "--opensm-line", f"lmc {lmc}", "--json"]
    process = spawn(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                    text=True, errors="replace")
    try:
        out, said = process.communicate(timeout=2 * _PATIENCE_S)
    except BaseException as error:
        process.terminate()  # compare-sm then ends its opensm and removes opensm's folder
        try:
            process.communicate(timeout=3)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        if isinstance(error, subprocess.TimeoutExpired):
            raise LabError(f"compare-sm did not end within {2 * _PATIENCE_S} s", " ".join(argv),
                           "run it by hand to see what it waits for") from None
        raise
    if process.returncode != 0:
        raise _failure(process.returncode, argv, said)
    try:
        document = json.loads(out)
        if document["complete"]:
            return document["runs"][0]
    except (ValueError, KeyError, IndexError) as error:
        raise LabError(f"compare-sm's JSON cannot be read ({error!r})", " ".join(argv),
                       f"it begins with {out[:120]!r}") from error
    raise LabError("compare-sm was interrupted", " ".join(argv), "run the demonstration again")


def _failure(status, argv, said):
    """The error of a failed run: compare-sm's last line, if it has the form WHAT: WHERE: WHAT TO DO."""
    last = (said.strip().splitlines() or [""])[-1]
    parts = last.removeprefix("error: ").split(": ", 2)
    if status in (2, 3) and last.startswith("error: ") and len(parts) == 3:
        return (InputError if status == 2 else MissingError)(*parts)
    return LabError(f"compare-sm failed with status {status}", " ".join(argv),
                    f"it said: {said[-600:]}")


def facts(runs, load):
    """What the report shows, as plain values. `runs`: Setting → [what run() returned]."""
    sides = [_side(setting, done) for setting, done in runs.items()]
    ends = [side["shown"][key] or 0 for side in sides for key in ("last_loss_ms", "routed_after_ms")]
    return {
        "load": load, "preset": PRESET, "pattern": PATTERN,
        "axis_ms": max(*ends, 0.1) * 1.06,
        "sides": sides,
        "complaints": [f"{setting.title} under traffic, run {n}: {text}"
                       for setting, done in runs.items() for n, each in enumerate(done, 1)
                       for text in _complaints(setting, each)],
    }


def _side(setting, done):
    shown = sorted(done, key=lambda each: each["lost"])[len(done) // 2]
    return {
        "key": setting.key,
        "title": setting.title,
        "lost": quartiles([each["lost"] for each in done]),
        "lost_by_cause": {cause: quartiles([each["lost_by_cause"][cause] for each in done])
                          for cause in CAUSES},
        **{key: quartiles([each[key] for each in done if each[key] is not None])
           for key, *_ in _TIMES},
        "deadlocks": sum(each["deadlock"] for each in done),
        "runs": [{key: value for key, value in each.items() if key != "curve"} for each in done],
        "shown": {"run": done.index(shown) + 1, "last_loss_ms": shown["last_loss_ms"],
                  "routed_after_ms": shown["routed_after_ms"], "lost": shown["lost"],
                  "curve": without_repeats(shown["curve"])},
    }


def quartiles(values):
    """[first quartile, median, third quartile], or None of no values."""
    if not values:
        return None
    # statistics.quantiles needs two values; a single value is all three quartiles.
    return statistics.quantiles(values * 2 if len(values) == 1 else values, n=4, method="inclusive")


def without_repeats(curve):
    """The curve [[ms, delivered, lost]…] without the points within flat stretches, where neither
    neighbour differs in lost packets."""
    return [point for i, point in enumerate(curve)
            if i in (0, len(curve) - 1) or not curve[i - 1][2] == point[2] == curve[i + 1][2]]


def _complaints(setting, run_):
    found = []
    if not run_["ended"]:
        found.append(f"the manager was not done after {_PATIENCE_S} s")
    if run_["unrouted_pairs"]:
        found.append(f"{run_['unrouted_pairs']} of {run_['pairs']} pairs were not routed again")
    if run_["pairs_without_path"]:
        found.append(f"the SA gave no path for {run_['pairs_without_path']} of {run_['pairs']} pairs")
    # A deadlock is a failure only of our engines, whose tables are proved free of deadlock.
    if setting.engine is not None and run_["deadlock"]:
        found.append("packets waited for each other in a deadlock")
    return found


def rows(traffic):
    """[(what, [[first quartile, median, third quartile] as text, or a text, or None, for each side])]"""
    sides = traffic["sides"]

    def row(what, value, decimals, units=1):
        return what, [[f"{units * q:,.{decimals}f}" for q in value(side)] if value(side) else None
                      for side in sides]
    met = [cause for cause in CAUSES
           if any(each["lost_by_cause"][cause] for side in sides for each in side["runs"])]
    return [
        row("packets lost", lambda side: side["lost"], 0),
        *(row(f"– {CAUSES[cause]}", lambda side, c=cause: side["lost_by_cause"][c], 0)
          for cause in met),
        *(row(what, lambda side, k=key: side[k], decimals, units)
          for key, what, units, decimals in _TIMES),
        ("runs with a deadlock",
         [f"{side['deadlocks']} of {len(side['runs'])}" for side in sides]),
    ]
