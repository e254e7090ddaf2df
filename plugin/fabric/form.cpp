// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Chooses between the recognisers: first tori, meshes and k-ary n-trees, by their cables alone;
// then trees, by their levels.
#include <fmt/format.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>

#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/naming.hpp"
#include "plugin/fabric/tree_form.hpp"

namespace selvedge {
namespace {

/// Decides for fabrics that are both a lattice (torus or mesh) and a tree, such as a path of three
/// switches: they count as a tree if only the end switches have hosts.
bool is_plain_tree(const Fabric& fabric, const std::vector<TreeForm>& trees) {
  if (trees.size() != 1 || trees[0].levels.size() < 2 || !trees[0].complete()) return false;
  const TreeForm& tree = trees[0];
  return tree.idle_leaves.empty() && tree.service_switches.empty() && tree.hosts_above.empty() &&
         tree.num_switches == fabric.num_switches();
}

/// Whether all switches have about as many hosts. Then the fabric was not meant as a tree, so no
/// cable is reported as wrong for a tree. A switch with fewer than half as many hosts as the
/// fullest one counts as a switch above the leaves, whose hosts are aggregation nodes or storage.
bool all_are_leaf_switches(const Fabric& fabric) {
  std::size_t most = 0;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    most = std::max(most, fabric.hosts_at(s).size());
  for (SwitchId s = 0; s < fabric.num_switches(); ++s)
    if (!fabric.out(s).empty() && 2 * fabric.hosts_at(s).size() < most) return false;
  return true;
}

/// Removes cables between switches of one level, until the remaining fabric has levels.
void find_near_tree(const Fabric& fabric, const LevelHints& hints, LevelClash clash,
                    FabricForm& form) {
  constexpr std::size_t kMost = 8, kIn = 20;  // at most 8 cables, and at most 1 in 20
  const std::size_t most = std::clamp<std::size_t>(fabric.links().size() / kIn, 1, kMost);
  Fabric left = fabric;
  for (std::size_t taken = 0; taken < most; ++taken) {
    form.clashes.push_back(clash);
    left = without(std::move(left), {{clash.cable}, {}});
    if (const std::optional<Levels> levels = find_levels(left, hints, clash)) {
      std::vector<TreeForm> trees = find_tree_forms(left, *levels);
      if (!trees.empty() && trees[0].levels.size() > 1 && trees[0].regular() &&
          2 * trees[0].num_switches > fabric.num_switches()) {
        form.levels = levels;
        form.trees = std::move(trees);
        return;
      }
      break;
    }
  }
  form.clashes.resize(1);
  if (all_are_leaf_switches(fabric)) form.clashes.clear();
}

/// Whether some adapter has ports in several connected components. Then the components are rails.
bool share_adapters(const Fabric& fabric, const Levels& levels) {
  std::vector<std::uint32_t> piece(fabric.num_switches(), UINT32_MAX);
  for (SwitchId first = 0; first < fabric.num_switches(); ++first) {
    if (piece[first] != UINT32_MAX || levels.level[first] == Levels::kNone) continue;
    std::vector<SwitchId> queue{first};
    piece[first] = first;
    for (std::size_t next = 0; next < queue.size(); ++next)
      for (const Channel c : fabric.out(queue[next]))
        if (const SwitchId s = fabric.target(c); piece[s] == UINT32_MAX) {
          piece[s] = first;
          queue.push_back(s);
        }
  }
  boost::unordered_flat_map<Guid, std::uint32_t> of;
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    const Host& host = fabric.host(h);
    if (!fabric.attached(h) || host.node_guid == 0) continue;
    if (of.try_emplace(host.node_guid, piece[host.at]).first->second != piece[host.at]) return true;
  }
  return false;
}

FabricForm::Kind kind_of(const Fabric& fabric, const FabricForm& form) {
  using Kind = FabricForm::Kind;
  switch (form.regularity.kind) {
    case Regularity::Kind::kTree:
      return Kind::kTree;
    case Regularity::Kind::kNone:
      return form.trees.empty() || !form.clashes.empty() ? Kind::kIrregular : Kind::kTree;
    case Regularity::Kind::kTorus:
    case Regularity::Kind::kMesh:
      break;
  }
  if (fabric.num_switches() == 1) return Kind::kOneSwitch;
  if (form.clashes.empty() && is_plain_tree(fabric, form.trees)) return Kind::kTree;
  if (fabric.num_switches() == 2 && form.regularity.kind == Regularity::Kind::kMesh)
    return Kind::kTwoSwitches;
  return form.regularity.kind == Regularity::Kind::kTorus ? Kind::kTorus : Kind::kMesh;
}

}  // namespace

