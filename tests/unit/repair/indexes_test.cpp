// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The indexes that repairs keep of the tables and the damaged fabric (counts, changes, broken and
// missing entries, the order of dependencies, directions of cables), compared with the same indexes
// computed anew.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/stable_random.hpp"
#include "plugin/repair/damaged_fabric.hpp"
#include "plugin/repair/dependency_order.hpp"
#include "plugin/repair/detours.hpp"
#include "plugin/repair/live_routes.hpp"
#include "plugin/repair/up_directions.hpp"
#include "tests/support/random_fabric.hpp"

namespace selvedge {
namespace {

/// The channel to another switch; none for a cable from a switch to itself.
Channel out_of(const Fabric& fabric, const Tables& tables, SwitchId s, Lid lid) {
  const PortNum port = tables.next(s, lid);
  if (port > fabric.node(s).ports) return kNoChannel;
  const Channel c = fabric.channel(s, port);
  return fabric.between_switches(c) && fabric.target(c) != s ? c : kNoChannel;
}

void expect_counts(const LiveRoutes& routes) {
  const Fabric& fabric = routes.whole();
  std::map<Channel, std::uint32_t> load;
  std::map<std::pair<Channel, Channel>, std::uint32_t> turns;
  for (unsigned i = 1; i <= routes.tables().top_lid(); ++i)
    for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
      const auto lid = static_cast<Lid>(i);
      const Channel c = out_of(fabric, routes.tables(), s, lid);
      RC_ASSERT(routes.out_of(s, lid) == c);
      RC_ASSERT(routes.next(s, lid) == routes.tables().next(s, lid));
      RC_ASSERT(routes.row(lid)[s] == routes.tables().next(s, lid));
      RC_ASSERT(routes.destination_switch(lid) == fabric.destination_switch(lid));
      if (c == kNoChannel) continue;
      ++load[c];
      const Channel onward = out_of(fabric, routes.tables(), fabric.target(c), lid);
      if (onward != kNoChannel) ++turns[{c, onward}];
    }
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    std::vector<Channel> outs;
    for (const Channel c : fabric.out(s))
      if (fabric.target(c) != s) outs.push_back(c);
    RC_ASSERT(routes.links(s).size() == outs.size());
    for (std::size_t i = 0; i < outs.size(); ++i) {
      const AdjacentLink& way = routes.links(s)[i];
      RC_ASSERT(way.out == outs[i] && way.in == fabric.peer(outs[i]));
      RC_ASSERT(way.to == fabric.target(outs[i]) && routes.target(outs[i]) == way.to);
      RC_ASSERT(way.port == fabric.port_of(outs[i]) && way.back == fabric.port_of(way.in));
      RC_ASSERT(routes.load(outs[i]) == load[outs[i]]);
      for (const Channel out : outs) RC_ASSERT(routes.turns(way.in, out) == (turns[{way.in, out}]));
    }
  }
}

/// Random changes of one entry and of several, cuts, and rewinding some of them.
RC_GTEST_PROP(LiveRoutes, DeltasLeadFromEachStateToTheNext, ()) {
  const Fabric whole = *rc::gen::resize(100, test::irregular_fabric({}, 8));
  RC_PRE(whole.top_lid() > 0);
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  LiveRoutes routes(whole, find_engine("updn").compute(whole, {}).tables);
  expect_counts(routes);
  const auto write = [&] {
    const auto lid = static_cast<Lid>(1 + random.below(whole.top_lid()));
    std::vector<SwitchId> at;
    std::vector<PortNum> ports;
    const auto share = random.chance(50) ? 100 / whole.num_switches() : 50;
    for (SwitchId s = 0; s < whole.num_switches(); ++s)
      if (random.chance(static_cast<unsigned>(share))) {
        at.push_back(s);
        ports.push_back(random.chance(10)
                            ? kNoPort
                            : static_cast<PortNum>(random.below(whole.node(s).ports + 1u)));
      }
    if (at.size() == 1 && ports[0] == kNoPort)
      routes.cut(lid, at[0]);
    else
      routes.change(lid, at, ports);
    RC_ASSERT(routes.may_differ(lid));
  };
  for (unsigned loop_switch = 0; loop_switch < 3; ++loop_switch) {
    const Tables before = routes.tables();
    for (std::uint64_t n = random.below(6); n > 0; --n) write();
    const Tables kept = routes.tables();
    const std::size_t mark = routes.mark();
    for (std::uint64_t n = random.below(4); n > 0; --n) write();
    if (random.chance(50)) {
      routes.rewind(mark);
      RC_ASSERT(routes.tables() == kept);
    }
    expect_counts(routes);
    RC_ASSERT(routes.consistent());
    const Tables after = routes.tables();
    RC_ASSERT(routes.take_delta() == difference(before, after).lft);
    RC_ASSERT(routes.take_delta().empty());
    RC_ASSERT(routes.tables() == after);
  }
  for (unsigned lid = 1; lid <= whole.top_lid(); ++lid)
    for (SwitchId s = 0; s < whole.num_switches(); ++s)
      if (routes.tables().next(s, static_cast<Lid>(lid)) !=
          routes.original().next(s, static_cast<Lid>(lid)))
        RC_ASSERT(routes.may_differ(static_cast<Lid>(lid)));
}

