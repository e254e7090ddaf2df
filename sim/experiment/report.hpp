// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// report.html: one file that needs no network, from one results.sqlite or several that are to be
// compared. The page (sim/report: HTML, CSS, JavaScript) and the libraries that it draws with are
// part of the program; all that is added here is what the results hold, as JSON (report_facts).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/experiment/database.hpp"

namespace selvedge::sim {

/// What the page shows of one results file: `title`, `file`, `program`, `axes`, `keys` (those that
/// are the same at every point), `fabrics`, and `points` in the order of the plan. Tables become
/// arrays of rows or, where they are long, objects of columns.
nlohmann::json report_facts(Database& results);

/// The page, with the results in this order. Throws InputError for one without points.
std::string report_page(const std::vector<Database*>& results);

}  // namespace selvedge::sim
