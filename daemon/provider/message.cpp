// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/provider/message.hpp"

#include <algorithm>
#include <cstring>

namespace selvedge::provider {
namespace {

void store(std::byte* to, std::uint64_t value) {
  for (unsigned i = 0; i < 8; ++i) to[i] = static_cast<std::byte>(value >> 8 * i);
}

std::uint64_t load(const std::byte* from) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < 8; ++i) value |= std::to_integer<std::uint64_t>(from[i]) << 8 * i;
  return value;
}

}  // namespace

HeaderBytes encode(const Header& header) {
  HeaderBytes bytes{};
  bytes[0] = static_cast<std::byte>(header.kind);
  bytes[1] = static_cast<std::byte>(header.flags);
  store(&bytes[8], header.length);
  store(&bytes[16], header.tag);
  store(&bytes[24], header.data);
  return bytes;
}

bool decode(const HeaderBytes& bytes, Header& header) {
  const auto kind = std::to_integer<std::uint8_t>(bytes[0]);
  header = {.kind = static_cast<Kind>(kind),
            .flags = std::to_integer<std::uint8_t>(bytes[1]),
            .length = load(&bytes[8]),
            .tag = load(&bytes[16]),
            .data = load(&bytes[24])};
  if (std::any_of(&bytes[2], &bytes[8], [](std::byte b) { return b != std::byte{}; })) return false;
  if ((header.flags & ~(kHasData | kAnswer | kOffered)) != 0) return false;
  switch (header.kind) {
    case Kind::kHello:
      return header.length == kHelloBytes && header.flags == 0;
    case Kind::kMessage:
    case Kind::kTagged:
      return header.length <= kMessageBytesMax;
    case Kind::kPayload:
      return header.length <= kMessageBytesMax && header.flags == 0;
    case Kind::kProcessed:
    case Kind::kFetch:
    case Kind::kCredit:
      return header.length == 0 && header.flags == 0;
  }
  return false;
}

Header hello_header() {
  return {.kind = Kind::kHello, .length = kHelloBytes, .tag = kVersion, .data = kMagic};
}

std::array<std::byte, kHelloBytes> encode(const Hello& hello) {
  std::array<std::byte, kHelloBytes> bytes;
  std::memcpy(bytes.data(), hello.to.text.data(), Address::kBytes);
  std::memcpy(bytes.data() + Address::kBytes, hello.from.text.data(), Address::kBytes);
  return bytes;
}

std::optional<Hello> decode_hello(const Header& header, std::span<const std::byte> payload) {
  if (header.tag != kVersion || header.data != kMagic || payload.size() != kHelloBytes) return {};
  const auto to = Address::read(payload.data());
  const auto from = Address::read(payload.data() + Address::kBytes);
  if (!to || !from) return {};
  return Hello{*to, *from};
}

bool MessageReader::read(std::span<const std::byte> bytes, Sink& sink) {
  while (!bytes.empty()) {
    if (header_read_ < kHeaderBytes) {
      const std::size_t n = std::min(bytes.size(), kHeaderBytes - header_read_);
      std::memcpy(header_.data() + header_read_, bytes.data(), n);
      header_read_ += n;
      bytes = bytes.subspan(n);
      if (header_read_ < kHeaderBytes) return true;
      Header header;
      if (!decode(header_, header) || !sink.begin(header)) return false;
      left_ = payload_bytes(header);
    }
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), left_));
    if (n != 0) sink.append(bytes.first(n));
    bytes = bytes.subspan(n);
    left_ -= n;
    if (left_ == 0) {
      header_read_ = 0;
      if (!sink.end()) return false;
    }
  }
  return true;
}

}  // namespace selvedge::provider
