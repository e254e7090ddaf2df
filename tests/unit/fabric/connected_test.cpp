// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/connected.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/spec.hpp"
#include "tests/support/random_fabric.hpp"
#include "tests/support/slow_parts.hpp"

namespace selvedge {
namespace {

RC_GTEST_PROP(Connected, PartsAndPairsAreThoseOfTheSlowWay, ()) {
  const Fabric fabric = *test::any_fabric();
  const std::vector<SwitchId> part = connected_parts(fabric);
  RC_ASSERT(part == test::slow_parts(fabric));
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
