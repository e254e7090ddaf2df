// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Every change from proved tables to proved tables has a proved order, whatever the old multicast
// tree is: where it is in the way, groups pause. Judges are the verifier, for mixtures of old and
// new tables, and dependencies counted packet by packet (slow_twin.hpp), for packets in flight.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "plugin/engines/engine.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/spec.hpp"
#include "plugin/transition/order.hpp"
#include "plugin/transition/paused_groups.hpp"
#include "plugin/transition/safety.hpp"
#include "plugin/verify/verify.hpp"
#include "tests/support/drawing.hpp"
#include "tests/support/random_fabric.hpp"
#include "tests/unit/transition/slow_twin.hpp"

namespace {

using namespace selvedge;
using Method = SendPlan::Method;

/// A group whose tree is a random spanning forest, with all hosts as members.
MulticastTables random_tree(const Fabric& fabric, StableRandom& random) {
  std::vector<Channel> cables(fabric.links().begin(), fabric.links().end());
  for (std::size_t i = cables.size(); i > 1; --i) std::swap(cables[i - 1], cables[random.below(i)]);
  std::vector<SwitchId> part(fabric.num_switches());
  std::iota(part.begin(), part.end(), SwitchId{0});
  MulticastTables groups;
  MulticastTree& tree = groups[kMinMulticastLid];
  tree.resize(fabric.num_switches());
  for (const Channel c : cables) {
    const SwitchId a = fabric.switch_of(c), b = fabric.target(c);
    if (part[a] == part[b]) continue;
    std::ranges::replace(part, SwitchId{part[b]}, SwitchId{part[a]});
    tree[a].set(fabric.port_of(c));
    tree[b].set(fabric.port_of(fabric.peer(c)));
  }
  for (HostId h = 0; h < fabric.num_hosts(); ++h)
    if (fabric.attached(h)) tree[fabric.host(h).at].set(fabric.host(h).port);
  return groups;
}

bool is_deadlock_free(const Fabric& fabric, const Tables& tables) {
  return verify(fabric, tables).verdict().deadlock_free;
}

/// Tables with a multicast tree, both together free of deadlock: mostly with a random tree, else
/// with the engine's.
Tables with_tree(const Fabric& fabric, const Routing& routing, StableRandom& random) {
  Tables tables = routing.tables;
  constexpr unsigned kTries = 8;
  for (unsigned tries = 0; tries < kTries && random.chance(90); ++tries) {
    tables.mft = random_tree(fabric, random);
    if (is_deadlock_free(fabric, tables)) return tables;
  }
  tables.mft = broadcast_group(fabric, routing.multicast);
  return tables;
}

Routing routed(const Fabric& fabric, StableRandom& random) {
  constexpr const char* kEngines[] = {"updn", "tftr", "spf", "balanced"};
  EngineRequest request;
  request.tree = EngineRequest::Tree::kBfs;
  request.root = static_cast<SwitchId>(random.below(fabric.num_switches()));
  try {
    Routing made =
        find_engine(kEngines[random.below(std::size(kEngines))]).compute(fabric, request);
    if (is_deadlock_free(fabric, made.tables)) return made;
  } catch (const std::exception&) {  // the engine refuses the fabric
  }
  return find_engine("updn").compute(fabric, request);
}

/// The packets of groups in a drain interval, counted one by one. A switch sends them out of all
/// ports of the group but the port of arrival. They come from hosts, and from each neighbour that
/// sends or has sent to the switch.
class SlowGroups {
 public:
  explicit SlowGroups(const Fabric& fabric) : fabric_(fabric), seen_(fabric.num_switches()) {}

