// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/live_routes.hpp"

#include <algorithm>
#include <numeric>

namespace selvedge {
namespace {

Tables unicast(Tables tables) {
  tables.mft.clear();
  return tables;
}

}  // namespace

LiveRoutes::LiveRoutes(const Fabric& whole, Tables tables)
    : whole_(whole),
      tables_(unicast(std::move(tables))),
      base_(tables_),
      to_(whole.num_switch_channels(), kNoSwitch),
      first_{0},
      order_(whole, 1),
      load_(whole.num_switch_channels(), 0),
      moved_(tables_.top_lid() + std::size_t{1}, 0) {
  for (SwitchId s = 0; s < whole.num_switches(); ++s) {
    ports_.push_back(whole.node(s).ports);
    for (const Channel c : whole.out(s)) {
      if (whole.target(c) == s) continue;
      to_[c] = whole.target(c);
      ways_.push_back(
          {c, whole.peer(c), whole.target(c), whole.port_of(c), whole.port_of(whole.peer(c))});
    }
    first_.push_back(static_cast<std::uint32_t>(ways_.size()));
  }
  std::vector<SwitchId> all(whole.num_switches());
  std::iota(all.begin(), all.end(), 0);
  for (unsigned lid = 1; lid <= tables_.top_lid(); ++lid) count(static_cast<Lid>(lid), all, true);
}

void LiveRoutes::count(Lid lid, std::span<const SwitchId> at, bool add) {
  for (const SwitchId s : at) {
    const Channel c = out_of(s, lid);
    if (c == kNoChannel) continue;
    load_[c] += add ? 1 : UINT32_MAX;
    const SwitchId t = to_[c];
    const PortNum out = tables_.next(t, lid);
    const Channel then = channel_at(t, out);
    if (then == kNoChannel) continue;
    if (add)
      order_.put(c, then, out);
    else
      order_.take(c, then, out);
  }
}

void LiveRoutes::change(Lid lid, std::span<const SwitchId> at, std::span<const PortNum> ports) {
  journal_.push_back(
      {lid, static_cast<std::uint32_t>(journal_at_.size()), static_cast<std::uint32_t>(at.size())});
  count(lid, at, false);
  for (std::size_t i = 0; i < at.size(); ++i) {
    const PortNum before = tables_.next(at[i], lid), first = base_.next(at[i], lid);
    journal_at_.push_back(at[i]);
    journal_ports_.push_back(before);
    moved_[lid] += unsigned{ports[i] != first} - unsigned{before != first};
    tables_.set_next(at[i], lid, ports[i]);
  }
  count(lid, at, true);
}

void LiveRoutes::rewind(std::size_t mark) {
  while (journal_.size() > mark) {
    const Written last = journal_.back();
    const std::span<const SwitchId> at(journal_at_.data() + last.first, last.count);
    count(last.lid, at, false);
    for (std::size_t i = 0; i < at.size(); ++i) {
      const PortNum first = base_.next(at[i], last.lid), now = tables_.next(at[i], last.lid);
      const PortNum before = journal_ports_[last.first + i];
      moved_[last.lid] += unsigned{before != first} - unsigned{now != first};
      tables_.set_next(at[i], last.lid, before);
    }
    count(last.lid, at, true);
    journal_.pop_back();
    journal_at_.resize(last.first);
    journal_ports_.resize(last.first);
  }
}

std::vector<LftChange> LiveRoutes::take_delta() {
  std::vector<LftChange> changes;
  changes.reserve(journal_at_.size());
  for (const Written& w : journal_)
    for (std::size_t i = w.first; i < w.first + w.count; ++i)
      changes.push_back({journal_at_[i], w.lid, journal_ports_[i], 0});
  std::ranges::stable_sort(changes, {}, [](const LftChange& c) { return std::pair(c.at, c.dlid); });
  // Of several changes of one entry the first has what was there before.
  const auto again = std::ranges::unique(changes, [](const LftChange& a, const LftChange& b) {
    return a.at == b.at && a.dlid == b.dlid;
  });
  changes.erase(again.begin(), again.end());
  for (LftChange& c : changes) c.after = tables_.next(c.at, c.dlid);
  std::erase_if(changes, [](const LftChange& c) { return c.before == c.after; });
  journal_.clear();
  journal_at_.clear();
  journal_ports_.clear();
  return changes;
}

std::size_t LiveRoutes::further_bytes() const {
  return order_.bytes() + load_.size() * sizeof load_[0] + moved_.size() * sizeof moved_[0] +
         ways_.size() * sizeof ways_[0] + first_.size() * sizeof first_[0] + base_.bytes();
}

bool LiveRoutes::consistent() const {
  const LiveRoutes fresh(whole_, tables_);
  for (Channel c = 0; c < whole_.num_switch_channels(); ++c) {
    if (!whole_.between_switches(c)) continue;
    if (load_[c] != fresh.load_[c]) return false;
    for (const Channel then : whole_.out(whole_.target(c)))
      if (turns(c, then) != fresh.turns(c, then)) return false;
  }
  for (unsigned lid = 0; lid <= tables_.top_lid(); ++lid) {
    std::uint32_t differ = 0;
    for (SwitchId s = 0; s < whole_.num_switches(); ++s)
      differ += tables_.next(s, static_cast<Lid>(lid)) != base_.next(s, static_cast<Lid>(lid));
    if (moved_[lid] != differ) return false;
  }
  return true;
}

}  // namespace selvedge
