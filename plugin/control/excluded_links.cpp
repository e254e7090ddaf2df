// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/excluded_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <system_error>

#include "base/error.hpp"

namespace selvedge {
namespace {

constexpr std::string_view kHead = "# What selvedge-route drained; undrain takes it out.\n";

struct Named {
  Guid guid = 0;
  PortNum port = 0;  // the cable at this port; 0: the switch itself
};

std::optional<Named> parse(std::string_view name) {
  Named named;
  if (!name.starts_with("0x")) return std::nullopt;
  const char* const end = name.data() + name.size();
  auto [at, bad] = std::from_chars(name.data() + 2, end, named.guid, 16);
  if (bad != std::errc{}) return std::nullopt;
  if (at == end) return named;
  unsigned port = 0;
  if (*at != ':') return std::nullopt;
  const auto [last, wrong] = std::from_chars(at + 1, end, port);
  if (wrong != std::errc{} || last != end || port == 0 || port > 254) return std::nullopt;
  named.port = static_cast<PortNum>(port);
  return named;
}

}  // namespace

ExcludedLinks::ExcludedLinks(std::string_view text, std::string where, Store store)
    : where_(std::move(where)), store_(std::move(store)) {
  std::istringstream in{std::string(text)};
  std::string line;
  for (unsigned number = 1; std::getline(in, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    if (parse(line))
      drained_.push_back(line);
    else
      fault_ = fmt::format(
          "'{}' is no switch GUID, nor GUID:PORT: {}:{}: correct the line, or "
          "remove it, and start opensm again",
          line, where_, number);
  }
}

ExcludedLinks ExcludedLinks::unreadable(std::string where, std::string fault) {
  ExcludedLinks links;
  links.where_ = std::move(where);
  links.fault_ = std::move(fault);
  return links;
}

void ExcludedLinks::require_readable() const {
  if (!fault_.empty())
    throw InputError("the list of drained links could not be read", where_, fault_);
}

void ExcludedLinks::save(const std::vector<std::string>& drained) const {
  if (!store_) return;
  std::string text(kHead);
  for (const std::string& name : drained) text += name + "\n";
  store_(text);
}

void ExcludedLinks::drain(const std::vector<std::string>& names) {
  require_readable();
  std::vector<std::string> more = drained_;
  for (const std::string& name : names)
    if (std::ranges::find(more, name) == more.end()) more.push_back(name);
  if (more == drained_) return;
  save(more);
  drained_ = std::move(more);
}

void ExcludedLinks::undrain(const std::vector<std::string>& names) {
  require_readable();
  std::vector<std::string> left = drained_;
  std::erase_if(
      left, [&](const std::string& name) { return std::ranges::find(names, name) != names.end(); });
  if (left == drained_) return;
  save(left);
  drained_ = std::move(left);
}

void ExcludedLinks::hold(const std::string& name, Instant until) {
  const auto found = std::ranges::find(held_, name, &Hold::name);
  if (found == held_.end())
    held_.push_back({name, until});
  else
    found->until = std::max(found->until, until);
}

bool ExcludedLinks::release(Instant now) {
  return std::erase_if(held_, [&](const Hold& h) { return h.until <= now; }) > 0;
}

std::vector<std::string> ExcludedLinks::held() const {
  std::vector<std::string> names;
  for (const Hold& h : held_) names.push_back(h.name);
  return names;
}

Fault ExcludedLinks::in(const Fabric& fabric) const {
  std::vector<std::string> names = held();
  names.insert(names.end(), drained_.begin(), drained_.end());
  return named_components(names, fabric);
}

Fault ExcludedLinks::named_components(const std::vector<std::string>& names, const Fabric& fabric) {
  Fault fault;
  for (const std::string& name : names) {
    const std::optional<Named> named = parse(name);
    const SwitchId s = named ? fabric.find_switch(named->guid) : kNoSwitch;
    if (s == kNoSwitch || fabric.node(s).failed) continue;
    if (named->port == 0) {
      fault.switches.push_back(s);
    } else if (named->port <= fabric.node(s).ports) {
      const Channel c = fabric.channel(s, named->port);
      if (fabric.peer(c) != kNoChannel) fault.links.push_back(c);
    }
  }
  return fault;
}

std::string ExcludedLinks::switch_name(const Fabric& fabric, SwitchId s) {
  return fmt::format("0x{:016x}", fabric.node(s).guid);
}

std::string ExcludedLinks::cable_name(const Fabric& fabric, Channel c) {
  const Channel d = fabric.peer(c);
  Channel end = c;
  if (fabric.from_switch(d) &&
      (!fabric.from_switch(c) ||
       fabric.node(fabric.switch_of(d)).guid < fabric.node(fabric.switch_of(c)).guid ||
       (fabric.switch_of(d) == fabric.switch_of(c) && d < c)))
    end = d;
  return fmt::format("{}:{}", switch_name(fabric, fabric.switch_of(end)), fabric.port_of(end));
}

std::string ExcludedLinks::describe_names(const Fabric& fabric,
                                          const std::vector<std::string>& names) {
  const auto text_of = [&](const std::string& name) -> std::string {
    const Fault fault = named_components({name}, fabric);
    if (!fault.empty()) return describe(fabric, fault);
    const std::optional<Named> named = parse(name);
    const SwitchId s = named ? fabric.find_switch(named->guid) : kNoSwitch;
    if (s == kNoSwitch) return name;
    if (named->port == 0) return describe(fabric, {.links = {}, .switches = {s}});
    return fmt::format("{}:{}", fabric.node(s).name, named->port);
  };
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + text_of(name);
  return text;
}

std::vector<std::string> ExcludedLinks::names_of(const Fabric& fabric, const Fault& fault) {
  std::vector<std::string> names;
  for (const SwitchId s : fault.switches) names.push_back(switch_name(fabric, s));
  for (const Channel c : fault.links) names.push_back(cable_name(fabric, c));
  return names;
}

}  // namespace selvedge
