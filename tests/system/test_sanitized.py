# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The plugin, built with a sanitizer, runs in the real opensm: bring-up, a cut, SIGHUPs, status clients, a
restart, and an orderly end. The sanitizer must report nothing. The subnet is the emulator of the same
build: hostile clients send to it, and it carries traffic while a cable is cut and a switch is killed.
ctest runs this in the sanitizer builds only.

opensm itself is not instrumented, so the sanitizer's library is preloaded. Leaks are not looked for, since
OpenSM itself leaks.
"""
import os
import re
import subprocess
import threading
import unittest

from hostile_client import HostileClient
from opensm_case import ROUTE, SUBNET
from sanitized import SANITIZE, runtime
from tools.lab import PLUGIN_STATUS, LabError, torus_net
from traffic_case import HOST, TrafficCase

REPORT = r"ERROR: \w+Sanitizer|WARNING: ThreadSanitizer|runtime error:"


@unittest.skipUnless(SANITIZE, "the plugin is built without sanitizers")
class Sanitized(TrafficCase):
    def setUp(self):
        super().setUp()
        # The emulator inherits these options from this process.
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
            os.environ[name] = "exitcode=66:print_stacktrace=1:halt_on_error=1"

    def reports(self, sm):
        paths = [*sorted(sm.folder.glob("sanitizer.*")), sm.folder / "opensm.out"]
        return "".join(p.read_text(encoding="utf-8", errors="replace") for p in paths)

    def start_sanitized(self, lab, name="sm", **kwargs):
        log = lab.folder / name / "sanitizer"
        options = f"log_path={log}:exitcode=66"
        preload = [runtime()]
        # Not ours: libumad2sim copies 32 bytes too many out of each answer, and OpenSM's sender may
        # look at a MAD that the answer's receiver has freed. These libraries are on none of our
        # stacks; libosmcomp is, and must not be listed. (ThreadSanitizer needs no list: it sees the
        # locks of libraries that are not instrumented, and passes over their memory.)
        suppressions = lab.folder / "asan.supp"
        suppressions.write_text("".join(f"interceptor_via_lib:{foreign}\n" for foreign in
                                        ("libumad2sim", "libibumad", "libosmvendor")),
                                encoding="utf-8")
        return self.start(lab, name, preload=preload, env={
            "ASAN_OPTIONS": f"{options}:detect_leaks=0:verify_asan_link_order=0:"
                            f"suppressions={suppressions}",
            "UBSAN_OPTIONS": f"{options}:print_stacktrace=1:halt_on_error=1",
            "TSAN_OPTIONS": f"{options}:ignore_noninstrumented_modules=1",
        }, **kwargs)

    def test_a_life(self):
        with self.start_lab(torus_net(4, 4)) as lab:
            sm = self.start_sanitized(lab, host="H-0-0", options={"lmc": 1}, toml=PLUGIN_STATUS +
                                      '[repair]\ndrained = "@FOLDER@/drained"\n')
            try:
                sm.wait_up(timeout_s=120)
            except LabError as error:
                raise AssertionError(f"{error}\n{self.reports(sm)[-4000:]}") from error
            self.check(lab, sm, hosts=16, switches=16)

            # Status clients ask in threads during all of the following sweeps.
            stop, answers = threading.Event(), []

            def client():
                while not stop.is_set():
                    for verb in ("status", "tables", "events"):
                        try:
                            answers.append(sm.ask(verb, timeout_s=60))
                        except LabError:
                            pass  # opensm is being restarted
            clients = [threading.Thread(target=client) for _ in range(2)]
            for c in clients:
                c.start()
            try:
                self.client(lab, "H-1-1", "join")
                self.client(lab, "H-2-3", "join")
                lab.cut("S-1-1", 4)
                self.wait_fabric(sm, links=31)
                # The fast path handles a fault, and then orders of an operator.
                def ready(status):
                    return status["fast_path"]["ready"]
                sm.wait_status(ready, timeout_s=60)
                lab.cut("S-3-3", 2)
                self.wait_fabric(sm, links=30)
                sm.wait_status(ready, timeout_s=60)
                for order in (["drain", "S-0-2:4"], ["reroute", "--engine", "updn"],
                              ["undrain", "--all"]):
                    self.eventually(lambda: self.assertEqual(subprocess.run(
                        [ROUTE, *order, "--socket", sm.socket], check=False, timeout=60,  # noqa: B023
                        stdout=subprocess.DEVNULL).returncode, 0))
                self.client(lab, "H-3-3", "traps", 100)
                toml = sm.folder / "plugin.toml"
                for tree in ("dfs", "nonsense", "bfs"):
                    toml.write_text(PLUGIN_STATUS.replace("@FOLDER@", str(sm.folder)) +
                                    f'[engine]\ntree = "{tree}"\n', encoding="utf-8")
                    mark = sm.mark()
                    sm.send_sighup()
                    sm.wait_log(r"was reloaded|the configuration in force stays", after=mark,
                                timeout_s=60)
                lab.cut("S-2-2")
                self.wait_fabric(sm, switches=15)
                self.path_records(lab, sm)
            finally:
                stop.set()
                for c in clients:
                    c.join()
            self.assertGreater(len(answers), 10)
            self.check(lab, sm, hosts=15, switches=15)
            sm.kill()
            mark = sm.mark()
            sm.start()
            sm.wait_up(after=mark, timeout_s=120)
            self.assertEqual(sm.ask("status", timeout_s=60)["last_sweep"]["outcome"], "adopted")
            self.end_without_report(lab, sm)

    def end_without_report(self, lab, sm):
        self.check_alive(sm)
        if "thread" in SANITIZE:
            # With ThreadSanitizer opensm is killed: at an orderly end OpenSM cancels its receiver
            # thread, which ThreadSanitizer does not support.
            sm.kill()
        else:
            self.assertEqual(sm.terminate(timeout_s=30), 0, self.reports(sm)[-4000:])
        texts = [self.reports(sm)]
        if SUBNET == "emulate":
            lab.ask_emulator("quit")
            self.eventually(lambda: self.assertFalse(lab.ibsim.running))
            texts.append(lab.ibsim.output.read_text(encoding="utf-8", errors="replace"))
            self.assertEqual(lab.ibsim.status, 0, texts[-1][-4000:])
        for text in texts:
            found = re.search(REPORT, text)
            self.assertIsNone(found, found and text[found.start():][:4000])

    def test_the_emulator_and_hostile_clients(self):
        with self.start_lab(torus_net(3, 3), subnet="emulate",
                            emulate_options=("--smp-timeout-ms", "50", "--gmp-timeout-ms", "50")) as lab:
            sm = self.start_sanitized(lab, host=HOST)
            sm.wait_up(timeout_s=120)
            subnet, _ = self.check(lab, sm, hosts=9, switches=9)
            client = HostileClient(lab.socket_name, 1 << 30, "H-2-2", [s.lid for s in subnet.switches.values()], 1)
            self.addCleanup(client.close)
            for _ in range(10_000):
                client.step()
            client.finish()
            client.close()
            lab.ask_emulator("loss S-0-1:2 0.2\nflap S-1-2:4 20 3\ndouble any 50\ndrop any 20 50")
            lab.cut("S-1-1", 4)
            self.wait_fabric(sm, links=17)
            lab.ask_emulator("loss S-0-1:2 0")
            self.check(lab, sm, hosts=9, switches=9)
            self.end_without_report(lab, sm)

    def test_the_emulator_under_traffic(self):
        with self.start_with_traffic(torus_net(3, 3)) as lab:
            sm = self.start_sanitized(lab, host=HOST)
            sm.wait_up(timeout_s=120)
            self.check(lab, sm, hosts=9, switches=9)
            before = self.empty_network(lab)
            lab.ask_emulator("traffic on")
            lab.cut("S-1-1", 4)
            self.wait_fabric(sm, links=17)
            delta = self.check_conserved(before, self.empty_network(lab))
            self.assertGreater(delta["data_delivered"], 0)
            lab.ask_emulator("traffic on\nkill S-2-2")
            self.wait_fabric(sm, switches=8)
            lab.ask_emulator("traffic off\nrevive S-2-2")
            lab.relink("S-1-1", 4)
            self.wait_fabric(sm, links=18)
            self.check(lab, sm, hosts=9, switches=9)
            self.end_without_report(lab, sm)

    def path_records(self, lab, sm):
        subnet = lab.read_subnet(host=sm.host)
        for target in subnet.hosts[1:6]:
            for lid in target.lids:
                lab.path_record(subnet.hosts[0].lid, lid, host="H-1-0")


if __name__ == "__main__":
    unittest.main()
