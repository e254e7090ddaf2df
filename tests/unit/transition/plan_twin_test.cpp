// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// send_plan(), compared with a slow implementation (the twin) that follows order.hpp literally:
// every phase with its writes in their order, its drains, the method and the reason must be equal.
// For proofs the twin uses judge() and slow_twin::loss(), which are compared elsewhere.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "plugin/transition/lft_independent_deadlock_check.hpp"
#include "plugin/transition/losses.hpp"
#include "plugin/transition/safety.hpp"
#include "tests/support/random_fabric.hpp"
#include "tests/unit/transition/arbitrary.hpp"
#include "tests/unit/transition/plans.hpp"
#include "tests/unit/transition/slow_twin.hpp"

namespace {

using namespace selvedge;
using Kind = SendPhase::Kind;
using Method = SendPlan::Method;

class PlanTwin {
 public:
  PlanTwin(const Fabric& fabric, const Tables& from, const Delta& delta,
           const OrderRequest& request)
      : fabric_(fabric),
        from_(from),
        given_(delta),
        delta_(delta),
        request_(request),
        after_(from.sl2vl) {
    if (request.groups_later) delta_.mft.clear();
    const auto failed = [&](const auto& c) { return fabric.node(c.at).failed; };
    std::erase_if(delta_.lft, failed);
    std::erase_if(delta_.sl2vl, failed);
    std::erase_if(delta_.mft, failed);
    for (const LftChange& c : delta_.lft) dlids_.insert(c.dlid);
    for (const Sl2VlChange& c : delta_.sl2vl) after_.set(c.at, c.in, c.out, c.after);
    for (unsigned sl = 0; sl < kSls; ++sl)
      hosts_[sl] = std::min(delta.host_sl2vl_before[sl], delta.host_sl2vl_after[sl]);
    for (SwitchId s = 0; s < fabric.num_switches(); ++s) hops_[s] = request.near.empty() ? 0 : kFar;
    for (const SwitchId s : request.near) hops_[s] = 0;
    for (std::uint32_t loop_switch = 0; loop_switch < fabric.num_switches(); ++loop_switch)
      for (const Channel c : fabric.links())
        for (const Channel way : {c, fabric.peer(c)})
          if (hops_[fabric.switch_of(way)] != kFar)
            hops_[fabric.target(way)] =
                std::min(hops_[fabric.target(way)], hops_[fabric.switch_of(way)] + 1);
  }

  SendPlan make() {
    SendPlan plan = make_unpaused();
    const bool open =
        plan.method == Method::kWindow || (plan.method == Method::kNothing && !proved(plan));
    if (!open || request_.method || !request_.may_drain || !request_.may_pause_groups) return plan;
    return make_paused().value_or(plan);
  }

 private:
  /// Whether a packet of a group that leaves by the port goes to a host or to the switch itself.
  bool to_member(SwitchId s, unsigned port) const {
    return port == 0 || std::ranges::any_of(fabric_.hosts_at(s),
                                            [&](HostId h) { return fabric_.host(h).port == port; });
  }
  /// Whether a group keeps a port while groups pause.
  bool stays(SwitchId s, unsigned port, bool in_new_tree) const {
    if (to_member(s, port)) return in_new_tree || request_.groups_later;
    return in_new_tree && std::ranges::none_of(given_.sl2vl, [&](const Sl2VlChange& c) {
             return c.at == s && c.out == port;
           });
  }
  std::optional<SendPlan> make_paused() const {
    SendPhase pause{.kind = Kind::kRemoveGroupPorts};
    Tables to = from_;
    slow_twin::apply(to, {.mft = given_.mft});
    std::size_t lost = 0;
    for (const auto& [mlid, tree] : from_.mft)
      for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
        if (fabric_.node(s).failed) continue;
        PortSet kept;
        for (unsigned p = 0; p < tree[s].size(); ++p)
          kept[p] = tree[s][p] && stays(s, p, to.mft.at(mlid)[s][p]);
        lost += tree[s].count() - kept.count();
        if (kept != tree[s]) pause.mft.push_back({mlid, s, tree[s], kept});
      }
    if (pause.mft.empty() && request_.clear_at_rows) return std::nullopt;
    nearest_first(pause.mft);
    Tables paused = from_;
    slow_twin::apply(paused, pause);
    Delta rest = given_;
    rest.mft = difference(paused, to).mft;
    OrderRequest request = request_;
    request.clear_at_rows = true;
    SendPlan plan = PlanTwin(fabric_, paused, rest, request).make_unpaused();
    if (plan.method == Method::kWindow ||
        !prove_safety(fabric_, from_, {Method::kNothing, "", {pause}}).deadlock_free)
      return std::nullopt;
    if (pause.mft.empty()) return plan;
    plan.why += fmt::format("; groups pause: they lose {} ports while paths change", lost);
    plan.groups_pause = true;
    plan.phases.insert(plan.phases.begin(), pause);
    if (plan.phases.size() > 1 && (plan.phases[1].kind != Kind::kClear || !proved(plan)))
      plan.phases[1].drain_first = true;
    return plan;
  }

