// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "tests/unit/verify/survival_reference.hpp"

#include <fmt/format.h>

#include "plugin/tables/paths.hpp"
#include "plugin/verify/verify.hpp"

namespace survival_reference {

using namespace selvedge;

namespace {

std::vector<SwitchId> pieces(const Fabric& fabric) {
  std::vector<SwitchId> piece(fabric.num_switches());
  for (SwitchId s = 0; s < piece.size(); ++s) piece[s] = s;
  for (bool again = true; again;) {
    again = false;
    for (const Channel c : fabric.links()) {
      SwitchId &a = piece[fabric.switch_of(c)], &b = piece[fabric.target(c)];
      if (a == b) continue;
      a = b = std::min(a, b);
      again = true;
    }
  }
  return piece;
}

bool reaches(const Fabric& left, const Tables& tables, HostId from, HostId to) {
  const Host &a = left.host(from), &b = left.host(to);
  if (b.lid == kNoLid) return false;
  for (unsigned i = 0; i < b.lid_count(); ++i)
    if (walk(left, tables, a.at, a.port, static_cast<Lid>(b.lid + i)).arrives()) return true;
  return false;
}

void judge(const Fabric& fabric, const Tables& tables, const Fault& fault, Counts& counts) {
  const Fabric left = without(fabric, fault);
  const std::vector<SwitchId> piece = pieces(left);
  bool apart = false, lost = false;
  for (HostId a = 0; a < left.num_hosts(); ++a)
    for (HostId b = 0; b < left.num_hosts(); ++b) {
      if (a == b || !left.attached(a) || !left.attached(b)) continue;
      if (piece[left.host(a).at] != piece[left.host(b).at])
        apart = true;
      else if (!lost)
        lost = !reaches(left, tables, a, b);
    }
  VerifyOptions asked;
  asked.any_lid = true;
  asked.max_witnesses = 1;
  const Proof proof = verify(left, tables, asked);
  if (proof.verdict().connected == lost)
    counts.contradiction = fmt::format("{} faults: the proof says connected {}", fault.links.size(),
                                       proof.verdict().connected);
  if (lost || !proof.verdict().deadlock_free) {
    ++counts.singular;
    if (!counts.first_singular) counts.first_singular = fault;
  } else {
    ++(apart ? counts.disconnected : counts.tolerated);
  }
}

}  // namespace

Counts count(const Fabric& fabric, const Tables& tables, FaultKind of, unsigned faults) {
  std::vector<std::uint32_t> ids;
  if (of == FaultKind::kLinks) ids.assign(fabric.links().begin(), fabric.links().end());
  for (SwitchId s = 0; of == FaultKind::kSwitches && s < fabric.num_switches(); ++s)
    if (!fabric.node(s).failed) ids.push_back(s);
  Counts counts;
  if (faults > ids.size()) return counts;
  std::vector<std::size_t> at(faults);
  for (std::size_t i = 0; i < faults; ++i) at[i] = i;
  for (;;) {
    Fault fault;
    for (const std::size_t i : at)
      (of == FaultKind::kLinks ? fault.links : fault.switches).push_back(ids[i]);
    judge(fabric, tables, fault, counts);
    std::size_t i = faults;
    while (i > 0 && at[i - 1] == ids.size() - faults + i - 1) --i;
    if (i == 0) return counts;
    ++at[i - 1];
    for (; i < faults; ++i) at[i] = at[i - 1] + 1;
  }
}

std::optional<std::string> difference(const Counts& expected, const Survival& found) {
  if (!expected.contradiction.empty()) return expected.contradiction;
  const std::uint64_t all = expected.tolerated + expected.singular + expected.disconnected;
  if (found.tolerated != expected.tolerated || found.singular != expected.singular ||
      found.disconnected != expected.disconnected || found.evaluated != all)
    return fmt::format(
        "tolerated {} for {}, singular {} for {}, disconnected {} for {}, of {} for {}",
        found.tolerated, expected.tolerated, found.singular, expected.singular, found.disconnected,
        expected.disconnected, found.evaluated, all);
  if (found.witness.has_value() != expected.first_singular.has_value())
    return "a witness is missing, or there is one of nothing";
  if (found.witness && found.witness->fault != *expected.first_singular)
    return "the witness is not the first singular combination";
  return std::nullopt;
}

bool confirms(const Fabric& fabric, const Tables& tables, const SurvivalWitness& witness) {
  const Fabric left = without(fabric, witness.fault);
  if (witness.source == kNoHost) {
    VerifyOptions asked;
    asked.any_lid = true;
    const Proof proof = verify(left, tables, asked);
    return proof.verdict().connected && !proof.verdict().deadlock_free && !witness.cycle.empty();
  }
  const std::vector<SwitchId> piece = pieces(left);
  return witness.source != witness.destination && left.attached(witness.source) &&
         left.attached(witness.destination) &&
         piece[left.host(witness.source).at] == piece[left.host(witness.destination).at] &&
         !reaches(left, tables, witness.source, witness.destination);
}

}  // namespace survival_reference
