// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "tests/unit/transition/slow_twin.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace slow_twin {

using namespace selvedge;

bool cyclic(const Edges& edges) {
  std::map<Node, std::set<Node>> next;
  for (const auto& [from, to] : edges) next[from].insert(to);
  for (const auto& [start, unused] : next) {
    std::set<Node> reached;
    std::vector<Node> open(next[start].begin(), next[start].end());
    while (!open.empty()) {
      const Node n = open.back();
      open.pop_back();
      if (n == start) return true;
      if (!reached.insert(n).second) continue;
      const auto it = next.find(n);
      if (it != next.end()) open.insert(open.end(), it->second.begin(), it->second.end());
    }
  }
  return false;
}

Edges any_lfts(const Fabric& fabric, std::span<const Sl2Vl* const> sl2vl, const Sl2VlRow& hosts) {
  using Token = std::tuple<Channel, Sl, Vl>;
  std::set<Token> tokens;
  Edges edges;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (unsigned in = 0; in <= fabric.node(s).ports; ++in)
      for (const Channel out : fabric.out(s))
        for (unsigned sl = 0; sl < kSls; ++sl) {
          bool source = in == 0;
          for (const HostId h : fabric.hosts_at(s))
            source |= fabric.attached(h) && fabric.host(h).port == in && hosts[sl] != kDropVl;
          for (const Sl2Vl* rows : sl2vl) {
            const Vl vl = rows->row(s, static_cast<PortNum>(in), fabric.port_of(out))[sl];
            if (source && vl != kDropVl) tokens.emplace(out, static_cast<Sl>(sl), vl);
          }
        }
  for (bool more = true; more;) {
    more = false;
    for (const auto& [c, sl, vl] : std::set<Token>(tokens)) {
      const SwitchId at = fabric.target(c);
      for (const Channel out : fabric.out(at))
        for (const Sl2Vl* rows : sl2vl) {
          const Vl to = rows->row(at, fabric.port_of(fabric.peer(c)), fabric.port_of(out))[sl];
          if (to == kDropVl) continue;
          edges.insert({{c, vl}, {out, to}});
          more |= tokens.emplace(out, sl, to).second;
        }
    }
  }
  return edges;
}

void apply(Tables& tables, const SendPhase& phase) {
  for (const LftChange& c : phase.lft) tables.set_next(c.at, c.dlid, c.after);
  for (const Sl2VlChange& c : phase.sl2vl) tables.sl2vl.set(c.at, c.in, c.out, c.after);
  for (const SlChange& c : phase.sl) tables.set_sl(c.source, c.dlid, c.after);
  for (const MftChange& c : phase.mft) {
    tables.mft[c.mlid].resize(tables.num_switches());
    tables.mft[c.mlid][c.at] = c.after;
  }
  if (phase.host_sl2vl) tables.host_sl2vl = *phase.host_sl2vl;
}

std::vector<Edges> dependencies(const Fabric& fabric, const Tables& from, const SendPlan& plan,
                                bool any_sl, bool stale_sls) {
  std::vector<Edges> phases;
  using Token = std::tuple<Lid, Channel, Sl, Vl>;
  std::set<Token> tokens;
  Edges edges;
  Tables before = from;
  const auto between = [&](SwitchId s, PortNum port) {
    return port <= fabric.node(s).ports && fabric.between_switches(fabric.channel(s, port));
  };
  for (const SendPhase& phase : plan.phases) {
    if (phase.drain_first) {
      tokens.clear();
      edges.clear();
    }
    Tables after = before;
    apply(after, phase);
    const auto pass = [&](Lid dlid, SwitchId s, PortNum in, Sl sl, const Node* by) {
      bool fresh = false;
      for (const PortNum port : {before.next(s, dlid), after.next(s, dlid)})
        for (const Tables* rows : {&before, &after}) {
          if (!between(s, port)) continue;
          const Vl to = rows->sl2vl.row(s, in, port)[sl];
          if (to == kDropVl) continue;
          const Channel out = fabric.channel(s, port);
          if (by != nullptr) edges.insert({*by, {out, to}});
          fresh |= tokens.emplace(dlid, out, sl, to).second;
        }
      return fresh;
    };
    for (unsigned lid = 1; lid <= from.top_lid(); ++lid)
      for (SwitchId s = 0; s < fabric.num_switches(); ++s)
        for (unsigned i = 0; i < kSls; ++i) {
          const auto dlid = static_cast<Lid>(lid);
          const auto sl = static_cast<Sl>(i);
          if (!any_sl && sl != before.sl(s, dlid) && sl != after.sl(s, dlid) &&
              !(stale_sls && sl == from.sl(s, dlid)))
            continue;
          pass(dlid, s, 0, sl, nullptr);
          for (const HostId h : fabric.hosts_at(s))
            if (fabric.attached(h) &&
                (before.host_sl2vl[sl] != kDropVl || after.host_sl2vl[sl] != kDropVl))
              pass(dlid, s, fabric.host(h).port, sl, nullptr);
        }
    for (bool more = true; more;) {
      more = false;
      for (const auto& [dlid, c, sl, vl] : std::set<Token>(tokens)) {
        const Node by{c, vl};
        more |= pass(dlid, fabric.target(c), fabric.port_of(fabric.peer(c)), sl, &by);
      }
    }
    phases.push_back(edges);
    before = after;
  }
  return phases;
}

