// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Impair injects faults, for tests: it drops, duplicates and delays outgoing packets at random,
// from a seed. When it is off, it costs a few comparisons for each burst.
//
// A packet that `reorder` selects is sent after 1 to reorder_depth later packets, or after
// kDelayNsMax if none follow. With jitter every other packet is sent after a time of its own, up to
// jitter_us. A copy is kept for that, because the original's bytes may be freed by then.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "daemon/protocol/connection.hpp"

namespace selvedge::transport {

struct ImpairConfig {
  double loss = 0, duplicate = 0, reorder = 0;  ///< shares of the packets, 0 to 1
  unsigned reorder_depth = 32;                  ///< at most this many overtake a delayed packet
  unsigned jitter_us = 0;                       ///< of each packet's delay
  std::vector<unsigned> paths = {};             ///< the paths with faults; empty: all
  std::uint64_t seed = 1;
};

inline constexpr protocol::TimeNs kDelayNsMax = protocol::kMillisecond;

class Impair {
 public:
  struct Delayed {
    std::uint64_t due_count = 0;
    protocol::TimeNs since_ns = 0;  ///< with jitter, when it is due
    protocol::PeerAddress to = {};
    protocol::PeerLayout peer = {};
    std::uint8_t path = 0;
    std::vector<std::byte> bytes = {};
    bool control = false;  ///< its source port and its path say who sent it
  };
  enum class Fate : std::uint8_t { kPassed, kDropped, kDuplicated, kDelayed };

  explicit Impair(const ImpairConfig& config)
      : config_(config),
        random_(config.seed),
        thresholds_{scaled(config.loss), scaled(config.loss + config.duplicate),
                    scaled(config.loss + config.duplicate + config.reorder)} {
    if (config.paths.empty()) paths_ = ~std::uint32_t{0};
    for (const unsigned path : config.paths) paths_ |= 1u << path;
  }

  /// Replaces the configuration and restarts the random numbers; delayed packets are still sent.
  void reconfigure(const ImpairConfig& config) {
    Impair changed(config);
    changed.count_ = count_;
    changed.delayed_ = std::move(delayed_);
    changed.jittered_ = std::move(jittered_);
    changed.spare_ = std::move(spare_);
    *this = std::move(changed);
  }

  bool active() const { return thresholds_[2] != 0 || config_.jitter_us != 0; }

  /// Draws the fate of the next packet, which goes over `path`. If it is kDelayed, the caller
  /// passes a copy to delay(). If it is another and jitters(), the caller passes what is to be sent
  /// to delay_by_jitter().
  Fate fate(unsigned path) {
    ++count_;
    if (!chosen(path)) return Fate::kPassed;
    const std::uint64_t x = random() >> 1;
    if (x >= thresholds_[2]) return Fate::kPassed;
    return x < thresholds_[0]   ? Fate::kDropped
           : x < thresholds_[1] ? Fate::kDuplicated
                                : Fate::kDelayed;
  }

  bool jitters(unsigned path) const { return config_.jitter_us != 0 && chosen(path); }

  /// Returns an empty Delayed for delay(), which reuses the memory of a recycled one if there is
  /// one.
  Delayed reuse() {
    if (spare_.empty()) return {};
    Delayed delayed = std::move(spare_.back());
    spare_.pop_back();
    delayed.bytes.clear();
    delayed.control = false;
    return delayed;
  }
  void recycle(Delayed delayed) { spare_.push_back(std::move(delayed)); }

  void delay(Delayed delayed) {
    delayed.due_count = count_ + 1 + random() % config_.reorder_depth;
    delayed_.push_back(std::move(delayed));
  }

  /// since_ns of `delayed` is now.
  void delay_by_jitter(Delayed delayed) {
    delayed.since_ns += random() % (config_.jitter_us * protocol::kMicrosecond + 1);
    jittered_.push_back(std::move(delayed));
    std::ranges::push_heap(jittered_, std::greater{}, &Delayed::since_ns);
  }

  bool has_delayed() const { return !delayed_.empty() || !jittered_.empty(); }

  /// Passes the delayed packets that are due to f, and removes them.
  template <class F>
  void release(protocol::TimeNs now, F&& f) {
    while (!jittered_.empty() && jittered_.front().since_ns <= now) {
      std::ranges::pop_heap(jittered_, std::greater{}, &Delayed::since_ns);
      f(jittered_.back());
      jittered_.pop_back();
    }
    for (std::size_t i = 0; i < delayed_.size();) {
      if (delayed_[i].due_count > count_ && now < delayed_[i].since_ns + kDelayNsMax) {
        ++i;
        continue;
      }
      f(delayed_[i]);
      std::swap(delayed_[i], delayed_.back());
      delayed_.pop_back();
    }
  }

 private:
  /// A share of 0 to 1, scaled to 63-bit numbers.
  static std::uint64_t scaled(double share) {
    return static_cast<std::uint64_t>(share < 1 ? share * 0x1p63 : 0x1p63);
  }
  std::uint64_t random() {  // splitmix64: fast, because each packet needs a number
    std::uint64_t z = random_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

  bool chosen(unsigned path) const { return (paths_ >> path & 1) != 0; }

  ImpairConfig config_;
  std::uint64_t random_;
  std::array<std::uint64_t, 3> thresholds_;
  std::uint64_t count_ = 0;
  std::uint32_t paths_ = 0;  // bit i: path i has faults
  std::vector<Delayed> delayed_, spare_;
  std::vector<Delayed> jittered_;  // a heap, the earliest first
};

}  // namespace selvedge::transport
