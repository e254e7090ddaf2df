// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/transport/gids.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "daemon/transport/ecn.hpp"

namespace selvedge::transport {
namespace {

/// Whether the 40 bytes before a packet have an IPv4 header as their last 20.
bool has_ipv4_header(protocol::Bytes grh) {
  return (std::to_integer<unsigned>(grh[0]) >> 4) != 6 &&
         (std::to_integer<unsigned>(grh[20]) >> 4) == 4;
}

}  // namespace

bool link_local(const Gid& gid) { return gid[0] == 0xfe && (gid[1] & 0xc0) == 0x80; }

bool ipv4(const Gid& gid) {
  static constexpr std::array<std::uint8_t, 12> mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  return std::equal(mapped.begin(), mapped.end(), gid.begin());
}

std::string to_string(const Gid& gid) {
  char text[INET6_ADDRSTRLEN] = "?";
  if (ipv4(gid))
    inet_ntop(AF_INET, gid.data() + 12, text, sizeof text);
  else
    inet_ntop(AF_INET6, gid.data(), text, sizeof text);
  return text;
}

std::vector<GidEntry> choose_gids(std::span<const GidEntry> entries) {
  const auto rank = [](const GidEntry& e) { return !e.roce_v2 ? 0 : link_local(e.gid) ? 1 : 2; };
  int best = 0;
  for (const GidEntry& e : entries) best = std::max(best, rank(e));
  std::vector<GidEntry> chosen;
  for (const GidEntry& e : entries) {
    if (rank(e) != best || chosen.size() == protocol::kPathsMax) continue;
    if (std::ranges::none_of(chosen, [&](const GidEntry& c) { return c.gid == e.gid; }))
      chosen.push_back(e);
  }
  return chosen;
}

std::size_t nearest_gid(const Gid& own, std::span<const Gid> theirs, unsigned path) {
  const auto common_bits = [&](const Gid& gid) {
    if (ipv4(gid) != ipv4(own)) return -1;
    int bits = 0;
    for (std::size_t i = 0; i < own.size(); ++i, bits += 8)
      if (const auto differs = static_cast<std::uint8_t>(own[i] ^ gid[i]); differs != 0)
        return bits + std::countl_zero(differs);
    return bits;
  };
  std::vector<std::size_t> best;
  int most = -2;
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const int bits = common_bits(theirs[i]);
    if (bits > most) best.clear();
    if (bits >= most) best.push_back(i);
    most = std::max(most, bits);
  }
  return best[path % best.size()];
}

bool congestion_marked(protocol::Bytes grh) {
  return ecn_marked(has_ipv4_header(grh) ? std::to_integer<unsigned>(grh[21])
                                         : std::to_integer<unsigned>(grh[1]) >> 4);
}

Gid source_gid(protocol::Bytes grh) {
  Gid gid{};
  if (has_ipv4_header(grh)) {
    gid[10] = gid[11] = 0xff;
    std::memcpy(gid.data() + 12, grh.data() + 20 + 12, 4);
  } else {
    std::memcpy(gid.data(), grh.data() + 8, gid.size());
  }
  return gid;
}

}  // namespace selvedge::transport
