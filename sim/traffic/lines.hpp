// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The lines of traces and of files of frames.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace selvedge::sim {

/// Without the blanks around it.
inline std::string_view trimmed(std::string_view s) {
  const auto space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!s.empty() && space(s.front())) s.remove_prefix(1);
  while (!s.empty() && space(s.back())) s.remove_suffix(1);
  return s;
}

/// Calls f(std::string_view) for each line, trimmed, but for empty ones and comments ('#').
/// `number` counts all lines; during a call it is that of the line, from 1.
template <class F>
void for_each_line(std::string_view text, std::size_t& number, F&& f) {
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && line.front() != '#') f(line);
  }
}

}  // namespace selvedge::sim
