# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""selvedge-route as its users see it: exit statuses, JSON, tables files, errors on one line.

Runs the built program: in SELVEDGE_BIN_DIR, else in SELVEDGE_BUILD_DIR/bin, else in build/bin.
"""
import json
import math
import os
import pathlib
import pty
import re
import resource
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("SELVEDGE_BUILD_DIR", ROOT / "build"))
PROGRAM = pathlib.Path(os.environ.get("SELVEDGE_BIN_DIR", BUILD / "bin")) / "selvedge-route"

COMPUTE_KEYS = ["engine", "switches", "hosts", "links", "lmc", "lids", "vls_used", "sls_used",
                "path_length_mean", "path_length_max", "shortest_length_mean", "disjoint",
                "unreachable_pairs", "channel_load_max", "channel_load_mean",
                "base_channel_load_max", "compute_ms"]
VERIFY_KEYS = ["connected", "loop_free", "deadlock_free", "deadlock_free_replies",
               "deadlock_free_any_sl", "disjoint_min", "witness"]
VERBS = ["fabric", "compute", "compare", "capture", "verify", "faults", "repair", "paths", "status", "drain", "undrain",
         "reroute", "transition", "engines"]
ERROR = re.compile(r"error: [^\n]+?: [^\n]+?: [^\n]+\n")


def route(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True,
                          timeout=120, **options)


class RouteTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(
            self.enterContext(tempfile.TemporaryDirectory(prefix="selvedge-route-")))

    def ok(self, *arguments, status=0, **options):
        run = route(*arguments, **options)
        self.assertEqual(run.returncode, status, run)
        return run

    def json(self, *arguments, status=0):
        return json.loads(self.ok(*arguments, "--json", status=status).stdout,
                          parse_constant=self.fail)

    def refused(self, *arguments, status=2, says="", **options):
        """Asserts that the command fails with `status`, prints nothing on standard output, and prints one
        error line of three parts on standard error."""
        run = route(*arguments, **options)
        self.assertEqual((run.returncode, run.stdout), (status, ""), run)
        self.assertTrue(ERROR.fullmatch(run.stderr), run.stderr)
        self.assertIn(says, run.stderr)
        return run.stderr

    def file(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path


class Help(RouteTest):
    def test_version_and_help_of_the_program(self):
        self.assertRegex(self.ok("--version").stdout, r"^selvedge-route \d+\.\d+\.\d+\n$")
        for verb in VERBS:
            self.assertEqual(self.ok(verb, "--version").stdout, self.ok("--version").stdout)
        text = self.ok("--help").stdout
        for verb in VERBS:
            self.assertIn(f"\n  {verb} ", text)
        self.assertIn("Exit status: 0", text)

    def test_every_verb_lists_its_options_with_values_and_units(self):
        shared = ["--version", "--fabric FABRIC", "--fail LINK_OR_SWITCH", "--json"]
        hints = ["--roots FILE", "--compute-nodes FILE", "--io-nodes FILE"]
        engine = ["--engine ENGINE", "--lmc N", "--max-vls N", "--max-sls N", "--fill-vls", "--root SWITCH",
                  "--tree best|bfs|dfs", "--paper", *hints]
        expected = {
            "fabric": [*shared, *hints, "--write FILE", "--svg FILE"],
            "compute": [*shared, *engine, "--tables FILE", "--lfts FILE", "--replies own-sl|base|same-sl", "--repair rftr",
                        "--repair-mode in-place|readdress", "--leave-unbroken", "--healed",
                        "--permutations N", "--seed S", "--deadline-ms N"],
            "compare": [*shared, *hints, "--engines A,B,...", "--tables FILE", "--lmc N", "--max-vls N", "--max-sls N", "--fill-vls",
                        "--replies own-sl|base|same-sl",
                        "--permutations N", "--seed S", "--html FILE"],
            "capture": ["--version", "--out FILE", "--ca NAME", "--port P", "--rate N", "--seed S", "--json"],
            "verify": [*shared, *engine, "--tables FILE", "--disjoint K", "--replies own-sl|base|same-sl",
                       "--any-sl"],
            "faults": [*shared, *engine, "--tables FILE", "--replies own-sl|base|same-sl", "--faults K", "--of links|switches", "--all",
                       "--sample N", "--seed S", "--symmetry", "--repair rftr",
                       "--repair-mode in-place|readdress", "--leave-unbroken", "--jobs J"],
            "repair": [*shared, *engine, "--replies own-sl|base|same-sl", "--repair-mode in-place|readdress", "--leave-unbroken",
                       "--healed"],
            "paths": [*shared, *engine, "SRC", "DST", "--tables FILE", "--socket PATH",
                      "--replies own-sl|base|same-sl", "--svg FILE", "--apm", "--pairs FILE"],
            "status": ["--version", "--socket PATH", "--check", "--json"],
            "drain": ["--version", "NAME", "--socket PATH", "--json", "--with-hosts"],
            "undrain": ["--version", "NAME", "--socket PATH", "--json", "--all"],
            "reroute": ["--version", "--socket PATH", "--json", "--engine ENGINE"],
            "transition": ["--version", "--fabric FABRIC", *engine, "--from FILE", "--to FILE",
                           "--fault LINK", "--guard on|off", "--lossless",
                           "--each links|switches", "--states", "--replies own-sl|base|same-sl", "--jobs J", "--json"],
            "engines": ["--version", "--json"],
        }
        for verb in VERBS:
            with self.subTest(verb=verb):
                text = self.ok(verb, "--help").stdout
                for option in expected[verb]:
                    self.assertRegex(text, rf"  {re.escape(option)}[ \n]")
                listed = set(re.findall(r"^  (--[a-z-]+)", text, re.M))
                self.assertEqual(listed, {o.split()[0] for o in expected[verb] if o[0] == "-"})
                self.assertIn(f"Usage: selvedge-route {verb}", text)
                if "--lmc N" in expected[verb]:
                    self.assertIn("2^N LIDs, N from 0 to 7", text)
                if "--max-vls N" in expected[verb]:
                    self.assertIn("1 to 15", text)
                if "--fabric FABRIC" in expected[verb]:
                    for form in ("torus:", "mesh:", "tree:", "clos:", "xgft:", "irregular:",
                                 "random-regular:", "hyperx:", "dragonfly:", "slimfly:", "file:"):
                        self.assertIn(form, text)

    def test_an_engine_states_its_facts(self):
        for run in (self.ok("compute", "--engine", "updn", "--help"),
                    self.ok("verify", "--help", "--engine=updn"), self.ok("engines")):
            for fact in ("theorem", "tolerated faults", "VLs", "SLs", "LMC", "memory",
                         "after a fault"):
                self.assertRegex(run.stdout, rf"(?m)^{fact} +\S")
        engines = self.json("engines")["engines"]
        self.assertEqual([e["engine"] for e in engines][:2], ["updn", "spf"])
        self.assertTrue(engines[0]["deadlock_free"])
        self.assertFalse(engines[1]["deadlock_free"])

    def test_the_man_page_knows_every_option(self):
        page = (ROOT / "docs/man/selvedge-route.1").read_text(encoding="utf-8").replace("\\-", "-")
        for verb in VERBS:
            self.assertIn(f"\n.SS {verb}", page)
            for option in re.findall(r"^  (--[a-z-]+)", self.ok(verb, "--help").stdout, re.M):
                self.assertIn(option, page)

    def complete(self, *words):
        script = ('source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; }; '
                  '_selvedge_route; printf "%s\\n" "${COMPREPLY[@]}"')
        run = subprocess.run(["bash", "-c", script, ROOT / "plugin/route/completion.bash",
                              "selvedge-route", *words], capture_output=True, text=True, check=True)
        return run.stdout.split()

    def test_completion_knows_every_verb_engine_and_option(self):
        self.assertEqual(self.complete("")[:-2], VERBS)
        self.assertEqual(self.complete("st"), ["status"])
        self.assertEqual(self.complete("compute", "--engine", ""),
                         [e["engine"] for e in self.json("engines")["engines"]])
        for verb in VERBS:
            listed = re.findall(r"^  (?:-h,)?(--[a-z-]+)", self.ok(verb, "--help").stdout, re.M)
            self.assertEqual(sorted(self.complete(verb, "--")), sorted(listed))


class Fabric(RouteTest):
    GOLDEN = """\
fabric          torus:4x4,hosts=2
switches        16
hosts           32
links           32 between switches
links a switch  4: 16 switches
hosts a switch  2: 16 switches
rates           4x SDR: 64 links
pieces          1: everything hangs together
regularity      torus 4x4
miscabled       nothing looks miscabled
"""

    def test_golden(self):
        self.assertEqual(self.ok("fabric", "--fabric", "torus:4x4,hosts=2").stdout, self.GOLDEN)

    def golden(self, name, spec, folder, *arguments):
        """Compares the output, printed with `folder` as working directory, with golden/fabric-NAME.txt.
        SELVEDGE_WRITE_GOLDEN rewrites that file."""
        text = self.ok("fabric", "--fabric", spec, *arguments, cwd=folder).stdout
        path = ROOT / "tests/system/golden" / f"fabric-{name}.txt"
        if os.environ.get("SELVEDGE_WRITE_GOLDEN"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        self.assertEqual(text, path.read_text())
        self.assertLess(len(text.splitlines()), 110, "two pages")

    # Two cables        One switch       Two pieces: a leaf switch is cut off
    #  a ═══ b             a               s0  s1
    #  │     │            ╱ ╲            ╱ │╲╱ │   ×
    #  h0    h1          h0  h1         l0  l1    l2
    TWO_CABLES = """
switchguid=0x10
Switch 4 "a"
[1] "h0"[1]
[2] "b"[2]
[3] "b"[3]

switchguid=0x20
Switch 4 "b"
[1] "h1"[1]
[2] "a"[2]
[3] "a"[3]

caguid=0x100
Ca 1 "h0"
[1] "a"[1]

