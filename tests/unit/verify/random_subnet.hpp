// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Small random subnets whose tables may have any error, and changes to these subnets.
#pragma once

#include <random>

#include "plugin/fabric/fault.hpp"
#include "plugin/tables/tables.hpp"

namespace random_subnet {

using Random = std::mt19937;

inline unsigned below(Random& random, unsigned n) {
  return std::uniform_int_distribution<unsigned>(0, n - 1)(random);
}
inline bool chance(Random& random, unsigned percent) { return below(random, 100) < percent; }

/// A random multigraph: several components, parallel cables, cables from a switch to itself.
selvedge::Fabric fabric(Random& random, unsigned switches_max);

struct Style {
  bool shortest = true;  // shortest paths; else paths along one spanning tree
  unsigned sls = 1;      // SLs that paths have
  enum class Vls { kOne, kBySl, kRandomRows, kDropping } vls = Vls::kOne;
  bool multicast = false;
};
Style style(Random& random);

/// Tables with a path for every pair that is physically connected.
selvedge::Tables route(const selvedge::Fabric& fabric, const Style& style, Random& random);
/// Changes `times` random things in the tables, which may break them.
void disturb(const selvedge::Fabric& fabric, const Style& style, selvedge::Tables& tables,
             unsigned times, Random& random);
/// Makes some random LIDs of hosts spare, often without entries for them.
void spare(const selvedge::Fabric& fabric, selvedge::Tables& tables, Random& random);
/// A fault of a random cable or switch of the fabric.
selvedge::Fault fault(const selvedge::Fabric& fabric, Random& random);

/// Tables with up to `changes` errors, and the fabric, which may have lost links since they were
/// made.
struct Disturbed {
  selvedge::Fabric fabric;
  selvedge::Tables tables;
};
Disturbed disturbed(Random& random, unsigned switches_max, unsigned changes,
                    unsigned fault_percent);

}  // namespace random_subnet
