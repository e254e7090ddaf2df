// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/up_down_repair.hpp"

#include <algorithm>

namespace selvedge {
namespace {

constexpr unsigned kOtherTurns = 30;       // random sequences of turned cables that are tried
constexpr std::uint64_t kSeed = 20061121;  // of these sequences: repairs are deterministic

/// Tables whose SL2VL tables map all SLs to VL 0. (Entries of VL 15 belong to unused turns, which
/// open_turns() opens.)
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
  repair->reattach_.under(repair->directions_.bits());
  return repair;
}

UpDownRepair::UpDownRepair(const Fabric& whole, const Tables& tables,
                           const std::optional<ParentChannels>& tree)
    : routes_(whole, tables),
      tree_(routes_.dependencies(), whole, plain(whole), tree),
      remains_(whole),
      reattach_(routes_, remains_.alive()),
      drops_(std::ranges::any_of(tables.sl2vl.rows(),
                                 [](const auto& row) { return row[0] == kDropVl; })),
      rows_(plain(whole)),
      stamp_(whole.num_switches(), 0) {}

/// Finds the routes that turn from down to up, as breaks.
void UpDownRepair::find_forbidden() {
  breaks_.clear();
  for (SwitchId s = 0; s < remains_.fabric().num_switches(); ++s)
    for (const Way& in : routes_.ways(s)) {
      if (directions_.up(in.in)) continue;
      for (const Way& out : routes_.ways(s)) {
        if (!directions_.up(out.out) || routes_.turns(in.in, out.out) == 0) continue;
        const auto from = routes_.tables().lft(in.to), here = routes_.tables().lft(s);
        for (std::size_t lid = 1; lid < here.size(); ++lid)
          if (from[lid] == in.back && here[lid] == out.port)
            breaks_.push_back({static_cast<Lid>(lid), in.to});
      }
    }
  std::ranges::sort(breaks_);
  const auto again = std::ranges::unique(breaks_);
  breaks_.erase(again.begin(), again.end());
}

/// Adds the senders of the orphans from `first` on (which are stamped), transitively.
void UpDownRepair::grow(Lid lid, std::size_t first, Orphans which) {
  for (std::size_t k = first; k < orphans_.size(); ++k)
    for (const Way& way : routes_.ways(orphans_[k]))
      if (routes_.next(way.to, lid) == way.back && stamp_[way.to] != stamp_now_ &&
          (which == Orphans::kAll || !directions_.up(way.in)) && remains_.alive()[way.in]) {
        stamp_[way.to] = stamp_now_;
        orphans_.push_back(way.to);
      }
}

std::vector<UpDownRepair::Hit> UpDownRepair::gather(Orphans which) {
  std::vector<Hit> hits;
  orphans_.clear();
  for (std::size_t i = 0; i < breaks_.size();) {
    const Lid lid = breaks_[i].lid;
    const std::size_t first = orphans_.size();
    ++stamp_now_;
    for (; i < breaks_.size() && breaks_[i].lid == lid; ++i) {
      const SwitchId s = breaks_[i].at;
      if (stamp_[s] == stamp_now_ || routes_.destination_switch(lid) == s) continue;
      stamp_[s] = stamp_now_;
      orphans_.push_back(s);
    }
    grow(lid, first, which);
    if (orphans_.size() > first)
      hits.push_back({lid, static_cast<std::uint32_t>(first),
                      static_cast<std::uint32_t>(orphans_.size() - first)});
  }
  return hits;
}

/// Copies the hit's orphans to the end of orphans_, where others can be added.
void UpDownRepair::copy_orphans(const Hit& hit) {
  ++stamp_now_;
  for (std::size_t i = 0; i < hit.count; ++i) {
    orphans_.push_back(orphans_[hit.first + i]);
    stamp_[orphans_.back()] = stamp_now_;
  }
}

/// If orphans found no place because the paths of switches above lead to them: makes those switches
/// orphans too and tries again.
bool UpDownRepair::reattach_round(const Hit& hit) {
  const std::size_t end = orphans_.size();
  copy_orphans(hit);
  bool hung = false;
  for (bool more = true; more && !hung;) {
    blocking_.clear();
    reattach_.list_blocking(std::span<const SwitchId>(orphans_).subspan(end), blocking_);
    const std::size_t first = orphans_.size();
    for (const SwitchId s : blocking_) {
      if (stamp_[s] == stamp_now_) continue;
      stamp_[s] = stamp_now_;
      orphans_.push_back(s);
    }
    more = orphans_.size() > first;
    grow(hit.lid, first, Orphans::kFromAbove);
    hung = more && reattach_.reattach_near(hit.lid,
                                           std::span<const SwitchId>(orphans_).subspan(end), false);
  }
  orphans_.resize(end);
  return hung;
}

/// If that fails too: reattaches all switches whose path broke, and if that is not enough, unbroken
/// ones. Returns the number of switches with hosts left without a path.
std::size_t UpDownRepair::hang_widely(const Hit& hit, Orphans which) {
  const std::size_t end = orphans_.size();
  if (which != Orphans::kAll) {
    copy_orphans(hit);
    grow(hit.lid, end, Orphans::kAll);
  }
  const std::span<const SwitchId> orphans =
      which == Orphans::kAll ? std::span<const SwitchId>(orphans_).subspan(hit.first, hit.count)
                             : std::span<const SwitchId>(orphans_).subspan(end);
  std::size_t left_out = reattach_.reattach(hit.lid, orphans);
  if (left_out > 0) {
    left_out = reattach_.reattach_all(
        hit.lid, orphans, remains_.piece(remains_.fabric().destination_switch(hit.lid)));
    touched_unbroken_ = true;
  }
  orphans_.resize(end);
  return left_out;
}

/// Whether an orphan has a sender above it that is no orphan: cables may have been turned since
/// gather().
bool UpDownRepair::sent_from_above(const Hit& hit) const {
  const std::span<const SwitchId> orphans(orphans_.data() + hit.first, hit.count);
  return std::ranges::any_of(orphans, [&](SwitchId s) {
    return std::ranges::any_of(routes_.ways(s), [&](const Way& way) {
      return routes_.next(way.to, hit.lid) == way.back && !directions_.up(way.in) &&
             remains_.alive()[way.in];
    });
  });
}

/// Returns how many (switch with hosts, LID) are left without a path.
std::uint64_t UpDownRepair::reattach(const std::vector<Hit>& hits, Orphans which, Missing then) {
  if (leads_stale_) reattach_.under(directions_.bits());
  leads_stale_ = false;
  std::uint64_t missing = 0;
  const auto enough = [&] { return missing > 0 && then == Missing::kStop; };
  std::vector<Hit> switches;  // LIDs of switches last: they never count as missing
  for (const Hit& hit : hits) {
    const std::span<const SwitchId> orphans(orphans_.data() + hit.first, hit.count);
    const bool simple = obeyed_ && !(turned_ && sent_from_above(hit));
    if (which == Orphans::kFromAbove &&
        (reattach_.reattach_near(hit.lid, orphans, simple) || (turned_ && reattach_round(hit))))
      continue;
    if (remains_.fabric().owner(hit.lid).kind == LidOwner::Kind::kSwitch)
      switches.push_back(hit);
    else
      missing += hang_widely(hit, which);
    if (enough()) return missing;
  }
  for (const Hit& hit : switches) missing += hang_widely(hit, which);
  return missing;
}

/// Cuts forbidden turns of routes to unreachable LIDs, which end at the fault anyway.
void UpDownRepair::drop_worthless() {
  find_forbidden();
  cut_worthless();
}

void UpDownRepair::cut_worthless() {
  std::erase_if(breaks_, [&](const Break& b) {
    const bool worthless = !remains_.served(b.lid, b.at);
    if (worthless) routes_.cut(b.lid, b.at);
    return worthless;
  });
}

std::uint64_t UpDownRepair::extend() {
  const std::vector<SwitchId> orphans = orphans_;
  drop_worthless();
  touched_unbroken_ = true;
  const std::uint64_t missing = reattach(gather(Orphans::kAll), Orphans::kAll, Missing::kGoOn);
  orphans_ = orphans;
  return missing;
}

void UpDownRepair::take_out(const std::vector<Hit>& hits) {
  for (const Hit& hit : hits) {
    ports_.assign(hit.count, kNoPort);
    routes_.change(hit.lid, {orphans_.data() + hit.first, hit.count}, ports_);
  }
}

void UpDownRepair::solve(const std::vector<Hit>& hits, Orphans which,
                         std::optional<std::span<const Channel>> went, Repair& repair) {
  std::size_t mark = routes_.mark();
  tree_.mark();
  turned_ = false;
  const auto sound = [&] {
    if (turned_ && !obeyed_) drop_worthless();
    // Reattached paths may violate turned directions, if a sender is above the orphan now.
    if (turned_) obeyed_ = find_obeyed();
    const Fabric& left = remains_.fabric();
    if (turned_ || !went || !tree_.mend_near(left, rows_, directions_.bits(), *went))
      tree_.mend(left, rows_, &directions_.bits());
    if (turned_ && obeyed_) rank_legal_turns();
    return routes_.acyclic();
  };
  repair.dead = reattach(hits, which, Missing::kStop);
  repair.method = "subtree reattached";
  if (repair.dead == 0 && sound()) return;
  const bool turn = repair.dead > 0;  // whether to turn cables
  const UpDirections before = directions_;
  const auto back = [&] {
    routes_.rewind(mark);
    tree_.rewind();
    if (turned_) directions_ = before;
    leads_stale_ |= turned_;
    touched_unbroken_ = turned_ = false;
  };
  std::vector<std::vector<bool>> tried;  // random choices repeat
  const auto fresh_turns = [&](StableRandom* random) {
    turned_ = leads_stale_ = true;
    directions_.join_roots(routes_, remains_.alive(), random);
    if (random != nullptr && std::ranges::find(tried, directions_.bits()) != tried.end())
      return false;
    tried.push_back(directions_.bits());
    obeyed_ = find_obeyed();
    return true;
  };
  if (turn) {
    repair.method = "flip, strict";
    back();
    take_out(hits);  // broken paths must not influence which cables are turned
    mark = routes_.mark();
    StableRandom random(kSeed);
    for (unsigned tries = 0; tries <= kOtherTurns; ++tries) {
      back();
      if (!fresh_turns(tries == 0 ? nullptr : &random)) continue;
      repair.dead = reattach(hits, which, Missing::kStop);
      if (repair.dead == 0 && sound()) return;
    }
  }
  repair.method = turn ? "flip, extended" : "extended";
  back();
  if (turn) fresh_turns(nullptr);
  repair.dead = reattach(hits, which, Missing::kGoOn);
  repair.dead += extend();
  if (!sound()) tree_.give_up();
}

/// Checks again whether all paths obey the directions; those that did not may have been removed.
void UpDownRepair::settle() {
  obeyed_ = find_obeyed();
  if (obeyed_) rank_legal_turns();
}

/// Turns from or to failed channels belong to broken paths that are about to be replaced.
bool UpDownRepair::find_obeyed() const {
  for (SwitchId s = 0; s < routes_.whole().num_switches(); ++s)
    for (const Way& in : routes_.ways(s)) {
      if (directions_.up(in.in)) continue;
      for (const Way& out : routes_.ways(s))
        if (directions_.up(out.out) && remains_.alive()[in.in] && remains_.alive()[out.out] &&
            routes_.turns(in.in, out.out) > 0)
          return false;
    }
  return true;
}

/// Gives the dependency graph an order of channels with which every permitted turn agrees: upward
/// channels from below, then downward channels from above. While paths obey the directions, no new
/// turn changes this order.
void UpDownRepair::rank_legal_turns() {
  const std::vector<SwitchId> order = directions_.from_below(routes_, remains_.alive());
  const auto n = static_cast<std::uint32_t>(order.size());
  ranks_.assign(routes_.whole().num_switch_channels(), 0);
  for (std::uint32_t i = 0; i < n; ++i)
    for (const Way& way : routes_.ways(order[i]))
      ranks_[way.out] = ((directions_.up(way.out) ? i : 2 * n - i) << 8) + way.port;
  routes_.dependencies().take_order(ranks_);
}

Repair UpDownRepair::fail(const Fabric& left, std::span<const Channel> changed, bool count) {
  remains_.lose(left, changed);
  touched_unbroken_ = false;
  breaks_ = remains_.broken(changed, routes_.tables());
  Repair repair;
  cut_worthless();
  for (const Channel c : changed)
    if (left.from_switch(c)) reattach_.lose(c);
  if (count) repair.affected = broken_paths();
  const Orphans which = obeyed_ ? Orphans::kFromAbove : Orphans::kAll;
  const std::vector<Hit> hits = gather(which);
  solve(hits, which, changed, repair);
  return finish(std::move(repair));
}

std::uint64_t UpDownRepair::broken_paths() {
  std::uint64_t paths = 0;
  for (const Hit& hit : gather(Orphans::kAll))
    if (remains_.fabric().owner(hit.lid).kind == LidOwner::Kind::kHost)
      for (std::size_t i = 0; i < hit.count; ++i)
        paths += !remains_.fabric().hosts_at(orphans_[hit.first + i]).empty();
  return paths;
}

Repair UpDownRepair::restore(const Fabric& left, std::span<const Channel> changed) {
  remains_.look(left);
  std::vector<Channel> back;
  for (const Channel c : changed)
    if (left.between_switches(c) && c < left.peer(c)) back.push_back(c);
  directions_.admit(routes_, remains_.alive(), back);
  leads_stale_ = true;
  breaks_ = remains_.missing(routes_.tables());
  for (const Break& b : breaks_) {  // first the entries of the owner's switch
    if (left.destination_switch(b.lid) != b.at) continue;
    at_.assign(1, b.at);
    ports_.assign(1, remains_.last_port(b.lid));
    routes_.change(b.lid, at_, ports_);
  }
  Repair repair;
  if (obeyed_) rank_legal_turns();
  const Orphans which = obeyed_ ? Orphans::kFromAbove : Orphans::kAll;
  const std::vector<Hit> hits = gather(which);
  solve(hits, which, std::nullopt, repair);
  touched_unbroken_ = true;
  if (whole() && return_all()) return finish(std::move(repair));
  // A second round serves LIDs whose return other LIDs' present paths prevented.
  for (unsigned round = 0; round < 2; ++round)
    for (unsigned i = 1; i <= routes_.tables().top_lid(); ++i) {
      const auto lid = static_cast<Lid>(i);
      if (!routes_.touched(lid) || !can_return(lid) || !better_at_base(lid)) continue;
      const std::size_t mark = routes_.mark();
      return_to_base(lid);
      // Together with paths that violate the directions, even a path that obeys them may close a
      // cycle.
      if (!routes_.acyclic()) routes_.rewind(mark);
    }
  return finish(std::move(repair));
}

/// For a complete fabric: all LIDs return to their original paths, and the directions to the
/// original ones. Returns false, with nothing changed, if a remaining path violates these, or if
/// the multicast tree closes a cycle with the paths.
bool UpDownRepair::return_all() {
  const std::size_t mark = routes_.mark();
  tree_.mark();
  const UpDirections directions = directions_;
  const bool obeyed = obeyed_;
  std::vector<Lid> returned;
  for (unsigned i = 1; i <= routes_.tables().top_lid(); ++i) {
    const auto lid = static_cast<Lid>(i);
    const SwitchId destination_switch = remains_.fabric().destination_switch(lid);
    if (routes_.touched(lid) && destination_switch != kNoSwitch &&
        remains_.last_port(lid) != kNoPort &&
        routes_.base().next(destination_switch, lid) == routes_.next(destination_switch, lid)) {
      return_to_base(lid);
      returned.push_back(lid);
    }
  }
  directions_ = first_directions_;
  turned_ = leads_stale_ = true;
  tree_.mend(remains_.fabric(), rows_, &directions_.bits());
  obeyed_ = find_obeyed();
  if (obeyed_) rank_legal_turns();
  if (obeyed_ && routes_.acyclic()) {
    for (const Lid lid : returned) routes_.forget(lid);
    return true;
  }
  routes_.rewind(mark);
  tree_.rewind();
  directions_ = directions;
  obeyed_ = obeyed;
  if (obeyed_) rank_legal_turns();
  return false;
}

/// Whether all original cables between switches work.
bool UpDownRepair::whole() const {
  for (SwitchId s = 0; s < routes_.whole().num_switches(); ++s)
    for (const Way& way : routes_.ways(s))
      if (!remains_.alive()[way.out]) return false;
  return true;
}

/// Whether the channels of the LID's original paths all work, and these paths obey the directions.
bool UpDownRepair::can_return(Lid lid) const {
  const SwitchId destination_switch = remains_.fabric().destination_switch(lid);
  if (destination_switch == kNoSwitch || remains_.last_port(lid) == kNoPort) return false;
  if (routes_.base().next(destination_switch, lid) != routes_.next(destination_switch, lid))
    return false;
  for (const SwitchId s : remains_.piece(destination_switch)) {
    const Channel c = base_out(s, lid);
    if (c == kNoChannel) {
      if (s != destination_switch && routes_.next(s, lid) != kNoPort) return false;
      continue;
    }
    if (!remains_.alive()[c]) return false;
    const Channel then = base_out(remains_.fabric().target(c), lid);
    if (then != kNoChannel && !directions_.up(c) && directions_.up(then)) return false;
  }
  return true;
}

/// Whether the present paths are more than 5 % longer than the original ones, or the original ones
/// are not longer and use less loaded channels.
bool UpDownRepair::better_at_base(Lid lid) const {
  const SwitchId destination_switch = remains_.fabric().destination_switch(lid);
  const auto length = [&](SwitchId s, bool base) -> std::uint64_t {
    std::uint64_t links = 0;
    for (Channel c; (c = base ? base_out(s, lid) : routes_.out_of(s, lid)) != kNoChannel; ++links)
      s = remains_.fabric().target(c);
    return s == destination_switch ? links : 0;
  };
  std::uint64_t now = 0, then = 0;
  std::int64_t relief = 0;  // how much less the channels carry if the paths return
  for (const SwitchId s : remains_.piece(destination_switch)) {
    now += length(s, false);
    then += length(s, true);
    const Channel is = routes_.out_of(s, lid), was = base_out(s, lid);
    if (is != was && is != kNoChannel && was != kNoChannel)
      relief += std::int64_t{routes_.load(is)} - std::int64_t{routes_.load(was)} - 1;
  }
  return 100 * now > 105 * then || (then <= now && relief > 0);
}

Channel UpDownRepair::base_out(SwitchId s, Lid lid) const {
  return routes_.channel_at(s, routes_.base().next(s, lid));
}

void UpDownRepair::return_to_base(Lid lid) {
  const std::vector<SwitchId>& piece = remains_.piece(remains_.fabric().destination_switch(lid));
  ports_.clear();
  for (const SwitchId s : piece) ports_.push_back(routes_.base().next(s, lid));
  routes_.change(lid, piece, ports_);
}

/// Changes an SL2VL entry from VL 15 to VL 0 for a turn that is used now.
void UpDownRepair::open_turn(SwitchId at, PortNum in, PortNum out, Repair& repair) {
  const Sl2VlRow before = routes_.tables().sl2vl.row(at, in, out);
  if (before[0] != kDropVl) return;
  Sl2VlRow after = before;
  after[0] = 0;
  routes_.sl2vl().set(at, in, out, after);
  repair.delta.sl2vl.push_back({at, in, out, before, after});
}

void UpDownRepair::open_turns(Repair& repair) {
  for (const LftChange& c : repair.delta.lft) {
    if (c.after == kNoPort || c.after == 0) continue;
    open_turn(c.at, 0, c.after, repair);
    for (const HostId h : remains_.fabric().hosts_at(c.at))
      open_turn(c.at, remains_.fabric().host(h).port, c.after, repair);
    for (const Way& way : routes_.ways(c.at)) {
      if (routes_.next(way.to, c.dlid) == way.back) open_turn(c.at, way.port, c.after, repair);
      const PortNum then = routes_.next(way.to, c.dlid);
      if (way.port == c.after && then != kNoPort && then != 0)
        open_turn(way.to, way.back, then, repair);
    }
  }
  for (const DependencyOrder::Edge& e : tree_.edges())
    open_turn(remains_.fabric().switch_of(e.to.channel),
              remains_.fabric().port_of(remains_.fabric().peer(e.from.channel)),
              remains_.fabric().port_of(e.to.channel), repair);
}

Repair UpDownRepair::finish(Repair repair) {
  if (!obeyed_) settle();
  repair.delta.host_sl2vl_before = repair.delta.host_sl2vl_after = routes_.tables().host_sl2vl;
  repair.delta.lft = routes_.take_delta();
  if (drops_) open_turns(repair);
  if ((turned_ || !obeyed_) && !routes_.acyclic()) tree_.give_up();
  repair.multicast = tree_.parents();
  return repair;
}

}  // namespace selvedge
