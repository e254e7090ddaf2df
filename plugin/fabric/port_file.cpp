// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/port_file.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/regular_file.hpp"
#include "plugin/fabric/guid_file.hpp"
#include "plugin/fabric/lexer.hpp"

namespace selvedge {

PortFile parse_port_file(std::string_view text, const std::string& path, bool with_weights) {
  constexpr std::size_t kShown = 32;  // bytes of a wrong line that are shown
  constexpr std::uint64_t kMostPort = 254, kMostWeight = 255;
  PortFile file;
  file.path = path;
  lex::Lines lines(text);
  for (std::string_view line; lines.next(line);) {
    lex::Cursor at(line);
    at.spaces();
    if (at.done() || at.peek() == '#') continue;
    const auto number = [&](std::uint64_t most) -> std::uint64_t {
      if (!lex::is_space(at.peek())) return 0;
      at.spaces();
      const auto found = at.number();
      const bool ends = at.done() || at.peek() == '#' || lex::is_space(at.peek());
      return found && ends && *found <= most ? *found : 0;
    };
    const Guid guid = at.hex().value_or(0);
    const std::uint64_t port = guid == 0 ? 0 : number(kMostPort);
    const std::uint64_t weight = port == 0 || !with_weights ? 1 : number(kMostWeight);
    if (port == 0 || weight == 0)
      throw InputError(fmt::format("'{}' is no port{}", line.substr(0, kShown),
                                   with_weights ? " with a weight" : ""),
                       fmt::format("{}:{}", path, lines.number()),
                       with_weights
                           ? "write a GUID with 0x, a port's number and a weight of 1 to 255"
                           : "write a GUID with 0x and a port's number");
    file.lines.push_back(
        {guid, static_cast<PortNum>(port), static_cast<std::uint8_t>(weight), lines.number()});
  }
  if (file.lines.empty())
    throw InputError("no port is in the file", path, "write one a line, or do not name the file");
  return file;
}

PortFile read_port_file(const std::string& path, bool with_weights) {
  return parse_port_file(read_small_file(path, "the file of ports", kMaxGuidFileBytes), path,
                         with_weights);
}

}  // namespace selvedge
