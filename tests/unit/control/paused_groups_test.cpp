// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Changes during which multicast groups pause: what is written in which order, and what happens if
// a switch does not confirm its multicast table. B─C is a cable of the multicast tree, and the old
// tree closes a cycle with the paths after its drain (DrawnPlans.GroupsPause*).
#include <gtest/gtest.h>

#include <set>

#include "plugin/control/orders.hpp"
#include "plugin/control/routing_metrics.hpp"
#include "plugin/control/table_writer.hpp"
#include "tests/support/drawing.hpp"
#include "tests/unit/control/manager.hpp"

namespace selvedge {
namespace {

using test::Manager;
using test::plain;

const test::Drawing& six() {
  static const test::Drawing drawing(R"(
      A───B───C
      │   │   │
      D───E───F
  )");
  return drawing;
}

PreparedChange drain_of(Manager& manager) {
  PreparedChange prepared = prepare_order({Order::Kind::kDrain, {"B/C"}},
                                          prepare_repair(manager.plan), manager.environment());
  EXPECT_TRUE(prepared.change && prepared.change->order.groups_pause);
  manager.said();
  return prepared;
}

/// Notes what is written and read, a letter for each run of SMPs with the same attribute: M or L
/// written (MFT, LFT), m or l read. Some answers are made to fail.
class Noted : public SmpTransport {
 public:
  explicit Noted(Manager& manager) : manager_(manager) {}
  bool running() const override { return true; }
  std::vector<SmpAnswer> run(std::span<const SmpRequest> requests, const SmpLimits& limits,
                             const StopCondition& stop_condition) override {
    for (const SmpRequest& r : requests) {
      const bool mft = r.attribute == SmpAttribute::kMft, set = r.method == SmpMethod::kSet;
      const char letter = mft ? (set ? 'M' : 'm') : (set ? 'L' : 'l');
      if (order.empty() || order.back() != letter) order += letter;
      if (!drained_at && mft && !set) drained_at = manager_.clock.now();
      if (!written_at && mft && set) written_at = manager_.clock.now();
    }
    if (fails && !requests.empty() && requests[0].attribute == SmpAttribute::kMft &&
        requests[0].method == SmpMethod::kSet && dies)
      throw EnvironmentError("the SMP agent has ended", "here", "start it");
    std::vector<SmpAnswer> answers = manager_.subnet.run(requests, limits, stop_condition);
    for (std::size_t i = 0; i < answers.size(); ++i)
      if (fails) spoil(requests[i], answers[i]);
    return answers;
  }
  void spoil(const SmpRequest& r, SmpAnswer& answer) const {
    if (r.attribute != SmpAttribute::kMft || r.method != refused) return;
    if (refused == SmpMethod::kSet)
      answer.status = 0x1c;
    else
      answer.data[1] ^= 2;  // a port is back in the group, which was taken out of it
  }

  bool fails = false, dies = false;
  SmpMethod refused = SmpMethod::kSet;
  std::string order;
  std::optional<Instant> written_at, drained_at;

