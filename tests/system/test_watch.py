# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""What operators' programs see of the plugin in a real opensm: metrics for Prometheus, the log of events,
and the event hook. Whatever these meet (a taken port, a hook that hangs, clients that say nothing), the
fabric stays routed and faults are repaired.
"""
import contextlib
import json
import re
import socket
import subprocess
import time

from opensm_case import ROUTE, OpenSmCase, generated_net
from tools.lab import PLUGIN_STATUS, torus_net, walk_all_pairs

LISTEN = '[metrics]\nlisten = "unix:@FOLDER@/metrics.sock"\n'


class Observed(OpenSmCase):
    def up(self, lab, toml, **options):
        sm = self.start(lab, host="H-0-0", toml=PLUGIN_STATUS + toml, options=options)
        sm.wait_up(timeout_s=40)
        self.eventually(lambda: self.assertTrue(sm.ask("status")["fast_path"]["ready"]))
        return sm

    def page(self, sm):
        """The metrics page of an opensm, over HTTP on its Unix socket: {name with labels: value}."""
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(20)
            client.connect(str(sm.folder / "metrics.sock"))
            client.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
            text = b""
            while part := client.recv(65536):
                text += part
        head, _, body = text.decode().partition("\r\n\r\n")
        self.assertTrue(head.startswith("HTTP/1.0 200 OK\r\n"), head)
        self.assertIn(f"Content-Length: {len(body)}", head)
        return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2])
                for line in body.splitlines() if not line.startswith("#")}

    def metric(self, sm, name):
        return self.page(sm)["selvedge_sm_" + name]

    def wait_metric(self, sm, name, value):
        self.eventually(lambda: self.assertGreaterEqual(self.metric(sm, name), value, sm.log.tail()))

    def events(self, sm):
        with contextlib.suppress(FileNotFoundError):
            return [json.loads(line)
                    for line in (sm.folder / "events.jsonl").read_text(encoding="utf-8").splitlines()]
        return []

    def wait_event(self, sm, kind):
        def found():
            events = [e for e in self.events(sm) if e["event"] == kind]
            self.assertTrue(events, sm.log.tail())
            return events[-1]
        return self.eventually(found)

    def order(self, sm, *words, status=0):
        """Runs selvedge-route drain or undrain; its JSON, or its message if it is to fail."""
        done = subprocess.run([ROUTE, *words, "--socket", sm.socket, "--json"], check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=40)
        self.assertEqual(done.returncode, status, done.stderr)
        return json.loads(done.stdout) if status == 0 else done.stderr

    def only_others_reach(self, lab, name):
        """Asserts that all pairs of hosts have a path, read back from the switches, but those with a
        host at the switch of this name, and that no path crosses it."""
        subnet = lab.read_subnet(host="H-0-0")
        leaf = subnet.switch_named(name).guid
        for (source, target), walk in walk_all_pairs(subnet).walks.items():
            ends = [h.switch for h in subnet.hosts if h.lid in (source, target)]
            if leaf not in ends:
                self.assertIsNone(walk.fault)
                self.assertNotIn(leaf, walk.switches)


class Watch(Observed):
    def test_a_cut_in_metrics_and_events(self):
        with self.start_lab(torus_net(4, 4)) as lab:
            sm = self.up(lab, LISTEN + '[events]\nlog = "@FOLDER@/events.jsonl"\n')
            sweep = self.wait_event(sm, "sweep")
            self.assertGreaterEqual(sweep["lft_blocks"], 16)
            self.assertGreater(sweep["lft_entries"], sweep["lft_blocks"])
            self.assertNotIn("sl2vl_rows", sweep)
            before = self.page(sm)
            for name, value in (("master", 1), ("proved", 1), ("switches", 16), ("hosts", 16),
                                ("links", 32), ("pairs", 240), ("pairs_failed", 0), ("repairs_total", 0),
                                ("unproved_changes_total", 0), ("config_error", 0)):
                self.assertEqual(before["selvedge_sm_" + name], value, name)
            self.assertGreater(before["selvedge_sm_proofs_total"], 0)
            self.assertGreater(before['selvedge_sm_lft_entries_written_total{by="sweep"}'], 0)
            self.assertRegex("\n".join(before), r'selvedge_sm_info\{version="[0-9.]+.*",engine="updn"\}')

            lab.cut("S-1-1", 4)
            repair = self.wait_event(sm, "repair")
            self.wait_metric(sm, "repairs_total", 1)
            self.eventually(lambda: self.assertEqual(self.metric(sm, "links"), 31))
            after = self.page(sm)
            # The sweep that follows sends the two switches at the cut all their blocks again.
            self.wait_metric(sm, 'lft_blocks_written_total{by="sweep"}', 2)
            self.assertEqual(after["selvedge_sm_repair_seconds_count"], 1)
            self.assertAlmostEqual(after["selvedge_sm_repair_seconds_sum"], repair["ms"] / 1000, 5)
            self.assertAlmostEqual(after["selvedge_sm_pair_seconds_without_path_total"],
                                   repair["pairs_without_path"] * repair["ms"] / 1000, 4)
            self.assertGreater(repair["pairs_without_path"], 0)
            self.assertEqual(after['selvedge_sm_lft_entries_written_total{by="fast_path"}'],
                             repair["lft_entries"])
            self.assertEqual(after['selvedge_sm_lft_blocks_written_total{by="fast_path"}'],
                             repair["lft_blocks"])
            self.assertEqual(after["selvedge_sm_unproved_changes_total"], 0)
            self.assertEqual(after["selvedge_sm_pairs_failed"], 0)
            self.assertTrue(repair["proved"] and repair["written"], repair)
            self.assertIn("S-1-1", repair["what"])
            self.assertIn("S-1-1", self.wait_event(sm, "change")["what"])
            times = [e["time"] for e in self.events(sm)]
            self.assertEqual(times, sorted(times))

            self.eventually(lambda: self.assertIn("drained", sm.ask("drain", "S-2-2:2")))
            self.wait_metric(sm, "drained", 1)
            self.assertIn("S-2-2:2", self.wait_event(sm, "drained")["what"])
            self.assertIn("undrained", sm.ask("undrain", "S-2-2:2"))
            self.assertIn("S-2-2:2", self.wait_event(sm, "undrained")["what"])
            self.eventually(lambda: self.assertEqual(self.metric(sm, "drained"), 0))
            lab.relink("S-1-1", 4)
            self.wait_fabric(sm, links=32)
            self.check(lab, sm)

    def test_a_leaf_switch_is_drained_with_its_hosts(self):
        """Hosts of the drained leaf have no path any more, all others keep theirs, through a sweep too;
        undrained, all are back. The switch of opensm's own host is refused."""
        with self.start_lab(generated_net("clos:n=3,r=4,m=3")) as lab:
            sm = self.up(lab, LISTEN, routing_engine="selvedge-dmodk,no_fallback")
            self.check(lab, sm, hosts=12)
            done = self.order(sm, "drain", "--with-hosts", "S-0-1")
            self.assertEqual((done["hosts"], done["confirmed"], done["lossy_lids"]), (3, True, 0), done)
            self.eventually(lambda: self.assertEqual(self.metric(sm, "hosts"), 9))
            self.assertEqual(self.metric(sm, "pairs"), 72)
            self.assertEqual(self.metric(sm, "pairs_failed"), 0)
            mark = sm.mark()
            sm.send_sighup()
            sm.wait_settled(after=mark)
            self.eventually(lambda: self.only_others_reach(lab, "S-0-1"))
            self.assertEqual(self.metric(sm, "unproved_changes_total"), 0)
            self.assertIn("own host", self.order(sm, "drain", "--with-hosts", "S-0-0", status=2))
            self.order(sm, "undrain", "--all")
            self.eventually(lambda: self.assertEqual(self.metric(sm, "hosts"), 12))
            self.check(lab, sm, hosts=12)

    def test_a_hook_that_hangs_delays_no_repair(self):
        with self.start_lab(torus_net(4, 4)) as lab:
            hook = lab.folder / "hook"
            seen = lab.folder / "seen"
            hook.write_text(f"#!/bin/sh\ncat >> {seen}\nexec sleep 1000\n", encoding="utf-8")
            hook.chmod(0o755)
            sm = self.up(lab, LISTEN + f'[events]\nrun = "{hook}"\nrun_s = 1\n')
            lab.cut("S-1-1", 4)
            self.wait_metric(sm, "repairs_total", 1)
            self.wait_metric(sm, "hooks_failed_total", 2)
            self.eventually(lambda: self.assertIn('"event":"repair"', seen.read_text(encoding="utf-8")))
            self.assertEqual(len(re.findall("event hook was ended after 1 s", sm.log.text())), 1)
            self.check(lab, sm)

    def test_a_taken_port_and_a_log_in_no_folder(self):
        with self.start_lab(torus_net(4, 4)) as lab, socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            sm = self.up(lab, f'[metrics]\nlisten = "127.0.0.1:{port}"\n'
                              '[events]\nlog = "/nowhere/events.jsonl"\nrun = "/nowhere/hook"\n')
            lab.cut("S-1-1", 4)
            self.eventually(lambda: self.assertEqual(sm.ask("status")["fast_path"]["repairs"], 1))
            self.wait_fabric(sm, links=31)
            self.eventually(lambda: self.assertIn("the event hook cannot be started", sm.log.text()))
            for line in (f"cannot listen for metrics (Address already in use): 127.0.0.1:{port}",
                         "cannot write the log of events (No such file or directory)",
                         "the event hook cannot be started (No such file or directory)"):
                self.assertEqual(sm.log.text().count(line), 1, line)
            self.check(lab, sm)

    def test_the_place_of_metrics_changes_with_sighup(self):
        with self.start_lab(torus_net(4, 4)) as lab, socket.socket() as taken:
            sm = self.up(lab, LISTEN)
            self.page(sm)
            toml = sm.folder / "plugin.toml"
            text = toml.read_text(encoding="utf-8")
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]

            def change(listen):
                toml.write_text(text.replace(f"unix:{sm.folder}/metrics.sock", listen), encoding="utf-8")
                mark = sm.mark()
                sm.send_sighup()
                sm.wait_settled(after=mark)
            # A port that another program has is one line; the fabric stays routed, and the old place is given up.
            change(f"127.0.0.1:{port}")
            self.assertEqual(sm.log.text().count(f"cannot listen for metrics (Address already in use): 127.0.0.1:{port}"), 1)
            self.assertFalse((sm.folder / "metrics.sock").exists())
            # A full or taken port that is free again is tried anew with the next change of the file.
            taken.close()
            toml.write_text(toml.read_text(encoding="utf-8") + "\n", encoding="utf-8")
            mark = sm.mark()
            sm.send_sighup()
            sm.wait_settled(after=mark)
            with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
                client.sendall(b"GET /metrics HTTP/1.0\r\n\r\n")
                self.assertIn(b"200 OK", client.recv(64))
            change(f"unix:{sm.folder}/metrics.sock")
            self.assertEqual(self.metric(sm, "master"), 1)
            with self.assertRaises(ConnectionRefusedError):
                socket.create_connection(("127.0.0.1", port), timeout=20)
            self.check(lab, sm)

    def test_idle_clients_delay_neither_status_nor_metrics(self):
        with self.start_lab(torus_net(4, 4)) as lab, contextlib.ExitStack() as idle:
            sm = self.up(lab, LISTEN)
            clients = []
            for name in ["plugin.sock", "metrics.sock"] * 64:
                client = idle.enter_context(socket.socket(socket.AF_UNIX))
                client.connect(str(sm.folder / name))
                client.setblocking(False)
                clients.append(client)
            for _ in range(5):
                sm.ask("status")
                self.page(sm)
            # The answers came while all the others were still connected: nobody had to give way.
            for client in clients:
                with self.assertRaises(BlockingIOError):
                    client.recv(1)
            self.check_alive(sm)


