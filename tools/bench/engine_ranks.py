# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The EBB of `selvedge-route compare` beside what the simulator's network accepts, engine by engine, on the fabrics and under
the traffic of conf/experiments/engines-{load,all-to-all,cut}.toml:

    python3 -m tools.bench.engine_ranks [--opensm] [--engines A,B,…] [--fill-vls] [--out DIR] [--build build]
                        [--fabrics N | SPEC...] [--seeds N] [--duration-us T] [--loads A,B,…] [--set KEY=VALUE]...

A table for each fabric. Loads are shares of a host's link, means over the seeds with the half-width of the 95 % interval
by Student's t. With --opensm the engines of the unmodified OpenSM are in it too: each is brought up on the emulator and
captured (tools/bench/opensm_captures.py). With --out captures and simulated points are kept there and used again. With
--fill-vls tables that leave VLs unused are repeated on them (tools/bench/filled_vls.py), so that VLs differ less.

Below each table: the pairs of engines that a pattern orders as EBB does, and as another figure does: the most pairs of hosts on
one VL of a channel (fewer are better), for bit-complement the bandwidth of that permutation. Not counted are pairs
that are equal (within 1 %, or by the interval of their difference over the seeds), and engines whose tables may
deadlock. After the cut nobody changes the tables; what is lost stands beside the share of the pairs whose path had
the cable.
"""
import argparse
import collections
import contextlib
import csv
import itertools
import json
import pathlib
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import tomllib

from tools.bench import opensm_captures
from tools.bench.filled_vls import filled
from tools.bench.permutation_loads import bit_complement, pairs_over, permutation_bandwidth, read_paths
from tools.bench.rows import note
from tools.bench.scheme_table import STUDENT
from tools.lab.errors import LabError

CONF = pathlib.Path(__file__).parents[2] / "conf/experiments"
EXPERIMENTS = ("load", "all-to-all", "cut")
PATTERNS = ("uniform", "permutations", "all-to-all", "bit-complement", "cut")
OURS = ("balanced", "updn", "tftr")
EQUAL = 0.01  # a relative difference below which two figures are held for equal
FEWEST_SEEDS = 3  # for an interval that says something


def program(build, name):
    return str(pathlib.Path(build, "bin", name).resolve())


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or ["nothing"]
        raise LabError(f"{pathlib.Path(command[0]).name} {command[1]} ended with {done.returncode}", command[3], said[-1].removeprefix("error: "))
    return done.stdout


def experiment(name):
    return tomllib.loads((CONF / f"engines-{name}.toml").read_text(encoding="utf-8"))


def toml_text(document):
    """TOML of one level of sections; JSON's strings, numbers and lists are TOML's."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in document.items() if not isinstance(value, dict)]
    for name, section in document.items():
        if isinstance(section, dict):
            lines += [f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in section.items())]
    return "\n".join(lines) + "\n"


def own_tables(build, spec, folder):
    """{engine: path of its tables}, one LID a host."""
    folder.mkdir(parents=True, exist_ok=True)
    for engine in OURS:
        run([program(build, "selvedge-route"), "compute", "--fabric", spec, "--engine", engine, "--lmc", "0", "--tables",
             str(folder / f"{engine}.json")])
    return {engine: folder / f"{engine}.json" for engine in OURS}


def with_filled_vls(files, folder):
    folder.mkdir(exist_ok=True)
    result = {engine: folder / f"{engine.replace(' ', '-')}.json" for engine in files}
    for engine, path in result.items():
        path.write_text(json.dumps(filled(json.loads(files[engine].read_text(encoding="utf-8")))), encoding="utf-8")
    return result


def same_fabric(spec, files):
    """Hosts, and cables in their order: traffic and cuts are drawn by their numbers."""
    def identity(path):
        fabric = json.loads(path.read_text(encoding="utf-8"))["fabric"]
        return [(h["name"], h["switch"], h["port"]) for h in fabric["hosts"]], fabric["links"]
    first, *others = map(identity, files.values())
    if any(other != first for other in others):
        raise LabError("the captured fabric is numbered otherwise", spec, "remove the folder of its captures")


