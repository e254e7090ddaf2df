// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// For the tests of tftr's parts: graphs of a few switches whose paths can all be listed, and a
// plain reference for turn_rules.hpp, arc by arc and SL by SL.
#pragma once

#include <optional>
#include <string>

#include "plugin/engines/turn_rules.hpp"
#include "plugin/engines/updn/orientation.hpp"
#include "tests/unit/engines/drawn.hpp"

namespace selvedge::test {

using Arcs = std::vector<Arc>;

/// A fabric with the order of its switches and its turn rules.
struct Ruled {
  Fabric fabric;
  Orientation orientation;
  SwitchGraph graph;
  TurnRules rules;

  Ruled(Fabric f, unsigned vls, unsigned sls) : fabric(std::move(f)) {
    const SwitchGraph bare = make_switch_graph(fabric);
    orientation = orient(fabric, bare, components(bare), EngineRequest::Tree::kDfs, {});
    graph = directed(bare, orientation.rank);
    rules = order_rules(graph, vls, sls);
  }

  SwitchId tail(Arc arc) const { return fabric.switch_of(graph.channel[arc]); }
  bool up(Arc arc) const {
    return orientation.rank[graph.target[arc]] < orientation.rank[tail(arc)];
  }

  /// The tree's arcs towards its roots.
  Arcs tree() const {
    Arcs arcs(fabric.num_switches(), kNoArc);
    for (Arc a = 0; a < graph.num_arcs(); ++a)
      if (orientation.tree[tail(a)] == graph.channel[a]) arcs[tail(a)] = a;
    return arcs;
  }
};

/// Random graphs with parallel cables and several components, one host a switch or more.
inline rc::Gen<Fabric> small_graph(unsigned max_switches, unsigned max_extra) {
  return rc::gen::resize(
      100, rc::gen::map(rc::gen::tuple(rc::gen::inRange(2u, max_switches + 1),
                                       rc::gen::inRange(0u, max_extra + 1),
                                       rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>())),
                        [](const auto& drawn) {
                          const auto& [switches, extra, seed] = drawn;
                          return random_irregular({switches, extra, switches, 0, seed}, {});
                        }));
}

/// Whether a packet is on VL 1 after this turn: the table of order_rules(), by SL.
inline bool rises(unsigned sl, bool in_up, bool out_up) {
  static constexpr bool kDownDown[] = {0, 0, 1, 0}, kUpUp[] = {0, 1, 1, 1},
                        kUpDown[] = {0, 1, 1, 0};
  if (in_up) return (out_up ? kUpUp : kUpDown)[sl];
  return out_up || kDownDown[sl];
}

/// The VLs of a path of these steps ('u' or 'd'); nothing if this SL does not serve it.
inline std::optional<std::string> vls_along(const std::string& steps, unsigned sl, unsigned vls) {
  std::string way = "0";
  for (std::size_t i = 1; i < steps.size(); ++i) {
    const bool in_up = steps[i - 1] == 'u', out_up = steps[i] == 'u';
    const char vl = vls == 2 && rises(sl, in_up, out_up) ? '1' : '0';
    const bool forbidden = !in_up && out_up;
    if (vl < way.back() || (forbidden && vl == way.back())) return std::nullopt;
    way.push_back(vl);
  }
  return way;
}

inline std::string steps_of(const Ruled& ruled, std::span<const Arc> path) {
  std::string steps;
  for (const Arc arc : path) steps.push_back(ruled.up(arc) ? 'u' : 'd');
  return steps;
}

/// The SLs that serve a path.
inline SlSet serving(const Ruled& ruled, std::span<const Arc> path) {
  SlSet sls = 0;
  for (unsigned sl = 0; sl < ruled.rules.sls; ++sl)
    if (vls_along(steps_of(ruled, path), sl, ruled.rules.vls)) sls |= static_cast<SlSet>(1u << sl);
  return sls;
}

/// Every simple path between two switches, admitted or not.
inline std::vector<Arcs> simple_paths(const SwitchGraph& graph, SwitchId from, SwitchId to) {
  std::vector<Arcs> done, open{{}};
  while (!open.empty()) {
    const Arcs path = std::move(open.back());
    open.pop_back();
    const SwitchId at = path.empty() ? from : graph.target[path.back()];
    if (at == to) {
      if (!path.empty()) done.push_back(path);
      continue;
    }
    for (Arc a = graph.first[at]; a < graph.first[at + 1]; ++a) {
      const SwitchId next = graph.target[a];
      bool met = next == from;
      for (const Arc arc : path) met |= graph.target[arc] == next;
      if (met) continue;
      open.push_back(path);
      open.back().push_back(a);
    }
  }
  return done;
}

/// Whether two paths between the same switches share a switch between the ends, or a cable.
inline bool share(const SwitchGraph& graph, std::span<const Arc> a, std::span<const Arc> b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (a[i] == b[j]) return true;
      if (i + 1 < a.size() && j + 1 < b.size() && graph.target[a[i]] == graph.target[b[j]])
        return true;
    }
  return false;
}

/// The greatest number of these paths that are pairwise disjoint: every set is tried.
inline unsigned most_disjoint(const SwitchGraph& graph, const std::vector<Arcs>& paths) {
  struct Try {
    std::vector<std::size_t> taken;
    std::size_t next;
  };
  std::vector<Try> open{{{}, 0}};
  std::size_t most = 0;
  while (!open.empty()) {
    Try now = std::move(open.back());
    open.pop_back();
    most = std::max(most, now.taken.size());
    for (std::size_t p = now.next; p < paths.size(); ++p) {
      bool free = true;
      for (const std::size_t t : now.taken) free &= !share(graph, paths[t], paths[p]);
      if (!free) continue;
      Try more = now;
      more.taken.push_back(p);
      more.next = p + 1;
      open.push_back(std::move(more));
    }
  }
  return static_cast<unsigned>(most);
}

}  // namespace selvedge::test
