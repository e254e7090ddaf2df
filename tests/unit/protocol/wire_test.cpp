// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/wire.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sodium.h>

#include <set>
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
  if (kind == Kind::kData) h.stamp = any<std::uint16_t>();
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
  h.stamp = 0x0506;
  std::vector<std::byte> bytes(kHeaderBytes + 1, std::byte{0xee});
  encode(h, bytes.data());
  const std::uint8_t drawn[] = {'S',  'V',  2,    4,    0x11, 0x22, 0x33, 0x44, 0x01, 0x23, 0x45,
                                0x67, 0x89, 0xab, 0xcd, 0xef, 0x0a, 0x0b, 0x0c, 0x0d, 1,    2,
                                3,    4,    1,    2,    0,    1,    5,    3,    5,    6,    0xee};
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
  // A datagram with fewer or more bytes than the header's length says is invalid.
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
  r.granted_end = any<std::uint32_t>() & kGrantMask;
  r.nack_count = static_cast<std::uint16_t>(*rc::gen::inRange(0u, kNacksPerReport + 1));
  r.sack_words = static_cast<std::uint16_t>(*rc::gen::inRange(0u, kSackWordsMax + 1));
  for (unsigned i = 0; i < r.nack_count; ++i) r.nacks[i] = any<std::uint32_t>();
  for (unsigned i = 0; i < r.sack_words; ++i) r.sack[i] = any<std::uint64_t>();
  r.delay_count = static_cast<std::uint16_t>(*rc::gen::inRange(0u, kPathsMax + 1));
  for (std::uint8_t i = 0; i < r.delay_count; ++i)
    r.delays[i] = {i, any<bool>(), any<std::uint16_t>()};
  std::array<std::byte, kReportBytesMax> bytes{};
  const std::size_t size = encode(r, bytes.data());
  Report back;
  RC_ASSERT(decode(Bytes{bytes}.first(size), back));
  RC_ASSERT(back.duplicates == r.duplicates && back.free_slots == r.free_slots);
  RC_ASSERT(back.granted_end == r.granted_end);
  RC_ASSERT(back.answers == r.answers);
  RC_ASSERT(back.nack_count == r.nack_count && back.nacks == r.nacks);
  RC_ASSERT(back.sack_words == r.sack_words && back.sack == r.sack);
  // NACKs and stored packets come first; of delays there are as many as there is room for.
  const unsigned room =
      (kReportBytesMax - kReportFixedBytes - 4 * r.nack_count - 8 * r.sack_words) / 4;
  RC_ASSERT(back.delay_count == std::min<unsigned>(r.delay_count, room));
  for (unsigned i = 0; i < back.delay_count; ++i) RC_ASSERT(back.delays[i] == r.delays[i]);
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
                                            {2, 1, Decoded::kVersion},
                                            {2, 3, Decoded::kVersion},
                                            {3, 0, Decoded::kMalformed},
                                            {3, 10, Decoded::kMalformed},
                                            {24, 0xff, Decoded::kMalformed},
                                            {27, 1, Decoded::kMalformed},
                                            {28, 16, Decoded::kMalformed},
                                            {29, 4, Decoded::kMalformed},
                                            {29, 9, Decoded::kMalformed},  // too short for a head
                                            {30, 1, Decoded::kGood}}) {
    auto damaged = bytes;
    damaged[static_cast<std::size_t>(at)] = static_cast<std::byte>(value);
    EXPECT_EQ(decode(damaged, back), expected) << at;
  }
  for (const auto& [flags, length, expected] :
       {std::tuple{kFirstOfMessage | kHeadOfMessage, 16, Decoded::kGood},
        {kFirstOfMessage | kHeadOfMessage, 15, Decoded::kMalformed},
        {kLastOfMessage | kHeadOfMessage, 16, Decoded::kMalformed},
        {kHeadOfMessage | 16, 16, Decoded::kMalformed}}) {
    Header headed;
    headed.flags = static_cast<std::uint8_t>(flags);
    headed.length = static_cast<std::uint16_t>(length);
    std::vector<std::byte> datagram(kHeaderBytes + headed.length);
    encode(headed, datagram.data());
    EXPECT_EQ(decode(datagram, back), expected) << flags << ' ' << length;
  }
  h.kind = Kind::kKeepalive;
  h.stamp = 1;
  encode(h, bytes.data());
  EXPECT_EQ(decode(bytes, back), Decoded::kMalformed);  // only data has a stamp
}

// --- The format, written and read by slow functions that follow wire.hpp alone

