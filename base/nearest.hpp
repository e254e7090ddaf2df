// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Finds the known word closest to a mistyped one, for messages about a subcommand, an option or a
// key.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace selvedge {

/// The Levenshtein distance: how many characters must be inserted, deleted or replaced to get from
/// a to b.
unsigned edit_distance(std::string_view a, std::string_view b);

/// The candidate with the smallest edit distance (of several, the first). "" if that distance is
/// more than two and also more than a third of the word's length. The result is a view of the
/// candidate.
std::string_view nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace selvedge