caguid=0x110
Ca 1 "h1"
[1] "b"[1]
"""

    def test_golden_of_real_clusters_and_the_smallest(self):
        self.golden("real-40", "file:conf/fabrics/real-40-switches.net", ROOT)
        self.golden("real-8", "file:conf/fabrics/real-8-switches.net", ROOT)
        self.file("two.net", self.TWO_CABLES)
        self.golden("two-cables", "file:two.net", self.folder)
        self.golden("one-switch", "xgft:m=2,w=1", self.folder)
        self.golden("two-pieces", "clos:n=2,r=3,m=2", self.folder, "--fail", "S-0-2/S-1-0",
                    "--fail", "S-0-2/S-1-1")

    def test_form(self):
        found = self.json("fabric", "--fabric", f"file:{ROOT}/conf/fabrics/real-40-switches.net")
        form = found["form"]
        self.assertEqual(form["kind"], "tree")
        self.assertEqual(form["description"], found["regularity"]["description"])
        self.assertEqual(form["no_tree_because"], [])
        [tree] = form["trees"]
        self.assertEqual([level["count"] for level in tree["levels"]], [31, 9])
        self.assertEqual([stage["cables_usual"] for stage in tree["stages"]], [2])
        self.assertEqual(tree["missing_cables"],
                         sum(pair["usual"] - pair["cables"] for pair in tree["missing"]))
        self.assertIn({"lower": "leaf-18", "upper": "spine-02", "cables": 1, "usual": 2,
                       "lower_unused_ports": [48], "upper_unused_ports": [34]}, tree["missing"])
        self.assertEqual(len(tree["per_switch_nodes"]), 40)
        self.assertEqual(tree["per_switch_nodes"][0]["host"], "leaf-01:65")
        self.assertEqual(found["links"], 31 * 9 * 2 - tree["missing_cables"])
        joined = self.json("fabric", "--fabric", "clos:n=3,r=4,m=3")
        self.assertEqual(joined["form"]["trees"][0]["xgft"], {"m": [3, 4], "w": [1, 3],
                                                              "p": [1, 1]})

    def test_where_dmodk_sees_it_otherwise(self):
        """A path of three switches is both a mesh and a fat tree: the output says that dmodk routes it as
        a tree. `--roots` changes the result as it does for dmodk."""
        both = self.json("fabric", "--fabric", "xgft:m=1x1x1,w=1x1x1")
        self.assertEqual(both["form"]["kind"], "mesh")
        self.assertEqual(both["tree_routing"], "this is a fat tree too, and dmodk routes it as one")
        spec = f"file:{ROOT}/conf/fabrics/real-8-switches.net"
        self.assertIsNone(self.json("fabric", "--fabric", spec)["tree_routing"])
        spines = self.file("guids", "0x500000\n")  # a leaf switch as the only root
        told = self.json("fabric", "--fabric", spec, "--roots", spines)
        self.assertRegex(told["remarks"][-1], "the given roots reverse the direction of .* win$")
        self.refused("fabric", "--fabric", spec, "--roots", self.file("none", "0xbad\n"),
                     says="of no switch")

    def test_the_cable_that_decides_is_named(self):
        """Even if every switch has hosts (spines have aggregation nodes), a cable between two spines is
        named as the reason why the fabric is no tree."""
        net = self.folder / "joined.net"
        self.ok("fabric", "--fabric", "clos:n=4,r=6,m=3", "--write", net)
        text = net.read_text(encoding="utf-8")
        spines = re.findall(r'^Switch\s+\d+ "(S-1-\d)"', text, re.M)
        for at, to in ((0, 1), (1, 0)):
            text = re.sub(rf'^(Switch\s+)\d+( "{spines[at]}".*\n)',
                          rf'\g<1>8\2[8] "{spines[to]}"[8]\n', text, flags=re.M)
        net.write_text(text, encoding="utf-8")
        found = self.json("fabric", "--fabric", f"file:{net}")
        [why] = found["form"]["no_tree_because"]
        self.assertEqual(why["text"], "cable S-1-0:8 – S-1-1:8 joins two switches one level above the "
                         "leaf switches")
        self.assertIn(why["text"] + ": no fat tree has such a cable", found["miscabled"])

    def test_drawing(self):
        """The drawing shows every switch, every number of hosts and every missing cable."""
        for spec, missing in (("file:conf/fabrics/real-40-switches.net", 16),
                              ("file:conf/fabrics/real-8-switches.net", 1), ("torus:4x4", 0),
                              ("xgft:m=4x4x4,w=1x4x2", 0), ("mesh:1x1", 0), ("xgft:m=2x2,w=2x2", 0),
                              ("irregular:switches=12,degree=3,seed=2", 0)):
            with self.subTest(fabric=spec):
                svg = self.folder / "drawn.svg"
                found = json.loads(self.ok("fabric", "--fabric", spec, "--svg", svg, "--json",
                                           cwd=ROOT).stdout)
                self.assertEqual(found["drawn"], str(svg))
                text = svg.read_text()
                root = xml.etree.ElementTree.fromstring(text)
                self.assertTrue(root.tag.endswith("svg"))
                dashed = [path for path in root.iter("{http://www.w3.org/2000/svg}path")
                          if path.get("stroke-dasharray") and len(path)]
                self.assertEqual(len(dashed), missing)
                for level in (found["form"]["trees"] or [{"levels": []}])[0]["levels"]:
                    for name in level["switches"]:
                        self.assertIn(f">{name}</text>", text)

    def test_nodes_of_one_description(self):
        spec = f"file:{ROOT}/conf/fabrics/real-40-switches.net"
        options = ["--fabric", spec, "--engine", "updn", "--lmc", 0]
        found = self.json("paths", "leaf-01:65", "spine-09:65", *options)
        self.assertEqual((found["source"]["name"], found["source"]["switch"]),
                         ("leaf-01:65", "leaf-01"))
        self.assertEqual(found["destination"]["name"], "spine-09:65")
        same = self.json("paths", "leaf-01:1", "leaf-02:1", *options)
        self.assertEqual(same["source"]["name"], "node-001")
        error = self.refused("paths", "Mellanox Technologies Aggregation Node", "leaf-02:1",
                             *options, says="40 hosts have this name")
        self.assertIn("leaf-01:65", error)
        self.refused("paths", "leaf-01:40", "leaf-02:1", *options, says="no such host or switch")

    def test_json(self):
        found = self.json("fabric", "--fabric", "tree:k=2,n=3")
        self.assertEqual((found["switches"], found["hosts"], found["links"]), (12, 8, 16))
        self.assertEqual(found["degrees"], {"2": 8, "4": 4})
        self.assertEqual(found["hosts_per_switch"], {"0": 8, "2": 4})
        self.assertEqual((found["regularity"]["kind"], found["regularity"]["k"],
                          found["regularity"]["n"]), ("tree", 2, 3))
        self.assertEqual(found["miscabled"], [])
        self.assertEqual(len(found["pieces"]), 1)

    def test_pieces_of_a_broken_fabric(self):
        # mesh:1x4   S-0-0 --- S-0-1 -x- S-0-2 --- S-0-3
        found = self.json("fabric", "--fabric", "mesh:1x4", "--fail", "S-0-1/S-0-2")
        self.assertEqual(found["pieces"], [{"switches": 2, "names": []},
                                           {"switches": 2, "names": ["S-0-2", "S-0-3"]}])
        self.assertEqual(found["links"], 2)

    def test_write_then_read(self):
        net = self.folder / "a.net"
        first = self.json("fabric", "--fabric", "mesh:2x3", "--write", net)
        again = self.json("fabric", "--fabric", f"file:{net}", "--write", self.folder / "b.net")
        for key in ("switches", "hosts", "links", "degrees", "regularity"):
            self.assertEqual(first[key], again[key])
        self.assertEqual(net.read_bytes(), (self.folder / "b.net").read_bytes())
        self.assertEqual(stat.S_IMODE(net.stat().st_mode), 0o666 & ~_umask())


class Compute(RouteTest):
    GOLDEN = """\
engine              updn
switches            4
hosts               4
links               3 between switches
LIDs                8 (LMC 0)
VLs used            1
SLs used            1
path length         mean 1.667, max 3 links
shortest of a pair  mean 1.667 links
disjoint paths      1: 100.0 % of the pairs
unreachable pairs   0
channel load        mean 3.33, max 4.00 paths
  base LIDs only    max 4 pairs of hosts
