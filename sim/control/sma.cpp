// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The subnet management agent: dispatch of requests, M_Keys, and the attributes of a node and its
// ports. sma_tables.cpp has the attributes that are tables.
#include "sim/control/sma.hpp"

#include <cstring>
#include <utility>

namespace selvedge::sim {
namespace {

constexpr unsigned kPortGroup = 16;       // ports in a block of an MFT
constexpr std::uint8_t kRevision = 0xa1;  // NodeInfo's, as ibsim reports it
constexpr unsigned kAdapterPKeys = 64, kManagementPKeys = 8, kExternalPKeys = 64;
constexpr std::size_t kGuidBytes = 8;

}  // namespace

Sma::Sma(NodeModel model) : model_(std::move(model)) { restart(); }

void Sma::restart() {
  const std::size_t count = model_.ports + std::size_t{1};
  ports_.clear();
  p_keys_.clear();
  for (std::size_t p = 0; p < count; ++p) {
    const PortKind kind = !model_.is_switch ? PortKind::kAdapter
                          : p == 0          ? PortKind::kSwitchManagement
                                            : PortKind::kSwitchExternal;
    ports_.emplace_back(kind, static_cast<PortNum>(p),
                        p < model_.rates.size() ? model_.rates[p] : LinkRate{});
    ports_.back().set_hoq_life(model_.hoq_life);
    const unsigned keys = !model_.is_switch ? kAdapterPKeys
                          : p == 0          ? kManagementPKeys
                                            : kExternalPKeys;
    p_keys_.emplace_back(std::size_t{2} * keys);
    put16(p_keys_.back().data(), 0xffff);  // the default partition, full member
  }
  switch_info_ = {};
  if (model_.is_switch) {
    put16(&switch_info_[0], static_cast<std::uint16_t>(model_.linear_capacity));
    put16(&switch_info_[4], static_cast<std::uint16_t>(model_.multicast_capacity));
    put16(&switch_info_[14], kExternalPKeys);  // PartitionEnforcementCap
    switch_info_[16] = 0x30;                   // FilterRawInbound, FilterRawOutbound
  }
  lft_.clear();
  mft_.clear();
  lft_top_ = 0;
  rows_.assign(model_.is_switch ? row_of(model_.ports, model_.ports) + 1 : count, model_.sl2vl);
  // Initial VL arbitration as in ibsim: VL 0 with weight 4 in the high-priority table, the other
  // VLs with weight 4 in the low-priority table.
  Arbitration tables{};
  for (std::size_t vl = 0; vl < kMaxDataVls; ++vl) {
    tables[2 * vl] = tables[kArbitrationBytes + 2 * vl] = static_cast<std::uint8_t>(vl);
    tables[2 * vl + 1] = vl == 0 ? 0 : 4;
    tables[kArbitrationBytes + 2 * vl + 1] = vl == 0 ? 4 : 0;
  }
  arbitration_.assign(count, tables);
  guids_.clear();
  extended_.clear();
  lease_end_ms_.assign(count, 0);
}

void Sma::link(PortNum port, bool up) {
  ports_[port].link(up);
  if (model_.is_switch) switch_info_[11] |= 4U;
}

bool Sma::m_key_allows(const SmaRequest& r, bool& show_key) {
  const std::size_t end = model_.is_switch ? 0 : r.arrival;
  PortAttributes& port = ports_[end];
  if (port.m_key() == 0 || r.m_key == port.m_key()) {
    lease_end_ms_[end] = 0;
    return true;
  }
  std::uint64_t& lease = lease_end_ms_[end];
  if (lease != 0 && r.now_ms >= lease) {
    // The lease has run out, so the next manager may read the M_Key and take over (IBA 1.3
    // §14.2.4.2).
    port.clear_protect_bits();
    lease = 0;
  }
  show_key = port.protect_bits() == 0;
  if (r.method == mad_method::kGet && port.protect_bits() <= 1) return true;
  port.count_m_key_violation();
  if (lease == 0 && port.lease_s() != 0)
    lease = r.now_ms + 1000 * std::uint64_t{port.lease_s()} + 1;
  return false;
}

void Sma::node_info(PortNum arrival, std::uint8_t* out) const {
  std::memset(out, 0, kAttributeBytes);
  out[0] = out[1] = 1;  // base and class version
  out[2] = model_.is_switch ? 2 : 1;
  out[3] = model_.ports;
  put64(out + 4, model_.guid);  // SystemImageGUID
  put64(out + 12, model_.guid);
  put64(out + 20, model_.is_switch || arrival >= model_.port_guids.size()
                      ? model_.guid
                      : model_.port_guids[arrival]);
  put16(out + 28, static_cast<std::uint16_t>(model_.is_switch ? kManagementPKeys : kAdapterPKeys));
  out[35] = kRevision;
  out[36] = arrival;
}

SmpStatus Sma::execute(const SmaRequest& r, std::uint8_t* data, SmaChange& change) {
  namespace attr = smp_attribute;
  change = {};
  bool show_key = true;
  if (!model_.is_switch && (r.arrival == 0 || r.arrival > model_.ports))
    return SmpStatus::kNoAnswer;
  if (r.method != mad_method::kGet && r.method != mad_method::kSet)
    return SmpStatus::kUnsupportedMethod;
  if (!m_key_allows(r, show_key)) return SmpStatus::kNoAnswer;
  const bool set = r.method == mad_method::kSet;
  switch (r.attribute) {
    case attr::kNodeDescription: {
      if (set) return SmpStatus::kUnsupportedAttribute;
      std::memset(data, 0, kAttributeBytes);
      const std::size_t size = std::min(model_.description.size(), kAttributeBytes);
      std::memcpy(data, model_.description.data(), size);
      return SmpStatus::kGood;
    }
    case attr::kNodeInfo:
      if (set) return SmpStatus::kUnsupportedAttribute;
      node_info(r.arrival, data);
      return SmpStatus::kGood;
    case attr::kPortInfo: {
      const SmpStatus status = port_info(r, set, data, change);
      if (!show_key) std::memset(data, 0, 8);
      return status;
    }
    case attr::kGuidInfo:
      return guid_info(r, set, data);
    case attr::kPKeyTable:
      return p_key_table(r, set, data);
    case attr::kSl2Vl:
      return sl2vl_table(r, set, data, change);
    case attr::kVlArbitration:
      return vl_arbitration(r, set, data, change);
    case attr::kMellanoxExtPortInfo:
      return extended_port_info(r, set, data);
    default:
      break;
  }
  if (model_.is_switch) {
    if (r.attribute == attr::kSwitchInfo) return switch_info(set, data, change);
    if (r.attribute == attr::kLinearForwarding) return linear_forwarding(r, set, data, change);
    if (r.attribute == attr::kMulticastForwarding)
      return multicast_forwarding(r, set, data, change);
  }
  return SmpStatus::kUnsupportedAttribute;
}

SmpStatus Sma::switch_info(bool set, std::uint8_t* data, SmaChange& change) {
  if (set) {
    const unsigned top = get16(data + 6);
    if (top >= model_.linear_capacity) return SmpStatus::kInvalidValue;
    if (top != lft_top_) change.bits |= switch_change::kLftTop;
    if (data[11] >> 3U != static_cast<int>(packet_life()))
      change.bits |= switch_change::kPacketLife;
    if (change.bits != 0) change.what = SmaChange::What::kSwitchInfo;
    lft_top_ = top;
    std::copy_n(data + 6, 5, &switch_info_[6]);  // LinearFDBTop, the three default ports
    // Writing a 1 to PortStateChange clears the bit (IBA 1.3 §14.2.5.4).
    const unsigned pending = (data[11] & 4U) != 0 ? 0 : switch_info_[11] & 4U;
    switch_info_[11] = static_cast<std::uint8_t>((data[11] & 0xf8U) | pending);
  }
  std::ranges::copy(switch_info_, data);
  return SmpStatus::kGood;
}

/// The port that an attribute modifier names; nothing if there is no such port. For an adapter, 0
/// names the port of arrival.
std::optional<PortNum> Sma::named_port(const SmaRequest& r, std::uint32_t number) const {
  if (number > model_.ports) return std::nullopt;
  if (!model_.is_switch && number == 0) return r.arrival;
  return static_cast<PortNum>(number);
}

SmpStatus Sma::port_info(const SmaRequest& r, bool set, std::uint8_t* data, SmaChange& change) {
  // The modifier's top bit is no part of the port: it says SMSupportExtendedSpeeds (IBA 1.3
  // §14.2.5.6).
  const auto number = named_port(r, r.modifier & 0x7fffffffU);
  if (!number) return SmpStatus::kInvalidValue;
  PortAttributes& port = ports_[*number];
  if (set) {
    if (!model_.is_switch && *number != r.arrival) return SmpStatus::kInvalidValue;
    if (!port.write(data, change.bits)) return SmpStatus::kInvalidValue;
    change.what = SmaChange::What::kPort;
    change.port = *number;
  }
  port.read(data, r.arrival);
  return SmpStatus::kGood;
}

SmpStatus Sma::guid_info(const SmaRequest& r, bool set, std::uint8_t* data) {
  const std::size_t end = model_.is_switch ? 0 : r.arrival;
  const std::size_t bytes = ports_[end].guid_capacity() * kGuidBytes;
  const std::size_t first = std::size_t{r.modifier} * kAttributeBytes;
  if (first >= bytes) return SmpStatus::kInvalidValue;
  if (guids_.empty()) guids_.resize(model_.ports + std::size_t{1});
  std::vector<std::uint8_t>& guids = guids_[end];
  guids.resize((bytes + kAttributeBytes - 1) / kAttributeBytes * kAttributeBytes);
  if (set) std::copy_n(data, std::min(kAttributeBytes, bytes - first), &guids[first]);
  // The first GUID of GUIDInfo is the port's own, and a Set cannot change it.
  put64(guids.data(),
        model_.is_switch || end >= model_.port_guids.size() ? model_.guid : model_.port_guids[end]);
  std::copy_n(&guids[first], kAttributeBytes, data);
  return SmpStatus::kGood;
}

SmpStatus Sma::extended_port_info(const SmaRequest& r, bool set, std::uint8_t* data) {
  const auto number = named_port(r, r.modifier);
  if (!number) return SmpStatus::kInvalidValue;
  if (extended_.empty()) {
    extended_.resize(model_.ports + std::size_t{1});
    for (std::size_t p = 0; p < extended_.size(); ++p)
      if (ports_[p].fdr10()) extended_[p][7] = extended_[p][11] = extended_[p][15] = 1;
  }
  if (set) std::copy_n(data, kAttributeBytes, extended_[*number].begin());
  std::ranges::copy(extended_[*number], data);
  return SmpStatus::kGood;
}

bool Sma::multicast(Lid mlid, PortNum out) const {
  if (mlid < kMinMulticastLid) return false;
  const std::size_t groups = model_.ports / kPortGroup + std::size_t{1};
  const std::size_t entry = mlid - kMinMulticastLid;
  const std::size_t at = ((entry / 32 * groups + out / kPortGroup) * 32 + entry % 32) * 2;
  return at + 1 < mft_.size() && (get16(&mft_[at]) >> (out % kPortGroup) & 1U) != 0;
}

}  // namespace selvedge::sim
