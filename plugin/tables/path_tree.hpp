// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// All paths to one DLID at once. The LFTs give one path from every switch, and paths that meet
// remain together. So they form a tree with its root at the destination. It is found with one visit
// to each switch, however many sources there are.
#pragma once

#include <span>
#include <vector>

#include "plugin/tables/drops.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge {

class PathTree {
 public:
  static constexpr std::uint32_t kUnreached = UINT32_MAX;

  /// Keeps references to all three arguments.
  PathTree(const Fabric& fabric, const Tables& tables, const DroppedSls& drops);

  /// Finds the paths to one LID of a host. The host must be attached.
  void grow(HostId destination, Lid dlid);

  /// The number of cables between switches from s to the destination; kUnreached if the LFTs do not
  /// lead there.
  std::uint32_t distance(SwitchId s) const { return distance_[s]; }
  /// The channel by which packets leave s. Valid if distance(s) is not kUnreached.
  Channel out(SwitchId s) const { return out_[s]; }
  /// The SLs that SL2VL tables drop after s, on the path of packets that leave s by out(s).
  std::uint16_t dropped_downstream(SwitchId s) const { return dropped_.empty() ? 0 : dropped_[s]; }
  /// The switches from which the destination is reached; each comes after the next switch on its
  /// path.
  std::span<const SwitchId> order() const { return order_; }

 private:
  void join(SwitchId from, Lid dlid);

  const Fabric& fabric_;
  const Tables& tables_;
  const DroppedSls& drops_;
  std::vector<std::uint32_t> distance_;
  std::vector<Channel> out_;
  std::vector<std::uint16_t> dropped_;  // per switch: see dropped_downstream(); empty: none dropped
  std::vector<SwitchId> order_;
  std::vector<SwitchId> pending_;
};

}  // namespace selvedge
