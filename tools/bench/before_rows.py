# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Messages a second through two daemons of this build and of another, in turn, so that a noisy machine disturbs both
alike. More is better. On crowded cores the rows measure how the daemons share them with other programs, unless
SELVEDGE_BENCH_REALTIME=1."""
import statistics

from tools.bench.rows import note, row

RUNS = 6  # of each build
COUNTS = {4096: 1_000_000, 1024: 1_600_000, 64: 5_000_000}  # by size in bytes
LEAST = 0.95


def before_rows(pair, build, before):
    """pair(build): starts two daemons of that build, as a context manager with perf()."""
    rows = []
    for size, count in COUNTS.items():
        rates = {build: [], before: []}
        for turn in range(RUNS):
            for which in (build, before) if turn % 2 == 0 else (before, build):
                with pair(which) as daemons:
                    result = daemons.perf("send", "--size", str(size), "--count", str(count), timeout=300)
                rates[which].append(result["messages_per_s"] / 1000)
            note(f"this build {rates[build][-1]:.0f}, {before} {rates[before][-1]:.0f} k/s: {size} bytes, "
                 f"run {turn + 1} of {RUNS}")
        rows.append(row(f"messages of {size:,} bytes through two daemons", statistics.median(rates[build]), "k/s",
                        statistics.median(rates[before]), "the build before", None, LEAST))
    return rows
