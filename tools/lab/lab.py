# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""One subnet on this machine: a simulated fabric, opensm and infiniband-diags, from start to clean-up.

    with Lab(torus_net(4, 4)) as lab:
        sm = lab.opensm(options={"routing_engine": "minhop"})
        sm.wait_up()
        before = lab.read_subnet()
        mark = sm.mark()
        lab.cut("S-1-1", 4)
        sm.wait_up(after=mark)

The fabric is ibsim's, or that of `selvedge-sim emulate` with subnet="emulate" (or the environment's
SELVEDGE_LAB_SUBNET); both take the same commands.

Each lab has a folder of its own under the temporary folder, which is also the working directory of
all its processes (libumad2sim leaves ./sys-PID folders behind when its process is killed), and an
IBSIM_SOCKNAME of its own, so that labs may run beside each other. On the way out, whatever the
reason, it ends the processes that it started and removes the folder; after a failure the folder
stays, and a line on standard error says where.
"""
import glob
import json
import os
import pathlib
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from tools.lab import plugin, subnet
from tools.lab.errors import InputError, LabError, MissingError
from tools.lab.process import Child, Log, spawn

# ibsim serves ten clients at a time (IBSIM_MAX_CLIENTS in its sources); one is left for the tools.
MAX_OPENSM = 9
SUBNETS = ("ibsim", "emulate")
# The smallest plugin.toml: it gives each opensm a socket and a status file of its own.
PLUGIN_STATUS = '[status]\nsocket = "@FOLDER@/plugin.sock"\nfile = "@FOLDER@/status.json"\n'
_SEARCH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
MEMORY, MEMORY_BYTES = "/dev/shm", 1 << 29  # a file system in memory, and what must be free there
_ENDINGS = (signal.SIGTERM, signal.SIGHUP)


def find_program(name, package):
    path = shutil.which(name, path=_SEARCH)
    if not path:
        raise MissingError(f"{name} is not installed", "PATH and /usr/sbin",
                           f"./run deps, or apt-get install {package}")
    return path


def find_umad2sim():
    found = sorted(glob.glob("/usr/lib/*/umad2sim/libumad2sim.so") +
                   glob.glob("/usr/lib/umad2sim/libumad2sim.so"))
    if not found:
        raise MissingError("libumad2sim.so is not installed", "/usr/lib/*/umad2sim",
                           "./run deps, or apt-get install libumad2sim0")
    return found[0]


def find_plugin(build_dir):
    """The folder of libselvedge_opensm.so in a build folder."""
    folder = pathlib.Path(build_dir, "lib").resolve()
    if not (folder / "libselvedge_opensm.so").is_file():
        raise MissingError("libselvedge_opensm.so is not built", str(folder),
                           "./run build, or name the build folder with --build-dir")
    return folder


def find_emulator(build_dir):
    """The path of selvedge-sim in a build folder; if none is given, in that of the tests or in
    ./build."""
    usual = pathlib.Path(__file__).resolve().parents[2] / "build"
    program = pathlib.Path(build_dir or os.environ.get("SELVEDGE_BUILD_DIR") or usual, "bin",
                           "selvedge-sim").absolute()
    if not program.is_file():
        raise MissingError("selvedge-sim is not built", str(program),
                           "./run build, or name the build folder with --build-dir")
    return program


def work_parent(keep=False):
    """Where a folder of a moment belongs: a file system in memory, unless TMPDIR says otherwise, there is none with
    room, or the folder is to be kept. Each client of a simulated subnet makes some hundred files: on a disk these
    take three quarters of the whole time."""
    if keep or os.environ.get("TMPDIR") or not os.access(MEMORY, os.W_OK | os.X_OK):
        return None  # tempfile's own choice
    return MEMORY if shutil.disk_usage(MEMORY).free >= MEMORY_BYTES else None


def torus_net(height, width, hosts=1):
    """The text of an ibsim .net file: a height × width torus with the product's names and port
    numbers (ports 1 and 2 towards y−1 and y+1, 3 and 4 towards x−1 and x+1, then the hosts)."""
    if height < 3 or width < 3:
        raise LabError(f"a torus of {height}×{width}", "torus_net", "take sizes of 3 and more")
    lines = []
    for y in range(height):
        for x in range(width):
            lines.append(f'Switch {4 + hosts} "S-{y}-{x}"')
            lines.append(f'[1] "S-{(y - 1) % height}-{x}"[2]')
            lines.append(f'[2] "S-{(y + 1) % height}-{x}"[1]')
            lines.append(f'[3] "S-{y}-{(x - 1) % width}"[4]')
            lines.append(f'[4] "S-{y}-{(x + 1) % width}"[3]')
            names = [f"H-{y}-{x}" + (f"-{i}" if hosts > 1 else "") for i in range(hosts)]
            lines += [f'[{5 + i}] "{name}"[1]' for i, name in enumerate(names)] + [""]
            for i, name in enumerate(names):
                lines += [f'Hca 1 "{name}"', f'[1] "S-{y}-{x}"[{5 + i}]', ""]
    return "\n".join(lines) + "\n"


def doubled_torus_net(rows, columns):
    """The text of a torus with two cables between neighbours, ports 1 and 2, 3 and 4, 5 and 6, 7 and 8, and a host
    at port 9 of each switch."""
    lines = []
    for y in range(rows):
        for x in range(columns):
            lines.append(f'Switch 9 "S-{y}-{x}"')
            far = ((f"S-{(y + 1) % rows}-{x}", 3), (f"S-{(y - 1) % rows}-{x}", 1),
                   (f"S-{y}-{(x + 1) % columns}", 7), (f"S-{y}-{(x - 1) % columns}", 5))
            for direction, (name, port) in enumerate(far):
                lines += [f'[{1 + 2 * direction + double}] "{name}"[{port + double}]' for double in (0, 1)]
            lines += [f'[9] "H-{y}-{x}"[1]', "", f'Hca 1 "H-{y}-{x}"', f'[1] "S-{y}-{x}"[9]', ""]
    return "\n".join(lines) + "\n"


def _option(value):
    return {True: "TRUE", False: "FALSE"}.get(value, value) if isinstance(value, bool) else value


def _own_drained(toml):
    """plugin.toml with a list of drained links of this opensm's own. The plugin's default is a file of
    the machine, which every opensm on it would share."""
    if "drained" in toml:
        return toml
    own = '[repair]\ndrained = "@FOLDER@/drained"\n'
    return toml.replace("[repair]\n", own) if "[repair]\n" in toml else f"{toml}\n{own}"


class OpenSm:
    """One opensm of a lab. Its folder holds opensm.conf, opensm.log, its caches and plugin.toml."""

    def __init__(self, lab, name, host, options, plugin_toml, preload, env):
        self._lab, self.name, self.host = lab, name, host
        self.folder = lab.folder / name
        self.folder.mkdir(exist_ok=True)
        self.log = Log(self.folder / "opensm.log")
        self.socket = self.folder / "plugin.sock"
        self._options, self._plugin_toml = dict(options), plugin_toml
        self._preload, self._env = list(preload), dict(env)
        self.child = None
        self.start()

    def start(self):
        """Starts opensm, perhaps again after a kill or a terminate: with the same caches and log."""
        if self.child and self.child.running:
            raise LabError(f"opensm {self.name} is running already", str(self.folder),
                           "end it first")
        conf = {"force_log_flush": True, "qos": True, "qos_max_vls": 8, "max_wire_smps": 4,
                # OpenSM's caches of links and routes would save work that tests want to see.
                "use_ucast_cache": False}
        env = self._lab.environment(self.host, preload=self._preload)
        if self._plugin_toml is not None:
            toml = self.folder / "plugin.toml"
            toml.write_text(_own_drained(self._plugin_toml).replace("@FOLDER@", str(self.folder)),
                            encoding="utf-8")
            conf["event_plugin_name"] = "selvedge_opensm"
            conf["event_plugin_options"] = f"selvedge:{toml}"
            env["LD_LIBRARY_PATH"] = str(self._lab.plugin_folder)
        conf.update(self._options)
        text = "".join(f"{key} {_option(value)}\n" for key, value in conf.items()
                       if value is not None)
        (self.folder / "opensm.conf").write_text(text, encoding="utf-8")
        for key in ("OSM_CACHE_DIR", "OSM_TMP_DIR"):
            env[key] = f"{self.folder}/"  # opensm appends file names without a slash
        env.update(self._env)
        self.child = Child(self.name, [self._lab.programs["opensm"], "-F", "opensm.conf", "-f",
                                       self.log.path], cwd=self.folder, env=env,
                           output=self.folder / "opensm.out")

    @property
    def pid(self):
        return self.child.pid

    @property
    def running(self):
        return self.child.running

    def mark(self):
        return self.log.mark()

    def wait_log(self, pattern, *, after=0, timeout_s=20.0):
        return self.log.wait(pattern, after=after, timeout_s=timeout_s,
                             alive=lambda: self.child.running, process_name=f"opensm {self.name}")

    def wait_up(self, *, after=0, timeout_s=20.0):
        """Waits for the log line SUBNET UP. If a sweep fails, OpenSM logs `Errors during
        initialization` instead; a later sweep may still succeed, so only the time-out ends the wait."""
        return self.wait_log(r"-> SUBNET UP", after=after, timeout_s=timeout_s)

    def wait_settled(self, *, after, quiet_s=0.3, timeout_s=20.0):
        """Waits for SUBNET UP after the mark, and then until there was no further sweep for quiet_s:
        the two ends of a cable both send a trap, and the second trap may cause a second sweep."""
        self.wait_up(after=after, timeout_s=timeout_s)
        self.log.wait_quiet(quiet_s, timeout_s)

    def kill(self):
        """Kills opensm (SIGKILL)."""
        self.child.kill()

    def terminate(self, timeout_s=3.0):
        return self.child.terminate(timeout_s)

    def send_sighup(self):
        """Sends SIGHUP, which makes opensm read its configuration again and do a heavy sweep."""
        self.child.send_signal(signal.SIGHUP)

    def ask(self, verb, *words, timeout_s=5.0):
        """The plugin's answer to a verb (status, tables, events, …), as a value."""
        return plugin.ask(self.socket, verb, timeout_s, words)

    def events(self):
        return self.ask("events")["events"]

    def wait_status(self, accept=lambda status: True, timeout_s=20.0):
        """Waits until `accept` returns true for the plugin's status, and returns that status."""
        end, seen = time.monotonic() + timeout_s, None
        while True:
            try:
                seen = self.ask("status")
                if accept(seen):
                    return seen
            except LabError as error:
                if time.monotonic() > end:
                    raise LabError(f"the plugin did not answer within {timeout_s:g} s",
                                   str(self.socket), f"{error.what}; the log ends with:\n"
                                   f"{self.log.tail()}") from error
            if time.monotonic() > end:
                raise LabError(f"the plugin's status was not as waited for in {timeout_s:g} s",
                               str(self.socket), "the last one was\n" + json.dumps(seen, indent=1))
            time.sleep(0.02)


