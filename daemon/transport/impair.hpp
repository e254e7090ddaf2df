// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Faults on purpose, for tests: loses, doubles and holds back outgoing packets as a seed says. Off,
// it costs one comparison a burst.
//
// A packet that is held back goes out after between 1 and reorder_depth later ones, or after
// kHeldNsMax when nothing follows. It is a copy: its bytes may be gone by then.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "daemon/protocol/connection.hpp"

namespace selvedge::transport {

struct ImpairConfig {
  double loss = 0, duplicate = 0, reorder = 0;  ///< shares of the packets, 0 to 1
  unsigned reorder_depth = 32;                  ///< packets
  std::uint64_t seed = 1;
};

inline constexpr protocol::TimeNs kHeldNsMax = protocol::kMillisecond;

class Impair {
 public:
  struct Held {
    std::uint64_t due_count = 0;
    protocol::TimeNs since_ns = 0;
    protocol::PeerAddress to;
    unsigned peer_paths = 1;
    std::uint8_t path = 0;
    std::vector<std::byte> bytes;
  };
  enum class Fate : std::uint8_t { kPass, kLost, kDoubled, kHeld };

  explicit Impair(const ImpairConfig& config) : config_(config), random_(config.seed) {}

  bool active() const { return config_.loss > 0 || config_.duplicate > 0 || config_.reorder > 0; }

  /// What becomes of the next packet. When kHeld, the caller hands a copy to hold().
  Fate fate() {
    ++count_;
    const double x = std::uniform_real_distribution<>()(random_);
    if (x < config_.loss) return Fate::kLost;
    if (x < config_.loss + config_.duplicate) return Fate::kDoubled;
    if (x < config_.loss + config_.duplicate + config_.reorder) return Fate::kHeld;
    return Fate::kPass;
  }

  void hold(Held held) {
    held.due_count = count_ + 1 + random_() % config_.reorder_depth;
    held_.push_back(std::move(held));
  }

  bool holds() const { return !held_.empty(); }

  /// Hands over, and forgets, those that are due.
  template <class F>
  void release(protocol::TimeNs now, F&& f) {
    for (std::size_t i = 0; i < held_.size();) {
      if (held_[i].due_count > count_ && now < held_[i].since_ns + kHeldNsMax) {
        ++i;
        continue;
      }
      f(held_[i]);
      std::swap(held_[i], held_.back());
      held_.pop_back();
    }
  }

 private:
  ImpairConfig config_;
  std::mt19937_64 random_;
  std::uint64_t count_ = 0;
  std::vector<Held> held_;
};

}  // namespace selvedge::transport
