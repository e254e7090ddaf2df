// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/console.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

#include "base/error.hpp"
#include "base/in_quotes.hpp"
#include "base/nearest.hpp"
#include "sim/emulate/words.hpp"

namespace selvedge::sim {
namespace {

constexpr double kMostMilliseconds = 1e9;
constexpr double kMostSecondsToWait = 86'400;
constexpr std::uint64_t kUsualSecondsToWait = 60;
constexpr std::string_view kWait = "wait";

std::string refusal(const Error& error) { return fmt::format("error: {}\n", error.what()); }

InputError too_long_error(std::string_view line) {
  return {"a command is too long", in_quotes(line),
          fmt::format("write at most {} bytes", Console::kLongestCommand)};
}

}  // namespace

bool Console::WithoutCase::operator()(std::string_view a, std::string_view b) const {
  return std::ranges::lexicographical_compare(
      a, b, {}, [](unsigned char c) { return std::tolower(c); },
      [](unsigned char c) { return std::tolower(c); });
}

Console::Console(Core& core) : core_(core) {
  add_commands();
  add_ibsim_commands();
}

// --- A line

Console::Action Console::parse(std::string_view line) {
  line = trim(line);
  if (line.empty() || line.front() == '#') return [] { return std::string(); };
  if (line.size() > kLongestCommand) throw too_long_error(line);
  std::string_view rest;
  const std::string_view command = first_word(line, rest);
  const auto found = commands_.find(command);
  if (found == commands_.end()) refuse_unknown(command);
  return found->second(rest);
}

void Console::refuse_unknown(std::string_view command) const {
  std::vector<std::string> known{std::string(kWait)};
  for (const auto& [name, parser] : commands_)
    if (name != "?") known.push_back(name);
  const std::string_view meant = nearest(command, known);
  throw InputError("no such command", in_quotes(command),
                   meant.empty() ? "type help" : fmt::format("did you mean {}?", meant));
}

std::string Console::too_long(std::string_view beginning) {
  return refusal(too_long_error(beginning));
}

Console::Reply Console::run(std::string_view line) {
  try {
    if (auto waiting = begin_wait(line)) return {{}, std::move(waiting)};
    return {parse(line)() + std::string(kOk), {}};
  } catch (const Error& error) {
    return {refusal(error), {}};
  }
}

// --- Waiting

const Console::Wait& Console::wait_named(std::string_view name) const {
  if (const auto found = waits_.find(name); found != waits_.end()) return found->second;
  std::vector<std::string_view> names;
  names.reserve(waits_.size());
  for (const auto& [known, wait] : waits_) names.push_back(known);
  throw InputError("there is no such thing to wait for", in_quotes(fmt::format("wait {}", name)),
                   fmt::format("choose one of {}", fmt::join(names, ", ")));
}

/// Begins a wait if the line is a command `wait`; returns nothing if it is another command.
std::optional<Console::Waiting> Console::begin_wait(std::string_view line) {
  std::string_view rest, seconds;
  if (first_word(line, rest) != kWait) return std::nullopt;
  if (line.size() > kLongestCommand) throw too_long_error(line);
  const std::string_view name = first_word(rest, seconds);
  const Wait& wait = wait_named(name);
  const auto longest = static_cast<std::int64_t>(
      seconds.empty() ? kUsualSecondsToWait
                      : whole(seconds, "number of seconds", kMostSecondsToWait));
  const InputError gave_up(
      fmt::format("it is not there after {} s", longest), in_quotes(trim(line)),
      fmt::format("start a subnet manager, or wait longer, as wait {} 600", name));
  wait.begin();
  return Waiting{wait.there, std::chrono::seconds(longest), refusal(gave_up)};
}

// --- Scripts

void Console::on_time() {
  while (true) {
    if (waiting_ != nullptr && waiting_->there()) {
      waiting_ = nullptr;
      begin_part();
    }
    if (schedule_.empty() || schedule_.begin()->first > core_.now()) return;
    const Action action = std::move(schedule_.begin()->second);
    schedule_.erase(schedule_.begin());
    if (const std::string text = action(); !text.empty()) printed_(text);
  }
}

void Console::schedule_script(const std::string& text, const std::string& where) {
  std::string_view left = text;
  for (unsigned line = 1; !left.empty(); ++line) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    const std::string_view words = trim(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
    if (words.empty() || words.front() == '#') continue;
    try {
      script_.push_back(parse_script_line(words));
    } catch (const InputError& error) {
      throw InputError(error.problem(), fmt::format("{}, line {}: {}", where, line, error.where()),
                       error.remedy());
    }
  }
  begin_part();
}

Console::ScriptLine Console::parse_script_line(std::string_view line) {
  if (line.size() > kLongestCommand) throw too_long_error(line);
  std::string_view command, what;
  const Nanoseconds time = milliseconds(first_word(line, command), kMostMilliseconds);
  if (first_word(command, what) == kWait) return {time, {}, &wait_named(what)};
  return {time, parse(command), nullptr};
}

void Console::begin_part() {
  const Nanoseconds now = core_.now();
  while (!script_.empty()) {
    ScriptLine line = std::move(script_.front());
    script_.pop_front();
    if (line.wait == nullptr) {
      at(now + line.time, std::move(line.action));
      continue;
    }
    at(now + line.time, [this, wait = line.wait] {
      wait->begin();
      waiting_ = wait;
      return std::string();
    });
    return;
  }
}

// --- The report

Console::Numbers Console::numbers() const {
  const CoreStatistics& s = core_.statistics();
  std::uint64_t clients = 0;
  for (ClientId c = 0; c < core_.num_slots(); ++c) clients += core_.client(c) != nullptr ? 1 : 0;
  std::vector<std::pair<std::string, std::uint64_t>> numbers = {
      {"clients", clients},
      {"mads_from_clients", s.from_clients},
      {"mads_to_clients", s.to_clients},
      {"executed", s.executed},
      {"waiting", core_.waiting()},
      {"repeated", s.repeated},
      {"timed_out", s.timed_out},
      {"late_answers", s.late_answers},
      {"traps", s.traps},
      {"dropped_by_command", core_.mishaps().dropped()},
      {"doubled_by_command", core_.mishaps().doubled()},
      {"no_recipient", s.nobody},
      {"malformed", s.malformed}};
  static constexpr const char* kCauses[] = {"no_route", "link_down", "not_for_here", "loop",
                                            "cable"};
  static_assert(std::size(kCauses) == kLossCauses);
  for (std::size_t i = 0; i < kLossCauses; ++i)
    numbers.emplace_back(fmt::format("lost_{}", kCauses[i]), s.lost[i]);
  for (const auto& more : more_numbers_) std::ranges::move(more(), std::back_inserter(numbers));
  return numbers;
}

std::string Console::report() const {
  std::string text;
  for (ClientId c = 0; c < core_.num_slots(); ++c)
    if (const Core::Client* client = core_.client(c); client != nullptr)
      text += fmt::format("client {} pid {} at \"{}\" port {}{}\n", c, client->pid,
                          core_.subnet().name(client->at.node), client->at.port,
                          client->is_sm ? " SM" : "");
  for (const auto& [name, value] : numbers()) text += fmt::format("{} {}\n", name, value);
  return text;
}

}  // namespace selvedge::sim
