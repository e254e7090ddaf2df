// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/repair_controller.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "plugin/control/dark_routes.hpp"
#include "plugin/control/fresh_lids.hpp"
#include "plugin/control/locate.hpp"
#include "plugin/control/table_writer.hpp"
#include "plugin/tables/dark_lids.hpp"

namespace selvedge {
namespace {

std::vector<SwitchId> switches_of(const Fabric& fabric, std::span<const Lid> lids) {
  std::vector<SwitchId> found;
  for (const Lid lid : lids)
    if (const SwitchId s = fabric.destination_switch(lid);
        s != kNoSwitch && std::ranges::find(found, s) == found.end())
      found.push_back(s);
  return found;
}

}  // namespace

StepContext RepairController::context() const {
  return {.may_drain = environment_.settings.smp().drain.count() > 0,
          .group_ports = environment_.tables.group_ports(),
          .clock = &environment_.clock,
          .report = [this](Event::Kind kind) { environment_.journal.report(kind); }};
}

void RepairController::prepare() {
  const std::shared_ptr<const Plan> plan = environment_.tables.plan_in_force();
  if (plan && smps_.running() && ready_ && same_plan(*ready_->plan, *plan)) {
    if (compared_ == ready_->plan) compared_ = plan;
    if (returned_ == ready_->plan) returned_ = plan;
    ready_->plan = plan;
    return;
  }
  ready_.reset();
  if (!plan || !smps_.running()) return;
  try {
    ready_ = prepare_repair(plan, repair_vls(environment_.tables.manager_writes_rows()));
  } catch (const InputError& e) {
    environment_.journal.log(false, fmt::format("no fast path for these tables: {}", e.what()));
  }
  changed_at_ = environment_.clock.now();
}

// --- Faults

void RepairController::handle_traps(std::span<const Lid> issuers) {
  LapTimer timer(&environment_.clock);
  const Instant began = environment_.clock.now();
  const Fabric& fabric = ready_->plan->fabric;
  // If no cable is down, the trap had another cause or the cable is up again. Nothing is done here
  // then; the sweep that the trap starts finds any change.
  const Located located =
      locate(smps_, environment_.settings.smp(), fabric, switches_of(fabric, issuers));
  if (!smps_.running())
    throw EnvironmentError("the SMP agent has ended", "selvedge-smp-agent", "it is started again");
  if (located.unanswered > 0)
    environment_.journal.log(
        false, fmt::format("fast path: of {} cables neither end answered", located.unanswered));
  if (located.fault.empty()) return;
  environment_.journal.report(Event::Kind::kFaultLocated);
  repair(located.fault, timer.lap_ms(), began);
}

void RepairController::repair_lost(const LostLinks& lost) {
  if (ready_ && ready_->plan == lost.plan) repair(lost.fault, 0, environment_.clock.now());
}

void RepairController::repair(const Fault& fault, double locate_ms, Instant began) {
  PreparedRepair state = *std::exchange(ready_, std::nullopt);
  const std::string what = describe(state.plan->fabric, fault);
  if (state.plan == unconfirmed_)
    environment_.journal.log(
        true, fmt::format("fast path: {}: switches have not confirmed the change before: until a "
                          "sweep has written the rest, no order of writes is proved",
                          what));
  if (const std::optional<Change> first = base_first(state, fault, context()))
    if (!write_base_lids(*first, what, locate_ms)) return;
  RepairStep step = repair_step(std::move(state), fault, false, context());
  const Change& change = step.change;
  if (!change.proved) {
    environment_.journal.log(true,
                             fmt::format("fast path: {}: the repair ({}) could not be proved; it "
                                         "is left to the sweep",
                                         what, change.method));
    environment_.journal.record(event_of(RoutingEvent::Kind::kRepairFailed, what));
    return;
  }
  bool in_force = false;
  const Written written = write(change, in_force);
  if (!in_force) return;
  ready_ = std::move(step.next);
  ready_->plan = change.after;
  environment_.journal.report(Event::Kind::kRepairConfirmed);
  record(RoutingEvent::Kind::kRepair, what, change, written, began);
  environment_.journal.log(
      !written.all_confirmed,
      fmt::format(
          "fast path: {} is gone: {} LFT entries in {} blocks and {} SL2VL rows changed "
          "({}; sent {}), proved{}; located {:.1f} ms, repaired {:.1f} ms, proved {:.1f} ms, sent "
          "and read back {:.1f} ms",
          what, change.delta.lft.size(), written.confirmed.blocks.size(),
          written.confirmed.rows.size(), change.method, way_of(change.order),
          unconfirmed_note(written), locate_ms, change.after->steps.compute_ms,
          change.after->steps.prove_ms, written.ms));
  if (const std::string dark = describe_dark(change.after->fabric, *dark_lids_of(*change.after));
      !dark.empty())
    environment_.journal.log(true, "fast path: " + dark);
  damp(change.before->fabric, fault);
}

/// Writes the first step of a repair, and puts its plan in force; false if that failed.
bool RepairController::write_base_lids(const Change& change, const std::string& what,
                                       double locate_ms) {
  bool in_force = false;
  const Written written = write(change, in_force);
  if (!in_force) return false;
  environment_.journal.report(Event::Kind::kBaseConfirmed);
  environment_.journal.log(
      !written.all_confirmed,
      fmt::format("fast path: {} is gone: base LIDs first: {} LFT entries in {} blocks changed "
                  "({}; sent {}), proved{}; located {:.1f} ms, repaired {:.1f} ms, proved {:.1f} "
                  "ms, sent and read back {:.1f} ms",
                  what, change.delta.lft.size(), written.confirmed.blocks.size(), change.method,
                  way_of(change.order), unconfirmed_note(written), locate_ms,
                  change.after->steps.compute_ms, change.after->steps.prove_ms, written.ms));
  return true;
}

void RepairController::record(RoutingEvent::Kind kind, const std::string& what,
                              const Change& change, const Written& written, Instant began) {
  RoutingEvent event = event_of(kind, what, change, written);
  const std::chrono::duration<double, std::milli> ms = environment_.clock.now() - began;
  event.ms = ms.count();
  environment_.journal.record(std::move(event));
}

void RepairController::damp(const Fabric& fabric, const Fault& fault) {
  const FlapSettings settings = environment_.settings.flaps();
  const Instant now = environment_.clock.now();
  for (const Channel c : fault.links) {
    if (!fabric.between_switches(c)) continue;  // a host has no other cable
    const std::string name = ExcludedLinks::cable_name(fabric, c);
    const unsigned times = flap_damper_.count_link_down(name, now, settings);
    if (times == 0) continue;
    environment_.links.hold(name, now + std::chrono::seconds(settings.hold_s));
    const std::string cable = describe(fabric, {{c}, {}});
    environment_.journal.log(
        true, fmt::format("{} went down {} times within {} s: held out of use for {} s", cable,
                          times, settings.window_s, settings.hold_s));
    environment_.journal.record(event_of(RoutingEvent::Kind::kHeld, cable));
  }
}

/// Writes the change to the switches and makes its plan the one in force. If `in_force` is false
/// afterwards, that failed, though some of the change may have been written.
Written RepairController::write(const Change& change, bool& in_force) {
  in_force = false;
  const bool paused = change.order.groups_pause;
  const auto resume = [&] {
    if (!paused) return;
    environment_.tables.resume_groups();
    environment_.sweeps.request_sweep();  // it writes the trees, also if nothing else was written
  };
  Written written;
  try {
    written = write_tables(change, smps_, environment_);
  } catch (...) {
    resume();
    throw;
  }
  const bool works_still = change.lost.empty() || change.lossless;
  if (!written.begun && works_still) {
    resume();
    return written;
  }
  in_force =
      environment_.tables.take_over(change.before, change.after, written.confirmed,
                                    ExcludedLinks::names_of(change.before->fabric, change.lost));
  unconfirmed_ = written.all_confirmed ? nullptr : change.after;
  resume();
  // If the change was not caused by a fault, no trap starts a sweep. So a sweep must be requested
  // to write the multicast trees.
  const bool groups_move = works_still && change.before->multicast != change.after->multicast;
  if (!paused && (!written.all_confirmed || groups_move))
    environment_.sweeps.request_sweep();  // it also sends again what was not confirmed
  changed_at_ = environment_.clock.now();
  return written;
}

// --- Restored links

/// Asks the ports of restored components: false if some of these are down again.
bool RepairController::still_there(const RestoredLinks& restored) {
  const Fault back = missing_from(restored.plan->fabric, restored.fabric);
  return locate(smps_, environment_.settings.smp(), restored.fabric,
                switches_at_fault(restored.fabric, back))
      .fault.empty();
}

void RepairController::route_restored(const RestoredLinks& restored) {
  const auto leave = [&](std::string_view why) {
    environment_.sweeps.leave_to_sweep();
    environment_.journal.log(
        false, fmt::format("fast path: restored links are left to the sweep: {}", why));
  };
  const Instant began = environment_.clock.now();
  const std::shared_ptr<const Plan> in_force = environment_.tables.plan_in_force();
  if (!in_force) return leave("the sweep that found them had errors");
  // Another plan has come into force: the deferred links must be found again.
  if (in_force != restored.plan) return environment_.sweeps.rediscover();
  if (!ready_) return leave("the tables in force cannot be repaired in place");
  const bool there = still_there(restored);
  if (!smps_.running()) return leave("the SMP agent has ended");
  if (!there) return environment_.sweeps.rediscover();
  const Fault back = missing_from(restored.plan->fabric, restored.fabric);
  std::optional<Plan> plan = environment_.plans.plan_for(restored.fabric);
  if (!plan) return leave("nothing could be proved");

  const Change change = restore_step(restored.plan, std::move(*plan), back, context());
  const std::string what = describe(change.after->fabric, back);
  bool taken = false;
  const Written written = write(change, taken);
  ready_.reset();  // its indexes describe the old tables
  if (!written.begun)
    return leave("the subnet manager's copies of the tables are not those in force");
  if (!taken) return environment_.sweeps.rediscover();
  record(RoutingEvent::Kind::kRestored, what, change, written, began);
  environment_.journal.log(
      !written.all_confirmed,
      fmt::format("fast path: {} is back: {} LFT entries in {} blocks and {} SL2VL rows changed "
                  "({}; sent {} in {} phases), proved{}; computed {:.1f} ms, proved {:.1f} ms, "
                  "sent and read back {:.1f} ms",
                  what, change.delta.lft.size(), written.confirmed.blocks.size(),
                  written.confirmed.rows.size(), change.method, way_of(change.order),
                  change.order.phases.size(), unconfirmed_note(written),
                  change.after->steps.compute_ms, change.after->steps.prove_ms, written.ms));
}

// --- Orders

RepairController::Outcome RepairController::carry_out(PreparedChange& prepared) {
  if (!prepared.change && prepared.drained.empty()) return Outcome::kDone;
  const std::shared_ptr<const Plan> in_force = environment_.tables.plan_in_force();
  if (!in_force || !same_plan(*in_force, *prepared.before)) return Outcome::kStale;
  const std::vector<std::string> known =
      environment_.links.drained();  // these stay drained if this order fails
  std::erase_if(prepared.drained, [&](const std::string& name) {
    return std::ranges::find(known, name) != known.end();
  });
  if (!prepared.change) {  // all components are out of use already: only names are stored
    if (!prepared.drained.empty()) environment_.links.drain(prepared.drained);
    return Outcome::kDone;
  }
  // Another change may have come and gone, whose tree is still in the switches.
  if (!prepared.change->group_ports.include(environment_.tables.group_ports()))
    return Outcome::kStale;
  if (in_force == unconfirmed_) return Outcome::kRefused;  // the proof would not start from it
  if (!smps_.running())
    throw EnvironmentError("no SMP agent is running", "opensm's log",
                           "look for the plugin's messages there");
  if (prepared.restored && !still_there(*prepared.restored)) {
    environment_.sweeps.rediscover();
    return Outcome::kStale;
  }
  Change& change = *prepared.change;
  change.before = in_force;
  if (!prepared.drained.empty()) environment_.links.drain(prepared.drained);
  const auto undo = [&] {
    ready_.reset();
    if (!prepared.drained.empty()) environment_.links.undrain(prepared.drained);
  };
  try {
    bool taken = false;
    prepared.written = write(change, taken);
    if (!taken) {
      undo();
      return Outcome::kRefused;
    }
  } catch (...) {
    undo();
    throw;
  }
  if (!prepared.engine.empty()) environment_.plans.prefer(prepared.engine);
  ready_ = std::move(prepared.next);  // its indexes describe the new tables
  if (ready_) ready_->plan = change.after;
  return Outcome::kDone;
}

bool RepairController::length_check_due() {
  const DriftSettings drift = environment_.settings.drift();
  const bool due = drift.quiet_s > 0 && ready_ && ready_->plan->undamaged_baseline &&
                   ready_->plan != compared_ &&
                   environment_.clock.now() - changed_at_ > std::chrono::seconds(drift.quiet_s);
  if (due) compared_ = ready_->plan;
  return due;
}

bool RepairController::readdress_due() {
  if (!ready_ || ready_->plan == readdressed_ || !ready_->plan->tables.has_spare_lids())
    return false;
  const bool same = readdressed_ && same_plan(*readdressed_, *ready_->plan);
  readdressed_ = ready_->plan;
  if (same) return false;
  return std::ranges::any_of(pairs_hit(*readdressed_),
                             [](const FreshPair& pair) { return pair.after == kNoLid; });
}

bool RepairController::return_due() {
  const std::chrono::seconds keep = environment_.settings.keep_fresh();
  if (keep.count() == 0 || !ready_ || ready_->plan == returned_ ||
      ready_->plan->undamaged_baseline || environment_.clock.now() - changed_at_ <= keep ||
      !has_fresh_lids(*ready_->plan))
    return false;
  returned_ = ready_->plan;
  return true;
}

bool RepairController::completion_due() {
  if (const bool may_drain = context().may_drain; may_drain != examined_may_drain_) {
    examined_may_drain_ = may_drain;
    examined_.reset();
  }
  if (!ready_ || ready_->plan == examined_) return false;
  const bool same = examined_ && same_plan(*examined_, *ready_->plan);
  examined_ = ready_->plan;
  return !same && !is_complete(*examined_);
}

}  // namespace selvedge
