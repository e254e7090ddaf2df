// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// HyperX, dragonfly and Slim Fly: sizes, degrees and diameters that their papers state.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "plugin/fabric/spec.hpp"

namespace selvedge {
namespace {

/// The longest distance between two switches; UINT_MAX if some two are not connected.
unsigned diameter(const Fabric& fabric) {
  unsigned longest = 0;
  for (SwitchId from = 0; from < fabric.num_switches(); ++from) {
    std::vector<unsigned> distance(fabric.num_switches(), UINT32_MAX);
    std::vector<SwitchId> queue{from};
    distance[from] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (const Channel c : fabric.out(queue[i])) {
        const SwitchId to = fabric.target(c);
        if (distance[to] != UINT32_MAX) continue;
        distance[to] = distance[queue[i]] + 1;
        queue.push_back(to);
      }
    longest = std::max(longest, std::ranges::max(distance));
  }
  return longest;
}

struct Size {
  const char* spec;
  unsigned switches, hosts, degree, diameter;
};

TEST(LowDiameter, HasTheSizesOfThePapers) {
  for (const Size& size :
       {Size{"hyperx:4x4x4", 64, 64, 9, 3}, Size{"hyperx:3x5,hosts=2", 15, 30, 6, 2},
        Size{"hyperx:2x2x2", 8, 8, 3, 3}, Size{"dragonfly:a=4,h=2,p=2", 36, 72, 5, 3},
        Size{"dragonfly:a=1,h=3,p=1", 4, 4, 3, 1}, Size{"dragonfly:a=6,h=3,p=3", 114, 342, 8, 3},
        Size{"slimfly:q=5", 50, 200, 7, 2}, Size{"slimfly:q=7,hosts=1", 98, 98, 11, 2},
        Size{"slimfly:q=11,hosts=1", 242, 242, 17, 2},
        Size{"slimfly:q=13,hosts=1", 338, 338, 19, 2}}) {
    const Fabric f = make_fabric(size.spec);
    EXPECT_EQ(f.num_switches(), size.switches) << size.spec;
    EXPECT_EQ(f.num_hosts(), size.hosts) << size.spec;
    EXPECT_EQ(diameter(f), size.diameter) << size.spec;
    for (SwitchId s = 0; s < f.num_switches(); ++s) {
      std::set<SwitchId> near;
      for (const Channel c : f.out(s)) near.insert(f.target(c));
      EXPECT_EQ(near.size(), size.degree) << size.spec << ", switch " << s;
      EXPECT_EQ(f.out(s).size(), size.degree) << size.spec << ", switch " << s;
    }
  }
}

// Two groups of a dragonfly have exactly one cable.
TEST(LowDiameter, GroupsOfADragonflyAreJoinedOnce) {
  const Fabric f = make_fabric("dragonfly:a=4,h=2,p=2");
  std::multiset<std::pair<SwitchId, SwitchId>> joined;
  for (const Channel c : f.links()) {
    const SwitchId a = f.switch_of(c) / 4, b = f.target(c) / 4;
    if (a != b) joined.insert(std::minmax(a, b));
  }
  EXPECT_EQ(joined.size(), 9u * 8 / 2);
  EXPECT_EQ(std::set(joined.begin(), joined.end()).size(), joined.size());
}

TEST(LowDiameter, NamesSayThePlace) {
  const Fabric x = make_fabric("hyperx:2x3");
  EXPECT_EQ(x.node(5).name, "S-1-2");
  EXPECT_EQ(x.port_name(x.channel(0, 1)), "S-0-0:1");
  EXPECT_EQ(x.target(x.channel(0, 1)), 3u);  // the slowest dimension first
  EXPECT_EQ(make_fabric("dragonfly:a=4,h=2,p=2").node(7).name, "S-1-3");
  EXPECT_EQ(make_fabric("slimfly:q=5").node(49).name, "S-1-4-4");
}

TEST(LowDiameter, ARandomRegularGraphIsAnIrregularFabricOfThatDegree) {
  const Fabric regular = make_fabric("random-regular:switches=60,degree=6,hosts=2,seed=3");
  EXPECT_EQ(regular, make_fabric("irregular:switches=60,degree=6,hosts=2,seed=3"));
  EXPECT_THROW(make_fabric("random-regular:switches=5,degree=3"), InputError);
}

TEST(LowDiameter, BadSizesAreRefused) {
  for (const char* spec : {"hyperx:1x4", "hyperx:4", "hyperx:", "hyperx:300", "hyperx:99999x99999",
                           "dragonfly:a=0,h=1,p=1", "dragonfly:a=4,h=0,p=1", "dragonfly:a=4,h=2",
                           "dragonfly:a=200,h=50,p=20", "slimfly:q=4", "slimfly:q=6", "slimfly:q=3",
                           "slimfly:q=200", "slimfly:"}) {
    if (std::string_view(spec) == "hyperx:4") {  // a complete graph
      EXPECT_EQ(make_fabric(spec).num_switches(), 4u);
      continue;
    }
    EXPECT_THROW(make_fabric(spec), InputError) << spec;
  }
}

}  // namespace
}  // namespace selvedge
