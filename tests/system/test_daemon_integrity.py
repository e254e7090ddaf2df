# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Packets that a machine on the way changes, with a right UDP checksum, and daemons of the former
version of the protocol."""
import random
import selectors
import socket
import struct
import threading

from test_daemon import Daemons, free_ports


class Relay:
    """Passes the datagrams between two daemons of one path on. It flips bits in some of those to
    `to`; the kernel makes the checksum right again."""

    def __init__(self, origin, to, share, seed=1):
        self.ends = []
        for _ in range(2):
            end = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            end.bind(("127.0.0.1", 0))
            end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
            self.ends.append(end)
        self.address = "%s:%d" % self.ends[0].getsockname()
        self.origin, self.to, self.share = origin, to, share
        self.random = random.Random(seed)
        self.flipped, self.stop = 0, False
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        with selectors.DefaultSelector() as ready:
            for end in self.ends:
                ready.register(end, selectors.EVENT_READ)
            while not self.stop:
                for key, _ in ready.select(0.1):
                    data = bytearray(key.fileobj.recv(65536))
                    if key.fileobj is self.ends[0]:
                        # Packets with a payload, so that what is flipped could be delivered.
                        if len(data) > 200 and self.random.random() < self.share:
                            for _ in range(self.random.randint(1, 3)):
                                data[self.random.randrange(28, len(data))] ^= (
                                    1 << self.random.randrange(8))
                            self.flipped += 1
                        self.ends[1].sendto(data, self.to)
                    else:
                        self.ends[0].sendto(data, self.origin)

    def close(self):
        self.stop = True
        self.thread.join()
        for end in self.ends:
            end.close()


def endpoint(address):
    host, port = address.split(":")
    return host, int(port)


class Integrity(Daemons):
    def test_what_is_changed_on_the_way_is_never_delivered(self):
        for name in "ab":
            self.daemon(name, udp="paths = 1")
        relay = Relay(endpoint(self.address["a"]), endpoint(self.address["b"]), share=0.02)
        self.addCleanup(relay.close)
        self.address["relay"] = relay.address
        self.serve()
        result = self.send("--count", 10000, "--size", 1000, "--verify", to="relay")
        self.assertEqual((result["messages"], result["errors"]), (10000, 0))
        self.assertGreaterEqual(relay.flipped, 80)
        self.assertEqual(self.ask("b", "status")["dropped_packets"]["corrupt"], relay.flipped)


class Versions(Daemons):
    """The former version is spoken by sockets of the test, byte by byte: header of 32 bytes,
    without a CRC."""

    HEADER = struct.Struct(">HBBIQIIHHBBH")
    HANDSHAKE = struct.Struct(">QQQIIHBB")

    def old_socket(self):
        old = self.enterContext(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        old.bind(("127.0.0.1", free_ports(1)))
        old.settimeout(10)
        return old

    def test_who_speaks_only_the_former_version_is_refused(self):
        daemon = self.daemon("a")
        old = self.old_socket()
        handshake = self.HANDSHAKE.pack(1, 0x77, 0, 9, 0, 4096, 4, 1) + b"perf"
        old.sendto(self.HEADER.pack(0x5356, 1, 1, 0, 0, 0, 0, 0, len(handshake), 0, 0, 0)
                   + handshake, endpoint(self.address["a"]))
        # A reset of its version, to its connection, with its token: "another version".
        self.assertEqual(old.recv(100), self.HEADER.pack(0x5356, 1, 9, 9, 0x77, 0, 0, 0, 1, 0, 0, 0)
                         + b"\x08")
        self.assertIn("%s:%d speaks version 1 of the protocol, this daemon only version 2: upgrade "
                      "selvedged there" % old.getsockname(), daemon.stderr.readline())
        self.assertEqual(self.ask("a", "status")["connections"], 0)

    def test_who_connects_to_the_former_version_is_told_to_upgrade_it(self):
        daemon = self.daemon("a")
        old = self.old_socket()
        self.address["old"] = "%s:%d" % old.getsockname()
        said = []

        def answer():  # as the former version: what is not of its own it drops
            while not said:
                data, peer = old.recvfrom(2000)
                if data[2] == 1 and data[3] == 1:
                    _, token, cookie, number, *_ = self.HANDSHAKE.unpack(data[32:68])
                    said.append((cookie, data[68:]))
                    old.sendto(self.HEADER.pack(0x5356, 1, 2, number, token, 0, 0, 0, 8, 0, 0, 0)
                               + bytes(8), peer)

        thread = threading.Thread(target=answer)
        thread.start()
        error = self.send("--count", 1, status=3, to="old")
        thread.join()
        self.assertEqual(said, [(0, b"perf")])
        self.assertIn("upgrade selvedged there", error)
        self.assertEqual(len(error.strip().splitlines()), 1)
        self.assertIn("upgrade selvedged there", daemon.stderr.readline())
