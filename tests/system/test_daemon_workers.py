# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Daemons with several workers: messages arrive whole and in order, whatever numbers of workers the two ends have, on
a network that loses, doubles and reorders; limits and counters hold over all workers."""
import json
import os
import re
import signal
import subprocess
import unittest

from sanitized import SANITIZE
from test_daemon import BIN, IMPAIRED, Daemons, free_ports

# Few cores suffice to be right.
SHARED_CORES = "oversubscribe = true\n"
SHARE = 10 if SANITIZE else 1


def workers(count):
    return f"workers = {count}\n{SHARED_CORES}" if count > 1 else ""


class Workers(Daemons):
    def pair(self, a=2, b=2, more="", **options):
        self.started = {name: self.daemon(name, daemon=workers(count) + more, **options)
                        for name, count in (("a", a), ("b", b))}

    def metric(self, name, metric):
        return float(re.search(rf"(?m)^selvedge_{metric} (\S+)$", self.ask(name, "metrics")["metrics"]).group(1))

    def senders(self, count, *options):
        senders = [self.start(*self.send_command("--verify", *options)) for _ in range(count)]
        for sender in senders:
            out, errors = sender.communicate(timeout=300)
            self.assertEqual(sender.returncode, 0, errors)
            self.assertEqual(json.loads(out)["errors"], 0)

    def both_workers_have_some(self, name, count):
        """A process of `name` that is busy keeps `count` connections at each worker."""
        numbers = [c["connection"] for c in self.ask(name, "connections")["connections"]]
        return min(sum(n % 2 == w for n in numbers) for w in (0, 1)) >= count

    def ends_orderly(self):
        for name in "ab":
            self.assertTrue(self.connections_end(name, within=20), f"{name} keeps connections")
            self.assertEqual(self.ask(name, "status")["memory_bytes_used"], 0)
        for process in self.started.values():
            process.send_signal(signal.SIGTERM)
        for process in self.started.values():
            _, errors = process.communicate(timeout=60)
            self.assertEqual((process.returncode, errors), (0, ""))


class Delivery(Workers):
    def check(self, a=2, b=2, connections=4, count=5000, size=4096, **options):
        self.deliver(a, b, connections, count, size, **options)
        self.ends_orderly()

    def deliver(self, a=2, b=2, connections=4, count=5000, size=4096, **options):
        self.pair(a, b, **options)
        self.serve()
        self.senders(connections, "--count", count // SHARE, "--size", size)
        sent = self.ask("a", "status")["since_start"]["sent_packets"]
        self.assertGreaterEqual(sent, connections * (count // SHARE))
        self.assertEqual(self.metric("b", "handed_over_dropped_total") > sent, False)

    def test_two_workers_at_both_ends(self):
        self.check(extra=IMPAIRED)

    def test_one_worker_and_two(self):
        self.check(a=1, b=2, extra=IMPAIRED)

    def test_two_workers_and_one(self):
        self.check(a=2, b=1, extra=IMPAIRED)

    def test_two_workers_and_three(self):
        self.check(a=2, b=3, extra=IMPAIRED)

    def test_long_messages_over_ipv6(self):
        self.check(connections=2, count=100, size=200001, host="[::1]", extra=IMPAIRED)

    def test_sealed(self):
        keys = self.folder / "keys"
        keys.write_text(subprocess.run([BIN / "selvedged", "--new-key"], capture_output=True, text=True,
                                       check=True).stdout)
        keys.chmod(0o600)
        self.deliver(b=3, connections=6, count=2000, extra=IMPAIRED + f'[seal]\nkeys = "{keys}"\n')
        # The kernel finds the worker of a sealed packet by its salt. What is handed over are handshakes.
        for name in "ab":
            received = self.metric(name, "received_packets_total")
            self.assertGreater(received, 100)
            handed_over = self.metric(name, "handed_over_packets_total")
            self.assertLessEqual(handed_over, 40 + received / 50)
        self.ends_orderly()

    def test_within_one_daemon(self):
        self.daemon("a", daemon=workers(2))
        self.serve("a")
        for _ in range(4):
            self.assertEqual(self.send("--count", 500, "--verify", to="a")["messages"], 500)

    def test_many_connections_over_both(self):
        self.pair(more="ring_bytes = 2097152\n", extra=IMPAIRED)
        self.serve()
        many = self.start(*self.send_command("--connections", 40, "--seconds", 4, "--verify", verb="many"))
        self.wait_for(lambda: all(self.both_workers_have_some(name, 10) for name in "ab"))
        # Status is asked while both are busy: it borrows each worker.
        for _ in range(20):
            self.assertLessEqual(self.ask("b", "status")["connections"], 40)
        out, errors = many.communicate(timeout=200)
        self.assertEqual(many.returncode, 0, errors)
        result = json.loads(out)
        self.assertEqual((result["connections"], result["errors"], result["ended"]), (40, 0, {}))
        self.assertGreater(result["least_bytes"], 0)
        self.ends_orderly()


class Ends(Workers):
    def test_a_killed_application_frees_the_connections_of_all_workers(self):
        self.pair(more="ring_bytes = 2097152\n")
        server = self.serve()
        many = self.start(*self.send_command("--connections", 8, "--seconds", 60, verb="many"))
        self.wait_for(lambda: self.both_workers_have_some("b", 2))
        many.kill()
        for name in "ab":
            self.assertTrue(self.connections_end(name, within=20))
        again = self.start(*self.send_command("--connections", 8, "--seconds", 10, verb="many"))
        self.wait_for(lambda: self.both_workers_have_some("b", 2))
        server.kill()
        again.communicate(timeout=60)
        self.assertTrue(self.connections_end("b", within=20))

    def test_a_restarted_peer_is_noticed_by_all_workers(self):
        self.pair()
        self.serve()
        senders = [self.start(*self.send_command("--count", 100_000_000)) for _ in range(4)]
        self.wait_for(lambda: len(self.ask("b", "connections")["connections"]) == 4)
        port = int(self.address["b"].rsplit(":", 1)[1])
        self.started["b"].kill()
        self.started["b"].wait()
        self.daemon("b", daemon=workers(2), port=port)
        for sender in senders:
            _, errors = sender.communicate(timeout=60)
            self.assertEqual(sender.returncode, 3)
            self.assertIn("restarted", errors)


class Limits(Workers):
    def test_of_an_address_count_over_all_workers(self):
        self.pair(extra="[limits]\nsource_connections = 3\n", more="ring_bytes = 2097152\n")
        self.serve()
        many = self.start(*self.send_command("--connections", 3, "--seconds", 30, verb="many"))
        self.wait_for(lambda: self.ask("b", "status")["connections"] == 3)
        self.assertIn("limit", self.send("--count", 1, status=3))
        many.kill()

    def test_memory_is_shared_out(self):
        self.pair(extra=IMPAIRED + "[memory]\ntotal_bytes = 524288\nper_connection_bytes = 262144\n")
        self.assertEqual(self.ask("b", "status")["memory_bytes_total"], 524288)
        self.serve()
        self.senders(4, "--count", 3000 // SHARE, "--size", 4096)
        status = self.ask("b", "status")
        self.assertLessEqual(status["memory_bytes_total"], 524288)
        self.assertLessEqual(status["memory_bytes_used_max"], status["memory_bytes_total"])


class Settings(Workers):
    def test_sighup_reaches_all_workers(self):
        self.pair()
        self.serve()
        config = self.folder / "a.toml"
        config.write_text(config.read_text() + "[impair]\nloss = 0.05\n")
        a = self.started["a"]
        a.send_signal(signal.SIGHUP)
        self.assertIn("[impair] loss", a.stderr.readline())
        for _ in range(2):  # one connection for each worker
            self.assertGreater(self.send("--count", 2000, "--size", 4096, "--verify")["retransmitted"], 10)
        config.write_text(config.read_text().replace("workers = 2", "workers = 3"))
        a.send_signal(signal.SIGHUP)
        self.assertIn("needs a restart: [daemon] workers: 2 to 3", a.stderr.readline())

    def refused(self, text, status, *words):
        config = self.folder / "wrong.toml"
        config.write_text(text)
        done = subprocess.run([BIN / "selvedged", "--config", config], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (status, "", 1), done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_mistakes(self):
        more = len(os.sched_getaffinity(0)) + 1
        if more <= 16:
            self.refused(f"[daemon]\nworkers = {more}\n", 2, f"{more} workers", "[daemon] workers", "oversubscribe")
        cpu = min(os.sched_getaffinity(0))
        self.refused(f'[daemon]\nworkers = 2\ncpus = "{cpu}"\n', 2, "2 workers, but only 1 CPUs")
        self.refused("[daemon]\nworkers = 0\n", 2, "wrong.toml:2", "1 to 16")
        self.refused("[daemon]\nworkers = 17\n", 2, "wrong.toml:2", "1 to 16")

    def test_ports_of_another_daemon(self):
        self.daemon("a", daemon=workers(2))
        self.refused(f'[daemon]\n{workers(2)}socket = "{self.folder}/other.sock"\n'
                     f'[udp]\nlisten = "{self.address["a"]}"\n', 3, "cannot bind")
        self.refused(f'[daemon]\nsocket = "{self.folder}/other.sock"\n'
                     f'[udp]\nlisten = "127.0.0.1:{int(self.address["a"].rsplit(":", 1)[1]) - 1}"\n', 3,
                     "cannot bind")
        self.assertGreater(free_ports(8), 0)


if __name__ == "__main__":
    unittest.main()
