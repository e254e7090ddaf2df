// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// naive: the differences, switch by switch in the order of their ids, without a barrier. Whatever
// mixture of old and new tables this makes, nothing breaks a deadlock.
#include "sim/reconfigure/schemes.hpp"

namespace selvedge::sim {
namespace {

std::vector<Stage> stages_of_naive(const TableChange& change) {
  std::vector<Stage> all(1);
  for (SwitchId s = 0; s < change.left.num_switches(); ++s)
    add_difference(change, s, all[0].writes);
  add_hosts(change, all);
  return all;
}

}  // namespace

const Scheme kNaiveScheme{
    .name = "naive", .target = TargetKind::kEngine, .stages = stages_of_naive};

}  // namespace selvedge::sim
