// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/tree/near_tree.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/naming.hpp"
#include "plugin/fabric/tree_form.hpp"
#include "plugin/fabric/union_find.hpp"

namespace selvedge {
namespace {

constexpr std::size_t kMost = 8, kIn = 20;

/// Whether the ends of this cable are connected by other cables.
bool joined_without(const Fabric& fabric, Channel cable) {
  UnionFind parts(fabric.num_switches());
  for (const Channel c : fabric.links())
    if (c != cable && c != fabric.peer(cable)) parts.unite(fabric.switch_of(c), fabric.target(c));
  return parts.root(fabric.switch_of(cable)) == parts.root(fabric.target(cable));
}

}  // namespace

std::optional<NearTree> find_near_tree(const Fabric& fabric, const LevelHints& hints) {
  const Components pieces = components(make_switch_graph(fabric));
  const std::size_t most = std::clamp<std::size_t>(fabric.links().size() / kIn, 1, kMost);
  NearTree near;
  near.left = fabric;
  near.no_tree.assign(fabric.num_switches(), false);
  std::vector<std::size_t> taken(pieces.count(), 0);
  LevelClash clash{};
  while (!find_levels(near.left, hints, clash)) {
    const std::uint32_t piece = pieces.of[fabric.switch_of(clash.cable)];
    Fault out;
    if (taken[piece]++ < most && joined_without(near.left, clash.cable)) {
      near.unused.push_back(clash.cable);
      out.links = {clash.cable};
    } else {
      std::erase_if(near.unused,
                    [&](Channel c) { return pieces.of[fabric.switch_of(c)] == piece; });
      for (const Channel c : near.left.links())
        if (pieces.of[fabric.switch_of(c)] == piece) out.links.push_back(c);
      for (std::uint32_t i = pieces.first[piece]; i < pieces.first[piece + 1]; ++i)
        near.no_tree[pieces.members[i]] = true;
      near.outside += pieces.first[piece + 1] - pieces.first[piece];
    }
    near.left = without(std::move(near.left), out);
  }
  if (near.left.links().empty()) return std::nullopt;
  std::string why;
  std::optional<FatTree> tree = find_fat_tree(near.left, hints, why);
  if (!tree) return std::nullopt;
  near.tree = std::move(*tree);
  return near;
}

std::vector<std::string> near_tree_remarks(const Fabric& fabric, const NearTree& near) {
  std::vector<std::string> lines;
  if (!near.unused.empty())
    lines.push_back(fmt::format(
        "cable {} joins two switches of one level{}: the levels decide, and {} not used",
        cable_label(fabric, Labels(fabric), near.unused.front()),
        near.unused.size() == 1 ? "" : fmt::format(", as do {} more", near.unused.size() - 1),
        near.unused.size() == 1 ? "it is" : "these cables are"));
  if (near.outside > 0)
    lines.push_back(fmt::format(
        "{} of {} switches are in pieces that are no trees: there a spanning tree decides",
        near.outside, fabric.num_switches()));
  return lines;
}

}  // namespace selvedge
