// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/transition/order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "plugin/transition/drain_interval.hpp"
#include "plugin/transition/lft_independent_deadlock_check.hpp"
#include "plugin/transition/losses.hpp"
#include "plugin/transition/lossless_update_rounds.hpp"
#include "plugin/transition/paused_groups.hpp"
#include "plugin/transition/safety.hpp"

namespace selvedge {
namespace {

using Kind = SendPhase::Kind;
using Method = SendPlan::Method;

/// Per switch, the number of hops from the nearest of the switches `from`; 0 for all if `from` is
/// empty.
std::vector<std::uint32_t> distances(const Fabric& fabric, const std::vector<SwitchId>& from) {
  std::vector<std::uint32_t> hops(fabric.num_switches(), from.empty() ? 0 : UINT32_MAX);
  std::vector<SwitchId> queue;
  for (const SwitchId s : from)
    if (std::exchange(hops[s], 0) != 0) queue.push_back(s);
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const Channel c : fabric.out(queue[i])) {
      std::uint32_t& there = hops[fabric.target(c)];
      if (there != UINT32_MAX) continue;
      there = hops[queue[i]] + 1;
      queue.push_back(fabric.target(c));
    }
  return hops;
}

class Planner {
 public:
  Planner(const Fabric& fabric, const Tables& from, const Delta& delta, const OrderRequest& request)
      : fabric_(fabric),
        from_(from),
        delta_(delta),
        given_(delta),
        request_(request),
        hops_(distances(fabric, request.near)),
        rows_after_(from.sl2vl) {
    for (unsigned sl = 0; sl < kSls; ++sl)
      hosts_[sl] = std::min(delta.host_sl2vl_before[sl], delta.host_sl2vl_after[sl]);
    drop_failed_switches(delta_, fabric_);
    if (request.groups_later) delta_.mft.clear();
    for (const Sl2VlChange& c : delta_.sl2vl) rows_after_.set(c.at, c.in, c.out, c.after);
    for (const LftChange& c : delta_.lft) dlids_.push_back(c.dlid);
    std::ranges::sort(dlids_);
    dlids_.erase(std::unique(dlids_.begin(), dlids_.end()), dlids_.end());
  }

  SendPlan plan();
  /// The plan in which groups pause; nullopt if there is nothing to pause or to clear in addition,
  /// or if no order is proved so either.
  std::optional<SendPlan> plan_with_pause() const;
  /// Whether nothing is to be written, but the subnet manager's writes of groups are not proved.
  bool only_groups_unproved(SendPlan& plan) const {
    return plan.method == Method::kNothing && !request_.method && !proved(plan);
  }

 private:
  SendPlan plan_with(Method method);
  bool try_guarded();
  bool try_mixed();
  bool try_downstream();
  bool try_cleared();
  bool try_cleared_at_rows();
  void plan_lossless(bool in_groups);
  bool try_lossless();
  bool proved() { return proved(plan_); }
  /// Whether each state of the plan is proved, and each state in which the subnet manager writes
  /// the groups' ports afterwards.
  bool proved(SendPlan& plan) const {
    if (!request_.groups_later || given_.mft.empty()) return deadlock_free(fabric_, from_, plan);
    plan.phases.push_back(transition::ports_to_come(from_, plan, given_));
    const bool holds = deadlock_free(fabric_, from_, plan);
    plan.phases.pop_back();
    return holds;
  }
  bool done(Method method, std::string why) {
    plan_.method = method;
    plan_.why = std::move(why);
    return true;
  }

