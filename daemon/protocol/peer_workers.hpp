// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// PeerWorkers counts, for each peer, the workers of this daemon that have windows to it: those with
// a connection on which something was sent (peer_rates.hpp). So that all of them press on a shared
// queue about like one daemon, each adds only its part to them (compare the coupled increase of RFC
// 6356).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace selvedge::protocol {

/// The workers of a daemon share it. The lock is taken when a worker's windows to a peer begin or
/// end, never for a packet.

class PeerWorkers : public std::enable_shared_from_this<PeerWorkers> {
  struct Count {
    std::atomic<unsigned> workers = 0;
  };

 public:
  using Peer = std::array<std::byte, 32>;  ///< PeerAddress::bytes

  /// A worker's windows to a peer, as long as this lives.

  class Entry {
   public:
    Entry() = default;
    Entry(Entry&& other) noexcept
        : all_(std::move(other.all_)),
          peer_(other.peer_),
          count_(std::exchange(other.count_, nullptr)) {}
    Entry& operator=(Entry&& other) noexcept {
      std::swap(all_, other.all_);
      std::swap(peer_, other.peer_);
      std::swap(count_, other.count_);
      return *this;
    }
    ~Entry() {
      if (count_ != nullptr) all_->leave(peer_);
    }
    /// How many workers have windows to the peer now, this one included; 1 if nobody counts.

    unsigned workers() const {
      return count_ == nullptr ? 1 : count_->workers.load(std::memory_order_relaxed);
    }

   private:
    friend class PeerWorkers;
    std::shared_ptr<PeerWorkers> all_;
    Peer peer_{};
    const Count* count_ = nullptr;
  };

  Entry enter(const Peer& peer) {
    Entry entry;
    entry.all_ = shared_from_this();
    entry.peer_ = peer;
    const std::scoped_lock lock(mutex_);
    Count& count = counts_[peer];
    ++count.workers;
    entry.count_ = &count;
    return entry;
  }
  /// To how many peers there are windows.

  std::size_t size() const {
    const std::scoped_lock lock(mutex_);
    return counts_.size();
  }

 private:
  void leave(const Peer& peer) {
    const std::scoped_lock lock(mutex_);
    const auto it = counts_.find(peer);
    if (--it->second.workers == 0) counts_.erase(it);
  }

  mutable std::mutex mutex_;
  std::map<Peer, Count> counts_;
};

}  // namespace selvedge::protocol
