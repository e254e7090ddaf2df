# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Two selvedged on one machine and applications at both: real processes, real sockets.

    selvedge-perf send -> [a.sock] selvedged A == 8 paths over loopback == selvedged B [b.sock] -> selvedge-perf serve
"""
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.request

BIN = pathlib.Path(os.environ["SELVEDGE_BUILD_DIR"]) / "bin"
CONF = pathlib.Path(__file__).resolve().parents[2] / "conf"
IMPAIRED = "[impair]\nloss = 0.01\nduplicate = 0.01\nreorder = 0.1\nreorder_depth = 32\nseed = 7\n"


def free_ports(count, family=socket.AF_INET, host="127.0.0.1"):
    """The first of `count` free UDP ports with consecutive numbers."""
    while True:
        first = random.randrange(20000, 60000)
        try:
            for port in range(first, first + count):
                with socket.socket(family, socket.SOCK_DGRAM) as probe:
                    probe.bind((host, port))
            return first
        except OSError:
            continue


def status(process):
    """{key: value} of a process's status file (proc(5), pid/status)."""
    text = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    return {line.split(":", 1)[0]: line.split(":", 1)[1].split() for line in text.splitlines()}


class Daemons(unittest.TestCase):
    patience = 1  # by which the times are multiplied after which a test fails

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.processes = []
        self.addCleanup(self.stop_all)
        self.address = {}

    def stop_all(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.wait()

    def start(self, *command):
        process = subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.processes.append(process)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        return process

    def daemon(self, name, extra="", daemon="", host="127.0.0.1", udp="", port=None):
        family = socket.AF_INET6 if host.startswith("[") else socket.AF_INET
        port = port or free_ports(8, family, host.strip("[]"))
        self.address[name] = f"{host}:{port}"
        config = self.folder / f"{name}.toml"
        config.write_text(f'[daemon]\nsocket = "{self.folder}/{name}.sock"\n{daemon}\n'
                          f'[udp]\nlisten = "{host}:{port}"\n{udp}\n{extra}')
        process = self.start(BIN / "selvedged", "--config", config)
        self.assertIn("local socket", process.stderr.readline())
        return process

    def serve(self, name="b", service="perf"):
        process = self.start(BIN / "selvedge-perf", "serve", "--socket",
                             self.folder / f"{name}.sock", "--service", service)
        self.assertIn("serving", process.stderr.readline())
        return process

    def send_command(self, *options, verb="send", name="a", to="b", service="perf"):
        return [BIN / "selvedge-perf", verb, "--socket", self.folder / f"{name}.sock", "--to",
                f"{self.address[to]}/{service}", "--json", *options]

    def send(self, *options, status=0, **where):
        done = subprocess.run([str(c) for c in self.send_command(*options, **where)],
                              capture_output=True, text=True, timeout=120 * self.patience)
        self.assertEqual(done.returncode, status, done.stderr)
        return json.loads(done.stdout) if status == 0 else done.stderr

    def ask(self, name, verb):
        done = subprocess.run([BIN / "selvedgectl", verb, "--json", "--socket",
                               self.folder / f"{name}.sock"], capture_output=True, text=True,
                              timeout=20 * self.patience, check=True)
        return json.loads(done.stdout)

    def wait_until_stopped(self, process, within=10):
        """Waits until a process that was sent SIGSTOP is stopped: that happens some time after."""
        end = time.monotonic() + within * self.patience
        while status(process)["State"][0] != "T":
            self.assertLess(time.monotonic(), end, "the process does not stop")
            time.sleep(0.01)

    def wait_for(self, condition, within=20):
        end = time.monotonic() + within * self.patience
        while not condition():
            self.assertLess(time.monotonic(), end, "it does not come about")
            time.sleep(0.05)

    def connections_end(self, name, within=5, leaving=0):
        end = time.monotonic() + within * self.patience
        while time.monotonic() < end:
            if self.ask(name, "status")["connections"] == leaving:
                return True
            time.sleep(0.05)
        return False


class Delivery(Daemons):
    def check(self, count=20000, size=4096, **daemons):
        self.daemon("a", **daemons)
        self.daemon("b", **daemons)
        self.serve()
        result = self.send("--count", count, "--size", size, "--verify")
        self.assertEqual(result["messages"], count)
        self.assertEqual(result["bytes"], count * size)
        self.assertEqual(result["errors"], 0)
        for name in "ab":
            self.assertTrue(self.connections_end(name), f"{name} keeps connections")
            status = self.ask(name, "status")
            self.assertLessEqual(status["memory_bytes_used_max"], status["memory_bytes_total"])
            self.assertEqual(status["memory_bytes_used"], 0)
        return result

    def test_clean(self):
        self.assertEqual(self.check()["rejected"], 0)

    def test_reordered_and_lossy(self):
        self.assertGreater(self.check(extra=IMPAIRED)["retransmitted"], 100)

    def test_connections_beside_reordered_traffic(self):
        """A handshake that is held back, and goes with packets of another path, still says who sent it."""
        for name in "ab":
            self.daemon(name, extra="[impair]\nreorder = 0.5\nreorder_depth = 32\n")
        self.serve()
        busy = self.start(*self.send_command("--count", 10_000_000, "--size", 4096))
        end = time.monotonic() + 20
        while sum(c["sent_packets"] for c in self.ask("a", "connections")["connections"]) < 1000:
            self.assertLess(time.monotonic(), end, "nothing is sent")
            time.sleep(0.05)
        for _ in range(60):
            self.assertEqual(self.send("--count", 1, "--size", 64)["errors"], 0)
        self.assertIsNone(busy.poll())
        for name in "ab":
            self.assertIn("selvedge_bad_cookies_total 0\n", self.ask(name, "metrics")["metrics"])

    def test_small_messages(self):
        self.check(count=50000, size=8, extra=IMPAIRED)

    def test_messages_of_many_packets(self):
        self.check(count=300, size=200001, extra=IMPAIRED)

    def test_little_memory(self):
        self.assertGreater(self.check(
            count=5000, extra=IMPAIRED + "[injection]\nmode = 'li'\n[memory]\ntotal_bytes = 65536\n"
            "per_connection_bytes = 32768\n")["rejected"], 0)

    def test_little_memory_that_is_granted(self):
        """What a receiver stores for several connections stays within its memory, which is that of 16 packets."""
        total = 65536
        for name in "ab":
            self.daemon(name, extra=IMPAIRED + f"[memory]\ntotal_bytes = {total}\nper_connection_bytes = 32768\n")
        self.serve()
        senders = [self.start(*self.send_command("--count", 1500, "--verify")) for _ in range(4)]
        for sender in senders:
            out, errors = sender.communicate(timeout=120 * self.patience)
            self.assertEqual(sender.returncode, 0, errors)
            result = json.loads(out)
            self.assertEqual((result["messages"], result["errors"]), (1500, 0))
        for name in "ab":
            self.assertTrue(self.connections_end(name), f"{name} keeps connections")
            status = self.ask(name, "status")
            self.assertLessEqual(status["memory_bytes_used_max"], total)
            self.assertEqual(status["memory_bytes_used"], 0)
        self.assertGreater(status["since_start"]["stored_packets"], 100)
        self.assertGreater(status["memory_bytes_used_max"], total / 4)

    def test_static_memory_by_window(self):
        self.check(count=5000, extra=IMPAIRED + '[memory]\npolicy = "static"\n'
                   'per_connection_bytes = 65536\n[injection]\nmode = "lw"\n')

    def test_small_mtu(self):
        self.check(count=5000, udp="mtu = 512", extra=IMPAIRED)

    def test_ipv6(self):
        self.check(count=5000, host="[::1]")

    def test_two_choices_of_three_paths(self):
        self.check(count=5000, udp="paths = 3",
                   extra=IMPAIRED + '[paths]\nchoice = "two-choices"\nburst_packets = 4\n')

    def test_echo(self):
        self.daemon("a")
        self.daemon("b", daemon='poll = "busy"')
        self.serve()
        result = self.send("--count", 2000, "--size", 64, "--verify", verb="latency")
        self.assertEqual((result["messages"], result["errors"]), (2000, 0))
        percentiles = [result[p] for p in ("p50_us", "p90_us", "p99_us", "p999_us", "max_us")]
        self.assertGreater(percentiles[0], 0)
        self.assertEqual(percentiles, sorted(percentiles))

    def test_several_senders_at_a_time(self):
        self.daemon("a", extra=IMPAIRED)
        self.daemon("b", extra=IMPAIRED)
        self.serve()
        senders = [self.start(*self.send_command("--count", 5000, "--verify")) for _ in range(4)]
        for sender in senders:
            out, errors = sender.communicate(timeout=120)
            self.assertEqual(sender.returncode, 0, errors)
            self.assertEqual(json.loads(out)["messages"], 5000)

    def test_within_one_daemon(self):
        self.daemon("a")
        self.serve("a")
        self.assertEqual(self.send("--count", 1000, "--verify", to="a")["messages"], 1000)


class Death(Daemons):
    def setUp(self):
        super().setUp()
        self.a = self.daemon("a")
        self.b = self.daemon("b")
        self.server = self.serve()
        self.sender = self.start(*self.send_command("--count", 100000000))
        end = time.monotonic() + 10
        while time.monotonic() < end:  # until data flows
            connections = self.ask("b", "connections")["connections"]
            if connections and connections[0].get("delivered_packets", 0) > 1000:
                return
            time.sleep(0.02)
        self.fail("no data flows")

    def delivered(self):
        """Packets that were delivered by the connection that setUp opened, the oldest at b."""
        return self.ask("b", "connections")["connections"][0]["delivered_packets"]

    def until_the_ring_is_full(self):
        """Waits until the daemon says that the reader, which is stopped, does not read: its ring is
        full. Returns how many packets were delivered."""
        number = str(self.ask("b", "connections")["connections"][0]["connection"])
        end = time.monotonic() + 10
        while "application-does-not-read" not in subprocess.run(
                [BIN / "selvedgectl", "why-stalled", number, "--socket", self.folder / "b.sock"],
                capture_output=True, text=True, timeout=20, check=True).stdout:
            self.assertLess(time.monotonic(), end, "a stopped reader is given packets for ever")
            time.sleep(0.02)
        return self.delivered()

    def test_of_the_senders_daemon(self):
        self.a.kill()
        _, errors = self.sender.communicate(timeout=5)
        self.assertEqual(self.sender.returncode, 3)
        self.assertIn("no daemon", errors)

    def test_of_the_peers_daemon_which_comes_back(self):
        port = int(self.address["b"].rsplit(":", 1)[1])
        self.b.kill()
        self.b.wait()
        self.daemon("b", port=port)  # over the socket that the dead one left
        _, errors = self.sender.communicate(timeout=15)
        self.assertEqual(self.sender.returncode, 3)
        self.assertIn("restarted", errors)
        self.assertTrue(self.connections_end("a"))
        self.serve()
        self.assertEqual(self.send("--count", 1000, "--verify")["messages"], 1000)

    def test_of_the_peers_daemon_for_good(self):
        self.b.kill()
        _, errors = self.sender.communicate(timeout=20)
        self.assertEqual(self.sender.returncode, 3)
        self.assertIn("nothing is received from the peer", errors)

    def test_of_the_sending_application(self):
        self.sender.kill()
        for name in "ab":
            self.assertTrue(self.connections_end(name))
        self.assertEqual(self.send("--count", 1000, "--verify")["messages"], 1000)

    def test_of_the_receiving_application(self):
        self.server.kill()
        _, errors = self.sender.communicate(timeout=5)
        self.assertEqual(self.sender.returncode, 3)
        self.assertIn("the peer's application ended", errors)
        self.assertTrue(self.connections_end("b"))

    def test_a_stopped_reader_affects_no_other_connection(self):
        self.server.send_signal(signal.SIGSTOP)
        self.wait_until_stopped(self.server)
        self.serve("b", "other")
        before = self.until_the_ring_is_full()
        result = self.send("--count", 5000, "--verify", service="other")
        self.assertEqual(result["messages"], 5000)
        self.assertEqual(result["rejected"], 0)
        self.assertEqual(self.delivered(), before)  # the first reader was stopped all the while
        self.server.send_signal(signal.SIGCONT)
        end = time.monotonic() + 10
        while self.delivered() == before:
            self.assertLess(time.monotonic(), end, "nothing is delivered any more")
            time.sleep(0.02)


class Mistakes(Daemons):
    def refused(self, text, status, *words):
        config = self.folder / "wrong.toml"
        config.write_text(text)
        done = subprocess.run([BIN / "selvedged", "--config", config], capture_output=True,
                              text=True, timeout=10)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.splitlines()), 1)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_configuration(self):
        self.refused("[udp]\npath = 8", 2, "wrong.toml:2", "did you mean 'paths'")
        self.refused("[udp]\npaths = 17", 2, "wrong.toml:2", "1 to 16")
        self.refused("[udp\n", 2, "wrong.toml:1")
        self.refused("[memory]\npolicy = 'elastic'", 2, "dynamic, static")
        self.refused("[impair]\nloss = 1.5", 2, "wrong.toml:2")
        self.refused("[memory]\ntotal_bytes = 4095", 2, "[memory] total_bytes is 4095", "wrong.toml:2",
                     "write 4096 or more")
        self.refused("[memory]\nper_connection_bytes = 1", 2, "per_connection_bytes is 1", "wrong.toml:2",
                     "write 4096 or more")
        self.refused("[daemon]\nworkers = 2\noversubscribe = true\n[memory]\ntotal_bytes = 8191", 2,
                     "wrong.toml:5", "for each worker", "write 8192 or more")
        self.refused("[injection]\nmode = 'lw'", 2, "static")
        self.refused("[udp]\nlisten = '0.0.0.0:47001'", 2, "insecure")
        self.refused("[daemon]\nbackend = 'verbs'\n[verbs]\ndevice = 'nosuch0'", 3, "verbs device")
        self.refused("[verbs]\nlisten = '10.0.0.1:47001'", 2, "wrong.toml:2", "insecure")
        self.refused("[verbs]\ngids = [1, 'x']", 2, "wrong.toml:2", "whole numbers from 0 to 255")
        self.refused("[daemon]\nsocket = '/nowhere/at/all.sock'\n"
                     f"[udp]\nlisten = '127.0.0.1:{free_ports(8)}'", 3, "/nowhere")

    def test_the_file_that_is_shipped_has_every_key(self):
        shipped = CONF / "selvedged.toml"

        def said(path):
            return subprocess.run([BIN / "selvedged", "--config", path, "--check"],
                                  capture_output=True, text=True, timeout=10)
        done = said(shipped)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        wrong, text = self.folder / "wrong.toml", shipped.read_text()

        def known(section):  # the message about a key that there is not lists those that there are
            wrong.write_text(f"[{section}]\nno-such-key = 1\n" if section else "no-such-key = 1\n")
            return re.search(r"known: (.*)", said(wrong).stderr)[1].split(", ")
        for section in known(""):
            there = re.search(rf"^\[{section}\][^\n]*\n(.*?)(?=^\[|\Z)", text, re.M | re.S)
            self.assertTrue(there, f"[{section}] is missing")
            for key in known(section):
                self.assertRegex(there[1], rf"(?m)^(# )?{key} = ", f"[{section}] {key} is missing")

    @unittest.skipUnless(shutil.which("systemd-analyze"), "no systemd here")
    def test_the_unit_that_is_shipped(self):
        unit = self.folder / "selvedged.service"
        unit.write_text((CONF / unit.name).read_text().replace("/usr/local/bin", str(BIN)))
        done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True,
                              timeout=60)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))

    def test_taken_address_and_socket(self):
        self.daemon("a")
        port = self.address["a"].rsplit(":", 1)[1]
        self.refused(f"[udp]\nlisten = '127.0.0.1:{port}'", 3, port)
        self.refused(f"[daemon]\nsocket = '{self.folder}/a.sock'\n"
                     f"[udp]\nlisten = '127.0.0.1:{free_ports(8)}'", 3, "another selvedged")

    def test_perf(self):
        self.daemon("a")
        self.daemon("b")
        self.assertIn("no application listens", self.send(status=3))
        self.address["c"] = "nonsense"
        self.assertIn("not an address", self.send(status=2, to="c"))
        self.address["c"] = f"127.0.0.1:{free_ports(1)}"
        self.assertIn("did not answer", self.send(status=3, to="c"))
        self.assertIn("no daemon", self.send(status=3, name="nobody"))

    def test_garbage_on_both_sockets(self):
        self.daemon("a")
        host, port = self.address["a"].rsplit(":", 1)
        rng = random.Random(5)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
            for _ in range(500):
                udp.sendto(b"SV\x01" * rng.randrange(2) + rng.randbytes(rng.randrange(100)),
                           (host, int(port) + rng.randrange(8)))
        for _ in range(50):
            with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as local:
                local.connect(f"{self.folder}/a.sock")
                local.send(rng.randbytes(rng.randrange(1, 400)))
        self.serve("a")
        self.assertEqual(self.send("--count", 100, "--verify", to="a")["messages"], 100)
        self.assertIn("selvedge_malformed_packets_total", self.ask("a", "metrics")["metrics"])

    def test_metrics(self):
        port = free_ports(1)
        self.daemon("a", extra=f'[metrics]\nlisten = "127.0.0.1:{port}"\n')
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
            text = answer.read().decode()
        self.assertIn("\nselvedge_memory_bytes_total 4194304\n", text)


if __name__ == "__main__":
    unittest.main()
