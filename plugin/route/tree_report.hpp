// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The report on a tree, as text and as JSON.
#pragma once

#include "plugin/fabric/tree_form.hpp"
#include "plugin/program/report.hpp"

namespace selvedge::route {

/// The rows that a tree adds to the page of `selvedge-route fabric`: levels, what is missing, hosts
/// above the leaf switches. Long lists are truncated; the JSON has all.
void add_tree_rows(const Fabric& fabric, const FabricForm& form, Sheet& sheet);

/// What looks miscabled, a line each.
std::vector<std::string> miscabled(const Fabric& fabric, const FabricForm& form);

/// The value of "form".
Json form_json(const Fabric& fabric, const FabricForm& form);

}  // namespace selvedge::route
