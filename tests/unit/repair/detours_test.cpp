// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/detours.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "plugin/engines/engine.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/fabric/stable_random.hpp"
#include "plugin/tables/paths.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/support/random_fabric.hpp"
#include "tests/support/routed.hpp"

namespace selvedge {
namespace {

using Case = test::Routed;

Fabric cut(const Fabric& fabric, const std::vector<Channel>& links) {
  return without(fabric, {links, {}});
}

std::vector<Channel> surviving(const Fabric& left, const SpanningTree& tree) {
  std::vector<Channel> result = tree;
  for (Channel& c : result)
    if (c != kNoChannel && left.peer(c) == kNoChannel) c = kNoChannel;
  return result;
}

std::optional<Detours> detours(const Case& c, const Fabric& left) {
  std::optional<ParentChannels> tree;
  if (c.routing.multicast) tree = surviving(left, *c.routing.multicast);
  return make_detours(left, c.routing.tables, tree);
}

/// The components of the switches: for each switch the lowest switch of its component.
std::vector<SwitchId> pieces(const Fabric& fabric) {
  std::vector<SwitchId> of(fabric.num_switches());
  for (SwitchId s = 0; s < of.size(); ++s) of[s] = s;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Channel c : fabric.links()) {
      SwitchId &a = of[fabric.switch_of(c)], &b = of[fabric.target(c)];
      changed |= a != b;
      a = b = std::min(a, b);
    }
  }
  return of;
}

/// Checks that paths that did not cross the fault are unchanged, and that all tables are proved.
void expect_sound(const Case& c, const Fabric& left, const Detours& found) {
  std::uint64_t dead = 0;
  std::set<Lid> moved;
  const std::vector<SwitchId> piece = pieces(left);
  for (SwitchId s = 0; s < left.num_switches(); ++s) {
    if (left.node(s).failed) continue;
    for (unsigned i = 1; i <= left.top_lid(); ++i) {
      const auto lid = static_cast<Lid>(i);
      // A switch that had no entry for the LID before the fault has none after it.
      if (c.routing.tables.next(s, lid) == kNoPort && found.taken_over == 0) {
        ASSERT_EQ(found.tables.next(s, lid), kNoPort);
      }
      const Path before = walk(c.fabric, c.routing.tables, s, 0, lid);
      const Path still = walk(left, c.routing.tables, s, 0, lid);
      const Path now = walk(left, found.tables, s, 0, lid);
      const LidOwner owner = left.owner(lid);
      // At a few destinations the base LID may have had to take over another LID's paths.
      const bool base = owner.kind == LidOwner::Kind::kHost && left.host(owner.id).lid == lid;
      if (before.arrives() && still.arrives() && base && found.taken_over > 0 &&
          (now.channels != before.channels || now.sl != before.sl)) {
        moved.insert(lid);
      } else if (before.arrives() && still.arrives()) {
        ASSERT_EQ(now.channels, before.channels) << "LID " << i << " from " << left.node(s).name;
        ASSERT_EQ(now.sl, before.sl);
        ASSERT_EQ(now.vls, before.vls);
      }
      const bool joined = left.destination_switch(lid) != kNoSwitch &&
                          piece[s] == piece[left.destination_switch(lid)];
      if (!now.arrives() && joined && owner.kind == LidOwner::Kind::kHost &&
          left.attached(owner.id)) {
        ++dead;
        if (left.host(owner.id).lid == lid && !left.hosts_at(s).empty()) {
          ASSERT_FALSE(found.all_hosts_reached) << "the base LID " << i;
        }
      }
    }
  }
  ASSERT_LE(dead, found.dead);
  ASSERT_LE(moved.size(), found.taken_over);
  Tables tables = found.tables;
  tables.mft = broadcast_group(left, found.multicast);
  VerifyOptions options;
  options.any_lid = true;
  const Verdict verdict = verify(left, tables, options).verdict();
  ASSERT_TRUE(verdict.loop_free && verdict.deadlock_free);
  ASSERT_EQ(verdict.multicast_faults, 0u);
  ASSERT_TRUE(verdict.connected || !found.all_hosts_reached);
}

