// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What spftr and aspftr have in common. On 2D tori both use trees that stretch with the torus
// (stretched_columns.hpp). Where there are no such trees (spftr/trees.hpp), paths that the same
// SL2VL tables admit are searched and packed into trees (disjoint/path_columns.hpp).
#pragma once

#include "plugin/engines/engine.hpp"
#include "plugin/engines/spftr/tables.hpp"
#include "plugin/engines/spftr/trees.hpp"

namespace selvedge {

struct PatternEngine {
  const char* name;
  unsigned most_dimensions;
  LatticeRules (*rules)(unsigned dimensions);
  spftr::TreeStore trees;
};

/// The tables of spftr or aspftr. Throws InputError if the fabric is no torus, or if the request
/// allows too few VLs or SLs.
Routing route_by_patterns(const Fabric& fabric, const EngineRequest& request,
                          const PatternEngine& engine);

}  // namespace selvedge
