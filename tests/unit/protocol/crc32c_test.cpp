// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests the CRC, and the clear format that carries it.
#include "daemon/protocol/crc32c.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "daemon/protocol/clear.hpp"

namespace selvedge::protocol {
namespace {

using Octets = std::vector<std::byte>;

/// As the definition says, bit by bit.
std::uint32_t slow_crc(Bytes bytes) {
  std::uint32_t c = 0xffffffff;
  for (const std::byte b : bytes)
    for (unsigned bit = 0; bit < 8; ++bit) {
      const std::uint32_t odd = (c ^ std::to_integer<std::uint32_t>(b) >> bit) & 1;
      c = c >> 1 ^ (odd != 0 ? 0x82f63b78u : 0);
    }
  return ~c;
}

Octets drawn_octets(std::size_t bytes) {
  Octets out(bytes);
  std::uint64_t state = *rc::gen::arbitrary<std::uint64_t>() | 1;
  for (std::byte& b : out) {
    state = state * 6'364'136'223'846'793'005u + 1'442'695'040'888'963'407u;
    b = static_cast<std::byte>(state >> 56);
  }
  return out;
}

/// Around each length at which another loop takes over, and any other.
std::size_t any_length() {
  const std::size_t near = *rc::gen::element<std::size_t>(0, 8, 16, 56, 256, 320, 384, 512, 768,
                                                          4'080, 4'096, 4'128, 8'160, 16'384);
  return *rc::gen::oneOf(rc::gen::inRange<std::size_t>(near, near + 9),
                         rc::gen::inRange<std::size_t>(0, 17'000));
}

TEST(Crc32c, OfThePublishedExamples) {
  const auto crc = [](std::string_view text) {
    return crc32c(std::as_bytes(std::span{text.data(), text.size()}));
  };
  EXPECT_EQ(crc(""), 0u);
  EXPECT_EQ(crc("123456789"), 0xe3069283u);
  EXPECT_EQ(
      crc(std::string_view{"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 32}),
      0x8a9136aau);  // RFC 3720 §B.4
}

/// Those that this processor has.
std::vector<CrcWay> ways() {
  std::vector<CrcWay> out;
  for (const CrcWay way :
       {CrcWay::kTables, CrcWay::kInstruction, CrcWay::kInterleaved, CrcWay::kFolding})
    if (way <= crc32c_widest()) out.push_back(way);
  return out;
}

RC_GTEST_PROP(Crc32c, IsWhatTheDefinitionSays, ()) {
  const Octets bytes = drawn_octets(any_length());
  RC_ASSERT(crc32c(bytes) == slow_crc(bytes));
  for (const CrcWay way : ways()) RC_ASSERT(crc32c_by(way, bytes) == slow_crc(bytes));
}

RC_GTEST_PROP(Crc32c, GoesOnWhereItStopped, ()) {
  const Octets bytes = drawn_octets(any_length());
  const auto at = *rc::gen::inRange<std::size_t>(0, bytes.size() + 1);
  const std::uint32_t before = crc32c(Bytes{bytes}.first(at));
  RC_ASSERT(crc32c(Bytes{bytes}.subspan(at), before) == crc32c(bytes));
  for (const CrcWay way : ways())
    RC_ASSERT(crc32c_by(way, Bytes{bytes}.subspan(at), before) == crc32c(bytes));
}

TEST(Crc32c, FindsTheWaysOfTheProcessor) {
#if defined(__x86_64__)
  const bool multiplies = __builtin_cpu_supports("vpclmulqdq") && __builtin_cpu_supports("avx2");
  const bool folds = multiplies && __builtin_cpu_supports("avx512f");
  EXPECT_EQ(crc32c_widest(), folds                              ? CrcWay::kFolding
                             : multiplies                       ? CrcWay::kInterleaved
                             : __builtin_cpu_supports("sse4.2") ? CrcWay::kInstruction
                                                                : CrcWay::kTables);
#elif defined(__aarch64__)
  EXPECT_LE(crc32c_widest(), CrcWay::kInstruction);
#else
  EXPECT_EQ(crc32c_widest(), CrcWay::kTables);
#endif
  EXPECT_LE(crc32c_quickest(), crc32c_widest());
}

Octets clear_packet(const Octets& payload) {
  Header h;
  h.token = *rc::gen::arbitrary<std::uint64_t>();
  h.length = static_cast<std::uint16_t>(payload.size());
  Octets out(kHeaderBytes);
  encode(h, out.data());
  out.insert(out.end(), payload.begin(), payload.end());
  return out;
}
Octets in_the_clear(const Octets& packet) {
  Octets out(packet.begin(), packet.begin() + kHeaderBytes);
  out.resize(kClearHeadBytes);
  put_crc(out.data(), Bytes{packet}.subspan(kHeaderBytes));
  out.insert(out.end(), packet.begin() + kHeaderBytes, packet.end());
  return out;
}

RC_GTEST_PROP(Clear, GivesBackThePacket, ()) {
  const Octets sent =
      clear_packet(drawn_octets(*rc::gen::inRange<std::size_t>(0, kPayloadBytesMax + 1)));
  Octets datagram = in_the_clear(sent);
  RC_ASSERT(std::ranges::equal(open_clear(datagram), sent));
}

/// What is wrong in at most three bits, or within 32 bits in a row, is always found.
RC_GTEST_PROP(Clear, DropsACorruptPacket, ()) {
  const Octets sent = clear_packet(drawn_octets(*rc::gen::inRange<std::size_t>(0, 5'000)));
  Octets datagram = in_the_clear(sent);
  // Magic and version come before the CRC is looked at.
  const auto bits = 8 * datagram.size();
  std::vector<std::size_t> flips;
  if (*rc::gen::arbitrary<bool>()) {
    for (auto n = *rc::gen::inRange(1, 4); n > 0; --n)
      flips.push_back(*rc::gen::inRange<std::size_t>(24, bits));
  } else {
    const auto first = *rc::gen::inRange<std::size_t>(24, bits - 32);
    for (std::size_t i = 0; i < 32; ++i)
      if (i == 0 || *rc::gen::arbitrary<bool>()) flips.push_back(first + i);
  }
  std::ranges::sort(flips);
  flips.erase(std::unique(flips.begin(), flips.end()), flips.end());
  for (const std::size_t bit : flips) datagram[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
  RC_ASSERT(open_clear(datagram).empty());
}

TEST(Clear, LeavesToTheDecoderWhatIsNoPacketOfThisVersion) {
  Octets other(40, std::byte{7});
  EXPECT_EQ(open_clear(other).size(), 40u);
  EXPECT_EQ(open_clear(MutableBytes{other}.first(3)).size(), 3u);
  EXPECT_EQ(open_clear({}).size(), 0u);
  Octets old(kHeaderBytes + 1);
  encode(Header{}, old.data());
  old[2] = std::byte{1};
  EXPECT_EQ(open_clear(old).size(), old.size());
  old[2] = std::byte{kWireVersion};  // the CRC does not fit
  EXPECT_EQ(open_clear(old).size(), 0u);
}

}  // namespace
}  // namespace selvedge::protocol
