// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The output for people: tables of facts, wrapped text, the page of the plugin's status.
#include "plugin/program/report.hpp"

#include <gtest/gtest.h>

#include "plugin/route/status_page.hpp"

namespace selvedge::route {
namespace {

TEST(Sheet, AlignsValuesAndTheirFurtherLines) {
  Sheet sheet;
  sheet.row("a", "1");
  sheet.row("longer", "x\ny");
  sheet.row("empty", "");
  EXPECT_EQ(sheet.text(),
            "a       1\n"
            "longer  x\n"
            "        y\n"
            "empty\n");
}

TEST(Wrapped, BreaksAtSpacesOnly) {
  EXPECT_EQ(wrapped("one two three", 7), "one two\nthree");
  EXPECT_EQ(wrapped("unbreakable", 4), "unbreakable");
  EXPECT_EQ(wrapped("", 4), "");
}

TEST(EnginePage, StatesEveryFact) {
  for (const Engine* engine : engines()) {
    const std::string page = engine_page(*engine);
    for (const char* fact :
         {"engine ", "topologies ", "theorem ", "deadlock free ", "tolerated faults ", "VLs ",
          "SLs ", "LMC ", "memory ", "time ", "after a fault "})
      EXPECT_NE(page.find(fact), std::string::npos) << engine->name << ": " << fact;
    for (const std::string_view text : {engine->facts.theorem, engine->facts.tolerated_faults,
                                        engine->facts.memory, engine->facts.after_a_fault})
      EXPECT_FALSE(text.empty()) << engine->name;
  }
}

TEST(PrintJson, ReplacesBytesThatAreNoText) {
  Output output;
  print_json(Json{{"name", "caf\xe9"}}, output);
  EXPECT_EQ(output.text(), "{\n  \"name\": \"caf\xef\xbf\xbd\"\n}\n");
}

TEST(StatusPage, ShowsThePluginsStatus) {
  const Json status = Json::parse(R"({
    "format": "selvedge-status-1", "opensm": "OpenSM 3.3.23", "selvedge": "0.1.0",
    "role": "master", "engine": "updn", "config_error": null,
    "last_sweep": {
      "number": 3, "time": "2026-11-20T16:00:02.000Z", "outcome": "proved", "tables_of": "updn",
      "remarks": ["one remark", "another"],
      "steps_ms": {"census": 0.4, "compute": 2.25, "prove": 3},
      "proof": {"connected": true, "loop_free": true, "deadlock_free": false,
                "replies": "base", "pairs": 1260, "dependencies": 412},
      "vls_used": 1, "sls_used": 1, "lmc": 2, "switches": 36, "hosts": 36, "links": 72},
    "failures": ["H-0-1 does not reach LID 40"],
    "faults": [{"time": "2026-11-20 16:00:01", "what": "link S-0-0:2 lost"}],
    "self_check": [{"ok": true, "what": "OpenSM is the version that the plugin was built for", "remedy": ""},
                   {"ok": false, "what": "qos is off", "remedy": "write 'qos TRUE'"}]})");
  EXPECT_EQ(status_page(status),
            "selvedge    0.1.0\n"
            "opensm      OpenSM 3.3.23\n"
            "role        master\n"
            "engine      updn\n"
            "last sweep  number 3, 2026-11-20T16:00:02.000Z, proved, tables of updn\n"
            "remarks     one remark\n"
            "            another\n"
            "fabric      36 switches, 36 hosts, 72 links, LMC 2\n"
            "used        1 VLs, 1 SLs\n"
            "proof       connected: yes, loop free: yes, deadlock free: NO, responses: base, "
            "1260 pairs, 412 dependencies\n"
            "steps       census 0.4 ms, compute 2.2 ms, prove 3.0 ms\n"
            "failures    H-0-1 does not reach LID 40\n"
            "faults      2026-11-20 16:00:01  link S-0-0:2 lost\n"
            "self-check  ok       OpenSM is the version that the plugin was built for\n"
            "            MISSING  qos is off: write 'qos TRUE'\n");
}

TEST(StatusPage, ShowsFilesOfGuidsAndTheLoadOfBaseLids) {
  const Json status = Json::parse(R"({
    "engine": "updn",
    "base_load": {"busiest_from": "leaf-01:40", "busiest_to": "spine-03:7",
                  "max_host_pairs": 1127, "mean_host_pairs": 607.72, "used_channels": 532,
                  "mean_over": "up-cables", "ratio": 1.8545, "uneven": true},
    "hint_files": [
      {"setting": "root_guid_file", "file": "/etc/roots", "guids": 9, "unknown": 0,
       "in_force": true, "overruled": false, "fault": null},
      {"setting": "cn_guid_file", "file": "/etc/cn", "guids": 573, "unknown": 2,
       "in_force": true, "overruled": false, "fault": "cn_guid_file: 'x' is no GUID: /etc/cn:3: y"},
      {"setting": "io_guid_file", "file": "/etc/io", "guids": 0, "unknown": 0,
       "in_force": false, "overruled": false, "fault": null}]})");
  EXPECT_EQ(status_page(status),
            "engine      updn\n"
            "last sweep  none yet\n"
            "base LIDs   busiest channel leaf-01:40 - spine-03:7: 1127 host pairs, mean 607.7 over "
            "532 used up-cables\n"
            "            UNEVEN: 1.85 times the mean: another engine may balance better, "
            "'selvedge-route fabric' names cables that are missing\n"
            "levels by   root_guid_file /etc/roots: 9 GUIDs\n"
            "            cn_guid_file /etc/cn: 573 GUIDs, 2 of them not in the fabric\n"
            "            cn_guid_file: 'x' is no GUID: /etc/cn:3: y\n"
            "            io_guid_file /etc/io: 0 GUIDs; NOT in force\n");
  EXPECT_EQ(status_page(Json::parse(
                R"({"engine": "updn", "base_load": null, "hint_files": [3],
                    "last_sweep": null})")),
            "engine      updn\nlast sweep  none yet\n");
}

TEST(StatusPage, ToleratesMissingFields) {
  EXPECT_EQ(status_page(Json::parse(R"({"engine": null, "last_sweep": null, "faults": []})")),
            "engine      no engine of Selvedge: OpenSM routes\n"
            "last sweep  none yet\n"
            "faults      none seen\n");
  // JSON values of an unexpected type are ignored.
  EXPECT_EQ(status_page(Json::parse(
                R"({"engine": [1], "last_sweep": {"proof": 3, "steps_ms": {"x": "y"}},
                    "faults": {"a": 1}, "self_check": [7]})")),
            "engine      no engine of Selvedge: OpenSM routes\n"
            "last sweep\n"
            "self-check  MISSING  :\n");
}

}  // namespace
}  // namespace selvedge::route
