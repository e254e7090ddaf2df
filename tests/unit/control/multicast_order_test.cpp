// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Switches forward along the old multicast tree until a sweep has written the new one. So a repair
// finds paths that close no cycle with the old tree: else no order of its writes would be proved.
#include <gtest/gtest.h>

#include <vector>

#include "plugin/control/planner.hpp"
#include "plugin/control/repair_step.hpp"
#include "plugin/fabric/generators.hpp"
#include "tests/support/sanitized.hpp"

namespace selvedge {
namespace {

/// Whether the cut of the `i`-th cable of a torus with the tables of ist is sent in an order that
/// is not proved.
bool unproved(const std::shared_ptr<const Plan>& plan, std::size_t i) {
  Fault fault;
  fault.links.push_back(plan->fabric.links()[i]);
  const RepairStep step = repair_step(prepare_repair(plan), fault, false, {});
  EXPECT_TRUE(step.change.proved);
  EXPECT_NE(step.change.before->multicast, step.change.after->multicast) << i;
  return step.change.order.method == SendPlan::Method::kWindow;
}

TEST(MulticastOrder, NewPathsCloseNoCycleWithTheOldTree) {
  PlanRequest request;
  request.engine = &find_engine("ist");
  request.request.replies_if_possible = true;
  const Planned planned = make_plan(assign_lids(torus({8, 8}), 2), request);
  ASSERT_TRUE(planned.plan);
  const auto plan = std::make_shared<const Plan>(*planned.plan);
  // Of all 128 cuts these had no proved order while the dependencies of the old tree were
  // forgotten. (So had 68 and 70, where a path of some host needs one of the old tree's
  // dependencies.)
  const std::vector<std::size_t> cut = {12, 15, 18, 26, 32, 44, 48, 54,  56,
                                        58, 62, 66, 72, 74, 82, 90, 108, 123};
  for (std::size_t i = 0; i < cut.size(); i += test::sampled() ? 6 : 1)
    EXPECT_FALSE(unproved(plan, cut[i])) << cut[i];
}

}  // namespace
}  // namespace selvedge
