// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/fast_path.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/stopwatch.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/opensm/out_of_service.hpp"

namespace selvedge {
namespace {

constexpr auto kStartAgain = std::chrono::seconds(30);  // an agent that has failed

VerifyOptions fast_options() {
  VerifyOptions options;
  options.replies = options.any_sl = options.any_lid = true;
  return options;
}

bool holds(const Verdict& v) {
  return v.connected && v.loop_free && v.deadlock_free && v.multicast_faults == 0;
}

std::vector<SwitchId> switches_of(const Fabric& fabric, const std::vector<Lid>& lids) {
  std::vector<SwitchId> found;
  for (const Lid lid : lids)
    if (const SwitchId s = fabric.home(lid);
        s != kNoSwitch && std::ranges::find(found, s) == found.end())
      found.push_back(s);
  return found;
}

/// The multicast part of a delta: one group stands for all.
void add_multicast(Delta& delta, const Tables& before, const MulticastTables& after) {
  const PortSet none;
  for (SwitchId s = 0; s < before.num_switches(); ++s) {
    const auto ports = [&](const MulticastTables& mft) {
      const auto group = mft.find(kMinMulticastLid);
      return group == mft.end() ? none : group->second[s];
    };
    const PortSet was = ports(before.mft), is = ports(after);
    if (was != is) delta.mft.push_back({kMinMulticastLid, s, was, is});
  }
}

}  // namespace

/// Everything that can be done before a fault, for the plan in force.
void FastPath::get_ready() {
  const std::shared_ptr<const Plan> plan = border_.plan_in_force();
  if (!plan) {
    ready_.reset();
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  if (!agent_.running() && now >= next_start_) {
    next_start_ = now + kStartAgain;
    if (const auto why = agent_.start(agent_program_, border_.smp().port))
      border_.log(true, fmt::format("no fast path: {}; faults wait for OpenSM's sweep", *why));
  }
  lacks_agent_ = !agent_.running();
  if (agent_.running() && ready_ && same_plan(*ready_->plan, *plan)) {
    if (looked_at_ == ready_->plan) looked_at_ = plan;
    ready_->plan = plan;
    return;
  }
  ready_.reset();
  if (!agent_.running()) return;
  ready_ = prepare(plan);
  changed_at_ = std::chrono::steady_clock::now();
}

/// Null, and the log says why, if there is no repair in place of these tables.
std::unique_ptr<FastPath::Ready> FastPath::prepare(std::shared_ptr<const Plan> plan) {
  auto ready = std::make_unique<Ready>();
  RepairRequest request;
  request.move_unbroken = false;  // what works is left alone
  request.count_affected = false;
  try {
    ready->repair =
        std::make_unique<InPlaceRepair>(plan->fabric, bare_tables(*plan), plan->multicast, request);
  } catch (const InputError& e) {
    border_.log(false, fmt::format("no fast path for these tables: {}", e.what()));
    return nullptr;
  }
  ready->proof = verify(plan->fabric, plan->tables, fast_options());
  ready->plan = std::move(plan);
  return ready;
}

// --- One fault

void FastPath::handle(const std::vector<Lid>& issuers) {
  const Fabric& fabric = ready_->plan->fabric;
  Stopwatch watch;
  // Locate. Nothing down: it was something else, or has healed already; the sweep sees to it.
  const Located located = locate(agent_, border_.smp(), fabric, switches_of(fabric, issuers));
  if (located.unanswered > 0)
    border_.log(false, fmt::format("fast path: {} ports did not answer", located.unanswered));
  if (located.fault.empty()) return;
  border_.report(Event::Kind::kFaultLocated);
  repair(located.fault, watch.lap_ms());
}

void FastPath::repair(const Fault& fault, double locate_ms) {
  Step step = take_out(*ready_, fault);  // repair
  const std::string what = describe(step.before->fabric, fault);
  if (!prove(*ready_, step)) {  // prove
    ready_.reset();
    border_.log(true, fmt::format("fast path: {}: the repair ({}) could not be proved; it is left "
                                  "to the sweep",
                                  what, step.method));
    return;
  }
  if (!put_in_force(step)) return ready_.reset();  // order, send, confirm
  ready_->plan = step.after;
  border_.report(Event::Kind::kRepairConfirmed);
  border_.log(
      !step.all_confirmed,
      fmt::format(
          "fast path: {} is gone: {} LFT entries in {} blocks and {} SL2VL rows changed "
          "({}; sent {}), proved{}; located {:.1f} ms, repaired {:.1f} ms, proved {:.1f} ms, sent "
          "and read back {:.1f} ms",
          what, step.delta.lft.size(), step.confirmed.blocks.size(), step.confirmed.rows.size(),
          step.method, name_of(step.sent.method),
          step.all_confirmed ? "" : "; NOT ALL were confirmed: the sweep sends those again",
          locate_ms, step.after->steps.compute_ms, step.after->steps.prove_ms, step.send_ms));
  damp(step.before->fabric, fault);
}

/// A cable that dies again and again is held out for a while.
void FastPath::damp(const Fabric& fabric, const Fault& fault) {
  const PluginConfig::Flaps flaps = border_.flaps();
  const auto now = std::chrono::steady_clock::now();
  while (!recent_.empty() && recent_.front().when + std::chrono::seconds(flaps.window_s) < now)
    recent_.pop_front();
  for (const Channel c : fault.links) {
    if (!fabric.between_switches(c)) continue;  // a host's only cable is better than none
    const std::string name = OutOfService::cable_name(fabric, c);
    recent_.push_back({name, now});
    const auto times = std::ranges::count(recent_, name, &Repaired::name);
    if (times < flaps.limit) continue;
    border_.hold(name, now + std::chrono::seconds(flaps.hold_s));
    border_.log(true, fmt::format("{} – {} died {} times within {} s: it is not used again "
                                  "for {} s",
                                  fabric.port_name(c), fabric.port_name(fabric.peer(c)), times,
                                  flaps.window_s, flaps.hold_s));
  }
}

// --- One step, whoever wants it

namespace {

/// The delta of bare tables, put into guarded ones; what of it is SL2VL only where there is no
/// guard (else the guard is made anew, see prove()).
void apply_bare(Plan& after, Delta& delta) {
  Delta rows;
  rows.sl2vl = delta.sl2vl;
  rows.host_sl2vl_before = rows.host_sl2vl_after = after.tables.host_sl2vl;
  std::swap(after.tables.sl2vl, after.bare_sl2vl);
  apply(after.tables, rows);
  std::swap(after.tables.sl2vl, after.bare_sl2vl);
  if (after.guarded) delta.sl2vl.clear();
  apply(after.tables, delta);
}

}  // namespace

/// `ready` is then for what is left, though its plan is still the old one.
FastPath::Step FastPath::take_out(Ready& ready, const Fault& fault) {
  Stopwatch watch;
  Step step;
  step.before = ready.plan;
  step.fault = fault;
  const Plan& before = *step.before;
  step.near = fault_ends(before.fabric, fault);
  Repair repair = ready.repair->fail(fault);
  step.method = std::move(repair.method);
  step.readdressed = std::max(repair.readdressed.size(), repair.delta.sl.size());
  step.delta = std::move(repair.delta);
  step.after = std::make_shared<Plan>(before);
  Plan& after = *step.after;
  after.outcome = Outcome::kRepaired;
  after.whole = before.whole ? before.whole : step.before;
  after.fabric = without(before.fabric, fault);
  after.multicast = repair.multicast;
  const bool bare_rows_changed = !step.delta.sl2vl.empty();
  apply_bare(after, step.delta);
  MulticastTables mft;
  if (after.multicast) mft = {{kMinMulticastLid, broadcast_tree(after.fabric, *after.multicast)}};
  add_multicast(step.delta, before.tables, mft);
  after.tables.mft = std::move(mft);
  after.remarks = after.whole->remarks;
  after.remarks.push_back(
      fmt::format("{} LFT entries lead around what has gone, everything else is as it was",
                  step.delta.lft.size()));
  if (step.readdressed > 0)
    after.remarks.push_back(
        fmt::format("{} paths have another LID or SL now: connections over them must ask for the "
                    "path again",
                    step.readdressed));
  if (after.guarded && bare_rows_changed) guard_anew(ready, step);
  after.steps = {};
  after.steps.compute_ms = watch.lap_ms();
  border_.report(Event::Kind::kTablesComputed);
  return step;
}

/// New paths make turns that the guard in force forbids.
void FastPath::guard_anew(const Ready& ready, Step& step) {
  Plan& after = *step.after;
  after.tables.sl2vl = after.bare_sl2vl;
  add_guard(after, &step.before->tables.sl2vl, ready.repair->up());
  step.delta = difference(step.before->tables, after.tables);
}

/// If not, `ready` is of no use any more.
bool FastPath::prove(Ready& ready, Step& step) {
  Stopwatch watch;
  Plan& after = *step.after;
  Proof& proof = ready.proof;
  proof = verify(std::move(proof), after.fabric, after.tables, step.delta,
                 rewired(step.before->fabric, after.fabric));
  if (!holds(proof.verdict()) && after.guarded && step.delta.sl2vl.empty()) {
    const Tables under_old_guard = after.tables;
    guard_anew(ready, step);
    proof = verify(std::move(proof), after.fabric, after.tables,
                   difference(under_old_guard, after.tables));
  }
  after.verdict = proof.verdict();
  after.steps.prove_ms = watch.lap_ms();
  border_.report(Event::Kind::kProved);
  return holds(after.verdict);
}

/// False: the tables in force are not those of the step; it may be that some were written.
bool FastPath::put_in_force(Step& step) {
  Stopwatch watch;
  if (!step.ordered) choose_order(step);
  step.all_confirmed = send_and_confirm(step);
  step.send_ms = watch.lap_ms();
  const bool works_still = step.fault.empty() || step.lossless;
  if (!step.begun && works_still) return false;
  const bool taken = border_.take_over(step.before, step.after, step.confirmed,
                                       OutOfService::names_of(step.before->fabric, step.fault));
  // Nobody else asks for the sweep that writes the groups' trees after what no trap set off.
  const bool groups_move = works_still && step.before->multicast != step.after->multicast;
  if (!step.all_confirmed || groups_move) border_.ask_for_sweep();  // also to send again
  changed_at_ = std::chrono::steady_clock::now();
  return taken;
}

}  // namespace selvedge