  const slow_twin::Edges& edges() const { return edges_; }
  /// A phase, in which each table may be the one before or the one after.
  void advance(const MulticastTree& tree, const std::vector<const Sl2Vl*>& rows) {
    for (SwitchId s = 0; s < tree.size(); ++s) seen_[s] |= tree[s];
    each_port(tree, rows, [&](SwitchId s, PortNum in, Channel out, Vl vl) {
      const Channel back = fabric_.peer(fabric_.channel(s, in));
      const bool by_switch = back != kNoChannel && fabric_.from_switch(back);
      const bool enters = by_switch ? seen_[fabric_.switch_of(back)].test(fabric_.port_of(back))
                                    : seen_[s].test(in) && (in == 0 || back != kNoChannel);
      if (enters) packets_.emplace(out, vl);
    });
    each_port(tree, rows, [&](SwitchId s, PortNum in, Channel out, Vl vl) {
      const Channel back = fabric_.peer(fabric_.channel(s, in));
      for (const auto& [c, from] : packets_)
        if (c == back) edges_.insert({{c, from}, {out, vl}});
    });
  }

 private:
  /// Calls f for each way through a switch that the tree and a row permit.
  template <class F>
  void each_port(const MulticastTree& tree, const std::vector<const Sl2Vl*>& rows, F f) const {
    for (SwitchId s = 0; s < tree.size(); ++s)
      for (const Channel out : fabric_.out(s))
        for (unsigned in = 0; in <= fabric_.node(s).ports; ++in)
          for (const Sl2Vl* table : rows) {
            const PortNum to = fabric_.port_of(out);
            const Vl vl = table->row(s, static_cast<PortNum>(in), to)[0];
            if (in != to && tree[s].test(to) && vl != kDropVl)
              f(s, static_cast<PortNum>(in), out, vl);
          }
  }

