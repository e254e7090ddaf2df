// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/route/each_transition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/stopwatch.hpp"
#include "base/threads.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/repair/in_place.hpp"
#include "plugin/tables/delta.hpp"
#include "plugin/transition/guard.hpp"
#include "plugin/transition/losses.hpp"
#include "plugin/transition/safety.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge::route {
namespace {

std::vector<Fault> single_faults(const Fabric& fabric, FaultKind of) {
  std::vector<Fault> faults;
  if (of == FaultKind::kLinks)
    for (const Channel c : fabric.links()) faults.push_back({{c}, {}});
  else
    for (SwitchId s = 0; s < fabric.num_switches(); ++s)
      if (!fabric.node(s).failed) faults.push_back({{}, {s}});
  return faults;
}

/// One fault with the tables before and after it. If a guard was found, the tables contain it.
struct FaultTransition {
  Fabric left;
  Tables from, to;
  bool guarded = false;
  std::string no_guard_reason;
  double guard_ms = 0;
};

/// Whether the repaired tables are proved under the present guard. (The fast path uses this test
/// too.)
bool holds_under_guard(const Fabric& left, const Tables& tables) {
  VerifyOptions options;
  options.replies = options.any_sl = options.any_lid = true;
  const Verdict v = verify(left, tables, options).verdict();
  return v.connected && v.loop_free && v.deadlock_free && v.multicast_faults == 0;
}

/// Whether responses on the request's SL are as safe as the grade demands.
bool has_grade(const Fabric& left, const Tables& tables, ReplyGrade grade) {
  VerifyOptions options;
  options.replies = options.any_lid = true;
  options.grade = grade;
  const std::optional<ReplyGrade> found = verify(left, tables, options).verdict().grade();
  return found && *found >= grade;
}

/// Repairs one fault. The present guard `before` is kept if the repaired tables are proved under
/// it.
FaultTransition repair_one(const Subject& subject, const Guard* before, const Fault& fault) {
  RepairRequest request;
  request.move_unbroken = false;
  request.count_affected = false;
  InPlaceRepair repair(subject.fabric, subject.tables, subject.multicast, request);
  const Repair done = repair.fail(fault);
  FaultTransition p{repair.fabric(), subject.tables, repair.tables(), false, "", 0};
  if (before == nullptr) return p;
  p.no_guard_reason = before->reason;
  if (!before->exists) return p;
  p.from.sl2vl = before->sl2vl;
  if (done.delta.sl2vl.empty()) {
    Tables kept = p.to;
    kept.sl2vl = before->sl2vl;
    if (done.multicast) kept.mft = {{kBroadcastMlid, broadcast_tree(p.left, *done.multicast)}};
    if (holds_under_guard(p.left, kept)) {
      p.to.sl2vl = before->sl2vl;
      p.guarded = true;
      return p;
    }
  }
  Stopwatch watch;
  GuardOptions options{.previous = &before->sl2vl, .up = repair.up()};
  if (const auto& tree = repair.multicast()) options.multicast = &*tree;
  Guard after = guard(subject.fabric, p.to, options);
  p.guard_ms = watch.lap_ms();
  p.guarded = after.exists;
  p.no_guard_reason = after.reason;
  if (p.guarded)
    p.to.sl2vl = std::move(after.sl2vl);
  else
    p.from.sl2vl = subject.tables.sl2vl;
  return p;
}

/// Proves the transitions of the faults that one thread was given.
class FaultTransitions {
 public:
  FaultTransitions(const Subject& subject, const EachFaultRequest& question, const Guard* before)
      : subject_(subject), question_(question), before_(before) {}

  void prove(const Fault& fault, std::size_t number);
  const EachFaultResult& found() const { return sum_; }

 private:
  /// The plan by this method if some mixture on its way could deadlock; else nullopt.
  std::optional<SendPlan> cyclic(const FaultTransition& p, const Delta& delta, OrderRequest request,
                                 SendPlan::Method method) {
    request.method = method;
    SendPlan plan = send_plan(p.left, p.from, delta, request);
    if (deadlock_free(p.left, p.from, plan)) return std::nullopt;
    return plan;
  }

