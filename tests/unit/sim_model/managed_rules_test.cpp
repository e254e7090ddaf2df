// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What a subnet manager does between two ticks (docs/simulator.md, "Management"), computed by hand
// for the fast network and the reference alike: held hosts, discarded heads, links closed for data.
//
//   host 0 ─┐                  ┌─ host 2      A byte takes a tick, a cable 10, routing 20.
//           ├─ sw 0 ═════ sw 1 ┤
//   host 1 ─┘                  └─ host 3      Packets have 104 bytes.
//
// Undisturbed, a packet from host 0 to host 2 that starts at 0:
//
//            head   routed, on the next cable   tail
//   sw 0      10               30               114, across at 134
//   sw 1      40               60               144, across at 164
//   host 2    70                                174
#include <gtest/gtest.h>

#include <functional>
#include <utility>
#include <vector>

#include "by_hand.hpp"
#include "sim/model/network.hpp"
#include "sim/model/reference.hpp"

namespace selvedge::sim::test {
namespace {

constexpr unsigned kPayload = 100;
constexpr Tick kAlone = 174, kWithinSwitch0 = 144;  // from the start to the tail's arrival

template <class Simulator>
struct Managing : testing::Test {
  struct Change {
    Tick at;
    std::function<void(Simulator&)> what;
  };
  Scenario s = dumbbell();
  Managing() { s.managed = Managed::kYes; }

