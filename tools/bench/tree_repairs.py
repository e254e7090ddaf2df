# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Bandwidth after an in-place repair, compared with tables recomputed for the damaged fabric; and after
all faults are restored, compared with that before the faults."""
import pathlib
import tempfile

from tools.bench.rows import note, route, row
from tools.bench.tree_fabrics import CABLES_MISSING

PERMUTATIONS = 200


def repaired_rows(build, nets, seed):
    rows = []
    for name, net in nets.items():
        for count in CABLES_MISSING:
            note(f"quality: {name}, repaired in place after {count} lost")
            missing = net.without_cables(count, seed)[1]
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "fabric.net"
                path.write_text(net.text(), encoding="utf-8")
                fail = [word for switch, port in missing for word in ("--fail", f"{switch}:{port}")]
                given = ("compute", "--fabric", f"file:{path}", "--engine", "updn", "--permutations",
                         str(PERMUTATIONS), "--seed", str(seed), "--json", *fail)
                repaired = route(build, *given, "--repair", "rftr")["json"]
                healed = route(build, *given, "--repair", "rftr", "--healed")["json"]
                anew = route(build, *given)["json"]
                intact = route(build, *given[:len(given) - len(fail)])["json"]
            lost = f"{name}, {count} cable{'s' * (count > 1)} lost: updn"
            rows.append(row(f"{lost} repaired in place, EBB", repaired["ebb"], "", anew["ebb"],
                            "recomputed", None, 0.97))
            rows.append(row(f"{lost} healed, EBB", healed["ebb"], "", intact["ebb"], "before", None, 1))
    return rows
