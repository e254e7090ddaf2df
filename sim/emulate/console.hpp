// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Commands to the emulator: lines on the console's socket, or lines of a script with the time in
// milliseconds before each. A line is parsed into an action first, so that a whole script is
// checked before anything happens. ibsim's Unlink, ReLink, Clear, Error and Dump are understood as
// well.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/emulate/core.hpp"
#include "sim/emulate/course.hpp"

namespace selvedge::sim {

class Console : public Course {
 public:
  /// Executes a parsed command, and returns what the command prints.
  using Action = std::function<std::string()>;
  /// Named numbers of the command `report`.
  using Numbers = std::vector<std::pair<std::string, std::uint64_t>>;

  explicit Console(Core& core) : core_(core) {}

  /// Adds a command. `parse` makes an action from the text after the command's name; it may throw
  /// InputError.
  void add_command(std::string name, std::function<Action(std::string_view rest)> parse) {
    more_[std::move(name)] = std::move(parse);
  }
  /// Adds something that a script can wait for with `wait NAME`. `begin` is called when the wait
  /// begins; the wait ends when `there` returns true.
  void add_wait(std::string name, std::function<void()> begin, std::function<bool()> there) {
    waits_[std::move(name)] = {std::move(begin), std::move(there)};
  }
  /// Adds numbers to the command `report`.
  void add_numbers(std::function<Numbers()> more) { more_numbers_ = std::move(more); }

  /// Parses a line. An empty line or a comment gives an action that does nothing. Throws
  /// InputError.
  Action parse(std::string_view line);
  /// Parses and executes; the reply ends with a line `ok` or `error: …`.
  std::string run(std::string_view line);
  /// Reads a script. Times count from the start, or from the end of the last `wait` before the
  /// line. Throws InputError that names the line.
  void schedule_script(const std::string& text, const std::string& where);

  std::optional<Nanoseconds> deadline() const override {
    return schedule_.empty() ? std::nullopt : std::optional(schedule_.begin()->first);
  }
  void on_time() override;
  bool ended() const override { return quit_; }
  /// The report's numbers, by name.
  Numbers numbers() const;

 private:
  Action parse_ibsim(std::string_view command, std::string_view rest);
  Action parse_flap(std::string_view rest);
  struct Wait {
    std::function<void()> begin;
    std::function<bool()> there;
  };
  struct ScriptLine {
    Nanoseconds time;
    Action action;
    const Wait* wait;  // or null
  };
  /// Schedules the script's lines up to its next `wait`; their times count from now.
  void begin_part();
  const Wait& wait_named(std::string_view name) const;
  std::string report() const;
  std::string dump(NodeId only) const;
  void at(Nanoseconds time, Action action) { schedule_.emplace(time, std::move(action)); }

  Core& core_;
  std::map<std::string, std::function<Action(std::string_view)>, std::less<>> more_;
  std::function<Numbers()> more_numbers_ = [] { return Numbers(); };
  std::multimap<Nanoseconds, Action> schedule_;
  std::map<std::string, Wait, std::less<>> waits_;
  std::deque<ScriptLine> script_;  // lines that are not in schedule_ yet
  const Wait* waiting_ = nullptr;  // what the script waits for; null: nothing
  bool quit_ = false;
};

}  // namespace selvedge::sim
