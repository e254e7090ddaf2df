// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The known word closest to a mistyped one, for messages about a subcommand, option or key.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace selvedge {

/// Levenshtein distance: how many characters must be inserted, deleted or replaced.
unsigned edit_distance(std::string_view a, std::string_view b);

/// The candidate with the smallest edit distance (the first of several). "" if that distance
/// exceeds both two and a third of the word's length. The result is a view of the candidate.
std::string_view nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace selvedge
