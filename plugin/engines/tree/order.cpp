// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/tree/order.hpp"

#include <algorithm>
#include <queue>
#include <span>
#include <tuple>

namespace selvedge {
namespace {

class TreeOrder {
 public:
  TreeOrder(const Fabric& fabric, const TreeLevels& tree)
      : fabric_(fabric),
        tree_(tree),
        g_(tree.graph),
        n_(g_.num_switches()),
        mark_(n_, 0),
        block_(n_, kNone),
        connected_(n_, false),
        above_(n_, 0) {
    result_.rank.assign(n_, 0);
  }

  Orientation run() {
    for (std::uint32_t p = 0; p < tree_.pieces.count(); ++p) {
      const std::span<const SwitchId> piece(tree_.pieces.members.data() + tree_.pieces.first[p],
                                            tree_.pieces.first[p + 1] - tree_.pieces.first[p]);
      if (tree_.level[piece.front()] == TreeLevels::kNone) {
        for (const SwitchId x : piece) append(x);  // breadth first, so each comes after a neighbour
      } else {
        raise(find_hub(piece));
        while (raise_one_more(piece)) {
        }
        sort(piece);
      }
      result_.roots.push_back(result_.order[result_.order.size() - piece.size()]);
    }
    build_multicast_tree();
    return std::move(result_);
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  /// The cone of s: s itself, then all switches above it by levels, breadth first.
  const std::vector<SwitchId>& cone(SwitchId s) {
    ++now_;
    cone_.assign(1, s);
    mark_[s] = now_;
    for (std::size_t next = 0; next < cone_.size(); ++next)
      for (Arc a = g_.first[cone_[next]]; a < g_.first_down[cone_[next]]; ++a) {
        const SwitchId y = g_.target[a];
        if (mark_[y] == now_) continue;
        mark_[y] = now_;
        cone_.push_back(y);
      }
    return cone_;
  }

  /// The number of children of y in the current cone (see cone()), minus one; 0 without children
  /// there. So many pairs of children lose their path over y if the cone's cables are reversed.
  std::uint32_t losses(SwitchId y) const {
    SwitchId child = kNoSwitch;
    std::uint32_t more = 0;
    for (Arc a = g_.first_down[y]; a < g_.first[y + 1]; ++a) {
      if (mark_[g_.target[a]] != now_ || g_.target[a] == child) continue;
      more += child != kNoSwitch;
      child = g_.target[a];
    }
    return more;
  }

  SwitchId find_hub(std::span<const SwitchId> piece) {
    using Score = std::tuple<std::size_t, std::size_t, std::int64_t>;
    Score best{}, perfect{};
    std::vector<SwitchId> leaves;
    for (const SwitchId s : piece) {
      if (tree_.place[s] != TreeLevels::kNoPlace)
        leaves.push_back(s);
      else
        std::get<0>(perfect) += fabric_.hosts_at(s).size();
      std::get<1>(perfect) += tree_.is_top(s);
    }
    std::ranges::sort(leaves);
    SwitchId hub = kNoSwitch;
    for (const SwitchId leaf : leaves) {
      std::size_t hosts = 0, tops = 0;
      std::int64_t lost = 0;
      for (const SwitchId y : cone(leaf)) {
        if (y != leaf) hosts += fabric_.hosts_at(y).size();
        tops += tree_.is_top(y);
        lost -= losses(y);
      }
      const Score score{hosts, tops, lost};
      if (hub != kNoSwitch && score <= best) continue;
      hub = leaf;
      best = score;
      if (score >= perfect) break;  // the first leaf of a complete tree has this score
    }
    return hub == kNoSwitch ? *std::ranges::min_element(piece) : hub;
  }

  /// Reverses the cables in the cone of `base` (see cone()) at switches without a path up to the
  /// hub.
  void raise(SwitchId base) {
    const auto block = static_cast<std::uint32_t>(bases_.size());
    bases_.push_back(base);
    std::vector<SwitchId> turned;
    for (const SwitchId y : cone(base))
      if (!connected_[y]) turned.push_back(y);
    for (const SwitchId y : turned) {
      if (y != base) block_[y] = block;
      connected_[y] = true;
    }
    turned.push_back(base);
    // Switches below a switch with a path up to the hub have such a path too.
    for (std::size_t next = 0; next < turned.size(); ++next)
      for (Arc a = g_.first_down[turned[next]]; a < g_.first[turned[next] + 1]; ++a) {
        const SwitchId y = g_.target[a];
        if (connected_[y]) continue;
        connected_[y] = true;
        turned.push_back(y);
      }
  }

  /// Reverses cables once more, if some switch with a path up to the hub has a neighbour above it
  /// without one. Of such switches the uppermost is taken. So no switch that is above it by levels,
  /// except those of the reversed cables, gets below it. Returns false if there is none.
  bool raise_one_more(std::span<const SwitchId> piece) {
    SwitchId base = kNoSwitch;
    for (const SwitchId s : piece) {
      if (!connected_[s]) continue;
      bool leads = false;
      for (Arc a = g_.first[s]; a < g_.first_down[s]; ++a)
        leads = leads || !connected_[g_.target[a]];
      if (!leads) continue;
      if (base == kNoSwitch ||
          std::tuple(-tree_.level[s], s) < std::tuple(-tree_.level[base], base))
        base = s;
    }
    if (base == kNoSwitch) return false;
    raise(base);
    return true;
  }

  /// Whether the arc goes up, given the cables that have been reversed so far.
  bool goes_up(SwitchId from, Arc a) const {
    const bool by_level = a < g_.first_down[from];
    const SwitchId upper = by_level ? g_.target[a] : from, lower = by_level ? from : g_.target[a];
    const std::uint32_t block = block_[upper];
    const bool turned = block != kNone && (block_[lower] == block || bases_[block] == lower);
    return by_level != turned;
  }

  void append(SwitchId s) {
    result_.rank[s] = static_cast<std::uint32_t>(result_.order.size());
    result_.order.push_back(s);
  }

  /// Appends the switches of a component in topological order; of those possible next, the one of
  /// the highest level, then of the lowest id.
  void sort(std::span<const SwitchId> piece) {
    const auto later = [&](SwitchId a, SwitchId b) {
      return std::tuple(-tree_.level[a], a) > std::tuple(-tree_.level[b], b);
    };
    std::priority_queue<SwitchId, std::vector<SwitchId>, decltype(later)> free(later);
    for (const SwitchId s : piece) {
      for (Arc a = g_.first[s]; a < g_.first[s + 1]; ++a) above_[s] += goes_up(s, a);
      if (above_[s] == 0) free.push(s);
    }
    while (!free.empty()) {
      const SwitchId s = free.top();
      free.pop();
      append(s);
      for (Arc a = g_.first[s]; a < g_.first[s + 1]; ++a)
        if (!goes_up(s, a) && --above_[g_.target[a]] == 0) free.push(g_.target[a]);
    }
  }

  /// Makes the spanning tree for multicast: the parent of each switch is the neighbour that comes
  /// first in the order.
  void build_multicast_tree() {
    result_.tree.assign(n_, kNoChannel);
    for (SwitchId s = 0; s < n_; ++s) {
      std::uint32_t earliest = result_.rank[s];
      for (Arc a = g_.first[s]; a < g_.first[s + 1]; ++a) {
        if (result_.rank[g_.target[a]] >= earliest) continue;
        earliest = result_.rank[g_.target[a]];
        result_.tree[s] = g_.channel[a];
      }
    }
  }

  const Fabric& fabric_;
  const TreeLevels& tree_;
  const SwitchGraph& g_;
  const std::uint32_t n_;
  Orientation result_;
  std::vector<SwitchId> cone_;
  std::vector<std::uint32_t> mark_;
  std::uint32_t now_ = 0;
  /// Per block of reversed cables: the switch to which raise() was applied
  std::vector<SwitchId> bases_;
  std::vector<std::uint32_t> block_;  // per switch: the block that reversed its cables, or kNone
  std::vector<bool> connected_;       // per switch: whether it has a path up to the hub
  // Per switch: arcs that go up to switches not yet in the order
  std::vector<std::uint32_t> above_;
};

}  // namespace

Orientation order_tree(const Fabric& fabric, const TreeLevels& tree) {
  return TreeOrder(fabric, tree).run();
}

}  // namespace selvedge
