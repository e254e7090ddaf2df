// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/disjoint.hpp"

#include <algorithm>

#include "plugin/verify/state.hpp"

namespace selvedge::prover {

Disjointness::Disjointness(const Wiring& wiring, const SlRules& rules, const Tables& tables)
    : wiring_(&wiring),
      rules_(&rules),
      tables_(&tables),
      rows_(tables.sl2vl),
      tree_(wiring),
      next_(wiring.switches),
      through_(wiring.switches),
      stamp_(wiring.switches, 0) {}

void Disjointness::load(const Host& destination) {
  const std::uint32_t switches = wiring_->switches;
  count_ = destination.lid == kNoLid ? 0 : destination.lid_count();
  base_ = destination.lid;
  out_.resize(std::size_t{switches} * count_);
  arriving_.resize(out_.size());
  out_port_.resize(out_.size());
  for (unsigned i = 0; i < count_; ++i) {
    const auto dlid = static_cast<Lid>(base_ + i);
    for (SwitchId s = 0; s < switches; ++s) next_[s] = tables_->next(s, dlid);
    tree_.load(dlid, next_.data());
    tree_.resolve(rules_->drops ? &rows_ : nullptr);
    for (SwitchId s = 0; s < switches; ++s) {
      const std::size_t at = std::size_t{s} * count_ + i;
      out_[at] = tree_.forwards(s) ? tree_.out(s) : kNoChannel;
      arriving_[at] = tree_.arriving(s);
      out_port_[at] = tree_.out_port(s);
    }
  }
}

/// Does the path work for every host on the switch?
bool Disjointness::arrives(SwitchId source, unsigned i) const {
  const std::size_t at = std::size_t{source} * count_ + i;
  if (arriving_[at] == 0) return false;
  if (!rules_->drops) return true;
  SlMask mask = arriving_[at] & rules_->from_hosts;
  for (const Wiring::Attached& a : wiring_->attached(source))
    mask &= rows_.passing(source, a.port, out_port_[at]);
  return (mask & bit(tables_->sl(source, static_cast<Lid>(base_ + i)))) != 0;
}

Disjointness::Paths Disjointness::meet(SwitchId source, SwitchId home, unsigned count) {
  Paths distinct;
  ++round_;
  for (unsigned i = 0; i < count; ++i) {
    if (!arrives(source, i)) continue;
    conflicts_[i].reset();
    Channel c = out_[std::size_t{source} * count_ + i];
    first_[i] = c;
    SwitchId x = wiring_->to[c];
    if (x == home) {  // a direct cable: it meets no path but one over the same
      for (unsigned j = 0; j < i; ++j)
        if (distinct[j] && first_[j] == c) conflicts_[i].set(j);
    }
    for (; x != home; x = wiring_->to[out_[std::size_t{x} * count_ + i]]) {
      if (stamp_[x] != round_) {
        stamp_[x] = round_;
        through_[x].reset();
      }
      conflicts_[i] |= through_[x];
      through_[x].set(i);
    }
    distinct.set(i);
  }
  for (unsigned i = 0; i < count; ++i)
    for (unsigned j = 0; distinct[i] && j < i; ++j)
      if (conflicts_[i][j]) conflicts_[j].set(i);
  return distinct;
}

/// The size of the largest set without conflicts, if above `best`; stops once `enough` are found.
/// Recursion is as deep as a destination has LIDs, at most 128.
unsigned Disjointness::largest(Paths candidates, unsigned chosen, unsigned best,
                               unsigned enough) const {
  while (candidates.any()) {
    // Paths that start on one channel to another switch than the last meet there, so the channels
    // that are left bound what can be added.
    std::array<Channel, kPathsMax> starts;
    unsigned channels = 0, most = 0;
    std::size_t pick = kPathsMax, crowded = kPathsMax;
    for (std::size_t i = candidates._Find_first(); i < kPathsMax; i = candidates._Find_next(i)) {
      if (std::find(starts.begin(), starts.begin() + channels, first_[i]) ==
          starts.begin() + channels)
        starts[channels++] = first_[i];
      const auto degree = static_cast<unsigned>((conflicts_[i] & candidates).count());
      if (degree <= 1) pick = i;  // to take it is never wrong
      if (degree >= most) {
        most = degree;
        crowded = i;
      }
    }
    if (chosen + channels <= best || best >= enough) return best;
    if (pick == kPathsMax) {  // branch on the one with the most conflicts: without it, then with it
      Paths without = candidates;
      without.reset(crowded);
      best = largest(without, chosen, best, enough);
      pick = crowded;
    }
    candidates.reset(pick);
    candidates &= ~conflicts_[pick];
    ++chosen;
  }
  return std::max(best, chosen);
}

Disjointness::Fewest Disjointness::fewest(const Host& destination, HostId id) {
  Fewest fewest{kNoPairs, kNoSwitch};
  const SwitchId home = wiring_->host_at[id];
  if (home == wiring_->nowhere()) return fewest;
  load(destination);
  for (SwitchId s = 0; s < wiring_->switches; ++s) {
    if (s == home || wiring_->attached(s).empty() ||
        wiring_->component[s] != wiring_->component[home])
      continue;
    // Only a pair with fewer than any before matters.
    const unsigned paths = largest(meet(s, home, count_), 0, 0, fewest.paths);
    if (paths < fewest.paths) fewest = {static_cast<std::uint8_t>(paths), s};
  }
  return fewest;
}

}  // namespace selvedge::prover
