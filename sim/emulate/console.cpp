// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/console.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/error.hpp"
#include "base/nearest.hpp"

namespace selvedge::sim {
namespace {

constexpr std::string_view kSpace = " \t\r\n";
constexpr double kMostMilliseconds = 1e9, kMostFlapMilliseconds = 1e5, kMostFlaps = 1e4;

const char* const kHelp =
    "cut LINK | heal LINK        take a cable out, put it back (S-0-0:2, S-0-0/S-0-1)\n"
    "kill SWITCH | revive SWITCH switch off, switch on with empty tables\n"
    "flap LINK MS N              N times down for MS and up for MS\n"
    "loss LINK P                 a share P of the MADs over the cable is lost\n"
    "drop PATTERN N [AFTER]      lose the next N MADs that match, after AFTER others;\n"
    "double PATTERN N [AFTER]    deliver these twice;\n"
    "                            PATTERN = get|set|trap|answer|any[:ATTRIBUTE][@NODE]\n"
    "report                      clients, MADs and what became of them\n"
    "traffic on | traffic off    with --clock manager: hosts begin to send, or stop\n"
    "traffic PATTERN LOAD        with --clock manager: other traffic begins\n"
    "paths                       hosts ask the SA for their paths\n"
    "wait subnet-up | wait paths in a script: until the SA answers; until all paths are known;\n"
    "                            times of the lines below count from then\n"
    "Unlink, ReLink, Clear, Error, Dump   as in ibsim: Unlink \"S-0-0\"[2]\n"
    "quit\n";

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

/// The first word of the text; `rest` becomes the text after it.
std::string_view first_word(std::string_view text, std::string_view& rest) {
  text = trim(text);
  const std::size_t end = std::min(text.find_first_of(kSpace), text.size());
  rest = trim(text.substr(end));
  return text.substr(0, end);
}
/// The last word of the text; `rest` becomes the text before it. Used for a number after a name,
/// since names may hold spaces and numbers do not.
std::string_view last_word(std::string_view text, std::string_view& rest) {
  text = trim(text);
  const std::size_t space = text.find_last_of(kSpace);
  const std::size_t begin = space == std::string_view::npos ? 0 : space + 1;
  rest = trim(text.substr(0, begin));
  return text.substr(begin);
}

double number(std::string_view text, const char* what, double low, double high) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value >= low && value <= high))
    throw InputError(fmt::format("{} is no {}", text.empty() ? "nothing" : text, what),
                     fmt::format("'{}'", text),
                     fmt::format("write a number from {} to {}", low, high));
  return value;
}
std::uint64_t whole(std::string_view text, const char* what, double most = kMostMilliseconds) {
  const double value = number(text, what, 0, most);
  if (value != std::floor(value))
    throw InputError(fmt::format("{} is no whole number", text), fmt::format("'{}'", text),
                     fmt::format("write a {} without a fraction", what));
  return static_cast<std::uint64_t>(value);
}

/// A time in milliseconds, with a fraction or without.
Nanoseconds milliseconds(std::string_view text, double most) {
  return Nanoseconds(std::llround(number(text, "time in ms", 0, most) * 1e6));
}

/// A node or port in ibsim's notation: "node" or "node"[port].
struct NamedPlace {
  std::string_view name, rest;
  std::optional<unsigned> port;
};
NamedPlace parse_place(std::string_view text) {
  const std::size_t open = text.find('"');
  const std::size_t close = open == std::string_view::npos ? open : text.find('"', open + 1);
  if (close == std::string_view::npos)
    throw InputError("there is no name in quotes", fmt::format("'{}'", text),
                     "write \"S-0-0\" or \"S-0-0\"[2]");
  NamedPlace place{text.substr(open + 1, close - open - 1), trim(text.substr(close + 1)),
                   std::nullopt};
  if (place.rest.starts_with('[')) {
    const std::size_t end = place.rest.find(']');
    place.port = static_cast<unsigned>(number(
        place.rest.substr(1, end == std::string_view::npos ? end : end - 1), "port", 0, 254));
    place.rest = end == std::string_view::npos ? "" : trim(place.rest.substr(end + 1));
  }
  return place;
}

NodeId node_named(const EmulatedSubnet& subnet, std::string_view name, bool must_be_switch) {
  const NodeId n = subnet.find_node(name);
  if (n == kNoNode || (must_be_switch && n >= subnet.num_switches()))
    throw InputError(must_be_switch ? "no such switch" : "no such node", fmt::format("'{}'", name),
                     "name one of the fabric");
  return n;
}

}  // namespace

