# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Daemons with keys: packets are sealed, and all other datagrams are dropped."""
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import unittest
import urllib.request

from test_daemon import BIN, IMPAIRED, Daemons, free_ports


def new_key():
    return subprocess.run([BIN / "selvedged", "--new-key"], capture_output=True, text=True,
                          check=True, timeout=10).stdout


class Seals(Daemons):
    def keys(self, name, *keys):
        path = self.folder / f"{name}.keys"
        path.touch(mode=0o600)
        path.write_text("".join(keys))
        return path

    def sealed(self, name, *keys, cipher="chacha20-poly1305", **more):
        more["extra"] = (f'[seal]\nkeys = "{self.keys(name, *keys)}"\ncipher = "{cipher}"\n'
                         + more.get("extra", ""))
        return self.daemon(name, **more)

    def dropped(self, name):
        return self.ask(name, "status")["dropped_packets"]


class Sealed(Seals):
    def move(self, **more):
        key = new_key()
        for name in "ab":
            self.sealed(name, key, **more)
        self.serve()
        result = self.send("--count", 20000, "--size", 4096, "--verify")
        self.assertEqual((result["messages"], result["errors"]), (20000, 0))
        self.assertTrue(self.ask("a", "status")["sealed"])
        return result

    def test_messages_arrive(self):
        self.move()
        self.assertEqual(set(self.dropped("b").values()), {0})

    def test_loss_duplicates_and_reordering(self):
        self.assertGreater(self.move(extra=IMPAIRED)["retransmitted"], 100)
        # A packet that the network duplicates counts as a replay.
        self.assertGreater(self.dropped("b")["replayed"], 100)

    def test_aes(self):
        self.move(cipher="aes-256-gcm")

    def test_a_small_mtu(self):
        self.move(udp="mtu = 512")


class Strangers(Seals):
    def test_another_key_gets_no_answer_and_is_counted(self):
        port = free_ports(1)
        self.sealed("a", new_key())
        self.sealed("b", new_key(), extra=f'[metrics]\nlisten = "127.0.0.1:{port}"\n')
        self.serve()
        self.assertIn("its keys", self.send("--count", 1, status=3))
        dropped = self.dropped("b")
        # A packet names its key by a hint of 8 bits. Two random keys have the same hint in one case of
        # 256: then the packet counts as forged, otherwise as of another key.
        self.assertGreater(dropped["other_key"] + dropped["forged"], 20)
        metrics = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10).read()
        counted = sum(int(n) for n in re.findall(rb"^selvedge_(?:other_key|forged)_packets_total (\d+)",
                                                 metrics, re.M))
        self.assertGreaterEqual(counted, dropped["other_key"] + dropped["forged"])

    def test_sealed_and_unsealed_daemons_do_not_connect(self):
        self.daemon("a")
        self.sealed("b", new_key())
        self.serve()
        self.send("--count", 1, status=3)
        self.assertGreater(self.dropped("b")["unsealed"], 20)
        self.serve("a")
        self.send("--count", 1, name="b", to="a", status=3)
        self.assertGreater(self.dropped("a")["sealed"], 20)


