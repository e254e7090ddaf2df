// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/routing_metrics.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "plugin/control/planner.hpp"
#include "plugin/fabric/generators.hpp"

namespace selvedge {
namespace {

using Kind = RoutingEvent::Kind;

RoutingEvent repair_of(double ms, std::uint64_t pairs) {
  RoutingEvent event = event_of(Kind::kRepair, "S-0-0:2 – S-0-1:1");
  event.engine = "updn";
  event.ms = ms;
  event.pairs_without_path = pairs;
  event.entries = 7;
  event.sl2vl_rows = 2;
  return event;
}

/// The samples of a page: name with labels → value. A line that is no sample and no comment fails.
std::map<std::string, std::string> samples(const std::string& page) {
  static const std::regex sample(R"(([a-z0-9_]+(?:\{[a-z]+="[^\n]*"\})?) ([0-9.e+-]+))");
  std::map<std::string, std::string> found;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# ")) continue;
    std::smatch match;
    EXPECT_TRUE(std::regex_match(line, match, sample)) << line;
    EXPECT_TRUE(found.emplace(match[1], match[2]).second) << line;
  }
  return found;
}

TEST(RoutingMetrics, SumUpEvents) {
  RoutingCounters counters;
  counters.add(repair_of(1.5, 10));
  counters.add(repair_of(400, 3));
  counters.add(repair_of(9000, 0));
  RoutingEvent unproved = repair_of(1, 0);
  unproved.proved = unproved.written = false;
  unproved.kind = Kind::kRestored;
  unproved.groups_paused = true;
  counters.add(unproved);
  RoutingEvent sweep = event_of(Kind::kSweep, "");
  sweep.entries = 100;
  counters.add(sweep);
  for (const Kind kind : {Kind::kDrained, Kind::kUndrained, Kind::kRerouted, Kind::kHeld,
                          Kind::kRepairFailed, Kind::kDeclined, Kind::kChange, Kind::kReleased})
    counters.add(event_of(kind, ""));
  const auto page = samples(metrics_page({}, counters, {.traps = 4, .proofs = 9, .refused = 1}));
  const std::map<std::string, std::string> wanted = {
      {"repairs_total", "3"},
      {"repairs_failed_total", "1"},
      {"repair_seconds_bucket{le=\"0.001\"}", "0"},
      {"repair_seconds_bucket{le=\"0.002\"}", "1"},
      {"repair_seconds_bucket{le=\"0.2\"}", "1"},
      {"repair_seconds_bucket{le=\"0.5\"}", "2"},
      {"repair_seconds_bucket{le=\"5\"}", "2"},
      {"repair_seconds_bucket{le=\"+Inf\"}", "3"},
      {"repair_seconds_count", "3"},
      {"repair_seconds_sum", "9.4015"},
      {"pair_seconds_without_path_total", "1.215"},
      {"restored_total", "1"},
      {"holds_total", "1"},
      {"orders_total", "3"},
      {"traps_total", "4"},
      {"proofs_total", "9"},
      {"proofs_refused_total", "1"},
      {"unproved_changes_total", "1"},
      {"group_pauses_total", "1"},
      {"unconfirmed_changes_total", "1"},
      {"lft_entries_written_total{by=\"fast_path\"}", "28"},
      {"lft_entries_written_total{by=\"sweep\"}", "100"},
      {"sl2vl_rows_written_total", "8"},
      {"proved", "0"},
  };
  for (const auto& [name, value] : wanted) {
    ASSERT_TRUE(page.contains("selvedge_sm_" + name)) << name;
    EXPECT_EQ(page.at("selvedge_sm_" + name), value) << name;
  }
}

TEST(RoutingMetrics, ShowTheStateInForce) {
  const Fabric fabric = assign_lids(torus({3, 3}, 2), 0);
  PlanRequest request;
  request.engine = &find_engine("updn");
  Status status;
  status.opensm = "OpenSM \"3\" \\\n";
  status.role = "master";
  status.drained = {"a", "b"};
  status.held = {"c"};
  status.self_check = {{true, "", ""}, {false, "", ""}};
  status.plan = std::make_shared<const Plan>(*make_plan(fabric, request).plan);
  const auto page = samples(metrics_page(status, {}, {}));
  const std::map<std::string, std::string> wanted = {{"master", "1"},
                                                     {"proved", "1"},
                                                     {"drained", "2"},
                                                     {"held", "1"},
                                                     {"switches", "9"},
                                                     {"hosts", "18"},
                                                     {"links", "18"},
                                                     {"pairs", "306"},
                                                     {"pairs_failed", "0"},
                                                     {"interim", "0"},
                                                     {"self_check_failures", "1"}};
  for (const auto& [name, value] : wanted) EXPECT_EQ(page.at("selvedge_sm_" + name), value) << name;
  const auto info = page.lower_bound("selvedge_sm_info{");
  EXPECT_NE(info->first.find(R"(opensm="OpenSM \"3\" \\\n",engine="updn"})"), std::string::npos)
      << info->first;
  status.last_declined = true;  // then OpenSM's own tables are in force
  EXPECT_EQ(samples(metrics_page(status, {}, {})).at("selvedge_sm_proved"), "0");
}

/// Every metric in the dashboard's expressions is on the page, and every metric of the page is in
/// the dashboard but those few that only its other metrics explain.
TEST(RoutingMetrics, AreThoseOfTheDashboard) {
  std::set<std::string> known, shown;
  const std::string page = metrics_page({}, {}, {});
  for (const auto& [name, value] : samples(page)) known.insert(name.substr(0, name.find('{')));
  std::ifstream file(SELVEDGE_SOURCE_DIR "/conf/grafana-selvedge.json");
  const nlohmann::json dashboard = nlohmann::json::parse(file);
  static const std::regex metric("selvedge_[a-z0-9_]+");
  unsigned expressions = 0;
  for (const auto& panel : dashboard.at("panels"))
    for (const auto& target : panel.at("targets")) {
      const auto text = target.at("expr").get<std::string>();
      ++expressions;
      const std::sregex_iterator first(text.begin(), text.end(), metric), end;
      EXPECT_NE(first, end) << text;
      for (auto i = first; i != end; ++i) {
        EXPECT_TRUE(known.contains(i->str())) << text;
        shown.insert(i->str());
      }
    }
  EXPECT_GE(expressions, 30u);
  known.erase("selvedge_sm_pairs");
  EXPECT_EQ(shown, known);
}

TEST(RoutingEvents, AreLinesOfJson) {
  RoutingEvent event = repair_of(2.5, 6);
  event.what = "S \xff\n\"";
  const std::string line = event_line(event, "2026-11-20T12:00:00.000Z");
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  const auto read = nlohmann::json::parse(line);
  EXPECT_EQ(read.at("format"), "selvedge-event-1");
  EXPECT_EQ(read.at("time"), "2026-11-20T12:00:00.000Z");
  EXPECT_EQ(read.at("event"), "repair");
  EXPECT_EQ(read.at("ms"), 2.5);
  EXPECT_EQ(read.at("pairs_without_path"), 6);
  EXPECT_EQ(read.at("lft_entries"), 7);
  EXPECT_EQ(read.at("sl2vl_rows"), 2);
  EXPECT_TRUE(read.at("proved"));
  const auto other = nlohmann::json::parse(event_line(event_of(Kind::kHeld, "A:1"), "t"));
  EXPECT_FALSE(other.contains("proved"));
  EXPECT_EQ(other.at("event"), "held");
}

/// Which rows a sweep writes is not known when its event is made.
TEST(RoutingEvents, SweepsHaveEntriesAndBlocksButNoRows) {
  RoutingEvent event = event_of(Kind::kSweep, "");
  event.engine = "updn";
  event.entries = 100;
  event.blocks = 8;
  const auto read = nlohmann::json::parse(event_line(event, "t"));
  EXPECT_EQ(read.at("lft_entries"), 100);
  EXPECT_EQ(read.at("lft_blocks"), 8);
  EXPECT_FALSE(read.contains("sl2vl_rows"));
}

TEST(RoutingEvents, ASweepThatChangesNothingIsNoNews) {
  RoutingEvent sweep = event_of(Kind::kSweep, "");
  EXPECT_TRUE(is_news(sweep));
  sweep.same = true;
  EXPECT_FALSE(is_news(sweep));
  std::set<std::string_view> names;
  for (int kind = 0; kind <= static_cast<int>(Kind::kLidsReturned); ++kind)
    names.insert(name(static_cast<Kind>(kind)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(Kind::kLidsReturned) + 1);
  EXPECT_FALSE(names.contains("?"));
}

}  // namespace
}  // namespace selvedge
