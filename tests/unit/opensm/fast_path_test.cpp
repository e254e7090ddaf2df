// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The fast path's thread on a border of ours, where something waits to be taken into use: it must
// neither be forgotten nor be tried for ever. What it writes is tested on ibsim
// (tests/system/test_fast_path.py).
#include "plugin/opensm/fast_path.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <thread>

#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/opensm/out_of_service.hpp"
#include "tests/unit/opensm/smp_subnet.hpp"

namespace selvedge {
namespace {

using namespace std::chrono_literals;

/// A cable of a torus has come back, and waits until it is left to a sweep or looked for again.
class Border : public FastPathBorder {
 public:
  const Fabric whole = assign_lids(torus({3, 3}), 0);
  const Fabric left_out = without(whole, {{whole.links().front()}, {}});
  std::shared_ptr<const Plan> plan;  // null: as after a sweep that met errors
  std::atomic<bool> master = true, plan_fails = false;
  std::atomic<unsigned> left = 0, looked = 0, planned = 0, taken = 0;
  const Plan* to_be = nullptr;  // what plan_for() finds

  bool is_master() override { return master; }
  std::shared_ptr<const Plan> plan_in_force() override {
    if (plan_fails) throw std::runtime_error("no plan");
    return plan;
  }
  std::shared_ptr<const ComeBack> come_back() override {
    if (left + looked > 0) return nullptr;
    return std::make_shared<const ComeBack>(plan ? plan : std::make_shared<const Plan>(), whole);
  }
  void look_again() override { ++looked; }
  void leave_to_sweep() override { ++left; }
  SmpBorder smp() override { return {.port = whole.host(0).guid, .limits = {}}; }
  std::optional<Plan> plan_for(const Fabric&) override {
    ++planned;
    return to_be == nullptr ? std::nullopt : std::optional(*to_be);
  }
  PluginConfig::Drift drift() override { return {}; }
  PluginConfig::Flaps flaps() override { return {}; }
  std::vector<std::string> drained() override { return {}; }
  bool release_held() override { return false; }
  void report(Event::Kind, Guid, std::uint32_t) override {}
  void log(bool, const std::string&) override {}
  void ask_for_sweep() override {}

  // As if OpenSM's copies were not what is in force: no step is begun.
  bool fill_in(const Plan&, std::vector<BlockImage>&) override { return false; }
  bool take_over(const std::shared_ptr<const Plan>&, std::shared_ptr<const Plan>, const Confirmed&,
                 const std::vector<std::string>&) override {
    ++taken;
    return true;
  }
  // Of orders, to which it does not come here.
  void tell_sls(const std::vector<SlChange>&) override {}
  Plan compute(const std::string&, const Fabric&) override { return {}; }
  void prefer(const std::string&) override {}
  void drain(const std::vector<std::string>&) override {}
  void undrain(const std::vector<std::string>&) override {}
  void hold(const std::string&, OutOfService::Clock::time_point) override {}
};

/// Runs it until what waits has been left or looked for; at most ten seconds, of which it needs few
/// milliseconds.
void run(Border& border, const std::string& agent = "/nonexistent/agent") {
  FastPath path(border);
  path.start(agent);
  for (const auto end = std::chrono::steady_clock::now() + 10s;
       border.left + border.looked == 0 && std::chrono::steady_clock::now() < end;)
    std::this_thread::sleep_for(1ms);
  path.stop();
}

TEST(FastPath, LeavesWhatCameBackToTheSweepWhenOneMetErrors) {
  Border border;
  run(border);
  EXPECT_EQ(border.left, 1u);
  EXPECT_EQ(border.looked, 0u);  // every such sweep would leave it out again
}

TEST(FastPath, DoesNotTryForEverWhatThrows) {
  Border border;
  border.plan_fails = true;
  run(border);
  EXPECT_EQ(border.left, 1u);
}

TEST(FastPath, AnswersOnStandbyThoughSomethingWaitsSinceItsReign) {
  Border border;
  border.master = false;
  FastPath path(border);
  path.start("/nonexistent/agent");
  EXPECT_NE(path.carry_out({Order::Kind::kUndrain, {}}).find("not the master"), std::string::npos);
  path.stop();
  EXPECT_EQ(border.left + border.looked, 0u);
}

/// With an agent, and with tables in force.
void run(Border& border, const Fabric& now) {
  PlanRequest request;
  request.engine = &find_engine("updn");
  border.plan = std::make_shared<const Plan>(*make_plan(border.left_out, request).plan);
  const test::SmpSubnet subnet(now, 0);
  run(border, test::SmpSubnet::program());
}

TEST(FastPath, UsesWhatCameBackOnlyIfItIsThereStill) {
  Border dead;
  run(dead, dead.left_out);
  EXPECT_EQ(dead.looked, 1u);
  EXPECT_EQ(dead.planned, 0u);

  Border alive;
  run(alive, alive.whole);
  EXPECT_EQ(alive.planned, 1u);
  EXPECT_EQ(alive.left, 1u);  // for there was no plan
}

TEST(FastPath, KeepsTheTablesInForceWhereNothingOfTheOthersWasWritten) {
  Border border;
  PlanRequest request;
  request.engine = &find_engine("updn");
  const Plan whole = *make_plan(border.whole, request).plan;
  border.to_be = &whole;
  run(border, border.whole);
  EXPECT_EQ(border.planned, 1u);
  EXPECT_EQ(border.taken, 0u);
  EXPECT_EQ(border.left, 1u);
}

}  // namespace
}  // namespace selvedge