  SendPlan make_unpaused() const {
    if (delta_.empty()) return {Method::kNothing, "the tables are equal", {}};
    if (request_.method) {
      SendPlan plan = plan_with(*request_.method);
      plan.why = "asked for";
      return plan;
    }
    const bool no_sls = delta_.sl.empty();
    if (request_.lossless && request_.may_drain && no_sls)
      for (const bool in_groups : {false, true}) {
        const SendPlan plan = lossless(in_groups);
        if (proved(plan) && losses(fabric_, from_, plan).none())
          return because(plan, "no packet in flight loses its route");
      }
    if (any_lfts({&after_})) {
      SendPlan plan = plan_without_drain(Method::kGuarded);
      if (delta_.sl2vl.empty() || any_lfts({&from_.sl2vl, &after_}))
        return because(plan, "with these SL2VL tables no mixture of LFTs can deadlock");
      if (proved(plan))
        return because(plan,
                       "with these SL2VL tables no mixture of LFTs can deadlock; packets in newly "
                       "forbidden turns close no cycle with the others");
      for (std::size_t p = 0; request_.may_drain && p < plan.phases.size(); ++p) {
        if (plan.phases[p].kind != Kind::kPermit && plan.phases[p].kind != Kind::kInstall) continue;
        SendPlan drained = plan;
        drained.phases[p].drain_first = true;
        if (proved(drained))
          return because(
              drained,
              "with these SL2VL tables no mixture of LFTs can deadlock once packets in newly "
              "forbidden turns have drained");
      }
    }
    if (no_sls) {
      if (const SendPlan plan = plan_without_drain(Method::kMixed); proved(plan))
        return because(plan, "no mixture of these old and new paths has a cycle");
      if (const SendPlan plan = downstream(); proved(plan))
        return because(plan,
                       "old and new paths may close a cycle, but not if each DLID is written "
                       "from its destination outwards");
    }
    if (request_.may_drain) {
      if (const auto plan = try_cleared()) return *plan;
      if (const SendPlan plan = cleared(dlids_, false, 2, true);
          request_.clear_at_rows && !delta_.sl2vl.empty() && proved(plan))
        return because(
            plan, fmt::format("old and new paths may close a cycle, also of DLIDs that keep their "
                              "entries: all paths over the {} SL2VL rows that change have no route "
                              "until packets have drained",
                              delta_.sl2vl.size()));
    }
    return because(
        plan_without_drain(Method::kWindow),
        "no order is proved: head-of-queue lifetime must break deadlocks until the last write is "
        "acknowledged");
  }

  static constexpr std::uint32_t kFar = UINT32_MAX;

