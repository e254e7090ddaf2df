// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Reattaching orphans (switches whose path to a LID is broken), compared with a slow implementation
// that follows every path anew and examines every possible neighbour before it chooses one.
#include "plugin/repair/reattach_subtree.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/stable_random.hpp"
#include "plugin/repair/damaged_fabric.hpp"
#include "plugin/repair/up_directions.hpp"
#include "tests/support/random_fabric.hpp"

namespace selvedge {
namespace {

struct Course {
  bool down, legal;
  unsigned hops;
};

/// The path by the entries from this switch; nothing if it does not end at the LID's owner.
std::optional<Course> path_of(const LiveRoutes& routes, const std::vector<bool>& alive,
                              const UpDirections& directions, SwitchId s, Lid lid) {
  const SwitchId destination_switch = routes.whole().destination_switch(lid);
  Course way{true, true, 0};
  bool went_down = false;
  for (; s != destination_switch; ++way.hops) {
    const Channel c = routes.out_of(s, lid);
    if (c == kNoChannel || !alive[c] || way.hops > alive.size()) return std::nullopt;
    if (directions.up(c)) {
      way.down = false;
      way.legal = way.legal && !went_down;
    } else {
      went_down = true;
    }
    s = routes.target(c);
  }
  return way;
}

/// The slow implementation: for each orphan that can be reattached, its new port.
std::map<SwitchId, PortNum> slowly(const LiveRoutes& routes, const std::vector<bool>& alive,
                                   const UpDirections& directions, Lid lid,
                                   const std::vector<SwitchId>& orphans) {
  struct Place {
    bool down;
    unsigned hops;
  };
  std::map<SwitchId, std::optional<Place>> places;
  for (SwitchId s = 0; s < routes.whole().num_switches(); ++s)
    if (std::ranges::find(orphans, s) == orphans.end())
      if (const auto way = path_of(routes, alive, directions, s, lid); way && way->legal)
        places[s] = Place{way->down, way->hops};
  std::map<SwitchId, PortNum> ports;
  for (const bool up : {false, true})
    for (;;) {
      std::optional<std::tuple<unsigned, std::uint32_t, SwitchId, PortNum>> best;
      for (const SwitchId s : orphans) {
        if (places[s]) continue;
        for (const AdjacentLink& link : routes.links(s)) {
          const auto& there = places[link.to];
          if (!alive[link.out] || !there || directions.up(link.out) != up || (!up && !there->down))
            continue;
          const std::tuple offer(there->hops + 1, routes.load(link.out), s, link.port);
          if (!best || offer < *best) best = offer;
        }
      }
      if (!best) break;
      const auto [hops, load, at, port] = *best;
      places[at] = Place{!up, hops};
      ports[at] = port;
    }
  return ports;
}

/// Compares both implementations. `directions_hold`: the caller states that all paths follow the
/// directions.
void compare(bool directions_hold) {
  const Fabric whole = *test::any_fabric();
  if (whole.links().empty()) return;
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  LiveRoutes routes(whole, find_engine("updn").compute(whole, {}).tables);
  auto directions = UpDirections::find(routes, std::nullopt);
  RC_ASSERT(directions.has_value());
  std::vector<Channel> lost;
  for (unsigned i = 0; i < (directions_hold ? 1u : 6u); ++i)
    lost.push_back(whole.links()[random.below(whole.links().size())]);
  const Fabric left = without(whole, {lost, {}});
  DamagedFabric damaged(left);
  for (const BrokenEntry& b : damaged.broken_entries(rewired(whole, left), routes.tables()))
    if (!damaged.can_reach(b.lid, b.at)) routes.cut(b.lid, b.at);
  if (!directions_hold)  // reverse some cables, so that some kept paths violate the directions
    directions->join_roots(routes, damaged.alive(), &random);
  ReattachSubtree reattach(routes, damaged.alive());
  reattach.set_directions(directions->bits());
  for (unsigned i = 1; i <= whole.top_lid(); ++i) {
    const auto lid = static_cast<Lid>(i);
    if (whole.destination_switch(lid) == kNoSwitch ||
        routes.next(whole.destination_switch(lid), lid) == kNoPort)
      continue;
    std::vector<SwitchId> orphans;
    for (SwitchId s = 0; s < whole.num_switches(); ++s)
      if (s != whole.destination_switch(lid) && damaged.can_reach(lid, s) &&
          !path_of(routes, damaged.alive(), *directions, s, lid))
        orphans.push_back(s);
    if (orphans.empty()) continue;
    const auto expected = slowly(routes, damaged.alive(), *directions, lid, orphans);
    reattach.reattach(lid, orphans);
    for (const SwitchId s : orphans) {
      const auto found = expected.find(s);
      RC_ASSERT(routes.next(s, lid) == (found == expected.end() ? kNoPort : found->second));
    }
    RC_ASSERT(routes.consistent());
  }
}

RC_GTEST_PROP(ReattachSubtree, EqualsTheSlowTwinIfAllPathsFollowTheDirections, ()) {
  compare(true);
}
RC_GTEST_PROP(ReattachSubtree, EqualsTheSlowTwinIfSomePathsViolateTheDirections, ()) {
  compare(false);
}

/// With few orphans: if each can be reattached, all paths arrive and follow the directions, and
/// only the orphans' entries change. The result does not depend on whether the caller states that
/// paths follow the directions.
RC_GTEST_PROP(ReattachSubtree, ReattachingTheOrphansServesAllSendersBelowThem, ()) {
  const Fabric whole = *test::any_fabric();
  if (whole.links().empty()) return;
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  LiveRoutes routes(whole, find_engine("updn").compute(whole, {}).tables);
  const auto directions = UpDirections::find(routes, std::nullopt);
  RC_ASSERT(directions.has_value());
  std::vector<Channel> lost;
  const unsigned cables = *rc::gen::inRange(1u, 4u);
  for (unsigned i = 0; i < cables; ++i)
    lost.push_back(whole.links()[random.below(whole.links().size())]);
  const Fabric left = without(whole, {lost, {}});
  DamagedFabric damaged(whole);
  damaged.remove_channels(left, rewired(whole, left));
  std::map<Lid, std::vector<SwitchId>> orphans_of;
  for (const BrokenEntry& b : damaged.broken_entries(rewired(whole, left), routes.tables()))
    if (damaged.can_reach(b.lid, b.at))
      orphans_of[b.lid].push_back(b.at);
    else
      routes.cut(b.lid, b.at);
  ReattachSubtree reattach(routes, damaged.alive());
  reattach.set_directions(directions->bits());
  const std::vector<bool> all(whole.num_switch_channels(), true);
  for (auto& [lid, orphans] : orphans_of) {
    for (std::size_t i = 0; i < orphans.size(); ++i)
      for (const AdjacentLink& link : routes.links(orphans[i]))
        if (routes.next(link.to, lid) == link.back && damaged.alive()[link.in] &&
            !directions->up(link.in) && std::ranges::find(orphans, link.to) == orphans.end())
          orphans.push_back(link.to);
    const std::vector<PortNum> before(routes.row(lid).begin(), routes.row(lid).end());
    std::vector<bool> arrived;  // whether each switch had a path before; some never have one
    for (SwitchId s = 0; s < whole.num_switches(); ++s)
      arrived.push_back(path_of(routes, all, *directions, s, lid).has_value());
    const std::size_t mark = routes.mark();
    const bool followed = reattach.reattach_locally(lid, orphans, false);
    const std::vector<PortNum> after(routes.row(lid).begin(), routes.row(lid).end());
    routes.rewind(mark);
    RC_ASSERT(reattach.reattach_locally(lid, orphans, true) == followed);
    RC_ASSERT(std::ranges::equal(routes.row(lid), after));
    RC_ASSERT(routes.consistent());
    for (SwitchId s = 0; s < whole.num_switches(); ++s) {
      if (std::ranges::find(orphans, s) == orphans.end()) RC_ASSERT(after[s] == before[s]);
      if (!followed || !arrived[s] || !damaged.can_reach(lid, s)) continue;
      const auto way = path_of(routes, damaged.alive(), *directions, s, lid);
      RC_ASSERT(way.has_value() && way->legal);
    }
    if (!followed) RC_ASSERT(after == before);
  }
}

/// A path to a switch that does not deliver the LID is none, also where directions hold.
TEST(ReattachSubtree, ASwitchWithoutAnEntryForItsHostIsNoNextHop) {
  const Fabric whole = assign_lids(mesh({1, 2}), 0);
  LiveRoutes routes(whole, find_engine("updn").compute(whole, {}).tables);
  const auto directions = UpDirections::find(routes, std::nullopt);
  ASSERT_TRUE(directions.has_value());
  const std::vector<bool> all(whole.num_switch_channels(), true);
  ReattachSubtree reattach(routes, all);
  reattach.set_directions(directions->bits());
  const Lid lid = whole.host(0).lid;
  const SwitchId owner = whole.host(0).at, orphan = 1 - owner;
  const auto write = [&](SwitchId s, PortNum port) { routes.change(lid, {&s, 1}, {&port, 1}); };
  for (const bool delivers : {true, false}) {
    write(orphan, kNoPort);
    write(owner, delivers ? whole.host(0).port : kNoPort);
    for (const bool directions_hold : {false, true}) {
      const std::size_t mark = routes.mark();
      EXPECT_EQ(reattach.reattach_locally(lid, {&orphan, 1}, directions_hold), delivers);
      EXPECT_EQ(routes.next(orphan, lid) != kNoPort, delivers);
      routes.rewind(mark);
    }
  }
}

/// Removing channels leaves the same state as a new start with the damaged fabric.
RC_GTEST_PROP(DamagedFabric, RemovingChannelsEqualsAReset, ()) {
  const Fabric whole = *test::any_fabric();
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  DamagedFabric quick(whole);
  Fabric left = whole, before;
  const unsigned faults = *rc::gen::inRange(1u, 12u);
  for (unsigned i = 0; i < faults && !left.links().empty(); ++i) {
    Fault fault;
    if (random.chance(80))
      fault.links.push_back(left.links()[random.below(left.links().size())]);
    else
      fault.switches.push_back(static_cast<SwitchId>(random.below(left.num_switches())));
    before = std::exchange(left, without(left, fault));
    quick.remove_channels(left, rewired(before, left));
    const DamagedFabric slow(left);
    RC_ASSERT(quick.alive() == slow.alive());
    for (SwitchId a = 0; a < left.num_switches(); ++a) {
      std::vector<SwitchId> mine = quick.component(a), theirs = slow.component(a);
      std::ranges::sort(mine);
      std::ranges::sort(theirs);
      RC_ASSERT(mine == theirs);
    }
  }
}

}  // namespace
}  // namespace selvedge
