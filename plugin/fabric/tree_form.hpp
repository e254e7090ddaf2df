// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What kind of tree a layered fabric is, and how the fabric differs from it: the answer to "what
// have I built, and what is wrong with it?".
//
// Between two levels a fat tree is made of blocks: in each, every lower switch is cabled to every
// upper one, by the same number of cables. A folded Clos network is one block; XGFT (Öhring et al.
// 1995) and PGFT, the same with parallel cables (Zahavi 2010), have several. So the blocks are
// found first. A cable counts towards a block if its two ends have most of their neighbours in
// common; a cable that joins two blocks is crossed. A pair of a block with fewer cables than most
// pairs lacks some; a pair with more has surplus ones.
//
// *Service switches* are not part of the tree: switches with few hosts and few cables up, switches
// below the leaf switches, and switches above them without a lower switch. They are listed, but no
// cables are expected of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plugin/fabric/fabric.hpp"
#include "plugin/fabric/levels.hpp"
#include "plugin/fabric/regularity.hpp"

namespace selvedge {

/// Two switches of one block with more or fewer cables than most pairs of the block's stage.
struct TreePair {
  SwitchId lower = kNoSwitch, upper = kNoSwitch;
  unsigned cables = 0;
  unsigned usual = 0;
  /// Unused ports where the missing cables probably belong: those that the other switches of the
  /// block use for the same neighbour. Empty if too few ports qualify; else as many as cables are
  /// missing (`usual` − `cables`).
  std::vector<PortNum> lower_ports, upper_ports;

  friend bool operator==(const TreePair&, const TreePair&) = default;
};

struct TreeLevel {
  std::vector<SwitchId> switches;  // ascending; no service switches
};

struct TreeBlock {
  std::vector<SwitchId> lower, upper;  // ascending
};

/// The cables between level l and level l + 1.
struct TreeStage {
  std::vector<TreeBlock> blocks;
  unsigned usual = 0;  // cables a pair: the most frequent number
  unsigned cables_min = 0, cables_max = 0;
  /// Few enough cables are missing, surplus or crossed. If not, they are not listed in the form.
  bool regular = false;
};

/// Port numbers that no switch of a level uses, between ports that lead to an adjacent level:
/// enough for at least one more switch there.
struct UnusedPortRange {
  unsigned level = 0;     // of the switches that have the port
  bool upward = true;     // would it lead to the level above?
  unsigned switches = 0;  // how many more switches could be cabled
  std::vector<PortNum> ports;
};

/// One connected component of the fabric.
struct TreeForm {
  std::vector<TreeLevel> levels;  // [0]: the leaf switches
  std::vector<TreeStage> stages;  // stages.size() = levels.size() − 1

  // XGFT and PGFT: m[0] is the number of hosts per leaf switch (0: they differ), p the cables per
  // pair (p[0] = 1).
  bool xgft = false;
  std::vector<unsigned> m, w, p;
  unsigned absent_switches = 0;  // switches that the XGFT has and the fabric lacks

  // Hosts per leaf switch, excluding per-switch nodes and leaf switches without hosts.
  unsigned hosts_min = 0, hosts_max = 0;
  /// Hosts that share one description, at most one on a switch, on more than half of the switches
  /// and not only on leaf switches: aggregation nodes.
  std::vector<HostId> per_switch_nodes;
  std::vector<HostId> hosts_above;    // other hosts on switches above the leaf switches
  std::vector<SwitchId> idle_leaves;  // no host except a per-switch node
  std::vector<SwitchId> service_switches;
  std::uint32_t num_switches = 0, num_hosts = 0;  // all of the component

  std::vector<TreePair> missing, surplus;  // by switches
  std::vector<Channel> crossed;            // channels up; they join two blocks or skip a level
  unsigned missing_cables = 0, surplus_cables = 0;
  std::vector<UnusedPortRange> unused_ports;
  /// Advice about crossed and surplus cables, a line each, like Regularity::suspicions.
  std::vector<std::string> suspicions;

  bool regular() const;
  bool complete() const {
    return regular() && missing.empty() && surplus.empty() && crossed.empty() &&
           absent_switches == 0;
  }
  /// "folded Clos: 31 leaves, 9 spines, 2 cables a pair, 26 missing"
  std::string describe() const;
  /// "leaves", "spines", "cores", "level-1 switches"
  std::string level_name(std::size_t level, std::size_t count) const;
};

/// A form for each connected component that has a host, in descending order of hosts.
std::vector<TreeForm> find_tree_forms(const Fabric& fabric, const Levels& levels);

/// The recognised form of a whole fabric.
struct FabricForm {
  enum class Kind { kIrregular, kOneSwitch, kTwoSwitches, kTorus, kMesh, kTree };
  Kind kind = Kind::kIrregular;
  Regularity regularity;
  std::optional<Levels> levels;
  std::vector<TreeForm> trees;  // for kTree; for kIrregular if it is nearly a tree
  /// Cables without which the fabric has levels. If no such set was found: the first cable that
  /// clashed, or none if all switches look like leaf switches (then no tree was meant).
  std::vector<LevelClash> clashes;
  std::vector<SwitchId> dead;  // switches without any cable, if there are other switches
  bool rails = false;          // adapters have ports in several components
  std::size_t cables = 0;      // between switches

  /// Is the fabric described by `trees` rather than by `regularity`?
  bool by_levels() const;
  std::string describe() const;
};

FabricForm recognise_form(const Fabric& fabric, const LevelHints& hints = {});

class Labels;
/// "leaf-01:40 – leaf-02:40", with the GUID of a switch whose name is not unique.
std::string cable_label(const Fabric& fabric, const Labels& labels, Channel c);
/// "cable leaf-01:40 – leaf-02:40 joins two leaf switches"
std::string describe(const Fabric& fabric, const LevelClash& clash);

}  // namespace selvedge
