// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Hanging up orphans beside a slow twin that follows every path anew and looks at every offer there
// is before it takes one.
#include "plugin/repair/rehang.hpp"

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
  const SwitchId home = routes.whole().home(lid);
  Course way{true, true, 0};
  bool went_down = false;
  for (; s != home; ++way.hops) {
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
  Rehang rehang(routes, remains.alive());
  rehang.under(directions->bits(), obeyed);
  for (unsigned i = 1; i <= whole.top_lid(); ++i) {
    const auto lid = static_cast<Lid>(i);
    if (whole.home(lid) == kNoSwitch || routes.next(whole.home(lid), lid) == kNoPort) continue;
    std::vector<SwitchId> orphans;
    for (SwitchId s = 0; s < whole.num_switches(); ++s)
      if (s != whole.home(lid) && remains.served(lid, s) &&
          !way_of(routes, remains.alive(), *directions, s, lid))
        orphans.push_back(s);
    if (orphans.empty()) continue;
    const auto expected = slowly(routes, remains.alive(), *directions, lid, orphans);
    rehang.hang(lid, orphans);
    for (const SwitchId s : orphans) {
      const auto found = expected.find(s);
      RC_ASSERT(routes.next(s, lid) == (found == expected.end() ? kNoPort : found->second));
    }
    RC_ASSERT(routes.consistent());
  }
}

RC_GTEST_PROP(Rehang, UnderDirectionsThatAreObeyedIsWhatTheSlowTwinFinds, ()) { compare(true); }
RC_GTEST_PROP(Rehang, UnderOtherDirectionsLikewise, ()) { compare(false); }

}  // namespace
}  // namespace selvedge
