# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""selvedged over verbs, within the soft-RoCE guest (test_verbs.py starts it and runs this there).

    selvedge-perf send -> selvedged A = rxa va 10.0.i.1 ══ 4 paths ══ vb 10.0.i.2 rxb = selvedged B -> perf serve

The kernel (tc netem) loses, delays and reorders packets in place of a network, on each path
separately: path i carries the packets to 10.0.(i+1).x. Times measured in the guest mean nothing, so no
time is asserted.
"""
import errno
import json
import os
import pathlib
import random
import subprocess
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from test_daemon import BIN, IMPAIRED, Daemons  # noqa: E402

ADDRESS = {"a": "127.0.0.1:47001", "b": "127.0.0.1:47101"}
DEVICE = {"a": "rxa", "b": "rxb"}
SIZE = 4060  # message bytes; with header and CRC they fill one packet of 4,096 bytes


def sh(command):
    subprocess.run(command, shell=True, check=True, stdout=subprocess.DEVNULL)


class Verbs(Daemons):
    patience = 5  # QEMU interprets the guest, on a machine that may be busy

    def setUp(self):
        super().setUp()
        self.address = dict(ADDRESS)
        self.addCleanup(self.heal)

    def heal(self):
        for device in ("va", "vb"):
            subprocess.run(f"tc qdisc del dev {device} root", shell=True, check=False,
                           stderr=subprocess.DEVNULL)

    def daemon(self, name, extra="", daemon="", verbs="paths = 4", device=None):
        config = self.folder / f"{name}.toml"
        config.write_text(f'[daemon]\nbackend = "verbs"\nsocket = "{self.folder}/{name}.sock"\n{daemon}\n'
                          f'[verbs]\nlisten = "{ADDRESS[name]}"\ndevice = "{device or DEVICE[name]}"\n'
                          f'{verbs}\n{extra}')
        process = self.start(BIN / "selvedged", "--config", config)
        said = process.stderr.readline()
        self.assertIn(f"over {device or DEVICE[name]} port 1, local socket", said)
        return process

    def pair(self, **options):
        self.a, self.b = self.daemon("a", **options), self.daemon("b", **options)
        self.server = self.serve()

    @staticmethod
    def netem(faults, devices=("va", "vb")):
        """Applies faults, {path: arguments of netem}, in the directions that `devices` send. The qdisc
        prio has a band for each path (2 to 5), and band 1 for all other packets."""
        for device, host in (("va", 2), ("vb", 1)):
            if device not in devices:
                continue
            sh(f"tc qdisc add dev {device} root handle 1: prio bands 5 priomap " + "0 " * 16)
            for path, words in faults.items():
                sh(f"tc qdisc add dev {device} parent 1:{path + 2} netem limit 10000 {words}")
                sh(f"tc filter add dev {device} parent 1: protocol ip u32 match ip dst "
                   f"10.0.{path + 1}.{host}/32 flowid 1:{path + 2}")

    def check(self, count=1000, size=SIZE):
        result = self.send("--count", count, "--size", size, "--verify")
        self.assertEqual((result["messages"], result["bytes"], result["errors"]),
                         (count, count * size, 0))
        for name in "ab":
            self.assertTrue(self.connections_end(name, within=20), f"{name} keeps connections")
            status = self.ask(name, "status")
            self.assertEqual((status["backend"], status["memory_bytes_used"]), ("verbs", 0))
        return result

    def metric(self, name, what):
        text = self.ask(name, "metrics")["metrics"]
        return int(next(line.split()[1] for line in text.splitlines()
                        if line.startswith(f"selvedge_{what} ")))

    # -- the network -----------------------------------------------------------------------------

    def test_clean(self):
        self.pair()
        self.assertEqual(self.check()["rejected"], 0)
        for name in "ab":
            self.assertEqual(self.metric(name, "malformed_packets_total"), 0)

    def test_every_path_is_used(self):
        self.netem({path: "delay 0ms" for path in range(4)})
        self.pair()
        self.check(3000)  # paths share them by their windows, not evenly
        for device in ("va", "vb"):  # va sends the data, vb the reports
            qdiscs = json.loads(subprocess.run(["tc", "-s", "-j", "qdisc", "show", "dev", device],
                                             capture_output=True, check=True).stdout)
            sent = [q["packets"] for q in qdiscs if q["kind"] == "netem"]
            self.assertEqual(len(sent), 4)
            # One report acknowledges many packets, so the number of reports depends on timing.
            self.assertGreaterEqual(min(sent), 1 if device == "vb" else 100, qdiscs)

    def test_a_slow_path(self):
        self.netem({1: "delay 20ms"})
        self.pair()
        self.check()
        # Packets that came over the other paths waited in memory for those of the impaired path.
        self.assertGreater(self.ask("b", "status")["memory_bytes_used_max"], 0)

    def test_reordered_and_lossy(self):
        """On every path a tenth of the packets overtakes others, and one packet in a hundred is lost."""
        self.netem({path: "delay 3ms reorder 10% loss 1%" for path in range(4)})
        self.pair()
        self.assertGreater(self.check(count=2000)["retransmitted"], 10)
        self.assertGreater(self.ask("b", "status")["memory_bytes_used_max"], 0)

    def test_a_file(self):
        """A file crosses a network that reorders a tenth of the packets and loses one in a hundred."""
        self.netem({path: "delay 3ms reorder 10% loss 1%" for path in range(4)})
        self.pair()
        here, there = self.folder / "here", self.folder / "there"
        here.write_bytes(random.Random(1).randbytes(4_000_001))
        process = self.start(BIN / "selvedge-perf", "serve", "--socket", self.folder / "b.sock",
                             "--service", "files", "--keep", there)
        self.assertIn("serving", process.stderr.readline())
        result = self.send("--file", here, "--size", SIZE, "--verify", service="files")
        self.assertEqual((result["bytes"], result["errors"]), (4_000_001, 0))
        self.assertTrue(there.read_bytes() == here.read_bytes())

    def test_doubled(self):
        for device in ("va", "vb"):  # a device allows no second netem beside one that duplicates
            sh(f"tc qdisc add dev {device} root netem limit 10000 duplicate 10%")
        self.pair()
        self.check()
        self.assertGreater(self.metric("b", "received_packets_total"), 1.05 * 1000)

    def test_a_path_that_loses_all(self):
        self.netem({2: "loss 100%"})
        self.pair()
        self.check()

    def test_faults_on_purpose(self):
        self.pair(extra=IMPAIRED)
        self.assertGreater(self.check()["retransmitted"], 5)

    def test_messages_of_many_packets(self):
        self.netem({path: "delay 1ms reorder 10% loss 1%" for path in range(4)})
        self.pair()
        self.check(count=30, size=200001)

    def test_echo_while_daemons_sleep(self):
        self.pair(daemon="spin_us = 0")
        result = self.send("--count", 200, "--size", 64, "--verify", verb="latency")
        self.assertEqual((result["messages"], result["errors"]), (200, 0))
        self.assertGreater(self.metric("b", "sleeps_total"), 100)

    def test_within_one_daemon(self):
        self.daemon("a")
        self.serve("a")
        self.assertEqual(self.send("--count", 500, "--size", SIZE, "--verify", to="a")["messages"], 500)

    # -- the port and the peer -------------------------------------------------------------------

    def flowing(self, count):
        """Starts a verified transfer and returns when data flow. Its rate is limited to 2,000 packets a
        second, so that it lasts long enough on any machine."""
        self.netem({path: "rate 16mbit" for path in range(4)})
        sender = self.start(*self.send_command("--count", count, "--size", SIZE, "--verify"))
        self.wait_delivered(100)
        return sender

    def delivered(self):
        return sum(c.get("delivered_packets", 0) for c in self.ask("b", "connections")["connections"])

    def wait_delivered(self, packets):
        end = time.monotonic() + 30 * self.patience
        while self.delivered() < packets:
            self.assertLess(time.monotonic(), end, "no data flows")
            time.sleep(0.05)

    def finish(self, sender, count):
        try:
            # On a machine at load 20 the guest moves 100 packets a second.
            out, errors = sender.communicate(timeout=100 * self.patience)
        except subprocess.TimeoutExpired:
            self.fail(f"not finished within {100 * self.patience} s\n{self.how_it_stands()}")
        self.assertEqual(sender.returncode, 0, errors)
        self.assertEqual(json.loads(out)["messages"], count)

    def how_it_stands(self):
        """What an operator would look at, as text: the state of both daemons and of the network between
        them, and the daemons' logs. The daemons are ended for that."""
        asked = ["ip -d addr", "ip neigh", "rdma link", "rdma resource show qp", "tc -s qdisc",
                 "grep -Hv 0000:0000$ /sys/class/infiniband/*/ports/1/gids/*", "dmesg | tail -40"]
        for name in "ab":
            ctl = f"{BIN}/selvedgectl %s --socket {self.folder}/{name}.sock"
            asked += [ctl % verb for verb in ("status", "connections", "metrics")]
            asked += [ctl % f"why-stalled {c['connection']}"
                      for c in self.ask(name, "connections")["connections"]]
        outputs = [f"$ {command}\n" + subprocess.run(
            command, shell=True, check=False, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=30 * self.patience).stdout for command in asked]
        for name, process in (("a", self.a), ("b", self.b)):
            process.kill()
            outputs.append(f"selvedged {name} said:\n{process.communicate()[1]}")
        return "\n".join(outputs)

    def test_the_port_goes_down_and_comes_back(self):
        self.pair()
        sender = self.flowing(12000)  # enough packets that the transfer lasts until the fault
        number = self.ask("a", "connections")["connections"][0]["connection"]
        # Ten seconds of silence end a connection, and on a busy machine a query alone may take as long:
        # the port comes back after four, and what was asked too late is asked again.
        for _ in range(5):
            sh("ip link set va down")
            up = threading.Timer(4, sh, ["ip link set va up"])
            up.start()
            time.sleep(1)
            port_up = self.ask("a", "status")["port_up"]
            said = subprocess.run([BIN / "selvedgectl", "why-stalled", str(number), "--socket",
                                   self.folder / "a.sock"], capture_output=True, text=True, check=True)
            in_time = up.is_alive()
            up.join()
            if in_time:
                break
            self.wait_delivered(self.delivered() + 100)
        self.assertTrue(in_time, "no query is answered within three seconds")
        self.assertEqual(port_up, False)
        self.assertIn("rxa port 1 is down", said.stdout)
        self.finish(sender, 12000)
        self.assertGreater(self.metric("a", "port_changes_total"), 1)
        self.a.terminate()
        said = self.a.stderr.read()
        self.assertIn("rxa port 1 is down", said)
        self.assertIn("rxa port 1 is up again", said)

    def test_an_address_goes_and_comes_back(self):
        self.pair()
        sender = self.flowing(4000)
        self.addCleanup(lambda: subprocess.run("ip addr add 10.0.3.2/24 dev vb", shell=True, check=False,
                                               stderr=subprocess.DEVNULL))
        sh("ip addr del 10.0.3.2/24 dev vb")
        time.sleep(1)
        sh("ip addr add 10.0.3.2/24 dev vb")
        self.finish(sender, 4000)
        self.assertGreater(self.metric("b", "port_changes_total"), 1)
        self.check(count=300)

    def test_the_peers_daemon_dies_and_comes_back(self):
        self.pair()
        sender = self.flowing(1000000)
        self.b.kill()
        self.b.wait()
        self.daemon("b")
        _, errors = sender.communicate(timeout=30 * self.patience)
        self.assertEqual(sender.returncode, 3)
        self.assertIn("restarted", errors)
        self.serve()
        self.check(count=300)

    # -- with keys ---------------------------------------------------------------------------------

    def key(self, name):
        path = self.folder / f"{name}.keys"
        path.touch(mode=0o600)
        path.write_text(subprocess.run([BIN / "selvedged", "--new-key"], capture_output=True, text=True,
                                       check=True, timeout=20 * self.patience).stdout)
        return f'[seal]\nkeys = "{path}"\n'

    def test_sealed(self):
        # Half of the packets are duplicated, so that the few packets of the reverse direction include
        # duplicates too.
        self.pair(extra=self.key("both") + IMPAIRED.replace("duplicate = 0.01", "duplicate = 0.5"))
        self.check(size=SIZE - 40)  # sealing takes 40 bytes of each packet
        for name in "ab":
            dropped = self.ask(name, "status")["dropped_packets"]
            self.assertGreater(dropped.pop("replayed"), 0)  # duplicates made by the injected faults
            self.assertEqual(set(dropped.values()), {0})

    # -- several workers -----------------------------------------------------------------------------

    def workers(self, a, b, extra="", size=SIZE):
        """Six connections at once, which the workers of both daemons share."""
        self.a, self.b = (self.daemon(name, extra=extra, daemon=f"workers = {count}\noversubscribe = true\n")
                          for name, count in (("a", a), ("b", b)))
        self.serve()
        self.send("--count", 20, "--size", size)  # all know the queue pairs of all workers soon after
        watched = ("handed_over_packets_total", "unknown_sender_packets_total")
        before = {name: [self.metric(name, what) for what in watched] for name in "ab"}
        senders = [self.start(*self.send_command("--count", 100, "--size", size, "--verify")) for _ in range(6)]
        for sender in senders:
            out, errors = sender.communicate(timeout=100 * self.patience)
            if sender.returncode != 0:
                self.fail(f"{errors}\n{self.how_it_stands()}")
            self.assertEqual((json.loads(out)["messages"], json.loads(out)["errors"]), (100, 0))
        for name, count in (("a", a), ("b", b)):
            self.assertTrue(self.connections_end(name, within=20), f"{name} keeps connections")
            status = self.ask(name, "status")
            self.assertEqual((status["workers"], status["memory_bytes_used"]), (count, 0))
            # Handshakes come to the first worker; all else to the one that has the connection.
            for what, then in zip(watched, before[name]):
                self.assertLess(self.metric(name, what) - then, 100, what)

    def test_two_workers_and_two(self):
        self.workers(2, 2, IMPAIRED)

    def test_one_worker_and_three(self):
        self.workers(1, 3, IMPAIRED)

    def test_three_workers_and_two_sealed(self):
        self.netem({path: "delay 1ms reorder 10% loss 1%" for path in range(4)})
        self.workers(3, 2, self.key("both"), SIZE - 40)

    def test_workers_of_a_peer_that_comes_back(self):
        self.a, self.b = (self.daemon(name, daemon="workers = 2\noversubscribe = true\n") for name in "ab")
        self.serve()
        self.check(count=200)
        self.b.kill()
        self.b.wait()
        self.daemon("b", daemon="workers = 3\noversubscribe = true\n")
        self.serve()
        for _ in range(3):
            self.check(count=200)

    def test_another_key_gets_no_announcement(self):
        self.daemon("a", extra=self.key("a"))
        self.daemon("b", extra=self.key("b"))
        self.serve()
        self.assertIn("its keys", self.send(status=3))
        for name in "ab":
            self.assertEqual(self.metric(name, "peer_addresses_updated_total"), 0)
        self.assertGreater(self.metric("b", "other_key_packets_total")
                           + self.metric("b", "forged_packets_total"), 0)

    # -- what may be wrong -----------------------------------------------------------------------

    def refused(self, text, *words):
        config = self.folder / "wrong.toml"
        config.write_text(f'[daemon]\nbackend = "verbs"\nsocket = "{self.folder}/w.sock"\n[verbs]\n{text}')
        done = subprocess.run([BIN / "selvedged", "--config", config], capture_output=True, text=True,
                              timeout=20 * self.patience)
        self.assertEqual((done.returncode, done.stdout), (3, ""), done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_apm_is_refused(self):
        """soft-RoCE claims the capability, and takes the migration state alone; but the kernel refuses the
        alternate path of any RoCE device (EINVAL). libselvedge-apm says so before (EOPNOTSUPP)."""
        done = subprocess.run([BIN / "apm_refusal", "rxa"], capture_output=True, text=True, timeout=60 * self.patience, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        said = dict(line.split(" ", 1) for line in done.stdout.splitlines())
        reason = f"-{errno.EOPNOTSUPP} port 1 is RoCE, which has no automatic path migration"
        self.assertEqual(said, {"library-in-reset": reason, "library": reason, "capability": "1",
                                "alternate": f"-{errno.EINVAL}", "rearm-alone": "0"})

    def test_mistakes(self):
        self.refused('device = "mlx5_0"', "mlx5_0", "choose among rxa, rxb")
        self.refused('device = "rxa"\nport = 2', "rxa")
        self.refused('device = "rxa"\ngids = [1, 77]', "no GID that can be used", "ibv_devinfo")
        self.daemon("a")
        self.refused(f'listen = "{ADDRESS["a"]}"', "cannot bind", ADDRESS["a"])
        self.address["b"] = "127.0.0.1:47999"
        self.assertIn("did not answer", self.send(status=3))
        sh("ip link set vb mtu 280")
        self.addCleanup(sh, "ip link set vb mtu 4200")
        self.refused(f'listen = "{self.address["b"]}"\ndevice = "rxb"', "MTU", "512")


if __name__ == "__main__":
    os.chdir(pathlib.Path(__file__).resolve().parent)
    unittest.main()
