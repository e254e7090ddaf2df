// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/layered_repair.hpp"

#include <algorithm>
#include <map>
#include <queue>

#include "plugin/repair/pair_sls.hpp"

namespace selvedge {
namespace {

// Values of Candidate::stage, in the order in which next hops are tried.
constexpr std::uint8_t kSameSl = 0;           // the path's SL, existing dependencies
constexpr std::uint8_t kSameSlNewEdges = 1;   // the path's SL, new dependencies
constexpr std::uint8_t kOtherSl = 2;          // another SL, existing dependencies
constexpr std::uint8_t kOtherSlNewEdges = 3;  // another SL, new dependencies

constexpr unsigned kTreeSalts = 4;    // values of SearchOptions::salt tried in rebuild_tree()
constexpr unsigned kOrphanSalts = 3;  // values of salt tried in grow_best()

}  // namespace

LayeredRepair::LayeredRepair(const Fabric& whole, const Tables& tables,
                             std::optional<ParentChannels> tree, const RepairRequest& request)
    : routes_(whole, tables, request.max_vls),
      tree_(routes_.dependencies(), whole, routes_.tables(), std::move(tree)),
      damaged_(whole),
      choice_(routes_),
      acyclic_(routes_.dependencies().order()),
      move_unbroken_(request.move_unbroken),
      pairs_share_sls_(pairs_share_sls(routes_)),
      waiting_(whole.num_switches(), 0),
      length_(whole.num_switches(), 0),
      known_(whole.num_switches(), 0),
      stamp_(whole.num_switches(), 0) {
  pin(tree_.parents(), 1);
  if (request.spare_sl) routes_.add_spare_sl(request.max_sls);
  if (request.base_lane) routes_.reserve(*request.base_lane);
}

/// Pins the SL2VL entries that packets of a multicast tree use, so that they do not count as free
/// (times = 1), or unpins them (−1).
void LayeredRepair::pin(const std::optional<ParentChannels>& tree, int times) {
  if (!tree) return;
  const Fabric& fabric = routes_.whole();
  std::vector<std::vector<PortNum>> ports(fabric.num_switches());
  for (const Channel c : *tree) {
    if (c == kNoChannel) continue;
    ports[fabric.switch_of(c)].push_back(fabric.port_of(c));
    ports[fabric.target(c)].push_back(fabric.port_of(fabric.peer(c)));
  }
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (const PortNum a : ports[s]) {
      for (const PortNum b : ports[s])
        if (a != b) routes_.pin({s, a, b, 0}, times);
      for (const PortNum b : routes_.sources(s)) {
        routes_.pin({s, b, a, 0}, times);
        routes_.pin({s, a, b, 0}, times);
      }
    }
}

/// Repairs the multicast tree, and keeps dependencies and SL2VL entries of the old tree until the
/// next repair: switches forward along it until a sweep has written the new one. So new paths close
/// no cycle with either tree.
void LayeredRepair::repair_tree() {
  release_old_tree();
  std::optional<ParentChannels> before = tree_.parents();
  pin(before, -1);
  if (tree_.repair_beside_old(damaged_.fabric(), routes_.tables())) {
    routes_.dependencies().order();
    if (tree_.keeps_old()) old_tree_ = std::move(before);
    pin(old_tree_, 1);
  }
  pin(tree_.parents(), 1);
}

void LayeredRepair::release_old_tree() {
  tree_.release_old();
  pin(old_tree_, -1);
  old_tree_.reset();
}

bool LayeredRepair::is_base(Lid lid) const {
  const LidOwner owner = routes_.whole().owner(lid);
  return owner.kind == LidOwner::Kind::kHost && routes_.whole().host(owner.id).lid == lid;
}

/// The number of links from s to the LID's owner along the entries; kNotReached if the entries do
/// not lead there.
std::uint32_t LayeredRepair::length(SwitchId s, Lid lid) const {
  const SwitchId destination_switch = routes_.whole().destination_switch(lid);
  std::uint32_t links = 0;
  while (s != destination_switch) {
    const Channel c = routes_.out_of(s, lid);
    if (c == kNoChannel || !damaged_.alive()[c] || links > waiting_.size()) return kNotReached;
    s = routes_.whole().target(c);
    ++links;
  }
  return routes_.next(destination_switch, lid) == kNoPort ? kNotReached : links;
}

Repair LayeredRepair::fail(const Fabric& damaged, std::span<const Channel> lost,
                           std::span<const LftChange> written) {
  follow(written);
  damaged_.reset(damaged);
  return repair_all(damaged_.broken_entries(lost, routes_.tables()), false, true);
}

Repair LayeredRepair::restore(const Fabric& damaged) {
  damaged_.reset(damaged);
  Repair repair = repair_all(damaged_.missing_entries(routes_.tables()), true, false);
  for (unsigned lid = 1; lid <= routes_.tables().top_lid(); ++lid)
    if (routes_.moved(static_cast<Lid>(lid)) > 0) return_to_original(static_cast<Lid>(lid));
  repair.delta = routes_.take_delta();
  return repair;
}

/// Sets entries that are in the switches already, and counts the paths that lead through them along
/// the new entries.
void LayeredRepair::follow(std::span<const LftChange> written) {
  std::map<Lid, std::vector<LftChange>> by_lid;
  for (const LftChange& c : written) by_lid[c.dlid].push_back(c);
  for (const auto& [lid, changes] : by_lid) {
    ++stamp_now_;
    std::vector<SwitchId> senders;
    for (const LftChange& c : changes) {
      stamp_[c.at] = stamp_now_;
      senders.push_back(c.at);
    }
    add_senders(lid, senders);
    for (const SwitchId s : senders) routes_.take(s, lid);
    for (const LftChange& c : changes)
      if (routes_.next(c.at, lid) != c.after) routes_.set_next(c.at, lid, c.after);
    for (const SwitchId s : senders) routes_.put(s, lid);
  }
}

/// Appends the switches whose packets to the LID reach one of `senders`, transitively. The switches
/// in `senders` have the stamp stamp_now_ already.
void LayeredRepair::add_senders(Lid lid, std::vector<SwitchId>& senders) {
  const Fabric& fabric = routes_.whole();
  for (std::size_t k = 0; k < senders.size(); ++k)
    for (const Channel c : fabric.out(senders[k])) {
      const SwitchId from = fabric.target(c);
      if (stamp_[from] == stamp_now_ || routes_.out_of(from, lid) != fabric.peer(c)) continue;
      stamp_[from] = stamp_now_;
      senders.push_back(from);
    }
}

/// Takes the paths that lead through a broken entry out of the counts, and removes the broken
/// entries. Returns, per LID, the switches that need a new path.
std::vector<LayeredRepair::BrokenLid> LayeredRepair::remove_broken_paths(
    const std::vector<BrokenEntry>& broken_entries) {
  std::vector<BrokenLid> broken_lids;
  const Fabric& fabric = routes_.whole();
  for (std::size_t i = 0; i < broken_entries.size();) {
    const std::size_t first = i;
    BrokenLid broken{broken_entries[i].lid, {}};
    ++stamp_now_;
    for (; i < broken_entries.size() && broken_entries[i].lid == broken.lid; ++i) {
      stamp_[broken_entries[i].at] = stamp_now_;
      broken.orphans.push_back(broken_entries[i].at);
    }
    add_senders(broken.lid, broken.orphans);
    for (const SwitchId s : broken.orphans) routes_.take(s, broken.lid);
    const SwitchId destination_switch = fabric.destination_switch(broken.lid);
    for (std::size_t k = first; k < i; ++k) {
      const SwitchId s = broken_entries[k].at;
      const PortNum last = s == destination_switch ? damaged_.delivery_port(broken.lid) : kNoPort;
      if (routes_.next(s, broken.lid) != last) routes_.set_next(s, broken.lid, last);
    }
    // A path to an unreachable LID is not repaired. A path can still arrive if its only broken
    // entry was that of the owner's switch, which has been set again above.
    std::erase_if(broken.orphans, [&](SwitchId s) {
      if (damaged_.can_reach(broken.lid, s) && length(s, broken.lid) == kNotReached) return false;
      routes_.put(s, broken.lid);
      return true;
    });
    if (!broken.orphans.empty()) broken_lids.push_back(std::move(broken));
  }
  return broken_lids;
}

Repair LayeredRepair::repair_all(const std::vector<BrokenEntry>& broken_entries, bool restored,
                                 bool count_affected) {
  Repair repair;
  const std::vector<BrokenLid> broken_lids = remove_broken_paths(broken_entries);
  const bool to_hosts = count_affected;
  for (const BrokenLid& broken : broken_lids)
    if (to_hosts && routes_.whole().owner(broken.lid).kind == LidOwner::Kind::kHost)
      for (const SwitchId s : broken.orphans)
        repair.affected += !routes_.whole().hosts_at(s).empty();
  // The multicast tree comes first, because it has the fewest alternatives. Base LIDs come before
  // other LIDs, because most hosts use them.
  repair_tree();
  for (const bool base : {true, false})
    for (const BrokenLid& broken : broken_lids)
      if (is_base(broken.lid) == base) repair_lid(broken, restored, repair);
  for (const BrokenLid& broken : broken_lids) give_up(broken, repair);
  if (pairs_share_sls_) share_sls(routes_, choice_, repair);
  repair.method = "detours";
  repair.delta = restored ? Delta{} : routes_.take_delta();
  repair.multicast = tree_.parents();
  return repair;
}

void LayeredRepair::commit(const Candidate& best, Lid lid, Repair& repair) {
  for (const VlChoice::Chosen& c : choice_.chosen()) {
    written_.push_back({c.entry, routes_.vl(c.entry)});
    routes_.set_vl(c.entry, c.vl);
  }
  if (routes_.next(best.at, lid) != best.port) routes_.set_next(best.at, lid, best.port);
  if (const Sl before = routes_.tables().sl(best.at, lid); before != best.sl) {
    routes_.set_sl(best.at, lid, best.sl);
    if (!routes_.whole().hosts_at(best.at).empty())
      repair.readdressed.push_back({best.at, lid, lid, before, best.sl});
  }
  routes_.put(best.at, lid);
}

/// Gives next hops to switches that wait for one because their path to the LID is broken. The best
/// candidate comes first. Each switch that gets a path becomes a candidate for its waiting
/// neighbours.
void LayeredRepair::grow(const BrokenLid& broken, const SearchOptions& options, Repair& repair) {
  const Fabric& damaged = damaged_.fabric();
  ++stamp_now_;
  const auto length_of = [&](SwitchId s) {
    if (known_[s] != stamp_now_) {
      known_[s] = stamp_now_;
      length_[s] = length(s, broken.lid);
    }
    return length_[s];
  };
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates;
  const auto offer = [&](SwitchId s, Channel c) {
    const std::uint32_t there = length_of(damaged.target(c));
    if (there == kNotReached) return;
    const PortNum port = damaged.port_of(c);
    const bool moves = routes_.next(s, broken.lid) != port;
    const unsigned turn = (port + broken.lid + options.salt) % (damaged.node(s).ports + 1u);
    for (unsigned sl = 0; sl < kSls; ++sl) {
      const bool own = sl == routes_.tables().sl(s, broken.lid);
      if (!own && (options.own_sl || !routes_.may_have(static_cast<Sl>(sl)))) continue;
      candidates.push({own ? kSameSl : kOtherSl, options.keep_ports && moves, there + 1, moves,
                       turn, s, port, static_cast<Sl>(sl)});
    }
  };
  for (const SwitchId s : broken.orphans)
    for (const Channel c : damaged.out(s))
      if (waiting_[s] && damaged.target(c) != s && !waiting_[damaged.target(c)]) offer(s, c);
  while (!candidates.empty()) {
    Candidate best = candidates.top();
    candidates.pop();
    if (!waiting_[best.at]) continue;
    const bool more = best.stage == kSameSlNewEdges || best.stage == kOtherSlNewEdges;
    if (!choice_.find(best.at, best.port, best.sl, broken.lid, {more})) {
      if (!more) {
        best.stage = best.stage == kSameSl ? kSameSlNewEdges : kOtherSlNewEdges;
        candidates.push(best);
      }
      continue;
    }
    waiting_[best.at] = 0;
    known_[best.at] = stamp_now_;
    length_[best.at] = best.length;
    commit(best, broken.lid, repair);
    for (const Channel c : damaged.out(best.at))
      if (waiting_[damaged.target(c)]) offer(damaged.target(c), damaged.peer(c));
  }
}

/// Undoes a grow() that kept SLs (SearchOptions::own_sl). `before`: the ports that broken.orphans
/// had before it.
void LayeredRepair::undo(const BrokenLid& broken, const std::vector<PortNum>& before) {
  for (const SwitchId s : broken.orphans)
    if (!waiting_[s]) routes_.take(s, broken.lid);
  for (std::size_t i = written_.size(); i-- > 0;) routes_.set_vl(written_[i].entry, written_[i].vl);
  for (std::size_t i = 0; i < broken.orphans.size(); ++i) {
    if (routes_.next(broken.orphans[i], broken.lid) != before[i])
      routes_.set_next(broken.orphans[i], broken.lid, before[i]);
    waiting_[broken.orphans[i]] = 1;
  }
  written_.clear();
}

/// Finds paths on their own SLs for as many switches of `broken.orphans` as possible. Tries several
/// salts (rotations of the ports) and keeps the result that leaves the fewest switches without a
/// path.
void LayeredRepair::grow_best(const BrokenLid& broken, bool keep_ports, Repair& repair) {
  std::vector<PortNum> before;
  for (const SwitchId s : broken.orphans) {
    before.push_back(routes_.next(s, broken.lid));
    waiting_[s] = 1;
  }
  written_.clear();
  const auto waiting = [&] {
    return std::ranges::count_if(broken.orphans, [&](SwitchId s) { return waiting_[s] != 0; });
  };
  const auto run = [&](unsigned salt) { grow(broken, {true, keep_ports, salt}, repair); };
  run(0);
  auto least = waiting();
  unsigned best = 0, last = 0;
  for (unsigned salt = 1; least > 0 && salt < kOrphanSalts; ++salt) {
    undo(broken, before);
    run(last = salt);
    if (const auto now = waiting(); now < least) {
      least = now;
      best = salt;
    }
  }
  if (best == last) return;
  undo(broken, before);
  run(best);
}

/// Whether a switch with hosts still has no path to this LID of a host.
bool LayeredRepair::hosts_wait(const BrokenLid& broken) const {
  const Fabric& fabric = routes_.whole();
  return fabric.owner(broken.lid).kind == LidOwner::Kind::kHost &&
         std::ranges::any_of(broken.orphans, [&](SwitchId s) {
           return waiting_[s] && !fabric.hosts_at(s).empty();
         });
}

/// Builds the paths from all switches to the LID again, each on its own SL. If some switch with
/// hosts finds no path, restores the old paths and returns false.
bool LayeredRepair::rebuild_tree(const BrokenLid& broken, Repair& repair) {
  const SwitchId destination_switch = routes_.whole().destination_switch(broken.lid);
  BrokenLid all{broken.lid, damaged_.component(destination_switch)};
  std::erase(all.orphans, destination_switch);
  std::vector<std::uint8_t> waited;
  std::vector<PortNum> before;
  for (const SwitchId s : all.orphans) {
    waited.push_back(waiting_[s]);
    before.push_back(routes_.next(s, broken.lid));
    if (!waiting_[s]) routes_.take(s, broken.lid);
  }
  for (unsigned salt = 0; salt < kTreeSalts; ++salt) {
    for (const SwitchId s : all.orphans) waiting_[s] = 1;
    written_.clear();
    grow(all, {true, salt == 0, salt}, repair);
    if (!hosts_wait(all)) {
      for (const SwitchId s : all.orphans) {  // only switches without hosts still wait
        if (waiting_[s] && routes_.next(s, broken.lid) != kNoPort)
          routes_.set_next(s, broken.lid, kNoPort);
        waiting_[s] = 0;
      }
      return true;
    }
    undo(all, before);
  }
  for (std::size_t i = 0; i < all.orphans.size(); ++i) {
    waiting_[all.orphans[i]] = waited[i];
    if (!waited[i]) routes_.add(all.orphans[i], broken.lid);
  }
  return false;
}

void LayeredRepair::repair_lid(const BrokenLid& broken, bool restored, Repair& repair) {
  grow_best(broken, restored, repair);
  if (move_unbroken_ && hosts_wait(broken)) rebuild_tree(broken, repair);
  if (std::ranges::any_of(broken.orphans, [&](SwitchId s) { return waiting_[s] != 0; }))
    grow(broken, {false, restored, 0}, repair);
  if (old_tree_ && hosts_wait(broken)) {  // a path is worth more than a proved order
    release_old_tree();
    grow(broken, {false, restored, 0}, repair);
  }
  for (const SwitchId s : broken.orphans) {
    if (waiting_[s] && routes_.next(s, broken.lid) != kNoPort)
      routes_.set_next(s, broken.lid, kNoPort);
    waiting_[s] = 0;
  }
}

/// For switches that found no path to a host's LID: lists in Repair::readdressed another LID of the
/// host that they reach, if there is one. A base LID first tries take_paths_of_other_lid().
void LayeredRepair::give_up(const BrokenLid& broken, Repair& repair) {
  const Fabric& fabric = routes_.whole();
  const LidOwner owner = fabric.owner(broken.lid);
  if (owner.kind != LidOwner::Kind::kHost) return;
  std::vector<SwitchId> without;
  for (const SwitchId s : broken.orphans)
    if (!fabric.hosts_at(s).empty() && length(s, broken.lid) == kNotReached) without.push_back(s);
  if (without.empty() || (is_base(broken.lid) && take_paths_of_other_lid(broken.lid, repair)))
    return;
  repair.dead += without.size();
  const Host& host = fabric.host(owner.id);
  for (const SwitchId s : without)
    for (unsigned i = 0; i < host.lid_count(); ++i) {
      const auto other = static_cast<Lid>(host.lid + i);
      if (length(s, other) == kNotReached) continue;
      repair.readdressed.push_back({s, broken.lid, other, routes_.tables().sl(s, broken.lid),
                                    routes_.tables().sl(s, other)});
      break;
    }
}

/// Gives a base LID the paths and SLs of another LID of its host that all switches with hosts
/// reach; false if there is no such LID. This adds no new dependency.
bool LayeredRepair::take_paths_of_other_lid(Lid base, Repair& repair) {
  const Fabric& fabric = routes_.whole();
  const Host& host = fabric.host(fabric.owner(base).id);
  const std::vector<SwitchId>& component = damaged_.component(host.at);
  for (unsigned offset = 1; offset < host.lid_count(); ++offset) {
    const auto other = static_cast<Lid>(base + offset);
    if (!std::ranges::all_of(component, [&](SwitchId s) {
          return fabric.hosts_at(s).empty() || length(s, other) != kNotReached;
        }))
      continue;
    for (const SwitchId s : component) routes_.take(s, base);
    for (const SwitchId s : component) {
      const Sl before = routes_.tables().sl(s, base), after = routes_.tables().sl(s, other);
      routes_.set_next(s, base, routes_.next(s, other));
      if (before == after) continue;
      routes_.set_sl(s, base, after);
      if (!fabric.hosts_at(s).empty()) repair.readdressed.push_back({s, base, base, before, after});
    }
    for (const SwitchId s : component) routes_.put(s, base);
    return true;
  }
  return false;
}

/// Returns the LID to its original paths, if the present ones are more than 5 % longer in sum and
/// all channels of the original ones work. Changes nothing if the original paths close a cycle of
/// dependencies on the present SLs.
void LayeredRepair::return_to_original(Lid lid) {
  const Fabric& fabric = routes_.whole();
  const SwitchId destination_switch = fabric.destination_switch(lid);
  if (destination_switch == kNoSwitch || damaged_.delivery_port(lid) == kNoPort) return;
  const std::vector<SwitchId>& component = damaged_.component(destination_switch);
  std::uint64_t now = 0, then = 0;
  for (const SwitchId s : component) {
    const std::uint32_t links = length(s, lid);
    if (links == kNotReached) continue;
    now += links;
    std::uint32_t original = 0;
    for (SwitchId at = s; at != destination_switch; ++original) {
      const Channel c = routes_.channel_at(at, routes_.original().next(at, lid));
      if (c == kNoChannel || !damaged_.alive()[c] || original > component.size()) return;
      at = fabric.target(c);
    }
    then += original;
  }
  if (100 * now <= 105 * then) return;
  std::vector<PortNum> before;
  for (const SwitchId s : component) routes_.take(s, lid);
  for (const SwitchId s : component) {
    before.push_back(routes_.next(s, lid));
    routes_.set_next(s, lid, routes_.original().next(s, lid));
  }
  std::size_t counted = 0;
  while (counted < component.size() && routes_.add(component[counted], lid)) ++counted;
  if (counted == component.size()) return;
  for (std::size_t i = 0; i < counted; ++i) routes_.take(component[i], lid);
  for (std::size_t i = 0; i < component.size(); ++i) routes_.set_next(component[i], lid, before[i]);
  for (const SwitchId s : component) routes_.add(s, lid);
}

}  // namespace selvedge
