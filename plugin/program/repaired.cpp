// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/program/repaired.hpp"

#include "base/error.hpp"
#include "base/stopwatch.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/repair/in_place.hpp"
#include "plugin/repair/readdress.hpp"
#include "plugin/tables/spare_lids.hpp"

namespace selvedge {
namespace {

constexpr unsigned kRoom = 3;  // LMC for RFTR (readdressing) if the user gives none

bool readdresses(const RepairChoice& choice) {
  return !choice.repair.empty() && choice.mode == RepairMode::kReaddress;
}

/// Whether the engine makes one path for each pair. (Then more LIDs of a host only spread its
/// load.)
bool one_path(const EngineOptions& engine) {
  return !engine.engine.empty() && find_engine(engine.engine).lmc == nullptr;
}

/// Changes the tables for one event (a fault or a return), and revises the proof.
template <class Change>
void step(Change&& change, const auto& way, Proof& proof, Repaired& result) {
  Subject& subject = result.subject;
  const Fabric before = subject.fabric;
  Tables groups_before, groups_after;  // only their multicast tables are set
  groups_before.mft = subject.tables.mft;
  Stopwatch watch;
  result.repair = change();
  result.repair_ms = watch.lap_ms();
  subject.fabric = way.fabric();
  subject.tables = way.tables();
  subject.tables.mft = broadcast_group(subject.fabric, result.repair.multicast);
  groups_after.mft = subject.tables.mft;
  result.repair.delta.mft = difference(groups_before, groups_after).mft;
  watch.lap_ms();
  proof = verify(std::move(proof), subject.fabric, subject.tables, result.repair.delta,
                 rewired(before, subject.fabric));
  result.prove_ms = watch.lap_ms();
}

/// Makes one step for all faults at once and, with `healed`, another step for their return at once.
template <class Way>
void run(Way&& way, const Fault& fault, bool healed, Proof& proof, Repaired& result) {
  step([&] { return way.fail(fault); }, way, proof, result);
  if (healed) step([&] { return way.restore(fault); }, way, proof, result);
  if constexpr (requires { way.bytes(); }) result.index_bytes = way.bytes();
}

}  // namespace

void check(const RepairChoice& choice) {
  if (choice.healed && choice.repair.empty())
    throw InputError("nothing is repaired that could be restored", "--healed",
                     "add --repair rftr, or leave it out");
  if (choice.mode && choice.repair.empty())
    throw InputError("a mode is given without a repair", "--repair-mode",
                     "add --repair rftr, or leave it out");
  if (choice.leave_unbroken && (choice.repair.empty() || readdresses(choice)))
    throw InputError("only an in-place repair moves working paths", "--leave-unbroken",
                     "leave it out, or repair with --repair-mode in-place");
}

const char* mode_name(const RepairChoice& choice) {
  return readdresses(choice) ? "readdress" : "in-place";
}

void make_room(const RepairChoice& choice, EngineOptions& engine) {
  if (readdresses(choice) && !engine.lmc && one_path(engine)) engine.lmc = kRoom;
}

void free_lids(const RepairChoice& choice, const EngineOptions& engine, Subject& subject) {
  subject.tables.mft.clear();
  if (!readdresses(choice) || !one_path(engine)) return;
  subject.tables = base_lids_only(subject.fabric, std::move(subject.tables));
  subject.remarks.emplace_back("one path for each pair; the other LIDs are for new paths");
}

RepairRequest request_of(const RepairChoice& choice, const EngineOptions& engine) {
  RepairRequest request;
  request.mode = choice.mode.value_or(request.mode);
  request.max_vls = engine.max_vls.value_or(request.max_vls);
  request.max_sls = engine.max_sls.value_or(request.max_sls);
  request.move_unbroken = !choice.leave_unbroken;
  return request;
}

Repaired compute_repaired(const FabricOptions& fabric, const EngineOptions& given,
                          const RepairChoice& choice, Progress& progress) {
  check(choice);
  FabricOptions whole = fabric;
  whole.fail.clear();
  EngineOptions engine = given;
  make_room(choice, engine);
  Repaired result;
  result.subject = compute(whole, engine, progress);
  const Fabric before = result.subject.fabric;
  const Fault fault = parse_fault(before, fabric.fail);
  free_lids(choice, engine, result.subject);
  const std::optional<ParentChannels> tree = result.subject.multicast;
  const Tables old = result.subject.tables;
  result.subject.tables.mft = broadcast_group(before, tree);
  VerifyOptions options = asked_of(given);
  options.any_lid = true;
  progress.phase("proving the engine's tables");
  Proof proof = verify(before, result.subject.tables, options);

  const RepairRequest request = request_of(choice, engine);
  progress.phase("repairing");
  if (request.mode == RepairMode::kReaddress)
    run(ReaddressRepair(before, old, tree, request), fault, choice.healed, proof, result);
  else
    run(InPlaceRepair(before, old, tree, request), fault, choice.healed, proof, result);
  result.verdict = proof.verdict();
  if (request.mode == RepairMode::kReaddress)
    mark_missing_as_spare(result.subject.fabric, result.subject.tables);
  return result;
}

}  // namespace selvedge
