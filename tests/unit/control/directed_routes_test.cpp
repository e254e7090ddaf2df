// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/directed_routes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/random_fabric.hpp"

namespace selvedge {
namespace {

/// Where a directed route ends, followed port by port from a host; kNoSwitch if a port has no
/// cable on the way.
SwitchId follow(const Fabric& fabric, HostId from, const SmpPath& path) {
  if (path.hops == 0 || path.ports[1] != fabric.host(from).ca_port) return kNoSwitch;
  SwitchId at = fabric.host(from).at;
  for (unsigned i = 2; i <= path.hops; ++i) {
    if (path.ports[i] == 0 || path.ports[i] > fabric.node(at).ports) return kNoSwitch;
    const Channel c = fabric.channel(at, path.ports[i]);
    if (!fabric.between_switches(c)) return kNoSwitch;
    at = fabric.target(c);
  }
  return at;
}

RC_GTEST_PROP(DirectedRoutes, lead_to_their_switch, ()) {
  const Fabric fabric = *test::any_fabric();
  RC_PRE(fabric.num_hosts() > 0);
  const HostId from = *rc::gen::inRange<HostId>(0, fabric.num_hosts());
  RC_PRE(fabric.attached(from));
  const SwitchId avoid = *rc::gen::inRange<SwitchId>(0, fabric.num_switches());
  for (const SwitchId without : {kNoSwitch, avoid}) {
    const DirectedRoutes routes(fabric, fabric.host(from).guid, without);
    for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
      const auto path = routes.to(s);
      RC_ASSERT(path.has_value() == routes.reaches(s));
      if (!path) continue;
      RC_ASSERT(s != without);
      RC_ASSERT(follow(fabric, from, *path) == s);
      for (const Channel c : fabric.out(s))
        RC_ASSERT(follow(fabric, from, *routes.over(c)) == fabric.target(c));
    }
    // Every neighbour of a reached switch is reached, except the one to avoid.
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      for (const Channel c : fabric.out(s))
        if (routes.reaches(s) && fabric.target(c) != without)
          RC_ASSERT(routes.reaches(fabric.target(c)));
  }
}

// S-0 ── S-1 ── S-2, the SM on S-1's own port 0
TEST(DirectedRoutes, FromASwitchItself) {
  const Fabric line = assign_lids(mesh({1, 3}), 0);
  const DirectedRoutes routes(line, line.node(1).guid);
  EXPECT_TRUE(routes.is_start(1));
  EXPECT_EQ(routes.to(1)->hops, 0);
  ASSERT_EQ(routes.to(2)->hops, 1);
  EXPECT_EQ(line.target(line.channel(1, routes.to(2)->ports[1])), 2u);
}

TEST(DirectedRoutes, AnUnknownPortReachesNothing) {
  const Fabric line = assign_lids(mesh({1, 3}), 0);
  const DirectedRoutes routes(line, 0xdeadbeef);
  for (SwitchId s = 0; s < 3; ++s) EXPECT_FALSE(routes.to(s));
}

TEST(DirectedRoutes, AtMost63Hops) {
  const Fabric line = assign_lids(mesh({1, 70}), 0);
  const DirectedRoutes routes(line, line.host(0).guid);
  EXPECT_TRUE(routes.to(62));  // 63 hops: the host's cable is the first
  EXPECT_FALSE(routes.to(63));
  EXPECT_FALSE(routes.over(line.out(62).back()));
}

/// The routes are as short as those of a breadth-first search without the switch to avoid.
RC_GTEST_PROP(DirectedRoutes, are_shortest, ()) {
  const Fabric fabric = *test::any_fabric();
  RC_PRE(fabric.num_hosts() > 0);
  const HostId from = *rc::gen::inRange<HostId>(0, fabric.num_hosts());
  const SwitchId avoid = *rc::gen::inRange<SwitchId>(0, fabric.num_switches() + 1);
  const DirectedRoutes routes(fabric, fabric.host(from).guid, avoid);
  std::vector<unsigned> hops(fabric.num_switches(), UINT32_MAX);
  const SwitchId start = fabric.attached(from) ? fabric.host(from).at : kNoSwitch;
  if (start != kNoSwitch && start != avoid) hops[start] = 1;
  for (bool more = true; more;) {  // relax every cable until no distance shrinks
    more = false;
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      for (const Channel c : fabric.out(s))
        if (const SwitchId to = fabric.target(c);
            to != avoid && hops[s] != UINT32_MAX && hops[s] + 1 < hops[to]) {
          hops[to] = hops[s] + 1;
          more = true;
        }
  }
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    RC_ASSERT(routes.is_start(s) == (s == start));
    RC_ASSERT(routes.reaches(s) == (hops[s] <= 63));
    const auto path = routes.to(s);
    RC_ASSERT(path.has_value() == routes.reaches(s));
    if (!path) continue;
    RC_ASSERT(path->hops == hops[s]);
    RC_ASSERT(path->ports[0] == 0 && path->ports[1] == fabric.host(from).ca_port);
    for (unsigned i = path->hops + 1u; i <= kSmpMaxHops; ++i) RC_ASSERT(path->ports[i] == 0);
    for (unsigned p = 1; p <= fabric.node(s).ports; ++p) {  // to hosts as well
      const auto over = routes.over(fabric.channel(s, static_cast<PortNum>(p)));
      RC_ASSERT(over.has_value() == (path->hops < 63));
      if (!over) continue;
      RC_ASSERT(over->hops == path->hops + 1);
      RC_ASSERT(over->ports[over->hops] == p);
    }
  }
}

}  // namespace
}  // namespace selvedge
