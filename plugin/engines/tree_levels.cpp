// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/tree_levels.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <tuple>

#include "plugin/engines/tree_union.hpp"

namespace selvedge {

class LevelFinder {
 public:
  LevelFinder(const Fabric& fabric, TreeLevels& tree)
      : fabric_(fabric),
        tree_(tree),
        bare_(make_switch_graph(fabric)),
        n_(fabric.num_switches()),
        distance_(n_, kUnseen) {}

  std::optional<LevelClash> run() {
    tree_.pieces = components(bare_);
    if (const std::optional<LevelClash> clash = measure_distances()) return clash;
    collect_reach();
    lower_idle();
    direct();
    order_leaves();
    return std::nullopt;
  }

 private:
  static constexpr std::uint32_t kUnseen = UINT32_MAX;

  std::span<std::uint64_t> reach(SwitchId s) {
    return {tree_.reach_.data() + s * tree_.words_, tree_.words_};
  }

  std::optional<LevelClash> measure_distances() {
    tree_.bit_.assign(n_, 0);
    for (SwitchId s = 0; s < n_; ++s) {
      if (fabric_.hosts_at(s).empty()) continue;
      tree_.bit_[s] = static_cast<std::uint32_t>(by_distance_.size());
      distance_[s] = 0;
      by_distance_.push_back(s);
    }
    tree_.words_ = (by_distance_.size() + 63) / 64;
    for (std::size_t next = 0; next < by_distance_.size(); ++next) {
      const SwitchId x = by_distance_[next];
      for (Arc a = bare_.first[x]; a < bare_.first[x + 1]; ++a) {
        const SwitchId y = bare_.target[a];
        if (distance_[y] == distance_[x]) return LevelClash{bare_.channel[a], distance_[x]};
        if (distance_[y] != kUnseen) continue;
        distance_[y] = distance_[x] + 1;
        by_distance_.push_back(y);
      }
    }
    return std::nullopt;
  }

  /// Per switch, the leaves that it reaches going down by distances.
  void collect_reach() {
    tree_.reach_.assign(n_ * tree_.words_, 0);
    tree_.reached.assign(n_, 0);
    for (const SwitchId x : by_distance_) {
      const std::span<std::uint64_t> own = reach(x);
      if (distance_[x] == 0) own[tree_.bit_[x] / 64] |= std::uint64_t{1} << (tree_.bit_[x] % 64);
      for (Arc a = bare_.first[x]; a < bare_.first[x + 1]; ++a) {
        if (distance_[bare_.target[a]] > distance_[x]) continue;
        const std::span<const std::uint64_t> below = reach(bare_.target[a]);
        for (std::size_t w = 0; w < own.size(); ++w) own[w] |= below[w];
      }
      for (const std::uint64_t word : own)
        tree_.reached[x] += static_cast<std::uint32_t>(std::popcount(word));
    }
  }

  /// What is lowered reaches no host going down any more, and neither does what is above it: that
  /// is lowered as well, for it reached no more.
  void lower_idle() {
    std::vector<std::uint32_t> most = tree_.reached;  // of a switch and all that is above it
    for (auto it = by_distance_.rbegin(); it != by_distance_.rend(); ++it)
      for (Arc a = bare_.first[*it]; a < bare_.first[*it + 1]; ++a)
        if (distance_[bare_.target[a]] > distance_[*it])
          most[*it] = std::max(most[*it], most[bare_.target[a]]);

    tree_.level.assign(n_, TreeLevels::kNone);
    std::vector<SwitchId> lowered;
    for (const SwitchId x : by_distance_) {
      tree_.level[x] = static_cast<std::int32_t>(distance_[x]);
      std::uint32_t best = 0;
      std::int32_t lowest = tree_.level[x];
      for (Arc a = bare_.first[x]; a < bare_.first[x + 1]; ++a) {
        const SwitchId child = bare_.target[a];
        if (distance_[child] > distance_[x]) continue;
        best = std::max(best, tree_.reached[child]);
        lowest = std::min(lowest, tree_.level[child]);
      }
      if (distance_[x] == 0 || best < most[x]) continue;
      tree_.level[x] = lowest - 1;
      lowered.push_back(x);
    }
    for (const SwitchId x : lowered) {
      std::ranges::fill(reach(x), std::uint64_t{0});
      tree_.reached[x] = 0;
    }
  }

  void direct() {
    tree_.order = by_distance_;
    std::ranges::sort(tree_.order, {}, [&](SwitchId s) { return std::tuple(-tree_.level[s], s); });
    std::vector<std::uint32_t> rank(n_, 0);
    for (std::uint32_t i = 0; i < tree_.order.size(); ++i) rank[tree_.order[i]] = i;
    // Pieces without hosts: any order will do, nothing is routed there.
    for (SwitchId s = 0; s < n_; ++s)
      if (tree_.level[s] == TreeLevels::kNone) rank[s] = n_ + s;
    tree_.graph = directed(bare_, rank);

    std::vector<Arc> arc_of(fabric_.num_switch_channels(), kNoArc);
    for (Arc a = 0; a < tree_.graph.num_arcs(); ++a) arc_of[tree_.graph.channel[a]] = a;
    tree_.reverse.reserve(tree_.graph.num_arcs());
    for (const Channel c : tree_.graph.channel) tree_.reverse.push_back(arc_of[fabric_.peer(c)]);
  }

