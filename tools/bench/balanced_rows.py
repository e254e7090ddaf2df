# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The quality of `balanced` on fabrics of every kind (conf/fabrics), beside that of all engines of the unmodified
OpenSM, which route the same fabric live on ibsim in the same run. Their LFTs are read back from the switches, and
`selvedge-route compare` judges theirs and ours.

An engine of OpenSM is a peer if it came up and is free of deadlock: those of BY_VLS by their own VLs, others if
their LFTs are proved on one VL. Its responses are not judged here.
"""
import functools
import hashlib
import json
import pathlib
import random
import re
import statistics
import tempfile

from tools.bench import tree_fabrics
from tools.bench.quality import PERMUTATIONS, SEED, cell, compare, worst_row
from tools.bench.rows import note, route, row
from tools.bench.tree_opensm import opensm_tables

FABRICS = ("irregular-40x5", "random-regular-60x6", "dragonfly-9x4", "slimfly-q5", "hyperx-4x4x4", "torus-7x9",
           "torus-5x5x5", "tree-4-3", "parallel-cables-unequal-leaves", "irregular-200x8")
OPENSM = ("minhop", "updn", "ftree", "dor", "torus-2QoS", "lash", "dfsssp", "sssp", "nue")
BY_VLS = ("torus-2QoS", "lash", "dfsssp", "nue")
MOST_VLS = 8
TORI = {"torus-7x9": (7, 9), "torus-5x5x5": (5, 5, 5)}
CLOSED_FORM = {"hyperx-4x4x4": 64, "torus-7x9": 280, "torus-5x5x5": 75, "tree-4-3": 60,
               "parallel-cables-unequal-leaves": 208}
REPLIES_EBB = {"irregular-40x5": .545, "random-regular-60x6": .560, "dragonfly-9x4": .555, "irregular-200x8": .52}
SPREAD_EBB = {"irregular-40x5": .61, "random-regular-60x6": .65, "hyperx-4x4x4": .90, "slimfly-q5": .56}
DISJOINT = ("slimfly-q5", 3, .9)
REPAIRED = (1, 3)
PATIENCE_S = 120  # for an engine of OpenSM; then it counts as one that does not come up
SECONDS_200 = 2
LARGE = "random-regular:switches=2000,degree=8,hosts=10,seed=1"
SECONDS_2000 = 30


def usual_variants(net, seed):
    """{name: net}: intact, numbered otherwise, and damaged."""
    return {"intact": net, "shuffled": net.shuffled(seed), "1 cable missing": net.without_cables(1, seed)[0],
            "3 cables missing": net.without_cables(3, seed)[0], "switch dead": without_switch(net, seed)}


def without_switch(net, seed):
    """The fabric without a switch whose loss leaves the others connected: one of the top level if there are several
    levels, as tree_fabrics has it."""
    for attempt in range(100):
        less = net.without_spine(seed + 1000 * attempt)
        if less.connected():
            return less
    raise ValueError("every switch that was drawn is a cut vertex")


def chosen_cases(full, seed):
    """[(fabric, variant, seed)]. The sample: all intact, and one other variant of each fabric."""
    names = ("shuffled", "1 cable missing", "3 cables missing", "switch dead")
    draw = random.Random(seed)
    if not full:
        return [(fabric, variant, seed) for fabric in FABRICS for variant in ("intact", draw.choice(names))]
    seeds = range(seed, seed + 10)
    return [(fabric, variant, s) for fabric in FABRICS
            for variant, used in (("intact", seeds[:1]), *((name, seeds) for name in names)) for s in used]


def torus_config(net, sides, path):
    """Writes the file of torus-2QoS: the sides of the torus, and the cables of an origin that has all of its own."""
    place = {tuple(map(int, re.findall(r"\d+", node.name))): node.guid for node in net.switches}
    near = {frozenset((net.switches[a].guid, net.switches[b].guid)) for a, _, b, _ in net.cables}

    def links(origin):
        for i, axis in enumerate("xyz"[:len(sides)]):
            for way, step in (("p", 1), ("m", -1)):
                far = tuple((c + step * (k == i)) % sides[k] for k, c in enumerate(origin))
                if far in place and frozenset((place[origin], place[far])) in near:
                    yield f"{axis}{way}_link 0x{place[origin]:016x} 0x{place[far]:016x}"
    lines = next(found for origin in sorted(place) if len(found := list(links(origin))) == 2 * len(sides))
    path.write_text("\n".join([f"torus {' '.join(map(str, (*sides, 1)[:3]))}", *lines]) + "\n", encoding="ascii")
    return path


def options_of(net, fabric, folder):
    """{engine: what it needs in opensm.conf}, for the engines that could route the fabric."""
    options = {engine: {} for engine in OPENSM}
    options["nue"] = {"nue_max_num_vls": MOST_VLS}
    if fabric in TORI:
        options["torus-2QoS"] = {"torus_config": torus_config(net, TORI[fabric], folder / "torus-2QoS.conf")}
    else:
        del options["torus-2QoS"]
    return {engine: {"max_op_vls": 4, **more} for engine, more in options.items()}  # 4 stands for 8 VLs


def free_of_deadlock(engine, found):
    return found["connected"] and found["loop_free"] and (engine in BY_VLS or found["deadlock_free"])


def measure(build, net, fabric):
    """{"opensm": {engine: row}, "ours": row, "tftr": row or None}"""
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        topology, dumps = opensm_tables(net, folder, build, options_of(net, fabric, folder), PATIENCE_S)
        files = [word for path in dumps.values() for word in ("--tables", path)]
        peers = dict(zip(dumps, compare(build, topology, *files)))
        ours = compare(build, topology, "--engines", "balanced", "--lmc", 0, "--replies", "base")[0]
        best = best_peer(peers)
        if best is None:  # then tftr is what we are measured by
            best = ("tftr", compare(build, topology, "--engines", "tftr", "--lmc", 0)[0])
    return {"opensm": peers, "ours": ours, "best": best}


def best_peer(peers):
    usable = [(name, found) for name, found in peers.items() if free_of_deadlock(name, found)]
    return max(usable, key=lambda one: one[1]["ebb"], default=None)


def table(cases):
    lines = [["fabric", "variant", *(f"osm {engine}" for engine in OPENSM), "balanced", "VLs, SLs", "responses"]]
    for (fabric, variant, seed), case in cases.items():
        ours = case["ours"]
        lines.append([fabric, variant if seed == SEED else f"{variant}, seed {seed}",
                      *(cell(case["opensm"].get(e), e not in case["opensm"] or
                             free_of_deadlock(e, case["opensm"][e])) for e in OPENSM),
                      cell(ours), f"{ours['vls_used']}, {ours['sls_used']}", ours["replies"]])
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(line, widths)).rstrip() for line in lines)


def beside_opensm(cases):
    """For each fabric the worst EBB and maximum of its variants, beside the best engine of OpenSM on that variant."""
    rows = []
    for fabric in FABRICS:
        mine = [(variant if seed == SEED else f"{variant}, seed {seed}", case)
                for (name, variant, seed), case in cases.items() if name == fabric]
        for key, what, unit, bounds in (("ebb", "EBB", "", {"at_least": .98}),
                                        ("base_channel_load_max", "max", "pairs", {"at_most": 1.15})):
            rows.append(worst_row(f"{fabric}: balanced {what}", unit, [
                (label, case["ours"][key], case["best"][1][key], case["best"][0]) for label, case in mine], **bounds))
        intact = cases[fabric, "intact", SEED]["ours"]
        if fabric in CLOSED_FORM:
            rows.append(row(f"{fabric} intact: balanced max", intact["base_channel_load_max"], "pairs",
                            CLOSED_FORM[fabric], "closed form", 1))
        if fabric in REPLIES_EBB:
            rows.append(row(f"{fabric}: EBB, safe for responses in {intact['vls_used']} VLs", intact["ebb"], "",
                            REPLIES_EBB[fabric], "limit", None, 1) |
                        ({} if intact["vls_used"] <= 4 else {"ok": False}))
    return rows


def shuffled_rows(build, nets, count):
    """EBB must not depend on the numbering."""
    rows = []
    for fabric, net in nets.items():
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "fabric.net"

            def ebb(changed):
                path.write_text(changed.text(), encoding="utf-8")
                return compare(build, path, "--engines", "balanced", "--lmc", 0)[0]["ebb"]
            straight = ebb(net)
            rows.append(worst_row(f"{fabric}: balanced EBB, shuffled", "", [
                (f"shuffle {seed}", ebb(net.shuffled(seed)), straight, "as it is")
                for seed in range(SEED, SEED + count)], at_least=.97))
    return rows


def computed(build, path, *more, may_fail=False):
    return route(build, "compute", "--fabric", f"file:{path}", "--engine", "balanced", "--permutations",
                 str(PERMUTATIONS), "--seed", str(SEED), "--json", *map(str, more), may_fail=may_fail)["json"]


def alone_rows(build, fabric, net):
    """What `balanced` does on one fabric: each number of VLs, four LIDs, repairs in place, time."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "fabric.net"
        path.write_text(net.text(), encoding="utf-8")
        for vls in (1, 2, MOST_VLS):
            proof = route(build, "verify", "--fabric", f"file:{path}", "--engine", "balanced", "--max-vls", str(vls),
                          "--replies", "base", "--json", may_fail=True)["json"]
            rows.append(row(f"{fabric}: proved for base with {vls} VL{'s' * (vls > 1)}",
                            int(proof["witness"] is None and proof["vls_used"] <= vls), "", 1, "asked", None, 1))
        if fabric in SPREAD_EBB:
            found = compare(build, path, "--engines", "balanced", "--lmc", 2, "--replies", "base")[0]
            rows.append(row(f"{fabric}: EBB spread over 4 LIDs", found["spread_ebb"], "", SPREAD_EBB[fabric],
                            "limit", None, 1))
            if fabric == DISJOINT[0]:
                share = sum(s for n, s in found["disjoint"].items() if int(n) >= DISJOINT[1])
                rows.append(row(f"{fabric}: pairs with {DISJOINT[1]} disjoint paths, 4 LIDs", share, "", DISJOINT[2],
                                "limit", None, 1))
        whole = computed(build, path)
        for count in REPAIRED:
            fail = [word for switch, port in net.without_cables(count, SEED)[1] for word in ("--fail", f"{switch}:{port}")]
            lost = f"{fabric}, {count} cable{'s' * (count > 1)} lost, repaired in place"
            # No more VLs than before: the bound of the repair is what was in use.
            within = ("--max-vls", whole["vls_used"], "--replies", "base", *fail)
            repaired, anew = computed(build, path, "--repair", "rftr", *within), computed(build, path, *within)
            rows.append(row(f"{lost}: EBB", repaired["ebb"], "", anew["ebb"], "recomputed", None, .98))
            rows.append(row(f"{lost}: VLs", repaired["vls_used"], "", whole["vls_used"], "before", 1))
            rows.append(row(f"{lost}: SLs", repaired["sls_used"], "", whole["sls_used"], "before", 1))
            # Live a repair that loses the grade is completed by the engine's tables.
            rows.append(row(f"{lost}: safe for responses", int(repaired["replies"] in ("base", "same-sl")), "", 1, "before", None))
    return rows


