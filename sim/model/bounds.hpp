// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The bounds of the numbers in Parameters, by their keys in an experiment's [model]. resolve()
// checks them. So does the reader of an experiment, whose error can name the line in the file.
#pragma once

#include <cstddef>
#include <string_view>

#include "sim/model/parameters.hpp"

namespace selvedge::sim {

/// The bounds of one key; both are themselves allowed values.
struct Bounds {
  std::string_view key;
  double least, most;
};

inline constexpr Bounds kBounds[] = {
    {"link_rate_gbps", 0.01, 2400},
    {"cable_m", 0, 1e5},
    {"host_cable_m", 0, 1e5},
    {"propagation_ns_per_m", 0, 100},
    {"credit_delay_ns", 0, 1e6},
    {"hca_processing_ns", 0, 1e6},
    {"routing_ns", 0, 1e6},
    {"routing_header_bytes", 0, kMaxPacketBytes},
    {"crossbar_speedup", 1, 64},
    {"input_buffer_bytes", kBlockBytes, kMaxBufferBytes},
    {"output_buffer_bytes", kBlockBytes, kMaxBufferBytes},
    {"central_buffer_bytes", 0, kMaxBufferBytes},
    {"management_buffer_bytes", kBlockBytes, kMaxBufferBytes},
    {"head_of_queue_life_us", 0, 1e7},
    {"switch_life_us", 0, 1e7},
    {"arbitration_high_limit", 0, 255},
    {"mtu_bytes", 1, kMaxPacketBytes},
    {"header_bytes", 0, kMaxPacketBytes},
    {"hca_queue_packets", 1, 1 << 20},
    {"adaptive_hops", 0, 200},  // Packet::switches has 8 bits
    {"congested_bytes", 0, 1 << 30},
    {"settle_ns", 0, 1e9},
    {"flow_rate_gbps", 0, 2400},
};

/// The bounds of a key; a key that has none does not compile.
struct BoundedKey : Bounds {
  consteval BoundedKey(const char* name) : Bounds(of(name)) {}

 private:
  static consteval Bounds of(std::string_view name) {
    for (const Bounds& bounds : kBounds)
      if (bounds.key == name) return bounds;
    throw "no such key";  // ends the constant evaluation
  }
};

inline constexpr double kLeastFlowRateGbps = 0.01;
inline constexpr std::size_t kMaxArbitrationEntries = 64;  // IBA 1.3 §7.6.9

}  // namespace selvedge::sim
