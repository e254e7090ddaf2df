// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// `selvedge-route faults --repair`: each fault is repaired before the next fault happens.
#pragma once

#include "plugin/program/repaired.hpp"
#include "plugin/repair/repaired_survival.hpp"
#include "plugin/route/options.hpp"

namespace selvedge::route {

void add_repair_choice(CLI::App& app, RepairChoice& choice, const std::string& description);
/// Adds --repair-mode and --leave-unbroken, for verbs that always repair.
void add_repair_mode(CLI::App& app, RepairChoice& choice);
void add_healed(CLI::App& app, RepairChoice& choice);

/// Makes sequences of repairs of the subject, which must outlive them. Throws InputError for tables
/// that cannot be repaired.
MakeRepairSequence make_sequences(const RepairChoice& choice, const EngineOptions& engine,
                                  const Subject& subject);

/// The reason, as plugin/verify finds it, why the repaired tables do not survive this combination
/// of faults.
std::string why_singular(const Subject& subject, const MakeRepairSequence& make,
                         const Fault& fault);

}  // namespace selvedge::route
