// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Which failures tables survive. Exactly K cables or switches fail while the tables stay as they
// are: does every pair of hosts still have a LID that works? This is found by walking the tables,
// not by counting disjoint paths. Each combination of K elements (cables or switches) is one of
//
//   singular      some pair of hosts that is still physically connected has no path left, or the
//                 dependency graph of the remaining paths has a cycle
//   disconnected  not singular, but the attached hosts on working switches are no longer all
//                 connected (hosts of failed switches and disconnected pairs are left out, as in
//                 a proof)
//   tolerated     neither of the two
//
// so the three counts add up to `evaluated`.
//
// How combinations are counted (details: docs/faults.md). Each path becomes the set of elements
// that it needs: its cables, or the switches between its two ends (survival_pairs.hpp).
// Combinations are enumerated depth first, in lexicographic order. Adding or removing a fault
// updates only the paths through that element (survival_damage.hpp). For each pair it is known
// which single further fault would break all its remaining paths. So the last fault of a
// combination is not applied: one set of elements gives the result for all last faults. Faults only
// remove paths, so tables that are deadlock free remain deadlock free. Tables that are not are
// proved again for each combination (survival_cycles.hpp). Symmetries of the fabric save work
// (survival_symmetry.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "plugin/fabric/fault.hpp"
#include "plugin/tables/further_sls.hpp"
#include "plugin/tables/tables.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge {

enum class FaultKind : std::uint8_t { kLinks, kSwitches };

struct SurvivalRequest {
  FaultKind of = FaultKind::kLinks;
  unsigned faults = 1;  // K, the number of elements that fail together; 1 … faultable()
  /// The number of combinations to draw, each uniformly and independently (with repetition);
  /// nullopt: examine every combination.
  std::optional<std::uint64_t> sample;
  std::uint64_t seed = 1;  // seed of the sample, which does not depend on `jobs`
  /// Uses the symmetries of the fabric that map the tables onto themselves. The counts are the
  /// same, with less work.
  bool symmetry = false;
  unsigned jobs = 1;  // number of threads
  /// SLs that paths have besides (plugin/verify/further.hpp); nullptr: none. Symmetries know
  /// nothing of them, so they exclude `symmetry`.
  const FurtherSls* further = nullptr;
  /// For repaired tables: the ReplyGrade to prove for each combination, which is slow.
  // NOLINTNEXTLINE(readability-redundant-member-init)
  std::optional<ReplyGrade> replies = {};
  /// Called with the number of combinations examined and their total: first with done = 0 by the
  /// calling thread, then repeatedly by any of the threads. (Without the initialiser `= {}` g++
  /// warns about designated initialisers that omit the member.)
  // NOLINTNEXTLINE(readability-redundant-member-init)
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};
};

/// A combination that is singular, and why.
struct SurvivalWitness {
  Fault fault;
  /// A pair without a path: the first by destination, then by source. kNoHost: the reason is
  /// `cycle`.
  HostId source = kNoHost;
  HostId destination = kNoHost;
  std::string cycle;  // channels and VLs of a cycle in the damaged fabric

  friend bool operator==(const SurvivalWitness&, const SurvivalWitness&) = default;
};

struct Survival {
  std::uint64_t evaluated = 0;
  std::uint64_t tolerated = 0;
  std::uint64_t singular = 0;
  std::uint64_t disconnected = 0;
  /// Combinations that were examined; fewer than `evaluated` if symmetry gave the results of
  /// others.
  std::uint64_t computed = 0;
  /// With symmetry: the number of orbits, which are classes of elements that symmetries map onto
  /// each other. It equals the number of elements if the tables have no symmetry but the identity.
  std::uint32_t orbits = 0;
  /// The first singular combination in lexicographic order of its elements' ids; for a sample, the
  /// first that was drawn.
  std::optional<SurvivalWitness> witness;
};

/// How many elements may fail: the cables between switches, or the switches that have not failed
/// already.
std::uint32_t faultable(const Fabric& fabric, FaultKind of);

/// The binomial coefficient n over k; nullopt if it needs more than 64 bits.
std::optional<std::uint64_t> combinations(std::uint64_t n, std::uint64_t k);

/// Counts the combinations of each kind. `deadlock_free`: Verdict::deadlock_free of these tables on
/// this fabric (verify.hpp). Without a sample, combinations(faultable, faults) must fit into 64
/// bits.
Survival survive(const Fabric& fabric, const Tables& tables, bool deadlock_free,
                 const SurvivalRequest& request);

}  // namespace selvedge
