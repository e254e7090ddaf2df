# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The LFTs of the unmodified OpenSM's engines on a fabric, read back from the switches of ibsim."""
from tools.lab.errors import LabError
from tools.lab.lab import Lab
from tools.lab.subnet import parse_topology

OPENSM = ("minhop", "updn", "ftree", "dfsssp")
UP_PATIENCE_S = 60


def lids(topology):
    found = parse_topology(topology)
    return ({s.guid: s.lid for s in found.switches.values()},
            {h.guid: h.lid for h in found.hosts})


def opensm_tables(net, folder, build, engines=OPENSM):
    """(path of ibnetdiscover's output, {engine: path of dump_fts' output}) of OpenSM's engines that
    route this fabric."""
    dumps, first = {}, None
    with Lab(net.text(), build_dir=build) as lab:
        for engine in engines:
            sm = lab.opensm(name=engine, options={"routing_engine": f"{engine},no_fallback"})
            ended = sm.wait_log(r"-> SUBNET UP|No routing engine able", timeout_s=UP_PATIENCE_S)
            if "SUBNET UP" not in ended[0]:
                sm.terminate()
                continue
            topology = lab.tool("ibnetdiscover")
            path = folder / f"{engine}.fts"
            path.write_text(lab.tool("dump_fts", "-n"), encoding="utf-8")
            sm.terminate()
            if first is None:
                first = topology
            elif lids(first) != lids(topology):
                raise LabError("an opensm gave other LIDs than the one before", engine,
                               "its tables can't be compared")
            dumps[engine] = path
    path = folder / "topology.txt"
    path.write_text(first, encoding="utf-8")
    return path, dumps
