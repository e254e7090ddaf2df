// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The page of metrics, its dashboard, and the figures in the status.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "daemon/service/figures.hpp"

namespace selvedge::service {
namespace {

using namespace protocol;

/// The samples of a page: name with labels -> value. A line that is no sample and no comment fails,
/// so does a metric without its type.
std::map<std::string, double> samples(const std::string& page) {
  static const std::regex sample(R"(([a-z0-9_]+)((?:\{[a-z]+="[^\n]*"\})?) ([0-9.e+-]+))");
  std::map<std::string, double> found;
  std::set<std::string> typed;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# TYPE ")) {
      EXPECT_TRUE(typed.insert(line.substr(7, line.find(' ', 7) - 7)).second) << line;
      continue;
    }
    if (line.starts_with("# HELP ")) continue;
    std::smatch match;
    EXPECT_TRUE(std::regex_match(line, match, sample)) << line;
    EXPECT_TRUE(found.emplace(match[1].str() + match[2].str(), std::stod(match[3])).second) << line;
    const std::string name =
        std::regex_replace(match[1].str(), std::regex("_(bucket|sum|count)$"), "");
    EXPECT_TRUE(typed.contains(match[1]) || typed.contains(name)) << line;
  }
  return found;
}

Figures some_figures() {
  Figures f;
  f.connections = 3;
  f.open.sender.sent = 10;
  f.since_start.sender.sent = 1'000;
  f.since_start.sender.retransmitted_lost = 60;
  f.since_start.sender.retransmitted_timeout = 10;
  f.since_start.sender.retransmitted_path_died = 20;
  f.since_start.sender.retransmitted_rejected = 5;
  f.since_start.sender.grant_stalled_ns = 1'500'000'000;
  f.since_start.receiver.rejected = 4;
  f.since_start.receiver.evicted = 3;
  f.times.message.add(3 * kMicrosecond);
  f.times.message.add(5 * kMillisecond);
  f.paths.resize(2);
  f.paths[1].totals.sent_bytes = 77;
  f.paths[1].sent_bytes_per_s = 7;
  f.paths[1].dead = 1;
  PathSet::Path path;
  path.measured = true;
  path.rtt_ns = 30 * kMicrosecond;
  const TimeNs least = 20 * kMicrosecond;
  f.paths[1].add(path, least);
  path.rtt_ns = 50 * kMicrosecond;
  path.alive = false;
  f.paths[1].add(path, least);
  path.measured = false;
  f.paths[1].add(path, least);
  for (PathFigures& p : f.paths) p.finish();
  return f;
}

