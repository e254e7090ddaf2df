// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "plugin/fabric/generators.hpp"
#include "sim/model/model.hpp"

namespace selvedge::sim {
namespace {

/// Two switches with a host each; only SL 0, on VL 0.
struct Pair {
  Fabric fabric = assign_lids(mesh({2}), 0);
  Tables tables{fabric};
};

TEST(Resolve, TheDefaultsAreConsistent) { EXPECT_NO_THROW(resolve({}, Pair().tables)); }

/// A large MTU, with buffers for it.
Parameters roomy() {
  Parameters p;
  p.input_buffer_bytes = p.output_buffer_bytes = 4096;
  p.mtu_bytes = 2048;
  return p;
}

TEST(Resolve, EveryRateOfInfiniBandIsExact) {
  const Pair pair;
  const auto byte_ns = [&](double gbps, Coding coding) {
    Parameters p = roomy();
    p.link_rate_gbps = gbps;
    p.coding = coding;
    const Model m = resolve(p, pair.tables);
    return m.time_base.ns(m.between_switches.byte_time);
  };
  EXPECT_DOUBLE_EQ(byte_ns(2.5, Coding::k8b10b), 4);                  // 1X SDR
  EXPECT_DOUBLE_EQ(byte_ns(40, Coding::k8b10b), 0.25);                // 4X QDR
  EXPECT_DOUBLE_EQ(byte_ns(4 * 14.0625, Coding::k64b66b), 0.44 / 3);  // 4X FDR
  EXPECT_DOUBLE_EQ(byte_ns(4 * 25.78125, Coding::k64b66b), 0.08);     // 4X EDR
  EXPECT_DOUBLE_EQ(byte_ns(400, Coding::kNone), 0.02);                // 4X NDR
}

TEST(Resolve, TheTickIsTheGreatestCommonDivisor) {
  const Pair pair;
  Parameters p = roomy();
  p.cable_m = 20;      // 100 ns
  p.host_cable_m = 3;  // 15 ns
  p.routing_ns = 130;  // beside bytes of 4 ns
  p.credit_delay_ns = 0;
  p.head_of_queue_life_us = 0.5;
  const Model m = resolve(p, pair.tables);
  EXPECT_EQ(m.time_base.thirds_per_tick, kThirdsPerNs);
  EXPECT_EQ(m.between_switches, (LinkClass{4, 100}));
  EXPECT_EQ(m.to_hosts, (LinkClass{4, 15}));
  EXPECT_EQ(m.routing, 130);
  EXPECT_EQ(m.head_of_queue_life, 500);
  EXPECT_EQ(m.switch_life, kNever);
  p.host_cable_m = -1;
  p.routing_ns = 120;
  const Model coarse = resolve(p, pair.tables);
  EXPECT_EQ(coarse.time_base.thirds_per_tick, 4 * kThirdsPerNs);
  EXPECT_EQ(coarse.to_hosts, coarse.between_switches);
}

TEST(Resolve, WithoutTablesVlsAreServedRoundRobin) {
  Pair pair;
  pair.tables.set_sl(0, 1, 3);
  pair.tables.host_sl2vl[3] = 2;
  const Model m = resolve(roomy(), pair.tables);
  EXPECT_EQ(m.vls, 3u);
  EXPECT_TRUE(m.arbitration_high.empty());
  EXPECT_EQ(m.arbitration_low, (std::vector<ArbitrationEntry>{{0, 1}, {1, 1}, {2, 1}}));
}

TEST(VlsOf, CountsVlsThatPathsUse) {
  Pair pair;
  EXPECT_EQ(vls_of(pair.tables), 1u);
  Sl2VlRow row{};
  row[0] = 4;
  row[7] = 9;
  pair.tables.sl2vl.set(1, 1, 2, row);
  EXPECT_EQ(vls_of(pair.tables), 5u);  // no path uses SL 7
  pair.tables.set_sl(0, 1, 7);
  EXPECT_EQ(vls_of(pair.tables), 10u);
  row[7] = kDropVl;
  pair.tables.sl2vl.set_all(1, row);
  EXPECT_EQ(vls_of(pair.tables), 5u);
}

struct Mistake {
  const char* key;
  std::function<void(Parameters&)> make;
};

TEST(Resolve, EveryErrorNamesItsKey) {
  const Pair pair;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Mistake> mistakes = {
      {"link_rate_gbps", [](auto& p) { p.link_rate_gbps = 0; }},
      {"link_rate_gbps", [&](auto& p) { p.link_rate_gbps = nan; }},
      {"link_rate_gbps", [](auto& p) { p.link_rate_gbps = 2401; }},
      {"cable_m", [](auto& p) { p.cable_m = -1; }},
      {"host_cable_m", [&](auto& p) { p.host_cable_m = nan; }},
      {"host_cable_m", [](auto& p) { p.host_cable_m = 1e6; }},
      {"propagation_ns_per_m", [](auto& p) { p.propagation_ns_per_m = 101; }},
      {"credit_delay_ns", [](auto& p) { p.credit_delay_ns = -0.5; }},
      {"hca_processing_ns", [](auto& p) { p.hca_processing_ns = -1; }},
      {"routing_ns", [](auto& p) { p.routing_ns = 2e6; }},
      {"routing_ns", [](auto& p) { p.routing_ns = p.cable_m = 0; }},
      {"routing_ns", [](auto& p) { p.routing_ns = p.host_cable_m = 0; }},
      {"routing_header_bytes", [](auto& p) { p.routing_header_bytes = kMaxPacketBytes + 1; }},
      {"crossbar_speedup", [](auto& p) { p.crossbar_speedup = 0; }},
      {"crossbar_speedup", [](auto& p) { p.crossbar_speedup = 65; }},
      {"input_buffer_bytes", [](auto& p) { p.input_buffer_bytes = 63; }},
      {"input_buffer_bytes", [](auto& p) { p.input_buffer_bytes = kMaxBufferBytes + 1; }},
      {"input_buffer_bytes", [](auto& p) { p.input_buffer_bytes = 2111; }},  // of 2,074 bytes
      {"output_buffer_bytes", [](auto& p) { p.output_buffer_bytes = 2048; }},
      {"output_buffer_bytes",
       [](auto& p) {  // two packets of 33 blocks
         p.selection = Selection::kRandom;
         p.escape_queues = true;
         p.input_buffer_bytes = 4224;
         p.output_buffer_bytes = 4223;
       }},
      {"input_queues",
       [](auto& p) {  // no output port before a packet is served
         p.selection = Selection::kSadp;
         p.input_queues = InputQueues::kPerOutput;
       }},
      {"own_port",
       [](auto& p) {
         p.selection = Selection::kSadp;
         p.own_port = OwnPort::kEscape;
       }},
      {"adaptive_hops", [](auto& p) { p.adaptive_hops = 201; }},
      {"management_buffer_bytes", [](auto& p) { p.management_buffer_bytes = 32; }},
      {"head_of_queue_life_us", [](auto& p) { p.head_of_queue_life_us = -1; }},
      {"switch_life_us", [](auto& p) { p.switch_life_us = 1e8; }},
      {"arbitration_high_limit", [](auto& p) { p.arbitration_high_limit = 256; }},
      {"arbitration_high", [](auto& p) { p.arbitration_high = {{15, 1}}; }},
      {"arbitration_low", [](auto& p) { p.arbitration_low.assign(65, {0, 1}); }},
      {"arbitration_low", [](auto& p) { p.arbitration_low = {{1, 1}}; }},
      {"arbitration_low", [](auto& p) { p.arbitration_high = {{0, 0}}; }},
      {"mtu_bytes", [](auto& p) { p.mtu_bytes = 0; }},
      {"mtu_bytes", [](auto& p) { p.mtu_bytes = kMaxPacketBytes; }},  // and headers
      {"header_bytes", [](auto& p) { p.header_bytes = kMaxPacketBytes + 1; }},
      {"hca_queue_packets", [](auto& p) { p.hca_queue_packets = 0; }},
      {"hca_queue_packets", [](auto& p) { p.hca_queue_packets = (1u << 20) + 1; }},
  };
  for (std::size_t i = 0; i < mistakes.size(); ++i) {
    Parameters p = roomy();
    EXPECT_NO_THROW(resolve(p, pair.tables));
    mistakes[i].make(p);
    try {
      resolve(p, pair.tables);
      ADD_FAILURE() << "mistake " << i << " (" << mistakes[i].key << ") was let pass";
    } catch (const InputError& error) {
      EXPECT_EQ(error.where(), std::string("[model] ") + mistakes[i].key) << "mistake " << i;
    }
  }
}

TEST(Resolve, APacketThatWaitsForItsHeaderTakesTime) {
  const Pair pair;
  Parameters p = roomy();
  p.routing_ns = p.cable_m = 0;
  p.routing_header_bytes = 1;
  EXPECT_NO_THROW(resolve(p, pair.tables));
  p.routing_header_bytes = 0;
  p.switching = Switching::kStoreAndForward;
  EXPECT_NO_THROW(resolve(p, pair.tables));
}

TEST(Resolve, HostsThatSendToVl15AreRefused) {
  Pair pair;
  pair.tables.host_sl2vl.fill(kDropVl);
  Parameters p = roomy();
  EXPECT_THROW(resolve(p, pair.tables), InputError);
}

RC_GTEST_PROP(Resolve, ValuesInRangeAreConverted, ()) {
  const Pair pair;
  Parameters p = roomy();
  const auto quarter_ns = [](int most) { return *rc::gen::inRange(0, most) / 4.0; };
  p.routing_ns = 0.25 + quarter_ns(4000);
  p.credit_delay_ns = quarter_ns(4000);
  p.hca_processing_ns = quarter_ns(4000);
  p.propagation_ns_per_m = 1;
  p.cable_m = quarter_ns(4000);
  p.host_cable_m = quarter_ns(4000);
  p.switch_life_us = quarter_ns(100);
  const Model m = resolve(p, pair.tables);
  RC_ASSERT(m.time_base.ns(m.routing) == p.routing_ns);
  RC_ASSERT(m.time_base.ns(m.credit_delay) == p.credit_delay_ns);
  RC_ASSERT(m.time_base.ns(m.processing) == p.hca_processing_ns);
  RC_ASSERT(m.time_base.ns(m.between_switches.propagation) == p.cable_m);
  RC_ASSERT(m.time_base.ns(m.to_hosts.propagation) == p.host_cable_m);
  RC_ASSERT(m.time_base.ns(m.to_hosts.byte_time) == 4);
  if (p.switch_life_us == 0)
    RC_ASSERT(m.switch_life == kNever);
  else
    RC_ASSERT(m.time_base.ns(m.switch_life) == 1000 * p.switch_life_us);
}

}  // namespace
}  // namespace selvedge::sim
