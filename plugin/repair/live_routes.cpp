// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/live_routes.hpp"

#include <algorithm>

namespace selvedge {

LiveRoutes::LiveRoutes(const Fabric& whole, Tables tables)
    : whole_(whole),
      tables_(without_multicast(std::move(tables))),
      original_(tables_),
      to_(whole.num_switch_channels(), kNoSwitch),
      first_{0},
      order_(whole, 1),
      switches_(whole.num_switches()),
      by_lid_((tables_.top_lid() + std::size_t{1}) * switches_, kNoPort),
      load_(whole.num_switch_channels(), 0),
      may_differ_(tables_.top_lid() + std::size_t{1}, 0) {
  for (SwitchId s = 0; s < whole.num_switches(); ++s) {
    ports_.push_back(whole.node(s).ports);
    channel_.push_back(whole.channel(s, 0));
    for (const Channel c : whole.out(s)) {
      if (whole.target(c) == s) continue;
      to_[c] = whole.target(c);
      links_.push_back(
          {c, whole.peer(c), whole.target(c), whole.port_of(c), whole.port_of(whole.peer(c))});
    }
    first_.push_back(static_cast<std::uint32_t>(links_.size()));
  }
  destination_switch_.assign(tables_.top_lid() + std::size_t{1}, kNoSwitch);
  const Tables& given = original_;
  for (unsigned i = 1; i <= tables_.top_lid(); ++i) {
    const auto lid = static_cast<Lid>(i);
    destination_switch_[lid] = whole.destination_switch(lid);
    for (SwitchId s = 0; s < switches_; ++s) by_lid_[lid * switches_ + s] = given.next(s, lid);
    for (SwitchId s = 0; s < switches_; ++s) {
      const Channel c = out_of(s, lid);
      if (c == kNoChannel) continue;
      ++load_[c];
      const PortNum out = next(to_[c], lid);
      if (const Channel then = channel_at(to_[c], out); then != kNoChannel)
        order_.put(c, then, out);
    }
  }
}

void LiveRoutes::set(Lid lid, SwitchId at, PortNum port) {
  PortNum* const here = by_lid_.data() + lid * switches_;
  const PortNum old = here[at];
  if (old == port) return;
  const Channel from = channel_at(at, old), to = channel_at(at, port);
  for (const AdjacentLink& link : links(at)) {
    if (here[link.to] != link.back) continue;
    if (from != kNoChannel) order_.take(link.in, from, old);
    if (to != kNoChannel) order_.put(link.in, to, port);
  }
  if (from != kNoChannel) {
    --load_[from];
    const PortNum out = here[to_[from]];
    if (const Channel then = channel_at(to_[from], out); then != kNoChannel)
      order_.take(from, then, out);
  }
  here[at] = port;
  tables_.set_next(at, lid, port);
  if (to == kNoChannel) return;
  ++load_[to];
  const PortNum out = here[to_[to]];
  if (const Channel then = channel_at(to_[to], out); then != kNoChannel) order_.put(to, then, out);
}

void LiveRoutes::change(Lid lid, std::span<const SwitchId> at, std::span<const PortNum> ports) {
  const std::size_t first = written_.size();
  journal_.push_back(
      {lid, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(at.size())});
  may_differ_[lid] = 1;
  for (const SwitchId s : at) {
    written_.push_back({s, next(s, lid)});
    if (at.size() > 1) set(lid, s, kNoPort);
  }
  for (std::size_t i = 0; i < at.size(); ++i) set(lid, at[i], ports[i]);
}

void LiveRoutes::cut(Lid lid, SwitchId at) {
  const PortNum none = kNoPort;
  change(lid, {&at, 1}, {&none, 1});
}

void LiveRoutes::rewind(std::size_t mark) {
  while (journal_.size() > mark) {
    const Change last = journal_.back();
    const std::span<const Written> were(written_.data() + last.first, last.count);
    if (last.count > 1)
      for (const Written& w : were) set(last.lid, w.at, kNoPort);
    for (const Written& w : were) set(last.lid, w.at, w.before);
    journal_.pop_back();
    written_.resize(last.first);
  }
}

std::vector<LftChange> LiveRoutes::take_delta() {
  // The journal of changes is sorted by LID, earlier changes of a LID first. Then a counting sort
  // orders the entries by switch; place[s] is the next free index for switch s.
  if (!std::ranges::is_sorted(journal_, {}, &Change::lid))
    std::ranges::stable_sort(journal_, {}, &Change::lid);
  std::vector<std::uint32_t> place(switches_ + 1, 0);
  for (const Written& w : written_) ++place[w.at + 1];
  for (std::size_t s = 1; s < place.size(); ++s) place[s] += place[s - 1];
  std::vector<LftChange> changes(written_.size());
  for (const Change& c : journal_)
    for (std::size_t i = c.first; i < c.first + c.count; ++i) {
      const Written& w = written_[i];
      changes[place[w.at]++] = {w.at, c.lid, w.before, 0};
    }
  // Of several changes of an entry only the first is kept: its `before` is the value at the last
  // take_delta().
  const auto again = std::ranges::unique(changes, [](const LftChange& a, const LftChange& b) {
    return a.at == b.at && a.dlid == b.dlid;
  });
  changes.erase(again.begin(), again.end());
  std::size_t kept = 0;
  for (const LftChange& c : changes)
    if (const PortNum after = tables_.next(c.at, c.dlid); after != c.before)
      changes[kept++] = {c.at, c.dlid, c.before, after};
  changes.resize(kept);
  journal_.clear();
  written_.clear();
  return changes;
}

std::size_t LiveRoutes::further_bytes() const {
  return order_.bytes() + load_.size() * sizeof load_[0] + may_differ_.size() +
         links_.size() * sizeof links_[0] + first_.size() * sizeof first_[0] + by_lid_.size() +
         destination_switch_.size() * sizeof destination_switch_[0] + original_.bytes();
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
    bool differ = false;
    for (SwitchId s = 0; s < whole_.num_switches(); ++s) {
      if (next(s, static_cast<Lid>(lid)) != tables_.next(s, static_cast<Lid>(lid))) return false;
      differ |= tables_.next(s, static_cast<Lid>(lid)) != original_.next(s, static_cast<Lid>(lid));
    }
    if (differ && may_differ_[lid] == 0) return false;
  }
  return true;
}

}  // namespace selvedge