proved              connected, loop free, deadlock free
computed in         N ms
remarks             root of the spanning tree: S-0-1
"""

    def test_auto_says_what_it_chose(self):
        fabric = ["compute", "--fabric", "clos:n=2,r=3,m=2", "--engine", "auto"]
        found = self.json(*fabric)
        self.assertEqual((found["engine"], found["chosen"], found["reason"]),
                         ("auto", "dmodk", "the fabric is a fat tree"))
        for option, reason in ((["--root", "S-0-0"], "the root of a spanning tree is given"),
                               (["--tree", "bfs"], "a spanning tree is requested")):
            found = self.json(*fabric, *option)
            self.assertEqual((found["chosen"], found["reason"]), ("updn", reason))

    def test_lfts_are_for_tables_of_one_vl(self):
        """system/lfts_file has OpenSM read them."""
        path, tables = self.folder / "t.lfts", self.folder / "t.json"
        torus = ("compute", "--fabric", "torus:5x5", "--engine", "balanced")
        self.refused(*torus, "--lfts", path, "--tables", tables, says="need 2 VLs with 4 SLs")
        self.assertFalse(path.exists() or tables.exists())
        self.assertIn(f"LFTs in             {path}", self.ok(*torus, "--max-vls", 1, "--lfts", path, "--tables", tables).stdout)
        # What was written is read as dump_fts' output is; the SLs of tables do not matter on one VL.
        rows = self.json("compare", "--fabric", "torus:5x5", "--tables", path, "--tables", tables)["rows"]
        self.assertEqual([row["deadlock_free"] for row in rows], [True, True])
        self.assertEqual(rows[0]["base_channel_load_max"], rows[1]["base_channel_load_max"])
        self.refused(*torus, "--max-vls", 1, "--lfts", "/nonexistent/t", says="/nonexistent/t")

    def test_a_deadline_leaves_the_tables_of_updn(self):
        late = ("compute", "--fabric", "irregular:switches=120,degree=6", "--engine", "tftr", "--lmc", 4,
                "--deadline-ms", 1)
        self.assertRegex(self.ok(*late).stdout, r"tftr was not ready after 1 ms \(\d+ of 120 switches\): "
                                                r"these are the tables of updn")
        document = self.json(*late)
        self.assertEqual(document["chosen"], "updn")
        self.assertRegex(document["reason"], "^tftr was not ready after 1 ms")
        self.assertNotIn("chosen", self.json("compute", "--fabric", "torus:3x3", "--engine", "tftr",
                                             "--deadline-ms", 3_600_000))
        # updn is what is left when others are late: it has no deadline.
        self.assertNotIn("chosen", self.json("compute", "--fabric", "torus:20x20", "--engine", "updn",
                                             "--deadline-ms", 1))

    def test_golden(self):
        # H-0-0       H-0-1       H-0-2       H-0-3      12 pairs: 6 of length 1, 4 of 2, 2 of 3;
        #   |           |           |           |        the outer channels carry 3 paths each way,
        # S-0-0 ----- S-0-1 ----- S-0-2 ----- S-0-3      the middle ones 4
        run = self.ok("compute", "--fabric", "mesh:1x4", "--engine", "updn")
        self.assertEqual(re.sub(r"\d+\.\d+ ms", "N ms", run.stdout), self.GOLDEN)
        self.assertEqual(run.stderr, "")

    def test_an_engine_gets_the_lmc_that_it_wants(self):
        def lmc(*options, engine="tftr"):
            return self.json("compute", "--engine", engine, *options)["lmc"]
        self.assertEqual(lmc("--fabric", "torus:4x4"), 4)
        self.assertEqual(lmc("--fabric", "torus:4x4", "--lmc", 1), 1)
        self.assertEqual(lmc("--fabric", "torus:4x4", engine="updn"), 0)
        # LIDs of a file's own stay, and so do those of a fabric that loses something.
        data = ROOT / "tests/unit/fabric/data"
        self.assertEqual(lmc("--fabric", f"file:{data}/torus-3x3-lmc2.ibnetdiscover"), 2)
        self.assertEqual(lmc("--fabric", "torus:4x4", "--fail", "S-1-1", "--fail", "S-0-0:2"), 4)
        verdict = self.json("verify", "--fabric", "torus:4x4", "--engine", "tftr", "--disjoint", 4)
        self.assertEqual(verdict["disjoint_min"], 4)
        self.refused("compute", "--fabric", "torus:15x15x15", "--engine", "tftr",
                     says="lower the LMC")
        paths = self.json("paths", "H-0-0", "H-2-3", "--fabric", "torus:4x4", "--engine", "tftr")
        self.assertEqual((paths["disjoint"], len(paths["paths"])), (4, 16))
        self.assertEqual([p["disjoint"] for p in paths["paths"]], [True] * 4 + [False] * 12)

    def test_json_has_exactly_the_documented_keys(self):
        figures = self.json("compute", "--fabric", "torus:4x4", "--engine", "updn", "--lmc", 1)
        self.assertEqual(list(figures), COMPUTE_KEYS)
        self.assertEqual((figures["switches"], figures["hosts"], figures["links"]), (16, 16, 32))
        self.assertEqual((figures["lmc"], figures["lids"]), (1, 16 + 32))
        self.assertEqual((figures["vls_used"], figures["sls_used"]), (1, 1))
        self.assertEqual(figures["unreachable_pairs"], 0)
        self.assertAlmostEqual(sum(figures["disjoint"].values()), 1)
        self.assertGreaterEqual(figures["shortest_length_mean"], 32 / 15)  # of shortest paths
        self.assertGreater(figures["compute_ms"], 0)

    def test_bandwidth_where_it_is_asked_for(self):
        # H-0-0 and H-0-1 on one switch each: whoever sends crosses the cable alone.
        pair = ["compute", "--fabric", "mesh:1x2", "--engine", "updn"]
        figures = self.json(*pair, "--permutations", 3)
        self.assertEqual(list(figures), [*COMPUTE_KEYS[:-1], "ebb", COMPUTE_KEYS[-1]])
        self.assertEqual((figures["ebb"], figures["base_channel_load_max"]), (1, 1))
        run = self.ok(*pair, "--permutations", 3, "--seed", 5)
        self.assertIn("note: seed 5 of the permutations\n", run.stderr)
        self.assertRegex(run.stdout, r"(?m)^bandwidth +EBB 1\.0000 over 3 permutations, seed 5$")
        self.refused(*pair, "--seed", 5, says="--permutations")

    def test_base_load_does_not_grow_with_the_lmc(self):
        for lmc in range(3):
            figures = self.json("compute", "--fabric", "clos:n=6,r=12,m=6", "--engine", "dmodk",
                                "--lmc", lmc)
            self.assertEqual(figures["base_channel_load_max"], 66)

    def test_shortest_paths_are_shortest(self):
        figures = self.json("compute", "--fabric", "torus:4x4", "--engine", "spf")
        self.assertAlmostEqual(figures["path_length_mean"], 32 / 15)
        self.assertEqual(figures["path_length_max"], 4)

    def test_what_does_not_hold_is_a_warning(self):
        run = self.ok("compute", "--fabric", "torus:8x8", "--engine", "spf", "--json")
        json.loads(run.stdout)
        self.assertIn("warning: ", run.stderr)
        self.assertIn("NOT deadlock free", run.stderr)
        self.assertIn("->", run.stderr)

    def test_fabric_in_pieces_is_routed_and_counted(self):
        figures = self.json("compute", "--fabric", "mesh:1x4", "--engine", "updn",
                            "--fail", "S-0-1/S-0-2")
        self.assertEqual(figures["unreachable_pairs"], 8)
        self.assertEqual((figures["switches"], figures["links"]), (4, 2))
        figures = self.json("compute", "--fabric", "mesh:1x3", "--engine", "updn",
                            "--fail", "S-0-1", "--fail", "S-0-2")
        self.assertEqual((figures["switches"], figures["hosts"], figures["links"]), (1, 1, 0))
        for key in ("path_length_mean", "channel_load_max", "channel_load_mean"):
            self.assertEqual(figures[key], 0)

    def test_same_input_same_bytes(self):
        for engine in ("updn", "spf"):
            outputs = []
            for name in ("a.json", "b.json"):
                run = self.ok("compute", "--fabric", "irregular:switches=20,degree=4,seed=3",
                              "--engine", engine, "--lmc", 2, "--tables", self.folder / name,
                              "--json")
                outputs.append(re.sub(r'"compute_ms": \S+', "", run.stdout))
            self.assertEqual(outputs[0], outputs[1])
            self.assertEqual((self.folder / "a.json").read_bytes(),
                             (self.folder / "b.json").read_bytes())

    def test_tables_file_leads_everywhere(self):
        """Walks the file on its own: every host's LIDs from every switch."""
        path = self.folder / "t.json"
        self.ok("compute", "--fabric", "torus:3x4", "--engine", "updn", "--lmc", 1,
                "--fail", "S-0-0:2", "--tables", path)
        tables = json.loads(path.read_text(encoding="utf-8"))
        self.assertEqual(tables["format"], "selvedge-tables-1")
        fabric = tables["fabric"]
        self.assertEqual(len(fabric["links"]), 23)
        far = {}
        for a, ap, b, bp in fabric["links"]:
            far[a, ap], far[b, bp] = b, a
        for host in fabric["hosts"]:
            for lid in range(host["lid"], host["lid"] + 2 ** host["lmc"]):
                for source in fabric["switches"]:
                    at, hops = source["id"], 0
                    while at != host["switch"]:
                        at, hops = far[at, tables["lft"][at][lid]], hops + 1
                        self.assertLess(hops, 12)
                    self.assertEqual(tables["lft"][at][lid], host["port"])

    def test_broadcast_tree_is_in_the_tables(self):
        path = self.folder / "t.json"
        self.ok("compute", "--fabric", "mesh:2x2", "--engine", "updn", "--tables", path)
        tables = json.loads(path.read_text(encoding="utf-8"))
        trees = [switch["49152"] for switch in tables["mft"]]
        self.assertEqual(len(trees), 4)
        ends = {(a, ap): (b, bp) for a, ap, b, bp in tables["fabric"]["links"]}
        ends |= {b: a for a, b in ends.items()}
        inner = [(s, p) for s, ports in enumerate(trees) for p in ports if (s, p) in ends]
        self.assertEqual(len(inner), 2 * 3)  # a tree over four switches, both ends of each link
        for end in inner:
            self.assertIn(ends[end], inner)
        for host in tables["fabric"]["hosts"]:
            self.assertIn(host["port"], trees[host["switch"]])

    def test_root_and_tree(self):
        for tree in ("bfs", "dfs"):
            self.ok("compute", "--fabric", "torus:4x4", "--engine", "updn", "--tree", tree,
                    "--root", "S-2-3")
        self.refused("compute", "--fabric", "torus:4x4", "--engine", "updn", "--root", "S-9-9",
                     says="S-9-9")
        self.refused("compute", "--fabric", "torus:4x4", "--engine", "updn", "--root", "S-1-1",
                     "--fail", "S-1-1", says="failed")


