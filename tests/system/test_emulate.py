# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""selvedge-sim emulate under the real opensm and infiniband-diags, beside ibsim where both can.

What the tools print is compared line by line. Lines that may differ are those of DIFFERENCES, which
docs/emulator.md lists with their reasons.
"""
import difflib
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from hostile_client import HostileClient
from opensm_case import BUILD, PATIENCE_S, ROOT, Patient, generated_net
from tests.support.draw import WHOLE, drawn
from tools.lab import Lab, LabError, torus_net, walk_all_pairs

SIM = BUILD / "bin" / "selvedge-sim"
MINHOP = {"routing_engine": "minhop", "sweep_interval": 1}

# Fields of smpquery and perfquery that differ from ibsim 0.10, and records of the SA that
# libumad2sim truncates at 256 bytes (the tools print what follows in their memory).
DIFFERENCES = re.compile(
    r"^[+-](MkeyLeasePeriod|LocalPort|LinkWidthEnabled|LinkSpeedEnabled|SubnetTimeout|LocalPhysErr|"
    r"OverrunErr|PartEnforceInb|PartEnforceOutb|LinearFdbCap|PortUnicastXmitPkts|PortUnicastRcvPkts|"
    r"Port(Xmit|Rcv)(Data|Pkts)):|^[+-]\s+(preference|resv2)\.")
VARYING = re.compile(r"# Topology file: generated on.*|activity count \d+|attached as client \d+.*")


def lines_of(text):
    return [VARYING.sub("", line) for line in text.splitlines()]


def undocumented(ours, ibsims):
    """The lines in which the two outputs differ, except those of DIFFERENCES."""
    delta = difflib.unified_diff(lines_of(ibsims), lines_of(ours), lineterm="", n=0)
    return [line for line in delta if not line.startswith(("---", "+++", "@@"))
            and not DIFFERENCES.match(line)]


def questions(lids):
    """(tool, arguments) of every question to a subnet. `lids` are the LIDs of a switch and of a host."""
    switch, host = lids
    for name in ("ibnetdiscover", "iblinkinfo", "ibhosts", "ibswitches", "ibqueryerrors", "perfquery", "sminfo"):
        yield name, ()
    yield "dump_fts", ("-n",)
    yield "dump_fts", ("-n", "-M")
    for lid in lids:
        for what in ("nodeinfo", "nodedesc", "portinfo", "switchinfo", "pkeys", "sl2vl", "vlarb", "guids"):
            yield "smpquery", (what, lid)
        yield "perfquery", ("-x", lid, 1)
    yield "smpquery", ("portinfo", switch, 1)
    yield "smpquery", ("-D", "nodeinfo", "0")
    yield "smpquery", ("-D", "portinfo", "0,1", 1)
    yield "perfquery", ("-a", switch)
    yield "ibroute", (switch,)
    yield "ibtracert", (host, switch)
    for what in ("-p", "-N", "-g", "-m", "-s"):
        yield "saquery", ("-t", int(1000 * PATIENCE_S), what)  # opensm may take longer than the usual 1 s


class EmulateCase(Patient):
    maxDiff = 4000

    def lab(self, net, **kwargs):
        return Lab(net, build_dir=BUILD, subnet=kwargs.pop("subnet", "emulate"), **kwargs)

    def walk(self, lab, host, switches, cables):
        def whole():
            subnet = lab.read_subnet(host=host)
            self.assertEqual(len(subnet.switches), switches)
            self.assertEqual(len(subnet.each_cable()), cables)
            survey = walk_all_pairs(subnet)
            self.assertEqual(survey.broken, [], survey.first_fault())
        self.eventually(whole)


class Comparison(EmulateCase):
    def answers(self, net, kind, host):
        with self.lab(net, subnet=kind) as lab:
            sm = lab.opensm(host=host, options={**MINHOP, "sweep_interval": 0})
            sm.wait_up(timeout_s=PATIENCE_S)
            sm.log.wait_quiet(0.3, PATIENCE_S)
            subnet = lab.read_subnet(host=host)
            own = next((h for h in subnet.hosts if h.name == host), subnet.hosts[0])
            lids = [subnet.switches[own.switch].lid, own.lid]
            return {(name, words): lab.tool(name, *words, host=host, accept=(0, 1, 255))
                    for name, words in questions(lids)}

    def compare(self, net, host):
        ours, ibsims = (self.answers(net, kind, host) for kind in ("emulate", "ibsim"))
        self.assertEqual(ours.keys(), ibsims.keys())
        wrong = {key: lines for key in ours if (lines := undocumented(ours[key], ibsims[key]))}
        self.assertEqual(wrong, {})

    def test_torus_3x3(self):
        self.compare(torus_net(3, 3), "H-0-0")

    def test_torus_8x8(self):
        self.compare(torus_net(8, 8), "H-3-4")

    def test_a_real_fabric(self):
        path = ROOT / "conf" / "fabrics" / "real-8-switches.net"
        host = re.search(r'^Ca\s+\d+ "([^"]+)"', path.read_text(encoding="utf-8"), re.MULTILINE)[1]
        with self.lab(path) as lab:  # ibnetdiscover must find every cable, with its rate
            sm = lab.opensm(host=host, options=MINHOP)
            sm.wait_up(timeout_s=PATIENCE_S)
            ours = lab.tool("ibnetdiscover", host=host)
        with self.lab(path, subnet="ibsim") as lab:
            sm = lab.opensm(host=host, options=MINHOP)
            sm.wait_up(timeout_s=PATIENCE_S)
            self.assertEqual(undocumented(ours, lab.tool("ibnetdiscover", host=host)), [])

    def test_the_fabrics_of_conf(self):
        for path in drawn(sorted((ROOT / "conf" / "fabrics").glob("*.net")), 1, 2):
            host = re.search(r'^(?:Ca|Hca)\s+\d+ "([^"]+)"', path.read_text(encoding="utf-8"), re.MULTILINE)[1]
            with self.subTest(path.name):
                self.compare(path, host)

    def test_a_generated_fabric(self):
        self.compare(generated_net("irregular:switches=9,degree=3,hosts=2,seed=4"), "H-0-0")


class Faults(EmulateCase):
    def test_cut_and_heal(self):
        with self.lab(torus_net(4, 4)) as lab:
            sm = lab.opensm(host="H-0-0", options=MINHOP)
            sm.wait_up()
            mark = sm.mark()
            lab.ask_emulator("cut S-1-1:4")
            sm.wait_up(after=mark)
            self.walk(lab, "H-0-0", 16, 31)
            mark = sm.mark()
            lab.ask_emulator("heal S-1-1/S-1-2")
            sm.wait_up(after=mark)
            self.walk(lab, "H-0-0", 16, 32)
            rates = {line.split()[-1] for line in lab.tool("ibnetdiscover", host="H-0-0").splitlines()
                     if line.startswith("[")}
            self.assertEqual(rates, {"4xSDR"})  # a healed link keeps the rate of its cable

    def test_a_switch_is_killed_and_revived(self):
        with self.lab(torus_net(4, 4)) as lab:
            sm = lab.opensm(host="H-0-0", options=MINHOP)
            sm.wait_up()
            lab.ask_emulator("kill S-2-2")
            self.walk(lab, "H-0-0", 15, 28)
            lab.ask_emulator("revive S-2-2")
            self.walk(lab, "H-0-0", 16, 32)

    def test_a_trap_that_is_lost_comes_again(self):
        # sweep_interval 0: nothing but a trap makes opensm sweep.
        with self.lab(torus_net(3, 3)) as lab:
            # With qos OpenSM writes arbitration tables and operational VLs too.
            sm = lab.opensm(host="H-0-0", options={**MINHOP, "sweep_interval": 0, "qos": "TRUE"})
            sm.wait_up()
            lab.ask_emulator("drop trap 2")
            mark = sm.mark()
            lab.ask_emulator("cut S-1-1:4")
            sm.wait_up(after=mark)
            self.assertEqual(lab.emulator_report()["dropped_by_command"], 2)
            self.walk(lab, "H-0-0", 9, 17)

    def test_single_lost_mads_do_not_stop_a_bring_up(self):
        for pattern in ("set:LFT 3 2", "answer:PortInfo 2 10", "any 5 100", "answer:NodeInfo 1 4", "set:SL2VL 2"):
            with self.subTest(pattern), self.lab(torus_net(3, 3)) as lab:
                lab.ask_emulator(f"drop {pattern}")
                sm = lab.opensm(host="H-0-0", options={**MINHOP, "sweep_interval": 0})
                sm.wait_up(timeout_s=PATIENCE_S)
                report = lab.emulator_report()
                self.assertGreater(report["dropped_by_command"], 0)
                self.assertGreater(report["repeated"], 0)
                self.walk(lab, "H-0-0", 9, 18)

    def test_a_script_acts_at_its_times(self):
        with self.lab(torus_net(3, 3)) as lab:
            script = lab.folder / "faults.script"
            script.write_text("# ms\n1 cut S-1-1:4\n2 flap S-0-0:2 5 3\n", encoding="utf-8")
            name = lab.socket_name + "s"
            child = subprocess.Popen([SIM, "emulate", "--fabric", "torus:3x3", "--socket", name, "--script",
                                      script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            try:
                self.eventually(lambda: self.assertIn("] \"S-1-2\"[3] cut", self.dump(name, "S-1-1")))
            finally:
                child.send_signal(signal.SIGTERM)
                out, _ = child.communicate(timeout=PATIENCE_S)
            self.assertEqual(child.returncode, 0)
            self.assertIn("clients 0\n", out)

    def dump(self, name, node):
        with socket.socket(socket.AF_UNIX) as console:
            console.settimeout(PATIENCE_S)
            try:
                console.connect(f"\0{name}:console\0")
            except OSError as error:
                raise LabError(str(error), name, "wait") from error
            console.sendall(f'Dump "{node}"\nquit-not\n'.encode())
            text = ""
            while "no such command" not in text:
                text += console.recv(65536).decode()
            return text


class Clients(EmulateCase):
    def test_failover_of_two_opensm(self):
        with self.lab(torus_net(3, 3)) as lab:
            polling = {"sminfo_polling_timeout": 300, "polling_retry_number": 2}
            first = lab.opensm("first", host="H-0-0", options={**MINHOP, **polling, "sm_priority": 10})
            first.wait_up()
            second = lab.opensm("second", host="H-2-2", options={**MINHOP, **polling, "sm_priority": 5})
            second.wait_log("Entering STANDBY state", timeout_s=PATIENCE_S)
            first.kill()
            second.wait_log("Entering MASTER state", timeout_s=PATIENCE_S)
            second.wait_up(timeout_s=PATIENCE_S)
            mark = second.mark()
            lab.ask_emulator("cut S-1-1:4")
            second.wait_up(after=mark)
            self.walk(lab, "H-1-1", 9, 17)

    def test_thirty_clients_at_once(self):
        with self.lab(torus_net(4, 4)) as lab:
            sm = lab.opensm(host="H-0-0", options=MINHOP)
            sm.wait_up()
            whole = lab.tool("ibnetdiscover", host="H-1-1")
            work = lab.folder / "many"
            work.mkdir()
            children = [subprocess.Popen([lab.programs["ibnetdiscover"]], cwd=work, text=True,
                                         env=lab.environment("H-1-1"), stdout=subprocess.PIPE,
                                         stderr=subprocess.DEVNULL) for _ in range(30)]
            for child in children:
                self.assertEqual(undocumented(child.communicate(timeout=PATIENCE_S)[0], whole), [])
            self.assertTrue(sm.running)
            self.eventually(lambda: self.assertEqual(lab.emulator_report()["clients"], 1))

    def test_a_killed_client_is_noticed(self):
        with self.lab(torus_net(4, 4)) as lab:
            sm = lab.opensm(host="H-0-0", options=MINHOP)
            sm.wait_up()
            victims = [lab.opensm(f"v{i}", host=f"H-{i}-1", options={**MINHOP, "sm_priority": 1})
                       for i in range(4)]
            for i, victim in enumerate(victims):
                time.sleep(0.03 * i)
                victim.kill()
            self.eventually(lambda: self.assertEqual(lab.emulator_report()["clients"], 1))
            self.walk(lab, "H-0-0", 16, 32)
            self.assertTrue(sm.running)

    def test_a_client_of_another_version_is_told_and_refused(self):
        with self.lab(torus_net(3, 3)) as lab:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as odd:
                odd.settimeout(PATIENCE_S)
                odd.bind(f"\0{lab.socket_name}:ctl-odd\0")
                for datagram in (b"\1" * 80, b"", b"x" * 200, b"\xef\xbe\xad\xde" + b"\xff" * 76):
                    odd.sendto(datagram, f"\0{lab.socket_name}:ctl\0")
                    self.assertEqual(odd.recv(1000)[8:12], b"\0" * 4)  # type 0: an error
            self.assertIn("instead of", (lab.folder / "emulate.out").read_text())
            lab.opensm(host="H-0-0", options=MINHOP).wait_up()

    def test_a_port_is_disabled_and_enabled(self):
        with self.lab(torus_net(3, 3)) as lab:
            sm = lab.opensm(host="H-0-0", options=MINHOP)
            sm.wait_up()
            lid = lab.read_subnet(host="H-0-0").switch_named("S-1-1").lid
            lab.tool("ibportstate", lid, 4, "disable", host="H-0-0")
            self.walk(lab, "H-0-0", 9, 17)
            lab.tool("ibportstate", lid, 4, "enable", host="H-0-0")
            self.walk(lab, "H-0-0", 9, 18)


class UnderTraffic(EmulateCase):
    """The emulator with --clock manager: the fabric's time is the manager's CPU time, and data packets
    follow the tables that the manager writes."""

    def settled(self, lab, condition):
        def check():
            report = lab.emulator_report()
            self.assertTrue(condition(report), report)
            return report
        return self.eventually(check)

    def lost(self, report):
        return sum(number for name, number in report.items() if name.startswith("data_lost_"))

    def conserved(self, report):
        """Asserts that every packet that has left its host was delivered, is under way, or was lost for
        a cause that the report counts."""
        self.assertEqual(report["data_injected"],
                         report["data_delivered"] + self.lost(report) + report["data_in_flight"])

    def test_a_cut_costs_packets_until_the_manager_has_repaired(self):
        with self.lab(torus_net(4, 4), emulate_options=("--clock", "manager", "--load", "0.1")) as lab:
            sm = lab.opensm(host="H-0-0", options={**MINHOP, "sweep_interval": 0})
            sm.wait_up(timeout_s=PATIENCE_S)
            sm.log.wait_quiet(0.3, PATIENCE_S)
            up = lab.emulator_report()
            self.assertGreater(up["fabric_ns"], 0)
            self.assertEqual(up["data_generated"], 0)
            self.assertGreater(up["smps_received"], 16 * 10)
            lab.ask_emulator("traffic on")
            for _ in range(20):  # simulated time passes while the manager answers
                lab.tool("smpquery", "-D", "nodeinfo", "0,1", host="H-0-0")
            mark = sm.mark()
            lab.ask_emulator("cut S-1-1:2")
            sm.wait_up(after=mark, timeout_s=PATIENCE_S)
            cut = self.settled(lab, lambda r: r["data_delivered"] > 0)
            self.conserved(cut)
            self.assertGreater(self.lost(cut), 0)
            self.assertEqual(self.lost(cut), cut["data_lost_dead_port"] + cut["data_lost_cut"]
                             + cut["data_lost_no_route"])
            lab.ask_emulator("traffic off")
            self.walk(lab, "H-0-0", 16, 31)

    def test_traffic_is_replaced(self):
        with self.lab(torus_net(3, 3), emulate_options=("--clock", "manager", "--load", "0.05")) as lab:
            sm = lab.opensm(host="H-0-0", options={**MINHOP, "sweep_interval": 0})
            sm.wait_up(timeout_s=PATIENCE_S)
            sm.log.wait_quiet(0.3, PATIENCE_S)
            for pattern in ("on", "shift 0.1", "all-to-all 0.1", "off", "on", "hot-spot 0.02"):
                lab.ask_emulator(f"traffic {pattern}")
                before = lab.emulator_report()
                for _ in range(5):
                    lab.tool("smpquery", "-D", "nodeinfo", "0,1", host="H-0-0")
                after = lab.emulator_report()
                self.assertGreater(after["fabric_ns"], before["fabric_ns"])
                sent = after["data_generated"] - before["data_generated"]
                (self.assertEqual if pattern == "off" else self.assertGreater)(sent, 0, pattern)
                self.conserved(after)
                self.assertEqual(self.lost(after), 0)
            for wrong in ("none 0.1", "uniform", "uniform 0", "uniform x", "uniform 0.1 0.2", "trace 0.1", ""):
                with self.assertRaises(LabError, msg=wrong):
                    lab.ask_emulator(f"traffic {wrong}")

    def test_a_subnet_comes_up_over_a_cable_that_loses_smps(self):
        with self.lab(torus_net(3, 3), emulate_options=("--clock", "manager")) as lab:
            lab.ask_emulator("loss S-0-0:2 0.05")
            sm = lab.opensm(host="H-0-0", options=MINHOP)
            sm.wait_up(timeout_s=PATIENCE_S)
            report = lab.emulator_report()
            self.assertGreater(report["lost_cable"], 0)
            self.assertGreater(report["repeated"], 0)
            lab.ask_emulator("loss S-0-0:2 0")
            self.walk(lab, "H-0-0", 9, 18)

    def test_a_killed_switch_carries_nothing_and_comes_back_empty(self):
        with self.lab(torus_net(3, 3), emulate_options=("--clock", "manager")) as lab:
            sm = lab.opensm(host="H-0-0", options={**MINHOP, "sweep_interval": 0})
            sm.wait_up(timeout_s=PATIENCE_S)
            mark = sm.mark()
            lab.ask_emulator("kill S-1-1")
            sm.wait_up(after=mark, timeout_s=PATIENCE_S)
            self.walk(lab, "H-0-0", 8, 14)
            mark = sm.mark()
            lab.ask_emulator("revive S-1-1")
            sm.wait_up(after=mark, timeout_s=PATIENCE_S)
            self.walk(lab, "H-0-0", 9, 18)


class Scripts(EmulateCase):
    """Scripts of a whole process under opensm."""

    def test_a_script_waits_for_the_subnet_and_for_the_paths(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder, "script")
            script.write_text("0 wait subnet-up\n0 Dump \"S-1-1\"\n0 wait paths\n0 traffic on\n"
                              "1 cut S-1-1:2\n1 Dump \"S-1-1\"\n", encoding="utf-8")
            with self.lab(torus_net(3, 3), emulate_options=("--clock", "manager", "--script", script)) as lab:
                printed = lab.folder / "emulate.out"
                self.assertEqual(lab.emulator_report()["data_generated"], 0)
                self.assertNotIn("Switch", printed.read_text())  # the first wait is not over
                sm = lab.opensm(host="H-0-0", options={**MINHOP, "sweep_interval": 0})
                sm.wait_up(timeout_s=PATIENCE_S)
                self.eventually(lambda: self.assertEqual(lab.ask_emulator("wait subnet-up 5"), []))
                # The cut makes opensm sweep again.
                self.eventually(lambda: self.assertEqual(printed.read_text().count('Switch 5 "S-1-1"'), 2))
                first, second = printed.read_text().split('Switch 5 "S-1-1"')[1:]
                self.assertRegex(first, r'\n\[2\] "S-2-1"\[1\] Active\n')
                self.assertRegex(second, r'\n\[2\] "S-2-1"\[1\] cut Down\n')
                self.eventually(lambda: self.assertGreaterEqual(sm.log.text().count("SUBNET UP"), 2))
                self.eventually(lambda: self.assertEqual(lab.ask_emulator("wait paths 5"), []))
                report = lab.emulator_report()
                self.assertGreater(report["data_delivered"], 0)
                self.assertGreaterEqual(report["executed"], 9)
                with self.assertRaisesRegex(LabError, "takes nothing more"):
                    lab.ask_emulator("paths paths")
                self.walk(lab, "H-0-0", 9, 17)

    def test_a_trace_is_replayed(self):
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder, "trace.csv")
            trace.write_text("time_ns,from,to,bytes\n" + "".join(
                f"{100 * i},H-0-{i % 3},H-2-{(i + 1) % 3},100\n" for i in range(60)), encoding="utf-8")
            with self.lab(torus_net(3, 3), emulate_options=(
                    "--clock", "manager", "--pattern", "trace", "--trace", trace)) as lab:
                sm = lab.opensm(host="H-0-0", options={**MINHOP, "sweep_interval": 0})
                sm.wait_up(timeout_s=PATIENCE_S)
                sm.log.wait_quiet(0.3, PATIENCE_S)
                lab.ask_emulator("traffic on")

                def whole():
                    lab.tool("smpquery", "-D", "nodeinfo", "0,1", host="H-0-0")  # a manager that works
                    report = lab.emulator_report()
                    self.assertEqual(report["data_delivered"], report["data_generated"])
                    self.assertGreaterEqual(report["data_generated"], 60)
                    return report["data_generated"]
                sent = self.eventually(whole)
                lab.tool("smpquery", "-D", "nodeinfo", "0,1", host="H-0-0")
                self.assertEqual(lab.emulator_report()["data_generated"], sent)  # the trace has ended


class Console(EmulateCase):
    def console(self, lab, *words, status=0, **kwargs):
        done = subprocess.run([SIM, "console", "--socket", lab.socket_name, *words], capture_output=True, text=True,
                              timeout=PATIENCE_S, check=False, **kwargs)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def test_commands_and_lines_of_standard_input(self):
        with self.lab(torus_net(3, 3)) as lab:
            self.assertEqual(self.console(lab, "cut", "S-1-1:4").stdout, "")
            self.assertIn('[4] "S-1-2"[3] cut', self.console(lab, "Dump", '"S-1-1"').stdout)
            done = self.console(lab, input='heal S-1-1:4\nDump "S-1-1"\nreport\n')
            self.assertIn('[4] "S-1-2"[3] Init', done.stdout)
            self.assertIn("\nclients 0\n", done.stdout)
            done = self.console(lab, "cuts", "S-1-1:4", status=2)
            self.assertEqual((done.stdout, done.stderr),
                             ("", "error: no such command: 'cuts': did you mean cut?\n"))
            for words in (("report", "now"), ("Dump", "x" * 5000), ("cut", "S-0-0:2\nquit")):
                said = self.console(lab, *words, status=2).stderr
                self.assertRegex(said, r"\Aerror: [^\n]{,200}\n\Z")
            said = self.console(lab, "wait", "subnet-up", "1", status=2).stderr
            self.assertIn("not there after 1 s", said)
            done = self.console(lab, status=2, input="report\ncut S-9-9:1\nquit\n")
            self.assertIn("clients 0\n", done.stdout)  # the answer to the line before the wrong one
            self.assertIn("no such link", done.stderr)
            self.assertTrue(lab.ibsim.running)
            self.console(lab, "quit")
            self.eventually(lambda: self.assertFalse(lab.ibsim.running))
            self.assertRegex(self.console(lab, "report", status=3).stderr, r"\Aerror: [^\n]+\n\Z")


class Captures(EmulateCase):
    def test_wireshark_reads_what_is_recorded(self):
        tshark = shutil.which("tshark")
        if tshark is None:
            self.skipTest("tshark is not installed")
        for clock in ("free", "manager"):
            with self.subTest(clock), tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder, "mads.pcapng")
                with self.lab(torus_net(3, 3), emulate_options=("--clock", clock, "--pcap", path)) as lab:
                    sm = lab.opensm(host="H-0-0", options={**MINHOP, "sweep_interval": 0})
                    sm.wait_up(timeout_s=PATIENCE_S)
                    lab.tool("perfquery", host="H-1-1")
                    report = lab.emulator_report()
                    lab.ask_emulator("quit")
                    self.eventually(lambda: self.assertFalse(lab.ibsim.running))
                fields = ("frame.time_epoch", "frame.interface_name", "_ws.col.Info", "_ws.expert.message")
                out = subprocess.run([tshark, "-r", path, "-T", "fields", *(w for f in fields for w in ("-e", f))],
                                     capture_output=True, text=True, timeout=PATIENCE_S, check=True).stdout
                lines = [line.split("\t") for line in out.splitlines()]
                times = [float(line[0]) for line in lines]
                self.assertEqual(times, sorted(times))
                self.assertEqual({line[3] for line in lines}, {""})  # nothing is malformed
                said = {line[2].split()[-1] for line in lines}
                self.assertLessEqual({"SubnGet(NodeInfo)", "SubnSet(LinearForwardingTable)", "SubnGetResp(PortInfo)"},
                                     said)
                self.assertTrue(any("PERF" in line[2].upper() for line in lines), said)
                self.assertIn("S-1-1:0", {line[1] for line in lines})
                # The capture has each MAD that a client sent, and each answer.
                self.assertGreater(len(lines), 2 * report["mads_from_clients"])


class Mistakes(unittest.TestCase):
    def refused(self, *words, status=2):
        done = subprocess.run([SIM, "emulate", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, timeout=PATIENCE_S, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"\Aerror: [^\n]+: [^\n]+: [^\n]+\n\Z")
        return done.stderr

    def test_a_name_in_use(self):
        name = f"selvedge-twice-{os.getpid()}"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
            other.bind(f"\0{name}:ctl\0")
            self.assertIn("in use", self.refused("--fabric", "torus:3x3", "--socket", name))

    def test_scripts(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder, "script")
            script.touch()
            os.truncate(script, 5 << 30)  # a hole
            torus = ("--fabric", "torus:3x3", "--socket", f"selvedge-s-{os.getpid()}", "--script")
            self.assertIn("more than 4194304 bytes", self.refused(*torus, script))
            self.assertIn("Is a directory", self.refused(*torus, folder))
            os.mkfifo(pathlib.Path(folder, "pipe"))
            self.assertIn("pipe", self.refused(*torus, pathlib.Path(folder, "pipe")))
            for line in ("x" * 100_000, "1 " + "x" * 3000, "1 cut " + "x" * 3000, "1 wait paths 9", "1 report x"):
                script.write_text(f"# so\n{line}\n", encoding="utf-8")
                said = self.refused(*torus, script)
                self.assertIn("line 2", said)
                self.assertLess(len(said), 250 + len(str(script)))

    def test_a_record_overwrites_nothing_when_refused(self):
        fabric = (ROOT / "conf" / "fabrics" / "torus-6x6.net").read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            net, script, trace, record, link = (pathlib.Path(folder, n) for n in (
                "net", "script", "trace", "record", "link"))
            net.write_text(fabric, encoding="utf-8")
            script.write_text("1 help\n", encoding="utf-8")
            trace.write_text("time_ns,from,to,bytes\n1,0,1,100\n", encoding="utf-8")
            record.write_text("mine", encoding="utf-8")
            files = (net, script, trace, record)
            before = [path.read_text(encoding="utf-8") for path in files]
            base = ("--fabric", f"file:{net}", "--socket", f"selvedge-p-{os.getpid()}", "--script", script,
                    "--clock", "manager", "--pattern", "trace", "--trace", trace)
            for path in (net, script, trace):
                self.assertIn("is read by this command", self.refused(*base, "--pcap", path))
            for make in (os.link, os.symlink):
                make(net, link)
                self.assertIn("is read by this command", self.refused(*base, "--pcap", link))
                link.unlink()
            script.write_text("1 cut S-9-9:9\n", encoding="utf-8")
            self.assertIn("no such link", self.refused(*base, "--pcap", record))
            script.write_text("1 help\n", encoding="utf-8")
            self.refused(*base, "--pcap", record, "--load", "0.1")
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
                other.bind(f"\0selvedge-p-{os.getpid()}:ctl\0")
                self.assertIn("in use", self.refused(*base, "--pcap", record))
            self.assertEqual([path.read_text(encoding="utf-8") for path in files], before)

    @unittest.skipUnless(WHOLE, "a minute: with SELVEDGE_WHOLE=1")
    def test_a_manager_that_stops_reading_is_the_environments_fault(self):
        """This process is the manager on which the time depends."""
        name = f"selvedge-silent-{os.getpid()}"
        own = pathlib.Path("/proc/self/comm").read_text(encoding="utf-8").strip()
        with subprocess.Popen([SIM, "emulate", "--fabric", "torus:3x3", "--socket", name, "--clock", "manager",
                               "--managers", own], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
            try:
                self.assertIn("switches", child.stderr.readline())
                client = HostileClient(name, os.getpid(), "H-0-0", [], 1)
                self.addCleanup(client.close)
                client.ask_and_leave_unread()
                out, errors = child.communicate(timeout=60 + PATIENCE_S)
            finally:
                child.kill()
        self.assertEqual((child.returncode, out), (3, ""), errors)
        self.assertEqual(errors, "error: a subnet manager has stopped answering: process "
                                 f"{os.getpid()} has read no MAD for 60 s: end it, and start both again\n")

    def test_a_record_that_the_disk_does_not_take_is_the_environments_fault(self):
        with tempfile.TemporaryDirectory() as folder:
            record = pathlib.Path(folder, "record")
            def limited():
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (8, 8))
            name = f"selvedge-full-{os.getpid()}"
            child = subprocess.Popen([SIM, "emulate", "--fabric", "torus:3x3", "--socket", name, "--pcap", record],
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                     preexec_fn=limited, restore_signals=False)
            self.assertIn("switches", child.stderr.readline())
            child.send_signal(signal.SIGTERM)
            out, errors = child.communicate(timeout=PATIENCE_S)
            self.assertEqual((child.returncode, out), (3, ""), errors)
            self.assertRegex(errors, r"\Aerror: [^\n]+: [^\n]+: [^\n]+\n\Z")

    def test_bad_input(self):
        name = f"selvedge-bad-{os.getpid()}"
        self.refused("--socket", name)
        self.refused("--fabric", "torus:3x3")
        self.refused("--fabric", "torus:2x2", "--socket", name)
        self.refused("--fabric", "torus:3x3", "--socket", "x" * 200)
        self.refused("--fabric", "torus:3x3", "--socket", name, "--script", "/no/such/file")
        self.assertRegex(self.refused("--fabric", "torus:60x60,hosts=40", "--socket", name), "LID")
        torus = ("--fabric", "torus:3x3", "--socket", name)
        for words in (("--clock", "sundial"), ("--load", "0.5"), ("--preset", "zahavi"), ("--manager-speed", "2"),
                      ("--pcap", "/no/such/folder/mads"), ("--managers", "opensm"),
                      ("--clock", "manager", "--free-running"), ("--clock", "manager", "--load", "banana"),
                      ("--clock", "manager", "--preset", "none"), ("--clock", "manager", "--manager-speed", "0"),
                      ("--clock", "manager", "--pattern", "none"), ("--disks", "3"), ("--trace", "x"),
                      ("--clock", "manager", "--disks", "3"), ("--clock", "manager", "--pattern", "io"),
                      ("--clock", "manager", "--pattern", "io", "--disks", "9"),
                      ("--clock", "manager", "--pattern", "io", "--disks", "3", "--load", "0.1"),
                      ("--clock", "manager", "--pattern", "trace"),
                      ("--clock", "manager", "--trace", "/no/such/trace"),
                      ("--clock", "manager", "--pattern", "trace", "--trace", "/no/such/trace"),
                      ("--clock", "manager", "--managers", "opensm,,x")):
            with self.subTest(words):
                self.refused(*torus, *words)

    def test_a_trace_without_messages(self):
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder, "trace.csv")
            trace.write_text("time_ns,from,to,bytes\n# none\n", encoding="utf-8")
            said = self.refused("--fabric", "torus:3x3", "--socket", f"selvedge-t-{os.getpid()}", "--clock",
                                "manager", "--pattern", "trace", "--trace", trace)
            self.assertIn("the trace has no messages", said)

    def test_disks_that_are_too_many(self):
        said = self.refused("--fabric", "torus:3x3", "--socket", f"selvedge-d-{os.getpid()}", "--clock", "manager",
                            "--pattern", "io")
        self.assertEqual(said, "error: 23 disks are too many: the fabric has 9 hosts: --pattern io: "
                               "give fewer by --disks N, or take a larger fabric\n")

    def test_a_script_with_an_unknown_link(self):
        path = BUILD / f"bad-{os.getpid()}.script"
        path.write_text("1 cut S-0-0:2\n2 cut S-9-9:1\n", encoding="utf-8")
        try:
            said = self.refused("--fabric", "torus:3x3", "--socket", f"selvedge-s-{os.getpid()}",
                                "--script", path)
            self.assertIn("line 2: 'S-9-9:1'", said)
        finally:
            path.unlink()


class Completion(unittest.TestCase):
    def complete(self, *words):
        script = ('source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; }; '
                  '_selvedge_sim; printf "%s\\n" "${COMPREPLY[@]}"')
        return subprocess.run(["bash", "-c", script, ROOT / "sim" / "experiment" / "completion.bash", "selvedge-sim",
                               *words], capture_output=True, text=True, check=True).stdout.split()

    def said(self, *words):
        done = subprocess.run([SIM, *words], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        return done.stdout + done.stderr

    def test_every_option_is_known(self):
        for verb in ("emulate", "console", "compare-sm"):
            with self.subTest(verb):
                listed = re.findall(r"^  (?:-h,)?(--[a-z-]+)", self.said(verb, "--help"), re.MULTILINE)
                self.assertEqual(sorted(self.complete(verb, "--")), sorted(listed))

    def test_the_values_of_an_option(self):
        wrong = ("emulate", "--fabric", "torus:3x3", "--socket", "x", "--clock", "manager")
        self.assertEqual(self.complete("emulate", "--clock", ""), ["free", "manager"])
        self.assertIn(", ".join(self.complete("emulate", "--preset", "")) + "\n", self.said(*wrong, "--preset", "none"))
        self.assertIn(", ".join(self.complete("emulate", "--pattern", "")) + "\n",
                      self.said(*wrong, "--pattern", "qqqq"))

    def test_every_command_is_known(self):
        text = self.console_help()
        commands = set(re.findall(r"^([a-z]+)|\| ([a-z]+) ", text, re.MULTILINE))
        commands = {a or b for a, b in commands} | {"Unlink", "ReLink", "Clear", "Error", "Dump"}
        self.assertIn("wait", commands)
        self.assertEqual({w for w in self.complete("console", "") if not w.startswith("--")} - {"help"}, commands)

    def console_help(self):
        name = f"selvedge-help-{os.getpid()}"
        with subprocess.Popen([SIM, "emulate", "--fabric", "torus:3x3", "--socket", name], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as child:
            try:
                child.stderr.readline()
                return self.said("console", "--socket", name, "help")
            finally:
                child.terminate()


if __name__ == "__main__":
    unittest.main()
