# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""One user, or one stranger on the network, takes as much as it can; others are served."""
import os
import pathlib
import socket
import struct
import time
import unittest

from test_daemon import Daemons

OTHER = 65534  # a user's number


def crc32c(data):
    c = 0xFFFFFFFF
    for byte in data:
        c ^= byte
        for _ in range(8):
            c = c >> 1 ^ (0x82F63B78 if c & 1 else 0)
    return c ^ 0xFFFFFFFF


class Stranger:
    """Opens connections as the protocol says, and then is silent. (Version 2, in the clear: a header
    of 32 bytes, the CRC, the payload.)"""

    def __init__(self, to, service):
        self.service = service.encode()
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.settimeout(1)
        host, port = to.split(":")
        self.to = (host, int(port))

    def ask(self, token, cookie):
        """The kind of the answer, and its payload."""
        payload = struct.pack(">QQQIIHBB", 1, token, cookie, token & 0xFFFF, 0, 4096,
                              len(self.service), 1) + self.service
        header = struct.pack(">HBBIQIIHHBBH", 0x5356, 2, 1, 0, 0, 0, 0, 0, len(payload), 0, 0, 0)
        self.socket.sendto(header + struct.pack(">I", crc32c(header + payload)) + payload, self.to)
        end = time.monotonic() + 1
        while time.monotonic() < end:
            try:
                data = self.socket.recv(2000)
            except socket.timeout:
                break
            if struct.unpack(">I", data[4:8])[0] == token & 0xFFFF and data[3] in (2, 3, 9):
                return data[3], data[36:]
        return 0, b""

    def open(self, token):
        kind, cookie = self.ask(token, 0)
        return self.ask(token, struct.unpack(">Q", cookie)[0]) if kind == 2 else (kind, cookie)


def descriptors(process):
    return len(list(pathlib.Path(f"/proc/{process.pid}/fd").iterdir()))


class Network(Daemons):
    def test_a_stranger_who_answers_cookies(self):
        self.daemon("a")
        daemon = self.daemon("b", extra="[limits]\nsource_half_open = 20\n")
        self.serve()
        before = descriptors(daemon)
        stranger = Stranger(self.address["b"], "perf")
        self.addCleanup(stranger.socket.close)
        kinds = [stranger.open(token)[0] for token in range(1, 101)]
        self.assertEqual(kinds[:20], [3] * 20)  # accepted
        self.assertIn((9, b"\x0b"), [stranger.open(token) for token in range(101, 105)])
        self.assertLessEqual(self.ask("b", "status")["connections"], 20)
        self.assertLessEqual(descriptors(daemon) - before, 60)
        # They end, and then there is room for others of that address.
        self.assertTrue(self.connections_end("b", within=30))
        self.assertEqual(self.send("--count", 100, "--verify")["errors"], 0)

    def test_the_error_names_the_limit_of_the_address(self):
        self.daemon("a")
        self.daemon("b", extra="[limits]\nsource_connections = 1\n")
        self.serve()
        first = self.start(*self.send_command("--count", 10**9))
        end = time.monotonic() + 10
        while self.ask("b", "status")["connections"] == 0:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)
        error = self.send("--count", 1, status=3)
        self.assertIn("no more connections from this address: see its [limits] source_*", error)
        first.terminate()


class Local(Daemons):
    def limited(self, limits, daemon=""):
        self.daemon("a", daemon=daemon)
        self.daemon("b", daemon=daemon, extra=f"[limits]\n{limits}\n")
        self.serve()

    def refusal(self, **where):
        return self.send("--count", 1, status=3, **where)

    @unittest.skipUnless(os.geteuid() == 0, "needs two users")
    def test_a_user_with_many_sockets_leaves_room_for_others(self):
        self.daemon("a", daemon='mode = "0666"')
        self.daemon("b")
        self.serve()
        self.folder.chmod(0o755)
        os.seteuid(OTHER)  # the kernel reports the effective user
        try:
            for _ in range(256):
                client = self.enterContext(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
                client.connect(f"{self.folder}/a.sock")
        finally:
            os.seteuid(0)
        self.assertEqual(self.send("--count", 100, "--verify")["errors"], 0)
        users = {u["user"]: u for u in self.ask("a", "status")["users"]}
        self.assertEqual(users[OTHER]["applications"], 128)
        _, _, _, error = struct.unpack("IHxxII", client.recv(272)[:16])
        self.assertEqual(error, 69)  # ring/control.hpp: kUserClients

    def test_connections_of_a_user(self):
        self.daemon("a", extra="[limits]\nuser_connections = 1\n")
        self.daemon("b")
        self.serve()
        self.start(*self.send_command("--count", 10**9))
        self.await_connections("a")
        self.assertIn("user_connections", self.refusal())

    def test_connections_that_peers_open_to_a_user(self):
        self.limited("user_connections = 1")
        self.start(*self.send_command("--count", 10**9))
        self.await_connections("b")
        self.assertIn("the application at the peer, or its user", self.refusal())

    def test_rings_of_a_user_and_of_all(self):
        for limit in "user_ring_bytes", "ring_bytes":
            with self.subTest(limit):
                self.daemon("a", extra=f"[limits]\n{limit} = 8388608\n")
                self.daemon("b")
                server = self.serve()
                sender = self.start(*self.send_command("--count", 10**9))
                self.await_connections("a")
                self.assertEqual(self.ask("a", "status")["ring_bytes"], 8388608)
                self.assertIn(f"[limits] {limit} permits", self.refusal())
                for process in sender, server:
                    process.kill()
                    process.wait()
                self.assertTrue(self.connections_end("a"))
                self.assertEqual(self.ask("a", "status")["ring_bytes"], 0)
                self.stop_all()

    def await_connections(self, name):
        end = time.monotonic() + 10
        while self.ask(name, "status")["connections"] == 0:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)
