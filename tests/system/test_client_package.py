# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""libselvedge as its users get it: it is installed and found by pkg-config and by CMake; the examples are
built against the installed library and run between two daemons."""
import mmap
import os
import pathlib
import random
import re
import socket
import struct
import subprocess
import unittest

from test_daemon import BIN, IMPAIRED, Daemons

CLIENT = pathlib.Path(__file__).resolve().parents[2] / "daemon" / "client"

TAGGED = """
#include <selvedge.h>
#include <stdio.h>
int main(int argc, char** argv) {
  selvedge_session* s;
  selvedge_connection* c;
  struct iovec part = {"plain", 5};
  if (argc != 3 || selvedge_open(argv[1], &s) || selvedge_connect(s, argv[2], &c, 10000)) return 1;
  printf("%d\\n", selvedge_sendv(c, &part, 1, 0, 1000));
  puts(selvedge_strerror(selvedge_sendv(c, &part, 1, 1, 1000)));
  selvedge_close(c, 1000);
  return 0;
}
"""


class Package(Daemons):
    def setUp(self):
        super().setUp()
        self.prefix = self.folder / "prefix"
        self.output("cmake", "--install", BIN.parent, "--prefix", self.prefix,
                    "--component", "client")
        self.library = next(self.prefix.rglob("libselvedge.so"))

    def output(self, *command, **environment):
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True,
                              timeout=120, env={**os.environ, **environment})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def run_examples(self, send, receive):
        self.daemon("a")
        self.daemon("b")
        receiver = self.start(receive, self.folder / "b.sock", "letters")
        self.assertEqual(receiver.stdout.readline(), "listening\n")
        texts = ["first", "", "the third " + "x" * 100000]
        self.output(send, self.folder / "a.sock", self.address["b"] + "/letters", *texts)
        out, errors = receiver.communicate(timeout=20)
        self.assertEqual((receiver.returncode, errors), (0, ""))
        self.assertEqual(out, "".join(text + "\n" for text in texts))

    def run_pipe(self, pipe):
        """Sends a file as a stream over a network that loses, duplicates and reorders packets."""
        self.daemon("c", extra=IMPAIRED)
        self.daemon("d", extra=IMPAIRED)
        content = random.Random(1).randbytes(20_000_001)
        there, here = self.folder / "there", self.folder / "here"
        here.write_bytes(content)
        with there.open("wb") as out:
            taker = subprocess.Popen([pipe, self.folder / "d.sock", "take", "file"], stdout=out,
                                     stderr=subprocess.PIPE, text=True)
        self.processes.append(taker)
        self.addCleanup(taker.stderr.close)
        self.assertEqual(taker.stderr.readline(), "listening\n")
        with here.open("rb") as file:
            subprocess.run([pipe, self.folder / "c.sock", "give", self.address["d"] + "/file"],
                           stdin=file, check=True, timeout=120)
        self.assertEqual(taker.wait(timeout=60), 0)
        self.assertTrue(there.read_bytes() == content)
        self.assertGreater(self.ask("d", "status")["memory_bytes_used_max"], 0)

    def test_messages(self):
        """Every call for tags, parts, long messages and completions, as selvedge(3) says, by a program that
        knows selvedge.h alone: over a network that loses, duplicates and reorders, and at one daemon."""
        folder = str(self.library.parent / "pkgconfig")
        flags = self.output("pkg-config", "--cflags", "--libs", "selvedge", PKG_CONFIG_PATH=folder).split()
        program = self.folder / "messages"
        self.output("gcc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                    pathlib.Path(__file__).with_name("messages.c"), "-o", program, *flags,
                    f"-Wl,-rpath,{self.library.parent}")
        for name in "ab":
            self.daemon(name, extra=IMPAIRED)
        self.output(program, self.folder / "a.sock", self.folder / "b.sock")
        self.output(program, self.folder / "a.sock", self.folder / "a.sock", "local")
        total = self.ask("a", "status")["since_start"]
        self.assertGreater(sum(total[f"retransmitted_{cause}_packets"] for cause in ("overtaken", "timeout")), 0)
        for name in "ab":
            self.assertTrue(self.connections_end(name), f"{name} keeps connections")

    def test_an_older_application_at_the_peer(self):
        """It speaks the local socket's protocol as libselvedge did before there were tags."""
        self.daemon("a")
        self.daemon("b")
        older = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.addCleanup(older.close)
        older.settimeout(20)
        older.connect(str(self.folder / "b.sock"))
        older.send(struct.pack("<IHHII256s", 0x53564443, 1, 1, 1, 0, b"old"))
        self.assertEqual(struct.unpack("<HI", older.recv(272)[6:12]), (100, 1))
        program = self.folder / "tagged"
        source = self.folder / "tagged.c"
        source.write_text(TAGGED)
        folder = str(self.library.parent / "pkgconfig")
        flags = self.output("pkg-config", "--cflags", "--libs", "selvedge", PKG_CONFIG_PATH=folder).split()
        self.output("gcc", "-std=c99", source, "-o", program, *flags, f"-Wl,-rpath,{self.library.parent}")
        said = self.output(program, self.folder / "a.sock", self.address["b"] + "/old")
        self.assertEqual(said, "0\nthe application at the peer or its daemon cannot receive tags, or messages "
                               "over 512 KiB: upgrade libselvedge and selvedged there\n")
        answer, fds, _, _ = socket.recv_fds(older, 272, 3)
        self.assertEqual(struct.unpack("<HII", answer[6:16]), (103, 0, 0))  # kAccepted, and no features
        with mmap.mmap(fds[0], 0) as segment:
            # What was sent without a tag has arrived as always: a record with its length, first and last.
            tx_bytes = struct.unpack("<Q", segment[8:16])[0]
            self.wait_for(lambda: segment[4096 + tx_bytes:][:13] == struct.pack("<II", 5, 3) + b"plain")
        for fd in fds:
            os.close(fd)

    def test_pkg_config(self):
        folder = str(self.library.parent / "pkgconfig")
        for program, compiler in (("send.c", ("gcc", "-std=c99")), ("receive.cpp", ("g++",)),
                                  ("pipe.c", ("gcc", "-std=c99"))):
            flags = self.output("pkg-config", "--cflags", "--libs", "selvedge",
                                PKG_CONFIG_PATH=folder).split()
            self.output(*compiler, "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                        CLIENT / "examples" / program, "-o", self.folder / program.split(".")[0],
                        *flags, f"-Wl,-rpath,{self.library.parent}")
        self.assertIn(str(self.prefix), self.output("ldd", self.folder / "send"))
        self.run_examples(self.folder / "send", self.folder / "receive")

    def test_cmake(self):
        build = self.folder / "build"
        self.output("cmake", "-S", CLIENT / "examples", "-B", build, "-G", "Ninja",
                    f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.output("cmake", "--build", build)
        self.run_examples(build / "send", build / "receive")
        self.run_pipe(build / "pipe")

    def test_symbols_are_those_of_the_header_each_with_a_version(self):
        declared = re.findall(r"SELVEDGE_API [^;(]*?(selvedge_\w+)\(",
                              (CLIENT / "selvedge.h").read_text())
        self.assertGreater(len(declared), 10)
        shown = [line.split()[-1] for line in
                 self.output("nm", "-D", "--defined-only", self.library).splitlines()]
        # Each symbol has the version in which it was added, and must keep that version forever.
        added = {f"selvedge_{word}": version for version, words in
                 ((1, "write read borrow return fd ready session_fd"),
                  (2, "connect_start connect_finish address poll position delivered"),
                  (3, "sendv receivev peek length_max send_start receive_start complete peer"))
                 for word in words.split()}
        self.assertCountEqual(shown, ["SELVEDGE_0", "SELVEDGE_1", "SELVEDGE_2", "SELVEDGE_3"] +
                              [f"{d}@@SELVEDGE_{added.get(d, 0)}" for d in declared])

    def test_apm_is_a_library_of_c(self):
        """Component `apm`: header, pkg-config file and library serve a C program, and only what the header
        declares is visible, each symbol with its version."""
        prefix = self.folder / "apm"
        self.output("cmake", "--install", BIN.parent, "--prefix", prefix, "--component", "apm")
        library = next(prefix.rglob("libselvedge-apm.so"))
        flags = self.output("pkg-config", "--cflags", "--libs", "selvedge-apm",
                            PKG_CONFIG_PATH=str(library.parent / "pkgconfig")).split()
        source = self.folder / "read.c"
        source.write_text(r"""
#include <selvedge_apm.h>
#include <stdio.h>
int main(int count, char** arguments) {
  selvedge_apm_path path = {0};
  char why[100] = "";
  int role = selvedge_apm_parse(arguments[count - 1], &path, why, sizeof why);
  printf("%d %d %d %s\n", role, path.dlid, path.src_path_bits, why);
  return 0;
}
""")
        program = self.folder / "read"
        self.output("gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", source, "-o", program, *flags,
                    f"-Wl,-rpath,{library.parent}")
        done = subprocess.run([BIN / "selvedge-route", "paths", "H-0-0", "H-2-2", "--apm", "--fabric", "torus:4x4",
                               "--engine", "tftr"], capture_output=True, text=True, timeout=60, check=True)
        lines = [line for line in done.stdout.splitlines() if "dlid=" in line]
        self.assertEqual(len(lines), 4)
        for line in lines:
            dlid, bits = re.search(r"dlid=(\d+) src_path_bits=(\d+)", line).groups()
            role = 1 if "primary" in line else 2
            self.assertEqual(self.output(program, line), f"{role} {dlid} {bits} \n")
        self.assertEqual(self.output(program, "primary dlid=7"), "-22 0 0 src_path_bits is missing\n")
        declared = re.findall(r"SELVEDGE_APM_API int (selvedge_\w+)\(",
                              (CLIENT.parent / "apm" / "selvedge_apm.h").read_text())
        shown = [line.split()[-1] for line in self.output("nm", "-D", "--defined-only", library).splitlines()]
        self.assertEqual(len(declared), 5)
        self.assertCountEqual(shown, ["SELVEDGE_APM_0"] + [f"{d}@@SELVEDGE_APM_0" for d in declared])


if __name__ == "__main__":
    unittest.main()
