// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// All paths to one DLID at once. The LFTs give one path from every switch, and paths that meet stay
// together: they form a tree with its root at the destination. One visit of each switch finds it,
// however many sources there are.
#pragma once

#include <span>
#include <vector>

#include "plugin/tables/drops.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge {

class PathTree {
 public:
  static constexpr std::uint32_t kUnreached = UINT32_MAX;

  /// Keeps references to all three.
  PathTree(const Fabric& fabric, const Tables& tables, const DroppedSls& drops);

  /// Finds the paths to one LID of an attached host.
  void grow(HostId destination, Lid dlid);

  /// Cables between switches from s to the destination; kUnreached if the LFTs don't lead there.
  std::uint32_t distance(SwitchId s) const { return distance_[s]; }
  /// The channel by which packets leave s; valid if distance(s) is not kUnreached.
  Channel out(SwitchId s) const { return out_[s]; }
  /// The SLs dropped beyond s, on the way of packets that leave it by out(s).
  std::uint16_t dropped_downstream(SwitchId s) const { return dropped_.empty() ? 0 : dropped_[s]; }
  /// The switches from which the destination is reached, each after the next switch on its path.
  std::span<const SwitchId> order() const { return order_; }

 private:
  void join(SwitchId from, Lid dlid);

  const Fabric& fabric_;
  const Tables& tables_;
  const DroppedSls& drops_;
  std::vector<std::uint32_t> distance_;
  std::vector<Channel> out_;
  std::vector<std::uint16_t> dropped_;  // empty if nothing is dropped anywhere
  std::vector<SwitchId> order_;
  std::vector<SwitchId> pending_;
};

}  // namespace selvedge
