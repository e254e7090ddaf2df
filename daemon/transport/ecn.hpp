// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The two bits of explicit congestion notification in an IPv4 header's type of service and an IPv6
// header's traffic class (RFC 3168).
#pragma once

namespace selvedge::transport {

/// ECT(0): switches may mark the packet rather than drop it.
inline constexpr int kEcnCapable = 2;
/// CE: a switch has marked it.
constexpr bool ecn_marked(unsigned traffic_class) { return (traffic_class & 3) == 3; }

}  // namespace selvedge::transport