/// The indexes of the damaged fabric: components, where paths end, broken and missing entries.
RC_GTEST_PROP(DamagedFabric, AreWhatIsLeftOfTheFabric, ()) {
  const Fabric whole = *rc::gen::resize(100, test::any_fabric());
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  Tables tables = find_engine("updn").compute(whole, {}).tables;
  for (SwitchId s = 0; s < whole.num_switches(); ++s)
    for (unsigned lid = 1; lid <= whole.top_lid(); ++lid)
      if (random.chance(10)) tables.set_next(s, static_cast<Lid>(lid), kNoPort);
  DamagedFabric damaged(whole);
  Fabric before = whole, left = whole;
  Fault all;
  for (unsigned event = 0; event < 5; ++event) {
    const bool heals = !all.empty() && random.chance(30);
    if (heals) {
      all = {};
    } else {
      if (!whole.links().empty())
        all.links.push_back(whole.links()[random.below(whole.links().size())]);
      if (whole.num_hosts() > 0 && random.chance(20))
        all.links.push_back(whole.injection(static_cast<HostId>(random.below(whole.num_hosts()))));
      if (random.chance(25))
        all.switches.push_back(static_cast<SwitchId>(random.below(whole.num_switches())));
    }
    before = std::exchange(left, without(whole, all));
    const std::vector<Channel> lost = rewired(before, left);
    if (!heals && random.chance(60))
      damaged.remove_channels(left, lost);
    else
      damaged.reset(left);
    std::vector<SwitchId> piece(left.num_switches());
    for (SwitchId s = 0; s < piece.size(); ++s) piece[s] = s;
    for (bool more = true; more;) {
      more = false;
      for (const Channel c : left.links()) {
        SwitchId &a = piece[left.switch_of(c)], &b = piece[left.target(c)];
        more |= a != b;
        a = b = std::min(a, b);
      }
    }
    std::vector<BrokenEntry> broken, missing;
    for (unsigned i = 1; i <= left.top_lid(); ++i) {
      const auto lid = static_cast<Lid>(i);
      const LidOwner owner = left.owner(lid);
      const bool is_switch = owner.kind == LidOwner::Kind::kSwitch;
      PortNum last = kNoPort;
      if (is_switch && !left.node(owner.id).failed) last = 0;
      if (owner.kind == LidOwner::Kind::kHost && left.attached(owner.id))
        last = left.host(owner.id).port;
      RC_ASSERT(damaged.delivery_port(lid) == last);
      for (SwitchId s = 0; s < left.num_switches(); ++s) {
        const bool can_reach = last != kNoPort && piece[s] == piece[left.destination_switch(lid)];
        RC_ASSERT(damaged.can_reach(lid, s) == can_reach);
        const PortNum port = tables.next(s, lid);
        const bool failed = left.node(s).failed;
        if (port == kNoPort && can_reach && !failed) missing.push_back({lid, s});
        if (port == kNoPort || heals) continue;
        const bool fresh = failed && !before.node(s).failed;
        if (fresh || (port <= left.node(s).ports &&
                      std::ranges::find(lost, left.channel(s, port)) != lost.end()))
          broken.push_back({lid, s});
      }
    }
    if (!heals) RC_ASSERT(damaged.broken_entries(lost, tables) == broken);
    RC_ASSERT(damaged.missing_entries(tables) == missing);
    for (Channel c = 0; c < left.num_switch_channels(); ++c)
      RC_ASSERT(damaged.alive()[c] == left.between_switches(c));
    for (SwitchId s = 0; s < left.num_switches(); ++s) {
      std::vector<SwitchId> mine = damaged.component(s), theirs;
      for (SwitchId t = 0; t < left.num_switches(); ++t)
        if (piece[t] == piece[s]) theirs.push_back(t);
      std::ranges::sort(mine);
      RC_ASSERT(mine == theirs);
    }
  }
}