 private:
  Manager& manager_;
};

TEST(PausedGroups, TheMulticastTablesComeFirstAndAreReadBackAfterADrain) {
  Manager manager(six().fabric(), false);
  PreparedChange prepared = drain_of(manager);
  Noted smps(manager);
  RepairController controller(manager.environment(), smps);
  EXPECT_EQ(controller.carry_out(prepared), RepairController::Outcome::kDone);
  EXPECT_EQ(smps.order, "MmLl");
  EXPECT_GE(*smps.drained_at - *smps.written_at, manager.smps.drain);
  EXPECT_TRUE(prepared.written.all_confirmed);
  EXPECT_EQ(manager.said(), plain(R"(
      drain [0x0000000000000420:3]
      pause groups at 2 switches
      log: groups pause: they lose 2 ports of switches (2 MFT blocks) until a sweep has written their new trees: some members receive no multicast packets meanwhile
      repair_block 0x450 0
      repair_block 0x430 0
      repair_block 0x420 0
      repair_block 0x440 0
      repair_block 0x410 0
      take over: without [0x0000000000000420:3]
      resume groups
      request a sweep
  )"));
  // The switches B and C do not send to each other any more, but to all others of the old tree.
  const MulticastTables held = manager.subnet.group_in_switches(manager.plan->fabric);
  ASSERT_TRUE(held.contains(kMinMulticastLid));
  const MulticastTree& old_tree = prepared.before->tables.mft.at(kMinMulticastLid);
  for (const auto& [from, to] : {std::pair('B', 'C'), {'C', 'B'}}) {
    const Channel c = six().channel(from, to);
    PortSet kept = old_tree[six().at(from)];
    EXPECT_TRUE(kept.test(six().fabric().port_of(c)));
    kept.reset(six().fabric().port_of(c));
    EXPECT_EQ(held.at(kMinMulticastLid)[six().at(from)], kept) << from;
  }
  // The operator, the log of events and the metrics read of it.
  const Order order{Order::Kind::kDrain, {"B/C"}};
  const OrderReport report = report_order(order, prepared);
  EXPECT_NE(report.line.find("sent downstream, groups paused"), std::string::npos) << report.line;
  EXPECT_NE(report.answer.find("\"groups_paused\":true"), std::string::npos) << report.answer;
  const RoutingEvent event = event_of(order, prepared).value();
  EXPECT_TRUE(event.groups_paused && event.proved);
  EXPECT_NE(event_line(event, "now").find("\"groups_paused\":true"), std::string::npos);
  RoutingCounters counted;
  counted.add(event);
  EXPECT_EQ(counted.group_pauses, 1u);
  EXPECT_EQ(counted.unproved, 0u);
}

/// If a switch refuses its multicast table or holds another one, the old tables stay in force.
TEST(PausedGroups, NothingElseIsWrittenIfTheyAreNotConfirmed) {
  for (const SmpMethod refused : {SmpMethod::kSet, SmpMethod::kGet}) {
    Manager manager(six().fabric(), false);
    const auto before = manager.plan;
    PreparedChange prepared = drain_of(manager);
    Noted smps(manager);
    smps.fails = true;
    smps.refused = refused;
    RepairController controller(manager.environment(), smps);
    EXPECT_EQ(controller.carry_out(prepared), RepairController::Outcome::kRefused);
    EXPECT_EQ(smps.order, refused == SmpMethod::kSet ? "M" : "Mm");
    EXPECT_FALSE(prepared.written.begun);
    EXPECT_EQ(manager.plan, before);
    const std::string said = manager.said();
    EXPECT_NE(said.find("error: groups could not be paused"), std::string::npos) << said;
    EXPECT_TRUE(said.ends_with("resume groups\nrequest a sweep\nundrain [0x0000000000000420:3]\n"))
        << said;
  }
}

TEST(PausedGroups, NothingIsWrittenIfTheManagerDoesNotKnowASwitch) {
  Manager manager(six().fabric(), false);
  manager.pauses = false;
  PreparedChange prepared = drain_of(manager);
  Noted smps(manager);
  RepairController controller(manager.environment(), smps);
  EXPECT_EQ(controller.carry_out(prepared), RepairController::Outcome::kRefused);
  EXPECT_EQ(smps.order, "");
  EXPECT_NE(manager.said().find("resume groups\nrequest a sweep\n"), std::string::npos);
}

TEST(PausedGroups, TheyGoOnIfTheAgentDies) {
  Manager manager(six().fabric(), false);
  PreparedChange prepared = drain_of(manager);
  Noted smps(manager);
  smps.fails = smps.dies = true;
  RepairController controller(manager.environment(), smps);
  EXPECT_THROW(controller.carry_out(prepared), EnvironmentError);
  EXPECT_NE(manager.said().find("resume groups\nrequest a sweep\n"), std::string::npos);
}

}  // namespace
}  // namespace selvedge
