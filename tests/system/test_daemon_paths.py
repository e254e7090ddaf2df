# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Paths that work in one direction only: every pair of non-empty sets of paths, those that work from a to b and those
that work from b to a, with real daemons. A connection that was open before lives on, rests, and goes on; new ones
open; every message arrives once, in order and right.

    a == paths of `there` => b         [impair] loses all that a daemon sends over its other paths; SIGHUP brings
    a <= paths of `back` === b         the next pair, so that one connection lives through all of them

./run test draws a few of the 225 pairs, ./run campaign runs all.
"""
import ctypes
import itertools
import json
import pathlib
import random
import signal
import subprocess
import sys
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from test_daemon import BIN, Daemons  # noqa: E402

from tests.support.draw import SEED, drawn  # noqa: E402

PATHS = 4
SETS = [frozenset(p for p in range(PATHS) if bits >> p & 1) for bits in range(1, 1 << PATHS)]
PAIRS = list(itertools.product(SETS, SETS))
EACH_WAY = 100
IDLE_S = 14  # a connection ends when it has heard nothing for ten
AT_A_TIME = 16
PATIENCE_MS = 60_000
TIMEOUT = -100  # selvedge.h: SELVEDGE_E_TIMEOUT


def named(paths):
    return "{" + ",".join(map(str, sorted(paths))) + "}"


class Library:
    """The calls of libselvedge, which raise what they return as an error."""

    def __init__(self):
        self.c = ctypes.CDLL(str(BIN.parent / "lib" / "libselvedge.so"))
        self.c.selvedge_strerror.restype = ctypes.c_char_p
        self.c.selvedge_receive.restype = ctypes.c_ssize_t
        self.buffer = ctypes.create_string_buffer(1 << 16)

    def call(self, name, *arguments, accept=()):
        result = getattr(self.c, name)(*arguments)
        if result < 0 and result not in accept:
            raise AssertionError(f"{name}: {self.c.selvedge_strerror(result).decode()}")
        return result

    def object(self, name, *arguments):
        """What a call stores through its pointer argument, the one that is None here."""
        made = ctypes.c_void_p()
        self.call(name, *(ctypes.byref(made) if a is None else a for a in arguments))
        return made

    def send(self, connection, message):
        self.call("selvedge_send", connection, message, ctypes.c_size_t(len(message)), PATIENCE_MS)

    def receive(self, connection, timeout_ms=PATIENCE_MS):
        """A message; None: there is none within the time."""
        length = self.call("selvedge_receive", connection, self.buffer, ctypes.c_size_t(len(self.buffer)), None,
                           timeout_ms, accept=(TIMEOUT,))
        return None if length == TIMEOUT else self.buffer.raw[:length]


class Lasting:
    """A connection from a daemon to another whose two ends are this process's."""

    def __init__(self, case, here="a", there="b"):
        self.case, self.library, self.random = case, Library(), random.Random(SEED)
        sessions = [self.library.object("selvedge_open", str(case.folder / f"{end}.sock").encode(), None)
                    for end in (here, there)]
        for session in sessions:
            case.addCleanup(self.library.c.selvedge_shut, session)
        self.library.call("selvedge_listen", sessions[1], b"lasting")
        to = f"{case.address[there]}/lasting".encode()
        self.ends = [self.library.object("selvedge_connect", sessions[0], to, None, PATIENCE_MS),
                     self.library.object("selvedge_accept", sessions[1], None, PATIENCE_MS)]

    def exchange(self):
        """Messages to the peer, and then from it. Returns the seconds until the first of each was there."""
        took = []
        for sender, receiver in (self.ends, self.ends[::-1]):
            messages = [self.random.randbytes(self.random.choice((1, 40, 4000, 9000))) for _ in range(EACH_WAY)]
            began = time.monotonic()
            for message in messages:
                self.library.send(sender, message)
            for i, message in enumerate(messages):
                self.case.assertTrue(self.library.receive(receiver) == message, f"message {i} is another")
                if i == 0:
                    took.append(time.monotonic() - began)
            self.case.assertIsNone(self.library.receive(receiver, 0), "a message too many")
        return took


