# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Tables made only of what the switches hold and the SA answers: LFTs, SL2VL rows, MFTs and the SLs of path
records, of any engine of OpenSM. A proof of them shares nothing with what made them but the verifier."""
import collections
import concurrent.futures
import json
import subprocess

from tools.lab.errors import LabError, MissingError
from tools.lab.subnet import LFT_BLOCK_LIDS, NO_PORT

CLIENTS = 4  # tools that run at a time; ibsim serves at most ten


def subnet_client(lab, host, *arguments, text="", timeout_s=60.0):
    """Runs subnet_client (tests/system/subnet_client.cpp) on a simulated host; its finished process."""
    program = lab.plugin_folder.parent / "bin" / "subnet_client"
    if not program.is_file():
        raise MissingError("subnet_client is not built", str(program), "build with -DSELVEDGE_TESTS=ON, as ./run test does")
    return subprocess.run([program, *map(str, arguments)], env=lab.environment(host), cwd=lab.folder, input=text,
                          capture_output=True, text=True, timeout=timeout_s, check=False)


def read_sls(lab, host, subnet):
    """{(source switch GUID, DLID): SL}: what the SA answers for one host of each switch. All hosts of a switch have
    the same SL to a DLID, so one of them is enough."""
    at = collections.defaultdict(list)
    for h in subnet.hosts:
        at[h.switch].append(h)
    ends = [h.lids for h in subnet.hosts] + [[s.lid] for s in subnet.switches.values()]
    pairs = [(speaker[0], dlid) for hosts in at.values() for lids in ends
             if (speaker := [h for h in hosts if h.lid not in lids]) for dlid in lids]
    # A busy machine answers some thousand queries a second, a quiet one ten times as many.
    done = subnet_client(lab, host, "sls", text="".join(f"{h.lid} {dlid}\n" for h, dlid in pairs),
                         timeout_s=60.0 + len(pairs) / 500)
    sls = done.stdout.split()
    if done.returncode != 0 or len(sls) != len(pairs):
        raise LabError(f"the SA answered {len(sls)} of {len(pairs)} queries", "subnet_client sls", done.stderr[-300:])
    hosts = {dlid for h in subnet.hosts for dlid in h.lids}
    missing = [(h.name, dlid) for (h, dlid), sl in zip(pairs, sls)
               if sl == "none" and dlid in hosts and subnet.lfts[h.switch].get(dlid)]
    if missing:
        raise LabError(f"the SA has no path record for {len(missing)} pairs that are routed", "subnet_client sls",
                       f"the first: {missing[0]}")
    return {(h.switch, dlid): int(sl) for (h, dlid), sl in zip(pairs, sls) if sl != "none"}


def read_rows(lab, host, subnet):
    """({switch GUID: {(in port, out port): row}}, the row of the hosts). A row is the VL of each SL. Only ports with
    a cable are read, and the rows of four hosts, which must be the same."""
    cabled = collections.defaultdict(set)
    for guid, port in [*subnet.cables, *subnet.host_at()]:
        cabled[guid].add(port)

    def read(where):
        lid, port, path = where
        return lab.read_sl2vl(lid, port, host=host, path=path)
    # After a fault a host may have no path to a switch without hosts (dmodk reports that). Such a switch is asked
    # by a directed route.
    start = subnet.host_named(host)
    directed = directed_routes(subnet, start)
    asked = [(s, p) for s in subnet.switches.values() for p in sorted(cabled[s.guid])]
    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
        answers = list(pool.map(read, [
            (s.lid, p, None if reaches(subnet, start.switch, s) else directed[s.guid]) for s, p in asked]))
        at_hosts = list(pool.map(read, [(h.lid, h.number, None) for h in subnet.hosts[:4]]))
    rows = collections.defaultdict(dict)
    for (switch, _), answer in zip(asked, answers):
        rows[switch.guid].update({(i, o): row for (i, o), row in answer.items()
                                  if i == 0 or i in cabled[switch.guid]})
    hosts = {tuple(row) for answer in at_hosts for row in answer.values()}
    if len(hosts) != 1:
        raise LabError("hosts have different SL2VL rows", "smpquery sl2vl", str(hosts))
    return rows, list(hosts.pop())


def read_last_lid(lab, host, subnet, lid):
    """Puts each switch's port for `lid` into subnet.lfts: dump_fts leaves out a last LID that is a multiple of 64."""
    text = "".join(f"{s.lid} {lid}\n" for s in subnet.switches.values())
    done = subnet_client(lab, host, "ports", text=text)
    ports = done.stdout.split()
    if done.returncode != 0 or len(ports) != len(subnet.switches):
        raise LabError(f"{len(ports)} of {len(subnet.switches)} switches answered", "subnet_client ports",
                       done.stderr[-300:])
    for guid, port in zip(subnet.switches, map(int, ports)):
        if port != NO_PORT:
            subnet.lfts[guid][lid] = port


