// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What the administrator says about the lengths of paths and their balance, in OpenSM's files
// guid_routing_order_file, hop_weights_file and port_prof_ignore_file, and by
// avoid_throttled_links.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plugin/fabric/fabric.hpp"
#include "plugin/fabric/fault.hpp"
#include "plugin/fabric/guid_file.hpp"
#include "plugin/fabric/port_file.hpp"

namespace selvedge {

struct BalanceOptions {
  /// Per channel between switches: how many hops it counts as in the length of a path, 1…255.
  /// Empty: 1 each.
  std::vector<std::uint8_t> weight;
  /// Per channel between switches: 1 if paths over it do not count in its load. Empty: all count.
  std::vector<std::uint8_t> ignored;
  /// Hosts whose LIDs are routed before all others, in this order.
  std::vector<HostId> first;
  /// Cables that no path takes, without which the same switches are connected.
  Fault avoided;

  bool empty() const {
    return weight.empty() && ignored.empty() && first.empty() && avoided.empty();
  }
  friend bool operator==(const BalanceOptions&, const BalanceOptions&) = default;
};

/// The contents of OpenSM's guid_routing_order_file, hop_weights_file and port_prof_ignore_file, as
/// far as given. GUIDs remain valid if the fabric changes, ids do not.
struct BalanceFiles {
  std::optional<GuidFile> order;  // GUIDs of hosts' ports
  std::optional<PortFile> weights, ignored;
  friend bool operator==(const BalanceFiles&, const BalanceFiles&) = default;
};

/// A message for each file with GUIDs or ports that this fabric does not have: "2 of 11 GUIDs are
/// of no host's port in this fabric, the first 0x…: FILE:LINE". Empty: all exist.
struct UnknownInBalance {
  std::string order, weights, ignored;
};

/// Translates the files' GUIDs and ports to ids of the fabric. Values at ports that lead to no
/// switch have no effect, because no path has a choice there.
BalanceOptions find(const BalanceFiles& files, const Fabric& fabric, UnknownInBalance& unknown);

/// A port of a switch, by names that remain valid if the fabric changes.
struct PortName {
  Guid guid = 0;
  PortNum port = 0;
  friend bool operator==(const PortName&, const PortName&) = default;
};

/// The weight of a cable that is to be avoided but cannot be left out.
inline constexpr std::uint8_t kAvoided = 255;

/// Makes paths avoid these cables between switches. If the same switches are connected without
/// them, no path takes them; otherwise both directions count as kAvoided hops. Names that the
/// fabric does not have are ignored.
void avoid(std::span<const PortName> cables, const Fabric& fabric, BalanceOptions& options);

}  // namespace selvedge
