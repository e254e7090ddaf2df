// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Part of order.hpp: the switches next to a fault, and the names of methods and phases.
#include <algorithm>

#include "plugin/transition/order.hpp"

namespace selvedge {

using Kind = SendPhase::Kind;
using Method = SendPlan::Method;

std::vector<SwitchId> switches_at_fault(const Fabric& whole, const Fault& fault) {
  std::vector<SwitchId> ends;
  const auto add = [&](Channel c) {
    if (c != kNoChannel && whole.from_switch(c)) ends.push_back(whole.switch_of(c));
  };
  for (const Channel c : fault.links) {
    add(c);
    add(whole.peer(c));
  }
  for (const SwitchId s : fault.switches)
    for (const Channel c : whole.out(s)) add(whole.peer(c));
  std::ranges::sort(ends);
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

std::string_view name_of(SendPlan::Method method) {
  switch (method) {
    case Method::kNothing:
      return "nothing";
    case Method::kGuarded:
      return "guarded";
    case Method::kMixed:
      return "mixed";
    case Method::kDownstream:
      return "downstream";
    case Method::kCleared:
      return "cleared";
    case Method::kLossless:
      return "lossless";
    case Method::kWindow:
      return "window";
  }
  return "";
}

std::string_view name_of(SendPhase::Kind kind) {
  switch (kind) {
    case Kind::kForbid:
      return "forbid";
    case Kind::kClear:
      return "clear";
    case Kind::kPermit:
      return "permit";
    case Kind::kInstall:
      return "install";
    case Kind::kRemoveGroupPorts:
      return "remove group ports";
    case Kind::kAddGroupPorts:
      return "add group ports";
    case Kind::kAnnounceSls:
      return "announce SLs";
  }
  return "";
}

}  // namespace selvedge
