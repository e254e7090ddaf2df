// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What the administrator says about the lengths of paths and their balance, in OpenSM's files
// guid_routing_order_file, hop_weights_file and port_prof_ignore_file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plugin/fabric/fabric.hpp"
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

  bool empty() const { return weight.empty() && ignored.empty() && first.empty(); }
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

}  // namespace selvedge