  SendPlan plan_with(Method method) const {
    switch (method) {
      case Method::kCleared:
        return cleared(dlids_, false, 2);
      case Method::kLossless:
        return lossless(true);
      case Method::kDownstream:
        return downstream();
      default:
        return plan_without_drain(method);
    }
  }
  static SendPlan because(SendPlan plan, std::string why) {
    plan.why = std::move(why);
    return plan;
  }
  bool proved(SendPlan plan) const {
    if (request_.groups_later &&
        !given_.mft.empty()) {  // the subnet manager's writes of groups follow
      Tables now = from_, to = from_;
      for (const SendPhase& phase : plan.phases) slow_twin::apply(now, phase);
      slow_twin::apply(to, {.mft = given_.mft});
      SendPhase both{.kind = Kind::kAddGroupPorts};
      for (const auto& [mlid, tree] : to.mft)
        for (SwitchId s = 0; s < tree.size(); ++s) {
          now.mft[mlid].resize(tree.size());
          const PortSet before = now.mft[mlid][s];
          both.mft.push_back({mlid, s, before, before | tree[s]});
        }
      plan.phases.push_back(both);
    }
    return prove_safety(fabric_, from_, plan).deadlock_free;
  }
  bool any_lfts(const std::vector<const Sl2Vl*>& rows) const {
    return !lft_independent_cycle(fabric_, rows, hosts_);
  }

  template <class Change>
  void nearest_first(std::vector<Change>& changes) const {
    std::ranges::stable_sort(changes, [&](const Change& a, const Change& b) {
      return std::pair(hops_.at(a.at), a.at) < std::pair(hops_.at(b.at), b.at);
    });
  }

  void add_groups(SendPlan& plan, bool gain) const {
    SendPhase phase{.kind = gain ? Kind::kAddGroupPorts : Kind::kRemoveGroupPorts};
    std::set<Lid> losing, gaining;
    for (const MftChange& c : delta_.mft) {
      const PortSet both = c.before & c.after;
      if (both != c.before) losing.insert(c.mlid);
      if (both != c.after) gaining.insert(c.mlid);
      if (!gain && both != c.before) phase.mft.push_back({c.mlid, c.at, c.before, both});
      if (gain && both != c.after) phase.mft.push_back({c.mlid, c.at, both, c.after});
    }
    nearest_first(phase.mft);
    const bool turned =
        std::ranges::any_of(losing, [&](Lid mlid) { return gaining.contains(mlid); });
    phase.drain_first = gain && turned && request_.may_drain && plan.method != Method::kGuarded;
    if (!phase.mft.empty()) plan.phases.push_back(phase);
  }
  void add_rows(SendPlan& plan) const {
    SendPhase forbid{.kind = Kind::kForbid}, permit{.kind = Kind::kPermit};
    for (const Sl2VlChange& c : delta_.sl2vl) {
      Sl2VlRow between = c.before;
      for (unsigned sl = 0; sl < kSls; ++sl)
        if (c.after[sl] != c.before[sl]) between[sl] = kDropVl;
      if (between != c.before) forbid.sl2vl.push_back({c.at, c.in, c.out, c.before, between});
      if (between != c.after) permit.sl2vl.push_back({c.at, c.in, c.out, between, c.after});
    }
    if (delta_.host_sl2vl_before != delta_.host_sl2vl_after)
      permit.host_sl2vl = delta_.host_sl2vl_after;
    add_phase(plan, forbid);
    add_phase(plan, permit);
  }
  void add_phase(SendPlan& plan, SendPhase phase) const {
    nearest_first(phase.sl2vl);
    if (!phase.sl2vl.empty() || phase.host_sl2vl) plan.phases.push_back(phase);
  }
  void add_lft(SendPlan& plan, Kind kind, std::vector<LftChange> changes,
               bool drain = false) const {
    if (changes.empty()) return;
    std::ranges::sort(changes, [&](const LftChange& a, const LftChange& b) {
      return std::tuple(hops_.at(a.at), a.at, a.dlid) < std::tuple(hops_.at(b.at), b.at, b.dlid);
    });
    SendPhase phase{.kind = kind, .drain_first = drain, .lft = changes};
    std::map<std::tuple<std::uint32_t, SwitchId, unsigned>, std::uint32_t> blocks;
    for (const LftChange& c : changes) ++blocks[{hops_.at(c.at), c.at, c.dlid / 64u}];
    std::uint32_t first = 0;
    for (const auto& [place, count] : blocks) {
      phase.blocks.push_back(
          {std::get<1>(place), static_cast<std::uint16_t>(std::get<2>(place)), first, count});
      first += count;
    }
    plan.phases.push_back(phase);
  }
  void add_sls(SendPlan& plan) const {
    if (!delta_.sl.empty()) plan.phases.push_back({.kind = Kind::kAnnounceSls, .sl = delta_.sl});
  }

