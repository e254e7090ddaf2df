# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""A narrow link: network namespaces on this machine whose traffic goes through one queue (tc-tbf(8)).

    a0 (10.77.0.2) --veth--+
    a1 (10.77.1.2) --veth--+-- r -- queue: `rate`, `queue_bytes` -- b (10.76.0.2)
    ...                    +

Only what goes to b is slowed. Making namespaces needs root.
"""
import json
import os
import subprocess

from tools.lab.errors import LabError


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        raise LabError(f"exit status {done.returncode}", " ".join(map(str, command)),
                       done.stderr.strip() or "run it by hand")
    return done.stdout


class NarrowLink:
    """A context manager; the namespaces are removed at its end."""

    def __init__(self, senders=1, rate_mbit=200, queue_bytes=150_000):
        self.senders, self.rate_mbit, self.queue_bytes = senders, rate_mbit, queue_bytes
        self.prefix = f"selvedge{os.getpid()}"
        self.names = [f"a{i}" for i in range(senders)] + ["r", "b"]
        self.receiver = "10.76.0.2"

    def name(self, end):
        return f"{self.prefix}{end}"

    def inside(self, end, *command):
        """The command line that runs `command` in the namespace of that end."""
        return ["ip", "netns", "exec", self.name(end), *map(str, command)]

    def sender(self, i):
        return f"10.77.{i}.2"

    def __enter__(self):
        try:
            for name in self.names:
                run("ip", "netns", "add", self.name(name))
                run("ip", "-n", self.name(name), "link", "set", "lo", "up")
            run(*self.inside("r", "sysctl", "-qw", "net.ipv4.ip_forward=1"))
            for i in range(self.senders):
                self.connect(f"a{i}", f"10.77.{i}")
            self.connect("b", "10.76.0")
            # So short a burst that the queue, not the bucket, takes what is too much; and one that a
            # late timer does not make slower.
            run("tc", "-n", self.name("r"), "qdisc", "add", "dev", "to-b", "root", "tbf", "rate",
                f"{self.rate_mbit}mbit", "burst", max(5000, self.rate_mbit * 30), "limit",
                self.queue_bytes)
        except BaseException:
            self.__exit__()
            raise
        return self

    def connect(self, end, network):
        here, r, wire = self.name(end), self.name("r"), f"to-{end}"
        run("ip", "-n", here, "link", "add", "wire", "type", "veth", "peer", "name", wire, "netns", r)
        run("ip", "-n", here, "address", "add", f"{network}.2/24", "dev", "wire")
        run("ip", "-n", r, "address", "add", f"{network}.1/24", "dev", wire)
        run("ip", "-n", here, "link", "set", "dev", "wire", "up")
        run("ip", "-n", r, "link", "set", "dev", wire, "up")
        run("ip", "-n", here, "route", "add", "default", "via", f"{network}.1")

    def queue(self):
        """The queue's state: bytes waiting; packets and bytes that passed, and packets dropped, in all."""
        q = json.loads(run("tc", "-n", self.name("r"), "-s", "-j", "qdisc", "show", "dev", "to-b"))[0]
        return {key: q[key] for key in ("backlog", "packets", "bytes", "drops")}

    def delay_ms(self, waiting_bytes):
        return waiting_bytes * 8e-3 / self.rate_mbit

    def __exit__(self, *_):
        for name in self.names:
            subprocess.run(["ip", "netns", "del", self.name(name)], capture_output=True)
