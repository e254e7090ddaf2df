# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""`selvedge-route capture` of real opensms: what it has read is what OpenSM dumped (LFTs, SL2VL rows) and what its SA
answers (SLs), also for engines that are not ours; then compare, verify and the simulator take the file. The subnet is the
emulator's, in one drawn case ibsim's."""
import collections
import csv
import json
import re
import subprocess
import threading
import time
import unittest

from fabrics import irregular_net
from opensm_case import PATIENCE_S, ROUTE, OpenSmCase, first_host, generated_net, number
from peers import DUMPS
from tests.support.draw import SEED, drawn
from tools.lab import torus_net
from tools.lab.read_tables import subnet_client

SIM = ROUTE.with_name("selvedge-sim")

# Engine: (fabric, LMC, whether the plugin is loaded).
CASES = {
    "minhop": (irregular_net, 0, False),
    "updn": (lambda: generated_net("tree:k=4,n=2"), 1, False),  # elsewhere OpenSM's finds no roots
    "lash": (lambda: torus_net(4, 4, hosts=2), 0, False),
    "selvedge-balanced": (irregular_net, 1, True),
    "selvedge-tftr": (lambda: torus_net(4, 4), 3, True),
}


class CaptureCase(OpenSmCase):
    def capture(self, lab, host, *options, accept=(0,)):
        """(document, standard error, path) of a capture from a simulated host."""
        out = lab.folder / "captured.json"
        done = subprocess.run([ROUTE, "capture", "--out", out, "--json", *map(str, options)], env=lab.environment(host),
                              cwd=lab.folder, capture_output=True, text=True, timeout=4 * PATIENCE_S, check=False)
        self.assertIn(done.returncode, accept, done.stderr)
        return json.loads(done.stdout) if done.returncode == 0 else None, done.stderr, out

    @staticmethod
    def dumped_lfts(sm):
        """{switch GUID: {LID: port}} of OpenSM's dump."""
        lfts, lft = {}, {}
        for line in (sm.folder / "opensm.fdbs").read_text(encoding="utf-8").splitlines():
            if line.startswith("dump_ucast_routes: Switch"):
                lft = lfts.setdefault(int(line.split()[2], 16), {})
            elif match := re.match(r"0x([0-9A-F]{4}) : (\d{3})\b", line):
                lft[int(match[1], 16)] = int(match[2])
        return lfts

    @staticmethod
    def dumped_rows(sm):
        """({switch GUID: {(in, out): row}}, rows of the adapters) of OpenSM's dump."""
        rows, hosts, here = collections.defaultdict(dict), set(), None
        for line in (sm.folder / "opensm-sl2vl.dump").read_text(encoding="utf-8", errors="replace").splitlines():
            if match := re.match(r"(Switch|Channel Adapter) 0x([0-9a-f]+)", line):
                here = int(match[2], 16) if match[1] == "Switch" else None
            elif match := re.match(r"(\d+)\s+(\d+)\s+: ([\d ]+)$", line):
                row = tuple(map(int, match[3].split()))
                if here is None:
                    hosts.add(row)
                else:
                    rows[here][int(match[1]), int(match[2])] = row
        return rows, hosts

    def check_tables(self, sm, tables):
        switches, hosts = tables["fabric"]["switches"], tables["fabric"]["hosts"]
        guid = {s["id"]: number(s["guid"]) for s in switches}
        lfts = self.dumped_lfts(sm)
        self.assertEqual(sorted(lfts), sorted(guid.values()))
        for s in switches:
            seen = {lid: port for lid, port in enumerate(tables["lft"][s["id"]]) if port != 255 and lid > 0}
            self.assertEqual(seen, {lid: port for lid, port in lfts[guid[s["id"]]].items() if port != 255}, s["name"])
        rows, host_rows = self.dumped_rows(sm)
        cabled = collections.defaultdict(set)
        for a, p, b, q in tables["fabric"]["links"]:
            cabled[a].add(p)
            cabled[b].add(q)
        for h in hosts:
            cabled[h["switch"]].add(h["port"])
        compared = 0
        for s in switches:
            read = tables["sl2vl"][s["id"]]
            for out in cabled[s["id"]]:
                for port in (0, *cabled[s["id"]]):
                    row = read.get(f"{port},{out}", read["default"])
                    self.assertEqual(tuple(row), rows[guid[s["id"]]][port, out], (s["name"], port, out))
                    compared += 1
        self.assertEqual(compared, sum(len(p) * (len(p) + 1) for p in cabled.values()))
        self.assertEqual({tuple(tables["host_sl2vl"])}, host_rows)

    def check_sls(self, lab, host, tables, unseen_max=0):
        """Each SL that the SA answers now is among those that were captured, but for `unseen_max`; returns how many are not
        the first that was."""
        lids = {h["id"]: range(h["lid"], h["lid"] + (1 << h["lmc"])) for h in tables["fabric"]["hosts"]}
        ends = [*lids.values(), *([s["lid"]] for s in tables["fabric"]["switches"])]
        pairs = [(h, dlid) for h in tables["fabric"]["hosts"] for end in ends if h["lid"] not in end for dlid in end]
        done = subnet_client(lab, host, "sls", text="".join(f"{h['lid']} {dlid}\n" for h, dlid in pairs))
        answers = done.stdout.split()
        self.assertEqual(len(answers), len(pairs), done.stderr)
        further = tables.get("further_path_sl")
        different = unseen = 0
        for (h, dlid), answer in zip(pairs, answers):
            if answer == "none":
                self.assertNotIn(dlid, [lid for r in lids.values() for lid in r])
                continue
            sl = tables["path_sl"][h["switch"]][dlid]
            known = {sl, *(further[h["switch"]].get(str(dlid), []) if further else [])}
            unseen += int(answer) not in known
            different += int(answer) != sl
        self.assertLessEqual(unseen, unseen_max)
        return different

    def up(self, lab, text, engine, lmc, ours):
        options = {"routing_engine": f"{engine},no_fallback", "qos": True, "lmc": lmc, **DUMPS}
        host = first_host(text)
        if ours:
            sm = self.start(lab, host=host, options=options)
        else:
            sm = lab.opensm("sm", host=host, options=options)
        sm.wait_up(timeout_s=2 * PATIENCE_S)
        if ours:  # not interim tables
            sm.wait_status(lambda s: (s["last_sweep"] or {}).get("tables_of") == engine.removeprefix("selvedge-"),
                           timeout_s=2 * PATIENCE_S)
        return sm

    def live(self, engine, subnet):
        make, lmc, ours = CASES[engine]
        text = make()
        with self.start_lab(text, subnet=subnet) as lab:
            sm = self.up(lab, text, engine, lmc, ours)

            def same():
                found, said, path = self.capture(lab, sm.host)
                tables = json.loads(path.read_text(encoding="utf-8"))
                self.check_tables(sm, tables)
                self.assertEqual(self.check_sls(lab, sm.host, tables), 0)
                return found, said, path
            found, said, path = self.eventually(same)
            self.assertEqual((found["manager"], found["sampled"], found["changing_pairs"]), (sm.host, False, 0))
            self.assertIn("seed 1", said)
            proof = self.verify(path)
            print(f"{engine} on {subnet}, SELVEDGE_SEED={SEED}: {found['pairs']} pairs, {proof['vls_used']} VLs, {proof['sls_used']} SLs, "
                  f"deadlock free {proof['deadlock_free']}", flush=True)
            self.assertTrue(proof["connected"] and proof["loop_free"], proof)
            if engine != "minhop":
                self.assertTrue(proof["deadlock_free"], proof)
            if engine == "lash":
                self.assertGreater(proof["vls_used"], 1)
            self.compare(lab, sm.host, path, proof)
            if proof["deadlock_free"]:
                self.simulate(lab, path)
            self.assertTrue(sm.running)

    def simulate(self, lab, path):
        """The simulator carries all that is offered on the captured tables, which no engine of ours need have made."""
        experiment = lab.folder / "captured.toml"
        experiment.write_text(f'title = "captured"\n[routing]\ntables = "{path}"\n[traffic]\nload = 0.05\n'
                              '[measure]\nwarmup_us = 20.0\nduration_us = 200.0\n', encoding="utf-8")
        done = subprocess.run([SIM, "run", experiment, "--out", lab.folder / "simulated"], capture_output=True, text=True,
                              timeout=2 * PATIENCE_S, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(lab.folder / "simulated" / "results.csv", encoding="utf-8") as text:
            points = list(csv.DictReader(text))
        self.assertEqual(len(points), 1)
        self.assertAlmostEqual(float(points[0]["accepted_load"]), 0.05, delta=0.005)

    def compare(self, lab, host, path, proof):
        """The file beside an engine on the same fabric; and refused beside one on another."""
        topology = lab.folder / "topology.txt"
        topology.write_text(subprocess.run(["ibnetdiscover"], env=lab.environment(host), cwd=lab.folder,
                                           capture_output=True, text=True, check=True).stdout, encoding="utf-8")
        done = subprocess.run([ROUTE, "compare", "--fabric", f"file:{topology}", "--engines", "updn", "--tables", path,
                               "--permutations", "20", "--json"], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = json.loads(done.stdout)["rows"]
        self.assertEqual([row["tables"] for row in rows], [None, str(path)])
        self.assertEqual(rows[1]["deadlock_free"], proof["deadlock_free"])
        self.assertEqual((rows[1]["vls_used"], rows[1]["sls_used"]), (proof["vls_used"], proof["sls_used"]))
        done = subprocess.run([ROUTE, "compare", "--fabric", "torus:3x3", "--tables", path], capture_output=True,
                              text=True, timeout=PATIENCE_S, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
        self.assertIn("give the fabric that the tables were made for", done.stderr)


class Capture(CaptureCase):
    def test_dfsssp_answers_with_several_sls(self):
        """They are named, all that are answered are proved, and tools that take one SL refuse the file."""
        text = torus_net(4, 4)
        with self.start_lab(text) as lab:
            sm = self.up(lab, text, "dfsssp", 0, False)
            found, _, path = self.capture(lab, "H-2-2")
            self.assertGreater(found["changing_pairs"], 0)
            self.assertRegex(" ".join(found["remarks"]), r"the subnet manager on H-0-0 \(LID \d+\) changes its answers: "
                             r"\d+ of 496 pairs had several SLs in \d+ rounds, the first \S+ to LID \d+: \d+, \d+")
            tables = json.loads(path.read_text(encoding="utf-8"))
            self.check_tables(sm, tables)
            # A round without a new SL ended the questions: a rare one may be missing.
            self.assertGreater(self.check_sls(lab, sm.host, tables, unseen_max=5), 0)
            proof = self.verify(path)
            self.assertEqual(proof["status"], 0, proof)
            self.assertGreater(proof["sls_used"], 2)
            self.assertIn("several SLs, each of which is proved", " ".join(proof["remarks"]))
            self.assertIn("changes its answers", " ".join(proof["remarks"]))
            # An SL of another layer for one of the paths: the proof sees it.
            wrong = lab.folder / "wrong.json"
            for per_switch in tables["further_path_sl"]:
                for lid in per_switch:
                    per_switch[lid] = list(range(16))
            wrong.write_text(json.dumps(tables), encoding="utf-8")
            self.assertFalse(self.verify(wrong)["deadlock_free"])
            done = subprocess.run([ROUTE, "faults", "--tables", path, "--faults", "1", "--all", "--repair", "rftr"],
                                  capture_output=True, text=True, timeout=PATIENCE_S, check=False)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
            self.assertIn("--repair takes tables with one SL for each path", done.stderr)

    def test_a_fabric_that_changes(self):
        """It is said, read again, and then given up."""
        text = torus_net(4, 4)
        with self.start_lab(text) as lab:
            sm = self.up(lab, text, "minhop", 0, False)
            done = threading.Event()
            subnet = lab.read_subnet(host=sm.host)
            writes = ((s.lid, h.lid, 1 + subnet.lfts[s.guid][h.lid] % 4) for s in subnet.switches.values() for h in subnet.hosts)

            def write():  # one LFT entry after another, without the SM's knowledge
                while not done.wait(0.2):
                    self.client(lab, "H-3-3", "entry", *next(writes))
            writing = threading.Thread(target=write)
            writing.start()
            try:
                found, said, path = self.capture(lab, sm.host, "--rate", 500, accept=(3,))
            finally:
                done.set()
                writing.join()
            self.assertIsNone(found)
            self.assertFalse(path.exists())
            lines = said.splitlines()
            self.assertEqual([line.endswith("while the subnet was read: reading it again") for line in lines],
                             [True, True, False], said)
            self.assertRegex(lines[2], "^error: the subnet changed while it was read, 3 times: ")
            self.assertEqual(len(json.loads(self.capture(lab, sm.host)[2].read_text(encoding="utf-8"))["fabric"]["links"]), 32)

    def test_rate(self):
        """Not more MADs a second than allowed."""
        text = torus_net(3, 3)
        with self.start_lab(text) as lab:
            sm = self.up(lab, text, "minhop", 0, False)
            began = time.monotonic()
            found, _, _ = self.capture(lab, sm.host, "--rate", 500)
            smps = 2 * (9 * (1 + 1 + 30) + 9)
            self.assertGreater(time.monotonic() - began, 0.9 * (smps + found["questions"]) / 500)

    def test_without_out_the_tables_are_printed(self):
        text = torus_net(3, 3)
        with self.start_lab(text) as lab:
            sm = self.up(lab, text, "minhop", 0, False)
            done = subprocess.run([ROUTE, "capture"], env=lab.environment(sm.host), cwd=lab.folder, capture_output=True,
                                  text=True, timeout=2 * PATIENCE_S, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout, self.capture(lab, sm.host)[2].read_text(encoding="utf-8"))
            sm.kill()

    def test_bad_input(self):
        def said(*options):
            done = subprocess.run([ROUTE, "capture", *options], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
            self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1), done.stderr)
            return done.returncode, done.stderr
        # There is no InfiniBand here, unless a simulated one is preloaded.
        status, text = said("--out", "/nowhere/captured.json")
        self.assertEqual(status, 3)
        self.assertIn("ib_umad", text)
        self.assertEqual(said("--ca", "a'b")[0], 2)
        self.assertEqual(said("--rate", "0")[0], 2)
        self.assertEqual(said("--json")[0], 2)


for _engine in CASES:
    def _case(self, engine=_engine):
        self.live(engine, "emulate")
    setattr(Capture, f"test_{_engine.replace('-', '_')}", _case)


class OnIbsim(CaptureCase):
    def test_drawn(self):
        for engine in drawn(sorted(CASES), 1):
            with self.subTest(engine=engine):
                self.live(engine, "ibsim")


if __name__ == "__main__":
    unittest.main()
