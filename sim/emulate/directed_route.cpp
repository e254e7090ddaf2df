// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/directed_route.hpp"

namespace selvedge::sim {
namespace {

using Next = DirectedStep::Next;

DirectedStep out_of(PortNum port, bool is_switch, PortNum own) {
  // An adapter sends only by the port at which the SMP is; a switch never sends by its port 0.
  if (is_switch ? port == 0 : port != own) return {};
  return {Next::kOut, port, 0};
}

/// The step at the node where the directed part of the route begins (IBA 1.3, C14-9).
DirectedStep enter(Mad& mad, bool is_switch, PortNum own) {
  if (mad.hop_count() == 0) {
    mad.set_hop_pointer(1);
    if (mad.directed_dlid() == kPermissiveLid) return {Next::kDeliver, 0, 0};
    return {Next::kByLid, 0, mad.directed_dlid()};
  }
  mad.set_hop_pointer(1);
  return out_of(mad.initial_path(1), is_switch, own);
}

DirectedStep onward(Mad& mad, bool is_switch, PortNum arrival, bool begins, bool at_lid) {
  const unsigned hop = mad.hop_pointer(), count = mad.hop_count();
  if (begins) {
    if (hop != 0) return {};
    // The route begins with a LID-routed part; its directed part begins where that ends.
    if (mad.directed_slid() != kPermissiveLid && !at_lid) return {Next::kByLid, 0, 0};
    return enter(mad, is_switch, arrival);
  }
  if (hop == 0) return at_lid ? enter(mad, is_switch, arrival) : DirectedStep{};
  if (hop < count) {
    if (!is_switch || at_lid) return {};
    mad.return_path(hop) = arrival;
    mad.set_hop_pointer(hop + 1);
    return out_of(mad.initial_path(hop + 1), true, arrival);
  }
  if (hop == count) {
    if (at_lid) return {};
    mad.return_path(hop) = arrival;
    mad.set_hop_pointer(hop + 1);
    if (mad.directed_dlid() == kPermissiveLid) return {Next::kDeliver, 0, 0};
    return is_switch ? DirectedStep{Next::kByLid, 0, mad.directed_dlid()} : DirectedStep{};
  }
  // The LID-routed part after the directed one ends here.
  return hop == count + 1 && at_lid ? DirectedStep{Next::kDeliver, 0, 0} : DirectedStep{};
}

/// The step at a node on the way back (IBA 1.3, C14-13).
DirectedStep leave(Mad& mad, bool is_switch, PortNum own) {
  const unsigned hop = mad.hop_pointer() - 1U;
  mad.set_hop_pointer(hop);
  if (hop != 0) return out_of(mad.return_path(hop), is_switch, own);
  if (mad.directed_slid() == kPermissiveLid) return {Next::kDeliver, 0, 0};
  return {Next::kByLid, 0, mad.directed_slid()};
}

DirectedStep back(Mad& mad, bool is_switch, PortNum arrival, bool begins, bool at_lid) {
  const unsigned hop = mad.hop_pointer(), count = mad.hop_count();
  if (begins) {
    if (hop != count + 1) return {};
    if (mad.directed_dlid() == kPermissiveLid || at_lid) return leave(mad, is_switch, arrival);
    return {Next::kByLid, 0, 0};
  }
  if (hop == count + 1) return at_lid ? leave(mad, is_switch, arrival) : DirectedStep{};
  if (hop >= 2 && hop <= count)
    return is_switch && !at_lid ? leave(mad, true, arrival) : DirectedStep{};
  if (hop == 1) {
    if (at_lid) return {};
    return leave(mad, is_switch, arrival);
  }
  return at_lid ? DirectedStep{Next::kDeliver, 0, 0} : DirectedStep{};
}

}  // namespace

DirectedStep directed_step(Mad& mad, bool is_switch, PortNum arrival, bool begins, bool at_lid) {
  if (mad.hop_count() > kMaxHops || mad.hop_pointer() > mad.hop_count() + 1) return {};
  return mad.returning() ? back(mad, is_switch, arrival, begins, at_lid)
                         : onward(mad, is_switch, arrival, begins, at_lid);
}

}  // namespace selvedge::sim
