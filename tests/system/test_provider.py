# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The provider `selvedge` of libfabric, loaded by the real libfabric from FI_PROVIDER_PATH: fi_info, fi_pingpong,
every call as the manual pages describe it (provider/), and programs of the unmodified Open MPI, the last by the lines of
docs/daemon.md and what the packages install.

    ranks -> libfabric -> libselvedge-fi.so -> selvedged A == 8 paths over loopback == selvedged B <- ... <- ranks
"""
import contextlib
import errno
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from sanitized import SANITIZE, runtime
from test_daemon import BIN, Daemons, free_ports

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROVIDER = BIN.parent / "lib"
RANKS = "ranks.c"
IMPAIRED = "[impair]\nloss = 0.01\nreorder = 0.1\nreorder_depth = 32\nseed = 7\n"
# A rank's daemon: on one machine the ranks take turns. In a cluster each machine has its own daemon at the
# default socket, and nothing has to be said.
BY_RANK = 'export SELVEDGE_SOCKET={}/$((OMPI_COMM_WORLD_RANK % 2)).sock; exec "$@"'


class Provider(Daemons):
    def environment(self, name=None, **more):
        extra = {"SELVEDGE_SOCKET": str(self.folder / f"{name}.sock")} if name else {}
        return {**os.environ, "FI_PROVIDER_PATH": str(PROVIDER), **extra, **more}

    def foreign(self, name=None, **more):
        """Of a program that is not ours. A provider with a sanitizer needs the sanitizer's library there, which programs
        of the same build hold. Leaks are not looked for: those of libfabric and of MPI are not ours."""
        preload = {"LD_PRELOAD": runtime(), "ASAN_OPTIONS": "detect_leaks=0:verify_asan_link_order=0"} if SANITIZE else {}
        return self.environment(name, **preload, **more)

    def run_it(self, *command, env, status=0, timeout=120):
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=timeout, env=env)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr


class Tools(Provider):
    def test_fi_info(self):
        self.daemon("a")
        said = self.run_it("fi_info", "-p", "selvedge", "-v", env=self.foreign("a"))
        self.assertIn("type: FI_EP_RDM", said)
        self.assertIn(f"name: {self.folder}/a.sock", said)
        for cap in ("FI_MSG", "FI_TAGGED", "FI_DIRECTED_RECV", "FI_SOURCE"):
            self.assertIn(cap, said)
        self.assertIn("selvedge", self.run_it("fi_info", "-l", env=self.foreign()))

    def test_without_a_daemon(self):
        socket = f"{self.folder}/none.sock"
        said = self.run_it("fi_info", "-p", "selvedge", status=61,
                           env=self.foreign("none", FI_LOG_LEVEL="warn", FI_LOG_PROV="selvedge"))
        self.assertRegex(said, "No data available")
        lines = [line for line in said.splitlines() if socket in line]
        self.assertEqual(len(lines), 1, said)
        self.assertRegex(lines[0], "no daemon to use: .*; start selvedged there, or set SELVEDGE_SOCKET$")

    def ping_pong(self, server, client, *options):
        port = str(20000 + os.getpid() % 20000)
        command = ["fi_pingpong", "-p", "selvedge", "-e", "rdm", "-c", "-I", "200", *options]
        waiting = subprocess.Popen([*command, "-B", port], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   env=self.foreign(server))
        self.processes.append(waiting)
        self.addCleanup(waiting.stdout.close)
        end = time.monotonic() + 30
        while True:  # the server says nothing when it listens
            done = subprocess.run([*command, "-P", port, "127.0.0.1"], capture_output=True, text=True, timeout=120,
                                  env=self.foreign(client))
            if done.returncode != errno.ECONNREFUSED or time.monotonic() > end:
                break
            time.sleep(0.1)
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, 0, said)
        self.assertEqual(waiting.wait(timeout=60), 0, waiting.stdout.read())
        return re.findall(r"(?m)^(\S+) +200 .* +([\d.]+) +[\d.]+ +[\d.]+$", said)

    def test_fi_pingpong(self):
        self.daemon("a", extra=IMPAIRED)
        self.daemon("b", extra=IMPAIRED)
        sizes = [size for size, _ in self.ping_pong("a", "b")]
        self.assertEqual((sizes[0], sizes[-1]), ("64", "1m"))

    def test_fi_pingpong_at_one_daemon(self):
        self.daemon("a")
        self.assertEqual(self.ping_pong("a", "a", "-S", "65536")[0][0], "64k")


class Calls(Provider):
    """Each case of provider_calls, between two daemons that lose and reorder, and at one daemon."""

    def cases(self):
        cases = subprocess.run([BIN / "provider_calls"], capture_output=True, text=True, check=True).stdout.split()
        cases.remove("until_a_daemon_ends")
        return cases

    def run_all(self, a, b):
        cases = self.cases()
        self.assertGreater(len(cases), 15)
        for case in cases:
            with self.subTest(case):
                self.run_it(BIN / "provider_calls", self.folder / f"{a}.sock", self.folder / f"{b}.sock", case,
                            env=self.environment())
        for name in {a, b}:
            self.assertTrue(self.connections_end(name), f"{name} keeps connections")

    def test_two_daemons(self):
        self.daemon("a", extra=IMPAIRED)
        self.daemon("b", extra=IMPAIRED)
        self.run_all("a", "b")

    def test_a_daemon_that_ends(self):
        for name, why in (("a", "Network is down: no daemon answers"), ("b", "No route to host: nothing is received from the peer")):
            daemons = {each: self.daemon(each) for each in "ab"}
            calls = subprocess.Popen([BIN / "provider_calls", self.folder / "a.sock", self.folder / "b.sock",
                                      "until_a_daemon_ends"], stdout=subprocess.PIPE, text=True, env=self.environment())
            self.processes.append(calls)
            self.addCleanup(calls.stdout.close)
            self.assertEqual(calls.stdout.readline(), "sending\n")
            daemons[name].kill()
            said, _ = calls.communicate(timeout=60)
            self.assertIn(why, said)
            self.assertEqual(calls.returncode, 0)
            for daemon in daemons.values():
                daemon.kill()
                daemon.wait()

    def test_one_daemon(self):
        self.daemon("a")
        self.run_all("a", "a")


class Mpi(Provider):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not shutil.which("mpirun") or not shutil.which("mpicc"):
            raise AssertionError("openmpi-bin and libopenmpi-dev are not installed")

    def setUp(self):
        super().setUp()
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "provider", RANKS)
        self.program = self.folder / "ranks"
        self.run_it("mpicc", "-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", source, "-o", self.program, env=None)

    def ranks(self, count, *arguments, extra=IMPAIRED, timeout=240):
        self.daemon("0", extra=extra)
        self.daemon("1", extra=extra)
        said = self.run_it(
            "mpirun", "--oversubscribe", "-np", count, "--mca", "pml", "cm", "--mca", "mtl", "ofi",
            "--mca", "mtl_ofi_provider_include", "selvedge", "--mca", "btl", "self", "--mca", "mpi_yield_when_idle", "1",
            "sh", "-c", BY_RANK.format(self.folder), "sh", self.program, *arguments, timeout=timeout,
            env=self.foreign(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1"))
        result = json.loads(said[said.index("{"):said.rindex("}") + 1])
        self.assertEqual(result["ranks"], count)
        for name in "01":
            # Messages did cross the impaired network, and nothing is left of them.
            self.assertTrue(self.connections_end(name), f"{name} keeps connections")
        return result

    def test_two_ranks(self):
        self.ranks(2)

    @unittest.skipIf(SANITIZE, "two ranks suffice with sanitizers")
    def test_many_ranks(self):
        if os.environ.get("SELVEDGE_WHOLE") == "campaign":
            self.ranks(16, 20, 200000, timeout=1500)
        else:
            self.ranks(4, 50)


@unittest.skipIf(SANITIZE, "installs what the release tree has built")
class FirstProgram(Provider):
    """The first MPI program, as docs/daemon.md has it: its lines are run as they stand there, on two machines. A machine is
    a folder with what the packages of the first line hold. What is outside of them is played by programs that come first
    in PATH: apt, systemctl, the editor, and ssh, by which mpirun gets to a machine."""

    PLAYED = {
        "sudo": 'exec "$@"',
        # Packages that are files are put there by the test; others must be there, as on any machine.
        "apt": '''[ "$1" = install ] && shift || exit 100
for package; do case $package in
  ./*.deb) p=${package#./}; cp -R "$PACKAGES/${p%%_*}/." "$MACHINE" || exit 100 ;;
  *) dpkg --status "$package" >/dev/null || exit 100 ;;
esac; done''',
        "sudoedit": '''sed -i "s,^socket = .*,socket = \\"$SELVEDGE_SOCKET\\"," "$MACHINE$1" &&
sed -i "/^\\[udp\\]/,/^listen/s,^listen = .*,listen = \\"$ADDRESS\\"," "$MACHINE$1"''',
        "systemctl": '''[ "$*" = "start selvedged" ] || exit 1
$(sed -n "s,^ExecStart=,,p" "$MACHINE/lib/systemd/system/selvedged.service" | sed "s,\\(^\\| \\)/,\\1$MACHINE/,g") \\
  >"$MACHINE/log" 2>&1 &
echo $! >"$MACHINE/pid"
until "$MACHINE/usr/bin/selvedgectl" status --socket "$SELVEDGE_SOCKET" >/dev/null 2>&1; do
  kill -0 $! || { cat "$MACHINE/log"; exit 1; }
  sleep 0.1
done''',
        "ssh": '''while [ "${1#-}" != "$1" ]; do shift; done
export SELVEDGE_SOCKET="$MACHINES/$1/run/selvedged.sock" TMPDIR="$MACHINES/$1/tmp"
shift
exec sh -c "$*"''',
    }

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        text = (ROOT / "docs" / "daemon.md").read_text(encoding="utf-8")
        cls.blocks = re.findall(r"(?s)```sh\n(.*?)```", text[text.index("The first MPI"):])
        cls.packages = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="packages-")))
        staged = cls.packages / "staged"
        subprocess.run(["cmake", "--install", BIN.parent, "--prefix", "/usr"], check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "DESTDIR": str(staged)})
        for name in re.findall(r"\./(\S+)_\*\.deb", cls.blocks[0]):
            cls.pack(name, staged)

    @classmethod
    def pack(cls, name, staged):
        """What debian/NAME.install takes from the installed tree. debian/rules takes /etc/selvedge from conf."""
        for line in (ROOT / "debian" / f"{name}.install").read_text(encoding="utf-8").splitlines():
            if line.startswith("#"):
                continue
            pattern, _, to = line.partition(" ")
            if pattern.startswith("etc/selvedge/"):
                found = [(ROOT / "conf" / pattern.removeprefix("etc/selvedge/"), pathlib.PurePath(pattern))]
            else:
                found = [(path, path.relative_to(staged)) for each in (pattern, pattern.replace("usr/lib/*/", "usr/lib/"))
                         for path in staged.glob(each)]
            if not found:
                raise AssertionError(f"debian/{name}.install: nothing is installed as {pattern}")
            for path, relative in found:
                target = cls.packages / name / (pathlib.PurePath(to, path.name) if to else relative)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, target, follow_symlinks=False)

    def setUp(self):
        super().setUp()
        self.work, self.machines = self.folder / "work", self.folder / "machines"
        for folder in self.work, self.machines, self.folder / "played":
            folder.mkdir()
        for name, body in self.PLAYED.items():
            path = self.folder / "played" / name
            path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
            path.chmod(0o755)
        self.addCleanup(self.stop_daemons)
        source = pathlib.Path(__file__).with_name("provider") / RANKS
        shutil.copy(source, self.work / "program.c")
        for name in re.findall(r"\./(\S+)_\*\.deb", self.blocks[0]):
            (self.work / f"{name}_1_amd64.deb").touch()

    def stop_daemons(self):
        for file in self.machines.glob("*/pid"):
            number = int(file.read_text())
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGTERM)
                self.wait_for(lambda: not os.path.exists(f"/proc/{number}"))  # noqa: B023

    def on(self, machine, command, **more):
        """A machine's shell. Programs and libraries of its packages are found below its folder."""
        root = self.machines / machine
        # Open MPI of two machines of one name must not make its folders in one place at the same time.
        for folder in "run", "tmp":
            (root / folder).mkdir(parents=True, exist_ok=True)
        libraries = root / "usr" / "lib"
        triplet = subprocess.run(["gcc", "-print-multiarch"], capture_output=True, text=True, check=True).stdout.strip()
        if (libraries / triplet).exists():
            libraries = libraries / triplet
        environment = {
            **os.environ, "MACHINE": str(root), "MACHINES": str(self.machines), "PACKAGES": str(self.packages),
            "ADDRESS": self.address.setdefault(machine, f"127.0.0.1:{free_ports(8)}"),
            "SELVEDGE_SOCKET": str(root / "run" / "selvedged.sock"), "TMPDIR": str(root / "tmp"),
            "FI_PROVIDER_PATH": str(libraries / "libfabric"), "LD_LIBRARY_PATH": str(libraries),
            "PATH": f"{self.folder}/played:{root}/usr/bin:{os.environ['PATH']}",
            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_plm_rsh_agent": str(self.folder / "played" / "ssh"), "OMPI_MCA_mpi_yield_when_idle": "1", **more}
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=self.work, env=environment,
                              capture_output=True, text=True, timeout=240)
        self.assertEqual(done.returncode, 0, f"on {machine}: {command}\n{done.stdout}{done.stderr}")
        return done.stdout

    def delivered(self, machine):
        socket = self.machines / machine / "run" / "selvedged.sock"
        return json.loads(self.on(machine, f"selvedgectl status --json --socket {socket}"))["since_start"]["delivered_packets"]

    def check_ranks(self, said):
        self.assertEqual(json.loads(said[said.index("{"):said.rindex("}") + 1])["ranks"], 2)

    def test_the_lines_as_they_stand(self):
        install, start, info, compile_it, run_it = self.blocks[0].splitlines()
        for machine in "ab":
            self.on(machine, install)
            self.on(machine, start)
            said = self.on(machine, info)
            self.assertIn("provider: selvedge", said)
            self.assertIn(f"domain: {self.machines}/{machine}/run/selvedged.sock", said)
            self.assertIn("type: FI_EP_RDM", said)
            # Nothing but what was installed offers it.
            with self.assertRaises(AssertionError):
                self.on(machine, info, FI_PROVIDER_PATH=str(self.work))
        self.on("a", compile_it)
        self.check_ranks(self.on("a", run_it))
        for machine in "ab":
            self.assertGreater(self.delivered(machine), 1000)

    def test_on_one_machine_as_it_stands(self):
        """The lines that try it at two daemons; /tmp is the test's folder, since others may have a /tmp/a.sock."""
        install, _, _, compile_it, _ = self.blocks[0].splitlines()
        self.on("a", install)
        self.on("a", compile_it)
        for name in "ab":
            self.daemon(name)
        self.assertIn("/tmp/$s.sock", self.blocks[1])
        self.check_ranks(self.on("a", self.blocks[1].replace("/tmp/", f"{self.folder}/")))
        for name in "ab":
            self.assertGreater(self.ask(name, "status")["since_start"]["delivered_packets"], 1000)


if __name__ == "__main__":
    unittest.main()
