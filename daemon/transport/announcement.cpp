// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/transport/announcement.hpp"

#include <cstring>

#include "daemon/protocol/byte_order.hpp"

namespace selvedge::transport {
namespace {

constexpr std::uint32_t kMagic = 0x53566901;              // "SVi", version 1
constexpr std::uint32_t kQpnMax = 0xffffff, kQpnMin = 2;  // QPNs 0 and 1 are for management
constexpr std::uint16_t kUnicastLidMax = 0xbfff;
constexpr std::uint8_t kLmcMax = 7;

using protocol::get;
using protocol::put;

bool possible(const Announcement& i) {
  const VerbsAddress& d = i.verbs_address;
  if (i.nonce == 0 || i.generation == 0) return false;
  for (const std::uint32_t qpn : d.queues[i.worker])
    if (qpn < kQpnMin || qpn > kQpnMax) return false;
  if (d.link == Link::kRoce) return d.lid == 0 && d.lmc == 0;
  // The 2^LMC LIDs of a port begin at a multiple of their number.
  return d.lid != 0 && d.lmc <= kLmcMax && (d.lid & ((1u << d.lmc) - 1)) == 0 &&
         d.lid + (1u << d.lmc) - 1 <= kUnicastLidMax;
}

}  // namespace

std::vector<std::byte> encode(const Announcement& i) {
  const VerbsAddress& d = i.verbs_address;
  const std::vector<std::uint32_t>& queues = d.queues[i.worker];
  std::vector<std::byte> bytes(kAnnouncementFixedBytes + 4 * queues.size() + 16 * d.gids.size());
  std::byte* to = bytes.data();
  put(to, kMagic);
  put(to + 4, static_cast<std::uint8_t>((i.reply_requested ? 1 : 0) | i.wanted_worker << 4));
  put(to + 5, static_cast<std::uint8_t>(d.link));
  put(to + 6, static_cast<std::uint8_t>(queues.size()));
  put(to + 7, static_cast<std::uint8_t>(d.gids.size()));
  put(to + 8, i.nonce);
  put(to + 16, i.echo);
  put(to + 24, i.generation);
  put(to + 32, i.known_generation);
  put(to + 40, d.qkey);
  put(to + 44, d.lid);
  put(to + 46, d.lmc);
  put(to + 47, static_cast<std::uint8_t>((d.queues.size() - 1) << 4 | i.worker));
  to += kAnnouncementFixedBytes;
  for (const std::uint32_t qpn : queues) {
    put(to, qpn);
    to += 4;
  }
  for (const Gid& gid : d.gids) {
    std::memcpy(to, gid.data(), gid.size());
    to += gid.size();
  }
  return bytes;
}

std::optional<Announcement> decode_announcement(protocol::Bytes datagram) {
  if (datagram.size() < kAnnouncementFixedBytes) return std::nullopt;
  const std::byte* from = datagram.data();
  const auto flags = get<std::uint8_t>(from + 4), link = get<std::uint8_t>(from + 5);
  const unsigned queues = get<std::uint8_t>(from + 6), gids = get<std::uint8_t>(from + 7);
  const unsigned workers = (get<std::uint8_t>(from + 47) >> 4) + 1,
                 worker = get<std::uint8_t>(from + 47) & 15;
  if (get<std::uint32_t>(from) != kMagic || (flags & 15) > 1 || link < 1 || link > 2 ||
      queues == 0 || queues > protocol::kPathsMax || gids == 0 || gids > protocol::kPathsMax ||
      worker >= workers || datagram.size() != kAnnouncementFixedBytes + 4 * queues + 16 * gids)
    return std::nullopt;
  Announcement i;
  i.reply_requested = (flags & 1) != 0;
  i.worker = worker;
  i.wanted_worker = flags >> 4;
  i.nonce = get<std::uint64_t>(from + 8);
  i.echo = get<std::uint64_t>(from + 16);
  i.generation = get<std::uint64_t>(from + 24);
  i.known_generation = get<std::uint64_t>(from + 32);
  VerbsAddress& d = i.verbs_address;
  d.link = static_cast<Link>(link);
  d.qkey = get<std::uint32_t>(from + 40);
  d.lid = get<std::uint16_t>(from + 44);
  d.lmc = get<std::uint8_t>(from + 46);
  from += kAnnouncementFixedBytes;
  d.queues.resize(workers);
  for (unsigned n = 0; n < queues; ++n, from += 4)
    d.queues[worker].push_back(get<std::uint32_t>(from));
  d.gids.resize(gids);
  for (Gid& gid : d.gids) {
    std::memcpy(gid.data(), from, gid.size());
    from += gid.size();
  }
  if (!possible(i)) return std::nullopt;
  return i;
}

}  // namespace selvedge::transport