class Compare(RouteTest):
    KEYS = ["engine", "tables", "refused", "lmc", "base_channel_load_max", "base_vl_load_max", "base_channel_load_mean", "channel_load_max",
            "channel_load_mean", "ebb", "spread_ebb", "path_length_mean", "path_length_max", "shortest_length_mean",
            "disjoint", "unreachable_pairs", "vls_used", "sls_used", "connected", "loop_free", "deadlock_free",
            "replies", "tolerated_faults", "compute_ms", "prove_ms", "remarks"]

    def rows(self, *arguments):
        return self.json("compare", *arguments)["rows"]

    def test_filled_vls(self):
        torus = ["--fabric", "torus:4x4,hosts=2", "--lmc", 0, "--permutations", 5]
        plain, = self.rows(*torus, "--engines", "updn")
        filled, = self.rows(*torus, "--engines", "updn", "--fill-vls", "--max-vls", 4)
        self.assertEqual((plain["vls_used"], filled["vls_used"], filled["sls_used"]), (1, 4, 4))
        self.assertEqual(filled["ebb"], plain["ebb"])
        self.assertEqual(filled["base_channel_load_max"], plain["base_channel_load_max"])
        self.assertLess(filled["base_vl_load_max"], plain["base_vl_load_max"])
        self.assertTrue(filled["deadlock_free"])
        self.assertIn("the paths are dealt to 4 copies of the VLs they need", filled["remarks"])
        # Where there is no room, that is said.
        none, = self.rows(*torus, "--engines", "updn", "--fill-vls", "--max-vls", 1)
        self.assertEqual(none["vls_used"], 1)
        self.assertIn("the VLs are not filled: paths on a copy of them would not fit", none["remarks"])

    def test_figures_are_those_of_compute_and_verify(self):
        clos = ["--fabric", "clos:n=6,r=12,m=6"]
        rows = self.rows(*clos, "--engines", "updn,dmodk", "--lmc", 1, "--permutations", 20)
        self.assertEqual([row["engine"] for row in rows], ["updn", "dmodk"])
        for row in rows:
            self.assertEqual(list(row), self.KEYS)
            alone = self.json("compute", *clos, "--engine", row["engine"], "--lmc", 1,
                              "--permutations", 20)
            for key in ("lmc", "base_channel_load_max", "channel_load_max", "channel_load_mean", "ebb", "vls_used",
                        "sls_used", "path_length_mean", "path_length_max", "shortest_length_mean", "disjoint",
                        "unreachable_pairs"):
                self.assertEqual(row[key], alone[key], key)
            self.assertTrue(row["connected"] and row["loop_free"] and row["deadlock_free"])
            self.assertGreaterEqual(row["base_channel_load_max"], 66)  # 6 x 66 pairs over 6 cables
            self.assertEqual(row["base_vl_load_max"], row["base_channel_load_max"])  # on one VL
            self.assertTrue(0 < row["ebb"] < 1)
            # Hosts of one leaf switch do not meet on its cables with two paths each: both LIDs carry more than one.
            self.assertGreater(row["spread_ebb"], row["ebb"])
            # 12 x 11 pairs of leaf switches, 36 pairs of hosts each, two cables long, over 144 channels.
            self.assertAlmostEqual(row["base_channel_load_mean"], 12 * 11 * 36 * 2 / 144)
            self.assertEqual(row["replies"], "same-sl")
            for of in ("links", "switches"):
                counted = row["tolerated_faults"][of]
                tried = self.json("faults", *clos, "--engine", row["engine"], "--lmc", 1, "--faults", 1, "--all", "--of", of,
                                  status=int(counted["singular"] > 0))
                self.assertEqual(counted, {key: tried[key] for key in ("evaluated", "tolerated", "singular", "disconnected")})
            self.assertGreater(row["tolerated_faults"]["links"]["tolerated"], 0)
        one = self.rows(*clos, "--engines", "updn", "--lmc", 0, "--permutations", 20)[0]
        self.assertEqual(one["spread_ebb"], one["ebb"])

    def test_vls_share_the_busiest_channel(self):
        """Paths change VL on the way: no VL has all pairs of the busiest channel."""
        fabric = ("--fabric", "irregular:switches=40,degree=5,hosts=2,seed=1", "--engines", "balanced", "--lmc", 0,
                  "--permutations", 1)
        row = self.rows(*fabric)[0]
        self.assertGreater(row["vls_used"], 1)
        self.assertLess(row["base_vl_load_max"], row["base_channel_load_max"])
        self.assertGreaterEqual(row["base_vl_load_max"] * row["vls_used"], row["base_channel_load_max"])
        text = self.ok("compare", *fabric).stdout
        self.assertRegex(text, rf"(?m)^balanced +0 +{row['base_channel_load_max']} +{row['base_vl_load_max']} ")

    def test_a_page_shows_every_row(self):
        page = self.folder / "page.html"
        run = self.ok("compare", "--fabric", "clos:n=6,r=12,m=6", "--engines", "balanced,dmodk,ist", "--html", page)
        self.assertIn("refused: ist needs a torus", run.stdout)
        text = page.read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"<h2>(.*?)</h2>", text), ["balanced", "dmodk"])
        self.assertIn("refused: ist needs a torus", text)
        self.assertNotIn("http://", text.replace("http://www.w3.org/2000/svg", ""))  # it needs no other file
        self.refused("compare", "--fabric", "clos:n=6,r=12,m=6", "--engines", "dmodk", "--html", "/nonexistent/page",
                     says="/nonexistent/page")

    def test_single_faults(self):
        """Where paths are disjoint every cable may fail; tables that may deadlock tolerate nothing."""
        asked = ["compare", "--fabric", "torus:4x4", "--engines", "tftr,updn,spf", "--permutations", 1]
        tried = [row["tolerated_faults"]["links"] for row in self.json(*asked)["rows"]]
        self.assertEqual(tried[0], {"evaluated": 32, "tolerated": 32, "singular": 0, "disconnected": 0})
        self.assertEqual(tried[1]["evaluated"], 32)
        self.assertLess(tried[1]["tolerated"], 32)
        self.assertIsNone(tried[2])
        head, *lines = self.ok(*asked).stdout.splitlines()
        end = head.index("cable faults") + len("cable faults")  # columns end below the ends of their heads
        for line, wanted in zip(lines, ("all", f"{tried[1]['tolerated'] / .32:.1f} %", "-")):
            self.assertTrue(line[:end].endswith(wanted), (wanted, line))

    def test_a_refusal_is_a_row(self):
        rows = self.rows("--fabric", "tree:k=2,n=2", "--engines", "ist,updn")
        self.assertIn("torus", rows[0]["refused"])
        self.assertEqual(list(rows[0]), self.KEYS[:3])
        self.assertIsNone(rows[1]["refused"])
        # So is an LMC that only this engine wants, and that does not fit.
        rows = self.rows("--fabric", "torus:15x15x15", "--engines", "tftr", "--permutations", 1)
        self.assertIn("LMC", rows[0]["refused"])
        run = self.ok("compare", "--fabric", "tree:k=2,n=2", "--engines", "ist,updn")
        self.assertRegex(run.stdout, r"(?m)^ist +refused: ist needs a torus")
        self.assertRegex(run.stdout, r"(?m)^updn +0 +\d+ ")
        self.assertEqual(run.stderr, "note: seed 1 of the permutations\n")

    def test_tables_files_of_both_forms(self):
        # mesh:1x3: S-0-0, S-0-1 and S-0-2 in a row have LIDs 1 to 3, their hosts 4 to 6. The dump
        # is what dump_fts would print of updn's tables.
        mesh, path = ["--fabric", "mesh:1x3"], self.folder / "t.json"
        self.ok("compute", *mesh, "--engine", "updn", "--tables", path)
        document = json.loads(path.read_text())
        lines = []
        for node, lft in zip(document["fabric"]["switches"], document["lft"]):
            entries = [(lid, port) for lid, port in enumerate(lft) if port != 255]
            lines += [f"Unicast lids [0x0-0x{len(lft) - 1:x}] of switch DR path slid 0; dlid 0; 0 "
                      f"guid 0x{int(str(node['guid']), 0):016x} ({node['name']}):",
                      "  Lid  Out   Destination", "       Port     Info"]
            lines += [f"0x{lid:04x} {port:03d} : (whatever)" for lid, port in entries]
            lines += [f"{len(entries)} valid lids dumped"]
        dump = self.file("mesh.fts", "\n".join(lines) + "\n")
        rows = self.rows(*mesh, "--engines", "updn", "--tables", path, "--tables", dump)
        self.assertEqual([(r["engine"], r["tables"]) for r in rows],
                         [("updn", None), (None, str(path)), (None, str(dump))])
        for row in rows:
            self.assertEqual((row["base_channel_load_max"], row["deadlock_free"]), (2, True))
            self.assertEqual(row["ebb"], rows[0]["ebb"])
        self.assertEqual([r["compute_ms"] is None for r in rows], [False, True, True])

    def test_faults(self):
        ring = ["--fabric", "torus:4x4", "--fail", "S-0-0/S-0-1"]
        path = self.folder / "t.json"
        self.ok("compute", "--fabric", "torus:4x4", "--engine", "updn", "--tables", path)
        rows = self.rows(*ring, "--engines", "updn", "--tables", path)
        self.assertEqual([row["connected"] for row in rows], [True, False])  # the file's stay
        self.refused("compare", "--fabric", "torus:4x4", "--engines", "updn", "--fail", "S-9-9")

    def test_seeds(self):
        arguments = ["--fabric", "torus:4x4,hosts=2", "--engines", "updn", "--permutations", 5]
        def ebb(*seed):
            return self.rows(*arguments, *seed)[0]["ebb"]
        self.assertEqual(ebb(), ebb("--seed", 1))
        self.assertNotEqual(ebb(), ebb("--seed", 2))
        run = self.ok("compare", "--fabric", "irregular:switches=4,degree=2,hosts=4,seed=7",
                      "--engines", "updn", "--seed", 3)
        self.assertEqual(run.stderr, "note: seed 7\nnote: seed 3 of the permutations\n")

    def test_hints_are_for_the_engines(self):
        spec = f"file:{ROOT}/conf/fabrics/real-8-switches.net"
        root = self.folder / "root"
        root.write_text("0x500000\n", encoding="utf-8")
        [plain] = self.rows("--fabric", spec, "--engines", "updn", "--permutations", 1)
        [told] = self.rows("--fabric", spec, "--engines", "updn", "--permutations", 1, "--roots", root)
        self.assertGreater(told["base_channel_load_max"], plain["base_channel_load_max"])
        self.refused("compare", "--fabric", spec, "--tables", "t.json", "--roots", root, says="--roots")

    def test_what_is_refused(self):
        torus = ["compare", "--fabric", "torus:4x4"]
        for arguments, says in ((["compare", "--engines", "updn"], "--fabric"),
                                (torus, "--engines, --tables"),
                                ([*torus, "--engines", "updn,updm"], "updn, spf"),
                                ([*torus, "--engines", "updn,"], "no such engine"),
                                ([*torus, "--engines", "updn", "--permutations", 0], "1 to"),
                                ([*torus, "--engines", "updn", "--seed", -1], "2^64"),
                                ([*torus, "--tables", "/nonexistent"], "/nonexistent"),
                                ([*torus, "--engines", "updn", "--lmc", 8], "0 to 7"),
                                ([*torus, "--tables", "t.json", "--lmc", 1], "--lmc"),
                                (["compare", "--fabric", "torus:1", "--engines", "updn"], "torus")):
            with self.subTest(arguments=arguments):
                self.refused(*arguments, says=says)


