# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""report.html in a browser: the page raises no error, loads nothing, shows the numbers of results.csv, and
can be used with the keyboard alone.

The build is in SELVEDGE_BUILD_DIR (build of this tree if it is unset). With SELVEDGE_PICTURES=FOLDER
the tests leave pictures there, to be looked at.
"""
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.support.browser import Browser  # noqa: E402
from tests.support.draw import drawn  # noqa: E402

BUILD = pathlib.Path(os.environ.get("SELVEDGE_BUILD_DIR", ROOT / "build")).resolve()
PICTURES = os.environ.get("SELVEDGE_PICTURES")
ERROR = re.compile(r"error: [^\n]+?: [^\n]+?: [^\n]+\n")

CURVES = """
title = "Two engines </script><img src=x onerror=alert(1)> & a torus"
[fabric]
spec = "torus:4x4"
[routing]
engine = ["updn", "tftr"]
[model]
preset = "thesis"
[traffic]
load = [0.05, 0.2, 0.9]
[measure]
warmup_us = 50.0
duration_us = 300.0
"""
CUBE = """
title = "A cube loses a cable"
[fabric]
spec = "torus:3x3x3"
[routing]
engine = "updn"
[model]
preset = "thesis"
[traffic]
load = 0.2
[faults]
at_us = 150.0
random = 1
[measure]
warmup_us = 50.0
duration_us = 300.0
"""
TREE = CUBE.replace("torus:3x3x3", "tree:k=3,n=3").replace("A cube", "A tree")
IRREGULAR = CUBE.replace("torus:3x3x3", "irregular:switches=12,degree=3,hosts=2,seed=4").replace(
    "A cube", "A web")
DEADLOCK = """
title = "Shortest paths on a ring"
[fabric]
spec = "torus:5x5"
[routing]
engine = "spf"
[model]
preset = "thesis"
[traffic]
pattern = "tornado"
load = 1.0
[measure]
warmup_us = 50.0
duration_us = 500.0
"""
SELF_ROUTING = """
title = "A tree that routes itself"
[fabric]
spec = "clos:n=4,r=3,m=4"
[routing]
engine = "dmodk"
[model]
preset = "zahavi"
selection = "ear"
congested_bytes = 4224
settle_ns = 2000.0
[traffic]
pattern = "permutations"
arrival = "periodic"
load = 100.0
payload_bytes = 20480
permutation_bytes = 40960
[measure]
warmup_us = 0.0
duration_us = 60.0
"""
ORDER = """
title = "Delivered in order"
[fabric]
spec = "torus:4x4"
[routing]
engine = "updn"
lmc = 2
[model]
preset = "martinez"
mtu_bytes = 512
selection = "most-credits"
escape_queues = true
[hca]
protocol = ["li", "credits"]
memory_bytes = [1024, 65536]
[traffic]
pattern = "transpose"
payload_bytes = 256
load = [0.2, 0.35]
[measure]
warmup_us = 50.0
duration_us = 300.0
"""
CLASSES = """
title = "Kinds of traffic"
[fabric]
spec = "torus:3x3"
[routing]
engine = ["updn", "spf"]
paper = false
[model]
preset = "kim"
head_of_queue_life_us = 4.096
arbitration_high = "0:255"
arbitration_low = "1:255"
[traffic]
load = [0.2, 0.6, 1.0]
[[traffic.class]]
name = "video"
arrival = "video"
share = 0.7
first_deadline_ms = 10.0
[[traffic.class]]
name = "best"
sl = 8
share = 0.3
[[traffic.class]]
name = "control"
vl15 = true
arrival = "periodic"
period_ms = 1.0
size = 256
[measure]
warmup_us = 20000.0
duration_us = 150000.0
"""


def sim(*arguments):
    return subprocess.run([BUILD / "bin" / "selvedge-sim", *map(str, arguments)], text=True,
                          capture_output=True, timeout=300)


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(
            cls.enterClassContext(tempfile.TemporaryDirectory(prefix="selvedge-report-")))
        for name, text in {"curves": CURVES, "cube": CUBE, "tree": TREE, "web": IRREGULAR,
                           "deadlock": DEADLOCK, "self-routing": SELF_ROUTING, "order": ORDER,
                           "classes": CLASSES}.items():
            (cls.folder / f"{name}.toml").write_text(text, encoding="utf-8")
            done = sim("run", cls.folder / f"{name}.toml", "--allow-unproved", "--jobs", 2, "--out",
                       cls.folder / name)
            if done.returncode != 0:
                raise RuntimeError(done.stderr)
        cls.browser = cls.enterClassContext(Browser())

    def opened(self, page, query="?theme=light", **size):
        self.browser.open(page, query, **size)
        return self.browser

    def content(self, browser, name):
        """Its complaints (there must be none) and, if asked for, a picture."""
        if PICTURES:
            browser.look(pathlib.Path(PICTURES) / f"{name}.png")
        self.assertEqual(browser.complaints, [], name)

    def test_the_page_shows_the_results(self):
        browser = self.opened(self.folder / "curves" / "report.html")
        with open(self.folder / "curves" / "results.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(browser.ask("document.querySelectorAll('#all tbody tr').length"), len(rows))
        self.assertEqual(browser.ask("document.getElementById('headline').textContent"),
                         "Two engines </script><img src=x onerror=alert(1)> & a torus")
        best = max(float(row["accepted_bytes_per_ns_per_switch"]) for row in rows)
        shown = float(browser.ask("document.querySelector('.tile .big').textContent"))
        self.assertAlmostEqual(shown / best, 1, delta=0.005)
        states = browser.ask("[...document.querySelectorAll('#all .state')].map((s) => s.textContent)")
        self.assertEqual(states, [row["state"] for row in rows])
        self.assertIn("saturated", states)
        # A curve for each engine, a mark for each point.
        option = browser.ask("""JSON.stringify(echarts.getInstanceByDom(document.getElementById('curves'))
            .getOption().series.filter((s) => s.type === 'line')
            .map((s) => [s.name, s.data.map((d) => d.value)]))""")
        drawn = dict(json.loads(option))
        self.assertEqual(set(drawn), {"updn", "tftr"})
        for engine, marks in drawn.items():
            expected = [(float(row["accepted_bytes_per_ns_per_switch"]), float(row["latency_mean_ns"]))
                        for row in rows if row["routing.engine"] == engine]
            for mark, row in zip(marks, expected, strict=True):
                for ours, theirs in zip(mark, row, strict=True):
                    self.assertAlmostEqual(ours / theirs, 1, delta=1e-5)
        self.content(browser, "curves")

    def test_every_button_and_choice_works(self):
        browser = self.opened(self.folder / "curves" / "report.html")
        for group in ("curves-y", "curves-scale", "curves-x", "fabric-what"):
            for i in range(browser.ask(f"document.querySelectorAll('#{group} button').length")):
                browser.ask(f"document.querySelectorAll('#{group} button')[{i}]?.click()")
        for i in range(6):
            browser.ask("document.getElementById('after').click()")
        browser.ask("""(() => { const s = document.getElementById('beside'); s.value = 4;
                       s.onchange(); })()""")
        self.assertEqual(browser.ask("document.querySelectorAll('#percentiles thead th').length"), 3)
        browser.ask("document.querySelectorAll('#busiest button')[2].click()")
        self.assertEqual(
            browser.ask("document.querySelectorAll('#busiest [aria-pressed=true]').length"), 1)
        # Two clicks sort the table by latency, the largest first.
        for _ in range(2):
            browser.ask("[...document.querySelectorAll('#all thead button')]"
                        ".find((b) => b.textContent.startsWith('latency')).click()")
        loads = browser.ask("[...document.querySelectorAll('#all tbody tr')]"
                            ".map((r) => +r.children[1].textContent)")
        self.assertEqual(loads[0], 0.9)
        browser.ask("document.querySelectorAll('summary').forEach((s) => s.click())")
        self.assertIn("model.routing_ns",
                      browser.ask("document.getElementById('settings').textContent"))
        self.content(browser, "curves-worked")

    def test_a_self_routing_tree_shows_its_moves(self):
        browser = self.opened(self.folder / "self-routing" / "report.html")
        self.assertFalse(browser.ask("document.getElementById('moves-section').hidden"))
        drawn = json.loads(browser.ask("""JSON.stringify(echarts.getInstanceByDom(
            document.getElementById('moves')).getOption().series.map((s) => [s.name, s.data]))"""))
        self.assertEqual([name for name, _ in drawn], ["S-0-0", "S-0-1", "S-0-2", "mean"])
        with open(self.folder / "self-routing" / "results.csv", encoding="utf-8") as file:
            point = next(csv.DictReader(file))
        moves = sum(value for name, data in drawn if name != "mean" for _, value in data)
        self.assertEqual(moves, int(point["flow_moves"]))  # there is no warm-up
        self.assertGreater(moves, 0)
        self.content(browser, "self-routing")
        browser = self.opened(self.folder / "curves" / "report.html")
        self.assertTrue(browser.ask("document.getElementById('moves-section').hidden"))

    def test_delivery_in_order_is_drawn_over_what_was_varied(self):
        browser = self.opened(self.folder / "order" / "report.html")
        with open(self.folder / "order" / "results.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))

        def drawn_in(plot):
            return json.loads(browser.ask(f"""JSON.stringify(echarts.getInstanceByDom(
                document.getElementById('{plot}')).getOption().series
                .map((s) => [s.name, s.data.map((d) => d.value ?? d)]))"""))

        def press(group, text):
            browser.ask(f"[...document.querySelectorAll('#{group} button')]"
                        f".find((b) => b.textContent === '{text}').click()")

        self.assertFalse(browser.ask("document.getElementById('order').closest('section').hidden"))
        marks = sorted(tuple(mark) for _, data in drawn_in("order") for mark in data)
        expected = sorted((float(row["traffic.load"]), float(row["hca_early_share"])) for row in rows)
        for mark, row in zip(marks, expected, strict=True):
            self.assertEqual(mark[0], row[0])
            self.assertAlmostEqual(mark[1], row[1], delta=1e-6 + 1e-5 * row[1])
        self.content(browser, "order")
        press("order-what", "of a host")
        press("order-x", "over memory bytes")
        marks = sorted(tuple(mark) for _, data in drawn_in("order") for mark in data)
        self.assertEqual(marks, sorted((float(row["hca.memory_bytes"]), float(row["hca_memory_bytes_max"]))
                                       for row in rows))
        for what in range(browser.ask("document.querySelectorAll('#order-what button').length")):
            browser.ask(f"document.querySelectorAll('#order-what button')[{what}].click()")
        # The fullest host is that of a sample, and at most the fullest of all times.
        fullest = max(range(len(rows)), key=lambda i: float(rows[i]["hca_memory_bytes_max"]))
        browser.ask(f"(() => {{ const s = document.getElementById('point'); s.value = {fullest}; s.onchange(); }})()")
        distance, memory = drawn_in("order-distance")[0][1], drawn_in("order-memory")[0][1]
        connections = drawn_in("order-connections")[0][1]
        self.assertLessEqual(distance[-1][0], int(rows[fullest]["hca_distance_max"]))
        self.assertLessEqual(memory[-1][0], int(rows[fullest]["hca_memory_bytes_max"]))
        self.assertLessEqual(connections[-1][0], int(rows[fullest]["hca_connection_memory_bytes_max"]))
        self.assertGreater(connections[0][1], memory[0][1])  # four hosts have no connection
        for data in (distance, memory, connections):
            self.assertGreater(len(data), 0)
            self.assertEqual(data, sorted(data, key=lambda step: (step[0], -step[1])))
        names = browser.ask("echarts.getInstanceByDom(document.getElementById('time')).getOption()"
                            ".series.map((s) => s.name)")
        self.assertIn("fullest host", names)
        self.assertIn("fullest connection", names)
        self.content(browser, "order-worked")
        browser = self.opened(self.folder / "curves" / "report.html")
        self.assertTrue(browser.ask("document.getElementById('order').closest('section').hidden"))

    def test_classes_are_drawn_over_the_load(self):
        browser = self.opened(self.folder / "classes" / "report.html")
        with open(self.folder / "classes" / "results.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertFalse(browser.ask("document.getElementById('classes').closest('section').hidden"))

        def drawn():
            return dict(json.loads(browser.ask("""JSON.stringify(echarts.getInstanceByDom(
                document.getElementById('classes')).getOption().series.map((s) => [s.name, s.data]))""")))

        def check(column, classes):
            lines = drawn()
            self.assertEqual(set(lines), {f"{engine}, {name}" for engine in ("updn", "spf") for name in classes})
            for name, marks in lines.items():
                engine, of = name.split(", ")
                expected = [(float(row["traffic.load"]), float(row[f"{of}:{column}"]))
                            for row in rows if row["routing.engine"] == engine]
                self.assertEqual([load for load, _ in marks], [load for load, _ in expected])
                for (_, ours), (_, theirs) in zip(marks, expected, strict=True):
                    self.assertAlmostEqual(ours, theirs, delta=1e-6 + 1e-5 * theirs)
            return lines

        # Only video has deadlines. Some are missed.
        self.assertGreater(check("dmp", ["video"])["updn, video"][-1][1], 0)
        self.content(browser, "classes-dmp")
        for what, (column, classes) in enumerate((("dmt_ms", ["video"]),
                                                  ("latency_mean_ns", ["video", "best", "control"]),
                                                  ("packets_lost", ["video", "best", "control"])), start=1):
            browser.ask(f"document.querySelectorAll('#classes-what button')[{what}].click()")
            lines = check(column, classes)
            self.assertGreater(lines["updn, video"][-1][1], 0)
            self.content(browser, f"classes-{column}")
        browser = self.opened(self.folder / "curves" / "report.html")
        self.assertTrue(browser.ask("document.getElementById('classes').closest('section').hidden"))

    def test_the_keyboard_is_enough(self):
        browser = self.opened(self.folder / "curves" / "report.html")
        reached, theme = [], browser.ask("document.documentElement.dataset.theme")
        for _ in range(60):
            browser.press("Tab")
            reached.append(browser.ask("""(() => { const e = document.activeElement;
                return e.id || e.closest('[id]')?.id || e.tagName; })()"""))
            if reached[-1] == "theme" and reached.count("theme") == 1:
                browser.press("Enter")
                self.assertNotEqual(browser.ask("document.documentElement.dataset.theme"), theme)
        for place in ("theme", "curves-y", "point", "beside", "after", "fabric-what", "busiest", "all"):
            self.assertIn(place, reached)
        # The element with the focus has a visible outline.
        self.assertNotEqual(browser.ask("getComputedStyle(document.activeElement).outlineStyle"), "none")
        self.content(browser, "keyboard")

    def test_every_shape_of_fabric_in_light_and_dark_and_on_a_narrow_screen(self):
        for name in ("curves", "cube", "tree", "web", "deadlock"):
            for theme, width in drawn((("light", 1280), ("dark", 1280), ("light", 420)), 1):
                with self.subTest(name=name, theme=theme, width=width):
                    browser = self.opened(self.folder / name / "report.html", f"?theme={theme}",
                                          width=width)
                    coloured = browser.ask("""(() => { const c = document.querySelector('#fabric canvas');
                        const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
                        const seen = new Set();
                        for (let i = 0; i < d.length; i += 4)
                          if (d[i + 3] === 255) seen.add((d[i] << 16) | (d[i + 1] << 8) | d[i + 2]);
                        return seen.size; })()""")
                    self.assertGreater(coloured, 10)
                    self.assertLessEqual(browser.ask("document.documentElement.scrollWidth"), width)
                    self.content(browser, f"{name}-{theme}-{width}")

    def test_a_fault_and_its_losses_are_drawn(self):
        browser = self.opened(self.folder / "cube" / "report.html")
        self.assertRegex(browser.ask("document.getElementById('time-words').textContent"),
                         r"cut S-\d-\d-\d:\d at 150")
        names = browser.ask("echarts.getInstanceByDom(document.getElementById('time')).getOption()"
                            ".series.filter((s) => s.type === 'bar').map((s) => s.name)")
        self.assertIn("dead port", names)

    def test_a_cube_can_be_turned_around(self):
        browser = self.opened(self.folder / "cube" / "report.html")
        browser.ask("[...document.querySelectorAll('#fabric-view button')]"
                    ".find((b) => b.textContent === 'in space').click()")
        self.assertEqual(browser.ask("document.querySelectorAll('#fabric3d canvas').length"), 1)
        self.assertTrue(browser.ask("document.getElementById('fabric').hidden"))
        self.content(browser, "cube-in-space")

    def test_a_deadlock_is_named_and_outlined(self):
        browser = self.opened(self.folder / "deadlock" / "report.html")
        self.assertIn("deadlock", browser.ask("document.querySelector('.verdict.bad').textContent"))
        self.assertIn("Outlined", browser.ask("document.getElementById('fabric-words').textContent"))

    def test_undelivered_and_unoffered_traffic_is_reported(self):
        for name, words in (("lost", ("--set", "faults.random=32", "--set", "fabric.spec=torus:4x4")),
                            ("closed", ("--set", "traffic.window=2"))):
            done = sim("run", self.folder / "deadlock.toml", "--out", self.folder / name, "--set",
                       "routing.engine=updn", "--set", "traffic.load=0.05", *words)
            self.assertEqual(done.returncode, 0, done.stderr)
        browser = self.opened(self.folder / "lost" / "report.html")
        self.assertIn("no packet was delivered", browser.ask("document.querySelector('.verdict.bad').textContent"))
        browser = self.opened(self.folder / "closed" / "report.html")
        self.assertIn("steady", browser.ask("document.querySelector('.verdict').textContent"))

    def test_runs_beside_each_other(self):
        page = self.folder / "many.html"
        done = sim("report", self.folder / "curves", self.folder / "tree" / "results.sqlite",
                   self.folder / "curves", "--out", page)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        browser = self.opened(page)
        self.assertEqual(browser.ask("document.querySelectorAll('#all tbody tr').length"), 13)
        # Two runs of the same experiment are drawn as separate curves for each engine.
        self.assertEqual(browser.ask("""new Set(echarts.getInstanceByDom(document.getElementById('curves'))
            .getOption().series.map((s) => s.name)).size"""), 5)
        self.content(browser, "many")

    def test_other_files_are_refused(self):
        plain = self.folder / "plain.sqlite"
        plain.write_text("no database at all, but long enough to be looked at\n" * 4)
        for wrong in (self.folder / "nowhere", plain):
            done = sim("report", wrong, "--out", self.folder / "wrong.html")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertRegex(done.stderr, ERROR)
            self.assertFalse((self.folder / "wrong.html").exists())
        self.assertEqual(sim("report").returncode, 2)


if __name__ == "__main__":
    unittest.main()
