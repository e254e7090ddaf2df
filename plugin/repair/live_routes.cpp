// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/live_routes.hpp"

#include <algorithm>
#include <numeric>

namespace selvedge {
namespace {

constexpr std::uint8_t kNotYet = 254;  // hops that are being counted
static_assert(LiveRoutes::kHopsMax < kNotYet && kNotYet < LiveRoutes::kNoHops);

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
      stride_(tables_.top_lid() + std::size_t{1}),
      hops_(whole.num_switches() * stride_, kNoHops),
      load_(whole.num_switch_channels(), 0),
      moved_(tables_.top_lid() + std::size_t{1}, 0) {
  for (SwitchId s = 0; s < whole.num_switches(); ++s) {
    ports_.push_back(whole.node(s).ports);
    channel_.push_back(whole.channel(s, 0));
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
  for (unsigned lid = 1; lid <= tables_.top_lid(); ++lid) {
    count(static_cast<Lid>(lid), all, true);
    measure(static_cast<Lid>(lid), all);
  }
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

void LiveRoutes::write(Lid lid, SwitchId at, PortNum port) {
  const PortNum before = tables_.next(at, lid), first = base_.next(at, lid);
  moved_[lid] += unsigned{port != first} - unsigned{before != first};
  tables_.set_next(at, lid, port);
}

void LiveRoutes::change(Lid lid, std::span<const SwitchId> at, std::span<const PortNum> ports,
                        std::span<const std::uint8_t> hops) {
  journal_.push_back(
      {lid, static_cast<std::uint32_t>(journal_at_.size()), static_cast<std::uint32_t>(at.size())});
  count(lid, at, false);
  for (std::size_t i = 0; i < at.size(); ++i) {
    std::uint8_t& far = hops_[at[i] * stride_ + lid];
    journal_at_.push_back(at[i]);
    journal_ports_.push_back(tables_.next(at[i], lid));
    journal_hops_.push_back(far);
    if (!hops.empty()) far = hops[i];
    write(lid, at[i], ports[i]);
  }
  count(lid, at, true);
  if (hops.empty()) measure(lid, at);
}

void LiveRoutes::cut(Lid lid, SwitchId at) {
  trail_.assign(1, at);
  for (const Way& way : ways(at))
    if (next(way.to, lid) == way.back) trail_.push_back(way.to);
  count(lid, trail_, false);
  journal_.push_back({lid, static_cast<std::uint32_t>(journal_at_.size()), 1});
  journal_at_.push_back(at);
  journal_ports_.push_back(next(at, lid));
  journal_hops_.push_back(hops(at, lid));
  write(lid, at, kNoPort);
  count(lid, trail_, true);
}

/// Follows the entries of these switches as far as nothing is known.
void LiveRoutes::measure(Lid lid, std::span<const SwitchId> at) {
  const auto far = [&](SwitchId s) -> std::uint8_t& { return hops_[s * stride_ + lid]; };
  for (const SwitchId s : at) far(s) = kNotYet;
  for (const SwitchId start : at) {
    trail_.clear();
    SwitchId s = start;
    while (far(s) == kNotYet) {
      far(s) = kNoHops;  // should it come round
      const Channel c = out_of(s, lid);
      if (c == kNoChannel) {
        if (s == whole_.home(lid) && next(s, lid) != kNoPort) far(s) = 0;
        break;
      }
      trail_.push_back(s);
      s = to_[c];
    }
    for (std::size_t i = trail_.size(); i-- > 0; s = trail_[i])
      far(trail_[i]) = far(s) < kHopsMax ? static_cast<std::uint8_t>(far(s) + 1) : far(s);
  }
}

void LiveRoutes::rewind(std::size_t mark) {
  while (journal_.size() > mark) {
    const Written last = journal_.back();
    trail_.assign(journal_at_.begin() + last.first, journal_at_.end());
    if (last.count == 1)  // it may be a cut: whoever sends to it was not told
      for (const Way& way : ways(journal_at_[last.first]))
        if (next(way.to, last.lid) == way.back) trail_.push_back(way.to);
    count(last.lid, trail_, false);
    for (std::size_t i = last.first; i < journal_at_.size(); ++i) {
      write(last.lid, journal_at_[i], journal_ports_[i]);
      hops_[journal_at_[i] * stride_ + last.lid] = journal_hops_[i];
    }
    count(last.lid, trail_, true);
    journal_.pop_back();
    journal_at_.resize(last.first);
    journal_ports_.resize(last.first);
    journal_hops_.resize(last.first);
  }
}

std::vector<LftChange> LiveRoutes::take_delta() {
  // Dealt out to the switches in the order in which they were made, which is mostly by LID.
  std::vector<std::uint32_t> end(whole_.num_switches() + std::size_t{1}, 0);
  for (const SwitchId s : journal_at_) ++end[s + 1];
  for (std::size_t s = 1; s < end.size(); ++s) end[s] += end[s - 1];
  std::vector<std::uint32_t> place(end.begin(), end.end() - 1);
  std::vector<LftChange> changes(journal_at_.size());
  for (const Written& w : journal_)
    for (std::size_t i = w.first; i < w.first + w.count; ++i)
      changes[place[journal_at_[i]]++] = {journal_at_[i], w.lid, journal_ports_[i], 0};
  for (SwitchId s = 0; s < whole_.num_switches(); ++s) {
    const std::span here(changes.data() + end[s], changes.data() + end[s + 1]);
    if (!std::ranges::is_sorted(here, {}, &LftChange::dlid))
      std::ranges::stable_sort(here, {}, &LftChange::dlid);
  }
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
  journal_hops_.clear();
  return changes;
}

std::size_t LiveRoutes::further_bytes() const {
  return order_.bytes() + load_.size() * sizeof load_[0] + moved_.size() * sizeof moved_[0] +
         ways_.size() * sizeof ways_[0] + first_.size() * sizeof first_[0] + hops_.size() +
         base_.bytes();
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
    for (SwitchId s = 0; s < whole_.num_switches(); ++s) {
      differ += tables_.next(s, static_cast<Lid>(lid)) != base_.next(s, static_cast<Lid>(lid));
      const std::uint8_t far = fresh.hops(s, static_cast<Lid>(lid));
      if (far != kNoHops && hops(s, static_cast<Lid>(lid)) != far) return false;
    }
    if (moved_[lid] != differ) return false;
  }
  return true;
}

}  // namespace selvedge