def figures(build, spec, files):
    """{engine: row of compare}, with the figures of the patterns' own paths."""
    words = [word for path in files.values() for word in ("--tables", str(path))]
    document = json.loads(run([program(build, "selvedge-route"), "compare", "--fabric", spec, *words, "--json"]))
    found = dict(zip(files, document["rows"], strict=True))
    for engine, row in found.items():
        paths = read_paths(files[engine])
        row["halves"] = permutation_bandwidth(paths, bit_complement(len(paths.hosts)))
    return found


def points_of(name, duration_us, seeds, files, loads=None):
    """The experiment of conf/experiments with these tables. Seeds are of traffic, of the cut also of the cable. `loads`: those
    to offer instead of full load."""
    document = experiment(name)
    del document["fabric"]
    document["routing"] = {"tables": [str(path.resolve()) for path in files.values()]}
    document["measure"]["duration_us"] = duration_us
    document["run"]["seed"] = seeds
    if name == "load" and loads:
        document["traffic"]["load"] = loads
    if name == "cut":
        document["faults"]["seed"], document["run"]["seed"] = seeds, 1
    return document


def cut_cables(folder):
    """{point: the (switch name, port) that was cut}"""
    with contextlib.closing(sqlite3.connect(folder / "results.sqlite")) as database:
        found = database.execute("SELECT plan.position, what FROM plan JOIN run_events USING (digest) WHERE what LIKE 'cut %'")
        return {point: re.fullmatch(r"cut (.+):(\d+)", what).groups() for point, what in found}


def outcome(row):
    return {"deadlock": row["state"] == "deadlocked", "accepted": float(row["accepted_load"])}


def better(before, one):
    """A deadlock at any load is one."""
    if before is None or one["deadlock"]:
        return one
    return before if before["deadlock"] or before["accepted"] >= one["accepted"] else one


def loss(row, at_us, paths, cable):
    """The share of the packets that were lost after the cut, and that of the pairs whose path had the cable."""
    simulated_us = float(row["warmup_us"]) + float(row["measured_us"])
    after = int(row["packets_injected"]) * (1 - at_us / simulated_us)
    switch, port = cable
    return {"lost": int(row["packets_lost"]) / max(1, after), "pairs": pairs_over(paths, paths.switch_named[switch], int(port))}


def simulated(build, name, document, overrides, files, folder):
    """{pattern: {engine: [what the simulator says of each seed, at the load of which most is accepted]}}"""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "experiment.toml"
    path.write_text(toml_text(document), encoding="utf-8")
    words = [word for override in overrides for word in ("--set", override)]
    # Tables that may deadlock are let in; the simulator finds each deadlock.
    run([program(build, "selvedge-sim"), "run", "--allow-unproved", str(path), "--out", str(folder), *words])
    engines = {str(path.resolve()): engine for engine, path in files.items()}
    cables = cut_cables(folder) if name == "cut" else {}
    found = collections.defaultdict(lambda: collections.defaultdict(dict))
    with open(folder / "results.csv", encoding="utf-8") as text:
        for row in csv.DictReader(text):
            engine = engines[row["routing.tables"]] if len(files) > 1 else next(iter(files))
            one = outcome(row)
            if cables and not one["deadlock"]:
                one |= loss(row, document["faults"]["at_us"], read_paths(files[engine]), cables[int(row["point"])])
            seeds = found[row.get("traffic.pattern", name)][engine]
            seed = row.get("run.seed", row.get("faults.seed"))
            seeds[seed] = better(seeds.get(seed), one)
    return {pattern: {engine: list(seeds.values()) for engine, seeds in of.items()} for pattern, of in found.items()}


