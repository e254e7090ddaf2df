// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Multicast in the data plane (docs/simulator.md, "Multicast"): who gets which copy, and when.
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

#include "by_hand.hpp"
#include "scenario.hpp"
#include "sim/model/network.hpp"
#include "sim/model/reference.hpp"
#include "tests/support/draw.hpp"

namespace selvedge::sim::test {
namespace {

constexpr Replication kAllReplications[] = {
    Replication::kSynchronousFcfs, Replication::kSynchronousRoundRobin,
    Replication::kSynchronousHeld, Replication::kCounter, Replication::kCentral};

Planned to_group(Tick tick, HostId from, unsigned group, std::uint32_t bytes) {
  Planned one{from, {}};
  one.message.at = tick;
  one.message.bytes = bytes;
  one.message.mlid = static_cast<Lid>(kMinMulticastLid + group);
  return one;
}

/// The hosts that a packet from this host reaches over the tree, with the switches on the way.
std::map<HostId, unsigned> reached(const Scenario& s, const MulticastTree& tree, HostId from) {
  std::map<HostId, unsigned> hosts;
  struct Step {
    Channel by;
    unsigned switches;
  };
  std::vector<Step> steps = {{s.fabric.injection(from), 0}};
  while (!steps.empty()) {
    const auto [by, switches] = steps.back();
    steps.pop_back();
    const Channel there = s.fabric.peer(by);
    if (there == kNoChannel) continue;
    if (!s.fabric.from_switch(there)) {
      hosts[s.fabric.host_of(there)] = switches;
      continue;
    }
    const SwitchId at = s.fabric.switch_of(there);
    for (unsigned port = 1; port <= s.fabric.node(at).ports; ++port)
      if (tree[at].test(port) && port != s.fabric.port_of(there))
        steps.push_back({s.fabric.channel(at, static_cast<PortNum>(port)), switches + 1});
  }
  return hosts;
}

/// One packet alone: it reaches every member after (H + 1) · propagation + H · (routing + h) + S,
/// whichever way switches replicate; with store-and-forward each switch adds S.
TEST(Multicast, ZeroLoadLatencyIsThatOfEachMembersPath) {
  unsigned farthest = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Scenario s = random_scenario(seed, {.multicast = true});
    s.model.head_of_queue_life = s.model.switch_life = kNever;
    s.model.to_hosts = s.model.between_switches;
    const HostId from = static_cast<HostId>(seed % s.fabric.num_hosts());
    s.plan = {to_group(5, from, 0, s.model.mtu_bytes)};
    s.actions.clear();
    // SL2VL tables of the drawn ones may drop the packet.
    s.tables.host_sl2vl = {};
    for (SwitchId at = 0; at < s.fabric.num_switches(); ++at) s.tables.sl2vl.set_all(at, {});
    const auto members = reached(s, s.tables.mft.at(kMinMulticastLid), from);
    const Tick bytes = s.model.mtu_bytes + s.model.header_bytes;
    const Tick wire = bytes * s.model.to_hosts.byte_time;
    const bool stored = s.model.switching == Switching::kStoreAndForward;
    const Tick header =
        stored ? wire
               : std::min<Tick>(bytes, s.model.routing_header_bytes) * s.model.to_hosts.byte_time;
    for (const Replication by : kAllReplications) {
      s.model.replication = by;
      for (const Record& record : {play<Network>(s), play<Reference>(s)}) {
        std::map<HostId, Tick> found;
        for (const Delivery& d : record.deliveries) {
          EXPECT_TRUE(found.emplace(d.to, d.delivered - d.injected).second) << "two copies";
          EXPECT_EQ(d.switches, members.at(d.to));
        }
        EXPECT_EQ(found.size(), members.size());
        for (const auto& [host, switches] : members) {
          farthest = std::max(farthest, switches);
          EXPECT_EQ(found[host], (switches + 1) * s.model.to_hosts.propagation +
                                     switches * (s.model.routing + header) + wire +
                                     s.model.processing)
              << "seed " << seed << ", replication " << static_cast<unsigned>(by);
        }
      }
    }
  }
  EXPECT_GT(farthest, 3u);
}

/// A star of `hosts` hosts; group g has those of the g-th set.
Scenario star(unsigned hosts, const std::vector<std::set<HostId>>& groups) {
  Scenario s = on(assign_lids(mesh({1}, hosts), 0));
  s.model.replication = Replication::kSynchronousFcfs;
  s.model.mtu_bytes = 60;
  s.model.input_blocks = s.model.output_blocks = s.model.central_blocks = 2;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    MulticastTree tree(1);
    for (const HostId member : groups[g]) tree[0].set(s.fabric.host(member).port);
    s.tables.mft[static_cast<Lid>(kMinMulticastLid + g)] = tree;
  }
  s.other_tables = {s.tables};
  return s;
}

