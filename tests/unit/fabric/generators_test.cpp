// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/generators.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "base/error.hpp"
#include "tests/support/random_fabric.hpp"

namespace selvedge {
namespace {

/// Every cable between switches as "S-0-0:2--S-1-0:1", sorted.
std::vector<std::string> cables(const Fabric& fabric) {
  std::vector<std::string> lines;
  for (const Channel c : fabric.links())
    lines.push_back(fabric.port_name(c) + "--" + fabric.port_name(fabric.peer(c)));
  std::ranges::sort(lines);
  return lines;
}

std::vector<std::string> hosts(const Fabric& fabric) {
  std::vector<std::string> lines;
  for (HostId h = 0; h < fabric.num_hosts(); ++h)
    lines.push_back(fabric.host(h).name + "@" + fabric.port_name(fabric.peer(fabric.injection(h))));
  return lines;
}

using Lines = std::vector<std::string>;

std::size_t reachable(const Fabric& fabric) {
  std::vector<bool> seen(fabric.num_switches(), false);
  std::vector<SwitchId> queue{0};
  seen[0] = true;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const Channel c : fabric.out(queue[i])) {
      if (seen[fabric.target(c)]) continue;
      seen[fabric.target(c)] = true;
      queue.push_back(fabric.target(c));
    }
  return queue.size();
}

/// Checks what holds for every fabric: peers are mutual, GUIDs are distinct. The fabric has
/// `pieces` components of equal size.
void expect_sound(const Fabric& fabric, std::size_t pieces = 1) {
  std::set<Guid> guids;
  for (const Switch& s : fabric.switches()) EXPECT_TRUE(guids.insert(s.guid).second) << s.name;
  for (const Host& h : fabric.hosts()) {
    EXPECT_TRUE(guids.insert(h.guid).second) << h.name;
    EXPECT_NE(h.node_guid, 0u);
    EXPECT_EQ(h.guid, h.node_guid + h.ca_port);
    EXPECT_FALSE(guids.contains(h.node_guid)) << h.name;
  }
  for (Channel c = 0; c < fabric.num_channels(); ++c) {
    if (fabric.peer(c) == kNoChannel) continue;
    EXPECT_EQ(fabric.peer(fabric.peer(c)), c);
    EXPECT_NE(fabric.peer(c), c);
  }
  EXPECT_EQ(reachable(fabric) * pieces, fabric.num_switches());
}

//        S-0-0 ─ S-0-1 ─ S-0-2 ─ S-0-3 ─ (S-0-0)
//          │       │       │       │            dimension 0 down: ports 1 (towards −1), 2 (+1)
//        S-1-0 ─ S-1-1 ─ S-1-2 ─ S-1-3 ─        dimension 1 right: ports 3 (−1), 4 (+1)
//          │       │       │       │            hosts on port 5
//        S-2-0 ─ S-2-1 ─ S-2-2 ─ S-2-3 ─
//          │       │       │       │
TEST(Torus, PortsAndNames) {
  const Fabric fabric = torus({3, 4});
  expect_sound(fabric);
  EXPECT_EQ(fabric.num_switches(), 12u);
  EXPECT_EQ(fabric.num_hosts(), 12u);
  EXPECT_EQ(fabric.links().size(), 24u);
  EXPECT_EQ(fabric.node(6).name, "S-1-2");  // row-major
  EXPECT_EQ(fabric.node(6).ports, 5);
  const SwitchId s = fabric.find_switch("S-1-3");
  const auto beyond = [&](PortNum p) {
    return fabric.port_name(fabric.peer(fabric.channel(s, p)));
  };
  EXPECT_EQ(beyond(1), "S-0-3:2");
  EXPECT_EQ(beyond(2), "S-2-3:1");
  EXPECT_EQ(beyond(3), "S-1-2:4");
  EXPECT_EQ(beyond(4), "S-1-0:3");  // the wraparound cable
  EXPECT_EQ(beyond(5), "H-1-3:1");
  EXPECT_EQ(fabric.host(7).name, "H-1-3");
}

TEST(Torus, SeveralHostsAndDimensions) {
  const Fabric fabric = torus({3, 4, 5}, 2);
  expect_sound(fabric);
  EXPECT_EQ(fabric.links().size(), 3u * 60);
  EXPECT_EQ(fabric.num_hosts(), 120u);
  const SwitchId s = fabric.find_switch("S-2-3-4");
  EXPECT_EQ(s, 59u);
  EXPECT_EQ(fabric.port_name(fabric.peer(fabric.channel(s, 7))), "H-2-3-4-0:1");
  EXPECT_EQ(fabric.port_name(fabric.peer(fabric.channel(s, 8))), "H-2-3-4-1:1");
  EXPECT_EQ(torus({5}, 0).num_hosts(), 0u);
}

//   S-0-0-0 ─6 5─ S-0-0-1        sizes 1, 3, 2: dimension 0 has no cables, and
//      4              4          ports 1 and 2 stay unused
//      3              3
//   S-0-1-0 ─6 5─ S-0-1-1
//      4              4
//      3              3
//   S-0-2-0 ─6 5─ S-0-2-1
TEST(Mesh, EdgesStayUnused) {
  const Fabric fabric = mesh({1, 3, 2});
  expect_sound(fabric);
  EXPECT_EQ(cables(fabric),
            (Lines{"S-0-0-0:4--S-0-1-0:3", "S-0-0-0:6--S-0-0-1:5", "S-0-0-1:4--S-0-1-1:3",
                   "S-0-1-0:4--S-0-2-0:3", "S-0-1-0:6--S-0-1-1:5", "S-0-1-1:4--S-0-2-1:3",
                   "S-0-2-0:6--S-0-2-1:5"}));
  EXPECT_EQ(hosts(fabric)[3], "H-0-1-1@S-0-1-1:7");
  EXPECT_EQ(fabric.node(0).ports, 7);
  EXPECT_EQ(mesh({1, 1}).links().size(), 0u);
}

//   level 2   S-2-0 S-2-1 S-2-2 S-2-3      digit 1 changes from level 1 to 2,
//   level 1   S-1-0 S-1-1 S-1-2 S-1-3      digit 0 from level 0 to 1
//   level 0   S-0-0 S-0-1 S-0-2 S-0-3
//   hosts      0 1   0 1   0 1   0 1
TEST(Tree, Butterfly) {
  const Fabric fabric = k_ary_n_tree(2, 3);
  expect_sound(fabric);
  EXPECT_EQ(
      cables(fabric),
      (Lines{"S-0-0:3--S-1-0:1", "S-0-0:4--S-1-1:1", "S-0-1:3--S-1-0:2", "S-0-1:4--S-1-1:2",
             "S-0-2:3--S-1-2:1", "S-0-2:4--S-1-3:1", "S-0-3:3--S-1-2:2", "S-0-3:4--S-1-3:2",
             "S-1-0:3--S-2-0:1", "S-1-0:4--S-2-2:1", "S-1-1:3--S-2-1:1", "S-1-1:4--S-2-3:1",
             "S-1-2:3--S-2-0:2", "S-1-2:4--S-2-2:2", "S-1-3:3--S-2-1:2", "S-1-3:4--S-2-3:2"}));
  EXPECT_EQ(hosts(fabric),
            (Lines{"H-0-0@S-0-0:1", "H-0-1@S-0-0:2", "H-1-0@S-0-1:1", "H-1-1@S-0-1:2",
                   "H-2-0@S-0-2:1", "H-2-1@S-0-2:2", "H-3-0@S-0-3:1", "H-3-1@S-0-3:2"}));
  EXPECT_EQ(fabric.node(0).ports, 4);
  EXPECT_EQ(fabric.node(11).ports, 2);  // switches of the top level have only ports down
  EXPECT_EQ(fabric.find_switch("S-1-0"), 4u);
}

//    S-1-0       S-1-1       spines, ports 1–3
//    / | \       / | \         leaves: hosts on 1, 2; uplinks 3, 4
//  S-0-0   S-0-1   S-0-2
TEST(Clos, LeavesAndSpines) {
  const Fabric fabric = clos(2, 3, 2);
  expect_sound(fabric);
  EXPECT_EQ(cables(fabric), (Lines{"S-0-0:3--S-1-0:1", "S-0-0:4--S-1-1:1", "S-0-1:3--S-1-0:2",
                                   "S-0-1:4--S-1-1:2", "S-0-2:3--S-1-0:3", "S-0-2:4--S-1-1:3"}));
  EXPECT_EQ(hosts(fabric)[5], "H-2-1@S-0-2:2");
  const Fabric large = clos(24, 48, 24);
  EXPECT_EQ(large.num_hosts(), 1152u);
  EXPECT_EQ(large.num_switches(), 72u);
  EXPECT_EQ(large.node(0).ports, 48);
  EXPECT_EQ(large.node(71).ports, 48);
}

TEST(Xgft, IsTheGeneralForm) {
  EXPECT_EQ(xgft({3, 3, 3}, {1, 3, 3}), k_ary_n_tree(3, 3));
  EXPECT_EQ(xgft({4, 6}, {1, 5}), clos(4, 6, 5));
  const Fabric large = xgft({18, 18, 36}, {1, 18, 18});
  EXPECT_EQ(large.num_hosts(), 11664u);
  EXPECT_EQ(large.num_switches(), 648u + 648u + 324u);
  EXPECT_TRUE(std::ranges::all_of(large.switches(), [](const Switch& s) { return s.ports == 36; }));
  expect_sound(large);
}

//     S-1-0   S-1-2       S-1-1   S-1-3      two networks, joined only by the hosts
//       │   ╳   │           │   ╳   │
//     S-0-0   S-0-2       S-0-1   S-0-3
//      1 2     1 2         1 2     1 2
//  H-0-0 H-0-1 on S-0-0 and S-0-1; H-2-0 H-2-1 on S-0-2 and S-0-3
TEST(Xgft, HostsWithTwoPorts) {
  const Fabric fabric = xgft({2, 2}, {2, 2});
  expect_sound(fabric, 2);
  EXPECT_EQ(hosts(fabric),
            (Lines{"H-0-0@S-0-0:1", "H-0-0@S-0-1:1", "H-0-1@S-0-0:2", "H-0-1@S-0-1:2",
                   "H-2-0@S-0-2:1", "H-2-0@S-0-3:1", "H-2-1@S-0-2:2", "H-2-1@S-0-3:2"}));
  EXPECT_EQ(fabric.host(0).node_guid, fabric.host(1).node_guid);
  EXPECT_EQ(fabric.host(1).ca_port, 2);
  EXPECT_NE(fabric.host(1).node_guid, fabric.host(2).node_guid);
}

TEST(Irregular, SameSeedSameFabric) {
  EXPECT_EQ(irregular(37, 5, 2, 991), irregular(37, 5, 2, 991));
  EXPECT_NE(irregular(37, 5, 2, 991), irregular(37, 5, 2, 992));
  // Must never change: a published seed must give this graph on every machine.
  EXPECT_EQ(
      cables(irregular(7, 3, 1, 5)),
      (Lines{"S-0:1--S-1:1", "S-0:2--S-2:1", "S-0:3--S-4:1", "S-1:2--S-5:1", "S-1:3--S-6:1",
             "S-2:2--S-5:2", "S-2:3--S-6:2", "S-3:1--S-4:2", "S-3:2--S-6:3", "S-4:3--S-5:3"}));
  EXPECT_EQ(hosts(irregular(7, 3, 2, 5))[3], "H-1-1@S-1:5");
}

TEST(Irregular, OnlySoManyLinksAreLeft) {
  for (unsigned links = 14; links <= 30; ++links)
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const Fabric fabric = irregular(15, 4, 1, seed, links);
      expect_sound(fabric);
      EXPECT_EQ(fabric.links().size(), links);
      for (SwitchId s = 0; s < 15; ++s) EXPECT_LE(fabric.out(s).size(), 4u);
    }
  // Must never change either; without `links`, or with all of them, nothing does.
  EXPECT_EQ(cables(irregular(5, 4, 1, 3, 5)), (Lines{"S-0:1--S-3:1", "S-0:2--S-4:1", "S-1:1--S-4:2",
                                                     "S-2:1--S-4:3", "S-3:2--S-4:4"}));
  EXPECT_EQ(irregular(7, 3, 1, 5, 10), irregular(7, 3, 1, 5));
}

