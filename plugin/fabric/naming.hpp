// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Names of switches and hosts in input and in output. Node descriptions need not be unique: two
// switches straight from the factory share one, and so do the aggregation nodes of all switches and
// the two ports of an adapter. A GUID is unique and always accepted. A host is also identified by
// the switch port that it is cabled to, `leaf-01:65`.
//
// Labels are accepted as names: name_host(fabric, host_label(fabric, h)) is h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

/// The switch of this name or, if no switch has the name, of this GUID (`0x` and up to 16 hex
/// digits). kNoSwitch if there is none: the caller knows what else the text may be, and writes the
/// message. Throws InputError if several switches have the name; it lists their GUIDs.
SwitchId name_switch(const Fabric& fabric, std::string_view text);

/// The host of this description; else the one of this GUID (of its port, or of its adapter if that
/// has one cabled port); else the one at this switch port, `SWITCH:PORT`, with the switch's name or
/// GUID. kNoHost if there is none. Throws InputError if several hosts have the description or the
/// adapter's GUID, and as name_switch does; it lists names to choose from.
HostId name_host(const Fabric& fabric, std::string_view text);

/// Labels of all nodes of a fabric: made once, for callers that print many.
class Labels {
 public:
  explicit Labels(const Fabric& fabric);
  /// Its description if no other switch has that, or if it has no GUID; else its GUID as 0x….
  const std::string& of_switch(SwitchId s) const { return switches_[s]; }
  /// Its description if no other host has it, else "leaf-01:65"; its GUID as 0x… if no switch port
  /// is known.
  const std::string& of_host(HostId h) const { return hosts_[h]; }

 private:
  std::vector<std::string> switches_, hosts_;
};

/// One label; O(switches), O(switches + hosts).
std::string switch_label(const Fabric& fabric, SwitchId s);
std::string host_label(const Fabric& fabric, HostId h);

}  // namespace selvedge
