// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests of sealing: a datagram sealed with a known key opens once, unchanged; all else is refused.
#include "daemon/protocol/seal.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sodium.h>

#include <cstring>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "daemon/protocol/replay_window.hpp"

namespace selvedge::protocol {
namespace {

using Octets = std::vector<std::byte>;

SealKey key(std::uint8_t n) {
  SealKey k{};
  k.fill(n);
  return k;
}
std::array<std::uint8_t, 32> life(std::uint8_t n) { return key(n); }
SealConfig with(SealKeys keys, Cipher cipher = Cipher::kChaCha20Poly1305) {
  SealConfig c;
  c.keys = std::move(keys);
  c.cipher = cipher;
  return c;
}
PeerAddress address(std::uint32_t n) {
  PeerAddress a;
  std::memcpy(a.bytes.data(), &n, sizeof n);
  return a;
}

const std::vector<Cipher> kCiphers = {Cipher::kChaCha20Poly1305, Cipher::kAes256Gcm};

Octets sealed(Seal& seal, Bytes head, Bytes body = {}, unsigned lane = 0,
              const PeerAddress& to = address(1), unsigned worker = 0) {
  Octets out(head.size() + body.size() + kSealBytes);
  EXPECT_EQ(seal.seal(to, worker, lane, head, body, out.data()), out.size());
  return out;
}
Octets opened(Seal& seal, Octets datagram, bool announcement = false) {
  const Bytes text = seal.open(datagram, announcement);
  return {text.begin(), text.end()};
}
Octets text(std::string_view words) {
  const auto* p = reinterpret_cast<const std::byte*>(words.data());
  return {p, p + words.size()};
}

RC_GTEST_PROP(Seal, OpenedTextEqualsSealedText, ()) {
  const Cipher cipher = *rc::gen::elementOf(kCiphers);
  Seal a(with({key(1)}, cipher), life(1)), b(with({key(1)}), life(2));
  for (int n = 0; n < 20; ++n) {
    const auto draw = [] {
      Octets bytes(*rc::gen::inRange<std::size_t>(0, 300));
      for (std::byte& byte : bytes) byte = static_cast<std::byte>(*rc::gen::arbitrary<int>());
      return bytes;
    };
    Octets head = draw();
    head.resize(head.size() + 1);  // an empty text could not be told from a refusal
    const Octets body = draw();
    const auto lane = *rc::gen::inRange(0u, kPathsMax);
    const Octets wire = sealed(a, head, body, lane, address(*rc::gen::inRange(1u, 4u)));
    Octets both = head;
    both.insert(both.end(), body.begin(), body.end());
    RC_ASSERT(opened(b, wire) == both);
    RC_ASSERT(opened(b, wire).empty());  // a datagram opens only once
  }
  RC_ASSERT(b.counters().replayed == 20u);
  RC_ASSERT(b.counters().forged == 0u);
}

/// A receiving kernel finds the worker in the byte of a sealed datagram in which workers of all
/// numbers have it, and each worker's channel is another one.
RC_GTEST_PROP(Seal, AChannelIsOfOneWorkerOfThePeer, ()) {
  Seal a(with({key(1)}), life(1)), b(with({key(1)}), life(2));
  std::map<std::vector<std::byte>, std::pair<std::uint32_t, unsigned>> salts;
  for (int n = 0; n < 60; ++n) {
    const auto worker = *rc::gen::inRange(0u, kWorkersMax);
    const auto to = *rc::gen::inRange(1u, 4u);
    const Octets wire = sealed(a, text("x"), {}, 0, address(to), worker);
    RC_ASSERT((std::to_integer<unsigned>(wire[4]) & (kWorkersMax - 1)) == worker);
    const auto workers = *rc::gen::inRange(1u, kWorkersMax + 1);
    if (worker < workers) RC_ASSERT(sealed_for(wire, workers) == worker);
    const auto [known, added] = salts.emplace(
        std::vector<std::byte>(wire.begin() + 4, wire.begin() + 16), std::pair{to, worker});
    RC_ASSERT(added || known->second == std::pair(to, worker));
    RC_ASSERT(opened(b, wire) == text("x"));
  }
  RC_ASSERT(a.sending() == salts.size());
  RC_ASSERT(b.receiving() == salts.size());
  RC_ASSERT(b.counters().replayed == 0u);
}

/// Opens a sealed datagram with libsodium alone, as seal.hpp describes it; false if it does not
/// open.
bool opened_by_libsodium(const Octets& wire, const SealKey& master, Octets& plain) {
  const auto* w = reinterpret_cast<const unsigned char*>(wire.data());
  std::string said = "selvedge channel 1";
  said.append(reinterpret_cast<const char*>(w + 2), 1);
  said.append(reinterpret_cast<const char*>(w + 4), 12);
  unsigned char own[32], nonce[12] = {};
  crypto_generichash(own, sizeof own, reinterpret_cast<const unsigned char*>(said.data()),
                     said.size(), master.data(), 32);
  std::memcpy(nonce + 4, w + 16, 8);
  const auto open = w[2] == static_cast<unsigned char>(Cipher::kAes256Gcm)
                        ? crypto_aead_aes256gcm_decrypt
                        : crypto_aead_chacha20poly1305_ietf_decrypt;
  plain.assign(wire.size() - kSealBytes, {});
  return open(reinterpret_cast<unsigned char*>(plain.data()), nullptr, nullptr, w + 24,
              wire.size() - 24, w, 24, nonce, own) == 0;
}
bool libsodium_has(Cipher cipher) {
  return cipher != Cipher::kAes256Gcm || crypto_aead_aes256gcm_is_available() != 0;
}

TEST(Seal, TheBytesAreAsDocumented) {
  for (const Cipher cipher : kCiphers) {
    Seal a(with({key(7)}, cipher), life(1));
    sealed(a, text("before"), {}, 3);
    const Octets wire = sealed(a, text("head"), text("body"), 3);
    ASSERT_EQ(wire.size(), 8u + 40u);
    const auto* w = reinterpret_cast<const unsigned char*>(wire.data());
    EXPECT_EQ((std::string_view{reinterpret_cast<const char*>(w), 2}), "SX");
    EXPECT_EQ(w[2], static_cast<unsigned char>(cipher));
    constexpr unsigned char lane_and_number[8] = {3, 0, 0, 0, 0, 0, 0, 2};
    EXPECT_EQ(std::memcmp(w + 16, lane_and_number, 8), 0);
    Octets plain;
    if (!libsodium_has(cipher)) continue;
    ASSERT_TRUE(opened_by_libsodium(wire, key(7), plain));
    EXPECT_EQ(plain, text("headbody"));
  }
}

/// Short and long texts are encrypted by different libraries, in the same format.
RC_GTEST_PROP(Seal, EveryLengthHasTheSameFormat, (std::uint8_t fill)) {
  const Cipher cipher = *rc::gen::elementOf(kCiphers);
  const auto length =
      *rc::gen::oneOf(rc::gen::inRange<std::size_t>(1, 200),
                      rc::gen::inRange<std::size_t>(kShortTextBytes - 20, kShortTextBytes + 20),
                      rc::gen::inRange<std::size_t>(1, kHeaderBytes + kPayloadBytesMax + 1));
  Seal a(with({key(1)}, cipher), life(1)), b(with({key(1)}), life(2));
  Octets body(length, std::byte{fill});
  for (int n = 0; n < 3; ++n) {  // the first one creates the channel
    body[*rc::gen::inRange<std::size_t>(0, length)] ^= std::byte{0x55};
    const Octets wire = sealed(a, body);
    Octets plain, bad = wire;
    RC_ASSERT(!libsodium_has(cipher) ||
              (opened_by_libsodium(wire, key(1), plain) && plain == body));
    bad[*rc::gen::inRange<std::size_t>(kSealHeadBytes, wire.size())] ^=
        static_cast<std::byte>(1 << *rc::gen::inRange(0, 8));
    RC_ASSERT(opened(b, bad).empty());
    RC_ASSERT(opened(b, wire) == body);
  }
  RC_ASSERT(b.counters().forged == 3u);
}

TEST(Seal, EveryFlippedBitIsDetected) {
  for (const Cipher cipher : kCiphers) {
    Seal a(with({key(1)}, cipher), life(1));
    for (const bool known : {false, true}) {  // a channel's first packet, and a later one
      Seal b(with({key(1)}), life(2));
      if (known) {
        EXPECT_FALSE(opened(b, sealed(a, text("before"))).empty());
      }
      const Octets wire = sealed(a, text("a packet of forty bytes or so, header and all"));
      for (std::size_t i = 0; i < wire.size(); ++i)
        for (int bit = 0; bit < 8; ++bit) {
          Octets bad = wire;
          bad[i] ^= static_cast<std::byte>(1 << bit);
          EXPECT_TRUE(opened(b, bad).empty()) << "byte " << i << ", bit " << bit;
        }
      const Seal::Counters& c = b.counters();
      EXPECT_EQ(c.unsealed, 16u);  // the 16 bits of the magic
      EXPECT_EQ(c.unsealed + c.other_key + c.forged + c.replayed, 8 * wire.size());
      for (std::size_t n = 0; n < wire.size(); ++n)
        EXPECT_TRUE(opened(b, Octets(wire.begin(), wire.begin() + static_cast<long>(n))).empty());
      Octets longer = wire;
      longer.emplace_back();
      EXPECT_TRUE(opened(b, longer).empty());
      // The authentic datagram still opens.
      EXPECT_FALSE(opened(b, wire).empty());
    }
  }
}

TEST(Seal, AnotherKeyIsCountedAndLeavesNothing) {
  Seal a(with({key(1)}), life(1)), b(with({key(2)}), life(2));
  for (int n = 0; n < 100; ++n) EXPECT_TRUE(opened(b, sealed(a, text("x"))).empty());
  EXPECT_EQ(b.counters().other_key + b.counters().forged, 100u);
  EXPECT_EQ(b.receiving(), 0u);
  EXPECT_TRUE(opened(b, text("SV in the clear, and long enough to be anything at all")).empty());
  EXPECT_EQ(b.counters().unsealed, 1u);
}

TEST(Seal, KeysWithTheSameHintAreDistinguished) {
  // The hint is one byte of a hash, so among 400 keys two have the same.
  Seal probe(with({key(0)}), life(1));
  std::map<std::byte, SealKey> by_hint;
  for (std::uint32_t n = 1; n <= 400; ++n) {
    SealKey k{};
    std::memcpy(k.data(), &n, sizeof n);
    probe.change_keys(with({k}));
    const std::byte hint = sealed(probe, text("x"))[3];
    const auto [it, is_new] = by_hint.emplace(hint, k);
    if (is_new) continue;
    Seal b(with({it->second, k}), life(2));
    EXPECT_EQ(opened(b, sealed(probe, text("the second key's"))), text("the second key's"));
    Seal other(with({it->second}), life(3));
    EXPECT_TRUE(opened(other, sealed(probe, text("x"))).empty());
    EXPECT_EQ(other.counters().forged, 1u);
    return;
  }
  FAIL() << "no two keys have the same hint";
}

TEST(Seal, KeysChangeWhilePacketsFlow) {
  Seal a(with({key(1)}), life(1)), b(with({key(1)}), life(2));
  const auto flows = [&] {
    const Octets there = opened(b, sealed(a, text("there"))),
                 back = opened(a, sealed(b, text("b")));
    return there == text("there") && back == text("b");
  };
  EXPECT_TRUE(flows());
  const Octets late = sealed(a, text("late"));
  a.change_keys(with({key(1), key(2)}));
  EXPECT_TRUE(flows());
  b.change_keys(with({key(2), key(1)}));
  EXPECT_TRUE(flows());
  EXPECT_EQ(opened(b, late), text("late"));
  a.change_keys(with({key(2)}, kCiphers.back()));
  EXPECT_TRUE(flows());
  b.change_keys(with({key(2)}));
  EXPECT_TRUE(flows());
  // A datagram sealed with the old key is refused now, even on a known channel.
  EXPECT_TRUE(opened(b, late).empty());
}

TEST(Seal, PacketsAndAnnouncementsHaveSeparateLanes) {
  Seal a(with({key(1)}), life(1)), b(with({key(1)}), life(2));
  EXPECT_TRUE(opened(b, sealed(a, text("x"), {}, kAnnouncementLane)).empty());
  EXPECT_TRUE(opened(b, sealed(a, text("x"), {}, 0), true).empty());
  EXPECT_EQ(opened(b, sealed(a, text("x"), {}, kAnnouncementLane), true), text("x"));
}

/// No pair of channel and number is used twice under one key: not over several paths and to several
/// peers, not after a change of keys and back, not after the end of a channel, not after a restart.
RC_GTEST_PROP(Seal, NoNonceIsUsedTwice, ()) {
  std::set<Octets> seen;
  for (std::uint8_t n = 0; n < 4; ++n) {
    SealConfig config = with({key(1)});
    config.packets_max = 5;
    Seal a(config, life(n));
    for (int packets = 0; packets < 100; ++packets) {
      if (*rc::gen::inRange(0, 20) == 0) a.change_keys(config);
      const Octets wire = sealed(a, text("x"), {}, *rc::gen::inRange(0u, kLanes),
                                 address(*rc::gen::inRange(0u, 5u)));
      RC_ASSERT(seen.insert(Octets(wire.begin() + 4, wire.begin() + 24)).second);
      RC_ASSERT(wire[23] <= std::byte{5});
    }
  }
}

TEST(Seal, TheNumberOfChannelsIsBounded) {
  Seal a(with({key(1)}), life(1)), b(with({key(1)}), life(2));
  for (std::uint32_t n = 0; n < kChannelsMax + 100; ++n) {
    opened(b, sealed(a, text("x"), {}, 0, address(0)));  // this channel is in use all the time
    ASSERT_FALSE(opened(b, sealed(a, text("x"), {}, 0, address(n + 1))).empty());
  }
  EXPECT_EQ(a.sending(), kChannelsMax);
  EXPECT_EQ(b.receiving(), kChannelsMax);
  // The channel that was used all the time was never evicted.
  const Octets again = sealed(a, text("x"), {}, 0, address(0));
  EXPECT_EQ(get64(again.data() + 16), kChannelsMax + 101);
}

/// The window is compared with a set of all numbers seen.
RC_GTEST_PROP(ReplayWindow, AcceptsEachNumberOnceAndNoneThatIsTooOld, (std::uint64_t seed)) {
  ReplayWindow window;
  std::set<std::uint64_t> seen;
  std::uint64_t newest = 0;
  std::mt19937_64 random(seed);
  const std::uint64_t spread = *rc::gen::element(3, 64, 700, 5'000);
  for (int i = 0; i < 5'000; ++i) {
    const std::uint64_t base = newest > spread / 2 ? newest - spread / 2 : 0;
    const std::uint64_t n = base + random() % spread;
    const bool is_new =
        n != 0 && !seen.contains(n) && (n > newest || newest - n < ReplayWindow::kNumbers);
    RC_ASSERT(window.is_new(n) == is_new);
    if (!is_new) continue;
    window.mark_seen(n);
    seen.insert(n);
    newest = std::max(newest, n);
    RC_ASSERT(window.newest() == newest);
  }
}

}  // namespace
}  // namespace selvedge::protocol
