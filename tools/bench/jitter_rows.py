# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""How much is sent again where each packet takes up to 200 us longer and none is lost, in percent.

The daemons share the cores with whatever else runs. Another program delays packets by milliseconds, which the rows
then measure: on a machine that others use too, they need SELVEDGE_BENCH_REALTIME=1.
"""
import statistics

from tools.bench.rows import note, row

JITTER = "[impair]\njitter_us = 200\n"
FLOW = str(20 * 4096)  # 20 packets
FLOWS, FRESH_FLOWS = "500", 100
MOST = 0.5  # %


def stream(daemons):
    daemons.perf("many", "--connections", "1", "--warm-up", "0", "--seconds", "2")


def flows(daemons):
    """One connection sends 20 packets, waits until the echo of all is there, and again."""
    daemons.perf("latency", "--count", FLOWS, "--size", FLOW)


def fresh_flows(daemons):
    for _ in range(FRESH_FLOWS):
        daemons.perf("latency", "--count", "1", "--size", FLOW)


def resent_percent(pair, send):
    with pair(JITTER) as daemons:
        daemons.serve()
        send(daemons)
        totals = [daemons.status(name)["since_start"] for name in range(2)]
    again = sum(value for total in totals for key, value in total.items() if key.startswith("retransmitted_"))
    return 100 * again / sum(total["sent_packets"] for total in totals)


def jitter_rows(pair, runs):
    """pair(settings): starts two daemons that do not spin, as a context manager."""
    measures = {"path with 200 us jitter, nothing lost: resent of one long stream": stream,
                "the same, flows of 20 packets, each sent when the last is delivered": flows,
                "the same, each flow by a new connection": fresh_flows}
    found = {what: [] for what in measures}
    for turn in range(runs):
        note(f"jitter, run {turn + 1} of {runs}")
        for what, send in measures.items():
            found[what].append(resent_percent(pair, send))
    return [row(what, statistics.median(shares), "%", MOST, "as permitted", 1.0) for what, shares in found.items()]
