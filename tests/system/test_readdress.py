# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""[repair] mode = "readdress" in the real opensm: after a cut, pairs get fresh LIDs besides the detours of their
old ones. Everything is read back: LFTs and SL2VL rows from the switches, SLs from the SA by path queries.

    H-0-0 ── S-0-0 ──✂── S-0-1 ── H-0-1     LID b of H-0-1: a detour, on its SL; LID b + i: a path of its own
"""
import json
import subprocess
import unittest

from opensm_case import ROUTE
from read_back import ReadBack
from tools.lab import PLUGIN_STATUS, torus_net, walk_all_pairs

READDRESS = PLUGIN_STATUS + '[engine]\ndeadline_ms = 60000\n[events]\nlog = "@FOLDER@/events.jsonl"\n' \
                            '[repair]\nmode = "readdress"\n'


class Readdress(ReadBack):
    def up(self, lab, engine, lmc, name="sm", more=""):
        sm = self.start(lab, name, host="H-0-0", toml=READDRESS + more, options={
            "lmc": lmc, "routing_engine": f"selvedge-{engine},no_fallback"})
        sm.wait_up(timeout_s=60)
        self.eventually(lambda: self.assertTrue(sm.ask("status")["fast_path"]["ready"]))
        return sm

    def events(self, sm):
        return [json.loads(line) for line in
                (sm.folder / "events.jsonl").read_text(encoding="utf-8").splitlines()]

    def proved(self, lab, sm):
        """What the switches and the SA say is what the plugin says, and is proved; spare LIDs are told by the
        plugin. Old LIDs lead from everywhere to everywhere. Returns (subnet, {(switch GUID, DLID): SL})."""
        subnet, sls, path = self.read_back(lab, sm)
        told = sm.ask("tables")
        self.check_told(sm, subnet, sls)
        spare = told.get("spare_lids", [])
        tables = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps({**tables, "spare_lids": spare}), encoding="utf-8")
        proof = self.verify(path)
        self.assertEqual(proof["status"], 0, proof)
        self.assertEqual(proof["replies"], sm.ask("status")["last_sweep"]["proof"]["replies"])
        if spare:  # without being told of them, the verifier finds that they lack routes
            path.write_text(json.dumps(tables), encoding="utf-8")
            self.assertEqual(self.verify(path)["status"], 1)
        at = {h.lid: h.switch for h in subnet.hosts}
        broken = [(slid, dlid) for (slid, dlid), walk in walk_all_pairs(subnet).walks.items() if walk.fault and
                  (dlid not in spare or subnet.lfts[at[slid]].get(dlid) is not None)]
        self.assertEqual(broken, [])
        return subnet, sls, set(spare)

    def fresh(self, sm):
        return self.eventually(lambda: self.has_fresh(sm))

    def has_fresh(self, sm):
        fresh = sm.ask("status")["fresh_lids"]
        self.assertGreater(fresh["pairs"], 0, sm.log.tail())
        return fresh

    def check_pairs(self, lab, sm, subnet, spare, fresh):
        """The SA answers for both LIDs of each listed pair, and both paths work."""
        hosts = {h.name: h for h in subnet.hosts}
        speaker = {subnet.switches[h.switch].name: h for h in subnet.hosts}
        walks = walk_all_pairs(subnet).walks
        for pair in fresh["listed"][:12]:
            source, to = speaker[pair["from"]], hosts[pair["host"]]
            self.assertIn(pair["lid"], to.lids)
            self.assertIn(pair["lid"], spare)
            self.assertNotIn(pair["before"], spare)
            for lid in (pair["before"], pair["lid"]):
                record = lab.path_record(source.lid, lid, host=sm.host)
                self.assertEqual((record["slid"], record["dlid"]), (source.lid, lid))
                self.assertIsNone(walks[source.lid, lid].fault)
            self.assertEqual(record["sl"], pair["sl"])

    def before_any_fault(self, lab, sm):
        subnet, sls, spare = self.eventually(lambda: self.proved(lab, sm))
        self.assertGreater(len(spare), 0)
        self.assertFalse({h.lid for h in subnet.hosts} & spare)
        self.assertFalse([key for key in sls if key[1] in spare and key[0] != self.home(subnet, key[1])])
        self.assertEqual(sm.ask("status")["fresh_lids"],
                         {"in_use": False, "pairs": 0, "in_place_only": 0, "listed": []})

    def cut(self, lab, sm):
        """Cuts a cable, and checks what is told to whom; returns the status' fresh LIDs."""
        self.before_any_fault(lab, sm)
        mark = sm.mark()
        lab.cut("S-0-0", 4)
        self.fresh(sm)
        self.wait_fabric(sm, links=31)
        sm.wait_log(r"selvedge: \d+ pairs? should ask for path records again: S-", after=mark, timeout_s=40)
        self.assertLess(sm.log.text(mark).index("is gone"), sm.log.text(mark).index("should ask for path records"))
        subnet, _, spare = self.eventually(lambda: self.proved(lab, sm))
        fresh = self.has_fresh(sm)
        self.check_pairs(lab, sm, subnet, spare, fresh)
        self.check_alive(sm)
        event = [e for e in self.events(sm) if e["event"] == "readdressed"][-1]
        self.assertTrue(event["proved"])
        self.assertRegex(event["what"], r"should ask for path records again: S-\d-\d to H-\d-\d: LID \d+ on SL \d")
        page = subprocess.run([ROUTE, "status", "--socket", sm.socket], stdout=subprocess.PIPE, text=True,
                              check=True, timeout=20).stdout
        first = fresh["listed"][0]
        self.assertRegex(page, rf"{first['from']} to {first['host']}: LID {first['lid']}")
        return fresh

    def heal(self, lab, sm):
        lab.relink("S-0-0", 4)
        self.wait_fabric(sm, links=32)

    @staticmethod
    def home(subnet, lid):
        return next((h.switch for h in subnet.hosts if lid in h.lids), None)

    def still_answered(self, lab, sm, fresh):
        """The SA still answers with the fresh LIDs, on the same SLs."""
        subnet = lab.read_subnet(host=sm.host)
        speaker = {subnet.switches[h.switch].name: h for h in subnet.hosts}
        for pair in fresh["listed"][:12]:
            record = lab.path_record(speaker[pair["from"]].lid, pair["lid"], host=sm.host)
            self.assertEqual(record and (record["dlid"], record["sl"]), (pair["lid"], pair["sl"]))

    def test_spftr_keeps_fresh_lids_through_a_second_cut_and_the_heal(self):
        with self.start_lab(torus_net(4, 4)) as lab:
            sm = self.up(lab, "spftr", 4)
            fresh = self.cut(lab, sm)
            lab.cut("S-2-2", 4)
            self.wait_fabric(sm, links=30)
            self.eventually(lambda: self.still_answered(lab, sm, fresh))
            self.eventually(lambda: self.proved(lab, sm))
            lab.relink("S-2-2", 4)
            self.wait_fabric(sm, links=31)
            self.heal(lab, sm)
            self.eventually(lambda: self.still_answered(lab, sm, fresh))
            self.assertTrue(sm.ask("status")["fresh_lids"]["in_use"])
            self.eventually(lambda: self.proved(lab, sm))
            self.check_alive(sm)

    def test_updn_gives_lids_back_where_that_is_wanted(self):
        with self.start_lab(torus_net(4, 4)) as lab:
            sm = self.up(lab, "updn", 2, more="keep_fresh_s = 1\n")
            self.cut(lab, sm)
            self.assertTrue(sm.ask("status")["fresh_lids"]["in_use"])
            self.heal(lab, sm)
            self.eventually(lambda: self.assertFalse(sm.ask("status")["fresh_lids"]["in_use"]))
            self.eventually(lambda: self.assertIn("lids_returned", [e["event"] for e in self.events(sm)]))
            self.eventually(lambda: self.proved(lab, sm))
            self.check_alive(sm)

    def test_a_restart_and_a_change_of_mode_with_fresh_lids_in_use(self):
        with self.start_lab(torus_net(4, 4)) as lab:
            sm = self.up(lab, "updn", 2)
            fresh = self.cut(lab, sm)
            sm.kill()
            again = self.up(lab, "updn", 2, "again")
            self.assertRegex(again.log.text(), r"selvedge: adopted: ")
            self.eventually(lambda: self.still_answered(lab, again, fresh))
            self.eventually(lambda: self.proved(lab, again))
            self.assertTrue(again.ask("status")["fresh_lids"]["in_use"])
            toml = again.folder / "plugin.toml"
            text = toml.read_text(encoding="utf-8")
            toml.write_text(text.replace('mode = "readdress"', 'mode = "in-place"'), encoding="utf-8")
            again.send_sighup()
            self.eventually(lambda: self.assertIsNone(again.ask("status")["fresh_lids"]))
            again.wait_log(r"\[repair\] mode is in-place now", timeout_s=40)
            _, _, spare = self.eventually(lambda: self.proved(lab, again))
            self.assertEqual(spare, set())
            self.check(lab, again)
            toml.write_text(text.replace('mode = "readdress"', 'mode = "elsewhere"'), encoding="utf-8")
            again.send_sighup()
            again.wait_log(r"selvedge: \[repair\] mode has a value that is not allowed: .*plugin\.toml:\d+: write one "
                           r"of in-place, readdress", timeout_s=40)


if __name__ == "__main__":
    unittest.main()
