// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Hanging up orphans beside a slow twin that follows every path anew and looks at every offer there
// is before it takes one.
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
#include "plugin/repair/remains.hpp"
#include "plugin/repair/up_directions.hpp"
#include "tests/support/random_fabric.hpp"

namespace selvedge {
namespace {

struct Course {
  bool down, legal;
  unsigned hops;
};

/// Where the entries lead from here: nothing if not to the owner.
std::optional<Course> way_of(const LiveRoutes& routes, const std::vector<bool>& alive,
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

/// The ports of the orphans that find a place.
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
      if (const auto way = way_of(routes, alive, directions, s, lid); way && way->legal)
        places[s] = Place{way->down, way->hops};
  std::map<SwitchId, PortNum> ports;
  for (const bool up : {false, true})
    for (;;) {
      std::optional<std::tuple<unsigned, std::uint32_t, SwitchId, PortNum>> best;
      for (const SwitchId s : orphans) {
        if (places[s]) continue;
        for (const Way& way : routes.ways(s)) {
          const auto& there = places[way.to];
          if (!alive[way.out] || !there || directions.up(way.out) != up || (!up && !there->down))
            continue;
          const std::tuple offer(there->hops + 1, routes.load(way.out), s, way.port);
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

/// Whether directions are obeyed is taken at its word in one case and not asked for in the other.
void compare(bool obeyed) {
  const Fabric whole = *test::any_fabric();
  if (whole.links().empty()) return;
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  LiveRoutes routes(whole, find_engine("updn").compute(whole, {}).tables);
  auto directions = UpDirections::find(routes, std::nullopt);
  RC_ASSERT(directions.has_value());
  std::vector<Channel> went;
  for (unsigned i = 0; i < (obeyed ? 1u : 6u); ++i)
    went.push_back(whole.links()[random.below(whole.links().size())]);
  const Fabric left = without(whole, {went, {}});
  Remains remains(left);
  for (const Break& b : remains.broken(rewired(whole, left), routes.tables()))
    if (!remains.served(b.lid, b.at)) routes.cut(b.lid, b.at);
  if (!obeyed)  // some cables that are turned round, so that paths that are kept defy them
    directions->join_roots(routes, remains.alive(), &random);
  ReattachSubtree reattach(routes, remains.alive());
  reattach.under(directions->bits());
  for (unsigned i = 1; i <= whole.top_lid(); ++i) {
    const auto lid = static_cast<Lid>(i);
    if (whole.destination_switch(lid) == kNoSwitch ||
        routes.next(whole.destination_switch(lid), lid) == kNoPort)
      continue;
    std::vector<SwitchId> orphans;
    for (SwitchId s = 0; s < whole.num_switches(); ++s)
      if (s != whole.destination_switch(lid) && remains.served(lid, s) &&
          !way_of(routes, remains.alive(), *directions, s, lid))
        orphans.push_back(s);
    if (orphans.empty()) continue;
    const auto expected = slowly(routes, remains.alive(), *directions, lid, orphans);
    reattach.reattach(lid, orphans);
    for (const SwitchId s : orphans) {
      const auto found = expected.find(s);
      RC_ASSERT(routes.next(s, lid) == (found == expected.end() ? kNoPort : found->second));
    }
    RC_ASSERT(routes.consistent());
  }
}

RC_GTEST_PROP(ReattachSubtree, UnderDirectionsThatAreObeyedIsWhatTheSlowTwinFinds, ()) {
  compare(true);
}
RC_GTEST_PROP(ReattachSubtree, UnderOtherDirectionsLikewise, ()) { compare(false); }

/// With few orphans: if each finds a place, all paths arrive and obey, and only the orphans'
/// entries are others. What is taken at its word leads to the same as what is followed.
RC_GTEST_PROP(ReattachSubtree, FewOrphansAreEnoughForAllWhoHangOnThem, ()) {
  const Fabric whole = *test::any_fabric();
  if (whole.links().empty()) return;
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  LiveRoutes routes(whole, find_engine("updn").compute(whole, {}).tables);
  const auto directions = UpDirections::find(routes, std::nullopt);
  RC_ASSERT(directions.has_value());
  std::vector<Channel> went;
  const unsigned cables = *rc::gen::inRange(1u, 4u);
  for (unsigned i = 0; i < cables; ++i)
    went.push_back(whole.links()[random.below(whole.links().size())]);
  const Fabric left = without(whole, {went, {}});
  Remains remains(whole);
  remains.lose(left, rewired(whole, left));
  std::map<Lid, std::vector<SwitchId>> lost;
  for (const Break& b : remains.broken(rewired(whole, left), routes.tables()))
    if (remains.served(b.lid, b.at))
      lost[b.lid].push_back(b.at);
    else
      routes.cut(b.lid, b.at);
  ReattachSubtree reattach(routes, remains.alive());
  reattach.under(directions->bits());
  const std::vector<bool> all(whole.num_switch_channels(), true);
  for (auto& [lid, orphans] : lost) {
    for (std::size_t i = 0; i < orphans.size(); ++i)
      for (const Way& way : routes.ways(orphans[i]))
        if (routes.next(way.to, lid) == way.back && remains.alive()[way.in] &&
            !directions->up(way.in) && std::ranges::find(orphans, way.to) == orphans.end())
          orphans.push_back(way.to);
    const std::vector<PortNum> before(routes.row(lid).begin(), routes.row(lid).end());
    std::vector<bool> arrived;  // before; not every switch has a path to a switch's LID
    for (SwitchId s = 0; s < whole.num_switches(); ++s)
      arrived.push_back(way_of(routes, all, *directions, s, lid).has_value());
    const std::size_t mark = routes.mark();
    const bool followed = reattach.reattach_near(lid, orphans, false);
    const std::vector<PortNum> after(routes.row(lid).begin(), routes.row(lid).end());
    routes.rewind(mark);
    RC_ASSERT(reattach.reattach_near(lid, orphans, true) == followed);
    RC_ASSERT(std::ranges::equal(routes.row(lid), after));
    RC_ASSERT(routes.consistent());
    for (SwitchId s = 0; s < whole.num_switches(); ++s) {
      if (std::ranges::find(orphans, s) == orphans.end()) RC_ASSERT(after[s] == before[s]);
      if (!followed || !arrived[s] || !remains.served(lid, s)) continue;
      const auto way = way_of(routes, remains.alive(), *directions, s, lid);
      RC_ASSERT(way.has_value() && way->legal);
    }
    if (!followed) RC_ASSERT(after == before);
  }
}

/// What is known without looking is what there is to see.
RC_GTEST_PROP(Remains, LosingIsLookingAnew, ()) {
  const Fabric whole = *test::any_fabric();
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  Remains quick(whole);
  Fabric left = whole, before;
  const unsigned faults = *rc::gen::inRange(1u, 12u);
  for (unsigned i = 0; i < faults && !left.links().empty(); ++i) {
    Fault fault;
    if (random.chance(80))
      fault.links.push_back(left.links()[random.below(left.links().size())]);
    else
      fault.switches.push_back(static_cast<SwitchId>(random.below(left.num_switches())));
    before = std::exchange(left, without(left, fault));
    quick.lose(left, rewired(before, left));
    const Remains slow(left);
    RC_ASSERT(quick.alive() == slow.alive());
    for (SwitchId a = 0; a < left.num_switches(); ++a) {
      std::vector<SwitchId> mine = quick.piece(a), theirs = slow.piece(a);
      std::ranges::sort(mine);
      std::ranges::sort(theirs);
      RC_ASSERT(mine == theirs);
    }
  }
}

}  // namespace
}  // namespace selvedge