  SendPlan plan_without_drain(Method method) const {
    SendPlan plan{method, "", {}};
    add_groups(plan, false);
    add_rows(plan);
    add_lft(plan, Kind::kInstall, delta_.lft);
    add_groups(plan, true);
    add_sls(plan);
    return plan;
  }

  SendPlan downstream() const {
    SendPlan plan{Method::kDownstream, "", {}};
    add_groups(plan, false);
    add_rows(plan);
    Tables to = from_;
    for (const LftChange& c : delta_.lft) to.set_next(c.at, c.dlid, c.after);
    // Index: number of changed entries further on.
    std::map<std::size_t, std::vector<LftChange>> layers;
    for (const LftChange& c : delta_.lft) {
      std::size_t met = 0;
      SwitchId at = c.at;
      for (std::uint32_t step = 1; step < fabric_.num_switches(); ++step) {
        const PortNum port = to.next(at, c.dlid);
        if (port > fabric_.node(at).ports) break;
        const Channel out = fabric_.channel(at, port);
        if (!fabric_.between_switches(out)) break;
        at = fabric_.target(out);
        met += to.next(at, c.dlid) != from_.next(at, c.dlid);
      }
      layers[met].push_back(c);
    }
    for (const auto& [met, layer] : layers) add_lft(plan, Kind::kInstall, layer);
    add_groups(plan, true);
    add_sls(plan);
    return plan;
  }

  SendPlan cleared(const std::set<Lid>& dlids, bool rows_first, unsigned drains,
                   bool all_at_rows = false) const {
    std::vector<LftChange> clear, easy, install;
    std::set<std::pair<SwitchId, Lid>> out;
    for (const LftChange& c : delta_.lft) {
      if (!dlids.contains(c.dlid)) {
        easy.push_back(c);
        continue;
      }
      if (c.before != kNoPort) {
        clear.push_back({c.at, c.dlid, c.before, kNoPort});
        out.emplace(c.at, c.dlid);
      }
      if (c.after != kNoPort) install.push_back({c.at, c.dlid, kNoPort, c.after});
    }
    const auto hold = [&](SwitchId s, Lid dlid) {
      const PortNum next = from_.next(s, dlid);
      if (next == kNoPort || fabric_.node(s).failed || out.contains({s, dlid})) return;
      out.emplace(s, dlid);
      clear.push_back({s, dlid, next, kNoPort});
      install.push_back({s, dlid, kNoPort, next});
    };
    for (const SlChange& c : delta_.sl) hold(c.source, c.dlid);
    for (const Sl2VlChange& c : delta_.sl2vl)
      for (unsigned lid = 1; lid <= from_.top_lid(); ++lid)
        if (const auto dlid = static_cast<Lid>(lid);
            !rows_first && (all_at_rows || dlids.contains(dlid)) && from_.next(c.at, dlid) == c.out)
          hold(c.at, dlid);
    SendPlan plan{Method::kCleared, "", {}};
    add_groups(plan, false);
    if (rows_first) add_rows(plan);
    add_lft(plan, Kind::kClear, clear);
    add_lft(plan, Kind::kInstall, easy);
    std::size_t first = plan.phases.size();
    if (!rows_first) add_rows(plan);
    add_sls(plan);
    if (plan.phases.size() > first) plan.phases[first].drain_first = true;
    const bool drained = plan.phases.size() > first && (delta_.sl.empty() || drains == 1);
    first = plan.phases.size();
    add_lft(plan, Kind::kInstall, install, !drained);
    add_groups(plan, true);
    return plan;
  }

