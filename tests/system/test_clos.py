# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""selvedge-sim clos as users run it, and the policy that it writes in the real opensm on ibsim."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from opensm_case import generated_net
from tools.lab import Lab
from tools.lab.subnet import parse_path_records

SIM = pathlib.Path(os.environ["SELVEDGE_BUILD_DIR"]) / "bin" / "selvedge-sim"
ROUTE = SIM.with_name("selvedge-route")
TREE = "clos:n=24,r=48,m=24"
SMALL = "clos:n=4,r=6,m=4"
# One host and two links up are left of a leaf switch.
UNEVEN = [word for what in ("S-0-0:1", "S-0-0:2", "S-0-0:3", "S-0-0/S-1-0", "S-0-0/S-1-1") for word in ("--fail", what)]


class Clos(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def clos(self, *words, status=0):
        done = subprocess.run([SIM, "clos", *words], capture_output=True, text=True, timeout=300, cwd=self.folder)
        self.assertEqual(done.returncode, status, done.stderr + done.stdout)
        return done

    def json(self, *words, status=0):
        return json.loads(self.clos(*words, "--json", status=status).stdout)

    def error(self, *words):
        done = self.clos(*words, status=2)
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        return done.stderr

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def test_both_fates_of_the_papers_tree(self):
        said = self.json("--fabric", TREE, "--rate-gbps", "40", "--rate-gbps", "19.2")
        self.assertEqual((said["n"], said["r"], said["m"], said["link_gbps"]), (24, 48, 24, 40))
        full, half = said["rates"]
        self.assertEqual((full["flows_per_link"], half["flows_per_link"]), (1, 2))
        self.assertEqual((full["settles"], half["settles"]), (False, True))
        self.assertEqual((full["unsettled_share"], half["unsettled_share"]), (1, 0))
        self.assertIsNone(full["iterations_mean"])
        self.assertIsNone(full["iterations_p99"])
        self.assertGreater(full["model_log10_iterations"], 50)
        self.assertLess(10 ** half["model_log10_iterations"], half["iterations_mean"])
        self.assertLess(half["iterations_mean"], 20)
        self.assertLess(half["iterations_mean"], half["iterations_p99"])
        self.assertEqual(said["highest_settling_rate_gbps"], 20)
        text = self.clos("--fabric", TREE, "--rate-gbps", "40", "--rate-gbps", "19.2").stdout
        self.assertRegex(text, r"40 Gb/s +1 flow a link: does not settle in the abstract system: 0 of 100 permutations within 1000 iterations")
        self.assertRegex(text, r"\n +model last-step: 10\^51\.8 iterations\n")
        self.assertRegex(text, r"19\.2 Gb/s +2 flows a link: settles in the abstract system after [\d.]+ iterations on average, 99 % within")
        self.assertRegex(text, r"highest rate +20 Gb/s settles in the abstract system\n")
        self.assertRegex(text, r"what to do +throttle the hosts to 19\.2 Gb/s: flows of 20 fill links,.*\n"
                               r".*--write-qos-policy FILE: to 14 Gb/s, the next lower rate.*\n.*\n.*clos-self-routing\.toml")
        self.assertEqual(said["throttle_gbps"], 19.2)

    def test_20_8_of_40_is_one_flow_a_link(self):
        rate, = self.json("--fabric", TREE, "--rate-gbps", "20.8", "--model", "none")["rates"]
        self.assertEqual((rate["flows_per_link"], rate["settles"]), (1, False))
        self.assertIsNone(rate["model_log10_iterations"])

    def test_a_third_is_three_flows_a_link(self):
        rate, = self.json("--fabric", SMALL, "--rate-gbps", "13.33")["rates"]
        self.assertEqual((rate["flows_per_link"], rate["model"]), (3, "none"))

    def test_with_twice_the_spines_full_rate_settles(self):
        said = self.json("--fabric", "clos:n=8,r=8,m=16")
        self.assertEqual([r["rate_gbps"] for r in said["rates"]], [40, 20])
        self.assertTrue(said["rates"][0]["settles"])
        self.assertEqual(said["highest_settling_rate_gbps"], 40)
        self.assertIsNone(said["throttle_gbps"])
        text = self.clos("--fabric", "clos:n=8,r=8,m=16").stdout
        self.assertRegex(text, r"nothing to do in the abstract system: .*\n.* fill links, .* may keep it from settling")

    def test_the_same_seed_gives_the_same_bytes(self):
        words = ["--fabric", SMALL, "--rate-gbps", "20", "--traffic", "random", "--first", "semi-random"]
        one, two = (self.clos(*words, "--json").stdout for _ in range(2))
        self.assertEqual(one, two)
        self.assertNotEqual(one, self.clos(*words, "--json", "--seed", "2").stdout)

    def test_permutations_of_a_file(self):
        hosts = 24
        path = self.write("p.txt", " ".join(str((h + 4) % hosts) for h in range(hosts)))
        rate, = self.json("--fabric", SMALL, "--rate-gbps", "40", "--traffic", f"file:{path}")["rates"]
        # All flows of a leaf switch go to one other: no two meet on the way down.
        self.assertEqual((rate["permutations"], rate["iterations_mean"]), (1, 0))
        self.assertEqual(self.json("--fabric", SMALL, "--fail", "S-0-1", "--rate-gbps", "20")["leaves"],
                         [{"switch": f"S-0-{leaf}", "hosts": 4} for leaf in (0, 2, 3, 4, 5)])
        self.write("p.txt", " ".join(map(str, range(48))))
        rate, = self.json("--fabric", "clos:n=8,r=6,m=4", "--rate-gbps", "40", "--traffic", "file:p.txt")["rates"]
        self.assertEqual((rate["settles"], rate["flows_without_place"], rate["model"]), (True, 0, "none"))
        self.write("p.txt", "1 2 3")
        self.assertIn("3 destinations for 24 hosts: p.txt, line 1: ",
                      self.error("--fabric", SMALL, "--traffic", "file:p.txt"))

    def test_the_model_single_and_its_two_readings(self):
        one, two = (10 ** self.json("--fabric", "clos:n=6,r=6,m=12", "--rate-gbps", "40", "--model", "single", "--absorb",
                                    absorb)["rates"][0]["model_log10_iterations"] for absorb in ("improved", "after-both"))
        self.assertAlmostEqual(one, 1.776, 3)
        self.assertAlmostEqual(two, 2.082, 3)

    def test_a_damaged_tree_in_a_file(self):
        net = self.folder / "tree.net"
        subprocess.run([ROUTE, "fabric", "--fabric", SMALL, "--fail", "S-1-2", "--fail", "S-0-3:5", "--write", net],
                       capture_output=True, timeout=60, check=True)
        said = self.json("--fabric", f"file:{net}", status=1)
        self.assertEqual((said["n"], said["r"], said["link_gbps"]), (4, 6, 10))
        self.assertEqual(said["remarks"], ["10 Gb/s is 4x SDR, which also cables without a speed in the file have"])
        self.assertEqual(said["least_uplinks"], 2)
        full, half = said["rates"]
        # Three links for four flows; one leaf switch has two.
        self.assertEqual((full["flows_without_place"], full["unsettled_share"]), (7, 1))
        self.assertEqual(half["flows_without_place"], 0)
        same = self.json("--fabric", SMALL, "--fail", "S-1-2", "--fail", "S-0-3:5", "--rate-gbps", "40", "--rate-gbps", "20", status=1)
        self.assertEqual(same["least_uplinks"], 2)
        self.assertEqual(same["rates"][0]["flows_without_place"], 7)
        # The file no longer has the spine, so the draws differ.
        self.assertAlmostEqual(same["rates"][1]["iterations_mean"], half["iterations_mean"], delta=0.3)
        text = self.clos("--fabric", f"file:{net}", status=1).stdout
        self.assertIn("no good routing: the leaf switches lack links for 7 flows", text)

    def test_the_policy_has_the_code_of_the_rate(self):
        said = self.json("--fabric", TREE, "--write-qos-policy", "policy.conf")
        self.assertEqual(said["highest_settling_rate_gbps"], 20)
        text = (self.folder / "policy.conf").read_text()
        self.assertIn("name: DEFAULT\n        sl: 0\n        rate-limit: 11\n", text)  # 14 Gb/s

    def test_opensm_limits_its_path_records_by_the_policy(self):
        """The hosts of a tree of 4x SDR cables: 10 Gb/s, of which half settles."""
        text = generated_net("clos:n=6,r=8,m=6")
        net = self.write("tree.net", text)
        said = self.json("--fabric", f"file:{net}", "--write-qos-policy", "policy.conf")
        self.assertEqual(said["highest_settling_rate_gbps"], 5)
        policy = {"qos": True, "qos_policy_file": self.folder / "policy.conf"}
        # IBA 1.3 §15.2.5.16: 2 in the upper two bits is "exactly"; code 3 is 10 Gb/s, code 2 is 2.5 Gb/s.
        for options, rate in (({}, 0x83), (policy, 0x82)):
            with self.subTest(options=options), Lab(text, subnet="ibsim") as lab:
                sm = lab.opensm(options={"routing_engine": "minhop", **options})
                sm.wait_up(timeout_s=40)
                lids = sorted(host.lid for host in lab.read_subnet(host=sm.host).hosts)
                answered = parse_path_records(lab.tool("saquery", "-p", "--slid", lids[0], "--dlid", lids[-1],
                                                       host=sm.host))
                self.assertEqual([record["rate"] for record in answered], [rate])

    def test_bad_input_is_one_line(self):
        for words, said in [
                ([], "an option is missing: --fabric: add --fabric FABRIC"),
                (["--fabric", "torus:8x8"], "the fabric is no fat tree of two levels: torus:8x8: torus 8x8: "),
                (["--fabric", "tree:k=4,n=3"], "the fabric is no fat tree of two levels: tree:k=4,n=3: 4-ary 3-tree: the nearest "),
                (["--fabric", SMALL, "--rate-gbps", "41"],
                 "the rate is above that of the links: --rate-gbps 41: choose 40 or less"),
                (["--fabric", SMALL, "--rate-gbps", "0.1"], "the rate is too low: --rate-gbps 0.1: choose 0.625 or more"),
                (["--fabric", SMALL, "--rate-gbps", "-3"], "'-3' is no rate: --rate-gbps: "),
                (["--fabric", SMALL, "--rate-gbps", "fast"], "'fast' is no rate: --rate-gbps: "),
                (["--fabric", SMALL, "--rate-gbps", "0x10"], "'0x10' is no rate: --rate-gbps: "),
                (["--fabric", SMALL, "--rate-gbps", " 10"], "' 10' is no rate: --rate-gbps: "),
                (["--fabric", SMALL, *UNEVEN, "--rate-gbps", "40", "--model", "last-step"],
                 "the leaf switch with the fewest links up has too few for the model last-step: 2 links up, 4 hosts at the "
                 "largest leaf switch: choose --model none"),
                (["--fabric", SMALL, "--rate-gbps", "20", "--model", "single"],
                 "the model single is not for 2 flows a link: --rate-gbps 20: choose --model last-step"),
                (["--fabric", SMALL, "--rate-gbps", "10", "--model", "last-step"],
                 "the model last-step is not for 4 flows a link: --rate-gbps 10: choose --model none"),
                (["--fabric", "clos:n=120,r=120,m=120", "--rate-gbps", "40", "--model", "single"],
                 "the model single has too many states for this tree"),
                (["--fabric", SMALL, "--model", "exact"], "'exact' is no choice: --model: "),
                (["--fabric", SMALL, "--absorb", "after-both"], "only one model has this choice: --absorb after-both: "),
                (["--fabric", SMALL, "--absorb", "x"], "'x' is no choice: --absorb: "),
                (["--fabric", SMALL, "--first", "x"], "'x' is no choice: --first: "),
                (["--fabric", SMALL, "--traffic", "x"], "'x' is no choice: --traffic: "),
                (["--fabric", SMALL, "--iterations", "0"], "--iterations"),
                (["--fabric", SMALL, "--fail", "S-9-9"], "S-9-9"),
                (["--fabric", "clos:n=2,r=3,m=2", "--fail", "S-0-1/S-1-0", "--fail", "S-0-2/S-1-1"],
                 "no spine has cables to both leaf switches: S-0-1 and S-0-2: "),
                (["--fabric", "clos:n=8,r=8,m=16", "--write-qos-policy", "p"],
                 "nothing is to be throttled: it settles at the hosts' full rate: --write-qos-policy p: leave it out"),
        ]:
            with self.subTest(words=words):
                self.assertIn(said, self.error(*words))
        self.assertFalse((self.folder / "p").exists())


if __name__ == "__main__":
    unittest.main()
