// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Plans for squares and cubes that were searched beforehand (tools/ist), since a SAT solver takes
// minutes to find the fewest VLs and SLs. plans.txt beside this file holds them and describes its
// format. The plans are not trusted: a wrong letter would cause a path without an SL, or a cycle,
// and the tests prove each plan.
#pragma once

#include <string_view>
#include <vector>

#include "plugin/engines/ist/search.hpp"

namespace selvedge::ist {

struct StoredPlan {
  std::string_view sizes;  // "10x10"
  unsigned vls, sls;
  std::string_view how;    // the arguments of tools/ist/search_plan that found it
  std::string_view lines;  // ranks and VLs
  unsigned first_line;     // number of their first line in the file
};

/// plans.txt, as embedded at build time.
std::string_view plans_text();
/// The plans of such a text, which must outlive them; decode() reads a plan's contents. Throws
/// std::logic_error if the text has another format.
std::vector<StoredPlan> list_plans(std::string_view text);
/// Throws std::logic_error if the text does not fit the torus.
Plan decode(const StoredPlan& stored, const Torus& torus);

/// The plan to use for this torus: the stored one if it is within the bounds, else the result of a
/// search.
Search find_plan(const Torus& torus, const Trees& trees, unsigned max_vls, unsigned max_sls);

}  // namespace selvedge::ist
