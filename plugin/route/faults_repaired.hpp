// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// `selvedge-route faults --repair`: each fault is repaired before the next one comes.
#pragma once

#include "plugin/repair/repaired_survival.hpp"
#include "plugin/route/options.hpp"
#include "plugin/route/subject.hpp"

namespace selvedge::route {

struct RepairChoice {
  std::string repair;  // "": none
  std::optional<RepairMode> mode;
  bool leave_unbroken = false;  // in place: what works does not move
  bool healed = false;          // then all that failed returns
};

void add_repair_choice(CLI::App& app, RepairChoice& choice, const std::string& description);
/// Where there is a repair in any case.
void add_repair_mode(CLI::App& app, RepairChoice& choice);
void add_healed(CLI::App& app, RepairChoice& choice);
/// Throws InputError for a mode without a repair.
void check(const RepairChoice& choice);
const char* mode_name(const RepairChoice& choice);

/// For readdressing, and an engine that has one path for each pair: LIDs for new paths, unless the
/// options say how many.
void make_room(const RepairChoice& choice, EngineOptions& engine);
/// Likewise: the LIDs beyond the first become free for new paths. Says so in the remarks.
void free_lids(const RepairChoice& choice, const EngineOptions& engine, Subject& subject);

RepairRequest request_of(const RepairChoice& choice, const EngineOptions& engine);

/// Repairs of the subject, which must stay. Throws InputError for tables that can't be repaired.
MakeRepairTrail make_trails(const RepairChoice& choice, const EngineOptions& engine,
                            const Subject& subject);

/// What the full verifier says about a combination after its repairs.
std::string why_singular(const Subject& subject, const MakeRepairTrail& make, const Fault& fault);

}  // namespace selvedge::route
