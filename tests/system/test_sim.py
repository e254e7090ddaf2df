# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""selvedge-sim as users run it: results, bad input, stopping and going on, several processes."""
import contextlib
import csv
import io
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
import unittest

SIM = pathlib.Path(os.environ["SELVEDGE_BUILD_DIR"]) / "bin" / "selvedge-sim"
ROUTE = SIM.with_name("selvedge-route")
ROOT = pathlib.Path(__file__).resolve().parents[2]
TIMES = ("cpu_s", "wall_s")
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

SMALLEST = """
[fabric]
spec = "torus:4x4"
[routing]
engine = "updn"
[model]
preset = "thesis"
[traffic]
pattern = "uniform"
load = [0.1, 0.3]
payload_bytes = 32
[measure]
warmup_us = 20.0
duration_us = 100.0
[run]
seed = 1
"""


class Sim(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.write("experiment.toml", SMALLEST)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def sim(self, *words, status=0, before=(), **more):
        done = subprocess.run([*before, SIM, *words], capture_output=True, text=True, timeout=300,
                              cwd=self.folder, **more)
        self.assertEqual(done.returncode, status, done.stderr + done.stdout)
        return done

    def rows(self, out="results-experiment"):
        with open(self.folder / out / "results.csv", encoding="utf-8", newline="") as f:
            return list(csv.DictReader(f))

    def bytes_without_times(self, out):
        text = io.StringIO()
        rows = self.rows(out)
        writer = csv.DictWriter(text, [c for c in rows[0] if c not in TIMES], extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue()

    def error(self, *words, status=2):
        done = self.sim("run", *words, status=status)
        self.assertEqual(done.stdout, "")
        lines = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
        self.assertEqual(len(lines), 1, done.stderr)
        return lines[0]

    def test_an_experiment_becomes_results(self):
        done = self.sim("run", self.file, "--json")
        said = json.loads(done.stdout)
        results = said.pop("results")
        self.assertEqual(said, {"points": 2, "simulated": 2, "found": 0,
                                "out": "results-experiment"})
        rows = self.rows()
        self.assertEqual([r["keys"]["traffic.load"] for r in results], ["0.1", "0.3"])
        for result, row in zip(results, rows):
            self.assertEqual(result["state"], row["state"])
            self.assertEqual(result["latency_mean_ns"], float(row["latency_mean_ns"]))
            self.assertEqual({*result} - {"keys"}, {*row} - {"traffic.load"})
        self.assertEqual([r["traffic.load"] for r in rows], ["0.1", "0.3"])
        for row in rows:
            self.assertEqual(row["state"], "steady")
            counts = {k: int(row["packets_" + k]) for k in ("injected", "delivered", "lost",
                                                            "in_flight")}
            self.assertEqual(counts["injected"],
                             counts["delivered"] + counts["lost"] + counts["in_flight"])
            self.assertGreater(float(row["latency_p99_ns"]), float(row["latency_mean_ns"]))
            self.assertGreaterEqual(float(row["latency_mean_ns"]),
                                    float(row["network_latency_mean_ns"]))
        self.assertGreater(float(rows[1]["accepted_bytes_per_ns_per_switch"]),
                           2 * float(rows[0]["accepted_bytes_per_ns_per_switch"]))
        self.assertTrue((self.folder / "results-experiment" / "results.sqlite").exists())

    def test_output_ends_with_the_swept_keys_and_the_report(self):
        shown = self.sim("run", self.file, "--set", "run.seed=[1,2]", "--out", "o").stdout
        head, *points, last = shown.splitlines()
        self.assertEqual(head.split()[:4], ["point", "load", "seed", "state"])
        self.assertEqual([line.split()[:4] for line in points],
                         [[row["point"], row["traffic.load"], row["run.seed"], row["state"]]
                          for row in self.rows("o")])
        self.assertEqual(last, "4 points, 4 simulated now, 0 already in the results: o/report.html")
        self.assertTrue((self.folder / "o" / "report.html").exists())

    def test_shipped_experiments_can_be_read(self):
        for file in sorted((ROOT / "conf" / "experiments").rglob("*.toml")):
            with self.subTest(file.name):
                out = f"out-{file.stem}"
                self.sim("run", file, "--out", out, "--set", "measure.duration_us=4",
                         "--set", "measure.warmup_us=1")
                self.assertGreater(len(self.rows(out)), 1)

    def test_jobs_change_nothing(self):
        for jobs in (1, 2, 5):
            self.sim("run", self.file, "--jobs", str(jobs), "--out", f"o{jobs}",
                     "--set", "run.seed=[1,2,3]")
        self.assertEqual(self.bytes_without_times("o1"), self.bytes_without_times("o2"))
        self.assertEqual(self.bytes_without_times("o1"), self.bytes_without_times("o5"))

    def test_jobs_change_nothing_with_a_protocol(self):
        """Adaptive switches reorder, memory is short, cables are cut: still the same bytes."""
        common = ("--set", "traffic.load=0.3", "--set", "run.seed=[1,2]", "--set", "faults.random=2", "--set",
                  "faults.at_us=60")
        daemon = ("--set", 'hca.protocol=["none","li","credits"]', "--set", "hca.memory_bytes=1024", "--set",
                  "routing.lmc=2", "--set", "model.preset=martinez", "--set", "model.mtu_bytes=512", "--set",
                  "model.selection=most-credits", "--set", "model.escape_queues=true")
        for name, keys in (("daemon", daemon), ("thesis", ("--set", "hca.protocol=thesis"))):
            with self.subTest(name):
                for jobs in (1, 3):
                    self.sim("run", self.file, "--jobs", str(jobs), "--out", f"{name}{jobs}", *common, *keys)
                self.assertEqual(self.bytes_without_times(f"{name}1"), self.bytes_without_times(f"{name}3"))
                for row in self.rows(f"{name}1"):
                    self.assertGreater(int(row["hca_packets_sent"]), 0)

    @unittest.skipUnless(shutil.which("mpirun"), "no mpirun")
    def test_two_ranks_give_the_bytes_of_one(self):
        self.sim("run", self.file, "--out", "one", "--set", "run.seed=[1,2,3]")
        mpirun = ["mpirun", "--oversubscribe", "-n", "2"]
        done = self.sim("run", self.file, "--out", "two", "--set", "run.seed=[1,2,3]", "--json",
                        before=mpirun, env=os.environ | MPI)
        self.assertEqual(json.loads(done.stdout)["simulated"], 6)
        self.assertEqual(self.bytes_without_times("one"), self.bytes_without_times("two"))
        # What one process found out is there for two, and the other way round.
        done = self.sim("run", self.file, "--out", "one", "--json", before=mpirun,
                        env=os.environ | MPI)
        self.assertEqual(json.loads(done.stdout)["found"], 2)
        done = self.sim("run", self.file, "--out", "bad", "--set", "traffic.load=-1", status=2,
                        before=mpirun, env=os.environ | MPI)
        self.assertIn("error: [traffic] load has a value that is not allowed", done.stderr)

    def test_a_job_array(self):
        self.sim("run", self.file, "--out", "one", "--set", "run.seed=[1,2,3]")
        for part in range(4):
            self.sim("run", self.file, "--out", "array", "--set", "run.seed=[1,2,3]",
                     "--part", f"{part}/4")
        done = self.sim("run", self.file, "--out", "array", "--set", "run.seed=[1,2,3]", "--json")
        self.assertEqual(json.loads(done.stdout)["found"], 6)
        self.assertEqual(self.bytes_without_times("one"), self.bytes_without_times("array"))

    def task(self, number, *words, step=1, **more):
        environment = os.environ | {"PATH": f"{SIM.parent}:{os.environ['PATH']}",
                                    "SLURM_ARRAY_TASK_STEP": str(step)} | more
        if number is not None:
            environment["SLURM_ARRAY_TASK_ID"] = str(number)
        return subprocess.run(["bash", ROOT / "conf" / "slurm" / "selvedge-sim-array.sh", *words],
                              capture_output=True, text=True, timeout=300, cwd=self.folder,
                              env=environment)

    def test_a_slurm_task_is_its_part_in_any_array(self):
        words = ["3", self.file, "out", "--set", "run.seed=[1,2,3]", "--json"]
        # Task 1 of 0-2, and the same one submitted again by itself.
        for alone, simulated in (({"MIN": "0", "MAX": "2", "COUNT": "3"}, 2),
                                 ({"MIN": "1", "MAX": "1", "COUNT": "1"}, 0)):
            done = self.task(1, *words, **{f"SLURM_ARRAY_TASK_{k}": v for k, v in alone.items()})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["simulated"], simulated)
        for number in (0, 2):
            self.assertEqual(self.task(number, *words).returncode, 0)
        done = self.sim("run", self.file, "--out", "out", "--set", "run.seed=[1,2,3]", "--json")
        self.assertEqual(json.loads(done.stdout)["found"], 6)

    def test_the_slurm_script_refuses_missing_parts(self):
        def refused(number, *words, **more):
            done = self.task(number, *words, **more)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertRegex(done.stderr, r"\Aerror: [^\n]+\n\Z")
            return done.stderr
        self.assertIn("stride", refused(2, "4", self.file, "out", step=2))
        self.assertIn("--array=0-3", refused(4, "4", self.file, "out"))
        self.assertIn("PARTS", refused(0, self.file, "out", "--json"))
        self.assertIn("are missing", refused(0, self.file, "out"))
        self.assertIn("no task", refused(None, "4", self.file, "out"))
        self.assertFalse((self.folder / "out").exists())

    def test_a_killed_run_resumes(self):
        set_ = ["--set", "run.seed=[1,2,3,4,5,6,7,8]", "--set", "measure.duration_us=4000.0"]
        running = subprocess.Popen([SIM, "run", self.file, "--out", "killed", "--jobs", "1", *set_],
                                   cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        results = self.folder / "killed" / "results.sqlite"
        finished = 0
        deadline = time.monotonic() + 120
        while finished < 3 and time.monotonic() < deadline and running.poll() is None:
            time.sleep(0.01)
            if results.exists():
                try:
                    with sqlite3.connect(f"file:{results}?mode=ro", uri=True) as db:
                        finished = db.execute("SELECT count(*) FROM points").fetchone()[0]
                except sqlite3.OperationalError:
                    pass  # it is being made
        running.send_signal(signal.SIGKILL)
        running.wait()
        self.assertGreaterEqual(finished, 3)
        done = self.sim("run", self.file, "--out", "killed", "--json", *set_)
        count = json.loads(done.stdout)
        self.assertGreaterEqual(count["found"], 3)
        self.assertEqual(count["found"] + count["simulated"], 16)
        self.sim("run", self.file, "--out", "whole", *set_)
        self.assertEqual(self.bytes_without_times("killed"), self.bytes_without_times("whole"))

    def test_bad_input_gives_one_line_and_writes_nothing(self):
        self.assertIn("did you mean 'load'?", self.error(self.file, "--set", "traffic.laod=1"))
        self.assertIn("experiment.toml:10", self.error(self.write(
            "experiment.toml", SMALLEST.replace("[0.1, 0.3]", "[0.1, -3]"))))
        self.assertIn("experiment.toml:7", self.error(self.write(
            "experiment.toml", SMALLEST.replace('preset = "thesis"', "link_rate_gbps = 5000"))))
        self.file = self.write("experiment.toml", SMALLEST)
        self.assertIn("unifrom", self.error(self.file, "--set", "traffic.pattern=unifrom"))
        self.assertIn("torus:8by8", self.error(self.file, "--set", "fabric.spec=torus:8by8"))
        self.assertIn("--allow-unproved", self.error(self.file, "--set", "routing.engine=spf",
                                                     "--set", "fabric.spec=torus:5x5"))
        self.assertIn("nowhere.toml", self.error("nowhere.toml"))
        self.assertIn("add FILE", self.error())
        self.assertIn("write SECTION.KEY=VALUE", self.error(self.file, "--set", "load"))
        self.assertIn("--jobs", self.error(self.file, "--jobs", "0"))
        self.assertIn("--part", self.error(self.file, "--part", "4/4"))
        self.assertIn("S-9-9", self.error(self.file, "--set", 'fabric.fail=["S-9-9"]'))
        trace = self.write("trace.csv", "time_ns,from,to,bytes\n0,H-0-0,H-0-1,8\n5,H-0-0,H-9-9,8\n")
        message = self.error(self.file, "--set", "traffic.pattern=trace", "--set",
                             f"traffic.trace={trace}")
        self.assertIn("H-9-9", message)
        self.assertIn("trace.csv:3", message)
        self.assertEqual({p.name for p in self.folder.iterdir()}, {"experiment.toml", "trace.csv"})

    def test_a_trace_with_management(self):
        # Six hosts at once to one: VL 15 has no credits, and room for one packet at each port.
        self.write("trace.csv", "time_ns,from,to,bytes,vl15\n" + "".join(
            f"0,{host},5,256,1\n" for host in range(5)) + "30000,0,1,256,1\n")
        self.sim("run", self.file, "--out", "o", "--set", "traffic.pattern=trace", "--set",
                 "traffic.trace=trace.csv", "--set", "traffic.load=0.1", "--set",
                 "measure.warmup_us=1")
        row, = self.rows("o")
        self.assertEqual(row["packets_generated"], "6")
        self.assertGreater(int(row["vl15_dropped"]), 0)
        self.assertEqual(row["packets_lost"], row["vl15_dropped"])
        self.assertEqual(int(row["packets_delivered"]), 6 - int(row["packets_lost"]))

    def test_empty_messages_take_a_byte_of_load(self):
        self.sim("run", self.file, "--out", "o", "--set", "model.header_bytes=0", "--set",
                 "traffic.payload_bytes=0", "--set", "traffic.load=[0.02,0.1]")
        for row in self.rows("o"):
            self.assertAlmostEqual(float(row["accepted_load"]) / float(row["traffic.load"]), 1,
                                   delta=0.1)

    def test_looping_packets_are_no_steady_state(self):
        args = ("--out", "o", "--set", "fabric.spec=torus:8x8", "--set", "routing.engine=tftr",
                "--set", "routing.lmc=2", "--set", "model.preset=martinez", "--set",
                "model.selection=first-free", "--set", "model.escape_queues=true", "--set",
                "traffic.load=0.05", "--set", "measure.duration_us=300")
        self.assertIn("can deadlock", self.error(self.file, *args))
        self.sim("run", self.file, *args, "--allow-unproved")
        row, = self.rows("o")
        self.assertEqual(row["state"], "saturated")
        self.assertIn("the network fills up", row["diagnosis"])

    def test_one_key_for_both_buffers(self):
        self.sim("run", self.file, "--out", "one", "--set", "model.buffer_bytes=512", "--set",
                 "traffic.load=0.4")
        self.sim("run", self.file, "--out", "two", "--set", "model.input_buffer_bytes=512",
                 "--set", "model.output_buffer_bytes=512", "--set", "traffic.load=0.4")
        self.assertEqual(self.bytes_without_times("one"), self.bytes_without_times("two"))

    def test_two_runs_in_one_folder(self):
        for i in range(5):
            runs = [subprocess.Popen([SIM, "run", self.file, "--out", f"o{i}"], cwd=self.folder,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
                    for _ in range(2)]
            for run in runs:
                self.assertEqual((run.communicate(timeout=60), run.returncode)[1], 0)
            self.assertEqual(len(self.rows(f"o{i}")), 2)

    def test_other_files_are_kept(self):
        self.sim("run", self.file, "--out", "o")
        before = (self.folder / "o" / "results.sqlite").read_bytes()
        done = self.sim("report", "o", "--out", "o/results.sqlite", status=2)
        self.assertIn("choose another --out", done.stderr)
        self.assertEqual((self.folder / "o" / "results.sqlite").read_bytes(), before)
        (self.folder / "alien").mkdir()
        with contextlib.closing(sqlite3.connect(self.folder / "alien" / "results.sqlite")) as db:
            db.execute("CREATE TABLE foo (a)")
        self.assertIn("other data", self.error(self.file, "--out", "alien"))

    def test_tables_from_a_file(self):
        subprocess.run([ROUTE, "compute", "--fabric", "torus:4x4", "--engine", "updn", "--tables",
                        self.folder / "t.json"], check=True, capture_output=True, timeout=60)
        given = self.write("given.toml", SMALLEST.replace('engine = "updn"', 'tables = "t.json"'))
        self.sim("run", self.file, "--out", "engine")
        self.sim("run", given, "--out", "given")
        self.assertEqual(self.bytes_without_times("engine"), self.bytes_without_times("given"))
        self.error(given, "--set", "fabric.spec=torus:4x5")

    def test_a_repair_handles_the_faults(self):
        out = "repaired"
        self.sim("run", self.file, "--out", out, "--set", 'fabric.fail=["S-0-0:2"]', "--set",
                 "routing.repair=rftr")
        self.assertEqual({r["packets_lost"] for r in self.rows(out)}, {"0"})

    def test_a_full_disk_is_one_error(self):
        full = "/dev/full"
        if not os.path.exists(full):
            self.skipTest("no /dev/full")
        os.makedirs(self.folder / "o")
        os.symlink(full, self.folder / "o" / "results.csv")
        done = self.sim("run", self.file, "--out", "o", status=3)
        self.assertIn("No space left on device", done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()[-1:]), 1)
        os.remove(self.folder / "o" / "results.csv")
        self.assertEqual(json.loads(self.sim("run", self.file, "--out", "o", "--json").stdout)
                         ["found"], 2)

    def test_claims(self):
        claims = ROOT / "conf" / "claims"
        listed = json.loads(self.sim("reproduce", "--list", "--json", "--claims", claims).stdout)
        self.assertTrue({"G1", "G2", "G5"} <= {c["id"] for c in listed})
        done = json.loads(self.sim("reproduce", "G2", "G5", "--quick", "--json", "--claims", claims)
                          .stdout)
        self.assertEqual([(c["id"], c["holds"]) for c in done], [("G2", True), ("G5", True)])
        wrong = self.folder / "wrong"
        wrong.mkdir()
        text = (claims / "G2.toml").read_text(encoding="utf-8")
        (wrong / "G2.toml").write_text(text.replace("least = 0", "least = 1"), encoding="utf-8")
        done = self.sim("reproduce", "G2", "--claims", wrong, status=1)
        self.assertIn("FAIL G2", done.stdout)
        done = self.sim("reproduce", "G3x", "--claims", claims, status=2)
        self.assertIn("no such claim", done.stderr)

    def test_help_and_version(self):
        self.assertRegex(self.sim("--version").stdout, r"^selvedge-sim \d+\.\d+\.\d+\n$")
        for verb in ("run", "reproduce"):
            self.assertIn("Usage: selvedge-sim " + verb, self.sim(verb, "--help").stdout)
        self.assertIn("did you mean run?", self.sim("rnu", status=2).stderr)


if __name__ == "__main__":
    unittest.main()
