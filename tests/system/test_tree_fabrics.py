# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The fabrics of `./run bench --only quality`: shuffled fabrics have the same cabling, damaged fabrics lack
exactly the cables that they name, and selvedge-route reads all of them."""
import collections
import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
BUILD = pathlib.Path(os.environ.get("SELVEDGE_BUILD_DIR", ROOT / "build"))

from tools.bench import balanced_rows, quality, tree_fabrics  # noqa: E402
from tools.bench.rows import row  # noqa: E402


def cabling(net):
    """What shuffled port numbers do not change: the number of cables between any two switches, and the
    switch of each host."""
    cables = collections.Counter(tuple(sorted((net.switches[a].name, net.switches[b].name)))
                                 for a, _, b, _ in net.cables)
    return cables, collections.Counter(net.switches[s].name for _, s, _ in net.hosts)


class TreeFabrics(unittest.TestCase):
    def nets(self):
        return {"A": tree_fabrics.real("real-40-switches.net"),
                "B": tree_fabrics.real("real-8-switches.net"),
                "Clos": tree_fabrics.generated(BUILD, "clos:n=6,r=12,m=6"),
                "tree": tree_fabrics.generated(BUILD, "tree:k=4,n=3"),
                "parallel": tree_fabrics.parallel_clos()}

    def compute(self, net):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "fabric.net"
            path.write_text(net.text(), encoding="utf-8")
            done = subprocess.run([BUILD / "bin/selvedge-route", "compute", "--fabric",
                                   f"file:{path}", "--engine", "updn", "--json"],
                                  capture_output=True, text=True, timeout=60, check=True)
        return json.loads(done.stdout)

    def test_counts(self):
        counts = {name: (len(net.switches), len(net.hosts), len(net.cables))
                  for name, net in self.nets().items()}
        self.assertEqual(counts, {"A": (40, 582, 532), "B": (8, 145, 47), "Clos": (18, 72, 72),
                                  "tree": (48, 64, 128), "parallel": (12, 51, 64)})

    def test_every_variant_is_the_network_that_it_says(self):
        for name, net in self.nets().items():
            found = {variant: changed for variant, changed, _ in tree_fabrics.variants(net, 1)}
            self.assertEqual(len(found), 6)
            self.assertEqual(cabling(found["shuffled"]), cabling(net))
            self.assertNotEqual(found["shuffled"].text(), net.text())
            self.assertEqual(found["shuffled"], net.shuffled(1))
            top = max(node.level for node in net.switches)
            for variant, changed in found.items():
                with self.subTest(fabric=name, variant=variant):
                    ends = [end for a, p, b, q in changed.cables for end in ((a, p), (b, q))]
                    ends += [(s, p) for _, s, p in changed.hosts]
                    self.assertEqual(len(set(ends)), len(ends))
                    self.assertTrue(all(1 <= p <= changed.switches[s].ports for s, p in ends))
                    if variant == "spine dead":
                        dead = set(net.switches) - set(changed.switches)
                        self.assertEqual([node.level for node in dead], [top])
                    figures = self.compute(changed)
                    self.assertEqual((figures["switches"], figures["hosts"], figures["links"]),
                                     (len(changed.switches), len(changed.hosts),
                                      len(changed.cables)))
                    self.assertEqual(figures["unreachable_pairs"], 0)

    def test_more_missing_cables_include_the_fewer(self):
        net, before = tree_fabrics.parallel_clos(), []
        for count in tree_fabrics.CABLES_MISSING:
            less, missing = net.without_cables(count, 1)
            self.assertEqual((len(missing), missing[:len(before)]), (count, before))
            self.assertEqual(len(less.cables), len(net.cables) - count)
            self.assertTrue(less.connected())
            before = missing
        # Cables without which the fabric is disconnected are never removed: a spanning tree remains.
        self.assertEqual(len(net.without_cables(1000, 1)[0].cables), len(net.switches) - 1)


class Rows(unittest.TestCase):
    def test_bounds_in_both_directions(self):
        self.assertTrue(row("a", 9, "ms", 10, "peer", 1)["ok"])
        self.assertFalse(row("a", 9, "ms", 10, "peer", None, 0.98)["ok"])
        self.assertTrue(row("a", 9, "ms", 10, "peer", None)["ok"])

    def test_the_worst_case_is_the_row(self):
        cases = [("one", 9.0, 10.0, "p"), ("two", 12.0, 10.0, "q")]
        worst = quality.worst_row("EBB", "", cases, at_least=0.95)
        self.assertEqual((worst["ratio"], worst["peer"], worst["ok"]), (0.9, "p", False))
        self.assertIn("1 of 2 hold; worst: one", worst["what"])
        worst = quality.worst_row("max", "pairs", cases, at_most=1.2)
        self.assertEqual((worst["ratio"], worst["peer"], worst["ok"]), (1.2, "q", True))
        refused = quality.worst_row("max", "pairs", [*cases, ("three", None, 10.0, "q")],
                                    at_most=1.2)
        self.assertFalse(refused["ok"])
        json.dumps(refused, allow_nan=False)

    def test_only_what_cannot_deadlock_is_a_peer(self):
        def found(ebb, free, connected=True):
            return {"ebb": ebb, "deadlock_free": free, "connected": connected, "loop_free": True}
        self.assertEqual(quality.best_of({"minhop": found(0.7, False), "updn": found(0.5, True),
                                          "dfsssp": found(0.6, False)})[0], "dfsssp")
        self.assertEqual(quality.best_of({"minhop": found(0.7, True),
                                          "dfsssp": found(0.9, False, False)})[0], "minhop")
        self.assertIsNone(quality.best_of({"minhop": found(0.7, False)}))


class BalancedRows(unittest.TestCase):
    """The fabrics of every kind, beside OpenSM's engines (tools/bench/balanced_rows.py)."""

    def test_the_sample_is_part_of_all(self):
        few, all_cases = balanced_rows.chosen_cases(False, 1), balanced_rows.chosen_cases(True, 1)
        self.assertEqual(len(few), 2 * len(balanced_rows.FABRICS))
        self.assertLessEqual(set(few), set(all_cases))
        self.assertEqual(len(set(all_cases)), len(balanced_rows.FABRICS) * 41)

    def test_variants(self):
        for name in balanced_rows.FABRICS[:-1]:
            net = tree_fabrics.flat(f"{name}.net")
            found = balanced_rows.usual_variants(net, 1)
            with self.subTest(fabric=name):
                self.assertTrue(all(variant.connected() for variant in found.values()))
                self.assertEqual(cabling(found["shuffled"]), cabling(net))
                self.assertEqual([len(net.cables) - len(found[f"{n} missing"].cables) for n in ("1 cable", "3 cables")], [1, 3])
                self.assertEqual(len(found["switch dead"].switches), len(net.switches) - 1)

    def test_torus_2qos_is_told_of_cables_that_exist(self):
        """Also where the switch at 0-0 is dead."""
        for name, sides in balanced_rows.TORI.items():
            net = tree_fabrics.flat(f"{name}.net")
            corner = next(i for i, node in enumerate(net.switches) if set(node.name[1:]) <= set("-0"))
            ends = {i for cable in net.cables if corner in (cable[0], cable[2]) for i in (cable[0], cable[2])} - {corner}
            for less in (net, *(net.shuffled(seed) for seed in (1, 2)), dataclasses.replace(
                    net, cables=tuple(c for c in net.cables if corner not in (c[0], c[2])))):
                with tempfile.TemporaryDirectory() as folder:
                    text = balanced_rows.torus_config(less, sides, pathlib.Path(folder) / "conf").read_text()
                lines = [line.split() for line in text.splitlines()]
                self.assertEqual(lines[0], ["torus", *map(str, (*sides, 1)[:3])])
                self.assertEqual([line[0] for line in lines[1:]], [f"{axis}{way}_link" for axis in "xyz"[:len(sides)] for way in "pm"])
                self.assertEqual(len({line[1] for line in lines[1:]}), 1)
                guids = [node.guid for node in less.switches]
                near = {frozenset((guids[a], guids[b])) for a, _, b, _ in less.cables}
                self.assertTrue(all(frozenset((int(a, 0), int(b, 0))) in near for _, a, b in lines[1:]))
            self.assertEqual(len(ends), 2 * len(sides))

    def test_a_peer_cannot_deadlock(self):
        def found(ebb, free, connected=True):
            return {"ebb": ebb, "deadlock_free": free, "connected": connected, "loop_free": True}
        peers = {"minhop": found(.7, False), "sssp": found(.6, False), "nue": found(.5, False), "dor": found(.4, True)}
        self.assertEqual(balanced_rows.best_peer(peers)[0], "nue")
        self.assertEqual(balanced_rows.best_peer({"lash": found(.5, True, False), "updn": found(.3, True)})[0], "updn")
        self.assertIsNone(balanced_rows.best_peer({"minhop": found(.7, False)}))


if __name__ == "__main__":
    unittest.main()
