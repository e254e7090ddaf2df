// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/disjoint/path_candidates.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "tests/unit/engines/small_graphs.hpp"

namespace selvedge {
namespace {

using test::Arcs;
using test::Ruled;

constexpr CandidateLimits kWide{.slack = 100, .turns = 100, .per_first_arc = 1'000'000};

/// Changes of direction on a path.
unsigned changes(const std::vector<std::uint8_t>& direction, std::span<const Arc> path) {
  unsigned n = 0;
  for (std::size_t i = 1; i < path.size(); ++i)
    n += direction[path[i - 1]] != direction[path[i]] ? 1 : 0;
  return n;
}

/// By length, the admitted simple paths that leave by this arc.
std::map<std::size_t, std::set<Arcs>> listed(const Ruled& g, const std::vector<Arcs>& all,
                                             Arc first) {
  std::map<std::size_t, std::set<Arcs>> paths;
  for (const Arcs& path : all)
    if (path.front() == first && test::serving(g, path) != 0) paths[path.size()].insert(path);
  return paths;
}

RC_GTEST_PROP(PathCandidates, are_all_admitted_simple_paths, ()) {
  const Ruled g(*test::small_graph(7, 7), *rc::gen::inRange(1u, 3u), *rc::gen::inRange(1u, 5u));
  PathCandidates candidates(g.graph, g.rules, {});
  for (SwitchId d = 0; d < g.fabric.num_switches(); ++d) {
    candidates.set_destination(d);
    const std::vector<unsigned> distance = test::hop_distances(g.fabric, d);
    for (SwitchId s = 0; s < g.fabric.num_switches(); ++s) {
      if (distance[s] == test::kApart) {
        RC_ASSERT(candidates.distance()[s] == PathCandidates::kFar);
        continue;
      }
      RC_ASSERT(candidates.distance()[s] == distance[s]);
      const std::vector<Arcs> all = test::simple_paths(g.graph, s, d);
      const PathCandidates::Set& set = candidates.from(s, kWide);
      RC_ASSERT(set.group.size() == g.graph.first[s + 1] - g.graph.first[s] + 1);
      RC_ASSERT(set.group.back() == set.paths.size());
      for (std::size_t i = 0; i + 1 < set.group.size(); ++i) {
        const Arc first = g.graph.first[s] + static_cast<Arc>(i);
        auto expected = s == d ? std::map<std::size_t, std::set<Arcs>>{} : listed(g, all, first);
        std::uint16_t before = 0;
        for (std::uint32_t p = set.group[i]; p < set.group[i + 1]; ++p) {
          const auto arcs = candidates.arcs(set.paths[p]);
          const Arcs path(arcs.begin(), arcs.end());
          RC_ASSERT(set.paths[p].length >= before);
          before = set.paths[p].length;
          RC_ASSERT(expected[path.size()].erase(path) == 1u);  // admitted, and not twice
          RC_ASSERT(set.paths[p].sls == test::serving(g, path));
        }
        for (const auto& [length, missing] : expected) RC_ASSERT(missing.empty());
      }
    }
  }
}

RC_GTEST_PROP(PathCandidates, limits_leave_the_shorter_paths, ()) {
  const Ruled g(*test::small_graph(7, 7), 2, *rc::gen::inRange(1u, 5u));
  std::vector<std::uint8_t> direction;
  const bool knows_directions = *rc::gen::arbitrary<bool>();
  if (knows_directions)
    for (Arc a = 0; a < g.graph.num_arcs(); ++a)
      direction.push_back(*rc::gen::inRange<std::uint8_t>(0, 3));
  const CandidateLimits limits{.slack = *rc::gen::inRange(0u, 4u),
                               .turns = *rc::gen::inRange(0u, 4u),
                               .per_first_arc = *rc::gen::inRange(1u, 6u)};
  PathCandidates candidates(g.graph, g.rules, direction);
  const SwitchId d = *rc::gen::inRange<SwitchId>(0, g.fabric.num_switches());
  candidates.set_destination(d);
  for (SwitchId s = 0; s < g.fabric.num_switches(); ++s) {
    const unsigned distance = candidates.distance()[s];
    if (s == d || distance == PathCandidates::kFar) continue;
    const std::vector<Arcs> all = test::simple_paths(g.graph, s, d);
    const PathCandidates::Set& set = candidates.from(s, limits);
    for (std::size_t i = 0; i + 1 < set.group.size(); ++i) {
      std::vector<std::size_t> expected, got;
      for (const auto& [length, paths] : listed(g, all, g.graph.first[s] + static_cast<Arc>(i)))
        for (const Arcs& path : paths)
          if (length <= distance + limits.slack &&
              (!knows_directions || changes(direction, path) <= limits.turns))
            expected.push_back(length);
      if (expected.size() > limits.per_first_arc) expected.resize(limits.per_first_arc);
      for (std::uint32_t p = set.group[i]; p < set.group[i + 1]; ++p) {
        got.push_back(set.paths[p].length);
        if (knows_directions)
          RC_ASSERT(changes(direction, candidates.arcs(set.paths[p])) <= limits.turns);
      }
      RC_ASSERT(got == expected);
    }
  }
}

RC_GTEST_PROP(PathCandidates, a_wider_search_replaces_a_narrow_one, ()) {
  const Ruled g(*test::small_graph(7, 7), 2, 4);
  PathCandidates early(g.graph, g.rules, {}), late(g.graph, g.rules, {});
  for (PathCandidates* c : {&early, &late}) c->set_destination(0);
  for (SwitchId s = 1; s < g.fabric.num_switches(); ++s) {
    if (early.distance()[s] == PathCandidates::kFar) continue;
    early.from(s, {.slack = 0, .turns = 100, .per_first_arc = 1});
    const PathCandidates::Set& a = early.from(s, kWide);
    const PathCandidates::Set& b = late.from(s, kWide);
    RC_ASSERT(a.group == b.group);
    for (std::size_t i = 0; i < a.paths.size(); ++i)
      RC_ASSERT(std::ranges::equal(early.arcs(a.paths[i]), late.arcs(b.paths[i])));
    // A later call with narrower limits does not discard paths.
    const auto paths = a.paths.size();
    RC_ASSERT(early.from(s, {.slack = 0, .turns = 0, .per_first_arc = 1}).paths.size() == paths);
  }
}

void crosses_as_listed(const Ruled& g, PathCandidates& candidates, const PathCandidates::Set& set) {
  for (const PathCandidates::Path& a : set.paths)
    for (const PathCandidates::Path& b : set.paths)
      RC_ASSERT(candidates.intersect(a, b) ==
                test::share(g.graph, candidates.arcs(a), candidates.arcs(b)));
}

RC_GTEST_PROP(PathCandidates, cross_means_a_switch_or_a_cable_in_common, ()) {
  const Ruled g(*test::small_graph(7, 6), 2, 4);
  PathCandidates candidates(g.graph, g.rules, {});
  candidates.set_destination(0);
  for (SwitchId s = 1; s < g.fabric.num_switches(); ++s)
    if (candidates.distance()[s] != PathCandidates::kFar)
      crosses_as_listed(g, candidates, candidates.from(s, kWide));
}

/// Of 17×17 switches, the ids 0…32 share their bits with 256…288.
RC_GTEST_PROP(PathCandidates, cross_tells_switches_with_one_bit_apart, ()) {
  const Ruled g(torus({17, 17}), 2, 4);
  PathCandidates candidates(g.graph, g.rules, {});
  const SwitchId d = *rc::gen::inRange<SwitchId>(0, g.fabric.num_switches());
  const SwitchId s = *rc::gen::suchThat(rc::gen::inRange<SwitchId>(240, 289),
                                        [d](SwitchId other) { return other != d; });
  candidates.set_destination(d);
  crosses_as_listed(g, candidates,
                    candidates.from(s, {.slack = 4, .turns = 100, .per_first_arc = 20}));
}

//   1       Each of 0's two cables to 2 is a path by itself; they share nothing. 0-1-2 shares
//  / \      nothing with them.
// 0===2
TEST(PathCandidates, parallel_cables_are_disjoint_paths) {
  const Ruled g(test::draw(3, {{0, 1}, {1, 2}, {0, 2}, {0, 2}}), 2, 4);
  PathCandidates candidates(g.graph, g.rules, {});
  candidates.set_destination(2);
  const PathCandidates::Set& set = candidates.from(0, kWide);
  ASSERT_EQ(set.paths.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_EQ(candidates.intersect(set.paths[i], set.paths[j]), i == j);
}

}  // namespace
}  // namespace selvedge
