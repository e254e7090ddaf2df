# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""What went wrong when the plugin was tried as an operator would, on fabrics that the other tests do not have: a
case for each, with what holds instead. Everything is read back from the switches and proved. (That settings of
opensm.conf are kept or named: test_qos.py, test_routing_options.py. A missing plugin.toml: test_wrong_setup.py.)

./run test draws one of the smaller cases, ./run check two, ./run campaign runs all.
"""
import re
import subprocess
import unittest

from opensm_case import PATIENCE_S, ROUTE, first_host, generated_net
from read_back import ReadBack
from tests.support.draw import CAMPAIGN, SEED, drawn
from tools.lab import PLUGIN_STATUS, doubled_torus_net, torus_net, walk_all_pairs

SMALL = drawn(("two cables between neighbours", "a cut of ist", "no dark LID", "responses of aspftr"), 1, 2)
LARGE_S = 300.0  # the limit of a wait on fabrics of some hundred switches


def if_drawn(name):
    return unittest.skipUnless(name in SMALL, f"not drawn by SELVEDGE_SEED={SEED}; ./run campaign runs all")


in_campaign = unittest.skipUnless(CAMPAIGN, "./run campaign runs it")


class Tried(ReadBack):
    def up(self, lab, text, engine, lmc, toml="[engine]\n"):
        sm = self.start(lab, host=first_host(text), toml=PLUGIN_STATUS + toml,
                        options={"routing_engine": f"selvedge-{engine},no_fallback", "lmc": lmc, "max_wire_smps": 16})
        sm.wait_up(timeout_s=LARGE_S)
        return sm

    def own_tables(self, sm, engine, links, timeout_s=PATIENCE_S):
        """Waits until the engine's own tables are in force, and the fast path is ready for them."""
        sm.wait_status(lambda s: s["last_sweep"] and s["last_sweep"]["tables_of"] == engine
                       and s["last_sweep"]["awaited"] is None and s["last_sweep"]["links"] == links
                       and s["fast_path"]["ready"], timeout_s=timeout_s)

    def lit(self, sm):
        """No LID is dark, as an operator asks for it."""
        check = subprocess.run([ROUTE, "status", "--socket", sm.socket, "--check"], check=False, capture_output=True,
                               text=True)
        self.assertEqual(check.returncode, 0, check.stdout)
        self.assertRegex(check.stdout, r"(?m)^dark LIDs +none$")

    @if_drawn("two cables between neighbours")
    def test_tftr_on_a_torus_with_two_cables_between_neighbours(self):
        """It was up after 16 to 75 s, with nothing in the log meanwhile."""
        text = doubled_torus_net(5, 7)
        with self.start_lab(text) as lab:
            sm = self.up(lab, text, "tftr", 4)
            self.own_tables(sm, "tftr", 140)
            self.check(lab, sm, hosts=35, switches=35)

    @in_campaign
    def test_tftr_on_250_irregular_switches(self):
        """It was not up after 24 s of CPU: updn's tables serve until its own are ready."""
        text = generated_net("irregular:switches=250,degree=4,hosts=8,seed=1")
        with self.start_lab(text) as lab:
            sm = self.up(lab, text, "tftr", 2)
            links = sm.wait_status(lambda s: s["last_sweep"])["last_sweep"]["links"]
            self.own_tables(sm, "tftr", links, LARGE_S)
            self.eventually(lambda: self.check_some(lab, sm))
            self.check_alive(sm)

    def cut_of_ist(self, text, links):
        """Base LIDs come first, by a step that is proved for itself. Returns the subnet that is left."""
        with self.start_lab(text) as lab:
            sm = self.up(lab, text, "ist", 3)
            self.own_tables(sm, "ist", links, LARGE_S)
            mark = sm.mark()
            lab.cut("S-2-3", 2)
            self.wait_fabric(sm, links=links - 1)
            self.eventually(lambda: self.lit(sm), timeout_s=LARGE_S)
            said = sm.log.text(mark)
            first = re.search(r"is gone: base LIDs first: .*; sent \w+\), proved", said)
            rest = re.search(r"is gone: \d+ LFT entries .*; sent \w+\), proved", said)
            self.assertTrue(first and rest, said)
            self.assertLess(first.start(), rest.start())
            self.eventually(lambda: self.check_some(lab, sm))
            self.check_alive(sm)
            return lab.read_subnet(host=sm.host)

    @if_drawn("a cut of ist")
    def test_a_cut_of_ist_on_a_torus_of_64_switches(self):
        self.assertEqual(walk_all_pairs(self.cut_of_ist(torus_net(8, 8), 128)).broken, [])

    @in_campaign
    def test_a_cut_of_ist_on_a_torus_of_256_switches(self):
        """It was not routed around within 20 s in one of several runs."""
        self.cut_of_ist(torus_net(16, 16), 512)

    # When the first three are repaired, the last leaves one LID that one switch does not reach.
    CABLES = (("S-0-3-1", 6), ("S-1-4-0", 5), ("S-0-1-0", 5), ("S-0-3-1", 1))

    @if_drawn("no dark LID")
    def test_four_cables_of_a_torus_of_three_dimensions(self):
        """Of 28,800 pairs of switch and LID one had no route for ever; the log said so at level info."""
        text = generated_net("torus:4x5x3")
        with self.start_lab(text) as lab:
            sm = self.up(lab, text, "tftr", 3, "[engine]\ndeadline_ms = 60000\n")
            self.own_tables(sm, "tftr", 180, LARGE_S)
            mark = sm.mark()
            for i, cable in enumerate(self.CABLES):
                lab.cut(*cable)
                self.own_tables(sm, "tftr", 179 - i)
                self.eventually(lambda: self.lit(sm))
            self.assertRegex(sm.log.text(mark), r"fast path: [0-9]+ LIDs? ha.* no route from everywhere")
            self.assertRegex(sm.log.text(mark), r"every LID has a route from everywhere again: .* sent (?!window)")
            self.check(lab, sm, hosts=60, switches=60)

    @if_drawn("responses of aspftr")
    def test_responses_of_aspftr_between_base_lids(self):
        """Connections answer on the SL of the question, and no engine of several VLs was proved for that.
        (test_multipath.py has the others.)"""
        text = torus_net(5, 5)
        with self.start_lab(text) as lab:
            sm = self.up(lab, text, "aspftr", 4, '[engine]\ndeadline_ms = 60000\nreplies = "base"\n')
            self.own_tables(sm, "aspftr", 50)
            _, _, path = self.eventually(lambda: self.read_told(lab, sm))
            proof = self.verify(path, "--replies", "base", "--disjoint", "4")
            self.assertEqual(proof["status"], 0, proof)
            self.check_alive(sm)


if __name__ == "__main__":
    unittest.main()
