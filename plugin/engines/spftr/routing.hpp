// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What spftr and aspftr have in common. Both lay, on 2D tori, trees that stretch with the torus
// (stretched_columns.hpp). Where there are none (spftr/trees.hpp) the paths are searched for under
// the same tables and packed into trees as they are found (path_columns.hpp).
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

/// Throws InputError where the fabric is no torus, or the request's bounds are too narrow.
Routing route_by_patterns(const Fabric& fabric, const EngineRequest& request,
                          const PatternEngine& engine);

}  // namespace selvedge
