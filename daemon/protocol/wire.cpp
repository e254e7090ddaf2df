// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/wire.hpp"

#include "daemon/protocol/byte_order.hpp"

namespace selvedge::protocol {
void put64(std::byte* to, std::uint64_t value) { put(to, value); }
std::uint64_t get64(const std::byte* from) { return get<std::uint64_t>(from); }

void encode(const Header& h, std::byte* to) {
  put(to, kMagic);
  put(to + 2, kWireVersion);
  put(to + 3, static_cast<std::uint8_t>(h.kind));
  put(to + 4, h.connection);
  put(to + 8, h.token);
  put(to + 16, h.sequence);
  put(to + 20, h.ack);
  put(to + 24, h.window);
  put(to + 26, h.length);
  put(to + 28, h.path);
  put(to + 29, h.flags);
  put(to + 30, h.stamp);
}

Decoded decode(Bytes datagram, Header& h) {
  const std::byte* p = datagram.data();
  // Magic and version have the same offsets in every version of the format; later fields may move.
  if (datagram.size() < 4) return Decoded::kTruncated;
  if (get<std::uint16_t>(p) != kMagic) return Decoded::kWrongMagic;
  if (get<std::uint8_t>(p + 2) != kWireVersion) return Decoded::kVersion;
  if (datagram.size() < kHeaderBytes) return Decoded::kTruncated;
  const auto kind = get<std::uint8_t>(p + 3);
  if (kind < static_cast<std::uint8_t>(Kind::kOpen) ||
      kind > static_cast<std::uint8_t>(Kind::kReset))
    return Decoded::kMalformed;
  h.kind = static_cast<Kind>(kind);
  h.connection = get<std::uint32_t>(p + 4);
  h.token = get<std::uint64_t>(p + 8);
  h.sequence = get<Sequence>(p + 16);
  h.ack = get<Sequence>(p + 20);
  h.window = get<std::uint16_t>(p + 24);
  h.length = get<std::uint16_t>(p + 26);
  h.path = get<std::uint8_t>(p + 28);
  h.flags = get<std::uint8_t>(p + 29);
  h.stamp = get<std::uint16_t>(p + 30);
  const std::uint8_t known = h.kind == Kind::kData    ? kMessageFlags | kWantsMore
                             : h.kind == Kind::kReset ? kReflected
                                                      : std::uint8_t{0};
  if (datagram.size() != std::size_t{kHeaderBytes} + h.length || (h.flags & ~known) != 0 ||
      (h.stamp != 0 && h.kind != Kind::kData) || h.path >= kPathsMax ||
      h.window > kWindowPacketsMax)
    return Decoded::kMalformed;
  switch (h.kind) {
    case Kind::kData:
      if ((h.flags & kHeadOfMessage) != 0 &&
          ((h.flags & kFirstOfMessage) == 0 || h.length < kMessageHeadBytes))
        return Decoded::kMalformed;
      return h.length <= kPayloadBytesMax ? Decoded::kGood : Decoded::kMalformed;
    case Kind::kKeepalive:
    case Kind::kClose:
    case Kind::kCloseReply:
      return h.length == 0 ? Decoded::kGood : Decoded::kMalformed;
    case Kind::kChallenge:
      return h.length == 8 ? Decoded::kGood : Decoded::kMalformed;
    case Kind::kReset:
      return h.length == 1 ? Decoded::kGood : Decoded::kMalformed;
    default:  // the payloads of kOpen, kAccept, kReport have decoders of their own
      return Decoded::kGood;
  }
}

std::size_t encode(const Handshake& o, std::byte* to) {
  put(to, o.incarnation);
  put(to + 8, o.token);
  put(to + 16, o.cookie);
  put(to + 24, o.connection);
  put(to + 28, o.first);
  put(to + 32, o.payload_bytes);
  put(to + 34, static_cast<std::uint8_t>(o.name.size()));
  put(to + 35, o.paths);
  if (!o.name.empty()) std::memcpy(to + kHandshakeFixedBytes, o.name.data(), o.name.size());
  return kHandshakeFixedBytes + o.name.size();
}

std::optional<Handshake> decode_handshake(Bytes payload) {
  if (payload.size() < kHandshakeFixedBytes) return std::nullopt;
  const std::byte* p = payload.data();
  Handshake o;
  o.incarnation = get<std::uint64_t>(p);
  o.token = get<std::uint64_t>(p + 8);
  o.cookie = get<std::uint64_t>(p + 16);
  o.connection = get<std::uint32_t>(p + 24);
  o.first = get<Sequence>(p + 28);
  o.payload_bytes = get<std::uint16_t>(p + 32);
  const std::size_t length = get<std::uint8_t>(p + 34);
  o.paths = get<std::uint8_t>(p + 35);
  if (length > kNameBytesMax || payload.size() != kHandshakeFixedBytes + length ||
      o.payload_bytes < kPayloadBytesMin || o.payload_bytes > kPayloadBytesMax || o.paths == 0 ||
      o.paths > kPathsMax)
    return std::nullopt;
  o.name = {reinterpret_cast<const char*>(p) + kHandshakeFixedBytes, length};
  return o;
}

std::size_t encode(const Report& r, std::byte* to) {
  put(to, r.duplicates);
  put(to + 4, r.free_slots);
  put(to + 8, r.nack_count);
  put(to + 10, r.sack_words);
  put(to + 12, std::uint32_t{r.answers} << kGrantBits | (r.granted_end & kGrantMask));
  std::byte* p = to + kReportFixedBytes;
  for (unsigned i = 0; i < r.nack_count; ++i, p += 4) put(p, r.nacks[i]);
  for (unsigned i = 0; i < r.sack_words; ++i, p += 8) put(p, r.sack[i]);
  for (unsigned i = 0; i < r.delay_count && p + kDelayBytes <= to + kReportBytesMax;
       ++i, p += kDelayBytes) {
    put(p, r.delays[i].path);
    put(p + 1, std::uint8_t{r.delays[i].marked});
    put(p + 2, r.delays[i].echo);
  }
  return static_cast<std::size_t>(p - to);
}

bool decode(Bytes payload, Report& r) {
  if (payload.size() < kReportFixedBytes) return false;
  const std::byte* p = payload.data();
  r.duplicates = get<std::uint32_t>(p);
  r.free_slots = get<std::uint32_t>(p + 4);
  r.nack_count = get<std::uint16_t>(p + 8);
  r.sack_words = get<std::uint16_t>(p + 10);
  const std::size_t size = kReportFixedBytes + 4u * r.nack_count + 8u * r.sack_words;
  if (r.nack_count > kNacksPerReport || r.sack_words > kSackWordsMax ||
      get<std::uint8_t>(p + 12) > kPathsMax || payload.size() < size ||
      payload.size() > kReportBytesMax || (payload.size() - size) % kDelayBytes != 0 ||
      (payload.size() - size) / kDelayBytes > kPathsMax)
    return false;
  r.delay_count = static_cast<std::uint16_t>((payload.size() - size) / kDelayBytes);
  r.answers = get<std::uint8_t>(p + 12);
  r.granted_end = get<std::uint32_t>(p + 12) & kGrantMask;
  p += kReportFixedBytes;
  for (unsigned i = 0; i < r.nack_count; ++i, p += 4) r.nacks[i] = get<Sequence>(p);
  for (unsigned i = 0; i < r.sack_words; ++i, p += 8) r.sack[i] = get<std::uint64_t>(p);
  for (unsigned i = 0; i < r.delay_count; ++i, p += kDelayBytes) {
    const auto marked = get<std::uint8_t>(p + 1);
    r.delays[i] = {get<std::uint8_t>(p), marked == 1, get<std::uint16_t>(p + 2)};
    if (r.delays[i].path >= kPathsMax || marked > 1) return false;
  }
  return true;
}

}  // namespace selvedge::protocol
