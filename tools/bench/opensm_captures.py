# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The tables of the unmodified OpenSM's engines on a fabric: each engine is brought up live on the emulator, and
`selvedge-route capture` reads LFTs, SL2VL tables and the SLs that its SA answers.

A folder of captures is a fabric's. ENGINE.json has the tables; ENGINE.none says why there are none. What is there is
not captured again.
"""
import pathlib
import re
import subprocess

from tools.bench import tree_fabrics
from tools.bench.balanced_rows import MOST_VLS, torus_config
from tools.bench.rows import note
from tools.lab.errors import LabError
from tools.lab.lab import Lab

# sssp has dfsssp's paths on one VL.
ENGINES = ("minhop", "updn", "ftree", "dor", "torus-2QoS", "lash", "dfsssp", "nue")
UP_PATIENCE_S = 300
CAPTURE_PATIENCE_S = 3600  # dfsssp's SA answers another SL each time: 32 questions for each pair
RATE = 100000  # MADs a second; the emulator needs no mercy
ENDINGS = r"-> SUBNET UP|No routing engine able"


def torus_sides(spec):
    """(7, 9) of torus:7x9 with whatever follows; None of another fabric."""
    match = re.match(r"torus:(\d+(?:x\d+)+)(?:,|$)", spec)
    return tuple(map(int, match[1].split("x"))) if match else None


def engine_options(spec, text, folder, engine):
    """What an engine needs in opensm.conf, or None if it has nothing to do with this kind of fabric."""
    options = {"routing_engine": f"{engine},no_fallback", "max_op_vls": 4}  # 4 stands for 8 VLs
    if engine == "torus-2QoS":
        sides = torus_sides(spec)
        if sides is None:
            return None
        net = tree_fabrics.parse_net(text, lambda switch: 0)
        options["torus_config"] = torus_config(net, sides, folder / "torus-2QoS.conf")
    if engine == "nue":
        # Without switches its paths to their LIDs close cycles with those to hosts.
        options |= {"nue_max_num_vls": MOST_VLS, "nue_include_switches": True}
    return options


def fabric_text(build, spec, folder):
    path = folder / "fabric.net"
    subprocess.run([str(pathlib.Path(build, "bin/selvedge-route")), "fabric", "--fabric", spec, "--write", str(path)],
                   check=True, capture_output=True)
    return path.read_text(encoding="utf-8")


def bring_up(lab, build, engine, options, path):
    """Writes the engine's tables to `path`; returns None, or why there are none."""
    sm = lab.opensm(name=engine, options=options)
    try:
        try:
            ended = sm.wait_log(ENDINGS, timeout_s=UP_PATIENCE_S)[0]
        except LabError:
            return f"OpenSM was not up within {UP_PATIENCE_S} s"
        if "SUBNET UP" not in ended:
            return "OpenSM: no routing engine able to route the fabric"
        part = path.with_suffix(".part")  # a capture that was interrupted leaves no file that looks whole
        done = subprocess.run([str(pathlib.Path(build, "bin/selvedge-route").resolve()), "capture", "--out", str(part.resolve()), "--rate",
                               str(RATE)], env=lab.environment(), cwd=lab.folder, capture_output=True, text=True,
                              timeout=CAPTURE_PATIENCE_S, check=False)
        if done.returncode != 0:
            raise LabError(f"capture ended with {done.returncode}", engine, done.stderr[-400:])
        part.replace(path)
        return None
    finally:
        sm.terminate()


def captures(build, spec, folder, engines=ENGINES):
    """{engine: path of its tables} of the engines that come up on the fabric, in the order of `engines`."""
    folder.mkdir(parents=True, exist_ok=True)
    found = {}
    for engine in engines:
        path, none = folder / f"{engine}.json", folder / f"{engine}.none"
        if not path.exists() and not none.exists():
            text = fabric_text(build, spec, folder)
            options = engine_options(spec, text, folder, engine)
            if options is None:
                why = "needs a torus"
            else:
                note(f"{spec}: OpenSM's {engine} is brought up and captured")
                with Lab(text, build_dir=build, subnet="emulate") as lab:
                    why = bring_up(lab, build, engine, options, path)
            if why is not None:
                none.write_text(why + "\n", encoding="utf-8")
        if path.exists():
            found[engine] = path
        else:
            note(f"{spec}: no tables of OpenSM's {engine}: {none.read_text(encoding='utf-8').strip()}")
    return found
