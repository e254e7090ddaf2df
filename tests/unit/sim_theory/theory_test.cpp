// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Compares the fast network with results of queueing theory.
#include <gtest/gtest.h>

#include <functional>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/spec.hpp"
#include "sim/engine/random.hpp"
#include "sim/model/network.hpp"

namespace selvedge::sim {
namespace {

/// Every host sends packets of one size: with exponential gaps, or at full rate if the mean is 0.
class Poisson : public Traffic {
 public:
  Poisson(unsigned hosts, double mean_ticks, unsigned payload,
          std::function<HostId(HostId, Stream&)> to)
      : mean_(mean_ticks), payload_(payload), at_(hosts), to_(std::move(to)) {
    for (unsigned h = 0; h < hosts; ++h) streams_.emplace_back(7, h);
  }
  Message next(HostId from) override {
    const HostId to = to_(from, streams_[from]);
    if (to == kNoHost) return {};
    if (mean_ > 0) at_[from] += streams_[from].exponential(mean_);
    return {.at = static_cast<Tick>(at_[from]), .to = to, .bytes = payload_};
  }

 private:
  double mean_;
  unsigned payload_;
  std::vector<double> at_;
  std::function<HostId(HostId, Stream&)> to_;
  std::vector<Stream> streams_;
};

struct Subject {
  Subject(const char* spec, const char* engine, const Parameters& parameters)
      : fabric(make(spec, engine)),
        tables(find_engine(engine).compute(fabric, {}).tables),
        model(resolve(parameters, tables)) {}
  static Fabric make(const char* spec, const char* name) {
    const Engine& engine = find_engine(name);
    return make_fabric_choosing_lmc(
        spec, [&](const Fabric& f) { return engine.lmc == nullptr ? 0u : engine.lmc(f); });
  }

