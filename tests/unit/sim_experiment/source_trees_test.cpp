// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Source trees: each member is reached once, over a shortest path, and nobody else is.
#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "plugin/fabric/generators.hpp"
#include "plugin/fabric/stable_random.hpp"
#include "sim/experiment/source_trees.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/random_fabric.hpp"

namespace selvedge::sim {
namespace {

std::vector<unsigned> distances(const Fabric& fabric, SwitchId from) {
  std::vector<unsigned> far(fabric.num_switches(), UINT_MAX);
  std::deque<SwitchId> next = {from};
  far[from] = 0;
  for (; !next.empty(); next.pop_front())
    for (const Channel way : fabric.out(next.front()))
      if (const SwitchId there = fabric.target(way); far[there] == UINT_MAX) {
        far[there] = far[next.front()] + 1;
        next.push_back(there);
      }
  return far;
}

TEST(SourceTrees, ReachEachMemberOnceOverAShortestPath) {
  StableRandom draw(selvedge::test::draw_seed());
  std::size_t reached = 0;
  for (unsigned i = 0; i < 60; ++i) {
    const auto below = [&](std::uint64_t n) { return static_cast<unsigned>(draw.below(n)); };
    const Fabric fabric = selvedge::test::random_irregular(
        {1 + below(8), below(6), 2 + below(8), below(2), draw.next()}, {});
    if (fabric.num_hosts() == 0) continue;
    std::vector<MulticastGroup> groups(1 + below(3));
    for (MulticastGroup& group : groups)
      for (HostId h = 0; h < fabric.num_hosts(); ++h)
        if (draw.chance(50)) group.members.push_back(h);
    const MulticastTables trees = source_trees(fabric, groups);
    for (HostId source = 0; source < fabric.num_hosts(); ++source) {
      if (!fabric.attached(source)) continue;
      const std::vector<unsigned> far = distances(fabric, fabric.host(source).at);
      for (std::size_t g = 0; g < groups.size(); ++g) {
        const MulticastTree& tree = trees.at(mlid_of(g, source, fabric));
        std::map<HostId, unsigned> found;
        std::deque<std::pair<Channel, unsigned>> steps = {{fabric.injection(source), 0}};
        std::size_t visits = 0;
        for (; !steps.empty(); steps.pop_front()) {
          ASSERT_LE(++visits, fabric.num_channels()) << "a loop";
          const auto [by, hops] = steps.front();
          const Channel there = fabric.peer(by);
          ASSERT_NE(there, kNoChannel);
          if (!fabric.from_switch(there)) {
            EXPECT_TRUE(found.emplace(fabric.host_of(there), hops).second) << "twice";
            continue;
          }
          for (unsigned p = 1; p <= fabric.node(fabric.switch_of(there)).ports; ++p)
            if (tree[fabric.switch_of(there)].test(p) && p != fabric.port_of(there))
              steps.emplace_back(fabric.channel(fabric.switch_of(there), static_cast<PortNum>(p)),
                                 hops + 1);
        }
        std::map<HostId, unsigned> expected;
        for (const HostId member : groups[g].receivers(source))
          if (fabric.attached(member) && far[fabric.host(member).at] != UINT_MAX)
            expected[member] = far[fabric.host(member).at] + 1;
        EXPECT_EQ(found, expected);
        reached += found.size();
      }
    }
  }
  EXPECT_GT(reached, 300u);
}

}  // namespace
}  // namespace selvedge::sim
