// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// plugin/engines: one engine a folder (spf and auto: a file), each a pure function from a fabric
// and a request to tables. An engine states what its tables guarantee. plugin/verify, which shares
// no code with the engines, proves it.
//
//   updn/       up*/down*: the order of the switches, the phases; other engines use both
//   tree/       fat trees: levels, digits, tables; updn, tftr and dmodk route fat trees with it
//   dmodk/      the numbers of destinations, complete trees, the registers of IR and FIR
//   disjoint/   tftr: disjoint paths on any fabric; also spftr's search where it has no trees
//   spftr/      tori by patterns; aspftr/: the same with 3 SLs
//   ist/        tori by independent spanning trees
//
// Files of this folder are shared by several engines.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/fabric/levels.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge {

/// Called from time to time: `done` of `total` destination switches are routed. May be empty.
using EngineProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// All that an engine may take into account besides the fabric. LIDs and LMC are the fabric's.
struct EngineRequest {
  unsigned max_vls = 8;   // data VLs that the ports have, 1…15
  unsigned max_sls = 16;  // 1…16

  /// up*/down*: what gives the links their directions. kBest: the levels of a fat tree; elsewhere
  /// the spanning tree with the least load on the busiest link.
  enum class Tree { kBest, kBfs, kDfs };
  Tree tree = Tree::kBest;
  std::optional<SwitchId> root;   // of that tree; unset: the engine chooses it
  LevelHints hints;               // trees: what is known of the levels
  std::vector<double> link_cost;  // spf: per channel, > 0; empty = every hop costs 1

  EngineProgress progress;
};

/// What an engine states about itself; shown by its --help and by docs/engines.md.
struct EngineFacts {
  std::string_view topologies;        // what it can route
  std::string_view theorem;           // what holds for its tables, and why
  std::string_view tolerated_faults;  // k, and of what
  std::string_view vls, sls, lmc;     // needed
  std::string_view memory, time;      // in N switches, D destinations, E links
  std::string_view after_a_fault;     // do LIDs and SLs survive?
  bool deadlock_free;                 // by construction, on every fabric that it accepts
};

/// A spanning tree for multicast whose turns are compatible with the unicast tables. Per switch:
/// the channel to its parent; kNoChannel at roots (one per component) and at failed switches.
using SpanningTree = std::vector<Channel>;

struct Routing {
  Tables tables;
  std::optional<SpanningTree> multicast;  // unset: no tree is safe on the engine's VLs
  std::vector<std::string> remarks;       // what the user should know, a line each
  std::string chosen, reason;             // set by `auto`: the engine that it chose, and why
};

struct Engine {
  std::string_view name;
  EngineFacts facts;
  /// Routes the connected pairs and leaves kNoPort elsewhere. Throws InputError if the engine
  /// cannot route this topology, or not within the request's bounds; the message names what is
  /// needed.
  Routing (*compute)(const Fabric& fabric, const EngineRequest& request);
  /// The LMC with which the engine achieves all that its theorem states on this fabric; null: 0.
  /// The engine routes with any LMC; its remarks state what a smaller one costs.
  unsigned (*lmc)(const Fabric& fabric) = nullptr;
};

/// Every engine, by name.
std::span<const Engine* const> engines();
/// Throws InputError that lists the engines.
const Engine& find_engine(std::string_view name);

}  // namespace selvedge
