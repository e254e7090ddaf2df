// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Responses on the request's SL (ReplyGrade) after faults, with the control plane on a subnet in
// memory: a repair often loses the grade `same-sl`. It comes back in a proved order of writes
// where there is one, else by a sweep.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "plugin/control/dark_routes.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/verify/verify.hpp"
#include "sim/control/virtual_manager.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/sanitized.hpp"

namespace selvedge::sim {
namespace {

using namespace std::chrono_literals;

/// How many lines of the log from line `first` on contain `text`.
std::ptrdiff_t count(const VirtualManager& manager, std::size_t first, std::string_view text) {
  const auto& lines = manager.log_lines();
  return std::count_if(
      lines.begin() + static_cast<std::ptrdiff_t>(first), lines.end(),
      [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

/// What happened to the grade after cuts of cables, each alone.
struct Seen {
  unsigned lost = 0, proved = 0, swept = 0;
};

/// Cuts every `step`th cable of a 4x4 torus that `engine` routes with same-sl.
void cut_cables(std::string_view engine, unsigned lmc, std::chrono::milliseconds drain,
                std::size_t step, Seen& seen) {
  const Fabric fabric = assign_lids(torus({4, 4}), lmc);
  for (std::size_t i = 0; i < fabric.links().size(); i += step) {
    SCOPED_TRACE(fmt::format("{}, cable {}", engine, fabric.port_name(fabric.links()[i])));
    VirtualClock clock;
    MemorySubnet subnet(clock, fabric, 0, 1, {});
    VirtualManager manager(subnet, clock,
                           {.engine = &find_engine(engine),
                            .fallback = &find_engine("updn"),
                            .guard = false,
                            .replies = ReplyGrade::kSameSl,
                            .demand_replies = true,
                            .drain = drain,
                            .limits = {},
                            .flaps = {},
                            .drift = {}});
    ASSERT_TRUE(manager.settle(600s));
    ASSERT_EQ(manager.plan_in_force()->engine, engine);
    ASSERT_EQ(manager.plan_in_force()->grade(), ReplyGrade::kSameSl);

    const std::size_t first = manager.log_lines().size();
    subnet.cut(fabric.links()[i]);
    // A repair takes longer than 10 us, so no order and no sweep has changed its tables yet.
    while (manager.counts().repairs == 0 && clock.now() < Instant{} + 60s) manager.run_for(10us);
    ASSERT_EQ(manager.counts().repairs, 1u);
    const bool lost = has_lost_grade(*manager.plan_in_force());
    seen.lost += lost ? 1 : 0;

    ASSERT_TRUE(manager.settle(600s));
    const Plan& plan = *manager.plan_in_force();
    EXPECT_GE(plan.grade(), ReplyGrade::kSameSl);
    EXPECT_TRUE(is_complete(plan) || plan.engine != engine);
    const Tables held = subnet.tables_in_switches(plan.fabric);
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      for (unsigned lid = 1; lid <= fabric.top_lid(); ++lid)
        ASSERT_EQ(held.next(s, static_cast<Lid>(lid)), plan.tables.next(s, static_cast<Lid>(lid)));
    const VerifyOptions options{.replies = true};
    EXPECT_TRUE(verify(plan.fabric, plan.tables, options).verdict().holds(options));
    const auto back = count(manager, first, "responses on the request's SL are same-sl again");
    const auto left = count(manager, first, "; a sweep installs other tables");
    EXPECT_EQ(back + left, lost ? 1 : 0);
    if (testing::Test::HasFailure())
      for (const std::string& line : manager.log_lines()) fmt::print("{}\n", line);
    // A sweep writes unicast tables of its own only where no proved order was found.
    EXPECT_EQ(count(manager, first, "sweep: ") - count(manager, first, "sweep: unchanged"), left);
    seen.proved += static_cast<unsigned>(back);
    seen.swept += static_cast<unsigned>(left);
  }
}

/// Every cable with SELVEDGE_WHOLE, else some. The repairs of nine cables lose the grade with
/// `ist`: 15 and 30 are among each third and each fifth, none is among each eighth.
std::size_t step() { return test::whole_sets() ? 1 : test::kSanitized ? 5 : 3; }

TEST(ReplyGradeAfterAFault, SameSlComesBackInAProvedOrder) {
  Seen seen;
  cut_cables("ist", 2, 20ms, step(), seen);
  cut_cables("tftr", 3, 20ms, step(), seen);
  fmt::print("{} repairs lost the grade, {} got it back in a proved order, {} by a sweep\n",
             seen.lost, seen.proved, seen.swept);
  EXPECT_GT(seen.lost, 0u);
  EXPECT_EQ(seen.swept, 0u);  // groups pause where no order would be proved otherwise
  EXPECT_GT(seen.proved, 0u);
}

TEST(ReplyGradeAfterAFault, WithoutAProvedOrderASweepBringsItBackAtOnce) {
  Seen seen;
  cut_cables("ist", 2, 0ms, step(), seen);  // without drains few orders are proved
  fmt::print("{} repairs lost the grade, {} got it back in a proved order, {} by a sweep\n",
             seen.lost, seen.proved, seen.swept);
  EXPECT_GT(seen.swept, 0u);
}

}  // namespace
}  // namespace selvedge::sim
