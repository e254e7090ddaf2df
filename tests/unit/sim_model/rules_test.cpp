// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The rules of docs/simulator.md, computed by hand, for the fast network and the reference alike.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>

#include "by_hand.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/fabric/spec.hpp"
#include "plugin/fabric/stable_random.hpp"
#include "sim/model/network.hpp"
#include "sim/model/reference.hpp"

namespace selvedge::sim::test {
namespace {

template <class Simulator>
class Rules : public testing::Test {};
using Simulators = testing::Types<Network, Reference>;
TYPED_TEST_SUITE(Rules, Simulators, );

/// A factor for the size of test cases: the fast network runs larger ones than the reference.
template <class Simulator>
constexpr unsigned kEffort = std::is_same_v<Simulator, Network> ? 10 : 1;

/// Runs a property of rapidcheck; a failure prints its counter-example and seed.
void holds(const char* what, const std::function<void()>& property) {
  EXPECT_TRUE(rc::check(what, property));
}

/// The cable between the dumbbell's switches, from switch 0.
Channel middle(const Scenario& s) { return s.fabric.out(0)[0]; }

unsigned switches_on_path(const Scenario& s, HostId from, Lid dlid) {
  unsigned count = 1;
  for (SwitchId at = s.fabric.host(from).at; at != s.fabric.destination_switch(dlid); ++count)
    at = s.fabric.target(s.fabric.channel(at, s.tables.next(at, dlid)));
  return count;
}

// --- Zero load

TYPED_TEST(Rules, TheLatencyOfALonePacketFollowsTheFormula) {
  for (const char* spec : {"torus:3x3", "torus:3x3x3", "mesh:2x3,hosts=2", "tree:k=2,n=3",
                           "clos:n=2,r=3,m=2", "irregular:switches=7,degree=3,hosts=2,seed=5"})
    holds(spec, [&] {
      Scenario s = on(make_fabric(spec, *rc::gen::inRange(0u, 2u)));
      Model& m = s.model;
      m.between_switches = {*rc::gen::inRange(1, 4), *rc::gen::inRange(0, 50)};
      m.to_hosts = {m.between_switches.byte_time, *rc::gen::inRange(0, 50)};
      m.routing = *rc::gen::inRange(1, 100);
      m.processing = *rc::gen::inRange(0, 100);
      m.crossbar_speedup = *rc::gen::inRange(1u, 4u);
      const unsigned payload = *rc::gen::inRange(0u, 30 * kEffort<TypeParam>);
      const unsigned bytes = payload + m.header_bytes;
      const bool whole = *rc::gen::arbitrary<bool>();
      m.switching = whole ? Switching::kStoreAndForward : Switching::kCutThrough;
      m.routing_header_bytes = *rc::gen::inRange(0u, 10 * kEffort<TypeParam>);
      const unsigned header = whole ? bytes : std::min(m.routing_header_bytes, bytes);
      const unsigned hosts = s.fabric.num_hosts();
      Tick when = 0;
      for (unsigned i = 0; i < 3 * kEffort<TypeParam>; ++i) {
        const HostId from = *rc::gen::inRange(0u, hosts), to = *rc::gen::inRange(0u, hosts);
        s.plan.push_back(at(when, from, to, payload));
        when += 10'000;
      }
      s.until = when + 10'000;
      const Record record = play<TypeParam>(s);
      RC_ASSERT(record.deliveries.size() == s.plan.size());
      for (const Delivery& d : record.deliveries) {
        const unsigned switches = switches_on_path(s, d.from, d.dlid);
        RC_ASSERT(unsigned{d.switches} == switches);
        const Tick wire = bytes * m.to_hosts.byte_time;
        RC_ASSERT(d.delivered - d.generated ==
                  2 * m.to_hosts.propagation + (switches - 1) * m.between_switches.propagation +
                      switches * (m.routing + header * m.to_hosts.byte_time) + wire + m.processing);
      }
    });
}

// --- One link: min(1, buffer / credit round trip), exactly

TYPED_TEST(Rules, LinkThroughputIsBufferPerCreditRoundTrip) {
  holds("credits", [&] {
    Scenario s = dumbbell();
    Model& m = s.model;
    m.between_switches = {2, *rc::gen::inRange(0, 500)};
    m.to_hosts = {2, 5};
    m.credit_delay = *rc::gen::inRange(0, 100);
    m.routing = *rc::gen::inRange(1, 50);
    const unsigned payload = *rc::gen::inRange(0u, 20 * kEffort<TypeParam>);
    const unsigned bytes = payload + m.header_bytes, blocks = blocks_of(bytes);
    m.input_blocks = std::max(*rc::gen::inRange(1u, 30u), blocks);
    const auto buffered = static_cast<Tick>(m.input_blocks / blocks);
    const Tick wire = 2 * bytes, crossing = m.routing + wire;
    const auto round_trip = [&](Tick cable) { return cable + crossing + m.credit_delay + cable; };
    // The first cable, a short one, has the same bound.
    const Tick apart = std::max({buffered * wire, round_trip(m.between_switches.propagation),
                                 round_trip(m.to_hosts.propagation)});
    const unsigned packets = 2 * static_cast<unsigned>(buffered) + 20 * kEffort<TypeParam>;
    for (unsigned i = 0; i < packets; ++i) s.plan.push_back(at(0, 0, 2, payload));
    const Record record = play<TypeParam>(s);
    RC_ASSERT(record.deliveries.size() == packets);
    for (std::size_t i = packets / 2; i + static_cast<std::size_t>(buffered) < packets; ++i)
      RC_ASSERT(record.deliveries[i + static_cast<std::size_t>(buffered)].delivered -
                    record.deliveries[i].delivered ==
                apart);
  });
}

// --- Queues of an input

TYPED_TEST(Rules, AQueueForEachOutputLetsPacketsPassThatWaitForAnother) {
  // A long packet crosses to host 2 when host 0's packets for hosts 2 and 3 come over the cable.
  Scenario s = dumbbell();
  s.plan = {at(0, 3, 2, 996), at(0, 0, 2, 96), at(0, 0, 3, 96)};
  const auto arrival = [&](HostId to) {
    for (const Delivery& d : play<TypeParam>(s).deliveries)
      if (d.from == 0 && d.to == to) return d.delivered;
    return kNever;
  };
  const Tick first = arrival(2);
  EXPECT_LT(first, arrival(3));
  s.model.input_queues = InputQueues::kPerOutput;
  EXPECT_EQ(arrival(2), first);
  EXPECT_EQ(arrival(3), 100 + 3 * 10 + 2 * 20 + 100);  // as in an empty network
}

// --- Deadlocks

/// A ring of five switches, two hosts each, all of whose paths go round in one direction. The
/// higher the seed, the less is sent at once. `mixed`: packets of one to three blocks.
Scenario one_way_ring(InputQueues queues, bool mixed, std::uint64_t seed) {
  Scenario s = on(assign_lids(torus({5}, 2), 0));
  for (const Host& host : s.fabric.hosts())
    for (SwitchId at = 0; at < s.fabric.num_switches(); ++at)
      if (at != host.at) s.tables.set_next(at, host.lid, 2);  // towards +1
  s.model.mtu_bytes = mixed ? 170 : 60;
  s.model.input_blocks = s.model.output_blocks = mixed ? 4 : 2;
  s.model.input_queues = queues;
  s.seed = seed;
  StableRandom random(seed);
  for (int i = 0; i < 300; ++i) {
    // Compilers evaluate arguments in different orders.
    const auto when = static_cast<Tick>(random.below(1'000 * seed));
    const auto from = static_cast<HostId>(random.below(10));
    const auto to = static_cast<HostId>(random.below(10));
    s.plan.push_back(
        at(when, from, to, mixed ? 1 + static_cast<std::uint32_t>(random.below(170)) : 50));
  }
  return s;
}

/// A deadlock is found if and only if packets are left in the end, and once found it stays. With
/// queues for each output and packets of several sizes, some are not found: see blocked().
TEST(Deadlocks, AreFoundWhereNothingMovesAnyMore) {
  for (unsigned kind = 0; kind < 4; ++kind) {
    const InputQueues queues = kind % 2 == 0 ? InputQueues::kFifo : InputQueues::kPerOutput;
    const bool mixed = kind >= 2;
    unsigned stuck = 0, free = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      SCOPED_TRACE(fmt::format("seed {}, {}, {}", seed, kind % 2 == 0 ? "FIFO" : "per output",
                               mixed ? "mixed sizes" : "one size"));
      const Scenario s = one_way_ring(queues, mixed, seed);
      Script script(s);
      Network network(s.fabric, s.tables, s.model, script, s.seed);
      bool found = false;
      for (Tick t = 200; t <= 100'000; t += 200) {
        network.run(t);
        const bool now = !network.deadlock().empty();
        ASSERT_TRUE(now || !found) << "tick " << t;
        found = now;
      }
      const bool left = network.totals().delivered < s.plan.size();
      if (mixed && queues == InputQueues::kPerOutput)
        EXPECT_TRUE(left || !found);
      else
        EXPECT_EQ(found, left);
      ++(found ? stuck : free);
    }
    EXPECT_GT(stuck, 0u);
    EXPECT_GT(free, 0u);
  }
}

// --- VL arbitration

/// Hosts 0 and 1 send to host 2 on VL 0 and to host 3 on VL 1.
Scenario two_vls() {
  Scenario s = dumbbell();
  s.tables.set_sl(0, s.fabric.host(3).lid, 1);
  s.tables.host_sl2vl[1] = 1;
  for (SwitchId at : {0u, 1u}) s.tables.sl2vl.set_all(at, s.tables.host_sl2vl);
  s.model.vls = 2;
  return s;
}

TYPED_TEST(Rules, WeightsAreShares) {
  holds("weights", [&] {
    Scenario s = two_vls();
    const unsigned most = 1 + 3 * kEffort<TypeParam>;
    const unsigned of_0 = *rc::gen::inRange(1u, most), of_1 = *rc::gen::inRange(1u, most);
    s.model.arbitration_low = {{0, static_cast<std::uint8_t>(of_0)},
                               {1, static_cast<std::uint8_t>(of_1)}};
    const unsigned payload = *rc::gen::inRange(0u, 6 * kEffort<TypeParam>);  // a block
    const unsigned packets = 600 * kEffort<TypeParam>;
    for (unsigned i = 0; i < packets; ++i) {
      s.plan.push_back(at(0, 0, 2, payload));
      s.plan.push_back(at(0, 1, 3, payload));
    }
    s.until = packets * Tick{payload + s.model.header_bytes};
    const Record record = play<TypeParam>(s);
    std::map<HostId, double> got;
    for (const Delivery& d : record.deliveries) ++got[d.to];
    const double sum = got[2] + got[3];
    RC_ASSERT(sum > 0.95 * packets);
    RC_ASSERT(std::abs(got[2] / sum - 1.0 * of_0 / (of_0 + of_1)) < 0.01);
  });
}

TYPED_TEST(Rules, AVlThatNoTableListsIsNeverServed) {
  // (resolve() refuses such tables.)
  Scenario s = two_vls();
  s.model.arbitration_high = {{1, 0}};
  s.model.arbitration_low = {{0, 1}};
  s.plan = {at(0, 0, 3, 100), at(10, 0, 2, 100), at(20, 1, 3, 100)};
  const Record record = play<TypeParam>(s);
  EXPECT_EQ(record.totals.delivered, 1u);
  EXPECT_EQ(record.totals.injected, 1u);
  EXPECT_EQ(record.looks.back().waiting_at_sources, 2u);
}

TYPED_TEST(Rules, TheHighLimitLetsTheLowTableSend) {
  Scenario s = two_vls();
  s.model.arbitration_high = {{0, 1}};
  s.model.arbitration_low = {{1, 1}};
  for (unsigned i = 0; i < 50 * kEffort<TypeParam>; ++i) {
    s.plan.push_back(at(0, 0, 2, 1024 - s.model.header_bytes));
    s.plan.push_back(at(0, 1, 3, 1024 - s.model.header_bytes));
  }
  const unsigned packets = 50 * kEffort<TypeParam>;
  s.until = packets * 1024;
  const auto shares = [&](unsigned limit) {
    s.model.arbitration_high_limit = limit;
    std::map<HostId, unsigned> got;
    for (const Delivery& d : play<TypeParam>(s).deliveries) ++got[d.to];
    return got;
  };
  auto got = shares(0);  // a packet, a packet
  EXPECT_NEAR(got[2], got[3], 2);
  got = shares(1);  // the fifth packet exceeds 4,096 bytes
  EXPECT_NEAR(got[2], 5 * got[3], 6);
  got = shares(255);
  EXPECT_GE(got[2], packets - 5);
  EXPECT_LE(got[3], 2u);  // only before the first packet of VL 0 had come
}

// --- Cuts on one path: host 0, switch 0, switch 1, host 2. A packet of 104 bytes starts at tick 0.
// Its head is at switch 0 at 10, routed and on the cable at 30, at switch 1 at 40, on host 2's
// cable at 60. Its tail leaves host 0 at 104, is at switch 0 at 114, leaves switch 0 at 134, is at
// switch 1 at 144 and at host 2 at 174.

struct Fate {
  Tick cut;
  Loss why;
  Tick lost;  // kNever: delivered at 174
};

template <class Simulator>
void meets(Channel (*where)(const Scenario&), const Fate& fate) {
  Scenario s = dumbbell();
  s.plan = {at(0, 0, 2, 100)};
  s.actions = {{Action::Kind::kCut, fate.cut, where(s)}};
  const Record record = play<Simulator>(s);
  const std::string which = "cut at " + std::to_string(fate.cut);
  if (fate.lost == kNever) {
    ASSERT_EQ(record.deliveries.size(), 1u) << which;
    EXPECT_EQ(record.deliveries[0].delivered, 174) << which;
    EXPECT_EQ(record.totals.all_lost(), 0u) << which;
  } else {
    EXPECT_TRUE(record.deliveries.empty()) << which;
    ASSERT_EQ(record.losses.size(), 1u) << which;
    EXPECT_EQ(record.losses[0].delivered, fate.lost) << which;
    EXPECT_EQ(record.totals.lost[static_cast<unsigned>(fate.why)], 1u) << which;
  }
  for (const unsigned blocks : record.looks.back().occupied) EXPECT_EQ(blocks, 0u) << which;
}

TYPED_TEST(Rules, ACutLosesPacketsOnTheWire) {
  for (const Fate& fate : {Fate{30, Loss::kDeadPort, 134},  // routed, discarded at the dead port
                           Fate{31, Loss::kCut, 31}, Fate{60, Loss::kCut, 60},
                           Fate{61, Loss::kCut, 61},  // continues truncated to host 2
                           Fate{144, Loss::kCut, 144}, Fate{145, Loss::kCut, kNever}})
    meets<TypeParam>(middle, fate);
  const auto first = [](const Scenario& s) { return s.fabric.injection(0); };
  for (const Fate& fate :
       {Fate{1, Loss::kCut, 1}, Fate{30, Loss::kCut, 30}, Fate{31, Loss::kCut, 31},
        Fate{114, Loss::kCut, 114}, Fate{115, Loss::kCut, kNever}})
    meets<TypeParam>(first, fate);
  const auto last = [](const Scenario& s) { return s.fabric.injection(2); };
  for (const Fate& fate : {Fate{60, Loss::kDeadPort, 164}, Fate{61, Loss::kCut, 61},
                           Fate{174, Loss::kCut, 174}, Fate{175, Loss::kCut, kNever}})
    meets<TypeParam>(last, fate);
}

TYPED_TEST(Rules, ACutPrecedesCrossingsOfItsTick) {
  // Host 0's packet waits at switch 0 for the slow cable, which sends host 1's packet. The tail of
  // host 0's packet would arrive and cross at 300, but then both cables are cut: the packet is lost
  // on the wire. With cuts a tick later it is lost at the dead port.
  Scenario s = dumbbell();
  s.model.crossbar_speedup = 64;
  s.model.between_switches.byte_time = 10;
  s.plan = {at(0, 1, 2, 100), at(186, 0, 3, 100)};
  const auto lost = [&](Tick tick) {
    s.actions = {{Action::Kind::kCut, tick, middle(s)},
                 {Action::Kind::kCut, tick, s.fabric.injection(0)}};
    return play<TypeParam>(s).totals.lost;
  };
  EXPECT_EQ(lost(300)[unsigned(Loss::kCut)], 2u);
  EXPECT_EQ(lost(301)[unsigned(Loss::kCut)], 1u);
  EXPECT_EQ(lost(301)[unsigned(Loss::kDeadPort)], 1u);
}

TYPED_TEST(Rules, AnLftPortThatTheSwitchLacksIsNoRoute) {
  for (const bool management : {false, true}) {
    Scenario s = dumbbell();
    s.plan = {at(0, 0, 2, 100)};
    s.plan[0].message.management = management;
    const Lid dlid = s.fabric.host(2).lid;
    for (const unsigned port : {0u, s.fabric.node(0).ports + 1u, 254u, unsigned{kNoPort}}) {
      s.tables.set_next(0, dlid, static_cast<PortNum>(port));
      const Record record = play<TypeParam>(s);
      EXPECT_EQ(record.totals.lost[unsigned(Loss::kNoRoute)], 1u) << port;
      // At the port on which it arrived.
      EXPECT_EQ(record.use[s.fabric.injection(0)].relay_errors(), 1u) << port;
    }
  }
}

TYPED_TEST(Rules, ATruncatedPacketOccupiesTheSpaceOfTheWhole) {
  // Host 0's packet is truncated by a cut of its first cable after its head has been routed. Host
  // 1's packet, for the same output queue, waits as long as if host 0's whole packet crossed.
  Scenario s = dumbbell();
  s.plan = {at(0, 0, 2, 100), at(10, 1, 2, 100)};
  const auto second = [&] {
    const Record record = play<TypeParam>(s);
    EXPECT_FALSE(record.deliveries.empty());
    return record.deliveries.empty() ? Tick{0} : record.deliveries.back().delivered;
  };
  const Tick undisturbed = second();
  s.actions = {{Action::Kind::kCut, 31, s.fabric.injection(0)}};
  EXPECT_EQ(second(), undisturbed);
  s.actions = {{Action::Kind::kCut, 30, s.fabric.injection(0)}};  // host 0's packet vanishes
  EXPECT_LT(second(), undisturbed);
}

TYPED_TEST(Rules, ALossIsCountedOnce) {
  // The first packet is so long that it is on all three cables when the last cable is cut, at 80,
  // and the packet is lost. When its first cable is cut, at 90, the packet must not be counted
  // again, nor the packet generated meanwhile, which arrives.
  Scenario s = dumbbell();
  s.plan = {at(0, 0, 2, 1000), at(85, 1, 3, 1000)};
  s.actions = {{Action::Kind::kCut, 80, s.fabric.injection(2)},
               {Action::Kind::kCut, 90, s.fabric.injection(0)}};
  const Record record = play<TypeParam>(s);
  EXPECT_EQ(record.totals.delivered, 1u);
  ASSERT_EQ(record.losses.size(), 1u);
  EXPECT_EQ(record.losses[0].from, 0u);
  EXPECT_EQ(record.losses[0].delivered, 80);
}

TYPED_TEST(Rules, ARestoredLinkHasTheCreditsOfFreeSpace) {
  // One packet fills the buffer at switch 1 (2 blocks). With 60 ticks of propagation its tail is at
  // switch 1 at 194 and has crossed at 214; the credits have returned at 274. The second packet has
  // been routed at switch 0 at 174 and waits for these credits; its tail crosses there until 278.
  Scenario s = dumbbell();
  s.model.input_blocks = 2;
  s.model.between_switches.propagation = 60;
  s.plan = {at(0, 0, 2, 100), at(0, 0, 2, 100)};
  Record record = play<TypeParam>(s);
  ASSERT_EQ(record.deliveries.size(), 2u);
  const Tick undisturbed = record.deliveries[1].delivered;
  // The blocks are occupied when the link is restored: credits return as usual.
  s.actions = {{Action::Kind::kCut, 195, middle(s)}, {Action::Kind::kRestore, 196, middle(s)}};
  record = play<TypeParam>(s);
  ASSERT_EQ(record.totals.all_lost(), 0u);
  EXPECT_EQ(record.deliveries[1].delivered, undisturbed);
  // The credits are lost on their way: the restored link counts the free blocks itself.
  s.actions = {{Action::Kind::kCut, 270, middle(s)}, {Action::Kind::kRestore, 271, middle(s)}};
  record = play<TypeParam>(s);
  ASSERT_EQ(record.totals.all_lost(), 0u);
  EXPECT_EQ(record.deliveries[1].delivered, undisturbed - 3);  // at 271 instead of 274
}

// --- Lifetimes

TYPED_TEST(Rules, LifetimesEndAsDocumented) {
  // Packets of 1,004 bytes from hosts 2, 0 and 1 to host 3, with buffers for one. The third has
  // been routed at switch 0 at 30. It becomes the head of the output queue at 1034, when the second
  // has left. It has crossed at 2038 and lacks credits until 2048.
  Scenario s = dumbbell();
  s.model.input_blocks = s.model.output_blocks = 16;
  s.plan = {at(0, 2, 3, 1000), at(0, 0, 3, 1000), at(0, 1, 3, 1000)};
  const auto lost_at = [&](Loss why) {
    const Record record = play<TypeParam>(s);
    EXPECT_EQ(record.totals.delivered + record.totals.all_lost(), 3u);
    EXPECT_EQ(record.totals.all_lost(), record.totals.lost[static_cast<unsigned>(why)]);
    return record.losses.empty() ? kNever : record.losses[0].delivered;
  };
  EXPECT_EQ(lost_at(Loss::kCut), kNever);
  // {lifetime, tick of the loss}. The packet is not lost before it has crossed. If the lifetime
  // ends at 2048, it is lost before it can start.
  for (const auto& [life, at] : {std::pair<Tick, Tick>{500, 2038},
                                 {1004, 2038},
                                 {1010, 2044},
                                 {1014, 2048},
                                 {1015, kNever}}) {
    s.model.head_of_queue_life = life;
    EXPECT_EQ(lost_at(Loss::kHeadOfQueue), at) << "life " << life;
  }
  s.model.head_of_queue_life = kNever;
  for (const auto& [life, at] :
       {std::pair<Tick, Tick>{1500, 2038}, {2010, 2040}, {2018, 2048}, {2019, kNever}}) {
    s.model.switch_life = life;
    EXPECT_EQ(lost_at(Loss::kSwitchLife), at) << "life " << life;
  }
}

// --- Order

TYPED_TEST(Rules, PacketsOnOnePathStayInOrder) {
  for (std::uint64_t seed = 5000; seed < 5100; ++seed) {
    Scenario s = random_scenario(seed);
    s.actions.clear();
    std::map<std::tuple<HostId, Lid, Sl>, std::int64_t> newest;
    for (const Delivery& d : play<TypeParam>(s).deliveries) {
      std::int64_t& last = newest.try_emplace({d.from, d.dlid, d.sl}, -1).first->second;
      ASSERT_GT(d.sequence, last) << s.describe();
      last = d.sequence;
    }
  }
}

}  // namespace
}  // namespace selvedge::sim::test
