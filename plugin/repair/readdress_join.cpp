// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The part of ReaddressState that makes new paths. A path is a prefix and a suffix joined at an
// intermediate switch (Montañana 2008 §5.2.2, §5.4), or the result of search(). Then a LID and an
// SL are chosen for the path, and its dependencies are tested.
#include <algorithm>
#include <bit>
#include <tuple>

#include "plugin/repair/readdress_state.hpp"
#include "plugin/repair/readdress_walk.hpp"

namespace selvedge {
namespace {

constexpr std::size_t kLongest = 64;  // a new path has at most so many channels
/// at most so many candidates are examined for each highest VL allowed
constexpr std::size_t kTried = 64;

}  // namespace

/// Tries to find a path from switch `at` to the destination layout_->ends[end], which has none.
/// `before` and `sl`: the LID (kNoLid: none) and SL of the last path.
void ReaddressState::repair_pair(SwitchId at, std::uint32_t end, Lid before, Sl sl,
                                 Changes& changes) {
  const ReaddressLayout::End& to = layout_->ends[end];
  if (!layout_->has_hosts[at] || at == to.destination_switch || !switch_alive(at) ||
      !switch_alive(to.destination_switch) ||
      s_.component[at] != s_.component[to.destination_switch])
    return;
  if (to.host && !alive(fabric_->injection(to.id))) return;
  if (use_other_lid(at, end))
    ++changes.taken;
  else if (join(at, end, before, sl, changes))
    ++changes.joined;
  else if (search(at, end, before, sl, changes))
    ++changes.searched;
  else {
    changes.failed += to.host ? 1 : 0;
    return;
  }
  const Lid after = s_.current[at * layout_->ends.size() + end];
  const Sl sl_after = s_.tables.sl(at, after);
  if (to.host && before != kNoLid && (before != after || sl != sl_after))
    changes.readdressed.push_back({at, before, after, sl, sl_after});
}

/// Uses another LID of the same destination that has a path from switch `at`; false if there is
/// none.
bool ReaddressState::use_other_lid(SwitchId at, std::uint32_t end) {
  const ReaddressLayout::End& to = layout_->ends[end];
  for (unsigned i = 0; i < to.lids; ++i) {
    const auto lid = static_cast<Lid>(to.base + i);
    if ((*frozen_)[lid] || s_.tables.next(at, lid) == kNoPort) continue;
    s_.current[at * layout_->ends.size() + end] = lid;
    return true;
  }
  return false;
}

/// Collects in direct_ the prefixes of all paths of a source: the rows of its direct reachability
/// table (DRT). Of the prefixes that end with the same channel, keeps the one with the fewest VL
/// transitions, then hops.
void ReaddressState::find_direct(SwitchId source) {
  if (direct_of_ == source) return;
  direct_of_ = source;
  std::ranges::fill(best_direct_, 0);
  direct_.assign(1, {kNoChannel, source, kNoLid, 0, 0, 0});
  const PathLength* const from_here = &path_length(source, 0);
  for (unsigned lid = 1; lid <= s_.tables.top_lid(); ++lid)
    if (from_here[lid].hops != 0) add_direct(source, static_cast<Lid>(lid));
}

void ReaddressState::add_direct(SwitchId source, Lid via) {
  const Sl sl = s_.tables.sl(source, via);
  Direct d{kNoChannel, source, via, 0, 0, 0};
  each_turn(source, via, [&](std::size_t turn, SwitchId, Channel, Channel out, bool last) {
    if (last || d.hops == kLongest) return false;
    const Vl now = vl(turn, sl);
    d.transitions = static_cast<std::uint8_t>(d.transitions + (d.hops > 0 && now != d.vl ? 1 : 0));
    d = {out, fabric_->target(out), via, static_cast<std::uint8_t>(d.hops + 1), d.transitions, now};
    std::uint32_t& best = best_direct_[out];
    if (best == 0) {
      direct_.push_back(d);
      best = static_cast<std::uint32_t>(direct_.size());
    } else if (Direct& other = direct_[best - 1];
               std::tie(d.transitions, d.hops) < std::tie(other.transitions, other.hops)) {
      other = d;
    }
    return true;
  });
}

bool ReaddressState::join(SwitchId source, std::uint32_t end, Lid before, Sl sl, Changes& changes) {
  find_direct(source);
  candidates_.clear();
  const SwitchId destination_switch = layout_->ends[end].destination_switch;
  const std::vector<std::uint32_t>& ends = layout_->ends_at[destination_switch];
  for (std::uint32_t i = 0; i < direct_.size(); ++i) {
    const Direct& d = direct_[i];
    if (d.at == destination_switch) {
      candidates_.emplace_back(d.transitions, d.hops, i, kNoLid, true);
      continue;
    }
    const PathLength* const on_from_there = &path_length(d.at, 0);
    for (const std::uint32_t e : ends) {
      const ReaddressLayout::End& to = layout_->ends[e];
      for (unsigned lid = to.base, last = lid + to.lids; lid < last; ++lid) {
        const PathLength s = on_from_there[lid];
        if (s.hops == 0) continue;
        candidates_.emplace_back(d.transitions + s.transitions, d.hops + s.hops, i,
                                 static_cast<Lid>(lid), d.in == kNoChannel);
      }
    }
  }
  if (candidates_.empty()) return false;
  std::size_t sorted = 0;  // so many candidates are sorted; usually a few suffice
  for (unsigned limit = 0; limit < request_.max_vls; ++limit) {
    for (const bool fresh : {false, true}) {
      for (std::size_t i = 0; i < std::min(candidates_.size(), kTried); ++i) {
        if (i == sorted) settle_best(sorted++);
        const Candidate& candidate = candidates_[i];
        if (candidate.transitions() > limit) break;
        if (build_path(candidate, source, end) &&
            try_path(source, end, before, sl, limit, fresh, changes))
          return true;
      }
    }
    if (candidates_.size() == sorted && candidates_.back().transitions() + 1 < limit) return false;
  }
  return false;
}

/// One step of a selection sort: moves the best candidate of those at `first` and after it to
/// `first`.
void ReaddressState::settle_best(std::size_t first) {
  const auto from = candidates_.begin() + static_cast<std::ptrdiff_t>(first);
  for (;;) {
    const auto best = std::min_element(from, candidates_.end());
    if (!best->settled()) {
      const bool more = turns(*best);
      best->settle(more);
      if (more) continue;  // with a transition more, another candidate may be better
    }
    return std::iter_swap(from, best);
  }
}

/// Whether the turn between prefix and suffix is a new dependency on the prefix's VL. Such a turn
/// may need a VL transition, so the candidate counts as having one more.
bool ReaddressState::turns(const Candidate& candidate) const {
  const Direct& d = direct_[candidate.direct()];
  const Channel out = layout_->first[d.at] + s_.tables.next(d.at, candidate.suffix());
  return !order_.has({{d.in, d.vl}, {out, d.vl}});
}

/// Writes the candidate's channels to path_; false if it visits a switch twice.
bool ReaddressState::build_path(const Candidate& candidate, SwitchId source, std::uint32_t end) {
  path_.clear();
  const Direct& d = direct_[candidate.direct()];
  if (d.hops > 0)
    each_turn(source, d.via, [&](std::size_t, SwitchId, Channel, Channel out, bool last) {
      if (last || path_.size() == d.hops) return false;
      path_.push_back(out);
      return true;
    });
  if (path_.size() != d.hops || (d.hops > 0 && path_.back() != d.in)) return false;
  if (candidate.suffix() != kNoLid)
    each_turn(d.at, candidate.suffix(),
              [&](std::size_t, SwitchId, Channel, Channel out, bool last) {
                if (!last) path_.push_back(out);
                return true;
              });
  return simple(source, end);
}

/// Whether path_ leads from `source` to the end over working cables and visits no switch twice.
bool ReaddressState::simple(SwitchId source, std::uint32_t end) const {
  if (path_.empty() || path_.size() > kLongest ||
      fabric_->target(path_.back()) != layout_->ends[end].destination_switch)
    return false;
  for (std::size_t i = 0; i < path_.size(); ++i) {
    const SwitchId x = fabric_->target(path_[i]);
    if (!alive(path_[i]) || x == source) return false;
    for (std::size_t j = 0; j < i; ++j)
      if (fabric_->target(path_[j]) == x) return false;
  }
  return true;
}

/// The switch that the i-th channel of path_ leaves.
SwitchId ReaddressState::tail(std::size_t i, SwitchId source) const {
  return i == 0 ? source : fabric_->target(path_[i - 1]);
}

bool ReaddressState::fits(Lid lid, SwitchId source) const {
  for (std::size_t i = 0; i < path_.size(); ++i) {
    const PortNum port = s_.tables.next(tail(i, source), lid);
    if (port != kNoPort && port != fabric_->port_of(path_[i])) return false;
  }
  return true;
}

/// Puts path_ into the tables with the first LID of the destination whose LFT entries agree with
/// it; LID `before` is tried last. The SL is one that paths use, `sl` first; with `fresh` it is the
/// first SL that no path uses. VLs are at most `limit`. False if no LID or SL fits.
bool ReaddressState::try_path(SwitchId source, std::uint32_t end, Lid before, Sl sl, unsigned limit,
                              bool fresh, Changes& changes) {
  const ReaddressLayout::End& to = layout_->ends[end];
  Lid lid = kNoLid;
  for (unsigned k = 0; k < to.lids && lid == kNoLid; ++k)
    if (const auto l = static_cast<Lid>(to.base + k);
        l != before && !(*frozen_)[l] && permits(l, source) && fits(l, source))
      lid = l;
  if (lid == kNoLid && before != kNoLid && !(*frozen_)[before] && permits(before, source) &&
      fits(before, source))
    lid = before;
  if (lid == kNoLid) return false;

  unsigned used = 0;
  for (unsigned i = 0; i < kSls; ++i) used += s_.sl_paths[i] > 0 ? 1 : 0;
  const auto attempt = [&](Sl with) {
    if (!fits_sl(source, lid, with, limit)) {
      retract();
      return false;
    }
    admitted_.clear();
    install(source, lid, with, changes);
    s_.current[source * layout_->ends.size() + end] = lid;
    return true;
  };
  if (only_.sl) return !fresh && attempt(*only_.sl);
  if (fresh) {
    if (used >= request_.max_sls) return false;
    for (unsigned i = 0; i < kSls; ++i)
      if (s_.sl_paths[i] == 0 && !is_base_sl(i)) return attempt(static_cast<Sl>(i));
    return false;
  }
  if (s_.sl_paths[sl] > 0 && !is_base_sl(sl) && attempt(sl)) return true;
  for (unsigned i = 0; i < kSls; ++i)
    if (i != sl && s_.sl_paths[i] > 0 && !is_base_sl(i) && attempt(static_cast<Sl>(i))) return true;
  return false;
}

std::optional<Readdressed> ReaddressState::add_fresh_path(SwitchId source, Lid before,
                                                          Changes& changes) {
  const std::uint32_t end = layout_->end_of[before];
  if (end == ReaddressLayout::kNoEnd || source == layout_->ends[end].destination_switch ||
      s_.component[source] != s_.component[layout_->ends[end].destination_switch])
    return std::nullopt;
  only_ = {.spare = true, .lid = kNoLid, .sl = std::nullopt};
  const Sl sl = s_.tables.sl(source, before);
  const bool made =
      join(source, end, before, sl, changes) || search(source, end, before, sl, changes);
  only_ = {};
  if (!made) return std::nullopt;
  const Lid after = s_.current[source * layout_->ends.size() + end];
  return Readdressed{source, before, after, sl, s_.tables.sl(source, after)};
}

bool ReaddressState::keep_path(SwitchId source, Lid lid, Sl sl, std::span<const Channel> channels,
                               Changes& changes) {
  const std::uint32_t end = layout_->end_of[lid];
  if (end == ReaddressLayout::kNoEnd || source == layout_->ends[end].destination_switch ||
      s_.component[source] != s_.component[layout_->ends[end].destination_switch])
    return false;
  if (s_.tables.next(source, lid) != kNoPort) return s_.tables.sl(source, lid) == sl;
  only_ = {.spare = true, .lid = lid, .sl = sl};
  bool made = false;
  path_.assign(channels.begin(), channels.end());
  bool leads = !path_.empty();
  for (std::size_t i = 0; leads && i < path_.size(); ++i)
    leads = fabric_->between_switches(path_[i]) && fabric_->switch_of(path_[i]) == tail(i, source);
  if (leads && simple(source, end))
    for (unsigned limit = 0; limit < request_.max_vls && !made; ++limit)
      made = try_path(source, end, kNoLid, sl, limit, false, changes);
  made = made || join(source, end, kNoLid, sl, changes) || search(source, end, kNoLid, sl, changes);
  only_ = {};
  return made;
}

void ReaddressState::pin_response(SwitchId at, Lid lid, Sl sl) {
  std::vector<std::size_t> turns;
  std::vector<DependencyOrder::Edge> edges;
  std::uint16_t held = 0;
  const bool arrives =
      each_turn(at, lid, [&](std::size_t turn, SwitchId, Channel in, Channel out, bool last) {
        turns.push_back(turn);
        if (in == kNoChannel) {
          held = local_vls(at, turn, sl);
          return (held >> kDropVl & 1u) == 0;
        }
        const Vl next = vl(turn, sl);
        if (next == kDropVl) return last;
        for (unsigned v = 0; v < kDropVl && !last; ++v)
          if (held >> v & 1u) edges.push_back({{in, static_cast<Vl>(v)}, {out, next}});
        held = static_cast<std::uint16_t>(1u << next);
        return true;
      });
  const auto beyond = [&](const DependencyOrder::Node& n) { return n.vl >= request_.max_vls; };
  if (!arrives || std::ranges::any_of(edges, [&](const DependencyOrder::Edge& e) {
        return beyond(e.from) || beyond(e.to);
      }))
    return;
  if (!order_.add(edges)) return;
  for (const std::size_t turn : turns) pin(turn, sl);
}

/// Makes sure that the dependencies from channel `from`, on each VL of the mask `vls`, to channel
/// `to` on VL `vl` are in the graph: adds those that are missing. False if one would close a cycle.
bool ReaddressState::admit(Channel from, std::uint16_t vls, Channel to, Vl vl) {
  for (unsigned v = 0; v < kDropVl; ++v) {
    if ((vls >> v & 1u) == 0) continue;
    const DependencyOrder::Edge edge{{from, static_cast<Vl>(v)}, {to, vl}};
    if (order_.has(edge)) continue;
    one_.assign(1, edge);
    if (!order_.add(one_)) return false;
    admitted_.push_back(edge);
  }
  return true;
}

void ReaddressState::retract() {
  for (const DependencyOrder::Edge& edge : admitted_) order_.take(edge);
  admitted_.clear();
}

/// Chooses the VLs of path_ on this SL, at most `limit`; false if that fails. An SL2VL entry that
/// some path uses fixes the VL; otherwise it is the lowest one possible from the VL of the last hop
/// up. Also adds the dependencies of packets for the LID that enter at later switches of path_.
bool ReaddressState::fits_sl(SwitchId source, Lid lid, Sl sl, unsigned limit) {
  vls_.clear();
  std::uint16_t held = 0;
  for (std::size_t i = 0; i < path_.size(); ++i) {
    const SwitchId at = tail(i, source);
    const PortNum port = fabric_->port_of(path_[i]);
    const std::size_t start = layout_->start(at, port);
    const bool starts = s_.tables.next(at, lid) == kNoPort;
    const std::uint16_t local =
        starts && users(start, sl) > 0 ? local_vls(at, start, sl) : std::uint16_t{0};
    if (local >> (limit + 1) != 0) return false;
    if (i == 0) {
      const unsigned first = is_base_vl(0) ? 1 : 0;
      if (local == 0 && first > limit) return false;
      held = local != 0 ? local : static_cast<std::uint16_t>(1u << first);
      vls_.push_back(static_cast<Vl>(std::countr_zero(held)));
      continue;
    }
    const std::size_t turn = layout_->turn(path_[i - 1], port);
    if (users(turn, sl) > 0) {
      const Vl vl_there = vl(turn, sl);
      if (vl_there > limit || !admit(path_[i - 1], held, path_[i], vl_there)) return false;
      vls_.push_back(vl_there);
    } else {
      unsigned v = vls_.back();
      while (v <= limit &&
             (is_base_vl(v) || !admit(path_[i - 1], held, path_[i], static_cast<Vl>(v))))
        ++v;
      if (v > limit) return false;
      vls_.push_back(static_cast<Vl>(v));
    }
    held = static_cast<std::uint16_t>(1u << vls_.back() | local);
  }
  const SwitchId destination_switch = fabric_->target(path_.back());
  const PortNum out = s_.tables.next(destination_switch, lid);
  if (out == kNoPort) return false;
  const std::size_t turn = layout_->turn(path_.back(), out);
  return users(turn, sl) == 0 || vl(turn, sl) != kDropVl;
}

void ReaddressState::set_vl(SwitchId at, std::size_t turn, PortNum in, PortNum out, Sl sl, Vl vl,
                            Changes& changes) {
  Sl2VlRow row = s_.tables.sl2vl.row(at, in, out);
  s_.vl[turn * kSls + sl] = vl;
  if (row[sl] == vl) return;
  const Sl2VlRow before = row;
  row[sl] = vl;
  s_.tables.sl2vl.set(at, in, out, row);
  changes.sl2vl.push_back({at, in, out, before, row});
}

/// Writes path_, with its VLs vls_, into the tables.
void ReaddressState::install(SwitchId source, Lid lid, Sl sl, Changes& changes) {
  std::size_t starts = 0;  // the first `starts` switches of path_ get a new entry
  for (std::size_t i = 0; i < path_.size(); ++i) {
    const SwitchId at = tail(i, source);
    const PortNum port = fabric_->port_of(path_[i]);
    if (i > 0)
      if (const std::size_t turn = layout_->turn(path_[i - 1], port); users(turn, sl) == 0)
        set_vl(at, turn, fabric_->port_of(fabric_->peer(path_[i - 1])), port, sl, vls_[i], changes);
    if (s_.tables.next(at, lid) != kNoPort) continue;
    starts = i + 1;
    changes.lft.push_back({at, lid, kNoPort, port});
    s_.tables.set_next(at, lid, port);
    if (const Sl old = s_.tables.sl(at, lid); old != sl) {
      changes.sl.push_back({at, lid, old, sl});
      s_.tables.set_sl(at, lid, sl);
    }
    const std::size_t start = layout_->start(at, port);
    if (users(start, sl) == 0)
      for (const PortNum in : layout_->local[at]) set_vl(at, start, in, port, sl, vls_[i], changes);
  }
  const SwitchId destination_switch = fabric_->target(path_.back());
  const PortNum out = s_.tables.next(destination_switch, lid);
  if (const std::size_t turn = layout_->turn(path_.back(), out);
      users(turn, sl) == 0 && vl(turn, sl) == kDropVl)
    set_vl(destination_switch, turn, fabric_->port_of(fabric_->peer(path_.back())), out, sl, 0,
           changes);
  // From a switch that had an entry for the LID, all later switches of path_ have one too, because
  // existing entries agree with path_. So the switches with new entries come first.
  for (std::size_t i = 0; i < starts; ++i) {
    count_path(tail(i, source), lid, sl, 1);
    measure_path(tail(i, source), lid, sl);
  }
  if (s_.tables.host_sl2vl[sl] == kDropVl) s_.tables.host_sl2vl[sl] = 0;
  if (direct_of_ == source) add_direct(source, lid);
}

}  // namespace selvedge
