# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""What operators of selvedged use: the report why a connection makes no progress, the protocol of the
service manager (systemd's notify), and rereading the configuration."""
import os
import re
import secrets
import signal
import socket
import subprocess
import time
import unittest
import unittest.mock

from test_daemon import BIN, Daemons


class Watched(Daemons):
    def connection(self, name, within=10):
        """The number of the daemon's only connection."""
        end = time.monotonic() + within
        while time.monotonic() < end:
            connections = self.ask(name, "connections")["connections"]
            if connections:
                return connections[0]["connection"]
            time.sleep(0.02)
        self.fail(f"{name} has no connection; {self.said_by_sender()}")

    def said_by_sender(self):
        """A sentence on the sender: whether it still runs, or how it ended and what it printed."""
        if self.sender.poll() is None:
            return "the sender still runs"
        return f"the sender ended with {self.sender.returncode}: {self.sender.stderr.read()}"

    def why(self, name, number, *options, status=0):
        done = subprocess.run([BIN / "selvedgectl", "why-stalled", str(number), "--socket",
                               self.folder / f"{name}.sock", *options], capture_output=True,
                              text=True, timeout=20)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout if status == 0 else done.stderr

    def reasons(self, name):
        """{reason: text} as selvedgectl why-stalled prints them, one a line below a heading."""
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
        """Stops and continues the daemon `frozen` until the daemon `name` gives `reason`."""
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


class WhyStalled(Watched):
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
        # So many, and so small, that the window is full before the ring.
        self.start_sending("[paths]\nin_flight_packets = 2048\n", size=64)
        self.await_reason("a", "moving")
        self.b.send_signal(signal.SIGSTOP)
        reasons = self.await_reason("a", "all-paths-silent", within=8)
        self.assertNotIn("moving", reasons)
        self.assertIn("any of 8 paths", reasons["all-paths-silent"])
        self.assertIn("unacknowledged", reasons)
        self.assertIn("window-full", reasons)
        self.b.send_signal(signal.SIGCONT)
        self.assertNotIn("all-paths-silent", self.await_reason("a", "moving"))

    def test_a_network_that_drops_all(self):
        self.daemon("a", extra="[impair]\nloss = 0.999999\n")
        self.daemon("b")
        self.serve()
        self.sender = self.start(*self.send_command("--count", 1))
        self.assertEqual(list(self.await_reason("a", "opening", within=4)), ["opening"])

    def test_limited_injection_for_want_of_memory(self):
        self.start_sending("[injection]\nmode = \"li\"\n"
                           "[impair]\nreorder = 0.3\nreorder_depth = 32\nseed = 3\n",
                           "[memory]\ntotal_bytes = 0\nper_connection_bytes = 0\n")
        self.await_reason("a", "limited-injection")
        reasons = self.frozen_while(self.b, "a", "limited-injection")
        self.assertRegex(reasons["limited-injection"], r"state LI: [1-9]\d* rejected .* sn \d+$")
        self.assertIn("peer-memory-full", reasons)
        self.assertIn("unacknowledged", reasons)

    def test_a_missing_packet(self):
        self.start_sending("[impair]\nloss = 0.3\nseed = 5\n")
        self.await_reason("a", "moving")
        reasons = self.frozen_while(self.a, "b", "missing-packet")
        self.assertRegex(reasons["missing-packet"], r"[1-9]\d* stored packets wait for sn \d+, ")

    def test_mistakes(self):
        self.daemon("a")
        for number in ("77", "nonsense", "-1", "4294967296"):
            with self.subTest(number=number):
                self.assertIn("no such connection" if number[0] != "-" else "error:",
                              self.why("a", number, status=2))
        self.assertIn("number", self.why("a", "1" * 300, status=2))
        self.assertIn("no connection", self.why("a", "", status=2))


class Manager(Daemons):
    def listen(self, name, **environment):
        manager = self.enterContext(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        manager.bind("\0" + name[1:] if name[0] == "@" else name)
        manager.settimeout(10)
        self.enterContext(unittest.mock.patch.dict(
            os.environ, {"NOTIFY_SOCKET": name, **environment}))
        return manager

    def messages_within(self, manager, seconds):
        messages, end = [], time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            manager.settimeout(left)
            try:
                messages.append(manager.recv(4096).decode())
            except TimeoutError:
                break
        return messages

    def check_ready_and_stopping(self, name):
        manager = self.listen(name)
        daemon = self.daemon("a")
        self.assertEqual(manager.recv(4096), b"READY=1")
        self.assertEqual(self.ask("a", "status")["connections"], 0)
        self.assertEqual(self.messages_within(manager, 0.5), [])  # no watchdog was asked for
        daemon.terminate()
        self.assertEqual(daemon.wait(10), 0)
        self.assertEqual(self.messages_within(manager, 0.2), ["STOPPING=1"])

    def test_ready_and_stopping_by_path(self):
        self.check_ready_and_stopping(f"{self.folder}/manager.sock")

    def test_ready_and_stopping_by_abstract_name(self):
        self.check_ready_and_stopping(f"@selvedge-test-{secrets.token_hex(8)}")

    def test_watchdog(self):
        manager = self.listen(f"{self.folder}/manager.sock", WATCHDOG_USEC="400000")
        daemon = self.daemon("a")
        messages = self.messages_within(manager, 2)
        self.assertEqual(messages.count("READY=1"), 1)
        self.assertGreaterEqual(messages.count("WATCHDOG=1"), 5)  # every 0.2 to 0.3 s
        self.assertLessEqual(messages.count("WATCHDOG=1"), 11)
        daemon.send_signal(signal.SIGSTOP)
        self.messages_within(manager, 0.1)  # discards messages that were under way
        self.assertEqual(self.messages_within(manager, 1), [])
        daemon.send_signal(signal.SIGCONT)
        self.assertEqual(manager.recv(4096), b"WATCHDOG=1")

    def test_watchdog_of_another_process(self):
        manager = self.listen(f"{self.folder}/manager.sock", WATCHDOG_USEC="100000",
                              WATCHDOG_PID=str(os.getpid()))
        self.daemon("a")
        self.assertEqual(self.messages_within(manager, 0.7), ["READY=1"])

    def test_a_missing_manager_is_a_warning(self):
        with unittest.mock.patch.dict(os.environ, {"NOTIFY_SOCKET": f"{self.folder}/nobody"}):
            daemon = self.daemon("a")
            self.assertIn("warning: the service manager cannot be notified", daemon.stderr.readline())
        self.assertEqual(self.ask("a", "status")["connections"], 0)


class Reload(Watched):
    def rewrite(self, name, before, after):
        config = self.folder / f"{name}.toml"
        text = config.read_text()
        self.assertIn(before, text)
        config.write_text(text.replace(before, after))

    def send_sighup(self, daemon):
        daemon.send_signal(signal.SIGHUP)
        return daemon.stderr.readline()

    def test_a_network_that_begins_to_drop_all(self):
        self.start_sending("[impair]\nloss = 0.0\n")
        self.await_reason("a", "moving")
        self.rewrite("a", "loss = 0.0\n", "loss = 0.999999\n")
        self.assertIn("changed [impair] loss: 0 to 0.999999", self.send_sighup(self.a))
        self.assertNotIn("moving", self.await_reason("a", "all-paths-silent", within=8))
        self.rewrite("a", "loss = 0.999999\n", "loss = 0.0\n")
        self.assertIn("changed", self.send_sighup(self.a))
        self.await_reason("a", "moving", within=8)

    def test_a_wrong_file_keeps_the_old_settings(self):
        daemon = self.daemon("a", daemon="clients_max = 1")
        self.rewrite("a", "clients_max = 1", "clients_max = 7\nspin_uss = 3")
        line = self.send_sighup(daemon)
        for words in ("warning: the old settings are kept", "a.toml:4", "did you mean 'spin_us'"):
            self.assertIn(words, line)
        self.serve("a")  # clients_max = 1 allows only this client
        refused = subprocess.run([BIN / "selvedgectl", "status", "--socket",
                                  self.folder / "a.sock"], capture_output=True, timeout=20)
        self.assertEqual(refused.returncode, 3)
        self.rewrite("a", "\nspin_uss = 3", "")
        self.assertIn("[daemon] clients_max: 1 to 7", self.send_sighup(daemon))
        self.assertEqual(self.ask("a", "status")["applications"], 2)

    def test_keys_that_need_a_restart(self):
        daemon = self.daemon("a", udp="paths = 4")
        self.rewrite("a", "paths = 4", "paths = 2")
        self.assertIn("warning", line := self.send_sighup(daemon))
        self.assertIn("needs a restart: [udp] paths: 4 to 2", line)
        self.assertEqual(self.ask("a", "status")["paths"], 4)
        self.serve("a")
        self.assertEqual(self.send("--count", 1000, "--verify", to="a")["messages"], 1000)
        self.rewrite("a", "paths = 2", "paths = 4")
        self.assertIn("nothing has changed", self.send_sighup(daemon))

    def test_the_manager_is_notified_of_a_reload(self):
        name = f"{self.folder}/manager.sock"
        manager = self.enterContext(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        manager.bind(name)
        manager.settimeout(10)
        with unittest.mock.patch.dict(os.environ, {"NOTIFY_SOCKET": name}):
            daemon = self.daemon("a")
        self.assertEqual(manager.recv(4096), b"READY=1")
        self.send_sighup(daemon)
        self.assertRegex(manager.recv(4096), rb"^RELOADING=1\nMONOTONIC_USEC=\d+$")
        self.assertEqual(manager.recv(4096), b"READY=1")


if __name__ == "__main__":
    unittest.main()
