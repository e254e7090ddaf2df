// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Subnet management packets by directed route (IBA 1.3 §14.2), as requests and answers. Numbers are
// in host byte order; the attribute in `data` is in wire format.
#pragma once

#include <array>
#include <cstdint>

namespace selvedge {

constexpr std::size_t kSmpDataBytes = 64;
constexpr std::size_t kSmpMaxHops = 63;
/// The byte of PortInfo whose low nibble is the PortState (IBA 1.3 §14.2.5.6).
constexpr std::size_t kPortStateAt = 32;

enum class SmpMethod : std::uint8_t { kGet = 1, kSet = 2 };

enum class SmpAttribute : std::uint16_t {
  kSwitchInfo = 0x0012,
  kPortInfo = 0x0015,
  kSl2Vl = 0x0017,  // attribute modifier: input port << 8 | output port
  kLft = 0x0019,    // attribute modifier: number of the block
  kMft = 0x001b,    // attribute modifier: group of 16 ports << 28 | number of the block
};

/// The initial path of a directed route: ports[i] is the output port of hop i, from the subnet
/// manager's own port (ports[1]) on; ports[0] is not used.
struct SmpPath {
  std::uint8_t hops = 0;
  std::array<std::uint8_t, kSmpMaxHops + 1> ports{};
};

/// Limits for a batch of requests.
struct SmpLimits {
  unsigned outstanding_max = 16;
  unsigned timeout_ms = 100;  // how long one try waits for an answer
  unsigned tries = 3;
};

struct SmpRequest {
  std::uint32_t tag = 0;  // is returned in the answer
  std::uint32_t modifier = 0;
  std::uint64_t m_key = 0;  // in wire byte order
  std::uint32_t timeout_ms = 0;
  SmpAttribute attribute = SmpAttribute::kPortInfo;
  SmpMethod method = SmpMethod::kGet;
  SmpPath path;
  std::array<std::uint8_t, kSmpDataBytes> data{};
};

struct SmpAnswer {
  std::uint32_t tag = 0;
  /// 0: success. Else the status of the answering MAD, or kSmpNoAnswer.
  std::uint32_t status = 0;
  std::array<std::uint8_t, kSmpDataBytes> data{};
};

constexpr std::uint32_t kSmpNoAnswer = 0x10000;

}  // namespace selvedge