class Verify(RouteTest):
    def setUp(self):
        super().setUp()
        self.tables = self.folder / "t.json"
        self.ok("compute", "--fabric", "torus:4x4", "--engine", "updn", "--lmc", 1,
                "--tables", self.tables)

    def broken(self, change):
        tables = json.loads(self.tables.read_text(encoding="utf-8"))
        change(tables)
        return self.file("broken.json", json.dumps(tables))

    def test_engine(self):
        verdict = self.json("verify", "--fabric", "torus:4x4", "--engine", "updn")
        self.assertEqual(list(verdict)[:7], VERIFY_KEYS)
        self.assertEqual([verdict[k] for k in VERIFY_KEYS],
                         [True, True, True, True, None, None, None])
        self.assertEqual(verdict["pairs"], 16 * 15)

    def test_what_is_asked_for_is_answered(self):
        verdict = self.json("verify", "--fabric", "torus:4x4", "--engine", "updn", "--replies",
                            "same-sl", "--any-sl", "--disjoint", 1)
        self.assertIs(verdict["deadlock_free_replies"], True)
        self.assertIs(verdict["deadlock_free_any_sl"], True)
        self.assertGreaterEqual(verdict["disjoint_min"], 1)
        verdict = self.json("verify", "--fabric", "torus:4x4", "--engine", "updn",
                            "--disjoint", 2, status=1)
        self.assertEqual(verdict["disjoint_min"], 1)  # with one LID there is one path
        self.assertIn("text", verdict["witness"])

    def test_grades_of_responses(self):
        fabric = ["--fabric", "torus:4x4"]
        grades = ["own-sl", "base", "same-sl"]
        for engine, asked, held in (("updn", "own-sl", "same-sl"), ("tftr", "own-sl", "own-sl"),
                                    ("tftr", "base", "base"), ("tftr", "same-sl", "same-sl")):
            tables = self.folder / "graded.json"
            computed = self.json("compute", *fabric, "--engine", engine, "--replies", asked,
                                 "--tables", tables)
            self.assertEqual(computed["replies"], held)
            verdict = self.json("verify", *fabric, "--engine", engine, "--replies", asked)
            self.assertEqual((verdict["holds"], verdict["replies"]), (True, held))
            for required in grades:
                holds = grades.index(required) <= grades.index(held)
                run = self.ok("verify", "--tables", tables, "--replies", required,
                              status=0 if holds else 1)
                self.assertRegex(run.stdout, r"  responses +" + held)
            # The first grade that does not hold has a cycle.
            self.assertEqual(re.search(r"witness +deadlock_free_base: S-", run.stdout) is not None,
                             held == "own-sl")
            self.assertEqual(re.search(r"witness +deadlock_free_replies: S-", run.stdout) is not None,
                             held == "base")
        # What the base LIDs need: a VL and an SL beside those of the trees, and a LID.
        for k, lmc in (("6x6", 3), ("5x5", 3)):
            own = self.json("verify", "--fabric", "torus:" + k, "--engine", "ist", "--lmc", lmc)
            base = self.json("verify", "--fabric", "torus:" + k, "--engine", "ist", "--lmc", lmc,
                             "--replies", "base", "--disjoint", 4)
            self.assertEqual((base["vls_used"], base["sls_used"], base["disjoint_min"]),
                             (own["vls_used"] + 1, own["sls_used"] + 1, 4))
        self.refused("verify", "--fabric", "torus:6x6", "--engine", "ist", "--lmc", 2, "--replies",
                     "base", says="a path of their own")
        self.refused("verify", "--fabric", "torus:6x6", "--engine", "ist", "--lmc", 3, "--replies",
                     "base", "--max-vls", 3, says="VL")
        self.refused("verify", "--fabric", "torus:4x4", "--engine", "updn", "--replies", "all",
                     says="own-sl, base or same-sl")
        repaired = self.json("repair", "--fabric", "torus:4x4", "--engine", "updn", "--fail",
                             "S-0-0:1", "--replies", "same-sl")
        self.assertEqual(repaired["replies"], "same-sl")

    def test_the_table_of_grades_in_the_documents(self):
        """docs/engines.md has what tools/bench/grades.py prints; here for the two smallest tori."""
        run = subprocess.run([sys.executable, ROOT / "tools" / "bench" / "grades.py", "4", "6"], check=True,
                             capture_output=True, text=True, timeout=300,
                             env={**os.environ, "SELVEDGE_BUILD_DIR": str(PROGRAM.parent.parent)})
        printed = [[cell.strip() for cell in line.split("|")[1:-1]] for line in run.stdout.splitlines()]
        text = (ROOT / "docs" / "engines.md").read_text(encoding="utf-8")
        table = text[text.index("| engine, LMC | grade | 4×4 | 6×6 |"):]
        documented = [[cell.strip() for cell in line.split("|")[1:5]] for line in table[:table.index("\n\n")].splitlines()]
        self.assertEqual(documented[0], printed[0])
        self.assertEqual(documented[2:], printed[2:])

    def test_grades_of_responses_of_many_tables(self):
        grid = ("--fabric", "torus:4x4")
        rows = self.json("compare", *grid, "--engines", "updn,tftr,dmodk", "--replies", "base")["rows"]
        self.assertEqual([row.get("replies") for row in rows], ["same-sl", "base", None])
        self.assertRegex(self.ok("compare", *grid, "--engines", "updn").stdout, r"(?m)^updn .* same-sl ")
        for engine, asked, repair, status in (("updn", "same-sl", True, 0), ("tftr", "base", False, 0),
                                              ("tftr", "same-sl", False, 0), ("ist", "own-sl", True, 0),
                                              ("spftr", "base", True, 0)):
            with self.subTest(engine=engine, asked=asked):
                found = self.json("faults", *grid, "--engine", engine, "--faults", 1, "--all", "--replies", asked,
                                  *(["--repair", "rftr"] if repair else []), status=status)
                self.assertEqual(found["replies"], {"grade": asked, "tolerated": found["tolerated"]})
                self.assertEqual(found["singular"] > 0, status == 1)
        # Repairs of several faults lose the grade of some.
        lost = self.json("faults", *grid, "--engine", "tftr", "--lmc", 3, "--faults", 3, "--sample", 40, "--repair",
                         "rftr", "--replies", "base", status=1)
        self.assertLess(lost["replies"]["tolerated"], lost["tolerated"])
        kept = self.json("transition", "--each", "links", *grid, "--engine", "updn", "--replies", "same-sl")
        self.assertEqual(kept["replies"], {"grade": "same-sl", "faults": kept["faults"]})

    def test_a_cycle_is_a_witness(self):
        run = self.ok("verify", "--fabric", "torus:8x8", "--engine", "spf", status=1)
        self.assertRegex(run.stdout, r"deadlock free +NO")
        cycle = re.search(r"witness +deadlock_free: .*?(S-\S+ VL\d.*)", run.stdout)[1].split(" -> ")
        self.assertGreater(len(cycle), 2)
        self.assertEqual(cycle[0].split()[:2], cycle[-1].split()[:2])
        verdict = self.json("verify", "--fabric", "torus:8x8", "--engine", "spf", status=1)
        self.assertEqual(verdict["witness"]["property"], "deadlock_free")
        self.assertIs(verdict["connected"], True)

    def test_tables_file_with_and_without_the_fabric(self):
        for extra in ([], ["--fabric", "torus:4x4"]):
            verdict = self.json("verify", "--tables", self.tables, *extra, "--replies",
                                "same-sl")
            self.assertEqual([verdict[k] for k in VERIFY_KEYS[:4]], [True] * 4)

    def test_a_missing_entry_is_found(self):
        def drop(tables):
            host = tables["fabric"]["hosts"][5]
            tables["lft"][0][host["lid"] + 1] = 255
        verdict = self.json("verify", "--tables", self.broken(drop), status=1)
        self.assertIs(verdict["connected"], False)
        self.assertGreaterEqual(verdict["failed_pairs"], 1)
        self.assertIn("S-0-0", verdict["witness"]["text"])

    def test_a_loop_is_found(self):
        def turn_back(tables):
            lid = tables["fabric"]["hosts"][10]["lid"]
            # S-0-0 sends to S-0-1 by port 4, and S-0-1 back by its port 3.
            tables["lft"][0][lid] = 4
            tables["lft"][1][lid] = 3
        verdict = self.json("verify", "--tables", self.broken(turn_back), status=1)
        self.assertEqual((verdict["loop_free"], verdict["connected"]), (False, False))

    def test_faults_with_fixed_tables(self):
        """One LID of two suffices then, and the verdict is on the tables as they were."""
        one = self.json("verify", "--fabric", "mesh:1x3", "--engine", "updn",
                        "--fail", "S-0-1/S-0-2")
        self.assertEqual((one["connected"], one["disconnected"]), (True, 4))
        line = self.folder / "line.json"
        self.ok("compute", "--fabric", "torus:3", "--engine", "updn", "--tables", line)
        # A ring of three, up*/down*: the tables use two of the three links for sure; without
        # recomputing, the pair that used the lost one has no path left though it could have.
        verdicts = [self.json("verify", "--fabric", "torus:3", "--tables", line, "--fail", link,
                              status=status)
                    for link, status in (("S-0/S-1", 1), ("S-1/S-2", 1), ("S-0/S-2", 1))]
        for verdict in verdicts:
            self.assertIs(verdict["connected"], False)
            self.assertEqual(verdict["disconnected"], 0)
        again = self.json("verify", "--fabric", "torus:3", "--engine", "updn",
                          "--fail", "S-0/S-1")
        self.assertIs(again["connected"], True)

    def test_contradictions(self):
        self.refused("verify", "--tables", self.tables, "--engine", "updn", "--fabric",
                     "torus:4x4", says="both")
        self.refused("verify", "--fabric", "torus:4x4", says="--tables")
        self.refused("verify", "--engine", "updn", says="--fabric")
        self.refused("verify", "--tables", self.tables, "--lmc", 2, says="--lmc")
        self.refused("verify", "--tables", self.tables, "--fabric", "torus:5x5")

    def test_the_issue_s_own_example(self):
        self.ok("verify", "--fabric", "irregular:switches=37,degree=5,hosts=2,seed=991",
                "--engine", "updn")