using Octets = std::vector<std::byte>;

void append(Octets& to, std::uint64_t value, unsigned bytes) {
  while (bytes-- > 0) to.push_back(static_cast<std::byte>(value >> (8 * bytes)));
}
std::uint64_t number(const Octets& from, std::size_t at, unsigned bytes) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < bytes; ++i)
    value = value << 8 | std::to_integer<std::uint64_t>(from[at + i]);
  return value;
}

Octets slowly(const Header& h) {
  Octets out;
  append(out, 0x5356, 2);
  append(out, 2, 1);
  append(out, static_cast<std::uint64_t>(h.kind), 1);
  append(out, h.connection, 4);
  append(out, h.token, 8);
  append(out, h.sequence, 4);
  append(out, h.ack, 4);
  append(out, h.window, 2);
  append(out, h.length, 2);
  append(out, h.path, 1);
  append(out, h.flags, 1);
  append(out, h.stamp, 2);
  return out;
}
Octets slowly(const Handshake& o) {
  Octets out;
  append(out, o.incarnation, 8);
  append(out, o.token, 8);
  append(out, o.cookie, 8);
  append(out, o.connection, 4);
  append(out, o.first, 4);
  append(out, o.payload_bytes, 2);
  append(out, o.name.size(), 1);
  append(out, o.paths, 1);
  for (const char c : o.name) append(out, static_cast<unsigned char>(c), 1);
  return out;
}
Octets slowly(const Report& r) {
  Octets out;
  append(out, r.duplicates, 4);
  append(out, r.free_slots, 4);
  append(out, r.nack_count, 2);
  append(out, r.sack_words, 2);
  append(out, r.answers, 1);
  append(out, r.granted_end, 3);
  for (unsigned i = 0; i < r.nack_count; ++i) append(out, r.nacks[i], 4);
  for (unsigned i = 0; i < r.sack_words; ++i) append(out, r.sack[i], 8);
  for (unsigned i = 0; i < r.delay_count && out.size() + 4 <= kReportBytesMax; ++i) {
    append(out, r.delays[i].path, 1);
    append(out, r.delays[i].marked, 1);
    append(out, r.delays[i].echo, 2);
  }
  return out;
}

Decoded slow_decode(const Octets& d) {
  if (d.size() < 4) return Decoded::kTruncated;
  if (number(d, 0, 2) != 0x5356) return Decoded::kWrongMagic;
  if (number(d, 2, 1) != 2) return Decoded::kVersion;
  if (d.size() < 32) return Decoded::kTruncated;
  const std::uint64_t kind = number(d, 3, 1), length = number(d, 26, 2), flags = number(d, 29, 1);
  const auto is = [&](Kind k) { return kind == static_cast<std::uint64_t>(k); };
  const std::uint64_t flags_max = is(Kind::kData) ? 3 : 0;
  const bool flags_known = is(Kind::kReset) ? flags == 0 || flags == 4 : flags <= flags_max;
  const std::set<std::uint64_t> empty{6, 7, 8};  // kKeepalive, kClose, kCloseReply
  const bool length_fits = is(Kind::kData)        ? length <= 16'384
                           : empty.contains(kind) ? length == 0
                           : is(Kind::kChallenge) ? length == 8
                           : is(Kind::kReset)     ? length == 1
                                                  : true;
  const bool good = kind >= 1 && kind <= 9 && flags_known && length_fits &&
                    d.size() == 32 + length && (is(Kind::kData) || number(d, 30, 2) == 0) &&
                    number(d, 28, 1) < 16 && number(d, 24, 2) <= 2'048;
  return good ? Decoded::kGood : Decoded::kMalformed;
}
bool slow_handshake(const Octets& p) {
  return p.size() >= 36 && p.size() == 36 + number(p, 34, 1) && number(p, 34, 1) <= 64 &&
         number(p, 32, 2) >= 256 && number(p, 32, 2) <= 16'384 && number(p, 35, 1) >= 1 &&
         number(p, 35, 1) <= 16;
}
bool slow_report(const Octets& p) {
  if (p.size() < 16 || number(p, 8, 2) > 30 || number(p, 10, 2) > 32 || number(p, 12, 1) > 16)
    return false;
  const std::size_t delays = 16 + 4 * number(p, 8, 2) + 8 * number(p, 10, 2);
  if (p.size() < delays || p.size() > delays + 16 * 4 || p.size() > 16 + 4 * 30 + 8 * 32 ||
      (p.size() - delays) % 4 != 0)
    return false;
  for (std::size_t at = delays; at < p.size(); at += 4)
    if (number(p, at, 1) > 15 || number(p, at + 1, 1) > 1) return false;
  return true;
}

