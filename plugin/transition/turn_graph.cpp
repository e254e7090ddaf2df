// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/transition/turn_graph.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace selvedge::transition {
namespace {

using prover::bit;

/// Calls f(i) for each bit i that is set: for each SL or VL of a set.
template <class F>
void each(SlMask sls, F f) {
  for (; sls != 0; sls &= static_cast<SlMask>(sls - 1))
    f(static_cast<unsigned>(std::countr_zero(sls)));
}

/// The limit of the work of add_acyclic_part(), in turns examined. Each try examines all turns;
/// kTriesMin tries are always allowed.
constexpr std::uint64_t kWorkMax = 4'000'000;
constexpr std::uint64_t kTriesMin = 32;

}  // namespace

TurnGraph::TurnGraph(const Fabric& fabric, const Tables& tables, const prover::SlRules& rules)
    : fabric_(fabric),
      rules_(rules),
      num_vls_(rules.vls_any),
      first_{0},
      place_(fabric.num_switch_channels(), 0),
      sourced_(std::size_t{fabric.num_switch_channels()} * kSls, 0) {
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    const auto out = fabric.out(s);
    for (std::size_t i = 0; i < out.size(); ++i) {
      place_[out[i]] = static_cast<std::uint8_t>(i);
      for (std::size_t o = 0; o < out.size(); ++o)
        row_.push_back(&tables.sl2vl.row(s, fabric.port_of(out[i]), fabric.port_of(out[o])));
      const auto source = [&](PortNum in, SlMask sls) {
        const Sl2VlRow& row = tables.sl2vl.row(s, in, fabric.port_of(out[i]));
        each(sls, [&](unsigned sl) {
          if (row[sl] < kDropVl) sourced_[out[i] * std::size_t{kSls} + sl] |= bit(row[sl]);
        });
      };
      source(0, rules.every_class);
      for (const HostId h : fabric.hosts_at(s))
        source(fabric.host(h).port, rules.every_class & rules.from_hosts);
    }
    first_.push_back(static_cast<TurnId>(row_.size()));
  }
  for (const Sl2VlRow* row : row_) {
    SlMask mask = 0;
    each(rules.every_class, [&](unsigned sl) {
      if ((*row)[sl] < kDropVl) mask |= bit(sl);
    });
    carried_.push_back(mask);
  }
  permitted_.assign(row_.size(), 0);
}

/// Computes the SLs and VLs of packets on each channel: packets enter at sources and advance over
/// permitted turns.
void TurnGraph::propagate() {
  vls_ = sourced_;
  std::vector<SlMask> has(fabric_.num_switch_channels(), 0);
  std::vector<Channel> open;
  for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
    for (const Channel c : fabric_.out(s)) {
      each(rules_.every_class, [&](unsigned sl) {
        if (vls_[c * std::size_t{kSls} + sl] != 0) has[c] |= bit(sl);
      });
      if (has[c] != 0) open.push_back(c);
    }
  }
  while (!open.empty()) {
    const Channel c = open.back();
    open.pop_back();
    const SwitchId at = fabric_.target(c);
    TurnId t = turn(at, place_[fabric_.peer(c)], 0);
    for (const Channel out : fabric_.out(at)) {
      const SlMask before = has[out];
      each(permitted_[t] & has[c], [&](unsigned sl) {
        vls_[out * std::size_t{kSls} + sl] |= bit((*row_[t])[sl]);
        has[out] |= bit(sl);
      });
      if (has[out] != before) open.push_back(out);
      ++t;
    }
  }
  on_.assign(std::size_t{fabric_.num_switch_channels()} * num_vls_, 0);
  for (Channel c = 0; c < fabric_.num_switch_channels(); ++c)
    each(has[c], [&](unsigned sl) {
      for (unsigned vl = 0; vl < num_vls_; ++vl)
        if (vls_[c * std::size_t{kSls} + sl] & bit(vl)) on_[c * num_vls_ + vl] |= bit(sl);
    });
}

/// The VLs on which packets that arrive by channel `in` on VL `vl` leave if they make turn t.
VlMask TurnGraph::leaving(TurnId t, Channel in, unsigned vl) const {
  VlMask vls = 0;
  each(permitted_[t] & on_[in * num_vls_ + vl], [&](unsigned sl) { vls |= bit((*row_[t])[sl]); });
  return vls;
}