  Fabric fabric;
  Tables tables;
  Model model;
};

constexpr unsigned kPayload = 230;  // a packet of 256 bytes
constexpr unsigned kPacketBytes = 256;

Parameters small_packets(unsigned buffer_packets, unsigned output_packets) {
  Parameters p;
  p.mtu_bytes = kPayload;
  p.header_bytes = kPacketBytes - kPayload;
  p.input_buffer_bytes = buffer_packets * kPacketBytes;
  p.output_buffer_bytes = output_packets * kPacketBytes;
  return p;
}

Tick on_wire(const Model& model) { return kPacketBytes * model.to_hosts.byte_time; }

// A host's link is a server with constant service: W = ρS / (2 (1 − ρ)).
class SingleServer : public testing::TestWithParam<double> {};

TEST_P(SingleServer, WaitingTimeFollowsPollaczekKhinchine) {
  const double rho = GetParam();
  const Subject s("mesh:1x2", "updn", small_packets(8, 8));
  const auto wire = static_cast<double>(on_wire(s.model));
  Poisson traffic(2, wire / rho, kPayload,
                  [](HostId from, Stream&) { return from == 0 ? HostId{1} : kNoHost; });
  Network network(s.fabric, s.tables, s.model, traffic, 1);
  network.run(static_cast<Tick>((rho < 0.7 ? 1e6 : 3e6) * wire / rho));
  const double waited = network.window().latency.mean() - network.window().network_latency.mean();
  const double expected = rho * wire / (2 * (1 - rho));
  EXPECT_NEAR(waited / expected, 1, 0.01) << waited << " against " << expected << " ticks";
}

INSTANTIATE_TEST_SUITE_P(Loads, SingleServer, testing::Values(0.3, 0.5, 0.8), [](const auto& of) {
  return std::to_string(static_cast<int>(100 * of.param)) + "Percent";
});

// Karol, Hluchyj, Morgan 1987, table I: the throughput of a saturated N × N switch with
// head-of-line blocking, whose outputs hold one packet, with uniform destinations including a
// host's own port.
class HeadOfLine : public testing::TestWithParam<std::pair<unsigned, double>> {};

TEST_P(HeadOfLine, SaturatesAsInKarol) {
  const auto [ports, expected] = GetParam();
  const std::string spec = "clos:n=" + std::to_string(ports) + ",r=1,m=1";
  const Subject s(spec.c_str(), "updn", small_packets(16, 1));
  Poisson traffic(ports, 0, kPayload, [&](HostId, Stream& stream) { return stream.below(ports); });
  Network network(s.fabric, s.tables, s.model, traffic, 1);
  const Tick slot = on_wire(s.model);
  network.run(1000 * slot);
  network.clear_window();
  constexpr Tick kSlots = 400'000;
  network.run((1000 + kSlots) * slot);
  const double throughput =
      static_cast<double>(network.window().packets) / static_cast<double>(kSlots * ports);
  EXPECT_NEAR(throughput / expected, 1, 0.01);
}

INSTANTIATE_TEST_SUITE_P(Ports, HeadOfLine,
                         testing::Values(std::pair(2u, 0.7500), std::pair(3u, 0.6825),
                                         std::pair(4u, 0.6553), std::pair(8u, 0.6184)),
                         [](const auto& of) { return std::to_string(of.param.first) + "Ports"; });

// Zahavi 2012 §1; Gómez 2007 §4: with d-mod-k no two flows of a shift share a link.
TEST(Shift, RunsAtFullRateWithDmodk) {
  const Subject s("tree:k=4,n=3", "dmodk", small_packets(16, 16));
  const std::uint32_t hosts = s.fabric.num_hosts();
  for (const unsigned distance : {1u, 5u, 16u, 33u, 63u}) {
    Poisson traffic(hosts, 0, kPayload,
                    [&](HostId from, Stream&) { return (from + distance) % hosts; });
    Network network(s.fabric, s.tables, s.model, traffic, 1);
    const Tick slot = on_wire(s.model);
    network.run(100 * slot);
    network.clear_window();
    network.run(1100 * slot);
    EXPECT_EQ(network.window().packets, 1000u * hosts) << "shift by " << distance;
  }
}

/// Expects a cycle of queues in which each waits for the next.
void expect_cycle(const Fabric& fabric, const std::vector<BlockedQueue>& cycle) {
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const BlockedQueue &at = cycle[i], &then = cycle[(i + 1) % cycle.size()];
    EXPECT_NE(at.input, then.input);
    if (at.input)
      EXPECT_EQ(fabric.target(at.channel), fabric.switch_of(then.channel));
    else
      EXPECT_EQ(at.channel, then.channel);
  }
}

/// Runs until queues wait for each other; returns the cycle, empty if that does not happen.
std::vector<BlockedQueue> run_into_deadlock(Network& network, const Subject& s) {
  std::vector<BlockedQueue> cycle;
  for (int step = 1; step <= 1000 && cycle.empty(); ++step) {
    network.run(step * 100 * on_wire(s.model));
    cycle = network.deadlock();
  }
  return cycle;
}

// Shortest paths on a torus without a dateline: the rings fill and deadlock.
TEST(Deadlock, IsDetectedAndDescribed) {
  const Subject s("torus:6x6", "spf", small_packets(4, 4));
  const std::uint32_t hosts = s.fabric.num_hosts();
  Poisson traffic(hosts, 0, kPayload, [&](HostId, Stream& stream) { return stream.below(hosts); });
  Network network(s.fabric, s.tables, s.model, traffic, 1);
  const std::vector<BlockedQueue> cycle = run_into_deadlock(network, s);
  ASSERT_FALSE(cycle.empty());
  expect_cycle(s.fabric, cycle);
  // The deadlock is permanent.
  network.run(network.now() + 10'000 * on_wire(s.model));
  EXPECT_FALSE(network.deadlock().empty());
  const std::uint64_t delivered = network.totals().delivered;
  network.run(network.now() + 10'000 * on_wire(s.model));
  EXPECT_EQ(network.totals().delivered, delivered) << "saturated rings should all stand still";
}

TEST(Deadlock, EndsByLifetimesThatAManagerWrites) {
  const Subject s("torus:6x6", "spf", small_packets(4, 4));
  const std::uint32_t hosts = s.fabric.num_hosts();
  Poisson traffic(hosts, 0, kPayload, [&](HostId, Stream& stream) { return stream.below(hosts); });
  Network network(s.fabric, s.tables, s.model, traffic, 1, Managed::kYes);
  ASSERT_FALSE(run_into_deadlock(network, s).empty());
  for (Channel c = 0; c < s.fabric.num_channels(); ++c)
    if (s.fabric.from_switch(c)) network.write_head_life(c, 1000 * on_wire(s.model));
  EXPECT_TRUE(network.deadlock().empty());
  expect_cycle(s.fabric, network.deadlock(true));
  EXPECT_FALSE(network.deadlock(true).empty());
  const std::uint64_t delivered = network.totals().delivered;
  network.run(network.now() + 10'000 * on_wire(s.model));
  EXPECT_GT(network.totals().lost[static_cast<unsigned>(Loss::kHeadOfQueue)], 10U);
  EXPECT_GT(network.totals().delivered, delivered + 1000);
}

class NoDeadlock : public testing::TestWithParam<const char*> {};

TEST_P(NoDeadlock, UnderSaturation) {
  Parameters p = small_packets(1, 1);  // the smallest buffers possible
  p.paths = PathChoice::kRandom;
  const Subject s("torus:6x6", GetParam(), p);
  const std::uint32_t hosts = s.fabric.num_hosts();
  Poisson traffic(hosts, 0, kPayload, [&](HostId, Stream& stream) { return stream.below(hosts); });
  Network network(s.fabric, s.tables, s.model, traffic, 1);
  std::uint64_t delivered = 0;
  for (int step = 1; step <= 20; ++step) {
    network.run(step * 1000 * on_wire(s.model));
    ASSERT_TRUE(network.deadlock().empty());
    ASSERT_GT(network.totals().delivered, delivered);
    delivered = network.totals().delivered;
  }
  EXPECT_EQ(network.totals().all_lost(), 0u);
}

INSTANTIATE_TEST_SUITE_P(ProvedTables, NoDeadlock,
                         testing::Values("updn", "spftr", "aspftr", "tftr", "ist"),
                         [](const auto& of) { return std::string(of.param); });

}  // namespace
}  // namespace selvedge::sim
