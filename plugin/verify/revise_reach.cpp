// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/revise_reach.hpp"

#include <algorithm>

namespace selvedge::prover {

ReachRevision::ReachRevision(Proof::State& state, const Fabric& fabric, const Change& change)
    : state_(state),
      fabric_(fabric),
      change_(change),
      before_(state.wiring.switches),
      after_(state.wiring.switches),
      changed_(state.wiring.switches),
      upstream_(state.wiring.switches) {}

/// Returns the SLs on which packets that leave s arrive. Follows the path to a switch for which
/// they are known, then fills in all switches passed.
SlMask ReachRevision::outcome(const View& view, Memo& memo, SwitchId s, Lid dlid) {
  const Wiring& w = *view.wiring;
  SlMask mask = 0;
  trail_.clear();
  for (;;) {
    if (!memo.known.add(s)) {
      // If the switch is on the current trail, the path loops and its packets never arrive.
      const bool again = std::ranges::find(trail_, s) != trail_.end();
      loop_ |= again;
      mask = again ? SlMask{0} : memo.mask[s];
      break;
    }
    const Channel c = view.forward(s, dlid);
    if (c == kNoChannel) {
      mask = memo.mask[s] = view.delivers(s, dlid) ? kAllSls : SlMask{0};
      break;
    }
    trail_.push_back(s);
    s = w.to[c];
  }
  while (!trail_.empty()) {
    const SwitchId y = trail_.back();
    trail_.pop_back();
    if (state_.rules.drops && mask != 0)
      mask &= view.rows->passing(s, w.arrival[view.forward(y, dlid)], view.next(s, dlid));
    memo.mask[y] = mask;
    s = y;
  }
  return mask;
}

/// Whether all pairs with the owner of this DLID as destination worked before the change.
bool ReachRevision::none_failed(Lid dlid) const {
  const LidOwner owner = state_.wiring.lid_owner[dlid];
  if (owner.kind == LidOwner::Kind::kHost) return state_.failed_of_host[owner.id] == 0;
  return owner.kind == LidOwner::Kind::kSwitch && state_.failed_of_switch[owner.id] == 0;
}

/// Whether any packet that enters changed switch s arrives now but did not before, or the reverse.
bool ReachRevision::differs(SwitchId s, Lid dlid) {
  const View &before = change_.before(), &after = change_.after();
  if (before.excused(s, dlid) != after.excused(s, dlid)) return true;
  const SlMask is = outcome(after, after_, s, dlid);
  // If all pairs worked before and packets arrive now, no count of failures changes.
  if (!state_.rules.drops && is != 0 && none_failed(dlid)) return false;
  const SlMask was = outcome(before, before_, s, dlid);
  if (!state_.rules.drops) return (was != 0) != (is != 0);
  if (was == 0 && is == 0) return false;
  if (was == 0 || is == 0) return true;
  const PortNum old_out = before.next(s, dlid), new_out = after.next(s, dlid);
  for (unsigned p = 0; p <= state_.wiring.ports(s); ++p) {
    const auto in = static_cast<PortNum>(p);
    if ((was & before.rows->passing(s, in, old_out)) != (is & after.rows->passing(s, in, new_out)))
      return true;
  }
  return false;
}

void ReachRevision::note_source(SwitchId s, Lid dlid) {
  if (change_.before().wiring->attached(s).empty() && change_.after().wiring->attached(s).empty())
    return;
  const LidOwner owner = state_.wiring.lid_owner[dlid];
  if (owner.kind == LidOwner::Kind::kHost) {
    sources_.emplace_back(owner.id, s);
    if (state_.rules.drops && state_.options.replies) replies_.emplace_back(dlid, s);
  } else if (owner.kind == LidOwner::Kind::kSwitch) {
    sources_.emplace_back(switch_destination(owner.id), s);
  }
}

/// Notes the sources whose packets pass s, and no changed switch before s. Sources behind another
/// changed switch are noted for that switch.
void ReachRevision::note_upstream(SwitchId s, Lid dlid) {
  if (!upstream_.add(s)) return;
  stack_.assign(1, s);
  while (!stack_.empty()) {
    const SwitchId x = stack_.back();
    stack_.pop_back();
    note_source(x, dlid);
    each_child(change_.after(), x, dlid, [&](SwitchId y, Channel) {
      if (!changed_.has(y) && upstream_.add(y)) stack_.push_back(y);
    });
  }
}

bool ReachRevision::note(Lid dlid, std::span<const ChangedEntry> changed_entries) {
  before_.known.clear();
  after_.known.clear();
  changed_.clear();
  upstream_.clear();
  for (const ChangedEntry& entry : changed_entries)
    if (!entry.replies_only) changed_.add(entry.at);
  loop_ = false;
  for (const ChangedEntry& entry : changed_entries)
    if (!entry.replies_only) outcome(change_.after(), after_, entry.at, dlid);
  const bool loops = loop_;
  for (const ChangedEntry& entry : changed_entries) {
    if (entry.replies_only || !differs(entry.at, dlid)) {
      // Packets that only pass are treated as before. Packets from the switch's own hosts may have
      // another SL.
      if (state_.rules.drops) note_source(entry.at, dlid);
      continue;
    }
    note_upstream(entry.at, dlid);
  }
  return loops;
}

/// Notes every pair of which one host's cable was removed or restored, or one host's component
/// changed.
void ReachRevision::note_moved() {
  std::vector<SwitchId> with_hosts;
  for (SwitchId s = 0; s < state_.wiring.switches; ++s)
    if (!change_.before().wiring->attached(s).empty() ||
        !change_.after().wiring->attached(s).empty())
      with_hosts.push_back(s);
  for (const HostId h : change_.moved()) {
    const Host& moved = fabric_.host(h);
    for (const SwitchId s : with_hosts) {
      sources_.emplace_back(h, s);
      for (unsigned i = 0; moved.lid != kNoLid && i < moved.lid_count(); ++i)
        replies_.emplace_back(static_cast<Lid>(moved.lid + i), s);
    }
    for (const View* view : {&change_.before(), &change_.after()}) {
      const SwitchId at = view->wiring->host_at[h];
      if (at == view->wiring->nowhere()) continue;
      for (HostId d = 0; d < fabric_.num_hosts(); ++d) {
        sources_.emplace_back(d, at);
        const Host& requester = fabric_.host(d);
        for (unsigned i = 0; requester.lid != kNoLid && i < requester.lid_count(); ++i)
          replies_.emplace_back(static_cast<Lid>(requester.lid + i), at);
      }
      for (SwitchId d = 0; d < state_.wiring.switches; ++d)
        if (fabric_.node(d).lid != kNoLid) sources_.emplace_back(switch_destination(d), at);
    }
  }
  // A switch without hosts that was cut off or reconnected is a destination that hosts lost or
  // regained.
  const Wiring &old = *change_.before().wiring, &now = *change_.after().wiring;
  for (SwitchId d = 0; d < now.switches; ++d)
    if (fabric_.node(d).lid != kNoLid && old.component[d] != now.component[d])
      for (const SwitchId s : with_hosts) sources_.emplace_back(switch_destination(d), s);
}

/// Whether this pair is physically connected but its packets do not arrive.
bool ReachRevision::fails(const View& view, HostId source, SwitchId at,
                          std::uint32_t destination) const {
  const Wiring& w = *view.wiring;
  if (source == destination || !attached_at(view, source, at)) return false;
  if (destination >= fabric_.num_hosts()) {
    const SwitchId to = destination - fabric_.num_hosts();
    return w.component[at] == w.component[to] && !view.works(source, fabric_.node(to).lid);
  }
  const SwitchId destination_switch = w.host_at[destination];
  if (destination_switch == w.nowhere() || w.component[at] != w.component[destination_switch])
    return false;
  const Host& to = fabric_.host(destination);
  if (to.lid == kNoLid) return true;
  bool works = false;
  for (unsigned i = 0; i < to.lid_count(); ++i) {
    const auto lid = static_cast<Lid>(to.lid + i);
    const bool this_works = view.works(source, lid);
    if (this_works && state_.options.any_lid) return false;
    if (!this_works && !state_.options.any_lid && !view.excused(at, lid)) return true;
    works |= this_works;
  }
  return !works;
}

bool ReachRevision::drops_reply(const View& view, Scope scope, HostId replier, SwitchId at,
                                Lid dlid) const {
  const Wiring& w = *view.wiring;
  if (view.requester(scope, dlid) == w.nowhere()) return false;
  const HostId requester = w.lid_owner[dlid].id;
  const SwitchId destination_switch = w.host_at[requester];
  if (replier == requester || !attached_at(view, replier, at) ||
      destination_switch == w.nowhere() || w.component[at] != w.component[destination_switch])
    return false;
  const auto passing = view.arriving(at, w.host_port[replier], dlid);
  return passing && (view.reply_sls(scope, destination_switch, fabric_.host(replier)) &
                     ~(*passing & state_.rules.from_hosts)) != 0;
}

/// Calls f for hosts that are at a switch before or after the change, once for each.
template <class F>
void ReachRevision::each_host(SwitchId s, F f) const {
  for (const Wiring::Attached& a : change_.before().wiring->attached(s)) f(a.host);
  for (const Wiring::Attached& a : change_.after().wiring->attached(s))
    if (!attached_at(change_.before(), a.host, s)) f(a.host);
}

void ReachRevision::finish() {
  if (change_.rewired()) note_moved();
  auto once = [](std::vector<Pair>& pairs) {
    std::ranges::sort(pairs);
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  };
  once(sources_);
  for (const auto& [destination, s] : sources_) {
    std::uint32_t& failed = destination < fabric_.num_hosts()
                                ? state_.failed_of_host[destination]
                                : state_.failed_of_switch[destination - fabric_.num_hosts()];
    each_host(s, [&, to = destination, at = s](HostId source) {
      // If all sources worked before, the old path need not be walked.
      const bool was = failed != 0 && fails(change_.before(), source, at, to);
      failed += fails(change_.after(), source, at, to);
      failed -= was;
    });
  }
  if (!state_.rules.drops || !state_.options.replies) return;
  once(replies_);
  for (const auto& [lid, s] : replies_) {
    const auto dlid = static_cast<Lid>(lid);
    each_host(s, [&, at = s](HostId replier) {
      for (const Scope scope : {Scope::kBase, Scope::kReplies}) {
        auto& dropped = scope == Scope::kBase ? state_.dropped_base : state_.dropped_replies;
        dropped[dlid] += drops_reply(change_.after(), scope, replier, at, dlid);
        dropped[dlid] -= drops_reply(change_.before(), scope, replier, at, dlid);
      }
    });
  }
}

}  // namespace selvedge::prover