def directed_routes(subnet, host):
    """{switch GUID: the ports by which a directed route leads there from the host}."""
    near = collections.defaultdict(list)
    for (guid, port), (far, _) in sorted(subnet.cables.items()):
        near[guid].append((port, far))
    routes, ahead = {host.switch: [0, host.number]}, [host.switch]
    for at in ahead:
        for port, far in near[at]:
            if far not in routes:
                routes[far] = [*routes[at], port]
                ahead.append(far)
    return routes


def reaches(subnet, start, switch):
    at, seen = start, set()
    while at != switch.guid and at not in seen:
        seen.add(at)
        at = subnet.cables.get((at, subnet.lfts[at].get(switch.lid)), (None, 0))[0]
        if at is None:
            return False
    return at == switch.guid


def read_tables(lab, host, unused_sls=None):
    """(subnet, SLs, path of a selvedge-tables-1 file that is made only of what was read). But for pairs without a
    path record, whose SL nobody uses: a switch without hosts that some others do not reach. Theirs are 0, or those
    of `unused_sls`, {switch GUID: [SL of each LID]}."""
    subnet = lab.read_subnet(host=host)
    top = max([h.lids[-1] for h in subnet.hosts] + [s.lid for s in subnet.switches.values()])
    if top % LFT_BLOCK_LIDS == 0:
        read_last_lid(lab, host, subnet, top)
    sls = read_sls(lab, host, subnet)
    sl2vl, host_sl2vl = read_rows(lab, host, subnet)
    mfts = lab.read_mfts(host=host)
    guids = sorted(subnet.switches)
    ids = {guid: i for i, guid in enumerate(guids)}
    drop = [15] * 16

    def sl(guid, lid):
        row = (unused_sls or {}).get(guid, ())
        return sls.get((guid, lid), row[lid] if lid < len(row) else 0)
    tables = {
        "format": "selvedge-tables-1",
        "fabric": {
            "switches": [{"id": ids[g], "guid": g, "name": subnet.switches[g].name,
                          "ports": subnet.switches[g].ports, "lid": subnet.switches[g].lid}
                         for g in guids],
            "hosts": [{"id": i, "guid": h.guid, "name": h.name, "switch": ids[h.switch],
                       "port": h.switch_port, "lid": h.lid, "lmc": h.lmc}
                      for i, h in enumerate(subnet.hosts)],
            "links": [[ids[a], p, ids[b], q] for (a, p), (b, q) in subnet.each_cable()]},
        "lft": [[subnet.lfts[g].get(lid, 255) for lid in range(top + 1)] for g in guids],
        # Rows that were not read are filled with "drop": the proof cannot pass because of them.
        "sl2vl": [{"default": drop, **{f"{i},{o}": row for (i, o), row in sl2vl[g].items()}}
                  for g in guids],
        "host_sl2vl": host_sl2vl,
        "path_sl": [[sl(g, lid) for lid in range(top + 1)] for g in guids],
        "mft": [{str(mlid): sorted(ports) for mlid, ports in mfts.get(g, {}).items()}
                for g in guids]}
    path = subnet.topology_path.with_name("read-back.json")
    path.write_text(json.dumps(tables), encoding="utf-8")
    return subnet, sls, path
