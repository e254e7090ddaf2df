// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/excluded_links.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.hpp"
#include "tests/support/random_fabric.hpp"

namespace selvedge {
namespace {

using Names = std::vector<std::string>;

/// If the list cannot be stored, nothing is drained: so no drain is forgotten at a restart.
TEST(ExcludedLinks, AStoreThatFailsChangesNothing) {
  bool fails = false;
  std::string stored;
  ExcludedLinks links("0x20:1\n", "the list", [&](const std::string& text) {
    if (fails) throw EnvironmentError("no room", "the list", "make some");
    stored = text;
  });
  links.drain({"0x30:2"});
  EXPECT_EQ(ExcludedLinks(stored, "", {}).drained(), (Names{"0x20:1", "0x30:2"}));
  fails = true;
  EXPECT_THROW(links.drain({"0x40"}), EnvironmentError);
  EXPECT_THROW(links.undrain({"0x20:1"}), EnvironmentError);
  EXPECT_EQ(links.drained(), (Names{"0x20:1", "0x30:2"}));
}

TEST(ExcludedLinks, HoldsEnd) {
  using std::chrono::seconds;
  ExcludedLinks out;
  const Instant start{};
  out.hold("0x20:1", start + seconds(10));
  out.hold("0x20:1", start + seconds(5));  // a hold is never shortened
  out.hold("0x30:2", start + seconds(7));
  EXPECT_FALSE(out.release(start + seconds(6)));
  EXPECT_TRUE(out.release(start + seconds(7)));
  EXPECT_EQ(out.held(), Names{"0x20:1"});
  EXPECT_TRUE(out.release(start + seconds(10)));
  EXPECT_TRUE(out.held().empty());
}

RC_GTEST_PROP(ExcludedLinks, names_resolve_to_their_components, ()) {
  const Fabric fabric = *test::any_fabric();
  for (Channel c = 0; c < fabric.num_switch_channels(); ++c) {
    if (fabric.peer(c) == kNoChannel) continue;
    const Fault fault =
        ExcludedLinks::named_components({ExcludedLinks::cable_name(fabric, c)}, fabric);
    RC_ASSERT(fault.switches.empty());
    RC_ASSERT(fault.links.size() == 1u);
    RC_ASSERT(fault.links[0] == c || fault.links[0] == fabric.peer(c));
    RC_ASSERT(ExcludedLinks::cable_name(fabric, c) ==
              ExcludedLinks::cable_name(fabric, fault.links[0]));
  }
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    const Fault fault =
        ExcludedLinks::named_components({ExcludedLinks::switch_name(fabric, s)}, fabric);
    RC_ASSERT(fault.links.empty());
    RC_ASSERT(fault.switches == std::vector<SwitchId>{s});
  }
}

TEST(ExcludedLinks, NamesOfMissingComponentsAreIgnored) {
  const Fabric fabric = assign_lids(mesh({1, 3}), 0);
  EXPECT_TRUE(ExcludedLinks::named_components(
                  {"0xdead", "0xdead:1", ExcludedLinks::switch_name(fabric, 0) + ":200"}, fabric)
                  .empty());
}

}  // namespace
}  // namespace selvedge
