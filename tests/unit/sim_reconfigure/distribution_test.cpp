// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What a change costs where nothing else travels: requests one by one take the sum of their round
// trips, to the tick.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/sim_reconfigure/world.hpp"

namespace selvedge::sim::test {
namespace {

template <class Simulator>
void expect_closed_form(const Story& s) {
  World<Simulator> world(s);
  while (world.network.now() < world.at_us(50'000) &&
         (world.manager.changes().empty() || !world.manager.idle()))
    world.run(world.network.now() + world.at_us(20));
  RC_ASSERT(world.manager.changes().size() == 1);
  const Reconfiguration& change = world.manager.changes()[0];
  RC_ASSERT(change.distributed != kNever);
  RC_ASSERT(change.repeated == 0);
  // Links to each switch, counted anew.
  const HostId host = world.manager.host();
  std::vector<unsigned> links(s.fabric.num_switches(), 0);
  std::vector<SwitchId> queue{s.fabric.host(host).at};
  links[queue[0]] = 1;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const Channel c : s.fabric.out(queue[i]))
      if (links[s.fabric.target(c)] == 0) {
        links[s.fabric.target(c)] = links[queue[i]] + 1;
        queue.push_back(s.fabric.target(c));
      }
  // Naive writes every block that differs.
  const Tables to = s.target.compute(s.fabric);
  Tick sum = 0;
  std::uint64_t writes = 0;
  for (SwitchId at = 0; at < s.fabric.num_switches(); ++at) {
    std::set<unsigned> blocks;
    for (Lid lid = 1; lid <= to.top_lid(); ++lid)
      if (s.from.next(at, lid) != to.next(at, lid)) blocks.insert(lid / s.spec.smp_payload_bytes);
    writes += blocks.size();
    // The next request is sent in the tick after the answer's arrival.
    sum += static_cast<Tick>(blocks.size()) *
           (round_trip(world.model, links[at], s.spec.smp_bytes) + 1);
  }
  RC_ASSERT(change.writes == writes);
  RC_ASSERT(change.distributed - change.computed == sum);
}

Story drawn_story() {
  const auto fabric = *rc::gen::element<std::string>(
      "torus:3x3", "torus:4x4", "mesh:2x3", "mesh:5", "tree:k=2,n=3", "torus:3x4,hosts=2",
      "irregular:switches=9,degree=3,hosts=2,seed=4");
  Story s = story(fabric, SchemeName::kNaive);
  s.spec.outstanding = 1;
  s.spec.at_us = *rc::gen::inRange(0, 50);
  s.spec.timeout_us = 10'000;
  s.spec.smp_payload_bytes = *rc::gen::element(8U, 32U, 64U);
  s.spec.smp_bytes = *rc::gen::inRange(40U, 321U);
  s.parameters.routing_ns = *rc::gen::element(20.0, 100.0, 2000.0);
  s.parameters.routing_header_bytes = *rc::gen::element(0U, 20U, 60U);
  s.parameters.host_cable_m = *rc::gen::element(-1.0, 2.0, 40.0);
  if (*rc::gen::element(false, true)) s.parameters.switching = Switching::kStoreAndForward;
  const auto root = *rc::gen::inRange<SwitchId>(1, s.fabric.num_switches());
  s.target.compute = [root](const Fabric& left) { return updn(left, root); };
  return s;
}

RC_GTEST_PROP(Distribution, TakesTheSumOfRoundTripsToTheTick, ()) {
  expect_closed_form<Network>(drawn_story());
}

TEST(Distribution, TakesTheSameInTheReference) {
  rc::check([] {
    Story s = drawn_story();
    s.fabric = assign_lids(make_fabric("mesh:2x3"), 0);
    s.from = updn(s.fabric);
    s.target.compute = [](const Fabric& left) { return updn(left, 4); };
    expect_closed_form<Reference>(s);
  });
}

/// Computing takes a + b · entries.
TEST(Distribution, ComputingTakesWhatTheSpecSays) {
  Story s = story("torus:4x4", SchemeName::kNaive, 0, 5);
  s.spec.at_us = 10;
  s.spec.compute_us = 30;
  s.spec.compute_ns_per_entry = 200;
  World<Network> world(s);
  world.settle();
  const Reconfiguration& change = world.manager.changes().at(0);
  const Tables to = s.target.compute(s.fabric);
  std::uint64_t entries = 0;
  for (SwitchId at = 0; at < s.fabric.num_switches(); ++at)
    for (Lid lid = 1; lid <= to.top_lid(); ++lid)
      entries += s.from.next(at, lid) != to.next(at, lid) ? 1 : 0;
  EXPECT_EQ(change.lft_entries, entries);
  EXPECT_EQ(change.computed - change.detected,
            world.at_us(30 + 0.2 * static_cast<double>(entries)));
}

}  // namespace
}  // namespace selvedge::sim::test
