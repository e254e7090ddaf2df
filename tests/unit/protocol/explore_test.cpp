// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// An exhaustive search with small windows: one connection or two, and a few packets. The events
// happen in every possible order: the network delivers, drops or duplicates a packet, a side sends,
// time passes, the application begins to read. The search is breadth-first; states are compared by
// a hash of their contents. In every state three things are checked: packets are delivered as sent,
// in order, once; memory is within its bounds; the sender's counters are consistent. Also, if no
// further packet is lost from that state on, everything arrives and both sides close.
#include <gtest/gtest.h>

#include <deque>
#include <iostream>
#include <string>
#include <unordered_set>

#include "tests/support/sanitized.hpp"
#include "tests/unit/protocol/explore_world.hpp"

namespace selvedge::protocol {
namespace {

using namespace test;

using Path = std::vector<std::uint8_t>;

std::string in_words(const Path& path) {
  std::string text;
  for (const std::uint8_t a : path) {
    const char* names[] = {"flush 0", "flush 1", "receive_idle", "timer", "read", "flush other"};
    if (a < ExploreWorld::kDeliver)
      text += names[a];
    else
      text += (a < ExploreWorld::kDrop         ? "deliver "
               : a < ExploreWorld::kDuplicated ? "drop "
                                               : "double ") +
              std::to_string(a & 15);
    text += ", ";
  }
  return text;
}

/// Performs every possible action in every reachable state.
void explore(const Setting& setting) {
  struct Hash {
    std::size_t operator()(const std::pair<std::uint64_t, std::uint64_t>& d) const {
      return d.first;
    }
  };
  std::unordered_set<std::pair<std::uint64_t, std::uint64_t>, Hash> seen;
  std::deque<Path> open = {{}};
  seen.insert(ExploreWorld(setting).digest());
  std::size_t steps = 0, ended = 0, deepest = 0;
  std::uint64_t rejected = 0, lost = 0, duplicates = 0;
  unsigned turns = 0;
  TimeNs took_ns = 0, heals_ns = 0;
  const auto replay = [&](ExploreWorld& w, const Path& path) {
    for (const std::uint8_t action : path) w.step(action);
  };
  while (!open.empty()) {
    const Path path = std::move(open.front());
    open.pop_front();
    deepest = std::max(deepest, path.size());
    ExploreWorld here(setting);
    replay(here, path);
    for (std::uint8_t action = 0; action < 64; ++action) {
      if (!here.possible(action)) continue;
      ExploreWorld w(setting);
      replay(w, path);
      if (!w.step(action)) continue;
      ++steps;
      Path next = path;
      next.push_back(action);
      ASSERT_EQ(w.wrong(), nullptr)
          << setting.name << ": " << w.wrong() << " after " << in_words(next);
      if (!seen.insert(w.digest()).second) continue;
      rejected = std::max(rejected, w.rejected());
      lost = std::max(lost, w.retransmitted_lost());
      duplicates = std::max(duplicates, w.duplicates());
      turns = std::max(turns, w.turns());
      ended += w.over();
      ASSERT_TRUE(w.ends_well()) << setting.name << ": not all arrives after " << in_words(next)
                                 << (w.wrong() ? w.wrong() : "");
      took_ns = std::max(took_ns, w.took_ns());
      if (const auto instead = here.instead_of_loss(action);
          instead && setting.heals_ns != kNever) {
        ExploreWorld without_loss(setting);
        replay(without_loss, path);
        without_loss.step(*instead);
        ASSERT_TRUE(without_loss.ends_well());
        const TimeNs longer = w.took_ns() - std::min(w.took_ns(), without_loss.took_ns());
        ASSERT_LE(longer, setting.heals_ns)
            << setting.name << ": a loss costs too much after " << in_words(next);
        heals_ns = std::max(heals_ns, longer);
      }
      open.push_back(std::move(next));
    }
  }
  std::cout << setting.name << ": " << seen.size() << " states, " << steps << " steps, " << deepest
            << " deep; at most " << lost << " retransmitted as lost, " << rejected << " rejected, "
            << duplicates << " duplicates, " << turns << " turns; the rest takes at most "
            << took_ns / 1'000 << " us, " << heals_ns / 1'000 << " us of them for a lost report\n";
  EXPECT_GT(ended, 0u);
  EXPECT_GT(lost, 0u);
  if (setting.connections > 1) {
    EXPECT_GT(turns, 1u);
  }
  // With credits, what is rejected was unsolicited.
  if (setting.mode == InjectionMode::kCredits && setting.slots != 0) {
    EXPECT_EQ(rejected, 0u);
  } else if (setting.slots + 1 < setting.packets && setting.mode != InjectionMode::kCredits) {
    EXPECT_GT(rejected, 0u);
  }
}

// The limits of each setting keep its run within seconds. With sanitizers the largest would take
// minutes; the small ones take the code through the same lines. With two paths an answer to a
// keep-alive is sent twice, so one packet makes as many states as three over one path.
TEST(Explore, OnePacketOverTwoPaths) {
  explore({.name = "one packet, two paths", .packets = 1, .slots = 1});
}
TEST(Explore, TwoPacketsOneTwice) {
  explore({.name = "two packets, one twice", .packets = 2, .slots = 1, .paths = 1, .doubles = 1});
}
TEST(Explore, ThreePacketsSomeDuplicated) {
  SELVEDGE_SKIP_IF_SAMPLED();
  explore({.name = "three packets, one twice", .slots = 1, .paths = 1, .doubles = 1});
}
TEST(Explore, FourPackets) {
  SELVEDGE_SKIP_IF_SAMPLED();
  explore({.name = "four packets", .packets = 4, .slots = 1, .paths = 1});
}
// The first keep-alive finds a gap that is too young to be a loss, and the next tick finds the
// loss.
TEST(Explore, AfterAQuickHandshake) {
  explore({.name = "quick handshake",
           .packets = 2,
           .slots = 1,
           .paths = 1,
           .ticks = 2,
           .handshake_ns = 10 * kMicrosecond});
}
// All others measure how late overtaken packets are; here a path keeps the order, as the sender
// believes, and the network does not.
TEST(Explore, TwoPacketsOneTwiceWhereOvertakingIsLoss) {
  explore({.name = "overtaking is loss, one twice",
           .packets = 2,
           .slots = 1,
           .paths = 1,
           .doubles = 1,
           .overtaking = Overtaking::kLoss});
}
TEST(Explore, ThreePacketsWhereOvertakingIsLoss) {
  SELVEDGE_SKIP_IF_SAMPLED();
  explore({.name = "overtaking is loss", .slots = 1, .paths = 1, .overtaking = Overtaking::kLoss});
}
TEST(Explore, NoRearrangeMemory) {
  explore({.name = "no memory", .packets = 2, .slots = 0, .paths = 1});
}
TEST(Explore, TheApplicationBeginsToRead) {
  SELVEDGE_SKIP_IF_SAMPLED();
  explore({.name = "reads later", .slots = 1, .paths = 1, .reads = false});
}
// Injection mode none is left out: a packet could be rejected and retransmitted for ever while no
// time passes.
TEST(Explore, WithAWindow) {
  explore({.name = "lw", .slots = 1, .paths = 1, .mode = InjectionMode::kLw});
}
// With credits, each packet of these needs a grant. No state may be left from which nothing moves
// while packets wait for one, whatever reports are lost.
TEST(Explore, CreditsMemoryForOne) {
  explore({.name = "credits, memory for one",
           .packets = 4,
           .slots = 1,
           .paths = 1,
           .mode = InjectionMode::kCredits,
           .bytes = kPayloadBytesMax});
}
// The unsolicited window is one packet here, and the sender asks for more.
TEST(Explore, CreditsOnDemand) {
  for (const unsigned slots : {1u, 2u})
    explore({.name = "credits on demand",
             .packets = 4,
             .slots = slots,
             .paths = 1,
             .mode = InjectionMode::kCredits,
             .bytes = kPayloadBytesMax,
             .asks = true});
}
TEST(Explore, CreditsWithoutMemory) {
  explore({.name = "credits, no memory",
           .packets = 2,
           .slots = 0,
           .paths = 1,
           .mode = InjectionMode::kCredits,
           .bytes = kPayloadBytesMax});
}
/// Two connections compete for memory that is too little for both: what one is granted is kept from
/// the other, and a report that grants a turn may be lost. From each state everything arrives
/// within three times of kGrantReclaimNs, after which a grant is taken back that nobody uses; and a
/// lost report alone costs one of these times at most. Without the repetition of granted turns it
/// costs more with two packets each, and three times as much with three.
Setting two_connections(unsigned packets, unsigned slots, unsigned drops, bool asks) {
  return {.name = asks ? "two connections that ask" : "two connections",
          .packets = packets,
          .slots = slots,
          .paths = 1,
          .mode = InjectionMode::kCredits,
          .drops = drops,
          .bytes = kPayloadBytesMax,
          .asks = asks,
          .connections = 2,
          .orderly = true,
          .ends_ns = 3 * kGrantReclaimNs,
          .heals_ns = kGrantReclaimNs};
}
TEST(Explore, CreditsOfTwoConnections) {
  explore(two_connections(2, 1, 1, true));
  if (!selvedge::test::sampled()) explore(two_connections(2, 1, 1, false));
}
TEST(Explore, CreditsOfTwoConnectionsAtLength) {
  if (!selvedge::test::whole_sets()) GTEST_SKIP() << "SELVEDGE_WHOLE=1 runs it";
  for (const bool asks : {false, true}) explore(two_connections(3, 1, 1, asks));
  for (Setting s : {two_connections(3, 2, 1, true), two_connections(2, 1, 2, true)}) {
    s.heals_ns = 2 * kGrantReclaimNs;  // the other connection's grant may go to waste after that
    explore(s);
  }
}
TEST(Explore, BothClose) {
  explore({.name = "both close", .packets = 1, .slots = 1, .paths = 1, .ticks = 2, .closes = true});
}

}  // namespace
}  // namespace selvedge::protocol