class Paths(RouteTest):
    GOLDEN = """\
from H-0-0 (LID 5, at S-0-0:5) to H-0-3 (LID 8, at S-0-3:5)
1 path is disjoint (marked *)

    LID  offset  back  SL  links  VLs  path
*     8       0     0   0      3  0    S-0-0:4 S-0-1:4 S-0-2:4 S-0-3
"""

    def test_golden(self):
        options = ["--fabric", "mesh:1x4", "--engine", "updn"]
        self.assertEqual(self.ok("paths", "H-0-0", "H-0-3", *options).stdout, self.GOLDEN)
        self.assertEqual(self.ok("paths", *options, "--", "H-0-0", "H-0-3").stdout, self.GOLDEN)

    def test_the_grade_of_responses(self):
        """--replies makes tables of the grade, and the exit status is 1 where those at hand do not have it."""
        pair = ["H-0-0", "H-2-3", "--fabric", "torus:4x4"]
        tables = self.folder / "own.json"
        self.ok("compute", "--fabric", "torus:4x4", "--engine", "spftr", "--tables", tables)
        plain = self.json("paths", *pair, "--engine", "spftr")
        self.assertNotIn("replies", plain)
        based = self.json("paths", *pair, "--engine", "spftr", "--replies", "base")
        self.assertEqual(based["replies"], "base")
        sls = [{p["offset"]: p["sl"] for p in found["paths"]} for found in (plain, based)]
        self.assertNotEqual(sls[0][0], sls[1][0])  # base LIDs have an SL of their own
        for extra in ([], ["--apm"]):
            with self.subTest(extra=extra):
                self.assertEqual(self.json("paths", *pair, "--tables", tables, "--replies", "own-sl", *extra)["replies"],
                                 "own-sl")
                run = self.ok("paths", *pair, "--tables", tables, "--replies", "base", *extra, status=1)
                self.assertIn("responses on the request's SL are own-sl, not base as --replies asks", run.stderr)
        self.assertEqual(self.json("paths", *pair, "--engine", "spftr", "--replies", "same-sl")["replies"], "same-sl")
        self.refused("paths", *pair, "--engine", "spftr", "--replies", "same-sl", "--max-sls", 4,
                     says="both directions of every pair on one SL take")
        self.refused("paths", *pair, "--engine", "spftr", "--replies", "all", says="own-sl, base or same-sl")

    def test_back_is_the_reversed_path(self):
        tables = ["--fabric", "torus:4x4", "--engine", "ist", "--lmc", 3]
        found = []
        for host in ("H-0-1", "H-1-1", "H-2-3"):
            there = self.json("paths", "H-0-0", host, *tables)["paths"]
            home = self.json("paths", host, "H-0-0", *tables)["paths"]
            for path in there:  # between two switches of this torus there is one cable
                offsets = [h["offset"] for h in home if h["switches"] == path["switches"][::-1]]
                same = path["offset"] if path["offset"] in offsets else None
                self.assertEqual(path["back"], same if same is not None else min(offsets, default=None))
                found.append((path["offset"], path["back"]))
        self.assertTrue(any(back is None for _, back in found))
        self.assertTrue(any(back == offset for offset, back in found))
        self.assertTrue(any(back not in (None, offset) for offset, back in found))

    APM = """\
from H-0-0 to H-0-3
NO alternate: no two paths of these LIDs without a common cable have proved responses on their SL
at H-0-0
  primary   dlid=8 src_path_bits=0 sl=0 static_rate=3 port_num=1 timeout=19
at H-0-3
  primary   dlid=5 src_path_bits=0 sl=0 static_rate=3 port_num=1 timeout=19
# primary: S-0-0:4 S-0-1:4 S-0-2:4 S-0-3
#   back: the same cables
"""

    def test_no_alternate_is_one_line_and_status_1(self):
        options = ["--fabric", "mesh:1x4", "--engine", "updn", "--apm"]
        self.assertEqual(self.ok("paths", "H-0-0", "H-0-3", *options, status=1).stdout, self.APM)
        found = self.ok("paths", "H-0-0", "H-0-3", *options, "--json", status=1).stdout
        pair, = json.loads(found)["pairs"]
        self.assertIsNone(pair["alternate"])
        self.assertIn("without a common cable", pair["reason"])

    def test_apm_paths_are_disjoint_and_those_of_the_tables(self):
        """Each way there and back of --apm is that of the LID and SL it names, and the two share no cable."""
        for engine, fabric, lmc in (("dmodk", "tree:k=4,n=2", 2), ("tftr", "torus:4x4", 4), ("ist", "torus:6x6", 3),
                                    ("tftr", "irregular:switches=12,degree=4,hosts=1,seed=3", 4)):
            with self.subTest(engine=engine, fabric=fabric):
                options = ["--fabric", fabric, "--engine", engine, "--lmc", lmc]
                hosts = sorted(h for h in self.host_names(fabric))
                file = self.folder / "pairs"
                file.write_text("# some pairs\n" + "".join(f"{hosts[0]} {h}\n" for h in hosts[1:]))
                done = route("paths", "--apm", "--pairs", file, *options, "--json")
                self.assertIn(done.returncode, (0, 1), done.stderr)
                document = json.loads(done.stdout)
                self.assertEqual(len(document["pairs"]), len(hosts) - 1)
                chosen = [p for p in document["pairs"] if p["alternate"]]
                self.assertEqual(done.returncode, 0 if len(chosen) == len(hosts) - 1 else 1)
                self.assertTrue(chosen, document["pairs"][0]["reason"])
                for pair in chosen[:3] + chosen[-3:]:
                    self.check_apm(pair, document["replies"], options)

    def check_apm(self, pair, grade, options):
        forth = self.json("paths", pair["source"], pair["destination"], *options)
        home = self.json("paths", pair["destination"], pair["source"], *options)
        used = []
        for role in ("primary", "alternate"):
            route = pair[role]
            near, far = route["at_source"], route["at_destination"]
            self.assertEqual(near["dlid"], forth["destination"]["lid"] + far["src_path_bits"])
            self.assertEqual(far["dlid"], home["destination"]["lid"] + near["src_path_bits"])
            there, = (p for p in forth["paths"] if p["lid"] == near["dlid"])
            back, = (p for p in home["paths"] if p["lid"] == far["dlid"])
            self.assertEqual((there["ports"], back["ports"]), (route["ports_there"], route["ports_back"]))
            self.assertEqual((near["sl"], far["sl"]), (there["sl"], there["sl"]))
            if there["sl"] != back["sl"]:
                between_bases = (near["src_path_bits"], far["src_path_bits"]) == (0, 0)
                self.assertTrue(grade == "same-sl" or grade == "base" and between_bases)
            steps = [list(zip(p["switches"], p["switches"][1:])) for p in (there, back)]
            used.append({frozenset(step) for step in steps[0] + steps[1]})
            inner = {s for p in (there, back) for s in p["switches"][1:-1]}
            used.append(inner)
        self.assertTrue(pair["links_disjoint"])
        self.assertEqual(pair["switches_disjoint"], not used[1] & used[3])
        self.assertFalse(used[0] & used[2])  # between two switches of these fabrics there is one cable

    def host_names(self, fabric):
        path = self.folder / "names.json"
        self.ok("compute", "--fabric", fabric, "--engine", "updn", "--tables", path)
        return [h["name"] for h in json.loads(path.read_text())["fabric"]["hosts"]]

    def test_apm_refuses_what_it_cannot_do(self):
        options = ["--fabric", "torus:3x3", "--engine", "updn"]
        empty, wrong = self.folder / "empty", self.folder / "wrong"
        empty.write_text("# nothing\n")
        wrong.write_text("H-0-0 H-0-1\nH-0-0\n")
        self.refused("paths", "S-0-0", "H-0-1", "--apm", *options, says="a switch has no connections")
        self.refused("paths", "H-0-0", "H-0-0", "--apm", *options, says="one host")
        self.refused("paths", "H-0-0", "H-0-1", "--apm", "--svg", self.folder / "x", *options, says="--svg")
        self.refused("paths", "--pairs", empty, *options, says="--apm")
        self.refused("paths", "H-0-0", "H-0-1", "--apm", "--pairs", empty, *options, says="--pairs")
        self.refused("paths", "--apm", "--pairs", empty, *options, says="there are no pairs")
        self.refused("paths", "--apm", "--pairs", wrong, *options, says="wrong:2")
        self.refused("paths", "--apm", "--pairs", self.folder, *options, says=str(self.folder))

    def test_json_disjoint_first(self):
        found = self.json("paths", "H-0-0", "H-2-2", "--fabric", "torus:4x4", "--engine", "spf",
                          "--lmc", 2)
        self.assertEqual(len(found["paths"]), 4)
        flags = [p["disjoint"] for p in found["paths"]]
        self.assertEqual(flags, sorted(flags, reverse=True))
        self.assertEqual(flags.count(True), found["disjoint"])
        used = [set(p["switches"][1:-1]) for p in found["paths"] if p["disjoint"]]
        self.assertEqual(sum(map(len, used)), len(set().union(*used)))
        for path in found["paths"]:
            self.assertEqual(path["switches"][0], "S-0-0")
            self.assertEqual(path["switches"][-1], "S-2-2")
            self.assertEqual(len(path["vls"]), path["links"])
            self.assertEqual(path["end"], "arrives")

    def test_switches_and_tables_files(self):
        path = self.folder / "t.json"
        self.ok("compute", "--fabric", "torus:3x3", "--engine", "updn", "--tables", path)
        self.ok("paths", "S-0-0", "S-2-2", "--tables", path)
        self.ok("paths", "H-0-0", "H-0-0", "--tables", path)
        self.refused("paths", "H-0-0", "H-7-7", "--tables", path, says="H-7-7")
        self.refused("paths", "H-0-0", "--tables", path, says="DST")
        self.refused("paths", "H-0-0", "H-0-1", "--fabric", "torus:3x3", says="--engine")

    def test_no_path_is_said(self):
        run = self.ok("paths", "H-0-0", "H-0-2", "--fabric", "mesh:1x3", "--engine", "updn",
                      "--fail", "S-0-1/S-0-2", status=1)
        self.assertIn("no route", run.stdout)

    def test_svg(self):
        from xml.etree import ElementTree
        for spec in ("torus:6x6", "torus:4x4x4", "tree:k=3,n=3", "mesh:1x5", "torus:7",
                     "irregular:switches=30,degree=4,seed=2", "clos:n=3,r=5,m=3"):
            with self.subTest(spec=spec):
                names = re.findall(r'"(H-[^"]*)"', self.net(spec))
                svg = self.folder / "p.svg"
                self.ok("paths", names[0], names[-1], "--fabric", spec, "--engine", "updn",
                        "--lmc", 1, "--svg", svg)
                root = ElementTree.parse(svg).getroot()
                space = "{http://www.w3.org/2000/svg}"
                self.assertEqual(len(root.findall(f"{space}circle")),
                                 self.json("fabric", "--fabric", spec)["switches"])
                for circle in root.iter(f"{space}circle"):
                    self.assertTrue(math.isfinite(float(circle.get("cx"))))

    def net(self, spec):
        net = self.folder / "names.net"
        self.ok("fabric", "--fabric", spec, "--write", net)
        return net.read_text(encoding="utf-8")


