# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""OpenSM's engines and ours side by side, live in one run: the table of README.

What tables are good for is judged from what the switches hold and the SA answers, by `selvedge-route verify`,
for OpenSM's engines as for ours. What a cable cut costs is measured by `selvedge-sim compare-sm`, whose runs take
turns. Its times are of the emulated fabric, which goes by opensm's CPU time, so that other programs on the machine
disturb them little.
"""
import json
import math
import re
import statistics
import subprocess
import typing

from tools.bench.bring_up_rows import generated
from tools.bench.rows import note
from tools.lab.errors import LabError
from tools.lab.lab import PLUGIN_STATUS, Lab
from tools.lab.read_tables import read_tables
from tools.lab.subnet import parse_topology

PEER = "minhop"
OPENSM = (PEER, "updn", "ftree", "torus-2QoS", "lash", "dfsssp")
OURS = ("selvedge-updn", "selvedge-dmodk", "selvedge-spftr", "selvedge-tftr")
LMC = {"selvedge-spftr": 4, "selvedge-tftr": 4}  # else 0; as compare-sm has it
PATIENCE_S = 300.0
REFUSED = r"No routing engine able to successfully configure|cannot find or setup routing engine"
PLUGIN = PLUGIN_STATUS + "[engine]\ndeadline_ms = 3600000\n"  # the engine's own tables, however long they take


class Fabric(typing.NamedTuple):
    name: str
    spec: str
    faults: tuple  # links of both dimensions or levels; run i cuts the one numbered i, again from the first


FABRICS = (
    Fabric("8×8 torus", "torus:8x8", ("S-3-3:4", "S-1-6:2", "S-5-2:4", "S-6-4:2", "S-2-7:4")),
    # Engines that spread unevenly leave some of these cables unused.
    Fabric("4-ary 3-tree", "tree:k=4,n=3", ("S-1-0:5", "S-0-9:6", "S-1-10:7", "S-0-2:5", "S-1-5:8")),
)


def torus_2qos_options(lab, host):
    """The options of torus-2QoS: its file names the torus and the cables of the switch at the origin. Empty if the
    switches are not named as those of a torus."""
    switches = parse_topology(lab.tool("ibnetdiscover", host=host)).switches.values()
    guid = {tuple(map(int, re.findall(r"\d+", s.name))): s.guid for s in switches}
    if any(len(place) != 2 for place in guid):
        return {}
    sides = [1 + max(place[i] for place in guid) for i in (0, 1)]
    lines = [f"torus {sides[0]} {sides[1]} 1"]
    for i, axis in enumerate("xy"):
        for way, step in (("p", 1), ("m", sides[i] - 1)):
            near = tuple(step if k == i else 0 for k in (0, 1))
            lines.append(f"{axis}{way}_link 0x{guid[0, 0]:016x} 0x{guid[near]:016x}")
    path = lab.folder / "torus-2QoS.conf"
    path.write_text("\n".join(lines) + "\n", encoding="ascii")
    return {"torus_config": path}


def verified(build, path):
    """The judgement of `selvedge-route verify` on a tables file."""
    done = subprocess.run([build / "bin" / "selvedge-route", "verify", "--tables", path, "--replies", "same-sl",
                           "--disjoint", "1", "--json"], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    if done.returncode not in (0, 1):
        raise LabError("verify did not judge the tables", str(path), done.stderr[-300:])
    return json.loads(done.stdout)


def between_hosts(path):
    """Leaves nothing in a tables file but the paths between hosts: no LID of a switch, no multicast tree."""
    tables = json.loads(path.read_text(encoding="utf-8"))
    own = {switch["lid"] for switch in tables["fabric"]["switches"]}
    for switch in tables["fabric"]["switches"]:
        switch["lid"] = 0
    tables["lft"] = [[255 if lid in own else port for lid, port in enumerate(row)] for row in tables["lft"]]
    del tables["mft"]
    path.write_text(json.dumps(tables), encoding="utf-8")


def judge(build, net, engine):
    """What the tables are that an engine has put into the switches: {"vls", "deadlock_free", "disjoint", "replies"};
    None if the engine does not route this fabric. Free of deadlock are "all" paths; or those "between hosts" alone,
    but not with multicast and the paths to switches; or "no" more than that."""
    ours = engine in OURS
    with Lab(net, build_dir=build, subnet="emulate") as lab:
        host = re.search(r'(?m)^(?:Hca|Ca)\s+\d+\s+"(.*?)"', net)[1]
        options = {"routing_engine": f"{engine},no_fallback", "lmc": LMC.get(engine, 0), "sweep_interval": 0}
        if engine == "torus-2QoS":
            options |= torus_2qos_options(lab, host)
        sm = lab.opensm(host=host, options=options, plugin_toml=PLUGIN if ours else None)
        if "SUBNET UP" not in sm.wait_log(rf"-> SUBNET UP|{REFUSED}", timeout_s=PATIENCE_S)[0]:
            return None
        if ours and f"selvedge-{sm.ask('status')['last_sweep']['tables_of']}" != engine:
            return None
        _, _, path = read_tables(lab, host)
        proof, free = verified(build, path), "all"
        if not proof["deadlock_free"]:
            between_hosts(path)
            proof = verified(build, path)
            free = "between hosts" if proof["deadlock_free"] else "no"
    if not proof["connected"] or not proof["loop_free"]:
        raise LabError("the tables do not connect every pair", engine, json.dumps(proof["witness"]))
    return {"vls": proof["vls_used"], "deadlock_free": free, "disjoint": proof["disjoint_min"],
            "replies": proof["replies"]}


def cut_costs(build, fabric, engines, runs):
    """{engine: (packets lost, ms until every pair was routed again or None)}, medians over the runs, each of which cuts
    another cable. None: after most cuts some pairs stayed without a route."""
    found = {engine: [] for engine in engines}
    for i in range(runs):
        fault = fabric.faults[i % len(fabric.faults)]
        note(f"{fabric.name}, run {i + 1} of {runs}: {fault} is cut under {', '.join(engines)}")
        done = subprocess.run([build / "bin" / "selvedge-sim", "compare-sm", "--fabric", fabric.spec, "--fault", fault,
                               "--engine", ",".join(engines), "--seed", str(1 + i), "--json"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode not in (0, 1):
            raise LabError("compare-sm failed", fabric.spec, done.stderr[-300:])
        for run in json.loads(done.stdout)["runs"]:
            if run["failure"]:
                raise LabError(f"a run of {run['engine']} does not count", f"{fabric.spec}, {fault}", run["failure"])
            found[run["engine"]].append(run)
    costs = {}
    for engine, mine in found.items():
        times = [math.inf if run["unrouted_pairs"] or run["routed_after_ms"] is None else run["routed_after_ms"]
                 for run in mine]
        routed = statistics.median_low(times)
        costs[engine] = (statistics.median(run["lost"] for run in mine), None if routed == math.inf else routed)
    return costs


def side_by_side_rows(build, runs):
    """A row for each engine and fabric. Its figure is the time from the cut until every pair is routed again, beside
    minhop's; it holds if tables of ours are proved, with responses of the grade `base` or better."""
    rows = []
    for fabric in FABRICS:
        net = generated(build, fabric.spec)
        judged = {}
        for engine in (*OPENSM, *OURS):
            note(f"{fabric.name}: the tables of {engine}")
            judged[engine] = judge(build, net, engine)
        routes = [engine for engine, found in judged.items() if found]
        costs = cut_costs(build, fabric, routes, runs)
        for engine, found in judged.items():
            lost, routed = costs.get(engine, (None, None))
            peer = costs[PEER][1]
            rows.append({"what": f"cable cut until every pair is routed, {fabric.name}, {engine}", "engine": engine,
                         "fabric": fabric.name, "lmc": LMC.get(engine, 0), "refuses": found is None, "value": routed,
                         "unit": "ms", "peer": PEER, "peer_value": peer, "ratio": routed / peer if routed is not None and peer else None,
                         "lost": lost, "at_most": None, "at_least": None, **(found or {}),
                         "ok": engine not in OURS or found is None or
                         (found["deadlock_free"] == "all" and found["replies"] in ("base", "same-sl"))})
    return rows


