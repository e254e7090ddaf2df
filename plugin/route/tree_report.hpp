// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The report on the form of a tree, as text and as JSON.
#pragma once

#include "plugin/fabric/tree_form.hpp"
#include "plugin/program/report.hpp"

namespace selvedge::route {

/// Adds the rows for trees to the page of `selvedge-route fabric`: levels, missing cables and
/// switches, hosts above the leaf switches. Long lists are truncated; the JSON has all of them.
void add_tree_rows(const Fabric& fabric, const FabricForm& form, Sheet& sheet);

/// The cables that look wrongly connected, in words, one line each.
std::vector<std::string> miscabled(const Fabric& fabric, const FabricForm& form);

/// The value of the key "form" in the JSON of `selvedge-route fabric`.
Json form_json(const Fabric& fabric, const FabricForm& form);

}  // namespace selvedge::route
