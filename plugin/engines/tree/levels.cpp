// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/tree/levels.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <tuple>

#include "plugin/fabric/union_find.hpp"

namespace selvedge {

class TreeFinder {
 public:
  TreeFinder(const Fabric& fabric, const Levels& levels, TreeLevels& tree)
      : fabric_(fabric), tree_(tree), bare_(make_switch_graph(fabric)), n_(fabric.num_switches()) {
    tree_.level = levels.level;
  }

  void run() {
    tree_.pieces = components(bare_);
    direct();
    order_leaves();
    collect_reach();
  }

 private:
  bool is_leaf(SwitchId s) const {
    return tree_.level[s] != TreeLevels::kNone && tree_.level[s] <= 0 &&
           !fabric_.hosts_at(s).empty();
  }

  /// Computes for each switch which leaves it reaches by going down.
  void collect_reach() {
    const SwitchGraph& g = tree_.graph;
    const std::size_t words = tree_.words_ = (tree_.leaves.size() + 63) / 64;
    tree_.reach_.assign(n_ * words, 0);
    tree_.reached.assign(n_, 0);
    for (std::size_t i = tree_.order.size(); i-- > 0;) {
      const SwitchId x = tree_.order[i];
      std::uint64_t* own = tree_.reach_.data() + x * words;
      if (const std::uint32_t at = tree_.place[x]; at != TreeLevels::kNoPlace)
        own[at / 64] |= std::uint64_t{1} << (at % 64);
      for (Arc a = g.first_down[x]; a < g.first[x + 1]; ++a)
        for (std::size_t w = 0; w < words; ++w) own[w] |= tree_.reach_[g.target[a] * words + w];
      for (std::size_t w = 0; w < words; ++w)
        tree_.reached[x] += static_cast<std::uint32_t>(std::popcount(own[w]));
    }
  }

  void direct() {
    for (SwitchId s = 0; s < n_; ++s)
      if (tree_.level[s] != TreeLevels::kNone) tree_.order.push_back(s);
    std::ranges::sort(tree_.order, {}, [&](SwitchId s) { return std::tuple(-tree_.level[s], s); });
    std::vector<std::uint32_t> rank(n_, 0);
    for (std::uint32_t i = 0; i < tree_.order.size(); ++i) rank[tree_.order[i]] = i;
    // The switches of components without hosts get any order, since no path to a host leads there.
    for (SwitchId s = 0; s < n_; ++s)
      if (tree_.level[s] == TreeLevels::kNone) rank[s] = n_ + s;
    tree_.graph = directed(bare_, rank);

    std::vector<Arc> arc_of(fabric_.num_switch_channels(), kNoArc);
    for (Arc a = 0; a < tree_.graph.num_arcs(); ++a) arc_of[tree_.graph.channel[a]] = a;
    tree_.reverse.reserve(tree_.graph.num_arcs());
    for (const Channel c : tree_.graph.channel) tree_.reverse.push_back(arc_of[fabric_.peer(c)]);
  }

  /// The leaf switches of a part of the graph, as a list that is linked by the vector `next`.
  struct List {
    HostId lowest_host = kNoHost;  // lowest id of a host in it; kNoHost: no leaf
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

  /// Orders the leaves from the lowest level up. Where switches of a level connect several parts,
  /// the lists of these parts are concatenated, so that the leaves of each part remain contiguous.
  void order_leaves() {
    std::vector<List> list(n_);
    for (SwitchId s = 0; s < n_; ++s) {
      if (!is_leaf(s)) continue;
      list[s].head = list[s].tail = s;
      list[s].count = 1;
      list[s].lowest_host = std::ranges::min(fabric_.hosts_at(s));
    }
    std::vector<SwitchId> next(n_, kNoSwitch), span_head(n_, kNoSwitch);
    tree_.span_count.assign(n_, 0);
    UnionFind parts(n_);
    std::vector<std::uint32_t> joined;  // parts that this level connects
    // The part that this level makes, its lowest host, and one of the parts that it joins
    std::vector<std::tuple<std::uint32_t, HostId, std::uint32_t>> merges;
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
                     UnionFind& parts) {
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
};

TreeLevels make_tree_levels(const Fabric& fabric, const Levels& levels) {
  TreeLevels tree;
  TreeFinder(fabric, levels, tree).run();
  return tree;
}

std::optional<TreeLevels> find_tree_levels(const Fabric& fabric, const LevelHints& hints,
                                           LevelClash& clash) {
  const std::optional<Levels> levels = find_levels(fabric, hints, clash);
  if (!levels) return std::nullopt;
  return make_tree_levels(fabric, *levels);
}

}  // namespace selvedge
