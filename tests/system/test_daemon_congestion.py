# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Real daemons in network namespaces, whose packets meet a queue of finite length (tools/lab/narrow.py).

What a machine that does other things can show is tested here; the figures are in ./run bench --only daemon.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from test_daemon import BIN, Daemons  # noqa: E402

from tools.lab.narrow import NarrowLink  # noqa: E402

PORT = 47001
SIZE = 1416  # fills a packet where the MTU is 1,500


@unittest.skipIf(os.getuid() != 0, "only root can make network namespaces")
class Congestion(Daemons):
    def link(self, **options):
        link = self.enterContext(NarrowLink(**options))
        self.addCleanup(self.stop_all)  # before the namespaces are removed
        return link

    def daemon_at(self, link, end, host, paths=""):
        config = self.folder / f"{end}.toml"
        config.write_text(f'[daemon]\nsocket = "{self.folder}/{end}.sock"\n[udp]\n'
                          f'listen = "{host}:{PORT}"\ninsecure = true\n[paths]\n{paths}\n')
        process = self.start(*link.inside(end, BIN / "selvedged", "--config", config))
        self.assertIn("local socket", process.stderr.readline())

    def server_at(self, link):
        self.daemon_at(link, "b", link.receiver)
        process = self.start(BIN / "selvedge-perf", "serve", "--socket", self.folder / "b.sock")
        self.assertIn("serving", process.stderr.readline())
        self.address["b"] = f"{link.receiver}:{PORT}"

    def sender_at(self, end, count=10**9):
        return self.start(*self.send_command("--count", count, "--size", SIZE, "--verify", name=end))

    def sums(self, *ends):
        """Packets sent, and of those sent again, by all connections of these daemons."""
        sent = again = 0
        for end in ends:
            for c in self.ask(end, "connections")["connections"]:
                sent += c["sent_packets"]
                again += c["retransmitted_lost_packets"] + c["retransmitted_rejected_packets"]
        return sent, again

    def wait_for(self, what, condition, within=60):
        end = time.monotonic() + within
        while not condition():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.05)

    def after(self, packets, *ends):
        """The share of what is sent again of the next so many packets."""
        sent, again = self.sums(*ends)
        self.wait_for("packets are sent", lambda: self.sums(*ends)[0] >= sent + packets)
        now = self.sums(*ends)
        return (now[1] - again) / (now[0] - sent)

    def test_flows_share_a_narrow_link_and_resend_little(self):
        link = self.link()
        self.server_at(link)
        self.daemon_at(link, "a0", link.sender(0))
        for _ in range(8):
            self.sender_at("a0")
        self.after(10000, "a0")  # until windows are known
        self.assertLessEqual(self.after(30000, "a0"), 0.02)
        # All connections have the same windows to the peer, and each has moved.
        connections = self.ask("a0", "connections")["connections"]
        self.assertEqual(len(connections), 8)
        self.assertEqual({len(c["window_bytes"]) for c in connections}, {8})
        self.assertLess(max(sum(c["window_bytes"]) for c in connections), 1_000_000)
        self.assertGreater(min(c["sent_packets"] for c in connections),
                           max(c["sent_packets"] for c in connections) / 4)

    def test_without_windows_the_queue_overflows(self):
        link = self.link()
        self.server_at(link)
        self.daemon_at(link, "a0", link.sender(0), 'congestion = "off"')
        for _ in range(8):
            self.sender_at("a0")
        self.after(10000, "a0")
        self.assertGreater(self.after(30000, "a0"), 0.05)
        self.assertNotIn("window_bytes", self.ask("a0", "connections")["connections"][0])

    def test_what_goes_through_a_narrow_link_is_right(self):
        link = self.link(rate_mbit=50, queue_bytes=40_000)
        self.server_at(link)
        self.daemon_at(link, "a0", link.sender(0))
        senders = [self.sender_at("a0", 3000) for _ in range(3)]
        for sender in senders:
            out, errors = sender.communicate(timeout=120)
            self.assertEqual(sender.returncode, 0, errors)
            result = json.loads(out)
            self.assertEqual((result["messages"], result["errors"]), (3000, 0))

    def test_who_waits_for_the_windows_is_told(self):
        link = self.link(rate_mbit=1, queue_bytes=60_000)
        self.server_at(link)
        self.daemon_at(link, "a0", link.sender(0))
        for _ in range(16):
            self.sender_at("a0")

        def reasons():
            found = set()
            for c in self.ask("a0", "connections")["connections"]:
                done = subprocess.run([BIN / "selvedgectl", "why-stalled", str(c["connection"]),
                                       "--socket", self.folder / "a0.sock"], capture_output=True,
                                      text=True, timeout=20, check=True)
                found |= {line.split(":")[0] for line in done.stdout.splitlines()[1:]}
            return found
        self.wait_for("a connection waits for the windows", lambda: "congested" in reasons())

    def test_many_daemons_send_to_one(self):
        link = self.link(senders=6)
        self.server_at(link)
        ends = [f"a{i}" for i in range(6)]
        for i, end in enumerate(ends):
            self.daemon_at(link, end, link.sender(i))
        for end in ends:
            self.sender_at(end)
        self.after(10000, *ends)
        self.assertLessEqual(self.after(30000, *ends), 0.02)

    @unittest.skipUnless(shutil.which("iperf3"), "iperf3 is not installed")
    def test_beside_tcp_neither_starves(self):
        link = self.link()
        self.server_at(link)
        self.daemon_at(link, "a0", link.sender(0))
        self.sender_at("a0")
        self.after(5000, "a0")
        # What else the machine does delays answers, which no daemon can tell from a queue, while TCP answers within
        # the kernel. So one run of three suffices.
        seen = []
        for _ in range(3):
            ours, tcp = self.beside_tcp(link)
            seen.append((ours, tcp))
            if ours > 10 and tcp > 30:
                return
        self.fail(f"(ours, TCP) in Mbit/s: {seen}")

    def beside_tcp(self, link):
        server = self.start(*link.inside("b", "iperf3", "-s", "-1"))
        self.wait_for("iperf3 listens", lambda: ":5201" in subprocess.run(
            link.inside("b", "ss", "-ltn"), capture_output=True, text=True, check=True).stdout)
        sent = self.sums("a0")
        began = time.monotonic()
        done = subprocess.run(link.inside("a0", "iperf3", "-c", link.receiver, "-C", "cubic", "-t", "8",
                                          "-J"), capture_output=True, text=True, timeout=60, check=True)
        took = time.monotonic() - began
        now = self.sums("a0")
        server.wait(timeout=20)
        ours = (now[0] - now[1] - sent[0] + sent[1]) * SIZE * 8e-6 / took
        return ours, json.loads(done.stdout)["end"]["sum_received"]["bits_per_second"] / 1e6


if __name__ == "__main__":
    unittest.main()
