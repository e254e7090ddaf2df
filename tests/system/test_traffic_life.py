# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""One opensm process with the plugin runs for long while the fabric carries traffic; cables are cut and
healed at random (selvedge-sim emulate --clock manager).

After every tenth event the traffic stops and the network empties. Then
  - the tables are read back and proved (OpenSmCase.check),
  - every packet that was generated has been delivered or lost for a cause,
  - the port counters, read by perfquery, agree with what the simulated network says of itself:
    what a cable lost is what one end sent and the other did not receive; discards and relay errors
    are the packets lost at dead ports and without a route; hosts sent and received what was injected
    and delivered.
"""
import random
import re
import unittest

from opensm_case import PATIENCE_S, cut_or_relink
from tests.support.draw import SEED, scaled
from tools.lab import torus_net
from tools.lab.subnet import Switch
from traffic_case import HOST, NOTHING_HELD, TrafficCase

EVENTS = scaled(10, 20, 500)
MOST_OUT = 6  # the most cables that are cut at a time
SIDE = 4
MOST_COUNTED = 0xffff  # a counter of 16 bits stops here: the true number may be larger


def in_pieces(out):
    """Whether the torus without the cables `out` is disconnected. A cable is named by its end at port 2
    or 4 of a switch, as in `cables`."""
    near = {}
    for y in range(SIDE):
        for x in range(SIDE):
            for port, far in ((2, ((y + 1) % SIDE, x)), (4, (y, (x + 1) % SIDE))):
                if (f"S-{y}-{x}", port) not in out:
                    near.setdefault((y, x), []).append(far)
                    near.setdefault(far, []).append((y, x))
    seen, ahead = {(0, 0)}, [(0, 0)]
    while ahead:
        found = {far for far in near.get(ahead.pop(), ()) if far not in seen}
        seen |= found
        ahead += found
    return len(seen) < SIDE * SIDE


class TrafficLife(TrafficCase):
    @staticmethod
    def perfquery(lab, node, *options):
        """The counters of a node, asked at the node itself, so that the question crosses no cable:
        {field: value} of a host's port, or summed over the ports of a switch."""
        where = ["-a", node.lid] if isinstance(node, Switch) else [node.lid, 1]
        out = lab.tool("perfquery", *options, *where, host=node.name)
        return {name: int(value) for name, value in re.findall(r"^(\w+):\.*(\d+)$", out, re.MULTILINE)}

    def count(self, lab, subnet, *, reset=False):
        """(The report, the counters) of one instant of an empty network. The counters are summed over all
        ports of all nodes: packets sent and not received, discards, relay errors."""
        nodes = [*subnet.switches.values(), *subnet.hosts]
        if reset:  # the counters of 16 bits
            for node in nodes:
                lab.tool("perfquery", "-R", *(["-a", node.lid, 255] if isinstance(node, Switch) else [node.lid, 1]),
                         "0x60", host=node.name)

        def at_rest():
            before, counted = self.empty_network(lab), {"missing": 0, "discards": 0, "relay": 0}
            for node in nodes:
                short, long = self.perfquery(lab, node), self.perfquery(lab, node, "-x")
                self.assertLess(max(short["PortXmitDiscards"], short["PortRcvSwitchRelayErrors"]), MOST_COUNTED)
                counted["missing"] += long["PortXmitPkts"] - long["PortRcvPkts"]
                counted["discards"] += short["PortXmitDiscards"]
                counted["relay"] += short["PortRcvSwitchRelayErrors"]
            after = lab.emulator_report()
            moved = [name for name in after if name.startswith(("data_", "smps_")) and after[name] != before[name]]
            self.assertEqual(moved, [])  # no SMP of a sweep was counted meanwhile
            return after, counted
        return self.eventually(at_rest)

    def test_it(self):
        print(f"{EVENTS} events, SELVEDGE_SEED={SEED}", flush=True)
        draw = random.Random(SEED)
        cables = [(f"S-{y}-{x}", port) for y in range(SIDE) for x in range(SIDE) for port in (2, 4)]
        with self.start_with_traffic(torus_net(SIDE, SIDE)) as lab:
            # sweep_interval 0: OpenSM sweeps only after a trap or a signal.
            sm = self.start(lab, host=HOST, options={"sweep_interval": 0}, toml=NOTHING_HELD)
            sm.wait_up(timeout_s=PATIENCE_S)
            self.eventually(lambda: self.assertTrue(sm.ask("status")["fast_path"]["ready"]))
            subnet, _ = self.check(lab, sm, hosts=SIDE * SIDE, switches=SIDE * SIDE)
            counted = self.count(lab, subnet)
            out, totals = set(), {}
            for i in range(EVENTS):
                if i % 10 == 0:
                    lab.ask_emulator("traffic on")
                    self.let_time_pass(lab)
                cut_or_relink(lab, draw, cables, out, MOST_OUT, in_pieces)
                if i % 10 == 9:
                    self.wait_fabric(sm, links=len(cables) - len(out))
                    self.empty_network(lab)
                    subnet, _ = self.check(lab, sm, hosts=SIDE * SIDE, switches=SIDE * SIDE)
                    now = self.count(lab, subnet)
                    for name, number in self.compare(counted, now).items():
                        totals[name] = totals.get(name, 0) + number
                    counted = self.count(lab, subnet, reset=True)
                if i % 50 == 49:
                    print(f"{i + 1} events: {sm.ask('status')['fast_path']['repairs']} repairs by the fast path, "
                          f"{totals['data_delivered']} of {totals['data_generated']} packets delivered", flush=True)
            print({name: number for name, number in totals.items() if number}, flush=True)
            self.assertGreater(totals["data_delivered"], 100 * EVENTS)
            self.assertGreater(totals["data_generated"], totals["data_delivered"])  # cuts lose packets
            sm.log.wait_quiet(1.0, PATIENCE_S)
            self.hosts_carried(lab, subnet)

    def compare(self, earlier, later):
        """Returns what became of the packets between two counts, by the simulated network's report;
        asserts that the port counters agree with it."""
        delta = self.check_conserved(earlier[0], later[0])
        counted = {name: later[1][name] - earlier[1][name] for name in later[1]}

        def lost(*causes, of=("data", "smps")):
            return sum(delta[f"{what}_lost_{cause}"] for what in of for cause in causes)
        relay = counted.pop("relay")
        self.assertEqual(counted, {"missing": lost("cut"), "discards": lost("dead_port")}, delta)
        # A switch that has no route for an SMP of its own, such as a trap, has not received it at any port.
        self.assertLessEqual(lost("no_route", "vl15", of=["data"]) + lost("vl15", of=["smps"]), relay, delta)
        self.assertLessEqual(relay, lost("no_route", "vl15"), delta)
        return delta

    def hosts_carried(self, lab, subnet):
        """Asserts that the hosts' port counters show what was injected and delivered. The counters are
        read in three equal rounds, the third one under traffic. The difference of the second and the
        first round is what the reading itself adds to the counters."""
        def round_of(traffic):
            if traffic:
                lab.ask_emulator("traffic on")
            lab.tool("ibnetdiscover", host=HOST)  # its SMPs, some hundred, let simulated time pass
            lab.ask_emulator("traffic off")
            lab.tool("ibnetdiscover", host=HOST)
            report, sums = lab.emulator_report(), {"PortXmitPkts": 0, "PortRcvPkts": 0}
            for host in subnet.hosts:
                counted = self.perfquery(lab, host, "-x")
                for name in sums:
                    sums[name] += counted[name]
            return report, sums

        def three_rounds():
            (first, a), (second, b), (third, c) = round_of(False), round_of(False), round_of(True)
            # No sweep ran meanwhile; the counters would contain its SMPs.
            self.assertEqual(third["smps_sent"] - second["smps_sent"], second["smps_sent"] - first["smps_sent"])
            delta = self.check_conserved(second, third)
            self.assertGreater(delta["data_delivered"], 100)
            for name, what in (("PortXmitPkts", "data_injected"), ("PortRcvPkts", "data_delivered")):
                self.assertEqual((c[name] - b[name]) - (b[name] - a[name]), delta[what], (a, b, c, delta))
        self.eventually(three_rounds)


if __name__ == "__main__":
    unittest.main()
