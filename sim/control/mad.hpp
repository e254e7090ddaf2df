// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The layout of a management datagram (MAD) on the wire: 256 bytes, big-endian (IBA 1.3 §13.4.3 for
// the header, §14.2.1 for subnet management packets). This file names the offsets and values once
// for the agents, the emulator and their tests.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "plugin/fabric/ids.hpp"

namespace selvedge::sim {

inline constexpr std::size_t kMadBytes = 256;
inline constexpr std::size_t kAttributeAt = 64;  // the attribute's offset in SMPs, performance MADs
inline constexpr Lid kPermissiveLid = 0xffff;
inline constexpr unsigned kMaxHops = 63;  // IBA 1.3 §14.2.1.2

/// Management classes (IBA 1.3 §13.4.4).
namespace mad_class {
inline constexpr std::uint8_t kSubnetLid = 0x01, kSubnetDirected = 0x81, kSubnetAdm = 0x03,
                              kPerformance = 0x04;
}
/// Methods (IBA 1.3 §13.4.5).
namespace mad_method {
inline constexpr std::uint8_t kGet = 0x01, kSet = 0x02, kSend = 0x03, kTrap = 0x05, kReport = 0x06,
                              kTrapRepress = 0x07, kGetTable = 0x12, kGetTrace = 0x13,
                              kGetMulti = 0x14, kDelete = 0x15, kGetResp = 0x81,
                              kResponseBit = 0x80;
}
/// Attributes of the subnet management class (IBA 1.3 §14.2.5).
namespace smp_attribute {
inline constexpr std::uint16_t kNotice = 0x0002, kNodeDescription = 0x0010, kNodeInfo = 0x0011,
                               kSwitchInfo = 0x0012, kGuidInfo = 0x0014, kPortInfo = 0x0015,
                               kPKeyTable = 0x0016, kSl2Vl = 0x0017, kVlArbitration = 0x0018,
                               kLinearForwarding = 0x0019, kMulticastForwarding = 0x001b,
                               kSmInfo = 0x0020,
                               kMellanoxExtPortInfo = 0xff90;  // ConnectX only: FDR10
}

inline std::uint16_t get16(const std::uint8_t* p) {
  return static_cast<std::uint16_t>(p[0] << 8U | p[1]);
}
inline std::uint32_t get32(const std::uint8_t* p) {
  return static_cast<std::uint32_t>(get16(p)) << 16U | get16(p + 2);
}
inline std::uint64_t get64(const std::uint8_t* p) {
  return static_cast<std::uint64_t>(get32(p)) << 32U | get32(p + 4);
}
inline void put16(std::uint8_t* p, std::uint16_t v) {
  p[0] = static_cast<std::uint8_t>(v >> 8U);
  p[1] = static_cast<std::uint8_t>(v);
}
inline void put32(std::uint8_t* p, std::uint32_t v) {
  put16(p, static_cast<std::uint16_t>(v >> 16U));
  put16(p + 2, static_cast<std::uint16_t>(v));
}
inline void put64(std::uint8_t* p, std::uint64_t v) {
  put32(p, static_cast<std::uint32_t>(v >> 32U));
  put32(p + 4, static_cast<std::uint32_t>(v));
}

/// A MAD as bytes, with its fields by name.
struct Mad {
  std::array<std::uint8_t, kMadBytes> bytes{};

  std::uint8_t base_version() const { return bytes[0]; }
  std::uint8_t management_class() const { return bytes[1]; }
  std::uint8_t class_version() const { return bytes[2]; }
  std::uint8_t method() const { return bytes[3]; }
  bool response() const { return (bytes[3] & mad_method::kResponseBit) != 0; }
  std::uint16_t status() const { return get16(&bytes[4]); }
  std::uint64_t transaction() const { return get64(&bytes[8]); }
  std::uint16_t attribute() const { return get16(&bytes[16]); }
  std::uint32_t modifier() const { return get32(&bytes[20]); }
  std::uint8_t* data() { return &bytes[kAttributeAt]; }
  const std::uint8_t* data() const { return &bytes[kAttributeAt]; }

  bool subnet_management() const {
    return management_class() == mad_class::kSubnetLid || directed();
  }

  // --- Subnet management packets
  std::uint64_t m_key() const { return get64(&bytes[24]); }

  // --- Directed route
  bool directed() const { return management_class() == mad_class::kSubnetDirected; }
  bool returning() const { return (bytes[4] & 0x80U) != 0; }  // the D bit
  std::uint8_t hop_pointer() const { return bytes[6]; }
  std::uint8_t hop_count() const { return bytes[7]; }
  void set_hop_pointer(unsigned p) { bytes[6] = static_cast<std::uint8_t>(p); }
  Lid directed_slid() const { return get16(&bytes[32]); }
  Lid directed_dlid() const { return get16(&bytes[34]); }
  std::uint8_t& initial_path(unsigned hop) { return bytes[128 + hop]; }
  std::uint8_t& return_path(unsigned hop) { return bytes[192 + hop]; }

  void set_transaction(std::uint64_t t) { put64(&bytes[8], t); }
  /// Turns this request into its answer: sets method and status, and for a directed route the D bit
  /// and the hop pointer with which the answer starts (IBA 1.3 §14.2.2.3).
  void turn(std::uint16_t status) {
    bytes[3] = mad_method::kGetResp;
    put16(&bytes[4], directed() ? static_cast<std::uint16_t>(status | 0x8000U) : status);
    if (directed()) set_hop_pointer(hop_count() + 1U);
  }
};
static_assert(sizeof(Mad) == kMadBytes);

}  // namespace selvedge::sim
