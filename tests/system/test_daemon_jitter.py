# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Packets that overtake each other within a path are not taken for lost, by real daemons."""
import shutil
import subprocess
import unittest

from test_daemon import BIN, Daemons

REAL_TIME = ["chrt", "-r", "1"]
SHORT_FLOWS = 60


def real_time_is_permitted():
    return (shutil.which(REAL_TIME[0]) is not None
            and subprocess.run([*REAL_TIME, "true"], capture_output=True).returncode == 0)


@unittest.skipUnless(real_time_is_permitted(), "the system permits no real-time priority")
class Jitter(Daemons):
    """Each packet takes up to 200 us longer, and none is lost. The daemons have real-time priority: another program
    of the machine would delay packets by milliseconds, which is not what [impair] promises."""

    def start(self, *command):
        return super().start(*(REAL_TIME if command[0] == BIN / "selvedged" else []), *command)

    def pair(self, paths=""):
        for name in "ab":
            self.daemon(name, extra=f"[impair]\njitter_us = 200\n[paths]\n{paths}\n")
        self.serve()

    def resent(self):
        """The share of packets that were sent again, of both daemons since their start."""
        self.assertTrue(self.connections_end("a") and self.connections_end("b"))
        totals = [self.ask(name, "status")["since_start"] for name in "ab"]
        again = sum(value for total in totals for key, value in total.items() if key.startswith("retransmitted_"))
        return again / sum(total["sent_packets"] for total in totals)

    def short_flows(self):
        """Each connection sends 20 packets, receives 20, and ends, so it knows nothing of the paths at first."""
        for _ in range(SHORT_FLOWS):
            self.assertEqual(self.send("--count", 1, "--size", 20 * 4096, "--verify", verb="latency")["errors"], 0)

    def least_resent(self, send):
        """Of three runs: a pause of the whole machine may have many packets of one sent again."""
        least = 1
        for _ in range(3):
            self.pair()
            send()
            least = min(least, self.resent())
            if least <= 0.005:
                break
            self.stop_all()
            self.processes.clear()
        return least

    def test_little_of_a_stream_is_sent_again(self):
        self.assertLessEqual(self.least_resent(lambda: self.send("--count", 20000, "--verify")), 0.005)

    def test_little_of_short_flows_is_sent_again(self):
        self.assertLessEqual(self.least_resent(self.short_flows), 0.005)

    def test_who_takes_overtaken_packets_for_lost_sends_much_again(self):
        self.pair('overtaking = "loss"')
        self.short_flows()
        self.assertGreater(self.resent(), 0.005)


if __name__ == "__main__":
    unittest.main()
