# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Awaited tables are installed while a multicast group is in use, live. The old multicast tree closes a cycle
with the new paths, so that the group pauses: no order is left unproved, and every member is reached again."""
import re
import unittest

from group_case import GroupCase
from opensm_case import generated_net
from tools.lab import PLUGIN_STATUS, torus_net

LATE = PLUGIN_STATUS + "[engine]\ndeadline_ms = 0\n"


class PausedGroups(GroupCase):
    def install(self, net, engine, lmc, last, members, pauses):
        """Tables of `engine` replace those of updn, which serve since the switch `last` is new."""
        with self.start_lab(net) as lab:
            lab.cut(last)
            sm = self.start(lab, options={"routing_engine": f"selvedge-{engine},no_fallback", "lmc": lmc}, toml=LATE)
            sm.wait_up(timeout_s=60)
            def own(status):
                sweep = status["last_sweep"]
                return sweep and sweep["tables_of"] == engine and sweep["awaited"] is None
            sm.wait_status(own, timeout_s=60)
            for name in members:
                self.client(lab, name, "join")
            self.check_soon(lab, sm, members)

            switches = sm.ask("status")["last_sweep"]["switches"]
            mark = sm.mark()
            lab.relink(last)
            # The switch is new to the plugin, so that the sweep routes anew: by updn, until the engine is ready.
            sm.wait_status(lambda s: own(s) and s["last_sweep"]["switches"] == switches + 1, timeout_s=120)
            self.eventually(lambda: self.assertFalse(sm.ask("status")["fast_path"]["groups_paused"]))
            self.check_soon(lab, sm, members)
            self.check(lab, sm)
            log = sm.log.text(mark)
            sent = re.findall(rf"the tables of {engine} are ready .* instead of those of updn: .* sent ([a-z, ]+), \d+ paths",
                              log)
            self.assertTrue(sent, log[-3000:])
            for order in sent:
                self.assertNotIn("window", order)
            self.assertNotIn("packets may deadlock", log)
            paused = sum("groups paused" in order for order in sent)
            self.assertEqual(paused, log.count("groups pause: they lose"))
            if pauses:
                self.assertGreater(paused, 0, sent)
                self.assertGreaterEqual(sm.ask("status")["fast_path"]["group_pauses"], paused)

    def test_tftr_on_a_mesh(self):
        self.install(generated_net("mesh:3x4"), "tftr", 4, "S-2-3", ["H-0-1", "H-0-3", "H-2-0", "H-1-2"], True)

    def test_ist_on_a_torus(self):
        self.install(torus_net(5, 5), "ist", 2, "S-4-4", ["H-0-1", "H-0-3", "H-2-0", "H-3-2", "H-4-1"], False)


if __name__ == "__main__":
    unittest.main()
