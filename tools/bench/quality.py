# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The quality of routes on trees, compared with those of the unmodified OpenSM on ibsim in the same
run: two real fabrics and generated ones, intact, shuffled and damaged. All tables, ours and those read
back from the switches that OpenSM routed, are judged by the same code, `selvedge-route compare`.

EBB is the effective bisection bandwidth over base LIDs (plugin/tables/bandwidth.hpp), "max" the number of
pairs of hosts over the busiest cable. The peer of a case is the deadlock-free engine of OpenSM with the
highest EBB. minhop, updn and ftree count as deadlock free if we can prove their tables on one VL. dfsssp
counts as deadlock free by its VLs, if OpenSM came up with it.
"""
import json
import pathlib
import statistics
import subprocess
import tempfile

from tools.bench import tree_fabrics
from tools.bench.rows import note, row
from tools.bench.tree_opensm import OPENSM, opensm_tables
from tools.bench.tree_live import live_rows
from tools.bench.tree_repairs import repaired_rows
from tools.bench.tree_traffic import traffic_rows
from tools.lab.errors import LabError

SEED = 1  # of shuffling, of the missing cables, and of the permutations
PERMUTATIONS = 200
SHUFFLES = 5
OURS = tuple((engine, lmc) for lmc in range(4) for engine in ("updn", "dmodk"))
TFTR = tuple(("tftr", lmc) for lmc in (2, 3, 4))
TFTR_PATIENCE_S = 20  # an engine that takes longer on one of these is not used
LEAST_EBB = {("A", "dmodk"): 0.59, ("A", "updn"): 0.57, ("B", "dmodk"): 0.405, ("B", "updn"): 0.405}
OPTIMUM = {"Clos 12x6": 66, "4-ary 3-tree": 60}
PROVED_MS = 50
REFUSED = {"ebb": 0.0, "base_channel_load_max": None}


def fabrics(build):
    return {"A": tree_fabrics.real("real-40-switches.net"),
            "B": tree_fabrics.real("real-8-switches.net"),
            "Clos 12x6": tree_fabrics.generated(build, "clos:n=6,r=12,m=6"),
            "4-ary 3-tree": tree_fabrics.generated(build, "tree:k=4,n=3"),
            "parallel Clos": tree_fabrics.parallel_clos()}


def compare(build, fabric, *arguments, patience_s=600):
    """The rows of one `selvedge-route compare`, or None if it took too long."""
    command = [str(pathlib.Path(build) / "bin" / "selvedge-route"), "compare", "--fabric",
               f"file:{fabric}", "--permutations", str(PERMUTATIONS), "--seed", str(SEED), "--json",
               *map(str, arguments)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=patience_s)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode != 0:
        raise LabError(f"it ended with {done.returncode}", " ".join(command), done.stderr[-400:])
    return json.loads(done.stdout)["rows"]


def our_figures(build, fabric, too_slow):
    """{(engine, LMC): row}. `too_slow`: the cases that took too long on this fabric already."""
    figures = {}
    for lmc in range(4):
        for found in compare(build, fabric, "--engines", "updn,dmodk", "--lmc", lmc):
            figures[found["engine"], lmc] = found
    for engine, lmc in TFTR:
        found = None if (engine, lmc) in too_slow else compare(
            build, fabric, "--engines", engine, "--lmc", lmc, patience_s=TFTR_PATIENCE_S)
        if found is None:
            too_slow.add((engine, lmc))
            found = [{"refused": f"over {TFTR_PATIENCE_S} s"}]
        figures[engine, lmc] = found[0]
    return {key: found if found["refused"] is None else REFUSED | found
            for key, found in figures.items()}


def best_of(peers):
    """(engine, row) of the deadlock-free engine of OpenSM with the highest EBB, or None."""
    usable = [(name, found) for name, found in peers.items() if found["connected"] and
              found["loop_free"] and (found["deadlock_free"] or name == "dfsssp")]
    return max(usable, key=lambda one: one[1]["ebb"], default=None)


def measure(build):
    """{(fabric, variant): {"opensm": {engine: row}, "ours": {(engine, LMC): row}}}"""
    cases = {}
    for name, net in fabrics(build).items():
        too_slow = set()
        for variant, changed, _ in tree_fabrics.variants(net, SEED):
            note(f"quality: {name}, {variant}")
            with tempfile.TemporaryDirectory() as folder:
                topology, dumps = opensm_tables(changed, pathlib.Path(folder), build)
                files = [word for path in dumps.values() for word in ("--tables", path)]
                peers = dict(zip(dumps, compare(build, topology, *files)))
                cases[name, variant] = {"opensm": peers,
                                        "ours": our_figures(build, topology, too_slow)}
    return cases


# -- the table ---------------------------------------------------------------------------------------


def cell(found, free=True):
    if found is None:
        return "-"
    if found["base_channel_load_max"] is None:
        return "refused" if not found["refused"].startswith("over") else found["refused"]
    return (f"{found['ebb']:.3f}".lstrip("0") + f"/{found['base_channel_load_max']}" +
            ("" if free else "*"))


def table(cases):
    """The table as text: a line for each case, EBB/max in each column; * = the tables may deadlock on
    one VL."""
    heads = ["fabric", "variant", *(f"osm {e}" for e in OPENSM),
             *(f"{e} L{lmc}" for e, lmc in OURS + TFTR)]
    lines = [heads]
    for (name, variant), case in cases.items():
        peers = [cell(case["opensm"].get(e), e == "dfsssp" or e not in case["opensm"] or
                      case["opensm"][e]["deadlock_free"]) for e in OPENSM]
        lines.append([name, variant, *peers, *(cell(case["ours"][key]) for key in OURS + TFTR)])
    widths = [max(len(line[i]) for line in lines) for i in range(len(heads))]
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(line, widths)).rstrip() for line in lines)


# -- the rows ----------------------------------------------------------------------------------------


def labelled(text, found):
    return text if found["refused"] is None else f"{text} ({found['refused'].split(':')[0]})"


def worst_row(what, unit, cases, at_most=None, at_least=None):
    """The worst of the cases [(label, value, peer value, peer's name)], as a row that says in how many
    cases the bound holds. A case without a value (None) misses the bound."""
    def ratio(one):
        if one[1] is None:
            return float("inf") if at_least is None else 0.0
        return one[1] / one[2]
    holds = sum(ratio(c) <= at_most if at_least is None else ratio(c) >= at_least for c in cases)
    label, value, peer, peer_name = (max if at_least is None else min)(cases, key=ratio)
    text = f"{what}, {holds} of {len(cases)} hold; worst: {label}"
    if value is None:  # the row can only show that the bound is missed
        return row(text + " (refused)", 0, unit, peer, peer_name, at_most, at_least) | {"ok": False}
    return row(text, value, unit, peer, peer_name, at_most, at_least)


def beside_opensm(cases, name):
    """Rows (a) and (b): EBB and maximum of updn and dmodk at LMC 0 to 3, compared with OpenSM's best
    engine."""
    rows = []
    for engine in ("dmodk", "updn"):
        ebb, most = [], []
        for (fabric, variant), case in cases.items():
            if fabric != name:
                continue
            best = best_of(case["opensm"])
            if best is None:
                note(f"{name}, {variant}: no engine of OpenSM is deadlock free: no row")
                continue
            for lmc in range(4):
                ours = case["ours"][engine, lmc]
                label = labelled(f"{variant}, LMC {lmc}", ours)
                ebb.append((label, ours["ebb"], best[1]["ebb"], f"OpenSM {best[0]}"))
                most.append((label, ours["base_channel_load_max"],
                             best[1]["base_channel_load_max"], f"OpenSM {best[0]}"))
        rows.append(worst_row(f"{name}: {engine} EBB", "", ebb, at_least=0.98))
        rows.append(worst_row(f"{name}: {engine} max", "pairs", most, at_most=1.15))
    for engine in ("dmodk", "updn"):
        intact = [(f"LMC {lmc}", cases[name, "intact"]["ours"][engine, lmc]) for lmc in range(4)]
        if least := LEAST_EBB.get((name, engine)):
            rows.append(worst_row(f"{name} intact: {engine} EBB", "",
                                  [(label, found["ebb"], least, "limit")
                                   for label, found in intact], at_least=1))
        if optimum := OPTIMUM.get(name):
            rows.append(worst_row(f"{name} intact: {engine} max", "pairs",
                                  [(label, found["base_channel_load_max"], optimum, "optimum")
                                   for label, found in intact], at_most=1))
    return rows


def tftr_row(cases, name):
    """Row (c): tftr at LMC 2 to 4, compared with dmodk at LMC 0."""
    found = [(labelled(f"{variant}, LMC {lmc}", case["ours"][engine, lmc]),
              case["ours"][engine, lmc]["ebb"], case["ours"]["dmodk", 0]["ebb"] or 1.0, "dmodk")
             for (fabric, variant), case in cases.items() if fabric == name
             for engine, lmc in TFTR]
    return worst_row(f"{name}: tftr EBB", "", found, at_least=0.9)


def shuffled_row(build, name, net):
    """Row (d): the maximum of updn must not depend on the numbering of the fabric."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "fabric.net"

        def most(changed, lmc):
            path.write_text(changed.text(), encoding="utf-8")
            return compare(build, path, "--engines", "updn", "--lmc",
                           lmc)[0]["base_channel_load_max"]
        found = []
        for lmc in range(4):
            straight = most(net, lmc)
            for seed in range(SEED, SEED + SHUFFLES):
                other = most(net.shuffled(seed), lmc)
                found.append((f"shuffle {seed}, LMC {lmc}", max(other, straight),
                              min(other, straight), "the lower of the two"))
        return worst_row(f"{name}: updn max, shuffled or not", "pairs", found, at_most=1.03)


def proved_rows(build, net, runs):
    """Rows (e): time of computing and of the proof on fabric A."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "fabric.net"
        path.write_text(net.text(), encoding="utf-8")
        for lmc in range(4):
            for engine in ("dmodk", "updn"):
                found = [compare(build, path, "--engines", engine, "--lmc", lmc)[0]
                         for _ in range(runs)]
                rows.append(row(f"A: {engine} compute + proof, LMC {lmc}", statistics.median(
                    f["compute_ms"] + f["prove_ms"] for f in found), "ms", PROVED_MS, "limit",
                    1 if lmc == 0 else None))
    return rows


def quality_rows(build, runs):
    cases, nets = measure(build), fabrics(build)
    note("\nEBB/max of base LIDs; osm: OpenSM's engines; L: LMC; * may deadlock on one VL")
    note(table(cases) + "\n")
    (pathlib.Path(build) / "bench-quality.json").write_text(json.dumps(
        [{"fabric": name, "variant": variant, "opensm": case["opensm"],
          "ours": [found | {"engine": e, "lmc": lmc} for (e, lmc), found in case["ours"].items()]}
         for (name, variant), case in cases.items()], indent=1))
    rows = []
    for name, net in nets.items():
        rows += beside_opensm(cases, name)
        rows.append(tftr_row(cases, name))
        rows.append(shuffled_row(build, name, net))
    rows += proved_rows(build, nets["A"], runs)
    rows += repaired_rows(build, nets, SEED)
    rows += traffic_rows(build, {name: nets[name] for name in ("A", "B", "Clos 12x6")})
    return rows + live_rows(build, nets["A"], runs)
