// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The clear format of a packet, for daemons without keys: a CRC-32C (RFC 3720 §B.4) of header and
// payload is between the two. UDP's checksum is too weak: it misses two errors that cancel out, and
// a machine on the way that changes a packet computes it again. InfiniBand's CRCs end at each
// adapter.
//
//   byte 0           32             36
//   +---------------+--------------+----------------+
//   | header        | CRC, 4 bytes |  payload ...
//   +---------------+--------------+----------------+
//
// A sealed datagram has a tag instead (seal.hpp). The CRC cannot be switched off.
#pragma once

#include "daemon/protocol/wire.hpp"

namespace selvedge::protocol {

inline constexpr unsigned kClearHeadBytes = kHeaderBytes + kCrcBytes;

/// Writes one CRC over the header at `head` and `payload`, directly after the header. `head` has
/// room for kClearHeadBytes.
void put_crc(std::byte* head, Bytes payload);

/// Whether the packet is of this version, and so has a CRC in the clear.
bool has_crc(Bytes packet);

/// Checks the CRC of a received datagram and takes it out: the result is the header and the
/// payload. The result is empty if the CRC is wrong or missing. What is shorter than a header, of
/// another version or of another protocol is returned unchanged; the decoder refuses it.
Bytes open_clear(MutableBytes datagram);

}  // namespace selvedge::protocol
