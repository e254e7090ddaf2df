// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/disjoint/path_columns.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <utility>

#include "tests/unit/engines/small_graphs.hpp"

namespace selvedge {
namespace {

using test::Arcs;
using test::Ruled;

/// The packer on a graph, with all objects that it refers to.
struct Packed {
  Ruled g;
  PathCandidates candidates;
  Arcs safe;
  PathColumns columns;
  std::vector<SwitchId> sources;

  Packed(Ruled ruled, const PackRequest& request)
      : g(std::move(ruled)),
        candidates(g.graph, g.rules, {}),
        safe(g.tree()),
        columns(g.graph, g.rules, candidates, safe, request) {
    for (SwitchId s = 0; s < g.fabric.num_switches(); ++s) sources.push_back(s);
  }

  /// The path from s in a column; checks that there is one, and that it is admitted.
  Arcs path(unsigned column, SwitchId s, SwitchId d) const {
    Arcs arcs;
    for (SwitchId at = s; at != d; at = g.graph.target[arcs.back()]) {
      RC_ASSERT(arcs.size() < g.fabric.num_switches());  // else it is a loop
      const Arc arc = columns.next(column, at);
      RC_ASSERT(arc != kNoArc);
      RC_ASSERT(g.tail(arc) == at);
      arcs.push_back(arc);
    }
    return arcs;
  }
};

PackRequest any_request() {
  PackRequest request;
  request.columns = *rc::gen::element(1u, 2u, 4u, 8u, 16u, 32u);
  request.attempts = *rc::gen::inRange(1u, 9u);
  request.column_cost = *rc::gen::inRange(0u, 6u);
  return request;
}

RC_GTEST_PROP(PathColumns, every_column_is_an_admitted_tree, ()) {
  Packed p(Ruled(*test::any_fabric(), *rc::gen::inRange(1u, 3u), *rc::gen::inRange(1u, 5u)),
           any_request());
  for (SwitchId d = 0; d < p.g.fabric.num_switches(); ++d) {
    p.columns.pack(d, p.sources, kMaxDisjoint);
    RC_ASSERT(p.columns.used() >= 1u);
    const std::vector<unsigned> distance = test::hop_distances(p.g.fabric, d);
    for (unsigned column = 0; column < p.columns.used(); ++column)
      for (SwitchId s = 0; s < p.g.fabric.num_switches(); ++s) {
        if (s == d || distance[s] == test::kApart) {
          RC_ASSERT(p.columns.next(column, s) == kNoArc);
          continue;
        }
        const Arcs path = p.path(column, s, d);
        RC_ASSERT(p.columns.sls(column, s) != 0);
        RC_ASSERT(p.columns.sls(column, s) == test::serving(p.g, path));
      }
  }
}

/// How many of a source's paths in the columns are pairwise disjoint.
unsigned realised(const Packed& p, SwitchId s, SwitchId d) {
  std::vector<Arcs> ways;
  for (unsigned column = 0; column < p.columns.used(); ++column) {
    Arcs way = p.path(column, s, d);
    if (std::ranges::find(ways, way) == ways.end()) ways.push_back(std::move(way));
  }
  return test::most_disjoint(p.g.graph, ways);
}

RC_GTEST_PROP(PathColumns, hold_all_paths_but_the_reported_shortfall, ()) {
  const PackRequest request = any_request();
  Packed p(Ruled(*test::small_graph(8, 8), *rc::gen::inRange(1u, 3u), *rc::gen::inRange(1u, 5u)),
           request);
  const unsigned wanted = *rc::gen::inRange(1u, 9u);
  for (SwitchId d = 0; d < p.g.fabric.num_switches(); ++d) {
    p.columns.pack(d, p.sources, wanted);
    unsigned possible = 0, there = 0;
    for (SwitchId s = 0; s < p.g.fabric.num_switches(); ++s) {
      if (s == d || p.candidates.distance()[s] == PathCandidates::kFar) continue;
      const unsigned fabric_has =
          test::most_disjoint(p.g.graph, test::simple_paths(p.g.graph, s, d));
      possible += std::min({fabric_has, wanted, request.columns});
      there += std::min(realised(p, s, d), wanted);
    }
    RC_ASSERT(there + p.columns.shortfall() >= possible);
    RC_ASSERT(p.columns.shortfall() <= possible);
  }
}

/// Whether all paths to some switches pass one other switch.
bool has_cut_switch(const SwitchGraph& graph) {
  const SwitchId n = graph.num_switches();
  for (SwitchId cut = 0; cut < n; ++cut) {
    std::vector<char> seen(n);
    std::vector<SwitchId> reached = {cut == 0 ? 1u : 0u};
    seen[cut] = seen[reached[0]] = 1;
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (Arc a = graph.first[reached[i]]; a < graph.first[reached[i] + 1]; ++a)
        if (!std::exchange(seen[graph.target[a]], 1)) reached.push_back(graph.target[a]);
    if (reached.size() + 1 < n) return true;
  }
  return false;
}

/// A single source: its paths and its shortfall add up to what the fabric has.
RC_GTEST_PROP(PathColumns, shortfall_is_against_what_the_fabric_has, ()) {
  PackRequest request;
  request.columns = *rc::gen::element(1u, 2u, 8u);
  Packed p(Ruled(*test::small_graph(6, 7), *rc::gen::inRange(1u, 3u), *rc::gen::inRange(1u, 5u)),
           request);
  const unsigned wanted = std::min(*rc::gen::inRange(1u, 9u), request.columns);
  for (SwitchId d = 0; d < p.g.fabric.num_switches(); ++d)
    for (SwitchId s = 0; s < p.g.fabric.num_switches(); ++s) {
      if (s == d) continue;
      const SwitchId only[] = {s};
      p.columns.pack(d, only, wanted);
      if (p.candidates.distance()[s] == PathCandidates::kFar) continue;
      const std::vector<Arcs> all = test::simple_paths(p.g.graph, s, d);
      const unsigned there = std::min(realised(p, s, d), wanted);
      RC_ASSERT(there + p.columns.shortfall() ==
                std::min(test::most_disjoint(p.g.graph, all), wanted));
      // A single source gets all paths that the rules admit, with a column beside the first for
      // each. (No search reaches its limit on graphs as small as these.) Switches behind a cut
      // switch are excluded: they are in every tree of that switch, and a tree in which the rules
      // leave them no path becomes a copy.
      if (request.columns <= wanted || has_cut_switch(p.g.graph)) continue;
      std::vector<Arcs> admitted;
      for (const Arcs& path : all)
        if (test::serving(p.g, path) != 0) admitted.push_back(path);
      RC_ASSERT(there == std::min(test::most_disjoint(p.g.graph, admitted), wanted));
    }
}

//   ,---1---.     Five ways from 0 to 5, by 1, 2, 3, 4 and directly. The cable 3--4 makes others,
//  /,---2---.\    of three hops, which are of no use.
// 0-----3-----5
// |\    |    /|
// | `---4---' |
// `-----------'
TEST(PathColumns, fewer_columns_mean_fewer_paths) {
  const Fabric f = test::draw(
      6, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 5}, {2, 5}, {3, 5}, {4, 5}, {3, 4}, {0, 5}});
  for (const unsigned columns : {1u, 2u, 4u, 5u, 8u}) {
    PackRequest request;
    request.columns = columns;
    Packed p(Ruled(f, 2, 4), request);
    const SwitchId only[] = {0};
    p.columns.pack(5, only, kMaxDisjoint);
    EXPECT_EQ(realised(p, 0, 5), std::min(columns, 5u));
    EXPECT_EQ(p.columns.used(), std::min(columns, 5u));
    EXPECT_EQ(p.columns.shortfall(), 0u);  // of what as many columns could hold
  }
}

