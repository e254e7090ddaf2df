// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The section [reconfiguration] of an experiment: bad input, and what a point reports.
#include <gtest/gtest.h>

#include "sim/experiment/report.hpp"
#include "tests/unit/sim_experiment/support.hpp"

namespace selvedge::sim {
namespace {

std::string on_torus(std::string_view reconfiguration, std::string_view more = "") {
  return fmt::format(
      "[fabric]\nspec = 'torus:3x3'\n[routing]\nengine = 'updn'\n"
      "[traffic]\nload = 0.2\n[measure]\nwarmup_us = 20\nduration_us = 1500\nbatches = 2\n"
      "[reconfiguration]\n{}\n{}\n",
      reconfiguration, more);
}

/// The InputError's message when the point is read or checked; "" if there is none.
std::string refused(const std::string& text) {
  try {
    const Experiment experiment = test::parse(text);
    const Point& point = experiment.points.at(0);
    check_point(point, make_routed_fabric(point.fabric, point.routing));
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Reconfiguration, BadInputIsNamed) {
  const auto expect = [](const std::string& text, const char* part) {
    EXPECT_NE(refused(text).find(part), std::string::npos) << refused(text);
  };
  expect(on_torus("scheme = 'best'"), "scheme");
  expect(on_torus("timeout_us = 3"), "scheme is \"off\"");
  expect(on_torus("scheme = 'naive'\nepoch_bits = 2"), "epoch_bits");
  expect(on_torus("scheme = 'naive'\nsweep_us = 90"), "detection is \"trap\"");
  expect(on_torus("scheme = 'naive'\nmanager = 'H-9-9'"), "no host is named 'H-9-9'");
  expect(on_torus("scheme = 'naive'\ndetection = 'sweep'\nsweep_us = 3"), "shorter than a round");
  expect(on_torus("scheme = 'naive'\nsmp_bytes = 400"), "management_buffer_bytes");
  expect(on_torus("scheme = 'ebr-hoq'"), "head_of_queue_life_us");
  expect(on_torus("scheme = 'rftr-readdress'"), "lmc");
  std::string one_vl = on_torus("scheme = 'ds'");
  one_vl.replace(one_vl.find("[traffic]"), 0, "max_vls = 1\n");
  expect(one_vl, "needs two VLs");
  expect(on_torus("scheme = 'naive'\nto = 'nowhere.json'\nat_us = 5"), "nowhere.json");
  expect(on_torus("scheme = 'naive'", "[[faults.cut]]\nwhat = 'S-0-0'\nat_us = 50"),
         "cut off H-0-0, the manager's host");
  expect(on_torus("scheme = 'naive'", "[model]\nselection = 'first-free'"), "selection");
  // Tokens separate packets that stay on their VL.
  for (const char* scheme : {"sr-pda", "sr-la", "ds"}) {
    std::string on_several = on_torus(fmt::format("scheme = '{}'\nat_us = 5", scheme));
    on_several.replace(on_several.find("updn"), 4, "tftr");
    expect(on_several,
           "the scheme needs tables with one VL: [reconfiguration] scheme: choose an "
           "engine that needs one VL, as updn, or another scheme");
  }
  expect(on_torus("scheme = 'naive'", "[[traffic.class]]\nshare = 1"), "classes");
}

TEST(Reconfiguration, APointReportsItsChange) {
  for (const char* scheme : {"static", "guarded", "ebrd", "ds", "sr-pda", "sr-la"}) {
    const PointResult r =
        test::run_only(on_torus(fmt::format("scheme = '{}'\ncompute_us = 7", scheme),
                                "[[faults.cut]]\nwhat = 'S-1-1:2'\nat_us = 100"));
    ASSERT_TRUE(r.reconfiguration) << scheme;
    ASSERT_EQ(r.reconfiguration->changes.size(), 1U) << scheme;
    EXPECT_TRUE(r.reconfiguration->reached) << scheme;
    const Reconfiguration& change = r.reconfiguration->changes[0];
    const auto us = [&](Tick ticks) { return static_cast<double>(ticks) * r.ns_per_tick / 1000; };
    EXPECT_NEAR(us(change.cause), 100, 0.01);
    EXPECT_GE(us(change.computed - change.detected), 7 - 0.01);
    EXPECT_GT(r.reconfiguration->before.packets, 100U);
    EXPECT_GT(r.reconfiguration->during_ticks, 0);
    std::vector<std::string> steps;
    for (const RunEvent& event : r.run_events) steps.push_back(event.what);
    std::vector<std::string> expected{"cut S-1-1:2", "change 1: detected", "change 1: computed",
                                      "change 1: distributed"};
    if (scheme == std::string_view("ds"))
      expected.insert(expected.end() - 1, "change 1: VL 1 is empty");
    if (std::string_view(scheme).starts_with("sr"))
      expected.insert(expected.end() - 1, "change 1: all tokens have passed");
    EXPECT_EQ(steps, expected);
  }
}

// What a change costs, where it can be said beforehand. Hosts hold their injection from the
// detection to the end, and computing takes 90 us between: a packet waits at least that long, and
// at most as long as the change takes. Nothing waits for tables that are only written. A cut loses
// packets until tables lead around it; if hosts hold their injection, until the network is empty.
TEST(Reconfiguration, StallAndOutageByHand) {
  const auto run = [](std::string_view scheme, std::string_view cause) {
    return test::run_only(on_torus(
        fmt::format("scheme = '{}'\ncompute_us = 90\noutstanding = 1\n{}", scheme, cause)));
  };
  const auto us = [](const PointResult& r, Tick ticks) {
    return static_cast<double>(ticks) * r.ns_per_tick / 1000;
  };
  // Nine hosts at a fifth of their rate: each generates a packet in 1.2 us, and an idle network
  // delivers it in 1 us.
  constexpr double kFewUs = 10;
  for (const char* scheme : {"static", "naive"}) {
    const bool holds = scheme == std::string_view("static");
    const PointResult quiet = run(scheme, "at_us = 100");
    const ReconfigurationResult& without = *quiet.reconfiguration;
    const double all_us =
        us(quiet, without.changes.at(0).distributed - without.changes.at(0).detected);
    EXPECT_GE(us(quiet, without.stall), holds ? 90 - kFewUs : 0);
    EXPECT_LE(us(quiet, without.stall), holds ? all_us + kFewUs : kFewUs);
    EXPECT_LE(us(quiet, without.before.longest), kFewUs);
    EXPECT_GT(without.before.longest, 0);
    EXPECT_EQ(without.outage, kNever);

    const PointResult cut = run(scheme, "[[faults.cut]]\nwhat = 'S-1-1:2'\nat_us = 100");
    const Reconfiguration& repair = cut.reconfiguration->changes.at(0);
    const double outage_us = us(cut, cut.reconfiguration->outage);
    const double computed_us = us(cut, repair.computed - repair.cause);
    EXPECT_GT(outage_us, holds ? 0 : computed_us - kFewUs);
    EXPECT_LT(outage_us, holds ? computed_us : us(cut, repair.distributed - repair.cause) + kFewUs);
  }
}

// Packets that a fault or a change loses are sent again from end to end (Montañana 2008 §7.2.2):
// with either protocol of HCAs, every message arrives, unless the scheme lets old and new paths
// deadlock.
TEST(Reconfiguration, ProtocolsSendAgainWhatAChangeLoses) {
  for (const char* protocol : {"credits", "thesis"}) {
    std::uint64_t lost = 0;
    for (const char* scheme : {"static", "naive", "opensm", "guarded", "rftr", "ebr", "ebrd"}) {
      const PointResult r = test::run_only(fmt::format(
          "[fabric]\nspec = 'torus:4x4,hosts=2'\n[routing]\nengine = 'updn'\n[model]\nmtu_bytes = "
          "512\n[hca]\nprotocol = '{}'\n[traffic]\nload = 0.3\npayload_bytes = 256\n"
          "messages_per_host = 150\n[measure]\nwarmup_us = 0\nduration_us = 20000\nbatches = 2\n"
          "[[faults.cut]]\nwhat = 'S-1-1:2'\nat_us = 300\n[reconfiguration]\nscheme = '{}'\n",
          protocol, scheme));
      const bool may_deadlock =
          std::string_view("naive opensm rftr").find(scheme) != std::string_view::npos;
      if (may_deadlock && r.state == RunState::kDeadlocked) continue;
      EXPECT_TRUE(r.finished_us) << protocol << ", " << scheme << ": " << r.diagnosis;
      ASSERT_TRUE(r.hca);
      EXPECT_EQ(r.hca->window.messages, 32U * 150) << protocol << ", " << scheme;
      lost += r.totals.all_lost();
    }
    EXPECT_GT(lost, 0U) << protocol;
  }
}

TEST(Reconfiguration, ResultsHaveItsColumnsOnlyWithAScheme) {
  Results off, on;
  test::run_all(test::parse(on_torus("scheme = 'off'")), off);
  EXPECT_EQ(off.csv().find("distribution_us"), std::string::npos);
  const Experiment experiment = test::parse(
      on_torus("scheme = ['naive', 'ebr']", "[[faults.cut]]\nwhat = 'S-1-1:2'\nat_us = 100"));
  test::run_all(experiment, on);
  EXPECT_NE(on.csv().find("distribution_us"), std::string::npos);
  const auto rows = on.database().rows(
      "SELECT changes, target_reached, distribution_us, lost_by_fault FROM reconfiguration");
  ASSERT_EQ(rows.size(), 2U);
  for (const auto& row : rows) {
    EXPECT_EQ(text_of(row[0]), "1");
    EXPECT_EQ(text_of(row[1]), "1");
    EXPECT_GT(std::get<double>(row[2]), 0);
  }
  EXPECT_EQ(on.database().rows("SELECT * FROM changes").size(), 2U);
  // The report's table has them beside each other.
  const auto facts = report_facts(on.database());
  for (const auto& point : facts["points"]) {
    EXPECT_GT(point["reconfiguration"]["stall_us"], 0);
    EXPECT_GT(point["reconfiguration"]["outage_us"], 0);
  }
  // The same bytes with another number of jobs.
  Results again;
  test::run_all(experiment, again, 1);
  EXPECT_EQ(test::csv_without_times(on), test::csv_without_times(again));
}

}  // namespace
}  // namespace selvedge::sim
