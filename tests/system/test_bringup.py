# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The plugin brings fabrics up: the LFTs, SL2VL and VL arbitration tables that are read back from the
switches are those that the plugin computed, and they are proved."""
import unittest

from opensm_case import OpenSmCase, generated_net, net, number
from tools.lab import torus_net

ODD = "S [A]; {x}: y=1"
ODDER = "S-<&'%s>"

class BringUp(OpenSmCase):
    def bring_up(self, text, *, lmc, hosts, switches, host=None, engine="updn"):
        with self.start_lab(text) as lab:
            sm = self.start(lab, host=host, options={
                "lmc": lmc, "routing_engine": f"selvedge-{engine},no_fallback"})
            sm.wait_up(timeout_s=40)
            subnet, reported = self.check(lab, sm, hosts=hosts, switches=switches)
            self.assertEqual({h.lmc for h in subnet.hosts}, {lmc})
            status = sm.ask("status")
            self.assertEqual(status["role"], "master")
            self.assertEqual(status["engine"], engine)
            sweep = status["last_sweep"]
            self.assertEqual((sweep["switches"], sweep["hosts"], sweep["lmc"]),
                             (switches, hosts, lmc))
            self.assertEqual(sweep["proof"]["pairs"], hosts * (hosts - 1))
            self.assertTrue(sweep["proof"]["connected"] and sweep["proof"]["loop_free"] and
                            sweep["proof"]["deadlock_free"])
            self.assertEqual(sweep["failures"], [])
            self.check_qos(lab, sm, subnet, reported, some=3)
            return subnet

    def check_qos(self, lab, sm, subnet, reported, some):
        """Reads SL2VL and VL arbitration of some switches and hosts with smpquery and compares them."""
        names = sorted(s.name for s in subnet.switches.values())
        ids = {number(s["guid"]): str(s["id"]) for s in reported["fabric"]["switches"]}
        sl2vl = reported["sl2vl"]
        for name in names[:: max(1, len(names) // some)][:some]:
            switch = subnet.switch_named(name)
            cabled = [p for p in range(1, switch.ports + 1)
                      if (switch.guid, p) in subnet.cables or (switch.guid, p) in subnet.host_at()]
            rules = sl2vl[ids[switch.guid]] if isinstance(sl2vl, dict) else \
                sl2vl[int(ids[switch.guid])]
            for out in cabled[:2] + cabled[-1:]:
                rows = lab.read_sl2vl(switch.lid, out, host=sm.host)
                for (i, o), row in rows.items():
                    if i in cabled:
                        self.assertEqual(row, rules.get(f"{i},{o}", rules["default"]), (name, i, o))
                self.check_vlarb(lab.read_vlarb(switch.lid, out, host=sm.host))
        for at in subnet.hosts[:: max(1, len(subnet.hosts) // some)][:some]:
            rows = lab.read_sl2vl(at.lid, at.number, host=sm.host)
            self.assertEqual(list(rows.values()), [reported["host_sl2vl"]])
            self.check_vlarb(lab.read_vlarb(at.lid, at.number, host=sm.host))

    def check_vlarb(self, tables):
        """Every data VL has weight 64 (64 × 64 bytes) in the low-priority table; the high-priority table
        is empty."""
        low = [(vl, weight) for vl, weight in tables["low"] if weight]
        self.assertEqual(low, [(vl, 64) for vl in range(len(low))])
        self.assertGreaterEqual(len(low), 1)
        self.assertEqual([e for e in tables["high"] if e[1]], [])

    def test_torus(self):
        for lmc in (0, 2):
            with self.subTest(lmc=lmc):
                self.bring_up(torus_net(6, 6), lmc=lmc, hosts=36, switches=36)

    def test_dimension_order(self):
        """Two VLs and four SLs, a bit for each dimension's dateline."""
        self.bring_up(torus_net(4, 4), lmc=0, hosts=16, switches=16, engine="dor")

    def test_irregular(self):
        text = generated_net("irregular:switches=13,degree=4,hosts=2,seed=3")
        for lmc in (0, 2):
            with self.subTest(lmc=lmc):
                self.bring_up(text, lmc=lmc, hosts=26, switches=13)

    def test_tree(self):
        text = generated_net("tree:k=4,n=2")
        for lmc in (0, 2):
            with self.subTest(lmc=lmc):
                self.bring_up(text, lmc=lmc, hosts=16, switches=8)

    def test_spf_on_a_line_is_proved(self):
        """A graph without cycles has no cyclic dependencies, whatever the routes."""
        self.bring_up(generated_net("mesh:1x5,hosts=2"), lmc=1, hosts=10, switches=5, engine="spf")

    def test_parallel_cables_a_looped_cable_and_two_port_hosts(self):
        """
            H0 ─ S-A ══ S-B ─ H1        two cables between A and B; a cable from B's port 7 to 8
             └──────── S-B               H0 has its second port on B, H1 its second one on C
                 S-B ─ S-C ─ H2, H1
        """
        text = net({"S-A": 8, "S-B": 8, "S-C": 8},
                   [("S-A", 1, "S-B", 1), ("S-A", 2, "S-B", 2), ("S-B", 3, "S-C", 3),
                    ("S-B", 7, "S-B", 8)],
                   {"H0": [("S-A", 5), ("S-B", 5)], "H1": [("S-B", 6), ("S-C", 6)],
                    "H2": [("S-C", 5)]})
        subnet = self.bring_up(text, lmc=2, hosts=5, switches=3, host="H0")
        a = subnet.switch_named("S-A")
        # A and B also carry paths to the hosts beyond them, so both cables between them must be used.
        used = {subnet.lfts[a.guid][lid] for h in subnet.hosts if h.switch != a.guid
                for lid in h.lids}
        self.assertEqual(used, {1, 2})

    def test_node_descriptions_with_odd_characters(self):
        """Names with unusual characters. ibsim's file format allows neither quotes nor #; the other
        characters reach the parsers as infiniband-diags print them."""
        text = net({ODD: 4, ODDER: 4}, [(ODD, 1, ODDER, 1)], {"H 'a', 1": [(ODD, 2)], "H%n": [(ODDER, 2)]})
        self.bring_up(text, lmc=1, hosts=2, switches=2)


if __name__ == "__main__":
    unittest.main()