def half_width(values):
    if len(values) < FEWEST_SEEDS:
        return 0.0
    return STUDENT[min(len(values) - 1, len(STUDENT) - 1)] * statistics.stdev(values) / len(values) ** 0.5


def order(a, b):
    """1: the first is the better; 0: equal. Two numbers, or two lists of numbers, seed by seed."""
    if not isinstance(a, list):
        a, b = [a], [b]
    mine, other = statistics.fmean(a), statistics.fmean(b)
    if abs(mine - other) <= max(EQUAL * max(mine, other), half_width([x - y for x, y in zip(a, b, strict=True)])):
        return 0
    return 1 if mine > other else -1


def agreement(figure, loads):
    """(pairs of engines that both order alike, pairs that both order, [pairs in which they disagree])"""
    orders = {(a, b): (order(figure[a], figure[b]), order(loads[a], loads[b])) for a, b in itertools.combinations(figure, 2)}
    both = {pair: one == other for pair, (one, other) in orders.items() if one and other}
    against = [pair if orders[pair][1] > 0 else pair[::-1] for pair, alike in both.items() if not alike]
    return len(both) - len(against), len(both), against


def number(values):
    half = half_width(values)
    return f"{statistics.fmean(values):.3f}" + (f" ± {half:.3f}" if half >= 0.0005 else "")


def cell(runs, pattern):
    stuck = sum(one["deadlock"] for one in runs)
    if stuck:
        return f"deadlock, {stuck} of {len(runs)}"
    text = number([one["accepted"] for one in runs])
    if pattern == "cut":
        lost, pairs = (100 * statistics.fmean(one[key] for one in runs) for key in ("lost", "pairs"))
        text += f"; {lost:.1f} % lost, {pairs:.1f} % of pairs"
    return text


def label(engine):
    return engine.replace("opensm ", "OpenSM ") if engine.startswith("opensm ") else f"`{engine}`"


# What may order engines as a pattern does: name, and the figure from a row, of which more is better.
EBB = "EBB", lambda row: row["ebb"]
VL = "pairs on the busiest VL", lambda row: 1 / max(1, row["base_vl_load_max"])
HALVES = "EBB of bit-complement", lambda row: row["halves"]
PREDICTORS = {"uniform": (EBB, VL), "permutations": (EBB, VL), "all-to-all": (EBB, VL), "bit-complement": (EBB, HALVES), "cut": (EBB,)}


def table(found, loads):
    heads = ["engine", "VLs", "may deadlock", EBB[0], VL[0], "uniform", "permutations", "all-to-all", HALVES[0], "bit-complement", "cut"]
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for engine, row in found.items():
        cells = {"engine": label(engine), "VLs": row["vls_used"], "may deadlock": "no" if row["deadlock_free"] else "yes",
                 EBB[0]: f"{row['ebb']:.3f}", VL[0]: row["base_vl_load_max"], HALVES[0]: f"{row['halves']:.3f}"}
        cells |= {pattern: cell(loads[pattern][engine], pattern) for pattern in PATTERNS}
        lines.append("| " + " | ".join(str(cells[head]) for head in heads) + " |")
    return "\n".join(lines)


def agreements(found, loads):
    """{pattern: {predictor: agreement}}, of engines free of deadlock"""
    free = [engine for engine, row in found.items() if row["deadlock_free"]]
    result = {}
    for pattern, predictors in PREDICTORS.items():
        load = {engine: [one["accepted"] for one in loads[pattern][engine]] for engine in free}
        result[pattern] = {name: agreement({engine: of(found[engine]) for engine in free}, load) for name, of in predictors}
    return result


