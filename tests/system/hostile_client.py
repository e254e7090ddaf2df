# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""A client of the emulator that speaks libumad2sim's protocol by itself and sends what no library would:
truncated datagrams, hostile hop counts and paths, unknown management classes and versions, and control
messages of another protocol. For each request the client knows which answer is right, and checks it.

The client sends no valid Set: that would reconfigure the subnet, and the protocol lets any client do so.
"""
import random
import select
import socket
import struct
import time

CONTROL_MAGIC = 0xdeadbeef
ERROR, CONNECT, DISCONNECT = 0, 1, 2
QUESTIONS = (3, 4, 5, 6, 7, 8, 10)  # types of control messages that only ask for a value
GET, SET, TRAP = 1, 2, 5
ANSWERED = (0x06, 0x12, 0x13, 0x14, 0x15)  # further methods that are answered (IBA 1.3 §13.4.5)
NO_METHODS = (0x00, 0x04, 0x08, 0x20, 0x7f)  # with a status too
UNANSWERED = (0x03,)
SMP_LID, SA, PERFORMANCE, SMP_DIRECTED = 0x01, 0x03, 0x04, 0x81
NODE_DESCRIPTION, NODE_INFO = 0x10, 0x11
KNOWN = (0x10, 0x11, 0x12, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1b)
PERMISSIVE, NOBODYS_LID = 0xffff, 0xb000
MANAGER = 0  # the client number of the subnet manager, which connects first
MAX_HOPS = 63
PATIENCE_S = 20.0
# What an answer must carry: (status of the datagram, which is an errno; status of the MAD).
GOOD, BAD_VERSION, BAD_METHOD, BAD_ATTRIBUTE, BAD_VALUE = ((0, s) for s in (0, 0x04, 0x08, 0x0c, 0x1c))
TIMED_OUT = (110, 0)
NOISE = 1 << 31  # a request whose TID is this or above may have any answer or none
# The most outstanding requests: of those that are answered at once, and of those that time out.
MOST_SOON, MOST_LATE = 32, 2000


class Wrong(AssertionError):
    """The emulator did not answer as it must."""


def mad(management_class, method, attribute, *, base=1, version=1, modifier=0, status=0, pointer=0,
        path=(), count=None):
    head = struct.pack(">BBBBHBBQHHI", base, management_class, version, method, status, pointer,
                       len(path) if count is None else count, 0, attribute, 0, modifier)
    body = bytearray(head.ljust(256, b"\0"))
    if management_class == SMP_DIRECTED:
        body[32:36] = struct.pack(">HH", PERMISSIVE, PERMISSIVE)
        body[129:129 + len(path)] = bytes(path)
    return body


class HostileClient:
    """One such client, at host H-y-x of a torus: ports 1 to 4 of a switch lead to switches, 5 to its host."""

    def __init__(self, server, number, host, switch_lids, seed):
        self.server, self.number, self.host, self.switch_lids = server, number, host, switch_lids
        self.draw = random.Random(seed)
        self.tid = 0
        self.due = {}   # TID → (kind, statuses that are right, whether it times out)
        self.late = 0   # how many of them time out
        self.sent = {}  # kind of request (a method's name) → how many were sent
        self.answers = 0
        self.control, self.mads = self._bound(f"ctl{number}"), None
        self._connect()

    def close(self):
        self.control.close()
        self.mads.close()

    def step(self):
        """Sends one datagram of a random kind, and checks the answers that have arrived."""
        kind = self.draw.choices(self.KINDS, self.WEIGHTS)[0]
        self.sent[kind.__name__] = self.sent.get(kind.__name__, 0) + 1
        kind(self)
        while len(self.due) - self.late >= MOST_SOON or self.late >= MOST_LATE:
            self._take(wait=True)
        self._take(wait=False)

    def finish(self):
        """Waits until every outstanding request is answered."""
        while self.due:
            self._take(wait=True)

    def ask_and_leave_unread(self):
        """A question whose answer it does not read."""
        self._send(mad(SMP_DIRECTED, GET, NODE_INFO, path=[1]), None)

    # -- what it sends: MADs

    def truncated(self):
        size = self.draw.choice((0, 1, 16, 31, 32, 80, 255, 256, 287, 289, 600))
        self._put(self.draw.randbytes(size))

    def too_many_hops(self):
        self._send(mad(SMP_DIRECTED, self._get_or_set(), NODE_INFO, path=self._path(),
                       count=self.draw.randrange(MAX_HOPS + 1, 256)), [TIMED_OUT])

    def other_version(self):
        base, version = self.draw.choice(((1, 0), (1, 2), (1, 3), (1, 255), (0, 1), (2, 1)))
        if self.draw.random() < 0.5:
            body = mad(SMP_DIRECTED, GET, NODE_INFO, base=base, version=version, path=self._path())
            self._send(body, [BAD_VERSION])
        else:
            body = mad(PERFORMANCE, GET, NODE_INFO, base=base, version=version)
            self._send(body, [BAD_VERSION], dlid=self.draw.choice(self.switch_lids))

    def no_such_method(self):
        method = self.draw.choice(ANSWERED + NO_METHODS + UNANSWERED)
        self._send(mad(SMP_DIRECTED, method, self.draw.choice(KNOWN), path=self._path()),
                   None if method in UNANSWERED else [BAD_METHOD])

    def no_such_attribute(self):
        attribute = self.draw.choice((0x0000, 0x0001, 0x0013, 0x001a, 0x0021, 0x7fff, 0xff00, 0xffff))
        self._send(mad(SMP_DIRECTED, self._get_or_set(), attribute, path=self._path(),
                       modifier=self.draw.getrandbits(32)), [BAD_ATTRIBUTE])

    def any_get(self):
        """A Get of any known attribute. For a block or port that does not exist, the answer is a
        refusal or an empty value."""
        modifier = self.draw.choice((0, 1, 5, 255, self.draw.getrandbits(16), self.draw.getrandbits(32)))
        self._send(mad(SMP_DIRECTED, GET, self.draw.choice(KNOWN), path=self._path(), modifier=modifier),
                   [GOOD, BAD_ATTRIBUTE, BAD_VALUE])

    def read_only(self):
        self._send(mad(SMP_DIRECTED, SET, self.draw.choice((NODE_DESCRIPTION, NODE_INFO)),
                       path=self._path()), [BAD_ATTRIBUTE])

    def no_such_class(self):
        management_class = self.draw.choice((0x00, SA, 0x05, 0x07, 0x09, 0x10, 0x20, 0x32, 0x4f, 0xff))
        self._send(mad(management_class, self._get_or_set(), self.draw.getrandbits(16)), [BAD_ATTRIBUTE],
                   dlid=self.draw.choice(self.switch_lids))

    def lost_path(self):
        """A directed path that cannot be followed: through a port that does not exist, through port 0,
        through a host, or out of a port that the client's own host lacks."""
        path = self.draw.choice(([*self._path(end=False), self.draw.choice((0, 6, 200, 255)), 1],
                                 [*self._path(end=False), 5, 1], [2, 1], [0]))
        self._send(mad(SMP_DIRECTED, GET, NODE_INFO, path=path), [TIMED_OUT], late=True)

    def hop_pointer(self):
        self._send(mad(SMP_DIRECTED, GET, NODE_INFO, path=self._path(),
                       pointer=self.draw.randrange(1, 256)), [TIMED_OUT], late=True)

    def lid_of_nobody(self):
        self._send(mad(SMP_LID, GET, NODE_INFO), [TIMED_OUT], dlid=NOBODYS_LID, late=True)

    def unasked_answer(self):
        management_class = self.draw.choice((SMP_DIRECTED, PERFORMANCE, 0x09))
        directed = management_class == SMP_DIRECTED
        self._send(mad(management_class, 0x80 | self.draw.getrandbits(7), self.draw.getrandbits(16),
                       status=0x8000 if directed else 0, path=self._path() if directed else ()), None,
                   dlid=PERMISSIVE if directed else self.draw.choice(self.switch_lids))

    def noise(self):
        body = bytearray(self.draw.randbytes(256))
        if self.draw.random() < 0.7:
            body[0], body[2] = 1, self.draw.randrange(3)
        if self.draw.random() < 0.3:
            body[1], body[7] = SMP_DIRECTED, body[7] & MAX_HOPS
        if body[3] in (SET, TRAP):
            body[3] = GET
        body[12] |= 0x80  # its TID is NOISE or above
        header = bytearray(self.draw.randbytes(32))
        self._put(header + body)

    # -- kinds of requests: control messages

    def question(self):
        kind = self.draw.choice(QUESTIONS)
        self._ask(self._message(kind, self.id, self.draw.randbytes(64)), kind)

    def foreign_message(self):
        noise = self.draw.randbytes(64)
        self._ask(self.draw.choice((
            self.draw.randbytes(self.draw.choice((0, 1, 79, 81, 300, 1000))),
            self._message(3, self.id, noise, magic=self.draw.getrandbits(31)),
            self._message(self.draw.randrange(11, 1 << 32), self.id, noise),
            self._message(self.draw.choice(QUESTIONS), self.draw.randrange(5000, 1 << 32), noise),
            self._message(DISCONNECT, MANAGER, noise),  # in the name of another client
            self._message(CONNECT, 0, struct.pack("=III32s", self.number + 1, 0, 0, b"no such host")))),
            ERROR)

    def reconnect(self):
        self.finish()
        self._ask(self._message(DISCONNECT, self.id), DISCONNECT)
        self.mads.close()
        self._connect()

    KINDS = (truncated, too_many_hops, other_version, no_such_method, no_such_attribute, any_get,
             read_only, no_such_class, lost_path, hop_pointer, lid_of_nobody, unasked_answer, noise,
             question, foreign_message, reconnect)
    WEIGHTS = (6, 8, 8, 8, 8, 8, 5, 8, 2, 1, 1, 6, 15, 6, 6, 0.2)

    # -- sending and checking

    def _get_or_set(self):
        return self.draw.choice((GET, SET))

    def _path(self, end=True):
        """A random directed path to a switch; with `end` it may go one hop further, to that switch's host."""
        path = [1] + [self.draw.randrange(1, 5) for _ in range(self.draw.choice((0, 1, 2, 3, 8)))]
        return path + [5] if end and self.draw.random() < 0.2 else path

    def _send(self, body, right, *, dlid=PERMISSIVE, late=False):
        self.tid += 1
        struct.pack_into(">Q", body, 8, self.tid)
        if right:
            self.due[self.tid] = (body, right, late)
            self.late += late
        queue_pair = 0 if body[1] in (SMP_LID, SMP_DIRECTED) else 1
        self._put(struct.pack(">HHHHIIIIQ", dlid, 0, 0, 0, queue_pair, queue_pair, 0, 0, 256) + body)

    def _take(self, wait):
        """Receives and checks the answers that have arrived; with `wait` it waits for at least one."""
        if wait and not select.select([self.mads], [], [], PATIENCE_S)[0]:
            body = next(iter(self.due.values()))[0]
            raise Wrong(f"{len(self.due)} requests have no answer after {PATIENCE_S} s: {body.hex()}")
        while True:
            try:
                datagram = self.mads.recv(1000)
            except BlockingIOError:
                return
            self.answers += 1
            self._judge(datagram)

    def _put(self, datagram):
        if not select.select([], [self.mads], [], PATIENCE_S)[1]:
            raise Wrong(f"the emulator has read nothing for {PATIENCE_S} s")
        self.mads.send(datagram)

    def _judge(self, datagram):
        if len(datagram) != 288:
            raise Wrong(f"a datagram of {len(datagram)} bytes")
        tid = struct.unpack_from(">I", datagram, 32 + 12)[0]
        if tid >= NOISE:
            return
        errno = struct.unpack_from(">I", datagram, 16)[0]
        status = (errno, 0 if errno else struct.unpack_from(">H", datagram, 32 + 4)[0] & 0x7fff)
        if tid not in self.due:
            raise Wrong(f"an answer that nobody waits for: {status}, {datagram.hex()}")
        body, right, late = self.due.pop(tid)
        self.late -= late
        if status not in right:
            raise Wrong(f"answered with {status} instead of one of {right}: {body.hex()}")

    def _bound(self, name):
        s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        s.settimeout(PATIENCE_S)
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                s.bind(f"\0{self.server}:{name}\0")
                return s
            except OSError:
                # A child that another thread has just forked holds a copy of the closed socket until
                # its exec: the address is in use until then.
                if time.monotonic() > end:
                    raise
            time.sleep(0.001)

    @staticmethod
    def _message(kind, client=0, data=b"", magic=CONTROL_MAGIC):
        return struct.pack("=IIII", magic, client, kind, len(data)) + data.ljust(64, b"\0")

    def _ask(self, datagram, right):
        self.control.sendto(datagram, f"\0{self.server}:ctl\0")
        answer = self.control.recv(1000)
        kind = struct.unpack_from("=I", answer, 8)[0]
        if (len(answer), kind) != (80, right):
            raise Wrong(f"a control message is answered with type {kind} instead of {right}: {datagram.hex()}")
        return answer

    def _connect(self):
        self.mads = self._bound(f"in{self.number}")
        answer = self._ask(self._message(CONNECT, 0, struct.pack("=III32s", self.number, 0, 0, self.host.encode())),
                           CONNECT)
        self.id = struct.unpack_from("=I", answer, 16)[0]
        self.mads.setblocking(False)
        self.mads.connect(f"\0{self.server}:out{self.id}\0")