  std::optional<SendPlan> try_cleared() const {
    std::set<Lid> excluded;
    for (const SlChange& c : delta_.sl)
      if (dlids_.contains(c.dlid)) excluded.insert(c.dlid);
    SendPlan changes = plan_without_drain(Method::kNothing);
    std::erase_if(changes.phases, [](const SendPhase& p) {
      return p.kind == Kind::kAddGroupPorts || p.kind == Kind::kAnnounceSls;
    });
    const auto apart = unmixable_dlids(from_, changes, excluded);
    std::set<Lid> out = apart.value_or(dlids_);
    SendPlan plan = cleared(out, apart.has_value(), apart ? 1 : 2);
    if (!proved(plan) && apart) plan = cleared(out, true, 2);
    if (!proved(plan)) {
      if (!apart) return std::nullopt;
      out = dlids_;
      plan = cleared(out, false, 2);
      if (!proved(plan)) return std::nullopt;
    }
    return because(
        plan, fmt::format("old and new paths may close a cycle: {} of {} changing DLIDs have no "
                          "route until the others' packets have drained",
                          out.size(), dlids_.size()));
  }

  /// Tries the DLIDs of a plan (one drain interval) in turn, and returns those whose new paths
  /// close a cycle with all old paths and the new paths of the DLIDs accepted before. Nothing if
  /// the old paths and the plan's SL2VL writes have a cycle already.
  std::optional<std::set<Lid>> unmixable_dlids(const Tables& from, const SendPlan& plan,
                                               const std::set<Lid>& excluded) const {
    std::set<Lid> mixed, all, apart = excluded;
    const auto free = [&] {
      SendPlan part = plan;
      for (SendPhase& phase : part.phases) {
        std::erase_if(phase.lft, [&](const LftChange& c) { return !mixed.contains(c.dlid); });
        phase.blocks.clear();
      }
      return prove_safety(fabric_, from, part).deadlock_free;
    };
    for (const SendPhase& phase : plan.phases)
      for (const LftChange& c : phase.lft) all.insert(c.dlid);
    if (!free()) return std::nullopt;
    for (const Lid dlid : all) {
      if (excluded.contains(dlid)) continue;
      mixed.insert(dlid);
      if (free()) continue;
      mixed.erase(dlid);
      apart.insert(dlid);
    }
    return apart;
  }

  SendPlan lossless(bool in_groups) const {
    SendPlan plan{Method::kLossless, "", {}};
    add_groups(plan, false);
    SendPhase permit{.kind = Kind::kPermit}, forbid{.kind = Kind::kForbid, .drain_first = true};
    Tables now = from_, to = from_;
    for (const LftChange& c : delta_.lft) to.set_next(c.at, c.dlid, c.after);
    to.sl2vl = after_;
    for (const Sl2VlChange& c : delta_.sl2vl) {
      Sl2VlRow open = c.after;  // permits what the old row or the new row permits
      for (unsigned sl = 0; sl < kSls; ++sl)
        if (open[sl] == kDropVl) open[sl] = c.before[sl];
      if (open != c.before) permit.sl2vl.push_back({c.at, c.in, c.out, c.before, open});
      if (open != c.after) forbid.sl2vl.push_back({c.at, c.in, c.out, open, c.after});
      now.sl2vl.set(c.at, c.in, c.out, open);
    }
    now.host_sl2vl = to.host_sl2vl = delta_.host_sl2vl_after;
    if (delta_.host_sl2vl_before != delta_.host_sl2vl_after)
      permit.host_sl2vl = delta_.host_sl2vl_after;
    add_phase(plan, permit);
    bool drain = false;
    for (std::vector<LftChange> rest = delta_.lft; !rest.empty();) {
      std::vector<LftChange> first = rest, later;
      if (in_groups) {
        const auto apart = unmixable_dlids(now, {Method::kLossless, "", {{.lft = rest}}}, {});
        const auto hosts_wait = [&](const LftChange& c) {
          return apart && apart->contains(c.dlid);
        };
        std::ranges::copy_if(rest, std::back_inserter(later), hosts_wait);
        std::erase_if(first, hosts_wait);
        if (first.empty()) std::swap(first, later);
      }
      for (const auto& loop_switch : rounds(now, to, first)) {
        add_lft(plan, Kind::kInstall, loop_switch, drain);
        drain = true;
      }
      for (const LftChange& c : first) now.set_next(c.at, c.dlid, c.after);
      rest = later;
    }
    add_phase(plan, forbid);
    add_groups(plan, true);
    add_sls(plan);
    return plan;
  }

