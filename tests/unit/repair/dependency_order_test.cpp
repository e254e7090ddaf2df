// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/dependency_order.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "plugin/fabric/generators.hpp"

namespace selvedge {
namespace {

using Edge = DependencyOrder::Edge;
using Node = DependencyOrder::Node;

/// A ring S-0 … S-3, port 2 towards the next one: four channels clockwise.
class Ring : public ::testing::Test {
 protected:
  Edge clockwise(SwitchId s, Vl from = 0, Vl to = 0) const {
    return {{fabric_.channel(s, 2), from}, {fabric_.channel((s + 1) % 4, 2), to}};
  }
  const Fabric fabric_ = torus({4});
};

TEST_F(Ring, AnOrderFromOutsideIsLookedAt) {
  DependencyOrder order(fabric_, 1);
  order.put(clockwise(0));
  order.put(clockwise(1));
  std::vector<std::uint32_t> ranks(fabric_.num_switch_channels(), 0);
  for (SwitchId s = 0; s < 4; ++s) ranks[fabric_.channel(s, 2)] = s + 1;
  order.set_order(ranks);
  EXPECT_TRUE(order.agrees(clockwise(1)));
  EXPECT_TRUE(order.acyclic());
  order.put(clockwise(3));  // this edge is against the order, but closes no cycle yet
  EXPECT_FALSE(order.agrees(clockwise(3)));
  EXPECT_TRUE(order.acyclic());
  order.put(clockwise(2));
  EXPECT_FALSE(order.acyclic());
  order.set_order(ranks);
  EXPECT_FALSE(order.acyclic());
}

TEST_F(Ring, RefusesTheLastDependencyOfACycle) {
  DependencyOrder order(fabric_, 1);
  ASSERT_TRUE(order.order());
  EXPECT_TRUE(order.add({clockwise(2), clockwise(0)}));
  EXPECT_TRUE(order.add({clockwise(1)}));
  EXPECT_FALSE(order.add({clockwise(3)}));
  EXPECT_FALSE(order.has(clockwise(3)));
  EXPECT_TRUE(order.has(clockwise(1)));
}

TEST_F(Ring, AddsAllOrNone) {
  DependencyOrder order(fabric_, 1);
  order.put(clockwise(0));
  order.put(clockwise(1));
  ASSERT_TRUE(order.order());
  EXPECT_FALSE(order.add({clockwise(2), clockwise(3)}));
  EXPECT_FALSE(order.has(clockwise(2)));
  EXPECT_TRUE(order.add({clockwise(3)}));  // each of the two edges alone closes no cycle
  EXPECT_FALSE(order.add({clockwise(2)}));
}

TEST_F(Ring, AnotherVlBreaksTheCycle) {
  DependencyOrder order(fabric_, 2);
  for (SwitchId s = 0; s < 3; ++s) order.put(clockwise(s));
  ASSERT_TRUE(order.order());
  EXPECT_TRUE(order.add({clockwise(3, 0, 1)}));
  EXPECT_FALSE(order.add({clockwise(0, 1, 0)}));
}

TEST_F(Ring, ACycleFromTheStartIsFound) {
  DependencyOrder order(fabric_, 1);
  for (SwitchId s = 0; s < 4; ++s) order.put(clockwise(s));
  EXPECT_FALSE(order.order());
}

/// Whether these edges have a cycle, found by removing nodes without predecessors.
bool has_cycle(const std::set<std::pair<unsigned, unsigned>>& edges, unsigned nodes) {
  std::vector<unsigned> before(nodes, 0), ready;
  for (const auto& [from, to] : edges) ++before[to];
  for (unsigned n = 0; n < nodes; ++n)
    if (before[n] == 0) ready.push_back(n);
  for (std::size_t i = 0; i < ready.size(); ++i)
    for (const auto& [from, to] : edges)
      if (from == ready[i] && --before[to] == 0) ready.push_back(to);
  return ready.size() < nodes;
}

RC_GTEST_PROP(DependencyOrder, AgreesWithASearchOfTheWholeGraph, ()) {
  const Fabric fabric = mesh({2, 3});
  constexpr unsigned kVls = 2;
  const auto number = [&](const Node& n) { return n.channel * kVls + n.vl; };
  std::vector<Edge> all;
  for (Channel c = 0; c < fabric.num_switch_channels(); ++c) {
    if (!fabric.between_switches(c)) continue;
    for (const Channel next : fabric.out(fabric.target(c)))
      for (unsigned vls = 0; vls < 4; ++vls)
        all.push_back({{c, static_cast<Vl>(vls & 1u)}, {next, static_cast<Vl>(vls >> 1)}});
  }
  DependencyOrder order(fabric, kVls);
  RC_ASSERT(order.order());
  // Edges are taken out again between the attempts, so that an edge that was refused may be added.
  std::vector<Edge> added;
  const auto there = [&] {
    std::set<std::pair<unsigned, unsigned>> pairs;
    for (const Edge& e : added) pairs.emplace(number(e.from), number(e.to));
    return pairs;
  };
  const auto picks =
      *rc::gen::container<std::vector<std::pair<std::vector<std::size_t>, unsigned>>>(
          rc::gen::pair(rc::gen::container<std::vector<std::size_t>>(
                            rc::gen::inRange<std::size_t>(0, all.size())),
                        rc::gen::inRange(0u, 100u)));
  for (const auto& [pick, out] : picks) {
    std::vector<Edge> edges;
    auto then = there();
    for (const std::size_t i : pick) {
      edges.push_back(all[i]);
      then.emplace(number(all[i].from), number(all[i].to));
    }
    const bool good = !has_cycle(then, fabric.num_switch_channels() * kVls);
    RC_ASSERT(order.add(edges) == good);
    if (good) added.insert(added.end(), edges.begin(), edges.end());
    for (unsigned i = 0; i < out % 4 && !added.empty(); ++i) {
      const auto which = added.begin() + static_cast<std::ptrdiff_t>((out + i) % added.size());
      order.take(*which);
      added.erase(which);
    }
    const auto now = there();
    for (const Edge& e : all)
      RC_ASSERT(order.has(e) == now.contains({number(e.from), number(e.to)}));
  }
}

/// Whatever edges are added and removed, acyclic() gives the same answer as a search of the whole
/// graph.
RC_GTEST_PROP(DependencyOrder, AcyclicIsWhatANewOrderSays, ()) {
  const Fabric fabric = mesh({2, 3});
  std::vector<Edge> all;
  for (Channel c = 0; c < fabric.num_switch_channels(); ++c) {
    if (!fabric.between_switches(c)) continue;
    for (const Channel next : fabric.out(fabric.target(c))) all.push_back({{c, 0}, {next, 0}});
  }
  DependencyOrder order(fabric, 1);
  std::vector<Edge> there;
  const auto steps = *rc::gen::container<std::vector<std::pair<bool, std::size_t>>>(
      rc::gen::pair(rc::gen::arbitrary<bool>(), rc::gen::inRange<std::size_t>(0, all.size())));
  for (const auto& [in, i] : steps) {
    if (in || there.empty()) {
      order.put(all[i]);
      there.push_back(all[i]);
    } else {
      order.take(there[i % there.size()]);
      there.erase(there.begin() + static_cast<std::ptrdiff_t>(i % there.size()));
    }
    std::set<std::pair<unsigned, unsigned>> edges;
    for (const Edge& e : there) edges.emplace(e.from.channel, e.to.channel);
    RC_ASSERT(order.acyclic() == !has_cycle(edges, fabric.num_switch_channels()));
  }
}

}  // namespace
}  // namespace selvedge
