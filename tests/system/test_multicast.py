# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Multicast groups: their MFTs, read back from the switches, are trees that reach exactly the members,
inside the spanning tree that the plugin's proof has counted."""
import json
import subprocess
import unittest

from opensm_case import ROUTE, OpenSmCase, number
from tools.lab import torus_net

MLID = 0xC000  # the MLID of the IPoIB broadcast group, which is the first group


class Multicast(OpenSmCase):
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

    def test_members_come_and_go_and_a_cable_of_the_tree_is_cut(self):
        with self.start_lab(torus_net(4, 4, hosts=2)) as lab:
            sm = self.start(lab, host="H-0-0-0")
            sm.wait_up(timeout_s=40)
            members = ["H-0-0-1", "H-1-3-0", "H-3-2-1", "H-2-2-0"]
            for name in members:
                self.assertEqual(int(self.client(lab, name, "join").split()[1], 0), MLID)
            self.check_soon(lab, sm, members)
            more = [*members, "H-2-2-1", "H-0-3-0"]
            for name in more[len(members):]:
                self.client(lab, name, "join")
            self.check_soon(lab, sm, more)
            self.client(lab, "H-1-3-0", "leave")
            more.remove("H-1-3-0")
            self.check_soon(lab, sm, more)

            # After a cut of any cable of the tree, the remaining cables must connect the group again.
            subnet = lab.read_subnet(host=sm.host)
            mfts = lab.read_mfts(host=sm.host)
            guid, port = min((guid, port) for guid, rows in mfts.items()
                             for port in rows.get(MLID, ()) if (guid, port) in subnet.cables)
            lab.cut(subnet.switches[guid].name, port)
            self.wait_fabric(sm, links=31)
            self.check_soon(lab, sm, more)
            self.check(lab, sm, hosts=32, switches=16)

            # A switch is removed, together with the member at it.
            lab.cut("S-3-2")
            self.wait_fabric(sm, switches=15)
            self.check_soon(lab, sm, [m for m in more if m != "H-3-2-1"])
            self.check(lab, sm, hosts=30, switches=15)

    def test_a_drained_cable_carries_no_group(self):
        with self.start_lab(torus_net(4, 4)) as lab:
            sm = self.start(lab, host="H-0-0")
            sm.wait_up(timeout_s=40)
            members = ["H-0-1", "H-1-3", "H-3-2", "H-2-2"]
            for name in members:
                self.client(lab, name, "join")
            self.check_soon(lab, sm, members)
            self.eventually(lambda: self.assertTrue(sm.ask("status")["fast_path"]["ready"]))
            subnet = lab.read_subnet(host=sm.host)
            guid, port = min((guid, port) for guid, rows in lab.read_mfts(host=sm.host).items()
                             for port in rows.get(MLID, ()) if (guid, port) in subnet.cables)
            done = subprocess.run([ROUTE, "drain", f"{subnet.switches[guid].name}:{port}",
                                   "--socket", sm.socket, "--json"], check=True,
                                  stdout=subprocess.PIPE, text=True, timeout=60)
            self.assertTrue(json.loads(done.stdout)["groups_moved"])
            # This is not polled: the operator may pull the cable as soon as drain has answered.
            self.assertNotIn(port, lab.read_mfts(host=sm.host)[guid].get(MLID, ()))
            self.check_group(lab, sm, members)

    def test_a_group_of_one_has_no_tree(self):
        with self.start_lab(torus_net(3, 3, hosts=2)) as lab:
            sm = self.start(lab, host="H-0-0-0")
            sm.wait_up(timeout_s=40)
            self.client(lab, "H-1-1-0", "join")
            self.client(lab, "H-2-2-1", "join")
            self.check_soon(lab, sm, ["H-1-1-0", "H-2-2-1"])
            self.client(lab, "H-2-2-1", "leave")
            # OpenSM may keep or remove the MFT entry at the only member's switch. No entry may lead over
            # a cable between switches.
            def alone():
                cables = lab.read_subnet(host=sm.host).cables
                left = {(guid, p) for guid, rows in lab.read_mfts(host=sm.host).items()
                        for p in rows.get(MLID, ())}
                self.assertEqual([end for end in left if end in cables], [])
            self.eventually(alone)
            self.check_alive(sm)

    def test_groups_survive_a_restart_with_their_members_joining_again(self):
        with self.start_lab(torus_net(3, 3)) as lab:
            sm = self.start(lab, host="H-0-0")
            sm.wait_up(timeout_s=40)
            members = ["H-0-1", "H-1-2", "H-2-0"]
            for name in members:
                self.client(lab, name, "join")
            self.check_soon(lab, sm, members)
            mark = sm.mark()
            sm.kill()
            sm.start()
            sm.wait_up(after=mark, timeout_s=40)
            for name in members:  # ibsim loses the first MADs to a port whose client was killed
                self.eventually(lambda n=name: self.client(lab, n, "join"))
            self.check_soon(lab, sm, members)


if __name__ == "__main__":
    unittest.main()
