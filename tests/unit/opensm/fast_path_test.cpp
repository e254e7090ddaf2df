// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The fast path's threads with a simple SubnetManagerInterface. A restored link that waits to be
// taken into use must neither be forgotten nor be retried for ever. Sweeps do not wait while an
// order is prepared. The writes to switches are tested on ibsim (tests/system/test_fast_path.py).
#include "plugin/opensm/fast_path.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "plugin/control/planner.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/generators.hpp"
#include "tests/unit/opensm/smp_subnet.hpp"

namespace selvedge {
namespace {

using namespace std::chrono_literals;

/// A subnet manager in which a cable of a torus has been restored and waits to be taken into use,
/// until leave_to_sweep() or rediscover() is called.
class Border : public SubnetManagerInterface {
 public:
  const Fabric whole = assign_lids(torus({3, 3}), 0);
  const Fault gone{{whole.links().front()}, {}};
  const Fabric left_out = without(whole, gone);
  std::shared_ptr<const Plan> plan;  // in force; null: as after a sweep with errors
  std::atomic<bool> master = true, plan_fails = false;
  std::atomic<unsigned> left = 0, looked = 0, planned = 0, taken = 0;
  std::atomic<unsigned> asked = 0;  // calls of plan_in_force() by other threads than the writer
  std::shared_ptr<const RestoredLinks> large;  // what restored() returns instead, if set
  std::function<void()> when_planned = [] {};  // called by plan_for()
  const Plan* to_be = nullptr;                 // what plan_for() returns; null: nothing

  std::function<void()> when_asked = [] {};  // called by is_master()
  bool is_master() override {
    when_asked();
    return master;
  }
  std::shared_ptr<const Plan> plan_in_force() override {
    if (plan_fails) throw std::runtime_error("no plan");
    const std::lock_guard lock(mutex);
    // While the lock is held, so `plan` is what it gets.
    if (std::this_thread::get_id() != writer) ++asked;
    return plan;
  }
  std::mutex mutex;        // guards `writer`, and `plan` in tests that change it
  std::thread::id writer;  // known once it has called release_held()
  std::shared_ptr<const RestoredLinks> restored() override {
    if (left + looked > 0) return nullptr;
    if (large) return large;
    return std::make_shared<const RestoredLinks>(plan ? plan : std::make_shared<const Plan>(),
                                                 whole);
  }
  void rediscover() override { ++looked; }
  void leave_to_sweep() override { ++left; }
  void install_by_sweep() override {}
  SmpSettings smp() override { return {.port = whole.host(0).guid, .limits = {}}; }
  std::optional<Plan> plan_for(const Fabric&) override {
    ++planned;
    when_planned();
    return to_be == nullptr ? std::nullopt : std::optional(*to_be);
  }
  std::optional<Plan> awaited_plan(const Plan&) override { return std::nullopt; }
  DriftSettings drift() override { return {}; }
  FlapSettings flaps() override { return {}; }
  bool release_held() override {  // only the writer calls it, at the end of its routine work
    const std::lock_guard lock(mutex);
    writer = std::this_thread::get_id();
    return false;
  }
  bool writer_known() {
    const std::lock_guard lock(mutex);
    return writer != std::thread::id();
  }
  void report(Event::Kind, Guid, std::uint32_t) override {}
  void log(bool, const std::string&) override {}
  void request_sweep() override {}