  /// Leaves of one part, as a list through next_leaf_.
  struct List {
    HostId lowest_host = kNoHost;  // of the part; kNoHost: it has no leaf
    SwitchId head = kNoSwitch, tail = kNoSwitch;
    std::uint32_t count = 0;

    void append(const List& more, std::vector<SwitchId>& next) {
      if (more.count == 0) return;
      if (count == 0) {
        *this = more;
        return;
      }
      next[tail] = more.head;
      tail = more.tail;
      count += more.count;
      lowest_host = std::min(lowest_host, more.lowest_host);
    }
  };

  /// From the lowest level up, what a level's switches join becomes one list: the parts' lists one
  /// after the other, so that each stays in one piece.
  void order_leaves() {
    std::vector<List> list(n_);
    for (const SwitchId s : by_distance_) {
      if (distance_[s] > 0) break;
      list[s].head = list[s].tail = s;
      list[s].count = 1;
      list[s].lowest_host = std::ranges::min(fabric_.hosts_at(s));
    }
    std::vector<SwitchId> next(n_, kNoSwitch), span_head(n_, kNoSwitch);
    tree_.span_count.assign(n_, 0);
    TreeUnion parts(n_);
    std::vector<std::uint32_t> joined;  // parts that this level joins
    std::vector<std::tuple<std::uint32_t, HostId, std::uint32_t>> merges;  // into, by, what
    const SwitchGraph& g = tree_.graph;
    for (std::size_t end = tree_.order.size(); end > 0;) {
      std::size_t begin = end;
      const std::int32_t level = tree_.level[tree_.order[end - 1]];
      while (begin > 0 && tree_.level[tree_.order[begin - 1]] == level) --begin;
      const std::span<const SwitchId> group(tree_.order.data() + begin, end - begin);
      end = begin;

      joined.clear();
      for (const SwitchId x : group) {
        joined.push_back(x);
        for (Arc a = g.first_down[x]; a < g.first[x + 1]; ++a)
          joined.push_back(parts.root(g.target[a]));
      }
      std::ranges::sort(joined);
      joined.erase(std::unique(joined.begin(), joined.end()), joined.end());
      for (const SwitchId x : group)
        for (Arc a = g.first_down[x]; a < g.first[x + 1]; ++a) parts.unite(x, g.target[a]);
      merges.clear();
      for (const std::uint32_t part : joined)
        merges.emplace_back(parts.root(part), list[part].lowest_host, part);
      std::ranges::sort(merges);
      for (std::size_t i = 0; i < merges.size();) {
        const std::uint32_t into = std::get<0>(merges[i]);
        List whole;
        for (; i < merges.size() && std::get<0>(merges[i]) == into; ++i)
          whole.append(list[std::get<2>(merges[i])], next);
        list[into] = whole;
      }
      for (const SwitchId x : group) {
        const List& own = list[parts.root(x)];
        span_head[x] = own.head;
        tree_.span_count[x] = own.count;
      }
    }
    number_leaves(list, next, parts);
    tree_.span_first.assign(n_, 0);
    for (SwitchId s = 0; s < n_; ++s)
      if (span_head[s] != kNoSwitch) tree_.span_first[s] = tree_.place[span_head[s]];
  }

  void number_leaves(const std::vector<List>& list, const std::vector<SwitchId>& next,
                     TreeUnion& parts) {
    std::vector<std::uint32_t> roots;
    for (const SwitchId s : tree_.order)
      if (parts.root(s) == s) roots.push_back(s);
    std::ranges::sort(roots, {}, [&](std::uint32_t r) { return list[r].lowest_host; });
    tree_.place.assign(n_, TreeLevels::kNoPlace);
    for (const std::uint32_t r : roots)
      for (SwitchId s = list[r].head; s != kNoSwitch; s = next[s]) {
        tree_.place[s] = static_cast<std::uint32_t>(tree_.leaves.size());
        tree_.leaves.push_back(s);
      }
  }

  const Fabric& fabric_;
  TreeLevels& tree_;
  const SwitchGraph bare_;
  const std::uint32_t n_;
  std::vector<std::uint32_t> distance_;  // per switch, to the nearest one with hosts
  std::vector<SwitchId> by_distance_;
};

std::optional<TreeLevels> find_tree_levels(const Fabric& fabric, LevelClash& clash) {
  TreeLevels tree;
  if (const std::optional<LevelClash> found = LevelFinder(fabric, tree).run()) {
    clash = *found;
    return std::nullopt;
  }
  return tree;
}

}  // namespace selvedge
