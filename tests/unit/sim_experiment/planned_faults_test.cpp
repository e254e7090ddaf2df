// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/planned_faults.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "tests/unit/sim_experiment/support.hpp"

namespace selvedge::sim {
namespace {

struct Planned {
  std::vector<FaultStep> steps;
  Fabric fabric;
  TimeBase time_base;

  Channel cable(Channel link) const { return std::min(link, fabric.peer(link)); }
  /// The cables that are down after all steps up to `at_us`.
  std::set<Channel> down(double at_us) const {
    std::set<Channel> cables;
    for (const FaultStep& step : steps) {
      if (step.at > time_base.at(at_us * 1000)) break;
      for (const Channel link : step.links) {
        // Steps hold only changes: no cable is cut twice, or restored when it is up.
        EXPECT_EQ(cables.contains(cable(link)), step.restore) << step.what;
        if (step.restore)
          cables.erase(cable(link));
        else
          cables.insert(cable(link));
      }
    }
    return cables;
  }
};

Planned plan(const FaultChoice& choice) {
  const Experiment e = test::parse("[fabric]\nspec = 'torus:4x4'\n[routing]\nengine = 'updn'\n");
  const RoutedFabric routed = make_routed_fabric(e.points[0].fabric, e.points[0].routing);
  const TimeBase time_base = resolve(e.points[0].model, routed.tables).time_base;
  return {plan_faults(choice, routed.fabric, time_base), routed.fabric, time_base};
}
Planned plan(const std::vector<PlannedFault>& cut) {
  FaultChoice choice;
  choice.cut = cut;
  return plan(choice);
}

TEST(PlannedFaults, ACableMayBeKeptDownByAnotherFault) {
  const Planned p = plan({{"S-0-0/S-0-1", 100, 200}, {"S-0-1/S-0-0", 200, {}}});
  EXPECT_EQ(p.down(50).size(), 0u);
  EXPECT_EQ(p.down(150).size(), 1u);
  EXPECT_EQ(p.down(200).size(), 1u);
  EXPECT_EQ(p.down(1000).size(), 1u);
  EXPECT_EQ(describe_step(p.steps.back()), "restored S-0-0/S-0-1: another fault keeps it down");
}

TEST(PlannedFaults, AFailedSwitchKeepsItsCablesDown) {
  const Planned p = plan({{"S-1-1", 100, {}}, {"S-1-1/S-1-2", 150, 200}});
  EXPECT_EQ(p.down(120).size(), 5u);  // four neighbours and a host
  EXPECT_EQ(p.down(300), p.down(120));
  const Planned both = plan({{"S-1-1", 100, 300}, {"S-1-2", 150, {}}});
  EXPECT_EQ(both.down(200).size(), 9u);
  EXPECT_EQ(both.down(400).size(), 5u);
  EXPECT_EQ(describe_step(both.steps.back()),
            "restored S-1-1, except 1 cables that other faults keep down");
}

TEST(PlannedFaults, DrawnCablesMayFailOneAfterTheOther) {
  FaultChoice choice{.cut = {}, .random = 3, .seed = 5, .at_us = 100, .restore_at_us = 150};
  const Planned at_once = plan(choice);
  EXPECT_EQ(at_once.down(99).size(), 0u);
  EXPECT_EQ(at_once.down(100).size(), 3u);
  EXPECT_EQ(at_once.down(150).size(), 0u);
  choice.apart_us = 20;
  const Planned apart = plan(choice);
  std::vector<std::size_t> down;
  for (const double at_us : {99, 100, 119, 120, 140, 149, 150, 170, 189, 190})
    down.push_back(apart.down(at_us).size());
  EXPECT_EQ(down, (std::vector<std::size_t>{0, 1, 1, 2, 3, 3, 2, 1, 1, 0}));
  EXPECT_EQ(apart.down(145), at_once.down(100));  // the same cables
}

// Compares with the definition: a cable is down while any fault holds it.
RC_GTEST_PROP(PlannedFaults, ACableIsUpWhenNoFaultKeepsItDown, ()) {
  const std::vector<std::string> names{"S-0-0", "S-0-1", "S-0-0/S-0-1", "S-0-0:2", "S-0-1/S-0-2"};
  const unsigned count = *rc::gen::inRange(1u, 7u);
  std::vector<PlannedFault> cut;
  for (unsigned i = 0; i < count; ++i) {
    PlannedFault fault{*rc::gen::elementOf(names), 1.0 * *rc::gen::inRange(0, 6), {}};
    if (*rc::gen::arbitrary<bool>()) fault.restore_at_us = fault.at_us + *rc::gen::inRange(1, 5);
    cut.push_back(fault);
  }
  const Planned all = plan(cut);
  for (int t = 0; t < 12; ++t) {
    std::set<Channel> still_down;
    for (const PlannedFault& fault : cut) {
      if (fault.at_us > t || (fault.restore_at_us && *fault.restore_at_us <= t)) continue;
      still_down.merge(plan({{fault.what, 0, {}}}).down(0));
    }
    RC_ASSERT(all.down(t) == still_down);
  }
}

}  // namespace
}  // namespace selvedge::sim
