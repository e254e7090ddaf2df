// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/control/port_attributes.hpp"

#include <utility>

namespace selvedge::sim {
namespace {

constexpr unsigned kAllWidths = 0x1f, kAllSpeeds = 7, kNoExtended = 0;
// What a Set may say instead of a mask: all that is supported; no extended speed.
constexpr unsigned kEveryWidth = 0xff, kEverySpeed = 0xf, kEveryExtended = 0x1f,
                   kExtendedOff = 0x1e, kExtendedMask = 0x1f;
constexpr unsigned kClientReregister = 0x80;
constexpr unsigned kEightVls = 4;  // the code for VL 0…7
constexpr unsigned kSdr = 1, kDdr = 2, kQdr = 4;

/// The two halves of a byte.
unsigned high(std::uint8_t b) { return b >> 4U; }
unsigned low(std::uint8_t b) { return b & 0xfU; }

/// PortInfo's masks of widths and speeds for a cable of one rate: what is active, enabled and
/// supported. A port enables the rate of its cable and those below, as ibsim has it.
struct RateMasks {
  unsigned width_active = 2, width_enabled = 3;
  unsigned speed_active = kSdr, speed_enabled = kSdr;
  unsigned extended_active = 0, extended_enabled = 0, extended_supported = 0;
  bool fdr10 = false;
};

RateMasks masks_of(LinkRate rate) {
  RateMasks m;
  switch (rate.lanes) {
    case 0:
      m.width_enabled = 2;
      break;  // no cable at this port
    case 1:
      m.width_active = 1, m.width_enabled = 1;
      break;
    case 2:
      m.width_active = 16, m.width_enabled = 16;
      break;
    case 8:
      m.width_active = 4, m.width_enabled = 4;
      break;
    case 12:
      m.width_active = 8, m.width_enabled = 11;
      break;
    default:
      break;
  }
  const auto classic = [&](unsigned active) {
    m.speed_active = active;
    m.speed_enabled = 2 * active - 1;  // this speed and all lower ones
  };
  const auto extended = [&](unsigned active) {
    classic(kQdr);
    m.extended_active = active;
    m.extended_enabled = 2 * active - 1;
    m.extended_supported = active > 4 ? 15 : 7;
  };
  switch (rate.speed) {  // an index into kLinkSpeeds
    case 2:
      classic(kDdr);
      break;
    case 3:
      classic(kQdr);
      break;
    case 4:
      classic(kQdr), m.fdr10 = true;
      break;
    case 5:
      extended(1);
      break;
    case 6:
      extended(2);
      break;
    case 7:
      extended(4);
      break;
    case 8:
    case 9:
      extended(8);
      break;  // shown as NDR, the highest of PortInfo's extended speeds
    default:
      break;
  }
  return m;
}

}  // namespace

PortAttributes::PortAttributes(PortKind kind, PortNum number, LinkRate rate) : kind_(kind) {
  const bool management = kind == PortKind::kSwitchManagement, adapter = kind == PortKind::kAdapter;
  if (kind != PortKind::kSwitchExternal) put16(&bytes_[26], 0x0ff9);  // M_KeyLeasePeriod, s
  // CapabilityMask: traps, SL mapping, extended speeds, CapabilityMask2. An adapter also has link
  // round trip latency and CapabilityMask notices.
  put32(&bytes_[20], management ? 0x0000c048U : adapter ? 0x0050c048U : 0U);
  bytes_[28] = adapter ? number : 0;
  bytes_[30] = kAllWidths;
  bytes_[32] = kAllSpeeds << 4U;
  bytes_[33] = 2;                                 // LinkDownDefaultState: polling
  bytes_[36] = management ? 1U << 4U : 4U << 4U;  // NeighborMTU: 256, 2048
  bytes_[37] = kEightVls << 4U;
  bytes_[39] = bytes_[40] = 8;             // VLArb capacities
  bytes_[41] = management ? 3 : 4;         // MTUCap: 1024, 2048
  bytes_[42] = management ? 0 : 7U << 5U;  // VLStallCount; HOQLife 0
  bytes_[43] = kEightVls << 4U;
  if (management) bytes_[50] = 1, bytes_[51] = 0x1f, bytes_[52] = 8;
  if (adapter) bytes_[50] = 0x20, bytes_[51] = 0x1f;
  if (kind != PortKind::kSwitchExternal) put16(&bytes_[60], 0x0030);  // CapabilityMask2
  const RateMasks m = masks_of(rate);
  fdr10_ = m.fdr10;
  rated_ = {m.width_enabled, m.speed_enabled, m.extended_enabled};
  bytes_[29] = static_cast<std::uint8_t>(management ? 2 : m.width_enabled);
  bytes_[31] = static_cast<std::uint8_t>(management ? 2 : m.width_active);
  bytes_[35] =
      static_cast<std::uint8_t>(management ? 0x11 : m.speed_active << 4U | m.speed_enabled);
  if (!management) {
    bytes_[62] = static_cast<std::uint8_t>(m.extended_active << 4U | m.extended_supported);
    bytes_[63] = static_cast<std::uint8_t>(m.extended_enabled);
  }
  set_state(management ? PortState::kActive : PortState::kDown);
  set_physical(management ? PhysicalState::kLinkUp : PhysicalState::kPolling);
}

void PortAttributes::set_lid(Lid lid, unsigned lmc) {
  put16(&bytes_[16], lid);
  bytes_[34] = static_cast<std::uint8_t>((bytes_[34] & 0xf8U) | lmc);
}

void PortAttributes::set_sm(bool is_sm) {
  bytes_[23] = static_cast<std::uint8_t>((bytes_[23] & ~2U) | (is_sm ? 2U : 0U));
}

void PortAttributes::link(bool up) {
  set_state(up ? PortState::kInitialize : PortState::kDown);
  if (up)
    set_physical(PhysicalState::kLinkUp);
  else if (physical() == PhysicalState::kLinkUp)
    set_physical(PhysicalState::kPolling);
}

void PortAttributes::set_active_rate(unsigned width, unsigned speed, unsigned extended_speed) {
  bytes_[31] = static_cast<std::uint8_t>(width);
  bytes_[35] = static_cast<std::uint8_t>(speed << 4U | (bytes_[35] & 0xfU));
  bytes_[62] = static_cast<std::uint8_t>(extended_speed << 4U | (bytes_[62] & 0xfU));
}

void PortAttributes::count_m_key_violation() {
  if (const std::uint16_t n = get16(&bytes_[44]); n != 0xffff)
    put16(&bytes_[44], static_cast<std::uint16_t>(n + 1));
}

void PortAttributes::read(std::uint8_t* out, PortNum arrival) const {
  std::ranges::copy(bytes_, out);
  out[28] = arrival;
}

bool PortAttributes::write(const std::uint8_t* in, std::uint16_t& changes) {
  changes = 0;
  if (!accepts(in)) return false;
  const Attribute old = bytes_;
  take_over(in);
  changes = changes_since(old);
  if (end_port() && (in[51] & kClientReregister) != 0) changes |= port_change::kReregister;
  if (kind_ != PortKind::kSwitchManagement) changes |= change_states(in);
  return true;
}

/// Whether all values are valid (IBA 1.3 §14.2.5.6).
bool PortAttributes::accepts(const std::uint8_t* in) const {
  const Lid lid = get16(in + 16), sm_lid = get16(in + 18);
  if (lid > kMaxUnicastLid || sm_lid > kMaxUnicastLid) return false;
  if (lid != 0 && lid + (1U << (in[34] & 7U)) - 1 > kMaxUnicastLid) return false;
  if (high(in[36]) > low(bytes_[41]) || high(in[43]) > high(bytes_[37])) return false;  // MTU, VLs
  const auto masked = [](unsigned value, unsigned supported, unsigned all) {
    return value == all || (value & ~supported) == 0;
  };
  const unsigned width = in[29], speed = low(in[35]), extended = in[63] & kExtendedMask;
  if (!masked(width, bytes_[30], kEveryWidth) || !masked(speed, high(bytes_[32]), kEverySpeed))
    return false;
  if (!masked(extended, low(bytes_[62]), kEveryExtended) && extended != kExtendedOff) return false;
  return accepts_state(in);
}

bool PortAttributes::accepts_state(const std::uint8_t* in) const {
  const unsigned wanted = low(in[32]), physical = high(in[33]), down_default = low(in[33]);
  if (physical > 3 || down_default > 2 || wanted > 4) return false;
  const auto initialize = static_cast<unsigned>(PortState::kInitialize);
  const auto now = static_cast<unsigned>(state());
  if (wanted == initialize) return false;  // only the link initializes a port
  if (wanted < initialize || wanted == now) return true;
  // Armed follows Initialize, Active follows Armed (IBA 1.3 §7.2.7).
  return kind_ != PortKind::kSwitchManagement && now + 1 == wanted && now >= initialize;
}

void PortAttributes::take_over(const std::uint8_t* in) {
  if (end_port()) std::copy_n(in, 20, bytes_.begin());  // M_Key, GID prefix, LID, SM's LID
  if (!end_port()) std::copy_n(in + 8, 12, bytes_.begin() + 8);
  if (end_port()) std::copy_n(in + 26, 2, bytes_.begin() + 26);
  take_over_rates(in);
  if (low(in[33]) != 0) keep(33, 0xf, in[33]);
  keep(34, 0xc7, in[34]);                                // protect bits, LMC
  if (high(in[36]) != 0) keep(36, 0xf0, in[36]);         // NeighborMTU
  keep(36, 0xf, in[36]);                                 // SM's SL
  keep(37, 0xf, in[37]);                                 // InitType
  bytes_[38] = in[38];                                   // VLHighLimit
  bytes_[42] = in[42];                                   // VLStallCount, HOQLife
  if (high(in[43]) != 0) keep(43, 0xf0, in[43]);         // OperationalVLs
  keep(43, 0xf, in[43]);                                 // enforcement and filters
  std::copy_n(in + 44, 6, bytes_.begin() + 44);          // violation counters
  if (end_port()) keep(51, ~kClientReregister, in[51]);  // which acts at once
  bytes_[53] = in[53];                                   // error thresholds
}

/// Sets LinkWidthEnabled, LinkSpeedEnabled and LinkSpeedExtEnabled; a value of 0 leaves its field
/// as it is (IBA 1.3 §14.2.5.6).
void PortAttributes::take_over_rates(const std::uint8_t* in) {
  const unsigned width = in[29], speed = low(in[35]), extended = in[63] & kExtendedMask;
  if (width != 0) bytes_[29] = width == kEveryWidth ? bytes_[30] : in[29];
  if (speed != 0) keep(35, 0xf, speed == kEverySpeed ? high(bytes_[32]) : speed);
  if (extended != 0)
    keep(63, kExtendedMask,
         extended == kEveryExtended ? low(bytes_[62])
         : extended == kExtendedOff ? kNoExtended
                                    : extended);
}

std::uint16_t PortAttributes::changes_since(const Attribute& old) const {
  std::uint16_t changes = 0;
  if (lid() != get16(&old[16]) || lmc() != (old[34] & 7U)) changes |= port_change::kLid;
  if (operational_vls() != high(old[43])) changes |= port_change::kVls;
  if (hoq_life() != (old[42] & 0x1fU)) changes |= port_change::kHoqLife;
  if (vl_high_limit() != old[38]) changes |= port_change::kVlHighLimit;
  if (end_port() && (sm_lid() != get16(&old[18]) || sm_sl() != low(old[36])))
    changes |= port_change::kReregister;
  return changes;
}

/// Executes the changes of PortState and PortPhysicalState that a valid Set demands of a port with
/// a link. Returns bits of port_change.
std::uint16_t PortAttributes::change_states(const std::uint8_t* in) {
  const PortState now = state(), wanted = static_cast<PortState>(low(in[32]));
  const auto wanted_physical = static_cast<PhysicalState>(high(in[33]));
  if (wanted_physical == PhysicalState::kSleep || wanted_physical == PhysicalState::kDisabled) {
    set_physical(wanted_physical);
    set_state(PortState::kDown);
    return port_change::kDisable | port_change::kState;
  }
  if (wanted_physical == PhysicalState::kPolling && physical() != PhysicalState::kLinkUp &&
      physical() != PhysicalState::kPolling) {
    set_physical(PhysicalState::kPolling);
    return port_change::kEnable;
  }
  if (wanted == PortState::kDown && now != PortState::kDown)
    return port_change::kRetrain | port_change::kState;
  if (wanted >= PortState::kArmed && now != wanted) {
    set_state(wanted);
    return port_change::kState;
  }
  return 0;
}

}  // namespace selvedge::sim
