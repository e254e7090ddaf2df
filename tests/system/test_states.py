# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Every engine on every kind of fabric, in every state: up, with one cable cut, with three, with a switch
dead besides, and healed. After each, tables are made of what the switches hold and the SA answers, and
proved: responses on the request's SL included, as far as [engine] replies = "base" promises. Where an
engine does not apply, its fallback routes, and one line says why.

./run test draws one pair of fabric and engine, ./run check three, ./run campaign runs all.
"""
import random
import time
import unittest

from opensm_case import PATIENCE_S, OpenSmCase, cut_or_relink, first_host, generated_net, net
from read_back import ReadBack
from tests.support.draw import SEED, add_cases, drawn, scaled
from tools.lab import PLUGIN_STATUS, LabError, doubled_torus_net, torus_net

GRADES = ("own-sl", "base", "same-sl")
TOML = PLUGIN_STATUS + '[repair]\nflap_limit = 1000\n[engine]\ndeadline_ms = 60000\nreplies = "base"\n'


def irregular_net(switches=12, extra=10, doubled=4):
    """A random tree of switches with extra cables; some cables are doubled. Two hosts a switch."""
    draw = random.Random(f"{SEED} irregular")
    pairs = [(draw.randrange(i), i) for i in range(1, switches)]
    while len(pairs) < switches - 1 + extra:
        a, b = sorted(draw.sample(range(switches), 2))
        pairs.append((a, b))
    pairs += draw.sample(pairs, doubled)
    used = {i: 2 for i in range(switches)}  # ports 1 and 2 are for hosts

    def port(switch):
        used[switch] += 1
        return f"S-{switch}", used[switch]
    cables = [(*port(a), *port(b)) for a, b in pairs]
    return net({f"S-{i}": used[i] for i in range(switches)}, cables,
               {f"H-{i}-{k}": [(f"S-{i}", 1 + k)] for i in range(switches) for k in range(2)})


def dragonfly_net(groups=5, size=4):
    """Groups whose switches are all cabled with each other, and one cable between any two groups."""
    def name(group, i):
        return f"S-{group}-{i}"
    cables = []
    for g in range(groups):
        for i in range(size):
            for k in range(i + 1, size):
                cables.append((name(g, i), 1 + k, name(g, k), 1 + i))  # port 1 + i would lead to itself
        for h in range(g + 1, groups):
            cables.append((name(g, h - 1), size + 1, name(h, g), size + 1))
    return net({name(g, i): size + 2 for g in range(groups) for i in range(size)}, cables,
               {f"H-{g}-{i}": [(name(g, i), size + 2)] for g in range(groups) for i in range(size)})


def two_port_net(rows=3, columns=3):
    """A torus whose hosts have two ports, at neighbouring switches."""
    grid = [(y, x) for y in range(rows) for x in range(columns)]
    cables = []
    for y, x in grid:
        cables += [(f"S-{y}-{x}", 1, f"S-{(y + 1) % rows}-{x}", 2),
                   (f"S-{y}-{x}", 3, f"S-{y}-{(x + 1) % columns}", 4)]
    return net({f"S-{y}-{x}": 6 for y, x in grid}, cables,
               {f"H-{y}-{x}": [(f"S-{y}-{x}", 5), (f"S-{y}-{(x + 1) % columns}", 6)] for y, x in grid})


# name: (.net text, how many of its cables are cut before opensm starts)
FABRICS = {
    "irregular, some cables doubled": (irregular_net, 0),
    "damaged tree": (lambda: generated_net("tree:k=3,n=3"), 4),
    "3D torus": (lambda: generated_net("torus:3x3x3"), 0),
    "dragonfly": (dragonfly_net, 0),
    "two-port hosts": (two_port_net, 0),
    "torus, all cables doubled": (lambda: doubled_torus_net(3, 4), 0),
}
ENGINES = {"updn": 1, "tftr": 3, "ist": 3, "spftr": 3, "dmodk": 1}  # engine: LMC
MORE = {("3D torus", "tftr"): 4, ("3D torus", "spftr"): 4}  # where disjoint paths need more LIDs
CASES = [(fabric, engine) for fabric in FABRICS for engine in ENGINES]
DRAWN = drawn(CASES, 1, 3)


class States(ReadBack):
    def survey(self, lab, sm):
        subnet, _ = self.check(lab, sm)
        names = {guid: switch.name for guid, switch in subnet.switches.items()}
        self.cables = [((names[a[0]], a[1]), (names[b[0]], b[1])) for a, b in subnet.each_cable()]
        self.switches = sorted(names.values())
        self.ends = [(h.name, names[h.switch]) for h in subnet.hosts]

    def whole(self, cut, dead):
        """Whether the switches that are left are connected."""
        near = {name: set() for name in self.switches if name != dead}
        for cable in self.cables:
            (a, _), (b, _) = cable
            if cable not in cut and dead not in (a, b):
                near[a].add(b)
                near[b].add(a)
        start = next(iter(near))
        seen, ahead = {start}, [start]
        while ahead:
            found = near[ahead.pop()] - seen
            seen |= found
            ahead += found
        return len(seen) == len(near)

    def prove(self, lab, sm, state, cut=(), dead=None):
        links = sum(1 for c in self.cables if c not in cut and dead not in (c[0][0], c[1][0]))
        switches = len(self.switches) - (dead is not None)
        hosts = sum(1 for _, at in self.ends if at != dead)
        self.wait_fabric(sm, switches=switches, hosts=hosts, links=links)

        def read():
            before = sm.ask("tables")
            subnet, sls, path = self.read_back(lab, sm, before)
            self.assertEqual(before, sm.ask("tables"))  # nothing came into force meanwhile
            self.check_told(sm, subnet, sls)
            self.assertEqual(len(subnet.hosts), hosts)
            sweep = sm.ask("status")["last_sweep"]
            proof = self.verify(path, "--replies", "base")
            self.assertEqual(proof["status"], 0, (state, proof))
            return proof, sweep
        proof, sweep = self.eventually(read, timeout_s=3 * PATIENCE_S)
        self.assertEqual(proof["dark_lids"], [], state)
        self.assertGreaterEqual(GRADES.index(proof["replies"]), GRADES.index("base"), state)
        print(f"  {state}: {sweep['tables_of']}, {proof['replies']}, {sweep['vls_used']} VLs, "
              f"{sweep['sls_used']} SLs", flush=True)
        return sweep

    def live(self, fabric, engine):
        draw = random.Random(f"{SEED} {fabric} {engine}")
        make, damage = FABRICS[fabric]
        print(f"{fabric}, selvedge-{engine}, SELVEDGE_SEED={SEED}", flush=True)
        text = make()
        with self.start_lab(text) as lab:
            if damage:
                self.damage(lab, damage)
            wanted = f"selvedge-{engine}"
            engines = wanted if engine == "updn" else f"{wanted},selvedge-updn"
            sm = self.start(lab, host=first_host(text), toml=TOML, options={
                "lmc": MORE.get((fabric, engine), ENGINES[engine]), "routing_engine": f"{engines},no_fallback"})
            sm.wait_up(timeout_s=2 * PATIENCE_S)
            self.survey(lab, sm)
            try:
                sweep = self.prove(lab, sm, "up")
                if sweep["tables_of"] != engine:
                    self.assertEqual(sweep["tables_of"], "updn")
                    self.assertRegex(sm.log.text(), rf"selvedge: .*{engine}")
                cut = set()
                for wanted in (1, 3):
                    while len(cut) < wanted:
                        cable = draw.choice([c for c in self.cables if c not in cut])
                        if self.whole({*cut, cable}, None):
                            cut.add(cable)
                            lab.cut(*cable[0])
                    self.prove(lab, sm, f"{wanted} cut", cut)
                at = {switch for name, switch in self.ends if name == sm.host}
                dying = [s for s in self.switches if s not in at and self.whole(cut, s)
                         and not any(s in (a, b) for (a, _), (b, _) in cut)]
                dead = draw.choice(dying) if dying else None
                if dead:
                    lab.ask_emulator(f"kill {dead}")
                    self.prove(lab, sm, f"{dead} dead", cut, dead)
                    lab.ask_emulator(f"revive {dead}")
                for cable in sorted(cut):
                    lab.relink(*cable[0])
                self.prove(lab, sm, "healed")
            except (AssertionError, LabError) as error:
                raise AssertionError(f"SELVEDGE_SEED={SEED}, {fabric}, {engine}: {error}\n{sm.log.tail(30)}") from error
            self.check_alive(sm)

    def damage(self, lab, count):
        """Cuts cables before opensm starts, none twice from a switch."""
        touched = set()
        for name, port in DAMAGE:
            if len(touched) < count and name not in touched:
                touched.add(name)
                lab.cut(name, port)


# Cables upward of a tree k=3, n=3: from different leaves and switches of the middle.
DAMAGE = (("S-0-1", 4), ("S-0-4", 5), ("S-1-2", 4), ("S-1-7", 6))


class ManyEvents(OpenSmCase):
    """Random cuts and heals, one after the other and too close together. After the last heal every LID has a
    route, and every pair the disjoint paths of fresh tables, within ten seconds."""
    HEALED_S = 10

    def live(self, engine, lmc):
        draw = random.Random(f"{SEED} events {engine}")
        with self.start_lab(torus_net(5, 5)) as lab:
            sm = self.start(lab, toml=TOML.replace('replies = "base"\n', ""), options={
                "lmc": lmc, "routing_engine": f"selvedge-{engine},no_fallback"})
            sm.wait_up(timeout_s=2 * PATIENCE_S)
            self.wait_fabric(sm, links=50)
            fresh = self.eventually(lambda: self.reported_lfts(sm.ask("tables")))
            cables = [(f"S-{y}-{x}", port) for y in range(5) for x in range(5) for port in (1, 3)]
            cut, events = set(), scaled(20, 60, 300)
            for _ in range(events):
                cut_or_relink(lab, draw, cables, cut, 4)
            for cable in sorted(cut):
                lab.relink(*cable)
            began = time.monotonic()

            def healed():
                self.assertEqual(sm.ask("status")["last_sweep"]["links"], 50)
                self.assertEqual(self.reported_lfts(sm.ask("tables")), fresh)
                status = sm.ask("status")
                self.assertEqual(status["lost_paths"]["paths"], 0)
                self.assertEqual(status["dark_lids"]["lids"], 0)
            self.eventually(healed)
            self.check(lab, sm, hosts=25, switches=25)
            healed()  # the first time, the sweeps of the last events may not have begun
            took = time.monotonic() - began
            print(f"{engine}: {events} events, healed after {took:.2f} s, SELVEDGE_SEED={SEED}", flush=True)
            self.assertLess(took, self.HEALED_S)

    def test_ist(self):
        self.live("ist", 2)

    def test_tftr(self):
        self.live("tftr", 4)


add_cases(States, CASES, DRAWN, States.live)


if __name__ == "__main__":
    unittest.main()
