// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The registry of patterns: every pattern, valid and invalid values, seeds.
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "base/error.hpp"
#include "tests/unit/sim_traffic/ideal_network.hpp"
#include "tests/unit/sim_traffic/support.hpp"

namespace selvedge::sim {
namespace {

using test::IdealNetwork;
using test::small_model;

std::string refusal(const std::function<void(TrafficSpec&)>& change) {
  TrafficSpec spec;
  change(spec);
  try {
    make_traffic(spec, torus({3, 3}), small_model(), 1);
  } catch (const InputError& e) {
    return e.what();
  }
  return "accepted";
}

TEST(MakeTraffic, BadValuesAreNamed) {
  const std::vector<std::pair<std::function<void(TrafficSpec&)>, std::string>> cases = {
      {[](TrafficSpec& s) { s.pattern = "unifrom"; }, "did you mean 'uniform'"},
      {[](TrafficSpec& s) { s.pattern = "?"; }, "known: uniform, bit-reversal"},
      {[](TrafficSpec& s) { s.load = 0; }, "[traffic] load is 0"},
      {[](TrafficSpec& s) { s.load = std::nan(""); }, "[traffic] load is nan"},
      {[](TrafficSpec& s) { s.payload_bytes = UINT32_MAX; }, "[traffic] payload_bytes"},
      {[](TrafficSpec& s) { s.arrival = Arrival::kOnOff, s.burst_messages = 0; },
       "[traffic] burst_messages"},
      {[](TrafficSpec& s) { s.arrival = Arrival::kOnOff, s.burst_load = 0.05; },
       "[traffic] burst_load is 0.05"},
      {[](TrafficSpec& s) { s.pattern = "hot-spot", s.hot_share = 1.5; }, "[traffic] hot_share"},
      {[](TrafficSpec& s) { s.pattern = "hot-spot", s.hot_spots = 0; }, "[traffic] hot_spots"},
      {[](TrafficSpec& s) { s.pattern = "hot-spot", s.hot_spots = 10; }, "from 1 to 9"},
      {[](TrafficSpec& s) { s.pattern = "hot-spot", s.hot_hosts = {"H-7-7"}; },
       "[traffic] hot_hosts is 'H-7-7'"},
      {[](TrafficSpec& s) { s.pattern = "hot-spot", s.hot_hosts = {"H-0-0", "H-0-0"}; }, "twice"},
      {[](TrafficSpec& s) { s.pattern = "hot-sources", s.hot_sources = -1; },
       "[traffic] hot_sources"},
      {[](TrafficSpec& s) { s.pattern = "same-digit", s.digit = 1; }, "[traffic] digit is 1"},
      {[](TrafficSpec& s) { s.pattern = "same-digit", s.radix = 10; }, "[traffic] radix is 10"},
      {[](TrafficSpec& s) { s.window = 1, s.think_ns = -1; }, "[traffic] think_ns"},
      {[](TrafficSpec& s) { s.pattern = "io", s.disks = 0; }, "[traffic] disks"},
      {[](TrafficSpec& s) { s.pattern = "io", s.disks = 2, s.io_requests = 0; },
       "[traffic] io_requests"},
      {[](TrafficSpec& s) { s.pattern = "io", s.disks = 2, s.io_rate_per_s = 0; },
       "[traffic] io_rate_per_s"},
      {[](TrafficSpec& s) { s.pattern = "io", s.disks = 2, s.time_compression = 0; },
       "[traffic] time_compression"},
  };
  for (const auto& [change, said] : cases)
    EXPECT_NE(refusal(change).find(said), std::string::npos)
        << refusal(change) << "\n  not: " << said;
}

/// Every pattern, open and closed, on an ideal network: it sends messages, obeys the interface
/// (which the network checks), and is the same for the same seed.
TEST(MakeTraffic, EveryPatternSendsTheSameForTheSameSeed) {
  const Fabric fabric = torus({4, 4}, 2);
  const Model model = small_model();
  std::set<std::string_view> names;
  for (const PatternHelp& pattern : patterns()) {
    EXPECT_TRUE(names.insert(pattern.name).second);
    EXPECT_FALSE(pattern.help.empty());
    if (pattern.name == "trace") continue;  // trace_test.cpp
    for (const std::uint32_t window : {0u, 3u}) {
      SCOPED_TRACE(std::string(pattern.name) + (window > 0 ? ", closed" : ", open"));
      TrafficSpec spec;
      spec.pattern = pattern.name;
      spec.window = window;
      spec.response_bytes = 500;
      spec.rounds = 2;
      spec.messages_per_host = 20;
      spec.disks = 5;
      spec.io_requests = 100;
      spec.time_compression = 1e6;
      const auto sent = [&](std::uint64_t seed) {
        const auto made = make_traffic(spec, fabric, model, seed);
        IdealNetwork network(*made, fabric, model, {.slowest = 100, .seed = 5});
        network.run(kNever);
        EXPECT_TRUE(network.idle());
        return network.sent();
      };
      const auto once = sent(1);
      EXPECT_GE(once.size(), 100u);
      EXPECT_EQ(once, sent(1));
      // Fixed schedules draw nothing, so they do not depend on the seed.
      const bool collective = pattern.name == "all-to-all" || pattern.name == "ring-allreduce";
      const bool fixed_closed = window > 0 && once == sent(3);
      if (!collective && !fixed_closed) {
        EXPECT_NE(once, sent(2));
      }
    }
  }
  EXPECT_EQ(names.size(), 16u);
}

}  // namespace
}  // namespace selvedge::sim
