# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""What the system tests of the plugin share: fabrics, options, and the three ways in which tables are
checked after every change:

  (a) what the switches hold, read back by infiniband-diags, is what the plugin says it gave them;
  (b) tools/lab's walker follows the read-back tables for every pair;
  (c) `selvedge-route verify` proves the plugin's tables, whose fabric must be the one read back, and
      proves the read-back LFTs by themselves where one VL does.

The subnet is the emulator's, or ibsim's with SELVEDGE_LAB_SUBNET=ibsim; every case holds on both.
Traps get lost and the length of a sweep varies. Every expectation is therefore polled (`eventually`)
with a generous limit; nothing here waits for a fixed time or asserts one.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.support.draw import SEED, one_in  # noqa: E402
from tools.lab import PLUGIN_STATUS, Lab, LabError, walk_all_pairs  # noqa: E402

BUILD = pathlib.Path(os.environ.get("SELVEDGE_BUILD_DIR", ROOT / "build")).resolve()
ROUTE = BUILD / "bin" / "selvedge-route"
CLIENT = BUILD / "bin" / "subnet_client"
SUBNET = os.environ.get("SELVEDGE_LAB_SUBNET") or "emulate"
SHARE = int(os.environ.get("SELVEDGE_DRAWN_SHARE", "1"))  # one case in SHARE is run
PATIENCE_S = 40.0  # the limit of a poll; it is reached only if something is wrong

# sweep_interval 1: a change whose traps are both lost (ibsim routes them over the old tables) is
# found by the next light sweep.
OPTIONS = {"routing_engine": "selvedge-updn,no_fallback", "lmc": 0, "sweep_interval": 1}
FAILED = r"selvedge: .* failed"  # the plugin's log line for an exception caught in an OpenSM callback


def net(switches, cables, hosts):
    """The text of an ibsim .net file. switches: {name: ports}; cables: [(name, port, name, port)];
    hosts: {name: [(switch, port), …]}, one end for each of the host's ports."""
    ends = {name: {} for name in switches}
    for a, a_port, b, b_port in cables:
        ends[a][a_port], ends[b][b_port] = (b, b_port), (a, a_port)
    for name, ports in hosts.items():
        for i, (switch, port) in enumerate(ports, 1):
            if switch in ends:
                ends[switch][port] = (name, i)
    lines = []
    for name, ports in switches.items():
        lines.append(f'Switch {ports} "{name}"')
        lines += [f'[{p}] "{far}"[{q}]' for p, (far, q) in sorted(ends[name].items())] + [""]
    for name, ports in hosts.items():
        lines.append(f'Hca {len(ports)} "{name}"')
        lines += [f'[{i}] "{far}"[{q}]' for i, (far, q) in enumerate(ports, 1) if far] + [""]
    return "\n".join(lines) + "\n"


def ring_net(size, hosts=1):
    """The .net text of a ring of switches S-0 … S-(size−1): port 1 leads to the switch numbered one
    lower, port 2 to the one numbered one higher. Its hosts H-0 … are at ports from 3 on."""
    return net({f"S-{i}": 2 + hosts for i in range(size)},
               [(f"S-{i}", 2, f"S-{(i + 1) % size}", 1) for i in range(size)],
               {f"H-{i}" + (f"-{k}" if hosts > 1 else ""): [(f"S-{i}", 3 + k)]
                for i in range(size) for k in range(hosts)})


def first_host(text):
    """The name of the first host of a .net text."""
    return re.search(r'(?m)^(?:Hca|Ca)\s+\d+\s+"(.*?)"', text)[1]


def generated_net(spec):
    """The .net text that selvedge-route writes for a FABRIC (the value of --fabric)."""
    path = pathlib.Path(os.environ.get("TMPDIR", "/tmp"),
                        f"selvedge-fabric-{os.getpid()}-{time.monotonic_ns()}.net")
    try:
        subprocess.run([ROUTE, "fabric", "--fabric", spec, "--write", path], check=True,
                       stdout=subprocess.DEVNULL, timeout=PATIENCE_S)
        return path.read_text(encoding="utf-8")
    finally:
        path.unlink(missing_ok=True)


def number(guid):
    return guid if isinstance(guid, int) else int(guid, 0)


