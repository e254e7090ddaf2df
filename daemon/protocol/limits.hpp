// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// This file holds every limit and tunable of the protocol, with static_asserts on how they relate.
// A name ends with its unit. What an operator may change is a field of a config struct in another
// header (SenderConfig, EndpointConfig); the field's default and bounds are here.
#pragma once

#include <cstdint>

namespace selvedge::protocol {

/// Nanoseconds on a monotonic clock. The protocol reads no clock: callers pass the time as `now`.
using TimeNs = std::uint64_t;

inline constexpr TimeNs kMicrosecond = 1'000;
inline constexpr TimeNs kMillisecond = 1'000 * kMicrosecond;
inline constexpr TimeNs kSecond = 1'000 * kMillisecond;
inline constexpr TimeNs kNever = ~TimeNs{0};

// ---- Wire ----
inline constexpr unsigned kHeaderBytes = 32;
/// The CRC of a datagram in the clear (clear.hpp); a sealed one has none.
inline constexpr unsigned kCrcBytes = 4;
/// The IPv6 header (40 bytes) and the UDP header (8 bytes) that precede a datagram of the protocol.
inline constexpr unsigned kLowerHeadersBytesMax = 48;
/// What sealing (encryption, seal.hpp) adds to a datagram: a head before it and a tag after it.
inline constexpr unsigned kSealHeadBytes = 24, kSealTagBytes = 16;
inline constexpr unsigned kSealBytes = kSealHeadBytes + kSealTagBytes;
static_assert(kCrcBytes <= kSealBytes, "what fits sealed fits in the clear");
inline constexpr unsigned kMtuBytesMin = 512;
inline constexpr unsigned kPayloadBytesMax = 16'384;
inline constexpr unsigned kPayloadBytesMin = 256;
inline constexpr unsigned kPayloadBytesDefault = 4'096;
/// Longest name of a service, in bytes. A connection is opened to a service of the peer.
inline constexpr unsigned kNameBytesMax = 64;

// ---- Rearrange memory and grants ----
/// The unit of rearrange memory and of grants. A packet takes as many slots as its payload needs,
/// so packets of 64 bytes take a sixteenth of what packets of 4 KB take.
inline constexpr unsigned kSlotBytes = 256;
constexpr std::uint32_t slots_of(std::size_t payload_bytes) {
  return payload_bytes <= kSlotBytes
             ? 1
             : static_cast<std::uint32_t>((payload_bytes + kSlotBytes - 1) / kSlotBytes);
}
/// A grant's end is a count of slots modulo 2^24 (wire.hpp), and no grant exceeds half of that: 2
/// GiB.
inline constexpr unsigned kGrantBits = 24;
inline constexpr std::uint32_t kGrantMask = (1u << kGrantBits) - 1;
inline constexpr std::uint32_t kGrantSlotsMax = (1u << (kGrantBits - 1)) - 1;
/// What a sender may have unacknowledged before the receiver has granted anything: when a
/// connection begins, and after it was idle. 16 KiB, four packets of 4 KB.
inline constexpr std::uint32_t kUnsolicitedSlots = 64;
/// If the fair shares would be smaller than this many of the longest packets, then connections take
/// turns: each is granted so much at a time. Bursts stay long, so packets stay cheap.
inline constexpr std::uint32_t kTurnPackets = 64;
/// If more than this many connections are promised something, and there are more peers than this,
/// then the bandwidth limits what they may have under way (bandwidth.hpp): to no less than
/// kTurnPackets of the longest packets, and one for each connection. A turn is an eighth of that
/// (kTurnsAtOnce), but no fewer than so many packets.
inline constexpr std::uint32_t kFewSenders = 8, kTurnsAtOnce = 8, kTurnPacketsLeast = 16;
/// How long a sender that waits for its turn, with nothing unacknowledged, waits before it sends
/// one packet without a grant. The report that granted its turn may be lost. Where many senders to
/// one peer wait, so much for each of them, at most kTurnRetryNsMax: a round of turns takes longer
/// then, and what they send without a grant costs the receiver a report for each packet.
inline constexpr TimeNs kTurnRetryNs = 20 * kMillisecond;
inline constexpr TimeNs kTurnRetryEachNs = 200 * kMicrosecond;
inline constexpr TimeNs kTurnRetryNsMax = kSecond;
/// The report that granted a turn is repeated after this long without data, then after twice this
/// time, and so on, until the sender's own time has passed.
inline constexpr TimeNs kTurnRepeatNs = kMillisecond;
/// A sender that has had nothing unacknowledged for this long gives its grant up. The receiver
/// takes it back after twice this time without data, so packets that are late by less still have
/// memory.
inline constexpr TimeNs kGrantIdleNs = 10 * kMillisecond;
inline constexpr TimeNs kGrantReclaimNs = 2 * kGrantIdleNs;

// ---- Windows, in packets, for each direction of a connection ----
inline constexpr std::uint32_t kWindowPacketsMin = 64;
inline constexpr std::uint32_t kWindowPacketsMax = 2'048;
/// The window: how many packets may be unacknowledged. The default is so large that a sender can go
/// on while a packet that was lost twice is retransmitted.
inline constexpr std::uint32_t kWindowPacketsDefault = 2'048;
/// Limit on packets in flight, which were sent and are not known to have arrived. Packets that the
/// receiver stores beyond a gap have arrived, so only the window limits those. The limit is far
/// below the window, so that one missing packet does not stop the flow.
inline constexpr std::uint32_t kInFlightPacketsDefault = 128;
inline constexpr std::uint32_t kBurstPacketsMax = 64;
inline constexpr std::uint32_t kBurstPacketsDefault = 15;
/// What so few connections send in a turn of the daemon's loop leaves at once: it fills no call,
/// and the receiver would have nothing to do until the turn is over. Packets of more connections to
/// one peer leave together (Endpoint::flush).
inline constexpr std::size_t kFewFlushed = 8;

// ---- Reports (ACK, NACKs and selective acknowledgement) ----
inline constexpr unsigned kReportFixedBytes = 16;
inline constexpr unsigned kNacksPerReport = 30;
inline constexpr unsigned kSackWordsMax = kWindowPacketsMax / 64;
/// What a report says of a path's delay (PathDelay); of as many paths as fit its longest size.
inline constexpr unsigned kDelayBytes = 4;
inline constexpr unsigned kReportBytesMax =
    kReportFixedBytes + 4 * kNacksPerReport + 8 * kSackWordsMax;
/// A report normally waits until no received datagram is left to be read. After this many packets
/// since the last report it no longer waits.
inline constexpr std::uint32_t kReportEveryPackets = 64;
/// A report that is not urgent (Receiver::Due::kSoon) waits this long, because a data packet of the
/// opposite direction may carry the same ACK.
inline constexpr TimeNs kReportDelayNs = 10 * kMicrosecond;

// ---- Paths ----
inline constexpr unsigned kPathsMax = 16;
inline constexpr unsigned kPathsDefault = 8;
/// After this many consecutive time-outs, with no delivery or answer between them, a path is
/// dead: it carries no more data.
inline constexpr unsigned kPathTimeoutsMax = 3;
inline constexpr TimeNs kPathRetryNsMin = 20 * kMillisecond;
inline constexpr TimeNs kPathRetryNsMax = 2 * kSecond;

// ---- Loss ----
inline constexpr TimeNs kRttNsInitial = 5 * kMillisecond;
/// After at least this time without a delivery on a path the sender sends a keep-alive over it,
/// which asks the peer for a report.
inline constexpr TimeNs kProbeTimeoutNsMin = 120 * kMicrosecond;
/// After at least this time without a delivery on a path and without an answer to a keep-alive,
/// packets sent over the path count as lost (a time-out).
inline constexpr TimeNs kTimeoutNsMin = 10 * kMillisecond;
inline constexpr TimeNs kTimeoutNsMax = 1 * kSecond;
/// Both are no shorter than what follows from the longest round trip of all connections to the peer
/// in the last kLagNs (path_lags.hpp): a keep-alive waits for that long, a time-out twice as long.
inline constexpr TimeNs kLagNs = 200 * kMillisecond;
/// Limit on the doublings of a path's time-outs and of its keep-alives' intervals.
inline constexpr int kTimeoutDoublingsMax = 8;
/// A packet is overtaken when one sent later over the same path has arrived. It counts as lost a
/// round trip plus a grace after it was sent, because a path may reorder packets. This is the least
/// grace.
inline constexpr TimeNs kReorderWindowNsMin = 15 * kMicrosecond;
/// How the measured lateness follows overtaken packets that arrive. One that is later than it
/// raises it by half of the difference; one that is less late lowers it by 1/1,024, any other
/// delivery by 1/4,096. So it stays near the latest of the late ones. Until kLatenessSamplePackets
/// were delivered, the grace is at least kEarlyGraceNs: a short flow over a path that reorders has
/// measured nothing yet.
inline constexpr unsigned kLatenessUp = 2, kLatenessDown = 1'024, kLatenessDecay = 4'096;
inline constexpr std::uint32_t kLatenessSamplePackets = 64;
inline constexpr TimeNs kEarlyGraceNs = 500 * kMicrosecond;
/// Of a connection that loses one of so many packets, and has sent kCopiesAfterPackets, lost
/// packets may be sent twice (Sender::sends_copies).
inline constexpr unsigned kCopiesLossShare = 32;
inline constexpr unsigned kCopiesAfterPackets = 512;
/// Limit on the doublings of the grace under Overtaking::kLoss; each follows spurious
/// retransmissions.
inline constexpr unsigned kReorderWindowDoublingsMax = 4;
/// The ratio of spurious retransmissions to deliveries is evaluated once there are this many of
/// both together.
inline constexpr std::uint32_t kSpuriousSamplePackets = 16;
/// Limit on the doublings of all waiting times, which happen while spurious retransmissions
/// outnumber deliveries. It allows a growth from tens of microseconds to kTimeoutNsMax.
inline constexpr unsigned kBackoffDoublingsMax = 15;

// ---- Congestion (path_rate.hpp) ----
/// What a packet counts beside its payload.
inline constexpr unsigned kOverheadBytes = kHeaderBytes + kCrcBytes + kLowerHeadersBytesMax;
/// The queueing delay that a path may have: this, and as much again divided by the square root of
/// the window, in packets, times the number of paths. Small windows so get the larger targets.
inline constexpr TimeNs kDelayTargetNs = 750 * kMicrosecond;
inline constexpr TimeNs kDelayTargetSpreadNs = 750 * kMicrosecond;
/// The same where the times at which packets arrive are unknown, over verbs: it has to hold the
/// time that daemons take to read them, a few scheduling turns on a busy machine. Where it is too
/// short, windows of a packet or two leave such daemons idle: 4 ms halved the rate of soft-RoCE in
/// an emulated machine. InfiniBand loses nothing in a queue that is so long, and RoCE shrinks
/// windows by loss.
inline constexpr TimeNs kInexactTargetNs = 16 * kMillisecond;
/// The least round trip of this long counts as the path's without a queue, but no more than
/// SenderConfig::empty_rtt_us: who begins while others fill the queue has never seen it empty.
inline constexpr TimeNs kBaseRttLifeNs = 10 * kSecond;
inline constexpr TimeNs kEmptyRttNsDefault = 300 * kMicrosecond;
/// After an overflow the target grows back to its full length within this time.
inline constexpr TimeNs kOverflowLifeNs = 4 * kSecond;
/// If the delay stays far above the target for so many round trips, kCrowdedRoundsLeast of them
/// after the window has shrunk to 1/kCrowdedShrink and to the part of itself that half of the
/// target is of the queue, then others fill the queue, and the path competes with them. It tries
/// whether they have gone whenever a multiple of kCompeteNs has passed: all senders of a machine at
/// once.
inline constexpr unsigned kCrowdedRounds = 6, kCrowdedRoundsLeast = 2, kCrowdedShrink = 8;
inline constexpr TimeNs kCompeteNs = 2 * kSecond;
/// But not before its first round trip was so long ago.
inline constexpr TimeNs kCompetesAfterNs = 1 * kSecond;
/// A path's first window, its least and its greatest.
inline constexpr unsigned kFirstWindowPackets = 2, kLeastWindowParts = 64;
inline constexpr double kWindowBytesMax = 64 << 20;
/// The longest pause between packets that are sent one at a time.
inline constexpr TimeNs kPauseNsMax = 100 * kMillisecond;
/// Packets that are lost without a queue are no sign of congestion, unless it is one in eight, of
/// at least kLossSamplePackets.
inline constexpr unsigned kLossShare = 8, kLossSamplePackets = 64;
/// After such losses a window grows but a little, for so many rounds: a burst may overflow a queue
/// that is empty at other times.
inline constexpr unsigned kCarefulRounds = 64;

// ---- Life of a connection ----
/// The connecting end sends kOpen every kOpenRetryNs, so 250 times until kOpenTimeoutNs. Two of
/// these tries must complete a round trip: one brings the challenge, one brings kAccept. If a share
/// p of all packets is lost, a try succeeds with probability q = (1-p)². The handshake then fails
/// with probability (1-q)^250 + 250·q·(1-q)^249: 10^-71 for p = 0.3, 10^-29 for p = 0.5.
inline constexpr TimeNs kOpenRetryNs = 20 * kMillisecond;
inline constexpr TimeNs kOpenTimeoutNs = 5 * kSecond;
/// After this time without an answer, and each time it passes again, the connecting end asks
/// whether the peer speaks the older version (old_version.hpp).
inline constexpr TimeNs kAskOldVersionNs = 1 * kSecond;
inline constexpr TimeNs kKeepaliveNs = 1 * kSecond;
inline constexpr TimeNs kSilenceNsMax = 10 * kSecond;
inline constexpr TimeNs kCookieNsMax = 10 * kSecond;
/// Limits of sealing (seal.hpp): channels that are remembered in each direction; packets on one
/// lane of a channel, after which a new channel with a new salt begins.
inline constexpr std::size_t kChannelsMax = 4'096;
/// Workers have channels of their own, to each worker of a peer; so many in each direction in all.
inline constexpr std::size_t kChannelsOfAllWorkers = 4 * kChannelsMax;
inline constexpr std::uint64_t kChannelPacketsMax = std::uint64_t{1} << 40;
inline constexpr std::uint32_t kConnectionsMax = 65'536;
/// Limits on what one source may open here (sources.hpp).
inline constexpr std::uint32_t kSourceConnectionsDefault = 8'192;
inline constexpr std::uint32_t kSourceHalfOpenDefault = 1'024;
inline constexpr std::uint32_t kSourceNewPerSecondDefault = 2'000;
/// Limit on kReset packets that answer packets of unknown connections: a flood of such packets must
/// not cause a flood of answers.
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
static_assert(kWindowPacketsMax * slots_of(kPayloadBytesMax) <= kGrantSlotsMax,
              "a whole window can be granted, and grants are unambiguous modulo 2^24");
static_assert(kBurstPacketsDefault <= kBurstPacketsMax);
static_assert(kEmptyRttNsDefault < kDelayTargetNs && kDelayTargetNs < kTimeoutNsMin / 4,
              "a queue that is as long as it may be is not taken for loss");
static_assert(kPathsMax < kLeastWindowParts, "the least windows of all paths hold no whole packet");
static_assert(kReportEveryPackets <= kInFlightPacketsDefault,
              "the sender learns of arrivals before its limit in flight");
static_assert(kTimeoutNsMin << kTimeoutDoublingsMax >= kTimeoutNsMax);
static_assert(kPathsDefault <= kPathsMax && kPathsMax <= 255, "a path is a byte on the wire");
static_assert(kTimeoutNsMin < kTimeoutNsMax && kReorderWindowNsMin < kProbeTimeoutNsMin &&
              2 * kProbeTimeoutNsMin < kTimeoutNsMin);
static_assert(kKeepaliveNs * 4 < kSilenceNsMax, "a few lost keep-alives do not end a connection");
static_assert(kOpenRetryNs * 20 < kOpenTimeoutNs && kAskOldVersionNs * 3 < kOpenTimeoutNs);
static_assert(kPayloadBytesMax <= 0xffff, "lengths are 16 bits on the wire");

}  // namespace selvedge::protocol
