// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Which GIDs of a RoCE port serve as paths. Each IP address of the network device is a GID. Path i
// has the i-th chosen GID as source, and as destination the peer's GID nearest to it. So addresses
// of the same subnet are paired, whatever the order in which they were configured.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "daemon/transport/announcement.hpp"

namespace selvedge::transport {

struct GidEntry {
  std::uint32_t index = 0;
  Gid gid{};
  bool roce_v2 = true;
};

/// A link-local IPv6 address (fe80::/10).
bool link_local(const Gid& gid);
/// An IPv4 address (::ffff:0:0/96).
bool ipv4(const Gid& gid);
/// The usual notation: 10.0.1.1 or 2001:db8::1.
std::string to_string(const Gid& gid);

/// At most kPathsMax GIDs: the routable ones of RoCE v2; if there are none, the link-local ones of
/// RoCE v2; if there are none, those of RoCE v1. In the given order, without duplicates.
std::vector<GidEntry> choose_gids(std::span<const GidEntry> entries);

/// The index in `theirs` of the destination GID of path `path` from `own`: the longest common
/// prefix, GIDs of the same family first; paths rotate over equal ones. `theirs` is not empty.
std::size_t nearest_gid(const Gid& own, std::span<const Gid> theirs, unsigned path);

/// The source address of a received packet, from the 40 bytes before it: RoCE v2 over IPv4 has its
/// IP header after 20 unused bytes (IBTA annex A17 §17.4.5.1), all else has a GRH.
Gid source_gid(protocol::Bytes grh);

}  // namespace selvedge::transport
