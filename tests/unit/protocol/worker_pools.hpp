// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Pools of workers that share one depot, with receivers that ask, store, deliver and retire.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "daemon/protocol/slot_pool.hpp"

namespace selvedge::protocol::test {

/// A packet that a receiver has stored, and the byte that fills it.
struct StoredPacket {
  SlotChain chain;
  std::size_t length = 0;
  std::byte value{};
};

/// A connection's receiver, as far as the pool sees it.
struct Holder {
  std::optional<SlotShare> share;
  std::uint32_t left = 0, turns = 0;
  bool active = false;
  std::vector<StoredPacket> stored;

  void ask() {
    turns += share->turn();
    left = share->promise(left);
    active = true;
  }
  void store(std::mt19937_64& random, std::size_t longest) {
    const std::size_t length = random() % (longest + 1);
    if (share->available() < slots_of(length)) return;
    const auto value = static_cast<std::byte>(random());
    const std::vector<std::byte> payload(length, value);
    stored.push_back({share->store(payload), length, value});
    left -= std::min(left, slots_of(length));
  }
  /// False if the bytes are not those that were stored.
  [[nodiscard]] bool deliver(std::mt19937_64& random) {
    if (stored.empty()) return true;
    std::swap(stored[random() % stored.size()], stored.back());
    const StoredPacket packet = stored.back();
    stored.pop_back();
    const auto bytes = share->read(packet.chain, packet.length);
    const bool same = bytes.size() == packet.length &&
                      std::ranges::all_of(bytes, [&](std::byte b) { return b == packet.value; });
    share->give(packet.chain, packet.length);
    return same;
  }
  void retire() {
    share->retire();
    left = 0;
    active = false;
  }
};

/// One worker's pool and connections.
struct PoolOfWorker {
  SlotPool pool;
  std::vector<Holder> holders;

  PoolOfWorker(const std::shared_ptr<SlotDepot>& depot, unsigned number, std::size_t connections,
               std::uint32_t limit)
      : pool(depot, number), holders(connections) {
    for (std::uint32_t i = 0; i < connections; ++i)
      holders[i].share.emplace(pool, MemoryPolicy::kDynamic, limit, i);
  }
  void serve() {
    pool.serve([](std::uint32_t) {});
  }
  /// All use up what they have, and ask for more.
  void round() {
    for (Holder& h : holders) {
      h.left = 0;
      h.share->demand();
      h.ask();
      serve();
    }
  }
  /// False if stored bytes have changed.
  [[nodiscard]] bool act(std::mt19937_64& random) {
    Holder& h = holders[random() % holders.size()];
    switch (random() % 10) {
      case 0:
        h.retire();
        return true;
      case 1:
      case 2:
        h.store(random, pool.packet_bytes());
        return true;
      case 3:
      case 4:
        return h.deliver(random);
      case 5:
        h.left -= static_cast<std::uint32_t>(random() % (h.left + 1));
        return true;
      case 6:
      case 7:
        serve();
        return true;
      default:
        h.ask();
        return true;
    }
  }
  [[nodiscard]] bool end(std::mt19937_64& random) {
    bool same = true;
    for (Holder& h : holders) {
      while (!h.stored.empty()) same &= h.deliver(random);
      h.retire();
    }
    serve();
    return same;
  }
  std::uint32_t turns() const {
    std::uint32_t sum = 0;
    for (const Holder& h : holders) sum += h.turns;
    return sum;
  }
};

inline std::vector<std::unique_ptr<PoolOfWorker>> pools_of(const std::shared_ptr<SlotDepot>& depot,
                                                           std::size_t connections,
                                                           std::uint32_t limit) {
  std::vector<std::unique_ptr<PoolOfWorker>> pools;
  for (unsigned n = 0; n < depot->pools(); ++n)
    pools.push_back(std::make_unique<PoolOfWorker>(depot, n, connections, limit));
  return pools;
}

inline std::uint32_t slots_in(const SlotDepot& depot,
                              const std::vector<std::unique_ptr<PoolOfWorker>>& pools) {
  std::uint32_t sum = depot.in_depot();
  for (const auto& p : pools) sum += p->pool.slots();
  return sum;
}

}  // namespace selvedge::protocol::test
