// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/pairs_without_path.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/fabric/stable_random.hpp"
#include "plugin/tables/paths.hpp"

namespace selvedge {
namespace {

/// The expected number, found by following every path.
std::uint64_t expected(const Fabric& fabric, const Tables& tables, const Fault& fault) {
  const Fabric left = without(fabric, fault);
  std::uint64_t pairs = 0;
  for (HostId a = 0; a < fabric.num_hosts(); ++a)
    for (HostId b = 0; b < fabric.num_hosts(); ++b) {
      if (a == b || !left.attached(a) || !left.attached(b)) continue;
      const Host &from = fabric.host(a), &to = fabric.host(b);
      bool before = false, now = false;
      for (unsigned i = 0; i < to.lid_count(); ++i) {
        const auto lid = static_cast<Lid>(to.lid + i);
        before |= walk(fabric, tables, from.at, from.port, lid).arrives();
        now |= walk(left, tables, from.at, from.port, lid).arrives();
      }
      pairs += before && !now ? 1 : 0;
    }
  return pairs;
}

RC_GTEST_PROP(PairsWithoutPath, AreThoseThatTheFaultCut, ()) {
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  const auto below = [&](std::uint32_t n) { return static_cast<unsigned>(random.below(n)); };
  const unsigned lmc = below(3);
  const Fabric fabric = assign_lids(torus({3 + below(3), 3 + below(3)}, 1 + below(2)), lmc);
  Tables tables = find_engine("updn").compute(fabric, {}).tables;
  // Some entries lead nowhere or in circles, as in tables that are broken already.
  for (unsigned i = below(4); i > 0; --i) {
    const SwitchId s = below(fabric.num_switches());
    const auto lid = static_cast<Lid>(1 + below(fabric.top_lid()));
    if (fabric.destination_switch(lid) != s)
      tables.set_next(s, lid, static_cast<PortNum>(1 + below(fabric.node(s).ports)));
  }
  Fault fault;
  for (unsigned i = below(4); i > 0; --i)
    fault.links.push_back(fabric.links()[below(static_cast<std::uint32_t>(fabric.links().size()))]);
  for (unsigned i = below(2); i > 0; --i) fault.switches.push_back(below(fabric.num_switches()));
  RC_ASSERT(pairs_without_path(fabric, tables, fault) == expected(fabric, tables, fault));
}

TEST(ChangedLfts, AreMatchedByGuid) {
  const Fabric fabric = assign_lids(torus({3, 3}), 0);
  const Tables tables = find_engine("updn").compute(fabric, {}).tables;
  EXPECT_EQ(changed_lfts(fabric, tables, fabric, tables), ChangedLfts());
  Tables other = tables;
  const Lid lid = fabric.host(4).lid;
  other.set_next(0, lid, static_cast<PortNum>(tables.next(0, lid) % 4 + 1));
  EXPECT_EQ(changed_lfts(fabric, tables, fabric, other), (ChangedLfts{1, 1}));
  std::uint64_t routes = 0;  // all, if there was nothing before
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (Lid l = 1; l <= fabric.top_lid(); ++l) routes += tables.next(s, l) != kNoPort ? 1 : 0;
  EXPECT_EQ(changed_lfts(Fabric(), Tables(Fabric()), fabric, tables), (ChangedLfts{routes, 9}));
}

TEST(ChangedLfts, ABlockCountsOnceForEachSwitch) {
  const Fabric fabric = assign_lids(torus({4, 4}), 3);  // 144 LIDs: three blocks
  ASSERT_GT(fabric.top_lid(), 128u);
  const Tables tables(fabric);
  Tables other = tables;
  for (const unsigned lid : {1u, 63u, 64u, 127u}) other.set_next(2, static_cast<Lid>(lid), 1);
  other.set_next(5, 128, 1);
  EXPECT_EQ(changed_lfts(fabric, tables, fabric, other), (ChangedLfts{5, 3}));
}

}  // namespace
}  // namespace selvedge
