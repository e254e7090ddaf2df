// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// rftr: the tables of a repair, whose changes are few (Montañana 2008 ch. 5), nearest to the fault
// first. Old and new paths may close a cycle together; nothing here breaks it.
#include "sim/reconfigure/schemes.hpp"

namespace selvedge::sim {
namespace {

std::vector<Stage> stages_of_rftr(const TableChange& change) {
  return differences(change, nearest_first(change.left, change.near));
}

}  // namespace

const Scheme kRftrScheme{.name = "rftr", .target = TargetKind::kInPlace, .stages = stages_of_rftr};
const Scheme kRftrReaddressScheme{
    .name = "rftr-readdress", .target = TargetKind::kReaddress, .stages = stages_of_rftr};

}  // namespace selvedge::sim
