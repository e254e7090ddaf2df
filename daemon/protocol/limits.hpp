// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Every limit and every tunable of the protocol, with static_asserts between them. Units stand at
// the end of the names. What an operator may change is in the config structs of the other headers;
// its defaults and bounds are here.
#pragma once

#include <cstdint>

namespace selvedge::protocol {

/// Nanoseconds on a monotonic clock. The protocol has no clock; its callers hand the time in.
using TimeNs = std::uint64_t;

inline constexpr TimeNs kMicrosecond = 1'000;
inline constexpr TimeNs kMillisecond = 1'000 * kMicrosecond;
inline constexpr TimeNs kSecond = 1'000 * kMillisecond;
inline constexpr TimeNs kNever = ~TimeNs{0};

// ---- Wire ----
inline constexpr unsigned kHeaderBytes = 32;
/// IPv6 and UDP headers, below the protocol's own.
inline constexpr unsigned kLowerHeadersBytesMax = 48;
/// What sealing (seal.hpp) adds to a datagram: a head, and a tag at its end.
inline constexpr unsigned kSealHeadBytes = 24, kSealTagBytes = 16;
inline constexpr unsigned kSealBytes = kSealHeadBytes + kSealTagBytes;
inline constexpr unsigned kMtuBytesMin = 512;
inline constexpr unsigned kPayloadBytesMax = 16'384;
inline constexpr unsigned kPayloadBytesMin = 256;
inline constexpr unsigned kPayloadBytesDefault = 4'096;
/// Length of a service's name.
inline constexpr unsigned kNameBytesMax = 64;

// ---- Windows, in packets of one connection ----
inline constexpr std::uint32_t kWindowPacketsMin = 64;
inline constexpr std::uint32_t kWindowPacketsMax = 2'048;
/// Large enough that a packet lost twice does not stop the flow while it is retransmitted.
inline constexpr std::uint32_t kWindowPacketsDefault = 2'048;
/// Packets in flight: sent and not known to have arrived. Far below the window, so that one missing
/// packet does not stop the flow while it is retransmitted.
inline constexpr std::uint32_t kInFlightPacketsDefault = 128;
inline constexpr std::uint32_t kBurstPacketsMax = 64;
inline constexpr std::uint32_t kBurstPacketsDefault = 15;

// ---- Reports (ACK, NACKs and selective acknowledgement) ----
inline constexpr unsigned kReportFixedBytes = 16;
inline constexpr unsigned kNacksPerReport = 30;
inline constexpr unsigned kSackWordsMax = kWindowPacketsMax / 64;
inline constexpr unsigned kReportBytesMax =
    kReportFixedBytes + 4 * kNacksPerReport + 8 * kSackWordsMax;
/// A report goes out after this many packets even while received datagrams wait to be read.
inline constexpr std::uint32_t kReportEveryPackets = 64;
/// A report that is not urgent waits this long for a data packet that carries the same ACK.
inline constexpr TimeNs kReportDelayNs = 10 * kMicrosecond;

// ---- Paths ----
inline constexpr unsigned kPathsMax = 16;
inline constexpr unsigned kPathsDefault = 8;
/// Time-outs in a row, with nothing delivered between, after which a path is dead.
inline constexpr unsigned kPathTimeoutsMax = 3;
inline constexpr TimeNs kPathRetryNsMin = 20 * kMillisecond;
inline constexpr TimeNs kPathRetryNsMax = 2 * kSecond;

// ---- Loss ----
inline constexpr TimeNs kRttNsInitial = 5 * kMillisecond;
/// Least time without a delivery on a path before a keep-alive over it asks the peer for a report.
inline constexpr TimeNs kProbeTimeoutNsMin = 120 * kMicrosecond;
/// Least time without a delivery or an answer before the packets sent over the path count as lost.
inline constexpr TimeNs kTimeoutNsMin = 10 * kMillisecond;
inline constexpr TimeNs kTimeoutNsMax = 1 * kSecond;
/// Least grace, beyond a round trip, before an overtaken packet counts as lost (reordering within
/// one path).
inline constexpr TimeNs kReorderWindowNsMin = 15 * kMicrosecond;
/// Doublings of that grace after spurious retransmissions.
inline constexpr unsigned kReorderWindowDoublingsMax = 4;
/// Sample size for the ratio of spurious retransmissions to deliveries.
inline constexpr std::uint32_t kSpuriousSamplePackets = 16;
/// Doublings of all waiting times while spurious retransmissions outnumber deliveries: from a round
/// trip of tens of microseconds to kTimeoutNsMax.
inline constexpr unsigned kBackoffDoublingsMax = 15;

// ---- Life of a connection ----
/// Until kOpenTimeoutNs there are 250 tries, of which two must complete a round trip (challenge and
/// accept). If a share p of all packets is lost, a try succeeds with q = (1-p)². The handshake then
/// fails with (1-q)^250 + 250·q·(1-q)^249: 10^-71 for p = 0.3, 10^-29 for p = 0.5.
inline constexpr TimeNs kOpenRetryNs = 20 * kMillisecond;
inline constexpr TimeNs kOpenTimeoutNs = 5 * kSecond;
inline constexpr TimeNs kKeepaliveNs = 1 * kSecond;
inline constexpr TimeNs kSilenceNsMax = 10 * kSecond;
inline constexpr TimeNs kCookieNsMax = 10 * kSecond;
/// Sealed channels kept in each direction; packets of a lane before the channel gets a new salt.
inline constexpr std::size_t kChannelsMax = 4'096;
inline constexpr std::uint64_t kChannelPacketsMax = std::uint64_t{1} << 40;
inline constexpr std::uint32_t kConnectionsMax = 65'536;
/// Limit on resets that answer packets of unknown connections, so that a flood of such packets
/// cannot cause a flood of answers.
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
static_assert(kWindowPacketsMax < 1u << 30, "sequence numbers are unambiguous modulo 2^32");
static_assert(2 * kInFlightPacketsDefault <= kWindowPacketsDefault,
              "a round trip of new packets fits while a lost one is retransmitted");
static_assert(kBurstPacketsDefault <= kBurstPacketsMax);
static_assert(kReportEveryPackets <= kInFlightPacketsDefault,
              "the sender learns of arrivals before its limit in flight");
static_assert(kPathsDefault <= kPathsMax && kPathsMax <= 255, "a path is a byte on the wire");
static_assert(kTimeoutNsMin < kTimeoutNsMax && kReorderWindowNsMin < kProbeTimeoutNsMin &&
              2 * kProbeTimeoutNsMin < kTimeoutNsMin);
static_assert(kKeepaliveNs * 4 < kSilenceNsMax, "a few lost keep-alives do not end a connection");
static_assert(kOpenRetryNs * 20 < kOpenTimeoutNs);
static_assert(kPayloadBytesMax <= 0xffff, "lengths are 16 bits on the wire");

}  // namespace selvedge::protocol
