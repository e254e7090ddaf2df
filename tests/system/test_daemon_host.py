# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The daemon and its machine: which users may connect, readers of its metrics, forked applications, reused
descriptors, and thousands of connections of one application."""
import contextlib
import ctypes
import os
import pathlib
import pwd
import random
import resource
import shutil
import signal
import socket
import subprocess
import time
import unittest
import urllib.request

from test_daemon import BIN, Daemons, free_ports, status


class Host(Daemons):
    def refused(self, text, *words):
        config = self.folder / "wrong.toml"
        config.write_text(f'[daemon]\nsocket = "{self.folder}/w.sock"\n{text}\n')
        done = subprocess.run([BIN / "selvedged", "--config", config], capture_output=True, text=True,
                              timeout=20)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        return done.returncode

    @unittest.skipIf(os.getuid() != 0, "only root can become somebody else")
    def test_root_switches_to_the_user(self):
        self.folder.chmod(0o755)
        nobody = pwd.getpwnam("nobody")
        daemons = [self.daemon(name, daemon='user = "nobody"') for name in "ab"]
        for process in daemons:
            s = status(process)
            self.assertEqual(set(s["Uid"]), {str(nobody.pw_uid)})
            self.assertEqual(set(s["Gid"]), {str(nobody.pw_gid)})
            self.assertNotIn("0", s["Groups"])
            self.assertEqual({int(s[key][0], 16) for key in ("CapEff", "CapPrm")}, {0})
        socket_of = (self.folder / "a.sock").stat()
        self.assertEqual((socket_of.st_uid, socket_of.st_gid, socket_of.st_mode & 0o777),
                         (nobody.pw_uid, nobody.pw_gid, 0o660))
        self.serve()
        self.assertEqual(self.send("--count", 1000, "--verify")["messages"], 1000)
        daemons[0].send_signal(signal.SIGHUP)
        self.assertIn("nothing has changed", daemons[0].stderr.readline())

    @unittest.skipIf(os.getuid() != 0, "only root can become somebody else")
    def test_permitted_users(self):
        """The socket's file mode and the list `users` decide who may connect; the kernel tells the
        daemon which user that is."""
        self.folder.chmod(0o755)
        nobody, daemon_user = pwd.getpwnam("nobody").pw_uid, pwd.getpwnam("daemon").pw_uid

        # Programs are copied, since other users may not read the home directory of whoever builds.
        for file in (BIN / "selvedgectl", BIN / "selvedge-perf", BIN.parent / "lib" / "libselvedge.so.0"):
            shutil.copy(file, self.folder)
        environment = {**os.environ, "LD_LIBRARY_PATH": str(self.folder)}

        def asks(name, user):
            at = ["--socket", self.folder / f"{name}.sock"]
            to = ["--to", "127.0.0.1:1/x", "--count", "1"]
            return [subprocess.run(command, user=user, group=user, extra_groups=[], capture_output=True,
                                   text=True, timeout=20, env=environment)
                    for command in ([self.folder / "selvedgectl", "status", *at],
                                    [self.folder / "selvedge-perf", "send", *at, *to])]

        self.daemon("a")
        for done, words in zip(asks("a", nobody), ("may not use the socket", "does not permit this user")):
            self.assertEqual(done.returncode, 3)
            self.assertIn(words, done.stderr)
        b = self.daemon("b", daemon='mode = "0666"\nusers = ["nobody"]')
        self.assertEqual(asks("b", nobody)[0].returncode, 0)
        for done in asks("b", daemon_user):
            self.assertEqual(done.returncode, 3)
            self.assertIn("does not permit this user", done.stderr)
        self.assertIn("\nselvedge_refused_applications_total 2\n", self.ask("b", "metrics")["metrics"])
        config = self.folder / "b.toml"
        config.write_text(config.read_text().replace('"nobody"', f'"nobody", "{daemon_user}"'))
        b.send_signal(signal.SIGHUP)
        self.assertIn("[daemon] users", b.stderr.readline())
        self.assertEqual(asks("b", daemon_user)[0].returncode, 0)
        self.serve("b")
        sender = self.start(*self.send_command("--count", 10**9, name="b"))
        whose, end = [], time.monotonic() + 10  # a connection that is being opened has no user yet
        while (0, sender.pid) not in whose and time.monotonic() < end:
            whose = [(c.get("user"), c.get("process"))
                     for c in self.ask("b", "connections")["connections"]]
        self.assertIn((0, sender.pid), whose)

    def test_unknown_users(self):
        self.assertEqual(self.refused('users = ["no-such-user"]', "no user 'no-such-user'"), 2)
        self.assertEqual(self.refused('mode = "0777"', "wrong.toml:3", "0660, 0600, 0666"), 2)
        self.assertEqual(self.refused('user = "no-such-user"', "no user 'no-such-user'"), 2)
        self.assertEqual(self.refused('user = "root"\ngroup = "no-such"', "no group"), 2)
        self.assertEqual(self.refused('group = "root"', "wrong.toml:3", "write [daemon] user"), 2)

    def test_cpus(self):
        cpu = max(os.sched_getaffinity(0))
        process = self.daemon("a", daemon=f'cpus = "{cpu}"')
        self.assertEqual(status(process)["Cpus_allowed_list"], [str(cpu)])
        self.assertEqual(self.refused('cpus = "0-"', "wrong.toml:3", '"0-3,8"'), 2)
        self.assertEqual(self.refused('cpus = "1023"', "cannot run on these CPUs"), 3)

    def test_memory_of_a_node(self):
        self.assertEqual(self.refused("numa_node = 999", "no such NUMA node"), 3)
        libc = ctypes.CDLL(None, use_errno=True)
        if not pathlib.Path("/sys/devices/system/node/node0").exists() or \
                libc.syscall(238, 0, None, 0) != 0:  # set_mempolicy(MPOL_DEFAULT): containers forbid it
            self.skipTest("this system lets nobody choose a NUMA node")
        process = self.daemon("a", daemon="numa_node = 0")
        maps = pathlib.Path(f"/proc/{process.pid}/numa_maps").read_text(encoding="utf-8")
        self.assertIn("prefer:0", maps)


class Metrics(Daemons):
    def setUp(self):
        super().setUp()
        self.port = free_ports(1)
        self.daemon("a", extra=f'[metrics]\nlisten = "127.0.0.1:{self.port}"\n')

    def reader(self, said=b""):
        reader = self.enterContext(socket.create_connection(("127.0.0.1", self.port), timeout=10))
        reader.sendall(said)
        return reader

    def whole(self, reader):
        text = b""
        while part := reader.recv(65536):
            text += part
        return text

    def queue(self, kind, local, remote):
        """Bytes in a queue of the connection's socket at `local`; None if there is no such socket.
        "tx": not acknowledged yet; "rx": not read yet (proc(5), net/tcp)."""
        for line in pathlib.Path("/proc/net/tcp").read_text(encoding="utf-8").splitlines()[1:]:
            row = line.split()
            if [int(address.split(":")[1], 16) for address in row[1:3]] == [local, remote]:
                return int(row[4].split(":")[("tx", "rx").index(kind)], 16)
        return None

    def wait_until_read(self, reader):
        """Waits until all bytes that the reader sent have arrived and the daemon has read them."""
        mine = reader.getsockname()[1]
        for kind, *ends in (("tx", mine, self.port), ("rx", self.port, mine)):
            end = time.monotonic() + 10
            while self.queue(kind, *ends) != 0:
                self.assertLess(time.monotonic(), end, f"{kind}: the daemon does not read")
                time.sleep(0.001)

    def test_slow_readers_block_no_others(self):
        silent = [self.reader() for _ in range(8)]
        slow = self.reader(b"GET /metrics HTTP/1.1\r\nHost: a\r\n")
        began = time.monotonic()
        for _ in range(10):
            page = urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=10).read()
            self.assertIn(b"selvedge_connections 0\n", page)
        self.assertLess(time.monotonic() - began, 2)
        slow.sendall(b"\r")
        self.wait_until_read(slow)  # so that the daemon sees one byte at a time
        slow.sendall(b"\n")
        head, _, body = self.whole(slow).partition(b"\r\n\r\n")
        self.assertIn(f"Content-Length: {len(body)}".encode(), head)
        self.assertTrue(body.endswith(b"\n"))
        for reader in silent:
            self.assertEqual(reader.recv(1), b"")  # the daemon closes silent connections after a while

    def test_limits_of_readers_and_requests(self):
        readers = [self.reader() for _ in range(16)]
        self.assertEqual(self.reader().recv(1), b"")  # a seventeenth reader is closed at once
        for reader in readers:  # the sixteen are still connected
            reader.setblocking(False)
            with self.assertRaises(BlockingIOError):
                reader.recv(1)
            reader.settimeout(10)
        try:
            readers[0].sendall(b"x" * 10000)
            self.assertEqual(readers[0].recv(1), b"")
        except ConnectionError:
            pass
        self.assertEqual(self.ask("a", "status")["applications"], 1)


class Library:
    """libselvedge called through a foreign-function interface (ctypes), as other languages do."""

    def __init__(self, path):
        self.c = ctypes.CDLL(path)
        self.c.selvedge_receive.restype = ctypes.c_ssize_t
        self.buffer = ctypes.create_string_buffer(1 << 16)

    def __getattr__(self, name):
        call = getattr(self.c, "selvedge_" + name)

        def checked(*arguments):
            result = call(*arguments)
            if result < 0:
                raise RuntimeError(f"{name}: {result}")
            return result
        return checked

    def session(self, path):
        session = ctypes.c_void_p()
        self.open(str(path).encode(), ctypes.byref(session))
        return session

    def got(self, connection, timeout_ms=20000):
        length = self.receive(connection, self.buffer, len(self.buffer), None, timeout_ms)
        return self.buffer.raw[:length]


class Fork(Daemons):
    """selvedge.h promises that a forked child, whatever it does, does not affect its parent's
    connections."""

    def setUp(self):
        super().setUp()
        self.daemon("a")
        self.daemon("b")
        self.lib = Library(BIN.parent / "lib" / "libselvedge.so")
        there = self.lib.session(self.folder / "b.sock")
        self.lib.listen(there, b"x")
        self.there = there

    def accepted(self):
        far = ctypes.c_void_p()
        self.lib.accept(self.there, ctypes.byref(far), 20000)
        return far

    def test_a_child_ends(self):
        here, near = self.lib.session(self.folder / "a.sock"), ctypes.c_void_p()
        self.lib.connect(here, (self.address["b"] + "/x").encode(), ctypes.byref(near), 10000)
        far = self.accepted()
        for n in range(20):
            if (child := os.fork()) == 0:
                os._exit(0)
            self.lib.send(near, f"{n}".encode(), len(f"{n}"), 10000)
            os.waitpid(child, 0)
            self.assertEqual(self.lib.got(far), f"{n}".encode())
        if (child := os.fork()) == 0:  # a child may open sessions and connections of its own
            own, line = self.lib.session(self.folder / "a.sock"), ctypes.c_void_p()
            self.lib.connect(own, (self.address["b"] + "/x").encode(), ctypes.byref(line), 10000)
            self.lib.send(line, b"the child's", 11, 10000)
            os._exit(self.lib.close(line, 10000))
        self.assertEqual(self.lib.got(self.accepted()), b"the child's")
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.lib.send(near, b"still here", 10, 10000)
        self.assertEqual(self.lib.got(far), b"still here")

    def test_a_child_outlives_its_parent(self):
        read_end, write_end = os.pipe()
        if (parent := os.fork()) == 0:
            here, near = self.lib.session(self.folder / "a.sock"), ctypes.c_void_p()
            self.lib.connect(here, (self.address["b"] + "/x").encode(), ctypes.byref(near), 10000)
            if (child := os.fork()) == 0:
                signal.pause()
                os._exit(0)
            os.write(write_end, f"{child}\n".encode())
            signal.pause()
            os._exit(0)
        child = int(os.read(read_end, 100))
        self.addCleanup(os.kill, child, signal.SIGKILL)
        self.addCleanup(os.close, read_end)
        self.addCleanup(os.close, write_end)
        far = self.accepted()
        os.kill(parent, signal.SIGKILL)
        with self.assertRaises(RuntimeError) as ended:
            self.lib.got(far)
        self.assertIn("-6", str(ended.exception))  # SELVEDGE_E_PEER_RESET
        os.waitpid(parent, 0)
        self.assertTrue(self.connections_end("a"))
        os.kill(child, 0)  # the child still runs


class Descriptors(Daemons):
    def test_a_descriptor_reused_within_one_turn(self):
        """The daemon is stopped while three things happen, and sees them in one turn of its loop: an
        old client closes its socket, a new client connects, and the old client's process ends. The
        new client may get the old one's descriptor numbers."""
        daemon = self.daemon("a")
        lib = Library(BIN.parent / "lib" / "libselvedge.so")
        here, there = socket.socketpair()
        self.addCleanup(here.close)
        if (old := os.fork()) == 0:
            with contextlib.suppress(BaseException):
                session = lib.session(self.folder / "a.sock")
                lib.listen(session, b"old")
                there.send(b"connected")
                there.recv(1)
                lib.c.selvedge_shut(session)
                there.send(b"closed")
                there.recv(1)
            os._exit(0)
        there.close()
        self.assertEqual(here.recv(10), b"connected")
        daemon.send_signal(signal.SIGSTOP)
        self.wait_until_stopped(daemon)
        here.send(b".")
        self.assertEqual(here.recv(10), b"closed")
        new = lib.session(self.folder / "a.sock")
        here.send(b".")
        os.waitpid(old, 0)
        daemon.send_signal(signal.SIGCONT)
        lib.listen(new, b"new")
        lib.listen(new, b"still connected")


