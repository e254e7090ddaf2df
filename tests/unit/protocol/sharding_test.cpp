// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Tests how connections are divided among workers: numbers, tables, and what the peer is told.
#include "daemon/protocol/sharding.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "daemon/protocol/endpoint.hpp"

namespace selvedge::protocol {
namespace {

Shard any_shard() {
  const unsigned workers = *rc::gen::inRange(1u, kWorkersMax + 1);
  return {.worker = *rc::gen::inRange(0u, workers), .workers = workers};
}

RC_GTEST_PROP(Sharding, AConnectionsNumberNamesItsWorkerAndPlace, ()) {
  const Shard shard = any_shard();
  const std::uint32_t index = *rc::gen::inRange(0u, shard.connections_max());
  const std::uint32_t id = *rc::gen::arbitrary<std::uint16_t>() << 16 | shard.low_bits(index);
  RC_ASSERT(shard.low_bits(index) < 65'536u);
  RC_ASSERT(shard.index(id) == index);
  RC_ASSERT(worker_of(id, shard.workers) == shard.worker);
}

/// Slowly: the worker is the rest of a division by the next power of two, if there is such a one.
RC_GTEST_PROP(Sharding, EveryNumberHasOneWorker, ()) {
  const unsigned workers = *rc::gen::inRange(1u, kWorkersMax + 1);
  const auto id = *rc::gen::arbitrary<std::uint32_t>();
  unsigned power = 1;
  while (power < workers) power *= 2;
  RC_ASSERT(worker_of(id, workers) == (id % power < workers ? id % power : 0));
  std::array<std::byte, kHeaderBytes> packet;
  Header h;
  h.connection = id;
  encode(h, packet.data());
  RC_ASSERT(worker_of(Bytes{packet}, workers) == worker_of(id, workers));
  const auto cut = static_cast<std::size_t>(*rc::gen::inRange(0u, kConnectionLowByte + 1));
  RC_ASSERT(worker_of(Bytes{packet}.first(cut), workers) == 0u);
}

/// Either end finds the other one's worker by what its features say, and its own kernel agrees.
RC_GTEST_PROP(Sharding, ThePeerFindsTheWorker, ()) {
  const Shard shard = any_shard();
  const std::uint32_t index = *rc::gen::inRange(0u, shard.connections_max());
  const std::uint32_t id = *rc::gen::arbitrary<std::uint16_t>() << 16 | shard.low_bits(index);
  const std::uint32_t others =
      *rc::gen::arbitrary<std::uint32_t>() & ~(kWorkerBitsMask << kWorkerBitsAt);
  RC_ASSERT(peer_worker(id, others | shard.bits() << kWorkerBitsAt) == shard.worker);
  RC_ASSERT(peer_worker(id, others) == 0u);  // it has not said it
  // Whatever a peer says, the number is one that a worker can have.
  RC_ASSERT(peer_worker(*rc::gen::arbitrary<std::uint32_t>(),
                        *rc::gen::arbitrary<std::uint32_t>()) < kWorkersMax);
}

TEST(Sharding, OneWorkerChangesNothing) {
  const Shard one;
  EXPECT_EQ(one.bits(), 0u);
  EXPECT_EQ(one.connections_max(), 65'536u);
  EXPECT_EQ(one.low_bits(4'711), 4'711u);
}

/// Takes what an endpoint sends.
struct Out {
  std::vector<std::vector<std::byte>> packets;
  void control(const PeerAddress&, PeerLayout, std::uint8_t, Bytes datagram) {
    packets.emplace_back(datagram.begin(), datagram.end());
  }
  void data(const Connection&, const Burst&) {}
};

RC_GTEST_PROP(Sharding, EndpointsOfADaemonGiveDifferentNumbersAndSpreadTheirOpens, ()) {
  const unsigned workers = *rc::gen::inRange(1u, kWorkersMax + 1);
  std::set<ConnectionId> ids;
  for (unsigned w = 0; w < workers; ++w) {
    EndpointConfig config;
    config.secret[0] = static_cast<std::uint8_t>(w);
    config.shard = {.worker = w, .workers = workers};
    config.incarnation = 99;
    Endpoint endpoint(config);
    RC_ASSERT(endpoint.incarnation() == 99u);
    std::set<unsigned> chosen;
    for (unsigned n = 0; n < kWorkersMax; ++n) {
      const auto id = endpoint.connect(0, {}, "x");
      RC_ASSERT(id.has_value());
      RC_ASSERT(worker_of(*id, workers) == w);
      RC_ASSERT(ids.insert(*id).second);
      RC_ASSERT(endpoint.find(*id)->id() == *id);
      Out first, again;
      endpoint.flush(0, true, first);
      endpoint.on_timer(kSecond * (n + 1) / 4);
      endpoint.flush(kSecond * (n + 1) / 4, true, again);
      for (const auto& packet : first.packets) {
        Header h;
        RC_ASSERT(decode(packet, h) == Decoded::kGood);
        RC_ASSERT((h.ack >> kWorkerBitsAt & kWorkerBitsMask) == Shard{.workers = workers}.bits());
        chosen.insert(h.connection % kWorkersMax);
      }
      // A repeated kOpen chooses the same worker.
      for (const auto& packet : again.packets) {
        Header h;
        if (decode(packet, h) == Decoded::kGood && h.kind == Kind::kOpen)
          RC_ASSERT(chosen.contains(h.connection % kWorkersMax));
      }
    }
    // Connections that are opened one after another meet every worker of the peer.
    RC_ASSERT(chosen.size() == kWorkersMax);
  }
}

}  // namespace
}  // namespace selvedge::protocol
