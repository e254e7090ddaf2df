// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/survival_cycles.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace selvedge::survival {
namespace {

constexpr std::size_t kMostKnown = 256;

/// Finds the elements that a cycle depends on: walks packets of every source to every LID and looks
/// for the dependencies of the cycle.
class CycleElements {
 public:
  CycleElements(const Fabric& left, const Tables& tables, const FurtherSls* further,
                const Elements& elements, const Witness& cycle)
      : left_(left), tables_(tables), further_(further), elements_(elements) {
    const std::size_t length = cycle.channels.size();
    for (std::size_t i = 0; i < length; ++i) next_of_[{cycle.channels[i], cycle.vls[i]}] = i;
    found_.resize(length);
  }

  /// The elements that the cycle depends on; empty if the cycle needs multicast packets too.
  std::vector<Element> find() {
    for (unsigned lid = 1; lid <= tables_.top_lid(); ++lid) {
      const auto dlid = static_cast<Lid>(lid);
      for (SwitchId s = 0; s < left_.num_switches(); ++s) {
        walk_with(tables_.sl(s, dlid), s, dlid);
        for (unsigned sls = further_ == nullptr ? 0 : further_->at(s, dlid); sls != 0;
             sls &= sls - 1)
          walk_with(static_cast<Sl>(std::countr_zero(sls)), s, dlid);
      }
    }
    std::vector<Element> all;
    for (const std::vector<Element>& needs : found_) {
      if (needs.empty()) return {};
      all.insert(all.end(), needs.begin(), needs.end());
    }
    return all;
  }

 private:
  void walk_with(Sl sl, SwitchId s, Lid dlid) {
    walk(sl, s, 0, dlid);
    if (tables_.host_sl2vl[sl] == kDropVl) return;
    for (const HostId h : left_.hosts_at(s)) walk(sl, s, left_.host(h).port, dlid);
  }

  void walk(Sl sl, SwitchId s, PortNum in, Lid dlid) {
    channels_.clear();
    const std::size_t none = found_.size();
    std::size_t from = none;
    for (std::uint32_t steps = 0; steps < left_.num_switches(); ++steps) {
      const PortNum out = tables_.next(s, dlid);
      if (out > left_.node(s).ports) return;
      const Channel c = left_.channel(s, out);
      const Vl vl = tables_.sl2vl.row(s, in, out)[sl];
      if (vl >= kDropVl || !left_.between_switches(c)) return;
      channels_.push_back(c);
      const auto it = next_of_.find({c, vl});
      const std::size_t now = it == next_of_.end() ? none : it->second;
      if (from != none && now == (from + 1) % none) keep(from);
      from = now;
      s = left_.target(c);
      in = left_.port_of(left_.peer(c));
    }
  }

  void keep(std::size_t dependency) {
    needs_.clear();
    for (const Channel c : channels_) {
      if (elements_.kind == FaultKind::kLinks) {
        needs_.push_back(elements_.of_channel[c]);
      } else {
        needs_.push_back(elements_.of_switch[left_.switch_of(c)]);
        needs_.push_back(elements_.of_switch[left_.target(c)]);
      }
    }
    std::vector<Element>& best = found_[dependency];
    if (best.empty() || needs_.size() < best.size()) best = needs_;
  }

  const Fabric& left_;
  const Tables& tables_;
  const FurtherSls* further_;
  const Elements& elements_;
  std::map<std::pair<Channel, Vl>, std::size_t> next_of_;  // (channel, VL) → its index in the cycle
  std::vector<std::vector<Element>> found_;  // per dependency, by its first channel's index
  std::vector<Channel> channels_;
  std::vector<Element> needs_;
};

}  // namespace

Cycles::Cycles(const Fabric& fabric, const Tables& tables, const FurtherSls* further,
               const Elements& elements)
    : fabric_(fabric), tables_(tables), further_(further), elements_(elements) {}

bool Cycles::any_left(std::span<const Element> faults) {
  if (known_cycle_left(faults)) return true;
  const Fabric left = without(fabric_, elements_.fault(faults));
  VerifyOptions options;
  options.any_lid = true;
  options.max_witnesses = 1;
  const Proof proof = further_ == nullptr ? verify(left, tables_, options)
                                          : verify(left, tables_, *further_, options);
  if (proof.verdict().deadlock_free) return false;
  for (const Witness& w : proof.verdict().witnesses)
    if (w.kind == Witness::Kind::kCycle) store(left, w);
  return true;
}

bool Cycles::known_cycle_left(std::span<const Element> faults) {
  for (std::size_t i = 0; i < needs_.size(); ++i) {
    const Bits& needs = needs_[i];
    if (std::ranges::any_of(faults, [&](Element e) { return (needs[e / 64] & bit_of(e)) != 0; }))
      continue;
    if (i != 0) std::swap(needs_[i], needs_[i / 2]);
    return true;
  }
  return false;
}

void Cycles::store(const Fabric& left, const Witness& cycle) {
  const std::vector<Element> all = CycleElements(left, tables_, further_, elements_, cycle).find();
  if (all.empty()) return;
  Bits needs(words(elements_.size()), 0);
  for (const Element e : all) needs[e / 64] |= bit_of(e);
  if (needs_.size() == kMostKnown) needs_.pop_back();
  needs_.push_back(std::move(needs));
}

}  // namespace selvedge::survival
