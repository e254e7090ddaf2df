// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The damaged fabric as repairs need it: which channels work, which switches are physically
// connected, and which LFT entries lead to a lost cable or are missing.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <span>
#include <vector>

#include "plugin/tables/tables.hpp"

namespace selvedge {

/// A path length in links that means: there is no path.
inline constexpr std::uint32_t kNotReached = UINT32_MAX;

/// The LFT entry of switch `at` for `lid` that needs repair: the entry leads to a lost cable
/// (broken_entries()) or is missing (missing_entries()).
struct BrokenEntry {
  Lid lid;
  SwitchId at;
  friend auto operator<=>(const BrokenEntry&, const BrokenEntry&) = default;
};

class DamagedFabric {
 public:
  explicit DamagedFabric(const Fabric& damaged) { reset(damaged); }
  /// Examines the whole fabric. `damaged` must stay valid until the next reset() or
  /// remove_channels().
  void reset(const Fabric& damaged);
  /// Like reset(), but faster if channels have only been lost since the last call. `lost`: these
  /// channels, both of each cable. Connected components are recomputed only if the loss may have
  /// split one, or a switch has failed.
  void remove_channels(const Fabric& damaged, std::span<const Channel> lost);

  const Fabric& fabric() const { return *damaged_; }
  /// Per channel: whether the channel works and connects two switches.
  const std::vector<bool>& alive() const { return alive_; }
  /// The switches that are physically connected with this one, itself included.
  const std::vector<SwitchId>& component(SwitchId s) const { return members_[component_[s]]; }
  /// Whether the LID's owner is attached and physically connected with the switch.
  bool can_reach(Lid lid, SwitchId from) const;
  /// The port by which the owner's switch delivers the LID; kNoPort if the owner is detached.
  PortNum delivery_port(Lid lid) const;

  /// The LFT entries that lead to the channels `lost` (both of each cable). Also all entries of
  /// switches that failed between the last two calls of reset() or remove_channels(). Sorted by
  /// LID, then by switch.
  std::vector<BrokenEntry> broken_entries(std::span<const Channel> lost,
                                          const Tables& tables) const;
  /// The entries of working switches that are kNoPort although the switch can_reach() the LID,
  /// which is not spare (Tables::is_spare()).
  /// Sorted by LID, then by switch.
  std::vector<BrokenEntry> missing_entries(const Tables& tables) const;

 private:
  bool still_connected(std::span<const Channel> lost);

  const Fabric* damaged_ = nullptr;
  /// Switches that failed between the last two calls of reset() or remove_channels()
  std::vector<SwitchId> failed_;
  std::vector<bool> was_failed_;  // per switch: whether it had failed at the last of these calls
  std::vector<bool> alive_;
  std::vector<std::uint32_t> component_;  // per switch: its connected component, index of members_
  std::vector<std::vector<SwitchId>> members_;
  std::vector<std::uint32_t> seen_;  // per switch: a value of stamp_ marks it in still_connected()
  std::uint32_t stamp_ = 0;
  std::vector<SwitchId> list_;
};

}  // namespace selvedge
