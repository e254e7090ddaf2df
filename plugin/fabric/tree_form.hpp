// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What kind of tree a layered fabric is, and how the fabric differs from it: the answer to "what
// have I built, and what is wrong with it?".
//
// Between two levels a fat tree is made of blocks: in each, every lower switch is cabled to every
// upper one, by the same number of cables. A folded Clos network is one block; XGFT (Öhring et al.
// 1995) and PGFT, the same with parallel cables (Zahavi 2010), have several. So the blocks are
// looked for first. A cable counts towards a block if its two ends have most of their neighbours in
// common; a cable that joins two blocks is crossed. Pairs of a block that have fewer cables than
// most pairs lack them, others have a surplus.
//
// Not every switch has a part in that. A switch with few hosts and few cables up is a *service
// switch*; so is a switch above the leaf switches that nothing hangs from. They are listed, and
// nothing is expected of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plugin/fabric/fabric.hpp"
#include "plugin/fabric/levels.hpp"
#include "plugin/fabric/regularity.hpp"

namespace selvedge {

/// Two switches of one block whose cables are not as many as between most pairs.
struct TreePair {
  SwitchId lower = kNoSwitch, upper = kNoSwitch;
  unsigned cables = 0;
  unsigned usual = 0;
  /// Unused ports where the missing cables probably belong: those that the other switches of the
  /// block use for the same neighbour. Empty where these don't agree, else usual − cables of them.
  std::vector<PortNum> lower_ports, upper_ports;

  friend bool operator==(const TreePair&, const TreePair&) = default;
};

struct TreeLevel {
  std::vector<SwitchId> switches;  // ascending; no service switches
};

struct TreeBlock {
  std::vector<SwitchId> lower, upper;  // ascending
};

/// What is between level l and level l + 1.
struct TreeStage {
  std::vector<TreeBlock> blocks;
  unsigned usual = 0;  // cables a pair: the most frequent number
  unsigned cables_min = 0, cables_max = 0;
  /// Is it a tree's? Else pairs lack so much that nothing is said about missing cables.
  bool regular = false;
};

/// Port numbers that no switch of a level uses, amid those that lead to the next level: enough of
/// them for a switch there.
struct UnusedPortRange {
  unsigned level = 0;     // of the switches that have the port
  bool upward = true;     // would it lead to the level above?
  unsigned switches = 0;  // for so many there is room
  std::vector<PortNum> ports;
};

/// One piece of the fabric.
struct TreeForm {
  std::vector<TreeLevel> levels;  // [0]: the leaf switches
  std::vector<TreeStage> stages;  // one less than levels

  // XGFT and PGFT: m[0] is the hosts a leaf switch (0: they differ), p the cables a pair (p[0] =
  // 1).
  bool xgft = false;
  std::vector<unsigned> m, w, p;
  unsigned absent_switches = 0;  // of the XGFT's

  // Hosts of a leaf switch, without per-switch nodes and without leaf switches that have none.
  unsigned hosts_min = 0, hosts_max = 0;
  /// One on nearly every switch, all of one description, as aggregation nodes are.
  std::vector<HostId> per_switch_nodes;
  std::vector<HostId> hosts_above;    // others that are on a switch above the leaf switches
  std::vector<SwitchId> idle_leaves;  // only uplinks: no host but a per-switch node
  std::vector<SwitchId> service_switches;
  std::uint32_t num_switches = 0, num_hosts = 0;  // of the piece, all of them

  std::vector<TreePair> missing, surplus;  // by switches
  std::vector<Channel> crossed;            // from the lower switch; they join two blocks
  unsigned missing_cables = 0, surplus_cables = 0;
  std::vector<UnusedPortRange> holes;
  /// What to do about crossed and surplus cables, a line each, as Regularity::suspicions.
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

/// A form for each piece of the fabric that has a host; that with most hosts first.
std::vector<TreeForm> find_tree_forms(const Fabric& fabric, const Levels& levels);

/// The whole answer.
struct FabricForm {
  enum class Kind { kIrregular, kOneSwitch, kTwoSwitches, kTorus, kMesh, kTree };
  Kind kind = Kind::kIrregular;
  Regularity regularity;
  std::optional<Levels> levels;
  std::vector<TreeForm> trees;  // of kTree; of kIrregular if it is nearly a tree
  /// Without these cables the fabric has levels. With kIrregular and no `trees` the first that was
  /// met, unless every switch is a leaf switch, where no tree was to be expected.
  std::vector<LevelClash> clashes;
  std::vector<SwitchId> dead;  // switches without any cable, where there are others
  bool rails = false;          // adapters have ports in several pieces
  std::size_t cables = 0;      // between switches

  /// Are `trees` what describes it, rather than `regularity`?
  bool by_levels() const;
  std::string describe() const;
};

FabricForm recognise_form(const Fabric& fabric, const LevelHints& hints = {});

class Labels;
/// "leaf-01:40 – leaf-02:40", a GUID in place of a name that several switches have.
std::string cable_label(const Fabric& fabric, const Labels& labels, Channel c);
/// "cable leaf-01:40 – leaf-02:40 joins two leaf switches"
std::string describe(const Fabric& fabric, const LevelClash& clash);

}  // namespace selvedge
