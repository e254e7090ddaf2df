// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The expressions of claims, as "1 - six / none", over named figures: numbers, names, + − * /,
// parentheses, min(a, b), max(a, b).
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace selvedge::sim {

/// `value` gives the value of a name. Throws InputError, with `where`, for a malformed expression,
/// and whatever `value` throws.
double evaluate(std::string_view expression,
                const std::function<double(const std::string& name)>& value,
                const std::string& where);

}  // namespace selvedge::sim