  const Fabric& fabric_;
  MulticastTree seen_;
  std::set<slow_twin::Node> packets_;
  slow_twin::Edges edges_;
};

/// Whether the packets of each drain interval, of paths and of the group, close no cycle together.
bool acyclic_in_flight(const Fabric& fabric, const Tables& from, const SendPlan& plan) {
  const std::vector<slow_twin::Edges> paths =
      slow_twin::dependencies(fabric, from, plan, false, false);
  std::optional<SlowGroups> groups(fabric);
  Tables before = from;
  for (std::size_t p = 0; p < plan.phases.size(); ++p) {
    if (plan.phases[p].drain_first) groups.emplace(fabric);
    Tables after = before;
    slow_twin::apply(after, plan.phases[p]);
    // Each switch may have its ports of before or those of after.
    MulticastTables both = before.mft;
    for (const auto& [mlid, tree] : after.mft) {
      both[mlid].resize(tree.size());
      for (SwitchId s = 0; s < tree.size(); ++s) both[mlid][s] |= tree[s];
    }
    for (const auto& [mlid, tree] : both) groups->advance(tree, {&before.sl2vl, &after.sl2vl});
    slow_twin::Edges all = paths[p];
    all.insert(groups->edges().begin(), groups->edges().end());
    if (slow_twin::cyclic(all)) return false;
    before = after;
  }
  return true;
}

/// Whether random mixtures of the tables before and after each phase are free of deadlock.
bool mixtures_hold(const Fabric& fabric, const Tables& from, const SendPlan& plan,
                   StableRandom& random) {
  Tables before = from;
  for (const SendPhase& phase : plan.phases) {
    SendPhase part = phase;
    const auto drop_some = [&](auto& changes) {
      std::erase_if(changes, [&](const auto&) { return random.chance(50); });
    };
    drop_some(part.lft);
    drop_some(part.sl2vl);
    drop_some(part.mft);
    Tables mixed = before;
    slow_twin::apply(mixed, part);
    if (!is_deadlock_free(fabric, mixed)) return false;
    slow_twin::apply(before, phase);
  }
  return true;
}

struct TreeChange {
  Fabric fabric;
  Tables from, to;
  OrderRequest request;
};

/// Swaps VL 0 and VL 1 in some rows, if the tables stay free of deadlock.
void swap_some_vls(const Fabric& fabric, Tables& tables, StableRandom& random) {
  Tables other = tables;
  const auto share = static_cast<unsigned>(random.below(60));
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (unsigned in = 0; in <= fabric.node(s).ports; ++in)
      for (unsigned out = 0; out <= fabric.node(s).ports; ++out) {
        if (!random.chance(share)) continue;
        Sl2VlRow row = tables.sl2vl.row(s, static_cast<PortNum>(in), static_cast<PortNum>(out));
        for (Vl& vl : row) vl = static_cast<Vl>(vl < 2 ? 1 - vl : vl);
        other.sl2vl.set(s, static_cast<PortNum>(in), static_cast<PortNum>(out), row);
      }
  if (is_deadlock_free(fabric, other)) tables = std::move(other);
}

/// A change of all tables, or after a fault, or for a drain of a cable that works.
TreeChange draw_change(const Fabric& whole, StableRandom& random) {
  TreeChange change{whole, Tables(whole), Tables(whole), {}};
  const Routing before = routed(whole, random);
  change.from = with_tree(whole, before, random);
  Fault fault;
  if (random.chance(60) && !whole.links().empty())
    fault.links.push_back(whole.links()[random.below(whole.links().size())]);
  const Fabric left = without(whole, fault);
  const Routing after = routed(left, random);
  change.to = with_tree(left, after, random);
  if (random.chance(40)) swap_some_vls(left, change.to, random);
  change.request.near = switches_at_fault(whole, fault);
  change.request.lossless = random.chance(30);
  change.request.clear_at_rows = random.chance(30);
  change.request.groups_later = random.chance(60);
  if (!change.request.lossless) change.fabric = left;
  return change;
}

/// The plan, and the writes by which the subnet manager gives groups their new ports afterwards.
SendPlan with_groups(const Fabric& fabric, const Tables& from, const Tables& to, SendPlan plan) {
  Tables now = from;
  for (const SendPhase& phase : plan.phases) slow_twin::apply(now, phase);
  SendPhase writes;
  for (const MftChange& c : difference(now, to).mft)
    if (!fabric.node(c.at).failed) writes.mft.push_back(c);
  writes.drain_first = plan.groups_pause && plan.phases.size() == 1;  // so the sender waits
  plan.phases.push_back(std::move(writes));
  return plan;
}

/// Checks the order of a change; whether groups pause.
bool check_order(const TreeChange& change, StableRandom& random) {
  const auto& [fabric, from, to, request] = change;
  const SendPlan plan = send_plan(fabric, from, difference(from, to), request);
  RC_TAG(std::string(name_of(plan.method)) + (plan.groups_pause ? ", groups pause" : ""));
  RC_ASSERT(plan.method != Method::kWindow);
  RC_ASSERT(prove_safety(fabric, from, plan).deadlock_free);
  const SendPlan whole = request.groups_later ? with_groups(fabric, from, to, plan) : plan;
  RC_ASSERT(acyclic_in_flight(fabric, from, whole));
  RC_ASSERT(mixtures_hold(fabric, from, whole, random));
  Tables after = from;
  for (const SendPhase& phase : plan.phases) slow_twin::apply(after, phase);
  RC_ASSERT(is_deadlock_free(fabric, after));
  if (request.groups_later) {
    for (const auto& [mlid, tree] : after.mft)
      for (SwitchId s = 0; s < tree.size(); ++s)
        RC_ASSERT((tree[s] & ~from.mft.at(mlid)[s]).none());
    const bool lost = after.mft != from.mft;
    RC_ASSERT(plan.groups_pause == lost);
    after.mft = to.mft;
  }
  RC_ASSERT(difference(after, to).empty());
  if (plan.groups_pause)
    RC_ASSERT(name_of(plan.phases.at(0).kind) == name_of(SendPhase::Kind::kRemoveGroupPorts));
  return plan.groups_pause;
}

RC_GTEST_PROP(PausedGroups, EveryChangeOfProvedTablesHasAProvedOrder, ()) {
  const Fabric whole = *rc::gen::resize(
      100, test::irregular_fabric({.parallel = true, .pieces = false, .two_ports = false}, 8));
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  for (unsigned tries = 0; tries < 6; ++tries) check_order(draw_change(whole, random), random);
}

// Ports that groups keep lead to members, or are in the new tree and have the rows of before.
TEST(PausedGroups, LoseWhatTheNewTreeLacksAndPortsWhoseRowsChange) {
  const test::Drawing drawing("A───B───C");
  const Fabric& fabric = drawing.fabric();
  const auto port = [&](char from, char to) { return fabric.port_of(drawing.channel(from, to)); };
  constexpr PortNum kHost = 1;
  Tables from(fabric);
  MulticastTree& tree = from.mft[kMinMulticastLid];
  tree.resize(3);
  for (const char letter : {'A', 'B', 'C'}) tree[drawing.at(letter)].set(kHost);
  for (const auto& [a, b] : {std::pair('A', 'B'), {'B', 'A'}, {'B', 'C'}, {'C', 'B'}})
    tree[drawing.at(a)].set(port(a, b));

  Tables to = from;
  Sl2VlRow other{};
  other[3] = 1;  // also of an SL that no path uses
  to.sl2vl.set(drawing.at('B'), port('B', 'A'), port('B', 'C'), other);
  to.sl2vl.set(drawing.at('B'), port('B', 'A'), kHost, other);
  to.mft[kMinMulticastLid][drawing.at('A')].reset(port('A', 'B'));
  to.mft[kMinMulticastLid][drawing.at('C')].reset(kHost);
  // The ports that a switch has lost, as letters of the neighbours; h: its host.
  const auto lost = [&](bool keep_members) {
    std::string text;
    for (const MftChange& c :
         transition::paused_ports(fabric, from, difference(from, to), keep_members)) {
      const PortSet gone = c.before & ~c.after;
      text += fabric.node(c.at).name + ":";
      if (gone.test(kHost)) text += " h";
      for (const Channel out : fabric.out(c.at))
        if (gone.test(fabric.port_of(out))) text += " " + fabric.node(fabric.target(out)).name;
      text += ", ";
    }
    return text;
  };
  EXPECT_EQ(lost(true), "A: B, B: C, ");
  EXPECT_EQ(lost(false), "A: B, B: C, C: h, ");
}

// The property on regular fabrics with engines of several VLs, which have many paths to change.
// Some of these changes need a pause: else the test would say nothing.
TEST(PausedGroups, SomeChangesOfEnginesNeedAPause) {
  unsigned paused = 0;
  for (const auto& [spec, engine] : {std::pair("mesh:3x4", "tftr"), {"torus:4x4", "ist"}}) {
    const Fabric bare = make_fabric(spec, 0);
    const Engine& late = find_engine(engine);
    const Fabric fabric = assign_lids(bare, late.lmc(bare));
    const Routing now = find_engine("updn").compute(fabric, {}), then = late.compute(fabric, {});
    Tables from = now.tables, to = then.tables;
    from.mft = broadcast_group(fabric, now.multicast);
    to.mft = broadcast_group(fabric, then.multicast);
    OrderRequest request;
    request.groups_later = request.clear_at_rows = true;
    const SendPlan plan = send_plan(fabric, from, difference(from, to), request);
    EXPECT_NE(plan.method, Method::kWindow) << spec;
    EXPECT_TRUE(prove_safety(fabric, from, plan).deadlock_free) << spec;
    paused += plan.groups_pause;
    request.may_drain = false;
    const SendPlan hasty = send_plan(fabric, from, difference(from, to), request);
    EXPECT_FALSE(hasty.groups_pause);
    EXPECT_EQ(hasty.method, Method::kWindow);
  }
  EXPECT_GT(paused, 0u);
}

}  // namespace