def time_rows(build, net, runs, full):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "fabric.net"
        path.write_text(net.text(), encoding="utf-8")
        took = statistics.median(compare(build, path, "--engines", "balanced", "--lmc", 0)[0]["compute_ms"] / 1000
                                 for _ in range(runs))
        rows.append(row("200 switches of degree 8: final tables", took, "s", SECONDS_200, "limit", 1))
        if full:
            found = route(build, "compute", "--fabric", LARGE, "--engine", "balanced", "--json")["json"]
            rows.append(row("2,000 switches, 20,000 hosts: final tables", found["compute_ms"] / 1000, "s", SECONDS_2000,
                            "limit", 1))
    return rows


class Kept:
    """Measured cases in a file of JSON lines, so that hours of `--full` can be interrupted. With `--full` a case counts again
    for the same fabric and the same programs; the sample is measured anew."""

    def __init__(self, path, build, again):
        self.path = path
        self.programs = hashlib.sha256()
        for program in ("bin/selvedge-route", "lib/libselvedge_opensm.so"):
            self.programs.update((pathlib.Path(build) / program).read_bytes())
        lines = path.read_text(encoding="utf-8").splitlines() if again and path.exists() else []
        self.cases = {line["of"]: line["case"] for line in map(self.whole, lines) if line}

    @staticmethod
    def whole(line):
        """None for a line that was not written to its end."""
        try:
            return json.loads(line)
        except ValueError:
            return None

    def get(self, net, fabric, measure_it):
        of = self.programs.copy()
        of.update(f"{fabric}\n{net.text()}".encode())
        key = of.hexdigest()
        if key not in self.cases:
            self.cases[key] = measure_it()
            with self.path.open("a", encoding="utf-8") as file:
                file.write("\n" + json.dumps({"of": key, "case": self.cases[key]}) + "\n")  # a torn line may precede
        return self.cases[key]


