// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The proof of adaptive forwarding, compared with a slow one that follows each packet separately,
// and its verdict on fabrics where the result is known.
#include "plugin/verify/adaptive.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <tuple>

#include "tests/support/routed.hpp"
#include "tests/support/torus_tables.hpp"
#include "tests/unit/verify/random_subnet.hpp"
#include "tests/unit/verify/reference.hpp"

namespace {

using namespace selvedge;
using reference::Edges;
using reference::Node;

/// The slow proof, packet by packet.
struct Slow {
  Slow(const Fabric& f, const Tables& t, Carried carried) : fabric(f), tables(t) {
    for (HostId to = 0; to < f.num_hosts(); ++to)
      for (HostId from = 0; from < f.num_hosts(); ++from)
        if (from != to && f.attached(from) && f.attached(to) && f.host(to).lid != kNoLid &&
            together(f.host(from).at, f.host(to).at))
          for (const Lid dlid : carried_by(from, to, carried)) follow(from, to, dlid);
    deadlock_free = !reference::cyclic(ways_edges);
    own_free = own_there && !reference::cyclic(own_edges);
    escape_free = own_there && !reference::cyclic(escape_edges);
  }

  bool together(SwitchId a, SwitchId b) const {
    std::set<SwitchId> seen{a};
    std::vector<SwitchId> todo{a};
    for (std::size_t i = 0; i < todo.size(); ++i)
      for (const Channel c : fabric.out(todo[i]))
        if (seen.insert(fabric.target(c)).second) todo.push_back(fabric.target(c));
    return seen.contains(b);
  }

  std::vector<Lid> lids(HostId h) const {
    std::vector<Lid> all;
    for (unsigned i = 0; i < fabric.host(h).lid_count(); ++i)
      all.push_back(static_cast<Lid>(fabric.host(h).lid + i));
    return all;
  }

  std::vector<Lid> carried_by(HostId from, HostId to, Carried carried) const {
    std::vector<Lid> with_route;
    for (const Lid lid : lids(to))
      if (tables.next(fabric.host(from).at, lid) != kNoPort) with_route.push_back(lid);
    if (with_route.empty()) return {fabric.host(to).lid};
    if (carried == Carried::kFirst) with_route.resize(1);
    return with_route;
  }

  /// Where a packet that has arrived over channel c goes next by the port of this LID; nothing if
  /// it is dropped.
  std::optional<Node> step(Channel c, Lid dlid, Sl sl) const {
    const Channel arrived = fabric.peer(c);
    const SwitchId s = fabric.switch_of(arrived);
    const PortNum out = tables.next(s, dlid);
    if (out == 0 || out > fabric.node(s).ports) return {};
    if (fabric.peer(fabric.channel(s, out)) == kNoChannel) return {};
    const Vl vl = tables.sl2vl.row(s, fabric.port_of(arrived), out)[sl];
    if (vl == kDropVl) return {};
    return Node{fabric.channel(s, out), vl};
  }

  void follow(HostId from, HostId to, Lid dlid) {
    const Sl sl = tables.sl(fabric.host(from).at, dlid);
    if (tables.host_sl2vl[sl] == kDropVl) {
      delivered = false;
      return;
    }
    Edges here;
    std::set<Node> seen{{fabric.injection(from), 0}};
    std::vector<Node> todo(seen.begin(), seen.end());
    while (!todo.empty()) {
      const Node at = todo.back();
      todo.pop_back();
      unsigned ways = 0;
      for (const Lid lid : lids(to)) {
        const auto next = step(at.first, lid, sl);
        if (!next) continue;
        ++ways;
        if (!fabric.between_switches(next->first)) {
          if (fabric.peer(next->first) != fabric.injection(to)) delivered = false;
          continue;
        }
        if (fabric.between_switches(at.first)) here.insert({at, *next});
        if (seen.insert(*next).second) todo.push_back(*next);
      }
      if (ways == 0) delivered = false;
      const auto own = step(at.first, dlid, sl);
      if (!own) {
        own_there = false;
        continue;
      }
      if (!fabric.between_switches(own->first)) continue;
      if (fabric.between_switches(at.first)) own_edges.insert({at, *own});
      if (const auto after = step(own->first, dlid, sl);
          after && fabric.between_switches(after->first))
        escape_edges.insert({*own, *after});
    }
    if (reference::cyclic(here)) loop_free = false;
    ways_edges.insert(here.begin(), here.end());
  }

