// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/destination_tree.hpp"

#include <algorithm>

namespace selvedge::prover {

DestinationTree::DestinationTree(const Wiring& wiring)
    : wiring_(&wiring),
      switches_(wiring.switches),
      parent_(switches_),
      pending_(switches_ + 2),
      order_(switches_),
      arriving_(switches_ + 2) {}

void DestinationTree::load(Lid dlid, const PortNum* next) {
  next_ = next;
  const Wiring& w = *wiring_;
  std::ranges::fill(pending_, 0);
  for (SwitchId s = 0; s < switches_; ++s) {
    const Channel c = w.first[s] + next[s];
    parent_[s] = c < w.first[s + 1] ? w.to[c] : switches_;
    ++pending_[parent_[s]];
  }
  const Wiring::End end = w.end[dlid];
  if (end.at != w.nowhere() && next[end.at] == end.port) parent_[end.at] = switches_ + 1;

  constexpr std::uint32_t kTaken = UINT32_MAX;
  ordered_ = 0;
  for (SwitchId s = 0; s < switches_; ++s) {
    if (pending_[s] != 0) continue;
    // Walks from a leaf towards the root, as long as the current switch was the last pending child
    // of its parent.
    SwitchId x = s;
    for (;;) {
      order_[ordered_++] = x;
      pending_[x] = kTaken;
      x = parent_[x];
      if (x >= switches_ || --pending_[x] != 0) break;
    }
  }
}

std::vector<SwitchId> DestinationTree::on_cycles() const {
  std::vector<bool> rest(switches_, true);
  for (const SwitchId s : order()) rest[s] = false;
  std::vector<SwitchId> found;
  for (SwitchId s = 0; s < switches_; ++s)
    if (rest[s]) found.push_back(s);
  return found;
}

std::uint32_t DestinationTree::resolve(const RowMasks* rows) {
  if (loops()) std::ranges::fill(arriving_, 0);
  arriving_[switches_] = 0;
  arriving_[switches_ + 1] = kAllSls;
  std::uint32_t without = switches_ - ordered_;
  for (std::uint32_t i = ordered_; i-- > 0;) {
    const SwitchId s = order_[i], t = parent_[s];
    SlMask mask = arriving_[t];
    if (rows != nullptr && t < switches_ && mask != 0)
      mask &= rows->passing(t, wiring_->arrival[out(s)], next_[t]);
    arriving_[s] = mask;
    without += mask == 0;
  }
  return without;
}

}  // namespace selvedge::prover
