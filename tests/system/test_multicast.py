# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Multicast groups while members come and go, cables are cut and drained."""
import json
import subprocess
import unittest

from group_case import MLID, GroupCase
from opensm_case import ROUTE
from tools.lab import torus_net


class Multicast(GroupCase):
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
