// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What tables survive: for combinations of exactly K cables or switches that fail while the tables
// stay as they are, does every pair of hosts still have a LID that works? Found by walking the
// tables, not by counting disjoint paths. Each combination is one of
//
//   singular      some pair of hosts that is still physically connected has no path left, or the
//                 dependency graph of what is left has a cycle
//   disconnected  else, if the attached hosts on working switches are no longer in one piece
//                 (hosts of failed switches and pairs that are apart are left out, as in a proof)
//   tolerated     else
//
// so that the three add up to what was evaluated.
//
// How it is counted (docs/faults.md tells it at length). Paths become sets of elements (cables, or
// the switches between the two ends): survival_pairs.hpp. Combinations are made depth first, in
// lexicographic order; a fault touches the paths through it and is taken back the same way:
// survival_damage.hpp. Of each pair it is known which single further fault would take all that it
// has left, so the last fault of a combination is not made at all: one set of elements answers for
// all of them. Faults only take paths away, so tables that are free of deadlock stay so; others are
// asked anew for each combination: survival_cycles.hpp. Symmetry: survival_symmetry.hpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "plugin/fabric/fault.hpp"
#include "plugin/tables/tables.hpp"

namespace selvedge {

enum class FaultKind : std::uint8_t { kLinks, kSwitches };

struct SurvivalQuestion {
  FaultKind of = FaultKind::kLinks;
  unsigned faults = 1;  // K, from 1 to faultable()
  /// That many combinations, each drawn uniformly and independently of the others (one may come
  /// twice); nothing: every combination.
  std::optional<std::uint64_t> sample;
  std::uint64_t seed = 1;  // of the sample; the same one draws the same, whatever `jobs`
  /// Use the symmetries of the fabric that map the tables onto themselves. Same counts, less work.
  bool symmetry = false;
  unsigned jobs = 1;  // threads
  /// Told how many combinations are looked at, of how many: first with done = 0 by the thread that
  /// asks, then now and then by any of the threads. (g++ warns of designated initialisers that
  /// leave it out if it has no initialiser here.)
  // NOLINTNEXTLINE(readability-redundant-member-init)
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};
};

/// A combination that is singular, and why.
struct SurvivalWitness {
  Fault fault;
  /// A pair without a path, the first by destination, then by source; kNoHost: see `cycle`.
  HostId source = kNoHost;
  HostId destination = kNoHost;
  std::string cycle;  // of channels and VLs, in what is left

  friend bool operator==(const SurvivalWitness&, const SurvivalWitness&) = default;
};

struct Survival {
  std::uint64_t evaluated = 0;
  std::uint64_t tolerated = 0;
  std::uint64_t singular = 0;
  std::uint64_t disconnected = 0;
  /// Combinations that were looked at; less than evaluated where symmetry stood for the rest.
  std::uint64_t computed = 0;
  /// With symmetry: classes of elements that may stand for each other. As many as there are
  /// elements if only the identity maps the tables onto themselves.
  std::uint32_t orbits = 0;
  /// The first singular combination in lexicographic order of its elements' ids (of a sample: the
  /// first drawn).
  std::optional<SurvivalWitness> witness;
};

/// How many elements may fail: cables between switches, or switches that have not failed already.
std::uint32_t faultable(const Fabric& fabric, FaultKind of);

/// n over k; nothing if 64 bits don't hold it.
std::optional<std::uint64_t> combinations(std::uint64_t n, std::uint64_t k);

/// `deadlock_free`: the verdict's, of a proof of these tables on this fabric (verify.hpp). Without
/// a sample, combinations(faultable, faults) must fit into 64 bits.
Survival survive(const Fabric& fabric, const Tables& tables, bool deadlock_free,
                 const SurvivalQuestion& question);

}  // namespace selvedge
