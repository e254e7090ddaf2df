# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Bring-ups in each of which one MAD is lost silently or arrives twice: opensm with the plugin must bring
the subnet up in the same sweep, and every pair of hosts must be connected.

There is one bring-up for each MAD, requests and answers alike (./run campaign runs all of them, other
commands draw some). The emulator repeats a request that gets no answer, as a kernel does. If an answer
comes twice, no request waits for the second one.
"""
import concurrent.futures
import unittest

from opensm_case import OPTIONS, PATIENCE_S, OpenSmCase
from tests.support.draw import drawn
from tools.lab import LabError, torus_net, walk_all_pairs

# Short timeouts save time: this tests whether a request is repeated, not when.
EMULATOR = ("--smp-timeout-ms", "20", "--gmp-timeout-ms", "20")
AT_A_TIME = 3  # bring-ups that run at once: each of them spends part of its time waiting
SWITCHES = HOSTS = 9


class SingleMads(OpenSmCase):
    def bring_up(self, *commands, clock="free"):
        """Brings the subnet up after these commands to the emulator, and asserts that every pair is
        connected. Returns the emulator's report at SUBNET UP."""
        options = {**OPTIONS, "sweep_interval": 0}  # no later sweep hides what the first one missed
        with self.start_lab(torus_net(3, 3), subnet="emulate",
                            emulate_options=(*EMULATOR, "--clock", clock)) as lab:
            for command in commands:
                lab.ask_emulator(command)
            sm = self.start(lab, host="H-0-0", options=options)
            sm.wait_up(timeout_s=PATIENCE_S)
            report = lab.emulator_report()
            subnet = lab.read_subnet(host="H-0-0")
            survey = walk_all_pairs(subnet)
            self.assertEqual((len(subnet.switches), len(subnet.hosts)), (SWITCHES, HOSTS))
            self.assertEqual(len(survey.walks), HOSTS * (HOSTS - 1))
            self.assertEqual(survey.broken, [], survey.first_fault())
            self.assert_same_lfts(self.reported_lfts(sm.ask("tables")), self.seen_lfts(subnet))
            self.assertNotIn("Errors during initialization", sm.log.text())
            self.check_alive(sm)
            return report

    def each(self, command, clock, few, many):
        clean = self.bring_up(clock=clock)
        mads = clean["mads_from_clients"] + clean["mads_to_clients"]  # requests and answers
        self.assertGreater(mads, 1000)
        self.assertEqual((clean["repeated"], clean["late_answers"]), (0, 0))
        name = {"drop": "dropped_by_command", "double": "doubled_by_command"}[command]
        wrong, met, repeated, late = [], 0, 0, 0

        def one(after):
            line = f"{command} any 1 {after}"
            try:
                return line, self.bring_up(line, clock=clock), None
            except (AssertionError, LabError) as error:
                return line, None, error
        cases = drawn(range(mads), few, many)
        with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
            for line, report, error in pool.map(one, cases):
                if error:
                    wrong.append(f"{line}: {error}")
                    continue
                met += report[name]
                repeated += report["repeated"]
                late += report["late_answers"]
        self.assertEqual(wrong, [], f"{len(wrong)} of {len(cases)}")
        print(f"{command}, clock {clock}: {len(cases)} of {mads} MADs, {repeated} repeated, "
              f"{late} second answers", flush=True)
        # The number of MADs varies a little, so the last cases may ask for a MAD that is never sent.
        self.assertGreaterEqual(met, len(cases) * 0.95)
        if command == "drop":
            # Traps and TrapRepress have no answer, so a lost one is not repeated.
            self.assertGreaterEqual(repeated, met * 0.9)
        else:
            self.assertGreater(late, met * 0.9)

    def test_each_is_lost(self):
        self.each("drop", "free", 5, 45)

    def test_each_comes_twice(self):
        self.each("double", "free", 5, 45)

    def test_each_is_lost_while_time_is_the_managers(self):
        self.each("drop", "manager", 2, 10)


if __name__ == "__main__":
    unittest.main()
