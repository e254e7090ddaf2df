# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The time from opensm's start until "SUBNET UP", by engines with several paths beside updn on the same fabric,
in alternating runs on the emulator. An engine that is slow has interim tables by then; how long its own take
is a figure of its own."""
import pathlib
import statistics
import subprocess
import tempfile
import time

from tools.bench.rows import note, row
from tools.lab.lab import PLUGIN_STATUS, Lab, doubled_torus_net, torus_net

RUNS = 5
PATIENCE_S = 600.0
AT_MOST = 1.2


def generated(build, spec):
    """The .net text of a FABRIC."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "fabric.net")
        subprocess.run([build / "bin" / "selvedge-route", "fabric", "--fabric", spec, "--write", path],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return path.read_text(encoding="utf-8")


FABRICS = [
    ("5x7 torus, cables doubled", lambda _: doubled_torus_net(5, 7), (("tftr", 4),)),
    ("250 irregular switches, 2,000 hosts",
     lambda build: generated(build, "irregular:switches=250,degree=4,hosts=8,seed=1"), (("tftr", 2), ("tftr", 4))),
    ("8x8 torus", lambda _: torus_net(8, 8), (("ist", 3), ("spftr", 4), ("tftr", 4))),
    ("16x16 torus", lambda _: torus_net(16, 16), (("ist", 3), ("spftr", 4))),
    ("4x5x3 torus", lambda build: generated(build, "torus:4x5x3"), (("tftr", 3),)),
]


def bring_up_ms(build, net, engine, lmc):
    with Lab(net, build_dir=build, subnet="emulate") as lab:
        began = time.monotonic()
        sm = lab.opensm(options={"routing_engine": f"selvedge-{engine},no_fallback", "lmc": lmc},
                        plugin_toml=PLUGIN_STATUS)
        sm.wait_up(timeout_s=PATIENCE_S)
        return (time.monotonic() - began) * 1000


def bring_up_rows(build, _runs=RUNS):
    rows = []
    for where, make, engines in FABRICS:
        net = make(build)
        for engine, lmc in engines:
            ours, peer = [], []
            for run in range(RUNS):
                note(f"{where}, LMC {lmc}, bring-up {run + 1} of {RUNS}: updn, then {engine}")
                peer.append(bring_up_ms(build, net, "updn", lmc))
                ours.append(bring_up_ms(build, net, engine, lmc))
            rows.append(row(f"bring-up, {engine}, LMC {lmc}, {where}", statistics.median(ours), "ms",
                            statistics.median(peer), "updn", AT_MOST))
    return rows