def measured(build, spec, opensm, folder, options):
    """(figures, loads) of the engines on one fabric."""
    note(f"{spec}: our engines")
    files = own_tables(build, spec, folder / "ours")
    if opensm:
        files |= {f"opensm {engine}": path for engine, path in
                  opensm_captures.captures(build, spec, folder / "captured", options.engines).items()}
    same_fabric(spec, files)
    if options.fill_vls:
        files = with_filled_vls(files, folder / "filled")
    found, loads = figures(build, spec, files), {}
    for name in EXPERIMENTS:
        note(f"{spec}: {name}, {options.seeds} seed{'s' * (options.seeds > 1)}, {len(files)} engines")
        document = points_of(name, options.duration_us, list(range(1, options.seeds + 1)), files, options.loads)
        loads |= simulated(build, name, document, options.set, files, folder / name)
    return found, loads


def specs_of(words, known):
    if len(words) == 1 and words[0].isdigit():
        return known[:int(words[0])]
    return words


def arguments(words):
    parser = argparse.ArgumentParser(prog="python3 -m tools.bench.engine_ranks", description=__doc__.split("\n\n", 1)[0])
    parser.add_argument("--opensm", action="store_true", help="beside the engines of the unmodified OpenSM")
    parser.add_argument("--engines", default=",".join(opensm_captures.ENGINES), metavar="A,B,…",
                        type=lambda text: text.split(","), help="those of OpenSM's (default: %(default)s)")
    parser.add_argument("--fill-vls", action="store_true", help="repeat each engine's VLs on those that it leaves unused")
    parser.add_argument("--out", type=pathlib.Path, metavar="DIR", help="where captures and points are kept; a stopped run resumes")
    parser.add_argument("--build", default="build", metavar="DIR")
    parser.add_argument("--fabrics", nargs="+", default=["6"], metavar="N", help="the first N of the experiment, or FABRICs as "
                        "selvedge-route's --fabric")
    parser.add_argument("--duration-us", type=float, default=60.0, metavar="T", help="measured time (default: %(default)s)")
    parser.add_argument("--seeds", type=int, default=3, metavar="N", help="of each point (default: %(default)s)")
    parser.add_argument("--loads", type=lambda text: [float(load) for load in text.split(",")], metavar="A,B,…",
                        help="offered instead of full load; a seed's figure is the most that is accepted of any")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="as selvedge-sim's, for all points")
    options = parser.parse_args(words)
    if options.seeds < 1:
        parser.error("--seeds: give 1 or more")
    if lists := [text for text in options.set if "[" in text]:
        parser.error(f"--set {lists[0]}: give one value")
    cut = experiment("cut")
    if options.duration_us <= (least := cut["faults"]["at_us"] - cut["measure"]["warmup_us"]):
        parser.error(f"--duration-us: the cable is cut {least:g} µs after measuring begins: give more")
    if unknown := set(options.engines) - set(opensm_captures.ENGINES):
        parser.error(f"--engines: OpenSM has no {', '.join(sorted(unknown))}: choose from {', '.join(opensm_captures.ENGINES)}")
    return options


def report(options, folder):
    specs = specs_of(options.fabrics, experiment("load")["fabric"]["spec"])
    total = {}
    for spec in specs:
        found, loads = measured(options.build, spec, options.opensm, folder / re.sub(r"\W+", "-", spec), options)
        print(f"\n`{spec}`\n\n{table(found, loads)}\n")
        for pattern, of in agreements(found, loads).items():
            for name, (alike, counted, against) in of.items():
                here = total.setdefault((pattern, name), [0, 0])
                here[0], here[1] = here[0] + alike, here[1] + counted
                words = "; ".join(f"{label(a)} over {label(b)}" for a, b in against)
                print(f"- {pattern}, by {name}: {alike} of {counted} pairs alike" + (f"; against it {words}" if words else ""))
        sys.stdout.flush()
    print("\n| pattern | figure | pairs ordered alike |\n|---|---|---|")
    for (pattern, name), (alike, counted) in total.items():
        print(f"| {pattern} | {name} | {alike} of {counted} |")


def main(words=None):
    options = arguments(words)
    try:
        if options.out:
            report(options, options.out)
        else:
            with tempfile.TemporaryDirectory() as folder:
                report(options, pathlib.Path(folder))
    except LabError as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