/// Checks the counts, the order after each step, and that a copy restores an earlier state.
RC_GTEST_PROP(DependencyOrder, KeepsCountsAndAnOrderThatAllAgreeWith, ()) {
  const Fabric fabric = *rc::gen::resize(100, test::irregular_fabric({}, 5));
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  const unsigned vls = 1 + static_cast<unsigned>(random.below(3));
  std::vector<DependencyOrder::Edge> all;
  for (Channel c = 0; c < fabric.num_switch_channels(); ++c) {
    if (!fabric.between_switches(c)) continue;
    for (const Channel next : fabric.out(fabric.target(c)))
      for (unsigned v = 0; v < vls * vls; ++v)
        all.push_back({{c, static_cast<Vl>(v / vls)}, {next, static_cast<Vl>(v % vls)}});
  }
  RC_PRE(!all.empty());
  DependencyOrder order(fabric, vls), copy(fabric, vls);
  RC_ASSERT(order.order());
  std::map<std::size_t, std::uint32_t> count, copied;
  const auto expect_sound = [&] {
    for (std::size_t i = 0; i < all.size(); ++i) {
      RC_ASSERT(order.count(all[i]) == count[i]);
      RC_ASSERT(order.has(all[i]) == (count[i] > 0));
      if (count[i] > 0) RC_ASSERT(order.agrees(all[i]));
    }
  };
  for (unsigned step = 0; step < 40; ++step) {
    std::vector<DependencyOrder::Edge> edges;
    std::vector<std::size_t> which;
    for (std::uint64_t n = 1 + random.below(4); n > 0; --n) {
      which.push_back(random.below(all.size()));
      edges.push_back(all[which.back()]);
    }
    std::size_t refused = 99;
    if (random.chance(20) && count[which[0]] > 0) {
      --count[which[0]];
      if (vls == 1 && random.chance(50))
        order.take(edges[0].from.channel, edges[0].to.channel, fabric.port_of(edges[0].to.channel));
      else
        order.take(edges[0]);
    } else if (order.add(edges, &refused)) {
      for (const std::size_t i : which) ++count[i];
    } else {
      RC_ASSERT(refused < edges.size());
      for (std::size_t i = 0; i < refused; ++i) RC_ASSERT(which[i] != which[refused]);
      RC_ASSERT(
          !order.add({edges.begin(), edges.begin() + static_cast<std::ptrdiff_t>(refused) + 1}));
      const std::vector<DependencyOrder::Edge> fit(
          edges.begin(), edges.begin() + static_cast<std::ptrdiff_t>(refused));
      RC_ASSERT(order.add(fit));
      for (std::size_t i = 0; i < refused; ++i) ++count[which[i]];
    }
    expect_sound();
    if (random.chance(10)) {
      copy.restore(order);
      copied = count;
    }
    if (random.chance(5)) {
      order.restore(copy);
      count = copied;
      RC_ASSERT(order.order());
      expect_sound();
    }
    if (random.chance(10)) {
      RC_ASSERT(order.order());
      expect_sound();
    }
  }
  // A dependency that is against the order but closes no cycle is added: the graph is still
  // acyclic.
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (count[i] > 0 || order.agrees(all[i])) continue;
    DependencyOrder trial = order;
    RC_ASSERT(trial.order());
    const bool fits = trial.add({all[i]});
    if (vls == 1)
      order.put(all[i].from.channel, all[i].to.channel, fabric.port_of(all[i].to.channel));
    else
      order.put(all[i]);
    RC_ASSERT(order.acyclic() == fits);
    order.take(all[i]);
  }
}

