// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/naming.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <charconv>
#include <optional>

#include "base/error.hpp"

namespace selvedge {
namespace {

std::optional<Guid> parse_guid(std::string_view text) {
  constexpr int kHex = 16;
  if (!text.starts_with("0x")) return {};
  text.remove_prefix(2);
  Guid guid = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), guid, kHex);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return guid;
}

std::string guid_text(Guid guid) { return fmt::format("0x{:016x}", guid); }

/// The host at a switch port: the host that is cabled to the port, else the one that was cabled to
/// it before its cable failed.
HostId at_port(const Fabric& fabric, std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return kNoHost;
  const std::string_view digits = text.substr(colon + 1);
  unsigned port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc{} || end != digits.data() + digits.size()) return kNoHost;
  const SwitchId s = name_switch(fabric, text.substr(0, colon));
  if (s == kNoSwitch || port == 0 || port > fabric.node(s).ports) return kNoHost;
  const Channel there = fabric.peer(fabric.channel(s, static_cast<PortNum>(port)));
  if (there != kNoChannel) return fabric.from_switch(there) ? kNoHost : fabric.host_of(there);
  for (HostId h = 0; h < fabric.num_hosts(); ++h)
    if (fabric.host(h).at == s && fabric.host(h).port == port) return h;
  return kNoHost;
}

/// The most names that a message lists; hundreds of hosts may have one name.
constexpr std::size_t kListed = 4;

[[noreturn]] void refuse_host(const Fabric& fabric, std::string_view text,
                              const std::vector<HostId>& hosts) {
  const Labels labels(fabric);
  std::string names;
  for (std::size_t i = 0; i < std::min(hosts.size(), kListed); ++i)
    names += (i == 0 ? "" : ", ") + labels.of_host(hosts[i]);
  if (hosts.size() > kListed) names += ", …";
  throw InputError(fmt::format("{} hosts have this name ({})", hosts.size(), names),
                   fmt::format("'{}'", text),
                   "name the one you mean by its switch and port, or by its port's GUID");
}

std::string label_of(const Host& host, const std::string& at) {
  if (host.at != kNoSwitch && host.port != 0) return fmt::format("{}:{}", at, host.port);
  return host.guid != 0 ? guid_text(host.guid) : host.name;
}

}  // namespace

SwitchId name_switch(const Fabric& fabric, std::string_view text) {
  SwitchId first = kNoSwitch;
  std::size_t count = 0;
  std::string guids;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
    if (fabric.node(s).name != text) continue;
    if (count == 0) first = s;
    if (count++ < kListed) guids += (guids.empty() ? "" : ", ") + guid_text(fabric.node(s).guid);
  }
  if (count == 0) {
    const std::optional<Guid> guid = parse_guid(text);
    return guid ? fabric.find_switch(*guid) : kNoSwitch;
  }
  if (count == 1) return first;
  if (count > kListed) guids += ", …";
  throw InputError(fmt::format("{} switches have this name ({})", count, guids),
                   fmt::format("'{}'", text), "name the one you mean by its GUID");
}

HostId name_host(const Fabric& fabric, std::string_view text) {
  std::vector<HostId> hosts;
  for (HostId h = 0; h < fabric.num_hosts(); ++h)
    if (fabric.host(h).name == text) hosts.push_back(h);
  if (const std::optional<Guid> guid = parse_guid(text); hosts.empty() && guid && *guid != 0) {
    for (HostId h = 0; h < fabric.num_hosts(); ++h) {
      if (fabric.host(h).guid == *guid) return h;
      if (fabric.host(h).node_guid == *guid) hosts.push_back(h);
    }
  }
  if (hosts.size() > 1) refuse_host(fabric, text, hosts);
  return hosts.empty() ? at_port(fabric, text) : hosts[0];
}

Labels::Labels(const Fabric& fabric) {
  boost::unordered_flat_map<std::string_view, unsigned> switches, hosts;
  for (const Switch& s : fabric.switches()) ++switches[s.name];
  for (const Host& h : fabric.hosts()) ++hosts[h.name];
  switches_.reserve(fabric.num_switches());
  hosts_.reserve(fabric.num_hosts());
  for (const Switch& s : fabric.switches())
    switches_.push_back(switches[s.name] == 1 || s.guid == 0 ? s.name : guid_text(s.guid));
  for (const Host& h : fabric.hosts()) {
    const std::string none;
    const std::string& at = h.at == kNoSwitch ? none : switches_[h.at];
    hosts_.push_back(hosts[h.name] == 1 ? h.name : label_of(h, at));
  }
}

std::string switch_label(const Fabric& fabric, SwitchId s) {
  const Switch& node = fabric.node(s);
  return node.guid == 0 || std::ranges::count(fabric.switches(), node.name, &Switch::name) == 1
             ? node.name
             : guid_text(node.guid);
}

std::string host_label(const Fabric& fabric, HostId h) {
  const Host& host = fabric.host(h);
  if (std::ranges::count(fabric.hosts(), host.name, &Host::name) == 1) return host.name;
  return label_of(host, host.at == kNoSwitch ? "" : switch_label(fabric, host.at));
}

}  // namespace selvedge
