// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Names of switches and hosts in input and in output. Node descriptions need not be unique: two
// switches straight from the factory have the same one, and so do the aggregation nodes of all
// switches and the two ports of an adapter. A GUID is unique and always accepted. A host can also
// be named by the switch port that it is cabled to: `leaf-01:65`.
//
// A label is a name that is printed. Every label is accepted as input: name_host(fabric,
// host_label(fabric, h)) is h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

/// The switch with this name or, if no switch has the name, with this GUID (`0x` and up to 16 hex
/// digits). Returns kNoSwitch if there is none, because only the caller knows what else the text
/// may be and what to report. Throws InputError, with a list of GUIDs, if several switches have the
/// name.
SwitchId name_switch(const Fabric& fabric, std::string_view text);

/// The host with this description. Else the host with this GUID: the port's, or the adapter's if
/// that has one cabled port. Else the host at this switch port, `SWITCH:PORT`, with the switch's
/// name or GUID. Returns kNoHost if there is none. Throws InputError if several hosts have the
/// description or the adapter's GUID, or if name_switch() throws; the message lists names to choose
/// from.
HostId name_host(const Fabric& fabric, std::string_view text);

/// The labels of all nodes of a fabric, made once, for callers that print many.
class Labels {
 public:
  explicit Labels(const Fabric& fabric);
  /// The switch's description if no other switch has the same, or if the switch has no GUID; else
  /// its GUID as 0x….
  const std::string& of_switch(SwitchId s) const { return switches_[s]; }
  /// The host's description if no other host has the same, else "leaf-01:65"; its GUID as 0x… if no
  /// switch port is known.
  const std::string& of_host(HostId h) const { return hosts_[h]; }

 private:
  std::vector<std::string> switches_, hosts_;
};

/// A single label, in O(switches) or O(switches + hosts) time.
std::string switch_label(const Fabric& fabric, SwitchId s);
std::string host_label(const Fabric& fabric, HostId h);

}  // namespace selvedge
