# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""What an operator has of selvedged: why a connection stands still, told by real ones that do."""
import re
import signal
import subprocess
import time
import unittest

from test_daemon import BIN, Daemons


class WhyStalled(Daemons):
    def connection(self, name, within=10):
        """The number of the daemon's only connection."""
        end = time.monotonic() + within
        while time.monotonic() < end:
            told = self.ask(name, "connections")["connections"]
            if told:
                return told[0]["connection"]
            time.sleep(0.02)
        self.fail(f"{name} has no connection")

    def why(self, name, number, *options, status=0):
        done = subprocess.run([BIN / "selvedgectl", "why-stalled", str(number), "--socket",
                               self.folder / f"{name}.sock", *options], capture_output=True,
                              text=True, timeout=20)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout if status == 0 else done.stderr

    def reasons(self, name):
        """Reason -> text, as printed: a line each below the heading."""
        lines = self.why(name, self.connection(name)).splitlines()
        self.assertRegex(lines[0], r"^connection \d+ with ")
        return dict(line.split(": ", 1) for line in lines[1:])

    def await_reason(self, name, reason, within=15):
        end = time.monotonic() + within
        while time.monotonic() < end:
            reasons = self.reasons(name)
            if reason in reasons:
                return reasons
            time.sleep(0.05)
        self.fail(f"{name} never says {reason}, but {reasons}")

    def frozen_while(self, frozen, name, reason, within=30):
        """Stops the daemon `frozen` at moments until the other one says `reason`."""
        end = time.monotonic() + within
        while time.monotonic() < end:
            frozen.send_signal(signal.SIGSTOP)
            time.sleep(0.15)
            reasons = self.reasons(name)
            if reason in reasons:
                return reasons
            frozen.send_signal(signal.SIGCONT)
            time.sleep(0.05)
        self.fail(f"{name} never says {reason}, but {reasons}")

    def start_sending(self, extra_a="", extra_b="", size=4096):
        self.a = self.daemon("a", extra=extra_a)
        self.b = self.daemon("b", extra=extra_b)
        self.server = self.serve()
        self.sender = self.start(*self.send_command("--count", 100000000,
                                                     "--size", size))

    def test_a_reader_that_stopped(self):
        self.start_sending()
        self.await_reason("a", "moving")
        self.server.send_signal(signal.SIGSTOP)
        at_sender = self.await_reason("a", "peer-does-not-read")
        self.assertNotIn("moving", at_sender)
        self.assertNotIn("all-paths-silent", at_sender)
        self.await_reason("a", "application-ring-full")
        at_receiver = self.await_reason("b", "application-does-not-read")
        held, size = map(int, re.search(r"(\d+) of (\d+) bytes",
                                        at_receiver["application-does-not-read"]).groups())
        self.assertEqual(size, 4 << 20)
        self.assertGreater(held, size - 16384)
        self.server.send_signal(signal.SIGCONT)
        self.assertNotIn("peer-does-not-read", self.await_reason("a", "moving"))

    def test_a_sender_that_stopped(self):
        self.start_sending()
        self.await_reason("a", "moving")
        self.sender.send_signal(signal.SIGSTOP)
        self.assertEqual(list(self.await_reason("a", "nothing-to-send")), ["nothing-to-send"])
        self.assertEqual(list(self.reasons("b")), ["nothing-to-send"])

    def test_silent_paths(self):
        self.start_sending(size=64)  # so small that the window is full before the ring
        self.await_reason("a", "moving")
        self.b.send_signal(signal.SIGSTOP)
        reasons = self.await_reason("a", "all-paths-silent", within=8)
        self.assertNotIn("moving", reasons)
        self.assertIn("none of 8 paths", reasons["all-paths-silent"])
        self.assertIn("unacknowledged", reasons)
        self.assertIn("window-full", reasons)
        self.b.send_signal(signal.SIGCONT)
        self.assertNotIn("all-paths-silent", self.await_reason("a", "moving"))

    def test_a_network_that_drops_all(self):
        self.daemon("a", extra="[impair]\nloss = 0.999999\n")
        self.daemon("b")
        self.serve()
        self.start(*self.send_command("--count", 1))
        self.assertEqual(list(self.await_reason("a", "opening", within=4)), ["opening"])

    def test_limited_injection_for_want_of_memory(self):
        self.start_sending("[impair]\nreorder = 0.3\nreorder_depth = 32\nseed = 3\n",
                           "[memory]\ntotal_bytes = 0\nper_connection_bytes = 0\n")
        self.await_reason("a", "limited-injection")
        reasons = self.frozen_while(self.b, "a", "limited-injection")
        self.assertRegex(reasons["limited-injection"], r"state LI: [1-9]\d* rejected .* sn \d+$")
        self.assertIn("peer-memory-full", reasons)
        self.assertIn("unacknowledged", reasons)

    def test_a_packet_that_has_not_come(self):
        self.start_sending("[impair]\nloss = 0.3\nseed = 5\n")
        self.await_reason("a", "moving")
        reasons = self.frozen_while(self.a, "b", "missing-packet")
        self.assertRegex(reasons["missing-packet"], r"[1-9]\d* packets wait for sn \d+, ")

    def test_mistakes(self):
        self.daemon("a")
        for number in ("77", "nonsense", "-1", "4294967296"):
            with self.subTest(number=number):
                self.assertIn("no such connection" if number[0] != "-" else "error:",
                              self.why("a", number, status=2))
        self.assertIn("number", self.why("a", "1" * 300, status=2))
        self.assertIn("no connection", self.why("a", "", status=2))


if __name__ == "__main__":
    unittest.main()
