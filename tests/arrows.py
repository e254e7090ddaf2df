#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Fails when a room (a source folder such as plugin/verify, with the folders in it) includes a file of a room
that it must not know.

ALLOWED lists for each room the rooms that it may include, as docs/architecture.md does. Further rules:
  - Only plugin/opensm includes OpenSM's headers.
  - Only plugin/opensm, plugin/capture and daemon/transport, which ask the subnet, include libibumad's headers.
  - Only daemon/transport and daemon/apm include the verbs headers.
  - Only daemon/provider includes libfabric's headers.
  - plugin/control uses no thread, clock, file or socket of its own: its callers pass these in.
  - A header that says that it is private to its folder is included only by files of its own room.
  - A permission in ALLOWED that no include uses is an error: it must be removed.
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
    "plugin/repair": ["base", "plugin/tables", "plugin/fabric", "plugin/verify"],
    "plugin/transition": ["plugin/tables", "plugin/fabric", "plugin/verify"],
    "plugin/control": ["base", "plugin/fabric", "plugin/tables", "plugin/engines", "plugin/verify",
                       "plugin/repair", "plugin/transition"],
    "plugin/opensm": ["base", "plugin/control", "plugin/fabric", "plugin/tables", "plugin/engines"],
    "plugin/capture": ["base", "plugin/control", "plugin/fabric", "plugin/tables"],
    "plugin/program": ["base", "plugin/fabric", "plugin/tables", "plugin/engines", "plugin/verify",
                       "plugin/repair"],
    "plugin/route": ["base", "plugin/fabric", "plugin/tables", "plugin/engines", "plugin/verify",
                     "plugin/repair", "plugin/transition", "plugin/program", "plugin/capture"],
    "daemon/protocol": ["base"],
    "daemon/transport": ["base", "daemon/protocol"],
    "daemon/ring": [],
    "daemon/service": ["base", "daemon/protocol", "daemon/transport", "daemon/ring"],
    "daemon/client": ["daemon/ring"],
    "daemon/provider": ["daemon/client"],
    "daemon/apm": [],
    "sim/engine": ["base"],
    "sim/model": ["base", "sim/engine", "plugin/tables", "plugin/fabric", "plugin/transition"],
    "sim/reconfigure": ["base", "sim/model", "plugin/fabric", "plugin/tables", "plugin/verify",
                        "plugin/repair", "plugin/transition"],
    "sim/control": ["base", "plugin/control", "plugin/fabric", "plugin/tables"],
    "sim/emulate": ["base", "sim/control", "sim/model", "plugin/fabric", "plugin/tables"],
    "sim/traffic": ["base", "sim/engine", "sim/model", "plugin/fabric", "plugin/tables"],
    "sim/hca": ["base", "daemon/protocol", "sim/engine", "sim/model"],
    "sim/clos": ["base", "sim/engine", "plugin/fabric"],
    "sim/report": [],
    "sim/experiment": ["base", "sim/engine", "sim/model", "sim/traffic", "sim/hca", "sim/clos",
                       "sim/report", "sim/emulate", "sim/reconfigure", "plugin/fabric", "plugin/tables", "plugin/engines", "plugin/verify",
                       "plugin/repair", "plugin/transition", "plugin/program"],
}
FOREIGN = [
    (("plugin/opensm",), re.compile(r"^(infiniband/)?(opensm|complib|iba|vendor|mad)[/.]")),
    (("plugin/opensm", "plugin/capture", "daemon/transport"), re.compile(r"^(infiniband/)?umad[/.]")),
    (("daemon/transport", "daemon/apm"), re.compile(r"^(infiniband/)?verbs[/.]")),
    (("daemon/provider",), re.compile(r"^rdma/")),
]
# Headers that plugin/control must not include: threads, clocks, files and sockets are passed in.
HANDED_IN = re.compile(r"^(base/(stopwatch|atomic_file|threads)\.hpp|thread|mutex|shared_mutex|condition_variable|"
                       r"future|atomic|fstream|filesystem|random|ctime|unistd\.h|poll\.h|sys/.*|netinet/.*)$")
OWN_CLOCK = re.compile(r"\b(steady_clock|system_clock|this_thread|clock_gettime|getenv)\b")
PRIVATE = "// Private to this folder: only its own files include this header.\n"
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]')


def room_of(path):
    parts = path.split("/")
    if parts[0] == "base":
        return "base"
    return "/".join(parts[:2]) if parts[0] in ("plugin", "daemon", "sim") else None


def sources(root):
    """The C++ files of all rooms, sorted by path."""
    return [path for folder in ("base", "plugin", "daemon", "sim")
            for path in sorted((root / folder).rglob("*")) if path.suffix in (".hpp", ".cpp", ".h", ".c")]


def main(root):
    faults, files, used = [], 0, set()
    private = {path.relative_to(root).as_posix() for path in sources(root)
               if PRIVATE in path.read_text(encoding="utf-8")}
    for path in sources(root):
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
            if room == "plugin/control" and OWN_CLOCK.search(line):
                faults.append(f"{name}:{number}: time is handed in (plugin/control/clock.hpp)")
            match = INCLUDE.match(line)
            if not match:
                continue
            target = room_of(match[1])
            if target and target != room:
                used.add((room, target))
                if target not in ALLOWED[room]:
                    faults.append(f"{name}:{number}: {room} must not know {target}")
                elif match[1] in private:
                    faults.append(f"{name}:{number}: {match[1]} is of {target} only")
            if room == "plugin/control" and HANDED_IN.match(match[1]):
                faults.append(f"{name}:{number}: <{match[1]}>: time, files and threads are handed in")
            for owners, pattern in FOREIGN:
                if room not in owners and pattern.match(match[1]):
                    faults.append(f"{name}:{number}: <{match[1]}> belongs to {', '.join(owners)} alone")
    if files:
        faults += [f"tests/arrows.py: {room} may include {target}, and does not: take it out"
                   for room, targets in ALLOWED.items() for target in targets
                   if (room, target) not in used]
    for fault in faults:
        print(fault)
    print(f"{files} files read, {len(faults)} arrows that point the wrong way")
    return 1 if faults or files == 0 else 0


sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()))
