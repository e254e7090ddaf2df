// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What is measured of self-routing trees: by hand, against the network's counts, and in results.
#include "sim/experiment/self_routing.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

#include "tests/unit/sim_experiment/support.hpp"

namespace selvedge::sim {
namespace {

using test::csv_without_times;
using test::parse;
using test::run_all;
using test::run_only;

Delivery delivery(std::uint32_t sequence, Tick injected, Tick delivered, std::uint32_t ahead = 0) {
  Delivery d;
  d.to = 1;
  d.sequence = sequence;
  d.injected = injected;
  d.delivered = delivered;
  d.ahead = ahead;
  d.bytes = 100;
  return d;
}

FlowMove move(Tick at, SwitchId leaf) { return {at, leaf, 1, 1, 2}; }

TEST(SelfRouting, MovesAreCountedByTheirSwitchAndPeriod) {
  SelfRoutingWatch watch(3, 2, 0, 10);
  for (const Tick at : {0, 9, 10, 35}) watch.moved(move(at, 1));
  watch.start_measuring();
  watch.moved(move(36, 2));
  EXPECT_TRUE(watch.periods(0).empty());
  EXPECT_EQ(watch.periods(1), (std::vector<std::uint64_t>{2, 1, 0, 1}));
  EXPECT_EQ(watch.periods(2), (std::vector<std::uint64_t>{0, 0, 0, 1}));
  EXPECT_EQ(watch.moves_measured(), 1U);
  EXPECT_TRUE(watch.permutations(100).empty());
}

TEST(SelfRouting, APermutationBeginsWithItsFirstPacketOfAnyHost) {
  SelfRoutingWatch watch(1, 2, 4, 10);
  watch.delivered(delivery(0, 5, 20));
  watch.delivered(delivery(3, 40, 60));
  watch.moved(move(49, 0));
  watch.delivered(delivery(4, 60, 80));
  watch.moved(move(50, 0));
  watch.delivered(delivery(7, 50, 90));  // of a faster host
  watch.moved(move(55, 0));
  watch.delivered(delivery(12, 90, 95));  // nothing of permutation 2 was delivered
  const std::vector<PermutationMoves> all = watch.permutations(200);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].start, 5);
  EXPECT_EQ(all[0].end, 50);
  EXPECT_EQ(all[0].moves, 1U);
  EXPECT_EQ(all[0].last_move, 49);
  EXPECT_EQ(all[1].end, 90);
  EXPECT_EQ(all[1].moves, 2U);
  EXPECT_EQ(all[1].last_move, 55);
  EXPECT_TRUE(all[1].whole);
  EXPECT_EQ(all[2].number, 3U);
  EXPECT_FALSE(all[2].whole);
  EXPECT_EQ(all[2].end, 200);
  EXPECT_FALSE(all[2].last_move.has_value());
}

TEST(SelfRouting, AReceiverCountsWhatComesWhileMeasured) {
  SelfRoutingWatch watch(1, 2, 0, 10);
  watch.delivered(delivery(0, 0, 10));
  watch.start_measuring();
  watch.delivered(delivery(1, 0, 30));
  watch.delivered(delivery(4, 10, 20, 2));
  watch.delivered(delivery(6, 10, 30, 3));
  const Received& one = watch.received()[1];
  EXPECT_EQ(one.packets, 3U);
  EXPECT_EQ(one.bytes, 300U);
  EXPECT_EQ(one.early_ratio(), 2);
  EXPECT_EQ(one.window(), 2.5);
  EXPECT_EQ(one.network_latency, 60);
  EXPECT_EQ(one.network_latency_max, 30);
  EXPECT_FALSE(watch.received()[0].window().has_value());
}

std::string tree(unsigned n, unsigned m, std::string_view rate, std::string_view selection,
                 unsigned seed = 1) {
  return fmt::format(
      "[fabric]\nspec = 'clos:n={},r=3,m={}'\n[routing]\nengine = 'dmodk'\n[model]\npreset = "
      "'zahavi'\nselection = '{}'\ncongested_bytes = 4224\nsettle_ns = 2000\nflow_rate_gbps = {}\n"
      "[traffic]\npattern = 'permutations'\nload = 100\narrival = 'periodic'\npayload_bytes = "
      "20480\npermutation_bytes = 40960\n[measure]\nwarmup_us = 10\nduration_us = 60\n[run]\nseed "
      "= {}\n",
      n, m, selection, rate, seed);
}

