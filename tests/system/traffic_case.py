# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""What the tests of the plugin under traffic share: an emulator whose fabric's time is the managers' CPU
time, hosts that send, and the check that every packet is accounted for.
"""
from opensm_case import OpenSmCase
from tools.lab import PLUGIN_STATUS

HOST = "H-0-0"  # of the subnet manager and of the tools
NOTHING_HELD = PLUGIN_STATUS + "[repair]\nflap_limit = 1000\n"  # no cable is held for flapping


class TrafficCase(OpenSmCase):
    def start_with_traffic(self, text):
        """A lab whose hosts send after `traffic on`. The load is so low that no 16-bit counter reaches its
        limit while SMPs time out. Lost SMPs are repeated soon: a sweep whose own SMPs cross a fault then
        takes seconds, not minutes."""
        return self.start_lab(text, subnet="emulate",
                              emulate_options=("--clock", "manager", "--load", "0.004",
                                               "--smp-timeout-ms", "20"))

    def empty_network(self, lab):
        """Stops the traffic; returns the emulator's report once no packet is under way."""
        lab.ask_emulator("traffic off")

        def emptied():
            self.let_time_pass(lab)
            report = lab.emulator_report()
            self.assertEqual(report["data_in_flight"], 0, report)
            self.assertEqual(report["data_injected"], report["data_generated"], report)
            return report
        return self.eventually(emptied)

    @staticmethod
    def let_time_pass(lab):
        """Runs a tool, whose question makes the fabric's time pass: while no manager works or waits for
        an answer, that time may stand still."""
        lab.tool("smpquery", "-D", "nodeinfo", "0,1", host=HOST)

    def check_conserved(self, before, after):
        """Asserts that every packet between two reports, both on an empty network, was delivered or lost
        for a known cause; returns the differences of the reports' numbers."""
        delta = {name: after[name] - before[name] for name in after if name.startswith(("data_", "smps_"))}
        lost = sum(n for name, n in delta.items() if name.startswith("data_lost_"))
        self.assertEqual(delta["data_generated"], delta["data_delivered"] + lost, delta)
        # Packets may be lost at faults, and on old routes that a guarded change has closed (mapped to
        # VL 15). No packet may be lost by a deadlock, by a LID that moved, or because a queue is full.
        known = ("cut", "dead_port", "no_route", "vl15")
        self.assertEqual(lost, sum(delta[f"data_lost_{cause}"] for cause in known), delta)
        return delta
