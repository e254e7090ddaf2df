# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""`python3 -m tools.bench.engine_ranks`: EBB beside what the simulator accepts, with engines of the real OpenSM captured on
a small torus; the figures of a permutation's paths by hand; what counts as ordered alike."""
import argparse
import collections
import contextlib
import io
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
BUILD = pathlib.Path(os.environ.get("SELVEDGE_BUILD_DIR", ROOT / "build")).resolve()

from tests.support.draw import SEED, drawn  # noqa: E402
from tools.bench import engine_ranks, opensm_captures  # noqa: E402
from tools.bench.filled_vls import filled  # noqa: E402
from tools.bench.permutation_loads import (Paths, all_pairs, bit_complement, pairs_over, permutation_bandwidth,  # noqa: E402
                                           read_paths)

ROUTE = BUILD / "bin" / "selvedge-route"
PATIENCE_S = 400


def ranks(*words, accept=(0,)):
    done = subprocess.run([sys.executable, "-m", "tools.bench.engine_ranks", *map(str, words)], cwd=ROOT, capture_output=True,
                          text=True, timeout=PATIENCE_S, check=False)
    if done.returncode not in accept:
        raise AssertionError(f"status {done.returncode}: {done.stderr}")
    return done


def rows_of(text):
    """{engine: {head: cell}} of the first table."""
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.split("\n\n")[1].splitlines()]
    return {line[0]: dict(zip(lines[0], line, strict=True)) for line in lines[2:]}


class Live(unittest.TestCase):
    SPEC = "torus:4x4"

    def test_engines_of_opensm_beside_ours(self):
        for engine in drawn(["torus-2QoS", "nue", "dor"], 1):
            with self.subTest(engine=engine):
                self.beside_ours(engine)

    def beside_ours(self, engine):
        with tempfile.TemporaryDirectory() as text:
            out = pathlib.Path(text)
            words = ("--opensm", "--engines", f"lash,ftree,{engine}", "--fabrics", self.SPEC, "--seeds", 2, "--duration-us", 20,
                     "--build", BUILD, "--out", out)
            first = ranks(*words)
            rows = rows_of(first.stdout)
            self.assertEqual(list(rows), ["`balanced`", "`updn`", "`tftr`", "OpenSM lash", f"OpenSM {engine}"])
            self.assertIn("no tables of OpenSM's ftree: OpenSM: no routing engine able", first.stderr)
            self.assertEqual(first.stderr.count("is brought up and captured"), 3)
            captured = {name: out / "torus-4x4" / "captured" / f"{name}.json" for name in ("lash", engine)}
            for name, path in captured.items():
                self.judged(name, path, rows[f"OpenSM {name}"])
            self.assertEqual(rows["OpenSM lash"]["may deadlock"], "no")
            self.assertEqual(rows["OpenSM dor"]["may deadlock"] if engine == "dor" else "yes", "yes")  # rings of four
            # On more VLs, and no more of an engine that has all.
            more = rows_of(ranks(*words, "--fill-vls").stdout)
            self.assertEqual({name: row["EBB"] for name, row in more.items()}, {name: row["EBB"] for name, row in rows.items()})
            self.assertLess(int(more["`updn`"]["pairs on the busiest VL"]), int(rows["`updn`"]["pairs on the busiest VL"]) / 4)
            self.assertEqual((more["`updn`"]["VLs"], more["OpenSM lash"]["may deadlock"]), ("8", "no"))
            # The most that is accepted of two loads, one of which is full load.
            most = rows_of(ranks(*words, "--loads", "0.3,1.0").stdout)
            for name, row in rows.items():
                if not any("deadlock" in at[name]["uniform"] for at in (rows, most)):
                    self.assertGreaterEqual(float(most[name]["uniform"]), float(row["uniform"]))
            # What is there is used again, captures and points; a capture that is gone is made anew.
            inodes = {path: path.stat().st_ino for path in captured.values()}
            again = ranks(*words)
            self.assertEqual(again.stdout, first.stdout)
            self.assertNotIn("is brought up", again.stderr)
            self.assertEqual({path: path.stat().st_ino for path in captured.values()}, inodes)
            captured["lash"].unlink()
            self.assertEqual(ranks(*words).stderr.count("OpenSM's lash is brought up and captured"), 1)
            # Captures of another fabric are not taken for these.
            document = json.loads(captured["lash"].read_text(encoding="utf-8"))
            document["fabric"]["links"].reverse()
            captured["lash"].write_text(json.dumps(document), encoding="utf-8")
            refused = ranks(*words, accept=(3,))
            self.assertIn("error: the captured fabric is numbered otherwise: torus:4x4: remove the folder", refused.stderr)

    def judged(self, name, path, row):
        """The row has what compare says of the file, and loads that a network can have."""
        done = subprocess.run([ROUTE, "compare", "--fabric", self.SPEC, "--tables", path, "--json"], capture_output=True, text=True,
                              timeout=PATIENCE_S, check=True)
        found = json.loads(done.stdout)["rows"][0]
        self.assertEqual((row["EBB"], row["VLs"], row["pairs on the busiest VL"], row["may deadlock"]),
                         (f"{found['ebb']:.3f}", str(found["vls_used"]), str(found["base_vl_load_max"]),
                          "no" if found["deadlock_free"] else "yes"), name)
        for pattern in engine_ranks.PATTERNS:
            if "deadlock" in row[pattern]:
                self.assertEqual(row["may deadlock"], "yes", (name, pattern))
                continue
            load = float(re.match(r"[0-9.]+", row[pattern])[0])
            self.assertTrue(0.02 < load <= 1, (name, pattern, load))
        if "deadlock" not in row["cut"]:  # 16 hosts, 32 cables: what is lost is what had the cable
            lost, pairs = map(float, re.search(r"; ([0-9.]+) % lost, ([0-9.]+) % of pairs", row["cut"]).groups())
            self.assertGreater(pairs, 3)
            self.assertTrue(0.5 * pairs < lost < 2 * pairs, row["cut"])


