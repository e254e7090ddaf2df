# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""What tests of multicast groups share: a group's MFTs, read back from the switches, must be a tree that
reaches exactly the members, inside the spanning tree that the plugin's proof has counted."""
from opensm_case import OpenSmCase, number

MLID = 0xC000  # the MLID of the IPoIB broadcast group, which is the first group


class GroupCase(OpenSmCase):
    def check_group(self, lab, sm, members, mlid=MLID):
        """Asserts that the group's MFTs are a tree that reaches exactly `members`: names of at least two
        hosts with one port each."""
        subnet = lab.read_subnet(host=sm.host)
        mfts = {guid: rows.get(mlid, set()) for guid, rows in lab.read_mfts(host=sm.host).items()}
        at = {(h.switch, h.switch_port): h.name for h in subnet.hosts}
        reported = sm.ask("tables")
        guid_of = {str(s["id"]): number(s["guid"]) for s in reported["fabric"]["switches"]}
        mft = reported["mft"]
        per_switch = enumerate(mft) if isinstance(mft, list) else mft.items()
        spanning = {guid_of[str(i)]: set(next(iter(rows.values()), [])) for i, rows in per_switch}

        reached, edges = set(), set()
        for guid, ports in mfts.items():
            # Only ports of the spanning tree are used. The tree includes the ports of all hosts, also
            # of those that are no members.
            self.assertLessEqual(ports, spanning.get(guid, set()), subnet.switches[guid].name)
            for port in ports:
                if (guid, port) in at:
                    reached.add(at[guid, port])
                else:
                    far = subnet.cables[guid, port]
                    self.assertIn(far[1], mfts[far[0]], "a cable with one end in the tree")
                    edges.add(frozenset([(guid, port), far]))
        self.assertEqual(reached, set(members))
        # The MFTs are a tree: they are connected, and have one switch more than cables.
        switches = {guid for guid, ports in mfts.items() if ports}
        self.assertEqual(len(edges), len(switches) - 1)
        seen, todo = set(), [next(iter(switches))]
        while todo:
            guid = todo.pop()
            seen.add(guid)
            todo += [subnet.cables[guid, p][0] for p in mfts[guid]
                     if (guid, p) in subnet.cables and subnet.cables[guid, p][0] not in seen]
        self.assertEqual(seen, switches)

    def check_soon(self, lab, sm, members, mlid=MLID):
        self.eventually(lambda: self.check_group(lab, sm, members, mlid))
