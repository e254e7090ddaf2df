# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Clients of the emulator are killed (-9): a subnet manager and the plugin's agent while the fabric carries
traffic, and infiniband-diags at any point. The emulator must go on serving the other clients, and the
switches' tables must stay as they are.
"""
import contextlib
import os
import random
import re
import subprocess
import time
import unittest

from opensm_case import PATIENCE_S
from tests.support.draw import SEED, scaled
from tools.lab import torus_net
from tools.lab.lab import find_program
from traffic_case import HOST, NOTHING_HELD, TrafficCase

CLIENTS = 30  # tools that run at once
ROUNDS = scaled(2, 5, 100)
LONGEST_S = 0.1  # the longest time after which a tool is killed; many end earlier by themselves
# With these settings a standby takes over about a second after the master has gone.
POLLING = {"sminfo_polling_timeout": 300, "polling_retry_number": 2, "sweep_interval": 0}


class KilledClients(TrafficCase):
    def ready(self, sm):
        self.eventually(lambda: self.assertTrue(sm.ask("status")["fast_path"]["ready"]))

    # -- managers under traffic

    def test_a_standby_takes_over_and_no_packet_is_lost(self):
        with self.start_with_traffic(torus_net(4, 4)) as lab:
            first = self.start(lab, "first", host=HOST, options={"sm_priority": 10, **POLLING})
            first.wait_up(timeout_s=PATIENCE_S)
            second = self.start(lab, "second", host="H-3-1", options={"sm_priority": 5, **POLLING})
            second.wait_log("Entering STANDBY state", timeout_s=PATIENCE_S)
            before, _ = self.check(lab, first, hosts=16, switches=16)
            sent = self.empty_network(lab)
            lab.ask_emulator("traffic on")
            mark = second.mark()
            first.kill()
            second.wait_up(after=mark, timeout_s=60)
            self.assertEqual(second.ask("status")["last_sweep"]["outcome"], "adopted")
            delta = self.check_conserved(sent, self.empty_network(lab))
            self.assertGreater(delta["data_delivered"], 0)
            self.assertEqual(delta["data_delivered"], delta["data_generated"])
            after, _ = self.check(lab, second, hosts=16, switches=16)
            self.assertEqual((after.lfts, [(h.guid, h.lids) for h in after.hosts]),
                             (before.lfts, [(h.guid, h.lids) for h in before.hosts]))
            # The new master repairs a fault. Then the old master starts again and takes the subnet back,
            # since its priority is higher.
            sent = lab.emulator_report()
            lab.ask_emulator("traffic on")
            lab.cut("S-1-1", 4)
            self.wait_fabric(second, links=31)
            self.check_conserved(sent, self.empty_network(lab))
            self.check(lab, second, hosts=16, switches=16)
            mark = first.mark()
            first.start()
            first.wait_up(after=mark, timeout_s=60)
            self.check(lab, first, hosts=16, switches=16)

    def agent_of(self, lab, sm):
        """The process id of the plugin's agent, as the emulator knows it; None without one."""
        pids = [int(pid) for pid in re.findall(r"^client \d+ pid (\d+) ", "\n".join(lab.ask_emulator("report")),
                                               re.MULTILINE)]
        others = [pid for pid in pids if pid != sm.pid]
        self.assertLessEqual(len(others), 1)
        return others[0] if others else None

    def test_the_agent_is_killed(self):
        with self.start_with_traffic(torus_net(4, 4)) as lab:
            sm = self.start(lab, host=HOST, options={"sweep_interval": 0})
            sm.wait_up(timeout_s=PATIENCE_S)
            self.ready(sm)
            before = self.empty_network(lab)
            lab.ask_emulator("traffic on")
            lab.cut("S-2-2", 2)
            self.eventually(lambda: self.assertEqual(sm.ask("status")["fast_path"]["repairs"], 1))
            self.wait_fabric(sm, links=31)
            agent = self.agent_of(lab, sm)
            self.assertIsNotNone(agent)
            os.kill(agent, 9)
            lab.cut("S-1-1", 4)  # the sweep repairs it, or the fast path if it has started an agent again
            self.wait_fabric(sm, links=30)
            after = self.empty_network(lab)
            self.check_conserved(before, after)
            self.check(lab, sm, hosts=16, switches=16)

            def another():
                sm.send_sighup()
                self.assertNotIn(self.agent_of(lab, sm), (None, agent))
            self.eventually(another)
            self.ready(sm)
            repairs = sm.ask("status")["fast_path"]["repairs"]
            lab.cut("S-3-0", 4)
            self.eventually(lambda: self.assertGreater(sm.ask("status")["fast_path"]["repairs"], repairs))
            self.wait_fabric(sm, links=29)
            self.check(lab, sm, hosts=16, switches=16)

    # -- tools

    def test_tools_are_killed_at_any_point(self):
        print(f"{ROUNDS} rounds of {CLIENTS} clients, SELVEDGE_SEED={SEED}", flush=True)
        draw = random.Random(SEED)
        with self.start_lab(torus_net(4, 4), subnet="emulate") as lab:
            sm = self.start(lab, host=HOST, toml=NOTHING_HELD)
            sm.wait_up(timeout_s=PATIENCE_S)
            subnet, _ = self.check(lab, sm, hosts=16, switches=16)
            pair = f"{subnet.hosts[3].lid}:{subnet.hosts[9].lid}"
            questions = (("ibnetdiscover",), ("ibnetdiscover", "-l"), ("dump_fts", "-n"),
                         ("saquery", "-p", "--src-to-dst", pair), ("saquery", "-N"),
                         ("smpquery", "portinfo", subnet.hosts[5].lid),
                         ("smpquery", "-D", "nodeinfo", "0,1,4,2"), ("perfquery", "-x", subnet.hosts[5].lid, 1))
            answers = {q: self.comparable(lab.tool(*q, host="H-1-1")) for q in questions}
            killed = ended = 0
            for _ in range(ROUNDS):
                drawn = [(draw.choice(questions), draw.uniform(0, LONGEST_S) if draw.random() < 0.5 else None)
                         for _ in range(CLIENTS)]
                sm.send_sighup()  # a heavy sweep runs beside the tools
                for question, status, out in self.ask_all(lab, drawn):
                    killed += status < 0
                    ended += status == 0
                    if status >= 0:
                        self.assertEqual((status, self.comparable(out)), (0, answers[question]), question)
                lab.cut("S-2-2", 2)
                self.wait_fabric(sm, links=31)
                lab.relink("S-2-2", 2)  # the torus is whole again, so the next answers can be compared
                self.wait_fabric(sm, links=32)
                self.check_alive(sm)
            print(f"{killed} killed, {ended} ended", flush=True)
            self.assertGreater(killed, ROUNDS)
            self.assertGreater(ended, ROUNDS * CLIENTS // 4)
            self.check(lab, sm, hosts=16, switches=16)
            self.eventually(lambda: self.assertEqual(lab.emulator_report()["clients"], 2))  # opensm, its agent

    @staticmethod
    def ask_all(lab, drawn):
        """Runs a tool for each drawn (question, time after which the tool is killed), all at once.
        Returns (question, exit status, output) of each."""
        with contextlib.ExitStack() as stack:
            started, children = time.monotonic(), []
            for (name, *words), _ in drawn:
                child = stack.enter_context(subprocess.Popen(
                    [lab.programs.get(name) or find_program(name, "infiniband-diags"), *map(str, words)],
                    cwd=lab.folder, env=lab.environment("H-1-1"), text=True, errors="replace",
                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL))
                stack.callback(child.kill)
                children.append(child)
            for (_, doom), child in sorted(((c, child) for c, child in zip(drawn, children) if c[1] is not None),
                                           key=lambda pair: pair[0][1]):
                time.sleep(max(0.0, started + doom - time.monotonic()))
                child.kill()
            return [(question, child.wait(), out) for (question, _), child, out in
                    zip(drawn, children, [c.communicate(timeout=PATIENCE_S)[0] for c in children])]

    @staticmethod
    def comparable(text):
        """The lines of a tool's output that are the same at every call. Left out are the time, the host
        that asks, packet counters, and fields beyond the 256 bytes that libumad2sim passes on."""
        return [line for line in text.splitlines()
                if not re.search(r"generated on|Initiated from|^#\s|attached as|Xmit|Rcv|resv|preference", line)]


if __name__ == "__main__":
    unittest.main()