  /// The rounds for a lossless change, DLID by DLID: each round takes, in order, the changes after
  /// which no packet can be lost.
  std::vector<std::vector<LftChange>> rounds(const Tables& now, const Tables& to,
                                             const std::vector<LftChange>& changes) const {
    std::map<Lid, std::vector<LftChange>> by_dlid;
    for (const LftChange& c : changes) by_dlid[c.dlid].push_back(c);
    std::vector<std::vector<LftChange>> rounds;
    for (auto& [dlid, rest] : by_dlid) {
      Tables present = now;
      for (std::size_t n = 0; !rest.empty(); ++n) {
        SendPhase loop_switch;
        std::vector<LftChange> later;
        for (const LftChange& c : rest) {
          loop_switch.lft.push_back(c);
          if (!slow_twin::loss(fabric_, now, to, present, {Method::kNothing, "", {loop_switch}},
                               dlid))
            continue;
          loop_switch.lft.pop_back();
          later.push_back(c);
        }
        if (loop_switch.lft.empty()) std::swap(loop_switch.lft, later);
        if (rounds.size() == n) rounds.emplace_back();
        rounds[n].insert(rounds[n].end(), loop_switch.lft.begin(), loop_switch.lft.end());
        slow_twin::apply(present, loop_switch);
        rest = later;
      }
    }
    return rounds;
  }

  const Fabric& fabric_;
  const Tables& from_;
  const Delta& given_;
  Delta delta_;
  const OrderRequest& request_;
  Sl2Vl after_;
  Sl2VlRow hosts_{};  // VL 15 for SLs that hosts drop before and after
  std::set<Lid> dlids_;
  std::map<SwitchId, std::uint32_t> hops_;
};

void expect_equal(const SendPlan& plan, const SendPlan& slow) {
  RC_ASSERT(name_of(plan.method) == name_of(slow.method));
  RC_ASSERT(plan.why == slow.why);
  RC_ASSERT(plan.groups_pause == slow.groups_pause);
  RC_ASSERT(plan.phases.size() == slow.phases.size());
  std::size_t writes = 0;
  for (std::size_t p = 0; p < plan.phases.size(); ++p) {
    const SendPhase &a = plan.phases[p], &b = slow.phases[p];
    RC_ASSERT(name_of(a.kind) == name_of(b.kind));
    RC_ASSERT(a.drain_first == b.drain_first);
    RC_ASSERT(a.sl2vl == b.sl2vl);
    RC_ASSERT(a.blocks == b.blocks);
    RC_ASSERT(a.lft == b.lft);
    RC_ASSERT(a.mft == b.mft);
    RC_ASSERT(a.sl == b.sl);
    RC_ASSERT(a.host_sl2vl == b.host_sl2vl);
    writes += b.sl2vl.size() + b.blocks.size() + b.mft.size();
  }
  RC_ASSERT(plan.writes() == writes);
}

constexpr Method kMethods[] = {Method::kGuarded, Method::kMixed,    Method::kDownstream,
                               Method::kCleared, Method::kLossless, Method::kWindow};

