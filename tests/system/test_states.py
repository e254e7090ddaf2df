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

from fabrics import dragonfly_net, irregular_net, two_port_net
from opensm_case import PATIENCE_S, SUBNET, OpenSmCase, cut_or_relink, first_host, generated_net
from read_back import ReadBack
from tests.support.draw import SEED, add_cases, drawn, scaled
from tools.lab import PLUGIN_STATUS, LabError, doubled_torus_net, torus_net

GRADES = ("own-sl", "base", "same-sl")
TOML = PLUGIN_STATUS + '[repair]\nflap_limit = 1000\n[engine]\ndeadline_ms = 60000\nreplies = "base"\n'


# name: (.net text, how many of its cables are cut before opensm starts)
FABRICS = {
    "irregular, some cables doubled": (irregular_net, 0),
    "damaged tree": (lambda: generated_net("tree:k=3,n=3"), 4),
    "3D torus": (lambda: generated_net("torus:3x3x3"), 0),
    "dragonfly": (dragonfly_net, 0),
    "two-port hosts": (two_port_net, 0),
    "torus, all cables doubled": (lambda: doubled_torus_net(3, 4), 0),
    "HyperX": (lambda: generated_net("hyperx:3x3x2"), 0),
    "random regular": (lambda: generated_net("random-regular:switches=14,degree=4,seed=1"), 0),
}
ENGINES = {"updn": 1, "tftr": 3, "ist": 3, "spftr": 3, "dmodk": 1, "balanced": 1}  # engine: LMC
MORE = {("3D torus", "tftr"): 4, ("3D torus", "spftr"): 4}  # where disjoint paths need more LIDs
CASES = [(fabric, engine) for fabric in FABRICS for engine in ENGINES]
DRAWN = drawn(CASES, 1, 3)


