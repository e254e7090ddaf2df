# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Real daemons in network namespaces, whose packets meet a queue of finite length (tools/lab/narrow.py).

What a machine that does other things can show is tested here; the figures are in ./run bench --only daemon.
"""
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from ecn_marks import Marks  # noqa: E402
from sanitized import SANITIZE  # noqa: E402
from test_daemon import BIN, Daemons  # noqa: E402

from tools.lab.narrow import NarrowLink  # noqa: E402

PORT = 47001
SIZE = 1416  # fills a packet where the MTU is 1,500
REAL_TIME = ["chrt", "--fifo", "1"]
if subprocess.run([*REAL_TIME, "true"], stderr=subprocess.DEVNULL).returncode != 0:
    REAL_TIME = []  # not even root may do it everywhere

figures = unittest.skipIf(SANITIZE, "what daemons with sanitizers reach says nothing")


@unittest.skipIf(os.getuid() != 0, "only root can make network namespaces")
class Congestion(Daemons):
    real_time = False  # whether daemons and senders get a core before what else the machine does

    def start(self, *command):
        return super().start(*(REAL_TIME if self.real_time else []), *command)

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

    @figures
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

    def goodput(self, link, seconds):
        """Of what b delivers for so long, in Mbit/s; the bytes that waited in the queue, on average; packets dropped."""
        def delivered():
            status = self.ask("b", "status")  # its time is the daemon's, since an answer may be read late
            return status["since_start"]["delivered_packets"], status["up_ns"]
        before, first, waiting, end = delivered(), link.queue(), [], time.monotonic() + seconds
        while time.monotonic() < end:
            waiting.append(link.queue()["backlog"])
            time.sleep(0.1)
        now, last = delivered(), link.queue()
        return ((now[0] - before[0]) * SIZE * 8e3 / (now[1] - before[1]), statistics.mean(waiting),
                last["drops"] - first["drops"])

    @figures
    def test_flows_fill_a_narrow_link(self):
        """At 0.9 of what payload can reach: headers of 32 + 4 bytes, of UDP over IPv4 and of Ethernet go with each packet."""
        self.real_time = True
        link = self.link()
        self.server_at(link)
        self.daemon_at(link, "a0", link.sender(0))
        for _ in range(8):
            self.sender_at("a0")
        self.after(5000, "a0")
        wanted = 0.9 * link.rate_mbit * SIZE / (SIZE + 36 + 28 + 14)
        seen = []
        for _ in range(3):  # daemons that wait for a core do not fill a link
            seen.append(self.goodput(link, 4)[0])
            if seen[-1] >= wanted:
                break
        print(f"goodput: {seen} Mbit/s, wanted {wanted:.0f}", flush=True)
        self.assertGreaterEqual(max(seen), wanted, seen)

    def queue_seen(self, end, seconds):
        """What a daemon's windows are for all paths, in bytes, and how long packets wait, in ms: medians."""
        windows, delays, until = [], [], time.monotonic() + seconds
        while time.monotonic() < until:
            connection = self.ask(end, "connections")["connections"][0]
            windows.append(sum(connection["window_bytes"]))
            delays += connection["queueing_delay_ns"]
            time.sleep(0.1)
        return statistics.median(windows), statistics.median(delays) * 1e-6

    def test_marks_of_congestion_shorten_the_queue(self):
        """A router marks when more goes than 30 % of the link's rate: the queue is no longer needed to tell senders that
        they send too much."""
        self.real_time = True
        link = self.link(rate_mbit=100)
        self.server_at(link)
        self.daemon_at(link, "a0", link.sender(0))
        for _ in range(4):
            self.sender_at("a0")
        self.after(5000, "a0")
        unmarked = self.queue_seen("a0", 3)
        try:
            marks = Marks(link.name("r"), link.receiver, int(0.3 * link.rate_mbit * 1e6 / 8), 30_000)
        except OSError as error:
            self.skipTest(f"this kernel marks nothing: {error}")
        self.addCleanup(marks.close)
        self.wait_for("packets are marked", lambda: marks.packets() > 0)
        self.after(2000, "a0")
        packets, first, queue = marks.packets(), self.sums("a0"), link.queue()
        marked = self.queue_seen("a0", 3)
        last = self.sums("a0")
        share = (marks.packets() - packets) / (last[0] - first[0])
        print(f"windows in bytes, and queueing delay in ms: {unmarked}; where {share:.0%} is marked: {marked}", flush=True)
        self.assertLess(marked[0], unmarked[0] / 2)
        self.assertLess(marked[1], unmarked[1] / 2)
        # Nothing is lost, and hardly anything is taken for lost.
        self.assertEqual(link.queue()["drops"], queue["drops"])
        self.assertGreater(last[0] - first[0], 1000)
        self.assertLessEqual(last[1] - first[1], 0.02 * (last[0] - first[0]))

    @figures
    def test_sixty_four_daemons_send_to_one(self):
        self.check_incast(1000)

    @figures
    def test_sixty_four_daemons_share_a_narrow_link(self):
        """That two cores can fill: without windows a fifth of the packets is dropped."""
        self.check_incast(200)

    def check_incast(self, rate_mbit):
        count = 64
        link = self.link(senders=count, rate_mbit=rate_mbit, queue_bytes=256_000)
        self.server_at(link)
        ends = [f"a{i}" for i in range(count)]
        for i, end in enumerate(ends):
            self.daemon_at(link, end, link.sender(i))
        begin = link.queue()
        senders = [self.start(*self.send_command("--connections", 1, "--seconds", 4, "--warm-up", 1, "--size", SIZE,
                                                 "--verify", verb="many", name=end)) for end in ends]
        self.wait_for("all are connected", lambda: self.ask("b", "status")["connections"] == count or
                      any(sender.poll() is not None for sender in senders))
        time.sleep(1)
        before, began = link.queue(), time.monotonic()
        while time.monotonic() < began + 60 and all(sender.poll() is None for sender in senders):
            time.sleep(0.1)
        now, took = link.queue(), time.monotonic() - began
        moved = []
        for sender in senders:
            out, errors = sender.communicate(timeout=120)
            self.assertEqual(sender.returncode, 0, errors)
            result = json.loads(out)
            self.assertEqual((result["errors"], result["ended"]), (0, {}))
            moved.append(result["bytes"])
        dropped = (now["drops"] - before["drops"]) / max(1, now["packets"] - before["packets"])
        print(f"64 daemons to one, {rate_mbit} Mbit/s: {(now['bytes'] - before['bytes']) * 8e-6 / took:.0f} Mbit/s, "
              f"{100 * dropped:.2f} % dropped, {min(moved):.0f} to {max(moved):.0f} bytes moved by each, "
              f"{now['packets'] - before['packets']} packets in {took:.1f} s", flush=True)
        self.assertGreater(now["packets"] - begin["packets"], 1000)
        self.assertGreater(min(moved), 0)
        self.assertLess(dropped, 0.02)

    @figures
    def test_beside_cubic_neither_starves(self):
        self.check_beside("cubic")

    @figures
    def test_beside_bbr_neither_starves(self):
        if "bbr" not in pathlib.Path("/proc/sys/net/ipv4/tcp_available_congestion_control").read_text(
                encoding="ascii").split():
            self.skipTest("this kernel has no BBR: modprobe tcp_bbr")
        self.check_beside("bbr")

    def check_beside(self, kind):
        if not shutil.which("iperf3"):
            self.skipTest("iperf3 is not installed")
        self.real_time = True
        link = self.link()
        self.server_at(link)
        self.daemon_at(link, "a0", link.sender(0))
        self.sender_at("a0")
        self.after(5000, "a0")
        # What else the machine does delays answers, which no daemon can tell from a queue, while TCP answers within
        # the kernel. So one run of three suffices.
        seen = []
        for _ in range(3):
            ours, tcp = self.beside_tcp(link, kind)
            seen.append((ours, tcp))
            print(f"{ours:.0f} Mbit/s beside {kind}, which had {tcp:.0f}", flush=True)
            if min(ours, tcp) > link.rate_mbit / 8:
                return
        self.fail(f"(ours, {kind}) in Mbit/s: {seen}")

    def beside_tcp(self, link, kind):
        server = self.start(*link.inside("b", "iperf3", "-s", "-1"))
        self.wait_for("iperf3 listens", lambda: ":5201" in subprocess.run(
            link.inside("b", "ss", "-ltn"), capture_output=True, text=True, check=True).stdout)
        sent = self.sums("a0")
        began = time.monotonic()
        done = subprocess.run(link.inside("a0", "iperf3", "-c", link.receiver, "-C", kind, "-t", "15", "-J"),
                              capture_output=True, text=True, timeout=60, check=True)
        took = time.monotonic() - began
        now = self.sums("a0")
        server.wait(timeout=20)
        ours = (now[0] - now[1] - sent[0] + sent[1]) * SIZE * 8e-6 / took
        return ours, json.loads(done.stdout)["end"]["sum_received"]["bits_per_second"] / 1e6


if __name__ == "__main__":
    unittest.main()
