// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The damaged fabric as repairs need it: which channels work, which switches are connected, and
// which switches have lost the next hop for which LID.
//
// Of this room only.
#pragma once

#include <span>
#include <vector>

#include "plugin/tables/tables.hpp"

namespace selvedge {

/// A number of links that means: no path.
inline constexpr std::uint32_t kNotReached = UINT32_MAX;

/// A switch at which the LID's entry leads to a failed or missing cable.
struct Break {
  Lid lid;
  SwitchId at;
  friend auto operator<=>(const Break&, const Break&) = default;
};

class Remains {
 public:
  explicit Remains(const Fabric& left) { look(left); }
  /// Examines the whole fabric. `left` must stay valid until the next call.
  void look(const Fabric& left);
  /// The same if channels were only lost (`went`: both of each cable). In most cases the pieces
  /// need not be recomputed.
  void lose(const Fabric& left, std::span<const Channel> went);

  const Fabric& fabric() const { return *left_; }
  /// Per channel: whether it works, between two switches.
  const std::vector<bool>& alive() const { return alive_; }
  /// The switches that are physically connected with this one.
  const std::vector<SwitchId>& piece(SwitchId s) const { return members_[piece_[s]]; }
  /// Whether the LID's owner is attached and physically connected with the switch.
  bool served(Lid lid, SwitchId from) const;
  /// The port by which the owner's switch delivers the LID; kNoPort if the owner is detached.
  PortNum last_port(Lid lid) const;

  /// The entries that lead to the channels `went` (both of each cable), and all entries of switches
  /// newly failed at the last look() or lose(). Sorted.
  std::vector<Break> broken(std::span<const Channel> went, const Tables& tables) const;
  /// Missing entries, for LIDs that can be reached. Sorted.
  std::vector<Break> missing(const Tables& tables) const;

 private:
  bool still_joined(std::span<const Channel> went);

  const Fabric* left_ = nullptr;
  std::vector<SwitchId> failed_;  // newly failed at the last look() or lose()
  std::vector<bool> was_failed_;  // per switch
  std::vector<bool> alive_;
  std::vector<std::uint32_t> piece_;  // per switch
  std::vector<std::vector<SwitchId>> members_;
  std::vector<std::uint32_t> seen_;  // per switch: stamp
  std::uint32_t stamp_ = 0;
  std::vector<SwitchId> list_;
};

}  // namespace selvedge
