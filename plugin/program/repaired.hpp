// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tables of an engine for the whole fabric, repaired for what fails: what `repair` prints and
// `compute --repair` measures. The proof after the repair is the one before, revised.
#pragma once

#include "plugin/program/options.hpp"
#include "plugin/program/subject.hpp"
#include "plugin/repair/in_place.hpp"
#include "plugin/repair/repair.hpp"

namespace selvedge {

struct RepairChoice {
  std::string repair;  // "": none
  std::optional<RepairMode> mode;
  bool leave_unbroken = false;  // in place: what works does not move
  bool healed = false;          // then all that failed returns
};

/// Throws InputError for a mode without a repair.
void check(const RepairChoice& choice);
const char* mode_name(const RepairChoice& choice);

/// For readdressing, and an engine that has one path for each pair: LIDs for new paths, unless the
/// options say how many.
void make_room(const RepairChoice& choice, EngineOptions& engine);
/// Likewise: the LIDs beyond the first become free for new paths. Says so in the remarks.
void free_lids(const RepairChoice& choice, const EngineOptions& engine, Subject& subject);

RepairRequest request_of(const RepairChoice& choice, const EngineOptions& engine);

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

}  // namespace selvedge
