// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/tree/columns.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <tuple>

#include "plugin/fabric/union_find.hpp"

namespace selvedge {
namespace {

constexpr std::uint64_t kUnitLimit = std::uint64_t{1} << 40;

class ColumnFinder {
 public:
  explicit ColumnFinder(const TreeLevels& tree)
      : tree_(tree),
        g_(tree.graph),
        n_(tree.graph.num_switches()),
        leads_to_(tree.graph.num_arcs(), TreeColumns::kNoColumn) {}

  TreeColumns run() {
    grow();
    label();
    level_radices();
    scale();
    sort_arcs();
    return std::move(columns_);
  }

 private:
  /// Makes the columns from the top level down. The parts of the graph that switches of a level
  /// connect, together with these switches, become one column.
  void grow() {
    columns_.of.assign(n_, TreeColumns::kNoColumn);
    UnionFind parts(n_);
    std::vector<Column> newest(n_, TreeColumns::kNoColumn);  // per root of a part: its column
    std::vector<SwitchId> lowest(n_);  // per root of a part: the lowest switch id in it
    std::iota(lowest.begin(), lowest.end(), SwitchId{0});
    for (std::size_t begin = 0; begin < tree_.order.size();) {
      std::size_t end = begin;
      const std::int32_t level = tree_.level[tree_.order[begin]];
      while (end < tree_.order.size() && tree_.level[tree_.order[end]] == level) ++end;
      const std::span<const SwitchId> group(tree_.order.data() + begin, end - begin);
      begin = end;

      const Column first_new = columns_.count();
      for (const SwitchId x : group)
        for (Arc a = g_.first[x]; a < g_.first_down[x]; ++a)
          leads_to_[a] = newest[parts.root(g_.target[a])];
      for (const SwitchId x : group)
        for (Arc a = g_.first[x]; a < g_.first_down[x]; ++a) {
          const std::uint32_t p = parts.root(x), q = parts.root(g_.target[a]);
          const SwitchId low = std::min(lowest[p], lowest[q]);
          parts.unite(p, q);
          lowest[parts.root(p)] = low;
        }
      for (const SwitchId x : group) {
        const std::uint32_t root = parts.root(x);
        Column& column = newest[root];
        if (column == TreeColumns::kNoColumn || column < first_new) {
          column = columns_.count();
          columns_.radix.push_back(0);
          columns_.parent.push_back(TreeColumns::kNoColumn);
          lowest_id_.push_back(lowest[root]);
          key_.emplace_back(tree_.pieces.of[x], level);
        }
        columns_.of[x] = column;
        for (Arc a = g_.first[x]; a < g_.first_down[x]; ++a) columns_.parent[leads_to_[a]] = column;
      }
    }
  }

  /// Labels the columns by first fit: two columns may share a label if no switch is cabled to both.
  void label() {
    // For each column, the switches that have an arc into it.
    std::vector<std::uint32_t> first(columns_.count() + 1u, 0);
    for (const Column c : leads_to_)
      if (c != TreeColumns::kNoColumn) ++first[c + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<SwitchId> from(first.back());
    std::vector<std::uint32_t> fill(first.begin(), first.end() - 1);
    for (const SwitchId x : tree_.order)
      for (Arc a = g_.first[x]; a < g_.first_down[x]; ++a) from[fill[leads_to_[a]]++] = x;

    // The switches of a column get numbers within it, which index `taken`.
    std::vector<std::uint32_t>& member = columns_.member;
    std::vector<std::uint32_t> members(columns_.count(), 0);
    member.resize(n_);
    for (const SwitchId x : tree_.order) member[x] = members[columns_.of[x]]++;
    // Per column, [label × members + member]: label in use
    std::vector<std::vector<bool>> taken(columns_.count());

    std::vector<Column> by_lowest_id(columns_.count());
    std::iota(by_lowest_id.begin(), by_lowest_id.end(), Column{0});
    std::ranges::sort(by_lowest_id, {}, [&](Column c) { return std::tuple(lowest_id_[c], c); });
    columns_.label.assign(columns_.count(), 0);
    for (const Column c : by_lowest_id) {
      const Column parent = columns_.parent[c];
      if (parent == TreeColumns::kNoColumn) continue;
      const std::span<const SwitchId> users(from.data() + first[c], first[c + 1] - first[c]);
      std::vector<bool>& marks = taken[parent];
      std::uint32_t label = 0;
      for (;; ++label) {
        if (label == columns_.radix[parent]) {
          ++columns_.radix[parent];
          marks.resize(marks.size() + members[parent]);
        }
        const std::size_t row = std::size_t{label} * members[parent];
        if (std::ranges::none_of(users, [&](SwitchId x) { return marks[row + member[x]]; })) break;
      }
      columns_.label[c] = label;
      const std::size_t row = std::size_t{label} * members[parent];
      for (const SwitchId x : users) marks[row + member[x]] = true;
    }
  }

  /// Sets the radix of all columns of a level to that of the column with most labels.
  void level_radices() {
    std::map<std::pair<std::uint32_t, std::int32_t>, std::uint32_t> widest;
    for (Column c = 0; c < columns_.count(); ++c)
      widest[key_[c]] = std::max(widest[key_[c]], columns_.radix[c]);
    for (Column c = 0; c < columns_.count(); ++c)
      if (columns_.radix[c] > 0) columns_.radix[c] = widest[key_[c]];
  }

  void scale() {
    columns_.unit.assign(columns_.count(), 1);
    for (Column c = columns_.count(); c-- > 0;) {
      const Column parent = columns_.parent[c];
      if (parent != TreeColumns::kNoColumn)
        columns_.unit[c] = std::min(columns_.unit[parent] * columns_.radix[parent], kUnitLimit);
    }
  }

  void sort_arcs() {
    columns_.sorted.resize(g_.num_arcs());
    std::iota(columns_.sorted.begin(), columns_.sorted.end(), Arc{0});
    columns_.label_of.assign(g_.num_arcs(), 0);
    columns_.cables.assign(n_, TreeColumns::kMixed);
    for (const SwitchId x : tree_.order) {
      const std::span<Arc> up(columns_.sorted.data() + g_.first[x], g_.first_down[x] - g_.first[x]);
      if (up.empty()) continue;
      for (const Arc a : up) columns_.label_of[a] = columns_.label[leads_to_[a]];
      const auto label_of = [&](Arc a) { return columns_.label_of[a]; };
      std::ranges::sort(up, {}, [&](Arc a) { return std::tuple(label_of(a), g_.port[a]); });
      const auto size = static_cast<std::uint32_t>(up.size());
      const std::uint32_t radix = columns_.radix[columns_.of[x]];
      const std::uint32_t each = size / radix;
      bool even = each * radix == size;
      for (std::uint32_t i = 0; even && i < size; ++i) even = label_of(up[i]) == i / each;
      if (even) columns_.cables[x] = each;
    }
  }

  const TreeLevels& tree_;
  const SwitchGraph& g_;
  const std::uint32_t n_;
  std::vector<Column> leads_to_;     // per arc that goes up: the column it enters
  std::vector<SwitchId> lowest_id_;  // per column: its lowest switch id
  std::vector<std::pair<std::uint32_t, std::int32_t>> key_;  // per column: component and level
  TreeColumns columns_;
};

}  // namespace

TreeColumns find_tree_columns(const TreeLevels& tree) { return ColumnFinder(tree).run(); }

}  // namespace selvedge