class Lab:
    """See the head of this file. `net` is the text of a .net file or the path of one."""

    def __init__(self, net, *, build_dir=None, keep=False, quiet=False, ibsim_options=(), subnet=None,
                 emulate_options=()):
        self._net, self._keep, self._quiet = net, keep, quiet
        self.subnet = subnet or os.environ.get("SELVEDGE_LAB_SUBNET") or "ibsim"
        if self.subnet not in SUBNETS:
            raise LabError(f"no such subnet: {self.subnet!r}", "SELVEDGE_LAB_SUBNET or subnet=",
                           "one of " + ", ".join(SUBNETS))
        self._emulate_options = tuple(emulate_options)
        self._console = None
        self._ibsim_options = tuple(ibsim_options)  # "-S 1100", … for fabrics over its defaults
        self.programs, self._kept_handlers = {}, {}
        self._plugin_folder, self._build_dir = None, build_dir
        self._serial = 0
        self.folder, self.ibsim, self.opensms = None, None, []
        self.socket_name = f"selvedge-{os.getpid()}-{secrets.token_hex(3)}"

    # -- life ------------------------------------------------------------------------------------

    def __enter__(self):
        self.programs = {"opensm": find_program("opensm", "opensm")}
        if self.subnet == "ibsim":
            self.programs["ibsim"] = find_program("ibsim", "ibsim-utils")
        else:
            self.programs["emulate"] = find_emulator(self._build_dir)
        for tool in ("ibnetdiscover", "dump_fts", "ibroute", "smpquery", "saquery"):
            self.programs[tool] = find_program(tool, "infiniband-diags")
        self._umad2sim = find_umad2sim()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="selvedge-lab-", dir=work_parent(self._keep)))
        self._turn_signals_into_exceptions()
        try:
            self._start_subnet()
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise
        return self

    def __exit__(self, kind, error, traceback):
        # opensm is ended first: it does not end by itself once its server is gone.
        for sm in reversed(self.opensms):
            if sm.child:
                sm.child.terminate(timeout_s=2.0)
        if self._console:
            self._console.close()
        if self.ibsim:
            self.ibsim.terminate(timeout_s=2.0)
        for number, handler in self._kept_handlers.items():
            signal.signal(number, handler)
        reported_errors = (KeyboardInterrupt, SystemExit, InputError, MissingError)
        failed = kind is not None and not issubclass(kind, reported_errors)
        if self._keep or failed:
            if not self._quiet:
                print(f"lab: logs and what was read back are in {self.folder}", file=sys.stderr)
        else:
            shutil.rmtree(self.folder, ignore_errors=True)
        return False

    def _turn_signals_into_exceptions(self):
        # A plain SIGTERM would end Python without the clean-up. Only the main thread may do this.
        if threading.current_thread() is not threading.main_thread():
            return

        def leave(number, _frame):
            raise SystemExit(128 + number)
        for number in _ENDINGS:
            if signal.getsignal(number) is signal.SIG_DFL:
                self._kept_handlers[number] = signal.signal(number, leave)

    def _start_subnet(self):
        net = self._net
        if isinstance(net, str) and "\n" in net:
            path = self.folder / "fabric.net"
            path.write_text(net, encoding="utf-8")
        else:
            path = pathlib.Path(net).resolve()
            if not path.is_file():
                raise InputError("no such fabric file", str(net), "name an ibsim .net file")
        self.net_path = path
        if self.subnet == "ibsim":
            argv, last = [self.programs["ibsim"], "-s", *self._ibsim_options, path], "out9"
        else:
            argv = [self.programs["emulate"], "emulate", "--fabric", f"file:{path}", "--socket",
                    self.socket_name, *self._emulate_options]
            last = "ctl"
        self.ibsim = Child(self.subnet, argv, cwd=self.folder, env=self._base_environment(),
                           output=self.folder / f"{self.subnet}.out", stdin=subprocess.PIPE)
        # ibsim's output is block buffered unless it goes to a terminal. So its sockets show whether it
        # is ready.
        end = time.monotonic() + 10
        while f"@{self.socket_name}:{last}" not in _unix_sockets():
            if not self.ibsim.running or time.monotonic() > end:
                # ibsim's last lines describe its network; the lines before say why it has none.
                said = [line for line in Log(self.ibsim.output).text().splitlines()
                        if "ibpanic" in line or "can't" in line or "error" in line]
                raise InputError(f"{self.subnet} does not take the fabric", str(path),
                                 "it said: " + ("; ".join(said[:2]) or "nothing"))
            time.sleep(0.005)
        if self.subnet == "emulate":
            self._console = socket.socket(socket.AF_UNIX)
            self._console.settimeout(10)
            self._console.connect(f"\0{self.socket_name}:console\0")

    # -- processes -------------------------------------------------------------------------------

    @staticmethod
    def _without_foreign(env):
        # These variables would lead the processes to another server, or load our library into ibsim.
        return {k: v for k, v in env.items() if k not in
                ("IBSIM_SERVER_NAME", "IBSIM_SERVER_PORT", "SIM_HOST", "SIM_SET_ISSM",
                 "LD_PRELOAD", "OSM_CACHE_DIR", "OSM_TMP_DIR")}

    def _base_environment(self):
        return {**self._without_foreign(os.environ), "IBSIM_SOCKNAME": self.socket_name}

    def environment(self, host=None, preload=()):
        """The environment with which a program's libibumad connects to this subnet, at `host` (by
        default the first node of the .net file)."""
        env = self._base_environment()
        env["LD_PRELOAD"] = ":".join([*preload, self._umad2sim])
        if host:
            env["SIM_HOST"] = host
        return env

    @property
    def plugin_folder(self):
        if self._plugin_folder is None:
            if self._build_dir is None:
                raise LabError("a plugin is wanted, but no build folder was given", "Lab",
                               "pass build_dir")
            self._plugin_folder = find_plugin(self._build_dir)
        return self._plugin_folder

    @plugin_folder.setter
    def plugin_folder(self, folder):
        """For tests of a plugin that is missing or foreign."""
        self._plugin_folder = pathlib.Path(folder)

    def opensm(self, name="sm", *, host=None, options=None, plugin_toml=None, preload=(), env=None):
        """Starts an opensm. `options` are the lines of its opensm.conf (None drops a default).
        `plugin_toml` is the text of plugin.toml, in which @FOLDER@ stands for this opensm's folder
        (PLUGIN_STATUS is what `ask` needs); without it no plugin is named. What is drained is kept
        in that folder, unless the text says otherwise. `preload`: libraries to
        load before libumad2sim (a sanitizer's)."""
        if self.subnet == "ibsim" and len(self.opensms) >= MAX_OPENSM:
            raise LabError(f"more than {MAX_OPENSM} opensm", "Lab.opensm",
                           "ibsim serves no more than ten clients")
        if any(sm.name == name for sm in self.opensms):
            raise LabError(f"there is an opensm {name!r} already", "Lab.opensm",
                           "give it another name, or call start() on the old one")
        if plugin_toml is not None:
            _ = self.plugin_folder  # raises at once if it does not exist
        sm = OpenSm(self, name, host, options or {}, plugin_toml, preload, env or {})
        self.opensms.append(sm)
        return sm

    def tool(self, name, *arguments, host=None, timeout_s=30.0, accept=(0,)):
        """Runs one of infiniband-diags on this subnet and returns its standard output."""
        program = self.programs.get(name) or find_program(name, "infiniband-diags")
        work = self.folder / "tools"
        work.mkdir(exist_ok=True)
        argv = [program, *map(str, arguments)]
        process = spawn(argv, cwd=work, env=self.environment(host), stdin=subprocess.DEVNULL,
                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                        errors="replace")
        try:
            out, complaint = process.communicate(timeout=timeout_s)
        except BaseException as error:
            process.kill()
            process.communicate()
            if isinstance(error, subprocess.TimeoutExpired):
                raise LabError(f"{name} did not end within {timeout_s:g} s", " ".join(argv),
                               f"is {self.subnet} still running?") from None
            raise
        if process.returncode not in accept:
            raise LabError(f"{name} failed with status {process.returncode}", " ".join(argv),
                           f"it said:\n{complaint[-800:]}")
        return out

    # -- the console -----------------------------------------------------------------------------

    def console(self, command):
        """Types a line at the subnet's console; returns the time in ns (CLOCK_MONOTONIC) just before."""
        now = time.monotonic_ns()
        if self._console:
            self.ask_emulator(command)
            return now
        try:
            self.ibsim.stdin.write((command + "\n").encode())
            self.ibsim.stdin.flush()
        except OSError as error:
            raise LabError("ibsim does not take commands any more", command,
                           f"it said:\n{Log(self.ibsim.output).tail()}") from error
        return now

    def ask_emulator(self, text):
        """Commands of `selvedge-sim emulate`, a line each, all at one instant, and executed when this
        returns; the lines of their answers."""
        commands = text.splitlines()
        try:
            self._console.sendall("".join(f"{line}\n" for line in commands).encode())
            answer = b""
            while len(re.findall(rb"^(?:ok|error: .*)\n", answer, re.MULTILINE)) < len(commands):
                more = self._console.recv(1 << 16)
                if not more:
                    raise OSError("it closed the console")
                answer += more
        except OSError as error:
            raise LabError(f"the emulator does not answer: {error}", text,
                           f"it said:\n{Log(self.ibsim.output).tail()}") from error
        lines = answer.decode(errors="replace").splitlines()
        refused = [line for line in lines if line.startswith("error: ")]
        if refused:
            raise LabError("the emulator refuses a command", text, "; ".join(refused))
        return [line for line in lines if line != "ok"]

    def emulator_report(self):
        """The numbers of the emulator's report, by name."""
        words = (line.split() for line in self.ask_emulator("report"))
        return {word[0]: int(word[1]) for word in words if len(word) == 2}

    def cut(self, node, port=None):
        """Cuts the cable at a node's port, or all cables of the node. Returns a time, as console()."""
        return self.console(f'Unlink "{node}"' + (f"[{port}]" if port is not None else ""))

    def relink(self, node, port=None):
        return self.console(f'ReLink "{node}"' + (f"[{port}]" if port is not None else ""))

    # -- reading the subnet back -----------------------------------------------------------------

    def read_subnet(self, *, host=None, label=None):
        """The topology and every LFT, read from the switches by ibnetdiscover and dump_fts. Both
        outputs are kept in the lab's folder, and the result says where."""
        self._serial += 1
        folder = self.folder / f"readback-{self._serial:02}{'-' + label if label else ''}"
        folder.mkdir()
        topology, tables = folder / "topology.txt", folder / "tables.txt"
        topology.write_text(self.tool("ibnetdiscover", host=host), encoding="utf-8")
        tables.write_text(self.tool("dump_fts", "-n", host=host), encoding="utf-8")
        result = subnet.parse_topology(topology.read_text(encoding="utf-8"))
        result = result.with_lfts(subnet.parse_lfts(tables.read_text(encoding="utf-8")))
        result.topology_path, result.tables_path = topology, tables
        return result

    def read_lft(self, lid, *, host=None):
        """One switch's LFT with ibroute, by its LID: {LID: port}."""
        parsed = subnet.parse_lfts(self.tool("ibroute", "-n", lid, host=host))
        return next(iter(parsed.values()))

    def read_sl2vl(self, lid, port, *, host=None, path=None):
        """{(in port, out port): [VL of SL 0 … 15]} at a port, with smpquery. `path`: asks by this directed route."""
        where = [lid] if path is None else ["-D", ",".join(map(str, path))]
        return subnet.parse_sl2vl(self.tool("smpquery", *where[:-1], "sl2vl", where[-1], port, host=host))

    def read_vlarb(self, lid, port, *, host=None):
        """{"low": [(VL, weight)], "high": …} at a port, with smpquery."""
        return subnet.parse_vlarb(self.tool("smpquery", "vlarb", lid, port, host=host))

    def read_mfts(self, *, host=None):
        """Every switch's MFT with dump_fts: {switch GUID: {MLID: {ports}}}."""
        return subnet.parse_mfts(self.tool("dump_fts", "-n", "-M", host=host))

    def path_record(self, source_lid, dlid, *, host=None):
        """What the SA answers for a pair: {"slid": …, "dlid": …, "sl": …}, or None."""
        out = self.tool("saquery", "-p", "--src-to-dst", f"{source_lid}:{dlid}", host=host,
                        accept=(0, 1, 255))
        records = subnet.parse_path_records(out)
        return records[0] if records else None


def _unix_sockets():
    with open("/proc/net/unix", encoding="ascii", errors="replace") as file:
        # The kernel prints a NUL of an abstract name as @, also the trailing one.
        return {line.split()[-1].rstrip("@") for line in file if " @" in line}