  void start() {
    plan_.phases.clear();
    add_groups(Kind::kRemoveGroupPorts);
  }
  void finish() {
    add_groups(Kind::kAddGroupPorts);
    add_sls();
  }
  void plan_without_drain() {
    start();
    add_rows();
    add_lft(Kind::kInstall, delta_.lft);
    finish();
  }
  void add_rows();
  void add_lft(Kind kind, std::vector<LftChange> changes);
  void add_groups(Kind kind);
  void add_sls();
  void add_by_depth();
  enum class Drains : std::uint8_t { kOne, kTwo };
  /// Which DLIDs are cleared where an SL2VL row changes that they use: those given, or all.
  enum class AtRows : std::uint8_t { kGiven, kAll };
  void clear_and_install(const std::vector<Lid>& dlids, bool rows_first, Drains drains,
                         AtRows at_rows = AtRows::kGiven);
  template <class Change>
  void sort_by_distance(std::vector<Change>& changes) const;
  SendPhase& phase(Kind kind) {
    plan_.phases.push_back({.kind = kind});
    return plan_.phases.back();
  }

  const Fabric& fabric_;
  const Tables& from_;
  Delta delta_;  // without what the plan does not write
  const Delta& given_;
  const OrderRequest& request_;
  std::vector<std::uint32_t> hops_;
  Sl2Vl rows_after_;
  Sl2VlRow hosts_{};  // the hosts' row, VL 15 only for SLs that hosts drop both before and after
  std::vector<Lid> dlids_;  // DLIDs with LFT changes, ascending
  SendPlan plan_;
};

template <class Change>
void Planner::sort_by_distance(std::vector<Change>& changes) const {
  std::ranges::stable_sort(changes, {},
                           [&](const Change& c) { return std::pair(hops_[c.at], c.at); });
}

/// Changes each SL2VL entry to VL 15 first, then to its new VL. So packets on the old VL and
/// packets on the new VL of an entry are separated by the end of a phase.
void Planner::add_rows() {
  SendPhase forbid{.kind = Kind::kForbid}, permit{.kind = Kind::kPermit};
  for (const Sl2VlChange& c : delta_.sl2vl) {
    Sl2VlRow between = c.before;
    for (unsigned sl = 0; sl < kSls; ++sl)
      if (c.before[sl] != c.after[sl]) between[sl] = kDropVl;
    if (between != c.before) forbid.sl2vl.push_back({c.at, c.in, c.out, c.before, between});
    if (between != c.after) permit.sl2vl.push_back({c.at, c.in, c.out, between, c.after});
  }
  if (delta_.host_sl2vl_before != delta_.host_sl2vl_after)
    permit.host_sl2vl = delta_.host_sl2vl_after;
  for (SendPhase* p : {&forbid, &permit}) {
    sort_by_distance(p->sl2vl);
    if (!p->sl2vl.empty() || p->host_sl2vl) plan_.phases.push_back(std::move(*p));
  }
}

void Planner::add_lft(Kind kind, std::vector<LftChange> changes) {
  if (changes.empty()) return;
  std::ranges::sort(changes, {},
                    [&](const LftChange& c) { return std::tuple(hops_[c.at], c.at, c.dlid); });
  SendPhase& p = phase(kind);
  for (std::uint32_t i = 0; i < changes.size(); ++i) {
    const auto block = static_cast<std::uint16_t>(changes[i].dlid / kLftBlockEntries);
    if (p.blocks.empty() || p.blocks.back().at != changes[i].at || p.blocks.back().block != block)
      p.blocks.push_back({changes[i].at, block, i, 0});
    ++p.blocks.back().count;
  }
  p.lft = std::move(changes);
}

void Planner::add_groups(Kind kind) {
  SendPhase p{.kind = kind};
  std::map<Lid, unsigned> ways;  // per group: bit 0 if it loses ports, bit 1 if it gains ports
  for (const MftChange& c : delta_.mft) {
    const PortSet kept = c.before & c.after;
    ways[c.mlid] |= (kept != c.before ? 1u : 0u) | (kept != c.after ? 2u : 0u);
    if (kind == Kind::kRemoveGroupPorts && kept != c.before)
      p.mft.push_back({c.mlid, c.at, c.before, kept});
    if (kind == Kind::kAddGroupPorts && kept != c.after)
      p.mft.push_back({c.mlid, c.at, kept, c.after});
  }
  if (p.mft.empty()) return;
  sort_by_distance(p.mft);
  const bool both = std::ranges::any_of(ways, [](const auto& w) { return w.second == 3; });
  p.drain_first = kind == Kind::kAddGroupPorts && both && request_.may_drain &&
                  plan_.method != Method::kGuarded;
  plan_.phases.push_back(std::move(p));
}

void Planner::add_sls() {
  if (!delta_.sl.empty()) phase(Kind::kAnnounceSls).sl = delta_.sl;
}

SendPlan Planner::plan() {
  if (delta_.empty()) {
    plan_.why = "the tables are equal";
    return plan_;
  }
  if (request_.method) return plan_with(*request_.method);
  if (request_.lossless && try_lossless()) return plan_;
  if (try_guarded()) return plan_;
  // If SLs change, mixed and downstream are not tried: they announce SLs at the end, so packets on
  // old SLs would meet new entries.
  if (delta_.sl.empty() && (try_mixed() || try_downstream())) return plan_;
  if (try_cleared() || try_cleared_at_rows()) return plan_;
  plan_without_drain();
  done(Method::kWindow,
       "no order is proved: head-of-queue lifetime must break deadlocks until the last write is "
       "acknowledged");
  return plan_;
}

SendPlan Planner::plan_with(Method method) {
  plan_.method = method;  // set before the phases, because add_groups() reads it
  if (method == Method::kCleared) {
    clear_and_install(dlids_, false, Drains::kTwo);
  } else if (method == Method::kLossless) {
    plan_lossless(true);
  } else if (method == Method::kDownstream) {
    start();
    add_rows();
    add_by_depth();
    finish();
  } else {
    plan_without_drain();
  }
  done(method, "asked for");
  return plan_;
}

std::optional<SendPlan> Planner::plan_with_pause() const {
  if (!request_.may_drain || !request_.may_pause_groups || request_.method) return std::nullopt;
  SendPhase pause{.kind = Kind::kRemoveGroupPorts};
  pause.mft = transition::paused_ports(fabric_, from_, given_, request_.groups_later);
  if (pause.mft.empty() && request_.clear_at_rows) return std::nullopt;
  sort_by_distance(pause.mft);
  Tables paused = from_;
  transition::apply_phase(paused, pause);
  Delta rest = delta_;
  rest.mft = transition::resumed_ports(fabric_, from_, paused, given_);
  OrderRequest request = request_;
  request.clear_at_rows = true;
  SendPlan plan = Planner(fabric_, paused, rest, request).plan();
  SendPlan alone;
  alone.phases = {pause};
  if (plan.method == Method::kWindow || !deadlock_free(fabric_, from_, alone)) return std::nullopt;
  if (pause.mft.empty()) return plan;
  std::size_t ports = 0;
  for (const MftChange& c : pause.mft) ports += (c.before & ~c.after).count();
  plan.why += fmt::format("; groups pause: they lose {} ports while paths change", ports);
  plan.groups_pause = true;
  plan.phases.insert(plan.phases.begin(), std::move(pause));
  if (plan.phases.size() == 1) return plan;
  // Entries can be taken out at the same time as ports of groups, and drain with them.
  if (plan.phases[1].kind == Kind::kClear && proved(plan)) return plan;
  plan.phases[1].drain_first = true;
  return plan;
}

bool Planner::try_guarded() {
  const Sl2Vl* const after[] = {&rows_after_};
  if (lft_independent_cycle(fabric_, after, hosts_)) return false;
  plan_.method = Method::kGuarded;
  plan_without_drain();
  const Sl2Vl* const both[] = {&from_.sl2vl, &rows_after_};
  if (delta_.sl2vl.empty() || !lft_independent_cycle(fabric_, both, hosts_))
    return done(Method::kGuarded, "with these SL2VL tables no mixture of LFTs can deadlock");
  if (proved())
    return done(Method::kGuarded,
                "with these SL2VL tables no mixture of LFTs can deadlock; packets in newly "
                "forbidden turns close no cycle with the others");
  if (request_.may_drain) {
    for (SendPhase& p : plan_.phases) {
      if (p.kind != Kind::kPermit && p.kind != Kind::kInstall) continue;
      p.drain_first = true;
      if (proved())
        return done(Method::kGuarded,
                    "with these SL2VL tables no mixture of LFTs can deadlock once packets in newly "
                    "forbidden turns have drained");
      p.drain_first = false;
    }
  }
  plan_.method = Method::kNothing;
  return false;
}

bool Planner::try_mixed() {
  plan_without_drain();
  return proved() && done(Method::kMixed, "no mixture of these old and new paths has a cycle");
}

/// Adds install phases for the method downstream: an entry is in the n-th of them (from 0) if its
/// packets meet n further changed entries on the way to the destination.
void Planner::add_by_depth() {
  std::map<Lid, std::map<SwitchId, PortNum>> after;
  for (const LftChange& c : delta_.lft) after[c.dlid][c.at] = c.after;
  std::vector<std::vector<LftChange>> by_depth;
  for (const LftChange& c : delta_.lft) {
    const auto& changed = after[c.dlid];
    SwitchId at = c.at;
    std::size_t depth = 0;
    for (std::uint32_t step = 0; step < fabric_.num_switches(); ++step) {
      const auto it = changed.find(at);
      const PortNum port = it != changed.end() ? it->second : from_.next(at, c.dlid);
      if (step > 0 && it != changed.end()) ++depth;
      if (port > fabric_.node(at).ports) break;
      const Channel out = fabric_.channel(at, port);
      if (!fabric_.between_switches(out)) break;
      at = fabric_.target(out);
    }
    if (by_depth.size() <= depth) by_depth.resize(depth + 1);
    by_depth[depth].push_back(c);
  }
  for (std::vector<LftChange>& changes_of_round : by_depth)
    add_lft(Kind::kInstall, std::move(changes_of_round));
}

bool Planner::try_downstream() {
  start();
  add_rows();
  add_by_depth();
  finish();
  return proved() && done(Method::kDownstream,
                          "old and new paths may close a cycle, but not if each DLID is written "
                          "from its destination outwards");
}

/// Makes the phases of the method `cleared` for `dlids`: their changed LFT entries are set to 255
/// (drop), and to their new values after a drain. SL2VL rows change first if that is safe for
/// packets in flight (`rows_first`), else after a drain. New SLs are announced while the paths are
/// cleared at the sources' switches. So packets on an old SL never meet new entries, and packets on
/// a new SL never meet old entries or rows.
void Planner::clear_and_install(const std::vector<Lid>& dlids, bool rows_first, Drains drains,
                                AtRows at_rows) {
  std::vector<LftChange> clear, unaffected, install;
  for (const LftChange& c : delta_.lft) {
    if (!std::ranges::binary_search(dlids, c.dlid)) {
      unaffected.push_back(c);
      continue;
    }
    if (c.before != kNoPort) clear.push_back({c.at, c.dlid, c.before, kNoPort});
    if (c.after != kNoPort) install.push_back({c.at, c.dlid, kNoPort, c.after});
  }
  // Two kinds of entries are cleared for a time though they do not change: entries by which packets
  // on a new SL would meet old entries, and entries of cleared DLIDs that use a row that changes.
  std::set<std::pair<SwitchId, Lid>> out;
  for (const LftChange& c : clear) out.emplace(c.at, c.dlid);
  const auto clear_temporarily = [&](SwitchId s, Lid dlid) {
    const PortNum next = from_.next(s, dlid);
    if (next == kNoPort || fabric_.node(s).failed || !out.emplace(s, dlid).second) return;
    clear.push_back({s, dlid, next, kNoPort});
    install.push_back({s, dlid, kNoPort, next});
  };
  for (const SlChange& c : delta_.sl) clear_temporarily(c.source, c.dlid);
  std::vector<Lid> at_changed_rows = dlids;
  if (at_rows == AtRows::kAll) {
    at_changed_rows.resize(from_.top_lid());
    std::iota(at_changed_rows.begin(), at_changed_rows.end(), Lid{1});
  }
  if (!rows_first)
    for (const Sl2VlChange& c : delta_.sl2vl)
      for (const Lid dlid : at_changed_rows)
        if (from_.next(c.at, dlid) == c.out) clear_temporarily(c.at, dlid);
  start();
  if (rows_first) add_rows();
  add_lft(Kind::kClear, std::move(clear));
  add_lft(Kind::kInstall, std::move(unaffected));
  const auto drain_after = [&](std::size_t phases) {
    if (phases < plan_.phases.size()) plan_.phases[phases].drain_first = true;
  };
  std::size_t before = plan_.phases.size();
  if (!rows_first) add_rows();
  add_sls();
  drain_after(before);
  // Packets on a new SL may have entered under old rows until now, so drain again before the next
  // phase. (That is never the case if rows have changed before the first drain.)
  if (!delta_.sl.empty() && drains == Drains::kTwo) before = plan_.phases.size();
  add_lft(Kind::kInstall, std::move(install));
  drain_after(before);
  add_groups(Kind::kAddGroupPorts);
}

bool Planner::try_cleared() {
  if (!request_.may_drain) return false;
  std::vector<Lid> cleared;
  for (const SlChange& c : delta_.sl)
    if (std::ranges::binary_search(dlids_, c.dlid)) cleared.push_back(c.dlid);
  std::ranges::sort(cleared);
  cleared.erase(std::unique(cleared.begin(), cleared.end()), cleared.end());
  plan_without_drain();
  std::size_t changed = 0;  // the number of phases that change SL2VL rows or LFT entries
  while (changed < plan_.phases.size() && plan_.phases[changed].kind != Kind::kAddGroupPorts &&
         plan_.phases[changed].kind != Kind::kAnnounceSls)
    ++changed;
  const transition::DrainInterval interval(fabric_, from_, from_,
                                           std::span(plan_.phases).first(changed), {});
  const auto unmixable = interval.unmixable_dlids(cleared);
  cleared = unmixable ? *unmixable : dlids_;
  clear_and_install(cleared, unmixable.has_value(), unmixable ? Drains::kOne : Drains::kTwo);
  bool holds = proved();
  if (!holds && unmixable && !delta_.sl.empty()) {
    clear_and_install(cleared, true, Drains::kTwo);
    holds = proved();
  }
  if (!holds) {
    if (!unmixable) return false;
    cleared = dlids_;
    clear_and_install(cleared, false, Drains::kTwo);
    if (!proved()) return false;
  }
  return done(Method::kCleared,
              fmt::format("old and new paths may close a cycle: {} of {} changing DLIDs have no "
                          "route until the others' packets have drained",
                          cleared.size(), dlids_.size()));
}

/// As try_cleared(), but DLIDs that keep their LFT entries are cleared too where their SL2VL rows
/// change.
bool Planner::try_cleared_at_rows() {
  if (!request_.may_drain || !request_.clear_at_rows || delta_.sl2vl.empty()) return false;
  clear_and_install(dlids_, false, Drains::kTwo, AtRows::kAll);
  return proved() &&
         done(Method::kCleared,
              fmt::format("old and new paths may close a cycle, also of DLIDs that keep "
                          "their entries: all paths over the {} SL2VL rows that change "
                          "have no route until packets have drained",
                          delta_.sl2vl.size()));
}

/// The lossless plan. `in_groups`: the DLIDs that change are written in groups, one group after
/// another. The first group takes as many DLIDs as possible whose old and new paths together close
/// no cycle, while all other DLIDs still have their old paths. The next groups take the remaining
/// DLIDs in the same way, until none is left.
void Planner::plan_lossless(bool in_groups) {
  start();
  // SL2VL entries that drop packets get their new VLs first. Entries that become VL 15 are written
  // last, after a drain.
  SendPhase permit{.kind = Kind::kPermit}, forbid{.kind = Kind::kForbid, .drain_first = true};
  Tables now = from_, to = from_;
  for (const LftChange& c : delta_.lft) to.set_next(c.at, c.dlid, c.after);
  for (const Sl2VlChange& c : delta_.sl2vl) {
    Sl2VlRow between = c.after;
    for (unsigned sl = 0; sl < kSls; ++sl)
      if (between[sl] == kDropVl) between[sl] = c.before[sl];
    if (between != c.before) permit.sl2vl.push_back({c.at, c.in, c.out, c.before, between});
    if (between != c.after) forbid.sl2vl.push_back({c.at, c.in, c.out, between, c.after});
    now.sl2vl.set(c.at, c.in, c.out, between);
  }
  to.sl2vl = rows_after_;
  if (delta_.host_sl2vl_before != delta_.host_sl2vl_after)
    permit.host_sl2vl = now.host_sl2vl = to.host_sl2vl = delta_.host_sl2vl_after;
  const auto add = [&](SendPhase& p) {
    sort_by_distance(p.sl2vl);
    if (!p.sl2vl.empty() || p.host_sl2vl) plan_.phases.push_back(std::move(p));
  };
  add(permit);
  bool first = true;
  for (std::vector<LftChange> rest = delta_.lft, postponed; !rest.empty();
       std::swap(rest, postponed)) {
    postponed.clear();
    if (in_groups) {
      const SendPhase all{.lft = rest};
      const auto unmixable =
          transition::DrainInterval(fabric_, now, now, {&all, 1}, {}).unmixable_dlids({});
      std::erase_if(rest, [&](const LftChange& c) {
        const bool waits = unmixable && std::ranges::binary_search(*unmixable, c.dlid);
        if (waits) postponed.push_back(c);
        return waits;
      });
      // No DLID fits: all that remain form one group, and the proof of the plan decides.
      if (rest.empty()) std::swap(rest, postponed);
    }
    for (auto& changes_of_round : transition::lossless_update_rounds(fabric_, now, to, rest)) {
      add_lft(Kind::kInstall, std::move(changes_of_round));
      plan_.phases.back().drain_first = !std::exchange(first, false);
    }
    for (const LftChange& c : rest) now.set_next(c.at, c.dlid, c.after);
  }
  add(forbid);
  finish();
}

bool Planner::try_lossless() {
  if (!request_.may_drain || !delta_.sl.empty()) return false;
  for (const bool in_groups : {false, true}) {
    plan_lossless(in_groups);
    if (proved() && losses(fabric_, from_, plan_).none())
      return done(Method::kLossless, "no packet in flight loses its route");
  }
  return false;
}

}  // namespace

void drop_failed_switches(Delta& delta, const Fabric& fabric) {
  const auto failed = [&](const auto& c) { return fabric.node(c.at).failed; };
  std::erase_if(delta.lft, failed);
  std::erase_if(delta.sl2vl, failed);
  std::erase_if(delta.mft, failed);
}

SendPlan send_plan(const Fabric& fabric, const Tables& from, const Delta& delta,
                   const OrderRequest& request) {
  Planner planner(fabric, from, delta, request);
  SendPlan plan = planner.plan();
  if (plan.method != Method::kWindow && !planner.only_groups_unproved(plan)) return plan;
  std::optional<SendPlan> paused = planner.plan_with_pause();
  return paused ? *std::move(paused) : plan;
}

}  // namespace selvedge