template <class T>
Octets encoded(const T& value, std::size_t room) {
  Octets out(room, std::byte{0xee});
  std::size_t size = kHeaderBytes;
  if constexpr (std::is_same_v<T, Header>)
    encode(value, out.data());
  else
    size = encode(value, out.data());
  for (std::size_t i = size; i < room; ++i) RC_ASSERT(out[i] == std::byte{0xee});
  out.resize(size);
  return out;
}
Handshake any_handshake(const std::string& name) {
  Handshake o;
  o.incarnation = any<std::uint64_t>();
  o.token = any<std::uint64_t>();
  o.cookie = any<std::uint64_t>();
  o.connection = any<std::uint32_t>();
  o.first = any<std::uint32_t>();
  o.payload_bytes = *rc::gen::element<std::uint16_t>(255, 256, 257, 4'096, 16'383, 16'384, 16'385);
  o.paths = *rc::gen::element<std::uint8_t>(0, 1, 2, 15, 16, 17);
  o.name = name;
  return o;
}
/// Damages a packet: a byte or two are changed, and some bytes are cut off or added.
void damage(Octets& bytes) {
  for (unsigned n = *rc::gen::inRange(0u, 3u); n > 0 && !bytes.empty(); --n)
    bytes[*rc::gen::inRange<std::size_t>(0, std::min<std::size_t>(bytes.size(), 48))] =
        static_cast<std::byte>(*rc::gen::inRange(0, 256));
  const int by = *rc::gen::element(0, 0, 0, 1, 8, -1, -4, -30);
  bytes.resize(static_cast<std::size_t>(std::max(0, static_cast<int>(bytes.size()) + by)));
}

