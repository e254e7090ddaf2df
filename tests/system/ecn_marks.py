# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""A router that marks packets (ECN, RFC 3168) when more than a rate goes to an address: a rule of nftables, in a network
namespace. The kernel's queues that mark (red, codel) are not in every kernel, and the program `nft` is not everywhere;
so the rule is written over netlink here (linux/netfilter/nf_tables.h).

    ip daddr TO  limit rate over RATE bytes/second burst BURST bytes  ip ecn set ce  counter

The kernel lets a second's worth of bytes and BURST pass before it marks, and then whatever is too much. The rule goes
with its namespace.
"""
import ctypes
import os
import socket
import struct
import threading

NETLINK_NETFILTER, SUBSYSTEM = 12, 10
NEW_TABLE, NEW_CHAIN, NEW_RULE, GET_RULE, BATCH_BEGIN, BATCH_END = 0, 3, 6, 7, 0x10, 0x11
REQUEST, ACK, DUMP, CREATE = 1, 4, 0x300, 0x400
ERROR, DONE = 2, 3
CLONE_NEWNET = 0x40000000


def attribute(kind, value):
    if isinstance(value, str):
        value = value.encode() + b"\0"
    elif isinstance(value, int):
        value = struct.pack(">I", value)
    elif isinstance(value, list):
        kind |= 0x8000  # nested
        value = b"".join(value)
    return struct.pack("=HH", len(value) + 4, kind) + value + b"\0" * (-len(value) % 4)


def message(kind, flags, number, body=b"", family=socket.AF_INET, resource=0):
    text = struct.pack(">BBH", family, 0, resource) + body
    return struct.pack("=IHHII", 16 + len(text), kind, flags, number, 0) + text


def expression(name, *data):
    return attribute(1, [attribute(1, name), attribute(2, list(data))])


def rule(to, rate, burst):
    header, register = 1, 1

    def data(kind, text):
        return attribute(kind, [attribute(1, text)])
    return [
        expression("payload", attribute(1, register), attribute(2, header), attribute(3, 16), attribute(4, 4)),
        expression("cmp", attribute(1, register), attribute(2, 0), data(3, socket.inet_aton(to))),
        expression("limit", attribute(1, struct.pack(">Q", rate)), attribute(2, struct.pack(">Q", 1)), attribute(3, burst),
                   attribute(4, 1), attribute(5, 1)),  # bytes; over the limit
        # The first two bytes of the header, since its sum counts words.
        expression("payload", attribute(1, register), attribute(2, header), attribute(3, 0), attribute(4, 2)),
        expression("bitwise", attribute(1, register), attribute(2, register), attribute(3, 2), data(4, b"\xff\xfc"),
                   data(5, b"\x00\x03")),
        expression("payload", attribute(2, header), attribute(3, 0), attribute(4, 2), attribute(5, register),
                   attribute(6, 1), attribute(7, 10)),
        expression("counter", attribute(1, bytes(8)), attribute(2, bytes(8)))]


class Marks:
    """Begins to mark. OSError if the kernel has no such rules, or this process may not make them."""

    def __init__(self, namespace, to, rate, burst):
        self.socket = self.socket_in(namespace)
        try:
            name, chain = "selvedge", "forward"
            steps = [(NEW_TABLE, attribute(1, name)),
                     (NEW_CHAIN, attribute(1, name) + attribute(3, chain) +
                      attribute(4, [attribute(1, 2), attribute(2, 0)]) + attribute(7, "filter")),
                     (NEW_RULE, attribute(1, name) + attribute(2, chain) + attribute(4, rule(to, rate, burst)))]
            batch = message(BATCH_BEGIN, REQUEST, 0, family=0, resource=SUBSYSTEM)
            for number, (kind, body) in enumerate(steps, 1):
                batch += message(SUBSYSTEM << 8 | kind, REQUEST | ACK | CREATE, number, body)
            batch += message(BATCH_END, REQUEST, len(steps) + 1, family=0, resource=SUBSYSTEM)
            self.socket.send(batch)
            for _ in steps:
                self.replies()
        except BaseException:
            self.close()
            raise

    @staticmethod
    def socket_in(namespace):
        """A socket belongs to the namespace of the thread that makes it."""
        made = []

        def make():
            with open(f"/run/netns/{namespace}", "rb") as where:
                if ctypes.CDLL(None, use_errno=True).setns(where.fileno(), CLONE_NEWNET) != 0:
                    made.append(OSError(ctypes.get_errno(), "setns"))
                    return
            try:
                made.append(socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_NETFILTER))
            except OSError as error:
                made.append(error)
        thread = threading.Thread(target=make)
        thread.start()
        thread.join()
        if isinstance(made[0], OSError):
            raise made[0]
        made[0].settimeout(10)
        return made[0]

    def replies(self):
        """What the kernel says, in one datagram; raises its errors."""
        text = self.socket.recv(1 << 16)
        found, at = [], 0
        while at < len(text):
            length, kind = struct.unpack_from("=IH", text, at)
            if kind == ERROR and (error := struct.unpack_from("=i", text, at + 16)[0]) != 0:
                raise OSError(-error, f"nftables: {os.strerror(-error)}")
            found.append((kind, text[at + 16:at + length]))
            at += (length + 3) & ~3
        return found

    def packets(self):
        """How many packets have been marked."""
        self.socket.send(message(SUBSYSTEM << 8 | GET_RULE, REQUEST | DUMP, 9, attribute(1, "selvedge")))
        text = b""
        while not (found := self.replies()) or found[-1][0] != DONE:
            text += b"".join(body for _, body in found)
        # counter\0, the attribute of its data, bytes, packets; each with a head of 4 bytes.
        at = text.index(b"counter\0") + 8 + 4 + 12
        return struct.unpack_from(">Q", text, at + 4)[0]

    def close(self):
        self.socket.close()
