# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""selvedge-perf transfers a file over a network that loses, duplicates and reorders packets, and reports
errors."""
import ctypes
import random
import struct
import threading
import unittest

from test_daemon import BIN, IMPAIRED, Daemons
from test_daemon_host import Library


class Files(Daemons):
    def setUp(self):
        super().setUp()
        self.there = self.folder / "there"

    def file(self, size):
        path = self.folder / "here"
        path.write_bytes(random.Random(size).randbytes(size))
        return path

    def pair(self, **options):
        self.daemon("a", **options)
        self.daemon("b", **options)

    def keep(self, path):
        process = self.start(BIN / "selvedge-perf", "serve", "--socket", self.folder / "b.sock", "--keep", path)
        self.assertIn("serving", process.stderr.readline())
        return process

    def test_through_a_bad_network(self):
        self.pair(extra=IMPAIRED)
        self.keep(self.there)
        for size, piece in ((30_000_017, 4096), (4096, 4096), (1, 4096), (0, 4096), (1_000_001, 200_000)):
            here = self.file(size)
            result = self.send("--file", here, "--size", piece, "--verify")
            self.assertEqual((result["bytes"], result["errors"]), (size, 0))
            self.assertEqual(result["messages"], -(-size // piece))
            self.assertTrue(self.there.read_bytes() == here.read_bytes(), f"{size} bytes in {piece}")
        self.assertEqual([p.name for p in self.folder.glob("there*")], ["there"])

    def test_a_file_that_cannot_be_written_is_an_error(self):
        self.pair()
        server = self.keep(self.folder / "no" / "such" / "folder")
        self.send("--file", self.file(10_000), "--verify", status=1)
        self.assertIn("no/such/folder", server.stderr.readline())

    def test_a_file_that_cannot_be_sent_is_an_error(self):
        self.pair()
        for path in (self.folder, self.folder / "nosuch"):
            line = self.send("--file", path, status=2)
            self.assertIn(str(path), line)
            self.assertEqual(len(line.splitlines()), 1)
        self.assertIn("--size", self.send("--file", self.file(1), "--size", 0, status=2))

    def test_another_hash_is_an_error(self):
        """A server received everything but reports another hash: the sender must report an error."""
        self.pair()
        lib = Library(BIN.parent / "lib" / "libselvedge.so")
        session = lib.session(self.folder / "b.sock")
        lib.listen(session, b"perf")

        def serve():
            connection = ctypes.c_void_p()
            lib.accept(session, ctypes.byref(connection), 20000)
            count = struct.unpack_from("<Q", lib.got(connection), 16)[0]
            for _ in range(count):
                lib.got(connection)
            tally = struct.pack("<QQ32s", count, 0, b"not the hash")
            lib.send(connection, tally, len(tally), 10000)
            lib.close(connection, 10000)
        for options, status in ((("--verify",), 1), ((), 0)):
            server = threading.Thread(target=serve)
            server.start()
            self.send("--file", self.file(10_000), *options, status=status)
            server.join()
        lib.c.selvedge_shut(session)


if __name__ == "__main__":
    unittest.main()