TEST(Detours, NothingLostNothingChanged) {
  const Case c(torus({4, 4}), "tftr", 4);
  const auto found = detours(c, c.fabric);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->all_hosts_reached);
  EXPECT_EQ(found->entries + found->dead + found->sls, 0u);
  EXPECT_EQ(found->tables, c.routing.tables);
  EXPECT_EQ(*found->multicast, *c.routing.multicast);
}

/// Two switches and three cables: the paths over the cable that is cut move to the other cables.
///
///   H0 H1 ─ S-0 ══╪══ S-1 ─ H2 H3
TEST(Detours, ParallelCables) {
  FabricBuilder builder;
  for (Guid g : {1, 2}) {
    Switch s;
    s.guid = g;
    s.name = g == 1 ? "S-0" : "S-1";
    s.ports = 5;
    builder.add_switch(s);
  }
  for (PortNum p = 1; p <= 3; ++p) builder.connect(0, p, 1, p);
  for (unsigned i = 0; i < 4; ++i) {
    Host h;
    h.node_guid = 16 + 2 * i;
    h.guid = h.node_guid + 1;
    h.name = "H" + std::to_string(i);
    h.at = i / 2;
    h.port = static_cast<PortNum>(4 + i % 2);
    builder.add_host(h);
  }
  const Case c(std::move(builder).build("test"), "updn", 2);
  for (PortNum p = 1; p <= 3; ++p) {
    const Fabric left = cut(c.fabric, {c.fabric.channel(0, p)});
    const auto found = detours(c, left);
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->all_hosts_reached);
    EXPECT_EQ(found->dead, 0u);
    EXPECT_GT(found->entries, 0u);
    expect_sound(c, left, *found);
  }
}

/// SPFTR's turn rules admit fewer detours: sometimes a base LID takes over another LID's paths.
TEST(Detours, AnyOneCableUnderSpftr) {
  const Case c(torus({5, 5}), "spftr", 4);
  std::uint64_t taken_over = 0;
  for (const Channel cable : c.fabric.links()) {
    const Fabric left = cut(c.fabric, {cable});
    const auto found = detours(c, left);
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->all_hosts_reached) << left.port_name(cable);
    taken_over += found->taken_over;
    expect_sound(c, left, *found);
  }
  EXPECT_LE(taken_over, 5u);
}

/// Every cable of the torus, one at a time: both VLs are in use, and no base LID may be lost.
TEST(Detours, AnyOneCableOfATorus) {
  const Case c(torus({4, 4}), "tftr", 4);
  for (const Channel cable : c.fabric.links()) {
    const Fabric left = cut(c.fabric, {cable});
    const auto found = detours(c, left);
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->all_hosts_reached) << left.port_name(cable);
    expect_sound(c, left, *found);
  }
}

TEST(Detours, ASwitchIsGone) {
  const Case c(torus({4, 4}), "tftr", 4);
  for (const SwitchId s : {0u, 5u}) {
    const Fabric left = without(c.fabric, {{}, {s}});
    const auto found = detours(c, left);
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->all_hosts_reached);
    expect_sound(c, left, *found);
  }
}

/// The multicast tree that is given still has the channels of lost cables.
TEST(Detours, TakesATreeThatHasLostACable) {
  for (const Case& c : {Case(torus({8, 8}), "updn", 0), Case(k_ary_n_tree(4, 3), "dmodk", 0)}) {
    const SpanningTree& tree = *c.routing.multicast;
    for (SwitchId s = 0; s < c.fabric.num_switches(); s += 7) {
      if (tree[s] == kNoChannel) continue;
      const Fabric left = cut(c.fabric, {tree[s]});
      const auto found = make_detours(left, c.routing.tables, tree);
      ASSERT_TRUE(found);
      expect_sound(c, left, *found);
      ASSERT_EQ(found->tables, detours(c, left)->tables);
      if (found->multicast) {
        EXPECT_NE((*found->multicast)[s], tree[s]);
      }
    }
  }
}

