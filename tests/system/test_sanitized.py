# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The plugin as built with sanitizers, inside the real opensm: bring-up, a cut, SIGHUPs, status clients,
a restart, an orderly end, without a report. Run by ctest in the sanitizer builds only.

opensm itself is not instrumented, so the sanitizer's library is loaded before it. Leaks are not looked
for: OpenSM leaves its own behind.
"""
import glob
import os
import subprocess
import threading
import unittest

from opensm_case import OpenSmCase
from tools.lab import PLUGIN_STATUS, LabError, torus_net

SANITIZE = os.environ.get("SELVEDGE_SANITIZE", "")
REPORT = r"ERROR: \w+Sanitizer|WARNING: ThreadSanitizer|runtime error:"


def runtime(name):
    """The path of libasan.so, libubsan.so, libtsan.so of the compiler that built the plugin."""
    return subprocess.run([os.environ.get("SELVEDGE_CXX", "g++"), f"-print-file-name={name}.so"],
                          check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


@unittest.skipUnless(SANITIZE, "the plugin is built without sanitizers")
class Sanitized(OpenSmCase):
    def reports(self, sm):
        text = "".join(open(path, encoding="utf-8", errors="replace").read()
                       for path in glob.glob(f"{sm.folder}/sanitizer.*"))
        return text + (sm.folder / "opensm.out").read_text(encoding="utf-8", errors="replace")

    def start_sanitized(self, lab, name="sm", **kwargs):
        log = lab.folder / name / "sanitizer"
        options = f"log_path={log}:exitcode=66"
        wanted = {"address": "libasan", "thread": "libtsan", "undefined": "libubsan"}
        preload = [runtime(wanted[w]) for w in SANITIZE.split(",")]
        # Not ours: libumad2sim copies 32 bytes too many from each answer, and the locks of libraries
        # that are not instrumented cannot be seen.
        foreign = ("libumad2sim", "libibumad", "libosmvendor", "libosmcomp", "libopensm")
        asan, tsan = lab.folder / "asan.supp", lab.folder / "tsan.supp"
        asan.write_text("".join(f"interceptor_via_lib:{f}\n" for f in foreign), encoding="utf-8")
        tsan.write_text("".join(f"called_from_lib:{f}\n" for f in foreign), encoding="utf-8")
        return self.start(lab, name, preload=preload, env={
            "ASAN_OPTIONS": f"{options}:detect_leaks=0:verify_asan_link_order=0:suppressions={asan}",
            "UBSAN_OPTIONS": f"{options}:print_stacktrace=1:halt_on_error=1",
            "TSAN_OPTIONS": f"{options}:suppressions={tsan}:ignore_noninstrumented_modules=1",
        }, **kwargs)

    def test_a_life(self):
        with self.start_lab(torus_net(4, 4)) as lab:
            sm = self.start_sanitized(lab, host="H-0-0", options={"lmc": 1})
            try:
                sm.wait_up(timeout_s=120)
            except LabError as error:
                raise AssertionError(f"{error}\n{self.reports(sm)[-4000:]}") from error
            self.check(lab, sm, hosts=16, switches=16)

            # Clients in threads, all through the sweeps that follow.
            stop, answers = threading.Event(), []

            def client():
                while not stop.is_set():
                    for verb in ("status", "tables", "events"):
                        try:
                            answers.append(sm.ask(verb, timeout_s=60))
                        except LabError:
                            pass  # while it is restarted
            clients = [threading.Thread(target=client) for _ in range(2)]
            for c in clients:
                c.start()
            try:
                self.client(lab, "H-1-1", "join")
                self.client(lab, "H-2-3", "join")
                lab.cut("S-1-1", 4)
                self.wait_fabric(sm, links=31)
                self.client(lab, "H-3-3", "traps", 100)
                toml = sm.folder / "plugin.toml"
                for tree in ("dfs", "nonsense", "bfs"):
                    toml.write_text(PLUGIN_STATUS.replace("@FOLDER@", str(sm.folder)) +
                                    f'[engine]\ntree = "{tree}"\n', encoding="utf-8")
                    mark = sm.mark()
                    sm.hang_up()
                    sm.wait_log(r"was read again|the configuration in force stays", after=mark,
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
            self.check_alive(sm)
            status = sm.terminate(timeout_s=30)
            self.assertNotRegex(self.reports(sm), REPORT)
            self.assertEqual(status, 0)

    def path_records(self, lab, sm):
        subnet = lab.read_subnet(host=sm.host)
        for target in subnet.hosts[1:6]:
            for lid in target.lids:
                lab.path_record(subnet.hosts[0].lid, lid, host="H-1-0")


if __name__ == "__main__":
    unittest.main()
