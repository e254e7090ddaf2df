# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""ibdmchk, the field's own checker of credit loops: a judge that shares nothing with this project. It reads the
dumps that opensm writes with log_flags 0x43, knows several VLs, but LMC 0 alone."""
import os
import re
import subprocess

from opensm_case import BUILD, PATIENCE_S
from tools.lab import LabError
from tools.lab.lab import find_program

DUMPS = {"log_flags": "0x43"}  # the option of opensm
_PADDED = BUILD / "lib" / "libpadded_malloc.so"
# The adapter of the subnet manager's host is a CA-SM.
_ADAPTER_PORT = re.compile(r"\{ CA(?:-SM)? [^{}]*NodeGUID:([0-9A-Fa-f]+)[^{}]*\{[^{}]*\}[^{}]*LID:([0-9A-Fa-f]{4})")


def ibdmchk(folder, sls=None, switch_of=None):
    """ibdmchk's standard output for the dumps of opensm's last sweep in `folder`. With `sls`,
    {(switch GUID, DLID): SL}, and `switch_of`, {LID of a host port: switch GUID}, it judges the VLs, too. Its exit
    status is not looked at: after its verdict it fails with the tables of any engine."""
    arguments = ["-s", "opensm-subnet.lst", "-f", "opensm.fdbs", "-m", "opensm.mcfdbs", "-l", "0"]
    if sls is not None:
        text = (folder / "opensm-subnet.lst").read_text(encoding="utf-8", errors="replace")
        nodes = {int(lid, 16): guid for guid, lid in _ADAPTER_PORT.findall(text)}
        if missing := sorted(lid for lid in switch_of if lid not in nodes):
            raise LabError("host ports are not in opensm's dump", f"opensm-subnet.lst, LIDs {missing}",
                           "read what it says of them")
        (folder / "path-sl.txt").write_text("".join(
            f"0x{nodes[source].lower()} {dlid} {sl}\n" for source, at in switch_of.items()
            for (switch, dlid), sl in sls.items() if switch == at and dlid != source), encoding="utf-8")
        arguments += ["-c", "path-sl.txt", "-d", "opensm-sl2vl.dump"]
    return subprocess.run(["stdbuf", "-oL", find_program("ibdmchk", "ibutils"), *arguments], cwd=folder,
                          env={**os.environ, "LD_PRELOAD": str(_PADDED)}, capture_output=True, text=True,
                          errors="replace", timeout=PATIENCE_S, check=False).stdout


def has_credit_loops(verdict):
    """Whether ibdmchk has found credit loops; a LabError if it came to no verdict."""
    if "credit loops in routing" in verdict:
        return True
    if "no credit loops found" in verdict:
        return False
    raise LabError("ibdmchk came to no verdict", "opensm's dumps", f"read what it said: {verdict[-2000:]}")