def cut_or_relink(lab, draw, cables, out, most, refused=lambda out: False):
    """Makes one random event: cuts a cable, or relinks one of the cut cables, which `out` holds.
    A cable is drawn from `cables`. If it is in `out`, it is relinked. Otherwise it is cut, unless `most`
    cables are out or refused(`out` with this cable) is true: then any cable of `out` is relinked."""
    cable = draw.choice(cables)
    if cable in out or len(out) >= most or refused({*out, cable}):
        cable = cable if cable in out else draw.choice(sorted(out))
        lab.relink(*cable)
        out.remove(cable)
    else:
        lab.cut(*cable)
        out.add(cable)
    time.sleep(draw.choice((0.0, 0.001, 0.02, 0.1)))


class Patient(unittest.TestCase):
    def eventually(self, check, timeout_s=PATIENCE_S):
        """Calls check() until it raises neither an assertion nor a LabError, and returns its value.
        After `timeout_s` the last error is raised."""
        end = time.monotonic() + timeout_s
        while True:
            try:
                return check()
            except (AssertionError, LabError):
                if time.monotonic() > end:
                    raise
            time.sleep(0.02)


class OpenSmCase(Patient):
    maxDiff = 2000

    def setUp(self):
        super().setUp()
        if not one_in(SHARE, self.id()):
            self.skipTest(f"not drawn by SELVEDGE_SEED={SEED}")

    def start_lab(self, text, *, subnet=SUBNET, **kwargs):
        return Lab(text, build_dir=BUILD, subnet=subnet, **kwargs)

    def start(self, lab, name="sm", *, host=None, options=None, toml=PLUGIN_STATUS, **kwargs):
        """Starts an opensm with the plugin. Unless the text has settings of engines, these have all the
        time that they need: on a busy machine half a second may pass before a quick engine is ready."""
        if toml and toml.startswith(PLUGIN_STATUS) and "[engine]" not in toml:
            toml += "[engine]\ndeadline_ms = 60000\n"
        return lab.opensm(name, host=host, options={**OPTIONS, **(options or {})},
                          plugin_toml=toml, **kwargs)

    def wait_fabric(self, sm, **counts):
        """Waits until the plugin has tables for a fabric with these `counts` of switches, hosts or links."""
        def fits(status):
            sweep = status["last_sweep"] or {}
            return all(sweep.get(key) == value for key, value in counts.items())
        return sm.wait_status(fits, timeout_s=PATIENCE_S)

    def client(self, lab, host, *arguments, accept=(0,), text=""):
        """Runs subnet_client (subnet_client.cpp) on a simulated host; returns its standard output."""
        done = subprocess.run([CLIENT, *map(str, arguments)], env=lab.environment(host),
                              cwd=lab.folder, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, timeout=PATIENCE_S, check=False)
        self.assertIn(done.returncode, accept, done.stderr)
        return done.stdout

    @staticmethod
    def verify(tables, *options, topology=None):
        """Runs selvedge-route verify; returns its JSON, with the exit status added as "status"."""
        fabric = ["--fabric", f"file:{topology}"] if topology else []
        done = subprocess.run([ROUTE, "verify", *fabric, "--tables", tables, "--json", *options],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=PATIENCE_S, check=False)
        if done.returncode not in (0, 1):
            raise RuntimeError(f"verify ended with {done.returncode}: {done.stderr}")
        return {"status": done.returncode, **json.loads(done.stdout)}

    def check_now(self, lab, sm, *, host=None, hosts=None, switches=None):
        """Makes the three checks of this file's head once; returns (subnet, the plugin's tables)."""
        host = host or sm.host
        subnet = lab.read_subnet(host=host)
        reported = sm.ask("tables")
        self.assertNotIn("error", reported)
        if hosts is not None:
            self.assertEqual(len(subnet.hosts), hosts)
        if switches is not None:
            self.assertEqual(len(subnet.switches), switches)
        self.assertEqual(sorted(number(s["guid"]) for s in reported["fabric"]["switches"]),
                         sorted(subnet.switches))
        self.assertEqual(sorted((number(h["guid"]), h["lid"], h["lmc"])
                                for h in reported["fabric"]["hosts"]),
                         sorted((h.guid, h.lid, h.lmc) for h in subnet.hosts))
        guid = {s["id"]: number(s["guid"]) for s in reported["fabric"]["switches"]}
        self.assertEqual(sorted(tuple(sorted([(guid[a], p), (guid[b], q)]))
                                for a, p, b, q in reported["fabric"]["links"]), subnet.each_cable())
        told, seen = self.reported_lfts(reported), self.seen_lfts(subnet)
        self.assertEqual([(subnet.switches[guid].name, lid, told[guid].get(lid), seen[guid].get(lid))
                          for guid in told for lid in sorted({*told[guid], *seen[guid]})
                          if told[guid].get(lid) != seen[guid].get(lid)][:20], [], "switch, LID, the plugin's port, its own")
        survey = walk_all_pairs(subnet)
        self.assertEqual(survey.broken, [], survey.first_fault())
        reported_path = subnet.topology_path.with_name("plugin.json")
        reported_path.write_text(json.dumps(reported), encoding="utf-8")
        sweep = sm.ask("status")["last_sweep"]
        # What has been read back must be of the grade that the plugin claims.
        replies = ["--replies", sweep["proof"]["replies"]]
        proof = self.verify(reported_path, *replies)
        self.assertEqual(proof["status"], 0, proof)
        if sweep["vls_used"] <= 1 and not sweep["proof"]["disconnected"]:
            proof = self.verify(subnet.tables_path, topology=subnet.topology_path)
            self.assertEqual(proof["status"], 0, proof)
        return subnet, reported

    def check(self, lab, sm, **kwargs):
        """Polls check_now until it holds; then opensm must be alive, and no callback may have failed."""
        result = self.eventually(lambda: self.check_now(lab, sm, **kwargs))
        self.check_alive(sm)
        return result

    def check_some(self, lab, sm):
        """Asserts that the plugin's tables are proved, and that every 20th switch holds them: to read back
        hundreds takes minutes."""
        reported = sm.ask("tables")
        path = lab.folder / "tables.json"
        path.write_text(json.dumps(reported), encoding="utf-8")
        self.assertEqual(self.verify(path)["status"], 0)
        told = self.reported_lfts(reported)
        for switch in reported["fabric"]["switches"][::20]:
            seen = {lid: port for lid, port in lab.read_lft(switch["lid"], host=sm.host).items() if port != 255}
            lft = told[number(switch["guid"])]
            self.assertEqual({lid: seen.get(lid) for lid in lft}, lft)

    def check_alive(self, sm):
        self.assertTrue(sm.running, sm.log.tail())
        self.assertNotRegex(sm.log.text(), FAILED)

    @staticmethod
    def reported_lfts(reported):
        """{switch GUID: {LID: port}} of the plugin's tables; LIDs that the tools leave out (a last
        LID that is a multiple of 64) are left out here too."""
        result = {}
        for switch in reported["fabric"]["switches"]:
            lft = reported["lft"][switch["id"]]
            top = len(lft) - 1
            result[number(switch["guid"])] = {
                lid: port for lid, port in enumerate(lft)
                if port != 255 and lid > 0 and not (lid == top and lid % 64 == 0)}
        return result

    def assert_same_lfts(self, one, other):
        """assertEqual would spend minutes on the difference of two large dictionaries."""
        if one == other:
            return
        for guid in sorted(set(one) | set(other)):
            first, second = one.get(guid, {}), other.get(guid, {})
            lids = [lid for lid in sorted(set(first) | set(second)) if first.get(lid) != second.get(lid)]
            if lids or guid not in one or guid not in other:
                self.fail(f"switch {guid:#x}, {len(lids)} LIDs differ, the first {lids[:1]}: "
                          f"ports {[first.get(lid) for lid in lids[:1]]} and {[second.get(lid) for lid in lids[:1]]}")

    @staticmethod
    def seen_lfts(subnet):
        tops = [s.lid for s in subnet.switches.values()] + [h.lids[-1] for h in subnet.hosts]
        top = max(tops)
        return {guid: {lid: port for lid, port in lft.items()
                       if lid <= top and not (lid == top and lid % 64 == 0)}
                for guid, lft in subnet.lfts.items()}
