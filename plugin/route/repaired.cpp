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

template <class Way>
void run(Way&& way, const Fault& fault, Repaired& result) {
  Stopwatch watch;
  result.repair = way.fail(fault);
  result.repair_ms = watch.lap_ms();
  result.subject.fabric = way.fabric();
  result.subject.tables = way.tables();
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
  Tables old = result.subject.tables;
  old.mft = groups(before, tree);
  VerifyOptions options;
  options.any_lid = true;
  progress.phase("proving the engine's tables");
  Proof proof = verify(before, old, options);

  const RepairRequest request = request_of(choice, engine);
  progress.phase("repairing");
  if (request.mode == RepairMode::kReaddress)
    run(ReaddressRepair(before, result.subject.tables, tree, request), fault, result);
  else
    run(InPlaceRepair(before, result.subject.tables, tree, request), fault, result);

  Subject& after = result.subject;
  after.tables.mft = groups(after.fabric, result.repair.multicast);
  Tables groups_before, groups_after;  // of these alone
  groups_before.mft = old.mft;
  groups_after.mft = after.tables.mft;
  result.repair.delta.mft = difference(groups_before, groups_after).mft;
  Stopwatch watch;
  proof = verify(std::move(proof), after.fabric, after.tables, result.repair.delta,
                 rewired(before, after.fabric));
  result.prove_ms = watch.lap_ms();
  result.verdict = proof.verdict();
  return result;
}

}  // namespace selvedge::route
