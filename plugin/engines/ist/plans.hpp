// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Plans (layers.hpp) for square and cubic tori that were searched beforehand with tools/ist,
// because a SAT solver takes minutes to find the fewest VLs and SLs. plans.txt beside this file
// holds them and describes its format. The engine does not rely on the plans being right: an error
// in one would leave a path without an SL, or a cycle, which a proof finds. The tests prove each
// plan.
#pragma once

#include <string_view>
#include <vector>

#include "plugin/engines/ist/search.hpp"

namespace selvedge::ist {

struct StoredPlan {
  std::string_view sizes;  // sizes of the torus: "10x10"
  unsigned vls, sls;
  std::string_view how;    // the arguments of tools/ist/search_plan that found it
  std::string_view lines;  // the plan's lines of ranks and of VLs
  unsigned first_line;     // line number of the first of these lines in the file
};

/// plans.txt, as embedded at build time.
std::string_view plans_text();
/// The plans in the text, which must outlive them. Their contents are not read; decode() does that.
/// Throws std::logic_error if the text has another format.
std::vector<StoredPlan> list_plans(std::string_view text);
/// Reads the contents of a plan. Throws std::logic_error if they do not fit the torus.
Plan decode(const StoredPlan& stored, const Torus& torus);

/// The plan for this torus: the stored one if it needs no more VLs and SLs than allowed, else the
/// result of a search.
Search find_plan(const Torus& torus, const Trees& trees, unsigned max_vls, unsigned max_sls);

}  // namespace selvedge::ist
