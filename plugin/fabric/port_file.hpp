// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// OpenSM's files of ports: port_prof_ignore_file and hop_weights_file. A line is empty, a comment
// (#), or the GUID of a node and the number of one of its ports, in the latter file also a weight.
// What follows is free text. As in files of GUIDs (guid_file.hpp), a line that is none of these
// makes the whole file invalid.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

struct PortFile {
  struct Line {
    Guid guid = 0;
    PortNum port = 0;
    std::uint8_t weight = 1;   // 1…255
    std::uint32_t number = 0;  // line number, from 1
    friend bool operator==(const Line&, const Line&) = default;
  };
  std::string path;
  std::vector<Line> lines;

  friend bool operator==(const PortFile&, const PortFile&) = default;
};

/// Parses the text of a file of ports, each with a weight if `with_weights`. Throws InputError for
/// a line that is neither empty nor a comment nor a port, and for a file without any port.
PortFile parse_port_file(std::string_view text, const std::string& path, bool with_weights);
/// Reads a file of ports. Throws InputError as parse_port_file() does, and if the file cannot be
/// read, may block, or is too large.
PortFile read_port_file(const std::string& path, bool with_weights);

}  // namespace selvedge
