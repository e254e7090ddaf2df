# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Run by test_packages.py as root in a fresh Debian 12, where /selvedge has the packages (debs), the tests, tools,
docs and conf of the source: the packages are installed, used, replaced by newer ones, and removed, under a
running opensm that is configured as docs/operators.md says.

OpenSM's subnet is that of the installed selvedge-sim (or ibsim's), behind libumad2sim. Its opensm.conf is the
one that it reads by itself. Switches keep their tables whatever becomes of opensm, so that "routed" alone says
little: what counts is who repairs the next fault, and how.
"""
import itertools
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
os.environ["SELVEDGE_BUILD_DIR"] = "/usr"  # tests/system look for programs in its bin
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "system")]

from documented import documented  # noqa: E402
from opensm_case import Patient  # noqa: E402
from tools.lab import Lab, LabError, torus_net, walk_all_pairs  # noqa: E402
from tools.lab import plugin  # noqa: E402
from tools.lab.process import Child, Log  # noqa: E402

DEBS = sorted((ROOT / "debs").glob("*.deb"))
OUR_PACKAGES = sorted(deb.name.partition("_")[0] for deb in DEBS)
OPENSM_CONF = pathlib.Path("/etc/opensm/opensm.conf")
PLUGIN_TOML = pathlib.Path("/etc/selvedge/plugin.toml")
SOCKET = "/run/selvedge-opensm.sock"
AGENT = "/usr/libexec/selvedge/selvedge-smp-agent"
HOST = "H-0-0"
CUT = ("S-1-1", 4)
# Another one each time: a cable that dies three times within ten seconds is held.
CABLES = tuple((f"S-{y}-{x}", 4) for y, x in ((1, 1), (2, 2), (3, 0), (0, 3), (2, 1), (1, 2)))
LINKS = 32  # of the 4x4 torus


def output(*command, accept=(0,), timeout_s=300, **kwargs):
    """Standard output and errors, which the maintainer scripts warn on, in one text."""
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=timeout_s, stdin=subprocess.DEVNULL, check=False, **kwargs)
    if done.returncode not in accept:
        raise AssertionError(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout[-8000:]}")
    return done.stdout


def apt(*words):
    return output("apt-get", "--quiet", "--yes", "--no-install-recommends", "--allow-downgrades",
                  "-o", "Dpkg::Options::=--force-confold", *words)


def state(package):
    return output("dpkg-query", "-W", "-f", "${db:Status-Status}", package, accept=(0, 1)).strip()


def rebuilt(debs, folder, version):
    """The same packages with another version, as a rebuild would make them."""
    made = []
    for deb in debs:
        tree = folder / f"{deb.name}.tree"
        output("dpkg-deb", "--raw-extract", deb, tree)
        control = tree / "DEBIAN" / "control"
        text = control.read_text(encoding="utf-8")
        old = re.search(r"(?m)^Version: (.*)$", text)[1]
        control.write_text(text.replace(f"Version: {old}\n", f"Version: {version}\n")
                           .replace(f"(= {old})", f"(= {version})"), encoding="utf-8")
        made.append(folder / f"{deb.name.partition('_')[0]}_{version}.deb")
        output("dpkg-deb", "--root-owner-group", "--build", tree, made[-1])
    return made


class Service:
    """opensm as its unit starts it: with its own configuration file, and a log file."""

    def __init__(self, lab):
        self.lab, self.log, self.child = lab, Log(lab.folder / "opensm.log"), None
        self.start()

    def start(self):
        self.child = Child("opensm", ["/usr/sbin/opensm", "--log_file", self.log.path], cwd=self.lab.folder,
                           env=self.lab.environment(HOST), output=self.lab.folder / "opensm.out")

    def restart(self):
        self.child.terminate()
        mark = self.log.mark()
        self.start()
        return mark

    def sweep(self):
        self.child.send_signal(signal.SIGHUP)

    def mapped(self):
        """The line of /proc/PID/maps that names our library."""
        maps = pathlib.Path(f"/proc/{self.child.pid}/maps").read_text(encoding="utf-8")
        return next((line for line in maps.splitlines() if "libselvedge_opensm.so" in line), "")

    def agents(self, program=AGENT):
        children = output("pgrep", "--parent", self.child.pid, "--full", program, "--runstates", "RSD", accept=(0, 1)).split()
        return [int(pid) for pid in children]


class Installed(Patient):
    maxDiff = 2000

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="selvedge-")))
        self.cables = itertools.cycle(CABLES)
        OPENSM_CONF.unlink(missing_ok=True)
        apt("install", "--reinstall", *DEBS)
        self.addCleanup(output, "dpkg", "--purge", *OUR_PACKAGES)

    def configure(self):
        """What docs/operators.md says, and nothing else."""
        OPENSM_CONF.write_text(documented("Install", "conf"), encoding="utf-8")

    def subnet(self, name="emulate"):
        lab = self.enterContext(Lab(torus_net(4, 4), build_dir="/usr", subnet=name))
        return lab

    def service(self, lab):
        service = Service(lab)
        self.addCleanup(lambda: service.child.kill())
        return service

    def status(self):
        return plugin.ask(SOCKET, "status")

    def routed(self, lab, links=LINKS):
        """Every pair walks over the tables that are in the switches; those tables."""
        def check():
            subnet = lab.read_subnet(host=HOST)
            self.assertEqual(len(subnet.each_cable()), links)
            survey = walk_all_pairs(subnet)
            self.assertEqual(survey.broken, [], survey.first_fault())
            return subnet.lfts
        return self.eventually(check)

    def up(self, lab, service, complaint="None"):
        """Our engine routes, and the fast path is ready; the tables. `complaint`: on the configuration."""
        def check():
            status = self.status()
            self.assertEqual(status["engine"], "updn")
            self.assertRegex(str(status["config_error"]), complaint)
            self.assertIn(status["last_sweep"]["outcome"], ("routed", "adopted"))
            self.assertTrue(status["fast_path"]["ready"], status["fast_path"])
        try:
            self.eventually(check)
        except (AssertionError, LabError) as error:
            raise AssertionError(f"{error}\n{service.log.tail(30)}") from error
        self.assertEqual([c for c in self.status()["self_check"] if not c["ok"]], [])
        return self.routed(lab)

    def swept_again(self, service):
        """A sweep that is asked for ends as the one before did."""
        before = self.status()["sweeps"]
        service.sweep()

        def check():
            status = self.status()
            self.assertGreater(status["sweeps"], before)
            self.assertEqual(status["failures"], [])
        self.eventually(check)

    def cut_and_heal(self, lab, tables, fast=True):
        """A cable dies and is repaired, by the fast path or by the sweep; it comes back, and so do the
        tables."""
        before = self.status()["fast_path"]["repairs"]
        cable = next(self.cables)
        lab.cut(*cable)
        self.assertNotEqual(self.routed(lab, LINKS - 1), tables)
        if fast:
            self.assertGreater(self.status()["fast_path"]["repairs"], before)
        else:
            self.assertEqual(self.status()["fast_path"]["repairs"], before)
        lab.relink(*cable)
        self.eventually(lambda: self.assertEqual(self.routed(lab), tables))

    def forbidden_turns(self, lab):
        """How many turns of SL 0 the switches' SL2VL tables map to VL 15: the guard of docs/operators.md."""
        switches = lab.read_subnet(host=HOST).switches.values()
        return sum(row[0] == 15 for switch in switches for port in range(1, 6)
                   for row in lab.read_sl2vl(switch.lid, port, host=HOST).values())

    # -- what is there ---------------------------------------------------------------------------------------------

    def test_every_file_is_in_its_place(self):
        for package in OUR_PACKAGES:
            self.assertEqual(state(package), "installed")
            self.assertEqual(output("dpkg", "--verify", package), "")
        listed = {package: output("dpkg", "--listfiles", package).split("\n") for package in OUR_PACKAGES}
        triplet = output("gcc", "-print-multiarch").strip()
        for package, names in {
                "opensm-plugin-selvedge": [f"/usr/lib/{triplet}/libselvedge_opensm.so", AGENT,
                                           "/usr/share/selvedge/grafana-selvedge.json",
                                           "/usr/share/selvedge/opensm.conf", "/usr/share/selvedge/plugin.toml"],
                "selvedge-tools": ["/usr/bin/selvedge-route", "/usr/bin/selvedge-sim", "/usr/share/selvedge/claims/G1.toml",
                                   "/usr/share/selvedge/experiments/torus-cut.toml"],
                "selvedged": ["/usr/bin/selvedged", "/usr/bin/selvedgectl", "/usr/bin/selvedge-perf",
                              "/lib/systemd/system/selvedged.service", "/usr/share/selvedge/grafana-selvedged.json"],
                "libselvedge0": [f"/usr/lib/{triplet}/libselvedge.so.0"],
                "libselvedge-apm0": [f"/usr/lib/{triplet}/libselvedge-apm.so.0"],
                "libselvedge-dev": ["/usr/include/selvedge_apm.h", f"/usr/lib/{triplet}/libselvedge-apm.so",
                                    f"/usr/lib/{triplet}/pkgconfig/selvedge-apm.pc", "/usr/include/selvedge.h", f"/usr/lib/{triplet}/libselvedge.so",
                                    f"/usr/lib/{triplet}/pkgconfig/selvedge.pc",
                                    f"/usr/lib/{triplet}/cmake/Selvedge/SelvedgeConfig.cmake"]}.items():
            for name in names:
                self.assertIn(name, listed[package])
        for package, conffiles in (("opensm-plugin-selvedge", [str(PLUGIN_TOML)]),
                                   ("selvedged", ["/etc/selvedge/selvedged.toml"]),
                                   ("selvedge-tools", []), ("libselvedge0", []), ("libselvedge-apm0", []),
                                   ("libselvedge-dev", [])):
            known = output("dpkg-query", "-W", "-f", "${Conffiles}", package).split()
            self.assertEqual(known[0::2], conffiles, package)
        for name in ("plugin.toml", "selvedged.toml"):
            self.assertEqual(pathlib.Path("/etc/selvedge", name).read_bytes(), (ROOT / "conf" / name).read_bytes())
        for program in ("selvedge-route", "selvedge-sim", "selvedged", "selvedgectl", "selvedge-perf", AGENT,
                        f"/usr/lib/{triplet}/libselvedge_opensm.so"):
            path = shutil.which(program) or program
            self.assertNotIn("not found", output("ldd", path))
            self.assertNotRegex(output("readelf", "--dynamic", path), r"\((RPATH|RUNPATH)\)")

    def test_manual_pages(self):
        pages = [line for package in OUR_PACKAGES for line in output("dpkg", "--listfiles", package).splitlines()
                 if re.search(r"/man/man\d/.*\.gz$", line)]
        self.assertEqual(sorted(pathlib.Path(page).name for page in pages),
                         ["fi_selvedge.7.gz", "selvedge-perf.1.gz", "selvedge-route.1.gz", "selvedge-sim.1.gz",
                          "selvedge.3.gz", "selvedge_apm.3.gz", "selvedgectl.1.gz", "selvedged.8.gz"])
        for page in pages:
            name = pathlib.Path(page).name.partition(".")[0]
            self.assertEqual(output("man", "-w", name).strip(), page)
            self.assertRegex(output("lexgrog", page), rf'"{name} - \w')

    def test_completion(self):
        script = ". /usr/share/bash-completion/bash_completion; _completion_loader {0}; complete -p {0}"
        for program in ("selvedge-route", "selvedge-sim"):
            self.assertIn(f" {program}\n", output("bash", "-c", script.format(program)))

    def test_the_service_is_there_but_neither_enabled_nor_started(self):
        self.assertEqual(output("systemd-analyze", "verify", "/lib/systemd/system/selvedged.service"), "")
        self.assertEqual(output("systemctl", "--root=/", "is-enabled", "selvedged", accept=(1,)).strip(), "disabled")
        unit = pathlib.Path("/lib/systemd/system/selvedged.service").read_text(encoding="ascii")
        self.assertIn("ExecStart=/usr/bin/selvedged --config /etc/selvedge/selvedged.toml\n", unit)
        self.assertEqual(output("pgrep", "selvedged", accept=(1,)), "")

    # -- what it does ----------------------------------------------------------------------------------------------

    def test_routes_and_proves_offline(self):
        self.assertIn("updn", output("selvedge-route", "compute", "--fabric", "torus:8x8", "--engine", "updn"))
        output("selvedge-route", "verify", "--fabric", "torus:8x8", "--engine", "updn")
        said = output("selvedge-route", "verify", "--fabric", "torus:8x8", "--engine", "spf", accept=(1,))
        self.assertRegex(said, r"witness +deadlock_free: S-")
        output("selvedge-route", "verify", "--engine", "dmodk", "--fabric",
               "file:/usr/share/doc/selvedge-tools/examples/fabrics/tree-4-3.net")

    def test_simulates_with_the_files_of_the_package(self):
        output("selvedge-sim", "run", "/usr/share/selvedge/experiments/torus-cut.toml", "--out", self.folder / "out",
               "--set", "measure.duration_us=200")
        report = (self.folder / "out" / "report.html").read_text(encoding="utf-8")
        self.assertIn("echarts", report)
        self.assertIn("ForceGraph3D", report)
        self.assertRegex(output("selvedge-sim", "reproduce", "--list"), r"(?m)^\s*G1\b")

    def test_the_daemon_delivers_and_programs_build_against_its_library(self):
        daemon = Child("selvedged", ["/usr/bin/selvedged", "--config", "/etc/selvedge/selvedged.toml"],
                       cwd=self.folder, env=os.environ, output=self.folder / "selvedged.out")
        self.addCleanup(daemon.kill)
        self.eventually(lambda: self.assertIn("connections", output("selvedgectl", "status")))
        flags = output("pkg-config", "--cflags", "--libs", "selvedge").split()
        source = ROOT / "daemon/client/examples/pipe.c"
        output("gcc", "-Wall", "-Werror", source, "-o", self.folder / "pipe", *flags)
        self.assertIn("libselvedge.so.0", output("ldd", self.folder / "pipe"))
        taken = self.folder / "taken"
        with open(taken, "wb") as sink:
            taker = subprocess.Popen([self.folder / "pipe", "/run/selvedged.sock", "take", "file"], stdout=sink,
                                     stderr=subprocess.PIPE, text=True)
        self.addCleanup(taker.kill)
        self.assertEqual(taker.stderr.readline(), "listening\n")
        given = pathlib.Path("/usr/bin/selvedge-sim")
        with open(given, "rb") as file:
            subprocess.run([self.folder / "pipe", "/run/selvedged.sock", "give", "127.0.0.1:47001/file"], stdin=file,
                           check=True, timeout=60)
        self.assertEqual(taker.wait(timeout=60), 0)
        taker.stderr.close()
        self.assertTrue(taken.read_bytes() == given.read_bytes())

    def test_opensm_routes_with_the_lines_of_operators_md(self):
        self.configure()
        for name in ("emulate", "ibsim"):
            with self.subTest(name), Lab(torus_net(4, 4), build_dir="/usr", subnet=name) as lab:
                service = self.service(lab)
                tables = self.up(lab, service)
                self.assertIn("libselvedge_opensm.so", service.mapped())
                self.assertEqual(len(service.agents()), 1)
                self.swept_again(service)
                self.cut_and_heal(lab, tables)
                self.assertRegex(output("selvedge-route", "status"), r"updn")
                service.child.terminate()

    def test_a_plugin_toml_that_is_missing_or_has_a_mistake(self):
        self.configure()
        PLUGIN_TOML.unlink()
        lab = self.subnet()
        service = self.service(lab)
        tables = self.up(lab, service, complaint="names a file that does not exist: /etc/selvedge/plugin.toml")
        self.swept_again(service)
        service.child.terminate()
        warnings = [line for line in service.log.text().splitlines() if "plugin.toml" in line]
        self.assertEqual(len(warnings), 1, warnings)
        self.assertIn("copy share/selvedge/plugin.toml of the install prefix there", warnings[0])
        shutil.copy("/usr/share/selvedge/plugin.toml", PLUGIN_TOML)
        with open(PLUGIN_TOML, "a", encoding="ascii") as file:
            file.write("[engine\n")
        mark = service.restart()
        line = len(PLUGIN_TOML.read_text(encoding="utf-8").splitlines())
        service.log.wait(rf"selvedge: declined: .*/etc/selvedge/plugin\.toml:{line}: ", after=mark)
        service.log.wait("No routing engine able to successfully configure", after=mark)
        self.assertEqual(self.routed(lab), tables)  # the switches keep what they have
        shutil.copy("/usr/share/selvedge/plugin.toml", PLUGIN_TOML)
        service.sweep()
        self.assertEqual(self.up(lab, service), tables)

    # -- replaced and removed under a running opensm ---------------------------------------------------------------

    def goes_on_with_the_library_it_has(self, lab, service, tables):
        """The file of the library is gone or another one; opensm sweeps and repairs as before."""
        self.assertTrue(service.child.running)
        self.assertIn("(deleted)", service.mapped())
        self.assertEqual(self.routed(lab), tables)
        self.swept_again(service)
        self.cut_and_heal(lab, tables)

    def test_newer_and_older_packages_under_a_running_opensm(self):
        self.configure()
        PLUGIN_TOML.write_text(PLUGIN_TOML.read_text(encoding="utf-8").replace("drain_ms = 20", "drain_ms = 25"),
                               encoding="utf-8")
        mine = PLUGIN_TOML.read_bytes()
        lab = self.subnet()
        service = self.service(lab)
        tables = self.up(lab, service)
        old = output("dpkg-query", "-W", "-f", "${Version}", "opensm-plugin-selvedge")
        newer = rebuilt(DEBS, self.folder, "99.0")
        for packages, version in ((newer, "99.0"), (DEBS, old)):
            said = apt("install", *packages)
            self.assertRegex(said, r"opensm-plugin-selvedge: the running opensm keeps version \S+ of the plugin")
            self.assertNotIn("WARNING", said)
            self.assertEqual(output("dpkg-query", "-W", "-f", "${Version}", "opensm-plugin-selvedge"), version)
            self.assertEqual(PLUGIN_TOML.read_bytes(), mine)
            self.goes_on_with_the_library_it_has(lab, service, tables)
            # The old plugin notices that its agent has ended, and starts the new one.
            agent, = service.agents()
            os.kill(agent, signal.SIGKILL)
            self.eventually(lambda: self.assertEqual(len(service.agents()), 1), timeout_s=90)
            self.assertEqual(os.readlink(f"/proc/{service.agents()[0]}/exe"), AGENT)
            self.eventually(lambda: self.assertTrue(self.status()["fast_path"]["ready"]))
            self.cut_and_heal(lab, tables)
            service.restart()
            self.assertEqual(self.up(lab, service), tables)
            self.assertNotIn("(deleted)", service.mapped())

    def test_removed_under_a_running_opensm(self):
        self.configure()
        lab = self.subnet()
        service = self.service(lab)
        tables = self.up(lab, service)
        said = apt("remove", "opensm-plugin-selvedge")
        self.assertIn("WARNING: opensm is still configured to route with this plugin:\n  /etc/opensm/opensm.conf\n", said)
        self.assertEqual(state("opensm-plugin-selvedge"), "config-files")
        self.assertFalse(pathlib.Path(AGENT).exists())
        self.assertTrue(PLUGIN_TOML.exists())
        # The library stays mapped, and the agent that runs goes on.
        self.goes_on_with_the_library_it_has(lab, service, tables)
        # No new agent can be started; sweeps repair instead.
        agent, = service.agents()
        os.kill(agent, signal.SIGKILL)
        self.cut_and_heal(lab, tables, fast=False)
        self.assertEqual(service.agents(), [])
        service.log.wait(f"no fast path: cannot start {AGENT}: No such file or directory; faults wait for OpenSM's sweep",
                         timeout_s=90)
        self.cut_and_heal(lab, tables, fast=False)
        self.assertTrue(service.child.running)
        # Without the library, by the same opensm.conf, nobody routes; switches keep what they have.
        mark = service.restart()
        service.log.wait(r"cannot load plugin 'selvedge_opensm'", after=mark)
        service.log.wait("No routing engine able to successfully configure", after=mark)
        self.assertEqual(self.routed(lab), tables)
        lab.cut(*CUT)
        mark = service.log.mark()
        service.sweep()
        for _ in range(2):
            service.log.wait("No routing engine able to successfully configure", after=mark)
            mark = service.log.mark()
            service.sweep()
        self.assertNotEqual(walk_all_pairs(lab.read_subnet(host=HOST)).broken, [])
        self.assertTrue(service.child.running)
        # Installed again, it routes after a restart.
        apt("install", *DEBS)
        service.restart()
        self.routed(lab, LINKS - 1)
        self.eventually(lambda: self.assertEqual(self.status()["engine"], "updn"))

    def test_removed_as_operators_md_says(self):
        self.configure()
        lab = self.subnet()
        service = self.service(lab)
        self.up(lab, service)
        self.assertGreater(self.forbidden_turns(lab), 0)
        OPENSM_CONF.write_text(documented("Upgrade and remove", "text"), encoding="utf-8")
        mark = service.restart()
        service.log.wait("dfsssp tables configured on all switches", after=mark)
        self.routed(lab)
        self.assertEqual(service.mapped(), "")
        self.eventually(lambda: self.assertEqual(self.forbidden_turns(lab), 0))
        said = apt("purge", "opensm-plugin-selvedge")
        self.assertNotIn("WARNING", said)
        self.assertFalse(PLUGIN_TOML.exists())
        lab.cut(*CUT)
        self.routed(lab, LINKS - 1)

    def test_purge_leaves_nothing(self):
        drained = pathlib.Path("/var/lib/selvedge/drained")
        self.configure()
        lab = self.subnet()
        service = self.service(lab)
        self.up(lab, service)
        output("selvedge-route", "drain", "S-1-1:4")
        self.assertTrue(drained.exists())
        service.child.terminate()
        OPENSM_CONF.unlink()
        apt("purge", "opensm-plugin-selvedge")
        self.assertFalse(drained.parent.exists())
        self.assertFalse(PLUGIN_TOML.exists())
        self.assertTrue(pathlib.Path("/etc/selvedge/selvedged.toml").exists())  # another package's
        apt("purge", *OUR_PACKAGES)
        self.assertFalse(pathlib.Path("/etc/selvedge").exists())
        self.assertFalse(pathlib.Path("/usr/share/selvedge").exists())
        self.assertFalse(pathlib.Path("/usr/libexec/selvedge").exists())
        self.assertEqual(output("systemctl", "--root=/", "list-unit-files", "selvedged.service", "--no-legend",
                                accept=(0, 1)).strip(), "")

    def test_installed_from_source(self):
        """docs/operators.md, From source: without the package, below /usr/local."""
        output("dpkg", "--purge", "opensm-plugin-selvedge")
        source = ROOT / "from-source" / "usr" / "local"
        installed = [path.relative_to(source) for path in source.rglob("*") if not path.is_dir()]
        shutil.copytree(source, "/usr/local", dirs_exist_ok=True, symlinks=True)
        self.addCleanup(lambda: [pathlib.Path("/usr/local", name).unlink() for name in installed])
        output("ldconfig")
        self.addCleanup(output, "ldconfig")
        output("install", "-D", "-m", "644", "/usr/local/share/selvedge/plugin.toml", PLUGIN_TOML)
        self.addCleanup(PLUGIN_TOML.unlink)
        self.configure()
        lab = self.subnet()
        service = self.service(lab)
        tables = self.up(lab, service)
        self.assertIn(" /usr/local/lib/", service.mapped())
        agent, = service.agents("/usr/local/libexec/selvedge/selvedge-smp-agent")
        self.assertTrue(agent)
        self.cut_and_heal(lab, tables)
        self.assertEqual(output("systemd-analyze", "verify", "/usr/local/lib/systemd/system/selvedged.service"), "")

    def test_another_opensm_and_this_plugin_exclude_each_other(self):
        ours = output("dpkg-query", "-W", "-f", "${Version}", "opensm")
        upstream = ours.partition("-")[0]
        for version, stays in ((f"{upstream}-99", True), (f"{upstream}.1-1", False), ("99.0-1", False)):
            with self.subTest(version):
                tree = self.folder / version
                (tree / "DEBIAN").mkdir(parents=True)
                (tree / "DEBIAN" / "control").write_text(
                    f"Package: opensm\nVersion: {version}\nArchitecture: all\nMaintainer: test <test@localhost>\n"
                    "Description: as another version of OpenSM would be\n", encoding="ascii")
                deb = self.folder / f"opensm_{version}.deb"
                output("dpkg-deb", "--build", tree, deb)
                plan = output("apt-get", "--simulate", "install", deb)
                self.assertIn(f"Inst opensm [{ours}]", plan)
                self.assertEqual("Remv opensm-plugin-selvedge" in plan, not stays, plan)


if __name__ == "__main__":
    unittest.main()
