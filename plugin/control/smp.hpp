// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Subnet management packets by directed route (IBA 1.3 §14.2), as requests and answers. Numbers are
// in host order; `data` is as on the wire.
#pragma once

#include <array>
#include <cstdint>

namespace selvedge {

constexpr std::size_t kSmpDataBytes = 64;
constexpr std::size_t kSmpMaxHops = 63;
constexpr std::size_t kPortStateAt = 32;  // in PortInfo's data: the low nibble (IBA 1.3 §14.2.5.6)

enum class SmpMethod : std::uint8_t { kGet = 1, kSet = 2 };

enum class SmpAttribute : std::uint16_t {
  kSwitchInfo = 0x0012,
  kPortInfo = 0x0015,
  kSl2Vl = 0x0017,  // modifier: input port << 8 | output port
  kLft = 0x0019,    // modifier: block
};

/// Output ports, from the subnet manager's own port on; ports[0] is not used.
struct SmpPath {
  std::uint8_t hops = 0;
  std::array<std::uint8_t, kSmpMaxHops + 1> ports{};
};

/// Limits for a batch of requests.
struct SmpLimits {
  unsigned outstanding_max = 16;
  unsigned timeout_ms = 100;  // of one try
  unsigned tries = 3;
};

struct SmpRequest {
  std::uint32_t tag = 0;  // comes back in the answer
  std::uint32_t modifier = 0;
  std::uint64_t m_key = 0;  // as on the wire
  std::uint32_t timeout_ms = 0;
  SmpAttribute attribute = SmpAttribute::kPortInfo;
  SmpMethod method = SmpMethod::kGet;
  SmpPath path;
  std::array<std::uint8_t, kSmpDataBytes> data{};
};

struct SmpAnswer {
  std::uint32_t tag = 0;
  /// 0: good. Else a MAD's status, or kSmpNoAnswer.
  std::uint32_t status = 0;
  std::array<std::uint8_t, kSmpDataBytes> data{};
};

constexpr std::uint32_t kSmpNoAnswer = 0x10000;

}  // namespace selvedge
