// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// plugin/engines: routing engines. Each has a folder (spf, tree and auto: a file) and is a pure
// function from a fabric and a request to tables. An engine states what its tables guarantee.
// plugin/verify, which shares no code with the engines, proves it.
//
//   updn/       up*/down*: the order of the switches and the search of up*/down* paths, which other
//               engines use too
//   tree/       fat trees: levels, digits, tables; updn, tftr and dmodk route fat trees with it
//   dmodk/      d-mod-k: the numbers of destinations, complete trees, the registers of IR and FIR
//   disjoint/   tftr: disjoint paths on any fabric; its search also serves spftr where that engine
//               has no trees
//   spftr/      tori by patterns; aspftr/: the same with 3 SLs
//   ist/        tori by independent spanning trees
//   multipath/  paths by path bits: cycles, bits, entries, layers
//   balanced/   evenly loaded shortest paths on any fabric, within the VLs that there are
//   dor/        dimension order on tori and meshes
//   martinez    for adaptive switches: an escape path and minimal ways (a file)
//
// Files directly in this folder are shared by several engines.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/engines/balance_options.hpp"
#include "plugin/fabric/levels.hpp"
#include "plugin/tables/reply_grade.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge {

/// Called from time to time while an engine runs: `done` of `total` destination switches are
/// routed. The function may be empty.
using EngineProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;

struct SpareRule;

/// What an engine may take into account besides the fabric. LIDs and LMC are part of the fabric.
struct EngineRequest {
  unsigned max_vls = 8;   // number of data VLs that all ports have, 1…15
  unsigned max_sls = 16;  // number of SLs that may be used, 1…16
  /// What limits max_vls and max_sls, for the message of an engine that needs more; may be empty.
  std::string bounds;

  /// For up*/down*: the spanning tree by which links get their directions. kBest: in a fat tree its
  /// levels; elsewhere the spanning tree with the least load on the busiest link.
  enum class Tree { kBest, kBfs, kDfs };
  Tree tree = Tree::kBest;
  std::optional<SwitchId> root;  // root of the spanning tree; unset: the engine chooses
  /// For which LIDs responses on the request's SL must not deadlock (reply_paths.hpp).
  ReplyGrade replies = ReplyGrade::kOwnSl;
  /// For ReplyGrade::kBase: if LIDs, VLs or SLs do not suffice, use kOwnSl instead and add a
  /// remark.
  bool replies_if_possible = false;
  /// Whether VLs and SLs that the paths leave unused are filled (filled_vls.hpp).
  /// compute_with_replies() does that; of the engines only `balanced` looks at it, to choose.
  bool fill_vls = false;
  LevelHints hints;  // what is known of the levels of a fat tree
  /// For multipath: the tables as Kim 2007 has them, on one VL, which may deadlock, as those of spf
  /// always may. They are for comparison and never reach a switch.
  bool paper = false;
  /// Set for RepairMode::kReaddress: LIDs of hosts that no pair needs get no paths, so that they
  /// are spare (plugin/control/fresh_lids.hpp). No engine looks at this.
  std::shared_ptr<const SpareRule> spare_lids;
  /// For up*/down* and fat trees; its weights for spf too. compute_with_replies() leaves out what
  /// is avoided, for every engine.
  BalanceOptions balance;
  std::vector<double> link_cost;  // used by spf: cost per channel, > 0; empty: 1 each

  EngineProgress progress;
};

/// What an engine states about itself, for its --help and docs/engines.md.
struct EngineFacts {
  std::string_view topologies;        // which topologies it can route
  std::string_view theorem;           // what its tables guarantee, and why
  std::string_view tolerated_faults;  // how many faults, and of what
  std::string_view vls, sls, lmc;     // how many VLs and SLs, and which LMC, it needs
  std::string_view memory, time;      // for N switches, D destinations, E links
  std::string_view after_a_fault;     // whether LIDs and SLs stay the same after a fault
  bool deadlock_free;                 // on every fabric that it accepts, by construction
};

/// A spanning tree for multicast: together with the unicast paths, its turns close no cycle of
/// dependencies. For each switch the channel to its parent; kNoChannel at roots (one per component)
/// and at failed switches.
using SpanningTree = std::vector<Channel>;

struct Routing {
  Tables tables;
  std::optional<SpanningTree> multicast;  // unset: no tree is safe on the engine's VLs
  std::vector<std::string> remarks;       // what the user should know, one line each
  /// Up*/down* paths to base LIDs. With them on SL 0, responses between base LIDs on the request's
  /// SL cannot deadlock, beside all other paths. Only tftr sets this, for ReplyGrade::kBase.
  std::optional<Tables> base_paths;
  std::string chosen, reason;  // set by `auto`: name of the chosen engine, and why
};

struct Engine {
  std::string_view name;
  EngineFacts facts;
  /// Makes tables with paths for all connected pairs; other LFT entries are kNoPort. Throws
  /// InputError if the engine cannot route this topology, or not with the VLs and SLs of the
  /// request. The message says what the engine needs.
  Routing (*compute)(const Fabric& fabric, const EngineRequest& request);
  /// The LMC at which the engine achieves all that its theorem states on this fabric; nullptr: LMC
  /// 0. The engine routes with any LMC; its remarks say what a smaller one costs.
  unsigned (*lmc)(const Fabric& fabric) = nullptr;
  /// The LMC from which base LIDs have paths of their own beside all those of the theorem, as
  /// ReplyGrade::kBase needs them (reply_paths.hpp); nullptr: from `lmc` on.
  unsigned (*base_lmc)(const Fabric& fabric) = nullptr;
};

/// The LMC that the engine wants on this fabric for tables of this grade.
unsigned wanted_lmc(const Engine& engine, const Fabric& fabric, ReplyGrade grade);

/// All engines.
std::span<const Engine* const> engines();
/// Returns the engine of that name. Throws InputError, with a list of all engines, if there is
/// none.
const Engine& find_engine(std::string_view name);

}  // namespace selvedge
