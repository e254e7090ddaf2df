# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""OpenSM's options of routing in opensm.conf: each is honoured, as read back from the switches, or named in
one line of the self-check. The table in docs/operators.md has a row for each."""
import re
import unittest

from fabrics import pair_net
from opensm_case import PLUGIN_STATUS, ROOT, OpenSmCase, net
from tools.lab import torus_net

NO_EFFECT = "selvedge: self-check: opensm.conf sets what has no effect with selvedge-"
FILES = ("port_search_ordering_file", "lid_matrix_dump_file", "lfts_file", "ids_guid_file", "torus_config")
BALANCE = ("hop_weights_file", "port_prof_ignore_file", "guid_routing_order_file")
LEVELS = ("root_guid_file", "cn_guid_file", "io_guid_file")
VALUES = {"port_profile_switch_nodes": True, "quasi_ftree_indexing": True, "max_reverse_hops": 2, "guid_routing_order_no_scatter": True,
          "port_shifting": True, "scatter_ports": 7, "do_mesh_analysis": True, "lash_start_vl": 1,
          "nue_max_num_vls": 2, "nue_include_switches": True}
QOS = {f"qos_{kind}{table}": value for kind in ("", "ca_", "sw0_", "swe_", "rtr_")
       for table, value in (("vlarb_high", f"0:{len(kind) + 1}"), ("vlarb_low", f"1:{len(kind) + 1}"),
                            ("sl2vl", "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1," + str(len(kind))))}

PAIR = pair_net()
ENGINES = ("updn", "balanced")  # that balance by what they have routed so far, on a fabric without levels


class RoutingOptions(OpenSmCase):
    def named(self, sm, engine):
        """The names in the line, which is in the log once and in the status."""
        lines = [line for line in sm.log.text().splitlines() if NO_EFFECT in line]
        self.assertEqual(len(lines), 1, lines)
        names = re.search(re.escape(NO_EFFECT) + rf"{engine}: (.*?): take these lines out", lines[0])[1]
        bad = [item for item in sm.ask("status")["self_check"] if not item["ok"]]
        self.assertTrue(any(item["what"].endswith(f"selvedge-{engine}: {names}") for item in bad), bad)
        return names.split(", ")

    def files(self, lab, names):
        """A file for each option, with the GUID of a switch that is in no fabric."""
        found = {}
        for name in names:
            path = lab.folder / name
            path.write_text("0x1234\n", encoding="utf-8")
            found[name] = path
        return found

    def test_what_no_engine_of_ours_reads_is_named(self):
        with self.start_lab(torus_net(3, 3)) as lab:
            options = {**self.files(lab, FILES), **VALUES}
            sm = self.start(lab, host="H-0-0", options={**options, **QOS})
            sm.wait_up(timeout_s=40)
            named = self.eventually(lambda: self.named(sm, "updn"))
            for name in options:
                with self.subTest(option=name):
                    self.assertIn(name, named)
            self.assertEqual(len(named), len(options), named)
            self.check(lab, sm, hosts=9, switches=9)

    def test_files_of_levels_are_named_by_engines_of_tori(self):
        with self.start_lab(torus_net(4, 4)) as lab:
            sm = self.start(lab, host="H-0-0", options={**self.files(lab, LEVELS + BALANCE),
                                                        "routing_engine": "selvedge-ist,no_fallback"})
            sm.wait_up(timeout_s=40)
            self.assertEqual(sorted(self.eventually(lambda: self.named(sm, "ist"))), sorted(LEVELS + BALANCE))

    def test_sm_sl(self):
        """The SL to the subnet manager, as the hosts' PortInfo has it, which ibsim's do not keep."""
        with self.start_lab(torus_net(4, 4), subnet="emulate") as lab:
            for engine, honoured in (("updn", True), ("ist", False)):
                with self.subTest(engine=engine):
                    sm = self.start(lab, engine, host="H-0-0", options={
                        "sm_sl": 3, "routing_engine": f"selvedge-{engine},no_fallback"},)
                    sm.wait_up(timeout_s=40)
                    if honoured:
                        self.assertNotIn(NO_EFFECT, sm.log.text())
                        lid = lab.read_subnet(host=sm.host).host_named("H-2-2").lid
                        info = lab.tool("smpquery", "portinfo", lid, 1, host=sm.host)
                        self.assertEqual(re.search(r"SMSL:\.*(\d+)", info)[1], "3")
                    else:
                        self.assertGreater(sm.ask("status")["last_sweep"]["sls_used"], 1)
                        self.assertEqual(self.eventually(lambda: self.named(sm, "ist")), ["sm_sl"])  # noqa: B023
                    sm.kill()

    # -- what is honoured, read back from the switches: two switches with two cables, three hosts at each

    def start_pair(self, lab, engine="updn", **files):
        options = {"routing_engine": f"selvedge-{engine},no_fallback"}
        for name, text in files.items():
            (lab.folder / name).write_text(text, encoding="utf-8")
            options[name] = lab.folder / name
        sm = self.start(lab, host="A-0", options=options)
        sm.wait_up(timeout_s=40)
        self.assertEqual(sm.ask("status")["last_sweep"]["tables_of"], engine)
        return sm

    def ports(self, lab, sm, switch, to):
        """The ports by which a switch sends to the three hosts at the other."""
        subnet, _ = self.check(lab, sm, hosts=6, switches=2)
        lft = subnet.lfts[subnet.switch_named(switch).guid]
        return [lft[subnet.host_named(f"{to}-{i}").lid] for i in range(3)]

    def guids(self, engine="updn"):
        """The GUIDs of the pair's switches and hosts by name, as the emulator and ibsim give them."""
        with self.start_lab(PAIR) as lab:
            sm = self.start_pair(lab, engine)
            self.assertEqual(self.ports(lab, sm, "A", "B"), [1, 2, 1])
            self.assertEqual(self.ports(lab, sm, "B", "A"), [1, 2, 1])
            subnet = lab.read_subnet(host=sm.host)
            return {**{s.name: s.guid for s in subnet.switches.values()},
                    **{h.name: h.guid for h in subnet.hosts}}

    def test_the_order_of_destinations(self):
        for engine in ENGINES:
            with self.subTest(engine=engine):
                guid = self.guids(engine)
                with self.start_lab(PAIR) as lab:
                    sm = self.start_pair(lab, engine, guid_routing_order_file=f"# the busy ones first\n{guid['B-1']:#x} B-1\n"
                                                                              f"{guid['B-0']:#x}\n0x99\n")
                    self.assertEqual(self.ports(lab, sm, "A", "B"), [2, 1, 1])
                    self.assertEqual(self.ports(lab, sm, "B", "A"), [1, 2, 1])
                    self.assertNotIn(NO_EFFECT, sm.log.text())
                    self.assertRegex(sm.log.text(), r"guid_routing_order_file: 1 of 3 GUIDs are of no host's port in this "
                                                    r"fabric, the first 0x0000000000000099: .*:4: the others are used")

    def test_weights_of_cables(self):
        for engine in ENGINES:
            with self.subTest(engine=engine):
                self.weights_of_cables(engine, self.guids(engine))

    def weights_of_cables(self, engine, guid):
        with self.start_lab(PAIR) as lab:
            weights = f"{guid['A']:#x} 1 3 # slow\n{guid['A']:#x} 77 2\n0x99 1 2\n"
            sm = self.start_pair(lab, engine, hop_weights_file=weights)
            self.assertEqual(self.ports(lab, sm, "A", "B"), [2, 2, 2])
            self.assertEqual(self.ports(lab, sm, "B", "A"), [1, 2, 1])
            self.assertNotIn(NO_EFFECT, sm.log.text())
            self.assertRegex(sm.log.text(), r"hop_weights_file: 2 of 3 lines name a port that no switch has")
            # Another content is in force after the next sweep; one with a mistake changes nothing.
            (lab.folder / "hop_weights_file").write_text(f"{guid['B']:#x} 2 3\n", encoding="utf-8")
            sm.send_sighup()
            self.eventually(lambda: self.assertEqual(
                (self.ports(lab, sm, "A", "B"), self.ports(lab, sm, "B", "A")), ([1, 2, 1], [1, 1, 1])))
            (lab.folder / "hop_weights_file").write_text(f"{guid['B']:#x} 2 0\n", encoding="utf-8")
            sm.send_sighup()
            sm.wait_log(r"hop_weights_file: '0x.* 2 0' is no port with a weight: .*:1: .*; its previous content "
                        r"stays in force")
            self.assertEqual(self.ports(lab, sm, "B", "A"), [1, 1, 1])

    def test_ports_ignored_in_the_balance(self):
        for engine in ENGINES:
            with self.subTest(engine=engine):
                guid = self.guids(engine)
                with self.start_lab(PAIR) as lab:
                    sm = self.start_pair(lab, engine, port_prof_ignore_file=f"{guid['A']:#x} 2\n")
                    self.assertEqual(self.ports(lab, sm, "A", "B"), [1, 2, 2])
                    self.assertEqual(self.ports(lab, sm, "B", "A"), [1, 2, 1])
                    self.assertNotIn(NO_EFFECT, sm.log.text())

    def test_throttled_links(self):
        """A cable that has come up with one lane where both ports are enabled for four, and one that comes down to
        one: paths avoid it as long as there is another."""
        slow = re.sub(r'(?m)^(\[1\] "[AB]"\[1\])$', r"\1 w=1", PAIR)
        self.assertEqual(slow.count("w=1"), 2)
        lanes = {"force_link_width": 3, "force_link_speed": 0}  # one lane or four; the emulator's ports support 12
        with self.start_lab(slow, subnet="emulate") as lab:
            sm = self.start(lab, host="A-0", options={**lanes, "avoid_throttled_links": True})
            sm.wait_up(timeout_s=40)

            def avoided():
                self.assertEqual((self.ports(lab, sm, "A", "B"), self.ports(lab, sm, "B", "A")), ([2] * 3, [2] * 3))
            # OpenSM enables four lanes at the end of its first sweep, so that the second sees what lacks.
            sm.send_sighup()
            self.eventually(avoided)
            self.assertNotIn(NO_EFFECT, sm.log.text())
            self.assertRegex(sm.log.text(), "selvedge: avoid_throttled_links: 1 cable is slower than both ports are "
                                            "enabled for, the first at [AB]:1: no path takes them")
            sm.kill()
            sm = self.start(lab, "without", host="A-0", options=lanes, toml=PLUGIN_STATUS + "[engine]\ndeadline_ms = "
                                                                                          "60000\n[adopt]\nenabled = false\n")
            sm.wait_up(timeout_s=40)
            self.eventually(lambda: self.assertEqual(self.ports(lab, sm, "A", "B"), [1, 2, 1]))

    def test_roots_are_connected(self):
        """Two roots without a cable between them, with hosts at one of them: every switch has a path to every other's
        LID, as connect_roots demands."""
        tree = net({"R": 4, "Q": 4, "A": 4, "B": 4}, [("R", 1, "A", 1), ("R", 2, "B", 1), ("Q", 1, "A", 2),
                                                      ("Q", 2, "B", 2)],
                   {"A-0": [("A", 3)], "B-0": [("B", 3)], "A-1": [("A", 4)], "B-1": [("B", 4)], "R-0": [("R", 3)]})
        with self.start_lab(tree) as lab:
            sm = self.start(lab, host="A-0")
            sm.wait_up(timeout_s=40)
            roots = {s.name: s.guid for s in lab.read_subnet(host=sm.host).switches.values()}
            sm.kill()
        for engine in ("updn", "dmodk"):
            with self.subTest(engine=engine), self.start_lab(tree) as lab:
                (lab.folder / "roots").write_text(f"{roots['R']:#x}\n{roots['Q']:#x}\n", encoding="utf-8")
                sm = self.start(lab, host="A-0", options={
                    "connect_roots": True, "root_guid_file": lab.folder / "roots",
                    "routing_engine": f"selvedge-{engine},no_fallback"})
                sm.wait_up(timeout_s=40)
                subnet, _ = self.check(lab, sm, hosts=5, switches=4)
                for source in subnet.switches.values():
                    for target in subnet.switches.values():
                        at, steps = source.guid, 0
                        while at != target.guid:
                            port = subnet.lfts[at].get(target.lid)
                            self.assertIn((at, port), subnet.cables, f"{source.name} to {target.name}")
                            at, steps = subnet.cables[at, port][0], steps + 1
                            self.assertLessEqual(steps, 4)
                self.assertNotIn(NO_EFFECT, sm.log.text())
                sm.kill()

    def test_files_that_cannot_be_used_leave_the_fabric_routed(self):
        with self.start_lab(PAIR) as lab:
            sm = self.start_pair(lab, hop_weights_file="0x1\n", port_prof_ignore_file="\n",
                                 guid_routing_order_file="spine\n")
            self.assertEqual(self.ports(lab, sm, "A", "B"), [1, 2, 1])
            for line in (r"hop_weights_file: '0x1' is no port with a weight", "port_prof_ignore_file: no port is in",
                         "guid_routing_order_file: 'spine' is no GUID"):
                self.assertRegex(sm.log.text(), rf"selvedge: {line}.*; the fabric is routed without it")

    def test_nothing_is_named_by_default(self):
        with self.start_lab(torus_net(3, 3)) as lab:
            sm = self.start(lab, host="H-0-0")
            sm.wait_up(timeout_s=40)
            items = sm.ask("status")["self_check"]
            self.assertIn("no option of routing is set that has no effect", [i["what"] for i in items])
            self.assertNotIn(NO_EFFECT, sm.log.text())

    def test_the_table_of_the_documentation(self):
        text = (ROOT / "docs" / "operators.md").read_text(encoding="utf-8")
        table = text[text.index("## Options of OpenSM's own routing"):]
        table = table[:table.index("\n## ", 3)]
        for name in (*FILES, *LEVELS, *BALANCE, *VALUES, "avoid_throttled_links", "connect_roots", "sm_sl", "use_ucast_cache", "qos_vlarb_high", "qos_vlarb_low",
                     "qos_sl2vl", "qos_ca_", "qos_sw0_", "qos_swe_", "qos_rtr_"):
            with self.subTest(option=name):
                self.assertIn(f"`{name}`", table)


if __name__ == "__main__":
    unittest.main()