std::vector<bool> deadlock_free_phases(const Fabric& fabric, const Tables& from,
                                       const SendPlan& plan, bool any_sl, bool stale_sls) {
  std::vector<bool> free;
  for (const Edges& edges : dependencies(fabric, from, plan, any_sl, stale_sls))
    free.push_back(!cyclic(edges));
  return free;
}

bool deadlock_free(const Fabric& fabric, const Tables& from, const SendPlan& plan, bool any_sl,
                   bool stale_sls) {
  return std::ranges::all_of(deadlock_free_phases(fabric, from, plan, any_sl, stale_sls),
                             [](bool free) { return free; });
}

namespace {

/// Where a LID's packets are delivered: the switch and its port; none if its owner is detached.
std::optional<std::pair<SwitchId, PortNum>> end_of(const Fabric& fabric, Lid dlid) {
  const LidOwner owner = fabric.owner(dlid);
  if (owner.kind == LidOwner::Kind::kSwitch) return std::pair(owner.id, PortNum{0});
  if (owner.kind == LidOwner::Kind::kHost && fabric.attached(owner.id))
    return std::pair(fabric.host(owner.id).at, fabric.host(owner.id).port);
  return std::nullopt;
}

bool routable(const Fabric& fabric, SwitchId s, PortNum port) {
  return port <= fabric.node(s).ports && fabric.between_switches(fabric.channel(s, port));
}

bool arrives(const Fabric& fabric, const Tables& tables, Lid dlid, SwitchId s, PortNum in, Sl sl) {
  const auto end = end_of(fabric, dlid);
  for (std::uint32_t steps = 0; end && steps <= fabric.num_channels(); ++steps) {
    const PortNum out = tables.next(s, dlid);
    if (out > fabric.node(s).ports || tables.sl2vl.row(s, in, out)[sl] == kDropVl) return false;
    if (*end == std::pair(s, out)) return true;
    if (!routable(fabric, s, out)) return false;
    const Channel c = fabric.channel(s, out);
    s = fabric.target(c);
    in = fabric.port_of(fabric.peer(c));
  }
  return false;
}

}  // namespace

std::optional<Loss> loss(const Fabric& fabric, const Tables& from, const SendPlan& plan, Lid dlid) {
  Tables last = from;
  for (const SendPhase& phase : plan.phases) apply(last, phase);
  return loss(fabric, from, last, from, plan, dlid);
}

std::optional<Loss> loss(const Fabric& fabric, const Tables& first, const Tables& last,
                         const Tables& from, const SendPlan& plan, Lid dlid) {
  using Place = std::tuple<SwitchId, PortNum, Sl>;  // has come to a switch by a port
  std::set<Place> sources;
  const auto source = [&](SwitchId s, PortNum in, unsigned sl) {
    const auto with = static_cast<Sl>(sl);
    if (arrives(fabric, first, dlid, s, in, with) && arrives(fabric, last, dlid, s, in, with))
      sources.emplace(s, in, with);
  };
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    for (unsigned sl = 0; sl < kSls; ++sl) {
      source(s, 0, sl);
      if (first.host_sl2vl[sl] == kDropVl || last.host_sl2vl[sl] == kDropVl) continue;
      for (const HostId h : fabric.hosts_at(s)) source(s, fabric.host(h).port, sl);
    }
  std::set<Place> places;
  Tables before = from;
  for (std::size_t p = 0; p < plan.phases.size(); ++p) {
    Tables after = before;
    apply(after, plan.phases[p]);
    if (plan.phases[p].drain_first) places.clear();
    std::set<Place> here = places;  // now; sources are on no cable yet
    for (const auto& [s, in, sl] : sources)
      if (sl == before.sl(s, dlid) || sl == after.sl(s, dlid)) here.emplace(s, in, sl);
    Loss found{p, {}, {}};
    for (std::vector<Place> open(here.begin(), here.end()); !open.empty();) {
      const auto [s, in, sl] = open.back();
      open.pop_back();
      for (const PortNum out : {before.next(s, dlid), after.next(s, dlid)}) {
        const auto drops = [&](const Tables& t) {
          return out > fabric.node(s).ports || t.sl2vl.row(s, in, out)[sl] == kDropVl;
        };
        if (drops(before) || drops(after)) {
          found.dropped.emplace(s, in, sl);
        } else if (end_of(fabric, dlid) == std::pair(s, out)) {
          continue;
        } else if (!routable(fabric, s, out)) {
          found.dropped.emplace(s, in, sl);
        } else {
          const Channel c = fabric.channel(s, out);
          const Place next{fabric.target(c), fabric.port_of(fabric.peer(c)), sl};
          places.insert(next);
          if (here.insert(next).second) open.push_back(next);
        }
      }
    }
    if (!found.dropped.empty()) return found;
    for (const auto& [start, in, sl] : here) {
      std::set<SwitchId> reached;
      for (std::vector<SwitchId> open{start}; !open.empty();) {
        const SwitchId s = open.back();
        open.pop_back();
        for (const PortNum out : {before.next(s, dlid), after.next(s, dlid)}) {
          if (end_of(fabric, dlid) == std::pair(s, out) || !routable(fabric, s, out)) continue;
          const SwitchId to = fabric.target(fabric.channel(s, out));
          if (reached.insert(to).second) open.push_back(to);
        }
      }
      if (reached.contains(start)) found.circling.insert(start);
    }
    if (!found.circling.empty()) return found;
    before = after;
  }
  return std::nullopt;
}

}  // namespace slow_twin
