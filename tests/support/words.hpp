// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// Helpers for texts in tests: whether a text contains another, and replacing a part of a text.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace selvedge::test {

inline bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// The text with its first `from` replaced by `to`; the test fails if it has none.
inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace selvedge::test
