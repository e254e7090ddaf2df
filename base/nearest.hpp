// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Words that a user may have meant: for messages about a mistyped subcommand, option or key.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace selvedge {

/// Levenshtein's distance: how many characters must be put in, taken out or changed.
unsigned edit_distance(std::string_view a, std::string_view b);

/// The candidate that differs least from the word (the first of several), if it is near enough to
/// have been meant: by two characters, or a third of a longer word's. Else "". It is a view of the
/// candidate.
std::string_view nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace selvedge
