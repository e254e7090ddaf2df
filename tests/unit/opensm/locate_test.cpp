// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/locate.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "plugin/fabric/generators.hpp"
#include "plugin/fabric/stable_random.hpp"
#include "plugin/transition/order.hpp"
#include "tests/unit/opensm/smp_subnet.hpp"

namespace selvedge {
namespace {

constexpr SmpLimits kLimits{.outstanding_max = 16, .timeout_ms = 2000, .tries = 1};

/// What locate() finds after `fault`, when it searches around these switches.
Located found(const Fabric& before, const Fault& fault, HostId from,
              const std::vector<SwitchId>& environment) {
  const test::SmpSubnet subnet(without(before, fault), from);
  SmpAgent agent;
  EXPECT_EQ(agent.start(test::SmpSubnet::program(), before.host(from).guid), std::nullopt);
  return locate(agent, {.port = before.host(from).guid, .limits = kLimits}, before, environment);
}

Fabric some_torus(StableRandom& random) {
  return assign_lids(torus({3 + static_cast<unsigned>(random.below(3)),
                            3 + static_cast<unsigned>(random.below(3))}),
                     0);
}

/// A trap from either end of a failed cable suffices. The usual route to that end may use the
/// cable, and that end may be our own host's switch.
RC_GTEST_PROP(Locate, ACableByEitherEnd, ()) {
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  const Fabric fabric = some_torus(random);
  const Channel cable = fabric.links()[random.below(fabric.links().size())];
  const auto from = static_cast<HostId>(random.below(fabric.num_hosts()));
  const SwitchId end = fabric.switch_of(random.chance(50) ? cable : fabric.peer(cable));
  const Located located = found(fabric, {{cable}, {}}, from, {end});
  RC_ASSERT(located.fault == (Fault{{cable}, {}}));
  RC_ASSERT(located.unanswered == 0u);
}

/// One neighbour's trap is enough to distinguish a failed switch from a failed cable.
RC_GTEST_PROP(Locate, ASwitchByOneNeighbour, ()) {
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  const Fabric fabric = some_torus(random);
  const auto from = static_cast<HostId>(random.below(fabric.num_hosts()));
  const auto dead = static_cast<SwitchId>(random.below(fabric.num_switches()));
  RC_PRE(dead != fabric.host(from).at);
  const auto near = switches_at_fault(fabric, {{}, {dead}});
  const Located located = found(fabric, {{}, {dead}}, from, {near[random.below(near.size())]});
  RC_ASSERT(located.fault.switches == std::vector<SwitchId>{dead});
  RC_ASSERT(located.fault.links.empty());
}

RC_GTEST_PROP(Locate, AHostsCable, ()) {
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  const Fabric fabric = some_torus(random);
  const auto from = static_cast<HostId>(random.below(fabric.num_hosts()));
  const auto lost = static_cast<HostId>(random.below(fabric.num_hosts()));
  RC_PRE(lost != from);
  const Channel cable = fabric.peer(fabric.injection(lost));
  const Located located = found(fabric, {{cable}, {}}, from, {fabric.host(lost).at});
  RC_ASSERT(located.fault == (Fault{{cable}, {}}));
}

RC_GTEST_PROP(Locate, NothingWhereNothingIsDown, ()) {
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  const Fabric fabric = some_torus(random);
  const auto asked = static_cast<SwitchId>(random.below(fabric.num_switches()));
  const Located located = found(fabric, {}, 0, {asked});
  RC_ASSERT(located.fault.empty());
  RC_ASSERT(located.unanswered == 0u);
}

}  // namespace
}  // namespace selvedge
