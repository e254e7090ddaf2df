// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What comes back: a cable that was mended, a switch that was switched on again, what is drained no
// more. A sweep sets up its ports as OpenSM does, but OpenSM would then write all that the return
// changes in its own order. So the sweep leaves it out of use (found_by_sweep.cpp), and once the
// subnet is up the paths go over to it here, as for an order: proved first, no packet lost where
// there is such an order and the fabric is small enough to find it at once. The sweep after that
// writes the multicast groups' trees, and finds nothing else.
#include <fmt/format.h>

#include "plugin/opensm/fast_path.hpp"
#include "plugin/opensm/passage.hpp"

namespace selvedge {
namespace {

/// LFT entries, of all switches: beyond that the order that loses nothing takes too long to find
/// while faults may wait. 8×8 with a host each has half of them.
constexpr std::size_t kGentleEntriesMax = 16'384;

}  // namespace

void FastPath::take_in(const ComeBack& back) {
  const auto leave = [&](std::string_view why) {
    border_.leave_to_sweep();
    border_.log(false, fmt::format("fast path: what came back is left to the sweep: {}", why));
  };
  const std::shared_ptr<const Plan> plan_now = border_.plan_in_force();
  if (!plan_now) return leave("the sweep that found it met errors");
  if (plan_now != back.plan) return border_.look_again();  // something came between
  if (!ready_) return leave("no step can be prepared from the tables in force");
  const Fault come = missing_from(back.plan->fabric, back.fabric);
  const std::vector<SwitchId> near = fault_ends(back.fabric, come);
  const Located located = locate(agent_, border_.smp(), back.fabric, near);
  if (!agent_.running()) return leave("the SMP agent is gone");
  if (!located.fault.empty()) return border_.look_again();  // it has died again since
  std::optional<Plan> plan = border_.plan_for(back.fabric);
  if (!plan) return leave("nothing could be proved");

  Step step;
  step.before = back.plan;
  step.after = std::make_shared<Plan>(std::move(*plan));
  step.lossless = lft_entries(back.fabric) <= kGentleEntriesMax;
  step.method = std::string(name(step.after->outcome));
  step.near = near;
  step.delta = difference(step.before->tables, step.after->tables);
  const std::string what = describe(step.after->fabric, come);
  const bool taken = put_in_force(step);
  ready_.reset();  // its indexes are of the old tables
  if (!step.begun) return leave("OpenSM's copies of the tables are not those in force");
  if (!taken) return border_.look_again();
  border_.log(
      !step.all_confirmed,
      fmt::format("fast path: {} is back: {} LFT entries in {} blocks and {} SL2VL rows changed "
                  "({}; sent {} in {} phases), proved{}; computed {:.1f} ms, proved {:.1f} ms, "
                  "sent and read back {:.1f} ms",
                  what, step.delta.lft.size(), step.confirmed.blocks.size(),
                  step.confirmed.rows.size(), step.method, name_of(step.sent.method),
                  step.sent.phases.size(),
                  step.all_confirmed ? "" : "; NOT ALL were confirmed: the sweep sends those again",
                  step.after->steps.compute_ms, step.after->steps.prove_ms, step.send_ms));
}

}  // namespace selvedge
