// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/connected.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/spec.hpp"
#include "tests/support/random_fabric.hpp"

namespace selvedge {
namespace {

/// The slow way: labels pass along cables until none changes.
std::vector<SwitchId> spread(const Fabric& fabric) {
  std::vector<SwitchId> of(fabric.num_switches());
  for (SwitchId s = 0; s < of.size(); ++s) of[s] = s;
  for (bool changed = true; changed;) {
    changed = false;
    for (SwitchId s = 0; s < of.size(); ++s)
      for (const Channel c : fabric.out(s))
        if (of[fabric.target(c)] < of[s]) {
          of[s] = of[fabric.target(c)];
          changed = true;
        }
  }
  return of;
}

RC_GTEST_PROP(Connected, PartsAndPairsAreThoseOfTheSlowWay, ()) {
  const Fabric fabric = *test::any_fabric();
  const std::vector<SwitchId> part = connected_parts(fabric);
  RC_ASSERT(part == spread(fabric));
  std::uint64_t pairs = 0;
  for (HostId from = 0; from < fabric.num_hosts(); ++from)
    for (HostId to = 0; to < fabric.num_hosts(); ++to)
      if (from != to && fabric.attached(from) && fabric.attached(to) &&
          part[fabric.host(from).at] == part[fabric.host(to).at])
        ++pairs;
  RC_ASSERT(connected_pairs(fabric) == pairs);
}

TEST(Connected, ATorusWithoutASwitch) {
  const Fabric whole = make_fabric("torus:3x3,hosts=3");
  EXPECT_EQ(connected_pairs(whole), 27u * 26u);
  const Fabric left = without(whole, {{}, {0}});
  EXPECT_EQ(connected_parts(left)[0], 0u);
  EXPECT_EQ(connected_pairs(left), 24u * 23u);
}

}  // namespace
}  // namespace selvedge