TEST(Metrics, ShowWhatWasCounted) {
  const auto page = samples(metrics_page(some_figures()));
  const std::map<std::string, double> wanted = {
      {"connections", 3},
      {"open_data_packets", 10},
      {"data_packets_total", 1'000},
      {"retransmitted_packets_total{cause=\"overtaken\"}", 30},
      {"retransmitted_packets_total{cause=\"timeout\"}", 10},
      {"retransmitted_packets_total{cause=\"path_died\"}", 20},
      {"retransmitted_packets_total{cause=\"rejected\"}", 5},
      {"open_retransmitted_packets{cause=\"rejected\"}", 0},
      {"grant_stalled_seconds_total", 1.5},
      {"rejected_packets_total", 7},
      {"message_latency_seconds_bucket{le=\"2e-06\"}", 0},
      {"message_latency_seconds_bucket{le=\"4e-06\"}", 1},
      {"message_latency_seconds_bucket{le=\"0.004096\"}", 1},
      {"message_latency_seconds_bucket{le=\"0.008192\"}", 2},
      {"message_latency_seconds_bucket{le=\"+Inf\"}", 2},
      {"message_latency_seconds_count", 2},
      {"message_latency_seconds_sum", 0.005003},
      {"path_sent_bytes_total{path=\"0\"}", 0},
      {"path_sent_bytes_total{path=\"1\"}", 77},
      {"path_dead_connections{path=\"1\"}", 3},
      {"path_rtt_seconds{path=\"1\"}", 4e-05},
      {"path_queueing_seconds{path=\"1\"}", 2e-05}};
  for (const auto& [name, value] : wanted) {
    ASSERT_TRUE(page.contains("selvedge_" + name)) << name;
    EXPECT_DOUBLE_EQ(page.at("selvedge_" + name), value) << name;
  }
}

TEST(Metrics, TheStatusShowsTheSame) {
  const auto status = totals_json(some_figures());
  EXPECT_EQ(status.at("open").at("sent_packets"), 10);
  EXPECT_EQ(status.at("since_start").at("sent_packets"), 1'000);
  EXPECT_EQ(status.at("since_start").at("retransmitted_overtaken_packets"), 30);
  EXPECT_EQ(status.at("message_latency").at("count"), 2);
  EXPECT_EQ(status.at("message_latency").at("p50_at_most_ns"), 4'000);
  EXPECT_EQ(status.at("message_latency").at("p99_at_most_ns"), 8'192'000);
  EXPECT_EQ(status.at("queueing_delay").at("p99_at_most_ns"), nullptr);
  EXPECT_EQ(status.at("path_totals").at(0).at("rtt_ns"), nullptr);
  EXPECT_EQ(status.at("path_totals").at(1).at("queueing_ns"), 20'000);
  EXPECT_EQ(status.at("path_totals").at(1).at("sent_bytes_per_s"), 7);
}

TEST(Metrics, RatesAreThoseOfTheLastSecond) {
  PathRates rates;
  PathRates::Paths totals{};
  TimeNs now = 100 * kSecond;
  rates.sample(now, totals);
  totals[1].sent_bytes = 3'000;
  rates.sample(now + kSecond / 2, totals);
  EXPECT_EQ(rates.per_second()[1].sent_bytes, 0u);
  rates.sample(now += kSecond, totals);
  EXPECT_EQ(rates.per_second()[1].sent_bytes, 3'000u);
  rates.sample(now += 2 * kSecond, totals);
  EXPECT_EQ(rates.per_second()[1].sent_bytes, 0u);
  totals[1].sent_bytes += 3'000;
  rates.sample(now += 2 * kSecond, totals);
  EXPECT_EQ(rates.per_second()[1].sent_bytes, 1'500u);
}

/// Every metric in the dashboard's expressions is on the page, and every metric of the page is in
/// the dashboard, but for those of open connections, of which the totals are there.
TEST(Metrics, AreThoseOfTheDashboard) {
  std::set<std::string> known, shown;
  Figures figures = some_figures();
  figures.verbs.emplace();
  const std::string in_the_clear = metrics_page(figures);
  figures.seal.emplace();
  for (const std::string& page : {in_the_clear, metrics_page(figures)})
    for (const auto& [name, value] : samples(page))
      if (!name.starts_with("selvedge_open_")) known.insert(name.substr(0, name.find('{')));
  std::ifstream file(SELVEDGE_SOURCE_DIR "/conf/grafana-selvedged.json");
  const nlohmann::json dashboard = nlohmann::json::parse(file);
  static const std::regex metric("selvedge_[a-z0-9_]+");
  std::set<int> ids;
  for (const auto& panel : dashboard.at("panels")) {
    EXPECT_TRUE(ids.insert(panel.at("id").get<int>()).second);
    for (const auto& target : panel.at("targets")) {
      const auto text = target.at("expr").get<std::string>();
      const std::sregex_iterator first(text.begin(), text.end(), metric), end;
      EXPECT_NE(first, end) << text;
      for (auto i = first; i != end; ++i) {
        EXPECT_TRUE(known.contains(i->str())) << text;
        shown.insert(i->str());
      }
    }
  }
  EXPECT_GE(ids.size(), 12u);
  known.erase("selvedge_sleeps_total");
  EXPECT_EQ(shown, known);
}

}  // namespace
}  // namespace selvedge::service
