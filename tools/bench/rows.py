# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Rows of the bench: a figure with its peer or its limit. Also the two ways to measure a figure:
Google Benchmark's programs, and whole runs of selvedge-route."""
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

from tools.lab.errors import LabError

# Before a command, of ours or of a peer: real-time priority, on a machine that others use too.
PRIORITY = ["chrt", "-r", "1"] if os.environ.get("SELVEDGE_BENCH_REALTIME") == "1" else []
_IN_MS = {"ns": 1e-6, "us": 1e-3, "ms": 1.0, "s": 1e3}


def note(text):
    print(text, file=sys.stderr, flush=True)


def row(what, value, unit, peer, peer_name, at_most, at_least=None):
    """A row. `peer`: the value to compare with, in the same unit. `at_most`, `at_least`: bounds of the
    ratio value / peer; without them the row is for information only."""
    ratio = value / peer
    return {"what": what, "value": value, "unit": unit, "peer": peer_name, "peer_value": peer,
            "ratio": ratio, "at_most": at_most, "at_least": at_least,
            "ok": (at_most is None or ratio <= at_most) and (at_least is None or ratio >= at_least)}


def _number(value):
    return f"{value:.3f}" if abs(value) < 10 else f"{value:.2f}"


def _bound(one):
    if one["at_most"] is None and one["at_least"] is None:
        return "(for information)"
    sign, bound = (("<=", one["at_most"]) if one["at_least"] is None else (">=", one["at_least"]))
    return f"{sign} {bound:g} {'ok' if one['ok'] else 'MISSED'}"


def benchmark_ms(build, program, wanted, runs, environment=None, timer="cpu_time"):
    """{name: ms}, the medians of a benchmark program's cases whose names match `wanted`. Their runs
    are interleaved, so that a noisy machine disturbs all alike."""
    command = [str(pathlib.Path(build) / "bin" / program), "--benchmark_format=json",
               f"--benchmark_repetitions={max(runs, 3)}", f"--benchmark_filter={wanted}",
               "--benchmark_report_aggregates_only=true",
               "--benchmark_enable_random_interleaving=true"]
    out = subprocess.run(command, env={"PATH": "/usr/bin:/bin", **(environment or {})}, check=True,
                         capture_output=True, text=True).stdout
    found = {one["run_name"]: one[timer] * _IN_MS[one["time_unit"]]
             for one in json.loads(out)["benchmarks"] if one["aggregate_name"] == "median"}
    if not found:
        raise LabError("the benchmark printed no median", f"{program} {wanted}", "build it again")
    return found


def route(build, *arguments, may_fail=False):
    """Runs selvedge-route. Returns its JSON (nothing if it printed none) with the whole process's
    `seconds` and `peak_bytes` of memory. `may_fail`: exit status 1 is no error."""
    program = str(pathlib.Path(build) / "bin" / "selvedge-route")
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        begin = time.monotonic()
        child = subprocess.Popen([program, *arguments], stdout=out, stderr=err)
        # (wait4() is no use here: the peak memory that it gives includes this program's at the fork.)
        peak = 0
        while child.poll() is None:
            peak = max(peak, peak_so_far(child.pid))
            time.sleep(0.001)
        seconds = time.monotonic() - begin
        out.seek(0)
        err.seek(0)
        text = out.read().decode()
        if child.returncode not in ((0, 1) if may_fail else (0,)):
            raise LabError(f"it ended with {child.returncode}", " ".join(arguments),
                           err.read().decode()[-400:].strip() or text[-400:])
    answer = json.loads(text) if text.lstrip().startswith("{") else None
    return {"json": answer, "seconds": seconds, "peak_bytes": peak}


def peak_so_far(pid):
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    found = re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)
    return int(found[1]) * 1024 if found else 0


def median_of(runs, measure):
    return statistics.median(measure() for _ in range(runs))


def print_table(rows):
    head = ("what", "ours", "peer or limit", "ratio", "must be")
    cells = [head] + [
        (r["what"], f"{_number(r['value'])} {r['unit']}",
         f"{r['peer']} {_number(r['peer_value'])} {r['unit']}",
         f"{r['ratio']:.4f}", _bound(r)) for r in rows]
    widths = [max(len(line[i]) for line in cells) for i in range(len(head))]
    for number, line in enumerate(cells):
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
        if number == 0:
            print("  ".join("-" * width for width in widths))
