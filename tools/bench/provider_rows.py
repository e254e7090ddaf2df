# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""MPI over the provider `selvedge`, compared with libfabric's own providers and Open MPI's TCP: two ranks on one
machine, our program (tests/system/provider/ranks.c) unchanged. Ranks yield when idle, all alike.

Debian's `udp;ofi_rxd` crashes in the whole program of ranks. Latency and bandwidth alone may run: it gets three tries
each time, and a row without it is left out, with a note.
"""
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

from tools.bench.rows import note, row
from tools.lab.errors import LabError, MissingError

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ROUNDS = "2000"
TRIES = 3
OFI = ("--mca", "pml", "cm", "--mca", "mtl", "ofi", "--mca", "btl", "self", "--mca", "mtl_ofi_provider_include")
PEERS = {"udp;ofi_rxd": (*OFI, "udp;ofi_rxd"), "tcp;ofi_rxm": (*OFI, "tcp;ofi_rxm"),
         "tcp": ("--mca", "pml", "ob1", "--mca", "btl", "self,tcp")}
BY_RANK = 'export SELVEDGE_SOCKET={}/$((OMPI_COMM_WORLD_RANK % 2)).sock; exec "$@"'


def program(folder):
    """Compiles the program of ranks, and returns its path."""
    path = pathlib.Path(folder) / "ranks"
    try:
        subprocess.run(["mpicc", "-std=c99", "-O2", ROOT / "tests/system/provider/ranks.c", "-o", path], check=True)
    except FileNotFoundError:
        raise MissingError("mpicc is missing", "mpicc", "install openmpi-bin and libopenmpi-dev, then ./run bench") from None
    return path


def ranks(build, folder, options, binary):
    """{"latency_us": ..., "bandwidth_mb_s": ...} of two ranks, or None if the program failed."""
    env = {**os.environ, "FI_PROVIDER_PATH": str(pathlib.Path(build).resolve() / "lib"),
           "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    try:
        done = subprocess.run(["mpirun", "--oversubscribe", "-np", "2", *options, "--mca", "mpi_yield_when_idle", "1",
                               "sh", "-c", BY_RANK.format(folder), "sh", binary, ROUNDS, "0"],
                              capture_output=True, text=True, timeout=120, env=env)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode != 0 or "{" not in done.stdout:
        return None
    return json.loads(done.stdout[done.stdout.index("{"):done.stdout.rindex("}") + 1])


def provider_rows(pair, build, runs):
    """pair: starts two daemons with sockets 0.sock and 1.sock, as a context manager with `folder`."""
    figures = {name: [] for name in ("selvedge", *PEERS)}
    with tempfile.TemporaryDirectory() as folder:
        binary = program(folder)
        for turn in range(runs):
            note(f"MPI over the provider, run {turn + 1} of {runs}")
            with pair() as daemons:
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
    return rows
