// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Switches forward along the old multicast tree until a sweep has written the new one. So a repair
// finds paths that close no cycle with the old tree where it can: else groups must pause while its
// writes are sent (DrawnPlans.GroupsPause*).
#include <gtest/gtest.h>

#include <vector>

#include "plugin/control/planner.hpp"
#include "plugin/control/repair_step.hpp"
#include "plugin/fabric/generators.hpp"
#include "tests/support/sanitized.hpp"

namespace selvedge {
namespace {

/// The order in which the repair of the `i`-th cable of a torus with the tables of ist is sent.
SendPlan order_of(const std::shared_ptr<const Plan>& plan, std::size_t i) {
  Fault fault;
  fault.links.push_back(plan->fabric.links()[i]);
  const RepairStep step = repair_step(prepare_repair(plan), fault, false, {});
  EXPECT_TRUE(step.change.proved);
  EXPECT_NE(step.change.before->multicast, step.change.after->multicast) << i;
  EXPECT_NE(step.change.order.method, SendPlan::Method::kWindow) << i;
  return step.change.order;
}

TEST(MulticastOrder, NewPathsCloseNoCycleWithTheOldTree) {
  PlanRequest request;
  request.engine = &find_engine("ist");
  request.request.replies_if_possible = true;
  const Planned planned = make_plan(assign_lids(torus({8, 8}), 2), request);
  ASSERT_TRUE(planned.plan);
  const auto plan = std::make_shared<const Plan>(*planned.plan);
  // Of all 128 cuts these had no proved order while the dependencies of the old tree were
  // forgotten.
  const std::vector<std::size_t> cut = {12, 15, 18, 26, 32, 44, 48, 54,  56,
                                        58, 62, 66, 72, 74, 82, 90, 108, 123};
  for (std::size_t i = 0; i < cut.size(); i += test::sampled() ? 6 : 1)
    EXPECT_FALSE(order_of(plan, cut[i]).groups_pause) << cut[i];
  // So had these two, where a path of some host needs one of the old tree's dependencies.
  for (const std::size_t i : {std::size_t{68}, std::size_t{70}})
    EXPECT_TRUE(order_of(plan, i).groups_pause) << i;
}

}  // namespace
}  // namespace selvedge
