// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// report.html: one file that needs no network connection, made from one results.sqlite or, to
// compare them, from several. The page (sim/report: HTML, CSS, JavaScript) and its libraries are
// part of the program. Only the content of the results is added here, as JSON (report_facts).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/experiment/database.hpp"

namespace selvedge::sim {

/// The content of one results file for the page: `file`, `meta` (title, program, …), `axes`, `keys`
/// (those with the same value at every point), `fabrics`, and `points` in the order of the plan. A
/// database table becomes an array of rows or, if it is long, an object with an array per column.
nlohmann::json report_facts(Database& results);

/// The HTML page, with the results in this order. Throws InputError for a file without points.
std::string report_page(const std::vector<Database*>& results);

}  // namespace selvedge::sim
