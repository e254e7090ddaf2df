// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/wire.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "daemon/protocol/siphash.hpp"

namespace selvedge::protocol {
namespace {

template <class T>
T any() {
  return *rc::gen::arbitrary<T>();
}

Header any_header(Kind kind, std::uint16_t length) {
  Header h;
  h.kind = kind;
  h.path = static_cast<std::uint8_t>(*rc::gen::inRange(0u, kPathsMax));
  h.window = static_cast<std::uint16_t>(*rc::gen::inRange(0u, kWindowPacketsMax + 1));
  h.length = length;
  h.connection = any<std::uint32_t>();
  h.token = any<std::uint64_t>();
  h.sequence = any<std::uint32_t>();
  h.ack = any<std::uint32_t>();
  return h;
}

TEST(Wire, TheHeaderMatchesTheDrawing) {
  Header h;
  h.kind = Kind::kData;
  h.flags = kFirstOfMessage | kLastOfMessage;
  h.path = 5;
  h.window = 0x0102;
  h.length = 1;
  h.connection = 0x11223344;
  h.token = 0x0123456789abcdef;
  h.sequence = 0x0a0b0c0d;
  h.ack = 0x01020304;
  std::vector<std::byte> bytes(kHeaderBytes + 1, std::byte{0xee});
  encode(h, bytes.data());
  const std::uint8_t drawn[] = {'S',  'V',  1,    4,    0x11, 0x22, 0x33, 0x44, 0x01, 0x23, 0x45,
                                0x67, 0x89, 0xab, 0xcd, 0xef, 0x0a, 0x0b, 0x0c, 0x0d, 1,    2,
                                3,    4,    1,    2,    0,    1,    5,    3,    0,    0,    0xee};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    EXPECT_EQ(std::to_integer<int>(bytes[i]), drawn[i]) << i;
}

RC_GTEST_PROP(Wire, HeadersRoundTrip, ()) {
  const auto length = static_cast<std::uint16_t>(*rc::gen::inRange(0u, kPayloadBytesMax + 1));
  Header h = any_header(Kind::kData, length);
  h.flags = static_cast<std::uint8_t>(*rc::gen::inRange(0, 4));
  std::vector<std::byte> bytes(kHeaderBytes + length);
  encode(h, bytes.data());
  Header back;
  RC_ASSERT(decode(bytes, back) == Decoded::kGood);
  RC_ASSERT(back == h);
  // Neither fewer nor more bytes than the header's length.
  RC_ASSERT(decode(Bytes{bytes}.first(bytes.size() - 1), back) != Decoded::kGood);
  bytes.push_back({});
  RC_ASSERT(decode(bytes, back) == Decoded::kMalformed);
}

RC_GTEST_PROP(Wire, HandshakesRoundTrip, (std::string name)) {
  if (name.size() > kNameBytesMax) name.resize(kNameBytesMax);
  Handshake o;
  o.incarnation = any<std::uint64_t>();
  o.token = any<std::uint64_t>();
  o.cookie = any<std::uint64_t>();
  o.connection = any<std::uint32_t>();
  o.first = any<std::uint32_t>();
  o.payload_bytes =
      static_cast<std::uint16_t>(*rc::gen::inRange(kPayloadBytesMin, kPayloadBytesMax + 1));
  o.paths = static_cast<std::uint8_t>(*rc::gen::inRange(1u, kPathsMax + 1));
  o.name = name;
  std::array<std::byte, kHandshakeBytesMax> bytes{};
  const std::size_t size = encode(o, bytes.data());
  const auto back = decode_handshake(Bytes{bytes}.first(size));
  RC_ASSERT(back.has_value());
  RC_ASSERT(*back == o);
  RC_ASSERT(!decode_handshake(Bytes{bytes}.first(size - 1)));
}

RC_GTEST_PROP(Wire, ReportsRoundTrip, ()) {
  Report r;
  r.duplicates = any<std::uint32_t>();
  r.answers = static_cast<std::uint8_t>(*rc::gen::inRange(0u, kPathsMax + 1));
  r.free_slots = any<std::uint32_t>();
  r.nack_count = static_cast<std::uint16_t>(*rc::gen::inRange(0u, kNacksPerReport + 1));
  r.sack_words = static_cast<std::uint16_t>(*rc::gen::inRange(0u, kSackWordsMax + 1));
  for (unsigned i = 0; i < r.nack_count; ++i) r.nacks[i] = any<std::uint32_t>();
  for (unsigned i = 0; i < r.sack_words; ++i) r.sack[i] = any<std::uint64_t>();
  std::array<std::byte, kReportBytesMax> bytes{};
  const std::size_t size = encode(r, bytes.data());
  Report back;
  RC_ASSERT(decode(Bytes{bytes}.first(size), back));
  RC_ASSERT(back.duplicates == r.duplicates && back.free_slots == r.free_slots);
  RC_ASSERT(back.answers == r.answers);
  RC_ASSERT(back.nack_count == r.nack_count && back.nacks == r.nacks);
  RC_ASSERT(back.sack_words == r.sack_words && back.sack == r.sack);
  if (size > 0) RC_ASSERT(!decode(Bytes{bytes}.first(size - 1), back));
}

TEST(Wire, OtherDatagramsAreRejected) {
  Header h, back;
  std::vector<std::byte> bytes(kHeaderBytes);
  encode(h, bytes.data());
  EXPECT_EQ(decode(bytes, back), Decoded::kGood);
  EXPECT_EQ(decode(Bytes{bytes}.first(3), back), Decoded::kTruncated);
  EXPECT_EQ(decode(Bytes{bytes}.first(31), back), Decoded::kTruncated);
  for (const auto& [at, value, expected] : {std::tuple{0, 'X', Decoded::kWrongMagic},
                                            {2, 2, Decoded::kVersion},
                                            {3, 0, Decoded::kMalformed},
                                            {3, 10, Decoded::kMalformed},
                                            {24, 0xff, Decoded::kMalformed},
                                            {27, 1, Decoded::kMalformed},
                                            {28, 16, Decoded::kMalformed},
                                            {29, 4, Decoded::kMalformed},
                                            {30, 1, Decoded::kMalformed}}) {
    auto damaged = bytes;
    damaged[static_cast<std::size_t>(at)] = static_cast<std::byte>(value);
    EXPECT_EQ(decode(damaged, back), expected) << at;
  }
}

TEST(SipHash, GivesTheTestVectorsOfItsPaper) {  // Appendix A: key 00..0f, input 00..0e
  std::array<std::byte, 15> input;
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<std::byte>(i);
  EXPECT_EQ(siphash({0x0706050403020100, 0x0f0e0d0c0b0a0908}, input), 0xa129ca6149be45e5);
}

TEST(Errors, EachHasANameAndASentence) {
  for (int i = 0; i < 10; ++i) {
    EXPECT_NE(name(static_cast<Error>(i)), "unknown");
    EXPECT_GT(explain(static_cast<Error>(i)).size(), 10u);
  }
  EXPECT_EQ(name(static_cast<Error>(10)), "unknown");
}

}  // namespace
}  // namespace selvedge::protocol
