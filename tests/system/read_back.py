# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Tables made only of what the switches hold and the SA answers: LFTs, SL2VL rows, MFTs and the SLs of path
records. A proof of these shares nothing with the plugin but the verifier."""
import collections
import concurrent.futures
import json

from opensm_case import OpenSmCase, number

CLIENTS = 4  # tools that run at a time; ibsim serves at most ten


class ReadBack(OpenSmCase):
    def read_sls(self, lab, sm, subnet):
        """{(source switch GUID, DLID): SL}: what the SA answers for one host of each switch. All hosts
        of a switch have the same SL to a DLID, so one of them is enough."""
        at = collections.defaultdict(list)
        for h in subnet.hosts:
            at[h.switch].append(h)
        ends = [h.lids for h in subnet.hosts] + [[s.lid] for s in subnet.switches.values()]
        pairs = [(speaker[0], dlid) for hosts in at.values() for lids in ends
                 if (speaker := [h for h in hosts if h.lid not in lids]) for dlid in lids]
        text = "".join(f"{h.lid} {dlid}\n" for h, dlid in pairs)
        sls = self.client(lab, sm.host, "sls", text=text).split()
        self.assertEqual(len(sls), len(pairs))
        hosts = {dlid for h in subnet.hosts for dlid in h.lids}
        missing = [(h.name, dlid) for (h, dlid), sl in zip(pairs, sls)
                   if sl == "none" and dlid in hosts and subnet.lfts[h.switch].get(dlid)]
        self.assertEqual(missing, [])
        return {(h.switch, dlid): int(sl) for (h, dlid), sl in zip(pairs, sls) if sl != "none"}

    def read_sl2vl(self, lab, sm, subnet):
        """({switch GUID: {(in port, out port): row}}, the rows of four hosts). A row is the VL of each
        SL. Only ports with a cable are read."""
        cabled = collections.defaultdict(set)
        for guid, port in [*subnet.cables, *subnet.host_at()]:
            cabled[guid].add(port)

        def read(where):
            lid, port, path = where
            return lab.read_sl2vl(lid, port, host=sm.host, path=path)
        # After a fault a host may have no path to a switch without hosts (dmodk reports that). Such a
        # switch is asked by a directed route.
        start = subnet.host_named(sm.host)
        directed = self.directed_routes(subnet, start)
        asked = [(s, p) for s in subnet.switches.values() for p in sorted(cabled[s.guid])]
        with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
            answers = list(pool.map(read, [
                (s.lid, p, None if self.reaches(subnet, start.switch, s) else directed[s.guid]) for s, p in asked]))
            at_hosts = list(pool.map(read, [(h.lid, h.number, None) for h in subnet.hosts[:4]]))
        rows = collections.defaultdict(dict)
        for (switch, _), answer in zip(asked, answers):
            rows[switch.guid].update({(i, o): row for (i, o), row in answer.items()
                                      if i == 0 or i in cabled[switch.guid]})
        hosts = {tuple(row) for answer in at_hosts for row in answer.values()}
        self.assertEqual(len(hosts), 1)
        return rows, list(hosts.pop())

    @staticmethod
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

    @staticmethod
    def reaches(subnet, start, switch):
        at, seen = start, set()
        while at != switch.guid and at not in seen:
            seen.add(at)
            at = subnet.cables.get((at, subnet.lfts[at].get(switch.lid)), (None, 0))[0]
            if at is None:
                return False
        return at == switch.guid

    def read_back(self, lab, sm, told=None):
        """(subnet, SLs, path of a selvedge-tables-1 file that is made only of what was read back). But for pairs
        without a path record, whose SL nobody uses: a switch without hosts that some others do not reach. Theirs
        are 0, or those of `told`, the plugin's document of its tables."""
        subnet = lab.read_subnet(host=sm.host)
        sls = self.read_sls(lab, sm, subnet)
        sl2vl, host_sl2vl = self.read_sl2vl(lab, sm, subnet)
        mfts = lab.read_mfts(host=sm.host)
        guids = sorted(subnet.switches)
        ids = {guid: i for i, guid in enumerate(guids)}
        top = max([h.lids[-1] for h in subnet.hosts] + [s.lid for s in subnet.switches.values()])
        self.assertNotEqual(top % 64, 0, "dump_fts leaves out such a last LID")
        drop = [15] * 16
        unused = {} if told is None else {number(s["guid"]): told["path_sl"][s["id"]]
                                          for s in told["fabric"]["switches"]}

        def sl(guid, lid):
            row = unused.get(guid, ())
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

    def check_told(self, sm, subnet, sls):
        """Asserts that the LFTs and SLs that the plugin reports are those that were read back."""
        reported = sm.ask("tables")
        self.assertEqual(self.reported_lfts(reported), self.seen_lfts(subnet))
        ids = {number(s["guid"]): s["id"] for s in reported["fabric"]["switches"]}
        wrong = [(guid, lid) for (guid, lid), sl in sls.items()
                 if reported["path_sl"][ids[guid]][lid] != sl]
        self.assertEqual(wrong, [])
