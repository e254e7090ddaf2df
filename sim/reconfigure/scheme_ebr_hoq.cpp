// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// ebr-hoq: EBR's order with what InfiniBand switches have: differences, nearest to the fault first,
// and a head-of-queue lifetime (IBA 1.3 §18.2.5.4) in place of epochs.
#include "sim/reconfigure/schemes.hpp"

namespace selvedge::sim {
namespace {

std::vector<Stage> stages_of_ebr_hoq(const TableChange& change) {
  return differences(change, nearest_first(change.left, change.near));
}

}  // namespace

const Scheme kEbrHoqScheme{.name = "ebr-hoq",
                           .target = TargetKind::kEngine,
                           .needs_lifetime = true,
                           .stages = stages_of_ebr_hoq};

}  // namespace selvedge::sim