class Pairs(Daemons):
    def setUp(self):
        super().setUp()
        self.running, self.changes = {}, 1

    def start_daemons(self, *names):
        for name in names:
            self.running[name] = self.daemon(name, udp=f"paths = {PATHS}", extra=self.impair(SETS[-1]))

    def impair(self, working):
        # An empty list would mean all paths. The log shows a change of the seed last.
        broken = sorted(set(range(PATHS)) - working)
        return f"[impair]\nloss = {0.999999 if broken else 0.0}\npaths = {broken}\nseed = {self.changes}\n"

    def break_paths(self, working):
        """working: of each daemon the paths over which it reaches its peer."""
        self.changes += 1
        for name, paths in working.items():
            config = self.folder / f"{name}.toml"
            text = config.read_text(encoding="utf-8")
            config.write_text(text[:text.index("[impair]")] + self.impair(paths), encoding="utf-8")
            self.running[name].send_signal(signal.SIGHUP)
        for name in working:
            while not (line := self.running[name].stderr.readline()).endswith(f"to {self.changes}\n"):
                self.assertIn("changed [impair]", line)

    def alive(self, name):
        """The paths that the only connection of a daemon takes for alive."""
        connection, = self.ask(name, "connections")["connections"]
        return {path["path"] for path in connection["paths"] if path["alive"]}

    def know_their_paths(self, lasting, working):
        """Whether the ends know, after messages both ways, which paths work: otherwise the faults were not there."""
        lasting.exchange()
        return all(self.alive(name) == paths for name, paths in working.items())

    def senders(self, count):
        """New connections, opened from both sides at a time."""
        return count, [self.start(*self.send_command("--count", count, "--size", 3000, "--verify", name=name, to=to))
                       for name, to in ("ab", "ba")]

    def all_arrives(self, senders):
        count, processes = senders
        for sender in processes:
            out, errors = sender.communicate(timeout=PATIENCE_MS / 1000)
            self.assertEqual(sender.returncode, 0, errors)
            result = json.loads(out)
            self.assertEqual((result["messages"], result["errors"]), (count, 0))

    def survives(self, lasting, there, back):
        """Connections that are idle, busy and new meet the change; then the first one again, which has rested. Returns
        the seconds until its first messages were there."""
        busy = self.senders(20_000)
        self.wait_for(lambda: self.ask("b", "status")["connections"] == 3 or busy[1][0].poll() is not None)
        self.break_paths({"a": there, "b": back})
        took = lasting.exchange()
        self.all_arrives(busy)
        self.all_arrives(self.senders(500))
        time.sleep(0.5)
        took += lasting.exchange()
        self.assertTrue(self.connections_end("a", 10, leaving=1) and self.connections_end("b", 10, leaving=1))
        self.wait_for(lambda: self.know_their_paths(lasting, {"a": there, "b": back}))
        return took

    def test_every_pair_of_sets(self):
        self.start_daemons("a", "b")
        self.serve("a")
        self.serve("b")
        lasting = Lasting(self)
        pairs = drawn(PAIRS, 4, 24)
        random.Random(SEED).shuffle(pairs)  # so that from one pair to the next all paths may change
        slowest, before, began = (0, ""), "all", time.monotonic()
        for there, back in pairs:
            name = f"there {named(there)}, back {named(back)}"
            try:
                took = self.survives(lasting, there, back)
            except (AssertionError, subprocess.TimeoutExpired) as error:
                raise AssertionError(f"SELVEDGE_SEED={SEED}: {name}; before: {before}: {error}") from error
            slowest = max(slowest, (max(took), f"{name}; before: {before}"))
            before = name
        print(f"{len(pairs)} pairs in {time.monotonic() - began:.0f} s, SELVEDGE_SEED={SEED}: a first message came after at "
              f"most {slowest[0]:.2f} s, with {slowest[1]}", flush=True)

    def test_paths_fail_while_a_connection_is_idle(self):
        """For longer than a peer may be silent. The connections that wait are at daemons of their own."""
        pairs = drawn(PAIRS, 4, 24)
        for first in range(0, len(pairs), AT_A_TIME):
            waiting = {}
            for i, (there, back) in enumerate(pairs[first:first + AT_A_TIME]):
                names = f"a{first + i}", f"b{first + i}"
                self.start_daemons(*names)
                lasting = Lasting(self, *names)
                lasting.exchange()
                waiting[names] = lasting, dict(zip(names, (there, back)))
            for _, working in waiting.values():
                self.break_paths(working)
            time.sleep(IDLE_S)
            for names, (lasting, working) in waiting.items():
                name = f"there {named(working[names[0]])}, back {named(working[names[1]])}"
                try:
                    lasting.exchange()
                    self.wait_for(lambda: self.know_their_paths(lasting, working))  # noqa: B023
                except AssertionError as error:
                    raise AssertionError(f"SELVEDGE_SEED={SEED}: {name}: {error}") from error
                for each in names:
                    self.running[each].terminate()
                    self.running[each].wait(20)


if __name__ == "__main__":
    unittest.main()
