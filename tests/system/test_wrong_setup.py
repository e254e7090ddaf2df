# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""A missing or foreign plugin, engines that do not exist, and files with errors: OpenSM keeps running as its
configuration says, and one line of the log says what is wrong and what to write instead."""
import json
import os
import re
import unittest

from opensm_case import BUILD, OpenSmCase, generated_net, ring_net
from tools.lab import PLUGIN_STATUS, LabError, torus_net, walk_all_pairs

OURS_ONLY = "selvedge-updn,no_fallback"
WITH_MINHOP = "selvedge-updn,minhop"


class WrongSetup(OpenSmCase):
    def minhop_routes(self, lab, sm, hosts):
        """Asserts that OpenSM's minhop has routed, and that its tables connect all pairs."""
        sm.wait_up(timeout_s=40)
        subnet = lab.read_subnet(host=sm.host)
        self.assertEqual(len(subnet.hosts), hosts)
        self.assertEqual(walk_all_pairs(subnet).broken, [])
        self.assertTrue(sm.running)

    def nothing_routes(self, lab, sm, line):
        """Asserts that `line` is logged at every sweep, and that no LFT is written."""
        mark = sm.mark()
        sm.send_sighup()
        sm.wait_log(line, after=mark, timeout_s=40)
        mark = sm.mark()
        sm.send_sighup()
        sm.wait_log(line, after=mark, timeout_s=40)
        self.assertNotIn("SUBNET UP", sm.log.text())
        self.check_alive(sm)

    def without_our_engines(self, lab, line):
        """Asserts that OpenSM does not know selvedge-updn: with no_fallback it routes nothing, without
        it OpenSM routes with minhop."""
        strict = self.start(lab, "strict")
        strict.wait_log(line, timeout_s=40)
        strict.wait_log("No routing engine able to successfully configure", timeout_s=40)
        self.assertNotIn("SUBNET UP", strict.log.text())
        with self.assertRaises(LabError):
            strict.ask("status")
        strict.kill()
        lenient = self.start(lab, "lenient", options={"routing_engine": "selvedge-updn"})
        lenient.wait_log(line, timeout_s=40)
        self.minhop_routes(lab, lenient, hosts=4)

    def test_the_plugin_is_missing(self):
        with self.start_lab(ring_net(4)) as lab:
            lab.plugin_folder = lab.folder  # this folder has no plugin library
            self.without_our_engines(lab, "selvedge_opensm")

    def test_the_plugin_is_of_another_version(self):
        with self.start_lab(ring_net(4)) as lab:
            foreign = lab.folder / "foreign"
            foreign.mkdir()
            library = (BUILD / "lib" / "libselvedge_opensm.so").read_bytes()
            self.assertIn(b"OpenSM 3.3.23\0", library)
            (foreign / "libselvedge_opensm.so").write_bytes(
                library.replace(b"OpenSM 3.3.23\0", b"OpenSM 3.3.22\0"))
            lab.plugin_folder = foreign
            self.without_our_engines(lab, r"3\.3\.22")

    def test_an_unknown_engine(self):
        with self.start_lab(ring_net(4)) as lab:
            sm = self.start(lab, options={"routing_engine": "selvedge-updwn"})
            sm.wait_log(r"selvedge: self-check: there is no engine selvedge-updwn.*"
                        r"write one of selvedge-updn", timeout_s=40)
            self.minhop_routes(lab, sm, hosts=4)
            status = sm.ask("status")
            self.assertIsNone(status["engine"])
            self.assertIsNone(status["last_sweep"])
            bad = [c for c in status["self_check"] if not c["ok"]]
            self.assertTrue(any("selvedge-updwn" in c["what"] for c in bad), bad)

    def bad_toml(self, toml, line, spoil=lambda path: None):
        with self.start_lab(ring_net(4)) as lab:
            good = self.start(lab)  # leaves its folder and caches behind
            good.wait_up(timeout_s=40)
            good.kill()
            before = lab.read_subnet(host="H-0")
            path = lab.folder / "shared.toml"
            path.write_text(toml, encoding="utf-8")
            spoil(path)
            options = {"event_plugin_options": f"selvedge:{path}"}
            sm = self.start(lab, "strict", options={"routing_engine": OURS_ONLY, **options})
            sm.wait_log("selvedge: " + line, timeout_s=40)
            self.nothing_routes(lab, sm, "selvedge: declined: " + line)
            self.assertEqual(lab.read_subnet(host="H-0").lfts, before.lfts)
            sm.kill()
            sm = self.start(lab, "lenient", options={"routing_engine": WITH_MINHOP, **options})
            sm.wait_log("selvedge: declined: " + line, timeout_s=40)
            self.minhop_routes(lab, sm, hosts=4)
            self.check_alive(sm)
            # The file is corrected while opensm runs: the next sweep routes with our engine.
            if path.is_dir():
                path.rmdir()
            path.write_text(PLUGIN_STATUS.replace("@FOLDER@", str(sm.folder)), encoding="utf-8")
            mark = sm.mark()
            sm.send_sighup()
            sm.wait_log(r"selvedge: (routed|adopted)", after=mark, timeout_s=40)
            self.check(lab, sm, hosts=4, switches=4)  # the status socket exists too
            self.assertIsNone(sm.ask("status")["config_error"])
            sm.wait_status(lambda status: status["fast_path"]["ready"], timeout_s=40)

    def test_plugin_toml_with_an_error(self):
        self.bad_toml("[engine\nroot = 1\n", r".*shared\.toml:1: correct the TOML at this line")

    def test_plugin_toml_with_an_unknown_key(self):
        self.bad_toml("[engine]\nmax_vl = 4\n",
                      r"unknown key 'max_vl' in \[engine\]: .*shared\.toml:2: "
                      r"did you mean 'max_vls'\?")

    def test_plugin_toml_that_cannot_be_read(self):
        def spoil(path):
            path.unlink()
            path.mkdir()
        self.bad_toml("", r"cannot read the plugin's configuration: .*shared\.toml: "
                      "give a file that can be read", spoil)

    def test_plugin_toml_that_is_missing(self):
        """plugin.toml does not exist: one log line names the file and says what to do; our engine routes
        with default settings."""
        with self.start_lab(ring_net(4)) as lab:
            path = lab.folder / "etc" / "plugin.toml"
            sm = self.start(lab, options={"event_plugin_options": f"selvedge:{path}"})
            sm.wait_log(r"selvedge: event_plugin_options names a file that does not exist: \S*/etc/plugin\.toml: "
                        r"copy share/selvedge/plugin\.toml of the install prefix there", timeout_s=40)
            sm.wait_up(timeout_s=40)
            self.assertRegex(sm.log.text(), r"selvedge: (routed|adopted): 4 switches")
            self.assertEqual(walk_all_pairs(lab.read_subnet(host=sm.host)).broken, [])
            # The file is created while opensm runs: the next sweep reads it.
            path.parent.mkdir()
            path.write_text(PLUGIN_STATUS.replace("@FOLDER@", str(sm.folder)), encoding="utf-8")
            mark = sm.mark()
            sm.send_sighup()
            sm.wait_log(r"selvedge: .*etc/plugin\.toml was reloaded", after=mark, timeout_s=40)
            status = sm.folder / "status.json"
            self.eventually(lambda: self.assertIsNone(json.loads(status.read_text(encoding="utf-8") if status.exists()
                                                                 else '{"config_error": 1}')["config_error"]))
            self.check_alive(sm)

    def test_no_plugin_toml_means_defaults(self):
        with self.start_lab(ring_net(4)) as lab:
            sm = self.start(lab, options={"event_plugin_options": None})
            sm.wait_up(timeout_s=40)
            self.assertRegex(sm.log.text(), r"selvedge: (routed|adopted): 4 switches")

    def test_spf_on_a_torus_is_refused(self):
        """The plugin logs the cycle. Then our updn routes, or with fallback = "opensm" no engine of the
        plugin."""
        cycle = (r"selvedge: the tables of spf are not deadlock free: "
                 r"S-\d-\d:\d VL0 -> (S-\d-\d:\d VL0 -> )+S-\d-\d:\d VL0")
        with self.start_lab(torus_net(5, 5)) as lab:
            sm = self.start(lab, options={"routing_engine": "selvedge-spf,no_fallback"})
            sm.wait_log(cycle, timeout_s=40)
            sm.wait_up(timeout_s=40)
            sweep = sm.ask("status")["last_sweep"]
            self.assertEqual((sweep["outcome"], sweep["tables_of"]), ("fell back", "updn"))
            self.check(lab, sm, hosts=25, switches=25)
            lab.cut("S-0-0", 2)
            self.wait_fabric(sm, links=49)
            self.check(lab, sm, hosts=25, switches=25)
            sm.kill()
            sm = self.start(lab, "decliner", toml=PLUGIN_STATUS +
                            '[engine]\nfallback = "opensm"\n[adopt]\nenabled = false\n',
                            options={"routing_engine": "selvedge-spf,no_fallback"})
            sm.wait_log(cycle, timeout_s=40)
            self.nothing_routes(lab, sm, "selvedge: declined: nothing could be proved for spf")
            status = sm.ask("status")
            self.assertGreater(status["declined"], 0)
            self.assertRegex(status["failures"][0], "not deadlock free")

    def test_options_that_the_self_check_warns_of(self):
        with self.start_lab(ring_net(4)) as lab:
            sm = self.start(lab, options={"routing_engine": "selvedge-updn", "qos": False,
                                          "use_ucast_cache": True, "sweep_interval": 0})
            for line in ("write `qos TRUE`", "write `use_ucast_cache FALSE`",
                         "write `sweep_interval 10`",
                         "write `routing_engine selvedge-ENGINE,no_fallback`"):
                sm.wait_log("selvedge: self-check: .*" + line, timeout_s=40)
            sm.wait_up(timeout_s=40)
            self.check(lab, sm, hosts=4, switches=4)
            self.assertEqual(len([c for c in sm.ask("status")["self_check"] if not c["ok"]]), 4)

    def test_two_opensm_with_one_status_socket(self):
        with self.start_lab(ring_net(4)) as lab:
            first = self.start(lab, "first", host="H-0", options={"sm_priority": 10})
            first.wait_up(timeout_s=40)
            path = first.folder / "plugin.sock"
            second = self.start(lab, "second", host="H-2", options={"sm_priority": 5},
                                toml=PLUGIN_STATUS.replace("@FOLDER@/plugin.sock", str(path)))
            second.wait_log(r"selvedge: another process serves this status socket.*set \[status\] "
                            r"socket in plugin.toml", timeout_s=40)
            second.wait_log("Entering STANDBY", timeout_s=40)
            self.assertEqual(first.ask("status")["role"], "master")
            second.terminate()
            self.assertEqual(first.ask("status")["role"], "master")
            # A socket whose owner was killed is taken over.
            first.kill()
            mark = first.mark()
            first.start()
            first.wait_up(after=mark, timeout_s=40)
            self.assertEqual(first.ask("status")["role"], "master")
            # An opensm that ends orderly removes the socket.
            first.terminate(timeout_s=10)
            self.assertFalse(os.path.exists(path))

    def test_a_status_file_that_cannot_be_written(self):
        with self.start_lab(ring_net(4)) as lab:
            sm = self.start(lab, toml=PLUGIN_STATUS.replace(
                "@FOLDER@/status.json", "/proc/no/such/folder/status.json"))
            sm.wait_log("selvedge: cannot write the status file", timeout_s=40)
            sm.wait_up(timeout_s=40)
            self.check(lab, sm, hosts=4, switches=4)
            self.assertEqual(sm.log.text().count("cannot write the status file"), 1)

    def test_a_root_that_is_no_switch(self):
        with self.start_lab(ring_net(4)) as lab:
            sm = self.start(lab, toml=PLUGIN_STATUS + '[engine]\nroot = "S-99"\n')
            sm.wait_log(r'selvedge: \[engine\] root = "S-99" is no switch', timeout_s=40)
            sm.wait_up(timeout_s=40)
            self.check(lab, sm, hosts=4, switches=4)
            for _ in range(3):
                sweeps = sm.ask("status")["sweeps"]
                sm.send_sighup()
                sm.wait_status(lambda s, n=sweeps: s["sweeps"] > n, timeout_s=40)
            remarks = sm.ask("status")["last_sweep"]["remarks"]
            self.assertEqual(len([r for r in remarks if "S-99" in r]), 1, remarks)

    def test_roots_that_contradict(self):
        """GUIDs that the fabric does not have, and a root of plugin.toml beside: a line each, and all are routed."""
        with self.start_lab(generated_net("tree:k=2,n=2")) as lab:
            roots = lab.folder / "roots"
            roots.write_text("0x1234 # nobody\n", encoding="utf-8")
            toml = PLUGIN_STATUS + '[engine]\ndeadline_ms = 60000\nroot = "{}"\n'
            for name, root, lines in (
                    ("unknown", "", ["root_guid_file: GUID 0x0000000000001234 is of no switch in this fabric: "
                                     ".*/roots:1: the levels are determined without it"]),
                    ("two", "S-1-0", [r"\[engine\] root of plugin.toml wins over root_guid_file"])):
                with self.subTest(name):
                    sm = self.start(lab, name, toml=toml.format(root), options={"root_guid_file": roots})
                    sm.wait_up(timeout_s=40)
                    for line in lines:
                        self.assertEqual(len(re.findall(f"selvedge: {line}", sm.log.text())), 1, sm.log.text())
                    self.check(lab, sm, hosts=4, switches=4)
                    sm.kill()


if __name__ == "__main__":
    unittest.main()
