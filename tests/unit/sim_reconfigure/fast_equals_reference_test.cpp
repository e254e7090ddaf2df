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

/// The same with hosts that run a protocol: that of the daemon or that of Montañana 2008, whose
/// packets are longer, and which needs time to send again what was lost.
Story by_protocol(Story s) {
  StableRandom draw(s.seed ^ 0x4ca);
  const auto from = [&](std::uint64_t least, std::uint64_t most) {
    return static_cast<unsigned>(least + draw.below(most - least + 1));
  };
  s.parameters.mtu_bytes = 512;
  for (unsigned* bytes : {&s.parameters.input_buffer_bytes, &s.parameters.output_buffer_bytes})
    *bytes = 576 * from(1, 3);
  s.parameters.hca_processing_ns = 4.0 * from(0, 100);
  s.traffic.payload_bytes = from(1, 600);
  s.traffic.messages_per_host = draw.chance(50) ? from(1, 20) : 0;
  const unsigned sizes[] = {0, 300, 2'000, 1 << 20};
  s.hca = {.protocol = draw.chance(30) ? HcaProtocol::kThesis : HcaProtocol::kCredits,
           .memory_bytes = sizes[from(0, 3)],
           .window_packets = 64u << from(0, 2),
           .timeout_us = from(5, 100) * 1.0};
  if (s.hca.protocol == HcaProtocol::kThesis) s.hca.window_packets = 1u << from(0, 7);
  return s;
}

struct Record {
  std::vector<Delivery> deliveries;
  Totals totals;
  std::vector<std::vector<Tick>> changes;
  Tables tables;
  EpochCases cases;
  std::uint64_t smps = 0;
  HcaFigures hca;
  std::uint64_t messages = 0;  // that applications received
  std::string error;
};

template <class Simulator>
Record play(const Story& s) {
  Record record;
  try {
    World<Simulator> world(s);
    world.run(s.hca.on() ? 60'000 : 12'000);
    record.deliveries = world.deliveries;
    if (world.protocol) {
      record.hca = world.protocol->figures(world.network.now());
      record.messages = world.protocol->window().messages;
      // A packet's number in Flights has no meaning.
      for (Delivery& d : record.deliveries) d.tag = 0;
    }
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

struct Compared {
  std::uint64_t count = 0, changes = 0, deliveries = 0, repeated = 0, errors = 0, recovered = 0,
                ended = 0, messages = 0, resent = 0;
};

/// Runs `count` stories in both networks; what they show must be equal. SELVEDGE_SCENARIOS=first,n
/// runs these instead; SELVEDGE_SEED=n begins elsewhere.
void compare(std::uint64_t count, Story (*story_of)(std::uint64_t seed), Compared& sum) {
  std::uint64_t first = 1 + 1000 * (selvedge::test::draw_seed() - 1);
  if (const char* asked = std::getenv("SELVEDGE_SCENARIOS")) {
    ASSERT_EQ(std::sscanf(asked, "%lu,%lu", &first, &count), 2);
  }
  sum.count = count;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Story s = story_of(seed);
    const Record fast = play<Network>(s), slow = play<Reference>(s);
    const auto where = [&] {
      return fmt::format("scenario {}, scheme {}, protocol {}", seed, scheme_of(s.spec.scheme).name,
                         static_cast<int>(s.hca.protocol));
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
    ASSERT_EQ(fast.messages, slow.messages) << where();
    ASSERT_EQ(fast.hca.sent, slow.hca.sent) << where();
    ASSERT_EQ(fast.hca.used_slot_ticks, slow.hca.used_slot_ticks) << where();
    sum.changes += fast.changes.size();
    sum.deliveries += fast.deliveries.size();
    sum.errors += fast.error.empty() ? 0 : 1;
    sum.recovered += fast.totals.lost[static_cast<unsigned>(Loss::kRecovery)];
    sum.messages += fast.messages;
    sum.resent += fast.hca.resent_lost;
    for (const auto& change : fast.changes) {
      sum.repeated += static_cast<std::uint64_t>(change[5]);
      sum.ended += change[3] != kNever ? 1 : 0;
    }
  }
  std::cout << sum.changes << " changes, " << sum.ended << " ended, " << sum.repeated
            << " repeated requests, " << sum.deliveries << " deliveries, " << sum.recovered
            << " packets recovered, " << sum.errors << " errors, " << sum.messages << " messages, "
            << sum.resent << " packets sent again\n";
}

TEST(FastEqualsReference, UnderAManager) {
  Compared sum;
  compare(selvedge::test::sampled()      ? 20
          : selvedge::test::whole_sets() ? 1000
                                         : 60,
          random_story, sum);
  if (HasFatalFailure() || selvedge::test::sampled()) return;
  EXPECT_GT(sum.changes, sum.count / 2);
  EXPECT_GT(sum.ended, sum.count / 3);
  EXPECT_GT(sum.repeated, sum.count / 4);
  EXPECT_GT(sum.deliveries, 100 * sum.count);
  EXPECT_LT(sum.errors, sum.count / 20);
}

TEST(FastEqualsReference, UnderAManagerWithProtocolsOfHosts) {
  Compared sum;
  compare(
      selvedge::test::sampled()      ? 5
      : selvedge::test::whole_sets() ? 300
                                     : 30,
      [](std::uint64_t seed) { return by_protocol(random_story(seed)); }, sum);
  if (HasFatalFailure() || selvedge::test::sampled()) return;
  EXPECT_GT(sum.changes, sum.count / 2);
  EXPECT_GT(sum.ended, sum.count / 3);
  EXPECT_GT(sum.messages, 50 * sum.count);
  EXPECT_GT(sum.resent, sum.count / 4);
  EXPECT_LT(sum.errors, sum.count / 20);
}

}  // namespace
}  // namespace selvedge::sim::test