/// Tables in which some switches have no path to some others: a repair does not add such paths.
TEST(Detours, OnlyBrokenPathsChange) {
  Case c(k_ary_n_tree(4, 3), "dmodk", 0);
  for (SwitchId top = 32; top < 48; ++top)
    for (SwitchId other = 32; other < 48; ++other)
      if (other != top) c.routing.tables.set_next(other, c.fabric.node(top).lid, kNoPort);
  const Fabric left = cut(c.fabric, {c.fabric.links()[5]});
  const auto found = detours(c, left);
  ASSERT_TRUE(found);
  unsigned empty = 0;
  std::uint64_t changed = 0;
  for (SwitchId s = 0; s < left.num_switches(); ++s)
    for (unsigned lid = 1; lid <= left.top_lid(); ++lid) {
      const PortNum was = c.routing.tables.next(s, static_cast<Lid>(lid));
      empty += was == kNoPort;
      changed += was != found->tables.next(s, static_cast<Lid>(lid));
    }
  EXPECT_GT(empty, 0u);
  EXPECT_GT(changed, 0u);
  EXPECT_LE(changed, found->entries + found->dead);
  expect_sound(c, left, *found);
}

/// Switches have no entries for LIDs of another component, and the repair does not report these as
/// missing.
TEST(Detours, PartsThatCannotBeReachedStayUnreached) {
  const Case c(torus({5}), "updn", 0);
  const Fabric left = cut(c.fabric, {c.fabric.channel(0, 2), c.fabric.channel(2, 2)});
  const auto found = detours(c, left);  // S-1, S-2 apart from S-3, S-4, S-0
  ASSERT_TRUE(found);
  expect_sound(c, left, *found);
  for (const SwitchId s : {1u, 2u}) EXPECT_EQ(found->tables.next(s, left.host(3).lid), kNoPort);
}

RC_GTEST_PROP(Detours, IsDeadlockFreeForAnyLoss, ()) {
  const auto kind = *rc::gen::inRange(0, 3);
  const Fabric bare = kind == 0   ? torus({4, 4})
                      : kind == 1 ? irregular(9, 3, 1, *rc::gen::inRange(1u, 50u))
                                  : k_ary_n_tree(2, 3);
  const Case c(bare, kind == 2 ? "updn" : "tftr", *rc::gen::inRange(0u, 4u));
  const auto links = c.fabric.links();
  std::vector<Channel> gone;
  for (const std::size_t i : *rc::gen::container<std::vector<std::size_t>>(
           *rc::gen::inRange(1u, 5u), rc::gen::inRange<std::size_t>(0, links.size())))
    gone.push_back(links[i]);
  const Fabric left = cut(c.fabric, gone);
  const auto found = detours(c, left);
  RC_ASSERT(found.has_value());
  expect_sound(c, left, *found);
  RC_ASSERT(!::testing::Test::HasFatalFailure());
}

/// Whether the paths that a fault leaves close a cycle of dependencies: each is followed, from each
/// host and from each switch itself. Entries that lead astray are removed, and add nothing.
bool closes_cycle(const Fabric& left, const Tables& tables) {
  using VirtualChannel = std::pair<Channel, Vl>;
  std::map<VirtualChannel, std::set<VirtualChannel>> next;
  Tables open = tables;
  open.sl2vl = Tables(left).sl2vl;
  for (SwitchId s = 0; s < left.num_switches(); ++s)
    for (unsigned i = 1; i <= left.top_lid(); ++i) {
      const auto lid = static_cast<Lid>(i);
      const Path all = walk(left, open, s, 0, lid);
      if (!all.arrives() && open.next(all.switches.back(), lid) != kNoPort) continue;
      std::vector<PortNum> from{0};
      for (const HostId h : left.hosts_at(s)) from.push_back(left.host(h).port);
      for (const PortNum in : from) {
        const Path path = walk(left, tables, s, in, lid);
        for (std::size_t n = 1; n < path.channels.size(); ++n)
          next[{path.channels[n - 1], path.vls[n - 1]}].insert({path.channels[n], path.vls[n]});
      }
    }
  // What no dependency leads to is taken away, until nothing or cycles are left.
  for (std::size_t before = next.size() + 1; next.size() < before;) {
    before = next.size();
    std::set<VirtualChannel> heads;
    for (const auto& [tail, all] : next) heads.insert(all.begin(), all.end());
    std::erase_if(next, [&](const auto& node) { return !heads.contains(node.first); });
  }
  return !next.empty();
}

