// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The subnet management agent's attributes that are tables: P_Key, SL2VL, VL arbitration, LFT, MFT.
#include <cstring>

#include "sim/control/sma.hpp"

namespace selvedge::sim {
namespace {

constexpr std::size_t kPKeysPerBlock = 32;
constexpr std::size_t kArbitrationEntries = 32;  // in one VLArbitrationTable block
constexpr unsigned kMlidsPerBlock = 32, kPortsPerBlock = 16;
constexpr unsigned kBlocksOfLids = 0xc000 / kAttributeBytes;  // LFT blocks of all unicast LIDs

}  // namespace

SmpStatus Sma::p_key_table(const SmaRequest& r, bool set, std::uint8_t* data) {
  const std::size_t block = r.modifier & 0xffffU;
  const unsigned number = model_.is_switch ? r.modifier >> 16U : r.arrival;
  if (number > model_.ports) return SmpStatus::kInvalidValue;
  std::vector<std::uint8_t>& keys = p_keys_[number];
  const std::size_t first = block * kPKeysPerBlock * 2;
  if (first >= keys.size()) return SmpStatus::kInvalidValue;
  const std::size_t size = std::min(kAttributeBytes, keys.size() - first);
  if (set) std::copy_n(data, size, &keys[first]);
  std::memset(data, 0, kAttributeBytes);
  std::copy_n(&keys[first], size, data);
  return SmpStatus::kGood;
}

SmpStatus Sma::sl2vl_table(const SmaRequest& r, bool set, std::uint8_t* data, SmaChange& change) {
  unsigned in = 0, out = 0;
  std::size_t row = r.arrival;  // an adapter ignores the modifier: the table of the arrival port
  if (model_.is_switch) {
    in = r.modifier >> 8U & 0xffU, out = r.modifier & 0xffU;
    if (in > model_.ports || out > model_.ports) return SmpStatus::kInvalidValue;
    row = row_of(static_cast<PortNum>(in), static_cast<PortNum>(out));
  }
  if (set) {
    std::copy_n(data, rows_[row].size(), rows_[row].begin());
    change.what = SmaChange::What::kSl2Vl;
    change.in = static_cast<PortNum>(in);
    change.port = static_cast<PortNum>(model_.is_switch ? out : r.arrival);
  }
  std::memset(data, 0, kAttributeBytes);
  std::ranges::copy(rows_[row], data);
  return SmpStatus::kGood;
}

Sl2VlRow Sma::sl2vl(PortNum in, PortNum out) const {
  const Row& row = rows_[model_.is_switch ? row_of(in, out) : out];
  Sl2VlRow vls{};
  for (std::size_t i = 0; i < row.size(); ++i) {
    vls[2 * i] = static_cast<Vl>(row[i] >> 4U);
    vls[2 * i + 1] = static_cast<Vl>(row[i] & 0xfU);
  }
  return vls;
}

SmpStatus Sma::vl_arbitration(const SmaRequest& r, bool set, std::uint8_t* data,
                              SmaChange& change) {
  // The modifier's upper half: 1 and 2 name the halves of the low-priority table, 3 and 4 those of
  // the high-priority table.
  const unsigned part = r.modifier >> 16U;
  const unsigned number = model_.is_switch ? r.modifier & 0xffffU : r.arrival;
  if (number > model_.ports || part < 1 || part > 4) return SmpStatus::kInvalidValue;
  const bool high = part > 2;
  const std::size_t first = (part - 1) % 2 * kArbitrationEntries;
  const std::size_t capacity = ports_[number].arbitration_capacity(high);
  if (first >= capacity) return SmpStatus::kInvalidValue;
  const std::size_t size = 2 * std::min(kArbitrationEntries, capacity - first);
  std::uint8_t* table = &arbitration_[number][(high ? kArbitrationBytes : 0) + 2 * first];
  if (set) {
    std::copy_n(data, size, table);
    change.what = SmaChange::What::kArbitration;
    change.port = static_cast<PortNum>(number);
  }
  std::memset(data, 0, kAttributeBytes);
  std::copy_n(table, size, data);
  return SmpStatus::kGood;
}

SmpStatus Sma::linear_forwarding(const SmaRequest& r, bool set, std::uint8_t* data,
                                 SmaChange& change) {
  const std::size_t first = std::size_t{r.modifier} * kAttributeBytes;
  if (r.modifier >= kBlocksOfLids || first >= model_.linear_capacity)
    return SmpStatus::kInvalidValue;
  if (set) {
    if (lft_.size() < first + kAttributeBytes) lft_.resize(first + kAttributeBytes, kNoPort);
    std::copy_n(data, kAttributeBytes, &lft_[first]);
    change.what = SmaChange::What::kLftBlock;
    change.block = static_cast<std::uint16_t>(r.modifier);
  } else if (first >= lft_.size()) {
    std::memset(data, kNoPort, kAttributeBytes);
  } else {
    std::copy_n(&lft_[first], kAttributeBytes, data);
  }
  return SmpStatus::kGood;
}

SmpStatus Sma::multicast_forwarding(const SmaRequest& r, bool set, std::uint8_t* data,
                                    SmaChange& change) {
  // Modifier: 4 bits for the group of 16 ports, 9 bits for the block of 32 MLIDs (IBA 1.3
  // §14.2.5.12).
  const std::size_t group = r.modifier >> 28U, block = r.modifier & 0x1ffU;
  const std::size_t groups = model_.ports / kPortsPerBlock + std::size_t{1};
  if (group >= groups || block * kMlidsPerBlock >= model_.multicast_capacity) {
    // As in ibsim, a Get of a block that does not exist returns an empty block without an error.
    // Otherwise dump_fts would stop there.
    std::memset(data, 0, kAttributeBytes);
    return SmpStatus::kGood;
  }
  const std::size_t first = (block * groups + group) * kAttributeBytes;
  if (set) {
    if (mft_.size() < first + kAttributeBytes) mft_.resize(first + kAttributeBytes);
    std::copy_n(data, kAttributeBytes, &mft_[first]);
    change.what = SmaChange::What::kMftBlock;
    change.block = static_cast<std::uint16_t>(block);
  } else if (first >= mft_.size()) {
    std::memset(data, 0, kAttributeBytes);
  } else {
    std::copy_n(&mft_[first], kAttributeBytes, data);
  }
  return SmpStatus::kGood;
}

}  // namespace selvedge::sim
