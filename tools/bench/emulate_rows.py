# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The emulator's figures: a bring-up without traffic, compared with ibsim, and the cost of a fault or
a drain under traffic with the real opensm (`selvedge-sim compare-sm`)."""
import contextlib
import json
import pathlib
import re
import statistics
import subprocess
import sys
import time

from tools.bench.rows import note, peak_so_far, row
from tools.lab.errors import LabError
from tools.lab.lab import Lab, torus_net

IBSIM_LIMITS = ("-S", "1100", "-N", "4000", "-P", "20000")
SIDES = (8, 16, 32)
PRESET = "martinez"  # 1X SDR, 8 KiB buffers, packets of 256 bytes; with smaller buffers minhop deadlocks at once
LOSS_RUNS = 10
NEIGHBOURS = 10
LOSSLESS = 117  # of 128 cables so many can be drained without a loss (docs/transition.md)
OUTSTANDING = (4, 64)
LARGE = (40, 50, 5)  # 2,000 switches with five hosts each
LARGE_IBSIM = ("-S", "2100", "-N", "12100", "-P", "40000")


def bring_up(build, net, subnet, ibsim_limits=IBSIM_LIMITS):
    """Seconds from the launch of opensm to SUBNET UP, and the most memory of the subnet's program in bytes."""
    with Lab(net, build_dir=build, subnet=subnet, ibsim_options=ibsim_limits if subnet == "ibsim" else ()) as lab:
        begin = time.monotonic()
        lab.opensm(options={"routing_engine": "minhop"}).wait_up(timeout_s=600)
        return time.monotonic() - begin, peak_so_far(lab.ibsim.pid)


