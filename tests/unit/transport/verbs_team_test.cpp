// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What the workers of a daemon share over verbs, without a device: announcements that worker 0
// reads reach all, and all workers would answer alike.
#include "daemon/transport/verbs_team.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>

#include "base/error.hpp"
#include "daemon/transport/address.hpp"
#include "daemon/transport/address_exchange.hpp"

namespace selvedge::transport {
namespace {

using namespace protocol;

std::unique_ptr<VerbsTeam> team_of(unsigned workers) {
  for (int tries = 0; tries < 50; ++tries) {
    try {
      return std::make_unique<VerbsTeam>(
          "127.0.0.1:" + std::to_string(20'000 + (getpid() * 37 + tries * 101) % 20'000),
          SipKey{1, 2}, workers);
    } catch (const EnvironmentError&) {
    }
  }
  return nullptr;
}

TEST(VerbsTeam, PassesOnToAllWorkers) {
  const auto team = team_of(3);
  ASSERT_NE(team, nullptr);
  PeerAddress from, said_by;
  from.bytes[3] = std::byte{7};
  const std::array<std::byte, 5> words{std::byte{1}, std::byte{2}};
  std::array<std::byte, kAnnouncementBytesMax> room;
  std::size_t size = 0;
  for (const unsigned w : {1u, 2u})
    EXPECT_FALSE(team->next_passed_on(w, said_by, room.data(), &size));
  team->pass_on(from, words);
  team->pass_on(from, Bytes{words}.first(1));
  for (const unsigned w : {1u, 2u})
    for (const std::size_t length : {words.size(), std::size_t{1}}) {
      ASSERT_TRUE(team->next_passed_on(w, said_by, room.data(), &size));
      EXPECT_EQ(said_by, from);
      ASSERT_EQ(size, length);
      EXPECT_TRUE(
          std::equal(words.begin(), words.begin() + static_cast<long>(length), room.begin()));
    }
  // Inboxes that nobody reads fill, and what is too much is dropped.
  for (int n = 0; n < 100'000; ++n) team->pass_on(from, words);
  int passed = 0;
  while (team->next_passed_on(1, said_by, room.data(), &size)) ++passed;
  EXPECT_GT(passed, 5);
  EXPECT_LT(passed, 100'000);
}

TEST(VerbsTeam, IsCompleteWhenAllHaveToldTheirQueues) {
  const auto team = team_of(2);
  ASSERT_NE(team, nullptr);
  team->set_queues(1, {5, 6});
  EXPECT_FALSE(team->complete());
  team->set_queues(0, {3, 4});
  EXPECT_TRUE(team->complete());
  EXPECT_EQ(team->queues(), (std::vector<std::vector<std::uint32_t>>{{3, 4}, {5, 6}}));
}

TEST(VerbsTeam, RefusesAnAddressInUse) {
  const auto team = team_of(1);
  ASSERT_NE(team, nullptr);
  EXPECT_THROW(VerbsTeam(to_string(team->address()), SipKey{1, 2}, 1), EnvironmentError);
}

VerbsAddress address_with(std::vector<std::vector<std::uint32_t>> queues) {
  VerbsAddress a;
  a.queues = std::move(queues);
  a.gids = {Gid{1}};
  return a;
}

/// Two daemons of several workers. Each datagram is read by one worker and passed on to the others,
/// who send too; the first one alone answers.
struct Daemons {
  TimeNs now = kSecond;
  std::vector<std::vector<std::unique_ptr<AddressExchange>>> of;
  std::vector<VerbsAddress> own;
  int busy_worker = -1;         // which worker of each daemon sends packets; −1: all
  bool answering_only = false;  // daemon 1 sends no packets of its own
  bool first_only = false;      // the network loses what tells of workers but the first

  static PeerAddress address(std::size_t i) {
    PeerAddress a;
    a.bytes[0] = static_cast<std::byte>(i + 1);
    return a;
  }
  void start(std::size_t i, const VerbsAddress& a) {
    if (of.size() <= i) of.resize(i + 1), own.resize(i + 1);
    of[i].clear();
    own[i] = a;
    for (std::size_t w = 0; w < a.queues.size(); ++w) {
      of[i].push_back(std::make_unique<AddressExchange>(SipKey{i + 1, 7}));
      of[i].back()->set_own_address(a);
    }
  }
  void deliver(std::size_t from, std::size_t to, Bytes datagram, int depth) {
    if (first_only && decode_announcement(datagram)->worker != 0) return;
    for (std::size_t w = of[to].size(); w-- > 0;) {
      const auto received = of[to][w]->on_datagram(now, address(from), datagram);
      if (w == 0 && !received.answer.empty() && depth < 3)
        deliver(to, from, received.answer, depth + 1);
    }
  }
  void step() {
    now += kMillisecond;
    for (std::size_t i = 0; i < of.size(); ++i)
      for (std::size_t w = 0; w < of[i].size(); ++w) {
        const auto& worker = of[i][w];
        if ((i == 0 || !answering_only) && (busy_worker < 0 || static_cast<int>(w) == busy_worker))
          worker->require_peer(now, address(1 - i))->received_ns = answering_only ? 0 : now;
        worker->tick(now, [&](const PeerAddress&, Bytes bytes) {
          const std::vector<std::byte> copy(bytes.begin(), bytes.end());
          deliver(i, 1 - i, copy, 0);
        });
      }
  }
  bool all_know_all() const {
    for (std::size_t i = 0; i < of.size(); ++i)
      for (const auto& worker : of[i]) {
        const auto* p = worker->find(address(1 - i));
        if (p == nullptr || !(p->verbs_address == own[1 - i]) || !p->peer_is_current) return false;
      }
    return true;
  }
};

TEST(VerbsTeam, WorkersOfTwoDaemonsLearnAllQueues) {
  Daemons d;
  d.start(0, address_with({{10, 11}, {12, 13}, {14, 15}}));
  d.start(1, address_with({{20}, {21}}));
  for (int ms = 0; ms < 1'000 && !d.all_know_all(); ++ms) d.step();
  EXPECT_TRUE(d.all_know_all());
  // A restarted daemon has other queues, perhaps of fewer workers.
  d.start(1, address_with({{30}}));
  for (int ms = 0; ms < 3'000 && !d.all_know_all(); ++ms) d.step();
  EXPECT_TRUE(d.all_know_all());
}

/// One worker of either daemon has all traffic. The others do not forget the peer: the next
/// handshake comes to the first one.
TEST(VerbsTeam, WorkersWithoutTrafficKeepThePeer) {
  Daemons d;
  d.start(0, address_with({{10}, {11}}));
  d.start(1, address_with({{20}, {21}}));
  for (int ms = 0; ms < 1'000; ++ms) d.step();
  ASSERT_TRUE(d.all_know_all());
  d.busy_worker = 1;
  for (int s = 0; s < 300; ++s) {
    for (int ms = 0; ms < 50; ++ms) d.step();
    d.now += kSecond - 50 * kMillisecond;
    for (const auto& daemon : d.of)
      for (const auto& worker : daemon) worker->expire(d.now, [](const auto&) {});
  }
  EXPECT_TRUE(d.all_know_all());
  // Without any traffic all forget it.
  d.busy_worker = 2;
  for (int s = 0; s < 100; ++s) {
    d.now += kSecond;
    for (const auto& daemon : d.of)
      for (const auto& worker : daemon) worker->expire(d.now, [](const auto&) {});
  }
  for (const auto& daemon : d.of)
    for (const auto& worker : daemon) EXPECT_EQ(worker->peers(), 0u);
}

/// The port was plugged in elsewhere: peers must make their routes anew, though the address is the
/// same.
TEST(VerbsTeam, AChangeIsNoticedThoughTheAddressIsTheSame) {
  Daemons d;
  d.start(0, address_with({{10}}));
  d.start(1, address_with({{20}}));
  for (int ms = 0; ms < 200; ++ms) d.step();
  const auto generation = [&] { return d.of[1][0]->find(Daemons::address(0))->generation; };
  const std::uint64_t before = generation();
  d.of[0][0]->set_own_address(d.own[0], 1);
  for (int ms = 0; ms < 200; ++ms) d.step();
  EXPECT_NE(generation(), before);
}

/// Packets from queue pairs that it does not know are lost to a daemon, so it sends nothing, and
/// does not ask by itself. Their sender hears nothing, and announces itself again.
TEST(VerbsTeam, WhoOnlyAnswersLearnsAllQueuesToo) {
  Daemons d;
  d.answering_only = d.first_only = true;
  d.start(0, address_with({{10, 11}, {12, 13}, {14, 15}}));
  d.start(1, address_with({{20}, {21}}));
  for (int ms = 0; ms < 10'000; ++ms) d.step();
  EXPECT_FALSE(d.all_know_all());
  d.first_only = false;
  const auto known = [&] {
    return std::ranges::all_of(d.of[1], [&](const auto& worker) {
      return worker->find(Daemons::address(0))->verbs_address == d.own[0];
    });
  };
  for (int ms = 0; ms < 5'000 && !known(); ++ms) d.step();
  EXPECT_TRUE(known());
}

}  // namespace
}  // namespace selvedge::transport
