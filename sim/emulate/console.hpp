// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Commands to the emulator: lines on the console's socket, or lines of a script with the time in
// milliseconds before each. A line is parsed into an action first, so that a whole script is
// checked before anything happens. ibsim's Unlink, ReLink, Clear, Error and Dump are understood as
// well.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/emulate/core.hpp"

namespace selvedge::sim {

class Console {
 public:
  /// What a command prints.
  using Action = std::function<std::string()>;

  explicit Console(Core& core) : core_(core) {}

  /// Throws InputError. An empty line or a comment is an action that does nothing.
  Action parse(std::string_view line);
  /// Parses and executes; the reply ends with a line `ok` or `error: …`.
  std::string run(std::string_view line);
  /// Reads a script; times count from the start. Throws InputError that names the line.
  void schedule_script(const std::string& text, const std::string& where);

  std::optional<Milliseconds> deadline() const {
    return schedule_.empty() ? std::nullopt : std::optional(schedule_.begin()->first);
  }
  void on_time();
  bool quit() const { return quit_; }
  /// The report's numbers, by name.
  std::vector<std::pair<std::string, std::uint64_t>> numbers() const;

 private:
  Action parse_ibsim(std::string_view command, std::string_view rest);
  Action parse_flap(std::string_view rest);
  std::string report() const;
  std::string dump(NodeId only) const;
  void at(Milliseconds time, Action action) { schedule_.emplace(time, std::move(action)); }

  Core& core_;
  std::multimap<Milliseconds, Action> schedule_;
  bool quit_ = false;
};

}  // namespace selvedge::sim