RC_GTEST_PROP(PathColumns, column_0_reaches_neighbours_at_once, ()) {
  const Fabric f = *test::any_fabric();
  RC_PRE(f.num_switches() <= 25u);
  Packed p(Ruled(f, 2, 4), {});
  for (SwitchId d = 0; d < p.g.fabric.num_switches(); ++d) {
    p.columns.pack(d, p.sources, kMaxDisjoint);
    for (SwitchId s = 0; s < p.g.fabric.num_switches(); ++s)
      if (p.candidates.distance()[s] == 1) RC_ASSERT(p.path(0, s, d).size() == 1u);
  }
}

RC_GTEST_PROP(PathColumns, the_packer_keeps_no_state, ()) {
  const Fabric f = *test::any_fabric();
  RC_PRE(f.num_switches() <= 25u);
  Packed used(Ruled(f, 2, 4), {}), fresh(Ruled(f, 2, 4), {});
  const SwitchId n = f.num_switches();
  for (SwitchId d = 0; d < n; ++d) used.columns.pack(d, used.sources, kMaxDisjoint);
  const SwitchId d = *rc::gen::inRange<SwitchId>(0, n);
  for (Packed* p : {&used, &fresh}) p->columns.pack(d, p->sources, 3);
  RC_ASSERT(used.columns.used() == fresh.columns.used());
  RC_ASSERT(used.columns.shortfall() == fresh.columns.shortfall());
  for (unsigned column = 0; column < used.columns.used(); ++column)
    for (SwitchId s = 0; s < n; ++s)
      RC_ASSERT(used.columns.next(column, s) == fresh.columns.next(column, s));
}

}  // namespace
}  // namespace selvedge
