# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The EBB of `selvedge-route compare` beside the traffic that the simulator's network accepts at full load, engine by
engine, of conf/experiments/engines-load.toml:

    python3 -m tools.bench.engine_ranks [--build build] [--fabrics N] [--duration-us T] [--seeds N]

For each fabric and pattern the pairs of engines are counted that both order alike. Pairs that one of the two holds for
equal, within 1 %, are not counted. Loads are shares of a host's link.
"""
import argparse
import csv
import itertools
import json
import pathlib
import statistics
import subprocess
import tempfile
import tomllib

EXPERIMENT = pathlib.Path(__file__).parents[2] / "conf/experiments/engines-load.toml"
EQUAL = 0.01  # a relative difference below which two figures are held for equal


def ebbs(build, spec, engines):
    """{engine: EBB of base LIDs, one LID a host}"""
    done = subprocess.run([str(pathlib.Path(build, "bin/selvedge-route")), "compare", "--fabric", spec, "--engines", ",".join(engines),
                           "--lmc", "0", "--json"], check=True, capture_output=True, text=True)
    return {row["engine"]: row["ebb"] for row in json.loads(done.stdout)["rows"]}


def accepted(build, specs, seeds, duration_us):
    """{(fabric, pattern, engine): accepted load, the mean over the seeds}"""
    with tempfile.TemporaryDirectory() as folder:
        listed = ",".join(json.dumps(spec) for spec in specs)
        subprocess.run([str(pathlib.Path(build, "bin/selvedge-sim")), "run", str(EXPERIMENT), "--out", folder, "--set",
                        f"fabric.spec=[{listed}]", "--set", f"run.seed={list(range(1, seeds + 1))}", "--set",
                        f"measure.duration_us={duration_us}"], check=True, capture_output=True)
        loads = {}
        with open(pathlib.Path(folder, "results.csv"), encoding="utf-8") as text:
            for row in csv.DictReader(text):
                place = row["fabric.spec"] if len(specs) > 1 else specs[0], row["traffic.pattern"], row["routing.engine"]
                loads.setdefault(place, []).append(float(row["accepted_load"]))
    return {place: statistics.mean(values) for place, values in loads.items()}


def order(a, b):
    return 0 if abs(a - b) <= EQUAL * max(a, b) else 1 if a > b else -1


def agreement(ebb, load):
    """(pairs of engines that both order alike, pairs that both order)"""
    orders = [(order(ebb[a], ebb[b]), order(load[a], load[b])) for a, b in itertools.combinations(ebb, 2)]
    both = [one == other for one, other in orders if one and other]
    return sum(both), len(both)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--fabrics", type=int, default=6, help="the first N of the experiment")
    parser.add_argument("--duration-us", type=float, default=60.0)
    parser.add_argument("--seeds", type=int, default=1)
    options = parser.parse_args()
    experiment = tomllib.loads(EXPERIMENT.read_text(encoding="utf-8"))
    specs, engines = experiment["fabric"]["spec"][:options.fabrics], experiment["routing"]["engine"]
    patterns = experiment["traffic"]["pattern"]
    loads = accepted(options.build, specs, options.seeds, options.duration_us)
    alike = counted = 0
    print(f"| fabric | engine | EBB | {' | '.join(patterns)} |\n|---|---|---|{'---|' * len(patterns)}")
    for spec in specs:
        ebb = ebbs(options.build, spec, engines)
        for engine in engines:
            print(f"| {spec} | {engine} | {ebb[engine]:.3f} | " +
                  " | ".join(f"{loads[spec, pattern, engine]:.3f}" for pattern in patterns) + " |")
        figures = []
        for pattern in patterns:
            one, of = agreement(ebb, {engine: loads[spec, pattern, engine] for engine in engines})
            alike, counted = alike + one, counted + of
            figures.append(f"{one} of {of}")
        print(f"| | ordered alike | | {' | '.join(figures)} |", flush=True)
    print(f"\n{alike} of {counted} pairs of engines are ordered alike")


if __name__ == "__main__":
    main()