class Errors(Observed):
    """Counters as OpenSM's PerfMgr reads them. ibsim's console sets them; on the emulator nothing errs."""
    PERFMGR = {"perfmgr": "TRUE", "perfmgr_sweep_time_s": 1}

    def up_with(self, lab, action, more=""):
        return self.up(lab, LISTEN + f'[errors]\naction = "{action}"\n{more}'
                       '[events]\nlog = "@FOLDER@/events.jsonl"\n', **self.PERFMGR)

    def err(self, lab, sm, name, port, count):
        """Makes the symbol errors of a port grow until an event comes of that."""
        def told():
            self.errors += count
            lab.console(f'PerformanceSet "{name}"[{port}] PortCounters.SymbolErrorCounter={self.errors}')
            time.sleep(0.5)
            found = [e for e in self.events(sm) if e["event"] == "errors" and f"({name})" in e["what"]]
            self.assertTrue(found, sm.log.tail())
            return found[-1]["what"]
        self.errors = 0
        return self.eventually(told)

    def test_a_cable_that_errs_is_drained(self):
        with self.start_lab(torus_net(4, 4), subnet="ibsim") as lab:
            sm = self.up_with(lab, "drain", "drains_per_hour = 1\n")
            what = self.err(lab, sm, "S-1-1", 4, 100)
            self.assertRegex(what, r"^0x[0-9a-f]{16}:4 \(S-1-1\): [0-9.]+ symbol errors a minute \(limit 10\): drained$")
            self.wait_fabric(sm, links=31)
            self.assertEqual(len(sm.ask("status")["drained"]), 1)

            def moved():
                subnet = lab.read_subnet(host="H-0-0")
                walks = walk_all_pairs(subnet)
                self.assertEqual(walks.broken, [])
                ends = {(subnet.switch_named(name).guid, port) for name, port in (("S-1-1", 4), ("S-1-2", 3))}
                self.assertFalse(ends & {hop for walk in walks.walks.values() for hop in walk.hops})
            self.eventually(moved)
            # Another one within the hour is one too many, and a host's only cable is none to drain.
            self.assertIn("drains_per_hour", self.err(lab, sm, "S-2-2", 2, 100))
            self.assertEqual(len(sm.ask("status")["drained"]), 1)
            self.assertEqual(self.metric(sm, "unproved_changes_total"), 0)

    def test_what_would_cut_a_host_off_is_only_told(self):
        with self.start_lab(torus_net(4, 4), subnet="ibsim") as lab:
            sm = self.up_with(lab, "drain")
            self.assertIn("not drained: hosts would be cut off", self.err(lab, sm, "S-1-1", 5, 100))
            self.assertEqual(sm.ask("status")["drained"], [])

    def test_a_dry_run_drains_nothing(self):
        with self.start_lab(torus_net(4, 4), subnet="ibsim") as lab:
            sm = self.up_with(lab, "dry-run")
            self.assertIn("would be drained", self.err(lab, sm, "S-1-1", 4, 100))
            self.assertEqual(sm.ask("status")["drained"], [])
            self.wait_fabric(sm, links=32)

    def test_without_counters_one_line_says_so(self):
        with self.start_lab(torus_net(4, 4)) as lab:
            sm = self.up(lab, '[errors]\naction = "drain"\n')
            self.assertEqual(sm.log.text().count("[errors] has no counters to watch: perfmgr"), 1)
