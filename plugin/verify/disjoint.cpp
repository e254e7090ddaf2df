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

/// Whether the path to LID `base_` + i works for every host on the source switch.
bool Disjointness::arrives(SwitchId source, unsigned i) const {
  const std::size_t at = std::size_t{source} * count_ + i;
  if (arriving_[at] == 0) return false;
  if (!rules_->drops) return true;
  SlMask mask = arriving_[at] & rules_->from_hosts;
  for (const Wiring::Attached& a : wiring_->attached(source))
    mask &= rows_.passing(source, a.port, out_port_[at]);
  return (mask & bit(tables_->sl(source, static_cast<Lid>(base_ + i)))) != 0;
}

Disjointness::Paths Disjointness::meet(SwitchId source, SwitchId destination_switch,
                                       unsigned count) {
  auto& conflicts = search_.conflicts;
  Paths distinct;
  unsigned firsts = 0, lasts = 0;
  // Numbers the first (or the last) switches of the paths 0, 1, … in the order in which they occur,
  // because LargestSet needs small numbers. The key of a switch is its id. A direct cable counts as
  // a switch of its own; its key lies above those of all switches.
  auto index_of = [](std::array<std::uint64_t, kPathsMax>& keys, unsigned& used,
                     std::uint64_t key) {
    const auto end = keys.begin() + used;
    const auto at = std::find(keys.begin(), end, key);
    if (at == end) keys[used++] = key;
    return static_cast<std::uint8_t>(at - keys.begin());
  };
  ++round_;
  for (unsigned i = 0; i < count; ++i) {
    if (!arrives(source, i)) continue;
    conflicts[i].reset();
    const Channel c = out_[std::size_t{source} * count_ + i];
    SwitchId x = wiring_->to[c];
    std::uint64_t begin = x, end = x;
    if (x == destination_switch) {  // a direct cable conflicts only with paths over the same cable
      begin = end = std::uint64_t{wiring_->switches} + c;
      for (unsigned j = 0; j < i; ++j)
        if (distinct[j] && first_keys_[search_.first[j]] == begin) conflicts[i].set(j);
    }
    for (; x != destination_switch; x = wiring_->to[out_[std::size_t{x} * count_ + i]]) {
      if (stamp_[x] != round_) {
        stamp_[x] = round_;
        through_[x].reset();
      }
      conflicts[i] |= through_[x];
      through_[x].set(i);
      end = x;
    }
    search_.first[i] = index_of(first_keys_, firsts, begin);
    search_.last[i] = index_of(last_keys_, lasts, end);
    distinct.set(i);
  }
  for (unsigned i = 0; i < count; ++i)
    for (unsigned j = 0; distinct[i] && j < i; ++j)
      if (conflicts[i][j]) conflicts[j].set(i);
  return distinct;
}

Disjointness::Fewest Disjointness::fewest(const Host& destination, HostId id) {
  Fewest fewest{kNoPairs, kNoSwitch};
  const SwitchId destination_switch = wiring_->host_at[id];
  if (destination_switch == wiring_->nowhere()) return fewest;
  load(destination);
  for (SwitchId s = 0; s < wiring_->switches; ++s) {
    if (s == destination_switch || wiring_->attached(s).empty() ||
        wiring_->component[s] != wiring_->component[destination_switch])
      continue;
    // Only the minimum over all sources is wanted, so the search may stop when it reaches the
    // fewest so far.
    const unsigned paths = search_.size(meet(s, destination_switch, count_), fewest.paths);
    if (paths < fewest.paths) fewest = {static_cast<std::uint8_t>(paths), s};
  }
  return fewest;
}

}  // namespace selvedge::prover