  // As if OpenSM's copies differed from the tables in force: no change is begun.
  bool fill_in(const Plan&, std::vector<BlockImage>&) override { return false; }
  bool take_over(const std::shared_ptr<const Plan>&, std::shared_ptr<const Plan>, const Confirmed&,
                 const std::vector<std::string>&) override {
    ++taken;
    return true;
  }
  // For orders.
  std::function<Plan(const Fabric&)> think;
  Plan compute(const std::string&, const Fabric& fabric) override { return think(fabric); }
  GroupPorts group_ports() override { return {}; }
  std::optional<std::vector<MftImage>> pause_groups(const Plan&,
                                                    const std::vector<PausedPorts>&) override {
    return std::nullopt;
  }
  void resume_groups() override {}
  void announce_sls(const std::vector<SlChange>&) override {}
  bool manager_writes_rows() override { return true; }
  void rows_replaced(const Fabric&, const std::vector<RowImage>&) override {}
  void rows_found(FoundRows) override {}
  void hoq_life_set(HoqReport) override {}
  void prefer(const std::string&) override {}
  ExcludedLinks out;
  std::vector<std::string> drained() override { return out.drained(); }
  void drain(const std::vector<std::string>& names) override { out.drain(names); }
  void undrain(const std::vector<std::string>& names) override { out.undrain(names); }
  void hold(const std::string&, Instant) override {}
};

/// Waits until the condition holds; false after ten seconds, far more than needed.
bool wait_until(const std::function<bool()>& so) {
  const auto end = std::chrono::steady_clock::now() + 10s;
  while (!so()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(1ms);
  }
  return true;
}

/// Runs the fast path until leave_to_sweep() or rediscover() is called: a few milliseconds, at most
/// ten seconds.
void run(Border& border, const std::string& agent = "/nonexistent/agent") {
  FastPath path(border);
  path.start(agent);
  EXPECT_TRUE(wait_until([&] { return border.left + border.looked > 0; }));
  path.stop();
}

TEST(FastPath, LeavesRestoredLinksToTheSweepAfterErrors) {
  Border border;
  run(border);
  EXPECT_EQ(border.left, 1u);
  EXPECT_EQ(border.looked, 0u);  // no rediscovery: each new sweep would defer the link again
}

TEST(FastPath, AbandonsARestorationThatThrows) {
  Border border;
  border.plan_fails = true;
  run(border);
  EXPECT_EQ(border.left, 1u);
}

/// OpenSM may hold its own lock, which is_master() takes, when it begins or ends a sweep.
TEST(FastPath, HoldsNoLockWhileItAsksWhetherItIsTheMaster) {
  Border border;
  border.left = 1;  // no restored link waits to be taken into use
  FastPath path(border);
  std::vector<std::future<void>> sweeps;  // of the writer thread until it has been stopped
  std::atomic<unsigned> asked = 0, free = 0;
  border.when_asked = [&] {
    if (++asked > 3) return;
    sweeps.push_back(std::async(std::launch::async, [&] { path.end_sweep(); }));
    free += sweeps.back().wait_for(10s) == std::future_status::ready;
  };
  path.start("/nonexistent/agent");
  EXPECT_TRUE(wait_until([&] { return asked > 3; }));
  path.stop();
  EXPECT_EQ(free, 3u);
}

TEST(FastPath, AnswersOnStandbyDespiteAPendingRestoration) {
  Border border;
  border.master = false;
  std::atomic<unsigned> asked = 0;
  border.when_asked = [&] { ++asked; };
  FastPath path(border);
  path.start("/nonexistent/agent");
  EXPECT_NE(path.carry_out({Order::Kind::kUndrain, {}}).find("not the master"), std::string::npos);
  // Once by the planner, then twice for each piece of the writer's work.
  EXPECT_TRUE(wait_until([&] {
    path.end_sweep();  // the writer has something to do
    return asked > 3;
  }));
  path.stop();
  EXPECT_EQ(border.left + border.looked, 0u);
}

Plan updn(const Fabric& fabric) {
  PlanRequest request;
  request.engine = &find_engine("updn");
  return *make_plan(fabric, request).plan;
}

/// The same with an SMP agent, and with tables in force. `now`: the fabric that the agent sees.
void run(Border& border, const Fabric& now) {
  border.plan = std::make_shared<const Plan>(updn(border.left_out));
  const test::SmpSubnet subnet(now, 0);
  run(border, test::SmpSubnet::program());
}

TEST(FastPath, UsesRestoredLinksOnlyIfTheyStillWork) {
  Border dead;
  run(dead, dead.left_out);
  EXPECT_EQ(dead.looked, 1u);
  EXPECT_EQ(dead.planned, 0u);

  Border alive;
  run(alive, alive.whole);
  EXPECT_EQ(alive.planned, 1u);
  EXPECT_EQ(alive.left, 1u);  // since plan_for() returns no plan
}

TEST(FastPath, KeepsTheTablesInForceIfNothingWasWritten) {
  Border border;
  const Plan whole = updn(border.whole);
  border.to_be = &whole;
  run(border, border.whole);
  EXPECT_EQ(border.planned, 1u);
  EXPECT_EQ(border.taken, 0u);
  EXPECT_EQ(border.left, 1u);
}

std::shared_ptr<const Plan> unguarded_without_a_cable(const Fabric& whole) {
  PlanRequest request;
  request.engine = &find_engine("updn");
  request.guard = false;
  return std::make_shared<const Plan>(
      *make_plan(without(whole, {{whole.links().front()}, {}}), request).plan);
}

/// Without a guard the order of writes over restored links is searched long in large fabrics. The
/// planner thread does it, so that sweeps and faults do not wait.
TEST(FastPath, SearchesLongWithoutTheWriterLock) {
  const Fabric whole = assign_lids(torus({16, 16}), 0);
  Border border;
  border.plan = unguarded_without_a_cable(whole);
  border.large = std::make_shared<const RestoredLinks>(border.plan, whole);
  ASSERT_TRUE(restore_takes_long(*border.large));
  std::promise<void> planning, enough;
  border.when_planned = [&] {
    planning.set_value();
    enough.get_future().wait();
  };
  const test::SmpSubnet subnet(whole, 0);
  FastPath path(border);
  path.start(test::SmpSubnet::program());
  EXPECT_EQ(planning.get_future().wait_for(60s), std::future_status::ready);
  EXPECT_TRUE(wait_until([&] { return path.try_begin_sweep(); }));
  EXPECT_EQ(border.left, 0u);
  path.end_sweep();
  enough.set_value();
  EXPECT_TRUE(wait_until([&] { return border.left > 0; }));  // since plan_for() returns no plan
  EXPECT_EQ(border.planned, 1u);
  path.stop();
}

/// A sweep that changes nothing makes an equal plan. While it was rediscovered for that, each sweep
/// led to the next one, and the link was never taken into use.
TEST(FastPath, RestoresAfterASweepThatHasChangedNothing) {
  const Fabric whole = assign_lids(torus({16, 16}), 0);
  Border border;
  border.plan = unguarded_without_a_cable(whole);
  border.large =
      std::make_shared<const RestoredLinks>(std::make_shared<const Plan>(*border.plan), whole);
  const test::SmpSubnet subnet(whole, 0);
  FastPath path(border);
  path.start(test::SmpSubnet::program());
  EXPECT_TRUE(wait_until([&] { return border.left + border.looked > 0; }));
  EXPECT_EQ(border.looked, 0u);
  EXPECT_EQ(border.planned, 1u);
  path.stop();
}

/// Orders of an operator; no restored link waits to be taken into use.
class FastPathOrders : public testing::Test {
 protected:
  FastPathOrders() {
    border.left = 1;
    border.plan = std::make_shared<const Plan>(updn(border.whole));
    path.start(test::SmpSubnet::program());
  }
  ~FastPathOrders() override { path.stop(); }

