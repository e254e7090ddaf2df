// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// guarded: what the plugin does. Both tables have a guard, if there is one (plugin/transition,
// guard.hpp), and send_plan() gives phases, their order and where to drain.
#include <utility>

#include "plugin/transition/order.hpp"
#include "sim/reconfigure/schemes.hpp"

namespace selvedge::sim {
namespace {

Stage stage_of(const SendPhase& phase, const TableChange& change) {
  Stage stage{.after = phase.drain_first ? Stage::After::kDrain : Stage::After::kNothing,
              .writes = {}};
  for (const Sl2VlChange& c : phase.sl2vl)
    stage.writes.push_back(
        {.at = {SmpEnd::Kind::kSwitch, c.at}, .row = Sl2VlEntry{c.in, c.out, c.after}});
  const unsigned entries = std::min(change.spec.smp_payload_bytes, kLftBlockEntries);
  for (const LftBlock& block : phase.blocks) {
    unsigned chunk = UINT32_MAX;
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
      const LftChange& c = phase.lft[i];
      if (std::exchange(chunk, c.dlid / entries) != c.dlid / entries)
        stage.writes.push_back({.at = {SmpEnd::Kind::kSwitch, block.at}});
      stage.writes.back().lft.push_back({c.dlid, c.after});
    }
  }
  if (phase.kind == SendPhase::Kind::kAnnounceSls)
    stage.writes.insert(stage.writes.end(), change.hosts.begin(), change.hosts.end());
  return stage;
}

std::vector<Stage> stages_of_guarded(const TableChange& change) {
  OrderRequest request;
  request.near = change.near;
  const SendPlan plan = send_plan(change.left, change.from, change.delta, request);
  std::vector<Stage> all;
  bool announced = false;
  for (const SendPhase& phase : plan.phases) {
    all.push_back(stage_of(phase, change));
    announced = announced || phase.kind == SendPhase::Kind::kAnnounceSls;
  }
  if (!announced) add_hosts(change, all);
  return all;
}

}  // namespace

const Scheme kGuardedScheme{
    .name = "guarded", .target = TargetKind::kInPlace, .guard = true, .stages = stages_of_guarded};

}  // namespace selvedge::sim