  const Subject& subject_;
  const EachFaultRequest& question_;
  const Guard* before_;
  EachFaultResult sum_;
};

void FaultTransitions::prove(const Fault& fault, std::size_t number) {
  FaultTransition p = repair_one(subject_, before_, fault);
  if (question_.replies) sum_.graded += has_grade(p.left, p.to, *question_.replies);
  Delta delta = difference(p.from, p.to);
  OrderRequest request;
  request.near = switches_at_fault(subject_.fabric, fault);
  if (question_.lossless) {
    request.lossless = true;
    drop_failed_switches(delta, std::exchange(p.left, subject_.fabric));
  }
  Stopwatch watch;
  const SendPlan plan = send_plan(p.left, p.from, delta, request);
  sum_.plan_ms += watch.lap_ms();
  const Safety safety = prove_safety(p.left, p.from, plan);
  sum_.prove_ms += watch.lap_ms();
  ++sum_.faults;
  sum_.guarded += p.guarded;
  sum_.guard_ms += p.guard_ms;
  sum_.looping += !safety.loop_free;
  ++sum_.methods[static_cast<std::size_t>(plan.method)];
  if (question_.lossless) sum_.lossless += losses(p.left, p.from, plan).none();
  sum_.phases += plan.phases.size();
  sum_.most_phases = std::max(sum_.most_phases, plan.phases.size());
  for (const SendPhase& phase : plan.phases) {
    sum_.rows += phase.sl2vl.size();
    sum_.blocks += phase.blocks.size();
  }
  if (before_ != nullptr && !p.guarded && sum_.no_guard_reason.empty())
    sum_.no_guard_reason = p.no_guard_reason;
  if (safety.cycle) {
    ++sum_.unsafe;
    if (number < sum_.unsafe_first) {
      sum_.unsafe_first = number;
      sum_.witness =
          fmt::format("without {}: {}", describe(subject_.fabric, fault), safety.cycle->text);
    }
  }
  if (p.guarded || question_.lossless) return;
  if (const auto at_once = cyclic(p, delta, request, SendPlan::Method::kMixed)) {
    ++sum_.cyclic_at_once;
    if (question_.states) sum_.cyclic_states += first_cycle(p.left, p.from, *at_once).has_value();
  }
  sum_.cyclic_downstream += cyclic(p, delta, request, SendPlan::Method::kDownstream).has_value();
}

void add(EachFaultResult& sum, const EachFaultResult& part) {
  sum.faults += part.faults;
  sum.guarded += part.guarded;
  sum.unsafe += part.unsafe;
  sum.looping += part.looping;
  sum.rows += part.rows;
  sum.blocks += part.blocks;
  for (std::size_t i = 0; i < sum.methods.size(); ++i) sum.methods[i] += part.methods[i];
  sum.lossless += part.lossless;
  sum.graded += part.graded;
  sum.phases += part.phases;
  sum.most_phases = std::max(sum.most_phases, part.most_phases);
  sum.guard_ms += part.guard_ms;
  sum.plan_ms += part.plan_ms;
  sum.prove_ms += part.prove_ms;
  sum.cyclic_at_once += part.cyclic_at_once;
  sum.cyclic_states += part.cyclic_states;
  sum.cyclic_downstream += part.cyclic_downstream;
  if (sum.no_guard_reason.empty()) sum.no_guard_reason = part.no_guard_reason;
  if (part.unsafe_first < sum.unsafe_first) {
    sum.unsafe_first = part.unsafe_first;
    sum.witness = part.witness;
  }
}

}  // namespace

bool holds(const EachFaultResult& e, const EachFaultRequest& question) {
  return e.unsafe == 0 && (!question.lossless || e.lossless == e.faults) &&
         (!question.replies || e.graded == e.faults);
}

EachFaultResult prove_each_fault(const Subject& subject, const EachFaultRequest& question,
                                 Progress& progress) {
  const std::vector<Fault> faults = single_faults(subject.fabric, question.of);
  std::optional<Guard> before;
  if (question.guard) {
    GuardOptions options;
    if (subject.multicast) options.multicast = &*subject.multicast;
    before = guard(subject.fabric, subject.tables, options);
  }
  progress.phase("proving all states of the change", faults.size(), "faults");
  EachFaultResult sum;
  std::atomic<std::size_t> next = 0, done = 0;
  std::mutex mutex;
  run_threads(question.jobs, [&](unsigned) {
    FaultTransitions prover(subject, question, before ? &*before : nullptr);
    for (std::size_t i = next++; i < faults.size(); i = next++) {
      prover.prove(faults[i], i);
      progress.advance(++done);
    }
    const std::lock_guard lock(mutex);
    add(sum, prover.found());
  });
  return sum;
}

}  // namespace selvedge::route