TEST(DependencyOrder, VlsAreThoseThatRowsMapTo) {
  const Fabric fabric = assign_lids(torus({3, 3}), 0);
  Tables tables(fabric);
  EXPECT_EQ(vls_of(tables), 1u);
  Sl2VlRow row{};
  row[7] = 3;
  row[8] = kDropVl;
  tables.sl2vl.set(4, 1, 2, row);
  EXPECT_EQ(vls_of(tables), 4u);
  row.fill(kDropVl);
  for (SwitchId s = 0; s < 9; ++s) tables.sl2vl.set_all(s, row);
  EXPECT_GE(vls_of(tables), 1u);
}

/// One random difference between the fabric before and after.
RC_GTEST_PROP(OnlyRemovals, IsWhatHasNothingNew, ()) {
  const Fabric before = *rc::gen::resize(100, test::irregular_fabric({}, 6));
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  Fault fault;
  for (Channel c = 0; c < before.num_channels(); ++c)
    if (random.chance(5)) fault.links.push_back(c);
  if (random.chance(30))
    fault.switches.push_back(static_cast<SwitchId>(random.below(before.num_switches())));
  const Fabric less = without(before, fault);
  RC_ASSERT(only_removals(before, less));
  RC_ASSERT(only_removals(less, before) == rewired(before, less).empty() ||
            !fault.switches.empty());
  const auto changed = [&](auto change) {
    FabricBuilder builder(before);
    change(builder);
    return std::move(builder).build("changed");
  };
  const auto s = static_cast<SwitchId>(random.below(before.num_switches()));
  const auto top = static_cast<Lid>(before.top_lid() + 64);
  RC_ASSERT(!only_removals(before, changed([&](FabricBuilder& b) { b.node(s).lid = top; })));
  RC_ASSERT(!only_removals(before, changed([&](FabricBuilder& b) { ++b.node(s).ports; })));
  RC_ASSERT(!only_removals(before, changed([&](FabricBuilder& b) { b.node(s).guid = 0x77; })));
  if (before.num_hosts() == 0) return;
  const auto h = static_cast<HostId>(random.below(before.num_hosts()));
  if (!before.attached(h)) return;
  RC_ASSERT(!only_removals(before, changed([&](FabricBuilder& b) { b.host(h).lid = top; })));
  RC_ASSERT(!only_removals(before, changed([&](FabricBuilder& b) { b.host(h).guid = 0x7777777; })));
  RC_ASSERT(only_removals(before, without(before, {{before.injection(h)}, {}})));
  RC_ASSERT(!only_removals(without(before, {{before.injection(h)}, {}}), before));
  if (before.host(h).lmc > 0)
    RC_ASSERT(!only_removals(before, changed([&](FabricBuilder& b) { --b.host(h).lmc; })));
}

