// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Awaited tables are installed on a subnet in memory while a multicast group is in use. Their paths
// close a cycle with the tree of the interim tables, so that groups pause. The verifier judges what
// the switches hold after every single write: LFTs, SL2VL tables and the group's MFT.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "plugin/fabric/spec.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/unit/sim_control/held_now.hpp"

namespace selvedge::sim {
namespace {

using namespace std::chrono_literals;

struct Install {
  const char *fabric, *engine;
  bool guard;
  ReplyGrade replies = ReplyGrade::kOwnSl;
};

/// Installs the engine's tables after those of updn. Returns whether groups paused.
bool install(const Install& what, std::uint64_t seed) {
  SCOPED_TRACE(std::string(what.fabric) + " by " + what.engine);
  const Engine& engine = find_engine(what.engine);
  const Fabric bare = make_fabric(what.fabric, 0);
  VirtualClock clock;
  MemorySubnet subnet(clock, assign_lids(bare, engine.lmc(bare)), 0, seed, {});
  VirtualManager manager(subnet, clock,
                         {.engine = &engine,
                          .fallback = &find_engine("updn"),
                          .guard = what.guard,
                          .replies = what.replies,
                          .limits = {},
                          .flaps = {},
                          .drift = {},
                          .late = 2000ms});
  manager.run_for(1500ms);
  const std::shared_ptr<const Plan> interim = manager.plan_in_force();
  EXPECT_TRUE(interim && !interim->awaited.empty() && !interim->tables.mft.empty());
  if (!interim || interim->awaited.empty()) return false;
  EXPECT_EQ(subnet.group_in_switches(interim->fabric), interim->tables.mft);

  unsigned states = 0, cyclic = 0;
  bool lost_ports = false;
  std::string witness;
  // The whole proof of each state takes long in the largest fabric.
  const unsigned every = interim->fabric.num_switches() > 30 ? 20 : test::sampled() ? 8 : 1;
  subnet.on_set = [&] {
    const std::shared_ptr<const Plan> plan = manager.plan_in_force();
    if (!plan || cyclic > 0 || ++states % every != 0) return;
    const Tables held = held_now(subnet, manager, *plan);
    lost_ports |= held.mft != interim->tables.mft && held.mft != plan->tables.mft;
    const Verdict verdict = verify(plan->fabric, held).verdict();
    if (verdict.deadlock_free) return;
    ++cyclic;
    for (const Witness& w : verdict.witnesses)
      if (w.kind == Witness::Kind::kCycle) witness = w.text;
  };
  EXPECT_TRUE(manager.settle(60s));
  subnet.on_set = [] {};
  EXPECT_EQ(cyclic, 0u) << "in state " << states << ": " << witness;
  EXPECT_GT(states, 100u);
  EXPECT_TRUE(has_line(manager, "are ready after"));
  EXPECT_FALSE(has_line(manager, "sent window"));
  const std::shared_ptr<const Plan> plan = manager.plan_in_force();
  EXPECT_TRUE(plan && plan->awaited.empty() && plan->engine == what.engine);
  if (!plan) return false;
  // The sweep that the change asked for has given the groups their new tree.
  EXPECT_EQ(subnet.group_in_switches(plan->fabric), plan->tables.mft);
  const bool paused = manager.counts().pauses > 0;
  EXPECT_EQ(paused, has_line(manager, "groups paused"));
  EXPECT_TRUE(!paused || lost_ports || every > 1);
  return paused;
}

TEST(PausedInstall, EveryStateInTheSwitchesIsFreeOfDeadlock) {
  const std::uint64_t seed = test::draw_seed();
  unsigned paused = 0, all = 0;
  for (const auto& [fabric, engine] : {std::pair("mesh:3x4", "tftr"),
                                       {"mesh:4x4", "tftr"},
                                       {"torus:5x5", "tftr"},
                                       {"torus:3x3x3", "tftr"},
                                       {"torus:4x4", "ist"},
                                       {"torus:5x5", "ist"},
                                       {"torus:8x8", "ist"}})
    if (std::string_view(fabric) != "torus:8x8" || test::whole_sets())  // which takes ten seconds
      for (const ReplyGrade replies : {ReplyGrade::kOwnSl, ReplyGrade::kBase})
        paused += install({fabric, engine, ++all % 4 < 2, replies}, seed);
  fmt::print("groups paused in {} of {} installs\n", paused, all);
  EXPECT_GT(paused, 0u);
}

}  // namespace
}  // namespace selvedge::sim
