// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/run_point.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/sim_experiment/support.hpp"

namespace selvedge::sim {
namespace {

using test::parse;
using test::run_only;

std::string on_torus(std::string_view engine, double load, std::string_view more = "") {
  return fmt::format(
      "[fabric]\nspec = 'torus:4x4'\n[routing]\nengine = '{}'\ntree = 'bfs'\n[traffic]\nload = "
      "{}\n{}",
      engine, load, more);
}
constexpr std::string_view kShort = "[measure]\nwarmup_us = 50\nduration_us = 200\n";

void expect_consistent(const PointResult& r) {
  EXPECT_EQ(r.totals.injected, r.totals.delivered + r.totals.all_lost() + r.totals.in_flight());
  std::uint64_t delivered = 0, batches = 0, lost = 0;
  for (const Sample& s : r.samples) {
    delivered += s.delivered;
    for (const std::uint64_t n : s.lost) lost += n;
    EXPECT_LE(s.occupied_mean, s.occupied_max);
    EXPECT_LE(s.occupied_max, 1);
  }
  for (const Batch& b : r.batches) batches += b.packets;
  EXPECT_EQ(delivered, r.totals.delivered);
  EXPECT_EQ(lost, r.totals.all_lost());
  EXPECT_EQ(batches, r.window.packets);
  EXPECT_EQ(r.window.latency.count(), r.window.packets);
}

// With one packet at a time, over H = 2 to 5 switches, the latency is H · 100 + (H + 1) · 100 + 232
// ns.
TEST(RunPoint, AnEmptyNetworkHasTheModelsLatency) {
  const PointResult r = run_only(on_torus("updn", 0.0005, "[measure]\nduration_us = 20000\n"));
  EXPECT_EQ(r.state, RunState::kSteady);
  const double hops =
      static_cast<double>(r.window.switches) / static_cast<double>(r.window.packets);
  EXPECT_NEAR(r.network_latency.mean, hops * 100 + (hops + 1) * 100 + 232, 2);
  expect_consistent(r);
}

// The daemon's protocol over adaptive switches: all that is offered arrives, and packets that come
// early are what makes rearrange memory necessary.
TEST(RunPoint, WithAProtocolApplicationsReceiveWhatIsOffered) {
  const auto run = [](std::string_view hca) {
    return run_only(
        fmt::format("[fabric]\nspec = 'torus:4x4'\n[routing]\nengine = 'updn'\nlmc = 2\n[model]\n"
                    "preset = 'martinez'\nmtu_bytes = 512\nselection = 'most-credits'\n[traffic]\n"
                    "pattern = 'transpose'\nload = 0.3\n[hca]\n{}\n"
                    "[measure]\nwarmup_us = 100\nduration_us = 400\n",
                    hca));
  };
  EXPECT_FALSE(run("protocol = 'off'").hca.has_value());
  for (const char* protocol : {"li", "credits"}) {
    const std::string hca = fmt::format("protocol = '{}'\nmemory_bytes = 4096", protocol);
    const PointResult r = run(hca);
    EXPECT_EQ(r.state, RunState::kSteady) << r.diagnosis;
    ASSERT_TRUE(r.offered.has_value());
    EXPECT_NEAR(r.accepted.mean, *r.offered, 0.02 * *r.offered);
    ASSERT_TRUE(r.hca.has_value());
    EXPECT_GE(r.hca->figures.received, r.hca->window.packets - r.hca->figures.early);
    EXPECT_GT(r.hca->figures.control, 0u);
    ASSERT_TRUE(r.rearranged.has_value());
    EXPECT_LE(r.rearranged->bytes_max, 4096u);
    EXPECT_LE(r.rearranged->connection_bytes_max, r.rearranged->bytes_max);
    EXPECT_EQ(r.rearranged->early, r.hca->figures.early);
    EXPECT_GT(r.hca->figures.sent_bytes, r.hca->window.wire_bytes / 2);
    EXPECT_LE(r.hca->figures.limited_ticks, r.hca->figures.busy_ticks);
    EXPECT_EQ(r.window.latency.count(), r.hca->window.packets);
    // Memory at the samples: of each of 16 hosts, never more than the most of all times.
    const auto measured =
        static_cast<std::uint64_t>(std::ranges::count_if(r.samples, &Sample::measured));
    EXPECT_EQ(r.hca->host_bytes.count(), 16 * measured);
    EXPECT_LE(static_cast<std::uint64_t>(r.hca->host_bytes.max()), r.rearranged->bytes_max);
    // Of each connection that there is: four hosts have no partner. Both have the same sum.
    EXPECT_EQ(r.hca->connection_bytes.count(), 12 * measured);
    EXPECT_EQ(r.hca->connection_bytes.sum(), r.hca->host_bytes.sum());
    EXPECT_LE(static_cast<std::uint64_t>(r.hca->connection_bytes.max()),
              r.rearranged->connection_bytes_max);
    std::uint64_t fullest = 0, fullest_connection = 0;
    double sum = 0;
    for (const Sample& s : r.samples) {
      ASSERT_TRUE(s.rearrange_mean && s.rearrange_max);
      EXPECT_LE(*s.rearrange_mean, static_cast<double>(*s.rearrange_max));
      if (!s.measured) continue;
      EXPECT_LE(*s.rearrange_connection_mean, static_cast<double>(*s.rearrange_connection_max));
      EXPECT_LE(*s.rearrange_connection_max, *s.rearrange_max);
      fullest = std::max(fullest, *s.rearrange_max);
      fullest_connection = std::max(fullest_connection, *s.rearrange_connection_max);
      sum += *s.rearrange_mean;
    }
    EXPECT_EQ(fullest, static_cast<std::uint64_t>(r.hca->host_bytes.max()));
    EXPECT_EQ(fullest_connection, static_cast<std::uint64_t>(r.hca->connection_bytes.max()));
    EXPECT_NEAR(sum / static_cast<double>(measured), r.hca->host_bytes.mean(), 1e-6);
    // The same seed, the same figures.
    const PointResult again = run(hca);
    EXPECT_EQ(again.totals, r.totals);
    EXPECT_EQ(again.window.latency, r.window.latency);
    EXPECT_EQ(again.rearranged->bytes_mean, r.rearranged->bytes_mean);
  }
}

// The memory of hosts is that of their connections, also where some is in use at most samples.
TEST(RunPoint, TheMemoryOfConnectionsAddsUpToThatOfHosts) {
  const PointResult r = run_only(
      "[fabric]\nspec = 'torus:4x4'\n[routing]\nengine = 'updn'\nlmc = 2\n[model]\n"
      "preset = 'martinez'\nmtu_bytes = 512\nselection = 'most-credits'\n[traffic]\n"
      "pattern = 'transpose'\nload = 0.7\n[hca]\nprotocol = 'li'\nmemory_bytes = 65536\n"
      "[measure]\nwarmup_us = 100\nduration_us = 400\n");
  ASSERT_TRUE(r.hca.has_value());
  EXPECT_GT(r.hca->connection_bytes.sum(), 0);
  EXPECT_EQ(r.hca->connection_bytes.sum(), r.hca->host_bytes.sum());
}

// Without memory whatever comes early is rejected. LI is the only limit that answers to that.
TEST(RunPoint, TimeInLimitedInjectionIsThatOfLi) {
  const auto limited_share = [](std::string_view protocol) {
    const PointResult r = run_only(
        fmt::format("[fabric]\nspec = 'torus:4x4'\n[routing]\nengine = 'updn'\nlmc = 2\n[model]\n"
                    "preset = 'martinez'\nmtu_bytes = 512\nselection = 'most-credits'\n[traffic]\n"
                    "pattern = 'transpose'\nload = 0.3\n[hca]\nprotocol = '{}'\nmemory_bytes = 0\n"
                    "[measure]\nwarmup_us = 100\nduration_us = 400\n",
                    protocol));
    EXPECT_GT(r.hca->figures.rejected, 0u);
    EXPECT_GT(r.hca->figures.busy_ticks, 0);
    return r.hca->figures.limited_ticks / r.hca->figures.busy_ticks;
  };
  EXPECT_EQ(limited_share("none"), 0);
  EXPECT_GT(limited_share("li"), 0);
  EXPECT_LT(limited_share("li"), 1);
}

TEST(RunPoint, WhatIsOfferedIsAcceptedBelowSaturation) {
  const PointResult r = run_only(on_torus("updn", 0.2, kShort));
  EXPECT_EQ(r.state, RunState::kSteady) << r.diagnosis;
  // 0.2 · 0.25 bytes/ns, one host a switch; about 2,800 packets, so ± 2 % (one standard deviation).
  ASSERT_TRUE(r.offered.has_value());
  EXPECT_NEAR(*r.offered, 0.05, 0.05 * 0.08);
  EXPECT_NEAR(r.accepted.mean, *r.offered, 0.05 * 0.02);
  expect_consistent(r);
}

TEST(RunPoint, DetectsSaturation) {
  const PointResult r = run_only(on_torus("updn", 0.9, kShort));
  EXPECT_EQ(r.state, RunState::kSaturated);
  ASSERT_TRUE(r.offered.has_value());
  EXPECT_NEAR(*r.offered, 0.9 * 0.25, 0.01);
  EXPECT_LT(r.accepted.mean, 0.8 * *r.offered);
  EXPECT_NE(r.diagnosis.find("packets wait"), std::string::npos) << r.diagnosis;
  expect_consistent(r);
}

// Hosts with full queues take messages late; the offered load is still known.
TEST(RunPoint, MeasuresTheOfferedLoadOfFullSources) {
  const PointResult r =
      run_only(on_torus("updn", 0.9, "[model]\nhca_queue_packets = 4\n" + std::string(kShort)));
  EXPECT_EQ(r.state, RunState::kSaturated);
  EXPECT_NEAR(r.offered.value_or(0), 0.9 * 0.25, 0.015);
  EXPECT_NE(r.diagnosis.find("are full"), std::string::npos) << r.diagnosis;
}

TEST(RunPoint, DetectsAndDescribesADeadlock) {
  const std::string text =
      "[fabric]\nspec = 'torus:8x8'\n[routing]\nengine = '{}'\ntree = 'bfs'\n[traffic]\nload = "
      "0.8\n"
      "[measure]\nwarmup_us = 0\nduration_us = 500\n";
  const PointResult r = run_only(fmt::format(fmt::runtime(text), "spf"));
  EXPECT_EQ(r.state, RunState::kDeadlocked);
  EXPECT_EQ(r.diagnosis.substr(0, 20), "deadlocked, found at");
  ASSERT_GE(r.run_events.size(), 4u);
  EXPECT_NE(r.run_events[0].what.find(" VL0, with a packet from H-"), std::string::npos);
  expect_consistent(r);
  EXPECT_NE(run_only(fmt::format(fmt::runtime(text), "tftr")).state, RunState::kDeadlocked);
}

TEST(RunPoint, EndsWhenTheTrafficEnds) {
  const PointResult r =
      run_only(on_torus("updn", 0.1, "messages_per_host = 50\n[measure]\nwarmup_us = 0\n"));
  ASSERT_TRUE(r.finished_us.has_value());
  EXPECT_LT(*r.finished_us, 1000);
  EXPECT_EQ(r.totals.delivered, 16u * 50);
  EXPECT_EQ(r.totals.in_flight(), 0u);
  EXPECT_EQ(r.waiting, 0u);
  expect_consistent(r);
}

TEST(RunPoint, StopsWhenTheIntervalIsTight) {
  const std::string rest = "[measure]\nduration_us = 5000\nrelative_error = ";
  const PointResult loose = run_only(on_torus("updn", 0.1, rest + "0.05"));
  const PointResult whole = run_only(on_torus("updn", 0.1, rest + "0"));
  EXPECT_EQ(loose.batches.size(), 10u);
  EXPECT_LE(loose.latency.half_width, 0.05 * loose.latency.mean);
  EXPECT_EQ(whole.batches.size(), 20u);
  EXPECT_NEAR(loose.latency.mean, whole.latency.mean, 0.05 * whole.latency.mean);
  const PointResult never = run_only(on_torus("updn", 0.1, rest + "0.000001"));
  EXPECT_NE(never.diagnosis.find("not converging"), std::string::npos) << never.diagnosis;
}

TEST(RunPoint, AutomaticWarmUpEndsAtSteadyState) {
  const PointResult r =
      run_only(on_torus("updn", 0.3, "[measure]\nwarmup = 'auto'\nduration_us = 500\n"));
  EXPECT_GE(r.warmup_us, 249);
  EXPECT_LE(r.warmup_us, 4000);
  EXPECT_NEAR(r.measured_us, 500, 1);
  expect_consistent(r);
}

TEST(RunPoint, CutsAndRestores) {
  const PointResult r = run_only(on_torus(
      "updn", 0.2,
      "[measure]\nwarmup_us = 0\nduration_us = 400\n[[faults.cut]]\nwhat = 'S-0-0:2'\nat_us = 100\n"
      "restore_at_us = 200\n[[faults.cut]]\nwhat = 'S-2-2'\nat_us = 150\n"));
  ASSERT_EQ(r.run_events.size(), 3u);
  EXPECT_EQ(r.run_events[0].what, "cut S-0-0:2");
  EXPECT_EQ(r.run_events[1].what, "cut S-2-2");
  EXPECT_EQ(r.run_events[2].what, "restored S-0-0:2");
  EXPECT_EQ(r.run_events[2].at_us, 200);
  EXPECT_GT(r.totals.all_lost(), 0u);
  EXPECT_NE(r.diagnosis.find("packets were lost ("), std::string::npos) << r.diagnosis;
  for (const Sample& s : r.samples) {
    std::uint64_t lost = 0;
    for (const std::uint64_t n : s.lost) lost += n;
    if (s.at_us <= 100) {
      EXPECT_EQ(lost, 0u) << s.at_us;
    }
  }
  expect_consistent(r);
}

// One dead switch of sixteen, at 5 % load, is not saturation.
TEST(RunPoint, ADeadSwitchDoesNotSaturate) {
  const PointResult r = run_only(on_torus("updn", 0.05,
                                          "[measure]\nwarmup_us = 50\nduration_us = "
                                          "2000\n[[faults.cut]]\nwhat = 'S-1-1'\nat_us = 100\n"));
  EXPECT_EQ(r.state, RunState::kSteady) << r.diagnosis;
  EXPECT_NE(r.diagnosis.find("1 of 16 hosts were disconnected"), std::string::npos) << r.diagnosis;
  EXPECT_NE(r.diagnosis.find("packets were lost ("), std::string::npos) << r.diagnosis;
  expect_consistent(r);
  // With the dead switch, overload is still detected.
  EXPECT_EQ(
      run_only(on_torus("updn", 0.9, std::string(kShort) + "[[faults.cut]]\nwhat = 'S-1-1'\n"))
          .state,
      RunState::kSaturated);
}

TEST(RunPoint, LosingAllPacketsIsNotSteady) {
  const PointResult r =
      run_only(on_torus("updn", 0.05, std::string(kShort) + "[faults]\nrandom = 32\n"));
  EXPECT_EQ(r.state, RunState::kUndelivered);
  EXPECT_EQ(r.diagnosis.substr(0, 43), "no packet was delivered while measuring; at")
      << r.diagnosis;
  EXPECT_NE(r.diagnosis.find(fmt::format("{0} of {1} packets were lost ({0} dead_port)",
                                         r.totals.all_lost(), r.totals.injected)),
            std::string::npos)
      << r.diagnosis;
  const PointResult ended = run_only(on_torus(
      "updn", 0.05, "messages_per_host = 3\n" + std::string(kShort) + "[faults]\nrandom = 32\n"));
  EXPECT_EQ(ended.state, RunState::kUndelivered) << ended.diagnosis;
}

TEST(RunPoint, DetectsLoopingPackets) {
  const std::string text =
      "[fabric]\nspec = 'torus:6x6'\n[routing]\nengine = 'tftr'\nlmc = 3\n[model]\nselection = "
      "'{}'\n[traffic]\nload = 0.02\nmessages_per_host = 20\n[measure]\nduration_us = 4000\n";
  const PointResult r = run_only(fmt::format(fmt::runtime(text), "first-free"));
  ASSERT_GT(r.totals.in_flight(), 0u);
  EXPECT_NE(r.diagnosis.find("packets loop: "), std::string::npos) << r.diagnosis;
  const PointResult plain = run_only(fmt::format(fmt::runtime(text), "deterministic"));
  EXPECT_EQ(plain.totals.in_flight(), 0u);
  EXPECT_EQ(plain.diagnosis, "");
}

// There is no offered load if the sources have no rate.
TEST(RunPoint, HasNoOfferedLoadWithoutARate) {
  for (const char* more :
       {"window = 4\nresponse_bytes = 100000\n", "pattern = 'all-to-all'\npayload_bytes = 100000\n",
        "pattern = 'ring-allreduce'\n", "messages_per_host = 100\n"}) {
    const PointResult r = run_only(on_torus("updn", 0.05, more + std::string(kShort)));
    EXPECT_FALSE(r.offered.has_value()) << more;
    EXPECT_EQ(r.state, RunState::kSteady) << more << r.diagnosis;
  }
  // A packet has at least one byte, even with empty payload and header.
  const PointResult empty = run_only(on_torus(
      "updn", 0.5, "payload_bytes = 0\n[model]\nheader_bytes = 0\n" + std::string(kShort)));
  EXPECT_GT(empty.offered.value_or(0), 0);
}

TEST(RunPoint, RefusesUnknownFaults) {
  EXPECT_THROW(run_only(on_torus("updn", 0.2, "[[faults.cut]]\nwhat = 'S-9-9'\n")), InputError);
  EXPECT_THROW(run_only(on_torus("updn", 0.2, "[faults]\nrandom = 33\n")), InputError);
}

TEST(RunPoint, SelfRoutingNeedsATreeOfTwoLevels) {
  // Empty, or what check_point() says.
  const auto complaint = [](const std::string& fabric, const std::string& engine) {
    const Experiment e = parse("[fabric]\nspec = '" + fabric + "'\n[routing]\nengine = '" + engine +
                               "'\n[model]\nselection = 'ear'\n");
    const Point& point = e.points.at(0);
    const RoutedFabric routed = make_routed_fabric(point.fabric, point.routing);
    try {
      check_point(point, routed);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(complaint("clos:n=2,r=3,m=2", "dmodk"), "");
  for (const auto& [fabric, engine] : {std::pair{"torus:3x3", "updn"}, {"tree:k=2,n=3", "dmodk"}})
    EXPECT_TRUE(complaint(fabric, engine).starts_with("the fabric is no fat tree of two levels"))
        << complaint(fabric, engine);
}

RC_GTEST_PROP(RunPoint, TheTotalsAddUp, ()) {
  const std::string text = fmt::format(
      "[fabric]\nspec = 'irregular:switches={},degree=3,hosts=2,seed={}'\n[routing]\n"
      "engine = 'updn'\n[traffic]\nload = {}\npayload_bytes = {}\n[faults]\nrandom = {}\nat_us = "
      "30\n"
      "[measure]\nwarmup_us = {}\nduration_us = 60\nbatches = 4\n[run]\nseed = {}\n",
      *rc::gen::element(6, 8, 10), *rc::gen::inRange(1, 1000), *rc::gen::element(0.1, 0.4, 1.2),
      *rc::gen::element(0, 32, 600), *rc::gen::inRange(0, 3), *rc::gen::element(0, 20),
      *rc::gen::inRange(1, 1000));
  const PointResult r = run_only(text);
  expect_consistent(r);
  RC_ASSERT(r.totals.generated >= r.totals.injected);
  RC_ASSERT(r.window.packets <= r.totals.delivered);
  const PointResult again = run_only(text);
  RC_ASSERT(again.totals == r.totals);
  RC_ASSERT(again.window.latency == r.window.latency);
}

}  // namespace
}  // namespace selvedge::sim