def _cells(row):
    if row["refuses"]:
        return ["refuses", "", "", "", ""]
    vls = f"{row['vls']} VL" + ("s" if row["vls"] > 1 else "")
    free = {"all": "yes", "between hosts": "between hosts", "no": "**no**"}[row["deadlock_free"]]
    routed = "never" if row["value"] is None else f"{row['value']:.1f} ms" if row["lost"] else "cable unused"
    return [routed, f"{row['lost']:,.0f}", f"{free}, {vls}",
            f"{row['disjoint']}", row["replies"] or "–"]


def print_side_by_side(rows):
    """The rows as Markdown, a line for each engine."""
    fabrics = list(dict.fromkeys(row["fabric"] for row in rows))
    head = ["all routed", "packets lost", "deadlock free", "disjoint paths", "responses"]
    print("| engine, LMC | " + " | ".join(f"{fabric}: {head[0]} | " + " | ".join(head[1:]) for fabric in fabrics) + " |")
    print("|---|" + "---|" * (len(head) * len(fabrics)))
    for engine in dict.fromkeys(row["engine"] for row in rows):
        mine = [row for row in rows if row["engine"] == engine]
        name = f"**{engine}**" if engine in OURS else engine
        print(f"| {name}, {mine[0]['lmc']} | " + " | ".join(" | ".join(_cells(row)) for row in mine) + " |")
