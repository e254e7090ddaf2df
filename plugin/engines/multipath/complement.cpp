// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/multipath/complement.hpp"

namespace selvedge::multipath {

ComplementCounts count_complements(const SimpleGraph& graph, const Cycles& cycles,
                                   std::uint32_t limit) {
  ComplementCounts counts;
  std::vector<Edge> there, back;
  for (SwitchId t = 0; t < graph.num_switches(); ++t) {
    const PathsTo paths = paths_to(graph, t, limit);
    for (std::uint32_t i = 1; i < paths.paths.size(); ++i) {
      paths.edges(i, there);
      std::optional<CycleList> bits = path_list(cycles, there);
      if (!bits) continue;
      ++counts.paths;
      back.clear();
      for (auto e = there.rbegin(); e != there.rend(); ++e) back.push_back(graph.reverse[*e]);
      for (std::int32_t& member : *bits) member = -member;
      if (path_list(cycles, back) != bits) ++counts.unlike;
    }
  }
  return counts;
}

}  // namespace selvedge::multipath