template <class F>
void TurnGraph::each_successor(std::uint32_t node, F f) const {
  const Channel c = node / num_vls_;
  const SwitchId at = fabric_.target(c);
  TurnId t = turn(at, place_[fabric_.peer(c)], 0);
  for (const Channel out : fabric_.out(at)) {
    each(leaving(t++, c, node % num_vls_), [&](unsigned vl) { f(out * num_vls_ + vl); });
  }
}

bool TurnGraph::acyclic() {
  propagate();
  std::vector<std::uint32_t> before(on_.size(), 0), order;
  for (std::uint32_t n = 0; n < on_.size(); ++n)
    if (on_[n] != 0) each_successor(n, [&](std::uint32_t m) { ++before[m]; });
  std::size_t nodes = 0;
  order.reserve(on_.size());
  for (std::uint32_t n = 0; n < on_.size(); ++n) {
    if (on_[n] == 0) continue;
    ++nodes;
    if (before[n] == 0) order.push_back(n);
  }
  for (std::size_t i = 0; i < order.size(); ++i)
    each_successor(order[i], [&](std::uint32_t m) {
      if (--before[m] == 0) order.push_back(m);
    });
  if (order.size() != nodes) return false;
  position_.assign(on_.size(), 0);
  for (std::uint32_t i = 0; i < order.size(); ++i) position_[order[i]] = i;
  return true;
}

void TurnGraph::apply(const std::vector<Permit>& permits, std::size_t begin, std::size_t end) {
  added_.clear();
  for (std::size_t i = begin; i < end; ++i) {
    const auto& [t, sls] = permits[i];
    const auto added = static_cast<SlMask>(sls & carried_[t] & ~permitted_[t]);
    if (added == 0) continue;
    permitted_[t] |= added;
    added_.push_back({t, added});
  }
}

void TurnGraph::undo() {
  for (const auto& [t, sls] : added_) permitted_[t] &= static_cast<SlMask>(~sls);
}

bool TurnGraph::try_range(const std::vector<Permit>& permits, std::size_t begin, std::size_t end) {
  apply(permits, begin, end);
  if (added_.empty() || acyclic()) return true;
  undo();
  return false;
}

bool TurnGraph::add_all(const std::vector<Permit>& permits) {
  return try_range(permits, 0, permits.size());
}

void TurnGraph::add_acyclic_part(const std::vector<Permit>& permits) {
  std::uint64_t tries = std::max(kTriesMin, kWorkMax / (row_.size() + 1));
  std::vector<std::pair<std::size_t, std::size_t>> open{{0, permits.size()}};
  while (!open.empty() && tries-- > 0) {
    const auto [begin, end] = open.back();
    open.pop_back();
    if (begin == end || try_range(permits, begin, end) || end - begin == 1) continue;
    const std::size_t half = begin + (end - begin) / 2;
    open.emplace_back(half, end);
    open.emplace_back(begin, half);
  }
}

void TurnGraph::add_ordered_part(const std::vector<Permit>& permits) {
  if (!acyclic()) return;
  for (const auto& [t, sls] : permits) {
    const auto above = std::ranges::upper_bound(first_, t);
    const auto at = static_cast<SwitchId>(above - first_.begin() - 1);
    const auto cables = fabric_.out(at);
    const Channel in = fabric_.peer(cables[(t - first_[at]) / cables.size()]);
    const Channel out = cables[(t - first_[at]) % cables.size()];
    each(sls & carried_[t] & ~permitted_[t], [&](unsigned sl) {
      const Vl to = (*row_[t])[sl];
      // A turn is permitted only if it brings no new (SL, VL) to its output channel. So its
      // dependencies are the only new ones, and the order stays valid for the whole graph.
      bool ordered = (vls_[out * std::size_t{kSls} + sl] & bit(to)) != 0;
      each(vls_[in * std::size_t{kSls} + sl], [&](unsigned from) {
        ordered &= position_[in * num_vls_ + from] < position_[out * num_vls_ + to];
      });
      if (ordered) permitted_[t] |= bit(sl);
    });
  }
}

}  // namespace selvedge::transition
