# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The demonstration (./run demo): its report must say what was measured, and it must notice failures.

The build is in SELVEDGE_BUILD_DIR (build of this tree if it is unset).
"""
import contextlib
import dataclasses
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.support.browser import Browser  # noqa: E402
from tools.demo import case, traffic  # noqa: E402
from tools.demo import demo as program  # noqa: E402
from tools.demo import report as report_page  # noqa: E402
from tools.lab import subnet as subnets  # noqa: E402
from tools.lab import InputError, torus_net  # noqa: E402

BUILD = pathlib.Path(os.environ.get("SELVEDGE_BUILD_DIR", ROOT / "build")).resolve()
ERROR = re.compile(r"error: [^\n]+?: [^\n]+?: [^\n]+\n")


def demo(*arguments, **options):
    return subprocess.run([sys.executable, ROOT / "tools" / "demo" / "demo.py", *map(str, arguments)],
                          capture_output=True, text=True, timeout=180, **options)


class Demo(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(
            self.enterContext(tempfile.TemporaryDirectory(prefix="selvedge-demo-")))
        self.net = self.folder / "t4.net"
        self.net.write_text(torus_net(4, 4), encoding="utf-8")

    def test_the_fabric_of_the_demonstration(self):
        report = self.folder / "report.html"
        done = demo("--build-dir", BUILD, "--runs", 1, "--out", report, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        facts = json.loads(done.stdout)  # standard output is one JSON document
        self.assertIn(f"report: {report}", done.stderr)
        self.assertEqual(facts["complaints"], [])
        self.assertEqual((len(facts["fabric"]["switches"]), len(facts["fabric"]["hosts"]),
                          len(facts["fabric"]["cables"]), facts["pairs"]), (36, 36, 72, 36 * 35))
        ours, theirs = facts["sides"]
        for side in (ours, theirs):
            at = side["shown"]["milestones"]
            # Our engine repairs at the trap; OpenSM's engine routes only after OpenSM's discovery.
            order = (["trap", "located", "tables_computed", "proved", "first_block",
                      "all_reachable", "confirmed", "tables_begin", "subnet_up"] if side is ours else
                     ["sweep_start", "discovery_done", "first_block", "all_reachable", "subnet_up"])
            seen = [at[key] for key in order if at[key] is not None]
            self.assertEqual(seen, sorted(seen))
            self.assertGreater(seen[0], 0)
            self.assertGreater(at["trap"], 0)
            # The curve starts with the number of pairs that the cut broke, and ends at 0.
            steps = side["shown"]["steps"]
            self.assertEqual(steps[0], [0.0, side["crossing"]])
            self.assertEqual(steps[-1][1], 0)
            self.assertGreaterEqual(side["moved"], side["crossing"])
            self.assertGreater(side["crossing"], 0)
            # The report's tables are walked again here: afterwards no path uses the cut cable.
            self.assertEqual(self.crossings(facts, side, "before"), side["crossing"])
            self.assertEqual(self.crossings(facts, side, "after"), 0)
        self.packets_lost(facts)
        for when in ("before", "after"):
            self.assertTrue(ours["proof"][when]["deadlock_free"])
        # Only for our engine the plugin reports when tables were computed and proved.
        self.assertIsNotNone(ours["milestones"]["proved"])
        self.assertIsNone(theirs["milestones"]["proved"])

        page = report.read_text(encoding="utf-8")
        embedded = re.search(r'<script type="application/json" id="facts">(.*?)</script>', page, re.S)
        self.assertEqual(json.loads(embedded[1]), facts)
        self.assertNotIn("<!--@", page)
        # Offline: the only address is the name of SVG's namespace, and nothing is loaded.
        self.assertEqual(set(re.findall(r"https?://[^\"'\s<)]+", page)),
                         {"http://www.w3.org/2000/svg"})
        loaded = re.findall(r"<(?:link|img|iframe)\b[^>]*|\bsrc=|@import|url\(", page)
        # The empty icon keeps browsers from requesting one.
        self.assertEqual(loaded, ['<link rel="icon" href="data:,"'])
        self.seen_in_a_browser(report, facts)

    def packets_lost(self, facts):
        """Under traffic our engine loses fewer packets. Every packet is counted once, each lost one with
        a cause."""
        ours, theirs = facts["traffic"]["sides"]
        self.assertEqual(facts["traffic"]["load"], 0.2)
        self.assertGreater(ours["lost"][1], 0)
        self.assertLess(ours["lost"][1], theirs["lost"][1])
        for side in (ours, theirs):
            for run in side["runs"]:
                self.assertTrue(run["ended"])
                self.assertEqual(run["lost"], sum(run["lost_by_cause"].values()))
                # Packets have no lifetime limit here, and the tables always have a route for each LID,
                # so the other causes must not occur.
                self.assertLessEqual({cause for cause, lost in run["lost_by_cause"].items() if lost},
                                     {"cut", "dead_port", "vl15"})
                self.assertEqual(set(run["lost_by_cause"]), set(traffic.CAUSES))
                self.assertEqual((run["pairs"], run["unrouted_pairs"], run["pairs_without_path"]),
                                 (36 * 35, 0, 0))
                self.assertGreater(run["routed_after_ms"], 0)
                # Each packet crosses at least its source's switch.
                self.assertGreater(run["packet_hops"], run["delivered"])
            shown = side["runs"][side["shown"]["run"] - 1]
            curve = side["shown"]["curve"]
            for column in range(3):
                values = [point[column] for point in curve]
                self.assertEqual(values, sorted(values))
            self.assertEqual(curve[-1][1:], [shown["delivered"], shown["lost"]])
            self.assertGreater(facts["traffic"]["axis_ms"], shown["last_loss_ms"])
            self.assertLessEqual(shown["last_loss_ms"], curve[-1][0])

    def seen_in_a_browser(self, report, facts):
        """The report's section on packets, in a browser: it shows the counted numbers, and nothing
        overflows the page."""
        lost = [f"{side['lost'][1]:,.0f}" for side in facts["traffic"]["sides"]]
        with Browser() as browser:
            for theme, width in (("light", 1280), ("dark", 1280), ("light", 400)):
                with self.subTest(theme=theme, width=width):
                    browser.open(report, f"?theme={theme}", width=width)
                    self.assertLessEqual(browser.ask("document.documentElement.scrollWidth"), width)
                    self.assertEqual(browser.ask("document.documentElement.dataset.theme"), theme)
                    self.assertEqual(browser.ask("document.querySelector('main h2').textContent"),
                                     "What the packets met")
                    headline = browser.ask("document.getElementById('headline').textContent")
                    self.assertIn(f"{lost[0]} packets were lost; with minhop, {lost[1]}.", headline)
                    words = browser.ask(
                        "[...document.querySelectorAll('#packets .flag')].map((e) => e.textContent)")
                    self.assertEqual([text.split(",")[0].split(": ")[0] for text in words],
                                     ["OpenSM minhop", "Selvedge updn"])
                    for text, number in zip(words, reversed(lost)):
                        self.assertIn(f": {number} packets", text)
                    # Each curve ends at its number of lost packets: the smaller one is lower on the page.
                    ends = browser.ask("[...document.querySelectorAll('#packets polyline')].map((e) =>"
                                       " e.points.getItem(e.points.length - 1)).map((p) => [p.x, p.y])")
                    self.assertEqual(ends[0][0], ends[1][0])
                    self.assertLess(ends[0][1], ends[1][1])
                    self.assertEqual(self.overlapping(browser), [])
                    self.assertEqual(browser.complaints, [])

    @staticmethod
    def overlapping(browser):
        """Pairs of labels in the chart of packets whose boxes overlap."""
        return browser.ask("""(() => {
            const words = [...document.querySelectorAll('#packets text')].map((e) =>
              [e.textContent, e.getBoundingClientRect()]);
            return words.flatMap(([a, p], i) => words.slice(i + 1).filter(([, q]) =>
              p.left < q.right && q.left < p.right && p.top < q.bottom && q.top < p.bottom)
              .map(([b]) => `${a} / ${b}`)); })()""")

    @staticmethod
    def crossings(facts, side, when):
        peer = {}
        for a, a_port, b, b_port in facts["fabric"]["cables"]:
            peer[a, a_port], peer[b, b_port] = b, a
        a, a_port, b, b_port = facts["cut"]["cable"]
        hosts, count = facts["fabric"]["hosts"], 0
        for _, source, _ in hosts:
            for column, (_, target, target_port) in enumerate(hosts):
                at, crossed = source, False
                while (here := (at, side["lft"][when][at][column])) != (target, target_port):
                    crossed = crossed or here in ((a, a_port), (b, b_port))
                    at = peer[here]
                count += crossed
        return count

    def test_several_lids_a_host(self):
        done = demo("--build-dir", BUILD, "--runs", 1, "--fabric", self.net, "--lmc", 2,
                    "--load", 0.05, "--out", self.folder / "r.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("4×4 torus: 16 switches, 16 hosts, 240 pairs", done.stdout)
        self.assertIn("under traffic (5% of each host link), median of 1 (quartiles)", done.stdout)
        self.assertRegex(done.stdout, r"\n  packets lost +[\d,]+  \([\d,]+–[\d,]+\)")
        self.assertTrue(done.stdout.endswith(f"report: {self.folder / 'r.html'}\n"))

    def test_the_wrong_engine_is_noticed(self):
        """OpenSM routes with minhop although our engine was asked for: the demonstration must report a
        wrong engine and a missing proof."""
        wrong = dataclasses.replace(case.MINHOP, engine="updn")
        run = case.run(wrong, self.net, BUILD)
        self.assertIn("the engine that routed was None, not updn", run.complaints)
        self.assertTrue(any("did not prove" in text for text in run.complaints), run.complaints)

    def test_the_exit_status_and_the_report_say_so(self):
        wrong = dataclasses.replace(case.MINHOP, key="wrong", title="Wrong", engine="updn")
        out, said = self.folder / "r.html", io.StringIO()
        with unittest.mock.patch.object(case, "SELVEDGE", wrong), \
                contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            status = program.main(["--build-dir", str(BUILD), "--fabric", str(self.net), "--runs",
                                   "1", "--out", str(out)])
        self.assertEqual(status, 1)
        self.assertIn("Not everything held.", said.getvalue())
        self.assertIn("does not hold: Wrong, run 1: the engine that routed was None, not updn",
                      said.getvalue())
        self.assertIn("not everything held", out.read_text(encoding="utf-8"))

    def test_what_is_missing_and_what_is_wrong(self):
        broken = self.folder / "broken.net"
        broken.write_text('Switch 4 "S-0"\n[1] "S-9"[1]\n', encoding="utf-8")
        empty = self.folder / "empty"
        (empty / "bin").mkdir(parents=True)
        (empty / "bin" / "selvedge-route").touch()
        (empty / "bin" / "selvedge-sim").symlink_to(BUILD / "bin" / "selvedge-sim")
        route_only = self.folder / "route-only"
        (route_only / "bin").mkdir(parents=True)
        (route_only / "bin" / "selvedge-route").touch()
        for status, arguments in (
                (3, ["--build-dir", self.folder / "nowhere", "--fabric", self.net]),
                (3, ["--build-dir", empty, "--fabric", self.net]),  # the plugin is missing
                (3, ["--build-dir", route_only, "--fabric", self.net]),  # selvedge-sim is missing
                (2, ["--build-dir", BUILD, "--fabric", self.folder / "none.net"]),
                (2, ["--build-dir", BUILD, "--fabric", broken]),
                (2, ["--runs", "0"]), (2, ["--lmc", "8"]), (2, ["--load", "0"]), (2, ["--load", "1.5"]),
                (2, ["--load", "nan"]), (2, ["--no-such-option"])):
            with self.subTest(arguments):
                out = self.folder / "never.html"
                done = demo(*arguments, "--out", out)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertEqual(done.stdout, "")
                last = done.stderr.splitlines(keepends=True)[-1]
                self.assertRegex(last, ERROR)
                self.assertNotIn("Traceback", done.stderr)
                self.assertFalse(out.exists())


class Traffic(unittest.TestCase):
    """The demonstration's facts on lost packets, computed from runs that are made up here."""

    @staticmethod
    def run_of(lost, **changes):
        return {"ended": True, "lost": lost, "lost_by_cause": {**dict.fromkeys(traffic.CAUSES, 0),
                                                              "dead_port": lost},
                "delivered": 100, "routed_after_ms": 2.0, "last_loss_ms": 1.5, "unrouted_pairs": 0,
                "pairs": 2, "pairs_without_path": 0, "slowest_packet_before_ms": 0.004,
                "slowest_packet_ms": 0.02, "deadlock": False,
                "curve": [[0.5, 10, lost // 2], [1.5, 20, lost], [2.0, 30, lost], [3.0, 40, lost],
                          [4.0, 100, lost]], **changes}

    def test_medians_quartiles_and_the_median_run(self):
        facts = traffic.facts({case.SELVEDGE: [self.run_of(lost) for lost in (50, 10, 40, 20, 30)],
                               case.MINHOP: [self.run_of(900, last_loss_ms=7.0)]}, 0.3)
        ours, theirs = facts["sides"]
        self.assertEqual(ours["lost"], [20, 30, 40])
        self.assertEqual((ours["shown"]["run"], ours["shown"]["lost"]), (5, 30))
        # The curve leaves out only points between two points of the same height.
        self.assertEqual(ours["shown"]["curve"], [[0.5, 10, 15], [1.5, 20, 30], [4.0, 100, 30]])
        self.assertEqual(theirs["lost"], [900, 900, 900])
        self.assertAlmostEqual(facts["axis_ms"], 7.42)
        self.assertEqual(facts["complaints"], [])
        rows = dict(traffic.rows(facts))
        self.assertEqual(rows["packets lost"], [["20", "30", "40"], ["900", "900", "900"]])
        self.assertIn("– queued for a port whose link is down", rows)
        self.assertNotIn("– no route", rows)  # no packet was lost for that cause
        self.assertEqual(rows["slowest packet after the cut, µs"][0][1], "20.0")
        self.assertEqual(rows["runs with a deadlock"], ["0 of 5", "0 of 1"])

    def test_what_does_not_hold_is_said(self):
        never = self.run_of(9, ended=False, routed_after_ms=None, last_loss_ms=None, unrouted_pairs=1,
                            pairs_without_path=2, deadlock=True)
        facts = traffic.facts({case.SELVEDGE: [never], case.MINHOP: [self.run_of(9, deadlock=True)]},
                              0.2)
        self.assertEqual(facts["complaints"], [
            f"Selvedge updn under traffic, run 1: {text}" for text in (
                "the manager was not done after 120 s", "1 of 2 pairs were not routed again",
                "the SA gave no path for 2 of 2 pairs", "packets waited for each other in a deadlock")])
        self.assertEqual(dict(traffic.rows(facts))["last packet lost, ms after the cut"][0], None)

    def test_what_compare_sm_refuses(self):
        with self.assertRaises(InputError) as refused:
            traffic.run(case.MINHOP, ROOT / "conf" / "fabrics" / "torus-6x6.net", BUILD,
                        link="0x0:1", seed=1)
        self.assertEqual(refused.exception.what, "no such link")


class Shape(unittest.TestCase):
    """Whether a fabric whose switches are S-0-0 … S-2-2 is called a torus: its cables decide."""

    @staticmethod
    def name_of(steps):
        """Cables from each S-y-x to S-(y + dy)-(x + dx), for each (dy, dx)."""
        guid, cables = lambda y, x: 1 + 3 * (y % 3) + x % 3, {}
        places = [(y, x) for y in range(3) for x in range(3)]
        for y, x in places:
            for i, (dy, dx) in enumerate(steps):
                end, other = (guid(y, x), 1 + 2 * i), (guid(y + dy, x + dx), 2 + 2 * i)
                cables[end], cables[other] = other, end
        switches = {guid(y, x): subnets.Switch(guid(y, x), f"S-{y}-{x}", 4, 0) for y, x in places}
        return report_page._shape(subnets.Subnet(switches, [], cables, {}), list(switches.values()))

    def test_names_alone_make_no_torus(self):
        self.assertEqual(self.name_of([(1, 0), (0, 1)]), "3×3 torus")
        self.assertIsNone(self.name_of([(1, 0), (1, 1)]))  # a diagonal
        self.assertIsNone(self.name_of([(1, 0)]))          # rings alone


class Events(unittest.TestCase):
    """Which of several sweeps a timeline describes, on two switches and two hosts.

        H-0 ─1[ A ]2───2[ B ]1─ H-1        a second cable: A:3 ─── B:3
    """
    A, B = 0xa, 0xb

    def fabric(self, port_of_a, port_of_b):
        """LIDs: A 1, B 2, H-0 3, H-1 4; A reaches H-1 and B reaches H-0 by these ports."""
        cables = {(self.A, 2): (self.B, 2), (self.B, 2): (self.A, 2),
                  (self.A, 3): (self.B, 3), (self.B, 3): (self.A, 3)}
        if port_of_a == 3:  # the first cable is gone
            del cables[self.A, 2], cables[self.B, 2]
        return subnets.Subnet(
            {self.A: subnets.Switch(self.A, "A", 3, 1), self.B: subnets.Switch(self.B, "B", 3, 2)},
            [subnets.HostPort(0x10, "H-0", 1, 3, 0, self.A, 1),
             subnets.HostPort(0x11, "H-1", 1, 4, 0, self.B, 1)], cables,
            {self.A: {3: 1, 4: port_of_a}, self.B: {4: 1, 3: port_of_b}})

    @staticmethod
    def event(at, name, guid=None):
        return {"monotonic_us": at, "event": name, "guid": hex(guid or 0), "block": 0}

    def test_the_sweep_that_brought_the_tables(self):
        e = self.event
        events = [e(90, "trap"),                              # of something before the cut
                  e(110, "trap"), e(120, "heavy_sweep_start"), e(200, "heavy_sweep_done"),
                  e(210, "tables_begin"), e(230, "tables_computed"), e(240, "proved"),
                  e(250, "lft_block", self.A), e(270, "lft_block", self.B),
                  e(300, "subnet_up"),
                  # The trap of the cable's other end causes a second sweep, which writes the same tables.
                  e(310, "trap"), e(320, "heavy_sweep_start"), e(400, "heavy_sweep_done"),
                  e(450, "lft_block", self.A), e(470, "lft_block", self.B), e(500, "subnet_up")]
        before, after = self.fabric(2, 2), self.fabric(3, 3)
        answer = case._replay(before, after, 100_000, events)
        self.assertEqual(answer.steps, [(100_000, 2), (250_000, 1), (270_000, 0)])
        self.assertEqual(case._milestones(events, 100, answer),
                         {"trap": 0.01, "sweep_start": 0.02, "discovery_done": 0.1,
                          "tables_begin": 0.11, "tables_computed": 0.13, "proved": 0.14,
                          "first_block": 0.15, "all_reachable": 0.17, "last_block": 0.17,
                          "subnet_up": 0.2, "located": None, "confirmed": None})
        # The fault is repaired at the trap: blocks that the sweep writes again must not count.
        fast = [e(110, "trap"), e(115, "fault_located"), e(117, "tables_computed"),
                e(118, "proved"), e(120, "heavy_sweep_start"),
                e(121, "repair_block", self.A), e(122, "repair_block", self.B),
                e(125, "repair_confirmed"), e(200, "heavy_sweep_done"), e(210, "tables_begin"),
                e(250, "lft_block", self.A), e(300, "subnet_up")]
        answer = case._replay(before, after, 100_000, fast)
        found = case._milestones(fast, 100, answer)
        self.assertEqual([found[key] for key in ("located", "tables_computed", "first_block",
                                                 "all_reachable", "confirmed", "discovery_done")],
                         [0.015, 0.017, 0.021, 0.022, 0.025, 0.1])
        # The first sweep missed the fault and wrote nothing, so the second sweep counts.
        late = [x for x in events if x["monotonic_us"] not in (250, 270)]
        answer = case._replay(before, after, 100_000, late)
        found = case._milestones(late, 100, answer)
        self.assertEqual((found["sweep_start"], found["all_reachable"], found["subnet_up"]),
                         (0.22, 0.37, 0.4))

    def test_a_block_that_nobody_acknowledged(self):
        before, after = self.fabric(2, 2), self.fabric(3, 3)
        events = [self.event(250, "lft_block", self.A), self.event(300, "subnet_up")]
        answer = case._replay(before, after, 100_000, events)
        self.assertEqual(answer.unacknowledged, [(self.B, 0)])
        self.assertIsNone(answer.whole_ns)


if __name__ == "__main__":
    unittest.main()