def balanced_rows(build, runs, full=False):
    nets = {name: tree_fabrics.flat(f"{name}.net") for name in FABRICS}
    kept = Kept(pathlib.Path(build) / "bench-balanced.jsonl", build, full)
    cases = {}
    chosen = chosen_cases(full, SEED)
    for number, (fabric, variant, seed) in enumerate(chosen, 1):
        note(f"balanced: {number} of {len(chosen)}: {fabric}, {variant}, seed {seed}")
        net = usual_variants(nets[fabric], seed)[variant]
        cases[fabric, variant, seed] = kept.get(net, fabric, functools.partial(measure, build, net, fabric))
    note("\nEBB/max of base LIDs; osm: OpenSM's engines; * may deadlock on one VL; - does not come up")
    note(table(cases) + "\n")
    (pathlib.Path(build) / "bench-balanced.json").write_text(json.dumps(
        [{"fabric": fabric, "variant": variant, "seed": seed, **case}
         for (fabric, variant, seed), case in cases.items()], indent=1))
    rows = beside_opensm(cases)
    rows += shuffled_rows(build, nets, 10 if full else 1)
    for fabric, net in nets.items():
        note(f"balanced: {fabric}, alone")
        rows += alone_rows(build, fabric, net)
    return rows + time_rows(build, nets["irregular-200x8"], runs, full)
