# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""What the daemon on InfiniBand learns of its paths. The daemon's class SaPaths, on a simulated host, asks
the SA of the real opensm; the switches hold spftr's disjoint paths. ibsim has no verbs device, so the
daemon itself cannot run here. Checked is what it would put into its address handles: DLIDs and SLs.

    daemon at H-0-0, LMC 4 ──16 DLIDs──▶ H-3-2      path i: DLID base + i with the SL of the SA
"""
import contextlib
import json
import subprocess
import unittest

from opensm_case import BUILD, OpenSmCase, ROUTE
from tools.lab import torus_net
from tools.lab.process import spawn

CLIENT = BUILD / "bin" / "sa_paths_client"


class SaPaths(OpenSmCase):
    @contextlib.contextmanager
    def asker(self, lab, host):
        with contextlib.ExitStack() as stack:
            process = spawn([str(CLIENT)], env=lab.environment(host), cwd=lab.folder,
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
            stack.callback(process.wait)
            stack.callback(process.kill)
            stack.enter_context(process.stdin)
            stack.enter_context(process.stdout)

            def ask(line):
                process.stdin.write(line + "\n")
                return process.stdout.readline().split()
            yield ask

    def find(self, ask, lids):
        """Asks SaPaths for each DLID of `lids`; {DLID: SL} of those that have a path. Each path must
        start at this host's base LID and have an MTU and a rate."""
        told = {}
        for lid in lids:
            word, *numbers = ask(f"find {lid}")
            if word == "path":
                slid, dlid, sl, mtu, rate = map(int, numbers)
                self.assertEqual((slid, dlid), (self.own.lid, lid))
                self.assertGreaterEqual(mtu, 2048)
                self.assertGreater(rate, 0)
                told[lid] = sl
        return told

    def plugins(self, sm, source, destination):
        done = subprocess.run([ROUTE, "paths", source, destination, "--socket", sm.socket, "--json"],
                              stdout=subprocess.PIPE, check=True, timeout=20)
        return json.loads(done.stdout)["paths"]

    def test_the_paths_are_those_that_the_plugin_meant(self):
        with self.start_lab(torus_net(6, 6)) as lab:
            sm = self.start(lab, host="H-5-5", options={
                "lmc": 4, "routing_engine": "selvedge-spftr,no_fallback"})
            sm.wait_up(timeout_s=60)
            self.wait_fabric(sm, links=72)
            subnet = lab.read_subnet(host=sm.host)
            self.own, peer = subnet.host_named("H-0-0"), subnet.host_named("H-3-2")
            self.assertEqual(len(peer.lids), 16)
            with self.asker(lab, "H-0-0") as ask:
                paths = self.plugins(sm, "H-0-0", "H-3-2")
                meant = {p["lid"]: p["sl"] for p in paths}
                self.assertEqual(self.find(ask, peer.lids), meant)
                self.assertEqual(len([p for p in paths if p["disjoint"]]), 4)
                self.assertEqual(ask("counters"), ["16", "0"])
                # The second time SaPaths answers from its cache, and asks the SA nothing.
                self.assertEqual(self.find(ask, peer.lids), meant)
                self.assertEqual(ask("counters"), ["16", "16"])
                # saquery gets the same SLs.
                for lid in peer.lids[:4]:
                    record = lab.path_record(self.own.lid, lid, host=sm.host)
                    self.assertEqual(record["sl"], meant[lid])
                self.assertEqual(ask("find 48000"), ["none"])

                lab.cut("S-1-1", 4)
                self.wait_fabric(sm, links=71)
                # After a change of the fabric the SM asks clients to register again, and the daemon then
                # calls forget(). After that SaPaths must ask the SA anew.
                self.assertEqual(ask("forget"), ["ok", str(self.own.lid)])
                self.eventually(lambda: self.asked_anew(ask, sm, peer))

                sm.kill()
                ask("forget")
                self.assertEqual(ask(f"find {peer.lid}"), ["silent"])
            again = self.start(lab, "again", host="H-5-5", options={
                "lmc": 4, "routing_engine": "selvedge-spftr,no_fallback"})
            again.wait_up(timeout_s=60)
            self.wait_fabric(again, links=71)
            with self.asker(lab, "H-0-0") as ask:
                self.eventually(lambda: self.asked_anew(ask, again, peer))

    def test_primary_and_alternate_are_those_of_the_sa(self):
        """paths --apm chooses from the plugin's tables; the SA answers each of the four paths, by source and
        destination LID, with the SL that it names."""
        for engine, lmc in (("tftr", 4), ("ist", 3)):
            with self.subTest(engine=engine), self.start_lab(torus_net(4, 4)) as lab:
                sm = self.start(lab, host="H-3-3", options={
                    "lmc": lmc, "routing_engine": f"selvedge-{engine},no_fallback"})
                sm.wait_up(timeout_s=60)
                self.wait_fabric(sm, links=32)
                subnet = lab.read_subnet(host=sm.host)
                pairs = [("H-0-0", "H-2-2"), ("H-1-3", "H-0-1"), ("H-3-0", "H-3-1")]
                asked = 0
                for pair in pairs:
                    lids = {name: subnet.host_named(name).lids for name in pair}
                    def chosen(pair=pair, sm=sm):
                        done = subprocess.run([ROUTE, "paths", *pair, "--apm", "--socket", sm.socket, "--json"],
                                              capture_output=True, text=True, timeout=60, check=False)
                        self.assertIn(done.returncode, (0, 1), done.stderr)
                        return json.loads(done.stdout)["pairs"][0]
                    # Until the engine is ready the tables are updn's, which have one path.
                    self.eventually(lambda: chosen()["alternate"])
                    found = chosen()
                    for role in ("primary", "alternate"):
                        near, far = found[role]["at_source"], found[role]["at_destination"]
                        self.assertIn(near["dlid"], lids[pair[1]])
                        self.assertIn(far["dlid"], lids[pair[0]])
                        self.assertEqual(near["dlid"] - lids[pair[1]][0], far["src_path_bits"])
                        self.assertEqual(far["dlid"] - lids[pair[0]][0], near["src_path_bits"])
                        record = lab.path_record(far["dlid"], near["dlid"], host=sm.host)
                        self.assertEqual(record["sl"], near["sl"])
                        back = lab.path_record(near["dlid"], far["dlid"], host=sm.host)
                        if not (near["src_path_bits"] == far["src_path_bits"] == 0):
                            self.assertEqual(back["sl"], far["sl"])  # base LIDs: the grade is base
                        asked += 1
                self.assertEqual(asked, 2 * len(pairs))

    def asked_anew(self, ask, sm, peer):
        ask("forget")
        meant = {p["lid"]: p["sl"] for p in self.plugins(sm, "H-0-0", "H-3-2")}
        told = self.find(ask, peer.lids)
        self.assertEqual({lid: meant.get(lid) for lid in told}, told)
        self.assertGreaterEqual(len(told), 12)


if __name__ == "__main__":
    unittest.main()
