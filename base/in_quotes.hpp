// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What a message repeats of a user's text: the beginning of it, however long it is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace selvedge {

inline constexpr std::size_t kMostQuotedBytes = 60;

/// The text, or its beginning and "…".
inline std::string shortened(std::string_view text) {
  if (text.size() <= kMostQuotedBytes) return std::string(text);
  std::size_t end = kMostQuotedBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;  // UTF-8
  return std::string(text.substr(0, end)) + "…";
}

/// The text as by shortened(), in single quotes.
inline std::string in_quotes(std::string_view text) { return "'" + shortened(text) + "'"; }

}  // namespace selvedge
