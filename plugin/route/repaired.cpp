// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/route/repaired.hpp"

#include "base/stopwatch.hpp"
#include "plugin/engines/multicast.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/repair/in_place.hpp"
#include "plugin/repair/readdress.hpp"

namespace selvedge::route {
namespace {

MulticastTables groups(const Fabric& fabric, const std::optional<ParentChannels>& tree) {
  if (!tree) return {};
  return {{kBroadcastMlid, broadcast_tree(fabric, *tree)}};
}

/// One event's change of the tables, and the proof revised for it.
template <class Change>
void step(Change&& change, const auto& way, Proof& proof, Repaired& result) {
  Subject& subject = result.subject;
  const Fabric before = subject.fabric;
  Tables groups_before, groups_after;  // of these alone
  groups_before.mft = subject.tables.mft;
  Stopwatch watch;
  result.repair = change();
  result.repair_ms = watch.lap_ms();
  subject.fabric = way.fabric();
  subject.tables = way.tables();
  subject.tables.mft = groups(subject.fabric, result.repair.multicast);
  groups_after.mft = subject.tables.mft;
  result.repair.delta.mft = difference(groups_before, groups_after).mft;
  watch.lap_ms();
  proof = verify(std::move(proof), subject.fabric, subject.tables, result.repair.delta,
                 rewired(before, subject.fabric));
  result.prove_ms = watch.lap_ms();
}

/// All that fails at once; then, if asked, all of it returns at once.
template <class Way>
void run(Way&& way, const Fault& fault, bool healed, Proof& proof, Repaired& result) {
  step([&] { return way.fail(fault); }, way, proof, result);
  if (healed) step([&] { return way.restore(fault); }, way, proof, result);
  if constexpr (requires { way.bytes(); }) result.index_bytes = way.bytes();
}

}  // namespace

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
  result.subject.tables.mft = groups(before, tree);
  VerifyOptions options;
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
  return result;
}

}  // namespace selvedge::route
