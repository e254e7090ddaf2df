// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/status.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

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
  for (const char* property :
       {"connected", "loop_free", "deadlock_free", "deadlock_free_replies", "deadlock_free_any_sl"})
    EXPECT_EQ(proof.at(property), true) << property;
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

}  // namespace
}  // namespace selvedge
