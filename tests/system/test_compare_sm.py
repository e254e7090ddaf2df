# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""selvedge-sim compare-sm and the emulator's scripts: the real opensm under simulated traffic."""
import json
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

from opensm_case import BUILD, PATIENCE_S

SIM = BUILD / "bin" / "selvedge-sim"
ENGINES = ("minhop", "lash", "dfsssp", "torus-2QoS", "selvedge-updn")


def compare(*words, status=0):
    done = subprocess.run([SIM, "compare-sm", *words], capture_output=True, text=True,
                          timeout=10 * PATIENCE_S, check=False)
    if done.returncode != status:
        raise AssertionError(f"status {done.returncode}: {done.stderr}{done.stdout[-800:]}")
    return done


class CompareSm(unittest.TestCase):
    maxDiff = 4000

    def test_engines_side_by_side(self):
        found = json.loads(compare("--fabric", "torus:4x5", "--fault", "S-1-1:2", "--engine",
                                   ",".join(ENGINES), "--load", "0.05", "--json").stdout)
        self.assertTrue(found["complete"])
        self.assertEqual([run["engine"] for run in found["runs"]], list(ENGINES))
        for run in found["runs"]:
            self.assertTrue(run["ended"], run["engine"])
            self.assertEqual((run["pairs"], run["pairs_without_path"], run["unrouted_pairs"]), (380, 0, 0))
            self.assertEqual(run["lost"], sum(run["lost_by_cause"].values()))
            self.assertGreater(run["lost"], 0)
            self.assertGreater(run["routed_after_ms"], 0)
            self.assertGreaterEqual(run["last_loss_ms"], 0)
            self.assertFalse(run["deadlock"])
            curve = run["curve"]
            self.assertEqual([p[0] for p in curve], sorted(p[0] for p in curve))
            self.assertEqual(curve[-1][1:], [run["delivered"], run["lost"]])
        by_engine = {run["engine"]: run for run in found["runs"]}
        # The losses depend on the machine and its load, so only a factor of two is asserted; the usual
        # difference is an order of magnitude.
        self.assertLess(2 * by_engine["selvedge-updn"]["lost"], by_engine["minhop"]["lost"])

    def test_an_engine_that_refuses_the_fabric_does_not_count(self):
        # OpenSM's updn finds no roots in a torus and refuses. Then minhop must not route in its place.
        done = compare("--fabric", "torus:4x4", "--fault", "S-1-1:2", "--engine", "updn,minhop",
                       "--load", "0.02", status=1)
        self.assertRegex(done.stdout, r"(?m)^updn +– ")
        self.assertRegex(done.stdout, r"(?m)^updn, run 1, does not count: OpenSM does not route")
        self.assertRegex(done.stdout, r"(?m)^minhop +[0-9]+ ")

    def test_a_drain_loses_nothing(self):
        text = compare("--fabric", "torus:4x4", "--fault", "S-1-1:2", "--engine", "selvedge-updn",
                       "--drain", "--load", "0.1", "--runs", "2").stdout
        self.assertRegex(text, r"(?m)^selvedge-updn +0 \(0–0\)")

    def test_a_deadlock_is_seen(self):
        # minhop's shortest paths on a torus have cyclic dependencies, so full queues deadlock.
        found = json.loads(compare("--fabric", "torus:5x5,hosts=2", "--fault", "S-1-1:2", "--engine",
                                   "minhop,selvedge-updn", "--load", "1", "--json").stdout)
        self.assertEqual([run["deadlock"] for run in found["runs"]], [True, False])

    def test_a_switch_fails_and_several_links(self):
        found = json.loads(compare("--fabric", "torus:4x4", "--fault", "S-1-1", "--fault", "S-2-3:4",
                                   "--engine", "selvedge-updn", "--load", "0.05", "--json").stdout)
        run = found["runs"][0]
        self.assertEqual(run["unrouted_pairs"], 0)
        # Packets to the hosts of the failed switch are lost until the end of the run.
        self.assertGreater(run["lost"], 0)

    def test_bad_input(self):
        base = {"--fabric": "torus:4x4", "--fault": "S-1-1:2", "--engine": "minhop"}
        for change, says in (({"--fault": "S-9-9:1"}, "no such link"), ({"--fabric": "torus:1x1"}, "torus"),
                             ({"--load": "0"}, "--load"), ({"--preset": "none"}, "--preset"),
                             ({"--engine": "torus-2QoS", "--fabric": "tree:k=4,n=2", "--fault": "S-1-0"},
                              "torus-2QoS"),
                             ({"--engine": "nonsense"}, "nonsense"), ({"--engine": "minhop,minhop"}, "twice"),
                             ({"--plugin-toml": "drain_ms = 1"}, "--plugin-toml"),
                             ({"--opensm-line": "routing_engine updn"}, "--opensm-line"),
                             ({"--drain": None}, "--drain")):
            words = [w for pair in {**base, **change}.items() for w in pair if w is not None]
            done = compare(*words, status=2)
            self.assertIn(says, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn("--fault", compare("--fabric", "torus:4x4", "--engine", "minhop", status=2).stderr)

    def test_an_interrupted_comparison_leaves_nothing_behind(self):
        with tempfile.TemporaryDirectory() as folder:
            child = subprocess.Popen([SIM, "compare-sm", "--fabric", "torus:4x4", "--fault", "S-1-1:2",
                                      "--engine", "minhop", "--runs", "50", "--load", "0.01"],
                                     stdout=subprocess.PIPE, text=True, env={"PATH": "/usr/bin:/bin:/usr/sbin",
                                                                            "TMPDIR": folder})
            end = time.monotonic() + PATIENCE_S
            while not list(pathlib.Path(folder).iterdir()) and time.monotonic() < end:
                time.sleep(0.01)
            child.send_signal(signal.SIGINT)
            out = child.communicate(timeout=PATIENCE_S)[0]
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [])
            self.assertIn("interrupted: ", out)
            self.assertEqual(child.returncode, 1)


if __name__ == "__main__":
    unittest.main()
