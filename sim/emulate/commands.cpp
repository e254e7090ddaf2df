// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The console's commands.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/in_quotes.hpp"
#include "sim/emulate/console.hpp"
#include "sim/emulate/words.hpp"

namespace selvedge::sim {
namespace {

constexpr double kMostMads = 1e9, kMostFlapMilliseconds = 1e5, kMostFlaps = 1e4;

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
    "wait subnet-up [SECONDS]    until the SA answers, at most so long (60)\n"
    "wait paths [SECONDS]        hosts ask for their paths, until all are known. A script waits\n"
    "                            without a limit, and times of its lines below count from then\n"
    "Unlink, ReLink, Clear, Error, Dump   as in ibsim: Unlink \"S-0-0\"[2]\n"
    "quit\n";

}  // namespace

void Console::add_commands() {
  const auto cables = [this](bool cut) {
    return [this, cut](std::string_view rest) {
      return change_cables(core_.subnet().find_links(rest), cut);
    };
  };
  add_command("cut", cables(true));
  add_command("heal", cables(false));
  add_command("kill", [this](std::string_view rest) {
    return change([n = switch_named(core_.subnet(), rest)](EmulatedSubnet& s) { s.kill(n); });
  });
  add_command("revive", [this](std::string_view rest) {
    return change(
        [this, n = switch_named(core_.subnet(), rest)](EmulatedSubnet&) { core_.revive(n); });
  });
  add_command("flap", [this](std::string_view rest) { return parse_flap(rest); });
  add_command("loss", [this](std::string_view rest) { return parse_loss(rest); });
  add_command("drop", [this](std::string_view rest) { return parse_mishap(rest, Mishap::kLost); });
  add_command("double",
              [this](std::string_view rest) { return parse_mishap(rest, Mishap::kDoubled); });
  add_command("report", [this](std::string_view rest) -> Action {
    no_more(rest, "report");
    return [this] { return report(); };
  });
  for (const char* name : {"help", "?"})
    add_command(name, [](std::string_view rest) -> Action {
      no_more(rest, "help");
      return [] { return std::string(kHelp); };
    });
  add_command("quit", [this](std::string_view rest) -> Action {
    no_more(rest, "quit");
    return [this] {
      quit_ = true;
      return std::string();
    };
  });
  add_command("traffic", [](std::string_view rest) -> Action {
    throw InputError("there is no traffic without --clock manager",
                     in_quotes(fmt::format("traffic {}", rest)),
                     "start the emulator with --clock manager");
  });
}

void Console::add_ibsim_commands() {
  for (const auto& [name, cut] : {std::pair{"Unlink", true}, {"Clear", true}, {"ReLink", false}})
    add_command(name, [this, name = std::string_view(name), cut = cut](std::string_view rest) {
      return parse_ibsim_cables(rest, name, cut);
    });
  add_command("Error", [this](std::string_view rest) { return parse_ibsim_error(rest); });
  add_command("Dump", [this](std::string_view rest) { return parse_dump(rest); });
}

// --- Faults

Console::Action Console::change(std::function<void(EmulatedSubnet&)> what) {
  return [this, what = std::move(what)] {
    what(core_.subnet());
    core_.subnet_changed();
    return std::string();
  };
}

Console::Action Console::change_cables(std::vector<PortAt> ends, bool cut) {
  return change([ends = std::move(ends), cut](EmulatedSubnet& subnet) {
    for (const PortAt end : ends) cut ? subnet.cut(end) : subnet.heal(end);
  });
}

Console::Action Console::parse_flap(std::string_view rest) {
  std::string_view before, link;
  const std::uint64_t times = whole(last_word(rest, before), "number of times", kMostFlaps);
  const Nanoseconds period = milliseconds(last_word(before, link), kMostFlapMilliseconds);
  return [this, ends = core_.subnet().find_links(link), times, period] {
    flap(ends, core_.now(), period, 0, 2 * times);
    return std::string();
  };
}

/// Executes steps `step` … `steps` − 1, step i at begin + i · period: even ones cut the cables, odd
/// ones restore them. Each step schedules the next.
void Console::flap(const std::vector<PortAt>& ends, Nanoseconds begin, Nanoseconds period,
                   std::uint64_t step, std::uint64_t steps) {
  if (step == steps) return;
  at(begin + static_cast<std::int64_t>(step) * period, [=, this] {
    change_cables(ends, step % 2 == 0)();
    flap(ends, begin, period, step + 1, steps);
    return std::string();
  });
}

Console::Action Console::parse_loss(std::string_view rest) {
  std::string_view link;
  const double share = number(last_word(rest, link), "share", 0, 1);
  return [this, ends = core_.subnet().find_links(link), share] {
    for (const PortAt end : ends) core_.subnet().set_loss(end, share);
    return std::string();
  };
}

/// Parses what follows `drop` and `double`: PATTERN N [AFTER]. It is read from the end, since a
/// pattern may name a node with spaces.
Console::Action Console::parse_mishap(std::string_view rest, Mishap what) {
  std::string_view before, pattern;
  const std::string_view last = last_word(rest, before);
  const std::string_view other = last_word(before, pattern);
  const bool two = !pattern.empty() && is_digits(other);
  const std::uint64_t count = whole(two ? other : last, "count", kMostMads);
  const std::uint64_t after = two ? whole(last, "count", kMostMads) : 0;
  return [this, count, after, what, p = parse_mad_pattern(core_.subnet(), two ? pattern : before)] {
    core_.mishaps().add(what, p, count, after);
    return std::string();
  };
}

// --- As in ibsim

/// Parses what follows ibsim's Unlink, Clear and ReLink: "node" for all cables of a node, or
/// "node"[port] for one.
Console::Action Console::parse_ibsim_cables(std::string_view rest, std::string_view command,
                                            bool cut) {
  const EmulatedSubnet& subnet = core_.subnet();
  const NamedPlace place = parse_place(rest);
  no_more(place.rest, command);
  const NodeId n = node_named(subnet, place.name);
  std::vector<PortAt> ends;
  for (unsigned p = 1; p <= subnet.agent(n).num_ports(); ++p)
    if (const PortAt end{n, static_cast<PortNum>(p)};
        subnet.cabled(end) && place.port.value_or(p) == p)
      ends.push_back(end);
  if (place.port && ends.empty())
    throw InputError("there is no cable at this port", in_quotes(rest), "name a port with a cable");
  return change_cables(std::move(ends), cut);
}

/// Parses what follows ibsim's Error: "node"[port] PERCENT [ATTRIBUTE].
Console::Action Console::parse_ibsim_error(std::string_view rest) {
  const EmulatedSubnet& subnet = core_.subnet();
  const NamedPlace place = parse_place(rest);
  const NodeId n = node_named(subnet, place.name);
  std::optional<PortNum> port;
  if (place.port) port = static_cast<PortNum>(*place.port);
  if (port && !subnet.exists({n, *port}))
    throw InputError("there is no such port", in_quotes(rest), "name a port of the node");
  std::string_view attribute;
  const auto percent =
      static_cast<unsigned>(number(first_word(place.rest, attribute), "share in percent", 0, 100));
  const std::uint16_t only =
      attribute.empty()
          ? std::uint16_t{0}
          : parse_mad_pattern(subnet, fmt::format("any:{}", attribute)).attribute.value_or(0);
  return [this, n, port, percent, only] {
    core_.mishaps().set_error(n, port, percent, only);
    return std::string();
  };
}

Console::Action Console::parse_dump(std::string_view rest) {
  NodeId only = kNoNode;
  if (!rest.empty()) {
    const NamedPlace place = parse_place(rest);
    no_more(place.port ? rest.substr(rest.rfind('[')) : place.rest, "Dump");
    only = node_named(core_.subnet(), place.name);
  }
  return [this, only] { return dump(only); };
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
