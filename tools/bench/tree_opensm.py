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


def avoid_multiple_of_64(net, folder):
    """dump_fts leaves out a last LID that is a multiple of 64. Where OpenSM would give it out, the LIDs that OpenSM
    remembers (guid2lid) give the last host the LID after it."""
    count = len(net.switches) + len(net.hosts)
    if count % 64 == 0:
        folder.mkdir(exist_ok=True)
        guid = net.hosts[-1][0].guid + 1  # of its port, as Net.text() has it
        (folder / "guid2lid").write_text(f"0x{guid:016x} 0x{count + 1:04x} 0x{count + 1:04x}\n\n", encoding="ascii")


def opensm_tables(net, folder, build, engines=OPENSM, patience_s=UP_PATIENCE_S):
    """(path of ibnetdiscover's output, {engine: path of dump_fts' output}) of OpenSM's engines that
    route this fabric. `engines` may be a dictionary from names to their options in opensm.conf."""
    dumps, first = {}, None
    options = engines if isinstance(engines, dict) else {engine: {} for engine in engines}
    with Lab(net.text(), build_dir=build) as lab:
        for engine, more in options.items():
            avoid_multiple_of_64(net, lab.folder / engine)
            sm = lab.opensm(name=engine, options={"routing_engine": f"{engine},no_fallback", **more})
            ended = sm.wait_log(r"-> SUBNET UP|No routing engine able", timeout_s=patience_s)
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
