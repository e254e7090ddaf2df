# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Cables, switches and hosts are removed and come back while OpenSM runs with the plugin."""
import unittest

from opensm_case import OpenSmCase, net, ring_net
from tools.lab import torus_net


class Faults(OpenSmCase):
    def seen(self, sm, *words):
        """Whether a line of the plugin's list of faults contains all these words."""
        return [f["what"] for f in sm.ask("status")["faults"] if all(w in f["what"] for w in words)]

    def wait_seen(self, sm, *words):
        self.eventually(lambda: self.assertTrue(self.seen(sm, *words), sm.ask("status")["faults"]))

    def test_a_cable_is_cut_and_comes_back(self):
        for lmc in (0, 2):
            with self.subTest(lmc=lmc), self.start_lab(torus_net(4, 4)) as lab:
                sm = self.start(lab, options={"lmc": lmc})
                sm.wait_up(timeout_s=40)
                before, _ = self.check(lab, sm, hosts=16, switches=16)
                lids = {h.name: (h.lid, h.lmc) for h in before.hosts}

                lab.cut("S-1-1", 4)
                self.wait_fabric(sm, links=31)
                cut, _ = self.check(lab, sm, hosts=16, switches=16)
                self.assertEqual({h.name: (h.lid, h.lmc) for h in cut.hosts}, lids)
                self.assertNotIn((before.switch_named("S-1-1").guid, 4), cut.cables)
                self.wait_seen(sm, "cable", "S-1-1:4", "S-1-2:3", "is gone")

                lab.relink("S-1-1", 4)
                self.wait_fabric(sm, links=32)
                again, _ = self.check(lab, sm, hosts=16, switches=16)
                self.wait_seen(sm, "cable", "S-1-1:4", "S-1-2:3", "is new")
                # The same fabric has the same tables.
                self.assert_same_lfts(again.lfts, before.lfts)

    def test_a_switch_goes_and_comes_back(self):
        with self.start_lab(torus_net(4, 4)) as lab:
            sm = self.start(lab, host="H-0-0", options={"lmc": 1})
            sm.wait_up(timeout_s=40)
            before, _ = self.check(lab, sm, hosts=16, switches=16)
            lab.cut("S-2-2")
            self.wait_fabric(sm, switches=15, hosts=15, links=28)
            left, _ = self.check(lab, sm, hosts=15, switches=15)
            kept = {h.name: h.lid for h in before.hosts if h.name != "H-2-2"}
            self.assertEqual({h.name: h.lid for h in left.hosts}, kept)
            self.wait_seen(sm, "switch S-2-2", "is gone")
            self.wait_seen(sm, "host H-2-2", "is gone")
            lab.relink("S-2-2")
            self.wait_fabric(sm, switches=16, hosts=16, links=32)
            again, _ = self.check(lab, sm, hosts=16, switches=16)
            self.assertEqual({h.name: h.lid for h in again.hosts},
                             {h.name: h.lid for h in before.hosts})
            self.wait_seen(sm, "switch S-2-2", "is new")

    def test_a_host_is_added(self):
        """H-1-1 and H-2-0 exist from the start, but their cables are connected later."""
        with self.start_lab(torus_net(3, 3)) as lab:
            lab.cut("H-1-1")
            lab.cut("H-2-0")
            self.eventually(lambda: self.assertNotIn(
                "H-2-0", lab.tool("ibnetdiscover", host="H-0-0")))
            sm = self.start(lab, host="H-0-0", options={"lmc": 2})
            sm.wait_up(timeout_s=40)
            few, _ = self.check(lab, sm, hosts=7, switches=9)
            for count, name in ((8, "H-1-1"), (9, "H-2-0")):
                lab.relink(name)
                self.wait_fabric(sm, hosts=count)
                more, _ = self.check(lab, sm, hosts=count, switches=9)
                self.wait_seen(sm, f"host {name}", "is new")
                lids = {h.name: h.lid for h in more.hosts}
                self.assertEqual({h.name: lids[h.name] for h in few.hosts},
                                 {h.name: h.lid for h in few.hosts})

    def test_two_faults_at_once(self):
        with self.start_lab(torus_net(4, 4)) as lab:
            sm = self.start(lab, host="H-0-0")
            sm.wait_up(timeout_s=40)
            lab.cut("S-0-1", 4)
            lab.cut("S-2-3")
            self.wait_fabric(sm, switches=15, hosts=15, links=27)
            self.check(lab, sm, hosts=15, switches=15)
            lab.cut("S-3-0", 1)
            lab.relink("S-2-3")
            self.wait_fabric(sm, switches=16, hosts=16, links=30)
            self.check(lab, sm, hosts=16, switches=16)

    def test_a_cut_that_splits_the_fabric(self):
        """
            S-0 ─ S-1 ─ S-2 ─ S-3 ─ S-4 ─ S-5 ─ S-0     cut at S-0/S-5 and S-2/S-3
        """
        with self.start_lab(ring_net(6)) as lab:
            sm = self.start(lab, host="H-0")
            sm.wait_up(timeout_s=40)
            self.check(lab, sm, hosts=6, switches=6)
            lab.cut("S-0", 1)
            lab.cut("S-2", 2)
            self.wait_fabric(sm, switches=3, hosts=3, links=2)
            self.check(lab, sm, hosts=3, switches=3)
            for gone in ("S-3", "S-4", "S-5"):
                self.wait_seen(sm, f"switch {gone}", "is gone")
            # Every switch that is left can name those that are apart; and they come back.
            lab.relink("S-2", 2)
            self.wait_fabric(sm, switches=6, hosts=6, links=5)
            self.check(lab, sm, hosts=6, switches=6)

    def test_parallel_cables_and_two_port_hosts(self):
        """
            H0:1 ─ S-A ══ S-B ─ H1:1      three cables between A and B, one between B and C
                    └─ S-C ─┘             H0's second port is on B
        """
        text = net({"S-A": 8, "S-B": 8, "S-C": 8},
                   [("S-A", 1, "S-B", 1), ("S-A", 2, "S-B", 2), ("S-A", 3, "S-B", 3),
                    ("S-B", 4, "S-C", 4), ("S-A", 5, "S-C", 5)],
                   {"H0": [("S-A", 7), ("S-B", 7)], "H1": [("S-B", 8)],
                    "H2": [("S-C", 7), ("S-C", 8)]})
        with self.start_lab(text) as lab:
            sm = self.start(lab, host="H1", options={"lmc": 1})
            sm.wait_up(timeout_s=40)
            self.check(lab, sm, hosts=5, switches=3)
            for links, port in ((4, 2), (3, 1), (2, 3)):
                lab.cut("S-A", port)
                self.wait_fabric(sm, links=links)
                self.check(lab, sm, hosts=5, switches=3)
            lab.relink("S-A", 2)
            self.wait_fabric(sm, links=3)
            lab.cut("H0", 2)
            self.wait_fabric(sm, hosts=4, links=3)
            self.check(lab, sm, hosts=4, switches=3)
            lab.relink("H0", 2)
            self.wait_fabric(sm, hosts=5)
            self.check(lab, sm, hosts=5, switches=3)


if __name__ == "__main__":
    unittest.main()
