// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Plans that were searched for beforehand (tools/ist), since the fewest VLs and SLs take a SAT
// solver minutes to find: squares and cubes. ist/plans_data.cpp holds them as text, written by the
// tool; nothing is believed because it stands there: a wrong character is a path without an SL, or
// a cycle, and the tests prove each one.
//
// The text: values in the order [SL][port in][port out][place], for port in ≠ port out, in runs; a
// run is a character, 8·value + length − 1 in the alphabet of base64. A turn that no path of its SL
// takes has the value of the one before. If the turns are not those "by rows" a second text of the
// same form gives the rank of each channel on each VL, [VL][port out][place], in base64 digits, a
// turn being allowed where the rank grows.
#pragma once

#include <span>
#include <string_view>

#include "plugin/engines/ist/search.hpp"

namespace selvedge::ist {

struct StoredPlan {
  std::string_view sizes;  // "10x10"
  unsigned vls, sls;
  std::string_view values;
  std::string_view ranks;  // empty: by rows
};

std::span<const StoredPlan> stored_plans();
/// Throws std::logic_error if the text doesn't fit the torus.
Plan decode(const StoredPlan& stored, const Torus& torus);

/// The plan to use for this torus: the stored one if it is within the bounds, else what a search
/// finds.
Search find_plan(const Torus& torus, const Trees& trees, unsigned max_vls, unsigned max_sls);

}  // namespace selvedge::ist
