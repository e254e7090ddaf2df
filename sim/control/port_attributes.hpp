// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// PortInfo of one port, as bytes on the wire (IBA 1.3 §14.2.5.6): its initial values, how link
// events change the port's states, which fields a Set changes, and which values a Set refuses. A
// Set is checked whole before any field changes.
//
// The initial values are those of ibsim 0.10, so that infiniband-diags print the same on ibsim and
// here: 8 data VLs, MTU 2048, arbitration tables of 8 entries. docs/emulator.md lists the
// differences.
#pragma once

#include <array>
#include <cstdint>

#include "plugin/fabric/fabric.hpp"
#include "sim/control/mad.hpp"

namespace selvedge::sim {

inline constexpr std::size_t kAttributeBytes = 64;
using Attribute = std::array<std::uint8_t, kAttributeBytes>;

enum class PortState : std::uint8_t { kDown = 1, kInitialize = 2, kArmed = 3, kActive = 4 };
/// PortPhysicalState. The states left out (such as training) take no time here.
enum class PhysicalState : std::uint8_t { kSleep = 1, kPolling = 2, kDisabled = 3, kLinkUp = 5 };

enum class PortKind : std::uint8_t { kSwitchManagement, kSwitchExternal, kAdapter };

/// What a Set(PortInfo) changed, as bits.
namespace port_change {
inline constexpr std::uint16_t kLid = 1, kState = 2, kVls = 4, kHoqLife = 8, kVlHighLimit = 16,
                               kRetrain = 32,  // the link goes down and comes up again
    kDisable = 64,                             // the link goes down and stays down
    kEnable = 128,                             // a disabled or sleeping port polls again
    kReregister = 256;  // ClientReregister, or the manager is at another LID or SL
}

class PortAttributes {
 public:
  PortAttributes(PortKind kind, PortNum number, LinkRate rate);

  PortState state() const { return static_cast<PortState>(bytes_[32] & 0xfU); }
  PhysicalState physical() const { return static_cast<PhysicalState>(bytes_[33] >> 4U); }
  Lid lid() const { return get16(&bytes_[16]); }
  unsigned lmc() const { return bytes_[34] & 7U; }
  bool owns(Lid l) const { return lid() != 0 && l >= lid() && l < lid() + (1U << lmc()); }
  Lid sm_lid() const { return get16(&bytes_[18]); }
  Sl sm_sl() const { return bytes_[36] & 0xfU; }
  std::uint64_t m_key() const { return get64(&bytes_[0]); }
  unsigned protect_bits() const { return bytes_[34] >> 6U; }
  unsigned lease_s() const { return get16(&bytes_[26]); }
  std::uint32_t capabilities() const { return get32(&bytes_[20]); }
  unsigned guid_capacity() const { return bytes_[50]; }
  unsigned arbitration_capacity(bool high) const { return bytes_[high ? 39 : 40]; }
  unsigned operational_vls() const { return bytes_[43] >> 4U; }  // IBA's code: 4 = 8 data VLs
  /// The number n of operational data VLs, which are VL 0 … n − 1.
  unsigned operational_data_vls() const {
    const unsigned code = operational_vls();
    return code >= 5 ? 15U : code == 0 ? 1U : 1U << (code - 1);
  }
  unsigned hoq_life() const { return bytes_[42] & 0x1fU; }
  unsigned vl_stall() const { return bytes_[42] >> 5U; }
  unsigned vl_high_limit() const { return bytes_[38]; }
  unsigned subnet_timeout() const { return bytes_[51] & 0x1fU; }
  unsigned width_enabled() const { return bytes_[29]; }
  unsigned speed_enabled() const { return bytes_[35] & 0xfU; }
  unsigned extended_speed_enabled() const { return bytes_[63] & 0x1fU; }

  /// The widths and speeds (PortInfo's bits) that are enabled and that the cable's rate allows. A
  /// manager may enable all that the port supports; a cable given as 4xSDR still runs at 4xSDR.
  unsigned usable_widths() const { return width_enabled() & rated_.width; }
  unsigned usable_speeds() const { return speed_enabled() & rated_.speed; }
  unsigned usable_extended_speeds() const { return extended_speed_enabled() & rated_.extended; }

  void set_lid(Lid lid, unsigned lmc);
  void set_sm(bool is_sm);  // CapabilityMask.IsSM
  void set_state(PortState state) {
    bytes_[32] = static_cast<std::uint8_t>((bytes_[32] & 0xf0U) | static_cast<unsigned>(state));
  }
  void set_physical(PhysicalState p) {
    bytes_[33] = static_cast<std::uint8_t>((bytes_[33] & 0xfU) | static_cast<unsigned>(p) << 4U);
  }
  void set_hoq_life(unsigned life) {
    bytes_[42] = static_cast<std::uint8_t>((bytes_[42] & 0xe0U) | life);
  }
  /// Sets the port's states after the link came up (state Initialize) or went down.
  void link(bool up);
  void set_active_rate(unsigned width, unsigned speed, unsigned extended_speed);
  void count_m_key_violation();
  void clear_protect_bits() { bytes_[34] &= 0x3fU; }

  /// Writes PortInfo to `out`, as in the response to a Get that arrived by port `arrival`.
  void read(std::uint8_t* out, PortNum arrival) const;
  /// Executes a Set. Returns false, and changes nothing, if a value is not valid. `changes` becomes
  /// what was changed, as bits of port_change.
  bool write(const std::uint8_t* in, std::uint16_t& changes);

  bool fdr10() const { return fdr10_; }

 private:
  // The parts of write().
  bool end_port() const { return kind_ != PortKind::kSwitchExternal; }
  bool accepts(const std::uint8_t* in) const;
  bool accepts_state(const std::uint8_t* in) const;
  void keep(std::size_t at, unsigned mask, unsigned value) {
    bytes_[at] = static_cast<std::uint8_t>((bytes_[at] & ~mask) | (value & mask));
  }
  void take_over(const std::uint8_t* in);
  void take_over_rates(const std::uint8_t* in);
  std::uint16_t changes_since(const Attribute& old) const;
  std::uint16_t change_states(const std::uint8_t* in);

  const PortKind kind_;
  struct {
    unsigned width, speed, extended;
  } rated_{};
  bool fdr10_ = false;
  Attribute bytes_{};
};

}  // namespace selvedge::sim
