// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/dmodk_multicast.hpp"

#include <algorithm>
#include <span>

namespace selvedge {
namespace {

class TreeBuilder {
 public:
  TreeBuilder(const Fabric& fabric, const TreeLevels& tree)
      : fabric_(fabric),
        tree_(tree),
        g_(tree.graph),
        met_(g_.num_switches(), false),
        above_(g_.num_switches(), 0),
        to_hub_(g_.num_switches(), kNoArc),
        parents_(g_.num_switches(), kNoChannel) {}

  std::optional<SpanningTree> run() {
    const std::span<const SwitchId> leaves(tree_.leaves);
    for (std::size_t begin = 0; begin < leaves.size();) {
      std::size_t end = begin;
      while (end < leaves.size() && piece(leaves[end]) == piece(leaves[begin])) ++end;
      const std::span<const SwitchId> mine = leaves.subspan(begin, end - begin);
      begin = end;
      if (from_a_top(mine)) continue;
      if (std::ranges::none_of(mine, [&](SwitchId hub) { return joined_at(hub, mine); }))
        return std::nullopt;
    }
    return std::move(parents_);
  }

 private:
  std::uint32_t piece(SwitchId s) const { return tree_.pieces.of[s]; }

  bool from_a_top(std::span<const SwitchId> leaves) {
    const auto top = std::ranges::find_if(tree_.order, [&](SwitchId s) {
      return piece(s) == piece(leaves[0]) && tree_.reached[s] == leaves.size();
    });
    if (top == tree_.order.end()) return false;
    met_[*top] = true;
    go_down({*top});
    return true;
  }

  /// Everything below these switches that is not in the tree yet becomes a part of it.
  void go_down(std::vector<SwitchId> queue) {
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (Arc a = g_.first_down[queue[i]]; a < g_.first[queue[i] + 1]; ++a) {
        const SwitchId x = g_.target[a];
        if (met_[x]) continue;
        met_[x] = true;
        parents_[x] = fabric_.peer(g_.channel[a]);
        queue.push_back(x);
      }
  }

  /// The switches above the hub, each with the one neighbour that leads down to it; false if one
  /// has two.
  bool ascend(SwitchId hub) {
    ++now_;
    uppers_.assign(1, hub);
    above_[hub] = now_;
    for (std::size_t i = 0; i < uppers_.size(); ++i) {
      const SwitchId x = uppers_[i];
      for (Arc a = g_.first[x]; a < g_.first_down[x]; ++a) {
        const SwitchId y = g_.target[a];
        if (above_[y] == now_) {
          if (g_.target[to_hub_[y]] != x) return false;
          continue;
        }
        above_[y] = now_;
        to_hub_[y] = tree_.reverse[a];
        uppers_.push_back(y);
      }
    }
    return true;
  }

  bool joined_at(SwitchId hub, std::span<const SwitchId> leaves) {
    if (!ascend(hub)) return false;
    const bool all = std::ranges::all_of(leaves, [&](SwitchId leaf) {
      return std::ranges::any_of(uppers_, [&](SwitchId y) { return tree_.reaches(y, leaf); });
    });
    if (!all) return false;
    for (const SwitchId y : uppers_) {
      met_[y] = true;
      if (y != hub) parents_[y] = g_.channel[to_hub_[y]];
    }
    go_down(uppers_);
    return true;
  }

  const Fabric& fabric_;
  const TreeLevels& tree_;
  const SwitchGraph& g_;
  std::vector<bool> met_;             // per switch: in the tree
  std::uint32_t now_ = 0;             // the hub at hand
  std::vector<std::uint32_t> above_;  // per switch: the last hub that it is above
  std::vector<Arc> to_hub_;           // per switch above
  std::vector<SwitchId> uppers_;
  SpanningTree parents_;
};

}  // namespace

std::optional<SpanningTree> dmodk_spanning_tree(const Fabric& fabric, const TreeLevels& tree) {
  return TreeBuilder(fabric, tree).run();
}

}  // namespace selvedge
