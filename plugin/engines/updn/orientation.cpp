// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/updn/orientation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <tuple>

#include "base/error.hpp"

namespace selvedge {
namespace {

constexpr std::uint32_t kUnseen = UINT32_MAX;

/// Makes one orientation, component by component. The arrays are allocated once, for all
/// components.
class Orienting {
 public:
  Orienting(const Fabric& fabric, const SwitchGraph& graph, std::vector<std::uint64_t> sums)
      : fabric_(fabric),
        graph_(graph),
        sums_(sums.empty() ? distance_sums(graph) : std::move(sums)) {
    result_.rank.assign(graph.num_switches(), kUnseen);
    result_.tree.assign(graph.num_switches(), kNoChannel);
    level_.assign(graph.num_switches(), kUnseen);
    cables_met_.assign(graph.num_switches(), 0);
  }

  SwitchId most_central(std::span<const SwitchId> piece) const {
    return *std::ranges::min_element(piece, {},
                                     [&](SwitchId s) { return std::tuple(sums_[s], s); });
  }

  void breadth_first(SwitchId root) {
    std::vector<SwitchId> queue{root};
    level_[root] = 0;
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const SwitchId x = queue[next];
      for (Arc a = graph_.first[x]; a < graph_.first[x + 1]; ++a) {
        const SwitchId y = graph_.target[a];
        if (level_[y] != kUnseen) continue;
        level_[y] = level_[x] + 1;
        result_.tree[y] = fabric_.peer(graph_.channel[a]);
        queue.push_back(y);
      }
    }
    append_by_level(queue);
    result_.roots.push_back(root);
  }

  void depth_first(SwitchId root) {
    std::vector<SwitchId> path{root};
    meet(root);
    while (!path.empty()) {
      const SwitchId x = path.back();
      Arc best = kNoArc;
      for (Arc a = graph_.first[x]; a < graph_.first[x + 1]; ++a) {
        if (result_.rank[graph_.target[a]] != kUnseen) continue;
        if (best == kNoArc || sooner(graph_.target[a], graph_.target[best])) best = a;
      }
      if (best == kNoArc) {
        path.pop_back();
        continue;
      }
      const SwitchId y = graph_.target[best];
      result_.tree[y] = fabric_.peer(graph_.channel[best]);
      meet(y);
      path.push_back(y);
    }
    result_.roots.push_back(root);
  }

  Orientation finish() && { return std::move(result_); }

 private:
  void append(SwitchId s) {
    result_.rank[s] = static_cast<std::uint32_t>(result_.order.size());
    result_.order.push_back(s);
  }

  void append_by_level(std::vector<SwitchId> piece) {
    std::ranges::sort(piece, {}, [&](SwitchId s) { return std::tuple(level_[s], s); });
    for (const SwitchId s : piece) append(s);
  }

  void meet(SwitchId s) {
    append(s);
    for (Arc a = graph_.first[s]; a < graph_.first[s + 1]; ++a) ++cables_met_[graph_.target[a]];
  }

  bool sooner(SwitchId a, SwitchId b) const {
    return std::tuple(cables_met_[a], sums_[a], b) > std::tuple(cables_met_[b], sums_[b], a);
  }

  const Fabric& fabric_;
  const SwitchGraph& graph_;
  const std::vector<std::uint64_t> sums_;
  std::vector<std::uint32_t> level_;
  std::vector<std::uint32_t> cables_met_;  // per switch: cables to switches that the search has met
  Orientation result_;
};

}  // namespace

Orientation orient(const Fabric& fabric, const SwitchGraph& graph, const Components& pieces,
                   EngineRequest::Tree tree, std::optional<SwitchId> root,
                   std::vector<std::uint64_t> sums) {
  Orienting work(fabric, graph, std::move(sums));
  for (std::uint32_t p = 0; p < pieces.count(); ++p) {
    const std::span<const SwitchId> piece(pieces.members.data() + pieces.first[p],
                                          pieces.first[p + 1] - pieces.first[p]);
    const bool given = root && pieces.of[*root] == p;
    const SwitchId start = given ? *root : work.most_central(piece);
    if (tree == EngineRequest::Tree::kDfs)
      work.depth_first(start);
    else
      work.breadth_first(start);
  }
  return std::move(work).finish();
}

void check_root(const Fabric& fabric, std::optional<SwitchId> root, std::string_view engine) {
  if (!root) return;
  const std::string where = fmt::format("root of {}", engine);
  if (*root >= fabric.num_switches())
    throw InputError(fmt::format("there is no switch {}", *root), where,
                     fmt::format("the fabric has {} switches", fabric.num_switches()));
  if (fabric.node(*root).failed)
    throw InputError(fmt::format("switch \"{}\" has failed", fabric.node(*root).name), where,
                     "choose a switch that works, or let the engine choose");
}

}  // namespace selvedge
