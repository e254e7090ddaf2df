// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Small random subnets with everything that may be wrong with one, and changes to them.
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

/// Any multigraph: in pieces, with parallel cables and cables from a switch to itself.
selvedge::Fabric fabric(Random& random, unsigned switches_max);

struct Style {
  bool shortest = true;  // else along one spanning tree
  unsigned sls = 1;      // SLs that paths have
  enum class Vls { kOne, kBySl, kRandomRows, kDropping } vls = Vls::kOne;
  bool multicast = false;
};
Style style(Random& random);

/// Tables that reach everything that can be reached.
selvedge::Tables route(const selvedge::Fabric& fabric, const Style& style, Random& random);
/// Breaks or changes a few things.
void disturb(const selvedge::Fabric& fabric, const Style& style, selvedge::Tables& tables,
             unsigned times, Random& random);
/// A random cable or switch, of those there are.
selvedge::Fault fault(const selvedge::Fabric& fabric, Random& random);

/// Tables that `changes` things are wrong with, perhaps, and what the fabric has become since.
struct Disturbed {
  selvedge::Fabric fabric;
  selvedge::Tables tables;
};
Disturbed disturbed(Random& random, unsigned switches_max, unsigned changes,
                    unsigned fault_percent);

}  // namespace random_subnet
