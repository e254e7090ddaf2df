// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/tree/fat_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "plugin/engines/dmodk/router.hpp"
#include "plugin/engines/tree/order.hpp"
#include "plugin/engines/tree/router.hpp"
#include "plugin/fabric/naming.hpp"
#include "plugin/fabric/regularity.hpp"
#include "plugin/fabric/tree_form.hpp"

namespace selvedge {
namespace {

/// The end of a message that a fabric has no levels: whether it would have levels without the
/// administrator's files (`hints`); "" if not.
std::string by_hints(const Fabric& fabric, const LevelHints& hints, const LevelClash& clash) {
  LevelClash ignored{};
  if (!(clash.from_roots || clash.from_compute) || !find_levels(fabric, {}, ignored)) return "";
  return fmt::format("; without the given {} the fabric has levels", clash.from_roots ? "roots"
                                                                     : hints.not_compute.empty()
                                                                         ? "compute nodes"
                                                                         : "compute and I/O nodes");
}

/// Counts the pairs of leaf switches without a path that goes up, then down. In a damaged tree some
/// pairs have none; in a fabric that is no tree, most pairs.
void count_pairs(FatTree& tree) {
  const TreeLevels& levels = tree.levels;
  const SwitchGraph& g = levels.graph;
  const std::size_t leaves = levels.leaves.size(), words = (leaves + 63) / 64;
  // Per switch, a bit set of the leaves below it or below any switch above it.
  std::vector<std::uint64_t> joined(g.num_switches() * words, 0);
  for (const SwitchId x : levels.order) {
    std::uint64_t* own = joined.data() + x * words;
    for (std::size_t i = 0; i < leaves; ++i)
      if (levels.reaches(x, levels.leaves[i])) own[i / 64] |= std::uint64_t{1} << (i % 64);
    for (Arc a = g.first[x]; a < g.first_down[x]; ++a)
      for (std::size_t w = 0; w < words; ++w) own[w] |= joined[g.target[a] * words + w];
  }
  std::vector<std::uint32_t> in_piece(levels.pieces.count(), 0);
  for (const SwitchId leaf : levels.leaves) ++in_piece[levels.pieces.of[leaf]];
  for (const SwitchId leaf : levels.leaves) {
    std::uint64_t there = 0;
    for (std::size_t w = 0; w < words; ++w)
      there += static_cast<std::uint64_t>(std::popcount(joined[leaf * words + w]));
    tree.leaf_pairs += in_piece[levels.pieces.of[leaf]] - 1;
    tree.apart += in_piece[levels.pieces.of[leaf]] - there;
    if (there == in_piece[levels.pieces.of[leaf]] || tree.first_apart) continue;
    for (std::size_t i = 0; i < leaves && !tree.first_apart; ++i) {
      const SwitchId other = levels.leaves[i];
      if (levels.pieces.of[other] == levels.pieces.of[leaf] &&
          (joined[leaf * words + i / 64] >> (i % 64) & 1u) == 0)
        tree.first_apart.emplace(leaf, other);
    }
  }
}

bool is_complete(const Fabric& fabric, const FatTree& tree) {
  const TreeLevels& t = tree.levels;
  const SwitchGraph& g = t.graph;
  std::vector<std::uint32_t> in_piece(t.pieces.count(), 0);
  for (const SwitchId leaf : t.leaves) ++in_piece[t.pieces.of[leaf]];
  for (const SwitchId x : t.order) {
    if (t.place[x] == TreeLevels::kNoPlace && !fabric.hosts_at(x).empty()) return false;
    if (t.place[x] != TreeLevels::kNoPlace && t.level[x] != 0) return false;
    for (Arc a = g.first[x]; a < g.first_down[x]; ++a)
      if (t.level[g.target[a]] != t.level[x] + 1) return false;
    // If a switch is above two children by levels but below them in the order, a packet between the
    // two would go down, then up (tree/order.hpp).
    SwitchId turned = kNoSwitch;
    for (Arc a = g.first_down[x]; a < g.first[x + 1]; ++a) {
      const SwitchId y = g.target[a];
      if (tree.order.rank[y] > tree.order.rank[x] || y == turned) continue;
      if (turned != kNoSwitch) return false;
      turned = y;
    }
    if (t.is_top(x) ? t.reached[x] != in_piece[t.pieces.of[x]]
                    : tree.columns.cables[x] == TreeColumns::kMixed || !t.exact(x))
      return false;
  }
  return true;
}

}  // namespace

std::string describe_apart(const Fabric& fabric, const FatTree& tree) {
  if (!tree.first_apart) return "";
  const Labels labels(fabric);
  return fmt::format(
      "{} of {} ordered pairs of leaf switches have no path that goes up, then down, the first {} "
      "→ {}",
      tree.apart, tree.leaf_pairs, labels.of_switch(tree.first_apart->first),
      labels.of_switch(tree.first_apart->second));
}

std::optional<FatTree> find_fat_tree(const Fabric& fabric, const LevelHints& hints,
                                     std::string& why) {
  LevelClash clash{};
  std::optional<TreeLevels> levels = find_tree_levels(fabric, hints, clash);
  if (!levels) {
    why = describe(fabric, clash) + by_hints(fabric, hints, clash);
    return std::nullopt;
  }
  if (levels->leaves.empty() && !fabric.links().empty()) {
    why = "no switch has a host";
    return std::nullopt;
  }
  FatTree tree;
  tree.levels = std::move(*levels);
  count_pairs(tree);
  if (tree.apart > 0) {
    const Regularity::Kind kind =
        2 * tree.apart > tree.leaf_pairs ? Regularity::Kind::kNone : recognise(fabric).kind;
    if (2 * tree.apart > tree.leaf_pairs || kind == Regularity::Kind::kTorus ||
        kind == Regularity::Kind::kMesh) {
      why = describe_apart(fabric, tree);
      return std::nullopt;
    }
  }
  tree.columns = find_tree_columns(tree.levels);
  tree.order = order_tree(fabric, tree.levels);
  tree.complete = is_complete(fabric, tree);
  return tree;
}

Tables route_fat_tree(const Fabric& fabric, const FatTree& tree, const EngineProgress& progress,
                      const BalanceOptions& balance) {
  if (tree.complete && balance.weight.empty())
    return route_complete_tree(fabric, tree.levels, tree.columns, tree.order, progress,
                               balance.first);
  return route_tree(fabric, tree.levels, tree.columns, tree.order, progress, balance);
}

std::vector<std::string> tree_remarks(const Fabric& fabric, const FatTree& tree,
                                      const BalanceOptions& balance) {
  const TreeLevels& t = tree.levels;
  std::vector<std::string> lines;
  if (t.order.empty()) return lines;
  const std::int32_t levels = t.level[t.order.front()] - t.level[t.order.back()] + 1;
  if (levels == 1) return lines;
  const auto tops = std::ranges::count_if(t.order, [&](SwitchId s) { return t.is_top(s); });
  lines.push_back(
      fmt::format("a tree of {} levels: {} top switch{}", levels, tops, tops == 1 ? "" : "es"));
  const auto lacking = std::ranges::count_if(t.order, [&](SwitchId s) {
    return t.reached[s] > 0 && !t.is_top(s) && tree.columns.cables[s] == TreeColumns::kMixed;
  });
  if (lacking > 0)
    lines.push_back(fmt::format("{} of {} switches have fewer uplinks than others of their level",
                                lacking, t.order.size()));
  if (tree.complete && !balance.ignored.empty())
    lines.emplace_back(
        "ports to be ignored in the balance change nothing: in a complete fat tree paths are dealt "
        "out by the numbers of their destinations");
  std::size_t hosts = 0, switches = 0;
  for (const SwitchId s : t.order)
    if (t.place[s] == TreeLevels::kNoPlace && !fabric.hosts_at(s).empty()) {
      ++switches;
      hosts += fabric.hosts_at(s).size();
    }
  if (hosts > 0)
    lines.push_back(fmt::format("{} host{} at {} switch{} above the leaf switches", hosts,
                                hosts == 1 ? "" : "s", switches, switches == 1 ? "" : "es"));
  return lines;
}

}  // namespace selvedge