void compare(const Fabric& fabric, const Tables& from, const Delta& delta, OrderRequest request) {
  const SendPlan plan = send_plan(fabric, from, delta, request);
  RC_TAG(std::string(name_of(plan.method)) + (plan.groups_pause ? ", groups pause" : ""));
  expect_equal(plan, PlanTwin(fabric, from, delta, request).make());
  if (plan.method != Method::kWindow) RC_ASSERT(prove_safety(fabric, from, plan).deadlock_free);
  for (const Method method : kMethods) {
    request.method = method;
    expect_equal(send_plan(fabric, from, delta, request),
                 PlanTwin(fabric, from, delta, request).make());
  }
}

/// Changes after a fault: repaired or routed anew, with a guard or without, after a failure or for
/// a drain of working links.
RC_GTEST_PROP(PlanTwin, OrdersWhatRepairsAndEnginesMake, ()) {
  const Fabric whole =
      *rc::gen::resize(100, test::irregular_fabric({.parallel = true, .pieces = false}, 7));
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  const test::Before before(whole, random.chance(60) ? "updn" : "tftr");
  Fault fault;
  if (!whole.links().empty())
    fault.links.push_back(whole.links()[random.below(whole.links().size())]);
  if (random.chance(20))
    fault.switches.push_back(static_cast<SwitchId>(random.below(whole.num_switches())));
  const bool guard = random.chance(60);
  test::Change change =
      random.chance(50) ? before.repaired(fault, guard) : before.rerouted(fault, "updn", guard);
  if (random.chance(30)) change.request.near.clear();
  change.request.may_drain = random.chance(70);
  change.request.lossless = random.chance(50);
  const Delta delta = change.delta();
  compare(random.chance(40) ? whole : change.fabric, change.from, delta, change.request);
}

/// A change from arbitrary tables to arbitrary tables.
void order_any_change(const Fabric& whole, std::uint64_t seed) {
  StableRandom random(seed);
  test::Arbitrary draw(whole, random.next(), random.chance(40) ? 1 : 3,
                       1 + static_cast<unsigned>(random.below(3)));
  const auto few = random.chance(60) ? 0 : static_cast<unsigned>(random.below(30));
  Tables from = draw.changed(find_engine("updn").compute(whole, {}).tables, few / 5, few, few);
  Tables to = draw.changed(from, static_cast<unsigned>(random.below(30)),
                           random.chance(60) ? 0 : static_cast<unsigned>(random.below(20)),
                           random.chance(60) ? 0 : static_cast<unsigned>(random.below(20)));
  if (random.chance(40)) {
    from.mft = draw.groups();
    to.mft = random.chance(50) ? draw.groups() : from.mft;
  }
  if (random.chance(30)) to.host_sl2vl = draw.hosts();
  if (random.chance(10)) to = from;
  OrderRequest request;
  for (SwitchId s = 0; s < whole.num_switches(); ++s)
    if (random.chance(20)) request.near.push_back(s);
  request.may_drain = random.chance(80);
  request.clear_at_rows = random.chance(50);
  request.groups_later = random.chance(50);
  request.may_pause_groups = random.chance(80);
  request.lossless = random.chance(50);
  Fault fault;
  if (random.chance(20))
    fault.switches.push_back(static_cast<SwitchId>(random.below(whole.num_switches())));
  compare(without(whole, fault), from, difference(from, to), request);
}

RC_GTEST_PROP(PlanTwin, OrdersAnyChange, ()) {
  const Fabric whole = *rc::gen::resize(100, test::irregular_fabric({}, 6));
  const std::uint64_t seed = *rc::gen::arbitrary<std::uint64_t>();
  for (unsigned i = 0; i < 4; ++i) order_any_change(whole, seed + i);
}