class Many(Daemons):
    COUNT = 1000

    def test_a_thousand_connections(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.assertGreater(hard, 8 * self.COUNT, "raise the limit of open files")
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        daemons = [self.daemon(name) for name in "ab"]
        lib = Library(BIN.parent / "lib" / "libselvedge.so")
        here, there = lib.session(self.folder / "a.sock"), lib.session(self.folder / "b.sock")
        lib.listen(there, b"many")
        empty = [self.resident_bytes(process) for process in daemons]
        ends = []
        for _ in range(self.COUNT):
            near, far = ctypes.c_void_p(), ctypes.c_void_p()
            lib.connect(here, (self.address["b"] + "/many").encode(), ctypes.byref(near), 10000)
            lib.accept(there, ctypes.byref(far), 10000)
            ends.append((near, far))
        self.assertEqual(self.ask("b", "status")["connections"], self.COUNT)
        # Ten thousand idle connections may take at most 64 MB, including their rings.
        for process, before in zip(daemons, empty):
            each = (self.resident_bytes(process) - before) / self.COUNT
            self.assertLess(each * 10_000, 64 << 20, f"{each:.0f} bytes each")
        # All connections carry different data at once, in both directions.
        for n, (near, far) in enumerate(ends):
            for i in range(3):
                lib.send(near, f"{n} there {i}".encode() * 200, len(f"{n} there {i}") * 200, 10000)
            lib.send(far, f"{n} back".encode(), len(f"{n} back"), 10000)
        for n, (near, far) in enumerate(ends):
            for i in range(3):
                self.assertEqual(lib.got(far), f"{n} there {i}".encode() * 200)
            self.assertEqual(lib.got(near), f"{n} back".encode())
        # The daemon stops polling idle connections, and each of them still wakes up when used.
        end = time.monotonic() + 10
        while (active := self.metric("a", "active_connections")) > 0 and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(active, 0)
        for n in random.Random(1).sample(range(self.COUNT), 100):
            near, far = ends[n]
            lib.send(far, b"again", 5, 10000)
            self.assertEqual(lib.got(near), b"again")
            lib.send(near, b"and back", 8, 10000)
            self.assertEqual(lib.got(far), b"and back")
        memory = self.ask("b", "status")
        self.assertLessEqual(memory["memory_bytes_used_max"], memory["memory_bytes_total"])
        for near, far in ends[::2]:
            lib.close(near, 10000)
            lib.close(far, 10000)
        lib.c.selvedge_shut(here)  # the other end's session ends with its application
        for n, (_, far) in list(enumerate(ends))[1::2]:
            with self.assertRaises(RuntimeError, msg=n):
                lib.got(far)
        self.assertTrue(self.connections_end("a") and self.connections_end("b"))

    @staticmethod
    def resident_bytes(process):
        return int(status(process)["VmRSS"][0]) << 10

    def metric(self, name, what):
        text = self.ask(name, "metrics")["metrics"]
        return int(next(line.split()[1] for line in text.splitlines()
                        if line.startswith(f"selvedge_{what} ")))


if __name__ == "__main__":
    unittest.main()