#   0 --- 1 --- 2    Hosts 0, 1 at switch 0, host 2 at switch 1, host 3 at switch 2; port 1 leads left, 2 right.
def line_paths():
    hosts = [{"name": f"H-{i}", "switch": s, "port": 3 + (i == 1), "lid": i + 1} for i, s in enumerate((0, 0, 1, 2))]
    lft = [[255] + [h["port"] if h["switch"] == at else 2 if h["switch"] > at else 1 for h in hosts] for at in range(3)]
    return Paths({"fabric": {"hosts": hosts, "switches": [{"id": i, "name": f"S-{i}"} for i in range(3)],
                             "links": [[0, 2, 1, 1], [1, 2, 2, 1]]}, "lft": lft})


class PermutationLoads(unittest.TestCase):
    def test_by_hand(self):
        paths = line_paths()
        self.assertEqual(paths.path(0, 3), [(0, 2), (1, 2)])
        self.assertEqual(paths.path(0, 1), [])
        # 0 → 3 and 1 → 2 share the channel to the right, 2 → 1 and 3 → 0 that to the left.
        self.assertEqual(permutation_bandwidth(paths, bit_complement(4)), 0.5)
        # 0 → 1 crosses none, 1 → 2, 2 → 3 and 3 → 0 have theirs alone.
        self.assertEqual(permutation_bandwidth(paths, [1, 2, 3, 0]), 1)
        # Of 12 pairs 8 are between switch 0 and the others, 6 between switch 2 and the others.
        self.assertAlmostEqual(pairs_over(paths, 0, 2), 8 / 12)
        self.assertAlmostEqual(pairs_over(paths, 1, 1), 8 / 12)
        self.assertAlmostEqual(pairs_over(paths, 1, 2), 6 / 12)

    def test_a_loop_is_said(self):
        paths = line_paths()
        paths._lft[1][4] = 1
        with self.assertRaisesRegex(ValueError, "a loop on the way from H-0 to H-3"):
            paths.path(0, 3)

    def test_the_paths_are_those_of_compare(self):
        """The busiest channel of all pairs, on a drawn fabric."""
        with tempfile.TemporaryDirectory() as text:
            path, spec = pathlib.Path(text) / "t.json", f"irregular:switches=12,degree=3,hosts=2,seed={1 + SEED % 1000}"
            print(f"SELVEDGE_SEED={SEED}: {spec}", flush=True)
            done = subprocess.run([ROUTE, "compute", "--fabric", spec, "--engine", "balanced", "--lmc", "0", "--tables", path, "--json"],
                                  capture_output=True, text=True, timeout=PATIENCE_S, check=True)
            paths = read_paths(path)
            load = collections.Counter(channel for a, b in all_pairs(24) for channel in paths.path(a, b))
            self.assertEqual(max(load.values()), json.loads(done.stdout)["base_channel_load_max"])

    def test_bit_complement(self):
        self.assertEqual(bit_complement(8), [i ^ 7 for i in range(8)])


