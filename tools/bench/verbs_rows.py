# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The daemon over verbs in the soft-RoCE guest, compared with ib_send_bw on the same devices. Only the
ratio is meaningful, since QEMU interprets the guest."""
import json
import pathlib
import re
import statistics

from tools.bench.rows import note, row
from tools.guest import Guest
from tools.lab.errors import LabError

HERE = pathlib.Path(__file__).resolve().parent


def verbs_rows(build, runs):
    note(f"daemon over verbs in the guest, {runs} runs")
    result = Guest().run(f"python3 verbs_in_guest.py '{build}/bin' {runs}", cwd=HERE, show=[build],
                         timeout_s=120 + 60 * runs)
    found = re.search(r"^figures (.*)$", result.output, re.M)
    if result.status != 0 or not found:
        raise LabError("the guest measured nothing", "tools/bench/verbs_in_guest.py",
                       result.output.strip()[-500:])
    figures = json.loads(found[1])
    return [row("a packet of 4 KB over verbs, application to application, in order, 4 paths (guest)",
                statistics.median(figures["ours"]), "us", statistics.median(figures["raw"]),
                "ib_send_bw -c UD", 1 / 0.8)]