class Keys(Seals):
    def test_keys_change_while_messages_flow(self):
        old, new = new_key(), new_key()
        daemons = {name: self.sealed(name, old) for name in "ab"}
        self.serve()
        sender = self.start(*self.send_command("--count", 400000, "--size", 1024, "--verify"))
        said = []
        for step in ([old, new], [new, old], [new]):
            for name, daemon in daemons.items():
                self.keys(name, *step)
                daemon.send_signal(signal.SIGHUP)
                said.append(daemon.stderr.readline())
        self.assertTrue(all("changed [seal] keys" in line for line in said[:2] + said[4:]), said)
        for key in (old, new):
            self.assertNotIn(key.strip(), "".join(said))
        out, error = sender.communicate(timeout=120)
        self.assertEqual(sender.returncode, 0, error)
        self.assertIn('"errors": 0', out)
        self.assertEqual(self.dropped("b")["unsealed"], 0)
        # The old key is no longer accepted.
        self.sealed("c", old)
        self.send("--count", 1, name="c", status=3)

    def key_places(self, process, key):
        """The VmFlags (proc(5), smaps) of each mapping of the process whose memory has the key in it."""
        text = pathlib.Path(f"/proc/{process.pid}/smaps").read_text(encoding="utf-8")
        found = []
        with open(f"/proc/{process.pid}/mem", "rb", buffering=0) as memory:
            for begin, end, flags in re.findall(r"(?m)^([0-9a-f]+)-([0-9a-f]+) r(?:.*\n)+?VmFlags: (.*)$", text):
                if int(end, 16) - int(begin, 16) > 1 << 30:
                    continue  # a sanitizer's own terabytes; a daemon has no mapping of this size
                try:
                    memory.seek(int(begin, 16))
                    part = memory.read(int(end, 16) - int(begin, 16))
                except (OSError, ValueError, OverflowError):  # not memory, as [vvar]
                    continue
                if bytes.fromhex(key.strip()) in part or key.strip().encode() in part:
                    found.append(flags.split())
        return found

    def test_keys_lie_in_locked_memory_and_are_wiped(self):
        old, new = new_key(), new_key()
        daemons = {name: self.sealed(name, old) for name in "ab"}
        self.serve()
        self.send("--count", 1000, "--size", 1024, "--verify")
        may_lock = os.getuid() == 0 or resource.getrlimit(resource.RLIMIT_MEMLOCK)[0] >= 1 << 20
        for name, daemon in daemons.items():
            places = self.key_places(daemon, old)
            self.assertTrue(places, "the daemon has its key")
            for flags in places:
                self.assertIn("dd", flags)  # in no core dump
                if may_lock:
                    self.assertIn("lo", flags)
            if may_lock:
                self.assertTrue(self.ask(name, "status")["keys_locked"])
        for name, daemon in daemons.items():
            self.keys(name, new)
            daemon.send_signal(signal.SIGHUP)
            self.assertIn("changed [seal] keys", daemon.stderr.readline())
        self.send("--count", 1000, "--size", 1024, "--verify")
        for daemon in daemons.values():
            self.assertEqual(self.key_places(daemon, old), [])
            self.assertTrue(self.key_places(daemon, new))

    @unittest.skipUnless(shutil.which("prlimit") and shutil.which("setpriv"), "no util-linux here")
    def test_what_cannot_be_locked_is_a_warning(self):
        port = free_ports(8)
        config = self.folder / "a.toml"
        config.write_text(f'[daemon]\nsocket = "{self.folder}/a.sock"\n[udp]\nlisten = "127.0.0.1:{port}"\n'
                          f'[seal]\nkeys = "{self.keys("a", new_key())}"\n')
        # Root may lock any amount by a capability, so that is taken from it.
        without = ["setpriv", "--bounding-set=-ipc_lock", "--inh-caps=-ipc_lock"] if os.getuid() == 0 else []
        daemon = self.start("prlimit", "--memlock=0", *without, BIN / "selvedged", "--config", config)
        self.assertIn("local socket", daemon.stderr.readline())
        line = daemon.stderr.readline()
        self.assertIn("not locked in memory", line)
        self.assertIn("RLIMIT_MEMLOCK is 0 bytes", line)
        self.assertFalse(self.ask("a", "status")["keys_locked"])
        self.address["a"] = f"127.0.0.1:{port}"
        self.serve("a")
        self.assertEqual(self.send("--count", 100, "--verify", to="a")["messages"], 100)

    def test_sealing_itself_needs_a_restart(self):
        daemon = self.daemon("a")
        config = self.folder / "a.toml"
        config.write_text(config.read_text() + f'[seal]\nkeys = "{self.keys("a", new_key())}"\n')
        daemon.send_signal(signal.SIGHUP)
        self.assertIn("needs a restart: [seal] keys", daemon.stderr.readline())
        self.assertFalse(self.ask("a", "status")["sealed"])

    def check(self, text):
        config = self.folder / "x.toml"
        config.write_text(text)
        done = subprocess.run([BIN / "selvedged", "--config", config, "--check"],
                              capture_output=True, text=True, timeout=10)
        return done.returncode, done.stderr

    def test_errors_of_key_files(self):
        key = new_key()
        self.assertRegex(key, r"^[0-9a-f]{64}\n$")
        self.assertNotEqual(key, new_key())
        path = self.keys("x")
        use = f'[seal]\nkeys = "{path}"\n'
        for text, where in ((f"# mine\n{key}{key[:-2]}\n", "x.keys:3"), ("", "x.keys"),
                            (key + key, "x.keys:2"), ("x" * 64, "x.keys:1")):
            path.write_text(text)
            status, said = self.check(use)
            self.assertEqual((status, len(said.splitlines())), (2, 1), said)
            self.assertIn(where, said)
            self.assertNotIn(key[:16], said)
        path.write_text(key)
        self.assertEqual(self.check(use), (0, ""))
        path.chmod(0o640)
        self.assertIn("chmod 600", self.check(use)[1])
        self.assertEqual(self.check(f'[seal]\nkeys = "{self.folder}"\n')[0], 2)
        self.assertEqual(self.check('[seal]\nkeys = "/nowhere"\n')[0], 2)

    def test_keys_permit_addresses_other_than_loopback(self):
        everywhere = '[udp]\nlisten = "0.0.0.0:47001"\n[verbs]\nlisten = "10.0.0.1:47001"\n'
        self.assertEqual(self.check(everywhere)[0], 2)
        path = self.keys("x", new_key())
        self.assertEqual(self.check(everywhere + f'[seal]\nkeys = "{path}"\n'), (0, ""))


if __name__ == "__main__":
    unittest.main()
