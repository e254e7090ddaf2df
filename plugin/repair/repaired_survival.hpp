// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What tables survive if each fault is repaired before the next one comes: for combinations of
// exactly K cables or switches, failing one after another in the order of their ids, does every
// pair of hosts that is still physically connected have a LID that works, without deadlock? The
// three kinds of combinations are those of plugin/verify/survival.hpp.
//
// Combinations are made depth first, so that all which begin alike share the repairs of that
// beginning, and the shorter ones are on the way to the longer; each result is proved from the
// tables alone by plugin/verify/small_prover.hpp, which shares nothing with the repairs. Threads
// share nothing but what they read; no result depends on how many there are.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "plugin/repair/kept_paths.hpp"
#include "plugin/repair/repair.hpp"
#include "plugin/verify/survival.hpp"

namespace selvedge {

/// A repair that can go back.
class RepairTrail {
 public:
  virtual ~RepairTrail() = default;
  /// The fault is repaired on top of those before.
  virtual void push(const Fault& fault) = 0;
  /// The last fault has not happened.
  virtual void pop() = 0;
  virtual const Tables& tables() const = 0;
  /// The highest offset of a LID in use within its range.
  virtual unsigned top_offset() const = 0;
  /// The tables of the beginning, if LIDs and SLs are to be kept; else null.
  virtual const Tables* kept_from() const { return nullptr; }
};

/// Makes a trail for one thread; called by several at once.
using MakeRepairTrail = std::function<std::unique_ptr<RepairTrail>()>;

/// RFTR (readdress.hpp). Fabric and tables must stay.
MakeRepairTrail readdress_trails(const Fabric& fabric, const Tables& tables, RepairRequest request);
/// In place (in_place.hpp).
MakeRepairTrail in_place_trails(const Fabric& fabric, const Tables& tables, RepairRequest request);

struct RepairedSurvival {
  std::uint64_t evaluated = 0;
  std::uint64_t tolerated = 0;
  std::uint64_t singular = 0;
  std::uint64_t disconnected = 0;
  unsigned max_vls = 0;   // on channels between switches, of any combination's tables
  unsigned max_sls = 0;   // likewise
  unsigned max_lids = 0;  // of one range
  KeptPaths paths;        // summed over the combinations, where LIDs and SLs are to be kept
  /// The first singular combination in lexicographic order (of a sample: the first drawn).
  std::optional<Fault> witness;
  friend bool operator==(const RepairedSurvival&, const RepairedSurvival&) = default;
};

/// `question.symmetry` must be false.
RepairedSurvival survive_repaired(const Fabric& fabric, const MakeRepairTrail& make,
                                  const SurvivalQuestion& question);
/// Of all combinations of `fewest` ≤ K ≤ question.faults, by K: what survive_repaired() says of
/// each, in one search. `question.sample` must be empty.
std::vector<RepairedSurvival> survive_repaired_from(const Fabric& fabric,
                                                    const MakeRepairTrail& make, unsigned fewest,
                                                    const SurvivalQuestion& question);

}  // namespace selvedge
