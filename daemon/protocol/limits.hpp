// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Every limit and every tunable of the protocol, with what must hold between them. Units stand at
// the end of the names. What an operator may change is in the config structs of the other headers;
// its defaults and bounds are here.
#pragma once

#include <cstdint>

namespace selvedge::protocol {

/// Nanoseconds on a clock that never goes back; the protocol has none of its own, its callers hand
/// the time in.
using TimeNs = std::uint64_t;

inline constexpr TimeNs kMicrosecond = 1'000;
inline constexpr TimeNs kMillisecond = 1'000 * kMicrosecond;
inline constexpr TimeNs kSecond = 1'000 * kMillisecond;
inline constexpr TimeNs kNever = ~TimeNs{0};

// ---- Wire ----
inline constexpr unsigned kHeaderBytes = 32;
/// Of IPv6 and UDP, below our header.
inline constexpr unsigned kLowerHeadersBytesMax = 48;
/// What a sealed datagram (seal.hpp) is longer: a head, and a tag at its end.
inline constexpr unsigned kSealHeadBytes = 24, kSealTagBytes = 16;
inline constexpr unsigned kSealBytes = kSealHeadBytes + kSealTagBytes;
inline constexpr unsigned kMtuBytesMin = 512;
inline constexpr unsigned kPayloadBytesMax = 16'384;
inline constexpr unsigned kPayloadBytesMin = 256;
inline constexpr unsigned kPayloadBytesDefault = 4'096;
/// Of the name of a service, as bytes.
inline constexpr unsigned kNameBytesMax = 64;

// ---- Windows, in packets of one connection ----
inline constexpr std::uint32_t kWindowPacketsMin = 64;
inline constexpr std::uint32_t kWindowPacketsMax = 2'048;
/// So many that a packet which is lost twice does not stop the flow while it is sent again.
inline constexpr std::uint32_t kWindowPacketsDefault = 2'048;
/// On the way and not known to have arrived. Far below the window, so that one missing packet does
/// not stop the flow while it is sent again.
inline constexpr std::uint32_t kInFlightPacketsDefault = 128;
inline constexpr std::uint32_t kBurstPacketsMax = 64;
inline constexpr std::uint32_t kBurstPacketsDefault = 15;

// ---- Reports (ACK, NACK and what has been stored) ----
inline constexpr unsigned kReportFixedBytes = 16;
inline constexpr unsigned kNacksPerReport = 30;
inline constexpr unsigned kSackWordsMax = kWindowPacketsMax / 64;
inline constexpr unsigned kReportBytesMax =
    kReportFixedBytes + 4 * kNacksPerReport + 8 * kSackWordsMax;
/// A report goes out after so many packets even while more are waiting to be read.
inline constexpr std::uint32_t kReportEveryPackets = 64;
/// Small news wait so long for data that goes the same way and tells them too.
inline constexpr TimeNs kReportGapNs = 10 * kMicrosecond;

// ---- Paths ----
inline constexpr unsigned kPathsMax = 16;
inline constexpr unsigned kPathsDefault = 8;
/// Time-outs in a row, with nothing delivered between, after which a path is left.
inline constexpr unsigned kPathTimeoutsMax = 3;
inline constexpr TimeNs kPathRetryNsMin = 20 * kMillisecond;
inline constexpr TimeNs kPathRetryNsMax = 2 * kSecond;

// ---- Loss ----
inline constexpr TimeNs kRttNsInitial = 5 * kMillisecond;
/// Nothing comes back: first the peer is asked, over the path in question, what it has …
inline constexpr TimeNs kAskNsMin = 120 * kMicrosecond;
/// … and when that stays without answer too, what went over the path is lost.
inline constexpr TimeNs kTimeoutNsMin = 10 * kMillisecond;
inline constexpr TimeNs kTimeoutNsMax = 1 * kSecond;
/// A packet is given so much longer than a round trip to be overtaken within its own path.
inline constexpr TimeNs kReorderNsMin = 15 * kMicrosecond;
/// Doublings of the above when packets turn out to have been sent again in vain.
inline constexpr unsigned kReorderDoublingsMax = 4;
/// So many packets that came, or came in vain, tell whether most of them did in vain.
inline constexpr std::uint32_t kWeighedPackets = 16;
/// Doublings of all waiting when most packets turn out to have been sent again in vain: from a
/// round trip of tens of microseconds to kTimeoutNsMax.
inline constexpr unsigned kPatienceDoublingsMax = 15;

// ---- Life of a connection ----
/// Of 250 tries until kOpenGiveUpNs two must go there and back (the challenge and the accept). When
/// a share p of all packets is lost, each does with q = (1-p)², and the opening fails with
/// (1-q)^250 + 250·q·(1-q)^249: 10^-71 for p = 0.3, 10^-29 for p = 0.5.
inline constexpr TimeNs kOpenRetryNs = 20 * kMillisecond;
inline constexpr TimeNs kOpenGiveUpNs = 5 * kSecond;
inline constexpr TimeNs kKeepaliveNs = 1 * kSecond;
inline constexpr TimeNs kSilenceNsMax = 10 * kSecond;
inline constexpr TimeNs kCookieNsMax = 10 * kSecond;
/// Sealed channels that are remembered, each way; of a lane's packets, before another salt.
inline constexpr std::size_t kChannelsMax = 4'096;
inline constexpr std::uint64_t kChannelPacketsMax = std::uint64_t{1} << 40;
inline constexpr std::uint32_t kConnectionsMax = 65'536;
/// Resets to strangers, so that nobody makes us answer more than that.
inline constexpr std::uint32_t kResetsPerSecondMax = 1'000;

static_assert(kHeaderBytes + kReportBytesMax + kSealBytes + kLowerHeadersBytesMax <= kMtuBytesMin,
              "the largest report fits the smallest MTU");
static_assert(kHeaderBytes + kPayloadBytesMin + kSealBytes + kLowerHeadersBytesMax <= kMtuBytesMin,
              "the smallest payload fits the smallest MTU");
static_assert((kWindowPacketsMax & (kWindowPacketsMax - 1)) == 0 &&
                  (kWindowPacketsMin & (kWindowPacketsMin - 1)) == 0 &&
                  (kWindowPacketsDefault & (kWindowPacketsDefault - 1)) == 0,
              "rings are indexed by masks");
static_assert(kWindowPacketsMin >= 64, "a ring of bits has at least one word");
static_assert(kWindowPacketsMax < 1u << 30, "sequence numbers are told apart modulo 2^32");
static_assert(2 * kInFlightPacketsDefault <= kWindowPacketsDefault,
              "a round trip of new packets fits while a lost one is sent again");
static_assert(kBurstPacketsDefault <= kBurstPacketsMax);
static_assert(kReportEveryPackets <= kInFlightPacketsDefault,
              "the sender hears of arrivals before it has to stop");
static_assert(kPathsDefault <= kPathsMax && kPathsMax <= 255, "a path is a byte on the wire");
static_assert(kTimeoutNsMin < kTimeoutNsMax && kReorderNsMin < kAskNsMin &&
              2 * kAskNsMin < kTimeoutNsMin);
static_assert(kKeepaliveNs * 4 < kSilenceNsMax, "a few lost keep-alives are no death");
static_assert(kOpenRetryNs * 20 < kOpenGiveUpNs);
static_assert(kPayloadBytesMax <= 0xffff, "lengths are 16 bits on the wire");

}  // namespace selvedge::protocol
