# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Whatever an operator and a fabric can do, in any order and too close together: cables are cut and healed,
switches die and come back, cables are drained, other engines are ordered, OpenSM rereads plugin.toml
(whole or with a mistake), and opensm is killed and started again, for ever new fabrics and engines.

Now and then all is left alone. Then the tables that are read back are those of the plugin, proved, and
lead every pair that is left to its end (OpenSmCase.check). Then cables and switches are mended, and the same
must hold of the whole fabric.

  SELVEDGE_CHAOS_SECONDS=n   how long (./run test 12, ./run check 120, ./run campaign 3600)
  SELVEDGE_CHAOS_FABRIC=name only this one of FABRICS; otherwise their order is drawn, and none comes again before
                             all others have
"""
import os
import random
import time
import unittest

from fabrics import dragonfly_net, irregular_net, two_port_net
from opensm_case import PATIENCE_S, OpenSmCase, first_host, generated_net
from tests.support.draw import CAMPAIGN, SEED, scaled
from tools.lab import PLUGIN_STATUS, LabError, doubled_torus_net, torus_net

SECONDS = float(os.environ.get("SELVEDGE_CHAOS_SECONDS", scaled(12, 120, 3600)))
EVENTS = (4, 12)   # how many happen between two rests
MOST_CUT = 4       # cables that are cut at a time


# name: (.net text, engine, LMC, engines that may be ordered).
FABRICS = {
    "torus 4x4": (lambda: torus_net(4, 4), "updn", 0, ("spf", "updn")),
    "torus 4x4, 4 LIDs": (lambda: torus_net(4, 4), "ist", 2, ("updn", "ist")),
    "torus 3x4, two cables between neighbours": (lambda: doubled_torus_net(3, 4), "tftr", 2, ("updn", "tftr")),
    "3D torus": (lambda: generated_net("torus:3x3x3"), "tftr", 2, ("updn", "tftr")),
    "tree": (lambda: generated_net("tree:k=3,n=3"), "dmodk", 0, ("updn", "dmodk")),
    "tree, 4 LIDs": (lambda: generated_net("tree:k=3,n=2"), "tftr", 2, ("dmodk", "tftr")),
    "irregular": (lambda: generated_net("irregular:switches=12,degree=4"), "tftr", 1, ("updn", "tftr")),
    "irregular, two hosts": (lambda: generated_net("irregular:switches=14,degree=3,hosts=2"), "auto", 0, ("updn", "auto")),
    "irregular, some cables doubled": (irregular_net, "tftr", 2, ("updn", "tftr")),
    "dragonfly": (dragonfly_net, "tftr", 1, ("updn", "tftr")),
    "two-port hosts": (two_port_net, "updn", 1, ("tftr", "updn")),
}
TOML = PLUGIN_STATUS + "[repair]\nflap_limit = 1000\n[engine]\ndeadline_ms = {}\n"
MISTAKES = ("[engine\n", "colour = 7\n", "[repair]\n", "\0")


class Chaos(OpenSmCase):
    def kind(self, number):
        """The name of the fabric of this life."""
        only = os.environ.get("SELVEDGE_CHAOS_FABRIC")
        if only:
            return only
        of_round = random.Random(f"{SEED} round {number // len(FABRICS)}").sample(list(FABRICS), len(FABRICS))
        return of_round[number % len(FABRICS)]

    # -- the fabric that is left

    def set_up(self, lab, sm, engine):
        subnet, _ = self.check(lab, sm)
        names = {guid: switch.name for guid, switch in subnet.switches.items()}
        self.cables = [((names[a[0]], a[1]), (names[b[0]], b[1])) for a, b in subnet.each_cable()]
        self.switches, self.engine = sorted(names.values()), engine
        self.at = [(h.name, names[h.switch]) for h in subnet.hosts]  # a host with two ports is there twice
        self.own = {switch for name, switch in self.at if name == self.host}
        self.cut, self.dead, self.mistaken = set(), set(), False

    def left(self):
        return [c for c in self.cables if c not in self.cut and not {c[0][0], c[1][0]} & self.dead]

    def in_pieces(self):
        near = {name: set() for name in self.switches if name not in self.dead}
        for (a, _), (b, _) in self.left():
            near[a].add(b)
            near[b].add(a)
        start = min(self.own)
        seen, ahead = {start}, [start]
        while ahead:
            found = near[ahead.pop()] - seen
            seen |= found
            ahead += found
        return len(seen) < len(near)

    # -- events; each returns what is said of it, or None if nothing was done

    def cut_or_heal(self, lab, _sm, draw):
        cable = draw.choice(self.cables)
        if {cable[0][0], cable[1][0]} & self.dead:
            return None
        if cable in self.cut:
            self.cut.remove(cable)
            lab.relink(*cable[0])
            return f"heal {cable}"
        self.cut.add(cable)
        if len(self.cut) > MOST_CUT or self.in_pieces():
            self.cut.remove(cable)
            return None
        lab.cut(*cable[0])
        return f"cut {cable}"

    def kill_or_revive(self, lab, _sm, draw):
        if self.dead:
            name = self.dead.pop()
            lab.ask_emulator(f"revive {name}")
            return f"revive {name}"
        name = draw.choice(self.switches)
        self.dead.add(name)
        touched = any(name in (a, b) for (a, _), (b, _) in self.cut)
        if name in self.own or touched or self.in_pieces():
            self.dead.remove(name)
            return None
        lab.ask_emulator(f"kill {name}")
        return f"kill {name}"

    def order(self, sm, *words):
        """A refusal, by the plugin or because it does not answer at present, is no mistake."""
        try:
            answer = sm.ask(*words, timeout_s=PATIENCE_S)
        except (OSError, LabError, ValueError) as error:
            return f"{words}: {type(error).__name__}"
        return f"{words}: {answer.get('error', {}).get('what', 'done')}"

    def drain(self, _lab, sm, draw):
        (name, port), _ = draw.choice(self.cables)
        return self.order(sm, "drain", f"{name}:{port}")

    def undrain(self, _lab, sm, _draw):
        return self.order(sm, "undrain")

    def reroute(self, _lab, sm, draw):
        return self.order(sm, "reroute", draw.choice(self.others))

    def reread(self, _lab, sm, draw):
        self.write(sm, draw.choice(MISTAKES) if draw.random() < 0.5 else "")
        sm.send_sighup()
        return "SIGHUP" + (" with a mistake in plugin.toml" if self.mistaken else "")

    def kill(self, _lab, sm, draw):
        sm.kill()
        time.sleep(draw.choice((0, 0.05)))
        mark = sm.mark()
        sm.start()
        sm.wait_log("SUBNET UP|selvedge: ", after=mark)  # before that, SIGHUP would end it, and plugin.toml is not read
        self.mistaken = False  # that wrote plugin.toml anew
        return "SIGKILL"

    def write(self, sm, mistake):
        path = sm.folder / "plugin.toml"
        if not self.whole:
            self.whole = path.read_text(encoding="utf-8")
        path.write_text(self.whole + mistake, encoding="utf-8")
        self.mistaken = bool(mistake)

    # -- rests

    def rest(self, lab, sm, mended):
        if self.mistaken:
            self.write(sm, "")
            sm.send_sighup()
        if mended:
            for cable in sorted(self.cut):
                lab.relink(*cable[0])
            for name in self.dead:
                lab.ask_emulator(f"revive {name}")
            self.cut, self.dead = set(), set()

        def used():
            if sm.ask("status")["drained"]:
                self.assertNotIn("error", sm.ask("undrain", timeout_s=PATIENCE_S))
            sweep = sm.ask("status")["last_sweep"]
            self.assertIsNotNone(sweep)
            self.assertEqual((sweep["switches"], sweep["links"]),
                             (len(self.switches) - len(self.dead), len(self.left())))
            if sweep["awaited"]:  # an engine that refuses what is left of the fabric is not waited for
                self.assertIsNotNone(sweep["awaited"]["failure"])
        self.eventually(used, timeout_s=3 * PATIENCE_S)
        hosts = sum(1 for _, at in self.at if at not in self.dead)
        self.check(lab, sm, hosts=hosts, switches=len(self.switches) - len(self.dead))

    # -- a life

    def live(self, number, end):
        draw = random.Random(f"{SEED} {number}")
        kind, deadline_ms = self.kind(number), draw.choice((0, 20, 60000))
        make, engine, lmc, self.others = FABRICS[kind]
        print(f"life {number}: {kind}, selvedge-{engine}, LMC {lmc}, deadline {deadline_ms} ms", flush=True)
        done = []
        self.whole = ""
        text = make()
        self.host = first_host(text)
        with self.start_lab(text, subnet="emulate") as lab:
            sm = self.start(lab, host=self.host, options={"routing_engine": f"selvedge-{engine},no_fallback", "lmc": lmc},
                            toml=TOML.format(deadline_ms))
            sm.wait_up(timeout_s=PATIENCE_S)
            self.set_up(lab, sm, engine)
            events = [self.cut_or_heal] * 8 + [self.drain, self.undrain, self.reroute, self.reread, self.kill,
                                               self.kill_or_revive]
            try:
                for rests in range(4):
                    if time.monotonic() > end:
                        break
                    for _ in range(draw.randrange(*EVENTS)):
                        said = draw.choice(events)(lab, sm, draw)
                        if said:
                            done.append(said)
                            time.sleep(draw.choice((0, 0.001, 0.02, 0.1, 0.3)))
                    done.append("a rest")
                    self.rest(lab, sm, mended=rests % 2 == 1)
                done.append("mended")
                self.rest(lab, sm, mended=True)
            except (AssertionError, LabError) as error:
                raise AssertionError("\n".join([f"SELVEDGE_SEED={SEED}, life {number}, {kind}, {engine}:", *done,
                                                str(error), sm.log.tail(40)])) from error
        return len(done)

    def test_it(self):
        end, events, number = time.monotonic() + SECONDS, 0, 0
        while time.monotonic() < end:
            events += self.live(number, end)
            number += 1
        print(f"{number} lives, {events} events, SELVEDGE_SEED={SEED}", flush=True)
        self.assertGreater(events, 0)
        if CAMPAIGN:
            self.assertGreaterEqual(number, len(FABRICS), "not every fabric had its turn")


if __name__ == "__main__":
    unittest.main()
