// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/live_routes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/stable_random.hpp"
#include "plugin/repair/up_directions.hpp"
#include "plugin/repair/up_down_repair.hpp"
#include "tests/support/random_fabric.hpp"

namespace selvedge {
namespace {

Fault some_fault(const Fabric& fabric, StableRandom& random) {
  if (!fabric.links().empty() && random.chance(80))
    return {{fabric.links()[random.below(fabric.links().size())]}, {}};
  return {{}, {static_cast<SwitchId>(random.below(fabric.num_switches()))}};
}

/// Counts that were updated through any sequence of faults and restorations equal those computed
/// anew.
RC_GTEST_PROP(LiveRoutes, CountsEqualARecomputation, ()) {
  const Fabric whole = *test::any_fabric();
  const Routing routing = find_engine("updn").compute(whole, {});
  const auto repair = UpDownRepair::make(whole, routing.tables, std::nullopt);
  RC_ASSERT(repair != nullptr);
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  std::vector<Fault> out;
  Fabric left = whole;
  const unsigned events = *rc::gen::inRange(1u, 10u);
  for (unsigned i = 0; i < events; ++i) {
    const bool heal = !out.empty() && random.chance(40);
    if (heal)
      out.erase(out.begin() + static_cast<std::ptrdiff_t>(random.below(out.size())));
    else
      out.push_back(some_fault(whole, random));
    Fault all;
    for (const Fault& f : out) {
      all.links.insert(all.links.end(), f.links.begin(), f.links.end());
      all.switches.insert(all.switches.end(), f.switches.begin(), f.switches.end());
    }
    const Fabric now = without(whole, all);
    const std::vector<Channel> changed = rewired(left, now);
    left = now;
    heal ? repair->restore(left, changed) : repair->fail(left, changed, false);
    RC_ASSERT(repair->routes().consistent());
  }
}

/// After changes and a rewind the state is the one before the changes.
RC_GTEST_PROP(LiveRoutes, RewindRestoresTheState, ()) {
  const Fabric whole = *test::any_fabric();
  const Tables tables = find_engine("updn").compute(whole, {}).tables;
  LiveRoutes routes(whole, tables);
  const LiveRoutes before = routes;
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  std::vector<SwitchId> all(whole.num_switches());
  for (SwitchId s = 0; s < all.size(); ++s) all[s] = s;
  const std::size_t mark = routes.mark();
  for (unsigned i = 0; i < 5 && tables.top_lid() > 0; ++i) {
    const auto lid = static_cast<Lid>(1 + random.below(tables.top_lid()));
    std::vector<PortNum> ports;
    for (const SwitchId s : all)
      ports.push_back(static_cast<PortNum>(random.below(whole.node(s).ports + 1u)));
    routes.change(lid, all, ports);
    RC_ASSERT(routes.consistent());
  }
  routes.rewind(mark);
  RC_ASSERT(routes.tables() == before.tables());
  RC_ASSERT(routes.consistent());
  RC_ASSERT(routes.take_delta().empty());
}

/// The directions that are derived from tables are obeyed by each turn of these tables, and have no
/// cycle.
RC_GTEST_PROP(UpDirections, HoldForTheTablesTheyWereFoundIn, ()) {
  const Fabric whole = *test::any_fabric();
  const LiveRoutes routes(whole, find_engine("updn").compute(whole, {}).tables);
  const auto found = UpDirections::find(routes, std::nullopt);
  RC_ASSERT(found.has_value());
  std::vector<unsigned> below(whole.num_switches(), 0);  // per switch: cables from switches below
  std::vector<SwitchId> ready;
  for (SwitchId s = 0; s < whole.num_switches(); ++s)
    for (const AdjacentLink& in : routes.links(s)) {
      RC_ASSERT(found->up(in.in) != found->up(in.out));
      below[s] += found->up(in.in);
      for (const AdjacentLink& out : routes.links(s))
        if (!found->up(in.in) && found->up(out.out)) {
          RC_ASSERT(routes.turns(in.in, out.out) == 0u);
        }
    }
  for (SwitchId s = 0; s < whole.num_switches(); ++s)
    if (below[s] == 0) ready.push_back(s);
  for (std::size_t i = 0; i < ready.size(); ++i)
    for (const AdjacentLink& link : routes.links(ready[i]))
      if (found->up(link.out) && --below[link.to] == 0) ready.push_back(link.to);
  RC_ASSERT(ready.size() == whole.num_switches());
}

/// Tables that go round a ring in one direction obey no up and down directions.
TEST(UpDirections, AOneWayRingHasNone) {
  const Fabric ring = assign_lids(torus({4}), 0);
  Tables tables(ring);
  for (HostId h = 0; h < 4; ++h)
    for (SwitchId s = 0; s < 4; ++s)
      tables.set_next(s, ring.host(h).lid, s == ring.host(h).at ? ring.host(h).port : PortNum{2});
  EXPECT_FALSE(UpDirections::find(LiveRoutes(ring, tables), std::nullopt));
}

}  // namespace
}  // namespace selvedge
