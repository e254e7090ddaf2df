# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The daemon over verbs in the soft-RoCE guest, compared with ib_send_bw on the same devices. Only the
ratio is meaningful, since QEMU interprets the guest."""
import json
import pathlib
import re
import statistics

from tools.bench.before_rows import LEAST
from tools.bench.rows import note, row
from tools.guest import Guest
from tools.lab.errors import LabError

HERE = pathlib.Path(__file__).resolve().parent
BEFORE_RUNS = 11  # beside another build: these times differ by a third from run to run


def verbs_rows(build, runs, before=None):
    """before: the folder of another build, to compare with."""
    builds = [build, before] if before else [build]
    if before:
        runs = max(runs, BEFORE_RUNS)
    note(f"daemon over verbs in the guest, {runs} runs")
    programs = " ".join(f"'{b}/bin'" for b in builds)
    result = Guest().run(f"python3 verbs_in_guest.py {runs} {programs}", cwd=HERE, show=builds,
                         timeout_s=120 + 60 * runs)
    found = re.search(r"^figures (.*)$", result.output, re.M)
    if result.status != 0 or not found:
        raise LabError("the guest measured nothing", "tools/bench/verbs_in_guest.py",
                       result.output.strip()[-500:])
    figures = json.loads(found[1])
    raw = statistics.median(figures["raw"])
    times = [statistics.median(of_build) for of_build in figures["ours"]]
    what = "a packet of 4 KB over verbs, application to application, in order, 4 paths (guest)"
    rows = [row(what, times[0], "us", raw, "ib_send_bw -c UD", 1 / 0.8)]
    if before:
        rows.append(row(what, times[0], "us", times[1], "the build before", 1 / LEAST))
    return rows
