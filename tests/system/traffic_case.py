# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""What the tests of the plugin under traffic share: the emulator by the managers' time, hosts that send,
and what becomes of their packets.
"""
from opensm_case import OpenSmCase
from tools.lab import PLUGIN_STATUS

HOST = "H-0-0"  # of the subnet manager and of the tools
NOTHING_HELD = PLUGIN_STATUS + "[repair]\nflap_limit = 1000\n"  # no cable is held for flapping


class TrafficCase(OpenSmCase):
    def start_with_traffic(self, text):
        """A lab whose hosts send after `traffic on`: so little that no counter of 16 bits comes to its end
        while SMPs time out. Lost SMPs are repeated soon, so that faults that cut a sweep's own SMPs take
        seconds."""
        return self.start_lab(text, subnet="emulate",
                              emulate_options=("--clock", "manager", "--load", "0.004",
                                               "--smp-timeout-ms", "20"))

    def empty_network(self, lab):
        """No traffic from now on; the report once nothing is under way."""
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
        """The fabric's time stands still while the managers wait for nothing."""
        lab.tool("smpquery", "-D", "nodeinfo", "0,1", host=HOST)

    def check_conserved(self, before, after):
        """Every packet of the interval between two reports on an empty network."""
        delta = {name: after[name] - before[name] for name in after if name.startswith(("data_", "smps_"))}
        lost = sum(n for name, n in delta.items() if name.startswith("data_lost_"))
        self.assertEqual(delta["data_generated"], delta["data_delivered"] + lost, delta)
        # By faults, and on old routes that a guarded change has shut (VL 15): never by a deadlock, by a
        # LID that moved, or for want of room.
        known = ("cut", "dead_port", "no_route", "vl15")
        self.assertEqual(lost, sum(delta[f"data_lost_{cause}"] for cause in known), delta)
        return delta