RC_GTEST_PROP(Wire, HeadersEqualTheReference, ()) {
  Header h = any_header(static_cast<Kind>(*rc::gen::inRange(0, 11)),
                        *rc::gen::element<std::uint16_t>(0, 1, 2, 7, 8, 9, 16'383, 16'384, 16'385));
  h.path = *rc::gen::element<std::uint8_t>(0, 1, 14, 15, 16, 255);
  h.window = *rc::gen::element<std::uint16_t>(0, 1, 2'047, 2'048, 2'049);
  h.flags = static_cast<std::uint8_t>(*rc::gen::inRange(0, 9));
  Octets datagram = encoded(h, kHeaderBytes + 8);
  RC_ASSERT(datagram == slowly(h));
  datagram.resize(kHeaderBytes + h.length);
  if (*rc::gen::arbitrary<bool>()) damage(datagram);
  Header back;
  const Decoded decoded = decode(datagram, back);
  RC_ASSERT(decoded == slow_decode(datagram));
  if (decoded != Decoded::kGood) return;
  datagram.resize(kHeaderBytes);
  RC_ASSERT(slowly(back) == datagram);
}

TEST(Wire, TheLimitsOfEachKindAreExact) {
  for (unsigned kind = 0; kind <= 10; ++kind)
    for (const unsigned length : {0u, 1u, 2u, 7u, 8u, 9u, 16'384u, 16'385u})
      for (unsigned flags = 0; flags <= 8; ++flags) {
        Header h, back;
        h.kind = static_cast<Kind>(kind);
        h.length = static_cast<std::uint16_t>(length);
        h.flags = static_cast<std::uint8_t>(flags);
        Octets datagram = slowly(h);
        datagram.resize(kHeaderBytes + length);
        ASSERT_EQ(decode(datagram, back), slow_decode(datagram))
            << "kind " << kind << ", length " << length << ", flags " << flags;
      }
  for (std::size_t size = 0; size <= kHeaderBytes; ++size) {
    Header back;
    Octets datagram = slowly(Header{});
    datagram.resize(size);
    EXPECT_EQ(decode(datagram, back), size < kHeaderBytes ? Decoded::kTruncated : Decoded::kGood);
  }
}

RC_GTEST_PROP(Wire, HandshakesEqualTheReference, (std::string name)) {
  name.resize(*rc::gen::element<std::size_t>(0, 1, name.size() % 64, 63, 64, 65), 'x');
  const Handshake o = any_handshake(name);
  Octets payload = encoded(o, kHandshakeFixedBytes + 70);
  RC_ASSERT(payload == slowly(o));
  if (*rc::gen::arbitrary<bool>()) damage(payload);
  const auto back = decode_handshake(payload);
  RC_ASSERT(back.has_value() == slow_handshake(payload));
  if (back) RC_ASSERT(slowly(*back) == payload);
}

RC_GTEST_PROP(Wire, ReportsEqualTheReference, ()) {
  Report r;
  r.duplicates = any<std::uint32_t>();
  r.answers = *rc::gen::element<std::uint8_t>(0, 1, 15, 16, 17, 255);
  r.free_slots = any<std::uint32_t>();
  r.granted_end = any<std::uint32_t>() & kGrantMask;
  r.nack_count = *rc::gen::element<std::uint16_t>(0, 1, 2, 29, 30);
  r.sack_words = *rc::gen::element<std::uint16_t>(0, 1, 2, 31, 32);
  for (auto& nack : r.nacks) nack = any<std::uint32_t>();
  for (auto& word : r.sack) word = any<std::uint64_t>();
  r.delay_count = *rc::gen::element<std::uint16_t>(0, 1, 2, 15, 16);
  for (auto& delay : r.delays)
    delay = {*rc::gen::element<std::uint8_t>(0, 1, 15, 15, 15, 16), any<bool>(),
             any<std::uint16_t>()};
  Octets payload = encoded(r, kReportBytesMax + 8);
  RC_ASSERT(payload == slowly(r));
  if (*rc::gen::arbitrary<bool>()) damage(payload);
  Report back;
  RC_ASSERT(decode(payload, back) == slow_report(payload));
  if (slow_report(payload)) RC_ASSERT(slowly(back) == payload);
}

/// Reports whose counts exceed the limits, together with as many bytes as they announce.
TEST(Wire, AReportHasLimits) {
  for (const auto& [nacks, words] : {std::pair{30u, 32u}, {31u, 0u}, {0u, 33u}, {31u, 33u}}) {
    Octets payload;
    append(payload, 0, 8);
    append(payload, nacks, 2);
    append(payload, words, 2);
    append(payload, 0, 4);
    payload.resize(payload.size() + 4 * nacks + 8 * words);
    Report back;
    EXPECT_EQ(decode(payload, back), nacks <= 30 && words <= 32) << nacks << ", " << words;
  }
}

TEST(SipHash, GivesTheTestVectorsOfItsPaper) {  // Appendix A: key 00..0f, input 00..0e
  std::array<std::byte, 15> input;
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<std::byte>(i);
  EXPECT_EQ(siphash({0x0706050403020100, 0x0f0e0d0c0b0a0908}, input), 0xa129ca6149be45e5);
}

RC_GTEST_PROP(SipHash, GivesWhatLibsodiumGives, (std::uint64_t k0, std::uint64_t k1)) {
  static_assert(crypto_shorthash_BYTES == 8 && crypto_shorthash_KEYBYTES == 16);
  Octets input(*rc::gen::inRange<std::size_t>(0, 70));
  for (std::byte& byte : input) byte = static_cast<std::byte>(*rc::gen::inRange(0, 256));
  unsigned char key[16], hash[8];
  for (unsigned i = 0; i < 8; ++i) {
    key[i] = static_cast<unsigned char>(k0 >> (8 * i));
    key[8 + i] = static_cast<unsigned char>(k1 >> (8 * i));
  }
  crypto_shorthash(hash, reinterpret_cast<const unsigned char*>(input.data()), input.size(), key);
  std::uint64_t value = 0;
  for (unsigned i = 8; i-- > 0;) value = value << 8 | hash[i];
  RC_ASSERT(siphash({k0, k1}, input) == value);
}

TEST(Errors, EachHasANameAndASentence) {
  constexpr std::string_view names[] = {
      "None",  "NoAnswer", "NoSuchService", "NoMemory", "PeerSilent",  "PeerForgot", "PeerReset",
      "Reset", "Version",  "Protocol",      "PeerOld",  "SourceLimit", "PeerLimit"};
  std::set<std::string_view> sentences;
  for (unsigned i = 0; i < std::size(names); ++i) {
    EXPECT_EQ(name(static_cast<Error>(i)), names[i]);
    EXPECT_GT(explain(static_cast<Error>(i)).size(), 10u);
    sentences.insert(explain(static_cast<Error>(i)));
  }
  EXPECT_EQ(sentences.size(), std::size(names));
  for (const int beyond : {13, 255}) {
    EXPECT_EQ(name(static_cast<Error>(beyond)), "unknown");
    EXPECT_EQ(explain(static_cast<Error>(beyond)), "an error that this version does not know");
  }
}

}  // namespace
}  // namespace selvedge::protocol
