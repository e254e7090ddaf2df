// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/up_down_repair.hpp"

#include <algorithm>

namespace selvedge {
namespace {

constexpr unsigned kRandomFlips = 30;      // how many random choices of cables to reverse are tried
constexpr std::uint64_t kSeed = 20061121;  // of the random choices, so that repairs can be repeated

/// Empty tables whose SL2VL tables map all SLs to VL 0. The multicast tree is planned with these,
/// although some turns may be mapped to VL 15: permit_turns() opens the turns that the tree uses.
Tables plain(const Fabric& fabric) {
  Tables tables;
  tables.sl2vl = Sl2Vl(fabric);
  return tables;
}

/// Whether the tables use only SL 0, and VL 0 or 15 at every turn.
bool on_one_vl(const Tables& tables) {
  if (!tables.one_sl()) return false;
  return tables.host_sl2vl[0] == 0 && std::ranges::all_of(tables.sl2vl.rows(), [](const auto& row) {
           return row[0] == 0 || row[0] == kDropVl;
         });
}

}  // namespace

std::unique_ptr<UpDownRepair> UpDownRepair::make(const Fabric& whole, const Tables& tables,
                                                 const std::optional<ParentChannels>& tree) {
  if (!on_one_vl(tables)) return nullptr;
  std::unique_ptr<UpDownRepair> repair(new UpDownRepair(whole, tables, tree));
  if (!repair->routes_.acyclic()) return nullptr;
  auto found = UpDirections::find(repair->routes_, repair->tree_.parents());
  if (!found) return nullptr;
  repair->directions_ = repair->first_directions_ = std::move(*found);
  repair->rank_legal_turns();
  repair->tree_.confirm(whole, repair->directions_.bits());
  repair->reattach_.set_directions(repair->directions_.bits());
  return repair;
}

UpDownRepair::UpDownRepair(const Fabric& whole, const Tables& tables,
                           const std::optional<ParentChannels>& tree)
    : routes_(whole, tables),
      tree_(routes_.dependencies(), whole, plain(whole), tree),
      damaged_(whole),
      reattach_(routes_, damaged_.alive()),
      drops_(std::ranges::any_of(tables.sl2vl.rows(),
                                 [](const auto& row) { return row[0] == kDropVl; })),
      rows_(plain(whole)),
      stamp_(whole.num_switches(), 0) {}

/// Sets broken_entries_ to the entries by which routes turn from a down channel into an up channel.
void UpDownRepair::find_forbidden_turns() {
  broken_entries_.clear();
  for (SwitchId s = 0; s < damaged_.fabric().num_switches(); ++s)
    for (const AdjacentLink& in : routes_.links(s)) {
      if (directions_.up(in.in)) continue;
      for (const AdjacentLink& out : routes_.links(s)) {
        if (!directions_.up(out.out) || routes_.turns(in.in, out.out) == 0) continue;
        const auto from = routes_.tables().lft(in.to), here = routes_.tables().lft(s);
        for (std::size_t lid = 1; lid < here.size(); ++lid)
          if (from[lid] == in.back && here[lid] == out.port)
            broken_entries_.push_back({static_cast<Lid>(lid), in.to});
      }
    }
  std::ranges::sort(broken_entries_);
  const auto again = std::ranges::unique(broken_entries_);
  broken_entries_.erase(again.begin(), again.end());
}

/// Appends to orphans_ the switches whose path to the LID leads through one of orphans_[first] and
/// later ones. Those in this part are stamped with stamp_now_.
void UpDownRepair::add_senders(Lid lid, std::size_t first, Orphans which) {
  for (std::size_t k = first; k < orphans_.size(); ++k)
    for (const AdjacentLink& link : routes_.links(orphans_[k]))
      if (routes_.next(link.to, lid) == link.back && stamp_[link.to] != stamp_now_ &&
          (which == Orphans::kAll || !directions_.up(link.in)) && damaged_.alive()[link.in]) {
        stamp_[link.to] = stamp_now_;
        orphans_.push_back(link.to);
      }
}

std::vector<UpDownRepair::BrokenLid> UpDownRepair::collect_orphans(Orphans which) {
  std::vector<BrokenLid> broken_lids;
  orphans_.clear();
  for (std::size_t i = 0; i < broken_entries_.size();) {
    const Lid lid = broken_entries_[i].lid;
    const std::size_t first = orphans_.size();
    ++stamp_now_;
    for (; i < broken_entries_.size() && broken_entries_[i].lid == lid; ++i) {
      const SwitchId s = broken_entries_[i].at;
      if (stamp_[s] == stamp_now_ || routes_.destination_switch(lid) == s) continue;
      stamp_[s] = stamp_now_;
      orphans_.push_back(s);
    }
    add_senders(lid, first, which);
    if (orphans_.size() > first)
      broken_lids.push_back({lid, static_cast<std::uint32_t>(first),
                             static_cast<std::uint32_t>(orphans_.size() - first)});
  }
  return broken_lids;
}

/// Copies the switches of `broken` to the end of orphans_, where others can be added.
void UpDownRepair::copy_orphans(const BrokenLid& broken) {
  ++stamp_now_;
  for (std::size_t i = 0; i < broken.count; ++i) {
    orphans_.push_back(orphans_[broken.first + i]);
    stamp_[orphans_.back()] = stamp_now_;
  }
}

/// To be called if reattach_locally() failed. Some orphan (switch with a broken path) may have
/// found no next hop because the paths of the switches above lead to orphans. Gives these switches
/// new next hops too. Returns false, with nothing changed, if that does not help.
bool UpDownRepair::reattach_with_blocking(const BrokenLid& broken) {
  const std::size_t end = orphans_.size();
  copy_orphans(broken);
  bool attached = false;
  for (bool more = true; more && !attached;) {
    blocking_.clear();
    reattach_.list_blocking(std::span<const SwitchId>(orphans_).subspan(end), blocking_);
    const std::size_t first = orphans_.size();
    for (const SwitchId s : blocking_) {
      if (stamp_[s] == stamp_now_) continue;
      stamp_[s] = stamp_now_;
      orphans_.push_back(s);
    }
    more = orphans_.size() > first;
    add_senders(broken.lid, first, Orphans::kFromAbove);
    attached = more && reattach_.reattach_locally(
                           broken.lid, std::span<const SwitchId>(orphans_).subspan(end), false);
  }
  orphans_.resize(end);
  return attached;
}

/// To be called if reattach_locally() and reattach_with_blocking() failed. Gives new next hops to
/// all switches whose path broke and, if that is not enough, to switches with unbroken paths.
/// Returns the number of switches with hosts left without a path.
std::size_t UpDownRepair::reattach_widely(const BrokenLid& broken, Orphans which) {
  const std::size_t end = orphans_.size();
  if (which != Orphans::kAll) {
    copy_orphans(broken);
    add_senders(broken.lid, end, Orphans::kAll);
  }
  const std::span<const SwitchId> orphans =
      which == Orphans::kAll
          ? std::span<const SwitchId>(orphans_).subspan(broken.first, broken.count)
          : std::span<const SwitchId>(orphans_).subspan(end);
  std::size_t left_out = reattach_.reattach(broken.lid, orphans);
  if (left_out > 0) {
    left_out = reattach_.reattach_all(
        broken.lid, orphans, damaged_.component(damaged_.fabric().destination_switch(broken.lid)));
    moved_unbroken_ = true;
  }
  orphans_.resize(end);
  return left_out;
}

/// Whether some switch's LFT entry for the LID leads down to a switch that needs a new path.
/// collect_orphans() has listed such switches too, but cables may have been reversed since.
bool UpDownRepair::sent_from_above(const BrokenLid& broken) const {
  const std::span<const SwitchId> orphans(orphans_.data() + broken.first, broken.count);
  return std::ranges::any_of(orphans, [&](SwitchId s) {
    return std::ranges::any_of(routes_.links(s), [&](const AdjacentLink& link) {
      return routes_.next(link.to, broken.lid) == link.back && !directions_.up(link.in) &&
             damaged_.alive()[link.in];
    });
  });
}

/// Gives the switches of all broken LIDs new next hops. Returns how many (switch with hosts, LID)
/// are left without a path.
std::uint64_t UpDownRepair::reattach(const std::vector<BrokenLid>& broken_lids, Orphans which,
                                     Missing then) {
  if (directions_stale_) reattach_.set_directions(directions_.bits());
  directions_stale_ = false;
  std::uint64_t missing = 0;
  const auto enough = [&] { return missing > 0 && then == Missing::kStop; };
  // LIDs of switches come last: a path to a switch is never counted as missing.
  std::vector<BrokenLid> switches;
  for (const BrokenLid& broken : broken_lids) {
    const std::span<const SwitchId> orphans(orphans_.data() + broken.first, broken.count);
    const bool simple = directions_hold_ && !(flipped_ && sent_from_above(broken));
    if (which == Orphans::kFromAbove && (reattach_.reattach_locally(broken.lid, orphans, simple) ||
                                         (flipped_ && reattach_with_blocking(broken))))
      continue;
    if (damaged_.fabric().owner(broken.lid).kind == LidOwner::Kind::kSwitch)
      switches.push_back(broken);
    else
      missing += reattach_widely(broken, which);
    if (enough()) return missing;
  }
  for (const BrokenLid& broken : switches) missing += reattach_widely(broken, which);
  return missing;
}

/// Cuts routes to unreachable LIDs where they go down, then up. These routes end at the fault
/// anyway.
void UpDownRepair::drop_unreachable_lids() {
  find_forbidden_turns();
  cut_unreachable_lids();
}

void UpDownRepair::cut_unreachable_lids() {
  std::erase_if(broken_entries_, [&](const BrokenEntry& b) {
    const bool unreachable = !damaged_.can_reach(b.lid, b.at);
    if (unreachable) routes_.cut(b.lid, b.at);
    return unreachable;
  });
}

std::uint64_t UpDownRepair::reattach_unbroken() {
  const std::vector<SwitchId> orphans = orphans_;
  drop_unreachable_lids();
  moved_unbroken_ = true;
  const std::uint64_t missing =
      reattach(collect_orphans(Orphans::kAll), Orphans::kAll, Missing::kContinue);
  orphans_ = orphans;
  return missing;
}

void UpDownRepair::clear_entries(const std::vector<BrokenLid>& broken_lids) {
  for (const BrokenLid& broken : broken_lids) {
    ports_.assign(broken.count, kNoPort);
    routes_.change(broken.lid, {orphans_.data() + broken.first, broken.count}, ports_);
  }
}

void UpDownRepair::solve(const std::vector<BrokenLid>& broken_lids, Orphans which,
                         std::optional<std::span<const Channel>> lost, Repair& repair) {
  std::size_t mark = routes_.mark();
  tree_.mark();
  flipped_ = false;
  const auto is_acyclic = [&] {
    if (flipped_ && !directions_hold_) drop_unreachable_lids();
    // A new path may go down over a reversed cable, then up. So all paths must be checked again.
    if (flipped_) directions_hold_ = check_directions();
    const Fabric& damaged = damaged_.fabric();
    if (flipped_ || !lost || !tree_.repair_locally(damaged, rows_, directions_.bits(), *lost))
      tree_.repair(damaged, rows_, directions_.bits());
    if (flipped_ && directions_hold_) rank_legal_turns();
    return routes_.acyclic();
  };
  repair.dead = reattach(broken_lids, which, Missing::kStop);
  repair.method = "subtree reattached";
  if (repair.dead == 0 && is_acyclic()) return;
  const bool turn = repair.dead > 0;  // whether cables must be reversed, because pairs have no path
  const UpDirections before = directions_;
  const auto back = [&] {
    routes_.rewind(mark);
    tree_.rewind();
    if (flipped_) directions_ = before;
    directions_stale_ |= flipped_;
    moved_unbroken_ = flipped_ = false;
  };
  std::vector<std::vector<bool>> tried;  // directions tried: a random choice may come up twice
  const auto flip_cables = [&](StableRandom* random) {
    flipped_ = directions_stale_ = true;
    directions_.join_roots(routes_, damaged_.alive(), random);
    if (random != nullptr && std::ranges::find(tried, directions_.bits()) != tried.end())
      return false;
    tried.push_back(directions_.bits());
    directions_hold_ = check_directions();
    return true;
  };
  if (turn) {
    repair.method = "flip, strict";
    back();
    clear_entries(broken_lids);  // broken paths must not influence which cables are reversed
    mark = routes_.mark();
    StableRandom random(kSeed);
    for (unsigned tries = 0; tries <= kRandomFlips; ++tries) {
      back();
      if (!flip_cables(tries == 0 ? nullptr : &random)) continue;
      repair.dead = reattach(broken_lids, which, Missing::kStop);
      if (repair.dead == 0 && is_acyclic()) return;
    }
  }
  repair.method = turn ? "flip, extended" : "extended";
  back();
  if (turn) flip_cables(nullptr);
  repair.dead = reattach(broken_lids, which, Missing::kContinue);
  repair.dead += reattach_unbroken();
  if (!is_acyclic()) tree_.give_up();
}

/// Checks again whether no path goes down, then up. Paths that did so may have been removed.
void UpDownRepair::recheck_directions() {
  directions_hold_ = check_directions();
  if (directions_hold_) rank_legal_turns();
}

/// Whether no route turns from a down channel into an up channel. Turns from or to failed channels
/// are ignored: they belong to broken paths that are about to be replaced.
bool UpDownRepair::check_directions() const {
  for (SwitchId s = 0; s < routes_.whole().num_switches(); ++s)
    for (const AdjacentLink& in : routes_.links(s)) {
      if (directions_.up(in.in)) continue;
      for (const AdjacentLink& out : routes_.links(s))
        if (directions_.up(out.out) && damaged_.alive()[in.in] && damaged_.alive()[out.out] &&
            routes_.turns(in.in, out.out) > 0)
          return false;
    }
  return true;
}

/// Gives the dependency graph an order of channels with which every legal turn agrees: first the up
/// channels, lowest switch first, then the down channels, highest switch first. While paths obey
/// the directions, no new turn changes this order.
void UpDownRepair::rank_legal_turns() {
  const std::vector<SwitchId> order = directions_.from_below(routes_, damaged_.alive());
  const auto n = static_cast<std::uint32_t>(order.size());
  ranks_.assign(routes_.whole().num_switch_channels(), 0);
  for (std::uint32_t i = 0; i < n; ++i)
    for (const AdjacentLink& link : routes_.links(order[i]))
      ranks_[link.out] = ((directions_.up(link.out) ? i : 2 * n - i) << 8) + link.port;
  routes_.dependencies().set_order(ranks_);
}

Repair UpDownRepair::fail(const Fabric& damaged, std::span<const Channel> changed, bool count) {
  damaged_.remove_channels(damaged, changed);
  moved_unbroken_ = false;
  broken_entries_ = damaged_.broken_entries(changed, routes_.tables());
  Repair repair;
  cut_unreachable_lids();
  for (const Channel c : changed)
    if (damaged.from_switch(c)) reattach_.remove(c);
  if (count) repair.affected = broken_paths();
  const Orphans which = directions_hold_ ? Orphans::kFromAbove : Orphans::kAll;
  const std::vector<BrokenLid> broken_lids = collect_orphans(which);
  solve(broken_lids, which, changed, repair);
  return finish(std::move(repair));
}

std::uint64_t UpDownRepair::broken_paths() {
  std::uint64_t paths = 0;
  for (const BrokenLid& broken : collect_orphans(Orphans::kAll))
    if (damaged_.fabric().owner(broken.lid).kind == LidOwner::Kind::kHost)
      for (std::size_t i = 0; i < broken.count; ++i)
        paths += !damaged_.fabric().hosts_at(orphans_[broken.first + i]).empty();
  return paths;
}

Repair UpDownRepair::restore(const Fabric& damaged, std::span<const Channel> changed) {
  damaged_.reset(damaged);
  std::vector<Channel> back;
  for (const Channel c : changed)
    if (damaged.between_switches(c) && c < damaged.peer(c)) back.push_back(c);
  directions_.direct_restored(routes_, damaged_.alive(), back);
  directions_stale_ = true;
  broken_entries_ = damaged_.missing_entries(routes_.tables());
  for (const BrokenEntry& b : broken_entries_) {  // sets missing entries of the owners' switches
    if (damaged.destination_switch(b.lid) != b.at) continue;
    at_.assign(1, b.at);
    ports_.assign(1, damaged_.delivery_port(b.lid));
    routes_.change(b.lid, at_, ports_);
  }
  Repair repair;
  if (directions_hold_) rank_legal_turns();
  const Orphans which = directions_hold_ ? Orphans::kFromAbove : Orphans::kAll;
  const std::vector<BrokenLid> broken_lids = collect_orphans(which);
  solve(broken_lids, which, std::nullopt, repair);
  moved_unbroken_ = true;
  if (all_cables_work() && return_all_to_original()) return finish(std::move(repair));
  // The paths of one LID may keep another from returning to its original paths. After the first
  // round some of them have returned themselves, so a second round tries again.
  for (unsigned round = 0; round < 2; ++round)
    for (unsigned i = 1; i <= routes_.tables().top_lid(); ++i) {
      const auto lid = static_cast<Lid>(i);
      if (!routes_.may_differ(lid) || !can_return(lid) || !original_is_better(lid)) continue;
      const std::size_t mark = routes_.mark();
      return_to_original(lid);
      // Where other paths violate the directions, even a path that obeys them may close a cycle.
      if (!routes_.acyclic()) routes_.rewind(mark);
    }
  return finish(std::move(repair));
}

/// If all original cables work: returns all LIDs to their original paths, and the cables to their
/// original directions. Returns false, with nothing changed, if paths or multicast tree would then
/// violate these directions or close a cycle of dependencies.
bool UpDownRepair::return_all_to_original() {
  const std::size_t mark = routes_.mark();
  tree_.mark();
  const UpDirections directions = directions_;
  const bool directions_hold = directions_hold_;
  std::vector<Lid> returned;
  for (unsigned i = 1; i <= routes_.tables().top_lid(); ++i) {
    const auto lid = static_cast<Lid>(i);
    const SwitchId destination_switch = damaged_.fabric().destination_switch(lid);
    if (routes_.may_differ(lid) && destination_switch != kNoSwitch &&
        damaged_.delivery_port(lid) != kNoPort &&
        routes_.original().next(destination_switch, lid) == routes_.next(destination_switch, lid)) {
      return_to_original(lid);
      returned.push_back(lid);
    }
  }
  directions_ = first_directions_;
  flipped_ = directions_stale_ = true;
  tree_.repair(damaged_.fabric(), rows_, directions_.bits());
  recheck_directions();
  if (directions_hold_ && routes_.acyclic()) {
    for (const Lid lid : returned) routes_.mark_as_original(lid);
    return true;
  }
  routes_.rewind(mark);
  tree_.rewind();
  directions_ = directions;
  directions_hold_ = directions_hold;
  if (directions_hold_) rank_legal_turns();
  return false;
}

/// Whether all original cables between switches work.
bool UpDownRepair::all_cables_work() const {
  for (SwitchId s = 0; s < routes_.whole().num_switches(); ++s)
    for (const AdjacentLink& link : routes_.links(s))
      if (!damaged_.alive()[link.out]) return false;
  return true;
}

/// Whether the LID's original paths work again and obey the present directions.
bool UpDownRepair::can_return(Lid lid) const {
  const SwitchId destination_switch = damaged_.fabric().destination_switch(lid);
  if (destination_switch == kNoSwitch || damaged_.delivery_port(lid) == kNoPort) return false;
  if (routes_.original().next(destination_switch, lid) != routes_.next(destination_switch, lid))
    return false;
  for (const SwitchId s : damaged_.component(destination_switch)) {
    const Channel c = original_out(s, lid);
    if (c == kNoChannel) {
      if (s != destination_switch && routes_.next(s, lid) != kNoPort) return false;
      continue;
    }
    if (!damaged_.alive()[c]) return false;
    const Channel then = original_out(damaged_.fabric().target(c), lid);
    if (then != kNoChannel && !directions_.up(c) && directions_.up(then)) return false;
  }
  return true;
}

/// Whether the original paths to the LID are better: the present ones are more than 5 % longer in
/// sum, or the original ones are no longer and use less loaded channels.
bool UpDownRepair::original_is_better(Lid lid) const {
  const SwitchId destination_switch = damaged_.fabric().destination_switch(lid);
  const auto length = [&](SwitchId s, bool original) -> std::uint64_t {
    std::uint64_t links = 0;
    for (Channel c; (c = original ? original_out(s, lid) : routes_.out_of(s, lid)) != kNoChannel;
         ++links)
      s = damaged_.fabric().target(c);
    return s == destination_switch ? links : 0;
  };
  std::uint64_t now = 0, then = 0;
  /// By how much the present channels are more loaded than the original ones would be, summed over
  /// the switches whose channel would change.
  std::int64_t relief = 0;
  for (const SwitchId s : damaged_.component(destination_switch)) {
    now += length(s, false);
    then += length(s, true);
    const Channel is = routes_.out_of(s, lid), was = original_out(s, lid);
    if (is != was && is != kNoChannel && was != kNoChannel)
      relief += std::int64_t{routes_.load(is)} - std::int64_t{routes_.load(was)} - 1;
  }
  return 100 * now > 105 * then || (then <= now && relief > 0);
}

Channel UpDownRepair::original_out(SwitchId s, Lid lid) const {
  return routes_.channel_at(s, routes_.original().next(s, lid));
}

void UpDownRepair::return_to_original(Lid lid) {
  const std::vector<SwitchId>& component =
      damaged_.component(damaged_.fabric().destination_switch(lid));
  ports_.clear();
  for (const SwitchId s : component) ports_.push_back(routes_.original().next(s, lid));
  routes_.change(lid, component, ports_);
}

/// If SL2VL maps SL 0 to VL 15 (drop) at this turn, maps it to VL 0, because a path uses the turn
/// now.
void UpDownRepair::permit_turn(SwitchId at, PortNum in, PortNum out, Repair& repair) {
  const Sl2VlRow before = routes_.tables().sl2vl.row(at, in, out);
  if (before[0] != kDropVl) return;
  Sl2VlRow after = before;
  after[0] = 0;
  routes_.sl2vl().set(at, in, out, after);
  repair.delta.sl2vl.push_back({at, in, out, before, after});
}

void UpDownRepair::permit_turns(Repair& repair) {
  for (const LftChange& c : repair.delta.lft) {
    if (c.after == kNoPort || c.after == 0) continue;
    permit_turn(c.at, 0, c.after, repair);
    for (const HostId h : damaged_.fabric().hosts_at(c.at))
      permit_turn(c.at, damaged_.fabric().host(h).port, c.after, repair);
    for (const AdjacentLink& link : routes_.links(c.at)) {
      if (routes_.next(link.to, c.dlid) == link.back) permit_turn(c.at, link.port, c.after, repair);
      const PortNum then = routes_.next(link.to, c.dlid);
      if (link.port == c.after && then != kNoPort && then != 0)
        permit_turn(link.to, link.back, then, repair);
    }
  }
  for (const DependencyOrder::Edge& e : tree_.edges())
    permit_turn(damaged_.fabric().switch_of(e.to.channel),
                damaged_.fabric().port_of(damaged_.fabric().peer(e.from.channel)),
                damaged_.fabric().port_of(e.to.channel), repair);
}

Repair UpDownRepair::finish(Repair repair) {
  if (!directions_hold_) recheck_directions();
  repair.delta.host_sl2vl_before = repair.delta.host_sl2vl_after = routes_.tables().host_sl2vl;
  repair.delta.lft = routes_.take_delta();
  if (drops_) permit_turns(repair);
  if ((flipped_ || !directions_hold_) && !routes_.acyclic()) tree_.give_up();
  repair.multicast = tree_.parents();
  return repair;
}

}  // namespace selvedge
