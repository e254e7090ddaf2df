# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""A restarted SM, and a standby SM that takes over: they keep the tables that they find in the switches if
they can prove them."""
import unittest

from opensm_case import OpenSmCase, generated_net
from tools.lab import PLUGIN_STATUS, LabError, torus_net

STANDBY = {"sminfo_polling_timeout": 500, "polling_retry_number": 2}


class Takeover(OpenSmCase):
    PAIRS = (("H-0-1", "H-3-2"), ("H-2-2", "H-0-0"), ("H-1-3", "H-2-1"))

    def sls(self, lab, subnet, host):
        """{(source LID, DLID): SL} that the SA answers for some pairs of hosts, to each LID of the
        destination."""
        result = {}
        for a, b in self.PAIRS:
            source, target = subnet.host_named(a), subnet.host_named(b)
            for lid in target.lids:
                # ibsim loses the first MADs to a port whose last client was killed.
                result[source.lid, lid] = self.eventually(
                    lambda: self.record(lab, source.lid, lid, host))["sl"]  # noqa: B023
        return result

    def record(self, lab, source_lid, lid, host):
        record = lab.path_record(source_lid, lid, host=host)
        self.assertIsNotNone(record, (source_lid, lid))
        return record

    def lids(self, subnet):
        return sorted((h.guid, h.lid, h.lmc) for h in subnet.hosts) + sorted(
            (s.guid, s.lid) for s in subnet.switches.values())

    def restart(self, sm):
        mark = sm.mark()
        sm.kill()
        sm.start()
        sm.wait_up(after=mark, timeout_s=40)
        return mark

    def test_a_restart_adopts(self):
        for lmc in (0, 1):
            with self.subTest(lmc=lmc), self.start_lab(torus_net(4, 4)) as lab:
                sm = self.start(lab, host="H-0-0", options={"lmc": lmc})
                sm.wait_up(timeout_s=40)
                before, _ = self.check(lab, sm, hosts=16, switches=16)
                sls = self.sls(lab, before, "H-1-1")
                mark = self.restart(sm)
                self.assertEqual(sm.ask("status")["last_sweep"]["outcome"], "adopted",
                                 sm.log.text(mark))
                after, _ = self.check(lab, sm, hosts=16, switches=16)
                self.assert_same_lfts(after.lfts, before.lfts)
                self.assertEqual(self.lids(after), self.lids(before))
                self.assertEqual(self.sls(lab, after, "H-1-1"), sls)
                lab.cut("S-1-1", 2)
                self.wait_fabric(sm, links=31)
                self.check(lab, sm, hosts=16, switches=16)

    def test_a_restart_adopts_tables_of_another_engine(self):
        """The tables are OpenSM's minhop on a line of switches: no tables of our engines, but free of
        cycles, so they are proved and kept."""
        with self.start_lab(generated_net("mesh:1x6,hosts=2")) as lab:
            first = lab.opensm("first", options={"routing_engine": "minhop"})
            first.wait_up(timeout_s=40)
            before = lab.read_subnet()
            first.kill()
            sm = self.start(lab)
            sm.wait_up(timeout_s=40)
            self.assertEqual(sm.ask("status")["last_sweep"]["outcome"], "adopted")
            after, _ = self.check(lab, sm, hosts=12, switches=6)
            self.assert_same_lfts(after.lfts, before.lfts)

    def test_a_restart_adopts_with_an_engine_that_takes_long(self):
        """tftr takes longer here than the 500 ms of a sweep. Its SLs are needed to prove what is found."""
        with self.start_lab(torus_net(10, 10)) as lab:
            sm = self.start(lab, toml=PLUGIN_STATUS + "[engine]\nmax_vls = 8\n",  # and no deadline_ms
                            options={"routing_engine": "selvedge-tftr,no_fallback", "lmc": 4})
            sm.wait_up(timeout_s=60)
            sm.wait_status(lambda s: s["last_sweep"]["tables_of"] == "tftr", timeout_s=120)
            before = lab.read_subnet()
            self.restart(sm)
            self.assertEqual(sm.ask("status")["last_sweep"]["outcome"], "adopted")
            self.assert_same_lfts(lab.read_subnet().lfts, before.lfts)

    def test_adoption_can_be_turned_off(self):
        with self.start_lab(torus_net(3, 3)) as lab:
            sm = self.start(lab, toml=PLUGIN_STATUS + "[adopt]\nenabled = false\n")
            sm.wait_up(timeout_s=40)
            self.restart(sm)
            self.assertEqual(sm.ask("status")["last_sweep"]["outcome"], "routed")
            self.check(lab, sm, hosts=9, switches=9)

    def test_tables_that_can_deadlock_are_not_adopted(self):
        with self.start_lab(torus_net(6, 6)) as lab:
            first = lab.opensm("first", host="H-0-0", options={"routing_engine": "minhop"})
            first.wait_up(timeout_s=40)
            minhop = lab.read_subnet()
            proof = self.verify(minhop.tables_path, topology=minhop.topology_path)
            self.assertEqual((proof["status"], proof["deadlock_free"]), (1, False))
            first.kill()
            sm = self.start(lab, host="H-0-0")
            sm.wait_up(timeout_s=40)
            self.assertEqual(sm.ask("status")["last_sweep"]["outcome"], "routed")
            ours, _ = self.check(lab, sm, hosts=36, switches=36)
            self.assertNotEqual(ours.lfts, minhop.lfts)

    def test_a_table_that_was_tampered_with_is_not_adopted(self):
        """An LFT entry of S-1-1 was changed while no SM ran, so that the path leads nowhere."""
        with self.start_lab(torus_net(4, 4)) as lab:
            sm = self.start(lab, host="H-0-0")
            sm.wait_up(timeout_s=40)
            before, _ = self.check(lab, sm, hosts=16, switches=16)
            sm.kill()
            switch, victim = before.switch_named("S-1-1"), before.host_named("H-3-3")
            # The answer to this Set crosses the same switch, but its DLID is another one.
            self.client(lab, "H-0-0", "entry", switch.lid, victim.lid, 5)
            self.assertEqual(lab.read_lft(switch.lid, host="H-0-0")[victim.lid], 5)
            mark = sm.mark()
            sm.start()
            sm.wait_up(after=mark, timeout_s=40)
            self.assertEqual(sm.ask("status")["last_sweep"]["outcome"], "routed")
            after, _ = self.check(lab, sm, hosts=16, switches=16)
            self.assert_same_lfts(after.lfts, before.lfts)

    def test_a_fault_while_no_sm_is_there(self):
        """The tables in the switches use a cable that is gone: the SM routes anew, and keeps LIDs and
        SLs."""
        with self.start_lab(torus_net(4, 4)) as lab:
            sm = self.start(lab, host="H-0-0", options={"lmc": 1})
            sm.wait_up(timeout_s=40)
            before, _ = self.check(lab, sm, hosts=16, switches=16)
            sls = self.sls(lab, before, "H-1-1")
            sm.kill()
            lab.cut("S-2-1", 4)
            mark = sm.mark()
            sm.start()
            sm.wait_up(after=mark, timeout_s=40)
            self.wait_fabric(sm, links=31)
            after, _ = self.check(lab, sm, hosts=16, switches=16)
            self.assertEqual(self.lids(after), self.lids(before))
            self.assertEqual(self.sls(lab, after, "H-1-1"), sls)

    def test_a_standby_takes_over(self):
        with self.start_lab(torus_net(4, 4)) as lab:
            first = self.start(lab, "first", host="H-0-0", options={"sm_priority": 10, **STANDBY})
            first.wait_up(timeout_s=40)
            before, _ = self.check(lab, first, hosts=16, switches=16)
            sls = self.sls(lab, before, "H-1-1")

            second = self.start(lab, "second", host="H-3-1",
                                options={"sm_priority": 5, **STANDBY})
            second.wait_log("Entering STANDBY state", timeout_s=40)
            # A standby writes nothing to the switches, and its status says that it is a standby.
            status = second.wait_status(lambda s: s["role"] == "standby", timeout_s=40)
            self.assertIsNone(status["last_sweep"])
            self.assertEqual(status["sweeps"], 0)
            with self.assertRaisesRegex(LabError, "no tables of Selvedge are in force"):
                second.ask("tables")
            with_both, _ = self.check(lab, first, hosts=16, switches=16)
            self.assert_same_lfts(with_both.lfts, before.lfts)

            mark = second.mark()
            first.kill()
            second.wait_up(after=mark, timeout_s=60)
            status = second.ask("status")
            self.assertEqual((status["role"], status["last_sweep"]["outcome"]),
                             ("master", "adopted"))
            after, _ = self.check(lab, second, hosts=16, switches=16)
            self.assert_same_lfts(after.lfts, before.lfts)
            self.assertEqual(self.lids(after), self.lids(before))
            self.assertEqual(self.sls(lab, after, "H-1-1"), sls)

            lab.cut("S-1-1", 4)
            self.wait_fabric(second, links=31)
            self.check(lab, second, hosts=16, switches=16)


if __name__ == "__main__":
    unittest.main()
