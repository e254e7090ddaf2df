# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The uniform traffic that a fabric accepts when every host offers its link's whole rate, in
selvedge-sim. dmodk is compared with the tables of OpenSM's dfsssp as they were read back. LFTs show
dfsssp's paths but not its VLs, so its tables run on one VL, as dmodk's do. All use base LIDs."""
import csv
import pathlib
import statistics
import subprocess
import tempfile

from tools.bench.rows import note, row
from tools.bench.tree_opensm import opensm_tables
from tools.lab.errors import LabError

PATIENCE_S = 30
EXPERIMENT = """[fabric]
spec = "file:{fabric}"
[routing]
{routing}
[model]
preset = "ndr"
[traffic]
pattern = "uniform"
load = 1.0
[measure]
warmup_us = 100.0
duration_us = 200.0
[run]
seed = [1, 2, 3]
"""


def accepted(build, fabric, routing, folder):
    """(bytes/ns/switch, median over the seeds, state of the worst point), or None if it takes too
    long."""
    path, out = folder / "experiment.toml", folder / "out"
    path.write_text(EXPERIMENT.format(fabric=fabric, routing=routing), encoding="utf-8")
    command = [str(pathlib.Path(build) / "bin" / "selvedge-sim"), "run", str(path), "--out",
               str(out), "--allow-unproved", "--jobs", "1"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    except subprocess.TimeoutExpired:
        return None
    # A run that saturates or deadlocks is a valid result here.
    if not (out / "results.csv").is_file():
        raise LabError(f"it ended with {done.returncode}", " ".join(command), done.stderr[-400:])
    with open(out / "results.csv", encoding="utf-8") as file:
        points = list(csv.DictReader(file))
    (out / "results.csv").unlink()
    state = "deadlocked" if any(p["state"] == "deadlocked" for p in points) else "saturated"
    return statistics.median(float(p["accepted_bytes_per_ns_per_switch"]) for p in points), state


def traffic_rows(build, nets):
    rows = []
    for name, net in nets.items():
        note(f"quality: {name}, uniform traffic")
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            topology, dumps = opensm_tables(net, folder, build, ("dfsssp",))
            plain = folder / "fabric.net"  # without LIDs: each engine has the LMC that it wants
            plain.write_text(net.text(), encoding="utf-8")
            found = {}
            for engine in ("dmodk", "updn", "tftr"):
                (folder / engine).mkdir()
                found[engine] = accepted(build, plain, f'engine = "{engine}"', folder / engine)
            peer = None
            if "dfsssp" in dumps:
                (folder / "dfsssp").mkdir()
                peer = accepted(build, topology, f'tables = "{dumps["dfsssp"]}"', folder / "dfsssp")
        if peer:
            rows.append(traffic_row(name, "dmodk", found["dmodk"], peer, "OpenSM dfsssp, one VL",
                                    0.98))
        rows += [traffic_row(name, engine, found[engine], found["dmodk"], "dmodk", 0.9)
                 for engine in ("updn", "tftr")]
    return rows


def traffic_row(name, engine, ours, peer, peer_name, at_least):
    what = f"{name}: uniform traffic accepted, {engine}"
    if ours is None:
        return row(f"{what} (over {PATIENCE_S} s)", 0, "B/ns/switch", peer[0], peer_name, None,
                   at_least)
    if ours[1] == "deadlocked":
        return row(f"{what} (deadlocked)", ours[0], "B/ns/switch", peer[0], peer_name, None,
                   at_least) | {"ok": False}
    if peer[1] == "deadlocked":
        peer_name += ", deadlocked"
    return row(what, ours[0], "B/ns/switch", peer[0], peer_name, None, at_least)
