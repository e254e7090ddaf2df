# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Engines that route disjoint paths to the LIDs of a host, run in the real opensm.

The switches' LFTs, SL2VL and MFTs and the SA's SL of each path are read back, and the proof uses nothing
else. Then a cable is cut: paths that did not cross the cable must not change.
"""
import collections
import json
import re
import subprocess
import unittest

from opensm_case import ROOT, ROUTE, generated_net, number
from read_back import ReadBack
from tests.support.draw import SEED, drawn
from tools.lab import PLUGIN_STATUS, torus_net, walk_all_pairs

KNOWN = {e["engine"] for e in json.loads(subprocess.run(
    [ROUTE, "engines", "--json"], stdout=subprocess.PIPE, check=True).stdout)["engines"]}
# ./run test draws two engines: reading the tables back takes twenty seconds for each.
DRAWN = drawn(("tftr", "spftr", "ist", "ist, 4 LIDs", "dmodk, 4 LIDs", "dmodk"), 2)


def if_drawn(name):
    return unittest.skipUnless(name in DRAWN, f"not drawn by SELVEDGE_SEED={SEED}; SELVEDGE_WHOLE=1 runs all")


def crosses(walk, cable):
    return any(end in cable for end in walk.hops)


class MultiPath(ReadBack):
    def paths(self, sm, source, destination):
        """The output of `selvedge-route paths` for a pair of hosts, asked of the running plugin."""
        done = subprocess.run([ROUTE, "paths", source, destination, "--socket", sm.socket,
                               "--json"], stdout=subprocess.PIPE, check=True, timeout=20)
        return json.loads(done.stdout)

    # -- checking --------------------------------------------------------------------------------

    def check_pair(self, lab, sm, subnet, sls, walks, source, destination, disjoint,
                   base_shortest):
        """A pair's disjoint LIDs, named by the plugin: the paths that the switches hold share
        nothing but their ends, and saquery gives the SL of each."""
        listed = self.paths(sm, source, destination)["paths"]
        a, b = subnet.host_named(source), subnet.host_named(destination)
        chosen = [p for p in listed if p["disjoint"]]
        self.assertEqual(listed[:len(chosen)], chosen)
        self.assertEqual(len(chosen), disjoint)
        self.assertEqual(len(listed), len(b.lids))
        used = collections.Counter()
        for p in chosen:
            walk = walks[a.lid, p["lid"]]
            self.assertEqual(len(walk.hops) - 1, p["links"])
            used.update(walk.switches[1:-1])
            record = lab.path_record(a.lid, p["lid"], host=sm.host)
            self.assertEqual((record["slid"], record["dlid"], record["sl"]),
                             (a.lid, p["lid"], p["sl"]))
            self.assertEqual(sls[a.switch, p["lid"]], p["sl"])
        self.assertEqual([g for g, count in used.items() if count > 1], [])
        if base_shortest:
            self.assertEqual(len(walks[a.lid, b.lid].hops) - 1, min(p["links"] for p in listed))

    def check_lost(self, sm, subnet, before, cable):
        """Asserts that the status lists as lost exactly the pairs and LIDs whose paths crossed `cable`."""
        name = {h.lid: h.name for h in subnet.hosts}
        owner = {dlid: h for h in subnet.hosts for dlid in h.lids}
        lost = collections.defaultdict(set)
        for (slid, dlid), walk in before.items():
            if crosses(walk, cable):
                lost[name[slid], owner[dlid].name].add(dlid)
        reported = sm.ask("status")["lost_paths"]
        self.assertEqual((reported["pairs"], reported["paths"]),
                         (len(lost), sum(map(len, lost.values()))))
        self.assertEqual(len(reported["listed"]), min(256, len(lost)))
        for pair in reported["listed"]:
            self.assertEqual({p["lid"] for p in pair["paths"]},
                             lost[pair["source"], pair["destination"]])
        page = subprocess.run([ROUTE, "status", "--socket", sm.socket], stdout=subprocess.PIPE,
                              text=True, check=True, timeout=20).stdout
        first = reported["listed"][0]
        self.assertIn(f"{reported['paths']} paths of {reported['pairs']} pairs", page)
        self.assertIn(f"{first['source']} to {first['destination']}: LID", page)

    def live(self, engine, text, *, lmc, disjoint, pairs, cut, links,
             base_shortest=True, grade=None, lacks=None):
        """`grade`: how far responses on the request's SL are safe; None: whatever the status says. `lacks`: what the
        self-check names, if anything."""
        with self.start_lab(text) as lab:
            sm = self.start(lab, host="H-0-0", options={
                "lmc": lmc, "routing_engine": f"selvedge-{engine},no_fallback"})
            sm.wait_up(timeout_s=60)
            self.wait_fabric(sm, links=links)
            self.eventually(lambda: self.assertEqual(
                self.reported_lfts(sm.ask("tables")),
                self.seen_lfts(lab.read_subnet(host=sm.host))))
            subnet, sls, read_back = self.read_back(lab, sm)
            status = sm.ask("status")
            self.assertEqual(status["last_sweep"]["tables_of"], engine)
            self.assertEqual(status["last_sweep"]["failures"], [])
            named = [c for c in status["self_check"] if not c["ok"]]
            self.assertEqual(len(named), 0 if lacks is None else 1, named)
            if lacks is not None:
                self.assertRegex(f"{named[0]['what']}: {named[0]['remedy']}", lacks)
            self.check_told(sm, subnet, sls)
            proof = self.verify(read_back, *(["--disjoint", str(disjoint)] if disjoint > 1 else []))
            self.assertEqual(proof["status"], 0, proof)
            self.assertEqual(proof["multicast_faults"], 0)
            self.assertEqual(proof["replies"], status["last_sweep"]["proof"]["replies"])
            if grade:
                self.assertEqual(proof["replies"], grade)
            if grade == "base":
                # The SA gives both directions between base LIDs one SL.
                self.assertEqual([(a.name, b.name) for a in subnet.hosts for b in subnet.hosts
                                  if a.switch != b.switch and
                                  sls[a.switch, b.lid] != sls[b.switch, a.lid]], [])
            before = walk_all_pairs(subnet).walks
            for source, destination in pairs:
                self.check_pair(lab, sm, subnet, sls, before, source, destination, disjoint,
                                base_shortest)

            guid, port = subnet.switch_named(cut[0]).guid, cut[1]
            cable = {(guid, port), subnet.cables[guid, port]}
            lab.cut(*cut)
            self.wait_fabric(sm, links=links - 1)
            self.eventually(lambda: self.assertEqual(
                self.reported_lfts(sm.ask("tables")),
                self.seen_lfts(lab.read_subnet(host=sm.host))))
            left, sls_left, read_back = self.eventually(lambda: self.read_told(lab, sm))
            after = walk_all_pairs(left).walks
            switch_of = {h.lid: h.switch for h in subnet.hosts}
            moved = [pair for pair, walk in before.items() if not crosses(walk, cable) and
                     (sls[switch_of[pair[0]], pair[1]] !=
                      sls_left.get((switch_of[pair[0]], pair[1])) or
                      after[pair] != walk)]
            self.assertEqual(moved, [])
            bases = {h.lid for h in subnet.hosts}
            self.assertEqual([(pair, walk.fault) for pair, walk in after.items()
                              if pair[1] in bases and walk.fault], [])
            proof = self.verify(read_back)
            self.assertTrue(proof["loop_free"] and proof["deadlock_free"], proof)
            # The repair came at the trap, and then the sweep found nothing to do, or from the sweep.
            status = sm.ask("status")
            self.assertTrue(status["fast_path"]["repairs"] or
                            status["last_sweep"]["outcome"] == "repaired", status)
            self.eventually(lambda: self.check_lost(sm, subnet, before, cable))

            lab.relink(*cut)
            self.wait_fabric(sm, links=links)
            self.eventually(lambda: self.assertEqual(
                self.seen_lfts(lab.read_subnet(host=sm.host)), self.seen_lfts(subnet)))
            self.eventually(lambda: self.assertEqual(sm.ask("status")["lost_paths"]["paths"], 0))
            self.check_alive(sm)

    # -- the engines -----------------------------------------------------------------------------

    TORUS_PAIRS = (("H-0-0", "H-2-1"), ("H-5-5", "H-5-4"), ("H-1-4", "H-4-1"))

    @if_drawn("tftr")
    def test_tftr_on_a_torus(self):
        self.live("tftr", torus_net(6, 6), lmc=4, disjoint=4, pairs=self.TORUS_PAIRS,
                  cut=("S-1-1", 4), links=72, base_shortest=False, grade="base")

    @if_drawn("spftr")
    @unittest.skipUnless("spftr" in KNOWN, "there is no spftr")
    def test_spftr_on_a_torus(self):
        self.live("spftr", torus_net(6, 6), lmc=4, disjoint=4, pairs=self.TORUS_PAIRS,
                  cut=("S-2-3", 2), links=72, base_shortest=False, grade="base")

    @if_drawn("ist")
    @unittest.skipUnless("ist" in KNOWN, "there is no ist")
    def test_ist_on_a_torus(self):
        self.live("ist", torus_net(6, 6), lmc=3, disjoint=4, pairs=self.TORUS_PAIRS,
                  cut=("S-3-0", 3), links=72, base_shortest=False, grade="base")

    @if_drawn("ist, 4 LIDs")
    @unittest.skipUnless("ist" in KNOWN, "there is no ist")
    def test_ist_with_a_lid_for_each_tree(self):
        self.live("ist", torus_net(6, 6), lmc=2, disjoint=4, pairs=self.TORUS_PAIRS,
                  cut=("S-3-0", 3), links=72, base_shortest=False, grade="own-sl",
                  lacks=r"lmc 2: 4 LIDs a host port, all of them for the disjoint paths of selvedge-ist: .*`lmc 3`")

    # Kim 2007's paths: not disjoint, but one for each string of path bits. 15 switches, nine cycles.
    KIM = ROOT / "conf/fabrics/kim-15.net"

    def hoq_lives(self, lab, host):
        """HOQLife as smpquery prints it: of the ports between switches, and of the other ports in use."""
        subnet = lab.read_subnet(host=host)

        def life(switch, port):
            info = lab.tool("smpquery", "portinfo", switch.lid, port, host=host)
            return int(re.search(r"HoqLife:\.*(\d+)", info)[1])
        trunks = {life(subnet.switches[guid], port) for guid, port in subnet.cables}
        return trunks, {life(subnet.switches[guid], port) for guid, port in subnet.host_at()}

    def check_multipath(self, lab, sm, lmc):
        """The fabric is up with `multipath`: the tables read back are proved, the switches hold what the engine
        computes offline, and the SA gives each LID its SL. Returns the subnet and its walks."""
        self.wait_fabric(sm, links=23)
        self.eventually(lambda: self.assertEqual(
            self.reported_lfts(sm.ask("tables")), self.seen_lfts(lab.read_subnet(host=sm.host))))
        subnet, sls, read_back = self.read_back(lab, sm)
        status = sm.ask("status")
        self.assertEqual(status["last_sweep"]["tables_of"], "multipath")
        self.assertEqual(status["last_sweep"]["failures"], [])
        self.check_told(sm, subnet, sls)
        proof = self.verify(read_back)
        self.assertEqual((proof["status"], proof["multicast_faults"], proof["replies"]),
                         (0, 0, status["last_sweep"]["proof"]["replies"]), proof)
        walks = walk_all_pairs(subnet).walks
        for source, destination in (("H-0-0", "H-13-0"), ("H-14-0", "H-3-0"), ("H-7-0", "H-0-0")):
            offline = json.loads(subprocess.run(
                [ROUTE, "paths", source, destination, "--fabric", f"file:{self.KIM}", "--engine", "multipath",
                 "--lmc", str(lmc), "--json"], stdout=subprocess.PIPE, check=True, timeout=20).stdout)["paths"]
            live = self.paths(sm, source, destination)["paths"]
            self.assertEqual(sorted(p["offset"] for p in live), list(range(1 << lmc)))
            self.assertEqual({p["offset"]: p["bits"] for p in live}, {p["offset"]: p["bits"] for p in offline})
            a, b = subnet.host_named(source), subnet.host_named(destination)
            for path in live:
                walk = walks[a.lid, path["lid"]]
                self.assertEqual(len(walk.hops) - 1, path["links"])
                record = lab.path_record(a.lid, path["lid"], host=sm.host)
                self.assertEqual((record["dlid"], record["sl"]), (path["lid"], path["sl"]))
            self.assertEqual(len(walks[a.lid, b.lid].hops) - 1, min(p["links"] for p in live))
        return subnet, walks

    def start_multipath(self, lab, lmc, toml=""):
        sm = self.start(lab, host="H-0-0", options={
            "lmc": lmc, "routing_engine": "selvedge-multipath,no_fallback"},
            toml=PLUGIN_STATUS + f"[engine]\ndeadline_ms = 60000\n{toml}")
        sm.wait_up(timeout_s=60)
        return sm

    # LMC 7 asks the SA for 28,800 paths.
    LMC = drawn((1, 2, 4, 5, 6, 7), 1)

    def test_multipath_at_other_lmcs(self):
        for lmc in self.LMC:
            with self.subTest(lmc=lmc), self.start_lab(self.KIM.read_text(encoding="utf-8")) as lab:
                self.check_multipath(lab, self.start_multipath(lab, lmc), lmc)

    def test_multipath_at_lmc_3(self):
        with self.start_lab(self.KIM.read_text(encoding="utf-8")) as lab:
            sm = self.start_multipath(lab, 3, "hoq_life = 5\n")
            subnet, walks = self.check_multipath(lab, sm, 3)
            status = sm.ask("status")
            self.assertEqual(status["last_sweep"]["proof"]["replies"], "base")
            self.assertGreater(status["last_sweep"]["sls_used"], 1)
            live = self.paths(sm, "H-0-0", "H-13-0")["paths"]
            bits = {p["offset"]: p["bits"] for p in live}
            self.assertEqual(bits[0], "-")
            self.assertEqual(sorted(len(text) for text in bits.values()), [1] + [9] * 7)
            self.assertEqual(len(set(bits.values())), 8)
            a, b = subnet.host_named("H-0-0"), subnet.host_named("H-13-0")
            self.assertGreater(len({tuple(walks[a.lid, lid].switches) for lid in b.lids}), 3)
            table = subprocess.run([ROUTE, "paths", "H-0-0", "H-13-0", "--socket", sm.socket], check=True,
                                   stdout=subprocess.PIPE, text=True, timeout=20).stdout
            self.assertRegex(table, r"offset  back  bits +SL")

            # [engine] hoq_life: read back, told, and OpenSM's again once the setting is gone.
            hoq = sm.wait_status(lambda s: s["hoq_life"] is not None, timeout_s=40)["hoq_life"]
            self.assertEqual(hoq, {"life": 5, "us": 131.072, "ports": 46, "failed": 0, "first_failed": None})
            page = subprocess.run([ROUTE, "status", "--socket", sm.socket], check=True, stdout=subprocess.PIPE,
                                  text=True, timeout=20).stdout
            self.assertIn("131.072 us at the 46 ports between switches, read back", page)
            self.assertEqual(self.hoq_lives(lab, sm.host), ({5}, {16}))
            toml = sm.folder / "plugin.toml"
            toml.write_text(toml.read_text(encoding="utf-8").replace("hoq_life = 5\n", ""), encoding="utf-8")
            sm.send_sighup()
            sm.wait_status(lambda s: s["hoq_life"] is None, timeout_s=40)
            self.eventually(lambda: self.assertEqual(self.hoq_lives(lab, sm.host), ({18}, {16})))

            # A cable of a cycle dies: what the switches then hold is proved, and every base LID works.
            lab.cut("S-4", 1)
            self.wait_fabric(sm, links=22)
            self.eventually(lambda: self.assertEqual(
                self.reported_lfts(sm.ask("tables")), self.seen_lfts(lab.read_subnet(host=sm.host))))
            left, sls_left, read_back = self.eventually(lambda: self.read_told(lab, sm))
            after = walk_all_pairs(left).walks
            bases = {h.lid for h in left.hosts}
            self.assertEqual([(pair, walk.fault) for pair, walk in after.items()
                              if pair[1] in bases and walk.fault], [])
            proof = self.verify(read_back)
            self.assertTrue(proof["loop_free"] and proof["deadlock_free"], proof)
            lab.relink("S-4", 1)
            self.wait_fabric(sm, links=23)
            self.eventually(lambda: self.assertEqual(sm.ask("status")["lost_paths"]["paths"], 0))
            self.check_alive(sm)

    @if_drawn("dmodk, 4 LIDs")
    def test_dmodk_with_four_lids_a_host_on_a_tree(self):
        self.live("dmodk", generated_net("tree:k=4,n=3"), lmc=2, disjoint=4,
                  pairs=(("H-0-0", "H-15-3"), ("H-0-1", "H-1-2"), ("H-7-3", "H-4-0")),
                  cut=("S-0-5", 6), links=128)

    @if_drawn("dmodk")
    def test_dmodk_on_a_tree(self):
        self.live("dmodk", generated_net("tree:k=4,n=3"), lmc=0, disjoint=1,
                  pairs=(("H-0-0", "H-15-3"), ("H-0-1", "H-1-2")), cut=("S-1-3", 6), links=128)

    # -- settings of OpenSM that the engines need ------------------------------------------------

    def lacks(self, sm):
        return [c for c in sm.ask("status")["self_check"] if not c["ok"]]

    def test_a_smaller_lmc_is_named_and_used_as_far_as_it_goes(self):
        with self.start_lab(torus_net(4, 4)) as lab:
            sm = self.start(lab, options={"lmc": 1,
                                          "routing_engine": "selvedge-tftr,no_fallback"})
            sm.wait_up(timeout_s=40)
            lacks = self.eventually(lambda: self.lacks(sm))
            self.assertEqual(len(lacks), 1, lacks)
            self.assertIn("lmc 1: 2 LIDs a host port, and selvedge-tftr wants lmc 4",
                          lacks[0]["what"])
            self.assertIn("write `lmc 4` in opensm.conf", lacks[0]["remedy"])
            self.assertIn("write `lmc 4` in opensm.conf", sm.log.text())
            subnet, _ = self.check(lab, sm, hosts=16, switches=16)
            self.assertEqual({h.lmc for h in subnet.hosts}, {1})
            self.assertEqual(sm.ask("status")["last_sweep"]["tables_of"], "tftr")

    def started_again_with_lmc(self, host, lmc):
        """The log of an opensm at `host` that starts with `lmc` where the last one had LMC 1."""
        with self.start_lab(torus_net(3, 3)) as lab:
            first = self.start(lab, host=host,
                               options={"lmc": 1, "routing_engine": "selvedge-updn,no_fallback"})
            first.wait_up(timeout_s=40)
            self.assertNotIn("still has lmc", first.log.text())
            first.kill()
            then = self.start(lab, "then", host=host,
                              options={"lmc": lmc, "routing_engine": "selvedge-updn,no_fallback"})
            then.wait_up(timeout_s=40)
            subnet, _ = self.check(lab, then, hosts=9, switches=9)
            self.assertEqual({h.lmc for h in subnet.hosts}, {lmc})
            self.assertNotIn("still has lmc", str(self.lacks(then)))
            return then.log.text()

    def test_another_lmc_is_said_before_lids_move(self):
        said = self.started_again_with_lmc("H-0-0", 2)
        self.assertRegex(said, r"lmc 2 in opensm.conf, and \S+ port 1 with LID \d+ still has lmc 1: .*`lmc 1`")
        self.assertLess(said.index("still has lmc 1"), said.index("MASTER"))

    def test_a_subnet_manager_on_a_switch_does_not_take_its_port_0_for_a_host(self):
        self.assertNotIn("still has lmc", self.started_again_with_lmc("S-0-0", 1))

    def test_without_qos_one_vl_and_one_sl_are_used(self):
        with self.start_lab(torus_net(4, 4)) as lab:
            sm = self.start(lab, options={"lmc": 4, "qos": False,
                                          "routing_engine": "selvedge-tftr,no_fallback"})
            sm.wait_up(timeout_s=40)
            self.check(lab, sm, hosts=16, switches=16)
            sweep = sm.ask("status")["last_sweep"]
            self.assertEqual((sweep["tables_of"], sweep["vls_used"], sweep["sls_used"]),
                             ("tftr", 1, 1))
            self.assertIn("qos is off", self.lacks(sm)[0]["what"])


if __name__ == "__main__":
    unittest.main()
