// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// An engine's tables for the whole fabric, repaired after faults: what `repair` prints and `compute
// --repair` measures. The proof after the repair is the one before, revised.
#pragma once

#include "plugin/program/options.hpp"
#include "plugin/program/subject.hpp"
#include "plugin/repair/in_place.hpp"
#include "plugin/repair/repair.hpp"

namespace selvedge {

struct RepairChoice {
  std::string repair;  // "": none
  std::optional<RepairMode> mode;
  bool leave_unbroken = false;  // in place: working paths do not move
  bool healed = false;          // after the repair all that failed returns
};

/// Throws InputError for a mode without a repair.
void check(const RepairChoice& choice);
const char* mode_name(const RepairChoice& choice);

/// For readdressing, and an engine with one path for each pair: sets an LMC, so that there are LIDs
/// for new paths, unless the options give one.
void make_room(const RepairChoice& choice, EngineOptions& engine);
/// For readdressing, and such an engine: frees all LIDs but the base LIDs for new paths, and adds a
/// remark. In any case drops the multicast tables.
void free_lids(const RepairChoice& choice, const EngineOptions& engine, Subject& subject);

RepairRequest request_of(const RepairChoice& choice, const EngineOptions& engine);

struct Repaired {
  Subject subject;  // the fabric that is left, the repaired tables; the engine's remarks and time
  Repair repair;
  Verdict verdict;
  double repair_ms = 0, prove_ms = 0;
  std::optional<InPlaceRepair::Bytes> index_bytes;
};

/// The engine's tables for the fabric without faults, then one repair for all faults at once. With
/// `choice.healed` all of them return: then repair, verdict and times are those of the return.
Repaired compute_repaired(const FabricOptions& fabric, const EngineOptions& engine,
                          const RepairChoice& choice, Progress& progress);

}  // namespace selvedge
