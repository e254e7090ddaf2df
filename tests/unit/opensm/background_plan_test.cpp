// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Computations beside OpenSM. Engines here wait for a gate, so that nothing depends on time.
#include "plugin/opensm/background_plan.hpp"

#include <gtest/gtest.h>

#include <future>

#include "base/error.hpp"
#include "plugin/fabric/generators.hpp"

namespace selvedge {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 30s;  // far more than needed

/// Opened by a test; the engine below waits for it after each report of its progress.
std::promise<void>* gate = nullptr;
std::atomic<unsigned> begun = 0, ended = 0;

/// Reports its progress until the gate opens or the computation is told to end; then routes as
/// updn.
Routing wait_at_the_gate(const Fabric& fabric, const EngineRequest& request) {
  ++begun;
  std::shared_future<void> open = gate->get_future().share();
  try {
    do request.progress(1, 2);
    while (open.wait_for(1ms) != std::future_status::ready);
  } catch (const ComputationEnded&) {
    ++ended;
    throw;
  }
  return find_engine("updn").compute(fabric, {});
}
const Engine kGated = {.name = "gated", .facts = {}, .compute = &wait_at_the_gate};

class BackgroundPlans : public testing::Test {
 protected:
  void SetUp() override {
    gate = &opened_;
    begun = ended = 0;
  }
  Computation task(const Fabric& fabric, const Engine& engine = kGated) const {
    return {.engine = &engine, .fabric = fabric, .request = {}, .guard_in_force = {}};
  }
  /// Waits until `ready` has been called so often.
  bool told(unsigned times) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kPatience, [&] { return told_ >= times; });
  }

  std::promise<void> opened_;
  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned told_ = 0;
  const Fabric fabric_ = assign_lids(torus({3, 3}), 0), other_ = assign_lids(torus({3, 4}), 0);
  BackgroundPlan background_{[this] {
    const std::lock_guard lock(mutex_);
    ++told_;
    changed_.notify_all();
  }};
};

TEST_F(BackgroundPlans, AQuickEngineIsWaitedFor) {
  const auto computed = background_.within(kPatience, task(fabric_, find_engine("updn")));
  ASSERT_TRUE(computed && computed->plan);
  EXPECT_TRUE(computed->proved);
  EXPECT_FALSE(computed->failure);
  EXPECT_EQ(told_, 0u);  // the caller has it
  EXPECT_FALSE(background_.progress());
}

TEST_F(BackgroundPlans, ALateOneGoesOnAndIsToldOnce) {
  EXPECT_FALSE(background_.within(0ms, task(fabric_)));
  EXPECT_FALSE(background_.result("gated", fabric_));
  while (background_.progress()->done == 0) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(background_.progress()->engine, "gated");
  EXPECT_EQ(background_.progress()->total, 2u);
  EXPECT_FALSE(background_.within(1ms, task(fabric_)));  // the same one: it goes on
  opened_.set_value();
  ASSERT_TRUE(told(1));
  EXPECT_EQ(begun, 1u);
  const auto result = background_.result("gated", fabric_);
  ASSERT_TRUE(result && result->plan);
  EXPECT_EQ(result->plan->engine, "gated");
  EXPECT_FALSE(background_.result("updn", fabric_));
  EXPECT_FALSE(background_.result("gated", other_));
  // Whoever still awaits it is told again.
  background_.begin(task(fabric_));
  ASSERT_TRUE(told(2));
  EXPECT_EQ(begun, 1u);
}

/// The caller's own work is done while the computation runs, and its time counts.
TEST_F(BackgroundPlans, TheCallerWorksMeanwhile) {
  const auto wait_for_engine = [&] {
    while (!background_.progress() || background_.progress()->done == 0)
      std::this_thread::sleep_for(1ms);
  };
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(background_.within(0ms, task(fabric_), wait_for_engine));
  opened_.set_value();
  ASSERT_TRUE(told(1));
  bool worked = false;
  const auto computed = background_.within(kPatience, task(fabric_), [&] { worked = true; });
  EXPECT_TRUE(worked);
  ASSERT_TRUE(computed && computed->plan);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, kPatience);
  EXPECT_EQ(told_, 1u);
}

TEST_F(BackgroundPlans, AnotherFabricEndsIt) {
  EXPECT_FALSE(background_.within(0ms, task(fabric_)));
  const auto computed = background_.within(kPatience, task(other_, find_engine("updn")));
  ASSERT_TRUE(computed && computed->plan);
  EXPECT_EQ(computed->plan->fabric.num_switches(), 12u);
  background_.stop();  // waits for both threads
  EXPECT_EQ(ended, 1u);
  EXPECT_EQ(told_, 0u);
}

TEST_F(BackgroundPlans, ForgottenItBeginsAnew) {
  const Computation quick = task(fabric_, find_engine("updn"));
  ASSERT_TRUE(background_.within(kPatience, quick));
  ASSERT_TRUE(background_.result("updn", fabric_));
  background_.forget();
  EXPECT_FALSE(background_.result("updn", fabric_));
  EXPECT_TRUE(background_.within(kPatience, quick));
}

TEST_F(BackgroundPlans, AFailureIsAResultThatIsToldOnce) {
  const Engine refuses = {.name = "refuses",
                          .facts = {},
                          .compute = [](const Fabric&, const EngineRequest&) -> Routing {
                            throw InputError("this is no tree", "the fabric", "take another");
                          }};
  background_.within(0ms, task(fabric_, refuses));
  while (!background_.result("refuses", fabric_)) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(background_.result("refuses", fabric_)->failure,
            "engine refuses: this is no tree: the fabric: take another");
  const unsigned before = told_;
  background_.begin(task(fabric_, refuses));
  EXPECT_EQ(told_, before);
}

TEST_F(BackgroundPlans, TheEndDoesNotWaitForTheEngine) {
  EXPECT_FALSE(background_.within(0ms, task(fabric_)));
  background_.stop();
  EXPECT_LE(ended, 1u);  // 0: it was told to end before it began
  EXPECT_EQ(told_, 0u);
}

}  // namespace
}  // namespace selvedge
