# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""SL2VL rows of another time, with `qos FALSE`: OpenSM neither reads nor writes them then. Those that drop
packets are replaced; where that cannot be, nobody claims that all pairs are connected. Judged by walking
the LFTs against the rows, both read back from the switches."""
import re
import unittest

from opensm_case import OpenSmCase
from tools.lab import PLUGIN_STATUS, dropped_by_rows, torus_net, walk_all_pairs

ENGINE = "[engine]\ndeadline_ms = 60000\nroot = \"{}\"\n"
STANDBY = {"sminfo_polling_timeout": 500, "polling_retry_number": 2}


def settings(root, extra=""):
    return PLUGIN_STATUS + ENGINE.format(root) + "[adopt]\nenabled = false\n" + extra


class FoundRows(OpenSmCase):
    def dropped(self, lab, sm):
        """{(source LID, DLID, SL): where} of the packets that rows drop."""
        subnet = lab.read_subnet(host=sm.host)
        survey = walk_all_pairs(subnet)
        self.assertEqual(survey.broken, [], survey.first_fault())
        ports = {(guid, port) for walk in survey.walks.values() for guid, port in walk.hops}
        rows = {}
        for guid, port in ports:
            rows.setdefault(guid, {}).update(lab.read_sl2vl(subnet.switches[guid].lid, port, host=sm.host))
        guid, port = next(iter(ports))
        info = lab.tool("smpquery", "portinfo", subnet.switches[guid].lid, port, host=sm.host)
        data_vls = int(re.search(r"OperVLs:\.+VL0(?:-(\d+))?", info)[1] or 0) + 1
        return dropped_by_rows(subnet, survey, rows, data_vls)

    def dropped_now(self, lab, sm):
        """How many packets on SL 0 rows drop."""
        return sum(sl == 0 for _, _, sl in self.dropped(lab, sm))

    def harmless(self, lab, sm, **counts):
        """Waits until the plugin has looked at the rows of such a fabric, and checks what it says."""
        def done(status):
            sweep, rows = status["last_sweep"] or {}, status["found_sl2vl_rows"] or {}
            return rows.get("let_pass") and all(sweep.get(k) == v for k, v in counts.items())
        status = sm.wait_status(done, timeout_s=40)
        self.assertIs(status["last_sweep"]["proof"]["connected"], True)
        self.assertEqual(self.dropped(lab, sm), {})
        return status["found_sl2vl_rows"]

    def test_a_restart_with_qos_off(self):
        for engine in ("updn", "tftr"):
            with self.subTest(engine=engine), self.start_lab(torus_net(4, 4)) as lab:
                first = self.start(lab, "guard", host="H-0-0", toml=settings("S-0-0"))
                first.wait_up(timeout_s=40)
                self.assertEqual(self.dropped_now(lab, first), 0)
                first.kill()
                lab.cut("S-3-1")  # it stays behind with its rows, and comes later
                sm = self.start(lab, "off", host="H-0-0", toml=settings("S-2-2"),
                                options={"routing_engine": f"selvedge-{engine},no_fallback", "qos": False})
                sm.wait_up(timeout_s=40)
                rows = self.harmless(lab, sm, switches=15)
                self.assertGreater(rows["replaced"], 0)
                self.assertRegex(sm.log.text(), r"selvedge: with qos FALSE OpenSM writes no SL2VL rows: of "
                                                rf"{rows['rows']} in switches and hosts {rows['replaced']} ")
                lab.relink("S-3-1")
                sm.send_sighup()
                more = self.harmless(lab, sm, switches=16)
                self.assertGreater(more["replaced"], rows["replaced"])
                self.check(lab, sm, hosts=16, switches=16)

    def test_without_the_fast_path_nothing_is_claimed(self):
        with self.start_lab(torus_net(4, 4)) as lab:
            first = self.start(lab, "guard", host="H-0-0", toml=settings("S-0-0"))
            first.wait_up(timeout_s=40)
            first.kill()
            for name, extra, why in (("off", "[repair]\nfast_path = false\n", "fast_path is off"),
                                     ("no-agent", "[repair]\nagent = \"/nonexistent\"\n", "no SMP agent")):
                sm = self.start(lab, name, host="H-0-0", toml=settings("S-2-2", extra),
                                options={"qos": False})
                sm.wait_up(timeout_s=40)
                sm.wait_log(rf"selvedge: SL2VL rows in the switches are unknown.*{why}.*write `qos TRUE`",
                            timeout_s=40)
                status = sm.wait_status(lambda s: (s["found_sl2vl_rows"] or {}).get("failure"), timeout_s=40)
                self.assertIn(why, status["found_sl2vl_rows"]["failure"])
                self.assertIsNone(status["last_sweep"]["proof"]["connected"])
                # Rightly so: rows of before drop packets.
                self.assertGreater(self.dropped_now(lab, sm), 0)
                sm.kill()
            # The remedy of the line.
            sm = self.start(lab, "on", host="H-0-0", toml=settings("S-2-2"))
            sm.wait_up(timeout_s=40)
            self.assertEqual(self.eventually(lambda: self.dropped_now(lab, sm)), 0)
            self.assertIs(sm.ask("status")["last_sweep"]["proof"]["connected"], True)

    def test_a_takeover_with_qos_off(self):
        with self.start_lab(torus_net(4, 4)) as lab:
            first = self.start(lab, "first", host="H-0-0", toml=settings("S-0-0"),
                               options={"sm_priority": 10, **STANDBY})
            first.wait_up(timeout_s=40)
            second = self.start(lab, "second", host="H-3-1", toml=settings("S-2-2"),
                                options={"sm_priority": 5, "qos": False, **STANDBY})
            second.wait_status(lambda s: s["role"] == "standby", timeout_s=40)
            # ibsim never answers what is under way to a client that is killed, such as a first poll.
            self.check(lab, first, hosts=16, switches=16)
            mark = second.mark()
            first.kill()
            second.wait_up(after=mark, timeout_s=60)
            self.assertGreater(self.harmless(lab, second, switches=16)["replaced"], 0)

    def test_sighup_turns_qos_off_and_on(self):
        """OpenSM reads `qos` again with SIGHUP."""
        with self.start_lab(torus_net(4, 4)) as lab:
            sm = self.start(lab, host="H-0-0", toml=settings("S-0-0"))
            sm.wait_up(timeout_s=40)
            conf, toml = sm.folder / "opensm.conf", sm.folder / "plugin.toml"
            text = conf.read_text(encoding="utf-8")
            conf.write_text(text.replace("qos TRUE", "qos FALSE"), encoding="utf-8")
            toml.write_text(toml.read_text(encoding="utf-8").replace("S-0-0", "S-2-2"), encoding="utf-8")
            sm.send_sighup()
            self.assertGreater(self.harmless(lab, sm, switches=16)["replaced"], 0)
            conf.write_text(text, encoding="utf-8")
            sm.send_sighup()
            sm.wait_status(lambda s: s["found_sl2vl_rows"] is None, timeout_s=40)
            # The guard is there again: OpenSM's copies of the rows were those that were replaced.
            subnet, reported = self.check(lab, sm, hosts=16, switches=16)
            self.assertEqual(self.dropped_now(lab, sm), 0)
            guarded = sum(15 in row for switch in subnet.switches.values()
                          for port in range(1, 5)
                          for row in lab.read_sl2vl(switch.lid, port, host=sm.host).values())
            self.assertGreater(guarded, 0)


if __name__ == "__main__":
    unittest.main()
