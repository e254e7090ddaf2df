# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The fabrics of `./run bench --only quality`: shuffled fabrics have the same cabling, damaged fabrics lack
exactly the cables that they name, and selvedge-route reads all of them."""
import collections
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

from tools.bench import quality, tree_fabrics  # noqa: E402
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


if __name__ == "__main__":
    unittest.main()
