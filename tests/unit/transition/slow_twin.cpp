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

std::vector<bool> deadlock_free_phases(const Fabric& fabric, const Tables& from,
                                       const SendPlan& plan, bool any_sl, bool stale_sls) {
  std::vector<bool> free;
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
    free.push_back(!cyclic(edges));
    before = after;
  }
  return free;
}

bool deadlock_free(const Fabric& fabric, const Tables& from, const SendPlan& plan, bool any_sl,
                   bool stale_sls) {
  return std::ranges::all_of(deadlock_free_phases(fabric, from, plan, any_sl, stale_sls),
                             [](bool free) { return free; });
}

}  // namespace slow_twin
