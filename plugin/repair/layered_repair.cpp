// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/layered_repair.hpp"

#include <algorithm>
#include <queue>

namespace selvedge {
namespace {

// The order in which next hops are tried.
constexpr std::uint8_t kAsItIs = 0;    // on its SL, over existing dependencies
constexpr std::uint8_t kWithMore = 1;  // on its SL, over new ones
constexpr std::uint8_t kOtherSl = 2;   // on another SL, over existing dependencies
constexpr std::uint8_t kOtherWithMore = 3;

constexpr unsigned kTreesAnew = 4;  // salts tried for a whole tree
constexpr unsigned kSalts = 3;      // salts tried if only broken paths are repaired

}  // namespace

LayeredRepair::LayeredRepair(const Fabric& whole, const Tables& tables,
                             std::optional<ParentChannels> tree, const RepairRequest& request)
    : routes_(whole, tables, request.max_vls),
      tree_(routes_.dependencies(), whole, routes_.tables(), std::move(tree)),
      remains_(whole),
      choice_(routes_),
      sound_(routes_.dependencies().order()),
      move_unbroken_(request.move_unbroken),
      waiting_(whole.num_switches(), 0),
      length_(whole.num_switches(), 0),
      known_(whole.num_switches(), 0),
      stamp_(whole.num_switches(), 0) {
  pin_tree(1);
}

/// Pins the SL2VL entries that the tree's packets use, so that they are not free.
void LayeredRepair::pin_tree(int times) {
  const Fabric& fabric = routes_.whole();
  const std::optional<ParentChannels>& tree = tree_.parents();
  if (!tree) return;
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

void LayeredRepair::mend_tree() {
  pin_tree(-1);
  if (tree_.mend(remains_.fabric(), routes_.tables(), nullptr)) routes_.dependencies().order();
  pin_tree(1);
}

bool LayeredRepair::is_base(Lid lid) const {
  const LidOwner owner = routes_.whole().owner(lid);
  return owner.kind == LidOwner::Kind::kHost && routes_.whole().host(owner.id).lid == lid;
}

/// Links to the owner along the entries; kNotReached if they do not lead there.
std::uint32_t LayeredRepair::length(SwitchId s, Lid lid) const {
  const SwitchId destination_switch = routes_.whole().destination_switch(lid);
  std::uint32_t links = 0;
  while (s != destination_switch) {
    const Channel c = routes_.out_of(s, lid);
    if (c == kNoChannel || !remains_.alive()[c] || links > waiting_.size()) return kNotReached;
    s = routes_.whole().target(c);
    ++links;
  }
  return routes_.next(destination_switch, lid) == kNoPort ? kNotReached : links;
}

Repair LayeredRepair::fail(const Fabric& left, std::span<const Channel> went) {
  remains_.look(left);
  return mend_all(remains_.broken(went, routes_.tables()), false, true);
}

Repair LayeredRepair::restore(const Fabric& left) {
  remains_.look(left);
  Repair repair = mend_all(remains_.missing(routes_.tables()), true, false);
  for (unsigned lid = 1; lid <= routes_.tables().top_lid(); ++lid)
    if (routes_.moved(static_cast<Lid>(lid)) > 0) return_to_base(static_cast<Lid>(lid));
  repair.delta = routes_.take_delta();
  return repair;
}

/// Removes the paths of all switches affected by the breaks, and the entries that lead nowhere.
std::vector<LayeredRepair::Hit> LayeredRepair::take_out(const std::vector<Break>& breaks) {
  std::vector<Hit> hits;
  const Fabric& fabric = routes_.whole();
  for (std::size_t i = 0; i < breaks.size();) {
    const std::size_t first = i;
    Hit hit{breaks[i].lid, {}};
    ++stamp_now_;
    for (; i < breaks.size() && breaks[i].lid == hit.lid; ++i) {
      stamp_[breaks[i].at] = stamp_now_;
      hit.orphans.push_back(breaks[i].at);
    }
    for (std::size_t k = 0; k < hit.orphans.size(); ++k)
      for (const Channel c : fabric.out(hit.orphans[k])) {
        const SwitchId from = fabric.target(c);
        if (stamp_[from] == stamp_now_ || routes_.out_of(from, hit.lid) != fabric.peer(c)) continue;
        stamp_[from] = stamp_now_;
        hit.orphans.push_back(from);
      }
    for (const SwitchId s : hit.orphans) routes_.take(s, hit.lid);
    const SwitchId destination_switch = fabric.destination_switch(hit.lid);
    for (std::size_t k = first; k < i; ++k) {
      const SwitchId s = breaks[k].at;
      const PortNum last = s == destination_switch ? remains_.last_port(hit.lid) : kNoPort;
      if (routes_.next(s, hit.lid) != last) routes_.set_next(s, hit.lid, last);
    }
    // Paths to unreachable LIDs keep their entries, and so do paths that still arrive.
    std::erase_if(hit.orphans, [&](SwitchId s) {
      if (remains_.served(hit.lid, s) && length(s, hit.lid) == kNotReached) return false;
      routes_.put(s, hit.lid);
      return true;
    });
    if (!hit.orphans.empty()) hits.push_back(std::move(hit));
  }
  return hits;
}

Repair LayeredRepair::mend_all(const std::vector<Break>& breaks, bool came_back,
                               bool count_affected) {
  Repair repair;
  const std::vector<Hit> hits = take_out(breaks);
  const bool to_hosts = count_affected;
  for (const Hit& hit : hits)
    if (to_hosts && routes_.whole().owner(hit.lid).kind == LidOwner::Kind::kHost)
      for (const SwitchId s : hit.orphans) repair.affected += !routes_.whole().hosts_at(s).empty();
  // Most constrained first: the multicast tree, then base LIDs, which most hosts use.
  mend_tree();
  for (const bool base : {true, false})
    for (const Hit& hit : hits)
      if (is_base(hit.lid) == base) mend(hit, came_back, repair);
  for (const Hit& hit : hits) give_up(hit, repair);
  repair.method = "detours";
  repair.delta = came_back ? Delta{} : routes_.take_delta();
  repair.multicast = tree_.parents();
  return repair;
}

void LayeredRepair::settle(const Candidate& best, Lid lid, Repair& repair) {
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

/// Attaches waiting switches to switches that have a path, best candidate first.
void LayeredRepair::grow(const Hit& hit, const Manner& manner, Repair& repair) {
  const Fabric& left = remains_.fabric();
  ++stamp_now_;
  const auto length_of = [&](SwitchId s) {
    if (known_[s] != stamp_now_) {
      known_[s] = stamp_now_;
      length_[s] = length(s, hit.lid);
    }
    return length_[s];
  };
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates;
  const auto offer = [&](SwitchId s, Channel c) {
    const std::uint32_t there = length_of(left.target(c));
    if (there == kNotReached) return;
    const PortNum port = left.port_of(c);
    const bool moves = routes_.next(s, hit.lid) != port;
    const unsigned turn = (port + hit.lid + manner.salt) % (left.node(s).ports + 1u);
    for (unsigned sl = 0; sl < kSls; ++sl) {
      const bool own = sl == routes_.tables().sl(s, hit.lid);
      if ((routes_.sls() >> sl & 1u) == 0 || (manner.own_sl && !own)) continue;
      candidates.push({own ? kAsItIs : kOtherSl, manner.keep_ports && moves, there + 1, moves, turn,
                       s, port, static_cast<Sl>(sl)});
    }
  };
  for (const SwitchId s : hit.orphans)
    for (const Channel c : left.out(s))
      if (waiting_[s] && left.target(c) != s && !waiting_[left.target(c)]) offer(s, c);
  while (!candidates.empty()) {
    Candidate best = candidates.top();
    candidates.pop();
    if (!waiting_[best.at]) continue;
    const bool more = best.stage == kWithMore || best.stage == kOtherWithMore;
    if (!choice_.find(best.at, best.port, best.sl, hit.lid, {more})) {
      if (!more) {
        best.stage = best.stage == kAsItIs ? kWithMore : kOtherWithMore;
        candidates.push(best);
      }
      continue;
    }
    waiting_[best.at] = 0;
    known_[best.at] = stamp_now_;
    length_[best.at] = best.length;
    settle(best, hit.lid, repair);
    for (const Channel c : left.out(best.at))
      if (waiting_[left.target(c)]) offer(left.target(c), left.peer(c));
  }
}

/// Undoes a grow() in which all kept their SLs. `before`: the ports of the hit's orphans.
void LayeredRepair::undo(const Hit& hit, const std::vector<PortNum>& before) {
  for (const SwitchId s : hit.orphans)
    if (!waiting_[s]) routes_.take(s, hit.lid);
  for (std::size_t i = written_.size(); i-- > 0;) routes_.set_vl(written_[i].entry, written_[i].vl);
  for (std::size_t i = 0; i < hit.orphans.size(); ++i) {
    if (routes_.next(hit.orphans[i], hit.lid) != before[i])
      routes_.set_next(hit.orphans[i], hit.lid, before[i]);
    waiting_[hit.orphans[i]] = 1;
  }
  written_.clear();
}

/// Attaches as many orphans as possible on their own SLs: tries several salts and keeps the one
/// that leaves fewest waiting.
void LayeredRepair::grow_best(const Hit& hit, bool keep_ports, Repair& repair) {
  std::vector<PortNum> before;
  for (const SwitchId s : hit.orphans) {
    before.push_back(routes_.next(s, hit.lid));
    waiting_[s] = 1;
  }
  written_.clear();
  const auto left = [&] {
    return std::ranges::count_if(hit.orphans, [&](SwitchId s) { return waiting_[s] != 0; });
  };
  const auto run = [&](unsigned salt) { grow(hit, {true, keep_ports, salt}, repair); };
  run(0);
  auto least = left();
  unsigned best = 0, last = 0;
  for (unsigned salt = 1; least > 0 && salt < kSalts; ++salt) {
    undo(hit, before);
    run(last = salt);
    if (const auto now = left(); now < least) {
      least = now;
      best = salt;
    }
  }
  if (best == last) return;
  undo(hit, before);
  run(best);
}

/// Whether an orphan with hosts still waits for a path to a host's LID.
bool LayeredRepair::waits(const Hit& hit) const {
  const Fabric& fabric = routes_.whole();
  return fabric.owner(hit.lid).kind == LidOwner::Kind::kHost &&
         std::ranges::any_of(
             hit.orphans, [&](SwitchId s) { return waiting_[s] && !fabric.hosts_at(s).empty(); });
}

/// Builds the whole tree of the LID again, with all paths on their SLs. On failure restores the old
/// tree and returns false.
bool LayeredRepair::anew(const Hit& hit, Repair& repair) {
  const SwitchId destination_switch = routes_.whole().destination_switch(hit.lid);
  Hit all{hit.lid, remains_.piece(destination_switch)};
  std::erase(all.orphans, destination_switch);
  std::vector<std::uint8_t> waited;
  std::vector<PortNum> before;
  for (const SwitchId s : all.orphans) {
    waited.push_back(waiting_[s]);
    before.push_back(routes_.next(s, hit.lid));
    if (!waiting_[s]) routes_.take(s, hit.lid);
  }
  for (unsigned salt = 0; salt < kTreesAnew; ++salt) {
    for (const SwitchId s : all.orphans) waiting_[s] = 1;
    written_.clear();
    grow(all, {true, salt == 0, salt}, repair);
    if (!waits(all)) {
      for (const SwitchId s : all.orphans) {  // without hosts
        if (waiting_[s] && routes_.next(s, hit.lid) != kNoPort)
          routes_.set_next(s, hit.lid, kNoPort);
        waiting_[s] = 0;
      }
      return true;
    }
    undo(all, before);
  }
  for (std::size_t i = 0; i < all.orphans.size(); ++i) {
    waiting_[all.orphans[i]] = waited[i];
    if (!waited[i]) routes_.add(all.orphans[i], hit.lid);
  }
  return false;
}

void LayeredRepair::mend(const Hit& hit, bool came_back, Repair& repair) {
  grow_best(hit, came_back, repair);
  if (move_unbroken_ && waits(hit)) anew(hit, repair);
  if (std::ranges::any_of(hit.orphans, [&](SwitchId s) { return waiting_[s] != 0; }))
    grow(hit, {false, came_back, 0}, repair);
  for (const SwitchId s : hit.orphans) {
    if (waiting_[s] && routes_.next(s, hit.lid) != kNoPort) routes_.set_next(s, hit.lid, kNoPort);
    waiting_[s] = 0;
  }
}

/// For switches without any usable next hop: names another LID of the host, if one works.
void LayeredRepair::give_up(const Hit& hit, Repair& repair) {
  const Fabric& fabric = routes_.whole();
  const LidOwner owner = fabric.owner(hit.lid);
  if (owner.kind != LidOwner::Kind::kHost) return;
  std::vector<SwitchId> without;
  for (const SwitchId s : hit.orphans)
    if (!fabric.hosts_at(s).empty() && length(s, hit.lid) == kNotReached) without.push_back(s);
  if (without.empty() || (is_base(hit.lid) && take_over(hit.lid, repair))) return;
  repair.dead += without.size();
  const Host& host = fabric.host(owner.id);
  for (const SwitchId s : without)
    for (unsigned i = 0; i < host.lid_count(); ++i) {
      const auto other = static_cast<Lid>(host.lid + i);
      if (length(s, other) == kNotReached) continue;
      repair.readdressed.push_back(
          {s, hit.lid, other, routes_.tables().sl(s, hit.lid), routes_.tables().sl(s, other)});
      break;
    }
}

/// A base LID takes the paths and SLs of another LID of its host that all switches with hosts
/// reach. This adds no new dependency.
bool LayeredRepair::take_over(Lid base, Repair& repair) {
  const Fabric& fabric = routes_.whole();
  const Host& host = fabric.host(fabric.owner(base).id);
  const std::vector<SwitchId>& piece = remains_.piece(host.at);
  for (unsigned offset = 1; offset < host.lid_count(); ++offset) {
    const auto other = static_cast<Lid>(base + offset);
    if (!std::ranges::all_of(piece, [&](SwitchId s) {
          return fabric.hosts_at(s).empty() || length(s, other) != kNotReached;
        }))
      continue;
    for (const SwitchId s : piece) routes_.take(s, base);
    for (const SwitchId s : piece) {
      const Sl before = routes_.tables().sl(s, base), after = routes_.tables().sl(s, other);
      routes_.set_next(s, base, routes_.next(s, other));
      if (before == after) continue;
      routes_.set_sl(s, base, after);
      if (!fabric.hosts_at(s).empty()) repair.readdressed.push_back({s, base, base, before, after});
    }
    for (const SwitchId s : piece) routes_.put(s, base);
    return true;
  }
  return false;
}

/// Returns the LID to its original paths if the present ones are more than 5 % longer. All original
/// channels must be back, and the paths must close no cycle on their present SLs.
void LayeredRepair::return_to_base(Lid lid) {
  const Fabric& fabric = routes_.whole();
  const SwitchId destination_switch = fabric.destination_switch(lid);
  if (destination_switch == kNoSwitch || remains_.last_port(lid) == kNoPort) return;
  const std::vector<SwitchId>& piece = remains_.piece(destination_switch);
  std::uint64_t now = 0, then = 0;
  for (const SwitchId s : piece) {
    const std::uint32_t links = length(s, lid);
    if (links == kNotReached) continue;
    now += links;
    std::uint32_t base = 0;
    for (SwitchId at = s; at != destination_switch; ++base) {
      const Channel c = routes_.channel_at(at, routes_.base().next(at, lid));
      if (c == kNoChannel || !remains_.alive()[c] || base > piece.size()) return;
      at = fabric.target(c);
    }
    then += base;
  }
  if (100 * now <= 105 * then) return;
  std::vector<PortNum> before;
  for (const SwitchId s : piece) routes_.take(s, lid);
  for (const SwitchId s : piece) {
    before.push_back(routes_.next(s, lid));
    routes_.set_next(s, lid, routes_.base().next(s, lid));
  }
  std::size_t counted = 0;
  while (counted < piece.size() && routes_.add(piece[counted], lid)) ++counted;
  if (counted == piece.size()) return;
  for (std::size_t i = 0; i < counted; ++i) routes_.take(piece[i], lid);
  for (std::size_t i = 0; i < piece.size(); ++i) routes_.set_next(piece[i], lid, before[i]);
  for (const SwitchId s : piece) routes_.add(s, lid);
}

}  // namespace selvedge
