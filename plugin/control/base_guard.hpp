// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A guard (plugin/transition/guard.hpp) for separate base LIDs (plugin/repair/separate_base.hpp)
// alone. Tables of several VLs have no guard as a whole. But base LIDs that have an SL and a VL of
// their own get one: rows drop packets on that SL at turns outside an acyclic set. So base LIDs
// can be repaired without any order of writing.
#pragma once

#include <optional>

#include "plugin/control/plan.hpp"
#include "plugin/repair/separate_base.hpp"

namespace selvedge {

/// Adds a guard for base LIDs to the plan's tables, which must have none, if base LIDs are separate
/// and have one. Sets Plan::base_guard.
void add_base_guard(Plan& plan);

/// The part of base LIDs, with the guard that the plan's tables have for it; nullopt if base LIDs
/// are not separate.
std::optional<SeparateBase> guarded_base(const Plan& plan);

/// Changes rows of a delta between tables without the guard of base LIDs into rows between the
/// plan's own tables. Rows that are equal then are left out.
void keep_base_guard(const Plan& plan, std::vector<Sl2VlChange>& rows);

}  // namespace selvedge
