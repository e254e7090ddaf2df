// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Makes text safe to print. Names from files and node descriptions may contain any byte, but must
// neither break the line nor send control sequences to the terminal.
#pragma once

#include <string>
#include <string_view>

namespace selvedge {

/// The text as one line that is safe to show: control characters become '?'.
inline std::string printable(std::string_view text) {
  std::string line(text);
  for (char& c : line)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = '?';
  return line;
}

}  // namespace selvedge
