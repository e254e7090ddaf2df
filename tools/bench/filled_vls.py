# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""A tables file (selvedge-tables-1) with the same paths on more VLs: the VLs that its SLs use are repeated side by side, and a
path's copy is drawn by its two switches, alike in both directions.

Copies share no VL, so that they are as free of deadlock as the original. OpenSM's dfsssp fills the VLs in this way.
"""
MOST_VLS, MOST_SLS, DROPPED = 8, 16, 15  # on VL 15 there is no data


def filled(document):
    """The document itself where there is no room for a copy."""
    hosts, switches = document["fabric"]["hosts"], document["fabric"]["switches"]
    at = {s["lid"]: s["id"] for s in switches if s["lid"]}
    for h in hosts:
        at |= {lid: h["switch"] for lid in range(h["lid"], h["lid"] + (1 << h["lmc"]))}
    sls = sorted({document["path_sl"][s["id"]][lid] for s in switches for lid in at})
    rows = [row for tables in document["sl2vl"] for row in tables.values()]
    vls = 1 + max(row[sl] for row in [*rows, document["host_sl2vl"]] for sl in sls if row[sl] != DROPPED)
    copies = min(MOST_VLS // vls, MOST_SLS // len(sls))
    if copies < 2 or "further_path_sl" in document or "host_path_sl" in document:
        return document

    def repeated(row):
        new = [DROPPED if row[sl] == DROPPED else row[sl] + copy * vls for copy in range(copies) for sl in sls]
        return new + [new[0]] * (MOST_SLS - len(new))

    sl2vl = [{key: repeated(row) for key, row in tables.items()} for tables in document["sl2vl"]]
    rank = {sl: i for i, sl in enumerate(sls)}
    path_sl = [list(of) for of in document["path_sl"]]
    for s in range(len(path_sl)):
        for lid, destination in at.items():
            path_sl[s][lid] = rank[path_sl[s][lid]] + (s + destination) % copies * len(sls)
    return document | {"sl2vl": sl2vl, "host_sl2vl": repeated(document["host_sl2vl"]), "path_sl": path_sl}
