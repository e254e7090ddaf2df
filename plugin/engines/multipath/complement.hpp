// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Kim 2007 §3.4 sends a NACK back "using the path bits again": on the complement of the bits that
// the packet had. How often the way back of a path has other bits than that.
#pragma once

#include "plugin/engines/multipath/path_bits.hpp"

namespace selvedge::multipath {

struct ComplementCounts {
  std::uint64_t paths = 0;   // of all pairs, those with bits
  std::uint64_t unlike = 0;  // of these, whose way back has other bits or none
};
ComplementCounts count_complements(const SimpleGraph& graph, const Cycles& cycles,
                                   std::uint32_t limit);

}  // namespace selvedge::multipath