  std::string order() { return path.carry_out({Order::Kind::kReroute, {"updn"}}); }
  std::string drain(std::vector<std::string> words) {
    return path.carry_out({Order::Kind::kDrain, std::move(words)});
  }

  /// Puts a plan in force as a repair would.
  void lose_a_cable() {
    Plan lost = updn(border.left_out);
    lost.undamaged_baseline = border.plan;
    const std::lock_guard lock(border.mutex);
    border.plan = std::make_shared<const Plan>(std::move(lost));
  }

  Border border;
  const std::string lost_cable = border.whole.port_name(border.gone.links.front());
  const test::SmpSubnet subnet{border.whole, 0};
  FastPath path{border};
};

TEST_F(FastPathOrders, SweepsContinueWhileAnOrderIsPrepared) {
  std::promise<void> thinking, enough;
  border.think = [&](const Fabric& fabric) {
    thinking.set_value();
    enough.get_future().wait();
    return updn(fabric);
  };
  std::thread operators([&] { order(); });
  thinking.get_future().wait();
  EXPECT_TRUE(path.try_begin_sweep());
  path.end_sweep();
  enough.set_value();
  operators.join();
}

TEST_F(FastPathOrders, AnOrderIsPreparedAgainIfTheTablesHaveChanged) {
  unsigned thoughts = 0;
  border.think = [&](const Fabric& fabric) {
    if (++thoughts == 1) {
      const auto other = std::make_shared<const Plan>(updn(border.left_out));
      const std::lock_guard lock(border.mutex);
      border.plan = other;
    }
    return updn(fabric);
  };
  order();
  EXPECT_EQ(thoughts, 2u);
}

TEST_F(FastPathOrders, AnOrderIsAbandonedIfTheTablesKeepChanging) {
  unsigned thoughts = 0;
  border.think = [&](const Fabric& fabric) {
    const auto other =
        std::make_shared<const Plan>(updn(++thoughts % 2 == 1 ? border.left_out : border.whole));
    const std::lock_guard lock(border.mutex);
    border.plan = other;
    return updn(fabric);
  };
  EXPECT_NE(order().find("repeat the order"), std::string::npos);
  EXPECT_EQ(thoughts, 3u);
}

/// A sweep that finds no change makes an equal plan, as a new object.
TEST_F(FastPathOrders, AnOrderSurvivesASweepWithoutChanges) {
  unsigned thoughts = 0;
  border.think = [&](const Fabric& fabric) {
    ++thoughts;
    const std::lock_guard lock(border.mutex);
    border.plan = std::make_shared<const Plan>(*border.plan);
    return updn(fabric);
  };
  order();
  EXPECT_EQ(thoughts, 1u);
}

/// To drain a cable that is down, its name is stored, and nothing else is needed. But the cable may
/// be up again before the name is stored; then its paths must be moved.
TEST_F(FastPathOrders, WhatHasComeBackMeanwhileIsNotOutOfUseAlready) {
  lose_a_cable();
  ASSERT_TRUE(wait_until([&] { return border.writer_known(); }));
  ASSERT_TRUE(wait_until([&] { return path.try_begin_sweep(); }));  // the change is not taken
  const unsigned before = border.asked;
  std::string answer;
  std::thread operators([&] { answer = drain({lost_cable}); });
  EXPECT_TRUE(wait_until([&] { return border.asked > before; }));
  {
    const std::lock_guard lock(border.mutex);
    border.plan = border.plan->undamaged_baseline;
  }
  path.end_sweep();
  operators.join();
  EXPECT_NE(answer.find("error"), std::string::npos) << answer;  // fill_in() refuses every change
  EXPECT_TRUE(border.out.drained().empty());
}

/// A drain that fails removes the names that it added, not those of earlier drains.
TEST_F(FastPathOrders, AFailedDrainKeepsTheOtherDrains) {
  const std::vector<std::string> noted = ExcludedLinks::names_of(border.whole, border.gone);
  border.drain(noted);
  lose_a_cable();
  const std::string other = border.whole.port_name(border.whole.links().back());
  const std::string answer = drain({lost_cable, other});
  EXPECT_NE(answer.find("error"), std::string::npos) << answer;
  EXPECT_EQ(border.out.drained(), noted);
}

TEST_F(FastPathOrders, AnOrderIsAbandonedIfASweepNeverEnds) {
  FastPath hasty(border, 500ms);
  hasty.start(test::SmpSubnet::program());  // without an SMP agent no order would be begun
  border.think = [&](const Fabric& fabric) {
    hasty.try_begin_sweep();
    return updn(fabric);
  };
  const std::string answer = hasty.carry_out({Order::Kind::kReroute, {"updn"}});
  EXPECT_NE(answer.find("a sweep is under way"), std::string::npos) << answer;
}

TEST_F(FastPathOrders, ARunningOrderIsAnsweredWhenOpensmEnds) {
  std::promise<void> thinking;
  border.think = [&](const Fabric& fabric) -> Plan {
    EXPECT_TRUE(path.try_begin_sweep());  // so that the writer can't take the change
    thinking.set_value();
    return updn(fabric);
  };
  std::string answer;
  std::thread operators([&] { answer = order(); });
  thinking.get_future().wait();
  path.stop();
  operators.join();
  EXPECT_NE(answer.find("opensm is shutting down"), std::string::npos) << answer;
  EXPECT_NE(answer.find("not carried out"), std::string::npos) << answer;  // although begun
}

}  // namespace
}  // namespace selvedge