  const Fabric& fabric;
  const Tables& tables;
  bool delivered = true, loop_free = true, own_there = true;
  bool deadlock_free = true, own_free = true, escape_free = true;
  Edges ways_edges, own_edges, escape_edges;
};

/// Checks each witness of a failure with the slow proof; returns what is wrong with one, if
/// anything.
std::optional<std::string> bad_witness(const Slow& slow, const AdaptiveVerdict& verdict) {
  for (const Witness& w : verdict.witnesses) {
    if (w.text.empty()) return "a witness without a text";
    if (w.channels.empty()) continue;
    std::string round;  // the channels in words, and the first again
    for (std::size_t i = 0; i <= w.channels.size(); ++i) {
      const std::size_t at = i % w.channels.size();
      if (i > 0) round += " -> ";
      round += slow.fabric.port_name(w.channels[at]);
      if (w.kind == Witness::Kind::kCycle) round += fmt::format(" VL{}", w.vls[at]);
    }
    if (w.kind == Witness::Kind::kCycle ? w.text != round
                                        : !w.text.ends_with(" may loop: " + round))
      return w.text + " is not " + round;
    if (w.kind != Witness::Kind::kCycle) continue;
    const Edges& edges = w.property == "own_free"      ? slow.own_edges
                         : w.property == "escape_free" ? slow.escape_edges
                                                       : slow.ways_edges;
    for (std::size_t i = 0; i < w.channels.size(); ++i) {
      const std::size_t j = (i + 1) % w.channels.size();
      if (!edges.contains({{w.channels[i], w.vls[i]}, {w.channels[j], w.vls[j]}}))
        return w.text + " is no cycle";
    }
  }
  for (const auto& [holds, name] :
       {std::pair{verdict.delivered, "delivered"}, std::pair{verdict.loop_free, "loop_free"},
        std::pair{verdict.deadlock_free, "deadlock_free"}, std::pair{verdict.own_free, "own_free"},
        std::pair{verdict.escape_free, "escape_free"}})
    if (holds == (verdict.witness_of(name) != nullptr)) return std::string("witness of ") + name;
  return {};
}

RC_GTEST_PROP(Adaptive, AgreesWithWalkingEachPacket, ()) {
  const auto seed = *rc::gen::arbitrary<unsigned>();
  const unsigned switches = *rc::gen::inRange(2u, 8u);
  const unsigned changes = *rc::gen::weightedElement<unsigned>({{4, 0}, {2, 1}, {1, 6}});
  const auto carried = *rc::gen::element(Carried::kAny, Carried::kFirst);
  for (unsigned i = 0; i < 30; ++i) {
    random_subnet::Random random(seed + i);
    const auto [fabric, tables] = random_subnet::disturbed(random, switches, changes, 20);
    const AdaptiveVerdict verdict = verify_adaptive(fabric, tables, carried);
    const Slow slow(fabric, tables, carried);
    const auto facts = [](const auto& v) {
      return std::tuple(v.delivered, v.loop_free, v.deadlock_free, v.own_free, v.escape_free);
    };
    if (facts(verdict) != facts(slow)) {
      std::string text = "seed " + std::to_string(seed + i) + ":";
      for (const Witness& w : verdict.witnesses) text += " " + w.property + ": " + w.text + ";";
      RC_FAIL(text);
    }
    if (const auto wrong = bad_witness(slow, verdict))
      RC_FAIL("seed " + std::to_string(seed + i) + ": " + *wrong);
  }
}

/// With one LID a host, packets have no choice, and the verdict equals verify()'s.
RC_GTEST_PROP(Adaptive, OfOnePathIsThatPath, ()) {
  const auto seed = *rc::gen::arbitrary<unsigned>();
  for (unsigned i = 0; i < 30; ++i) {
    random_subnet::Random random(seed + i);
    const Fabric fabric = assign_lids(random_subnet::fabric(random, 7), 0);
    const Tables tables = random_subnet::route(fabric, random_subnet::Style{}, random);
    const AdaptiveVerdict mixture = verify_adaptive(fabric, tables);
    RC_ASSERT(mixture.delivered);
    RC_ASSERT(mixture.loop_free);
    RC_ASSERT(mixture.own_free == mixture.deadlock_free);
    RC_ASSERT(mixture.escape_free == mixture.deadlock_free);
    // verify() also includes paths that begin at switches' own port 0, so it may find more.
    if (verify(fabric, tables).verdict().deadlock_free) RC_ASSERT(mixture.deadlock_free);
  }
}

/// The paths of two sources with different SLs join: both SLs must be followed to the end.
TEST(Adaptive, FollowsEverySlThatJoinsAPath) {
  //  H0 S0 ─┐
  //         S2 ── S3 ── S4 H2
  //  H1 S1 ─┘
  FabricBuilder builder;
  for (unsigned s = 0; s < 5; ++s)
    builder.add_switch({.name = "S" + std::to_string(s), .ports = 4});
  for (const SwitchId s : {0u, 1u, 4u})
    builder.add_host({.name = "H" + std::to_string(s), .at = s, .port = 4});
  builder.connect(0, 1, 2, 1);
  builder.connect(1, 1, 2, 2);
  builder.connect(2, 3, 3, 1);
  builder.connect(3, 2, 4, 1);
  const Fabric fabric = assign_lids(std::move(builder).build("two sources"), 0);
  const Lid to = fabric.host(2).lid;
  for (const Sl dropped : {0, 1, 2}) {
    Tables tables(fabric);
    for (const auto& [s, port] : {std::pair{0u, 1}, {1u, 1}, {2u, 3}, {3u, 2}, {4u, 4}})
      for (const Host& h : fabric.hosts()) tables.set_next(s, h.lid, static_cast<PortNum>(port));
    for (const HostId h : {0u, 1u}) {  // entries for the way back, which this test does not check
      tables.set_next(4, fabric.host(h).lid, 1);
      tables.set_next(3, fabric.host(h).lid, 1);
      tables.set_next(2, fabric.host(h).lid, static_cast<PortNum>(h + 1));
      tables.set_next(h, fabric.host(h).lid, 4);
      tables.set_next(1 - h, fabric.host(h).lid, 1);
    }
    tables.set_sl(1, to, 1);
    Sl2VlRow row{};
    row[dropped] = kDropVl;
    tables.sl2vl.set(4, 1, 4, row);
    EXPECT_EQ(verify_adaptive(fabric, tables).delivered, dropped == 2) << unsigned{dropped};
  }
}

/// Every path of d-mod-k goes up, then down, so their mixture is free of deadlock.
TEST(Adaptive, OfAFatTreesPathsUpIsDeadlockFree) {
  for (const auto& [k, n] : {std::pair{2u, 3u}, std::pair{4u, 3u}}) {
    const test::Routed tree(k_ary_n_tree(k, n), "dmodk", k == 2 ? 1 : 2);
    const AdaptiveVerdict v = verify_adaptive(tree.fabric, tree.routing.tables);
    EXPECT_TRUE(v.delivered && v.loop_free && v.deadlock_free && v.own_free && v.escape_free);
    EXPECT_TRUE(v.witnesses.empty());
  }
}

/// Paths in four disjoint trees: each tree's paths are correct, but a packet that may change from
/// one tree to another can go back and forth for ever.
TEST(Adaptive, OfDisjointDetoursLoops) {
  const test::Routed grid(torus({4, 4}, 1), "spftr", 2);
  ASSERT_TRUE(verify(grid.fabric, grid.routing.tables).verdict().deadlock_free);
  const AdaptiveVerdict v = verify_adaptive(grid.fabric, grid.routing.tables);
  EXPECT_FALSE(v.loop_free);
  EXPECT_FALSE(v.deadlock_free);
  ASSERT_NE(v.witness_of("loop_free"), nullptr);
  EXPECT_GE(v.witness_of("loop_free")->channels.size(), 2u);
}

/// A mixture of minimal paths has no loop, but on a torus it can deadlock, since the rings are
/// closed. That holds even if dimension-order paths are always among the alternatives.
TEST(Adaptive, OfMinimalPathsOnATorusIsLoopFreeButMayDeadlock) {
  const Fabric fabric = test::torus_2d(5, 5, 2);
  const AdaptiveVerdict v = verify_adaptive(fabric, test::dimension_order(fabric, 5, 5));
  EXPECT_TRUE(v.delivered);
  EXPECT_TRUE(v.loop_free);
  EXPECT_FALSE(v.deadlock_free);
  EXPECT_FALSE(v.own_free);
  EXPECT_FALSE(v.escape_free);
}

/// Martínez 2005 §4.1: paths to a destination's first LID are up*/down*, those to its other LIDs
/// are minimal. The mixture is free of deadlock with escape queues for the first LID, and only if
/// packets carry that LID.
TEST(Adaptive, WithUpDownAsEscapePath) {
  const test::Routed base(torus({5, 5}, 1), "updn", 2);
  Tables tables = test::dimension_order(base.fabric, 5, 5);
  for (const Host& host : base.fabric.hosts())
    for (SwitchId s = 0; s < base.fabric.num_switches(); ++s)
      tables.set_next(s, host.lid, base.routing.tables.next(s, host.lid));
  const AdaptiveVerdict v = verify_adaptive(base.fabric, tables, Carried::kFirst);
  EXPECT_TRUE(v.delivered);
  EXPECT_FALSE(v.deadlock_free);
  EXPECT_FALSE(v.own_free);
  EXPECT_TRUE(v.escape_free);
  EXPECT_FALSE(verify_adaptive(base.fabric, tables, Carried::kAny).escape_free);
}

}  // namespace