TEST(Irregular, EveryDegreeThatCanBe) {
  for (unsigned switches = 1; switches <= 20; ++switches) {
    for (unsigned degree = 0; degree < switches; ++degree) {
      if ((degree == 0 && switches > 1) || (degree == 1 && switches > 2)) continue;
      for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const Fabric fabric = irregular(switches, degree, 1, seed);
        expect_sound(fabric);
        EXPECT_EQ(fabric.links().size(), switches * degree / 2);
        std::set<std::pair<SwitchId, SwitchId>> pairs;
        for (const Channel c : fabric.links()) {
          EXPECT_NE(fabric.switch_of(c), fabric.target(c));
          pairs.insert({fabric.switch_of(c), fabric.target(c)});
        }
        EXPECT_EQ(pairs.size(), fabric.links().size());
      }
    }
  }
}

RC_GTEST_PROP(Generators, EveryRandomFabricIsConnectedWhereItShouldBe, ()) {
  const Fabric fabric = *test::connected_fabric();
  RC_ASSERT(reachable(fabric) == fabric.num_switches());
}

/// The degree of a switch is 2n in a torus; in a mesh it is less by one for each edge at which the
/// switch is.
RC_GTEST_PROP(Generators, DegreesOfToriAndMeshes, ()) {
  const auto sizes = *rc::gen::resize(
      3, rc::gen::nonEmpty(rc::gen::container<std::vector<unsigned>>(rc::gen::inRange(3u, 6u))));
  const auto hosts_each = *rc::gen::inRange(0u, 3u);
  const Fabric around = torus(sizes, hosts_each);
  const Fabric flat = mesh(sizes, hosts_each);
  std::size_t flat_links = 0;
  for (const unsigned size : sizes)
    flat_links += std::size_t{flat.num_switches()} / size * (size - 1);
  RC_ASSERT(around.links().size() == sizes.size() * around.num_switches());
  RC_ASSERT(flat.links().size() == flat_links);
  for (SwitchId s = 0; s < around.num_switches(); ++s) {
    RC_ASSERT(around.out(s).size() == 2 * sizes.size());
    RC_ASSERT(around.hosts_at(s).size() == hosts_each);
    RC_ASSERT(flat.out(s).size() >= sizes.size() && flat.out(s).size() <= 2 * sizes.size());
    RC_ASSERT(around.node(s).name == flat.node(s).name);
  }
}