class StateCase(ReadBack):
    grade = "base"
    toml = TOML
    subnet = SUBNET

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
            self.assertTrue(before == sm.ask("tables"), "other tables came into force meanwhile")
            self.check_told(sm, subnet, sls)
            self.assertEqual(len(subnet.hosts), hosts)
            sweep = sm.ask("status")["last_sweep"]
            proof = self.verify(path, "--replies", self.grade)
            self.assertEqual(proof["status"], 0, (state, proof))
            return proof, sweep
        proof, sweep = self.eventually(read, timeout_s=3 * PATIENCE_S)
        self.assertEqual(proof["dark_lids"], [], state)
        self.assertGreaterEqual(GRADES.index(proof["replies"]), GRADES.index(self.grade), state)
        print(f"  {state}: {sweep['tables_of']}, {sweep['outcome']}, {proof['replies']}, {sweep['vls_used']} VLs, "
              f"{sweep['sls_used']} SLs", flush=True)
        return sweep

    def live(self, fabric, engine):
        draw = random.Random(f"{SEED} {fabric} {engine}")
        make, damage = FABRICS[fabric]
        print(f"{fabric}, selvedge-{engine}, SELVEDGE_SEED={SEED}", flush=True)
        text = make()
        with self.start_lab(text, subnet=self.subnet) as lab:
            if damage:
                self.damage(lab, damage)
            wanted = f"selvedge-{engine}"
            engines = wanted if engine == "updn" else f"{wanted},selvedge-updn"
            sm = self.start(lab, host=first_host(text), toml=self.toml, options={
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
                    self.kill(lab, dead)
                    self.prove(lab, sm, f"{dead} dead", cut, dead)
                    self.revive(lab, dead)
                for cable in sorted(cut):
                    lab.relink(*cable[0])
                self.prove(lab, sm, "healed")
            except (AssertionError, LabError) as error:
                raise AssertionError(f"SELVEDGE_SEED={SEED}, {fabric}, {engine}: {error}\n{sm.log.tail(30)}") from error
            self.check_alive(sm)

    def kill(self, lab, dead):
        """ibsim knows cables only."""
        if lab.subnet == "emulate":
            lab.ask_emulator(f"kill {dead}")
        else:
            lab.cut(dead)

    def revive(self, lab, dead):
        if lab.subnet == "emulate":
            lab.ask_emulator(f"revive {dead}")
            return
        for a, b in self.cables:  # to relink the switch would bring back cables that were cut before opensm started
            if dead in (a[0], b[0]):
                lab.relink(*a)
        for host in {name for name, at in self.ends if at == dead}:
            lab.relink(host)

    def damage(self, lab, count):
        """Cuts cables before opensm starts, none twice from a switch."""
        touched = set()
        for name, port in DAMAGE:
            if len(touched) < count and name not in touched:
                touched.add(name)
                lab.cut(name, port)


# Cables upward of a tree k=3, n=3: from different leaves and switches of the middle.
DAMAGE = (("S-0-1", 4), ("S-0-4", 5), ("S-1-2", 4), ("S-1-7", 6))


class States(StateCase):
    pass


class OnIbsim(StateCase):
    """`balanced` on the peer's subnet too."""
    subnet = "ibsim"


class FilledVls(StateCase):
    """[engine] fill_vls: the same, on several VLs through every repair."""
    toml = TOML + "fill_vls = true\n"

    def prove(self, lab, sm, state, cut=(), dead=None):
        sweep = super().prove(lab, sm, state, cut, dead)
        self.assertGreater(sweep["vls_used"], 1, state)
        return sweep


class SameSl(StateCase):
    """[engine] replies = "same-sl" on a 4x4 torus: several SLs where these suffice, else the fallback, with the
    arithmetic. Up, and with a cable cut."""
    grade = "same-sl"

    def up(self, lab, more="", toml=TOML):
        sm = self.start(lab, host="H-0-0", toml=toml.replace('"base"', '"same-sl"') + more, options={
            "lmc": 2, "routing_engine": "selvedge-ist,selvedge-updn,no_fallback"})
        sm.wait_up(timeout_s=2 * PATIENCE_S)
        self.survey(lab, sm)
        return sm, self.prove(lab, sm, "up")

    def test_ist_has_several_sls(self):
        with self.start_lab(torus_net(4, 4)) as lab:
            sm, sweep = self.up(lab)
            self.assertEqual(sweep["tables_of"], "ist")
            self.assertGreater(sweep["sls_used"], 1)
            cable = self.cables[5]
            lab.cut(*cable[0])
            self.prove(lab, sm, "1 cut", {cable})
            self.check_alive(sm)

    def test_without_drains_a_sweep_restores_it(self):
        """Few orders of writes are proved without drains."""
        with self.start_lab(torus_net(4, 4)) as lab:
            sm, _ = self.up(lab, toml=TOML.replace("[repair]\n", "[repair]\ndrain_ms = 0\n"))
            for cable in self.cables:  # a few of them lose the grade
                lab.cut(*cable[0])
                self.prove(lab, sm, "1 cut, no drains", {cable})
                if "; a sweep installs other tables" in sm.log.text():
                    break
                lab.relink(*cable[0])
                self.prove(lab, sm, "healed")
            else:
                self.fail(f"no sweep was needed\n{sm.log.tail(30)}")
            self.check_alive(sm)

    def test_too_few_sls(self):
        with self.start_lab(torus_net(4, 4)) as lab:
            sm, sweep = self.up(lab, "max_sls = 2\n")
            self.assertEqual(sweep["tables_of"], "updn")
            self.assertRegex(sm.log.text(), r"both directions of every pair on one SL take \d+ SLs with \d+ VLs.*there are 2")
            self.check_alive(sm)


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
                self.assert_same_lfts(self.reported_lfts(sm.ask("tables")), fresh)
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
ON_IBSIM = [case for case in CASES if case[1] == "balanced"]
add_cases(OnIbsim, ON_IBSIM, drawn(ON_IBSIM, 1, 1), OnIbsim.live)
FILLED = [case for case in CASES if case[1] in ("balanced", "updn", "dmodk")]
add_cases(FilledVls, FILLED, drawn(FILLED, 1, 1), FilledVls.live)


if __name__ == "__main__":
    unittest.main()
