# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The daemon's figures: messages in order over loopback, compared with libfabric's rxd and TCP (iperf3).

Every figure is a time per message: less is better. Sender and receiver have a core each.
On a machine that others use too, SELVEDGE_BENCH_REALTIME=1 gives both sides real-time priority:
each run takes two seconds, alone on those cores.
"""
import json
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import tempfile
import time

from tools.bench.before_rows import before_rows
from tools.bench.jitter_rows import jitter_rows
from tools.bench.narrow_rows import narrow_rows
from tools.bench.provider_rows import provider_rows
from tools.bench.rows import PRIORITY, note, row
from tools.bench.verbs_rows import verbs_rows
from tools.lab.errors import LabError, MissingError

SECONDS = "1"
MESSAGES = 200000
ECHOES = 3000
HEADERS = 80  # bytes: IPv6, UDP and the daemon's own
CIPHERS = ("chacha20-poly1305", "aes-256-gcm")
# Little rearrange memory, and a network with all faults at once.
LITTLE_BYTES = 1 << 20
LITTLE = f"[memory]\ntotal_bytes = {LITTLE_BYTES}\nper_connection_bytes = {LITTLE_BYTES // 2}\n"
BAD = "[impair]\nreorder = 0.1\nreorder_depth = 32\nduplicate = 0.01\nloss = {}\n"


def need(path, package):
    if not shutil.which(str(path)):
        raise MissingError(f"{path} is missing", str(path), f"install {package}, then ./run bench")
    return str(path)


def run(*command, timeout=60):
    done = subprocess.run([*PRIORITY, *command], capture_output=True, text=True, timeout=timeout)
    if done.returncode != 0:
        raise LabError(f"exit status {done.returncode}", " ".join(map(str, command)),
                       done.stderr.strip() or "run it by hand")
    return done.stdout


def port():
    return random.randrange(20000, 50000)


def stream_ns(program, *options):
    """The time per message of stream_udp or stream_rxd, in ns."""
    extra = ("--port", str(port())) if program.endswith("stream_udp") else ()
    result = json.loads(run(program, "--seconds", SECONDS, *options, *extra))
    return 1e9 / result["messages_per_s"]


def tcp_ns(iperf3):
    """The time for 4,096 bytes over one TCP connection, in ns."""
    where = str(port())
    with subprocess.Popen([*PRIORITY, iperf3, "-s", "-1", "-p", where], stdout=subprocess.DEVNULL):
        time.sleep(0.3)
        result = json.loads(run(iperf3, "-c", "127.0.0.1", "-p", where, "-t", "2", "-O", "1",
                              "-A", "0,1", "-J"))
    return 4096 * 8e9 / result["end"]["sum_received"]["bits_per_second"]


def pingpong_us(fi_pingpong):
    """Half the round-trip time of 64 bytes over udp;ofi_rxd, in us."""
    where = str(port())
    common = [fi_pingpong, "-p", "udp;ofi_rxd", "-e", "rdm", "-I", str(ECHOES), "-S", "64"]
    with subprocess.Popen([*PRIORITY, *common, "-B", where], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL):
        time.sleep(0.3)
        out = run(*common, "-P", where, "127.0.0.1")
    numbers = re.findall(r"^64\s.*?s\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s*$", out, re.M)
    if not numbers:
        raise LabError("fi_pingpong printed no figures", "udp;ofi_rxd", out.strip()[:200])
    return float(numbers[0][1])


class Programs:
    """A context manager: a folder, and programs of ours that run until the end of its block. The daemon `sender` sends
    to the selvedge-perf at `to`."""
    sender, to, pinned = "0", "", ()  # pinned: a command before the selvedge-perf that sends

    def __init__(self, build):
        self.bin = pathlib.Path(build) / "bin"
        self.folder = tempfile.TemporaryDirectory()
        self.processes = []

    def start(self, *command):
        process = subprocess.Popen([*PRIORITY, *map(str, command)], stderr=subprocess.PIPE, text=True)
        self.processes.append(process)
        if not process.stderr.readline().startswith(("selvedged ", "serving")):
            raise LabError("a process did not start", " ".join(map(str, command)), "run it by hand")

    def perf(self, verb, *options, timeout=60):
        return json.loads(run(*self.pinned, str(self.bin / "selvedge-perf"), verb, "--socket",
                              f"{self.folder.name}/{self.sender}.sock", "--to", self.to, "--json", *options,
                              timeout=timeout))

    def status(self, name):
        """What the daemon of that name says of itself."""
        return json.loads(run(str(self.bin / "selvedgectl"), "status", "--json", "--socket",
                              f"{self.folder.name}/{name}.sock"))

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
            process.wait()
            process.stderr.close()
        self.folder.cleanup()


class RankDaemons(Programs):
    """Two daemons with the sockets 0.sock and 1.sock in `folder`, for two ranks. They share the cores with the ranks,
    so they do not spin. `settings`: keys of [daemon], then other sections."""

    def __init__(self, build, settings=""):
        super().__init__(build)
        self.settings = settings

    def __enter__(self):
        first = port()
        for name in range(2):
            config = pathlib.Path(self.folder.name) / f"{name}.toml"
            config.write_text(f'[daemon]\nsocket = "{self.folder.name}/{name}.sock"\n{self.settings}'
                              f'[udp]\nlisten = "127.0.0.1:{first + 100 * name}"\n')
            self.start(self.bin / "selvedged", "--config", config)
        self.to = f"127.0.0.1:{first + 100}/perf"
        return self

    def serve(self):
        self.start(self.bin / "selvedge-perf", "serve", "--socket", f"{self.folder.name}/1.sock")

    def cpu_s(self):
        """The CPU time of both, in seconds."""
        ticks = 0
        for process in self.processes[:2]:
            stat = pathlib.Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii")
            ticks += sum(map(int, stat.rsplit(")", 1)[1].split()[11:13]))
        return ticks / os.sysconf("SC_CLK_TCK")


class Pair(Programs):
    """Two daemons and a selvedge-perf server, the first daemon on core 0, the others on core 1."""
    sender, pinned = "a", ("taskset", "-c", "0")

    def __init__(self, build, cipher=None, settings="", daemon=""):
        super().__init__(build)
        self.cipher = cipher
        self.settings, self.daemon = settings, daemon

    def __enter__(self):
        first, seal = port(), ""
        if self.cipher:
            keys = pathlib.Path(self.folder.name) / "keys"
            keys.touch(mode=0o600)
            keys.write_text(subprocess.run([self.bin / "selvedged", "--new-key"], check=True,
                                           capture_output=True, text=True).stdout)
            seal = f'[seal]\nkeys = "{keys}"\ncipher = "{self.cipher}"\n'
        for name, where in (("a", first), ("b", first + 100)):
            config = pathlib.Path(self.folder.name) / f"{name}.toml"
            config.write_text(f'[daemon]\nsocket = "{self.folder.name}/{name}.sock"\n'
                              f'poll = "busy"\n{self.daemon}[udp]\nlisten = "127.0.0.1:{where}"\n{seal}{self.settings}')
            self.start("taskset", "-c", "1" if name == "b" else "0", self.bin / "selvedged", "--config", config)
        self.to = f"127.0.0.1:{first + 100}/perf"
        self.start("taskset", "-c", "1", self.bin / "selvedge-perf", "serve", "--socket",
                   f"{self.folder.name}/b.sock")
        return self


def many_figures(build, *options):
    """{name: ...}: the time per 4 KB over 8 connections and over a thousand, all of them busy; and how evenly the
    thousand share. They have rings of their own size, since they touch all of each, and begin when they have: memory
    that is touched first comes slowly on some machines."""
    found = {}
    for connections, warm_up in ((8, 3), (1000, 30)):
        with Pair(build, daemon="ring_bytes = 2097152\n") as pair:
            result = pair.perf("many", "--connections", str(connections), "--warm-up", str(warm_up), *options,
                               timeout=300)
            found[f"{connections} busy"] = 4096e9 / result["bytes_per_s"]
            found[f"{connections} share"] = result["fairness"]
    return found


def workers_ns(build, workers):
    """The CPU time of both daemons for a message of 4 KB, in ns, sixteen connections of a thread each."""
    with RankDaemons(build, f"workers = {workers}\nring_bytes = 2097152\n") as pair:
        perf, sockets = pair.bin / "selvedge-perf", pair.folder.name
        pair.serve()
        with subprocess.Popen([*PRIORITY, str(perf), "many", "--socket", f"{sockets}/0.sock", "--to",
                               pair.to, "--connections", "16", "--threads", "--warm-up", "1",
                               "--seconds", "6", "--json"], stdout=subprocess.PIPE, text=True) as sender:
            time.sleep(2)  # while it sends
            before, began = pair.cpu_s(), time.monotonic()
            time.sleep(4)
            cpu, seconds = pair.cpu_s() - before, time.monotonic() - began
            result = json.loads(sender.communicate(timeout=60)[0])
    return cpu * 1e9 / (result["bytes_per_s"] * seconds / 4096)


def within_memory(one, used):
    """The row. It fails, and says so, if a receiver of `little` memory has used more bytes than it has."""
    exceeds = used > LITTLE_BYTES
    one["what"] += f"; memory in use: at most {used:,} {'MORE THAN THE' if exceeds else 'of'} {LITTLE_BYTES:,} bytes"
    one["ok"] = one["ok"] and not exceeds
    return one


def daemon_rows(build, runs, before=None):
    """before: the folder of another build, to compare with."""
    udp = need(pathlib.Path(build) / "bin" / "stream_udp", "nothing: ./run build")
    rxd = need(pathlib.Path(build) / "bin" / "stream_rxd", "libfabric-dev")
    iperf3, fi_pingpong = need("iperf3", "iperf3"), need("fi_pingpong", "libfabric-bin")
    measures = {
        "rxd": lambda: stream_ns(rxd),
        "ours": lambda: stream_ns(udp),
        "tcp": lambda: tcp_ns(iperf3),
        "clean": lambda: stream_ns(udp, "--bytes", "1024"),
        "reordered": lambda: stream_ns(udp, "--bytes", "1024", "--reorder", "0.1"),
        "mtu 512": lambda: stream_ns(udp, "--bytes", str(512 - HEADERS)),
        "mtu 1500": lambda: stream_ns(udp, "--bytes", str(1500 - HEADERS)),
        "lossy": lambda: stream_ns(udp, "--bytes", "1024", "--loss", "0.01"),
        "rxd half": lambda: pingpong_us(fi_pingpong),
        "one worker": lambda: workers_ns(build, 1),
        "two workers": lambda: workers_ns(build, 2),
    }
    figures = {name: [] for name in measures}
    figures |= {"daemons": [], "half": []} | {cipher: [] for cipher in CIPHERS}
    little = {"little": LITTLE, "1 % lost": LITTLE + BAD.format(0.01),
              "5 % lost": LITTLE + BAD.format(0.05)}
    figures |= {name: [] for name in little}
    used = dict.fromkeys(little, 0)
    programs = {"one thread": (), "one thread, 16 messages a turn": ("--batch", "16"), "a thread each": ("--threads",)}
    busy = {program: {} for program in programs}
    for turn in range(runs):
        note(f"daemon, run {turn + 1} of {runs}")
        for name, measure in measures.items():
            figures[name].append(measure())
        with Pair(build) as pair:
            result = pair.perf("send", "--count", str(MESSAGES))
            figures["daemons"].append(1e9 / result["messages_per_s"])
            result = pair.perf("latency", "--count", str(ECHOES), "--size", "64")
            figures["half"].append(result["p50_us"])
        for name, settings in little.items():
            with Pair(build, settings=settings) as pair:
                result = pair.perf("send", "--count", str(MESSAGES), "--size", "1024")
                figures[name].append(1e9 / result["messages_per_s"])
                used[name] = max(used[name], pair.status("b")["memory_bytes_used_max"])
        for program, options in programs.items():
            for name, figure in many_figures(build, *options).items():
                busy[program].setdefault(name, []).append(figure)
        for cipher in CIPHERS:
            with Pair(build, cipher) as pair:
                result = pair.perf("send", "--count", str(MESSAGES // 2))
                figures[cipher].append(1e9 / result["messages_per_s"])
    m = {name: statistics.median(values) for name, values in figures.items()}
    many = {program: {name: statistics.median(values) for name, values in found.items()}
            for program, found in busy.items()}
    return [
        row("a message of 4 KB in order, protocol over UDP", m["ours"], "ns", m["rxd"],
            "udp;ofi_rxd", 0.1),
        row("the same", m["ours"], "ns", m["tcp"], "4 KB of TCP (iperf3)", 1.0),
        row("the same, from application to application through two daemons", m["daemons"], "ns",
            m["rxd"], "udp;ofi_rxd", None),
        row("a message of 1 KB, 10 % reordered by up to 32", m["reordered"], "ns", m["clean"],
            "none reordered", 1 / 0.9),
        row("a message of 1 KB, 1 % lost", m["lossy"], "ns", m["clean"], "none lost", 1 / 0.8),
        row(f"a packet of {512 - HEADERS} bytes, as an MTU of 512 makes them", m["mtu 512"], "ns",
            m["mtu 1500"], f"{1500 - HEADERS} bytes, MTU 1,500", 1.1),
        *(row(f"a message of 4 KB sealed with {cipher}, through two daemons", m[cipher], "ns",
              m["daemons"], "in the clear", None) for cipher in CIPHERS),
        within_memory(row("a message of 1 KB, 512 KiB for early packets; 10 % reordered, 1 % lost, 1 % doubled",
                          m["1 % lost"], "ns", m["little"], "without faults", 1 / 0.8),
                      max(used["1 % lost"], used["little"])),
        within_memory(row("the same, 5 % lost", m["5 % lost"], "ns", m["little"], "without faults", 1 / 0.6),
                      used["5 % lost"]),
        *(one for program, found in many.items() for one in (
            row(f"a message of 4 KB over 1,000 busy connections, {program}", found["1000 busy"], "ns",
                found["8 busy"], "over 8", 1 / 0.9),
            row("how evenly they share in 10 s", found["1000 share"], "Jain", 1.0, "all the same", None, 0.95))),
        row("CPU time of both daemons for a message of 4 KB, two workers each", m["two workers"], "ns",
            m["one worker"], "one worker each", 1.1),
        row("half a round trip of 64 bytes through two daemons", m["half"], "us", m["rxd half"],
            "udp;ofi_rxd", 2.0),
        *jitter_rows(lambda settings: RankDaemons(build, settings), runs),
        *provider_rows(lambda settings: RankDaemons(build, settings), build, runs),
        *narrow_rows(build, runs),
        *verbs_rows(build, runs, before),
        *(before_rows(Pair, build, before) if before else []),
    ]
