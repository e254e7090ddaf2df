// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/multipath/path_bits.hpp"

#include <algorithm>
#include <cstdlib>

namespace selvedge::multipath {

std::optional<CycleList> list_union(const CycleList& a, const CycleList& b) {
  const bool several_a = a.size() > 1, several_b = b.size() > 1;
  CycleList both;
  both.reserve(a.size() + b.size());
  for (auto i = a.begin(), j = b.begin(); i != a.end() || j != b.end();) {
    if (j == b.end() || (i != a.end() && std::abs(*i) < std::abs(*j))) {
      both.push_back(*i++);
    } else if (i == a.end() || std::abs(*j) < std::abs(*i)) {
      both.push_back(*j++);
    } else if (*i == *j) {
      both.push_back(*i++);
      ++j;
    } else {
      // The longer list loses its member; two long ones lose both.
      if (!several_a && !several_b) return std::nullopt;
      if (several_a && !several_b) both.push_back(*j);
      if (!several_a && several_b) both.push_back(*i);
      ++i;
      ++j;
    }
  }
  return both;
}

std::optional<CycleList> path_list(const Cycles& cycles, std::span<const Edge> path) {
  std::optional<CycleList> list(std::in_place);
  for (const Edge e : path)
    if (list && !cycles.list[e].empty()) list = list_union(*list, cycles.list[e]);
  return list;
}

std::string bits_text(const CycleList& list, std::uint32_t cycles) {
  std::string text(cycles, 'X');
  for (const std::int32_t member : list)
    text[static_cast<std::size_t>(std::abs(member)) - 1] = member > 0 ? '1' : '0';
  return text;
}

void PathsTo::edges(std::uint32_t i, std::vector<Edge>& into) const {
  into.clear();
  for (; paths[i].edge != kNoEdge; i = paths[i].rest) into.push_back(paths[i].edge);
}

PathsTo paths_to(const SimpleGraph& graph, SwitchId destination, std::uint32_t limit) {
  PathsTo all;
  all.of.assign(graph.num_switches(), 0);
  std::vector<std::uint8_t> cut(graph.num_switches(), 0);
  all.paths.push_back({kNoEdge, destination, 0, 0});
  for (std::uint32_t i = 0; i < all.paths.size(); ++i) {
    const PathTo path = all.paths[i];
    for (Edge e = graph.first[path.from]; e < graph.first[path.from + 1]; ++e) {
      const SwitchId before = graph.target[e];
      bool met = before == destination;
      for (std::uint32_t j = i; !met && j != 0; j = all.paths[j].rest)
        met = all.paths[j].from == before;
      if (met) continue;
      if (all.of[before] == limit) {
        cut[before] = 1;
        continue;
      }
      ++all.of[before];
      all.paths.push_back({graph.reverse[e], before, i, path.hops + 1});
    }
  }
  all.cut = static_cast<std::uint32_t>(std::ranges::count(cut, 1));
  return all;
}

std::uint32_t path_limit(std::uint32_t switches) {
  constexpr std::uint64_t kAllPaths = std::uint64_t{1} << 20, kLeast = 4, kMost = 512;
  const std::uint64_t pairs = std::max<std::uint64_t>(1, std::uint64_t{switches} * switches);
  return static_cast<std::uint32_t>(std::clamp(kAllPaths / pairs, kLeast, kMost));
}

}  // namespace selvedge::multipath
