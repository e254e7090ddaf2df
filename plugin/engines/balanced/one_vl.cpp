// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/balanced/one_vl.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "plugin/engines/multipath/layers.hpp"

namespace selvedge::balanced {
namespace {

constexpr Arc kMostArcs = 20'000;
constexpr std::size_t kRootsTried = 8;

class OneVl {
 public:
  OneVl(const SwitchGraph& graph, const std::vector<Arc>& opposite)
      : graph_(graph), opposite_(opposite), layers_(graph, opposite, 1) {}

  bool add(const Forest& forest) {
    for (std::size_t t = 0; t < forest.targets().size(); ++t)
      for (SwitchId s = 0; s < graph_.num_switches(); ++s) {
        const Arc in = forest.next(t, s);
        if (in == kNoArc) continue;
        const Arc out = forest.next(t, graph_.target[in]);
        if (out != kNoArc && !depend(in, out)) return false;
      }
    return true;
  }

  /// Grows a tree over the component of `root`. Returns false, with nothing added, if a switch
  /// remains outside.
  bool grow(SwitchId root, std::size_t switches, SpanningTree& tree) {
    const std::size_t before = layers_.mark();
    std::vector<SwitchId> grown{root};
    std::vector<std::uint8_t> in_tree(graph_.num_switches(), 0);
    std::vector<std::vector<Arc>> cables(graph_.num_switches());  // of the tree, as arcs out
    in_tree[root] = 1;
    bool more = true;
    while (more && grown.size() < switches) {
      more = false;
      for (std::size_t i = 0; i < grown.size(); ++i)
        for (Arc a = graph_.first[grown[i]]; a < graph_.first[grown[i] + 1]; ++a) {
          const SwitchId s = graph_.target[a];
          if (in_tree[s] || !join(a, cables[grown[i]])) continue;
          cables[grown[i]].push_back(a);
          cables[s].push_back(opposite_[a]);
          tree[s] = graph_.channel[opposite_[a]];
          in_tree[s] = 1;
          grown.push_back(s);
          more = true;
        }
    }
    if (grown.size() == switches) return true;
    layers_.undo(before);
    for (const SwitchId s : grown) tree[s] = kNoChannel;
    return false;
  }

 private:
  bool depend(Arc in, Arc out) { return layers_.add(0, std::array{in, out}); }

  /// Joins a switch as a leaf, by the arc to it from a switch with these cables in the tree.
  bool join(Arc leaf, const std::vector<Arc>& cables) {
    const std::size_t before = layers_.mark();
    for (const Arc other : cables) {
      if (depend(opposite_[other], leaf) && depend(opposite_[leaf], other)) continue;
      layers_.undo(before);
      return false;
    }
    return true;
  }

  const SwitchGraph& graph_;
  const std::vector<Arc>& opposite_;
  multipath::Layers layers_;
};

}  // namespace

std::optional<SpanningTree> tree_on_one_vl(const Fabric& fabric, const SwitchGraph& graph,
                                           const Components& pieces, const Forest& forest) {
  if (graph.num_arcs() > kMostArcs) return std::nullopt;
  std::vector<Arc> arc_of(fabric.num_switch_channels(), kNoArc), opposite;
  for (Arc a = 0; a < graph.num_arcs(); ++a) arc_of[graph.channel[a]] = a;
  for (Arc a = 0; a < graph.num_arcs(); ++a)
    opposite.push_back(arc_of[fabric.peer(graph.channel[a])]);
  OneVl vl(graph, opposite);
  if (!vl.add(forest)) return std::nullopt;
  SpanningTree tree(graph.num_switches(), kNoChannel);
  for (std::uint32_t p = 0; p < pieces.count(); ++p) {
    const std::span<const SwitchId> piece(pieces.members.data() + pieces.first[p],
                                          pieces.first[p + 1] - pieces.first[p]);
    const auto roots = piece.first(std::min(kRootsTried, piece.size()));
    if (std::ranges::none_of(roots,
                             [&](SwitchId root) { return vl.grow(root, piece.size(), tree); }))
      return std::nullopt;
  }
  return tree;
}

}  // namespace selvedge::balanced
