// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What spftr and aspftr have in common. On 2D tori, both use trees that stretch with the torus
// (stretched_columns.hpp). Where there are no such trees (spftr/trees.hpp), paths are searched
// under the same SL2VL tables and packed into trees (path_columns.hpp).
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

/// Throws InputError if the fabric is no torus, or if the request's bounds are too narrow.
Routing route_by_patterns(const Fabric& fabric, const EngineRequest& request,
                          const PatternEngine& engine);

}  // namespace selvedge
