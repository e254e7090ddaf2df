# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Clients send the emulator wrong MADs and control messages of every kind (hostile_client.py), while opensm
with the plugin manages the subnet. Each request must be answered as hostile_client.py expects. Meanwhile
opensm and infiniband-diags are served, and afterwards a fault is repaired as usual.
"""
import threading
import time
import unittest

from hostile_client import HostileClient
from opensm_case import PATIENCE_S, OpenSmCase
from tests.support.draw import SEED, scaled
from tools.lab import torus_net

DATAGRAMS = scaled(5_000, 20_000, 1_000_000)
HOSTS = ("H-2-2", "H-1-0", "H-0-1")  # the hostile clients' hosts; the manager is at another one


class HostileClients(OpenSmCase):
    def attack(self, clients, wrong):
        try:
            for i in range(DATAGRAMS):
                clients[i % len(clients)].step()
            for client in clients:
                client.finish()
        except Exception as error:  # pylint: disable=broad-except
            wrong.append(error)

    def test_each_is_answered_as_it_must_be_and_others_are_served(self):
        print(f"{DATAGRAMS} datagrams, SELVEDGE_SEED={SEED}", flush=True)
        with self.start_lab(torus_net(3, 3), subnet="emulate",
                            emulate_options=("--smp-timeout-ms", "50", "--gmp-timeout-ms", "50")) as lab:
            sm = self.start(lab, host="H-0-0")
            sm.wait_up(timeout_s=PATIENCE_S)
            subnet, _ = self.check(lab, sm, hosts=9, switches=9)
            seen = lab.tool("ibnetdiscover", "-l", host="H-1-1")
            lids = [s.lid for s in subnet.switches.values()]
            # Client numbers are process ids; these are larger than any process id.
            clients = [HostileClient(lab.socket_name, (1 << 30) + 10 * i, host, lids, SEED + i)
                       for i, host in enumerate(HOSTS)]
            for client in clients:
                self.addCleanup(client.close)
            wrong, started, asked, sweeps = [], time.monotonic(), 0, sm.log.text().count("SUBNET UP")
            thread = threading.Thread(target=self.attack, args=(clients, wrong))
            thread.start()
            try:
                while thread.is_alive():
                    if asked % 4 == 0:
                        sm.send_sighup()  # a heavy sweep
                    self.assertEqual(lab.tool("ibnetdiscover", "-l", host="H-1-1"), seen)
                    asked += 1
            finally:
                thread.join()
            if wrong:
                raise wrong[0]
            seconds = time.monotonic() - started
            sent = {}
            for client in clients:
                for kind, number in client.sent.items():
                    sent[kind] = sent.get(kind, 0) + number
                client.close()
            self.assertEqual(len(sent), len(HostileClient.KINDS), sent)
            self.eventually(lambda: self.assertGreater(sm.log.text().count("SUBNET UP"), sweeps))
            print(f"{sum(sent.values())} datagrams in {seconds:.0f} s, {sum(c.answers for c in clients)} "
                  f"answers; ibnetdiscover {asked} times, heavy sweeps "
                  f"{sm.log.text().count('SUBNET UP') - sweeps}: {sent}", flush=True)
            # Noise may look like a request that nobody answers.
            self.eventually(lambda: self.assertEqual(lab.emulator_report()["waiting"], 0))
            lab.cut("S-1-1", 4)
            self.wait_fabric(sm, links=17)
            self.check(lab, sm, hosts=9, switches=9)
            self.eventually(lambda: self.assertEqual(lab.emulator_report()["clients"], 2))  # opensm, its agent


if __name__ == "__main__":
    unittest.main()
