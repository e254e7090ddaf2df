// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/traffic_command.hpp"

#include <fmt/format.h>

#include <charconv>

#include "base/error.hpp"
#include "base/in_quotes.hpp"

namespace selvedge::sim {
namespace {

Console::Action parse(const TrafficCommand& command, std::string_view rest) {
  const auto poll_after = [&plane = command.plane](auto change) -> Console::Action {
    return [&plane, change] {
      change(plane.network().now());
      plane.poll_sources();
      return std::string();
    };
  };
  SwitchedTraffic& traffic = command.traffic;
  if (rest == "on") return poll_after([&](Tick now) { traffic.turn_on(now); });
  if (rest == "off") return poll_after([&](Tick now) { traffic.turn_off(now); });
  const std::size_t space = rest.find_first_of(" \t");
  if (space == std::string_view::npos)
    throw InputError("traffic is turned on or off, or replaced",
                     in_quotes(fmt::format("traffic {}", rest)),
                     "write traffic on, traffic off, or traffic PATTERN LOAD");
  TrafficSpec spec = command.spec;
  spec.pattern = rest.substr(0, space);
  spec.load = parse_positive(std::string(rest.substr(rest.find_first_not_of(" \t", space))),
                             in_quotes(fmt::format("traffic {}", rest)), kMostLoad);
  const std::shared_ptr<Traffic> made =
      make_traffic(spec, command.fabric, command.model, command.seed);
  return poll_after([&traffic, made](Tick now) { traffic.replace(made, now); });
}

}  // namespace

double parse_positive(const std::string& text, const std::string& option, double most) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value > 0 && value <= most))
    throw InputError(in_quotes(text) + " is out of range", option,
                     fmt::format("write a number above 0, at most {}", most));
  return value;
}

void add_traffic_command(Console& console, const TrafficCommand& command) {
  console.add_command("traffic", [command](std::string_view rest) { return parse(command, rest); });
}

}  // namespace selvedge::sim
