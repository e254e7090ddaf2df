// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// An engine's tables for the whole fabric, repaired after faults. `selvedge-route repair` prints
// them, and `compute --repair` measures them. The proof after the repair is a revision of the proof
// before.
#pragma once

#include "plugin/program/options.hpp"
#include "plugin/program/subject.hpp"
#include "plugin/repair/in_place.hpp"
#include "plugin/repair/repair.hpp"

namespace selvedge {

struct RepairChoice {
  std::string repair;  // name of the repair; "": none
  std::optional<RepairMode> mode;
  bool leave_unbroken = false;  // in-place repair: working paths are not moved
  bool healed = false;          // whether all that failed returns after the repair
};

/// Throws InputError if a mode is given without a repair.
void check(const RepairChoice& choice);
const char* mode_name(const RepairChoice& choice);

/// For RFTR (`readdress`), which moves paths to other LIDs, with an engine that makes one path for
/// each pair. Sets an LMC, so that there are LIDs for new paths, unless the options give one.
void make_room(const RepairChoice& choice, EngineOptions& engine);
/// For RFTR with an engine that makes one path for each pair: frees all LIDs but the base LIDs for
/// new paths, and adds a remark. With any repair it drops the multicast tables.
void free_lids(const RepairChoice& choice, const EngineOptions& engine, Subject& subject);

RepairRequest request_of(const RepairChoice& choice, const EngineOptions& engine);

struct Repaired {
  Subject subject;  // damaged fabric, repaired tables; remarks and time of the engine
  Repair repair;
  Verdict verdict;
  double repair_ms = 0, prove_ms = 0;
  std::optional<InPlaceRepair::Bytes> index_bytes;
};

/// Computes the engine's tables for the fabric without faults, then one repair for all faults at
/// once. With `choice.healed`, all faults return at once too; then repair, verdict and times are
/// those of the return.
Repaired compute_repaired(const FabricOptions& fabric, const EngineOptions& engine,
                          const RepairChoice& choice, Progress& progress);

}  // namespace selvedge