/// The switches of the multicast tree are placed at the bottom of the order, the deepest first, and
/// equally deep ones by number.
RC_GTEST_PROP(UpDirections, PlaceTheSwitchesOfTheTreeDeepestFirst, ()) {
  const Fabric whole = *rc::gen::resize(100, test::irregular_fabric({}, 8));
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  const Routing routing = find_engine("updn").compute(whole, {});
  const LiveRoutes routes(whole, routing.tables);
  const bool hinted = routing.multicast && random.chance(70);
  const auto found = UpDirections::find(
      routes, hinted ? std::optional<std::vector<Channel>>(*routing.multicast) : std::nullopt);
  RC_ASSERT(found.has_value());
  std::vector<std::uint32_t> depth(whole.num_switches(), 0);
  for (SwitchId s = 0; hinted && s < whole.num_switches(); ++s)
    for (SwitchId at = s; (*routing.multicast)[at] != kNoChannel;
         at = whole.target((*routing.multicast)[at]))
      ++depth[s];
  std::map<SwitchId, std::uint32_t> height;
  while (height.size() < whole.num_switches()) {
    std::optional<std::pair<std::uint32_t, SwitchId>> best;
    for (SwitchId s = 0; s < whole.num_switches(); ++s) {
      bool lowest = !height.contains(s);
      for (const AdjacentLink& in : routes.links(s))
        for (const AdjacentLink& out : routes.links(s))
          lowest &= height.contains(in.to) || height.contains(out.to) ||
                    routes.turns(in.in, out.out) == 0;
      if (lowest) best = std::max(best, std::optional(std::pair(depth[s], s)));
    }
    RC_ASSERT(best.has_value());
    height.emplace(best->second, static_cast<std::uint32_t>(height.size()));
  }
  for (SwitchId s = 0; s < whole.num_switches(); ++s)
    for (const AdjacentLink& way : routes.links(s))
      RC_ASSERT(found->up(way.out) == (height[way.to] > height[s]));
}

/// Whatever is lost and restored, each component has one root above all its switches, and the
/// directions have no cycle.
RC_GTEST_PROP(UpDirections, JoinTheRootsOfEachPiece, ()) {
  const Fabric whole = *rc::gen::resize(100, test::irregular_fabric({}, 8));
  RC_PRE(!whole.links().empty());
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  const LiveRoutes routes(whole, find_engine("updn").compute(whole, {}).tables);
  UpDirections directions = *UpDirections::find(routes, std::nullopt);
  std::vector<Channel> lost;
  for (const Channel c : whole.links())
    if (random.chance(30)) lost.push_back(c);
  const Fabric left = without(whole, {lost, {}});
  const DamagedFabric damaged(left);
  const std::vector<bool>& alive = damaged.alive();
  const std::vector<bool> before = directions.bits();
  const unsigned turned =
      directions.join_roots(routes, alive, random.chance(50) ? &random : nullptr);
  std::set<std::pair<SwitchId, SwitchId>> pairs;
  for (SwitchId s = 0; s < whole.num_switches(); ++s)
    for (const AdjacentLink& way : routes.links(s)) {
      RC_ASSERT(directions.up(way.out) != directions.up(way.in));
      if (alive[way.out] && before[way.out] != directions.bits()[way.out])
        pairs.emplace(std::min(s, way.to), std::max(s, way.to));
    }
  RC_ASSERT(pairs.size() == turned);
  const auto roots = [&](const std::vector<bool>& delivered, SwitchId s) {
    std::vector<SwitchId> found, list = damaged.component(s);
    for (const SwitchId t : list)
      if (std::ranges::none_of(routes.links(t), [&](const AdjacentLink& way) {
            return delivered[way.out] && directions.up(way.out);
          }))
        found.push_back(t);
    return found.size();
  };
  for (SwitchId s = 0; s < whole.num_switches(); ++s) RC_ASSERT(roots(alive, s) == 1u);
  const auto ordered = [&](const std::vector<bool>& delivered) {
    const std::vector<SwitchId> order = directions.from_below(routes, delivered);
    RC_ASSERT(order.size() == whole.num_switches());
    std::map<SwitchId, std::size_t> place;
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    for (SwitchId s = 0; s < whole.num_switches(); ++s)
      for (const AdjacentLink& way : routes.links(s))
        if (delivered[way.out] && directions.up(way.out)) RC_ASSERT(place[s] < place[way.to]);
  };
  ordered(alive);
  // All lost cables are restored: the other cables keep their directions.
  const std::vector<bool> joined = directions.bits();
  const DamagedFabric again(whole);
  directions.direct_restored(routes, again.alive(), lost);
  ordered(again.alive());
  for (SwitchId s = 0; s < whole.num_switches(); ++s)
    for (const AdjacentLink& way : routes.links(s)) {
      RC_ASSERT(directions.up(way.out) != directions.up(way.in));
      if (alive[way.out]) RC_ASSERT(directions.up(way.out) == joined[way.out]);
    }
}

}  // namespace
}  // namespace selvedge
