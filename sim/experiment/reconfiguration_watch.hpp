// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What traffic sees of changes of the tables.
#pragma once

#include <optional>
#include <vector>

#include "sim/model/traffic.hpp"
#include "sim/reconfigure/manager.hpp"

namespace selvedge::sim {

/// Packets delivered, and their times from generation to delivery.
struct Delivered {
  std::uint64_t packets = 0, bytes = 0;
  Tick latency = 0;     // sum
  Tick in_network = 0;  // of it, from the injection on
  void add(const Delivery& d) {
    ++packets;
    bytes += d.bytes;
    latency += d.delivered - d.generated;
    in_network += d.delivered - d.injected;
  }
};

class ReconfigurationWatch {
 public:
  explicit ReconfigurationWatch(const Manager& manager) : manager_(manager) {}

  /// The measurement begins; what was delivered before does not count.
  void begin(Tick now) { began_ = now; }
  /// A fault, or the beginning of a change without one.
  void cause(Tick now) { first_cause_ = std::min(first_cause_, now); }
  void delivered(const Delivery& d);

  Tick began() const { return began_; }
  Tick first_cause() const { return first_cause_; }
  /// Delivered after the beginning of the measurement and before the first cause.
  const Delivered& before() const { return before_; }
  /// Delivered, or generated, between the detection and the end of a change.
  const Delivered& during() const { return during_; }
  const Delivered& generated_during() const { return generated_; }

 private:
  const Manager& manager_;
  Tick began_ = kNever, first_cause_ = kNever;
  Delivered before_, during_, generated_;
};

struct ReconfigurationResult {
  std::vector<Reconfiguration> changes;
  bool reached = false;  // the switches hold the tables of the last change
  std::uint64_t smps = 0;
  Delivered before, during, generated;
  Tick before_ticks = 0, during_ticks = 0;
};

ReconfigurationResult result_of(const ReconfigurationWatch& watch, const Manager& manager);

}  // namespace selvedge::sim
