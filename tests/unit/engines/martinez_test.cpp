// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "plugin/fabric/spec.hpp"
#include "plugin/verify/adaptive.hpp"
#include "tests/unit/engines/drawn.hpp"

namespace selvedge {
namespace {

using test::draw;
using test::kApart;

Tables martinez(const Fabric& fabric) { return find_engine("martinez").compute(fabric, {}).tables; }

/// The ports of a switch that lead one hop nearer.
std::set<PortNum> minimal_ports(const Fabric& f, SwitchId at, const std::vector<unsigned>& hops) {
  std::set<PortNum> ports;
  for (const Channel c : f.out(at))
    if (hops[f.target(c)] != kApart && hops[f.target(c)] + 1 == hops[at])
      ports.insert(f.port_of(c));
  return ports;
}

RC_GTEST_PROP(Martinez, base_lids_are_updns_and_every_other_one_leads_nearer, ()) {
  const Fabric fabric = *test::every_fabric();
  const Tables tables = martinez(fabric), updn = find_engine("updn").compute(fabric, {}).tables;
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    const Host& host = fabric.host(h);
    if (!fabric.attached(h) || host.lid == kNoLid) continue;
    const std::vector<unsigned> hops = test::hop_distances(fabric, host.at);
    for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
      RC_ASSERT(tables.next(s, host.lid) == updn.next(s, host.lid));
      if (s == host.at || hops[s] == kApart) continue;
      const std::set<PortNum> minimal = minimal_ports(fabric, s, hops);
      std::set<PortNum> found;
      for (unsigned i = 1; i < host.lid_count(); ++i) {
        const PortNum port = tables.next(s, static_cast<Lid>(host.lid + i));
        RC_ASSERT(minimal.contains(port));
        found.insert(port);
      }
      RC_ASSERT(found.size() == std::min<std::size_t>(minimal.size(), host.lid_count() - 1u));
    }
  }
}

// What adaptive switches need of them: wherever a packet gets it has its base LID's port, and these
// ports close no cycle among escape queues.
RC_GTEST_PROP(Martinez, escape_paths_are_free_of_deadlock_from_wherever_packets_get, ()) {
  const Fabric fabric = *test::every_fabric();
  const AdaptiveVerdict mixture = verify_adaptive(fabric, martinez(fabric), Carried::kFirst);
  RC_ASSERT(mixture.delivered);
  RC_ASSERT(mixture.escape_free);
}

TEST(Martinez, TheLmcHoldsEveryWayOfASwitchAndTheEscapePath) {
  const auto lmc = [](const char* spec) {
    const Engine& engine = find_engine("martinez");
    return engine.lmc(make_fabric(spec));
  };
  EXPECT_EQ(lmc("torus:4x4"), 3u);  // both ways round in both dimensions: 4 ways
  EXPECT_EQ(lmc("torus:5x5"), 2u);
  EXPECT_EQ(lmc("tree:k=4,n=2"), 3u);
  EXPECT_EQ(lmc("mesh:5"), 1u);
}

//   0---1       Each switch has two ways to the opposite one, and at LMC 1 one LID for both.
//   |   |
//   2---3
TEST(Martinez, SaysWhatItsTablesAreFor) {
  const Fabric f = draw(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}, {}, 1);
  const Routing routing = find_engine("martinez").compute(f, {});
  EXPECT_FALSE(find_engine("martinez").facts.deadlock_free);
  EXPECT_FALSE(routing.multicast);
  const auto said = [](const Routing& of, const char* words) {
    return std::ranges::any_of(
        of.remarks, [&](const std::string& line) { return line.find(words) != std::string::npos; });
  };
  EXPECT_TRUE(said(routing, "only for adaptive switches"));
  EXPECT_TRUE(said(routing, "larger LMC"));
  const Routing enough =
      find_engine("martinez").compute(assign_lids(make_fabric("torus:4x4"), 3), {});
  EXPECT_FALSE(said(enough, "larger LMC"));
}

}  // namespace
}  // namespace selvedge
