# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Bandwidth after a repair in place beside that of tables computed anew for what is left."""
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
                anew = route(build, *given)["json"]
            rows.append(row(f"{name}, {count} cable{'s' * (count > 1)} lost: updn repaired in place, EBB",
                            repaired["ebb"], "", anew["ebb"], "computed anew", None, 0.97))
    return rows