def bring_up_rows(build, runs):
    rows = []
    for side in SIDES:
        seconds = {"emulate": [], "ibsim": []}
        times = runs * (SIDES[-1] // side)  # short bring-ups vary more, so they are repeated more often
        for run in range(times):
            note(f"{side}x{side} torus, launch to SUBNET UP, run {run + 1} of {times}")
            for subnet, found in seconds.items():
                found.append(bring_up(build, torus_net(side, side), subnet)[0])
        rows.append(row(f"launch to SUBNET UP, free running, {side}x{side} torus",
                        statistics.median(seconds["emulate"]), "s",
                        statistics.median(seconds["ibsim"]), "ibsim", 1.0))
    return rows


def mads_a_second(build, subnet, outstanding):
    client = pathlib.Path(build) / "bin" / "subnet_client"
    with Lab(torus_net(8, 8), build_dir=build, subnet=subnet) as lab:
        done = subprocess.run([client, "rate", str(outstanding), "100000"], env=lab.environment("H-0-0"),
                              cwd=lab.folder, capture_output=True, text=True, timeout=120, check=False)
    found = re.search(r"([\d.]+) MADs/s", done.stdout)
    if done.returncode != 0 or not found:
        raise LabError("the client counted nothing", "subnet_client rate", done.stderr[-300:].strip())
    return float(found[1])


def rate_rows(build, runs):
    rows = []
    for outstanding in OUTSTANDING:
        found = {"emulate": [], "ibsim": []}
        for _ in range(runs):
            for subnet, rates in found.items():
                rates.append(mads_a_second(build, subnet, outstanding))
        rows.append(row(f"MADs a second, {outstanding} outstanding", statistics.median(found["emulate"]),
                        "MADs/s", statistics.median(found["ibsim"]), "ibsim", None, 1.0))
    return rows


def large_rows(build):
    """The large fabric, with one run of each subnet."""
    note("2,000 switches, launch to SUBNET UP")
    seconds, memory = bring_up(build, torus_net(*LARGE), "emulate")
    peer, _ = bring_up(build, torus_net(*LARGE), "ibsim", LARGE_IBSIM)
    return [row("launch to SUBNET UP, 2,000 switches and 10,000 hosts", seconds, "s", peer, "ibsim", 1.2),
            row("the same, the emulator's memory", memory / 1e9, "GB", 4, "limit", 1)]


def memory_rows(build):
    """The memory of simulated networks whose tables are written while packets move."""
    def measured(*words):
        note("memory, " + " ".join(words))
        done = subprocess.run([pathlib.Path(build) / "bin" / "managed_memory", *words], check=True,
                              capture_output=True, text=True)
        found = json.loads(done.stdout)
        return found["before_bytes"] / 1e6, found["after_bytes"] / 1e6
    before, after = measured("writes", "1000000")
    rows = [row("memory after 10⁶ block writes under traffic, 32x32 torus", after, "MB", before, "before", 1.1)]
    before, after = measured("order")
    return [*rows, row("order watched, 10,648 hosts", after - before, "MB", 64, "limit", 1)]


def compare_sm(build, *words):
    done = subprocess.run([pathlib.Path(build) / "bin" / "selvedge-sim", "compare-sm", "--json", *words],
                          capture_output=True, text=True, check=False)
    # 1 with --drain: packets were lost, which the row is to show.
    if done.returncode != 0 and not (done.returncode == 1 and "--drain" in words):
        raise LabError(f"it ended with {done.returncode}", " ".join(words), done.stderr[-400:].strip())
    runs = json.loads(done.stdout)["runs"]
    for run in runs:
        if run["failure"] is not None:
            raise LabError("a run does not count", " ".join(words), run["failure"])
    if not all(run["ended"] for run in runs):
        raise LabError("a manager was not done in time", " ".join(words), "run it on an idle machine")
    return runs


def lost(runs, engine):
    return statistics.median(r["lost"] for r in runs if r["engine"] == engine)


def loss_rows(build):
    """The packets lost after a fault: the plugin compared with minhop, also with twice as much
    fabric time for each second of the managers' CPU time."""
    rows = []
    where = ("--fabric", "torus:16x16", "--fault", "S-3-3:2", "--engine", "minhop,selvedge-updn",
             "--load", "0.2", "--preset", PRESET)
    at_speed = {}
    for speed, runs in ((1, LOSS_RUNS), (2, 3)):
        note(f"16x16 torus, load 0.2, a cable cut: {runs} runs each of minhop and selvedge-updn, speed {speed}")
        found = compare_sm(build, *where, "--runs", str(runs), "--manager-speed", str(speed))
        at_speed[speed] = (lost(found, "minhop"), lost(found, "selvedge-updn"))
    minhop, ours = at_speed[1]
    rows.append(row(f"16x16 torus, load 0.2, a cable cut: packets lost with minhop, {LOSS_RUNS} runs", minhop,
                    "packets", max(ours, 1), "selvedge-updn", None, 10))
    for i, engine in enumerate(("minhop", "selvedge-updn")):
        rows.append(row(f"the same, --manager-speed 2, {engine}", at_speed[2][i], "packets",
                        max(at_speed[1][i], 1), "speed 1", None))
    return rows


@contextlib.contextmanager
def busy_machine():
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(NEIGHBOURS)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def loaded_rows(build):
    """The same fault on an idle machine, and while other programs use every core."""
    def measured():
        return lost(compare_sm(build, "--fabric", "torus:8x8", "--fault", "S-3-3:2", "--engine", "minhop", "--load",
                               "0.2", "--preset", PRESET, "--runs", str(LOSS_RUNS)), "minhop")
    note("8x8 torus, load 0.2, a cable cut: minhop on an idle machine")
    idle = measured()
    note(f"the same beside {NEIGHBOURS} busy programs")
    with busy_machine():
        busy = measured()
    return [row(f"8x8 torus, load 0.2, a cable cut: packets lost with minhop beside {NEIGHBOURS} busy programs", busy,
                "packets", idle, "beside none", 1.15, 0.85)]


def drain_rows(build):
    """Drains of all cables. The plugin reports those for which it cannot prove that no packet is
    lost."""
    links = [f"S-{y}-{x}:{port}" for y in range(8) for x in range(8) for port in (2, 4)]
    proved = total = 0
    for number, link in enumerate(links, 1):
        note(f"8x8 torus, load 0.2, drain {number} of {len(links)}: {link}")
        run = compare_sm(build, "--fabric", "torus:8x8", "--fault", link, "--engine", "selvedge-updn", "--drain",
                         "--load", "0.2", "--preset", PRESET)[0]
        if "no lossless order" not in run["drain_answer"]:
            proved += 1
            total += run["lost"]
    if proved < LOSSLESS:
        raise LabError(f"only {proved} drains are proved lossless", "8x8 torus, updn", f"{LOSSLESS} were")
    return [row(f"8x8 torus, load 0.2: packets lost in the drains of {proved} cables that are proved lossless",
                total, "packets", 1, "0 asked, beside", 0)]


def emulate_rows(build, runs):
    return (bring_up_rows(build, runs) + rate_rows(build, runs) + memory_rows(build) + loss_rows(build)
            + loaded_rows(build) + drain_rows(build) + large_rows(build))