/// Host 0 keeps the port to host 2 busy; host 1 sends to {2, 3}. Copies go together or one by one.
TEST(Multicast, CopiesGoTogetherOnlyIfTheyMust) {
  for (const Replication by : kAllReplications) {
    Scenario s = star(4, {{2, 3}});
    s.model.mtu_bytes = 4000;
    s.model.input_blocks = s.model.central_blocks = 64;
    s.model.output_blocks = 64;
    s.plan = {at(0, 0, 2, 4000), to_group(0, 1, 0, 100)};
    s.model.replication = by;
    const auto delivered = [&](const Record& record) {
      std::map<std::pair<HostId, HostId>, Tick> when;
      for (const Delivery& d : record.deliveries) when[{d.from, d.to}] = d.delivered;
      return when;
    };
    auto when = delivered(play<Network>(s));
    EXPECT_EQ(when, delivered(play<Reference>(s)));
    ASSERT_EQ(when.size(), 3u);
    // 10 + 20 + 10 ticks of the way and 104 bytes; the other packet has 4,004.
    const bool alone = by == Replication::kCounter || by == Replication::kCentral;
    // All at tick 30 request; multicast precedes unicast at the port to host 2.
    EXPECT_EQ((when[{1, 2}]), 144);
    EXPECT_EQ((when[{1, 3}]), 144);
    EXPECT_GE((when[{0, 2}]), 4004 + 144);
    // Now the unicast packet is first.
    s.plan[1].message.at = 50;
    when = delivered(play<Network>(s));
    EXPECT_EQ(when, delivered(play<Reference>(s)));
    EXPECT_EQ((when[{0, 2}]), 4044);
    EXPECT_EQ((when[{1, 3}]) == 50 + 144, alone);
    // Copied at once they cross together when the port is free, at tick 30 + 4004.
    if (!alone) {
      EXPECT_EQ((when[{1, 3}]), 4034 + 10 + 104);
    }
    EXPECT_EQ((when[{1, 2}]), 4044 + 104);
  }
}

Scenario crossing_groups(std::uint64_t seed) {
  StableRandom draw(seed);
  std::vector<std::set<HostId>> groups(4);
  for (std::set<HostId>& group : groups)
    while (group.size() < 3) group.insert(static_cast<HostId>(draw.below(6)));
  Scenario s = star(6, groups);
  s.seed = seed;
  for (unsigned i = 0; i < 40; ++i)
    s.plan.push_back(to_group(
        static_cast<Tick>(draw.below(1500)), static_cast<HostId>(draw.below(6)),
        static_cast<unsigned>(draw.below(4)), 1 + static_cast<std::uint32_t>(draw.below(60))));
  return s;
}

/// Kim 2007 §3.6.1: if reservations are kept, two packets may each hold what the other waits for.
/// If the packet that came first may take what others have reserved, that cannot be.
TEST(Multicast, SynchronousReplicationDeadlocksWithoutPreemption) {
  const std::uint64_t first = selvedge::test::draw_seed();
  unsigned deadlocked = 0;
  for (std::uint64_t seed = first; seed < first + 40; ++seed) {
    for (const Replication by : kAllReplications) {
      Scenario s = crossing_groups(seed);
      s.model.replication = by;
      Script script(s);
      Network network(s.fabric, s.tables, s.model, script, s.seed);
      network.run(s.until);
      const bool stuck = network.totals().in_flight() > 0;
      const std::vector<BlockedQueue> cycle = network.deadlock();
      EXPECT_EQ(stuck, !cycle.empty()) << "seed " << seed;
      if (by != Replication::kSynchronousHeld) {
        EXPECT_FALSE(stuck) << "seed " << seed << ", replication " << static_cast<unsigned>(by);
        EXPECT_EQ(network.waiting_at_sources(), 0u);
      } else if (stuck) {
        ++deadlocked;
        EXPECT_TRUE(std::ranges::all_of(cycle, &BlockedQueue::input));
        EXPECT_GE(cycle.size(), 2u);
      }
    }
  }
  EXPECT_GT(deadlocked, 5u) << "seeds from " << first;
}

