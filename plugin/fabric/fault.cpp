// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/fault.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.hpp"
#include "plugin/fabric/naming.hpp"

namespace selvedge {
namespace {

/// Parses `NAME:PORT`, split at the last colon. Returns kNoChannel if the text has another form or
/// no switch has the name. NAME is looked up only if a number follows, because the lookup throws
/// for a name that several switches have.
Channel parse_port(const Fabric& fabric, std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return kNoChannel;
  const std::string_view digits = text.substr(colon + 1);
  unsigned port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc{} || end != digits.data() + digits.size()) return kNoChannel;
  const SwitchId s = name_switch(fabric, text.substr(0, colon));
  if (s == kNoSwitch) return kNoChannel;
  if (port == 0 || port > fabric.node(s).ports)
    throw InputError(fmt::format("switch {} has no port {}", fabric.node(s).name, port),
                     std::string(text), fmt::format("its ports are 1 to {}", fabric.node(s).ports));
  const Channel c = fabric.channel(s, static_cast<PortNum>(port));
  if (fabric.peer(c) == kNoChannel)
    throw InputError("no cable is at this port", std::string(text),
                     "name a port that has one, or the two switches as A/B");
  return c;
}

/// Whether at least one switch has this name. (For a name that several switches have, name_switch()
/// would throw.)
bool names_some_switch(const Fabric& fabric, std::string_view text) {
  return fabric.find_switch(text) != kNoSwitch || name_switch(fabric, text) != kNoSwitch;
}

/// Parses `A/B`, split at the first slash with a switch name on both sides, because names may
/// contain slashes.
std::vector<Channel> parse_pair(const Fabric& fabric, std::string_view text) {
  for (std::size_t slash = text.find('/'); slash != std::string_view::npos;
       slash = text.find('/', slash + 1)) {
    const std::string_view left = text.substr(0, slash), right = text.substr(slash + 1);
    if (!names_some_switch(fabric, left) || !names_some_switch(fabric, right)) continue;
    const SwitchId a = name_switch(fabric, left), b = name_switch(fabric, right);
    std::vector<Channel> between;
    for (const Channel c : fabric.out(a))
      if (fabric.target(c) == b) between.push_back(c);
    if (between.empty())
      throw InputError("these switches are not neighbours", std::string(text),
                       "name two ends of one cable, or a port as SWITCH:PORT");
    return between;
  }
  return {};
}

}  // namespace

Fault parse_fault(const Fabric& fabric, const std::vector<std::string>& names) {
  Fault fault;
  for (const std::string& name : names) {
    if (const SwitchId s = name_switch(fabric, name); s != kNoSwitch) {
      fault.switches.push_back(s);
    } else if (const Channel c = parse_port(fabric, name); c != kNoChannel) {
      fault.links.push_back(c);
    } else if (const auto between = parse_pair(fabric, name); !between.empty()) {
      fault.links.insert(fault.links.end(), between.begin(), between.end());
    } else {
      throw InputError("no such switch or link in this fabric", "'" + name + "'",
                       "name a switch (S-0-0), a port (S-0-0:2) or two neighbours (S-0-0/S-0-1)");
    }
  }
  return fault;
}

std::string describe(const Fabric& fabric, const Fault& fault) {
  std::string text;
  const auto add = [&](const std::string& name) { text += (text.empty() ? "" : ", ") + name; };
  for (const SwitchId s : fault.switches) add("switch " + fabric.node(s).name);
  for (const Channel c : fault.links)
    add(fmt::format("{} – {}", fabric.port_name(c), fabric.port_name(fabric.peer(c))));
  return text;
}

Fault missing_from(const Fabric& other, const Fabric& fabric) {
  Fault missing;
  std::vector<SwitchId> there(fabric.num_switches());
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    if (fabric.node(s).failed) continue;
    there[s] = other.find_switch(fabric.node(s).guid);
    if (there[s] == kNoSwitch || other.node(there[s]).failed) {
      there[s] = kNoSwitch;
      missing.switches.push_back(s);
    }
  }
  const auto counterpart = [&](Channel c) {
    const SwitchId s = there[fabric.switch_of(c)];
    return fabric.port_of(c) <= other.node(s).ports ? other.channel(s, fabric.port_of(c))
                                                    : kNoChannel;
  };
  for (const Channel c : fabric.links()) {
    const Channel d = fabric.peer(c);
    if (there[fabric.switch_of(c)] == kNoSwitch || there[fabric.switch_of(d)] == kNoSwitch)
      continue;
    const Channel a = counterpart(c), b = counterpart(d);
    if (a == kNoChannel || b == kNoChannel || other.peer(a) != b) missing.links.push_back(c);
  }
  return missing;
}

Fabric without(Fabric fabric, const Fault& fault) {
  for (const Channel c : fault.links) fabric.unplug(c);
  for (const SwitchId s : fault.switches) {
    for (unsigned p = 1; p <= fabric.node(s).ports; ++p)
      fabric.unplug(fabric.channel(s, static_cast<PortNum>(p)));
    fabric.switches_[s].failed = true;
  }
  return fabric;
}

std::vector<Channel> rewired(const Fabric& before, const Fabric& after) {
  std::vector<Channel> changed;
  for (Channel c = 0; c < before.num_channels(); ++c)
    if (before.peer(c) != after.peer(c)) changed.push_back(c);
  return changed;
}

}  // namespace selvedge
