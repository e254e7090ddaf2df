# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""`selvedge-route repair` and `compute --repair`: the changes that they report for a fault, entry by entry,
are compared with the tables that `compute` writes before and after the fault."""
import json
import pathlib
import sys
import unittest

from test_route import COMPUTE_KEYS, RouteTest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from tests.support.draw import drawn  # noqa: E402

REPAIR_KEYS = ["engine", "repair_mode", "method", "healed", "affected", "moved", "dead", "dark_lids",
               "readdressed", "lft_entries_changed", "sl2vl_rows_changed", "switches_changed", "vls_used",
               "sls_used", "connected", "loop_free", "deadlock_free", "witness", "delta",
               "index_bytes", "compute_ms", "repair_ms", "prove_ms"]
BROKEN = ("--fabric", "torus:5x5", "--fail", "S-1-1:2")


class Repair(RouteTest):
    def tables(self, name, *options):
        path = self.folder / name
        self.ok("compute", "--fabric", "torus:5x5", *options, "--tables", path)
        return path, json.loads(path.read_text(encoding="utf-8"))

    def test_the_delta_leads_from_the_tables_before_to_those_after(self):
        for engine in ("updn", "spftr", "tftr", "ist"):
            with self.subTest(engine=engine):
                done = self.json("repair", *BROKEN, "--engine", engine)
                self.assertEqual(list(done), REPAIR_KEYS)
                self.assertTrue(done["connected"] and done["loop_free"] and done["deadlock_free"])
                self.assertEqual((done["engine"], done["repair_mode"]), (engine, "in-place"))
                self.assertEqual((done["dead"], done["dark_lids"], done["witness"]), (0, [], []))
                self.assertGreater(done["affected"], 0)
                _, before = self.tables("before.json", "--engine", engine)
                file, after = self.tables("after.json", "--engine", engine, "--repair", "rftr",
                                          "--fail", "S-1-1:2")
                changes = {"lft": {(c["switch"], c["dlid"]): c for c in done["delta"]["lft"]},
                           "path_sl": {(c["source"], c["dlid"]): c for c in done["delta"]["sl"]}}
                for key, told in changes.items():
                    differ = {(s, lid): (was, now)
                              for s, rows in enumerate(zip(before[key], after[key]))
                              for lid, (was, now) in enumerate(zip(*rows)) if was != now}
                    self.assertEqual({where: (c["before"], c["after"])
                                      for where, c in told.items()}, differ)
                self.assertEqual(done["lft_entries_changed"], len(changes["lft"]))
                self.assertEqual(sum(s["lft_entries"] for s in done["switches_changed"]),
                                 len(changes["lft"]))
                self.assertEqual(sum(s["sl2vl_rows"] for s in done["switches_changed"]),
                                 len(done["delta"]["sl2vl"]))
                # The written tables have the properties that the report claims.
                proof = self.json("verify", "--tables", file)
                self.assertTrue(proof["connected"] and proof["deadlock_free"])

    def test_one_path_a_pair_keeps_lids_and_sls(self):
        for fabric, engine, fail in (("torus:6x6", "updn", "S-2-3"), ("tree:k=4,n=3", "dmodk",
                                                                     "S-0-5:6")):
            done = self.json("repair", "--fabric", fabric, "--engine", engine, "--fail", fail)
            self.assertEqual((done["readdressed"], done["delta"]["sl"], done["dead"]), ([], [], 0))
            self.assertGreater(done["index_bytes"]["reachability"], 0)

    def test_readdressing_keeps_the_old_entries(self):
        done = self.json("repair", *BROKEN, "--engine", "updn", "--repair-mode", "readdress")
        self.assertEqual((done["repair_mode"], done["moved"], done["dead"]), ("readdress", 0, 0))
        self.assertGreater(len(done["readdressed"]), 0)
        for pair in done["readdressed"]:
            self.assertNotEqual(pair["dlid_before"], pair["dlid_after"])

    def test_tables_with_spare_lids_are_proved(self):
        for engine, lmc in (("updn", "2"), ("tftr", "4")):
            with self.subTest(engine=engine):
                path, tables = self.tables("spare.json", "--engine", engine, "--lmc", lmc, "--repair", "rftr",
                                           "--repair-mode", "readdress", "--fail", "S-1-1:2")
                self.assertGreater(len(tables["spare_lids"]), 0)
                proof = self.json("verify", "--tables", path)
                self.assertEqual((proof["connected"], proof["loop_free"], proof["deadlock_free"]), (True, True, True))
                self.assertEqual(proof["dark_lids"], [])
                # Without knowing which LIDs are spare it finds those without a route.
                del tables["spare_lids"]
                path.write_text(json.dumps(tables), encoding="utf-8")
                self.assertGreater(len(self.json("verify", "--tables", path, status=1)["dark_lids"]), 0)

    def test_sheet(self):
        text = self.ok("repair", *BROKEN, "--engine", "updn").stdout
        for line in (r"repaired +in-place: \S", r"paths hit +\d+ ", r"paths moved +\d+ ",
                     r"without a path +0 ", r"entries changed +\d+ of LFTs", r"readdressed +none",
                     r"VLs used +1", r"proved +connected, loop free, deadlock free",
                     r"times +repaired in \d+\.\d+ ms"):
            self.assertRegex(text, "(?m)^" + line)

    def test_compute_measures_the_repaired_tables(self):
        figures = self.json("compute", *BROKEN, "--engine", "updn", "--repair", "rftr")
        self.assertEqual([k for k in figures if k != "repair_ms"], COMPUTE_KEYS)
        self.assertEqual((figures["links"], figures["unreachable_pairs"]), (49, 0))
        self.assertGreater(figures["repair_ms"], 0)
        self.assertNotIn("repair_ms", self.json("compute", *BROKEN, "--engine", "updn"))

    def test_healed_trees_carry_what_they_carried(self):
        tree = ("--fabric", "clos:n=3,r=6,m=3", "--engine", "updn", "--permutations", "100", "--seed", "1")
        for fail in (["--fail", "S-1-2"], ["--fail", "S-0-1/S-1-0", "--fail", "S-0-4/S-1-2"]):
            with self.subTest(fail=fail):
                before = self.json("compute", *tree)
                after = self.json("compute", *tree, *fail, "--repair", "rftr", "--healed")
                self.assertEqual((after["links"], after["unreachable_pairs"]), (before["links"], 0))
                self.assertGreaterEqual(after["ebb"], 0.98 * before["ebb"])
                done = self.json("repair", *tree[:4], *fail, "--healed")
                self.assertTrue(done["healed"] and done["connected"] and done["deadlock_free"])
                self.assertGreater(done["lft_entries_changed"], 0)

    def test_what_is_cut_off_is_no_fault_of_the_repair(self):
        done = self.json("repair", "--fabric", "mesh:1x4", "--engine", "updn",
                         "--fail", "S-0-1/S-0-2")
        self.assertTrue(done["connected"])
        self.assertEqual((done["affected"], done["dead"]), (0, 0))

    def test_every_single_fault_keeps_lids_and_sls(self):
        """How many of the paths that a fault hits are repaired without a change of their LIDs and SLs:
        all of them on one VL; nine tenths on several VLs, even with --leave-unbroken."""
        one = [(fabric, engine, of, 1.0, []) for of in ("links", "switches")
               for fabric, engine in (("torus:8x8", "updn"), ("tree:k=4,n=3", "dmodk"),
                                      ("irregular:switches=64,degree=4,seed=1", "updn"))]
        several = [(fabric, engine, of, 0.9, options) for of in ("links", "switches")
                   for options in ([], ["--leave-unbroken"])
                   for fabric, engine in (("torus:8x8", "ist"), ("torus:6x6", "spftr"))]
        for fabric, engine, of, share, options in drawn(one, 3) + drawn(several, 2):
            with self.subTest(fabric=fabric, engine=engine, of=of, options=options):
                done = self.json("faults", "--fabric", fabric, "--engine", engine, "--of", of,
                                 "--faults", "1", "--all", "--repair", "rftr", *options)
                paths = done["paths"]
                self.assertEqual(done["singular"], 0)
                self.assertGreater(paths["hit"], 1000)
                self.assertGreaterEqual(paths["kept"], share * paths["hit"])
                self.assertLess(paths["dead"], 50)

    def test_the_way_there_that_loses_nothing(self):
        before, _ = self.tables("old.json", "--engine", "updn", "--tree", "bfs")
        after, _ = self.tables("new.json", "--engine", "updn", "--tree", "bfs", "--repair", "rftr", "--fail", "S-1-1:2")
        way = ("transition", "--fabric", "torus:5x5", "--from", before, "--to", after)
        usual = self.json(*way)
        self.assertEqual((usual["method"], usual["lossy_lids"], usual["holds"]),
                         ("guarded", None, True))
        gentle = self.json(*way, "--lossless")
        self.assertEqual((gentle["method"], gentle["lossy_lids"], gentle["holds"]),
                         ("lossless", 0, True))
        self.assertGreater(len(gentle["phases"]), len(usual["phases"]))
        kinds = [p["kind"] for p in gentle["phases"]]
        self.assertNotIn("permit", kinds[kinds.index("install"):])
        self.assertNotIn("forbid", kinds[:-1])
        self.assertTrue(all(p["drain_first"] for p in gentle["phases"][kinds.index("install") + 1:]))
        # Without the guard some DLIDs have to be dropped for a time, and the report says so.
        bare = self.json(*way, "--lossless", "--guard", "off", status=1)
        self.assertEqual((bare["method"], bare["deadlock_free"], bare["holds"]),
                         ("cleared", True, False))
        self.assertGreater(bare["lossy_lids"], 0)
        self.assertIn("loses nothing", self.ok(*way, "--lossless").stdout)

    def test_every_state_on_the_way_to_every_repair(self):
        """With the guard no state between the old and the new tables can deadlock. Without the guard
        the same check finds cycles."""
        for fabric, engine, kind, cyclic in drawn((
                ("torus:8x8", "updn", "links", 0.9), ("torus:8x8", "updn", "switches", 0.9),
                ("irregular:switches=64,degree=4,seed=1", "updn", "links", 0.9),
                ("irregular:switches=64,degree=4,seed=1", "updn", "switches", 0.8),
                ("tree:k=4,n=3", "dmodk", "links", 0.2), ("tree:k=4,n=3", "dmodk", "switches", 0)), 2):
            with self.subTest(fabric=fabric, kind=kind):
                way = ("transition", "--each", kind, "--fabric", fabric, "--engine", engine,
                       "--tree", "bfs")
                guarded = self.json(*way)
                faults = guarded["faults"]
                self.assertGreaterEqual(faults, 48)
                self.assertEqual((guarded["guarded"], guarded["unsafe"]), (faults, 0))
                self.assertEqual(guarded["methods"], {"guarded": faults})
                bare = self.json(*way, "--guard", "off", "--states")
                self.assertEqual((bare["faults"], bare["guarded"], bare["unsafe"]), (faults, 0, 0))
                self.assertGreaterEqual(bare["cyclic_at_once"], cyclic * faults)
                self.assertGreaterEqual(bare["cyclic_states"], 0.9 * bare["cyclic_at_once"])
                one_thread = self.json(*way, "--jobs", "1")
                for times in ("guard_ms", "plan_ms", "prove_ms"):
                    del guarded[times], one_thread[times]
                self.assertEqual(guarded, one_thread)
        none = self.json("transition", "--each", "links", "--fabric", "torus:8x8", "--engine", "ist")
        self.assertEqual((none["guarded"], none["unsafe"], none["methods"]), (0, 0, {"cleared": 128}))
        self.assertTrue(none["guard_why_not"])
        gentle = self.json("transition", "--each", "switches", "--fabric", "tree:k=4,n=3",
                           "--engine", "dmodk", "--lossless")
        self.assertEqual((gentle["lossless"], gentle["methods"]), (48, {"lossless": 48}))
        lossy = self.json("transition", "--each", "links", "--fabric", "torus:4x4", "--engine",
                          "ist", "--lossless", status=1)
        self.assertEqual((lossy["lossless"], lossy["unsafe"]), (0, 0))
        sheet = self.ok("transition", "--each", "links", "--fabric", "torus:4x4", "--engine", "updn",
                        "--guard", "off", "--states").stdout
        for words in ("each of 32 links", "at once", "in order", "downstream"):
            self.assertIn(words, sheet)

    def test_bad_input(self):
        for says, *arguments in (
                ("leave --each out", "transition", "--each", "links", "--fabric", "torus:4x4",
                 "--engine", "updn", "--from", "x.json"),
                ("choose links", "transition", "--each", "hosts", "--fabric", "torus:4x4"),
                ("--engine", "transition", "--each", "links", "--fabric", "torus:4x4"),
                ("add --each", "transition", "--engine", "updn", "--from", "x", "--to", "y"),
                ("--guard off", "transition", "--each", "links", "--fabric", "torus:4x4",
                 "--engine", "updn", "--states"),
                ("--fail", "repair", "--fabric", "torus:4x4", "--engine", "updn"),
                ("--engine", "repair", "--fabric", "torus:4x4", "--fail", "S-0-0"),
                ("--fabric", "repair", "--engine", "updn", "--fail", "S-0-0"),
                ("S-9-9", "repair", "--fabric", "torus:4x4", "--engine", "updn", "--fail", "S-9-9"),
                ("in-place or readdress", "repair", *BROKEN, "--engine", "updn", "--repair-mode",
                 "both"),
                ("choose rftr", "compute", *BROKEN, "--engine", "updn", "--repair", "x"),
                ("--repair rftr", "compute", *BROKEN, "--engine", "updn", "--repair-mode",
                 "in-place"),
                ("--repair-mode in-place", "repair", *BROKEN, "--engine", "updn",
                 "--repair-mode", "readdress", "--leave-unbroken"),
                ("cycle", "repair", "--fabric", "torus:6x6", "--engine", "spf", "--fail",
                 "S-0-0:1")):
            with self.subTest(arguments=arguments):
                self.refused(*arguments, says=says)


if __name__ == "__main__":
    unittest.main()
