// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/lost_paths.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/tables/paths.hpp"

namespace selvedge {
namespace {

using Lost = std::map<std::pair<std::string, std::string>, std::set<Lid>>;

/// The expected result, found by following every path.
Lost expected(const Fabric& before, const Tables& tables, const Fabric& after) {
  Lost lost;
  for (HostId a = 0; a < before.num_hosts(); ++a)
    for (HostId b = 0; b < before.num_hosts(); ++b) {
      if (a == b || !after.attached(a) || !after.attached(b)) continue;
      const Host &from = before.host(a), &to = before.host(b);
      for (unsigned i = 0; i < to.lid_count(); ++i) {
        const auto lid = static_cast<Lid>(to.lid + i);
        const Path path = walk(before, tables, from.at, from.port, lid);
        for (const Channel c : path.channels)
          if (path.arrives() && after.peer(c) == kNoChannel) lost[{from.name, to.name}].insert(lid);
      }
    }
  return lost;
}

void check(const Fabric& before, const Tables& tables, const Fault& fault) {
  const Fabric after = without(before, fault);
  const Lost lost = expected(before, tables, after);
  const LostPaths found = lost_paths(before, tables, after, tables, 1'000'000);
  std::uint64_t paths = 0;
  for (const auto& [pair, lids] : lost) paths += lids.size();
  EXPECT_EQ(found.pairs, lost.size());
  EXPECT_EQ(found.paths, paths);
  Lost listed;
  for (const LostPair& pair : found.listed) {
    EXPECT_LE(pair.disjoint_now, pair.disjoint_before);
    for (const LostPath& p : pair.paths) {
      listed[{pair.source, pair.destination}].insert(p.lid);
      EXPECT_FALSE(p.works);  // it cannot: the tables have not changed
      EXPECT_EQ(before.host(before.find_host(pair.destination)).lid + p.offset, p.lid);
    }
  }
  EXPECT_EQ(listed, lost);
  EXPECT_EQ(lost_paths(before, tables, after, tables, 3).listed.size(),
            std::min<std::size_t>(3, lost.size()));
  EXPECT_EQ(lost_paths(before, tables, after, tables, 3).paths, paths);
}

TEST(LostPaths, AreThoseThatCrossedTheFault) {
  const Fabric fabric = assign_lids(torus({4, 4}, 2), 2);
  const Tables tables = find_engine("updn").compute(fabric, {}).tables;
  for (const Channel c : fabric.links().first(6)) check(fabric, tables, {{c}, {}});
  check(fabric, tables, {{fabric.links()[3], fabric.links()[20]}, {7}});
  check(fabric, tables, {{fabric.injection(4)}, {}});
}

TEST(LostPaths, WithoutAFaultNoPathIsLost) {
  const Fabric fabric = assign_lids(torus({3, 3}), 1);
  const Tables tables = find_engine("updn").compute(fabric, {}).tables;
  check(fabric, tables, {});
  EXPECT_EQ(lost_paths(fabric, tables, Fabric(), Tables(Fabric())).pairs, 0u);
}

/// S-0 ─ S-1 ─ S-2 ─ S-3 ─ S-0: after the fault the LID is routed round the ring in the other
/// direction.
TEST(LostPaths, ALidOnAnotherPathWorks) {
  const Fabric ring = assign_lids(torus({4}), 0);
  const Tables before = find_engine("updn").compute(ring, {}).tables;
  const Fabric line = without(ring, {{ring.channel(0, 2)}, {}});
  const Tables after = find_engine("updn").compute(line, {}).tables;
  const LostPaths lost = lost_paths(ring, before, line, after);
  ASSERT_GT(lost.pairs, 0u);
  for (const LostPair& pair : lost.listed) {
    EXPECT_EQ(pair.disjoint_before, 1u);
    EXPECT_EQ(pair.disjoint_now, 1u);
    EXPECT_TRUE(pair.paths.at(0).works && pair.paths.at(0).disjoint);
  }
}

}  // namespace
}  // namespace selvedge
