// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A fabric with LIDs and the routing that an engine computes for it.
#pragma once

#include <string_view>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/generators.hpp"

namespace selvedge::test {

struct Routed {
  Fabric fabric;
  Routing routing;

  Routed(const Fabric& bare, std::string_view engine, unsigned lmc)
      : fabric(assign_lids(bare, lmc)), routing(find_engine(engine).compute(fabric, {})) {}
};

}  // namespace selvedge::test