/// The rows with VL 0 for VL 1 and 1 for 0. Dependencies are those of before, on other VLs; but a
/// packet that meets old and new rows may close a cycle.
Sl2Vl with_vls_swapped(const Fabric& fabric, const Sl2Vl& rows) {
  Sl2Vl swapped = rows;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (unsigned in = 0; in <= fabric.node(s).ports; ++in)
      for (unsigned out = 0; out <= fabric.node(s).ports; ++out) {
        Sl2VlRow row = rows.row(s, static_cast<PortNum>(in), static_cast<PortNum>(out));
        for (Vl& vl : row) vl = static_cast<Vl>(vl < 2 ? 1 - vl : vl);
        swapped.set(s, static_cast<PortNum>(in), static_cast<PortNum>(out), row);
      }
  return swapped;
}

/// Paths on several VLs, whose SLs change too, without a guard. Old and new paths often close a
/// cycle together, so that the entries of some DLIDs are cleared first.
RC_GTEST_PROP(PlanTwin, OrdersPathsOnSeveralVls, ()) {
  const Fabric whole =
      *rc::gen::resize(100, test::irregular_fabric({.parallel = true, .pieces = false}, 7));
  RC_PRE(!whole.links().empty());
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  test::Arbitrary draw(whole, random.next(), 2, 2);
  Tables from = find_engine("tftr").compute(whole, {}).tables;
  for (unsigned tries = 0; tries < 6; ++tries) {
    // Some DLIDs get new paths, by another engine or at random, some of them on another SL.
    Tables to = from;
    EngineRequest asked;
    asked.tree = EngineRequest::Tree::kBfs;
    asked.root = static_cast<SwitchId>(random.below(whole.num_switches()));
    const Tables other =
        find_engine(random.chance(50) ? "spf" : "updn").compute(whole, asked).tables;
    for (unsigned i = 1; i <= from.top_lid(); ++i) {
      const auto lid = static_cast<Lid>(i);
      const bool rebuild_tree = random.chance(40), other_sl = tries % 2 == 1 && random.chance(20);
      for (SwitchId s = 0; s < whole.num_switches(); ++s) {
        if (rebuild_tree) to.set_next(s, lid, other.next(s, lid));
        if (other_sl) to.set_sl(s, lid, draw.sl());
      }
    }
    OrderRequest request;
    if (tries > 3) to.sl2vl = with_vls_swapped(whole, from.sl2vl);
    request.near = {0};
    request.lossless = random.chance(20);
    request.clear_at_rows = random.chance(70);
    const Delta delta = difference(from, to);
    const SendPlan plan = send_plan(whole, from, delta, request);
    const bool at_rows = plan.why.find("SL2VL rows that change") != std::string::npos;
    RC_TAG(std::string(name_of(plan.method)) + (at_rows ? ", at rows" : ""));
    if (at_rows) RC_ASSERT(prove_safety(whole, from, plan).deadlock_free);
    expect_equal(plan, PlanTwin(whole, from, delta, request).make());
  }
}

RC_GTEST_PROP(PlanTwin, FaultsAreSeenByTheSwitchesNextToThem, ()) {
  const Fabric whole = *test::any_fabric();
  StableRandom random(*rc::gen::arbitrary<std::uint64_t>());
  Fault fault;
  for (Channel c = 0; c < whole.num_channels(); ++c)
    if (random.chance(3)) fault.links.push_back(c);
  for (SwitchId s = 0; s < whole.num_switches(); ++s)
    if (random.chance(10)) fault.switches.push_back(s);
  std::vector<SwitchId> ends;
  const auto listed = [](const auto& list, auto what) {
    return std::ranges::find(list, what) != list.end();
  };
  for (SwitchId s = 0; s < whole.num_switches(); ++s) {
    bool next_to = false;
    for (unsigned p = 0; p <= whole.node(s).ports; ++p) {
      const Channel c = whole.channel(s, static_cast<PortNum>(p)), peer = whole.peer(c);
      next_to |= listed(fault.links, c);
      if (peer == kNoChannel) continue;
      next_to |= listed(fault.links, peer);
      if (whole.from_switch(peer)) next_to |= listed(fault.switches, whole.switch_of(peer));
    }
    if (next_to) ends.push_back(s);
  }
  RC_ASSERT(switches_at_fault(whole, fault) == ends);
}

}  // namespace
