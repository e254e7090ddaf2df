// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What `selvedge-route compare` measures on the tables of an engine or of a file, and the page that
// shows it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "plugin/fabric/fabric.hpp"
#include "plugin/tables/metrics.hpp"
#include "plugin/verify/survival.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge::route {

struct CompareFigures {
  Metrics metrics;  // over all LIDs that are disjoint
  std::uint64_t base_channel_load_max = 0;
  std::uint64_t base_vl_load_max = 0;  // of one VL of a channel
  double base_channel_load_mean = 0;   // over the channels of cables between switches
  double ebb = 0;                      // of base LIDs
  double spread_ebb = 0;               // with each flow spread over all LIDs of its destination
  Verdict verdict;
  std::optional<double> compute_ms;  // set for engines only
  double prove_ms = 0;
  /// What the tables survive without a repair, for each cable and each switch that may fail alone.
  /// Not set if they may deadlock, or if the fabric is too large to try.
  std::optional<Survival> link_faults, switch_faults;
  std::vector<std::uint64_t> base_loads;  // base_channel_loads()
};

struct CompareRow {
  std::string engine, tables;  // one of the two is set
  std::string refusal;         // why the engine refused the fabric; empty: it did not
  std::optional<CompareFigures> figures;
  Fabric fabric;  // on which the figures were measured
  std::vector<std::string> remarks;

  const std::string& name() const { return engine.empty() ? tables : engine; }
};

/// The heads of the table's columns, and a line of cells for each row. The line of a refused row
/// has its name alone.
std::vector<std::vector<std::string>> compare_lines(const std::vector<CompareRow>& rows);

/// One HTML document without references to other files: the table; for each row a histogram of the
/// loads that base LIDs put on channels, all on one scale, and a drawing of the fabric in which the
/// busiest cables are marked. `permutations` and `seed`: those of the EBB.
std::string compare_page(const std::string& fabric_name, const std::vector<CompareRow>& rows,
                         unsigned permutations, std::uint64_t seed);

}  // namespace selvedge::route
