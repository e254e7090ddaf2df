// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tables of an engine for the whole fabric, repaired for what fails: what `repair` prints and
// `compute --repair` measures. The proof after the repair is the one before, revised.
#pragma once

#include "plugin/repair/in_place.hpp"
#include "plugin/repair/repair.hpp"
#include "plugin/route/faults_repaired.hpp"
#include "plugin/route/options.hpp"
#include "plugin/route/subject.hpp"

namespace selvedge::route {

struct Repaired {
  Subject subject;  // the fabric that is left, the repaired tables; the engine's remarks and time
  Repair repair;
  Verdict verdict;
  double repair_ms = 0, prove_ms = 0;
  std::optional<InPlaceRepair::Bytes> index_bytes;
};

/// The engine's tables for the fabric without faults, then one repair for all of them at once; with
/// `choice.healed` all of them return, and repair, verdict and times are those of the return.
Repaired compute_repaired(const FabricOptions& fabric, const EngineOptions& engine,
                          const RepairChoice& choice, Progress& progress);

}  // namespace selvedge::route