/// Whatever the trees, tables and traffic: what is left when nothing happens any more is a deadlock
/// that is found, and what is found never moves again. In the last of these scenarios a copy of two
/// blocks is next in turn where one is free, so that one of a single block waits behind it.
TEST(Multicast, DeadlocksAreThoseThatNeverEnd) {
  const std::uint64_t first = 1 + 1000 * (selvedge::test::draw_seed() - 1);
  std::vector<std::uint64_t> seeds(100);
  std::iota(seeds.begin(), seeds.end(), first);
  seeds.push_back(20261128007);
  unsigned deadlocked = 0;
  for (const std::uint64_t seed : seeds) {
    Scenario s = random_scenario(seed, {.multicast = true});
    s.model.head_of_queue_life = s.model.switch_life = kNever;
    Script script(s);
    Network network(s.fabric, s.tables, s.model, script, s.seed);
    std::vector<BlockedQueue> early;
    for (Tick until = 200; until <= 100'000 && !network.idle(); until += until / 2) {
      network.run(until);
      if (early.empty()) early = network.deadlock();
    }
    // Tables with loops send packets round and round.
    if (!network.idle()) continue;
    const bool stuck = network.totals().in_flight() > 0;
    EXPECT_EQ(stuck, !network.deadlock().empty()) << "seed " << seed;
    EXPECT_TRUE(stuck || early.empty()) << "seed " << seed;
    deadlocked += stuck ? 1 : 0;
  }
  EXPECT_GT(deadlocked, 0u) << "seeds from " << first;
}

/// Under load every member gets one copy of every packet, and in the order in which they were sent
/// by one source to one group.
TEST(Multicast, EachMemberGetsOneCopyInOrder) {
  std::uint64_t copies = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Scenario s = random_scenario(seed, {.multicast = true});
    s.model.head_of_queue_life = s.model.switch_life = kNever;
    s.model.replication = seed % 3 == 0   ? Replication::kSynchronousFcfs
                          : seed % 3 == 1 ? Replication::kCounter
                                          : Replication::kCentral;
    s.actions.clear();
    const MulticastTables trees = s.tables.mft;
    s.tables = find_engine("updn").compute(s.fabric, {}).tables;
    s.tables.mft = trees;
    s.until = 200'000;
    // Trees and unicast paths may deadlock together: one packet of one group at a time is enough.
    Tick next = 0;
    for (Planned& one : s.plan) {
      if (one.message.mlid != kNoLid) one.message.mlid = kMinMulticastLid;
      one.answer_after = 0;
      one.message.at = next += 400;
    }
    const Record record = play<Network>(s);
    std::map<std::pair<HostId, std::uint32_t>, std::multiset<HostId>> got;
    std::map<std::pair<HostId, HostId>, std::uint32_t> last;
    for (const Delivery& d : record.deliveries) {
      if (d.dlid < kMinMulticastLid) continue;
      ++copies;
      got[{d.from, d.sequence}].insert(d.to);
      const auto [before, fresh] = last.try_emplace({d.from, d.to}, d.sequence);
      EXPECT_TRUE(fresh || before->second < d.sequence);
      before->second = d.sequence;
    }
    if (record.totals.in_flight() > 0) continue;
    for (const auto& [packet, hosts] : got) {
      const auto members = reached(s, s.tables.mft.at(kMinMulticastLid), packet.first);
      std::multiset<HostId> expected;
      for (const auto& [host, switches] : members) expected.insert(host);
      EXPECT_EQ(hosts, expected) << "seed " << seed;
    }
  }
  EXPECT_GT(copies, 500u);
}

TEST(Multicast, IsRefusedWhereNoSwitchReplicates) {
  Scenario s = star(3, {{1, 2}});
  s.plan = {to_group(0, 0, 0, 10)};
  s.model.replication = Replication::kNone;
  Script script(s);
  EXPECT_THROW(Network(s.fabric, s.tables, s.model, script, 1), std::logic_error);
  s.model.replication = Replication::kCounter;
  s.model.selection = Selection::kRandom;
  EXPECT_THROW(Network(s.fabric, s.tables, s.model, script, 1), std::logic_error);
  s.model.selection = Selection::kDeterministic;
  Network network(s.fabric, s.tables, s.model, script, 1);
  EXPECT_THROW(network.cut(s.fabric.injection(0)), std::logic_error);
}

}  // namespace
}  // namespace selvedge::sim::test