/// Paths of several SLs; rows map them to two VLs at random, or mostly each to a VL of its own, and
/// drop here and there.
void draw_rows_and_sls(const Fabric& fabric, Tables& tables, StableRandom& random) {
  const bool own_vls = random.chance(50);
  const auto sls = static_cast<unsigned>(own_vls ? 3 + random.below(8) : 3);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    for (unsigned i = 1; i <= fabric.top_lid(); ++i)
      tables.set_sl(s, static_cast<Lid>(i), static_cast<Sl>(random.below(sls)));
    for (unsigned in = 0; in <= fabric.node(s).ports; ++in)
      for (unsigned out = 1; out <= fabric.node(s).ports; ++out) {
        Sl2VlRow row{};
        for (unsigned sl = 0; sl < sls; ++sl)
          row[sl] = random.chance(own_vls ? 1 : 3) ? kDropVl
                    : own_vls                      ? static_cast<Vl>(sl)
                                                   : static_cast<Vl>(random.below(2));
        tables.sl2vl.set(s, static_cast<PortNum>(in), static_cast<PortNum>(out), row);
      }
  }
}

/// The dependencies of all packets are known, of those of hosts and of switches themselves. On
/// rings it depends on far switches' SLs whether a VL is used all round.
RC_GTEST_PROP(Detours, KnowsWhatPacketsOfManySlsDependOn, ()) {
  const unsigned ring = *rc::gen::element(0u, 5u, 6u, 8u, 11u);
  const Fabric whole = ring == 0 ? *test::connected_fabric() : assign_lids(torus({ring}), 0);
  RC_PRE(!whole.links().empty() && whole.num_switches() <= 14);
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  unsigned cyclic = 0;
  for (unsigned draws = 0; draws < 6; ++draws) {
    const bool spf = ring != 0 || random.chance(50);
    Tables tables = find_engine(spf ? "spf" : "updn").compute(whole, {}).tables;
    draw_rows_and_sls(whole, tables, random);
    Fault fault;
    for (std::uint64_t n = ring != 0 ? random.below(2) : 1 + random.below(2); n > 0; --n)
      fault.links.push_back(whole.links()[random.below(whole.links().size())]);
    const Fabric left = without(whole, fault);
    const auto found = make_detours(left, tables, std::nullopt);
    RC_ASSERT(found.has_value() != closes_cycle(left, tables));
    cyclic += !found;
    if (!found) continue;
    RC_ASSERT(!closes_cycle(left, found->tables));
    for (SwitchId s = 0; s < whole.num_switches() && found->taken_over == 0; ++s)
      for (unsigned i = 1; i <= whole.top_lid(); ++i) {
        const Path before = walk(left, tables, s, 0, static_cast<Lid>(i));
        if (!before.arrives()) continue;
        const Path now = walk(left, found->tables, s, 0, static_cast<Lid>(i));
        RC_ASSERT(now.channels == before.channels);
        RC_ASSERT(now.vls == before.vls);
      }
  }
  RC_CLASSIFY(cyclic > 0 && cyclic < 6, "some with a cycle and some without");
}

TEST(OnlyRemovals, DetectsAddedAndMovedComponents) {
  const Fabric whole = assign_lids(torus({4, 4}), 1);
  const Fabric less = cut(whole, {whole.channel(3, 2)});
  EXPECT_TRUE(only_removals(whole, whole));
  EXPECT_TRUE(only_removals(whole, less));
  EXPECT_FALSE(only_removals(less, whole));
  EXPECT_TRUE(only_removals(whole, without(whole, {{}, {3}})));
  EXPECT_FALSE(only_removals(without(whole, {{}, {3}}), whole));
  EXPECT_FALSE(only_removals(whole, assign_lids(whole, 2)));
  EXPECT_FALSE(only_removals(whole, assign_lids(torus({4, 4}, 2), 1)));
  EXPECT_FALSE(only_removals(whole, assign_lids(torus({4, 5}), 1)));
}

}  // namespace
}  // namespace selvedge
