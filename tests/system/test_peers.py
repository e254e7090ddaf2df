# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Peers judge the tables that are in the switches, ours and those of OpenSM's own engines: ibdmchk looks for
credit loops, and agrees with `selvedge-route verify` about each; osmtest finds the SA with our plugin as it
finds it with stock minhop.

ibdmchk judges every fabric on which a test of this folder starts opensm (live_fabrics.py), with one LID a host.
./run test draws two pairs of fabric and engine, ./run check six, ./run campaign runs all.
"""
import json
import pathlib
import re
import subprocess
import unittest

from live_fabrics import live_fabrics
from opensm_case import PATIENCE_S, first_host
from peers import DUMPS, has_credit_loops, ibdmchk
from read_back import ReadBack
from tests.support.draw import CAMPAIGN, add_cases, drawn
from tools.lab import torus_net
from tools.lab.lab import find_program

# ibdmchk comes to no verdict on these, whatever the engine: on hosts with two ports, and on odd names. The last has
# four million pairs of hosts.
UNJUDGED = ("two-port hosts", "test_bringup 1", "test_faults 1", "test_robustness 1", "test_bringup 2",
            "generated irregular:switches=250,degree=4,hosts=8,seed=1")
FABRICS = {name: make for name, make in live_fabrics(pathlib.Path(__file__).parent).items() if name not in UNJUDGED}
OURS = ("updn", "tftr", "ist", "spftr", "dmodk")
OPENSM = ("minhop", "updn", "ftree", "lash", "dfsssp")
CASES = [(fabric, engine) for fabric in FABRICS
         for engine in (*(f"selvedge-{e}" for e in OURS), *OPENSM)]
# Those whose tables take more than half a minute to be read back are left to ./run campaign.
LARGE = ("real-40-switches.net", "generated irregular:switches=200,degree=6", "torus 16 16", "torus 10 10", "torus 8 8",
         "generated torus:4x5x3", "generated tree:k=4,n=3", "torus 7 7")
DRAWN = CASES if CAMPAIGN else drawn([case for case in CASES if case[0] not in LARGE], 2, 6)
# Of osmtest: the SA's records (v, against an inventory that c writes), services and multicast.
FLOWS = ("c", "v", "s", "m")


class Peers(ReadBack):
    @staticmethod
    def between_hosts(path):
        """The tables of a file without LIDs of switches and without groups: ibdmchk looks at paths between hosts only.
        (minhop on a fat tree has cycles by paths to switches.)"""
        tables = json.loads(path.read_text(encoding="utf-8"))
        for switch in tables["fabric"]["switches"]:
            for lft in tables["lft"]:
                lft[switch["lid"]] = 255
        tables["mft"] = [{} for _ in tables["lft"]]
        left = path.with_name("between-hosts.json")
        left.write_text(json.dumps(tables), encoding="utf-8")
        return left

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
                proof, between_hosts = self.verify(path), self.verify(self.between_hosts(path))
                switch_of = {h.lid: h.switch for h in subnet.hosts}
                loops = has_credit_loops(ibdmchk(sm.folder, sls, switch_of))
                self.assertEqual(loops, not between_hosts["deadlock_free"], between_hosts)
                return loops, proof
            loops, proof = self.eventually(agree)
            print(f"{fabric}, {engine}: {'loops' if loops else 'no loops'}; {proof['vls_used']} VLs", flush=True)
            if ours:
                self.assertFalse(loops)
                self.assertTrue(proof["deadlock_free"], proof)
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
