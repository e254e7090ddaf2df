# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Two clusters as they are really built (conf/fabrics), live: bring-up, a cable cut, a spine dead and
healed, with OpenSM's files of GUIDs. Read back, proved, and judged by ibdmchk, which shares nothing
with this project."""
import re
import subprocess
import unittest

from opensm_case import PATIENCE_S, ROOT, ROUTE, OpenSmCase, generated_net, number
from peers import DUMPS, has_credit_loops, ibdmchk

SPINE = re.compile(r"spine-\d+")


class Trees(OpenSmCase):
    def net(self, name):
        return generated_net(f"file:{ROOT / 'conf' / 'fabrics' / name}")

    def bring_up(self, lab, engine, **options):
        sm = self.start(lab, options={
            "routing_engine": f"selvedge-{engine},no_fallback", "max_wire_smps": 16,
            **DUMPS, **options})
        sm.wait_up(timeout_s=PATIENCE_S)
        return sm

    def check_read_back(self, lab, sm, **counts):
        """As check(), but the tables that are read back are only proved, and not walked for all pairs:
        that takes Python ten seconds on the larger fabric."""
        self.wait_fabric(sm, **counts)

        def check():
            subnet = lab.read_subnet(host=sm.host)
            reported = sm.ask("tables")
            self.assertNotIn("error", reported)
            self.assertEqual(sorted(number(s["guid"]) for s in reported["fabric"]["switches"]),
                             sorted(subnet.switches))
            self.assertEqual(len(reported["fabric"]["links"]), len(subnet.each_cable()))
            self.assert_same_lfts(self.reported_lfts(reported), self.seen_lfts(subnet))
            proof = self.verify(subnet.tables_path, topology=subnet.topology_path)
            self.assertEqual(proof["status"], 0, proof)
            return subnet
        subnet = self.eventually(check)
        self.check_alive(sm)
        return subnet

    def check_credit_loops(self, sm, pairs):
        """Asserts that ibdmchk finds no credit loops in the dumps of OpenSM's last sweep."""
        def check():
            verdict = ibdmchk(sm.folder)
            self.assertIn(f"Scanned:{pairs} CA to CA paths", verdict)
            self.assertFalse(has_credit_loops(verdict))
            self.assertNotRegex(verdict, r"(?m)^-E-")
        self.eventually(check)

    def page(self, sm):
        done = subprocess.run([ROUTE, "status", "--socket", sm.socket], capture_output=True,
                              text=True, timeout=PATIENCE_S, check=True)
        return done.stdout

    @staticmethod
    def guids_of(subnet, spines):
        """The text of a GUID file: node GUIDs of the spines, or else port GUIDs of the adapters that are
        at no spine; each line has a name too."""
        at = {s.guid for s in subnet.switches.values() if SPINE.fullmatch(s.name)}
        found = [(s.guid, s.name) for s in subnet.switches.values() if s.guid in at] if spines else \
            [(h.guid, h.name) for h in subnet.hosts if h.switch not in at]
        return "".join(f"{guid:#018x} {name}\n" for guid, name in sorted(found))

    @staticmethod
    def hint(sm, setting):
        return next(h for h in sm.ask("status")["hint_files"] if h["setting"] == setting)

    def test_31_leaves_and_9_spines_by_updn(self):
        with self.start_lab(self.net("real-40-switches.net")) as lab:
            files = {"root_guid_file": lab.folder / "roots", "cn_guid_file": lab.folder / "compute"}
            files["root_guid_file"].write_text(
                "# the spines\n" + "".join(f"0x{0x5001e0 + 16 * i:016x} # spine-{i + 1:02}\n"
                                           for i in range(9)), encoding="utf-8")
            sm = self.bring_up(lab, "updn", **files)
            # cn_guid_file does not exist yet: the plugin logs that, and routes all the same.
            sm.wait_log(r"selvedge: cn_guid_file: cannot read the GUIDs \(No such file or directory\): "
                        r"\S+/compute: name a readable file; the levels are determined without it")
            subnet, _ = self.check(lab, sm, hosts=582, switches=40)
            self.assertEqual(self.hint(sm, "root_guid_file"), {
                "setting": "root_guid_file", "file": str(files["root_guid_file"]), "guids": 9,
                "unknown": 0, "in_force": True, "overruled": False, "fault": None})
            self.assertFalse(self.hint(sm, "cn_guid_file")["in_force"])
            self.check_credit_loops(sm, 582 * 581)

            files["cn_guid_file"].write_text(self.guids_of(subnet, spines=False), encoding="utf-8")
            mark = sm.mark()
            sm.send_sighup()
            sm.wait_log(r"selvedge: cn_guid_file \S+/compute: 573 GUIDs", after=mark)
            sm.wait_up(after=mark)
            self.check_read_back(lab, sm, links=532)
            self.assertTrue(self.hint(sm, "cn_guid_file")["in_force"])
            self.assertTrue(sm.ask("status")["last_sweep"]["remarks"][0].startswith(
                "a tree of 2 levels"))

            leaf = subnet.switch_named("leaf-01")
            port = min(p for (guid, p), (far, _) in subnet.cables.items() if guid == leaf.guid
                       and subnet.switches[far].name == "spine-05")
            lab.cut("leaf-01", port)
            self.check_read_back(lab, sm, links=531, hosts=582)
            dead = subnet.switch_named("spine-03")
            lost = sum(guid == dead.guid for guid, _ in subnet.cables)
            lab.cut("spine-03")  # its aggregation node is cut off too
            self.check_read_back(lab, sm, switches=39, hosts=581, links=531 - lost)
            self.eventually(lambda: self.assertEqual(self.hint(sm, "root_guid_file")["unknown"], 1))
            sm.wait_log(rf"selvedge: root_guid_file: 1 of 9 GUIDs are of no switch in this fabric, the "
                        rf"first {dead.guid:#018x}: \S+/roots:4: the other GUIDs are used")
            lab.relink("spine-03")
            lab.relink("leaf-01", port)
            self.check_read_back(lab, sm, switches=40, hosts=582, links=532)
            self.eventually(lambda: self.assertEqual(self.hint(sm, "root_guid_file")["unknown"], 0))
            self.check_credit_loops(sm, 582 * 581)
            self.check_load(sm, subnet)

    def check_load(self, sm, subnet):
        """Asserts that the load per port that the plugin reports, over base LIDs, is the one that the
        read-back LFTs give."""
        status = sm.ask("status")
        load, reported = status["base_load"], lab_loads(subnet, sm.ask("tables"))
        self.assertEqual(load["max_host_pairs"], max(reported.values()))
        busiest = max(reported, key=reported.get)
        self.assertEqual(reported[self.end(subnet, load["busiest_from"])], reported[busiest])
        level = {s.guid: bool(SPINE.fullmatch(s.name)) for s in subnet.switches.values()}
        up = [n for (guid, _), n in reported.items() if n and not level[guid]]
        self.assertEqual(load["used_channels"], len(up))
        self.assertEqual(load["mean_over"], "up-cables")
        self.assertAlmostEqual(load["mean_host_pairs"], sum(up) / len(up), places=6)
        self.assertEqual(load["uneven"], load["ratio"] > 1.3)
        page = self.page(sm)
        self.assertIn(f"busiest channel {load['busiest_from']} - {load['busiest_to']}: "
                      f"{load['max_host_pairs']} host pairs, mean {load['mean_host_pairs']:.1f} over "
                      f"{len(up)} used up-cables\n", page)
        self.assertEqual("UNEVEN: " in page, load["uneven"])

    @staticmethod
    def end(subnet, name):
        switch, port = name.rsplit(":", 1)
        return subnet.switch_named(switch).guid, int(port)

    def test_auto_says_what_it_chose(self):
        with self.start_lab(self.net("real-8-switches.net")) as lab:
            sm = self.bring_up(lab, "auto")
            status = sm.ask("status")["last_sweep"]
            self.assertEqual(status["remarks"][0], "dmodk was chosen: the fabric is a fat tree")
            self.check(lab, sm, hosts=status["hosts"], switches=8)
            lab.cut("leaf-01", 29)
            self.check_read_back(lab, sm, links=status["links"] - 1, hosts=status["hosts"])

    def test_6_leaves_and_2_spines_by_dmodk(self):
        with self.start_lab(self.net("real-8-switches.net")) as lab:
            roots = lab.folder / "roots"
            sm = self.bring_up(lab, "dmodk", root_guid_file=roots)
            status = sm.ask("status")["last_sweep"]
            switches, hosts, links = status["switches"], status["hosts"], status["links"]
            subnet, _ = self.check(lab, sm, hosts=hosts, switches=switches)
            self.check_credit_loops(sm, hosts * (hosts - 1))
            self.check_load(sm, subnet)

            spines = [s for s in subnet.switches.values() if SPINE.fullmatch(s.name)]
            self.assertEqual((switches, len(spines)), (8, 2))
            roots.write_text(self.guids_of(subnet, spines=True), encoding="utf-8")
            mark = sm.mark()
            sm.send_sighup()
            sm.wait_log(r"selvedge: root_guid_file \S+: 2 GUIDs", after=mark)
            sm.wait_up(after=mark)
            self.check_read_back(lab, sm, links=links)

            roots.write_text("0x1\nnonsense\n", encoding="utf-8")
            mark = sm.mark()
            sm.send_sighup()
            sm.wait_log(r"selvedge: root_guid_file: 'nonsense' is no GUID: \S+/roots:2: write 0x and up "
                        r"to 16 hexadecimal digits, one GUID a line; its previous content stays in force",
                        after=mark)
            sm.wait_up(after=mark)
            self.assertTrue(self.hint(sm, "root_guid_file")["in_force"])
            self.assertIn("'nonsense' is no GUID", self.hint(sm, "root_guid_file")["fault"])

            # With only one spine as a root, the other spine counts as below the leaf switches; the
            # plugin logs that.
            roots.write_text(f"{spines[0].guid:#x}\n", encoding="utf-8")
            mark = sm.mark()
            sm.send_sighup()
            sm.wait_log(r"selvedge: the given roots reverse the direction of \d+ of \d+ cables, the "
                        r"first \S+ – \S+: the given roots win", after=mark)
            sm.wait_up(after=mark)
            self.check_read_back(lab, sm, links=links)
            roots.write_text(self.guids_of(subnet, spines=True), encoding="utf-8")
            mark = sm.mark()
            sm.send_sighup()
            sm.wait_up(after=mark)

            # A restarted SM keeps the tables that it finds, whatever the files say. An operator's order
            # (reroute) computes new ones.
            sm.terminate()
            roots.write_text(f"{spines[0].guid:#x}\n", encoding="utf-8")
            mark = sm.mark()
            sm.start()
            sm.wait_up(after=mark, timeout_s=PATIENCE_S)
            self.assertEqual(sm.ask("status")["last_sweep"]["outcome"], "adopted")
            before = sm.ask("tables")["lft"]
            done = subprocess.run([ROUTE, "reroute", "--socket", sm.socket, "--engine", "dmodk"],
                                  capture_output=True, text=True, timeout=PATIENCE_S, check=False)
            self.assertEqual(done.returncode, 0, done)
            self.check_read_back(lab, sm, links=links)
            self.assertNotEqual(sm.ask("tables")["lft"], before)

            roots.write_text(self.guids_of(subnet, spines=True), encoding="utf-8")
            mark = sm.mark()
            sm.send_sighup()
            sm.wait_log(r"root_guid_file \S+: 2 GUIDs", after=mark)
            sm.wait_up(after=mark)
            self.check_read_back(lab, sm, links=links)
            self.assertEqual(sm.ask("tables")["lft"], before)

            port = min(p for guid, p in subnet.cables if guid == spines[0].guid)
            lab.cut(spines[0].name, port)
            self.check_read_back(lab, sm, links=links - 1, hosts=hosts)
            gone = spines[1]
            lost = sum(guid == gone.guid for guid, _ in subnet.cables)
            there = sum(h.switch == gone.guid for h in subnet.hosts)
            both = subnet.cables[spines[0].guid, port][0] == gone.guid
            lab.cut(gone.name)
            self.check_read_back(lab, sm, switches=7, hosts=hosts - there,
                                 links=links - 1 - lost + both)
            lab.relink(gone.name)
            lab.relink(spines[0].name, port)
            self.check_read_back(lab, sm, switches=8, hosts=hosts, links=links)
            self.check_credit_loops(sm, hosts * (hosts - 1))


def lab_loads(subnet, reported):
    """{(switch GUID, port): number of ordered pairs of hosts whose path leaves through it}; the paths to
    all base LIDs are walked."""
    guid = {s["id"]: number(s["guid"]) for s in reported["fabric"]["switches"]}
    lfts = {guid[s]: lft for s, lft in enumerate(reported["lft"]) if s in guid}
    loads = dict.fromkeys(subnet.cables, 0)
    hosts_at = {}
    for host in subnet.hosts:
        hosts_at[host.switch] = hosts_at.get(host.switch, 0) + 1
    for host in subnet.hosts:
        for at, many in hosts_at.items():
            while at != host.switch:
                end = at, lfts[at][host.lid]
                loads[end] += many
                at = subnet.cables[end][0]
    return loads


if __name__ == "__main__":
    unittest.main()
