// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Figures of claims that tables give, without a simulation (claims.hpp): what an engine's proved
// tables are, which faults they survive, and what a repair changes.
//
//   [[figure]]
//   name = "four"
//   check = "routes"            # or faults, repairs
//   fabric = "torus:8x8"
//   engine = "tftr"
//   lmc = 4                     # default: what the engine wants
//   max_vls = 2                 # default: 8
//   max_sls = 4                 # default: 16
//   tree = "bfs"                # of the directions: best (default), bfs, dfs
//   quantity = "disjoint"       # the share of pairs with so many disjoint paths:
//   paths = 4                   # or vls, sls; length, shortest (mean lengths of paths in cables);
//                               # seconds (of the computation, without the proof)
//
//   check = "faults"            # combinations of faults
//   faults = 3
//   of = "links"                # or switches
//   draw = 20000                # so many combinations are drawn; default: all are examined
//   quick_draw = 500            # with --quick
//   repair = "readdress"        # each fault is repaired before the next; default: none is
//   quantity = "singular"       # the share of the combinations; or vls, sls: the most of any
//
//   check = "repairs"           # each cable, lost by itself and repaired in place
//   quantity = "most-entries"   # the largest share of LFT entries that change; or mean-entries;
//                               # bytes: what the repair keeps for DRT and IRT (in_place.hpp);
//                               # repair-seconds: median over drawn cables; time-fit: R² of such
//                               # medians for 1 to 8 cables at once over the number of cables
//
// Tables that are not proved have no figures: that is an error.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "plugin/program/options.hpp"
#include "plugin/program/subject.hpp"
#include "plugin/verify/survival.hpp"

namespace selvedge {
class TomlSection;
}

namespace selvedge::sim {

struct RoutingFigure {
  enum class Check { kRoutes, kFaults, kRepairs };
  enum class Quantity {
    kDisjoint,
    kVlsUsed,
    kSlsUsed,
    kLength,
    kShortest,
    kSeconds,
    kSingular,
    kMostEntries,
    kMeanEntries,
    kBytes,
    kRepairSeconds,
    kTimeFit
  };

  Check check = Check::kRoutes;
  Quantity quantity = Quantity::kDisjoint;
  std::string fabric;
  EngineOptions engine;
  unsigned paths = 1;  // of kDisjoint
  // Of kFaults:
  unsigned faults = 1;
  FaultKind of = FaultKind::kLinks;
  std::optional<std::uint64_t> draw, quick_draw;
  bool readdress = false;
};

/// The names of these checks.
inline constexpr const char* kRoutingChecks[] = {"routes", "faults", "repairs"};
bool is_routing_check(const std::string& check);

/// Reads the keys above. Throws InputError.
RoutingFigure read_routing_figure(TomlSection& section, const std::string& check);

/// Computes figures. Tables that several figures are about are computed and proved once.
class RoutingFigures {
 public:
  RoutingFigures(bool quick, unsigned threads) : quick_(quick), threads_(threads) {}
  /// Throws InputError if the engine refuses the fabric, or if its tables are not proved.
  double value(const RoutingFigure& figure);

 private:
  struct Routed {
    Subject subject;
    Verdict verdict;
  };
  const Routed& routed(const RoutingFigure& figure);
  double faults(const RoutingFigure& figure);
  double repairs(const RoutingFigure& figure);

  bool quick_;
  unsigned threads_;
  std::map<std::string, Routed> known_;
};

}  // namespace selvedge::sim
