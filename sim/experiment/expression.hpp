// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The expressions of claims over named figures, such as "1 - six / none" (here `six` and `none` are
// figures). An expression has numbers, names, + − * /, parentheses, min(a, b) and max(a, b).
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace selvedge::sim {

/// The value of the expression. `value` gives the value of a name. Throws InputError, which names
/// `where`, for a malformed expression, and whatever `value` throws.
double evaluate(std::string_view expression,
                const std::function<double(const std::string& name)>& value,
                const std::string& where);

}  // namespace selvedge::sim
