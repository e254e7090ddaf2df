// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// Texts in tests: what they hold, and what they would be with a piece exchanged.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace selvedge::test {

inline bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// The text with the first `from` exchanged; that it has one is expected.
inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace selvedge::test
