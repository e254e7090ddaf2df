// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/tables/dark_lids.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/tables/independent.hpp"
#include "plugin/tables/paths.hpp"
#include "support.hpp"
#include "tests/support/slow_parts.hpp"

namespace selvedge {
namespace {

/// As dark_lids(), one walk for each host, LID and source host.
std::vector<DarkLid> naive(const Fabric& fabric, const Tables& tables) {
  const std::vector<SwitchId> component = test::slow_parts(fabric);
  std::vector<DarkLid> dark;
  for (unsigned i = 1; i <= fabric.top_lid(); ++i) {
    const auto lid = static_cast<Lid>(i);
    const LidOwner owner = fabric.owner(lid);
    if (owner.kind != LidOwner::Kind::kHost || !fabric.attached(owner.id)) continue;
    DarkLid found{lid, owner.id, 0, kNoSwitch};
    for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
      if (component[s] != component[fabric.host(owner.id).at]) continue;
      const bool all = std::ranges::all_of(fabric.hosts_at(s), [&](HostId h) {
        return h == owner.id || walk(fabric, tables, s, fabric.host(h).port, lid).arrives();
      });
      if (!all && found.sources++ == 0) found.first = s;
    }
    if (found.sources > 0) dark.push_back(found);
  }
  return dark;
}

TEST(DarkLids, NoneInTablesOfAnEngine) {
  const Fabric fabric = assign_lids(torus({4, 4}), 2);
  const Tables tables = find_engine("updn").compute(fabric, {}).tables;
  EXPECT_TRUE(dark_lids(fabric, tables).empty());
  EXPECT_EQ(describe_dark(fabric, {}), "");
  EXPECT_EQ(dark_paths({}), 0u);
}

TEST(DarkLids, NamesTheLidAndWhereItIsDark) {
  const Fabric fabric = assign_lids(torus({3, 3}), 1);
  Tables tables = find_engine("updn").compute(fabric, {}).tables;
  const Lid lid = fabric.host(4).lid;
  tables.set_next(0, static_cast<Lid>(lid + 1), kNoPort);
  const std::vector<DarkLid> dark = dark_lids(fabric, tables);
  ASSERT_EQ(dark.size(), 1u);
  EXPECT_EQ(dark[0].lid, lid + 1);
  EXPECT_EQ(dark[0].host, 4u);
  EXPECT_EQ(dark[0].first, 0u);
  const std::string text = describe_dark(fabric, dark);
  EXPECT_NE(text.find("1 LID has no route from everywhere"), std::string::npos) << text;
  EXPECT_NE(text.find("of H-1-1 from S-0-0"), std::string::npos) << text;
}

TEST(DarkLids, HostsThatNoCableConnectsAreNotDark) {
  const Fabric whole = assign_lids(torus({3, 3}), 0);
  const Tables tables = find_engine("updn").compute(whole, {}).tables;
  Fault fault;
  for (const Channel c : whole.links())
    if (whole.switch_of(c) == 0 || whole.target(c) == 0) fault.links.push_back(c);
  const Fabric damaged = without(whole, fault);  // S-0-0 is cut off, paths through it are broken
  for (const DarkLid& d : dark_lids(damaged, tables)) EXPECT_NE(damaged.host(d.host).at, 0u);
  EXPECT_EQ(dark_lids(damaged, tables), naive(damaged, tables));
}

RC_GTEST_PROP(DarkLids, AgreeWithAWalkForEachPair, (std::uint64_t seed)) {
  const test::Sample sample = test::random_sample(seed, {});
  RC_ASSERT(dark_lids(sample.fabric, sample.tables) == naive(sample.fabric, sample.tables));
}

}  // namespace
}  // namespace selvedge
