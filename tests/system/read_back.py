# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Cases whose tables are read back from the switches and the SA (tools/lab/read_tables.py)."""
from opensm_case import OpenSmCase, number
from tools.lab.read_tables import read_tables


class ReadBack(OpenSmCase):
    @staticmethod
    def read_back(lab, sm, told=None):
        """(subnet, SLs, path of a selvedge-tables-1 file), as read_tables() has them. SLs of pairs without a path
        record are those of `told`, the plugin's document of its tables."""
        unused = None if told is None else {number(s["guid"]): told["path_sl"][s["id"]]
                                            for s in told["fabric"]["switches"]}
        return read_tables(lab, sm.host, unused)

    def read_told(self, lab, sm):
        """read_back(), which must be what the plugin reports. After a fault it is so only once nothing changes any
        more while it is read: more steps follow the first repair."""
        subnet, sls, path = self.read_back(lab, sm)
        self.check_told(sm, subnet, sls)
        return subnet, sls, path

    def check_told(self, sm, subnet, sls):
        """Asserts that the LFTs and SLs that the plugin reports are those that were read back."""
        reported = sm.ask("tables")
        self.assert_same_lfts(self.reported_lfts(reported), self.seen_lfts(subnet))
        ids = {number(s["guid"]): s["id"] for s in reported["fabric"]["switches"]}
        wrong = [(guid, lid) for (guid, lid), sl in sls.items()
                 if reported["path_sl"][ids[guid]][lid] != sl]
        self.assertEqual(wrong, [])
