// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Counts the combinations of K faults that tables survive if each fault is repaired before the next
// one. The K cables or switches of a combination fail one after another, in the order of their ids.
// After the last repair, does every physically connected pair of hosts have a LID that works, and
// are the tables free of deadlock? By the answer a combination is tolerated, singular or
// disconnected (plugin/verify/survival.hpp).
//
// Combinations are enumerated depth first. Combinations with the same beginning share its repairs,
// and shorter combinations are visited on the way to longer ones. The tables after each combination
// are proved by plugin/verify/small_prover.hpp, which shares no code with the repairs. Threads
// share only constant data; no result depends on their number.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "plugin/repair/kept_paths.hpp"
#include "plugin/repair/repair.hpp"
#include "plugin/verify/survival.hpp"

namespace selvedge {

/// Tables under a sequence of faults, each repaired before the next one. Repairs can be undone, the
/// last one first.
class RepairSequence {
 public:
  virtual ~RepairSequence() = default;
  /// Repairs a fault on top of the faults pushed before.
  virtual void push(const Fault& fault) = 0;
  /// Undoes the last push() that has not been undone.
  virtual void pop() = 0;
  virtual const Tables& tables() const = 0;
  /// The highest offset (LID − base LID) of any LID in use.
  virtual unsigned top_offset() const = 0;
  /// The original tables, if LIDs and SLs are to be kept; else nullptr.
  virtual const Tables* original_tables() const { return nullptr; }
};

/// Makes the RepairSequence of one thread. Several threads may call this at once.
using MakeRepairSequence = std::function<std::unique_ptr<RepairSequence>()>;

/// Sequences of RFTR (readdress.hpp). Keeps a reference to the fabric.
MakeRepairSequence readdress_sequences(const Fabric& fabric, const Tables& tables,
                                       RepairRequest request);
/// Sequences of in-place repair (in_place.hpp). Keeps references to fabric and tables.
MakeRepairSequence in_place_sequences(const Fabric& fabric, const Tables& tables,
                                      RepairRequest request);

struct RepairedSurvival {
  std::uint64_t evaluated = 0;
  std::uint64_t tolerated = 0;
  std::uint64_t singular = 0;
  std::uint64_t disconnected = 0;
  std::uint64_t graded = 0;  // tolerated ones whose responses have the grade `request.replies`
  unsigned max_vls = 0;      // most VLs on channels between switches, over all combinations
  unsigned max_sls = 0;      // most SLs of paths, over all combinations
  unsigned max_lids = 0;     // 1 + the highest LID offset in use, over all
  KeptPaths paths;           // summed over the combinations; only for in-place repair
  /// The first singular combination in lexicographic order (of a sample: the first drawn).
  std::optional<Fault> witness;
  friend bool operator==(const RepairedSurvival&, const RepairedSurvival&) = default;
};

/// The result for combinations of `request.faults` faults. `request.symmetry` must be false.
RepairedSurvival survive_repaired(const Fabric& fabric, const MakeRepairSequence& make,
                                  const SurvivalRequest& request);
/// The results of survive_repaired() for each K from `fewest` to `request.faults`, in one search.
/// `request.sample` must be empty.
std::vector<RepairedSurvival> survive_repaired_from(const Fabric& fabric,
                                                    const MakeRepairSequence& make, unsigned fewest,
                                                    const SurvivalRequest& request);

}  // namespace selvedge
