// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What is left of a fabric, as a repair looks at it: which channels carry packets, what hangs
// together, which switches have lost the next hop for which LID.
//
// Of this room only.
#pragma once

#include <span>
#include <vector>

#include "plugin/tables/tables.hpp"

namespace selvedge {

/// As a number of links: there is no way.
inline constexpr std::uint32_t kNotReached = UINT32_MAX;

/// At this switch the LID's entry leads nowhere.
struct Break {
  Lid lid;
  SwitchId at;
  friend auto operator<=>(const Break&, const Break&) = default;
};

class Remains {
 public:
  explicit Remains(const Fabric& left) { look(left); }
  /// `left` must stay until the next look().
  void look(const Fabric& left);
  /// The same where channels only went, both of each cable: in most cases without looking at all.
  void lose(const Fabric& left, std::span<const Channel> went);

  const Fabric& fabric() const { return *left_; }
  /// Per channel: does it run between two switches?
  const std::vector<bool>& alive() const { return alive_; }
  /// The switches that cables join with this one.
  const std::vector<SwitchId>& piece(SwitchId s) const { return members_[piece_[s]]; }
  /// Is the LID's owner there and physically connected with the switch?
  bool served(Lid lid, SwitchId from) const;
  /// The port by which its own switch hands the LID to its owner; kNoPort if that is gone.
  PortNum last_port(Lid lid) const;

  /// Entries that lead to what went: by the channels that went since the last look(), both of
  /// each cable; at switches that failed since, all. Sorted.
  std::vector<Break> broken(std::span<const Channel> went, const Tables& tables) const;
  /// Entries that are not there, for LIDs that are served. Sorted.
  std::vector<Break> missing(const Tables& tables) const;

 private:
  bool still_joined(std::span<const Channel> went);

  const Fabric* left_ = nullptr;
  std::vector<SwitchId> failed_;  // since the look before
  std::vector<bool> was_failed_;  // per switch
  std::vector<bool> alive_;
  std::vector<std::uint32_t> piece_;  // per switch
  std::vector<std::vector<SwitchId>> members_;
  std::vector<std::uint32_t> seen_;  // per switch: stamp
  std::uint32_t stamp_ = 0;
  std::vector<SwitchId> list_;
};

}  // namespace selvedge