template <class Make>
std::string problem_of(Make make) {
  try {
    make();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Generators, SizesOutOfRange) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(problem_of([] { torus({2, 4}); }),
            "a torus needs every size to be 3 or more: torus:2x4: choose larger sizes, or a mesh, "
            "whose sizes go down to 1");
  EXPECT_NE(problem_of([] { torus({99999, 99999}); }).find("at most 49151"), std::string::npos);
  EXPECT_NE(problem_of([] { torus({4000000000u, 4000000000u, 4000000000u}); }).find("over 10^12"),
            std::string::npos);
  EXPECT_NE(problem_of([] { torus({100, 100}, 4); }).find("40000 host ports"), std::string::npos);
  EXPECT_NE(problem_of([] { torus({4, 4}, 251); }).find("255 ports"), std::string::npos);
  EXPECT_EQ(problem_of([] { torus({4, 4}, 250); }), "no error");
  EXPECT_NE(problem_of([] { torus({}); }), "no error");
  EXPECT_NE(problem_of([] { mesh({3, 0}); }), "no error");
  EXPECT_NE(problem_of([] { k_ary_n_tree(1, 3); }), "no error");
  EXPECT_NE(problem_of([] { k_ary_n_tree(4, 0); }), "no error");
  EXPECT_NE(problem_of([] { k_ary_n_tree(128, 2); }).find("256 ports"), std::string::npos);
  EXPECT_NE(problem_of([] { k_ary_n_tree(4, 4000000000u); }), "no error");
  EXPECT_NE(problem_of([] { clos(200, 10, 100); }).find("300 ports"), std::string::npos);
  EXPECT_NE(problem_of([] { clos(4, 255, 4); }).find("255 ports"), std::string::npos);
  EXPECT_NE(problem_of([] { clos(0, 4, 4); }), "no error");
  EXPECT_NE(problem_of([] { xgft({4, 4}, {1}); }), "no error");
  EXPECT_NE(problem_of([] { xgft({}, {}); }), "no error");
  EXPECT_NE(problem_of([] { xgft({4, 0}, {1, 4}); }), "no error");
  EXPECT_NE(problem_of([] { xgft({4, 4}, {4000000000u, 4}); }), "no error");
  EXPECT_NE(problem_of([] { irregular(4, 4, 1, 1); }).find("at most 3"), std::string::npos);
  EXPECT_NE(problem_of([] { irregular(3, 1, 1, 1); }).find("in pieces"), std::string::npos);
  EXPECT_NE(problem_of([] { irregular(2, 0, 1, 1); }).find("in pieces"), std::string::npos);
  EXPECT_NE(problem_of([] { irregular(15, 4, 1, 1, 13); }).find("14 to 30 links"),
            std::string::npos);
  EXPECT_NE(problem_of([] { irregular(15, 4, 1, 1, 31); }).find("14 to 30 links"),
            std::string::npos);
  EXPECT_NE(problem_of([] { irregular(0, 0, 1, 1); }), "no error");
  EXPECT_NE(problem_of([] { irregular(4000000000u, 4, 1, 1); }), "no error");
  EXPECT_NE(problem_of([] { irregular(300, 253, 2, 1); }).find("255 ports"), std::string::npos);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

}  // namespace
}  // namespace selvedge