class FakePlugin:
    """Answers one question on a socket of its own, byte for byte as told."""

    def __init__(self, folder, answer):
        self.path = str(folder / "plugin.sock")
        self.question = None
        self.answer = answer
        self.server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.server.bind(self.path)
        self.server.listen(1)
        self.thread = threading.Thread(target=self.serve)

    def serve(self):
        client, _ = self.server.accept()
        with client:
            self.question = client.makefile("rb").readline()
            client.sendall(self.answer)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.thread.join(10)
        self.server.close()
        os.unlink(self.path)


class Status(RouteTest):
    DOCUMENT = {"format": "selvedge-status-1", "opensm": "OpenSM 3.3.23", "selvedge": "0.1.0",
                "role": "master", "engine": "updn", "last_sweep": None, "faults": [],
                "self_check": []}

    def ask(self, answer, *arguments, status=0, verb="status"):
        with FakePlugin(self.folder, answer) as plugin:
            run = route(*(arguments or ["status"]), "--socket", plugin.path)
        self.assertEqual(json.loads(plugin.question), {"verb": verb})
        self.assertEqual(run.returncode, status, run)
        return run

    def test_page_and_document(self):
        answer = json.dumps(self.DOCUMENT).encode()
        self.assertRegex(self.ask(answer).stdout, r"(?m)^engine +updn$")
        self.assertEqual(json.loads(self.ask(answer, "status", "--json").stdout), self.DOCUMENT)

    def test_dark_lids_decide_the_exit_status_of_check(self):
        dark = {"lids": 1, "paths": 3, "listed": [{"lid": 71, "host": "H-1", "sources": 3, "from": "S-0"}]}
        for found, status in ((dark, 1), ({"lids": 0, "paths": 0, "listed": []}, 0)):
            answer = json.dumps({**self.DOCUMENT, "dark_lids": found}).encode()
            self.ask(answer, "status")
            run = self.ask(answer, "status", "--check", status=status)
            self.assertRegex(run.stdout, r"DARK LIDs +1 LID.*\n +LID 71 of H-1 from S-0 and 2 more" if status
                             else r"dark LIDs +none")
            self.assertEqual(json.loads(self.ask(answer, "status", "--check", "--json", status=status).stdout)
                             ["dark_lids"], found)
        for nothing in ({}, {"dark_lids": None}):
            run = self.ask(json.dumps({**self.DOCUMENT, **nothing}).encode(), "status", "--check", status=3)
            self.assertIn("no tables of Selvedge are in force", run.stderr)

    def test_strange_answers(self):
        for answer in (b"", b"hello", b"[1]", b'{"format": "other"}', b'{"error": "busy"}',
                       b'{"format": "selvedge-status-1"', b"\xff\xfe", b"{}", b'{"format": 7}'):
            with self.subTest(answer=answer):
                run = self.ask(answer, status=3)
                self.assertTrue(ERROR.fullmatch(run.stderr), run.stderr)
                self.assertEqual(run.stdout, "")

    def test_no_recipient(self):
        self.refused("status", "--socket", self.folder / "none", status=3, says="opensm")
        self.refused("paths", "a", "b", "--socket", self.folder / "none", status=3)
        left = self.folder / "left.sock"
        dead = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        dead.bind(str(left))
        dead.close()
        self.refused("status", "--socket", left, status=3, says="Connection refused")
        self.refused("status", "--socket", self.file("file", "x"), status=3)
        self.refused("status", "--socket", "x" * 200, status=2, says="--socket")

    def test_paths_of_a_running_plugin(self):
        tables = self.folder / "t.json"
        self.ok("compute", "--fabric", "mesh:1x4", "--engine", "updn", "--tables", tables)
        run = self.ask(tables.read_bytes(), "paths", "H-0-0", "H-0-3", verb="tables")
        self.assertEqual(run.stdout, Paths.GOLDEN)
        run = self.ask(b'{"format": "selvedge-tables-1"}', "paths", "a", "b", verb="tables",
                       status=3)
        self.assertTrue(ERROR.fullmatch(run.stderr), run.stderr)


