#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Fails when a room includes what it must not know.

The table is the house's plan (docs/architecture.md): each room with the rooms that it may include.
OpenSM's headers belong to plugin/opensm alone; libibumad is also what the daemon's transport asks
the SA through, and verbs are the transport's.
"""
import pathlib
import re
import sys

ALLOWED = {
    "base": [],
    "plugin/fabric": ["base"],
    "plugin/tables": ["base", "plugin/fabric"],
    "plugin/engines": ["base", "plugin/tables", "plugin/fabric"],
    "plugin/verify": ["base", "plugin/tables", "plugin/fabric"],
    "plugin/repair": ["base", "plugin/tables", "plugin/fabric", "plugin/verify", "plugin/engines"],
    "plugin/transition": ["base", "plugin/tables", "plugin/fabric", "plugin/verify"],
    "plugin/control": ["base", "plugin/fabric", "plugin/tables", "plugin/engines", "plugin/verify",
                       "plugin/repair", "plugin/transition"],
    "plugin/opensm": ["base", "plugin/control", "plugin/fabric", "plugin/tables", "plugin/engines", "plugin/verify",
                      "plugin/repair", "plugin/transition"],
    "plugin/route": ["base", "plugin/fabric", "plugin/tables", "plugin/engines", "plugin/verify",
                     "plugin/repair", "plugin/transition"],
    "daemon/protocol": ["base"],
    "daemon/transport": ["base", "daemon/protocol"],
    "daemon/ring": ["base"],
    "daemon/service": ["base", "daemon/protocol", "daemon/transport", "daemon/ring"],
    "daemon/client": ["daemon/ring"],
    "sim/engine": ["base"],
    "sim/model": ["base", "sim/engine", "plugin/tables", "plugin/fabric", "daemon/protocol"],
    "sim/control": ["base", "sim/engine", "sim/model", "plugin/*"],
    "sim/traffic": ["base", "sim/engine", "sim/model", "plugin/fabric"],
    "sim/report": [],
    "sim/experiment": ["base", "sim/*", "plugin/*"],
    "sim/emulate": ["base", "sim/control", "sim/model", "sim/engine", "plugin/fabric"],
}
FOREIGN = [
    (("plugin/opensm",), re.compile(r"^(infiniband/)?(opensm|complib|iba|vendor|mad)[/.]")),
    (("plugin/opensm", "daemon/transport"), re.compile(r"^(infiniband/)?umad[/.]")),
    (("daemon/transport",), re.compile(r"^(infiniband/)?verbs[/.]")),
]
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]')


def room_of(path):
    parts = path.split("/")
    if parts[0] == "base":
        return "base"
    return "/".join(parts[:2]) if parts[0] in ("plugin", "daemon", "sim") else None


def permitted(room, target):
    return target == room or any(
        target == allowed or (allowed.endswith("/*") and target.startswith(allowed[:-1]))
        for allowed in ALLOWED[room])


def main(root):
    faults, files = [], 0
    for path in sorted(root.rglob("*")):
        if path.suffix not in (".hpp", ".cpp", ".h", ".c"):
            continue
        name = path.relative_to(root).as_posix()
        room = room_of(name)
        if room is None:
            continue
        if room not in ALLOWED:
            faults.append(f"{name}: no room is called {room}: add it to tests/arrows.py and "
                          "docs/architecture.md")
            continue
        files += 1
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            target = room_of(match[1])
            if target and not permitted(room, target):
                faults.append(f"{name}:{number}: {room} must not know {target}")
            for owners, pattern in FOREIGN:
                if room not in owners and pattern.match(match[1]):
                    faults.append(f"{name}:{number}: <{match[1]}> belongs to {', '.join(owners)} alone")
    for fault in faults:
        print(fault)
    print(f"{files} files read, {len(faults)} arrows that point the wrong way")
    return 1 if faults or files == 0 else 0


sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()))
