# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""selvedge-sim compare-sm and the emulator's scripts: the real opensm under simulated traffic."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from opensm_case import BUILD, PATIENCE_S

SIM = BUILD / "bin" / "selvedge-sim"
ENGINES = ("minhop", "lash", "dfsssp", "torus-2QoS", "selvedge-updn")


def compare(*words, status=0, program=SIM, **more):
    done = subprocess.run([program, "compare-sm", *words], capture_output=True, text=True,
                          timeout=10 * PATIENCE_S, check=False, **more)
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
        self.assertRegex(done.stdout, r"(?m)^updn, run 1: does not count: OpenSM does not route")
        self.assertRegex(done.stdout, r"(?m)^minhop +[0-9]+ ")

    def test_an_engine_that_refuses_the_fabric_after_the_fault_is_told(self):
        # torus-2QoS goes around one broken cable of a ring, not around two.
        done = compare("--fabric", "torus:5x5", "--fault", "S-1-1:1", "--fault", "S-3-1:1",
                       "--engine", "torus-2QoS", "--load", "0.02")
        self.assertRegex(done.stdout, r"(?m)^torus-2QoS, run 1: it did not route after the fault: .*"
                                      "No routing engine able")
        self.assertRegex(done.stdout, r"(?m)^torus-2QoS, run 1: [0-9]+ pairs of hosts are connected and not routed$")

    def test_tables_of_another_engine_do_not_count_under_its_name(self):
        irregular = ("--fabric", "irregular:switches=8,degree=3", "--fault", "S-0:1", "--load", "0.02", "--engine")
        done = compare(*irregular, "selvedge-updn,selvedge-ist", status=1)
        self.assertRegex(done.stdout, r"(?m)^selvedge-updn +[0-9]+ ")
        self.assertRegex(done.stdout, r"(?m)^selvedge-ist, run 1: does not count: the plugin does not route this fabric "
                                      r"with it: fell back: 8 switches, [0-9]+ hosts by updn")

    def test_a_mistake_that_only_the_plugin_knows_keeps_the_other_rows(self):
        wrong = ("--fabric", "torus:4x4", "--fault", "S-1-1:2", "--load", "0.02", "--plugin-toml",
                 "drian_ms = 1", "--engine")
        done = compare(*wrong, "minhop,selvedge-updn", status=2)
        self.assertRegex(done.stdout, r"(?m)^minhop +[0-9]+ ")
        self.assertRegex(done.stdout, r"(?m)^selvedge-updn, run 1: does not count: the plugin does not take its "
                                      r"settings: unknown key 'drian_ms' in \[repair\]: plugin.toml:[0-9]+: did you")
        self.assertEqual(done.stderr, "")
        # Without a result there is nothing to keep.
        done = compare(*wrong, "selvedge-updn", status=2)
        self.assertRegex(done.stderr, "^error: the plugin does not take its settings: unknown key 'drian_ms'")

    def test_a_drain_that_loses_packets_is_no_success(self):
        # At this load, packets outlive head-of-queue lifetimes of 8 us all the time.
        base = ("--fabric", "torus:4x4", "--fault", "S-1-1:2", "--engine", "selvedge-updn", "--load", "0.9",
                "--opensm-line", "head_of_queue_lifetime 1")
        done = compare(*base, "--drain", status=1)
        self.assertRegex(done.stdout, r"(?m)^selvedge-updn, run 1: [0-9]+ packets were lost despite the drain$")
        self.assertNotIn("drain", compare(*base).stdout)

    def test_an_lmc_for_each_engine(self):
        base = ("--fabric", "torus:4x4", "--fault", "S-1-1:2", "--load", "0.02", "--json")
        found = json.loads(compare(*base, "--engine", "minhop,selvedge-tftr,selvedge-ist").stdout)
        self.assertEqual([run["lmc"] for run in found["runs"]], [0, 4, 3])
        found = json.loads(compare(*base, "--engine", "selvedge-tftr", "--opensm-line", " lmc  1").stdout)
        self.assertEqual(found["runs"][0]["lmc"], 1)

    def test_a_repair_that_computes_long_is_sent_in_its_own_order(self):
        # While the fabric catches up with the computing, the plugin must not give up its SMPs: a sweep would
        # send the tables in OpenSM's order, under which packets wait for each other.
        found = json.loads(compare("--fabric", "torus:7x7", "--fault", "S-3-3:2", "--engine", "selvedge-ist",
                                   "--json").stdout)
        self.assertFalse(found["runs"][0]["deadlock"])

    def test_a_drain_loses_nothing(self):
        text = compare("--fabric", "torus:4x4", "--fault", "S-1-1:2", "--engine", "selvedge-updn",
                       "--drain", "--load", "0.1", "--runs", "2").stdout
        self.assertRegex(text, r"(?m)^selvedge-updn +0 \(0–0\)")

    def test_a_deadlock_is_seen(self):
        # minhop's shortest paths on a torus have cyclic dependencies, so full queues deadlock.
        found = json.loads(compare("--fabric", "torus:5x5,hosts=2", "--fault", "S-1-1:2", "--engine",
                                   "minhop,selvedge-updn", "--load", "1", "--json").stdout)
        self.assertEqual([run["deadlock"] for run in found["runs"]], [True, False])

    def test_deadlocks_are_counted(self):
        text = compare("--fabric", "torus:5x5,hosts=2", "--fault", "S-1-1:2", "--engine", "minhop", "--load", "1",
                       "--runs", "2").stdout
        self.assertRegex(text.splitlines()[1], "  2 of 2$")

    def test_a_switch_fails_and_several_links(self):
        found = json.loads(compare("--fabric", "torus:4x4", "--fault", "S-1-1", "--fault", "S-2-3:4",
                                   "--engine", "selvedge-updn", "--load", "0.05", "--json").stdout)
        run = found["runs"][0]
        self.assertEqual(run["unrouted_pairs"], 0)
        self.assertGreater(run["lost"], 0)
        # What is sent to the hosts of a switch that is off is no manager's fault.
        self.assertGreater(run["cut_off"], 0)

    def test_a_host_that_is_cut_off_costs_no_other_a_packet(self):
        begun = time.monotonic()
        found = json.loads(compare("--fabric", "torus:4x4", "--fault", "S-1-1:5", "--engine", "minhop",
                                   "--load", "0.02", "--json").stdout)
        run = found["runs"][0]
        self.assertEqual((run["lost"], run["last_loss_ms"], run["unrouted_pairs"]), (0, None, 0))
        self.assertGreater(run["cut_off"], 0)
        # It asks for its paths for 8 s of the fabric's time, in which nothing happens.
        self.assertLess(time.monotonic() - begun, 12)

    def test_the_subnet_managers_own_switch_fails(self):
        # No trap reaches it any more, and none is waited for.
        found = json.loads(compare("--fabric", "torus:4x4", "--fault", "S-0-0", "--engine",
                                   "selvedge-updn,minhop", "--load", "0.02", "--timeout-s", "60", "--json").stdout)
        for run in found["runs"]:
            self.assertTrue(run["ended"])
            self.assertGreater(run["unrouted_pairs"], 0)
            self.assertLess(run["fabric_ms"], 100)

    def test_bad_input(self):
        base = {"--fabric": "torus:4x4", "--fault": "S-1-1:2", "--engine": "minhop"}
        for change, says in (({"--fault": "S-9-9:1"}, "no such link"), ({"--fabric": "torus:1x1"}, "torus"),
                             ({"--load": "0"}, "--load"), ({"--preset": "none"}, "--preset"),
                             ({"--engine": "torus-2QoS", "--fabric": "tree:k=4,n=2", "--fault": "S-1-0"},
                              "torus-2QoS"),
                             ({"--engine": "nonsense"}, "nonsense"), ({"--engine": "minhop,minhop"}, "twice"),
                             ({"--plugin-toml": "drain_ms = 1"}, "--plugin-toml"),
                             ({"--plugin-toml": "drain_ms 1", "--engine": "selvedge-updn"}, "--plugin-toml:1"),
                             ({"--plugin-toml": "agent = ''", "--engine": "selvedge-updn"}, "agent"),
                             ({"--opensm-line": "routing_engine updn"}, "--opensm-line"),
                             ({"--opensm-line": " routing_engine updn"}, "--engine"),
                             ({"--opensm-line": "\trouting_engine updn"}, "--engine"),
                             ({"--opensm-line": "\nrouting_engine updn"}, "more than one line"),
                             ({"--opensm-line": "qos TRUE\nrouting_engine updn"}, "more than one line"),
                             ({"--opensm-line": "x" * 1100 + " routing_engine updn"}, "1000 bytes"),
                             ({"--opensm-line": " event_plugin_name x"}, "event_plugin_name"),
                             ({"--opensm-line": "daemon TRUE"}, "daemon"),
                             ({"--opensm-line": "max_wire_smp 16"}, "did you mean 'max_wire_smps'"),
                             ({"--opensm-line": "max_wire_smps many"}, "Parsing error"),
                             ({"--opensm-line": "lmc 99"}, "Using Default"),
                             ({"--opensm-line": "qos true"}, "FALSE"),
                             ({"--engine": "minhop,dfsssp minhop"}, "'dfsssp minhop'"),
                             ({"--engine": "no_fallback"}, "no_fallback"),
                             ({"--engine": "minhop,selvedge-updm"}, "updm"),
                             ({"--engine": "minhop,torus-2QoS", "--fabric": "mesh:4x4"}, "torus-2QoS"),
                             ({"--drain": None}, "--drain")):
            words = [w for pair in {**base, **change}.items() for w in pair if w is not None]
            done = compare(*words, status=2)
            self.assertIn(says, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn("--fault", compare("--fabric", "torus:4x4", "--engine", "minhop", status=2).stderr)

    def test_an_opensm_that_ends_at_once_is_noticed_and_quoted(self):
        with tempfile.TemporaryDirectory() as folder:
            fake = pathlib.Path(folder) / "opensm"
            fake.write_text("#!/bin/sh\ncase \"$*\" in *--create-config*)\n"
                            "  PATH=${PATH#*:}:/usr/sbin exec opensm \"$@\";;\nesac\n"
                            "echo 'the card is on fire' >&2\nexit 3\n", encoding="utf-8")
            fake.chmod(0o755)
            begun = time.monotonic()
            done = compare("--fabric", "torus:4x4", "--fault", "S-1-1:2", "--engine", "minhop", status=1,
                           env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})
            self.assertLess(time.monotonic() - begun, 8)
            self.assertIn("minhop, run 1: does not count: opensm has ended while bringing the subnet up: "
                          "exit status 3: the card is on fire\n", done.stdout)

    def test_what_the_environment_lacks(self):
        words = ("--fabric", "torus:3x3", "--fault", "S-1-1:2", "--load", "0.02", "--engine")
        done = compare(*words, "minhop", status=3, env={**os.environ, "TMPDIR": "/nothing/here"})
        self.assertRegex(done.stderr, "^error: a temporary folder cannot be made: .*TMPDIR")
        compare(*words, "minhop", env={**os.environ, "TMPDIR": ""})
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "here").mkdir()
            compare(*words, "selvedge-updn", env={**os.environ, "TMPDIR": "here"}, cwd=folder)
            self.assertEqual(list((pathlib.Path(folder) / "here").iterdir()), [])
            # An installation without the agent, without which the plugin repairs nothing by itself.
            for name in ("bin/selvedge-sim", "bin/selvedge-route", "lib/libselvedge_opensm.so"):
                copy = pathlib.Path(folder) / name
                copy.parent.mkdir(exist_ok=True)
                shutil.copy2(BUILD / name, copy)
            sim = pathlib.Path(folder) / "bin" / "selvedge-sim"
            done = compare(*words, "minhop,selvedge-updn", status=3, program=sim)
            self.assertRegex(done.stderr, "^error: selvedge-smp-agent is not there: ")
            compare(*words, "minhop", program=sim)

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
