// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/tables/path_tree.hpp"

#include <algorithm>

namespace selvedge {
namespace {
constexpr std::uint32_t kUnseen = UINT32_MAX - 1;
constexpr std::uint32_t kOnTheWay = UINT32_MAX - 2;
}  // namespace

PathTree::PathTree(const Fabric& fabric, const Tables& tables, const DroppedSls& drops)
    : fabric_(fabric),
      tables_(tables),
      drops_(drops),
      distance_(fabric.num_switches()),
      out_(fabric.num_switches()),
      dropped_(drops.any() ? fabric.num_switches() : 0) {}

void PathTree::grow(HostId destination, Lid dlid) {
  std::ranges::fill(distance_, kUnseen);
  order_.clear();
  const Channel last = fabric_.peer(fabric_.injection(destination));
  const SwitchId destination_switch = fabric_.switch_of(last);
  out_[destination_switch] = last;
  if (!dropped_.empty()) dropped_[destination_switch] = 0;
  if (tables_.next(destination_switch, dlid) == fabric_.port_of(last)) {
    distance_[destination_switch] = 0;
    order_.push_back(destination_switch);
  } else {
    distance_[destination_switch] =
        kUnreached;  // a wrong entry: packets loop back to this switch, or are lost
  }
  for (SwitchId s = 0; s < fabric_.num_switches(); ++s)
    if (distance_[s] == kUnseen) join(s, dlid);
}

/// Follows the LFTs from a switch to a switch whose distance is known. Sets the distances of all
/// switches on the way.
void PathTree::join(SwitchId from, Lid dlid) {
  pending_.clear();
  SwitchId s = from;
  bool reaches = true;
  while (distance_[s] == kUnseen) {
    distance_[s] = kOnTheWay;
    pending_.push_back(s);
    const PortNum port = tables_.next(s, dlid);
    const Channel c = fabric_.channel(s, port);
    if (port == 0 || c >= fabric_.channel(s + 1, 0) || !fabric_.between_switches(c)) {
      reaches = false;
      break;
    }
    out_[s] = c;
    s = fabric_.target(c);
  }
  // kOnTheWay: the walk has returned to a switch that it passed before, so it loops.
  reaches = reaches && distance_[s] != kUnreached && distance_[s] != kOnTheWay;
  for (; !pending_.empty(); pending_.pop_back()) {
    const SwitchId here = pending_.back();
    if (!reaches) {
      distance_[here] = kUnreached;
      continue;
    }
    const SwitchId next = fabric_.target(out_[here]);
    distance_[here] = distance_[next] + 1;
    order_.push_back(here);
    if (!dropped_.empty())
      dropped_[here] = static_cast<std::uint16_t>(
          dropped_[next] |
          drops_.at(next, fabric_.port_of(fabric_.peer(out_[here])), fabric_.port_of(out_[next])));
  }
}

}  // namespace selvedge
