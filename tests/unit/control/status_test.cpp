// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/status.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "plugin/control/event.hpp"
#include "plugin/control/planner.hpp"
#include "plugin/fabric/generators.hpp"

namespace selvedge {
namespace {

using nlohmann::json;

/// A 3×3 torus with names that hold quotes, control characters and broken UTF-8.
Status sample() {
  FabricBuilder builder(torus({3, 3}));
  builder.node(0).name = "S \"0\" \\ \n\x01";
  builder.node(1).name = "S \xff\xfe";
  const Fabric fabric = assign_lids(std::move(builder).build("test"), 1);
  PlanRequest request;
  request.engine = &find_engine("updn");
  request.request.root = 0;
  Plan plan = *make_plan(fabric, request).plan;
  plan.steps.census_ms = 1.5;
  Status status;
  status.opensm = "OpenSM 3.3.23";
  status.role = "master";
  status.engine = "updn";
  status.sweeps = 3;
  status.last_sweep_time = "2026-11-20T12:00:00.000Z";
  status.plan = std::make_shared<const Plan>(std::move(plan));
  status.write_ms = 0.25;
  status.self_check = {{true, "fine", ""}, {false, "bad \xff", "write this"}};
  status.faults = {{"2026-11-20T12:00:00.000Z", "cable S \xff:1 is gone"}};
  status.faults_total = 300;
  return status;
}

TEST(Status, HasWhatSelvedgeRouteShows) {
  const json d = json::parse(status_document(sample()));
  EXPECT_EQ(d.at("format"), "selvedge-status-1");
  EXPECT_TRUE(d.at("selvedge").is_string());
  EXPECT_EQ(d.at("opensm"), "OpenSM 3.3.23");
  EXPECT_EQ(d.at("role"), "master");
  EXPECT_EQ(d.at("engine"), "updn");
  EXPECT_TRUE(d.at("config_error").is_null());
  const json& sweep = d.at("last_sweep");
  EXPECT_EQ(sweep.at("number"), 3);
  EXPECT_EQ(sweep.at("outcome"), "routed");
  EXPECT_EQ(sweep.at("tables_of"), "updn");
  EXPECT_EQ(sweep.at("switches"), 9);
  EXPECT_EQ(sweep.at("hosts"), 9);
  EXPECT_EQ(sweep.at("links"), 18);
  EXPECT_EQ(sweep.at("lmc"), 1);
  EXPECT_EQ(sweep.at("vls_used"), 1);
  EXPECT_EQ(sweep.at("sls_used"), 1);
  EXPECT_EQ(sweep.at("steps_ms").at("census"), 1.5);
  EXPECT_EQ(sweep.at("steps_ms").at("write"), 0.25);
  for (const char* step : {"adopt", "compute", "prove"})
    EXPECT_TRUE(sweep.at("steps_ms").at(step).is_number()) << step;
  const json& proof = sweep.at("proof");
  for (const char* property : {"connected", "loop_free", "deadlock_free", "deadlock_free_base",
                               "deadlock_free_replies", "deadlock_free_any_sl"})
    EXPECT_EQ(proof.at(property), true) << property;
  EXPECT_EQ(proof.at("replies"), "same-sl");
  EXPECT_EQ(proof.at("pairs"), 72);
  EXPECT_TRUE(proof.at("dependencies").is_number());
  EXPECT_EQ(d.at("faults").size(), 1u);
  EXPECT_EQ(d.at("faults_total"), 300);
  EXPECT_EQ(d.at("self_check").at(1).at("ok"), false);
  EXPECT_EQ(d.at("self_check").at(1).at("remedy"), "write this");
}

TEST(Status, ListsTheLostPaths) {
  Status status = sample();
  EXPECT_EQ(json::parse(status_document(status)).at("lost_paths").at("pairs"), 0);
  LostPaths lost{2, 3, {{"H \xff", "H-1", 4, 3, {{70, 6, true, false}}}}};
  status.lost = std::make_shared<const LostPaths>(std::move(lost));
  const json d = json::parse(status_document(status)).at("lost_paths");
  EXPECT_EQ(d.at("pairs"), 2);
  EXPECT_EQ(d.at("paths"), 3);
  const json& pair = d.at("listed").at(0);
  EXPECT_EQ(pair.at("destination"), "H-1");
  EXPECT_EQ(pair.at("disjoint_before"), 4);
  EXPECT_EQ(pair.at("disjoint_now"), 3);
  EXPECT_EQ(pair.at("paths").at(0),
            (json{{"lid", 70}, {"offset", 6}, {"disjoint", true}, {"works", false}}));
}

TEST(Status, ListsTheDarkLids) {
  Status status = sample();
  EXPECT_TRUE(json::parse(status_document(status)).at("dark_lids").is_null());
  Tables tables = status.plan->tables;
  const Host& host = status.plan->fabric.host(4);
  tables.set_next(0, host.lid, kNoPort);
  status.dark =
      std::make_shared<const std::vector<DarkLid>>(dark_lids(status.plan->fabric, tables));
  const json d = json::parse(status_document(status)).at("dark_lids");
  EXPECT_EQ(d.at("lids"), 1);
  EXPECT_GE(d.at("paths"), 1);
  EXPECT_EQ(d.at("listed").at(0).at("lid"), host.lid);
  EXPECT_EQ(d.at("listed").at(0).at("host"), "H-1-1");
  status.last_declined = true;
  EXPECT_TRUE(json::parse(status_document(status)).at("dark_lids").is_null());
}

TEST(Status, BeforeTheFirstSweepAndWithoutAnEngine) {
  const json d = json::parse(status_document({}));
  EXPECT_TRUE(d.at("engine").is_null());
  EXPECT_TRUE(d.at("last_sweep").is_null());
  EXPECT_TRUE(d.at("faults").is_array() && d.at("faults").empty());
  EXPECT_TRUE(d.at("self_check").is_array() && d.at("self_check").empty());
}

TEST(Status, ADeclinedSweepIsNotShownAsTheLastGoodOne) {
  Status status = sample();
  status.last_declined = true;
  status.declined = 1;
  status.last_failures = {"engine spf: no"};
  const json d = json::parse(status_document(status));
  EXPECT_EQ(d.at("last_sweep").at("outcome"), "declined");
  EXPECT_EQ(d.at("failures").at(0), "engine spf: no");
}

TEST(Status, ConfigErrorsAreShown) {
  Status status;
  status.config_error = "unknown key";
  EXPECT_EQ(json::parse(status_document(status)).at("config_error"), "unknown key");
}

TEST(Status, ShowsTheFilesInForceAndTheLoad) {
  Status status = sample();
  EXPECT_TRUE(json::parse(status_document(status)).at("base_load").is_null());
  status.hint_files = {{HintRole::kRoots, "/r", 9, 1, false, ""},
                       {HintRole::kCompute, "/c", 0, 0, false, "cn_guid_file: no"},
                       {HintRole::kIo, "/i", 2, 2, false, ""}};
  const Plan& plan = *status.plan;
  status.load = base_load(plan.fabric, plan.tables, {});
  const json d = json::parse(status_document(status));
  EXPECT_EQ(d.at("hint_files").at(0), (json{{"setting", "root_guid_file"},
                                            {"file", "/r"},
                                            {"guids", 9},
                                            {"unknown", 1},
                                            {"in_force", true},
                                            {"overruled", false},
                                            {"fault", nullptr}}));
  EXPECT_EQ(d.at("hint_files").at(1).at("in_force"), false);
  EXPECT_EQ(d.at("hint_files").at(1).at("fault"), "cn_guid_file: no");
  EXPECT_EQ(d.at("hint_files").at(2).at("in_force"), false);
  const json& load = d.at("base_load");
  EXPECT_EQ(load.at("max_host_pairs"), status.load->max);
  EXPECT_EQ(load.at("mean_over"), "cables");
  EXPECT_EQ(load.at("uneven"), status.load->uneven());
  EXPECT_TRUE(load.at("busiest_from").is_string());
}

/// Compares the whole document, so that a field that is renamed, left out or filled from another
/// value makes the test fail.
TEST(Status, TheWholeDocument) {
  const Fabric fabric = assign_lids(mesh({1, 2}), 1);
  Plan plan;
  plan.outcome = Outcome::kRepaired;
  plan.engine = "tftr";
  plan.fabric = fabric;
  plan.remarks = {"a remark"};
  plan.steps = {.census_ms = 1.5, .adopt_ms = 2.5, .compute_ms = 3.5, .prove_ms = 4.5};
  plan.verdict.connected = true;
  plan.verdict.loop_free = false;
  plan.verdict.deadlock_free = true;
  plan.verdict.deadlock_free_base = true;
  plan.verdict.deadlock_free_replies = false;
  plan.verdict.pairs = 11;
  plan.verdict.failed_pairs = 12;
  plan.verdict.disconnected = 13;
  plan.verdict.dependencies = 14;
  plan.verdict.vls_used = 2;
  plan.verdict.sls_used = 3;
  Status status;
  status.opensm = "OpenSM 1";
  status.role = "standby";
  status.engine = "updn";
  status.config_error = "bad";
  status.sweeps = 21;
  status.fast_repairs = 22;
  status.fast_path_ready = true;
  status.groups_paused = true;
  status.group_pauses = 25;
  status.drained = {"0x1:2"};
  status.held = {"0x3:4"};
  status.declined = 23;
  status.last_sweep_time = "then";
  status.awaited =
      AwaitedTables{.engine = "tftr", .done = 3, .total = 4, .seconds = 1.5, .failure = ""};
  status.plan = std::make_shared<const Plan>(plan);
  status.write_ms = 5.5;
  status.last_failures = {"a failure"};
  status.self_check = {{false, "what", "remedy"}};
  status.faults = {{"when", "a cable"}};
  status.faults_total = 24;
  status.lost = std::make_shared<const LostPaths>(
      LostPaths{31, 32, {{"from", "to", 4, 3, {{70, 6, true, false}, {71, 7, false, true}}}}});
  status.dark = std::make_shared<const std::vector<DarkLid>>(
      std::vector<DarkLid>{{fabric.host(1).lid, 1, 7, 0}});
  status.fresh = std::make_shared<const std::vector<FreshPair>>(
      std::vector<FreshPair>{{0, 1, 20, 21, 3}, {0, 2, 24, kNoLid, 0}});
  status.hint_files = {{HintRole::kRoots, "/r", 9, 9, false, ""},
                       {HintRole::kCompute, "/c", 2, 0, true, "no"},
                       {HintRole::kIo, "/i", 1, 0, false, ""}};
  BaseLoad load;
  load.busiest = fabric.links()[0];
  load.max = 41;
  load.mean = 20.5;
  load.used = 42;
  load.by_levels = true;
  load.counted_max = 43;
  status.load = load;
  status.hoq = {.life = 5, .ports = 6, .failed = 1, .first_failed = "S:1"};
  json expected = json::parse(R"({
    "format": "selvedge-status-1", "opensm": "OpenSM 1", "role": "standby", "engine": "updn",
    "config_error": "bad", "sweeps": 21, "drained": ["0x1:2"], "held": ["0x3:4"],
    "fast_path": {"ready": true, "repairs": 22, "groups_paused": true, "group_pauses": 25},
    "declined": 23,
    "last_sweep": {
      "number": 21, "time": "then", "outcome": "repaired", "tables_of": "tftr",
      "awaited": {"engine": "tftr", "done": 3, "total": 4, "seconds": 1.5, "failure": null},
      "remarks": ["a remark"], "failures": ["a failure"],
      "steps_ms": {"census": 1.5, "adopt": 2.5, "compute": 3.5, "prove": 4.5, "write": 5.5},
      "proof": {"connected": true, "loop_free": false, "deadlock_free": true,
                "deadlock_free_base": true, "deadlock_free_replies": false,
                "deadlock_free_any_sl": null, "replies": "base", "pairs": 11,
                "failed_pairs": 12, "disconnected": 13, "dependencies": 14},
      "vls_used": 2, "sls_used": 3, "lmc": 1, "switches": 2, "hosts": 2, "links": 1},
    "found_sl2vl_rows": null,
    "hoq_life": {"life": 5, "us": 131.072, "ports": 6, "failed": 1, "first_failed": "S:1"},
    "base_load": {"busiest_from": "S-0-0:4", "busiest_to": "S-0-1:3", "max_host_pairs": 41,
                  "mean_host_pairs": 20.5, "used_channels": 42, "mean_over": "up-cables",
                  "counted_max_host_pairs": 43},
    "failures": ["a failure"], "faults_total": 24,
    "hint_files": [
      {"setting": "root_guid_file", "file": "/r", "guids": 9, "unknown": 9, "in_force": false,
       "overruled": false, "fault": null},
      {"setting": "cn_guid_file", "file": "/c", "guids": 2, "unknown": 0, "in_force": false,
       "overruled": true, "fault": "no"},
      {"setting": "io_guid_file", "file": "/i", "guids": 1, "unknown": 0, "in_force": true,
       "overruled": false, "fault": null}],
    "faults": [{"time": "when", "what": "a cable"}],
    "lost_paths": {"pairs": 31, "paths": 32, "listed": [
      {"source": "from", "destination": "to", "disjoint_before": 4, "disjoint_now": 3, "paths": [
        {"lid": 70, "offset": 6, "disjoint": true, "works": false},
        {"lid": 71, "offset": 7, "disjoint": false, "works": true}]}]},
    "dark_lids": {"lids": 1, "paths": 7, "listed": [
      {"host": "H-0-1", "sources": 7, "from": "S-0-0"}]},
    "fresh_lids": {"in_use": false, "pairs": 1, "in_place_only": 1, "listed": [
      {"from": "S-0-0", "host": "H-0-1", "before": 20, "lid": 21, "sl": 3}]},
    "self_check": [{"ok": false, "what": "what", "remedy": "remedy"}]
  })");
  expected["dark_lids"]["listed"][0]["lid"] = fabric.host(1).lid;
  const std::string text = status_document(status);
  EXPECT_TRUE(text.ends_with("}\n"));
  EXPECT_TRUE(text.starts_with("{\n \"format\"")) << text;
  json found = json::parse(text);
  EXPECT_FALSE(std::string(found.at("selvedge")).empty());
  found.erase("selvedge");
  expected["base_load"]["ratio"] = load.ratio();
  expected["base_load"]["uneven"] = load.uneven();
  for (const auto& [key, value] : expected.items()) EXPECT_EQ(found[key], value) << key;
  EXPECT_EQ(found.size(), expected.size());
  // `base_load` is null if the load has no busiest channel, or if its plan is missing.
  status.load->busiest = kNoChannel;
  EXPECT_TRUE(json::parse(status_document(status)).at("base_load").is_null());
  status.load->busiest = load.busiest;
  status.plan = nullptr;
  EXPECT_TRUE(json::parse(status_document(status)).at("base_load").is_null());
}

TEST(Events, HaveNames) {
  constexpr std::string_view names[] = {"trap",
                                        "heavy_sweep_start",
                                        "heavy_sweep_done",
                                        "tables_begin",
                                        "tables_computed",
                                        "proved",
                                        "tables_written",
                                        "lft_block",
                                        "lft_top",
                                        "routing_done",
                                        "subnet_up",
                                        "state_change",
                                        "fault_located",
                                        "repair_block",
                                        "base_confirmed",
                                        "repair_confirmed"};
  for (std::size_t i = 0; i < std::size(names); ++i)
    EXPECT_EQ(name(static_cast<Event::Kind>(i)), names[i]);
}

}  // namespace
}  // namespace selvedge
