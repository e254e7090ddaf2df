# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Messages a second through two daemons of this build and of another, in turn, so that a noisy machine disturbs both
alike. More is better. On crowded cores the rows measure how the daemons share them with other programs, unless
SELVEDGE_BENCH_REALTIME=1; the last row does so on purpose."""
import contextlib
import os
import statistics
import subprocess

from tools.bench.rows import PRIORITY, note, row

RUNS = 6  # of each build
COUNTS = {4096: 1_000_000, 1024: 1_600_000, 64: 5_000_000}  # by size in bytes
LEAST = 0.95
BESIDE = 4096, 60_000  # bytes of a message, and how many, beside programs that compute


@contextlib.contextmanager
def computing(programs):
    """So many programs that use all the time that the cores have."""
    running = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(programs)]
    try:
        yield
    finally:
        for program in running:
            program.kill()
            program.wait()


def medians(pair, build, before, size, count, what):
    """Of both builds, in thousands of messages a second."""
    rates = {build: [], before: []}
    for turn in range(RUNS):
        for which in (build, before) if turn % 2 == 0 else (before, build):
            with pair(which) as daemons:
                result = daemons.perf("send", "--size", str(size), "--count", str(count), timeout=300)
            rates[which].append(result["messages_per_s"] / 1000)
        note(f"this build {rates[build][-1]:.0f}, {before} {rates[before][-1]:.0f} k/s: {what}, "
             f"run {turn + 1} of {RUNS}")
    return statistics.median(rates[build]), statistics.median(rates[before])


def before_rows(pair, build, before):
    """pair(build): starts two daemons of that build, as a context manager with perf()."""
    rows = []

    def add(size, count, what):
        ours, theirs = medians(pair, build, before, size, count, what)
        rows.append(row(what, ours, "k/s", theirs, "the build before", None, LEAST))

    for size, count in COUNTS.items():
        add(size, count, f"messages of {size:,} bytes through two daemons")
    programs = 3 * os.cpu_count()
    if not PRIORITY:
        with computing(programs):
            add(*BESIDE, f"messages of {BESIDE[0]:,} bytes through two daemons, beside {programs} programs that compute")
    return rows
