// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/dmodk/fir_labels.hpp"

#include <algorithm>

#include "plugin/engines/tree/columns.hpp"
#include "plugin/engines/tree/levels.hpp"

namespace selvedge {
namespace {

/// Finds k and n from the hosts of one leaf switch and the number of levels. Returns nullopt if the
/// numbers of switches and hosts are not those of a k-ary n-tree.
std::optional<KaryShape> find_shape(const Fabric& fabric, const TreeLevels& tree) {
  if (tree.order.size() != fabric.num_switches() || tree.leaves.empty()) return std::nullopt;
  const std::int32_t top = tree.level[tree.order.front()], low = tree.level[tree.order.back()];
  if (low != 0 || top >= 16) return std::nullopt;
  const KaryShape shape{static_cast<unsigned>(fabric.hosts_at(tree.leaves[0]).size()),
                        static_cast<unsigned>(top) + 1};
  // Stops multiplying once the product exceeds the number of switches, so it cannot overflow.
  std::uint64_t leaves = 1;
  for (unsigned i = 1; i < shape.n && leaves <= fabric.num_switches(); ++i) leaves *= shape.k;
  if (shape.k < 2 || leaves != tree.leaves.size() || leaves * shape.n != fabric.num_switches() ||
      leaves * shape.k != fabric.num_hosts())
    return std::nullopt;
  return shape;
}

class Labelling {
 public:
  Labelling(const Fabric& fabric, const TreeLevels& tree, const TreeColumns& columns,
            const KaryShape& shape)
      : fabric_(fabric), tree_(tree), columns_(columns), g_(tree.graph) {
    labels_.shape = shape;
    labels_.switches.assign(shape.switches(), kNoSwitch);
    labels_.hosts.assign(shape.hosts(), kNoHost);
    labels_.ports.assign(std::size_t{shape.switches()} * 2 * shape.k, kNoPort);
  }

  std::optional<KaryLabels> run() {
    if (!name_switches() || !name_hosts() || !name_links()) return std::nullopt;
    return std::move(labels_);
  }

 private:
  unsigned stage(SwitchId s) const { return static_cast<unsigned>(tree_.level[s]); }

  PortNum& port(std::uint32_t index, unsigned link) {
    return labels_.ports[std::size_t{index} * 2 * labels_.shape.k + link];
  }

  bool name_switches() {
    // For each column (tree/columns.hpp) the labels on the way from the whole tree to that column,
    // as digits of one number. Larger columns have higher indices, so they are handled first.
    std::vector<std::uint64_t> chosen(columns_.count(), 0);
    for (Column c = columns_.count(); c-- > 0;) {
      const Column parent = columns_.parent[c];
      if (parent != TreeColumns::kNoColumn)
        chosen[c] = chosen[parent] + columns_.label[c] * columns_.unit[parent];
    }
    index_.resize(fabric_.num_switches());
    for (SwitchId s = 0; s < fabric_.num_switches(); ++s) {
      const std::uint64_t o = tree_.span_first[s] + chosen[columns_.of[s]];
      if (o >= labels_.shape.stage_size()) return false;
      index_[s] = labels_.shape.index(stage(s), static_cast<std::uint32_t>(o));
      if (labels_.switches[index_[s]] != kNoSwitch) return false;
      labels_.switches[index_[s]] = s;
    }
    return true;
  }

  bool name_hosts() {
    const unsigned k = labels_.shape.k;
    for (const SwitchId leaf : tree_.leaves) {
      const auto there = fabric_.hosts_at(leaf);
      if (there.size() != k) return false;
      std::vector<HostId> by_id(there.begin(), there.end());
      std::ranges::sort(by_id);
      for (unsigned i = 0; i < k; ++i) {
        labels_.hosts[tree_.place[leaf] * k + i] = by_id[i];
        port(index_[leaf], i) = fabric_.host(by_id[i]).port;
      }
    }
    return true;
  }

  /// Labels every cable that goes up, at both ends. Returns false if one does not connect the
  /// switches that the paper's rule requires.
  bool name_links() {
    const KaryShape& shape = labels_.shape;
    for (SwitchId x = 0; x < fabric_.num_switches(); ++x) {
      const unsigned s = stage(x);
      const std::uint32_t o = index_[x] % shape.stage_size();
      const std::uint32_t up = g_.first_down[x] - g_.first[x];
      if (up != (s + 1 == shape.n ? 0 : shape.k)) return false;
      for (Arc a = g_.first[x]; a < g_.first_down[x]; ++a) {
        const SwitchId y = g_.target[a];
        const std::uint32_t label = columns_.label_of[a];
        const std::uint32_t own = o / shape.power(s) % shape.k;
        if (label >= shape.k || stage(y) != s + 1 ||
            index_[y] % shape.stage_size() != o - own * shape.power(s) + label * shape.power(s))
          return false;
        port(index_[x], shape.k + label) = g_.port[a];
        port(index_[y], own) = g_.port[tree_.reverse[a]];
      }
    }
    return true;
  }

  const Fabric& fabric_;
  const TreeLevels& tree_;
  const TreeColumns& columns_;
  const SwitchGraph& g_;
  KaryLabels labels_;
  std::vector<std::uint32_t> index_;  // per switch: its index in labels_.switches
};

}  // namespace

std::optional<KaryLabels> label_k_ary_tree(const Fabric& fabric) {
  LevelClash clash{};
  const std::optional<TreeLevels> tree = find_tree_levels(fabric, {}, clash);
  if (!tree) return std::nullopt;
  const std::optional<KaryShape> shape = find_shape(fabric, *tree);
  if (!shape) return std::nullopt;
  const TreeColumns columns = find_tree_columns(*tree);
  return Labelling(fabric, *tree, columns, *shape).run();
}

}  // namespace selvedge
