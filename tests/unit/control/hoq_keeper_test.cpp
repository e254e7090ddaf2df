// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Head-of-queue lifetimes of ports between switches, set and read back after each sweep.
#include "plugin/control/hoq_keeper.hpp"

#include <gtest/gtest.h>

#include <map>

#include "plugin/control/directed_routes.hpp"
#include "plugin/control/hoq_window.hpp"
#include "plugin/fabric/generators.hpp"
#include "tests/support/drawing.hpp"
#include "tests/unit/control/manager.hpp"

namespace selvedge {
namespace {

using test::Manager;

/// Counts Sets, and can keep the answers of one port away.
struct Counted : SmpTransport {
  explicit Counted(Manager& m) : manager(m) {}
  Manager& manager;
  unsigned gets = 0, sets = 0;
  bool runs = true;
  std::optional<unsigned> mute_port;
  bool running() const override { return runs; }
  std::vector<SmpAnswer> run(std::span<const SmpRequest> requests, const SmpLimits& limits,
                             const StopCondition& stop) override {
    std::vector<SmpAnswer> answers = manager.subnet.run(requests, limits, stop);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      (requests[i].method == SmpMethod::kSet ? sets : gets) += 1;
      if (requests[i].modifier == mute_port) answers[i].status = kSmpNoAnswer;
    }
    return answers;
  }
};

/// Per port between switches: its HOQLife, its state and the rest of its PortInfo.
std::map<std::string, unsigned> lives(Manager& manager, std::vector<unsigned>* states = nullptr) {
  std::map<std::string, unsigned> found;
  const Fabric& fabric = manager.plan->fabric;
  const DirectedRoutes routes(fabric, manager.smps.port);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (unsigned port = 1; port <= fabric.node(s).ports; ++port) {
      const SmpRequest ask[] = {
          port_info_request(manager.smps, *routes.to(s), static_cast<PortNum>(port))};
      const SmpAnswer answer = manager.subnet.run(ask, {}, {})[0];
      const Channel c = fabric.channel(s, static_cast<PortNum>(port));
      found[(fabric.between_switches(c) ? "" : "host ") + fabric.port_name(c)] =
          hoq_life_of(answer.data);
      if (states != nullptr) states->push_back(answer.data[kPortStateAt] & 0xfU);
    }
  return found;
}

bool all(const std::map<std::string, unsigned>& lives, bool hosts, unsigned life) {
  return std::ranges::all_of(lives, [&](const auto& port) {
    return port.first.starts_with("host") != hosts || port.second == life;
  });
}

TEST(HoqKeeper, SetsThePortsBetweenSwitchesAndOnlyThese) {
  Manager manager(assign_lids(torus({3, 3}), 0));
  Counted smps(manager);
  HoqKeeper keeper(manager.environment(), smps);
  std::vector<unsigned> states, states_after;
  const unsigned before = lives(manager, &states).begin()->second;
  ASSERT_NE(before, 5u);
  EXPECT_FALSE(keeper.step(1));  // 0: the subnet manager's
  EXPECT_EQ(smps.gets + smps.sets, 0u);
  EXPECT_EQ(manager.hoq, HoqReport{});
  EXPECT_EQ(manager.said(), "");

  manager.smps.hoq_life = 5;
  EXPECT_FALSE(keeper.step(2));
  EXPECT_TRUE(all(lives(manager, &states_after), false, 5));
  EXPECT_TRUE(all(lives(manager), true, before));
  EXPECT_EQ(states_after, states);
  EXPECT_EQ(smps.sets, 36u);
  EXPECT_EQ(manager.hoq, (HoqReport{.life = 5, .ports = 36, .failed = 0, .first_failed = ""}));
  EXPECT_EQ(manager.said(),
            "log: [engine] hoq_life 5: the head-of-queue lifetime is 131.072 us at the 36 ports "
            "between switches, read back\n");

  // The same again: nothing to write, nothing to say.
  EXPECT_FALSE(keeper.step(3));
  EXPECT_EQ(smps.sets, 36u);
  EXPECT_EQ(manager.said(), "");

  manager.smps.hoq_life = 0;
  EXPECT_FALSE(keeper.step(4));
  EXPECT_EQ(smps.sets, 36u);  // the sweep has put back the subnet manager's value
  EXPECT_EQ(manager.hoq, HoqReport{});
}

TEST(HoqKeeper, NamesAPortThatDoesNotAnswerAndTriesAgain) {
  Manager manager(assign_lids(torus({3, 3}), 0));
  Counted smps(manager);
  manager.smps.hoq_life = 7;
  HoqKeeper keeper(manager.environment(), smps);
  smps.mute_port = 2;
  EXPECT_FALSE(keeper.step(1));
  EXPECT_EQ(manager.hoq.failed, 9u);
  EXPECT_EQ(manager.hoq.first_failed, "S-0-0:2");
  EXPECT_EQ(manager.said(),
            "error: [engine] hoq_life 7: 9 of 36 ports between switches do not have the "
            "head-of-queue lifetime, the first: S-0-0:2: the next sweep tries again\n");
  smps.mute_port.reset();
  EXPECT_FALSE(keeper.step(2));
  EXPECT_EQ(manager.hoq.failed, 0u);
  EXPECT_TRUE(all(lives(manager), false, 7));
  smps.runs = false;
  EXPECT_FALSE(keeper.step(3));
  EXPECT_EQ(manager.hoq.failed, 36u);
}

TEST(HoqKeeper, TakesManyPortsInSeveralSteps) {
  Manager manager(assign_lids(torus({6, 6}), 0));  // 144 ports
  Counted smps(manager);
  manager.smps.hoq_life = 6;
  HoqKeeper keeper(manager.environment(), smps);
  EXPECT_TRUE(keeper.step(1));
  EXPECT_EQ(smps.gets, HoqKeeper::kPortsAtATime);
  EXPECT_TRUE(keeper.step(1));
  EXPECT_EQ(manager.hoq, HoqReport{});  // not before all are done
  EXPECT_FALSE(keeper.step(1));
  EXPECT_EQ(manager.hoq.ports, 144u);
  EXPECT_EQ(manager.hoq.failed, 0u);
  EXPECT_TRUE(all(lives(manager), false, 6));
}

}  // namespace
}  // namespace selvedge