Console::Action Console::parse(std::string_view line) {
  line = trim(line);
  if (line.empty() || line.front() == '#') return [] { return std::string(); };
  std::string_view rest;
  const std::string_view command = first_word(line, rest);
  EmulatedSubnet& subnet = core_.subnet();
  if (command == "cut" || command == "heal") {
    return [this, &subnet, links = subnet.find_links(rest), cut = command == "cut"] {
      for (const PortAt at : links) cut ? subnet.cut(at) : subnet.heal(at);
      core_.subnet_changed();
      return std::string();
    };
  }
  if (command == "kill" || command == "revive") {
    return [this, &subnet, n = node_named(subnet, rest, true), kill = command == "kill"] {
      kill ? subnet.kill(n) : core_.revive(n);
      core_.subnet_changed();
      return std::string();
    };
  }
  if (command == "flap") return parse_flap(rest);
  if (command == "loss") {
    std::string_view link;
    const double share = number(last_word(rest, link), "share", 0, 1);
    return [&subnet, links = subnet.find_links(link), share] {
      for (const PortAt at : links) subnet.set_loss(at, share);
      return std::string();
    };
  }
  if (command == "drop" || command == "double") {
    // The numbers are at the end: a pattern may name a node with spaces.
    std::string_view before, pattern;
    const std::string_view last = last_word(rest, before);
    const std::string_view other = last_word(before, pattern);
    const bool two = !pattern.empty() && !other.empty() &&
                     std::ranges::all_of(other, [](char c) { return c >= '0' && c <= '9'; });
    const std::uint64_t count = whole(two ? other : last, "count");
    const std::uint64_t after = two ? whole(last, "count") : 0;
    return [this, count, after, what = command == "drop" ? Mishap::kLost : Mishap::kDoubled,
            p = parse_mad_pattern(subnet, two ? pattern : before)] {
      core_.mishaps().add(what, p, count, after);
      return std::string();
    };
  }
  if (command == "report") return [this] { return report(); };
  if (command == "help" || command == "Help" || command == "?")
    return [] { return std::string(kHelp); };
  if (command == "quit" || command == "Quit")
    return [this] {
      quit_ = true;
      return std::string();
    };
  if (const auto more = more_.find(command); more != more_.end()) return more->second(rest);
  if (command == "wait")
    throw InputError("only a script waits", fmt::format("'{}'", line), "write it into --script");
  if (command == "traffic")
    throw InputError("there is no traffic without --clock manager", fmt::format("'{}'", line),
                     "start the emulator with --clock manager");
  return parse_ibsim(command, rest);
}

Console::Action Console::parse_flap(std::string_view rest) {
  EmulatedSubnet& subnet = core_.subnet();
  std::string_view before, link;
  const std::uint64_t times = whole(last_word(rest, before), "number of times", kMostFlaps);
  const Nanoseconds period = milliseconds(last_word(before, link), kMostFlapMilliseconds);
  return [this, &subnet, links = subnet.find_links(link), times, period] {
    for (std::uint64_t i = 0; i < 2 * times; ++i)
      at(core_.now() + static_cast<std::int64_t>(i) * period,
         [this, &subnet, links, down = i % 2 == 0] {
           for (const PortAt end : links) down ? subnet.cut(end) : subnet.heal(end);
           core_.subnet_changed();
           return std::string();
         });
    return std::string();
  };
}

