// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Which kind of tree a layered fabric is, and how the fabric differs from it. That answers the
// operator's questions "what have I built?" and "what is wrong with it?".
//
// Between two levels a fat tree is made of blocks. In each block, every lower switch is cabled to
// every upper one, with the same number of cables. A folded Clos network is one block. XGFT (Öhring
// et al. 1995) and PGFT, which has parallel cables (Zahavi 2010), have several. So the blocks are
// found first. A cable counts towards a block if enough other neighbours of one end are cabled to
// those of the other (tree_blocks.cpp). A cable that connects two blocks is called crossed. If a
// pair of switches in a block has fewer cables than most pairs, cables are missing; if it has more,
// some are surplus.
//
// *Service switches* are not part of the tree: switches with few hosts and few cables up, switches
// below the leaf switches, and switches above the leaves without a lower switch. They are listed,
// but no cables are expected of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plugin/fabric/fabric.hpp"
#include "plugin/fabric/levels.hpp"
#include "plugin/fabric/regularity.hpp"

namespace selvedge {

/// Two switches of one block that have more or fewer cables than most pairs of switches between
/// these two levels.
struct TreePair {
  SwitchId lower = kNoSwitch, upper = kNoSwitch;
  unsigned cables = 0;
  unsigned usual = 0;
  /// Unused ports to which the missing cables probably belong: those that the other switches of the
  /// block use for the same neighbour. Empty if too few ports qualify; else as many as cables are
  /// missing (`usual` − `cables`).
  std::vector<PortNum> lower_ports, upper_ports;

  friend bool operator==(const TreePair&, const TreePair&) = default;
};

struct TreeLevel {
  std::vector<SwitchId> switches;  // ascending, without service switches
};

struct TreeBlock {
  std::vector<SwitchId> lower, upper;  // ascending
};

/// The cables between levels l and l + 1.
struct TreeStage {
  std::vector<TreeBlock> blocks;
  unsigned usual = 0;  // cables of a pair: the most frequent number
  unsigned cables_min = 0, cables_max = 0;
  /// Whether few enough cables are missing, surplus or between blocks. If not, they are not listed
  /// in the form.
  bool regular = false;
};

/// Port numbers that no switch of a level uses, although they lie between ports that lead to an
/// adjacent level. They suffice for at least one more switch there.
struct UnusedPortRange {
  unsigned level = 0;     // level of the switches that have the ports
  bool upward = true;     // whether the ports would lead to the level above
  unsigned switches = 0;  // how many more switches could be cabled to them
  std::vector<PortNum> ports;
};

/// The form of one connected component of the fabric.
struct TreeForm {
  std::vector<TreeLevel> levels;  // [0] is the leaf switches
  std::vector<TreeStage> stages;  // stages.size() = levels.size() − 1

  // For an XGFT or PGFT its numbers: m, w and p (the cables of a pair, with p[0] = 1) of each
  // level. m[0] is the number of hosts of each leaf switch; 0: they differ.
  bool xgft = false;
  std::vector<unsigned> m, w, p;
  unsigned absent_switches = 0;  // switches that the XGFT has and the fabric lacks

  // Hosts of a leaf switch, without per-switch nodes; leaf switches without hosts do not count.
  unsigned hosts_min = 0, hosts_max = 0;
  /// Aggregation nodes: hosts with the same description, at most one on each switch, that are on
  /// more than half of the switches and not only on leaf switches.
  std::vector<HostId> per_switch_nodes;
  std::vector<HostId> hosts_above;    // other hosts on switches above the leaf switches
  std::vector<SwitchId> idle_leaves;  // leaf switches without hosts but per-switch nodes
  std::vector<SwitchId> service_switches;
  std::uint32_t num_switches = 0, num_hosts = 0;  // of the component, service switches included

  std::vector<TreePair> missing, surplus;  // pairs with too few or too many cables
  std::vector<Channel> crossed;            // cables (channels up) between blocks or over two levels
  unsigned missing_cables = 0, surplus_cables = 0;
  std::vector<UnusedPortRange> unused_ports;
  /// Advice about crossed and surplus cables, one line each, like Regularity::suspicions.
  std::vector<std::string> suspicions;

  bool regular() const;
  bool complete() const {
    return regular() && missing.empty() && surplus.empty() && crossed.empty() &&
           absent_switches == 0;
  }
  /// The form in words: "folded Clos: 31 leaves, 9 spines, 2 cables a pair, 26 missing".
  std::string describe() const;
  /// What `count` switches of a level are called: "leaves", "spines", "cores", "level-1 switches".
  std::string level_name(std::size_t level, std::size_t count) const;
};

/// The form of each connected component that has a host, in descending order of the number of
/// hosts.
std::vector<TreeForm> find_tree_forms(const Fabric& fabric, const Levels& levels);

/// Which regular topology a whole fabric is, as far as it was recognised.
struct FabricForm {
  enum class Kind { kIrregular, kOneSwitch, kTwoSwitches, kTorus, kMesh, kTree };
  Kind kind = Kind::kIrregular;
  Regularity regularity;
  std::optional<Levels> levels;
  std::vector<TreeForm> trees;  // for kTree, and for kIrregular if it is nearly a tree
  /// Cables without which the fabric has levels. If no such set was found, the first cable that
  /// clashed. Empty also if all switches look like leaf switches, because then no tree was meant.
  std::vector<LevelClash> clashes;
  std::vector<SwitchId> dead;  // switches without any cable, unless the fabric has only one
  bool rails = false;          // whether adapters have ports in several components
  std::size_t cables = 0;      // number of cables between switches

  /// Whether `trees` describe the fabric, and not `regularity`.
  bool by_levels() const;
  std::string describe() const;
};

FabricForm recognise_form(const Fabric& fabric, const LevelHints& hints = {});

class Labels;
/// A cable in words: "leaf-01:40 – leaf-02:40", with the GUID of a switch whose name is not unique.
std::string cable_label(const Fabric& fabric, const Labels& labels, Channel c);
/// A clash in words: "cable leaf-01:40 – leaf-02:40 joins two leaf switches".
std::string describe(const Fabric& fabric, const LevelClash& clash);

}  // namespace selvedge
