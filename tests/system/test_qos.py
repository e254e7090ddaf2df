# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""qos_sl2vl and qos_vlarb_* of opensm.conf beside our engines. An engine of one VL leaves what OpenSM itself
would write: opensm runs by minhop and by ours under the same opensm.conf, and what the switches and hosts
then hold is compared. An engine of several VLs gives each level VLs of its own, and each level is proved from
what was read back. What does not fit is refused, and the fallback routes."""
import concurrent.futures
import json
import unittest

from opensm_case import generated_net
from read_back import ReadBack
from tools.lab import torus_net
from tools.lab.subnet import parse_path_records

CLIENTS = 4
DROPPED = [15] * 16
TWO_LEVELS = {"qos_sl2vl": "0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1",
              "qos_vlarb_high": "0:64,1:192", "qos_vlarb_low": "0:1,1:3"}
# Kinds of ports have settings of their own, VL 9 is VL 1 on ports with 8 VLs, and SL 14 is dropped.
BY_KINDS = {"qos_sl2vl": "0,1,2,3,4,5,6,7,0,9,0,1,0,1,15,3",
            "qos_ca_sl2vl": "1,1,2,2,3,3,4,4,5,5,6,6,7,7,0,0",
            "qos_vlarb_high": "0:64,1:32,2:16,9:8", "qos_vlarb_low": "0:1,1:2,2:3,3:4,4:5,5:6,6:7,7:8",
            "qos_swe_vlarb_low": "3:17,1:5", "qos_ca_vlarb_high": "2:99"}


class Qos(ReadBack):
    def held(self, lab, host):
        """What switches and hosts hold: {(name, port out): (rows by port in, VL arbitration)}, at ports with
        a cable, and the ports of switches that lead to switches, as (name, port)."""
        subnet = lab.read_subnet(host=host)
        trunks = {(subnet.switches[guid].name, port) for guid, port in subnet.cables}
        ports = [(s.name, s.lid, port) for s in subnet.switches.values() for port in range(1, s.ports + 1)
                 if (s.guid, port) in subnet.cables or (s.guid, port) in subnet.host_at()]
        ports += [(h.name, h.lid, h.number) for h in subnet.hosts]

        def read(where):
            name, lid, port = where
            rows = lab.read_sl2vl(lid, port, host=host)
            if any(name == s.name for s in subnet.switches.values()):
                rows = {(i, o): row for (i, o), row in rows.items()
                        if i == 0 or (subnet.switch_named(name).guid, i) in subnet.cables
                        or (subnet.switch_named(name).guid, i) in subnet.host_at()}
            return (name, port), (rows, lab.read_vlarb(lid, port, host=host))
        with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
            return dict(pool.map(read, ports)), trunks

    def by_minhop(self, text, options):
        """What opensm alone writes by minhop."""
        with self.start_lab(text) as lab:
            sm = lab.opensm("minhop", host="H-0-0" if "H-0-0" in text else None, plugin_toml=None,
                            options={"routing_engine": "minhop", "sweep_interval": 1, **options})
            sm.wait_up(timeout_s=40)
            return self.held(lab, sm.host)[0]

    def compare(self, ours, theirs, trunks):
        """Every row is OpenSM's, or drops all at a turn from a cable between switches to another: there the
        guard forbids what no path uses. Returns how many do that."""
        self.assertEqual(sorted(ours), sorted(theirs))
        dropped = 0
        for (name, port), (rows, vlarb) in ours.items():
            rows_there, vlarb_there = theirs[name, port]
            self.assertEqual(vlarb, vlarb_there, (name, port))
            self.assertEqual(sorted(rows), sorted(rows_there), (name, port))
            for (i, o), row in rows.items():
                if row == DROPPED and {(name, i), (name, o)} <= trunks:
                    dropped += 1
                    continue
                self.assertEqual(row, rows_there[i, o], (name, i, o))
        return dropped

    def test_an_engine_of_one_vl_leaves_what_opensm_writes(self):
        for engine, text in (("updn", torus_net(3, 3)), ("dmodk", generated_net("tree:k=2,n=2"))):
            with self.subTest(engine=engine):
                theirs = self.by_minhop(text, BY_KINDS)
                self.assertIn([0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 0, 1, 0, 1, 15, 3],
                              [row for rows, _ in theirs.values() for row in rows.values()])
                with self.start_lab(text) as lab:
                    sm = self.start(lab, host="H-0-0" if "H-0-0" in text else None, options={
                        **BY_KINDS, "routing_engine": f"selvedge-{engine},no_fallback"})
                    sm.wait_up(timeout_s=40)
                    self.check(lab, sm)
                    ours, trunks = self.held(lab, sm.host)
                    self.assertGreater(self.compare(ours, theirs, trunks), 0)
                    self.assertNotIn("has no effect", sm.log.text())
                    self.assertIn("8 QoS levels on 8 VLs", " ".join(sm.ask("status")["last_sweep"]["remarks"]))

    def test_a_repair_keeps_them(self):
        text = torus_net(3, 3)
        theirs = self.by_minhop(text, TWO_LEVELS)
        with self.start_lab(text) as lab:
            sm = self.start(lab, host="H-0-0", options=TWO_LEVELS)
            sm.wait_up(timeout_s=40)
            self.check(lab, sm)
            for cable in (("S-1-1", 2), ("S-2-2", 4)):
                lab.cut(*cable)
            self.wait_fabric(sm, links=16)
            self.check(lab, sm)
            ours, trunks = self.held(lab, sm.host)
            self.compare(ours, {key: ({of: theirs[key][0][of] for of in rows}, theirs[key][1])
                                for key, (rows, _) in ours.items()}, trunks)

    def prove_levels(self, lab, sm):
        """Proves both levels from what was read back; returns (subnet, SLs of the first level, the VLs of each)."""
        subnet, sls, path = self.read_back(lab, sm)
        replies = sm.ask("status")["last_sweep"]["proof"]["replies"]
        tables = json.loads(path.read_text(encoding="utf-8"))
        used = []
        for level in (0, 1):
            tables["path_sl"] = [[sl % 8 + 8 * level for sl in row] for row in tables["path_sl"]]
            of_level = path.with_name(f"level-{level}.json")
            of_level.write_text(json.dumps(tables), encoding="utf-8")
            proof = self.verify(of_level, "--replies", replies)
            self.assertEqual(proof["status"], 0, proof)
            used.append({vl for table in tables["sl2vl"] for row in table.values() if row != DROPPED
                         for vl in row[8 * level:8 * level + 8]})
        return subnet, sls, used

    def test_levels_of_an_engine_with_several_vls(self):
        """Two levels of four VLs: each is proved from the LFTs, the rows and the SA's SLs read back."""
        with self.start_lab(torus_net(4, 4)) as lab:
            sm = self.start(lab, host="H-0-0", options={
                **TWO_LEVELS, "lmc": 2, "routing_engine": "selvedge-tftr,no_fallback"})
            sm.wait_up(timeout_s=60)
            self.check(lab, sm)
            sweep = sm.ask("status")["last_sweep"]
            self.assertEqual((sweep["tables_of"], sweep["vls_used"]), ("tftr", 2))
            subnet, sls, used = self.prove_levels(lab, sm)
            self.assertLess(max(sls.values()), 8)
            self.assertTrue(used[0] <= {0, 1, 2, 3} and used[1] <= {4, 5, 6, 7}, used)
            self.assertEqual([len(vls) for vls in used], [2, 2])
            # The weights of the levels: 64 to 192, and 1 to 3.
            vlarb = lab.read_vlarb(subnet.hosts[0].lid, subnet.hosts[0].number, host=sm.host)
            for table, weights in (("high", (64, 192)), ("low", (1, 3))):
                self.assertEqual([entry for entry in vlarb[table] if entry[1]],
                                 [(vl, weights[vl // 4]) for vl in range(8)])
            # A path of the second level is answered with an SL of that level.
            a, b = subnet.hosts[0], subnet.hosts[5]
            asked = sls[a.switch, b.lids[1]] + 8
            records = parse_path_records(lab.tool("saquery", "-p", "--slid", a.lid, "--dlid", b.lids[1],
                                                  "--sl", asked, host=sm.host))
            self.assertEqual([record["sl"] for record in records], [asked])

    def test_a_repair_with_several_vls_keeps_the_levels_apart(self):
        """The rows that the fast path writes are those of both levels."""
        with self.start_lab(torus_net(4, 4)) as lab:
            sm = self.start(lab, host="H-0-0", options={
                **TWO_LEVELS, "lmc": 2, "routing_engine": "selvedge-spftr,no_fallback"})
            sm.wait_up(timeout_s=60)
            self.check(lab, sm)
            sm.wait_status(lambda status: status["fast_path"]["ready"], timeout_s=40)
            lab.cut("S-1-1", 2)
            lab.cut("S-2-2", 4)
            self.wait_fabric(sm, links=30)
            self.check(lab, sm)

            def settled():
                _, _, used = self.prove_levels(lab, sm)
                self.assertTrue(used[0] <= {0, 1, 2, 3, 15} and used[1] <= {4, 5, 6, 7, 15}, used)
                self.assertGreater(len(used[0] - {15}), 1)
            self.eventually(settled)

    def test_levels_that_do_not_fit_are_refused(self):
        levels = {"qos_sl2vl": "0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7"}
        text = torus_net(4, 4)
        theirs = self.by_minhop(text, levels)
        with self.start_lab(text) as lab:
            sm = self.start(lab, host="H-0-0", options={
                **levels, "lmc": 4, "routing_engine": "selvedge-spftr,no_fallback"})
            sm.wait_up(timeout_s=60)
            self.check(lab, sm)
            sweep = sm.ask("status")["last_sweep"]
            self.assertEqual((sweep["outcome"], sweep["tables_of"]), ("fell back", "updn"))
            self.assertIn("8 QoS levels on 8 VLs and 16 SLs: 1 VL and 1 SL each", " ".join(sweep["failures"]))
            self.assertRegex(sm.log.text(), r"selvedge: engine spftr: .*8 QoS levels on 8 VLs")
            ours, trunks = self.held(lab, sm.host)
            self.compare(ours, theirs, trunks)

    def test_without_settings_all_sls_share_a_vl(self):
        with self.start_lab(torus_net(3, 3)) as lab:
            sm = self.start(lab, host="H-0-0")
            sm.wait_up(timeout_s=40)
            ours, _ = self.held(lab, sm.host)
            self.assertEqual({tuple(row) for rows, _ in ours.values() for row in rows.values()},
                             {(0,) * 16, (15,) * 16})

    def test_other_levels_with_sighup(self):
        """OpenSM reads the options again: rows follow, and every pair stays connected."""
        with self.start_lab(torus_net(3, 3)) as lab:
            sm = self.start(lab, host="H-0-0", options=TWO_LEVELS)
            sm.wait_up(timeout_s=40)
            self.check(lab, sm)
            conf = sm.folder / "opensm.conf"
            conf.write_text(conf.read_text(encoding="utf-8").replace(TWO_LEVELS["qos_sl2vl"],
                                                                     "3,3,3,3,3,3,3,3,5,5,5,5,5,5,5,5"),
                            encoding="utf-8")
            sm.send_sighup()

            def followed():
                ours, _ = self.held(lab, sm.host)
                self.assertEqual({tuple(row) for rows, _ in ours.values() for row in rows.values()},
                                 {(3,) * 8 + (5,) * 8, (15,) * 16})
            self.eventually(followed)
            self.check(lab, sm)


if __name__ == "__main__":
    unittest.main()
