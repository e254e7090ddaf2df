// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/excluded_links.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "tests/support/random_fabric.hpp"

namespace selvedge {
namespace {

using Names = std::vector<std::string>;

/// If the list of drained links cannot be stored, nothing is drained: otherwise a restart would
/// forget the drain.
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
  out.hold("0x20:1", start + seconds(5));  // has no effect: a hold is never shortened
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

TEST(ExcludedLinks, AnInvalidLineIsAFaultWithItsPlace) {
  const std::string good = "# a comment\n\n0x20:1\n0xABC\n0x20:254\n";
  EXPECT_EQ(ExcludedLinks(good, "the list", {}).fault(), "");
  EXPECT_EQ(ExcludedLinks(good, "the list", {}).drained(), (Names{"0x20:1", "0xABC", "0x20:254"}));
  for (const char* bad : {"20:1", "0x", "0xg", "0x20:", "0x20:0", "0x20:255", "0x20:1 ", "0x20 1",
                          "0x20:x", "0x20;1", "0x11112222333344445:1"}) {
    const ExcludedLinks links("0x10\n" + std::string(bad) + "\n0x30\n", "the list", {});
    EXPECT_EQ(links.fault(), "'" + std::string(bad) +
                                 "' is no switch GUID, nor GUID:PORT: the list:2: correct the "
                                 "line, or remove it, and start opensm again");
    EXPECT_EQ(links.drained(), (Names{"0x10", "0x30"}));  // the valid lines are used
  }
}

TEST(ExcludedLinks, NothingIsWrittenToAListWithAFault) {
  unsigned stores = 0;
  ExcludedLinks links("bad\n", "the list", [&](const std::string&) { ++stores; });
  const auto why = [&](auto&& act) -> std::string {
    try {
      act();
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  const std::string could_not = "the list of drained links could not be read: the list: ";
  EXPECT_EQ(why([&] { links.drain({"0x20:1"}); }), could_not + links.fault());
  EXPECT_EQ(why([&] { links.undrain({"0x20:1"}); }), could_not + links.fault());
  ExcludedLinks locked = ExcludedLinks::unreadable("the list", "no permission");
  EXPECT_EQ(locked.fault(), "no permission");
  EXPECT_EQ(why([&] { locked.drain({"0x20"}); }), could_not + "no permission");
  EXPECT_EQ(stores, 0u);
  EXPECT_TRUE(links.drained().empty());
}

TEST(ExcludedLinks, IsStoredWholeAndOnlyWhenItChanges) {
  Names stored;
  ExcludedLinks links("", "the list", [&](const std::string& text) { stored.push_back(text); });
  const std::string head = "# What selvedge-route drained; undrain takes it out.\n";
  links.drain({"0x20:1", "0x30", "0x20:1"});
  links.drain({"0x30"});
  links.undrain({"0x40"});
  links.drain({"0x40", "0x20:1"});
  links.undrain({"0x30", "0x99"});
  EXPECT_EQ(stored, (Names{head + "0x20:1\n0x30\n", head + "0x20:1\n0x30\n0x40\n",
                           head + "0x20:1\n0x40\n"}));
  EXPECT_EQ(links.drained(), (Names{"0x20:1", "0x40"}));
  ExcludedLinks nowhere;  // has no store: its list does not survive a restart
  nowhere.drain({"0x20"});
  EXPECT_EQ(nowhere.drained(), Names{"0x20"});
}

TEST(ExcludedLinks, HeldAndDrainedLinksAreExcluded) {
  const Fabric fabric = assign_lids(mesh({1, 3}), 0);
  ExcludedLinks links;
  links.drain({ExcludedLinks::switch_name(fabric, 2), "0xdead:1"});
  links.hold(ExcludedLinks::cable_name(fabric, fabric.links()[0]), Instant{});
  const Fault out = links.in(fabric);
  EXPECT_EQ(out, (Fault{{fabric.links()[0]}, {2}}));
  EXPECT_EQ(ExcludedLinks::names_of(fabric, out),
            (Names{"0x0200000000000003", "0x0200000000000001:4"}));
  // A switch that has failed has no cables to exclude, nor has a port without a cable.
  const Fabric failed = without(fabric, out);
  EXPECT_TRUE(links.in(failed).empty());
  // The switch's last port is accepted; the number after it names no port.
  const std::string guid = ExcludedLinks::switch_name(fabric, 0);
  const unsigned ports = fabric.node(0).ports;
  EXPECT_EQ(ExcludedLinks::named_components({fmt::format("{}:{}", guid, ports)}, fabric).links,
            std::vector<Channel>{fabric.channel(0, static_cast<PortNum>(ports))});
  EXPECT_TRUE(
      ExcludedLinks::named_components({fmt::format("{}:{}", guid, ports + 1)}, fabric).empty());
}

/// A cable is named by its end at the switch with the lower GUID; a cable from a switch to itself
/// by its lower port; a host's cable by its end at the switch.
RC_GTEST_PROP(ExcludedLinks, a_cable_has_the_name_of_its_lower_end, ()) {
  const Fabric fabric = *test::any_fabric();
  for (Channel c = 0; c < fabric.num_channels(); ++c) {
    if (fabric.peer(c) == kNoChannel) continue;
    std::vector<std::pair<Guid, unsigned>> ends;
    for (const Channel end : {c, fabric.peer(c)})
      if (fabric.from_switch(end))
        ends.emplace_back(fabric.node(fabric.switch_of(end)).guid, fabric.port_of(end));
    const auto lower = std::ranges::min(ends);
    RC_ASSERT(ExcludedLinks::cable_name(fabric, c) ==
              fmt::format("0x{:016x}:{}", lower.first, lower.second));
  }
}

}  // namespace
}  // namespace selvedge
