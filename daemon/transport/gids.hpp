// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Which of a RoCE port's addresses are paths. Each IP address of the network device is a GID; path
// i leaves with the i-th that is chosen here and goes to the peer's address that is nearest to it,
// so that addresses in the same subnet meet whatever order they were given in.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "daemon/transport/introduction.hpp"

namespace selvedge::transport {

struct GidEntry {
  std::uint32_t index = 0;
  Gid gid{};
  bool roce_v2 = true;
};

/// An IPv6 address of one link only (fe80::/10).
bool link_local(const Gid& gid);
/// An IPv4 address (::ffff:0:0/96).
bool ipv4(const Gid& gid);
/// As addresses are written: 10.0.1.1 or 2001:db8::1.
std::string to_string(const Gid& gid);

/// At most kPathsMax of them: those of RoCE v2 that routers pass on; only when there are none,
/// those of one link, and only then those of RoCE v1. In their order, the same address once.
std::vector<GidEntry> choose_gids(std::span<const GidEntry> entries);

/// The place in `theirs` of the GID that path `path` from `own` goes to: of the same family and
/// with the longest common prefix; among equals they take turns by the path. `theirs` is not empty.
std::size_t nearest_gid(const Gid& own, std::span<const Gid> theirs, unsigned path);

/// The address that a packet came from, from the 40 bytes before it: RoCE v2 over IPv4 leaves 20
/// bytes unused and puts the IP header after them (IBTA annex A17 §17.4.5.1), all else has a GRH.
Gid source_gid(protocol::Bytes grh);

}  // namespace selvedge::transport
