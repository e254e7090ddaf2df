# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""MPI over the provider `selvedge`, compared with libfabric's own providers and Open MPI's TCP: two ranks on one
machine, our program (tests/system/provider/ranks.c) unchanged. Ranks yield when idle, all alike.

Debian's `udp;ofi_rxd` crashes in the whole program of ranks. Latency and bandwidth alone may run: it gets three tries
each time, and a row without it is left out, with a note.

The last row reorders packets. Ours are reordered by `[impair]`, those of rxd by a library that is loaded before the
ranks (tests/support/reordered_udp.cpp), in the same way: each tenth at random waits for 1 to 32 later ones, or 1 ms.
"""
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

from tools.bench.rows import PRIORITY, note, row
from tools.lab.errors import LabError, MissingError

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ROUNDS = "2000"
TRIES = 3
OFI = ("--mca", "pml", "cm", "--mca", "mtl", "ofi", "--mca", "btl", "self", "--mca", "mtl_ofi_provider_include")
PEERS = {"udp;ofi_rxd": (*OFI, "udp;ofi_rxd"), "tcp;ofi_rxm": (*OFI, "tcp;ofi_rxm"),
         "tcp": ("--mca", "pml", "ob1", "--mca", "btl", "self,tcp")}
BY_RANK = 'export SELVEDGE_SOCKET={}/$((OMPI_COMM_WORLD_RANK % 2)).sock; {} exec "$@"'
REORDERED = "[impair]\nreorder = 0.1\nreorder_depth = 32\n"
REORDERED_ROUNDS, REORDERED_SECONDS = "100", 30


def program(folder):
    """Compiles the program of ranks, and returns its path."""
    path = pathlib.Path(folder) / "ranks"
    try:
        subprocess.run(["mpicc", "-std=c99", "-O2", ROOT / "tests/system/provider/ranks.c", "-o", path], check=True)
    except FileNotFoundError:
        raise MissingError("mpicc is missing", "mpicc", "install openmpi-bin and libopenmpi-dev, then ./run bench") from None
    return path


def command(build, folder, options, binary, rounds, before="", *more):
    """mpirun's command line and environment; `before`: a command of the shell, as an assignment to export."""
    env = {**os.environ, "FI_PROVIDER_PATH": str(pathlib.Path(build).resolve() / "lib"),
           "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return ["mpirun", "--oversubscribe", "-np", "2", *options, "--mca", "mpi_yield_when_idle", "1",
            "sh", "-c", BY_RANK.format(folder, before), "sh", binary, rounds, "0", *more], env


def answer(done):
    if done.returncode != 0 or "{" not in done.stdout:
        return None
    return json.loads(done.stdout[done.stdout.index("{"):done.stdout.rindex("}") + 1])


def ranks(build, folder, options, binary):
    """{"latency_us": ..., "bandwidth_mb_s": ...} of two ranks, or None if the program failed."""
    line, env = command(build, folder, options, binary, ROUNDS)
    try:
        return answer(subprocess.run(line, capture_output=True, text=True, timeout=120, env=env))
    except subprocess.TimeoutExpired:
        return None


def reordered_mb_s(build, folder, options, binary, before=""):
    """The bandwidth of two ranks whose packets are reordered, in MB/s, and whether they hung: then what they moved
    until they were stopped counts. None if the program failed."""
    moved = pathlib.Path(folder) / "moved"
    moved.unlink(missing_ok=True)
    line, env = command(build, folder, options, binary, REORDERED_ROUNDS, before, moved)
    # mpirun ends its ranks when it is asked to end, not when it is killed.
    done = subprocess.run([*PRIORITY, "timeout", "-k", "5", str(REORDERED_SECONDS), *line], capture_output=True,
                          text=True, env=env)
    if done.returncode == 124:
        words = moved.read_text(encoding="ascii").split() if moved.exists() else []
        return (float(words[0]) / 1e6 / max(1, time.time() - float(words[1])) if words else 0), True
    found = answer(done)
    return found and (found["bandwidth_mb_s"], False)


def reordered_rows(pair, build, runs):
    """Nothing but the bandwidth: a packet that is held back for a millisecond says little of latency."""
    library = pathlib.Path(build).resolve() / "lib" / "libreordered_udp.so"
    if not library.exists():
        raise MissingError(f"{library} is missing", "reordered_udp", "build the target benchmarks: ./run bench does")
    ours, theirs, hung = [], [], 0
    with tempfile.TemporaryDirectory() as folder:
        binary = program(folder)
        for turn in range(runs):
            note(f"MPI over the provider, reordered, run {turn + 1} of {runs}")
            with pair(REORDERED) as daemons:
                found = reordered_mb_s(build, daemons.folder.name, (*OFI, "selvedge"), binary)
            if found is None or found[1]:
                raise LabError("two ranks over the provider failed", "mpirun, reordered packets", "run system/provider")
            ours.append(found[0])
            tries = (reordered_mb_s(build, folder, PEERS["udp;ofi_rxd"], binary, f"export LD_PRELOAD={library};")
                     for _ in range(TRIES))
            found = next((f for f in tries if f), None)
            if found is None:
                note(f"udp;ofi_rxd with reordered packets crashed {TRIES} times of {TRIES}")
            else:
                theirs.append(found[0])
                hung += found[1]
    if not theirs:
        return []
    peer = "udp;ofi_rxd, its datagrams reordered alike by a library"
    if hung:
        peer += f", stopped after {REORDERED_SECONDS} s {hung} times of {len(theirs)}"
    # A peer that has moved nothing is as slow as can be told.
    return [row("messages of 4 KB in a window of 64, MPI over the provider, 10 % of packets reordered by up to 32",
                statistics.median(ours), "MB/s", max(statistics.median(theirs), 1e-3), peer, None, 10)]


def provider_rows(pair, build, runs):
    """pair(settings): starts two daemons with sockets 0.sock and 1.sock, as a context manager with `folder`."""
    figures = {name: [] for name in ("selvedge", *PEERS)}
    with tempfile.TemporaryDirectory() as folder:
        binary = program(folder)
        for turn in range(runs):
            note(f"MPI over the provider, run {turn + 1} of {runs}")
            with pair("") as daemons:
                ours = ranks(build, daemons.folder.name, (*OFI, "selvedge"), binary)
            if ours is None:
                raise LabError("two ranks over the provider failed", "mpirun", "run system/provider")
            figures["selvedge"].append(ours)
            for name, options in PEERS.items():
                tries = TRIES if name == "udp;ofi_rxd" else 1
                found = next((f for f in (ranks(build, folder, options, binary) for _ in range(tries)) if f), None)
                if found is None:
                    note(f"{name} crashed or hung in our program of two ranks, {tries} times of {tries}")
                else:
                    figures[name].append(found)
    rows = []
    for title, key, unit, convert, limits in (
            ("a message of 4 KB in a window of 64, MPI over the provider", "bandwidth_mb_s", "ns",
             lambda mb: 4096e3 / mb, {"udp;ofi_rxd": 1.0, "tcp;ofi_rxm": 1.0}),
            ("half a round trip of 8 bytes, MPI over the provider", "latency_us", "us",
             lambda us: us, {"udp;ofi_rxd": 1.5})):
        ours = statistics.median(convert(f[key]) for f in figures["selvedge"])
        for name in PEERS:
            if figures[name]:
                theirs = statistics.median(convert(f[key]) for f in figures[name])
                rows.append(row(title, ours, unit, theirs, "Open MPI's TCP" if name == "tcp" else name,
                                limits.get(name)))
    return rows + reordered_rows(pair, build, runs)
