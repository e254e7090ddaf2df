# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Peers judge the tables that are in the switches, ours and those of OpenSM's own engines: ibdmchk looks for
credit loops, and agrees with `selvedge-route verify` about each; osmtest finds the SA with our plugin as it
finds it with stock minhop.

./run test draws two pairs of fabric and engine, ./run check six, ./run campaign runs all.
"""
import re
import subprocess
import unittest

from opensm_case import PATIENCE_S, first_host, generated_net, ring_net
from peers import DUMPS, has_credit_loops, ibdmchk
from read_back import ReadBack
from tests.support.draw import SEED, add_cases, drawn
from tools.lab import doubled_torus_net, torus_net
from tools.lab.lab import find_program

FABRICS = {
    "torus": lambda: torus_net(4, 4),
    "ring": lambda: ring_net(5, hosts=2),
    "tree": lambda: generated_net("tree:k=3,n=2"),
    "irregular": lambda: generated_net("irregular:switches=14,degree=3,hosts=2,seed=3"),
    "torus, all cables doubled": lambda: doubled_torus_net(3, 3),
}
OURS = ("updn", "tftr", "ist", "spftr", "dmodk")
OPENSM = ("minhop", "updn", "ftree", "lash", "dfsssp")
CASES = [(fabric, engine) for fabric in FABRICS
         for engine in (*(f"selvedge-{e}" for e in OURS), *OPENSM)]
DRAWN = drawn(CASES, 2, 6)
# Of osmtest: the SA's records (v, against an inventory that c writes), services and multicast.
FLOWS = ("c", "v", "s", "m")


class Peers(ReadBack):
    def judge(self, fabric, engine):
        ours = engine.startswith("selvedge-")
        engines = f"{engine},selvedge-updn,no_fallback" if ours and engine != "selvedge-updn" else \
            f"{engine},no_fallback" if ours else engine
        text = FABRICS[fabric]()
        with self.start_lab(text) as lab:
            sm = self.start(lab, host=first_host(text), options={"routing_engine": engines, "qos": True, **DUMPS})
            sm.wait_up(timeout_s=PATIENCE_S)

            def agree():
                # Read anew each time: OpenSM's engines may choose other paths in the next sweep, and its dumps and
                # the switches are read one after the other.
                subnet, sls, path = self.read_back(lab, sm)
                proof = self.verify(path)
                switch_of = {h.lid: h.switch for h in subnet.hosts}
                loops = has_credit_loops(ibdmchk(sm.folder, sls, switch_of))
                self.assertEqual(loops, not proof["deadlock_free"], proof)
                return loops, proof
            loops, proof = self.eventually(agree)
            print(f"{fabric}, {engine}: {'loops' if loops else 'no loops'}; {proof['vls_used']} VLs", flush=True)
            if ours:
                self.assertFalse(loops)
            self.assertTrue(sm.running)

    @staticmethod
    def osmtest(lab, sm, flow):
        """(exit status, the errors counted, the verdict) of a flow of osmtest."""
        done = subprocess.run([find_program("osmtest", "opensm"), "-f", flow, "-i", "osmtest.dat", "-t", "2000"],
                              cwd=sm.folder, env=lab.environment(sm.host), capture_output=True, text=True,
                              errors="replace", timeout=4 * PATIENCE_S, check=False)
        said = done.stdout + done.stderr
        return (done.returncode, len(re.findall(r"\bERR \w{4}:", said)),
                next(iter(re.findall(r"OSMTEST: (.*)", said)), ""))

    def test_osmtest_says_of_ours_what_it_says_of_minhop(self):
        verdicts = {}
        for engine in ("minhop", "selvedge-updn,no_fallback", "selvedge-tftr,no_fallback"):
            with self.start_lab(torus_net(3, 3)) as lab:
                sm = self.start(lab, host="H-0-0", options={"routing_engine": engine, "qos": True})
                sm.wait_up(timeout_s=PATIENCE_S)
                verdicts[engine] = {flow: self.osmtest(lab, sm, flow) for flow in FLOWS}
                self.assertTrue(sm.running)
        print(verdicts, flush=True)
        self.assertEqual(verdicts["minhop"]["c"][0], 0, verdicts["minhop"])
        for engine, found in verdicts.items():
            self.assertEqual(found, verdicts["minhop"], engine)


add_cases(Peers, CASES, DRAWN, Peers.judge)


if __name__ == "__main__":
    unittest.main()
