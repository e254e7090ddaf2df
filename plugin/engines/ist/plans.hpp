// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Plans that were searched for beforehand (tools/ist), since the fewest VLs and SLs take a SAT
// solver minutes to find: squares and cubes. plans.txt beside this file holds them, and says in
// what form. Nothing is believed because it stands there: a wrong letter is a path without an SL,
// or a cycle, and the tests prove each one.
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
  unsigned first_line;     // its number in the file
};

/// plans.txt, as it was when the program was built.
std::string_view plans_text();
/// The plans of such a text, which must outlive them; what is in them, decode() reads when asked.
/// Throws std::logic_error if the text is none.
std::vector<StoredPlan> list_plans(std::string_view text);
/// Throws std::logic_error if the text doesn't fit the torus.
Plan decode(const StoredPlan& stored, const Torus& torus);

/// The plan to use for this torus: the stored one if it is within the bounds, else what a search
/// finds.
Search find_plan(const Torus& torus, const Trees& trees, unsigned max_vls, unsigned max_sls);

}  // namespace selvedge::ist
