// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/hca/spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>

#include "base/error.hpp"
#include "daemon/protocol/connection.hpp"

namespace selvedge::sim {
namespace {

[[noreturn]] void refuse(std::string_view key, std::string problem, std::string remedy) {
  throw InputError(std::move(problem), fmt::format("[hca] {}", key), std::move(remedy));
}

std::uint32_t others(std::uint32_t hosts) { return hosts > 1 ? hosts - 1 : 1; }

void check_thesis(const HcaSpec& spec, const Model& model) {
  if (spec.payload_bytes > model.mtu_bytes)
    refuse("payload_bytes",
           fmt::format("{} bytes do not fit the MTU of {}", spec.payload_bytes, model.mtu_bytes),
           fmt::format("give at most {}, or a longer [model] mtu_bytes", model.mtu_bytes));
  if (spec.window_packets < 1 || spec.window_packets > kThesisWindowMax)
    refuse("window_packets", fmt::format("{} is out of range", spec.window_packets),
           fmt::format("give a number from 1 to {}", kThesisWindowMax));
}

}  // namespace

unsigned memory_of_connection(const HcaSpec& spec, std::uint32_t hosts) {
  if (spec.memory_bytes_per_connection) return *spec.memory_bytes_per_connection;
  return spec.memory == protocol::MemoryPolicy::kStatic ? spec.memory_bytes / others(hosts)
                                                        : spec.memory_bytes;
}

void check(const HcaSpec& spec, const Model& model, std::uint32_t hosts) {
  if (!spec.on()) return;
  if (spec.protocol == HcaProtocol::kThesis) return check_thesis(spec, model);
  // Every datagram without data must fit a packet, whatever it reports.
  constexpr unsigned kLeastMtu = protocol::kControlBytesMax + protocol::kCrcBytes;
  if (model.mtu_bytes < kLeastMtu)
    refuse("protocol",
           fmt::format("the MTU of {} bytes is too short for its reports", model.mtu_bytes),
           fmt::format("set [model] mtu_bytes to {} or more", kLeastMtu));
  const unsigned most =
      std::min(model.mtu_bytes - kProtocolBytes, unsigned{protocol::kPayloadBytesMax});
  if (spec.payload_bytes > most)
    refuse("payload_bytes",
           fmt::format("{} bytes and the header of {} do not fit the MTU of {}", spec.payload_bytes,
                       kProtocolBytes, model.mtu_bytes),
           fmt::format("give at most {}, or a longer [model] mtu_bytes", most));
  if (!std::has_single_bit(spec.window_packets) ||
      spec.window_packets < protocol::kWindowPacketsMin ||
      spec.window_packets > protocol::kWindowPacketsMax)
    refuse("window_packets", fmt::format("{} is not allowed", spec.window_packets),
           fmt::format("give a power of two from {} to {}", protocol::kWindowPacketsMin,
                       protocol::kWindowPacketsMax));
  if (spec.paths < 1 || spec.paths > protocol::kPathsMax)
    refuse("paths", fmt::format("{} is out of range", spec.paths),
           fmt::format("give a number from 1 to {}", protocol::kPathsMax));
  if (spec.in_flight_packets &&
      (*spec.in_flight_packets < 1 || *spec.in_flight_packets > protocol::kWindowPacketsMax))
    refuse("in_flight_packets", fmt::format("{} is out of range", *spec.in_flight_packets),
           fmt::format("give a number from 1 to {}", protocol::kWindowPacketsMax));
  if (spec.burst_packets < 1 || spec.burst_packets > protocol::kBurstPacketsMax)
    refuse("burst_packets", fmt::format("{} is out of range", spec.burst_packets),
           fmt::format("give a number from 1 to {}", protocol::kBurstPacketsMax));
  if (spec.paths > 1 && model.paths != PathChoice::kFirst)
    refuse("paths", "the protocol chooses the path, and [model] paths does too",
           "leave one of them out");
  const bool owned = spec.memory == protocol::MemoryPolicy::kStatic;
  if (spec.protocol == HcaProtocol::kLw && !owned)
    refuse("protocol", "lw limits packets to the connection's own memory, and memory is dynamic",
           "set memory = \"static\", or another protocol");
  const std::uint64_t connections = others(hosts), each = memory_of_connection(spec, hosts);
  if (owned && connections * each > spec.memory_bytes)
    refuse("memory_bytes",
           fmt::format("{} bytes do not hold {} for each of {} connections", spec.memory_bytes,
                       each, connections),
           fmt::format("set memory_bytes_per_connection to {} or less, or memory_bytes to {}",
                       spec.memory_bytes / connections, connections * each));
}

bool holds_a_packet(const HcaSpec& spec, const Model& model, std::uint32_t hosts) {
  return memory_of_connection(spec, hosts) / protocol::kSlotBytes >=
         protocol::slots_of(payload_of(spec, model));
}

unsigned payload_of(const HcaSpec& spec, const Model& model) {
  if (spec.payload_bytes != 0) return spec.payload_bytes;
  if (spec.protocol == HcaProtocol::kThesis) return model.mtu_bytes;
  return std::min(model.mtu_bytes - kProtocolBytes, unsigned{protocol::kPayloadBytesMax});
}

unsigned protocol_bytes(const HcaSpec& spec) {
  return spec.protocol == HcaProtocol::kThesis ? 0 : kProtocolBytes;
}

Model model_above(const HcaSpec& spec, const Model& model) {
  Model above = model;
  if (!spec.on()) return above;
  above.mtu_bytes = payload_of(spec, model);
  above.header_bytes += protocol_bytes(spec);
  return above;
}

}  // namespace selvedge::sim