FabricForm recognise_form(const Fabric& fabric, const LevelHints& hints) {
  FabricForm form;
  form.regularity = recognise(fabric);
  form.cables = fabric.links().size();
  LevelClash clash{};
  form.levels = find_levels(fabric, hints, clash);
  if (form.levels)
    form.trees = find_tree_forms(fabric, *form.levels);
  else if (!form.regularity.regular())
    find_near_tree(fabric, hints, clash, form);
  form.kind = kind_of(fabric, form);
  using Kind = FabricForm::Kind;
  if (form.kind != Kind::kTree && form.kind != Kind::kIrregular) form.trees.clear();
  if (form.trees.size() > 1 && form.levels) form.rails = share_adapters(fabric, *form.levels);
  if (fabric.num_switches() > 1)
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      if (fabric.out(s).empty() && fabric.hosts_at(s).empty()) form.dead.push_back(s);
  return form;
}

bool FabricForm::by_levels() const {
  if (trees.empty()) return false;
  if (regularity.kind != Regularity::Kind::kTree) return true;
  // recognise() counts parallel cables as one cable. So a k-ary n-tree with parallel cables is
  // described by its levels.
  return trees.size() > 1 || trees[0].levels.size() != regularity.n ||
         std::ranges::any_of(trees[0].stages, [](const TreeStage& s) { return s.usual > 1; });
}

std::string FabricForm::describe() const {
  if (kind == Kind::kOneSwitch && regularity.complete()) return "one switch";
  if (kind == Kind::kTwoSwitches && regularity.complete())
    return fmt::format("two switches, {} between them",
                       cables == 1 ? "1 cable" : fmt::format("{} cables", cables));
  if (!by_levels()) return regularity.describe();
  std::string text = trees[0].describe();
  if (trees.size() > 1) {
    const bool alike =
        std::ranges::all_of(trees, [&](const TreeForm& t) { return t.describe() == text; });
    if (alike) {
      text = fmt::format("{} {}, each: {}", trees.size(), rails ? "rails" : "pieces", text);
    } else {
      constexpr std::size_t kMost = 3;  // components that are described one by one
      for (std::size_t i = 1; i < std::min(trees.size(), kMost); ++i)
        text += "; and " + trees[i].describe();
      if (trees.size() > kMost) text += fmt::format("; and {} more pieces", trees.size() - kMost);
    }
  }
  return kind == Kind::kIrregular ? "no tree, but nearly a " + text : text;
}

std::string cable_label(const Fabric& fabric, const Labels& labels, Channel c) {
  const Channel back = fabric.peer(c);
  return fmt::format("{}:{} – {}:{}", labels.of_switch(fabric.switch_of(c)), fabric.port_of(c),
                     labels.of_switch(fabric.switch_of(back)), fabric.port_of(back));
}

std::string describe(const Fabric& fabric, const LevelClash& clash) {
  const auto levels = [&](const char* noun) {
    return clash.level == 1 ? fmt::format("one {}", noun)
                            : fmt::format("{} {}s", clash.level, noun);
  };
  std::string where;
  if (clash.from_roots)
    where = clash.level == 0 ? "two given roots"
                             : fmt::format("two switches that are both {} from the given roots",
                                           levels("cable"));
  else if (clash.from_compute)
    where = clash.level == 0 ? "two switches with given compute nodes"
                             : fmt::format("two switches {} above those with given compute nodes",
                                           levels("level"));
  else
    where = clash.level == 0
                ? "two leaf switches"
                : fmt::format("two switches {} above the leaf switches", levels("level"));
  return fmt::format("cable {} joins {}", cable_label(fabric, Labels(fabric), clash.cable), where);
}

}  // namespace selvedge
