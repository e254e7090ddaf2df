// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The fast network and the reference under the same manager: random fabrics, schemes, cuts, traffic
// and lost SMPs; every packet is delivered at the same tick.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "plugin/fabric/stable_random.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/unit/sim_reconfigure/world.hpp"

namespace selvedge::sim::test {
namespace {

Story random_story(std::uint64_t seed) {
  StableRandom draw(seed);
  const auto from = [&](std::uint64_t least, std::uint64_t most) {
    return least + draw.below(most - least + 1);
  };
  static const char* const kFabrics[] = {"torus:3x3",      "mesh:2x3",     "torus:4",
                                         "mesh:3x3",       "tree:k=2,n=2", "torus:3,hosts=2",
                                         "torus:5,hosts=2"};
  const auto name = static_cast<SchemeName>(from(1, scheme_names().size() - 1));
  const char* const fabric = kFabrics[draw.below(std::size(kFabrics))];
  Story s = story(fabric, name, name == SchemeName::kRftrReaddress ? 2 : 0);
  const auto root = static_cast<SwitchId>(draw.below(s.fabric.num_switches()));
  s.target.compute = [root](const Fabric& left) { return updn(left, root); };
  s.seed = seed;
  // Ticks of a byte's time, and small buffers.
  Parameters& p = s.parameters;
  p.routing_ns = 4.0 * static_cast<double>(from(1, 30));
  p.cable_m = 0.8 * static_cast<double>(from(1, 30));
  p.input_buffer_bytes = static_cast<unsigned>(64 * from(1, 3));
  p.output_buffer_bytes = static_cast<unsigned>(64 * from(1, 3));
  p.mtu_bytes = 32;
  p.management_buffer_bytes = static_cast<unsigned>(64 * from(1, 4));
  p.hca_queue_packets = 8;
  if (scheme_of(name).needs_lifetime || draw.chance(20))
    p.head_of_queue_life_us = 0.5 * static_cast<double>(from(1, 20));
  s.traffic.load = 0.1 * static_cast<double>(from(2, 12));
  s.spec.smp_bytes = static_cast<unsigned>(from(30, 64));
  s.spec.smp_payload_bytes = static_cast<unsigned>(from(4, 32));
  s.spec.outstanding = static_cast<unsigned>(from(1, 4));
  s.spec.timeout_us = static_cast<double>(from(5, 20));
  s.spec.drain_us = static_cast<double>(from(0, 5));
  s.spec.compute_us = draw.chance(50) ? 0 : static_cast<double>(from(0, 5));
  if (draw.chance(30)) {
    s.spec.detection = Detection::kSweep;
    s.spec.sweep_us = static_cast<double>(from(10, 20));
  }
  if (draw.chance(40)) s.spec.at_us = static_cast<double>(from(0, 10));
  const std::span<const Channel> cables = s.fabric.links();
  const Tick begin = static_cast<Tick>(from(100, 3000));
  const Channel first = cables[draw.below(cables.size())];
  if (!s.spec.at_us || draw.chance(30)) {
    s.cuts.push_back({begin, first});
    if (draw.chance(30)) s.cuts.push_back({begin + static_cast<Tick>(from(50, 3000)), first, true});
  }
  const unsigned percent = draw.chance(50) ? 0 : static_cast<unsigned>(from(1, 20));
  s.lose = [seed, percent](std::uint64_t number) {
    return StableRandom(seed * 1'000'003 + number).chance(percent);
  };
  return s;
}

struct Record {
  std::vector<Delivery> deliveries;
  Totals totals;
  std::vector<std::vector<Tick>> changes;
  Tables tables;
  EpochCases cases;
  std::uint64_t smps = 0;
  std::string error;
};

template <class Simulator>
Record play(const Story& s) {
  Record record;
  try {
    World<Simulator> world(s);
    world.run(12'000);
    record.deliveries = world.deliveries;
    std::ranges::sort(record.deliveries, {}, [](const Delivery& d) {
      return std::tuple(d.delivered, d.from, d.sequence);
    });
    record.totals = world.network.totals();
    record.totals.events = 0;
    for (const Reconfiguration& c : world.manager.changes())
      record.changes.push_back({c.cause, c.detected, c.computed, c.distributed,
                                static_cast<Tick>(c.writes), static_cast<Tick>(c.repeated)});
    record.tables = world.manager.in_force();
    record.cases = world.network.epoch_cases();
    record.smps = world.manager.smps_sent();
  } catch (const InputError& error) {  // such as a fault that disconnects a mesh's engine
    record.error = error.what();
  }
  return record;
}

TEST(FastEqualsReference, UnderAManager) {
  std::uint64_t first = 1 + 1000 * (selvedge::test::draw_seed() - 1);
  std::uint64_t count = selvedge::test::whole_sets() ? 1000 : 60;
  if (selvedge::test::sampled()) count = 20;
  if (const char* asked = std::getenv("SELVEDGE_SCENARIOS")) {
    ASSERT_EQ(std::sscanf(asked, "%lu,%lu", &first, &count), 2);
  }
  std::uint64_t changes = 0, deliveries = 0, repeated = 0, errors = 0, recovered = 0, ended = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Story s = random_story(seed);
    const Record fast = play<Network>(s), slow = play<Reference>(s);
    const auto where = [&] {
      return fmt::format("scenario {}, scheme {}", seed, scheme_of(s.spec.scheme).name);
    };
    ASSERT_EQ(fast.error, slow.error) << where();
    for (std::size_t i = 0; i < std::min(fast.deliveries.size(), slow.deliveries.size()); ++i)
      ASSERT_TRUE(fast.deliveries[i] == slow.deliveries[i]) << where() << ", delivery " << i;
    ASSERT_EQ(fast.deliveries.size(), slow.deliveries.size()) << where();
    ASSERT_TRUE(fast.totals == slow.totals) << where();
    ASSERT_EQ(fast.changes, slow.changes) << where();
    ASSERT_TRUE(fast.tables == slow.tables) << where();
    ASSERT_TRUE(fast.cases == slow.cases) << where();
    ASSERT_EQ(fast.smps, slow.smps) << where();
    changes += fast.changes.size();
    deliveries += fast.deliveries.size();
    errors += fast.error.empty() ? 0 : 1;
    recovered += fast.totals.lost[static_cast<unsigned>(Loss::kRecovery)];
    for (const auto& change : fast.changes) {
      repeated += static_cast<std::uint64_t>(change[5]);
      ended += change[3] != kNever ? 1 : 0;
    }
  }
  if (selvedge::test::sampled()) return;
  EXPECT_GT(changes, count / 2);
  EXPECT_GT(ended, count / 3);
  EXPECT_GT(repeated, count / 4);
  EXPECT_GT(deliveries, 100 * count);
  EXPECT_LT(errors, count / 20);
  RecordProperty("recovered", static_cast<int>(recovered));
  std::cout << changes << " changes, " << ended << " ended, " << repeated << " repeated requests, "
            << recovered << " packets recovered, " << errors << " errors\n";
}

}  // namespace
}  // namespace selvedge::sim::test
