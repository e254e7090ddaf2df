# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Daemons whose packets meet a queue of finite length, beside TCP (iperf3) in the same queue.

The network is tools/lab/narrow.py. Programs and queue share two cores: on a machine that others use too, or
with more senders than cores, a daemon that waits for a core does not fill the link
(SELVEDGE_BENCH_REALTIME=1 helps).
"""
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

from tools.bench.rows import PRIORITY, note, row
from tools.lab.errors import LabError
from tools.lab.narrow import NarrowLink

PORT = 47001
PAYLOAD = 1500 - 48 - 32 - 4  # bytes: IPv6 and UDP, the daemon's header and CRC
ON_WIRE = PAYLOAD + 32 + 4 + 28 + 14  # over IPv4 and Ethernet
WARM, SECONDS = 2, 5


class Narrow:
    """A context manager: daemons at both sides of a narrow link; those of a side end at its end."""

    def __init__(self, build, **link):
        self.bin = pathlib.Path(build) / "bin"
        self.link = NarrowLink(**link)
        self.folder = tempfile.TemporaryDirectory()
        self.processes = []

    def __enter__(self):
        self.link.__enter__()
        try:
            self.daemon("b", self.link.receiver)
            self.start("serving", self.bin / "selvedge-perf", "serve", "--socket", self.socket("b"))
        except BaseException:
            self.__exit__()
            raise
        return self

    def socket(self, end):
        return f"{self.folder.name}/{end}.sock"

    def start(self, begins, *command):
        process = subprocess.Popen([*PRIORITY, *map(str, command)], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE if begins else subprocess.DEVNULL, text=True)
        self.processes.append(process)
        if begins and not process.stderr.readline().startswith(begins):
            raise LabError("a process did not start", str(command[-1]), "run it by hand")

    def daemon(self, end, host):
        config = pathlib.Path(self.folder.name) / f"{end}.toml"
        config.write_text(f'[daemon]\nsocket = "{self.socket(end)}"\n[udp]\n'
                          f'listen = "{host}:{PORT}"\ninsecure = true\n')
        self.start("selvedged", *self.link.inside(end, self.bin / "selvedged", "--config", config))

    def sender(self, end):
        self.start(None, self.bin / "selvedge-perf", "send", "--socket", self.socket(end), "--to",
                   f"{self.link.receiver}:{PORT}/perf", "--count", 10**9, "--size", PAYLOAD)

    def sums(self, ends):
        sent = again = 0
        for end in ends:
            out = subprocess.run([self.bin / "selvedgectl", "connections", "--json", "--socket",
                                  self.socket(end)], capture_output=True, text=True, check=True).stdout
            for c in json.loads(out)["connections"]:
                sent += c["sent_packets"]
                again += c["retransmitted_lost_packets"] + c["retransmitted_rejected_packets"]
        return sent, again

    def delivered(self):
        """The packets that the receiving daemon has delivered, and its time in ns. Both are of one instant: where
        daemons want all of the processor, an answer waits long before it is read."""
        out = subprocess.run([self.bin / "selvedgectl", "status", "--json", "--socket", self.socket("b")],
                             capture_output=True, text=True, check=True).stdout
        status = json.loads(out)
        return status["since_start"]["delivered_packets"], status["up_ns"]

    def measure(self, ends, seconds=SECONDS):
        """Goodput and bits on the wire in Mbit/s, percentages of packets sent again and dropped, mean queueing delay
        in ms."""
        before, first, queue, began, waiting = self.sums(ends), self.delivered(), self.link.queue(), time.monotonic(), []
        while time.monotonic() < began + seconds:
            waiting.append(self.link.queue()["backlog"])
            time.sleep(0.1)  # each question is a process, which takes the daemons' processor
        now, took = self.link.queue(), time.monotonic() - began
        last, after = self.delivered(), self.sums(ends)
        sent, again = after[0] - before[0], after[1] - before[1]
        return {"wire": (now["bytes"] - queue["bytes"]) * 8e-6 / took,
                "goodput": (last[0] - first[0]) * PAYLOAD * 8e3 / max(1, last[1] - first[1]),
                "resent": 100 * again / max(1, sent),
                "dropped": 100 * (now["drops"] - queue["drops"]) / max(1, now["packets"] - queue["packets"]),
                "delay": self.link.delay_ms(statistics.mean(waiting))}

    def tcp(self, kind, seconds, flows=1):
        server = subprocess.Popen(self.link.inside("b", "iperf3", "-s", "-1"), stdout=subprocess.DEVNULL)
        time.sleep(0.5)
        return server, subprocess.Popen(
            [*PRIORITY, *self.link.inside("a0", "iperf3", "-c", self.link.receiver, "-C", kind, "-t",
                                          seconds, "-P", flows, "-J")], stdout=subprocess.PIPE, text=True)

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.kill()
            process.wait()
            if process.stderr is not None:
                process.stderr.close()
        self.link.__exit__()
        self.folder.cleanup()


def rate_of(tcp):
    server, client = tcp
    out = client.communicate(timeout=120)[0]
    server.wait(timeout=20)
    return json.loads(out)["end"]["sum_received"]["bits_per_second"] * 1e-6


def several_flows(build):
    with Narrow(build) as n:
        n.daemon("a0", n.link.sender(0))
        for _ in range(8):
            n.sender("a0")
        time.sleep(WARM)
        return n.measure(["a0"])


def cubic(build, flows):
    with Narrow(build) as n:
        tcp = n.tcp("cubic", WARM + SECONDS + 1, flows)
        time.sleep(WARM)
        measured = n.measure([])
        rate_of(tcp)
        return measured


def beside(build, kind, seconds):
    """How far one flow is from half of the link beside one TCP: 2 is twice of it, or half."""
    with Narrow(build) as n:
        n.daemon("a0", n.link.sender(0))
        n.sender("a0")
        time.sleep(WARM)
        tcp = n.tcp(kind, seconds)
        ours = n.measure(["a0"], seconds - 1)["goodput"]
        theirs = rate_of(tcp)
        half = n.link.rate_mbit * PAYLOAD / ON_WIRE / 2
        note(f"{ours:.0f} Mbit/s beside {kind}, which had {theirs:.0f}")
        return max(ours / half, half / max(ours, 0.1))


def incast(build, senders):
    with Narrow(build, senders=senders, rate_mbit=1000, queue_bytes=256_000) as n:
        ends = [f"a{i}" for i in range(senders)]
        for i, end in enumerate(ends):
            n.daemon(end, n.link.sender(i))
        for end in ends:
            n.sender(end)
        time.sleep(2 * WARM)
        return n.measure(ends)


def narrow_rows(build, runs):
    if os.getuid() != 0:
        note("narrow link: only root can make network namespaces; its rows are left out")
        return []
    senders = int(os.environ.get("SELVEDGE_BENCH_INCAST", "64"))
    flows, one, eight, tcp, bbr, many = [], [], [], [], [], []
    for turn in range(runs):
        note(f"narrow link, run {turn + 1} of {runs}")
        flows.append(several_flows(build))
        eight.append(cubic(build, 8))
        one.append(cubic(build, 1))
        tcp.append(beside(build, "cubic", 60))
        bbr.append(beside(build, "bbr", 60))
        many.append(incast(build, senders))

    def median(values, key):
        return statistics.median(value[key] for value in values)

    ns = PAYLOAD * 8e3
    return [
        row("a full packet; 8 flows, 200 Mbit/s, queue of 150 KB", ns / median(flows, "goodput"), "ns",
            ns / (200 * PAYLOAD / ON_WIRE), "as the link carries", 1 / 0.97),
        # A machine that takes the processor away now and then does not carry the whole rate.
        row("the same: a bit on the wire", 1e3 / median(flows, "wire"), "ns", 1e3 / median(eight, "wire"),
            "eight TCP CUBIC", 1 / 0.97),
        row("the same: packets sent again", median(flows, "resent"), "%", 2, "as permitted", 1.0),
        row("the same: queueing delay", median(flows, "delay"), "ms", median(one, "delay"),
            "one TCP CUBIC", 0.5),
        row("one flow beside one TCP CUBIC: times half the link, or the inverse", statistics.median(tcp),
            "", 1, "half the link", 2.0),
        row("one flow beside one TCP BBR", statistics.median(bbr), "", 1, "half the link", 2.0),
        row(f"a full packet; {senders} daemons to one, 1 Gbit/s, queue of 256 KB",
            ns / median(many, "goodput"), "ns", ns / (1000 * PAYLOAD / ON_WIRE), "as the link carries",
            1 / 0.95),
        row("the same: packets dropped", median(many, "dropped"), "%", 0.01, "as permitted", 1.0),
    ]