class FilledVls(unittest.TestCase):
    def figures(self, *options):
        done = subprocess.run([ROUTE, *options, "--json"], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        return json.loads(done.stdout)

    def test_the_same_paths_on_more_vls_are_proved(self):
        """Also as safe for responses as before; tables that deadlock still do."""
        with tempfile.TemporaryDirectory() as text:
            path, more = pathlib.Path(text) / "t.json", pathlib.Path(text) / "filled.json"
            spec = f"irregular:switches=12,degree=3,hosts=2,seed={1 + SEED % 1000}"
            print(f"SELVEDGE_SEED={SEED}: {spec}", flush=True)
            for engine, fabric, free in (("balanced", spec, True), ("updn", spec, True), ("tftr", "torus:4x4", True), ("spf", "torus:5x5", False)):
                with self.subTest(engine=engine):
                    self.figures("compute", "--fabric", fabric, "--engine", engine, "--lmc", "1" if engine == "tftr" else "0",
                                 "--tables", path, *(("--paper",) if engine == "spf" else ()))
                    document = json.loads(path.read_text(encoding="utf-8"))
                    copied = filled(document)
                    more.write_text(json.dumps(copied), encoding="utf-8")
                    before, after = (self.figures("verify", "--tables", p, "--replies", "same-sl") for p in (path, more))
                    self.assertEqual((before["deadlock_free"], after["deadlock_free"]), (free, free))
                    self.assertEqual(after["vls_used"], 8 // before["vls_used"] * before["vls_used"])
                    grades = [None, "own-sl", "base", "same-sl"]
                    self.assertGreaterEqual(grades.index(after["replies"]), grades.index(before["replies"]))
                    self.assertEqual((copied["lft"], filled(copied)), (document["lft"], copied))


class Ranks(unittest.TestCase):
    def test_what_is_ordered_alike(self):
        ebb = {"a": 0.60, "b": 0.50, "c": 0.498, "d": 0.40}
        # b and c are equal by EBB; a and b by load.
        loads = {"a": [0.50], "b": [0.503], "c": [0.30], "d": [0.40]}
        self.assertEqual(engine_ranks.agreement(ebb, loads), (3, 4, [("d", "c")]))

    def test_what_the_seeds_do_not_tell_apart_is_not_counted(self):
        ebb = {"a": 0.60, "b": 0.50}
        near = {"a": [0.50, 0.60, 0.70], "b": [0.58, 0.52, 0.60]}
        self.assertEqual(engine_ranks.agreement(ebb, near), (0, 0, []))
        # The same means, but each seed says the same.
        always = {"a": [0.50, 0.60, 0.70], "b": [0.467, 0.567, 0.666]}
        self.assertEqual(engine_ranks.agreement(ebb, always), (1, 1, []))

    def test_a_deadlock_is_no_load(self):
        self.assertEqual(engine_ranks.cell([{"deadlock": True, "accepted": 0.1}, {"deadlock": False, "accepted": 0.5}], "uniform"),
                         "deadlock, 1 of 2")
        self.assertEqual(engine_ranks.cell([{"deadlock": False, "accepted": x} for x in (0.4, 0.5, 0.6)], "uniform"), "0.500 ± 0.248")

    def test_of_several_loads_the_most_counts(self):
        one, two, stuck = ({"deadlock": False, "accepted": 0.4}, {"deadlock": False, "accepted": 0.5},
                           {"deadlock": True, "accepted": 0.6})
        for before, after, wanted in ((None, one, one), (one, two, two), (two, one, two), (stuck, two, stuck), (two, stuck, stuck)):
            self.assertIs(engine_ranks.better(before, after), wanted)

    def test_only_proved_engines_are_counted(self):
        found = {e: {"deadlock_free": e != "minhop", "ebb": ebb, "base_vl_load_max": 1, "halves": 1}
                 for e, ebb in (("a", 0.6), ("b", 0.5), ("minhop", 0.7))}
        loads = {pattern: {e: [{"deadlock": False, "accepted": x}] for e, x in (("a", 0.3), ("b", 0.2), ("minhop", 0.1))}
                 for pattern in engine_ranks.PATTERNS}
        self.assertEqual({of["EBB"][:2] for of in engine_ranks.agreements(found, loads).values()}, {(1, 1)})


class Usage(unittest.TestCase):
    def test_help_has_the_options_of_the_module(self):
        text = ranks("--help").stdout
        self.assertTrue(text.startswith("usage: python3 -m tools.bench.engine_ranks"), text)
        self.assertEqual(set(re.findall(r"--[a-z-]+", engine_ranks.__doc__)) - set(re.findall(r"--[a-z-]+", text)), set())

    def test_commands_of_the_documentation(self):
        page = (ROOT / "docs" / "choosing.md").read_text(encoding="utf-8")
        commands = re.findall(r"(?m)^python3 -m tools\.bench\.engine_ranks (.*)$", page)
        self.assertGreater(len(commands), 1)
        for command in commands:
            self.assertIsInstance(engine_ranks.arguments(shlex.split(command)), argparse.Namespace)

    def test_fabrics(self):
        self.assertEqual(engine_ranks.specs_of(["2"], ["a", "b", "c"]), ["a", "b"])
        self.assertEqual(engine_ranks.specs_of(["torus:4x4", "mesh:3x3"], ["a"]), ["torus:4x4", "mesh:3x3"])

    def test_bad_input(self):
        for words, said in ((["--seeds", "0"], "--seeds: give 1 or more"),
                            (["--engines", "lash,sssq"], "--engines: OpenSM has no sssq: choose from minhop, "),
                            (["--set", "traffic.load=[0.1,0.2]"], "--set traffic.load=[0.1,0.2]: give one value"),
                            (["--loads", "a"], "--loads"),
                            (["--duration-us", "10"], "--duration-us: the cable is cut 10 µs after measuring begins: give more")):
            complaint = io.StringIO()
            with self.subTest(words=words), contextlib.redirect_stderr(complaint), self.assertRaises(SystemExit) as ended:
                engine_ranks.arguments(words)
            self.assertEqual(ended.exception.code, 2)
            self.assertIn(said, complaint.getvalue())
        done = ranks("--fabrics", "torous:4x4", "--build", BUILD, accept=(3,))
        self.assertEqual((done.stdout, done.stderr.splitlines()[-1].count("error: ")), ("", 1), done.stderr)
        self.assertIn("torous", done.stderr.splitlines()[-1])

    def test_torus_2qos_is_for_tori(self):
        self.assertEqual(opensm_captures.torus_sides("torus:7x9"), (7, 9))
        self.assertEqual(opensm_captures.torus_sides("torus:5x5x5,hosts=2"), (5, 5, 5))
        self.assertIsNone(opensm_captures.torus_sides("mesh:7x9"))
        self.assertIsNone(opensm_captures.torus_sides("irregular:switches=40,degree=5,hosts=2,seed=1"))


if __name__ == "__main__":
    unittest.main()
