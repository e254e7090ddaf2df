// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The size of a message on the wire, after the HCA's segmentation (docs/simulator.md, "Packets").
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/model/model.hpp"

namespace selvedge::sim {

inline std::uint32_t packets_of(std::uint32_t bytes, const Model& model) {
  return bytes == 0 ? 1 : (bytes - 1) / model.mtu_bytes + 1;
}

inline std::uint64_t wire_bytes(std::uint32_t bytes, const Model& model) {
  const auto packets = std::uint64_t{packets_of(bytes, model)};
  return std::max<std::uint64_t>(bytes + packets * model.header_bytes, 1);
}

/// The transmission time of a message on a host's link, in ticks.
inline double wire_ticks(std::uint32_t bytes, const Model& model) {
  return static_cast<double>(wire_bytes(bytes, model)) *
         static_cast<double>(model.to_hosts.byte_time);
}

inline constexpr std::uint32_t kMaxMessageBytes = 1u << 30;

}  // namespace selvedge::sim