RC_GTEST_PROP(SelfRouting, FiguresAgreeWithTheNetworksCounts, ()) {
  const auto n = *rc::gen::inRange(1U, 5U), m = *rc::gen::inRange(1U, 5U);
  const auto seed = *rc::gen::inRange(1U, 1'000'000U);
  const PointResult r = run_only(tree(n, m, *rc::gen::element("40", "20.8", "15"), "ear", seed));
  RC_ASSERT(r.self_routing.has_value());
  std::uint64_t moves = 0, packets = 0, bytes = 0;
  for (SwitchId s = 0; s < r.switches; ++s) {
    const auto& of = r.self_routing->periods(s);
    moves += std::accumulate(of.begin(), of.end(), std::uint64_t{0});
    if (s >= 3) RC_ASSERT(of.empty());  // a middle switch moves nothing
  }
  RC_ASSERT(moves == r.totals.flow_moves);
  RC_ASSERT(r.self_routing->moves_measured() <= moves);
  for (const Received& one : r.self_routing->received()) {
    packets += one.packets;
    bytes += one.bytes;
    RC_ASSERT(one.early <= one.packets);
    RC_ASSERT(one.ahead >= one.early);
  }
  RC_ASSERT(packets == r.window.packets);
  RC_ASSERT(bytes == r.window.bytes);
  std::uint64_t of_permutations = 0;
  Tick before = 0;
  for (const PermutationMoves& one : r.self_routing->permutations(r.ended)) {
    RC_ASSERT(one.start >= before);
    RC_ASSERT(one.end >= one.start);
    before = one.end;
    of_permutations += one.moves;
  }
  RC_ASSERT(of_permutations <= moves);
}

TEST(SelfRouting, ResultsHaveItsColumnsOnlyWhereATreeRoutesItself) {
  Results without, with, merged;
  run_all(parse(tree(2, 2, "20.8", "deterministic")), without);
  EXPECT_EQ(without.csv().find("early_ratio_mean"), std::string::npos);
  EXPECT_TRUE(without.database().rows("SELECT * FROM self_routing").empty());

  const Experiment ear = parse(tree(4, 4, "40", "ear"));
  run_all(ear, with);
  const std::string csv = csv_without_times(with);
  for (const char* column : {",early_ratio_mean,", ",receiver_throughput_min_gbps,",
                             ",window_max_packets,", ",settled_share,", ",settle_max_us\n"})
    EXPECT_NE(csv.find(column), std::string::npos) << column;
  Database& database = with.database();
  const auto none = [&](const char* sql) { EXPECT_TRUE(database.rows(sql).empty()) << sql; };
  EXPECT_EQ(database.rows("SELECT * FROM receivers").size(), 12U);
  none(
      "SELECT * FROM self_routing WHERE receiver_throughput_mean_gbps NOT BETWEEN "
      "receiver_throughput_min_gbps AND receiver_throughput_max_gbps");
  none(
      "SELECT * FROM self_routing WHERE receiver_latency_mean_ns NOT BETWEEN "
      "receiver_latency_min_ns AND receiver_latency_max_ns");
  none("SELECT * FROM self_routing WHERE receiver_latency_longest_ns < receiver_latency_max_ns");
  none("SELECT * FROM self_routing WHERE flow_moves > (SELECT sum(moves) FROM moves)");
  none("SELECT * FROM permutation_moves WHERE last_move_us > end_us - start_us");
  // All that was received on the wire is what the point accepted.
  none(
      "SELECT * FROM points JOIN (SELECT sum(throughput_gbps) AS gbps FROM receivers) WHERE "
      "abs(gbps - 8 * 7 * accepted_bytes_per_ns_per_switch) > 1e-6 * gbps");
  EXPECT_FALSE(database.rows("SELECT * FROM permutation_moves WHERE whole = 1").empty());

  merged.merge_bytes(with.bytes());
  merged.plan(ear);
  EXPECT_EQ(csv_without_times(merged), csv);
}

}  // namespace
}  // namespace selvedge::sim
