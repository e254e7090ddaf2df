// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/change.hpp"

#include <bitset>
#include <map>

namespace selvedge::prover {
namespace {

/// The SL2VL tables before the delta; empty if the delta does not change them.
Sl2Vl undo(const Sl2Vl& now, const Delta& delta) {
  if (delta.sl2vl.empty()) return {};
  Sl2Vl old = now;
  for (const Sl2VlChange& c : delta.sl2vl) old.set(c.at, c.in, c.out, c.before);
  return old;
}

}  // namespace

Change::Change(Proof::State& state, const Fabric& fabric, const Tables& tables, const Delta& delta)
    : state_(state),
      fabric_(fabric),
      tables_(tables),
      delta_(delta),
      old_sl2vl_(undo(tables.sl2vl, delta)),
      old_rows_(delta.sl2vl.empty() ? tables.sl2vl : old_sl2vl_),
      rows_(tables.sl2vl),
      before_{&state.wiring, &tables,      delta.sl2vl.empty() ? &tables.sl2vl : &old_sl2vl_,
              &old_rows_,    &state.rules, &lft_before_,
              &sl_before_},
      after_{&state.wiring, &tables, &tables.sl2vl, &rows_, &state.rules} {
  lft_before_.reserve(delta.lft.size());
  for (const LftChange& c : delta.lft) lft_before_.emplace(entry_key(c.at, c.dlid), c.before);
  for (const SlChange& c : delta.sl) sl_before_.emplace(entry_key(c.source, c.dlid), c.before);
  if (lft_before_.empty()) before_.lft_before = nullptr;
  if (sl_before_.empty()) before_.sl_before = nullptr;
}

bool Change::same_shape() const {
  const Wiring& w = state_.wiring;
  return fabric_.num_switches() == w.switches && fabric_.num_hosts() == w.host_at.size() &&
         tables_.top_lid() + std::size_t{1} == state_.loops.size() &&
         fabric_.top_lid() + std::size_t{1} == w.lid_owner.size();
}

bool Change::prepare(bool rewired) {
  if (!same_shape()) return false;
  if (rewired) {
    Wiring now(fabric_);
    if (now.first != state_.wiring.first || now.lid_owner != state_.wiring.lid_owner) return false;
    now.match_component_names(state_.wiring);
    old_wiring_ = std::move(state_.wiring);
    state_.wiring = std::move(now);
    before_.wiring = &old_wiring_;
    rewired_ = true;
  }
  count_sls();
  if (!rules_still_valid()) return false;
  const bool graph = graph_of(state_, Scope::kReplies).scope == Scope::kReplies;
  replies_matter_ = graph || (state_.options.replies && state_.rules.drops);
  find_entries();
  find_rows();
  if (rewired) find_cables();
  sort_changed_entries();
  const auto twice =
      std::ranges::unique(changed_entries_, [](const ChangedEntry& a, const ChangedEntry& b) {
        return a.dlid == b.dlid && a.at == b.at;
      });
  changed_entries_.erase(twice.begin(), twice.end());
  return true;
}

/// Sorts by DLID (a counting sort), then sorts the few entries of each DLID by switch.
void Change::sort_changed_entries() {
  std::vector<std::uint32_t> place(state_.loops.size() + 1, 0);
  for (const ChangedEntry& entry : changed_entries_) ++place[entry.dlid + 1u];
  for (std::size_t lid = 1; lid < place.size(); ++lid) place[lid] += place[lid - 1];
  const std::vector<ChangedEntry> as_found = changed_entries_;
  for (const ChangedEntry& entry : as_found) changed_entries_[place[entry.dlid]++] = entry;
  std::uint32_t first = 0;
  for (const std::uint32_t end : place) {
    if (end > first + 1)
      std::ranges::sort(changed_entries_.begin() + first, changed_entries_.begin() + end, {},
                        [](const ChangedEntry& entry) {
                          return std::uint64_t{entry.at} << 1 | entry.replies_only;
                        });
    first = std::max(first, end);
  }
}

/// Updates the number of paths on each SL, for every (switch, DLID) whose LFT entry or SL changed.
void Change::count_sls() {
  auto move = [&](std::uint64_t key) {
    const auto s = static_cast<SwitchId>(key >> 16);
    const auto dlid = static_cast<Lid>(key);
    if (dlid == kNoLid) return;
    if (before_.next(s, dlid) != kNoPort) --state_.sl_uses[before_.sl(s, dlid)];
    if (after_.next(s, dlid) != kNoPort) ++state_.sl_uses[after_.sl(s, dlid)];
  };
  for (const auto& [key, unused] : lft_before_) move(key);
  for (const auto& [key, unused] : sl_before_)
    if (!lft_before_.contains(key)) move(key);
}

bool Change::rules_still_valid() {
  const SlMask used = sls_in_use(state_.sl_uses);
  if ((used & ~state_.rules.used) == 0 && delta_.sl2vl.empty() &&
      delta_.host_sl2vl_before == delta_.host_sl2vl_after)
    return true;
  return state_.rules.still_valid(
      SlRules(tables_.sl2vl, tables_.host_sl2vl, state_.wiring.switches, used));
}

void Change::find_entries() {
  for (const LftChange& c : delta_.lft) {
    note(c.dlid, c.at);
    // Hosts send requests only where there is a route. So a new or lost route changes the replies
    // too.
    if ((c.before == kNoPort) != (c.after == kNoPort)) find_replies(c.at, c.dlid);
  }
  for (const SlChange& c : delta_.sl) {
    note(c.dlid, c.source);
    find_replies(c.source, c.dlid);
  }
}

/// Notes the replies that change because requests from hosts at `requester` to LID `asked` have
/// another SL now: a reply takes the SL of its request.
void Change::find_replies(SwitchId requester, Lid asked) {
  if (!replies_matter_ || state_.wiring.lid_owner[asked].kind != LidOwner::Kind::kHost) return;
  const HostId replier = state_.wiring.lid_owner[asked].id;
  for (const View* view : {&before_, &after_}) {
    const SwitchId at = view->wiring->host_at[replier];
    if (at == view->wiring->nowhere()) continue;
    for (const Wiring::Attached& a : view->wiring->attached(requester)) {
      const Host& host = fabric_.host(a.host);
      for (unsigned i = 0; host.lid != kNoLid && i < host.lid_count(); ++i)
        note(static_cast<Lid>(host.lid + i), at, true);
    }
  }
}

void Change::find_rows() {
  std::map<SwitchId, std::bitset<256>> outs;
  for (const Sl2VlChange& c : delta_.sl2vl) outs[c.at].set(c.out);
  if (!outs.empty()) new_rows_.assign(state_.wiring.switches, false);
  for (const auto& [s, ports] : outs) {
    new_rows_[s] = true;
    const std::span<const PortNum> lft = tables_.lft(s);
    for (std::size_t lid = 1; lid < lft.size(); ++lid)
      if (ports[lft[lid]]) note(static_cast<Lid>(lid), s);
  }
}

void Change::find_cables() {
  const Wiring &old = old_wiring_, &now = state_.wiring;
  for (SwitchId s = 0; s < now.switches; ++s) {
    std::bitset<256> ports;
    for (Channel c = now.first[s]; c < now.first[s + 1]; ++c)
      if (old.to[c] != now.to[c] ||
          (now.to[c] != now.nowhere() && old.arrival[c] != now.arrival[c]))
        ports.set(now.port(c));
    bool hosts = old.attached(s).size() != now.attached(s).size();
    for (std::size_t i = 0; i < now.attached(s).size() && !hosts; ++i)
      hosts = old.attached(s)[i].host != now.attached(s)[i].host ||
              old.attached(s)[i].port != now.attached(s)[i].port;
    if (hosts) {
      for (const Wiring* w : {&old, &now})
        for (const Wiring::Attached& a : w->attached(s)) ports.set(a.port);
    }
    // In a simple graph (ScopeGraph::simple) the switch itself is a source, so its packets make all
    // turns that those of a new or lost host would make.
    const bool every_lid =
        hosts && (state_.rules.drops || state_.graphs.size() > 1 || !state_.graphs.front().simple);
    if (ports.none() && !every_lid) continue;
    const std::span<const PortNum> lft = tables_.lft(s);
    for (std::size_t lid = 1; lid < lft.size(); ++lid)
      if (every_lid || ports[lft[lid]]) note(static_cast<Lid>(lid), s);
  }
  for (HostId h = 0; h < now.host_at.size(); ++h) {
    const SwitchId was = old.host_at[h], is = now.host_at[h];
    if (was == is && old.host_port[h] == now.host_port[h] &&
        (is == now.nowhere() || old.component[is] == now.component[is]))
      continue;
    moved_.push_back(h);
    if (replies_matter_ && (was != is)) find_all_replies_to(h);
  }
}

/// Notes all replies to a host whose cable was removed or restored: it sends requests no more, or
/// again.
void Change::find_all_replies_to(HostId requester) {
  const Host& host = fabric_.host(requester);
  for (unsigned i = 0; host.lid != kNoLid && i < host.lid_count(); ++i)
    for (SwitchId s = 0; s < state_.wiring.switches; ++s)
      note(static_cast<Lid>(host.lid + i), s, true);
}

}  // namespace selvedge::prover
