// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/reconfigure/turns.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "tests/unit/sim_reconfigure/world.hpp"

namespace selvedge::sim::test {
namespace {

/// Each path from its host, by itself.
std::vector<std::set<Turn>> turns_by_hand(const Fabric& fabric, const Tables& tables) {
  std::vector<std::set<Turn>> found(fabric.num_switches());
  for (HostId from = 0; from < fabric.num_hosts(); ++from)
    for (HostId to = 0; to < fabric.num_hosts(); ++to)
      for (unsigned i = 0; i < fabric.host(to).lid_count(); ++i) {
        SwitchId at = fabric.host(from).at;
        PortNum in = fabric.host(from).port;
        for (unsigned hops = 0; hops <= fabric.num_switches(); ++hops) {
          const PortNum out = tables.next(at, static_cast<Lid>(fabric.host(to).lid + i));
          if (out == 0 || out > fabric.node(at).ports) break;
          found[at].insert({in, out});
          const Channel there = fabric.peer(fabric.channel(at, out));
          if (there == kNoChannel || !fabric.from_switch(there)) break;
          at = fabric.switch_of(there);
          in = fabric.port_of(there);
        }
      }
  return found;
}

RC_GTEST_PROP(Turns, are_those_of_all_paths, ()) {
  static const char* const kFabrics[] = {"torus:3x3,hosts=2", "mesh:3x2", "tree:k=2,n=3",
                                         "irregular:switches=8,degree=3,hosts=2,seed=5"};
  const std::size_t which = *rc::gen::inRange<std::size_t>(0, std::size(kFabrics));
  const Fabric fabric = assign_lids(make_fabric(kFabrics[which]), *rc::gen::inRange(0U, 2U));
  Tables tables = updn(fabric, *rc::gen::inRange(0U, fabric.num_switches()));
  // Some entries lead nowhere, or round in a circle.
  for (int i = *rc::gen::inRange(0, 6); i > 0; --i) {
    const auto at = *rc::gen::inRange<SwitchId>(0, fabric.num_switches());
    const auto lid = static_cast<Lid>(*rc::gen::inRange<unsigned>(1, tables.top_lid() + 1U));
    tables.set_next(at, lid, static_cast<PortNum>(*rc::gen::inRange(0, fabric.node(at).ports + 1)));
  }
  const auto found = turns_of(fabric, tables);
  const auto expected = turns_by_hand(fabric, tables);
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    RC_ASSERT(std::ranges::equal(found[s], expected[s]));
}

/// A ring by up*/down* has fewer turns than its tables would allow: else tokens would wait in it.
TEST(Turns, OfUpDownDoNotCloseARing) {
  const Fabric fabric = assign_lids(make_fabric("torus:5"), 0);
  const auto turns = turns_of(fabric, updn(fabric));
  unsigned through = 0;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (const Turn& turn : turns[s]) {
      const auto between = [&](PortNum port) {
        const Channel there = fabric.peer(fabric.channel(s, port));
        return there != kNoChannel && fabric.from_switch(there);
      };
      through += between(turn.in) && between(turn.out) ? 1 : 0;
    }
  EXPECT_GT(through, 0U);
  EXPECT_LT(through, 2 * fabric.num_switches());
}

}  // namespace
}  // namespace selvedge::sim::test