  Channel middle() const { return s.fabric.out(0)[0]; }
  Channel from_host(HostId h) const { return s.fabric.injection(h); }
  /// Plays the scenario's messages with these changes, in the order of their times.
  Record play(const std::vector<Change>& changes) const {
    Record record;
    Script script(s);
    Simulator simulator(s.fabric, s.tables, s.model, script, s.seed, s.managed);
    simulator.on_delivery([&](const Delivery& d) { record.deliveries.push_back(d); });
    for (const Change& change : changes) {
      run_managed(s, simulator, change.at, record);
      change.what(simulator);
    }
    run_managed(s, simulator, s.until, record);
    record.losses = script.losses;
    record.totals = simulator.totals();
    EXPECT_EQ(simulator.totals().in_flight(), 0U);
    return record;
  }
  /// When the packet between these two arrived; kNever if it did not.
  static Tick arrival(const Record& record, HostId from, HostId to, unsigned which = 0) {
    for (const Delivery& d : record.deliveries)
      if (d.from == from && d.to == to && which-- == 0) return d.delivered;
    return kNever;
  }
  static Change hold(Tick at, HostId host, bool held) {
    return {at, [=](Simulator& simulator) { simulator.hold(host, held); }};
  }
  static Change open(Tick at, Channel c, bool for_data) {
    return {at, [=](Simulator& simulator) { simulator.open(c, for_data); }};
  }
};
using Simulators = testing::Types<Network, Reference>;
TYPED_TEST_SUITE(Managing, Simulators, );

std::uint64_t lost(const Record& record, Loss why) {
  return record.totals.lost[static_cast<unsigned>(why)];
}

// --- A held host
//
//   host 0:  |first 0…104|second 104…208|
//            |first 0…104|   held …     |released: second 300…404|
TYPED_TEST(Managing, AHeldHostStartsNoPacket) {
  this->s.plan = {at(0, 0, 2, kPayload), at(0, 0, 2, kPayload), at(0, 1, 0, kPayload)};
  for (const auto& [held, second] :
       {std::pair<Tick, Tick>{50, 300 + kAlone},  // the first is on the wire, and goes on
        {104, 300 + kAlone},                      // in the tick in which the second would start
        {105, 104 + kAlone}}) {                   // it has started
    const Record record = this->play({this->hold(held, 0, true), this->hold(300, 0, false)});
    EXPECT_EQ(this->arrival(record, 0, 2), kAlone) << held;
    EXPECT_EQ(this->arrival(record, 0, 2, 1), second) << held;
    // Another host sends, and the held one receives.
    EXPECT_EQ(this->arrival(record, 1, 0), kWithinSwitch0) << held;
  }
  const Record never =
      this->play({this->hold(0, 0, true), this->hold(0, 1, true), this->hold(40, 1, false)});
  EXPECT_EQ(this->arrival(never, 0, 2), kNever);
  EXPECT_EQ(this->arrival(never, 1, 0), 40 + kWithinSwitch0);
}

//   host 0, held:  SMP ──▶ sw 0 ──▶ sw 1 ──▶ host 2
TYPED_TEST(Managing, AHeldHostAndAClosedLinkLetSmpsPass) {
  this->s.plan = {at(0, 0, 2, kPayload)};
  this->s.until = 10'000;
  const Smp smp{.dlid = this->s.fabric.host(2).lid, .bytes = kPayload + 4};
  const auto send = [&](Tick tick) {
    return typename TestFixture::Change{
        tick, [smp](TypeParam& simulator) { simulator.send({SmpEnd::Kind::kHost, 0}, smp); }};
  };
  Record record = this->play({this->hold(0, 0, true), send(200), this->hold(1000, 0, false)});
  ASSERT_EQ(record.smps.size(), 1U);
  EXPECT_EQ(record.smps[0].at, 200 + kAlone);
  EXPECT_EQ(this->arrival(record, 0, 2), 1000 + kAlone);
  record = this->play({this->open(0, this->middle(), false), send(200)});
  ASSERT_EQ(record.smps.size(), 1U);
  EXPECT_EQ(record.smps[0].at, 200 + kAlone);
  EXPECT_EQ(lost(record, Loss::kDeadPort), 1U);  // the data packet
}

// --- The head of an input queue
//
//   host 1 ── long ──▶ sw 0 ═══▶ sw 1      the long packet crosses from 30 to 1034
//   host 0 ── B, A ──▶ sw 0 ═══▶           A waits for the same cable, routed at 50,
//                       └─ B ──▶ host 1    and B, which could go, waits behind A
TYPED_TEST(Managing, BehindADiscardedHeadTheNextOneMayAsk) {
  constexpr Tick kLongAcross = 30 + 1004, kToHost = 104 + 10;
  this->s.plan = {at(0, 1, 3, 1000), at(20, 0, 2, kPayload), at(20, 0, 1, kPayload)};
  Record record = this->play({});
  EXPECT_EQ(this->arrival(record, 0, 2), kLongAcross + 10 + 20 + kToHost);
  EXPECT_EQ(this->arrival(record, 0, 1), kLongAcross + 104 + kToHost);

  bool discarded = false;
  const auto discard = [&](Tick tick, Channel c) {
    return typename TestFixture::Change{
        tick, [&discarded, c](TypeParam& simulator) { discarded = simulator.discard_head(c, 0); }};
  };
  for (const Tick tick : {Tick{200}, Tick{500}, Tick{1033}}) {
    record = this->play({discard(tick, this->from_host(0))});
    EXPECT_TRUE(discarded);
    EXPECT_EQ(this->arrival(record, 0, 2), kNever);
    ASSERT_EQ(record.losses.size(), 1U);
    EXPECT_EQ(record.losses[0].delivered, tick);
    EXPECT_EQ(lost(record, Loss::kRecovery), 1U);
    EXPECT_EQ(this->arrival(record, 0, 1), tick + kToHost);
    EXPECT_EQ(this->arrival(record, 1, 3), 1004 + 70);  // undisturbed
  }
  // What crosses is at no head, nor is there one where nothing waits.
  record = this->play({discard(500, this->from_host(1))});
  EXPECT_FALSE(discarded);
  EXPECT_EQ(record.totals.all_lost(), 0U);
  record = this->play({discard(500, this->from_host(2))});
  EXPECT_FALSE(discarded);
  record = this->play({discard(1034, this->from_host(0)), discard(1035, this->from_host(0))});
  EXPECT_FALSE(discarded);  // A crosses from 1034 on
}

//   A's tail is at sw 0 at 134:   discarded at 60 ── its two blocks are free at 134
TYPED_TEST(Managing, ADiscardedHeadTakesItsSpaceUntilItsTailHasCome) {
  this->s.plan = {at(0, 1, 3, 1000), at(20, 0, 2, kPayload)};
  const Channel c = this->from_host(0);
  std::vector<unsigned> occupied;
  const auto look = [&](Tick tick) {
    return typename TestFixture::Change{
        tick, [&, c](TypeParam& simulator) { occupied.push_back(simulator.occupied(c)); }};
  };
  const Record record =
      this->play({{60, [c](TypeParam& simulator) { EXPECT_TRUE(simulator.discard_head(c, 0)); }},
                  look(61),
                  look(134),
                  look(136)});
  EXPECT_EQ(occupied, (std::vector<unsigned>{2, 2, 0}));
  EXPECT_EQ(record.losses.at(0).delivered, 60);
}

// --- A link that is up and not active
//
//   host 0 ──▶ sw 0 ══╳══▶ sw 1 ──▶ host 2    closed for data in this direction
//   host 0 ◀── sw 0 ◀═════ sw 1 ◀── host 2
TYPED_TEST(Managing, AClosedLinkDiscardsWhatWaitsForItAndLetsTheWireGoOn) {
  this->s.plan = {at(0, 0, 2, kPayload), at(0, 2, 0, kPayload)};
  for (const auto& [closed, discarded] : {std::pair<Tick, Tick>{0, 134},
                                          {30, 134},     // in the tick in which it would start
                                          {31, kNever},  // it is on the wire
                                          {100, kNever}}) {
    const Record record = this->play({this->open(closed, this->middle(), false)});
    EXPECT_EQ(this->arrival(record, 2, 0), kAlone) << closed;  // the other direction
    EXPECT_EQ(this->arrival(record, 0, 2), discarded == kNever ? kAlone : kNever) << closed;
    EXPECT_EQ(lost(record, Loss::kDeadPort), discarded == kNever ? 0U : 1U) << closed;
    if (discarded == kNever) continue;
    ASSERT_EQ(record.losses.size(), 1U);
    EXPECT_EQ(record.losses[0].delivered, discarded) << closed;  // once its tail has crossed
  }
  // Opened again before the packet has crossed, it sends the packet.
  for (const auto& [opened, arrives] : {std::pair<Tick, Tick>{30, kAlone},
                                        {100, 100 + kAlone - 30},
                                        {133, 133 + kAlone - 30},
                                        {135, kNever}}) {
    const Record record = this->play(
        {this->open(0, this->middle(), false), this->open(opened, this->middle(), true)});
    EXPECT_EQ(this->arrival(record, 0, 2), arrives) << opened;
  }
}

//   host 0 ──╳──▶ sw 0     the host's own link: what it would send waits
TYPED_TEST(Managing, AHostKeepsWhatItsClosedLinkDoesNotTake) {
  this->s.plan = {at(0, 0, 2, kPayload), at(0, 0, 2, kPayload)};
  const Channel c = this->from_host(0);
  const Record record = this->play({this->open(50, c, false), this->open(300, c, true)});
  EXPECT_EQ(this->arrival(record, 0, 2), kAlone);  // it was on the wire
  EXPECT_EQ(this->arrival(record, 0, 2, 1), 300 + kAlone);
  EXPECT_EQ(record.totals.all_lost(), 0U);
}

}  // namespace
}  // namespace selvedge::sim::test
