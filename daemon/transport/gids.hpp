// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// These functions choose the GIDs of a RoCE port that serve as the ends of paths. Each IP address
// of the network device is a GID. The source of path i is the i-th chosen GID; its destination is
// the peer's GID with the longest common prefix. So addresses of the same subnet are paired,
// whatever the order in which they were configured.
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

/// Whether the GID is a link-local IPv6 address (fe80::/10).
bool link_local(const Gid& gid);
/// Whether the GID is an IPv4 address (::ffff:0:0/96).
bool ipv4(const Gid& gid);
/// The usual notation of an IP address: 10.0.1.1 or 2001:db8::1.
std::string to_string(const Gid& gid);

/// Chooses at most kPathsMax GIDs: the routable ones of RoCE v2; if there are none, the link-local
/// ones of RoCE v2; if there are none either, those of RoCE v1. They keep their order, without
/// duplicates.
std::vector<GidEntry> choose_gids(std::span<const GidEntry> entries);

/// The index in `theirs` of the destination of path `path` from `own`. It has the longest common
/// prefix; GIDs of the same family (IPv4 or IPv6) come first. Paths rotate over equally good ones.
/// `theirs` is not empty.
std::size_t nearest_gid(const Gid& own, std::span<const Gid> theirs, unsigned path);

/// The source address of a received packet, read from the 40 bytes before the packet. RoCE v2 over
/// IPv4 has its IP header there after 20 unused bytes (IBTA annex A17 §17.4.5.1); all others have a
/// GRH.
Gid source_gid(protocol::Bytes grh);
/// Whether the IP header of such a packet bears a mark of congestion (CE, RFC 3168).
bool congestion_marked(protocol::Bytes grh);

}  // namespace selvedge::transport
