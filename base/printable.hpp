// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Names from files and node descriptions may hold any byte. Printed, they must neither break the
// line nor send control sequences to the terminal.
#pragma once

#include <string>
#include <string_view>

namespace selvedge {

/// One line, safe to show: control characters become '?'.
inline std::string printable(std::string_view text) {
  std::string line(text);
  for (char& c : line)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = '?';
  return line;
}

}  // namespace selvedge
