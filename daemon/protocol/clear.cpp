// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/clear.hpp"

#include "daemon/protocol/byte_order.hpp"
#include "daemon/protocol/crc32c.hpp"

namespace selvedge::protocol {

void put_crc(std::byte* head, Bytes payload) {
  put(head + kHeaderBytes, crc32c(payload, crc32c({head, kHeaderBytes})));
}

bool has_crc(Bytes packet) {
  return packet.size() >= kHeaderBytes && get<std::uint16_t>(packet.data()) == kMagic &&
         get<std::uint8_t>(packet.data() + 2) == kWireVersion;
}

Bytes open_clear(MutableBytes datagram) {
  if (!has_crc(datagram)) return datagram;
  if (datagram.size() < kClearHeadBytes) return {};
  const std::uint32_t crc =
      crc32c(datagram.subspan(kClearHeadBytes), crc32c(datagram.first(kHeaderBytes)));
  if (get<std::uint32_t>(datagram.data() + kHeaderBytes) != crc) return {};
  // Removes the CRC between header and payload. The header is moved, because it is usually shorter
  // than the payload.
  std::memmove(datagram.data() + kCrcBytes, datagram.data(), kHeaderBytes);
  return datagram.subspan(kCrcBytes);
}

}  // namespace selvedge::protocol
