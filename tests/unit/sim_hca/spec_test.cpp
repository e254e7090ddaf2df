// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What [hca] refuses, in one line that names what would fit; and the protocol's clock.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.hpp"
#include "sim/hca/protocol_clock.hpp"
#include "sim/hca/room_for_connections.hpp"
#include "sim/hca/spec.hpp"

namespace selvedge::sim {
namespace {

std::string complaint(const HcaSpec& spec, unsigned mtu = 1'024, std::uint32_t hosts = 64,
                      PathChoice paths = PathChoice::kFirst) {
  Model model;
  model.mtu_bytes = mtu;
  model.paths = paths;
  try {
    check(spec, model, hosts);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(HcaSpec, WhatDoesNotFitIsRefusedWithTheFigureThatWould) {
  const HcaSpec li{.protocol = HcaProtocol::kLi};
  EXPECT_EQ(complaint(li), "");
  EXPECT_EQ(complaint({}, 64), "");  // off
  EXPECT_NE(complaint(li, 256).find("set [model] mtu_bytes to 428 or more"), std::string::npos)
      << complaint(li, 256);
  HcaSpec spec = li;
  spec.payload_bytes = 1'024 - kProtocolBytes;
  EXPECT_EQ(complaint(spec), "");
  ++spec.payload_bytes;
  EXPECT_NE(complaint(spec).find("at most 988"), std::string::npos) << complaint(spec);
  spec = li;
  spec.window_packets = 100;
  EXPECT_NE(complaint(spec).find("power of two from 64 to 2048"), std::string::npos);
  spec = li;
  spec.protocol = HcaProtocol::kLw;
  EXPECT_NE(complaint(spec).find("memory = \"static\""), std::string::npos);
  spec.memory = protocol::MemoryPolicy::kStatic;
  EXPECT_EQ(complaint(spec), "");  // an equal share each
  EXPECT_EQ(memory_of_connection(spec, 65), spec.memory_bytes / 64);
  spec.memory_bytes_per_connection = 100'000;
  EXPECT_NE(complaint(spec).find("set memory_bytes_per_connection to 66576 or less"),
            std::string::npos)
      << complaint(spec);
  spec = li;
  spec.burst_packets = 65;
  EXPECT_NE(complaint(spec).find("from 1 to 64"), std::string::npos) << complaint(spec);
  spec = li;
  spec.in_flight_packets = 0;
  EXPECT_NE(complaint(spec).find("from 1 to 2048"), std::string::npos) << complaint(spec);
  spec.in_flight_packets = 1;
  EXPECT_EQ(complaint(spec), "");
  spec = li;
  spec.paths = 2;
  EXPECT_EQ(complaint(spec), "");
  EXPECT_NE(complaint(spec, 1'024, 64, PathChoice::kRandom).find("[hca] paths"), std::string::npos);
}

TEST(HcaSpec, ACapBelowAPacketHoldsNone) {
  Model model;
  model.mtu_bytes = 1'024;
  HcaSpec spec{.protocol = HcaProtocol::kLi, .memory_bytes_per_connection = 1'023};
  EXPECT_FALSE(holds_a_packet(spec, model, 64));  // 988 bytes of payload take four times 256
  spec.memory_bytes_per_connection = 1'024;
  EXPECT_TRUE(holds_a_packet(spec, model, 64));
  spec.payload_bytes = 256;
  spec.memory_bytes_per_connection = 255;
  EXPECT_FALSE(holds_a_packet(spec, model, 64));
}

RC_GTEST_PROP(RoomForConnections, so_many_hosts_can_all_be_connected_and_no_more, ()) {
  const auto connections = *rc::gen::inRange<std::uint64_t>(1, std::uint64_t{1} << 40);
  const std::uint64_t hosts = hosts_all_connected(connections);
  RC_ASSERT(hosts * (hosts - 1) / 2 <= connections);
  RC_ASSERT((hosts + 1) * hosts / 2 > connections);
}

TEST(HcaSpec, TheTrafficAboveSeesTheProtocolsPackets) {
  Model model;
  model.mtu_bytes = 1'024;
  model.header_bytes = 26;
  EXPECT_EQ(model_above({}, model).mtu_bytes, 1'024u);
  const Model above = model_above({.protocol = HcaProtocol::kLi}, model);
  EXPECT_EQ(above.mtu_bytes, 988u);
  EXPECT_EQ(above.mtu_bytes + above.header_bytes, 1'024u + 26u);
}

/// A deadline is due at the first tick that the clock shows as late, and not before.
RC_GTEST_PROP(ProtocolClock, a_deadline_is_due_at_the_first_tick_that_is_late_enough, ()) {
  const ProtocolClock clock(TimeBase{*rc::gen::inRange<Thirds>(1, 40'000)});
  const auto ns = ProtocolClock::kStart + *rc::gen::inRange<protocol::TimeNs>(0, 1'000'000'000'000);
  const Tick due = clock.tick(ns);
  RC_ASSERT(clock.ns(due) >= ns);
  if (due > 0) RC_ASSERT(clock.ns(due - 1) < ns);
  RC_ASSERT(clock.tick(protocol::kNever) == kNever);
}

}  // namespace
}  // namespace selvedge::sim
