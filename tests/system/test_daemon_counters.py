# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""What the daemon counts outlives its connections: status, text and JSON, and metrics of real daemons."""
import re
import subprocess
import unittest

from test_daemon import BIN, IMPAIRED, Daemons


class Counters(Daemons):
    def metrics(self, name):
        text = self.ask(name, "metrics")["metrics"]
        return {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1])
                for line in text.splitlines() if not line.startswith("#")}

    def text_status(self, name):
        done = subprocess.run([BIN / "selvedgectl", "status", "--socket", self.folder / f"{name}.sock"],
                              capture_output=True, text=True, timeout=20, check=True)
        return done.stdout

    def test_totals_last(self):
        for name in "ab":
            self.daemon(name, extra=IMPAIRED)
        self.serve()
        first = self.send("--count", 20000, "--size", 4096, "--verify")
        self.assertGreater(first["retransmitted"], 100)
        for name in "ab":
            self.assertTrue(self.connections_end(name))
        sender, receiver = self.ask("a", "status"), self.ask("b", "status")
        self.assertEqual(sender["open"]["sent_packets"], 0)
        total = sender["since_start"]
        resent = sum(total[f"retransmitted_{cause}_packets"]
                     for cause in ("overtaken", "timeout", "path_died"))
        self.assertGreaterEqual(resent, first["retransmitted"])
        self.assertGreaterEqual(total["sent_packets"], 20000 + resent)
        self.assertGreaterEqual(receiver["since_start"]["delivered_packets"], 20000)
        self.assertGreater(receiver["since_start"]["stored_packets"], 100)
        latency = sender["message_latency"]
        self.assertGreaterEqual(latency["count"], 20000)
        self.assertGreater(latency["p50_at_most_ns"], 1000)
        self.assertLessEqual(latency["p50_at_most_ns"], latency["p99_at_most_ns"])
        self.assertGreater(sender["queueing_delay"]["count"], 10000)
        self.assertEqual(len(sender["path_totals"]), 8)
        # How much each path carries follows its window, which losses change.
        for paths, key in ((sender["path_totals"], "sent_bytes"), (receiver["path_totals"], "received_bytes")):
            self.assertGreater(min(path[key] for path in paths), 4096 * 100)
            self.assertGreaterEqual(sum(path[key] for path in paths), 4096 * 20000)
        # The metrics tell the same.
        page = self.metrics("a")
        self.assertEqual(page["selvedge_open_data_packets"], 0)
        self.assertEqual(page["selvedge_data_packets_total"], total["sent_packets"])
        self.assertEqual(sum(value for name, value in page.items()
                             if re.match(r'selvedge_retransmitted_packets_total\{cause="(?!rejected)', name)), resent)
        self.assertEqual(page["selvedge_message_latency_seconds_count"], latency["count"])
        self.assertEqual(page['selvedge_message_latency_seconds_bucket{le="+Inf"}'], latency["count"])
        self.assertEqual(page['selvedge_path_sent_bytes_total{path="3"}'], sender["path_totals"][3]["sent_bytes"])
        # So does the text for people.
        text = self.text_status("a")
        self.assertRegex(text, rf"(?m)^since_start\.sent_packets +{total['sent_packets']}$")
        self.assertRegex(text, rf"(?m)^message_latency\.count +{latency['count']}$")
        self.assertEqual(len(re.findall(r"(?m)^path_totals .* sent_bytes=\d+ ", text)), 8)
        # Another connection adds to them.
        self.send("--count", 1000, "--size", 4096, "--verify")
        self.assertTrue(self.connections_end("a"))
        self.assertGreaterEqual(self.ask("a", "status")["since_start"]["sent_packets"], total["sent_packets"] + 1000)

    def test_rates_while_data_flows(self):
        for name in "ab":
            self.daemon(name)
        self.serve()
        busy = self.start(*self.send_command("--count", 100_000_000, "--size", 4096))
        self.wait_for(lambda: all(path["sent_bytes_per_s"] > 0 and path["rtt_ns"]
                                  for path in self.ask("a", "status")["path_totals"]))
        self.assertGreater(self.ask("a", "status")["open"]["sent_packets"], 1000)
        busy.kill()
        self.wait_for(lambda: all(path["sent_bytes_per_s"] == 0 and path["rtt_ns"] is None
                                  for path in self.ask("a", "status")["path_totals"]))


if __name__ == "__main__":
    unittest.main()
