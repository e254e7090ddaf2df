// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What the loss of one report costs. A short transfer is run once for each report that the receiver
// sends, and only that report is lost. What it said is said again, and so the transfer takes longer
// by a round trip and
// - kTurnRepeatNs, after which the receiver repeats a grant of a turn, or else
// - the time after which the sender asks by a keep-alive. That is a round trip and four times its
//   variation after the last news, which is three round trips just after the first measurement; at
//   least kProbeTimeoutNsMin, at most half of a time-out. A path that is not measured yet is taken
//   to be as long as the handshake took.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

#include "tests/support/sanitized.hpp"
#include "tests/unit/protocol/world.hpp"

namespace selvedge::protocol {
namespace {

using namespace test;

constexpr std::uint16_t kMessageBytes = 1'024;

struct Case {
  const char* name;
  unsigned connections;
  std::size_t messages;      // of each connection
  std::size_t memory_slots;  // of the receiver
};

/// What the sender waited for when a report to it was lost.
enum class Waits : std::uint8_t { kForTurn, kMeasured, kUnmeasured };
constexpr const char* kNames[] = {"grants of turns", "others", "others, path not measured"};

struct Outcome {
  TimeNs took_ns = 0;
  unsigned reports = 0;
  Waits waits = Waits::kMeasured;
};

Waits waits(const Sender& s) {
  if (s.waits_for_turn()) return Waits::kForTurn;
  for (unsigned p = 0; p < s.paths().size(); ++p)
    if (s.paths()[p].outstanding != 0 && !s.paths()[p].measured) return Waits::kUnmeasured;
  return Waits::kMeasured;
}

/// A time-out of a path of which one round trip was measured.
TimeNs timeout_ns(TimeNs rtt_ns) { return std::max(kTimeoutNsMin, rtt_ns + 4 * (rtt_ns / 2)); }

/// After how long what was lost is said again, or asked for.
TimeNs repeated_ns(const Case& c, Waits w, TimeNs rtt_ns) {
  if (w == Waits::kForTurn) return kTurnRepeatNs;
  const TimeNs asks_ns = std::min(timeout_ns(rtt_ns) / 2, std::max(kProbeTimeoutNsMin, 3 * rtt_ns));
  // The grant of a turn may follow the report that tells the sender to wait for it.
  return c.connections == 1 ? asks_ns : std::max(kTurnRepeatNs, asks_ns);
}

/// lost: which report is lost; 0: none. again: a second transfer, of a warm connection, is
/// measured.
Outcome transfer(const Case& c, TimeNs rtt_ns, bool again, unsigned lost) {
  EndpointConfig config = small_config();
  config.payload_bytes = kMessageBytes;
  config.memory_bytes = config.memory_bytes_per_connection = c.memory_slots * kSlotBytes;
  // A long path is no queue.
  config.sender.empty_rtt_us =
      static_cast<std::uint32_t>(std::max(kEmptyRttNsDefault, 2 * rtt_ns) / kMicrosecond);
  World w(config, {.delay_ns = rtt_ns / 2, .byte_ns = 8}, 1);
  std::vector<ConnectionId> ids;
  for (unsigned n = 0; n < c.connections; ++n) ids.push_back(w.open().value());
  const auto send = [&] {
    w.run(100 * kMillisecond, [] { return false; });
    for (const ConnectionId id : ids) {
      auto& sent = w.streams[{0, id}].sent;
      sent.resize(sent.size() + c.messages, std::vector<std::byte>(kMessageBytes));
    }
    const TimeNs began = w.now;
    EXPECT_TRUE(w.run(10 * kSecond, [&] {
      return std::ranges::all_of(ids, [&](ConnectionId id) {
        return w.streams[{1, w.other(id)}].got == w.streams[{0, id}].sent.size();
      });
    }));
    return w.now - began;
  };
  if (again) send();
  Outcome outcome;
  w.drops = [&](unsigned to, Bytes datagram) {
    Header h;
    if (to != 0 || decode(datagram, h) != Decoded::kGood || h.kind != Kind::kReport) return false;
    if (++outcome.reports != lost) return false;
    outcome.waits = waits(w.side[0]->find(h.connection)->sender());
    return true;
  };
  outcome.took_ns = send();
  return outcome;
}

TEST(LostReport, HealsWithinARoundTripAfterItIsRepeated) {
  SELVEDGE_SKIP_IF_SAMPLED();
  // Queues of a few packets, kReportDelayNs, and both sides look at their timers each 100 us.
  constexpr TimeNs kSlackNs = 300 * kMicrosecond;
  for (const TimeNs rtt_ns : {80 * kMicrosecond, 5 * kMillisecond}) {
    std::array<TimeNs, 3> worst{};
    std::array<unsigned, 3> count{};
    for (const Case& c : {Case{"memory for all", 1, 200, 4'096}, Case{"memory for 8", 1, 60, 32},
                          Case{"two take turns", 2, 60, 32}, Case{"four take turns", 4, 30, 32},
                          Case{"twelve take turns", 12, 20, 256}})
      for (const bool again : {false, true}) {
        const Outcome clean = transfer(c, rtt_ns, again, 0);
        for (unsigned lost = 1; lost <= clean.reports; ++lost) {
          const Outcome o = transfer(c, rtt_ns, again, lost);
          const TimeNs later_ns = o.took_ns - std::min(o.took_ns, clean.took_ns);
          EXPECT_LE(later_ns, repeated_ns(c, o.waits, rtt_ns) + rtt_ns + kSlackNs)
              << c.name << ", " << kNames[static_cast<unsigned>(o.waits)] << ", round trip "
              << rtt_ns << ", " << (again ? "second" : "first") << " transfer, report " << lost
              << " of " << clean.reports;
          worst[static_cast<unsigned>(o.waits)] =
              std::max(worst[static_cast<unsigned>(o.waits)], later_ns);
          ++count[static_cast<unsigned>(o.waits)];
        }
      }
    for (unsigned i = 0; i < worst.size(); ++i) {
      EXPECT_GT(count[i], 0u) << kNames[i];
      std::printf("round trip %.2f ms, %s: at most %.3f ms later (%u reports)\n",
                  static_cast<double>(rtt_ns) / 1e6, kNames[i], static_cast<double>(worst[i]) / 1e6,
                  count[i]);
    }
  }
}

}  // namespace
}  // namespace selvedge::protocol
