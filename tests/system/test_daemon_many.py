# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Many connections that all send as fast as they can, between two daemons: none ends, every byte is right, they
share evenly, and hardly a datagram is dropped at the sockets. In ./run campaign a thousand, otherwise fewer; with
sanitizers some, of which no figures are asked."""
import json
import os
import pathlib
import signal
import subprocess
import unittest

from sanitized import SANITIZE
from test_daemon import Daemons

CAMPAIGN = os.environ.get("SELVEDGE_WHOLE") == "campaign"
CONNECTIONS, SECONDS = (40, [2]) if SANITIZE else (1000, [10]) if CAMPAIGN else (150, [2, 8, 24])
PATHS = 8
BURST = 16  # packets of 4 KB that the system counts as one, at most
# The smallest rings: a thousand connections touch all of both.
RING = 2 << 20
SMALL_RINGS = f"ring_bytes = {RING}\n"


def drops(ports):
    """The datagrams that the system has dropped at sockets with these ports, because their queues were full."""
    count = 0
    for line in pathlib.Path("/proc/net/udp").read_text(encoding="ascii").splitlines()[1:]:
        columns = line.split()
        if int(columns[1].split(":")[1], 16) in ports:
            count += int(columns[-1])
    return count


class Many(Daemons):
    def many(self, connections, *options, seconds=SECONDS[0]):
        done = subprocess.run([str(c) for c in self.send_command(
            "--connections", connections, "--seconds", seconds, "--warm-up", 3 if CAMPAIGN else 1, *options,
            verb="many")], capture_output=True, text=True, timeout=500)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def ports(self):
        first = [int(address.rsplit(":", 1)[1]) for address in self.address.values()]
        return {port + path for port in first for path in range(PATHS)}

    def check(self, *options):
        for name in "ab":
            self.daemon(name, daemon=SMALL_RINGS)
        self.serve()
        few = self.many(8, *options) if CAMPAIGN else None
        # Memory that is touched first comes slowly on some machines, and to one connection before another; so a
        # share is counted once a connection has been around its ring.
        for seconds in SECONDS:
            before = drops(self.ports())
            result = self.many(CONNECTIONS, "--verify", *options, seconds=seconds)
            if result["bytes"] > CONNECTIONS * RING:
                break
        dropped = drops(self.ports()) - before
        self.assertEqual((result["connections"], result["errors"], result["ended"]), (CONNECTIONS, 0, {}))
        self.assertGreater(result["least_bytes"], 0)
        if SANITIZE:
            return
        self.assertGreaterEqual(result["fairness"], 0.95 if CAMPAIGN else 0.9, f"in {seconds} s: {result}")
        self.assertLess(BURST * dropped, result["bytes"] / 4096 / 100)
        if CAMPAIGN:
            print(f"{few['bytes_per_s'] * 1e-9:.3f} GB/s over 8 connections, over {CONNECTIONS}:", result)

    def test_one_thread_that_takes_turns(self):
        self.check()

    def test_one_thread_that_writes_several_messages_a_turn(self):
        self.check("--batch", "16")

    def test_a_thread_for_each(self):
        self.check("--threads")

    def test_an_application_that_accepts_late(self):
        """More connections than its socket takes at once wait for an application that is stopped: none is lost."""
        self.daemon("a", daemon=SMALL_RINGS)
        self.daemon("b", daemon=SMALL_RINGS)
        server = self.serve()
        server.send_signal(signal.SIGSTOP)
        connections = 400
        with subprocess.Popen([str(c) for c in self.send_command(
                "--connections", connections, "--seconds", 8, "--warm-up", 0, "--verify", verb="many")],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as sender:
            self.wait_for(lambda: sender.poll() is not None or self.ask("b", "status")["connections"] == connections, 60)
            server.send_signal(signal.SIGCONT)
            said, error = sender.communicate(timeout=120)
        self.assertEqual(sender.returncode, 0, error)
        result = json.loads(said)
        self.assertEqual((result["connections"], result["errors"], result["ended"]), (connections, 0, {}))
        self.assertGreater(result["least_bytes"], 0)

    def test_the_sizes_of_messages(self):
        self.daemon("a")
        self.daemon("b")
        self.serve()
        for size in (17, 300, 524288):
            with self.subTest(size):
                result = self.many(3, "--size", size, "--verify")
                self.assertEqual((result["errors"], result["ended"]), (0, {}))
                self.assertGreater(result["least_bytes"], 0)
        for size in (16, 524289):
            said = self.send("--connections", 1, "--size", size, verb="many", status=2)
            self.assertRegex(said, "^error: --size .*: the command line: give 17 to 524288\n$")


if __name__ == "__main__":
    unittest.main()
