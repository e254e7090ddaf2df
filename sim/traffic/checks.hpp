// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Errors for values of [traffic] that are not allowed.
#pragma once

#include <fmt/format.h>

#include <string_view>

#include "base/error.hpp"

namespace selvedge::sim {

template <class T>
InputError bad_value(std::string_view key, const T& value, std::string_view allowed) {
  return {fmt::format("[traffic] {} is {}", key, value), "the experiment's traffic",
          fmt::format("write {}", allowed)};
}

/// Throws if the value is below `least`, above `most`, or NaN.
inline void check_between(std::string_view key, double value, double least, double most) {
  if (!(value >= least && value <= most))
    throw bad_value(key, value, fmt::format("a number from {} to {}", least, most));
}

}  // namespace selvedge::sim
