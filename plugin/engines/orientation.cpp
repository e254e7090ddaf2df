// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/orientation.hpp"

#include <algorithm>
#include <span>
#include <tuple>

namespace selvedge {
namespace {

constexpr std::uint32_t kUnseen = UINT32_MAX;

/// Makes one orientation, piece by piece; the arrays are shared by all pieces.
class Orienting {
 public:
  Orienting(const Fabric& fabric, const SwitchGraph& graph)
      : fabric_(fabric), graph_(graph), sums_(distance_sums(graph)) {
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

  /// Orders the piece by levels if it is layered; says whether it was.
  bool by_levels(std::span<const SwitchId> piece) {
    if (!find_levels(piece)) {
      for (const SwitchId s : piece) level_[s] = kUnseen;
      return false;
    }
    const std::uint32_t top =
        level_[*std::ranges::max_element(piece, {}, [&](SwitchId s) { return level_[s]; })];
    std::vector<SwitchId> tops;
    for (const SwitchId s : piece) {
      level_[s] = top - level_[s];  // from here on 0 is the top, as in a tree
      if (level_[s] == 0) tops.push_back(s);
    }
    std::ranges::sort(tops);
    if (!std::ranges::any_of(tops, [&](SwitchId s) { return spans_from(s, piece); })) {
      for (const SwitchId s : piece) level_[s] = kUnseen;
      return false;
    }
    append_by_level({piece.begin(), piece.end()});
    result_.layered = true;
    return true;
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

  /// Levels from the switches with hosts; false unless there are two of those and a level above,
  /// and every cable joins two levels.
  bool find_levels(std::span<const SwitchId> piece) {
    std::vector<SwitchId> queue;
    for (const SwitchId s : piece) {
      if (fabric_.hosts_at(s).empty()) continue;
      level_[s] = 0;
      queue.push_back(s);
    }
    if (queue.size() < 2 || queue.size() == piece.size()) return false;
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const SwitchId x = queue[next];
      for (Arc a = graph_.first[x]; a < graph_.first[x + 1]; ++a) {
        const SwitchId y = graph_.target[a];
        if (level_[y] == level_[x]) return false;
        if (level_[y] != kUnseen) continue;
        level_[y] = level_[x] + 1;
        queue.push_back(y);
      }
    }
    return true;
  }

  /// Do the all-down paths from `top` reach every switch with hosts? Then they are the piece's
  /// tree. Switches off those paths have no hosts, and stay out of the tree.
  bool spans_from(SwitchId top, std::span<const SwitchId> piece) {
    std::vector<SwitchId> queue{top};
    std::vector<std::pair<SwitchId, Channel>> parents;
    ++mark_now_;
    mark_.resize(graph_.num_switches(), 0);
    mark_[top] = mark_now_;
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const SwitchId x = queue[next];
      for (Arc a = graph_.first[x]; a < graph_.first[x + 1]; ++a) {
        const SwitchId y = graph_.target[a];
        if (level_[y] < level_[x] || mark_[y] == mark_now_) continue;
        mark_[y] = mark_now_;
        parents.emplace_back(y, fabric_.peer(graph_.channel[a]));
        queue.push_back(y);
      }
    }
    for (const SwitchId s : piece)
      if (!fabric_.hosts_at(s).empty() && mark_[s] != mark_now_) return false;
    for (const auto& [s, channel] : parents) result_.tree[s] = channel;
    result_.roots.push_back(top);
    return true;
  }

  const Fabric& fabric_;
  const SwitchGraph& graph_;
  const std::vector<std::uint64_t> sums_;
  std::vector<std::uint32_t> level_;
  std::vector<std::uint32_t> cables_met_;  // to switches already met by the depth-first search
  std::vector<std::uint32_t> mark_;
  std::uint32_t mark_now_ = 0;
  Orientation result_;
};

}  // namespace

Orientation orient(const Fabric& fabric, const SwitchGraph& graph, const Components& pieces,
                   EngineRequest::Tree tree, std::optional<SwitchId> root) {
  Orienting work(fabric, graph);
  for (std::uint32_t p = 0; p < pieces.count(); ++p) {
    const std::span<const SwitchId> piece(pieces.members.data() + pieces.first[p],
                                          pieces.first[p + 1] - pieces.first[p]);
    const bool given = root && pieces.of[*root] == p;
    if (tree == EngineRequest::Tree::kBfs && !given && work.by_levels(piece)) continue;
    const SwitchId start = given ? *root : work.most_central(piece);
    if (tree == EngineRequest::Tree::kDfs)
      work.depth_first(start);
    else
      work.breadth_first(start);
  }
  return std::move(work).finish();
}

}  // namespace selvedge
