// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/engines/balance_options.hpp"

#include <fmt/format.h>

#include <boost/unordered/unordered_flat_map.hpp>
#include <utility>

#include "plugin/fabric/connected.hpp"

namespace selvedge {
namespace {

/// Counts lines of a file whose GUID or port the fabric does not have.
struct Missing {
  std::size_t count = 0;
  Guid guid = 0;
  std::uint32_t line = 0;

  void add(Guid missing, std::uint32_t at) {
    if (count++ == 0) guid = missing, line = at;
  }
  std::string describe(std::size_t of, std::string_view what, const std::string& path) const {
    if (count == 0) return "";
    return fmt::format("{} of {} {} in this fabric, the first 0x{:016x}: {}:{}", count, of, what,
                       guid, path, line);
  }
};

/// Per channel of a switch: `value(line)` for ports in the file, `otherwise` for all others. Empty
/// if the fabric has none of the file's ports.
template <class Value>
std::vector<std::uint8_t> per_channel(const PortFile& file, const Fabric& fabric,
                                      std::uint8_t otherwise, Value value, std::string& unknown) {
  std::vector<std::uint8_t> result(fabric.num_switch_channels(), otherwise);
  Missing missing;
  for (const PortFile::Line& line : file.lines) {
    const SwitchId s = fabric.find_switch(line.guid);
    if (s == kNoSwitch || line.port > fabric.node(s).ports)
      missing.add(line.guid, line.number);
    else
      result[fabric.channel(s, line.port)] = value(line);
  }
  unknown = missing.describe(file.lines.size(), "lines name a port that no switch has", file.path);
  return missing.count == file.lines.size() ? std::vector<std::uint8_t>{} : result;
}

std::vector<HostId> in_order(const GuidFile& file, const Fabric& fabric, std::string& unknown) {
  boost::unordered_flat_map<Guid, HostId> hosts;
  for (HostId h = 0; h < fabric.num_hosts(); ++h) hosts.emplace(fabric.host(h).guid, h);
  std::vector<HostId> order;
  Missing missing;
  for (const GuidFile::Line& line : file.lines) {
    if (const auto found = hosts.find(line.guid); found != hosts.end())
      order.push_back(found->second);
    else
      missing.add(line.guid, line.number);
  }
  unknown = missing.describe(file.lines.size(), "GUIDs are of no host's port", file.path);
  return order;
}

}  // namespace

BalanceOptions find(const BalanceFiles& files, const Fabric& fabric, UnknownInBalance& unknown) {
  BalanceOptions options;
  unknown = {};
  if (files.order) options.first = in_order(*files.order, fabric, unknown.order);
  if (files.weights)
    options.weight = per_channel(
        *files.weights, fabric, 1, [](const PortFile::Line& line) { return line.weight; },
        unknown.weights);
  if (files.ignored)
    options.ignored = per_channel(
        *files.ignored, fabric, 0, [](const PortFile::Line&) { return std::uint8_t{1}; },
        unknown.ignored);
  return options;
}

void avoid(std::span<const PortName> cables, const Fabric& fabric, BalanceOptions& options) {
  Fault avoided;
  for (const PortName& name : cables) {
    const SwitchId s = fabric.find_switch(name.guid);
    if (s == kNoSwitch || name.port == 0 || name.port > fabric.node(s).ports) continue;
    const Channel c = fabric.channel(s, name.port);
    if (fabric.between_switches(c)) avoided.links.push_back(c);
  }
  if (avoided.empty()) return;
  if (connected_parts(without(fabric, avoided)) == connected_parts(fabric)) {
    options.avoided = std::move(avoided);
    return;
  }
  if (options.weight.empty()) options.weight.assign(fabric.num_switch_channels(), 1);
  for (const Channel c : avoided.links)
    options.weight[c] = options.weight[fabric.peer(c)] = kAvoided;
}

}  // namespace selvedge
