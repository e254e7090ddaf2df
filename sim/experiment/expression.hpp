// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The arithmetic of claims: "1 - six / none" over figures that have names. Numbers, names, + − * /,
// parentheses, min(a, b), max(a, b).
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace selvedge::sim {

/// `value` gives what a name stands for. Throws InputError, with `where`, for what is no
/// expression, and whatever `value` throws.
double evaluate(std::string_view expression,
                const std::function<double(const std::string& name)>& value,
                const std::string& where);

}  // namespace selvedge::sim
