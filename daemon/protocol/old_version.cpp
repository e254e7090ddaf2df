// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/old_version.hpp"

#include <algorithm>

#include "daemon/protocol/byte_order.hpp"

namespace selvedge::protocol {
namespace {

constexpr std::uint8_t kOldVersion = 1;
constexpr std::uint8_t kOldReflected = 4;

void put_header(Kind kind, std::uint32_t connection, std::uint64_t token, std::uint16_t length,
                std::uint8_t path, std::uint8_t flags, std::byte* to) {
  std::fill_n(to, kOldHeaderBytes, std::byte{0});
  put(to, kMagic);
  put(to + 2, kOldVersion);
  put(to + 3, static_cast<std::uint8_t>(kind));
  put(to + 4, connection);
  put(to + 8, token);
  put(to + 26, length);
  put(to + 28, path);
  put(to + 29, flags);
}

}  // namespace

std::optional<std::uint8_t> version_of(Bytes datagram) {
  if (datagram.size() < 4 || get<std::uint16_t>(datagram.data()) != kMagic) return std::nullopt;
  return get<std::uint8_t>(datagram.data() + 2);
}

std::optional<OldPacket> decode_old(Bytes datagram) {
  if (version_of(datagram) != kOldVersion || datagram.size() < kOldHeaderBytes) return std::nullopt;
  const std::byte* p = datagram.data();
  const auto kind = get<std::uint8_t>(p + 3);
  OldPacket o{.kind = static_cast<Kind>(kind),
              .path = get<std::uint8_t>(p + 28),
              .connection = get<std::uint32_t>(p + 4),
              .token = get<std::uint64_t>(p + 8)};
  if (kind < static_cast<std::uint8_t>(Kind::kOpen) ||
      kind > static_cast<std::uint8_t>(Kind::kReset) || o.path >= kPathsMax ||
      datagram.size() != std::size_t{kOldHeaderBytes} + get<std::uint16_t>(p + 26))
    return std::nullopt;
  if (o.kind == Kind::kOpen) {
    if (datagram.size() < kOldHeaderBytes + kOldHandshakeBytes) return std::nullopt;
    o.token = get<std::uint64_t>(p + kOldHeaderBytes + 8);
    o.connection = get<std::uint32_t>(p + kOldHeaderBytes + 24);
  }
  return o;
}

std::size_t encode_old_reset(const OldPacket& packet, std::byte* to) {
  const std::uint8_t flags = packet.kind == Kind::kOpen ? 0 : kOldReflected;
  put_header(Kind::kReset, packet.connection, packet.token, 1, packet.path, flags, to);
  to[kOldHeaderBytes] = static_cast<std::byte>(Error::kVersion);
  return kOldHeaderBytes + 1;
}

std::size_t encode_old_open(const Handshake& own, std::string_view name, std::uint8_t path,
                            std::byte* to) {
  const std::size_t bytes = kOldHandshakeBytes + name.size();
  put_header(Kind::kOpen, 0, 0, static_cast<std::uint16_t>(bytes), path, 0, to);
  std::byte* p = to + kOldHeaderBytes;
  put(p, own.incarnation);
  put(p + 8, own.token);
  put(p + 16, std::uint64_t{0});  // without a cookie, so that nothing is opened
  put(p + 24, own.connection);
  put(p + 28, own.first);
  put(p + 32, own.payload_bytes);
  put(p + 34, static_cast<std::uint8_t>(name.size()));
  put(p + 35, own.paths);
  if (!name.empty()) std::memcpy(p + kOldHandshakeBytes, name.data(), name.size());
  return kOldHeaderBytes + bytes;
}

}  // namespace selvedge::protocol
