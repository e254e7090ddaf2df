# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""tools/lab with OpenSM's minhop instead of the plugin: it must read the subnet correctly and clean up.

The fabric is a 4×4 torus, one host a switch:

        y\\x   0     1     2     3
         0   S-0-0 S-0-1 S-0-2 S-0-3     ports of each switch: 1 towards y−1, 2 towards y+1,
         1   S-1-0 S-1-1 S-1-2 S-1-3                           3 towards x−1, 4 towards x+1,
         2   S-2-0 S-2-1 S-2-2 S-2-3                           5 its host H-y-x
         3   S-3-0 S-3-1 S-3-2 S-3-3
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tools.lab import Lab, LabError, replay, torus_net, walk_all_pairs, walk_pair  # noqa: E402
from tools.lab import subnet as parsers  # noqa: E402

HOSTS = 16
SWITCH_CABLES = 32
PAIRS = HOSTS * (HOSTS - 1)


def alive(pid):
    """Whether the process exists and is no zombie."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


class BringUp(unittest.TestCase):
    """One subnet with LMC 1, shared by the tests that only read."""

    @classmethod
    def setUpClass(cls):
        cls.lab = cls.enterClassContext(Lab(torus_net(4, 4), quiet=True))
        cls.sm = cls.lab.opensm(host="H-0-0", options={"routing_engine": "minhop", "lmc": 1})
        cls.sm.wait_up()
        cls.subnet = cls.lab.read_subnet()

    def test_topology_is_the_torus_that_was_asked_for(self):
        self.assertEqual(len(self.subnet.switches), 16)
        self.assertEqual([h.lmc for h in self.subnet.hosts], [1] * HOSTS)
        self.assertEqual(len(self.subnet.each_cable()), SWITCH_CABLES)
        corner = self.subnet.switch_named("S-0-0")
        neighbours = [self.subnet.switches[self.subnet.cables[corner.guid, port][0]].name
                      for port in (1, 2, 3, 4)]
        self.assertEqual(neighbours, ["S-3-0", "S-1-0", "S-0-3", "S-0-1"])
        host = self.subnet.host_named("H-2-3")
        self.assertEqual((host.switch, host.switch_port),
                         (self.subnet.switch_named("S-2-3").guid, 5))

    def test_every_pair_walks(self):
        survey = walk_all_pairs(self.subnet)
        self.assertEqual(survey.pairs, PAIRS)
        self.assertEqual(survey.broken, [])
        # Minimal paths of a 4×4 torus: distances 0–4, two in the mean over the other 15 switches
        # (32/15), and a walk has one hop more than it has cables between switches.
        hops = [len(walk.hops) - 1 for walk in survey.walks.values()]
        self.assertEqual(len(hops), 2 * PAIRS)
        self.assertEqual(sum(hops), 2 * 16 * 32)
        self.assertEqual(max(hops), 4)

    def test_ibroute_tells_the_same_as_dump_fts(self):
        for name in ("S-0-0", "S-2-1"):
            switch = self.subnet.switch_named(name)
            self.assertEqual(self.lab.read_lft(switch.lid), self.subnet.lfts[switch.guid])

    def test_sl2vl_and_path_records_are_read(self):
        switch = self.subnet.switch_named("S-1-1")
        table = self.lab.read_sl2vl(switch.lid, 2)
        self.assertEqual(sorted(table), [(i, 2) for i in range(6)])
        self.assertEqual(table[1, 2], list(range(8)) * 2)  # opensm's default for 8 VLs
        source, target = self.subnet.host_named("H-0-1"), self.subnet.host_named("H-3-2")
        record = self.lab.path_record(source.lid, target.lid + 1)
        self.assertEqual((record["slid"] & ~1, record["dlid"], record["sl"]),
                         (source.lid, target.lid + 1, 0))

    def test_the_walker_finds_an_entry_that_was_broken_on_purpose(self):
        switch = self.subnet.switch_named("S-1-1")
        target = self.subnet.host_named("H-2-2")

        def with_entry(port):
            lfts = {guid: dict(lft) for guid, lft in self.subnet.lfts.items()}
            if port is None:
                del lfts[switch.guid][target.lid]
            else:
                lfts[switch.guid][target.lid] = port
            return walk_all_pairs(self.subnet, lfts)

        source = self.subnet.host_named("H-1-1")
        for port, fault in ((None, f"S-1-1 has no entry for LID {target.lid}"),
                            (5, f"S-1-1 delivers LID {target.lid} to H-1-1"),
                            (9, "S-1-1 port 9 has no cable")):
            broken = with_entry(port).broken
            self.assertIn((source, target, target.lid, fault), broken)
            self.assertTrue(all(dlid == target.lid for _, _, dlid, _ in broken))
        # A loop: S-1-1 sends back to a neighbour that routes through S-1-1. H-2-2's switch is two cables
        # from S-1-1 and three from the neighbours at ports 1 and 3, so these may route through S-1-1.
        lfts = {guid: dict(lft) for guid, lft in self.subnet.lfts.items()}
        lfts[switch.guid][target.lid] = 3
        back = self.subnet.cables[switch.guid, 3][0]
        lfts[back][target.lid] = 4
        self.assertEqual(walk_pair(self.subnet, source, target, target.lid, lfts).fault,
                         "loops through S-1-1")

    def test_two_labs_run_beside_each_other(self):
        with Lab(torus_net(3, 3), quiet=True) as other:
            other.opensm(options={"routing_engine": "updn"}).wait_up()
            self.assertEqual(len(other.read_subnet().switches), 9)
        self.assertEqual(len(self.lab.read_subnet().switches), 16)


class Faults(unittest.TestCase):
    def test_cut_and_relink(self):
        with Lab(torus_net(4, 4), quiet=True) as lab:
            sm = lab.opensm(host="H-0-0", options={"routing_engine": "minhop"})
            sm.wait_up()
            whole = lab.read_subnet(label="whole")

            mark = sm.mark()
            fault_ns = lab.cut("S-1-1", 4)
            sm.wait_settled(after=mark)
            cut = lab.read_subnet(label="cut")
            self.assertEqual(len(cut.each_cable()), SWITCH_CABLES - 1)
            ends = {(whole.switch_named("S-1-1").guid, 4), (whole.switch_named("S-1-2").guid, 3)}
            self.assertEqual(whole.cables.keys() - cut.cables.keys(), ends)
            self.assertEqual(walk_all_pairs(cut).broken, [])
            # The old tables do not work after the cut, and the walker names the missing cable.
            stale = walk_all_pairs(cut, whole.lfts)
            self.assertGreater(stale.broken_pairs, 0)
            self.assertLessEqual({fault for _, _, _, fault in stale.broken},
                                 {"S-1-1 port 4 has no cable", "S-1-2 port 3 has no cable"})

            # Made-up acknowledgements: one differing LFT block each millisecond. All pairs are whole
            # again once the last block that matters for a pair has come.
            blocks = sorted({(guid, lid // 64) for guid, lid, _, _ in whole.lft_difference(cut)})
            acks = [(fault_ns + 1_000_000 * (i + 1), guid, block)
                    for i, (guid, block) in enumerate(blocks)]
            answer = replay(whole, cut, fault_ns, acks)
            self.assertEqual(answer.steps[0], (fault_ns, stale.broken_pairs))
            self.assertEqual(answer.steps[-1][1], 0)
            self.assertEqual(answer.unacknowledged, [])
            self.assertTrue(fault_ns < answer.whole_ns <= acks[-1][0])
            # If a block has no acknowledgement, replay() gives no time, and names the block.
            short = replay(whole, cut, fault_ns, acks[1:])
            self.assertIsNone(short.whole_ns)
            self.assertEqual(short.unacknowledged, blocks[:1])

            mark = sm.mark()
            lab.relink("S-1-1", 4)
            sm.wait_settled(after=mark)
            again = lab.read_subnet(label="again")
            self.assertEqual(again.cables, whole.cables)
            self.assertEqual(walk_all_pairs(again).broken, [])

    def test_kill_and_start_again(self):
        with Lab(torus_net(3, 3), quiet=True) as lab:
            sm = lab.opensm(options={"routing_engine": "minhop"})
            sm.wait_up()
            sm.kill()
            self.assertFalse(sm.running)
            mark = sm.mark()
            sm.start()
            sm.wait_up(after=mark)
            self.assertEqual(walk_all_pairs(lab.read_subnet()).broken, [])

    def test_a_wait_in_vain_says_what_it_waited_for(self):
        with Lab(torus_net(3, 3), quiet=True) as lab:
            sm = lab.opensm(options={"routing_engine": "minhop"})
            sm.wait_up()
            with self.assertRaises(LabError) as caught:
                sm.wait_log("this is never logged", timeout_s=0.2)
            self.assertIn("did not log /this is never logged/ within 0.2 s", str(caught.exception))
            self.assertIn("SUBNET UP", str(caught.exception))  # the log's end is shown
            sm.terminate()
            with self.assertRaises(LabError) as caught:
                sm.wait_log("this is never logged", timeout_s=5)
            self.assertIn("ended before it logged", str(caught.exception))


class CleanUp(unittest.TestCase):
    def test_nothing_stays_behind(self):
        here = set(pathlib.Path().glob("sys-*"))
        with Lab(torus_net(3, 3), quiet=True) as lab:
            sm = lab.opensm(options={"routing_engine": "minhop"})
            sm.wait_up()
            sm.kill()  # a killed opensm cannot remove the ./sys-PID folder that it has made
            self.assertTrue(list(lab.folder.rglob("sys-*")))
            second = lab.opensm("second", options={"routing_engine": "minhop"})
            second.wait_up()
            pids = [lab.ibsim.pid, sm.pid, second.pid]
        self.assertFalse(lab.folder.exists())
        self.assertFalse(any(alive(pid) for pid in pids))
        self.assertEqual(set(pathlib.Path().glob("sys-*")), here)

    def test_an_error_ends_the_processes_and_keeps_the_logs(self):
        with self.assertRaises(RuntimeError):
            with Lab(torus_net(3, 3), quiet=True) as lab:
                sm = lab.opensm(options={"routing_engine": "minhop"})
                sm.wait_up()
                raise RuntimeError("as a failing test would")
        try:
            self.assertFalse(alive(lab.ibsim.pid) or alive(sm.pid))
            self.assertIn("SUBNET UP", sm.log.text())
        finally:
            for path in sorted(lab.folder.rglob("*"), reverse=True):
                path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
            lab.folder.rmdir()

    def test_a_signal_ends_everything(self):
        """After SIGTERM the lab ends its processes and removes its folder. After SIGKILL the kernel ends
        the processes."""
        program = textwrap.dedent("""
            import sys, time
            sys.path.insert(0, sys.argv[1])
            from tools.lab import Lab, torus_net
            with Lab(torus_net(3, 3), quiet=True) as lab:
                sm = lab.opensm(options={"routing_engine": "minhop"})
                sm.wait_up()
                print(lab.ibsim.pid, sm.pid, lab.folder, flush=True)
                time.sleep(60)
        """)
        for number in (signal.SIGTERM, signal.SIGKILL):
            with self.subTest(number), tempfile.TemporaryDirectory() as folder:
                env = {**os.environ, "TMPDIR": folder}
                with subprocess.Popen([sys.executable, "-c", program, str(ROOT)], env=env,
                                      stdout=subprocess.PIPE, text=True) as victim:
                    ibsim, opensm, lab_folder = victim.stdout.readline().split()
                    self.assertTrue(alive(ibsim) and alive(opensm))
                    victim.send_signal(number)
                    victim.wait(timeout=20)
                end = time.monotonic() + 5
                while (alive(ibsim) or alive(opensm)) and time.monotonic() < end:
                    time.sleep(0.01)
                self.assertFalse(alive(ibsim) or alive(opensm))
                if number == signal.SIGTERM:
                    self.assertEqual(victim.returncode, 128 + signal.SIGTERM)
                    self.assertFalse(pathlib.Path(lab_folder).exists())


class Parsers(unittest.TestCase):
    """Parsers of ibnetdiscover's output, on lines that never occur with ibsim."""

    def test_node_descriptions_with_quotes_and_two_port_hosts(self):
        text = textwrap.dedent('''\
            switchguid=0x10(10)
            Switch	36 "S-0000000000000010"		# "rack "7" # top" enhanced port 0 lid 4 lmc 0
            [1]	"H-0000000000000020"[1](21) 		# "node" HCA-1" lid 6 4xEDR
            [2]	"H-0000000000000020"[2](22) 		# "node" HCA-1" lid 8 4xEDR

            caguid=0x20
            Ca	2 "H-0000000000000020"		# "node" HCA-1"
            [1](21) 	"S-0000000000000010"[1]		# lid 6 lmc 1 "rack "7" # top" lid 4 4xEDR
            [2](22) 	"S-0000000000000010"[2]		# lid 8 lmc 1 "rack "7" # top" lid 4 4xEDR
            ''')
        found = parsers.parse_topology(text)
        self.assertEqual(found.switches[0x10].name, 'rack "7" # top')
        self.assertEqual([(h.guid, h.name, h.number, list(h.lids), h.switch_port)
                          for h in found.hosts],
                         [(0x21, 'node" HCA-1', 1, [6, 7], 1), (0x22, 'node" HCA-1', 2, [8, 9], 2)])

    def test_output_that_is_cut_short(self):
        with self.assertRaises(LabError):
            parsers.parse_lfts("")
        with self.assertRaises(LabError):
            parsers.parse_sl2vl("# SL2VL table: Lid 2\n")
        with self.assertRaises(LabError):
            parsers.parse_topology('Switch\t2 "S-0000000000000010"\t\t# "a" base port 0 lid 1 lmc 0\n'
                                   '[1]\t"S-0000000000000011"[1]\t\t# "b" lid 2 4xSDR\n')


if __name__ == "__main__":
    unittest.main()
