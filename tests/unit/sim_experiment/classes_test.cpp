// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Experiments with classes of traffic: bad input, figures by class, and claims on them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/experiment/claims.hpp"
#include "sim/experiment/results.hpp"
#include "sim/experiment/run_point.hpp"
#include "tests/unit/sim_experiment/support.hpp"

namespace selvedge::sim {
namespace {

using test::complaint;
using test::parse;
using test::run_all;
using test::run_only;

constexpr std::string_view kClassHead =
    "[fabric]\nspec = 'mesh:2x2'\n[routing]\nengine = 'updn'\n[model]\npreset = 'kim'\n";
constexpr std::string_view kClasses =
    "[traffic]\nload = 0.3\n"
    "[[traffic.class]]\nname = 'video'\narrival = 'video'\nsl = 0\nshare = 0.7\n"
    "[[traffic.class]]\nname = 'best'\nsl = 1\nshare = 0.3\n"
    "[[traffic.class]]\nname = 'control'\nvl15 = true\narrival = 'periodic'\nperiod_ms = 1\n"
    "size = 256\n";
constexpr std::string_view kClassTime = "[measure]\nwarmup_us = 50000\nduration_us = 100000\n";

std::string mixed_classes(std::string_view classes = kClasses) {
  return fmt::format("{}{}{}", kClassHead, classes, kClassTime);
}

/// The complaint about classes that are these lines instead.
std::string about(std::string_view lines, std::string_view model = "") {
  return complaint(fmt::format("{}{}[traffic]\n{}", kClassHead, model, lines));
}

TEST(ExperimentWithClasses, BadInputIsOneLine) {
  const auto one = [](std::string_view more) {
    return fmt::format("[[traffic.class]]\nshare = 1\n{}", more);
  };
  for (const auto& [lines, part] : {
           std::pair{one("[[traffic.class]]\nname = 'b'\nshare = 0.5\n"), "sum to 1.5"},
           {std::string("[[traffic.class]]\nsl = 1\n"), "share is missing"},
           {one("sl = 16\n"), "sl has a value"},
           {one("period_ms = 3\n"), "arrival is not \"periodic\""},
           {one("arrival = 'periodic'\nperiod_ms = 3\n"), "both given"},
           {one("vl15 = true\n"), "no part of the load"},
           {one("vl15 = true\nsl = 1\n"), "VL 15 has none"},
           {one("arrival = 'video'\nsize = 5\n"), "sizes of their own"},
           {one("frames = 'x.csv'\n"), "arrival is not \"video\""},
           {one("paths = 'best'\n"), "one of first, random, at-switches, probe"},
           {one("paths = 'probe'\n"), "only streams are connections"},
           {one("arrival = 'video'\nreserve = 0.5\n"), "paths is not \"probe\""},
           {one("name = 'A b'\n"), "name has a value"},
           {one("[[traffic.class]]\nname = 'class-1'\nshare = 0.5\n"), "another class's"},
           {one("shar = 1\n"), "shar"},
           {one("groups = '2,1'\n"), "numbers of members from 2"},
           {one("groups = '2,,4'\n"), "numbers of members from 2"},
           {one("groups = '2,'\n"), "numbers of members from 2"},
           {one("groups = ''\n"), "numbers of members from 2"},
           {one("groups = '2 4'\n"), "numbers of members from 2"},
           {one("groups = '2'\npattern = 'uniform'\n"), "groups say to whom"},
           {one("groups = '2'\npaths = 'random'\n"), "have one way"},
           {std::string("window = 3\n") + one(""), "there are classes"},
       }) {
    const std::string said = about(lines);
    EXPECT_NE(said.find(part), std::string::npos) << lines << said;
    EXPECT_NE(said.find("x.toml:"), std::string::npos) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos);
  }
  EXPECT_NE(about(one(""), "paths = 'random'\n").find("give each class its paths"),
            std::string::npos);
  EXPECT_NE(about(one(""), "selection = 'ear'\n").find("there are classes"), std::string::npos);
  EXPECT_NE(about("load = 0.1\n", "drop = 'selective'\n").find("no class says what is kept"),
            std::string::npos);
  EXPECT_NE(about(one("[measure]\nrearrange = true\n")).find("rearrange is for traffic without"),
            std::string::npos);
  EXPECT_EQ(about(one("")), "");
}

std::string check_complaint(const std::string& text) {
  const Experiment experiment = parse(text);
  const Point& point = experiment.points.at(0);
  try {
    check_point(point, make_routed_fabric(point.fabric, point.routing));
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(ExperimentWithClasses, WhatDoesNotFitTheTablesIsRefused) {
  std::string many = "[traffic]\n";
  for (unsigned i = 0; i < 4; ++i)
    many += fmt::format("[[traffic.class]]\nsl = {}\nshare = 0.25\n", i);
  const std::string head = "[fabric]\nspec = 'mesh:2x2'\n[routing]\nengine = 'updn'\n";
  EXPECT_EQ(check_complaint(head + many), "");
  EXPECT_NE(check_complaint(head + "max_vls = 4\n" + many).find("SL 3 has no VL"),
            std::string::npos);
  EXPECT_NE(check_complaint(head + "[model]\narbitration_low = '0:9,1:9,2:9'\n" + many)
                .find("VL 3, which the classes use, has no weight"),
            std::string::npos);
  EXPECT_NE(
      check_complaint(head + "[model]\nmanagement_buffer_bytes = 64\n" + std::string(kClasses))
          .find("VL 15's buffers 64"),
      std::string::npos);
  EXPECT_NE(check_complaint(head + "[traffic]\n[[traffic.class]]\npattern = 'io'\nshare = 1\n")
                .find("times of messages"),
            std::string::npos);
  EXPECT_NE(check_complaint(head + "[traffic]\n[[traffic.class]]\npattern = 'unifrom'\nshare = 1\n")
                .find("did you mean 'uniform'"),
            std::string::npos);
}

constexpr std::string_view kGroups =
    "[traffic]\nload = 0.2\n"
    "[[traffic.class]]\nname = 'video'\narrival = 'video'\nshare = 0.3\n"
    "[[traffic.class]]\nname = 'many'\narrival = 'video'\nshare = 0.5\ngroups = '2,3,4'\n"
    "[[traffic.class]]\nname = 'few'\nsl = 1\nshare = 0.2\ngroups = '2'\n";

TEST(ExperimentWithGroups, BadInputIsOneLine) {
  EXPECT_NE(about("[[traffic.class]]\nshare = 1\n", "replication = 'counter'\n")
                .find("no class has groups"),
            std::string::npos);
  const std::string one = "[[traffic.class]]\nshare = 1\ngroups = '2'\n";
  EXPECT_NE(about(one + "[faults]\nrandom = 1\n", "replication = 'counter'\n").find("[faults]"),
            std::string::npos);
  EXPECT_NE(about(one, "central_buffer_bytes = 8192\n").find("not \"central\""), std::string::npos);
  EXPECT_EQ(about(one + "[faults]\nrandom = 1\n"), "");
  const auto checked = [&](std::string_view model, std::string_view classes) {
    return check_complaint(fmt::format("{}{}[traffic]\n{}", kClassHead, model, classes));
  };
  EXPECT_NE(checked("replication = 'counter'\nselection = 'random'\n", one).find("replication"),
            std::string::npos);
  EXPECT_NE(checked("replication = 'central'\ncentral_buffer_bytes = 64\n", one)
                .find("central_buffer_bytes"),
            std::string::npos);
  EXPECT_NE(checked("", "[[traffic.class]]\nshare = 1\ngroups = '5'\n").find("has 5 members"),
            std::string::npos);
}

std::string replicating(std::string_view replication, std::string_view more = "") {
  std::string text = mixed_classes(kGroups);
  return text.insert(text.find("preset"), fmt::format("replication = '{}'\n{}", replication, more));
}

/// All ways to replicate deliver the same frames to the same members, and count the same offer. On
/// three switches in a row with a host each no reservations wait for each other.
TEST(ExperimentWithGroups, EveryReplicationDeliversTheSame) {
  const auto with = [&](std::string_view replication) {
    std::string text = replicating(replication);
    text.replace(text.find("mesh:2x2"), 8, "mesh:3x1");
    return run_only(text.replace(text.find("2,3,4"), 5, "2,3,3"));
  };
  const PointResult unicast = with("none");
  EXPECT_EQ(unicast.totals.copies, 0u);
  EXPECT_GT(unicast.classes[1].frames, 300u);
  for (const char* name : {"synchronous-fcfs", "synchronous-rr", "counter", "central"}) {
    const PointResult r = with(name);
    EXPECT_EQ(r.state, RunState::kSteady) << name;
    EXPECT_GT(r.totals.copies, 1000u);
    EXPECT_LT(r.totals.injected, unicast.totals.injected);
    const auto count = [](std::uint64_t n) { return static_cast<double>(n); };
    EXPECT_NEAR(count(r.classes[1].frames), count(unicast.classes[1].frames), 5) << name;
    EXPECT_EQ(r.classes[1].missed + r.classes[1].frames_lost + r.classes[1].all_lost(), 0u);
    EXPECT_NEAR(count(r.classes[2].packets), count(unicast.classes[2].packets),
                0.02 * count(unicast.classes[2].packets));
    EXPECT_NEAR(*r.offered, *unicast.offered, 0.01 * *unicast.offered);
    EXPECT_NEAR(r.accepted.mean, *r.offered, 0.02 * *r.offered);
  }
}

/// What a packet has reserved it keeps while it waits for the next switch, so reservations of two
/// switches may wait for each other, also with preemption. Copies one by one wait for nothing that
/// is reserved. A lifetime ends the deadlock.
TEST(ExperimentWithGroups, ReservationsOfSeveralSwitchesDeadlock) {
  for (const char* name : {"synchronous-fcfs", "synchronous-rr", "synchronous-held"}) {
    EXPECT_EQ(run_only(replicating(name)).state, RunState::kDeadlocked) << name;
    const PointResult r = run_only(replicating(name, "head_of_queue_life_us = 262.144\n"));
    EXPECT_NE(r.state, RunState::kDeadlocked) << name;
    EXPECT_GT(r.classes[1].all_lost(), 0u) << name;
  }
  for (const char* name : {"counter", "central"})
    EXPECT_EQ(run_only(replicating(name)).state, RunState::kSteady) << name;
}

TEST(ExperimentWithClasses, FiguresAddUpToTheWhole) {
  const PointResult r = run_only(mixed_classes());
  EXPECT_EQ(r.state, RunState::kSteady);
  ASSERT_EQ(r.classes.size(), 3u);
  std::uint64_t packets = 0, bytes = 0;
  for (const ClassFigures& of : r.classes) {
    packets += of.packets;
    bytes += of.bytes;
    // VL 15 has no credits: two packets that meet where there is room for one lose one of them.
    EXPECT_EQ(of.all_lost(), of.lost[static_cast<unsigned>(Loss::kVl15Full)]);
  }
  EXPECT_EQ(r.classes[0].all_lost() + r.classes[1].all_lost(), 0u);
  EXPECT_EQ(packets, r.window.packets);
  EXPECT_EQ(bytes, r.window.bytes);
  // 250 bytes/µs a host: 0.3 of it for 0.1 s, of four hosts.
  const double offered = 0.3 * 25e6 * 4;
  EXPECT_NEAR(static_cast<double>(r.classes[0].bytes), 0.7 * offered, 0.04 * offered);
  EXPECT_NEAR(static_cast<double>(r.classes[1].bytes), 0.3 * offered, 0.02 * offered);
  EXPECT_NEAR(static_cast<double>(r.classes[2].packets + r.classes[2].all_lost()), 400, 4);
  EXPECT_GT(r.classes[0].frames, 100u);
  EXPECT_EQ(r.classes[0].missed, 0u);  // far from saturation no frame takes 33 ms
  EXPECT_EQ(r.classes[1].frames, 0u);
  EXPECT_NEAR(*r.offered * 4 * 1e8, offered, 0.05 * offered);
}

TEST(ExperimentWithClasses, StreamsThatProbeAreAdmittedAndProbesCountInNoClass) {
  std::string text = mixed_classes();
  text.insert(text.find("arrival = 'video'"), "paths = 'probe'\n");
  const PointResult r = run_only(text);
  EXPECT_EQ(r.state, RunState::kSteady);
  ASSERT_EQ(r.classes.size(), 3u);
  const Admission& video = r.classes[0].admission;
  EXPECT_GT(video.admitted, 10u);
  EXPECT_EQ(video.refused, 0u);
  EXPECT_GE(video.probes, video.admitted);
  EXPECT_GT(r.classes[0].frames, 50u);
  EXPECT_EQ(r.classes[1].admission, Admission());
  EXPECT_NE(check_complaint(text.insert(text.find("preset"), "mtu_bytes = 128\n"))
                .find("a probe is one packet of 256 bytes"),
            std::string::npos);
}

/// A head-of-queue lifetime that discards much, but nothing on VL 15 and no frame's last packet.
TEST(ExperimentWithClasses, SelectiveDroppingLosesNoFrame) {
  std::string text = mixed_classes();
  text.replace(text.find("load = 0.3"), 10, "load = 1.5");
  const auto with = [&](std::string_view drop) {
    return run_only(std::string(text).insert(
        text.find("preset"), fmt::format("head_of_queue_life_us = 4.096\ndrop = '{}'\n", drop)));
  };
  const PointResult selective = with("selective"), everything = with("all");
  EXPECT_GT(selective.classes[0].all_lost(), 0u);
  EXPECT_EQ(selective.classes[0].lost[static_cast<unsigned>(Loss::kHeadOfQueue)],
            selective.classes[0].all_lost());
  EXPECT_EQ(selective.classes[0].frames_lost, 0u);
  EXPECT_GT(everything.classes[0].frames_lost, 0u);
  EXPECT_EQ(selective.classes[2].lost[static_cast<unsigned>(Loss::kHeadOfQueue)], 0u);
  EXPECT_EQ(everything.classes[2].lost[static_cast<unsigned>(Loss::kHeadOfQueue)], 0u);
}

/// A drawn network and load at which shortest paths deadlock under mixed traffic, and a lifetime
/// ends that, whether it spares packets or not.
TEST(ExperimentWithClasses, DroppingEndsADeadlock) {
  const auto state_with = [](std::string_view more) {
    std::string text = fmt::format(
        "[fabric]\nspec = 'irregular:switches=15,degree=4,links=23,seed=9'\n[routing]\n"
        "engine = 'spf'\npaper = true\n[model]\npreset = 'kim'\n{}{}{}",
        more, kClasses, kClassTime);
    text.replace(text.find("load = 0.3"), 10, "load = 0.35");
    return run_only(text).state;
  };
  EXPECT_EQ(state_with(""), RunState::kDeadlocked);
  for (const std::string_view drop : {"all", "selective"})
    EXPECT_EQ(state_with(fmt::format("head_of_queue_life_us = 262.144\ndrop = '{}'\n", drop)),
              RunState::kSteady)
        << drop;
}

TEST(ExperimentWithClasses, ResultsHaveAColumnAClass) {
  const Experiment experiment = parse(mixed_classes());
  Results results;
  run_all(experiment, results, 1);
  const auto rows = results.database().rows(
      "SELECT name, packets, frames, dmp, dmt_ms, latency_mean_ns FROM classes ORDER BY class");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(text_of(rows[0][0]), "video");
  EXPECT_EQ(text_of(rows[0][3]), "0");
  EXPECT_EQ(text_of(rows[1][2]), "");  // best effort has no frames
  EXPECT_EQ(text_of(rows[1][3]), "");
  const std::string csv = results.csv();
  const std::string head = csv.substr(0, csv.find('\n'));
  EXPECT_NE(head.find(",video:dmp,video:dmt_ms,video:streams,video:streams_refused,best:packets,"),
            std::string::npos)
      << head;
  EXPECT_EQ(std::ranges::count(head, ','), std::ranges::count(csv.substr(head.size() + 1), ','));
}

TEST(ClaimBounds, MayHoldForTheWholeInterval) {
  Claim claim;
  RowSpec row;
  row.what = row.value = "a";
  row.least = 0;
  claim.rows = {row};
  const std::map<std::string, std::vector<double>> wide = {{"a", {-1, 0, 4}}},
                                                   narrow = {{"a", {0.9, 1, 1.1}}};
  EXPECT_TRUE(judge(claim, wide)[0].holds);  // by its mean
  claim.rows[0].clear = true;
  EXPECT_FALSE(judge(claim, wide)[0].holds);
  EXPECT_TRUE(judge(claim, wide)[0].tie);
  EXPECT_FALSE(judge(claim, narrow)[0].tie);
  const std::map<std::string, std::vector<double>> below = {{"a", {-0.9, -1, -1.1}}};
  EXPECT_FALSE(judge(claim, below)[0].holds || judge(claim, below)[0].tie);
  EXPECT_TRUE(judge(claim, narrow)[0].holds);
}

TEST(ExperimentWithClasses, TheSameSeedGivesTheSameFigures) {
  const PointResult a = run_only(mixed_classes()), b = run_only(mixed_classes());
  for (std::size_t c = 0; c < a.classes.size(); ++c) {
    EXPECT_EQ(a.classes[c].latency, b.classes[c].latency);
    EXPECT_EQ(a.classes[c].frames, b.classes[c].frames);
  }
}

}  // namespace
}  // namespace selvedge::sim
