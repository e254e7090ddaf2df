// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Traffic on the fast network and on the reference. Traffic that reacts to deliveries and losses
// gives the same results on both. Finite traffic leaves them idle with all packets accounted for.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/model/network.hpp"
#include "sim/model/reference.hpp"
#include "tests/support/routed.hpp"
#include "tests/unit/sim_traffic/support.hpp"

namespace selvedge::sim {
namespace {

struct Seen {
  std::vector<Delivery> deliveries;
  Totals totals;
  bool idle = false;
};

template <class Net>
Seen play(const TrafficSpec& spec, const selvedge::test::Routed& routed, const Model& model,
          double cut_at_ns) {
  const auto traffic = make_traffic(spec, routed.fabric, model, 7);
  Net net(routed.fabric, routed.routing.tables, model, *traffic, 7);
  Seen seen;
  net.on_delivery([&](const Delivery& d) { seen.deliveries.push_back(d); });
  if (cut_at_ns > 0) {
    net.run(model.time_base.at(cut_at_ns));
    net.cut(routed.fabric.links().front());
    net.run(model.time_base.at(cut_at_ns + 3'000));
    net.restore(routed.fabric.links().front());
  }
  net.run(model.time_base.at(2e6));
  seen.totals = net.totals();
  seen.totals.events = 0;
  seen.idle = net.idle();
  const auto key = [](const Delivery& d) { return std::tuple(d.delivered, d.from, d.sequence); };
  std::sort(seen.deliveries.begin(), seen.deliveries.end(),
            [&](const Delivery& a, const Delivery& b) { return key(a) < key(b); });
  return seen;
}

/// Finite traffic of every pattern.
TrafficSpec short_spec(std::string_view pattern, std::uint32_t window) {
  TrafficSpec spec;
  spec.pattern = pattern;
  spec.load = 0.4;
  spec.payload_bytes = 300;
  spec.response_bytes = 40;
  spec.think_ns = 900;
  spec.window = window;
  spec.rounds = 2;
  spec.messages_per_host = 6;
  spec.permutation_bytes = 600;
  spec.disks = 2;
  spec.io_requests = 30;
  spec.io_rate_per_s = 1000;
  spec.time_compression = 100'000;
  return spec;
}

TEST(OnRealNetworks, FastAndReferenceAgreeOnClosedLoops) {
  const selvedge::test::Routed routed(torus({3, 3}), "updn", 0);
  Parameters parameters;
  parameters.mtu_bytes = 256;
  parameters.hca_queue_packets = 3;
  const Model model = resolve(parameters, routed.routing.tables);
  std::size_t losses = 0;
  for (const PatternHelp& pattern : patterns()) {
    if (pattern.name == "trace") continue;  // needs a file; io replays a trace, too
    for (const std::uint32_t window : {0u, 3u})
      for (const double cut_at : {0.0, 4'000.0}) {
        SCOPED_TRACE(std::string(pattern.name) + (window > 0 ? ", closed" : ", open") +
                     (cut_at > 0 ? ", with a fault" : ""));
        const TrafficSpec spec = short_spec(pattern.name, window);
        const Seen fast = play<Network>(spec, routed, model, cut_at);
        const Seen slow = play<Reference>(spec, routed, model, cut_at);
        EXPECT_EQ(fast.totals, slow.totals);
        ASSERT_EQ(fast.deliveries.size(), slow.deliveries.size());
        for (std::size_t i = 0; i < fast.deliveries.size(); ++i)
          ASSERT_EQ(fast.deliveries[i], slow.deliveries[i]) << "delivery " << i;
        EXPECT_TRUE(fast.idle && slow.idle);
        EXPECT_GE(fast.totals.delivered, 20u);
        EXPECT_EQ(fast.totals.delivered + fast.totals.all_lost(), fast.totals.generated);
        EXPECT_TRUE(cut_at > 0 || fast.totals.all_lost() == 0);
        losses += fast.totals.all_lost();
      }
  }
  EXPECT_GT(losses, 0u);
}

}  // namespace
}  // namespace selvedge::sim