Console::Action Console::parse_ibsim(std::string_view command, std::string_view rest) {
  std::string lower(command);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  EmulatedSubnet& subnet = core_.subnet();
  if (lower == "dump") {
    const NodeId only = rest.empty() ? kNoNode : node_named(subnet, parse_place(rest).name, false);
    return [this, only] { return dump(only); };
  }
  const bool unlink = lower == "unlink" || lower == "clear";
  if (!unlink && lower != "relink" && lower != "error") {
    static const std::vector<std::string> known = {
        "cut",  "heal", "kill",    "revive", "flap",   "loss",  "drop", "double", "report",
        "help", "quit", "traffic", "Unlink", "ReLink", "Error", "Dump", "Clear"};
    const std::string_view meant = nearest(command, known);
    throw InputError("no such command", fmt::format("'{}'", command),
                     meant.empty() ? "type help" : fmt::format("did you mean {}?", meant));
  }
  const NamedPlace place = parse_place(rest);
  const NodeId n = node_named(subnet, place.name, false);
  std::optional<PortNum> port;
  if (place.port) {
    port = static_cast<PortNum>(*place.port);
    if (!subnet.exists({n, *port}) || (lower != "error" && !subnet.cabled({n, *port})))
      throw InputError("there is no cable at this port", fmt::format("'{}'", rest),
                       "name a port with a cable");
  }
  if (lower == "error") {
    std::string_view more;
    const auto percent =
        static_cast<unsigned>(number(first_word(place.rest, more), "share in percent", 0, 100));
    std::uint16_t attribute = 0;
    if (!more.empty())
      attribute = parse_mad_pattern(subnet, fmt::format("any:{}", more)).attribute.value_or(0);
    return [this, n, port, percent, attribute] {
      core_.mishaps().set_error(n, port, percent, attribute);
      return std::string();
    };
  }
  std::vector<PortAt> ends;
  for (unsigned p = 1; p <= subnet.agent(n).num_ports(); ++p)
    if (const PortAt end{n, static_cast<PortNum>(p)}; subnet.cabled(end) && (!port || *port == p))
      ends.push_back(end);
  return [this, &subnet, ends, unlink] {
    for (const PortAt end : ends) unlink ? subnet.cut(end) : subnet.heal(end);
    core_.subnet_changed();
    return std::string();
  };
}

std::string Console::run(std::string_view line) {
  try {
    return parse(line)() + "ok\n";
  } catch (const Error& error) {
    return fmt::format("error: {}\n", error.what());
  }
}

void Console::on_time() {
  while (true) {
    if (waiting_ != nullptr && waiting_->there()) {
      waiting_ = nullptr;
      begin_part();
    }
    if (schedule_.empty() || schedule_.begin()->first > core_.now()) return;
    const Action action = std::move(schedule_.begin()->second);
    schedule_.erase(schedule_.begin());
    action();
  }
}

void Console::schedule_script(const std::string& text, const std::string& where) {
  std::string_view left = text;
  for (unsigned line = 1; !left.empty(); ++line) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    const std::string_view words = trim(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
    if (words.empty() || words.front() == '#') continue;
    std::string_view command;
    try {
      const Nanoseconds time = milliseconds(first_word(words, command), kMostMilliseconds);
      std::string_view what;
      if (first_word(command, what) == "wait")
        script_.push_back({time, {}, &wait_named(what)});
      else
        script_.push_back({time, parse(command), nullptr});
    } catch (const InputError& error) {
      throw InputError(error.problem(), fmt::format("{}, line {}: {}", where, line, error.where()),
                       error.remedy());
    }
  }
  begin_part();
}

const Console::Wait& Console::wait_named(std::string_view name) const {
  if (const auto found = waits_.find(name); found != waits_.end()) return found->second;
  std::vector<std::string_view> names;
  for (const auto& [known, wait] : waits_) names.push_back(known);
  throw InputError("there is no such thing to wait for", fmt::format("'wait {}'", name),
                   fmt::format("choose one of {}", fmt::join(names, ", ")));
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
  for (auto& more : more_numbers_()) numbers.push_back(std::move(more));
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

std::string Console::dump(NodeId only) const {
  static constexpr const char* kStates[] = {"-", "Down", "Init", "Armed", "Active"};
  const EmulatedSubnet& subnet = core_.subnet();
  std::string text;
  for (NodeId n = 0; n < subnet.num_nodes(); ++n) {
    if (only != kNoNode && only != n) continue;
    const Sma& agent = subnet.agent(n);
    text += fmt::format("{} {} \"{}\" nodeguid {:x}{}\n", agent.is_switch() ? "Switch" : "Ca",
                        agent.num_ports(), subnet.name(n), agent.model().guid,
                        subnet.running(n) ? "" : " off");
    for (unsigned p = agent.is_switch() ? 0 : 1; p <= agent.num_ports(); ++p) {
      const PortAt at{n, static_cast<PortNum>(p)};
      const PortAttributes& port = agent.port(at.port);
      text += fmt::format("[{}]", p);
      if (subnet.cabled(at))
        text += fmt::format(" \"{}\"[{}]{}", subnet.name(subnet.peer(at).node),
                            subnet.peer(at).port, subnet.is_cut(at) ? " cut" : "");
      if (p == 0 || !agent.is_switch())
        text += fmt::format(" lid {} lmc {} smlid {}", port.lid(), port.lmc(), port.sm_lid());
      text += fmt::format(
          " {}\n", kStates[std::min<std::size_t>(static_cast<std::size_t>(port.state()), 4)]);
    }
  }
  return text;
}

}  // namespace selvedge::sim
