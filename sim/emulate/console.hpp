// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Commands to the emulator: lines on the console's socket, or lines of a script with the time in
// milliseconds before each. A line is parsed into an action first, so that a whole script is
// checked before anything happens. The commands are in commands.cpp; ibsim's Unlink, ReLink, Clear,
// Error and Dump are among them.
#pragma once

#include <chrono>
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
  static constexpr std::size_t kLongestCommand = 4096;  // bytes of a line

  /// Executes a command that has been parsed, and returns what it prints.
  using Action = std::function<std::string()>;
  /// Makes an action from the text that follows the command's name; may throw InputError.
  using Parser = std::function<Action(std::string_view rest)>;
  /// Named counters.
  using Numbers = std::vector<std::pair<std::string, std::uint64_t>>;

  explicit Console(Core& core);

  /// Adds a command, or replaces the one of this name. Case is ignored.
  void add_command(std::string name, Parser parse) {
    commands_[std::move(name)] = std::move(parse);
  }
  /// Adds a condition for `wait NAME`. `begin` is called when a wait begins; the wait ends when
  /// `there` returns true.
  void add_wait(std::string name, std::function<void()> begin, std::function<bool()> there) {
    waits_[std::move(name)] = {std::move(begin), std::move(there)};
  }
  /// Adds counters to those of `report`; `more` is called at each report.
  void add_numbers(std::function<Numbers()> more) { more_numbers_.push_back(std::move(more)); }
  /// Sets the function that gets the text that a script's commands print.
  void on_printed(std::function<void(std::string_view)> listener) {
    printed_ = std::move(listener);
  }

  /// A user's command `wait` that has not been answered: it waits at most for `longest` of
  /// wall-clock time.
  struct Waiting {
    std::function<bool()> there;
    std::chrono::seconds longest;
    /// The reply if `there` is still false after that time.
    std::string gave_up;
  };
  /// The reply to a command. Its text ends with a line `ok` or `error: …`. For a `wait` the text is
  /// empty and `waiting` is set: the reply comes later.
  struct Reply {
    std::string text;
    std::optional<Waiting> waiting;
  };
  /// Parses and executes a line. An error becomes a reply `error: …`.
  Reply run(std::string_view line);
  static constexpr std::string_view kOk = "ok\n";
  /// The reply to a line that is longer than kLongestCommand.
  static std::string too_long(std::string_view beginning);

  /// Parses a whole script, then schedules its actions. Times count from the start, or from the end
  /// of the last `wait` before the line. Throws InputError that names the line.
  void schedule_script(const std::string& text, const std::string& where);

  std::optional<Nanoseconds> deadline() const override {
    return schedule_.empty() ? std::nullopt : std::optional(schedule_.begin()->first);
  }
  void on_time() override;
  bool ended() const override { return quit_; }
  /// The counters of `report`.
  Numbers numbers() const;

 private:
  struct Wait {
    std::function<void()> begin;
    std::function<bool()> there;
  };
  struct ScriptLine {
    Nanoseconds time;
    Action action;
    const Wait* wait;  // or null
  };
  struct WithoutCase {
    using is_transparent = void;
    bool operator()(std::string_view a, std::string_view b) const;
  };

  /// Parses a line other than `wait`. An empty line or a comment becomes an action that does
  /// nothing.
  Action parse(std::string_view line);
  [[noreturn]] void refuse_unknown(std::string_view command) const;
  std::optional<Waiting> begin_wait(std::string_view line);
  const Wait& wait_named(std::string_view name) const;
  ScriptLine parse_script_line(std::string_view line);
  /// Schedules the script's lines up to its next `wait`; their times count from now.
  void begin_part();
  void at(Nanoseconds time, Action action) { schedule_.emplace(time, std::move(action)); }

  // --- The commands
  void add_commands();
  void add_ibsim_commands();
  /// An action that changes nodes or cables, and then raises a trap 128 for each switch whose ports
  /// changed.
  Action change(std::function<void(EmulatedSubnet&)> what);
  Action change_cables(std::vector<PortAt> ends, bool cut);
  Action parse_flap(std::string_view rest);
  Action parse_loss(std::string_view rest);
  Action parse_mishap(std::string_view rest, Mishap what);
  Action parse_ibsim_cables(std::string_view rest, std::string_view command, bool cut);
  Action parse_ibsim_error(std::string_view rest);
  Action parse_dump(std::string_view rest);
  void flap(const std::vector<PortAt>& ends, Nanoseconds begin, Nanoseconds period,
            std::uint64_t step, std::uint64_t steps);
  std::string report() const;
  std::string dump(NodeId only) const;

  Core& core_;
  std::map<std::string, Parser, WithoutCase> commands_;
  std::vector<std::function<Numbers()>> more_numbers_;
  std::function<void(std::string_view)> printed_ = [](std::string_view) {};
  std::multimap<Nanoseconds, Action> schedule_;
  std::map<std::string, Wait, std::less<>> waits_;
  std::deque<ScriptLine> script_;  // lines that are not in schedule_ yet
  const Wait* waiting_ = nullptr;  // what the script waits for; null: nothing
  bool quit_ = false;
};

}  // namespace selvedge::sim
