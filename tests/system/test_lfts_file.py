# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""`selvedge-route compute --lfts` and OpenSM's own engine `file`: an SM that does not load the plugin puts our LFTs into
the switches, and what the switches hold is proved. Hosts may have got other LIDs than the file has."""
import json
import subprocess
import unittest

from fabrics import dragonfly_net, irregular_net
from opensm_case import PATIENCE_S, ROUTE, OpenSmCase, first_host, generated_net

FABRICS = {"irregular, some cables doubled": irregular_net, "dragonfly": dragonfly_net,
           "HyperX": lambda: generated_net("hyperx:3x3x2")}
UP = r"-> SUBNET UP|No routing engine able"


class LftsFile(OpenSmCase):
    def compute(self, fabric, lfts, *more):
        done = subprocess.run([ROUTE, "compute", "--fabric", f"file:{fabric}", "--engine", "balanced", "--max-vls", "1",
                               "--lfts", lfts, "--json", *more], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def check_file(self, make, lmc):
        text = make()
        with self.start_lab(text) as lab:
            host = first_host(text)
            first = lab.opensm("first", host=host, options={"routing_engine": "minhop,no_fallback", "lmc": lmc})
            first.wait_up(timeout_s=PATIENCE_S)
            before = lab.read_subnet(host=host)
            first.terminate()
            lfts = lab.folder / "ours.lfts"
            # With --lmc the LIDs are ours, which are others than the SM's.
            self.compute(before.topology_path, lfts, *(() if lmc else ("--lmc", "0")))
            ours = self.by_guid(lfts.read_text(encoding="utf-8"))
            owners = {lid: (switch.guid, 0) for switch in before.switches.values() for lid in [switch.lid]}
            owners |= {lid: (h.guid, i) for h in before.hosts for i, lid in enumerate(h.lids)}
            sm = lab.opensm("file", host=host, options={"routing_engine": "file,no_fallback", "lfts_file": lfts, "lmc": lmc})
            self.assertIn("SUBNET UP", sm.wait_log(UP, timeout_s=PATIENCE_S)[0], sm.log.tail())

            def held():
                subnet = lab.read_subnet(host=host)
                proof = self.verify(subnet.tables_path, "--replies", "same-sl", topology=subnet.topology_path)
                self.assertEqual((proof["status"], proof["vls_used"]), (0, 1), proof)
                seen = {(switch, *owners[lid]): port for switch, lft in subnet.lfts.items() for lid, port in lft.items()}
                # dump_fts leaves out a last LID that is a multiple of 64.
                self.assertEqual({key: ours.get(key) for key in seen}, seen)
                self.assertLessEqual(len(ours) - len(seen), len(subnet.switches))
            self.eventually(held)
            self.assertTrue(sm.running)

    @staticmethod
    def by_guid(text):
        """{(switch GUID, port GUID of the destination, offset): port}"""
        found, switch, base = {}, None, {}
        for line in text.splitlines():
            if line.startswith("Unicast"):
                switch = int(line.split(" guid 0x")[1].split()[0], 16)
            elif line.startswith("0x"):
                lid, port, owner = int(line[2:6], 16), int(line[7:10]), int(line.split(" portguid 0x")[1][:16], 16)
                base.setdefault(owner, lid)
                found[switch, owner, lid - base[owner]] = port
        return found


for _name, _make in FABRICS.items():
    for _lmc in (0, 1):
        setattr(LftsFile, f"test_{_name.replace(',', '').replace(' ', '_')}_lmc_{_lmc}",
                lambda self, make=_make, lmc=_lmc: self.check_file(make, lmc))


if __name__ == "__main__":
    unittest.main()