class BadInput(RouteTest):
    NET = """\
Switch 4 "S1" # "one"
[1] "H1"[1]
[2] "S2"[1]

Switch 4 "S2" # "two"
[1] "S1"[2]

Hca 1 "H1" # "host"
[1] "S1"[1]
"""

    def test_command_lines(self):
        torus = ["--fabric", "torus:4x4"]
        for arguments, says in (
                ([], "verb"),
                (["comptue"], "did you mean compute?"),
                (["xyzzy"], "fabric, compute, compare, capture, verify"),
                (["--json"], "--json"),
                (["compute"], "--fabric"),
                (["compute", *torus], "--engine"),
                (["compute", "--fabrik", "torus:4x4"], "did you mean --fabric?"),
                (["compute", "--frobnicate", "--xyzzy=3", *torus], "--frobnicate, --xyzzy"),
                (["compute", "-x", *torus, "--engine", "updn"], "-x"),
                (["compute", *torus, "--engine"], "--engine"),
                (["compute", "--engine", "--json", *torus], "--engine"),
                (["compute", "--fabric="], "--fabric"),
                (["compute", "--fabric", "", "--engine", "updn"], "--fabric"),
                (["compute", *torus, "--engine", "updn", "--tables", ""], "--tables"),
                (["compute", *torus, "--engine", "updm"], "updn, spf"),
                (["compute", *torus, "--engine", "updm", "--help"], "updn, spf"),
                (["compute", *torus, "--engine", "selvedge-updn"], "updn"),
                (["compute", *torus, *torus, "--engine", "updn"], "more than once"),
                (["compute", *torus, "--engine", "updn", "stray"], "stray"),
                (["compute", *torus, "--engine", "updn", "verify"], "verify"),
                (["compute", *torus, "--engine", "updn", "--json=yes"], "--json"),
                (["compute", *torus, "--engine", "updn", "--tree", "prim"], "bfs or dfs"),
                (["compute", *torus, "--engine", "updn", "--paper"], "only multipath and spf"),
                (["compute", *torus, "--engine", "multipath", "--paper", "--lfts", self.folder / "lfts"],
                 "a paper's tables are unproved"),
                (["compute", "--fabric", "irregular:switches=4,degree=3,links=2", "--engine", "updn"], "3 to 6 links"),
                (["verify", *torus, "--engine", "updn", "--disjoint", "0"], "1 to 128"),
                (["verify", *torus, "--engine", "updn", "--disjoint", "1e3"], "1 to 128"),
                (["status", "--fabric", "torus:4x4"], "--fabric"),
                (["paths"], "SRC")):
            with self.subTest(arguments=arguments):
                self.refused(*arguments, says=says)
        for option, bounds, values in (("--lmc", "0 to 7", ["8", "-1", "two", "1.5", "0x1", " 1",
                                                            "99999999999999999999"]),
                                       ("--max-vls", "1 to 15", ["0", "16", "-3", "8x"]),
                                       ("--max-sls", "1 to 16", ["0", "17", "+1"])):
            for value in values:
                with self.subTest(option=option, value=value):
                    self.refused("compute", *torus, "--engine", "updn", option, value, says=bounds)

    def test_fabrics(self):
        for spec in ("torus", "torus:", "torus:2x4", "torus:0x0", "torus:4x", "torus:4x4,hosts=",
                     "torus:4x4,hosts=300", "torus:99999x99999", "torus:4x4,colour=red", "mesh:-1",
                     "tree:k=4", "tree:k=0,n=3", "tree:k=64,n=9", "clos:n=1", "xgft:m=2,w=1x1",
                     "irregular:switches=4,degree=9", "irregular:switches=1000000000",
                     "moebius:4", "file:", "file:/nonexistent", "4x4", "torus:4x4 ", "\n",
                     f"file:{self.folder}", "file:/dev/null", "torus:" + "9" * 1000):
            for verb in (["fabric"], ["compute", "--engine", "updn"]):
                with self.subTest(spec=spec, verb=verb[0]):
                    self.refused(*verb, "--fabric", spec)

    def test_lids_that_do_not_fit(self):
        self.refused("compute", "--fabric", "torus:32x32,hosts=8", "--lmc", 7, "--engine", "updn",
                     says="49151")

    def test_faults(self):
        for name in ("S-9-9", "S-0-0:9", "S-0-0:0", "S-0-0/S-2-2", "S-0-0/S-0-0x", "H-0-0", ":", "/",
                     "S-0-0:"):
            with self.subTest(name=name):
                self.refused("compute", "--fabric", "torus:4x4", "--engine", "updn", "--fail", name)

    def test_files_of_guids(self):
        """Golden: each is one line that says what is wrong, or what wins."""
        self.maxDiff = None
        fabric = ["--fabric", f"file:{ROOT / 'conf/fabrics/real-40-switches.net'}"]
        spines = [f"{0x5001e0 + 16 * i:#018x}" for i in range(9)]
        file = self.folder / "guids"

        def given(option, guids, *more, engine="updn"):
            file.write_text("".join(f"{guid}\n" for guid in guids), encoding="utf-8")
            return ["compute", *fabric, "--engine", engine, option, file, *more]

        def remarks(*arguments):
            return re.findall(r"^note: (.*)$", self.ok(*arguments, "--json").stderr, re.M)

        def refused(says, *arguments):
            self.assertEqual(self.refused(*arguments), "error: " + says.format(file=file) + "\n")

        tree = ["a tree of 2 levels: 9 top switches",
                "12 of 40 switches have fewer uplinks than others of their level",
                "9 hosts at 9 switches above the leaf switches"]
        self.assertEqual(remarks(*given("--roots", ["# the spines", *spines])), tree)
        refused("2 of 11 GUIDs are of no switch in this fabric, the first 0x0000000000000bad: --roots "
                "{file}:2: list node GUIDs of switches",
                *given("--roots", [spines[0], "0xbad", *spines[1:], "0x900000"]))
        refused("GUID 0x0000000000900000 (adapter node-001) is of no switch in this fabric: --roots "
                "{file}:1: list node GUIDs of switches", *given("--roots", ["0x900000"]))
        refused("GUID 0x00000000005001e0 (switch spine-01) is of no adapter in this fabric: --io-nodes "
                "{file}:1: list node or port GUIDs of adapters", *given("--io-nodes", spines[:1]))
        refused("'spine-01' is no GUID: {file}:2: write 0x and up to 16 hexadecimal digits, one GUID a "
                "line", *given("--roots", [spines[0], "spine-01"]))
        refused("no GUID is in the file: {file}: write one a line, or do not name the file",
                *given("--roots", ["# later"]))
        refused("cannot read the GUIDs (No such file or directory): /nonexistent: name a readable file",
                "compute", *fabric, "--engine", "updn", "--roots", "/nonexistent")
        refused("a root and a file of roots cannot both be given: --root and --roots: leave out --root "
                "where the fabric is a tree, else --roots",
                *given("--roots", spines, "--root", "spine-01"))
        refused("a spanning tree has one root: --tree and --roots: leave out --tree where the fabric is a "
                "tree, else --roots", *given("--roots", spines, "--tree", "dfs"))

        self.assertEqual(remarks(*given("--roots", spines[:3]))[-1],
                         "the given roots reverse the direction of 349 of 532 cables, the first "
                         "leaf-01:35 – spine-08:32: the given roots win")
        clash = ("cable leaf-01:49 – spine-01:31 joins two given roots; without the given roots the "
                 "fabric has levels")
        contradicting = ["0x500000", spines[0]]  # a leaf switch and a spine
        self.assertIn(f"with the given roots the fabric is no tree ({clash}): a spanning tree decides",
                      remarks(*given("--roots", contradicting)))
        refused("dmodk needs a fat tree (k-ary n-tree, Clos, XGFT); this is an irregular graph: "
                f"{clash}: choose updn, which routes every topology",
                *given("--roots", contradicting, engine="dmodk"))

        # All that compute by node GUIDs, and the aggregation node of spine-01.
        text = (ROOT / "conf/fabrics/real-40-switches.net").read_text(encoding="utf-8")
        nodes = [f"0x{guid}" for guid, name in
                 re.findall(r'^caguid=0x([0-9a-f]+)\nCa.*# "(.*)"$', text, re.M)
                 if name.startswith("node-")]
        at_spine = re.search(r'^\[1\]\(([0-9a-f]+)\)\t"S-00000000005001e0"\[65\]', text, re.M)[1]
        self.assertEqual(remarks(*given("--compute-nodes", nodes)), tree)
        self.assertEqual(remarks(*given("--compute-nodes", [*nodes, at_spine])), [
            *tree, f"1 of {len(nodes) + 1} given compute nodes is above the leaf switches, the first "
            "Mellanox Technologies Aggregation Node at spine-01:65: the levels of the cables win"])
        self.assertIn(
            "with the given compute or I/O nodes the fabric is no tree (cable leaf-01:49 – spine-01:31 "
            "joins two switches with given compute nodes; without the given compute nodes the fabric "
            "has levels): a spanning tree decides",
            remarks(*given("--compute-nodes", [nodes[0], at_spine])))
        self.refused("verify", "--tables", "/dev/null", "--roots", file, says="--roots")

    def test_fabric_files(self):
        good = self.file("good.net", self.NET)
        self.ok("compute", "--fabric", f"file:{good}", "--engine", "updn")
        for name, text in (("empty", ""),
                           ("binary", bytes(range(256)) * 8),
                           ("text", "the quick brown fox\n"),
                           ("truncated", self.NET[:len(self.NET) // 2 - 4]),
                           ("one end", self.NET.replace('[1] "S1"[2]\n', "")
                            .replace('[2] "S2"[1]', '[2] "S3"[1]')),
                           ("port", self.NET.replace('[2] "S2"', '[7] "S2"')),
                           ("twice", self.NET.replace('[1] "S1"[2]', '[1] "S1"[2]\n[2] "S1"[2]')),
                           ("guids", "switchguid=0x10\n" + self.NET.replace(
                               'Switch 4 "S2"', 'switchguid=0x10\nSwitch 4 "S2"'))):
            with self.subTest(name=name):
                error = self.refused("compute", "--fabric", f"file:{self.file('bad.net', text)}",
                                     "--engine", "updn")
                self.assertIn("bad.net", error)

    def test_tables_files(self):
        path = self.folder / "t.json"
        self.ok("compute", "--fabric", "mesh:2x2", "--engine", "updn", "--tables", path)
        good = path.read_text(encoding="utf-8")
        whole = json.loads(good)

        def changed(key, value):
            return json.dumps({**whole, key: value})
        for name, text in (("empty", ""), ("binary", bytes(range(256))), ("null", "null"),
                           ("list", "[]"), ("truncated", good[:len(good) // 2]),
                           ("format", changed("format", "selvedge-tables-9")),
                           ("no lft", changed("lft", None)), ("lft", changed("lft", [[1, 2]])),
                           ("port", good.replace("255", "256")),
                           ("fabric", changed("fabric", {})), ("deep", "[" * 100000),
                           ("sl2vl", changed("sl2vl", [{"1,2": [0]}] * 4))):
            with self.subTest(name=name):
                self.refused("verify", "--tables", self.file("bad.json", text))
        self.refused("verify", "--tables", self.folder)
        self.refused("verify", "--tables", self.folder / "none")


class EnvironmentErrors(RouteTest):
    """Full disks, closed pipes, folders that can't be written, little memory, a terminal."""

    COMPUTE = ["compute", "--fabric", "torus:4x4", "--engine", "updn"]

    def test_files_are_written_whole_or_not_at_all(self):
        old = self.file("old.json", "precious")
        for target in (self.folder, self.folder / "no" / "file", "/proc/x",
                       self.folder / ("x" * 300), f"{self.folder}/new/"):
            with self.subTest(target=target):
                self.refused(*self.COMPUTE, "--tables", target)
        self.refused(*self.COMPUTE, "--tables", "/dev/full", status=3)
        self.refused("compute", "--fabric", "torus:4x4", "--engine", "updn", "--fail", "nothing",
                     "--tables", old)
        self.refused("fabric", "--fabric", "torus:4x4", "--write", self.folder)
        self.refused("paths", "H-0-0", "H-1-1", "--fabric", "torus:4x4", "--engine", "updn",
                     "--svg", "/dev/full", status=3)

        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        self.refused(*self.COMPUTE, "--tables", old, preexec_fn=small_files, says="too large")
        self.assertEqual([p.name for p in self.folder.iterdir()], ["old.json"])
        self.assertEqual(old.read_text(encoding="utf-8"), "precious")
        self.ok(*self.COMPUTE, "--tables", "/dev/null")

    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "wb") as full:
            run = subprocess.run([PROGRAM, *self.COMPUTE], stdout=full, stderr=subprocess.PIPE,
                                 text=True, check=False)
        self.assertEqual(run.returncode, 3)
        self.assertTrue(ERROR.fullmatch(run.stderr), run.stderr)

    def test_reader_that_goes_away(self):
        reader, writer = os.pipe()
        os.close(reader)
        run = subprocess.run([PROGRAM, *self.COMPUTE], stdout=writer, stderr=subprocess.PIPE,
                             text=True, check=False)
        os.close(writer)
        self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_no_standard_files_at_all(self):
        run = subprocess.run(["sh", "-c", f'"{PROGRAM}" --version <&- >&- 2>&-'], check=False)
        self.assertEqual(run.returncode, 3)

    def test_quiet_when_quick_on_a_terminal(self):
        try:
            master, terminal = pty.openpty()
        except OSError as error:  # a chroot or container without /dev/pts
            self.skipTest(f"no pseudo-terminal here: {error}")
        run = subprocess.run([PROGRAM, *self.COMPUTE], stdout=subprocess.PIPE, stderr=terminal,
                             check=False)
        os.close(terminal)
        self.assertIn(b"computed in", run.stdout)
        try:
            self.assertEqual(os.read(master, 1000), b"")
        except OSError:  # nothing was written and the terminal is gone
            pass
        os.close(master)


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


if __name__ == "__main__":
    unittest.main()
