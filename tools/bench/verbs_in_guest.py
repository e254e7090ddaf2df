# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Runs within the soft-RoCE guest. Measures the time per packet of 4,096 bytes of the daemons of one or
several builds and of ib_send_bw, in turn, and prints them as JSON.

    python3 verbs_in_guest.py RUNS BIN_FOLDER...
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import time

PACKET = 4096
HEADER = 36  # of each packet, its CRC included
PACKETS = 5000
PORT = 18515  # where ib_send_bw waits for its peer


def wait_listening():
    end = time.monotonic() + 60
    while not any(f":{PORT:04X} " in line and " 0A " in line for name in ("tcp", "tcp6")
                  for line in pathlib.Path("/proc/net", name).read_text().splitlines()):
        if time.monotonic() > end:
            sys.exit("ib_send_bw does not listen")
        time.sleep(0.1)


def raw_us(tries=8):
    """The time per packet of ib_send_bw over UD, in us: unreliable, unordered, on one path."""
    common = ["ib_send_bw", "-c", "UD", "-x", "1", "-s", str(PACKET), "-n", str(PACKETS)]
    with subprocess.Popen([*common, "-d", "rxb"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as server:
        try:
            wait_listening()
            done = subprocess.run([*common, "-d", "rxa", "localhost"], capture_output=True, text=True,
                                  timeout=120, check=False)
        finally:
            server.kill()
    if done.returncode != 0:
        # On a busy machine ib_send_bw cannot measure the clock's frequency, and says so at the end.
        if tries > 1 and "Can't produce a report" in done.stdout + done.stderr:
            return raw_us(tries - 1)
        sys.exit(f"ib_send_bw failed: {done.stdout}{done.stderr}")
    line = next(x for x in done.stdout.splitlines() if x.split()[:2] == [str(PACKET), str(PACKETS)])
    return 1 / float(line.split()[4])  # the rate is in millions a second


class Pair:
    """Two daemons of a build, and a program that receives."""

    def __init__(self, programs, port):
        self.programs, self.to, self.folder = programs, f"127.0.0.1:{port + 100}/perf", pathlib.Path(tempfile.mkdtemp())
        self.processes = []
        for name, listen in (("a", port), ("b", port + 100)):
            config = self.folder / f"{name}.toml"
            config.write_text(f'[daemon]\nbackend = "verbs"\nsocket = "{self.folder}/{name}.sock"\n[verbs]\n'
                              f'device = "rx{name}"\npaths = 4\nlisten = "127.0.0.1:{listen}"\n')
            self.start("selvedged", "--config", config)
        self.start("selvedge-perf", "serve", "--socket", self.folder / "b.sock")

    def start(self, program, *arguments):
        process = subprocess.Popen([str(a) for a in (self.programs / program, *arguments)],
                                   stderr=subprocess.PIPE, text=True)
        self.processes.append(process)
        if not process.stderr.readline().startswith(("selvedged ", "serving")):
            sys.exit(f"{program} did not start")

    def us(self):
        """The time per packet, from application to application."""
        result = subprocess.run(
            [str(self.programs / "selvedge-perf"), "send", "--socket", str(self.folder / "a.sock"), "--to", self.to,
             "--size", str(PACKET - HEADER), "--count", str(PACKETS), "--json"],
            capture_output=True, text=True, timeout=120, check=True)
        return 1e6 / json.loads(result.stdout)["messages_per_s"]


def main():
    runs, builds = int(sys.argv[1]), sys.argv[2:]
    pairs = [Pair(pathlib.Path(build), 47001 + i) for i, build in enumerate(builds)]
    figures = {"raw": [], "ours": [[] for _ in builds]}
    for turn in range(runs):
        figures["raw"].append(raw_us())
        for i in range(len(builds))[::1 if turn % 2 == 0 else -1]:
            figures["ours"][i].append(pairs[i].us())
    for pair in pairs:
        for process in pair.processes:
            process.kill()
    print("figures " + json.dumps(figures))


if __name__ == "__main__":
    main()
