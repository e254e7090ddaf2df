// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/results.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "tests/unit/sim_experiment/support.hpp"

namespace selvedge::sim {
namespace {

using test::csv_without_times;
using test::parse;
using test::run_all;

constexpr std::string_view kSmall =
    "title = 'small'\n[fabric]\nspec = 'mesh:2x2'\n[routing]\nengine = 'updn'\n[traffic]\n"
    "load = [0.1, 0.3, 0.5]\n[measure]\nwarmup_us = 10\nduration_us = 40\n[run]\nseed = [1, 2]\n";

/// Every table, row by row, without cpu_s and wall_s.
std::string dump(Results& results) {
  Database& database = results.database();
  database.execute("UPDATE points SET cpu_s = 0, wall_s = 0");
  std::string text;
  for (const auto& table :
       database.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")) {
    text += fmt::format("[{}]\n", text_of(table[0]));
    for (const auto& row : database.rows(fmt::format("SELECT * FROM {}", text_of(table[0])))) {
      for (const Value& value : row) text += text_of(value) + "|";
      text += "\n";
    }
  }
  return text;
}

TEST(Results, DoNotDependOnTheNumberOfJobs) {
  const Experiment e = parse(kSmall);
  Results one, three;
  run_all(e, one, 1);
  run_all(e, three, 3);
  EXPECT_EQ(dump(one), dump(three));
  EXPECT_EQ(csv_without_times(one), csv_without_times(three));
  EXPECT_EQ(one.database().rows("SELECT * FROM points").size(), 6u);
}

TEST(Results, KeepFinishedPoints) {
  const Experiment all = parse(kSmall);
  Results results;
  Experiment some = all;
  some.points.erase(some.points.begin() + 2, some.points.end());
  EXPECT_EQ(run_all(some, results).simulated, 2u);
  const CampaignCount rest = run_all(all, results);
  EXPECT_EQ(rest.points, 6u);
  EXPECT_EQ(rest.simulated, 4u);
  EXPECT_EQ(rest.found, 2u);
  EXPECT_EQ(run_all(all, results).simulated, 0u);
  Results whole;
  run_all(all, whole);
  EXPECT_EQ(dump(results), dump(whole));
}

TEST(Results, MergedPartsEqualTheWhole) {
  const Experiment e = parse(kSmall);
  Results whole, merged;
  run_all(e, whole);
  for (unsigned part = 0; part < 3; ++part) {
    Results alone;
    Ranks ranks;
    CampaignOptions options;
    options.part = part;
    options.parts = 3;
    EXPECT_EQ(run_campaign(e, &alone, ranks, options).simulated, 2u);
    merged.merge_bytes(alone.bytes());
  }
  merged.plan(e);
  EXPECT_EQ(dump(merged), dump(whole));
}

TEST(Results, ShowOnlyThePlan) {
  Results results;
  run_all(parse(kSmall), results);
  Experiment fewer = parse(kSmall);
  fewer.points.erase(fewer.points.begin(), fewer.points.begin() + 4);
  run_all(fewer, results);
  const std::string csv = results.csv();
  EXPECT_EQ(std::ranges::count(csv, '\n'), 3);
  EXPECT_EQ(csv.substr(0, 42), "point,traffic.load,run.seed,state,diagnosi");
  EXPECT_EQ(results.finished().size(), 6u);
}

TEST(Results, CountPacketsAndLossesByVlAndChannel) {
  // Two VLs (tftr on a torus), and cables that are down while their tables still use them.
  Results results;
  run_all(parse("[fabric]\nspec = 'torus:4x4'\n[routing]\nengine = 'tftr'\n[traffic]\nload = 0.2\n"
                "[faults]\nrandom = 2\n[measure]\nwarmup_us = 10\nduration_us = 100\n"),
          results);
  Database& database = results.database();
  const auto rows = [&](const char* sql) { return database.rows(sql); };
  EXPECT_EQ(
      rows("SELECT * FROM channel_use JOIN (SELECT channel, sum(packets) AS p, sum(bytes) AS b, "
           "sum(utilisation) AS u FROM vl_use GROUP BY channel) AS vls USING (channel) WHERE "
           "packets != p OR bytes != b OR abs(utilisation - u) > 1e-9")
          .size(),
      0u);
  EXPECT_GE(rows("SELECT DISTINCT vl FROM vl_use").size(), 2u);
  // Packets queued for a dead cable are counted for it: four directions.
  EXPECT_EQ(rows("SELECT * FROM channel_losses WHERE reason = 'dead_port'").size(), 4u);
  EXPECT_EQ(rows("SELECT * FROM channel_losses AS l JOIN channel_use AS c USING (channel) WHERE "
                 "l.reason = 'dead_port' AND port_xmit_discards = l.packets AND utilisation = 0")
                .size(),
            4u);
  EXPECT_EQ(rows("SELECT * FROM points WHERE port_xmit_discards = (SELECT sum(packets) FROM "
                 "channel_losses) AND port_xmit_discards > 0 AND vl15_dropped = 0 AND "
                 "port_rcv_switch_relay_errors = 0")
                .size(),
            1u);
}

TEST(Results, HaveTheFixedColumns) {
  Results results;
  run_all(parse(kSmall), results);
  const std::string csv = results.csv();
  const std::string header = csv.substr(0, csv.find('\n')) + ",";
  for (const char* column :
       {"latency_mean_ns", "latency_p99_ns", "network_latency_mean_ns",
        "accepted_bytes_per_ns_per_switch", "packets_injected", "packets_delivered", "packets_lost",
        "packets_in_flight", "packet_hops", "out_of_order_packets", "events", "cpu_s", "wall_s",
        "state"})
    EXPECT_NE(header.find(fmt::format(",{},", column)), std::string::npos) << column;
}

TEST(Results, RefuseOtherFiles) {
  const std::string path =
      fmt::format("{}/not-results-{}.sqlite", ::testing::TempDir(), ::getpid());
  FILE* f = std::fopen(path.c_str(), "w");
  std::fputs("this is a text of some length, and no database of any kind at all; really not", f);
  for (int i = 0; i < 100; ++i) std::fputs("................", f);
  std::fclose(f);
  EXPECT_THROW(Results{path}, InputError);
  std::filesystem::remove(path);
  {
    Results results(path);
    results.database().execute("UPDATE meta SET value = '0' WHERE key = 'format'");
  }
  EXPECT_THROW(Results{path}, InputError);
  std::filesystem::remove(path);
  EXPECT_THROW(Results{"/nowhere/at/all.sqlite"}, InputError);
}

TEST(Results, AFullDiskIsOneErrorAndKeepsEarlierPoints) {
  Results results;
  Experiment some = parse(kSmall);
  some.points.resize(2);
  run_all(some, results);
  const std::string before = dump(results);
  const auto pages = results.database().rows("PRAGMA page_count");
  results.database().execute(
      fmt::format("PRAGMA max_page_count = {}", std::get<std::int64_t>(pages[0][0]) + 1));
  try {
    run_all(parse(kSmall), results);
    FAIL();
  } catch (const EnvironmentError& e) {
    EXPECT_NE(std::string(e.what()).find("finished points are kept"), std::string::npos)
        << e.what();
  }
  results.plan(some);
  EXPECT_EQ(dump(results), before);
}

TEST(Results, UnprovedTablesNeedToBeAllowed) {
  const Experiment e = parse(
      "[fabric]\nspec = 'torus:5x5'\n[routing]\nengine = 'spf'\n[measure]\nwarmup_us = 0\n"
      "duration_us = 20\n");
  Results results;
  EXPECT_THROW(run_all(e, results), InputError);
  EXPECT_TRUE(results.finished().empty());
  Ranks ranks;
  CampaignOptions options;
  options.allow_unproved = true;
  EXPECT_EQ(run_campaign(e, &results, ranks, options).simulated, 1u);
  const auto said = results.database().rows("SELECT diagnosis FROM points");
  EXPECT_NE(text_of(said[0][0]).find("not proved"), std::string::npos);
}

TEST(Results, AnyErrorPreventsTheWholeRun) {
  const Experiment e = parse(
      "[fabric]\nspec = 'mesh:2x2'\n[routing]\nengine = 'updn'\n[traffic]\n"
      "pattern = ['uniform', 'unifrom']\n");
  Results results;
  EXPECT_THROW(run_all(e, results), InputError);
  EXPECT_TRUE(results.finished().empty());
}

RC_GTEST_PROP(Values, RoundTripThroughTheDatabase, ()) {
  const auto n = *rc::gen::arbitrary<std::int64_t>();
  const auto d = *rc::gen::suchThat(rc::gen::arbitrary<double>(), [](double x) { return x == x; });
  const auto text = *rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127));
  Database database(":memory:");
  database.execute("CREATE TABLE t (a, b, c, d)");
  database.prepare("INSERT INTO t VALUES (?, ?, ?, ?)").run({n, d, text, Value()});
  Database copy = Database::from_bytes(database.bytes());
  const auto rows = copy.rows("SELECT * FROM t");
  RC_ASSERT(rows.size() == 1u);
  RC_ASSERT(rows[0] == (std::vector<Value>{n, d, text, Value()}));
}

}  // namespace
}  // namespace selvedge::sim
